"""Errors of Tide of Iron that more than a way makes: boarding, Op Fire, stacking, the order of units."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from random import Random
from typing import TYPE_CHECKING

from vassal_umpire.model.fact import Value

from .kit import Action, Change, Drag, Fraction, LegalRoute, Roll, Table, first_error
from .tide_turn import DIGGINGS, fits, free_seats, with_cost
from .tide_walk import Walk, card

if TYPE_CHECKING:
    from .tide_of_iron import TideOfIron

Actions = Iterator[Sequence[Action]]
Planter = Callable[["TideOfIron", Table, Random, str], Actions]


def plant(kit: TideOfIron, clause: str, table: Table, rng: Random) -> Sequence[Action] | None:
    """Actions that break just this clause."""
    if table.phase != "Action":
        return None

    def error(unit: str) -> Sequence[Action] | None:
        return next(PLANTED[clause](kit, table, rng, unit), None) if _ready(table, unit) else None

    return first_error(rng, table.on_map(table.active), error)


def _ready(table: Table, unit: str) -> bool:
    """Whether there is nothing odd about a unit."""
    facts = table.facts[unit]
    plain = facts["aboard"] == "no" and facts["works"] == "none" and facts["damage"] == "none"
    # one that got out of a vehicle may long have been marked as riding when it was dragged
    plain = plain and table.setup.units[unit].attributes["aboard"].value == "no"
    return plain and Walk(table, unit).able() and facts["action"] != "assault"


def _squad(table: Table, unit: str) -> bool:
    return card(table, unit)["class"] == "squad"


def _vehicles(table: Table, side: str, name: str) -> list[str]:
    return [
        u
        for u in table.within(name, side)
        if not _squad(table, u) and table.facts[u]["damage"] != "heavy"
    ]


def _routes(
    kit: TideOfIron, table: Table, rng: Random, unit: str, spent: int = 0
) -> list[tuple[str, LegalRoute]]:
    """Where it may go, other than where it stands, and be without crowding anybody."""
    found = [
        (n, w) for n, w in with_cost(kit, table, unit, spent).items()
        if len(w.path) > 1 and fits(kit, table, n, [unit])
    ]  # fmt: skip
    rng.shuffle(found)
    return found


# -- boarding and digging in --


def _aboard(
    seats: Callable[[Value, int], bool], spent: int = 2, *, next_to: bool = False
) -> Planter:
    """A squad goes to a hex and is marked as riding in a vehicle there, or ``next_to`` it, with such seats,
    all and free. Nothing ``spent``: MPs enough for the hex alone."""

    def found(kit: TideOfIron, table: Table, rng: Random, unit: str) -> Actions:
        paid = {} if spent else with_cost(kit, table, unit, 2)
        for name, route in _routes(kit, table, rng, unit, spent) if _squad(table, unit) else []:
            passed = {table.where[unit], *route.path}
            beside = [n for n in table.board.neighbours(name) if n not in passed]
            if name in paid or not (spent or _surely(kit, table, unit, name, 1)):
                continue
            for near in beside if next_to else [name]:
                for vehicle in _vehicles(table, table.active, near):
                    if seats(card(table, vehicle)["transport"], free_seats(table, vehicle)):
                        yield _wrong_drag(unit, route, Change(unit, "aboard", vehicle))

    return found


def _wrong_drag(unit: str, route: LegalRoute, *before: Action) -> Sequence[Action]:
    """What was marked before the last of the drags is wrong: the drag is the action it is found by."""
    return (Drag((unit,), route.path[-1]), *before)


def _surely(kit: TideOfIron, table: Table, unit: str, name: str, spent: int) -> bool:
    """Whether a hex is out of reach even if all is read in the unit's favour."""
    walk = Walk(table, unit, favourable=True, spent=spent)
    return name not in walk.march(kit.terrain_costs(table, walk.cls, "", favourable=True))


