"""The versions of the analysis document: the oldest that will do is written, a newer part refused."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest
from vassal_umpire.importers.analysis.document import document, encode, parse_document
from vassal_umpire.importers.analysis.game_json import game_of
from vassal_umpire.model.board import Board, Exceptions, Hex
from vassal_umpire.model.game import Game, PhaseRule, PhaseStart, Rules, StepRef
from vassal_umpire.model.hexgrid import Axial
from vassal_umpire.model.problem import WrongPack
from vassal_umpire.model.relations import Relation

GAME = Game(
    title="One hex",
    board=Board("One", {"0101": Hex("0101", Axial(0, 0), ("clear",), 0)}),
    sides=("Red", "Blue"),
    units={},
    opening={},
    events=(),
    rules=Rules("generic"),
)
OPEN = replace(GAME, rules=Rules("generic", complete=frozenset({"terrain"})))


def test_a_game_whose_charts_are_whole_is_written_as_version_1() -> None:
    assert document(game=GAME)["version"] == 1


def test_a_game_with_open_charts_is_written_as_version_2_and_read_back() -> None:
    written = encode(document(game=OPEN))
    plain = parse_document(written, "open.json")
    assert plain["version"] == 2
    assert game_of(plain["game"]).rules.complete == {"terrain"}


def test_a_board_with_cells_that_are_not_known_needs_version_2() -> None:
    board = replace(GAME.board, exceptions=Exceptions(hexes={"0101": None}))
    written = encode(document(game=replace(GAME, board=board)))
    plain = parse_document(written, "open.json")
    assert plain["version"] == 2
    assert game_of(plain["game"]).board.maybe_in("0101") is None


def test_an_exception_for_a_hex_the_board_does_not_have_is_refused() -> None:
    board = replace(GAME.board, exceptions=Exceptions(levels=frozenset({"0101"})))
    plain = json.loads(encode(document(game=replace(GAME, board=board))))
    plain["game"]["board"]["exceptions"]["levels"] = ["0909"]
    with pytest.raises(WrongPack, match=r"expected a hex of the board; found 0909"):
        parse_document(json.dumps(plain).encode(), "lost.json")


def test_who_is_whose_friend_is_written_as_version_2_and_read_back() -> None:
    allied = replace(GAME, relations=(Relation(("Red", "Blue"), "neutral"), Relation(("a", "b"))))
    plain = parse_document(encode(document(game=allied)), "allied.json")
    assert plain["version"] == 2
    assert game_of(plain["game"]) == allied


def test_relations_that_contradict_each_other_are_refused() -> None:
    odd = replace(GAME, relations=(Relation(("Red", "Blue")), Relation(("Blue", "Red"), "enemies")))
    with pytest.raises(WrongPack, match=r"game\.relations\[2\]: .* Blue and Red"):
        parse_document(encode(document(game=odd)), "odd.json")


def test_an_older_document_with_a_newer_part_is_refused() -> None:
    plain = json.loads(encode(document(game=OPEN)))
    plain["version"] = 1
    with pytest.raises(WrongPack, match=r"game\.rules\.complete: expected version 2 .* version 1"):
        parse_document(json.dumps(plain).encode(), "old.json")


def test_a_phase_to_which_dice_do_not_belong_needs_version_2() -> None:
    coarse = replace(GAME, phases={"Movement": PhaseRule("Movement", complete=True, dice=False)})
    plain = parse_document(encode(document(game=coarse)), "coarse.json")
    assert plain["version"] == 2
    assert game_of(plain["game"]) == coarse
    vouched = replace(GAME, phases={"Movement": PhaseRule("Movement", complete=True)})
    assert document(game=vouched)["version"] == 1


@pytest.mark.parametrize(
    "told",
    [
        PhaseStart(StepRef(1, 1), "1", "Movement", "Red", declared=True),
        PhaseStart(StepRef(1, 1), "1", "Movement", "Red", last=StepRef(2, 3)),
        PhaseStart(StepRef(1, 1), "1", None, "Red", combat=True),
        PhaseStart(StepRef(1, 1), "1", "Movement", "Red", combat=False),
    ],
)
def test_what_a_facts_file_says_of_a_phase_needs_version_2(told: PhaseStart) -> None:
    game = replace(GAME, events=(told,))
    plain = parse_document(encode(document(game=game)), "declared.json")
    assert plain["version"] == 2
    assert game_of(plain["game"]) == game
    plain["version"] = 1
    with pytest.raises(WrongPack, match=r"expected version 2 of the format for this part"):
        parse_document(json.dumps(plain).encode(), "declared.json")
