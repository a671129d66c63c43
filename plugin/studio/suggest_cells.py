"""Cells as the Suggest view shows them, and the sheets they are shown on."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from ...model.provenance import Key, Layer
from ..looking.cutouts import Plan


@dataclass(frozen=True, slots=True)
class Cell:
    """A cell as it is to be looked at. ``value``: what it is said to be, None: nothing is said. ``rested``:
    how many findings rest on it; ``could``: how many it could clear; ``asked``: how many moves wait."""

    key: Key
    value: str | None
    chance: float | None = None
    confidence: str = ""
    status: str = ""
    rested: int = 0
    asked: int = 0
    could: int = 0
    open: bool = False
    """The pack says with ``?`` that something may be there."""


@dataclass(slots=True)
class Shown:
    """A sheet or an area that a page shows. ``what``: kind, offer, blind, double or area."""

    id: str
    what: str
    layer: Layer
    cells: tuple[Cell, ...]
    plan: Plan | None = None
    box: tuple[float, float, float, float] = (0.0, 0.0, 0.0, 0.0)
    size: tuple[int, int] = (0, 0)
    done: bool = False


def cell_plain(cell: Cell, *, blind: bool = False) -> dict[str, Any]:
    """A cell as pages have it; ``blind``: without what is said of it."""
    plain: dict[str, Any] = {
        "cell": cell.key.cell,
        "layer": cell.key.layer,
        "rested": cell.rested,
        "could": cell.could,
    }
    if not blind:
        plain |= {
            "value": cell.value,
            "chance": None if cell.chance is None else round(cell.chance, 3),
            "confidence": cell.confidence,
            "status": cell.status,
            "asked": cell.asked,
            "open": cell.open,
        }
    return plain
