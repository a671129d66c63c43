"""Acts that are no moves: who boards what and where, who gets out, who digs in, how many act in a turn.

Looked at is a phase that is known, in which nothing but movement displaces a counter, and that is over:
what was put right in it is held against nobody.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction

from ....model.fact import UNKNOWN, Fact, Unknown
from ....model.finding import Finding, FindingKind
from ....model.game import Displacement, Game, StateChange
from ....model.unit import Unit
from ...checks import names_of
from ...concepts import questions
from ...moves import Track, phase_is_known
from ...order import check_order
from ...ruleset import Measure, OrderRule, Requirement, StackingLimit, StackingRule
from ...situation import DEAD
from ...stacking import check_stacking
from ...timeline import Timeline
from .allowance import ACTIONS, FIRE_AND_MOVEMENT
from .asked import again, posture
from .chronicle import Chronicle, spelt
from .deeds import NO, Deeds, read_deeds, read_legs
from .movers import classes_of, on_card
from .others import is_refreshed
from .tables import VEHICLES, Tables


def inspect(
    game: Game, tracks: Sequence[Track], tables: Tables, stacking: StackingRule | None
) -> Iterator[Finding]:
    """All that is found."""
    timeline = Timeline(game)
    chronicle = Chronicle(timeline)
    yield from _Inspection(game, chronicle, tables).run()
    if stacking is not None and tables.applies("SB-8b"):
        rule = replace(stacking, clause="TOI-SB-8b")
        exits = set(_crowded_exits(game, chronicle, tables))
        for found in check_stacking(game, tracks, rule, timeline):
            phase = timeline.phase_number(found.steps[0])
            if any((u, name, phase) in exits for u in found.units for name in found.hexes):
                yield found
    if tables.applies("X-EN-a"):
        for found in check_stacking(game, tracks, _dug_in(), timeline):
            yield _perhaps_gone(_perhaps_more(found, game, chronicle), game, chronicle)
    if tables.applies("X-AP-c"):
        yield from _activations(game, tracks, chronicle, tables)
    if tables.applies("X-AP-b"):
        own = [found for track in tracks for found in _by_itself(track, chronicle)]
        one_by_one = OrderRule("TOI-X-AP-b", resume=False)
        for found in check_order(game, own, one_by_one, chronicle.witnesses):
            yield _perhaps_again(found, game, chronicle)


def _dug_in() -> StackingRule:
    """One squad an entrenchment, and three of them in a hex at most (X-EN-a)."""
    measure = Measure("squads in entrenchments", "", (Requirement("works", ("entrenchment",)),))
    one = StackingLimit(((Fraction(1),),), ("entrenchment",))
    two = StackingLimit(((Fraction(2),),), ("two entrenchments",))
    return StackingRule("TOI-X-EN-a", (measure,), (two, one, StackingLimit(((Fraction(3),),))))


def _perhaps_more(found: Finding, game: Game, chronicle: Chronicle) -> Finding:
    """``found``, left open where a marker may be an entrenchment that the board does not tell of."""
    name, end = found.hexes[0], chronicle.timeline.end_event(found.steps[-1])
    for marker, unit in game.units.items():
        called = (unit.name, *map(str, unit.fact("type").options or ()))
        if unit.kind != "marker" or not any("entrenchment" in word.lower() for word in called):
            continue
        places = (chronicle.place(marker, 0), *chronicle.targets(marker, 0, end))
        if any(place.kind == "hex" and place.name == name for place in places):
            unknown = Unknown(f"entrenchments in {name}", f"how many entrenchments were in {name}?")
            return _left_open(found, unknown)
    return found


def _perhaps_gone(found: Finding, game: Game, chronicle: Chronicle) -> Finding:
    """``found``, left open where a squad came into the hex with the mark of the one it left."""
    _, end = chronicle.phase(chronicle.timeline.first_event(found.steps[-1]))
    strays = [
        unit
        for unit in found.units
        if chronicle.drags(unit, chronicle.said(unit, "works", end), end)
    ]
    if not strays:
        return found
    return _left_open(found, *(posture(game.units[unit], "works") for unit in strays))


def _crowded_exits(
    game: Game, chronicle: Chronicle, tables: Tables
) -> Iterator[tuple[str, str, int]]:
    """(unit, hex, number of the phase) of every squad that got out of a vehicle where there was no room."""
    limit = tables.stacking_limit
    for index, event in enumerate(game.events):
        if limit is None or not isinstance(event, StateChange) or event.attribute != "aboard":
            continue
        if event.unit not in game.units:
            continue
        out = event.after.must_be(NO) and not event.undo and event.before != UNKNOWN
        place, side = chronicle.place(event.unit, index), game.units[event.unit].side
        if not out or event.before.may_be(NO) or place.kind != "hex":
            continue
        vehicle = chronicle.vehicle((event.before.options or (NO,))[0], event.unit, index)
        if vehicle is None or chronicle.place(vehicle, index) != place:
            continue
        there = [
            name
            for name, unit in game.units.items()
            if unit.kind == "unit"
            and unit.side == side
            and chronicle.place(name, index) == place
            and (name == event.unit or chronicle.value(name, "aboard", index).must_be(NO))
        ]
        if len(there) > limit:
            number = chronicle.timeline.phase_number(chronicle.timeline.step_of(index))
            yield event.unit, place.name, number


@dataclass(frozen=True, slots=True)
class _Act:
    """Something a unit did at event ``at`` of a phase; ``deeds``: all it did in the phase."""

    unit: Unit
    at: int
    deeds: Deeds


class _Inspection:
    def __init__(self, game: Game, chronicle: Chronicle, tables: Tables) -> None:
        self.game, self.chronicle, self.tables = game, chronicle, tables
        self.timeline = chronicle.timeline
        self.players: dict[str | None, set[str]] = {}
        """Who moved counters for a side; it is known of drags, not of marks."""
        for event in game.events:
            if isinstance(event, Displacement) and event.player:
                self.players.setdefault(event.actor, set()).add(event.player)

    def run(self) -> Iterator[Finding]:
        """What is found, unit by unit."""
        seen: set[tuple[str, int]] = set()
        for index, event in enumerate(self.game.events):
            if not isinstance(event, StateChange) or event.attribute not in ("aboard", "works"):
                continue
            unit = self.game.units.get(event.unit)
            phase = self.chronicle.phase(index)
            if unit is None or unit.kind != "unit" or (unit.id, phase[0]) in seen:
                continue
            seen.add((unit.id, phase[0]))
            if self._closed(phase):
                yield from self._of_unit(unit, phase)

    def _closed(self, phase: tuple[int, int]) -> bool:
        """Whether the phase is known, holds movement alone, and is over."""
        at = self.timeline.step_of(phase[0])
        rule = self.game.phases.get(self.timeline.phase(at).phase or "")
        whole = rule is not None and rule.complete and not rule.complete_for
        over = phase[1] < len(self.game.events)
        known = phase_is_known(self.timeline, at) and not self.timeline.is_reopened(at)
        return whole and over and known

    def _of_unit(self, unit: Unit, phase: tuple[int, int]) -> Iterator[Finding]:
        deeds = read_legs(unit.id, unit.side, phase, self.chronicle)
        for before, (at, now) in deeds.changes("aboard"):
            act = _Act(unit, at, deeds)
            boarded = before.options is not None and now.value not in (*before.options, None, NO)
            if now.is_known and boarded:
                vehicle = self.chronicle.vehicle(now.value or NO, unit.id, at)
                if vehicle is not None:
                    yield from self._boards(act, vehicle)
            if now.must_be(NO) and before.options and NO not in before.options:
                vehicle = self.chronicle.vehicle(before.options[0], unit.id, at)
                yield from self._gets_out(act, vehicle)
        for _, (at, now) in deeds.changes("works"):
            driven = set(classes_of(self._card(unit.id, "class", at))) <= set(VEHICLES)
            if now.value == "entrenchment" and driven and self.tables.applies("X-EN-a"):
                text = "is said to be in an entrenchment, which holds no vehicle"
                yield self._told(_Act(unit, at, deeds), "X-EN-a", text)
        if not deeds.walked:
            yield from self._standing(_Act(unit, deeds.start, deeds))

    def _boards(self, act: _Act, vehicle: str) -> Iterator[Finding]:
        """What can be wrong with boarding a vehicle, apart from its cost."""
        carrier = self.game.units.get(vehicle)
        if carrier is None or not self._stays(act, vehicle):
            return
        room, applies = self._card(vehicle, "transport", act.at).high, self.tables.applies
        name = names_of(self.game, (vehicle,))[0]
        if room == 0 and applies("TR-a"):
            yield self._told(act, "TR-a", f"boards {name}, which carries no squads", vehicle)
        riders = [
            name
            for name, unit in self.game.units.items()
            if unit.kind == "unit" and name != act.unit.id and self._rides(name, vehicle, act)
        ]
        if room and len(riders) >= room and applies("TR-b"):
            squads = "squad" if room == 1 else "squads"
            text = f"boards {name}, which carries {room} {squads} and already holds {len(riders)}"
            gone = [u for u in riders if not self._is_by(u, vehicle, act)]
            if len(riders) - len(gone) >= room:
                yield self._told(act, "TR-b", text, vehicle, *riders)
            else:
                asked = (questions.of_unit(self.game.units[u], "aboard") for u in gone)
                yield _left_open(self._told(act, "TR-b", text, vehicle, *riders), *asked)
        if applies("SB-1") and not self._met(act, vehicle):
            text = f"boards {name}, which was never in its hex in this phase"
            yield self._told(act, "SB-1", text, vehicle)
        sides = {act.unit.side, carrier.side}
        if len(sides) == 2 and sides <= set(self.game.sides) and applies("TR-a"):
            yield self._told(act, "TR-a", f"boards {name}, a vehicle of the other side", vehicle)

    def _stays(self, act: _Act, vehicle: str) -> bool:
        """Whether it is still aboard when the phase is over."""
        return self._aboard(act.unit.id, act.deeds.end) == vehicle

    def _aboard(self, unit: str, at: int) -> str | None:
        """The vehicle it rides in at an event, for certain."""
        said = self.chronicle.value(unit, "aboard", at)
        if not said.is_known or said.value in (None, NO):
            return None
        return self.chronicle.vehicle(said.value or NO, unit, at)

    def _rides(self, unit: str, vehicle: str, act: _Act) -> bool:
        """Whether another rides in the vehicle for certain, when the unit boards and to the end."""
        here = self.chronicle
        moments = (act.at, act.deeds.end)
        inside = all(self._aboard(unit, at) == vehicle for at in moments)
        dead = self.game.units[unit].fact("dead") != UNKNOWN
        lost = here.place(unit, act.deeds.end).kind == "nowhere"
        return inside and not dead and not lost

    def _is_by(self, rider: str, vehicle: str, act: _Act) -> bool:
        """Whether the counter of a rider lies where its vehicle does: one that lies elsewhere may have got
        out, or be dead, and its mark have been forgotten."""
        place = self.chronicle.place
        return any(place(rider, at) == place(vehicle, at) for at in (act.at, act.deeds.end))

    def _met(self, act: _Act, vehicle: str) -> bool:
        """Whether unit and vehicle were in one hex at any time of the phase, as far as known."""
        start, end = act.deeds.start, act.deeds.end
        places = [
            {self.chronicle.place(u, start), *self.chronicle.targets(u, start, end)}
            for u in (act.unit.id, vehicle)
        ]
        unsure = any(place.kind != "hex" for found in places for place in found)
        return unsure or bool(places[0] & places[1])

    def _gets_out(self, act: _Act, vehicle: str | None) -> Iterator[Finding]:
        """Only an activated squad gets out (EE-e); of one that walked its move says so."""
        here, end = self.chronicle.place, act.deeds.end
        lost = vehicle is None or here(vehicle, end).kind != "hex"
        lost = lost or here(act.unit.id, end).kind != "hex"
        lost = lost or any(self._may_be_lost(u, end) for u in (act.unit.id, vehicle or ""))
        if not self.tables.applies("EE-e") or act.deeds.walked or lost:
            return
        action = self._action(act)
        if action.options is None or any(o in ACTIONS for o in action.options):
            if action.options is None or not all(o in ACTIONS for o in action.options):
                text = "gets out of its vehicle, and whether it was activated is not known"
                found = self._told(act, "EE-e", text, kind="unverifiable")
                unknown = questions.of_unit(act.unit, "action")
                yield replace(found, unknowns=(unknown,), remedy=unknown.question)
            return
        named = " or ".join(map(str, action.options))
        yield self._told(act, "EE-e", f"gets out of its vehicle, though its action is {named}")

    def _may_be_lost(self, unit: str, at: int) -> bool:
        """Whether a counter on the map may be one that is out of play, with all that rode in it: dead, or
        damaged so badly that it may be destroyed."""
        dead = self.chronicle.value(unit, DEAD, at)
        damage = self.chronicle.value(unit, "damage", at)
        whole = {"none", "light"}.issuperset(damage.options or ("none",))
        counter = self.game.units.get(unit)
        if dead == UNKNOWN and counter is not None and DEAD in counter.attributes:
            return True  # the pack tells of its death, but not what
        return not (dead == UNKNOWN or dead.must_be(False)) or not whole

    def _standing(self, act: _Act) -> Iterator[Finding]:
        """Whether a squad that stayed in its hex had the MPs for what it did there."""
        deeds, tables = act.deeds, self.tables
        rides = deeds.rides("favourable")
        spent = rides.left * tables.expenses["leave_vehicle"] if tables.applies("EE-e") else 0
        spent += rides.boarded * tables.expenses["board"] if tables.applies("EE-b") else 0
        most = self._card(act.unit.id, "ma", act.at).high
        classes = classes_of(self._card(act.unit.id, "class", act.at))
        if not spent or most is None or classes != ("squad",) or not tables.applies("MV-f"):
            return
        bonus = self._bonus(act)
        if bonus is None:
            return
        officers = not self._card(act.unit.id, "officers", act.at).must_be(Fraction(0))
        most += bonus + (tables.allowance["officer"].lo if officers else 0)
        if self._action(act).must_be(FIRE_AND_MOVEMENT) and tables.applies("EX1-a"):
            most = max(Fraction(0), most - tables.allowance["fire_and_movement"].lo)
        if spent > most:
            clause = "EE-e" if rides.left else "EE-b"
            text = (
                f"gets into and out of vehicles for {spent} MP, {spent - most} more than its {most}"
            )
            yield self._told(act, clause, text, kind="missed-mp-cost")

    def _bonus(self, act: _Act) -> Fraction | None:
        """What cards give it at most; None: nobody knows."""
        told = act.deeds.value("bonus", act.deeds.end)
        if told == UNKNOWN:
            at = self.timeline.step_of(act.at)
            told = self.timeline.condition("bonus", at, act.unit.id)
        asked = "bonus" in act.unit.attributes or self.timeline.tells_of(act.unit.id, "bonus")
        return told.high if asked else Fraction(0)

    def _action(self, act: _Act) -> Fact:
        said = self.chronicle.told(act.unit.id, "action", act.at, act.deeds.end, ACTIONS)
        if said != UNKNOWN:
            return said
        at = self.timeline.step_of(act.at)
        return spelt(self.timeline.condition("action", at, act.unit.id))

    def _card(self, unit: str, attribute: str, at: int) -> Fact:
        value = self.chronicle.value
        return on_card(value(unit, attribute, at), value(unit, "type", at), attribute, self.tables)

    def _told(
        self, act: _Act, clause: str, text: str, *others: str, kind: FindingKind = "illegal-move"
    ) -> Finding:
        """The finding that the act breaks ``clause``; ``others``: whom it rests on besides."""
        at = self.timeline.step_of(min(act.at, len(self.game.events) - 1))
        name = names_of(self.game, (act.unit.id,))[0]
        place = self.chronicle.place(act.unit.id, act.at)
        who = self.players.get(act.unit.side, set())
        return Finding(
            code=f"TOI-{clause}",
            clause=f"TOI-{clause}",
            kind=kind,
            verdict="unverifiable" if kind == "unverifiable" else "illegal",
            units=(act.unit.id,),
            names=(name,),
            hexes=(place.name,) if place.kind == "hex" else (),
            steps=(at,),
            explanation=f"{name} {text}",
            player=next(iter(who)) if len(who) == 1 else "",
            side=act.unit.side,
            phase=self.timeline.phase(at),
            rests_on=(act.unit.id, *others),
        )


def _by_itself(track: Track, chronicle: Chronicle) -> Iterator[Track]:
    """``track`` without the units that were, or may have been, carried along."""
    own = []
    for number, unit in enumerate(track.move.units):
        deeds = read_deeds(unit, track.side, track.move, chronicle, None)
        if all(leg.carried is False for leg in deeds.legs):
            own.append(number)
    if own:
        units = tuple(track.move.units[n] for n in own)
        earlier = tuple(track.earlier[n] for n in own) if track.earlier else ()
        yield replace(track, move=replace(track.move, units=units), earlier=earlier)


def _activations(
    game: Game, tracks: Sequence[Track], chronicle: Chronicle, tables: Tables
) -> Iterator[Finding]:
    """More units activated in an action turn than the facts say it has actions (X-AP-c)."""
    timeline = chronicle.timeline
    inspection = _Inspection(game, chronicle, tables)
    active: dict[tuple[int, str | None], list[str]] = {}
    for track in tracks:
        at = track.move.steps[0]
        if not track.counts or not inspection._closed(chronicle.phase(track.events[0])):
            continue
        most = timeline.condition("actions", at).high
        if most is None:
            continue
        units = active.setdefault((track.phase_number, track.side), [])
        for unit in track.move.units:
            deeds = read_deeds(unit, track.side, track.move, chronicle, None)
            act = _Act(game.units[unit], track.events[0], deeds)
            if unit not in units and _sure(act, inspection):
                units.append(unit)
                if len(units) > most:
                    text = f"is moved as number {len(units)} in an action turn of {most} actions"
                    found = replace(inspection._told(act, "X-AP-c", text), moves=(track.move.id,))
                    others = {t.side for t in tracks if t.phase_number == track.phase_number}
                    own = track.move.phase.active == track.side and others == {track.side}
                    yield found if own else _perhaps_two_turns(found)


def _perhaps_again(found: Finding, game: Game, chronicle: Chronicle) -> Finding:
    """``found``, left open where a unit lost the token of a spent one in the phase: it may have been
    activated once more."""
    (unit,), timeline = found.units, chronicle.timeline
    start, _ = chronicle.phase(timeline.first_event(found.steps[0]))
    end = timeline.end_event(found.steps[-1])
    drags = chronicle.drags(unit, start, end)
    if found.kind == "note" or not drags or not is_refreshed(unit, drags[0][0], end, chronicle):
        return found
    return _left_open(found, again(game.units[unit]))


def _perhaps_two_turns(found: Finding) -> Finding:
    """``found``, left open where the phase is not one side's alone: it may hold more than one action turn."""
    phase = found.phase.phase if found.phase is not None else None
    question = f"is the phase {phase} one action turn alone?"
    return _left_open(found, Unknown(f"action turns of {phase}", question))


def _left_open(found: Finding, *unknowns: Unknown) -> Finding:
    """``found`` as something that ``unknowns`` would decide."""
    return replace(
        found,
        kind="unverifiable",
        verdict="unverifiable",
        unknowns=unknowns,
        remedy=unknowns[0].question,
    )


def _sure(act: _Act, inspection: _Inspection) -> bool:
    """Whether the unit was activated for certain, and not carried along."""
    actions = inspection._action(act).options
    walked = any(leg.carried is False for leg in act.deeds.legs)
    walked = (
        walked and act.deeds.legs[0].origin != act.deeds.legs[-1].target
    )  # else it was put back
    return walked and actions is not None and all(option in ACTIONS for option in actions)
