"""Kinds of counters as rows: the values typed, the values read, and which of the two counts."""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from ...importers.pack.attributes import Reader
from ...importers.pack.load import MATCH_COLUMNS
from ...importers.pack.pack import Pack
from ...importers.pack.signs import looks_like_unit
from ...importers.pack.spreadsheet import Row
from ...model.fact import Fact
from ...model.table import Piece, picture_name
from ...validators.allowed_facts import Allowed
from .counter_kinds import Kind
from .unit_columns import Column, columns_of, guesses, unit_binding, unit_column

MOST_READ = 200
"""Maximum number of pieces of a kind whose values are read."""
MOST_VALUES = 4


def rows_of(pack: Pack, kinds: Sequence[Kind], columns: Sequence[Column]) -> list[dict[str, Any]]:
    """The row of each kind."""
    reader = Reader(pack)
    about = _rows_about(reader, kinds)
    return [_kind(kind, reader, columns, about) for kind in kinds]


def units_json(
    pack: Pack, kinds: Sequence[Kind], allowed: Mapping[str, Allowed], sides: Sequence[str]
) -> dict[str, Any]:
    """Everything that the view shows. ``allowed``: the attributes that the ruleset needs."""
    columns = columns_of(pack, allowed, sides)
    told = rows_of(pack, kinds, columns)
    likely = [kind.census for kind in kinds if looks_like_unit(kind.census)]
    units = [one["cells"] for one in told if one["is"] == "unit" or one["likely"]]
    wanting = [c for place, c in enumerate(columns) if not all(cells[place][2] for cells in units)]
    return {
        "columns": [column.plain() for column in columns],
        "kinds": told,
        "groups": groups_of(kinds, told),
        "guesses": list(guesses(likely or [kind.census for kind in kinds], wanting, sides)),
        "unit_column": unit_column(pack),
        "unit_bind": unit_binding(pack),
        "whole": pack.units.whole,
        "complete": list(_complete(pack)),
        "file": pack.counters is not None,
    }


def fault_in(
    pack: Pack, allowed: Mapping[str, Allowed], sides: Sequence[str], column: str, text: str
) -> str:
    """The error in a cell of a column, in one line; "" if there is none."""
    for one in columns_of(pack, allowed, sides):
        if one.name == column:
            return one.fault(text)
    return f"units.csv: there is no column {column}"


def kind_id(name: str, image: str) -> str:
    """A short, stable id of a kind."""
    digest = hashlib.blake2b(f"{name}\0{image}".encode("utf-8", "surrogatepass"), digest_size=6)
    return digest.hexdigest()


def _rows_about(reader: Reader, kinds: Sequence[Kind]) -> Counter[int]:
    """How many kinds each row of units.csv applies to, by its line."""
    found: Counter[int] = Counter()
    for kind in kinds:
        found.update({row.line for piece in kind.pieces for row in reader.counters.rows(piece)})
    return found


def _kind(
    kind: Kind, reader: Reader, columns: Sequence[Column], about: Mapping[int, int]
) -> dict[str, Any]:
    told = kind.census
    rows: dict[int, Row] = {}
    bare = 0
    for piece in kind.pieces:
        fitting = reader.counters.rows(piece)
        rows.update((row.line, row) for row in fitting)
        bare += not fitting
    pieces = kind.pieces[:MOST_READ]
    return {
        "id": kind_id(told.name, told.image),
        "name": told.name or picture_name(told.image),
        "image": told.image,
        "gpid": next((piece.gpid for piece in pieces if piece.gpid), ""),
        "pieces": told.pieces,
        "moves": told.moves,
        "folder": told.folder,
        "prototypes": list(told.prototypes),
        "is": _is(reader, pieces),
        "likely": looks_like_unit(told),
        "rows": [_row(row, about) for row in rows.values()],
        "bare": bare > 0,
        "new": _key(told.name, told.image, kind.pieces),
        "cells": [_cell(column, reader, pieces, rows.values()) for column in columns],
    }


def _row(row: Row, about: Mapping[int, int]) -> dict[str, Any]:
    """A row of units.csv; ``shared``: it applies to other kinds as well."""
    key = {name: row.get(name) for name in MATCH_COLUMNS if row.get(name)}
    cells = {name: cell for name, cell in row.cells.items() if name not in MATCH_COLUMNS}
    return {"key": key, "line": row.line, "cells": cells, "shared": about[row.line] > 1}


