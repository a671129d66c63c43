"""Traits of a module's own: one warning, and what the module has in their fields as properties of a piece.
Numberings of its own."""

from __future__ import annotations

from collections.abc import Callable
from itertools import product
from pathlib import Path

import pytest
from vassal_files import GRIDS, MAP, SLOT, ZONE, a_board, a_map, element, replayed
from vassal_umpire.importers.analysis.records import piece_records
from vassal_umpire.importers.pack.board import bind_board
from vassal_umpire.importers.pack.census import take_census
from vassal_umpire.importers.pack.new_board import new_board
from vassal_umpire.importers.pack.pack import Pack
from vassal_umpire.importers.pack.signs import Wanted, attribute_candidates
from vassal_umpire.importers.vassal.buildfile import open_module
from vassal_umpire.importers.vassal.commands import AddPiece
from vassal_umpire.importers.vassal.layout import MapLayout, lay_out
from vassal_umpire.importers.vassal.module import Module
from vassal_umpire.importers.vassal.own_numbering import (
    has_claims,
    named_by_pieces,
    named_otherwise,
)
from vassal_umpire.model.problem import Problem
from vassal_umpire.model.table import LogHistory, Spot, TableHistory
from vassal_umpire.model.viewer import EVERYONE

Maker = Callable[..., Path]

PLAYER = "PLAYER\thunter2\tWren\tBlue"


def slot(number: int, trait: str) -> str:
    piece = f"+/null/{trait}\tpiece;;;;Unit {number}/\tnull;0;0;{number}"
    return element(SLOT, piece, entryName=number, gpid=number)


@pytest.fixture
def module(make_module: Maker) -> Module:
    slots = slot(1, "ca;0;4-4-5;12 Pz;") + slot(2, "ca;0;(2)-3-8;1 Pz;") + slot(3, "zz;;;")
    return open_module(make_module(element(MAP, mapName="M") + slots))


def save(module: Module | None, *pieces: tuple[str, str]) -> LogHistory:
    """Pieces with one trait each, of this text and in this state."""
    opening = [
        AddPiece(str(n), f"{trait}\tpiece;;;;Unit {n}", f"{state}\tM;10;10;{n};0")
        for n, (trait, state) in enumerate(pieces, 1)
    ]
    return replayed([PLAYER, *opening], module=module)


def warnings(problems: tuple[Problem, ...]) -> list[tuple[str, int]]:
    return [(p.where, p.count) for p in problems if p.code == "unknown-trait"]


def test_one_warning_tells_of_all_of_them(module: Module) -> None:
    (said,) = (p for p in module.problems if p.code == "unknown-trait")
    assert said.count == 3
    assert "('ca;', 'zz;')" in said.message
    assert "such as ca;1" in said.message


def test_pieces_of_a_save_are_counted_where_the_module_has_no_such_trait(module: Module) -> None:
    ours, theirs = ("ca;0;4-4-5;12 Pz;", ""), ("qq;1;2", "")
    assert warnings(save(module, ours).problems) == []
    assert warnings(save(module, ours, theirs, theirs).problems) == [("game.vlog", 2)]
    assert warnings(save(None, ours, theirs).problems) == [("game.vlog", 2)]
    # a piece that such a trait may hide is not counted, for then the number would tell that it is there
    assert warnings(save(module, theirs, ("qq;1;2", "hunter2")).problems) == [("game.vlog", 1)]


def test_what_the_module_has_in_fields_is_a_property(module: Module) -> None:
    history = save(module, ("ca;0;4-4-5;12 Pz;", ""), ("ca;0;(2)-3-8;1 Pz;", ""))
    first, second = (history.opening.pieces[n].facts for n in "12")
    assert dict(first.properties) == {
        "ca;1": "0",
        "ca;2": "4-4-5",
        "ca;2.1": "4",
        "ca;2.2": "4",
        "ca;2.3": "5",
        "ca;3": "12 Pz",
    }
    assert [second.property(f"ca;2.{n}") for n in (1, 2, 3)] == ["2", "3", "8"]
    assert first.knows("ca;9")
    assert first.property("ca;9") is None
    records = {record["id"]: record for record in piece_records(history, EVERYONE)}
    assert records["1"]["properties"]["ca;2"] == "4-4-5"


def test_they_are_offered_as_sources_of_attributes(module: Module) -> None:
    history = save(module, ("ca;0;4-4-5;12 Pz;", ""), ("ca;0;(2)-3-8;1 Pz;", ""))
    census = take_census(module, TableHistory((history,), (), ()), {"M"}, EVERYONE)
    found = attribute_candidates(census.kinds, Wanted("ma", number=True))
    assert {"property": "ca;2.3", "number": True} in [dict(one.lookup) for one in found]


