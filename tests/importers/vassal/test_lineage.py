"""Components of classes of the module's own are read as what they extend; what their code alone could tell
is open."""

from __future__ import annotations

import struct
from collections.abc import Callable
from pathlib import Path

import pytest
from vassal_files import BOARD, GRIDS, MAP, ZONE, a_board, a_map, element, replayed
from vassal_umpire.importers.vassal.buildfile import open_module
from vassal_umpire.importers.vassal.commands import AddPiece, MovePiece
from vassal_umpire.importers.vassal.grids import HexGrid
from vassal_umpire.importers.vassal.layout import OFFBOARD, lay_out
from vassal_umpire.importers.vassal.lineage import Lineage, read_class
from vassal_umpire.importers.vassal.module import Module
from vassal_umpire.importers.vassal.places import named_places
from vassal_umpire.model.table import LogHistory

Maker = Callable[..., Path]

V = "VASSAL.build.module"
NUMBERING = f"{GRIDS}.mapgrid.HexGridNumbering"

# How VASL's own build file is laid out: two windows, the first of classes of its own, whose picker finds its
# boards in a folder on the player's disk.
VASL = element(
    "VASL.build.module.ASLMap",
    element("VASL.build.module.map.ASLBoardPicker")
    + element("VASL.build.module.map.ASLGlobalMap", scale=0.2)
    + element("VASL.build.module.map.BoardSwapper")
    + element("VASL.build.module.map.ASLStackMetrics", disabled="true"),
    mapName="Main Map", edgeWidth=400, edgeHeight=400,
) + a_map("Casualties", a_board("Casualties", width=500, height=500))  # fmt: skip


def class_file(
    name: str, above: str, methods: tuple[str, ...] = (), *, own: str = "", touched: str = ""
) -> bytes:
    """A class file with a number of two slots in its pool, methods with code, a field of its ``own``, and one
    that its code touches."""

    def text(value: str) -> bytes:
        return b"\x01" + struct.pack(">H", len(value)) + value.encode()

    pool = [
        b"\x05" + struct.pack(">q", 7),
        text(name.replace(".", "/")),
        b"\x07" + struct.pack(">H", 3),
        text(above.replace(".", "/")),
        b"\x07" + struct.pack(">H", 5),
        text("Code"),
        text("()V"),
        text(own or "it"),
        text(touched or "it"),
        b"\x0c" + struct.pack(">HH", 10, 8),
        b"\x09" + struct.pack(">HH", 4, 11) if touched else text("nothing"),
        *map(text, methods),
    ]
    head = b"\xca\xfe\xba\xbe" + struct.pack(">HHH", 0, 55, len(pool) + 2)
    about = struct.pack(">HHHH", 0x21, 4, 6, 0)
    fields = struct.pack(">H", 1 if own else 0) + (struct.pack(">HHHH", 2, 9, 8, 0) if own else b"")
    code = struct.pack(">HI", 7, 3) + b"\0\0\0"
    table = struct.pack(">H", len(methods)) + b"".join(
        struct.pack(">HHHH", 1, 13 + n, 8, 1) + code for n in range(len(methods))
    )
    return head + b"".join(pool) + about + fields + table + struct.pack(">H", 0)


def _classes(**above: str) -> dict[str, bytes]:
    """Entries of a module with classes of its own: names with ``__`` for dots, and what they extend."""
    names = {name.replace("__", "."): parent for name, parent in above.items()}
    return {f"{n.replace('.', '/')}.class": class_file(n, parent) for n, parent in names.items()}


def _codes(module: Module) -> list[str]:
    return sorted(problem.code for problem in module.problems)


def _log(module: Module) -> LogHistory:
    """A squad on the main map that is dragged twice, and one that goes to the casualties."""
    opening = [
        AddPiece("1", "piece;;;;Squad", "Main Map;500;600;7;0"),
        AddPiece("2", "piece;;;;Dead Squad", "Map0;900;600;8;0"),
        "bd\t0\t0\t02\tVER\t6.4\t",
    ]
    steps = [
        [MovePiece("1", "Main Map", 556, 632, None, "Main Map", 500, 600, "x")],
        [MovePiece("1", "Map0", 612, 632, None, "Main Map", 556, 632, "x")],
        [MovePiece("2", "Casualties", 40, 50, None, "Main Map", 900, 600, "x")],
    ]
    return replayed(opening, *steps, module=module)


