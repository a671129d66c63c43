"""Logs replayed: small ones that come with the project, with the engine's answers (rich pieces, decks, an old
engine); what logs share, the gaps between them, what was undone."""

from __future__ import annotations

import gc
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from full_repr import full_repr
from vassal_files import golden_rows, save_of
from vassal_umpire.importers.vassal.buildfile import open_module
from vassal_umpire.importers.vassal.collector import collector_paused
from vassal_umpire.importers.vassal.commands import AddPiece, Boards, Player, Undo, decode_command
from vassal_umpire.importers.vassal.commands.kinds import BoardChoice as BoardLaid
from vassal_umpire.importers.vassal.continuity import gaps_between
from vassal_umpire.importers.vassal.module import BoardChoice
from vassal_umpire.importers.vassal.replay import LogReplay, replay_log
from vassal_umpire.importers.vassal.savefile import SaveFile, read_save
from vassal_umpire.importers.vassal.table_items import LivePiece, LiveStack
from vassal_umpire.importers.vassal.table_maps import Shared
from vassal_umpire.importers.vassal.table_state import LiveTable
from vassal_umpire.importers.vassal.undo import UndoReader
from vassal_umpire.model.table import LogHistory, Piece

Row = dict[str, Any]
NAMES = ("rich", "deck", "mini36")
VIEWERS = ("player 1", "Red")
"""In ``deck`` the engine's observer is the one player, of the side Red."""


def replayed(folder: Path, name: str) -> LogHistory:
    module = folder / f"{'rich' if name == 'deck' else name}.vmod"
    module = folder / f"{name}.vmod" if (folder / f"{name}.vmod").is_file() else module
    return replay_log(read_save(folder / f"{name}.vlog"), open_module(module))


def text(value: object) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)


def check_piece(piece: Piece, row: Row) -> None:
    assert (piece.spot.map, piece.spot.x, piece.spot.y) == (row["map"], row["x"], row["y"])
    assert piece.location == row["location"]
    assert piece.facts.name_for(VIEWERS) == row["name"]
    assert piece.basic_name == row["props"]["BasicName"]
    for key, value in row["props"].items():
        if key in ("Invisible", "Obscured", "playerSide", "PieceName"):
            continue  # these depend on who looks
        assert text(piece.facts.property(key)) == text(value), key


@pytest.mark.parametrize("name", NAMES)
def test_every_step(corpus: Path, name: str) -> None:
    folder = corpus / "synthetic"
    history = replayed(folder, name)
    rows = golden_rows(folder / f"{name}.replay.jsonl.gz")
    for row in rows:
        if row["kind"] == "piece":
            check_piece(history.opening.pieces[row["id"]], row)
    steps = [row for row in rows if row["kind"] == "step"]
    assert len(history.steps) == len(steps) > 3
    for step, row in zip(history.steps, steps, strict=True):
        assert [line.text for line in step.chat] == row["chat"]
        after = {c.id: c.after for c in step.changes if c.after is not None}
        pieces = [changed for changed in row["changed"] if changed["kind"] == "piece"]
        assert set(after) == {changed["id"] for changed in pieces}
        for changed in pieces:
            check_piece(after[changed["id"]], changed)
        stacks = {
            (s["map"], s["x"], s["y"], *s["members"])
            for s in row["changed"]
            if s["kind"] in ("stack", "deck") and s["members"]
        }
        ours = {
            (s.after.spot.map, s.after.spot.x, s.after.spot.y, *s.after.members)
            for s in step.stacks
            if s.after is not None and s.after.members
        }
        assert ours == stacks
        gone = {c.id for c in step.changes if c.after is None}
        assert gone == {id_text for id_text in row["removed"] if id_text in history.opening.pieces}


def test_a_replay_leaves_no_garbage(data: Path) -> None:
    """Many logs are read while the collector is paused."""

    def live() -> int:
        kinds = LivePiece, LiveStack, LiveTable, LogReplay, SaveFile
        return sum(isinstance(one, kinds) for one in gc.get_objects())

    gc.collect()
    before = live()
    with collector_paused():
        assert replay_log(read_save(data / "rich.vlog")).steps
        assert live() == before


def test_a_save_without_its_module_is_told_without_names_of_places(data: Path) -> None:
    history = replay_log(read_save(data / "rich.vlog"))
    with_module = replay_log(read_save(data / "rich.vlog"), open_module(data / "zones.vmod"))
    moved = [d for step in history.steps for d in step.displacements]
    assert [d.target.map for d in moved if d.target] == ["Main Map"] * 2 or moved
    assert {d.target_location for d in moved} == {""}
    # a module without that map has no place for the pieces
    assert {p.spot.map for p in with_module.opening.pieces.values()} == {None}
    assert any(p.code == "unknown-map" for p in with_module.problems)


