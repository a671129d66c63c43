"""The usual rules as a few plain questions: what the answers write into the charts, and what charts say.

They are for charts of the shape that ``generic`` has. What they cannot say is typed in the full form of the
chart, and is never changed by an answer.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from ...importers.pack.charts import NONE

Values = Mapping[str, Any]
"""Answers by field: texts, and true for what is ticked."""
Table = Mapping[str, Any]

_COST = re.compile(r"[0-9]+(?:[.][0-9]+|/[1-9][0-9]*)?|prohibited|all")
_NUMBER = re.compile(r"[1-9][0-9]{0,2}")


class Refused(ValueError):
    """An answer that cannot be written: what is missing or wrong, one line."""


@dataclass(frozen=True, slots=True)
class Field:
    """One thing to be said. ``kind``: a tick, a cost, a number, or one of ``options`` (value, text).
    ``unsaid``: what holds where it is left empty."""

    name: str
    kind: Literal["tick", "cost", "number", "one"]
    label: str
    options: tuple[tuple[str, str], ...] = ()
    unsaid: str = ""


@dataclass(frozen=True, slots=True)
class Question:
    """A question about one chart. ``no``: the answer that the game has nothing of the kind; '' there is no
    such answer. ``yes``: the other one, with ``fields``. ``write``: the chart from the answers, raises
    :class:`Refused`; ``read``: the answers that a chart gives, None: it says more than these can. ``key``:
    the one entry of the chart that it is about; '' all of it."""

    chart: str
    title: str
    no: str
    yes: str
    fields: tuple[Field, ...]
    write: Callable[[Values], Any]
    read: Callable[[Any], Values | None]
    key: str = ""
    needed: tuple[str, ...] = ()
    """The fields that must be filled before the answer can be all that the game has."""


def cost_of(text: object) -> Any:
    """A cost as the charts have it; None: nothing is typed."""
    said = str(text or "").strip().replace(",", ".").replace("½", "1/2")
    if not said:
        return None
    if not _COST.fullmatch(said):
        raise Refused(f"expected a cost such as 1, 1/2 or prohibited; found {said[:20]}")
    return int(said) if said.isdigit() else said


def _cost_text(cost: Any) -> str | None:
    """A cost as it is typed; None: it is told class by class, or between two."""
    return str(cost) if isinstance(cost, int | str) and not isinstance(cost, bool) else None


# -- zones of control ------------------------------------------------------------------------------

_ZONE_COSTS = ("enter", "leave")


def _write_zone(said: Values) -> Table:
    zone: dict[str, Any] = {}
    if said.get("stop"):
        zone["stop"] = True
    for name in _ZONE_COSTS:
        cost = cost_of(said.get(name))
        if cost is not None:
            zone[name] = cost
    if said.get("within"):
        zone["within"] = "prohibited"
    if not zone:
        raise Refused(
            "say what a zone of control does: stop, cost, or bar the way from one to the next"
        )
    if said.get("negated"):
        zone["negated_by_friends"] = True
    return zone


def _read_zone(zone: Any) -> Values | None:
    if not isinstance(zone, Mapping) or zone.keys() - {
        "stop",
        "within",
        "negated_by_friends",
        *_ZONE_COSTS,
    }:
        return None
    said: dict[str, Any] = {
        "stop": bool(zone.get("stop")),
        "negated": bool(zone.get("negated_by_friends")),
    }
    if zone.get("within") not in (None, "prohibited"):
        return None
    said["within"] = "within" in zone
    for name in _ZONE_COSTS:
        text = _cost_text(zone.get(name, ""))
        if text is None:
            return None
        said[name] = text
    return said


ZONES = Question(
    "zoc",
    "What do zones of control do (the six hexes next to an enemy unit)?",
    "There are none",
    "They do this:",
    (
        Field("stop", "tick", "a unit that enters one must stop"),
        Field("enter", "cost", "MPs more to enter one", unsaid="nothing"),
        Field("leave", "cost", "MPs more to leave one", unsaid="nothing"),
        Field("within", "tick", "no unit may go straight from one into another"),
        Field("negated", "tick", "a friendly unit in the hex takes it away there"),
    ),
    _write_zone,
    _read_zone,
)

# -- stacking --------------------------------------------------------------------------------------

COUNTERS = "counters"


def _write_stack(said: Values) -> Table:
    limit = str(said.get("limit") or "").strip()
    if not _NUMBER.fullmatch(limit):
        raise Refused("say how many may be in a hex: a whole number from 1")
    stack: dict[str, Any] = {"limit": int(limit)}
    if said.get("size") not in (None, "", COUNTERS):
        stack["size"] = str(said["size"])
    if not said.get("checked"):
        raise Refused("say when the limit binds")
    return {**stack, "checked": str(said["checked"])}


def _read_stack(stack: Any) -> Values | None:
    if not isinstance(stack, Mapping) or stack.keys() - {"limit", "size", "checked"}:
        return None
    if type(stack.get("limit")) is not int:
        return None
    return {
        "limit": str(stack["limit"]),
        "size": str(stack.get("size", COUNTERS)),
        "checked": str(stack.get("checked", "")),
    }


def stacking(sizes: Sequence[str]) -> Question:
    """The question on stacking. ``sizes``: attributes that may say how much a unit counts."""
    return Question(
        "stacking",
        "How much of one side may be in a hex?",
        "There is no limit",
        "At most:",
        (
            Field("limit", "number", "in a hex"),
            Field("size", "one", "counted in", ((COUNTERS, COUNTERS), *((s, s) for s in sizes))),
            Field(
                "checked",
                "one",
                "and it binds",
                (
                    ("", "choose when"),
                    ("phase-end", "at the end of the phase"),
                    ("move-end", "at the end of each move"),
                ),
            ),
        ),
        _write_stack,
        _read_stack,
    )


# -- roads -----------------------------------------------------------------------------------------


RIVERS = "rivers paid"


def roads(kinds: Sequence[str]) -> Question:
    """The question on roads. ``kinds``: the kinds of lines that the game has."""

    def write(said: Values) -> Table:
        costs = {kind: cost_of(said.get(kind)) for kind in kinds}
        rest: Table = {"cancels": ["terrain", "levels"]} if said.get(RIVERS) else {}
        told = {kind: {"cost": cost, **rest} for kind, cost in costs.items() if cost is not None}
        if not told:
            raise Refused("say what a step along a road costs")
        return told

    def read(table: Any) -> Values | None:
        if not isinstance(table, Mapping) or table.keys() - set(kinds):
            return None
        found: dict[str, Any] = {}
        paid = {str(road.get("cancels")) for road in table.values() if isinstance(road, Mapping)}
        if len(paid) > 1 or not paid <= {"None", str(["terrain", "levels"])}:
            return None
        for kind, road in table.items():
            text = _cost_text(road.get("cost")) if isinstance(road, Mapping) else None
            if text is None or road.keys() - {"cost", "cancels"}:
                return None
            found[kind] = text
        return {**found, RIVERS: paid != {"None"}}

    return Question(
        "roads",
        "What does a step along a road cost, in place of the terrain and of slopes?",
        "There are no roads",
        "MPs for each hex:",
        (
            *(Field(kind, "cost", kind, unsaid="not said") for kind in kinds),
            Field(
                RIVERS,
                "tick",
                "rivers and the like are paid all the same, where there is no bridge",
            ),
        ),
        write,
        read,
        needed=tuple(kinds),
    )


# -- yes or no -------------------------------------------------------------------------------------


def _write_enemy(said: Values) -> Table:
    cost = cost_of(said.get("cost"))
    if cost is None:
        raise Refused(
            "say what it costs to enter a hex with enemies: 0 if nothing more than its terrain"
        )
    return {"cost": cost}


def _read_enemy(table: Any) -> Values | None:
    if not isinstance(table, Mapping) or table.keys() != {"cost"}:
        return None
    text = _cost_text(table["cost"])
    return None if text is None else {"cost": text}


ENEMIES = Question(
    "enemy_hex",
    "May a unit enter a hex with enemy units?",
    "Never",
    "Yes, at a cost:",
    (Field("cost", "cost", "MPs more than its terrain"),),
    _write_enemy,
    _read_enemy,
)

ORDER = Question(
    "order",
    "May a unit move on after another unit has moved?",
    "Yes, in any order",
    "No, each is finished before the next",
    (),
    lambda said: {"resume": False},
    lambda table: {} if table == {"resume": False} else None,
)

MINIMUM = Question(
    "allowance",
    "May a unit always enter one hex, even if it has too few MPs for it?",
    "",
    "",
    (
        Field(
            "minimum", "one", "", (("", "not said"), ("yes", "yes, as its only step"), ("no", "no"))
        ),
    ),
    lambda said: said.get("minimum") == "yes" if said.get("minimum") else None,
    lambda value: {"minimum": {True: "yes", False: "no"}.get(value, "")},
    key="minimum_move",
)


def questions(
    properties: Mapping[str, Any], kinds: Sequence[str], sizes: Sequence[str]
) -> tuple[Question, ...]:
    """The questions for a ruleset. ``properties``: its charts, by the schema."""
    every = (ENEMIES, ZONES, stacking(sizes), roads(kinds), ORDER, MINIMUM)
    return tuple(
        one for one in every if one.chart in properties and _has_shape(one, properties[one.chart])
    )


def _has_shape(question: Question, schema: Any) -> bool:
    """Whether a chart can hold what its question writes."""
    text = str(schema)
    return {
        "zoc": "#/$defs/zone" in text,
        "stacking": "#/$defs/stack" in text,
        "roads": "continuity" in text,
        "enemy_hex": "barred_by" in text,
        "order": "resume" in text,
        "allowance": "minimum_move" in text,
    }[question.chart]


def now_said(question: Question, held: Any) -> tuple[str, Values | None]:
    """What a chart says: ``no``, ``yes`` with the answers, ``more`` than these can say, or '' nothing."""
    if question.key:
        value = held.get(question.key) if isinstance(held, Mapping) else None
        return ("" if value is None else "yes"), question.read(value)
    if held == NONE:
        return "no", None
    if held in (None, {}, []):
        return "", None
    values = question.read(held)
    return ("more", None) if values is None else ("yes", values)
