"""What happened to units by the log: what was rolled for, what is open of it, how they were carried."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction
from typing import Any

import pytest
from cases import outcome_of
from flat import GameBuilder, condition, new_game, rows
from vassal_umpire.model.bill import Amount
from vassal_umpire.model.board import Board
from vassal_umpire.model.fact import UNKNOWN, Fact, known
from vassal_umpire.model.game import Displacement, Game, Place, Rules, StateChange, StepRef
from vassal_umpire.model.relations import Relation
from vassal_umpire.model.unit import NAMELESS, Unit
from vassal_umpire.plugin.registry import rulesets
from vassal_umpire.validators.cost_interval import CostInterval
from vassal_umpire.validators.engine.asked_history import AskedSituation, asking
from vassal_umpire.validators.engine.asking import Run, outcome
from vassal_umpire.validators.engine.doings import CarriedTag, DoingsGraph, Expense, Paid
from vassal_umpire.validators.engine.history import History
from vassal_umpire.validators.engine.objects import Objects
from vassal_umpire.validators.lives import DEAD
from vassal_umpire.validators.ruleset import START, Breach, CostBreakdown, Step, World


def played(script: str) -> GameBuilder:
    return new_game("a Red 0101", "b Red 0201", "x Blue 0501").play(script)


def told(game: Game) -> History:
    return History(game, {})


def last(history: History, unit: str) -> int:
    """The event of the last drag of a unit."""
    return history.drags[unit][-1]


@pytest.mark.parametrize(
    ("script", "rolled"),
    rows("""
before the drag                 | move; b 0202; roll; a 0102                        | yes
after it                        | move; a 0102; roll                                | no
in the phase before             | move; roll; move Blue; move Red 2; a 0102         | no
after the phase was interrupted | move; roll; phase 1 Combat Red; roll; move; a 0102 | yes
"""),
)
def test_dice_count_in_the_phase_in_which_they_were_rolled(script: str, rolled: str) -> None:
    history = told(played(script).game())
    assert history.rolled(last(history, "a")) is (rolled == "yes")


@pytest.mark.parametrize(
    ("script", "lay"),
    rows("""
