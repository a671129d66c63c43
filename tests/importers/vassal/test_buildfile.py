"""Modules as values: what a build file says, and what an extension adds."""

from __future__ import annotations

import io
from collections.abc import Callable
from pathlib import Path

import pytest
from PIL import Image
from vassal_files import (
    GRIDS,
    MAP,
    SETUP_STACK,
    SLOT,
    ZONE,
    V,
    a_board,
    a_map,
    element,
    golden_rows,
)
from vassal_umpire.importers.vassal.buildfile import open_module
from vassal_umpire.importers.vassal.module import BoardChoice, Module
from vassal_umpire.model.problem import Unreadable

Maker = Callable[..., Path]

PROPERTY = f"{V}.module.properties"


def _codes(module: Module) -> set[str]:
    return {problem.code for problem in module.problems}


def _png(width: int, height: int) -> bytes:
    out = io.BytesIO()
    Image.new("1", (width, height)).save(out, "PNG")
    return out.getvalue()


# -- maps and boards ---------------------------------------------------------------------------


def test_maps_of_all_kinds_are_numbered_in_build_order(make_module: Maker) -> None:
    module = open_module(
        make_module(
            a_map("Main")
            + a_map("", kind=f"{V}.module.PrivateMap")
            + f"<{V}.module.ChartWindow><{V}.widget.MapWidget>"
            + a_map("Chart", kind=f"{V}.widget.WidgetMap")
            + f"</{V}.widget.MapWidget></{V}.module.ChartWindow>"
            + a_map("Hand", kind=f"{V}.module.PlayerHand")
            + a_map("Own", kind="my.own.WarMap")
        )
    )
    assert [(m.id, m.identifier, m.kind) for m in module.maps] == [
        ("Map0", "Main", "Map"),
        ("Map1", "Map1", "PrivateMap"),
        ("Map2", "Chart", "WidgetMap"),
        ("Map3", "Hand", "PlayerHand"),
        ("Map4", "Own", "custom"),
    ]
    assert module.map("Map3") is module.map("Hand")
    assert module.maps[4].component == "my.own.WarMap"


def test_folders_are_looked_through(make_module: Maker) -> None:
    folder = f"{V}.module.folder.MapSubFolder"
    stack = element(SETUP_STACK, element(SLOT, gpid=7), name="S", x=3, y=4)
    inside = element(folder, element(folder, stack), name="f")
    module = open_module(make_module(element(MAP, inside, mapName="M")))
    ((_, found),) = module.setup_stacks
    assert (found.name, found.x, found.y) == ("S", 3, 4)
    assert module.slots[0].path == (("Map", "M"), ("SetupStack", "S"), ("PieceSlot", ""))


def test_map_attributes_and_their_defaults(make_module: Maker) -> None:
    bare, full, old = open_module(
        make_module(
            f"<{MAP}/>"
            f'<{V}.module.PrivateMap mapName="P" side="Red,Sir \\, Knight" visible="true" '
            'useBoards="Main" edgeWidth="10" edgeHeight="20">'
            f'<{V}.module.map.StackMetrics disabled="true"/>'
            f'<{V}.module.map.LayeredPieceCollection property="Layer" layerOrder="low,high"/>'
            f"</{V}.module.PrivateMap>"
            f'<{MAP} edge="5,6"/>'
        )
    ).maps
    assert (bare.stacking, bare.owners) == (True, ())
    assert bare.visible_to_all
    assert full.owners == ("Red", "Sir , Knight")
    assert (full.visible_to_all, full.borrows_boards) == (True, "Main")
    assert (full.edge_width, full.edge_height, full.stacking) == (10, 20, False)
    assert (full.layer_property, full.layers) == ("Layer", ("low", "high"))
    assert (old.edge_width, old.edge_height) == (5, 6)


def test_a_board_is_as_large_as_its_image_or_its_attributes(make_module: Maker) -> None:
    boards = (
        a_board("Png", image="a.png", width=1, height=1)
        + a_board("Gif", image="b")
        + a_board("Svg", image="c.svg")
        + a_board("Decomposed", image="caf\u00e9.png")
        + a_board("Plain", width=300, height=400)
        + a_board("Bare")
        + a_board("Gone", image="gone.png")
        + a_board("Junk", image="junk.png")
    )
    path = make_module(
        a_map("M", boards),
        **{
            "images/a.png": _png(70, 80),
            "images/b.gif": _png(7, 8),
            "images/c.svg": b'<svg xmlns="http://www.w3.org/2000/svg" width="1in" height="50px"/>',
            "images/cafe\u0301.png": _png(3, 4),
            "images/junk.png": b"no picture at all",
        },
    )
    module = open_module(path)
    assert {b.name: (b.width, b.height) for b in module.maps[0].boards} == {
        "Png": (70, 80),
        "Gif": (7, 8),
        "Svg": (96, 50),
        "Decomposed": (3, 4),
        "Plain": (300, 400),
        "Bare": (500, 500),
        "Gone": (None, None),
        "Junk": (None, None),
    }
    missing = [p for p in module.problems if p.code == "board-image-missing"]
    assert ["gone.png" in p.message or "junk.png" in p.message for p in missing] == [True, True]
    assert missing[0].where == "Map M / BoardPicker / Board Gone"


