"""Errors of Valor & Victory that take more than a wrong hex: turns, overruns, lost leaders, loads, stacks."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator, Sequence
from random import Random
from typing import TYPE_CHECKING

from .kit import BOX, Action, Change, Drag, Fraction, Roll, Table
from .legal import fits
from .valor_turn import at_edge, goes_over_enemies
from .valor_walk import FACINGS, INFANTRY, LEADERS, SQUADS, WHEELS, State, Walk

if TYPE_CHECKING:
    from .valor_and_victory import ValorAndVictory

Actions = Sequence[Action]


def plant(kit: ValorAndVictory, clause: str, table: Table, rng: Random) -> Actions | None:
    phase = "Advance" if clause in ("VV-7.3-b", "VV-8.3-a") else "Movement"
    if table.phase != phase:
        return None
    units = [u for u in table.setup.units if table.side(u) == table.active]
    rng.shuffle(units)
    for one in units[:1] if PLANTED[clause] in (_crowded, _too_soon) else units:
        for actions in PLANTED[clause](kit, clause, table, one):
            return actions
    return None


# -- vehicles ---------------------------------------------------------------------------------------


def _wheels(table: Table, one: str, *, empty: bool = True) -> Walk | None:
    """An honest vehicle that can move, without passengers."""
    walk = Walk(table, one, favourable=True)
    fit = walk.cls in WHEELS and walk.able() and not (empty and table.riders(one))
    return walk if fit else None


def _shown(one: str, states: Sequence[State]) -> list[Action]:
    """A vehicle's way, hex by hex and turn by turn, seen by all."""
    actions: list[Action] = []
    for before, state in itertools.pairwise(states):
        if state[0] != before[0]:
            actions += [Drag((one,), state[0]), Roll()]
        if state[1] != before[1]:
            actions += [Change(one, "facing", FACINGS[state[1]]), Roll()]
    return actions[:-1]


def _forgot(kit: ValorAndVictory, clause: str, table: Table, one: str) -> Iterator[Actions]:
    """6.5-c, 7.2-c: a drive that the honest has not the MPs for, the last of it a step."""
    walk = _wheels(table, one)
    if walk is None:
        return
    honest = {state[:2] for state in walk.drive()}
    wrong = Walk(table, one, clause, favourable=True).drive()
    for state, route in sorted(wrong.items(), key=lambda item: len(item[1].states)):
        stepped = len(route.states) > 1 and route.states[-1][0] != route.states[-2][0]
        if (
            stepped
            and not route.minimum
            and state[:2] not in honest
            and not goes_over_enemies(table, route)
        ):
            yield _shown(one, route.states)


def _twice(kit: ValorAndVictory, clause: str, table: Table, one: str) -> Iterator[Actions]:
    """6.5-a: two turns in one hex; no MPs to leave it in between and come back."""
    walk = _wheels(table, one)
    if walk is None:
        return
    for to, cost in walk.rolls(walk.here, walk.facing):
        for turn in (1, -1):
            new = (walk.facing + 2 * turn) % 6
            on = walk.next(to, new)
            price = walk.cost(to, on) if on and not walk.guarded(on) else None
            left = walk.allowance() - cost - sum(price or (), Fraction(0))
            if on and price and 0 <= left <= 2:
                turns = [
                    Change(one, "facing", FACINGS[(walk.facing + n * turn) % 6]) for n in (1, 2)
                ]
                yield [
                    Drag((one,), to),
                    Roll(),
                    turns[0],
                    Roll(),
                    turns[1],
                    Roll(),
                    Drag((one,), on),
                ]


def _sideways(kit: ValorAndVictory, clause: str, table: Table, one: str) -> Iterator[Actions]:
    """7.2-b: into a hex at the side."""
    walk = _wheels(table, one)
    if walk is None:
        return
    free = Walk(table, one, kit.limit, favourable=True).parked(walk.facing)
    for to in table.board.neighbours(walk.here):
        cost = None if walk.guarded(to) else walk.cost(walk.here, to)
        if cost is not None and to not in free:
            yield [Drag((one,), to)]


