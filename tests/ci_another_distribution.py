"""A ruleset in a distribution of its own (tests/ford): built, installed into a folder, and used by every
command that asks for rulesets."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from vassal_umpire.importers.analysis.document import document, encode
from vassal_umpire.importers.cases.load import read_cases

FORD = Path(__file__).parent / "ford"
CASES = {case.id: case for case in read_cases([FORD / "ford_game" / "cases"])}
Umpire = Callable[..., str]


def ran(arguments: list[str], code: int, **environment: str) -> str:
    done = subprocess.run(
        [sys.executable, *arguments],
        capture_output=True,
        encoding="utf-8",
        env={**os.environ, **environment},
        check=False,
    )
    assert done.returncode == code, done.stderr + done.stdout
    return done.stdout


@pytest.fixture(scope="module")
def installed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder that the distribution is installed into, from its wheel and without a network."""
    home = tmp_path_factory.mktemp("ford")
    source = home / "source"
    shutil.copytree(FORD, source, ignore=shutil.ignore_patterns("__pycache__"))
    pip = ["-m", "pip", "--disable-pip-version-check"]
    bare = ["--no-deps", "--no-build-isolation", "--no-index", "--quiet"]
    ran([*pip, "wheel", *bare, "--wheel-dir", str(home), str(source)], 0)
    (wheel,) = home.glob("*.whl")
    shutil.rmtree(source)
    ran([*pip, "install", *bare, "--target", str(home / "installed"), str(wheel)], 0)
    return home / "installed"


ANSWERS = """
import json, sys
from click.testing import CliRunner
from vassal_umpire.plugin.cli import main

for line in sys.stdin:
    found = CliRunner().invoke(main, json.loads(line))
    print(json.dumps([found.exit_code, found.stdout, found.output]), flush=True)
"""


@pytest.fixture(scope="module")
def umpire(installed: Path) -> Iterator[Umpire]:
    """Runs commands, in one process, where the distribution is installed."""
    pipe, path = subprocess.PIPE, {**os.environ, "PYTHONPATH": str(installed)}
    command = [sys.executable, "-c", ANSWERS]
    with subprocess.Popen(command, env=path, stdin=pipe, stdout=pipe, text=True) as process:
        assert process.stdin is not None
        assert process.stdout is not None

        def run(*words: object, code: int = 0) -> str:
            process.stdin.write(json.dumps([*map(str, words)]) + "\n")
            process.stdin.flush()
            ended, told, all_told = json.loads(process.stdout.readline())
            assert ended == code, all_told
            return str(told)

        yield run
        process.stdin.close()


def test_it_is_listed_with_its_own_clauses(umpire: Umpire) -> None:
    (found,) = (
        one for one in json.loads(umpire("rules", "--format", "json")) if one["name"] == "ford-game"
    )
    assert (found["version"], found["clauses"]) == ("1.0", 10)
    assert "Watched fords" in umpire("rules", "FORD-9")


def test_its_cases_run(umpire: Umpire) -> None:
    assert umpire("check-cases", "--ruleset", "ford-game").endswith(
        f"{len(CASES)} passed, 0 failed\n"
    )
    assert "WATCHED-OPEN" in umpire("rules", "FORD-9")


def test_its_schema_is_that_of_the_base_and_its_own(umpire: Umpire) -> None:
    charts = json.loads(umpire("schema", "ford-game"))["properties"]
    assert {"terrain", "zoc", "guns"} <= charts.keys()
    assert "ford-game" in umpire("schema").split()


def test_its_page_is_what_is_written_by_hand_and_what_it_covers(umpire: Umpire) -> None:
    page = umpire("rules", "ford-game", "--format", "markdown")
    assert page.startswith("# The ruleset `ford-game`\n")
    assert f"{len(CASES)} cases" in page
    assert "| `FORD-9` | Watched fords | prohibition | enforced | 1 | 1 | 1 |" in page


def test_a_game_is_judged_by_it(umpire: Umpire, tmp_path: Path) -> None:
    game = CASES["WATCHED"].game
    (tmp_path / "game.json").write_bytes(encode(document(game=game)))
    told = json.loads(umpire("audit", tmp_path / "game.json", "--format", "json", code=1))
    assert [move["verdict"] for move in told["moves"]] == ["illegal"]
    assert {finding["code"] for finding in told["findings"]} == {"FORD-9"}
    assert "Watched fords" in umpire("audit", tmp_path / "game.json", code=1)


def test_a_first_pack_has_its_attributes_phases_and_forms(
    umpire: Umpire, project: Path, tmp_path: Path
) -> None:
    sample = project / "samples" / "crossroads"
    files = (sample / "crossroads.vmod", sample / "turn-1.vlog")
    pack = tmp_path / "mine"
    umpire("pack", "new", *files, "-o", pack, "--ruleset", "ford-game")
    text = (pack / "pack.toml").read_text("utf-8")
    assert 'ruleset = "ford-game"' in text
    assert 'guns = { column = "guns" }' in text
    assert '[[phase]]\nname = "March"' in text
    assert '[[form]]\nname = "march"' in text
    assert "brings these complete" in text
    report = umpire(
        "audit", files[1], "--pack", pack, "--format", "json", code=3
    )  # nothing is decided
    told = json.loads(report)
    assert {move["verdict"] for move in told["moves"]} <= {"unverifiable"}


FORMS = """
import json
from vassal_umpire.plugin.registry import rulesets
from vassal_umpire.plugin.studio.rules_forms import RulesForms

values = {"pack": {"name": "p", "version": "1", "ruleset": "ford-game"}, "rules": {}}
forms = RulesForms(rulesets().get("ford-game"), values, ("Blue", "Red"))
wrong = forms.change(("rules", "guns", "wood"), "two")
right = forms.change(("rules", "guns", "wood"), "2")
print(json.dumps([forms.plain({}), wrong.error, right.error]))
"""


def test_the_studio_shows_its_tables_and_checks_what_is_typed(installed: Path) -> None:
    told, wrong, right = json.loads(ran(["-c", FORMS], 0, PYTHONPATH=str(installed)))
    charts = {chart["name"]: chart for chart in told["charts"]}
    assert (charts["guns"]["state"], charts["guns"]["clauses"]) == ("whole", ["FORD-8"])
    (row,) = charts["guns"]["form"]["rows"]
    assert (row["name"], row["node"]["printed"]) == ("wood", "1")
    assert told["faults"] == []
    assert "a whole number of MPs" in wrong
    assert right == ""


def test_without_it_nobody_knows_of_it(tmp_path: Path) -> None:
    assert "ford-game" not in ran(["-m", "vassal_umpire", "rules"], 0)
