"""``umpire convert``: modules, saves and logs as plain tables for other programs."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Literal, get_args

import click

from ... import __version__
from ...importers.analysis.columns import TABLES
from ...importers.analysis.document import document, document_bytes
from ...importers.analysis.records import plain_module, plain_table
from ...importers.analysis.tables import rows
from ...importers.pack.bind import sources_of_logs
from ...importers.pack.facts import NO_FACTS
from ...importers.pack.facts_file import load_facts
from ...importers.pack.load import amended, load_pack
from ...importers.vassal.buildfile import extensions_beside
from ...importers.vassal.layout import MapLayout
from ...importers.vassal.limits import Limits
from ...importers.vassal.module import Module
from ...importers.vassal.savefile import read_save
from ...model.game import Game, Source
from ...model.problem import Problem, UmpireError
from ...model.table import TableHistory
from ...model.viewer import Viewer
from ..auditing import Evidence
from ..discovery import module_file
from ..narrative import log_problems
from ..options import (
    LIMITED,
    VIEWER,
    PackPath,
    argument,
    check_side,
    declared,
    facts_option,
    option,
    output_options,
)
from ..output import STDOUT, Output, output_to
from ..output_folder import Folder, folder_to
from ..printable import say_problems
from ..progress import progress
from ..reading import Named, Told, layouts_for, open_for, read_history, sorted_files
from ..seal import BLANK
from ..table_files import FILE_FORMS, arrow, write_files, write_sqlite

EPILOG = """\b
Examples:
  umpire convert game.vmod -o module.json
  umpire convert turn-1.vlog turn-2.vlog -o game.json --pack packs/mine
  umpire convert turn-1.vlog --to sqlite -o game.db
  umpire convert turn-1.vlog --to parquet -o tables
