"""Which steps may be which phase: guesses from what was said, what trackers show, who moved and where dice
fell.

A proposal enters nothing anywhere. It orders the questions and is a beginning for a person to correct.
Borders
are drawn where a player announces a phase, ends one or hands over; where the pack's own sources (trackers,
globals, markers, patterns for chat) tell something new; where another side begins to move; where dice
begin or cease to fall; and where a log begins.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Literal

from ...importers.pack.phase_signs import PHASE_WORDS
from ...model.game import PhaseStart, StepRef
from .timeline import Tick, between

LONGEST_HEADING = 48
LONGEST_REMARK = 120
OTHERS = 8
"""So many pieces moved by another side, one step after the other, are no longer a foreign step in a phase."""
ROLLS = 4
"""So many rolls, less than ``_CLOSE`` steps from one to the next, may be combat."""
_CLOSE = 40
_WORD = re.compile(r"[A-Za-z]+|[0-9]+")
_KIND = re.compile(rf"(?:{PHASE_WORDS}|reset|airdrop|mechani[sz]ed|mech)s?", re.IGNORECASE)
_STRONG = re.compile(
    r"(?:airdrop|bombardment|combat|exploitation|logistics|movement|operations|reinforcement|replacement|reset)s?",
    re.IGNORECASE,
)
"""Of the words that name phases those that are seldom said of anything else."""
_PHASE = re.compile(r"\b(?:phase|segment|step)s?\b", re.IGNORECASE)
_CALLED = re.compile(r"((?:[A-Za-z-]+ (?:& |and )?){1,4})(?:phase|segment)\b", re.IGNORECASE)
_BEGINS = re.compile(
    r"^\W*(?:(?:ok|okay|so|now|then|alright|well|and)\W+)*"
    r"(?:begin(?:ning|s)?|start(?:ing|s)?|now (?:for|in|the)|doing|proceeding to|on to|time for|next)\b",
    re.IGNORECASE,
)
_ENDS = re.compile(
    r"\b(?:end(?:s|ed)?(?: of)?|that(?:'s| is| does) it(?: for)?|finish(?:ed|es)?|complet(?:e|es|ed|ing)"
    r"|conclud(?:e|es|ed|ing)|done with|is over)\b",
    re.IGNORECASE,
)
_HANDS_OVER = re.compile(
    r"\b(?:your [a-z ]{0,40}\b(?:up|next|now)\b|ready for your|time for you|you're up|over to you"
    r"|your turn to|begin a log ?file)",
    re.IGNORECASE,
)
_FILLERS = frozenset(
    word
    for line in (
        "the of and a an my our your s is are now begin beginning phase segment turn day ok so end ends",
        "it for that this do does believe here ready with i",
    )
    for word in line.split()
)

Does = Literal["begins", "ends", "hands over"]


@dataclass(frozen=True, slots=True)
class Proposal:
    """Steps that may be one phase, as far as anything tells; '' for what nothing tells. ``why``: the signs,
    each a line for a person."""

    first: StepRef
    last: StepRef
    turn: str = ""
    phase: str = ""
    active: str = ""
    why: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Announced:
    """What a chat line says of phases."""

    does: Does
    phase: str
    active: str


def propose(
    ticks: Sequence[Sequence[Tick]],
    phases: Sequence[str],
    sides: Sequence[str],
    told: Iterable[PhaseStart] = (),
) -> tuple[Proposal, ...]:
    """The proposals, in order; together they hold every step of every log. ``phases``: the names the pack
    has;
    ``told``: what its own sources tell."""
    by_step: dict[StepRef, PhaseStart] = {start.at: start for start in told}
    found: list[Proposal] = []
    turn = ""
    for log in ticks:
        for number, one in enumerate(_of_log(log, phases, sides, by_step)):
            before = found[-1] if number == 0 and found else None
            if before is not None and before.phase and not one.phase and _idle(ticks, before):
                why = (*one.why, *(f"at the end of the log before: {text}" for text in before.why))
                one = replace(one, phase=before.phase, active=before.active, why=why)
            turn = one.turn or turn
            found.append(replace(one, turn=turn))
    return tuple(found)


def _idle(ticks: Sequence[Sequence[Tick]], one: Proposal) -> bool:
    """Whether nobody moves in these steps."""
    return not any(tick.moved for tick in between(ticks, one.first, one.last))


def announced(text: str, phases: Sequence[str], sides: Sequence[str], by: str) -> Announced | None:
    """What a line says that a player of side ``by`` typed; None: nothing of phases."""
    words = _WORD.findall(text)
    if len(text) > LONGEST_REMARK or not words:
        return None
    kinds = [word for word in words if _is_kind(word)] or _PHASE.findall(text)
    other = _other(by, sides)
    if _HANDS_OVER.search(text):
        return Announced("hands over", _phase_in(text, phases, sides) if kinds else "", other)
    plain = _PHASE.search(text) or text.endswith((":", "...", "…"))
    if not kinds or not (plain or any(_STRONG.fullmatch(word) for word in words)):
        return None
    phase = _phase_in(text, phases, sides)
    active = _side_in(words, sides)
    yours = other if re.search(r"\byour\b", text, re.IGNORECASE) else by
    if _ENDS.search(text):
        done = text.split(";", 1)[0]
        phase = _phase_in(done, phases, sides)
        return Announced("ends", phase, _side_in(_WORD.findall(done), sides) or yours)
    left = [w for w in words if w.lower() not in _FILLERS and not _is_kind(w)]
    left = [w for w in left if not _side_in([w], sides) and not w.isdigit()]
    heading = len(text) <= LONGEST_HEADING and len(left) <= 1
    if heading or (_BEGINS.search(text) and (_PHASE.search(text) or len(text) <= LONGEST_HEADING)):
        return Announced("begins", phase, active or yours)
    return None


def _is_kind(word: str) -> bool:
    """Whether a word may be the name of a phase; ``end`` is none that stands alone."""
    return _KIND.fullmatch(word) is not None and word.lower() not in _FILLERS


def _phase_in(text: str, phases: Sequence[str], sides: Sequence[str]) -> str:
    """The phase of the pack that a text names with most words, else what it calls a phase; '' if neither."""
    words = [word.lower() for word in _WORD.findall(text)]
    best, most = "", 0
    for phase in phases:
        wanted = [w.lower() for w in _WORD.findall(phase) if w.lower() not in _FILLERS]
        fits = all(any(_alike(w, word) for word in words) for w in wanted)
        if fits and len(wanted) > most:
            best, most = phase, len(wanted)
    if best:
        return best
    called = _CALLED.search(text)
    if called is None:
        kinds = [word for word in _WORD.findall(text) if _is_kind(word)]
        return kinds[0].capitalize() if kinds else ""
    parts = [
        word
        for word in called[1].split()
        if word.lower() not in _FILLERS and not _side_in([word], sides) and not _BEGINS.match(word)
    ]
    return " ".join(part.capitalize() for part in parts[-3:])


def _alike(wanted: str, word: str) -> bool:
    """Whether two words are one, shortened or bent: ``mech`` and ``mechanized``, ``move`` and ``moves``."""
    return wanted == word or (
        min(len(wanted), len(word)) >= 4 and (wanted.startswith(word) or word.startswith(wanted))
    )


def _side_in(words: Iterable[str], sides: Sequence[str]) -> str:
    """The side that one of the words stands for: ``German`` for ``Germans``, ``allied`` for ``Allies``."""
    for word in words:
        for side in sides:
            stem = min(len(side), max(4, len(side) - 2))
            if len(word) >= 4 and word.lower()[:stem] == side.lower()[:stem][: len(word)]:
                return side
    return ""


def _other(by: str, sides: Sequence[str]) -> str:
    others = [side for side in sides if side != by]
    return others[0] if by and len(sides) == 2 and len(others) == 1 else ""


@dataclass(slots=True)
class _Border:
    """What begins with a step. ``silent``: nothing is said of the phase, only that another may begin."""

    turn: str = ""
    phase: str = ""
    active: str = ""
    silent: bool = True
    why: tuple[str, ...] = ()


def _of_log(
    log: Sequence[Tick],
    phases: Sequence[str],
    sides: Sequence[str],
    told: Mapping[StepRef, PhaseStart],
) -> Iterator[Proposal]:
    if not log:
        return
    borders: dict[int, _Border] = {0: _Border(why=("the log begins",))}
    ended: dict[int, Announced] = {}

    def border(index: int) -> _Border:
        return borders.setdefault(min(index, len(log) - 1), _Border())

    opening = told.get(StepRef(log[0].at.log, 0))
    for index, tick in enumerate(log):
        start = told.get(tick.at) or (opening if index == 0 else None)
        if start is not None:
            _take(border(index), start)
        for text in tick.lines:
            line = announced(text, phases, sides, tick.side)
            if line is None:
                continue
            shown = f"“{text}”"
            if line.does == "ends":
                ended[index] = line
                if index + 1 < len(log):
                    after = border(index + 1)
                    after.why += (f"before it was said: {shown}",)
                continue
            at = border(index + 1 if line.does == "hands over" else index)
            at.phase, at.active = line.phase or at.phase, line.active or at.active
            at.silent = at.silent and not line.phase
            at.why += (shown,)
    for index, side in _new_movers(log):
        at = border(index)
        at.active = at.active or side
        at.why += (f"{side} begin to move",)
    first = sorted(borders)
    spans = list(zip(first, [*first[1:], len(log)], strict=True))
    for begin, end in spans:
        if borders[begin].silent:
            for index in _dice(log, begin, end):
                border(index).why += ("dice begin or cease to fall",)
    yield from _joined(_proposals(log, borders, ended), log)


def _take(border: _Border, start: PhaseStart) -> None:
    border.turn = start.turn or border.turn
    border.phase = start.phase or border.phase
    border.active = start.active or border.active
    border.silent = border.silent and not start.phase
    if start.source:
        border.why += (", ".join(dict.fromkeys(start.source.split(", "))),)


def _new_movers(log: Sequence[Tick]) -> Iterator[tuple[int, str]]:
    """Where another side begins to move for good: the index of the first step, and the side."""
    current = next((tick.side for tick in log if tick.sure and tick.moved), "")
    since, moved, who = -1, 0, ""
    for index, tick in enumerate(log):
        if not (tick.sure and tick.moved and tick.side):
            continue
        if tick.side == current:
            since, moved, who = -1, 0, ""
            continue
        if who != tick.side:
            since, moved, who = index, 0, tick.side
        moved += tick.moved
        if moved >= OTHERS:
            yield since, who
            current, since, moved, who = who, -1, 0, ""


def _dice(log: Sequence[Tick], begin: int, end: int) -> Iterator[int]:
    """The first step of each run of rolls among steps ``begin`` to ``end`` (not included), and the step
    after."""
    run: list[int] = []
    rolls = [index for index in range(begin, end) if log[index].dice]
    for index in [*rolls, None]:
        if index is not None and (not run or index - run[-1] <= _CLOSE):
            run.append(index)
            continue
        if len(run) >= ROLLS:
            if run[0] > begin:
                yield run[0]
            if run[-1] + 1 < end:
                yield run[-1] + 1
        run = [] if index is None else [index]


def _proposals(
    log: Sequence[Tick], borders: Mapping[int, _Border], ended: Mapping[int, Announced]
) -> Iterator[Proposal]:
    first = sorted(borders)
    for begin, end in zip(first, [*first[1:], len(log)], strict=True):
        at = borders[begin]
        phase, active, why = at.phase, at.active, at.why
        closing = next((ended[i] for i in range(end - 1, begin - 1, -1) if i in ended), None)
        if closing is not None and not phase:
            phase, active = closing.phase, active or closing.active
            why += ("its end is announced",)
        if not active:
            active = _mover(log[begin:end])
        yield Proposal(log[begin].at, log[end - 1].at, at.turn, phase, active, why)


def _mover(ticks: Iterable[Tick]) -> str:
    """The side that moved most."""
    moved: dict[str, int] = {}
    for tick in ticks:
        if tick.sure and tick.side:
            moved[tick.side] = moved.get(tick.side, 0) + tick.moved
    return max(moved, key=lambda side: moved[side]) if any(moved.values()) else ""


def _joined(found: Iterable[Proposal], log: Sequence[Tick]) -> Iterator[Proposal]:
    """Those in which nothing happens and nothing is told go with the one before."""
    last: Proposal | None = None
    for one in found:
        empty = not one.phase and not any(
            tick.moved or tick.dice for tick in log if one.first <= tick.at <= one.last
        )
        same = last is not None and bool(one.phase or last.phase) and one.active == last.active
        if same and last is not None and one.phase != last.phase:  # announced, and only then moved
            same = not one.phase and not any(t.moved for t in between([log], last.first, last.last))
        if last is not None and (empty or same):
            last = replace(last, last=one.last, turn=one.turn or last.turn, why=last.why)
            if same:
                last = replace(last, why=(*last.why, *one.why))
            continue
        if last is not None:
            yield last
        last = one
    if last is not None:
        yield last
