"""The names that a pack and a facts file use and a ruleset should know, each with its file and line."""

from __future__ import annotations

from collections.abc import Iterator

from ...model.names import HEXSIDE, LINE, TERRAIN, NameUsed, value_of
from .facts import Facts
from .pack import Lookup, Pack
from .terrain import words

UNKNOWN = "?"


def names_in_files(pack: Pack, facts: Facts) -> Iterator[NameUsed]:
    """All names that the pack and the facts use."""
    yield from pack.names
    yield from _of_board(pack)
    yield from _of_counters(pack)
    for fact in facts.hexes:
        yield from (NameUsed(TERRAIN, name, fact.source) for name in fact.terrain or ())
    for side in facts.hexsides:
        yield from (NameUsed(HEXSIDE, name, side.source) for name in side.has or ())
        yield from (NameUsed(LINE, name, side.source) for name in side.lines or ())
    for line in facts.lines:
        yield NameUsed(LINE, line.kind, line.source)
    for unit in facts.units:
        for attribute, known in unit.attributes.items():
            for option in known.options or ():
                if isinstance(option, str):
                    yield NameUsed(value_of(attribute), option, unit.source)


def _of_board(pack: Pack) -> Iterator[NameUsed]:
    for row in pack.hexes.rows if pack.hexes is not None else ():
        if row.get("terrain") != UNKNOWN:
            for name in words(row.get("terrain")):
                yield NameUsed(TERRAIN, name, pack.hexes.where(row) if pack.hexes else "")
    for row in pack.lines.rows if pack.lines is not None else ():
        if row.get("kind"):
            kind = HEXSIDE if "/" in row.get("path") else LINE
            yield NameUsed(kind, row.get("kind"), pack.lines.where(row) if pack.lines else "")


def _of_counters(pack: Pack) -> Iterator[NameUsed]:
    """Values of attributes that are read off a column as they stand."""
    sheet = pack.counters
    if sheet is None:
        return
    plain = [
        (attribute, look.what.lower())
        for attribute, looks in pack.units.attributes.items()
        for look in looks
        if _is_word(look)
    ]
    for row in sheet.rows:
        for attribute, column in plain:
            for name in row.get(column).split("|"):
                if name.strip() and name.strip() != UNKNOWN:
                    yield NameUsed(value_of(attribute), name.strip(), sheet.where(row))


def _is_word(look: Lookup) -> bool:
    return look.kind == "column" and look.map is None and not look.number
