"""Forms that follow on one another in a phase: accused only if no choice of forms explains the order."""

from __future__ import annotations

from dataclasses import replace
from itertools import permutations, product

import pytest
from flat import BOARD, new_game
from handmade import Made, MadeRuleset, Plain, Walker, budget
from hypothesis import given
from hypothesis import strategies as st
from tiers import examples
from vassal_umpire.model.fact import MissingFact
from vassal_umpire.validators.audit import audit
from vassal_umpire.validators.ruleset import Circumstances, OrderRule, WeightedFact

FORMS = ("first", "second", "third", "last")
ORDER = OrderRule(
    ranks={form: (rank, f"X-{form.upper()}") for rank, form in enumerate(FORMS, start=1)},
    interleaved=MissingFact("resumed", "may it be moved on after others?"),
)
UNITS = "abcdef"


def rules(forms: dict[str, str], order: OrderRule = ORDER, unsure: str = "") -> MadeRuleset:
    """``forms``: by unit, the numbers of the forms open to it; ``unsure``: a unit that goes by the
    second of them for certain, and perhaps by the others."""

    def choices(unit: str, _there: Circumstances) -> tuple[Walker, ...]:
        graph = Plain({}, board=BOARD)
        missing_fact = (WeightedFact(MissingFact("leave", "may it go so?")),)
        return tuple(
            Walker(
                graph,
                budget(6),
                form=FORMS[int(number) - 1],
                perhaps_barred=missing_fact if unit == unsure and number != forms[unit][-1] else (),
            )
            for number in forms[unit]
        )

    return MadeRuleset(Made(choices, order=order))


def dragged(*units: str):
    """Units moved one after the other in one phase, each a hex from column 1."""
    played = new_game(*(f"{u} Red 01{n:02} 4" for n, u in enumerate(UNITS, start=1))).move()
    at = dict.fromkeys(UNITS, 1)
    for unit in units:
        at[unit] += 1
        played.drag(unit, f"{at[unit]:02}{UNITS.index(unit) + 1:02}")
    return played.move("Blue")


def told(units: str, forms: dict[str, str], **more):
    result = audit(dragged(*units).game(), rules(forms, **more))
    assert not result.problems
    return [(f.clause, f.units, f.verdict) for f in result.findings if f.clause.startswith("X-")]


def test_in_their_order_nothing_is_said() -> None:
    forms = {"a": "1", "b": "2", "c": "3", "d": "4"}
    assert told("abcd", forms) == []


def test_who_comes_too_late_breaks_the_clause_of_his_form() -> None:
    assert told("ab", {"a": "3", "b": "2"}) == [("X-SECOND", ("b",), "illegal")]
    assert told("ab", {"a": "2", "b": "1"}) == [("X-FIRST", ("b",), "illegal")]


def test_after_the_last_form_it_is_that_clause_that_is_broken() -> None:
    forms = {"a": "4", "b": "1", "c": "3"}
    assert told("abc", forms) == [("X-LAST", ("b",), "illegal"), ("X-LAST", ("c",), "illegal")]


def test_a_unit_that_may_have_gone_otherwise_clears_those_after_it() -> None:
    assert told("ab", {"a": "23", "b": "2"}) == []
    assert told("abc", {"a": "23", "b": "3", "c": "23"}) == []


def test_what_is_not_certain_is_left_open() -> None:
    """b goes by the third form if it may, else by the fourth: then c is too late."""
    found = told("abc", {"a": "1", "b": "34", "c": "3"}, unsure="b")
    assert found == [("X-THIRD", ("c",), "unverifiable")]


def test_a_unit_dragged_on_after_a_later_form_had_begun_is_left_open() -> None:
    found = told("aba", {"a": "2", "b": "3"})
    assert found == [("X-SECOND", ("a",), "unverifiable")]
    assert told("aba", {"a": "23", "b": "2"}) == []


def test_another_side_and_another_phase_have_an_order_of_their_own() -> None:
    played = new_game("a Red 0101 4", "b Blue 0901 4", "c Red 0103 4").move()
    played.drag("a", "0201").move("Blue").drag("b", "0801").move("Red", "2").drag("c", "0203")
    forms = {"a": "4", "b": "1", "c": "1"}
    result = audit(played.move("Blue", "2").game(), rules(forms))
    assert [f.clause for f in result.findings if f.clause.startswith("X-")] == []


@pytest.mark.parametrize("kind", ["unranked", "perhaps"])
def test_phases_without_an_order(kind: str) -> None:
    asked = MissingFact("order", "does the order bind?")
    more = {"unranked": frozenset({"Movement"})} if kind == "unranked" else {}
    more = more or {"perhaps_ranked": {"Movement": asked}}
    order = replace(ORDER, **more)
    found = told("ab", {"a": "3", "b": "2"}, order=order)
    assert found == ([] if kind == "unranked" else [("X-SECOND", ("b",), "unverifiable")])


STACK = {"a": "1", "b": "3", "c": "2", "d": "4"}
"""Forms of units that are dragged together."""


