"""A game of which there is no pack: what was done in it, and no word on whether that was right.

Every piece counts as a unit, and no rule is applied.
"""

from __future__ import annotations

import shlex
import tomllib
from collections.abc import Iterator, Sequence
from dataclasses import replace

from ..importers.pack.census import Census
from ..importers.pack.facts import NO_FACTS
from ..importers.pack.files import FILES, PACK_FILE
from ..importers.pack.known import Known
from ..importers.pack.load import pack_of
from ..importers.pack.new_board import new_board
from ..importers.pack.new_pack import pack_toml
from ..importers.pack.pack import Box, Pack
from ..importers.pack.seen_history import seen_history
from ..importers.pack.toml_text import TomlFile
from ..importers.vassal.collector import collector_paused
from ..importers.vassal.limits import Limits
from ..model.finding import Audit, ChatTold, JudgedMove
from ..model.game import Game, StepRef
from ..model.problem import CannotAudit, Problem, Unreadable
from ..model.table import TableHistory
from ..model.viewer import Viewer
from ..validators.continuity import check_continuity
from ..validators.moves import find_moves
from ..validators.takeback import Witnesses
from ..validators.timeline import Timeline
from .auditing import Evidence, Opened, is_document, open_evidence, open_game, read_evidence
from .desk.log_order import refuse_disorder
from .discovery import WRONG_MODULE, NoPack, as_named
from .known_packs import KnownPack, found, made_for, of_game
from .narrative import typed
from .printable import printable
from .reading import Named, Told, silent
from .reports.phrases import OUT_OF_ORDER
from .shown import with_integrity

OF_PACKS = ("no-phase", "no-side", "perhaps-units")
"""Problems of what a pack leaves out."""


@collector_paused()
def open_or_tell(
    named: Named, viewer: Viewer, limits: Limits, told: Told = silent
) -> tuple[Opened, str]:
    """The game named, as ``viewer`` sees it, and what to do to have rules applied; "" where there are rules
    for it: by the pack named, the one beside the log, or the one known that was made for just its module.
    Else every piece counts as a unit. Raises as :func:`open_game` does."""
    if len(named.logs) == 1 and is_document(named.logs[0]):
        return open_game(named, viewer, limits, told), ""
    return evidence_or_tell(read_evidence(named, limits, told), named, viewer, limits, told)


def evidence_or_tell(
    evidence: Evidence, named: Named, viewer: Viewer, limits: Limits, told: Told = silent
) -> tuple[Opened, str]:
    """As :func:`open_or_tell`, of logs that have been read."""
    try:
        return open_evidence(evidence, named, viewer, told), ""
    except NoPack:
        exact = made_for(evidence.module, evidence.file, limits)
    if len(exact) != 1:
        opened = without_rules(evidence, viewer, told)
        return opened, _next_step(evidence, exact, has_hexes=bool(opened.game.board.hexes))
    opened = open_evidence(evidence, named, viewer, told, exact[0].pack)
    return replace(opened, problems=(found(exact[0]), *opened.problems)), ""


def without_rules(evidence: Evidence, viewer: Viewer, told: Told = silent) -> Opened:
    """The game of logs, as ``viewer`` sees it, with every piece as a unit."""
    return evidence.with_pack(_pack(evidence), NO_FACTS, viewer, told)


