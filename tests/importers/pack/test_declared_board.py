"""What facts tell of the board, for the game or for some of its steps; what may change when nobody tells."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from itertools import pairwise
from pathlib import Path

import pytest
from vassal_umpire.importers.pack.facts_file import load_facts
from vassal_umpire.importers.pack.on_game import with_facts
from vassal_umpire.importers.pack.opened import opened
from vassal_umpire.importers.pack.pack_tables import changes_of
from vassal_umpire.model.board import NONE, Board, Exceptions, Hex, Line, Names, edge
from vassal_umpire.model.boards import BoardChange
from vassal_umpire.model.game import Game, Rules, StepRef, Witness
from vassal_umpire.model.hexgrid import Axial

AB, BC = edge("a", "b"), edge("b", "c")
HEXES = {n: Hex(n, Axial(0, r), ("clear",), 0) for r, n in enumerate("abcd")}
BOARD = Board("Column", HEXES, {AB: ("river", "bridge")}, (Line("road", ("a", "b", "c", "d")),))
EVENTS = tuple(Witness(StepRef(1, step), "roll") for step in range(1, 10))
GAME = Game("Column", BOARD, ("Red", "Blue"), {}, {}, EVENTS, Rules("generic"))
BLOWN = BoardChange(StepRef(1, 3), sides={AB: ("river",)})


@pytest.fixture
def told(tmp_path: Path) -> Callable[..., Game]:
    """A game as a facts file tells it, given as text."""

    def make(facts: str, game: Game = GAME) -> Game:
        file = tmp_path / "facts.toml"
        file.write_text(facts, encoding="utf-8")
        return with_facts(game, load_facts(file))[0]

    return make


def at(game: Game, step: int) -> Board:
    """The board at the first event of a step that is not a change of it."""
    index = next(i for i, e in enumerate(game.events) if e == Witness(StepRef(1, step), "roll"))
    return game.on_board(index, index).board


def changing(*changes: BoardChange) -> Game:
    events = sorted([*EVENTS, *changes], key=lambda e: (e.at, isinstance(e, Witness)))
    return replace(GAME, events=tuple(events))


def kinds(board: Board, side: tuple[str, str]) -> list[str]:
    return [line.kind for line in board.lines_by_edge.get(side, ())]


def test_a_hexside_in_a_span_is_as_told_and_then_as_before(told: Callable[..., Game]) -> None:
    game = told('hexside = [{ hexes = ["b", "a"], has = ["river"], log = 1, steps = "3-5" }]')
    assert game.board == BOARD
    found = [at(game, step).sides[AB] for step in (2, 3, 5, 6)]
    assert found == [("river", "bridge"), ("river",), ("river",), ("river", "bridge")]


def test_a_hex_from_a_step_on(told: Callable[..., Game]) -> None:
    game = told('hex = [{ hex = "b", terrain = ["rubble"], features = ["fort"], first = "1:4" }]')
    assert at(game, 3).hexes["b"] == HEXES["b"]
    assert at(game, 4).hexes["b"] == replace(HEXES["b"], terrain=("rubble",), features=("fort",))
    assert at(game, 9).hexes["b"].level == 0


def test_of_two_facts_the_later_one_counts(told: Callable[..., Game]) -> None:
    game = told(
        'hex = [{ hex = "b", terrain = ["rubble"], first = "1:2" },'
        ' { hex = "b", terrain = ["crater"], first = "1:4", last = "1:5" }]'
    )
    found = [at(game, step).hexes["b"].terrain for step in (1, 2, 4, 6)]
    assert found == [("clear",), ("rubble",), ("crater",), ("rubble",)]


@pytest.mark.parametrize(
    ("fact", "ab", "bc"),
    [
        ('line = [{ kind = "road", hexes = ["b", "c"], there = false,', "road", ""),
        ('line = [{ kind = "rail", hexes = ["a", "b", "c"],', "rail road", "rail road"),
        ('hexside = [{ hexes = ["a", "b"], lines = ["trail"],', "trail", "road"),
    ],
    ids=["cut", "built", "all that leads over a hexside"],
)
def test_lines_that_are_told_for_a_while(
    told: Callable[..., Game], fact: str, ab: str, bc: str
) -> None:
    game = told(f'{fact} log = 1, steps = "3-5" }}]')
    found = [
        [" ".join(sorted(kinds(at(game, step), side))) for side in (AB, BC)] for step in (2, 3, 6)
    ]
    assert found == [["road", "road"], [ab, bc], ["road", "road"]]
    assert at(game, 4).lines_known(BC)


def test_facts_go_before_what_the_game_says_and_only_in_their_span(
    told: Callable[..., Game],
) -> None:
    text = 'hexside = [{ hexes = ["a", "b"], has = ["river", "bridge"], log = 1, steps = "2-5" }]'
    game = told(text, changing(BLOWN))
    assert [len(at(game, step).sides[AB]) for step in (1, 2, 4, 6)] == [2, 2, 2, 1]


def test_what_facts_do_not_speak_of_changes_as_the_game_says(told: Callable[..., Game]) -> None:
    breached = BoardChange(StepRef(1, 3), hexes=(replace(HEXES["c"], terrain=("rubble",)),))
    game = told('hex = [{ hex = "b", terrain = ["crater"] }]', changing(BLOWN, breached))
    assert game.board.hexes["b"].terrain == ("crater",)
    assert at(game, 4).sides[AB] == ("river",)
    assert at(game, 4).hexes["c"].terrain == ("rubble",)
    assert at(game, 4).hexes["b"].terrain == ("crater",)


def test_an_open_cell_that_is_told_is_known(told: Callable[..., Game]) -> None:
    may = Exceptions(
        {"b": frozenset({"fort"})}, {AB: frozenset({"bridge"})}, {BC: frozenset({"rail"})}
    )
    game = replace(GAME, board=replace(BOARD, exceptions=may))
    closed = told(
        'hexside = [{ hexes = ["a", "b"], has = ["river"], last = "1:4" }]\n'
        'hex = [{ hex = "b", features = [] }]\n'
        'line = [{ kind = "rail", hexes = ["b", "c"], there = false }]',
        game,
    )
    assert closed.board.sides_known(AB)
    assert closed.board.hex_known("b")
    assert closed.board.lines_known(BC)
    assert at(closed, 5).maybe_on(AB) == {"bridge"}


def test_a_level_that_has_become_open_is_so_but_where_it_is_told(told: Callable[..., Game]) -> None:
    flat = replace(BOARD, hexes={n: replace(h, level=None) for n, h in HEXES.items()})
    hexes = flat.hexes["b"], flat.hexes["c"]
    dug = BoardChange(StepRef(1, 3), hexes, exceptions=Exceptions(levels=frozenset("bc")))
    game = told(
        'hex = [{ hex = "b", terrain = ["rubble"] },'
        ' { hex = "b", level = 2, log = 1, steps = "5-6" }]',
        replace(changing(dug), board=flat),
    )
    levels = [[at(game, step).level_of(name) for step in (2, 4, 5, 7)] for name in "bc"]
    assert levels == [[0, None, 2, None], [0, None, None, None]]


@pytest.mark.parametrize(
    ("facts", "what"),
    [
        ('line = [{ kind = "road", hexes = ["a", "c"] }]', "next to the one before; found a and c"),
        ('hexside = [{ hexes = ["a", "d"], lines = [] }]', "next to each other; found a and d"),
        ('hexside = [{ hexes = ["a", "b"] }]', "expected 2 or more keys"),
        ('hex = [{ hex = "a", level = 1, first = "1:5", last = "1:2" }]', "ends after it begins"),
    ],
)
def test_faults_are_one_line(told: Callable[..., Game], facts: str, what: str) -> None:
    with pytest.raises(Exception, match=what):
        told(facts)


def test_what_may_change_is_open_until_it_is_told(told: Callable[..., Game]) -> None:
    game = told(
        'pack = [{ board = { changes = ["bridge"] } }]\n'
        'hexside = [{ hexes = ["a", "b"], has = ["river"], first = "1:4" }]'
    )
    assert game.board.maybe_on(AB) == {"bridge"}
    assert at(game, 3).maybe_on(AB) == {"bridge"}
    assert at(game, 4).sides_known(AB)
    assert at(game, 4).maybe_on(BC) == {"bridge"}


# -- what may change on a board when nobody tells ---------------------------------------------------

WITH_FORT = Hex("c", Axial(0, 2), ("clear",), 0, ("fort",))
WALLED = replace(
    BOARD,
    hexes={**HEXES, "b": Hex("b", Axial(0, 1), ("wall",), 1), "c": WITH_FORT},
    sides={**BOARD.sides, BC: ("river",)},
)


def open_cells(found: Board) -> dict[str, Names]:
    """What may be in a hex (``a``), on a hexside (``ab``) or lead across it (``a-b``), where that is open;
    what is there is the rest of what is drawn."""
    cells: dict[str, Names] = {name: found.maybe_in(name) for name in HEXES}
    for name, may in cells.items():
        there = set(WALLED.hexes[name].features) - (may or set())
        assert set(found.hexes[name].features) == there
        assert found.hexes[name].terrain == (None if may is None else WALLED.hexes[name].terrain)
    for side in pairwise("abcd"):
        cells["".join(side)] = may = found.maybe_on(side)
        assert set(found.sides.get(side, ())) == set(WALLED.sides.get(side, ())) - (may or set())
        cells["-".join(side)] = may = found.maybe_across(side)
        assert set(kinds(found, side)) == set(kinds(WALLED, side)) - (may or set())
    return {cell: may for cell, may in cells.items() if may != NONE}


@pytest.mark.parametrize(
    ("changes", "name", "where"),
    [
        ("none", "", ""),
        (["bridge"], "bridge", "ab bc cd"),
        ([{"feature": "bridge", "may": "go"}], "bridge", "ab"),
        ([{"feature": "bridge", "may": "come", "on": ["river"]}], "bridge", "bc"),
        (["fort"], "fort", "a b c d"),
        (["wall"], None, "b"),  # it may have become any terrain, of any level
        (["road"], "road", "a-b b-c c-d"),
        ([{"feature": "road", "may": "go"}], "road", "a-b b-c c-d"),
        (["trench"], "trench", "a b c d ab bc cd"),  # it is nowhere yet
    ],
    ids=str,
)
def test_what_may_have_gone_or_come(changes: object, name: str | None, where: str) -> None:
    found = opened(WALLED, changes_of(changes))
    assert open_cells(found) == dict.fromkeys(where.split(), name and frozenset({name}))
    assert found.level_of("b") == (None if name is None else 1)


def test_on_a_flat_board_the_level_stays() -> None:
    flat = replace(WALLED, hexes={n: replace(h, level=0) for n, h in WALLED.hexes.items()})
    assert opened(flat, changes_of(["wall"])).level_of("b") == 0
