"""Guess which steps may be which phase, from announcements, trackers, who moved, and where dice fell.

A proposal is entered nowhere. It orders the questions and is a beginning for a person to correct. Borders are
drawn where a player announces a phase, ends one or hands over; where the pack's own sources (trackers,
globals, markers, patterns for chat) give something new; where the marks of many moved counters were taken
off; where the counters have been set up; where another side begins to move; where dice begin or cease to
fall; and where a log begins.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from ..importers.pack.pack import Pack, PhaseSource
from ..importers.pack.phases import PhaseTeller
from ..importers.pack.signs import tracker_signs
from ..importers.vassal.module import Module
from ..model.finding import PhaseView
from ..model.game import PhaseStart, StepRef
from ..model.patterns import Effort, compile_pattern
from ..model.table import TableHistory
from .announcements import Announced, announced, phase_in
from .phase_signs import ROLLS, bursts, dice_runs, new_movers, set_up
from .timeline import Tick, between

MOST_EFFORT = 20_000_000
"""Total number of patterns used to read turn trackers."""
SET_UP = "Set-up"
_SETTING_UP = re.compile(r"\b(?:set[- ]?up|deploy|placement|aufstellung)", re.IGNORECASE)
DICE = "dice begin or cease to fall"
MARKS = "counters lose the mark of having moved"
BEFORE, AT_END = "before it", "at its end"
ANNOUNCED_END = "its end is announced"
SAID_BEFORE = "before it was said: "


@dataclass(frozen=True, slots=True)
class Proposal:
    """Steps that may be one phase; "" for what no sign shows. ``why``: the signs, a line each for a
    person."""

    first: StepRef
    last: StepRef
    turn: str = ""
    phase: str = ""
    active: str = ""
    why: tuple[str, ...] = ()

    @property
    def said(self) -> str:
        """The proposal and its reasons in a line: ``log 1 steps 3-14: Movement, Blue (“Movement phase”)``."""
        steps = f"steps {self.first.step}-{self.last.step}"
        if self.first.log != self.last.log:
            steps = f"step {self.first.step} to {self.last.said}"
        elif self.first == self.last:
            steps = f"step {self.first.step}"
        what = PhaseView(self.turn, self.phase, self.active)
        why = f" ({'; '.join(self.why)})" if self.why else ""
        return f"log {self.first.log} {steps}: {what}{why}"


def propose_for(
    pack: Pack, module: Module, history: TableHistory, ticks: Sequence[Sequence[Tick]]
) -> tuple[Proposal, ...]:
    """The proposals for a game by its present pack. ``history``: as the viewer of ``ticks`` sees it. A turn
    tracker that moves in the logs is also a sign if the pack reads none."""
    sides = tuple(pack.sides or module.sides)
    if not any(source.kind == "turn_tracker" for source in pack.phase_sources):
        trackers = (
            PhaseSource(
                "turn_tracker",
                str(sign.source["turn_tracker"]),
                compile_pattern(str(sign.source["pattern"]), Effort(MOST_EFFORT)),
            )
            for sign in tracker_signs(module, history, sides)
            if len(sign.seen) > 1
        )
        pack = replace(pack, phase_sources=(*pack.phase_sources, *trackers))
    quiet = (
        p for p, rule in pack.phases.items() if rule.movers == "none" and _SETTING_UP.search(p)
    )
    setting_up = next(quiet, SET_UP)  # a phase with movers may be one in which reinforcements come
    return propose(ticks, tuple(pack.phases), sides, _told(pack, history), setting_up)


def _told(pack: Pack, history: TableHistory) -> Iterator[PhaseStart]:
    for number, log in enumerate(history.logs, 1):
        # a new one: what a tracker still shows at an opening is a sign for this log, too
        teller = PhaseTeller(pack)
        yield from teller.opening(number, log.opening)
        for step in log.steps:
            yield from teller.step(StepRef(number, step.engine_number or 0), step)


def propose(
    ticks: Sequence[Sequence[Tick]],
    phases: Sequence[str],
    sides: Sequence[str],
    told: Iterable[PhaseStart] = (),
    setting_up: str = SET_UP,
) -> tuple[Proposal, ...]:
    """The proposals in order; together they cover every step of every log. ``phases``: the pack's names.
    ``told``: from its own sources. ``setting_up``: the name of the phase that sets up counters."""
    by_step = {start.at: _of_a_side(start, sides) for start in told}
    found: list[Proposal] = []
    turn = ""
    drawn: list[_Drawn] = []
    for log in filter(None, ticks):
        begun = not all(before.only_sets_up for before in drawn)
        drawn.append(_drawn(log, phases, sides, by_step, "" if begun else setting_up))
    silent = all(one.silent for one in drawn)
    for of in drawn:
        proposed: Iterable[Proposal] = _proposals(of.log, of.borders, of.ended)
        if silent:  # where anything tells phases, what ends with marks taken off may be any of them
            proposed = _by_marks(list(proposed), of, phases)
        for number, one in enumerate(_joined(proposed, of.log, turn)):
            before = found[-1] if number == 0 and found else None
            if before is not None and before.phase and not one.phase and _idle(ticks, before):
                why = (*one.why, *(f"at the end of the log before: {text}" for text in before.why))
                active = before.active or one.active
                one = replace(one, phase=before.phase, active=active, why=why)
            found.append(one)
            turn = one.turn
    return tuple(found)


def _of_a_side(start: PhaseStart, sides: Sequence[str]) -> PhaseStart:
    """``start``; without its side, and with a note from its source, if the game has no such side."""
    if not sides or start.active in (None, *sides):
        return start
    return replace(
        start, active=None, source=f"{start.source}: {start.active} is not a side of this game"
    )


def _idle(ticks: Sequence[Sequence[Tick]], one: Proposal) -> bool:
    """Whether nobody moves in these steps, and no counter comes onto a map."""
    return not any(tick.moved or tick.placed for tick in between(ticks, one.first, one.last))


@dataclass(slots=True)
class _Border:
    """A border: what begins with a step. ``silent``: only that another phase may begin, not which."""

    turn: str = ""
    phase: str = ""
    active: str = ""
    silent: bool = True
    why: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class _Drawn:
    """The borders of a log by the index of the step that each begins with, and the announced ends.
    ``placed``: the last step in which counters are set up; None: none are."""

    log: Sequence[Tick]
    borders: Mapping[int, _Border]
    ended: Mapping[int, Announced]
    placed: int | None

    @property
    def silent(self) -> bool:
        """Whether no sign names any of its phases."""
        return not self.ended and all(border.silent for border in self.borders.values())

    @property
    def only_sets_up(self) -> bool:
        """Whether it only sets up counters, so that the next log may set up more."""
        if self.placed is None or not self.silent:
            return False
        return not any(tick.moved or tick.dice for tick in self.log[self.placed + 1 :])


def _drawn(
    log: Sequence[Tick],
    phases: Sequence[str],
    sides: Sequence[str],
    told: Mapping[StepRef, PhaseStart],
    setting_up: str,
) -> _Drawn:
    """The borders of one log. ``setting_up``: the phase that sets up counters; "": none does in it."""
    placed = set_up(log) if setting_up else None
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
                    after.why += (f"{SAID_BEFORE}{shown}",)
                continue
            at = border(index + 1 if line.does == "hands over" else index)
            at.phase, at.active = line.phase or at.phase, line.active or at.active
            at.turn = line.turn or at.turn
            at.silent = at.silent and not line.phase
            at.why += (shown,)
    last = None
    if placed is not None and borders[0].silent:
        last, number = placed
        borders[0].phase = setting_up
        borders[0].why += (f"{number} counters come onto the map",)
        if log[0].at.log > 1:
            borders[0].why += ("nothing but setting up was done in the logs before",)
        if last + 1 < len(log):
            after = border(last + 1)
            after.why += ("the counters have been set up",)
    for end, number in bursts(log):
        if end + 1 < len(log):
            after = border(end + 1)
            after.why += (f"{BEFORE} {number} {MARKS}",)
    for index, side in new_movers(log):
        at = border(index)
        at.active = at.active or side
        at.why += (f"{side} begin to move",)
    first = sorted(borders)
    spans = list(zip(first, [*first[1:], len(log)], strict=True))
    for begin, end in spans:
        if borders[begin].silent:
            for index in dice_runs(log, begin, end):
                border(index).why += (DICE,)
    return _Drawn(log, borders, ended, last)


def _by_marks(found: Sequence[Proposal], of: _Drawn, phases: Sequence[str]) -> Iterator[Proposal]:
    """The proposals, with a name for those at whose end the marks of moved counters were taken off: what
    moved was movement, and where dice fell after it combat, if nothing but dice parts them."""
    log, borders, marked_off = of.log, of.borders, dict(bursts(of.log))
    places = sorted(borders)
    ends = [*places[1:], len(log)]
    for number, one in enumerate(found):
        if one.phase or not log[places[number] : ends[number]]:
            yield one
            continue
        last = number
        while (
            last + 1 < len(found)
            and ends[last] - 1 not in marked_off
            and (border := borders[ends[last]]).silent
            and set(border.why) == {DICE}
        ):
            last += 1
        marked = marked_off.get(ends[last] - 1)
        mine = log[places[number] : ends[number]]
        rolls, moved = sum(tick.dice for tick in mine), sum(tick.moved for tick in mine)
        kind = "" if marked is None else "combat" if rolls >= ROLLS else "movement" if moved else ""
        # after dice, moves may be an advance
        if not kind or (kind == "movement" and DICE in borders[places[number]].why):
            yield one
            continue
        name = phase_in(kind, phases, ()) or kind.capitalize()
        why = f"{AT_END} {marked} {MARKS}"
        active = one.active or (found[number - 1].active if number else "")
        yield replace(one, phase=name, active=active, why=(*one.why, why))


def _take(border: _Border, start: PhaseStart) -> None:
    border.turn = start.turn or border.turn
    border.phase = start.phase or border.phase
    border.active = start.active or border.active
    border.silent = border.silent and not start.phase
    if start.source:
        border.why += (start.source,)


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
            why += (ANNOUNCED_END,)
        if not active:
            active = _mover(log[begin:end])
        yield Proposal(log[begin].at, log[end - 1].at, at.turn, phase, active, why)


def _mover(ticks: Iterable[Tick]) -> str:
    """The side with most moves."""
    moved: dict[str, int] = {}
    for tick in ticks:
        if tick.sure and tick.side:
            moved[tick.side] = moved.get(tick.side, 0) + tick.moved
    return max(moved, key=lambda side: moved[side]) if any(moved.values()) else ""


def _goes_on(one: Proposal) -> bool:
    """Whether only marks that were taken off part it from what went before, and its end is announced: the
    phase of which this is the end may have begun before."""
    return bool(one.phase) and ANNOUNCED_END in one.why and all(
        why == ANNOUNCED_END or why.endswith(MARKS) for why in one.why
    )  # fmt: skip


def _joined(found: Iterable[Proposal], log: Sequence[Tick], turn: str) -> Iterator[Proposal]:
    """Those in which nothing happens and nothing is told go with the one before, where they are of the same
    turn. ``turn``: the one that the log begins in, as far as is known."""
    last: Proposal | None = None
    over = False  # whether the end of the last one was announced
    for one in found:
        turn = one.turn or turn
        one = replace(one, turn=turn)
        over = over or any(why.startswith(SAID_BEFORE) for why in one.why)
        empty = not one.phase and not any(
            tick.moved or tick.dice for tick in log if one.first <= tick.at <= one.last
        )
        same = last is not None and bool(one.phase or last.phase) and one.active == last.active
        if same and last is not None and one.phase != last.phase:  # announced, and only then moved
            still = not any(t.moved for t in between([log], last.first, last.last))
            same = not one.phase and not over and still
        marks = [*one.why, *(why for why in (last.why if last else ()) if why.startswith(AT_END))]
        same = same and not any(why.endswith(MARKS) for why in marks)
        if last is not None and not last.phase and last.active == one.active and _goes_on(one):
            last = replace(one, first=last.first, why=tuple(dict.fromkeys((*last.why, *one.why))))
            continue
        turned = last is not None and last.turn not in ("", turn)
        if last is not None and (empty or same) and not (turned and not _idle([log], last)):
            last = replace(last, last=one.last, turn=turn)
            if same:
                last = replace(last, why=tuple(dict.fromkeys((*last.why, *one.why))))
            continue
        if last is not None:
            yield last
        last, over = one, False
    if last is not None:
        yield last
