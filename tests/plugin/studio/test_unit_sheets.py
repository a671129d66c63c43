"""Sheets of counters: a few are typed blind before one is confirmed, and what was looked at is written."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("starlette", reason="the studio needs the extra [studio]")

from partial_studio import opened
from vassal_umpire.importers.pack.load import load_pack
from vassal_umpire.model.problem import UmpireError
from vassal_umpire.plugin.studio import units_view as view
from vassal_umpire.plugin.studio.session import Studio

from ..kit import put

BLIND = {"drawn": 4, "typed": 4, "wrong": 0}


@pytest.fixture
def studio(game: Path) -> Studio:
    """Of a pack that does not say of which side a counter is."""
    put(Path("pack/pack.toml"), 'side = { property = "Side" }', "")
    return opened(Path(), Path("pack"))


def sheet(studio: Studio, value: str = "Blue", column: str = "side") -> dict[str, Any]:
    found: dict[str, Any] = view.sheet(studio, {"column": column, "value": value})
    return found


def look(
    studio: Studio, shown: dict[str, Any], said: dict[int, str | None], rest: str, **more: Any
) -> Any:
    told = {str(place): value for place, value in said.items()}
    return view.look(studio, {"sheet": shown["id"], "said": told, "rest": rest, **more})


def truth(shown: dict[str, Any]) -> dict[int, str | None]:
    return {at: cell["name"].split()[0] for at, cell in enumerate(shown["cells"])}


def typed_blind(studio: Studio, wrong: int = 0) -> Any:
    shown = sheet(studio)
    said = truth(shown)
    said |= {at: "Red" if said[at] == "Blue" else "Blue" for at in range(wrong)}
    return look(studio, shown, said, "leave")


def suggested(studio: Studio) -> dict[str, Any]:
    return {one["column"]: one for one in view.units(studio, {})["suggested"]}


def test_before_a_sheet_is_shown_a_few_of_each_value_are_typed_blind(studio: Studio) -> None:
    shown = sheet(studio)
    assert shown["what"] == "blind"
    assert sorted(truth(shown).values(), key=str) == [*["Blue"] * 2, *["Red"] * 2]
    assert all(set(cell) == {"cell", "name"} for cell in shown["cells"])  # nor why it is suggested
    answer = look(studio, shown, truth(shown), "leave")
    assert (answer["blind"]["typed"], answer["blind"]["wrong"]) == (4, 0)
    studio.edit(answer["edits"], "blind")
    (kept,) = load_pack(Path("pack")).values["units"]["checked"].values()
    assert dict(kept) == {"column": "side", "who": "Wren", **BLIND, "at_most": "0.5271"}
    shown = sheet(studio)
    assert (shown["what"], set(truth(shown).values())) == ("kind", {"Blue"})
    assert "its name begins with Blue" in shown["cells"][0]["why"]


def test_confirming_a_sheet_gives_what_is_not_said_otherwise(studio: Studio) -> None:
    typed_blind(studio)
    shown = sheet(studio)
    kinds = [cell["cell"] for cell in shown["cells"]]
    answer = look(studio, shown, {0: "Red", 1: None}, "confirm")
    assert answer["values"] == {**dict.fromkeys(kinds, "Blue"), kinds[0]: "Red", kinds[1]: "?"}
    with pytest.raises(UmpireError, match="confirmed already"):
        look(studio, shown, {}, "confirm")


def test_of_what_is_left_out_nothing_is_said_and_it_is_not_asked_again(studio: Studio) -> None:
    typed_blind(studio)
    shown = sheet(studio)
    kinds = [cell["cell"] for cell in shown["cells"]]
    answer = look(studio, shown, {}, "confirm", seen=list(range(1, len(kinds))))
    assert answer["values"] == dict.fromkeys(kinds[1:], "Blue")
    assert answer["left_out"] == 1
    assert [cell["cell"] for cell in sheet(studio)["cells"]] == kinds[1:]


def test_nothing_is_confirmed_on_a_blind_sheet(studio: Studio) -> None:
    shown = sheet(studio)
    said = {at: value for at, value in truth(shown).items() if at < 3}
    assert len(look(studio, shown, said, "confirm")["values"]) == 3


def test_half_of_a_blind_sheet_is_not_enough_to_tell_of_the_rest(studio: Studio) -> None:
    shown = sheet(studio)
    with pytest.raises(UmpireError, match="at least half"):
        look(studio, shown, {0: "Blue", 1: None}, "leave")
    assert sheet(studio)["what"] == "blind"
    assert view.unit_sheets.desk_of(studio).passed == set()


@pytest.mark.parametrize(("wrong", "what"), [(1, "kind"), (2, "typed")])
def test_where_any_was_suggested_wrongly_sheets_are_small_and_where_too_many_each_is_typed(
    studio: Studio, monkeypatch: pytest.MonkeyPatch, wrong: int, what: str
) -> None:
    monkeypatch.setattr(view.unit_sheets, "ONE_GLANCE", 3)
    assert typed_blind(studio, wrong)["blind"]["wrong"] == wrong
    assert suggested(studio)["side"]["trusted"] is (what == "kind")
    shown = sheet(studio)
    assert shown["what"] == what
    assert (len(shown["cells"]), shown["all"]) == (3, 10)
    assert [one["said"] == one["suggested"] for one in shown["differ"]] == [False] * wrong
    answer = look(studio, shown, {0: "Blue"}, "confirm")
    assert len(answer["values"]) == (len(shown["cells"]) if what == "kind" else 1)


def test_a_value_that_may_not_stand_there_is_refused(studio: Studio) -> None:
    with pytest.raises(UmpireError, match="expected one of Blue, Red; found Green"):
        look(studio, sheet(studio), {0: "Green"}, "leave")


def test_nobody_vouches_without_a_name(studio: Studio) -> None:
    studio.who = ""
    with pytest.raises(UmpireError, match="say your name first"):
        typed_blind(studio)


def test_what_is_told_already_is_not_suggested(studio: Studio) -> None:
    before = suggested(studio)["side"]["values"]
    name = next(c["name"] for c in sheet(studio)["cells"] if c["name"].startswith("Blue"))
    Path("pack/units.csv").write_text(f"name,side,command\n{name},Red,no\n", "utf-8")
    put(
        Path("pack/pack.toml"),
        'complete = ["units"',
        'side = { column = "side" }\ncomplete = ["units"',
    )
    assert suggested(studio)["side"]["values"] == [[v, n - (v == "Blue")] for v, n in before]


def test_kinds_of_which_nothing_is_suggested_come_on_a_sheet_of_their_own(studio: Studio) -> None:
    put(Path("pack/pack.toml"), 'ma = { property = "MA", number = true }\n', "")
    told = suggested(studio)["ma"]
    assert (told["values"], told["rest"]) == ([], 16)
    shown = sheet(studio, "", "ma")
    assert (shown["what"], len(shown["cells"])) == ("typed", 16)
    answer = look(studio, shown, {0: "6", 2: "4"}, "leave")
    assert sorted(answer["values"].values()) == ["4", "6"]
    assert answer["edits"] == []
