"""What a piece on the table is to the rules: unit or marker, its side, its attributes."""

from __future__ import annotations

from collections.abc import Collection, Container, Mapping, Sequence
from dataclasses import dataclass
from fnmatch import fnmatchcase
from typing import NamedTuple

from ...model.fact import UNKNOWN, Fact, either
from ...model.patterns import Pattern
from ...model.table import Piece
from ...model.unit import Kind
from .cells import cell_fact, read_value
from .load import MATCH_COLUMNS
from .pack import Lookup, Pack, Selector
from .spreadsheet import Row


@dataclass(frozen=True, slots=True)
class Company:
    """The pieces with a piece: ``above`` it and ``below`` it in its stack (the nearest first), and
    ``beside`` it on the same spot, in no known order."""

    above: tuple[Piece, ...] = ()
    below: tuple[Piece, ...] = ()
    beside: tuple[Piece, ...] = ()


ALONE = Company()

_FIXED = ("column", "name", "image", "value")
"""Lookups whose answer changes for a piece only with its name and picture."""
_BY_NAMES = (*_FIXED, "marker")
"""Lookups whose answer changes for a piece only with those, and with the names of the pieces with it."""


class Counters:
    """The rows of ``units.csv``, by piece. A row is about the pieces its cells ``id``, ``gpid``,
    ``image`` and ``name`` fit (``*`` stands for any text in a name); of several rows the most
    particular count."""

    def __init__(self, pack: Pack) -> None:
        sheet = pack.counters
        self._sheet = sheet
        self._pictured = sheet is not None and "image" in sheet.columns
        self._known: dict[_Marks, tuple[Row, ...]] = {}
        self._by: dict[str, dict[str, list[Row]]] = {key: {} for key in MATCH_COLUMNS}
        self._patterns: list[Row] = []
        for row in sheet.rows if sheet is not None else ():
            key = next((k for k in MATCH_COLUMNS if row.get(k)), None)
            if key == "name" and "*" in row.get("name"):
                self._patterns.append(row)
            elif key is not None:
                self._by[key].setdefault(row.get(key), []).append(row)

    def rows(self, piece: Piece) -> tuple[Row, ...]:
        """The rows about a piece."""
        marks = self.marks(piece)
        found = self._known.get(marks)
        if found is None:
            found = self._known[marks] = self._find(marks)
        return found

    def marks(self, piece: Piece) -> _Marks:
        """All of a piece that its rows depend on."""
        image = piece.facts.image if self._pictured else ""
        return _Marks(piece.id, piece.gpid, image, piece.basic_name)

    def _find(self, marks: _Marks) -> tuple[Row, ...]:
        for column, text in zip(MATCH_COLUMNS, marks, strict=True):
            rows = self._by[column].get(text, ()) if text else ()
            fitting = tuple(row for row in rows if _fits(row, marks))
            if fitting:
                return fitting
        return tuple(row for row in self._patterns if _fits(row, marks))

    def where(self, row: Row) -> str:
        return self._sheet.where(row) if self._sheet is not None else ""


class _Marks(NamedTuple):
    """The values by which a row identifies a piece, in the order of ``MATCH_COLUMNS``."""

    id: str
    gpid: str
    image: str
    name: str


def _fits(row: Row, marks: _Marks) -> bool:
    for column, text in (("gpid", marks.gpid), ("image", marks.image)):
        if row.get(column) not in ("", text):
            return False
    wanted = row.get("name")
    return not wanted or wanted == marks.name or ("*" in wanted and fnmatchcase(marks.name, wanted))


