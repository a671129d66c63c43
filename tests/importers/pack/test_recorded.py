"""Terrain that the module records itself, put onto the board where the pack says nothing."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import pytest
from vassal_files import laid_out
from vassal_umpire.importers.pack.board import bind_board
from vassal_umpire.importers.pack.pack import Pack
from vassal_umpire.importers.pack.recorded import Imported, records_with, with_recorded
from vassal_umpire.importers.pack.terrain import with_terrain
from vassal_umpire.importers.vassal.formats import parse_format
from vassal_umpire.importers.vassal.grids import (
    Axis,
    HexGrid,
    Numbering,
    Zone,
    ZonedGrid,
)
from vassal_umpire.importers.vassal.layout import MapLayout
from vassal_umpire.importers.vassal.terrain_map import (
    MOST_TOLD,
    RecordedTerrain,
    cell_of,
    read_records,
)
from vassal_umpire.model.board import Line, edge
from vassal_umpire.model.names import HEXSIDE, TERRAIN, Words
from vassal_umpire.model.provenance import Key, Method, Record
from vassal_umpire.model.vouching import vouched

SHEET = '[[board.sheet]]\nmap = "Main"\n'
Maker = Callable[..., Imported]


def grid(first: int = 1, *, sideways: bool = False) -> HexGrid:
    across, down = Axis(leading=0, offset=first), Axis(leading=0, offset=1)
    return HexGrid(30, 30, 52, 60, sideways, numbering=Numbering(across, down, stagger=False))


def recorded(name: str, text: str, *, sideways: bool = False) -> RecordedTerrain:
    file = f"m.vmod: terrainMaps/{name}.txt"
    records, problems = read_records(text, file, {}, sideways)
    assert problems == ()
    return RecordedTerrain(name, file, records)


@pytest.fixture
def joined(small_pack: Callable[..., Pack]) -> Maker:
    """The board of a pack and of what a module records."""

    def make(
        *terrain: RecordedTerrain,
        toml: str = SHEET,
        laid: MapLayout | None = None,
        words: Mapping[str, Words] | None = None,
        **sheets: str,
    ) -> Imported:
        pack, layouts = small_pack(sheets=toml, **sheets), {"Main": laid or laid_out({"B": grid()})}
        bare, places, faults = bind_board(pack, layouts)
        told, more = with_terrain(bare, pack)
        assert [*faults, *more] == []
        return with_recorded(told, pack, terrain, places, layouts, words)

    return make


def terrain_of(found: Imported) -> dict[str, tuple[str, ...]]:
    return {name: here.terrain for name, here in found.board.hexes.items() if here.terrain}


def keys(found: Imported) -> dict[Key, str]:
    assert {record.status for record in found.records} <= {"imported"}
    return {record.key: record.value for record in found.records}


def test_all_kinds_of_records_become_cells(joined: Maker) -> None:
    text = "h,0,0,Woods\ne,1,1,1,2,River\nl,0,0,0,1,Road\na,0,0,Height,2\na,0,0,Town,Ay\n"
    found = joined(recorded("B", text), toml='recorded = { level = "Height" }\n' + SHEET)
    hex_ = found.board.hexes["11"]
    assert (hex_.terrain, hex_.level) == (("Woods",), 2)
    assert found.board.sides == {("22", "23"): ("River",)}
    assert found.board.lines == (Line("Road", ("11", "12")),)
    assert keys(found) == {
        Key("11", "terrain"): "Woods",
        Key("11", "level"): "2",
        Key("22/23", "hexsides", "River"): "yes",
        Key("22/23", "hexsides"): "River",
        Key("11/12", "lines", "Road"): "yes",
        Key("11/12", "lines"): "Road",
    }
    assert keys(joined(recorded("B", "a,0,0,Height,2\n"))) == {}  # a level only if the pack says so


@pytest.mark.parametrize("sideways", [False, True])
@pytest.mark.parametrize("turned", [False, True])
def test_a_record_is_of_the_hex_the_board_itself_has_there(
    joined: Maker, sideways: bool, turned: bool
) -> None:
    """Whichever way the grid runs, and whichever way round the board lies on the map."""
    own = grid(sideways=sideways)
    laid = laid_out({"B": own}, turned=["B"] * turned)
    column, row = 2, 1
    found = joined(recorded("B", f"h,{column},{row},Woods\n", sideways=sideways), laid=laid)
    (name,) = terrain_of(found)
    centre = laid.boards[0].on_map(own.centre(cell_of(own, (column, row))))
    assert laid.location_name(*centre) == name
    x, y = own.centre(cell_of(own, (column, row)))
    across, down = (60, 52) if sideways else (52, 60)
    assert (round((x - 30) / across), round((y - 30) / down)) == (column, row), "across and down"


def test_two_boards_of_one_map_have_each_their_own(joined: Maker) -> None:
    laid = laid_out({"A": grid(), "B": grid(11)})
    found = joined(recorded("A", "h,1,1,Woods\n"), recorded("B", "h,1,1,Rough\n"), laid=laid)
    assert terrain_of(found) == {"22": ("Woods",), "122": ("Rough",)}


def test_boards_that_disagree_on_a_hex_they_share_say_nothing_of_it(joined: Maker) -> None:
    """Two sheets of one surface that overlap: the second board's first column is the first's second."""
    sheets = (
        '[[board.sheet]]\nmap = "Main"\nboard = "A"\nname = "S"\n'
        '[[board.sheet]]\nmap = "Main"\nboard = "B"\nname = "S"\noffset = [2, 0]\nprefix = "B"\n'
    )
    laid = laid_out({"A": grid(), "B": grid()})
    a, b = recorded("A", "h,2,1,Woods\nh,2,2,Clear\n"), recorded("B", "h,0,1,Rough\nh,0,2,Clear\n")
    found = joined(a, b, toml=sheets, laid=laid)
    assert terrain_of(found) == {"33": ("Clear",)}
    (problem,) = found.problems
    assert problem.where == "m.vmod: terrainMaps/B.txt line 1"
    assert (
        "'Rough' is recorded where m.vmod: terrainMaps/A.txt line 1 has 'Woods'" in problem.message
    )


def test_the_spreadsheets_go_before_the_module(joined: Maker) -> None:
    text = (
        "h,0,0,Woods\nh,1,0,Woods\nh,2,0,Woods\nh,3,0,Woods\n"
        "e,0,0,0,1,River\ne,0,1,0,2,River\ne,2,2,2,3,River\nl,0,0,0,1,Road\nl,0,1,0,2,Road\n"
    )
    found = joined(
        recorded("B", text),
        hexes="hex,terrain,told,sheet\n11,clear,,\n21 31,woods,,\n31,?,,\n33,,hexsides,\n",
        lines="kind,path\nwall,11/12\ntrail,11 12\n",
    )
    assert terrain_of(found) == {"11": ("clear",), "21": ("woods",), "41": ("Woods",)}
    assert found.board.sides == {("11", "12"): ("wall",), ("12", "13"): ("River",)}
    assert [(line.kind, line.hexes) for line in found.board.lines] == [
        ("trail", ("11", "12")),
        ("Road", ("12", "13")),
    ]
    assert {key.cell for key in keys(found)} == {"41", "12/13"}


def test_layers_that_the_spreadsheets_give_in_full_are_theirs(joined: Maker) -> None:
    toml = 'complete = ["hexsides", "lines", "levels"]\nrecorded = { level = "Height" }\n'
    text = "e,0,0,0,1,River\nl,0,0,0,1,Road\na,0,0,Height,2\nh,0,0,Woods\n"
    found = joined(recorded("B", text), toml=toml + SHEET)
    assert keys(found) == {Key("11", "terrain"): "Woods"}


def test_names_are_translated(joined: Maker) -> None:
    toml = (
        SHEET + "[board.recorded.terrain]\nWoods = ['woods', 'town']\nSea = []\n"
        "[board.recorded.hexsides]\nWoods = 'hedge'\n"
    )
    text = "h,0,0,Woods\nh,1,0,Sea\nh,2,0,Woods+Town\nh,3,0,clear\ne,0,0,0,1,Woods\n"
    found = joined(recorded("B", text), toml=toml)
    assert terrain_of(found) == {"11": ("woods", "town"), "41": ("clear",)}
    assert found.board.sides == {("11", "12"): ("hedge",)}
    assert keys(found)[Key("11", "terrain")] == "woods+town"
    assert [str(p) for p in found.problems] == [
        "m.vmod: terrainMaps/B.txt line 3: expected [board.recorded] to translate 'Woods+Town'"
    ]


def test_names_nobody_knows_are_told_and_left_out(joined: Maker) -> None:
    words = {TERRAIN: Words(frozenset(["woods", "clear"]), "terrain")}
    text = "h,0,0,Woods\nh,1,0,clear\nh,2,0,Woods\ne,0,0,0,1,Ditch\n"
    found = joined(recorded("B", text), words=words)
    assert terrain_of(found) == {"21": ("clear",)}
    assert found.board.sides == {("11", "12"): ("Ditch",)}, "of which no words are told"
    (problem,) = found.problems
    assert (problem.severity, problem.where) == ("warning", "m.vmod: terrainMaps/B.txt line 1")
    assert "did you mean woods?" in problem.message
    assert problem.message.endswith("; [board.recorded] of pack.toml can translate it")


def test_many_names_nobody_knows_are_told_a_few_times(joined: Maker) -> None:
    words = {TERRAIN: Words(frozenset(["woods"]), "terrain")}
    cells = [(column, row) for column in range(6) for row in range(4)]
    text = "".join(f"h,{c},{r},Odd {c}.{r}\n" for c, r in cells[:-1])
    found = joined(recorded("B", text + "h,5,3,Odd 0.0\n"), words=words)
    assert len(found.problems) == MOST_TOLD + 1
    assert (found.problems[-1].count, found.records) == (3, ())
    assert "found Odd 0.0, and 1 more" in found.problems[0].message


def test_what_is_recorded_in_full_is_told_not_to_be_elsewhere(joined: Maker) -> None:
    toml = 'recorded = { complete = ["lines"] }\n' + SHEET
    found = joined(recorded("B", "l,0,0,0,1,Road\ne,0,0,0,1,River\n"), toml=toml)
    facts = keys(found)
    sides = {edge(a, b) for a in found.board.hexes for b in found.board.neighbours(a)}
    assert sum(key.layer == "lines" and not key.name for key in facts) == len(sides)
    assert facts[Key("11/12", "lines")] == "Road"
    assert facts[Key("12/13", "lines")] == "none"
    assert sum(key.layer == "hexsides" for key in facts) == 2


def test_what_is_not_understood_is_not_taken_for_nothing(joined: Maker) -> None:
    """Nor is a contradiction; a name that means nothing to the rules is."""
    toml = (
        '[board.recorded]\ncomplete = ["hexsides"]\n[board.recorded.hexsides]\nCrest = []\n'
        '[[board.sheet]]\nmap = "Main"\nboard = "A"\nname = "S"\n'
        '[[board.sheet]]\nmap = "Main"\nboard = "B"\nname = "S"\noffset = [2, 0]\nprefix = "B"\n'
    )
    words = {HEXSIDE: Words(frozenset(["river", "wall"]), "hexsides")}
    a = recorded("A", "e,0,0,0,1,Ditch\ne,0,1,0,2,Crest\ne,2,1,2,2,river\n")
    found = joined(
        a, recorded("B", "e,0,1,0,2,wall\n"), toml=toml, laid=laid_out({"A": grid(), "B": grid()}),
        words=words,
    )  # fmt: skip
    facts = keys(found)
    assert found.board.sides == {}
    assert Key("11/12", "hexsides") not in facts
    assert Key("32/33", "hexsides") not in facts
    assert facts[Key("12/13", "hexsides")] == facts[Key("13/14", "hexsides")] == "none"


def test_zones_with_a_grid_of_their_own_are_not_what_is_recorded(joined: Maker) -> None:
    corner = ((150, 150), (300, 150), (300, 300), (150, 300))
    own = Zone("own", corner, parse_format("$gridLocation$"), grid=grid(70))
    zoned = ZonedGrid((own,), grid())
    toml = 'recorded = { complete = ["lines"] }\n' + SHEET
    found = joined(recorded("B", "h,0,0,Woods\n"), toml=toml, laid=laid_out({"B": zoned}))
    assert any(name.startswith("7") for name in found.board.hexes)
    assert found.board.hexes["11"].terrain == ("Woods",)
    assert not any(key.cell.startswith("7") or "/7" in key.cell for key in keys(found))


def test_imported_cells_are_open_both_ways_until_somebody_vouches_for_them(joined: Maker) -> None:
    imported = joined(recorded("B", "h,0,0,Woods\ne,0,0,0,1,River\nl,0,0,0,1,Road\n"))
    side = edge("11", "12")
    told, suggestions = vouched(imported.board, records_with(imported, ()), required=False)
    assert told.hexes["11"].terrain is None
    assert told.sides.get(side, ()) == ()
    assert told.lines == ()
    assert told.maybe_on(side) is told.maybe_across(side) is None
    assert {one.status for one in suggestions} == {"imported"}
    assert len(suggestions) == 5

    def looked(cell: str, layer: str, name: str, value: str) -> Record:
        by_eye = Method("person", "eye")
        return Record(Key(cell, layer, name), value, "looked-at", ("W",), "2026-11-22", by_eye)  # type: ignore[arg-type]

    own = [
        looked("11", "terrain", "", "Woods"),
        looked("11/12", "hexsides", "River", "yes"),
        looked("11/12", "hexsides", "", "River"),
        looked("11/12", "lines", "", "Trail"),  # of another value: void
    ]
    told, suggestions = vouched(imported.board, records_with(imported, own), required=True)
    assert told.hexes["11"].terrain == ("Woods",)
    assert told.sides[side] == ("River",)
    assert told.sides_known(side)
    assert not told.lines_known(side)
    assert {(one.key.layer, one.key.name) for one in suggestions} == {
        ("lines", "Road"),
        ("lines", ""),
    }


def test_what_somebody_vouched_for_goes_before_the_module(joined: Maker) -> None:
    """A record that nothing is there says so without the module, which does not make it void."""
    text = "e,0,0,0,1,River\ne,0,1,0,2,River\nl,0,0,0,1,Road\na,0,0,Height,2\na,1,0,Height,2\n"
    rows = "".join(
        f"{cell},{layer},,none,looked-at,W,2026-11-22,person: eye,,\n"
        for cell, layer in (("11/12", "hexsides"), ("11/12", "lines"), ("11", "level"))
    )
    head = "cell,layer,name,value,status,who,when,method,confidence,picture\n"
    toml = 'recorded = { level = "Height" }\n' + SHEET
    found = joined(recorded("B", text), toml=toml, provenance=head + rows)
    assert {(key.cell, key.layer) for key in keys(found)} == {
        ("12/13", "hexsides"),
        ("21", "level"),
    }


def test_records_off_the_board_are_counted(joined: Maker) -> None:
    found = joined(recorded("B", "h,40,40,Woods\ne,0,0,-1,0,River\nh,0,0,Woods\n"))
    (problem,) = found.problems
    assert (problem.severity, problem.count) == ("note", 2)
    assert "the first: column 40, row 40" in problem.message
    assert len(found.records) == 1


def test_a_board_that_is_not_in_use_says_nothing(joined: Maker) -> None:
    found = joined(recorded("Elsewhere", "h,0,0,Woods\n"))
    assert (found.records, found.problems) == ((), ())
