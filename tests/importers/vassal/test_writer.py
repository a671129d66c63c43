"""Writing saves, logs, modules and extensions; what was read is written back from its fields."""

from __future__ import annotations

import gzip
from collections.abc import Iterator
from pathlib import Path

import pytest
from tiers import drawn
from vassal_umpire.importers.vassal import atomic
from vassal_umpire.importers.vassal.archive import open_archive
from vassal_umpire.importers.vassal.atomic import write_whole
from vassal_umpire.importers.vassal.commands import (
    AddPiece,
    ChangePiece,
    Chat,
    Player,
    Unknown,
    decode_command,
    encode_command,
    encode_stream,
)
from vassal_umpire.importers.vassal.metadata import Metadata
from vassal_umpire.importers.vassal.obfuscation import encode
from vassal_umpire.importers.vassal.pieces import (
    decode_piece,
    encode_piece,
    encode_state,
)
from vassal_umpire.importers.vassal.savefile import SaveFile, read_save
from vassal_umpire.importers.vassal.traits.catalogue import UnknownTrait
from vassal_umpire.importers.vassal.writer import (
    extension_bytes,
    write_module,
    write_save,
    zip_bytes,
)
from vassal_umpire.importers.vassal.xml import parse_xml
from vassal_umpire.model.problem import UmpireError

META = Metadata("Battle", "1.0", "3.7.0")
TEXT = encode_stream([Player("x", "Rita", "Red")], [[Chat("one"), Chat("two")], [Chat("three")]])


@pytest.mark.parametrize(("encoding", "key"), [("vcsk", 7), ("vobs", 9), ("xz", 0), ("plain", 0)])
def test_a_log_is_read_as_written(tmp_path: Path, encoding, key) -> None:
    path = tmp_path / "a.vlog"
    write_save(
        path,
        TEXT,
        moduledata=META,
        savedata=Metadata(version="1.0", vassal_version="3.7"),
        encoding=encoding,
        key=key,
    )
    save = read_save(path)
    assert (save.text, save.encoding, save.key) == (TEXT, encoding, key)
    assert save.moduledata == META
    assert save.vassal_version == "3.7"
    assert [list(step.commands()) for step in save.steps] == [
        [Chat("one"), Chat("two")],
        [Chat("three")],
    ]
    assert save.problems == ()
    assert [p.name for p in tmp_path.iterdir()] == ["a.vlog"]


def test_the_same_bytes_every_time(tmp_path: Path) -> None:
    for name in ("a.vlog", "b.vlog"):
        write_save(tmp_path / name, TEXT, moduledata=META)
    assert (tmp_path / "a.vlog").read_bytes() == (tmp_path / "b.vlog").read_bytes()


def test_modules_and_extensions(tmp_path: Path) -> None:
    build = b'<VASSAL.build.GameModule name="Battle"/>'
    write_module(tmp_path / "a.vmod", build, META, {"images/map.png": b"png"})
    with open_archive(tmp_path / "a.vmod") as module:
        assert module.kind == "module"
        assert module.build_file() == ("buildFile.xml", build)
        assert module.names == ("buildFile.xml", "moduledata", "images/map.png")
        assert module.metadata("moduledata") == META
        raw = module.read("moduledata")
    data = Metadata(version="0.1", vassal_version="3.7.0")
    written = extension_bytes(b"<VASSAL.build.module.ModuleExtension/>", data, raw)
    with open_archive(written) as extension:
        assert extension.kind == "extension"
        assert extension.metadata("moduledata") == META
        assert b"<universal>false</universal>" in extension.read("extensiondata")


@pytest.mark.parametrize("name", ["../a", "/a", "a\\b", "a/../../b", ""])
def test_entries_stay_in_the_folder(name: str) -> None:
    with pytest.raises(ValueError, match="not a name for an entry"):
        zip_bytes({name: b""})


def test_an_input_is_never_overwritten(tmp_path: Path) -> None:
    path = tmp_path / "in.vlog"
    path.write_bytes(b"evidence")
    link = tmp_path / "link.vlog"
    link.hardlink_to(path)
    for target in (path, link, tmp_path / "." / "in.vlog"):
        with pytest.raises(UmpireError, match="would overwrite an input"):
            write_whole(target, b"x", inputs=[path])
    assert path.read_bytes() == b"evidence"


@pytest.mark.parametrize("error", [KeyboardInterrupt, OSError(28, "No space left on device")])
def test_what_stops_the_writing_leaves_nothing(tmp_path: Path, monkeypatch, error) -> None:
    path = tmp_path / "out.vlog"
    path.write_bytes(b"before")

    def stop(*_: object) -> None:
        raise error

    monkeypatch.setattr(atomic.os, "fsync", stop)
    with pytest.raises((KeyboardInterrupt, UmpireError)):
        write_whole(path, b"after")
    assert path.read_bytes() == b"before"
    assert [p.name for p in tmp_path.iterdir()] == ["out.vlog"]


def test_a_folder_that_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(UmpireError, match="cannot be written: No such file"):
        write_whole(tmp_path / "gone" / "a.vlog", b"x")


# -- Every command and piece of every real file is written back from its fields alone --------------

ENDINGS = {".vsav", ".vlog", ".sav", ".log"}
FOLDERS = (
    "armada", "bloodbowl", "ccn", "drevil", "engine-written", "ftp", "hexncounters", "kassala",
    "nevsky", "synthetic", "tld", "trc-a3r", "vasl", "vassal-tour", "zxvt",
)  # fmt: skip

