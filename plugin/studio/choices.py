"""The usual rules as a few plain questions: what answers write into the charts, and what charts say.

They fit charts shaped like those of ``generic``. Anything beyond them is typed in the chart's full form, and
answers never change it.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from ...importers.pack.pack_tables import NONE

Values = Mapping[str, Any]
"""Answers by field: texts, or True for a tick."""
Table = Mapping[str, Any]

_COST = re.compile(r"[0-9]+(?:[.][0-9]+|/[1-9][0-9]*)?|prohibited|all")
_NUMBER = re.compile(r"[1-9][0-9]{0,2}")


class Refused(ValueError):
    """An answer that cannot be written, with the reason in one line."""


@dataclass(frozen=True, slots=True)
class Field:
    """One field of a question. ``kind``: a tick, a cost, a number, or one of ``options`` (value, text), the
    first of which is not written. ``unsaid``: what holds if it is left empty. ``key``: the entry of the chart
    that it is written into; "": the one of its name. ``on``: what a tick writes. ``needed``: why an answer
    without it is refused; "": it is optional."""

    name: str
    kind: Literal["tick", "cost", "number", "one"]
    label: str
    options: tuple[tuple[str, str], ...] = ()
    unsaid: str = ""
    key: str = ""
    on: Any = True
    needed: str = ""

    @property
    def entry(self) -> str:
        """The entry of the chart that it is written into."""
        return self.key or self.name

    def written(self, given: Any) -> Any:
        """The chart's value for an answer; None for no value."""
        if self.kind == "tick":
            return self.on if given else None
        if self.kind == "cost":
            return cost_of(given)
        text = str(given or "").strip()
        if self.kind == "number":
            return int(text) if _NUMBER.fullmatch(text) else None
        return None if text in ("", self.options[0][0]) else text

    def read(self, value: Any) -> Any:
        """A chart's value (None: none) as it is typed; None if it cannot be typed here."""
        if self.kind == "tick":
            return bool(value) if self.on is True or value in (None, self.on) else None
        if self.kind == "number":
            return str(value) if type(value) is int else None
        if self.kind == "cost":
            return "" if value is None else _cost_text(value)
        return str(self.options[0][0] if value is None else value)


def _writer(fields: Sequence[Field], needed: str = "") -> Callable[[Values], Table]:
    """Writes a chart that has an entry for each field. ``needed``: why an answer without any of the
    independent fields is refused."""

    def write(said: Values) -> Table:
        found = {}
        for one in fields:
            value = one.written(said.get(one.name))
            if value is not None:
                found[one.entry] = value
            elif one.needed:
                raise Refused(one.needed)
        if needed and not found.keys() - {NEGATED}:
            raise Refused(needed)
        return found

    return write


def _reader(fields: Sequence[Field]) -> Callable[[Any], Values | None]:
    """Reads what :func:`_writer` writes."""

    def read(table: Any) -> Values | None:
        if not isinstance(table, Mapping) or table.keys() - {one.entry for one in fields}:
            return None
        said = {one.name: one.read(table.get(one.entry)) for one in fields}
        return None if None in said.values() else said

    return read


@dataclass(frozen=True, slots=True)
class Question:
    """A question about one chart. ``no``: the answer that the game has nothing of the kind; "": no such
    answer. ``yes``: the other answer, with ``fields``. ``write``: makes the chart from answers; raises
    :class:`Refused`. ``read``: makes answers from a chart; None: it says more than they can. ``key``: the one
    entry of the chart that it is about; "": the whole chart."""

    chart: str
    title: str
    no: str
    yes: str
    fields: tuple[Field, ...]
    write: Callable[[Values], Any]
    read: Callable[[Any], Values | None]
    key: str = ""
    needed: tuple[str, ...] = ()
    """The fields that must be filled before the answer can be complete."""


