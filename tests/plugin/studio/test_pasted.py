"""Charts that are pasted, from spreadsheets to web pages; and the usual rules as plain questions."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from vassal_umpire.model.names import LINE, NameUsed
from vassal_umpire.plugin.registry import rulesets
from vassal_umpire.plugin.ruleset_needs import begun_tables
from vassal_umpire.plugin.studio.choices import Question
from vassal_umpire.plugin.studio.rules_forms import RulesForms

pytest.importorskip("starlette", reason="the studio needs the extra [studio]")

from partial_studio import opened
from vassal_umpire.importers.pack.load import load_pack
from vassal_umpire.plugin.studio import rules_view
from vassal_umpire.plugin.studio.pasted import Pasted, columns_for, cost_in, table_in

from ..kit import entry_of, zip_with

ROWS = (("clear", ("1", "1")), ("light woods", ("2", "P")))


@pytest.mark.parametrize(
    "text",
    [
        "Terrain\tFoot\tMotor\nclear\t1\t1\nlight woods\t2\tP\n",
        "Terrain        Foot   Motor\nclear          1      1\nlight woods    2      P",
        "Terrain Foot Motor\nclear 1 1\nlight woods 2 P",
        "| Terrain | Foot | Motor |\n| clear | 1 | 1 |\n| light woods | 2 | P |",
        "Terrain;Foot;Motor\nclear;1;1\nlight woods;2;P",
        "Terrain,Foot,Motor\nclear,1,1\nlight woods,2,P",
        "<table><tr><th>Terrain<th>Foot<th>Motor</tr><tr><td>clear<td>1<td>1</tr>"
        "<tr><td><b>light</b> woods</td><td>2</td><td>P</td></tr></table>",
    ],
    ids=["spreadsheet", "PDF", "PDF, one blank", "forum", "semicolons", "commas", "web page"],
)
def test_a_table_is_found(text: str) -> None:
    assert table_in(text) == Pasted(("Foot", "Motor"), ROWS)


def test_of_a_copied_pdf_only_a_head_of_one_word_a_column_counts_and_no_row_is_lost() -> None:
    text = "Terrain Foot Horse Artillery\nclear 1 1\nhill 2 1 3\nlight woods 2 P\nroad see 7.2"
    rows = (
        ("clear", ("1", "1")), ("hill 2", ("1", "3")), ("light woods", ("2", "P")),
        ("road see 7.2", ("", "")),
    )  # fmt: skip
    assert table_in(text) == Pasted(("", ""), rows)
    assert table_in("a letter\nto a friend") is None


@pytest.mark.parametrize(
    ("cell", "read"),
    [("2<sup>1</sup>", ""), ("1<sup>1</sup>/<sub>2</sub>", ""), ("<sup>1</sup>/<sub>2</sub>", "1/2"),
     ("2<div>4</div>", ""), ("<s>2</s>3", "3"), ("<b>1</b>.5", "1.5")],
    ids=["footnote", "one and a half", "a half", "two lines", "struck out", "bold"],
)  # fmt: skip
def test_digits_of_two_elements_are_no_number(cell: str, read: str) -> None:
    found = table_in(f"<table><tr><th>Terrain<th>All</tr><tr><td>woods<td>{cell}</tr></table>")
    assert cost_in(found.rows[0][1][0]) == read


def test_cells_that_span_several_stand_in_each_and_no_script_is_read() -> None:
    text = (
        "<table><tr><td><table><tr><th colspan=3>Costs"
        "<tr><th>Terrain<th colspan=2>All</tr><tr><td rowspan=2>wood<br>s<td>2<td>3"
        "<tr><td>4<script>5</script><td>&amp;</table></table>"
    )
    assert table_in(text) == Pasted(
        ("All", "All"), (("wood s", ("2", "3")), ("wood s", ("4", "&")))
    )


@pytest.mark.parametrize(
    ("rows", "row", "cut"),
    [(200, "woods\t2", ""), (201, "woods\t2", "200 rows"), (2, "woods" + "\t2" * 21, "20 columns"),
     (2, "woods\t2" + " " * 30_000, "50,000 of 60,015 characters")],
    ids=["just as long", "rows", "columns", "characters"],
)  # fmt: skip
def test_what_is_too_long_says_so(rows: int, row: str, cut: str) -> None:
    found = table_in("\n".join([row] * rows))
    assert cut in found.cut if cut else found.cut == ""


def test_a_table_without_a_head_and_a_text_without_a_table() -> None:
    assert table_in("clear\t1\nwoods\t2") == Pasted(("",), (("clear", ("1",)), ("woods", ("2",))))
    assert table_in("What woods cost, I do not know.") is None
    assert table_in("") is None


@pytest.mark.parametrize(
    ("text", "cost"),
    [("2", "2"), ("2 MP", "2"), ("½", "1/2"), ("1½", "3/2"), ("+1", "+1"), ("1,5", "1.5"),
     ("P", "prohibited"), ("NP", "prohibited"), ("n/a", ""), ("see 7.2", ""), ("—", ""), ("2 or 3", "")],
)  # fmt: skip
def test_what_a_cell_says(text: str, cost: str) -> None:
    assert cost_in(text) == cost


@pytest.mark.parametrize(
    ("head", "known", "columns"),
    [
        ("Inf.|Motor|Air", "infantry|motor", "infantry|motor|-"),
        *((head, "infantry|motor", "") for head in ("MP", "", "Bewegungskosten")),
        *((head, "infantry|motor", "-") for head in ("Defense", "Combat", "Points")),
        ("armored car|armored", "armored|armored car", "armored car|armored"),
        ("Leg|Leg (winter)", "leg|motor", "leg|-"),
        ("Leg dry|Leg wet", "leg|motor", "-|-"),
        ("Mot|Leg", "motor|motorized|leg", "-|leg"),
    ],
)
def test_columns_go_by_the_names_of_classes_and_one_that_may_be_two_is_left_out(
    head: str, known: str, columns: str
) -> None:
    found = columns_for(tuple(head.split("|")), tuple(known.split("|")), "")
    assert found == tuple(columns.split("|"))


def test_a_pasted_table_is_written_into_its_chart(game: Path) -> None:
    studio = opened(Path(), Path("pack"))
    asked: dict[str, Any] = {
        "path": ["rules", "terrain", "costs"], "known": ["foot", "motor"],
        "text": "Terrain\tFoot\tMotor\nlava\t5\tP\nwoods\t3\tsee 7.2\n",
    }  # fmt: skip
    found = rules_view.pasted(studio, asked)
    assert (found["columns"], found["left"], found["error"]) == (
        ["foot", "motor"],
        ["woods: see 7.2"],
        "",
    )
    assert not studio.edit(found["edits"], "pasted").refused
    costs = load_pack(Path("pack")).tables["terrain"]["costs"]
    assert costs["lava"] == {"foot": 5, "motor": "prohibited"}
    assert costs["woods"]["foot"] == 3
    again = rules_view.pasted(studio, {**asked, "columns": ["motor", "-"]})
    assert [edit["path"][-1] for edit in again["edits"]] == [
        "lava"
    ]  # motor pays 3 for woods already
    assert "expected a table" in rules_view.pasted(studio, {**asked, "text": "?"})["error"]


def test_a_class_that_the_charts_lack_is_added_with_its_column(game: Path) -> None:
    studio = opened(Path(), Path("pack"))
    asked: dict[str, Any] = {
        "path": ["rules", "terrain", "costs"], "known": ["foot", "motor"],
        "text": "Terrain\tFoot\tHorse\nlava\t5\tP\n",
    }  # fmt: skip
    found = rules_view.pasted(studio, asked)
    assert (found["columns"], found["new"], found["costs"]) == (["foot", "-"], ["", "horse"], 1)
    found = rules_view.pasted(studio, {**asked, "columns": ["foot", "horse"]})
    assert (found["error"], found["costs"]) == ("", 2)
    assert not studio.edit(found["edits"], "pasted").refused
    tables = load_pack(Path("pack")).tables
    assert tables["classes"]["names"] == ["foot", "motor", "horse"]
    assert tables["terrain"]["costs"]["lava"] == {"foot": 5, "horse": "prohibited"}
    assert rules_view.pasted(studio, {**asked, "known": ["rail"]})["new"] == ["", ""]


def test_the_tables_of_a_modules_charts_are_offered(game: Path) -> None:
    table = "<table><tr><th>Terrain<th>Foot</tr><tr><td>lava<td>5 MP</tr></table>"
    (module,) = Path().glob("*.vmod")
    build, end = entry_of(module, "buildFile.xml"), "</VASSAL.build.GameModule>"
    chart = '<VASSAL.build.widget.HtmlChart chartName="TEC" fileName="charts/1.html"/>'
    window = "VASSAL.build.module.ChartWindow"
    entries = {
        "buildFile.xml": build.replace(end, f'<{window} name="Charts">{chart}</{window}>{end}'),
        "charts/1.html": f"<p>No tables.</p>{table}",
        "long.html": b"<table>" + b"<tr><td>1<td>2" * 100_000,
        "help.htm": b"<table><tr><td>x<td>y<tr><td><td>3",
        "wide.html": b"<table><tr><td colspan=64 rowspan=1000>%s%s"
        % (b"9" * 900_000, b"<tr><td>" * 990),  # 57 GB if all of it were said
    }
    zip_with(module, module, entries)
    told = rules_view.rules(opened(Path(), Path("pack")), {})
    offered, wide = told["tables"]
    assert offered == {"called": "TEC, table 1", "rows": 1, "text": "Terrain\tFoot\nlava\t5 MP"}
    assert len(wide["text"]) <= 50_001


def test_a_cost_of_which_a_table_has_several_is_left_out(game: Path) -> None:
    asked: dict[str, Any] = {
        "path": ["rules", "terrain", "costs"], "known": ["foot"], "names": ["lava"],
        "text": "Terrain\tFoot\tMotor\nLava\t5\t6\nlava\t7\t8\nice\t9\t\nice\t9\t\n",
    }  # fmt: skip
    studio = opened(Path(), Path("pack"))
    found = rules_view.pasted(studio, asked)
    assert [(edit["path"][-1], edit["now"]) for edit in found["edits"]] == [("ice", {"foot": 9})]
    assert found["left"] == ["lava: 5 (one of several)", "lava: 7 (one of several)"]
    both = rules_view.pasted(studio, {**asked, "columns": ["foot", "foot"]})
    assert (both["edits"], both["columns"]) == ([], ["foot", "foot"])
    assert "two columns go into the same one" in both["error"]


# -- the usual rules as plain questions: each answer writes its chart, and is read off it again -----


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
    assert found.error == "say it for trail too, or choose “There is more”"
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
