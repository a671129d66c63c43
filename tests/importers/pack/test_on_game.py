"""Facts applied to a game that is there already, and what they let the pack say."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from vassal_umpire.importers.pack.facts_file import load_facts
from vassal_umpire.importers.pack.load import amended, load_pack, merged
from vassal_umpire.importers.pack.on_game import with_facts
from vassal_umpire.model.board import Board, Hex
from vassal_umpire.model.fact import known
from vassal_umpire.model.game import (
    Displacement,
    Event,
    Game,
    MovementForm,
    PhaseRule,
    PhaseStart,
    Place,
    Rules,
    StateChange,
    StepRef,
)
from vassal_umpire.model.hexgrid import Axial
from vassal_umpire.model.problem import WrongPack
from vassal_umpire.model.unit import Unit

HEXES = {
    name: Hex(name, Axial(0, row), None, 0) for row, name in enumerate(("0101", "0102", "0103"))
}
UNITS = {
    "a": Unit("a", "1 Inf", "Red", "unit", {"ma": known(4), "status": known("good")}),
    "b": Unit("b", "2 Inf", None, "unit", {}),
}


def drag(step: int, origin: str, target: str) -> Displacement:
    return Displacement(StepRef(1, step), "a", Place("hex", origin), Place("hex", target))


GAME = Game(
    title="three hexes",
    board=Board("three", HEXES, complete=frozenset({"terrain"})),
    sides=("Red", "Blue"),
    units=UNITS,
    opening={"a": Place("hex", "0101"), "b": Place("hex", "0103")},
    events=(
        PhaseStart(StepRef(1, 0), "1", "Move", "Red"),
        drag(2, "0101", "0102"),
        StateChange(StepRef(1, 3), "a", "status", known("good"), known("pinned")),
        drag(5, "0102", "0103"),
    ),
    rules=Rules("generic", {"terrain": {"costs": {"clear": 1}}}, complete=frozenset()),
    phases={"Move": PhaseRule("Move", "active", ("march",), True), "Fight": PhaseRule("Fight")},
    forms={"march": MovementForm("march")},
)


def told(tmp_path: Path, text: str) -> Game:
    file = tmp_path / "facts.toml"
    file.write_text(text, encoding="utf-8")
    return with_facts(GAME, load_facts(file))[0]


def test_hexes_sides_and_conditions_are_told(tmp_path: Path) -> None:
    game = told(
        tmp_path,
        """
        hex = [{ hex = "0102", terrain = ["woods"], level = 2 }]
        hexside = [{ hexes = ["0101", "0102"], has = ["river"] }]
        unit = [{ unit = "2 Inf", side = "Blue" }]
        condition = [{ key = "weather", value = "mud", first = "1:2" }]
        """,
    )
    assert game.board.hexes["0102"].terrain == ("woods",)
    assert game.board.sides == {("0101", "0102"): ("river",)}
    assert game.units["b"].side == "Blue"
    assert game.condition("weather", StepRef(1, 1)).value is None
    assert game.condition("weather", StepRef(1, 2)).value == "mud"
    assert [source.kind for source in game.sources] == ["facts"]


def test_an_attribute_for_the_whole_game_goes_before_its_changes(tmp_path: Path) -> None:
    game = told(tmp_path, '[[unit]]\nunit = "a"\nattributes = { status = "fresh" }')
    assert game.units["a"].attributes["status"].value == "fresh"
    assert [e for e in game.events if isinstance(e, StateChange)] == []


def test_an_attribute_for_some_steps_changes_before_the_drag_of_the_first(tmp_path: Path) -> None:
    game = told(
        tmp_path,
        '[[unit]]\nunit = "a"\nfirst = "1:2"\nlast = "1:4"\nattributes = { status = "lost" }',
    )
    drags_and_changes: list[Event] = [e for e in game.events if not isinstance(e, PhaseStart)]
    first, second, third, fourth = drags_and_changes
    assert isinstance(first, StateChange)
    assert isinstance(third, StateChange)
    assert (first.at, first.before.value, first.after.value) == (StepRef(1, 2), "good", "lost")
    assert second == drag(2, "0101", "0102")
    assert (third.before.value, third.after.value) == ("lost", "pinned")
    assert fourth == drag(5, "0102", "0103")


def test_a_phase_holds_for_its_steps_and_then_what_was_said_before(tmp_path: Path) -> None:
    game = told(
        tmp_path,
        '[[phase]]\nlog = 1\nsteps = "3-4"\nturn = "1"\nphase = "Fight"\nactive = "Red"',
    )
    starts = [e for e in game.events if isinstance(e, PhaseStart)]
    assert [(e.at.step, e.phase) for e in starts] == [(0, "Move"), (3, "Fight"), (5, "Move")]
    assert [e.at for e in game.events] == sorted(e.at for e in game.events)


def test_the_pack_may_be_amended_for_one_game(tmp_path: Path) -> None:
    game = told(
        tmp_path,
        """
        [[pack]]
        board = { complete = ["lines"], links = [["0101", "0103"]] }
        [[pack]]
        rules = { terrain = { costs = { woods = 2 } }, complete = ["terrain"] }
        options = { order = "free" }
        [[pack]]
        phase = [{ name = "Fight", movers = "none", complete = true }]
        form = [{ name = "rail", judged = false }]
        [[pack]]
        relation = [{ sides = ["Red", "Blue"], are = "friends" }]
        """,
    )
    assert game.board.complete == {"terrain", "lines"}
    assert game.board.links == {("0101", "0103")}
    assert game.rules.tables == {"terrain": {"costs": {"clear": 1, "woods": 2}}}
    assert game.rules.complete == {"terrain"}
    assert game.rules.options == {"order": "free"}
    assert game.relation("Red", "Blue") == "friend"
    assert game.phases["Fight"] == PhaseRule("Fight", "none", (), True)
    assert game.phases["Move"] == GAME.phases["Move"]
    assert game.forms["rail"] == MovementForm("rail", judged=False)


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ('[[hex]]\nhex = "0909"\nlevel = 1', "facts.toml line 1: expected a hex of the board; found 0909"),
        ('[[unit]]\nunit = "zz"\nattributes = { ma = 1 }', "expected the id or the name of one unit"),
        ("[[pack]]\nunits = { are = [] }", "expected no units: an analysis document has no pieces"),
        ('[[pack]]\nphase = [{ name = "Move", movers = "all" }]', "line 1: phase[1].movers: expected"),
        ('[[pack]]\nboard = { complete = ["?"] }', "expected a value in place of the question mark"),
    ],
)  # fmt: skip
def test_facts_that_do_not_fit_are_one_line(tmp_path: Path, text: str, line: str) -> None:
    with pytest.raises(WrongPack) as caught:
        told(tmp_path, text)
    assert line in str(caught.value)


def test_amending_changes_neither_argument() -> None:
    values = {"board": {"complete": ["terrain"]}, "phase": [{"name": "Move"}]}
    found = merged(
        values, {"board": {"complete": ["lines", "terrain"]}, "phase": [{"name": "Fight"}]}
    )
    assert found == {
        "board": {"complete": ["terrain", "lines"]},
        "phase": [{"name": "Move"}, {"name": "Fight"}],
    }
    assert values == {"board": {"complete": ["terrain"]}, "phase": [{"name": "Move"}]}


def test_a_pack_is_amended_whole_and_a_fault_names_the_line_of_the_facts(
    project: Path, tmp_path: Path
) -> None:
    pack = load_pack(project / "samples" / "crossroads" / "pack")
    file = tmp_path / "facts.toml"
    file.write_text("[[pack]]\noptions = { anything = 1 }\n", encoding="utf-8")
    found = amended(pack, load_facts(file))
    assert found.options == {**pack.options, "anything": 1}
    assert replace(found, options=pack.options, values=pack.values) == pack
    wrong = '\n\n[[pack]]\nphase = [{ name = "Movement", forms = ["fly"] }]\n'
    file.write_text(wrong, encoding="utf-8")
    with pytest.raises(WrongPack, match=r"facts\.toml line 3: phase Movement: expected forms"):
        amended(pack, load_facts(file))