@pytest.mark.parametrize(
    "classes",
    [
        {},  # the module comes without its classes: their names must do
        _classes(
            VASL__build__module__ASLMap="VASL.build.module.ASLBaseMap",
            VASL__build__module__ASLBaseMap=MAP,
            VASL__build__module__map__ASLBoardPicker=f"{V}.map.BoardPicker",
            VASL__build__module__map__ASLStackMetrics=f"{V}.map.StackMetrics",
            VASL__build__module__map__ASLGlobalMap=f"{V}.map.GlobalMap",
        ),
    ],
    ids=["by name", "by class file"],
)
def test_the_main_map_of_vasl_is_read_and_its_moves_are_kept(
    classes: dict[str, bytes], make_module: Maker
) -> None:
    module = open_module(make_module(VASL, **classes))
    assert [(m.id, m.name, m.kind, m.boards_elsewhere) for m in module.maps] == [
        ("Map0", "Main Map", "custom", True),
        ("Map1", "Casualties", "Map", False),
    ]
    assert (module.maps[0].edge_width, module.maps[0].stacking) == (400, False)
    (said,) = (p for p in module.problems if p.code == "boards-elsewhere")
    assert "VASL.build.module.map.ASLBoardPicker" in said.message
    assert said.where == "ASLMap Main Map / ASLBoardPicker"

    history = _log(module)
    assert [p.spot and p.spot.map for p in history.opening.pieces.values()] == ["Main Map"] * 2
    moves = [d for step in history.steps for d in step.displacements]
    assert [(d.piece, d.origin and d.origin.map, d.target and d.target.map) for d in moves] == [
        ("1", "Main Map", "Main Map"),
        ("1", "Main Map", "Main Map"),
        ("2", "Main Map", "Casualties"),
    ]
    # nobody here knows what VASL's boards call these pixels: no name, and no claim that there is none
    assert {p.location for p in history.opening.pieces.values()} == {""}
    assert not any(p.code == "unknown-map" for p in history.problems)


def test_the_problem_says_what_a_class_is_taken_for(make_module: Maker) -> None:
    classes = _classes(VASL__build__module__ASLMap=MAP)
    module = open_module(make_module(VASL, **classes))
    told = {
        p.message.split()[0]: p.message for p in module.problems if p.code == "custom-component"
    }
    assert "read as VASSAL's Map; what it does otherwise" in told["VASL.build.module.ASLMap"]
    picker = told["VASL.build.module.map.ASLBoardPicker"]
    assert "read as VASSAL's BoardPicker by its name; what" in picker
    assert "own; what it does is not known" in told["VASL.build.module.map.BoardSwapper"]


def _boards(inside: str, board: str = BOARD, a_class: str = MAP, **more: str) -> str:
    one = element(board, inside, name="B", width=400, height=400)
    return a_map("M", one, kind=a_class, **more)


def _hexes(grid: str = f"{GRIDS}.HexGrid", numbering: str = NUMBERING, **more: str) -> str:
    numbers = element(numbering, first="H", hType="N", hLeading=1, vType="N", vLeading=1, **more)
    return element(grid, numbers, x0=20, y0=20, dx=40, dy=50)


def test_windows_that_only_end_like_maps_are_none(make_module: Maker) -> None:
    text = '<own.TreasureMap name="x"/>' + _boards(_hexes(), a_class=MAP) + "<own.RoadMap/>"
    assert [m.id for m in open_module(make_module(text)).maps] == ["Map0"]


def test_a_class_that_extends_nothing_of_vassals_is_none_whatever_its_name(
    make_module: Maker,
) -> None:
    text = '<own.WarMap mapName="not one"/>' + _boards(_hexes())
    module = open_module(make_module(text, **_classes(own__WarMap="java.lang.Object")))
    assert [m.name for m in module.maps] == ["M"]


