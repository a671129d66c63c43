"""Read a pack's folder: ``pack.toml`` and its spreadsheets, every fault as one line."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from ...model.names import natural_order
from ...model.problem import Problem, WrongPack
from ...model.provenance import Record
from .charts import charts_of
from .files import FILES, PACK_FILE, pack_files
from .pack import Fits, Pack
from .pack_tables import (
    changes_of,
    read_board_marker,
    read_board_sheet,
    read_box,
    read_form,
    read_phase,
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
from .toml_file import TomlFile
from .toml_names import names_in_toml
from .toml_text import check, parse_toml
from .whole import check_whole

HEX_COLUMNS = ("hex", "terrain", "level", "features", "told", "sheet")
LINE_COLUMNS = ("kind", "path", "name", "junctions", "sheet", "there")
MATCH_COLUMNS = ("id", "gpid", "image", "name")
"""The columns of units.csv that say which pieces a row is about."""

__all__ = ["FILES", "PACK_FILE", "TomlFile", "load_pack"]


def load_pack(folder: Path) -> Pack:
    """The pack in ``folder`` (or beside the ``pack.toml`` named), or in a zip (:mod:`.zipped`).

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
        message = f"expected a column that says which pieces a row is about: {_or(MATCH_COLUMNS)}"
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
    """The pack that ``values``, which fit the schema, and the spreadsheets make. Raises
    :class:`WrongPack` for names that there are not; ``toml`` says where they stand."""
    pack = replace(_pack(values, toml, sheets, sha256, folder), records=records)
    check_whole(pack, toml)
    if toml.problems:
        raise wrong(folder, toml.problems)
    return pack


def wrong(what: str, problems: list[Problem]) -> WrongPack:
    """The error that carries ``problems``, found in the pack or file ``what``; its text shows the first."""
    ordered = sorted(problems, key=lambda p: [natural_order(p.where), p.message])
    more = f" (and {len(ordered) - 1:,} more)" if len(ordered) > 1 else ""
    where = "" if not more and ordered[0].where.startswith(what) else what  # not twice in a line
    return WrongPack(f"{ordered[0]}{more}", tuple(ordered), where=where)


def _or(words: tuple[str, ...]) -> str:
    return " or ".join(words)


def _pack(
    values: dict[str, Any],
    toml: TomlFile,
    sheets: Mapping[str, Spreadsheet | None],
    sha256: str,
    folder: str,
) -> Pack:
    head, board = values["pack"], values["board"]
    fits = values.get("fits", {})
    tables, charts = charts_of(values.get("rules", {}))
    return Pack(
        name=head["name"],
        version=head["version"],
        title=head.get("title", head["name"]),
        ruleset=head["ruleset"],
        off=tuple(head.get("off", ())),
        vouched_by=head.get("vouched_by", ""),
        assumes=tuple(head.get("assumes", ())),
        power=head.get("power", ""),
        fits=Fits(tuple(fits.get("modules", ())), tuple(fits.get("versions", ()))),
        board_name=board.get("name", head.get("title", head["name"])),
        complete=frozenset(board.get("complete", ())),
        provenance_required=board.get("provenance") == "required",
        sides=tuple(board.get("sides", ())),
        relations=read_relations(values.get("relation", ()), toml),
        sheets=tuple(
            read_board_sheet(s, toml, ("board", "sheet", i)) for i, s in enumerate(board["sheet"])
        ),
        links=tuple((a, b) for a, b in board.get("links", ())),
        barriers=tuple((a, b) for a, b in board.get("barriers", ())),
        boxes=tuple(read_box(b, toml, ("box", i)) for i, b in enumerate(values.get("box", ()))),
        units=read_units(values.get("units", {}), toml),
        phase_sources=tuple(
            read_phase_source(s, toml, ("phases", "from", i))
            for i, s in enumerate(values.get("phases", {}).get("from", ()))
        ),
        phases={p["name"]: read_phase(p) for p in values.get("phase", ())},
        forms={f["name"]: read_form(f, values.get("phase", ())) for f in values.get("form", ())},
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
