"""Forms that follow on one another in a phase: accused only if no choice of forms explains the order."""

from __future__ import annotations

from dataclasses import replace
from itertools import permutations, product

import pytest
from flat import BOARD, GameBuilder, new_game, rows
from handmade import Made, MadeRuleset, Plain, Walker, budget
from hypothesis import given
from hypothesis import strategies as st
from tiers import examples
from vassal_umpire.model.fact import MissingFact
from vassal_umpire.model.game import Displacement, PhaseStart, StepRef
from vassal_umpire.validators.audit import audit
from vassal_umpire.validators.parts import Endings
from vassal_umpire.validators.ruleset import Circumstances, OrderRule, WeightedFact
from vassal_umpire.validators.timeline import Timeline

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


def said(played: GameBuilder, forms: dict[str, str], **more) -> str:
    """The findings of an audit: the form whose clause is broken, units and verdict of each."""
    result = audit(played.game(), rules(forms, **more))
    assert not result.problems
    told = [f for f in result.findings if f.clause.startswith("X-")]
    return ", ".join(f"{f.clause[2:].lower()} {'+'.join(f.units)} {f.verdict}" for f in told)


def told(units: str, forms: dict[str, str], **more) -> str:
    """What is said of units moved one after the other in one phase, each a hex from column 1."""
    played = new_game(*(f"{u} Red 01{n:02}" for n, u in enumerate(UNITS, start=1))).move()
    at = dict.fromkeys(UNITS, 1)
    for unit in units:
        at[unit] += 1
        played.drag(unit, f"{at[unit]:02}{UNITS.index(unit) + 1:02}")
    return said(played.move("Blue"), forms, **more)


def forms_of(text: str) -> dict[str, str]:
    """``a3 b12``: a by the third form, b by the first or the second."""
    return {word[0]: word[1:] for word in text.split()}


@pytest.mark.parametrize(
    ("moved", "forms", "expected"),
    rows("""
in their order nothing is said | abcd | a1 b2 c3 d4 |
who comes too late breaks the clause of his form | ab | a3 b2 | second b illegal
also by the first form | ab | a2 b1 | first b illegal
after the last form it is that clause that is broken | abc | a4 b1 c3 | last b illegal, last c illegal
a unit that may have gone otherwise clears the next | ab | a23 b2 |
it clears all those after it | abc | a23 b3 c23 |
a unit dragged on after a later form had begun is left open | aba | a2 b3 | second a unverifiable
a unit dragged on that may have gone otherwise | aba | a23 b2 |
"""),
)
def test_forms_that_follow_on_one_another(moved: str, forms: str, expected: str) -> None:
    assert told(moved, forms_of(forms)) == expected


IN_NO_ORDER = {"unranked": frozenset({"Movement"})}
PERHAPS = {"perhaps_ranked": {"Movement": MissingFact("order", "does the order bind?")}}


@pytest.mark.parametrize(
    ("moved", "forms", "more", "expected"),
    [
        # b goes by the third form if it may, else by the fourth: then c is too late
        ("abc", "a1 b34 c3", {"unsure": "b"}, "third c unverifiable"),
        ("ab", "a3 b2", {"order": replace(ORDER, **IN_NO_ORDER)}, ""),
        ("ab", "a3 b2", {"order": replace(ORDER, **PERHAPS)}, "second b unverifiable"),
    ],
)
def test_what_is_not_certain_is_left_open(moved: str, forms: str, more, expected: str) -> None:
    assert told(moved, forms_of(forms), **more) == expected


def test_another_side_and_another_phase_have_an_order_of_their_own() -> None:
    played = new_game("a Red 0101, b Blue 0901, c Red 0103")
    played.play("move; a 0201; move Blue; b 0801; move Red 2; c 0203; move Blue 2")
    assert said(played, forms_of("a4 b1 c1")) == ""


STACK = "a1 b3 c2 d4"
"""Forms of units that are dragged together."""


def in_one_hex(script: str, forms: str = STACK) -> str:
    """What is said of units that lie in one hex."""
    played = new_game(*(f"{unit} Red 0101 9" for unit in forms_of(forms)))
    return said(played.play("move", script, "move Blue"), forms_of(forms))


def test_who_goes_on_from_a_stack_and_how_it_is_listed_says_nothing() -> None:
    for stack in permutations("abcd"):
        for on in "abcd":
            assert in_one_hex(f"{'+'.join(stack)} 0201; {on} 0301") == "", (stack, on)


@pytest.mark.parametrize(
    ("script", "expected"),
    rows("""
the highest form dragged along binds the others | a+b 0201; c 0201 | second c illegal
unless its unit went on: it may have begun only then | a+b 0201; c 0201; b 0301 | second c unverifiable
whoever is named first | b+a 0201; c 0201; a 0301 | second c illegal
dragged together again and again nobody came between | a+b 0201; a+b 0301; a 0401 |
somebody came between | a+b 0201; b 0301; a 0401 | first a unverifiable
"""),
)
def test_after_a_stack(script: str, expected: str) -> None:
    assert in_one_hex(script) == expected


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
    script = "x+s 0201; y 0201; z+w 0201; x 0301; o 0201; z 0301"
    assert "o illegal" not in in_one_hex(script, "x13 s1 y2 z3 w23 o2")


