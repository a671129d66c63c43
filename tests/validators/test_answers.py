"""Questions of yes or no, and facts that the ruleset does not know."""

from __future__ import annotations

import tomllib
from dataclasses import replace
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st
from vassal_umpire.model.board import Board
from vassal_umpire.model.fact import Fact, MissingFact, Value, between, known
from vassal_umpire.model.finding import JudgedMove, Move, PhaseView
from vassal_umpire.model.game import Condition, Game, Place, Rules, Source, StateChange, StepRef
from vassal_umpire.model.stanza import BLANK, pack_stanza, stanza
from vassal_umpire.model.unit import Unit
from vassal_umpire.plugin.printable import printable
from vassal_umpire.validators.allowed_facts import (
    NUMBER,
    TEXT,
    YES_NO,
    Allowed,
    AllowedFacts,
    misfits,
    words,
)
from vassal_umpire.validators.answers import Question, answer, yes_or_no
from vassal_umpire.validators.concepts.completeness import WHOLE_CHARTS, of_cost
from vassal_umpire.validators.concepts.missing_facts import of_board, of_condition
from vassal_umpire.validators.wording import Wording, plainly

EMPTY = Game("", Board("", {}), (), {}, {}, (), Rules("generic"))
OVERRAN = Question("overran after 0201", "did 1/7 overrun after 0201?", "u1", StepRef(1, 7))


THEN = StepRef(1, 7)


def told(value: str | bool, at: StepRef = THEN, unit: str = "u1") -> Game:
    said = Condition("overran after 0201", known(value), at, at, unit)
    return replace(EMPTY, conditions=(said,))


@pytest.mark.parametrize(
    ("value", "expected"),
    [("yes", True), ("No", False), (True, True), (False, False), ("perhaps", None)],
)
def test_an_answer_is_understood_however_it_is_written(
    value: str | bool, expected: bool | None
) -> None:
    assert answer(told(value), OVERRAN) is expected


@pytest.mark.parametrize(
    ("key", "said"),
    [
        ("enter", "entering a zone of control"),
        ("leave", "leaving a zone of control"),
        ("within", "moving from one zone of control into the next"),
    ],
)
def test_a_cost_is_asked_for_in_words_and_kept_under_its_key(key: str, said: str) -> None:
    asked = of_cost({}, WHOLE_CHARTS, ("zoc", key), [f"zoc.{key}"], ("motorized",))
    assert asked.question == f"what does {said} cost motorized?"
    assert asked.key == f"cost of zoc.{key} for motorized"
    assert (
        of_cost({}, WHOLE_CHARTS, ("terrain",), ["mud"], ("foot",)).question
        == "what does mud cost foot?"
    )


def test_features_are_asked_about_whatever_kind_of_word_they_are() -> None:
    def asked(*names: str) -> str:
        return of_board(("features", "4030", *names), "").question

    assert asked("interdicted") == "hex 4030: interdicted or not?"
    assert asked("town", "mined") == "hex 4030: town, mined or none of these?"
    assert asked() == "does hex 4030 have any other feature?"


def test_an_answer_is_for_its_step_and_unit_alone_and_one_of_two_is_none() -> None:
    assert answer(EMPTY, OVERRAN) is None
    assert answer(told("yes", StepRef(1, 8)), OVERRAN) is None
    assert answer(told("yes", unit="u2"), OVERRAN) is None
    assert yes_or_no(Fact(("yes", "no"))) is None


def test_the_stanza_of_a_question_is_the_condition_that_answers_it() -> None:
    plain = tomllib.loads(OVERRAN.unknown().stanza)
    assert plain == {
        "condition": [
            {
                "key": "overran after 0201",
                "unit": "u1",
                "first": "1:7",
                "last": "1:7",
                "value": BLANK,
            }
        ]
    }


ANY_TEXT = st.text() | st.text("\"'\\\n\r\t\x85\u2028\u202e\x00\x7f[]{}=#,.?a ")


