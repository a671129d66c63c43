"""What a game leaves open of its units is asked of the run that reads it."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from cases import outcome_of
from vassal_umpire.model.board import Board
from vassal_umpire.model.fact import UNKNOWN, Fact, known
from vassal_umpire.model.game import Displacement, Game, Place, Rules, StateChange, StepRef
from vassal_umpire.model.unit import Unit
from vassal_umpire.plugin.registry import rulesets
from vassal_umpire.validators.engine.asked_history import AskedSituation, asking
from vassal_umpire.validators.engine.asking import Run, outcome
from vassal_umpire.validators.situation import DEAD

PERHAPS = Fact((False, True))


def rules(*events: tuple[int, Fact | None], **facts: Fact) -> Any:
    """The rules for a game of a tank of a side that is not known. ``events``: steps, with a value of
    ``dead`` or a drag of another unit."""
    tank, scout = Unit("t", "t", None, attributes=facts), Unit("s", "s", "Red")
    happened = [
        Displacement(StepRef(1, step), "s", Place("nowhere"), Place("nowhere"))
        if after is None
        else StateChange(StepRef(1, step), "t", DEAD, UNKNOWN, after)
        for step, after in events
    ]
    game = Game("", Board("", {}), ("Red", "Blue"), {"t": tank, "s": scout}, {}, (), Rules("x"))
    ruleset = rulesets().parts["valor-and-victory"]
    of = replace(game, events=tuple(happened), rules=Rules("valor-and-victory"))
    return ruleset.in_force(of)


def test_a_fact_that_is_one_of_a_few_is_asked_and_one_that_may_be_anything_is_not() -> None:
    of = rules((1, None), **{"class": Fact(("afv", "gun")), "mp": UNKNOWN})

    def read(run: Run) -> tuple[object, object]:
        history = asking(of, run).history
        return history.value("t", "class", 1).value, history.value("t", "mp", 1).value

    found = outcome(read)
    assert found.said == (("afv", None), ("gun", None))
    assert [fact.key for fact in found.facts] == ["unit t class"]


def test_the_side_of_a_unit_is_asked_where_it_is_read() -> None:
    of = rules((1, None))
    found = outcome(lambda run: asking(of, run).game.units["t"].side)
    assert (found.said, [fact.key for fact in found.facts]) == (("Red", "Blue"), ["unit t side"])
    assert outcome(lambda run: asking(of, run).game.units["t"].name).facts == ()


@pytest.mark.parametrize("perhaps", [PERHAPS, UNKNOWN])
def test_a_unit_may_have_died_at_any_step_in_between(perhaps: Fact) -> None:
    of = rules(
        (1, None), (2, perhaps), (2, None), (3, None), (4, None), (5, known(True)), (5, None)
    )

    def lives(run: Run) -> tuple[tuple[object, ...], list[int], tuple[object, ...]]:
        told = asking(of, run)
        dead = (told.history.value("t", DEAD, at).value for at in range(2, 7))
        deaths = [at for at, fact in told.history.changes("t", DEAD, 0, 7) if fact.must_be(True)]
        steps = (AskedSituation(told, StepRef(1, step)) for step in (3, 4, 5))
        return tuple(dead), deaths[:1], tuple(one.in_play("t").value for one in steps)

    found = outcome(lambda run: repr(lives(run)))
    assert found.said is not None
    assert {*found.said} == {
        repr(
            (tuple(at > dies for at in range(2, 7)), [dies], tuple(at <= dies for at in (3, 4, 5)))
        )
        for dies in (1, 3, 4, 5)
    }
    assert [fact.key for fact in found.facts] == ["unit t dead from 1:2"]


def test_an_accusation_names_every_way_in_which_it_may_have_come_about() -> None:
    (found,) = outcome_of("tide-of-iron", "BOARDS-ONE-OF-TWO").audit.findings
    said = "a boards t, which carries no squads; or a boards u, which carries no squads"
    assert found.explanation == said