def _too_dear_dug(kit: TideOfIron, table: Table, rng: Random, unit: str) -> Actions:
    for name, route in _routes(kit, table, rng, unit) if _squad(table, unit) else []:
        stayed = table.where[unit] == table.setup.opening[unit]
        if stayed and _free_holes(table, name) and _surely(kit, table, unit, name, 1):
            yield _wrong_drag(unit, route, Change(unit, "works", "entrenchment"))


def _free_holes(table: Table, name: str) -> int:
    holes = sum(DIGGINGS.get(feature, 0) for feature in table.board.hexes[name].features)
    return holes - sum(table.facts[u]["works"] != "none" for u in table.within(name))


def _aboard_and_on(kit: TideOfIron, table: Table, rng: Random, unit: str) -> Actions:
    """Aboard, and out again, and a hex on."""
    for name, _ in _routes(kit, table, rng, unit, 2) if _squad(table, unit) else []:
        for vehicle in _vehicles(table, table.active, name):
            if free_seats(table, vehicle) > 0 and not table.riders(vehicle):
                for onward in table.board.neighbours(name):
                    if onward in dict(_routes(kit, table, rng, unit)):
                        yield (
                            Drag((unit,), name), Change(unit, "aboard", vehicle), Roll(),
                            Change(unit, "aboard", "no"), Roll(), Drag((unit,), onward),
                        )  # fmt: skip


# -- Op Fire, wire, rolls --


def _halves(kit: TideOfIron, table: Table, rng: Random, unit: str) -> Iterator[tuple[str, str]]:
    """A hex on the way and the last one."""
    for _, route in _routes(kit, table, rng, unit):
        there = [n for n in route.path[1:-1] if not table.within(n, table.other(table.active))]
        if there and there[0] == route.path[1]:
            yield route.path[1], route.path[-1]


def _moved_on(kit: TideOfIron, table: Table, rng: Random, unit: str) -> Actions:
    if card(table, unit)["class"] in ("truck", "light"):
        harm = Change(unit, "damage", "light")
    elif _squad(table, unit):
        harm = Change(unit, rng.choice(("pinned", "disrupted")), True)
    else:
        return
    for first, last in _halves(kit, table, rng, unit):
        yield Drag((unit,), first), Roll(), harm, Roll(), Drag((unit,), last)


def _stalled(terrain: str, feature: str) -> Planter:
    def found(kit: TideOfIron, table: Table, rng: Random, unit: str) -> Actions:
        cls = card(table, unit)["class"]
        if cls == "squad" or (feature and cls != "truck"):
            return
        start = table.board.hexes[table.where[unit]]
        for first, last in _halves(kit, table, rng, unit):
            here = table.board.hexes[first]
            if terrain in (start.terrain or ()):
                continue  # along a wadi nobody rolls
            if terrain in (here.terrain or ()) if terrain else feature in here.features:
                failed = Change(unit, "stalled", first)
                yield Drag((unit,), first), failed, Roll(), Drag((unit,), last)

    return found


def _cleared(kit: TideOfIron, table: Table, rng: Random, unit: str) -> Actions:
    """Clears wire, and goes as far as if it had not."""
    here, facts = table.where[unit], card(table, unit)
    if "razor wire" in table.board.hexes[here].features and (facts["engineer"] or facts["tank"]):
        for name, route in _routes(kit, table, rng, unit):
            if _surely(kit, table, unit, name, 2):
                yield (Drag((unit,), route.path[-1], declared={"clears": here}),)


# -- assaults --


def _assaulters(
    kit: TideOfIron, table: Table, rng: Random, unit: str
) -> list[tuple[str, LegalRoute]]:
    facts = table.facts[unit]
    if not _squad(table, unit) or facts["heavy_weapon"]:
        return []
    return _routes(kit, table, rng, unit, 1)


def _wrong_assault(kit: TideOfIron, table: Table, rng: Random, unit: str) -> Actions:
    for name, _ in _assaulters(kit, table, rng, unit):
        for foe in table.on_map(table.other(table.active)):
            at = table.where[foe]
            far = at not in table.board.neighbours(name)
            if far or card(table, foe)["class"] == "heavy":
                told = {"assaults": at}
                yield Change(unit, "action", "assault"), Drag((unit,), name, declared=told)


