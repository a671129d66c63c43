"""The module and the four logs of the drawn game, written into a folder, and the truth about them.

    PYTHONPATH=… python -m drawn_game.module FOLDER

A tournament director may be handed such a thing: a map picture of 1,312 hexes, sixty counters that have
nothing but pictures, marks of moved counters that are taken off in one go, and phases told in the chat alone,
by one player in English and by the other in German. ``game.toml`` holds the game.
"""

from __future__ import annotations

import sys
import tomllib
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import Any

HERE = Path(__file__).resolve().parent
sys.path.append(str(HERE.parents[1] / "samples"))

from module_builder import counter
from module_builder.canvas import Canvas
from module_builder.contents import EDGE, WRITTEN, Contents, Slot
from module_builder.counter import Face, Livery
from module_builder.scribe import Scribe
from module_builder.sheet import Sheet, Side, Way
from module_builder.traits import MOVED, TO_THE_BOX, TRAIL
from vassal_umpire.importers.vassal.commands import Player
from vassal_umpire.importers.vassal.writer import write_module, write_save

NORTH, SOUTH = "North", "South"
PLAYERS = {NORTH: "Linnet", SOUTH: "Dunlin"}
LIVERIES = {NORTH: Livery((120, 160, 220, 255)), SOUTH: Livery((224, 150, 110, 255))}
FOOT, MOTOR = "foot", "motor"
KINDS = {"inf": (FOOT, "infantry", 4), "mot": (MOTOR, "motorized", 6), "arm": (MOTOR, "armour", 6),
         "rec": (MOTOR, "recon", 8)}  # fmt: skip
"""File's word → movement, symbol, allowance."""
LEGEND = {".": ("clear",), "w": ("woods",), "h": ("hills",), "m": ("marsh",), "T": ("town",)}
TURN_MARKER = "1799000000001"
SEAM = (21 * 44, 15 * 50)
"""Where one sheet of the map is laid on the next."""
PALE = (246, 243, 230, 255)


@dataclass(frozen=True)
class Ground:
    """What lies in each hex, and the hexsides that a river runs across and that a road crosses."""

    sheet: Sheet
    terrain: dict[str, str]
    rivers: frozenset[frozenset[str]]
    steps: frozenset[frozenset[str]]


@dataclass(frozen=True)
class Unit:
    """A counter: ``strength`` and ``allowance`` are printed on it."""

    id: str
    side: str
    kind: str
    strength: int
    at: str

    @property
    def movement(self) -> str:
        return KINDS[self.kind][0]

    @property
    def allowance(self) -> int:
        return KINDS[self.kind][2]


@dataclass(frozen=True)
class Truth:
    """One move of a log. ``step``: that of its last drag; ``error``: '' for a legal one."""

    log: int
    step: int
    unit: str
    origin: str
    to: str
    error: str


@dataclass(frozen=True)
class DrawnGame:
    """The files in their folder and all that is true of them."""

    folder: Path
    ground: Ground
    units: dict[str, Unit]
    moves: tuple[Truth, ...]
    movement: tuple[tuple[int, int], ...]
    """First and last step of the movement phase in each log."""

    @property
    def module(self) -> Path:
        return self.folder / "two-rivers.vmod"

    @property
    def logs(self) -> tuple[Path, ...]:
        return tuple(
            self.folder / f"{n}-{side}.vlog" for n, side in enumerate(("north", "south") * 2, 1)
        )

    @property
    def planted(self) -> tuple[Truth, ...]:
        return tuple(move for move in self.moves if move.error)


def draw_game(folder: Path) -> DrawnGame:
    """Write module and logs into ``folder``."""
    told = tomllib.loads((HERE / "game.toml").read_text("utf-8"))
    ground = _ground(told)
    units = {unit.id: unit for unit in _units(told["units"])}
    game = DrawnGame(folder, ground, units, (), ())
    contents = _contents(ground, units)
    write_module(
        game.module, contents.build_file().encode(), contents.module_data, _pictures(ground, units)
    )
    scribe = Scribe(ground.sheet.grid, (EDGE, EDGE), contents.board, WRITTEN + 1000)
    counters = contents.counters()
    for slot in contents.slots:
        scribe.place(counters[slot.id], slot.at)
    moves: list[Truth] = []
    movement: list[tuple[int, int]] = []
    for number, (log, lines) in enumerate(zip(game.logs, told["log"], strict=True)):
        side = (NORTH, SOUTH)[number % 2]
        scribe.sit_down(Player(f"two-rivers-key-of-{side}", PLAYERS[side], side))
        scribe.begin()
        begun, *steps = _log(scribe, lines["steps"])
        moves += (Truth(number + 1, *step) for step in steps)
        movement.append((begun[0], moves[-1].step))
        write_save(log, scribe.text(), key=0x61 + number, moduledata=contents.module_data,
                   savedata=contents.save_data)  # fmt: skip
    return DrawnGame(folder, ground, units, tuple(moves), tuple(movement))


