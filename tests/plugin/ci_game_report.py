"""``umpire game report``: the report with rulings and standings, for each who may read it."""

from __future__ import annotations

import csv
import io
import json
import re
import shutil

import pytest
from jsonschema import Draft202012Validator
from vassal_umpire.importers.game_folder.folder import RULING, Ruling

from .ci_game_mail import words
from .kit import BY_KITE, FEWER_MPS, MODULE, PACK, PROJECT, RIVER, Kept, umpire

SCHEMA = json.loads((PROJECT / "model" / "schemas" / "report.json").read_text("utf-8"))
STACK = "169169db98e5"
SEALED = "past the sealing event: the move of Red at step 3 of log 2, unless it was reported before"


def flat(text: str) -> str:
    """On one line, without the escapes of Markdown and the tags of a page."""
    return " ".join(re.sub(r"<[^>]+>", " ", text.replace("\\", "")).split())


@pytest.fixture(scope="module")
def first_ruled(first_ruled: Kept) -> Kept:
    """A game with two rulings; nothing is found any more of a third offence."""
    first_ruled.done("rule", STACK, "waived", "--because", "both agree", *BY_KITE)
    stanza = '\n[[ruling]]\noffence = "0123456789ab"\ndecision = "agreed"\nbecause = "long ago"\n'
    first_ruled.edit(r"\Z", stanza)
    return first_ruled


def shown(game: Kept, form: str, *eyes: str) -> str:
    """A report of the game, in a form and for a reader."""
    report = game.run("report", "--format", form, *eyes)
    assert report.exit_code == 0, report.output
    return report.stdout


@pytest.mark.parametrize("form", ["text", "markdown", "html"])
def test_every_report_shows_rulings_and_standings_with_the_findings(ruled: Kept, form: str) -> None:
    text = flat(shown(ruled, form))
    assert "3 offences: 1 waived, 1 upheld, 1 without a ruling." in text
    assert "upheld: the river was overlooked (Kite, 2026-11-23)" in text
    assert "waived: both agree (Kite, 2026-11-23)" in text
    assert text.count("nobody has ruled on it") == 1
    assert text.count(SEALED) == 3
    assert text.count(RIVER) == 1
    assert "Rulings on offences no longer found" in text
    assert "0123456789ab agreed: long ago" in text.replace("`", "")
    assert "Integrity" in text
    assert text.count("Nobody is recorded as having looked at hexes 0508, 0608, 0709, 0808;") == 1
    assert "Error procedure: Plain." in text
    found = text[text.index(RIVER) - 900 : text.index(RIVER) + 400]
    assert "0408" in found
    assert "overlooked" in found


def test_the_json_report_has_the_rulings_by_finding(ruled: Kept) -> None:
    told = json.loads(shown(ruled, "json"))
    Draft202012Validator(SCHEMA).validate(told)
    offences = {one["offence"]: one for one in told["rulings"]["offences"]}
    river = offences[RIVER]
    (index,) = river["findings"]
    assert [unit["name"] for unit in told["findings"][index]["units"]] == ["Blue 4 Inf"]
    assert river["standing"] == {"state": "sealed", "at": {"log": 2, "step": 3}, "why": SEALED}
    assert river["ruling"] == {
        "decision": "upheld",
        "because": "the river was overlooked",
        "who": "Kite",
        "when": "2026-11-23",
        "look_again": False,
    }
    (gone,) = told["rulings"]["no_longer_found"]
    assert (gone["offence"], gone["ruling"]["decision"]) == ("0123456789ab", "agreed")
    assert gone["standing"] is None
    assert told["integrity"]["rolls"]


def test_a_changed_finding_is_to_be_looked_at_again_in_the_report(ruled: Kept) -> None:
    ruled.write_facts(FEWER_MPS)
    text = flat(ruled.run("report").stdout)
    assert "overlooked (Kite, 2026-11-23); what was found has changed since: look again" in text
    assert "Look again at 1 ruling." in text


def test_bare_logs_have_no_rulings(ruled: Kept) -> None:
    logs = [ruled.path / "logs" / name for name in ("turn-1.vlog", "turn-2.vlog")]
    audited = umpire("audit", *logs, "--module", MODULE, "--pack", PACK)
    assert "ruling" not in audited.stdout
    page = words(shown(ruled, "html").encode())
    assert "Crossroads" in page
    assert not re.search(r"class=|[<>]", page)


@pytest.mark.usefixtures("hidden")
@pytest.mark.parametrize("form", ["text", "markdown", "html", "json"])
def test_a_ruling_on_what_is_hidden_is_told_to_those_who_may_know_it(
    ruled: Kept, form: str
) -> None:
    shutil.rmtree(ruled.path / ".umpire", ignore_errors=True)  # of an audit that hides nothing
    ruled.edit('overlooked"', 'overlooked"\nhidden = true')
    for eyes in ((), ("--as", "Blue")):
        told = shown(ruled, form, *eyes)
        assert "waived" in told
        assert "overlooked" not in told
        assert RIVER not in told
    for eyes in (("--as", "Red"), ("--director",)):
        assert "overlooked" in shown(ruled, form, *eyes)


@pytest.mark.parametrize("form", ["text", "markdown", "html", "json"])
def test_a_ruling_on_something_hidden_that_is_gone_is_the_directors(ruled: Kept, form: str) -> None:
    stanza = RULING.write(Ruling("ba9876543210", "upheld", "an ambush", hidden=True))
    lines = [f"{key} = {json.dumps(value)}" for key, value in stanza.items()]
    ruled.edit(r"\Z", "\n".join(["\n[[ruling]]", *lines, ""]))
    assert ruled.read().rulings[-1].hidden
    for eyes in ((), ("--as", "Red")):
        told = shown(ruled, form, *eyes)
        assert "long ago" in told
        assert "an ambush" not in told
        assert "ba9876543210" not in told
        assert form != "text" or "ba9876543210" not in ruled.status(*eyes)
    assert "an ambush" in shown(ruled, form, "--director")


def test_the_table_holds_offences_and_rulings(ruled: Kept) -> None:
    rows = list(csv.DictReader(io.StringIO(shown(ruled, "csv"))))
    found = {row["offence"]: row for row in rows if row["record"] == "finding" and row["standing"]}
    assert len(found) == 3
    assert {row["standing"] for row in found.values()} == {SEALED}
    keys = ("ruling", "because", "who", "when")
    assert [found[RIVER][key] for key in keys] == [
        "upheld",
        "the river was overlooked",
        "Kite",
        "2026-11-23",
    ]
    assert [found[STACK][key] for key in keys] == ["waived", "both agree", "Kite", "2026-11-23"]
    (bare,) = (row for name, row in found.items() if name not in (RIVER, STACK))
    assert [bare[key] for key in keys] == ["", "", "", ""]
    (gone,) = (row for row in rows if row["record"] == "no longer found")
    assert (gone["offence"], gone["ruling"]) == ("0123456789ab", "agreed")
    assert gone["because"] == "long ago"
    (procedure,) = (row["text"] for row in rows if row["kind"] == "procedure")
    assert procedure == "Plain"


@pytest.mark.parametrize("form", ["text", "markdown", "html"])
def test_a_report_names_the_game(begun: Kept, form: str) -> None:
    report = shown(begun, form)
    assert report.count("Audit of Round 1 (Crossroads)") == 1
    assert (form == "html") == ("<h1>Round 1 (Crossroads)</h1>" in report)
