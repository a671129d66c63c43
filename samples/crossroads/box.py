"""Crossroads: the VASSAL module, and its counters as they lie on the table."""

from __future__ import annotations

import art
from country import GRID, ORDER_OF_BATTLE, TYPES, picture
from press.buildfile import Trait, definition, element, entry
from press.scribe import Counter
from vassal_umpire.importers.vassal.metadata import Metadata

NAME, VERSION, VASSAL = "Crossroads", "1.0", "3.7.9"
WRITTEN = 1790000000000
"""When module and logs were saved, in milliseconds since 1970; always the same."""

TITLE = "A small game to audit"
EDGE = 20

# The traits every counter has, the outermost first; the scribe knows the first four by their place.
TRAITS: list[Trait] = [
    ("markmoved;/images/moved.gif;0;0;Mark Moved;77,130;;false;;;;", "false"),
    (
        "footprint;84,130;Movement Trail;false;false;10;255,255,255;0,0,0;100;50;20;30;1.0;;;;;false",
        "false;;0;false;0",
    ),
    (
        "emb2;;2;;;2;;;2;;;;1;false;0;0;,disrupted.png;,+ disrupted;true;Status;;;false;;1;2;true;"
        ";66,130;;;1.0;;true",
        "1",
    ),
    ("PROP;Spent;true,0,99,false;Spend 1 MP:86\\,130:I\\,1,Nothing spent:82\\,130:P\\,0;", "0"),
    ("sendto;Eliminate;69,130;Eliminated;Box;60;60;;;;0;0;0;;L;0;;;", ";;"),
]
REPORT = "$pieceName$ moves $previousLocation$ -> $location$ *"
TOOLS = (
    "ForwardToKeyBuffer", "Scroller", "ForwardToChatter", "MenuDisplayer", "MapCenterer",
    "StackExpander", "PieceMover", "KeyBufferer", "SelectionHighlighters",
)  # fmt: skip


def own_traits(side: str, kind: str) -> Trait:
    """What the rules ask of a counter, as markers."""
    unit = TYPES[kind]
    return "mark;Side,Class,Size,MA", f"{side},{unit.movement},{unit.size},{unit.allowance}"


def counters() -> dict[str, Counter]:
    """Every counter of the game as it lies on the table, prototype unfolded, by piece id."""
    found = {}
    for gpid, (piece_id, side, name, kind, _) in enumerate(ORDER_OF_BATTLE, 1):
        traits = [*TRAITS, own_traits(side, kind)]
        types = (*(t for t, _ in traits), f"piece;;;{picture(side, kind)};{side} {name}")
        states = tuple(s for _, s in traits)
        found[piece_id] = Counter(piece_id, gpid, f"{side} {name}", types, states)
    return found


def _slot(gpid: int) -> str:
    _, side, name, kind, _ = ORDER_OF_BATTLE[gpid - 1]
    traits = [("prototype;Unit", ""), own_traits(side, kind)]
    base = f"piece;;;{picture(side, kind)};{side} {name}"
    text = definition(traits, base, f"null;0;0;{gpid};0")
    return element(
        "widget.PieceSlot", text, entryName=f"{side} {name}", gpid=gpid, height=44, width=44
    )


def _setup_stacks() -> str:
    """One at-start stack a hex, for a new game without a save."""
    slots: dict[str, list[str]] = {}
    for gpid, (*_, hex_name) in enumerate(ORDER_OF_BATTLE, 1):
        slots.setdefault(hex_name, []).append(_slot(gpid))
    stacks = ""
    for name, inside in slots.items():
        x, y = GRID.centre(name)
        place = {"owningBoard": "Country", "useGridLocation": "false", "location": ""}
        stacks += element("module.map.SetupStack", *inside, name=name, x=x, y=y, **place)
    return stacks


def _palette() -> str:
    lists = ""
    for side in ("Blue", "Red"):
        slots = [_slot(g) for g, unit in enumerate(ORDER_OF_BATTLE, 1) if unit[1] == side]
        size = {"divider": 150, "height": 300, "width": 300, "scale": "1.0"}
        lists += element("widget.ListWidget", *slots, entryName=side, **size)
    tabs = element("widget.TabWidget", lists, entryName="")
    look = {"defaultWidth": 0, "hidden": "false", "icon": "", "scale": "1.0"}
    return element(
        "module.PieceWindow", tabs, name="Counters", text="Counters", hotkey="67,520",
        tooltip="Show or hide the counters", **look,
    )  # fmt: skip


def _grid() -> str:
    numbers = {f"{way}{key}": value for way in "hv" for key, value in
               (("Descend", "false"), ("DrawOff", 0), ("Leading", 1), ("Off", 1), ("Type", "N"))}  # fmt: skip
    numbering = element(
        "module.map.boardPicker.board.mapgrid.HexGridNumbering", first="H", sep="", stagger="false",
        locationFormat="$gridLocation$", color="0,0,0", fontSize=9, rotateText=0, visible="false", **numbers,
    )  # fmt: skip
    legal = {
        "cornersLegal": "false",
        "edgesLegal": "false",
        "dotsVisible": "false",
        "visible": "false",
    }
    return element(
        "module.map.boardPicker.board.HexGrid", numbering, dx=f"{GRID.dx}.0", dy=f"{GRID.dy}.0",
        x0=GRID.x0, y0=GRID.y0, sideways="false", snapTo="true", color="0,0,0", **legal,
    )  # fmt: skip


