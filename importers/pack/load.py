"""Reads a pack's folder: ``pack.toml`` and its spreadsheets, with one line for each fault; checks that its
parts agree; and applies ``[[pack]]`` of a facts file for one game.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from ...model.codec import Codecs
from ...model.names import natural_order
from ...model.problem import Problem, WrongPack
from ...model.provenance import Record
from ..analysis.game_json import PHASES
from .cells import cell_fact
from .facts import Facts
from .files import FILES, PACK_FILE, pack_files
from .names import names_in_toml
from .pack import Fits, Lookup, Pack
from .pack_tables import (
    changes_of,
    charts_of,
    read_board_marker,
    read_board_sheet,
    read_box,
    read_forms,
    read_phase_source,
    read_recorded,
    read_relations,
    read_spent,
    read_units,
)
from .provenance import FILE as PROVENANCE_FILE
from .provenance import read_provenance
from .spreadsheet import Sheet as Spreadsheet
from .spreadsheet import read_sheet
from .toml_text import Path_, TomlFile, check, parse_toml

HEX_COLUMNS = ("hex", "terrain", "level", "features", "told", "sheet")
LINE_COLUMNS = ("kind", "path", "name", "junctions", "sheet", "there")
MATCH_COLUMNS = ("id", "gpid", "image", "name")
"""The columns of units.csv that say which pieces a row is about."""

_FITS, _PACK = Codecs({}).table(Fits), Codecs({}).table(Pack)

__all__ = ["FILES", "PACK_FILE", "TomlFile", "load_pack"]


def load_pack(folder: Path) -> Pack:
    """The pack in ``folder`` (or beside the ``pack.toml`` named), or in a zip.

    Raises :class:`Unreadable` where there is none, :class:`WrongPack` with one problem for each fault.
    """
    folder, files, there = pack_files(folder)
    data = files[PACK_FILE]
    values, lines = parse_toml(data, PACK_FILE)
    toml = TomlFile(PACK_FILE, lines)
    problems = list(check("pack", values, PACK_FILE, lines))
    sheets: dict[str, Spreadsheet | None] = {}
    digest = hashlib.sha256(data)
    for name, required, allowed in (
        ("hexes.csv", ("hex",), HEX_COLUMNS),
        ("lines.csv", ("kind", "path"), LINE_COLUMNS),
        ("units.csv", (), None),
    ):
        sheets[name] = None
        if name in files:
            sheets[name], more = read_sheet(
                folder / name, required=required, allowed=allowed, data=files[name]
            )
            problems.extend(more)
            digest.update(files[name])
    records: tuple[Record, ...] = ()
    vouched = ""
    if PROVENANCE_FILE in files:
        vouching = files[PROVENANCE_FILE]
        records, more = read_provenance(folder / PROVENANCE_FILE, vouching)
        problems.extend(more)
        vouched = hashlib.sha256(vouching).hexdigest()
    counters = sheets["units.csv"]
    if counters is not None and not set(MATCH_COLUMNS) & set(counters.columns):
        message = (
            f"expected a column that says which pieces a row is about: {' or '.join(MATCH_COLUMNS)}"
        )
        problems.append(Problem("pack", message, "units.csv line 1", "error"))
    if problems:
        raise wrong(folder.name, problems)
    pack = pack_of(values, toml, sheets, digest.hexdigest(), folder.name, records)
    return replace(pack, records_sha256=vouched, files=there)


def pack_of(
    values: dict[str, Any],
    toml: TomlFile,
    sheets: Mapping[str, Spreadsheet | None],
    sha256: str,
    folder: str,
    records: tuple[Record, ...] = (),
) -> Pack:
    """The pack made of ``values``, which fit the schema, and the spreadsheets. Raises :class:`WrongPack` for
    names that do not exist; ``toml`` gives their places."""
    pack = replace(_pack(values, toml, sheets, sha256, folder), records=records)
    check_whole(pack, toml)
    if toml.problems:
        raise wrong(folder, toml.problems)
    return pack


def wrong(what: str, problems: list[Problem]) -> WrongPack:
    """The error that carries ``problems``, found in the pack or file ``what``; its text shows the first."""
    ordered = sorted(problems, key=lambda p: [natural_order(p.where), p.message])
    twice = len(ordered) == 1 and ordered[0].where.startswith(what)  # in one line
    return WrongPack.of(ordered, "" if twice else what)


def _pack(
    values: dict[str, Any],
    toml: TomlFile,
    sheets: Mapping[str, Spreadsheet | None],
    sha256: str,
    folder: str,
) -> Pack:
    head, board = values["pack"], values["board"]
    ground = {key: told for key, told in board.items() if key not in ("changes", "recorded")}
    tables, charts = charts_of(values.get("rules", {}))
    return Pack(
        **_PACK.given({"title": head["name"], **ground, **head}),
        fits=_FITS.read(values.get("fits", {})),
        board_name=board.get("name", head.get("title", head["name"])),
        provenance_required=board.get("provenance") == "required",
        relations=read_relations(values.get("relation", ()), toml),
        sheets=tuple(
            read_board_sheet(s, toml, ("board", "sheet", i)) for i, s in enumerate(board["sheet"])
        ),
        boxes=tuple(read_box(b, toml, ("box", i)) for i, b in enumerate(values.get("box", ()))),
        units=read_units(values.get("units", {}), toml),
        phase_sources=tuple(
            read_phase_source(s, toml, ("phases", "from", i))
            for i, s in enumerate(values.get("phases", {}).get("from", ()))
        ),
        phases=PHASES.read({"dice": False, **phase} for phase in values.get("phase", ())),
        forms=read_forms(values.get("form", ()), values.get("phase", ())),
        spent=tuple(
            read_spent(s, toml, ("spent", i)) for i, s in enumerate(values.get("spent", ()))
        ),
        tables=tables,
        charts=charts,
        effort=toml.effort,
        options=values.get("options", {}),
        hexes=sheets["hexes.csv"],
        lines=sheets["lines.csv"],
        counters=sheets["units.csv"],
        sha256=sha256,
        folder=folder,
        values=values,
        names=tuple(names_in_toml(values, toml.lines, toml.file)),
        changes=changes_of(board["changes"]) if "changes" in board else None,
        board_markers=tuple(
            read_board_marker(m, toml, ("board", "marker", i))
            for i, m in enumerate(board.get("marker", ()))
        ),
        recorded=read_recorded(board.get("recorded", {})),
    )


def check_whole(pack: Pack, toml: TomlFile) -> None:
    """Note every fault between the parts of a pack in ``toml``."""
    _names(pack, toml)
    _numbers(pack, toml)
    _records(pack, toml)


def _records(pack: Pack, toml: TomlFile) -> None:
    """Note a fault if a pack has cells that nobody has looked at and does not require records: if the file of
    records were lost, they would count as known."""
    waiting = [record for record in pack.records if not record.is_known]
    if waiting and not pack.provenance_required:
        key = waiting[0].key
        message = (
            f'expected provenance = "required" where {PROVENANCE_FILE} has cells that are suggested, '
            f"imported or filled ({key.cell} {key.layer} …); found none"
        )
        toml.fault(("board",), message)


def _numbers(pack: Pack, toml: TomlFile) -> None:
    """Cells of units.csv that are to be numbers."""
    sheet = pack.counters
    if sheet is None:
        return
    for name, looks in pack.units.attributes.items():
        columns = {look.what.lower() for look in looks if look.kind == "column" and look.number}
        for row in sheet.rows if columns else ():
            for column in columns:
                cell = row.get(column)
                reading = [k for k in looks if k.kind == "column" and k.what.lower() == column]
                if cell.strip() and all(
                    cell_fact(cell, look.map, look.number, "") is None for look in reading
                ):
                    expected = "expected a number, 6|8, 6..8, ? or nothing"
                    message = f"{column}: {expected} ({name}); found {cell}"
                    toml.problems.append(Problem("pack", message, sheet.where(row), "error"))


def _names(pack: Pack, toml: TomlFile) -> None:
    """Names that must exist: forms of phases, columns of units.csv."""
    for index, rule in enumerate(pack.phases.values()):
        for form in rule.forms:
            if form not in pack.forms:
                known = ", ".join(pack.forms) or "none"
                message = f"phase {rule.name}: expected forms with a [[form]] table ({known}); found {form}"
                toml.fault(("phase", index, "forms"), message)
    columns = pack.counters.columns if pack.counters else ()
    lookups: list[tuple[Path_, Lookup]] = [(("units", "side"), look) for look in pack.units.side]
    for name, looks in pack.units.attributes.items():
        lookups.extend((("units", "attributes", name), look) for look in looks)
    units = pack.units
    asked = [
        (path, look.what.lower(), look.what) for path, look in lookups if look.kind == "column"
    ]
    for key, selectors in (("are", units.are), ("not", units.excluded), ("markers", units.markers)):
        asked += [
            (("units", key, i, "column"), s.column, s.column)
            for i, s in enumerate(selectors)
            if s.column is not None
        ]
    asked += [
        (("board", "marker", i, "column"), m.what.column, m.what.column)
        for i, m in enumerate(pack.board_markers)
        if m.what.column is not None
    ]
    for path, column, said in asked:
        if column not in columns:
            known = ", ".join(columns) or "no units.csv"
            toml.fault(path, f"expected a column of units.csv ({known}); found {said}")


UNITED = ("complete", "links", "barriers", "relation")
"""Lists that an amendment adds to; other lists take the place of the pack's."""


