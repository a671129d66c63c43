"""Tide of Iron at the table: activations as honest players make them, with tokens, transports and Op Fire."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from random import Random
from typing import TYPE_CHECKING

from vassal_umpire.model.fact import Value

from .kit import Action, Change, Drag, Fraction, LegalRoute, Phase, Roll, Say, Table
from .legal import astray, mishaps, target
from .tide_walk import Walk, card, immobile

if TYPE_CHECKING:
    from .tide_of_iron import TideOfIron

DIGGINGS = {"entrenchment": 1, "two entrenchments": 2}


def turn(kit: TideOfIron, table: Table, rng: Random, number: int, side: str) -> Iterator[Action]:
    """A side's actions; fights; tokens are cleared."""
    yield Phase(number, "Action", side)
    actions = table.setup.conditions.get("actions")
    left = int(actions) if isinstance(actions, Fraction) else 99
    todo = table.on_map(side)
    rng.shuffle(todo)
    done: set[str] = set()
    for mover in todo:
        if left and mover not in done:
            acted = yield from activate(kit, table, rng, mover)
            done |= acted
            left -= bool(acted)
    yield Phase(number, "Combat", side)
    for action in mishaps(kit, table, rng):
        if not isinstance(action, Drag) or _alone(table, action.units[0]):
            yield action
    yield Phase(number, "Status", side)
    yield from _status(table, rng, side)


def _alone(table: Table, unit: str) -> bool:
    facts = table.facts[unit]
    return facts["aboard"] == "no" and facts["works"] == "none" and not table.riders(unit)


def _status(table: Table, rng: Random, side: str) -> Iterator[Action]:
    for one in table.setup.units:
        facts = table.facts[one]
        if table.side(one) != side:
            continue
        if facts["token"] != "none" and rng.random() < 0.9:
            yield Change(one, "token", "none")
        for mark in ("pinned", "disrupted"):
            if facts[mark] and rng.random() < 0.5:
                yield Change(one, mark, False)
        if facts["damage"] == "light" and rng.random() < 0.2:
            yield Change(one, "damage", "none")


# -- one activation ---------------------------------------------------------------------------------


def activate(kit: TideOfIron, table: Table, rng: Random, unit: str) -> Iterator[Action]:
    """A unit is activated; returns who has acted."""
    facts = card(table, unit)
    if facts["token"] != "none" or immobile(facts):
        return set()
    squad = facts["class"] == "squad"
    able = ["advance", "fire-and-movement"]
    able += ["assault"] if squad and not facts["heavy_weapon"] else []
    if facts["action"] not in able or rng.random() < 0.5:
        picked = rng.choice(able)
        if picked != facts["action"]:
            yield Change(unit, "action", picked)
    actions = None
    if squad:
        for choose in rng.sample((_board_vehicle, _dig_in, _pair), 3):
            if actions is None and rng.random() < 0.3:
                actions = choose(kit, table, rng, unit)
    if actions is None:
        actions = _march(kit, table, rng, unit)
    if actions is None:
        return set()
    before = rng.random() < 0.15
    if before:  # right before the drag: of this activation
        yield Change(unit, "token", rng.choice(("fatigued", "active")))
    elif rng.random() < 0.1:
        yield from astray(table, rng, (unit, *table.riders(unit)))
    acted = yield from actions
    if not before and rng.random() < 0.8:
        yield Change(unit, "token", rng.choice(("fatigued", "fatigued", "op-fire")))
    return {unit, *acted}


def fits(
    kit: TideOfIron, table: Table, name: str, units: Sequence[str], *, out: bool = True
) -> bool:
    """Whether units may end in a hex, riders who get out among them."""
    side = table.side(units[0])
    stays = [u for u in table.within(name, side) if u not in units]
    with table.unloaded(units if out else ()):
        return kit.may_stand(table, name, [*stays, *units])


def _march(kit: TideOfIron, table: Table, rng: Random, unit: str) -> Iterator[Action] | None:
    routes = kit.routes(table, unit)
    fit = [n for n in routes if fits(kit, table, n, [unit])]
    return _go(kit, table, rng, unit, routes[target(rng, routes, fit)]) if fit else None


def _go(
    kit: TideOfIron, table: Table, rng: Random, unit: str, route: LegalRoute
) -> Iterator[Action]:
    """Gets or climbs out, goes its way, is fired at."""
    late = rng.random() < 0.5
    leaving = [key for key in ("aboard", "works") if table.facts[unit][key] not in ("no", "none")]
    out = {"aboard": "no", "works": "none"}
    for key in leaving:
        if not late:
            yield Change(unit, key, out[key])
    group = (unit, *table.riders(unit))
    declared = _assaults(table, rng, unit, route)
    ended = yield from _drags(kit, table, rng, group, route, declared)
    for key in leaving:
        if late:
            yield Change(unit, key, out[key])
    if ended and rng.random() < 0.8:
        yield Change(unit, "token", "fatigued")
    return set()


def _drags(
    kit: TideOfIron,
    table: Table,
    rng: Random,
    group: tuple[str, ...],
    route: LegalRoute,
    declared: dict[str, Value],
) -> Iterator[Action]:
    """In one drag or several; returns whether Op Fire ended it."""
    unit, path = group[0], route.path
    stops = [path[-1]]
    style = rng.random()
    if style < 0.3:
        stops = list(path[1:])
    elif style < 0.5 and len(path) > 2:
        stops = [path[rng.randint(1, len(path) - 2)], path[-1]]
    most = Walk(table, unit).allowance()
    for number, stop in enumerate(stops):
        if len(group) > 1 and rng.random() < 0.3:  # the counters of riders follow later
            yield Drag((unit,), stop, declared=declared)
            yield Drag(group[1:], stop)
        else:
            yield Drag(group, stop, declared=declared)
        held = table.within(stop, table.other(table.side(unit)))
        if number + 1 < len(stops) and not held and not declared:
            ended = yield from _op_fire(kit, table, rng, unit, stop, most - route.cost)
            if ended:
                return True
        elif number + 1 < len(stops) and rng.random() < 0.1:
            yield Roll()
    return False