put there before the roll  | move; a 0103; roll; a 0104; b 0203     | a
put there after it         | move; roll; a 0103; a 0104; b 0203     | -
moved on before it         | move; a 0103; a 0104; roll; b 0203     | -
still there                | move; a 0103; roll; b 0203             | a
there when the phase began | move; a 0103; move Red 2; roll; b 0203 | -
a roll after the event     | move; a 0103; b 0203; roll             | -
"""),
)
def test_who_was_put_in_a_hex_and_lay_there_at_a_roll(script: str, lay: str) -> None:
    history = told(played(script).game())
    assert history.lay_at_a_roll("0103", last(history, "b")) == [u for u in [lay] if u != "-"]


def test_stays_among_dice_are_counted_by_stay() -> None:
    script = "move; a 0103; roll; a 0104; roll; a 0103; roll; a 0104; a 0105"
    history = told(played(script).game())
    assert list(history.stays_at_rolls(history.drags["a"])) == ["0103", "0104", "0103"]
    unseen = told(played("move; a 0103; a 0104; a 0105").game())
    assert list(unseen.stays_at_rolls(unseen.drags["a"])) == []


SCRIPT = "move; a 0102; roll; a 0103; move Blue; move Red 2; a 0104"


@pytest.mark.parametrize(
    ("first", "to", "since"),
    [((1, 3), "0103", True), ((1, 3), "0104", None), ((1, 0), "0104", False), ((1, 7), "0103", None)],
)  # fmt: skip
def test_results_are_those_of_the_phase_or_undated(
    first: tuple[int, int], to: str, since: bool | None
) -> None:
    """``since``: True: dated, False: not dated, None: nothing is said of that phase."""
    said = condition("duel", known("lost"), first, unit="a")
    history = told(played(SCRIPT).game(conditions=(said,)))
    drag = next(d for d in history.drags["a"] if history.drag(d).target.name == to)
    found = history.results("duel", "a", drag)
    assert [(one.fact.value, one.since is not None) for one in found] == (
        [] if since is None else [("lost", since)]
    )


def test_a_dated_result_holds_after_the_whole_step() -> None:
    said = condition("duel", known("lost"), (1, 2), unit="a")
    history = told(played("move; a+b 0103; roll; a 0104").game(conditions=(said,)))
    (found,) = history.results("duel", "a", last(history, "a"))
    drags = history.drags["a"]
    assert found.since is not None
    assert drags[0] < found.since <= drags[1]


def test_what_held_before_the_phase_may_be_of_an_earlier_one() -> None:
    early, late = (condition("taken", known(True), at) for at in ((1, 1), (1, 7)))
    for said, of_now in ((early, False), (late, True)):
        history = told(played(SCRIPT).game(conditions=(said,)))
        assert history.said_of_now("taken", last(history, "a")) is of_now
    again = told(played(SCRIPT).game(conditions=(early, late)))
    assert again.said_of_now("taken", last(again, "a"))
    first = told(played("move; a 0102").game(conditions=(condition("taken", known(True), (1, 0)),)))
    assert first.said_of_now("taken", last(first, "a"))


def test_how_a_unit_came_ends_where_others_saw_it() -> None:
    history = told(played("move; a 0102; roll; a 0103; a 0104; roll; a 0105").game())
    came = history.came_by("a", last(history, "a"))
    assert [history.drag(drag).target.name for drag in came] == ["0103", "0104"]
    assert all(isinstance(history.game.events[drag], Displacement) for drag in came)
    assert history.came_by("b", last(history, "a")) == []


# -- What a game leaves open of its units is asked of the run that reads it ------------------------

PERHAPS = Fact((False, True))


def rules(
    *events: tuple[int, Fact | None], relations: tuple[Relation, ...] = (), **facts: Fact
) -> Any:
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
    game = replace(game, relations=relations)
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


def test_its_side_may_be_one_that_is_only_named_as_an_ally() -> None:
    of = rules((1, None), relations=(Relation(("Red", "Green")),))
    assert outcome(lambda run: asking(of, run).game.units["t"].side).said == (
        "Red",
        "Blue",
        "Green",
    )


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


# -- A way of which a unit was carried for a part, and what it paid besides its steps --------------

STOP = Breach("T-1", "goes on after wire in 2", "2", "1")


class Corridor:
    """Hexes 1, 2, 3 …: each step on costs 1; in 2 a unit has to stop if ``wired``."""

    least = 1

    def __init__(self, wired: bool = False) -> None:
        self.wired = wired

    def steps(self, hex_name: str, tag: Any, /) -> Sequence[Step]:
        to = str(int(hex_name) + 1)
        return [Step(to, 1, START, STOP if self.wired and to == "2" else None)]

    edges_with_violations = steps

    def cost_breakdown(self, hex_name: str, tag: Any, step: Step, /) -> CostBreakdown:
        return CostBreakdown(())


def graph(world: World, *, wired: bool = False, paid: CostInterval | None = None) -> DoingsGraph:
    """Carried from 2 to 5; before that, and after it, it may have gone by itself."""
    expense = [Expense(Paid("2", paid), "T-2", "boards", ())] if paid else []
    hops = (("2", "5"),)
    return DoingsGraph(Corridor(wired), world, hops, (True, False), tuple(expense), 1)


def ways(found: Sequence[Step]) -> set[tuple[str, int]]:
    return {(step.to, step.cost) for step in found}


def test_where_it_was_carried_it_goes_for_nothing_and_once() -> None:
    told = graph("favourable")
    assert ways(told.steps("2", START)) == {("5", 0), ("3", 1)}
    assert ways(told.steps("2", CarriedTag(hops=1))) == {("3", 1)}
    assert told.least == 0


def test_where_the_log_does_not_show_that_it_walked_only_the_favourable_world_lets_it() -> None:
    assert ways(graph("adverse").steps("5", CarriedTag(hops=1))) == set()
    assert ways(graph("favourable").steps("5", CarriedTag(hops=1))) == {("6", 1)}


@pytest.mark.parametrize(("world", "first"), [("favourable", 2), ("adverse", 4)])
def test_what_it_paid_besides_is_due_once_with_its_first_step(world: World, first: int) -> None:
    told = graph(world, paid=CostInterval(1, 3))
    (step,) = (step for step in told.steps("1", START) if step.to == "2")
    assert step.cost == first
    charged = told.cost_breakdown("1", START, step).charges
    assert [(c.hex, c.amount) for c in charged] == [("2", Amount(Fraction(1), Fraction(3)))]
    assert not told.cost_breakdown("2", step.tag, step).charges
    assert ("3", 1) in ways(told.steps("2", step.tag))


def test_who_has_to_stop_may_still_be_carried_on() -> None:
    told = graph("favourable", wired=True)
    stopped = [step for step in told.steps("1", START) if step.to == "2"]
    assert [step.stops for step in stopped] == [STOP, None]
    assert ways(told.steps("2", stopped[1].tag)) == {("5", 0)}


@pytest.mark.parametrize(("name", "wire"), [("Wire", True), ("Smoke", False), (NAMELESS, None)])
def test_a_marker_without_a_name_may_be_any_obstacle(name: str, wire: bool | None) -> None:
    game = played("move").game()
    units = {**game.units, "m": Unit("m", name, kind="marker")}
    game = replace(game, units=units, opening={**game.opening, "m": game.opening["x"]})
    found = Objects(game.board, told(game), ("wire",), ()).during(0, 1, frozenset(), "wire")
    assert found == ({} if wire is False else {"0501": {"wire": wire}})
