"""``umpire pack new``: a first pack for a module and its logs."""

from __future__ import annotations

import shlex
import tomllib
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import click

from ... import __version__
from ...importers.pack.census import Census, take_census
from ...importers.pack.files import FILES, PACK_FILE
from ...importers.pack.known import Known
from ...importers.pack.load import pack_of
from ...importers.pack.new_board import hex_grids, new_board, no_hexes
from ...importers.pack.new_pack import pack_toml, units_csv
from ...importers.pack.seen_history import seen_history
from ...importers.pack.signs import looks_like_unit, phase_signs
from ...importers.pack.toml_text import TomlFile
from ...importers.vassal.buildfile import extensions_beside
from ...importers.vassal.limits import Limits
from ...importers.vassal.module import Module
from ...importers.vassal.savefile import read_save
from ...model.problem import CannotAudit, Problem
from ...model.table import TableHistory
from ...model.viewer import EVERYONE, Viewer
from ...validators.concepts.missing_facts import question_of_chart
from ...validators.rulebook import Rulebook
from ..discovery import as_named, in_studio
from ..narrative import log_problems
from ..options import LIMITED, VIEWER, argument, check_side, declared, option, output_options
from ..output_folder import pack_output
from ..phase_proposals import propose_for
from ..printable import printable, say_problems
from ..progress import progress
from ..reading import (
    Named,
    Told,
    default_layouts,
    layouts_for,
    module_of_game,
    open_for,
    read_history,
    sorted_files,
)
from ..registry import rulesets
from ..reports.phrases import counted
from ..ruleset_needs import begun_tables, charts_of, wanted_by, whole_charts
from ..timeline import timeline

EPILOG = """\b
Examples:
  umpire pack new game.vmod -o my-pack
  umpire pack new game.vmod turn-1.vlog turn-2.vlog -o my-pack
  umpire pack new game.vmod turn-1.vlog -o my-pack --ruleset NAME
"""


@dataclass(frozen=True)
class Made:
    """The files of a first pack by name, what they depend on, and the problems."""

    files: dict[str, str]
    known: Known
    inputs: tuple[Path, ...]
    problems: tuple[Problem, ...]


@declared("new", epilog=EPILOG, short_help="Write a first pack for a module and its logs.")
def command(
    files: tuple[Path, ...] = argument(),
    output: Path = output_options(
        "The pack's folder: a new one, or one that umpire wrote.", required=True
    ),
    force: bool = False,
    ruleset: str = option(
        "The pack's ruleset.", metavar="NAME", default="generic", show_default=True
    ),
    viewer: Viewer = VIEWER,
    limits: Limits = LIMITED,
) -> None:
    """Write a first pack from FILES: a module, its extensions, saves and logs of one game.

    The pack loads at once and accuses nobody: it holds what is certain from the files; guesses are comments
    (#?), and nothing is called complete. If no module is named, it is looked for beside the first log. Only
    counters that every player may see are listed, unless --as or --director say otherwise.
    """
    target = pack_output(output, files, force=force)
    with progress() as told:
        made = make_pack(files, ruleset, viewer, limits, told)
        target.refuse(made.inputs)
        target.write(made.files)
    say_problems(made.problems)
    for line in summary(made, output):
        click.echo(printable(line))
    click.echo(printable(f"  next    {in_studio(output, *made.inputs[: len(files) + 1])}"))