@given(ANY_TEXT, ANY_TEXT, ANY_TEXT)
def test_a_stanza_holds_the_keys_meant_and_no_other(name: str, value: str, key: str) -> None:
    meant = {"unit": name, "attributes": {key: value}, "has": [value]}
    text = stanza("[[unit]]", meant)
    assert tomllib.loads(text) == {"unit": [meant]}
    assert printable(text.replace("\n", " ")) == text.replace("\n", " ")
    assert len(text.splitlines()) == 4


@given(ANY_TEXT)
def test_what_the_pack_is_to_say_has_its_place(name: str) -> None:
    assert tomllib.loads(pack_stanza("rules", name, "cost", entry=[BLANK])) == {
        "pack": [{"rules": {name: {"cost": [BLANK]}}}]
    }


def test_bytes_that_are_no_text_have_no_stanza() -> None:
    """Without them the name might be another's, and the answer go to him."""
    assert stanza("[[unit]]", {"unit": "4\udc80", "side": BLANK}) == ""


ALLOWED = AllowedFacts(
    attributes={"class": words("foot", "wheels"), "ma": NUMBER},
    conditions={"weather": words("mud", "dry"), "overran after *": YES_NO, "spent": NUMBER},
)


FACTS = "facts.toml line 3"


def condition(key: str, value: str) -> Game:
    return replace(EMPTY, conditions=(Condition(key, known(value), StepRef(1, 0)),))


def with_unit(**facts: Fact) -> Game:
    units = {"a": Unit("a", "a", "Red", "unit", facts)}
    return replace(EMPTY, units=units, sources=(Source("facts.toml", "facts", "0" * 64),))


def test_a_condition_that_is_known_is_no_misfit() -> None:
    assert misfits(condition("weather", "Mud"), ALLOWED) == ()
    assert misfits(condition("overran after 0304", "no"), ALLOWED) == ()
    assert misfits(condition("spent", "7/2"), ALLOWED) == ()


@pytest.mark.parametrize(
    ("key", "value", "line"),
    [
        ("wether", "mud", "(did you mean weather?); found wether"),
        ("weather", "fog", "condition weather: expected one of mud, dry; found fog"),
        ("spent", "fast", "condition spent: expected a number (0 or more); found fast"),
        ("spent", "-3", "condition spent: expected a number (0 or more); found -3"),
        ("spent", "nan", "condition spent: expected a number (0 or more); found nan"),
        ("spent", "1e999999999", "expected a number (0 or more); found 1e999999999"),
        ("overran after 0304", "mud", "expected yes or no; found mud"),
    ],
)
def test_a_condition_that_is_not_known_is_an_error(key: str, value: str, line: str) -> None:
    (problem,) = misfits(condition(key, value), ALLOWED)
    assert problem.severity == "error"
    assert line in problem.message


@pytest.mark.parametrize(
    ("name", "fact", "line"),
    [
        ("ma", known(-3, FACTS), "expected a number (0 or more); found -3"),
        ("ma", between(-2, 4, FACTS), "expected a number (0 or more); found from -2"),
        ("class", between(1, 3, FACTS), "expected one of foot, wheels; found from 1 to 3"),
    ],
)
def test_a_fact_that_cannot_be_is_an_error_and_says_nothing(
    name: str, fact: Fact, line: str
) -> None:
    told = with_unit(**{name: fact})
    (problem,) = misfits(told, ALLOWED)
    assert (problem.severity, problem.where) == ("error", FACTS)
    assert f"attribute {name}: {line}" in problem.message
    assert plainly(told, ALLOWED).units["a"].fact(name) == Fact(source=FACTS)


def unit(source: str) -> Game:
    return with_unit(**{"class": known("infnatry", source)})


def test_a_value_of_the_pack_is_a_warning_and_one_of_the_facts_an_error() -> None:
    assert [p.severity for p in misfits(unit("units.csv line 3"), ALLOWED)] == ["warning"]
    (problem,) = misfits(unit("facts.toml line 3"), ALLOWED)
    assert (problem.severity, problem.where) == ("error", "facts.toml line 3")