def test_no_id_of_a_player_is_among_them(module: Module) -> None:
    """Neither in a field that the module leaves empty, nor in another, nor where the trait conceals."""
    history = save(
        module,
        ("ca;0;4-4-5;12 Pz;hunter2", ""),
        ("ca;0;hunter2;1 Pz;", ""),
        ("ca;0;4-4-5;12 Pz;", "hunter2"),
    )
    told = [dict(history.opening.pieces[n].properties) for n in "123"]
    assert "hunter2" not in str(told)
    assert (told[0]["ca;2"], told[1]["ca;3"]) == ("4-4-5", "1 Pz")
    assert told[2] == {}
    assert not history.opening.pieces["3"].facts.knows("ca;2")
    # nor is what some other id may be, of a player who is not known here
    other = save(module, ("ca;0;4-4-5;12 Pz;swordfish", ""), ("ca;swordfish;4-4-5", ""))
    assert "swordfish" not in str([dict(p.properties) for p in other.opening.pieces.values()])


# -- Numberings of a module's own are fitted to what pieces remember of where they were ------------


Counts = Callable[[int, int], str]

COLUMNS, ROWS = 12, 9


def build_file(numbering: str = "own.HexGridNumbering", zone: bool = False, sep: str = "") -> str:
    numbers = element(numbering, first="H", sep=sep, hOff=0, hLeading=1, vOff=0, vLeading=1)
    grid = element(f"{GRIDS}.HexGrid", numbers, x0=20, y0=25, dx=40, dy=50)
    if zone:
        path = f"0,0;{40 * COLUMNS},0;{40 * COLUMNS},{50 * ROWS};0,{50 * ROWS}"
        of_zone = {"locationFormat": "$name$ ($gridLocation$)", "path": path}
        grid = element(f"{GRIDS}.ZonedGrid", element(ZONE, grid, name="Front", **of_zone))
    return a_map("M", a_board("B", grid, width=40 * COLUMNS, height=50 * ROWS))


def centre(column: int, row: int) -> tuple[int, int]:
    return 20 + 40 * column, 25 + 50 * row + (25 if column % 2 else 0)


def third_reich(column: int, row: int) -> str:
    """An oblique numbering: rows fewer by half the columns, of the engine's column and row."""
    row += column % 2  # the engine's stagger
    return f"{column:02d}{row + 20 - (column - 1) // 2:02d}"


def slanting(column: int, row: int) -> str:
    """An oblique numbering whose columns slant as well."""
    row += column % 2
    new = row - column // 2 + (column % 2 == 0) + 30
    return f"{column + (new + 10001) // 2 - 5000:02d}{new:02d}"


def by_twos(column: int, row: int) -> str:
    return f"{column:02d}{2 * row + column % 2:02d}"


def by_squares(column: int, row: int) -> str:
    """Nothing that anybody would print."""
    return f"{column * column:02d}{row:02d}"


SOME = [(1, 1), (2, 4), (5, 3), (6, 6), (9, 2), (10, 7), (4, 0), (3, 5), (7, 1), (8, 4)]


def played(
    module: Module,
    counts: Counts,
    hexes: list[tuple[int, int]],
    *,
    name: str = "{}",
    hidden: str | None = None,
) -> tuple[dict[str, MapLayout], LogHistory]:
    """A save in which a piece has come from each of ``hexes``."""
    opening = []
    for number, cell in enumerate(hexes):
        x, y = centre(*cell)
        old = f"4;OldMap;M;OldX;{x};OldY;{y};OldLocationName;{name.format(counts(*cell))}"
        kind, state = "piece;;;;Unit", f"M;300;300;7;{old}"
        if hidden is not None:
            kind, state = f"hide;73,130;Invisible;;side:\t{kind}", f"{hidden}\t{state}"
        opening.append(AddPiece(str(number + 1), kind, state))
    (window,) = module.maps
    layouts = {window.identifier: lay_out(module.maps)[window.id]}
    return layouts, replayed(opening, module=module)


def names(module: Module) -> dict[tuple[int, int], str]:
    layout = lay_out(module.maps)["Map0"]
    inside = product(range(COLUMNS), range(ROWS - 1))
    return {cell: layout.location_name(*centre(*cell)) for cell in inside}


@pytest.mark.parametrize("counts", [third_reich, slanting, by_twos])
@pytest.mark.parametrize("zone", [False, True], ids=["board", "zone"])
def test_every_hex_is_named_as_the_pieces_remember(
    counts: Counts, zone: bool, make_module: Maker
) -> None:
    module = open_module(make_module(build_file(zone=zone)))
    assert has_claims(module)
    assert set(names(module).values()) == {""}
    form = "Front ({})" if zone else "{}"
    found = named_by_pieces(module, [played(module, counts, SOME, name=form)])
    assert names(found) == {cell: form.format(counts(*cell)) for cell in names(found)}
    assert not has_claims(found)
    said = found.problems[0]
    assert (said.code, said.severity) == ("names-by-pieces", "note")
    assert "10 of 10 agree" in said.message


