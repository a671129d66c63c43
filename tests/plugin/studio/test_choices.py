"""The usual rules as plain questions: each answer writes its chart, and is read off it again."""

from __future__ import annotations

from typing import Any

import pytest
from vassal_umpire.model.names import LINE, NameUsed
from vassal_umpire.plugin.registry import rulesets
from vassal_umpire.plugin.ruleset_needs import begun_tables
from vassal_umpire.plugin.studio.choices import Question
from vassal_umpire.plugin.studio.rules_forms import RulesForms

GENERIC = rulesets().get("generic")


def forms(**tables: Any) -> RulesForms:
    values = {"rules": {**begun_tables(GENERIC), **tables}}
    return RulesForms(
        GENERIC, values, ("Blue", "Red"), (NameUsed(LINE, "rail", "lines.csv line 2"),)
    )


def question(of: RulesForms, name: str) -> Question:
    return next(one for one in of.questions if (one.key or one.chart) == name)


def answered(of: RulesForms, name: str, answer: str, said: Any = (), *, whole: bool = True) -> Any:
    found = of.choose(question(of, name), answer, dict(said), whole=whole)
    assert found.error == ""
    return found.values["rules"]


def shown(of: RulesForms, name: str) -> dict[str, Any]:
    return next(one for one in of.plain({})["questions"] if one["id"] == name)


ANSWERS: list[tuple[str, dict[str, Any], Any]] = [
    ("zoc", {"stop": True, "enter": "1"}, {"stop": True, "enter": 1}),
    ("zoc", {"leave": "1/2", "within": True}, {"leave": "1/2", "within": "prohibited"}),
    ("zoc", {"stop": True, "negated": True}, {"stop": True, "negated_by_friends": True}),
    ("stacking", {"limit": "2", "size": "counters", "checked": "phase-end"},
     {"limit": 2, "checked": "phase-end"}),
    ("stacking", {"limit": "9", "size": "steps", "checked": "move-end"},
     {"limit": 9, "size": "steps", "checked": "move-end"}),
    ("roads", {"rail": "½"}, {"rail": {"cost": "1/2"}}),
    ("roads", {"rail": "1", "rivers paid": True}, {"rail": {"cost": 1, "cancels": ["terrain", "levels"]}}),
    ("enemy_hex", {"cost": "0"}, {"cost": 0}),
    ("order", {}, {"resume": False}),
]  # fmt: skip


@pytest.mark.parametrize(("chart", "said", "table"), ANSWERS)
def test_an_answer_writes_the_chart_and_is_read_off_it(
    chart: str, said: dict[str, Any], table: Any
) -> None:
    tables = answered(forms(), chart, "yes", said)
    assert tables[chart] == table
    assert tables["complete"] == [chart]
    again = shown(forms(**tables), chart)
    assert (again["state"], again["whole"]) == ("yes", True)
    told = {name: value for name, value in again["said"].items() if value and value != "counters"}
    wanted = {name: "1/2" if value == "½" else value for name, value in said.items()}
    assert told == {name: value for name, value in wanted.items() if value != "counters"}


@pytest.mark.parametrize("chart", ["zoc", "stacking", "roads", "enemy_hex", "order"])
def test_what_the_game_has_none_of(chart: str) -> None:
    tables = answered(forms(complete=[chart, "terrain"]), chart, "no")
    assert (tables[chart], tables["complete"]) == ("none", ["terrain"])
    assert shown(forms(**tables), chart)["state"] == "no"


def test_an_empty_chart_that_is_called_complete_says_that_there_is_none() -> None:
    assert shown(forms(complete=["zoc"]), "zoc")["state"] == "no"
    assert shown(forms(), "zoc")["state"] == ""


def test_roads_of_which_one_kind_is_not_said_are_not_all() -> None:
    used = tuple(NameUsed(LINE, name, "lines.csv line 2") for name in ("rail", "trail"))
    of = RulesForms(GENERIC, {"rules": begun_tables(GENERIC)}, ("Blue", "Red"), used)
    found = of.choose(question(of, "roads"), "yes", {"rail": "1", "trail": " "}, whole=True)
    assert found.error == "say it of trail, too, or choose “There is more”"
    assert not of.choose(question(of, "roads"), "yes", {"rail": "1"}, whole=False).error


def test_where_there_is_more_the_chart_is_not_called_complete() -> None:
    tables = answered(forms(), "zoc", "yes", {"stop": True}, whole=False)
    assert "complete" not in tables
    assert shown(forms(**tables), "zoc")["whole"] is False


@pytest.mark.parametrize(("said", "value"), [("yes", True), ("no", False), ("", None)])
def test_the_minimum_move_says_nothing_of_the_rest_of_its_chart(said: str, value: Any) -> None:
    tables = answered(forms(), "minimum_move", "yes", {"minimum": said})
    assert tables["allowance"].get("minimum_move") is value
    assert "complete" not in tables
    assert shown(forms(**tables), "minimum_move")["said"] == {"minimum": said}


@pytest.mark.parametrize(
    ("chart", "said", "error"),
    [
        ("zoc", {}, "say what a zone of control does"),
        ("zoc", {"enter": "much"}, "expected a cost such as 1, 1/2 or prohibited; found much"),
        ("stacking", {"limit": "2"}, "say when the limit binds"),
        ("stacking", {"limit": "some", "checked": "phase-end"}, "a whole number"),
        ("stacking", {"limit": "0", "checked": "phase-end"}, "a whole number from 1"),
        ("roads", {}, "say what a step along a road costs"),
        ("enemy_hex", {}, "0 if nothing more than its terrain"),
    ],
)
def test_an_answer_that_says_nothing_is_not_written(chart: str, said: Any, error: str) -> None:
    of = forms()
    found = of.choose(question(of, chart), "yes", said, whole=True)
    assert error in found.error


@pytest.mark.parametrize(
    ("chart", "table"),
    [
        ("zoc", [{"stop": True}, {"enter": 1}]),
        ("zoc", {"stop": True, "not_across": ["river"]}),
        ("zoc", {"enter": {"foot": 1}}),
        ("stacking", {"limit": 2, "limits": [{"terrain": ["town"], "limit": 3}]}),
        ("roads", {"rail": {"cost": 1, "continuity": "path"}}),
        ("roads", {"rail": {"cost": {"foot": 1}}}),
        ("enemy_hex", {"barred_by": []}),
    ],
)
def test_a_chart_that_says_more_is_never_written_over(chart: str, table: Any) -> None:
    of = forms(**{chart: table})
    assert shown(of, chart)["state"] == "more"
    assert "says more" in of.choose(question(of, chart), "no", {}, whole=True).error


def test_rulesets_of_other_shapes_have_no_questions() -> None:
    other = rulesets().get("ocs")
    assert RulesForms(other, {"rules": begun_tables(other)}).questions == ()
