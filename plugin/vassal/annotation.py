"""An annotated copy of a log: the steps as they are, the umpire's remarks between them.

A log's text is a list of groups between ESC characters (``VASSAL.build.GameModule.encode``); a group that
holds a ``LOG`` command is a step. New groups go between two old ones: no old group is read and written again.
"""

from __future__ import annotations

import html
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import count
from pathlib import Path

from ... import __version__
from ...importers.vassal.archive import open_archive
from ...importers.vassal.commands import AddPiece, Chat, Command, RemovePiece, is_readable
from ...importers.vassal.commands.stream import LOG, encode_step, leaves, parse_stream
from ...importers.vassal.limits import Limits
from ...importers.vassal.metadata import Metadata
from ...importers.vassal.pieces import BasicPiece, GamePiece, encode_piece
from ...importers.vassal.savefile import SaveFile, read_save
from ...importers.vassal.sequence import join
from ...importers.vassal.traits.catalogue import Immobilized, Labeler
from ...importers.vassal.writer import saved_game_bytes
from ...model.finding import Audit, Finding, FindingKind, JudgedMove
from ...model.game import Game, PhaseStart, StepRef
from ...model.problem import CannotAudit, UmpireError, Unreadable
from ...model.table import Spot
from ..auditing import Opened
from ..printable import printable
from ..reports.phrases import KIND_NAMES, compact_bill, viewer_text, vouching
from ..reports.routes import route, unit_names

NAME = "umpire's flag"
_WHITE = "255,255,255"
COLOURS: dict[FindingKind, str] = {
    "illegal-move": "192,38,28",
    "overstack": "192,38,28",
    "missed-mp-cost": "192,38,28",
    "unverifiable": "168,106,0",
}
"""Kinds of findings that get a flag, and its colour (red, green, blue)."""

_TEXT_SIZE = 12


@dataclass(frozen=True, slots=True)
class Flag:
    """A flag at pixel ``x``, ``y`` of a map, with its ``text``."""

    id: str
    map: str
    x: int
    y: int
    text: str
    kind: FindingKind

    def raised(self) -> AddPiece:
        """The command that adds it to the map."""
        label = Labeler(
            font_size=_TEXT_SIZE,
            background=COLOURS[self.kind],
            foreground=_WHITE,
            vertical_position="t",
            vertical_offset=-24,
            name_format=NAME,
            style=1,
            always_use_format=True,
            label=self.text,
        )
        fixed = Immobilized(select="ng", move="V", stack="R")
        base = BasicPiece(name=NAME, map=self.map, x=self.x, y=self.y, gpid="", properties=())
        type_text, state = encode_piece(GamePiece((fixed, label), base))
        return AddPiece(self.id, type_text, state)

    def lowered(self) -> RemovePiece:
        """The command that removes it."""
        return RemovePiece(self.id)


LONGEST = 400
"""Maximum length of a line in the chat window."""

FIRST_LINE = (
    "This is an annotated copy of the log: lines that begin with 'umpire' are not the players'."
)


@dataclass(frozen=True, slots=True)
class Remark:
    """A line shown after step ``at``, and the flags added and removed with it."""

    at: StepRef
    line: str
    flags: tuple[Flag, ...] = ()


def commands_of(
    audit: Audit, game: Game, centres: Mapping[str, Spot], log: int, greatest_id: int
) -> dict[int, list[list[Command]]]:
    """Steps to add to log ``log``, by the step they come after (0: before the first).

    ``centres``: map and pixel of each hex; ``greatest_id``: the flags get greater ones.
    """
    flags = dict(_flags(audit, centres, log, map(str, count(greatest_id + 1))))
    first = (FIRST_LINE, *(f"{what}: {told}" for what, told in vouching(audit)))
    steps: dict[int, list[list[Command]]] = {0: [[_chat(line) for line in first]]}
    for remark in sorted(_remarks(audit, flags, log), key=lambda remark: remark.at):
        said: list[Command] = [_chat(remark.line), *(flag.raised() for flag in remark.flags)]
        steps.setdefault(remark.at.step, []).append(said)
    lowered: dict[int, list[Command]] = {}
    for number, flag in flags.items():
        gone = _end_of_phase(game, max(s for s in audit.findings[number].steps if s.log == log))
        if gone is not None:
            lowered.setdefault(gone, []).append(flag.lowered())
    for gone, commands in lowered.items():
        steps.setdefault(gone, []).append(commands)
    return steps


