"""The command line as a whole: help, exit codes, one line for every error."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from collections.abc import Callable
from importlib.metadata import EntryPoint
from typing import NoReturn

import click
import pytest
from click.testing import Result
from vassal_umpire import __version__
from vassal_umpire.model.problem import CannotAudit, Problem, UmpireError, Unreadable, WrongPack
from vassal_umpire.plugin import cli, registry

from . import kit


def failing(error: BaseException) -> Callable[[], NoReturn]:
    def fail() -> NoReturn:
        raise error

    return fail


@pytest.fixture
def run_failing(monkeypatch: pytest.MonkeyPatch) -> Callable[..., Result]:
    """Runs ``umpire schema`` with a body that raises."""

    def run(error: BaseException, *options: str) -> Result:
        command = click.Command("schema", callback=failing(error))
        monkeypatch.setattr(cli.Umpire, "get_command", lambda *_: command)
        return kit.umpire(*options, "schema")

    return run


@pytest.mark.parametrize("name", cli.COMMANDS)
def test_every_command_explains_itself_with_an_example(name: str) -> None:
    result = kit.done(name, "--help")
    assert f"  umpire {name} " in result.split("Examples:")[1]
    assert max(len(line) for line in result.splitlines()) <= 80


def test_help_and_version_are_told_and_an_unknown_command_is_bad_usage() -> None:
    result = kit.done("--help")
    for name in cli.COMMANDS:
        assert re.search(rf"^  {name} ", result, re.MULTILINE)
    assert "Exit codes: 0" in result
    result = kit.umpire("--version")
    assert result.output == f"umpire, version {__version__}\n"
    assert "adjudicate" in kit.refused("adjudicate")


@pytest.mark.parametrize(
    ("error", "code"),
    [
        (Unreadable("is cut short", where="turn-1.vlog", expected="a zip"), 2),
        (CannotAudit("no pack fits"), 3),
        (FileNotFoundError(2, "No such file", "turn-1.vlog"), 2),
    ],
)
def test_an_error_is_one_line_and_an_exit_code(
    run_failing: Callable[..., Result], error: Exception, code: int
) -> None:
    result = run_failing(error)
    assert result.exit_code == code
    assert result.stdout == ""
    assert result.stderr.startswith("umpire: ")
    assert result.stderr.count("\n") == 1


@pytest.mark.parametrize(
    ("hint", "flags"),
    [
        (
            "raise the limits on size and ratio if the file is to be trusted",
            " (--max-size, --max-ratio)",
        ),
        ("raise the limit on commands if the file is to be trusted", " (--max-commands)"),
        ("the file was probably cut short; fetch it again", ""),
    ],
)
def test_a_limit_is_told_with_the_flags_that_raise_it(
    run_failing: Callable[..., Result], hint: str, flags: str
) -> None:
    result = run_failing(Unreadable("is too large", where="a.vlog", hint=hint))
    assert result.stderr == f"umpire: a.vlog: is too large; {hint}{flags}\n"


def test_a_wrong_pack_lists_its_first_problems(run_failing: Callable[..., Result]) -> None:
    faults = (
        Problem("pack", "expected a name; found 3", "pack.toml line 2"),
        Problem("pack", "expected a hex; found 'x'", "hexes.csv line 9"),
    )
    result = run_failing(WrongPack("does not fit", faults, where="packs/tld"))
    assert result.exit_code == 2
    assert result.stderr.splitlines()[1:] == [
        "  pack.toml line 2: expected a name; found 3",
        "  hexes.csv line 9: expected a hex; found 'x'",
    ]
    told = ((f"expected a hex; found {n}", f"facts.toml line {n}") for n in range(1, 5001))
    many = [Problem("facts", message, where) for message, where in told]
    other = Problem("schema", "expected a name; found 3", "facts.toml line 9000")
    result = run_failing(WrongPack("does not fit", (*many, other), where="facts.toml"))
    lines = result.stderr.splitlines()
    assert lines[0] == "umpire: facts.toml: 5,001 problems"
    assert lines[20] == "  facts.toml line 20: expected a hex; found 20"
    assert lines[21:] == ["  facts.toml line 9000: expected a name; found 3", "  and 4,980 more"]


def test_a_bug_is_owned_up_to_and_disturbs_nothing(run_failing: Callable[..., Result]) -> None:
    result = run_failing(ZeroDivisionError("secret of the input"))
    assert result.exit_code == 70
    assert "bug in umpire" in result.stderr
    assert "ZeroDivisionError" in result.stderr
    assert "Traceback" not in result.stderr
    assert "secret of the input" not in result.stderr
    result = run_failing(Unreadable("holds \x1b[2J and \u202e", where="a\nb.vlog"))
    assert result.stderr == "umpire: a\\nb.vlog: holds \\x1b[2J and \\u202e\n"
    result = run_failing(KeyboardInterrupt())
    assert result.exit_code == 130
    assert result.stderr.count("\n") == 1


def test_debug_tells(run_failing: Callable[..., Result], monkeypatch: pytest.MonkeyPatch) -> None:
    assert "Traceback" in run_failing(ZeroDivisionError("x"), "--debug").stderr
    monkeypatch.setenv("UMPIRE_DEBUG", "1")
    assert "Traceback" in run_failing(ZeroDivisionError("x")).stderr


LOADING = """
import sys, runpy
class CtrlC:
    def find_spec(self, name, path=None, target=None):
        if name == {name!r}:
            raise KeyboardInterrupt
