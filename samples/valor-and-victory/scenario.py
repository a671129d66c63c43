"""Mill Bridge: a small game for the ruleset valor-and-victory, and two logs of it. All of it is our own.

Khaki comes up the road from the south and over the mill stream; Grey holds the farm. README.md tells what
is to be made of it.
"""

from __future__ import annotations

from module_builder.counter import Livery
from module_builder.scenarios import Log, Scenario, Status, Unit
from module_builder.sheet import Bank, Sheet, Way
from module_builder.table import Table

SHEET = Sheet(
    # 0101 is the upper left corner; every second column (02, 04 …) lies half a hex lower.
    rows="""
        ww.....oo..
        w..b...o...
        ......b....
        ...........
        sssssBsssss
        ...........
        w.......b..
        ww.........
        .w.....p...
    """,
    levels="""
        00000000000
        00000000011
        00000000112
        00000000011
        00000000000
        00000000000
        00000000000
        00000000000
        00000000000
    """,
    legend={
        ".": ("open",),
        "w": ("woods",),
        "o": ("orchard",),
        "b": ("building",),
        "s": ("stream",),
        "B": ("stream", "bridge"),
        "p": ("pond",),
    },
    lines=[
        Way("road", "0609 0601", "Mill Road"),
        Bank("hedge", "0203 0303 0403", "0204 0304 0404"),
        Bank("wall", "0602 0702 0802", "0603 0703 0803"),
    ],
    works={"0306": "foxholes", "0508": "wire"},
)

KHAKI, GREY = "Khaki", "Grey"
RED = (176, 32, 32, 255)


def unit(side: str, name: str, at: str, kind: str, values: str, **more: str | int) -> Unit:
    """``values``: firepower and, on vehicles and guns, MPs; ``more``: what else the rules ask."""
    symbol = {"half-squad": "half squad", "afv": "tank", "vehicle": "truck"}.get(kind, kind)
    mp = int(values.rpartition("-")[2]) if kind in ("afv", "vehicle", "gun") else 0
    facts = {"class": kind, "mp": mp, "weapon": "none", "transport": "none", "tow": "no", **more}
    return Unit(side, name, at, symbol, "", values, facts, RED if mp else None)


UNITS = [
    unit(KHAKI, "Able", "0408", "squad", "6-4"),
    unit(KHAKI, "Cole", "0408", "leader", "1-6"),
    unit(KHAKI, "Baker", "0708", "squad", "6-4"),
    unit(KHAKI, "Charlie", "0207", "squad", "6-4", weapon="heavy"),
    unit(KHAKI, "Dog", "0509", "half-squad", "3-4"),
    unit(KHAKI, "Easy", "0908", "squad", "6-4"),
    unit(KHAKI, "Fox", "1108", "squad", "6-4"),
    unit(KHAKI, "George", "0608", "squad", "6-4"),
    unit(KHAKI, "Ives", "0209", "squad", "6-4", weapon="light|heavy"),
    unit(KHAKI, "King", "1007", "squad", "6-4"),
    unit(KHAKI, "Love", "1007", "squad", "6-4"),
    unit(KHAKI, "Tank 1", "0609", "afv", "12-10"),
    unit(KHAKI, "Tank 2", "0808", "afv", "12-6"),
    unit(KHAKI, "Truck", "0608", "vehicle", "0-12", transport="T1", tow="yes"),
    unit(KHAKI, "Mortar", "1008", "gun", "10-1"),
    unit(GREY, "Anton", "0703", "squad", "7-4"),
    unit(GREY, "Berta", "0604", "squad", "7-4"),
    unit(GREY, "Caesar", "0402", "squad", "7-4"),
    unit(GREY, "Dora", "0306", "half-squad", "3-4"),
    unit(GREY, "Lenz", "0402", "leader", "1-6"),
    unit(GREY, "Tank 3", "0601", "afv", "10-8"),
    unit(GREY, "Flak", "0903", "gun", "20-0"),
]

MARKER = Status(
    "Marker",
    ("ready", "move", "assault", "fire"),
    "M",
    ((214, 214, 206, 255), (240, 214, 96, 255), (226, 120, 60, 255)),
)
PINNED = Status("Pinned", ("up", "pinned"), "P", (None,))
ABOARD = Status("Aboard", ("afoot", "aboard"), "L", ((120, 178, 120, 255),))
NORTH, EAST_BY_SOUTH, SOUTH, WEST_BY_SOUTH = 0, 2, 3, 4


