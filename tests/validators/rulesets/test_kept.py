"""What a ruleset keeps from one move to the next does not outlive the facts it rests on."""

from __future__ import annotations

import pytest
import told
from cases import RULESETS
from vassal_umpire.plugin.conformance import run_case


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
    "wire stops who is no engineer after one who is": [
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


RULES = {"tide-of-iron": ("TOI-X-RW-a", TIDE), "valor-and-victory": ("VV-6.8-a", VALOR)}
"""By ruleset: a clause that its cases are about, and the cases."""


@pytest.mark.parametrize(
    ("ruleset", "name"), [(ruleset, name) for ruleset in RULES for name in RULES[ruleset][1]]
)
def test_what_changes_between_two_moves_of_red_is_seen(ruleset: str, name: str) -> None:
    clause, several = RULES[ruleset]
    for board, units, moves, said in several[name]:
        off = ["VV-6.8-a", "VV-20.3-a"] if board == BUNKER else []
        case = told.case(ruleset, clause, board=board, units=units, moves=moves, off=off)
        found = run_case(case, RULESETS[ruleset]).audit
        verdicts = [m.verdict for m in found.moves if m.judged and m.move.actor == "Red"]
        assert (" ".join(verdicts), found.problems) == (said, ()), moves
