"""Traits of a module's own: one warning, and what the module has in their fields as properties of a piece.
Numberings of its own."""

from __future__ import annotations

from collections.abc import Callable
from itertools import product
from pathlib import Path

import pytest
from vassal_umpire.importers.analysis.records import piece_records
from vassal_umpire.importers.pack.board import bind_board
from vassal_umpire.importers.pack.census import take_census
from vassal_umpire.importers.pack.load import load_pack
from vassal_umpire.importers.pack.new_board import new_board
from vassal_umpire.importers.pack.pack import Pack
from vassal_umpire.importers.pack.signs import Wanted, attribute_candidates
from vassal_umpire.importers.vassal.buildfile import open_module
from vassal_umpire.importers.vassal.commands import AddPiece, encode_stream
from vassal_umpire.importers.vassal.layout import MapLayout, lay_out
from vassal_umpire.importers.vassal.module import Module
from vassal_umpire.importers.vassal.own_numbering import (
    has_claims,
    named_by_pieces,
    named_otherwise,
)
from vassal_umpire.importers.vassal.replay import replay_log
from vassal_umpire.importers.vassal.savefile import read_save
from vassal_umpire.importers.vassal.writer import write_save
from vassal_umpire.model.problem import Problem
from vassal_umpire.model.table import LogHistory, Spot, TableHistory
from vassal_umpire.model.viewer import EVERYONE

Maker = Callable[..., Path]

PLAYER = "PLAYER\thunter2\tWren\tBlue"


def slot(number: int, trait: str) -> str:
    piece = f"+/null/{trait}\tpiece;;;;Unit {number}/\tnull;0;0;{number}"
    cls = "VASSAL.build.widget.PieceSlot"
    return f'<{cls} entryName="{number}" gpid="{number}">{piece}</{cls}>'


@pytest.fixture
def module(make_module: Maker) -> Module:
    slots = slot(1, "ca;0;4-4-5;12 Pz;") + slot(2, "ca;0;(2)-3-8;1 Pz;") + slot(3, "zz;;;")
    return open_module(make_module(f'<VASSAL.build.module.Map mapName="M"/>{slots}'))


def save(folder: Path, module: Module | None, *pieces: tuple[str, str]) -> LogHistory:
    """Pieces with one trait each, of this text and in this state."""
    opening = [
        AddPiece(str(n), f"{trait}\tpiece;;;;Unit {n}", f"{state}\tM;10;10;{n};0")
        for n, (trait, state) in enumerate(pieces, 1)
    ]
    write_save(folder / "game.vsav", encode_stream([PLAYER, *opening], []))
    return replay_log(read_save(folder / "game.vsav"), module)


def warnings(problems: tuple[Problem, ...]) -> list[tuple[str, int]]:
    return [(p.where, p.count) for p in problems if p.code == "unknown-trait"]


def test_one_warning_tells_of_all_of_them(module: Module) -> None:
    (said,) = (p for p in module.problems if p.code == "unknown-trait")
    assert said.count == 3
    assert "('ca;', 'zz;')" in said.message
    assert "such as ca;1" in said.message


def test_pieces_of_a_save_are_counted_where_the_module_has_no_such_trait(
    module: Module, tmp_path: Path
) -> None:
    ours, theirs = ("ca;0;4-4-5;12 Pz;", ""), ("qq;1;2", "")
    assert warnings(save(tmp_path, module, ours).problems) == []
    assert warnings(save(tmp_path, module, ours, theirs, theirs).problems) == [("game.vsav", 2)]
    assert warnings(save(tmp_path, None, ours, theirs).problems) == [("game.vsav", 2)]
    # a piece that such a trait may hide is not counted, for then the number would tell that it is there
    assert warnings(save(tmp_path, module, theirs, ("qq;1;2", "hunter2")).problems) == [
        ("game.vsav", 1)
    ]


