"""Every table, step by step, against what VASSAL itself answered.

The engine loaded each file as an observer without a side: folder ``golden`` of the corpus, and the
answers beside the logs it wrote for this project.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from functools import lru_cache
from pathlib import Path
from typing import Any

import pytest
from tiers import drawn
from vassal_files import golden_rows, with_sizes
from vassal_umpire.importers.vassal.buildfile import open_module
from vassal_umpire.importers.vassal.module import Module
from vassal_umpire.importers.vassal.replay import LogReplay, replay_log
from vassal_umpire.importers.vassal.savefile import read_save
from vassal_umpire.model.table import LogHistory, Piece, Step, Table

Row = dict[str, Any]

TLD = [f"tld/game/{day}-{n}.log" for day, count in
       (("0606", 4), ("0607", 5), ("0608", 4), ("0609", 4)) for n in range(1, count + 1)]  # fmt: skip
ENGINE_WRITTEN = [
    f"engine-written/{name}/{name}{end}"
    for name in (
        "drill-1-red", "drill-2-blue", "kassala-1-moslem", "ragnarok-1-aesir", "ragnarok-2-jotun",
        "tld-1-germans",
    )
    for end in (".vlog", "-end.vsav")
]  # fmt: skip
FILES = [
    *ENGINE_WRITTEN,
    "bloodbowl/quicktest@869f4ce1.vsav",
    "bloodbowl/quicktest@a4423e1e.vsav",
    "bloodbowl/testlog@0b0e39ec.vlog",
    "bloodbowl/testlog@85bce4c6.vlog",
    "ccn/B001 - Rolica1.vsav",
    "ccn/CCNv4 Tutorial.vlog",
    "ccn/CK01 - Sahagun.vsav",
    "ftp/1861-3-5.vsav",
    "hexncounters/ragnarok-start.vsav",
    "kassala/Default Setup.vsav",
    "nevsky/Scenario_Peipus_1242.vsav",
    "nevsky/Scenario_Watland_1241.vsav",
    *TLD,
    "tld/scenarios/campaign.sav",
    "tld/scenarios/scenario_1.sav",
    "tld/scenarios/scenario_2.sav",
    "tld/scenarios/scenario_3.sav",
    "tld/scenarios/scenario_4.sav",
    "vassal-tour/tour.log",
    "zxvt/5x5_startup.vlog",
    "zxvt/older/5x5_startup@9d029790.vlog",
]
LOGS = [name for name in FILES if name.endswith("log")]
STANDARD = (
    "BasicName", "CurrentBoard", "CurrentZone", "Moved", "Invisible", "Obscured",
    "ObscuredToOthers", "DeckName",
)  # fmt: skip

PREFERENCES = frozenset({"prefClickCounter"})
"""Settings of the engine's own user, which a module may read like a property; they are in no file
(VASSAL.preferences.BooleanPreference)."""


def golden(corpus: Path, name: str, kind: str) -> Path:
    beside = corpus / f"{name}.{kind}.jsonl.gz"
    return beside if beside.is_file() else corpus / "golden" / f"{name}.{kind}.jsonl.gz"


@lru_cache(maxsize=2)
def _module(path: Path) -> Module:
    return open_module(path)


def module_of(corpus: Path, name: str, header: Row) -> Module:
    """The module, with the sizes that the engine was told of boards whose image is missing."""
    file = header["module_file"]
    beside = (corpus / name).parent / file
    if not (corpus / file).is_file() and not beside.is_file():
        beside = corpus / "engine-written" / "drill-1-red" / file
    module = _module(corpus / file if (corpus / file).is_file() else beside)
    for option in header.get("options", ()):
        if option.startswith("--fakeboards="):
            width, height = map(int, option.removeprefix("--fakeboards=").split("x"))
            maps = (
                with_sizes(one, {b.name: (width, height) for b in one.boards if b.width is None})
                for one in module.maps
            )
            return replace(module, maps=tuple(maps))
    return module


def plain(value: object) -> str:
    """A property as text; without value it is the same as empty."""
    if isinstance(value, bool):
        return "true" if value else "false"
    return "" if value is None else str(value)


def seen_props(piece: Piece, keys: list[str], expected: Row) -> Iterator[str]:
    """Properties that are known and not what the engine says."""
    for key in sorted(set(keys) - PREFERENCES):
        ours = piece.facts.property(key)
        wanted = expected.get(key)
        if key == "BasicName" and key not in expected and ours == piece.name:
            continue
        if key == "CurrentBoard" and wanted is None and ours == piece.spot.map:
            continue  # left out where the board is called as the map
        if not piece.facts.knows(key):
            continue
        if plain(ours) != plain(wanted):
            yield f"{key}={plain(wanted)!r}, not {plain(ours)!r}"


def piece_differences(piece: Piece | None, row: Row) -> Iterator[str]:
    if piece is None:
        yield "missing"
        return
    spot = (piece.spot.map, piece.spot.x, piece.spot.y)
    if spot != (row["map"], row["x"], row["y"]):
        yield f"lies on {row['map']} {row['x']},{row['y']}, not {spot}"
    if "loc" in row and piece.location != row["loc"]:
        yield f"is at {row['loc']!r}, not {piece.location!r}"
    if "name" in row and piece.name != row["name"] and piece.facts.knows_name():
        yield f"is called {row['name']!r}, not {piece.name!r}"


def table_differences(table: Table, rows: list[Row], keys: list[str]) -> Iterator[str]:
    pieces = [row for row in rows if "kind" not in row]
    for row in pieces:
        piece = table.pieces.get(row["id"])
        for difference in piece_differences(piece, row):
            yield f"{row['id']} {difference}"
        if piece is None:
            continue
        if piece.holder != row.get("in", ""):
            yield f"{row['id']} is in {row.get('in')}, not {piece.holder}"
        for difference in seen_props(piece, keys, row.get("props", {})):
            yield f"{row['id']} {difference}"
    for extra in set(table.pieces) - {row["id"] for row in pieces}:
        yield f"{extra} should not be there"
    yield from _holder_differences(table, [row for row in rows if "kind" in row])


def _holder_differences(table: Table, rows: list[Row]) -> Iterator[str]:
    holders = {**table.stacks, **table.decks}
    for row in rows:
        holder = holders.pop(row["id"], None)
        if holder is None:
            yield f"{row['id']} is missing"
            continue
        told = (holder.spot.map, holder.spot.x, holder.spot.y, list(holder.members))
        if told != (row["map"], row["x"], row["y"], row["members"]):
            yield f"{row['id']} is {row}, not {told}"
        if row["kind"] == "deck":
            deck = table.decks[row["id"]]
            if (deck.name, deck.face_down) != (row["deck"], row["faceDown"]):
                yield f"{row['id']} is called {row['deck']!r}, face down {row['faceDown']}"
    for extra in holders:
        yield f"{extra} should not be there"


@pytest.mark.parametrize("name", drawn(FILES, len(FILES) // 4))
def test_the_opening_is_the_engines(corpus: Path, name: str) -> None:
    header, *rows = golden_rows(golden(corpus, name, "state"))
    module = module_of(corpus, name, header)
    replay = LogReplay(read_save(corpus / name), module)
    table = replay.table()
    keys = list(header.get("props", STANDARD))
    found = list(table_differences(table, rows, keys))
    assert len(table.pieces) == header["pieces"]
    assert [(p.name, p.side or "<observer>") for p in table.players] == [
        (p["name"], p["side"] or "<observer>") for p in header["players"]
    ]
    assert found == [], "\n".join(found[:20])


def engine_globals(row: Mapping[str, str]) -> dict[tuple[str, str], str]:
    """Keys ``map:…/name``, ``zone:…/name`` or the bare name of a module's property."""
    found = {}
    for key, value in row.items():
        container, slash, name = key.rpartition("/")
        if slash and container.startswith("map:"):
            place = container.removeprefix("map:").replace("/zone:", ":")
            found[(place, name)] = value
        else:
            found[("Module", key)] = value
    return found


