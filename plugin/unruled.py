"""A game in which nothing is decided, without a pack or because of one: what was done in it, without a word
on whether it was right."""

from __future__ import annotations

import shlex
import tomllib
from collections.abc import Iterator
from dataclasses import replace

from ..importers.pack.census import Census
from ..importers.pack.facts import NO_FACTS
from ..importers.pack.files import FILES, PACK_FILE
from ..importers.pack.known import Known
from ..importers.pack.load import pack_of
from ..importers.pack.new_board import new_board, no_hexes
from ..importers.pack.new_pack import pack_toml
from ..importers.pack.pack import Box, Pack, Selector
from ..importers.pack.toml_text import TomlFile
from ..importers.vassal.collector import collector_paused
from ..importers.vassal.limits import Limits
from ..importers.vassal.own_numbering import calls_alike
from ..model.coverage import NOT_UNITS
from ..model.finding import Audit, ChatTold, JudgedMove, Move
from ..model.game import Game, StepRef
from ..model.problem import CannotAudit, Problem, Unreadable
from ..model.table import TableHistory
from ..model.viewer import Viewer
from ..validators.continuity import check_continuity
from ..validators.moves import find_moves
from ..validators.takeback import Witnesses
from ..validators.timeline import Timeline
from .auditing import (
    Backdrop,
    Evidence,
    Opened,
    open_evidence,
    open_game,
    read_evidence,
)
from .desk.joining import refuse_disorder
from .discovery import ALL_THE_SAME, NoPack, SeveralPacks, as_named, in_studio
from .known_packs import known_packs, made_for, offered, played_with, stated_in
from .narrative import typed
from .printable import printable
from .reading import Named, Told, is_document, silent, without_module
from .reports.done import NO_UNIT
from .reports.phrases import OUT_OF_ORDER, PACK_FOUND, WRONG_MODULE
from .shown import with_integrity, with_true_names

OF_PACKS = ("no-phase", "no-side", "perhaps-units")
"""Problems that say what a pack lacks."""


@collector_paused()
def open_or_tell(
    named: Named, viewer: Viewer, limits: Limits, told: Told = silent
) -> tuple[Opened, str]:
    """The named game, as ``viewer`` sees it, and what to do to have rules applied; "" if there are rules for
    it. Without rules every piece counts as a unit. Raises as :func:`open_game` does."""
    if len(named.logs) == 1 and is_document(named.logs[0]):
        return open_game(named, viewer, limits, told), ""
    evidence = read_evidence(named, limits, told)
    try:
        return open_evidence(evidence, named, viewer, limits, told), ""
    except SeveralPacks as several:
        return without_rules(evidence, viewer, told), str(several)
    except NoPack:
        opened = without_rules(evidence, viewer, told)
        has_hexes = bool(opened.game.board.hexes)
        return opened, _next_step(evidence, limits, has_hexes=has_hexes)


def without_rules(evidence: Evidence, viewer: Viewer, told: Told = silent) -> Opened:
    """The game of logs, as ``viewer`` sees it, with every piece as a unit."""
    return evidence.with_pack(_pack(evidence), NO_FACTS, viewer, told)


def nothing_judged(opened: Opened, viewer: Viewer, next_step: str = "") -> Audit:
    """The audit of a game to which no rules were applied, before the record of what was done. ``next_step``:
    from :func:`open_or_tell`."""
    assert opened.backdrop is not None
    seen = opened.backdrop.evidence.seen_by(viewer)
    found = Audit(
        title=opened.game.title,
        ruleset="",
        ruleset_version="",
        sources=tuple(source for source in opened.game.sources if source.kind != "pack"),
        moves=(),
        findings=(),
        problems=(
            *(p for p in opened.problems if p.code not in OF_PACKS),
            *_out_of_order(seen, opened.game),
        ),
        next_step=next_step,
    )
    return with_integrity(opened, found, viewer)


