"""Crossroads with counters that can be hidden and masked: logs written for a test."""

from __future__ import annotations

import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

from sample_pack import CROSSROADS, pack_copy

sys.path[:0] = [str(CROSSROADS.parent), str(CROSSROADS)]

import contents
import script
from module_builder.contents import EDGE
from module_builder.scribe import MAIN, Scribe
from module_builder.traits import Trait
from terrain import GRID, ORDER_OF_BATTLE
from vassal_umpire.importers.vassal.commands import Command, MovePiece, Player, Undo
from vassal_umpire.importers.vassal.writer import write_module, write_save

WREN, TARN = script.WREN, script.TARN
IDS = script.IDS
HIDE = Trait("hide;72,130;Hide;;player:;0.3;;false", "null", "Hide")
MASK = Trait("obs;73,130;back.png;Mask;B;?;player:;;;false", "null;", "Mask")
CONTENTS = replace(contents.CONTENTS, traits=(*contents.CONTENTS.traits, HIDE, MASK))


class DarkScribe(Scribe):
    """Writes also what players do to counters that others may not know."""

    def sits(self, player: Player) -> None:
        """``player``, who is at the table, acts from now on."""
        self.player = player

    def hide(self, counter: str) -> None:
        self.change(counter, "Hide", self.player.id)

    def show(self, counter: str) -> None:
        self.change(counter, "Hide", "null")

    def mask(self, counter: str) -> None:
        self.change(counter, "Mask", f"{self.player.id};")

    def unmask(self, counter: str) -> None:
        self.change(counter, "Mask", "null;")

    def sneak(self, counter: str, hex_name: str) -> None:
        """Drag a hidden counter: the engine reports nothing of it."""
        self.drag(counter, hex_name)
        self.steps[-1].pop()

    def note(self, *commands: Command) -> None:
        self._note(list(commands))

    def off(self, counter: str) -> None:
        """Drag a counter to the map of the eliminated."""
        piece = self.pieces[counter]
        self._stack_of(counter).members.remove(counter)
        self.note(
            MovePiece(
                counter, "Eliminated", 60, 60, None, MAIN, piece.x, piece.y, None, self.player.id
            )
        )

    def undo_off(self, counter: str, hex_name: str) -> None:
        """Take back that it was dragged there from a hex in which nothing else lies."""
        piece = self.pieces[counter]
        piece.x, piece.y = self.point(hex_name)
        self.note(
            Undo(True),
            MovePiece(
                counter, MAIN, piece.x, piece.y, None, "Eliminated", 60, 60, None, self.player.id
            ),
            self._stack_command(self._new_stack([counter]), "@@1"),
            Undo(False),
        )

    def back(self, counter: str, hex_name: str) -> None:
        """Drag it back from there."""
        piece = self.pieces[counter]
        piece.x, piece.y = self.point(hex_name)
        there = self._stack_at(piece.x, piece.y)
        under = None if there is None else there.members[-1]
        step: list[Command] = [
            MovePiece(
                counter, MAIN, piece.x, piece.y, under, "Eliminated", 60, 60, None, self.player.id
            )
        ]
        if there is None:
            step.append(self._stack_command(self._new_stack([counter]), "@@1"))
        else:
            there.members.append(counter)
        self.note(*step)


def set_up() -> DarkScribe:
    """The table before the first turn, both players at it; Wren (Blue) acts."""
    scribe = DarkScribe(GRID, (EDGE, EDGE), CONTENTS.board, 1790000001000)
    scribe.turn = script.turn(1, 0, 0)
    counters = CONTENTS.counters()
    for piece_id, _, _, _, hex_name in ORDER_OF_BATTLE:
        scribe.place(counters[piece_id], hex_name)
    for player in (WREN, TARN):
        scribe.sit_down(player)
    scribe.sits(WREN)
    return scribe


def build(folder: Path, *plays: Callable[[DarkScribe], None]) -> tuple[Path, list[Path]]:
    """The module, a log for each of ``plays``, and beside them the pack of Crossroads."""
    folder.mkdir(exist_ok=True)
    module = folder / "crossroads.vmod"
    write_module(module, CONTENTS.build_file().encode(), CONTENTS.module_data, contents.pictures())
    pack_copy(folder / "pack")
    logs = []
    scribe = set_up()
    data = {"moduledata": CONTENTS.module_data, "savedata": CONTENTS.save_data}
    for number, play in enumerate(plays, 1):
        scribe.begin()
        play(scribe)
        logs.append(folder / f"turn-{number}.vlog")
        write_save(logs[-1], scribe.text(), key=0x40 + number, **data)
    return module, logs
