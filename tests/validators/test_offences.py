"""One drag is one offence, whatever follows from it; its id is of the drag alone."""

from __future__ import annotations

from dataclasses import replace

from vassal_umpire.model.finding import Audit, Finding, JudgedMove, Move, PhaseView
from vassal_umpire.model.game import Place, Source, StepRef
from vassal_umpire.model.offence import drag_id
from vassal_umpire.validators.offences import offences

LOGS = (
    Source("a.vlog", "log", "a" * 64),
    Source("m.vmod", "module", "c" * 64),
    Source("b.vlog", "log", "b" * 64),
)


def finding(code: str, units: tuple[str, ...], *steps: tuple[int, int], **more: object) -> Finding:
    made = Finding(
        code,
        code,
        "illegal-move",
        "illegal",
        units,
        units,
        (),
        tuple(StepRef(*s) for s in steps),
        code,
    )
    return replace(made, **more)  # type: ignore[arg-type]


def of(*findings: Finding) -> list[tuple[str, ...]]:
    audit = Audit("", "", "", LOGS, (), findings)
    return [tuple(f.code for f in one.findings) for one in offences(audit)]


def test_what_follows_from_a_move_is_part_of_its_offence() -> None:
    move = finding("MOVE", ("u",), (1, 5), moves=(7,))
    stack = finding("STACK", ("v", "w"), (1, 9), kind="overstack", follows_from=7)
    assert of(stack, move) == [("MOVE", "STACK")]


def test_two_rules_broken_by_one_drag_are_one_offence() -> None:
    assert of(finding("A", ("u",), (1, 5)), finding("B", ("u", "v"), (1, 5))) == [("A", "B")]


def test_other_drags_and_other_units_are_other_offences() -> None:
    assert of(finding("A", ("u",), (1, 5)), finding("B", ("u",), (1, 6))) == [("A",), ("B",)]
    assert of(finding("A", ("u",), (1, 5)), finding("B", ("v",), (1, 5))) == [("A",), ("B",)]


def test_notes_and_open_moves_are_no_offences() -> None:
    assert (
        of(
            finding("A", ("u",), (1, 5), kind="note"),
            finding("B", ("u",), (1, 6), kind="unverifiable"),
        )
        == []
    )


def test_an_id_is_of_log_step_and_pieces() -> None:
    audit = Audit("", "", "", LOGS, (), (finding("A", ("v", "u"), (2, 5)),))
    (one,) = offences(audit)
    assert one.log == "b" * 64
    assert one.id == drag_id("b" * 64, 5, ["u", "v"])
    assert len(one.id) == 12
    assert one.id != drag_id("a" * 64, 5, ["u", "v"])
    assert one.id != drag_id("b" * 64, 6, ["u", "v"])
    assert one.id != drag_id("b" * 64, 5, ["u"])


def drag(number: int, units: tuple[str, ...], *steps: int) -> JudgedMove:
    place = Place("hex", "0101")
    at = tuple(StepRef(1, step) for step in steps)
    return JudgedMove(Move(number, units, place, place, (), (), at, PhaseView()), "illegal")


def of_drags(moves: tuple[JudgedMove, ...], *findings: Finding) -> list[str]:
    return [one.id for one in offences(Audit("", "", "", LOGS, moves, findings))]


def test_an_id_is_of_the_drag_whichever_of_its_pieces_are_accused() -> None:
    moves = (drag(1, ("u", "v"), 5, 7),)
    one = finding("MP", ("v",), (1, 5), (1, 7), kind="missed-mp-cost", moves=(1,))
    both = finding("MP", ("u", "v"), (1, 5), (1, 7), kind="missed-mp-cost", moves=(1,))
    stack = finding("STACK", ("a", "b", "v"), (1, 7), kind="overstack", moves=(1,))
    more = finding("STACK", ("a", "b", "u", "v"), (1, 7), kind="overstack", moves=(1,))
    expected = [drag_id("a" * 64, 5, ["u", "v"])]
    for found in ((one,), (both,), (stack,), (more,), (one, stack), (stack, more)):
        assert of_drags(moves, *found) == expected


def test_pieces_of_one_drag_that_are_accused_apart_are_one_offence() -> None:
    moves = (drag(1, ("u", "v"), 5),)
    apart = (finding("A", ("u",), (1, 5), moves=(1,)), finding("B", ("v",), (1, 5), moves=(1,)))
    assert len(of_drags(moves, *apart)) == 1


def test_a_stack_is_of_the_drag_that_made_it_too_big() -> None:
    moves = (drag(1, ("u",), 5), drag(2, ("v",), 9))
    stack = finding("STACK", ("u", "v"), (1, 9), kind="overstack", moves=(1, 2))
    assert of_drags(moves, stack) == [drag_id("a" * 64, 9, ["v"])]