"""

Form = Literal["json", "sqlite", "parquet", "csv", "jsonl"]
FORMS: tuple[Form, ...] = get_args(Form)

PART = Problem(
    "part-of-game",
    "something may be hidden from this reader: the game is written as he sees it, and an audit of the"
    " document accuses nobody; --director writes all of it",
    severity="note",
)


@dataclass(frozen=True, slots=True)
class Converted:
    """The content of the files. ``layouts``: None if there is no module to say how boards lie. ``files``: all
    that were read, also those found beside the named ones."""

    module: Module | None
    history: TableHistory | None
    layouts: dict[str, MapLayout] | None
    game: Game | None
    sources: tuple[Source, ...]
    problems: tuple[Problem, ...]
    files: tuple[Path, ...]


@declared("convert", epilog=EPILOG, short_help="Turn modules, saves and logs into plain tables.")
def command(
    files: tuple[Path, ...] = argument(),
    output: Path = output_options(
        "What to write: a file (- for standard output), or a folder for parquet, csv and jsonl.",
        required=True,
    ),
    force: bool = False,
    form: Form = option(
        "One analysis document, an SQLite file, or a folder with a file for each table.",
        "--to",
        choices=FORMS,
    ),
    pack: Path | None = option(
        "An audit pack: the document then also holds the game as the rules see it.", type=PackPath()
    ),
    facts: Path | None = facts_option("Facts of this game, with --pack."),
    viewer: Viewer = VIEWER,
    limits: Limits = LIMITED,
) -> None:
    """Convert FILES to the analysis format: a module, its extensions, saves and logs of one game.

    A module that is not among the FILES is looked for beside the first save or log. The formats are
    described in docs/analysis-format.md; 'umpire schema analysis' prints the document's schema. Only
    what every player may see is written, unless --as or --director say otherwise.
    """
    if facts is not None and pack is None:
        raise click.UsageError("--facts needs --pack")
    if form != "json" and pack is not None:
        raise click.UsageError(f"--pack does not go with --to {form}")
    if form in FILE_FORMS and output == STDOUT:
        raise click.UsageError(f"-o - does not go with --to {form}, which writes a folder")
    with progress() as told:
        problems = convert(files, output, form, pack, facts, viewer, limits, force=force, told=told)
    say_problems(problems)


def convert(
    files: tuple[Path, ...],
    output: Path,
    form: Form,
    pack: Path | None,
    facts: Path | None,
    viewer: Viewer,
    limits: Limits,
    *,
    force: bool,
    told: Told,
) -> tuple[Problem, ...]:
    """Convert ``files`` and write the result; returns the problems."""
    named, module, extensions = sorted_files(files, limits)
    inputs = (*files, *(p for p in (pack, facts) if p is not None))
    out: Output | Folder
    if form == "parquet":
        arrow()  # that it is not installed is told now, not after the work
    if form in FILE_FORMS:
        out = folder_to(
            output,
            (f"{table}.{one}" for table in TABLES for one in FILE_FORMS),
            inputs,
            force=force,
        )
    else:
        out = output_to(output, inputs, force=force)
    found = read(Named(named, module, pack, facts), extensions, viewer, limits, told)
    out.refuse(found.files)
    told("writing", 0, 0)
    write(found, form, out, viewer)
    logs = found.history.logs if found.history is not None else ()
    return (*found.problems, *(p for log in logs for p in log_problems(log, viewer)))


def read(
    named: Named, extensions: tuple[Path, ...], viewer: Viewer, limits: Limits, told: Told
) -> Converted:
    """Read the files."""
    first = read_save(named.logs[0], limits) if named.logs else None
    path = named.module
    if path is None and first is not None:
        path = module_file(named.logs[0], first.module, limits, named.pack)
    module = None
    if path is not None:
        module = open_for(path, named.logs, limits, extensions)
    problems = module.problems if module is not None else ()
    files = () if path is None else (path, *extensions_beside(path))
    if first is None:
        return Converted(
            module, None, None, None, tuple(sources_of_logs((), module)), _once(problems), files
        )
    history = read_history(named, module, limits, told)
    sides = {p.side for log in history.logs for p in (*log.opening.players, *log.end.players)}
    check_side(viewer, sides | set(module.sides if module is not None else ()))
    layouts = layouts_for(module, first) if module is not None else None
    game = None
    if named.pack is not None:
        if path is None or module is None or layouts is None:
            raise UmpireError("--pack needs the module", hint="name it among the files")
        given = load_facts(named.facts) if named.facts is not None else NO_FACTS
        pack = amended(load_pack(named.pack), given)
        files = (*files, *pack.files, *given.files)
        evidence = Evidence(named.logs, path, module, history, layouts, files)
        opened = evidence.with_pack(pack, given, viewer, told)
        game, read_from = opened.game, opened.game.sources
        problems = (*problems, *(opened.bound.problems if opened.bound is not None else ()))
        if evidence.may_be_part(viewer):
            game, problems = replace(game, is_part=True), (*problems, PART)
    else:
        read_from = tuple(sources_of_logs(history.logs, module))
    met = _once((*history.problems, *problems))
    return Converted(module, history, layouts, game, read_from, met, files)


def _once(problems: tuple[Problem, ...]) -> tuple[Problem, ...]:
    return tuple(dict.fromkeys(problems))


def write(found: Converted, form: Form, out: Output | Folder, viewer: Viewer) -> None:
    """Write the result in the chosen form, whole or not at all."""
    generator = f"vassal-umpire {__version__}"
    problems = tuple(str(problem) for problem in found.problems)
    logs, module = found.history, found.module
    told = rows(logs, module, found.layouts, viewer, problems)
    if isinstance(out, Folder):
        assert form in FILE_FORMS
        out.write(partial(write_files, form, told))
        return
    if form == "sqlite":
        with out.part() as part:
            write_sqlite(part, told, {"generator": generator, "seal": BLANK})
        return
    plain = document(
        game=found.game,
        module=plain_module(found.module, found.layouts) if found.module is not None else None,
        table=plain_table(found.history, viewer) if found.history is not None else None,
        sources=found.sources,
        viewer=str(viewer),
        generator=generator,
        problems=problems,
    )
    out.write(document_bytes({**plain, "seal": BLANK} if out.is_file else plain))
