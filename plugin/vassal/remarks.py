"""What the umpire says in an annotated log, and where his flags stand, step by step."""

from __future__ import annotations

import html
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from ...importers.vassal.commands import AddPiece, Chat, Command, RemovePiece
from ...importers.vassal.pieces import GamePiece, encode_piece
from ...importers.vassal.traits.bases import BasicPiece
from ...importers.vassal.traits.catalogue import Immobilized, Labeler
from ...model.finding import Audit, Finding, FindingKind, JudgedMove
from ...model.game import Game, PhaseStart, StepRef
from ...model.table import Spot
from ..printable import printable
from ..reports.phrases import KIND_NAMES, compact_bill, vouching
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
    """A flag at pixel ``x``, ``y`` of a map; ``text`` is what it says."""

    id: str
    map: str
    x: int
    y: int
    text: str
    kind: FindingKind

    def raised(self) -> AddPiece:
        """The command that puts it up."""
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
        """The command that takes it down."""
        return RemovePiece(self.id)


LONGEST = 400
"""Characters of a line in the chat window."""

FIRST_LINE = (
    "This is an annotated copy of the log: lines that begin with 'umpire' are not the players'."
)


@dataclass(frozen=True, slots=True)
class Remark:
    """A line said after step ``at``, and the flags put up and taken down with it."""

    at: StepRef
    line: str
    flags: tuple[Flag, ...] = ()


def commands_of(
    audit: Audit, game: Game, centres: Mapping[str, Spot], log: int, taken: Iterable[str]
) -> dict[int, list[list[Command]]]:
    """Steps to add to log ``log``, by the step they come after (0: before the first).

    ``centres``: map and pixel of each hex; ``taken``: ids that pieces have already.
    """
    flags = dict(_flags(audit, centres, log, _free_ids(taken)))
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
    """A line of nobody's: the engine shows what begins with a dash as its own remarks."""
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
    """Where the last of its hexes is that is on a map."""
    return next((centres[name] for name in reversed(finding.hexes) if name in centres), None)


def _end_of_phase(game: Game, at: StepRef) -> int | None:
    """The step before the next phase begins in the same log; None if none does."""
    for event in game.events:
        if isinstance(event, PhaseStart) and event.at > at:
            return event.at.step - 1 if event.at.log == at.log else None
    return None


def _free_ids(taken: Iterable[str]) -> Iterator[str]:
    """Ids no piece has: numbers, as the engine gives them, above all there are."""
    numbers = [int(text) for text in taken if text.isascii() and text.isdigit() and len(text) < 18]
    number = max(numbers, default=0)
    while True:
        number += 1
        yield str(number)
