"""Properties that the engine, or a component of the module, keeps for itself while a game goes on.

They are in no save and in no log, or only from their first change on. A piece that asks for one does
not learn that there is none, but nothing: the value is not known.
Engine classes: Deck, GameModule, DiceButton, SpecialDiceButton, TurnTracker, DoActionButton,
BasicPreference, GlobalTranslatableMessage, BasicPiece, Decorator.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from copy import copy

from .module import Module
from .sequence import split

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
"""What the engine answers while nobody points at the piece with the mouse [GameModule.getProperty]."""
_ENDINGS = ("_numPieces", "_isVisible")
_COLON = re.compile(r"\s*:\s*")
_DECK_NAME, _COUNTED = 13, 22
"""Fields of a deck's type: its name, and the expressions it counts its cards by [Deck.mySetType]."""


class EngineKept:
    """Tells which names are such properties, for the games of one module (None: it is not known, and
    so neither is what it keeps)."""

    def __init__(self, module: Module | None) -> None:
        self._module_known = module is not None
        self._names = _ANYWHERE.union(module.kept_properties if module is not None else ())
        self._counted: set[str] = set()

    def as_it_is(self) -> EngineKept:
        """The same, whatever decks are added from now on."""
        other = copy(self)
        other._counted = set(self._counted)
        return other

    def add_deck(self, type_text: str) -> None:
        """Take note of what a deck counts [Deck.setCountExpressions]: ``DECK_NAME`` for an expression
        ``NAME:…``. It counts as cards come and go and when players change sides, not when a card
        changes, and by what the player who looks may see: nobody else can tell the number."""
        fields = split(type_text, ";")
        if len(fields) > _COUNTED:
            for expression in split(fields[_COUNTED], ","):
                name, *rest = _COLON.split(expression, 1)
                if rest:
                    self._counted.add(f"{fields[_DECK_NAME]}_{name}")

    def is_counted(self, name: str) -> bool:
        """Does a deck count it, so that even a value in a log may be out of date?"""
        return name in self._counted

    def __contains__(self, name: str) -> bool:
        """May the engine have a value for a name to which no file gives one?"""
        return (
            not self._module_known
            or name in self._names
            or name in self._counted
            or name.endswith(_ENDINGS)
        )
