"""What several clauses say: classes, columns, phases, forms, ZOC classes, what facts say of
hexes, and dates.
"""

from __future__ import annotations

import re
from fractions import Fraction
from math import ceil, floor

from ....model.fact import Fact
from ...engine.mover_facts import MoverFacts
from ...engine.mover_view import MoverView
from ...engine.other_unit import Enemy
from ...engine.rules import Rules
from ...engine.step import Step
from ...engine.subject import Subject
from ...ruleset import Requirement

CM, SM, FOOT = "c/m", "s/m", "non-motorized"
CLASSES = (CM, SM, FOOT)
COLUMNS = {"first": "first", "second": "second"}
"""The columns of the chart besides those of the exceptions, which the tables name."""
INITIAL, REACTION, EXPLOITATION, COMBAT = "initial", "reaction", "exploitation", "combat"
LEVELS = ("none", "partial", "full", "double", "triple")
"""The ZOC classes, from the weakest to the strongest."""
PARTIAL, FULL, MOST = 1, 2, len(LEVELS) - 1
CLEAR = "clear"
FORT, ENTRENCHMENT = "fort", "entrenchment"
OFF_ROAD, ANY_ROAD = "", "a road"
"""Ways in which a step is made, besides along a road of a kind that the board or the chart names."""
RESERVE, OTHERS, LOST = "reserve", "not in reserve", "lost by "
"""The status of a unit in its move; LOST is followed by the clause by which it lost that of a reserve."""
MARCH, BY_TRANSPORT, BY_OVERRUN, BY_COMBAT = "march", "carried", "put back", "retreat"
AFTER_MARCH = "put back after its march"
"""The other ways in which a player may have moved a unit."""
FREE = (BY_TRANSPORT, BY_OVERRUN, BY_COMBAT, AFTER_MARCH)
"""Those of them that cost no MPs."""

COMBAT_UNIT = (Requirement("combat", (True,)),)
"""What a unit must be to be a combat unit."""


def form_named(rules: Rules, key: str) -> str:
    """The name that the pack has for a movement form."""
    return str(rules.tables["forms"][key])


def advances(subject: Step | MoverView | MoverFacts) -> bool:
    """Whether it advances after combat, or retreats in that form."""
    return subject.form == form_named(subject.rules, "advance")


def marches(subject: Step | MoverView) -> bool:
    """Whether it force marches."""
    return subject.taken_as.startswith(MARCH)


def weather_key(zone: str) -> str:
    """The condition that tells of the weather in a zone; of the rest of the board if that is empty."""
    return f"weather {zone}" if zone else "weather"


def of_weather(chart: str, weather: str) -> str:
    """The name of a chart in a weather."""
    return chart if weather == CLEAR else f"{chart} in {weather}"


def half(subject: Subject, number: Fraction, option: str) -> Fraction:
    """Half a number; a reading says how it is rounded to a whole number, if at all."""
    exact = number / 2
    if exact.denominator == 1:
        return exact
    how = subject.settled(option)
    return exact if how == "keep" else Fraction(ceil(exact) if how == "up" else floor(exact))


def is_combat_unit(other: Enemy) -> bool:
    """Whether a unit is a combat unit."""
    return other.is_("combat", "true")


_DATE = re.compile(r"[0-9]{4}(-[0-9]{2}){0,2}", re.ASCII)


def is_before(date: str, day: str) -> bool:
    """Whether a date (``1941``, ``1941-08`` or ``1941-08-31``) is certainly before a day."""
    return bool(_DATE.fullmatch(date)) and date + "-12-31"[3 * date.count("-") :] < day


def is_not_before(date: str, day: str) -> bool:
    """Whether a date is certainly not before a day."""
    return bool(_DATE.fullmatch(date)) and date + "-01-01"[3 * date.count("-") :] >= day


def before_day(date: Fact, day: str) -> bool:
    """Whether what is known of a date is certainly before a day."""
    return date.options is not None and all(is_before(str(one), day) for one in date.options)


def after_day(date: Fact, day: str) -> bool:
    """Whether what is known of a date is certainly on a day or after it."""
    return date.options is not None and all(is_not_before(str(one), day) for one in date.options)
