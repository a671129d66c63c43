"""The calls of the Phases view: the timeline, proposals, what a person must see, and confirming."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import asdict, replace
from typing import Any

from ...importers.pack.edit.change import toml_edit
from ...importers.pack.pack import ASPECTS
from ...importers.vassal.actors import actors_seen
from ...model.game import StepRef
from ...model.patterns import Effort, PatternError, compile_pattern
from ...model.problem import UmpireError
from ...model.table import Step
from ...model.unit import NAMELESS
from ...model.visibility import UNSEEN
from ..narrative import step_told
from ..reading import Told
from ..timeline import Tick, between, day_saved, marks_cleared, said
from . import phase_desk
from .calls import Call
from .core_calls import edited
from .effects import OF_MOVEMENT, audit_by
from .phase_desk import Desk, Segment, desk_of, moves_in, segment_of, step_ref
from .session import Studio

MOST_ROWS = 300
MOST_LINES = 200
MOST_SPANS = 500
MOST_EFFORT = 20_000_000
FEW_MOVES = 6


def phases(studio: Studio, _body: Mapping[str, Any]) -> Any:
    """Everything the timeline shows."""
    desk = desk_of(studio)
    sides = list(studio.pack.sides or studio.evidence.module.sides)
    facts = phase_desk.facts_now(studio)
    found = phase_desk.proposals(studio, desk)
    ends = [(p.first, p.last) for p in found]
    counts = moves_in(studio.audit, ends)
    proposed = [
        {
            **asdict(one),
            "first": str(one.first),
            "last": str(one.last),
            **count,
            "known": phase_desk.told_by(studio, one.first, one.last),
        }
        for one, count in zip(found, counts, strict=True)
    ]
    return {
        "sides": sides,
        "phases": list(studio.pack.phases),
        "forms": list(studio.pack.forms),
        "of_movement": OF_MOVEMENT.pattern,
        "logs": [
            {
                "log": number,
                "name": path.name,
                "saved": day_saved(path),
                "steps": [_tick(tick, sides) for tick in desk.ticks[number - 1]],
            }
            for number, path in enumerate(studio.logs, 1)
        ],
        "confirmed": [
            {
                "first": str(known.span.first),
                "last": str(end) if (end := phase_desk.end_of(known.span)) is not None else "",
                "turn": known.turn or "",
                "phase": known.phase or "",
                "active": known.active or "",
                "combat": known.combat,
                "known": not known.suggested,
            }
            for known in facts.phases
        ],
        "proposed": proposed,
        "patterns": [
            source.pattern.text if source.pattern is not None else ""
            for source in studio.pack.phase_sources
            if source.kind == "chat"
        ],
        "would": desk.would,
        "corrected": studio.keepsake.corrected_of(desk.called),
    }


def _tick(tick: Tick, sides: list[str]) -> list[int]:
    """A step in few numbers: its number, the side (-1: not known), pieces moved, rolls, lines, taken back."""
    side = sides.index(tick.side) if tick.side in sides else -1
    return [tick.at.step, side, tick.moved, tick.dice, len(tick.lines), int(tick.undo)]


def inspect(studio: Studio, body: Mapping[str, Any]) -> Any:
    """What a person must look at before a segment may be confirmed, a row for each step."""
    desk = desk_of(studio)
    segment = segment_of(desk, body)
    wanted = phase_desk.to_see(desk, segment)
    rows = _rows(studio, wanted)
    for row in rows:
        at = step_ref(row["at"])
        row["because"] = list(wanted[at])
        row["seen"] = at in desk.seen
    spans = [(segment.first, segment.last)]
    return {"rows": rows, "counts": moves_in(studio.audit, spans)[0]}


def steps(studio: Studio, body: Mapping[str, Any]) -> Any:
    """A row for each of a range of steps, at most as many as are shown at once."""
    desk = desk_of(studio)
    first, last = step_ref(body.get("first")), step_ref(body.get("last"))
    wanted = [tick.at for tick in between(desk.ticks, first, last)]
    return {"rows": _rows(studio, wanted[:MOST_ROWS]), "more": max(0, len(wanted) - MOST_ROWS)}


def _rows(studio: Studio, wanted: Iterable[StepRef]) -> list[dict[str, Any]]:
    asked = dict.fromkeys(wanted)
    found: dict[StepRef, list[Step]] = {at: [] for at in asked}
    for number in {at.log for at in asked}:
        current = StepRef(number, 0)
        for step in actors_seen(studio.evidence.history.logs[number - 1], studio.viewer).steps:
            current = StepRef(number, step.engine_number) if step.engine_number else current
            if current in found:
                found[current].append(step)
    return [_row(at, steps, studio) for at, steps in found.items()]


def _row(at: StepRef, steps: list[Step], studio: Studio) -> dict[str, Any]:
    told = [step_told(step, studio.viewer) for step in steps]
    actor = next((step.actor for step in steps if step.actor is not None), None)
    moves = [move for one in told for move in one["moves"]]
    return {
        "at": str(at),
        "side": actor.who.side if actor is not None else "",
        "sure": actor is not None and actor.known_by == "move",
        "moves": [_move(move) for move in moves[:FEW_MOVES]],
        "more": max(0, len(moves) - FEW_MOVES),
        "turns": [f"{turn['tracker']}: {turn['after']}" for one in told for turn in one["turns"]],
        "dice": [str(roll["text"] or roll["dice"]) for one in told for roll in one["dice"]],
        "chat": [
            text
            for step in steps
            for line in step.chat
            if line.kind == "player" and (text := said(line))
        ],
        "undo": any(step.undoing is not None for step in steps),
        "cleared": sum(marks_cleared(step, studio.viewer) for step in steps),
    }


def _move(move: Mapping[str, Any]) -> dict[str, str]:
    """A move in words, and the id of its counter, if the viewer may know it."""

    def place(of: Mapping[str, Any] | None) -> str:
        return "off the map" if of is None else str(of.get("location") or of.get("map") or "?")

    piece, name = move.get("piece") or "", move.get("name") or UNSEEN
    called = NAMELESS if piece and name == UNSEEN else name
    text = f"{called}: {place(move.get('from'))} → {place(move.get('to'))}"
    return {"text": text, "face": piece}


def counts(studio: Studio, body: Mapping[str, Any]) -> Any:
    """How many moves end in each of the ``spans`` (``1:5-1:17 1:18-1:20``), by present verdict."""
    named = [one.partition("-") for one in str(body.get("spans", "")).split()[:MOST_SPANS]]
    spans = [(step_ref(first), step_ref(last)) for first, _, last in named]
    return {"counts": moves_in(studio.audit, spans)}


def seen(studio: Studio, body: Mapping[str, Any]) -> Any:
    """Note that these steps have been on the screen."""
    desk = desk_of(studio)
    named = body.get("steps")
    found = {step_ref(one) for one in named} if isinstance(named, list) else set()
    with studio.lock:
        desk.seen |= {at for at in found if desk.has(at)}
    return {"seen": len(desk.seen)}


def confirm(studio: Studio, body: Mapping[str, Any]) -> Any:
    """Write one segment into the facts, with the record of who looked."""
    desk = desk_of(studio)
    segment = segment_of(desk, body)
    with studio.lock:
        edits = phase_desk.edits_to_confirm(studio, desk, segment)
        return edited(studio, edits, f"phase {segment.phase}, steps {segment.name}")


def remove(studio: Studio, body: Mapping[str, Any]) -> Any:
    """Remove a phase from the facts."""
    with studio.lock:
        edits = phase_desk.edits_to_remove(studio, body)
        return edited(studio, edits, f"phase of {body.get('first')} taken out")


_ASPECTS = {"active": "side"}
_BLANK = re.compile(r"(\{(?:turn|side|phase)\})")


def pattern_of(line: str, sides: Iterable[str] = (), phases: Iterable[str] = ()) -> str:
    """The pattern for a chat line with ``{turn}``, ``{phase}`` and ``{side}`` in their places; a pattern
    stays as it is. ``sides``, ``phases``: the only words allowed there; none: any. A turn is a word, or one
    with a decimal or a year behind it: ``1.5``, ``June 1941``."""
    if "(?P<" in line:
        return line
    blanks = {
        "{turn}": r"(?P<turn>[^ ,.;:]+(?:\.[0-9]+| [0-9]{4})?)",
        "{phase}": f"(?P<phase>{_one_of(phases) or '[^,.;:]+'})",
        "{side}": f"(?P<active>{_one_of(sides) or '[^ ,.;:]+'})",
    }
    parts = _BLANK.split(line.strip())
    return "".join(blanks.get(part) or _literal(part) for part in parts)


def _literal(text: str) -> str:
    return re.escape(text).replace(r"\ ", " ")


def _one_of(words: Iterable[str]) -> str:
    """A pattern for any of some whole words."""
    found = sorted(filter(None, words), key=len, reverse=True)
    return "|".join(re.sub(r"^(?=\w)|(?<=\w)$", r"\\b", _literal(word)) for word in found)


def _pattern_written(studio: Studio, body: Mapping[str, Any]) -> str:
    """The pattern of the line that a page sends. Raises :class:`UmpireError` if a placeholder occurs
    twice."""
    line = str(body.get("pattern", ""))
    found = _BLANK.findall(line)
    for blank in found:
        if found.count(blank) > 1:
            raise UmpireError(f"write {blank} only once")
    return pattern_of(line, studio.pack.sides or studio.evidence.module.sides, studio.pack.phases)


def try_pattern(studio: Studio, body: Mapping[str, Any]) -> Any:
    """The chat lines of these logs that a line, or a pattern, matches."""
    desk = desk_of(studio)
    try:
        text = _pattern_written(studio, body)
        if not text:
            return {"problem": "", "count": 0, "lines": []}
        pattern = compile_pattern(text, Effort(MOST_EFFORT))
    except (PatternError, UmpireError) as error:
        return {"problem": str(error), "count": 0, "lines": []}
    problem, sides = "", studio.pack.sides or studio.evidence.module.sides
    if not set(pattern.names) & set(ASPECTS):
        problem = "write {turn}, {phase} or {side} in their places in the line"
    lines = []
    for tick in (tick for log in desk.ticks for tick in log):
        for line in tick.lines:
            found = pattern.search(line)
            if found is not None:
                told = found.groupdict()
                groups = {_ASPECTS.get(k, k): told[k] for k in ASPECTS if told.get(k)}
                side = groups.get("side")
                if side and sides and side not in sides:
                    groups["side"] = f"{side} (no side of this game)"
                lines.append(
                    {"at": str(tick.at), "side": tick.side, "text": line, "groups": groups}
                )
    return {"problem": problem, "count": len(lines), "lines": lines[:MOST_LINES]}


def keep_pattern(studio: Studio, body: Mapping[str, Any]) -> Any:
    """Write the pattern of a line into the pack; it then proposes phases, in these logs and in new ones."""
    tried = try_pattern(studio, body)
    if tried["problem"] or not tried["count"]:
        raise UmpireError(tried["problem"] or "no line of these logs is like this")
    held = studio.pack.values.get("phases", {}).get("from")
    was = None if held is None else [dict(one) for one in held]
    new = {"chat": _pattern_written(studio, body)}
    if new in (was or []):
        raise UmpireError("the pack has this line already")
    edit = toml_edit(("phases", "from"), was, [*(was or []), new])
    return edited(studio, [edit], "line of the chat")


def corrected(studio: Studio, body: Mapping[str, Any]) -> Any:
    """The segments corrected by hand; kept for the page and the next run, but not entered."""
    desk, told = desk_of(studio), body.get("segments")
    if not isinstance(told, list) or len(told) > MOST_SPANS:
        raise UmpireError(f"expected at most {MOST_SPANS} segments", where="segments")
    kept = [segment_of(desk, one).plain() for one in told if isinstance(one, Mapping)]
    with studio.lock:
        studio.keepsake.correct(desk.called, kept)
    studio.keep()
    return {}


def would(studio: Studio, body: Mapping[str, Any]) -> Any:
    """Start computing the verdicts that would follow if a segment were confirmed; nothing is entered."""
    desk = desk_of(studio)
    segment = segment_of(desk, body)
    desk.would.pop(segment.name, None)
    begun = studio.jobs.begin("what would be", lambda told: _judge(studio, desk, segment, told))
    if not begun:
        raise UmpireError("this is being worked out for another segment; wait until it is done")
    return {}


def _judge(studio: Studio, desk: Desk, segment: Segment, told: Told) -> None:
    facts = phase_desk.facts_now(studio)
    with_it = replace(facts, phases=(*facts.phases, segment.declared()))
    audit = audit_by(studio, studio.pack, with_it, told)
    (counts,) = moves_in(audit, [(segment.first, segment.last)])
    with studio.lock:
        desk.would[segment.name] = {**counts, "phase": segment.phase, "active": segment.active}


CALLS: tuple[Call, ...] = (
    Call("GET", "/api/phases", phases),
    Call("GET", "/api/phases/inspect", inspect),
    Call("GET", "/api/phases/steps", steps),
    Call("GET", "/api/phases/counts", counts),
    Call("GET", "/api/phases/try", try_pattern),
    Call("POST", "/api/phases/seen", seen),
    Call("POST", "/api/phases/would", would),
    Call("POST", "/api/phases/corrected", corrected, writes=True),
    Call("POST", "/api/phases/confirm", confirm, writes=True),
    Call("POST", "/api/phases/remove", remove, writes=True),
    Call("POST", "/api/phases/pattern", keep_pattern, writes=True),
)
