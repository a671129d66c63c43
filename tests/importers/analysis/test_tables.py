"""Tables and documents of real logs: complete, and no more than the reader may see."""

from __future__ import annotations

import json
import re
from collections import defaultdict
from collections.abc import Callable
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from vassal_umpire.importers.analysis.columns import TABLES
from vassal_umpire.importers.analysis.document import document, encode, parse_document
from vassal_umpire.importers.analysis.game_json import game_of
from vassal_umpire.importers.analysis.records import plain_module, plain_table
from vassal_umpire.importers.analysis.tables import rows
from vassal_umpire.importers.vassal.layout import MapLayout
from vassal_umpire.importers.vassal.module import Module
from vassal_umpire.importers.vassal.savefile import SaveFile, read_save
from vassal_umpire.model.board import Board, Exceptions, Hex
from vassal_umpire.model.boards import BoardChange
from vassal_umpire.model.game import Game, PhaseRule, PhaseStart, Rules, StepRef
from vassal_umpire.model.hexgrid import Axial
from vassal_umpire.model.problem import WrongPack
from vassal_umpire.model.relations import Relation
from vassal_umpire.model.table import TableHistory
from vassal_umpire.model.viewer import DIRECTOR, EVERYONE, Viewer

LOGS = ("drill-1-red", "drill-2-blue")
RED_INF_1, RED_INF_3 = "1795262786534", "1795262786559"


Reader = Callable[[str, Viewer], list[dict[str, Any]]]


@pytest.fixture(scope="module")
def table(history: TableHistory) -> Reader:
    """A table of the drill as a viewer sees it."""

    @cache
    def seen(viewer: Viewer) -> dict[str, list[dict[str, Any]]]:
        found: dict[str, list[dict[str, Any]]] = defaultdict(list)
        for name, record in rows(history, None, None, viewer):
            found[name].append(record)
        return found

    return lambda name, viewer: seen(viewer)[name]


def player_ids(save: SaveFile) -> set[str]:
    """The ids, which are passwords, of all who ever sat at the table."""
    texts = [*save.opening, *(leaf for step in save.steps for leaf in step.leaves)]
    return {text.split("\t")[1] for text in texts if text.startswith("PLAYER\t")} - {""}


# -- what is in them -------------------------------------------------------------------------------


def pictured(module: Module) -> Module:
    """The module with a slot whose counter has a picture."""
    slot = replace(module.slots[0], type="piece;;;tank.png;Tank", state="null;0;0;0")
    return replace(module, slots=(*module.slots, slot))


def test_the_document_is_valid_and_comes_back(
    history: TableHistory, module: Module, layouts: dict[str, MapLayout]
) -> None:
    told = plain_module(pictured(module), layouts)
    plain = document(module=told, table=plain_table(history, EVERYONE))
    assert parse_document(encode(plain), "game.json") == plain
    assert [m["name"] for m in plain["module"]["maps"]] == [m.name for m in module.maps]


def test_who_did_a_step_in_which_turn_and_whether_it_was_taken_back_stands_with_each_displacement(
    table: Reader,
) -> None:
    steps = {(r["log"], r["step"]): r for r in table("steps", EVERYONE)}
    moved = table("displacements", EVERYONE)
    assert len(moved) > 40
    for row in moved:
        of = steps[row["log"], row["step"]]
        for name in ("player", "side", "turn", "taken_back"):
            assert row[name] == of[name]
    assert {row["side"] for row in moved} == {"Red", "Blue"}
    turns = {(r["log"], r["step"]): r["new_value"] for r in table("turns", EVERYONE)}
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
    hand = replace(module.maps[0], owners=("Red",))  # as if it were a private map
    module = replace(pictured(module), maps=(hand, *module.maps[1:]))
    for name, row in rows(history, module, layouts, DIRECTOR, ["odd"]):
        filled[name] |= {column for column, value in row.items() if value is not None}
    empty = {
        name: [c.name for c in columns if c.name not in filled[name]]
        for name, columns in TABLES.items()
    }
    assert {name: columns for name, columns in empty.items() if columns} == EMPTY


EMPTY = {
    "terrain": [column.name for column in TABLES["terrain"]],
    "pieces": ["stored_name", "image"],
    **{name: ["stored_name"] for name in ("properties", "stacks")},
    "displacements": ["stored_name", "why"],
    "problems": ["log", "step"],
}
"""The columns that this module and these logs have nothing for."""


# -- fog of war ------------------------------------------------------------------------------------


OF_RED = ((EVERYONE, False), (Viewer("Blue"), False), (Viewer("Red"), True), (DIRECTOR, True))
"""Who may know what Red hides."""


def test_a_hidden_piece_is_not_there(table: Reader) -> None:
    """Red Inf 1 is hidden in step 2, moves in 3 to 5, and is shown in step 6."""
    during = range(3, 6)
    for viewer, seen in OF_RED:
        moves = [r for r in table("displacements", viewer) if r["log"] == 1]
        steps = {r["step"] for r in moves if r["step"] in during}
        assert steps == (set(during) if seen else set()), viewer
        properties = [r for r in table("properties", viewer)
                      if r["log"] == 1 and r["step"] in range(2, 7) and r["piece"] == RED_INF_1]  # fmt: skip
        assert bool(properties) is seen, viewer


