"""Ormsteg: a small game for the ruleset wacht-am-rhein, and two logs of it. All of it is our own.

German armour crowds the one bridge over the Orm. README.md tells what is to be made of it.
"""

from __future__ import annotations

from module_builder.counter import Livery
from module_builder.scenarios import Log, Scenario, Status, Unit
from module_builder.sheet import Bank, Sheet, Side, Way
from module_builder.table import Table

SHEET = Sheet(
    # 0101 is the upper left corner; every second column (02, 04 …) lies half a hex lower.
    rows="""
        ..ww...wf...
        .ww....ff...
        ..w..w..w...
        ......ww....
        t.....tf...t
        ...w........
        ..ff.w......
        .fff.....ww.
        ..f....w.w..
    """,
    legend={
        ".": ("clear",),
        "w": ("woods",),
        "f": ("forest",),
        "t": ("clear", "town"),
    },
    lines=[
        Way("primary", "0105 0205 0305 0405 0505 0605 0705 0805 0905 1005 1105 1205", "High Road"),
        Way("secondary", "0901 0907", "River Road"),
        Way("trail", "0302 0305", "Wood Trail"),
        Bank("minor-river", "0701 0709", "0801 0809", "Orm"),
        Bank("stream", "0807 0907 1007 1107 1207", "0808 0908 1008 1108 1208", "Mill Brook"),
        Side("bridge", "0705/0805"),
        Side("ford", "0708/0808"),
    ],
    places={"0105": "BRANDT", "0705": "ORMSTEG", "1205": "KALTEN"},
    looks={"minor-river": "minor river"},
)

GERMAN, ALLIED = "German", "Allied"


def unit(side: str, name: str, at: str, symbol: str, size: str, values: str, kind: str, sort: str,
         stacking: int, **more: str) -> Unit:  # fmt: skip
    """``values``: strength and base allowance; ``kind``: the movement class; ``sort``: the type."""
    facts = {
        "class": kind, "type": sort, "strength": values.partition("-")[0] or "0", "stacking": stacking,
        "nation": "german" if side == GERMAN else "us", "bridge": more.get("bridge", "none"),
        "traction": more.get("traction", "towed"), "calibre": more.get("calibre", "other"),
        "division": more.get("division", "no"),
    }  # fmt: skip
    return Unit(side, name, at, symbol, size, values, facts)


UNITS = [
    unit(GERMAN, "5 Recon", "1005", "armoured recon", "II", "1-14", "mech", "recon", 1),
    unit(GERMAN, "1 Pz", "1105", "armour", "II", "3-12", "mech", "armor", 2, bridge="M"),
    unit(GERMAN, "2 Tiger", "1205", "armour", "II", "4-9", "mech", "heavy-armor", 2, bridge="H"),
    unit(GERMAN, "3 PzGr", "1205", "mechanized", "II", "2-12", "mech", "infantry", 2),
    unit(GERMAN, "4 Pz", "1203", "armour", "II", "3-12", "mech", "armor", 2, bridge="M"),
    unit(GERMAN, "10 Gren", "0908", "infantry", "II", "2-12", "leg", "infantry", 2),
    unit(GERMAN, "11 Gren", "0906", "infantry", "II", "2-12", "leg", "infantry", 2),
    unit(GERMAN, "12 Gren", "1006", "infantry", "II", "2-12", "leg", "infantry", 2),
    unit(GERMAN, "13 Gren", "1004", "infantry", "II", "2-12", "leg", "infantry", 2),
    unit(GERMAN, "14 Gren", "1202", "infantry", "II", "2-12", "leg", "infantry", 2),
    unit(GERMAN, "15 Gren", "0807", "infantry", "II", "2-12", "leg", "infantry", 2),
    unit(
        GERMAN, "6 Guns", "1107", "artillery", "II", "1-9", "mech", "artillery", 1, traction="horse"
    ),
    unit(ALLIED, "28 Inf", "0705", "infantry", "II", "2-12", "leg", "infantry", 2, division="yes"),
    unit(ALLIED, "110 Inf", "0207", "infantry", "II", "2-12", "leg", "infantry", 2, division="yes"),
    unit(ALLIED, "Outpost", "1002", "infantry", "I", "1-12", "leg", "infantry", 1, division="yes"),
    unit(ALLIED, "9 Tank", "0105", "armour", "II", "3-12", "mech", "armor", 2),
    unit(
        ALLIED, "707 FA", "0404", "artillery", "II", "1-12", "mech", "artillery", 1, calibre="105"
    ),
]

