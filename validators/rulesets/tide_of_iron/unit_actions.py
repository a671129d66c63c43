"""What a unit did in its activation, as far as the log shows it: where it was carried and where it moved by
itself, when it got into and out of vehicles and fortifications, and how it was hit on the way.

A player may change a counter's attribute and change it back before anybody has seen it (see
:mod:`.witness`). In the favourable world such a change does not count, in the adverse world it does.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from itertools import pairwise

from ....model.fact import UNKNOWN, Fact
from ....model.finding import Move
from ...concepts.sides import is_enemy
from ...ruleset import World
from .unit_history import UnitHistory

NO = "no"
NONE = "none"
Series = list[tuple[int, Fact]]


@dataclass(frozen=True, slots=True)
class Leg:
    """One drag of the move. ``at``: the index of its event. ``carried``: whether a vehicle that went the same
    way carried it; None: not known."""

    origin: str
    target: str
    at: int
    carried: bool | None


@dataclass(frozen=True, slots=True)
class Rides:
    """How often a squad boarded a vehicle and got out of one. ``acted_on``: it did something after it had
    boarded."""

    boarded: int
    left: int
    acted_on: bool


@dataclass(frozen=True, slots=True)
class UnitActions:
    """What one unit did with its move: the legs, and its attributes from the beginning of the phase until the
    unit is moved again.

    ``start``, ``end``: the span of events for the attributes (``end`` exclusive). ``mined``: the hexes of its
    legs in which mines may lie; damage there was not certainly done by Op Fire."""

    unit: str
    side: str | None
    legs: tuple[Leg, ...]
    start: int
    end: int
    unit_history: UnitHistory
    mined: frozenset[str] = frozenset()
    walked: tuple[Leg, ...] = field(init=False, compare=False)
    """The legs on which it was not certainly carried."""

    def __post_init__(self) -> None:
        walked = tuple([leg for leg in self.legs if not leg.carried])
        object.__setattr__(self, "walked", walked)

    @property
    def span(self) -> tuple[int, int]:
        """The events of its legs: the first, and the one after the last. Empty at ``start`` if there are no
        legs."""
        if not self.legs:
            return self.start, self.start
        return self.legs[0].at, self.legs[-1].at + 1

    @property
    def first(self) -> int:
        """The event of its first leg by itself; :attr:`end` if there is none."""
        return self.walked[0].at if self.walked else self.end

    def value(self, attribute: str, at: int) -> Fact:
        """The value of an attribute just before event ``at``."""
        return self.unit_history.value(self.unit, attribute, at)

    def never_changed(self, attribute: str, outside: str) -> bool:
        """Whether ``attribute`` (``aboard`` or ``works``) certainly had the value ``outside`` (not aboard, in
        no fortification) and never changed. Then both worlds agree."""
        unit_history = self.unit_history
        return not unit_history.changes(self.unit, attribute, self.start, self.end) and (
            unit_history.value(self.unit, attribute, self.start).options == (outside,)
        )

    def rides(self, world: World, *, meant: bool = False) -> Rides:
        """How often it boarded and got out: at least (favourable world) or at most (adverse). ``meant``:
        changes that were corrected do not count in the adverse world either."""
        if self.never_changed("aboard", NO):
            return Rides(0, 0, False)
        series = self._read("aboard", "favourable" if meant else world)
        boarded = left = 0
        acted_on = False
        for number, (at, now) in enumerate(series):
            after = series[number + 1][0] if number + 1 < len(series) else self.end
            inside = _inside(now, world, NO)
            entered = inside and number > 0 and _changed(series[number - 1][1], now, world)
            boarded += entered
            went = self._walks(at, after)
            ended = number + 1 < len(series) and _changed(now, series[number + 1][1], world)
            if inside and (ended or went):
                left += 1
                acted_on = acted_on or entered
        return Rides(boarded, left, acted_on)

    def works(self, world: World) -> tuple[list[Fact], list[Fact]]:
        """The fortifications that it got into, and those that it left: those that it certainly did
        (favourable world), or may have (adverse)."""
        if self.never_changed("works", NONE):
            return [], []
        series = self._read("works", world)
        entered: list[Fact] = []
        left: list[Fact] = []
        for number, (at, now) in enumerate(series):
            after = series[number + 1][0] if number + 1 < len(series) else self.end
            if not _inside(now, world, NONE):
                continue
            if number and _changed(series[number - 1][1], now, world):
                entered.append(now)
            ended = number + 1 < len(series) and _changed(now, series[number + 1][1], world)
            if ended or self._walks(at, after):
                left.append(now)
        return entered, left

    def changes(self, attribute: str) -> list[tuple[Fact, tuple[int, Fact]]]:
        """The changes of an attribute in the favourable world, as (old value, (event, new value))."""
        series = self._read(attribute, "favourable")
        return [(before[1], now) for before, now in pairwise(series)]

    def _walks(self, start: int, end: int) -> bool:
        return any(start <= leg.at < end for leg in self.walked)

    def _read(self, attribute: str, world: World) -> Series:
        series = self.unit_history.series(self.unit, attribute, self.start, self.end)
        if world == "adverse":
            return series
        if attribute == "aboard":
            series = self._corrected(series)
        if self._is_stale(attribute, series[0][1]):
            series[0] = (series[0][0], UNKNOWN)
        return _without_repeats([*self._after_drags([*self._meant(series)])])

    def _corrected(self, series: Series) -> Series:
        """``series`` of the attribute ``aboard``, with one vehicle or number that directly follows another,
        the squad not having moved in between, taken as a correction of the first."""
        found = series[:1]
        for at, fact in series[1:]:
            said, before = found[-1]
            boarded = all(o and NO not in o for o in (before.options or (), fact.options or ()))
            if len(found) > 1 and boarded and not any(said < leg.at < at for leg in self.legs):
                found[-1] = (said, fact)
            else:
                found.append((at, fact))
        return found

    def _is_stale(self, attribute: str, said: Fact) -> bool:
        """Whether the first value may be left over from an earlier phase: the unit has been moved since it
        was set, or is not in the hex of the vehicle."""
        unit_history, here = self.unit_history, self.unit_history.place(self.unit, self.start)
        if unit_history.is_declared(said):
            return False
        if attribute == "aboard":
            for option in said.options or ():
                vehicle = (
                    None if option == NO else unit_history.vehicle(option, self.unit, self.start)
                )
                if vehicle is not None and unit_history.place(vehicle, self.start) != here:
                    return True
            return False
        since = unit_history.said(self.unit, attribute, self.start)
        return bool(unit_history.drags(self.unit, since, self.start))

    def _after_drags(self, series: Series) -> Iterator[tuple[int, Fact]]:
        """``series`` with changes made just before the unit was dragged moved to just after the drag, if
        nobody had seen them. A change to ``no`` is not moved: a squad gets out before it is dragged."""
        yield series[0]
        for at, fact in series[1:]:
            shifted = at
            for leg in self.walked:
                if leg.at > shifted and not self.unit_history.witnesses.too_late(
                    shifted, leg.at, self.side
                ):
                    shifted = leg.at + 1
            yield shifted if fact.options != (NO,) else at, fact

    def _meant(self, series: Series) -> Iterator[tuple[int, Fact]]:
        """``series`` without changes that were replaced by another before the unit was dragged or there was a
        witness."""
        yield series[0]
        for (at, fact), following in pairwise([*series[1:], (self.end, None)]):
            if following[1] is not None and not self._shown(at, following[0]):
                continue
            yield at, fact  # type: ignore[misc]

    def _shown(self, start: int, end: int) -> bool:
        moved = any(start < leg.at < end for leg in self.legs)
        return moved or self.unit_history.witnesses.too_late(start, end, self.side)


def _inside(fact: Fact, world: World, outside: str) -> bool:
    """Whether the unit is in a vehicle or fortification: certainly (favourable world), or perhaps (adverse).
    ``outside``: the value that means it is in none."""
    return not fact.must_be(outside) and (
        (fact.options is not None and outside not in fact.options) or world == "adverse"
    )


def _changed(before: Fact, after: Fact, world: World) -> bool:
    """Whether the value really changed: certainly (favourable world), or perhaps (adverse). A value that is
    not known may be the same as the other."""
    if world == "adverse":
        return True
    return bool(before.options and after.options) and not set(before.options or ()) & set(
        after.options or ()
    )


def _without_repeats(series: Series) -> Series:
    found = series[:1]
    for at, fact in series[1:]:
        if fact.options != found[-1][1].options:
            found.append((at, fact))
    return found


def read_unit_actions(
    unit: str, side: str | None, move: Move, unit_history: UnitHistory, rides: bool | None
) -> UnitActions:
    """The actions of ``unit`` in ``move``. ``rides``: whether to take it as carried on legs for which that is
    not known; None: ``carried`` of these legs is None."""
    timeline = unit_history.timeline
    steps = (*move.steps, *move.steps[-1:] * (len(move.waypoints) - 1 - len(move.steps)))
    ats = [timeline.first_event(step) for step in steps]
    start, phase_end = unit_history.phase(ats[0])
    done = timeline.end_event(move.steps[-1])
    later = [at for at, _, _ in unit_history.drags(unit, done, phase_end)]
    end = later[0] if later else phase_end
    legs, span = [], (start, phase_end)
    for (origin, target), at in zip(pairwise(move.waypoints), ats, strict=False):
        carried = _carried(unit, origin.name, target.name, at, span, unit_history)
        if carried is None and rides is not None:
            carried = rides
        legs.append(Leg(origin.name, target.name, at, carried))
    return UnitActions(unit, side, tuple(legs), start, end, unit_history)


def gone_out(unit_actions: UnitActions) -> Iterator[UnitActions]:
    """The actions of a squad under the interpretation that its counter was not dragged along with its
    vehicle: it rode to where the vehicle is, got out there, and then moved by itself. One for each place of a
    vehicle in which it may have ridden; none if there is no such vehicle, or it is in the squad's hex."""
    walked = unit_actions.walked
    if not walked:
        return
    first, unit_history = walked[0], unit_actions.unit_history
    series = unit_history.series(unit_actions.unit, "aboard", unit_actions.start, first.at)
    for _, said in reversed(series):
        places = {
            unit_history.place(vehicle, first.at): None
            for vehicle in _vehicles_of(unit_actions, said, first)
        }
        # if the vehicle is off the map or its place is not known, it may have got out anywhere
        names = {
            place.name if place.kind == "hex" else first.target: None
            for place in places
            if place.name != first.origin
        }
        for name in names:
            yield replace(unit_actions, legs=tuple(_by_way_of(name, first, unit_actions.legs)))
        if names:
            return