# The pieces whose fields do not give the same text again, over the whole corpus: armada/test.vlog, of another
# program's making, has an empty state too many in three cards.
CHANGED = {"armada": 3}
# Commands and traits of the modules' own Java classes.
UNKNOWN_COMMANDS = {"bloodbowl": 3, "vasl": 80}
UNKNOWN_TRAITS = {"vasl"}


def saves(folder: Path) -> list[Path]:
    return sorted(path for path in folder.rglob("*") if path.suffix in ENDINGS)


def test_the_folders_are_all_there_are(corpus: Path) -> None:
    found = {path.relative_to(corpus).parts[0] for path in saves(corpus)}
    assert found == {*FOLDERS, "damaged"}


def whole_text(save: SaveFile, path: Path) -> None:
    """The text wraps again to the same bytes."""
    with open_archive(path) as archive:
        stored = archive.read_saved_game()
    again = encode(save.text, save.encoding, save.key, capitals=save.capitals)
    if save.encoding != "xz":  # its bytes depend on the library that packed it
        assert again == stored


def pieces_of(command: object, types: dict[str | None, str]) -> Iterator[tuple[str, str]]:
    if isinstance(command, AddPiece):
        types[command.id] = command.type
        yield command.type, command.state
    elif isinstance(command, ChangePiece) and command.id in types:
        for state in (command.state, command.old_state):
            if state is not None:
                yield types[command.id], state


Known = dict[tuple[str, str], bool]
"""What :func:`same_piece` said of a type and a state: the logs of a game begin with the same pieces."""


def same_piece(own_type: str, state: str, sound_types: set[str], known: Known) -> bool:
    """Whether encoding gives again what was decoded. Each is checked once."""
    if (own_type, state) not in known:
        piece = decode_piece(own_type, state)
        if own_type not in sound_types and encode_piece(piece)[0] == own_type:
            sound_types.add(own_type)
        known[own_type, state] = own_type in sound_types and encode_state(piece) == state
    return known[own_type, state]


def test_a_log_of_our_own_is_written_back(data: Path) -> None:
    assert written_back([data / "drill-1-red.vlog"]) == (0, 0, False)


@pytest.mark.parametrize("folder", drawn(FOLDERS, len(FOLDERS) // 2))
def test_saves_and_logs(folder: str, corpus: Path) -> None:
    expected = CHANGED.get(folder, 0), UNKNOWN_COMMANDS.get(folder, 0), folder in UNKNOWN_TRAITS
    assert written_back(saves(corpus / folder)) == expected


def written_back(paths: list[Path]) -> tuple[int, int, bool]:
    """How many pieces change as their fields are written, how many commands are unknown, and whether traits
    are. The text of every command and file is the same again."""
    changed = unknown = 0
    traits = False
    sound_types: set[str] = set()
    known: Known = {}
    decoded: dict[str, object] = {}
    for path in paths:
        save = read_save(path)
        whole_text(save, path)
        types: dict[str | None, str] = {}
        for text in (*save.opening, *(leaf for step in save.steps for leaf in step.leaves)):
            command = decoded.get(text)
            if command is None:
                command = decoded[text] = decode_command(text)
                assert encode_command(command) == text
            unknown += isinstance(command, Unknown)
            for own_type, state in pieces_of(command, types):
                fresh = own_type not in sound_types
                changed += not same_piece(own_type, state, sound_types, known)
                held = decode_piece(own_type, state).traits if fresh else ()
                traits |= any(isinstance(trait, UnknownTrait) for trait in held)
    assert known
    return changed, unknown, traits


def test_slots_and_prototypes_of_modules(corpus: Path) -> None:
    """Definitions in build files: white space at their ends is lost in the XML, nothing else."""
    modules = [p for p in corpus.rglob("*") if p.suffix in {".vmod", ".mod", ".vmdx"}]
    pieces = 0
    for path in modules:
        if "damaged" in path.parts:
            continue
        with open_archive(path) as archive:
            if not {"buildFile.xml", "buildFile"} & set(archive.names):
                continue  # small/test.vmod is nothing but metadata
            root = parse_xml(archive.build_file()[1], path.name)
        for element in root.iter():
            text = (element.text or "").strip()
            if text.startswith("+/"):
                command = decode_command(text)
                assert encode_command(command) == text
                assert isinstance(command, AddPiece)
                texts = command.type, command.state
                assert encode_piece(decode_piece(*texts)) == texts
                pieces += 1
    assert pieces > 5000


# Golden answers and logs: the step numbers are the engine's.
@pytest.mark.parametrize(
    "folder",
    ["bloodbowl", "ccn", "tld/game", "vassal-tour", "zxvt", "zxvt/older", "engine-written"],
)
def test_steps_are_counted_as_the_engine_counts(folder: str, corpus: Path) -> None:
    compared = 0
    for path in saves(corpus / folder):
        beside = path.with_name(path.name + ".replay.jsonl.gz")
        golden = corpus / "golden" / path.relative_to(corpus)
        answer = next((g for g in (beside, golden.with_name(beside.name)) if g.is_file()), None)
        if answer is None:
            continue
        with gzip.open(answer) as rows:
            steps = sum(1 for _ in rows) - 1
        last = [step.engine_number for step in read_save(path).steps if step.engine_number]
        assert (last[-1] if last else 0) == steps, path.name
        compared += 1
    assert compared