def _turned_first(kit: ValorAndVictory, clause: str, table: Table, one: str) -> Iterator[Actions]:
    """7.3-a: it turns where it stands, is seen, and drives on all the same."""
    walk = _wheels(table, one)
    if walk is None:
        return
    drives = walk.drive()
    for new in range(6):
        to = walk.next(walk.here, new)
        cost = walk.cost(walk.here, to) if to and not walk.guarded(to) else None
        if new == walk.facing or not to or cost is None:
            continue
        rounds = [w.cost for s, w in drives.items() if s[:2] == (walk.here, new)]
        if not rounds or min(rounds) + sum(cost) > walk.allowance():
            yield [Change(one, "facing", FACINGS[new]), Roll(), Drag((one,), to)]


def _advance_turn(kit: ValorAndVictory, clause: str, table: Table, one: str) -> Iterator[Actions]:
    """7.3-b: it turns by two hexsides and advances."""
    walk = _wheels(table, one)
    for to in walk.ahead() if walk else ():
        assert walk is not None
        yield [Change(one, "facing", FACINGS[(walk.facing + 2) % 6]), Drag((one,), to)]


def _overrun(kit: ValorAndVictory, clause: str, table: Table, one: str) -> Iterator[Actions]:
    """19: by whom and over whom it may not be; not straight; not paid for; not stopped."""
    walk = _wheels(table, one)
    if walk is None or (clause != "VV-19.1-a" and walk.cls != "afv"):
        return
    walk.drive()
    wrong = Walk(table, one, clause if clause in ("VV-19.1-a", "VV-19.3-b") else "")
    wrong.drive()
    for (over, exit_), route in sorted(wrong.over.items(), key=lambda item: item[1].cost):
        target, last = route.states[-2], route.states[-1]
        if clause in ("VV-19.1-a", "VV-19.3-b"):
            if (over, exit_) not in walk.over:
                yield _shown(one, route.states)
        elif clause == "VV-19.4-a":
            on = walk.next(exit_, last[1])
            cost = walk.cost(exit_, on) if on and not walk.guarded(on) else None
            if on and cost and route.cost + sum(cost) <= walk.allowance():
                yield [*_shown(one, route.states), Roll(), Drag((one,), on)]
        else:
            for side in (1, -1):
                aside = walk.next(target[0], last[1] + side)
                free = aside and not walk.guarded(aside) and walk.cost(target[0], aside)
                if aside and free and (over, aside) not in walk.over:
                    yield [*_shown(one, route.states[:-1]), Roll(), Drag((one,), aside)]


# -- infantry ---------------------------------------------------------------------------------------


def _free(table: Table, one: str, kinds: Sequence[str] = INFANTRY) -> Walk | None:
    walk = Walk(table, one, favourable=True)
    return walk if walk.cls in kinds and walk.able() and not walk.facts["assault"] else None


def _pinned(kit: ValorAndVictory, clause: str, table: Table, one: str) -> Iterator[Actions]:
    """13.8-a: pinned on the way, and goes on."""
    walk = _free(table, one)
    for route in walk.march().values() if walk else ():
        if len(route.path) == 3:
            hit = Change(one, "pinned", True)
            yield [Drag((one,), route.path[1]), Roll(), hit, Drag((one,), route.path[2])]


def _hurried(kit: ValorAndVictory, clause: str, table: Table, one: str) -> Iterator[Actions]:
    """6.4: marked for an assault move in this phase, and goes on as far as without it."""
    if _free(table, one) is None:
        return
    table.facts[one]["assault"] = True
    honest = Walk(table, one, favourable=True).march()
    hurried = Walk(table, one, clause).march()
    table.facts[one]["assault"] = False
    for to, route in hurried.items():
        if to not in honest and not route.waived:
            yield [Change(one, "assault", True), Roll(), Drag((one,), to)]