class Reader:
    """Reads side, kind and attributes of pieces as the pack prescribes."""

    def __init__(self, pack: Pack) -> None:
        self.pack = pack
        self.counters = Counters(pack)
        looks = [*pack.units.side, *(x for xs in pack.units.attributes.values() for x in xs)]
        self.needs_company = any(look.kind == "marker" for look in looks)
        self._reads_names = any(look.kind == "name" for look in looks)
        self._fixed = self._read_by(_FIXED)
        self._known: dict[tuple[object, ...], dict[str, Fact]] = {}
        self._by_names = self._read_by(_BY_NAMES)
        self._named: dict[tuple[object, ...], dict[str, Fact]] = {}
        self._listed_sides = all(look.kind in ("column", "value") for look in pack.units.side)
        self._sides: dict[_Marks, str | None] = {}

    def kind(self, piece: Piece) -> Kind | None:
        """``unit`` or ``marker``; None if the pack excludes it, may exclude it, or does not say."""
        units = self.pack.units
        if any(self.fits(s, piece, not_known=True) for s in units.excluded):
            return None
        if any(self.fits(s, piece) for s in units.are):
            return "unit"
        return "marker" if any(self.fits(s, piece) for s in units.markers) else None

    def _read_by(self, kinds: Container[str]) -> frozenset[str]:
        """The attributes that are read in these ways alone."""
        told = self.pack.units.attributes.items()
        return frozenset(name for name, looks in told if all(one.kind in kinds for one in looks))

    def is_excluded(self, piece: Piece) -> bool:
        """Whether the pack says that it is not a unit."""
        return any(self.fits(s, piece) for s in self.pack.units.excluded)

    def is_status(self, piece: Piece) -> bool:
        """Whether some attribute is read off pieces named like this one."""
        looks = (x for xs in self.pack.units.attributes.values() for x in xs)
        return any(
            look.kind == "marker"
            and look.pattern is not None
            and look.pattern.fits(piece.basic_name)
            for look in looks
        )

    def side(self, piece: Piece) -> str | None:
        """The side of a piece; None if it is not known for certain."""
        if not self._listed_sides:
            return self._side(piece)
        marks = self.counters.marks(piece)
        if marks not in self._sides:
            self._sides[marks] = self._side(piece)
        return self._sides[marks]

    def _side(self, piece: Piece) -> str | None:
        value = self.fact(self.pack.units.side, piece).value
        return value if isinstance(value, str) else None

    def attributes(self, piece: Piece, company: Company = ALONE) -> dict[str, Fact]:
        """All attributes of the pack, unknown ones included."""
        looks = self.pack.units.attributes
        key: tuple[object, ...] = (self._own(piece),)
        if company is not ALONE:
            key += (_names(company.above), _names(company.below), _names(company.beside))
        named = self._named.get(key)
        if named is None:
            named = self._named[key] = self._attributes(self._by_names, piece, company)
        if len(named) == len(looks):
            return dict(named)
        return {
            name: named[name] if name in named else self.fact(several, piece, company)
            for name, several in looks.items()
        }

    def _attributes(
        self, wanted: Collection[str], piece: Piece, company: Company
    ) -> dict[str, Fact]:
        looks = self.pack.units.attributes
        own = self._own(piece)
        fixed = self._known.get(own)
        if fixed is None:
            fixed = {name: self.fact(looks[name], piece) for name in self._fixed}
            self._known[own] = fixed
        return {
            name: fixed[name] if name in fixed else self.fact(several, piece, company)
            for name, several in looks.items()
            if name in wanted
        }

    def _own(self, piece: Piece) -> tuple[object, ...]:
        """All of a piece by itself that lookups in :data:`_BY_NAMES` depend on."""
        named = self._reads_names and piece.facts.knows("BasicName")
        return self.counters.marks(piece), piece.facts.image, named

    def told(self, looks: Sequence[Lookup], piece: Piece) -> str | None:
        """The value that a piece itself certainly gives; None: none."""
        value = self.fact(looks, piece).value
        return None if value is None else str(value)

    def offers(self, looks: Sequence[Lookup], piece: Piece) -> tuple[Fact | None, ...]:
        """The value that each of ``looks`` gives for a piece alone, without the markers in its stack; None
        if it gives none."""
        return tuple(self._read(look, piece, ALONE) for look in looks)

    def fits(self, selector: Selector, piece: Piece, *, not_known: bool = False) -> bool:
        """Whether a piece meets all conditions of a selector. ``not_known``: the result if that depends on a
        property whose value is not known."""
        if selector.id is not None and piece.id not in selector.id:
            return False
        if selector.gpid is not None and piece.gpid not in selector.gpid:
            return False
        if selector.name is not None and not selector.name.fits(piece.basic_name):
            return False
        if selector.image is not None and not selector.image.fits(piece.facts.image):
            return False
        if selector.listed is not None and bool(self.counters.rows(piece)) != selector.listed:
            return False
        if selector.column is not None and not self._in_column(selector, piece):
            return False
        if selector.property is not None:
            value = piece.facts.property(selector.property)
            if value is None and not piece.facts.knows(selector.property):
                return not_known
            if selector.values is None:
                return bool(value)
            return value in selector.values
        return True

    def _in_column(self, selector: Selector, piece: Piece) -> bool:
        """Whether every row about a piece has one of the values in the column; if the selector has no
        values: anything except "?"."""
        said = [row.get(selector.column or "") for row in self.counters.rows(piece)]
        if selector.values is None:
            return bool(said) and all(said) and "?" not in said
        wanted = {value.lower() for value in selector.values}
        return bool(said) and all(cell.lower() in wanted for cell in said)

    def fact(self, looks: Sequence[Lookup], piece: Piece, company: Company = ALONE) -> Fact:
        """The first lookup that gives a value; one that is not sure leaves the next ones open too."""
        doubtful: list[Fact] = []
        for look in looks:
            fact = self._read(look, piece, company)
            if fact is None:
                continue
            doubtful.append(fact)
            if look.sure and not _perhaps_anothers(look, company):
                break
        else:
            if doubtful:
                doubtful.append(UNKNOWN)
        return either(doubtful)

    def _read(self, look: Lookup, piece: Piece, company: Company) -> Fact | None:
        if look.kind == "column":
            return self._column(look, piece)
        if look.kind == "value":
            return Fact((look.value,), source="pack.toml") if look.value is not None else None
        if look.kind == "marker":
            return _marker(look, company)
        text, source = self._text(look, piece)
        if text is None:
            return UNKNOWN if _may_tell(look, piece) else None
        value = read_value(text, look.map, look.number)
        return None if value is None else Fact((value,), source=source)

    def _text(self, look: Lookup, piece: Piece) -> tuple[str | None, str]:
        if look.kind == "property":
            return piece.facts.property(look.what), f"property {look.what}"
        if look.kind == "layer":
            return _layer(look, piece), f"layer {look.what}"
        text = piece.basic_name if look.kind == "name" else piece.facts.image
        return _picked(look.pattern, text), f"the piece's {look.kind}"

    def _column(self, look: Lookup, piece: Piece) -> Fact | None:
        """The fact that the rows about a piece give; if they differ, all their values are possible."""
        facts: list[Fact] = []
        for row in self.counters.rows(piece):
            cell = row.get(look.what.lower())
            fact = cell_fact(cell, look.map, look.number, self.counters.where(row))
            if fact is not None:
                facts.append(fact)
        return either(facts) if facts else None


