"""Verra Line: a small game for the ruleset zoc-classes, and two logs of it. All of it is our own.

North attacks over the minor river Verra; South holds the hills behind it. README.md tells what is to be
made of it.
"""

from __future__ import annotations

from module_builder.counter import Livery
from module_builder.scenarios import Log, Scenario, Status, Unit
from module_builder.sheet import Bank, Sheet, Way
from module_builder.table import Table

SHEET = Sheet(
    # 0101 is the upper left corner; every second column (02, 04 …) lies half a hex lower.
    rows="""
        ....f....f..
        .f....m....f
        ....f.......
        ...........l
        .f......m.ll
        ........mm..
        .ff.....m...
        ......f.....
    """,
    legend={
        ".": ("clear",),
        "f": ("forest",),
        "m": ("mountain",),
        "l": ("lake",),
    },
    lines=[
        Way("road", "0104 0604", "Verra Road"),
        Way("road", "0704 1104", "Ostra Road"),
        Way("road", "0804 0808", "Hill Road"),
        Bank("minor river", "0601 0608", "0701 0708", "Verra"),
    ],
    places={"0104": "VESTRA", "1104": "OSTRA"},
)

NORTH, SOUTH = "North", "South"
RED = (176, 32, 32, 255)  # a combat/motorized rating is printed in red


def unit(side: str, name: str, at: str, symbol: str, size: str, values: str, kind: str, zoc: str = "none",
         own_zoc: str = "none", stacking: int = 1, column: str = "", infantry: str = "no") -> Unit:  # fmt: skip # noqa: E501
    """``values``: strength and rating; ``kind``: the movement class; ``column``: of the chart."""
    facts = {
        "ma": int(values.rpartition("-")[2]),
        "class": kind,
        "column": column or ("first" if kind == "c/m" else "second"),
        "nationality": "German" if side == NORTH else "Soviet",
        "infantry": infantry,
        "zoc": zoc,
        "own_zoc": own_zoc,
        "size": stacking,
    }
    return Unit(side, name, at, symbol, size, values, facts, RED if kind == "c/m" else None)


FOOT, TRUCKS, TANKS = "non-motorized", "s/m", "c/m"
UNITS = [
    unit(NORTH, "1 Pz", "0504", "armour", "XX", "12-10", TANKS, "full", "full", 2),
    unit(NORTH, "2 Pz", "0404", "armour", "XX", "12-10", TANKS, "full", "full", 2),
    unit(NORTH, "10 Inf", "0502", "infantry", "XX", "7-6", FOOT, "partial", "full", 2, "", "yes"),
    unit(NORTH, "11 Inf", "0303", "infantry", "XX", "7-6", FOOT, "partial", "full", 2, "", "yes"),
    unit(NORTH, "12 Inf", "0203", "infantry", "XX", "7-6", FOOT, "partial", "full", 2, "", "yes"),
    unit(NORTH, "13 Inf", "0503", "infantry", "XX", "7-6", FOOT, "partial", "full", 2, "", "yes"),
    unit(NORTH, "14 Inf", "0505", "infantry", "XX", "7-6", FOOT, "partial", "full", 2, "", "yes"),
    unit(
        NORTH,
        "3 Mtn",
        "0606",
        "mountain",
        "X",
        "4-6",
        FOOT,
        "none",
        "partial",
        1,
        "mountain",
        "yes",
    ),
    unit(NORTH, "5 Guns", "0103", "motorized artillery", "III", "3-8", TRUCKS, column="first"),
    unit(NORTH, "6 AA", "0105", "motorized artillery", "II", "1-6", TRUCKS, column="first"),
    unit(NORTH, "7 Mot", "0302", "motorized", "XX", "8-8", TANKS, "full", "full", 2),
    unit(
        SOUTH, "20 Rifle", "0805", "infantry", "XX", "4-4", FOOT, "partial", "partial", 2, "", "yes"
    ),
    unit(
        SOUTH, "21 Rifle", "0802", "infantry", "XX", "4-4", FOOT, "partial", "partial", 2, "", "yes"
    ),
    unit(SOUTH, "4 Tank", "1104", "armour", "X", "6-8", TANKS, "none", "partial", 1),
    unit(SOUTH, "5 Tank", "1106", "armour", "X", "6-8", TANKS, "none", "partial", 1),
    unit(SOUTH, "8 Mot", "1008", "motorized", "XX", "4-8", TANKS, "partial", "partial", 2),
    unit(
        SOUTH, "30 Rifle", "1107", "infantry", "XX", "3-5", FOOT, "partial", "partial", 2, "", "yes"
    ),
]

DEBT = Status(
    "Debt",
    ("none", "+1 MP", "+2 MP", "+3 MP"),
    "M",
    ((240, 214, 96, 255), (236, 170, 60, 255), (226, 120, 60, 255)),
)
RESERVE = Status("Reserve", ("line", "reserve"), "R", ((120, 178, 120, 255),))


