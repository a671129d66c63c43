"""Finds units that were moved on after another unit had moved, where the rules forbid it.

A unit is accused only if no grouping of the drags into stacks explains them (:mod:`.one_stack`): a unit that
began on its way may have been in its stack, and one of the two may have been dropped where the other passed.
And it is accused only if a die roll or a step of another side came in between, or the facts say that it moved
on so. Otherwise the player may have been correcting the position by hand, and that is asked.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from itertools import combinations, groupby

from ..model.fact import MissingFact
from ..model.finding import Finding
from ..model.game import Game
from .answers import Decided, any_decided, decided, moved_on_after, open_in
from .checks import listed, names_of
from .concepts import missing_facts
from .moves import Track
from .one_stack import Drag, OneStack, drags_of
from .order_exemptions import Exemptions
from .ruleset import OrderRule, RulesInForce
from .stopovers import handled
from .takeback import Witnesses
from .unit_verdict import MOST_UNKNOWNS
from .verdicts import finding, left_open

Excused = Callable[[str, int], Decided]
"""Whether a unit may do something at an event."""


def check_order(
    game: Game,
    tracks: Sequence[Track],
    rule: OrderRule,
    witnesses: Witnesses,
    rules: RulesInForce | None = None,
    *,
    as_shown: bool = False,
    excused: Excused | None = None,
) -> tuple[Finding, ...]:
    """The findings about units moved on after others had moved, phase by phase; none if ``rule`` allows it.

    ``rules``: used to judge how far a unit can have gone with others. None: any unit dragged from a hex where
    a unit has been may have been in that unit's stack. ``as_shown``: the units are taken to have moved in
    the order that the log shows. ``excused``: whether a unit may move on after others at an event, or the
    missing facts that decide it; None: no unit may but those that ``rule`` exempts.
    """
    if rule.resume and not rule.dropped:
        return ()
    stacks = OneStack(game, witnesses, rules)
    found: list[Finding] = []
    for phase in in_whole_phases(game, tracks):
        found.extend(_in_phase(_Phase(game, phase, rule, stacks, as_shown, excused), rule))
    return tuple(found)


def in_whole_phases(game: Game, tracks: Sequence[Track]) -> Iterator[list[Track]]:
    """The moves of each phase in which nothing but movement displaces a unit."""
    known = (track for track in tracks if track.counts and track.phase_known)
    whole = (track for track in known if game.whole_phase(track.move.phase.phase) is not None)
    for _, phase in groupby(whole, key=lambda track: track.phase_number):
        yield list(phase)


class _Phase:
    """The drags of one phase, in order, and which units may have moved in one stack."""

    def __init__(
        self,
        game: Game,
        tracks: list[Track],
        rule: OrderRule,
        stacks: OneStack,
        as_shown: bool,
        excused: Excused | None,
    ) -> None:
        self.game, self.rule, self.stacks, self.as_shown = game, rule, stacks, as_shown
        self._excused = excused
        self.witnesses = stacks.witnesses
        self.exemptions = Exemptions(game, rule, stacks.timeline)
        self.drags, self.ways = drags_of(tracks)

    def excused(self, unit: str, drag: Drag) -> Decided:
        """Whether ``unit`` may move on after others by ``drag``."""
        exempt = self.exemptions.exempt(unit, drag)
        other = self._excused(unit, drag.event) if self._excused else False
        return any_decided((exempt, other))

    def moved_on(self, unit: str, first: Drag, between: Drag, second: Drag) -> Decided:
        """Whether ``unit`` moved on by ``second`` after ``between``, a drag of others. No: its place was only
        corrected, or the units were moved in another order."""
        too_late = self.witnesses.too_late
        if self.as_shown or too_late(first.event, second.event, second.track.side):
            return True
        units = self.game.units
        other = units[between.track.move.units[0]]
        return decided(self.game, moved_on_after(units[unit], other, second.at))

    def of_one_side(self, *drags: Drag) -> Decided:
        """Whether the counters that were dragged are of one side."""
        units = [self.game.units[drag.track.move.units[0]] for drag in drags]
        if len({unit.side for unit in units} - {None}) > 1:
            return False
        return tuple(missing_facts.of_side(unit) for unit in units if unit.side is None) or True

    def until(self, unit: str, event: int) -> list[Drag]:
        """The drags of ``unit`` up to ``event`` (an index), and those after it that may only correct the
        position, because nothing had witnessed it yet."""
        found: list[Drag] = []
        for way in self.ways[unit]:
            if way.event > event and (
                not found or self.witnesses.too_late(found[-1].event, way.event, way.track.side)
            ):
                break
            found.append(way)
        return found

    def may_be_one(self, one: str, other: str, event: int) -> Decided:
        """Whether two units that were together may have been in one stack all the time they moved, given
        their drags up to ``event``."""
        ways, others = self.until(one, event), self.until(other, event)
        passed = self.stacks.may_have_passed
        return any_decided((passed(one, ways, others), passed(other, others, ways)))

    def _met(self, one: str, other: str) -> bool:
        """Whether ``one`` and ``other`` can have been together where one of them began."""
        own, theirs = self.ways[one], self.ways[other]
        return self.stacks.reaches_in_time(own, theirs[0]) or self.stacks.reaches_in_time(
            theirs, own[0], strictly=True
        )

    def _may_be_linked(self, one: str, other: str, event: int) -> Decided:
        """Whether two units may have been in one stack, directly or through a chain of other units."""
        moved = {
            unit: self.of_one_side(self.ways[one][0], ways[0])
            for unit, ways in self.ways.items()
            if ways[0].event <= event
        }
        found, ahead = {one}, [one]
        sure, open_ones = {one}, dict[MissingFact, None]()
        while ahead and other not in sure:
            here = ahead.pop()
            for unit, friend in moved.items():
                near = friend and unit not in found
                near = near and (self._met(here, unit) or self._met(unit, here))
                told = self.may_be_one(here, unit, event) if near else False
                if told is False:
                    continue
                told = friend if told is True else told
                found.add(unit)
                ahead.append(unit)
                if told is True and here in sure:
                    sure.add(unit)
                open_ones.update(dict.fromkeys(open_in(told)))
        if other in sure:
            return True
        return tuple(open_ones) if other in found else False

    def is_mate(self, unit: str, drag: Drag, event: int) -> Decided:
        """Whether a unit dragged by ``drag`` may have been in the stack of ``unit``, which was dragged on by
        the event with index ``event``."""
        if self.stacks.rules is None:
            return self.stacks.reaches_in_time(self.ways[unit], drag)
        met = (other for other in drag.track.move.units if self._met(unit, other))
        return any_decided(self._may_be_linked(unit, other, event) for other in met)

    def handled(self, unit: str, drag: Drag, until: int) -> Decided:
        """See :func:`.stopovers.handled`."""
        return handled(self.game, self.witnesses, self.ways, unit, drag, until)

    def fork(self, one: str, other: str, last: int, event: int) -> bool:
        """Whether two units, dragged together up to the event with index ``last``, were then dragged hex by
        hex along different ways.

        False if one ends on the other's way, which may be a correction; also if one goes back to where the
        stack has been, because then it was dropped there and dragged too far at first."""
        been = {d.origin for unit in (one, other) for d in self.ways[unit] if d.event <= last}
        ways = [[d for d in self.until(unit, event) if d.event > last] for unit in (one, other)]
        neighbours = self.game.board.neighbours
        for drag in (*ways[0], *ways[1]):
            a, b = drag.origin.hex, drag.target.hex
            if a is None or b is None or b not in neighbours(a):
                return False
        ends = [way[-1].target for way in ways]
        if any(
            end in [d.target for d in way] for end, way in zip(ends, reversed(ways), strict=True)
        ):
            return False
        for first, second in zip(*ways, strict=False):
            if first.origin != second.origin:
                return False
            if first.target != second.target:
                return not {first.target, second.target} & been
        return False


def _in_phase(phase: _Phase, rule: OrderRule) -> list[Finding]:
    parted = list(_parted(phase)) if rule.dropped else []
    if rule.resume:
        return parted
    said = {unit for f in parted for unit in f.units}
    sure = {unit for f in parted if f.verdict == "illegal" for unit in f.units}
    resumed = [
        f
        for f in _interrupted(phase)
        if (sure if f.verdict == "illegal" else said).isdisjoint(f.units)
    ]
    certain = {unit for f in resumed if f.verdict == "illegal" for unit in f.units}
    return [*resumed, *(f for f in parted if certain.isdisjoint(f.units))]


def _interrupted(phase: _Phase) -> list[Finding]:
    """The findings about units that moved on after others had moved: of each unit the first that is certain,
    and the first that is open, if that is earlier."""
    found: list[Finding] = []
    last: dict[str, int] = {}
    told: dict[str, Drag] = {}
    opened: set[str] = set()
    for number, drag in enumerate(phase.drags):
        for unit in drag.track.move.units:
            before = last.get(unit)
            last[unit] = number
            if before is None or unit in told:
                continue
            first = phase.drags[before]
            others = [d for d in phase.drags[before + 1 : number] if d not in told.values()]
            stranger = _stranger(phase, unit, first, drag, others)
            excused = True if stranger is None else phase.excused(unit, drag)
            if stranger is None or excused is True:
                continue
            between, unknowns = stranger
            unknowns = (*open_in(excused), *unknowns)
            if not unknowns:
                told[unit] = drag
            elif unit in opened:
                continue
            opened.add(unit)
            before_it, clause = (first, between), phase.rule.clause
            one = _moved_on(phase.game, unit, before_it, drag, clause, " after {} had moved")
            found.append(_found(one, unknowns))
    return found


def _found(one: Finding, unknowns: tuple[MissingFact, ...]) -> Finding:
    """``one``, left open if there are ``unknowns``."""
    asked = tuple(dict.fromkeys(unknowns))[:MOST_UNKNOWNS]
    return left_open(one, *asked) if asked else one


def _stranger(
    phase: _Phase, unit: str, first: Drag, own: Drag, between: list[Drag]
) -> tuple[Drag, tuple[MissingFact, ...]] | None:
    """The first drag in ``between``, of units of the same side, that cannot have belonged to the stack of
    ``unit``, and the missing facts that decide it. ``first`` and ``own``: the drags of ``unit`` before and
    after it. A drag that certainly cannot comes before any that perhaps cannot. None if every drag may have
    belonged to the stack."""
    perhaps: tuple[Drag, tuple[MissingFact, ...]] | None = None
    for drag in between:
        friend = phase.of_one_side(own, drag)
        if unit in drag.track.move.units or friend is False:
            continue
        apart = phase.exemptions.apart(drag)
        if apart is True:
            continue
        mate = phase.is_mate(unit, drag, own.event)
        if mate is True:
            continue
        by_hand = phase.handled(unit, drag, own.event)
        moved_on = phase.moved_on(unit, first, drag, own)
        if by_hand is True or moved_on is False:
            continue
        every = (friend, moved_on, apart, mate, by_hand)
        unknowns = tuple(asked for told in every for asked in open_in(told))
        if not unknowns:
            return drag, ()
        perhaps = perhaps or (drag, unknowns)
    return perhaps


def _moved_on(
    game: Game, unit: str, before: Sequence[Drag], second: Drag, clause: str, when: str
) -> Finding:
    """The finding that a unit moved on by ``second`` after ``before``. ``when``: the rest of the text, with
    {} for the units of the last of these."""
    name, others = names_of(game, (unit,))[0], listed(names_of(game, before[-1].track.move.units))
    said = f"{name} moved on from {second.origin}{when.format(others)}"
    move = replace(second.track.move, units=(unit,))
    told = finding(game, move, clause, "illegal-move", "illegal", said)
    numbers = dict.fromkeys((*(drag.track.move.id for drag in before), move.id))
    return replace(told, moves=tuple(numbers))


def _parted(phase: _Phase) -> Iterator[Finding]:
    """The findings about units that were dragged together and then separately: one was left behind and moved
    on later."""
    together: dict[tuple[str, str], int] = {}
    told: set[str] = set()
    opened: set[str] = set()
    for drag in phase.drags:
        units = drag.track.move.units
        for pair, last in together.items():
            left, *more = [u for u in pair if u in units] or [""]
            if not left or more or left in told:
                continue
            other = pair[1] if left == pair[0] else pair[0]
            parted = [d for d in phase.until(other, drag.event) if d.event > last]
            spared = phase.exemptions.spared(pair, drag)
            if not parted or parted[0].event > drag.event or spared is True:
                continue
            forked = phase.fork(left, other, last, drag.event)
            one = False if forked else phase.may_be_one(left, other, drag.event)
            by_hand = phase.handled(left, parted[0], drag.event)
            by_hand = by_hand is True or (not forked and by_hand)
            moved_on = phase.moved_on(left, parted[0], parted[0], drag)
            if one is True or by_hand is True or moved_on is False:
                continue
            every = (moved_on, spared, one, by_hand)
            unknowns = tuple(asked for told in every for asked in open_in(told))
            if not unknowns:
                told.add(left)
            elif left in opened:
                continue
            opened.add(left)
            when, clause = ", where {} of its stack had left it behind", phase.rule.dropped
            told_on = _moved_on(phase.game, left, parted[:1], drag, clause, when)
            yield _found(told_on, unknowns)
        together.update(dict.fromkeys(combinations(sorted(units), 2), drag.event))
