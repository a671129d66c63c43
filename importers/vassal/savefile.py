"""Saved games and logs, from file to opening table and steps."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from itertools import chain
from pathlib import Path
from typing import Literal

from ...model.problem import Problem, Unreadable
from .archive import Archive, open_archive
from .commands import (
    Check,
    SaveText,
    StepText,
    Undo,
    decode_command,
    is_cut_short,
    read_text,
    why_unread,
)
from .commands.stream import ESC
from .limits import DEFAULT_LIMITS, Limits
from .metadata import Metadata
from .obfuscation import BEGIN, Decoded, Encoding, decode

_COUNTED_KINDS = 20
_WIDE = re.compile("[\U00010000-\U0010ffff]")


@dataclass(frozen=True, slots=True)
class SaveFile:
    """A save or log as read.

    ``savedata`` is the file's own metadata, ``moduledata`` the copy of the module's
    metadata (its name and version); either may be missing. ``opening`` and ``steps`` hold the own
    texts of the commands; ``text`` is the whole decoded text, with lone surrogates for bytes that
    are not UTF-8. ``encoding``, ``key`` and ``capitals`` are what ``obfuscation.encode`` needs to give
    the same bytes again.
    """

    where: str
    sha256: str
    encoding: Encoding
    key: int
    text: str = field(repr=False)
    opening: tuple[str, ...] = field(repr=False)
    steps: tuple[StepText, ...] = field(repr=False)
    moduledata: Metadata | None = None
    savedata: Metadata | None = None
    problems: tuple[Problem, ...] = ()
    capitals: bool = False

    @property
    def kind(self) -> Literal["save", "log"]:
        """``log`` if it has steps, else a save; nothing else distinguishes them."""
        return "log" if self.steps else "save"

    @property
    def module(self) -> Metadata | None:
        """The module as the file names it: by the copy of the module's metadata or, before VASSAL 3.1, by the
        version check. None: not named."""
        if self.moduledata is not None and self.moduledata.name:
            return self.moduledata
        for text in self.opening:
            if text.startswith("CHECK\t"):
                command = decode_command(text)
                if isinstance(command, Check) and command.module is not None:
                    return Metadata(*command.module)
        return self.moduledata

    @property
    def vassal_version(self) -> str:
        """Version of the engine that wrote the file, empty if it does not say."""
        if self.savedata is not None and self.savedata.vassal_version:
            return self.savedata.vassal_version
        for text in self.opening:
            if text.startswith("CHECK\t"):
                command = decode_command(text)
                if isinstance(command, Check) and command.version:
                    return command.version
        return self.moduledata.vassal_version if self.moduledata is not None else ""


def read_save(
    source: Path | str | bytes | Archive, limits: Limits = DEFAULT_LIMITS, where: str = ""
) -> SaveFile:
    """Read a ``.vsav``, ``.vlog`` or bare saved text, whatever its extension says.

    Raises :class:`Unreadable` if the file is damaged, holds no saved game, cannot be unwrapped, or passes
    a limit. Smaller faults are in ``problems``.
    """
    if isinstance(source, Archive):
        return _read(source, limits)
    with open_archive(source, limits, where) as archive:
        return _read(archive, limits)


def _read(archive: Archive, limits: Limits) -> SaveFile:
    decoded = decode(archive.read_saved_game(), archive.where, limits)
    _check_size(decoded.text, limits, archive.where)
    try:
        cut = read_text(_body(decoded, archive), where=archive.where, max_nesting=limits.nesting)
    except Unreadable as error:
        raise Unreadable(error.what, where=archive.where, hint=error.hint) from None
    _check_count("steps", len(cut.steps), limits.steps, "commands", archive.where)
    leaves = (leaf for step in cut.steps for leaf in step.leaves)
    added = sum(  # pieces and decks; saves are full of empty stacks, which take less
        text.startswith("+/") and "/stack/" not in text for text in chain(cut.opening, leaves)
    )
    _check_count("pieces", added, limits.pieces, "commands", archive.where)
    savedata = archive.metadata("savedata")
    moduledata = archive.metadata("moduledata")
    problems = [*archive.problems, *decoded.problems, *cut.problems]
    problems += _text_problems(decoded, cut, archive.where)
    problems += _missing_metadata(archive)
    return SaveFile(
        where=archive.where,
        sha256=archive.sha256,
        encoding=decoded.encoding,
        key=decoded.key,
        text=decoded.text,
        opening=cut.opening,
        steps=cut.steps,
        moduledata=moduledata,
        savedata=savedata,
        problems=tuple(problems),
        capitals=decoded.capitals,
    )


def _check_size(text: str, limits: Limits, where: str) -> None:
    """Check the number and length of commands, and the memory of the text: one character outside the usual
    range makes all others take four bytes, in every copy."""
    _check_count("commands", text.count(ESC) + 1, limits.commands, "commands", where)
    start = longest = 0
    while (end := text.find(ESC, start)) >= 0:
        longest = max(longest, end - start)
        start = end + 1
    longest = max(longest, len(text) - start)
    _check_count("characters in one command", longest, limits.command, "size", where)
    if 2 * len(text) > limits.text and _WIDE.search(text):
        wide = "characters, some of them beyond U+FFFF"
        _check_count(wide, len(text), limits.text // 2, "size", where)


def _check_count(what: str, count: int, limit: int, raised_by: str, where: str) -> None:
    if count > limit:
        raise Unreadable(
            f"the text holds {count:,} {what}, the limit is {limit:,}",
            where=where,
            hint=f"raise the limit on {raised_by} if the file is to be trusted",
        )


def _body(decoded: Decoded, archive: Archive) -> str:
    """The text without the line break that an editor leaves at the end of a bare text file."""
    bare = decoded.encoding == "plain" and not archive.is_zip
    return decoded.text.rstrip("\r\n") if bare else decoded.text


def _missing_metadata(archive: Archive) -> list[Problem]:
    if not archive.is_zip:
        return [
            Problem(
                "no-zip",
                "a bare text, not a zip: module and version are unknown",
                archive.where,
                "note",
            )
        ]
    return [
        Problem("no-metadata", f"there is no {name}, which names {what}", archive.where, "note")
        for name, what in (
            ("moduledata", "the module and its version"),
            ("savedata", "the VASSAL version"),
        )
        if name not in archive
    ]


def _text_problems(decoded: Decoded, cut: SaveText, where: str) -> list[Problem]:
    problems: list[Problem] = []
    if not decoded.text.startswith(BEGIN.decode()):
        problems.append(
            Problem(
                "no-begin-save", "the text does not begin with begin_save; read as it is", where
            )
        )
    problems += _unread_commands(cut, where)
    problems += _open_undos(cut, where)
    if is_cut_short(cut):
        problems.append(
            Problem(
                "text-cut-short",
                "the text stops inside its last command; what came after it is lost",
                where,
            )
        )
    return problems


def _unread_commands(cut: SaveText, where: str) -> list[Problem]:
    """Counts of unknown commands by their first word."""
    counts: dict[tuple[str, str], tuple[int, str]] = {}
    groups: list[tuple[str, tuple[str, ...]]] = [("the opening", cut.opening)]
    groups += [(f"step {step.number}", step.leaves) for step in cut.steps]
    for place, texts in groups:
        for text in texts:
            reason = why_unread(text)
            if reason is not None:
                key = reason, _first_word(text)
                count, first = counts.get(key, (0, place))
                counts[key] = count + 1, first
    return [
        Problem(
            _CODES[reason],
            f"{_SAYS[reason]} {word!r}, first in {first}",
            where,
            "warning",
            count,
        )
        for (reason, word), (count, first) in counts.items()
    ][:_COUNTED_KINDS]


_CODES = {"unknown": "unknown-command", "short": "short-command", "log-in-log": "log-in-log"}
_SAYS = {
    "unknown": "a command no catalogue knows is kept as text:",
    "short": "a command stops before its last field and is kept as text:",
    "log-in-log": "a log step inside a log step is kept as text:",
}


def _first_word(text: str) -> str:
    """The word that shows a command's kind, without its fields: a field may be a password."""
    for end, letter in enumerate(text[:24]):
        if not (letter.isalnum() or letter == "_"):
            return text[:end] or text[:1]
    return text[:24]


def _open_undos(cut: SaveText, where: str) -> list[Problem]:
    """Problems for undo brackets that are not closed in the step that opens them."""
    problems = []
    for step in cut.steps:
        brackets = [decode_command(t) for t in step.leaves if t.startswith("UNDO\t")]
        active = [bracket.active for bracket in brackets if isinstance(bracket, Undo)]
        if active and active != [True, False] * (len(active) // 2):
            problems.append(
                Problem(
                    "unbalanced-undo",
                    f"step {step.number} opens or closes an undo only by half",
                    where,
                )
            )
    return problems
