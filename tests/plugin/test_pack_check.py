"""``umpire pack check``: what a pack knows of a game, what it lacks, what matches nothing."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import jsonschema
import pytest
from click.testing import CliRunner, Result
from vassal_umpire.importers.vassal.limits import DEFAULT_LIMITS
from vassal_umpire.model.viewer import DIRECTOR
from vassal_umpire.plugin.auditing import audit_files
from vassal_umpire.plugin.cli import main
from vassal_umpire.plugin.commands.schema import schema_text
from vassal_umpire.plugin.reading import Named
from vassal_umpire.plugin.usable import DETOUR, _between


def run(*args: str) -> Result:
    return CliRunner().invoke(main, ["pack", "check", *args])


def checked(*args: str) -> dict[str, Any]:
    result = run("pack", "turn-1.vlog", "--format", "json", *args)
    assert result.exit_code == 0, result.output
    found: dict[str, Any] = json.loads(result.stdout)
    jsonschema.validate(found, json.loads(schema_text("pack-check")))
    return found


def put(name: str, old: str, new: str) -> None:
    file = Path("pack") / name
    text = file.read_text("utf-8")
    assert old in text
    file.write_text(text.replace(old, new, 1), "utf-8")


def test_a_whole_pack_knows_every_unit_that_moved_and_asks_what_the_audit_asks(game: Path) -> None:
    audited, _ = audit_files(
        Named((Path("turn-1.vlog"),), pack=Path("pack")), None, DIRECTOR, DEFAULT_LIMITS
    )
    found = checked()
    pieces = found["pieces_moved"]
    assert pieces["all"] == pieces["units"] > 0
    assert (pieces["no_units"], pieces["not_said"], pieces["not_said_moved"]) == (0, 0, 0)
    assert {found["units_known"][name] for name in ("side", "class", "ma")} == {pieces["units"]}
    judged = [m for m in audited.moves if m.judged]
    assert sum(found["moves"].values()) == len(judged)
    assert found["moves"]["illegal"] == sum(m.verdict == "illegal" for m in judged)
    assert [(one["question"], one["moves_waiting"]) for one in found["next"]] == [
        ("what terrain is in hex 0110?", 1)
    ]
    assert found["matches_nothing"] == []
    assert found["moves_by_phase"] == {"Movement": len(judged)}


def test_units_that_are_not_said_are_counted_with_their_drags(game: Path) -> None:
    before = checked()["pieces_moved"]["units"]
    put("pack.toml", "[[units.are]]", "[[units.markers]]")
    pieces = checked()["pieces_moved"]
    assert (pieces["units"], pieces["not_said"]) == (0, before)
    assert pieces["not_said_moved"] >= before
    said = run("pack", "turn-1.vlog").output
    assert "are these units?" in " ".join(said.split())


def test_what_matches_nothing_is_listed(game: Path) -> None:
    with Path("pack/units.csv").open("a", encoding="utf-8") as file:
        file.write("Nobody\n")
    with Path("pack/pack.toml").open("a", encoding="utf-8") as file:
        file.write('\n[[units.not]]\nname = "^Ghost"\n')
        file.write('\n[[board.marker]]\nname = "^Wall$"\nadds = ["wall"]\n')
        file.write('\n[[phases.from]]\nchat = "nobody says (?P<phase>this)"\n')
        file.write('\n[[phase]]\nname = "Retreat"\n')
    idle = checked()["matches_nothing"]
    assert any("no counter in these logs is Nobody" in line for line in idle)
    assert "pack.toml units.not[1]: fits no counter in these logs" in idle
    assert "pack.toml board.marker[1]: fits no counter in these logs" in idle
    assert any("chat" in line and "never told anything" in line for line in idle)
    assert "pack.toml phase Retreat: no step of these logs is in it" in idle
    assert len(idle) == 5


def test_cells_are_counted_by_who_tells_of_them(game: Path) -> None:
    before = checked()["hexes"]
    put("pack.toml", "[board]", '[board]\nprovenance = "required"')
    rows = "0408,terrain,,woods,looked-at,Wren,2026-11-22,person: by eye,,\n"
    rows += "0508,terrain,,clear,suggested,colours,2026-11-22,program: colours 0.1,0.9,\n"
    head = "cell,layer,name,value,status,who,when,method,confidence,picture\n"
    Path("pack/provenance.csv").write_text(head + rows, "utf-8")
    found = checked()["hexes"]
    assert sum(found.values()) == sum(before.values())
    assert (found["looked-at, Wren"], found["suggested"]) == (1, 1)
    assert "typed" not in found


@pytest.mark.parametrize(
    ("origin", "target"), [("0408", "0808"), ("0101", "0102"), ("0505", "0505")]
)
def test_hexes_that_a_move_could_use(game: Path, origin: str, target: str) -> None:
    _, bound = audit_files(
        Named((Path("turn-1.vlog"),), pack=Path("pack")), None, DIRECTOR, DEFAULT_LIMITS
    )
    board = bound.board

    def far(a: str, b: str) -> int:
        found = board.distance(a, b)
        assert found is not None
        return found

    most = far(origin, target) + DETOUR
    expected = {n for n in board.hexes if far(origin, n) + far(n, target) <= most}
    assert _between(board, origin, target) == expected


DRILL = Path(__file__).parents[1] / "importers" / "pack" / "drill"


@pytest.mark.ci
def test_nothing_is_counted_that_not_everyone_may_see(drill_pack: Path) -> None:
    """In the drill, some of Red's counters are hidden or masked for some time."""
    found = {}
    for viewer in ((), ("--as", "Red"), ("--director",)):
        logs = [str(DRILL / f"{name}.vlog") for name in ("drill-1-red", "drill-2-blue")]
        result = run(str(drill_pack), *logs, "--format", "json", *viewer)
        assert result.exit_code == 0, result.output
        found[viewer[:1]] = json.loads(result.stdout)
    moves = {viewer: sum(plain["moves"].values()) for viewer, plain in found.items()}
    assert moves[()] < moves["--director",]
    assert moves[()] <= moves["--as",] <= moves["--director",]


def test_a_pack_alone_is_read(game: Path) -> None:
    assert "can be read" in run("pack").output
    put("pack.toml", "[board]", "[bored]")
    refused = run("pack")
    assert refused.exit_code == 2
    assert "did you mean board?" in refused.output


def test_what_came_of_blind_checks_is_shown(game: Path) -> None:
    text = (
        '[board]\n[board.checked."terrain 2026-11-22T10:00:00Z"]\nlayer = "terrain"\nwho = "Wren"\n'
        'drawn = 60\ntyped = 58\nwrong = 1\nat_most = "0.0791"\n'
    )
    put("pack.toml", "[[board.sheet]]", text.removeprefix("[board]\n") + "[[board.sheet]]")
    result = run("pack", "turn-1.vlog")
    assert result.exit_code == 0, result.output
    shown = " ".join(result.output.split())
    assert (
        "terrain: 1 of 58 suggestions typed blind by Wren were wrong; of all, at most 7.9 %"
        in shown
    )