def khaki_attacks(table: Table) -> None:
    """Turn 1, Khaki. What is illegal, too much or open is said before it; all else is legal."""
    table.say("Turn 1. Facings as set up, George in the truck; then over the stream!")
    table.act(GREY)
    table.mark("Grey Tank 3", "Facing", SOUTH)
    table.mark("Grey Flak", "Facing", SOUTH)
    table.act(KHAKI)
    table.mark("Khaki George", "Aboard", "aboard")

    table.phase("Movement")
    # With a leader all the way a squad has 6: open, open, the stream (2), open are 5.
    table.stack("Khaki Able", "0404")
    # ILLEGAL (6.31-b): the same way costs Baker 5, and without a leader it has 4. The bridge is no way
    # round: it leads to Berta.
    table.move("Khaki Baker", "0704")
    # A heavy weapon leaves 3 of 4: open ground and the stream.
    table.move("Khaki Charlie", "0205")
    # ILLEGAL (20.8-a): fired at in the wire, so it was there; and who enters wire stops.
    table.move("Khaki Dog", "0508")
    table.act(GREY)
    table.roll("2d6", 6, 5)
    table.act(KHAKI)
    table.move("Khaki Dog", "0507")
    # Assault movement halves 4 to 2: a building.
    table.mark("Khaki Easy", "Marker", "assault")
    table.move("Khaki Easy", "0907")
    table.mark("Khaki Easy", "Marker", "move")
    # Up the road and over Berta: three road hexes, the bridge, 1 and 2 for the overrun, the exit hex: 8 of
    # 10.
    table.move("Khaki Tank 1", "0606")
    table.act(GREY)
    table.roll("2d6", 5, 4)
    table.act(KHAKI)
    table.move("Khaki Tank 1", "0604")
    table.roll("2d6", 3, 2)
    table.move("Khaki Tank 1", "0603")
    # ILLEGAL (6.32-a): open, open, the stream (3 for vehicles) and open are all its 6 MPs; the first
    # hexside of
    # the turn is free, the second costs 1 (6.5-c).
    table.move("Khaki Tank 2", "0804")
    table.mark("Khaki Tank 2", "Facing", EAST_BY_SOUTH)
    # The truck brings George two hexes up the road, and he gets out.
    table.stack("Khaki Truck", "0606")
    table.mark("Khaki George", "Aboard", "afoot")
    # ILLEGAL (8.3-c): a carrier drives before it unloads, or after, not both.
    table.move("Khaki Truck", "0605")
    # A gun is moved one hex and turned as its crew likes.
    table.move("Khaki Mortar", "1007")
    table.mark("Khaki Mortar", "Facing", WEST_BY_SOUTH)
    table.move("Khaki Fox", "1106")
    table.undo()
    table.say("no, Fox goes to the guns")
    # OVERSTACK (6.9-c): a gun and two infantry units may be in a hex, not three.
    table.move("Khaki Fox", "1007")
    # UNVERIFIABLE: 4 MPs of the 4 it has with a light weapon, or of the 3 with a heavy one.
    table.move("Khaki Ives", "0206")

    table.phase("Advance")
    # One hex, over the hedge: no MPs are counted.
    table.stack("Khaki Able", "0403")
    table.move("Khaki Charlie", "0204")
    table.phase("After-Action")
    table.mark("Khaki Easy", "Marker", "ready")
    table.phase("Fire", GREY)


def grey_answers(table: Table) -> None:
    """Turn 1, Grey."""
    table.say("Now we")
    table.clear_marks()

    table.phase("Movement")
    # Ahead down the road, and one hexside to the left, which is free: 1 of 8.
    table.move("Grey Tank 3", "0602")
    table.mark("Grey Tank 3", "Facing", EAST_BY_SOUTH)
    # Out of the foxholes, through the stream and up the bank: 2 and 1 of 4.
    table.move("Grey Dora", "0304")
    # ILLEGAL (13.8-a): Opportunity Fire pins it in 0502, and it runs on.
    table.move("Grey Caesar", "0502")
    table.act(KHAKI)
    table.roll("2d6", 2, 1)
    table.act(GREY)
    table.mark("Grey Caesar", "Pinned", "pinned")
    table.move("Grey Caesar", "0501")
    # ILLEGAL (1.15-a): a gun of 0 MPs is towed or stays.
    table.move("Grey Flak", "0803")
    # A leader by himself: 2 of 6.
    table.move("Grey Lenz", "0401", "0302")

    table.phase("Advance")
    # ILLEGAL (5.35-a): an advance is one hex.
    table.move("Grey Dora", "0302")
    # A close assault (facts.toml): Baker is thrown out of 0704.
    table.say("Anton assaults Baker")
    table.roll("2d6", 6, 6)
    table.move("Grey Anton", "0704")
    table.phase("After-Action")
    table.move("Khaki Baker", "0705")
    table.phase("Fire", KHAKI, turn=2)


SCENARIO = Scenario(
    name="valor-and-victory",
    title="Mill Bridge",
    about="A small game to audit",
    sides={
        KHAKI: Livery((200, 186, 136, 255)),
        GREY: Livery((170, 178, 186, 255)),
    },
    players={KHAKI: "Wren", GREY: "Plover"},
    phases=("Fire", "Movement", "Advance", "After-Action"),
    sheet=SHEET,
    units=UNITS,
    statuses=(MARKER, PINNED, ABOARD),
    facings=6,
    logs=[
        Log("1-khaki", 1, KHAKI, "Fire", khaki_attacks),
        Log("2-grey", 1, GREY, "Fire", grey_answers),
    ],
)
