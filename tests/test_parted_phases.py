"""Nobody is accused because steps that may have been combat part a phase in two.

Into games of the cases a counter of the other side is put that stirs, far from all, between two drags.
Whatever is illegal while it is not known whether that was combat must be illegal as well where dice and
the like belong to the phase; and where there are several such steps, whichever of them were combat.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import combinations, groupby, pairwise, product
from random import Random

import pytest
from cases import RULESETS, cases, draw, with_events
from tiers import SEED, by_tier
from vassal_umpire.importers.cases.case import Case
from vassal_umpire.model.finding import Audit
from vassal_umpire.model.game import Displacement, Event, Game, PhaseStart, Place, StepRef
from vassal_umpire.model.unit import Unit
from vassal_umpire.validators import readings
from vassal_umpire.validators.audit import audit

STRANGER = "stranger"
SHARE, FEW = by_tier((2, 1), ci=(15, 5), proof=(10_000, 10_000))
EVER_FOUND = {
    "tide-of-iron": ("RIDER-SPLIT", "SPENT-AND-ASSAULTED", "RIDER-SPLIT-LOST", "PUT-BACK-ACTION"),
    "valor-and-victory": (
        "PINNED-WHEN",
        "STOPPED-NOT",
        "STOPPED-AND-PUT-BACK",
        "PINNED-ON-THE-WAY",
    ),
    "wacht-am-rhein": ("C07", "STACK-ON-THE-WAY"),
}
"""Cases in which somebody was accused so once."""
OFTEN_PARTED = {"valor-and-victory": ("LOST-EARLY",), "wacht-am-rhein": ("R31",)}
"""Cases in which somebody was accused once of what is legal if some of several such steps were combat."""
ASKED = re.compile(r"combat from (\d+):(\d+) to (\d+):(\d+)")

Span = tuple[StepRef, StepRef]


@pytest.mark.parametrize("ruleset", sorted(RULESETS))
def test_what_parts_a_phase_accuses_nobody(ruleset: str) -> None:
    wrong = [
        f"{case.id}, before {at}: {sorted(found)}"
        for case in draw(ruleset, Random(SEED), SHARE, EVER_FOUND.get(ruleset, ()))
        for at, game in stirred(case)
        if (found := illegal(game, dice=False) - illegal(game, dice=True))
    ]
    assert wrong == []


@pytest.mark.parametrize("ruleset", sorted(RULESETS))
def test_whichever_steps_were_combat_bears_an_accusation_out(ruleset: str) -> None:
    wrong = [
        f"{case.id}, {lost}"
        for case in draw(ruleset, Random(SEED), FEW, OFTEN_PARTED.get(ruleset, ()))
        for game in with_one_drag_more(case.game)
        for several in stirred_often(replace(case, game=game))
        for lost in belied(several)
    ]
    assert wrong == []


def belied(game: Game) -> Iterator[str]:
    """What is held against somebody and is not so under some answer to what is asked."""
    found = audited(game, dice=False)
    spans, said = asked(found), drags_accused(found)
    for answers in product((True, False), repeat=len(spans)) if said else ():
        lost = said - drags_accused(audited(answered(game, spans, answers), dice=False))
        if lost:
            yield f"{spans} {answers}: {sorted(lost)}"


def test_where_there_are_many_such_steps_an_accusation_is_left_open(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    case = cases("wacht-am-rhein")["X01"]
    game = next(
        several
        for longer in with_one_drag_more(case.game)
        for several in stirred_often(replace(case, game=longer))
        if drags_accused(found := audited(several, dice=False)) and len(asked(found)) > 1
    )
    monkeypatch.setattr(readings, "MOST_CLUSTERS", 1)
    found = audited(game, dice=False)
    assert drags_accused(found) == set()
    assert len(asked(found)) > 1


def illegal(game: Game, *, dice: bool) -> set[tuple[str, str]]:
    """What is held against whom, but for the stranger."""
    found = audited(game, dice=dice)
    return {
        (one.code, unit)
        for one in found.findings
        if one.verdict == "illegal" and STRANGER not in one.units
        for unit in one.units
    }


def audited(game: Game, *, dice: bool) -> Audit:
    phases = {name: replace(rule, dice=dice) for name, rule in game.phases.items()}
    return audit(replace(game, phases=phases), RULESETS[game.rules.name])


def drags_accused(found: Audit) -> set[tuple[str, str]]:
    """The drags that are held against somebody, but for the stranger's."""
    return {
        (unit, str(step))
        for one in found.moves
        if one.verdict == "illegal"
        for unit in one.move.units
        for step in one.move.steps
        if unit != STRANGER
    }


