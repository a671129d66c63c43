"""Kelme Crossing: a small game for the ruleset ocs, and two logs of it. All of it is our own.

West attacks over the river Kelme; East holds the bridge. README.md tells what is to be made of it.
"""

from __future__ import annotations

from module_builder.counter import Livery
from module_builder.scenarios import Log, Scenario, Status, Unit
from module_builder.sheet import Bank, Sheet, Side, Way
from module_builder.table import Table

SHEET = Sheet(
    # 0101 is the upper left corner; every second column (02, 04 …) lies half a hex lower.
    rows="""
        ..ww...hhm...
        .www...hhmmw.
        ..w....h.mn..
        .........h...
        c......v....c
        ...w....ww...
        ..hh.w...ss..
        ..h..w..sssw.
        ...w.....s.w.
    """,
    legend={
        ".": ("open",),
        "w": ("woods",),
        "h": ("hills",),
        "m": ("mountain",),
        "n": ("open", "mountain nub"),
        "s": ("swamp",),
        "v": ("open", "village"),
        "c": ("open", "city"),
    },
    lines=[
        Way("road", "0105 1305", "Kelme Road"),
        Way("road", "0501 0509", "West Road"),
        Way("track", "1105 1109", "Moor Track"),
        Way("railroad", "1201 1209", "East Line"),
        Bank("river", "0701 0709", "0801 0809", "Kelme"),
        Bank("stream", "0206 0306 0406", "0207 0307 0407", "Mill Brook"),
        Side("bridge", "0705/0805"),
    ],
    places={"0105": "ALTMAR", "0805": "KELM", "1305": "OSTERBY"},
)

WEST, EAST = "West", "East"
RED = (176, 32, 32, 255)  # a tracked allowance is printed in red, a truck one in blue
BLUE = (24, 60, 150, 255)


def unit(side: str, name: str, at: str, symbol: str, size: str, values: str, kind: str, re: int,
         sort: str = "combat", attack: str = "yes") -> Unit:  # fmt: skip
    """``values``: strength and allowance; ``kind``: the mobility class; ``re``: regiment equivalents."""
    ma = int(values.rpartition("-")[2]) if values else 0
    hue = {"tracked": RED, "truck": BLUE}.get(kind)
    facts = {"class": kind, "ma": ma, "type": sort, "attack": attack, "re": re}
    return Unit(side, name, at, symbol, size, values, facts, hue)


UNITS = [
    unit(WEST, "5 Tank", "0305", "armour", "III", "18-10", "tracked", 4),
    unit(WEST, "7 Mot", "0405", "motorized", "III", "9-6", "truck", 3),
    unit(WEST, "11 Inf", "0607", "infantry", "III", "8-5", "leg", 3),
    unit(WEST, "12 Inf", "0606", "infantry", "XX", "12-5", "leg", 4),
    unit(WEST, "20 Inf", "0503", "infantry", "III", "6-5", "leg", 2),
    unit(WEST, "21 Inf", "0103", "infantry", "III", "6-5", "leg", 2),
    unit(WEST, "22 Inf", "0209", "infantry", "III", "6-5", "leg", 2),
    unit(WEST, "3 Recon", "0508", "recon", "II", "3-14", "truck", 1),
    unit(WEST, "8 Cav", "0609", "cavalry", "III", "4-7", "leg", 2),
    unit(WEST, "2 Guns", "0507", "motorized artillery", "II", "16-5", "truck", 1),
    unit(WEST, "LX HQ", "0105", "hq", "XXXX", "0-10", "truck", 0, "hq", "no"),
    unit(WEST, "Lorries", "0205", "transport", "", "2-20", "truck", 0, "transport", "no"),
    unit(EAST, "30 Inf", "0805", "infantry", "III", "7-4", "leg", 3),
    unit(EAST, "31 Inf", "0604", "infantry", "II", "3-4", "leg", 1),
    unit(EAST, "6 Mot", "1107", "motorized", "III", "8-10", "truck", 3),
    unit(EAST, "4 Tank", "1305", "armour", "III", "14-5", "tracked", 3),
    unit(EAST, "40 Inf", "1202", "infantry", "III", "6-5", "leg", 2),
    unit(EAST, "41 Inf", "1202", "infantry", "III", "6-5", "leg", 2),
    unit(EAST, "XX HQ", "1108", "hq", "XXX", "0-10", "truck", 0, "hq", "no"),
    unit(EAST, "Hedgehog", "0805", "hedgehog", "", "", "leg", 0, "hedgehog", "no"),
]

MODE = Status(
    "Mode",
    ("combat", "move", "strat", "reserve", "released", "exploit"),
    "B",
    ((214, 214, 206, 255), (240, 214, 96, 255), (120, 178, 120, 255), (176, 214, 160, 255),
     (226, 120, 60, 255)),
)  # fmt: skip
ORDER = Status("Order", ("formed", "disorganized"), "D", (None,))


