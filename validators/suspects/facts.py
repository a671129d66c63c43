"""Copies of a game in which facts of its pack are unknown or different; and movement forms that a pack may
not have declared, by which units move farther than it allows."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import replace
from fractions import Fraction
from functools import lru_cache
from typing import Any

from ...model.bill import Amount
from ...model.fact import UNKNOWN, Fact, known
from ...model.finding import Finding
from ...model.game import Game, PhaseStart, StepRef
from ...model.problem import UmpireError
from ...model.provenance import Key
from ...model.suspect import PackFact
from ...model.unit import Unit
from ...model.vouching import not_known
from ..judge import Judgement
from ..on_boards import KnownGround
from ..ruleset import Budget, Circumstances, Mover, Ruleset, RulesInForce, Scenario, World
from .accused import Accusation

WHOLE = "complete"
"""The ``name`` of the fact that a chart is complete."""
SIDE = "side"
"""The ``name`` of the fact of a counter's side."""
ON_BOARD = ("hex", "hexside", "line")
"""Kinds of facts that are cells of the board."""
NOT_COSTS = frozenset(("phases", "kinds", "types", "combine", "continuity", "attribute", "counts"))
"""Keys of the tables that contain no costs: :func:`leaves` skips them."""

COSTS = ("8", "6", "5", "4", "3", "2", "1", "1/2", "1/3", "1/4", "0")
"""The costs that :func:`cheaper` offers in place of a dearer one."""
MORE_ALLOWANCE = 3
"""The most MPs that :func:`cheaper` adds to an allowance."""
CHARGED = ("terrain", "hexsides", "roads", "levels", "surcharges", "steps", "zoc", "enemy_hex")
"""The charts whose numbers are costs."""


def key_of(fact: PackFact) -> Key:
    """The provenance key of a fact of the board."""
    return Key(fact.cell, fact.layer, fact.name)  # type: ignore[arg-type]


def without(game: Game, *facts: PackFact) -> Game:
    """A copy of ``game`` in which ``facts`` are not known.

    A fact about a unit becomes unknown for every counter of that name. A yes or no of the charts becomes the
    other. A phase begins at the other step (``fact.instead``). A form changes nothing.
    """
    for fact in facts:
        game = _without(game, fact)
    return game


def _without(game: Game, fact: PackFact) -> Game:
    rules = game.rules
    match fact.kind:
        case "hex" | "hexside" | "line":
            return replace(game, board=not_known(game.board, key_of(fact)))
        case "chart" if fact.name == WHOLE:
            left = None if rules.complete is None else rules.complete - {fact.cell}
            return replace(game, rules=replace(rules, complete=left))
        case "chart":
            value = _OTHER.get(fact.value, "unknown")
            tables = _with_leaf(rules.tables, tuple(fact.cell.split(" > ")), value)
            return replace(game, rules=replace(rules, tables=tables))
        case "unit":
            units = {key: _unit_without(unit, fact) for key, unit in game.units.items()}
            return replace(game, units=units)
        case "phase":
            return _with_border(game, _step(fact.cell), _step(fact.instead))
    return game


_OTHER: Mapping[str, bool] = {"true": False, "false": True}


def is_allowance(fact: PackFact) -> bool:
    """Whether a number of the charts, or of a counter, is an allowance."""
    return fact.kind == "unit" or fact.cell.startswith("allowance > ")


def is_number(fact: PackFact) -> bool:
    """Whether a fact is a cost of the charts or an allowance."""
    chart, *path = fact.cell.split(" > ")
    charged = fact.kind == "chart" and chart in CHARGED and fact.value not in ("true", "false")
    return is_allowance(fact) or (charged and bool(path) and path[-1] not in ("least", "most"))


@lru_cache(maxsize=4096)
def cheaper(fact: PackFact) -> tuple[str, ...]:
    """The values that make a cost cheaper, the dearest first, or an allowance greater, the least first. Empty
    if ``fact`` is neither. ``prohibited`` and ``all`` are dearer than every number; terrain is never free.
    Fractions of an MP are offered for roads, and if the cost is one."""
    added = "+" if fact.value.startswith("+") else ""
    text = fact.value.removeprefix("+")
    chart = fact.cell.partition(" > ")[0]
    if is_allowance(fact):
        more = range(1, MORE_ALLOWANCE + 1) if text.isdigit() else ()
        return tuple(str(int(text) + number) for number in more)
    if not is_number(fact):
        return ()
    bound = None if text in ("prohibited", "all") else Fraction(text)
    in_parts = chart == "roads" or (bound is not None and bound.denominator > 1)
    lowest = Fraction(1, 4) if in_parts else Fraction(chart == "terrain" and not added)
    costs = ((cost, Fraction(cost)) for cost in COSTS)
    return tuple(
        added + text
        for text, cost in costs
        if cost >= lowest
        and (in_parts or cost.denominator == 1)
        and (bound is None or cost < bound)
    )