def step_differences(step: Step, row: Row) -> Iterator[str]:
    chat = [line.text for line in step.chat]
    if chat != row["chat"]:
        yield f"said {row['chat']}, not {chat}"
    after = {change.id: change.after for change in step.changes if change.after is not None}
    moved = {d.piece for d in step.displacements if d.target is not None}
    told = {changed["id"]: changed for changed in row.get("changed", ())}
    for id_text in moved - set(told):
        yield f"{id_text} was not moved"
    for id_text, changed in told.items():
        if id_text not in after:
            continue  # a state that follows something else, a global property for one
        for difference in piece_differences(after[id_text], changed):
            yield f"{id_text} {difference}"
        told_props = changed.get("props", {})
        keys = sorted(
            told_props.keys() - {"BasicName"}
        )  # listed or not by the name, which is compared
        for difference in seen_props(after[id_text], keys, told_props):
            yield f"{id_text} {difference}"


def stack_differences(step: Step, row: Row) -> Iterator[str]:
    after = [c.after for c in step.stacks if c.after is not None]
    ours = sorted((s.spot.map or "", s.spot.x, s.spot.y, s.members) for s in after)
    engines = sorted(
        (s["map"] or "", s["x"], s["y"], tuple(s["members"])) for s in row.get("stacks", ())
    )
    if ours != engines:
        yield f"stacks are {engines}, not {ours}"


