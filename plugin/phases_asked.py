"""Questions about a phase, with the phase that the steps may be and what speaks for it: to be confirmed by a
person, and refused as long as he has not put its name in."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace

from ..model.fact import MissingFact
from ..model.finding import Audit
from ..model.game import StepRef
from ..model.logs import logs_among, with_log_names
from ..model.stanza import BLANK, comment, stanza
from ..model.viewer import Viewer
from .auditing import Opened
from .phase_proposals import Proposal, propose_for
from .reports.json import unknowns_of
from .timeline import timeline

MOST = 6
"""So many phases are proposed for the steps of one question."""
_STEPS = re.compile(r"phase of log (\d+) steps (\d+)(?:-(\d+))?")
_SIGNS = "\n# signs: "
_NO_PHASE = f'\nphase = "{BLANK}"'


def with_proposals(opened: Opened, shown: Audit, viewer: Viewer) -> Audit:
    """``shown``, which ``viewer`` may read, where the stanzas of questions about a phase say what it may be,
    by the signs that the studio's view of phases has; nothing else of it is other."""
    asked = [
        one
        for one, _ in unknowns_of(shown).values()
        if _STEPS.fullmatch(one.key) and _NO_PHASE in one.stanza
    ]
    back = opened.backdrop
    if not asked or back is None:
        return shown
    history = back.evidence.seen_by(viewer)
    found = propose_for(back.pack, back.evidence.module, history, timeline(history, viewer))
    logs = logs_among(shown.sources)
    texts = {one.key: "\n\n".join(_stanzas(one, found)) for one in asked}
    named = {key: with_log_names(text, logs) for key, text in texts.items() if text}
    return shown.asking(lambda one: replace(one, stanza=named.get(one.key, one.stanza)))


def proposes(text: str) -> bool:
    """Whether a stanza says what a phase may be."""
    return _SIGNS in text


def _stanzas(asked: MissingFact, found: Sequence[Proposal]) -> Iterator[str]:
    """For each phase that is proposed among the steps asked about what to write, with the signs."""
    told = _STEPS.fullmatch(asked.key)
    assert told is not None
    log, begin, end = (int(number or told[2]) for number in told.groups())
    named = [one for one in found if one.phase and one.first.log == log]
    within = [one for one in named if one.first.step <= end and one.last.step >= begin]
    for one in within[:MOST]:
        first = max(one.first, StepRef(log, begin)).step
        last = min(one.last, StepRef(log, end)).step
        steps = f"{first}-{last}" if first != last else f"{first}"
        text = stanza(
            "[[phase]]",
            {
                "log": log,
                "steps": steps,
                "turn": one.turn or BLANK,
                "phase": BLANK,
                "active": one.active or BLANK,
            },
        )
        perhaps = comment(f"perhaps {one.phase}: look at the steps, then put the phase in")
        signs = comment(f"{_SIGNS[3:]}{'; '.join(dict.fromkeys(one.why))}")
        yield text.replace(_NO_PHASE, f"{_NO_PHASE}  {perhaps}") + f"\n{signs}" if text else ""
