"""The checks of actions that are not displacements: boarding a vehicle, getting out, digging in.

Only phases that are known, that are over, and in which only movement displaces counters are checked. Players
may correct their counters until the phase is over.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from fractions import Fraction

from ....model.fact import Fact, MissingFact
from ....model.finding import Finding
from ....model.game import Game, StateChange
from ....model.unit import Unit
from ...checks import names_of
from ...concepts import logic, missing_facts, sides
from ...concepts.sides import is_enemy
from ...moves import Track
from ...ruleset import Breach, StackingRule, WeightedFact
from ...situation import DEAD, is_alive
from ...stacking import check_stacking
from ...timeline import Timeline
from ...verdicts import left_open
from .action_checks import ActionChecks, UnitAction
from .allowance import ACTIONS, allowance
from .interpretations import is_refreshed
from .prohibitions import Prohibitions
from .ruleset_facts import posture
from .stack_checks import (
    crowded_exits,
    left_open_if_more_entrenchments,
    left_open_if_squads_left,
    squads_in_entrenchments,
)
from .tables import VEHICLES, Tables
from .turns import action_turns
from .unit_actions import NO, read_legs
from .unit_history import UnitHistory
from .unit_type import NOT_ACTIVATED, classes_of


def inspect(
    game: Game, tracks: Sequence[Track], tables: Tables, stacking: StackingRule | None
) -> Iterator[Finding]:
    """The findings of all checks of the game that look at more than the path of one move. ``stacking``: the
    stacking limit; None: there is none, or it is not known."""
    timeline = Timeline(game)
    unit_history = UnitHistory(timeline)
    checks = ActionChecks(game, unit_history, tables)
    yield from _Inspection(checks).run()
    if stacking is not None and tables.applies("SB-8b"):
        rule = replace(stacking, clause="TOI-SB-8b")
        exits = set(crowded_exits(game, unit_history, tables))
        for found in check_stacking(game, tracks, rule, timeline):
            phase = timeline.phase_number(found.steps[0])
            if any((u, name, phase) in exits for u in found.units for name in found.hexes):
                yield found
    if tables.applies("X-EN-a"):
        for found in check_stacking(game, tracks, squads_in_entrenchments(), timeline):
            perhaps = left_open_if_more_entrenchments(found, game, unit_history)
            if perhaps is not None:
                yield left_open_if_squads_left(perhaps, game, unit_history)
    yield from action_turns(game, tracks, checks)


class _Inspection:
    def __init__(self, checks: ActionChecks) -> None:
        self.checks, self.game = checks, checks.game
        self.unit_history, self.tables, self.timeline = (
            checks.unit_history,
            checks.tables,
            checks.timeline,
        )

    def run(self) -> Iterator[Finding]:
        """The findings, for each unit and phase in which its ``aboard`` or ``works`` changed."""
        seen: set[tuple[str, int]] = set()
        for index, event in enumerate(self.game.events):
            if not isinstance(event, StateChange) or event.attribute not in ("aboard", "works"):
                continue
            unit = self.game.units.get(event.unit)
            phase = self.unit_history.phase(index)
            if unit is None or unit.kind != "unit" or (unit.id, phase[0]) in seen:
                continue
            seen.add((unit.id, phase[0]))
            if self.checks.is_closed(phase):
                yield from self._of_unit(unit, phase)

    def _of_unit(self, unit: Unit, phase: tuple[int, int]) -> Iterator[Finding]:
        unit_actions = read_legs(unit.id, unit.side, phase, self.unit_history)
        for before, (at, now) in unit_actions.changes("aboard"):
            unit_action = UnitAction(unit, at, unit_actions)
            for option in now.options or ():
                if option == NO or (before.options is not None and option in before.options):
                    continue
                vehicle = self.unit_history.vehicle(option, unit.id, at)
                if vehicle is not None and vehicle != unit.id:
                    sure = now.is_known and before.options is not None
                    for found in self._boards(unit_action, vehicle):
                        yield (
                            found
                            if sure
                            else left_open(found, missing_facts.of_unit(unit, "aboard"))
                        )
            if now.may_be(NO) and self._may_ride(unit_action, before):
                yield from self._gets_out(unit_action, before, now)
        for before, (at, now) in unit_actions.changes("works"):
            yield from self._digs_in(UnitAction(unit, at, unit_actions), before, now)
        if not unit_actions.walked:
            yield from self._standing(UnitAction(unit, unit_actions.start, unit_actions))

    def _digs_in(self, unit_action: UnitAction, before: Fact, now: Fact) -> Iterator[Finding]:
        """X-EN-a: an entrenchment holds no vehicle."""
        classes = classes_of(self.checks.card(unit_action.unit.id, "class", unit_action.at))
        if now.value != "entrenchment" or not set(classes) & {*VEHICLES}:
            return
        if not self.tables.applies("X-EN-a"):
            return
        text = "is said to be in an entrenchment, which holds no vehicle"
        found = self.checks.finding(unit_action, "X-EN-a", text)
        if not set(classes) <= {*VEHICLES}:
            yield left_open(found, missing_facts.of_unit(unit_action.unit, "class"))
        elif before.may_be("entrenchment"):
            yield left_open(found, posture(unit_action.unit, "works"))
        else:
            yield found

    def _boards(self, unit_action: UnitAction, vehicle: str) -> Iterator[Finding]:
        """The findings about boarding a vehicle, except those about its cost."""
        carrier = self.game.units.get(vehicle)
        if carrier is None or not self._stays(unit_action, vehicle):
            return
        checks, applies = self.checks, self.tables.applies
        yield from self._has_room(unit_action, carrier)
        name = names_of(self.game, (vehicle,))[0]
        if applies("SB-1") and not self._met(unit_action, vehicle):
            text = f"boards {name}, which was never in its hex in this phase"
            yield checks.finding(unit_action, "SB-1", text, vehicle)
        enemy = is_enemy(self.game, unit_action.unit.side, carrier.side)
        if applies("TR-a") and enemy is not False:
            text = f"boards {name}, a vehicle of the other side"
            found = checks.finding(unit_action, "TR-a", text, vehicle)
            yield (
                found
                if enemy
                else left_open(
                    found,
                    *sides.missing(self.game, unit_action.unit.side, carrier, (unit_action.unit,)),
                )
            )

    def _has_room(self, unit_action: UnitAction, carrier: Unit) -> Iterator[Finding]:
        """The findings if the vehicle carries no squads (TR-a) or is full (TR-b)."""
        checks, applies, vehicle = self.checks, self.tables.applies, carrier.id
        room = checks.card(vehicle, "transport", unit_action.at)
        name = names_of(self.game, (vehicle,))[0]
        if room.may_be(Fraction(0)) and applies("TR-a"):
            found = checks.finding(
                unit_action, "TR-a", f"boards {name}, which carries no squads", vehicle
            )
            sure = room.must_be(Fraction(0))
            yield found if sure else left_open(found, missing_facts.of_unit(carrier, "transport"))
            if sure:
                return
        # Enemies do not ride with it: their mark is wrong. Of sides not known each is tried (TideRules).
        others = [
            unit
            for unit in self.game.units.values()
            if unit.kind == "unit"
            and unit.id != unit_action.unit.id
            and sides.is_friend(self.game, carrier.side, unit.side)
        ]
        riders = [
            unit for unit in others if self._rides(unit.id, vehicle, unit_action) is not False
        ]
        if room.low is None or not riders or len(riders) < room.low or not applies("TR-b"):
            return
        squads = "squad" if room.low == 1 else "squads"
        text = f"boards {name}, which carries {room.low} {squads} and already holds {len(riders)}"
        found = checks.finding(unit_action, "TR-b", text, vehicle, *(unit.id for unit in riders))
        unsure = [
            unit
            for unit in riders
            if not self._rides(unit.id, vehicle, unit_action)
            or not self._is_by(unit.id, vehicle, unit_action)
        ]
        asked = [missing_facts.of_unit(unit, "aboard") for unit in unsure]
        if room.low != room.high:
            asked.insert(0, missing_facts.of_unit(carrier, "transport"))
        if room.high is not None and len(riders) - len(unsure) >= room.high:
            yield found
        elif asked:
            yield left_open(found, *asked)

    def _stays(self, unit_action: UnitAction, vehicle: str) -> bool:
        """Whether the unit is, or may be, still aboard when the phase is over."""
        return self._aboard(unit_action.unit.id, vehicle, unit_action.unit_actions.end) is not False

    def _aboard(self, unit: str, vehicle: str, at: int) -> bool | None:
        """Whether a unit rides in a vehicle just before event ``at``; None: not known. False if ``aboard``
        has no value at all, because accusations of others must not depend on such a unit."""
        said = self.unit_history.value(unit, "aboard", at).options
        if said is None:
            return False
        found = {o != NO and self.unit_history.vehicle(o, unit, at) == vehicle for o in said}
        return found.pop() if len(found) == 1 else None

    def _rides(self, unit: str, vehicle: str, unit_action: UnitAction) -> bool | None:
        """Whether ``unit`` rides in the vehicle both when the unit of the action boards and when its actions
        end; None: not known."""
        here = self.unit_history
        inside = logic.every(
            self._aboard(unit, vehicle, at) for at in (unit_action.at, unit_action.unit_actions.end)
        )
        counter = self.game.units.get(unit)
        alive = all(
            is_alive(counter, here.value(unit, DEAD, at))
            for at in (unit_action.at, unit_action.unit_actions.end)
        )
        if here.place(unit, unit_action.unit_actions.end).kind == "nowhere":
            return False
        return logic.both(inside, True if alive else None)

    def _is_by(self, rider: str, vehicle: str, unit_action: UnitAction) -> bool:
        """Whether the counter of a rider is in the hex of its vehicle, or a facts file says that it rides. If
        not, it may have got out or be dead, and its attribute may be out of date."""
        place, moments = self.unit_history.place, (unit_action.at, unit_action.unit_actions.end)
        told = self.unit_history.is_declared(
            self.unit_history.value(rider, "aboard", unit_action.at)
        )
        return told or any(place(rider, at) == place(vehicle, at) for at in moments)

    def _met(self, unit_action: UnitAction, vehicle: str) -> bool:
        """Whether unit and vehicle may have been in one hex at the same time in the phase: both were in it at
        some time, or one was at a place that is no hex."""
        start, end = unit_action.unit_actions.start, unit_action.unit_actions.end
        places = [
            {self.unit_history.place(u, start), *self.unit_history.targets(u, start, end)}
            for u in (unit_action.unit.id, vehicle)
        ]
        unsure = any(place.kind != "hex" for found in places for place in found)
        return unsure or bool(places[0] & places[1])

    def _gets_out(self, unit_action: UnitAction, before: Fact, now: Fact) -> Iterator[Finding]:
        """EE-e: only an activated squad gets out. Squads that moved by themselves are not checked here,
        because their move is judged."""
        if not self.tables.applies("EE-e") or unit_action.unit_actions.walked:
            return
        known = now.is_known and NO not in (before.options or (NO,))
        for option in before.options or ():
            vehicle = (
                None
                if option == NO
                else self.unit_history.vehicle(option, unit_action.unit.id, unit_action.at)
            )
            if option != NO and self._is_lost(unit_action, vehicle):
                known = False
        if not known and not before.is_known:
            asked = missing_facts.of_unit(unit_action.unit, "aboard")
            yield from (left_open(found, asked) for found in self._unactivated(unit_action))
        elif known:
            yield from self._unactivated(unit_action)

    def _may_ride(self, unit_action: UnitAction, before: Fact) -> bool:
        """Whether the unit was, or may have been, aboard a vehicle. ``before``: the value of ``aboard``; if
        it is not known, whether a vehicle of its side is in its hex."""
        if before.options is not None:
            return bool(set(before.options) - {NO})
        place = self.unit_history.place(unit_action.unit.id, unit_action.at)
        return place.kind == "hex" and any(
            unit.kind == "unit"
            and name != unit_action.unit.id
            and is_enemy(self.game, unit_action.unit.side, unit.side) is not True
            and self.unit_history.place(name, unit_action.at) == place
            and set(classes_of(self.checks.card(name, "class", unit_action.at))) & {*VEHICLES}
            for name, unit in self.game.units.items()
        )

    def _is_lost(self, unit_action: UnitAction, vehicle: str | None) -> bool:
        """Whether the vehicle or the unit is or may be out of play when the unit's actions end. ``vehicle``
        None: not known which one; then yes."""
        here, end = self.unit_history.place, unit_action.unit_actions.end
        if vehicle is None or here(vehicle, end).kind != "hex":
            return True
        if here(unit_action.unit.id, end).kind != "hex":
            return True
        return any(self._may_be_lost(unit, end) for unit in (unit_action.unit.id, vehicle))

    def _unactivated(self, unit_action: UnitAction) -> Iterator[Finding]:
        """The finding that the unit gets out although it is not, or may not have been, activated."""
        action = self.checks.action(unit_action)
        if action.options is None or any(o in ACTIONS for o in action.options):
            if action.options is None or not all(o in ACTIONS for o in action.options):
                text = "gets out of its vehicle, and whether it was activated is not known"
                unknown = missing_facts.of_unit(unit_action.unit, "action")
                yield left_open(self.checks.finding(unit_action, "EE-e", text), unknown)
            return
        named = " or ".join(map(str, action.options))
        text = f"gets out of its vehicle, though its action is {named}"
        yield self.checks.finding(unit_action, "EE-e", text)

    def _may_be_lost(self, unit: str, at: int) -> bool:
        """Whether a counter on the map may be out of play: it may be dead, or its damage is such that it may
        be destroyed."""
        dead = self.unit_history.value(unit, DEAD, at)
        damage = self.unit_history.value(unit, "damage", at)
        whole = {"none", "light"}.issuperset(damage.options or ("none",))
        return not is_alive(self.game.units.get(unit), dead) or not whole

    def _standing(self, unit_action: UnitAction) -> Iterator[Finding]:
        """The findings about a squad that did not move by itself but boarded or got out: whether it was fresh
        (X-AP-a), whether it did more after boarding (EE-d), and whether it had the MPs."""
        unit_actions, checks, tables = unit_action.unit_actions, self.checks, self.tables
        sure, most = unit_actions.rides("favourable"), unit_actions.rides("adverse", meant=True)
        classes = classes_of(checks.card(unit_action.unit.id, "class", unit_action.at))
        if not most.boarded + most.left or not set(classes) - {*VEHICLES}:
            return
        doing = "gets out of a vehicle" if most.left else "boards a vehicle"
        asked = [] if sure == most else [missing_facts.of_unit(unit_action.unit, "aboard")]
        if classes != ("squad",):
            asked.append(missing_facts.of_unit(unit_action.unit, "class"))
        if sure.boarded and tables.applies("IM-a"):
            yield from self._carried_off(unit_action, asked)
        actions = tuple(map(str, checks.action(unit_action).options or (*ACTIONS, NOT_ACTIVATED)))
        prohibitions = Prohibitions(
            unit_action.unit, classes, actions, unit_actions, tables, checks.card_at(unit_action.at)
        )
        changed = [at for _, (at, _) in unit_actions.changes("aboard")]
        if tables.applies("X-AP-a") and changed:
            for entry in prohibitions.of_token(changed[0], f"{doing} though it is {{}}"):
                yield self._of_entry(unit_action, entry, doing, asked)
        again = is_refreshed(
            unit_action.unit.id, unit_actions.start, unit_actions.end, self.unit_history
        )
        if most.acted_on and tables.applies("EE-d") and not again:
            found = checks.finding(unit_action, "EE-d", "does more after it boarded a vehicle")
            token = [] if again is False else [missing_facts.of_unit(unit_action.unit, "token")]
            yield left_open(found, *asked, *token) if asked or token else found
        yield from self._spends(unit_action, actions=actions, classes=classes, asked=asked)

    def _carried_off(self, unit_action: UnitAction, asked: list[MissingFact]) -> Iterator[Finding]:
        """IM-a: a squad was pinned or disrupted all through the phase, boarded, and was carried out of its
        hex. ``asked``: as for :meth:`_of_entry`."""
        unit, unit_actions = unit_action.unit.id, unit_action.unit_actions
        left = unit_actions.legs[0].origin if unit_actions.legs else ""
        if not left or unit_actions.legs[-1].target == left:
            return
        for attribute in ("pinned", "disrupted"):
            series = self.unit_history.series(unit, attribute, unit_actions.start, unit_actions.end)
            if all(fact.must_be(True) for _, fact in series):
                text = f"boards a vehicle and is carried from {left} though it is {attribute}"
                found = self.checks.finding(unit_action, "IM-a", text)
                yield left_open(found, *asked) if asked else found

    def _of_entry(
        self,
        unit_action: UnitAction,
        entry: Breach | WeightedFact,
        doing: str,
        asked: list[MissingFact],
    ) -> Finding:
        """The finding for an entry of :class:`.Prohibitions`. ``doing``: what the unit does, in words.
        ``asked``: further missing facts on which it depends."""
        if isinstance(entry, WeightedFact):
            found = self.checks.finding(
                unit_action, "X-AP-a", f"{doing}, and whether it was fresh is not known"
            )
            return left_open(found, entry.unknown)
        found = self.checks.finding(unit_action, entry.clause.removeprefix("TOI-"), entry.text)
        return left_open(found, *asked) if asked else found

    def _spends(
        self,
        unit_action: UnitAction,
        actions: tuple[str, ...],
        classes: tuple[str, ...],
        asked: list[MissingFact],
    ) -> Iterator[Finding]:
        """The finding if the unit had, or may have had, too few MPs to board and get out as often as it
        did."""
        unit_actions, tables = unit_action.unit_actions, self.tables
        if not tables.applies("MV-f"):
            return
        sure, most = unit_actions.rides("favourable"), unit_actions.rides("adverse", meant=True)
        least, dearest = (self._price(rides.left, rides.boarded) for rides in (sure, most))
        card = self.checks.card_at(unit_action.at)
        has = allowance(unit_action.unit, classes, actions, unit_actions, tables, card, riders=())
        clause = "EE-e" if most.left else "EE-b"
        if has.amount.hi is not None and least > has.amount.hi and not asked:
            over = f"{least} MP, {least - has.amount.hi} more than its {has.amount.hi}"
            text = f"gets into and out of vehicles for {over}"
            yield self.checks.finding(unit_action, clause, text, kind="missed-mp-cost")
        elif set(actions) <= set(ACTIONS) and dearest > has.amount.lo:
            text = f"gets into and out of vehicles for up to {dearest} MP of {has.amount}"
            missing = [missing_fact.unknown for missing_fact in has.missing]
            if missing or asked:
                yield left_open(self.checks.finding(unit_action, clause, text), *missing, *asked)

    def _price(self, left: int, boarded: int) -> Fraction:
        """The cost of getting out of vehicles ``left`` times and boarding ``boarded`` times, in MPs."""
        expenses, applies = self.tables.expenses, self.tables.applies
        spent = left * expenses["leave_vehicle"] if applies("EE-e") else Fraction(0)
        return spent + (boarded * expenses["board"] if applies("EE-b") else Fraction(0))