def in_one_hex(*drags: str):
    """Units in one hex dragged in turn, each drag written ``units:column``."""
    played = new_game(*(f"{unit} Red 0101 9" for unit in STACK)).move()
    for drag in drags:
        units, column = drag.split(":")
        played.drag(units, f"{column}01")
    return played.move("Blue")


def said_of(*drags: str):
    result = audit(in_one_hex(*drags).game(), rules(STACK))
    assert not result.problems
    return sorted((f.clause, f.units, f.verdict) for f in result.findings if f.clause[:2] == "X-")


@pytest.mark.parametrize("stack", ["+".join(units) for units in permutations("abcd")])
@pytest.mark.parametrize("on", "abcd")
def test_who_goes_on_from_a_stack_and_how_it_is_listed_says_nothing(stack: str, on: str) -> None:
    assert said_of(f"{stack}:02", f"{on}:03") == []


def test_after_a_stack_the_highest_form_dragged_along_binds_the_others() -> None:
    late = [("X-SECOND", ("c",), "illegal")]
    assert said_of("a+b:02", "c:02") == late
    perhaps = [("X-SECOND", ("c",), "unverifiable")]  # b went on: it may have begun only then
    assert said_of("a+b:02", "c:02", "b:03") == perhaps
    assert said_of("b+a:02", "c:02", "a:03") == late


def test_dragged_together_again_and_again_nobody_came_between() -> None:
    assert said_of("a+b:02", "a+b:03", "a:04") == []
    between = said_of("a+b:02", "b:03", "a:04")
    assert between == [("X-FIRST", ("a",), "unverifiable")]


def test_who_came_onto_the_map_earlier_in_the_phase_is_not_accused() -> None:
    played = new_game("a Red [Pool] 4", "b Red 0105 4").move()
    played.drag("a", "0101").drag("b", "0205").drag("a", "0201").move("Blue")
    result = audit(played.game(), rules({"a": "1", "b": "4"}))
    assert [f.verdict for f in result.findings if f.clause[:2] == "X-"] == ["unverifiable"]


def can_be_explained(forms: dict[str, str], units: str) -> bool:
    """Whether any choice of forms never goes down."""
    choices = product(*(forms[unit] for unit in units))
    return any(list(choice) == sorted(choice) for choice in choices)


@given(
    st.lists(
        st.sets(st.sampled_from("1234"), min_size=1).map(lambda found: "".join(sorted(found))),
        min_size=1,
        max_size=5,
    )
)
@examples(60)
def test_accused_is_only_what_no_choice_of_forms_explains(kinds: list[str]) -> None:
    units = UNITS[: len(kinds)]
    forms = dict(zip(units, kinds, strict=True))
    found = told(units, forms)
    assert (not found) == can_be_explained(forms, units)


@given(
    st.lists(st.sampled_from("abcd"), min_size=2, max_size=5),
    st.lists(
        st.sets(st.sampled_from("1234"), min_size=1).map(lambda found: "".join(sorted(found))),
        min_size=4,
        max_size=4,
    ),
)
@examples(150)
def test_who_was_moved_on_is_accused_only_if_no_choice_of_forms_explains_it(
    drags: list[str], kinds: list[str]
) -> None:
    """Where the rules say for certain that nobody is moved on after others have begun by a later form."""
    forms = dict(zip("abcd", kinds, strict=True))
    order = replace(ORDER, uninterrupted=True)
    found = told("".join(drags), forms, order=order)
    units = sorted(set(drags))
    explained = any(
        is_in_order([int(dict(zip(units, choice, strict=True))[unit]) for unit in drags])
        for choice in product(*(forms[unit] for unit in units))
    )
    assert (not found) == explained


def is_in_order(ranks: list[int]) -> bool:
    return ranks == sorted(ranks)


def test_of_those_whom_nobody_saw_one_may_have_begun_at_once_and_another_late() -> None:
    """x by the first form before all others, z after o: if x began late as well, it went by the third."""
    forms = {"x": "13", "s": "1", "y": "2", "z": "3", "w": "23", "o": "2"}
    played = new_game(*(f"{unit} Red 0101 9" for unit in forms)).move()
    for drag in ("x+s 02", "y 02", "z+w 02", "x 03", "o 02", "z 03"):
        units, column = drag.split()
        played.drag(units, f"{column}01")
    result = audit(played.move("Blue").game(), rules(forms))
    found = {(f.units, f.verdict) for f in result.findings if f.clause[:2] == "X-"}
    assert (("o",), "illegal") not in found


def test_where_too_many_may_have_begun_late_nobody_is_accused(monkeypatch) -> None:
    drags = ("b+d:02", "d:03", "c:02")
    forms = {**STACK, "b": "3", "d": "34"}
    played = in_one_hex(*drags)

    def said():
        result = audit(played.game(), rules(forms))
        return {(f.units, f.verdict) for f in result.findings if f.clause[:2] == "X-"}

    assert said() == {(("c",), "illegal")}
    monkeypatch.setattr("vassal_umpire.validators.ranks.MOST_ORDERS", 1)
    assert said() == {(("c",), "unverifiable")}
