"""Valor & Victory at the table: a side's turn, with its drags, turns, markers, loads and fire."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from random import Random
from typing import TYPE_CHECKING

from .kit import BOX, Action, Change, Drag, LegalRoute, Phase, Roll, Table
from .legal import fits, mishaps, parted
from .valor_walk import FACINGS, INFANTRY, LEADERS, SQUADS, WHEELS, Drive, Walk

if TYPE_CHECKING:
    from .valor_and_victory import ValorAndVictory


def led(table: Table, units: Sequence[str]) -> bool:
    """6.31: whether a leader goes along."""
    return any(table.facts[u]["class"] in LEADERS for u in units)


def turn(
    kit: ValorAndVictory, table: Table, rng: Random, number: int, side: str
) -> Iterator[Action]:
    """Fire, Movement, Advance, After-Action; markers as they are laid and taken away."""
    yield Phase(number, "Fire", side)
    yield from _recover(table, side)
    yield from _fire(table, rng, side)
    yield Phase(number, "Movement", side)
    todo = [u for u in table.setup.units if table.side(u) == side]
    rng.shuffle(todo)
    while todo:
        moved = yield from _move(kit, table, rng, todo)
        todo = [u for u in todo if u not in moved]
    yield Phase(number, "Advance", side)
    for mover in rng.sample(table.on_map(side), len(table.on_map(side)) // 2):
        yield from _advance(kit, table, rng, mover)
    yield Phase(number, "After-Action", side)
    yield from parted(table, side)
    if not table.setup.rules.get("boxes"):
        yield from (
            d for d in mishaps(kit, table, rng) if not isinstance(d, Drag) or _alone(table, d)
        )
    yield from _clear(table, rng, side)


# -- the Movement Phase -----------------------------------------------------------------------------


def _move(kit: ValorAndVictory, table: Table, rng: Random, todo: list[str]) -> Iterator[Action]:
    """Somebody moves; returns all who did, or could not."""
    mover = todo[0]
    here, cls = table.where[mover], table.facts[mover]["class"]
    if table.facts[mover]["aboard"] != "no" or not (here == BOX or Walk(table, mover).able()):
        return [mover]
    if here == BOX:
        if "entry" in table.setup.rules.get("boxes", {}) and cls in INFANTRY:
            yield from _enter(kit, table, rng, mover)
        return [mover]
    if (
        "exit" in table.setup.rules.get("boxes", {})
        and rng.random() < 0.02
        and at_edge(table, here)
    ):
        if not table.riders(mover):
            yield Drag((mover,), BOX)
        return [mover]
    if cls in WHEELS:
        return (yield from _vehicle(kit, table, rng, mover, todo))
    group = [mover]
    if cls in INFANTRY:
        same = [u for u in todo[1:] if table.where[u] == here and _free(table, u)]
        if same and rng.random() < 0.7:
            group += rng.sample(same, rng.randint(1, min(3, len(same))))
    yield from _march(kit, table, rng, group)
    return group


def _free(table: Table, unit: str) -> bool:
    walk = Walk(table, unit)
    return walk.cls in INFANTRY and walk.able()


def at_edge(table: Table, name: str) -> bool:
    return len(table.board.neighbours(name)) < 6


def _march(kit: ValorAndVictory, table: Table, rng: Random, group: list[str]) -> Iterator[Action]:
    """Infantry, or a gun: marked for an assault, dragged together or one by one, fired at, marked."""
    if rng.random() < 0.2 and table.facts[group[0]]["class"] in INFANTRY:
        for one in group:
            if not table.facts[one]["assault"]:
                yield Change(one, "assault", True)
    route = _pick(kit, table, rng, group)
    if route is not None:
        here, path = table.where[group[0]], route.path
        if rng.random() < 0.1:
            away = rng.choice([n for n in table.board.hexes if n != here])
            yield Drag(tuple(group), away)
            yield Drag(tuple(group), here)
        style = rng.random()
        if style < 0.25 and len(group) > 1:
            for one in rng.sample(group, len(group)):
                yield Drag((one,), path[-1])
        elif style < 0.6 and len(path) > 2:
            yield from _under_fire(kit, table, rng, group, route)
        else:
            yield Drag(tuple(group), path[-1])
    if route is not None and table.facts[group[0]]["class"] == "gun" and rng.random() < 0.5:
        yield Change(group[0], "facing", rng.choice(FACINGS))
    for one in group:
        if table.facts[one]["assault"]:
            yield Change(one, "assault", False)
        if route is not None and rng.random() < 0.7:
            yield Change(one, "moved", True)


def _pick(
    kit: ValorAndVictory, table: Table, rng: Random, group: Sequence[str]
) -> LegalRoute | None:
    fit = [w for n, w in kit.company(table, group).items() if fits(kit, table, n, group)]
    far = sorted(fit, key=lambda route: (route.cost, route.path))
    return rng.choice(far[len(far) // 2 :]) if far else None


def _under_fire(
    kit: ValorAndVictory, table: Table, rng: Random, group: Sequence[str], route: LegalRoute
) -> Iterator[Action]:
    """A move with a stop on the way, where perhaps somebody is pinned and stays (13.8, 6.31)."""
    at = rng.randint(1, len(route.path) - 2)
    stop, side = route.path[at], table.side(group[0])
    yield Drag(tuple(group), stop)
    if rng.random() < 0.6:
        yield Roll()
    if rng.random() >= 0.3 or not kit.may_stand(table, stop, table.within(stop, side)):
        yield Drag(tuple(group), route.path[-1])
        return
    yield Roll()
    hit = rng.choice(group)
    yield Change(hit, "pinned", True)
    rest = [u for u in group if u != hit]
    own = [Walk(table, u).allowance() for u in rest if table.facts[u]["class"] in SQUADS]
    lost = led(table, group) and not led(table, rest)
    if rest and not (lost and any(route.cost > most for most in own)):
        yield Drag(tuple(rest), route.path[-1])


def _enter(kit: ValorAndVictory, table: Table, rng: Random, unit: str) -> Iterator[Action]:
    """6.10: onto a hex at the edge, and on with what is left."""
    side = table.side(unit)
    free = [
        n
        for n, here in table.board.hexes.items()
        if at_edge(table, n) and not table.within(n, table.other(side))
        if fits(kit, table, n, [unit]) and "wire" not in here.features
    ]
    walk = Walk(table, unit)
    rng.shuffle(free)
    for to in free[:3]:
        terrain = walk.terrain(to)
        if terrain is None or walk.facts["pinned"] or walk.facts["fired"] or walk.facts["moved"]:
            continue
        yield Drag((unit,), to)
        spent = terrain + (1 if set(table.board.hexes[to].features) else 0)
        arrived = Walk(table, unit)
        if arrived.able() and spent < arrived.allowance():
            onward = [n for n in arrived.march(spent) if fits(kit, table, n, [unit])]
            if onward:
                yield Drag((unit,), rng.choice(onward))
        return


def _vehicle(
    kit: ValorAndVictory, table: Table, rng: Random, mover: str, todo: Sequence[str]
) -> Iterator[Action]:
    """A vehicle drives, turns on the spot, loads, unloads, overruns; returns those it took along."""
    load = table.riders(mover)
    took: list[str] = []
    if not load and rng.random() < 0.5:
        took = _boarding(table, mover, todo)
        for one in took:
            yield Change(one, "aboard", mover)
    elif load and rng.random() < 0.4:
        crowd = [*table.within(table.where[mover], table.side(mover)), *load]
        if kit.may_stand(table, table.where[mover], crowd) and _fits_ashore(
            kit, table, mover, load
        ):
            for one in load:
                yield Change(one, "aboard", "no")
                yield Change(one, "moved", True)
            took, load = load, []
    if rng.random() < 0.15:
        yield Change(mover, "facing", rng.choice(FACINGS))
        return [mover, *took]
    aboard = (mover, *table.riders(mover))
    drives = Walk(table, mover).drive()
    fit = [
        route for state, route in sorted(drives.items())
        if state[0] != table.where[mover]
        and fits(kit, table, state[0], [mover])
        and not (len(aboard) > 1 and goes_over_enemies(table, route))
    ]  # fmt: skip
    if fit:
        yield from _drive(table, rng, aboard, rng.choice(fit))
        if load and rng.random() < 0.5 and _fits_ashore(kit, table, mover, load):
            for one in load:
                yield Change(one, "aboard", "no")
                yield Change(one, "moved", True)
            took = [*took, *load]
    if rng.random() < 0.7:
        yield Change(mover, "moved", True)
    return [mover, *took, *load]


def _fits_ashore(kit: ValorAndVictory, table: Table, carrier: str, load: Sequence[str]) -> bool:
    name, side = table.where[carrier], table.side(carrier)
    with table.unloaded(load):
        room = kit.may_stand(table, name, table.within(name, side))
    return room and not table.facts[carrier]["pinned"]


def goes_over_enemies(table: Table, route: Drive) -> bool:
    return any(table.within(state[0], table.other(table.active)) for state in route.states)


def _boarding(table: Table, carrier: str, todo: Sequence[str]) -> list[str]:
    """8.2: who may get in: a squad (half a squad with TH), or a leader."""
    facts = table.facts[carrier]
    room = {"none": (), "TH": ("half-squad", "leader")}
    kinds = room.get(str(facts["transport"]), ("squad", "half-squad", "leader"))
    beside = [u for u in todo if u != carrier and table.where[u] == table.where[carrier]]
    fit = [u for u in beside if table.facts[u]["class"] in kinds and _free(table, u)]
    return [u for u in fit if not table.facts[u]["assault"]][:1]


def _drive(table: Table, rng: Random, units: tuple[str, ...], route: Drive) -> Iterator[Action]:
    """As players show it: hex by hex and turn by turn, or from the first hex to the last."""
    mover, last = units[0], route.states[-1]
    if rng.random() < 0.4:
        for before, state in zip(route.states, route.states[1:], strict=False):
            if state[0] != before[0]:
                yield Drag(units, state[0])
                if rng.random() < 0.3:
                    yield Roll()
            if state[1] != before[1]:
                yield Change(mover, "facing", FACINGS[state[1]])
        return
    first = rng.random() < 0.3
    if first and last[1] != route.states[0][1]:
        yield Change(mover, "facing", FACINGS[last[1]])
    yield Drag(units, last[0])
    if not first and last[1] != route.states[0][1]:
        yield Change(mover, "facing", FACINGS[last[1]])


# -- the other phases -------------------------------------------------------------------------------


def _advance(kit: ValorAndVictory, table: Table, rng: Random, mover: str) -> Iterator[Action]:
    """One hex, and a vehicle or gun turns by one hexside; infantry assaults."""
    facts = table.facts[mover]
    if facts["aboard"] != "no" or table.riders(mover) or table.where[mover] == BOX:
        return
    form = rng.choice(("advance", "advance", "close-assault"))
    fit = [n for n in kit.routes(table, mover, form) if fits(kit, table, n, [mover])]
    held = [n for n in fit if table.within(n, table.other(table.side(mover)))]
    if fit:
        to = rng.choice(held or fit)
        if to in held:
            yield Roll()
        yield Drag((mover,), to, form)
    heading = facts["class"] in (*WHEELS, "gun") and Walk(table, mover).able()
    if heading and rng.random() < 0.5:
        new = (FACINGS.index(str(facts["facing"])) + rng.choice((1, 5))) % 6
        yield Change(mover, "facing", FACINGS[new])


def _alone(table: Table, action: Drag) -> bool:
    unit = action.units[0]
    return table.facts[unit]["aboard"] == "no" and not table.riders(unit)


def _recover(table: Table, side: str) -> Iterator[Action]:
    for one in table.setup.units:
        if table.side(one) == side and table.facts[one]["pinned"]:
            yield Change(one, "pinned", False)


def _fire(table: Table, rng: Random, side: str) -> Iterator[Action]:
    for one in table.on_map(side):
        if rng.random() < 0.08 and table.facts[one]["aboard"] == "no":
            yield Roll()
            yield Change(one, "fired", True)
    for one in table.on_map(side):
        if table.facts[one]["class"] == "afv" and rng.random() < 0.01:
            yield Change(one, "immobile", True)


def _clear(table: Table, rng: Random, side: str) -> Iterator[Action]:
    for one in table.setup.units:
        for mark in ("fired", "moved"):
            if table.facts[one][mark] and table.side(one) == side:
                yield Change(one, mark, False)
        if table.facts[one]["pinned"] and rng.random() < 0.5:
            yield Change(one, "pinned", False)