def _is(reader: Reader, pieces: Iterable[Piece]) -> str:
    """``unit``, ``marker``, ``no`` unit, ``perhaps``, or ``mixed`` if the pieces differ."""
    found = set()
    for piece in pieces:
        kind = reader.kind(piece)
        found.add(kind or ("no" if reader.is_excluded(piece) else "perhaps"))
    return found.pop() if len(found) == 1 else "mixed"


def _cell(
    column: Column, reader: Reader, pieces: Sequence[Piece], rows: Iterable[Row]
) -> list[str]:
    """The typed value, the value read, and which of the two counts (``typed``, ``read``, ``both``, "" if
    neither has one)."""
    typed = " / ".join(dict.fromkeys(row.get(column.name) for row in rows if row.get(column.name)))
    if column.role in ("unit", "other") or not column.looks:
        return [typed, "", "typed" if typed and column.counts else ""]
    read: Counter[str] = Counter()
    counting: set[str] = set()
    for piece in pieces:
        offers = list(zip(column.looks, reader.offers(column.looks, piece), strict=True))
        others = (fact for look, fact in offers if fact is not None and not column.reads(look))
        other = next(others, None)
        if other is not None:
            read[fact_text(other)] += 1
        for look, fact in offers:
            if fact is not None:
                counting.add("typed" if column.reads(look) else "read")
                if look.sure:
                    break
    return [typed, _said(read), "both" if len(counting) > 1 else "".join(counting)]


def _said(read: Counter[str]) -> str:
    """``4``, or ``4 (3), 5 (1)`` if pieces differ."""
    if len(read) <= 1:
        return next(iter(read), "")
    shown = ", ".join(f"{value} ({number})" for value, number in read.most_common(MOST_VALUES))
    return f"{shown} …" if len(read) > MOST_VALUES else shown


def fact_text(fact: Fact) -> str:
    """A fact as a cell of units.csv: ``4``, ``4|6``, ``4..6``, ``?``."""
    if fact.options is not None:
        return "|".join(_value(option) for option in fact.options)
    if fact.lo is None and fact.hi is None:
        return "?"
    return f"{'' if fact.lo is None else fact.lo}..{'' if fact.hi is None else fact.hi}"


def _value(value: object) -> str:
    return ("yes" if value else "no") if isinstance(value, bool) else str(value)


def _key(name: str, image: str, pieces: Sequence[Piece]) -> dict[str, str]:
    """The key by which a row of its own would match the kind: no pattern, and nothing that a spreadsheet
    would convert; empty if there is none."""
    key = {
        column: text
        for column, text in (("name", name), ("image", image))
        if text
        and text.isprintable()
        and text == text.strip()
        and "*" not in text
        and not text.startswith(("#", "=", "+", "-", "@"))
    }
    if key:
        return key
    gpids = {piece.gpid for piece in pieces}
    return {"gpid": gpids.pop()} if len(gpids) == 1 and "" not in gpids else {}


def groups_of(kinds: Sequence[Kind], told: Sequence[Mapping[str, Any]]) -> list[dict[str, Any]]:
    """Groups of kinds, as indices: by the pack's entries, palettes and prototypes."""
    found: list[dict[str, Any]] = []

    def add(sort: str, name: str, members: list[int], least: int = 1) -> None:
        if len(members) >= least:
            found.append({"sort": sort, "name": name, "members": members})

    add("all", "All counters", list(range(len(kinds))))
    by_said: dict[str, list[int]] = {}
    for index, one in enumerate(told):
        by_said.setdefault(one["is"], []).append(index)
    said = (
        ("perhaps", "Not said yet"),
        ("unit", "Units"),
        ("no", "No units"),
        ("marker", "Markers"),
        ("mixed", "Some units, some not"),
    )
    for key, name in said:
        add("said", name, by_said.get(key, []))
    open_ones = by_said.get("perhaps", [])
    add("guess", "Probably units", [i for i in open_ones if told[i]["likely"]])
    add("guess", "Probably no units", [i for i in open_ones if not told[i]["likely"]])
    add("moved", "Moved in the logs", [i for i, kind in enumerate(kinds) if kind.census.moves])
    for sort in ("palette", "prototype"):
        groups: dict[str, list[int]] = {}
        for index, kind in enumerate(kinds):
            folder = (kind.census.folder,) if kind.census.folder else ()
            for name in folder if sort == "palette" else kind.census.prototypes:
                groups.setdefault(name, []).append(index)
        for name, members in sorted(groups.items(), key=lambda item: (-len(item[1]), item[0])):
            add(sort, name, members, 2)
    return found


def _complete(pack: Pack) -> Iterable[str]:
    units = pack.values.get("units", {})
    return units.get("complete", ()) if isinstance(units, Mapping) else ()