def test_ids_of_players_are_in_no_value(corpus: Path) -> None:
    """The ids in the synthetic logs are made up; nothing a replay tells may hold one."""
    for name, secrets in (("deck", ("oracle-secret",)), ("mini36", ("oracle-secret", "pw1"))):
        history = replayed(corpus / "synthetic", name)
        told = [full_repr(history)]
        for step in history.steps:
            told += [full_repr(step), full_repr(step.actor), *map(str, step.problems)]
            for change in step.changes:
                for piece in (change.before, change.after):
                    if piece is not None:
                        told += [
                            full_repr(piece),
                            full_repr(piece.facts),
                            full_repr(piece.concealments),
                        ]
                        told += [piece.name, full_repr(dict(piece.properties))]
        for table in (history.opening, history.end):
            told += [full_repr(table), *(full_repr(p.concealments) for p in table.pieces.values())]
        assert history.opening.players
        for secret in secrets:
            assert not any(secret in text for text in told)


# -- What the logs of a game share does not change what is read of any of them ---------------------

CROSSROADS = Path(__file__).resolve().parents[3] / "samples" / "crossroads"
LOGS = (CROSSROADS / "turn-1.vlog", CROSSROADS / "turn-2.vlog")


def test_a_log_read_after_others_is_read_as_it_is_alone() -> None:
    module = open_module(CROSSROADS / "crossroads.vmod")
    shared = Shared(module)
    for log in (*LOGS, *LOGS):
        save = read_save(log)
        together, alone = replay_log(save, module, shared=shared), replay_log(save, module)
        for one, other in (
            (together.opening, alone.opening),
            (together.end, alone.end),
        ):
            assert dict(one.pieces) == dict(other.pieces)
            for name, piece in one.pieces.items():
                assert piece.location == other.pieces[name].location
                assert piece.properties == other.pieces[name].properties
        assert together.steps == alone.steps
        assert together.problems == alone.problems


def test_boards_that_an_opening_chose_are_not_those_of_another() -> None:
    module = open_module(CROSSROADS / "crossroads.vmod")
    (first, *_) = (one for one in module.maps if one.boards)
    shared = Shared(module)
    by_default = shared.layouts({})
    chosen = shared.layouts({first.id: [BoardChoice(first.boards[0].name, 1, 0, reversed=False)]})
    assert shared.layouts({}) is by_default
    assert chosen is not by_default
    assert chosen.layout(first.identifier) is not by_default.layout(first.identifier)


@pytest.mark.parametrize("seen", [True, False])
def test_other_boards_are_told_only_of_maps_that_all_sides_see(seen: bool) -> None:
    module = open_module(CROSSROADS / "crossroads.vmod")
    first, *rest = sorted(module.maps, key=lambda one: not one.boards)
    module = replace(module, maps=(replace(first, visible_to_all=seen), *rest))
    twice = tuple(BoardLaid(first.boards[0].name, False, column, 0) for column in (0, 1))
    history = replay_log(save_of([], [Boards(first.id, twice)]), module)
    assert history.relaid == {first.identifier}
    assert ("boards-changed" in {one.code for one in history.problems}) is seen


# -- Gaps between logs: only what somebody changed counts, not what the engine keeps for itself ----


@pytest.fixture(scope="module")
def turns(project: Path) -> tuple[LogHistory, LogHistory]:
    """The two logs of Crossroads; the first moves ten counters and disrupts an eleventh."""
    folder = project / "samples" / "crossroads"
    module = open_module(folder / "crossroads.vmod")
    one, two = (replay_log(read_save(folder / f"turn-{n}.vlog"), module, log=n) for n in (1, 2))
    return one, two


def test_logs_that_join_leave_no_gap(turns: tuple[LogHistory, LogHistory]) -> None:
    assert gaps_between(turns) == ((),)


def test_log_begun_from_an_older_position_differs_in_all_it_had_changed(
    turns: tuple[LogHistory, LogHistory],
) -> None:
    one, _ = turns
    [between] = gaps_between([one, one])
    elsewhere = {gap.before.name for gap in between if gap.place_differs and gap.before}
    assert elsewhere == {
        *(f"Blue {n} Inf" for n in range(1, 6)),
        *("Blue 1 Tank", "Blue 2 Tank", "Blue Motor Inf", "Blue Recon", "Blue HQ"),
    }
    otherwise = {gap.before.name for gap in between if gap.state_differs and gap.before}
    assert otherwise == {"Red 1 Inf disrupted", "Blue 4 Inf"}


def test_piece_that_is_gone_is_a_gap(turns: tuple[LogHistory, LogHistory]) -> None:
    one, two = turns
    gone = next(iter(two.opening.pieces))
    others = {key: piece for key, piece in two.opening.pieces.items() if key != gone}
    late = replace(two, opening=replace(two.opening, pieces=others))
    [[gap]] = gaps_between([one, late])
    assert (gap.id, gap.place_differs, gap.after) == (gone, True, None)
    assert gap.before is not None


