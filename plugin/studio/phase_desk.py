"""Confirming a phase: what a person must see first, what he has seen, and what is then written.

A phase is confirmed segment by segment, once both borders, all dice and all steps of the other side inside it
have been on the screen. What the page reports as shown is remembered here while the studio runs.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from ...importers.ordinary import is_there
from ...importers.pack.edit.change import record_edit
from ...importers.pack.facts import LAST_STEP, DeclaredPhase, Facts, Span
from ...importers.pack.facts_file import records_of
from ...importers.pack.facts_logs import LogFinder, logs_of, on_logs
from ...importers.pack.load import wrong
from ...importers.pack.provenance import moment, read_provenance
from ...importers.pack.toml_text import parse_toml, read_bytes
from ...model.finding import Audit
from ...model.game import PhaseStart, StepRef
from ...model.logs import KnownLog, facts_name
from ...model.problem import UmpireError
from ...model.provenance import Key, Method, Record
from ..phase_proposals import Proposal, propose_for
from ..reports.shares import verdict_counts
from ..timeline import Tick, between, timeline
from .calls import whole
from .session import Studio

BESIDE = 3
"""Steps shown on either side of a border."""
VIEW = "the studio's timeline"
FIRST, LAST, DICE, FOREIGN = "first border", "last border", "dice", "the other side"


@dataclass
class Desk:
    """The timeline of the ``logs``, and the steps that have been on the screen (``seen``). ``would``: by
    segment, what its confirmation would change."""

    logs: tuple[KnownLog, ...]
    ticks: tuple[tuple[Tick, ...], ...]
    seen: set[StepRef] = field(default_factory=set)
    would: dict[str, dict[str, Any]] = field(default_factory=dict)

    @property
    def called(self) -> str:
        """The names of the logs, with the number of steps of each."""
        return ", ".join(
            f"{facts_name(self.logs, number)} {len(ticks)}"
            for number, ticks in enumerate(self.ticks, 1)
        )

    def has(self, at: StepRef) -> bool:
        """Whether the step exists."""
        return 1 <= at.log <= len(self.ticks) and any(t.at == at for t in self.ticks[at.log - 1])


@dataclass(frozen=True, slots=True)
class Segment:
    """Steps of one phase, as a person enters it. ``logs``: the names in the facts of the logs of the first
    and the last step. ``combat``: True: these steps were combat within the phase around them; False: dice and
    other sides' steps in them belong to the phase; None: not stated."""

    first: StepRef
    last: StepRef
    logs: tuple[str, str]
    turn: str
    phase: str
    active: str
    combat: bool | None

    def stanza(self) -> dict[str, Any]:
        """The ``[[phase]]`` entry for a facts file."""
        if self.first.log == self.last.log:
            steps = f"{self.first.step}-{self.last.step}"
            told: dict[str, Any] = {"log": self.logs[0], "steps": steps}
        else:
            first, last = self.ends
            told = {"first": first, "last": last}
        for key in ("turn", "phase", "active"):
            if getattr(self, key):
                told[key] = getattr(self, key)
        if self.combat is not None:
            told["combat"] = self.combat
        return told

    def declared(self) -> DeclaredPhase:
        """As a fact."""
        return DeclaredPhase(
            Span(self.first, self.last),
            self.turn or None,
            self.phase or None,
            self.active or None,
            "the studio",
            self.combat,
            steps=self.cell,
        )

    def plain(self) -> dict[str, Any]:
        """As JSON for the page."""
        told = {"first": str(self.first), "last": str(self.last), "turn": self.turn}
        return {**told, "phase": self.phase, "active": self.active, "combat": self.combat}

    @property
    def ends(self) -> tuple[str, str]:
        """The first and the last step, in the form of the facts."""
        return f"{self.logs[0]}:{self.first.step}", f"{self.logs[1]}:{self.last.step}"

    @property
    def cell(self) -> str:
        """The steps, in the form of a record."""
        return "-".join(self.ends)

    @property
    def name(self) -> str:
        """The steps, in the form of the page."""
        return f"{self.first}-{self.last}"


