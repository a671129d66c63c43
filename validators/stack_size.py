"""The size of a stack of one side in a hex, and whether it is, or may be, too big.

A plain function gives what a unit counts. It runs once for each possible answer (:mod:`.engine.asking`), so
its result is a range, and the facts that would make it exact are its questions. A stack is the sum.
"""

from __future__ import annotations

from collections.abc import Container, Iterable, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import partial, reduce
from typing import NamedTuple

from ..model.bill import ZERO, Amount
from ..model.board import Board
from ..model.fact import MissingFact
from .concepts import missing_facts
from .concepts.requirements import fact_about, question
from .cost_interval import hull
from .engine.asking import Run, later, outcome
from .phase_rules import Measure, Requirement, StackingLimit, StackingRule
from .situation import Situation

MOST_QUESTIONS = 5
ONE = Amount.exactly(1)


@dataclass(frozen=True, slots=True)
class Stack:
    """The units of one side in a hex, if they exceed every limit that may apply there.

    ``least``: the least value of the measure. ``bound``: what ``clause`` allows, of all alternatives the one
    exceeded by least. ``beside``: the other measures without which more is allowed. ``missing``: the open
    readings without which it is not too big; empty if it certainly is."""

    hex: str
    side: str
    units: tuple[str, ...]
    measure: str
    least: Fraction
    bound: Fraction
    clause: str = ""
    beside: tuple[str, ...] = ()
    missing: tuple[MissingFact, ...] = ()


class Held(NamedTuple):
    """A stack of one side that is, or may be, too big. ``sure``: whether it is; None: not known. ``asked``:
    the facts that decide it."""

    text: str
    sure: bool | None
    asked: tuple[MissingFact, ...] = ()


class _Counted(NamedTuple):
    """A unit that is, or may be, of a side and in play (``sure``: it is), what it counts in each measure,
    and the facts that would make all this exact."""

    unit: str
    sure: bool
    sizes: tuple[Amount, ...]
    asked: tuple[MissingFact, ...]