def test_where_too_many_may_have_begun_late_nobody_is_accused(monkeypatch) -> None:
    script, forms = "b+d 0201; d 0301; c 0201", "a1 b3 c2 d34"
    assert in_one_hex(script, forms) == "second c illegal"
    monkeypatch.setattr("vassal_umpire.validators.ranks.MOST_ORDERS", 1)
    assert in_one_hex(script, forms) == "second c unverifiable"


# -- whether a unit need not end where it lies ------------------------------------------------------


def goes_on(played, unit: str = "a", nth: int = 0) -> bool:
    game = played.game()
    indices = [
        i for i, e in enumerate(game.events) if isinstance(e, Displacement) and e.unit == unit
    ]
    return Endings(game, Timeline(game)).goes_on(unit, indices[nth])


@pytest.mark.parametrize(
    ("script", "expected"),
    rows("""
it stays where its phase ended | move; a 0201; b 0202; move Blue | no
moved on it need not end there | move; a 0201; a 0301; move Blue | yes no
it goes to a box | move; a 0201; a [Pool]; move Blue | yes no
it goes off the map | move; a 0201; a -; move Blue | yes no
it goes somewhere | move; a 0201; a ?; move Blue | yes no
moved in the next phase it ended there before | move; a 0201; move Blue; a 0301 | no yes
the end of the logs ends no phase | move; a 0201 | yes
nor does that of one | move; a 0201; log; chat hello | yes
a phase that is told for certain ends the one before | move; a 0201; phase 1 Combat Red perhaps | yes
a log that goes on from the last | move; a 0201; log; chat hello; move Blue | no
a log that does not may lack the rest of the phase | move; a 0201; log; b 0201 as reseated; move Blue | yes
a phase told once more may not have ended
    | move; a 0201; phase 1 Combat Red; move; a 0301; move Blue | yes no
"""),
)
def test_whether_each_drag_of_a_unit_may_go_on(script: str, expected: str) -> None:
    played = new_game("a Red 0101, b Red 0102").play(script)
    drags = [e for e in played.events if isinstance(e, Displacement) and e.unit == "a"]
    found = ["yes" if goes_on(played, nth=nth) else "no" for nth in range(len(drags))]
    assert " ".join(found) == expected


def test_a_ruleset_is_told_which_move_is_the_last() -> None:
    told: list[tuple[str, bool]] = []

    def choices(unit: str, there: Circumstances) -> tuple[Walker, ...]:
        told.append((there.move.target.name, there.move.goes_on))
        return (Walker(Plain({}, board=BOARD), budget(9)),)

    both = new_game("a Red 0101, b Red 0101").play("move; a+b 0201; b 0202; move Blue")
    result = audit(both.game(), MadeRuleset(Made(choices)))
    assert not result.problems
    assert sorted(set(told)) == [("0201", True), ("0202", False)]
    told.clear()
    both = new_game("a Red 0101, b Red 0101").play("move; a+b 0201; move Blue")
    audit(both.game(), MadeRuleset(Made(choices)))
    assert set(told) == {("0201", False)}


def declared(script: str):
    """A game with phases declared by their steps: ``as 1:4`` to step 4 of log 1, ``as ?`` without a last
    step."""
    played = new_game("a Red 0101, b Red 0102")
    for step in script.split("; "):
        if step.startswith(("Movement as", "Combat as")):
            phase, _, end = step.split()
            last = None if end == "?" else StepRef(*map(int, end.split(":")))
            start = PhaseStart(played.next(), "1", phase, "Red", declared=True, last=last)
            played.events.append(start)
        else:
            played.play(step)
    return played


@pytest.mark.parametrize(
    ("script", "expected"),
    rows("""
it is over with its last step | Movement as 1:3; a 0201; chat done | no
whatever comes then | Movement as 1:2; a 0201; phase ? ? ?; b 0202 | no
without a last step it may go on | Movement as ?; a 0201; chat done | yes
a log that is not at hand may hold the rest of it | Movement as 2:17; a 0201 | yes
what is missing between two logs may belong to it
    | Movement as 2:3; a 0201; log; b 0201 as reseated; chat hello | yes
it goes on after what interrupted it
    | Movement as 1:7; a 0201; Combat as 1:4; chat fire; Movement as 1:7 | no
and then it may be moved on
    | Movement as 1:7; a 0201; Combat as 1:4; chat fire; Movement as 1:7; a 0301 | yes no
"""),
)
def test_in_a_phase_declared_by_its_steps(script: str, expected: str) -> None:
    played = declared(script)
    found = ["yes" if goes_on(played, nth=nth) else "no" for nth in range(len(expected.split()))]
    assert " ".join(found) == expected


@pytest.mark.parametrize(
    ("script", "expected"),
    rows("""
put on the map after others saw a later form begin | a 0201; roll; b 0103; roll; b 0203 | first b illegal
put on it unseen, perhaps before | a 0201; b 0103; b 0203 | first b unverifiable
put on it before | b 0103; roll; a 0201; roll; b 0203 | first b unverifiable
"""),
)
def test_who_came_onto_the_map_late_did_not_begin_earlier(script: str, expected: str) -> None:
    played = new_game("a Red 0101, b Red -").play(f"move; {script}").move("Blue")
    assert said(played, forms_of("a2 b1")) == expected
