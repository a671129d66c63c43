"""Read a pack's folder: ``pack.toml`` and its spreadsheets, every fault as one line."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from difflib import get_close_matches
from pathlib import Path
from typing import Any

from ...model.game import MovementForm, PhaseRule
from ...model.names import natural_order
from ...model.plain import value_of
from ...model.problem import Problem, WrongPack
from ...model.provenance import Record
from ...model.relations import Relation, disagreements, relations_of
from .charts import charts_of
from .files import FILES, PACK_FILE, pack_files
from .pack import (
    ASPECTS,
    BoardMarker,
    BoardSheet,
    Box,
    Change,
    Fits,
    Lookup,
    Pack,
    PhaseSource,
    Recorded,
    Selector,
    SpentSource,
    Units,
)
from .provenance import FILE as PROVENANCE_FILE
from .provenance import read_provenance
from .spreadsheet import Sheet as Spreadsheet
from .spreadsheet import read_sheet
from .toml_file import TomlFile
from .toml_names import names_in_toml
from .toml_text import Path_, check, parse_toml
from .whole import check_whole

HEX_COLUMNS = ("hex", "terrain", "level", "features", "told", "sheet")
LINE_COLUMNS = ("kind", "path", "name", "junctions", "sheet", "there")
MATCH_COLUMNS = ("id", "gpid", "image", "name")
"""The columns of units.csv that say which pieces a row is about."""

__all__ = ["FILES", "PACK_FILE", "TomlFile", "load_pack"]

RECORDED_KINDS = {"hex": "terrain", "hexside": "hexsides", "line": "lines"}
"""The kinds of the module's own terrain, and the tables of ``[board.recorded]`` that translate them."""
UNITS = "units"
"""On the list ``complete`` of ``[units]``: every unit of the game fits one of ``[[units.are]]``."""
MOVERS = ("active", "inactive", "both")
"""Who moves in a phase in which somebody does."""

_LOOKUPS = ("property", "layer", "marker", "name", "image", "column", "value")
_PATTERNS = ("marker", "name", "image")
_PHASE_KINDS = ("turn_tracker", "chat", "marker", "global")


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
        relations=_relations(values.get("relation", ()), toml),
        sheets=tuple(
            _board_sheet(s, toml, ("board", "sheet", i)) for i, s in enumerate(board["sheet"])
        ),
        links=tuple((a, b) for a, b in board.get("links", ())),
        barriers=tuple((a, b) for a, b in board.get("barriers", ())),
        boxes=tuple(_box(b, toml, ("box", i)) for i, b in enumerate(values.get("box", ()))),
        units=_units(values.get("units", {}), toml),
        phase_sources=tuple(
            _phase_source(s, toml, ("phases", "from", i))
            for i, s in enumerate(values.get("phases", {}).get("from", ()))
        ),
        phases={p["name"]: _phase(p) for p in values.get("phase", ())},
        forms={f["name"]: _form(f, values.get("phase", ())) for f in values.get("form", ())},
        spent=tuple(_spent(s, toml, ("spent", i)) for i, s in enumerate(values.get("spent", ()))),
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
            _board_marker(m, toml, ("board", "marker", i))
            for i, m in enumerate(board.get("marker", ()))
        ),
        recorded=_recorded(board.get("recorded", {})),
    )


def changes_of(plain: Any) -> tuple[Change, ...]:
    """What may change on a board, by the value of ``changes``: "none", or a list of names and tables."""
    if plain == "none":
        return ()
    entries = [{"feature": entry} if isinstance(entry, str) else entry for entry in plain]
    return tuple(
        Change(
            entry["feature"],
            entry.get("may", "go") == "go",
            entry.get("may", "come") == "come",
            frozenset(entry.get("on", ())),
        )
        for entry in entries
    )


def _relations(plain: Sequence[dict[str, Any]], toml: TomlFile) -> tuple[Relation, ...]:
    relations = relations_of(plain)
    for index, (a, b) in disagreements(relations):
        message = f"expected what agrees with the [[relation]]s before it on {a} and {b}"
        toml.fault(("relation", index), f"{message}; found {relations[index].are}")
    return relations


def _recorded(plain: Any) -> Recorded:
    """How the module's own terrain is read: "none", or a table."""
    if plain == "none":
        return Recorded(used=False)
    names = {
        kind: {
            name: (words,) if isinstance(words, str) else tuple(words)
            for name, words in plain.get(key, {}).items()
        }
        for kind, key in RECORDED_KINDS.items()
    }
    return Recorded(True, names, plain.get("level"), frozenset(plain.get("complete", ())))


