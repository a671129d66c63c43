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

    ``id`` is unique in a game; None if the viewer may not know which piece it is. ``name``: the name that the
    viewer sees; None if it depends on something that is in no file (``stored_name`` is then the name when the
    piece was last stored). ``basic_name``, ``gpid``: its name and slot in the module. ``image``: the file of
    its picture, else of the innermost layer that shows one; None if the viewer may not know it or it is not
    known. A piece without a name is called by its image, unless a layer covers it. ``spot``: its map and
    pixel. ``location``: the name that the map's grid gives the place; empty if not known. ``holder``: the id
    of the stack or deck (``holder_kind``) that contains it; ``position``: its index there from the bottom,
    from 0, among the pieces that the viewer sees. ``properties``: the properties that its own traits set;
    ``unknown``: the names of those whose values are not known.
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
    """A piece in a stack or deck: its ``id`` (None: the viewer may not know which piece it is) and ``name``
    (None: not known)."""

    id: str | None
    name: str | None


@dataclass(frozen=True, slots=True, repr=False)
class Stack(Short):
    """A stack on a table, with the ``members`` that the viewer sees, from the bottom up."""

    id: str
    spot: Spot
    members: tuple[Member, ...]


@dataclass(frozen=True, slots=True, repr=False)
class Deck(Short):
    """A deck on a table: its number of ``cards``, and the ``members`` that the viewer sees; the last is drawn
    next."""

    shown: ClassVar = ("name", "cards", "spot")

    id: str
    name: str
    spot: Spot
    cards: int
    members: tuple[Member, ...]


@dataclass(frozen=True, slots=True, repr=False)
class Displacement(Short):
    """One change of place of a piece in a step.

    ``piece``: its id; None if the viewer may not know which piece it is. ``name``, ``stored_name``: as in
    :class:`Piece`. ``origin``, ``target``: where it was and where it is; None: not in the game, or out of the
    viewer's sight. ``origin_location``, ``target_location``: the names that the grid gives these places.
    ``how``: ``drag`` (a player dragged it), ``send`` (its own command, Send to Location), ``state`` (a change
    of state that names another map), ``add`` or ``remove`` (it entered or left the game or the viewer's
    sight), ``stack`` (its stack was removed from under it) or ``undo`` (a step was taken back).
    ``group_id``: pieces of one step with the same number were moved together; 0: alone. ``why``: the effect
    of an undo that left it on no map.
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
    """The changes that a step made to a piece, as far as the viewer may know them. ``properties``: the new
    values; None: the property is gone. ``unknown``: properties whose values are no longer known."""

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
