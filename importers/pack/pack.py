"""An audit pack as values: what a module's pieces, places and turns mean to the rules.

Made by ``load.load_pack``; ``docs/packs.md`` and the pages it lists describe each part for
those who write one. Rows of
spreadsheets are kept as they stand, since what they mean depends on the module's board.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from fnmatch import fnmatchcase
from pathlib import Path
from types import MappingProxyType
from typing import Any, ClassVar, Literal

from ...model.fact import Value
from ...model.game import MovementForm, PhaseRule
from ...model.names import NameUsed
from ...model.patterns import Effort, Pattern
from ...model.provenance import Record
from ...model.relations import Relation
from ...model.short_repr import Short
from .spreadsheet import Sheet as Spreadsheet

Place = Literal["stack", "above", "below", "on-top-of", "next-below"]
"""Where a marker lies as seen from the unit: anywhere in its stack, above it, below it, right on top
of it, right below it."""

Aspect = Literal["turn", "phase", "active"]
ASPECTS: tuple[Aspect, ...] = ("turn", "phase", "active")


@dataclass(frozen=True, slots=True)
class Fits:
    """The modules a pack is for: names and versions, ``*`` standing for any text; empty: any."""

    modules: tuple[str, ...] = ()
    versions: tuple[str, ...] = ()

    def module(self, name: str, version: str) -> bool:
        """Whether a module of this name and version is one of them."""
        return _any(name, self.modules) and _any(version, self.versions)


def _any(text: str, patterns: tuple[str, ...]) -> bool:
    return not patterns or any(fnmatchcase(text, pattern) for pattern in patterns)


@dataclass(frozen=True, slots=True)
class BoardSheet:
    """A map that is played on. ``hex`` picks the hex's name out of the location name (first group);
    ``offset``: raw (column, row) of the surface ``name`` where the sheet's raw hex (0, 0) lies. ``numbers``:
    what is printed in some hexes that the module does not name, by their raw column and row (``07.03``)."""

    map: str
    board: str | None = None
    name: str = ""
    prefix: str = ""
    hex: Pattern | None = None
    offset: tuple[int, int] = (0, 0)
    numbers: Mapping[str, str] = field(default_factory=lambda: MappingProxyType({}))


@dataclass(frozen=True, slots=True)
class Box:
    """Places off the board: a whole map, or its zones or locations that fit a pattern. ``is_unread``: of the
    map nothing is known but what its module calls a place; each pixel without a name is a place of its own.
    """

    map: str
    zone: Pattern | None = None
    location: Pattern | None = None
    name: str = ""
    is_unread: bool = False


@dataclass(frozen=True, slots=True)
class Change:
    """A feature of hexes or hexsides, a terrain or a kind of line that may change in play: it ``goes``
    where it is drawn (a terrain becomes another), or ``comes`` where it is not (a terrain does not); ``on``:
    only where one of these features or terrains is, empty: anywhere."""

    feature: str
    goes: bool = True
    comes: bool = True
    on: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class Recorded:
    """How the terrain that the module records itself is to be read. ``used`` False: not at all. ``names``: by
    the kind of record (``hex``, ``hexside``, ``line``) what its names mean in the ruleset's words, of which
    there may be several, or none; a name that is not in it stands for itself. ``level``: the attribute that
    is the level of a hex; None: none is. ``complete``: of these layers of hexsides nothing is there but
    what is recorded."""

    used: bool = True
    names: Mapping[str, Mapping[str, tuple[str, ...]]] = field(
        default_factory=lambda: MappingProxyType({"hex": {}, "hexside": {}, "line": {}})
    )
    level: str | None = None
    complete: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class Selector:
    """Conditions a piece must meet, all of them; those that are None do not count. ``values``: of the
    ``property``, or of the ``column`` of units.csv."""

    name: Pattern | None = None
    gpid: frozenset[str] | None = None
    id: frozenset[str] | None = None
    property: str | None = None
    column: str | None = None
    values: frozenset[str] | None = None
    image: Pattern | None = None
    listed: bool | None = None


@dataclass(frozen=True, slots=True)
class BoardMarker:
    """Pieces (``what``) that change the board where they lie: in the hex, or on a hexside of it that has one
    of ``removes`` (``on``, where nothing is removed; any, where neither is told). ``removes``: features, and
    lines across a hexside, that are gone; ``adds``: features that come; ``terrain`` and ``level``: of the
    hex; ``reads``: where the piece itself tells the terrain, several joined by ``+``. ``towards``: where to
    read the hex on the other side of the hexside."""

    what: Selector
    at: Literal["hex", "hexside"] = "hex"
    removes: tuple[str, ...] = ()
    adds: tuple[str, ...] = ()
    on: tuple[str, ...] = ()
    terrain: tuple[str, ...] = ()
    reads: tuple[Lookup, ...] = ()
    level: int | None = None
    towards: tuple[Lookup, ...] = ()


LookupKind = Literal["property", "layer", "marker", "name", "image", "column", "value"]


@dataclass(frozen=True, slots=True)
class Lookup:
    """One place where an attribute can be read.

    ``kind`` says what ``what`` is: the name of a property, layer or column, or a pattern (compiled in
    ``pattern``) for the name of a marker, of the piece, or of its image; for ``value`` it is nothing.
    ``map`` translates what is read, and what is not in it is no value; ``number``: read as a number.
    ``sure`` False: it may be out of date, so the value of the next lookup stays possible.
    """

    kind: LookupKind
    what: str = ""
    pattern: Pattern | None = None
    value: Value | None = None
    where: Place = "stack"
    map: Mapping[str, Value] | None = None
    number: bool = False
    sure: bool = True


@dataclass(frozen=True, slots=True)
class Units:
    """Which pieces are units or markers, and where their side and attributes are read. ``whole``: every
    unit of the game fits ``are``; else any other piece that has a side may be one."""

    are: tuple[Selector, ...] = ()
    excluded: tuple[Selector, ...] = ()
    markers: tuple[Selector, ...] = ()
    side: tuple[Lookup, ...] = ()
    attributes: Mapping[str, tuple[Lookup, ...]] = field(
        default_factory=lambda: MappingProxyType({})
    )
    whole: bool = False


@dataclass(frozen=True, slots=True)
class PhaseSource:
    """Something that tells turn, phase or active side: a turn tracker, chat lines, a piece on a
    track, a global property. ``pattern`` has the groups turn, phase, active. ``certain``: the pack
    vouches that players keep it up; without that nothing may be held against anybody on its word."""

    kind: Literal["turn_tracker", "chat", "marker", "global"]
    what: str
    pattern: Pattern | None
    piece: Pattern | None = None
    certain: bool = False
    translate: Mapping[str, Mapping[str, str]] = field(default_factory=lambda: MappingProxyType({}))


@dataclass(frozen=True, slots=True)
class SpentSource:
    """Where players declare MPs: a property of the piece (that counts what is spent ``up`` or what is
    left ``down``) or chat lines with the group amount and perhaps unit."""

    property: str | None = None
    counts: Literal["up", "down"] = "up"
    chat: Pattern | None = None


@dataclass(frozen=True, repr=False)
class Pack(Short):
    """A pack. ``charts``: those of ``tables`` that are whole. ``sha256`` is over all its files; ``folder``
    the name of its folder; ``records`` who vouches for its cells, ``records_sha256`` of their file;
    ``names``: those in ``pack.toml`` that the ruleset should know; ``values`` what ``pack.toml`` says, as
    plain values. ``provenance_required``: a cell without a record is not known. ``changes``: what may change
    on the board when nothing tells; None: the pack does not say. ``effort``: what its patterns have taken.
    ``files``: all it was read from. ``vouched_by``: who vouches for it, "": it does not say;
    ``assumes``: what it takes for granted without a source; ``power``: as of :class:`.Source`."""

    shown: ClassVar = ("name", "version", "ruleset", "vouched_by")

    name: str
    version: str
    title: str
    ruleset: str
    off: tuple[str, ...]
    vouched_by: str
    assumes: tuple[str, ...]
    power: str
    fits: Fits
    board_name: str
    complete: frozenset[str]
    provenance_required: bool
    sides: tuple[str, ...]
    relations: tuple[Relation, ...]
    sheets: tuple[BoardSheet, ...]
    links: tuple[tuple[str, str], ...]
    barriers: tuple[tuple[str, str], ...]
    boxes: tuple[Box, ...]
    units: Units
    phase_sources: tuple[PhaseSource, ...]
    phases: Mapping[str, PhaseRule]
    forms: Mapping[str, MovementForm]
    spent: tuple[SpentSource, ...]
    tables: Mapping[str, Any]
    charts: frozenset[str]
    options: Mapping[str, Any]
    hexes: Spreadsheet | None
    lines: Spreadsheet | None
    counters: Spreadsheet | None
    sha256: str
    folder: str
    records: tuple[Record, ...] = ()
    records_sha256: str = ""
    values: Mapping[str, Any] = field(default_factory=lambda: MappingProxyType({}), repr=False)
    names: tuple[NameUsed, ...] = ()
    changes: tuple[Change, ...] | None = None
    board_markers: tuple[BoardMarker, ...] = ()
    recorded: Recorded = field(default_factory=Recorded)
    effort: Effort = field(default_factory=Effort, repr=False, compare=False)
    files: tuple[Path, ...] = ()

    @property
    def keeps_records(self) -> bool:
        """Whether it asks for records or has a file of them, even one with only the heading row."""
        return self.provenance_required or bool(self.records or self.records_sha256)
