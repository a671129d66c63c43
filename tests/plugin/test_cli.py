"""The command line as a whole: help, exit codes, one line for every error."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from collections.abc import Callable
from typing import NoReturn

import click
import pytest
from click.testing import CliRunner, Result
from vassal_umpire import __version__
from vassal_umpire.model.problem import CannotAudit, Problem, Unreadable, WrongPack
from vassal_umpire.plugin import cli


def failing(error: BaseException) -> Callable[[], NoReturn]:
    def fail() -> NoReturn:
        raise error

    return fail


@pytest.fixture
def run_failing(runner: CliRunner, monkeypatch: pytest.MonkeyPatch) -> Callable[..., Result]:
    """Runs ``umpire schema`` with a body that raises."""

    def run(error: BaseException, *options: str) -> Result:
        command = click.Command("schema", callback=failing(error))
        monkeypatch.setattr(cli.Umpire, "get_command", lambda *_: command)
        return runner.invoke(cli.main, [*options, "schema"])

    return run


@pytest.mark.parametrize("name", cli.COMMANDS)
def test_every_command_explains_itself_with_an_example(runner: CliRunner, name: str) -> None:
    result = runner.invoke(cli.main, [name, "--help"])
    assert result.exit_code == 0
    assert f"  umpire {name} " in result.output.split("Examples:")[1]
    assert max(len(line) for line in result.output.splitlines()) <= 80


def test_the_main_help_lists_the_commands_and_exit_codes(runner: CliRunner) -> None:
    result = runner.invoke(cli.main, ["--help"])
    assert result.exit_code == 0
    for name in cli.COMMANDS:
        assert re.search(rf"^  {name} ", result.output, re.MULTILINE)
    assert "Exit codes: 0" in result.output


def test_version(runner: CliRunner) -> None:
    result = runner.invoke(cli.main, ["--version"])
    assert result.output == f"umpire, version {__version__}\n"


def test_an_unknown_command_is_bad_usage(runner: CliRunner) -> None:
    result = runner.invoke(cli.main, ["adjudicate"])
    assert result.exit_code == 2
    assert "adjudicate" in result.stderr


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


def test_a_wrong_pack_lists_its_problems(run_failing: Callable[..., Result]) -> None:
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


def test_of_many_problems_of_a_kind_the_first_are_told(run_failing: Callable[..., Result]) -> None:
    many = [
        Problem("facts", f"expected a hex; found {n}", f"facts.toml line {n}")
        for n in range(1, 5001)
    ]
    other = Problem("schema", "expected a name; found 3", "facts.toml line 9000")
    result = run_failing(WrongPack("does not fit", (*many, other), where="facts.toml"))
    lines = result.stderr.splitlines()
    assert lines[0] == "umpire: facts.toml: 5,001 problems"
    assert lines[20] == "  facts.toml line 20: expected a hex; found 20"
    assert lines[21:] == ["  facts.toml line 9000: expected a name; found 3", "  and 4,980 more"]


def test_an_error_cannot_disturb_the_terminal(run_failing: Callable[..., Result]) -> None:
    result = run_failing(Unreadable("holds \x1b[2J and \u202e", where="a\nb.vlog"))
    assert result.stderr == "umpire: a\\nb.vlog: holds \\x1b[2J and \\u202e\n"


def test_a_bug_is_owned_up_to_without_a_traceback(run_failing: Callable[..., Result]) -> None:
    result = run_failing(ZeroDivisionError("secret of the input"))
    assert result.exit_code == 70
    assert "bug in umpire" in result.stderr
    assert "ZeroDivisionError" in result.stderr
    assert "Traceback" not in result.stderr
    assert "secret of the input" not in result.stderr


def test_debug_shows_the_traceback(
    run_failing: Callable[..., Result], monkeypatch: pytest.MonkeyPatch
) -> None:
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


def test_an_interrupt_is_no_bug(run_failing: Callable[..., Result]) -> None:
    result = run_failing(KeyboardInterrupt())
    assert result.exit_code == 130
    assert result.stderr.count("\n") == 1


def python_m(*arguments: str, **environment: str) -> subprocess.Popen[bytes]:
    return subprocess.Popen(
        [sys.executable, "-m", "vassal_umpire", *arguments],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env={**os.environ, **environment},
    )


@pytest.mark.ci
def test_a_closed_pipe_makes_no_noise() -> None:
    process = python_m("schema", "report")
    assert process.stdout is not None
    assert process.stderr is not None
    process.stdout.close()
    assert process.stderr.read() == b""
    assert process.wait() == 141
    process.stderr.close()


def test_a_console_that_lacks_a_character_gets_a_plainer_one(runner: CliRunner) -> None:
    code = (
        "from vassal_umpire.plugin.printable import never_fail_to_print as f;"
        "f(); print('0101 → 0103 ½ – 漢')"
    )
    done = subprocess.run(
        [sys.executable, "-c", code],
        capture_output=True,
        check=True,
        env={**os.environ, "PYTHONIOENCODING": "ascii"},
    )
    assert done.stdout.split() == [b"0101", b"->", b"0103", b"1/2", b"-", b"?"]
