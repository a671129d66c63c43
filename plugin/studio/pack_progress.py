"""Where the work on a pack stands, counted from the game and its verdicts."""

from __future__ import annotations

from ...model.finding import Audit
from ...model.viewer import Viewer
from ..auditing import Evidence, Opened, ruleset_for
from ..pack_check import PackCheck, check_pack
from ..ruleset_needs import attributes_of, charts_of, schema_of
from .cards import PackProgress
from .choices import questions

MAPLESS = frozenset(("stacking", "enemy_hex"))
"""The charts of plain questions whose findings rest on no cell of the map."""


def checked(opened: Opened, audit: Audit, evidence: Evidence, viewer: Viewer) -> PackCheck | None:
    """The numbers of ``pack check``; None where the game was not read from logs."""
    if opened.backdrop is None:
        return None
    wanted = attributes_of(ruleset_for(opened.game, None)[0].in_force(opened.game))
    return check_pack(opened.game, audit, opened.backdrop.pack, evidence.history, wanted, viewer)


def progress_of(
    evidence: Evidence,
    opened: Opened | None,
    audit: Audit | None,
    viewer: Viewer,
    fault: str,
    judging: bool,
) -> PackProgress:
    """Where the work stands, as far as ``viewer`` may know (``audit`` is what they may read)."""
    logs = len(evidence.logs)
    if opened is None:
        return PackProgress(logs=logs, fault=fault, judging=judging)
    hexes = opened.game.board.hexes.values()
    bare = PackProgress(
        logs=logs,
        hexes=len(hexes),
        terrain=sum(here.terrain is not None for here in hexes),
        judging=judging,
        fault=fault,
    )
    if audit is None or not logs:
        return bare
    found = checked(opened, audit, evidence, viewer)
    if found is None:
        return bare
    moves = sum(found.verdicts.values())
    first = found.next[0] if found.next else None
    ruleset, rules = ruleset_for(opened.game, None)[0], opened.game.rules
    asked = {one.chart for one in questions(schema_of(ruleset).get("properties", {}), (), ())}
    open_charts = MAPLESS & asked & set(charts_of(ruleset))
    said = set(rules.tables) | (open_charts if rules.complete is None else rules.complete)
    lacking = max((found.units - number for number in found.known.values()), default=0)
    return PackProgress(
        logs=logs,
        hexes=bare.hexes,
        terrain=bare.terrain,
        moved=found.moved,
        unsaid=found.unsaid,
        units=found.units,
        sideless=found.units - found.known["side"],
        mapless=bool(open_charts) and open_charts.isdisjoint(said),
        lacking=lacking,
        moves=moves,
        in_phase=moves - found.phases.get("not known", 0),
        legal=found.verdicts["legal"],
        illegal=found.verdicts["illegal"],
        unverifiable=found.verdicts["unverifiable"],
        findings=sum(f.verdict == "illegal" for f in audit.findings),
        judging=judging,
        fault=fault,
        asked=first.question if first else "",
        asked_by=first.waiting if first else 0,
    )
