"""What lies on a VASSAL table, and what each step of a log did to it.

Values only: the reader makes them, nothing here reads a file. Places are map pixels; a location is
the name VASSAL's grid gives a pixel. Players have labels (``player 1``); their ids are passwords and never
stand here. Slow facts about a piece (its name, its properties) are computed on demand by
:class:`PieceFacts`.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import ClassVar, Literal, Protocol

from .dice import DiceKind
from .problem import Problem
from .short_repr import Short


@dataclass(frozen=True, slots=True)
class Spot:
    """A place: map (None: on no map) and pixel on it."""

    map: str | None
    x: int
    y: int

    def __str__(self) -> str:
        return "on no map" if self.map is None else f"{self.map} {self.x},{self.y}"


@dataclass(frozen=True, slots=True)
class Concealment:
    """Something about a piece that some players may not know.

    ``hidden``: that it is there at all; ``masked``: what it is; ``deck``: it is in a deck; ``private``: it
    is on a map of certain sides. ``owners``: sides and player labels that may know it; empty: nobody.
    """

    kind: Literal["hidden", "masked", "deck", "private"]
    owners: frozenset[str] = frozenset()

    def open_to(self, viewers: Iterable[str]) -> bool:
        """Whether one of these sides or players may know it."""
        return not self.owners.isdisjoint(viewers)


class PieceFacts(Protocol):
    """Facts about a piece at one moment, computed on demand."""

    @property
    def gpid(self) -> str:
        """Number of the module's slot that it was made from; empty: not known."""

    @property
    def basic_name(self) -> str:
        """Its name in the module, regardless of who may see it."""

    @property
    def name(self) -> str:
        """The name a bystander sees: a mask's name if masked; empty if hidden."""

    @property
    def image(self) -> str:
        """File name of its picture, without layers, regardless of who may see it."""

    @property
    def location(self) -> str:
        """Name of its place; empty: not known (no module, or on no map)."""

    @property
    def concealments(self) -> tuple[Concealment, ...]:
        """What some players may not know about it; empty for most pieces."""

    @property
    def properties(self) -> Mapping[str, str]:
        """Values of the properties of its own traits."""

    def property(self, key: str) -> str | None:
        """A property as the engine looks it up, from the traits outward to zone, map and module.
        None: it does not exist, or it is calculated and not known."""

    def name_for(self, viewers: Iterable[str]) -> str:
        """The name these sides or players see; if it is not known, the stored name."""

    def knows_name(self, viewers: Iterable[str] = ()) -> bool:
        """Whether the name they see is known. It may depend on an expression, or on values in no file."""

    def knows(self, key: str) -> bool:
        """Whether the value of a property, or its absence, is known."""

    def unknown_properties(self) -> frozenset[str]:
        """Names of the properties of its own traits whose values are not known."""


@dataclass(frozen=True, slots=True)
class StatedFacts:
    """Facts that are given one by one, for tables that do not come from a VASSAL file. ``unknown``: names of
    properties whose values are not known."""

    name: str
    basic_name: str = ""
    gpid: str = ""
    image: str = ""
    location: str = ""
    properties: Mapping[str, str] = field(default_factory=lambda: MappingProxyType({}))
    concealments: tuple[Concealment, ...] = ()
    unknown: frozenset[str] = frozenset()

    def property(self, key: str) -> str | None:
        return self.properties.get(key)

    def unknown_properties(self) -> frozenset[str]:
        return self.unknown

    def knows(self, key: str) -> bool:
        return key not in self.unknown

    def knows_name(self, viewers: Iterable[str] = ()) -> bool:
        return True

    def name_for(self, viewers: Iterable[str]) -> str:
        if all(concealment.open_to(viewers) for concealment in self.concealments):
            return self.basic_name or self.name
        return self.name


_ENDING = re.compile(r"\.(?:png|gif|jpe?g|svgz?|webp|bmp|tiff?)$", re.IGNORECASE)


def picture_name(file: str) -> str:
    """A counter's name from the file of its picture, without folders and extension: ``N_inf_5-4`` for
    ``N_inf_5-4.png``, ``picture 2029`` for ``2029.svg``, '' for ''."""
    stem = _ENDING.sub("", file.replace("\\", "/").rpartition("/")[2])
    return stem if not stem or any(map(str.isalpha, stem)) else f"picture {stem}"


