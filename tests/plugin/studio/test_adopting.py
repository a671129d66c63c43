"""Classes of counters that the charts do not have are added by one edit."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("starlette", reason="the studio needs the extra [studio]")

from partial_studio import opened
from vassal_umpire.importers.pack.load import load_pack
from vassal_umpire.model.problem import Problem
from vassal_umpire.plugin.studio import rules_view, units_view
from vassal_umpire.plugin.studio.cards import file_problems
from vassal_umpire.plugin.studio.session import Studio

from ..kit import put

PACK = Path("pack/pack.toml")
NAMES = 'names = ["foot", "motor"]'


@pytest.fixture
def studio(game: Path) -> Studio:
    """Of a pack in which only the chart of movement classes can be wrong."""
    text = PACK.read_text("utf-8")
    PACK.write_text(text[: text.index("[rules.terrain")], "utf-8")
    put(PACK, 'complete = ["classes", ', "complete = [")
    return opened(Path(), Path("pack"))


def adopt(studio: Studio) -> Any:
    shown = units_view.units(studio, {})["adopt"]
    assert rules_view.rules(studio, {})["adopt"] == shown
    return shown


def test_nothing_is_offered_where_the_charts_have_all_classes(studio: Studio) -> None:
    assert adopt(studio) is None


def test_a_class_that_units_have_is_added_to_the_charts(studio: Studio) -> None:
    put(PACK, NAMES, 'names = ["foot"]')
    found = adopt(studio)
    assert found["names"] == ["motor"]
    assert not studio.edit(found["edits"], "classes").refused
    assert load_pack(PACK.parent).tables["classes"]["names"] == ["foot", "motor"]
    assert adopt(studio) is None


def test_the_placeholder_of_a_first_pack_goes(studio: Studio) -> None:
    put(PACK, NAMES, 'names = ["to be named"]')
    (edit,) = adopt(studio)["edits"]
    assert (edit["was"], edit["now"]) == (["to be named"], ["foot", "motor"])


def test_of_what_is_no_unit_nothing_is_added(studio: Studio) -> None:
    put(PACK, NAMES, 'names = ["foot"]')
    put(PACK, 'values = ["foot", "motor"]', 'values = ["foot"]')
    assert adopt(studio) is None


def test_new_classes_are_one_line_that_says_where_they_are_added() -> None:
    said = "expected a value of the attribute class that the ruleset's tables know (to be named); found "
    new = [Problem("unknown-name", said + name, "units.csv line 2") for name in ("inf", "arm")]
    sure = Problem("unknown-name", said + "inf", "units.csv line 2", "error")
    other = Problem("unknown-name", said.replace("class", "status") + "inf", "units.csv line 2")
    line = (
        "counters have movement classes that the charts do not have yet: the Units view adds them"
    )
    assert list(file_problems([*new, sure, other])) == [str(sure), str(other), line]
