"""What a viewer is told of a game read from logs does not depend on a counter that is hidden from him.

No sample hides a counter, so they are hidden here: in the tables of a sample's own logs one counter after
the other is hidden from all but its side, and put elsewhere all game long. The files stay as they are, and
with them their digests. Every output is the same wherever the counter is, except that an accusation may be
left open, and nobody is told one that is not made in the game as it is.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from random import Random
from typing import Any

import pytest
from tiers import SEED, by_tier
from vassal_umpire.importers.pack.amend import amended
from vassal_umpire.importers.pack.facts import NO_FACTS
from vassal_umpire.importers.pack.facts_file import load_facts
from vassal_umpire.importers.pack.load import load_pack
from vassal_umpire.importers.vassal.limits import DEFAULT_LIMITS
from vassal_umpire.model.finding import Audit
from vassal_umpire.model.table import (
    Concealment,
    Displaced,
    Piece,
    PieceGap,
    Spot,
    Table,
    TableHistory,
)
from vassal_umpire.model.viewer import EVERYONE, Viewer
from vassal_umpire.plugin.auditing import Evidence, Opened, audit_game, read_evidence
from vassal_umpire.plugin.integrity import with_integrity
from vassal_umpire.plugin.reading import Named
from vassal_umpire.plugin.registry import reports
from vassal_umpire.plugin.reports.report import ReportOptions
from vassal_umpire.plugin.reports.staging import stage
from vassal_umpire.validators.unseen import LEFT_OPEN

from .kit import PROJECT

SAMPLES = by_tier(
    ("crossroads",),
    ("crossroads", "battle-for-moscow", "ocs", "tide-of-iron", "valor-and-victory", "zoc-classes"),
)
SHARE = by_tier(1, ci=3, proof=10_000)
ALWAYS = {"crossroads": ("Red 2 Inf",)}
"""Counters beside which others move."""


@dataclass(frozen=True)
class Hidden:
    """What is known of a piece that one side alone may see; all else is as in ``facts``."""

    facts: Any
    side: str

    @property
    def concealments(self) -> tuple[Concealment, ...]:
        return (Concealment("hidden", frozenset((self.side,))),)

    @property
    def name(self) -> str:
        return ""

    def __getattr__(self, name: str) -> Any:
        return getattr(self.facts, name)


def hidden(history: TableHistory, unit: str, side: str, place: Piece | None) -> TableHistory:
    """``history`` with a counter hidden from all but ``side``, and where ``place`` is, None: where it was."""

    def piece(one: Piece | None) -> Piece | None:
        if one is None or one.id != unit:
            return one
        facts = Hidden(one.facts if place is None else place.facts, side)
        if place is not None:
            facts = replace(facts, facts=_Elsewhere(one.facts, place.location))
        return replace(one, spot=one.spot if place is None else place.spot, facts=facts)  # type: ignore[arg-type]

    def table(one: Table) -> Table:
        return replace(one, pieces={k: v for k, p in one.pieces.items() if (v := piece(p))})

    def displaced(one: Displaced) -> Displaced:
        if one.piece != unit or place is None:
            return one
        spot: Spot = place.spot
        return replace(
            one,
            origin=spot if one.origin else None,
            target=spot if one.target else None,
            origin_location=place.location,
            target_location=place.location,
        )

    def gap(one: PieceGap) -> PieceGap:
        return replace(one, before=piece(one.before), after=piece(one.after))

    logs = tuple(
        replace(
            log,
            opening=table(log.opening),
            end=table(log.end),
            steps=tuple(
                replace(
                    step,
                    changes=tuple(
                        replace(c, before=piece(c.before), after=piece(c.after))
                        for c in step.changes
                    ),
                    displacements=tuple(map(displaced, step.displacements)),
                )
                for step in log.steps
            ),
        )
        for log in history.logs
    )
    return replace(history, logs=logs, gaps=tuple(tuple(map(gap, gaps)) for gaps in history.gaps))


@dataclass(frozen=True)
class _Elsewhere:
    facts: Any
    location: str

    def __getattr__(self, name: str) -> Any:
        return getattr(self.facts, name)


@cache
def evidence_of(sample: str) -> tuple[Evidence, Path, Path]:
    folder = PROJECT / "samples" / sample
    logs = tuple(sorted(folder.glob("*.vlog")))
    return read_evidence(Named(logs), DEFAULT_LIMITS), folder / "pack", folder / "facts.toml"


def opened(sample: str, evidence: Evidence, viewer: Viewer) -> Opened:
    _, pack, file = evidence_of(sample)
    facts = load_facts(file) if file.is_file() else NO_FACTS
    return evidence.with_pack(amended(load_pack(pack), facts), facts, viewer)


def told(found: Opened, audited: Audit, viewer: Viewer) -> dict[str, str]:
    shown = with_integrity(found, audited, viewer)
    scene = stage(found.game, viewer)
    options = ReportOptions(viewer=str(viewer), verbose=True, scene=scene)
    return {name: report.render(shown, options) for name, report in reports().parts.items()}


def chosen(sample: str) -> Iterator[tuple[str, str]]:
    """Ids and sides of the counters that are hidden in turn."""
    game = opened(sample, evidence_of(sample)[0], EVERYONE).game
    units = [u for u in game.units.values() if u.kind == "unit" and u.side is not None]
    named = [u for u in units if u.name in ALWAYS.get(sample, ())]
    others = [u for u in units if u not in named]
    for unit in (*named, *Random(SEED).sample(others, min(SHARE, len(others)))):
        assert unit.side is not None
        yield unit.id, unit.side


@pytest.mark.parametrize("sample", SAMPLES)
def test_what_is_told_does_not_depend_on_what_is_hidden(sample: str) -> None:
    evidence = evidence_of(sample)[0]
    places = [p for p in evidence.history.logs[0].opening.pieces.values() if p.spot.map]
    for unit, side in chosen(sample):
        elsewhere = Random(f"{SEED} {unit}").choice(places)
        views = []
        for place in (None, elsewhere):
            history = hidden(evidence.history, unit, side, place)
            now = replace(evidence, history=history, _seen={})
            director = opened(sample, now, Viewer(director=True))
            true = audit_game(director, None, suspicions=False)
            assert unit in director.game.units
            seen = opened(sample, now, EVERYONE)
            assert unit not in seen.game.units
            shown = audit_game(seen, None, suspicions=False)
            for one in shown.findings:
                if one.verdict == "illegal":
                    assert accused(true, one.clause, one.steps), (unit, one.explanation)
            views.append((seen, shown))
        (seen, shown), (moved, again) = views
        assert seen.game == moved.game
        assert but_for_the_bit(shown) == but_for_the_bit(again)
        if shown == again:
            assert told(seen, shown, EVERYONE) == told(moved, again, EVERYONE)


def accused(found: Audit, clause: str, steps: object) -> bool:
    wanted = set(steps)  # type: ignore[call-overload]
    return any(
        f.verdict == "illegal" and f.clause == clause and not wanted.isdisjoint(f.steps)
        for f in found.findings
    )


def but_for_the_bit(found: Audit) -> object:
    """``found``, whether accusations are left open or not."""
    bit = {m.move.id for m in found.moves if m.verdict == "illegal" or m.remark == LEFT_OPEN}
    moves = [(m.move, *(() if m.move.id in bit else (m.verdict, m.bill))) for m in found.moves]
    findings = [
        (f.code, f.units, f.steps)
        if f.verdict == "illegal" or f.explanation.endswith(LEFT_OPEN)
        else f
        for f in found.findings
    ]
    return moves, findings, found.names, found.problems, found.unnamed, found.sources
