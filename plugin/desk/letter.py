"""The mail to the players: a summary in sentences, the offences, the questions, then the rest."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from itertools import islice

from ... import __version__
from ...importers.game_folder.folder import GameFolder
from ...model.finding import Audit, Clause, Finding, PhaseView
from ...model.offence import Offence
from ...validators.checks import CONTINUITY
from ..lookers import Lookers
from ..reports import overdrawn
from ..reports.integrity import dice_lines, groups
from ..reports.overdrawn import overdrawn_moves
from ..reports.phrases import (
    KIND_NAMES,
    all_clear,
    bill_rows,
    capital,
    counted,
    not_looked_at,
    unproven,
    vouching,
)
from ..reports.question_groups import as_sentence, question_groups
from ..reports.routes import routes
from ..reports.ruled import GONE, decided
from ..reports.sections import Group, Section
from ..reports.shares import SIDE_NOT_KNOWN
from ..reports.suspects import MEANING, suspects_section
from .cutout import CounterShown, Cutout
from .player_questions import (
    MOST_COUNTERS,
    PlayerQuestions,
    askable,
    player_of,
    questions_by_player,
)
from .procedures import procedure_named
from .status import RuledOn, Status

FULL_OFFENCES = 12
"""The number of offences shown in full. Those that wait for a ruling or a second look come before settled
ones, and late ones before early ones. Each further offence gets one line."""
MOST_OVERDRAWN = 10
WHAT_TO_DO = "What to do"
ANSWER = "Please answer to the director. Each question says how many moves its answer decides."
HOW_TO_LOOK = (
    "Compare the terrain, what lies on the hexsides and the lines across them: is anything missing or"
    " wrong?"
)
ON_PAGE = "The page with the same name (.html) has the picture."
HOW_TO_READ = (
    "Counters were dragged in VASSAL, which enforces no rules. This page lists the moves that no path can"
    " make legal, with the cheapest path found and what each step of it costs. A move is open if something"
    " that would decide it is not known: that is neither an accusation nor an approval. If anything here is"
    " wrong, tell the director. The id of an offence stays the same in every later page."
)
PLAYED = "Nothing here accuses anybody; it is what the logs say."
UNEQUAL = 20
"""The letter warns if the decided shares of two players differ by at least this many percentage points."""


@dataclass(frozen=True)
class OffenceTold:
    """An offence as the players read it. ``bill``: its rows (hex, MP, for, rule), the sum last; may be empty.
    ``cutout``: the part of the map that it is about, as SVG; "": the place is not known. ``looked``: who
    looked at the cells that the bill depends on. ``counters``: its first few units that have a picture."""

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
    looked: tuple[str, ...]
    counters: tuple[CounterShown, ...] = ()


@dataclass(frozen=True)
class Letter:
    """A mail on one game. ``to``: its readers. ``players``: one line, who plays which side; "": not known.
    ``todo``: what the readers are asked to do. ``first``: facts of the pack to check first. ``more``: further
    offences, one line each. ``further``: rulings on offences that are no longer found, and, if the director
    shares them, open moves that go beyond an ordinary one. ``folded``: less important questions, a line each.
    ``played``: how the game was played, with the steps; no offences."""

    title: str
    to: str
    players: str
    todo: tuple[str, ...]
    summary: tuple[str, ...]
    first: tuple[Section, ...]
    offences: tuple[OffenceTold, ...]
    more: tuple[str, ...]
    further: tuple[Section, ...]
    questions: tuple[PlayerQuestions, ...]
    folded: tuple[str, ...]
    played: tuple[Section, ...]
    rest: tuple[tuple[str, str], ...]


@dataclass(frozen=True)
class Desk:
    """The input of a letter besides the audit. ``standings``: by offence id, until when it can be corrected.
    ``cutouts``: draws the map; None: no drawings. ``overdrawn``: whether the director shares with the players
    which open moves go beyond an ordinary one."""

    folder: GameFolder
    status: Status
    standings: Mapping[str, str]
    lookers: Lookers
    cutouts: Cutout | None = None
    overdrawn: bool = False


def letter(desk: Desk, audited: Audit, to: str, side: str | None) -> Letter:
    """The mail for readers who may see all of ``audited``, including its integrity section. ``side``: the
    readers' side; None: it is for all."""
    folder, status = desk.folder, desk.status
    full, others = _that_matter(status.offences)
    groups = question_groups(audited)
    able = askable(groups, side)
    chosen = groups.first(able)
    topics = {one.topic for one in chosen}
    asked = tuple(questions_by_player(audited, chosen, folder.players, side, desk.cutouts))
    return Letter(
        title=folder.title,
        to=to,
        players=_players(folder, audited),
        todo=tuple(_todo(status, asked, side)),
        summary=tuple(_summary(folder, status, audited)),
        first=tuple(replace(s, meaning=MEANING) for s in (suspects_section(audited),) if s),
        offences=tuple(_told(desk, audited, one) for one in full),
        more=tuple(_line(one) for one in others),
        further=tuple(_further(status, audited if desk.overdrawn else None)),
        questions=asked,
        folded=tuple(
            f"{player_of(folder.players, one.to)}: {one.text} It {one.decides}."
            for one in groups.groups
            if one.to in able and one.topic not in topics
        ),
        played=tuple(played(audited)),
        rest=tuple(_rest(folder, audited)),
    )