@dataclass(frozen=True, slots=True)
class Piece:
    """A piece at one moment. ``id`` is unique in a game; ``holder`` is the id of its stack or deck, empty
    if it is in none."""

    id: str
    spot: Spot
    holder: str
    facts: PieceFacts = field(repr=False)

    @property
    def name(self) -> str:
        return self.facts.name

    @property
    def basic_name(self) -> str:
        return self.facts.basic_name

    @property
    def own_name(self) -> str:
        """Its name in the module, or else :func:`picture_name`, regardless of who may see it. Empty: it has
        neither name nor picture, or it shows several pictures, or the picture is not known."""
        if self.basic_name:
            return self.basic_name
        layers = self._layers()
        pictures = {self.facts.image, *(layers or ())} - {""}
        return picture_name(pictures.pop()) if layers is not None and len(pictures) == 1 else ""

    @property
    def image(self) -> str:
        """File name of its own picture, or else of the innermost layer that shows one, regardless of who may
        see it. Empty: there is none, or it is not known."""
        return self.facts.image or (self._layers() or ("",))[-1]

    def _layers(self) -> list[str] | None:
        """The files that its layers show, outermost first; None: one of them is not known."""
        if any(key.endswith("_Image") for key in self.facts.unknown_properties()):
            return None
        told = self.properties
        names = (key.removesuffix("_Image") for key in told if key.endswith("_Image") and told[key])
        return [told[f"{n}_Image"] for n in names if f"{n}_Level" in told and f"{n}_Active" in told]

    @property
    def gpid(self) -> str:
        return self.facts.gpid

    @property
    def location(self) -> str:
        return self.facts.location

    @property
    def properties(self) -> Mapping[str, str]:
        return self.facts.properties

    @property
    def concealments(self) -> tuple[Concealment, ...]:
        return self.facts.concealments

    @property
    def presence_is_open(self) -> bool:
        """Whether a bystander may know that it is there."""
        return all(c.kind == "masked" or c.open_to(()) for c in self.concealments)

    @property
    def identity_is_open(self) -> bool:
        """Whether a bystander may know what it is."""
        return all(c.open_to(()) for c in self.concealments)


@dataclass(frozen=True, slots=True)
class Stack:
    """A stack at one moment; ``members`` are piece ids from the bottom up."""

    id: str
    spot: Spot
    members: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Deck:
    """A deck at one moment; ``members`` are piece ids, the last is drawn next. ``owners``: sides and
    player labels that may look at its private map; None: its map is not private. ``random``: a draw takes
    any of its cards."""

    id: str
    name: str
    spot: Spot
    members: tuple[str, ...]
    face_down: bool
    owners: frozenset[str] | None = None
    random: bool = False


@dataclass(frozen=True, slots=True)
class PieceChange:
    """A piece before and after a step; None: not in the game."""

    id: str
    before: Piece | None
    after: Piece | None


@dataclass(frozen=True, slots=True)
class StackChange:
    """A stack or deck before and after a step; None: it does not exist."""

    id: str
    before: Stack | Deck | None
    after: Stack | Deck | None


DisplacedBy = Literal["drag", "send", "state", "add", "remove", "stack", "undo", "veil"]


@dataclass(frozen=True, slots=True)
class Displaced:
    """A piece was put somewhere else in a step.

    ``by``: ``drag``, a move command; ``send``, a move command of a key (send to location); ``state``, a
    change of state that names another map; ``add`` / ``remove``, it entered or left the game; ``stack``, its
    stack was removed; ``undo``, a step was taken back; ``veil``, a viewer began or ceased to see it and
    nobody moved it. ``group``: pieces of one step with the same number were moved as one (a stack, or a
    selection). ``origin`` or ``target`` None: not in the game. ``why``: what an undo did that left the piece
    on no map; else empty.
    """

    piece: str
    origin: Spot | None
    target: Spot | None
    origin_location: str
    target_location: str
    by: DisplacedBy
    group: int = 0
    why: str = ""


@dataclass(frozen=True, slots=True, repr=False)
class ChatLine(Short):
    """A line of the chat window as stored (it may hold HTML).

    ``kind``: ``player`` typed, ``report`` written by the engine or the module, ``roll`` dice,
    ``undo``, ``system`` anything else. ``author``: the name in front of a typed line.
    """

    shown: ClassVar = ("kind", "author", "text")

    text: str
    kind: Literal["player", "report", "roll", "undo", "system"]
    author: str = ""


@dataclass(frozen=True, slots=True, repr=False)
class DieRoll(Short):
    """A roll of dice. ``dice``: name of the button; ``results``: as shown, die by die if the report lists
    them; ``player``: the name in the report; ``text``: the report itself. ``kind``: the dice; None: not
    known."""

    shown: ClassVar = ("dice", "results", "player", "text")

    dice: str
    results: tuple[str, ...]
    player: str = ""
    text: str = ""
    kind: DiceKind | None = None


@dataclass(frozen=True, slots=True, repr=False)
class GlobalChange(Short):
    """A global property changed; ``container`` is ``Module``, a map, or ``map:zone``."""

    container: str
    name: str
    old_value: str | None
    new_value: str


@dataclass(frozen=True, slots=True, repr=False)
class TurnChange(Short):
    """A turn tracker was set. ``tracker``: its name (its id without a module);
    ``old_value``, ``new_value``: texts it shows (raw state without a module); ``old_levels``, ``new_levels``:
    level → value."""

    shown: ClassVar = ("tracker", "old_value", "new_value")

    tracker: str
    old_value: str
    new_value: str
    old_levels: Mapping[str, str] = field(default_factory=lambda: MappingProxyType({}))
    new_levels: Mapping[str, str] = field(default_factory=lambda: MappingProxyType({}))


