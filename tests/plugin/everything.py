"""All that commands, the Python interface and a batch tell of a game in logs, for one pair of eyes."""

from __future__ import annotations

import json
import sqlite3
import zipfile
from collections.abc import Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

import vassal_umpire as vu
from full_repr import full_repr
from vassal_umpire.importers.vassal.commands.stream import parse_stream
from vassal_umpire.importers.vassal.limits import DEFAULT_LIMITS
from vassal_umpire.importers.vassal.savefile import read_save
from vassal_umpire.model.viewer import Viewer
from vassal_umpire.plugin.batch.games import Found
from vassal_umpire.plugin.batch.tables import DOES
from vassal_umpire.plugin.batch.tasks import Planner, Settings
from vassal_umpire.plugin.batch.work import work
from vassal_umpire.plugin.commands.convert import FORMS
from vassal_umpire.plugin.registry import reports

from .kit import umpire

Told = Iterator[tuple[str, bytes]]
NOBODY = "Nobody"
"""A side that no module has: its eyes are refused."""


@dataclass(frozen=True)
class Asked:
    """``logs`` beside their ``module``. ``midway``: a save and the log it goes on from."""

    logs: Sequence[Path]
    module: Path
    pack: Path
    facts: Path | None = None
    midway: tuple[Path, Path] | None = None

    def commands(self, eyes: tuple[str, ...], folder: Path) -> Told:
        """What the commands print, and write into a folder."""
        facts = ("--facts", self.facts) if self.facts is not None else ()
        named = (*self.logs, "--module", self.module)
        packed = (*named, "--pack", self.pack, *facts)
        for form in ("text", "json"):
            how = (*eyes, "--format", form)
            yield f"inspect {form}", run("inspect", self.logs[-1], *how)
            checked = ("pack", "check", self.pack, *self.logs, *facts)
            yield f"pack check {form}", run(*checked, *how)
            if "--director" not in eyes:
                yield f"check {form}", run("check", *packed, *how, "-v")
        for form in ("text", "markdown", "jsonl"):
            yield f"show {form}", run("show", *named, *eyes, "-v", "--format", form)
        for form in (*FORMS, "pack"):
            how = ("--pack", self.pack, *facts) if form == "pack" else ("--to", form)
            out = folder / form
            yield f"convert {form}", run("convert", *self.logs, self.module, *how, *eyes, "-o", out)
            yield from written(out)
        for form in reports().parts:
            out = folder / f"report.{form}"
            yield f"audit {form}", run("audit", *packed, *eyes, "-v", "--format", form, "-o", out)
            yield from written(out)
        report = folder / "report.json"
        if report.exists():
            out = folder / "umpire.vmdx"
            yield "extension", run("extension", self.module, "--report", report, "-o", out)
            yield from written(out)
        copy = folder / "copy.vlog"
        yield "annotate", run("annotate", *packed, *eyes, "-o", copy)
        if copy.exists():  # what was added: the rest holds whatever the log held
            before = set(parse_stream(read_save(self.logs[-1]).text))
            added = [g for g in parse_stream(read_save(copy).text) if g not in before]
            assert added
            yield "annotate", "\n".join(added).encode()
        yield "pack new", run("pack", "new", self.module, *self.logs, *eyes, "-o", folder / "new")
        yield from written(folder / "new")
        if self.midway is not None and "--director" not in eyes:
            save, after = self.midway
            how = ("--module", self.module, "--pack", self.pack, *facts)
            yield "check midway", run("check", save, "--after", after, *how, *eyes, "-v")

    def batches(self, viewer: Viewer) -> Told:
        """The rows of batches of the last log."""
        log = self.logs[-1]
        for do in DOES:
            pack = self.pack if do == "audit" else None
            settings = Settings(do, viewer, DEFAULT_LIMITS, self.module, pack)
            outcome = work(Planner(settings).task(Found(log.name, log)))
            assert outcome.failed is (viewer.side == NOBODY)
            yield f"batch {do}", json.dumps(outcome.cells).encode()

    def in_python(self, viewer: Viewer, every: int = 1) -> Told:
        """All that the Python interface gives of it, as text; the table after every so many steps."""
        try:
            shown = vu.open_log(self.logs[-1], module=self.module, viewer=viewer)
        except vu.UmpireError as error:
            assert viewer.side == NOBODY
            yield "python", str(error).encode()
            return
        held: list[object] = [shown, shown.players, shown.problems, *shown.steps()]
        between = (step.table for step in list(shown.steps())[every - 1 :: every])
        tables = [shown.table(0), *between, shown.table()]
        for table in tables:
            held += [table, table.pieces, table.stacks, table.decks, table.globals, table.turns]
        named = {"module": self.module, "pack": self.pack, "facts": self.facts}
        audited = vu.audit(self.logs, **named, viewer=viewer)
        for one in (shown, tables[0], tables[-1], audited):
            held += [frame.to_pylist() for frame in one.to_frames().values()]
        yield "python", full_repr((*held, audited, *map(repr, held))).encode("utf-8", "replace")


def run(*words: object) -> bytes:
    """What a command prints on both streams; eyes of nobody are refused."""
    result = umpire(*words)
    allowed = (2,) if NOBODY in words else (0, 1, 3)
    assert result.exit_code in allowed, result.output
    return result.output.encode("utf-8", "replace")


def written(out: Path) -> Told:
    """The files that were written as ``out``, or in it; the rows of a database, for its pages are laid out by
    what was written before."""
    for file in sorted(out.rglob("*")) if out.is_dir() else [out]:
        if not file.is_file():
            continue
        if file.name == "sqlite":
            with closing(sqlite3.connect(file)) as base:
                yield file.name, "\n".join(base.iterdump()).encode()
        elif file.suffix == ".parquet":  # its columns are compressed
            from pyarrow import parquet

            yield file.name, str(parquet.read_table(file).to_pylist()).encode()
        elif zipfile.is_zipfile(file):
            with zipfile.ZipFile(file) as zipped:
                yield from ((f"{file.name} {n}", zipped.read(n)) for n in zipped.namelist())
        else:
            yield file.name, file.read_bytes()
