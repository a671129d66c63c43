"""What a schema lets somebody write is read: each of its keys is a field of the value that is made of it, and
the words that a key may have are those of the field."""

from __future__ import annotations

from dataclasses import fields
from typing import Any, Literal, get_args, get_origin, get_type_hints

import pytest
from vassal_umpire.importers.cases.case import Expectation
from vassal_umpire.importers.game_folder.folder import GameFolder, GameLog, Ruling
from vassal_umpire.importers.pack.facts import (
    DeclaredCondition,
    DeclaredHex,
    DeclaredHexside,
    DeclaredLine,
    DeclaredPhase,
    DeclaredUnit,
)
from vassal_umpire.importers.pack.pack import (
    BoardMarker,
    BoardSheet,
    Box,
    Fits,
    Pack,
    Selector,
    SpentSource,
)
from vassal_umpire.model import schemas

SPAN = "log steps first last"
WHICH = " ".join(field.name for field in fields(Selector))


@pytest.mark.parametrize(
    ("schema", "place", "kind", "otherwise"),
    [
        ("pack", "pack", Pack, ""),
        ("pack", "fits", Fits, ""),
        ("pack", "board", Pack, "name provenance sheet marker checked"),
        ("pack", "board sheet", BoardSheet, ""),
        ("pack", "board marker", BoardMarker, WHICH),
        ("pack", "box", Box, ""),
        ("pack", "units are", Selector, ""),
        ("pack", "spent", SpentSource, ""),
        ("facts", "phase", DeclaredPhase, SPAN),
        ("facts", "condition", DeclaredCondition, f"{SPAN} value"),
        ("facts", "displacement", DeclaredCondition, f"{SPAN} form"),
        ("facts", "unit", DeclaredUnit, SPAN),
        ("facts", "hex", DeclaredHex, SPAN),
        ("facts", "hexside", DeclaredHexside, SPAN),
        ("facts", "line", DeclaredLine, SPAN),
        ("case", "case expect", Expectation, ""),
        ("game", "game", GameFolder, ""),
        ("game", "log", GameLog, "differs"),
        ("game", "ruling", Ruling, ""),
    ],
)
def test_each_key_is_a_field(schema: str, place: str, kind: Any, otherwise: str) -> None:
    plain = schemas.load(schema)

    def inside(part: Any) -> Any:
        named = plain["$defs"][part["$ref"].rpartition("/")[2]] if "$ref" in part else part
        return inside(named["items"]) if "items" in named else named

    part = plain
    for key in place.split():
        part = inside(part["properties"][key])
    read = {field.name for field in fields(kind)} | set(otherwise.split())
    assert set(part["properties"]) <= read
    for key, kinds in get_type_hints(kind).items():
        words = inside(part["properties"].get(key, {})).get("enum")
        if words and get_origin(kinds) is Literal:
            assert set(words) == set(get_args(kinds)), key