@pytest.mark.parametrize(
    ("setup", "boards", "layout"),
    [
        ("", ("A",), (BoardChoice("A"),)),
        ("", ("A", "B"), ()),
        (
            "<setup>MBoardPicker\tB/rev\t0\t0\tA\t1\t0\tunknown\t2\t0</setup>",
            ("A", "B"),
            (BoardChoice("B", 0, 0, True), BoardChoice("A", 1, 0)),
        ),
        ("<setup>Map0BoardPicker\tA\t0\t0</setup>", ("A", "B"), (BoardChoice("A"),)),
        ("<setup>OtherBoardPicker\tA\t0\t0</setup>", ("A",), ()),
        ("<setup/>", ("A",), (BoardChoice("A"),)),
    ],
)
def test_boards_of_a_new_game(
    setup: str, boards: tuple[str, ...], layout: tuple[BoardChoice, ...], make_module: Maker
) -> None:
    xml = setup + "".join(a_board(name, reversible="false") for name in boards)
    module = open_module(make_module(a_map("M", xml)))
    assert module.maps[0].default_layout == layout
    assert ("layout-unreadable" in _codes(module)) == ("Other" in setup)


def test_a_single_reversible_board_is_not_laid_out_by_itself(make_module: Maker) -> None:
    module = open_module(make_module(a_map("M", a_board("A", reversible="true"))))
    assert module.maps[0].default_layout == ()


def test_bad_numbers_become_defaults_and_problems(make_module: Maker) -> None:
    grid = element(f"{GRIDS}.HexGrid", dx=0, dy="wide", x0=7.5, snapscale=2)
    module = open_module(make_module(a_map("M", a_board("A", grid, width="x"))))
    found = module.maps[0].boards[0]
    assert (found.width, found.height) == (500, 500)
    assert found.grid is not None
    assert (found.grid.dx, found.grid.x0, found.grid.snap_scale) == (  # type: ignore[union-attr]
        pytest.approx(55.4256),
        0,
        2,
    )
    assert [p.code for p in module.problems] == ["bad-attribute"] * 4


def test_a_hex_height_alone_sets_the_width_too(make_module: Maker) -> None:
    grid = element(f"{GRIDS}.HexGrid", dy="100.0")
    module = open_module(make_module(a_map("M", a_board("A", grid))))
    assert module.maps[0].boards[0].grid.dx == pytest.approx(86.6025)  # type: ignore[union-attr]


# -- other parts -------------------------------------------------------------------------------


def test_slots_keep_tabs_inside_and_lose_blanks_around(make_module: Maker) -> None:
    text = "\n  +/null/mark;MA\tpiece;;;a\\/b.png;Tank/6\tnull;0;0;12;0\t\n "
    module = open_module(make_module(f'<{SLOT} entryName="Tank" gpid="12">{text}</{SLOT}>'))
    (slot,) = module.slots
    assert slot.type == "mark;MA\tpiece;;;a/b.png;Tank"
    assert slot.state == "6\tnull;0;0;12;0"
    assert (slot.gpid, slot.entry_name, slot.component) == ("12", "Tank", "PieceSlot")


def test_properties_know_their_level_and_container(make_module: Maker) -> None:
    def value(kind: str, name: str, initial: str, **more: object) -> str:
        return element(f"{PROPERTY}.{kind}", name=name, initialValue=initial, **more)

    def of(kind: str, inside: str) -> str:
        return element(f"{PROPERTY}.{kind}", inside)

    zone = element(ZONE, value("ZoneProperty", "Fog", "yes"), name="Z", path="")
    points = value("GlobalProperty", "VP", "5", isNumeric="true", min=0, max=9, wrap="true")
    rain = of("GlobalProperties", value("GlobalProperty", "Rain", ""))
    night = value("BooleanScenarioProperty", "Night", "true")
    module = open_module(
        make_module(
            of("GlobalProperties", points)
            + a_map("M", a_board("B", element(f"{GRIDS}.ZonedGrid", zone)), rain)
            + of("ScenarioPropertiesOptionTab", night)
        )
    )
    assert [(p.name, p.initial, p.container) for p in module.global_properties] == [
        ("VP", "5", "Module"),
        ("Fog", "yes", "M:Z"),
        ("Rain", "", "M"),
        ("Night", "true", "Module"),
    ]