def or_what_was_done(
    opened: Opened, audited: Audit, viewer: Viewer, *, reveal: bool = False
) -> tuple[Opened, Audit]:
    """The game to draw and the audit to report. If ``audited`` decides nothing, they have every piece as a
    unit, every drag, the chat, and what to do next. ``reveal``: every piece has its own name."""
    if audited.coverage.decided or opened.backdrop is None:
        return opened, audited
    every = _with_every_piece(opened.backdrop, viewer) if audited.is_ruled else opened
    if reveal:
        every = with_true_names(every)
    game, evidence = every.game, opened.backdrop.evidence
    veiled = {
        (StepRef(step.log, step.number), one.piece)
        for log in evidence.seen_by(viewer).logs
        for step in log.steps
        for one in step.displacements
        if one.by == "veil"  # nobody moved it
    }
    moves = [one for one in audited.moves if not veiled.issuperset(_done(one.move))]
    gone = veiled.union(*(_done(one.move) for one in audited.moves))
    last = max((one.move.id for one in audited.moves), default=0)
    for move in (track.move for track in find_moves(game, Timeline(game), Witnesses(game))):
        left = {unit for step, unit in _done(move) if (step, unit) not in gone}
        if left:
            move = replace(move, id=last + move.id, units=tuple(u for u in move.units if u in left))
            remark = NO_UNIT if audited.is_ruled else ""
            moves.append(JudgedMove(move, "unverifiable", judged=False, remark=remark))
    measured = audited.coverage
    if audited.is_ruled and not measured.drags:
        added = sum(one.drags for one in moves if one.remark == NO_UNIT)
        measured = replace(measured, unjudged={NOT_UNITS: added} if added else {})
    next_step = audited.next_step
    if measured.is_undecided and not next_step:
        next_step = _to_decide(opened, opened.backdrop)
    moves.sort(key=lambda one: one.move.steps[0])
    units = dict.fromkeys(unit for one in moves for unit in one.move.units)
    names = {unit: game.units[unit].name for unit in units if unit in game.units}
    chat = (
        ChatTold(StepRef(step.log, step.number), player, text)
        for log in evidence.history.logs
        for step in log.steps
        for player, text in typed(step)
    )
    return every, replace(
        audited,
        moves=tuple(moves),
        names={**names, **audited.names},
        chat=tuple(chat),
        next_step=next_step,
        measured=measured,
    )


def _with_every_piece(back: Backdrop, viewer: Viewer) -> Opened:
    """The same game with every piece as a unit."""
    units = replace(back.pack.units, are=(Selector(),), excluded=())
    facts = replace(back.facts, units=(), conditions=())  # by names that more pieces may bear
    return back.evidence.with_pack(replace(back.pack, units=units), facts, viewer)


def _done(move: Move) -> Iterator[tuple[StepRef, str]]:
    """Each step of a move with each unit that it moved."""
    return ((step, unit) for step in move.steps for unit in move.units)


def _to_decide(opened: Opened, back: Backdrop) -> str:
    """What to do if a pack decides nothing, with the command to paste."""
    evidence = back.evidence
    pack = next((f.parent if f.name == PACK_FILE else f for f in back.pack.files), None)
    if any(p.code == PACK_FOUND for p in opened.problems):
        pack = None  # the studio finds it, too, and offers to work on a copy
    elif pack is not None and (pack.is_file() or any(pack == o.folder for o in known_packs())):
        adopt = shlex.join(("umpire", "pack", "adopt", as_named(pack), "--name"))
        return f"to fill in what is missing, make the pack yours first: {adopt} NAME -o my-pack"
    told = [pack] if pack is not None else []
    command = in_studio(*told, evidence.file, *evidence.logs)
    for file in back.facts.files[:1]:
        command += f" --facts {shlex.quote(as_named(file))}"
    return f"to fill in what is missing: {command}"


def _out_of_order(history: TableHistory, game: Game) -> Iterator[Problem]:
    """The note for a log that does not go on from the one before it: that the order is wrong, if positions
    show that, else what differs."""
    try:
        refuse_disorder(history)
    except Unreadable as error:
        message = f"{error.what}; expected {error.expected}"
        yield Problem(OUT_OF_ORDER, message, error.where, "warning")
    else:
        for note in check_continuity(game):
            yield Problem(OUT_OF_ORDER, printable(note.explanation, 400), severity="warning")


def _next_step(evidence: Evidence, limits: Limits, *, has_hexes: bool) -> str:
    """What to do to have rules applied, with the command to paste; without hexes, for tables."""
    files = shlex.join(as_named(path) for path in evidence.logs)
    if not has_hexes:
        return (
            f"{no_hexes(evidence.module)}; to have what was done as tables:"
            f" umpire convert {files} --to sqlite -o game.db"
        )
    exact = made_for(evidence.module, evidence.file, limits)
    other = offered(
        evidence.module, exact, played_with(evidence.module, stated_in(evidence.history))
    )
    if other is not None:
        told, name = other
        return f"{told}; to try it: umpire audit {files} --pack {name}"
    module = shlex.quote(as_named(evidence.file))
    return f"to have rules applied, begin a pack: umpire pack new {module} {files} -o my-pack"


def _pack(evidence: Evidence) -> Pack:
    """A pack that knows the maps of the module and, as phases, the texts of its turn tracker. Without a hex
    grid on the maps in use, it names every place as the module does. Raises :class:`CannotAudit` if the
    module has another name, and nothing shows that it names places as the logs do."""
    module, board = evidence.module, new_board(evidence.layouts)
    wrong = next((p for p in evidence.history.problems if p.code == WRONG_MODULE), None)
    if wrong is not None:
        logs = evidence.history.logs
        if not calls_alike([(evidence.layouts, log) for log in logs]):
            what = wrong.message.removesuffix(f"; {ALL_THE_SAME}")
            what = f"{what}, and nothing shows that it calls places as the log does"
            hint = f"give it its own module; {without_module(evidence.logs)}"
            raise CannotAudit(what, where=wrong.where, hint=hint)
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