def _further(status: Status, audited: Audit | None) -> Iterator[Section]:
    """Rulings on offences that are no longer found. If ``audited`` is given, also the open moves that go
    farthest beyond an ordinary one."""
    if status.gone:
        gone = tuple((one.offence, decided(one)) for one in status.gone)
        yield Section(GONE, "", (Group("", (gone,)),))
    moves = () if audited is None else overdrawn_moves(audited)
    if moves:
        lines = [(one.line, "") for one in moves[:MOST_OVERDRAWN]]
        if len(moves) > MOST_OVERDRAWN:
            lines.append((f"and {len(moves) - MOST_OVERDRAWN:,} more, which go less far", ""))
        yield Section(overdrawn.HEADING, overdrawn.MEANING, (Group("", (tuple(lines),)),))


def _players(folder: GameFolder, audited: Audit) -> str:
    """Who plays which side, in one line: from the game's folder, else from the logs."""
    named = {one.move.actor: one.move.player for one in audited.moves if one.move.player}
    sides = {**{side: name for side, name in named.items() if side}, **folder.players}
    told = [f"{name} plays {side}" for side, name in sides.items() if name != side]
    return f"{'; '.join(told)}." if told else ""


def _todo(status: Status, asked: tuple[PlayerQuestions, ...], side: str | None) -> Iterator[str]:
    """What the readers are asked to do, one sentence each."""
    mine = [
        one
        for one in status.offences
        if one.ruling is None and side in (None, one.offence.side or side)
    ]
    whose = "" if side is None else " of yours"
    if mine:
        are = "waits" if len(mine) == 1 else "wait"
        yield (
            f"{counted(len(mine), 'offence')}{whose} {are} for a ruling. What was found is below: write"
            " to the director if anything in it is wrong."
        )
    for part in asked if side is None else ():
        asks = counted(len(part.questions), "question")
        yield f"{capital(part.to)}: {asks} below. Please answer to the director."
    if side is not None and asked:
        number = sum(len(part.questions) for part in asked)
        yield f"You are asked {counted(number, 'question')} below. Please answer to the director."
    if not mine and not asked:
        yield "There is nothing for you to do."


def _that_matter(
    offences: tuple[RuledOn, ...],
) -> tuple[tuple[RuledOn, ...], tuple[RuledOn, ...]]:
    """The offences shown in full, and the others; both in the order of the game."""
    by_weight = sorted(
        range(len(offences)),
        key=lambda n: (offences[n].ruling is not None and not offences[n].changed, -n),
    )
    chosen = set(by_weight[:FULL_OFFENCES])
    parts: tuple[list[RuledOn], list[RuledOn]] = [], []
    for number, one in enumerate(offences):
        parts[number not in chosen].append(one)
    return tuple(parts[0]), tuple(parts[1])


def _summary(folder: GameFolder, status: Status, audited: Audit) -> Iterator[str]:
    line = folder.line
    judged = sum(status.verdicts.values())
    last = f", {'the last of them ' if len(line) > 1 else ''}{line[-1].name}" if line else ""
    known = status.phase != PhaseView()
    reached = f"; the last phase known is {status.phase}" if known else ""
    yield f"The game has {counted(len(line), 'log')}{last}{reached}."
    legal, illegal = status.verdicts["legal"], status.verdicts["illegal"]
    open_ones = status.verdicts["unverifiable"]
    if judged:
        bad = f"{illegal:,} cannot be legal" if illegal else "none was found that cannot be legal"
        rest = f"{open_ones:,} cannot be decided from what is known"
        yield (
            f"Of {counted(judged, 'move')} checked, {legal:,} {'is' if legal == 1 else 'are'} legal, {bad}"
            f"{f', and {rest}' if open_ones else ''}."
        )
    else:
        yield "No move was checked."
    yield from _shares(folder, status)
    new = sum(one.ruling is None for one in status.offences)
    again = sum(one.ruling is not None and one.changed for one in status.offences)
    if status.offences:
        found = counted(len(status.offences), "offence")
        ruled = len(status.offences) - new - again
        parts = [f"{new} without a ruling"] if new else []
        parts += [f"{again} to be looked at again"] if again else []
        parts += [f"{ruled} ruled on"] if ruled else []
        yield f"{found} found: {', '.join(parts)}."
        yield from not_looked_at(status.coverage.unlooked)
    else:
        yield all_clear(status.coverage, asked=status.coverage.is_whole and bool(status.questions))
        for label, text in unproven(audited):
            yield f"{label.capitalize()}: {text}."
    if status.questions:
        facts = counted(len(status.questions), "fact")
        yield f"Moves and stacks wait for {facts} that nobody has given yet."