def what_was_done(opened: Opened, viewer: Viewer, next_step: str = "") -> Audit:
    """What a report tells of such a game: drags, chat, and how it was played. No move of it is judged.
    ``next_step``: as of :func:`open_or_tell`."""
    game = opened.game
    timeline = Timeline(game)
    tracks = find_moves(game, timeline, Witnesses(game))
    assert opened.backdrop is not None
    history = opened.backdrop.history
    seen = seen_history(history, viewer)
    veiled = {
        (StepRef(step.log, step.number), one.piece)
        for log in seen.logs
        for step in log.steps
        for one in step.displacements
        if one.by == "veil"  # nobody moved it
    }
    moves = tuple(
        JudgedMove(move, "unverifiable", judged=False)
        for move in (track.move for track in tracks)
        if not veiled.issuperset((step, unit) for step in move.steps for unit in move.units)
    )
    units = dict.fromkeys(unit for one in moves for unit in one.move.units)
    found = Audit(
        title=game.title,
        ruleset="",
        ruleset_version="",
        sources=tuple(source for source in game.sources if source.kind != "pack"),
        moves=moves,
        findings=(),
        problems=(
            *(p for p in opened.problems if p.code not in OF_PACKS),
            *_out_of_order(seen, game),
        ),
        names={unit: game.units[unit].name for unit in units if unit in game.units},
        chat=tuple(
            ChatTold(StepRef(step.log, step.number), player, text)
            for log in history.logs
            for step in log.steps
            for player, text in typed(step)
        ),
        next_step=next_step,
    )
    return with_integrity(opened, found, viewer)


def _out_of_order(history: TableHistory, game: Game) -> Iterator[Problem]:
    """Where a log does not go on from the one before it: that they are in the wrong order, where positions
    show that, else what differs."""
    try:
        refuse_disorder(history)
    except Unreadable as error:
        message = f"{error.what}; expected {error.expected}"
        yield Problem(OUT_OF_ORDER, message, error.where, "warning")
    else:
        for note in check_continuity(game):
            yield Problem(OUT_OF_ORDER, printable(note.explanation, 400), severity="warning")


def _next_step(evidence: Evidence, exact: Sequence[KnownPack], *, has_hexes: bool) -> str:
    """What to do to have rules applied, with the command to paste; without hexes, for tables. ``exact``: the
    packs that were made for just its module, none or several."""
    files = shlex.join(as_named(path) for path in evidence.logs)
    if not has_hexes:
        return (
            "moves are judged on hexes only, and no map in use has a hex grid; to have what was done as"
            f" tables: umpire convert {files} --to sqlite -o game.db"
        )
    command = f"umpire audit {files} --pack"
    if exact:
        those = " and ".join(one.name for one in exact)
        return f"more than one pack was made for this module ({those}): {command} {exact[0].name}"
    other = next(iter(of_game(evidence.module.name)), None)
    if other is not None:
        copy = f"made for another copy of this module (version {other.version})"
        made = (
            copy if other.build else "that does not say for which copy of this module it was made"
        )
        whose = "is one of your own" if other.is_own else "comes with the program"
        return f"a pack {made} {whose} ({other.told()}); to try it: {command} {other.name}"
    module = shlex.quote(as_named(evidence.file))
    return f"to have rules applied, begin a pack: umpire pack new {module} {files} -o my-pack"


def _pack(evidence: Evidence) -> Pack:
    """A pack that knows the maps of the module and, as phases, what its turn tracker shows, word for word.
    Where no map in use has a hex grid, it calls every place as the module does. Raises :class:`CannotAudit`
    where such a module is that of another game."""
    module, board = evidence.module, new_board(evidence.layouts)
    wrong = next((p for p in evidence.history.problems if p.code == WRONG_MODULE), None)
    if wrong is not None and not board.sheets:
        what = f"{wrong.message}, and no map in use has a hex grid"
        raise CannotAudit(what, where=wrong.where, hint="give it its own module")
    known = Known(module, board, module.sides, Census(()), (), "generic", (), {}, "")
    values = tomllib.loads(pack_toml(known))
    values["pack"]["title"] = module.name or module.file_name
    values["board"].setdefault("sheet", ())
    values["units"] = {"are": [{"name": ".*"}]}
    shown = [
        {"turn_tracker": tracker.name, "pattern": r"(?P<phase>\S.*\S|\S)"}
        for tracker in module.turn_trackers[:1]
    ]
    values["phases"] = {"from": shown}
    sheets = dict.fromkeys(FILES)
    found = pack_of(values, TomlFile(PACK_FILE, {}), sheets, "", "no pack")
    unread = () if board.sheets else (Box(name, is_unread=True) for name in evidence.layouts)
    return replace(found, files=(), boxes=(*found.boxes, *unread))
