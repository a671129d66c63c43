"""Questions about a phase, with suggestions and the reasons for them. A person must type what he confirms:
facts with a question mark in them are refused."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace

from ..model.fact import MissingFact
from ..model.finding import Audit, PhaseView
from ..model.game import StepRef
from ..model.logs import logs_among, with_log_names
from ..model.problem import UmpireError
from ..model.stanza import BLANK, comment, stanza
from ..model.viewer import Viewer
from .auditing import Opened
from .phase_proposals import Proposal, propose_for
from .reports.json import unknowns_of
from .timeline import timeline

MOST = 6
"""Maximum number of phases proposed for the steps of one question."""
_STEPS = re.compile(r"phase of log (\d+) steps (\d+)(?:-(\d+))?")
_SIGNS = "\n# signs: "
_NO_PHASE = f'\nphase = "{BLANK}"'


def with_proposals(opened: Opened, shown: Audit, viewer: Viewer) -> Audit:
    """``shown``, which ``viewer`` may read, with suggestions in the stanzas of questions about phases, from
    the same signs as in the studio's Phases view. Unchanged if the pack's patterns take too long."""
    asked = [
        one
        for one, _ in unknowns_of(shown).values()
        if _STEPS.fullmatch(one.key) and _NO_PHASE in one.stanza
    ]
    back = opened.backdrop
    if not asked or back is None:
        return shown
    history = back.evidence.seen_by(viewer)
    try:
        found = propose_for(back.pack, back.evidence.module, history, timeline(history, viewer))
    except UmpireError:
        return shown
    logs = logs_among(shown.sources)
    texts = {one.key: "\n\n".join(_stanzas(one, found)) for one in asked}
    named = {key: with_log_names(text, logs) for key, text in texts.items() if text}
    return shown.asking(lambda one: replace(one, stanza=named.get(one.key, one.stanza)))


def proposes(text: str) -> bool:
    """Whether a stanza suggests a phase."""
    return _SIGNS in text


def _stanzas(asked: MissingFact, found: Sequence[Proposal]) -> Iterator[str]:
    """The stanza for each suggested phase among the steps of a question, with the reasons; then the steps
    without a suggestion."""
    told = _STEPS.fullmatch(asked.key)
    assert told is not None
    log, begin, end = (int(number or told[2]) for number in told.groups())
    named = [one for one in found if one.phase and one.first.log == log]
    within = [one for one in named if one.first.step <= end and one.last.step >= begin]
    left, rest = begin, list[str]()
    for one in within[:MOST]:
        first = max(one.first, StepRef(log, begin)).step
        last = min(one.last, StepRef(log, end)).step
        if first > left:
            rest.append(_steps(left, first - 1))
        left = max(left, last + 1)
        where: dict[str, int | str] = {"log": log, "steps": _steps(first, last)}
        where.update(dict.fromkeys(("turn", "phase", "active"), BLANK))
        text = stanza("[[phase]]", where)
        perhaps = PhaseView(one.turn, one.phase, one.active)
        said = f"perhaps {perhaps}: look at the steps, then replace the question marks"
        yield f"{text}\n{comment(said)}\n{comment(_SIGNS[3:] + '; '.join(dict.fromkeys(one.why)))}"
    if left <= end:
        rest.append(_steps(left, end))
    if within and rest:
        yield comment(f"nothing is suggested here for steps {', '.join(rest)}")


def _steps(first: int, last: int) -> str:
    return f"{first}-{last}" if first != last else f"{first}"