def test_what_the_module_has_in_fields_is_a_property(module: Module, tmp_path: Path) -> None:
    history = save(tmp_path, module, ("ca;0;4-4-5;12 Pz;", ""), ("ca;0;(2)-3-8;1 Pz;", ""))
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


def test_they_are_offered_as_sources_of_attributes(module: Module, tmp_path: Path) -> None:
    history = save(tmp_path, module, ("ca;0;4-4-5;12 Pz;", ""), ("ca;0;(2)-3-8;1 Pz;", ""))
    census = take_census(module, TableHistory((history,), (), ()), {"M"}, EVERYONE)
    found = attribute_candidates(census.kinds, Wanted("ma", number=True))
    assert {"property": "ca;2.3", "number": True} in [dict(one.lookup) for one in found]


def test_no_id_of_a_player_is_among_them(module: Module, tmp_path: Path) -> None:
    """Neither in a field that the module leaves empty, nor in another, nor where the trait conceals."""
    history = save(
        tmp_path,
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
    other = save(tmp_path, module, ("ca;0;4-4-5;12 Pz;swordfish", ""), ("ca;swordfish;4-4-5", ""))
    assert "swordfish" not in str([dict(p.properties) for p in other.opening.pieces.values()])


# -- Numberings of a module's own are fitted to what pieces remember of where they were ------------


Counts = Callable[[int, int], str]

V = "VASSAL.build.module"
BOARDS = f"{V}.map.boardPicker"
GRIDS = f"{BOARDS}.board"
COLUMNS, ROWS = 12, 9


def build_file(numbering: str = "own.HexGridNumbering", zone: bool = False, sep: str = "") -> str:
    numbers = f'<{numbering} first="H" sep="{sep}" hOff="0" hLeading="1" vOff="0" vLeading="1"/>'
    grid = f'<{GRIDS}.HexGrid x0="20" y0="25" dx="40" dy="50">{numbers}</{GRIDS}.HexGrid>'
    if zone:
        path = f'path="0,0;{40 * COLUMNS},0;{40 * COLUMNS},{50 * ROWS};0,{50 * ROWS}"'
        of_zone = f'locationFormat="$name$ ($gridLocation$)" {path}'
        grid = f'<{GRIDS}.mapgrid.Zone name="Front" {of_zone}>{grid}</{GRIDS}.mapgrid.Zone>'
        grid = f"<{GRIDS}.ZonedGrid>{grid}</{GRIDS}.ZonedGrid>"
    board = (
        f'<{GRIDS[: -len(".board")]}.Board name="B" width="{40 * COLUMNS}" height="{50 * ROWS}">'
    )
    picker = f"<{V}.map.BoardPicker>{board}{grid}</{BOARDS}.Board></{V}.map.BoardPicker>"
    return f'<{V}.Map mapName="M">{picker}</{V}.Map>'


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
    folder: Path,
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
    write_save(folder / "game.vsav", encode_stream(opening, []))
    laid = lay_out(module.maps)
    layouts = {a_map.identifier: laid[a_map.id] for a_map in module.maps}
    return layouts, replay_log(read_save(folder / "game.vsav"), module)


def names(module: Module) -> dict[tuple[int, int], str]:
    layout = lay_out(module.maps)["Map0"]
    inside = product(range(COLUMNS), range(ROWS - 1))
    return {cell: layout.location_name(*centre(*cell)) for cell in inside}


@pytest.mark.parametrize("counts", [third_reich, slanting, by_twos])
@pytest.mark.parametrize("zone", [False, True], ids=["board", "zone"])
def test_every_hex_is_named_as_the_pieces_remember(
    counts: Counts, zone: bool, make_module: Maker, tmp_path: Path
) -> None:
    module = open_module(make_module(build_file(zone=zone)))
    assert has_claims(module)
    assert set(names(module).values()) == {""}
    form = "Front ({})" if zone else "{}"
    found = named_by_pieces(module, [played(tmp_path, module, counts, SOME, name=form)])
    assert names(found) == {cell: form.format(counts(*cell)) for cell in names(found)}
    assert not has_claims(found)
    said = found.problems[0]
    assert (said.code, said.severity) == ("names-by-pieces", "note")
    assert "10 of 10 agree" in said.message


def test_a_piece_from_elsewhere_raises_a_suspicion(make_module: Maker, tmp_path: Path) -> None:
    module = open_module(make_module(build_file()))

    def but_one(column: int, row: int) -> str:
        return third_reich(column, row + (column == 9))

    found = named_by_pieces(module, [played(tmp_path, module, but_one, SOME)])
    assert set(names(found).values()) == {""}
    said = found.problems[0]
    assert "9 of 10 hexes where pieces were agree about how it counts" in said.message
    assert "another version of the module or on another board" in said.message


def test_what_fits_several_ways_of_counting_stays_open(make_module: Maker, tmp_path: Path) -> None:
    """Pieces that all came from one column tell nothing of the others."""
    module = open_module(make_module(build_file()))
    column = [(4, row) for row in range(6)]
    found = named_by_pieces(module, [played(tmp_path, module, third_reich, column)])
    assert set(names(found).values()) == {""}
    assert "6 of 6 hexes where pieces were fit several ways" in found.problems[0].message


def test_names_that_fit_nothing_stay_open(make_module: Maker, tmp_path: Path) -> None:
    module = open_module(make_module(build_file()))
    found = named_by_pieces(module, [played(tmp_path, module, by_squares, SOME)])
    assert set(names(found).values()) == {""}
    assert "fit no way of counting known here" in found.problems[0].message


def test_hidden_pieces_are_not_asked(make_module: Maker, tmp_path: Path) -> None:
    module = open_module(make_module(build_file()))
    found = named_by_pieces(module, [played(tmp_path, module, third_reich, SOME, hidden="Red")])
    assert found.problems == module.problems
    assert set(names(found).values()) == {""}


@pytest.mark.parametrize(("shift", "told"), [(0, 0), (1, 1)])
def test_a_module_whose_names_are_not_those_of_the_game_is_suspected(
    shift: int, told: int, make_module: Maker, tmp_path: Path
) -> None:
    """The engine's own numbering needs no fit; the pieces tell whether it is the one that was played with."""
    module = open_module(make_module(build_file(f"{GRIDS}.mapgrid.HexGridNumbering", sep=".")))

    def engine(column: int, row: int) -> str:
        return f"{column + shift:02d}.{row + column % 2:02d}"

    said = named_otherwise([played(tmp_path, module, engine, SOME)])
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


def pack_with(folder: Path, numbers: dict[str, str]) -> Pack:
    rows = ", ".join(f'"{cell}" = "{name}"' for cell, name in numbers.items())
    text = '[pack]\nname = "p"\nversion = "1"\nruleset = "generic"\n[board]\n[[board.sheet]]\nmap = "M"\n'
    (folder / "pack.toml").write_text(f"{text}numbers = {{ {rows} }}\n", "utf-8")
    return load_pack(folder)


@pytest.mark.parametrize("counts", [third_reich, slanting, by_twos])
@pytest.mark.parametrize("zone", [False, True], ids=["board", "zone"])
def test_a_pack_tells_some_numbers_and_the_others_follow(
    counts: Counts, zone: bool, make_module: Maker, tmp_path: Path
) -> None:
    module = open_module(make_module(build_file(zone=zone)))
    before = "Front " if zone else ""
    told = {f"{before}{c:02d}.{r:02d}": counts(c, r) for c, r in SOME[:6]}
    layout = lay_out(module.maps)["Map0"]
    board, places, faults = bind_board(pack_with(tmp_path, told), {"M": layout})
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
    told: dict[str, str], said: str, make_module: Maker, tmp_path: Path
) -> None:
    module = open_module(make_module(build_file()))
    (fault,) = bind_board(pack_with(tmp_path, told), {"M": lay_out(module.maps)["Map0"]})[2]
    assert said in fault.message
    assert "board.sheet[1].numbers" in fault.message
