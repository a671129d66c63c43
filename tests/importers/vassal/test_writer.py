"""Writing saves, logs, modules and extensions."""

from __future__ import annotations

import zipfile
from pathlib import Path

import pytest
from vassal_umpire.importers.vassal import atomic
from vassal_umpire.importers.vassal.archive import open_archive
from vassal_umpire.importers.vassal.atomic import write_whole
from vassal_umpire.importers.vassal.commands import Chat, Player
from vassal_umpire.importers.vassal.metadata import Metadata
from vassal_umpire.importers.vassal.savefile import read_save
from vassal_umpire.importers.vassal.writer import (
    game_text,
    rewrite_save,
    write_extension,
    write_module,
    write_save,
    zip_bytes,
)
from vassal_umpire.model.problem import UmpireError

META = Metadata("Battle", "1.0", "3.7.0")
TEXT = game_text([Player("x", "Rita", "Red")], [[Chat("one"), Chat("two")], [Chat("three")]])


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
    write_extension(
        tmp_path / "a.vmdx",
        b"<VASSAL.build.module.ModuleExtension/>",
        Metadata(version="0.1", vassal_version="3.7.0"),
        raw,
    )
    with open_archive(tmp_path / "a.vmdx") as extension:
        assert extension.kind == "extension"
        assert extension.metadata("moduledata") == META
        assert b"<universal>false</universal>" in extension.read("extensiondata")


def test_a_log_with_another_text_keeps_its_metadata(tmp_path: Path, data: Path) -> None:
    source = data / "drill-1-red.vlog"
    rewrite_save(tmp_path / "noted.vlog", source, TEXT)
    noted, original = read_save(tmp_path / "noted.vlog"), read_save(source)
    assert noted.text == TEXT
    assert noted.moduledata == original.moduledata
    assert noted.savedata == original.savedata
    with pytest.raises(UmpireError, match="would overwrite an input"):
        rewrite_save(tmp_path / "noted.vlog", tmp_path / "noted.vlog", TEXT)


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


def test_any_zip_tool_reads_it(tmp_path: Path) -> None:
    write_save(tmp_path / "a.vsav", TEXT, moduledata=META)
    with zipfile.ZipFile(tmp_path / "a.vsav") as archive:
        assert archive.testzip() is None
        assert archive.namelist() == ["savedGame", "moduledata"]