def north_attacks(table: Table) -> None:
    """Turn 1, North. What is illegal, too much or open is said before it; all else is legal."""
    table.say("Turn 1. Over the Verra!")
    # Clear ground, then the river (half of 10 less 1), clear ground and a partial ZOC: 1 + 4 + 1 + 1 of 10.
    table.move("North 1 Pz", "0603")
    table.move("North 1 Pz", "0703")
    # Three clear hexes.
    table.move("North 11 Inf", "0604")
    # ILLEGAL (6.D.1-a): seven clear hexes; before the last nothing is left of 6.
    table.move("North 12 Inf", "0608")
    # The river (half of 6 less 1) and clear ground: 3 of 6.
    table.move("North 3 Mtn", "0707")
    # Guns pay half their rating and 1 in forests: 5 of 8.
    table.move("North 5 Guns", "0202")
    # ILLEGAL (6.F-a): only infantry force marches, and this is AA (facts.toml: a forced march).
    table.move("North 6 AA", "0604")
    # On credit: clear ground, river (2), mountain (3), a partial ZOC: 1 + 2 + 3 + 1 = 7 of 6, and a marker.
    table.move("North 10 Inf", "0702")
    table.mark("North 10 Inf", "Debt", "+1 MP")
    table.move("North 7 Mot", "0402")
    table.undo()
    table.say("no, 7 Mot goes into reserve")
    table.mark("North 7 Mot", "Reserve", "reserve")
    # ILLEGAL (6.A.3-a): half of 8 is 4; clear ground and a forest come to 6, and no marker is put down.
    table.move("North 7 Mot", "0501")
    # UNVERIFIABLE: an overrun (facts.toml) of 20 Rifle; Rule 12 would say whether, and at what cost.
    table.move("North 2 Pz", "0805")
    table.move("North 13 Inf", "0604")
    # OVERSTACK (ST): 11 Inf, 13 Inf and 14 Inf are 6, 6 AA makes 7; 4 may stay.
    table.move("North 14 Inf", "0604")

    table.phase("Reaction")
    table.act(SOUTH)
    # ILLEGAL (6.D.3-a): only reserves react.
    table.move("South 4 Tank", "1003")

    table.phase("Combat")
    table.act(NORTH)
    table.say("the overrun fails, 2 Pz goes back; 1 Pz and 10 Inf attack 21 Rifle in 0802")
    table.move("North 2 Pz", "0705")  # facts.toml: a retreat
    table.roll("2d6", 6, 4)
    table.act(SOUTH)
    table.move("South 21 Rifle", "0902")  # facts.toml: a retreat
    table.act(NORTH)
    # The advance of the rules' own example (6.A.3): clear ground and a partial ZOC, a +2 MP marker.
    table.move("North 1 Pz", "0802")
    table.mark("North 1 Pz", "Debt", "+2 MP")

    table.phase("Exploitation")
    # ILLEGAL (6.D.4-d): semi-motorized units not in reserve do not move in exploitation.
    table.move("North 5 Guns", "0203")
    table.phase("Initial", SOUTH)


def south_answers(table: Table) -> None:
    """Turn 1, South: all of it is legal."""
    table.clear_marks()
    # A mountain costs infantry 3, of 5.
    table.move("South 30 Rifle", "1006")
    table.move("South 8 Mot", "1007")
    # Out of 2 Pz's full ZOC (2) along the road (1): 3 of 4.
    table.move("South 20 Rifle", "0806")
    table.mark("South 5 Tank", "Reserve", "reserve")

    table.phase("Reaction")
    table.phase("Combat")
    table.phase("Exploitation")
    # Half of 8 is 4, a mountain costs half of 8 and 1: on credit.
    table.move("South 8 Mot", "0907")
    table.mark("South 8 Mot", "Debt", "+1 MP")
    # C/m units in reserve have all of their MA: three clear hexes of 8.
    table.move("South 5 Tank", "1108")
    table.phase("Initial", NORTH, turn=2)


SCENARIO = Scenario(
    name="zoc-classes",
    title="Verra Line",
    about="A small game to audit",
    sides={
        NORTH: Livery((150, 164, 138, 255)),
        SOUTH: Livery((206, 170, 122, 255)),
    },
    players={NORTH: "Heron", SOUTH: "Bittern"},
    phases=("Initial", "Reaction", "Combat", "Exploitation"),
    sheet=SHEET,
    units=UNITS,
    statuses=(DEBT, RESERVE),
    logs=[
        Log("1-north", 1, NORTH, "Initial", north_attacks),
        Log("2-south", 1, SOUTH, "Initial", south_answers),
    ],
)