def make_pack(
    files: tuple[Path, ...], ruleset: str, viewer: Viewer, limits: Limits, told: Told
) -> Made:
    """A first pack for ``files``. Raises :class:`CannotAudit` if the module has no hexes to play on."""
    rules = rulesets().get(ruleset)
    logs, path, extensions = sorted_files(files, limits)
    first = read_save(logs[0], limits) if logs else None
    if path is None and first is not None:
        hint = "put the .vmod beside the log, or name it among the files"
        path = module_of_game(logs[0], first, limits, hint, option="")
    if path is None:
        raise CannotAudit("no module is named", where=files[0].name, hint="name the .vmod as well")
    module = open_for(path, logs, limits, extensions)
    history = read_history(Named(logs, path), module, limits, told) if logs else None
    layouts = layouts_for(module, first) if first is not None else default_layouts(module)
    sides = _sides(module, history)
    check_side(viewer, sides)
    told("counting what there is", 0, 0)
    board = new_board(layouts)
    if not board.sheets:
        raise _no_sheet(module, path, logs)
    census = Census(())
    if history is not None:
        census = take_census(module, history, {sheet.map for sheet in board.sheets}, viewer)
    tables = begun_tables(rules)
    of_logs = f" and {counted(len(logs), 'log')}" if logs else ""
    # the pack may name counters which some players may not see
    warned = "" if viewer == EVERYONE else f", as seen by the {viewer}: not for everyone to read"
    known = Known(
        module=module,
        board=board,
        sides=sides,
        census=census,
        signs=tuple(phase_signs(module, history, sides, viewer)),
        ruleset=ruleset,
        wanted=wanted_by(rules, tables, sides),
        tables=tables,
        made_by=f"written by umpire {__version__} from {path.name}{of_logs}{warned}",
        charts={name: question_of_chart(name) for name in charts_of(rules)},
        brought=tuple(sorted(whole_charts(rules))),
        phases=rules.manifest.phases if isinstance(rules, Rulebook) else (),
        forms=rules.manifest.forms if isinstance(rules, Rulebook) else (),
        played_with=() if first is None or first.module is None else (first.module.name,),
    )
    if history is not None:
        known = replace(known, segments=_segments(known, history, viewer))
    found = {PACK_FILE: pack_toml(known)}
    units = units_csv(known)
    if units is not None:
        found["units.csv"] = units
    read = (*files, path, *extensions_beside(path))
    odd = (p for log in (history.logs if history else ()) for p in log_problems(log, viewer))
    of_all = history.problems if history is not None else ()
    return Made(found, known, read, (*of_all, *module.problems, *odd))


def _segments(known: Known, history: TableHistory, viewer: Viewer) -> tuple[str, ...]:
    """The phases that the studio guesses for this pack, by steps of the logs, one line each."""
    values = tomllib.loads(pack_toml(known)) | {"units": {}}  # phases do not rest on them
    pack = pack_of(values, TomlFile(PACK_FILE, {}), dict.fromkeys(FILES), "", "")
    seen = seen_history(history, viewer)
    found = propose_for(pack, known.module, seen, timeline(history, viewer))
    return tuple(one.said for one in found if one.phase)


def _no_sheet(module: Module, path: Path, logs: Sequence[Path]) -> CannotAudit:
    """Why there is no map to play on. ``logs``: with the game's own choice of boards; empty: it is not
    known."""
    chosen = {
        a_map.name: [board.name for board in a_map.boards if hex_grids(board.grid)]
        for a_map in module.maps
        if not a_map.default_layout
    }
    for name, boards in chosen.items():
        if boards and not logs:
            more = f" … ({len(boards)})" if len(boards) > 3 else ""
            return CannotAudit(
                f"leaves it to each game which boards are laid on the map {name} "
                f"({', '.join(boards[:3])}{more})",
                where=path.name,
                hint="name a log or a save of the game as well",
            )
    files = shlex.join(map(as_named, logs)) or "LOG"
    return CannotAudit(
        "no pack can be begun: " + no_hexes(module) if logs else "has no map with a hex grid",
        where=path.name,
        expected="" if logs else "a game that is played on hexes",
        hint=f"to see what was done in it: umpire audit {files}",
    )


def _sides(module: Module, history: TableHistory | None) -> tuple[str, ...]:
    """The sides that the module names; if it names none, those played in the logs."""
    if module.sides or history is None:
        return module.sides
    players = (p for log in history.logs for p in (*log.opening.players, *log.end.players))
    return tuple(sorted({player.side for player in players} - {""}))


def summary(made: Made, output: Path) -> list[str]:
    """What was written, and what to do next, a line each."""
    known = made.known
    hexes = sum(sheet.hexes for sheet in known.board.sheets)
    kinds = known.census.kinds
    likely = sum(looks_like_unit(kind) for kind in kinds)
    lines = [
        f"{output}: a first pack for {known.module.name or known.module.file_name}, ruleset {known.ruleset}",
        f"  board   {counted(len(known.board.sheets), 'sheet')}, {counted(hexes, 'hex', 'hexes')}; "
        "their terrain is not known",
    ]
    if kinds:
        lines.append(
            f"  units   {counted(len(kinds), 'kind')} of counters in units.csv, {likely} of them probably "
            "units: write yes or no into the column unit"
        )
    else:
        lines.append("  units   name logs, and their counters are listed in units.csv")
    signs = counted(len(known.signs), "place")
    lines.append(f"  phases  not known; {signs} in the files may tell them, see [[phases.from]]")
    if known.segments:
        segments = counted(len(known.segments), "stretch", "stretches")
        lines.append(
            f"          {segments} of steps may be phases; confirm them in the studio's Phases view"
        )
    lines.append("  guesses are lines that begin with #? in pack.toml")
    return lines