def _may_tell(look: Lookup, piece: Piece) -> bool:
    """Whether the piece has a value to look at that is not known: then no later lookup counts."""
    if look.kind == "property":
        return not piece.facts.knows(look.what)
    if look.kind == "layer":
        return not all(piece.facts.knows(f"{look.what}_{part}") for part in ("Level", "Name"))
    return look.kind == "name" and not piece.facts.knows("BasicName")


def _layer(look: Lookup, piece: Piece) -> str | None:
    """The number of the level if the map translates numbers (or is empty), else the name of the level."""
    level = piece.facts.property(f"{look.what}_Level")
    if look.map is None or (level is not None and level in look.map):
        return level
    return piece.facts.property(f"{look.what}_Name")


def _picked(pattern: Pattern | None, text: str) -> str | None:
    """The first group of a pattern (without groups, the whole match); None if it does not fit."""
    found = pattern.search(text) if pattern is not None else None
    if found is None:
        return None
    if pattern is not None and pattern.groups:
        return next((group for group in found.groups() if group is not None), None)
    return found.whole


def _names(pieces: tuple[Piece, ...]) -> tuple[str, ...]:
    return tuple([piece.basic_name for piece in pieces]) if pieces else ()


def _within_reach(look: Lookup, company: Company) -> tuple[Piece, ...]:
    reach: Mapping[str, tuple[Piece, ...]] = {
        "stack": (*company.above, *company.below),
        "above": company.above,
        "below": company.below,
        "on-top-of": company.above[:1],
        "next-below": company.below[:1],
    }
    return reach[look.where]


def _perhaps_anothers(look: Lookup, company: Company) -> bool:
    """Whether it matters which counter a marker lies on, and all markers found lie beside the stack."""
    if look.kind != "marker" or look.where == "stack":
        return False
    within = _within_reach(look, company)
    return not any(_picked(look.pattern, marker.basic_name) is not None for marker in within)


def _marker(look: Lookup, company: Company) -> Fact | None:
    """The value that the markers of a stack give. If two give different values, both are possible."""
    found: list[Fact] = []
    for marker in (*_within_reach(look, company), *company.beside):
        text = _picked(look.pattern, marker.basic_name)
        if text is None:
            continue
        value = look.value if look.value is not None else read_value(text, look.map, look.number)
        if value is not None:
            found.append(Fact((value,), source=f"marker {marker.basic_name}"))
    return either(found) if found else None
