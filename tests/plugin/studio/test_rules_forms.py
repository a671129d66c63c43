"""The ruleset's tables as forms: every ruleset gives one, and what is typed becomes edits of pack.toml."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
from sample_pack import SAMPLES
from tiers import by_tier
from vassal_umpire.plugin.registry import rulesets
from vassal_umpire.plugin.ruleset_needs import begun_tables, schema_of
from vassal_umpire.plugin.studio.form_changes import Changed
from vassal_umpire.plugin.studio.rules_forms import RulesForms

RULESETS = sorted(rulesets().parts)


def forms(ruleset: str, rules: dict[str, Any] | None = None, **more: Any) -> RulesForms:
    tables = dict(begun_tables(rulesets().get(ruleset))) if rules is None else rules
    pack = {"name": "p", "version": "1", "ruleset": ruleset}
    values = {"pack": pack, "board": {"sheet": [{"map": "M"}]}, "rules": tables, **more}
    return RulesForms(rulesets().get(ruleset), values, ("Blue", "Red"))


def exact(text: str) -> int | str:
    number = Fraction(text)
    return number.numerator if number.denominator == 1 else str(number)


def sample(folder: Path) -> RulesForms:
    text = (folder / "pack.toml").read_text("utf-8")
    values = tomllib.loads(text, parse_float=exact)
    return RulesForms(rulesets().get(values["pack"]["ruleset"]), values, ("Blue", "Red"))


def nodes(node: dict[str, Any]) -> Iterator[dict[str, Any]]:
    yield node
    for one in (*node.get("fields", ()), *node.get("items", ())):
        yield from nodes(one)
    for row in node.get("rows", ()):
        for one in (*row.get("more", ()), *([row["node"]] if "node" in row else ())):
            yield from nodes(one)
    if node.get("template"):
        yield from nodes(node["template"])


def all_nodes(told: dict[str, Any]) -> Iterator[dict[str, Any]]:
    for form in (*(chart["form"] for chart in told["charts"]), told["phase"], told["form"]):
        yield from nodes(form)


def one(changed: Changed) -> dict[str, Any]:
    assert changed.error == ""
    (edit,) = changed.edits
    return edit


def test_fields_and_choices_are_called_what_they_mean_and_the_file_keeps_its_words() -> None:
    every = all_nodes(forms("generic").plain({}))
    (combine,) = [one for one in every if one["path"] == ["rules", "terrain", "combine"]]
    assert combine["label"] == "several terrains in one hex"
    assert combine["choices"] == [
        ["only the dearest counts", "dearest"],
        ["all are added up", "sum"],
    ]
    assert "help" not in combine


@pytest.mark.parametrize("ruleset", RULESETS)
def test_forms_show_words_and_no_keys_of_the_file(ruleset: str) -> None:
    told = forms(ruleset).plain({})
    fields = [node["label"] for node in all_nodes(told) if len(node["path"]) > 2]
    assert [label for label in fields if "_" in label] == []
    heads = [chart["form"].get("help", "") for chart in told["charts"]]
    assert [head for head in heads if head.startswith("a table with ")] == []


def test_a_chart_is_called_what_it_means_and_keeps_its_name() -> None:
    told = forms("tide-of-iron").plain({})
    titles = {chart["name"]: chart["title"] for chart in told["charts"]}
    assert titles["works"] == "fortifications"
    assert titles["terrain"] == "terrain"
    (turns,) = [chart for chart in told["charts"] if chart["name"] == "turns"]
    assert turns["question"] == "What does your game have about rounds?"


GENERIC: dict[str, Any] = {
    "classes": {"names": ["foot", "wheels"]},
    "allowance": {"attribute": "ma"},
    "terrain": {"costs": {"clear": 1, "woods": {"foot": 2, "wheels": "prohibited"}}},
    "hexsides": {"river": {"cost": "+1", "bridges": [{"feature": "bridge"}]}},
}


@pytest.mark.parametrize("ruleset", RULESETS)
def test_all_that_the_schema_allows_has_a_field_and_names_its_clauses(ruleset: str) -> None:
    told = forms(ruleset).plain({})
    charts = {chart["name"] for chart in told["charts"]}
    assert charts == set(schema_of(rulesets().get(ruleset))["properties"])
    assert [node["path"] for node in all_nodes(told) if node["kind"] == "plain"] == []
    assert told["faults"] == []
    named = [clause for node in all_nodes(told) for clause in node.get("clauses", ())]
    assert named
    assert set(named) <= set(told["clauses"])
    bare = {chart["name"] for chart in told["charts"] if not chart["clauses"]}
    assert bare <= {"values"}  # it only lists what facts may say


@pytest.mark.parametrize(
    "folder", sorted(SAMPLES.glob(by_tier("[bcw]*/pack", ci="*/pack"))), ids=lambda p: p.parent.name
)
def test_typing_again_what_stands_there_changes_nothing(folder: Path) -> None:
    made = sample(folder)
    told = made.plain({})
    tried = 0
    for node in all_nodes(told):
        path = tuple(node["path"])
        if node["kind"] == "cell" and node["text"]:
            assert made.change(path, node["text"]) == Changed((), made.values), path
            tried += 1
        elif node["kind"] == "names" and node["value"]:
            assert made.change(path, node["value"]).edits == (), path
            tried += 1
        elif node["kind"] == "grid":
            for row in node["rows"]:
                for column, text in zip(node["columns"], row["cells"], strict=True):
                    if text:
                        again = made.change(tuple(row["path"]), text, column)
                        assert again == Changed((), made.values), (row["path"], column)
                        tried += 1
    assert tried


@pytest.mark.parametrize(
    ("text", "value"),
    [("3", 3), ("1/2", "1/2"), ("+1", "+1"), ("prohibited", "prohibited"), ("all", "all"),
     ("1..3", {"from": 1, "to": 3}), ("1/2..", {"from": "1/2"})],
)  # fmt: skip
def test_a_cell_is_typed_as_one_would_write_it(text: str, value: Any) -> None:
    edit = one(forms("generic", GENERIC).change(("rules", "terrain", "costs", "swamp"), text, ""))
    assert edit["path"] == ["rules", "terrain", "costs", "swamp"]
    assert (edit["was"], edit["now"]) == (None, value)


def test_a_row_can_be_parted_by_class_and_called_otherwise() -> None:
    made = forms("generic", GENERIC)
    edit = one(made.change(("rules", "terrain", "costs", "clear"), "2", "wheels"))
    assert (edit["was"], edit["now"]) == (1, {"foot": 1, "wheels": 2})
    edit = one(made.change(("rules", "terrain", "costs", "woods"), "", "wheels"))
    assert edit["now"] == {"foot": 2}
    edit = one(made.change(("rules", "terrain", "costs", "woods"), None))
    assert edit["now"] is None
    taken, put = made.rename(("rules", "terrain", "costs", "woods"), "forest").edits
    assert (taken["now"], put["now"]) == (None, taken["was"])
    assert "already" in made.rename(("rules", "terrain", "costs", "woods"), "clear").error
    assert made.rename(("rules", "terrain", "costs", "woods"), " ").error


def test_rows_that_ship_are_whole_and_open_readings_have_choices() -> None:
    made = forms("ocs", {})
    edit = one(made.change(("rules", "hexsides", "river", "cost"), "3", "leg"))
    assert edit["path"] == ["rules", "hexsides", "river"]
    assert (edit["was"], edit["now"]["water"], edit["now"]["river"]) == (None, True, True)
    assert edit["now"]["cost"] == {"leg": 3, "others": "unknown"}
    told = made.plain({})
    grid = next(c["form"] for c in told["charts"] if c["name"] == "hexsides")
    river = next(row for row in grid["rows"] if row["name"] == "river")
    assert (river["typed"], river["cells"][0], river["printed"][0]) == (False, "", "unknown")
    told = forms("ocs", {}, options={"bridge_opens": "yes"}).plain({})
    bridge = next(one for one in told["options"] if one["option"] == "bridge_opens")
    assert (bridge["value"], bridge["path"]) == ("yes", ["options", "bridge_opens"])
    assert bridge["value"] in bridge["choices"]
    assert bridge["question"].endswith("?")


@pytest.mark.parametrize(
    ("path", "column", "text", "part"),
    [
        ("rules.terrain.costs.clear", "", "dear", "rules.terrain.costs.clear: expected a cost"),
        ("rules.terrain.costs.clear", "tracks", "1", "tracks"),
        ("rules.allowance.attribute", None, "", "expected"),
        ("rules.stacking.limit", None, "-1", "rules.stacking"),
        ("options.nothing", None, "x", "no option nothing"),
        ("board.name", None, "x", "not part of these forms"),
    ],
)
def test_faults_are_told(path: str, column: str | None, text: str, part: str) -> None:
    changed = forms("generic", GENERIC).change(tuple(path.split(".")), text, column)
    assert part in changed.error
    assert "\n" not in changed.error


def test_what_counts_where_nothing_is_said_stands_beside_the_choice() -> None:
    told = {
        node["path"][-1]: (node["default"], node["value"])
        for node in all_nodes(forms("generic", {"allowance": {"attribute": "ma"}}).plain({}))
        if node["kind"] == "choice" and node["path"][:2] == ["rules", "allowance"]
    }
    assert told["counts"] == ("MP", None)
    assert told["minimum_move"] == (False, None)


def test_faults_that_were_there_stay_and_names_keep_what_was_no_text() -> None:
    wrong = {**GENERIC, "levels": {"most": "two"}}
    made = forms("generic", wrong)
    assert made.plain({})["faults"]
    assert one(made.change(("rules", "terrain", "costs", "clear"), "2", ""))["now"] == 2
    assert one(made.change(("rules", "levels", "most"), "2"))["now"] == 2
    rules = {**GENERIC, "values": {"size": [1, 2, True]}}
    made = forms("generic", rules)
    edit = one(made.change(("rules", "values", "size"), ["1", "yes", "3", "big"]))
    assert edit["now"] == [1, True, 3, "big"]


def test_complete_is_said_chart_by_chart() -> None:
    made = forms("generic", {**GENERIC, "complete": ["classes"]})
    edit = one(made.vouch("terrain", "whole"))
    assert (edit["path"], edit["was"], edit["now"]) == (
        ["rules", "complete"], ["classes"], ["classes", "terrain"],
    )  # fmt: skip
    assert one(made.vouch("classes", "open"))["now"] is None
    edit = one(made.vouch("zoc", "none"))
    assert (edit["path"], edit["now"]) == (["rules", "zoc"], "none")
    assert "take them out" in made.vouch("hexsides", "none").error
    assert "no chart" in made.vouch("zones", "whole").error
    states = {chart["name"]: chart["state"] for chart in made.plain({})["charts"]}
    assert (states["classes"], states["terrain"]) == ("whole", "open")
    none = forms("generic", {**GENERIC, "zoc": "none"})
    assert next(c["state"] for c in none.plain({})["charts"] if c["name"] == "zoc") == "none"
    assert one(none.vouch("zoc", "open"))["now"] is None


def test_an_empty_chart_is_never_called_complete() -> None:
    """It would say that the game has nothing of the kind; so it is asked what the game has."""
    made = forms("generic", {**GENERIC, "zoc": {}, "complete": ["enemy_hex", "zoc"]})
    charts = {chart["name"]: chart for chart in made.plain({})["charts"]}
    enemy, zoc = charts["enemy_hex"], charts["zoc"]
    assert (enemy["state"], enemy["empty"], enemy["none"]) == ("none", True, "never")
    assert (zoc["state"], zoc["empty"]) == ("none", True)
    assert not charts["terrain"]["empty"]
    for chart in ("order", "enemy_hex"):
        refused = made.vouch(chart, "whole")
        assert refused.edits == ()
        assert refused.error.startswith("nothing is typed in: type what the game has, or answer")
    assert one(made.vouch("enemy_hex", "open"))["now"] == ["zoc"]
    assert [edit["now"] for edit in made.vouch("zoc", "none").edits] == [["enemy_hex"], "none"]
    printed = forms("battle-for-moscow").plain({})["charts"]
    assert {chart["name"] for chart in printed if chart["empty"]} <= {"entering", "values"}


KEYS = re.compile(r"\b(lacks|complete|all there is|all of them|whole)\b")


def test_every_chart_asks_what_the_game_has() -> None:
    """And never whether what stands in the form is all, nor by a name that only the files know."""
    for ruleset in RULESETS:
        for chart in forms(ruleset).plain({})["charts"]:
            assert chart["vouches"].startswith("I have looked: ")
            if chart["name"] == "values":  # no chart of the game: words that attributes may be
                continue
            assert chart["question"].startswith(
                ("What", "Which", "May", "Along", "How", "In", "Do")
            )
            assert not KEYS.search(chart["question"]), chart["question"]
            assert not KEYS.search(chart["vouches"]), chart["vouches"]


def test_phases_and_forms_of_movement_are_forms_too() -> None:
    made = forms(
        "generic", GENERIC, phase=[{"name": "Movement", "forms": ["march"]}], form=[{"name": "march"}],
    )  # fmt: skip
    told = made.plain({})
    assert [item["fields"][0]["text"] for item in told["phase"]["items"]] == ["Movement"]
    edit = one(made.change(("phase", 0, "movers"), "active"))
    assert (edit["path"], edit["now"]) == (["phase", 0, "movers"], "active")
    assert "movers" in made.change(("phase", 0, "movers"), "everybody").error
    edit = one(made.change(("phase", 1), {"movers": "none", "name": "Rail"}))
    assert (edit["path"], edit["was"]) == (["phase", 1], None)
    assert list(edit["now"]) == ["name", "movers"]
    gone = made.change(("phase", 0), None)
    assert one(gone)["now"] is None
    assert gone.values["phase"] == []