@dataclass(frozen=True, slots=True)
class Pile:
    """The units of one side in a hex, counted by a rule. ``alive``: units known to be in play."""

    situation: Situation
    rule: StackingRule
    hex: str
    side: str
    alive: Container[str] = ()

    def stack(self) -> Stack | None:
        """The stack, if it is too big for certain or by an open reading; otherwise None."""
        stack = self.too_big()
        readings = (measure.missing_fact for measure in self.rule.measures)
        missing = tuple(asked for asked in readings if asked is not None)
        if stack is not None or not missing:
            return stack
        perhaps = self.too_big(doubted=True)
        return None if perhaps is None else replace(perhaps, missing=missing)

    def too_big(
        self, *, doubted: bool = False, among: Container[str] | None = None
    ) -> Stack | None:
        """The stack, if even its least value exceeds every limit that may apply there, in all alternatives of
        each; otherwise None. ``doubted``: also count units that count only by one reading of the rules.
        ``among``: count only these units; None: all."""
        every = self._counted(doubted)
        units = [one for one in every if one.sure and (among is None or one.unit in among)]
        if not units:
            return None
        least = [total.lo for total in self._totals(units)]
        names, worst = tuple(one.unit for one in units), None
        for limit in self._limits():
            if limit is None:
                return None
            for number, bounds in enumerate(limit.bounds):
                over = [
                    (value, bound, measure)
                    for value, bound, measure in zip(
                        least, bounds, self.rule.measures, strict=False
                    )
                    if bound is not None and value > bound
                ]
                if not over:
                    return None
                value, bound, measure = max(over, key=lambda entry: entry[0] - entry[1])
                if worst is None or value - bound < worst.least - worst.bound:
                    clause = limit.clauses[number] if limit.clauses else self.rule.clause
                    beside = self._other_measures(limit, number, least, measure)
                    size = measure.name, value, bound
                    worst = Stack(self.hex, self.side, names, *size, clause, beside)
        return worst

    def missing(self) -> tuple[MissingFact, ...]:
        """The missing facts that decide whether the stack is too big. Empty if it cannot be, or if there is
        nothing to ask: it is not asked whether a counter is dead only because it is taken off the map soon
        after."""
        units, limits = self._counted(None), self._limits()
        most = [total.hi for total in self._totals(units)]
        possible = [limit for limit in limits if limit is not None]
        if not any(_may_break(limit, most) for limit in possible):
            return ()
        asked = dict.fromkeys(fact for one in units for fact in one.asked)
        if len(limits) > 1 and self.hex in self.situation.board.hexes:
            asked[_what_is_there(self.situation.board, self.hex, possible)] = None
        return tuple(asked)[:MOST_QUESTIONS]

    def held(self) -> Held | None:
        """The stack, if it may be too big; otherwise None."""
        stack = self.stack()
        if stack is None:
            asked = self.missing()
            return Held("more than it may hold", None, asked) if asked else None
        missing = self.rule.missing or stack.missing
        text = f"{stack.least} {stack.measure}, {stack.bound} allowed"
        return Held(text, None if missing else True, missing)

    def _counted(self, doubted: bool | None) -> list[_Counted]:
        """The units that may be of the side, with what they count. ``doubted``: whether units that count only
        by one reading of the rules are included; None: not known."""
        found, situation = [], self.situation
        for unit in situation.units_in(self.hex):
            if situation.is_marker(unit) or situation.side(unit) not in (self.side, None):
                continue
            there = outcome(partial(self._is_there, unit))
            if there.holds is False:
                continue
            sizes = [outcome(partial(self._size, unit, m, doubted)) for m in self.rule.measures]
            asked = (fact for one in (there, *sizes) for fact in one.facts)
            amounts = tuple(_range(one.said or ()) for one in sizes)
            found.append(_Counted(unit, there.holds is True, amounts, tuple(dict.fromkeys(asked))))
        return found

    def _is_there(self, unit: str, run: Run) -> bool:
        """Whether a unit is of the side and in play."""
        situation = self.situation
        own, told = situation.side(unit), situation.tells_of_death(unit)
        asked = later(missing_facts.of_side, situation.game.units[unit])
        if not run.yes("side", None if own is None else own == self.side, asked):
            return False
        lives = situation.in_play(unit).value
        if unit in self.alive and lives is not True:
            lives = None if told else True
        facts = (later(situation.dead_unknown, unit),) if told else ()
        return run.yes("alive", None if lives is None else bool(lives), *facts)

    def _size(self, unit: str, measure: Measure, doubted: bool | None, run: Run) -> Amount:
        """What a unit counts in a measure."""
        whose = self.situation.game.units[unit]

        def meets(needs: Iterable[Requirement]) -> bool:
            return all(
                run.yes(
                    need,
                    need.met(fact_about(self.situation, unit, need.attribute)),
                    later(question, whose, need.attribute),
                )
                for need in needs
            )

        if measure.exempt and meets(measure.exempt):
            return ZERO
        if not meets(measure.counted):
            if not measure.doubted or not meets(measure.doubted):
                return ZERO
            asked = () if measure.missing_fact is None else (measure.missing_fact,)
            if not run.yes("reading", doubted, *asked):
                return ZERO
        if not measure.size:
            return ONE
        size = self.situation.fact(unit, measure.size)
        if not size.is_known:
            run.log.open.append(later(missing_facts.of_unit, whose, measure.size))
        return Amount(size.low or Fraction(0), size.high)

    def _totals(self, units: Sequence[_Counted]) -> list[Amount]:
        """The sum of some units in each measure."""
        return [sum((one.sizes[n] for one in units), ZERO) for n in range(len(self.rule.measures))]

    def _other_measures(
        self, limit: StackingLimit, number: int, least: Sequence[Fraction], exceeded: Measure
    ) -> tuple[str, ...]:
        """The names of the other measures because of which the alternative ``number`` of a limit applies and
        not one that allows as much of ``exceeded`` as there is. ``least``: the least values."""
        measures, bounds = self.rule.measures, limit.bounds
        at = measures.index(exceeded)
        most = [one[at] for one in bounds]
        if all(bound is not None and bound < least[at] for bound in most):
            return ()
        every = zip(measures, least, bounds[number], strict=False)
        return tuple(m.name for m, value, bound in every if m is not exceeded and value and bound)

    def _limits(self) -> list[StackingLimit | None]:
        """The limits that may apply. The list contains None if perhaps no limit applies."""
        found: list[StackingLimit | None] = []
        for limit in self.rule.limits:
            there = _is_in(self.situation.board, self.hex, limit.terrains)
            if there or not limit.terrains:
                return [*found, limit]
            if there is None:
                found.append(limit)
        return [*found, None]


def _may_break(limit: StackingLimit, most: Sequence[Fraction | None]) -> bool:
    """Whether every alternative of a limit may be exceeded. ``most``: the greatest value of each measure;
    None: no upper bound."""
    return all(
        any(
            bound is not None and (value is None or value > bound)
            for value, bound in zip(most, bounds, strict=False)
        )
        for bounds in limit.bounds
    )


def _range(amounts: Sequence[Amount]) -> Amount:
    """The range that covers all of ``amounts``; any number if there are none."""
    return reduce(hull, amounts) if amounts else Amount(ZERO.lo, None)


def _is_in(board: Board, name: str, terrains: Iterable[str]) -> bool | None:
    """Whether hex ``name`` has one of ``terrains``; None if not known."""
    if name not in board.hexes:
        return None
    found = board.has(name, terrains)
    return None if found is False and not board.hex_told(name) else found


def _what_is_there(board: Board, name: str, limits: Iterable[StackingLimit]) -> MissingFact:
    """The question about a hex that decides which of ``limits`` applies there."""
    perhaps = board.maybe_in(name)
    if perhaps is None or not board.hex_told(name):
        return missing_facts.of_board(("terrain", name), "")
    wanted = dict.fromkeys(terrain for limit in limits for terrain in limit.terrains)
    return missing_facts.of_board(("features", name, *(t for t in wanted if t in perhaps)), "")
