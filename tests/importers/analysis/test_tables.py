"""Tables and documents of real logs: complete, and no more than the reader may see."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest
from vassal_umpire.importers.analysis.columns import TABLES
from vassal_umpire.importers.analysis.document import (
    document,
    encode,
    parse_document,
    write_document,
)
from vassal_umpire.importers.analysis.records import plain_module, plain_table
from vassal_umpire.importers.analysis.tables import rows
from vassal_umpire.importers.vassal.buildfile import open_module
from vassal_umpire.importers.vassal.continuity import gaps_between
from vassal_umpire.importers.vassal.layout import MapLayout, lay_out
from vassal_umpire.importers.vassal.module import Module
from vassal_umpire.importers.vassal.replay import replay_log
from vassal_umpire.importers.vassal.roster import Roster
from vassal_umpire.importers.vassal.savefile import SaveFile, read_save
from vassal_umpire.model.table import TableHistory
from vassal_umpire.model.viewer import DIRECTOR, EVERYONE, Viewer

DRILL = Path(__file__).parents[1] / "pack" / "drill"
RED_INF_1, RED_INF_3 = "1795262786534", "1795262786559"


@pytest.fixture(scope="module")
def module() -> Module:
    return open_module(DRILL / "drill.vmod")


@pytest.fixture(scope="module")
def layouts(module: Module) -> dict[str, MapLayout]:
    laid = lay_out(module.maps)
    return {a_map.identifier: laid[a_map.id] for a_map in module.maps}


@pytest.fixture(scope="module")
def saves() -> list[SaveFile]:
    return [read_save(DRILL / f"{name}.vlog") for name in ("drill-1-red", "drill-2-blue")]


@pytest.fixture(scope="module")
def history(module: Module, saves: list[SaveFile]) -> TableHistory:
    roster = Roster()
    logs = tuple(replay_log(s, module, roster=roster, log=i) for i, s in enumerate(saves, 1))
    return TableHistory(logs, gaps_between(logs))


def table(history: TableHistory, name: str, viewer: Viewer) -> list[dict[str, Any]]:
    return [record for found, record in rows(history, None, None, viewer) if found == name]


def player_ids(save: SaveFile) -> set[str]:
    """The ids, which are passwords, of all who ever sat at the table."""
    texts = [*save.opening, *(leaf for step in save.steps for leaf in step.leaves)]
    return {text.split("\t")[1] for text in texts if text.startswith("PLAYER\t")} - {""}


# -- what is in them -------------------------------------------------------------------------------


def test_the_document_is_valid_and_comes_back(
    history: TableHistory, module: Module, layouts: dict[str, MapLayout], tmp_path: Path
) -> None:
    plain = document(module=plain_module(module, layouts), table=plain_table(history, EVERYONE))
    write_document(plain, tmp_path / "game.json")
    assert parse_document((tmp_path / "game.json").read_bytes(), "game.json") == plain
    assert [m["name"] for m in plain["module"]["maps"]] == [m.name for m in module.maps]


def test_who_did_a_step_in_which_turn_and_whether_it_was_taken_back_stands_with_each_displacement(
    history: TableHistory,
) -> None:
    steps = {(r["log"], r["step"]): r for r in table(history, "steps", EVERYONE)}
    moved = table(history, "displacements", EVERYONE)
    assert len(moved) > 40
    for row in moved:
        of = steps[row["log"], row["step"]]
        for name in ("player", "side", "turn", "taken_back"):
            assert row[name] == of[name]
    assert {row["side"] for row in moved} == {"Red", "Blue"}
    turns = {(r["log"], r["step"]): r["new_value"] for r in table(history, "turns", EVERYONE)}
    shown = ""
    for at, row in sorted({**dict.fromkeys(turns), **steps}.items()):
        shown = turns.get(at, shown)
        assert row is None or row["turn"] == shown
    back = {at for at, row in steps.items() if row["taken_back"]}
    assert (1, 32) in back, "step 33 undoes it"
    assert len(back) < 10


def test_every_column_that_is_declared_is_filled(
    history: TableHistory, module: Module, layouts: dict[str, MapLayout]
) -> None:
    """So none is misspelt where its rows are made."""
    filled: dict[str, set[str]] = {name: set() for name in TABLES}
    for name, row in rows(history, module, layouts, DIRECTOR, ["odd"]):
        filled[name] |= {column for column, value in row.items() if value is not None}
    empty = {
        name: [c.name for c in columns if c.name not in filled[name]]
        for name, columns in TABLES.items()
    }
    assert {name: columns for name, columns in empty.items() if columns} == EMPTY


EMPTY = {
    "maps": ["owners"],
    "terrain": [column.name for column in TABLES["terrain"]],
    **{name: ["stored_name"] for name in ("pieces", "properties", "stacks")},
    "displacements": ["stored_name", "why"],
    "problems": ["log", "step"],
}
"""The columns that this module and these logs have nothing for."""


# -- fog of war ------------------------------------------------------------------------------------


def test_a_hidden_piece_is_not_there(history: TableHistory) -> None:
    """Red Inf 1 is hidden in step 2, moves in 3 to 5, and is shown in step 6."""
    during = range(3, 6)
    for viewer, seen in (
        (EVERYONE, False),
        (Viewer("Blue"), False),
        (Viewer("Red"), True),
        (DIRECTOR, True),
    ):
        steps = {r["step"] for r in table(history, "displacements", viewer)
                 if r["log"] == 1 and r["step"] in during}  # fmt: skip
        assert steps == (set(during) if seen else set()), viewer
        properties = [r for r in table(history, "properties", viewer)
                      if r["log"] == 1 and r["step"] in range(2, 7) and r["piece"] == RED_INF_1]  # fmt: skip
        assert bool(properties) is seen, viewer


def test_a_masked_piece_has_neither_name_nor_id(history: TableHistory) -> None:
    """Red Inf 3 is masked in step 11 of the first log and stays so."""
    for viewer, known in (
        (EVERYONE, False),
        (Viewer("Blue"), False),
        (Viewer("Red"), True),
        (DIRECTOR, True),
    ):
        later = [r for name in ("pieces", "displacements", "properties") for r in table(history, name, viewer)
                 if r["log"] == 2]  # fmt: skip
        text = json.dumps(later)
        assert (RED_INF_3 in text) is known, viewer
        assert ("Red Inf 3" in text) is known, viewer
        assert any(r["name"] == "Red unit" or "Red Inf 3" in r["name"] for r in later)


def test_what_is_in_a_deck_is_counted_only(history: TableHistory) -> None:
    everyone = table(history, "pieces", EVERYONE)
    assert not [r for r in everyone if r.get("holder_kind") == "deck"]
    in_deck = [r for r in table(history, "pieces", DIRECTOR) if r.get("holder_kind") == "deck"]
    decks = table(history, "decks", EVERYONE)
    assert sum(r["cards"] for r in decks) == len(in_deck) > 0


@pytest.mark.parametrize("viewer", [EVERYONE, Viewer("Red"), DIRECTOR])
def test_no_player_id_gets_out(
    saves: list[SaveFile], history: TableHistory, module: Module, viewer: Viewer
) -> None:
    ids = set().union(*(player_ids(save) for save in saves))
    assert len(ids) >= 2
    _no_ids(encode(document(module=plain_module(module), table=plain_table(history, viewer))), ids)


def _no_ids(data: bytes, ids: set[str]) -> None:
    """A failure tells how many got out, never which."""
    text = json.dumps(json.loads(data), ensure_ascii=False)
    names = set(re.findall(r'"name": "([^"]*)"', text))
    out = [i for i in ids if i not in names and re.search(rf"(?<!\w){re.escape(i)}(?!\w)", text)]
    count = len(out)
    assert count == 0
