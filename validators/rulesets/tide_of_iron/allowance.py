"""The allowance of a unit for one activation, in MPs."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from fractions import Fraction

from ....model.bill import ZERO, Amount
from ....model.fact import UNKNOWN, Fact
from ....model.unit import Unit
from ...allowance import Stage, hull, run
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

MOST_BY_CARD = Fraction(99)
"""More MPs than any card gives."""

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
    riders: tuple[str, ...],
) -> Allowance:
    """The allowance of ``unit``. ``classes``, ``actions``: the classes that it may be of, and the actions by
    which it may have been activated. ``riders``: the units that certainly ride in it."""
    amount, missing = _printed(unit, tables, card)
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


def _printed(unit: Unit, tables: Tables, card: Card) -> tuple[Amount, list[WeightedFact]]:
    """The printed movement value, and the facts missing to make it exact. It does not depend on the number of
    figures (MV-e); if MV-e is switched off, it is multiplied by that number."""
    printed = card(unit.id, "ma")
    low, high = printed.low, printed.high
    amount = Amount(ZERO.lo if low is None or low.numerator < 0 else low, high)
    figures = UNKNOWN if tables.applies("MV-e") else card(unit.id, "figures")
    if figures.low is not None:
        most = None if high is None else high * (figures.high or figures.low)
        amount = Amount(amount.lo, most)
    exact = low is not None and (low is high or low == high)
    return amount, [] if exact else [WeightedFact(missing_facts.of_unit(unit, "ma"))]


def _officers(
    unit: Unit, classes: tuple[str, ...], tables: Tables, card: Card, riders: tuple[str, ...]
) -> Iterator[_Change]:
    squad = _is(classes, ("squad",))
    bonus = tables.allowance["officer"].lo
    if squad is not False and tables.applies("EX3-a"):
        officers = card(unit.id, "officers")
        some = _some(officers)
        holds = logic.both(squad, some)
        if holds is not False:
            times = Fraction(1) if tables.applies("X-OF") else officers.high or Fraction(1)
            missing = (
                (WeightedFact(missing_facts.of_unit(unit, "officers")),) if holds is None else ()
            )
            yield "TOI-EX3-a", "with an officer", Stage("add", bonus * times), holds, missing
    carried = bool(riders) and squad is not True
    if carried and any(_some(card(u, "officers")) for u in riders) and not tables.applies("SB-7"):
        yield "TOI-SB-7", "carries an officer", Stage("add", bonus), True, ()


def _some(officers: Fact) -> bool | None:
    """Whether there is an officer; None: not known. ``officers`` is a number, or true or false."""
    if officers.options is not None:
        answers = {option not in (False, Fraction(0)) for option in officers.options}
        return answers.pop() if len(answers) == 1 else None
    return True if officers.lo is not None and officers.lo > 0 else None


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