def with_values(game: Game, values: Iterable[tuple[PackFact, str]]) -> Game:
    """A copy of ``game`` with other values in cells of the charts, or for every counter of a name. Values are
    written as in :attr:`.PackFact.value`."""
    for fact, value in values:
        game = _with_value(game, fact, value)
    return game


class OtherGames:
    """Games with a changed pack, and their rules, each made once. ``change``: (game, the changes) → the
    changed game."""

    def __init__(self, ruleset: Ruleset, change: Callable[[Game, Any], Game]) -> None:
        self._ruleset, self._change = ruleset, change
        self._made: dict[tuple[int, Hashable], tuple[Game, tuple[Game, RulesInForce] | None]] = {}

    def of(
        self, game: Game, rules: RulesInForce, other: Hashable
    ) -> tuple[Game, RulesInForce] | None:
        """The changed ``game``, whose ``rules`` are in force, and its rules. ``other``: the changes. None if
        no rules can come into force for it."""
        key = (id(game), other)
        if key not in self._made:
            made = None
            with suppress(UmpireError, KeyError):
                changed = self._change(game, other)
                known = KnownGround(self._ruleset, [(game, rules)])
                made = changed, known.in_force(changed)
            self._made[key] = game, made
        return self._made[key][1]


def _with_value(game: Game, fact: PackFact, value: str) -> Game:
    typed: int | str = int(value) if value.isdigit() else value
    if fact.kind == "unit":
        units = {key: _unit_with(unit, fact, known(typed)) for key, unit in game.units.items()}
        return replace(game, units=units)
    tables = _with_leaf(game.rules.tables, tuple(fact.cell.split(" > ")), typed)
    return replace(game, rules=replace(game.rules, tables=tables))


def _unit_without(unit: Unit, fact: PackFact) -> Unit:
    if unit.name == fact.cell and fact.name == SIDE:
        return replace(unit, side=None)
    return _unit_with(unit, fact, UNKNOWN)


def _unit_with(unit: Unit, fact: PackFact, value: Fact) -> Unit:
    if unit.name != fact.cell or fact.name not in unit.attributes:
        return unit
    return replace(unit, attributes={**unit.attributes, fact.name: value})


def _step(text: str) -> StepRef:
    log, _, step = text.partition(":")
    return StepRef(int(log), int(step))


def leaves(plain: Any, path: tuple[str, ...] = ()) -> Iterator[tuple[tuple[str, ...], str]]:
    """Every cost in the tables, and every yes or no, as (path of keys, text of the cell).

    A number, a fraction, ``+1``, ``prohibited`` and ``all`` count as costs. Cells that are ``unknown``,
    bounds such as ``1..3``, and everything under :data:`NOT_COSTS` are left out.
    """
    if isinstance(plain, Mapping):
        for key, value in plain.items():
            if key not in NOT_COSTS:
                yield from leaves(value, (*path, str(key)))
    elif isinstance(plain, list | tuple):
        for number, value in enumerate(plain, 1):
            if isinstance(value, Mapping):
                yield from leaves(value, (*path, str(number)))
    elif isinstance(plain, bool):
        yield path, str(plain).lower()
    elif isinstance(plain, int | str) and plain != "unknown":
        said = str(plain)
        if said in ("prohibited", "all") or said.lstrip("+").replace("/", "", 1).isdigit():
            yield path, said


def _with_leaf(plain: Any, path: tuple[str, ...], value: Any) -> Any:
    """A copy of the tables ``plain`` with ``value`` at ``path``. Raises KeyError if there is no such path."""
    if not path:
        return value
    key, *rest = path
    if isinstance(plain, Mapping):
        return {**plain, key: _with_leaf(plain[key], tuple(rest), value)}
    number = int(key)
    return [
        *plain[: number - 1],
        _with_leaf(plain[number - 1], tuple(rest), value),
        *plain[number:],
    ]


