"""What the moves show about numbers that a pack's charts lack, in words and as plain values."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from ..model.bill import written
from ..validators.chart_from_moves.asking import Asked, ask
from ..validators.chart_from_moves.ground import NONE, PROHIBITED, Number
from ..validators.chart_from_moves.numbers import ClassFindings, Evidence, Finding, text_of
from .auditing import Opened, ruleset_for
from .reading import Told, silent
from .reports.phrases import counted

CAUSES = (
    "Look at these: the map may be wrong there, the unit may have moved by another form of movement, the "
    "phase may have begun elsewhere, or the unit was in another state."
)
GRANTED = (
    "this holds if nothing else lets a unit go further: the pack does not say yet that its charts of "
    "allowances and of other rules are complete"
)
NOTHING_COUNTS = (
    "These are suggestions, and none of them counts yet. Compare them with the rulebook, and type what it "
    "says."
)


def asked_of(opened: Opened, told: Told = silent) -> Asked:
    """What the moves of a game show about the numbers that its pack's charts lack. Raises UmpireError if the
    ruleset has no such charts."""
    ruleset = ruleset_for(opened.game, None)[0]
    tables = getattr(ruleset.in_force(opened.game), "tables", {})

    def said(cls: str, tried: int) -> None:
        told(f"asking the moves of {cls}", tried, 0)

    return ask(opened.game, ruleset, tables, said)


def confirmed_lines(pack: Mapping[str, Any]) -> Iterator[str]:
    """A line for each number in a pack's charts that moves proposed and a person found in the rulebook.
    ``pack``: the values of pack.toml. Numbers changed since are left out."""
    for name, one in pack.get("from_moves", {}).items():
        held: Any = pack
        for part in one["path"]:
            held = held.get(part) if isinstance(held, Mapping) else None
        if isinstance(held, Mapping):
            held = held.get(one.get("class"), held.get("others"))
        if str(held) == one["value"]:
            found = f"found in the rulebook by {one['who']}, {one['when'][:10]}"
            yield f"{name} ({one['value']}): proposed from moves, {found}"


def status(one: Finding) -> str:
    """``pinned``, ``between``, ``not pinned`` (for a given reason) or ``no evidence``."""
    if one.low is None:
        return "no evidence"
    if one.is_pinned:
        return "pinned"
    return "not pinned" if one.low == one.high else "between"


def value_text(one: Finding) -> str:
    """The number in words: ``pinned at 3``, ``between 2 and 4``, ``2 or more``, ``no evidence``, or ``perhaps
    3`` if a pin is withheld."""
    if one.low is None or one.high is None:
        return "no evidence"
    if one.low == one.high:
        return f"{'pinned at' if one.is_pinned else 'perhaps'} {text_of(one.low)}"
    if one.high in (PROHIBITED, NONE):
        return f"{text_of(one.low)} or more"
    return f"between {text_of(one.low)} and {text_of(one.high)}"


def evidence_text(one: Finding) -> str:
    """The evidence, hard and soft apart."""
    if one.low is None:
        return {
            "terrain": "no move needs to enter it: prohibited, dear, or nobody went there; please decide",
            "hexsides": "no move needs to cross one: prohibited, dear, or in nobody's way; please decide",
            "roads": "no move needs it: no help, or nobody used it; please decide",
        }[one.number.table]
    parts = [*_against(one.dearer), *_against(one.cheaper)]
    if one.dearer is None:
        parts.insert(0, "nothing rules out more")
    if one.cheaper is None and one.low > 0:
        parts.append("nothing rules out less")
    return "; ".join((*parts, one.withheld) if one.withheld else parts)


def _against(one: Evidence | None) -> Iterator[str]:
    if one is None:
        return
    if one.moves:
        moves, phases = counted(one.moves, "move"), counted(one.phases, "phase")
        yield f"at {text_of(one.value)}, {moves} in {phases} would be impossible"
    else:
        visits = counted(round(one.missed), "visit")
        yield f"at {text_of(one.value)}, {visits} would be expected where nobody went"


def left_out_lines(asked: Asked) -> Iterator[str]:
    """The assumptions; and the moves and classes that give no evidence, with the reason."""
    if asked.granted:
        yield GRANTED
    for reason, number in asked.left_out.items():
        yield f"{counted(number, 'move')} left out: {reason}"
    for cls, reason in asked.not_asked.items():
        yield f"{cls} is not asked: {reason}"


def plain(asked: Asked) -> dict[str, Any]:
    """As JSON values, by the published schema ``suggest-chart``."""
    return {
        "format": "vassal-umpire suggest-chart",
        "version": 1,
        "classes": [_class(one) for one in asked.classes],
        "left_out": [*left_out_lines(asked)],
        "class_names": [*asked.names],
        "nothing_missing": not asked.missing,
    }


def _class(one: ClassFindings) -> dict[str, Any]:
    return {
        "class": one.cls,
        "moves": one.moves,
        "phases": one.phases,
        "numbers": [
            {
                "chart": found.number.table,
                "row": found.number.name,
                "status": status(found),
                "says": value_text(found),
                "value": text_of(found.low) if found.low is not None and found.is_pinned else None,
                "evidence": evidence_text(found),
                "path": [*path_of(found.number)],
            }
            for found in one.findings
        ],
        "unexplained": [*unexplained_lines(one)],
    }


def path_of(number: Number) -> tuple[str, ...]:
    """Where a pack types a number."""
    if number.table == "terrain":
        return "rules", "terrain", "costs", number.name
    return "rules", number.table, number.name, "cost"


def unexplained_lines(one: ClassFindings) -> Iterator[str]:
    """Moves that the chart does not explain, a line each; those farthest beyond their allowance come
    first."""
    for found in one.unexplained:
        over = (
            "no way at all"
            if found.over is None
            else f"{written(found.over)} MP beyond the allowance"
        )
        yield f"{found.trip.label}: {over}"
