"""The VASSAL module of a sample: its build file, and its counters as they lie on the table."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from vassal_umpire.importers.vassal.metadata import Metadata

from .buildfile import definition, element, entry
from .hexes import Grid
from .scribe import MAIN, Counter
from .traits import Trait

VASSAL = "3.7.9"
WRITTEN = 1790000000000
"""When modules and logs were saved, in milliseconds since 1970; always the same."""
EDGE = 20
"""Pixels around the board."""
REPORT = "$pieceName$ moves $previousLocation$ -> $location$ *"
TOOLS = (
    "ForwardToKeyBuffer", "Scroller", "ForwardToChatter", "MenuDisplayer", "MapCenterer",
    "StackExpander", "PieceMover", "KeyBufferer", "SelectionHighlighters",
)  # fmt: skip


@dataclass(frozen=True)
class Slot:
    """A counter of the game: ``own`` are the markers no other has, ``picture`` an entry of ``images/``.

    A counter without a ``name`` has none in the module either: it is known by its picture alone.
    """

    id: str
    side: str
    name: str
    own: Trait | None
    picture: str
    at: str

    @property
    def called(self) -> str:
        return f"{self.side} {self.name}" if self.name else ""

    @property
    def markers(self) -> tuple[Trait, ...]:
        """``own``, where there are any."""
        return () if self.own is None else (self.own,)

    @property
    def base(self) -> str:
        """The type of its BasicPiece."""
        return f"piece;;;{self.picture};{self.called}"


@dataclass(frozen=True)
class Contents:
    """The contents of a sample's VASSAL module.

    ``traits``: what all counters have, the outermost first. ``phases``: of each side's turn, in order;
    without any the module has no turn tracker.
    ``size``: width and height of a counter, in pixels. ``dice``: name → (how many, sides).
    """

    name: str
    version: str
    title: str
    sides: tuple[str, ...]
    phases: tuple[str, ...]
    board: str
    grid: Grid
    traits: tuple[Trait, ...]
    slots: Sequence[Slot]
    size: int
    dice: Mapping[str, tuple[int, int]]

    @property
    def module_data(self) -> Metadata:
        """The module's metadata; a save carries a copy."""
        return Metadata(self.name, self.version, VASSAL, self.title, WRITTEN)

    @property
    def save_data(self) -> Metadata:
        """A log's own metadata."""
        return Metadata(version=self.version, vassal_version=VASSAL, date_saved=WRITTEN)

    def counters(self) -> dict[str, Counter]:
        """Every counter as it lies on the table, prototype unfolded, by piece id."""
        return {
            slot.id: Counter(slot.id, gpid, slot.called, (*self.traits, *slot.markers), slot.base)
            for gpid, slot in enumerate(self.slots, 1)
        }

    def build_file(self) -> str:
        """The module's build file."""
        board = "module.map.boardPicker.Board"
        sheet = element(
            board, _grid(self.grid), name=self.board, image="map.png", reversible="false"
        )
        dead = element(
            board, name="Box", width=400, height=400, color="220,220,220", reversible="false"
        )
        prototype = element(
            "module.PrototypeDefinition",
            definition(self.traits, "piece;;;;", "null;0;0;;0"),
            name="Unit",
        )
        parts = [
            element("module.BasicCommandEncoder"),
            element("module.Documentation"),
            element("module.PlayerRoster", *map(entry, self.sides), buttonText="Retire",
                    buttonToolTip="Switch sides, become observer, or release faction"),
            _options(),
            "<VASSAL.i18n.Language/>\n",
            element("module.Chatter"),
            element("module.KeyNamer"),
            element("module.properties.GlobalProperties"),
            element("module.PrototypesContainer", prototype),
            self._turn_tracker() if self.phases else "",
            *(_dice(name, *thrown) for name, thrown in self.dice.items()),
            self._palette(),
            _map(MAIN, sheet, self._setup_stacks(), edge=EDGE, launch="false", markMoved="Always",
                 markUnmovedText="No one moved"),
            _map("Eliminated", dead, edge=0, launch="true", markMoved="Never"),
        ]  # fmt: skip
        return '<?xml version="1.0" encoding="UTF-8" standalone="no"?>\n' + element(
            "GameModule", "\n", *parts, ModuleOther1="", ModuleOther2="", VassalVersion=VASSAL,
            description=self.title, name=self.name, nextPieceSlotId=100, version=self.version,
        )  # fmt: skip

    def _slot(self, gpid: int) -> str:
        slot = self.slots[gpid - 1]
        traits = [Trait("prototype;Unit", ""), *slot.markers]
        text = definition(traits, slot.base, f"null;0;0;{gpid};0")
        size = {"height": self.size, "width": self.size}
        return element("widget.PieceSlot", text, entryName=slot.called, gpid=gpid, **size)

    def _setup_stacks(self) -> str:
        """One at-start stack a hex, for a new game without a save."""
        slots: dict[str, list[str]] = {}
        for gpid, slot in enumerate(self.slots, 1):
            slots.setdefault(slot.at, []).append(self._slot(gpid))
        stacks = ""
        for name, inside in slots.items():
            x, y = self.grid.centre(name)
            place = {"owningBoard": self.board, "useGridLocation": "false", "location": ""}
            stacks += element("module.map.SetupStack", *inside, name=name, x=x, y=y, **place)
        return stacks

    def _palette(self) -> str:
        lists = ""
        for side in self.sides:
            slots = [self._slot(g) for g, slot in enumerate(self.slots, 1) if slot.side == side]
            size = {"divider": 150, "height": 300, "width": 300, "scale": "1.0"}
            lists += element("widget.ListWidget", *slots, entryName=side, **size)
        tabs = element("widget.TabWidget", lists, entryName="")
        look = {"defaultWidth": 0, "hidden": "false", "icon": "", "scale": "1.0"}
        return element(
            "module.PieceWindow", tabs, name="Counters", text="Counters", hotkey="67,520",
            tooltip="Show or hide the counters", **look,
        )  # fmt: skip

    def _turn_tracker(self) -> str:
        """Turn, then side, then phase; it shows ``Turn 1, Blue Movement``."""
        level = {"turnFormat": "$value$", "configFirst": "false", "configList": "false"}
        kind = "module.turn.ListTurnLevel"
        phases, sides = {"list": ",".join(self.phases)}, {"list": ",".join(self.sides)}
        phase = element(kind, name="Phase", property="Phase", prompt="", **phases, **level)
        side = element(
            kind, phase, name="Player", property="ActiveSide", prompt="", **sides, **level
        )
        number = element(
            "module.turn.CounterTurnLevel", side, name="Turn", property="TurnNumber", start=1, incr=1,
            loop="false", loopLimit=-1, turnFormat="Turn $value$",
        )  # fmt: skip
        keys = {"hotkey": "", "icon": "", "nexthotkey": "", "prevhotkey": ""}
        return element(
            "module.turn.TurnTracker", number, name="Turn", buttonText="Turn", length=-1,
            lengthStyle="Maximum", turnFormat="$level1$, $level2$ $level3$", turnButtonHeight=22,
            reportFormat="* Turn advanced from $oldTurn$ to $newTurn$", **keys,
        )  # fmt: skip


def _dice(name: str, number: int, sides: int) -> str:
    spelled = {1: "one die", 2: "two dice"}.get(number, f"{number} dice")
    return element(
        "module.DiceButton", name=name, text=name, nDice=number, nSides=sides, plus=0, addToTotal=0,
        hotkey="", icon="", prompt="false", reportTotal="true", tooltip=f"Throw {spelled}",
        reportFormat="** $name$ = $result$ *** <$playerName$>",
    )  # fmt: skip


def _options() -> str:
    return element(
        "module.GlobalOptions", autoReport="Always", centerOnMove="Use Preferences Setting",
        chatterHTMLSupport="Never", nonOwnerUnmaskable="Never", playerIdFormat="$playerName$",
        promptString="Opponents can unmask my pieces", sendToLocationMoveTrails="Never",
    )  # fmt: skip


def _grid(grid: Grid) -> str:
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
        "module.map.boardPicker.board.HexGrid", numbering, dx=f"{grid.dx}.0", dy=f"{grid.dy}.0",
        x0=grid.x0, y0=grid.y0, sideways="false", snapTo="true", color="0,0,0", **legal,
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