def _shares(folder: GameFolder, status: Status) -> Iterator[str]:
    """How many of each player's moves could be decided, with a warning if the shares differ much."""
    told = {
        side: share
        for side, share in status.shares.items()
        if share.judged and side != SIDE_NOT_KNOWN
    }
    parts = [
        f"{share.decided:,} of the {counted(share.judged, 'move')} of {player_of(folder.players, side)}"
        f" ({share.percent}%)"
        for side, share in told.items()
    ]
    if parts:
        nobody = status.shares.get(SIDE_NOT_KNOWN)
        if nobody is not None and nobody.judged:
            parts.append(f"{nobody.decided:,} of {nobody.judged:,} whose player nobody knows")
        yield f"{' and '.join((', '.join(parts[:-1]), parts[-1])) if parts[1:] else parts[0]} are decided."
    ranked = sorted(told.items(), key=lambda one: one[1].percent)
    if len(ranked) > 1 and ranked[-1][1].percent - ranked[0][1].percent >= UNEQUAL:
        least, most = (player_of(folder.players, side) for side in (ranked[0][0], ranked[-1][0]))
        yield (
            f"Less is known about the moves of {least}, so fewer offences can be found for {least} than for"
            f" {most}: do not compare their numbers."
        )


def _told(desk: Desk, audited: Audit, one: RuledOn) -> OffenceTold:
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
        found=tuple(as_sentence(found.explanation) for found in offence.findings),
        rule=_rule(clause, finding.code),
        remedy=as_sentence(finding.remedy),
        standing=as_sentence(desk.standings.get(offence.id, "")),
        ruling=_ruling(one),
        unit=finding.bill.unit if finding.bill is not None else "",
        bill=tuple(bill_rows(finding.bill)) if finding.bill is not None else (),
        cutout="" if desk.cutouts is None else desk.cutouts.of(finding.hexes, path, offence.last),
        looked=desk.lookers.of(finding.bill, finding.steps),
        counters=tuple(islice(_counters(desk, finding), MOST_COUNTERS)),
    )


def _counters(desk: Desk, finding: Finding) -> Iterable[CounterShown]:
    """The counters of a finding that have a picture."""
    at = finding.steps[0] if finding.steps else None
    return () if desk.cutouts is None else desk.cutouts.counters(finding.units, at)


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
        return "Nobody has ruled on it yet."
    again = " What was found has changed since: it is to be looked at again." if one.changed else ""
    return f"{as_sentence(decided(one.ruling))}{again}"


def _line(one: RuledOn) -> str:
    offence = one.offence
    kind = KIND_NAMES[offence.finding.kind]
    ruling = f"; {one.ruling.decision}" if one.ruling is not None else ""
    return f"{offence.id}  {', '.join(offence.names)}, {offence.at.said}: {kind}{ruling}"


def _rest(folder: GameFolder, audited: Audit) -> Iterator[tuple[str, str]]:
    procedure = procedure_named(folder.procedure, folder.root)
    address = f" ({procedure.source})" if procedure.source else ""
    yield "Error procedure", f"{procedure.title}{address}"
    yield "To correct", procedure.movement_correction
    if procedure.note:
        yield "Note", procedure.note
    if folder.set_aside:
        yield "Logs set aside", ", ".join(log.name for log in folder.set_aside)
    for number in sorted({f.steps[0].log for f in audited.findings if f.code == CONTINUITY}):
        yield f"Before {folder.line[number - 1].name}", "pieces were moved or changed outside a log"
    yield "Ruleset", f"{audited.ruleset} {audited.ruleset_version}"
    for label, text in vouching(audited):
        yield label.capitalize(), text
    for source in audited.sources:
        version = f" {source.version}" if source.version else ""
        yield source.kind, f"{source.file}{version}, SHA-256 {source.sha256[:16]}…"
    yield "Made by", f"vassal-umpire {__version__}"


FEW_TRACES = 3


def played(audited: Audit) -> Iterator[Section]:
    """The integrity section: each kind of event with its first steps, and the dice of each player. Empty if
    it was not requested, or there is nothing to show."""
    found, shown = audited.integrity, list[Group]()
    if found is None:
        return
    for group in groups(audited, many_logs=True, verbose=False):
        more = len(group.lines[FEW_TRACES:]) + group.more
        rest = ((f"and {more:,} more", ""),) if more else ()
        shown.append(Group(group.title, (group.lines[:FEW_TRACES], rest)))
    dice = tuple((line, "") for line in dice_lines(found))
    if dice:
        shown.append(Group(f"Dice ({len(found.rolls):,})", (dice,)))
    if shown:
        yield Section("How the game was played", PLAYED, tuple(shown))
