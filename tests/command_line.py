"""The command line, and the audit of files, run in this process."""

from __future__ import annotations

import json
from typing import Any

from click.testing import CliRunner, Result
from vassal_umpire.importers.vassal.limits import DEFAULT_LIMITS
from vassal_umpire.model.finding import Audit
from vassal_umpire.model.game import Game
from vassal_umpire.model.viewer import Viewer
from vassal_umpire.plugin.auditing import audit_game, open_game
from vassal_umpire.plugin.cli import main
from vassal_umpire.plugin.reading import Named


def audit_files(named: Named, viewer: Viewer) -> tuple[Audit, Game]:
    """The audit of the files and its game, as ``viewer`` is told."""
    opened = open_game(named, viewer, DEFAULT_LIMITS)
    return audit_game(opened, None), opened.game


def umpire(*words: object) -> Result:
    return CliRunner().invoke(main, [str(word) for word in words])


def done(*words: object, code: int = 0) -> str:
    """What a command prints that does what it should."""
    result = umpire(*words)
    assert result.exit_code == code, result.output
    return result.output


def printed(*words: object, codes: tuple[int, ...] = (0, 1)) -> str:
    """What a command says on stdout that finds something or nothing; ``codes``: how else it may end."""
    result = umpire(*words)
    assert result.exit_code in codes, result.output
    return result.stdout


def report_of(*words: object, codes: tuple[int, ...] = (0, 1)) -> Any:
    """The JSON report of an audit."""
    return json.loads(printed("audit", *words, "--format", "json", codes=codes))


def without_version(report: str) -> list[str]:
    """The lines of a report but the one that names the program's version."""
    return [line for line in report.splitlines() if "applied by" not in line]
