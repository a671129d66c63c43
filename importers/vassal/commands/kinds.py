"""The commands of a save or log as values, one class per command of the engine.

Field names are VASSAL's. A player's id is his password: such fields stay out of ``repr``.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from ..numbers import Number


@dataclass(frozen=True, slots=True)
class Command:
    """The base of all commands."""


@dataclass(frozen=True, slots=True)
class Null(Command):
    """The empty command; it does nothing (engine: ``NullCommand``)."""


@dataclass(frozen=True, slots=True)
class Unencodable(Command):
    """The word ``null``: a command the engine ran but could not write. Carries nothing."""


@dataclass(frozen=True, slots=True)
class Unknown(Command):
    """An unknown command; the text is kept.

    ``reason``: ``unknown`` (no such prefix: a module's own class, or a later engine), ``short``
    (fields are missing), ``log-in-log``.
    """

    text: str = field(repr=False)
    reason: str = "unknown"


@dataclass(frozen=True, slots=True)
class BeginSave(Command):
    """Clear the table (``GameState.SetupCommand``)."""


@dataclass(frozen=True, slots=True)
class EndSave(Command):
    """The game starts (``GameState.SetupCommand``)."""


@dataclass(frozen=True, slots=True)
class AddPiece(Command):
    """Put a piece, stack or deck into the game. ``type`` and ``state``: see ``pieces``."""

    id: str | None
    type: str
    state: str = field(repr=False)


@dataclass(frozen=True, slots=True)
class RemovePiece(Command):
    """Take a piece, stack or deck out of the game."""

    id: str


@dataclass(frozen=True, slots=True)
class ChangePiece(Command):
    """Give a piece a new state; with ``old_state`` only what differs from it is changed."""

    id: str
    state: str = field(repr=False)
    old_state: str | None = field(default=None, repr=False)


@dataclass(frozen=True, slots=True)
class MovePiece(Command):
    """Move a piece or stack; places in map pixels, ``under`` the id of the piece beneath it.

    ``map`` is the map's name, or ``MapN``; ``None`` is off every map. ``player`` is the id of
    the mover, absent (``None``) in some old files.
    """

    id: str | None
    map: str | None
    x: Number
    y: Number
    under: str | None
    old_map: str | None
    old_x: Number
    old_y: Number
    old_under: str | None
    player: str | None = field(default=None, repr=False)


@dataclass(frozen=True, slots=True)
class Audio(Command):
    """Play a sound clip of the module."""

    clip: str


@dataclass(frozen=True, slots=True)
class Chat(Command):
    """A line in the chat window, as stored: it may hold HTML."""

    text: str


@dataclass(frozen=True, slots=True)
class Undo(Command):
    """Bracket around the inverse commands of an undo: ``active`` opens it."""

    active: bool


@dataclass(frozen=True, slots=True)
class Player(Command):
    """A player takes a side (``PlayerRoster.Add``)."""

    id: str = field(repr=False)
    name: str
    side: str


@dataclass(frozen=True, slots=True)
class PlayerRemove(Command):
    """A player leaves the roster."""

    id: str = field(repr=False)


@dataclass(frozen=True, slots=True)
class BoardChoice:
    """One board of a map: its place in the grid of boards."""

    name: str
    reversed: bool
    column: Number
    row: Number


@dataclass(frozen=True, slots=True)
class Boards(Command):
    """The boards of the map whose name (or ``MapN``) is ``map``."""

    map: str
    boards: tuple[BoardChoice, ...]


@dataclass(frozen=True, slots=True)
class SetupStackMark(Command):
    """The game is not new: at-start stacks of the module must not be made."""


@dataclass(frozen=True, slots=True)
class TurnState(Command):
    """State of the turn tracker with id ``tracker`` (``TurnTracker0`` …)."""

    tracker: str
    state: str


@dataclass(frozen=True, slots=True)
class GlobalProperty(Command):
    """Value of a global property in a save; ``container`` is absent in old files."""

    name: str
    value: str
    container: str | None = None


@dataclass(frozen=True, slots=True)
class MutableProperty(Command):
    """Change of a global property; ``container`` is absent in old files."""

    name: str
    old: str
    new: str
    container: str | None = None


@dataclass(frozen=True, slots=True)
class Notes(Command):
    """The scenario's note."""

    text: str


@dataclass(frozen=True, slots=True)
class PublicNotes(Command):
    """The note all players share."""

    text: str


@dataclass(frozen=True, slots=True)
class PrivateNote(Command):
    """A note only its owner may read."""

    owner: str = field(repr=False)
    text: str | None = field(default=None, repr=False)


@dataclass(frozen=True, slots=True)
class SecretNote(Command):
    """A note its owner reveals later; ``date`` as ``MM/dd/yyyy h:mm a``."""

    name: str
    owner: str = field(repr=False)
    hidden: bool
    text: str = field(repr=False)
    date: str | None = None
    handle: str | None = None


@dataclass(frozen=True, slots=True)
class Unmask(Command):
    """Players and sides who let others unmask their pieces."""

    ids: tuple[str, ...] = field(repr=False)


@dataclass(frozen=True, slots=True)
class Extension(Command):
    """An extension was loaded when the game was saved."""

    name: str
    version: str


@dataclass(frozen=True, slots=True)
class Plugin(Command):
    """A plugin was loaded when the game was saved."""

    name: str
    version: str


@dataclass(frozen=True, slots=True)
class ShowResults(Command):
    """Symbolic dice ``die`` fell: index of the face of each."""

    die: str
    faces: tuple[Number, ...]


@dataclass(frozen=True, slots=True)
class LosThread(Command):
    """A line of sight was drawn between two pixels."""

    id: str
    anchor_x: Number
    anchor_y: Number
    arrow_x: Number
    arrow_y: Number
    persisting: bool
    mirroring: bool
    reset: bool | None = None


@dataclass(frozen=True, slots=True)
class Flare(Command):
    """A flare pointed at a pixel."""

    id: str
    x: Number
    y: Number


@dataclass(frozen=True, slots=True)
class Clock(Command):
    """Chess clock of a side; times in milliseconds."""

    who: str = field(repr=False)
    name: str
    elapsed: Number
    verified: Number
    ticking: bool
    restore: bool | None = None


@dataclass(frozen=True, slots=True)
class ClockControl(Command):
    """The panel of chess clocks."""

    showing: bool
    online: bool


@dataclass(frozen=True, slots=True)
class StartupDone(Command):
    """The start-up key command ``id`` has run (``SGKC``)."""

    id: str
    applied: bool


@dataclass(frozen=True, slots=True)
class OptionTabLock(Command):
    """Who locked a tab of scenario options; ``password`` is hashed by the engine."""

    tab: str
    by: str
    password: str = field(repr=False)
    date: str


@dataclass(frozen=True, slots=True)
class EmailServer(Command):
    """Second address for internet dice."""

    address: str = field(repr=False)


@dataclass(frozen=True, slots=True)
class EventLog(Command):
    """List of server events."""

    text: str


@dataclass(frozen=True, slots=True)
class DeckFile(Command):
    """First command of a saved deck."""

    text: str


@dataclass(frozen=True, slots=True)
class Check(Command):
    """Version check of files before VASSAL 3.1: ``condition`` and what followed it."""

    condition: str
    rest: tuple[str, ...] = ()

    @property
    def version(self) -> str:
        """The VASSAL version that wrote the file, empty if the condition names none."""
        name, less, version = self.condition.partition("<")
        return version if less and name == "runningVassalVersion" else ""

    @property
    def module(self) -> tuple[str, str] | None:
        """Name and version of the module that wrote the file; None if the check is not about the module."""
        name, less, version = self.condition.partition("<")
        if not less or name != "version":
            return None
        found = re.search(f"using (.+) version {re.escape(version)}\\.", "\t".join(self.rest))
        return None if found is None else (found[1], version)