def desk_of(studio: Studio) -> Desk:
    """The desk of a studio."""
    history = studio.evidence.history
    return studio.kept(
        "phases", lambda: Desk(logs_of(history.logs), timeline(history, studio.viewer))
    )


def step_ref(text: object) -> StepRef:
    """``log:step`` as a step."""
    log, step = (whole(part, 9) for part in str(text).partition(":")[::2])
    if log is None or step is None:
        raise UmpireError(
            f"is not a step: {str(text)[:40]!r}", expected="a log and a step, such as 2:17"
        )
    return StepRef(log, step)


def segment_of(desk: Desk, body: Mapping[str, Any]) -> Segment:
    """The segment that a page names. Raises :class:`UmpireError` if its steps do not exist."""
    first, last = step_ref(body.get("first")), step_ref(body.get("last"))
    if first > last:
        raise UmpireError("the last step is before the first")
    for at in (first, last):
        if not desk.has(at):
            raise UmpireError(f"there is no {at.said}")
    turn, phase, active = (_text(body.get(key)) for key in ("turn", "phase", "active"))
    combat = body.get("combat")
    logs = facts_name(desk.logs, first.log), facts_name(desk.logs, last.log)
    told = combat if isinstance(combat, bool) else None
    return Segment(first, last, logs, turn, phase, active, told)


def _text(value: object) -> str:
    text = " ".join(str(value or "").split())[:80]
    if text in ("?", "-") or "/" in text:
        raise UmpireError(f"{text!r} cannot stand for a turn, a phase or a side")
    return text


def to_see(desk: Desk, segment: Segment) -> dict[StepRef, tuple[str, ...]]:
    """The steps that must be seen before a segment may be confirmed, each with the reason."""
    found: dict[StepRef, list[str]] = {}
    for border, why in ((segment.first, FIRST), (segment.last, LAST)):
        log = desk.ticks[border.log - 1]
        at = next(i for i, tick in enumerate(log) if tick.at == border)
        for tick in log[max(0, at - BESIDE) : at + BESIDE + 1]:
            found.setdefault(tick.at, []).append(why)
    for tick in between(desk.ticks, segment.first, segment.last):
        if tick.dice:
            found.setdefault(tick.at, []).append(DICE)
        if tick.moved and tick.sure and segment.active and tick.side not in ("", segment.active):
            found.setdefault(tick.at, []).append(FOREIGN)
    return {at: tuple(found[at]) for at in sorted(found)}


def unseen(desk: Desk, segment: Segment) -> list[StepRef]:
    """Those of them that have not been on the screen yet."""
    return [at for at in to_see(desk, segment) if at not in desk.seen]


def facts_now(studio: Studio) -> Facts:
    """The facts by the present file, for the open logs. Raises :class:`WrongPack`."""
    facts, problems = on_logs(_facts_written(studio), logs_of(studio.evidence.history.logs))
    if any(problem.severity == "error" for problem in problems):
        raise wrong(facts.file, [p for p in problems if p.severity == "error"])
    return facts


def _facts_written(studio: Studio) -> Facts:
    """The facts by the present file, for all logs."""
    return replace(studio.facts_written(), digests=studio.evidence.digests)


def stanzas(studio: Studio) -> list[dict[str, Any]]:
    """The ``[[phase]]`` entries of the facts file as written."""
    if not is_there(studio.facts):
        return []
    values, _ = parse_toml(read_bytes(studio.facts), studio.facts.name)
    return [dict(one) for one in values.get("phase", ())]


