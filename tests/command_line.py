"""The command line, run in this process."""

from __future__ import annotations

from click.testing import CliRunner, Result
from vassal_umpire.plugin.cli import main


def umpire(*words: object) -> Result:
    return CliRunner().invoke(main, [str(word) for word in words])


def done(*words: object, code: int = 0) -> str:
    """What a command prints that does what it should."""
    result = umpire(*words)
    assert result.exit_code == code, result.output
    return result.output