MODE = Status(
    "Mode",
    ("tactical", "strat", "PA", "exploit"),
    "M",
    ((120, 178, 120, 255), (226, 120, 60, 255), (240, 214, 96, 255)),
)
SUPPLY = Status("Supply", ("supplied", "no supply"), "O", ((214, 90, 80, 255),))
STRAIN = Status("Strain", ("fresh", "fatigue"), "F", (None,))
BATTERY = Status("Battery", ("out", "in battery"), "B", ((160, 176, 214, 255),))


def germans(table: Table) -> None:
    """Turn 1, German. What is illegal, too much or open is said before it; all else is legal."""
    table.say("Turn 1. All for the bridge at Ormsteg")
    # In Strategic Mode first (5.0-l), and by road (5.0-m): one hex of 1/2 MP; onto the other road the other
    # half is lost (5.6.1), and 1 more: 2. Its MA of 14 is raised to 21.
    table.mark("German 5 Recon", "Mode", "strat")
    table.move("German 5 Recon", "0904")
    # Three road hexes into the forest at the bridge, where no Mech unit goes but by road; 1 MP for 28 Inf.
    table.move("German 1 Pz", "0805")
    # Four road hexes, 2; 28 Inf, 1; and 2 to join the one Mech unit there (5.6.3): 5 of 9.
    table.move("German 2 Tiger", "0805")
    # ILLEGAL (5.6.3): no third Mech unit goes there by road.
    table.move("German 3 PzGr", "0805")
    # At the ford a Leg unit pays nothing for the river: 2 and 2.
    table.move("German 10 Gren", "0708")
    # ILLEGAL (5.0): Out of Supply it has 6 MP; clear 2, then clear 2, the river 3 and 28 Inf 1 make 8.
    table.mark("German 11 Gren", "Supply", "no supply")
    table.move("German 11 Gren", "0706")
    # OVERSTACK (5.3.0): legal as a move, along the road as if all were clear: 2, 2, and 1 for 28 Inf;
    # but 2 + 2 + 2 stacking points lie in 0805, and 5 may.
    table.move("German 13 Gren", "0805")
    # UNVERIFIABLE: fatigued; whether a quarter of its 12 MP remains or goes is left open (5.2.1a).
    table.mark("German 14 Gren", "Strain", "fatigue")
    table.move("German 14 Gren", "1205")
    # ILLEGAL (5.4.2): drawn by horses, it crosses no stream without a bridge.
    table.move("German 6 Guns", "1108")
    # Prepared Assault: one hex on foot, over the river too.
    table.mark("German 15 Gren", "Mode", "PA")
    table.move("German 15 Gren", "0707")
    # ILLEGAL (5.0-l): units in PA Mode move last, and 15 Gren has moved.
    table.move("German 12 Gren", "1106")

    table.phase("Exploitation")
    # Two clear hexes, 4; the overrun, 1 and clear 2; and on, 2: 9 of 12. Enemies cost it nothing (5.3.2).
    table.mark("German 4 Pz", "Mode", "exploit")
    table.move("German 4 Pz", "1102")
    table.move("German 4 Pz", "1002")
    table.roll("2d6", 6, 5)
    table.say("Outpost takes the hits, but holds")
    table.move("German 4 Pz", "1003")
    # ILLEGAL (5.1): only units in Exploit Mode exploit, in this game (pack.toml).
    table.move("German 5 Recon", "0905")
    table.phase("Movement", ALLIED)


def americans(table: Table) -> None:
    """Turn 1, Allied: all of it is legal."""
    table.say("Hold the town")
    table.clear_marks()
    # Out of Supply it has 6: tactically the five hexes cost 10, by road 2 1/2; and 1 for 11 Gren in 0706.
    table.mark("Allied 9 Tank", "Supply", "no supply")
    table.move("Allied 9 Tank", "0605")
    table.move("Allied 110 Inf", "0206")
    # US 105s may go one hex while In Battery.
    table.mark("Allied 707 FA", "Battery", "in battery")
    table.move("Allied 707 FA", "0504")
    # Taken back.
    table.move("Allied 28 Inf", "0604")
    table.undo()
    table.say("no, they stay in Ormsteg")
    table.phase("Exploitation")
    table.phase("Movement", GERMAN, turn=2)


SCENARIO = Scenario(
    name="wacht-am-rhein",
    title="Ormsteg",
    about="A small game to audit",
    sides={
        GERMAN: Livery((168, 172, 160, 255)),
        ALLIED: Livery((176, 170, 112, 255)),
    },
    players={GERMAN: "Kestrel", ALLIED: "Plover"},
    phases=("Movement", "Exploitation", "Combat"),
    sheet=SHEET,
    units=UNITS,
    statuses=(MODE, SUPPLY, STRAIN, BATTERY),
    logs=[
        Log("1-german", 1, GERMAN, "Movement", germans),
        Log("2-allied", 1, ALLIED, "Movement", americans),
    ],
)
