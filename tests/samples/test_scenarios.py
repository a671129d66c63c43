"""The sample game of each ruleset, against ``due/<name>.toml``: what was worked out by hand."""

from __future__ import annotations

import json
import tomllib
from fractions import Fraction
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from command_line import done, printed, report_of, without_version
from sample_pack import CROSSROADS, SAMPLES

DUE = {
    path.stem: tomllib.loads(path.read_text(encoding="utf-8"))
    for path in sorted((Path(__file__).parent / "due").glob("*.toml"))
}
TIER = {name: () if name == CROSSROADS.name else pytest.mark.ci for name in DUE}
MOVES = [
    pytest.param(name, move, id=f"{name}-{move['at'][0]}:{move['at'][1]}", marks=TIER[name])
    for name, due in DUE.items()
    for move in due["move"]
]
each_sample = pytest.mark.parametrize("name", [pytest.param(n, marks=TIER[n]) for n in DUE])


def arguments(name: str, which: str = "logs") -> list[str]:
    """The files of an audit of the whole sample; ``which``: of the logs whose report ships, if not of all."""
    logs = [str(SAMPLES / name / f"{log}.vlog") for log in DUE[name].get(which, DUE[name]["logs"])]
    facts = DUE[name].get("facts")
    return [*logs, "--facts", str(SAMPLES / name / facts)] if facts else logs


report, told = cache(report_of), cache(printed)


def by_step(found: Any) -> dict[tuple[int, int], Any]:
    return {(m["steps"][0]["log"], m["steps"][0]["step"]): m for m in found["moves"]}


def amount(text: str) -> dict[str, Any]:
    exact = Fraction(text)
    plain = int(exact) if exact.denominator == 1 else str(exact)
    return {"lo": plain, "hi": plain}


def test_every_sample_has_what_is_due() -> None:
    scenarios = {path.parent.name for path in SAMPLES.glob("*/scenario.py")}
    assert set(DUE) == scenarios | {CROSSROADS.name}


@pytest.mark.parametrize(("name", "due"), MOVES)
def test_move_is_judged_as_worked_out_by_hand(name: str, due: dict[str, Any]) -> None:
    found = report(*arguments(name))
    move = by_step(found)[tuple(due["at"])]
    assert sorted(unit["name"] for unit in move["units"]) == sorted(due["units"])
    assert move["verdict"] == due["verdict"]
    if "way" in due:
        assert [move["from"]["name"], move["to"]["name"]] == due["way"].split()
    if "charges" in due:
        found_charges = [c["amount"] for c in move["bill"]["charges"] if c["amount"]["lo"]]
        due_charges = sorted(due["charges"], key=Fraction)
        assert sorted(found_charges, key=lambda one: Fraction(one["lo"])) == [
            *map(amount, due_charges)
        ]
        due = {**due, "spent": str(sum(map(Fraction, due["charges"])))}
    if "spent" in due:
        assert move["bill"]["total"] == amount(due["spent"])
        assert move["bill"]["allowance"] == amount(due["of"])
    if "short" in due:
        assert Fraction(move["bill"]["shortfall"]) == Fraction(due["short"])
    if due["verdict"] == "illegal":
        [code] = {
            f["code"]
            for f in found["findings"]
            if f["kind"] in ("illegal-move", "missed-mp-cost") and f["steps"] == move["steps"]
        }
        assert code == due["clause"]
    if "asks" in due:
        questions = " ".join(found["unknowns"][key]["question"] for key in move["unknowns"])
        assert due["asks"] in questions


@each_sample
def test_nothing_else_is_judged_or_found(name: str) -> None:
    due, found = DUE[name], report(*arguments(name))
    assert set(by_step(found)) == {tuple(move["at"]) for move in due["move"]}
    overstacks = {
        hex_name: finding["code"]
        for finding in found["findings"]
        if finding["kind"] == "overstack"
        for hex_name in finding["hexes"]
    }
    assert overstacks == due.get("overstacks", {})
    left = {(m["steps"][0]["log"], m["steps"][0]["step"]) for m in found["not_judged"]}
    wanted = [*due.get("taken_back", ()), *due.get("not_movement", ())]
    assert left == {tuple(at) for at in wanted}
    notes = {f["code"] for f in found["findings"] if f["kind"] == "note"}
    assert not [code for code in notes if code.startswith("CHK-CONTINUITY")]
    assert found["problems"] == []


@each_sample
def test_report_is_the_one_that_ships(name: str) -> None:
    words = arguments(name, "shipped")
    shipped = json.loads((SAMPLES / name / "expected-report.json").read_text(encoding="utf-8"))
    found = dict(report(*words))
    assert {**found, "umpire": None} == {**shipped, "umpire": None}
    text = (SAMPLES / name / "expected-report.txt").read_text(encoding="utf-8")
    assert without_version(told("audit", *words)) == without_version(text)


@each_sample
def test_analysis_document_is_judged_like_the_logs(name: str, tmp_path: Path) -> None:
    words = arguments(name)
    document = str(tmp_path / "game.json")
    done("convert", *words, "--pack", SAMPLES / name / "pack", "-o", document)
    from_logs, from_document = report(*words), report(document)
    for part in ("title", "ruleset", "summary", "moves", "findings", "unknowns", "readings"):
        assert from_logs[part] == from_document[part], part
    assert from_document["sources"][0]["kind"] == "analysis"


@each_sample
def test_no_key_of_a_player_is_told(name: str) -> None:
    assert "-key-of-" not in json.dumps(report(*arguments(name)))
    assert "-key-of-" not in told("audit", *arguments(name))


def test_facts_settle_what_was_open() -> None:
    facts = CROSSROADS / "settled.toml"
    found = report(*arguments(CROSSROADS.name), "--facts", facts)
    meadow = by_step(found)[1, 13]  # four clear hexes: all of its 4 MPs
    assert (meadow["verdict"], meadow["bill"]["total"]) == ("legal", amount("4"))
    assert not [f for f in found["findings"] if f["kind"] == "unverifiable"]
    (retreat,) = [m for m in found["not_judged"] if m["steps"][0]["log"] == 2]
    assert (retreat["steps"][0]["step"], retreat["form"]) == (
        12,
        "retreat",
    )  # driven back by combat
    assert found["sources"][-1]["kind"] == "facts"
