"""Requirements as tables write them, such as ``{attribute = "class", is = ["foot"]}``."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from ...model.fact import UNKNOWN, Fact, MissingFact, Value
from ...model.unit import Unit
from ..ruleset import Requirement
from ..situation import Situation
from . import missing_facts
from .charts import number

FORM = "form:"
SIDE = "side:"
CONDITION = "condition:"
"""Values of ``Requirement.attribute`` for the movement form, for the unit's side and, as a prefix, for a
condition of the game."""


def fact_about(situation: Situation, unit: str, about: str) -> Fact:
    """The fact ``about`` a unit: an attribute, its side, or a condition of the game for it."""
    if about.startswith(CONDITION):
        return situation.condition(about.removeprefix(CONDITION), unit)
    if about == SIDE:
        side = situation.game.units[unit].side
        return UNKNOWN if side is None else Fact((side,))
    return situation.fact(unit, about)


def read_requirements(plain: Iterable[Mapping[str, Any]]) -> tuple[Requirement, ...]:
    """The requirements that tables write as ``plain``; all of them must be met."""
    return tuple(r for test in plain for r in _requirement(test))


def _requirement(test: Mapping[str, Any]) -> Iterator[Requirement]:
    condition = test.get("condition")
    other = SIDE if "side" in test else FORM
    about = test.get("attribute", other) if condition is None else CONDITION + condition
    if "is" in test:
        yield Requirement(about, tuple(_value(v) for v in test["is"]))
    if "not" in test:
        yield Requirement(about, tuple(_value(v) for v in test["not"]), negated=True)
    if "least" in test or "most" in test:
        least, most = test.get("least"), test.get("most")
        yield Requirement(
            about,
            least=None if least is None else number(least),
            most=None if most is None else number(most),
        )


def _value(value: str | int | bool) -> Value:
    return number(value) if isinstance(value, int) and not isinstance(value, bool) else value


def question(unit: Unit, about: str) -> MissingFact:
    """The question about an attribute of a unit, its side, or a condition of the game."""
    if about.startswith(CONDITION):
        return missing_facts.of_condition(about.removeprefix(CONDITION))
    if about == SIDE:
        return missing_facts.of_side(unit)
    return missing_facts.of_unit(unit, about)
