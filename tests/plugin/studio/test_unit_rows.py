"""The studio's Units view: what is typed, read, counts and may be typed; and sheets of counters."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("starlette", reason="the studio needs the extra [studio]")

from partial_studio import opened, read_anew
from vassal_umpire.importers.pack.edit.toml import value_at, values_of, with_value
from vassal_umpire.importers.pack.load import load_pack
from vassal_umpire.importers.pack.pack import Pack
from vassal_umpire.importers.vassal.buildfile import open_module
from vassal_umpire.importers.vassal.limits import DEFAULT_LIMITS
from vassal_umpire.model.problem import UmpireError
from vassal_umpire.model.viewer import EVERYONE
from vassal_umpire.plugin.reading import Named, read_history
from vassal_umpire.plugin.registry import rulesets
from vassal_umpire.plugin.ruleset_needs import allowed_by
from vassal_umpire.plugin.studio import units_view as view
from vassal_umpire.plugin.studio.counter_kinds import Kind, kinds_of
from vassal_umpire.plugin.studio.effects import counts_of
from vassal_umpire.plugin.studio.session import Studio
from vassal_umpire.plugin.studio.unit_rows import fault_in, units_json
from vassal_umpire.plugin.user_folder import PLACE

from ..kit import files, put

SIDES, FOLDER = ("Blue", "Red"), Path("pack")


def kinds(*, logs: bool = True) -> tuple[Kind, ...]:
    module = open_module(Path("crossroads.vmod"), limits=DEFAULT_LIMITS, find_extensions=True)
    named = Named((Path("turn-1.vlog"),), Path("crossroads.vmod"))
    told = read_history(named, module, DEFAULT_LIMITS) if logs else None
    return kinds_of(module, told, {"Main Map"}, EVERYONE)


def shown(of: tuple[Kind, ...] | None = None) -> dict[str, Any]:
    pack = load_pack(Path("pack"))
    return units_json(pack, kinds() if of is None else of, asked(pack), SIDES)


def asked(pack: Pack) -> Any:
    return allowed_by(rulesets().get(pack.ruleset), pack.tables, SIDES)


def cell(told: dict[str, Any], name: str, column: str) -> list[str]:
    names = [one["name"] for one in told["columns"]]
    found = next(kind for kind in told["kinds"] if kind["name"] == name)
    return list(found["cells"][names.index(column)])


def apply(edits: list[dict[str, Any]]) -> None:
    """Edits of pack.toml, as the store would write them."""
    file = Path("pack/pack.toml")
    for edit in edits:
        assert (edit["kind"], edit["file"]) == ("toml", "pack")
        data = file.read_bytes()
        assert value_at(values_of(data, "pack.toml"), edit["path"]) == edit["was"]
        file.write_bytes(with_value(data, edit["path"], edit["now"], "pack.toml"))


def test_what_is_read_stands_beside_what_is_typed_and_the_first_counts(game: Path) -> None:
    told = shown()
    assert cell(told, "Blue 1 Tank", "ma") == ["", "6", "read"]
    assert cell(told, "Blue HQ", "command") == ["yes", "no", "typed"]
    head, row = "name,command,note\nBlue HQ,yes,", "name,command,ma,note\nBlue HQ,yes,5,"
    put(FOLDER / "units.csv", head, row)
    assert cell(shown(), "Blue HQ", "ma")[2] == "read"  # nothing reads the column yet
    put(FOLDER / "pack.toml", "ma = {", 'ma = [{ column = "ma", number = true }, {')
    put(FOLDER / "pack.toml", '"MA", number = true }', '"MA", number = true }]')
    typed, read, counts = cell(shown(), "Blue HQ", "ma")
    assert (typed, counts) == ("5", "typed")
    assert read == "6"
    assert cell(shown(), "Blue 1 Tank", "ma")[2] == "read"


def test_columns_that_nobody_knows_are_kept_and_shown(game: Path) -> None:
    old, new = "name,command,note\nBlue HQ,yes,", "name,command,Formation,note\nBlue HQ,yes,3rd,"
    put(FOLDER / "units.csv", old, new)
    told = shown()
    column = next(one for one in told["columns"] if one["name"] == "formation")
    assert (column["role"], column["counts"]) == ("other", False)
    assert cell(told, "Blue HQ", "formation") == ["3rd", "", ""]


def test_a_row_about_several_kinds_says_so(game: Path) -> None:
    with Path("pack/units.csv").open("a", encoding="utf-8") as file:
        file.write("Red *,no\n")
    rows = {kind["name"]: kind["rows"] for kind in shown()["kinds"]}
    assert [row["shared"] for row in rows["Red 2 Inf"]] == [True]
    assert [row["shared"] for row in rows["Red HQ"]] == [False]
    assert rows["Red HQ"][0]["key"] == {"name": "Red HQ"}
    assert rows["Blue 1 Tank"] == []


@pytest.mark.parametrize(
    ("column", "text", "expected"),
    [
        ("unit", "maybe", "unit: expected yes, no, ? or nothing; found maybe"),
        ("ma", "six", "ma: expected a number, 6|8, 6..8, ? or nothing; found six"),
        ("ma", "8..6", "ma: expected a number, 6|8, 6..8, ? or nothing; found 8..6"),
        ("ma", "-1", "ma: expected a number that is 0 or more; found -1"),
        ("class", "wheels", "class: expected one of foot, motor; found wheels"),
        ("class", "foot|wheels", "class: expected one of foot, motor; found wheels"),
        ("side", "Green", "side: expected one of Blue, Red; found Green"),
        ("speed", "1", "units.csv: there is no column speed"),
        ("unit", "?", ""),
        ("unit", "Yes", ""),
        ("ma", "3½", ""),
        ("ma", "6|8", ""),
        ("ma", "6..8", ""),
        ("ma", "?", ""),
        ("ma", "", ""),
        ("class", "foot|motor", ""),
        ("side", "Red", ""),
        ("command", "sometimes", ""),
    ],
)
def test_what_may_stand_in_a_cell(game: Path, column: str, text: str, expected: str) -> None:
    pack = load_pack(Path("pack"))
    assert fault_in(pack, asked(pack), SIDES, column, text) == expected


def test_what_makes_a_typed_column_count_is_offered_and_loads(game: Path) -> None:
    with Path("pack/units.csv").open("w", encoding="utf-8") as file:
        file.write("name,unit,ma,command\nBlue HQ,no,9,yes\nBlue 1 Tank,,9,\n")
    told = shown()
    ma = next(one for one in told["columns"] if one["name"] == "ma")
    assert ma["read"] == ["property MA"]
    apply([*told["unit_bind"], *ma["bind"]])
    after = shown()
    assert cell(after, "Blue 1 Tank", "ma") == ["9", "6", "typed"]
    said = {kind["name"]: kind["is"] for kind in after["kinds"]}
    assert (said["Blue HQ"], said["Blue 1 Tank"]) == ("no", "unit")
    assert after["unit_bind"] == []
    assert next(one for one in after["columns"] if one["name"] == "ma")["bind"] == []


def test_guesses_are_offered_where_something_is_not_told_and_load(game: Path) -> None:
    assert shown()["guesses"] == []
    put(FOLDER / "pack.toml", 'ma = { property = "MA", number = true }\n', "")
    found = [one for one in shown()["guesses"] if one["about"] == "ma"]
    best = found[0]
    assert (best["where"], best["found"], best["of"]) == ("property MA", 16, 16)
    apply([best["edit"]])
    assert cell(shown(), "Blue 1 Tank", "ma") == ["", "6", "read"]


def test_every_kind_is_in_groups_and_listed_without_logs(game: Path) -> None:
    told = shown()
    groups = {(group["sort"], group["name"]): group["members"] for group in told["groups"]}
    assert len(groups["all", "All counters"]) == len(told["kinds"]) == 16
    assert len(groups["prototype", "Unit"]) == 16
    assert len(groups["said", "Units"]) == 16
    assert all(told["kinds"][i]["moves"] for i in groups["moved", "Moved in the logs"])
    told = shown(kinds(logs=False))
    assert cell(told, "Blue 1 Tank", "ma") == ["", "6", "read"]
    assert cell(told, "Blue 1 Tank", "class") == ["", "motor", "read"]


# -- sheets: a few are typed blind before one is confirmed ------------------------------------------


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
    assert studio.keepsake.units.passed == set()


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


def test_a_check_that_failed_outlasts_a_restart_and_counters_left_out_come_back(
    studio: Studio, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(PLACE, str(tmp_path / "home"))
    typed_blind(studio, wrong=2)
    told, shown = suggested(studio)["side"], sheet(studio)
    look(studio, sheet(studio), {0: None}, "leave")
    assert suggested(studio)["side"] != told
    again = opened(Path(), Path("pack"))
    assert suggested(again)["side"] == told
    assert (told["trusted"], told["blind"]["wrong"]) == (False, 2)
    assert {**sheet(again), "id": ""} == {**shown, "id": ""}
    again.keepsake.units.checked["side"] = replace(  # another value than when it was typed
        again.keepsake.units.checked["side"], suggested=frozenset()
    )
    assert sheet(again)["what"] == "blind"


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


def test_what_is_suggested_of_counters_shows_what_would_be_and_writes_nothing(
    studio: Studio, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(studio.jobs, "begin", lambda name, run: run(lambda *_: None))
    monkeypatch.setattr(studio, "work_left", lambda: None)
    before = files(FOLDER)
    told, ids = view.units(studio, {}), suggested(studio)["side"]["of"]
    new = {kind["id"]: kind["new"] for kind in told["kinds"]}
    edits = next(column["bind"] for column in told["columns"] if column["name"] == "side")
    cell = {"kind": "unit", "column": "side", "was": ""}
    edits = [*edits, *({**cell, "row": new[kind], "now": side} for kind, side in ids.items())]
    _, would = [view.effect(studio, {"edits": edits}) for _ in range(2)]
    assert would["now"]["illegal"] == 0 < would["then"]["illegal"]
    assert files(FOLDER) == before
    studio.edit(edits, "as suggested")
    read_anew(studio)
    assert would["then"] == counts_of(studio.audit)
