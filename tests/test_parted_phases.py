"""Nobody is accused because steps that may have been combat part a phase in two.

Into games of the cases a counter of the other side is put that stirs, far from all, between two drags.
Whatever is illegal while it is not known whether that was combat must be illegal as well where dice and
the like belong to the phase.
"""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise
from random import Random

import pytest
from vassal_umpire.importers.cases.case import Case
from vassal_umpire.model.game import Displacement, Game, Place, StepRef
from vassal_umpire.model.unit import Unit
from vassal_umpire.validators.audit import audit

from .play.kit import FULL
from .seed import SEED
from .sweeps import RULESETS, cases

STRANGER = "stranger"
SHARE = 25
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


@pytest.mark.parametrize("ruleset", sorted(RULESETS))
def test_what_parts_a_phase_accuses_nobody(ruleset: str) -> None:
    every = cases(ruleset)
    drawn = list(every) if FULL else Random(SEED).sample(sorted(every), SHARE)
    wrong = [
        f"{name}, before {at}: {sorted(found)}"
        for name in dict.fromkeys((*EVER_FOUND.get(ruleset, ()), *drawn))
        for at, game in stirred(every[name])
        if (found := illegal(game, dice=False) - illegal(game, dice=True))
    ]
    assert wrong == []


def illegal(game: Game, *, dice: bool) -> set[tuple[str, str]]:
    """What is held against whom, but for the stranger."""
    phases = {name: replace(rule, dice=dice) for name, rule in game.phases.items()}
    found = audit(replace(game, phases=phases), RULESETS[game.rules.name])
    return {
        (one.code, unit)
        for one in found.findings
        if one.verdict == "illegal" and STRANGER not in one.units
        for unit in one.units
    }


def stirred(case: Case) -> list[tuple[StepRef, Game]]:
    """The game with a stranger that moves before each step but the first in which somebody is dragged."""
    game = case.game
    drags = [event for event in game.events if isinstance(event, Displacement)]
    steps = [b.at for a, b in pairwise(drags) if a.at != b.at]
    place, mover = far_away(game), game.units.get(drags[0].unit) if drags else None
    if place is None or mover is None or mover.side is None:
        return []
    side = next((name for name in game.sides if name != mover.side), "Strangers")
    stranger = Unit(STRANGER, STRANGER, side, "unit", mover.attributes)
    there = replace(
        game,
        sides=tuple(dict.fromkeys((*game.sides, side))),
        units={**game.units, STRANGER: stranger},
        opening={**game.opening, STRANGER: Place("hex", place[0])},
    )
    return [(at, with_stir(there, at, place)) for at in steps]


def with_stir(game: Game, at: StepRef, place: tuple[str, str]) -> Game:
    def later(step: StepRef) -> StepRef:
        return StepRef(step.log, step.step + 1) if step.log == at.log and step >= at else step

    events = [replace(event, at=later(event.at)) for event in game.events]
    number = next(n for n, event in enumerate(game.events) if event.at >= at)
    origin, target = (Place("hex", name) for name in place)
    events.insert(number, Displacement(at, STRANGER, origin, target))
    return replace(game, events=tuple(events))


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