def test_sides_options_dice_and_set_ups(make_module: Maker) -> None:
    m = f"{V}.module"
    module = open_module(
        make_module(
            f"<{m}.PlayerRoster><entry>Red</entry><entry> Blue </entry></{m}.PlayerRoster>"
            f'<{m}.GlobalOptions playerIdFormat="$playerName$"><option name="stepIcon">s.gif</option>'
            f"</{m}.GlobalOptions>"
            f'<{m}.DiceButton name="2d6" nDice="2" nSides="6" plus="1" reportTotal="true"/>'
            f'<{m}.SpecialDiceButton name="Battle"><{m}.SpecialDie name="d">'
            f'<{m}.SpecialDieFace text="Hit" value="1" icon="h.gif"/></{m}.SpecialDie>'
            f"</{m}.SpecialDiceButton>"
            f'<{m}.PredefinedSetup name="1805" file="1805.vsav" useFile="true" isMenu="false"/>'
        )
    )
    assert module.sides == ("Red", "Blue")
    assert dict(module.options) == {"playerIdFormat": "$playerName$", "stepIcon": "s.gif"}
    assert [(d.name, d.dice, d.sides, d.plus, d.report_total) for d in module.dice] == [
        ("2d6", "2", "6", "1", True)
    ]
    assert module.symbolic_dice[0].id == "SpecialDiceButton0"
    assert module.symbolic_dice[0].dice == (("Hit",),)
    assert [(s.name, s.file) for s in module.predefined_setups] == [("1805", "1805.vsav")]


def test_the_modules_own_classes_are_counted_and_noted(make_module: Maker) -> None:
    module = open_module(
        make_module('<my.Dice name="x"/><my.Dice/><Lonely><my.Inner/></Lonely><option/>')
    )
    assert [(c.name, c.count) for c in module.custom_components] == [
        ("Lonely", 1),
        ("my.Dice", 2),
        ("my.Inner", 1),
    ]
    note = next(p for p in module.problems if "my.Dice" in p.message)
    assert (note.severity, note.count, note.where) == ("note", 2, "Dice x")


def test_an_unevaluable_location_format_is_a_problem(make_module: Maker) -> None:
    path = "0,0;9,0;9,9"
    zones = element(ZONE, name="Z", path=path, locationFormat="{name + gridLocation}")
    zones += element(ZONE, name="Y", path="", locationFormat="$name$ $Turn$")
    board = a_board("B", element(f"{GRIDS}.ZonedGrid", zones))
    codes = _codes(open_module(make_module(a_map("M", board))))
    assert codes == {"expression-not-evaluated", "location-format-uses-property"}


# -- archives ----------------------------------------------------------------------------------


def test_old_modules_have_another_root_and_entry(make_module: Maker) -> None:
    module = open_module(
        make_module(
            f"<{SLOT}/>",
            root="VASSAL.launch.BasicModule",
            attributes='name="Old" version="0.1" VassalVersion="3.0b6"',
            build_file="buildFile",
        )
    )
    assert (module.name, module.vassal_version, module.build_file) == ("Old", "3.0b6", "buildFile")
    assert len(module.slots) == 1


def test_a_page_is_no_module(make_module: Maker) -> None:
    with pytest.raises(Unreadable, match=r"root element is html.*GameModule"):
        open_module(make_module("", root="html", attributes=""))


EXTENSION = {
    "root": f"{V}.module.ModuleExtension",
    "attributes": 'module="Test" extensionId="ex" version="2"',
    "extensiondata": b"<data><VassalVersion>3.7.0</VassalVersion></data>",
}
ELEMENT = f"{V}.module.ExtensionElement"
WINDOW = f"{V}.module.PieceWindow"
LIST = f"{V}.widget.ListWidget"


def test_an_extension_is_merged_where_it_says(make_module: Maker) -> None:
    lists = element(LIST, element(SLOT, gpid=1), entryName="Red")
    lists += element(LIST, element(SLOT, gpid=2), entryName="Blue/Green")
    path = make_module(element(WINDOW, lists, name="Pieces") + a_map("Main"))
    targets = (
        f"{WINDOW}:Pieces/{LIST}:Blue\\/Green",
        f"{WINDOW}:Pieces/{LIST}:None",
        "my.Window:Gone",
    )
    slots = (element(SLOT, gpid=f"ex:{n}") for n in range(3))
    children = "".join(
        element(ELEMENT, slot, target=to) for slot, to in zip(slots, targets, strict=True)
    )
    children += element(f"{V}.module.PrototypeDefinition", "+/null/piece;;;;/", name="Leg")
    added = make_module(children + a_map("Far"), file_name="a.vmdx", **EXTENSION)
    module = open_module(path, [added])
    where = {slot.gpid: slot.path[1][1] for slot in module.slots}
    # a last step without its name falls back on the first component of the class
    assert where == {"1": "Red", "2": "Blue/Green", "ex:0": "Blue/Green", "ex:1": "Red"}
    assert [m.identifier for m in module.maps] == ["Main", "Far"]
    assert "Leg" in module.prototypes
    assert "extension-target-missing" in _codes(module)
    assert [(e.extension_id, e.version, e.file_name) for e in module.extensions] == [
        ("ex", "2", "a.vmdx")
    ]


