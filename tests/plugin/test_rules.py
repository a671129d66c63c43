"""``umpire rules``: rulesets, clauses, one clause; and ``umpire check-cases``."""

from __future__ import annotations

import json
import re
import tomllib
from importlib.metadata import EntryPoint
from pathlib import Path
from typing import Any

import pytest
from click.testing import Result
from vassal_umpire.plugin import registry
from vassal_umpire.plugin.commands.rules import enforcing
from vassal_umpire.plugin.coverage import CHECKED, own_clauses

from . import kit

CASES = kit.PROJECT / "tests" / "conformance"


def rules(*arguments: object, code: int = 0) -> str:
    result = kit.umpire("rules", *arguments)
    assert result.exit_code == code, result.output
    return result.stdout if code == 0 else result.stderr


def rules_json(*arguments: object) -> Any:
    return json.loads(rules(*arguments, "--format", "json"))


def test_rulesets_and_their_clauses_are_listed_in_80_columns() -> None:
    (generic,) = [r for r in rules_json() if r["name"] == "generic"]
    assert generic["clauses"] == sum(generic["status"].values())
    assert list(generic["status"]) == ["enforced", "declared", "not-observable", "definition"]
    (line,) = [line for line in rules().splitlines() if line.startswith("generic")]
    numbers = [str(generic["clauses"]), *(str(n) for n in generic["status"].values())]
    assert line.split() == ["generic", generic["version"], *numbers]
    plain = rules_json("generic")
    assert all(set(c) == {"id", "title", "kind", "status", "reason"} for c in plain)
    by_id = {c["id"]: c for c in plain}
    assert by_id["GEN-STACKING"]["status"] == "enforced"
    assert by_id["GEN-DECLARED"]["status"] == "declared"
    assert by_id["GEN-DECLARED"]["reason"]
    text = rules("generic")
    assert all(c["id"] in text for c in plain)
    assert by_id["GEN-CLASS"]["reason"].split()[-1] in text
    lines = rules().splitlines()
    for ruleset in rules_json():
        assert any(line.split()[:2] == [ruleset["name"], ruleset["version"]] for line in lines)
    assert max(map(len, lines)) <= 80


def test_a_clause_in_full_with_its_cases() -> None:
    folder = CASES / "generic"
    text = rules("gen-stacking", "--cases", folder)
    for said in ("No more units of a side", "needed", "leaves it open", "move-end", "STACKING-6"):
        assert said in text
    assert "ROAD-1" not in text
    plain = rules_json("GEN-STACKING", "--cases", folder)
    assert plain["ruleset"] == "generic"
    assert "STACKING-6" in plain["cases"]
    assert plain["readings"][0]["default"] == "move-end"