def _leaders(table: Table, one: str) -> list[str]:
    """Leaders with whom a squad may go."""
    if _free(table, one, SQUADS) is None:
        return []
    same = [u for u in table.within(table.where[one], table.active) if u != one]
    return [u for u in same if _free(table, u, LEADERS)]


def _lost(kit: ValorAndVictory, clause: str, table: Table, one: str) -> Iterator[Actions]:
    """6.31: the leader is pinned on the way, and the squad goes on as if he were with it."""
    for leader in _leaders(table, one)[:1]:
        own = Walk(table, one, favourable=True).allowance()
        with_him = Walk(table, one, favourable=True, led=True)
        routes = with_him.march()
        late = clause == "VV-6.31-f"
        for stop, route in routes.items():
            stays = [*table.within(stop, table.active), one, leader]
            if route.waived or (route.cost > own) != late or with_him.entangled(stop):
                continue
            if not kit.may_stand(table, stop, stays):
                continue
            before = table.where[one]
            table.where[one] = stop
            onward = Walk(table, one, favourable=True, led=True).march(route.cost)
            table.where[one] = before
            for to, rest in onward.items():
                total = route.cost + rest.cost
                # going back where both came by he may have been lost before
                short = own < total <= with_him.allowance() and to not in route.path
                if short and fits(kit, table, to, [one]):
                    hit = Change(leader, "pinned", True)
                    yield [Drag((one, leader), stop), Roll(), hit, Drag((one,), to)]


def _parted(kit: ValorAndVictory, clause: str, table: Table, one: str) -> Iterator[Actions]:
    """6.1-c: the leader goes on without the squad that only he brought so far."""
    for leader in _leaders(table, one)[:1]:
        own = Walk(table, one, favourable=True).allowance()
        routes = Walk(table, one, favourable=True, led=True).march()
        lone = Walk(table, leader, favourable=True).march()
        for stop, route in routes.items():
            stays = [*table.within(stop, table.active), one]
            if (
                own < route.cost
                and not route.waived
                and stop in lone
                and kit.may_stand(table, stop, stays)
            ):
                for to, whole in lone.items():
                    if stop in whole.path[1:-1] and whole.path[-2] == stop:
                        yield [Drag((one, leader), stop), Drag((leader,), to)]


def _resumed(kit: ValorAndVictory, clause: str, table: Table, one: str) -> Iterator[Actions]:
    """6.1-e: half a move, another's, dice, the other half; 5.33-b: marked as moved in between."""
    walk = _free(table, one)
    long = [w for w in walk.march().values() if len(w.path) > 2 and not w.waived] if walk else []
    for route in long[:3]:
        for other in table.on_map(table.active):
            there = _free(table, other)
            if there is None or there.here in route.path:
                continue
            for to in there.march():
                if to not in route.path and fits(kit, table, to, [other]):
                    first, last = Drag((one,), route.path[1]), Drag((one,), route.path[-1])
                    mark = [Change(one, "moved", True)] if clause == "VV-5.33-b" else []
                    yield [first, *mark, Roll(), Drag((other,), to), Roll(), last]


def _entered(kit: ValorAndVictory, clause: str, table: Table, one: str) -> Iterator[Actions]:
    """6.10-a: the first hex is not counted."""
    rules = table.setup.rules.get("boxes", {})
    facts = table.facts[one]
    marked = any(facts[key] for key in ("pinned", "fired", "moved", "assault"))
    laden = facts["weapons"] == 2 or facts["weapon"] == "heavy"
    if (
        "entry" not in rules
        or table.where[one] != BOX
        or facts["class"] not in INFANTRY
        or marked
        or laden
    ):
        return
    for name in sorted(table.board.hexes):
        here = table.board.hexes[name]
        if not at_edge(table, name) or table.within(name) or here.features:
            continue
        table.where[one] = name
        walk = Walk(table, one, favourable=True)
        terrain = walk.terrain(name)
        routes = walk.march()
        table.where[one] = BOX
        for to, route in routes.items():
            over = terrain is not None and route.cost == walk.allowance() and not route.waived
            # at the edge he might have come on there
            if over and len(route.path) > 2 and not at_edge(table, to):
                yield [Drag((one,), name), Drag((one,), to)]


