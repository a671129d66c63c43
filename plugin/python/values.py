"""The content of a log, as values that hold no more than their viewer may see."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar

from ...importers.analysis.records import Record
from ...model.short_repr import Short
from ...model.table import DisplacedBy, Spot


@dataclass(frozen=True, slots=True, repr=False)
class Piece(Short):
    """A piece that lies on a table.

    ``id`` is unique in a game; None where the viewer may not know what the piece is. ``name``: what the
    viewer sees; None where that hangs on something no file tells, then ``stored_name`` is what it was when
    it was stored. ``basic_name``, ``gpid``: the name and the slot it has in the module. ``image``: the file
    of its picture, or else of the innermost layer that shows one; None where the viewer may not know it, or
    where it is not known which. A piece without a name is called by this, unless a layer lies on it.
    ``spot``: its map and pixel; ``location``: what the map's grid calls the place, empty if that is not
    known. ``holder``: id of the stack or deck it is in (``holder_kind``), ``position``: its place in there,
    counted from the bottom from 0 among the pieces the viewer sees. ``properties``: what its own traits say
    of it; ``unknown``: names of those whose values are not known.
    """

    shown: ClassVar = ("shown_name", "location", "spot", "id")

    id: str | None
    name: str | None
    stored_name: str | None
    basic_name: str | None
    gpid: str | None
    spot: Spot
    location: str
    holder: str | None
    holder_kind: str | None
    position: int | None
    masked: bool
    hidden: bool
    properties: Mapping[str, str]
    unknown: tuple[str, ...]
    image: str | None = None

    @property
    def shown_name(self) -> str | None:
        """The name to show: ``name``, or else ``stored_name``."""
        return self.stored_name if self.name is None else self.name


@dataclass(frozen=True, slots=True)
class Member:
    """A piece in a stack or deck: its ``id`` (None: the viewer may not know what it is) and ``name`` (None:
    not known)."""

    id: str | None
    name: str | None


@dataclass(frozen=True, slots=True, repr=False)
class Stack(Short):
    """A stack on a table; ``members`` are those the viewer sees, from the bottom up."""

    id: str
    spot: Spot
    members: tuple[Member, ...]


@dataclass(frozen=True, slots=True, repr=False)
class Deck(Short):
    """A deck on a table: how many ``cards`` it holds, and the ``members`` that the viewer sees, the last is
    drawn next."""

    shown: ClassVar = ("name", "cards", "spot")

    id: str
    name: str
    spot: Spot
    cards: int
    members: tuple[Member, ...]


@dataclass(frozen=True, slots=True, repr=False)
class Displacement(Short):
    """A piece was put somewhere else in a step.

    ``piece``: its id; None where the viewer may not know what it is. ``name``, ``stored_name``: as of
    :class:`Piece`.
    ``origin``, ``target``: from where and to where; None: not in the game, or not in sight.
    ``origin_location``, ``target_location``: what the grid calls these places. ``how``: ``drag`` a player's
    hand; ``send`` a command of the piece (send to location); ``state`` a change of state that names another
    map; ``add`` / ``remove`` it came into, left the game (or the viewer's sight); ``stack`` its stack was
    taken from under it; ``undo`` a step was taken back. ``group_id``: pieces of one step with the same number
    were moved as one; 0: alone. ``why``: of an undo that left it on no map, what it did.
    """

    shown: ClassVar = (
        "shown_name",
        "how",
        "origin_location",
        "target_location",
        "origin",
        "target",
    )

    piece: str | None
    name: str | None
    stored_name: str | None
    origin: Spot | None
    target: Spot | None
    origin_location: str
    target_location: str
    how: DisplacedBy
    group_id: int = 0
    why: str = ""

    @property
    def shown_name(self) -> str | None:
        """The name to show: ``name``, or else ``stored_name``."""
        return self.stored_name if self.name is None else self.name


@dataclass(frozen=True, slots=True, repr=False)
class PieceChange(Short):
    """What a step changed on a piece that the viewer may know. ``properties``: the new values; None: the
    property is gone. ``unknown``: properties whose values are no longer known."""

    shown: ClassVar = ("name", "properties", "unknown")

    piece: str
    name: str | None
    properties: Mapping[str, str | None]
    unknown: tuple[str, ...]


def piece_of(record: Record) -> Piece:
    """The piece in a record of :func:`..importers.analysis.records.piece_records`."""
    return Piece(
        id=record["id"] or None,
        name=record.get("name"),
        stored_name=record.get("stored_name"),
        basic_name=record.get("basic_name"),
        gpid=record.get("gpid"),
        spot=Spot(*record["at"]),
        location=record.get("location", ""),
        holder=record.get("holder"),
        holder_kind=record.get("holder_kind"),
        position=record.get("position"),
        masked=record.get("masked", False),
        hidden=record.get("hidden", False),
        properties=record.get("properties", {}),
        unknown=tuple(record.get("unknown", ())),
        image=record.get("image"),
    )


def members_of(record: Record) -> tuple[Member, ...]:
    """The members in the record of a stack or deck."""
    return tuple(Member(one["piece"] or None, one.get("name")) for one in record["members"])


def displacement_of(record: Record) -> Displacement:
    """The displacement in a record of a step."""
    return Displacement(
        piece=record["piece"] or None,
        name=record.get("name"),
        stored_name=record.get("stored_name"),
        origin=None if record["from"] is None else Spot(*record["from"]),
        target=None if record["to"] is None else Spot(*record["to"]),
        origin_location=record.get("origin", ""),
        target_location=record.get("target", ""),
        how=record["by"],
        group_id=record.get("group", 0),
        why=record.get("why", ""),
    )


def change_of(record: Record) -> PieceChange:
    """The change in a record of a step."""
    return PieceChange(
        piece=record["piece"],
        name=record.get("name"),
        properties=record["properties"],
        unknown=tuple(record.get("unknown", ())),
    )
