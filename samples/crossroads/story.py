"""Crossroads: what the two players did, drag by drag."""

from __future__ import annotations

import box
from country import GRID, ORDER_OF_BATTLE
from press.scribe import Scribe
from vassal_umpire.importers.vassal.commands import Player
from vassal_umpire.importers.vassal.sequence import join

# Made up for the sample, like the people.
WREN = Player("crossroads-key-of-wren", "Wren", "Blue")
TARN = Player("crossroads-key-of-tarn", "Tarn", "Red")

IDS = {f"{side} {name}": piece_id for piece_id, side, name, _, _ in ORDER_OF_BATTLE}


def turn(number: int, side: int, phase: int) -> str:
    """The state of the turn tracker: its number, 0 Blue or 1 Red, 0 Movement or 1 Combat."""
    phases = f"{phase};0;0;true,true"
    sides = join([str(side), "0", "0", "true,true", phases], ";")
    return join(["0", join([str(number), "0", "false", "-1", sides], ";")], "|")


def set_up() -> Scribe:
    """The table before the first turn."""
    scribe = Scribe(GRID, (box.EDGE, box.EDGE), "Country", 1790000001000)
    scribe.turn = turn(1, 0, 0)
    counters = box.counters()
    for piece_id, _, _, _, hex_name in ORDER_OF_BATTLE:
        scribe.place(counters[piece_id], hex_name)
    return scribe


def blue_turn(scribe: Scribe) -> None:
    """Turn 1, Blue."""
    scribe.sit_down(WREN)
    scribe.begin()
    scribe.say("Turn 1. Everyone to the bridge!")
    scribe.drag(IDS["Blue Recon"], "0502")
    scribe.drag_stack(IDS["Blue 1 Tank"], "0505")
    scribe.drag(IDS["Blue 1 Inf"], "0302")
    scribe.drag(IDS["Blue 2 Inf"], "0307")
    scribe.undo()
    scribe.say("no, that hill is too far from the road")
    scribe.drag(IDS["Blue 2 Inf"], "0305")
    scribe.drag(IDS["Blue 2 Tank"], "0707")
    scribe.drag(IDS["Blue 3 Inf"], "0505")
    scribe.drag(IDS["Blue 4 Inf"], "0808")
    scribe.spend(IDS["Blue 4 Inf"], 4)
    scribe.drag(IDS["Blue 5 Inf"], "0110")
    scribe.drag(IDS["Blue HQ"], "0405")
    scribe.advance(turn(1, 0, 1), "Turn 1, Blue Movement", "Turn 1, Blue Combat")
    scribe.say("2 Tank attacks nobody yet; guns on the bridge")
    scribe.roll("2d6", (5, 4))
    scribe.disrupt(IDS["Red 1 Inf"])
    scribe.advance(turn(1, 1, 0), "Turn 1, Blue Combat", "Turn 1, Red Movement")


def red_turn(scribe: Scribe) -> None:
    """Turn 1, Red, on the table that Blue left."""
    scribe.sit_down(TARN)
    scribe.begin()
    scribe.say("Let us see how far they came")
    scribe.mark_all_unmoved()
    scribe.drag(IDS["Red 1 Inf"], "0804")
    scribe.drag(IDS["Red Tank"], "0806")
    scribe.drag(IDS["Red Motor Inf"], "1005")
    scribe.drag(IDS["Red 3 Inf"], "0907")
    scribe.drag(IDS["Red HQ"], "1005")
    scribe.advance(turn(1, 1, 1), "Turn 1, Red Movement", "Turn 1, Red Combat")
    scribe.say("Tank attacks 2 Tank in 0707")
    scribe.roll("2d6", (6, 5))
    scribe.say("back over the river with you: 2 Tank retreats one hex")
    scribe.drag(IDS["Blue 2 Tank"], "0607")
    scribe.advance(turn(2, 0, 0), "Turn 1, Red Combat", "Turn 2, Blue Movement")
