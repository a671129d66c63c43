"""Lets VASSAL itself judge the samples and the files that this project writes.

    python tests/engine/check.py                          the samples, and files written for the purpose
    python tests/engine/check.py MODULE.vmod FILE...      any module with its saves and logs

Needs a JDK, Xvfb, Debian's Java libraries and VASSAL's ``Vengine.jar`` (CONTRIBUTING.md says how to
get them). The engine loads each file as an observer and steps through it (``Observe.java``); the check
compares its table with ours at the opening and after every step, then reads what the engine saved of
it: the last position, and the log written again. Anything the engine complains of is a difference.

Exit code 0: no difference; 1: differences; 2: the engine could not be run.
"""

from __future__ import annotations

import argparse
import shutil
import sys
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from engine import CannotRun, Engine, Observed, Row, display, find_engine
from vassal_umpire.importers.vassal.archive import open_archive
from vassal_umpire.importers.vassal.buildfile import open_module
from vassal_umpire.importers.vassal.commands import (
    AddPiece,
    BeginSave,
    EndSave,
    decode_command,
    encode_command,
    encode_stream,
)
from vassal_umpire.importers.vassal.metadata import Metadata
from vassal_umpire.importers.vassal.newgame import initial_placements
from vassal_umpire.importers.vassal.prototypes import take_apart
from vassal_umpire.importers.vassal.replay import LogReplay
from vassal_umpire.importers.vassal.savefile import SaveFile, read_save
from vassal_umpire.importers.vassal.sequence import split
from vassal_umpire.importers.vassal.writer import (
    extension_bytes,
    write_module,
    write_save,
)
from vassal_umpire.model.table import Piece, Table

PROJECT = Path(__file__).resolve().parent.parent.parent
DRILL = PROJECT / "tests" / "importers" / "vassal" / "data"
SAMPLES = PROJECT / "samples"

STANDARD = (
    "BasicName", "CurrentBoard", "CurrentZone", "Moved", "Invisible", "Obscured",
    "ObscuredToOthers", "DeckName",
)  # fmt: skip
DECKS_ASTRAY = "3.6.0-SNAPSHOT"
"""Engines (of late 2021, on the way to 3.6.0) that replay no shuffle, and forget the map's edge in looking
for the name of a deck: their order of a deck and the place of its cards prove nothing."""
KEEPS_NO_IDS = "3.6."
"""An engine of this kind gives counters that a log adds no UniqueID; later ones do."""


# --- the engine's table and ours


def plain(value: object) -> str:
    """A property as text; without value it is the same as empty."""
    if isinstance(value, bool):
        return "true" if value else "false"
    return "" if value is None else str(value)


def piece_differences(
    piece: Piece, row: Row, props: Sequence[str], *, placed: bool
) -> Iterator[str]:
    """``placed``: does the engine know the name of its place?"""
    told = (row["map"], row["x"], row["y"])
    if (piece.spot.map, piece.spot.x, piece.spot.y) != told:
        yield f"lies at {told}, not {piece.spot}"
    known = piece.facts.knows("LocationName")
    if placed and known and row["map"] is not None and piece.location != row["loc"]:
        yield f"is at {row['loc']!r}, not {piece.location!r}"
    if piece.facts.knows_name() and piece.name != row["name"]:
        yield f"is called {row['name']!r}, not {piece.name!r}"
    for key in props:
        ours, engines = plain(piece.facts.property(key)), row["props"].get(key, "")
        if piece.facts.knows(key) and ours != engines:
            yield f"{key} is {engines!r}, not {ours!r}"


def table_differences(
    table: Table, rows: dict[str, Row], props: Sequence[str], *, decks: bool
) -> Iterator[str]:
    """Pieces one by one; stacks by place and members, for the engine names them after the clock.

    ``decks``: can the engine be trusted with decks?
    """
    pieces = {id_text: row for id_text, row in rows.items() if "members" not in row}
    for id_text in sorted({*pieces, *table.pieces}):
        if id_text not in table.pieces or id_text not in pieces:
            yield f"{id_text} is {'not ' * (id_text not in pieces)}on the engine's table"
            continue
        piece = table.pieces[id_text]
        placed = decks or piece.holder not in table.decks
        for difference in piece_differences(piece, pieces[id_text], props, placed=placed):
            yield f"{id_text} {difference}"
    in_order = list if decks else sorted
    engines = sorted(
        (row["map"] or "", row["x"], row["y"], in_order(row["members"]), row["deck"])
        if "deck" in row
        else (row["map"] or "", row["x"], row["y"], row["members"], "")
        for row in rows.values()
        if "members" in row
    )
    ours = sorted(
        [(s.spot.map or "", s.spot.x, s.spot.y, [*s.members], "") for s in table.stacks.values()]
        + [
            (d.spot.map or "", d.spot.x, d.spot.y, in_order(d.members), d.name)
            for d in table.decks.values()
        ]
    )
    yield from (f"the engine has a stack {s}" for s in engines if s not in ours)
    yield from (f"the engine has no stack {s}" for s in ours if s not in engines)