def _map(name: str, board: str, *more: str, edge: int, **attributes: object) -> str:
    picker = element(
        "module.map.BoardPicker", board, boardPrompt="Select board", title="Choose Boards",
        addColumnText="Add column", addRowText="Add row", slotHeight=125, slotScale="0.2", slotWidth=350,
    )  # fmt: skip
    metrics = element(
        "module.map.StackMetrics", bottom="40,0", disabled="false", down="37,0", exSepX=6, exSepY=18,
        top="38,0", unexSepX=4, unexSepY=-4, up="39,0",
    )  # fmt: skip
    tools = "".join(element(f"module.map.{tool}") for tool in TOOLS)
    return element(
        "module.Map", picker, metrics, tools, *more, mapName=name, buttonName=name, edgeHeight=edge,
        edgeWidth=edge, allowMultiple="false", backgroundcolor="255,255,255", color="0,0,0", moveKey="",
        moveToFormat=REPORT, moveWithinFormat=REPORT, createFormat="$pieceName$ created in $location$ *",
        changeFormat="$message$", onlyReportChangedLocation="false", thickness=3, **attributes,
    )  # fmt: skip


def _turn_tracker() -> str:
    level = {"turnFormat": "$value$", "configFirst": "false", "configList": "false", "prompt": ""}
    phase = element(
        "module.turn.ListTurnLevel", name="Phase", property="Phase", list="Movement,Combat", **level
    )
    side = element(
        "module.turn.ListTurnLevel",
        phase,
        name="Player",
        property="ActiveSide",
        list="Blue,Red",
        **level,
    )
    number = element(
        "module.turn.CounterTurnLevel", side, name="Turn", property="TurnNumber", start=1, incr=1,
        loop="false", loopLimit=-1, turnFormat="Turn $value$",
    )  # fmt: skip
    keys = {"hotkey": "", "icon": "", "nexthotkey": "", "prevhotkey": ""}
    return element(
        "module.turn.TurnTracker", number, name="Turn", buttonText="Turn", length=-1, lengthStyle="Maximum",
        turnFormat="$level1$, $level2$ $level3$", turnButtonHeight=22,
        reportFormat="* Turn advanced from $oldTurn$ to $newTurn$", **keys,
    )  # fmt: skip


def build_file() -> str:
    """The module's build file."""
    prototype = element(
        "module.PrototypeDefinition", definition(TRAITS, "piece;;;;", "null;0;0;;0"), name="Unit"
    )
    board = "module.map.boardPicker.Board"
    country = element(board, _grid(), name="Country", image="map.png", reversible="false")
    box = element(board, name="Box", width=400, height=400, color="220,220,220", reversible="false")
    dice = element(
        "module.DiceButton", name="2d6", text="2d6", nDice=2, nSides=6, plus=0, addToTotal=0, hotkey="",
        icon="", prompt="false", reportTotal="true", reportFormat="** $name$ = $result$ *** <$playerName$>",
        tooltip="Throw two dice",
    )  # fmt: skip
    options = element(
        "module.GlobalOptions", autoReport="Always", centerOnMove="Use Preferences Setting",
        chatterHTMLSupport="Never", nonOwnerUnmaskable="Never", playerIdFormat="$playerName$",
        promptString="Opponents can unmask my pieces", sendToLocationMoveTrails="Never",
    )  # fmt: skip
    parts = [
        element("module.BasicCommandEncoder"),
        element("module.Documentation"),
        element("module.PlayerRoster", entry("Blue"), entry("Red"), buttonText="Retire",
                buttonToolTip="Switch sides, become observer, or release faction"),
        options,
        "<VASSAL.i18n.Language/>\n",
        element("module.Chatter"),
        element("module.KeyNamer"),
        element("module.properties.GlobalProperties"),
        element("module.PrototypesContainer", prototype),
        _turn_tracker(),
        dice,
        _palette(),
        _map("Main Map", country, _setup_stacks(), edge=EDGE, launch="false", markMoved="Always",
             markUnmovedText="No one moved"),
        _map("Eliminated", box, edge=0, launch="true", markMoved="Never"),
    ]  # fmt: skip
    return '<?xml version="1.0" encoding="UTF-8" standalone="no"?>\n' + element(
        "GameModule", "\n", *parts, ModuleOther1="", ModuleOther2="", VassalVersion=VASSAL,
        description=TITLE, name=NAME, nextPieceSlotId=100, version=VERSION,
    )  # fmt: skip


MODULE_DATA = Metadata(NAME, VERSION, VASSAL, TITLE, WRITTEN)
"""The module's metadata; a save carries a copy."""

SAVE_DATA = Metadata(version=VERSION, vassal_version=VASSAL, date_saved=WRITTEN)
"""A log's own metadata."""


def pictures() -> dict[str, bytes]:
    """All pictures of the module, by entry name."""
    drawn = {"map.png": art.map_sheet(), "disrupted.png": art.disrupted()}
    for side in ("Blue", "Red"):
        for kind in TYPES:
            drawn[picture(side, kind)] = art.counter(side, kind)
    return {f"images/{name}": canvas.png() for name, canvas in drawn.items()}
