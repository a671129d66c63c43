"""Random legal play: what honest players do, action by action, as untidy as in real logs."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from random import Random

from .kit import (
    BOX,
    Action,
    Drag,
    GameSetup,
    Kit,
    LegalRoute,
    LegalRoutes,
    Phase,
    Roll,
    Say,
    Table,
    Undo,
)


@dataclass(frozen=True)
class Play:
    """A game that was played."""

    setup: GameSetup
    actions: tuple[Action, ...]


def play(kit: Kit, rng: Random, drags: int) -> Play:
    """A game of whole turns, until at least ``drags`` drags have been made or nobody can move."""
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
    """One side's turn. In phases that are complete by the pack units march; in the others combat displaces
    them."""
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
    """The units of a side move one after the other, alone or in stacks."""
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
    """A move of ``group``, or of as many of it as can go together (the others are removed from it); None if
    there is none."""
    routes = kit.company(table, group, form)
    while len(group) > 1 and not routes:
        group.pop()
        routes = kit.company(table, group, form)
    fit = [name for name in routes if fits(kit, table, name, group)]
    if not fit:
        return None
    return drags(kit, table, rng, tuple(group), routes[target(rng, routes, fit)], form)


def target(rng: Random, routes: LegalRoutes, names: Sequence[str]) -> str:
    """One of ``names``, hexes in ``routes``: more often than not one of the dearer half."""
    far = sorted(names, key=lambda name: (routes[name].cost, name))
    return rng.choice(far[len(far) // 2 :] if rng.random() < 0.6 else far)


def fits(kit: Kit, table: Table, name: str, units: Sequence[str]) -> bool:
    """Whether ``units`` may end a phase in hex ``name``, with those of their side that are there."""
    side = table.side(units[0])
    return kit.may_stand(table, name, [*table.within(name, side), *units])


def drags(
    kit: Kit, table: Table, rng: Random, group: tuple[str, ...], route: LegalRoute, form: str
) -> Iterator[Action]:
    """A group goes along a route: in one drag or several, with dice between them; some may stay behind. Now
    and then it is dragged elsewhere first, and put back."""
    declared = kit.declared(table, group[0], form)
    if rng.random() < 0.1:
        yield from astray(table, rng, group)
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


def astray(table: Table, rng: Random, group: tuple[str, ...]) -> Iterator[Action]:
    """A drag that is taken back, by the undo button or by hand."""
    here = table.where[group[0]]
    yield Drag(group, rng.choice([n for n in table.board.hexes if n != here]))
    if rng.random() < 0.2:
        yield Say("no, not there")
        yield Drag(group, here)
    else:
        yield rng.choice((Undo(), Drag(group, here)))


def parted(table: Table, side: str) -> Iterator[Action]:
    """Where units of both sides are in one hex, those of the side other than ``side`` lose a combat and are
    taken off the map."""
    for name in table.board.hexes:
        losers = table.within(name, table.other(side))
        if losers and table.within(name, side):
            yield Roll()
            yield Drag(tuple(losers), BOX)


def mishaps(kit: Kit, table: Table, rng: Random) -> Iterator[Action]:
    """Displacements that are not movement: counters retreat, are eliminated, or come back."""
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
        free = [n for n in free if fits(kit, table, n, [victim])]
        if rng.random() < 0.1:
            yield Drag((victim,), BOX)
        elif free:
            yield Drag((victim,), rng.choice(free))
    dead = [u for u, at in table.where.items() if at == BOX]
    for back in rng.sample(dead, rng.randint(0, len(dead))) if len(dead) > 2 else []:
        side = table.side(back)
        free = [n for n in table.board.hexes if not table.within(n, table.other(side))]
        free = [n for n in free if fits(kit, table, n, [back])]
        if free:
            yield Drag((back,), rng.choice(free))
