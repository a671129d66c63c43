"""The tables of ``pack.toml`` as values, each checked for what the schema cannot say."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from difflib import get_close_matches
from typing import Any

from ...model.codec import ITSELF, Codecs
from ...model.game import MovementForm
from ...model.plain import value_of
from ...model.relations import Relation, disagreements, relations_of
from ..analysis.game_json import FORMS
from .pack import (
    ASPECTS,
    BoardMarker,
    BoardSheet,
    Box,
    Change,
    Lookup,
    PhaseSource,
    Recorded,
    Selector,
    SpentSource,
    Units,
)
from .toml_text import Path_, TomlFile

RECORDED_KINDS = {"hex": "terrain", "hexside": "hexsides", "line": "lines"}
"""The kinds of the module's own terrain, and the tables of ``[board.recorded]`` that translate them."""
UNITS = "units"
"""On the list ``complete`` of ``[units]``: every unit of the game fits one of ``[[units.are]]``."""
MOVERS = ("active", "inactive", "both")
"""The sides that may move in a phase, if any."""

_LOOKUPS = ("property", "layer", "marker", "name", "image", "column", "value")
_PATTERNS = ("marker", "name", "image")
_PHASE_KINDS = ("turn_tracker", "chat", "marker", "global")


_SHEET, _SELECTOR, _MARKER, _SOURCE = (
    Codecs({}).table(kind) for kind in (BoardSheet, Selector, BoardMarker, PhaseSource)
)
_LOOKUP = Codecs({}).table(Lookup, parts=dict.fromkeys(("value", "map"), ITSELF))

COMPLETE, NONE = "complete", "none"
"""How ``[rules]`` marks charts: the key that lists complete ones, and the value of a chart that is empty."""


def charts_of(rules: Mapping[str, Any]) -> tuple[dict[str, Any], frozenset[str]]:
    """The tables, and the names of the complete charts: those that ``complete`` lists, and those
    written as ``zoc = "none"``, which are in no table."""
    absent = {name for name, value in rules.items() if value == NONE}
    tables = {k: v for k, v in rules.items() if k != COMPLETE and k not in absent}
    return tables, frozenset((*absent, *rules.get(COMPLETE, ())))


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


def read_relations(plain: Sequence[dict[str, Any]], toml: TomlFile) -> tuple[Relation, ...]:
    """The relations of the sides."""
    relations = relations_of(plain)
    for index, (a, b) in disagreements(relations):
        message = (
            f"expected a relation that agrees with the [[relation]]s above it about {a} and {b}"
        )
        toml.fault(("relation", index), f"{message}; found {relations[index].are}")
    return relations


def read_recorded(plain: Any) -> Recorded:
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


def read_board_marker(plain: dict[str, Any], toml: TomlFile, path: Path_) -> BoardMarker:
    """What a kind of piece on the board changes, from a table of ``[[board.marker]]``."""
    at = plain.get("at", "hex")
    what = _selector(plain, toml, path)
    for key in ("terrain", "level") if at == "hexside" else ("on", "towards"):
        if key in plain:
            other = "hex" if at == "hexside" else "hexside"
            toml.fault((*path, key), f'expected {key} only beside at = "{other}"')
    if not {"removes", "adds", "terrain", "level"} & plain.keys():
        toml.fault(path, "expected removes, adds, terrain or level: what the marker changes")
    told = plain.get("terrain", ())
    reads: tuple[Lookup, ...] = ()
    if isinstance(told, dict):
        told, reads = (), _lookups(told, toml, (*path, "terrain"))
        if any(look.kind == "marker" for look in reads):
            toml.fault(
                (*path, "terrain"), "expected something that the piece itself shows; found marker"
            )
    towards = _lookups(plain["towards"], toml, (*path, "towards")) if "towards" in plain else ()
    own = {"what": what, "terrain": told, "reads": reads, "towards": towards}
    marker: BoardMarker = _MARKER.read({**plain, **own})
    return marker


