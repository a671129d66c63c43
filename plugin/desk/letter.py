"""What is mailed to the players: a summary in sentences, the offences, the questions, then the rest."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from ... import __version__
from ...importers.game_folder.folder import GameFolder
from ...model.bill import Bill
from ...model.finding import Audit, Clause
from ...model.offence import Offence
from ..reports.phrases import KIND_NAMES, charge_amount, counted, due_text
from ..reports.questions import OpenQuestion, open_questions
from ..reports.routes import routes
from .cutout import Cutout
from .procedures import procedure_named
from .status import RuledOn, Status

FULL_OFFENCES = 12
"""So many offences are told in full; the others in a line each."""
MOST_QUESTIONS = 12


@dataclass(frozen=True)
class OffenceTold:
    """An offence as the players read it. ``bill``: its rows (hex, MP, for, rule), the sum last; empty: none.
    ``cutout``: the part of the map that it is about, as SVG; "": nobody knows where that is."""

    id: str
    heading: str
    when: str
    moved: tuple[str, ...]
    found: tuple[str, ...]
    rule: str
    remedy: str
    standing: str
    ruling: str
    unit: str
    bill: tuple[tuple[str, str, str, str], ...]
    cutout: str


@dataclass(frozen=True)
class Letter:
    """A mail on one game. ``to``: for whose eyes it is. ``more``: further offences, one line each."""

    title: str
    to: str
    summary: tuple[str, ...]
    offences: tuple[OffenceTold, ...]
    more: tuple[str, ...]
    questions: tuple[str, ...]
    questions_left: int
    rest: tuple[tuple[str, str], ...]


def letter(
    folder: GameFolder,
    audited: Audit,
    status: Status,
    standings: Mapping[str, str],
    cutouts: Cutout | None,
    to: str,
) -> Letter:
    """The mail for readers who may see all of ``audited``. ``standings``: until when an offence can be
    corrected, by its id. ``cutouts``: what draws the map, None: it is left out."""
    full = status.offences[:FULL_OFFENCES]
    asked = open_questions(audited)
    return Letter(
        title=folder.title,
        to=to,
        summary=tuple(_summary(folder, status)),
        offences=tuple(_told(audited, one, standings, cutouts) for one in full),
        more=tuple(_line(one) for one in status.offences[FULL_OFFENCES:]),
        questions=tuple(_question(one) for one in asked[:MOST_QUESTIONS]),
        questions_left=max(0, len(asked) - MOST_QUESTIONS),
        rest=tuple(_rest(folder, audited, status)),
    )


def _summary(folder: GameFolder, status: Status) -> Iterator[str]:
    line = folder.line
    judged = sum(status.verdicts.values())
    last = f", the last of them {line[-1].name}" if line else ""
    yield f"The game has {counted(len(line), 'log')}{last}."
    legal, illegal = status.verdicts["legal"], status.verdicts["illegal"]
    open_ones = status.verdicts["unverifiable"]
    yield (
        f"Of {counted(judged, 'move')} looked at, {legal} are legal and {illegal} cannot be legal; of"
        f" {open_ones} nobody can tell from what is known."
    )
    new = sum(one.ruling is None for one in status.offences)
    if status.offences:
        found = counted(len(status.offences), "offence")
        yield f"{found} found: {new} without a ruling, {len(status.offences) - new} ruled on."
    else:
        yield "Nothing was found that anybody is to answer for."
    if status.questions:
        yield f"Open: {counted(len(status.questions), 'question')}. Answers decide moves that are open now."


def _told(
    audited: Audit, one: RuledOn, standings: Mapping[str, str], cutouts: Cutout | None
) -> OffenceTold:
    offence, finding = one.offence, one.offence.finding
    clause = audited.clauses.get(finding.clause)
    by_id = {judged.move.id: judged for judged in audited.moves}
    moves = [by_id[number] for number in finding.moves if number in by_id]
    path = next((judged.path for judged in moves if judged.path), ())
    return OffenceTold(
        id=offence.id,
        heading=f"{', '.join(offence.names)}: {KIND_NAMES[finding.kind]}",
        when=_when(offence),
        moved=tuple(routes(audited, moves)),
        found=tuple(found.explanation for found in offence.findings),
        rule=_rule(clause, finding.code),
        remedy=finding.remedy,
        standing=standings.get(offence.id, ""),
        ruling=_ruling(one),
        unit=finding.bill.unit if finding.bill is not None else "",
        bill=tuple(_bill(finding.bill)) if finding.bill is not None else (),
        cutout="" if cutouts is None else cutouts.of(finding.hexes, path, offence.last),
    )


def _when(offence: Offence) -> str:
    by = offence.player or offence.side or ""
    if offence.player and offence.side:
        by = f"{offence.player} ({offence.side})"
    return f"{offence.phase}; {offence.at.said}{f', by {by}' if by else ''}"


def _rule(clause: Clause | None, code: str) -> str:
    if clause is None:
        return code
    title = f"{clause.title}: " if clause.title else ""
    return f"{clause.id}  {title}{clause.text}"


def _ruling(one: RuledOn) -> str:
    if one.ruling is None:
        return ""
    by = ", ".join(part for part in (one.ruling.who, one.ruling.when) if part)
    again = "; what was found has changed since" if one.changed else ""
    return f"{one.ruling.decision}: {one.ruling.because}{f' ({by})' if by else ''}{again}"


def _bill(bill: Bill) -> Iterator[tuple[str, str, str, str]]:
    for charge in bill.charges:
        yield charge.hex, charge_amount(charge), charge.reason, charge.clause
    yield "due", str(bill.total), due_text(bill), ""


def _line(one: RuledOn) -> str:
    offence = one.offence
    kind = KIND_NAMES[offence.finding.kind]
    ruling = f"; {one.ruling.decision}" if one.ruling is not None else ""
    return f"{offence.id}  {', '.join(offence.names)}, {offence.at.said}: {kind}{ruling}"


def _question(one: OpenQuestion) -> str:
    waits = f" (decides {counted(len(one.moves), 'move')})" if one.moves else ""
    return f"{one.unknown.question}{waits}"


def _rest(folder: GameFolder, audited: Audit, status: Status) -> Iterator[tuple[str, str]]:
    each = [f"{side} {share.decided} of {share.judged}" for side, share in status.shares.items()]
    if each:
        yield "Moves decided, side by side", ", ".join(each)
    procedure = procedure_named(folder.procedure, folder.root)
    address = f" ({procedure.source})" if procedure.source else ""
    yield "Error procedure", f"{procedure.title}{address}"
    yield "Movement", procedure.movement_correction
    if procedure.note:
        yield "Note", procedure.note
    if folder.set_aside:
        yield "Logs set aside", ", ".join(log.name for log in folder.set_aside)
    for log in folder.line:
        if log.differs:
            yield f"Before {log.name}", "pieces were moved or changed outside a log"
    yield "Ruleset", f"{audited.ruleset} {audited.ruleset_version}"
    for source in audited.sources:
        version = f" {source.version}" if source.version else ""
        yield source.kind, f"{source.file}{version}, SHA-256 {source.sha256[:16]}…"
    yield "Made by", f"vassal-umpire {__version__}"
