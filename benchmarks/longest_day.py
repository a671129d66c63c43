"""The board of The Longest Day with what was read off its picture, cell by cell (see ``boards.py``).

The truth is the pack in ``samples``: its cells that are more than suggested, about 3,300 hexes and their
sides. Terrain is judged by its kind alone ("coastal" lies along its side); a bridge is not a kind of side.
"""

from __future__ import annotations

import csv
from collections.abc import Iterator
from pathlib import Path

from boards import PROJECT, Board
from vassal_umpire.importers.vassal.limits import Limits
from vassal_umpire.plugin.looking.filling import open_to_look
from vassal_umpire.plugin.suggest.cells import Side

PACK = PROJECT / "samples" / "the-longest-day" / "pack"
ALONG = ("river", "sea")


def longest_day(corpus: Path) -> Board | None:
    """The board; None where the module is not on this machine."""
    module = corpus / "tld" / "TheLongestDay-3.0b6.vmod"
    if not module.is_file():
        return None
    survey = open_to_look(PACK, module, [], Limits()).grounds[0].survey
    sides = {frozenset(side): side for side in survey.cells.side_place}
    hexes: dict[str, str] = {}
    along: dict[Side, str | None] = {}
    across: dict[Side, str | None] = {}
    for cell, layer, value in _read():
        side = sides.get(frozenset(cell.split("/")))
        if layer == "terrain" and cell in survey.cells.place:
            hexes[cell] = value.removesuffix("+coastal")
        elif layer == "hexsides" and side:
            along[side] = next((kind for kind in ALONG if kind in value.split("+")), None)
        elif layer == "lines" and side:
            across[side] = None if value == "none" else value
    return Board("The Longest Day", False, survey, hexes, hexes, along, across)


def _read() -> Iterator[tuple[str, str, str]]:
    """Cell, layer and value of all that is known whole and more than suggested."""
    with (PACK / "provenance.csv").open(newline="", encoding="utf-8") as file:
        for row in csv.DictReader(file):
            if not row["name"] and row["status"] not in ("suggested", "filled"):
                yield row["cell"], row["layer"], row["value"]
