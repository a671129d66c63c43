"""Nobody reads the name or the id of a unit that he may not see, whatever the rules say of it.

In games of the cases one unit after the other is hidden from all but its side, and nothing that another side,
or everybody, may read of the audit may name it, nor be an accusation that would not be made without it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from random import Random

import pytest
from cases import RULESETS, draw
from tiers import SEED, by_tier
from vassal_umpire.model.fact import MissingFact
from vassal_umpire.model.finding import Audit, Finding
from vassal_umpire.model.game import Game
from vassal_umpire.model.problem import WrongPack
from vassal_umpire.validators.audit import audit, visible
from vassal_umpire.validators.ruleset import Ruleset

NAME = "Nightingale"
SHARE = by_tier(3, ci=60, proof=10_000)
EVER_NAMED = {
    "ocs": ("TRANSPORT-SINCE",),
    "tide-of-iron": ("MARKER-4-PERHAPS-DEAD",),
    "valor-and-victory": ("DICE-LEADER", "LED-HALF-SQUAD", "ALIGHTS-FORCED-PERHAPS"),
    "wacht-am-rhein": ("STACK-THEN-ANOTHER-STRATEGIC",),
}
"""Cases in which a unit was named once."""


@pytest.mark.parametrize("ruleset", sorted(RULESETS))
def test_nobody_reads_the_name_of_a_unit_that_he_may_not_see(ruleset: str) -> None:
    named = [
        f"{case.id}, {unit} hidden from {viewer}: {text}"
        for case in draw(ruleset, Random(SEED), SHARE, EVER_NAMED.get(ruleset, ()))
        for unit, viewer, text in told(case.game)
    ]
    assert named == []


RESTING = {
    "generic": ("GATHERED-SEEN",),
    "tide-of-iron": ("BOARDS-AND-OUT", "OUT-FAR", "TI-V39", "TWO-ACTIONS", "SPENT-ON-THE-WAY"),
    "valor-and-victory": ("VV-V06", "LOST-EARLY", "OVERRUN-TOWING", "LOADED-AND-UNLOADED"),
}
"""Cases in which an accusation rested on a unit without saying so."""


@pytest.mark.parametrize("ruleset", sorted(RULESETS))
def test_nobody_reads_an_accusation_that_rests_on_a_unit_that_he_may_not_see(ruleset: str) -> None:
    resting = [
        f"{case.id}, {unit} hidden: {found.explanation}"
        for case in draw(ruleset, Random(SEED), SHARE, RESTING.get(ruleset, ()))
        for unit, found in accused(case.game, RULESETS[ruleset])
    ]
    assert resting == []


def accused(game: Game, ruleset: Ruleset) -> Iterator[tuple[str, Finding]]:
    """Accusations that everybody may read though they are not made without a hidden unit: its id, and the
    accusation."""
    for name, unit in game.units.items():
        if unit.side is None:
            continue
        hidden = {**game.units, name: replace(unit, seen_by=(unit.side,))}
        found = visible(audit(replace(game, units=hidden), ruleset), None)
        read = [one for one in found.findings if one.verdict == "illegal"]
        try:
            without = {_said(one) for one in audit(_less(game, name), ruleset).findings}
        except WrongPack:  # a fact names the unit
            continue
        yield from ((name, one) for one in read if _said(one) not in without)


def _less(game: Game, unit: str) -> Game:
    return replace(
        game,
        units={name: one for name, one in game.units.items() if name != unit},
        opening={name: place for name, place in game.opening.items() if name != unit},
        events=tuple(one for one in game.events if getattr(one, "unit", None) != unit),
    )


def _said(one: Finding) -> tuple[object, ...]:
    return one.code, one.units, one.steps, one.verdict


def told(game: Game) -> Iterator[tuple[str, str | None, str]]:
    """What names a unit to somebody who may not see it: its id, who reads it, and the text."""
    for name, unit in game.units.items():
        others = (*(side for side in game.sides if side != unit.side), None)
        if unit.kind != "unit" or unit.side is None:
            continue
        hidden = replace(unit, name=NAME, seen_by=(unit.side,))
        found = audit(replace(game, units={**game.units, name: hidden}), RULESETS[game.rules.name])
        its_id = re.compile(rf'\bunit {re.escape(name)}\b|"{re.escape(name)}"')
        for viewer in others:
            for text in texts(visible(found, viewer)):
                if NAME in text or its_id.search(text):
                    yield name, viewer, text


def texts(found: Audit) -> Iterator[str]:
    """All that an audit says in words."""
    yield from found.names.values()
    for one in found.findings:
        yield from (one.explanation, one.remedy, *one.names)
        yield from _asked(one.unknowns)
    for move in found.moves:
        charges = move.bill.charges if move.bill is not None else ()
        yield from (move.remark, *(charge.reason for charge in charges))
        yield from _asked(move.unknowns)


def _asked(unknowns: tuple[MissingFact, ...]) -> Iterator[str]:
    for one in unknowns:
        yield from (one.key, one.question, one.stanza)
