"""What the Suggest view writes: who looked vouches, and nobody else."""

from __future__ import annotations

import io
import threading
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("numpy", reason="suggestions need the extra [studio]")
pytest.importorskip("starlette", reason="the studio needs the extra [studio]")

import partial_pack
from partial_studio import opened, read_anew, records, whole
from PIL import Image
from vassal_umpire.importers.pack.load import load_pack
from vassal_umpire.importers.pack.provenance import provenance_csv
from vassal_umpire.model.problem import UmpireError
from vassal_umpire.model.provenance import KNOWN, STATUSES, Key, Layer, Method, Record, Status
from vassal_umpire.plugin.looking.blind import Blind, bound
from vassal_umpire.plugin.studio import suggest_view as view
from vassal_umpire.plugin.studio.core_calls import who
from vassal_umpire.plugin.studio.keepsake import Checked
from vassal_umpire.plugin.studio.session import Studio
from vassal_umpire.plugin.studio.suggest_desk import Desk, desk_of
from vassal_umpire.plugin.studio.suggest_looks import accept, look
from vassal_umpire.plugin.studio.suggest_view import area
from vassal_umpire.plugin.user_folder import PLACE

from ..kit import put


@pytest.fixture
def studio(fresh: Studio) -> Studio:
    return fresh


def terrain_of(studio: Studio, cell: str) -> Record | None:
    return records(studio).get((cell, "terrain", ""))


def sheet(studio: Studio, what: str, layer: str = "terrain", kind: str = "") -> dict[str, Any]:
    found: dict[str, Any] = view.sheet(studio, {"what": what, "layer": layer, "kind": kind})
    return found


def places(shown: dict[str, Any]) -> dict[str, str]:
    return {cell["cell"]: str(at) for at, cell in enumerate(shown["cells"])}


