"""The audit of Crossroads, against bills added up by hand from the map and the page of rules."""

from __future__ import annotations

import json
from fractions import Fraction
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from command_line import done, printed, report_of, without_version
from sample_pack import CROSSROADS

HALF = Fraction(1, 2)
LOGS = CROSSROADS / "turn-1.vlog", CROSSROADS / "turn-2.vlog"


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


def by_step(found: Any, log: int = 1) -> dict[int, Any]:
    """The moves of a report by the step they were made in."""
    return {m["steps"][0]["step"]: m for m in found["moves"] if m["steps"][0]["log"] == log}


def amount(value: Fraction | int) -> dict[str, Any]:
    exact = Fraction(value)
    plain = int(exact) if exact.denominator == 1 else str(exact)
    return {"lo": plain, "hi": plain}


def names(found: Any) -> list[str]:
    return sorted(unit["name"] for unit in found["units"])


def of_kind(found: Any, kind: str) -> list[Any]:
    return [finding for finding in found["findings"] if finding["kind"] == kind]


@pytest.fixture(scope="module")
def turn_1() -> Any:
    return report_of(LOGS[0])


@pytest.fixture(scope="module")
def turn_2() -> Any:
    return report_of(LOGS[1])


@pytest.mark.parametrize(
    ("turn", "step", "due"),
    [(n, step, due) for n, moves in ((1, TURN_1), (2, TURN_2)) for step, due in moves.items()],
)
def test_each_side_pays_what_the_map_asks(
    turn_1: Any, turn_2: Any, turn: int, step: int, due: Due
) -> None:
    move = by_step((turn_1, turn_2)[turn - 1])[step]
    assert names(move) == sorted(due.units)
    assert (move["from"]["name"], move["to"]["name"]) == (due.origin, due.target)
    assert move["verdict"] == due.verdict
    charges = sorted(Fraction(c["amount"]["lo"]) for c in move["bill"]["charges"])
    assert [amount for amount in charges if amount] == sorted(map(Fraction, due.charges))
    assert move["bill"]["total"] == amount(sum(map(Fraction, due.charges)))
    assert move["bill"]["allowance"] == amount(due.allowance)


def test_each_error_of_turn_1_is_found_once(turn_1: Any) -> None:
    counts = turn_1["summary"]["findings"].items()
    kinds = ("illegal-move", "overstack", "missed-mp-cost", "unverifiable")
    assert {kind: n for kind, n in counts if kind != "note"} == dict.fromkeys(kinds, 1)
    swims, stack, short, asks = (of_kind(turn_1, kind)[0] for kind in kinds)
    assert (names(swims), swims["code"]) == (["Blue 2 Tank"], "GEN-HEXSIDE-PROHIBITED")
    assert [step["step"] for step in swims["steps"]] == [9]
    assert stack["hexes"] == ["0505"]
    assert names(stack) == ["Blue 1 Tank", "Blue 3 Inf", "Blue Motor Inf"]
    assert names(short) == ["Blue 4 Inf"]
    assert (short["bill"]["shortfall"], short["bill"]["declared"]) == (2, amount(4))
    [river] = [c for c in short["bill"]["charges"] if c["clause"] == "GEN-HEXSIDE"]
    assert river["amount"] == amount(2)
    assert river["hex"] in short["explanation"] or "river" in short["explanation"]
    assert names(asks) == ["Blue 5 Inf"]
    [key] = asks["unknowns"]
    assert "0110" in turn_1["unknowns"][key]["question"]


def test_what_was_taken_back_or_is_a_retreat_is_not_judged(turn_1: Any, turn_2: Any) -> None:
    """The pack says that retreats and advances are all there is in the phase of combat."""
    [move] = turn_1["not_judged"]
    assert [step["step"] for step in move["steps"]] == [5, 6]
    assert move["taken_back"] == {"log": 1, "step": 6}
    [retreat] = turn_2["not_judged"]
    assert (retreat["steps"][0]["step"], retreat["form"]) == (12, "retreat or advance")
    found = {kind for kind, count in turn_2["summary"]["findings"].items() if count}
    assert found == {"note"}  # Red carried it out for Blue


def test_facts_settle_what_was_open() -> None:
    found = report_of(*LOGS, "--facts", CROSSROADS / "settled.toml")
    # Four clear hexes: all of its 4 MPs.
    meadow = by_step(found, 1)[13]
    assert (meadow["verdict"], meadow["bill"]["total"]) == ("legal", amount(4))
    assert not of_kind(found, "unverifiable")
    # Driven back by combat: no move of the player's.
    [retreat] = [m for m in found["not_judged"] if m["steps"][0]["log"] == 2]
    assert (retreat["steps"][0]["step"], retreat["form"]) == (12, "retreat")
    assert found["sources"][-1]["kind"] == "facts"
    assert not [f for f in found["findings"] if f["code"].startswith("CHK-CONTINUITY")]


@pytest.mark.ci
@pytest.mark.parametrize("log", LOGS, ids=["turn-1", "turn-2"])
def test_analysis_document_is_judged_like_the_log(tmp_path: Path, log: Path) -> None:
    document = tmp_path / "game.json"
    done("convert", log, "--pack", CROSSROADS / "pack", "-o", document)
    from_log, from_document = report_of(log), report_of(document)
    for part in ("title", "ruleset", "summary", "moves", "findings", "unknowns", "readings"):
        assert from_log[part] == from_document[part], part
    assert from_document["sources"][0]["kind"] == "analysis"
    assert from_document["sources"][1:] == from_log["sources"]


def test_reports_are_the_ones_that_ship_and_tell_no_key_of_a_player(
    turn_1: Any, turn_2: Any
) -> None:
    shipped = json.loads((CROSSROADS / "expected-report.json").read_text("utf-8"))
    assert {**turn_1, "umpire": None} == {**shipped, "umpire": None}
    text = printed("audit", LOGS[0])
    shipped = (CROSSROADS / "expected-report.txt").read_text("utf-8")
    assert without_version(text) == without_version(shipped)
    assert "-key-of-" not in f"{text}{printed('audit', LOGS[1])}{turn_1}{turn_2}"