def _vehicles_of(unit_actions: UnitActions, aboard: Fact, leg: Leg) -> Iterator[str]:
    """The vehicles that the unit may have been aboard before ``leg``. If it is not known which, every unit of
    its side, not certainly a squad, that was ever in the origin of the leg."""
    unit_history = unit_actions.unit_history
    for option in aboard.options or ("?",):
        if option == NO:
            continue
        vehicle = (
            unit_history.vehicle(option, unit_actions.unit, leg.at) if aboard.options else None
        )
        if vehicle is not None:
            yield vehicle
            continue
        for name in _may_carry(unit_actions.unit, unit_actions.side, leg.at, unit_history):
            here = (unit_history.place(name, 0), *unit_history.targets(name, 0, leg.at))
            if any(place.kind == "hex" and place.name == leg.origin for place in here):
                yield name


def _may_carry(unit: str, side: str | None, at: int, unit_history: UnitHistory) -> Iterator[str]:
    """The units that ``unit`` of ``side`` may ride in at event ``at``: none of the enemy's, and no squad."""
    for name, other in unit_history.game.units.items():
        if (
            other.kind == "unit"
            and name != unit
            and is_enemy(unit_history.game, side, other.side) is not True
            and not unit_history.value(name, "class", at).must_be("squad")
        ):
            yield name


