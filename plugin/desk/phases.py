"""Phases that the chat of a newly added log announces, offered for the facts."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ...importers.game_folder.folder import GameFolder
from ...importers.ordinary import is_there
from ...importers.pack.edit.toml import with_stanza
from ...importers.pack.facts import NO_FACTS
from ...importers.pack.facts_file import load_facts
from ...importers.pack.facts_logs import on_logs
from ...importers.pack.load import load_pack
from ...importers.pack.pack import Pack
from ...importers.pack.toml_text import read_bytes
from ...importers.vassal.buildfile import open_module
from ...importers.vassal.limits import Limits
from ...importers.vassal.module import Module
from ...model.finding import PhaseView
from ...model.game import StepRef
from ...model.logs import KnownLog, facts_name
from ...model.table import LogHistory, TableHistory
from ...model.viewer import EVERYONE
from ..announcements import is_plain
from ..output import alone_in, replace_own
from ..phase_proposals import Proposal, propose_for
from ..timeline import Tick, between, timeline
from .adding import Added
from .opening import module_of

_ANNOUNCED = "“"


@dataclass(frozen=True)
class Offered:
    """Steps of a log that form one phase, as a player announced it in the chat. ``name``: the log's file
    name; ``log``: its name in the facts."""

    name: str
    log: str
    proposal: Proposal

    @property
    def stanza(self) -> dict[str, Any]:
        """The ``[[phase]]`` entry for a facts file."""
        one = self.proposal
        told = {"turn": one.turn, "phase": one.phase, "active": one.active}
        steps = f"{one.first.step}-{one.last.step}"
        return {
            "log": self.log,
            "steps": steps,
            **{key: text for key, text in told.items() if text},
        }

    @property
    def said(self) -> str:
        """One line: the steps, the phase, and the announcement."""
        one = self.proposal
        what = PhaseView(one.turn, one.phase, one.active)
        why = next(why for why in one.why if why.startswith(_ANNOUNCED))
        return f"{self.name} steps {one.first.step}-{one.last.step}: {what} ({why})"


@dataclass(frozen=True)
class Offer:
    """The phases that the chat of newly added logs announces, and the facts file they would go into.
    ``unsure``: the number of further phases that a person must check first, because dice fell in them, the
    other side moved, or the chat line may be no announcement."""

    file: Path
    phases: tuple[Offered, ...]
    unsure: int

    def write(self) -> None:
        """Write the phases into the facts file. Raises as :func:`.output.replace_own` does."""
        with alone_in(self.file.parent):
            before = read_bytes(self.file) if is_there(self.file) else b""
            data = before
            for one in self.phases:
                data = with_stanza(data, "phase", None, one.stanza, self.file.name)
            replace_own(self.file, before, data)


def offer_of(folder: GameFolder, limits: Limits, added: Sequence[Added]) -> Offer | None:
    """The offer for newly added logs; None if the game has no pack, the pack reads phases itself, the facts
    have an error or records of who looked at phases, or the logs announce nothing."""
    if not folder.pack or not folder.facts:
        return None
    file = folder.path(folder.facts)
    pack = load_pack(folder.path(folder.pack))
    if any(source.pattern and "phase" in source.pattern.names for source in pack.phase_sources):
        return None
    facts = load_facts(file) if is_there(file) else NO_FACTS
    if facts.records_file and is_there(file.with_name(facts.records_file)):
        return None
    module = open_module(module_of(folder), limits=limits, find_extensions=True)
    logs = tuple(KnownLog(log.name, log.sha256) for log in folder.line)
    facts, problems = on_logs(facts, logs)
    if any(problem.severity == "error" for problem in problems):
        return None
    told = [phase.span for phase in facts.phases]
    found: list[Offered] = []
    unsure = 0
    for one in added:
        if one.log not in folder.line:  # a later log of the same command set it aside
            continue
        name = facts_name(logs, one.number)
        for proposal, is_sure in _announced(pack, module, one.history):
            first, last = (StepRef(one.number, at.step) for at in (proposal.first, proposal.last))
            if any(
                span.first <= last and (span.last is None or first <= span.last) for span in told
            ):
                continue
            if is_sure:
                found.append(Offered(one.log.name, name, proposal))
            unsure += not is_sure
    return Offer(file, tuple(found), unsure) if found or unsure else None


def _announced(pack: Pack, module: Module, log: LogHistory) -> Iterator[tuple[Proposal, bool]]:
    """Each phase of a log that a player announced at its beginning, and whether it can be accepted without a
    look."""
    history = TableHistory((log,))
    ticks = timeline(history, EVERYONE)
    sides = tuple(pack.sides or module.sides)
    for one in propose_for(pack, module, history, ticks):
        lines = [why for why in one.why if why.startswith(_ANNOUNCED)]
        if not lines or one.phase not in pack.phases:
            continue
        is_sure = all(is_plain(line, pack.phases, sides) for line in lines)
        inside = list(between(ticks, one.first, one.last))
        if not _is_judged(pack, one.phase):
            yield one, is_sure
        elif any(tick.moved for tick in inside):
            yield one, is_sure and _is_plain(inside, one.active)


def _is_judged(pack: Pack, phase: str) -> bool:
    """Whether moves in this phase are judged."""
    forms = pack.phases[phase].forms
    return not forms or any(name not in pack.forms or pack.forms[name].judged for name in forms)


def _is_plain(ticks: Iterable[Tick], active: str) -> bool:
    """Whether no dice fell and only the active side moved."""
    return not any(
        tick.dice or (tick.moved and tick.sure and tick.side not in ("", active)) for tick in ticks
    )
