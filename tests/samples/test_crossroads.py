"""The audit of Crossroads, against bills added up by hand from the map and the page of rules."""

from __future__ import annotations

import json
from fractions import Fraction
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from click.testing import Result
from command_line import done, umpire

HALF = Fraction(1, 2)
PLAYER_KEYS = ("crossroads-key-of-wren", "crossroads-key-of-tarn")


class Due(NamedTuple):
    """What a move must come to. ``charges``: amount by amount, in any order of equal paths."""

    units: tuple[str, ...]
    origin: str
    target: str
    verdict: str
    charges: tuple[Fraction | int, ...]
    allowance: int


# Read off map and rules by hand; every alternative way of the same length costs as much or more.
TURN_1 = {
    # Seven hexes of road, a motor unit: west along Market Road to Fourways, north along North Road.
    2: Due(("Blue Recon",), "0105", "0502", "legal", (HALF,) * 7, 8),
    # Three hexes of road.
    3: Due(("Blue 1 Tank", "Blue Motor Inf"), "0205", "0505", "legal", (HALF,) * 3, 6),
    # 0303 (or 0202) is clear: 1; 0302 is woods: 2 on foot.
    4: Due(("Blue 1 Inf",), "0203", "0302", "legal", (1, 2), 4),
    # 0205 and 0305: 1 each, road or not.
    8: Due(("Blue 2 Inf",), "0206", "0305", "legal", (1, 1), 4),
    # One hex of road.
    10: Due(("Blue 3 Inf",), "0405", "0505", "legal", (1,), 4),
    # Four hexes are the fewest; all can be clear; the river lies between 06 and 07 whatever the way.
    11: Due(("Blue 4 Inf",), "0408", "0808", "illegal", (1, 1, 1, 1, 2), 4),
    # 0105 is clear, entered off the road; then three hexes of road.
    14: Due(("Blue HQ",), "0104", "0405", "legal", (1, HALF, HALF, HALF), 6),
}
TURN_2 = {
    # One clear hex; a disrupted unit has 2 of its 4 MPs.
    3: Due(("Red 1 Inf",), "0705", "0804", "legal", (1,), 2),
    # Two hexes of road, one of clear ground beside Blue's 2 Tank in 0707, where it must stop.
    4: Due(("Red Tank",), "1005", "0806", "legal", (HALF, HALF, 1), 6),
    # 1105 off the road, then 1005 along it.
    5: Due(("Red Motor Inf",), "1104", "1005", "legal", (1, HALF), 6),
    # Woods on foot.
    6: Due(("Red 3 Inf",), "1007", "0907", "legal", (2,), 4),
    # Two hexes of road.
    7: Due(("Red HQ",), "1205", "1005", "legal", (HALF, HALF), 6),
}


@pytest.fixture(scope="module")
def crossroads(project: Path) -> Path:
    return project / "samples" / "crossroads"


def run(*arguments: str | Path) -> Result:
    return umpire("audit", *arguments)


def report(*arguments: str | Path) -> dict[str, Any]:
    """The JSON report of an audit that found something or not, but ran."""
    result = run(*arguments, "--format", "json")
    assert result.exit_code in (0, 1), result.output
    found: dict[str, Any] = json.loads(result.stdout)
    return found


def by_step(found: dict[str, Any], log: int = 1) -> dict[int, dict[str, Any]]:
    """Its moves by the step they were made in."""
    return {m["steps"][0]["step"]: m for m in found["moves"] if m["steps"][0]["log"] == log}


def check(move: dict[str, Any], due: Due) -> None:
    assert tuple(sorted(unit["name"] for unit in move["units"])) == tuple(sorted(due.units))
    assert (move["from"]["name"], move["to"]["name"]) == (due.origin, due.target)
    assert move["verdict"] == due.verdict
    charges = sorted(Fraction(c["amount"]["lo"]) for c in move["bill"]["charges"])
    assert [amount for amount in charges if amount] == sorted(map(Fraction, due.charges))
    assert move["bill"]["total"] == amount_json(sum(map(Fraction, due.charges)))
    assert move["bill"]["allowance"] == amount_json(Fraction(due.allowance))


def amount_json(value: Fraction | int) -> dict[str, Any]:
    exact = Fraction(value)
    plain = int(exact) if exact.denominator == 1 else str(exact)
    return {"lo": plain, "hi": plain}


def of_kind(found: dict[str, Any], kind: str) -> list[dict[str, Any]]:
    return [finding for finding in found["findings"] if finding["kind"] == kind]


@pytest.fixture(scope="module")
def turn_1(crossroads: Path) -> dict[str, Any]:
    return report(crossroads / "turn-1.vlog")


@pytest.fixture(scope="module")
def turn_2(crossroads: Path) -> dict[str, Any]:
    return report(crossroads / "turn-2.vlog")


@pytest.mark.parametrize("step", TURN_1)
def test_blue_pays_what_the_map_asks(turn_1: dict[str, Any], step: int) -> None:
    check(by_step(turn_1)[step], TURN_1[step])


@pytest.mark.parametrize("step", TURN_2)
def test_red_pays_what_the_map_asks(turn_2: dict[str, Any], step: int) -> None:
    check(by_step(turn_2)[step], TURN_2[step])


def test_exit_code_says_that_something_was_found(crossroads: Path) -> None:
    assert run(crossroads / "turn-1.vlog").exit_code == 1


