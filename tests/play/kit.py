"""The base of all kits: small games, the actions of players, and what a walker answers.

A kit is a second, independent implementation of one ruleset: slow, step by step, with fractions, and without
any knowledge of the validators. README.md in this folder explains how to write one.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from copy import copy
from dataclasses import dataclass, field
from dataclasses import replace as replace  # kits take it from here
from fractions import Fraction
from importlib import import_module
from pathlib import Path
from random import Random
from typing import Any, Generic, TypeVar

from vassal_umpire.model.board import Board, Hex
from vassal_umpire.model.fact import Value, known
from vassal_umpire.model.game import MovementForm, PhaseRule
from vassal_umpire.model.hexgrid import from_offset
from vassal_umpire.model.unit import Unit

BOX = "Eliminated"
"""The box beside the map, with the dead counters and the reinforcements."""


# -- the beginning ----------------------------------------------------------------------------------


@dataclass(frozen=True)
class GameSetup:
    """A game before its first step. Everything in it is known.

    ``opening``: unit → hex, or :data:`BOX`. ``rules`` and ``options``: as in a pack. ``changing``: the
    attributes that change during play. ``conditions``: hold for the whole game. ``blank``: attribute → its
    value for units that do not have it.
    """

    board: Board
    units: Mapping[str, Unit]
    opening: Mapping[str, str]
    phases: tuple[PhaseRule, ...]
    rules: Mapping[str, Any] = field(default_factory=dict)
    options: Mapping[str, Any] = field(default_factory=dict)
    forms: tuple[MovementForm, ...] = ()
    conditions: Mapping[str, Value] = field(default_factory=dict)
    changing: tuple[str, ...] = ()
    sides: tuple[str, str] = ("Red", "Blue")
    blank: Mapping[str, Value] = field(default_factory=dict)

    def phase(self, name: str) -> PhaseRule:
        return next(rule for rule in self.phases if rule.name == name)


def names_of(columns: int, rows: int) -> list[str]:
    """The names of the hexes of a board, column and row, from 0101 on. Every second column stands half a hex
    lower."""
    return [f"{c:02}{r:02}" for c in range(1, columns + 1) for r in range(1, rows + 1)]


def bare_board(columns: int, rows: int, terrain: Callable[[str], Sequence[str]]) -> Board:
    """A board with hexes but no hexside features and lines; add these with ``replace``. ``terrain``: name of
    a hex → its terrains."""
    hexes = {
        name: Hex(name, from_offset(int(name[:2]) - 1, int(name[2:]) - 1), tuple(terrain(name)))
        for name in names_of(columns, rows)
    }
    return Board("Country", hexes)


def random_path(
    rng: Random,
    board: Board,
    start: str,
    steps: int,
    fits: Callable[[str, str], bool] = lambda here, to: True,
) -> list[str]:
    """The hexes of a random line of ``steps`` steps that visits no hex twice. It is shorter if it comes to a
    dead end. ``fits``: whether the line may go from a hex to a neighbour."""
    path = [start]
    for _ in range(steps):
        here = path[-1]
        onward = [n for n in board.neighbours(here) if n not in path and fits(here, n)]
        path += [rng.choice(onward)] if onward else []
    return path


def random_paths(
    rng: Random,
    board: Board,
    many: int,
    steps: tuple[int, int],
    fits: Callable[[str, str], bool] = lambda here, to: True,
) -> Iterator[tuple[str, ...]]:
    """``many`` random lines, as :func:`random_path` draws them, without those that are but one hex.
    ``steps``: the fewest and the most."""
    for _ in range(many):
        path = random_path(rng, board, rng.choice(sorted(board.hexes)), rng.randint(*steps), fits)
        if len(path) > 1:
            yield tuple(path)


def chart_row(classes: Sequence[str], costs: Sequence[Any]) -> dict[str, str]:
    """One row of a chart as a pack writes it: class → cost, or ``prohibited`` for None."""
    return {c: "prohibited" if x is None else str(x) for c, x in zip(classes, costs, strict=True)}


def unit(name: str, side: str, facts: Mapping[str, Value | int]) -> Unit:
    """A unit whose attributes, ``facts``, are all known."""
    return Unit(name, name, side, "unit", {key: known(value) for key, value in facts.items()})


# -- what players do --------------------------------------------------------------------------------


@dataclass(frozen=True)
class Drag:
    """Units in one hex are dragged to a hex (or to :data:`BOX`) in one go. ``form``: the movement form that
    the facts file declares; empty: none. ``declared``: further conditions of these units for this step.
    ``known``: conditions of the game for this step."""

    units: tuple[str, ...]
    to: str
    form: str = ""
    declared: Mapping[str, Value] = field(default_factory=dict)
    known: Mapping[str, Value] = field(default_factory=dict)


@dataclass(frozen=True)
class Undo:
    """The undo button is pressed: the drag just before is taken back."""


@dataclass(frozen=True)
class Phase:
    """The turn tracker is advanced."""

    turn: int
    phase: str
    active: str


@dataclass(frozen=True)
class Change:
    """An attribute of a unit is changed (one of :attr:`GameSetup.changing`)."""

    unit: str
    attribute: str
    value: Value | int


@dataclass(frozen=True)
class Roll:
    """Dice are thrown. From now on the position counts as seen."""


@dataclass(frozen=True)
class Say:
    """A chat line."""

    text: str


Action = Drag | Undo | Phase | Change | Roll | Say


class Table:
    """The state of a game after some actions. Kits read it; only the harness changes it.

    ``where``: unit → hex, or :data:`BOX`. ``facts``: unit → attribute → value. ``drags``: the drags of this
    phase that have not been undone, oldest first, as (units, origin, target).
    """

    def __init__(self, setup: GameSetup, actions: Iterable[Action] = ()) -> None:
        self.setup, self.board = setup, setup.board
        self.where = dict(setup.opening)
        self.facts: dict[str, dict[str, Value]] = {
            name: {
                key: fact.value for key, fact in unit.attributes.items() if fact.value is not None
            }
            for name, unit in setup.units.items()
        }
        self.turn, self.phase, self.active = 0, "", ""
        self.drags: list[tuple[tuple[str, ...], str, str]] = []
        for action in actions:
            self.apply(action)

    def apply(self, action: Action) -> None:
        if isinstance(action, Drag):
            self.drags.append((action.units, self.where[action.units[0]], action.to))
            self.where.update(dict.fromkeys(action.units, action.to))
        elif isinstance(action, Undo):
            units, origin, _ = self.drags.pop()
            self.where.update(dict.fromkeys(units, origin))
        elif isinstance(action, Phase):
            self.turn, self.phase, self.active = action.turn, action.phase, action.active
            self.drags = []
        elif isinstance(action, Change):
            value = action.value
            exact = Fraction(value) if type(value) is int else value
            self.facts[action.unit][action.attribute] = exact

    def after(self, *actions: Action) -> Table:
        """The table after more actions; this one stays as it is."""
        after = copy(self)
        after.where, after.drags = dict(self.where), list(self.drags)
        after.facts = {name: dict(facts) for name, facts in self.facts.items()}
        for action in actions:
            after.apply(action)
        return after

    def side(self, unit: str) -> str:
        return self.setup.units[unit].side or ""

    def other(self, side: str) -> str:
        return next(s for s in self.setup.sides if s != side)

    def within(self, name: str, side: str = "") -> list[str]:
        """The units in a hex, of one side, or of both if ``side`` is empty."""
        return [u for u, at in self.where.items() if at == name and side in ("", self.side(u))]

    def on_map(self, side: str) -> list[str]:
        return [u for u, at in self.where.items() if at != BOX and self.side(u) == side]

    def by_hex(self, side: str) -> dict[str, list[str]]:
        """Hex → the units of a side in it. Hexes without any are left out."""
        found: dict[str, list[str]] = {}
        for unit in self.on_map(side):
            found.setdefault(self.where[unit], []).append(unit)
        return found

    def riders(self, carrier: str) -> list[str]:
        """The units whose attribute ``aboard`` names ``carrier``."""
        return [u for u, facts in self.facts.items() if facts["aboard"] == carrier]

    @contextmanager
    def unloaded(self, units: Iterable[str]) -> Iterator[None]:
        """Inside the ``with`` block ``units`` count as having got out: their ``aboard`` is ``no``."""
        before = {unit: self.facts[unit]["aboard"] for unit in units}
        for unit in before:
            self.facts[unit]["aboard"] = "no"
        try:
            yield
        finally:
            for unit, carrier in before.items():
                self.facts[unit]["aboard"] = carrier

    def number(self, unit: str, attribute: str) -> Fraction:
        value = self.facts[unit][attribute]
        assert isinstance(value, Fraction), (unit, attribute, value)
        return value


# -- what the walker says ---------------------------------------------------------------------------


@dataclass(frozen=True)
class LegalRoute:
    """A legal route. ``cost``: the least, in MPs. ``path``: the hexes from origin to target. ``waived``: it
    is allowed although it costs more than the allowance (a minimum move), so the cost is not compared."""

    cost: Fraction
    path: tuple[str, ...]
    waived: bool = False


LegalRoutes = Mapping[str, LegalRoute]


class Kit:
    """The base of all kits. A kit overrides what is different in its game; see README.md.

    ``sequence``: the phases of one side's turn, by name. ``clauses``: the clauses that a player can forget
    (see :meth:`routes`). ``planted``: the clauses for which :meth:`plant` makes the error. ``unbreakable``:
    clause → the reason why no move can break it. ``named_by``: general clause → the clauses that spell it
    out; explanations may name one of these instead. ``limit``: the clause that limits what is spent.
    """

    name = ""
    sequence: tuple[str, ...] = ("Movement", "Combat")
    forms: tuple[str, ...] = ("",)
    clauses: tuple[str, ...] = ()
    planted: tuple[str, ...] = ()
    unbreakable: Mapping[str, str] = {}
    named_by: Mapping[str, tuple[str, ...]] = {}
    limit = ""
    slow = 1
    """By what factor the share of the proofs that runs by default is reduced."""
    relaid: tuple[str, ...] = ()
    """Attributes that the twin sets again when it puts a unit back, because a move may have changed them."""

    # -- what every kit must give --

    def setup(self, rng: Random, *, big: bool) -> GameSetup:
        """A random game before its first step: ``big`` for play (say 10×8 hexes, 24 units), else for the
        twin (4×3, 4 units)."""
        raise NotImplementedError

    def routes(self, table: Table, unit: str, form: str = "", forgotten: str = "") -> LegalRoutes:
        """Hex → route, for every hex where the unit may end a move in ``form`` that it begins now, except the
        hex it is in; {} if it may not move. ``forgotten``: a clause that the player does not know; he keeps
        all others. Empty: he knows them all."""
        raise NotImplementedError

    def may_stand(self, table: Table, name: str, units: Sequence[str]) -> bool:
        """Whether exactly these units of one side may be in hex ``name`` at the end of a phase."""
        raise NotImplementedError

    # -- what a kit may override --

    def occasion(self, clause: str, rng: Random) -> GameSetup:
        """A random setup, as big as for play, in which there may be an occasion to break ``clause``."""
        return self.setup(rng, big=True)

    def asked(self, table: Table, rng: Random) -> Iterator[tuple[str, str, str, str]]:
        """The questions of the twin on a small board, as (unit, form, phase, active side)."""
        units = [u for side in table.setup.sides for u in table.on_map(side)]
        unit = rng.choice(units)
        yield unit, rng.choice(self.forms), self.sequence[0], table.side(unit)

    def favourable_routes(self, table: Table, unit: str, form: str = "") -> LegalRoutes:
        """As :meth:`routes`, with everything that the text leaves open read in the unit's favour. Where the
        two differ, the audit may leave its verdict open although all facts are known."""
        return self.routes(table, unit, form)

    def alike(self, table: Table, one: str, other: str) -> bool:
        """Whether two units have the same routes at the same cost from any hex."""
        return table.facts[one] == table.facts[other]

    def company(self, table: Table, units: Sequence[str], form: str = "") -> LegalRoutes:
        """The routes of a move that ``units`` make together, by paths that are open to all of them."""
        routes = [self.routes(table, unit, form) for unit in units]
        if all(self.alike(table, units[0], other) for other in units[1:]):
            return routes[0]
        return {}

    def declared(self, table: Table, unit: str, form: str) -> Mapping[str, Value]:
        """The conditions to declare in the facts file for a drag."""
        return {}

    def rules_withheld(self, setup: GameSetup, rng: Random) -> Mapping[str, Any]:
        """The tables of the pack with some cells made unknown."""
        return setup.rules

    def phase_changes(self, table: Table, rng: Random) -> Iterator[Change]:
        """What players change on their counters at the beginning of the phase."""
        return iter(())

    def turn(self, table: Table, rng: Random, number: int, side: str) -> Iterator[Action]:
        """One side's turn. The harness applies each action before it asks for the next."""
        from .legal import turn

        return turn(self, table, rng, number, side)

    def muddle(self, table: Table, unit: str, form: str, clause: str) -> int:
        """How much affects a unit's move besides terrain and ``clause``. Errors are planted first with units
        for which this is 0."""
        return 0

    def plant(self, clause: str, table: Table, rng: Random) -> Sequence[Action] | None:
        """Actions that break ``clause`` and no other, the last of them the wrong one; None if there is no
        occasion for that here."""
        return None


