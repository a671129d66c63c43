"""Finds stacks that exceed the stacking limit at the end of a phase.

Stacks are not checked during a phase, because the units may have moved in another order than they were
dragged. The least value that a stack can have is counted. The end of the last log does not end a phase. A
stack that does not change is reported once; one that changes and is still too big refers to the first report.
Also what made a stack too big, and one finding of several on one stack.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import zip_longest

from ..model.fact import MissingFact
from ..model.finding import Finding
from ..model.game import Displacement, Game, StateChange, StepRef
from .checks import listed, names_of, phase_end_unknown, phase_undescribed, phase_unknown
from .moves import Track, phase_is_known
from .ruleset import StackingRule
from .situation import Situation
from .stack_size import MOST_QUESTIONS, Pile, Stack
from .timeline import Timeline
from .tracker import Interlude, interrupts
from .verdicts import finding_about, left_open


def without_duplicates(found: Iterable[Finding]) -> Iterator[Finding]:
    """``found`` without duplicates: of the certain findings on one stack the first; of those about stacks
    that may be too big only those with a hex where no other rule finds a stack certainly too big."""
    findings = list(found)
    sure = {_stack_of(f): f for f in reversed(findings) if f.verdict == "illegal"}
    for finding in findings:
        if finding.verdict == "illegal":
            if sure[_stack_of(finding)] is finding:
                yield finding
        elif not all(_is_told(finding, name, sure.values()) for name in finding.hexes):
            yield finding


def _stack_of(finding: Finding) -> tuple[object, ...]:
    return finding.code, finding.side, finding.hexes, finding.steps, finding.units


def _is_told(missing_fact: Finding, name: str, sure: Iterable[Finding]) -> bool:
    """Whether another rule certainly reports a stack that may be too big in a hex at the end of a phase."""
    return any(
        name in found.hexes
        and (found.code, found.side, found.phase)
        == (missing_fact.code, missing_fact.side, missing_fact.phase)
        and set(found.units) <= set(missing_fact.units)
        for found in sure
    )


TooBig = Callable[[frozenset[str]], bool]
"""Returns whether a set of units now in a hex is too big a stack."""


@dataclass(frozen=True, slots=True)
class Cause:
    """An event that may have made a stack too big. ``event``: its index. ``track``: the move by which
    ``unit`` arrived; None if it arrived without a move, or changed. ``changed``: the unit changed in the hex,
    and the stack had not been too big before."""

    event: int
    at: StepRef
    unit: str
    track: Track | None = None
    player: str = ""
    changed: bool = False


@dataclass(frozen=True, slots=True)
class Blame:
    """The moves that made a stack too big, or made it bigger still. ``cause``: the event other than a move
    that made it too big; None if it was a move or is not known."""

    tracks: tuple[Track, ...]
    cause: Cause | None = None


@dataclass(slots=True)
class Causes:
    """The arrivals and changes of units in each hex during a phase, in order."""

    tracks: dict[tuple[str, StepRef], Track]
    in_hex: dict[str, list[Cause]] = field(default_factory=dict)

    @staticmethod
    def of(tracks: Iterable[Track]) -> Causes:
        """An empty record. ``tracks``: all moves of the game."""
        ends = {
            (unit, track.move.steps[-1]): track
            for track in tracks
            if track.counts
            for unit in track.move.units
        }
        return Causes(ends)

    def arrived(self, index: int, at: StepRef, event: Displacement) -> None:
        """Record that a unit was put into a hex by the event with index ``index``."""
        track = self.tracks.get((event.unit, event.at))
        cause = Cause(index, at, event.unit, track, event.player)
        self.in_hex.setdefault(event.target.name, []).append(cause)

    def changed(self, index: int, at: StepRef, event: StateChange, name: str) -> None:
        """Record that a unit changed in hex ``name``, where the stack was not too big before."""
        cause = Cause(index, at, event.unit, changed=True)
        self.in_hex.setdefault(name, []).append(cause)

    def blame(self, name: str, units: frozenset[str], too_big: TooBig) -> Blame:
        """What made the stack of ``units`` in hex ``name`` too big: the moves that led there. If a counter
        that arrived without a move, or that changed, made it too big, only the moves after that."""
        causes = [cause for cause in self.in_hex.get(name, ()) if cause.unit in units]
        last = {cause.unit: cause for cause in causes if not cause.changed}
        arrivals = sorted(last.values(), key=lambda cause: cause.event)
        led = tuple({c.track.move.id: c.track for c in arrivals if c.track is not None}.values())
        made = _completed(units, arrivals, too_big)
        after = made.event if made is not None else -1
        grown = [cause for cause in causes if cause.changed and cause.event > after]
        if grown:
            made = grown[-1]
        if made is None or made.track is not None:
            return Blame(led)
        late = {c.track.move.id: c.track for c in arrivals if c.track and c.event > made.event}
        return Blame(tuple(late.values()), made)


def _completed(units: frozenset[str], arrivals: list[Cause], too_big: TooBig) -> Cause | None:
    """The arrival with which the stack became too big; None if it was too big before the first or none made
    it so."""
    present = units - {cause.unit for cause in arrivals}
    if too_big(present):
        return None
    for cause, following in zip_longest(arrivals, arrivals[1:]):
        present |= {cause.unit}
        if (following is None or following.at != cause.at) and too_big(present):
            return cause
    return None


def check_stacking(
    game: Game, tracks: Sequence[Track], rule: StackingRule | None, timeline: Timeline
) -> tuple[Finding, ...]:
    """The findings about stacks that exceed ``rule`` or one of ``rule.also``; none if ``rule`` is None. A
    stack that is too big by several rules of one clause is reported once."""
    rules = () if rule is None else (rule, *rule.also)
    found = [f for one in rules for f in _Watch(game, tracks, one, timeline).run()]
    return tuple(without_duplicates(found)) if len(rules) > 1 else tuple(found)


@dataclass(frozen=True, slots=True)
class _Told:
    """The last report on a hex: its units, the first move to blame (None: none), since when the stack has
    been too big, and whether it was an accusation."""

    units: frozenset[str]
    move: int | None
    since: StepRef
    accused: bool


class _Watch:
    def __init__(
        self, game: Game, tracks: Sequence[Track], rule: StackingRule, timeline: Timeline
    ) -> None:
        self.game, self.rule, self.timeline = game, rule, timeline
        self.situation = Situation(game, timeline)
        self.causes = Causes.of(tracks)
        self.counted = {measure.size for measure in rule.measures} | {
            need.attribute
            for measure in rule.measures
            for need in (*measure.counted, *measure.exempt, *measure.doubted)
        }
        self.touched: dict[str, None] = {}
        self.open: dict[str, dict[str, None]] = {}
        self.told: dict[tuple[str, str], _Told] = {}
        self.moved: set[str] = set()
        self.found: list[Finding] = []

    def run(self) -> tuple[Finding, ...]:
        """The findings, from one pass over the events. At the end of each phase the hexes that changed are
        checked; the first time, all hexes with counters."""
        opening = (place.name for place in self.game.opening.values() if place.kind == "hex")
        self.touched.update(dict.fromkeys(opening))
        before: StepRef | None = None
        phase = 0
        for index, event in enumerate(self.game.events):
            at = self.timeline.step_of(index)
            if at != before:
                number = self.timeline.phase_number(at)
                if before is not None and number != phase and not self._goes_on(before, at):
                    self._look(before, ended=self._ended(index, before))
                phase = number
            self._note(index, event)
            self.situation.advance_by_one()
            before = at
        if before is not None:
            # a further log may continue the phase, and the player may correct the stack there
            self._look(before, ended=self.timeline.is_closed(before))
        return tuple(self.found)

    def _goes_on(self, before: StepRef, at: StepRef) -> bool:
        """Whether the phase of ``before`` continues at ``at``, where an interruption begins or ends."""
        starts = (self.timeline.phase_start(before), self.timeline.phase_start(at))
        interrupted = any(start is not None and interrupts(start) for start in starts)
        return interrupted and self.timeline.spell(before) == self.timeline.spell(at)

    def _ended(self, index: int, before: StepRef) -> bool:
        """Whether the phase of ``before`` is known to have ended there. ``index``: the index of the first
        event after it."""
        if self.timeline.is_closed(before):
            return True
        return self.timeline.is_over(before) and not self._broken_off(index, before)

    def _broken_off(self, index: int, before: StepRef) -> bool:
        """Whether the event with index ``index`` opens a log that does not continue from the end of the log
        before. Then the end of the phase is not available."""
        at = self.timeline.step_of(index)
        opening = self.game.events[index : self.timeline.end_event(at)]
        return at.log != before.log and any(isinstance(e, Displacement) for e in opening)

    def _note(self, index: int, event: object) -> None:
        if isinstance(event, Displacement):
            for place in (event.origin, event.target):
                if place.kind == "hex":
                    self.touched[place.name] = None
            if event.origin != event.target:
                self.moved.add(event.unit)
            if event.target.kind == "hex":
                self.causes.arrived(index, self.timeline.step_of(index), event)
        elif isinstance(event, StateChange):
            place = self.situation.where(event.unit)
            if place.kind == "hex":
                self.touched[place.name] = None
                side = self.situation.side(event.unit)
                counts = event.attribute in self.counted and side is not None
                if counts and self._pile(place.name, side or "").stack() is None:
                    self.causes.changed(index, self.timeline.step_of(index), event, place.name)

    def _look(self, at: StepRef, *, ended: bool) -> None:
        """Check the hexes that changed since the last check, and those left open then, at the end of the
        phase of ``at``. ``ended``: whether the phase is known to have ended there."""
        missing = self._missing(at, ended)
        for side in self.game.sides:
            if self.rule.sides and side not in self.rule.sides:
                continue
            of_side = self._not_its_turn(side, at) or missing
            names = self.touched if of_side else self.touched | self.open.pop(side, {})
            perhaps: dict[str, tuple[MissingFact, ...]] = {}
            for name in names:
                pile = self._pile(name, side)
                stack = pile.stack()
                if stack is None:
                    self.told.pop((name, side), None)
                    if asked := pile.missing():
                        if of_side:
                            self.open.setdefault(side, {})[name] = None
                        else:
                            perhaps[name] = asked
                    continue
                if of_side:
                    self.open.setdefault(side, {})[name] = None
                if of_side is not True:
                    self._tell(stack, at, of_side or stack.missing)
            if perhaps:
                self._ask(perhaps, side, at)
        self.touched.clear()
        self.causes.in_hex.clear()
        self.moved.clear()

    def _ask(self, perhaps: Mapping[str, tuple[MissingFact, ...]], side: str, at: StepRef) -> None:
        """Add one unverifiable finding for all hexes in which a stack of ``side`` may be too big."""
        asked = tuple(dict.fromkeys(question for found in perhaps.values() for question in found))
        units = tuple(
            unit
            for name in perhaps
            for unit in self.situation.units_in(name)
            if self.situation.side(unit) in (side, None) and not self.situation.is_marker(unit)
        )
        found = finding_about(
            self.game,
            self.rule.clause,
            "unverifiable",
            units,
            hexes=tuple(perhaps),
            steps=(at,),
            explanation=f"{side} may have too much in {listed(perhaps, 12)}",
            side=side,
            phase=self.timeline.phase(at),
        )
        self.found.append(left_open(found, *asked[:MOST_QUESTIONS]))

    def _pile(self, name: str, side: str) -> Pile:
        return Pile(self.situation, self.rule, name, side, self.moved)

    def _missing(self, at: StepRef, ended: bool) -> tuple[MissingFact, ...]:
        """The missing facts without which no stack can be called illegal at ``at``; besides those of the rule
        itself there are none if the phase is known, has ended, and only movement displaces counters in it."""
        start = self.timeline.phase_start(at)
        if start is None or not phase_is_known(self.timeline, at):
            return (phase_unknown(self.timeline, at),)
        if self.timeline.is_reopened(at):
            return (phase_unknown(self.timeline, self.timeline.half_told(at)),)
        if not ended:
            return (phase_end_unknown(self.timeline, at, start),)
        if self.game.whole_phase(start.phase) is None:
            return (phase_undescribed(start.phase or ""),)
        return self.rule.missing

    def _not_its_turn(self, side: str, at: StepRef) -> bool:
        """Whether ``side`` does not move in the phase. It cannot correct its stacks then, so they are not
        reported."""
        view = self.timeline.phase_start(at)
        if view is not None and view.combat:
            return True
        interlude = isinstance(view, Interlude)
        if isinstance(view, Interlude):
            view = view.within
        declared = self.game.whole_phase(view.phase) if view is not None else None
        if view is None or declared is None:
            return False
        if not interlude and not phase_is_known(self.timeline, at):
            return False
        movers = declared.movers
        if movers == "both":
            return False
        standing = self.game.relation(view.active, side)
        return standing != {"active": "friend", "inactive": "enemy"}.get(movers, "nobody")

    def _blame(self, stack: Stack) -> Blame:
        pile, doubted = self._pile(stack.hex, stack.side), bool(stack.missing)

        def too_big(units: frozenset[str]) -> bool:
            return pile.too_big(doubted=doubted, among=units) is not None

        return self.causes.blame(stack.hex, frozenset(stack.units), too_big)

    def _tell(self, stack: Stack, at: StepRef, missing: tuple[MissingFact, ...]) -> None:
        key = (stack.hex, stack.side)
        units = frozenset(stack.units)
        told = self.told.get(key)
        if told is not None and told.units == units and (missing or told.accused):
            return
        blame = self._blame(stack)
        tracks = blame.tracks
        numbers = tuple(track.move.id for track in tracks)
        by = tracks[-1].move if tracks else None
        said = f"{stack.hex} holds {stack.least} {stack.measure} of {stack.side}, "
        beside = f" beside {' and '.join(stack.beside)}" if stack.beside else ""
        said += f"{stack.bound} allowed{beside}: {listed(names_of(self.game, stack.units), 12)}"
        first = told.move if told is not None else None
        if told is not None and told.units != units:
            said += f"; too many since {told.since.said}"
        if blame.cause is not None:
            name = names_of(self.game, (blame.cause.unit,))[0]
            how = "was changed there" if blame.cause.changed else "came there by no move"
            said += f"; not before {name} {how} at {blame.cause.at.said}"
        move = first or (numbers[0] if numbers else None)
        self.told[key] = _Told(units, move, told.since if told else at, not missing)
        found = finding_about(
            self.game,
            stack.clause,
            "overstack",
            stack.units,
            hexes=(stack.hex,),
            steps=(by.steps[-1] if by else blame.cause.at if blame.cause else at,),
            explanation=said,
            player=by.player if by else blame.cause.player if blame.cause else "",
            side=stack.side,
            phase=self.timeline.phase(at),
            moves=numbers,
            follows_from=first if first not in numbers else None,
        )
        self.found.append(left_open(found, *missing) if missing else found)
