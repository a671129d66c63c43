"""Sawmill Bridge: a small game for the ruleset tide-of-iron, and two logs of it. All of it is our own.

Olive comes up the mill road and over the brook; Slate holds the sawmill and the hill. README.md tells what is
to be made of it.
"""

from __future__ import annotations

from module_builder.counter import Livery
from module_builder.scenarios import Log, Scenario, Status, Unit
from module_builder.sheet import Sheet, Way
from module_builder.table import Table

SHEET = Sheet(
    # 0101 is the upper left corner; every second column (02, 04 …) lies half a hex lower.
    rows="""
        ww.........
        w....bb....
        .........w.
        ...........
        sssssssssss
        ..........w
        www.....w..
        ww.......p.
        ......w....
    """,
    levels="""
        00000000221
        00000000111
        00000000000
        00000000000
        00000000000
        00000000000
        00000000000
        00000000000
        00000000000
    """,
    legend={
        ".": ("clear",),
        "w": ("woods",),
        "b": ("building",),
        "s": ("stream",),
        "p": ("pond",),
    },
    lines=[
        Way("road", "0609 0601", "Mill Road"),
        Way("road", "0607 0708 1106", "Ferry Road"),
    ],
    works={
        "0605": "bridge", "0706": "razor wire", "0806": "razor wire", "0903": "entrenchment",
        "0404": "entrenchment",
    },
    places={"0602": "SAWMILL"},
)  # fmt: skip

OLIVE, SLATE = "Olive", "Slate"
RED = (176, 32, 32, 255)
YES = {"engineer": "yes"}


def squad(side: str, name: str, at: str, ma: int | str = 4, officers: int = 0, **more: str) -> Unit:
    """``ma``: the movement value of its figures; of mixed figures from the least to the greatest."""
    symbol = "engineer" if "engineer" in more else "leader" if officers else "squad"
    facts = {"class": "squad", "ma": ma, "officers": officers, "engineer": "no", "tank": "no",
             "transport": 0, "transport_marker": "", **more}  # fmt: skip
    return Unit(side, name, at, symbol, "", str(ma).replace("..", "-"), facts)


def vehicle(
    side: str, name: str, at: str, kind: str, ma: int, marker: str = "", seats: int = 0
) -> Unit:
    """``marker``: the number of its transport marker; ``seats``: how many squads it carries."""
    symbol = {"truck": "truck", "light": "half-track", "heavy": "tank"}[kind]
    tank = "yes" if kind == "heavy" else "no"
    facts: dict[str, str | int] = {"class": kind, "ma": ma, "officers": 0, "engineer": "no", "tank": tank,
             "transport": seats, "transport_marker": marker}  # fmt: skip
    return Unit(side, name, at, symbol, marker, str(ma), facts, RED)


UNITS = [
    vehicle(OLIVE, "Lorry 1", "0609", "truck", 4, "1", 2),
    squad(OLIVE, "Baker", "0609"),
    squad(OLIVE, "Able", "0508"),
    vehicle(OLIVE, "Tank 1", "0606", "heavy", 5),
    vehicle(OLIVE, "Carrier", "0709", "light", 5, "3", 1),
    squad(OLIVE, "Pioneers", "0807", **YES),
    squad(OLIVE, "Easy", "0209", officers=1),
    vehicle(OLIVE, "Lorry 2", "0409", "truck", 4, "2", 2),
    squad(OLIVE, "Fox", "0309"),
    squad(OLIVE, "King", "0407"),
    squad(OLIVE, "Love", "0407"),
    squad(OLIVE, "Mike", "0407"),
    squad(OLIVE, "George", "0508"),
    squad(OLIVE, "Nan", "1009", ma="3..4"),
    squad(SLATE, "Anton", "0901"),
    squad(SLATE, "Berta", "0901"),
    squad(SLATE, "Caesar", "0603"),
    squad(SLATE, "Dora", "1005"),
    squad(SLATE, "Emil", "1004"),
    squad(SLATE, "Fritz", "0302"),
    squad(SLATE, "Gustav", "0404"),
    vehicle(SLATE, "Track 9", "1004", "light", 5, "4", 1),
    vehicle(SLATE, "Tank 9", "1104", "heavy", 5),
]

TOKEN = Status("Token", ("fresh", "fatigued", "op fire"), "T",
               ((240, 214, 96, 255), (226, 120, 60, 255)))  # fmt: skip
ACTION = Status("Action", ("advance", "fire+move", "assault"), "A",
                ((120, 178, 120, 255), (226, 120, 60, 255)))  # fmt: skip
STATE = Status("State", ("well", "pinned", "disrupted", "light hit", "heavy hit"), "S",
               (None, None, (240, 214, 96, 255), (206, 74, 54, 255)))  # fmt: skip
RIDES = Status("Rides", ("afoot", "in 1", "in 2", "in 3", "in 4"), "R", ((176, 214, 160, 255),) * 4)
WORKS = Status("Works", ("open", "dug in"), "W", ((214, 196, 150, 255),))


