"""Counters of the samples, hidden: no sample hides one, so one is hidden from all but its side in the tables
of a sample's own logs, and put elsewhere all game long. The files stay as they are, with their digests."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from random import Random
from typing import Any

import pytest
from tiers import SEED, by_tier
from vassal_umpire.importers.pack.facts import NO_FACTS
from vassal_umpire.importers.pack.facts_file import load_facts
from vassal_umpire.importers.pack.load import amended, load_pack
from vassal_umpire.importers.vassal.actors import name_actors, naming
from vassal_umpire.importers.vassal.continuity import gaps_between
from vassal_umpire.importers.vassal.limits import DEFAULT_LIMITS
from vassal_umpire.model.table import (
    Concealment,
    Deck,
    Displaced,
    LogHistory,
    Piece,
    PieceChange,
    Stack,
    StackChange,
    Step,
    Table,
    TableHistory,
)
from vassal_umpire.model.viewer import EVERYONE, Viewer
from vassal_umpire.plugin import reading
from vassal_umpire.plugin.auditing import Evidence, Opened, read_evidence
from vassal_umpire.plugin.commands import inspect as inspecting
from vassal_umpire.plugin.desk import adding
from vassal_umpire.plugin.reading import Named

from .kit import SAMPLES

PLAYED = tuple(sorted({log.parent.name for log in SAMPLES.glob("*/*.vlog")}))
"""The samples with logs."""
SHARE = by_tier(1, ci=1, proof=10_000)
"""Counters that are hidden in turn."""
ALWAYS = {"crossroads": ("Red 2 Inf",)}
"""Counters beside which others move."""


@dataclass(frozen=True)
class Hidden:
    """What is known of a piece that ``side`` alone may see; all else is as in ``facts``. ``there``: what its
    place is called, None: as in ``facts``."""

    facts: Any
    side: str
    there: str | None

    @property
    def concealments(self) -> tuple[Concealment, ...]:
        return (Concealment("hidden", frozenset((self.side,))),)

    @property
    def name(self) -> str:
        return ""

    @property
    def location(self) -> str:
        return self.facts.location if self.there is None else self.there

    def __getattr__(self, name: str) -> Any:
        return getattr(self.facts, name)


@dataclass(frozen=True)
class Cloak:
    """Hides the piece ``unit`` from all but ``side``. ``place``: a piece where it lies instead, alone, all
    game long; None: it lies where it did. ``still``: its player turned it, wherever he moved it."""

    unit: str
    side: str
    place: Piece | None = None
    still: bool = False

    def over(self, history: TableHistory) -> TableHistory:
        logs = tuple(map(self.log, history.logs))
        return replace(history, logs=logs, gaps=gaps_between(logs))

    def log(self, log: LogHistory) -> LogHistory:
        steps = tuple(map(self._step, log.steps))
        if self.still:
            steps = name_actors([naming(step, (self.unit,)) for step in steps])
        return replace(log, opening=self._table(log.opening), end=self._table(log.end), steps=steps)

    def _piece(self, one: Piece | None) -> Piece | None:
        if one is None or one.id != self.unit:
            return one
        if self.place is None:
            return replace(one, facts=Hidden(one.facts, self.side, None))
        facts = Hidden(one.facts, self.side, self.place.location)
        return Piece(one.id, self.place.spot, "", facts)

    def _table(self, one: Table) -> Table:
        pieces = {name: self._piece(piece) for name, piece in one.pieces.items()}
        stacks = {name: self._held(stack) for name, stack in one.stacks.items()}
        return replace(one, pieces=pieces, stacks={k: v for k, v in stacks.items() if v})

    def _held(self, one: Stack | Deck | None) -> Any:
        if self.place is None or one is None or self.unit not in one.members:
            return one
        left = tuple(member for member in one.members if member != self.unit)
        return replace(one, members=left) if left else None

    def _step(self, step: Step) -> Step:
        changes = (
            PieceChange(c.id, self._piece(c.before), self._piece(c.after)) for c in step.changes
        )
        stacks = (StackChange(c.id, self._held(c.before), self._held(c.after)) for c in step.stacks)
        return replace(
            step,
            changes=tuple(changes),
            displacements=tuple(
                self._displaced(one)
                for one in step.displacements
                if not (self.still and one.piece == self.unit)
            ),
            stacks=tuple(c for c in stacks if c.before is not None or c.after is not None),
        )

    def _displaced(self, one: Displaced) -> Displaced:
        if one.piece != self.unit or self.place is None:
            return one
        spot, called = self.place.spot, self.place.location
        return replace(
            one,
            origin=spot if one.origin else None,
            target=spot if one.target else None,
            origin_location=called,
            target_location=called,
        )


@contextmanager
def worn(cloak: Cloak) -> Iterator[None]:
    """Whoever replays a log meanwhile finds the piece hidden."""
    with pytest.MonkeyPatch.context() as patch:
        for module in (reading, adding, inspecting):
            replayed = module.replay_log

            def hidden(*args: Any, _replayed: Any = replayed, **named: Any) -> LogHistory:
                return cloak.log(_replayed(*args, **named))

            patch.setattr(module, "replay_log", hidden)
        yield


def logs_of(sample: str) -> tuple[Path, ...]:
    return tuple(sorted((SAMPLES / sample).glob("*.vlog")))


@cache
def evidence_of(sample: str) -> Evidence:
    return read_evidence(Named(logs_of(sample)), DEFAULT_LIMITS)


def facts_of(sample: str) -> Path | None:
    file = SAMPLES / sample / "facts.toml"
    return file if file.is_file() else None


def opened(sample: str, evidence: Evidence, viewer: Viewer) -> Opened:
    file = facts_of(sample)
    facts = load_facts(file) if file is not None else NO_FACTS
    return evidence.with_pack(amended(load_pack(SAMPLES / sample / "pack"), facts), facts, viewer)


def cloaked(sample: str, cloak: Cloak) -> Evidence:
    evidence = evidence_of(sample)
    return replace(evidence, history=cloak.over(evidence.history), _seen={})


def chosen(
    sample: str, share: int = SHARE, always: Iterable[str] = ()
) -> Iterator[tuple[str, str]]:
    """Ids and sides of the counters that are hidden in turn: those named, and so many more."""
    game = opened(sample, evidence_of(sample), EVERYONE).game
    units = [u for u in game.units.values() if u.kind == "unit" and u.side is not None]
    named = [u for u in units if u.name in always]
    others = [u for u in units if u not in named]
    for unit in (*named, *Random(SEED).sample(others, min(share, len(others)))):
        assert unit.side is not None
        yield unit.id, unit.side


def places_for(sample: str, unit: str, number: int) -> list[Piece]:
    """Pieces where ``unit`` may lie instead, drawn by the seed."""
    pieces = [p for p in evidence_of(sample).history.logs[0].opening.pieces.values() if p.spot.map]
    return Random(f"{SEED} {unit}").sample(pieces, min(number, len(pieces)))


def others(sample: str, side: str) -> list[Viewer]:
    """Those who may not see a counter of ``side``: everyone together, and the players of each other side."""
    sides = opened(sample, evidence_of(sample), EVERYONE).game.sides
    return [EVERYONE, *(Viewer(other) for other in sides if other != side)]