@dataclass(frozen=True, slots=True)
class Participant:
    """A person at the table: our label, the name he chose, the side he plays (empty: an observer, or not
    known)."""

    label: str
    name: str = ""
    side: str = ""


@dataclass(frozen=True, slots=True)
class Actor:
    """Who did a step. ``known_by``: ``move``, a move command names him; ``chat``, he typed a line in the
    same step; ``neighbours``, the steps around it are his; ``log``, most moves of the log are his."""

    who: Participant
    known_by: Literal["move", "chat", "neighbours", "log"]


Named = tuple[str, Actor]
"""The id of what a move command moved ("": the player typed a line), and who did it."""


@dataclass(frozen=True, slots=True)
class Undoing:
    """A step that undid another step, or (``redo``) restored an undone one.

    ``step``: number of the undone or restored step; None: not known. ``whole``: its effects are fully
    reversed; False: the log holds only part of the inverse commands.
    ``known_by``: ``marker`` the engine's brackets (3.6.7 and later), ``chat`` the engine's chat line,
    ``inverse`` the commands are the exact inverse of that step's.
    """

    step: int | None
    redo: bool
    whole: bool
    known_by: Literal["marker", "chat", "inverse"]


@dataclass(frozen=True, slots=True)
class Step:
    """One step of a log. ``log`` counts the logs of a game from 1, ``number`` the step groups of the
    log from 1; ``engine_number`` is VASSAL's own count (None: VASSAL does not count this group). ``actor``:
    who did it, by ``named`` or by the steps around."""

    log: int
    number: int
    engine_number: int | None
    actor: Actor | None = None
    changes: Sequence[PieceChange] = ()
    displacements: tuple[Displaced, ...] = ()
    stacks: Sequence[StackChange] = ()
    chat: tuple[ChatLine, ...] = ()
    rolls: tuple[DieRoll, ...] = ()
    globals: tuple[GlobalChange, ...] = ()
    turns: tuple[TurnChange, ...] = ()
    undoing: Undoing | None = None
    problems: tuple[Problem, ...] = ()
    named: tuple[Named, ...] = ()


@dataclass(frozen=True, slots=True)
class Table:
    """A whole table at one moment, by id. Empty stacks are left out."""

    pieces: Mapping[str, Piece]
    stacks: Mapping[str, Stack]
    decks: Mapping[str, Deck]
    globals: Mapping[tuple[str, str], str]
    turns: Mapping[str, str]
    players: tuple[Participant, ...]


@dataclass(frozen=True, slots=True)
class LogHistory:
    """One log (or save: no steps) replayed. ``sha256``, ``source``: of the file, its name without
    folders. ``end`` is the table after the last step. ``relaid``: the maps on which, at some step, other
    boards lie than when the game's first log opens."""

    source: str
    sha256: str
    module_name: str
    module_version: str
    vassal_version: str
    opening: Table
    steps: tuple[Step, ...]
    end: Table
    problems: tuple[Problem, ...] = ()
    relaid: frozenset[str] = frozenset()

    def appearances(self) -> Iterator[Piece]:
        """Every piece in every state it has in this log."""
        yield from self.opening.pieces.values()
        for step in self.steps:
            yield from (change.after for change in step.changes if change.after is not None)


@dataclass(frozen=True, slots=True)
class PieceGap:
    """A piece that differs between the end of one log and the opening of the next; None: not in the game."""

    id: str
    before: Piece | None
    after: Piece | None
    place_differs: bool
    state_differs: bool


@dataclass(frozen=True, slots=True)
class TableHistory:
    """A game over one or many logs, in order; ``gaps[i]`` is what differs between the end of log *i*
    (from 0) and the opening of the next."""

    logs: tuple[LogHistory, ...]
    gaps: tuple[tuple[PieceGap, ...], ...] = ()
    problems: tuple[Problem, ...] = ()

    @property
    def steps(self) -> tuple[Step, ...]:
        """All steps of all logs."""
        return tuple(step for log in self.logs for step in log.steps)

    def appearances(self) -> Iterator[Piece]:
        """Every piece in every state it has in any log, in order."""
        return (piece for log in self.logs for piece in log.appearances())

    def greatest_id(self) -> int:
        """The greatest number that is the id of a piece, stack or deck in any log; 0 if there is none."""
        found: set[str] = set()
        for log in self.logs:
            found.update(log.opening.pieces, log.opening.stacks, log.opening.decks)
            for step in log.steps:
                found.update(change.id for change in step.changes)
                found.update(change.id for change in step.stacks)
        numbers = (text for text in found if text.isascii() and text.isdigit() and len(text) < 18)
        return max(map(int, numbers), default=0)


def taken_back(steps: Iterable[Step]) -> dict[int, int]:
    """Steps that were fully undone and not restored, each with the step that undid it."""
    back: dict[int, int] = {}
    for step in steps:
        undo = step.undoing
        if undo is None or undo.step is None or not undo.whole:
            continue
        if undo.redo:
            back.pop(undo.step, None)
        else:
            back[undo.step] = step.number
    return back
