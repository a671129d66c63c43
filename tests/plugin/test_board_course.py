"""The course of a changing board, as the page of a report draws it."""

from __future__ import annotations

from dataclasses import replace

from vassal_umpire.model.board import Board, Hex, Line, edge
from vassal_umpire.model.boards import BoardChange
from vassal_umpire.model.game import Game, Rules, StepRef, Witness
from vassal_umpire.model.hexgrid import Axial
from vassal_umpire.model.viewer import EVERYONE
from vassal_umpire.plugin.reports.atlas import Atlas
from vassal_umpire.plugin.reports.staging import stage

AB, BC = edge("a", "b"), edge("b", "c")
HEXES = {n: Hex(n, Axial(0, r), ("clear",), 0) for r, n in enumerate("abc")}
BOARD = Board("Column", HEXES, {AB: ("river", "bridge")}, (Line("road", ("a", "b", "c")),))
EVENTS = (
    Witness(StepRef(1, 1), "roll"),
    BoardChange(StepRef(1, 2), sides={AB: ("river",)}),
    BoardChange(StepRef(1, 2), hexes=(replace(HEXES["b"], terrain=("rubble",)),)),
    Witness(StepRef(1, 3), "roll"),
    BoardChange(StepRef(1, 4), sides={AB: ("river", "bridge")}, gone=(Line("road", ("b", "c")),)),
)
GAME = Game("Column", BOARD, (), {}, {}, EVENTS, Rules("generic"))
PLAIN = replace(GAME, events=EVENTS[:1])


def test_a_board_that_never_changes_is_drawn_once() -> None:
    (a_map,) = stage(PLAIN, EVERYONE).maps
    assert a_map.changed == ()
    assert [(s.kinds, s.while_.since, s.while_.until) for s in a_map.hexsides] == [
        (("river", "bridge"), None, None)
    ]
    assert [way.hexes for way in a_map.ways] == [("a", "b", "c")]


def test_what_changes_is_there_for_its_steps() -> None:
    (a_map,) = stage(GAME, EVERYONE).maps
    told = [(s.kinds, s.while_.since, s.while_.until) for s in a_map.hexsides]
    two, four = StepRef(1, 2), StepRef(1, 4)
    assert told == [
        (("river", "bridge"), None, two),
        (("river",), two, four),
        (("river", "bridge"), four, None),
    ]
    assert [(w.hexes, w.while_.since, w.while_.until) for w in a_map.ways] == [
        (("a", "b"), None, None),
        (("b", "c"), None, four),
    ]
    ((cell, while_),) = a_map.changed
    assert (cell.terrain, while_.since, while_.until) == (("rubble",), two, None)


def test_stops_of_the_slider() -> None:
    scene = stage(GAME, EVERYONE)
    (a_map,) = scene.maps
    stops = [stops for _, _, stops in Atlas(scene).hexsides(a_map)]
    assert stops == [(0, 2), (2, 4), (4, None)]
    assert [step.step for step in scene.steps] == [0, 1, 2, 3, 4]