def olive_attacks(table: Table) -> None:
    """Round 1, Olive. What is illegal, too much or open is said before it; all else is legal."""
    table.say(
        "Round 1. Baker rides in lorry 1, Emil in the half-track, Gustav is dug in; over the bridge!"
    )
    table.mark("Olive Baker", "Rides", "in 1")
    table.act(SLATE)
    table.mark("Slate Emil", "Rides", "in 4")
    table.mark("Slate Gustav", "Works", "dug in")
    table.act(OLIVE)

    table.phase("Action")
    # Five hexes of contiguous road, a third of an MP each, with Baker aboard.
    table.stack("Olive Lorry 1", "0604")
    table.mark("Olive Lorry 1", "Token", "fatigued")
    # Out of the lorry for 2, and one hex: 3 of 4.
    table.mark("Olive Baker", "Rides", "afoot")
    table.move("Olive Baker", "0504")
    table.mark("Olive Baker", "Token", "fatigued")
    # ILLEGAL (MV-f): two clear hexes and the brook (2) are 4, and Fire and Movement leaves 3.
    table.mark("Olive Able", "Action", "fire+move")
    table.move("Olive Able", "0505")
    table.mark("Olive Able", "Token", "fatigued")
    # Over the bridge, over Caesar (1 and 1 more for the squad), and out: 1 + 1 + 2 + 1, all its 5.
    table.move("Olive Tank 1", "0604", "0603")
    table.act(SLATE)
    table.roll("2d6", 3, 2)
    table.act(OLIVE)
    table.move("Olive Tank 1", "0602")
    table.mark("Olive Tank 1", "Token", "fatigued")
    # ILLEGAL (X-RW-a): fired at in the wire, so it was there; a light vehicle stops in wire.
    table.move("Olive Carrier", "0706")
    table.act(SLATE)
    table.roll("2d6", 1, 4)
    table.act(OLIVE)
    table.move("Olive Carrier", "0606")
    # Engineers do not stop in it: 1 and 2 for the brook, 3 of 4.
    table.move("Olive Pioneers", "0805")
    # With an officer 5: woods, woods, clear.
    table.move("Olive Easy", "0206")
    table.mark("Olive Easy", "Token", "op fire")
    # To the lorry and in, 1 + 2 of 4; then the lorry takes it across country, 1 a hex.
    table.move("Olive Fox", "0409")
    table.mark("Olive Fox", "Rides", "in 2")
    table.mark("Olive Fox", "Token", "fatigued")
    table.stack("Olive Lorry 2", "0406")
    table.move("Olive King", "0307")
    table.undo()
    table.say("no, King stays; George closes up")
    # OVERSTACK (X-SK): four squads in a hex where three units may be.
    table.move("Olive George", "0407")
    # UNVERIFIABLE: four clear hexes, by figures of 3 and of 4 MPs; how they count together is not said.
    table.move("Olive Nan", "0806")
    table.phase("Action", SLATE)


def slate_answers(table: Table) -> None:
    """Round 1, Slate."""
    table.say("Steady. Now we")
    table.clear_marks()
    # Two hexes downhill and into the entrenchment: 1 + 1 + 1, all that Fire and Movement leaves.
    table.mark("Slate Anton", "Action", "fire+move")
    table.move("Slate Anton", "0903")
    table.mark("Slate Anton", "Works", "dug in")
    table.mark("Slate Anton", "Token", "fatigued")
    # Not down the cliff, but round by 0902: 2 of 4.
    table.move("Slate Berta", "0801")
    table.mark("Slate Berta", "Token", "fatigued")
    # ILLEGAL (IM-a): overrun squads are pinned, and pinned squads stay where they are.
    table.mark("Slate Caesar", "State", "pinned")
    table.roll("2d6", 2, 2)
    table.move("Slate Caesar", "0503")
    # ILLEGAL (TR-b): the half-track carries one squad, and Emil is in it.
    table.move("Slate Dora", "1004")
    table.mark("Slate Dora", "Rides", "in 4")
    table.mark("Slate Dora", "Token", "fatigued")
    # ILLEGAL (OF-c): Op Fire pins it on its way, and it runs on.
    table.move("Slate Fritz", "0303")
    table.act(OLIVE)
    table.roll("2d6", 6, 6)
    table.act(SLATE)
    table.mark("Slate Fritz", "State", "pinned")
    table.move("Slate Fritz", "0304")
    # Out of its entrenchment (1) and three clear hexes: 4 of 4.
    table.mark("Slate Gustav", "Works", "open")
    table.move("Slate Gustav", "0401")
    table.mark("Slate Gustav", "Token", "fatigued")
    # Op Fire costs it 1 of its 5 MPs at once; four clear hexes are all it has left.
    table.move("Slate Tank 9", "0904")
    table.act(OLIVE)
    table.roll("2d6", 5, 4)
    table.act(SLATE)
    table.mark("Slate Tank 9", "State", "light hit")
    table.move("Slate Tank 9", "0704")
    table.mark("Slate Tank 9", "Token", "fatigued")
    table.phase("Status")


SCENARIO = Scenario(
    name="tide-of-iron",
    title="Sawmill Bridge",
    about="A small game to audit",
    sides={
        OLIVE: Livery((178, 182, 128, 255)),
        SLATE: Livery((166, 178, 192, 255)),
    },
    players={OLIVE: "Siskin", SLATE: "Dunnock"},
    phases=("Setup", "Action", "Status"),
    sheet=SHEET,
    units=UNITS,
    statuses=(TOKEN, ACTION, STATE, RIDES, WORKS),
    logs=[
        Log("1-olive", 1, OLIVE, "Setup", olive_attacks),
        Log("2-slate", 1, SLATE, "Action", slate_answers),
    ],
)