# -- the module ---------------------------------------------------------------------------------------


def _ground(told: dict[str, Any]) -> Ground:
    roads = [Way("road", road) for road in told["roads"]]
    rivers = frozenset(frozenset(side.split("/")) for side in told["rivers"].split())
    steps = frozenset(frozenset(pair) for road in roads for pair in pairwise(road.path.split()))
    bridges = " ".join(sorted("/".join(sorted(side)) for side in steps & rivers))
    lines = [*roads, Side("river", " ".join(told["rivers"].split())), Side("bridge", bridges)]
    sheet = Sheet(told["rows"], LEGEND, lines, told["towns"], dx=44, dy=50)
    terrain = {name: sheet.terrain(name)[0] for name in sheet.grid.names}
    return Ground(sheet, terrain, rivers, steps)


def _units(told: str) -> Iterator[Unit]:
    for line in told.replace("|", "\n").strip().splitlines():
        number, kind, strength, at = line.split()
        yield Unit(_id(number), NORTH if number[0] == "1" else SOUTH, kind, int(strength), at)


def _id(number: str) -> str:
    return TURN_MARKER if number == "turn" else f"1790000000{number}"


def file_of(unit: Unit) -> str:
    """One side's pictures came from one hand, the other's from another."""
    figures = f"{unit.strength}-{unit.allowance}"
    number = int(unit.id) % 100
    return (
        f"N_{unit.kind}_{figures}_{number:02}.png"
        if unit.side == NORTH
        else f"{unit.kind} {figures} s{number}.png"
    )


def _contents(ground: Ground, units: dict[str, Unit]) -> Contents:
    slots = [Slot(u.id, u.side, "", None, file_of(u), u.at) for u in units.values()]
    slots.append(Slot(TURN_MARKER, NORTH, "", None, "turn.png", "0101"))
    return Contents(
        "Two Rivers", "1.2", "A game on a large map", (NORTH, SOUTH), (), "Country",
        ground.sheet.grid, (MOVED, TRAIL, TO_THE_BOX), slots, counter.SIZE, {"1d6": (1, 6)},
    )  # fmt: skip


def _pictures(ground: Ground, units: dict[str, Unit]) -> dict[str, bytes]:
    drawn = {"images/map.png": _map(ground.sheet)}
    for unit in units.values():
        values = (str(unit.strength), str(unit.allowance))
        face = Face("", KINDS[unit.kind][1], "III", values)
        drawn[f"images/{file_of(unit)}"] = counter.draw(LIVERIES[unit.side], face).png()
    drawn["images/turn.png"] = counter.tag("TURN", (240, 240, 120, 255)).png()
    return drawn


def _map(sheet: Sheet) -> bytes:
    """The map as a PNG file: where two sheets meet, a pale fold, and the lower ones a shade darker."""
    canvas = sheet.picture()
    across, down = SEAM
    _darken(canvas, down)
    canvas.box(across, 0, across + 2, canvas.height, PALE)
    canvas.box(0, down, canvas.width, down + 2, PALE)
    return canvas.png()


def _darken(canvas: Canvas, top: int) -> None:
    """Sheets of one map are never of quite the same colour."""
    shade = bytes(max(value - 6, 0) for value in range(256))
    start = 4 * canvas.width * top
    lower = bytearray(canvas.pixels[start:])
    for channel in range(3):
        lower[channel::4] = lower[channel::4].translate(shade)
    canvas.pixels[start:] = lower


# -- a log --------------------------------------------------------------------------------------------


def _log(scribe: Scribe, told: str) -> Iterator[tuple[Any, ...]]:
    """Writes what is told. First the step in which movement is announced; then of each move its last step,
    its unit, from where, to where, and what is wrong with it."""
    for line in told.strip().splitlines():
        what, *words = line.split()
        if what in ("say", "movement"):
            scribe.say(line.partition(" ")[2])
            if what == "movement":
                yield (len(scribe.steps),)
        elif what == "undo":
            scribe.undo()
        elif what == "roll":
            scribe.roll("1d6", (int(words[0]),))
        elif what == "unmark":
            scribe.mark_all_unmoved()
        else:
            unit, stops = _id(words[0]), [word for word in words[1:] if word.isdigit()]
            piece = scribe.pieces[unit]
            origin = scribe.hex_at((piece.x, piece.y))
            for stop in stops:
                scribe.drag(unit, stop)
            if what == "move":
                error = " ".join(words[1 + len(stops) :])
                yield len(scribe.steps), unit, origin, stops[-1], error


if __name__ == "__main__":
    Path(sys.argv[1]).mkdir(parents=True, exist_ok=True)
    draw_game(Path(sys.argv[1]))