_WHICH = ("name", "gpid", "id", "property", "column", "values", "image", "listed")
"""The keys of a table that say which pieces it is about."""


def _board_marker(plain: dict[str, Any], toml: TomlFile, path: Path_) -> BoardMarker:
    at = plain.get("at", "hex")
    what = _selector({key: plain[key] for key in _WHICH if key in plain}, toml, path)
    for key in ("terrain", "level") if at == "hexside" else ("on", "towards"):
        if key in plain:
            other = "hex" if at == "hexside" else "hexside"
            toml.fault((*path, key), f'expected {key} beside at = "{other}" only')
    if not {"removes", "adds", "terrain", "level"} & plain.keys():
        toml.fault(path, "expected removes, adds, terrain or level: what the marker changes")
    removes, adds, on = (tuple(plain.get(key, ())) for key in ("removes", "adds", "on"))
    told = plain.get("terrain", ())
    reads: tuple[Lookup, ...] = ()
    if isinstance(told, dict):
        told, reads = (), _lookups(told, toml, (*path, "terrain"))
        if any(look.kind == "marker" for look in reads):
            toml.fault((*path, "terrain"), "expected what the piece itself tells; found marker")
    towards = _lookups(plain["towards"], toml, (*path, "towards")) if "towards" in plain else ()
    return BoardMarker(what, at, removes, adds, on, tuple(told), reads, plain.get("level"), towards)


def _board_sheet(sheet: dict[str, Any], toml: TomlFile, path: Path_) -> BoardSheet:
    columns, rows = sheet.get("offset", (0, 0))
    pattern = toml.pattern(sheet.get("hex"), (*path, "hex"))
    return BoardSheet(
        map=sheet["map"],
        board=sheet.get("board"),
        name=sheet.get("name", sheet["map"]),
        prefix=sheet.get("prefix", ""),
        hex=pattern,
        offset=(columns, rows),
        numbers=sheet.get("numbers", {}),
    )


def _box(box: dict[str, Any], toml: TomlFile, path: Path_) -> Box:
    zone = toml.pattern(box.get("zone"), (*path, "zone"))
    location = toml.pattern(box.get("location"), (*path, "location"))
    return Box(box["map"], zone, location, box.get("name", ""))


def _units(units: dict[str, Any], toml: TomlFile) -> Units:
    def selectors(key: str) -> tuple[Selector, ...]:
        tables = units.get(key, ())
        return tuple(_selector(s, toml, ("units", key, i)) for i, s in enumerate(tables))

    told = units.get("attributes", {})
    complete = frozenset(units.get("complete", ()))
    for name in sorted(complete - {*told, UNITS}):
        near = get_close_matches(name, told, n=1)
        meant = f" (did you mean {near[0]}?)" if near else ""
        known = ", ".join(told) or "there is none"
        toml.fault(
            ("units", "complete"), f"expected attributes of the pack ({known}){meant}; found {name}"
        )
    attributes = {
        name: _whole(_lookups(plain, toml, ("units", "attributes", name)), plain, name in complete)
        for name, plain in told.items()
    }
    side = _lookups(units["side"], toml, ("units", "side")) if "side" in units else ()
    return Units(
        selectors("are"),
        selectors("not"),
        selectors("markers"),
        side,
        attributes,
        whole=UNITS in complete,
    )


def _selector(plain: dict[str, Any], toml: TomlFile, path: Path_) -> Selector:
    def texts(key: str) -> frozenset[str] | None:
        return frozenset(plain[key]) if key in plain else None

    read = [key for key in ("property", "column") if key in plain]
    if "values" in plain and not read:
        toml.fault((*path, "values"), "expected values beside property or column; found neither")
    if len(read) > 1:
        toml.fault((*path, "column"), "expected property or column, one of them; found both")
    return Selector(
        name=toml.pattern(plain.get("name"), (*path, "name")),
        gpid=texts("gpid"),
        id=texts("id"),
        property=plain.get("property"),
        column=plain["column"].lower() if "column" in plain else None,
        values=texts("values"),
        image=toml.pattern(plain.get("image"), (*path, "image")),
        listed=plain.get("listed"),
    )


def _lookups(plain: Any, toml: TomlFile, path: Path_) -> tuple[Lookup, ...]:
    if isinstance(plain, dict):
        return _lookup(plain, toml, path)
    return tuple(look for i, p in enumerate(plain) for look in _lookup(p, toml, (*path, i)))


