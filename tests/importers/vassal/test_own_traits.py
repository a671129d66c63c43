"""Traits of a module's own: one warning, and what the module has in their fields as properties of a piece."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from vassal_umpire.importers.analysis.records import piece_records
from vassal_umpire.importers.pack.census import take_census
from vassal_umpire.importers.pack.signs import Wanted, attribute_candidates
from vassal_umpire.importers.vassal.buildfile import open_module
from vassal_umpire.importers.vassal.commands import AddPiece
from vassal_umpire.importers.vassal.module import Module
from vassal_umpire.importers.vassal.replay import replay_log
from vassal_umpire.importers.vassal.savefile import read_save
from vassal_umpire.importers.vassal.writer import game_text, write_save
from vassal_umpire.model.problem import Problem
from vassal_umpire.model.table import LogHistory, TableHistory
from vassal_umpire.model.viewer import EVERYONE

Maker = Callable[..., Path]

PLAYER = "PLAYER\thunter2\tWren\tBlue"


def slot(number: int, trait: str) -> str:
    piece = f"+/null/{trait}\tpiece;;;;Unit {number}/\tnull;0;0;{number}"
    cls = "VASSAL.build.widget.PieceSlot"
    return f'<{cls} entryName="{number}" gpid="{number}">{piece}</{cls}>'


@pytest.fixture
def module(make_module: Maker) -> Module:
    slots = slot(1, "ca;0;4-4-5;12 Pz;") + slot(2, "ca;0;(2)-3-8;1 Pz;") + slot(3, "zz;;;")
    return open_module(make_module(f'<VASSAL.build.module.Map mapName="M"/>{slots}'))


def save(folder: Path, module: Module | None, *pieces: tuple[str, str]) -> LogHistory:
    """Pieces with one trait each, of this text and in this state."""
    opening = [
        AddPiece(str(n), f"{trait}\tpiece;;;;Unit {n}", f"{state}\tM;10;10;{n};0")
        for n, (trait, state) in enumerate(pieces, 1)
    ]
    write_save(folder / "game.vsav", game_text([PLAYER, *opening], []))
    return replay_log(read_save(folder / "game.vsav"), module)


def warnings(problems: tuple[Problem, ...]) -> list[tuple[str, int]]:
    return [(p.where, p.count) for p in problems if p.code == "unknown-trait"]


def test_one_warning_tells_of_all_of_them(module: Module) -> None:
    (said,) = (p for p in module.problems if p.code == "unknown-trait")
    assert said.count == 3
    assert "('ca;', 'zz;')" in said.message
    assert "such as ca;1" in said.message


def test_pieces_of_a_save_are_counted_where_the_module_has_no_such_trait(
    module: Module, tmp_path: Path
) -> None:
    ours, theirs = ("ca;0;4-4-5;12 Pz;", ""), ("qq;1;2", "")
    assert warnings(save(tmp_path, module, ours).problems) == []
    assert warnings(save(tmp_path, module, ours, theirs, theirs).problems) == [("game.vsav", 2)]
    assert warnings(save(tmp_path, None, ours, theirs).problems) == [("game.vsav", 2)]
    # a piece that such a trait may hide is not counted, for then the number would tell that it is there
    assert warnings(save(tmp_path, module, theirs, ("qq;1;2", "hunter2")).problems) == [
        ("game.vsav", 1)
    ]


def test_what_the_module_has_in_fields_is_a_property(module: Module, tmp_path: Path) -> None:
    history = save(tmp_path, module, ("ca;0;4-4-5;12 Pz;", ""), ("ca;0;(2)-3-8;1 Pz;", ""))
    first, second = (history.opening.pieces[n].facts for n in "12")
    assert dict(first.properties) == {
        "ca;1": "0",
        "ca;2": "4-4-5",
        "ca;2.1": "4",
        "ca;2.2": "4",
        "ca;2.3": "5",
        "ca;3": "12 Pz",
    }
    assert [second.property(f"ca;2.{n}") for n in (1, 2, 3)] == ["2", "3", "8"]
    assert first.knows("ca;9")
    assert first.property("ca;9") is None
    records = {record["id"]: record for record in piece_records(history, EVERYONE)}
    assert records["1"]["properties"]["ca;2"] == "4-4-5"


def test_they_are_offered_as_sources_of_attributes(module: Module, tmp_path: Path) -> None:
    history = save(tmp_path, module, ("ca;0;4-4-5;12 Pz;", ""), ("ca;0;(2)-3-8;1 Pz;", ""))
    census = take_census(module, TableHistory((history,), (), ()), {"M"}, EVERYONE)
    found = attribute_candidates(census.kinds, Wanted("ma", number=True))
    assert {"property": "ca;2.3", "number": True} in [dict(one.lookup) for one in found]


def test_no_id_of_a_player_is_among_them(module: Module, tmp_path: Path) -> None:
    """Neither in a field that the module leaves empty, nor in another, nor where the trait conceals."""
    history = save(
        tmp_path,
        module,
        ("ca;0;4-4-5;12 Pz;hunter2", ""),
        ("ca;0;hunter2;1 Pz;", ""),
        ("ca;0;4-4-5;12 Pz;", "hunter2"),
    )
    told = [dict(history.opening.pieces[n].properties) for n in "123"]
    assert "hunter2" not in str(told)
    assert (told[0]["ca;2"], told[1]["ca;3"]) == ("4-4-5", "1 Pz")
    assert told[2] == {}
    assert not history.opening.pieces["3"].facts.knows("ca;2")
    # nor is what some other id may be, of a player who is not known here
    other = save(tmp_path, module, ("ca;0;4-4-5;12 Pz;swordfish", ""), ("ca;swordfish;4-4-5", ""))
    assert "swordfish" not in str([dict(p.properties) for p in other.opening.pieces.values()])