# -- facts are read alike however they are written --------------------------------------------------


AT = StepRef(1, 1)
UNDERSTOOD = AllowedFacts(
    attributes={
        "class": words("squad", "truck").asked("is {} a squad or a truck?"),
        "pinned": YES_NO,
        "ma": NUMBER,
        "aboard": TEXT,
    },
    conditions={"stream": words("shallow", "deep").asked("how deep are the streams?")},
)


def game(**attributes: Value) -> Game:
    unit = Unit(
        "7", "3/7", "Red", attributes={name: Fact((value,)) for name, value in attributes.items()}
    )
    changes = tuple(
        StateChange(AT, "7", name, Fact((value,)), Fact((value,)))
        for name, value in attributes.items()
    )
    told = (Condition("stream", Fact(("Deep",)), AT),)
    return Game("", Board("", {}), (), {"7": unit}, {}, changes, Rules("x"), conditions=told)


@pytest.mark.parametrize(
    ("name", "written", "read"),
    [
        ("pinned", "yes", True),
        ("pinned", "No", False),
        ("pinned", "true", True),
        ("pinned", True, True),
        ("class", "Truck", "truck"),
        ("ma", "7/2", Fraction(7, 2)),
        ("aboard", "No", "No"),
        ("colour", "Yes", "Yes"),
        ("pinned", "perhaps", None),
        ("class", "sqad", None),
        ("ma", "x", None),
    ],
)
def test_a_fact_is_read_as_the_ruleset_has_it(
    name: str, written: Value, read: Value | None
) -> None:
    """``read`` None: a value that the ruleset does not know says nothing."""
    found = plainly(game(**{name: written}), UNDERSTOOD)
    (change,) = found.events
    assert isinstance(change, StateChange)
    facts = found.units["7"].attributes[name], change.before, change.after
    assert [fact.options for fact in facts] == [None if read is None else (read,)] * 3
    assert found.conditions[0].fact.options == ("deep",)


def test_a_game_whose_facts_are_so_already_is_not_copied() -> None:
    plain = plainly(game(pinned=True, ma=Fraction(4)), UNDERSTOOD)
    assert plainly(plain, UNDERSTOOD) is plain


def asked(unknown: MissingFact, allowed: AllowedFacts) -> MissingFact:
    """A question of a move, in the words of a ruleset that allows such facts."""
    here = Place("hex", "0101")
    move = Move(1, ("7",), here, here, (here, here), (True, True), (AT,), PhaseView())
    judged = JudgedMove(move, "unverifiable", unknowns=(unknown,))
    return Wording(game(), allowed).of_move(judged).unknowns[0]


@pytest.mark.parametrize(
    ("condition", "allowed", "question"),
    [
        ("weather", words("dry", "mud", "frost"), "which was it at that time, dry, mud or frost?"),
        ("weather", words("dry"), "was it dry at that time?"),
        ("card allows more", words("yes", "no"), "was it so at that time, yes or no?"),
        ("card allows more", YES_NO, "was it so at that time, yes or no?"),
        ("weather", TEXT, "what was it at that time?"),
    ],
)
def test_a_condition_is_asked_by_what_it_can_be(
    condition: str, allowed: Allowed, question: str
) -> None:
    found = asked(of_condition(condition), AllowedFacts(conditions={condition: allowed}))
    assert found.question == f"“{condition}”: {question}"


@pytest.mark.parametrize(
    ("key", "question"),
    [
        ("unit 7 class", "is 3/7 a squad or a truck?"),
        ("unit 7 ma", "?"),
        ("unit 8 class", "?"),
        ("condition stream", "how deep are the streams?"),
        ("hex 0101 terrain", "?"),
    ],
)
def test_questions_are_in_the_words_of_the_ruleset(key: str, question: str) -> None:
    assert asked(MissingFact(key, "?"), UNDERSTOOD) == MissingFact(key, question)
