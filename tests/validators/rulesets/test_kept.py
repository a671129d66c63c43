"""What a ruleset keeps from one move to the next does not outlive the facts it rests on."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import pytest
import told
from cases import RULESETS
from vassal_umpire.model.game import Game, StepRef
from vassal_umpire.plugin.conformance import run_case
from vassal_umpire.validators.judge import judge_move
from vassal_umpire.validators.moves import find_moves
from vassal_umpire.validators.situation import Situation
from vassal_umpire.validators.takeback import Witnesses
from vassal_umpire.validators.timeline import Timeline


def lane(**signs: str) -> str:
    """Seven hexes in a row, 0101 to 0701; ``signs``: by hex (h0301) what is otherwise than open ground."""
    row = [signs.get(f"h{column:02}01", ".") for column in range(1, 8)]
    return f" {'       '.join(row[::2])}\n     {'       '.join(row[1::2])}\n"


OPEN, WIRE, TRAP, BUNKER = lane(), lane(h0301="W"), lane(h0301="T"), lane(h0501="k")
NEXT = ["phase Combat of Blue, turn 1", "phase Movement of Red, turn 2"]
CAME, WENT = "foe: 0701 0301 by Blue", "foe: 0301 0701 by Blue"
ON, AFTER, BACK = "a: 0101 0401", "b: 0101 0401", "a: 0401 0101"
FAR, FAR_AFTER, FAR_BACK = "a: 0101 0501", "b: 0101 0501", "a: 0501 0101"
TWO, FOE, STRANGER = ["a Red 0101", "b Red 0101"], "foe Blue 0701", "s ? 0301"
SAPPER = "a Red 0101 engineer=true"
SAPPERS = [SAPPER, "b Red 0101 engineer=true", "foe Blue 0501"]
LOST, ASSAULT = "flip b engineer=false", "flip b assaults=0501"
TRUCKS = ["a Red 0201 class=truck ma=6", "b Red 0101 class=truck ma=6"]
NEAR_ON, FAR_ON = "a: 0201 0301", "b: 0101 0301"
MARKED = [*TWO, 'w ? 0701 kind=marker type="razor wire"']
LAID, CLEARED = "w: 0701 0301 by Blue", "w: 0301 0701 by Blue"
LEFT, BACK_AGAIN = "s: 0301 0701 by Blue", "s: 0701 0301 by Blue"

TIDE = {
    "wire stops who is not an engineer after one who is": [
        (WIRE, [SAPPER, TWO[1]], [ON, AFTER], "legal illegal"),
        (WIRE, [SAPPER, TWO[1]], [AFTER, ON], "illegal legal"),
    ],
    "a squad that has lost its engineers is stopped where one that has some was not": [
        (WIRE, SAPPERS, [ON, AFTER], "legal legal"),
        (WIRE, SAPPERS, [ON, "roll", LOST, "roll", AFTER], "legal illegal"),
    ],
    "an assault declared after a move closes wire to the next": [
        (WIRE, SAPPERS, [ON, AFTER], "legal legal"),
        (WIRE, SAPPERS, [ON, "roll", ASSAULT, "roll", AFTER], "legal illegal"),
    ],
    "a tank trap is open to who starts next to it alone": [
        (TRAP, TRUCKS, [NEAR_ON, FAR_ON], "legal illegal"),
        (TRAP, TRUCKS, [FAR_ON, NEAR_ON], "illegal legal"),
    ],
    "a marker of wire that is put down between two moves is seen": [
        (OPEN, MARKED, [ON, "roll", AFTER], "legal legal"),
        (OPEN, MARKED, [ON, "roll", LAID, "roll", AFTER], "legal illegal"),
        (OPEN, MARKED, [ON, "roll", LAID, CLEARED, "roll", AFTER], "legal legal"),
        (TRAP, MARKED, [ON, "roll", AFTER], "legal legal"),
        (TRAP, MARKED, [ON, "roll", LAID, "roll", AFTER], "legal illegal"),
    ],
    "enemies that come and go between two moves are seen": [
        (WIRE, [*TWO, FOE], [ON, CAME, *NEXT, AFTER], "illegal illegal"),
        (OPEN, [*TWO, FOE], [ON, CAME, *NEXT, AFTER], "legal illegal"),
        (OPEN, [*TWO, FOE], [ON, CAME, WENT, *NEXT, AFTER], "legal legal"),
        (OPEN, [*TWO, FOE], [ON, CAME, *NEXT, BACK], "legal illegal"),
    ],
    "one who may be an enemy and goes between two moves is seen to go": [
        (TRAP, [*TWO, STRANGER], [ON, "roll", LEFT, "roll", AFTER], "unverifiable legal"),
        (
            *(TRAP, [*TWO, STRANGER], [ON, "roll", LEFT, BACK_AGAIN, "roll", AFTER]),
            "unverifiable unverifiable",
        ),
    ],
}

BEARER = [TWO[0], "b Red 0101 weapon=heavy"]
LED = [*TWO, "chief Red 0101 class=leader"]
DUG_IN = ["a Red 0101", "b Red 0401", "foe Blue 0201", "dug Blue 0501"]
PAST_FOE, INTO_BUNKER = "a: 0101 0301", "b: 0401 0601"
PINNED = "flip a pinned=true"

VALOR = {
    "a heavy weapon slows its bearer and not the squad that moves next": [
        (OPEN, BEARER, [FAR, FAR_AFTER], "legal illegal"),
        (OPEN, BEARER, [FAR_AFTER, FAR], "illegal legal"),
    ],
    "a heavy weapon taken up between two moves is seen": [
        (OPEN, TWO, [FAR, *NEXT, FAR_BACK], "legal legal"),
        (OPEN, TWO, [FAR, "flip a weapon=heavy", *NEXT, FAR_BACK], "legal illegal"),
    ],
    "a leader who leads one squad does not lead the next": [
        (OPEN, LED, ["a+chief: 0101 0701", *NEXT, "b: 0101 0701"], "legal illegal")
    ],
    "enemies that come and go between two moves are seen": [
        (OPEN, [*TWO, FOE], [ON, *NEXT, AFTER], "legal legal"),
        (OPEN, [*TWO, FOE], [ON, CAME, *NEXT, AFTER], "legal illegal"),
        (OPEN, [*TWO, FOE], [ON, CAME, WENT, *NEXT, AFTER], "legal legal"),
    ],
    "who may be an enemy in one hex bars no other for certain": [
        (OPEN, [*TWO, FOE, STRANGER], [ON, *NEXT, AFTER], "unverifiable unverifiable"),
        (OPEN, [*TWO, FOE, STRANGER], [ON, CAME, *NEXT, AFTER], "unverifiable illegal"),
    ],
    # with 6.8 switched off, as for the other units in a bunker: 20.3 still holds
    "enemies in a fortification bar it where others bar nothing": [
        (BUNKER, DUG_IN, [PAST_FOE, INTO_BUNKER], "legal illegal"),
        (BUNKER, DUG_IN, [INTO_BUNKER, PAST_FOE], "illegal legal"),
    ],
    "each move of a unit is read by its own drags": [
        (OPEN, TWO, [FAR, *NEXT, FAR_BACK, PINNED, FAR_AFTER], "legal legal legal"),
        (OPEN, TWO, [FAR, PINNED, *NEXT, FAR_BACK, FAR_AFTER], "legal unverifiable legal"),
    ],
}


ARMOR = "class=mech type=armor battery=in"
VALLEY = """
 -       -       -       -
     -       .       -       .
 .       .       .       .
     .       .       .       .