def _remarks(audit: Audit, flags: Mapping[int, Flag], log: int) -> Iterator[Remark]:
    """The verdict on each judged move, then the findings."""
    for judged in audit.moves:
        steps = [s for s in judged.move.steps if s.log == log]
        if judged.judged and steps and max(judged.move.steps).log == log:
            yield Remark(max(steps), _verdict(audit, judged))
    for number, finding in enumerate(audit.findings):
        steps = [s for s in finding.steps if s.log == log]
        if not steps or finding.kind not in COLOURS or max(finding.steps).log != log:
            continue
        raised = (flags[number],) if number in flags else ()
        if raised or finding.kind != "unverifiable":
            yield Remark(max(steps), _found(audit, finding), raised)


def _verdict(audit: Audit, judged: JudgedMove) -> str:
    bill = f"; {compact_bill(judged.bill)}" if judged.bill is not None else ""
    clauses = dict.fromkeys(c.clause for c in judged.bill.charges) if judged.bill else {}
    cited = f" ({', '.join(clauses)})" if clauses else ""
    return f"{unit_names(audit, judged)} {route(judged)}: {judged.verdict}{bill}{cited}"


def _found(audit: Audit, finding: Finding) -> str:
    clause = audit.clauses.get(finding.clause)
    title = f" {clause.title}" if clause is not None and clause.title else ""
    return f"{KIND_NAMES[finding.kind]}, {finding.code}{title}: {finding.explanation}"


def _chat(line: str) -> Chat:
    """A chat line without an author: the engine shows lines that begin with a dash as its own remarks."""
    return Chat("- umpire: " + html.escape(printable(line, LONGEST), quote=False))


def _flags(
    audit: Audit, centres: Mapping[str, Spot], log: int, ids: Iterator[str]
) -> Iterator[tuple[int, Flag]]:
    """The flag of each finding that is on a map, by the finding's index."""
    for number, finding in enumerate(audit.findings):
        here = finding.kind in COLOURS and any(s.log == log for s in finding.steps)
        spot = _spot(finding, centres) if here else None
        if spot is not None and spot.map is not None:
            text = f"{KIND_NAMES[finding.kind]} {finding.code}"
            yield number, Flag(next(ids), spot.map, spot.x, spot.y, text, finding.kind)


def _spot(finding: Finding, centres: Mapping[str, Spot]) -> Spot | None:
    """The place of the last of its hexes that is on a map."""
    return next((centres[name] for name in reversed(finding.hexes) if name in centres), None)


def _end_of_phase(game: Game, at: StepRef) -> int | None:
    """The step before the next phase in the same log; None if there is none."""
    for event in game.events:
        if isinstance(event, PhaseStart) and event.at > at:
            return event.at.step - 1 if event.at.log == at.log else None
    return None


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
    """The number that VASSAL gives the step in each group (None: it is not a step), and where the first one
    is."""
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
    """Groups as members of the list that they are added to: delimiters inside them are escaped."""
    return [join([group], "\x1b") for group in groups]


def annotated(
    log: Path, number: int, audit: Audit, opened: Opened, limits: Limits, viewer: str
) -> bytes:
    """An annotated copy of ``log``, the ``number``-th of the game (from 1), as a zip without a comment.

    ``audit``: what the copy may say. Raises :class:`UmpireError` if the log cannot be read or has no steps.
    """
    backdrop = opened.backdrop
    if backdrop is None:
        raise CannotAudit("an analysis document cannot be annotated", expected="logs of VASSAL")
    save = read_save(log, limits)
    if not save.steps:
        raise UmpireError(
            "is a saved game without steps; there is nothing to annotate",
            where=log.name,
            expected="a log (.vlog)",
        )
    centres = {name: Spot(on, int(x), int(y)) for name, (on, x, y) in backdrop.centres().items()}
    added = commands_of(audit, opened.game, centres, number, backdrop.greatest_id())
    text = insert_steps(save.text, added, where=log.name, max_nesting=limits.nesting)
    return saved_game_bytes(
        text,
        moduledata=_moduledata(log, limits),
        savedata=_savedata(save, audit, viewer),
        encoding=save.encoding,
        key=save.key,
    )


def _moduledata(log: Path, limits: Limits) -> bytes | None:
    """The log's ``moduledata`` as stored, from which VASSAL knows the module; None if it has none."""
    with open_archive(log, limits) as archive:
        if archive.is_zip and "moduledata" in archive:
            return archive.read("moduledata")
    return None


def _savedata(save: SaveFile, audit: Audit, viewer: str) -> Metadata:
    """What VASSAL shows when the file is opened: that it is annotated, by whom and for whom."""
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