def test_extensions_maps_come_after_the_modules_even_if_hung_in_before(make_module: Maker) -> None:
    chart = f"{V}.module.ChartWindow"
    path = make_module(element(chart, name="C") + a_map("Main"))
    hung = element(f"{V}.widget.MapWidget", a_map("Far", kind=f"{V}.widget.WidgetMap"))
    children = element(ELEMENT, hung, target=f"{chart}:C")
    module = open_module(path, [make_module(children, file_name="a.vmdx", **EXTENSION)])
    assert [(m.id, m.name) for m in module.maps] == [("Map0", "Main"), ("Map1", "Far")]


def test_extensions_beside_the_module_are_found_if_asked(
    make_module: Maker, tmp_path: Path
) -> None:
    path = make_module(a_map("Main"))
    folder = tmp_path / "test_ext"
    (folder / "inactive").mkdir(parents=True)
    for name in ("b", "a", "inactive/c"):
        make_module(a_map(name), file_name=f"test_ext/{name}.vmdx", **EXTENSION)
    (folder / "notes.txt").write_text("no extension")
    assert [m.name for m in open_module(path, find_extensions=True).maps] == ["Main", "a", "b"]
    assert [m.name for m in open_module(path).maps] == ["Main"]


def test_an_extension_that_cannot_be_read_is_left_out(make_module: Maker, tmp_path: Path) -> None:
    path = make_module(a_map("Main"))
    broken = tmp_path / "broken.vmdx"
    broken.write_bytes(b"PK\x03\x04 and no more")
    other = make_module(a_map("X"), file_name="other.vmdx", **EXTENSION)
    module = open_module(path, [broken, path, other])
    assert [m.name for m in module.maps] == ["Main", "X"]
    left_out = [p for p in module.problems if p.code == "extension-unreadable"]
    assert [p.severity for p in left_out] == ["error", "error"]


# -- real modules ------------------------------------------------------------------------------

LOADED: dict[str, tuple[int, int, int]] = {
    # maps, slots, prototypes: counted in the XML with grep
    "bloodbowl/BBVassal-lite.vmod": (3, 335, 11),
    "ccn/CommandsColorsNapoleonics.vmod": (6, 748, 338),
    "ftp/ForThePeople-lite.vmod": (8, 641, 287),
    "nevsky/Nevsky-lite.vmod": (17, 315, 453),
    "tld/TheLongestDay-3.0b6.vmod": (13, 2072, 10),
    "small/PPCID.vmdx": (0, 17, 0),
    "small/xwing/java_vassal_test_module@3b1fe19d.vmod": (1, 2, 0),
    "damaged/module-zip-slip.vmod": (2, 24, 1),
    "damaged/module-old-name.vmod": (2, 24, 1),
    "damaged/module-bad-slot.vmod": (2, 24, 1),
}


@pytest.mark.parametrize("name", LOADED)
def test_real_modules_load(name: str, corpus: Path) -> None:
    module = open_module(corpus / name)
    assert (len(module.maps), len(module.slots), len(module.prototypes)) == LOADED[name]


STATES = [
    ("ftp/ForThePeople-lite.vmod", "golden/ftp/1861-3-5.vsav.state.jsonl.gz"),
    ("ccn/CommandsColorsNapoleonics.vmod", "golden/ccn/CK01 - Sahagun.vsav.state.jsonl.gz"),
    ("nevsky/Nevsky-lite.vmod", "golden/nevsky/Scenario_Peipus_1242.vsav.state.jsonl.gz"),
    ("engine-written/drill-1-red/drill.vmod",
     "engine-written/drill-1-red/drill-1-red.vlog.state.jsonl.gz"),
]  # fmt: skip


@pytest.mark.parametrize(("name", "answers"), STATES)
def test_the_engine_has_the_same_properties_and_maps(name: str, answers: str, corpus: Path) -> None:
    header = golden_rows(corpus / answers)[0]
    module = open_module(corpus / name)
    ours = set()
    for prop in module.global_properties:
        a_map, _, zone = prop.container.partition(":")
        place = f"map:{a_map}/" + (f"zone:{zone}/" if zone else "")
        ours.add(("" if prop.container == "Module" else place) + prop.name)
    assert set(header["globals"]) == ours
    kinds = [(told["name"], told["class"]) for told in header["maps"]]
    assert kinds == [(m.identifier, m.kind) for m in module.maps]
