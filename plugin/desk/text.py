"""What ``umpire game`` prints, line by line."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from textwrap import wrap

from ...importers.game_folder.folder import GameFolder, shell_word
from ...model.coverage import Coverage
from ...model.finding import Audit, FindingKind
from ...model.stanza import BLANK, stanza
from ..printable import printable
from ..reports.overdrawn import overdrawn_moves
from ..reports.phrases import counted, judged_share, none_found, not_looked_at, unproven
from ..reports.question_groups import question_groups
from ..reports.report import VERDICTS
from ..reports.ruled import decided
from .adding import Added
from .phases import Offer
from .record import News, Record, news, read_record
from .status import RuledOn, Status

WIDTH = 80
_INDENT = 14
_MOST = 8
"""Maximum number of lines printed of one kind."""

_KINDS: dict[FindingKind, str] = {
    "illegal-move": "illegal move",
    "overstack": "overstacking",
    "missed-mp-cost": "missed MP cost",
}

_VERDICTS = {"unverifiable": "open"}


def added_lines(folder: GameFolder, added: Added, *, director: bool = False) -> Iterator[str]:
    """One screen about a log that was added. ``director``: include what is hidden from somebody."""
    hidden = added.hidden_between if director else 0
    yield from _head(f"{added.log.name}: log {added.number} of {folder.title}")
    yield from _row("goes on", _from_where(added, len(added.between) + hidden))
    if added.set_aside:
        names = ", ".join(log.name for log in added.set_aside)
        yield from _row("set aside", f"{names} (kept in the folder, no longer part of the game)")
    for log, roll in added.rolled_anew:
        yield from _row(
            "dice",
            f"{log.name} begins with the same position, as far as everyone may see; from roll {roll} on it "
            "shows other dice",
        )
    yield from _some("between", added.between)
    if added.between:
        command = f"umpire game report {shell_word(folder.root)} -o report.html"
        yield f"  {'on the map':<{_INDENT - 2}}{printable(command)}"  # on one line, to be copied
    if hidden:
        more = " more" if added.between else ""
        yield from _row(
            "between", f"{counted(hidden, 'piece')}{more} that some players may not know of"
        )
    if added.made_with:
        yield from _row("made with", added.made_with)
    for line in added.odd:
        yield from _row("but", line)
    who = ", ".join(f"{name} {counted(count, 'step')}" for name, count in added.makers)
    yield from _row("by", who)
    yield from _who_is_it(added)


def _who_is_it(added: Added) -> Iterator[str]:
    """The question whose new id it is, with the lines for ``game.toml`` that answer it."""
    seats = added.may_be
    if not seats:
        return
    names, move, one = " and ".join(seat.said for seat in seats), "move", "one of them is"
    if len(seats) == 1:
        move, one = "moves", "he is"
    yield from _row(
        "who",
        f"somebody without a seat moves counters, and {names} {move} none. If {one} the same person, with a "
        "new password in VASSAL, add to game.toml:",
    )
    known = seats[0].side if len(seats) == 1 else BLANK
    for line in stanza("[[same_player]]", {"log": added.log.file, "is": known}).split("\n"):
        yield " " * _INDENT + printable(line)


def _from_where(added: Added, differing: int) -> str:
    """``differing``: the number of pieces whose place or state is not as the log before left it."""
    if added.follows is None:
        if added.set_aside:
            return f"from where {added.set_aside[0].name} began: the game is begun anew"
        return "from nothing: it is the first log"
    name = added.follows.name
    where = "from" if not added.set_aside else "from an older log,"
    if not differing:
        return f"{where} {'' if added.set_aside else 'the end of '}{name}, piece by piece"
    pieces = counted(differing, "piece")
    return f"{where} {name}; {pieces} {'is' if differing == 1 else 'are'} not as it left them"


def news_lines(news: News, before: Record | None, now: Record) -> Iterator[str]:
    """What is new in an audit."""
    verdicts = [now.moves[name] for name in news.moves]
    parts = ", ".join(
        f"{verdicts.count(one)} {_VERDICTS.get(one, one)}" for one in VERDICTS if one in verdicts
    )
    yield from _row("new", f"{counted(len(news.moves), 'move')}{f': {parts}' if parts else ''}")
    yield from _some("offences", [f"{name}  {now.offences[name]}" for name in news.offences])
    if news.questions:
        yield from _row("questions", f"for {counted(len(news.questions), 'new fact')}")
    if before is not None:
        yield from changed_lines(news, before, now)


def offer_lines(offer: Offer, folder: GameFolder) -> Iterator[str]:
    """The phases that the chat of the logs announces."""
    for number, one in enumerate(offer.phases):
        yield from _row("announced" if not number else "", one.said)
    if offer.unsure:
        yield from _row(
            "" if offer.phases else "announced",
            f"{counted(offer.unsure, 'phase')} to be looked through in the studio, as dice fell there, the"
            " other side moved, or the chat may mean something else: umpire studio"
            f" {shell_word(folder.root)}",
        )


def hidden_lines(count: int) -> Iterator[str]:
    """A line with the ``count`` of offences that are hidden from somebody; none for 0."""
    if count:
        told = "that some players may not know of (umpire game status --director)"
        yield from _row("hidden", f"{counted(count, 'offence')} {told}")


def changed_since(root: Path, now: Record) -> Iterator[str]:
    """What changed since the last record of the game in ``root``, by a new pack or anything else."""
    before = read_record(root)
    if before is not None:
        yield from changed_lines(news(before, now), before, now)


def changed_lines(news: News, before: Record, now: Record) -> Iterator[str]:
    """Moves that were audited before and have another verdict now."""
    yield from _some("not found", [f"{name}  {before.offences[name]}" for name in news.gone])
    if news.changed:
        why = "the pack changed" if before.pack != now.pack else "later logs, other facts or rules"
        changes = [
            f"{now.called[name]}: {_VERDICTS.get(a, a)} before, {_VERDICTS.get(b, b)} now"
            for name, (a, b) in news.changed.items()
        ]
        yield from _row("changed", f"{counted(len(changes), 'verdict')} on earlier moves ({why})")
        yield from _some("", changes)


def status_lines(
    folder: GameFolder, status: Status, standings: dict[str, str], shown: Audit
) -> Iterator[str]:
    """The lines of a status. ``standings``: by offence id, until when it can be corrected. ``shown``: the
    audit."""
    against = " against ".join(f"{name} ({side})" for side, name in folder.players.items())
    yield from _head(folder.title + (f": {against}" if against else ""))
    line = folder.line
    if line:
        last = line[-1]
        when = f", added {last.added}" if last.added else ""
        yield from _row("logs", f"{len(line)}, the last {last.name}{when}")
    if folder.set_aside:
        yield from _row("set aside", ", ".join(log.name for log in folder.set_aside))
    if folder.due:
        yield from _row("due", folder.due + (" (past)" if status.overdue else ""))
    yield from _row("phase", str(status.phase))
    judged = sum(status.verdicts.values())
    yield from _row("moves", f"{judged}: {counts_text(status.verdicts)}")
    each = ", ".join(
        f"{side} {share.decided} of {share.judged}" for side, share in status.shares.items()
    )
    if each:
        yield from _row("decided", each)
    yield from coverage_lines(status.coverage)
    none = none_found(status.coverage, asked=bool(status.questions))
    yield from _row("offences", str(len(status.offences)) if status.offences else none)
    for label, text in unproven(shown):
        yield from _row(label, text)
    for one in status.offences:
        yield from _offence(one, standings.get(one.offence.id, ""))
    for ruling in status.gone:
        yield from _row("", f"{ruling.offence}  {ruling.decision}: no longer found")
    beyond = [one.line for one in overdrawn_moves(shown)]
    if beyond:
        them = "goes" if len(beyond) == 1 else "go"
        why = (
            f"{counted(len(beyond), 'open move')} {them} beyond an ordinary one; nobody is accused:"
        )
        yield from _row("overdrawn", why)
        yield from _some("", beyond, " (umpire game report lists all)")
    groups = question_groups(shown)
    first = groups.first()
    yield from _row("questions", _questions(len(groups.groups), len(status.questions)))
    for group in first:
        yield from _row("", f"{group.text} ({group.to}; {group.decides})")
    if len(groups.groups) > len(first):
        yield from _row("", f"and {len(groups.groups) - len(first)} more, which decide fewer moves")


def _questions(groups: int, facts: int) -> str:
    """The number of questions, and the number of facts if some questions ask for several."""
    return str(groups) if groups == facts else f"{groups}, for {counted(facts, 'fact')}"


def coverage_lines(coverage: Coverage) -> Iterator[str]:
    """How many drags are judged and why the others are not (nothing if all are), then other things nobody
    looked at."""
    if not coverage.is_whole:
        yield from _row("judged", judged_share(coverage))
    for told in not_looked_at(coverage.unlooked):
        yield from _row("", told)


def counts_text(verdicts: Mapping[str, int]) -> str:
    """The number of moves by verdict."""
    return ", ".join(f"{verdicts.get(one, 0)} {_VERDICTS.get(one, one)}" for one in VERDICTS)


def _offence(one: RuledOn, standing: str) -> Iterator[str]:
    finding = one.offence.finding
    names = ", ".join(one.offence.names)
    kind = _KINDS.get(finding.kind, finding.kind)
    yield from _row(
        "", f"{one.offence.id}  {names}, {one.offence.at.said}: {kind} ({finding.code})"
    )
    if standing:
        yield from _row("", f"  {standing}")
    if one.ruling is not None:
        again = "; what was found has changed since: look again" if one.changed else ""
        yield from _row("", f"  {decided(one.ruling)}{again}")


def _some(label: str, lines: Iterable[str], where: str = "") -> Iterator[str]:
    """The first lines, the number of further ones, and ``where`` to find all."""
    every = list(lines)
    for number, line in enumerate(every[:_MOST]):
        yield from _row(label if number == 0 else "", line)
    if len(every) > _MOST:
        yield from _row("", f"and {len(every) - _MOST} more{where}")


def _head(text: str) -> Iterator[str]:
    yield from wrap(printable(text), WIDTH, subsequent_indent="    ", break_on_hyphens=False)


def _row(label: str, text: str) -> Iterator[str]:
    lead = len(text) - len(text.lstrip())
    width = WIDTH - _INDENT - lead
    lines = wrap(printable(text.strip()), width, break_on_hyphens=False) or [""]
    for number, line in enumerate(lines):
        yield f"  {label if number == 0 else '':<{_INDENT - 2}}{' ' * lead}{line}".rstrip()