def same_table(one: Table, other: Table) -> Iterator[str]:
    """Two tables of ours: pieces, what they are called, globals, turn trackers, seats."""
    for id_text in sorted({*one.pieces, *other.pieces}):
        a, b = (t.pieces.get(id_text) for t in (one, other))
        if a is None or b is None or (a.spot, a.name) != (b.spot, b.name):
            yield f"{id_text} was {a and (a.spot, a.name)}, is {b and (b.spot, b.name)}"
    for what in ("globals", "turns"):
        a, b = getattr(one, what), getattr(other, what)
        yield from (f"{what} {k}: was {a.get(k)!r}, is {b[k]!r}" for k in b if b[k] != a.get(k))
    a, b = ([(p.name, p.side) for p in t.players] for t in (one, other))
    if a != b:
        yield f"players were {a}, are {b}"


def props_of(table: Table) -> list[str]:
    """The standard properties, and all that pieces bring along."""
    own = {key for piece in table.pieces.values() for key in piece.properties}
    return [*STANDARD, *sorted(key for key in own - set(STANDARD) if "," not in key)]


# --- checks


def check_files(
    engine: Engine, module_path: Path, *paths: Path | None, extensions: Sequence[str] = ()
) -> Iterator[str]:
    """Saves and logs, each step by step, then what the engine wrote of it. None for a path: a new game, in
    which ``extensions`` have to be. The engine is started once for all."""
    module = open_module(module_path, find_extensions=True)
    saves = [None if path is None else read_save(path) for path in paths]
    replays = [None if save is None else LogReplay(save, module) for save in saves]
    props = sorted({*STANDARD, *(key for r in replays if r for key in props_of(r.table()))})
    every = engine.observe(module_path, paths, props)
    for path, save, replay, observed in zip(paths, saves, replays, every, strict=True):
        if save is None or replay is None:
            found, name = _check_new_game(observed, module, extensions), "a new game"
        else:
            found, name = (
                _check_file(observed, module, save, replay, props),
                str(path and path.name),
            )
        yield from (f"{name}: {difference}" for difference in found)


def _check_file(
    observed: Observed, module: Any, save: SaveFile, replay: LogReplay, props: Sequence[str]
) -> Iterator[str]:
    answers = observed.answers
    yield from observed.complaints
    if observed.complaints and answers[-1:] and answers[-1]["kind"] == "failed":
        return
    if answers[0]["module"] != module.name:
        yield f"the engine calls the module {answers[0]['module']!r}"
    decks = not answers[0]["engine"].startswith(DECKS_ASTRAY)
    if answers[0]["engine"].startswith(KEEPS_NO_IDS):
        props = [key for key in props if key != "UniqueID"]
    seen: dict[str, Row] = {}
    steps = iter(replay.steps())
    for answer in answers:
        if answer["kind"] == "step":
            ours = next((s for s in steps if s.engine_number is not None), None)
            if ours is None or ours.engine_number != answer["step"]:
                yield f"step {answer['step']} is none of ours"
                return
        if "changed" in answer:
            seen.update((row["id"], row) for row in answer["changed"])
            for id_text in answer["removed"]:
                del seen[id_text]
            where = f"step {answer['step']}" if answer["kind"] == "step" else "opening"
            for difference in table_differences(replay.table(), seen, props, decks=decks):
                yield f"{where}: {difference}"
    for left in steps:
        if left.engine_number is not None:
            yield f"step {left.engine_number} is none of the engine's"
    end = replay.table()
    again = LogReplay(read_save(observed.folder / "end.vsav"), module)
    yield from (f"saved by the engine: {d}" for d in same_table(end, again.table()))
    if save.steps:
        yield from _check_again(read_save(observed.folder / "again.vlog"), save, module, end)


def _check_again(again: SaveFile, save: SaveFile, module: Any, end: Table) -> Iterator[str]:
    steps = [sum(s.engine_number is not None for s in log.steps) for log in (save, again)]
    if steps[0] != steps[1]:
        yield f"written again by the engine: {steps[1]} steps, not {steps[0]}"
    replay = LogReplay(again, module)
    for _ in replay.steps():
        pass
    yield from (f"written again by the engine: {d}" for d in same_table(end, replay.table()))


def basic_name(kind: str) -> str:
    """The name in the base of a piece's type."""
    base = take_apart(kind, "")[-1][0]
    return split(base, ";")[4]


def _check_new_game(observed: Observed, module: Any, extensions: Sequence[str]) -> Iterator[str]:
    """Which pieces stand where, stacked how."""
    answers = observed.answers
    yield from observed.complaints
    table = next((row for row in answers if row["kind"] == "table"), None)
    if table is None:
        return
    loaded = [told.rpartition(" ")[0] for told in answers[0]["extensions"]]
    if loaded != [*extensions]:
        yield f"the engine has loaded the extensions {loaded}, not {[*extensions]}"
    pieces = {row["id"]: row for row in table["changed"] if "members" not in row}
    engines = [
        (row["map"], row["x"], row["y"], [pieces[m]["props"]["BasicName"] for m in row["members"]])
        for row in table["changed"]
        if row.get("members")
    ]
    engines += [
        (row["map"], row["x"], row["y"], [row["props"]["BasicName"]])
        for row in pieces.values()
        if row["in"] is None
    ]
    placements = initial_placements(module).placements
    ours = [
        (p.map, p.x, p.y, [basic_name(piece.type) for piece in p.pieces])
        for p in placements
        if p.pieces
    ]
    yield from (f"the engine sets up {s}" for s in engines if s not in ours)
    yield from (f"the engine does not set up {s}" for s in ours if s not in engines)


