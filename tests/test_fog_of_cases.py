"""What a viewer is told does not depend on a unit that he may not see, but for one bit, which only acquits.

In games of the cases one unit after the other is hidden from all but its side, and moved elsewhere. What
everybody is told of the audit is the same wherever it is, except that accusations may be left open; and
nobody is told an accusation that is not made in the game as it is.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from random import Random

import pytest
from cases import RULESETS, draw
from seen import but_for_the_bit, seen_audit
from tiers import SEED, by_tier
from vassal_umpire.model.finding import Finding
from vassal_umpire.model.game import Displacement, Game, Place
from vassal_umpire.model.problem import WrongPack
from vassal_umpire.model.viewer import EVERYONE
from vassal_umpire.validators.audit import audit
from vassal_umpire.validators.ruleset import Ruleset
from vassal_umpire.validators.unseen import seen_game

SHARE = by_tier(2, ci=5, proof=10_000)
DECIDED_BY_ONE = {
    "generic": ("GATHERED-SEEN",),
    "ocs": ("TRANSPORT-SINCE",),
    "tide-of-iron": ("BOARDS-AND-OUT", "OUT-FAR", "TI-V39", "TWO-ACTIONS", "SPENT-ON-THE-WAY"),
    "valor-and-victory": ("VV-V06", "LOST-EARLY", "OVERRUN-TOWING", "LOADED-AND-UNLOADED"),
    "wacht-am-rhein": ("STACK-THEN-ANOTHER-STRATEGIC",),
}
"""Cases in which a unit that is hidden was named once, or an accusation rested on it."""


@pytest.mark.parametrize("ruleset", sorted(RULESETS))
def test_nobody_learns_of_a_unit_that_he_may_not_see(ruleset: str) -> None:
    rules = RULESETS[ruleset]
    learned = [
        f"{case.id}, {unit} hidden {where}: {what}"
        for case in draw(ruleset, Random(SEED), SHARE, DECIDED_BY_ONE.get(ruleset, ()))
        for unit, where, what in wrong(case.game, rules)
    ]
    assert learned == []


def wrong(game: Game, rules: Ruleset) -> Iterator[tuple[str, str, str]]:
    """Whatever everybody is told that he must not be: of which unit, where it is, and what."""
    for name, unit in game.units.items():
        if unit.kind != "unit" or unit.side is None:
            continue
        hidden = replace(unit, seen_by=(unit.side,))
        first = replace(game, units={**game.units, name: hidden})
        alone = audit(seen_game(first, EVERYONE), rules, is_part=True)
        for where, there in (("where it was", first), ("elsewhere", _elsewhere(first, name))):
            try:
                true = audit(there, rules)
            except WrongPack:  # what is told of it does not fit elsewhere
                continue
            told = seen_audit(there, rules, EVERYONE)
            if but_for_the_bit(told) != but_for_the_bit(alone):
                yield name, where, "something else is told"
            for one in told.findings:
                if one.verdict == "illegal" and not any(_same(one, f) for f in true.findings):
                    yield name, where, one.explanation


def _elsewhere(game: Game, unit: str) -> Game:
    """``game`` with ``unit`` in another hex all the time."""
    held = {place.name for place in game.opening.values()}
    free = next((name for name in game.board.hexes if name not in held), None)
    if free is None:
        return game
    there = Place("hex", free)
    return replace(
        game,
        opening={**game.opening, unit: there},
        events=tuple(
            replace(event, origin=there, target=there)
            if isinstance(event, Displacement) and event.unit == unit
            else event
            for event in game.events
        ),
    )


def _same(one: Finding, true: Finding) -> bool:
    return (
        true.verdict == "illegal"
        and one.clause == true.clause
        and not set(one.steps).isdisjoint(true.steps)
    )
