"""The effect of an answer to a plain question, or of all suggestions on counters, computed in the background
before anything is written."""

from __future__ import annotations

import hashlib
import re
from collections import OrderedDict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from ...importers.pack.edit.batch import make
from ...importers.pack.edit.draft import Draft
from ...importers.pack.edit.recording import Signed
from ...importers.pack.edit.units import FILE as UNITS_FILE
from ...importers.pack.facts import DeclaredPhase, Facts, Span
from ...importers.pack.files import pack_files
from ...importers.pack.load import amended, load_pack, merged, with_values
from ...importers.pack.pack import Pack
from ...importers.pack.provenance import moment
from ...importers.pack.spreadsheet import read_sheet
from ...model.finding import Audit
from ...model.problem import UmpireError
from ...model.provenance import Method
from ..auditing import audit_game
from ..reading import Told
from ..reports.shares import verdict_counts
from . import phase_desk
from .jobs import Cancelled
from .session import Studio

JOB = "what an answer would change"
NO_PHASE = "no move can be judged before a phase is known: confirm one in Phases"
OF_MOVEMENT = re.compile("mov|march|bewegung|mouvement|mech|motor", re.IGNORECASE)
"""In the name of a phase: it is probably one of movement."""
MOVE, NO_MOVEMENT = "move", "no movement"
"""The forms of the phases that the Phases view writes; see ``desk.js``."""
MOST_WAITING, MOST_KEPT = 4, 60
"""Answers waiting to be computed (the latest), and effects remembered."""


@dataclass(slots=True)
class Effects:
    """The effects of one studio, by digest of pack and facts. ``waiting``: makes the pack, and the facts.
    ``found``: counts, or an error."""

    waiting: OrderedDict[str, tuple[Callable[[], Pack], Facts]] = field(default_factory=OrderedDict)
    found: OrderedDict[str, dict[str, Any]] = field(default_factory=OrderedDict)


def effect_of(studio: Studio, values: Mapping[str, Any]) -> dict[str, Any]:
    """The effect of ``pack.toml`` with ``values``; see :func:`_effect`."""
    return _effect(
        studio, values, lambda: with_values(load_pack(studio.folder), values, "the answer")
    )


