"""Nobody is accused, and nothing is called legal, because another phase was told for a moment.

Into games of the cases a slip is put: the turn tracker is set on and back between two steps. What is said
then must hold where the phase went on (that is the case as it was), or be left open.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from functools import reduce
from random import Random

import pytest
from cases import RULESETS, cases, draw, outcome, outcome_with, with_events
from tiers import SEED, by_tier
from vassal_umpire.importers.cases.case import Case
from vassal_umpire.model.game import Game, PhaseStart, StepRef
from vassal_umpire.validators.audit import audit
from vassal_umpire.validators.readings import MOST_SLIPS, readings, slips_of, went_on

SHARE = by_tier(0, ci=1, proof=10_000)
EVER_FOUND: Mapping[str, tuple[str, ...]] = {
    "generic": ("COARSE-2", "GATHERED", "ORDER-GATHERED", "CHANGE-WHILE-HE-MOVED"),
    "ocs": ("RELEASED-BEFORE", "RELEASED-UNMARKED", "MARKED-LATE", "PARTED-PUT-RIGHT"),
    "tide-of-iron": ("TOKEN-FIRST", "RIDER-SPLIT", "PUT-BACK-ACTION", "WIRE-CHANGED-BETWEEN"),
    "valor-and-victory": ("OFF-AS-IT-WAS-PINNED", "LED-PIECE-BY-PIECE", "WRONG-CARRIER", "VV-V60"),
    "wacht-am-rhein": ("COLUMN-MARKED-LATE", "STACK-OF-WHOM", "D16", "PIN-SLIP-TOLD"),
    "zoc-classes": ("REACTION-OF", "MARCH-LOST", "MARCH-LOST-LATE", "RESERVE-LAID-AFTER-PHASE"),
}
"""Cases in which somebody was accused so once."""
INTO = ("another phase", "the other side's", "another phase, no turn told", "no known phase")


@pytest.mark.parametrize("into", by_tier(INTO[:1], ci=INTO))
@pytest.mark.parametrize("ruleset", sorted(RULESETS))
def test_what_is_said_after_a_slip_holds_if_the_phase_went_on(ruleset: str, into: str) -> None:
    rng = Random(f"{ruleset} {into} {SEED}")
    wrong = [
        line
        for case in draw(ruleset, rng, SHARE, EVER_FOUND.get(ruleset, ()))
        for line in belied(case, into)
    ]
    assert wrong == []


def belied(case: Case, into: str) -> Iterator[str]:
    """Each slip with which something is said that does not hold without it. All slips at once come last."""
    game = without_turns(case.game) if "no turn" in into else case.game
    verdict, accused = said(case, game)
    ats = steps(game)[1:]
    several = [(str(at), slipped(game, at, into)) for at in ats]
    every = reduce(lambda one, at: slipped(one, at, into) or one, reversed(ats), game)
    for where, one in (*several, ("everywhere", every)):
        if one is not None:
            now, found = said(case, one)
            if now not in (verdict, "unverifiable") or not found <= accused:
                yield f"{case.id}, {where}: {now}, not {verdict}: {sorted(found - accused)}"


def said(case: Case, game: Game) -> tuple[str, set[tuple[str, str]]]:
    """The verdict on a case, and what is held against whom."""
    found = outcome_with(case, game)
    assert found.failures == (), (case.id, found.failures)
    accused = (one for one in found.audit.findings if one.verdict == "illegal")
    return found.verdict, {(one.code, unit) for one in accused for unit in one.units}


@pytest.mark.parametrize(
    ("ruleset", "name"),
    [
        ("ocs", "RELEASED-UNMARKED"),
        ("ocs", "MARKED-LATE"),
        ("wacht-am-rhein", "D16"),
        ("wacht-am-rhein", "PIN-SLIP-TOLD"),
        ("zoc-classes", "MARCH-LOST"),
        ("zoc-classes", "SLIP-OWED"),
    ],
)
def test_a_phase_goes_on_after_combat_within_it(ruleset: str, name: str) -> None:
    """What was moved and marked before belongs to the phase."""
    game = cases(ruleset)[name].game
    for at in steps(game)[1:]:
        parted = slipped(game, at, "combat")
        found = audit(parted or game, RULESETS[ruleset])
        assert "illegal" not in {one.verdict for one in (*found.moves, *found.findings)}


@pytest.mark.parametrize("into", INTO)
def test_slips_are_found(into: str) -> None:
    """Else the tests above would hold for nothing."""
    game = cases("generic")["GATHERED"].game
    one = slipped(game, steps(game)[1], into)
    assert one is not None
    assert len(slips_of(one)) == len(slips_of(game)) + 1


def test_a_slip_that_bears_on_the_verdict_is_asked_about() -> None:
    case = cases("wacht-am-rhein")["PIN-SLIP"]
    found = outcome(case)
    (slip,) = slips_of(case.game)
    assert went_on(slip).unknown().key in found.unknowns


@pytest.mark.parametrize("number", [1, 2, MOST_SLIPS, MOST_SLIPS + 1, 9, 40])
def test_any_two_slips_are_read_in_every_combination(number: int) -> None:
    several = [StepRef(1, step) for step in range(1, number + 1)]
    judged = [dict.fromkeys(several, False), *readings(several)]
    pairs = {(one[a], one[b], a, b) for one in judged for a in several for b in several}
    assert len(pairs) == 4 * number * (number - 1) + 2 * number
    if number <= MOST_SLIPS:
        assert len(judged) == 2**number


def steps(game: Game) -> list[StepRef]:
    """The steps in which anything happens."""
    return sorted({event.at for event in game.events if not isinstance(event, PhaseStart)})


def without_turns(game: Game) -> Game:
    events = (replace(e, turn=None) if isinstance(e, PhaseStart) else e for e in game.events)
    return replace(game, events=tuple(events))


def slipped(game: Game, at: StepRef, into: str) -> Game | None:
    """The game with the tracker set on before the step ``at``, and back; or with ``combat`` within the phase
    there, as facts declare it. None: the phase is not known there."""
    began = [e for e in game.events if isinstance(e, PhaseStart) and e.at < at]
    other = next((name for name in game.phases if began and name != began[-1].phase), None)
    if not began or began[-1].phase is None or other is None:
        return None
    on = replace(began[-1], at=at, phase=other, last=None, declared=False)
    if into == "combat":
        on = replace(on, phase=None, combat=True, last=at, declared=True)
    elif into == "no known phase":
        on = PhaseStart(at, None, None, None)
    elif into == "the other side's":
        on = replace(on, active=next((side for side in game.sides if side != on.active), None))
    after = StepRef(at.log, at.step + 1)
    last = began[-1].last
    if last is not None and last.log == at.log and last >= at:
        last = StepRef(last.log, last.step + 2)
    return with_events(game, on, replace(began[-1], at=after, last=last, declared=False))
