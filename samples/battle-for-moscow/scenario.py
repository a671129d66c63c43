"""Battle for Moscow: map and counters of Frank Chadwick's game (GDW, 1986) as facts, drawn by ourselves, and
two logs of a game of our own.

The first turn: the Germans attack around Smolensk and Bryansk, the Soviets answer. README.md tells what is
to be made of it, and how the board was settled.
"""

from __future__ import annotations

from module_builder.counter import Livery
from module_builder.scenarios import Log, Scenario, Unit
from module_builder.sheet import Sheet, Side, Way
from module_builder.table import Table

SHEET = Sheet(
    # 0101 is the upper left corner; every second column (02, 04 …) lies half a hex lower, and ends with
    # row 10.
    rows="""
        .fff#cf#f#.f..
        .f..#.f#f##...
        .f..#cfC.#c#f.
        .c..#ff#.##..f
        ...f#..Cf.#..c
        ....#..ff.#...
        .fc.#.....C...
        .fff..f.......
        ffffc..c......
        .f..f.........
        .xfxfx.x.x.x.x
    """,
    legend={
        ".": ("clear",),
        "f": ("forest",),
        "#": ("fortification",),
        "c": ("clear", "city"),
        "C": ("fortification", "city"),
        "x": ("beyond",),
    },
    lines=[
        Way("railway", "0102 0201 0302 0401 0502 0601 0702 0802 0902 1002 1103", "Rzhev Line"),
        Way("railway", "0105 0204 0305 0404 0504 0603 0704 0803 0903 1003 1103", "Smolensk Line"),
        Way("railway", "0204 0205 0306 0307 0407 0508 0509 0510 0511", "Bryansk Line"),
        Way("railway", "0110 0209 0310 0409 0509 0608 0708 0707 0806 0805 0905 0904 1003", "Kaluga Line"),
        Way("railway", "0509 0609 0710 0809 0909 1008 1108 1107 1106 1105 1104 1103", "Tula Line"),
        Way("railway", "0601 0602 0603"),
        Way("railway", "0901 1001 1002"),
        Way("railway", "1103 1102 1201 1301"),
        Way("railway", "1201 1302 1401"),
        Way("railway", "1103 1202 1303 1402"),
        Way("railway", "1103 1203 1304 1403"),
        Way("railway", "1203 1204 1305 1405 1406"),
        Side(
            "river",
            "0105/0106 0105/0205 0204/0205 0205/0305 0305/0306 0305/0405 0404/0405 0404/0505"
            " 0404/0504 0403/0504 0503/0504 0503/0603",
            "Dniepr",
        ),
        Side(
            "river",
            "0505/0506 0505/0605 0505/0604 0504/0604 0603/0604 0604/0704 0604/0705 0605/0705"
            " 0705/0706 0706/0805 0805/0806 0806/0906",
            "Ugra",
        ),
        Side(
            "river",
            "0911/1010 0910/1010 0910/1009 0909/1009 0909/1008 0908/0909 0808/0908 0807/0908"
            " 0807/0907 0806/0907 0906/0907 0906/1006 1005/1006 1005/1106 1105/1106 1105/1205"
            " 1204/1205 1204/1305 1304/1305 1305/1404 1404/1405",
            "Oka",
        ),
        Side("river", "0904/0905 0905/1004 1004/1005 1005/1105", "Upa"),
        Side(
            "river",
            "1001/1101 1001/1102 1002/1102 1002/1103 1003/1103 1103/1104 1104/1203 1203/1204 1204/1304",
            "Moskva",
        ),
    ],
    places={
        "0204": "SMOLENSK", "0307": "ROSLAVL", "0509": "BRYANSK", "0601": "RZHEV", "0603": "VYAZMA",
        "0803": "MOZHAISK", "0805": "KALUGA", "0809": "OREL", "1103": "MOSCOW", "1107": "TULA",
        "1405": "RYAZAN",
    },
    looks={"beyond": "pavement"},
)  # fmt: skip

GERMAN, SOVIET = "German", "Soviet"


def panzer(name: str, at: str, strength: int) -> Unit:
    facts = {"class": "panzer", "ma": 6}
    return Unit(GERMAN, f"{name} Pz", at, "armour", "XXX", f"{strength}-6", facts)


def infantry(side: str, name: str, at: str, strength: int) -> Unit:
    called, size = (f"{name} Army", "XXXX") if side == SOVIET else (f"{name} Inf", "XXX")
    return Unit(side, called, at, "infantry", size, f"{strength}-4", {"class": "infantry", "ma": 4})


UNITS = [
    panzer("XXIV", "0410", 12),
    panzer("XL", "0305", 8),
    panzer("XLI", "0202", 12),
    panzer("XLVI", "0404", 10),
    panzer("XLVII", "0409", 9),
    panzer("XLVIII", "0310", 8),
    panzer("LVI", "0203", 9),
    panzer("LVII", "0406", 12),
    infantry(GERMAN, "V", "0104", 6),
    infantry(GERMAN, "VI", "0201", 5),
    infantry(GERMAN, "VII", "0306", 7),
    infantry(GERMAN, "VIII", "0204", 7),
    infantry(GERMAN, "IX", "0205", 7),
    infantry(GERMAN, "XII", "0307", 5),
    infantry(GERMAN, "XIII", "0206", 6),
    infantry(GERMAN, "XX", "0106", 6),
    infantry(GERMAN, "XXII", "0408", 8),
    infantry(GERMAN, "XXVII", "0103", 6),
    infantry(GERMAN, "XXXIV", "0309", 4),
    infantry(GERMAN, "XXXV", "0209", 8),
    infantry(GERMAN, "XLII", "0210", 4),
    infantry(GERMAN, "LIII", "0407", 6),
    infantry(SOVIET, "3", "0301", 4),
    infantry(SOVIET, "5", "0302", 4),
    infantry(SOVIET, "10", "0303", 4),
    infantry(SOVIET, "13", "0304", 4),
    infantry(SOVIET, "16", "0503", 4),
    infantry(SOVIET, "19", "0405", 4),
    infantry(SOVIET, "20", "0506", 4),
    infantry(SOVIET, "24", "0507", 4),
    infantry(SOVIET, "29", "0508", 4),
    infantry(SOVIET, "30", "0608", 4),
    infantry(SOVIET, "32", "0509", 4),
    infantry(SOVIET, "33", "0510", 4),
    infantry(SOVIET, "40", "0511", 4),
    infantry(SOVIET, "43", "0803", 4),
]


