"""Small logs with the engine's answers that come with the project: rich pieces, decks, an old engine."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from full_repr import full_repr
from vassal_umpire.importers.vassal.buildfile import open_module
from vassal_umpire.importers.vassal.pieces import split_state, split_type
from vassal_umpire.importers.vassal.replay import LogReplay, replay_log
from vassal_umpire.importers.vassal.savefile import read_save
from vassal_umpire.importers.vassal.sequence import split
from vassal_umpire.model.table import LogHistory, Piece

Row = dict[str, Any]
Reader = Callable[[Path], list[Row]]
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


def check_traits(own: tuple[str, str], engine: tuple[str, str]) -> None:
    """Trait by trait: later engines add fields to a type and to some states, and change none."""
    mine, theirs = split_type(own[0]), split_type(engine[0])
    assert len(mine) == len(theirs)
    states = zip(
        split_state(own[1], len(mine) - 1)[:-1],
        split_state(engine[1], len(theirs) - 1)[:-1],
        strict=True,
    )
    for a, b in states:
        assert [t for t in split(a, ";") if t] == [t for t in split(b, ";") if t][
            : len(split(a, ";"))
        ]


@pytest.mark.parametrize("name", NAMES)
def test_every_step(corpus: Path, golden_rows: Reader, name: str) -> None:
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


def test_states_trait_by_trait(corpus: Path, golden_rows: Reader) -> None:
    folder = corpus / "synthetic"
    rows = golden_rows(folder / "rich.replay.jsonl.gz")
    replay = LogReplay(read_save(folder / "rich.vlog"), open_module(folder / "rich.vmod"))
    steps = iter(replay.steps())
    checked = 0
    for row in rows:
        if row["kind"] != "step":
            continue
        next(steps)
        for changed in row["changed"]:
            if changed["kind"] == "piece":
                live = replay.runner.table.items[changed["id"]]
                own = (live.type, live.traits + live.base)  # type: ignore[union-attr]
                check_traits(own, (changed["type"], changed["state"]))
                checked += 1
    assert checked >= 5


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