def exhaust(
    start: str,
    steps: Callable[[str], Iterable[tuple[str, Fraction]]],
    limit: Fraction | None,
    must_stop: Callable[[str], bool] = lambda name: False,
) -> dict[str, LegalRoute]:
    """Hex → the cheapest route from ``start``, found by trying every path; ``start`` itself is left out.

    ``steps``: hex → the steps from it, as (neighbour, cost). ``limit``: the most that may be spent; None: any
    amount. ``must_stop``: whether a unit that has come to a hex must stay there."""
    best = {start: LegalRoute(Fraction(0), (start,))}
    todo = [start]
    while todo:
        here = todo.pop()
        if here != start and must_stop(here):
            continue
        for to, cost in steps(here):
            spent = best[here].cost + cost
            if (limit is None or spent <= limit) and (to not in best or spent < best[to].cost):
                best[to] = LegalRoute(spent, (*best[here].path, to))
                todo.append(to)
    del best[start]
    return best


Key = TypeVar("Key", bound=Hashable)
Item = TypeVar("Item")


class Cache(Generic[Key, Item]):
    """Things that a walker works out once for an owner, such as the board of a game: costs of terrain, for
    example. It is emptied when it is asked for another owner."""

    def __init__(self) -> None:
        self._owner: object = None
        self._items: dict[Key, Item] = {}

    def get(self, owner: object, key: Key, make: Callable[[], Item]) -> Item:
        """The item for ``key``, which ``make`` makes if it is not there."""
        if self._owner is not owner:
            self._owner, self._items = owner, {}
        if key not in self._items:
            self._items[key] = make()
        return self._items[key]