def test_a_masked_piece_has_neither_name_nor_id(table: Reader) -> None:
    """Red Inf 3 is masked in step 11 of the first log and stays so."""
    for viewer, known in OF_RED:
        later = [r for name in ("pieces", "displacements", "properties") for r in table(name, viewer)
                 if r["log"] == 2]  # fmt: skip
        text = json.dumps(later)
        assert (RED_INF_3 in text) is known, viewer
        assert ("Red Inf 3" in text) is known, viewer
        assert any(r["name"] == "Red unit" or "Red Inf 3" in r["name"] for r in later)


def test_what_is_in_a_deck_is_counted_only(table: Reader) -> None:
    everyone = table("pieces", EVERYONE)
    assert not [r for r in everyone if r.get("holder_kind") == "deck"]
    in_deck = [r for r in table("pieces", DIRECTOR) if r.get("holder_kind") == "deck"]
    decks = table("decks", EVERYONE)
    assert sum(r["cards"] for r in decks) == len(in_deck) > 0


@pytest.mark.parametrize("viewer", [EVERYONE, Viewer("Red"), DIRECTOR])
def test_no_player_id_gets_out(
    drill: Path, history: TableHistory, module: Module, viewer: Viewer
) -> None:
    ids = set().union(*(player_ids(read_save(drill / f"{name}.vlog")) for name in LOGS))
    assert len(ids) >= 2
    _no_ids(encode(document(module=plain_module(module), table=plain_table(history, viewer))), ids)


def _no_ids(data: bytes, ids: set[str]) -> None:
    """A failure tells how many got out, never which."""
    text = json.dumps(json.loads(data), ensure_ascii=False)
    names = set(re.findall(r'"name": "([^"]*)"', text))
    out = [i for i in ids if i not in names and re.search(rf"(?<!\w){re.escape(i)}(?!\w)", text)]
    count = len(out)
    assert count == 0


# -- The versions of the analysis document: the oldest that will do is written, a newer part refused --

GAME = Game(
    title="One hex",
    board=Board("One", {"0101": Hex("0101", Axial(0, 0), ("clear",), 0)}),
    sides=("Red", "Blue"),
    units={},
    opening={},
    events=(),
    rules=Rules("generic"),
)
ONE_HEX = replace(GAME.board, exceptions=Exceptions(levels=frozenset({"0101"})))
STARTED = PhaseStart(StepRef(1, 1), "1", "Movement", "Red")
FRIENDS = (Relation(("Red", "Blue"), "neutral"), Relation(("a", "b")))
OF_VERSION_2 = {
    "open charts": {"rules": Rules("generic", complete=frozenset({"terrain"}))},
    "a cell that is not known": {"board": replace(ONE_HEX, exceptions=Exceptions({"0101": None}))},
    "who is whose friend": {"relations": FRIENDS},
    "no dice in a phase": {
        "phases": {"Movement": PhaseRule("Movement", complete=True, dice=False)}
    },
    "a phase that facts declare": {"events": (replace(STARTED, declared=True),)},
    "its last step": {"events": (replace(STARTED, last=StepRef(2, 3)),)},
    "that it is combat": {"events": (replace(STARTED, phase=None, combat=True),)},
    "that it is none": {"events": (replace(STARTED, combat=False),)},
}


@pytest.mark.parametrize("told", OF_VERSION_2.values(), ids=OF_VERSION_2)
def test_what_is_new_is_written_as_version_2_read_back_and_refused_in_version_1(told: Any) -> None:
    game = replace(GAME, **told)
    plain = parse_document(encode(document(game=game)), "game.json")
    assert plain["version"] == 2
    assert game_of(plain["game"]) == game
    plain["version"] = 1
    with pytest.raises(WrongPack, match=r"expected version 2 of the format for this part"):
        parse_document(json.dumps(plain).encode(), "game.json")


def test_all_else_is_written_as_version_1() -> None:
    vouched = {"Movement": PhaseRule("Movement", complete=True)}
    assert document(game=replace(GAME, phases=vouched))["version"] == 1


def test_a_level_that_is_no_longer_known_may_be_any() -> None:
    change = BoardChange(StepRef(1, 1), (GAME.board.hexes["0101"],))
    plain = document(game=replace(GAME, events=(change,)))["game"]
    plain["events"][0]["hexes"][0]["level"] = None
    (read,) = game_of(plain).events
    assert isinstance(read, BoardChange)
    assert read.exceptions.levels == {"0101"}


def test_an_exception_for_a_hex_the_board_does_not_have_is_refused() -> None:
    plain = json.loads(encode(document(game=replace(GAME, board=ONE_HEX))))
    plain["game"]["board"]["exceptions"]["levels"] = ["0909"]
    with pytest.raises(WrongPack, match=r"expected a hex of the board; found 0909"):
        parse_document(json.dumps(plain).encode(), "lost.json")


def test_relations_that_contradict_each_other_are_refused() -> None:
    odd = replace(GAME, relations=(Relation(("Red", "Blue")), Relation(("Blue", "Red"), "enemies")))
    with pytest.raises(WrongPack, match=r"game\.relations\[2\]: .* Blue and Red"):
        parse_document(encode(document(game=odd)), "odd.json")
