"""What the calls of the Suggest view bring with them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ...model.problem import UmpireError
from ...model.provenance import Layer
from .session import Studio
from .suggest_desk import LAYERS


def who_in(studio: Studio) -> str:
    """The name of whoever sits before the screen. Raises :class:`UmpireError` if he has not said it."""
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
    """A whole number that a page names, kept within bounds; ``default`` if it is none."""
    try:
        return min(max(int(float(str(text))), least), most)
    except (ValueError, OverflowError):
        return default


def yes_in(body: Mapping[str, Any], name: str) -> bool:
    """Whether a page says yes."""
    return body.get(name) in (True, "1", "true")