def test_a_sheet_shows_the_least_certain_first_in_one_picture(suggested: Studio) -> None:
    shown = sheet(suggested, "kind", kind="clear")
    order = [(-c["rested"], -c["could"], -c["asked"], c["chance"]) for c in shown["cells"]]
    assert order == sorted(order)  # what the audit rests on or asks for before all
    assert {cell["value"] for cell in shown["cells"]} == {"clear"}
    by_chance = sorted(shown["cells"], key=lambda cell: cell["chance"])
    assert "0110" in [cell["cell"] for cell in by_chance[:5]]  # the torn corner
    reply = view.sprites(suggested, {"sheet": shown["id"], "side": "72", "marks": "1"})
    picture = Image.open(io.BytesIO(reply.data))
    rows = -(-len(shown["cells"]) // shown["columns"])
    assert (picture.format, picture.size) == ("PNG", (72 * shown["columns"], 72 * rows))
    plain = view.sprites(suggested, {"sheet": shown["id"], "side": "72"})
    assert plain.data != reply.data
    small = view.one(suggested, {"cell": "0101", "side": "9"})
    assert Image.open(io.BytesIO(small.data)).size == (40, 40)
    with pytest.raises(UmpireError, match="no picture shows"):
        view.one(suggested, {"cell": "9999"})


def test_a_look_by_a_program_says_so(suggested: Studio) -> None:
    who(suggested, {"who": "a picture reader", "by": "program"})
    shown = sheet(suggested, "kind", kind="clear")
    look(suggested, {"sheet": shown["id"], "rest": "confirm"})
    one = terrain_of(suggested, "0103")
    assert (one.status, one.who) == ("looked-at", ("a picture reader",))
    assert (one.method.by, one.is_known) == ("program", True)


def test_a_person_takes_the_place_of_a_program_that_saw_the_same(suggested: Studio) -> None:
    for name, by, looker in (
        ("reader", "program", "program"),
        ("Ida", "person", "person"),
        ("other reader", "program", "person"),
    ):
        who(suggested, {"who": name, "by": by})
        shown = area(suggested, {"layers": "terrain", "across": "5", "down": "4", "cell": "0103"})
        look(suggested, whole(shown))
        read_anew(suggested)
        one = terrain_of(suggested, "0103")
        assert (one.status, one.method.by) == ("looked-at", looker)
    assert one.who == ("Ida",)


def test_whoever_looks_is_somebody_and_suggesting_can_be_stopped(studio: Studio) -> None:
    with pytest.raises(UmpireError, match="expected person or program"):
        who(studio, {"who": "Wren", "by": "oracle"})
    assert (studio.who, studio.by) == ("Wren", "person")

    def stopped(*_: object) -> None:
        raise threading.BrokenBarrierError

    with pytest.raises(threading.BrokenBarrierError):
        desk_of(studio).suggest(stopped)
    assert desk_of(studio).found == {}


def test_confirming_a_sheet_vouches_for_all_but_those_that_are_wrong(suggested: Studio) -> None:
    shown = sheet(suggested, "kind", kind="clear")
    at = places(shown)
    said = {at["0110"]: None, at["0505"]: "town"}
    answer = look(suggested, {"sheet": shown["id"], "said": said, "rest": "confirm"})
    assert answer["looked"] == len(shown["cells"]) - 1
    assert answer["refused"] == 0
    one = terrain_of(suggested, "0103")
    assert (one.value, one.status, one.who) == ("clear", "looked-at", ("Wren",))
    assert one.method.by == "person"
    assert len(one.picture) == 64
    town = terrain_of(suggested, "0505")
    assert (town.value, town.status) == ("town", "looked-at")
    assert terrain_of(suggested, "0110") is None
    rest = records(suggested)["0103", "features", ""]
    assert (rest.value, rest.status) == ("none", "looked-at")
    read_anew(suggested)
    known = suggested.opened.game.board.hexes
    assert known["0103"].terrain == ("clear",)
    assert known["0505"].terrain == ("town",)
    assert known["0110"].terrain is None


@pytest.mark.parametrize("status", STATUSES)
def test_a_look_leaves_only_what_was_typed_or_looked_at(tmp_path: Path, status: Status) -> None:
    by = Method("person" if status in KNOWN else "program", "by eye")
    names = ("Ida", "Hal") if status == "double" else ("Ida",)
    pack = partial_pack.put(tmp_path)
    asked = 'provenance = "required"' + ('\nread = "known"' if status == "read" else "")
    put(pack / "pack.toml", "[board]", f"[board]\n{asked}")
    (pack / "hexes.csv").write_text("hex,terrain,features\n*,clear,\n", "utf-8")
    both, day = (("terrain", "clear"), ("features", "none")), "2026-11-20"
    every = [Record(Key("0103", layer), value, status, names, day, by) for layer, value in both]
    (pack / "provenance.csv").write_text(provenance_csv(every), "utf-8")
    studio = opened(tmp_path, pack)
    shown = area(studio, {"layers": "terrain", "cell": "0103", "across": "3", "down": "3"})
    look(studio, whole(shown))
    rest = records(studio)["0103", "features", ""]
    assert rest.status == (status if status in KNOWN else "looked-at")
    studio.close()


def test_what_was_suggested_in_the_files_is_taken_out_where_it_is_wrong(suggested: Studio) -> None:
    desk = desk_of(suggested)
    check(desk)
    assert accept(suggested, {"layer": "terrain"})["accepted"] > 90
    read_anew(suggested)
    assert terrain_of(suggested, "0302").status == "suggested"  # type: ignore[union-attr]
    shown = sheet(suggested, "kind", kind="woods")
    at = places(shown)
    look(suggested, {"sheet": shown["id"], "said": {at["0302"]: None}, "rest": "confirm"})
    assert terrain_of(suggested, "0302") is None
    assert "\n0302,?," in (suggested.folder / "hexes.csv").read_text("utf-8")
    read_anew(suggested)
    assert "0302" not in places(sheet(suggested, "kind", kind="woods"))


def suggested_of(studio: Studio, layer: Layer) -> set[str]:
    """The cells on all sheets of kinds of a layer."""
    kinds = desk_of(studio).kinds(layer)
    return {cell for each in kinds for cell in places(sheet(studio, "kind", layer, each))}


def test_a_hex_that_nobody_could_tell_says_so_and_does_not_come_back(suggested: Studio) -> None:
    shown = sheet(suggested, "kind", kind="clear")
    look(suggested, {"sheet": shown["id"], "said": {places(shown)["0110"]: None}, "rest": "leave"})
    assert "\n0110,?," in (suggested.folder / "hexes.csv").read_text("utf-8")
    read_anew(suggested)
    assert terrain_of(suggested, "0110") is None
    assert "0110" not in suggested_of(suggested, "terrain")
    assert "0110" not in places(sheet(suggested, "offer"))
    desk = desk_of(suggested)
    desk.suggest(lambda *_: None)
    assert "0110" not in suggested_of(suggested, "terrain")
    check(desk)
    accept(suggested, {"layer": "terrain"})
    assert "\n0110,?," in (suggested.folder / "hexes.csv").read_text("utf-8")
    read_anew(suggested)
    shown = area(suggested, {"layers": "terrain", "across": "5", "down": "4", "cell": "0110"})
    (at,) = (n for n, cell in enumerate(shown["cells"]) if cell["cell"] == "0110")
    assert (shown["cells"][at]["value"], shown["cells"][at]["open"]) == (None, True)
    look(suggested, whole(shown))
    assert "\n0110,?," in (suggested.folder / "hexes.csv").read_text("utf-8")
    look(suggested, {**whole(again(suggested)), "said": {str(at): "clear"}})
    one = terrain_of(suggested, "0110")
    assert (one.value, one.status) == ("clear", "looked-at")


def again(studio: Studio) -> dict[str, Any]:
    read_anew(studio)
    asked = {"layers": "terrain", "across": "5", "down": "4", "cell": "0110"}
    return area(studio, asked)  # type: ignore[no-any-return]


@pytest.mark.parametrize("cell", ["0303/0304", "0403/0404"])
@pytest.mark.parametrize(("layer", "kind"), [("hexsides", "river"), ("lines", "road")])
@pytest.mark.parametrize("complete", ["levels", 'levels", "hexsides", "lines'])
def test_a_side_that_somebody_could_not_tell_says_so_and_does_not_come_back(
    tmp_path: Path, layer: Layer, kind: str, cell: str, complete: str
) -> None:
    pack = partial_pack.put(tmp_path)
    asked = f'provenance = "required"\ncomplete = ["{complete}"]'
    put(pack / "pack.toml", 'complete = ["levels"]', asked)
    (pack / "lines.csv").write_text("kind,path,there\nriver,0303/0304,\nroad,0303 0304,\n", "utf-8")
    by = Method("program", "a tracer")
    said = [("0303/0304", "", kind), ("0303/0304", kind, "yes"), ("0403/0404", "", "none")]
    how = ("suggested", ("a tracer",), "2026-11-22", by)
    made = [Record(Key(side, layer, name), value, *how) for side, name, value in said]
    (pack / "provenance.csv").write_text(provenance_csv(made), "utf-8")
    studio = opened(tmp_path, pack)
    shown = sheet(studio, "kind", layer, kind if cell == "0303/0304" else "none")
    assert list(places(shown)) == [cell]
    look(studio, {"sheet": shown["id"], "said": {"0": None}, "rest": "confirm"})
    read_anew(studio)
    assert desk_of(studio).pack_board.held_open(Key(cell, layer)) == (kind,)
    path = cell if layer == "hexsides" else cell.replace("/", " ")
    assert f"{kind},{path},?" in (pack / "lines.csv").read_text("utf-8")
    assert (cell, layer, "") not in records(studio)
    for each in (kind, "none"):
        assert cell not in places(sheet(studio, "kind", layer, each))
    assert cell not in places(sheet(studio, "offer", layer))
    studio.close()


def check(desk: Desk) -> None:
    """As if sixty cells had been typed blind."""
    suggested = frozenset(desk.suggested("terrain"))
    desk.checks.checked["terrain"] = Checked(Blind(60, 0, 0), suggested)


def test_a_check_holds_until_the_suggestions_change_and_outlasts_a_restart_as_what_was_left_out(
    suggested: Studio, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(PLACE, str(tmp_path / "home"))
    check(desk_of(suggested))
    shown = sheet(suggested, "nothing", "hexsides")
    look(suggested, {"sheet": shown["id"], "rest": "confirm", "seen": []})
    again = opened(tmp_path, suggested.folder)
    desk = desk_of(again)
    assert {cell["cell"] for cell in shown["cells"]} == {cell for cell, *_ in desk.checks.passed}
    desk.suggest(lambda *_: None)
    assert desk.checked_of("terrain") == Blind(60, 0, 0)
    assert accept(again, {"layer": "terrain"})["accepted"] == 106
    assert desk.checked_of("lines") is None
    key, one = next((k, one) for k, one in desk.found.items() if k.layer == "terrain")
    desk.found[key] = replace(one, value="swamp")
    assert desk.checked_of("terrain") is None
    again.close()


def test_filling_in_vouches_for_nothing_and_asks_for_a_blind_check(suggested: Studio) -> None:
    needs = {"needs": "blind", "cells": 106, "accepted": 0}
    assert accept(suggested, {"layer": "terrain"}) == needs
    shown = sheet(suggested, "blind")
    assert len(shown["cells"]) == 60
    assert all("value" not in cell for cell in shown["cells"])
    truth = partial_pack.truth()
    said = {at: truth[cell] for cell, at in places(shown).items()}
    wrong = next(iter(said))
    said[wrong] = "woods" if said[wrong] != "woods" else "clear"
    answer = look(suggested, {"sheet": shown["id"], "said": said, "rest": "leave"})
    assert (answer["blind"]["typed"], answer["blind"]["wrong"]) == (60, 1)
    assert answer["blind"]["at_most"] == round(bound(1, 60), 4)
    read_anew(suggested)
    (check,) = load_pack(suggested.folder).values["board"]["checked"].values()
    assert (check["layer"], check["who"], check["wrong"]) == ("terrain", "Wren", 1)
    assert view.overview(suggested, {})["checks"][0]["at_most"] == check["at_most"]
    answer = accept(suggested, {"layer": "terrain"})
    assert answer == {"accepted": 46, "refused": 0}
    statuses = {r.status for r in records(suggested).values() if r.key.layer == "terrain"}
    assert statuses == {"typed", "looked-at", "suggested"}
    read_anew(suggested)
    hexes = suggested.opened.game.board.hexes
    for name in hexes:
        record = terrain_of(suggested, name)
        assert (hexes[name].terrain is not None) == (record is not None and record.is_known)


def test_neither_too_few_typed_blind_nor_somebody_without_a_name_vouch(suggested: Studio) -> None:
    shown = sheet(suggested, "blind")
    with pytest.raises(UmpireError, match="at least half"):
        look(suggested, {"sheet": shown["id"], "said": {"0": "clear"}, "rest": "leave"})
    suggested.who = ""
    shown = sheet(suggested, "kind", kind="woods")
    with pytest.raises(UmpireError, match="name"):
        look(suggested, {"sheet": shown["id"], "said": {}, "rest": "confirm"})


def test_examples_of_sides_vouch_for_nothing_on_the_others(studio: Studio) -> None:
    shown = sheet(studio, "offer", "hexsides")
    rivers = partial_pack.rivers()
    said = {at: "river" for cell, at in places(shown).items() if cell in rivers}
    answer = look(studio, {"sheet": shown["id"], "said": said, "rest": "none"})
    assert answer["looked"] == len(shown["cells"])
    found = records(studio)
    cell = next(cell for cell in places(shown) if cell not in rivers)
    assert found[cell, "hexsides", ""].value == "none"
    assert found[cell, "hexsides", ""].status == "looked-at"
    assert (cell, "hexsides", "river") not in found
    read_anew(studio)
    desk_of(studio).suggest(lambda *_: None)
    kinds = {one.value for one in desk_of(studio).open_proposals("hexsides")}
    assert kinds == {"none", "river"}


def sides_of(shown: dict[str, Any]) -> set[str]:
    return {cell["cell"] for cell in shown["cells"]}


def test_that_nothing_is_there_is_asked_only_of_sides_that_moves_touch(suggested: Studio) -> None:
    suggested.start()
    while suggested.state()["judging"]:
        suggested.wait(suggested.state()["revision"], 60)
    shown = sheet(suggested, "nothing", "hexsides")
    asked = set(desk_of(suggested).touched_sides())
    assert set() < sides_of(shown) <= asked
    assert len(asked) < 200  # of 330
    assert {cell["layer"] for cell in shown["cells"]} == {"hexsides", "lines"}
    assert {cell["value"] for cell in shown["cells"]} <= {None, "none"}
    by_side = {name: [c["layer"] for c in shown["cells"] if c["cell"] == name] for name in asked}
    both = next(name for name, layers in by_side.items() if len(layers) == 2)
    out = next(name for name, layers in by_side.items() if layers and name != both)
    seen = [n for n, cell in enumerate(shown["cells"]) if cell["cell"] != out]
    answer = look(suggested, {"sheet": shown["id"], "rest": "none", "seen": seen})
    assert answer["looked"] == len(seen)
    read_anew(suggested)
    empty = {key for key, record in records(suggested).items() if record.value == "none"}
    assert {(both, "hexsides", ""), (both, "lines", "")} <= empty
    assert not {(out, "hexsides", ""), (out, "lines", "")} & records(suggested).keys()
    again = sheet(suggested, "nothing", "hexsides")
    assert both not in sides_of(again)


def test_examples_that_are_asked_for_again_begin_with_what_is_least_certain(
    suggested: Studio,
) -> None:
    shown = sheet(suggested, "offer")
    cells = [cell["cell"] for cell in shown["cells"]]
    torn, towns = "0110", {"0505", "1005"}  # of towns no example was shown
    assert set(cells[:3]) == {torn, *towns}
    assert 40 < len(cells) == len(set(cells)) <= 60


def test_a_road_that_stops_short_of_a_town_is_pointed_out(studio: Studio) -> None:
    truth = partial_pack.truth()
    towns = "".join(f"{name},town,\n" for name, terrain in truth.items() if terrain == "town")
    hexes = studio.folder / "hexes.csv"
    hexes.write_text(hexes.read_text("utf-8") + towns + "0204,,Mill\n", "utf-8")
    lines = studio.folder / "lines.csv"
    lines.write_text(lines.read_text("utf-8") + "rail,0304 0404 0504\n", "utf-8")
    read_anew(studio)
    shown = sheet(studio, "ends", "lines", "rail")
    assert "0204/0304" in sides_of(shown)
    said = {str(n): "rail" for n, c in enumerate(shown["cells"]) if c["cell"] == "0204/0304"}
    answer = look(studio, {"sheet": shown["id"], "said": said, "rest": "leave"})
    assert (answer["looked"], answer["refused"]) == (1, 0)
    read_anew(studio)
    assert "0204/0304" not in sides_of(sheet(studio, "ends", "lines", "rail"))
    assert "0203/0304" not in {key[0] for key in records(studio)}


def test_a_stretch_is_right_where_it_was_seen_and_the_overlay_switched(suggested: Studio) -> None:
    area = view.area(suggested, {"cell": "0303", "across": "6", "down": "5"})
    told = whole(area)
    with pytest.raises(UmpireError, match="expected the places of cells"):
        look(suggested, {name: value for name, value in told.items() if name != "seen"})
    assert look(suggested, told | {"seen": []})["looked"] == 0
    area = view.area(suggested, {"cell": "0303", "across": "6", "down": "5"})
    assert area["cells"]
    with pytest.raises(UmpireError, match="overlay"):
        look(suggested, {"sheet": area["id"], "said": {}, "rest": "confirm"})
    answer = look(suggested, whole(area))
    said = [cell for cell in area["cells"] if cell["value"] is not None]
    assert answer["looked"] == len(said) > 10
    assert all(
        terrain_of(suggested, cell["cell"]).status == "looked-at"  # type: ignore[union-attr]
        for cell in said
    )


def test_a_stretch_is_large_enough_and_its_blank_sides_have_nothing(studio: Studio) -> None:
    area = view.area(studio, {"cell": "0303", "across": "6", "down": "5", "pixels": "3"})
    picture = Image.open(io.BytesIO(view.area_picture(studio, {"area": area["id"]}).data))
    assert picture.size == (area["width"], area["height"])
    (cell,) = (c for c in area["cells"] if c["cell"] == "0303")
    heights = [y for _, y in cell["points"]]
    assert max(heights) - min(heights) >= 39
    area = view.area(studio, {"cell": "0303", "across": "5", "down": "5", "layers": "hexsides"})
    look(studio, whole(area))
    found = records(studio)
    assert all(found[c["cell"], "hexsides", ""].value == "none" for c in area["cells"])


def test_who_looked_first_stays_the_one_who_looked(suggested: Studio) -> None:
    shown = sheet(suggested, "kind", kind="woods")
    look(suggested, {"sheet": shown["id"], "said": {}, "rest": "confirm"})
    read_anew(suggested)
    suggested.who = "Ida"
    area = view.area(suggested, {"cell": "0303", "across": "6", "down": "5"})
    answer = look(suggested, whole(area))
    assert answer["before"] > 0
    assert terrain_of(suggested, "0302").who == ("Wren",)  # type: ignore[union-attr]
    assert terrain_of(suggested, "0303").who == ("Ida",)  # type: ignore[union-attr]


def test_a_sheet_counts_once_and_only_its_own_cells(suggested: Studio) -> None:
    shown = sheet(suggested, "kind", kind="marsh")
    for said in ({"99": None}, {"x": None}, {"0": "a\nb"}, {"0": "?"}, {"0": "none"}, {"0": 3}):
        with pytest.raises(UmpireError):
            look(suggested, {"sheet": shown["id"], "said": said, "rest": "confirm"})
    look(suggested, {"sheet": shown["id"], "said": {}, "rest": "confirm"})
    with pytest.raises(UmpireError, match="confirmed already"):
        look(suggested, {"sheet": shown["id"], "said": {}, "rest": "confirm"})
    with pytest.raises(UmpireError, match="too old"):
        look(suggested, {"sheet": "nothing", "said": {}, "rest": "confirm"})


@pytest.mark.parametrize("read", [True, False])
def test_what_somebody_else_entered_meanwhile_stays(suggested: Studio, read: bool) -> None:
    shown = sheet(suggested, "kind", kind="marsh")
    (cell,) = (cell["cell"] for cell in shown["cells"])
    edit = {"kind": "hex", "hex": cell, "layer": "terrain", "was": "", "now": "lake"}
    assert suggested.edit([edit], "a lake").refused == ()
    if read:
        read_anew(suggested)
    answer = look(suggested, {"sheet": shown["id"], "said": {}, "rest": "confirm"})
    assert (answer["kept"], answer["looked"]) == (1, 0)
    assert f"{cell},lake" in (suggested.folder / "hexes.csv").read_text("utf-8")
    held = terrain_of(suggested, cell)
    assert held is None or held.status not in ("looked-at", "double")


def test_cells_that_findings_rest_on_are_typed_a_second_time_by_another(tmp_path: Path) -> None:
    pack = partial_pack.put(tmp_path)
    for name in ("hexes.csv", "lines.csv", "pack.toml"):
        (pack / name).write_bytes((partial_pack.SAMPLE / "pack" / name).read_bytes())
    truth = {name: kind for name, kind in partial_pack.truth().items() if kind != "?"}
    seen = Method("person", "by eye")
    how = ("looked-at", ("Wren",), "2026-11-22", seen)
    made = [Record(Key(name, "terrain"), kind, *how) for name, kind in truth.items()]
    (pack / "provenance.csv").write_text(provenance_csv(made), "utf-8")
    studio = opened(tmp_path, pack)
    assert any(finding.verdict == "illegal" for finding in studio.audit.findings)
    assert sheet(studio, "double")["cells"] == []  # Wren has looked at all of them himself
    studio.who = " wren "
    assert sheet(studio, "double")["cells"] == []
    studio.who = "Ida"
    shown = sheet(studio, "double")
    assert 0 < len(shown["cells"]) < len(truth)
    assert all("value" not in cell for cell in shown["cells"])
    assert all(cell["rested"] or cell["could"] for cell in shown["cells"])
    said = {at: truth[cell] for cell, at in places(shown).items()}
    odd = next(iter(places(shown)))
    said[places(shown)[odd]] = "swamp"
    answer = look(studio, {"sheet": shown["id"], "said": said, "rest": "leave"})
    assert answer["double"] == len(shown["cells"]) - 1
    assert [one["cell"] for one in answer["differ"]] == [odd]
    assert terrain_of(studio, odd) is None
    other = next(cell for cell in places(shown) if cell != odd)
    record = terrain_of(studio, other)
    assert (record.status, record.who) == ("double", ("Wren", "Ida"))
    studio.close()


def test_the_bound_is_the_exact_one() -> None:
    assert bound(0, 60) == pytest.approx(1 - 0.05 ** (1 / 60))  # closed form for no error
    assert bound(60, 60) == 1.0
    assert bound(0, 0) == 1.0
    assert bound(1, 10) == pytest.approx(0.3942, abs=1e-4)  # tables of Clopper and Pearson
    assert bound(1, 20) == pytest.approx(0.2161, abs=1e-4)


def test_kinds_that_only_the_charts_name_are_offered_as_well(suggested: Studio) -> None:
    costs = load_pack(suggested.folder).tables["terrain"]["costs"]
    kinds = sheet(suggested, "offer")["kinds"]
    assert set(costs) <= set(kinds)
    put(suggested.folder / "pack.toml", "[rules.terrain.costs]", "[rules.terrain.costs]\nlava = 9")
    read_anew(suggested)
    assert set(sheet(suggested, "offer")["kinds"]) == {*kinds, "lava"}
