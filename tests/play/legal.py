"""Random legal play: what honest players do, action by action, with all the untidiness of real logs."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from random import Random

from .kit import (
    BOX,
    Action,
    Change,
    Drag,
    GameSetup,
    Kit,
    LegalRoute,
    Phase,
    Roll,
    Say,
    Table,
    Undo,
)


@dataclass(frozen=True)
class Play:
    """A game played. ``moves``: drags in phases that are declared movement-only, as far as they count."""

    setup: GameSetup
    actions: tuple[Action, ...]


def play(kit: Kit, rng: Random, drags: int) -> Play:
    """A game of whole turns, until so many drags are made."""
    setup = kit.setup(rng, big=True)
    table = Table(setup)
    actions: list[Action] = []
    number = done = 0
    while done < drags:
        number += 1
        before = done
        for side in setup.sides:
            for action in kit.turn(table, rng, number, side):
                table.apply(action)
                actions.append(action)
                done += isinstance(action, Drag)
        if done == before:  # nobody can move any more
            break
    return Play(setup, tuple(actions))


def turn(kit: Kit, table: Table, rng: Random, number: int, side: str) -> Iterator[Action]:
    """One side's turn: in phases that are movement-only units march, in others anything happens."""
    for phase in kit.sequence:
        yield Phase(number, phase, side)
        yield from kit.phase_changes(table, rng)
        rule = table.setup.phase(phase)
        if not rule.complete:
            yield from mishaps(kit, table, rng)
            continue
        movers = {"active": [side], "inactive": [table.other(side)], "none": []}.get(
            rule.movers, list(table.setup.sides)
        )
        for mover in movers:
            yield from marches(kit, table, rng, mover)


def marches(kit: Kit, table: Table, rng: Random, side: str) -> Iterator[Action]:
    """Units of a side move one after the other, alone or stacked."""
    todo = table.on_map(side)
    rng.shuffle(todo)
    while todo:
        leader = todo.pop()
        here = table.where[leader]
        same = [u for u in todo if table.where[u] == here]
        group = (
            [leader, *rng.sample(same, rng.randint(0, len(same)))]
            if rng.random() < 0.6
            else [leader]
        )
        form = rng.choice(kit.forms)
        found = march(kit, table, rng, group, form)
        if found is None:
            continue
        yield from found
        todo = [u for u in todo if u not in group]


def march(
    kit: Kit, table: Table, rng: Random, group: list[str], form: str
) -> Iterator[Action] | None:
    """A group's move, in one drag or several, perhaps taken back before; None: it has none."""
    routes = kit.company(table, group, form)
    while len(group) > 1 and not routes:
        group.pop()
        routes = kit.company(table, group, form)
    fit = [name for name in routes if _fits(kit, table, name, group)]
    if not fit:
        return None
    far = sorted(fit, key=lambda name: (routes[name].cost, name))
    target = rng.choice(far[len(far) // 2 :] if rng.random() < 0.6 else far)
    return _drags(kit, table, rng, tuple(group), routes[target], form)


def _fits(kit: Kit, table: Table, name: str, units: list[str]) -> bool:
    side = table.side(units[0])
    return kit.may_stand(table, name, [*table.within(name, side), *units])


def _drags(
    kit: Kit, table: Table, rng: Random, group: tuple[str, ...], route: LegalRoute, form: str
) -> Iterator[Action]:
    declared = kit.declared(table, group[0], form)
    if rng.random() < 0.1:
        yield from _astray(table, rng, group)
    path = route.path
    style = rng.random()
    if style < 0.25 and len(path) > 2:  # hex by hex
        stops = list(path[1:])
    elif style < 0.45 and len(path) > 2:
        stops = [path[rng.randint(1, len(path) - 2)], path[-1]]
    else:
        stops = [path[-1]]
    left: tuple[str, ...] = ()
    for number, stop in enumerate(stops):
        yield Drag(group, stop, form, declared)
        last = number == len(stops) - 1
        if not last and len(group) > 1 and rng.random() < 0.3:
            keep = rng.randint(1, len(group) - 1)
            group, left = group[:keep], group[keep:]
            side = table.side(left[0])
            if not kit.may_stand(table, stop, table.within(stop, side)):
                group = (*group, *left)
        if not last and rng.random() < 0.1:
            yield rng.choice((Roll(), Say("hm")))


def _astray(table: Table, rng: Random, group: tuple[str, ...]) -> Iterator[Action]:
    """A drag that is taken back, by the undo button or by hand."""
    here = table.where[group[0]]
    yield Drag(group, rng.choice([n for n in table.board.hexes if n != here]))
    if rng.random() < 0.2:
        yield Say("no, not there")
        yield Drag(group, here)
    else:
        yield rng.choice((Undo(), Drag(group, here)))


def mishaps(kit: Kit, table: Table, rng: Random) -> Iterator[Action]:
    """A phase in which counters are displaced for other reasons than movement: combat."""
    for _ in range(rng.choice((0, 0, 1, 2))):
        yield Roll()
        units = [u for u, at in table.where.items() if at != BOX]
        if not units:
            return
        victim = rng.choice(units)
        side, here = table.side(victim), table.where[victim]
        around = list(table.board.neighbours(here))
        if rng.random() < 0.3:
            around += [far for near in around for far in table.board.neighbours(near)]
        free = [n for n in around if n != here and not table.within(n, table.other(side))]
        free = [n for n in free if _fits(kit, table, n, [victim])]
        if rng.random() < 0.1:
            yield Drag((victim,), BOX)
        elif free:
            yield Drag((victim,), rng.choice(free))
    dead = [u for u, at in table.where.items() if at == BOX]
    for back in rng.sample(dead, rng.randint(0, len(dead))) if len(dead) > 2 else []:
        side = table.side(back)
        free = [n for n in table.board.hexes if not table.within(n, table.other(side))]
        free = [n for n in free if _fits(kit, table, n, [back])]
        if free:
            yield Drag((back,), rng.choice(free))


__all__ = ["Change", "Play", "march", "marches", "mishaps", "play", "turn"]
