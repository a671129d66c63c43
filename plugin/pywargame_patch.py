"""A patch for pywargame that audits the log it is given and changes nothing.

pywargame's ``vsavpatch.py`` reads a save, hands it to a function ``patch``, and writes back what that
returns; it writes nothing for ``None``. So its users call the umpire from there::

    vsavpatch.py turn-1.vlog SITE-PACKAGES/vassal_umpire/plugin/pywargame_patch.py

The module and the pack are looked for in the working folder and the one above it, as if the log lay there,
or named by ``UMPIRE_MODULE``, ``UMPIRE_PACK``, ``UMPIRE_FACTS`` and ``UMPIRE_RULESET``. The report goes to
standard output; what goes wrong is one line on standard error.
"""

# pywargame loads this file by its path, outside any package: imports cannot be relative here.
from __future__ import annotations

import os
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

from vassal_umpire.importers.vassal.limits import DEFAULT_LIMITS
from vassal_umpire.importers.vassal.savefile import read_save
from vassal_umpire.importers.vassal.writer import saved_game_bytes
from vassal_umpire.model.problem import UmpireError
from vassal_umpire.model.viewer import EVERYONE
from vassal_umpire.plugin.auditing import audit_game, open_game
from vassal_umpire.plugin.discovery import module_file
from vassal_umpire.plugin.printable import printable
from vassal_umpire.plugin.reading import Named
from vassal_umpire.plugin.reports.report import ReportOptions
from vassal_umpire.plugin.reports.text import REPORT
from vassal_umpire.plugin.text_writer import terminal_width, wants_colour

ESC = "\x1b"


def patch(
    lines: Sequence[str], key: int, savedata: bytes, moduledata: bytes, verbose: bool
) -> None:
    """Print the audit of a log as ``vsavpatch.py`` hands it over: ``lines`` are its text cut at ESC,
    ``savedata`` and ``moduledata`` the metadata as stored. Always returns None: nothing is written."""
    del key  # it is for writing back
    try:
        print(_report(_text(lines), savedata, moduledata, verbose), end="")  # noqa: T201
    except UmpireError as error:
        print(f"umpire: {printable(str(error))}", file=sys.stderr)  # noqa: T201


def _text(lines: Sequence[str]) -> str:
    """The text of the log. pywargame takes each byte of most files for a letter, which undone gives
    UTF-8; text that does not was read rightly."""
    text = ESC.join(lines)
    try:
        return text.encode("latin-1").decode("utf-8")
    except UnicodeError:
        return text


def _report(text: str, savedata: bytes, moduledata: bytes, verbose: bool) -> str:
    with tempfile.TemporaryDirectory() as folder:
        log = (
            Path(folder) / "alone" / "log.vlog"
        )  # neighbours of a temporary folder are not its own
        log.parent.mkdir()
        log.write_bytes(saved_game_bytes(text, savedata=savedata, moduledata=moduledata))
        named = Named((log,), _module(log), _named("UMPIRE_PACK"), _named("UMPIRE_FACTS"))
        opened = open_game(named, EVERYONE, DEFAULT_LIMITS)
    audited = audit_game(opened, os.environ.get("UMPIRE_RULESET") or None)
    width = terminal_width()
    options = ReportOptions(width=width, colour=wants_colour(), verbose=verbose)
    return REPORT.render(audited, options)


def _module(log: Path) -> Path | None:
    """The module named, else the one in the working folder that the log asks for."""
    about = read_save(log).module
    here = Path.cwd() / log.name  # as if the log lay here
    return _named("UMPIRE_MODULE") or module_file(here, about, DEFAULT_LIMITS)


def _named(variable: str) -> Path | None:
    value = os.environ.get(variable)
    return Path(value) if value else None
