"""What a ruleset is proved with: small games, what players do in them, and the walker's answers.

A kit plays one ruleset by its clauses alone: slowly, step by step, with fractions, and knowing nothing
of the validators. README.md in this folder tells how to write one.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from importlib import import_module
from pathlib import Path
from random import Random
from typing import Any

from vassal_umpire.model.board import Board, Hex
from vassal_umpire.model.fact import Value, known
from vassal_umpire.model.game import MovementForm, PhaseRule
from vassal_umpire.model.hexgrid import from_offset
from vassal_umpire.model.unit import Unit

FULL = bool(os.environ.get("UMPIRE_FULL_PROOF"))
"""Whether to prove with as many moves as the documents tell of, whatever time it takes."""

BOX = "Pool"
"""The box beside the map: dead counters and reinforcements lie there."""

Facts = dict[str, Value | int]


# -- the beginning ----------------------------------------------------------------------------------


@dataclass(frozen=True)
class GameSetup:
    """A game before its first step. All of it is known.

    ``opening``: unit → hex, or :data:`BOX`. ``rules`` and ``options``: as in a pack. ``changing``:
    attributes that play changes. ``conditions`` hold all game long. ``blank``: what an attribute is
    of a unit that does not have it.
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
    """The hexes of a board, column and row from 0101; every second column stands half a hex lower."""
    return [f"{c:02}{r:02}" for c in range(1, columns + 1) for r in range(1, rows + 1)]


def bare_board(columns: int, rows: int, terrain: Callable[[str], Sequence[str]]) -> Board:
    """A board of hexes only, with what is in each; add sides and lines with ``replace``."""
    hexes = {
        name: Hex(name, from_offset(int(name[:2]) - 1, int(name[2:]) - 1), tuple(terrain(name)))
        for name in names_of(columns, rows)
    }
    return Board("Country", hexes)


def unit(name: str, side: str, facts: Mapping[str, Value | int]) -> Unit:
    """A unit all of which is known."""
    return Unit(name, name, side, "unit", {key: known(value) for key, value in facts.items()})


# -- what players do --------------------------------------------------------------------------------


@dataclass(frozen=True)
class Drag:
    """Units that lie together are dragged to a hex (or to :data:`BOX`) in one go. ``form``: what it
    is declared to be in the facts file; ``declared``: further conditions of these units for this step;
    ``known``: conditions of the game for this step."""

    units: tuple[str, ...]
    to: str
    form: str = ""
    declared: Mapping[str, Value] = field(default_factory=dict)
    known: Mapping[str, Value] = field(default_factory=dict)


@dataclass(frozen=True)
class Undo:
    """The undo button: takes back the drag right before."""


@dataclass(frozen=True)
class Phase:
    """The turn tracker goes on."""

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
    """Dice are thrown: what stands now has been seen."""


@dataclass(frozen=True)
class Say:
    """A chat line."""

    text: str


Action = Drag | Undo | Phase | Change | Roll | Say