# -- planted errors ---------------------------------------------------------------------------------


def first_error(
    rng: Random, units: list[str], error: Callable[[str], Sequence[Action] | None]
) -> Sequence[Action] | None:
    """The first error that one of ``units`` can make; None if none of them can. ``units`` is shuffled first.
    ``error``: the actions of one unit's error; None if it can make none."""
    rng.shuffle(units)
    for name in units:
        found = error(name)
        if found is not None:
            return found
    return None


def one_too_many(
    kit: Kit, table: Table, name: str, routes: LegalRoutes, form: str = ""
) -> Sequence[Action] | None:
    """A unit goes where there is no room for it."""
    for to in routes:
        there = table.within(to, table.side(name))
        if there and not kit.may_stand(table, to, [*there, name]):
            return (Drag((name,), to, form),)
    return None


def resumed(
    table: Table,
    rng: Random,
    name: str,
    others: Iterable[str],
    routes: Callable[[str], LegalRoutes],
    form: str = "",
    between: Sequence[Action] = (),
) -> Sequence[Action] | None:
    """Half a move, another's move, dice, the other half. ``between``: what is done after the first half."""
    long = [route for route in routes(name).values() if len(route.path) > 2]
    if not long:
        return None
    path = rng.choice(long).path
    for other in others:
        targets = [] if table.where[other] in path else [n for n in routes(other) if n not in path]
        if targets:
            whole = Drag((other,), rng.choice(targets), form)
            return (
                *(Drag((name,), path[1], form), *between, whole, Roll()),
                Drag((name,), path[-1], form),
            )
    return None


# -- all kits ---------------------------------------------------------------------------------------


def kits() -> dict[str, Kit]:
    """The kits, by the name of the ruleset: each ``KIT`` in a module of this folder."""
    found = {}
    for path in sorted(Path(__file__).parent.glob("*.py")):
        if not path.stem.startswith(("test_", "proof_")):
            kit = getattr(import_module(f"{__package__}.{path.stem}"), "KIT", None)
            if kit is not None:
                found[kit.name] = kit
    return found