def west_attacks(table: Table) -> None:
    """Turn 1, West. What is illegal, too much or open is said before it; all else is legal."""
    table.say("Turn 1. To the river, and over it!")
    # Three road hexes of ½ MP for a tracked unit, through 31 Inf's zone: only trucks stop there.
    table.move("West 5 Tank", "0605")
    table.stack("West 5 Tank", "0705")
    # ILLEGAL (6.3b-a): trucks stop in a zone of control, and 0505 is in 31 Inf's. Off the road, outside
    # the zone, 0705 is 8 MPs away, and its MA is 6.
    table.move("West 7 Mot", "0705")
    # Open ground, the river (+2), open ground: 1 + 3 of 5.
    table.move("West 11 Inf", "0807")
    # ILLEGAL (6.2c-a): no truck swims a river, and no engineers bridged it (facts.toml); the only bridge
    # leads to 30 Inf.
    table.move("West 3 Recon", "0808")
    # 7 MPs of open ground, a city and a wood; in Strat Mode its MA of 5 is doubled, and no enemy is near.
    table.mark("West 21 Inf", "Mode", "strat")
    table.move("West 21 Inf", "0508")
    # Hills cost a truck 6, its MA is 5: the one hex everybody may enter (6.1c).
    table.move("West 2 Guns", "0407")
    table.mark("West 22 Inf", "Mode", "reserve")
    table.move("West 8 Cav", "0706")
    table.undo()
    table.say("no, the cavalry waits in the wood")
    table.move("West 8 Cav", "0708")
    # UNVERIFIABLE: disorganized, and by what that multiplies its MA this edition's pack leaves open.
    table.mark("West 20 Inf", "Order", "disorganized")
    table.move("West 20 Inf", "0501")
    # Three road hexes each, ½ MP apiece.
    table.move("West LX HQ", "0405")
    table.move("West Lorries", "0505")
    # OVERSTACK (X-STK): with 5 Tank (4 RE) and 7 Mot (3) the division (4) makes 11 RE; 10 may stay.
    table.move("West 12 Inf", "0705")

    table.phase("Reaction")
    table.act(EAST)
    # A released reserve has half its MA: 2½, never rounded, which is just five road hexes of ½ MP.
    table.mark("East 4 Tank", "Mode", "released")
    table.move("East 4 Tank", "0805")
    # ILLEGAL (X-ELIG): in Combat Mode nobody moves in Reaction.
    table.move("East 6 Mot", "1005")

    table.phase("Combat")
    table.act(WEST)
    table.say("5 Tank and 12 Inf attack 31 Inf in 0604")
    table.roll("2d6", 5, 5)
    table.say("it retreats two hexes and is disorganized; 3 Recon and 8 Cav exploit")
    table.act(EAST)
    table.move("East 31 Inf", "0703")  # facts.toml: a retreat
    table.mark("East 31 Inf", "Order", "disorganized")
    table.act(WEST)
    table.mark("West 5 Tank", "Mode", "exploit")
    table.mark("West 8 Cav", "Mode", "exploit")

    table.phase("Exploitation")
    # Half of 10 is 5, and it goes one hex, into the one 31 Inf has left.
    table.move("West 5 Tank", "0604")
    # ILLEGAL (6.1b-a): half of 7 is 3½; open ground, the river (+2) and open ground again come to 4.
    table.move("West 8 Cav", "0907")
    table.phase("Movement", EAST)


def east_answers(table: Table) -> None:
    """Turn 1, East: all of it is legal."""
    table.say("That was bold. Now we")
    table.clear_marks()
    # Out of the swamp, where no truck may go, by the track it came on (6.1d, 6.2a): 1 MP a hex.
    table.move("East XX HQ", "1106")
    # As a stack; 41 Inf is dropped off on the way and stays (6.1f).
    table.stack("East 40 Inf", "1203")
    table.move("East 40 Inf", "1205")
    # Wherever it came from: one road hex.
    table.move("East 6 Mot", "1105")
    table.mark("East 4 Tank", "Mode", "combat")
    # Two road hexes; the enemies around stop trucks, not tanks.
    table.move("East 4 Tank", "1005")
    # 8 Cav exploits and has no zone of control; and it would not stop leg units.
    table.move("East 30 Inf", "0906")

    table.phase("Reaction")
    table.act(WEST)
    # Half of 5: open ground and a wood are 2 of 2½.
    table.mark("West 22 Inf", "Mode", "released")
    table.move("West 22 Inf", "0409")

    table.phase("Combat")
    table.act(EAST)
    table.say("4 Tank and 30 Inf attack 8 Cav in 0907")
    table.roll("2d6", 6, 3)
    table.mark("East 4 Tank", "Mode", "exploit")

    table.phase("Exploitation")
    # Half of 5: a tank pays 2 for woods.
    table.move("East 4 Tank", "1006")
    table.phase("Movement", WEST, turn=2)


SCENARIO = Scenario(
    name="ocs",
    title="Kelme Crossing",
    about="A small game to audit",
    sides={
        WEST: Livery((150, 164, 138, 255)),
        EAST: Livery((206, 170, 122, 255)),
    },
    players={WEST: "Heron", EAST: "Bittern"},
    phases=("Movement", "Reaction", "Combat", "Exploitation"),
    sheet=SHEET,
    units=UNITS,
    statuses=(MODE, ORDER),
    logs=[
        Log("1-west", 1, WEST, "Movement", west_attacks),
        Log("2-east", 1, EAST, "Movement", east_answers),
    ],
)
