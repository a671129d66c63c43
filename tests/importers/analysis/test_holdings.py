"""WeightedFact, the order of stacks, and displacements to nowhere: in tables, documents and narratives."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from vassal_files import V, a_board, a_map, element, replayed
from vassal_umpire.importers.analysis.document import (
    document,
    encode,
    parse_document,
    version_needed,
)
from vassal_umpire.importers.analysis.records import plain_table
from vassal_umpire.importers.analysis.tables import rows
from vassal_umpire.importers.vassal.buildfile import open_module
from vassal_umpire.importers.vassal.commands import (
    AddPiece,
    ChangePiece,
    Command,
    MovePiece,
    RemovePiece,
    Undo,
)
from vassal_umpire.importers.vassal.metadata import Metadata
from vassal_umpire.importers.vassal.nesting import join_nested
from vassal_umpire.importers.vassal.writer import write_module
from vassal_umpire.model.table import TableHistory
from vassal_umpire.model.viewer import DIRECTOR, EVERYONE, Viewer
from vassal_umpire.plugin.narrative import step_told
from vassal_umpire.plugin.step_text import sentences

LABEL = "label;76,130;Label;10;;0,0,0;t;0;c;0;b;c;$pieceName$ ($label$);Dialog;0;0;Text"
HIDE = "hide;73,130;Invisible;;side:;0.3;;false"
MASK = "obs;77,130;;Mask;B;Marker;side:;Peek"
DECK = "deck;" + ";" * 12 + "Draw" + ";" * 10


def doubtful(text: str = "{1 + 1}") -> tuple[AddPiece, str, str]:
    """A piece whose name hangs on an expression, and its states with and without it."""
    states = [f"{label}\tMap;10;10;1;0" for label in ("plain", text)]
    return AddPiece("a", f"{LABEL}\tpiece;;;;Tank", states[1]), states[0], states[1]


def game(opening: Sequence[Command | str], *steps: Sequence[Command], **more: Any) -> TableHistory:
    return TableHistory((replayed(opening, *steps, **more),))


def table(history: TableHistory, name: str, viewer: Viewer = EVERYONE) -> list[dict[str, Any]]:
    return [record for found, record in rows(history, None, None, viewer) if found == name]


def told(history: TableHistory, viewer: Viewer = EVERYONE) -> list[str]:
    steps = history.logs[0].steps
    return [
        text
        for s in steps
        for _, text in sentences({**step_told(s, viewer), "taken_back_by": None})
    ]


# --- what is not known


def test_a_name_that_is_not_known_is_null_and_show_marks_it() -> None:
    added, _, _ = doubtful()
    history = game([added], [MovePiece("a", "Map", 50, 50, None, "Map", 10, 10, None)])
    for name in ("pieces", "displacements", "stacks"):
        found = {(row.get("name"), row["stored_name"]) for row in table(history, name)}
        assert found == {(None, "Tank")}, name
    for name in ("pieces", "displacements"):
        assert {row["shown_name"] for row in table(history, name)} == {"Tank"}, name
    (row,) = (row for row in table(history, "properties") if row["property"] == "Text")
    assert (row.get("value"), row["known"]) == (None, False)
    (move,) = step_told(history.logs[0].steps[0], EVERYONE)["moves"]
    assert (move["name"], move["stored_name"]) == (None, "Tank")
    assert told(history) == ["Tank (as stored): Map 10,10 → Map 50,50"]


def test_the_document_has_no_name_where_it_is_not_known() -> None:
    added, _, _ = doubtful()
    plain = document(table=plain_table(game([added]), EVERYONE))
    (piece,) = plain["table"]["logs"][0]["pieces"]
    assert "name" not in piece
    assert (piece["stored_name"], piece["unknown"]) == ("Tank", ["Text"])
    assert plain["version"] == version_needed(plain) == 2
    assert parse_document(encode(plain), "game.json") == plain


def test_a_value_that_is_no_longer_known_is_not_gone() -> None:
    added, plain, calculated = doubtful()
    added = AddPiece("a", added.type, plain)
    history = game([added], [ChangePiece("a", calculated, plain)])
    (row,) = (r for r in table(history, "properties") if r["step"] == 1)
    assert (row.get("value"), row["known"], row["property"]) == (None, False, "Text")
    assert told(history) == [
        "Tank (plain): has a name now that is not known",
        "Tank (plain): Text plain → not known",
    ]


# --- stacks


def pile(*ids: str, kinds: dict[str, tuple[str, str]] | None = None) -> list[Command]:
    """Pieces in one stack, bottom first; ``kinds``: a trait and its state."""
    base = "Map;10;10;1;0"
    opening: list[Command] = []
    for id_text in ids:
        type_text, state = f"piece;;;;{id_text.upper()}", base
        if kinds and id_text in kinds:
            trait, own_state = kinds[id_text]
            type_text, state = f"{trait}\t{type_text}", f"{own_state}\t{base}"
        opening.append(AddPiece(id_text, type_text, state))
    return [*opening, AddPiece("s", "stack", f"Map;10;10;{';'.join(ids)}")]


def order(history: TableHistory, viewer: Viewer, step: int = 0) -> list[tuple[Any, ...]]:
    found = [r for r in table(history, "stacks", viewer) if r["step"] == step]
    return [(r.get("position"), r.get("piece"), r.get("name")) for r in found]


def test_stacks_are_told_from_the_bottom_up() -> None:
    history = game(
        pile("a", "b", "c"),
        [MovePiece("a", "Map", 10, 10, "c", "Map", 10, 10, None)],
        [MovePiece("s", "Map", 70, 70, None, "Map", 10, 10, None)],
    )  # fmt: skip
    assert order(history, EVERYONE) == [(0, "a", "A"), (1, "b", "B"), (2, "c", "C")]
    assert order(history, EVERYONE, 1) == [(0, "b", "B"), (1, "c", "C"), (2, "a", "A")]
    assert {(r["x"], r["y"]) for r in table(history, "stacks") if r["step"] == 2} == {(70, 70)}
    assert [r["position"] for r in table(history, "pieces")] == [0, 1, 2]


def test_a_hidden_piece_leaves_no_gap_and_stirs_nothing() -> None:
    hidden = {"b": (HIDE, "Red")}
    away = MovePiece("b", "Map", 50, 50, None, "Map", 10, 10, None)
    history = game(pile("a", "b", "c", kinds=hidden), [away])
    for viewer in (EVERYONE, Viewer("Blue")):
        assert order(history, viewer) == [(0, "a", "A"), (1, "c", "C")]
        assert order(history, viewer, 1) == []
        assert [r["position"] for r in table(history, "pieces", viewer)] == [0, 1]
    for viewer in (Viewer("Red"), DIRECTOR):
        assert [r[:2] for r in order(history, viewer)] == [(0, "a"), (1, "b"), (2, "c")]
        assert [r[:2] for r in order(history, viewer, 1)][:2] == [(0, "a"), (1, "c")]


def test_a_piece_that_hides_leaves_its_stack_as_others_see_it() -> None:
    kinds = {"b": (HIDE, "null")}
    states = [f"{owner}\tMap;10;10;1;0" for owner in ("Red", "null")]
    history = game(pile("b", "c", kinds=kinds), [ChangePiece("b", *states)])
    assert order(history, EVERYONE, 1) == [(0, "c", "C")]
    assert order(history, Viewer("Red"), 1) == []


def test_a_masked_piece_keeps_its_place_without_its_id() -> None:
    history = game(pile("a", "b", kinds={"a": (MASK, "Red")}))
    assert order(history, EVERYONE) == [(0, None, "Marker"), (1, "b", "B")]


@pytest.mark.parametrize(
    ("viewer", "seen"),
    [(EVERYONE, False), (Viewer("Blue"), False), (Viewer("Red"), True), (DIRECTOR, True)],
    ids=str,
)
def test_what_changes_under_a_mask_is_told_to_who_may_know_it(viewer: Viewer, seen: bool) -> None:
    before, after = (join_nested(["Red", steps, "Map;10;10;1;0"]) for steps in "21")
    added = AddPiece("a", join_nested([MASK, "PROP;Steps;;", "piece;;;;Tank"]), before)
    history = game([added], [ChangePiece("a", after, before)])
    changes = step_told(history.logs[0].steps[0], viewer)["changes"]
    assert [(one["piece"], one["what"]) for one in changes] == [("a", "Steps")] * seen
    assert bool([r for r in table(history, "properties", viewer) if r["step"] == 1]) == seen


def test_a_stack_that_is_gone_is_told_as_empty() -> None:
    history = game(pile("a"), [RemovePiece("a")])
    assert order(history, EVERYONE, 1) == [(None, None, None)]


@pytest.mark.parametrize("face_down", ["true", "false"])
def test_of_a_deck_only_the_director_knows_the_order(face_down: str) -> None:
    cards = [AddPiece(i, f"piece;;;;{i.upper()}", "Map;5;5;1;0") for i in "xyz"]
    deck = AddPiece("d", DECK, f"Map;5;5;{face_down};x,y,z")
    shuffled = ChangePiece("d", f"Map;5;5;{face_down};z,x,y", f"Map;5;5;{face_down};x,y,z")
    drawn = MovePiece("y", "Map", 50, 50, None, "Map", 5, 5, None)
    history = game([*cards, deck], [shuffled], [drawn])
    assert [r[1] for r in order(history, DIRECTOR)] == ["x", "y", "z"]
    assert [r[1] for r in order(history, DIRECTOR, 1)] == ["z", "x", "y"]
    for viewer in (EVERYONE, Viewer("Red")):
        assert order(history, viewer) == [(None, None, None)]
        assert order(history, viewer, 1) == []
        left = [
            r["cards"] for r in table(history, "stacks", viewer) if r["step"] == 2 and "cards" in r
        ]
        assert left == [2]
        assert "properties" not in {k for r in table(history, "pieces", viewer) for k in r}


def test_of_a_deck_in_a_hand_others_do_not_know_how_thick_it_is(tmp_path: Path) -> None:
    hand = a_map(
        "Hand", a_board("B", width=100, height=100),
        kind=f"{V}.module.PrivateMap", side="Red", visible="false",
    )  # fmt: skip
    build_file = element(f"{V}.GameModule", hand, name="Hands", version=1)
    write_module(tmp_path / "hands.vmod", build_file.encode(), Metadata(version="1", name="Hands"))
    cards = [AddPiece(i, f"piece;;;;{i.upper()}", "Hand;5;5;1;0") for i in "xy"]
    deck = AddPiece("d", DECK, "Hand;5;5;true;x,y")
    played = RemovePiece("y")
    module = open_module(tmp_path / "hands.vmod")
    history = game([*cards, deck, "SETUP_STACK\t"], [played], module=module)
    for viewer, seen in ((EVERYONE, False), (Viewer("Blue"), False), (Viewer("Red"), True)):
        assert bool(table(history, "decks", viewer)) is seen
        assert [r["cards"] for r in table(history, "stacks", viewer)] == ([2, 1] if seen else [])


# --- an undo to nowhere


def test_an_undo_to_nowhere_says_why() -> None:
    come = AddPiece("n", "piece;;;;New", "Map;30;30;1;0")
    history = game(
        pile("a"),
        [come], [Undo(True), RemovePiece("n"), Undo(False)],
        [Undo(True), RemovePiece("s"), Undo(False)],
    )  # fmt: skip
    whys = {r["step"]: r.get("why") for r in table(history, "displacements")}
    assert whys == {
        1: None,
        2: "its coming into the game was taken back",
        3: "its stack was taken away, and nothing in the step says where it went back to",
    }
    lines = told(history)
    assert "New: is removed from Map 30,30 (undo: its coming into the game was taken back)" in lines
    assert lines[-1].startswith("A: Map 10,10 → off the maps (undo: its stack was taken away")