def read_board_sheet(sheet: dict[str, Any], toml: TomlFile, path: Path_) -> BoardSheet:
    """A map that is played on, from a table of ``[[board.sheet]]``."""
    read: BoardSheet = _SHEET.read({"name": sheet["map"], **toml.compiled(sheet, path, "hex")})
    return read


def read_box(box: dict[str, Any], toml: TomlFile, path: Path_) -> Box:
    """Places off the board, from a table of ``[[box]]``."""
    return Box(**toml.compiled(box, path, "zone", "location"))


def read_units(units: dict[str, Any], toml: TomlFile) -> Units:
    """Which pieces are units, and where sides and attributes are read, from ``[units]``."""

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
    read = [key for key in ("property", "column") if key in plain]
    if "values" in plain and not read:
        toml.fault((*path, "values"), "expected values beside property or column; found neither")
    if len(read) > 1:
        toml.fault((*path, "column"), "expected property or column, one of them; found both")
    column = {"column": plain["column"].lower()} if "column" in plain else {}
    made: Selector = _SELECTOR.read({**toml.compiled(plain, path, "name", "image"), **column})
    return made


def _lookups(plain: Any, toml: TomlFile, path: Path_) -> tuple[Lookup, ...]:
    if isinstance(plain, dict):
        return _lookup(plain, toml, path)
    return tuple(look for i, p in enumerate(plain) for look in _lookup(p, toml, (*path, i)))


def _whole(looks: tuple[Lookup, ...], plain: Any, complete: bool) -> tuple[Lookup, ...]:
    """Lookups of an attribute. The constant at the end of a list is for pieces without another value. It is
    not sure for pieces that units.csv does not name, unless that is ``complete``: they may only be
    missing."""
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
        toml.fault((*path, "where"), f"expected where only beside marker; found it beside {kind}")
    if kind == "layer" and "map" not in plain and not plain.get("number", False):
        toml.fault(
            path, "expected beside layer a map of its levels, or number = true; found neither"
        )
    pattern = toml.pattern(plain[kind], (*path, kind)) if kind in _PATTERNS else None
    own = {
        "kind": kind,
        "what": "" if kind == "value" else str(plain[kind]),
        "pattern": pattern,
        "value": value_of(plain["value"]) if "value" in plain else None,
        "map": {k: value_of(v) for k, v in plain["map"].items()} if "map" in plain else None,
    }
    return (_LOOKUP.read({**plain, **own}),)


def read_phase_source(plain: dict[str, Any], toml: TomlFile, path: Path_) -> PhaseSource:
    """A source of turn, phase and side, from a table of ``[[phases.from]]``."""
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
    own = {"kind": kind, "what": plain[kind], "pattern": pattern, "piece": piece}
    source: PhaseSource = _SOURCE.read({**plain, **own})
    return source


def read_forms(
    plain: Iterable[Mapping[str, Any]], phases: Iterable[Mapping[str, Any]]
) -> Mapping[str, MovementForm]:
    """The movement forms. If the pack does not say whether one is judged, it is judged if units move by it in
    one of ``phases``."""
    moving = (phase for phase in phases if phase.get("movers", "none") in MOVERS)
    moved_by = {name for phase in moving for name in phase.get("forms", ())}
    forms: Mapping[str, MovementForm] = FORMS.read(
        {"judged": form["name"] in moved_by, **form} for form in plain
    )
    return forms


def read_spent(plain: dict[str, Any], toml: TomlFile, path: Path_) -> SpentSource:
    """Where players declare MPs, from a table of ``[[spent]]``."""
    found = SpentSource(**toml.compiled(plain, path, "chat"))
    if (found.property is None) == (found.chat is None):
        toml.fault(path, "expected property or chat, one of them")
    if found.chat is not None and "amount" not in found.chat.names:
        toml.fault((*path, "chat"), "expected a pattern with the group (?P<amount>…)")
    return found