def _by_way_of(name: str, first: Leg, legs: tuple[Leg, ...]) -> Iterator[Leg]:
    for leg in legs:
        if leg == first:
            yield replace(leg, target=name, carried=True)
            if name != leg.target:
                yield replace(leg, origin=name)
        else:
            yield leg


def read_legs(
    unit: str, side: str | None, phase: tuple[int, int], unit_history: UnitHistory
) -> UnitActions:
    """The actions of ``unit`` in a whole phase. ``phase``: its first event and the first event after it."""
    legs = []
    for at, origin, target in unit_history.drags(unit, *phase):
        if origin.kind == target.kind == "hex":
            carried = _carried(unit, origin.name, target.name, at, phase, unit_history)
            legs.append(Leg(origin.name, target.name, at, carried))
    return UnitActions(unit, side, tuple(legs), *phase, unit_history)


def _carried(
    unit: str, origin: str, target: str, at: int, span: tuple[int, int], unit_history: UnitHistory
) -> bool | None:
    """Whether the unit was carried from one hex to the other: a vehicle in which it rides went that way in
    the phase. None: not known. ``at``: the event of the drag. ``span``: the phase."""
    aboard = unit_history.value(unit, "aboard", at)
    if aboard.options is None:
        return None
    answers: set[bool | None] = set()
    sure = unit_history.is_declared(aboard)
    if (
        aboard.must_be(NO)
        and not sure
        and _marked_late(unit, origin, target, at, span, unit_history)
    ):
        return None
    if aboard.must_be(NO):
        return False
    begun, ended = _stretch(unit, aboard, at, span, unit_history)
    rode = unit_history.value(unit, "aboard", span[0]).options == aboard.options
    for said in aboard.options:
        vehicle = NO if said == NO else unit_history.vehicle(said, unit, at)
        if vehicle == unit:  # nothing rides in itself
            vehicle = said = NO
        if vehicle is None:
            answers.add(None)
        else:
            way = _way(vehicle, span, unit_history)
            on = origin in way and target in way[way.index(origin) + 1 :]
            # A counter that had been left behind catches up with the vehicle it rides in.
            lagging = rode and origin not in way and target in way
            # Its counter was put down where the vehicle was not, but began and ended where it was.
            along = rode and begun in way and ended in way[way.index(begun) + 1 :]
            answers.add(said != NO and (on or lagging or along))
    return answers.pop() if len(answers) == 1 else None