def amended(pack: Pack, facts: Facts) -> Pack:
    """``pack`` with the facts' amendments. :class:`WrongPack` names the line of the facts that does not
    fit."""
    for amendment in facts.amendments:
        values = merged(pack.values, amendment.values)
        where = amendment.source
        problems = [replace(problem, where=where) for problem in check("pack", values, "", {})]
        if problems:
            raise wrong(facts.file, problems)
        names = (*pack.names, *names_in_toml(amendment.values, {}, where))
        pack = replace(with_values(pack, values, where), names=names)
    return pack


def with_values(pack: Pack, values: Mapping[str, Any], where: str) -> Pack:
    """``pack`` with other ``values`` in place of those of its ``pack.toml``, which fit the schema; ``where``
    names them in messages. Raises :class:`WrongPack` for names that do not exist."""
    sheets = {"hexes.csv": pack.hexes, "lines.csv": pack.lines, "units.csv": pack.counters}
    toml = TomlFile(where, {})
    made = pack_of(dict(values), toml, sheets, pack.sha256, pack.folder, pack.records)
    return replace(made, records_sha256=pack.records_sha256, files=pack.files)


def merged(values: Mapping[str, Any], more: Mapping[str, Any]) -> dict[str, Any]:
    """``values`` of a pack with ``more`` in them, table by table. Tables of a list that have a name
    (``[[phase]]``, ``[[form]]``) go into the table of that name; neither argument is changed."""
    result = dict(values)
    for key, value in more.items():
        result[key] = _merged_entry(key, result.get(key), value)
    return result


def _merged_entry(key: str, held: Any, value: Any) -> Any:
    if isinstance(value, Mapping) and isinstance(held, Mapping):
        return merged(held, value)
    if isinstance(value, list) and isinstance(held, list):
        if key in UNITED:
            return [*held, *(one for one in value if one not in held)]
        if _all_named(held) and _all_named(value):
            named = {one["name"]: one for one in held}
            for one in value:
                named[one["name"]] = merged(named.get(one["name"], {}), one)
            return list(named.values())
    return value


def _all_named(entries: list[Any]) -> bool:
    return all(isinstance(one, Mapping) and "name" in one for one in entries)
