"""The missing facts that decide whether a stack is too big."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from fractions import Fraction

from ..model.fact import MissingFact
from .checks import side_unknown
from .concepts import missing_facts
from .concepts.requirements import fact_about, question
from .requirement import Requirement
from .ruleset import Measure, StackingLimit, StackingRule
from .situation import Situation

MOST_QUESTIONS = 5


def perhaps_overstacked(
    situation: Situation,
    rule: StackingRule,
    limits: Sequence[StackingLimit | None],
    name: str,
    side: str,
    moved: frozenset[str],
) -> tuple[MissingFact, ...]:
    """The missing facts that decide whether the stack of ``side`` in hex ``name`` is too big. Empty if it
    cannot be, or if there is nothing to ask.

    ``limits``: those that may apply there, with None among them if perhaps none does. ``moved``: units known
    to be in play. It is not asked whether a counter is dead only because it is taken off the map soon after.
    """
    units = [u for u in situation.units_in(name) if _may_count(situation, u, side, moved)]
    possible = [limit for limit in limits if limit is not None]
    most = [_most(situation, measure, units) for measure in rule.measures]
    if not any(_breaks(limit, most) for limit in possible):
        return ()
    asked = dict.fromkeys(_questions(situation, rule, units, side))
    if len(limits) > 1 and name in situation.board.hexes:
        asked[_what_is_there(situation, name, possible)] = None
    return tuple(asked)[:MOST_QUESTIONS]


def _what_is_there(situation: Situation, name: str, limits: Iterable[StackingLimit]) -> MissingFact:
    """The question about hex ``name`` that decides which of ``limits`` applies there."""
    board = situation.board
    perhaps = board.maybe_in(name)
    if perhaps is None or not board.hex_told(name):
        return missing_facts.of_board(("terrain", name), "")
    wanted = dict.fromkeys(terrain for limit in limits for terrain in limit.terrains)
    return missing_facts.of_board(("features", name, *(t for t in wanted if t in perhaps)), "")


def _may_count(situation: Situation, unit: str, side: str, moved: frozenset[str]) -> bool:
    if situation.is_marker(unit) or situation.side(unit) not in (side, None):
        return False
    return unit in moved or situation.in_play(unit).may_be(True)


def _most(situation: Situation, measure: Measure, units: Iterable[str]) -> Fraction | None:
    """The greatest value of ``measure`` for ``units``; None if there is no upper bound."""
    total = Fraction(0)
    for unit in units:
        exempt = bool(measure.exempt) and _met(situation, unit, measure.exempt) is True
        counts = _met(situation, unit, measure.counted) is not False
        if measure.doubted and not counts:
            counts = _met(situation, unit, measure.doubted) is not False
        if exempt or not counts:
            continue
        size = situation.fact(unit, measure.size).high if measure.size else Fraction(1)
        if size is None:
            return None
        total += size
    return total


def _breaks(limit: StackingLimit, most: list[Fraction | None]) -> bool:
    """Whether every alternative of ``limit`` may be exceeded. ``most``: the greatest value of each measure;
    None: no upper bound."""
    return all(
        any(
            bound is not None and (value is None or value > bound)
            for value, bound in zip(most, bounds, strict=False)
        )
        for bounds in limit.bounds
    )


def _questions(
    situation: Situation,
    rule: StackingRule,
    units: Sequence[str],
    side: str,
) -> Iterator[MissingFact]:
    for name in units:
        unit = situation.game.units[name]
        if situation.side(name) != side:
            yield side_unknown(name, unit.name)
        if situation.tells_of_death(name) and not situation.in_play(name).must_be(True):
            yield situation.dead_unknown(name)
        for measure in rule.measures:
            if measure.size and not situation.fact(name, measure.size).is_known:
                yield missing_facts.of_unit(unit, measure.size)
            for need in (*measure.counted, *measure.exempt, *measure.doubted):
                if need.met(fact_about(situation, name, need.attribute)) is None:
                    yield question(unit, need.attribute)
    for measure in rule.measures:
        doubted = any(_met(situation, name, measure.doubted) is not False for name in units)
        if measure.missing_fact is not None and doubted:
            yield measure.missing_fact


def _met(situation: Situation, unit: str, needs: Iterable[Requirement]) -> bool | None:
    """Whether ``unit`` meets all of ``needs``; None if not known."""
    found = [need.met(fact_about(situation, unit, need.attribute)) for need in needs]
    return False if False in found else None if None in found else True