class Table:
    """Where everything is, after some actions. Kits read it, only the harness changes it.

    ``drags``: the drags of this phase that still count, oldest first, as (units, origin, target).
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

    def side(self, unit: str) -> str:
        return self.setup.units[unit].side or ""

    def other(self, side: str) -> str:
        return next(s for s in self.setup.sides if s != side)

    def within(self, name: str, side: str = "") -> list[str]:
        """The units in a hex, of one side or of both."""
        return [u for u, at in self.where.items() if at == name and side in ("", self.side(u))]

    def on_map(self, side: str) -> list[str]:
        return [u for u, at in self.where.items() if at != BOX and self.side(u) == side]

    def number(self, unit: str, attribute: str) -> Fraction:
        value = self.facts[unit][attribute]
        assert isinstance(value, Fraction), (unit, attribute, value)
        return value


# -- what the walker says ---------------------------------------------------------------------------


@dataclass(frozen=True)
class LegalRoute:
    """A legal way: the least cost, and hexes from origin to target. ``waived``: allowed although it
    costs more than there is (a minimum move): the cost is then not compared."""

    cost: Fraction
    path: tuple[str, ...]
    waived: bool = False


LegalRoutes = Mapping[str, LegalRoute]


class Kit:
    """Base of all kits. A kit overrides what its game does otherwise; see README.md.

    ``sequence``: the phases of one side's turn, by name. ``clauses``: the clauses a player can forget
    (see :meth:`routes`). ``planted``: clauses for which :meth:`plant` makes the error. ``unbreakable``:
    clause → why no move can break it. ``named_by``: general clause → the clauses that spell it out, one of
    which explanations name in its stead. ``retreat``: phases not declared movement-only, in which units are
    displaced by combat.
    """

    name = ""
    sequence: tuple[str, ...] = ("Movement", "Combat")
    forms: tuple[str, ...] = ("",)
    clauses: tuple[str, ...] = ()
    planted: tuple[str, ...] = ()
    unbreakable: Mapping[str, str] = {}
    named_by: Mapping[str, tuple[str, ...]] = {}
    limit = ""
    least_legal = Fraction(9, 10)
    """So much of random legal play must be found legal, nothing withheld."""
    slow = 1
    """By how much the share of the proofs that runs by default is cut."""
    relaid: tuple[str, ...] = ()
    """Attributes that the twin writes anew when it puts a unit back: what a move may have paid."""

    # -- the clauses: what every kit must tell --

    def setup(self, rng: Random, *, big: bool) -> GameSetup:
        """A random game: ``big`` for play (say 10×8 hexes, 24 units), else for the twin (4×3, 4 units).
        The twin asks for the units of :meth:`asked`."""
        raise NotImplementedError

    def routes(self, table: Table, unit: str, form: str = "", forgotten: str = "") -> LegalRoutes:
        """Every hex where the unit may end a move that it begins now, by the form, with its least cost;
        without the hex it is in; {} if it may not move. ``forgotten``: as a player would who does not
        know this clause, and all others."""
        raise NotImplementedError

    def may_stand(self, table: Table, name: str, units: Sequence[str]) -> bool:
        """Whether just these units of one side may be in a hex at the end of a phase."""
        raise NotImplementedError

    # -- what can be left as it is --

    def occasion(self, clause: str, rng: Random) -> GameSetup:
        """A random game, as big as for play, in which there may be an occasion to break a clause."""
        return self.setup(rng, big=True)

    def asked(self, table: Table, rng: Random) -> Iterator[tuple[str, str, str, str]]:
        """(unit, form, phase, active side) to ask the twin on a small board."""
        units = [u for side in table.setup.sides for u in table.on_map(side)]
        unit = rng.choice(units)
        yield unit, rng.choice(self.forms), self.sequence[0], table.side(unit)

    def favourable_routes(self, table: Table, unit: str, form: str = "") -> LegalRoutes:
        """As :meth:`routes`, where what the text leaves open is read in the unit's favour. Where the two
        differ the audit may leave its verdict open although all is known."""
        return self.routes(table, unit, form)

    def alike(self, table: Table, one: str, other: str) -> bool:
        """Whether two units may go every way at the same cost."""
        return table.facts[one] == table.facts[other]

    def company(self, table: Table, units: Sequence[str], form: str = "") -> LegalRoutes:
        """Where units may end a move that they make together, by a path that is open to them all."""
        routes = [self.routes(table, unit, form) for unit in units]
        if all(self.alike(table, units[0], other) for other in units[1:]):
            return routes[0]
        return {}

    def declared(self, table: Table, unit: str, form: str) -> Mapping[str, Value]:
        """Conditions to be declared for a drag."""
        return {}

    def rules_withheld(self, setup: GameSetup, rng: Random) -> Mapping[str, Any]:
        """The tables of the pack with some cells not told."""
        return setup.rules

    def phase_changes(self, table: Table, rng: Random) -> Iterator[Change]:
        """What players may change on their counters in the phase that has begun."""
        return iter(())

    def turn(self, table: Table, rng: Random, number: int, side: str) -> Iterator[Action]:
        """One side's turn. The harness applies each action before it asks for the next."""
        from .legal import turn

        return turn(self, table, rng, number, side)

    def muddle(self, table: Table, unit: str, form: str, clause: str) -> int:
        """How much bears on a unit's moves besides the ground and the clause: errors are planted with
        others first."""
        return 0

    def plant(self, clause: str, table: Table, rng: Random) -> Sequence[Action] | None:
        """Actions from here that break just this clause, the last of them the wrong one; None if that
        cannot be done here."""
        return None


def exhaust(
    start: str,
    steps: Callable[[str], Iterable[tuple[str, Fraction]]],
    limit: Fraction | None,
    must_stop: Callable[[str], bool] = lambda name: False,
) -> dict[str, LegalRoute]:
    """Goes every way there is: from ``start``, by ``steps`` (neighbour, cost) from a hex, as far as
    ``limit`` allows; ``must_stop``: whether a unit that has come there must stay. Without ``start``."""
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


# -- all kits ---------------------------------------------------------------------------------------


IN_WORK: frozenset[str] = frozenset()
"""Kits whose full proof is not done: they take part with ``UMPIRE_ALL_KITS=1`` only."""


def kits() -> dict[str, Kit]:
    """Every kit in this folder that takes part, by the name of its ruleset: what is ``KIT`` in a
    module."""
    left_out = frozenset() if os.environ.get("UMPIRE_ALL_KITS") else IN_WORK
    found = {}
    for path in sorted(Path(__file__).parent.glob("*.py")):
        if not path.stem.startswith("test_"):
            kit = getattr(import_module(f"{__package__}.{path.stem}"), "KIT", None)
            if kit is not None and kit.name not in left_out:
                found[kit.name] = kit
    return found


__all__ = [
    "BOX",
    "Action",
    "Change",
    "Drag",
    "Facts",
    "Fraction",
    "GameSetup",
    "Kit",
    "LegalRoute",
    "LegalRoutes",
    "MovementForm",
    "Phase",
    "PhaseRule",
    "Roll",
    "Say",
    "Table",
    "Undo",
    "bare_board",
    "exhaust",
    "kits",
    "names_of",
    "replace",
    "unit",
]  # fmt: skip