def cost_of(text: object) -> Any:
    """A cost as charts have it; None if nothing is typed."""
    said = str(text or "").strip().replace(",", ".").replace("½", "1/2")
    if not said:
        return None
    if not _COST.fullmatch(said):
        raise Refused(f"expected a cost such as 1, 1/2 or prohibited; found {said[:20]}")
    return int(said) if said.isdigit() else said


def _cost_text(cost: Any) -> str | None:
    """A cost as it is typed; None if it differs by class or is a range."""
    return str(cost) if isinstance(cost, int | str) and not isinstance(cost, bool) else None


# -- zones of control ------------------------------------------------------------------------------

NEGATED = "negated_by_friends"
_ZONE = (
    Field("stop", "tick", "a unit that enters one must stop"),
    Field("enter", "cost", "MPs more to enter one", unsaid="nothing"),
    Field("leave", "cost", "MPs more to leave one", unsaid="nothing"),
    Field("within", "tick", "no unit may go straight from one into another", on="prohibited"),
    Field("negated", "tick", "a friendly unit in the hex takes it away there", key=NEGATED),
)
ZONES = Question(
    "zoc",
    "What do zones of control do (the six hexes next to an enemy unit)?",
    "There are none",
    "They do this:",
    _ZONE,
    _writer(
        _ZONE, "say what a zone of control does: stop, cost, or bar the way from one to the next"
    ),
    _reader(_ZONE),
)

# -- stacking --------------------------------------------------------------------------------------

COUNTERS = "counters"


def stacking(sizes: Sequence[str]) -> Question:
    """The question on stacking. ``sizes``: attributes that may hold the size of a unit."""
    limit = "say how many may be in a hex: a whole number from 1"
    when = (
        ("", "choose when"),
        ("phase-end", "at the end of the phase"),
        ("move-end", "at the end of each move"),
    )
    fields = (
        Field("limit", "number", "in a hex", needed=limit),
        Field("size", "one", "counted in", ((COUNTERS, COUNTERS), *((s, s) for s in sizes))),
        Field("checked", "one", "and it binds", when, needed="say when the limit binds"),
    )
    title, no = "How much of one side may be in a hex?", "There is no limit"
    return Question("stacking", title, no, "At most:", fields, _writer(fields), _reader(fields))


# -- roads -----------------------------------------------------------------------------------------


RIVERS = "rivers paid"


def roads(kinds: Sequence[str]) -> Question:
    """The question on roads. ``kinds``: the game's kinds of lines."""

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
        "What does a step along a road cost, instead of the terrain and slopes?",
        "There are no roads",
        "MPs for each hex:",
        (
            *(Field(kind, "cost", kind, unsaid="not said") for kind in kinds),
            Field(
                RIVERS,
                "tick",
                "rivers and the like still cost, unless there is a bridge",
            ),
        ),
        write,
        read,
        needed=tuple(kinds),
    )


# -- yes or no -------------------------------------------------------------------------------------


_ENEMY = "say what it costs to enter a hex with enemies: 0 if nothing more than its terrain"
_ENTERING = (Field("cost", "cost", "MPs more than its terrain", needed=_ENEMY),)
ENEMIES = Question(
    "enemy_hex",
    "May a unit enter a hex with enemy units?",
    "Never",
    "Yes, at a cost:",
    _ENTERING,
    _writer(_ENTERING),
    _reader(_ENTERING),
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
            "minimum",
            "one",
            "",
            (("", "not said"), ("yes", "yes, as its only step"), ("no", "no")),
            unsaid="counts as no once the chart of allowances is complete",
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
    """The state of a chart: ``no``, ``yes`` with the answers, ``more`` if it says more than they can, or ""
    if it is empty."""
    if question.key:
        value = held.get(question.key) if isinstance(held, Mapping) else None
        return ("" if value is None else "yes"), question.read(value)
    if held == NONE:
        return "no", None
    if held in (None, {}, []):
        return "", None
    values = question.read(held)
    return ("more", None) if values is None else ("yes", values)
