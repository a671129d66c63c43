"""Logs as values, made from a history that is written down here."""

from __future__ import annotations

import pytest
import vassal_umpire as vu
from vassal_umpire.importers.analysis.columns import TABLES
from vassal_umpire.model.problem import Problem
from vassal_umpire.model.table import (
    Concealment,
    GlobalChange,
    LogHistory,
    Piece,
    PieceChange,
    Spot,
    Stack,
    StackChange,
    StatedFacts,
    Step,
    Table,
    TurnChange,
)
from vassal_umpire.model.viewer import DIRECTOR, EVERYONE, Viewer
from vassal_umpire.plugin.python import logs

SECRET = Problem("gone", "piece 'spy' is not there", "a.vlog: step 1", "error", 2)
TOLD = "something in this step does not follow from the table before it"


def piece(name: str, x: int, *concealed: Concealment) -> Piece:
    return Piece(name, Spot("Map", x, 0), "s", StatedFacts("", name, concealments=concealed))


def history() -> LogHistory:
    """A tank goes 1, 2, 3, while a spy lies hidden; VASSAL makes no step of the second of three."""
    tanks = [piece("tank", x) for x in range(4)]
    spy = piece("spy", 0, Concealment("hidden", frozenset({"Red"})))
    held = Stack("s", Spot("Map", 0, 0), ("tank", "spy"))
    table = Table({"tank": tanks[0], "spy": spy}, {"s": held}, {}, {("Module", "w"): "dry"}, {}, ())
    moved = [PieceChange("tank", tanks[x], tanks[x + 1]) for x in range(3)]
    steps = (
        Step(1, 1, 1, changes=(moved[0],), problems=(SECRET,)),
        Step(1, 2, None, changes=(moved[1],), globals=(GlobalChange("Module", "w", "dry", "mud"),)),
        Step(
            1,
            3,
            2,
            changes=(moved[2],),
            stacks=(StackChange("s", held, None),),
            turns=(TurnChange("Turn", "1", "2", {}, {"Day": "2"}),),
        ),
    )
    return LogHistory("a.vlog", "0" * 64, "m", "1", "3.7", table, steps, table, (SECRET,))


def log(viewer: Viewer = EVERYONE) -> vu.Log:
    return vu.Log(history(), 1, None, viewer)


def where(table: vu.Table) -> tuple[int, int, list[int]]:
    return table.step, table.engine_step, [piece.spot.x for piece in table.pieces]


def test_tables_globals_turns_and_stacks_go_with_the_steps() -> None:
    ours = log()
    assert ours.step_count == 2
    assert [where(ours.table(n)) for n in (0, 1, 2)] == [
        (0, 0, [0]), (2, 1, [2]), (3, 2, [3]),
    ]  # fmt: skip
    assert [where(step.table) for step in ours.steps()] == [
        (1, 1, [1]), (2, 1, [2]), (3, 2, [3]),
    ]  # fmt: skip
    assert where(ours.table()) == (3, 2, [3])
    assert [step.turn for step in ours.steps()] == [None, None, "2"]
    assert [ours.table(n).globals[("Module", "w")] for n in (0, 1, 2)] == ["dry", "mud", "mud"]
    assert ours.table(2).globals[("turn levels", "Day")] == "2"
    assert [ours.table(n).turns for n in (0, 1, 2)] == [{}, {}, {"Turn": "2"}]
    assert [len(ours.table(n).stacks) for n in (0, 1, 2)] == [1, 1, 0]
    for viewer, names in ((EVERYONE, ["tank"]), (Viewer("Red"), ["tank", "spy"])):
        assert [member.name for member in log(viewer).table(0).stacks[0].members] == names


@pytest.mark.parametrize(("viewer", "message"), [(EVERYONE, TOLD), (DIRECTOR, SECRET.message)])
def test_problems_name_no_piece_that_the_viewer_may_not_know(viewer: Viewer, message: str) -> None:
    ours = log(viewer)
    first = next(ours.steps())
    for told in (ours.problems, first.problems):
        assert [problem.message for problem in told] == [message]
        assert (told[0].code, told[0].severity, told[0].count) == ("gone", "error", 2)


def test_what_the_system_refuses_is_told_in_one_line(monkeypatch: pytest.MonkeyPatch) -> None:
    def refused(*_: object) -> object:
        raise PermissionError(13, "Permission denied", "turn-1.vlog")

    monkeypatch.setattr(logs, "iter_logs", refused)
    with pytest.raises(vu.UmpireError) as raised:
        vu.open_log("turn-1.vlog")
    assert str(raised.value) == "turn-1.vlog: Permission denied"


# -- a thing has the same name in the objects and in the tables ------------------------------------

OF_STEPS = {"log", "step", "player", "side", "turn", "taken_back"}
OBJECTS: dict[str, type] = {
    "logs": vu.Log,
    "players": vu.Participant,
    "pieces": vu.Piece,
    "steps": vu.Step,
    "displacements": vu.Displacement,
    "chat": vu.ChatLine,
    "rolls": vu.DieRoll,
    "globals": vu.GlobalChange,
    "turns": vu.TurnChange,
    "decks": vu.Deck,
}
SPOTS = {"": "spot", "origin_": "origin", "target_": "target"}


@pytest.mark.parametrize("table", OBJECTS)
def test_a_column_is_called_as_the_attribute_that_holds_the_same(table: str) -> None:
    known = {*OBJECTS[table].__annotations__, *dir(OBJECTS[table])}
    for prefix, spot in SPOTS.items():
        if spot in known:
            known |= {f"{prefix}{part}" for part in ("map", "x", "y")}
    known |= {"logs": {"log"}, "steps": set()}.get(table, OF_STEPS)
    assert {column.name for column in TABLES[table]} - known == set()
