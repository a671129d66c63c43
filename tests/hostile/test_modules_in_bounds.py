"""Modules whose prototypes would grow past all memory."""

from __future__ import annotations

import pytest
from vassal_umpire.importers.vassal.module import Prototype
from vassal_umpire.importers.vassal.prototypes import Expansion
from vassal_umpire.model.problem import Unreadable


def prototype(*traits: str) -> Prototype:
    kind = "".join(trait + "\\" * depth + "\t" for depth, trait in enumerate(traits))
    state = "".join("\\" * depth + "\t" for depth in range(len(traits)))
    return Prototype("", f"+/null/{kind}piece;;;;/{state}null;0;0;;0")


def expanded(prototypes: dict[str, Prototype], trait: str, times: int = 1) -> Expansion:
    expansion = Expansion(prototypes)
    for _ in range(times):
        expansion.expand_piece(f"{trait}\tpiece;;;;s", "\tnull;0;0;;0")
    return expansion


def test_parameters_that_double_from_prototype_to_prototype_are_cut_off() -> None:
    chain = {f"P{n}": prototype(f"prototype;P{n + 1};x=$x$$x$") for n in range(48)}
    found = expanded({**chain, "P48": prototype("mark;$x$")}, "prototype;P0;x=aaaaaaaa")
    assert "prototype-too-large" in {problem.code for problem in found.problems}


def test_prototypes_that_use_ten_others_each_are_cut_off() -> None:
    tree = {f"P{n}": prototype(*[f"prototype;P{n + 1}"] * 10) for n in range(12)}
    found = expanded({**tree, "P12": prototype("mark;a")}, "prototype;P0")
    assert "prototype-too-large" in {problem.code for problem in found.problems}


def test_all_pieces_together_may_not_grow_without_end() -> None:
    with pytest.raises(Unreadable, match="pieces grow too large"):
        expanded({"P": prototype("mark;" + "a" * 1_000_000)}, "prototype;P", 200)
