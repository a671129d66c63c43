"""The section on integrity in every report: what it says, to whom, and what it is not."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
import tables
from jsonschema import Draft202012Validator
from vassal_umpire.importers.vassal.limits import DEFAULT_LIMITS
from vassal_umpire.model.finding import Audit
from vassal_umpire.model.game import StepRef
from vassal_umpire.model.integrity import Integrity, Roll, Tally, Trace
from vassal_umpire.model.reveal import Announced, Concealed, Revealed
from vassal_umpire.model.unit import Unit
from vassal_umpire.model.viewer import DIRECTOR, EVERYONE, Viewer
from vassal_umpire.plugin.auditing import Opened, audit_game, open_game
from vassal_umpire.plugin.reading import Named
from vassal_umpire.plugin.registry import reports
from vassal_umpire.plugin.reports.report import ReportOptions
from vassal_umpire.plugin.shown import with_integrity, with_true_names
from vassal_umpire.validators.integrity import dice_tests

from . import kit
from .kit import LOGS, PACK, TURN_1

SCHEMA = json.loads((kit.PROJECT / "model" / "schemas" / "report.json").read_text("utf-8"))
AT = StepRef(1, 7)


def many(player: str, counts: tuple[int, ...]) -> Tally:
    sides = range(1, len(counts) + 1)
    return Tally(
        player, "Red", "d6", sum(counts), tuple(zip(sides, counts, strict=True)),
        tuple((side, 1) for side in sides),
    )  # fmt: skip


TALLIES = (many("Ann", (90, 2, 2, 2, 2, 2)),)
ALL = Integrity(
    True,
    tuple(Trace("came", (AT,), f"<i>{n}</i> came into the game", "Ann", "Red") for n in range(12)),
    (
        Roll(AT, "Ann", "Red", "d6", ("4",), "d6", (4,), "attack <0405>", StepRef(1, 9)),
        Roll(AT, "Ann", "Red", "luck", ("heads",)),
        Roll(AT, "", None, "d6", ()),
    ),
    TALLIES,
    (("Ann", 1), ("", 1)),
    dice_tests(TALLIES),
)
HIDDEN = Concealed(
    "7", "2 <i>Inf</i>", "Red", "hidden", ("Blue",), "", AT, StepRef(1, 9), "0101",
    ((AT, "0101"), (StepRef(1, 8), "0102")), "0102", (1,),
)  # fmt: skip
MASKED = replace(HIDDEN, kind="masked", by_name="?", last=None, again="", moves=())
REVEALED = Revealed(
    (HIDDEN, MASKED), (Announced(AT, "7", "2 Inf", "Ann", "2 Inf to 0105", ("0105",), "0101"),)
)
BARE = Audit("Game", "generic", "1", (), (), ())


def rendered(form: str, found: Integrity, *, verbose: bool = False) -> str:
    options = ReportOptions(verbose=verbose, width=500)
    return reports().get(form).render(replace(BARE, integrity=found), options)


def unescaped(text: str) -> str:
    return text.replace("\\", "").replace("&#34;", '"').replace("&lt;", "<").replace("&gt;", ">")


@pytest.mark.parametrize("form", ["text", "markdown", "html"])
def test_every_report_for_people_has_the_section_and_what_was_hidden(form: str) -> None:
    text = rendered(form, ALL, verbose=True)
    plain = unescaped(text)
    assert "Counters that came into the game (12)" in plain
    assert "11</i> came into the game (Red (Ann))" in plain
    assert 'd6 = 4, said before: "attack <0405>"; taken back in step 9' in plain
    assert "luck = heads (not counted: these are not its dice)" in plain
    assert "1 roll of Ann of which the result was not read" in plain
    assert "1 roll of which the result was not read" in plain
    assert "90 × 1, 2 × 2" in plain
    assert "chi-square 387.20 with 5 degrees of freedom over 100 rolls of d6: p = " in plain
    assert form == "text" or "<i>0</i>" not in text  # nothing of others is markup
    found = replace(BARE, integrity=ALL, revealed=REVEALED)
    text = reports().get(form).render(found, ReportOptions(width=500))
    plain = unescaped(text)
    assert "Hidden, and not where it was last seen (1)" in plain
    assert (
        "2 <i>Inf</i> of Red was hidden from Blue, who saw it last in 0101; it lay in 0101,"
        " 0102 (from step 8); known again in 0102"
    ) in plain
    assert "was masked from Blue, who saw it as ?; it lay in 0101, 0102 (from step 8)" in plain
    assert 'Ann: "2 Inf to 0105": 2 Inf is named with 0105, and lay in 0101' in plain
    assert form == "text" or "<i>Inf" not in text


def test_long_lists_are_cut_and_the_json_report_fits_its_schema() -> None:
    assert "and 2 more (--verbose)" in rendered("text", ALL)
    assert "2 more (`--verbose`)" in rendered("markdown", ALL)
    told = json.loads(rendered("json", ALL))
    Draft202012Validator(SCHEMA).validate(told)
    assert told["integrity"]["rolls"][0]["taken_back"] == {"log": 1, "step": 9}
    assert told["integrity"]["ledger"][0]["results"][0] == {"result": 1, "count": 90, "chance": 1}
    found = replace(BARE, integrity=ALL, revealed=REVEALED)
    told = json.loads(reports().get("json").render(found, ReportOptions()))
    Draft202012Validator(SCHEMA).validate(told)
    assert [one["differs"] for one in told["revealed"]["concealed"]] == [True, False]


def test_what_was_not_tested_asked_or_cannot_be_told_is_not_told() -> None:
    without = replace(ALL, tests=None)
    for form in ("text", "markdown", "html"):
        assert "chi-square" not in rendered(form, without)
    assert "tests" not in json.loads(rendered("json", without))["integrity"]
    few = replace(ALL, tallies=(many("Ann", (1,) * 6),), tests=())
    assert "from 100 rolls" in rendered("text", few)
    assert "holds no dice" in rendered("text", Integrity(False))
    assert "There is nothing of the kind" in rendered("text", Integrity())
    options = ReportOptions()
    assert "Integrity" not in reports().get("text").render(BARE, options)
    assert "integrity" not in json.loads(reports().get("json").render(BARE, options))


@pytest.mark.parametrize("viewer", [EVERYONE, Viewer("Red"), DIRECTOR])
def test_dice_are_tested_for_the_director_alone(viewer: Viewer) -> None:
    opened = open_game(Named(LOGS), viewer, DEFAULT_LIMITS)
    shown = with_integrity(opened, audit_game(opened, None), viewer)
    assert shown.integrity is not None
    assert (shown.integrity.tests is not None) == viewer.director
    rolls = [(roll.side, roll.dice, roll.results) for roll in shown.integrity.rolls]
    assert rolls == [("Blue", "2d6", ("9",)), ("Red", "2d6", ("11",))]


@pytest.mark.ci
def test_what_is_told_here_is_told_once_in_text_and_stays_a_finding_in_json() -> None:
    said = "Red moved Blue 2 Tank of Blue from 0707 to 0607"
    for form in ("text", "markdown"):
        text = kit.umpire("audit", *LOGS, "--format", form).stdout
        assert " ".join(text.split()).count(said) == 1
    told = kit.report_of(*LOGS)
    (trace,) = told["integrity"]["traces"]
    assert trace["kind"] == "other-side"
    assert told["findings"][trace["finding"]]["explanation"] == trace["text"] == said


@pytest.mark.ci
def test_the_section_does_not_show_in_the_exit_code(monkeypatch: pytest.MonkeyPatch) -> None:
    before = kit.umpire("audit", TURN_1, "--fail-on", "note")
    monkeypatch.setattr(
        "vassal_umpire.plugin.shown.with_integrity",
        lambda _opened, shown, _viewer: replace(shown, integrity=ALL),
    )
    after = kit.umpire("audit", TURN_1, "--fail-on", "note")
    assert "12" in after.stdout
    assert (before.exit_code, before.stdout == after.stdout) == (after.exit_code, False)


def test_reveal_shows_everything_and_says_where_nothing_was_hidden() -> None:
    found = kit.umpire("audit", TURN_1, "--reveal").stdout
    assert "No unit was hidden or masked from another side." in found
    assert "director" in found.lower()
    assert "Revealed" not in kit.umpire("audit", TURN_1, "--director").stdout


def test_reveal_calls_hidden_units_by_their_own_names() -> None:
    units = Unit("1", "a hidden counter", "Blue", seen_by=("Blue",)), Unit("2", "B Coy", "Red")
    pieces = tables.piece("1", "7th Tank"), tables.piece("2", "changed later")
    backdrop: Any = SimpleNamespace(
        evidence=SimpleNamespace(history=tables.history(opening=pieces))
    )
    named = with_true_names(Opened(tables.game(units), (), backdrop)).game.units
    assert [unit.name for unit in named.values()] == ["7th Tank", "B Coy"]


def test_reveal_is_for_one_who_may_know_all_and_needs_logs(tmp_path: Path) -> None:
    said = kit.refused("audit", TURN_1, "--reveal", "--as", "Red")
    assert "--as and --reveal exclude each other" in said
    document = tmp_path / "game.json"
    kit.done("convert", TURN_1, "--pack", PACK, "-o", document)
    said = kit.refused("audit", document, "--reveal")
    assert "--reveal does not go with an analysis document" in said
