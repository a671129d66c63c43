"""The audit of a game as one viewer is told it, for tests of games that come from no files; what of it may
not depend on what is hidden from him; a pack at which only a program has looked."""

from __future__ import annotations

from pathlib import Path

from sample_pack import CROSSROADS, pack_copy
from vassal_umpire.importers.pack.provenance import FILE, provenance_csv
from vassal_umpire.importers.vassal.limits import DEFAULT_LIMITS
from vassal_umpire.model.finding import Audit
from vassal_umpire.model.game import Game
from vassal_umpire.model.provenance import Method, Record
from vassal_umpire.model.viewer import EVERYONE, Viewer
from vassal_umpire.model.vouching import values_of
from vassal_umpire.plugin.auditing import open_game
from vassal_umpire.plugin.reading import Named
from vassal_umpire.validators.audit import audit
from vassal_umpire.validators.judge import judge_move
from vassal_umpire.validators.phase import Judge
from vassal_umpire.validators.ruleset import Ruleset
from vassal_umpire.validators.unseen import LEFT_OPEN, held_by_truth, seen_game


def seen_audit(game: Game, ruleset: Ruleset, viewer: Viewer, judge: Judge = judge_move) -> Audit:
    """What ``viewer`` is told of ``game``."""
    seen = seen_game(game, viewer)
    if seen is game:
        return audit(game, ruleset, judge=judge)
    found = audit(seen, ruleset, judge=judge, is_part=True)
    return held_by_truth(seen, found, lambda _: audit(game, ruleset, judge=judge))


def looked_at_by_a_program(folder: Path) -> Path:
    """A copy of the pack of Crossroads at ``folder``, at which a program has looked, and no person."""
    pack_copy(folder, ("[board]", '[board]\nprovenance = "required"'))
    named = Named((CROSSROADS / "turn-1.vlog",), pack=CROSSROADS / "pack")
    board = open_game(named, EVERYONE, DEFAULT_LIMITS).game.board
    method = Method("program", "the studio's cut-outs")
    records = (
        Record(key, value, "looked-at", ("a model",), "2026-11-18", method)
        for key, value in values_of(board).items()
    )
    (folder / FILE).write_text(provenance_csv(records), "utf-8")
    return folder


def but_for_the_bit(found: Audit) -> object:
    """``found``, whether accusations are left open or not."""
    bit = {m.move.id for m in found.moves if m.verdict == "illegal" or m.remark == LEFT_OPEN}
    moves = [
        (m.move, *(() if m.move.id in bit else (m.verdict, m.bill, m.path, m.unknowns)))
        for m in found.moves
    ]
    findings = [
        (f.code, f.units, f.steps)
        if f.verdict == "illegal" or f.explanation.endswith(LEFT_OPEN)
        else f
        for f in found.findings
    ]
    return moves, findings, found.names, found.problems, found.unjudged, found.sources