def typhoon(table: Table) -> None:
    """Turn 1, German. What is illegal, too much or open is said before it; all else is legal."""
    table.say("Turn 1. No replacements; panzers first.")
    # Over the river, which costs nothing, next to 16 Army: 1 of 6. Who begins in a zone may leave it.
    table.move("German XLVI Pz", "0504")
    # ILLEGAL (BFM-ZOC-STOP): 0404 is next to 13 and 19 Army; the other ways lead through enemies.
    table.move("German XL Pz", "0404", "0403")
    # Two forests of 2, past friends: 4 of 6.
    table.move("German XLVIII Pz", "0309", "0308")
    # ILLEGAL (BFM-PANZERS): in this phase panzers move, and they alone.
    table.move("German XXVII Inf", "0102")

    table.phase("Combat")
    table.say("XXIV and XLVII Pz attack 33 Army in 0510: 5:1, in the forest 4:1")
    table.roll("1d6", 3)
    table.say("it retreats two hexes; XXIV Pz advances")
    table.move("Soviet 33 Army", "0709")  # by the attacker's hand
    table.move("German XXIV Pz", "0510")

    table.phase("Movement")
    # Panzers move once more: forest, 2 of 6; and 1 of 6, out of one zone into another.
    table.move("German XLVI Pz", "0604")
    table.move("German XXIV Pz", "0610")
    # ILLEGAL (BFM-ALLOWANCE): 1 + 1 + forest 2 + 1 = 5 of 4.
    table.move("German XX Inf", "0107", "0108", "0109", "0110")
    # Where XX Inf has gone from: 2 of 4.
    table.move("German V Inf", "0106")
    table.move("German XIII Inf", "0107")
    # Two forests: 4 of 4.
    table.move("German XII Inf", "0308", "0207")
    # UNVERIFIABLE: by 0208 and 0308 it is 2 + 2 + 1 = 5 of 4, by 0308 alone 3: was it in 0208?
    table.move("German XXXIV Inf", "0208", "0308", "0307")
    table.move("German XXXV Inf", "0110")
    table.undo()
    table.say("no, there is one already")
    # 1 of 4; but OVERSTACK (BFM-STACKING): IX Inf is in 0205, and one unit may be in a hex.
    table.move("German VIII Inf", "0205")
    table.phase("Replacement", SOVIET)


def counter_blow(table: Table) -> None:
    """Turn 1, Soviet."""
    table.say("Five replacements, all of them restored in place")

    table.phase("Rail Movement")
    # One hex along the line, where the forest counts 1; XLVI Pz is next to it: 1 of 4.
    table.move("Soviet 43 Army", "0704")
    # Four hexes along the line, two of them forest: 4 of 4.
    table.move("Soviet 30 Army", "0708", "0707", "0806", "0805")
    # ILLEGAL (BFM-RAIL): no line leads through 0503.
    table.move("Soviet 16 Army", "0502")

    table.phase("Combat")
    table.say("no attacks")

    table.phase("Movement")
    # After the rails on foot: forest 2 and 1 are 3 of 4.
    table.move("Soviet 30 Army", "0905", "0904")
    # Out of the zones it began in, next to XL Pz: 1 of 4.
    table.move("Soviet 5 Army", "0402")
    # ILLEGAL (BFM-ENEMY): LVII Pz is in 0406.
    table.move("Soviet 20 Army", "0406")
    # ILLEGAL (BFM-ALLOWANCE): 5 of 4.
    table.move("Soviet 24 Army", "0607", "0707", "0807", "0907", "1007")
    # Next to XXIV Pz: 1 of 4.
    table.move("Soviet 33 Army", "0609")
    # Forest: 2 of 4.
    table.move("Soviet 3 Army", "0401")
    table.phase("Replacement", GERMAN, turn=2)


SCENARIO = Scenario(
    name="battle-for-moscow",
    title="Battle for Moscow",
    about="Operation Typhoon, 1941: the game everybody knows, to audit",
    sides={
        GERMAN: Livery((150, 166, 150, 255)),
        SOVIET: Livery((214, 150, 110, 255)),
    },
    players={GERMAN: "Lapwing", SOVIET: "Siskin"},
    phases=("Replacement", "Panzer Movement", "Rail Movement", "Combat", "Movement"),
    sheet=SHEET,
    units=UNITS,
    dice={"1d6": (1, 6)},
    logs=[
        Log("1-german", 1, GERMAN, "Panzer Movement", typhoon),
        Log("2-soviet", 1, SOVIET, "Replacement", counter_blow),
    ],
)