def test_any_name_will_do_where_the_class_file_tells(make_module: Maker) -> None:
    """What a class extends counts, not what it is called; in what order archives are read does not."""
    pattern = element("own.Pattern", x0=20, y0=20, dx=40, dy=50)
    piece = "+/null/piece;;;;C/null;0;0;1"
    text = (
        _boards(pattern, board="own.Sheet", a_class="own.Theatre", side="Red")
        + element("own.Counter", piece, entryName="c", gpid=1)
        + element("own.Clock", name="T")
    )
    classes = _classes(
        own__Theatre=f"{V}.PrivateMap",
        own__Sheet=BOARD,
        own__Pattern=f"{GRIDS}.HexGrid",
        own__Counter="VASSAL.build.widget.PieceSlot",
        own__Clock="VASSAL.build.module.turn.TurnTracker",
    )
    module = open_module(make_module(text, **classes))
    (window,) = module.maps
    assert (window.owners, window.visible_to_all) == (("Red",), False)
    assert isinstance(window.boards[0].grid, HexGrid)
    assert [slot.entry_name for slot in module.slots] == ["c"]
    assert [tracker.name for tracker in module.turn_trackers] == ["T"]


def test_a_private_map_of_a_class_nobody_has_stays_private(make_module: Maker) -> None:
    text = _boards(_hexes(), a_class="own.Table", side="Red")
    (window,) = open_module(make_module(text)).maps
    assert (window.owners, window.visible_to_all) == (("Red",), False)


@pytest.mark.parametrize(
    ("inside", "board"),
    [
        (_hexes(numbering="own.ObliqueHexGridNumbering"), BOARD),
        (_hexes(grid="own.ShiftedHexGrid"), BOARD),
        (_hexes(), "own.FoldedBoard"),
    ],
    ids=["numbering", "grid", "board"],
)
def test_names_that_own_code_gives_are_open_and_its_hexes_are_kept(
    inside: str, board: str, make_module: Maker
) -> None:
    """ThirdReich.ObliqueHexGridNumbering is called like the engine's and names otherwise."""
    module = open_module(make_module(_boards(inside, board)))
    layout = lay_out(module.maps)["Map0"]
    assert layout.location_name(100, 120) == ""
    assert layout.location_name(900, 120) == OFFBOARD
    assert layout.place(100, 120) is not None
    assert list(named_places(layout)) == []
    assert "names-by-own-code" in _codes(module)
    plain = lay_out(open_module(make_module(_boards(_hexes()))).maps)["Map0"]
    assert plain.location_name(100, 120)
    assert layout.place(100, 120) == plain.place(100, 120)


def test_a_zone_named_by_own_code_is_open_and_the_others_are_not(make_module: Maker) -> None:
    def zone(cls: str, name: str, left: int) -> str:
        path = f"{left},0;{left + 200},0;{left + 200},400;{left},400"
        return element(cls, name=name, path=path, locationFormat="$name$")

    zones = zone("own.FogZone", "North", 0) + zone(ZONE, "South", 200)
    module = open_module(make_module(_boards(element(f"{GRIDS}.ZonedGrid", zones))))
    layout = lay_out(module.maps)["Map0"]
    assert (layout.location_name(100, 100), layout.location_name(300, 100)) == ("", "South")


def test_a_name_made_by_an_expression_is_open(make_module: Maker) -> None:
    inside = _hexes(locationFormat="{gridLocation + 1}")
    module = open_module(make_module(_boards(inside)))
    assert lay_out(module.maps)["Map0"].location_name(100, 120) == ""
    assert "expression-not-evaluated" in _codes(module)


def test_an_extension_finds_a_map_of_the_modules_own_by_its_name(make_module: Maker) -> None:
    maps = a_map("North", a_board("B"), kind="own.WarMap") + _boards("", a_class="own.WarMap")
    module = make_module(maps, **_classes(own__WarMap=MAP))
    stack = element(f"{V}.map.SetupStack", name="S")
    extension = make_module(
        element(f"{V}.ExtensionElement", stack, target="own.WarMap:M"),
        root=f"{V}.ModuleExtension",
        attributes='module="Test" version="1" anyModule="false"',
        file_name="more.vmdx",
        extensiondata=b'<?xml version="1.0"?><data version="1"/>',
    )
    found = open_module(module, [extension])
    assert [(m.name, [s.name for s in m.setup_stacks]) for m in found.maps] == [
        ("North", []),
        ("M", ["S"]),
    ]