def effect_of_edits(studio: Studio, edits: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    """The effect of edits of ``units.csv`` and ``pack.toml``; see :func:`_effect`."""

    def made() -> Pack:
        draft = Draft(pack_files(studio.folder)[1], None)
        signed = Signed("", moment(), Method("program", "units"), status=None)
        for one in make(draft, edits, signed)[1]:
            raise UmpireError(one.why)
        data = draft.files()[UNITS_FILE]
        counters, _ = read_sheet(studio.folder / UNITS_FILE, data=data)
        pack = replace(load_pack(studio.folder), counters=counters)
        return with_values(pack, draft.values("pack"), "what is suggested")

    return _effect(studio, edits, made)


def _effect(studio: Studio, said: object, made: Callable[[], Pack]) -> dict[str, Any]:
    """The counts of the audit by the pack that ``made`` returns (``then``), and by the present pack
    (``now``), as in :func:`counts_of`. ``said``: the differences of that pack. If no phase is known, both
    assume the proposed phases (``perhaps``). ``then`` is None while it is computed (``working``), and if it
    cannot be computed (``error``: why)."""
    audit = studio.audit
    if audit is None or studio.work_left() is not None:
        return {"then": None, "working": True, "error": ""}
    facts, pack = studio.facts_written(), studio.pack
    known = any(judged.judged and judged.move.phase.phase for judged in audit.moves)
    perhaps = not known and not facts.phases
    if perhaps:
        facts = replace(facts, phases=proposed(studio))
        if not facts.phases:
            return {"then": None, "working": False, "error": NO_PHASE}
    told = (said, pack.sha256, pack.records_sha256, facts.sha256, facts.records_sha256)
    key = hashlib.sha256(repr(told).encode("utf-8", "surrogatepass")).hexdigest()
    effects = studio.kept("effects", Effects)
    with studio.lock:
        found = effects.found.get(key)
        if found is None:
            effects.waiting[key] = made, facts
            while len(effects.waiting) > MOST_WAITING:
                effects.waiting.popitem(last=False)
    if found is None:
        studio.jobs.begin(JOB, lambda told: _work(studio, effects, told, perhaps=perhaps))
    return {
        "then": None,
        "error": "",
        "working": found is None,
        "perhaps": perhaps,
        "now": counts_of(audit),
        **(found or {}),
    }


def _work(studio: Studio, effects: Effects, told: Told, *, perhaps: bool) -> None:
    """Compute what waits, the latest request first, until the files change. ``perhaps``: no phase is known,
    so the counts of the present pack are computed as well."""

    def told_while_so(what: str, done: int, of: int) -> None:
        if studio.work_left() is not None:
            effects.waiting.clear()
            raise Cancelled
        told(what, done, of)

    while True:
        with studio.lock:
            if not effects.waiting:
                return
            key, (made, facts) = effects.waiting.popitem()
        try:
            pack = as_guessed(made(), facts) if perhaps else made()
            would_be = audit_by(studio, amended(pack, facts), facts, told_while_so)
            then: dict[str, Any] = {"then": counts_of(would_be)}
            if perhaps and not any(then["then"].values()):
                then = {"error": NO_PHASE}
            elif perhaps:
                then["now"] = _as_proposed(studio, facts, told_while_so)
        except UmpireError as error:
            then = {"error": str(error)}
        with studio.lock:
            effects.found[key] = then
            while len(effects.found) > MOST_KEPT:
                effects.found.popitem(last=False)


def _as_proposed(studio: Studio, facts: Facts, told: Told) -> dict[str, int]:
    """The counts by the present pack with the proposed phases; computed once."""
    return studio.kept(
        "counts by proposed phases",
        lambda: counts_of(audit_by(studio, as_guessed(studio.pack, facts), facts, told)),
        studio.pack,
        key=facts.sha256,
    )


def as_guessed(pack: Pack, facts: Facts) -> Pack:
    """The pack; if it has no phases, with those of ``facts``: by their names usual phases of movement, or
    phases without any."""
    if pack.phases:
        return pack
    form = next((name for name, one in pack.forms.items() if one.judged), MOVE)
    phases = [
        {"name": name, "movers": "active", "forms": [form], "complete": True}
        if OF_MOVEMENT.search(name)
        else {"name": name, "movers": "none", "forms": [NO_MOVEMENT]}
        for name in dict.fromkeys(one.phase for one in facts.phases)
        if name
    ]
    forms = [{"name": form}, {"name": NO_MOVEMENT, "judged": False}]
    values = merged(pack.values, {"phase": phases, "form": forms})
    return with_values(pack, values, "the guessed phases")


def proposed(studio: Studio) -> tuple[DeclaredPhase, ...]:
    """The proposed phases as if they were declared; used for effects only."""
    pack = studio.pack
    sides = pack.sides or studio.evidence.module.sides

    def made() -> tuple[DeclaredPhase, ...]:
        found = phase_desk.proposals(studio, phase_desk.desk_of(studio))
        return tuple(
            DeclaredPhase(
                Span(one.first, one.last),
                one.turn or None,
                one.phase,
                one.active if one.active in sides else None,
                "",
            )
            for one in found
            if one.phase and (one.phase in pack.phases or not pack.phases)
        )

    return studio.kept("proposed phases", made, pack)


def audit_by(studio: Studio, pack: Pack, facts: Facts, told: Told) -> Audit:
    """The audit of the game by a pack and facts that are in no file, without suspicions."""
    opened = studio.evidence.with_pack(pack, facts, studio.viewer, told)
    return audit_game(opened, None, told, suspicions=False)


def counts_of(audit: Audit) -> dict[str, int]:
    """The number of moves by verdict, and the number of ``findings`` that accuse somebody."""
    return {
        **verdict_counts(audit.moves),
        "findings": sum(f.verdict == "illegal" for f in audit.findings),
    }