def _with_border(game: Game, begins: StepRef, instead: StepRef) -> Game:
    """A copy of ``game`` in which the phase that began at step ``begins`` begins at ``instead``.

    All phases then last until the next one begins: a last step that was given is dropped.
    """
    events = [e for e in game.events if not (isinstance(e, PhaseStart) and e.at == begins)]
    moved = [e for e in game.events if isinstance(e, PhaseStart) and e.at == begins]
    at = next((n for n, event in enumerate(events) if event.at >= instead), len(events))
    events[at:at] = [replace(start, at=instead) for start in moved]
    ended = [
        replace(e, last=None) if isinstance(e, PhaseStart) and e.last is not None else e
        for e in events
    ]
    return replace(game, events=tuple(ended))


MOST_TIMES = 2
"""An undeclared movement form is tried with this multiple of the allowance."""


def forms(game: Game, accused: Iterable[Accusation]) -> list[PackFact]:
    """Movement forms that the pack may not have declared, one for each phase and class of units.

    A form is proposed if drags in the phase cost more than 1.5 times, and at most twice, the upper bound of
    the allowance. The form with most drags comes first.
    """
    found: dict[PackFact, set[StepRef]] = defaultdict(set)
    for one in accused:
        bill = one.finding.bill
        allowance = None if bill is None else bill.allowance
        if bill is None or allowance is None or allowance.hi is None or not one.finding.units:
            continue
        if allowance.hi * Fraction(3, 2) < bill.total.lo <= allowance.hi * MOST_TIMES:
            phase, unit = one.finding.phase.phase or "", one.finding.units[0]
            found[PackFact("form", phase, instead=class_of(game, unit))].add(one.step)
    return sorted(found, key=lambda f: -len(found[f]))


def may_help(fact: PackFact, judgement: Judgement, game: Game) -> bool:
    """Whether the undeclared form ``fact`` may make an illegal move legal: the move is in the form's phase,
    all its units are of the form's class, and it goes no farther than the form."""
    move = judgement.judged.move
    names = {class_of(game, unit) for unit in move.units}
    wrong = [found for found in judgement.findings if found.verdict == "illegal"]
    fits = move.phase.phase == fact.cell and names == {fact.instead}
    return fits and not (wrong and all(map(_is_too_far, wrong)))


def _is_too_far(found: Finding) -> bool:
    """Whether a move's only fault is that it costs more than the raised allowance."""
    bill = found.bill
    if found.kind != "missed-mp-cost" or bill is None or bill.credit is not None:
        return False
    most = None if bill.allowance is None else bill.allowance.hi
    return most is not None and bill.shortfall > most * (MOST_TIMES - 1)


def class_of(game: Game, unit: str) -> str:
    """The value of a unit's attribute ``class``; ``"units"`` if it has none or is not known."""
    known = game.units.get(unit)
    value = known.fact("class").value if known is not None else None
    return str(value) if value is not None else "units"


class RaisedAllowanceRules:
    """Rules in force under which every allowance is multiplied by :data:`MOST_TIMES`."""

    def __init__(self, rules: RulesInForce) -> None:
        self._rules = rules
        self.clauses, self.readings = rules.clauses, rules.readings
        self.scale, self.declared_clause = rules.scale, rules.declared_clause
        self.stacking, self.order = rules.stacking, rules.order

    def scenarios(self, unit: str, circumstances: Circumstances) -> tuple[Scenario, ...]:
        """The scenarios of the rules, with movers that may spend more."""
        return tuple(
            replace(
                scenario, movers=tuple(_RaisedAllowanceMover(mover) for mover in scenario.movers)
            )
            for scenario in self._rules.scenarios(unit, circumstances)
        )


class _RaisedAllowanceMover:
    def __init__(self, mover: Mover) -> None:
        self._mover = mover
        self.form, self.barred = mover.form, mover.barred
        self.perhaps_barred = mover.perhaps_barred
        self.budget: Budget = _more(mover.budget)

    def graph(self, world: World) -> Any:
        """The mover's own movement graph."""
        return self._mover.graph(world)


def _more(budget: Budget) -> Budget:
    if budget.amount is None:
        return budget
    lo, hi = budget.amount.lo, budget.amount.hi
    times = Fraction(MOST_TIMES)
    return replace(budget, amount=Amount(lo * times, None if hi is None else hi * times))
