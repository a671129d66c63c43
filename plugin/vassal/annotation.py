"""An annotated copy of a log: the steps as they are, the umpire's remarks between them.

A log's text is a list of groups between ESC characters (``VASSAL.build.GameModule.encode``); a group that
holds a ``LOG`` command is a step. New groups go between two old ones: no old group is read and written again.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from ... import __version__
from ...importers.vassal.archive import open_archive
from ...importers.vassal.commands import Command, is_readable
from ...importers.vassal.commands.stream import LOG, encode_step, leaves, parse_stream
from ...importers.vassal.limits import Limits
from ...importers.vassal.metadata import Metadata
from ...importers.vassal.savefile import SaveFile, read_save
from ...importers.vassal.sequence import join
from ...importers.vassal.writer import saved_game_bytes
from ...model.finding import Audit
from ...model.problem import CannotAudit, UmpireError, Unreadable
from ...model.table import TableHistory
from ..auditing import Backdrop, Opened
from ..printable import printable
from ..reports.phrases import viewer_text, vouching
from .remarks import commands_of

_BETWEEN = re.compile(r"(?<!\\)\x1b")
"""Ends a group; after a backslash it is part of one."""


def insert_steps(
    text: str, added: Mapping[int, Sequence[Sequence[Command]]], *, where: str, max_nesting: int
) -> str:
    """``text`` with steps added after the steps ``added`` names, as VASSAL counts them; after 0 they
    come before the first step.

    Raises :class:`Unreadable` if the text cannot be cut without touching its groups.
    """
    groups = _BETWEEN.split(text)
    read = list(parse_stream(text))
    if len(groups) != len(read):
        raise Unreadable(
            "cannot be annotated: its steps cannot be told apart without rewriting them",
            where=where,
        )
    counted, first = _numbers(read, max_nesting)
    last = {number: index for index, number in enumerate(counted) if number is not None}
    after: dict[int, list[str]] = {}
    for number, steps in sorted(added.items()):
        index = last.get(number, first - 1 if number == 0 else len(groups) - 1)
        after.setdefault(index, []).extend(encode_step(step) for step in steps)
    written = [*_group_quoted(after.pop(-1, []))]
    for index, group in enumerate(groups):
        written.append(group)
        written.extend(_group_quoted(after.get(index, [])))
    return "\x1b".join(written)


def _numbers(groups: Sequence[str], max_nesting: int) -> tuple[list[int | None], int]:
    """The number VASSAL gives the step in each group (None: it is none), and where the first one is."""
    counted: list[int | None] = []
    engine_number, first = 0, len(groups)
    for index, group in enumerate(groups):
        parts = leaves(group, max_nesting)
        number = None
        if any(part.startswith(LOG) for part in parts):
            logged = [part.removeprefix(LOG) for part in parts]
            first = min(first, index)
            if any(map(is_readable, logged)):
                engine_number += 1
                number = engine_number
        counted.append(number)
    return counted, first


def _group_quoted(groups: Sequence[str]) -> list[str]:
    """Groups as members of the list they go into: the delimiters inside them made letters."""
    return [join([group], "\x1b") for group in groups]


def annotated(
    log: Path, number: int, audit: Audit, opened: Opened, limits: Limits, viewer: str
) -> bytes:
    """An annotated copy of ``log``, the ``number``-th of the game (from 1), as a zip without a comment.

    ``audit`` is what may be said in it. Raises :class:`UmpireError` where the log cannot be read or has
    no steps.
    """
    backdrop = _backdrop(opened)
    save = read_save(log, limits)
    if not save.steps:
        raise UmpireError(
            "is a saved game without steps; there is nothing to annotate",
            where=log.name,
            expected="a log (.vlog)",
        )
    taken = _ids(backdrop.evidence.history)
    added = commands_of(audit, opened.game, backdrop.places.centres, number, taken)
    text = insert_steps(save.text, added, where=log.name, max_nesting=limits.nesting)
    return saved_game_bytes(
        text,
        moduledata=_moduledata(log, limits),
        savedata=_savedata(save, audit, viewer),
        encoding=save.encoding,
        key=save.key,
    )


def _backdrop(opened: Opened) -> Backdrop:
    if opened.backdrop is None:
        raise CannotAudit("an analysis document cannot be annotated", expected="logs of VASSAL")
    return opened.backdrop


def _ids(history: TableHistory) -> set[str]:
    """Every id a piece, stack or deck has at any time."""
    found: set[str] = set()
    for log in history.logs:
        found.update(log.opening.pieces, log.opening.stacks, log.opening.decks)
        for step in log.steps:
            found.update(change.id for change in step.changes)
            found.update(change.id for change in step.stacks)
    return found


def _moduledata(log: Path, limits: Limits) -> bytes | None:
    """As it is stored: VASSAL looks there for the module."""
    with open_archive(log, limits) as archive:
        if archive.is_zip and "moduledata" in archive:
            return archive.read("moduledata")
    return None


def _savedata(save: SaveFile, audit: Audit, viewer: str) -> Metadata:
    """What VASSAL shows of the file when it is opened: that it is annotated, by whom, for whom."""
    pack = "".join(f"{label} {text}, " for label, text in vouching(audit))
    note = (
        f"Annotated by vassal-umpire {__version__} (ruleset {audit.ruleset}, {printable(pack)}shows "
        f"{viewer_text(viewer)}):"
        f" the log {printable(save.where)}, SHA-256 {save.sha256}, with the umpire's remarks."
    )
    before = save.savedata or Metadata()
    return replace(
        before, description=" ".join(part for part in (before.description, note) if part)
    )