def _stretch(
    unit: str, aboard: Fact, at: int, span: tuple[int, int], unit_history: UnitHistory
) -> tuple[str, str]:
    """The origin of the first and the target of the last of the drags around event ``at`` during which
    ``aboard`` did not change."""
    begun = ended = ""
    for index, origin, target in unit_history.drags(unit, *span):
        if target.kind != "hex":  # taken off, by then or later: it lies where it was
            continue
        same = unit_history.value(unit, "aboard", index).options == aboard.options
        if not same and index > at:
            break
        if not same:
            begun = ended = ""
        else:
            begun, ended = begun or origin.name, target.name
    return begun, ended


def _marked_late(
    unit: str, origin: str, target: str, at: int, span: tuple[int, int], unit_history: UnitHistory
) -> bool:
    """Whether the unit was dragged as a vehicle was, and its attribute ``aboard`` was set to that vehicle, or
    may have been, after the drag, before there was a witness."""
    for index, said, undo in unit_history.changes(unit, "aboard", at, span[1]):
        side = unit_history.game.units[unit].side
        if unit_history.witnesses.too_late(at, index, side):
            return False
        if undo:
            continue
        named = (o for o in said.options or () if o != NO)
        vehicles = [unit_history.vehicle(option, unit, index) for option in named]
        if said.options is None:
            vehicles += _may_carry(unit, side, index, unit_history)
        for vehicle in vehicles:
            way = [] if vehicle is None else _way(vehicle, span, unit_history)
            if origin in way and target in way[way.index(origin) + 1 :]:
                return True
    return False


def _way(vehicle: str, span: tuple[int, int], unit_history: UnitHistory) -> list[str]:
    """The names of the places where a vehicle was in a phase, in order."""
    start = unit_history.place(vehicle, span[0])
    return [place.name for place in (start, *unit_history.targets(vehicle, *span))]
