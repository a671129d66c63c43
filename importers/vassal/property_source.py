"""What views of pieces share: forms, places, players, and which properties cannot be known.

The engine, or a component of the module, keeps some properties in memory only: saves and logs do not hold
them, or only from their first change on. If a piece refers to such a property, its value is not known, which
differs from "there is none". Engine classes: Deck, GameModule, DiceButton,
SpecialDiceButton, TurnTracker, DoActionButton, BasicPreference, GlobalTranslatableMessage, BasicPiece,
Decorator.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping
from copy import copy
from functools import lru_cache
from typing import Protocol

from .formats import Format, parse_format
from .grids.java import parse_int
from .module import Module
from .roster import Roster
from .sequence import split
from .table_forms import FormIndex
from .trait_values import field

_ANYWHERE = frozenset({
    # who looks, with what, at which file [GameModule.getProperty]
    "PlayerSide", "playerSide", "PlayerName", "playerName", "PlayerId", "playerId", "ModuleName",
    "ModuleVersion", "ModuleDescription", "ModuleOther1", "ModuleOther2", "ModuleGameFileName",
    "GameFileName", "VassalVersionCreated", "VassalVersionRunning", "CurrentLanguage",
    "CurrentLanguageName", "UiPieceCount", "UiPieceIndex",
    # of one window, of one moment, or a player's id [BasicPiece, Decorator, Hideable, Obscurable]
    "Selected", "ClickedX", "ClickedY", "KeyCommands", "visibleState", "Inner", "Outer", "snapshot",
    "LocalizedBasicName", "LocalizedPieceName", "ObscuredPreDraw", "hiddenBy", "obs;",
    # where a piece was last: engines do not write that into logs [SetPersistentPropertyCommand]
    "OldLocationName", "OldMap", "OldBoard", "OldZone", "OldX", "OldY", "OldDeckName", "OldMat",
    "OldMatID", "OldMatPieceName", "OldMatBasicName", "OldMatOffsetX", "OldMatOffsetY",
})  # fmt: skip
AT_REST: Mapping[str, str] = {"DrawingMouseover": "false", "DrawingMouseoverIndex": "1"}
"""The engine's value while the mouse is not over the piece [GameModule.getProperty]."""
_ENDINGS = ("_numPieces", "_isVisible")
_COLON = re.compile(r"\s*:\s*")
_DECK_NAME, _COUNTED = 13, 22
"""Fields of a deck's type: its name, and the expressions it counts its cards by [Deck.mySetType]."""


class EngineKept:
    """The names of such properties, for the games of one module (None: not known, so any name may be one)."""

    def __init__(self, module: Module | None) -> None:
        self._module_known = module is not None
        self._names = _ANYWHERE.union(module.kept_properties if module is not None else ())
        self._counted: set[str] = set()

    def as_it_is(self) -> EngineKept:
        """A copy that later decks do not change."""
        other = copy(self)
        other._counted = set(self._counted)
        return other

    def add_deck(self, type_text: str) -> None:
        """Note what a deck counts [Deck.setCountExpressions]: ``DECK_NAME`` for an expression ``NAME:…``. It
        counts when cards come or go and when players change sides, but not when a card changes. The number
        depends on what the looking player may see, so it is not known here."""
        fields = split(type_text, ";")
        if len(fields) > _COUNTED:
            for expression in split(fields[_COUNTED], ","):
                name, *rest = _COLON.split(expression, 1)
                if rest:
                    self._counted.add(f"{fields[_DECK_NAME]}_{name}")

    def is_counted(self, name: str) -> bool:
        """Whether a deck counts it; then even a value in a log may be out of date."""
        return name in self._counted

    def __contains__(self, name: str) -> bool:
        """Whether the engine may have a value for this name that no file holds."""
        return (
            not self._module_known
            or name in self._names
            or name in self._counted
            or name.endswith(_ENDINGS)
        )


Globals = Mapping[tuple[str, str], str]
"""Global properties by (container, name); container ``Module``, a map, ``map:zone``, or empty if an old file
does not name it."""

CONCEALS = "conceals"
"""The reason why a field of a trait that may conceal a piece is not known."""
TURN_LEVELS = "turn levels"
"""The container under which the levels of turn trackers stand among the globals."""


class NotKnown(Exception):
    """A value exists, but only the running engine knows it."""


class Places(Protocol):
    """Names that the module's maps give pixels; empty if not known."""

    def location(self, map_name: str, x: int, y: int) -> str:
        """The name of the place."""

    def zone(self, map_name: str, x: int, y: int) -> str:
        """The zone it is in."""

    def board(self, map_name: str, x: int, y: int) -> str:
        """The board it is on."""

    def are_laid(self, map_name: str) -> bool:
        """Whether the layout and sizes of the map's boards are known."""

    def owners(self, map_name: str) -> frozenset[str] | None:
        """Sides that may look into a private map; None for maps open to all."""


class PropertySource:
    """What views of pieces share: forms, places, players, properties that the engine keeps for itself; and
    the count of values that were not known."""

    def __init__(self, forms: FormIndex, places: Places, roster: Roster, kept: EngineKept) -> None:
        self.kept = kept
        self.forms = forms
        self.places = places
        self.roster = roster
        self.not_known: Counter[str] = Counter()

    def as_it_is(self) -> PropertySource:
        """A copy for a table that is looked at later: decks added and unknown values met in between do not
        change it."""
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
    count = parse_int(field(tokens, 4)) or 0
    rest = tokens[5 : 5 + 2 * max(count, 0)]
    pairs = dict(zip(rest[::2], rest[1::2], strict=False))  # of two of a name the last counts
    return field(tokens, 3), tuple(sorted(pairs.items()))
