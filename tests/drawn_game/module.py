"""The drawn module and four logs of a game of it, written into a folder with the truth about them.

    PYTHONPATH=… python -m drawn_game.module FOLDER [SEED]

A tournament director may be handed such a thing: a map picture of 1,312 hexes, sixty counters that have
nothing but pictures, marks of moved counters that are taken off in one go, and phases told in the chat alone,
by one player in English and by the other in German.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from pathlib import Path
from random import Random

sys.path.append(str(Path(__file__).resolve().parents[2] / "samples"))

from module_builder import counter
from module_builder.contents import EDGE, WRITTEN, Contents, Slot
from module_builder.counter import Face, Livery
from module_builder.scribe import Scribe
from module_builder.traits import MOVED, TO_THE_BOX, TRAIL
from vassal_umpire.importers.vassal.commands import Player
from vassal_umpire.importers.vassal.writer import write_module, write_save

from .ground import Ground, draw_ground
from .play import FOOT, MOTOR, Position, Unit, play

NORTH, SOUTH = "North", "South"
LIVERIES = {NORTH: Livery((120, 160, 220, 255)), SOUTH: Livery((224, 150, 110, 255))}
KINDS = (("inf", FOOT, "infantry", 4, 17), ("mot", MOTOR, "motorized", 6, 5),
         ("arm", MOTOR, "armour", 6, 5), ("rec", MOTOR, "recon", 8, 3))  # fmt: skip
"""File's word, movement, symbol, allowance, how many of them a side has."""
ERRORS = (
    ("too far", "prohibited", "overstack"),
    ("too far", "too far", "zone", "overstack"),
    ("too far", "prohibited", "zone"),
    ("too far", "prohibited", "zone", "overstack"),
)
"""What is planted in each log: fourteen in all."""
MARCHES = 21
TURN_MARKER = "1799000000001"


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


def draw_game(folder: Path, seed: int = 4) -> DrawnGame:
    """Write module, logs and ``truth.json`` into ``folder``."""
    random = Random(seed)
    ground = draw_ground(random)
    units = _units(random, ground)
    game = DrawnGame(folder, ground, units, (), ())
    contents = _contents(ground, units)
    write_module(
        game.module, contents.build_file().encode(), contents.module_data, _pictures(ground, units)
    )
    scribe = Scribe(ground.sheet.grid, (EDGE, EDGE), contents.board, WRITTEN + 1000)
    counters = contents.counters()
    for slot in contents.slots:
        scribe.place(counters[slot.id], slot.at)
    position = Position(
        ground, ground.sheet.grid, units, {u.id: u.at for u in units.values()}, random
    )
    moves: list[Truth] = []
    movement: list[tuple[int, int]] = []
    for number, log in enumerate(game.logs):
        side = (NORTH, SOUTH)[number % 2]
        scribe.sit_down(
            Player(f"two-rivers-key-of-{side}", {NORTH: "Linnet", SOUTH: "Dunlin"}[side], side)
        )
        scribe.begin()
        first = _begin_turn(scribe, position, number, side)
        moves += _movement(scribe, position, number, side)
        movement.append((first, moves[-1].step))
        _end_turn(scribe, position, side)
        write_save(log, scribe.text(), key=0x61 + number, moduledata=contents.module_data,
                   savedata=contents.save_data)  # fmt: skip
    game = DrawnGame(folder, ground, units, tuple(moves), tuple(movement))
    told = {
        "moves": [asdict(move) for move in moves],
        "units": [asdict(unit) for unit in units.values()],
    }
    (folder / "truth.json").write_text(json.dumps(told, indent=1), "utf-8")
    return game


# -- the module ---------------------------------------------------------------------------------------


def _units(random: Random, ground: Ground) -> dict[str, Unit]:
    """Thirty counters a side, on both sides of the river that runs across the map."""
    found: dict[str, Unit] = {}
    free = [
        n
        for n in ground.sheet.grid.names
        if ground.terrain[n] != "marsh" and 13 <= int(n[:2]) <= 29
    ]
    for first, side in ((1790000000100, NORTH), (1790000000200, SOUTH)):
        rows = range(9, 14) if side == NORTH else range(20, 25)
        places = random.sample([n for n in free if int(n[2:]) in rows], 30)
        for kind, movement, _, allowance, count in KINDS:
            for _ in range(count):
                at = places.pop()
                found[str(first + len(found))] = Unit(
                    str(first + len(found)),
                    side,
                    kind,
                    movement,
                    random.randint(2, 6),
                    allowance,
                    at,
                )
    return found


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
    symbols = {kind: symbol for kind, _, symbol, _, _ in KINDS}
    drawn = {"images/map.png": ground.picture()}
    for unit in units.values():
        values = (str(unit.strength), str(unit.allowance))
        face = Face("", symbols[unit.kind], "III", values)
        drawn[f"images/{file_of(unit)}"] = counter.draw(LIVERIES[unit.side], face).png()
    drawn["images/turn.png"] = counter.tag("TURN", (240, 240, 120, 255)).png()
    return drawn


