"""The part of a report on what would be found if cells that nobody has looked at are as suggested.

It is no finding: it is listed apart, counted nowhere, and holds nothing against anybody.
"""

from __future__ import annotations

from collections.abc import Iterator

from ...model.finding import Audit, Suspicion
from ...model.vouching import NOTHING, Suggestion
from ..text_writer import TextWriter
from .phrases import KIND_NAMES, counted, when
from .routes import routes

HEADING = "Not findings: cells to look at"
MEANING = (
    "What follows rests on cells of the map, or on phases, that nobody has looked at yet. It is not counted"
    " and holds nothing against anybody."
)
FEW_CELLS = 20


def would_be(one: Suspicion) -> str:
    """``illegal move if these 14 cells are as suggested: look at them``."""
    kind = KIND_NAMES[one.finding.kind]
    if one.look:
        hexes = counted(len(one.look), "hex", "hexes")
        return (
            f"would be: {kind} ({one.finding.code}), if the map is in {hexes} as the pack has it:"
            " look at it"
        )
    these = "this cell is" if len(one.cells) == 1 else f"these {len(one.cells):,} cells are"
    return f"would be: {kind} ({one.finding.code}), if {these} as suggested: look at them"


def cell_text(one: Suggestion) -> str:
    """A suggestion for a person: ``0403 terrain woods (suggested)``."""
    cell, layer, name = one.key
    if name:
        told = f"{cell} {name}"
    elif layer in ("features", "hexsides", "lines"):
        where = {"features": "in the hex", "hexsides": "on the hexside", "lines": "across it"}[
            layer
        ]
        told = f"{cell} nothing {'' if one.value == NOTHING else 'else '}{where}"
    elif layer == "phase":
        told = f"phase from {cell.rstrip('-')}: {one.value}"
    else:
        told = f"{cell} {layer} {one.value}"
    return f"{told} ({one.status})"


def lines_of(audit: Audit, one: Suspicion) -> Iterator[str]:
    """What a report says of a suspicion below its heading line."""
    by_id = {m.move.id: m for m in audit.moves}
    yield from routes(audit, [by_id[n] for n in one.finding.moves if n in by_id])
    where = when(audit, one.finding.steps)
    if where:
        yield where
    yield one.finding.explanation


def cells_of(one: Suspicion, *, verbose: bool) -> list[str]:
    """The cells of a suspicion, a text each; of many only the first."""
    every = [*one.look, *map(cell_text, one.cells)]
    told = every if verbose else every[:FEW_CELLS]
    left = len(every) - len(told)
    return [*told, f"and {left:,} more"] if left else told


def suspected(writer: TextWriter, audit: Audit, *, verbose: bool) -> None:
    """The section of the text report."""
    if not audit.suspicions:
        return
    writer.heading(
        f"{HEADING} ({counted(len(audit.suspicions), 'move or stack', 'moves or stacks')})"
    )
    writer.line(MEANING, indent=2)
    for one in audit.suspicions:
        writer.blank()
        writer.spans(
            (", ".join(one.finding.names), "bold"), (f"  {would_be(one)}", ""), indent=2, hang=4
        )
        for line in lines_of(audit, one):
            writer.line(line, indent=4, hang=2)
        writer.line(
            ("hexes " if one.look else "") + "; ".join(cells_of(one, verbose=verbose)),
            indent=4,
            hang=2,
            style="dim",
        )
