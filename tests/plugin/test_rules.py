"""``umpire rules``: rulesets, clauses, one clause."""

from __future__ import annotations

import json
from importlib.metadata import EntryPoint
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner
from vassal_umpire.plugin import cli, registry


@pytest.fixture
def rules(runner: CliRunner):
    def run(*arguments: str, code: int = 0) -> str:
        result = runner.invoke(cli.main, ["rules", *arguments])
        assert result.exit_code == code, result.output
        return result.stdout if code == 0 else result.stderr

    return run


def as_json(text: str) -> Any:
    return json.loads(text)


def test_rulesets_with_their_counts(rules) -> None:
    (generic,) = [r for r in as_json(rules("--format", "json")) if r["name"] == "generic"]
    assert generic["clauses"] == sum(generic["status"].values())
    assert list(generic["status"]) == ["enforced", "declared", "not-observable", "definition"]
    (line,) = [line for line in rules().splitlines() if line.startswith("generic")]
    numbers = [str(generic["clauses"]), *(str(n) for n in generic["status"].values())]
    assert line.split() == ["generic", generic["version"], *numbers]


def test_the_clauses_of_a_ruleset(rules) -> None:
    plain = as_json(rules("generic", "--format", "json"))
    assert all(set(c) == {"id", "title", "kind", "status", "reason"} for c in plain)
    by_id = {c["id"]: c for c in plain}
    assert by_id["GEN-STACKING"]["status"] == "enforced"
    assert by_id["GEN-DECLARED"]["status"] == "declared"
    assert by_id["GEN-DECLARED"]["reason"]
    text = rules("generic")
    assert all(c["id"] in text for c in plain)
    assert by_id["GEN-CLASS"]["reason"].split()[-1] in text


@pytest.mark.ci
def test_a_clause_in_full_with_its_cases(rules, project: Path) -> None:
    folder = str(project / "tests" / "conformance")
    text = rules("gen-stacking", "--cases", folder)
    for said in ("No more units of a side", "needed", "leaves it open", "move-end", "STACKING-6"):
        assert said in text
    assert "ROAD-1" not in text
    plain = as_json(rules("GEN-STACKING", "--format", "json", "--cases", folder))
    assert plain["ruleset"] == "generic"
    assert "STACKING-6" in plain["cases"]
    assert plain["readings"][0]["default"] == "move-end"


def test_cases_are_found_in_the_checkout(
    rules, project: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(project)
    assert "ORDER-1" in rules("GEN-ORDER")


def test_where_no_cases_are_at_hand_it_says_so(
    rules, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("vassal_umpire.plugin.ruleset_parts.CONFORMANCE", Path("no-such-folder"))
    assert "None are at hand" in rules("GEN-ORDER")
    assert as_json(rules("GEN-ORDER", "--format", "json"))["cases"] is None


@pytest.mark.ci
def test_checks_that_need_no_ruleset_can_be_asked_about(rules) -> None:
    assert "needs no ruleset" in rules("CHK-TAKEBACK")


def test_a_ruleset_that_cannot_be_loaded_is_told_of(
    runner: CliRunner, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / "broken_game"
    folder.mkdir()
    (folder / "manifest.toml").write_text('name = "broken-game"\n', "utf-8")
    init = "from vassal_umpire.validators.base import ruleset\nRULESET = ruleset(__name__)\n"
    (folder / "__init__.py").write_text(init, "utf-8")
    monkeypatch.syspath_prepend(str(tmp_path))
    point = EntryPoint("broken-game", "broken_game:RULESET", registry.RULESETS)
    monkeypatch.setattr(registry, "entry_points", lambda group: [point])
    told = runner.invoke(cli.main, ["rules"])
    assert told.exit_code == 0
    assert told.stderr.startswith(
        "umpire: warning: ruleset broken-game: broken_game:RULESET cannot be"
    )
    assert "manifest.toml of broken_game: expected the key version" in told.stderr
    assert told.stderr.count("\n") == 1
    assert "generic" in told.stdout


def test_an_unknown_name_is_one_line(rules) -> None:
    told = rules("GEN-NOTHING", code=2)
    assert "GEN-NOTHING" in told
    assert told.count("\n") == 1


@pytest.mark.ci
def test_the_page_of_a_ruleset_names_every_clause_once_and_counts_its_cases(
    rules, project: Path
) -> None:
    folder = str(project / "tests" / "conformance")
    page = rules("ocs", "--format", "markdown", "--cases", folder)
    rows = [line.split(" | ") for line in page.splitlines() if line.startswith("| `OCS-")]
    checked = {row[0].strip("|` "): row for row in rows if len(row) == 7}
    below = {row[0].strip("|` ") for row in rows if len(row) == 4 and " or " not in row[2]}
    plain = as_json(rules("ocs", "--format", "json"))
    assert {c["id"] for c in plain} == set(checked) | below
    assert {c["id"] for c in plain if c["status"] in ("enforced", "declared")} == set(checked)
    cases = as_json(rules("OCS-X-STK", "--format", "json", "--cases", folder))["cases"]
    assert sum(int(n.strip("| ")) for n in checked["OCS-X-STK"][4:]) == len(cases)


def test_a_page_without_cases_at_hand_counts_none(rules, tmp_path: Path, monkeypatch) -> None:
    monkeypatch.setattr("vassal_umpire.plugin.commands.rules._beside", lambda _name, _known: ())
    page = rules("ocs", "--format", "markdown")
    assert "unverifiable |" not in page
    assert "| `OCS-X-STK` |" in page


@pytest.mark.parametrize("arguments", [[], ["OCS-X-STK"]])
def test_a_page_tells_of_one_ruleset(rules, arguments: list[str]) -> None:
    error = rules(*arguments, "--format", "markdown", code=2)
    assert "tells of one ruleset" in error
    assert "generic, ocs" in error
    assert len(error.strip().splitlines()) == 1


@pytest.mark.ci
def test_a_section_of_the_rules_lists_its_clauses(rules) -> None:
    plain = as_json(rules("war-5.3.2", "--format", "json"))
    assert [c["id"] for c in plain][:2] == ["WAR-5.3.2-a", "WAR-5.3.2-b"]
    assert all(c["id"].startswith("WAR-5.3.2-") for c in plain)
    text = rules("war-5.3.2")
    assert all(c["id"] in text and c["title"] in " ".join(text.split()) for c in plain)
    assert "no clause 'WAR-5.3.2x'" in rules("WAR-5.3.2x", code=2)
    assert as_json(rules("GEN-STACKING", "--format", "json"))["id"] == "GEN-STACKING"


def test_names_of_rulesets_are_not_broken_in_80_columns(rules) -> None:
    lines = rules().splitlines()
    for ruleset in as_json(rules("--format", "json")):
        assert any(line.split()[:2] == [ruleset["name"], ruleset["version"]] for line in lines)
    assert max(map(len, lines)) <= 80