# -- a turn -------------------------------------------------------------------------------------------


WORDS = {
    NORTH: ("Hello! I put my reserves where we agreed", "turn {turn}, movement", "done moving, combat now",
            "over to you"),
    SOUTH: ("Moin, ich stelle noch um wie verabredet", "Zug {turn}, Bewegung", "fertig, jetzt Kampf",
            "du bist dran"),
}  # fmt: skip


def _begin_turn(scribe: Scribe, position: Position, number: int, side: str) -> int:
    """In the first two logs a set-up, then the turn marker; the step in which movement is announced."""
    greets, moves, _, _ = WORDS[side]
    if number < 2:
        scribe.say(greets)
        _set_up(scribe, position, side)
    if side == NORTH:
        scribe.drag(TURN_MARKER, f"0{number // 2 + 2}01")
    scribe.say(moves.format(turn=number // 2 + 1))
    return len(scribe.steps)


def _movement(scribe: Scribe, position: Position, number: int, side: str) -> Iterator[Truth]:
    """The moves of a log, one of them now and then taken back and made anew."""
    front = 16 if side == NORTH else 17

    def goal(name: str) -> int:
        return abs(int(name[2:]) - front) + position.random.randrange(5)

    for drag in play(position, side, MARCHES, ERRORS[number], goal):
        origin = scribe.hex_at((scribe.pieces[drag.unit].x, scribe.pieces[drag.unit].y))
        if not drag.error and len(drag.stops) == 1 and position.random.random() < 0.05:
            near = position.grid.neighbours(drag.stops[0])
            scribe.drag(drag.unit, next(n for n in near if n not in position.at.values()))
            scribe.undo()
        for stop in drag.stops:
            scribe.drag(drag.unit, stop)
        yield Truth(number + 1, len(scribe.steps), drag.unit, origin, drag.stops[-1], drag.error)


def _end_turn(scribe: Scribe, position: Position, side: str) -> None:
    """The marks are taken off, combat is fought, and they are taken off again."""
    _, _, fights, ends = WORDS[side]
    scribe.mark_all_unmoved()
    scribe.say(fights)
    _combat(scribe, position, side)
    scribe.mark_all_unmoved()
    scribe.say(ends)


def _set_up(scribe: Scribe, position: Position, side: str) -> None:
    """Three counters are put somewhere else before the first turn."""
    mine = [u for u in position.units.values() if u.side == side]
    rows = (8, 14) if side == NORTH else (19, 25)
    for unit in position.random.sample(mine, 3):
        free = [
            n
            for n in position.grid.names
            if rows[0] <= int(n[2:]) <= rows[1] and 13 <= int(n[:2]) <= 29
        ]
        to = position.random.choice([n for n in free if n not in position.at.values()])
        scribe.drag(unit.id, to)
        position.at[unit.id] = to


def _combat(scribe: Scribe, position: Position, side: str) -> None:
    """Four attacks: a die, and on a high one the defender goes back a hex and the attacker may follow."""
    able = [
        u
        for u in position.units.values()
        if u.side == side and position.at[u.id] in position.zone(side)
    ]
    for unit in position.random.sample(able, min(4, len(able))):
        beside = sorted(
            set(position.grid.neighbours(position.at[unit.id])) & position.enemies(side)
        )
        if not beside:
            continue
        face = position.random.randint(1, 6)
        scribe.roll("1d6", (face,))
        defenders = [i for i, at in position.at.items() if at == beside[0]]
        zone = position.zone(position.units[defenders[0]].side)
        free = {n for n in position.grid.neighbours(beside[0]) if n not in position.at.values()}
        back = sorted(free - zone)
        if face < 4 or not back or len(defenders) > 1:
            continue
        for mover, to in ((defenders[0], back[0]), (unit.id, beside[0]))[: 1 + (face == 6)]:
            scribe.drag(mover, to)
            position.at[mover] = to


def main() -> None:
    folder = Path(sys.argv[1])
    folder.mkdir(parents=True, exist_ok=True)
    game = draw_game(folder, *map(int, sys.argv[2:3]))
    print(f"{len(game.moves)} moves, {len(game.planted)} of them wrong")


if __name__ == "__main__":
    main()
