"""The board as one movement class finds it, enemies apart: every way into every hex, both worlds.

Ways are worked out once per hex, when first asked for, and kept: whoever is of the same class shares
them. What is in doubt is kept as a :class:`~..cost_interval.CostInterval` with its reason, so that a bill can
be written for the few steps of a path without being written for all.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator, Mapping
from typing import NamedTuple

from ...model.board import NONE, Board, Edge, Line, edge, may_be
from ..cost_interval import FREE, CostInterval, adverse_steps, favourable_steps, total
from ..ruleset import START, Breach, CostBreakdown, Rounding, Step, Tag, World

OFF_ROAD: Tag = "-"
"""The tag after a step off the road, where roads are remembered."""
_MEETING = "+"


class CostItem(NamedTuple):
    """One part of what a step costs. ``text``: what it would be to break it, going on from "the path";
    ``about``: what is not known if it is in doubt (a kind and its names), for :mod:`.missing_facts`."""

    cost: CostInterval
    clause: str
    reason: str
    bar_clause: str = ""
    text: str = ""
    about: tuple[str, ...] = ()


class RequiredStop(NamedTuple):
    """That a mover must stop where a way leads. ``sure``: for certain, else perhaps; ``text``: what it would
    be to move on, going on from "the path"; ``about``: what would tell (as in :class:`CostItem`)."""

    clause: str
    text: str
    sure: bool = True
    about: tuple[str, ...] = ()


class HexEntry(NamedTuple):
    """One way across one hexside: off the road (``road`` empty), or along a road.

    ``needs``: tags from which it is open besides the start's, None: from any. ``required_stop``: whether it
    must stop there by the terrain graph alone. ``marks``: rules of a ruleset, by number, that ask who is in
    the hexes, and whether all else of them holds."""

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
    """A way on which all of ``cost_items`` are due."""
    kept = tuple(t for t in cost_items if t.cost != FREE)
    return HexEntry(to, road, kept, total(t.cost for t in kept), needs, tag)


class TerrainGraph:
    """Every way over a board for one movement class; a ruleset says what leads across a hexside.

    ``by_kind``: whether entries rest on nothing but the hexes left and entered, the hexside between them and
    its lines, and name no place where all of these are known: those across edges of one kind
    (:class:`~....model.edge_kinds.EdgeKinds`) are then worked out once.

    ``scale``: costs are whole numbers of 1/scale MP. ``paths``: whether roads are remembered.
    ``who``: the mover's class, for a person.
    """

    by_kind = False

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
        self._alike: dict[int, tuple[HexEntry, ...]] = {}
        self._rows: dict[tuple[World, int, Tag], tuple[Step, ...]] = {}
        self.shared: dict[object, CostInterval] = {}
        """Costs that movement graphs over this terrain graph work out and share."""
        self.bills: dict[object, CostBreakdown] = {}
        """What ways cost where nobody is near, by their identity, as far as movement graphs have worked it
        out: only what is the same for all who share the terrain graph."""
        self.least = 0
        """No step costs less than this."""
        self._like: TerrainGraph | None = None
        self._unlike: frozenset[str] = frozenset()

    def share(self, other: TerrainGraph, but: frozenset[str]) -> None:
        """Take over what ``other``, the terrain graph of the same movement class on another board, has worked
        out and will, ``but`` for these hexes, out of which the ways may be others."""
        self._like, self._unlike = other, but

    def least_in(self, world: World) -> int:
        """No step costs less than this in a world."""
        return self.least

    def across(self, here: str, to: str) -> Iterator[HexEntry]:
        """Every way from a hex to its neighbour, whatever it breaks."""
        raise NotImplementedError

    def steps(self, world: World, here: str, tag: Tag) -> tuple[Step, ...]:
        """The steps open from ``here`` as far as the terrain graph goes; of equals only the cheapest."""
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
        """What :meth:`steps` has found so far, by hex, for a mover with the tag of the start."""
        return self._steps[world]

    def _open(self, world: World, here: str, tag: Tag) -> tuple[Step, ...]:
        found: list[Step] = []
        for to in self.board.neighbours(here):
            kind = self._kind(here, to)
            rows = None if kind is None else self._rows.get((world, kind, tag))
            if rows is None:
                cheapest: dict[tuple[object, ...], Step] = {}
                for step in self._opened(self._across(here, to), world, here, tag):
                    key = (step.tag, step.whole, step.rounding, step.stops is None)
                    if key not in cheapest or step.cost < cheapest[key].cost:
                        cheapest[key] = step
                found += cheapest.values()
                if kind is not None and all(step.stops is None for step in cheapest.values()):
                    self._rows[world, kind, tag] = tuple(cheapest.values())
            else:
                for _, cost, after, _, whole, hex_entry, _, lost, _ in rows:
                    own = HexEntry(to, *hex_entry[1:])
                    found.append(Step(to, cost, after, None, whole, own, (), lost))
        return tuple(found)

    def every_step(self, world: World, here: str, tag: Tag) -> Iterator[Step]:
        """As :meth:`steps`, the dearer ones among them: for a movement graph that adds more to one way than
        to another."""
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
        """What it would be to move on after a way, by the terrain graph alone; None if the mover may."""
        required_stop = hex_entry.required_stop
        if required_stop is None or (world == "favourable" and not required_stop.sure):
            return None
        return Breach(required_stop.clause, required_stop.text, hex_entry.to, here)

    def rounding(self, hex_entry: HexEntry, tag: Tag, world: World) -> Rounding | None:
        """What a mover with this tag loses before it pays for a way; None: nothing."""
        return None

    def is_open(self, hex_entry: HexEntry, tag: Tag) -> bool:
        """Whether a way is open to a mover with this tag."""
        return hex_entry.needs is None or tag is START or tag in hex_entry.needs

    def tag_after(self, hex_entry: HexEntry, world: World) -> Tag:
        """The tag after a way. Where not all roads are known, any road may meet any other: in the
        mover's favour every road then goes on. (A road that is open lies on hexsides, and meets others in
        their hexes; which of those on the board it joins is not worked out.)"""
        if not self._paths:
            return START
        if world == "favourable" and hex_entry.road and not self.whole_lines:
            return START
        return hex_entry.tag

    def entries(self, here: str) -> tuple[HexEntry, ...]:
        """Every way out of ``here``, whatever it breaks."""
        found = self._entries.get(here)
        if found is None:
            if self._like is None or here in self._unlike:
                entries = (w for to in self.board.neighbours(here) for w in self._across(here, to))
                found = tuple(entries)
            else:
                found = self._like.entries(here)
            self._entries[here] = found
        return found

    def _kind(self, here: str, to: str) -> int | None:
        """The kind of an edge; None: it may be like no other."""
        return self.board.edge_kinds.of(here, to) if self.by_kind else None

    def _across(self, here: str, to: str) -> Iterable[HexEntry]:
        """As :meth:`across`, edges of one kind worked out once."""
        kind = self._kind(here, to)
        if kind is None:
            return self.across(here, to)
        alike = self._alike.get(kind)
        if alike is not None:
            return [HexEntry(to, *hex_entry[1:]) for hex_entry in alike]
        found = self._alike[kind] = tuple(self.across(here, to))
        return found

    def off_road(self, here: str, to: str) -> CostInterval:
        """The cost of the step between two neighbouring hexes off the road."""
        return next(
            hex_entry.cost
            for hex_entry in self.entries(here)
            if hex_entry.to == to and not hex_entry.road
        )


class RoadOver(NamedTuple):
    """A road across a hexside. ``sure``: it is there for certain; ``node``: one tag for all the lines
    that meet where it leads, None where it is not known which those are."""

    kind: str
    sure: bool
    node: Hashable


def roads_over(board: Board, side: Edge, kinds: Iterable[str], paths: bool) -> Iterator[RoadOver]:
    """The roads of ``kinds`` across a hexside: those that are drawn, and, where not all its lines are
    known, those that may be. ``paths``: a road drawn may then also be part of another."""
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


def about_side(board: Board, side: Edge) -> tuple[str, ...]:
    """What is not known (see ``CostItem.about``) of the features of a hexside: those of this one, or of
    all.
    """
    return ("hexside" if side in board.exceptions.sides else "hexsides", *side)


def about_lines(board: Board, here: str, to: str) -> tuple[str, ...]:
    """What is not known of the lines across a hexside: those across this one, or all."""
    return ("line" if edge(here, to) in board.exceptions.lines else "lines", here, to)


def about_lines_in(board: Board, name: str) -> tuple[str, ...]:
    """What is not known of the lines in a hex."""
    open_sides = (to for to in board.neighbours(name) if not board.lines_known(edge(name, to)))
    to = next(open_sides, "")
    return about_lines(board, name, to) if to else ("lines", name)


def about_hex(board: Board, name: str) -> tuple[str, ...]:
    """What is not known of a hex: its terrain, or what else may be in it."""
    if board.hexes[name].terrain is None:
        return ("terrain", name)
    return ("features", name, *sorted(board.maybe_in(name) or ()))


def _node(board: Board, line: Line) -> Hashable:
    """Where a line and others meet in a hex: one tag for all that do."""
    return _MEETING if line.junctions else board.lines.index(line)
