"""``umpire game report``: the report with rulings and standings, for each who may read it."""

from __future__ import annotations

import csv
import io
import json
import re
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft202012Validator
from vassal_umpire.importers.game_folder.folder import Ruling, read_game_folder
from vassal_umpire.model.finding import Audit
from vassal_umpire.plugin.auditing import audit_game
from vassal_umpire.plugin.desk.ruling import plain_ruling

from .ci_game_mail import words
from .test_game import TURN_1, TURN_2, folder, umpire
from .test_game_fog import for_red_alone

__all__ = ["folder"]

SCHEMA = json.loads(
    (Path(__file__).resolve().parents[2] / "model" / "schemas" / "report.json").read_text("utf-8")
)
RIVER, STACK = "cc2bc8b6e6bb", "d7b216e73b5b"
SEALED = "past the sealing event: the move of Red at step 3 of log 2, unless it was reported before"


def flat(text: str) -> str:
    """On one line, without the escapes of Markdown and the tags of a page."""
    return " ".join(re.sub(r"<[^>]+>", " ", text.replace("\\", "")).split())


@pytest.fixture
def ruled(folder: Path) -> Path:
    """A game with two rulings; nothing is found any more of a third offence."""
    umpire("game", "add", folder, TURN_1, TURN_2)
    for which, decision, why in ((RIVER, "upheld", "overlooked"), (STACK, "waived", "both agree")):
        umpire("game", "rule", folder, which, decision, "--because", why, "--who", "Kite",
               "--when", "2026-11-23")  # fmt: skip
    stanza = '\n[[ruling]]\noffence = "0123456789ab"\ndecision = "agreed"\nbecause = "long ago"\n'
    game = folder / "game.toml"
    game.write_text(game.read_text("utf-8") + stanza, "utf-8")
    return folder


@pytest.mark.parametrize("form", ["text", "markdown", "html"])
def test_every_report_shows_rulings_and_standings_beside_the_findings(
    ruled: Path, form: str
) -> None:
    report = umpire("game", "report", ruled, "--format", form)
    assert report.exit_code == 0, report.output
    text = flat(report.stdout)
    assert "3 offences: 1 waived, 1 upheld, 1 without a ruling." in text
    assert "upheld: overlooked (Kite, 2026-11-23)" in text
    assert "waived: both agree (Kite, 2026-11-23)" in text
    assert text.count("nobody has ruled on it") == 1
    assert text.count(SEALED) == 3
    assert text.count(RIVER) == 1
    assert "Rulings on what is no longer found" in text
    assert "0123456789ab agreed: long ago" in text.replace("`", "")
    assert "Integrity" in text
    assert text.count("Nobody is recorded to have looked at hexes 0508, 0608, 0709, 0808;") == 1
    assert "Error procedure: Plain." in text
    found = text[text.index(RIVER) - 900 : text.index(RIVER) + 400]
    assert "0408" in found
    assert "overlooked" in found


def test_the_json_report_has_the_rulings_by_finding(ruled: Path) -> None:
    told = json.loads(umpire("game", "report", ruled, "--format", "json").stdout)
    Draft202012Validator(SCHEMA).validate(told)
    offences = {one["offence"]: one for one in told["rulings"]["offences"]}
    river = offences[RIVER]
    (index,) = river["findings"]
    assert [unit["name"] for unit in told["findings"][index]["units"]] == ["Blue 4 Inf"]
    assert river["standing"] == {"state": "sealed", "at": {"log": 2, "step": 3}, "why": SEALED}
    assert river["ruling"] == {
        "decision": "upheld",
        "because": "overlooked",
        "who": "Kite",
        "when": "2026-11-23",
        "look_again": False,
    }
    (gone,) = told["rulings"]["no_longer_found"]
    assert (gone["offence"], gone["ruling"]["decision"]) == ("0123456789ab", "agreed")
    assert gone["standing"] is None
    assert told["integrity"]["rolls"]


def test_a_changed_finding_is_to_be_looked_at_again_in_the_report(ruled: Path) -> None:
    facts = '[[unit]]\nunit = "1790000000108"\nattributes = { ma = 3 }\n'
    (ruled / "facts.toml").write_text(facts, "utf-8")
    text = flat(umpire("game", "report", ruled).stdout)
    assert "overlooked (Kite, 2026-11-23); what was found has changed since: look again" in text
    assert "Look again at 1 ruling." in text


