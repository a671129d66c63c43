"""Constricted terrain (5.4.4): entering or leaving it off its dashed lines."""

from __future__ import annotations

from collections.abc import Iterator

from ....model.board import Board, may_be
from ...concepts import logic
from ...concepts.hex_entries import CostItem, about_hex, about_lines
from ...cost_interval import BARRED, FREE, WHOLE, CostInterval, optional
from .tables import CONSTRICTED, DASHED, Tables
from .water import PERHAPS_BARRED, PERHAPS_WHOLE, Traits


class ConstrictedTerrain:
    """The constricted hexes of a board and their dashed lines, for one kind of mover."""

    def __init__(self, board: Board, tables: Tables, traits: Traits) -> None:
        self.board, self.tables, self.traits = board, tables, traits
        self.scale = tables.scale
        self._constricted: dict[str, bool | None] = {}
        self._dashes: dict[str, list[frozenset[str]]] = {}
        """Hex → the pairs of neighbours that a dashed line in it joins."""
        for line in board.lines:
            if line.kind == DASHED:
                for before, here, after in zip(
                    line.hexes, line.hexes[1:], line.hexes[2:], strict=False
                ):
                    self._dashes.setdefault(here, []).append(frozenset((before, after)))

    def is_constricted(self, hex_name: str) -> bool | None:
        """Whether a hex is constricted terrain; None if it may be."""
        if hex_name not in self._constricted:
            self._constricted[hex_name] = self.board.has(hex_name, (CONSTRICTED,))
        return self._constricted[hex_name]

    def is_on_line(self, hex_name: str, by: str) -> bool | None:
        """Whether a dashed line in ``hex_name`` passes through the hexside towards ``by`` and on to another
        hex; None if one may."""
        if any(by in ends for ends in self._dashes.get(hex_name, ())):
            return True
        return None if self._may_have_more_lines(hex_name) else False

    def _may_have_more_lines(self, hex_name: str) -> bool:
        """Whether a hex may have dashed lines that are not drawn."""
        return may_be(DASHED, self.board.lines_maybe_in(hex_name))

    def _follows_line(self, here: str, entered: str | None, to: str) -> bool | None:
        """Whether a mover that leaves a constricted hex follows a dashed line that it may follow (5.4.4b);
        None if it may."""
        tables, dashes = self.tables, self._dashes.get(here, ())
        if entered is None:
            free = tables.applies("5.4.4b-d") and any(to in ends for ends in dashes)
        elif not entered or not tables.applies("5.4.4b-b"):
            free = False
        elif tables.applies("5.4.4b-c"):
            free = any(entered in ends and to in ends for ends in dashes) or entered == to
        else:
            free = any(to in ends for ends in dashes)
        return True if free else None if self._may_have_more_lines(here) else False

    def cost_items(
        self, here: str, to: str, entered: str | None, into: bool | None, *, by_road: bool
    ) -> Iterator[CostItem]:
        """The cost items of entering or leaving constricted terrain off its dashed lines (5.4.4). ``into``:
        whether the hex is entered along a dashed line, None if it may be; ``by_road``: a Leg unit crosses a
        road hexside."""
        out = self._unless_constricted(here, self._follows_line(here, entered, to))
        came_in = into if self.tables.applies("5.4.4b-a") else False
        came_in = self._unless_constricted(to, came_in)
        if self.traits.is_mech:
            yield from self._takes_all(out, came_in, (here, to))
            return
        if by_road and out is not True and self.tables.applies("5.4.4-c"):
            spared = self.tables.says("leave_constricted_by_road")
            if spared is not False:
                if spared is None and self.tables.applies("5.4.4a-d"):
                    yield CostItem(
                        CostInterval(0, 2 * self.scale),
                        "WAR-5.4.4a-d",
                        "out of constricted terrain by road",
                        about=("reading", "leave_constricted_by_road"),
                    )
                out = True
        if by_road and self.is_constricted(to) and self.tables.applies("5.4.4-c"):
            yield from self._two_more(out, True, (here, to))
            spared = self.tables.says("leg_by_road_into_constricted")
            if spared is False and not self.traits.infantry:
                yield from self._two_more(True, came_in, (here, to))
            elif came_in is not True and not self.traits.infantry and spared is None:
                yield CostItem(
                    CostInterval(0, 2 * self.scale),
                    "WAR-5.4.4a-c",
                    "into constricted terrain by road",
                    about=("reading", "5.4.4-c"),
                )
            return
        yield from self._two_more(out, came_in, (here, to))

    def _unless_constricted(self, hex_name: str, on_line: bool | None) -> bool | None:
        """Whether constricted terrain is certainly no obstacle: the hex is not constricted, or ``on_line``;
        None if not known."""
        return logic.some((logic.negation(self.is_constricted(hex_name)), on_line))

    def _about(self, hexes: tuple[str, str]) -> tuple[str, ...]:
        """What to ask about constricted terrain: whether one of the hexes is constricted, else which lines
        join them."""
        unknown = (name for name in hexes if self.is_constricted(name) is None)
        name = next(unknown, None)
        return about_lines(*hexes) if name is None else about_hex(self.board, name)

    def _takes_all(
        self, out: bool | None, into: bool | None, hexes: tuple[str, str]
    ) -> Iterator[CostItem]:
        """For Mech units: a step off the lines takes the whole MA (5.4.4a). ``out``, ``into``: whether
        leaving and entering are certainly no obstacle; None: not known."""
        tables = self.tables
        about = self._about(hexes)
        if into is not True and self.traits.artillery and tables.applies("5.4.4-b"):
            text = "takes artillery into constricted terrain off its lines"
            cost = BARRED if into is False else PERHAPS_BARRED
            yield CostItem(cost, "WAR-5.4.4-b", text, "WAR-5.4.4-b", text, about)
        elif into is not True and tables.applies("5.4.4a-a"):
            text = "enters constricted terrain off its lines"
            cost = WHOLE if into is False else PERHAPS_WHOLE
            yield CostItem(cost, "WAR-5.4.4a-a", text, "WAR-5.4.4a-a", text, ("whole", *about))
        if out is not True and tables.applies("5.4.4a-b"):
            text = "leaves constricted terrain off its lines"
            cost = WHOLE if out is False else PERHAPS_WHOLE
            yield CostItem(cost, "WAR-5.4.4a-b", text, "WAR-5.4.4a-b", text, ("whole", *about))

    def _two_more(
        self, out: bool | None, into: bool | None, hexes: tuple[str, str]
    ) -> Iterator[CostItem]:
        """For Leg units: each step off the lines costs 2 MP more (5.4.4a). ``out``, ``into``: as for
        :meth:`_takes_all`."""
        two, tables = CostInterval(2 * self.scale, 2 * self.scale), self.tables
        about: tuple[str, ...] = self._about(hexes)
        enters = into is not True and tables.applies("5.4.4a-c")
        leaves = out is not True and tables.applies("5.4.4a-d")
        if enters:
            yield CostItem(
                optional(two, True if into is False else None),
                "WAR-5.4.4a-c",
                "into constricted terrain",
                about=about,
            )
        if leaves:
            cost = optional(two, True if out is False else None)
            if enters and tables.reading("constricted_both") != "twice":
                once = tables.reading("constricted_both") == "once"
                cost = FREE if once and into is False else CostInterval(0, two.hi)
                about = ("reading", "constricted_both")
            yield CostItem(cost, "WAR-5.4.4a-d", "out of constricted terrain", about=about)

    def by_road(self, here: str, to: str, moved: bool) -> Iterator[CostItem]:
        """The cost items of a road through constricted terrain that does not follow a dashed line
        (5.4.4-d)."""
        reading = self.tables.reading("constricted_road")
        if reading == "free" or not self.tables.applies("5.4.4-d") or self.traits.artillery:
            return
        into = self._unless_constricted(to, self.is_on_line(to, here))
        # Road tags do not hold the line by which it came in: it may have been this one.
        out = self._unless_constricted(here, self.is_on_line(here, to))
        tight = self.is_constricted(here) is not False
        if out is True and tight and moved and len(self._dashes.get(here, ())) > 1:
            out = None
        for cost_item in self._takes_all(out, into, (here, to)):
            if reading == "penalty" or cost_item.cost.whole is None:
                yield cost_item
            else:
                about = ("reading", "constricted_road")
                yield cost_item._replace(cost=PERHAPS_WHOLE, about=about)
