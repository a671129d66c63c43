"""What looks like turns and phases in a module and its logs: trackers, global properties, markers on tracks,
chat. Signs only: which of them tell, and whether players keep them up, is for a person to say."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from ...model.entities import resolved
from ...model.stanza import Entry
from ...model.table import TableHistory
from ...model.viewer import Viewer
from ...model.visibility import look
from ..vassal.module import Module
from ..vassal.turns import CounterLevel, ListLevel, TurnLevel
from .new_board import literal

MOST_EXAMPLES = 6
MOST_VALUES = 12
_TAG = re.compile(r"<[^<>]{0,200}>")
_SAID = re.compile(r"^(?:<.*?>|&lt;.*?&gt;) - ")
PHASE_WORDS = (
    "airborne|air|arrival|attack|bombardment|breakthrough|combat|command|end|exploitation|fire|logistics"
    "|march|melee|movement|move|naval|operations|rally|reaction|reinforcement|replacement|retreat|supply|weather"
)
_PHASE = re.compile(rf"\b(?:phase|segment|{PHASE_WORDS})s?\b", re.IGNORECASE)
_CHAT = re.compile(
    r"\b(?:phase|segment|movement|combat|turn [0-9]+|game turn|moves? (?:first|now)|end of (?:turn|move))\b",
    re.IGNORECASE,
)
_CALLED = re.compile(r"\b([A-Z]\w*(?: (?:& |and |of )?[A-Z]\w*){0,4}) [Pp]hase\b")
_NAMES = re.compile(r"phase|turn|round|active|segment|impulse|initiative|season|day", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Sign:
    """A source that may tell turn, phase or active side: a table of ``[[phases.from]]`` as it would be
    written, and ``seen``, what it showed."""

    source: Mapping[str, Entry]
    seen: tuple[str, ...]


def phase_signs(
    module: Module, history: TableHistory | None, sides: Sequence[str], viewer: Viewer
) -> list[Sign]:
    """All signs, trackers first."""
    found = list(tracker_signs(module, history, sides))
    if history is not None:
        found.extend(_globals(history, sides))
        found.extend(_markers(history, viewer))
        found.extend(_chat(history, sides))
    return found


def tracker_signs(
    module: Module, history: TableHistory | None, sides: Sequence[str]
) -> Iterator[Sign]:
    """Those of turn trackers, a sign for each level that may tell something."""
    for tracker in module.turn_trackers:
        shown: dict[str, None] = {}
        for log in history.logs if history is not None else ():
            shown[log.opening.turns.get(tracker.name, "")] = None
            for step in log.steps:
                shown.update((t.new_value, None) for t in step.turns if t.tracker == tracker.name)
        seen = tuple(text.strip() for text in shown if text.strip())[:MOST_EXAMPLES]
        patterns = dict.fromkeys(p for level in tracker.levels for p in _level(level, sides))
        for pattern in patterns:
            yield Sign({"turn_tracker": tracker.name, "pattern": pattern}, seen)


def _level(level: TurnLevel, sides: Sequence[str]) -> Iterator[str]:
    if isinstance(level, CounterLevel):
        yield "(?P<turn>[0-9]+)"
    elif isinstance(level, ListLevel):
        yield from _patterns(level.values, sides)
    for inner in level.children:
        yield from _level(inner, sides)


def _patterns(values: Sequence[str], sides: Sequence[str]) -> Iterator[str]:
    """Patterns for texts of which each stands for one of ``values``."""
    wanted = [value for value in dict.fromkeys(v.strip() for v in values) if value]
    short = [literal(value) for value in wanted if len(value) <= 60][:MOST_VALUES]
    if not short:
        return
    in_them = [side for side in sides if any(side in value for value in wanted)]
    if in_them:
        yield f"(?P<active>{'|'.join(literal(side) for side in in_them)})"
    if any(_PHASE.search(value) for value in wanted):
        yield f"(?P<phase>{'|'.join(short)})"
    elif not in_them:
        yield f"(?P<turn>{'|'.join(short)})"


def _globals(history: TableHistory, sides: Sequence[str]) -> Iterator[Sign]:
    values: dict[str, Counter[str]] = {}
    for step in history.steps:
        dice = tuple(f"{roll.dice}_" for roll in step.rolls if roll.dice)
        for change in step.globals:
            if not change.name.startswith(dice or ("\0",)):
                values.setdefault(change.name, Counter())[change.new_value] += 1
    for name, counts in values.items():
        shown = [value for value in counts if value.strip()]
        of_sides = len(shown) > 0 and all(value in sides for value in shown)
        if not name or not shown or len(shown) > MOST_VALUES or max(map(len, shown)) > 60:
            continue
        if not of_sides and not _NAMES.search(name):
            continue
        aspect = (
            "active" if of_sides else "turn" if re.search("turn|round|day", name, re.I) else "phase"
        )
        pattern = f"^(?P<{aspect}>{'|'.join(map(literal, shown))})$"
        yield Sign({"global": name, "pattern": pattern}, tuple(shown[:MOST_EXAMPLES]))


def _markers(history: TableHistory, viewer: Viewer) -> Iterator[Sign]:
    """Pieces called turn or phase that are moved from place to place."""
    places: dict[str, dict[str, None]] = {}
    for step in history.steps:
        for change in step.changes:
            piece = change.after
            if piece is None or not re.search(r"\b(turn|phase|round)\b", piece.basic_name, re.I):
                continue
            if look(piece, viewer).known and piece.location:
                places.setdefault(piece.basic_name, {})[piece.location] = None
    for name, seen in places.items():
        if len(seen) > 1:
            source = {"marker": f"^{literal(name)}$", "pattern": "(?P<turn>[0-9]+)"}
            yield Sign(source, tuple(seen)[:MOST_EXAMPLES])


def _chat(history: TableHistory, sides: Sequence[str]) -> Iterator[Sign]:
    lines: dict[str, None] = {}
    for step in history.steps:
        for line in step.chat:
            if line.kind == "player":
                text = resolved(_TAG.sub("", _SAID.sub("", line.text, count=1))).strip()
                if len(text) <= 80 and _CHAT.search(text):
                    lines[text] = None
    if not lines:
        return
    seen = tuple(lines)
    some = sides if any(side in text for text in seen for side in sides if side) else ()
    called = dict.fromkeys(name for text in seen for name in _CALLED.findall(text))
    names = "|".join(map(literal, list(called)[:MOST_VALUES]))
    phase = f"(?P<phase>{names}) [Pp]hase" if names else "(?P<phase>[Mm]ovement|[Cc]ombat)"
    told: dict[str, Entry] = {}
    if not names:
        translate = {word.lower(): word for word in ("Movement", "Combat")}
        told["translate"] = {"phase": translate}
    parts = [phase]
    if some and not names:
        parts.insert(0, f"(?P<active>{'|'.join(map(literal, some))}) ")
    shown = (f"{len(seen)} lines", *seen[:MOST_EXAMPLES]) if len(seen) > MOST_EXAMPLES else seen
    yield Sign({"chat": "".join(parts), **told}, shown)
    if any(re.search(r"[Tt]urn [0-9]+", text) for text in seen):
        yield Sign({"chat": "[Tt]urn (?P<turn>[0-9]+)"}, ())