def test_cases_of_the_checkout_or_none(
    project: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.chdir(project)
    assert "ORDER-1" in rules("GEN-ORDER")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("vassal_umpire.plugin.coverage.CONFORMANCE", Path("no-such-folder"))
    assert "No cases were found" in rules("GEN-ORDER")
    assert rules_json("GEN-ORDER")["cases"] is None


def test_checks_sections_and_clauses_can_be_asked_about(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("vassal_umpire.plugin.coverage.CONFORMANCE", Path("no-such-folder"))
    assert "needs no ruleset" in rules("CHK-TAKEBACK")
    plain = rules_json("war-5.3.2")
    assert [c["id"] for c in plain][:2] == ["WAR-5.3.2-a", "WAR-5.3.2-b"]
    assert all(c["id"].startswith("WAR-5.3.2-") for c in plain)
    text = rules("war-5.3.2")
    assert all(c["id"] in text and c["title"] in " ".join(text.split()) for c in plain)
    assert "no clause 'WAR-5.3.2x'" in rules("WAR-5.3.2x", code=2)
    assert rules_json("GEN-STACKING")["id"] == "GEN-STACKING"


def places(plain: Any) -> list[tuple[str, str]]:
    return [(one["function"], one["file"]) for one in plain["code"]]


def test_a_clause_names_the_functions_and_the_case_files_that_hold_it(project: Path) -> None:
    cases = ("--cases", CASES / "ocs")
    plain = rules_json("OCS-6.2d-a", *cases)
    file, bound = (f"validators/rulesets/ocs/{name}.py" for name in ("terrain", "__init__"))
    assert {place[1] for place in places(plain)} == {file, bound}
    assert "cited" in {place[0] for place in places(plain)}
    lines = {one: (project / one).read_text("utf-8").splitlines() for one in (file, bound)}
    assert all("6.2d-a" in lines[one["file"]][one["line"] - 1] for one in plain["code"])
    assert [Path(one).name for one in plain["case_files"]] == ["terrain.toml"]
    text = rules("OCS-6.2d-a", *cases)
    assert f"{plain['code'][0]['file']}:{plain['code'][0]['line']}" in text
    assert "terrain.toml" in text


@pytest.mark.parametrize(
    ("clause", "where", "function"),
    [
        ("GEN-STEP-STOP", "generic/steps.py", "clauses_of"),  # by a constant that it uses
        ("BFM-ZOC-STOP", "generic/zoc.py", "_zoc"),  # by the clause it builds on
        ("BFM-PANZERS", "battle_for_moscow/manifest.toml", ""),  # by the tables alone
        ("CHK-OWNER", "validators/ownership.py", "check_ownership"),
    ],
)
def test_where_a_clause_is_enforced_is_found(clause: str, where: str, function: str) -> None:
    found = places(rules_json(clause, "--cases", CASES / "ocs" / "terrain.toml"))
    assert any(name.startswith(function) and file.endswith(where) for name, file in found), found


def test_a_clause_that_no_code_enforces_says_so() -> None:
    assert rules_json("OCS-6.1-a")["code"] == []
    assert "Not enforced by code." in rules("OCS-6.1-a")


def test_every_clause_that_is_enforced_has_its_place() -> None:
    known = registry.rulesets()
    lost = [
        clause.id
        for owner, ruleset in known.parts.items()
        for clause in own_clauses(ruleset)
        if clause.status in CHECKED and not enforcing(owner, clause, known)
    ]
    assert lost == []


def test_a_clause_is_found_without_its_prefix() -> None:
    cases = ("--cases", CASES / "ocs" / "terrain.toml")
    assert [c["id"] for c in rules_json("6.2D", *cases)][:1] == ["OCS-6.2d-a"]
    assert rules_json("6.2d-A", *cases)["id"] == "OCS-6.2d-a"
    assert "no clause '6.2x'" in rules("6.2x", code=2)


@pytest.mark.ci
def test_clauses_of_several_rulesets_have_their_own_cases() -> None:
    several = rules_json("stacking")
    assert {c["ruleset"] for c in several} >= {"battle-for-moscow", "generic"}
    assert all(c["cases"] and c["case_files"] for c in several)


def test_a_ruleset_that_fails_is_told_of(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = tmp_path / "broken_game"
    folder.mkdir()
    (folder / "manifest.toml").write_text('name = "broken-game"\n', "utf-8")
    init = "from vassal_umpire.validators.rulesets.generic import ruleset\nRULESET = ruleset(__name__)\n"
    (folder / "__init__.py").write_text(init, "utf-8")
    monkeypatch.syspath_prepend(str(tmp_path))
    point = EntryPoint("broken-game", "broken_game:RULESET", registry.RULESETS)
    monkeypatch.setattr(registry, "entry_points", lambda group: [point])
    told = kit.umpire("rules")
    assert told.exit_code == 0
    said = "umpire: warning: ruleset broken-game: broken_game:RULESET cannot be"
    assert told.stderr.startswith(said)
    assert "manifest.toml of broken_game: expected the key version" in told.stderr
    assert told.stderr.count("\n") == 1
    assert "generic" in told.stdout


def test_an_unknown_name_and_a_page_without_cases(monkeypatch) -> None:
    told = rules("GEN-NOTHING", code=2)
    assert "GEN-NOTHING" in told
    assert told.count("\n") == 1
    monkeypatch.setattr("vassal_umpire.plugin.commands.rules._beside", lambda _name, _known: ())
    page = rules("ocs", "--format", "markdown")
    assert "unverifiable |" not in page
    assert "| `OCS-X-STK` |" in page


def test_the_page_of_a_ruleset_names_clauses_once_and_counts_cases() -> None:
    folder = CASES / "ocs"
    page = rules("ocs", "--format", "markdown", "--cases", folder)
    rows = [line.split(" | ") for line in page.splitlines() if line.startswith("| `OCS-")]
    checked = {row[0].strip("|` "): row for row in rows if len(row) == 7}
    below = {row[0].strip("|` ") for row in rows if len(row) == 4 and " or " not in row[2]}
    plain = rules_json("ocs")
    assert {c["id"] for c in plain} == set(checked) | below
    assert {c["id"] for c in plain if c["status"] in ("enforced", "declared")} == set(checked)
    cases = rules_json("OCS-X-STK", "--cases", folder)["cases"]
    assert sum(int(n.strip("| ")) for n in checked["OCS-X-STK"][4:]) == len(cases)


@pytest.mark.parametrize("arguments", [[], ["OCS-X-STK"]])
def test_a_page_tells_of_one_ruleset(arguments: list[str]) -> None:
    error = rules(*arguments, "--format", "markdown", code=2)
    assert "is for one ruleset" in error
    assert "generic, ocs" in error
    assert len(error.strip().splitlines()) == 1


# -- umpire rules new: what it writes installs as it is, and its cases pass ------------------------


def new(*arguments: object) -> Result:
    return kit.umpire("rules", "new", *arguments)


def test_a_folder_is_called_as_the_ruleset(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    kit.done("rules", "new", "war")
    assert (tmp_path / "war" / "war" / "manifest.toml").is_file()
    assert 'prefix = "WAR-"' in (tmp_path / "war" / "war" / "manifest.toml").read_text("utf-8")
    assert "umpire rules new" in kit.umpire("rules", "--help").output
    assert "generic" in kit.umpire("rules").output


def test_nothing_is_written_over(tmp_path: Path) -> None:
    (tmp_path / "mine").mkdir()
    kit.done("rules", "new", "my-game", "-o", tmp_path / "mine")
    before = {path: path.read_bytes() for path in (tmp_path / "mine").rglob("*") if path.is_file()}
    assert before
    again = kit.refused("rules", "new", "my-game", "-o", tmp_path / "mine")
    assert "is not empty; expected a new folder" in again
    assert {path: path.read_bytes() for path in before} == before
    (tmp_path / "file").write_text("mine", "utf-8")
    kit.refused("rules", "new", "my-game", "-o", tmp_path / "file")
    assert (tmp_path / "file").read_text("utf-8") == "mine"


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("My Game", "is not a valid name for a ruleset; expected small letters"),
        ("../x", "is not a valid name for a ruleset"),
        ("9-lives", "is not a valid name for a ruleset"),
        ("generic", "there is a ruleset generic already"),
        ("import", "means something in Python"),
        ("x" * 99, "is not a valid name for a ruleset"),
    ],
)
def test_a_name_that_cannot_be_used_is_one_line(tmp_path: Path, name: str, said: str) -> None:
    result = kit.refused("rules", "new", name, "-o", tmp_path / "new")
    assert said in result
    assert result.count("\n") == 1
    assert not (tmp_path / "new").exists()


# -- umpire check-cases: the page that explains it holds, exit codes, wrong files -------------------


def blocks(project: Path, language: str) -> list[str]:
    page = (project / "docs" / "cases.md").read_text("utf-8")
    return re.findall(rf"```{language}\n(.*?)```", page, re.DOTALL)


@pytest.fixture
def example(project: Path) -> str:
    """The whole file of the page."""
    (text,) = blocks(project, "toml")
    return text


@pytest.fixture
def check(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.chdir(tmp_path)

    def run(text: str, *options: str) -> Result:
        Path("bridge.toml").write_text(text, "utf-8")
        return kit.umpire("check-cases", "bridge.toml", *options)

    return run


def test_the_example_of_the_page_passes(check, example: str, tmp_path: Path) -> None:
    result = check(example)
    assert (result.exit_code, result.output) == (0, "2 passed, 0 failed\n")
    result = check(example.replace(', codes = ["GEN-HEXSIDE-PROHIBITED"]', ""))
    assert (result.exit_code, result.output) == (0, "2 passed, 0 failed\n")
    assert "is not there" in kit.refused("check-cases", tmp_path / "none")


def test_failures_look_as_on_the_page_and_ignored_count(check, example: str, project: Path) -> None:
    result = check(example.replace("cost = 5,", "cost = 4,"))
    (shown,) = blocks(project, "text")
    assert result.exit_code == 1
    assert result.output.strip("\n") == shown.strip("\n")
    result = check(example.replace("[[case]]", '[[case]]\nignore = "the book is unclear"', 1))
    ignored = "ignored  FORD-1 (bridge.toml line 29): the book is unclear"
    assert result.output.splitlines()[-3:] == [ignored, "1 ignored", "1 passed, 0 failed"]
    assert result.exit_code == 0


def test_unsafe_titles_are_spelt_out_and_only_picks(check, example: str) -> None:
    result = check(example, "--verbose", "--only", "FORD-2")
    assert "passed  FORD-2" in result.output
    assert "FORD-1" not in result.output
    assert result.output.endswith("\n1 passed, 0 failed\n")
    result = check(example, "--only", "FORD-9")
    assert result.exit_code == 2
    assert "FORD-9" in result.stderr
    result = check(example.replace('title = "on foot', r'title = "\u001b[31mon foot'), "--verbose")
    assert "\x1b" not in result.output


@pytest.mark.parametrize(
    ("change", "to", "said"),
    [
        ("clear = 1", 'clear = "cheap"',
         "bridge.toml line 29: case FORD-1, rules.terrain.costs.clear"),
        ('"GEN-TERRAIN"]', '"GEN-TERAIN"]',
         "clauses: expected clauses of generic; found GEN-TERAIN"),
        ('"generic"', '"genric"', "ruleset: expected one of battle-for-moscow, generic"),
        ('"a: 0101 0301"', '"a: 0101 0901"', "line 41: case FORD-1, moves[1]: expected hexes"),
        ("[legend]", "[legend", "line 4"),
    ],
)  # fmt: skip
def test_a_wrong_file_is_told(check, example: str, change: str, to: str, said: str) -> None:
    assert change in example
    result = check(example.replace(change, to, 1))
    assert result.exit_code == 2
    assert said in result.stderr
    assert "Traceback" not in result.output
    assert "passed" not in result.stdout


def test_json_tells_of_every_case(check, example: str) -> None:
    result = check(example.replace("cost = 5,", "cost = 4,"), "--format", "json")
    plain = json.loads(result.output)
    assert (result.exit_code, plain["passed"], plain["failed"]) == (1, 1, 1)
    ford, wheels = plain["cases"]
    assert (ford["case"], ford["file"], ford["line"]) == ("FORD-1", "bridge.toml", 29)
    assert ford["expected"] == {"verdict": "legal", "cost": 4, "allowance": 5}
    assert (ford["found"]["verdict"], ford["found"]["cost"]) == ("legal", 5)
    assert ford["differences"] == [{"what": "cost", "expected": "4", "found": "5"}]
    assert wheels["found"]["codes"] == ["GEN-HEXSIDE-PROHIBITED"]


def test_json_holds_the_questions_of_a_case(check, example: str) -> None:
    text = example.replace('lines = ["river: 0101/0201"]\nunits = ["a Red', 'units = ["a Red', 1)
    text = text.replace("ma=5", "ma=?")
    text = text.replace('"legal", cost = 5, allowance = 5', '"unverifiable"')
    text = text.replace('kind = "worked-example"', 'kind = "unverifiable"')
    result = check(text, "--format", "json")
    (question,) = json.loads(result.output)["cases"][0]["found"]["questions"]
    assert question["key"] == "unit a ma"
    assert tomllib.loads(question["stanza"]) == {"unit": [{"unit": "a", "attributes": {"ma": "?"}}]}