def test_a_counter_hidden_by_another_or_of_another_name_than_before_differs() -> None:
    def log(who: str, name: str = "Tank", gpid: int = 1) -> LogHistory:
        hidden = f"hide;72,130;Hide;;player:\tpiece;;;;{name}"
        piece = AddPiece("7", hidden, f"key-{who}\tnull;0;0;{gpid};0")
        players = Player("key-a", "Ann", "Red"), Player("key-b", "Bob", "Blue")
        return replay_log(save_of([*players, piece]))

    assert gaps_between([log("a"), log("a")]) == ((),)
    for other in (log("b"), log("a", "Truck"), log("a", gpid=2)):
        [gaps] = gaps_between([log("a"), other])
        assert [gap.state_differs for gap in gaps] == [True]


# -- The undo button's traces in a log -------------------------------------------------------------

Told = tuple[int | None, bool, bool, str] | None


def read(*steps: Sequence[str]) -> list[Told]:
    """What each step undoes: (step, redo?, whole?, known by)."""
    reader = UndoReader()
    told: list[Told] = []
    for number, leaves in enumerate(steps, start=1):
        commands = [decode_command(text) for text in leaves]
        brackets = [x.active for x in commands if isinstance(x, Undo)]
        found = reader.read(number, commands, brackets)
        told.append(found and (found.step, found.redo, found.whole, found.known_by))
    return told


def drag(piece: str, old: int, new: int) -> list[str]:
    """A piece dragged to an empty place, as the engine logs it."""
    return [f"M/{piece}/Map/{new}/0/null/Map/{old}/0/null/x", f"+/s{new}/stack/Map;{new};0;{piece}"]


def undone(piece: str, old: int, new: int, *, marked: bool) -> list[str]:
    body = [f"-/s{new}", f"M/{piece}/Map/{old}/0/null/Map/{new}/0/null/x"]
    return ["UNDO\ttrue", *body, "UNDO\tfalse"] if marked else body


@pytest.mark.parametrize("marked", [True, False])
def test_two_undos_cancel_the_last_step_and_the_one_before(marked: bool) -> None:
    how = "marker" if marked else "inverse"
    log = [
        drag("a", 0, 1), drag("b", 5, 6),
        undone("b", 5, 6, marked=marked), undone("a", 0, 1, marked=marked),
    ]  # fmt: skip
    assert read(*log) == [None, None, (2, False, True, how), (1, False, True, how)]


def test_the_undo_after_a_new_step_reaches_the_undo_before_it_and_does_again() -> None:
    """A, B, undo (B), C, undo (C), undo: the pointer stands on the first undo, and B is redone; the
    next one cancels B again."""
    undo_b = undone("b", 5, 6, marked=True)
    again = ["UNDO\ttrue", "M/b/Map/6/0/null/Map/5/0/null/x", "+/s6/stack/Map;6;0;b", "UNDO\tfalse"]
    log = [
        drag("a", 0, 1), drag("b", 5, 6), undo_b, drag("c", 8, 9), undone("c", 8, 9, marked=True),
        again, undo_b,
    ]  # fmt: skip
    assert read(*log)[4:] == [
        (4, False, True, "marker"), (2, True, True, "marker"), (2, False, True, "marker"),
    ]  # fmt: skip


MARKED, BACK = ["UNDO\ttrue", "UNDO\tfalse"], "M/a/Map/0/0/null/Map/1/0/q/x"
CHANGED = ["D/a/true\tM;1;1;1/false\tM;1;1;1", "MutableProperty\tVP\t1\t2\tModule"]
RESTORED = ["MutableProperty\tVP\t2\t1\tModule", "D/a/false\tM;1;1;1/true\tM;1;1;1"]
MOVED = "CHAT* Tank moves 0101 -> 0102"


@pytest.mark.parametrize(
    ("first", "second", "told"),
    [
        (drag("a", 0, 1), drag("a", 1, 0), None),  # put back by hand
        (["M/a/Map/1/0/q/Map/0/0/null/x"], [BACK], None),
        (
            drag("a", 0, 1),
            ["-/s1"],
            (1, False, False, "inverse"),
        ),  # logs of VASSAL 2.9 hold no more
        (drag("a", 0, 1), ["-/a"], None),  # deleted
        ([MOVED], ["CHAT* UNDO: " + MOVED.removeprefix("CHAT")], (1, False, True, "chat")),
        (["CHAT<Joe> - hello"], ["CHAT<Joe> - hello"], None),
        (drag("a", 0, 1), MARKED, (1, False, False, "marker")),  # the engine may lose its commands
        (CHANGED, RESTORED, (1, False, True, "inverse")),
        (CHANGED, CHANGED, None),
    ],
)
def test_what_the_second_of_two_steps_undoes(
    first: list[str], second: list[str], told: Told
) -> None:
    assert read(first, second) == [None, told]


def test_a_marked_undo_of_nothing() -> None:
    assert read(MARKED) == [(None, False, False, "marker")]
