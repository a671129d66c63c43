"""``umpire pack suggest``: fill in a pack's board from the picture of its map."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING

from ... import __version__
from ...importers.pack.provenance import moment
from ...importers.vassal.limits import Limits
from ...model.problem import UmpireError
from ...model.provenance import Key, Layer
from ..installed import install_command
from ..options import LIMITED, MODULE, OutputPath, argument, declared, option
from ..output import Output, output_to, print_text
from ..printable import say_problems
from ..progress import progress
from ..reading import sorted_files
from ..reports.phrases import counted
from ..seal import BLANK
from ..text_writer import TextWriter, terminal_width, wants_colour

if TYPE_CHECKING:
    from ..looking.filling import Entry
    from ..looking.ground import Ground
    from ..looking.proposals import Sheet

EPILOG = """\b
Examples:
  umpire pack suggest my-pack --module game.vmod
  umpire pack suggest my-pack turn-1.vlog --ask shown.csv
  umpire pack suggest my-pack turn-1.vlog --examples shown.csv
"""
LAYERS: tuple[Layer, ...] = ("terrain", "hexsides", "lines")
NAMES: dict[Layer, str] = {
    "terrain": "terrain of hexes",
    "hexsides": "along hexsides",
    "lines": "across hexsides",
}
FEW = 12
"""Kinds of a layer shown as text; --list has all."""


@declared("suggest", epilog=EPILOG, short_help="Fill in a board from the map's picture.")
def command(
    pack: Path = argument(),  # no name of a known pack, which is only read
    logs: tuple[Path, ...] = argument(required=False),
    module: Path | None = MODULE,
    examples: Path | None = option(
        "More examples: a spreadsheet with the columns cell, layer, value."
    ),
    ask: Path | None = option(
        "Suggest nothing; write such a spreadsheet with cells that differ most, to be filled in.",
        type=OutputPath(),
        metavar="FILE",
    ),
    only: tuple[Layer, ...] = option("Only this layer (may be repeated).", choices=LAYERS),
    unsure: bool = option("Also fill in what is unsure."),
    listed: Path | None = option(
        "List every suggestion (CSV).", "--list", type=OutputPath(), metavar="FILE"
    ),
    dry_run: bool = option("Change nothing in the pack."),
    force: bool = option("Replace FILE even if umpire did not write it."),
    limits: Limits = LIMITED,
) -> None:
    """Suggest, from the picture of the map, the cells of PACK's board that have no entry yet.

    Examples are the known cells: typed, or looked at. Suggestions have the status "suggested" in
    provenance.csv and count as not known until somebody has looked at them. Existing entries are not changed.
    One of LOGS says which boards are in use, if the module leaves that to the players. The module is found
    beside the log or the pack, or named, also among LOGS.
    """
    if find_spec("numpy") is None:
        raise UmpireError(
            "suggestions need numpy", hint=f"install it with: {install_command(['numpy'])}"
        )
    from ..looking import filling as files
    from ..looking.filling import open_to_look
    from ..looking.proposals import propose
    from ..looking.shown_file import read_shown, shown_csv

    inputs = tuple(path for path in (*logs, module, examples) if path is not None)
    to_ask = None if ask is None else output_to(ask, inputs, force=force)
    to_list = None if listed is None else output_to(listed, inputs, force=force)
    layers = tuple(layer for layer in LAYERS if not only or layer in only)
    with progress() as said:
        said("reading the module", 0, 0)
        into = None if dry_run or to_ask else files.filling(pack)
        logs, module, _ = sorted_files(logs, limits, module)
        opened = open_to_look(pack, module, logs, limits)
        pack_board = opened.pack_board
        for output in (to_ask, to_list):
            if output is not None:
                output.refuse(opened.files)
        more = {} if examples is None else read_shown(examples, pack_board.drawn)
        if to_ask is not None:
            said("looking for cells that differ", 0, 0)
            rows = [(key, more.get(key, "")) for g in opened.grounds for key in asked(g, layers)]
            _write(to_ask, shown_csv(rows))
        else:
            sheets = [propose(ground, pack_board, more, layers, said) for ground in opened.grounds]
            method, who, when = signed()
            entries = files.entries_of(sheets, pack_board, more, who, unsure=unsure)
            if to_list is not None:
                _write(to_list, _list(sheets))
            if into is not None and entries:
                said("writing", 0, 0)
                into.write(files.filled(into.files, pack_board, entries, method, who, when))
    say_problems(opened.problems)
    writer = TextWriter(terminal_width(), colour=wants_colour())
    if to_ask is not None:
        writer.line(
            f"{counted(len(rows), 'cell')} in {ask}: write into the column value what lies there "
            '("none" where nothing does), take out the others, and name the file with --examples.'
        )
    else:
        show(writer, opened.pack.name, sheets)
        writer.blank()
        writer.line(_written(entries, pack, dry_run=dry_run))
    print_text([writer.text()])


def signed() -> tuple[str, str, str]:
    """The author, method and time that the records of suggestions give."""
    return f"umpire {__version__} pack suggest", "umpire", moment()


def asked(ground: Ground, layers: Sequence[Layer]) -> Iterable[Key]:
    """The cells of one picture that differ most from each other, by layer."""
    for layer in layers:
        if layer == "terrain":
            yield from (Key(name, layer) for name in ground.survey.different())
        else:
            sides = ground.survey.offered(lines=layer == "lines")
            yield from (Key("/".join(sorted(side)), layer) for side in sides)


def _write(output: Output, table: str) -> None:
    """A spreadsheet; its last row is a comment with the seal."""
    output.write(f"{table}# {BLANK}\n".encode())


def _list(sheets: Sequence[Sheet]) -> str:
    from ..looking.shown_file import table_csv

    columns = ("cell", "layer", "value", "confidence", "chance")
    found = (p for sheet in sheets for p in sheet.proposals)
    rows = (
        (p.key.cell, p.key.layer, p.value, p.confidence.value, f"{p.chance:.3f}") for p in found
    )
    return table_csv(columns, rows)


def show(writer: TextWriter, name: str, sheets: Sequence[Sheet]) -> None:
    """One screen: by picture and layer, how many of each kind are sure, unsure, or unlike any example."""
    writer.title(f"Suggestions for the pack {name}")
    for sheet in sheets:
        writer.labelled(
            "picture",
            f"{sheet.title}: {counted(sheet.hexes, 'hex', 'hexes')}, "
            f"{counted(sheet.sides, 'side')}; {_fit(sheet)}",
        )
        for layer, why in sheet.silent.items():
            writer.labelled(
                layer, f"nothing suggested: {why} (type some, or name them with --examples)"
            )
        for one, other in sheet.mixed:
            writer.labelled(
                "mixed", f"{one} and {other} were shown with the same look; neither is sure"
            )
        for layer, kinds in sheet.strange.items():
            if kinds:
                writer.labelled(
                    layer,
                    f"the examples of {', '.join(kinds)} do not look alike enough to tell them from"
                    " nothing, so no side is sure: show clearer ones, or take out those that are wrong",
                )
        for layer, pairs in sheet.confused.items():
            for one, other in pairs:
                writer.labelled(
                    layer,
                    f"the examples of {one} and of {other} do not look different enough, so neither is "
                    "sure: show clearer ones of both, or take out those that are wrong",
                )
        for layer, kinds in sheet.single.items():
            if kinds:
                writer.labelled(
                    layer,
                    f"{', '.join(kinds)}: only one example, so neither such a side nor an empty one is"
                    " sure; show a second one",
                )
        rows = [row for layer in sheet.shown for row in _rows(sheet, layer)]
        if rows:
            writer.blank()
            columns = ("", "kind", "examples", "sure", "unsure", "unlike anything shown")
            writer.table(columns, rows, indent=2, right=(2, 3, 4, 5))


def _rows(sheet: Sheet, layer: Layer) -> Iterable[tuple[str, ...]]:
    mine = [p for p in sheet.proposals if p.key.layer == layer]
    if not mine:
        return
    counts = Counter((p.value, p.confidence.name) for p in mine)
    kinds = sorted({*sheet.shown[layer], *(p.value for p in mine)}, key=lambda k: (k == "none", k))
    for number, kind in enumerate(kinds[:FEW]):
        numbers = [counts[kind, word] for word in ("SURE", "UNSURE", "UNLIKE")]
        shown = f"{sheet.shown[layer].get(kind, 0):,}"
        what = "nothing" if kind == "none" else kind
        yield (NAMES[layer] if not number else "", what, shown, *(f"{n:,}" for n in numbers))
    if len(kinds) > FEW:
        yield "", f"and {len(kinds) - FEW} more kinds: see --list", "", "", "", ""


def _fit(sheet: Sheet) -> str:
    if sheet.fits is None:
        return (
            "no printed grid to compare with the module's" if sheet.proposals else "not looked at"
        )
    off = "" if sheet.off is None else f" (off by {sheet.off:.2f} of a hex)"
    return (
        f"the printed grid fits{off}"
        if sheet.fits
        else (f"the printed grid does not fit{off}, so no side is sure")
    )


def _written(entries: Sequence[Entry], pack: Path, *, dry_run: bool) -> str:
    if not entries:
        return "Nothing to fill in; the pack is as it was."
    cells = len({(e.key.cell, e.key.layer) for e in entries if e.key.layer != "features"})
    if dry_run:
        return f"{counted(cells, 'cell')} would be filled in; the pack is as it was."
    return (
        f"{counted(cells, 'cell')} filled in as suggested in {pack}; nobody has looked at them yet, so they "
        "count as not known."
    )