def edits_to_confirm(studio: Studio, desk: Desk, segment: Segment) -> list[dict[str, Any]]:
    """The edits that write a confirmed segment. Raises :class:`UmpireError` if it may not be confirmed."""
    left = unseen(desk, segment)
    if left:
        shown = ", ".join(map(str, left[:5])) + (" …" if len(left) > 5 else "")
        raise UmpireError(f"not all has been looked at yet: {shown}")
    if not segment.phase:
        raise UmpireError("say which phase it is")
    if segment.phase not in studio.pack.phases:
        raise UmpireError(
            f"the pack has no phase {segment.phase}", hint="say first what kind of phase it is"
        )
    if not studio.who:
        raise UmpireError("say your name first; it stands beside what you confirm")
    if segment.stanza() in stanzas(studio):
        raise UmpireError("this phase is in the facts already")
    for known in facts_now(studio).phases:
        if _cross(known.span, segment):
            last = "the end" if known.span.last is None else str(known.span.last)
            raise UmpireError(
                f"overlaps the phase {known.value} of {known.span.first} to {last}",
                hint="a phase within another, or apart from it",
            )
    key, value = Key(segment.cell, "phase"), segment.declared().value
    method = Method(studio.by, VIEW)
    return [
        {"kind": "stanza", "file": "facts", "table": "phase", "was": None, "now": segment.stanza()},
        record_edit(key, None, Record(key, value, "looked-at", (studio.who,), moment(), method)),
    ]


def edits_to_remove(studio: Studio, body: Mapping[str, Any]) -> list[dict[str, Any]]:
    """The edits that remove a phase and its record from the facts."""
    first = step_ref(body.get("first"))
    last = None if body.get("last") in (None, "") else step_ref(body.get("last"))
    written = stanzas(studio)
    facts = _facts_written(studio)
    finder = LogFinder(facts, desk_of(studio).logs)
    for stanza, known in zip(written, facts.phases, strict=True):
        span = finder.span(known.span)
        if isinstance(span, Span) and (span.first, end_of(span)) == (first, last):
            edits: list[dict[str, Any]] = [
                {"kind": "stanza", "file": "facts", "table": "phase", "was": stanza, "now": None}
            ]
            held = record_held(studio, known.key.cell)
            if held is not None:
                edits.append(record_edit(held.key, held, None))
            return edits
    raise UmpireError("the facts file has no such phase")


def record_held(studio: Studio, cell: str) -> Record | None:
    """The record of a phase; None if it has none."""
    path = records_of(studio.facts)
    records = read_provenance(path)[0] if is_there(path) else ()
    return next((r for r in records if r.key.cell == cell and r.key.layer == "phase"), None)


def end_of(span: Span) -> StepRef | None:
    """The last step of a span; None if it is open."""
    last = span.last
    return None if last is None or last.step >= LAST_STEP else last


def _cross(known: Span, new: Segment) -> bool:
    """Whether two spans overlap without one lying within the other, or are equal."""
    last = known.last or StepRef(LAST_STEP, LAST_STEP)
    if last < new.first or new.last < known.first:
        return False
    if (known.first, last) == (new.first, new.last):
        return True
    inside = known.first <= new.first and new.last <= last
    around = new.first <= known.first and last <= new.last
    return not (inside or around)


def proposals(studio: Studio, desk: Desk) -> tuple[Proposal, ...]:
    """The phases that the program proposes, by the present pack."""
    evidence = studio.evidence
    return propose_for(studio.pack, evidence.module, evidence.seen_by(studio.viewer), desk.ticks)


def told_by(studio: Studio, first: StepRef, last: StepRef) -> str:
    """The source that already gives the phase of these steps for certain (a tracker that the pack vouches
    for); "" if there is none."""
    opened = studio.opened
    starts = [e for e in opened.game.events if isinstance(e, PhaseStart)] if opened else []
    before = [start for start in starts if start.at <= first][-1:]
    every = [*before, *(start for start in starts if first < start.at <= last)]
    sure = before and all(e.certain and e.phase and not e.declared for e in every)
    return every[-1].source if sure else ""


def moves_in(audit: Audit | None, spans: Sequence[tuple[StepRef, StepRef]]) -> list[dict[str, int]]:
    """How many moves end in each of these spans, by verdict; all 0 without an audit."""
    judged = [one for one in audit.moves if one.judged and one.move.steps] if audit else []
    counts = (
        verdict_counts(one for one in judged if first <= one.move.steps[-1] <= last)
        for first, last in spans
    )
    return [{"moves": sum(one.values()), **one} for one in counts]