def _returned(kit: ValorAndVictory, clause: str, table: Table, one: str) -> Iterator[Actions]:
    """6.10-b: off the map, and back on it."""
    here = table.where[one]
    walk = _free(table, one)
    if walk is None or "exit" not in table.setup.rules.get("boxes", {}) or not at_edge(table, here):
        return
    for other in table.on_map(table.active):
        there = _free(table, other)
        targets = there.march() if there and there.here != here else ()
        for to in (to for to in targets if fits(kit, table, to, [other])):
            yield [Drag((one,), BOX), Drag((other,), to), Roll(), Drag((one,), here)]


# -- loads ------------------------------------------------------------------------------------------


def _loads(kit: ValorAndVictory, clause: str, table: Table, one: str) -> Iterator[Actions]:
    """8: loaded at the wrong time, by the wrong carrier; passengers that walk, carriers that go on."""
    walk = _wheels(table, one, empty=False)
    if walk is None:
        return
    load, here = table.riders(one), walk.here
    mates = [u for u in table.within(here, table.active) if _free(table, u) and u not in load]
    steps = [to for to, cost in walk.rolls(here, walk.facing) if cost <= walk.allowance()]
    room = table.facts[one]["transport"]
    for mate in mates if not load else ():
        fits = room in ("T1", "T2") or (room == "TH" and table.facts[mate]["class"] != "squad")
        get_in = Change(mate, "aboard", one)
        if (clause == "VV-8.3-a" and fits) or (clause == "VV-8.2-a" and not fits):
            for to in steps:
                # in the Advance it must have been seen on foot: else it may have been loaded before
                seen = [Roll()] if clause == "VV-8.3-a" else []
                yield [*seen, get_in, Drag((one, mate), to)]
    for passenger in load:
        alight = Change(passenger, "aboard", "no")
        if clause == "VV-8.3-b" and table.facts[passenger]["class"] in INFANTRY:
            table.facts[passenger]["aboard"] = "no"
            there = Walk(table, passenger, favourable=True)
            routes = there.march() if there.able() else {}
            table.facts[passenger]["aboard"] = one
            for to, route in routes.items():
                if len(route.path) > 2:
                    yield [alight, Drag((passenger,), to)]
        if clause == "VV-8.3-c" and len(load) == 1:
            for to in steps:
                on = walk.next(to, walk.facing)
                ahead = walk.bearing(here, to) == walk.facing
                if on and ahead and not walk.guarded(on) and walk.cost(to, on):
                    yield [Drag((one, passenger), to), Roll(), alight, Drag((one,), on)]


def _bailed(kit: ValorAndVictory, clause: str, table: Table, one: str) -> Iterator[Actions]:
    """8.5: the carrier is pinned on its way, and who rides in it gets off all the same."""
    walk = _wheels(table, one, empty=False)
    load = table.riders(one)
    if walk is None or walk.cls != "vehicle" or len(load) != 1:
        return
    for to, cost in walk.rolls(walk.here, walk.facing):
        stays = [*table.within(to, table.active), one, *load]
        if cost <= walk.allowance() and kit.may_stand(table, to, stays):
            hit, off = Change(one, "pinned", True), Change(load[0], "aboard", "no")
            yield [Drag((one, *load), to), Roll(), hit, Roll(), off]


# -- stacks -----------------------------------------------------------------------------------------


