"""The sections on how a game was played and on what was hidden in it, with the same sentences in all
reports."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping

from ...model.finding import Audit, Finding
from ...model.game import StepRef
from ...model.integrity import DiceTest, Integrity, Roll, Tally, Trace, TraceKind
from ...model.reveal import Announced, Concealed, Revealed
from ...validators.integrity.dice import LEAST_ROLLS
from ...validators.integrity.traces import TOLD_HERE
from ..printable import printable, readable_chat
from .phrases import counted, of_many_logs, player_text, steps_text
from .sections import Group, Line, Section

HEADING = "Integrity"
MEANING = (
    "These are not findings, and accuse nobody: players agree on most of it, or the module does it."
)
KINDS: Mapping[TraceKind, str] = {
    "undo-after-roll": "Taken back after a die roll",
    "other-side": "Another side's counters moved",
    "out-of-phase": "Moved out of phase (see the findings)",
    "does-not-follow": "Steps that do not follow",
    "uncovered": "Masked and hidden counters handled by others",
    "deck": "Decks looked into",
    "cloned": "Counters copied",
    "came": "Counters that came into the game",
    "left": "Counters taken out of the game",
    "other-map": "Counters brought from another map",
    "other-module": "Another module or version",
}
REVEALED = "Revealed"
REVEALED_MEANING = (
    "What was hidden or masked, and where it really was. These are not findings: each move is judged among"
    " the others, with everything known."
)
NOTHING_HIDDEN = "No unit was hidden or masked from another side."
_CONCEALED = (
    ("hidden", True, "Hidden, and not where it was last seen"),
    ("hidden", False, "Hidden where it was last seen"),
    ("masked", False, "Masked"),
)
FEW = 10
"""Traces of one kind, and rolls, shown without ``--verbose``."""

_ENOUGH = 30
"""Averages are given only for at least this many results."""

_MOST = 400
"""Characters of one trace shown without ``--verbose``."""


def told_as_trace(audit: Audit, finding: Finding) -> bool:
    """Whether a note is shown among the traces, and so not among the notes."""
    return audit.integrity is not None and finding.kind == "note" and finding.code in TOLD_HERE


def how_played(audit: Audit, *, verbose: bool) -> Iterator[Section]:
    """The section on how the game was played and, in a full report, the one on what was hidden. Empty if
    integrity was not requested."""
    found, many_logs = audit.integrity, of_many_logs(audit)
    if found is None:
        return
    shown = list(groups(audit, many_logs=many_logs, verbose=verbose))
    if found.rolls:
        shown.append(_dice(found, many_logs=many_logs, verbose=verbose))
    yield Section(HEADING, meaning(found), tuple(shown))
    if audit.revealed is not None:
        yield revealed_section(audit, audit.revealed, many_logs=many_logs)


def groups(audit: Audit, *, many_logs: bool, verbose: bool) -> Iterator[Group]:
    """The traces by kind, in a fixed order."""
    traces = audit.integrity.traces if audit.integrity is not None else ()
    for kind, title in KINDS.items():
        alike = [trace for trace in traces if trace.kind == kind]
        if kind == "out-of-phase":
            alike = _together(alike)
        if alike:
            shown = alike if verbose else alike[:FEW]
            lines = [_line(trace, many_logs=many_logs, verbose=verbose) for trace in shown]
            number = (
                sum(len(trace.steps) for trace in alike) if kind == "out-of-phase" else len(alike)
            )
            yield Group(f"{title} ({number:,})", (tuple(lines),), len(alike) - len(shown))


def _dice(found: Integrity, *, many_logs: bool, verbose: bool) -> Group:
    ledger = tuple((line, "") for line in (*dice_lines(found), *test_lines(found)))
    title = f"Dice ({len(found.rolls):,})"
    if verbose or len(found.rolls) <= FEW:
        return Group(title, (ledger, tuple(roll_lines(found, many_logs=many_logs))))
    told = "Every roll is shown with --verbose, and in the JSON report."
    return Group(title, (ledger,), instead=told)


def _together(traces: list[Trace]) -> list[Trace]:
    """One trace with the steps of moves that are already among the findings."""
    steps = tuple(dict.fromkeys(step for trace in traces for step in trace.steps[:1]))
    return [Trace("out-of-phase", steps, "")] if steps else []


def _line(trace: Trace, *, many_logs: bool, verbose: bool) -> tuple[str, str]:
    text = trace.text if verbose else printable(trace.text, _MOST)
    who = player_text(trace.player, trace.side)
    if who and trace.finding is None:
        text += f" ({who})" if trace.sure else f" (among steps of {who})"
    opening = trace.steps[0].step == 0 and trace.steps[-1].step == 0
    where = opening_text(trace.steps[0].log) if opening else ""
    return where or steps_text(trace.steps, many_logs=many_logs), text


def opening_text(log: int) -> str:
    """The name of the position with which a log opens."""
    return f"opening of log {log}"


def dice_lines(integrity: Integrity) -> Iterator[str]:
    """A line for each player and kind of dice, and for rolls that could not be read."""
    for tally in integrity.tallies:
        yield f"{player_text(tally.player, tally.side) or 'nobody known'}, {_tally(tally)}"
    for player, number in integrity.unread:
        whose = f" of {player}" if player else ""
        yield f"{counted(number, 'roll')}{whose} of which the result was not read"


def _tally(tally: Tally) -> str:
    rolls = counted(tally.rolls, "roll")
    results = f", {tally.results:,} dice" if tally.results != tally.rolls else ""
    few = tally.results < len(tally.counts)
    came = ", ".join(
        f"{number} × {_side(tally, side)}" for side, number in tally.counts if number or not few
    )
    average = ""
    if not tally.names and tally.results >= _ENOUGH:
        average = f"; average {float(tally.mean):.2f}, expected {float(tally.expected_mean):.2f}"
    return f"{tally.kind}: {rolls}{results}: {came}{average}"


def _side(tally: Tally, side: int) -> str:
    return tally.names[side - 1] if 0 < side <= len(tally.names) else str(side)


def test_lines(integrity: Integrity) -> Iterator[str]:
    """The test of each player's dice, and what it means; nothing if the reader may not see it."""
    if integrity.tests is None or not integrity.tallies:
        return
    for test in integrity.tests:
        yield _test(test)
    if integrity.tests:
        yield (
            "p is how often fair dice differ at least this much from what is expected. A small p does not"
            " say why; among many games tested, some have one by chance."
        )
    else:
        yield f"Dice are tested from {LEAST_ROLLS} rolls of a player on: there are fewer."