sys.meta_path.insert(0, CtrlC())
sys.argv = ["umpire", "--help"]
runpy.run_module("vassal_umpire", run_name="__main__")
"""


@pytest.mark.ci
@pytest.mark.parametrize("name", ["click", "vassal_umpire.plugin.commands.show"])
def test_an_interrupt_while_the_program_is_loaded_is_one_line(name: str) -> None:
    program = [sys.executable, "-c", LOADING.format(name=name)]
    result = subprocess.run(program, capture_output=True, text=True, check=False)
    assert result.stderr == "umpire: interrupted; nothing half done was left behind\n"
    assert result.returncode == cli.INTERRUPTED


def python_m(*arguments: str, **environment: str) -> subprocess.Popen[bytes]:
    command, pipe = [sys.executable, "-m", "vassal_umpire", *arguments], subprocess.PIPE
    return subprocess.Popen(command, stdout=pipe, stderr=pipe, env={**os.environ, **environment})


@pytest.mark.ci
def test_a_closed_pipe_makes_no_noise() -> None:
    process = python_m("schema", "report")
    assert process.stdout is not None
    assert process.stderr is not None
    process.stdout.close()
    assert process.stderr.read() == b""
    assert process.wait() == 141
    process.stderr.close()


def test_a_console_that_lacks_a_character_gets_a_plainer_one() -> None:
    code = (
        "from vassal_umpire.plugin.printable import never_fail_to_print as f;"
        "f(); print('0101 → 0103 ½ – 漢 12½ 3⅛')"
    )
    ascii_alone = {**os.environ, "PYTHONIOENCODING": "ascii"}
    command = [sys.executable, "-c", code]
    done = subprocess.run(command, capture_output=True, check=True, env=ascii_alone)
    assert done.stdout == b"0101 -> 0103 1/2 - ? 12 1/2 3 1/8\n"


def given(monkeypatch: pytest.MonkeyPatch, *points: tuple[str, str]) -> None:
    """Installs entry points, and those alone."""
    found = [EntryPoint(name, value, registry.REPORTS) for name, value in points]
    monkeypatch.setattr(registry, "entry_points", lambda group: found)


def test_reports_need_no_metadata_others_add_theirs(monkeypatch: pytest.MonkeyPatch) -> None:
    given(monkeypatch)
    assert sorted(registry.reports().parts) == ["csv", "html", "json", "markdown", "text"]
    assert {"generic", "ocs"} <= registry.rulesets().parts.keys()
    given(monkeypatch, ("brief", "vassal_umpire.plugin.reports.text:REPORT"))
    assert registry.reports().get("brief") is registry.reports().get("text")
    given(monkeypatch, ("json", "vassal_umpire.plugin.reports.text:REPORT"))
    assert registry.reports().get("json").suffix == ".json"


def test_what_the_installed_metadata_names_is_what_the_checkout_says() -> None:
    """They may be older than a part that was added since: it is found all the same."""
    for group in (registry.REPORTS, registry.RULESETS):
        installed = {point.name: point for point in registry.entry_points(group=group)}
        parts = registry._collect("x", group, "name").parts
        shipped = registry.shipped(group)
        assert {point.name for point in shipped} <= parts.keys()
        for point in shipped:
            if point.name in installed:
                assert installed[point.name].value == point.value
                assert installed[point.name].load() is parts[point.name]


@pytest.mark.parametrize(
    "value", ["no_such_package:REPORT", "json:no_such_name", "json:dumps", "antigravity_:x"]
)
def test_a_plugin_that_fails_is_a_problem(monkeypatch: pytest.MonkeyPatch, value: str) -> None:
    given(monkeypatch, ("broken", value))
    found = registry.reports()
    assert sorted(found.parts) == ["csv", "html", "json", "markdown", "text"]
    (problem,) = found.problems
    assert problem.where == "report broken"
    assert value in problem.message
    with pytest.raises(
        UmpireError,
        match="there is no report 'broken'; expected one of csv, html, json, markdown, text; ",
    ):
        found.get("broken")
