"""The ledger of dice, and the test of the dice."""

from __future__ import annotations

import math
from fractions import Fraction

import pytest
from tables import BLUE, HERE, RED, THERE, history, said, step, undo
from vassal_umpire.model.dice import DiceKind
from vassal_umpire.model.game import StepRef
from vassal_umpire.model.integrity import Tally
from vassal_umpire.model.table import DieRoll, Displaced
from vassal_umpire.validators.integrity import dice_tests, fell, tallied
from vassal_umpire.validators.integrity.dice import holm, pearson, tail

D6 = DiceKind(1, 6)


def d6(result: str, player: str = "Ann") -> DieRoll:
    return DieRoll("d6", (result,), player, f"** d6 = {result} *** <{player}>", D6)


def moved(piece: str = "a") -> Displaced:
    return Displaced(piece, HERE, THERE, "", "", "drag")


@pytest.mark.parametrize(
    ("chi_square", "freedom", "p"),
    # the 5 % and 1 % points of the tables (Abramowitz and Stegun, 26.8)
    [
        (3.84146, 1, 0.05),
        (6.63490, 1, 0.01),
        (5.99147, 2, 0.05),
        (7.81473, 3, 0.05),
        (11.0705, 5, 0.05),
        (15.0863, 5, 0.01),
        (18.3070, 10, 0.05),
        (30.1435, 19, 0.05),
        (43.7730, 30, 0.05),
        (124.342, 100, 0.05),
        (135.807, 100, 0.01),
    ],
)
def test_the_tail_is_that_of_the_tables(chi_square: float, freedom: int, p: float) -> None:
    assert tail(chi_square, freedom) == pytest.approx(p, rel=1e-4)


def test_the_tail_stays_within_its_bounds() -> None:
    assert tail(0, 5) == 1
    assert tail(5000, 5) == pytest.approx(0, abs=1e-300)
    assert 0 < tail(400, 400) < 1
    assert math.isclose(tail(7, 2), math.exp(-3.5))


def test_holm_corrects_each_by_how_many_are_left() -> None:
    # the example of Holm's paper in all books: 0.01, 0.04, 0.03, 0.005
    assert holm([0.01, 0.04, 0.03, 0.005]) == pytest.approx([0.03, 0.06, 0.06, 0.02])
    assert holm([0.6, 0.7]) == [1, 1]
    assert holm([]) == []


def test_pearson_of_the_textbook_die() -> None:
    counts = tuple(enumerate((5, 8, 9, 8, 10, 20), 1))
    assert pearson(counts, tuple((side, 1) for side in range(1, 7))) == (Fraction("13.4"), 5)


def test_results_that_hardly_come_are_put_together() -> None:
    kind = DiceKind(2, 6, total=True)
    chances = tuple(sorted(kind.chances().items()))
    assert [chance for _, chance in chances] == [1, 2, 3, 4, 5, 6, 5, 4, 3, 2, 1]
    counts = tuple((total, chance) for total, chance in chances)  # 36 throws, just as expected
    found = pearson(counts, chances)
    assert found[0] == 0
    assert found[1] == 4  # 2-4, 5-6, 7, 8-9, and 10-12
    assert pearson(((1, 3), (2, 3)), ((1, 1), (2, 1))) is None


def tally(player: str, counts: tuple[int, ...], kind: str = "d6") -> Tally:
    sides = range(1, len(counts) + 1)
    return Tally(
        player,
        None,
        kind,
        sum(counts),
        tuple(zip(sides, counts, strict=True)),
        tuple((side, 1) for side in sides),
    )


def test_a_player_is_tested_from_a_hundred_rolls_on() -> None:
    fair = (16, 17, 16, 17, 16, 17)  # 99
    assert dice_tests([tally("Ann", fair)]) == ()
    (one,) = dice_tests([tally("Ann", (*fair[:5], 18))])
    assert (one.rolls, one.freedom, one.tests) == (100, 5, 1)
    assert one.p == one.adjusted > 0.9


def test_there_is_one_test_for_a_player_however_many_dice_he_has() -> None:
    found = dice_tests(
        [
            tally("Ann", (40, 10, 10, 10, 10, 20)),
            tally("Ann", (30, 30), "d2"),
            tally("Bob", (20,) * 6),
            tally("", (90, 1, 1, 1, 1, 90)),  # nobody known is not tested
        ]
    )
    assert [one.player for one in found] == ["Ann", "Bob"]
    assert found[0].kinds == ("d6", "d2")
    assert found[0].freedom == 6
    assert found[0].chi_square == pytest.approx(44)
    assert found[0].adjusted == pytest.approx(2 * found[0].p)
    assert found[1].adjusted == 1


