"""One drag is one offence, whatever follows from it; its id is of the drag alone."""

from __future__ import annotations

from dataclasses import replace

from vassal_umpire.model.finding import Audit, Finding
from vassal_umpire.model.game import Source, StepRef
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
