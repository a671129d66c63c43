"""A sample game as its ``scenario.py`` tells it, and how it becomes module, logs and spreadsheets."""

from __future__ import annotations

import csv
import io
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from vassal_umpire.importers.vassal.commands import Player
from vassal_umpire.importers.vassal.writer import write_module, write_save

from . import counter
from .canvas import Canvas, Colour
from .contents import EDGE, WRITTEN, Contents, Slot
from .counter import Face, Livery
from .scribe import Scribe
from .sheet import Sheet
from .table import Table
from .traits import MOVED, TO_THE_BOX, TRAIL, Trait, count, facing, layer, markers, picture_of

Cell = str | int


@dataclass(frozen=True)
class Unit:
    """A counter. ``facts``: what the rules ask of it, as ``units.csv`` of the pack gives it."""

    side: str
    name: str
    at: str
    symbol: str
    size: str
    values: str
    facts: Mapping[str, Cell]
    hue: Colour | None = None

    @property
    def called(self) -> str:
        """What reports and scripts call it."""
        return f"{self.side} {self.name}"


@dataclass(frozen=True)
class Status:
    """A state that players set on a counter: a layer of tags, the first level with none.

    ``colours``: of the tags of the other levels; None: a bar across the counter instead.
    """

    name: str
    levels: tuple[str, ...]
    key: str
    colours: tuple[Colour | None, ...]

    def trait(self) -> Trait:
        return layer(self.name, self.levels, self.key, text=f"Next {self.name.lower()}")

    def pictures(self) -> dict[str, Canvas]:
        drawn = {}
        for level, colour in zip(self.levels[1:], self.colours, strict=True):
            picture = counter.tag(level, colour) if colour else counter.band((236, 190, 20, 255))
            drawn[f"{picture_of(level)}.png"] = picture
        return drawn


@dataclass(frozen=True)
class Log:
    """``side`` and ``phase`` of the turn the tracker shows at its beginning; ``play``: what happens."""

    name: str
    turn: int
    side: str
    phase: str
    play: Callable[[Table], None]


@dataclass(frozen=True)
class Scenario:
    """``name`` is the folder's, and the pack's; ``title`` the module's.

    ``players``: side → name. ``facings``: how many ways a counter can face; 0: none. ``spent``: whether
    players note MPs on the counter. ``dice``: name of the button → (how many, sides).
    """

    name: str
    title: str
    about: str
    sides: Mapping[str, Livery]
    players: Mapping[str, str]
    phases: tuple[str, ...]
    sheet: Sheet
    units: Sequence[Unit]
    logs: Sequence[Log]
    statuses: Sequence[Status] = ()
    facings: int = 0
    spent: bool = False
    dice: Mapping[str, tuple[int, int]] = field(default_factory=lambda: {"2d6": (2, 6)})

    @property
    def contents(self) -> Contents:
        traits = [MOVED, TRAIL, *(status.trait() for status in self.statuses)]
        traits += [count("Spent", 99, "Spend 1 MP", "Nothing spent")] if self.spent else []
        traits += [facing("Facing", self.facings)] if self.facings else []
        return Contents(
            self.title, "1.0", self.about, tuple(self.sides), self.phases, "Country", self.sheet.grid,
            (*traits, TO_THE_BOX), self._slots(), counter.SIZE, self.dice,
        )  # fmt: skip

    def build(self, folder: Path) -> None:
        """Write module, logs and the spreadsheets of the pack into ``folder``."""
        (folder / "pack").mkdir(parents=True, exist_ok=True)
        contents = self.contents
        pictures = {f"images/{name}": canvas.png() for name, canvas in self.pictures().items()}
        module = folder / f"{self.name}.vmod"
        write_module(module, contents.build_file().encode(), contents.module_data, pictures)
        metadata = {"moduledata": contents.module_data, "savedata": contents.save_data}
        table = self._table(contents)
        for number, log in enumerate(self.logs, 1):
            table.open(log.turn, log.side, log.phase)
            log.play(table)
            text = table.scribe.text()
            write_save(folder / f"{log.name}.vlog", text, key=0x5A + number, **metadata)
        sheets = {**self.sheet.spreadsheets(), "units.csv": self._units_csv()}
        for name, text in sheets.items():
            (folder / "pack" / name).write_text(text, encoding="utf-8", newline="")

    def pictures(self) -> dict[str, Canvas]:
        """All pictures, by file name."""
        drawn = {"map.png": self.sheet.picture()}
        for status in self.statuses:
            drawn |= status.pictures()
        for unit in self.units:
            values = tuple(unit.values.split("-")) if unit.values else ()
            face = Face(unit.name, unit.symbol, unit.size, values, unit.hue)
            drawn[_picture(unit)] = counter.draw(self.sides[unit.side], face)
        return drawn

    def _slots(self) -> list[Slot]:
        sides = list(self.sides)
        slots = []
        for number, unit in enumerate(self.units, 1):
            piece_id = str(WRITTEN + 100 * (sides.index(unit.side) + 1) + number)
            own = markers({"Side": unit.side})
            slots.append(Slot(piece_id, unit.side, unit.name, own, _picture(unit), unit.at))
        return slots

    def _units_csv(self) -> str:
        columns = list(dict.fromkeys(key for unit in self.units for key in unit.facts))
        text = io.StringIO()
        rows = csv.writer(text, lineterminator="\n")
        rows.writerow(["name", *columns])
        rows.writerows([u.called, *(u.facts.get(c, "") for c in columns)] for u in self.units)
        return text.getvalue()

    def _table(self, contents: Contents) -> Table:
        """The table set up, everybody in his seat."""
        scribe = Scribe(contents.grid, (EDGE, EDGE), contents.board, WRITTEN + 1000)
        players = {
            side: Player(f"{self.name}-key-of-{who.lower()}", who, side)
            for side, who in self.players.items()
        }
        for player in players.values():
            scribe.sit_down(player)
        counters = contents.counters()
        for slot in contents.slots:
            scribe.place(counters[slot.id], slot.at)
        ids = {slot.called: slot.id for slot in contents.slots}
        levels = {status.name: status.levels for status in self.statuses}
        return Table(scribe, players, ids, levels, contents.phases)


def _picture(unit: Unit) -> str:
    kept = (letter if letter.isalnum() else "-" for letter in unit.called.lower())
    return f"{''.join(kept)}.png"