@pytest.mark.parametrize(
    ("kind", "results", "sides"),
    [
        (D6, ("6",), (6,)),
        (D6, ("0",), None),
        (D6, ("7",), None),
        (D6, ("3", "4"), None),
        (D6, ("six",), None),
        (D6, (), None),
        (D6, ("²",), None),
        (DiceKind(2, 6), ("3", "4"), (3, 4)),
        (DiceKind(2, 6, total=True), ("12",), (12,)),
        (DiceKind(2, 6, total=True), ("1",), None),
        (DiceKind(1, 10, low=0), ("0",), (1,)),
        (DiceKind(2, 6, low=2, total=True, add=3), ("17",), (12,)),
        (DiceKind(1, 6, low=0, faces=("a",) * 6), ("5",), (6,)),
    ],
)
def test_what_dice_can_show(
    kind: DiceKind, results: tuple[str, ...], sides: tuple[int, ...] | None
) -> None:
    assert kind.thrown(results) == sides


def test_every_roll_says_what_was_typed_before_it_and_nothing_was_moved_since() -> None:
    rolls = [
        roll
        for roll, _ in fell(
            history(
                step(1, chat=(said(RED, "attack on 0405"),)),
                step(2, rolls=(d6("3"),)),
                step(3, rolls=(d6("4", "Bob"),)),
                step(4, displacements=(moved(),)),
                step(5, rolls=(d6("1"),)),
            )
        )
    ]
    assert [(roll.at.step, roll.player, roll.side, roll.said) for roll in rolls] == [
        (2, "Ann", "Red", "attack on 0405"),
        (3, "Bob", "Blue", ""),
        (5, "Ann", "Red", ""),
    ]


def test_a_roll_that_was_taken_back_fell_all_the_same() -> None:
    rolls = fell(history(step(1, rolls=(d6("2"),)), step(2, undoing=undo(1))))
    assert [roll.undone for roll, _ in rolls] == [StepRef(1, 2)]
    assert tallied(rolls)[0].rolls == 1


def test_a_roll_that_the_engine_tells_twice_is_one() -> None:
    kind = DiceKind(1, 6, low=0, faces=("1", "2", "3", "4", "5", "6"))
    shown = DieRoll("1d6", ("4",), kind=kind)
    report = DieRoll("1d6", ("[5]",), "Bob", "*** 1d6 = [5] *** <Bob>")
    ((roll, _),) = fell(history(step(1, rolls=(shown, report))))
    assert (roll.player, roll.side, roll.results, roll.kind) == ("Bob", "Blue", ("5",), "d6")


def test_dice_with_pictures_are_a_kind_of_their_own() -> None:
    kind = DiceKind(2, 3, low=0, faces=("hit", "miss", "miss"))
    rolls = fell(history(step(1, rolls=(DieRoll("Fire", ("0", "2"), kind=kind),))))
    assert rolls[0][0].results == ("hit", "miss")
    (one,) = tallied(rolls)
    assert (one.kind, one.names, one.counts) == (
        "d3 Fire",
        ("hit", "miss", "miss"),
        ((1, 1), (2, 0), (3, 1)),
    )


def test_without_a_name_in_the_report_it_is_who_did_the_step() -> None:
    shown = DieRoll("1d6", ("4",), kind=DiceKind(1, 6, low=0))
    ((roll, _), (other, _)) = fell(
        history(step(1, BLUE, rolls=(shown,)), step(2, None, rolls=(shown,)))
    )
    assert (roll.player, roll.side) == ("Bob", "Blue")
    assert (other.player, other.side) == ("", None)


def test_the_ledger_counts_by_player_and_kind() -> None:
    two = DieRoll("2d6", ("6", "6"), "Ann", "x", DiceKind(2, 6))
    total = DieRoll("sum", ("7",), "Ann", "x", DiceKind(2, 6, total=True))
    odd = DieRoll("d6", ("heads",), "Ann", "x", D6)
    unknown = DieRoll("luck", ("3",), "Bob", "x")
    rolls = fell(history(step(1, rolls=(d6("1"), two, total, odd, unknown, d6("2", "Bob")))))
    found = tallied(rolls)
    assert [(one.player, one.kind, one.rolls, one.results) for one in found] == [
        ("Ann", "d6", 2, 3),
        ("Ann", "sum of 2d6", 1, 1),
        ("Bob", "d6", 1, 1),
    ]
    assert found[0].counts == ((1, 1), (2, 0), (3, 0), (4, 0), (5, 0), (6, 2))
    assert [roll.dice for roll, _ in rolls if not roll.sides] == ["d6", "luck"]