def test_each_kind_of_finding_stands_there_once(turn_1: dict[str, Any]) -> None:
    counts = {
        kind: number for kind, number in turn_1["summary"]["findings"].items() if kind != "note"
    }
    assert counts == {"illegal-move": 1, "overstack": 1, "missed-mp-cost": 1, "unverifiable": 1}


def test_tank_may_not_swim(turn_1: dict[str, Any]) -> None:
    [finding] = of_kind(turn_1, "illegal-move")
    assert [unit["name"] for unit in finding["units"]] == ["Blue 2 Tank"]
    assert finding["code"] == "GEN-HEXSIDE-PROHIBITED"
    assert [step["step"] for step in finding["steps"]] == [9]


def test_four_battalions_are_too_many(turn_1: dict[str, Any]) -> None:
    [finding] = of_kind(turn_1, "overstack")
    assert finding["hexes"] == ["0505"]
    names = sorted(unit["name"] for unit in finding["units"])
    assert names == ["Blue 1 Tank", "Blue 3 Inf", "Blue Motor Inf"]


def test_infantry_is_two_points_short_and_the_river_explains_it(turn_1: dict[str, Any]) -> None:
    [finding] = of_kind(turn_1, "missed-mp-cost")
    assert [unit["name"] for unit in finding["units"]] == ["Blue 4 Inf"]
    assert finding["bill"]["shortfall"] == 2
    assert finding["bill"]["declared"] == amount_json(4)
    [river] = [c for c in finding["bill"]["charges"] if c["clause"] == "GEN-HEXSIDE"]
    assert river["amount"] == amount_json(2)
    assert river["hex"] in finding["explanation"] or "river" in finding["explanation"]


def test_torn_corner_decides_and_the_stanza_is_printed(
    crossroads: Path, turn_1: dict[str, Any]
) -> None:
    [finding] = of_kind(turn_1, "unverifiable")
    assert [unit["name"] for unit in finding["units"]] == ["Blue 5 Inf"]
    [key] = finding["unknowns"]
    unknown = turn_1["unknowns"][key]
    assert "0110" in unknown["question"]
    assert unknown["stanza"]
    text = run(crossroads / "turn-1.vlog").output
    for line in unknown["stanza"].splitlines():
        assert line in text


def test_move_taken_back_is_noted_and_not_judged(turn_1: dict[str, Any]) -> None:
    [move] = turn_1["not_judged"]
    assert [step["step"] for step in move["steps"]] == [5, 6]
    assert move["taken_back"] == {"log": 1, "step": 6}


def test_retreat_is_not_accused(turn_2: dict[str, Any]) -> None:
    """The pack says that retreats and advances are all there is in the phase of combat."""
    [retreat] = turn_2["not_judged"]
    assert (retreat["steps"][0]["step"], retreat["form"]) == (12, "retreat or advance")
    found = {kind for kind, count in turn_2["summary"]["findings"].items() if count}
    assert found == {"note"}  # Red carried it out for Blue


def test_facts_settle_what_was_open(crossroads: Path) -> None:
    logs = (crossroads / "turn-1.vlog", crossroads / "turn-2.vlog")
    found = report(*logs, "--facts", crossroads / "settled.toml")
    # Four clear hexes: all of its 4 MPs.
    meadow = by_step(found, 1)[13]
    assert meadow["verdict"] == "legal"
    assert meadow["bill"]["total"] == amount_json(4)
    assert not of_kind(found, "unverifiable")
    # Driven back by combat: no move of the player's.
    [retreat] = [m for m in found["not_judged"] if m["steps"][0]["log"] == 2]
    assert (retreat["steps"][0]["step"], retreat["form"]) == (12, "retreat")


def test_logs_follow_each_other(crossroads: Path) -> None:
    found = report(crossroads / "turn-1.vlog", crossroads / "turn-2.vlog")
    assert not [f for f in found["findings"] if f["code"].startswith("CHK-CONTINUITY")]


@pytest.mark.ci
@pytest.mark.parametrize("log", ["turn-1", "turn-2"])
def test_analysis_document_is_judged_like_the_log(
    crossroads: Path, tmp_path: Path, log: str
) -> None:
    document = tmp_path / f"{log}.json"
    pack = crossroads / "pack"
    done("convert", crossroads / f"{log}.vlog", "--pack", pack, "-o", document)
    from_log, from_document = report(crossroads / f"{log}.vlog"), report(document)
    for part in ("title", "ruleset", "summary", "moves", "findings", "unknowns", "readings"):
        assert from_log[part] == from_document[part], part


@pytest.mark.parametrize("log", ["turn-1", "turn-2"])
def test_no_key_of_a_player_is_told(crossroads: Path, log: str) -> None:
    for form in ("text", "json"):
        output = run(crossroads / f"{log}.vlog", "--format", form).output
        assert not [key for key in PLAYER_KEYS if key in output]


def test_report_is_the_one_that_ships(crossroads: Path) -> None:
    shipped = json.loads((crossroads / "expected-report.json").read_text(encoding="utf-8"))
    found = report(crossroads / "turn-1.vlog")
    del shipped["umpire"], found["umpire"]
    assert found == shipped


def test_text_is_the_one_that_ships(crossroads: Path) -> None:
    shipped = (crossroads / "expected-report.txt").read_text(encoding="utf-8")
    found = run(crossroads / "turn-1.vlog").output
    assert without_version(found) == without_version(shipped)


def without_version(text: str) -> list[str]:
    """The lines of a report but the one that names the program's version."""
    return [line for line in text.splitlines() if "applied by" not in line]