def _whole(looks: tuple[Lookup, ...], plain: Any, complete: bool) -> tuple[Lookup, ...]:
    """Lookups of an attribute. The constant at the end of a list stands for whoever nothing was found of:
    one that units.csv says nothing of may only not be written down yet, unless it is ``complete``."""
    if complete or isinstance(plain, dict) or not looks or looks[-1].kind != "value":
        return looks
    before = looks[:-1]
    if before and all(look.kind != "column" for look in before):
        return looks
    return (*before, replace(looks[-1], sure=False))


def _lookup(plain: dict[str, Any], toml: TomlFile, path: Path_) -> tuple[Lookup, ...]:
    kinds = [kind for kind in _LOOKUPS if kind in plain]
    fixed_marker = sorted(kinds) == ["marker", "value"]
    if len(kinds) != 1 and not fixed_marker:
        found = " and ".join(kinds) if kinds else "none of them"
        toml.fault(path, f"expected one of {', '.join(_LOOKUPS)}; found {found}")
        return ()
    kind = "marker" if fixed_marker else kinds[0]
    if "where" in plain and kind != "marker":
        toml.fault((*path, "where"), f"expected where beside marker only; found it beside {kind}")
    if kind == "layer" and "map" not in plain and not plain.get("number", False):
        toml.fault(
            path, "expected beside layer a map of its levels, or number = true; found neither"
        )
    pattern = toml.pattern(plain[kind], (*path, kind)) if kind in _PATTERNS else None
    return (
        Lookup(
            kind=kind,  # type: ignore[arg-type]  # one of _LOOKUPS
            what="" if kind == "value" else str(plain[kind]),
            pattern=pattern,
            value=value_of(plain["value"]) if "value" in plain else None,
            where=plain.get("where", "stack"),
            map={k: value_of(v) for k, v in plain["map"].items()} if "map" in plain else None,
            number=plain.get("number", False),
            sure=plain.get("sure", True),
        ),
    )


def _phase_source(plain: dict[str, Any], toml: TomlFile, path: Path_) -> PhaseSource:
    kinds = [kind for kind in _PHASE_KINDS if kind in plain]
    if len(kinds) != 1:
        found = " and ".join(kinds) if kinds else "none of them"
        toml.fault(path, f"expected one of {', '.join(_PHASE_KINDS)}; found {found}")
        return PhaseSource("global", "", None)
    kind = kinds[0]
    key = "chat" if kind == "chat" else "pattern"
    pattern = toml.pattern(plain.get(key), (*path, key))
    if pattern is None or not set(pattern.names) & set(ASPECTS):
        toml.fault(
            (*path, key),
            f"expected a {key} with one of the groups (?P<turn>…), (?P<phase>…), (?P<active>…)",
        )
    piece = toml.pattern(plain["marker"], (*path, "marker")) if kind == "marker" else None
    return PhaseSource(
        kind=kind,  # type: ignore[arg-type]  # one of _PHASE_KINDS
        what=plain[kind],
        pattern=pattern,
        piece=piece,
        certain=plain.get("certain", False),
        translate=plain.get("translate", {}),
    )


def _phase(plain: dict[str, Any]) -> PhaseRule:
    return PhaseRule(
        name=plain["name"],
        movers=plain.get("movers", "unknown"),
        forms=tuple(plain.get("forms", ())),
        complete=plain.get("complete", False),
        complete_for=tuple(plain.get("complete_for", ())),
        dice=plain.get("dice", False),
    )


def _form(plain: dict[str, Any], phases: Iterable[Mapping[str, Any]]) -> MovementForm:
    """A movement form. If the pack does not say whether it is judged, it is judged if units move by it in one
    of ``phases``."""
    units = {name: tuple(values) for name, values in plain.get("units", {}).items()}
    name = plain["name"]
    moved_by = any(
        name in phase.get("forms", ()) and phase.get("movers", "none") in MOVERS for phase in phases
    )
    return MovementForm(name, plain.get("judged", moved_by), units)


def _spent(plain: dict[str, Any], toml: TomlFile, path: Path_) -> SpentSource:
    chat = toml.pattern(plain.get("chat"), (*path, "chat"))
    if ("property" in plain) == (chat is not None):
        toml.fault(path, "expected property or chat, one of them")
    if chat is not None and "amount" not in chat.names:
        toml.fault((*path, "chat"), "expected a pattern with the group (?P<amount>…)")
    return SpentSource(plain.get("property"), plain.get("counts", "up"), chat)
