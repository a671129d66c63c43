"""A judgement that was kept is the one that is made anew, also where the game has gone on since.

Each case is cut into logs where its phases begin, and audited log by log with one store; whatever is taken
from the store is judged again and compared."""

from __future__ import annotations

from bisect import bisect_right
from dataclasses import fields, is_dataclass, replace
from random import Random
from typing import Any

import pytest
from cases import RULESETS, cases
from tiers import SEED, by_tier
from vassal_umpire.model.frozen_values import FrozenValues
from vassal_umpire.model.game import NOWHERE, Displacement, Game, PhaseStart, StepRef
from vassal_umpire.validators import stored_judge
from vassal_umpire.validators.audit import audit
from vassal_umpire.validators.ruleset import Quota
from vassal_umpire.validators.stored_judge import VALUES, Differs, StoredJudge

RULESET = "generic"
"""Whose rules look back alone."""
SHARE = by_tier(12, ci=12, proof=10_000)


class Shelf(dict[str, bytes]):
    """A store in memory, of which everything is compared. ``taken``: how many judgements were taken."""

    taken = 0

    def get(self, key: str, _: Any = None) -> bytes | None:
        found = super().get(key)
        self.taken += found is not None
        return found

    def put(self, key: str, data: bytes, log: int) -> None:
        self[key] = data

    def is_due(self) -> bool:
        return True

    def throw_away(self, why: str) -> None:
        raise AssertionError(why)


def test_what_was_kept_of_a_game_holds_when_it_goes_on() -> None:
    shelf = Shelf()
    every = [(case.id, in_logs(case.game)) for case in cases(RULESET).values()]
    several = [(name, game) for name, game in every if game.events[-1].at.log > 1]
    for _, game in Random(SEED).sample(several, min(SHARE, len(several))):
        judge = StoredJudge(shelf, "this program")
        last = game.events[-1].at.log
        for number in (*range(1, last + 1), last):
            part = up_to(game, number)
            found = audit(part, RULESETS[RULESET], judge=judge, suspicions=False)
            assert found == audit(part, RULESETS[RULESET], suspicions=False)
    assert shelf.taken


def test_what_was_kept_is_judged_anew_where_a_later_log_takes_a_unit_off() -> None:
    """It may have been lost in that turn or the one before: whoever moved through its ZOC then is accused no
    longer."""
    case = cases(RULESET)["ZOC-ENTER-2"]
    game, enemy = case.game, case.game.opening["e"]
    begin, move, over = game.events
    assert isinstance(begin, PhaseStart)
    assert isinstance(move, Displacement)
    back = replace(move, at=StepRef(1, 5), origin=move.target, target=move.origin)
    turns = (replace(begin, at=StepRef(1, 4), turn="2"), replace(begin, at=StepRef(1, 6), turn="3"))
    again = replace(move, at=StepRef(1, 7))
    events = (begin, move, over, turns[0], back, turns[1], again)
    off = Displacement(StepRef(2, 1), "e", enemy, NOWHERE, cause="removal")
    shelf, ruleset = Shelf(), RULESETS[RULESET]
    for later, verdict in (((), "illegal"), ((off,), "unverifiable")):
        part = replace(game, events=(*events, *later))
        found = audit(part, ruleset, judge=StoredJudge(shelf, "this program"), suspicions=False)
        verdicts = [one.verdict for one in found.moves]
        assert verdicts[:3] == ["illegal", verdict, verdict]


def test_what_cannot_be_kept_is_judged_all_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where a judgement, or what it rests on, holds what only its ruleset knows."""
    game, rules = cases("wacht-am-rhein")["U08-FOUR"].game, RULESETS["wacht-am-rhein"]
    found = audit(game, rules, suspicions=False)
    known = set(VALUES._classes.values())
    for classes, kept in ((known, True), (known - {Quota}, False), (set[type](), False)):
        monkeypatch.setattr(stored_judge, "VALUES", FrozenValues(classes))
        shelf = Shelf()
        assert audit(game, rules, judge=StoredJudge(shelf, "p"), suspicions=False) == found
        assert bool(shelf) == kept


def test_a_judgement_that_was_changed_ends_the_audit() -> None:
    case = illegal()
    shelf, ruleset = Shelf(), RULESETS[RULESET]
    audit(case.game, ruleset, judge=StoredJudge(shelf, "this program"), suspicions=False)
    for key, data in shelf.items():
        shelf[key] = data.replace(b'"illegal"', b'"legal"')
    with pytest.raises(Differs):
        audit(case.game, ruleset, judge=StoredJudge(shelf, "this program"), suspicions=False)
    assert not audit(
        case.game, ruleset, judge=StoredJudge(shelf, "another program"), suspicions=False
    ).problems


def illegal() -> Any:
    every = cases(RULESET).values()
    return next(case for case in every if case.expectation.verdict == "illegal")


def in_logs(game: Game) -> Game:
    """``game`` with a log for each of its phases."""
    begun = sorted({e.at for e in game.events if isinstance(e, PhaseStart)} - {game.events[0].at})

    def to(step: StepRef) -> StepRef:
        number = bisect_right(begun, step)
        same = number and begun[number - 1].log == step.log
        return StepRef(step.log + number, step.step - (begun[number - 1].step - 1 if same else 0))

    def moved(value: Any) -> Any:
        if isinstance(value, StepRef):
            return to(value)
        if is_dataclass(value) and not isinstance(value, type):
            return replace(value, **{f.name: moved(getattr(value, f.name)) for f in fields(value)})
        return tuple(map(moved, value)) if type(value) is tuple else value

    return replace(
        game,
        events=tuple(map(moved, game.events)),
        conditions=tuple(map(moved, game.conditions)),
        gaps=(),
        integrity=(),
    )


def up_to(game: Game, log: int) -> Game:
    """``game`` as it was after a log: no later events, and no units that only these tell of."""
    events = tuple(event for event in game.events if event.at.log <= log)
    there = {unit for unit, place in game.opening.items() if place.kind != "nowhere"}
    there.update(getattr(event, "unit", "") for event in events)
    there.update(condition.unit for condition in game.conditions)
    if log == game.events[-1].at.log:
        return game
    return replace(
        game,
        events=events,
        units={name: unit for name, unit in game.units.items() if name in there},
        opening={name: place for name, place in game.opening.items() if name in there},
    )
