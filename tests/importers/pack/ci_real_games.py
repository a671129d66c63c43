"""Real games bound with their packs: every place is where the engine has it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Container, Sequence
from pathlib import Path
from typing import Any

import pytest
from vassal_files import golden_rows
from vassal_umpire.importers.pack.bind import bound
from vassal_umpire.importers.pack.load import load_pack
from vassal_umpire.importers.vassal.buildfile import open_module
from vassal_umpire.importers.vassal.commands import Boards, decode_command
from vassal_umpire.importers.vassal.layout import lay_out
from vassal_umpire.importers.vassal.module import Module
from vassal_umpire.importers.vassal.replay import replay_log
from vassal_umpire.importers.vassal.savefile import read_save
from vassal_umpire.importers.vassal.table_maps import board_choices
from vassal_umpire.model.game import Displacement, Event, Game, Place, StepRef
from vassal_umpire.model.table import TableHistory

RAGNAROK = """
[pack]
name = "ragnarok"
version = "1"
ruleset = "generic"
[fits]
modules = ["Ragnarok*"]
[board]
[[board.sheet]]
map = "Main Map"
hex = "[0-9]{4}"
[[box]]
map = "Main Map"
location = "(?![0-9]{4}$).+"
[[units.are]]
property = "Side"
[units]
side = { property = "Side" }
[units.attributes]
face = { layer = "Flip", number = true }
"""


def game_of(module: Module, history: TableHistory, first_log: Path, pack: Path) -> Game:
    opening = read_save(first_log).opening
    commands = (decode_command(text) for text in opening if "BoardPicker" in text)
    laid = lay_out(
        module.maps, board_choices(module, [c for c in commands if isinstance(c, Boards)])
    )
    layouts = {a_map.identifier: laid[a_map.id] for a_map in module.maps}
    return bound(module, history, load_pack(pack), layouts).game


def check_places(game: Game, board_map: str, golden: Sequence[Path], number: list[int]) -> int:
    """Fold the displacements and compare with the engine after each step; the count of comparisons."""
    where = dict(game.opening)
    events = [e for e in game.events if isinstance(e, Displacement)]
    done = compared = 0
    for log, path in enumerate(golden, 1):
        for line in golden_rows(path):
            if "step" not in line:
                continue
            done = _until(events, done, StepRef(log, line["step"]), where)
            for piece in line.get("changed", ()):
                if piece["id"] in game.units and "map" in piece:
                    place = where[piece["id"]]
                    compared += 1
                    _agree(place, piece, board_map, game.board.hexes)
        number.append(compared)
    return compared


def _until(events: list[Displacement], done: int, at: StepRef, where: dict[str, Place]) -> int:
    while done < len(events) and events[done].at <= at:
        event = events[done]
        assert event.origin == where[event.unit], event
        where[event.unit] = event.target
        done += 1
    return done


def _agree(place: Place, piece: dict[str, Any], board_map: str, hexes: Container[str]) -> None:
    if piece["map"] is None:
        assert place.kind == "nowhere", piece
    elif piece["map"] == board_map and len(piece["loc"]) == 4 and piece["loc"].isdecimal():
        if piece["loc"] in hexes:
            assert place in (Place("hex", piece["loc"]), Place("unclear", piece["loc"])), piece
        else:  # a landing box, printed over a numbered hex of the sea
            assert place in (Place("box", piece["loc"]), Place("unclear", piece["loc"])), piece
    else:
        assert place.kind == "box", piece


@pytest.fixture(scope="module")
def campaign(longest_day: tuple[Module, TableHistory], corpus: Path, project: Path) -> Game:
    first = corpus / "tld" / "game" / longest_day[1].logs[0].source
    return game_of(*longest_day, first, project / "samples" / "the-longest-day" / "pack")


def test_the_longest_day_is_where_the_engine_has_it(campaign: Game, corpus: Path) -> None:
    golden = sorted((corpus / "golden" / "tld" / "game").glob("*.replay.jsonl.gz"))
    assert len(golden) == 17
    per_log: list[int] = []
    assert check_places(campaign, "Normandy", golden, per_log) > 8000
    assert all(per_log)


def test_the_longest_day_has_its_hexes_and_sides(campaign: Game) -> None:
    assert len(campaign.board.hexes) > 7000
    sides = Counter(unit.side for unit in campaign.units.values())
    assert sides.keys() == {"Allies", "Germans", None}
    assert sides[None] == 9  # eight that facts.toml gives a side, and a fort that counts for both
    assert campaign.sides == ("Allies", "Germans")
    events: tuple[Event, ...] = campaign.events
    assert [e.at for e in events] == sorted(e.at for e in events)


def test_gaps_between_the_logs_reseat_units(campaign: Game) -> None:
    """Ten of sixteen joints are clean, the others differ in as many places as the engine's answers do;
    reseating happens there alone."""
    gaps = Counter(g.log for g in campaign.gaps if g.detail != "its state differs")
    assert gaps == {2: 27, 4: 10, 6: 56, 7: 40, 11: 4, 14: 2}
    moved = [e for e in campaign.events if isinstance(e, Displacement) and e.cause == "reseated"]
    assert moved
    assert {e.at.log for e in moved} <= set(gaps)
    assert {e.at.step for e in moved} == {0}


@pytest.mark.parametrize("log", ["ragnarok-1-aesir", "ragnarok-2-jotun"])
def test_ragnarok_is_where_the_engine_has_it(corpus: Path, tmp_path: Path, log: str) -> None:
    (tmp_path / "pack.toml").write_text(RAGNAROK)
    folder = corpus / "engine-written" / log
    file = folder / f"{log}.vlog"
    module = open_module(corpus / "hexncounters" / "ragnarok.vmod")
    history = TableHistory((replay_log(read_save(file), module),))
    game = game_of(module, history, file, tmp_path)
    assert check_places(game, "Main Map", [folder / f"{log}.vlog.replay.jsonl.gz"], []) > 50
    assert {unit.side for unit in game.units.values()} >= {"Aesir", "Jotun"}