def test_an_audit_of_bare_logs_tells_of_no_rulings(ruled: Path) -> None:
    logs = [ruled / "logs" / name for name in ("turn-1.vlog", "turn-2.vlog")]
    module = TURN_1.with_name("crossroads.vmod")
    audited = umpire("audit", *logs, "--module", module, "--pack", TURN_1.parent / "pack")
    assert "ruling" not in audited.stdout


def hide(monkeypatch: pytest.MonkeyPatch) -> None:
    """What is found of 4 Inf is for Red alone."""

    def audit(opened: Any, *arguments: Any) -> Audit:
        return for_red_alone(opened, audit_game(opened, *arguments))[1]

    monkeypatch.setattr("vassal_umpire.plugin.shown.audit_game", audit)


@pytest.mark.parametrize("form", ["text", "markdown", "html", "json"])
@pytest.mark.parametrize("eyes", [(), ("--as", "Blue")])
def test_a_ruling_on_what_is_hidden_is_told_to_those_who_may_know_it(
    ruled: Path, form: str, eyes: tuple[str, ...], monkeypatch: pytest.MonkeyPatch
) -> None:
    hide(monkeypatch)
    shown = umpire("game", "report", ruled, "--format", form, *eyes).stdout
    assert "waived" in shown
    assert "overlooked" not in shown
    assert RIVER not in shown
    assert "overlooked" in umpire("game", "report", ruled, "--format", form, "--as", "Red").stdout
    assert "overlooked" in umpire("game", "report", ruled, "--format", form, "--director").stdout


@pytest.mark.parametrize("form", ["text", "markdown", "html", "json"])
def test_a_ruling_on_something_hidden_that_is_gone_is_the_directors(ruled: Path, form: str) -> None:
    stanza = plain_ruling(Ruling("ba9876543210", "upheld", "an ambush", hidden=True))
    lines = [f"{key} = {json.dumps(value)}" for key, value in stanza.items()]
    game = ruled / "game.toml"
    game.write_text(game.read_text("utf-8") + "\n".join(["\n[[ruling]]", *lines, ""]), "utf-8")
    assert read_game_folder(ruled).rulings[-1].hidden
    for eyes in ((), ("--as", "Red")):
        told = umpire("game", "report", ruled, "--format", form, *eyes).stdout
        assert "long ago" in told
        assert "an ambush" not in told
        assert "ba9876543210" not in told
        assert "ba9876543210" not in umpire("game", "status", ruled, *eyes).output
    assert "an ambush" in umpire("game", "report", ruled, "--format", form, "--director").stdout


def test_dice_are_tested_in_the_directors_copy_alone(ruled: Path) -> None:
    for eyes in ((), ("--as", "Red"), ("--director",)):
        told = json.loads(umpire("game", "report", ruled, "--format", "json", *eyes).stdout)
        assert ("tests" in told["integrity"]) == (eyes == ("--director",))


def test_nothing_of_the_markup_is_read_on_the_page(ruled: Path) -> None:
    shown = words(umpire("game", "report", ruled, "--format", "html").stdout.encode())
    assert "Crossroads" in shown
    assert not re.search(r"class=|[<>]", shown)


def test_the_table_holds_offences_and_rulings(ruled: Path) -> None:
    report = umpire("game", "report", ruled, "--format", "csv")
    assert report.exit_code == 0, report.output
    rows = list(csv.DictReader(io.StringIO(report.stdout)))
    found = {row["offence"]: row for row in rows if row["record"] == "finding" and row["standing"]}
    assert len(found) == 3
    assert {row["standing"] for row in found.values()} == {SEALED}
    keys = ("ruling", "because", "who", "when")
    assert [found[RIVER][key] for key in keys] == ["upheld", "overlooked", "Kite", "2026-11-23"]
    assert [found[STACK][key] for key in keys] == ["waived", "both agree", "Kite", "2026-11-23"]
    (bare,) = (row for name, row in found.items() if name not in (RIVER, STACK))
    assert [bare[key] for key in keys] == ["", "", "", ""]
    (gone,) = (row for row in rows if row["record"] == "no longer found")
    assert (gone["offence"], gone["ruling"]) == ("0123456789ab", "agreed")
    assert gone["because"] == "long ago"
    (procedure,) = (row["text"] for row in rows if row["kind"] == "procedure")
    assert procedure == "Plain"


@pytest.mark.parametrize("form", ["text", "markdown", "html"])
def test_a_report_names_the_game(folder: Path, form: str) -> None:
    umpire("game", "add", folder, TURN_1)
    report = umpire("game", "report", folder, "--format", form).stdout
    assert report.count("Audit of Round 1 (Crossroads)") == 1
    assert (form == "html") == ("<h1>Round 1 (Crossroads)</h1>" in report)