"""
"""A lane of eight hexes, 0102 to 0802: 0401 lies next to 0302, 0402 and 0502, 0801 far from all of them."""
GOES, GOES_AFTER = "a: 0102 0402", "b: 0102 0402"
ROAD = {"lines": ["secondary: 0102 0202 0302"], "forms": ["road"]}
JAMS_OFF = {**ROAD, "off": ["WAR-5.6.3-d", "WAR-5.6.3-e"]}
FRIEND = f"f German 0302 {ARMOR}"
GUN = "n US 0801 class=mech battery=in type=artillery red=true depleted=true formation=P"
COMES, LEAVES = "e: 0801 0401 by US", "e: 0401 0801 by US"
DIGS_IN, MADE_GOOD = "flip e works=et", "flip n depleted=false"


def armor(ma: int, second: str = "") -> list[str]:
    """Two units at one end of the lane. Three hexes cost 6, and 1 more for each next to an enemy or with a
    friend of another formation."""
    return [
        f"{name} German 0102 {ARMOR} ma={ma} {more}" for name, more in (("a", ""), ("b", second))
    ]


def enemy(more: str = "strength=2 formation=P", at: str = "0401", name: str = "e") -> str:
    return f"{name} US {at} {ARMOR} {more}"


ENTRENCHED, WEAK = enemy("strength=2 works=et"), enemy("strength=0", name="d")


def then(*between: str, after: Iterable[str] = (GOES_AFTER,)) -> list[str]:
    """Something happens after one unit has gone, and is seen; then the other goes."""
    return [GOES, "roll", *between, "roll", *after]


WACHT = {
    "an enemy digs in": [(VALLEY, [*armor(9), enemy()], then(DIGS_IN), "legal illegal")],
    "a gun is made good": [(VALLEY, [*armor(9), enemy(), GUN], then(MADE_GOOD), "legal illegal")],
    "an enemy comes": [(VALLEY, [*armor(7), enemy(at="0801")], then(COMES), "legal illegal")],
    "an enemy goes away": [(VALLEY, [*armor(7), enemy()], then(LEAVES), "illegal legal")],
    "an enemy is taken off": [
        (VALLEY, [*armor(7), enemy()], then("e: 0401 [Lost] by US"), "unverifiable legal")
    ],
    "one of two enemies goes away": [
        (VALLEY, [*armor(9), ENTRENCHED, WEAK], then(LEAVES), "illegal legal")
    ],
    "an enemy may have died": [
        (VALLEY, [*armor(7), enemy("dead=false")], then("flip e dead=?"), "illegal unverifiable")
    ],
    "a friend goes on": [
        (VALLEY, [*armor(7, "formation=B"), FRIEND], then("f: 0302 0801"), "legal legal legal")
    ],
    "a friend is of another formation now": [
        (VALLEY, [*armor(6), FRIEND], then("flip f formation=B"), "legal illegal")
    ],
    "the next mover is of another formation": [
        (VALLEY, [*armor(7, "formation=B"), FRIEND], then(), "legal illegal")
    ],
    "who moves is not in its own way": [
        (VALLEY, [*armor(9), FRIEND], ["a: 0102 0202", "b: 0102 0202"], "legal legal", ROAD),
        (VALLEY, [*armor(9), FRIEND], ["f: 0302 0102", "b: 0102 0202"], "illegal illegal", ROAD),
        (VALLEY, [*armor(9), FRIEND], ["f: 0302 0102", "b: 0102 0202"], "legal legal", JAMS_OFF),
    ],
    "what changes while it moves is not taken as it was": [
        (VALLEY, [*armor(ma), *others], then(after=("b: 0102 0202", happens, "b: 0202 0402")), said)
        for ma, others, happens, said in (
            (9, [enemy()], DIGS_IN, "legal unverifiable"),
            (9, [enemy(), GUN], MADE_GOOD, "legal unverifiable"),
            (7, [enemy()], LEAVES, "illegal unverifiable"),
            (7, [enemy(at="0801")], COMES, "legal unverifiable"),
        )
    ],
}

BESIDE, AWAY = [*TWO, "e Blue 0501 zoc=full"], [*TWO, "e Blue 0701 zoc=full"]
LATE_LOSS = "phase Combat of Red, turn 3", "e: 0501 [Dead] by Blue"
NONE, FULL = "fact 'zoc 0401'=none", "fact 'zoc 0401'=full"
ARRIVES, DEPARTS = "e: 0701 0501 by Blue", "e: 0501 0701 by Blue"


def zoc(more: str, happens: str, said: str, *late: str) -> tuple[str, list[str], list[str], str]:
    """Two units that can just go three hexes where there are no ZOCs, and an enemy next to the last."""
    return OPEN, [*TWO, f"e Blue 0501 {more}"], [ON, happens, AFTER, *late], said


ZOC = {
    "an enemy comes next to the way": [(OPEN, AWAY, [ON, ARRIVES, AFTER], "legal illegal")],
    "an enemy goes away": [zoc("zoc=full", DEPARTS, "illegal legal")],
    "it turns out to have a ZOC": [zoc("", "flip e zoc=full", "legal illegal")],
    "it turns out to have none": [zoc("zoc=full", "flip e zoc=none", "illegal legal")],
    # the first to come may be a screen against a partial ZOC: what was legal is open
    "a marker of two MPs takes two levels away by one reading and none by the other": [
        zoc("zoc=partial", "flip e debt=1", "illegal legal"),
        zoc("zoc=partial debt=1", "flip e debt=0", "legal unverifiable"),
    ],
    "it goes into reserve and comes out": [
        zoc("zoc=partial", "flip e reserve=true", "illegal legal"),
        zoc("zoc=partial reserve=true", "flip e reserve=false", "legal unverifiable"),
    ],
    "a friend who came to a hex may screen it": [
        (OPEN, [*TWO, "e Blue 0501 zoc=partial"], [ON, AFTER], "illegal unverifiable")
    ],
    "a counter left lying is dead, or is not": [
        zoc("zoc=full dead=false", "flip e dead=true", "illegal legal"),
        zoc("zoc=full dead=true", "flip e dead=false", "legal illegal"),
    ],
    "it is taken off, once it has done the last thing before that": [
        zoc("zoc=full", "spent e 0", "illegal unverifiable", "e: 0501 [Dead] by Blue")
    ],
    "it is taken off two turns after one move and one after the other": [
        (OPEN, BESIDE, [ON, *NEXT, AFTER, *LATE_LOSS], "illegal unverifiable")
    ],
    "what begins to be declared, or ceases to be": [
        (OPEN, units, [*first, ON, f"fact {key}={second}", AFTER], said)
        for units, key, value, past, with_it, without in (
            (AWAY, "'zoc 0401'", "full", "?", "illegal", "unverifiable"),
            (AWAY, "'zoc 0401'", "none", "?", "legal", "unverifiable"),
            (AWAY, "'interdiction 0401'", "true", "?", "illegal", "unverifiable"),
            (BESIDE, "dead", "true", "false", "legal", "illegal"),
            (BESIDE, "e: dead", "true", "false", "legal", "illegal"),
        )
        for first, second, said in (
            ([], value, f"{without} {with_it}"),
            ([f"fact {key}={value}"], past, f"{with_it} {without}"),
        )
    ],
    "what befalls an enemy in the middle of a move is seen by that move alone": [
        (OPEN, AWAY, [AFTER, "a: 0101 0201", ARRIVES, "a: 0201 0401"], "legal unverifiable"),
        (OPEN, BESIDE, ["a: 0101 0201", DEPARTS, "a: 0201 0401", AFTER], "unverifiable legal"),
    ],
    "what begins or ceases to be declared in the middle of a move is seen by that move alone": [
        (OPEN, AWAY, [NONE, AFTER, "a: 0101 0201", FULL, "a: 0201 0401"], "legal unverifiable"),
        (OPEN, AWAY, [FULL, "a: 0101 0201", NONE, "a: 0201 0401", AFTER], "unverifiable legal"),
    ],
}

ADJACENT = {"adjacency_combine": "once", "stop_hex": "entered"}
RULES: dict[str, tuple[str, dict[str, Any], dict[str, Any]]] = {
    "tide-of-iron": ("TOI-X-RW-a", TIDE, {}),
    "valor-and-victory": ("VV-6.8-a", VALOR, {}),
    "wacht-am-rhein": (
        *("WAR-5.3.2-a", WACHT),
        {"rules": {"adjacent": {"cost": 1}}, "options": ADJACENT},
    ),
    "zoc-classes": (
        *("ZC-6-a", ZOC),
        {
            "attributes": {"ma": 3},
            "rules": {"zoc": {"screened": [0, 0, 1, 2, 3]}, "interdiction": {"cost": 1}},
        },
    ),
}
"""By ruleset: a clause that its cases are about, the cases, and what they share."""


@pytest.mark.parametrize(
    ("ruleset", "name"), [(ruleset, name) for ruleset in RULES for name in RULES[ruleset][1]]
)
def test_what_changes_between_two_moves_of_a_side_is_seen(ruleset: str, name: str) -> None:
    clause, several, shared = RULES[ruleset]
    for board, units, moves, said, *more in several[name]:
        off = ["VV-6.8-a", "VV-20.3-a"] if board == BUNKER else []
        keys = {"board": board, "units": units, "moves": moves, "off": off, **shared}
        case = told.case(ruleset, clause, **keys | dict(*more))
        found = run_case(case, RULESETS[ruleset]).audit
        first = case.game.sides[0]
        verdicts = [m.verdict for m in found.moves if m.judged and m.move.actor == first]
        assert (" ".join(verdicts), found.problems) == (said, ()), moves


# -- one game gone through twice --------------------------------------------------------------------

RULESET = RULESETS["zoc-classes"]


def of_zoc(board: str, units: list[str], moves: list[str]) -> Game:
    clause, _, shared = RULES["zoc-classes"]
    return told.case("zoc-classes", clause, board=board, units=units, moves=moves, **shared).game


def test_what_was_found_in_one_telling_of_a_game_is_not_asked_of_another_that_has_gone_on() -> None:
    """The rules hold for the game, and it may be gone through more than once."""
    game = of_zoc(OPEN, BESIDE, ["a: 0101 0201", AFTER, DEPARTS])
    rules, moves = RULESET.in_force(game), find_moves(game, Timeline(game), Witnesses(game))
    ahead, behind = Situation(game), Situation(game)
    ahead.advance_before(StepRef(1, 2))
    judge_move(moves[0].move, ahead, rules, forms=("move",))
    ahead.advance_after(StepRef(1, 4))
    behind.advance_before(StepRef(1, 3))
    assert judge_move(moves[1].move, behind, rules, forms=("move",)).judged.verdict == "illegal"
