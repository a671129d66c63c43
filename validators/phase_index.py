"""The step and the phase of each event of a game. For uncertain phases see :mod:`.tracker`."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from itertools import pairwise

from ..model.boards import BoardChange
from ..model.finding import PhaseView
from ..model.game import Game, PhaseStart, StepRef, Witness
from .tracker import Interlude, PhaseUncertainty, Slip, interrupts, is_again, second_thoughts

_UNSAID = PhaseView()


class PhaseIndex:
    """The steps and phases of one game. Events are given by their index in ``game.events``."""

    __slots__ = (
        "_interruptions",
        "_missing",
        "_phase_of",
        "_phase_steps",
        "_phases",
        "_steps",
        "_turn_of",
        "game",
    )

    def __init__(self, game: Game) -> None:
        self.game = game
        self._steps: list[StepRef] = []
        self._phase_steps: list[StepRef] = []
        self._phases: list[PhaseStart] = []
        self._phase_of: list[int] = []
        self._turn_of: list[int] = []
        latest = StepRef(0, 0)
        for event in game.events:
            latest = max(latest, event.at)
            self._steps.append(latest)
            if isinstance(event, PhaseStart):
                self._begin_phase(event)
        self._missing = self._second_thoughts()
        self._interruptions = self._find_interruptions()

    def first_event(self, step: StepRef) -> int:
        """The index of the first event that is not before ``step``."""
        return bisect_left(self._steps, step)

    def end_event(self, step: StepRef) -> int:
        """The index of the first event after ``step``."""
        return bisect_right(self._steps, step)

    def end_of_log(self, log: int) -> int:
        """The index of the first event after those of ``log``."""
        return self.first_event(StepRef(log + 1, 0))

    def step_of(self, index: int) -> StepRef:
        """The step of the event ``index``."""
        return self._steps[index]

    def _begin_phase(self, start: PhaseStart) -> None:
        at = max(start.at, self._phase_steps[-1]) if self._phase_steps else start.at
        if self._phase_steps and self._phase_steps[-1] == at:  # the last word on a step counts
            self._phase_steps.pop()
            self._phases.pop()
            self._phase_of.pop()
            self._turn_of.pop()
        before = self._phases[-1] if self._phases else None
        same = before is not None and is_again(before, start)
        number = (self._phase_of[-1] if self._phase_of else 0) + (0 if same else 1)
        self._phase_steps.append(at)
        self._phases.append(start)
        turn = self._turn_of[-1] if self._turn_of else 0
        self._turn_of.append(turn if before is not None and before.turn == start.turn else turn + 1)
        self._phase_of.append(number)

    def phase_start(self, step: StepRef) -> PhaseStart | None:
        """The event that started the phase of ``step``; None if there is none."""
        found = bisect_right(self._phase_steps, step)
        return self._phases[found - 1] if found else None

    def phase(self, step: StepRef) -> PhaseView:
        """Turn, phase and active side at ``step``; each is None if not known."""
        start = self.phase_start(step)
        return PhaseView(start.turn, start.phase, start.active) if start is not None else _UNSAID

    def phase_number(self, step: StepRef) -> int:
        """The number of the phase of ``step``, counted from 1; 0 before the first phase. A phase that is
        certainly started again without another in between continues with the same number."""
        found = bisect_right(self._phase_steps, step)
        return self._phase_of[found - 1] if found else 0

    def is_doubtful(self, step: StepRef) -> bool:
        """Whether it is not known that the phase of ``step`` began, because the turn tracker was set back
        (see :mod:`.tracker`)."""
        found = bisect_right(self._phase_steps, step)
        return bool(found) and self._missing.doubtful[found - 1]

    def is_reopened(self, step: StepRef) -> bool:
        """Whether the phase of ``step`` starts again after another one, so that it may not have ended."""
        found = bisect_right(self._phase_steps, step)
        return bool(found) and self._missing.reopened[found - 1]

    def spell(self, step: StepRef) -> int:
        """As :meth:`phase_number`, but with the same number for the parts of a phase that was, or may have
        been, interrupted."""
        found = bisect_right(self._phase_steps, step)
        return self._missing.spell[found - 1] if found else 0

    def end_of_spell(self, step: StepRef) -> tuple[int, StepRef]:
        """The number of phase starts up to the last one with the :meth:`spell` of ``step``, and the step of
        the last event before the next one."""
        spells, spell = self._missing.spell, self.spell(step)
        found = len(spells)
        while found and spells[found - 1] != spell:
            found -= 1
        end = len(self._steps)
        if found < len(self._phase_steps):
            end = self.first_event(self._phase_steps[found])
        return found, self._steps[end - 1] if end else step

    def phases_up_to(self, number: int) -> tuple[object, ...]:
        """The facts about the first ``number`` phase starts, including those from later events, and the next
        start."""
        missing = self._missing
        told = (missing.spell, missing.doubtful, missing.reopened)
        over = [(self.is_over(step), self.is_closed(step)) for step in self._phase_steps[:number]]
        between = [at for index, at in self._interruptions if index < number]
        later = self._phases[number : number + 1]
        return (
            [tuple(some[:number]) for some in told],
            self._phase_of[:number],
            self._turn_of[:number],
            over,
            between,
            later,
        )

    def last_part(self, step: StepRef) -> StepRef | None:
        """The step at which the last part of an interrupted phase begins; None if the turn tracker was set
        back: whether the phase continues there is not known."""
        spell = self.spell(step)
        found = len(self._missing.spell) - 1 - self._missing.spell[::-1].index(spell)
        return None if self._missing.doubtful[found] else self._phase_steps[found]

    def is_closed(self, step: StepRef) -> bool:
        """Whether the last step of the phase of ``step`` is given for certain, and the log with it is
        available."""
        number = self.phase_number(step)
        found = bisect_right(self._phase_of, number)
        start = self._phases[found - 1] if found else None
        if isinstance(start, Interlude):
            start = start.within
        if start is None or start.last is None or not start.certain:
            return False
        return bool(self._steps) and start.last.log <= self._steps[-1].log

    def is_over(self, step: StepRef) -> bool:
        """Whether the phase of ``step`` is known to have ended: its last step is given, or the phase that
        follows is known. A phase that is not known may still be the same."""
        if self.is_closed(step):
            return True
        spell, found = self.spell(step), bisect_right(self._phase_of, self.phase_number(step))
        for index in range(found, len(self._phases)):
            start = self._phases[index]
            if not interrupts(start) and self._missing.spell[index] != spell:
                return (
                    start.certain and start.phase is not None and not self._missing.doubtful[index]
                )
        return False

    def interludes(self, first: StepRef, last: StepRef) -> list[StepRef]:
        """The first steps of possible interruptions of a phase from ``first`` to ``last``: interludes (see
        :mod:`.readings`), and starts after which the phase may be another (see :meth:`restarts`)."""
        begin, end = bisect_left(self._phase_steps, first), bisect_right(self._phase_steps, last)
        return [at for index, at in self._interruptions if begin <= index < end]

    def all_interludes(self) -> list[StepRef]:
        """As :meth:`interludes`, of the whole game."""
        return [at for _, at in self._interruptions]

    def restarts(self) -> list[PhaseStart]:
        """The phase starts that may be a new phase or the phase before, started again."""
        pairs = pairwise(self._phases)
        return [start for before, start in pairs if is_again(before, start) is None]

    @property
    def slips(self) -> tuple[Slip, ...]:
        """The slips of the turn tracker, in order."""
        return self._missing.slips

    def half_told(self, step: StepRef) -> StepRef:
        """The step to ask about if the phase of ``step`` and the one before or after may be the same: the
        first step of the phase whose turn or side is not known; else ``step``."""
        here = bisect_right(self._phase_steps, step) - 1
        for index in (here, here - 1, here + 1):
            if not 0 <= index < len(self._phases):
                continue
            first, second = sorted((here, index))
            again = index == here or is_again(self._phases[first], self._phases[second]) is None
            if again and None in (self._phases[index].turn, self._phases[index].active):
                return step if index == here else self._phase_steps[index]
        return step

    def _find_interruptions(self) -> list[tuple[int, StepRef]]:
        """The indices and first steps of the phase starts that :meth:`all_interludes` returns."""
        again = {id(start) for start in self.restarts()}
        numbered = enumerate(self._phases)
        found = ((n, s) for n, s in numbered if isinstance(s, Interlude) or id(s) in again)
        return [(number, start.at) for number, start in found]

    def _second_thoughts(self) -> PhaseUncertainty:
        starts = [self.first_event(step) for step in self._phase_steps]
        ends = [*starts[1:], len(self.game.events)][: len(starts)]
        quiet = [
            not any(_happens(event) for event in self.game.events[start:end])
            for start, end in zip(starts, ends, strict=True)
        ]
        return second_thoughts(self._phases, self._phase_of, quiet)

    def stretch(self, step: StepRef) -> tuple[StepRef, StepRef]:
        """The first and the last step of the phase of ``step`` within its log."""
        found = bisect_right(self._phase_steps, step)
        first = max(StepRef(step.log, 1), self._phase_steps[found - 1] if found else StepRef(0, 0))
        after = bisect_left(self._steps, StepRef(step.log + 1, 0))
        last = self._steps[after - 1] if after else step
        if found < len(self._phase_steps) and self._phase_steps[found].log == step.log:
            start = self._phase_steps[found]
            last = StepRef(step.log, start.step - 1)
        return min(first, step), max(last, step)

    def is_soon(self, index: int, at: StepRef) -> bool:
        """Whether event ``index`` is in the turn of step ``at`` or in the next. True also if one of the turns
        is not known."""
        later = self._steps[index]
        if self.phase(at).turn is None or self.phase(later).turn is None:
            return True
        return self.turn_number(later) - self.turn_number(at) <= 1

    def turn_number(self, step: StepRef) -> int:
        """The number of the turn of ``step``, counted from 1; it increases when a phase has another turn or
        no known turn. 0 before the first phase."""
        found = bisect_right(self._phase_steps, step)
        return self._turn_of[found - 1] if found else 0


def _happens(event: object) -> bool:
    """Whether an event counts as something that happened in its phase."""
    if isinstance(event, Witness):
        return event.kind not in ("chat", "log-end")
    return not isinstance(event, PhaseStart | BoardChange)
