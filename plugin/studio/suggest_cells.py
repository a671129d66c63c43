"""Cells as the Suggest view shows them, the sheets they are shown on, and helpers for its calls."""

from __future__ import annotations

import secrets
from collections import OrderedDict
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

from ...model.problem import UmpireError
from ...model.provenance import Key, Layer
from ..looking.cutouts import Plan
from .session import Studio

LAYERS: tuple[Layer, ...] = ("terrain", "hexsides", "lines")


@dataclass(frozen=True, slots=True)
class Cell:
    """A cell to look at. ``value``: its entry or suggestion, None: none. ``rested``: how many findings depend
    on it; ``could``: how many it could clear; ``asked``: how many moves wait for it."""

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
    """A sheet or an area on a page. ``what``: kind, offer, blind, double or area."""

    id: str
    what: str
    layer: Layer
    cells: tuple[Cell, ...]
    plan: Plan | None = None
    box: tuple[float, float, float, float] = (0.0, 0.0, 0.0, 0.0)
    size: tuple[int, int] = (0, 0)
    done: bool = False


def cell_plain(cell: Cell, *, blind: bool = False) -> dict[str, Any]:
    """A cell as pages have it; ``blind``: without its value."""
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


S = TypeVar("S")
MOST = 60
"""Maximum number of sheets remembered; a page asks again for an older one."""


class Sheets(Generic[S]):
    """The last sheets that were shown, by secret names."""

    def __init__(self) -> None:
        self._held: OrderedDict[str, S] = OrderedDict()

    def keep(self, make: Callable[[str], S]) -> S:
        """The sheet that ``make`` returns for a new name."""
        name = secrets.token_urlsafe(9)
        sheet = self._held[name] = make(name)
        while len(self._held) > MOST:
            self._held.popitem(last=False)
        return sheet

    def find(self, name: object) -> S:
        """The sheet with this name. Raises :class:`UmpireError` if it is no longer remembered."""
        found = self._held.get(str(name))
        if found is None:
            raise UmpireError("this sheet is too old: open it again")
        return found


def who_in(studio: Studio) -> str:
    """The name of whoever works at the screen. Raises :class:`UmpireError` if it was not entered."""
    if not studio.who:
        raise UmpireError("say your name first: it stands beside what you vouch for")
    return studio.who


def layer_of(text: object) -> Layer:
    """A layer that a page names."""
    found = next((layer for layer in LAYERS if layer == text), None)
    if found is None:
        raise UmpireError(f"expected {', '.join(LAYERS)}; found {str(text)[:20]!r}")
    return found


def number_of(text: object, default: int, least: int, most: int) -> int:
    """A whole number that a page sends, limited to bounds; ``default`` if it is none."""
    try:
        return min(max(int(float(str(text))), least), most)
    except (ValueError, OverflowError):
        return default


def yes_in(body: Mapping[str, Any], name: str) -> bool:
    """Whether a page says yes."""
    return body.get(name) in (True, "1", "true")
