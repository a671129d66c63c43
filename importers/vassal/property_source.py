"""What views of pieces share: forms, places, players, and what cannot be known of properties."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from functools import lru_cache
from typing import Protocol

from .engine_kept import EngineKept
from .formats import Format, parse_format
from .roster import Roster
from .sequence import split
from .table_forms import FormIndex
from .table_items import java_int
from .trait_values import field

Globals = Mapping[tuple[str, str], str]
"""Global properties by (container, name); container ``Module``, a map, ``map:zone``, or empty where an
old file does not say."""

CONCEALS = "conceals"
"""Why a field of a trait that may conceal a piece is not known."""
TURN_LEVELS = "turn levels"
"""The container under which the levels of turn trackers stand among the globals."""


class NotKnown(Exception):
    """A value exists, but only the engine at the table could tell it."""


class Places(Protocol):
    """What the module's maps say about pixels; every answer is empty where nothing is known."""

    def location(self, map_name: str, x: int, y: int) -> str:
        """The name of the place."""

    def zone(self, map_name: str, x: int, y: int) -> str:
        """The zone it is in."""

    def board(self, map_name: str, x: int, y: int) -> str:
        """The board it is on."""

    def are_laid(self, map_name: str) -> bool:
        """Is it known how the boards of the map lie, and how large they are?"""

    def owners(self, map_name: str) -> frozenset[str] | None:
        """Sides that may look into a private map; None for maps open to all."""


class PropertySource:
    """What views of pieces share: forms, places, players, what the engine keeps for itself; and the
    count of what was not known."""

    def __init__(self, forms: FormIndex, places: Places, roster: Roster, kept: EngineKept) -> None:
        self.kept = kept
        self.forms = forms
        self.places = places
        self.roster = roster
        self.not_known: Counter[str] = Counter()

    def as_it_is(self) -> PropertySource:
        """The same for a table that is looked at later: what decks count by then is not counted yet, nor is
        what is not known there."""
        return PropertySource(self.forms, self.places, self.roster, self.kept.as_it_is())

    def moved_to(self, places: Places) -> PropertySource:
        """The same, with other boards on the maps."""
        other = PropertySource(self.forms, places, self.roster, self.kept)
        other.not_known = self.not_known
        return other


def joined_name(name: str, inner: str) -> str:
    """A level's name with ``+`` before or after it extends the inner name, else it replaces it."""
    first, *rest = split(name, "+")
    if not rest:
        return first
    return inner + rest[0] if not first else first + inner


@lru_cache(maxsize=20_000)
def format_of(text: str) -> Format:
    return parse_format(text)


@lru_cache(maxsize=50_000)
def persistent(base: str) -> tuple[str, tuple[tuple[str, str], ...]]:
    """gpid and persistent properties of a BasicPiece state."""
    tokens = split(base, ";")
    count = java_int(field(tokens, 4)) or 0
    rest = tokens[5 : 5 + 2 * max(count, 0)]
    pairs = dict(zip(rest[::2], rest[1::2], strict=False))  # of two of a name the last counts
    return field(tokens, 3), tuple(sorted(pairs.items()))