def _op_fire(
    kit: TideOfIron, table: Table, rng: Random, unit: str, stop: str, spare: Fraction
) -> Iterator[Action]:
    """Nothing, a miss, or what ends the activation (or costs a heavy vehicle 1 MP)."""
    if rng.random() < 0.6:
        return False
    yield rng.choice((Roll(), Say("op fire")))
    facts = card(table, unit)
    if rng.random() < 0.6:
        return False
    if facts["class"] == "squad":
        if fits(kit, table, stop, [unit]):
            yield Change(unit, rng.choice(("pinned", "disrupted")), True)
            return True
    elif facts["class"] == "heavy" and facts["damage"] == "none" and spare >= 1:
        yield Change(unit, "damage", "light")
    elif fits(kit, table, stop, [unit]):
        harm = "heavy" if facts["damage"] == "light" or facts["class"] == "heavy" else "light"
        yield Change(unit, "damage", harm)
        return True
    return False


def _assaults(table: Table, rng: Random, unit: str, route: LegalRoute) -> dict[str, Value]:
    """The enemies next to the last hex that it says it assaults."""
    if table.facts[unit]["action"] != "assault" or rng.random() < 0.5:
        return {}
    if any("razor wire" in table.board.hexes[n].features for n in route.path[1:]):
        return {}
    enemy = table.other(table.side(unit))
    for name in table.board.neighbours(route.path[-1]):
        there = table.within(name, enemy)
        if there and all(card(table, u)["class"] != "heavy" for u in there):
            return {"assaults": name}
    return {}


def with_cost(kit: TideOfIron, table: Table, unit: str, spent: int) -> dict[str, LegalRoute]:
    """Where it may go, with so many MPs to be spent there; where it stands, too."""
    walk = Walk(table, unit, spent=spent)
    if not walk.able() or walk.before() > walk.allowance():
        return {}
    found = walk.march(kit.terrain_costs(table, walk.cls, ""))
    here = table.where[unit]
    return {**found, here: LegalRoute(walk.before(), (here,))}


def free_seats(table: Table, vehicle: str) -> int:
    room = card(table, vehicle)["transport"]
    assert isinstance(room, Fraction)
    return int(room) - len(table.riders(vehicle))


def _board_vehicle(
    kit: TideOfIron, table: Table, rng: Random, unit: str
) -> Iterator[Action] | None:
    """To a vehicle, and in."""
    if table.facts[unit]["aboard"] != "no":
        return None
    routes = with_cost(kit, table, unit, 2)
    side = table.side(unit)
    fit = [
        (name, u) for name in routes for u in table.within(name, side)
        if card(table, u)["class"] != "squad" and free_seats(table, u) > 0
        and table.facts[u]["damage"] != "heavy"
    ]  # fmt: skip
    if not fit:
        return None
    return _into(table, rng, unit, "aboard", *_picked(rng, routes, fit))


def _picked(
    rng: Random, routes: dict[str, LegalRoute], fit: list[tuple[str, str]]
) -> tuple[LegalRoute, str]:
    name, what = rng.choice(fit)
    return routes[name], what


def _into(
    table: Table, rng: Random, unit: str, key: str, route: LegalRoute, what: str
) -> Iterator[Action]:
    """To a hex, and into something there."""
    if table.facts[unit]["works"] != "none":
        yield Change(unit, "works", "none")
    for stop in route.path[1:] if rng.random() < 0.3 else route.path[1:][-1:]:
        yield Drag((unit,), stop)
    if len(route.path) == 1:
        yield Roll()
    yield Change(unit, key, what)
    if rng.random() < 0.5:
        yield Roll()
    return set()


def _dig_in(kit: TideOfIron, table: Table, rng: Random, unit: str) -> Iterator[Action] | None:
    """Into an entrenchment that nobody is in."""
    if table.facts[unit]["aboard"] != "no" or table.facts[unit]["works"] != "none":
        return None
    routes = with_cost(kit, table, unit, 1)
    side = table.side(unit)
    fit = []
    for name in routes:
        holes = sum(DIGGINGS.get(feature, 0) for feature in table.board.hexes[name].features)
        taken = sum(table.facts[u]["works"] != "none" for u in table.within(name))
        if holes > taken and fits(kit, table, name, [unit]) and len(table.within(name, side)) >= 0:
            fit.append((name, "entrenchment"))
    if not fit:
        return None
    return _into(table, rng, unit, "works", *_picked(rng, routes, fit))


def _pair(kit: TideOfIron, table: Table, rng: Random, unit: str) -> Iterator[Action] | None:
    """Two squads, one after the other, though in one drag."""
    if table.setup.conditions.get("actions") is not None or not _alone(table, unit):
        return None
    same = [
        u for u in table.within(table.where[unit], table.side(unit))
        if u != unit and table.facts[u] == table.facts[unit]
    ]  # fmt: skip
    routes = kit.routes(table, unit)
    fit = [n for n in routes if same and fits(kit, table, n, [unit, same[0]])]
    return _both(unit, same[0], rng.choice(fit)) if fit else None


def _both(unit: str, other: str, to: str) -> Iterator[Action]:
    yield Drag((unit, other), to)
    yield Change(other, "token", "fatigued")
    return {other}
