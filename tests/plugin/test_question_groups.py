"""Questions in groups: what is asked together, of whom, and how many moves it decides."""

from __future__ import annotations

from dataclasses import replace

from vassal_umpire.model.bill import Amount, Bill, Charge
from vassal_umpire.model.fact import MissingFact
from vassal_umpire.model.finding import Audit, JudgedMove, Move, Overdrawn, PhaseView
from vassal_umpire.model.game import Place, StepRef
from vassal_umpire.plugin.desk.player_questions import askable
from vassal_umpire.plugin.reports.overdrawn import overdrawn_moves
from vassal_umpire.plugin.reports.question_groups import BOTH, KEEPER, question_groups
from vassal_umpire.validators.answers import passed_through

NAMES = {"a": "Fort", "b": "Fort", "c": "Red 3"}
BRIDGE = MissingFact("cost of bridge for foot", "what does bridge cost foot?", "pack.toml")
LATE = "unit {} right by nobody moves at night at 1:{}"


def side_of(unit: str) -> MissingFact:
    return MissingFact(f"unit {unit} side", f"which side does {NAMES[unit]} belong to?")


def stop(unit: str, step: int) -> MissingFact:
    return passed_through(f"010{step}", unit, StepRef(1, step)).unknown(
        f"stop in 010{step} between 0101 and 0109"
    )


def audit(*waits: tuple[str, tuple[MissingFact, ...]]) -> Audit:
    """An audit with an open move for each entry: whose it is, and what it waits for."""
    place = Place("hex", "0101")
    moves = tuple(
        JudgedMove(
            Move(
                number, ("a",), place, place, (place,), (True,), (StepRef(1, number),), PhaseView(),
                actor, {"Red": "Tarn"}.get(actor, ""),
            ),
            "unverifiable",
            unknowns=unknowns,
        )
        for number, (actor, unknowns) in enumerate(waits, 1)
    )  # fmt: skip
    return Audit("Game", "generic", "1", (), moves, (), names=NAMES)


def test_what_one_answer_settles_is_asked_once() -> None:
    found = question_groups(
        audit(
            ("Red", (stop("c", 2), side_of("a"))),
            ("Red", (stop("c", 3),)),
            ("Red", (side_of("b"),)),
            ("Blue", (side_of("b"),)),
            ("Blue", (MissingFact(LATE.format("a", 5), "right?"),)),
            ("Red", (MissingFact(LATE.format("b", 6), "right?"), BRIDGE)),
            ("Red", (replace(BRIDGE, key="cost of bridge for horse"),)),
        )
    )
    texts = {one.topic[0]: (one.to, one.text) for one in found.groups}
    assert texts["stop"] == (
        "Red",
        "Does Tarn (Red) try counters out before settling, so that only the last place of a turn counts?"
        " If not: which of 2 stops were real?",
    )
    assert texts["rule"] == (
        KEEPER,
        "What does the rulebook say of this: nobody moves at night? The pack has no more of it than these"
        " words.",
    )
    assert texts["cost"] == (KEEPER, "What does bridge cost foot and horse?")
    assert texts["unit * side"] == (
        BOTH,
        "Which side does Fort belong to? The same of 1 further case of it.",
    )
    (stops,) = [one for one in found.groups if one.topic[0] == "stop"]
    assert 'key = "only last places count for Red"' in stops.stanza
    assert askable(found, "Blue") == {BOTH}
    assert askable(found, None) == {BOTH, "Red"}


def test_each_group_says_what_it_decides_alone_and_with_the_others_shown() -> None:
    hexes = [
        MissingFact(f"hex 010{n} terrain", f"what terrain is in hex 010{n}?") for n in (1, 2, 3)
    ]
    found = question_groups(
        audit(
            ("Blue", (hexes[0], stop("a", 2))),
            ("Blue", (hexes[1],)),
            ("Blue", (hexes[2], BRIDGE)),
            ("Blue", (stop("a", 2),)),
        )
    )
    terrain, stops, bridge = found.first()
    assert terrain.text == "What terrain is in hex 0101? The same of 0102 and 0103."
    assert (terrain.alone, terrain.together) == (1, 3)
    assert terrain.decides == "decides 1 alone, 3 with the other answers here, of 3 moves waiting"
    assert (stops.alone, stops.together, bridge.together) == (1, 2, 1)
    only = found.first({"Blue"})
    assert [(one.topic, one.together) for one in only] == [(terrain.topic, 2), (stops.topic, 2)]


def beyond(
    number: int, total: int, *unknowns: MissingFact, forms: tuple[str, ...] = ()
) -> JudgedMove:
    charge = Charge("0101", Amount.exactly(total), "GEN-TERRAIN", "clear")
    bill = Bill((charge,), Amount.exactly(9))
    (judged,) = audit(("Red", unknowns)).moves
    return replace(
        judged, move=replace(judged.move, id=number), overdrawn=Overdrawn("march", bill, forms)
    )


def test_open_moves_beyond_an_ordinary_one_are_listed_and_nothing_else_is() -> None:
    look = MissingFact("look 0101", "is everything as the pack has it?", look=("0101",))
    class_of = MissingFact("unit a class", "which class is a?")
    moves = (
        beyond(1, 10, look),
        beyond(2, 12, class_of, forms=("strategic movement",)),
        beyond(3, 15, class_of),  # open for something else
        replace(beyond(4, 20, look), verdict="illegal"),
    )
    found = overdrawn_moves(replace(audit(), moves=moves))
    assert [(one.judged.move.id, one.text) for one in found] == [
        (2, "12 MP by a march of 9; open because strategic movement is not excluded"),
        (1, "10 MP by a march of 9; open because nobody has looked at this part of the map"),
    ]
