"""What was rolled for in a phase, and what the facts say came of it."""

from __future__ import annotations

import pytest
from flat import GameBuilder, condition, new_game, rows
from vassal_umpire.model.fact import known
from vassal_umpire.model.game import Displacement, Game
from vassal_umpire.validators.engine.history import History


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
    first = told(played("move; a 0102").game(conditions=(condition("taken", known(True), (1, 0)),)))
    assert first.said_of_now("taken", last(first, "a"))


def test_how_a_unit_came_ends_where_others_saw_it() -> None:
    history = told(played("move; a 0102; roll; a 0103; a 0104; roll; a 0105").game())
    came = history.came_by("a", last(history, "a"))
    assert [history.drag(drag).target.name for drag in came] == ["0103", "0104"]
    assert all(isinstance(history.game.events[drag], Displacement) for drag in came)
    assert history.came_by("b", last(history, "a")) == []