# --- files written for the purpose


def write_drill(folder: Path) -> tuple[Path, list[Path]]:
    """The drill module and its log, taken apart and written again by the writer."""
    source = DRILL / "drill.vmod"
    with open_archive(source) as archive:
        _, build_file = archive.build_file()
        metadata = archive.metadata("moduledata")
    assert metadata is not None
    module = folder / "drill.vmod"
    write_module(module, build_file, metadata)
    log = read_save(DRILL / "drill-1-red.vlog")
    ends = (BeginSave, EndSave)
    opening = [c for c in map(decode_command, log.opening) if not isinstance(c, ends)]
    steps = [list(step.commands()) for step in log.steps]
    data = {"moduledata": metadata, "savedata": log.savedata}
    write_save(folder / "drill.vlog", encode_stream(opening, steps), key=0x21, **data)
    write_save(folder / "drill.vsav", encode_stream(opening), key=0xFE, **data)
    return module, [folder / "drill.vlog", folder / "drill.vsav"]


EXTENSION = """<?xml version="1.0" encoding="UTF-8"?>
<VASSAL.build.module.ModuleExtension anyModule="false" description="" extensionId="a1b" module="Drill"
  moduleVersion="1.0" nextPieceSlotId="2" vassalVersion="3.6.0" version="0.1">
<VASSAL.build.module.ExtensionElement target="VASSAL.build.module.Map:Main Map">
<VASSAL.build.module.map.SetupStack name="Late" useGridLocation="false" location="" x="352" y="380">
<VASSAL.build.widget.PieceSlot entryName="Late Scout" gpid="a1b:1" height="40" width="40">{piece}\
</VASSAL.build.widget.PieceSlot></VASSAL.build.module.map.SetupStack>
</VASSAL.build.module.ExtensionElement></VASSAL.build.module.ModuleExtension>
"""


def write_late_scout(module: Path) -> str:
    """An extension beside the module that sets up one more piece; its name."""
    folder = module.with_name(f"{module.stem}_ext")
    folder.mkdir()
    with open_archive(module) as archive:
        moduledata = archive.read("moduledata")
    piece = encode_command(AddPiece(None, "piece;;;;Late Scout", "null;0;0;a1b:1;0"))
    data = Metadata(version="0.1", vassal_version="3.6.0", description="One more scout")
    name = "late-scout"
    build_file = EXTENSION.format(piece=piece).encode()
    (folder / f"{name}.vmdx").write_bytes(extension_bytes(build_file, data, moduledata))
    return name


# --- the command


def report(title: str, differences: Iterator[str]) -> int:
    found = list(differences)
    print(f"{'differs' if found else 'agrees '}  {title}", flush=True)
    for difference in found[:40]:
        print(f"    {difference}")
    if found[40:]:
        print(f"    and {len(found) - 40} more")
    return len(found)


def check_own(engine: Engine, folder: Path) -> int:
    """The samples as they lie here, and what the writer makes of the drill."""
    count = 0
    for source in sorted(SAMPLES.glob("*/*.vmod")):
        module = shutil.copy(source, folder / source.name)
        logs = sorted(source.parent.glob("*.vlog"))
        count += report(f"samples/{source.parent.name}", check_files(engine, module, None, *logs))
    drill, files = write_drill(folder)
    count += report("what the writer makes", check_files(engine, drill, None, *files))
    extension = write_late_scout(drill)
    found = check_files(engine, drill, None, extensions=[extension])
    return count + report(f"{extension}.vmdx", found)


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description="Let VASSAL judge what this project writes.")
    parser.add_argument("module", nargs="?", type=Path, help="a module (default: our own files)")
    parser.add_argument("files", nargs="*", type=Path, help="its saves and logs; none: a new game")
    parser.add_argument(
        "--engine", type=Path, help="Vengine.jar, or the wheel that holds it ($UMPIRE_ENGINE)"
    )
    options = parser.parse_args(arguments)
    with tempfile.TemporaryDirectory(prefix="engine-") as made:
        folder = Path(made)
        try:
            jar = find_engine(options.engine and options.engine.resolve(), folder)
            with display() as screen:
                engine = Engine(jar, screen, folder)
                if options.module is None:
                    return min(check_own(engine, folder), 1)
                module = options.module.resolve()
                files = [file.resolve() for file in options.files] or [None]
                return min(report(module.name, check_files(engine, module, *files)), 1)
        except CannotRun as error:
            print(error, file=sys.stderr)
            return 2


if __name__ == "__main__":
    sys.exit(main())
