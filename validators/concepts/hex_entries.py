"""The terrain graph of one movement class: every entry into every hex, without enemies, for both worlds.

The entries out of a hex are computed when first asked for, then kept and shared by all movers of the class. A
cost that is not exactly known is kept as a :class:`~..cost_interval.CostInterval` with its reason. So a bill
is only written for the few steps of a path.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator, Mapping
from typing import NamedTuple

from ...model.board import NONE, Board, Edge, Hex, Line, edge, may_be
from ..cost_interval import FREE, CostInterval, adverse_steps, favourable_steps, total
from ..ruleset import START, Breach, CostBreakdown, Rounding, Step, Tag, World

OFF_ROAD: Tag = "-"
"""The tag after a step off the road, where tags tell which road was used."""
_MEETING = "+"
"""The node of all lines that meet others in a hex."""


class CostItem(NamedTuple):
    """One part of the cost of a step, in 1/scale MP.

    ``clause``: cited for the cost; ``bar_clause``: for the prohibition. ``text``: what breaking it means;
    it completes the sentence "the path …". ``about``: what is not known if the cost is not exact, as a kind
    and its names, for :mod:`.missing_facts`.
    """

    cost: CostInterval
    clause: str
    reason: str
    bar_clause: str = ""
    text: str = ""
    about: tuple[str, ...] = ()


class RequiredStop(NamedTuple):
    """A mover must stop in the hex entered. ``sure``: certainly; else perhaps. ``text``: what moving on
    means; it completes the sentence "the path …". ``about``: what is not known, as in :class:`CostItem`."""

    clause: str
    text: str
    sure: bool = True
    about: tuple[str, ...] = ()


class HexEntry(NamedTuple):
    """One way to enter hex ``to`` across one hexside: off the road (``road`` empty) or along a road.

    ``cost``: the total of ``cost_items``. ``needs``: the tags from which it is open, besides START; None:
    from any. ``tag``: the tag after it. ``required_stop``: the stop that terrain alone requires; None: none.
    ``marks``: rules of a ruleset that depend on who is in the hexes, as (number, whether its other
    conditions hold; None: not known).
    """

    to: str
    road: str
    cost_items: tuple[CostItem, ...]
    cost: CostInterval
    needs: frozenset[Tag] | None
    tag: Tag
    required_stop: RequiredStop | None = None
    marks: tuple[tuple[int, bool | None], ...] = ()


def hex_entry(
    to: str,
    road: str,
    cost_items: Iterable[CostItem],
    needs: frozenset[Tag] | None = None,
    tag: Tag = OFF_ROAD,
) -> HexEntry:
    """An entry whose cost is the total of ``cost_items``; free items are left out."""
    kept = tuple(t for t in cost_items if t.cost != FREE)
    return HexEntry(to, road, kept, total(t.cost for t in kept), needs, tag)


class TerrainGraph:
    """Every hex entry on a board for one movement class; a ruleset implements :meth:`across`.

    ``scale``: costs are whole numbers of 1/scale MP. ``paths``: whether tags tell which road was used.
    ``who``: the mover's class, in words for a person.
    """

    def __init__(self, board: Board, scale: int, paths: bool, who: str) -> None:
        self.board = board
        self.scale = scale
        self.who = who
        self.whole_lines = board.all_lines_known
        self.whole_sides = board.all_sides_known
        self._paths = paths
        self._entries: dict[str, tuple[HexEntry, ...]] = {}
        self._steps: dict[World, dict[object, tuple[Step, ...]]] = {
            "favourable": {},
            "adverse": {},
        }
        self.shared: dict[object, CostInterval] = {}
        """Memo of costs, shared by all movement graphs over this terrain graph."""
        self.bills: dict[object, CostBreakdown] = {}
        """Memo of cost breakdowns of entries without enemies near, by the identity of the entry. Only for
        breakdowns that are the same for all movers that share the terrain graph."""
        self.least = 0
        """No step costs less than this, in 1/scale MP."""
        self.edges: dict[tuple[World, str, Tag], tuple[Step, ...]] = {}
        """Memo of steps with the prohibitions they break, where no enemies are near (see :meth:`same_as`).
        Only for steps that are the same for all movers that share the terrain graph."""
        self._like: TerrainGraph | None = None
        self._unlike: frozenset[str] = frozenset()

    def share(self, other: TerrainGraph, but: frozenset[str]) -> None:
        """Use the steps and entries of ``other``, the terrain graph of the same movement class on another
        board. ``but``: the hexes out of which the entries may differ; these are computed here."""
        self._like, self._unlike = other, but

    def same_as(self, here: str) -> TerrainGraph:
        """The terrain graph from which the entries out of a hex are taken: this one, or another that has the
        same (see :meth:`share`)."""
        graph = self
        while graph._like is not None and here not in graph._unlike:
            graph = graph._like
        return graph

    def least_in(self, world: World) -> int:
        """A lower bound for the cost of any step in a world, in 1/scale MP."""
        return self.least

    def across(self, here: str, to: str) -> Iterator[HexEntry]:
        """Every entry from a hex into its neighbour, including prohibited ones."""
        raise NotImplementedError

    def steps(self, world: World, here: str, tag: Tag) -> tuple[Step, ...]:
        """The steps that terrain leaves open from ``here``. Of steps that differ in nothing but their cost
        only the cheapest."""
        memo = self._steps[world]
        key: object = here if not self._paths or tag is None else (here, tag)
        found = memo.get(key)
        if found is None:
            like = self._like
            if like is None or here in self._unlike:
                found = self._open(world, here, tag)
            else:
                found = like.steps(world, here, tag)
            memo[key] = found
        return found

    def memo(self, world: World) -> Mapping[object, tuple[Step, ...]]:
        """The results of :meth:`steps` so far. For a mover with the tag START the key is the hex."""
        return self._steps[world]

    def _open(self, world: World, here: str, tag: Tag) -> tuple[Step, ...]:
        found: list[Step] = []
        for to in self.board.neighbours(here):
            cheapest: dict[tuple[object, ...], Step] = {}
            for step in self._opened(self.across(here, to), world, here, tag):
                key = (step.tag, step.whole, step.rounding, step.stops is None)
                if key not in cheapest or step.cost < cheapest[key].cost:
                    cheapest[key] = step
            found += cheapest.values()
        return tuple(found)

    def every_step(self, world: World, here: str, tag: Tag) -> Iterator[Step]:
        """As :meth:`steps`, with the dearer ones included: for a movement graph whose extra costs differ
        between entries into the same hex."""
        return self._opened(self.entries(here), world, here, tag)

    def _opened(
        self, entries: Iterable[HexEntry], world: World, here: str, tag: Tag
    ) -> Iterator[Step]:
        opened = favourable_steps if world == "favourable" else adverse_steps
        for hex_entry in entries:
            if self.is_open(hex_entry, tag):
                after, lost = self.tag_after(hex_entry, world), self.rounding(hex_entry, tag, world)
                yield from opened(
                    hex_entry.to,
                    hex_entry.cost,
                    after,
                    hex_entry,
                    self.stop(here, hex_entry, world),
                    lost,
                )

    def stop(self, here: str, hex_entry: HexEntry, world: World) -> Breach | None:
        """The breach of moving on after an entry, by terrain alone; None if the mover may move on."""
        required_stop = hex_entry.required_stop
        if required_stop is None or (world == "favourable" and not required_stop.sure):
            return None
        return Breach(required_stop.clause, required_stop.text, hex_entry.to, here)

    def rounding(self, hex_entry: HexEntry, tag: Tag, world: World) -> Rounding | None:
        """The rounding that applies to a mover with this tag before it pays for an entry; None: none."""
        return None

    def is_open(self, hex_entry: HexEntry, tag: Tag) -> bool:
        """Whether an entry is open to a mover with this tag."""
        return hex_entry.needs is None or tag is START or tag in hex_entry.needs

    def tag_after(self, hex_entry: HexEntry, world: World) -> Tag:
        """The tag after an entry. Where not all roads are known, any road may meet any other, so in the
        favourable world the mover may go on along any road. (Which known roads an unknown road would join is
        not computed.)"""
        if not self._paths:
            return START
        if world == "favourable" and hex_entry.road and not self.whole_lines:
            return START
        return hex_entry.tag

    def entries(self, here: str) -> tuple[HexEntry, ...]:
        """Every entry out of ``here`` into a neighbour, including prohibited ones."""
        found = self._entries.get(here)
        if found is None:
            if self._like is None or here in self._unlike:
                entries = (w for to in self.board.neighbours(here) for w in self.across(here, to))
                found = tuple(entries)
            else:
                found = self._like.entries(here)
            self._entries[here] = found
        return found

    def entering(self, target: Hex) -> CostItem:
        """The cost item of the terrain of a hex, off the road."""
        raise NotImplementedError

    def may_be_closed(self, name: str) -> bool:
        """See :class:`~..ruleset.KnowsClosedHexes`."""
        here = self.board.hexes[name]
        barred = self.entering(here).cost.barred
        told = here.terrain is not None and self.board.hex_known(name)
        return bool(barred or (barred is None and not told and self.closes_some())) and all(
            entry.cost.barred is not False
            for near in self.board.neighbours(name)
            for entry in self.entries(near)
            if entry.to == name
        )

    def closes_some(self) -> bool:
        """Whether the terrain chart closes some terrain to the class. If it does not, nothing suggests that a
        hex of unknown terrain is closed."""
        raise NotImplementedError

    def off_road(self, here: str, to: str) -> CostInterval:
        """The cost of the step into a neighbouring hex off the road. StopIteration if there is none."""
        return next(
            hex_entry.cost
            for hex_entry in self.entries(here)
            if hex_entry.to == to and not hex_entry.road
        )


class RoadOver(NamedTuple):
    """A road across a hexside. ``sure``: it is certainly there. ``node``: the same for all lines that meet
    each other; None: it is not known which those are."""

    kind: str
    sure: bool
    node: Hashable


def roads_over(board: Board, side: Edge, kinds: Iterable[str], paths: bool) -> Iterator[RoadOver]:
    """The roads of ``kinds`` across a hexside: those drawn and, where not all its lines are known, those that
    may be there. ``paths``: tags tell roads apart, so there may be a second road of a kind already drawn."""
    known = dict.fromkeys(kinds)
    found: dict[tuple[str, Hashable], None] = {}
    for line in board.lines_by_edge.get(side, ()):
        if line.kind in known:
            found[line.kind, _node(board, line)] = None
    for kind, node in found:
        yield RoadOver(kind, True, node)
    maybe = board.maybe_across(side)
    if maybe == NONE:
        return
    there = {kind for kind, _ in found}
    for kind in known:
        if may_be(kind, maybe) and (kind not in there or paths):
            yield RoadOver(kind, False, None)


def about_side(side: Edge) -> tuple[str, ...]:
    """``CostItem.about`` for features of a hexside that are not known."""
    return ("hexside", *side)


def about_lines(here: str, to: str) -> tuple[str, ...]:
    """``CostItem.about`` for lines across a hexside that are not known."""
    return ("line", here, to)


def about_lines_in(board: Board, name: str) -> tuple[str, ...]:
    """``CostItem.about`` for lines through a hex that are not known: across its first open hexside."""
    near = board.neighbours(name)
    open_sides = (to for to in near if not board.lines_known(edge(name, to)))
    to = next(open_sides, near[0] if near else name)
    return about_lines(name, to)


def about_hex(board: Board, name: str) -> tuple[str, ...]:
    """``CostItem.about`` for a hex that is not fully known: its terrain, or the features it may have."""
    if board.hexes[name].terrain is None:
        return ("terrain", name)
    return ("features", name, *sorted(board.maybe_in(name) or ()))


def _node(board: Board, line: Line) -> Hashable:
    """The node of a line: one for all lines with junctions, else one of its own."""
    return _MEETING if line.junctions else board.lines.index(line)