def asked(found: Audit) -> list[Span]:
    """The steps of which is asked whether they were combat."""
    keys = {unknown.key for one in (*found.moves, *found.findings) for unknown in one.unknowns}
    numbers = (tuple(map(int, m.groups())) for key in keys if (m := ASKED.fullmatch(key)))
    return sorted((StepRef(a, b), StepRef(c, d)) for a, b, c, d in numbers)


def answered(game: Game, spans: Sequence[Span], answers: Sequence[bool]) -> Game:
    """``game``, and for each of ``spans`` told whether it was combat, as a facts file tells it."""
    events: list[Event] = []
    told: PhaseStart | None = None
    waiting = list(zip(spans, answers, strict=True))
    until: StepRef | None = None
    for at, together in groupby(game.events, key=lambda event: event.at):
        step = list(together)
        starts = [event for event in step if isinstance(event, PhaseStart)]
        told = starts[-1] if starts else told
        if until is not None and at > until and told is not None:
            until = None
            events += [replace(told, at=at)]
        events += starts
        if waiting and at >= waiting[0][0][0] and told is not None:
            (_, until), combat = waiting.pop(0)
            phase = None if combat else told.phase
            events += [replace(told, at=at, phase=phase, combat=combat, last=until, declared=True)]
        events += [event for event in step if not isinstance(event, PhaseStart)]
    return replace(game, events=tuple(events))


def with_one_drag_more(game: Game) -> Iterator[Game]:
    """The game with one more drag after the last, of each unit that was dragged, as far as the board goes."""
    board = game.board
    drags = [event for event in game.events if isinstance(event, Displacement)]
    for unit in dict.fromkeys(drag.unit for drag in drags):
        last = next(drag for drag in reversed(drags) if drag.unit == unit)
        if last.target.hex not in board.hexes:
            continue
        far = {name: board.distance(last.target.name, name) or 0 for name in board.hexes}
        target = max(far, key=lambda name: far[name])
        at = StepRef(drags[-1].at.log, drags[-1].at.step + 1)
        yield with_events(
            game, replace(last, at=at, origin=last.target, target=Place("hex", target), group=0)
        )


def stirred_often(case: Case) -> Iterator[Game]:
    """The game with a stranger that moves before two of the steps in which somebody is dragged."""
    found = with_stranger(case.game)
    if found is not None:
        for two in combinations(steps_between(case.game), 2):
            yield with_stirs(found[0], two, found[1])


def with_stirs(game: Game, steps: Sequence[StepRef], place: tuple[str, str]) -> Game:
    """The game with a stranger that goes to and fro between two hexes, once before each of ``steps``."""
    for number, at in reversed(list(enumerate(steps))):
        game = with_stir(game, at, place if number % 2 == 0 else place[::-1])
    return game


def steps_between(game: Game) -> list[StepRef]:
    """The steps in which somebody is dragged, but for the first."""
    drags = [event for event in game.events if isinstance(event, Displacement)]
    return [b.at for a, b in pairwise(drags) if a.at != b.at]


def stirred(case: Case) -> list[tuple[StepRef, Game]]:
    """The game with a stranger that moves before each step but the first in which somebody is dragged."""
    found = with_stranger(case.game)
    if found is None:
        return []
    there, place = found
    return [(at, with_stir(there, at, place)) for at in steps_between(case.game)]


def with_stranger(game: Game) -> tuple[Game, tuple[str, str]] | None:
    """The game with a counter of the other side far from all, and two hexes for it to move between; None:
    there is no room."""
    drags = [event for event in game.events if isinstance(event, Displacement)]
    place, mover = far_away(game), game.units.get(drags[0].unit) if drags else None
    if place is None or mover is None or mover.side is None:
        return None
    side = next((name for name in game.sides if name != mover.side), "Strangers")
    stranger = Unit(STRANGER, STRANGER, side, "unit", mover.attributes)
    there = replace(
        game,
        sides=tuple(dict.fromkeys((*game.sides, side))),
        units={**game.units, STRANGER: stranger},
        opening={**game.opening, STRANGER: Place("hex", place[0])},
    )
    return there, place


def with_stir(game: Game, at: StepRef, place: tuple[str, str]) -> Game:
    origin, target = (Place("hex", name) for name in place)
    return with_events(game, Displacement(at, STRANGER, origin, target))


def far_away(game: Game) -> tuple[str, str] | None:
    """Two neighbouring hexes of the board, three or more from wherever anybody ever is; None: there are
    none."""
    board = game.board
    near = {place.name for place in game.opening.values()}
    near |= {event.target.name for event in game.events if isinstance(event, Displacement)}
    for _ in range(3):
        near |= {n for name in near if name in board.hexes for n in board.neighbours(name)}
    free = [name for name in board.hexes if name not in near]
    pairs = ((a, b) for a in reversed(free) for b in board.neighbours(a) if b in free)
    return next(pairs, None)