def _test(test: DiceTest) -> str:
    corrected = (
        f", corrected for {test.tests} players {_p(test.adjusted)}" if test.tests > 1 else ""
    )
    return (
        f"{player_text(test.player, test.side)}: chi-square {test.chi_square:.2f} with"
        f" {test.freedom} degrees of freedom over {counted(test.rolls, 'roll')} of"
        f" {', '.join(test.kinds)}: p = {_p(test.p)}{corrected}"
    )


def _p(value: float) -> str:
    return f"{value:.2f}" if value >= 0.01 else f"{value:.1g}"


def roll_lines(integrity: Integrity, *, many_logs: bool) -> Iterator[tuple[str, str]]:
    """Every roll: its step, and who rolled what and why."""
    for roll in integrity.rolls:
        yield steps_text((roll.at,), many_logs=many_logs), _roll(roll)


def _roll(roll: Roll) -> str:
    shown = ", ".join(roll.results) if roll.results else "result not read"
    if not roll.sides and roll.results:
        shown = f"{shown} (not counted: these are not its dice)"
    who = player_text(roll.player, roll.side) or "nobody known"
    said = f', said before: "{readable_chat(roll.said)}"' if roll.said else ""
    undone = f"; taken back in step {roll.undone.step}" if roll.undone is not None else ""
    return f"{who}: {roll.dice} = {shown}{said}{undone}"


def meaning(integrity: Integrity) -> str:
    """The introduction of the section: what it is, or why it is empty."""
    if not integrity.from_logs:
        return "Read from an analysis document, which holds no dice, decks or undos."
    told = integrity.traces or integrity.rolls
    return MEANING if told else "There is nothing of the kind, and no dice were rolled."


def revealed_section(audit: Audit, found: Revealed, *, many_logs: bool) -> Section:
    """What was hidden or masked, by kind."""
    verdicts = {m.move.id: m.verdict if m.judged else "not judged" for m in audit.moves}
    told: dict[str, list[Line]] = {}
    for kind, differs, title in _CONCEALED:
        told[title] = [
            (_span(one, many_logs), _concealed(one, verdicts, many_logs))
            for one in found.concealed
            if (one.kind, one.differs) == (kind, differs)
        ]
    told["Named with hexes where it was not"] = [
        (steps_text((one.at,), many_logs=many_logs), _announced(one)) for one in found.announced
    ]
    groups = [
        Group(f"{title} ({len(lines):,})", (tuple(lines),))
        for title, lines in told.items()
        if lines
    ]
    return Section(REVEALED, REVEALED_MEANING if groups else NOTHING_HIDDEN, tuple(groups))


def _span(one: Concealed, many_logs: bool) -> str:
    first = _from(one.first, many_logs)
    if one.last is None:
        return f"{first} to the end"
    if one.last.log == one.first.log:
        return f"{first} to step {one.last.step}"
    return f"{first} to {_from(one.last, True)}"


def _from(at: StepRef, many_logs: bool) -> str:
    return steps_text((at,), many_logs=many_logs) if at.step else opening_text(at.log)


def _concealed(one: Concealed, verdicts: dict[int, str], many_logs: bool) -> str:
    to = " and ".join(one.to)
    unit = f"{one.name} of {one.side}" if one.side else one.name
    if one.kind == "hidden":
        last = f"who saw it last in {one.seen}" if one.seen else "who had not seen it"
        said = f"{unit} was hidden from {to}, {last}"
    else:
        said = f"{unit} was masked from {to}, who saw it as {one.by_name or 'a counter'}"
    lay = [
        f"{place or 'out of the game'} (from {_from(at, many_logs)})" if number else place or "-"
        for number, (at, place) in enumerate(one.places)
    ]
    said += f"; it lay in {', '.join(lay)}"
    if one.again:
        said += f"; known again in {one.again}"
    counted = Counter(verdicts[move] for move in one.moves if move in verdicts)
    if counted:
        told = ", ".join(f"{number} {verdict}" for verdict, number in sorted(counted.items()))
        said += f"; its moves meanwhile: {told}"
    return said


def _announced(one: Announced) -> str:
    who = one.player or "the log"
    hexes = ", ".join(one.hexes)
    place = one.place or "out of the game"
    return (
        f'{who}: "{readable_chat(one.line)}": {one.name} is named with {hexes}, and lay in {place}'
    )
