"""``umpire pack import``: terrain from tables made by other people and programs."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import click

from ...importers.ordinary import is_there
from ...importers.pack.edit.batch import make
from ...importers.pack.edit.draft import Draft
from ...importers.pack.edit.recording import Signed
from ...importers.pack.imported_table import Reading
from ...importers.pack.pack import Pack
from ...importers.pack.terrain_spreadsheet import OURS
from ...importers.vassal.limits import Limits
from ...model.problem import UmpireError
from ..board_import import FILES, WHOLE, Imported, bare_board, imported
from ..options import LIMITED, MODULE, argument, declared, option
from ..output import alone_in, print_text, replace_own
from ..printable import say_problems
from ..reports.phrases import counted
from ..ruleset_needs import words_for
from ..text_writer import TextWriter, terminal_width, wants_colour

EPILOG = """\b
Examples:
  umpire pack import hexes.csv lines.csv --into my-pack --module game.vmod
  umpire pack import terrain.json --into my-pack --name creek=river --dry-run
  umpire pack import map.csv --into my-pack --column hex=Number --column terrain=Kind
  umpire pack import map.csv --into my-pack --along river=Rivers --across rail=Rails
"""
FEW = 20
"""Cells that are listed; the others are only counted."""


class Pair(click.ParamType):  # type: ignore[type-arg]  # generic only in later versions of click
    """Two words joined by ``=``; the second may be empty."""

    name = "pair"

    def convert(
        self, value: object, param: click.Parameter | None, ctx: click.Context | None
    ) -> tuple[str, str]:
        if isinstance(value, tuple):
            return value
        left, sign, right = (part.strip() for part in str(value).partition("="))
        if not sign or not left:
            self.fail(f"expected two words joined by =, such as hex=Number; found {value}")
        return left, right


@declared("import", epilog=EPILOG, short_help="Fill in a board from other tables.")
def command(
    files: tuple[Path, ...] = argument(),
    pack: Path = option("The pack's folder.", "--into", required=True),
    module: Path | None = MODULE,
    log: Path | None = option("A log: it says which boards are in use."),
    columns: tuple[tuple[str, str], ...] = option(
        f"What a column is called there: {', '.join(OURS)}.",
        "--column",
        type=Pair(),
        metavar="OURS=THEIRS",
    ),
    names: tuple[tuple[str, str], ...] = option(
        "What a name means in the pack's words, several joined by +; nothing after =: leave it out.",
        "--name",
        type=Pair(),
        metavar="THEIRS=OURS",
    ),
    along: tuple[tuple[str, str], ...] = option(
        "A column that lists the sides of a hex (N, NE, SE, S, SW, NW) on which this lies.",
        type=Pair(),
        metavar="NAME=COLUMN",
    ),
    across: tuple[str, ...] = option(
        "A name that leads across hexsides, as roads do; with a column as for --along.",
        metavar="NAME[=COLUMN]",
    ),
    whole: tuple[str, ...] = option(
        "The tables give this layer in full: what they leave out is not there.",
        choices=WHOLE,
    ),
    verbose: bool = option("List everything that differs or is not taken."),
    dry_run: bool = option("Only say what would be filled in; write nothing."),
    limits: Limits = LIMITED,
) -> None:
    """Fill in the board of a pack from FILES: spreadsheets like the pack's own, others whose columns are
    named here, the terrain.json of vsav-engine, or a HexMap 1.0 as JSON.

    New entries have the status imported and count as not known until somebody has looked at them. Cells that
    were typed or looked at stay as they are; conflicts with them, or among FILES, are listed and not
    imported.
    """
    for ours, _ in columns:
        if ours not in OURS:
            raise UmpireError(f"expected one of {', '.join(OURS)}; found {ours}", where="--column")
    if not pack.is_dir():
        raise UmpireError(
            "is not the folder of a pack", where=str(pack), expected="a pack's folder"
        )
    read = {name: (pack / name).read_bytes() if is_there(pack / name) else None for name in FILES}
    bare = bare_board(pack, module, [log] if log is not None else [], limits)
    words = words_for(bare.pack)
    across_columns = [Pair().convert(one, None, None) for one in across if "=" in one]
    reading = Reading(
        dict(columns),
        dict(names),
        frozenset(one for one in across if "=" not in one),
        {
            **{("hexsides", name): column for name, column in along},
            **{("lines", name): column for name, column in across_columns},
        },
        frozenset(whole),
        every=verbose,
    )
    draft = Draft({name: data or b"" for name, data in read.items()}, bare.board)
    named = ((path, None) for path in files)
    found = imported(draft, bare.board, bare.pack, words, named, reading)
    say_problems(found.unknown)
    signed = Signed("umpire", found.when, found.method, status=None)
    _, refused = make(draft, found.filling.edits, signed)
    if refused:
        raise UmpireError(refused[0].why, where=str(pack))
    if not dry_run:
        after = draft.files()
        with alone_in(pack):
            for name in FILES:
                if after[name] != (read[name] or b""):
                    replace_own(pack / name, read[name], after[name])
    say_problems(bare.problems)
    writer = TextWriter(terminal_width(), colour=wants_colour())
    tell(writer, bare.pack, found, dry_run=dry_run, few=None if verbose else FEW)
    print_text([writer.text()])


def tell(
    writer: TextWriter,
    pack: Pack,
    found: Imported,
    *,
    dry_run: bool,
    few: int | None = FEW,
) -> None:
    """Print what was filled in, by layer, and what was not. ``few``: list at most this many cells; None:
    all."""
    filling = found.filling
    writer.title(f"Import into the pack {pack.name}")
    layers = Counter(key.layer for key in filling.entered)
    told = ", ".join(f"{layer} {number:,}" for layer, number in layers.items()) or "nothing"
    writer.labelled("would fill in" if dry_run else "filled in", told)
    writer.labelled("there already", counted(filling.same, "fact"))
    for title, lines in (
        ("Left as they were typed or looked at", filling.kept),
        ("Left out because the files differ", found.differ),
        ("Not taken", found.left_out),
    ):
        if lines:
            writer.heading(f"{title} ({len(lines):,})")
            for line in lines[:few]:
                writer.line(line, indent=2, hang=4)
            if few is not None and len(lines) > few:
                writer.line(f"and {len(lines) - few:,} more: see --verbose", indent=2)
    if filling.entered and not dry_run:
        writer.blank()
        writer.line(
            "All of it counts as not known until somebody has looked at it (status imported in "
            "provenance.csv)."
        )