def but_one(column: int, row: int) -> str:
    return third_reich(column, row + (column == 9))


@pytest.mark.parametrize(
    ("counts", "hexes", "said"),
    [
        (but_one, SOME, "9 of 10 hexes where pieces were agree about how it counts"),
        (but_one, SOME, "another version of the module or on another board"),
        (
            third_reich,
            [(4, row) for row in range(6)],
            "6 of 6 hexes where pieces were fit several ways",
        ),
        (by_squares, SOME, "fit no way of counting known here"),
    ],
    ids=["a suspicion", "of another version", "one column", "nothing fits"],
)
def test_names_that_pieces_do_not_settle_stay_open(
    counts: Counts, hexes: list[tuple[int, int]], said: str, make_module: Maker
) -> None:
    module = open_module(make_module(build_file()))
    found = named_by_pieces(module, [played(module, counts, hexes)])
    assert set(names(found).values()) == {""}
    assert said in found.problems[0].message


def test_hidden_pieces_are_not_asked(make_module: Maker) -> None:
    module = open_module(make_module(build_file()))
    found = named_by_pieces(module, [played(module, third_reich, SOME, hidden="Red")])
    assert found.problems == module.problems
    assert set(names(found).values()) == {""}


@pytest.mark.parametrize(("shift", "told"), [(0, 0), (1, 1)])
def test_a_module_whose_names_are_not_those_of_the_game_is_suspected(
    shift: int, told: int, make_module: Maker
) -> None:
    """The engine's own numbering needs no fit; the pieces tell whether it is the one that was played with."""
    module = open_module(make_module(build_file(f"{GRIDS}.mapgrid.HexGridNumbering", sep=".")))

    def engine(column: int, row: int) -> str:
        return f"{column + shift:02d}.{row + column % 2:02d}"

    said = named_otherwise([played(module, engine, SOME)])
    assert [problem.code for problem in said] == ["names-not-as-played"] * told
    assert all("10 of 10 hexes where pieces were had other names" in p.message for p in said)


@pytest.mark.parametrize(("zone", "first"), [(False, "00.00"), (True, "Front 00.00")])
def test_hexes_that_nothing_names_go_by_column_and_row(
    zone: bool, first: str, make_module: Maker
) -> None:
    """So a pack can be begun; those of a zone's own grid were left out."""
    module = open_module(make_module(build_file(zone=zone)))
    (sheet,) = new_board({"M": lay_out(module.maps)["Map0"]}).sheets
    assert (sheet.examples[0], sheet.numbered) == (first, False)
    assert sheet.hexes >= COLUMNS * (ROWS - 1)


COLUMN = {f"04.0{row}": f"042{row}" for row in range(1, 5)}


def numbers_of(cells: dict[str, str]) -> str:
    """For a sheet of a pack."""
    rows = ", ".join(f'"{cell}" = "{name}"' for cell, name in cells.items())
    return f"numbers = {{ {rows} }}\n"


@pytest.mark.parametrize("counts", [third_reich, slanting, by_twos])
@pytest.mark.parametrize("zone", [False, True], ids=["board", "zone"])
def test_a_pack_tells_some_numbers_and_the_others_follow(
    counts: Counts, zone: bool, make_module: Maker, small_pack: Callable[..., Pack]
) -> None:
    module = open_module(make_module(build_file(zone=zone)))
    before = "Front " if zone else ""
    told = {f"{before}{c:02d}.{r:02d}": counts(c, r) for c, r in SOME[:6]}
    layout = lay_out(module.maps)["Map0"]
    board, places, faults = bind_board(small_pack(numbers_of(told)), {"M": layout})
    assert faults == ()
    inside = list(product(range(COLUMNS), range(ROWS - 1)))
    assert {counts(*cell) for cell in inside} <= set(board.hexes)
    assert [places.of(Spot("M", *centre(*cell))).name for cell in inside] == [
        counts(*cell) for cell in inside
    ]


@pytest.mark.parametrize(
    ("told", "said"),
    [
        (COLUMN, "ways of counting; expected more"),
        ({**COLUMN, "05.01": "9999"}, "only 4 of 5 fit one way of counting"),
        (
            {**COLUMN, "hex 1": "0421"},
            "expected hexes that the module does not name, such as 07.03; found hex 1",
        ),
    ],
)
def test_numbers_that_do_not_settle_it_are_a_fault_of_the_pack(
    told: dict[str, str], said: str, make_module: Maker, small_pack: Callable[..., Pack]
) -> None:
    module = open_module(make_module(build_file()))
    pack = small_pack(numbers_of(told))
    (fault,) = bind_board(pack, {"M": lay_out(module.maps)["Map0"]})[2]
    assert said in fault.message
    assert "board.sheet[1].numbers" in fault.message
