"""``umpire doctor`` and ``umpire completion``."""

from __future__ import annotations

import importlib.metadata
import json
import os
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest
from vassal_umpire.plugin import installed
from vassal_umpire.plugin.user_folder import PLACE

from . import kit


def hide(monkeypatch: pytest.MonkeyPatch, *names: str) -> None:
    """Let distributions look as if they were not installed."""

    def version(name: str) -> str:
        if name in names:
            raise importlib.metadata.PackageNotFoundError(name)
        return importlib.metadata.version(name)

    monkeypatch.setattr(installed, "version", version)


def test_the_sheet_names_rulesets_and_extras_with_their_use(project: Path) -> None:
    result = kit.umpire("doctor")
    assert result.exit_code == 0
    rulesets = result.stdout.split("\nRulesets\n")[1].split("\nReports\n")[0]
    assert "from vassal-umpire: " in rulesets
    assert " generic 1.0" in rulesets
    assert result.stdout.endswith("umpire works here.\n")
    assert f"what the studio remembers: {os.environ[PLACE]}\n" in result.stdout
    assert max(map(len, result.stdout.splitlines())) <= 80
    settings = tomllib.loads((project / "pyproject.toml").read_text("utf-8"))
    extras = settings["project"]["optional-dependencies"]
    told = json.loads(kit.umpire("doctor", "--format", "json").stdout)["extras"]
    assert [name for name in extras if not told.get(name, {}).get("purpose")] == []


def test_a_user_without_a_home_is_told_about_his_installation(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """As in a container that runs as any number."""
    for name in ("HOME", PLACE):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setattr(os, "getuid", lambda: 987_654)
    assert "umpire works here." in kit.done("doctor")


@pytest.mark.parametrize(
    ("mark", "command"),
    [
        ("pipx_metadata.json", "pipx inject vassal-umpire starlette uvicorn"),
        ("uv-receipt.toml", "uv pip install --python {python} starlette uvicorn"),
        ("", "{python} -m pip install starlette uvicorn"),
    ],
)
def test_a_missing_extra_is_no_fault_and_told_with_the_command_that_installs_it(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, mark: str, command: str
) -> None:
    hide(monkeypatch, "starlette", "uvicorn")
    monkeypatch.setattr(sys, "prefix", str(tmp_path))
    if mark:
        (tmp_path / mark).touch()
    result = kit.umpire("doctor")
    assert result.exit_code == 0
    assert "\n  studio, incomplete: " in result.stdout
    assert "missing: starlette, uvicorn" in result.stdout
    assert ("\n  dev, " in result.stdout) == (not mark)
    assert f"      {command.format(python=sys.executable)}\n" in result.stdout


def test_a_missing_library_is_a_fault(monkeypatch: pytest.MonkeyPatch) -> None:
    hide(monkeypatch, "rich")
    result = kit.umpire("doctor")
    assert result.exit_code == 1
    assert result.stderr.startswith("umpire: rich missing; install with: ")
    assert result.stdout == ""
    told = json.loads(kit.umpire("doctor", "--format", "json").stdout)
    assert told["libraries"]["rich"] is None
    assert len(told["problems"]) == 1


def test_a_ruleset_that_fails_is_a_fault(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    about = tmp_path / "strange_rules-1.0.dist-info"
    about.mkdir()
    (about / "METADATA").write_text("Metadata-Version: 2.1\nName: strange-rules\nVersion: 1.0\n")
    (about / "entry_points.txt").write_text("[vassal_umpire.rulesets]\nstrange = strange_rules:X\n")
    monkeypatch.syspath_prepend(str(tmp_path))
    result = kit.umpire("doctor")
    assert result.exit_code == 1
    assert "ruleset strange: strange_rules:X cannot be loaded" in result.stdout
    (tmp_path / "strange_rules.py").write_text("class X:\n    name = 'strange'\n    version = '7'")
    result = kit.umpire("doctor")
    assert result.exit_code == 0
    assert "from strange-rules: strange 7" in result.stdout


def test_a_terminal_without_all_signs_is_told() -> None:
    result = subprocess.run(
        [sys.executable, "-m", "vassal_umpire", "doctor"],
        env={**os.environ, "PYTHONIOENCODING": "ascii"},
        capture_output=True,
        text=True,
        check=True,
    )
    assert "ascii: cannot show every character" in result.stdout


@pytest.mark.parametrize(("there", "told"), [(True, "vassal.jar"), (False, None)])
def test_the_engine_that_is_named_is_looked_for(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, there: bool, told: str | None
) -> None:
    jar = tmp_path / "vassal.jar"
    if there:
        jar.touch()
    monkeypatch.setenv("UMPIRE_ENGINE", str(jar))
    engine = json.loads(kit.umpire("doctor", "--format", "json").stdout)["engine"]
    assert engine == (str(jar) if told else None)


def test_bash_completes_commands_and_options(tmp_path: Path) -> None:
    if shutil.which("bash") is None:
        pytest.skip("there is no bash on this machine")
    umpire = tmp_path / "umpire"
    umpire.write_text(f'#!/bin/sh\nexec "{sys.executable}" -m vassal_umpire "$@"\n')
    umpire.chmod(0o755)
    script = kit.umpire("completion", "bash").stdout
    typed = f"""
        complete_last() {{
            COMPREPLY=(); COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _umpire_completion {umpire}
            echo "${{COMPREPLY[@]}}"
        }}
        complete_last umpire aud
        complete_last umpire audit --rul
    """
    result = subprocess.run(
        ["bash", "-c", f"{script}\n{typed}"], capture_output=True, text=True, check=True
    )
    assert result.stdout.splitlines() == ["audit", "--ruleset"]


@pytest.mark.parametrize("shell", ["zsh", "fish"])
def test_the_other_shells_have_a_script(shell: str) -> None:
    result = kit.umpire("completion", shell)
    assert result.exit_code == 0
    assert f"_UMPIRE_COMPLETE={shell}_complete" in result.stdout


def test_a_shell_without_completion_is_told_in_one_line() -> None:
    result = kit.refused("completion", "powershell")
    assert result.count("\n") == 1
    assert "PowerShell is not supported" in result


@pytest.mark.parametrize(("shell", "told"), [("/bin/zsh", ["zsh"]), ("", ["bash", "zsh", "fish"])])
def test_without_a_shell_it_says_how_to_switch_it_on(
    monkeypatch: pytest.MonkeyPatch, shell: str, told: list[str]
) -> None:
    monkeypatch.setenv("SHELL", shell)
    lines = kit.umpire("completion").stdout.splitlines()
    asked = [line.split()[2] for line in lines if line.startswith("  umpire completion ")]
    assert asked == told
