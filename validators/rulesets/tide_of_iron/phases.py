"""What holds in whole phases: one active unit at a time (X-AP-b), the number of actions (X-AP-c), and stacks
(X-SK, SB-8b, X-EN-a)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction

from ....model.fact import UNKNOWN
from ....model.finding import Finding
from ....model.game import StateChange
from ....model.unit import Unit
from ...checks import names_of
from ...engine.activation import Activation, of_move, over, places, series
from ...engine.acts_view import really
from ...engine.phase_checks import InFinding, unless
from ...engine.riding import NO
from ...engine.rules import Rules
from ...moves import Track, phase_is_known
from ...order import check_order
from ...ruleset import Measure, OrderRule, Requirement, StackingLimit, StackingRule
from ...stacking import check_stacking
from ...verdicts import finding_about
from .readings import activated_again, may_be_refreshed
from .terms import ACTIONS, VEHICLES, spelt


def findings(rules: Rules, tracks: Sequence[Track]) -> Iterator[Finding]:
    """The findings about whole phases."""
    limit, timeline = stacking_limit(rules), rules.history.timeline
    if limit is not None and rules.applies("SB-8b"):
        rule = replace(limit, clause="TOI-SB-8b")
        for found in check_stacking(rules.game, tracks, rule, timeline):
            yield from unless(rules, found, no_crowded_exit)
    if rules.applies("X-EN-a"):
        for found in check_stacking(rules.game, tracks, ENTRENCHED, timeline):
            for one in unless(rules, found, squads_left):
                yield from unless(rules, one, more_entrenchments)
    if rules.applies("X-AP-c"):
        yield from activations(rules, tracks)
    if rules.applies("X-AP-b"):
        yield from interrupted(rules, tracks)


# -- stacks ----------------------------------------------------------------------------------------


def stacking(rules: Rules) -> StackingRule | None:
    """No more squads and vehicles of a side are in a hex than the limit allows (X-SK)."""
    return stacking_limit(rules) if rules.applies("X-SK") else None


def stacking_limit(rules: Rules) -> StackingRule | None:
    """The limit that the pack gives; a vehicle and its riders are one unit (SB-8a)."""
    limit = rules.tables["stacking"]["limit"]
    if limit == "unknown":
        return None
    exempt = (Requirement("aboard", (NO,), negated=True),) if rules.applies("SB-8a") else ()
    missing = rules.complete.questions("stacking")
    limits = (StackingLimit(((Fraction(limit),),)),)
    return StackingRule("TOI-X-SK", (Measure("units", "", (), exempt),), limits, missing=missing)


def no_crowded_exit(stack: InFinding) -> bool:
    """Whether no squad of a stack got out into its hex when that was full (SB-8b)."""
    found = stack.found
    phase = stack.history.timeline.phase_number(found.steps[0])
    its = {(unit, name, phase) for unit in found.units for name in found.hexes}
    return its.isdisjoint(crowded_exits(stack.rules))


def crowded_exits(rules: Rules) -> Iterator[tuple[str, str, int]]:
    """(unit, hex, number of the phase) for every squad that got out of a vehicle into a hex where the
    stacking limit was then exceeded (SB-8b)."""
    game, history, limit = rules.game, rules.history, Fraction(rules.tables["stacking"]["limit"])
    for index, event in enumerate(game.events):
        if not isinstance(event, StateChange) or event.attribute != "aboard":
            continue
        here = history.place(event.unit, index)
        off = here is None or here.kind != "hex"
        if event.unit not in game.units or event.undo or event.before == UNKNOWN or off:
            continue
        before, after = (history.value(event.unit, "aboard", at) for at in (index, index + 1))
        if not after.must_be(NO) or before.may_be(NO):
            continue
        vehicle = history.vehicle((before.options or (NO,))[0], event.unit, index)
        if vehicle is None or history.place(vehicle, index) != here or here is None:
            continue
        there = [
            unit
            for unit in game.units.values()
            if unit.kind == "unit"
            and unit.side == game.units[event.unit].side
            and history.place(unit.id, index) == here
            and (unit.id == event.unit or history.value(unit.id, "aboard", index).must_be(NO))
        ]
        if len(there) > limit:
            step = history.timeline.step_of(index)
            yield event.unit, here.name, history.timeline.phase_number(step)


ENTRENCHED = StackingRule(
    "TOI-X-EN-a",
    (Measure("squads in entrenchments", "", (Requirement("works", ("entrenchment",)),)),),
    (
        StackingLimit(((Fraction(2),),), ("two entrenchments",)),
        StackingLimit(((Fraction(1),),), ("entrenchment",)),
        StackingLimit(((Fraction(3),),)),
    ),
)
"""One squad for each entrenchment, and three in a hex at most (X-EN-a)."""


def more_entrenchments(stack: InFinding) -> bool:
    """Whether a marker that was in the hex may have been an entrenchment that is no longer on the board, and
    the facts say that there were enough."""
    rules, history, name = stack.plain, stack.plain.history, stack.found.hexes[0]
    end = history.timeline.end_event(stack.found.steps[-1])
    return any(
        place.kind == "hex" and place.name == name
        for marker in rules.game.units.values()
        if marker.kind == "marker" and perhaps_entrenchment(rules, marker, end)
        for place in places(history, marker.id, 0, end)
    ) and stack.told(
        f"entrenchments for all in {name}",
        f"was there an entrenchment in {name} for each of the squads that are dug in there?",
    )


def perhaps_entrenchment(rules: Rules, marker: Unit, end: int) -> bool:
    """Whether a marker was an entrenchment at some time before an event, or may have been."""
    if "entrenchment" in marker.name.lower():
        return True
    facts = [fact for _, fact in series(rules.history, marker.id, "type", 0, end)]
    said = facts if "type" in marker.attributes else facts[1:]
    return any(
        fact.options is None or any("entrenchment" in str(o).lower() for o in fact.options)
        for fact in said
    )


def squads_left(stack: InFinding) -> bool:
    """Whether a squad came into the hex still marked as dug in where it was before."""
    rules, history = stack.plain, stack.plain.history
    end = history.phase(history.timeline.first_event(stack.found.steps[-1]))[1]
    marked = []
    for unit in stack.found.units:
        laid = history.changes(unit, "works", 0, end)
        since = laid[-1][0] if laid else 0
        moved = any(since <= drag < end for drag in history.drags.get(unit, ()))
        if moved and not history.declared(history.value(unit, "works", end)):
            marked.append(really(rules.game.units[unit], "works"))
    return bool(marked) and stack.undecided("left", marked)


# -- action turns ----------------------------------------------------------------------------------


def interrupted(rules: Rules, tracks: Sequence[Track]) -> Iterator[Finding]:
    """X-AP-b: a unit finishes before the next is activated. If that depends on who was carried, or on who was
    activated again, it is left open."""
    rule, game, witnesses = (
        OrderRule("TOI-X-AP-b", resume=False),
        rules.game,
        rules.history.witnesses,
    )
    own = [found for track in tracks for found in by_itself(rules, track, sure=True)]
    certain = [
        found
        for one in check_order(game, own, rule, witnesses)
        for found in unless(rules, one, again)
    ]
    yield from certain
    accused = {unit for found in certain for unit in found.units}
    every = [found for track in tracks for found in by_itself(rules, track, sure=False)]
    walked = {(track.move.id, unit) for track in own for unit in track.move.units}
    for found in check_order(game, every, rule, witnesses) if every != own else ():
        if accused.isdisjoint(found.units):
            moved = [
                (t.move.id, u) for t in every if t.move.id in found.moves for u in t.move.units
            ]
            carried = dict.fromkeys(key[1] for key in moved if key not in walked)
            yield from unless(rules, found, InFinding.hangs_on, carried, "aboard")


def did_with(rules: Rules, unit: str, track: Track, *, sure: bool) -> Activation:
    """What a unit did with a move. ``sure``: where it is not known whether it was carried, that is left."""
    return of_move(rules.history, rules.game.units[unit], track.move, sure)


def by_itself(rules: Rules, track: Track, *, sure: bool) -> Iterator[Track]:
    """A move with only the units that moved by themselves: those that certainly did (``sure``), or those that
    may have. None if there are none."""
    own = []
    for number, unit in enumerate(track.move.units):
        did = did_with(rules, unit, track, sure=sure and may_ride(rules, unit, track.events[0]))
        if all(leg.carried is False for leg in did.legs):
            own.append(number)
    if own:
        units = tuple(track.move.units[n] for n in own)
        earlier = tuple(track.earlier[n] for n in own) if track.earlier else ()
        yield replace(track, move=replace(track.move, units=units), earlier=earlier)


def may_ride(rules: Rules, unit: str, at: int) -> bool:
    """Whether a unit may ride in a vehicle. A vehicle may only if its attribute ``aboard`` is given."""
    value = rules.history.value
    told, whose = value(unit, "class", at), rules.game.units[unit]
    cls = rules.by_type(whose, told, "class", lambda: value(unit, "type", at))
    driven = cls.options is not None and all(str(o).lower() in VEHICLES for o in cls.options)
    return not driven or value(unit, "aboard", at).options is not None


def again(mover: InFinding) -> bool:
    """Whether a unit lost, or may have lost, the token of a spent unit in the phase, and was activated
    again."""
    history, found, unit = mover.plain.history, mover.found, mover.unit
    start, _ = history.phase(history.timeline.first_event(found.steps[0]))
    end = history.timeline.end_event(found.steps[-1])
    drags = [drag for drag in history.drags.get(unit.id, ()) if start <= drag < end]
    did = Activation(history, unit, (), start, end)
    return (
        bool(drags)
        and may_be_refreshed(did, drags[0], end)
        and mover.told("activated again", activated_again(unit), unit)
    )


DOUBTS = ("aboard", "action")
"""The attributes that may leave open whether a unit was activated."""


def activations(rules: Rules, tracks: Sequence[Track]) -> Iterator[Finding]:
    """X-AP-c: more units were activated in an action turn than the condition ``actions`` allows."""
    timeline = rules.history.timeline
    active: dict[tuple[int, str | None], dict[str, str]] = {}
    for track in tracks:
        most = timeline.condition("actions", track.move.steps[0]).high
        if not track.counts or most is None or not is_closed(rules, track.events[0]):
            continue
        units = active.setdefault((track.phase_number, track.side), {})
        for unit in track.move.units:
            if unit in units or not may_be_active(rules, unit, track):
                continue
            units[unit] = doubt_of(rules, unit, track)
            if len(units) > most:
                found = too_many(
                    rules, unit, track, f"number {len(units)} in an action turn of {most}"
                )
                others = {t.side for t in tracks if t.phase_number == track.phase_number}
                own = track.move.phase.active == track.side and others == {track.side}
                yield from unless(rules, found, fewer, units, most, own)


def fewer(found: InFinding, units: Mapping[str, str], most: Fraction, alone: bool) -> bool:
    """Whether fewer units were activated in an action turn. ``units``: those that were, or may have been,
    each with the attribute that leaves it open. ``alone``: whether only the active side moved in the phase;
    if not, it may be several action turns."""
    perhaps = {about: [unit for unit in units if units[unit] == about] for about in DOUBTS}
    sure = sum(not about for about in units.values())
    if sure <= most and any(
        found.hangs_on(perhaps[about], about) for about in DOUBTS if perhaps[about]
    ):
        return True
    if alone:
        return False
    named = found.found.phase.phase or ""
    return not found.told(
        f"action turns of {named}", f"is the phase {named} one action turn alone?"
    )


def is_closed(rules: Rules, index: int) -> bool:
    """Whether the phase of an event is known, is complete by the pack, and is over."""
    timeline, game = rules.history.timeline, rules.game
    first, end = rules.history.phase(index)
    at = timeline.step_of(first)
    whole = game.whole_phase(timeline.phase(at).phase) is not None
    over_ = end < len(game.events) and timeline.is_over(at)
    return whole and over_ and phase_is_known(timeline, at) and not timeline.is_reopened(at)


def actions_of(rules: Rules, unit: str, track: Track) -> tuple[object, ...]:
    """The actions by which a unit may have been activated for a move; none if nothing is told."""
    history, at = rules.history, track.events[0]
    did = did_with(rules, unit, track, sure=True)
    said = over(history, unit, "action", at, did.end, ACTIONS)
    if said == UNKNOWN:
        said = spelt(history.timeline.condition("action", history.timeline.step_of(at), unit))
    return said.options or ()


def may_be_active(rules: Rules, unit: str, track: Track) -> bool:
    """Whether the unit may have been activated: it may have moved by itself, it was not just put back to
    where it started, and its action may be one that spends MPs."""
    legs = did_with(rules, unit, track, sure=True).legs
    walked = any(leg.carried is not True for leg in legs)
    options = actions_of(rules, unit, track)
    spends = not options or any(option in ACTIONS for option in options)
    return walked and legs[0].origin != legs[-1].target and spends


def doubt_of(rules: Rules, unit: str, track: Track) -> str:
    """The attribute that leaves open whether a unit that may have been activated was; empty if it was."""
    legs = did_with(rules, unit, track, sure=True).legs
    options = actions_of(rules, unit, track)
    if not any(leg.carried is False for leg in legs):
        return "aboard"
    return "" if options and all(option in ACTIONS for option in options) else "action"


def too_many(rules: Rules, unit: str, track: Track, said: str) -> Finding:
    at = rules.history.timeline.step_of(track.events[0])
    name, place = names_of(rules.game, (unit,))[0], rules.history.place(unit, track.events[0])
    return finding_about(
        rules.game,
        "TOI-X-AP-c",
        "illegal-move",
        (unit,),
        hexes=(place.name,) if place is not None and place.kind == "hex" else (),
        steps=(at,),
        explanation=f"{name} is moved as {said} actions",
        player=track.move.player,
        side=rules.game.units[unit].side,
        moves=(track.move.id,),
        phase=rules.history.timeline.phase(at),
        others=(unit,),
    )
