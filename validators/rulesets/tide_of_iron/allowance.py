"""The allowance of a unit for one activation, in MPs."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from fractions import Fraction

from ....model.bill import ZERO, Amount
from ....model.fact import UNKNOWN, Fact, MissingFact, Value, known
from ....model.unit import Unit
from ...allowance import Stage, hull, run
from ...answers import yes_or_no
from ...checks import side_unknown
from ...concepts import logic, missing_facts
from ...ruleset import WeightedFact
from ...timeline import either
from . import ruleset_facts
from .tables import VEHICLES, Tables
from .unit_actions import UnitActions

ADVANCE, FIRE_AND_MOVEMENT, ASSAULT = "advance", "fire-and-movement", "assault"
ACTIONS = (ADVANCE, FIRE_AND_MOVEMENT, ASSAULT)
"""The actions in which MPs are spent (MV-b)."""
Card = Callable[[str, str], Fact]
"""(id of a unit, attribute) → the fact, in the situation that is judged."""

Riders = tuple[tuple[Unit, bool], ...]
"""Units that ride in a vehicle or may, each with whether it certainly does."""

ONE = Fraction(1)
MOST_BY_CARD = Fraction(99)
"""More MPs than any card gives."""
MOST_OFFICERS = Fraction(99)
"""More officers than any squad or vehicle holds."""

_Range = tuple[Fraction, Fraction | None]
_Change = tuple[str, str, Stage, bool | None, tuple[WeightedFact, ...]]


@dataclass(frozen=True, slots=True)
class Allowance:
    """An allowance. ``amount``: in MPs. ``stages``: how it was computed, as (clause, reason) pairs.
    ``missing``: the facts that would make it exact."""

    amount: Amount
    stages: tuple[tuple[str, str], ...]
    missing: tuple[WeightedFact, ...]


def allowance(
    unit: Unit,
    classes: tuple[str, ...],
    actions: tuple[str, ...],
    unit_actions: UnitActions,
    tables: Tables,
    card: Card,
    riders: Riders,
) -> Allowance:
    """The allowance of ``unit``. ``classes``, ``actions``: the classes that it may be of, and the actions by
    which it may have been activated. ``riders``: the units that ride in it or may."""
    amount, missing = _printed(unit, classes, tables, card)
    stages: list[tuple[str, str]] = []
    changes = [
        *_officers(unit, classes, tables, card, riders),
        *_by_action(unit, actions, tables),
        *_by_damage(unit, classes, unit_actions, tables),
        *_by_card(unit, unit_actions),
    ]
    for clause, reason, stage, holds, more in changes:
        amount = run(amount, ((stage, holds),))
        if holds is not False:
            stages.append((clause, reason))
        if holds is None:
            missing += more
    if ASSAULT in actions and tables.applies("X-AS-d"):
        amount, open_penalty = _assault(amount, actions, tables)
        missing += open_penalty
        if actions == (ASSAULT,) and tables.allowance["assault_penalty"].lo > 0:
            stages.append(("TOI-X-AS-d", "Assault"))
    return Allowance(amount, tuple(stages), tuple(missing))


def _printed(
    unit: Unit, classes: tuple[str, ...], tables: Tables, card: Card
) -> tuple[Amount, list[WeightedFact]]:
    """The printed movement value, and the facts missing to make it exact. It does not depend on the number of
    figures (MV-e); if MV-e is switched off, that of a squad is multiplied by that number."""
    printed = card(unit.id, "ma")
    low, high = printed.low, printed.high
    amount = Amount(ZERO.lo if low is None or low.numerator < 0 else low, high)
    exact = low is not None and (low is high or low == high)
    missing = [] if exact else [WeightedFact(missing_facts.of_unit(unit, "ma"))]
    squad = _is(classes, ("squad",))
    if squad is False or tables.applies("MV-e"):
        return amount, missing
    figures = card(unit.id, "figures")
    fewest = max(ONE, figures.low or ONE)
    most = None if figures.high is None else max(ONE, figures.high)
    if fewest != most:
        missing.append(WeightedFact(missing_facts.of_unit(unit, "figures")))
    added = Amount(
        amount.lo * fewest, None if amount.hi is None or most is None else amount.hi * most
    )
    if squad is None:
        return hull(amount, added), [*missing, WeightedFact(missing_facts.of_unit(unit, "class"))]
    return added, missing


def _officers(
    unit: Unit, classes: tuple[str, ...], tables: Tables, card: Card, riders: Riders
) -> Iterator[_Change]:
    """What officers add: those of the squad (EX3-a); if SB-7 is switched off, for a vehicle those of its
    ``riders``."""
    squad = _is(classes, ("squad",))
    if squad is not False and tables.applies("EX3-a"):
        own = _number(card(unit.id, "officers"))
        asked = [] if own[0] == own[1] else [missing_facts.of_unit(unit, "officers")]
        yield from _bonuses("TOI-EX3-a", "with an officer", squad, own, asked, unit, tables)
    if squad is True or tables.applies("SB-7"):
        return
    fewest, most = ZERO.lo, ZERO.hi
    facts: list[MissingFact] = []
    for rider, sure in riders:
        low, high = _number(card(rider.id, "officers"))
        if high == 0:
            continue
        fewest += low if sure else 0
        most = None if most is None or high is None else most + high
        if not sure:
            facts.append(missing_facts.of_unit(rider, "aboard"))
            if rider.side is None:
                facts.append(side_unknown(rider.id, rider.name))
        if low != high:
            facts.append(missing_facts.of_unit(rider, "officers"))
    vehicle, total = logic.negation(squad), (fewest, most)
    yield from _bonuses("TOI-SB-7", "carries an officer", vehicle, total, facts, unit, tables)


def _bonuses(
    clause: str,
    reason: str,
    holds: bool | None,
    officers: _Range,
    asked: list[MissingFact],
    unit: Unit,
    tables: Tables,
) -> Iterator[_Change]:
    """What a number of officers adds: the bonus once (X-OF); if X-OF is switched off, for each of them.
    ``holds``: whether they count; None: that depends on the class of ``unit``, which is not known.
    ``asked``: the facts that tell their number."""
    if holds is None:
        asked = [*asked, missing_facts.of_unit(unit, "class")]
    missing = tuple([WeightedFact(fact) for fact in asked])
    fewest, most = officers
    if tables.applies("X-OF"):
        fewest, most = min(fewest, ONE), ONE if most is None else min(most, ONE)
    bonus = tables.allowance["officer"].lo
    if fewest:
        yield clause, reason, Stage("add", bonus * fewest), holds, missing
    if most is None or most > fewest:
        more = MOST_OFFICERS if most is None else most - fewest
        yield clause, reason, Stage("add", bonus * more), None, missing


def _number(officers: Fact) -> _Range:
    """The least and the greatest number of officers; None: no greatest is known. ``officers`` is a number,
    or yes (at least one) or no."""
    numbers = [_bounds(option) for option in officers.options or ()]
    if not numbers:
        low = ZERO.lo if officers.lo is None else max(ZERO.lo, officers.lo)
        return low, officers.hi
    highest = [high for _, high in numbers if high is not None]
    return (
        min(low for low, _ in numbers),
        max(highest) if len(highest) == len(numbers) else None,
    )


def _bounds(option: Value) -> _Range:
    if isinstance(option, Fraction):
        return option, option
    said = yes_or_no(known(option))
    return (ZERO.lo, ZERO.lo) if said is False else (ONE if said else ZERO.lo, None)


def _by_action(unit: Unit, actions: tuple[str, ...], tables: Tables) -> Iterator[_Change]:
    if FIRE_AND_MOVEMENT in actions and tables.applies("EX1-a"):
        sure = True if actions == (FIRE_AND_MOVEMENT,) else None
        stage = Stage("subtract", tables.allowance["fire_and_movement"].lo)
        missing = (WeightedFact(missing_facts.of_unit(unit, "action")),)
        yield "TOI-EX1-a", "Fire and Movement", stage, sure, missing


def _assault(
    amount: Amount, actions: tuple[str, ...], tables: Tables
) -> tuple[Amount, list[WeightedFact]]:
    penalty = tables.allowance["assault_penalty"]
    least = ZERO.lo if penalty.hi is None else max(ZERO.lo, amount.lo - penalty.hi)
    most = None if amount.hi is None else max(ZERO.lo, amount.hi - penalty.lo)
    cut = Amount(least, most)
    question = "by how many MPs does the action Assault lower the allowance?"
    missing = (
        []
        if penalty.is_exact
        else [WeightedFact(ruleset_facts.reading("allowance", "assault_penalty", question))]
    )
    return (cut if actions == (ASSAULT,) else hull(amount, cut)), missing


def _by_damage(
    unit: Unit, classes: tuple[str, ...], unit_actions: UnitActions, tables: Tables
) -> Iterator[_Change]:
    """What light damage takes from the allowance of a vehicle (X-ST). A heavy vehicle that is damaged on its
    way loses 1 MP at once. What damage of an earlier turn costs is an open reading."""
    vehicle = _is(classes, VEHICLES)
    walked = unit_actions.walked
    if vehicle is False or not walked or not tables.applies("X-ST"):
        return
    before, after = _light(unit_actions, walked[0].at), _light(unit_actions, walked[-1].at)
    if before is False and after is False:
        return
    standing = tables.allowance["standing_damage"]
    missing_fact = (WeightedFact(missing_facts.of_unit(unit, "damage")),)
    if standing.hi:
        if not standing.is_exact:
            question = "how many MPs does light damage of an earlier turn cost?"
            missing_fact = (
                WeightedFact(ruleset_facts.reading("allowance", "standing_damage", question)),
            )
        holds = logic.both(vehicle, before) if standing.is_exact else None
        stage = Stage("subtract", standing.hi)
        yield (
            "TOI-X-ST",
            "lightly damaged",
            stage,
            False if before is False else holds,
            missing_fact,
        )
    heavy = _is(classes, ("heavy",))
    on_the_way = logic.both(heavy, logic.both(after, logic.negation(before)))
    if unit_actions.mined and on_the_way:
        on_the_way = (
            None  # the text says only of Op Fire that it costs an MP at once; this may be a mine
        )
    stage = Stage("subtract", tables.allowance["damage_on_the_way"].lo)
    damaged = (WeightedFact(missing_facts.of_unit(unit, "damage")),)
    yield "TOI-X-ST", "lightly damaged on the way", stage, on_the_way, damaged


def _light(unit_actions: UnitActions, at: int) -> bool | None:
    options = unit_actions.value("damage", at).options
    if options is None:
        return None
    answers = {option == "light" for option in options}
    return answers.pop() if len(answers) == 1 else None


def _by_card(unit: Unit, unit_actions: UnitActions) -> Iterator[_Change]:
    """The MPs that a strategy or operations card gives, if the facts say so."""
    bonus = _bonus(unit, unit_actions)
    if bonus is None or bonus.must_be(ZERO.lo):
        return
    if bonus.low is None or bonus.high is None:  # given as not known: it may be any number
        missing = (WeightedFact(missing_facts.of_unit(unit, "bonus")),)
        yield "TOI-MV-d", "perhaps by a card", Stage("add", MOST_BY_CARD), None, missing
        return
    yield "TOI-MV-d", "by a card", Stage("add", bonus.low), True, ()
    if bonus.high > bonus.low:
        missing = (WeightedFact(missing_facts.of_unit(unit, "bonus")),)
        yield "TOI-MV-d", "by a card", Stage("add", bonus.high - bonus.low), None, missing


def _bonus(unit: Unit, unit_actions: UnitActions) -> Fact | None:
    """The MPs that cards give a unit in its activation, from the attribute ``bonus`` or else the condition;
    None if the game never gives either."""
    timeline, unit_history = unit_actions.unit_history.timeline, unit_actions.unit_history
    if "bonus" not in unit.attributes and not timeline.tells_of(unit.id, "bonus"):
        return None
    first = unit_actions.walked[0].at if unit_actions.walked else unit_actions.start
    last = (
        unit_actions.walked[-1].at
        if unit_actions.walked
        else max(unit_actions.start, unit_actions.end - 1)
    )
    said = [fact for _, fact in unit_history.series(unit.id, "bonus", first, unit_actions.end)]
    if any(fact != UNKNOWN for fact in said):
        return either(said)
    steps = timeline.step_of(first), timeline.step_of(last)
    return timeline.condition_between("bonus", *steps, unit.id)


def _is(classes: tuple[str, ...], wanted: tuple[str, ...]) -> bool | None:
    answers = {c in wanted if c else None for c in classes}
    return answers.pop() if len(answers) == 1 else None
