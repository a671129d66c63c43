"""An audit pack as values: what a module's pieces, places and turns mean to the rules.

``load.load_pack`` makes it; ``docs/packs.md`` and the pages it lists describe each part for authors. Rows of
spreadsheets are kept unchanged, as their meaning depends on the module's board.
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
"""The place of a marker as seen from the unit: anywhere in its stack, above it, below it, directly on top,
directly below."""

Aspect = Literal["turn", "phase", "active"]
ASPECTS: tuple[Aspect, ...] = ("turn", "phase", "active")


@dataclass(frozen=True, slots=True)
class Fits:
    """The modules a pack is for: names and versions, ``*`` standing for any text; empty: any. ``logs``: other
    names that logs give the module."""

    modules: tuple[str, ...] = ()
    versions: tuple[str, ...] = ()
    logs: tuple[str, ...] = ()

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
    """Places off the board: a whole map, or its zones or locations that fit a pattern. ``is_unread``: only
    the module's names of places on the map are known; each pixel without a name is a separate place.
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
    """How to read the terrain that the module records itself. ``used`` False: not at all. ``names``: by the
    kind of record (``hex``, ``hexside``, ``line``), the ruleset's words for its names, none or several; a
    name that is missing stands for itself. ``level``: the attribute that is the level of a hex; None: none
    is. ``complete``: layers of hexsides that are recorded completely."""

    used: bool = True
    names: Mapping[str, Mapping[str, tuple[str, ...]]] = field(
        default_factory=lambda: MappingProxyType({"hex": {}, "hexside": {}, "line": {}})
    )
    level: str | None = None
    complete: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class Selector:
    """Conditions that a piece must meet, all of them; None: no condition. ``values``: of the
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
    of ``removes`` (or of ``on``, if nothing is removed; any, if neither is given). ``removes``: features, and
    lines across a hexside, that it removes; ``adds``: features that it adds; ``terrain`` and ``level``: of
    the hex; ``reads``: where to read the terrain from the piece, several joined by ``+``. ``towards``: where
    to read the hex on the other side of the hexside."""

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
    ``pattern``) for the name of a marker, of the piece, or of its image; for ``value`` it is unused.
    ``map`` translates the text that is read; a text not in it gives no value. ``number``: read as a number.
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
    """A source of turn, phase or active side: a turn tracker, chat lines, a piece on a track, a global
    property. ``pattern`` has the groups turn, phase, active. ``certain``: the pack states that players keep
    it up to date; otherwise it supports no accusation."""

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


@dataclass(frozen=True, repr=False, kw_only=True)
class Pack(Short):
    """A pack. ``charts``: those of ``tables`` that are complete. ``sha256``: of all its files; ``folder``:
    the name of its folder; ``records``: who vouches for its cells; ``records_sha256``: of their file;
    ``names``: those in ``pack.toml`` that the ruleset should know; ``values``: ``pack.toml`` as plain values.
    ``provenance_required``: a cell without a record is not known. ``changes``: what may change on the board
    without a sign on the table; None: not stated. ``effort``: steps that its patterns have used. ``files``:
    all files it was read from. ``vouched_by``: who vouches for the pack; "": not stated. ``assumes``: what it
    assumes without a source; ``power``: as in :class:`.Source`."""

    shown: ClassVar = ("name", "version", "ruleset", "vouched_by")

    name: str
    version: str
    title: str
    ruleset: str
    off: tuple[str, ...] = ()
    vouched_by: str = ""
    assumes: tuple[str, ...] = ()
    power: str = ""
    fits: Fits
    board_name: str
    complete: frozenset[str] = frozenset()
    provenance_required: bool
    sides: tuple[str, ...] = ()
    relations: tuple[Relation, ...]
    sheets: tuple[BoardSheet, ...]
    links: tuple[tuple[str, str], ...] = ()
    barriers: tuple[tuple[str, str], ...] = ()
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


def same_except(before: Pack, now: Pack, *parts: str) -> bool:
    """Whether two packs differ at most in these files; "rules": that table of ``pack.toml``."""
    one, other = (
        {
            "rules": pack.values.get("rules"),
            "pack.toml": (pack.folder, {**pack.values, "rules": None}),
            "hexes.csv": pack.hexes,
            "lines.csv": pack.lines,
            "units.csv": pack.counters,
            "provenance.csv": (pack.records, pack.records_sha256),
        }
        for pack in (before, now)
    )
    return all(part in parts or one[part] == other[part] for part in one)