def _assault_from_wire(kit: TideOfIron, table: Table, rng: Random, unit: str) -> Actions:
    for name, _ in _assaulters(kit, table, rng, unit):
        if "razor wire" not in table.board.hexes[name].features:
            continue
        for at in table.board.neighbours(name):
            foes = table.within(at, table.other(table.active))
            if foes and all(card(table, foe)["class"] != "heavy" for foe in foes):
                told = {"assaults": at}
                yield Change(unit, "action", "assault"), Drag((unit,), name, declared=told)


# -- order and stacking --


def _others(
    kit: TideOfIron, table: Table, rng: Random, unit: str, path: Sequence[str]
) -> Iterator[Drag]:
    """What another unit may do meanwhile, out of the way."""
    for other in table.on_map(table.active):
        if other != unit and _ready(table, other) and not table.riders(other):
            targets = [n for n, _ in _routes(kit, table, rng, other) if n not in path]
            if targets:
                yield Drag((other,), targets[0])


def _resumed(kit: TideOfIron, table: Table, rng: Random, unit: str) -> Actions:
    if "actions" in table.setup.conditions or table.riders(unit):
        return
    for first, last in _halves(kit, table, rng, unit):
        for between in _others(kit, table, rng, unit, (first, last)):
            yield Drag((unit,), first), Roll(), between, Roll(), Drag((unit,), last)


def _one_more(kit: TideOfIron, table: Table, rng: Random, unit: str) -> Actions:
    """Everybody may move who can; one of them is too many."""
    most = table.setup.conditions.get("actions")
    if not isinstance(most, Fraction) or table.drags or table.riders(unit):
        return
    shadow = table.after()
    actions: list[Action] = []
    for mover in [u for u in shadow.on_map(shadow.active) if u != unit] + [unit]:
        if len(actions) <= 2 * most and _ready(shadow, mover) and not shadow.riders(mover):
            for name, _ in _routes(kit, shadow, rng, mover)[:1]:
                actions += [Roll(), Drag((mover,), name)]
                shadow.apply(actions[-1])
    if len(actions) == 2 * most + 2:
        yield actions


def _crowded(kit: TideOfIron, table: Table, rng: Random, unit: str) -> Actions:
    for name in with_cost(kit, table, unit, 0):
        if name != table.where[unit] and not fits(kit, table, name, [unit]):
            yield (Drag((unit,), name),)


def _no_room(kit: TideOfIron, table: Table, rng: Random, unit: str) -> Actions:
    """A rider gets out where its vehicle stands in a full hex, having come there with it."""
    for rider in table.riders(unit):
        facts = table.facts[rider]
        allowed = Walk(table, rider).able() and Walk(table, rider).allowance() >= 2
        if not allowed or facts["action"] == "assault":
            continue
        for name in with_cost(kit, table, unit, 0):
            group = (unit, *table.riders(unit))
            roomy = fits(kit, table, name, [unit], out=False)
            if name != table.where[unit] and roomy and not fits(kit, table, name, [unit, rider]):
                yield Drag(group, name), Change(rider, "aboard", "no")


PLANTED: dict[str, Planter] = {
    "TOI-OF-c": _moved_on,
    "TOI-EX1-c": _too_dear_dug,
    "TOI-TR-a": _aboard(lambda seats, free: seats == 0),
    "TOI-TR-b": _aboard(lambda seats, free: seats != 0 and not free),
    "TOI-EE-b": _aboard(lambda seats, free: free > 0, spent=0),
    "TOI-EE-d": _aboard_and_on,
    "TOI-SB-1": _aboard(lambda seats, free: free > 0, next_to=True),
    "TOI-SB-8b": _no_room,
    "TOI-X-AP-b": _resumed,
    "TOI-X-AP-c": _one_more,
    "TOI-X-BR-b": _stalled("", "snow bridge"),
    "TOI-X-WA-a": _stalled("wadi", ""),
    "TOI-X-RW-b": _cleared,
    "TOI-X-AS-b": _wrong_assault,
    "TOI-X-AS-c": _assault_from_wire,
    "TOI-X-SK": _crowded,
}