def _crowds(clause: str, kinds: Sequence[str], features: Sequence[str]) -> bool:
    """Whether these break a limit, and just by this clause."""
    foot, heavy = sum(c in INFANTRY for c in kinds), sum(c not in INFANTRY for c in kinds)
    if clause == "VV-20.4-a":
        return (
            set(features) <= {"foxholes", "trenches"}
            and bool(features)
            and heavy == 1
            and foot <= 2
        )
    if clause == "VV-20.5-a":
        return "bunker" in features and heavy == 0 and foot == 3
    if features:
        return False
    limits = {"VV-6.9-a": (3, 0), "VV-6.9-b": (0, 5)}
    mixed = ((1, 3), (2, 1)) if clause == "VV-6.9-c" else ()
    return (heavy, foot) in (limits.get(clause), *mixed)


def _crowded(kit: ValorAndVictory, clause: str, table: Table, one: str) -> Iterator[Actions]:
    """6.9, 20: one after the other they come into a hex, until there are too many."""
    reach = {u: set(kit.routes(table, u)) for u in table.on_map(table.active)}
    for name, here in sorted(table.board.hexes.items()):
        there = [u for u in table.within(name, table.active) if table.facts[u]["aboard"] == "no"]
        kinds = [str(table.facts[u]["class"]) for u in there]
        if "leader" in kinds or "hero" in kinds or table.within(name, table.other(table.active)):
            continue
        actions: list[Action] = []
        for come, hexes in reach.items():
            cls = str(table.facts[come]["class"])
            bare = cls not in LEADERS and not table.riders(come) and come not in there
            wanted = clause != "VV-6.9-b" or cls in INFANTRY
            if not bare or not wanted or name not in hexes:
                continue
            actions.append(Drag((come,), name))
            kinds.append(cls)
            if _crowds(clause, kinds, here.features):
                yield actions


def _too_soon(kit: ValorAndVictory, clause: str, table: Table, one: str) -> Iterator[Actions]:
    """6.7-b: one too many comes into a hex, and only then another makes room."""
    for limit in ("VV-6.9-b", "VV-6.9-a"):
        for actions in _crowded(kit, limit, table, one):
            last = actions[-1]
            assert isinstance(last, Drag)
            for other in table.within(last.to, table.active):
                walk = _free(table, other)
                for to in walk.march() if walk else ():
                    if to != last.to and fits(kit, table, to, [other]):
                        yield [*actions, Roll(), Drag((other,), to)]


PLANTED: dict[str, Callable[[ValorAndVictory, str, Table, str], Iterator[Actions]]] = {
    "VV-6.1-c": _parted, "VV-6.1-e": _resumed, "VV-5.33-b": _resumed, "VV-6.31-e": _lost,
    "VV-6.31-f": _lost, "VV-6.31-g": _lost, "VV-6.4-b": _hurried, "VV-6.4-c": _hurried,
    "VV-6.5-a": _twice, "VV-6.5-c": _forgot, "VV-6.7-b": _too_soon, "VV-6.9-a": _crowded,
    "VV-6.9-b": _crowded, "VV-6.9-c": _crowded, "VV-6.10-a": _entered, "VV-6.10-b": _returned,
    "VV-7.2-b": _sideways,
    "VV-7.2-c": _forgot, "VV-7.3-a": _turned_first, "VV-7.3-b": _advance_turn, "VV-8.2-a": _loads,
    "VV-8.3-a": _loads, "VV-8.3-b": _loads, "VV-8.3-c": _loads, "VV-8.5-a": _bailed, "VV-13.8-a": _pinned,
    "VV-19.1-a": _overrun, "VV-19.3-a": _overrun, "VV-19.3-b": _overrun, "VV-19.4-a": _overrun,
    "VV-20.4-a": _crowded, "VV-20.5-a": _crowded,
}  # fmt: skip
"""Clause → what plants an error against it."""