@pytest.mark.parametrize(
    ("numbering", "named"),
    [
        (class_file("own.Count", NUMBERING, ("<init>", "draw")), True),
        (class_file("own.Count", NUMBERING, ("draw", "getRow")), False),
        (class_file("own.Count", NUMBERING, touched="hOff"), False),
        (class_file("own.Count", NUMBERING, own="hOff", touched="hOff"), True),
        (class_file("own.Count", NUMBERING, ("draw",))[:-12], False),
        (class_file("own.Count", "own.Above"), False),
    ],
    ids=[
        "draws only",
        "counts rows",
        "sets a start",
        "a field of its own",
        "cut off",
        "above not there",
    ],
)
def test_a_numbering_that_adds_nothing_to_naming_names_as_the_engine_does(
    numbering: bytes, named: bool, make_module: Maker
) -> None:
    text = _boards(_hexes(numbering="own.Count"))
    module = open_module(make_module(text, **{"own/Count.class": numbering}))
    plain = lay_out(open_module(make_module(_boards(_hexes()))).maps)["Map0"]
    assert plain.location_name(100, 120)
    called = lay_out(module.maps)["Map0"].location_name(100, 120)
    assert called == (plain.location_name(100, 120) if named else "")
    assert ("names-by-own-code" in _codes(module)) is not named


def test_what_a_class_between_counts_is_counted(make_module: Maker) -> None:
    """A class that overrides nothing may extend one of the module's own that does."""
    classes = {
        "own/Count.class": class_file("own.Count", "own.Slanted"),
        "own/Slanted.class": class_file("own.Slanted", NUMBERING, ("getRow",)),
    }
    module = open_module(make_module(_boards(_hexes(numbering="own.Count")), **classes))
    assert lay_out(module.maps)["Map0"].location_name(100, 120) == ""


@pytest.mark.parametrize(
    ("grid", "board", "cls"),
    [
        ("own.Grid", BOARD, class_file("own.Grid", f"{GRIDS}.HexGrid", ("draw",))),
        (f"{GRIDS}.HexGrid", "own.Sheet", class_file("own.Sheet", BOARD, ("draw",))),
    ],
    ids=["grid", "board"],
)
def test_grids_and_boards_of_its_own_are_looked_at_alike(
    grid: str, board: str, cls: bytes, make_module: Maker
) -> None:
    entry = f"{(grid if grid.startswith('own') else board).replace('.', '/')}.class"
    module = open_module(make_module(_boards(_hexes(grid=grid), board), **{entry: cls}))
    assert lay_out(module.maps)["Map0"].location_name(100, 120)


def test_a_class_file_that_is_none_tells_nothing() -> None:
    whole = class_file("own.A", "own.B", ("a", "b"), own="c", touched="d")
    read = read_class(whole)
    assert read is not None
    assert (read.extends, read.members) == ("own.B", {"a", "b", "d"})
    assert read_class(b"") is None
    assert read_class(b"\xca\xfe\xba\xbe" + b"\xff" * 40) is None
    found = [read_class(whole[:length]) for length in range(len(whole) - 2)]
    told = [one for one in found if one is not None]
    assert {one.extends for one in told} == {"own.B"}
    assert {one.members for one in told} == {None}  # never some of them
    assert found.index(told[0]) == len(found) - len(told)


def test_classes_that_extend_one_another_in_a_circle_come_to_an_end(make_module: Maker) -> None:
    classes = _classes(own__A="own.B", own__B="own.A")
    assert open_module(make_module("<own.A/>", **classes)).maps == ()


class Held(dict[str, bytes]):
    """An archive that is held in memory."""

    def head(self, entry: str, most: int) -> bytes:
        return self[entry][:most]


def test_a_class_that_the_module_lacks_is_found_in_an_extension() -> None:
    lineage = Lineage()
    lineage.add(Held())
    assert lineage.engine_class("own.War") == ("", None)
    lineage.add(Held(_classes(own__War=MAP)))
    assert lineage.engine_class("own.War")[0] == MAP
