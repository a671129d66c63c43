"""``umpire rules new``: what it writes installs as it is, and its cases pass."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner, Result
from vassal_umpire.plugin.cli import main


def new(*arguments: object) -> Result:
    return CliRunner().invoke(main, ["rules", "new", *map(str, arguments)])


def python(*arguments: object, path: Path | None = None) -> str:
    more = {} if path is None else {"PYTHONPATH": str(path)}
    done = subprocess.run(
        [sys.executable, *map(str, arguments)],
        capture_output=True,
        encoding="utf-8",
        env={**os.environ, **more},
        check=False,
    )
    assert done.returncode == 0, done.stderr + done.stdout
    return done.stdout


@pytest.mark.ci
def test_it_installs_and_its_cases_pass(tmp_path: Path) -> None:
    made = tmp_path / "made"
    said = new("small-war", "-o", made)
    assert said.exit_code == 0, said.output
    installed = tmp_path / "installed"
    options = ["--no-deps", "--no-build-isolation", "--no-index", "--quiet", "--target", installed]
    python("-m", "pip", "--disable-pip-version-check", "install", *options, made)
    umpire = ("-m", "vassal_umpire")
    cases = python(*umpire, "check-cases", "--ruleset", "small-war", path=installed)
    assert cases == "2 passed, 0 failed\n"
    assert "SW-1" in python(*umpire, "rules", "small-war", path=installed)
    page = python(*umpire, "rules", "small-war", "--format", "markdown", path=installed)
    assert "| `SW-1` | Movement | allowance | enforced | 1 | 1 | 0 |" in page


def test_without_a_folder_it_is_called_as_the_ruleset(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    assert new("war").exit_code == 0
    assert (tmp_path / "war" / "war" / "manifest.toml").is_file()
    assert 'prefix = "WAR-"' in (tmp_path / "war" / "war" / "manifest.toml").read_text("utf-8")


def test_nothing_is_written_over(tmp_path: Path) -> None:
    (tmp_path / "mine").mkdir()
    assert new("my-game", "-o", tmp_path / "mine").exit_code == 0
    before = {path: path.read_bytes() for path in (tmp_path / "mine").rglob("*") if path.is_file()}
    assert before
    again = new("my-game", "-o", tmp_path / "mine")
    assert again.exit_code == 2
    assert "is not empty; expected a new folder" in again.output
    assert {path: path.read_bytes() for path in before} == before
    (tmp_path / "file").write_text("mine", "utf-8")
    assert new("my-game", "-o", tmp_path / "file").exit_code == 2
    assert (tmp_path / "file").read_text("utf-8") == "mine"


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("My Game", "is no name for a ruleset; expected small letters"),
        ("../x", "is no name for a ruleset"),
        ("9-lives", "is no name for a ruleset"),
        ("generic", "there is a ruleset generic already"),
        ("import", "means something in Python"),
        ("x" * 99, "is no name for a ruleset"),
    ],
)
def test_a_name_that_cannot_be_used_is_one_line(tmp_path: Path, name: str, said: str) -> None:
    result = new(name, "-o", tmp_path / "new")
    assert result.exit_code == 2
    assert said in result.output
    assert result.output.count("\n") == 1
    assert not (tmp_path / "new").exists()


def test_rules_go_on_listing_rulesets() -> None:
    assert "umpire rules new" in CliRunner().invoke(main, ["rules", "--help"]).output
    assert "generic" in CliRunner().invoke(main, ["rules"]).output
