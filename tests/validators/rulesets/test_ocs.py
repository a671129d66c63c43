"""The ruleset ocs: its tables, and random small boards against a walker that goes every way by hand."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from vassal_umpire.model.bill import Amount
from vassal_umpire.model.board import Board, Hex, Line, edge
from vassal_umpire.model.fact import known
from vassal_umpire.model.finding import Move, PhaseView
from vassal_umpire.model.game import Condition, Game, PhaseStart, Place, Rules, StepRef
from vassal_umpire.model.hexgrid import from_offset
from vassal_umpire.model.problem import WrongPack
from vassal_umpire.model.unit import Unit
from vassal_umpire.validators.judge import judge_move
from vassal_umpire.validators.rulesets.ocs import RULESET
from vassal_umpire.validators.rulesets.ocs.tables import defaults, read_tables
from vassal_umpire.validators.situation import Situation

P = None
HEXES: dict[str, tuple[Fraction | None, ...]] = {
    "open": (Fraction(1), Fraction(1), Fraction(2)),
    "woods": (Fraction(1), Fraction(2), Fraction(4)),
    "mountain": (Fraction(3), P, P),
    "city": (Fraction(3), Fraction(3), Fraction(1)),
}
SIDES: dict[str, tuple[Fraction | None, ...]] = {
    "stream": (Fraction(1), Fraction(1), Fraction(2)),
    "river": (Fraction(2), Fraction(4), P),
    "lake": (P, P, P),
}
ROADS: dict[str, tuple[Fraction, ...]] = {
    "road": (Fraction(1), Fraction(1, 2), Fraction(1, 2)),
    "track": (Fraction(1), Fraction(1), Fraction(1)),
}
CLASSES = ("leg", "tracked", "truck")
COLUMNS, ROWS = 4, 3
NAMES = [f"{c:02}{r:02}" for c in range(COLUMNS) for r in range(ROWS)]
AT = StepRef(1, 1)


def _row(costs: tuple[Fraction | None, ...]) -> dict[str, str]:
    return {c: "prohibited" if x is None else str(x) for c, x in zip(CLASSES, costs, strict=True)}


TABLES: dict[str, Any] = {
    "terrain": {name: _row(costs) for name, costs in HEXES.items()},
    "hexsides": {
        name: {"cost": _row(costs), "water": name != "stream", "river": name == "river"}
        for name, costs in SIDES.items()
    },
    "roads": {name: _row(costs) for name, costs in ROADS.items()},
}


@dataclass(frozen=True)
class World:
    """A small game all of which is known: one Red unit at ``origin``, Blue ones, perhaps a friend."""

    board: Board
    mover: str
    ma: Fraction
    factor: Fraction
    origin: str
    enemies: tuple[str, ...]
    friends: tuple[str, ...]


@st.composite
def worlds(draw: st.DrawFn) -> World:
    mild = draw(st.booleans())  # nothing that an enemy's zone of control might not reach into
    more = ["woods", "city nub"] if mild else [*HEXES, "mountain nub", "city nub"]
    terrain = st.lists(st.sampled_from(more), max_size=2)
    hexes = {}
    for name in NAMES:
        place = from_offset(int(name[:2]), int(name[2:]))
        whole = draw(st.sampled_from(["open", "open", "woods", "open" if mild else "mountain"]))
        hexes[name] = Hex(name, place, (whole, *draw(terrain)))
    bare = Board("small", hexes)
    pairs = sorted({edge(a, b) for a in NAMES for b in bare.neighbours(a)})
    several = [("lake", "land"), ("river", "lake"), ("river", "land"), ("stream", "river")]
    few = [(), (), (), ("stream",), ("river nub",)]
    features = st.sampled_from(few if mild else [*few, ("river",), ("lake",), *several])
    sides = {pair: draw(features) for pair in pairs}
    lines = tuple(
        Line(draw(st.sampled_from(list(ROADS))), pair, junctions=draw(st.booleans()))
        for pair in draw(st.lists(st.sampled_from(pairs), max_size=8))
    )
    board = Board("small", hexes, {k: v for k, v in sides.items() if v}, lines)
    origin, *others = draw(st.permutations(NAMES))
    count = draw(st.integers(0, 2))
    return World(
        board,
        draw(st.sampled_from(CLASSES)),
        Fraction(draw(st.integers(1, 12))),
        draw(st.sampled_from([Fraction(1), Fraction(1, 2), Fraction(1, 4)])),
        origin,
        tuple(others[:count]),
        tuple(others[2 : 2 + draw(st.integers(0, 2))]),
    )


class Walker:
    """Goes every way there is, step by step, with fractions."""

    def __init__(self, world: World) -> None:
        self.world, self.board = world, world.board
        self.column = CLASSES.index(world.mover)
        self.allowance = world.ma * world.factor

    def hex_cost(self, name: str) -> Fraction | None:
        costs = []
        for terrain in self.board.hexes[name].terrain or ():
            if terrain != "city nub":
                costs.append(HEXES[terrain.removesuffix(" nub")][self.column])
        return None if None in costs else max(c for c in costs if c is not None)

    def side_cost(self, a: str, b: str) -> Fraction | None:
        features = self.board.sides.get(edge(a, b), ())
        total = Fraction(0)
        if "stream" in features:
            total += SIDES["stream"][self.column] or 0
        waters = [SIDES["river"][self.column]] if "river" in features else []
        if "lake" in features and "land" not in features:
            waters.append(SIDES["lake"][self.column])
        if waters:
            passable = [w for w in waters if w is not None]
            if not passable:
                return None
            total += min(passable)
        return total

    def step(self, a: str, b: str) -> Fraction | None:
        if b in self.world.enemies:
            return None
        found = [ROADS[k.kind][self.column] for k in self.board.lines_by_edge.get(edge(a, b), ())]
        there, back, side = self.hex_cost(b), self.hex_cost(a), self.side_cost(a, b)
        if there is not None and back is not None and side is not None:
            found.append(there + side)
        return min(found, default=None)

    def halts(self, name: str) -> bool:
        near = any(e in self.board.neighbours(name) for e in self.world.enemies)
        return self.world.mover == "truck" and near and name not in self.world.friends

    def reach(self) -> dict[str, Fraction]:
        """Every hex within the allowance, with its least cost."""
        best = {self.world.origin: Fraction(0)}
        todo = [(self.world.origin, Fraction(0))]
        while todo:
            here, spent = todo.pop()
            if here != self.world.origin and self.halts(here):
                continue
            for to in self.board.neighbours(here):
                cost = self.step(here, to)
                after = None if cost is None else spent + cost
                if after is None or after > self.allowance:
                    continue
                if to not in best or after < best[to]:
                    best[to] = after
                    todo.append((to, after))
        return best


def _game(world: World) -> Game:
    def unit(name: str, side: str, **facts: Any) -> Unit:
        common = {"class": "leg", "mode": "combat", "dg": False, "type": "combat", "ma": 4}
        common |= {"attack": True, "supplied": True}
        return Unit(name, name, side, "unit", {k: known(v) for k, v in (common | facts).items()})

    units = {"a": unit("a", "Red", **{"class": world.mover, "ma": world.ma}, dg=world.factor != 1)}
    opening = {"a": Place("hex", world.origin)}
    for letter, side, places in (("e", "Blue", world.enemies), ("f", "Red", world.friends)):
        for number, place in enumerate(places):
            units[f"{letter}{number}"] = unit(f"{letter}{number}", side)
            opening[f"{letter}{number}"] = Place("hex", place)
    tables = {**TABLES, "factors": {"dg": str(world.factor)}}
    return Game(
        "small",
        world.board,
        ("Red", "Blue"),
        units,
        opening,
        (PhaseStart(AT, "1", "Movement", "Red"),),
        Rules("ocs", tables),
        conditions=(Condition("bridging", known(False), StepRef(1, 0)),),
    )


def _moves(world: World) -> Iterator[tuple[str, Move]]:
    start = Place("hex", world.origin)
    for number, name in enumerate(NAMES):
        if name != world.origin:
            end = Place("hex", name)
            at = StepRef(1, 2)
            view = PhaseView("1", "Movement", "Red")
            yield name, Move(number, ("a",), start, end, (start, end), (True, True), (at,), view)


def _surely_passable(world: World, walker: Walker) -> bool:
    """Whether zones of control reach all around: where an enemy (all leg) could not go, they may not."""
    plain = Walker(World(world.board, "leg", Fraction(9), Fraction(1), "", (), ()))
    around = ((e, n) for e in world.enemies for n in world.board.neighbours(e))
    off_road = all(
        plain.hex_cost(e) is not None
        and plain.hex_cost(n) is not None
        and plain.side_cost(e, n) is not None
        for e, n in around
    )
    return world.mover != "truck" or off_road


@given(worlds())
@settings(max_examples=120, deadline=None)
def test_search_and_walker_agree_on_every_hex(world: World) -> None:
    walker, game = Walker(world), _game(world)
    rules, situation = RULESET.in_force(game), Situation(game)
    situation.advance_after(AT)
    reach = walker.reach()
    for target, move in _moves(world):
        judged = judge_move(move, situation, rules).judged
        minimum = target in world.board.neighbours(world.origin) and (
            walker.step(world.origin, target) is not None
        )
        legal = target in reach or minimum
        if not _surely_passable(world, walker):
            assert judged.verdict in (("legal" if legal else "illegal"), "unverifiable"), target
            continue
        assert judged.verdict == ("legal" if legal else "illegal"), target
        if target in reach:
            assert judged.bill is not None
            assert judged.bill.total == Amount.exactly(reach[target])
            assert judged.bill.allowance == Amount.exactly(walker.allowance)


def test_the_chart_that_ships_names_no_cost() -> None:
    shipped = defaults()
    cells = [*shipped["terrain"].values(), *shipped["roads"].values()]
    cells += [side["cost"] for side in shipped["hexsides"].values()]
    assert set(cells) == {"unknown"}
    assert read_tables({}).scale == 1


@pytest.mark.parametrize(
    ("place", "tables"),
    [
        ("terrain.open", {"terrain": {"open": 0.5}}),
        ("terrain.open", {"terrain": {"open": {"foot": 1}}}),
        ("factors.dg", {"factors": {"dg": "half"}}),
        ("hexsides.river", {"hexsides": {"river": 2}}),
    ],
)
def test_a_fault_in_the_tables_is_one_line_with_its_place(
    place: str, tables: dict[str, Any]
) -> None:
    with pytest.raises(WrongPack) as caught:
        read_tables(tables)
    assert caught.value.problems[0].where.startswith(f"rules.{place}")
    assert "\n" not in str(caught.value)
