"""Quotas over a phase: accused only if no assignment of forms keeps within them."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from itertools import product

import drawn
import pytest
from flat import BOARD, new_game
from handmade import Made, MadeRuleset, Plain, Walker, budget
from hypothesis import given
from hypothesis import strategies as st
from tiers import examples
from vassal_umpire.model.bill import Amount
from vassal_umpire.model.fact import MissingFact
from vassal_umpire.model.finding import Audit
from vassal_umpire.validators.audit import audit
from vassal_umpire.validators.judge import judge_move
from vassal_umpire.validators.quotas import can_be_met
from vassal_umpire.validators.ruleset import Circumstances, Draw, Quota, WeightedFact
from vassal_umpire.validators.situation import Situation

TRUCKS = Quota("trucks of the division", Amount.exactly(3), "X-TRUCKS")
MULES = Quota("mules", Amount.exactly(1), "X-MULES")


def ruleset(*kinds: Quota, hidden: frozenset[str] = frozenset()) -> MadeRuleset:
    """On foot 2 hexes, by any of the ``kinds`` 6; a wall in ``hidden`` perhaps."""
    wary = Plain({}, board=BOARD, barred=hidden)

    def choices(unit: str, there: Circumstances) -> tuple[Walker, ...]:
        graph = Plain({}, board=BOARD)
        foot = Walker(graph, budget(2), wary, form="foot")
        riding = [
            Walker(graph, replace(budget(6), draws=(Draw(k),)), wary, form=k.name) for k in kinds
        ]
        return (foot, *riding)

    return MadeRuleset(Made(choices))


def moved(*ends: str):
    """A game in which ``a``, ``b`` … go from column 1 to ``ends`` in one phase."""
    names = "abcdef"[: len(ends)]
    played = new_game(
        *(f"{name} Red 01{row:02} 4" for row, name in enumerate(names, start=1))
    ).move()
    for name, end in zip(names, ends, strict=True):
        played.drag(name, end)
    return played.move("Blue")


def found(result: Audit) -> list[tuple[str, tuple[str, ...]]]:
    assert not result.problems
    return [(f.clause, f.units) for f in result.findings if f.clause in ("X-TRUCKS", "X-MULES")]


FAR, NEAR = ("0401", "0402", "0403", "0404", "0405"), "0205"


def test_as_many_as_the_quota_allows_may_use_it() -> None:
    played = moved(*FAR[:3], "0204", NEAR)
    result = audit(played.game(), ruleset(TRUCKS))
    assert found(result) == []
    assert {m.verdict for m in result.moves} == {"legal"}


def test_one_too_many_names_them_all() -> None:
    result = audit(moved(*FAR[:4], NEAR).game(), ruleset(TRUCKS))
    (told,) = [f for f in result.findings if f.clause == "X-TRUCKS"]
    assert (told.kind, told.verdict, told.units) == ("illegal-move", "illegal", tuple("abcd"))
    assert told.moves == (1, 2, 3, 4)
    assert told.explanation == (
        "A, B, C, D: they need at least 4 trucks of the division, 3 allowed in the phase"
    )
    assert {"0401", "0404"} <= set(told.hexes)


def test_another_phase_begins_anew() -> None:
    played = moved(*FAR[:3])
    played.move("Red", "2").drag("a", "0701").drag("b", "0702").move("Blue", "2")
    assert found(audit(played.game(), ruleset(TRUCKS))) == []


def test_a_unit_that_goes_on_in_the_phase_counts_once_and_for_all_of_its_way() -> None:
    played = new_game("a Red 0101 4", "b Red 0102 4").move()
    played.drag("a", "0201").drag("b", "0402").drag("a", "0401").move("Blue")
    one = replace(TRUCKS, most=Amount.exactly(1))
    assert found(audit(played.game(), ruleset(one))) == [("X-TRUCKS", ("b", "a"))]
    two = replace(TRUCKS, most=Amount.exactly(2))
    assert found(audit(played.game(), ruleset(two))) == []


def test_what_was_taken_back_counts_for_nothing() -> None:
    played = new_game("a Red 0101 4", "b Red 0102 4").move()
    played.drag("a", "0401").undo("a", "0101", 2).drag("b", "0402").move("Blue")
    one = replace(TRUCKS, most=Amount.exactly(1))
    assert found(audit(played.game(), ruleset(one))) == []


def test_a_form_that_is_left_is_told_in_their_favour() -> None:
    kinds = (TRUCKS, MULES)
    assert found(audit(moved(*FAR[:4]).game(), ruleset(*kinds))) == []
    result = audit(moved(*FAR[:5]).game(), ruleset(*kinds))
    ((clause, units),) = found(result)
    assert (clause, units) == ("X-TRUCKS", tuple("abcde"))
    (told,) = [f for f in result.findings if f.clause == "X-TRUCKS"]
    assert told.explanation.endswith(
        "they need more than is allowed in the phase: 3 trucks of the division, 1 mules"
    )


def test_what_is_known_only_against_them_is_asked_for() -> None:
    """Round the wall that may be in 0201 it is too far on foot."""
    one = replace(TRUCKS, most=Amount.exactly(1))
    rules = ruleset(one, hidden=frozenset({"0201", "0102"}))
    played = new_game("a Red 0101 4", "b Red 0105 4").move().drag("a", "0301").drag("b", "0405")
    result = audit(played.move("Blue").game(), rules)
    told = [f for f in result.findings if f.clause == "X-TRUCKS"]
    assert [(f.kind, f.units) for f in told] == [("unverifiable", ("a", "b"))]
    assert [u.key for u in told[0].unknowns] == ["form of unit a log 1 steps 2"]


@pytest.mark.parametrize(
    ("least", "most", "kind"), [(1, 2, "unverifiable"), (0, 1, "illegal-move")]
)
def test_a_quota_not_known_exactly(least: int, most: int, kind: str) -> None:
    size = MissingFact("trucks", "how many trucks has the division?")
    quota = replace(
        TRUCKS, most=Amount(Fraction(least), Fraction(most)), missing=(WeightedFact(size),)
    )
    result = audit(moved(*FAR[:2]).game(), ruleset(quota))
    (told,) = [f for f in result.findings if f.clause == "X-TRUCKS"]
    assert told.kind == kind
    assert told.unknowns == ((size,) if kind == "unverifiable" else ())


def test_nothing_is_held_against_them_where_the_phase_is_not_known() -> None:
    played = new_game("a Red 0101 4", "b Red 0102 4").phase("1", "Movement", "Red", certain=False)
    played.drag("a", "0401").drag("b", "0402")
    one = replace(TRUCKS, most=Amount.exactly(1))
    assert found(audit(played.game(), ruleset(one))) == []


OPTION = st.dictionaries(st.sampled_from("xyz"), st.integers(1, 3), max_size=2)


@examples(500)
@given(
    st.lists(st.lists(OPTION, min_size=1, max_size=3), max_size=5),
    st.fixed_dictionaries({name: st.none() | st.integers(0, 5) for name in "xyz"}),
)
def test_quotas_can_be_met_just_if_one_of_all_assignments_keeps_within_them(units, limits) -> None:
    kept = any(
        all(
            limit is None or sum(option.get(name, 0) for option in choice) <= limit
            for name, limit in limits.items()
        )
        for choice in product(*units)
    )
    exact = [[{k: Fraction(v) for k, v in o.items()} for o in options] for options in units]
    bounds = {k: None if v is None else Fraction(v) for k, v in limits.items()}
    assert can_be_met(exact, bounds) == kept


def test_too_many_to_try_accuses_nobody() -> None:
    options = [{f"q{n}": Fraction(1)} for n in range(6)]
    limits: dict[str, Fraction | None] = {f"q{n}": Fraction(5) for n in range(6)}
    assert can_be_met([options] * 31, limits)


def test_rules_without_quotas_are_not_searched_for_forms() -> None:
    walker = Walker(Plain({}, board=BOARD), budget(2))
    game = moved("0201").game()
    judgement = judge_move(
        drawn.move("a", "0101", "0201"), Situation(game), Made(lambda *_: (walker,))
    )
    assert judgement.legal_forms == ()
