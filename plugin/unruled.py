"""A game of which there is no pack: what was done in it, and no word on whether that was right.

Every piece counts as a unit, and no rule is applied.
"""

from __future__ import annotations

import shlex
import tomllib
from dataclasses import replace

from ..importers.pack.amend import amended
from ..importers.pack.census import Census
from ..importers.pack.facts import NO_FACTS
from ..importers.pack.facts_file import load_facts
from ..importers.pack.files import FILES, PACK_FILE
from ..importers.pack.load import pack_of
from ..importers.pack.new_board import new_board
from ..importers.pack.new_pack import Known, pack_toml
from ..importers.pack.pack import Pack
from ..importers.pack.toml_file import TomlFile
from ..importers.vassal.collector import collector_paused
from ..importers.vassal.limits import Limits
from ..model.finding import Audit, ChatTold, JudgedMove
from ..model.game import StepRef
from ..model.problem import CannotAudit
from ..model.viewer import Viewer
from ..validators.moves import find_moves
from ..validators.timeline import Timeline
from ..validators.witness import Witnesses
from .auditing import Evidence, Opened, read_evidence
from .discovery import MODULE_SUFFIXES, as_named
from .integrity import with_integrity
from .narrative import typed
from .reading import Named, Told, silent
from .shipped import made_for, of_game, used

OF_PACKS = ("no-phase", "no-side", "perhaps-units")
"""Problems of what a pack leaves out."""


@collector_paused()
def open_without_pack(
    named: Named, viewer: Viewer, limits: Limits, told: Told = silent
) -> tuple[Opened, bool]:
    """The game of the logs named, as ``viewer`` sees it, and whether there are rules for it: by the pack that
    comes with the program and was made for just its module, else with every piece as a unit. Raises
    :class:`CannotAudit` where no module is found, or nothing is played on hexes."""
    evidence = read_evidence(named, limits, told)
    one = made_for(evidence.module, evidence.file, limits)
    if one is None:
        return without_rules(evidence, viewer, told), False
    facts = load_facts(named.facts) if named.facts is not None else NO_FACTS
    opened = evidence.with_pack(amended(one.pack, facts), facts, viewer, told)
    return replace(opened, problems=(used(one), *opened.problems)), True


def without_rules(evidence: Evidence, viewer: Viewer, told: Told = silent) -> Opened:
    """The game of logs, as ``viewer`` sees it, with every piece as a unit."""
    return evidence.with_pack(_pack(evidence), NO_FACTS, viewer, told)


def what_was_done(opened: Opened, viewer: Viewer) -> Audit:
    """What a report tells of such a game: drags, chat, and how it was played. No move of it is judged."""
    game = opened.game
    timeline = Timeline(game)
    tracks = find_moves(game, timeline, Witnesses(game))
    moves = tuple(JudgedMove(track.move, "unverifiable", judged=False) for track in tracks)
    units = dict.fromkeys(unit for one in moves for unit in one.move.units)
    assert opened.backdrop is not None
    found = Audit(
        title=game.title,
        ruleset="",
        ruleset_version="",
        sources=tuple(source for source in game.sources if source.kind != "pack"),
        moves=moves,
        findings=(),
        problems=tuple(p for p in opened.problems if p.code not in OF_PACKS),
        names={unit: game.units[unit].name for unit in units if unit in game.units},
        chat=tuple(
            ChatTold(StepRef(step.log, step.number), player, text)
            for log in opened.backdrop.history.logs
            for step in log.steps
            for player, text in typed(step)
        ),
        next_step=_next_step(opened),
    )
    return with_integrity(opened, found, viewer)


def _next_step(opened: Opened) -> str:
    """What to do to have rules applied, with the command to paste."""
    back = opened.backdrop
    assert back is not None
    logs = [path for path in opened.files if path.suffix.lower() not in MODULE_SUFFIXES]
    files = shlex.join(as_named(path) for path in logs)
    other = next(iter(of_game(opened.game.title)), None)
    if other is not None:
        command = f"umpire audit {files} --pack {shlex.quote(as_named(other.folder))}"
        return (
            f"a pack made for another copy of this module (version {other.version}) comes with the"
            f" program ({other.told()}); to try it: {command}"
        )
    module = shlex.quote(as_named(back.module))
    return f"to have rules applied, begin a pack: umpire pack new {module} {files} -o my-pack"


def _pack(evidence: Evidence) -> Pack:
    """A pack that knows the maps of the module and nothing else. Raises :class:`CannotAudit` where none of
    them has a hex grid."""
    module, board = evidence.module, new_board(evidence.layouts)
    if not board.sheets:
        raise CannotAudit(
            "no audit pack for it lies beside the log, and it has no map with a hex grid",
            where=evidence.file.name,
            hint="'umpire show' tells what was done, step by step",
        )
    known = Known(module, board, module.sides, Census(()), (), "generic", (), {}, "")
    values = tomllib.loads(pack_toml(known))
    values["pack"]["title"] = module.name or module.file_name
    values["units"] = {"are": [{"name": ".*"}]}
    sheets = dict.fromkeys(FILES)
    found = pack_of(values, TomlFile(PACK_FILE, {}), sheets, "", "no pack")
    return replace(found, files=())
