"""A module, its logs and a pack become a game: what the engine did is what the game says."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
from vassal_umpire.importers.pack import bind
from vassal_umpire.importers.pack.bind import Bound as BoundGame
from vassal_umpire.importers.pack.bind import check_fit
from vassal_umpire.importers.pack.load import load_pack
from vassal_umpire.importers.pack.pack import Fits
from vassal_umpire.importers.vassal.module import Module
from vassal_umpire.model.game import (
    Displacement,
    Game,
    PhaseStart,
    Place,
    Spent,
    StateChange,
    StepRef,
    Witness,
)
from vassal_umpire.model.problem import CannotAudit, WrongPack
from vassal_umpire.model.table import TableHistory

Binder = Callable[..., BoundGame]
RED_ARM_1, RED_ARM_2, RED_HQ = "1795262786566", "1795262786577", "1795262786584"
RED_INF_1, RED_INF_2, RED_INF_3 = "1795262786534", "1795262786541", "1795262786559"
BLUE_INF_1, BLUE_INF_3, BLUE_CAV_1 = "1795262786608", "1795262786625", "1795262786633"


# -- displacements ---------------------------------------------------------------------------------


def test_every_place_is_where_the_engine_had_it(
    game: Game, truth: list[list[dict[str, Any]]]
) -> None:
    """Folding the game's displacements over its opening gives, after each script line, what the
    engine itself held at that moment."""
    where = dict(game.opening)
    events = iter([e for e in game.events if isinstance(e, Displacement)])
    event = next(events, None)
    compared = 0
    for log, lines in enumerate(truth, 1):
        for line in lines:
            at = StepRef(log, line["steps"][1])
            while event is not None and event.at <= at:
                assert event.origin == where[event.unit]
                where[event.unit] = event.target
                event = next(events, None)
            for piece in line.get("changed", ()):
                if not line["logging"] or piece["id"] not in game.units:
                    continue
                on_map = piece["map"] == "Main Map"
                expected = Place("hex", piece["loc"]) if on_map else Place("box", piece["map"])
                assert where[piece["id"]] == expected, (at, piece)
                compared += 1
    assert event is None
    assert compared > 80


@pytest.mark.parametrize(
    ("unit", "moves"),
    [
        (RED_ARM_1, ["13 0406 0405 drag", "15 0405 0404 drag", "17 0404 0403 drag",
                     "18 0403 0402 drag", "20 0402 0302 drag"]),
        # sent to the dead pile by its key, undone, sent again
        (BLUE_INF_1, ["32 1603 Dead Pile key", "33 Dead Pile 1603 undo", "34 1603 Dead Pile key"]),
        (BLUE_INF_3, ["36 1605 off the map removal", "37 off the map 1605 undo",
                      "38 1605 off the map removal"]),
    ],
    ids=["a march hex by hex", "an elimination undone", "a deletion undone"],
)  # fmt: skip
def test_the_way_of_a_unit_and_what_moved_it(game: Game, unit: str, moves: list[str]) -> None:
    found = [e for e in game.events if isinstance(e, Displacement) and e.unit == unit]
    way = [f"{e.at.step} {e.origin} {e.target} {e.cause}" for e in found if e.at.log == 1]
    assert way == moves
    undone = [e.cancels for e in found if e.cause == "undo"]
    assert undone == [StepRef(1, int(moves[0].split()[0]))] * len(undone)


def test_who_did_it_is_told_by_the_move_alone(game: Game) -> None:
    drags = [e for e in game.events if isinstance(e, Displacement) and e.cause == "drag"]
    by_log = {log: {e.actor for e in drags if e.at.log == log} for log in (1, 2)}
    assert by_log == {1: {"Red"}, 2: {"Blue"}}
    deletion = next(e for e in game.events if isinstance(e, Displacement) and e.cause == "removal")
    assert deletion.actor is None


def test_a_stack_is_moved_as_one(game: Game) -> None:
    step = [e for e in game.events if isinstance(e, Displacement) and e.at == StepRef(1, 60)]
    assert len(step) == 2
    assert len({e.group for e in step}) == 1


# -- units -----------------------------------------------------------------------------------------


def test_units_have_what_the_pack_says(game: Game) -> None:
    hq = game.units[RED_HQ]
    assert (hq.name, hq.side, hq.kind, hq.seen_by) == ("Red HQ", "Red", "unit", None)
    assert {name: fact.value for name, fact in hq.attributes.items()} == {
        "class": "hq",
        "ma": Fraction(5),
        "strength": "full",
        "morale": "good",
        "dug_in": False,
        "size": Fraction(1, 2),
    }
    assert hq.attributes["size"].source == "units.csv line 4"
    markers = [unit for unit in game.units.values() if unit.kind == "marker"]
    assert [marker.name for marker in markers] == ["Entrenchment"]
    assert not any("Event" in unit.name for unit in game.units.values())


def test_what_was_ever_hidden_keeps_its_secret(game: Game) -> None:
    hidden, masked, unmasked = (game.units[u] for u in (RED_INF_1, RED_INF_3, RED_INF_2))
    assert (hidden.name, hidden.seen_by) == ("a hidden counter", ("Red",))
    assert (masked.name, masked.seen_by) == ("Red unit", ("Red",))
    assert (unmasked.name, unmasked.seen_by) == ("Red unit", ("Red",))
    public = {unit.name for unit in game.units.values() if unit.seen_by is None}
    assert not public & {"Red Inf 1", "Red Inf 2", "Red Inf 3"}


def test_changes_of_state_are_told(game: Game) -> None:
    changes = [
        (str(e.at), e.unit, e.attribute, e.before.value, e.after.value)
        for e in game.events
        if isinstance(e, StateChange) and e.at.log == 1
    ]
    assert changes[:3] == [
        ("1:22", RED_ARM_2, "strength", "full", "reduced"),
        ("1:23", RED_ARM_2, "morale", "good", "disrupted"),
        ("1:24", RED_ARM_2, "morale", "disrupted", "routed"),
    ]
    (dug_in,) = [c for c in changes if c[2] == "dug_in"]
    assert dug_in[0] == "1:42"
    assert dug_in[3:] == (False, True)


def test_what_was_spent_is_told(game: Game) -> None:
    """At least so much: the counter was not renewed since the log began."""
    spent = [
        (e.at.step, e.amount.low)
        for e in game.events
        if isinstance(e, Spent) and e.unit == RED_ARM_1
    ]
    assert spent == [(14, 1), (16, 1), (19, 1), (21, 1)]


# -- phases and witnesses --------------------------------------------------------------------------


def phases(game: Game) -> list[tuple[str, str | None, str | None, str | None]]:
    return [
        (str(e.at), e.turn, e.phase, e.active) for e in game.events if isinstance(e, PhaseStart)
    ]


def test_the_tracker_tells_the_phase(game: Game) -> None:
    assert phases(game) == [
        ("1:0", "Turn 1", "Movement", "Red"),
        ("1:28", "Turn 1", "Combat", "Red"),
        ("1:51", "Turn 1", "Movement", "Blue"),
        ("1:52", "Turn 1", "Combat", "Blue"),
        ("1:53", "Turn 1", "Movement", "Blue"),
        ("2:37", "Turn 1", "Combat", "Blue"),
        ("2:38", "Turn 2", "Movement", "Red"),
        ("2:39", "Turn 2", "Combat", "Red"),
        ("2:40", "Turn 2", "Movement", "Blue"),
    ]
    assert all(e.certain for e in game.events if isinstance(e, PhaseStart))


def test_witnesses_are_rolls_chat_reveals_and_the_end(game: Game) -> None:
    kinds = Counter((e.at.log, e.kind) for e in game.events if isinstance(e, Witness))
    assert kinds[1, "roll"] == 2
    assert kinds[1, "log-end"] == kinds[2, "log-end"] == 1
    flips = [str(e.at) for e in game.events if isinstance(e, Witness) and e.kind == "flip"]
    assert flips == ["1:6", "1:10", "2:30"]
    chat = [e.text for e in game.events if isinstance(e, Witness) and e.kind == "chat"]
    assert not any("moves" in text for text in chat)
    steps = [event.at for event in game.events]
    assert steps == sorted(steps)


# -- board -----------------------------------------------------------------------------------------


def test_spreadsheets_are_on_the_board(game: Game) -> None:
    board = game.board
    assert board.hexes["0101"].terrain == ("clear",)
    assert (board.hexes["0404"].terrain, board.hexes["0404"].level) == (("woods",), 1)
    assert board.hexes["1603"].terrain == ("clear", "town")
    assert board.lines[0].hexes == ("0403", "0404", "0405")
    assert board.sides == {("0505", "0605"): ("river",), ("0604", "0605"): ("river",)}
    assert board.complete == {"hexsides", "lines"}


def test_neighbours_are_those_of_the_map(game: Game) -> None:
    """Raw odd columns stand lower: column 05 is raw 4, its neighbours in column 06 have its number and
    the one above."""
    assert set(game.board.neighbours("0505")) == {"0504", "0506", "0404", "0405", "0604", "0605"}


def test_a_view_on_the_board_of_the_truth_is_as_if_bound_alone(
    drill_by: Binder, drill: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    text = (drill / "pack.toml").read_text("utf-8")
    (tmp_path / "pack.toml").write_text(re.sub(r"(?m)^\[\[box\]\]\n(.+\n)+", "", text))
    (tmp_path / "units.csv").write_text((drill / "units.csv").read_text("utf-8"))
    truth = drill_by(load_pack(tmp_path))
    assert truth.game.nameless
    monkeypatch.setattr(bind, "bind_board", None)  # the board is not made again
    assert drill_by(load_pack(tmp_path), truth=truth).game == truth.game


def test_sources_name_every_file(game: Game, drill: Path) -> None:
    assert [(s.file, s.kind) for s in game.sources] == [
        ("drill-1-red.vlog", "log"),
        ("drill-2-blue.vlog", "log"),
        ("drill.vmod", "module"),
        ("drill", "pack"),
    ]
    assert all(len(source.sha256) == 64 for source in game.sources)


# -- facts -----------------------------------------------------------------------------------------


def test_declared_phases_go_before_what_the_log_says(bound: Callable[[str], Game]) -> None:
    game = bound(
        '[[phase]]\nlog = 1\nsteps = "10-29"\nphase = "Combat"\nactive = "Blue"\nturn = 9\n'
    )
    assert phases(game)[:4] == [
        ("1:0", "Turn 1", "Movement", "Red"),
        ("1:10", "9", "Combat", "Blue"),
        ("1:30", "Turn 1", "Combat", "Red"),
        ("1:51", "Turn 1", "Movement", "Blue"),
    ]


def test_facts_of_units_and_conditions_hold_for_their_steps(bound: Callable[[str], Game]) -> None:
    game = bound(
        f'[[unit]]\nunit = "{RED_HQ}"\nlog = 1\nsteps = "5-8"\nattributes = {{ma = 9, mood = "grim"}}\n'
        '[[unit]]\nunit = "Blue Cav 1"\nside = "Red"\nattributes = {size = "7/2"}\n'
        '[[condition]]\nkey = "supply"\nvalue = "out"\nunit = "Red HQ"\nfirst = "1:4"\nlast = "2:1"\n'
    )
    changes = [
        (str(e.at), e.attribute, e.before.value, e.after.value)
        for e in game.events
        if isinstance(e, StateChange) and e.unit == RED_HQ
    ]
    assert sorted(changes) == [
        ("1:5", "ma", 5, 9),
        ("1:5", "mood", None, "grim"),
        ("1:9", "ma", 9, 5),
        ("1:9", "mood", "grim", None),
    ]
    assert game.units[BLUE_CAV_1].side == "Red"
    assert game.units[BLUE_CAV_1].attributes["size"].value == Fraction(7, 2)
    told = [(StepRef(1, 4), RED_HQ), (StepRef(2, 2), RED_HQ), (StepRef(1, 4), RED_ARM_1)]
    assert [game.condition("supply", *one).value for one in told] == ["out", None, None]


@pytest.mark.parametrize(
    ("facts", "what"),
    [
        ('[[unit]]\nunit = "Green HQ"\nattributes = {ma = 1}\n', "one unit; found Green HQ"),
        ('[[unit]]\nunit = "Green HQ"\nside = "Red"\n', "one unit; found Green HQ"),
        ('[[unit]]\nunit = "Red HQ"\nside = "Green"\n', r"a side \(Red, Blue\); found Green"),
        ('[[unit]]\nunit = "Red Art"\nattributes = {ma = 1}\n', "which 2 units are called"),
        ('[[phase]]\nlog = 1\nphase = "Fire"\n', r"a phase of the pack \(Movement, Combat\); found Fire"),
        ('[[phase]]\nlog = 1\nactive = "Green"\n', r"a side \(Red, Blue\); found Green"),
        ('[[displacement]]\nform = "rail"\nunit = "Red HQ"\n', r"\(march, movement, other\); found rail"),
        ('[[hex]]\nhex = "9999"\nlevel = 1\n', "a hex of the board; found 9999"),
        ('[[hexside]]\nhexes = ["0101", "0505"]\nhas = ["wall"]\n', "next to each other"),
    ],
)  # fmt: skip
def test_facts_that_do_not_fit_the_game_are_told(
    bound: Callable[[str], Game], facts: str, what: str
) -> None:
    with pytest.raises(WrongPack, match=what) as caught:
        bound(facts)
    assert caught.value.problems[0].where.startswith("facts.toml line ")


def test_a_pack_for_another_module_cannot_audit(module: Module, drill: Path) -> None:
    pack = replace(load_pack(drill), fits=Fits(("Drill",), ("2.*",)))
    with pytest.raises(
        CannotAudit,
        match=r"does not fit the module Drill 1\.0; expected the module Drill, version 2",
    ):
        check_fit(pack, module)
    check_fit(replace(pack, fits=Fits(("Dr*",), ("1.*",))), module)


def test_faults_of_spreadsheets_are_told_with_their_line(
    drill_by: Binder, drill: Path, tmp_path: Path
) -> None:
    (tmp_path / "pack.toml").write_text(
        (drill / "pack.toml").read_text("utf-8").replace("size =", "# ")
    )
    (tmp_path / "hexes.csv").write_text("hex,terrain\n0101,clear\n101,woods\n")
    (tmp_path / "lines.csv").write_text("kind,path\nroad,0101 0102 0104\nriver,0101/0103\n")
    with pytest.raises(WrongPack) as caught:
        drill_by(load_pack(tmp_path))
    assert [str(p) for p in caught.value.problems] == [
        "hexes.csv line 3: expected a hex of the board; found 101 "
        "(is 0101 meant? spreadsheets drop leading noughts)",
        "lines.csv line 2: expected hexes next to each other; found 0102 and 0104",
        "lines.csv line 3: expected hexes next to each other; found 0101 and 0103",
    ]


# -- several logs ----------------------------------------------------------------------------------


def test_a_log_that_opens_otherwise_reseats_units(
    drill_by: Binder, history: TableHistory, drill: Path
) -> None:
    """The first log followed by itself: its opening is not its end."""
    one = history.logs[0]
    twice = TableHistory((one, replace(one, steps=())), ())
    game = drill_by(load_pack(drill), history=twice).game
    seats = {e.unit: (e.origin, e.target) for e in game.events
             if isinstance(e, Displacement) and e.cause == "reseated"}  # fmt: skip
    assert seats[RED_ARM_1] == (Place("hex", "0302"), Place("hex", "0406"))
    assert seats[BLUE_INF_1] == (Place("box", "Dead Pile"), Place("hex", "1603"))
    assert all(e.at == StepRef(2, 0) for e in game.events
               if isinstance(e, Displacement) and e.cause == "reseated")  # fmt: skip
    where = dict(game.opening)
    for event in game.events:
        if isinstance(event, Displacement):
            assert where[event.unit] == event.origin
            where[event.unit] = event.target
    assert where == game.opening


def test_the_drill_logs_join(game: Game) -> None:
    assert game.gaps == ()
    assert not [e for e in game.events if isinstance(e, Displacement) and e.cause == "reseated"]
