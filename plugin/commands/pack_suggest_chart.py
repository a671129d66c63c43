"""``umpire pack suggest-chart``: what the moves say of the numbers that the charts of a pack lack."""

from __future__ import annotations

from pathlib import Path

import click

from ...importers.vassal.limits import Limits
from ...model.viewer import Viewer
from ...validators.chart_from_moves.asking import Asked
from ..auditing import is_document, open_game
from ..chart_from_moves import (
    CAUSES,
    NOTHING_COUNTS,
    asked_of,
    evidence_text,
    left_out_lines,
    plain,
    unexplained_lines,
    value_text,
)
from ..json_text import document_text
from ..options import (
    FACTS,
    LIMITED,
    MODULE,
    VIEWER,
    PackPath,
    argument,
    check_side,
    declared,
    form_option,
)
from ..output import print_text
from ..progress import progress
from ..reading import Named
from ..reports.phrases import counted
from ..text_writer import TextWriter, terminal_width, wants_colour

EPILOG = """\b
Examples:
  umpire pack suggest-chart my-pack turn-*.vlog
  umpire pack suggest-chart my-pack turn-*.vlog --format json
  umpire pack suggest-chart game.json      of an analysis document
"""
FEW = 6
"""Moves without an explanation that are shown as text; JSON has them all."""


@declared("suggest-chart", epilog=EPILOG, short_help="Ask the moves for numbers of a chart.")
def command(
    pack: Path = argument(type=PackPath()),
    logs: tuple[Path, ...] = argument(required=False),
    module: Path | None = MODULE,
    facts: Path | None = FACTS,
    form: str = form_option(),
    viewer: Viewer = VIEWER,
    limits: Limits = LIMITED,
) -> None:
    """Tell what the moves in LOGS say of the costs that the charts of PACK lack: terrain, hexsides, roads.

    Of each such number it says that it is pinned, or lies between two values, or that no move tells; and what
    speaks for it. One kind of terrain must have its cost, such as clear = 1, and the phases and allowances
    must be known. Nothing is written, and nobody is judged by it. An analysis document in place of PACK and
    LOGS holds both.
    """
    with progress() as told:
        alone = not logs and pack.is_file() and is_document(pack)
        if not logs and not alone:
            raise click.UsageError(
                "name the logs of a game, or an analysis document in place of PACK"
            )
        named = Named((pack,), module, None, facts) if alone else Named(logs, module, pack, facts)
        opened = open_game(named, viewer, limits, told)
        check_side(viewer, opened.game.sides)
        asked = asked_of(opened, told)
    if form == "json":
        print_text([document_text(plain(asked))])
        return
    writer = TextWriter(terminal_width(), colour=wants_colour())
    show(writer, asked)
    print_text([writer.text()])


def show(writer: TextWriter, asked: Asked) -> None:
    """One screen."""
    writer.title("What the moves say of the charts")
    if not asked.missing:
        writer.line("The charts lack no cost of what is known to be on the board.")
    for one in asked.classes:
        moves, phases = counted(one.moves, "different move"), counted(one.phases, "phase")
        writer.heading(f"{one.cls}: {moves} in {phases}")
        for found in one.findings:
            name = f"{found.number.table} {found.number.name}"
            writer.spans(
                (f"{name}: {value_text(found)}", "bold"),
                (f"  {evidence_text(found)}", ""),
                indent=2,
                hang=4,
            )
        lines = [*unexplained_lines(one)]
        if lines:
            writer.blank()
            writer.line(f"{counted(len(lines), 'move')} that this chart does not explain", indent=2)
            for line in lines[:FEW]:
                writer.line(line, indent=4, hang=2)
            if len(lines) > FEW:
                writer.line(f"and {len(lines) - FEW} more: see --format json", indent=4)
            writer.line(CAUSES, indent=4)
    for line in left_out_lines(asked):
        writer.line(line)
    if asked.classes:
        writer.blank()
        writer.line(NOTHING_COUNTS)