def gone(step: Step) -> set[str]:
    pieces = {change.id for change in step.changes if change.after is None}
    stacks = {change.id for change in step.stacks if change.after is None}
    return pieces | stacks


@pytest.mark.parametrize("name", drawn(LOGS, len(LOGS) // 4))
def test_every_step_is_the_engines(corpus: Path, name: str) -> None:
    header, *rows = golden_rows(golden(corpus, name, "replay"))
    module = module_of(corpus, name, header)
    history = replay_log(read_save(corpus / name), module)
    steps = [step for step in history.steps if step.engine_number is not None]
    assert [step.engine_number for step in steps] == [row["step"] for row in rows]
    found: list[str] = []
    for step, row in zip(steps, rows, strict=True):
        differences = [*step_differences(step, row), *stack_differences(step, row)]
        pieces_gone = {change.id for change in step.changes if change.after is None}
        removed = set(row.get("removed", ()))
        if not (pieces_gone <= removed <= gone(step) | removed - set(history.opening.pieces)):
            differences.append(f"{removed} went, not {gone(step)}")
        found += [f"step {row['step']}: {text}" for text in differences]
    assert found == [], "\n".join(found[:20])
    _check_end(history, module, *_state(corpus, name), rows)


def _state(corpus: Path, name: str) -> tuple[Row, list[Row]]:
    header, *rows = golden_rows(golden(corpus, name, "state"))
    return header, rows


def _check_end(
    history: LogHistory, module: Module, header: Row, opening: list[Row], rows: list[Row]
) -> None:
    """Folding the engine's answers over its opening gives the table ours ends with."""
    places = {r["id"]: (r["map"], r["x"], r["y"]) for r in opening if "kind" not in r}
    globals_now = dict(header["globals"])
    turns = {turn["name"]: turn["state"] for turn in header["turns"]}
    for row in rows:
        places.update((r["id"], (r["map"], r["x"], r["y"])) for r in row.get("changed", ()))
        for id_text in row.get("removed", ()):
            places.pop(id_text, None)
        globals_now.update(row.get("globals", {}))
        turns.update((turn["name"], turn["state"]) for turn in row.get("turns", ()))
    end = history.end
    assert {p.id: (p.spot.map, p.spot.x, p.spot.y) for p in end.pieces.values()} == places
    ours = {key: end.globals.get(key) for key in engine_globals(globals_now)}
    assert ours == engine_globals(globals_now)
    for tracker in module.turn_trackers:
        assert end.turns[tracker.name] == (tracker.state(turns[tracker.name]).text or "")
