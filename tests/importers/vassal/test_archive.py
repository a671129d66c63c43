"""Archives: told apart by content, read within limits, never unpacked by name."""

from __future__ import annotations

import hashlib
import io
import warnings
import zipfile
from pathlib import Path

import pytest
from vassal_umpire.importers.vassal.archive import open_archive
from vassal_umpire.importers.vassal.limits import MIB, Limits
from vassal_umpire.model.problem import Unreadable

MODULE = b'<?xml version="1.0"?><VASSAL.build.GameModule name="T"/>'
EXTENSION = b"<VASSAL.build.module.ModuleExtension/>"


def zipped(*entries: tuple[str, bytes]) -> bytes:
    out = io.BytesIO()
    with warnings.catch_warnings(), zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        warnings.simplefilter("ignore")  # two entries of one name
        for name, data in entries:
            # of no particular time: tests are named by these bytes, in every worker alike
            archive.writestr(zipfile.ZipInfo(name), data, zipfile.ZIP_DEFLATED)
    return out.getvalue()


@pytest.mark.parametrize(
    ("data", "kind"),
    [
        (zipped(("buildFile.xml", MODULE)), "module"),
        (zipped(("buildFile", MODULE), ("moduledata", b"<data/>")), "module"),
        (zipped(("buildFile", EXTENSION)), "extension"),
        (zipped(("buildFile.xml", EXTENSION), ("extensiondata", b"<data/>")), "extension"),
        (zipped(("savedGame", b"!VCSK00"), ("moduledata", b"<data/>")), "saved-game"),
        (zipped(("readme.txt", b"hello")), "unknown"),
        (zipped(("moduledata", b"<data/>")), "unknown"),
        (b"!VCSK0000", "saved-game"),
        (b"VOBS\x01", "saved-game"),
        (b"begin_save\x1bend_save", "saved-game"),
    ],
)
def test_kind_is_told_by_content(data: bytes, kind: str) -> None:
    with open_archive(data) as archive:
        assert archive.kind == kind


def test_the_extension_of_the_name_is_only_a_hint(tmp_path: Path) -> None:
    path = tmp_path / "save.vmod"
    path.write_bytes(zipped(("savedGame", b"begin_save")))
    with open_archive(path) as archive:
        assert archive.kind == "saved-game"
        assert archive.where == "save.vmod"
        assert archive.sha256 == hashlib.sha256(path.read_bytes()).hexdigest()


@pytest.mark.parametrize(
    ("data", "says"),
    [
        (b"", "the file is empty"),
        (b"Dear Sir,", "neither a zip archive nor a saved text"),
        (zipped(("savedGame", b"x" * 1000))[:60], "not a complete zip file"),
    ],
)
def test_what_is_none_of_it(data: bytes, says: str) -> None:
    with pytest.raises(Unreadable, match=says):
        open_archive(data)


def test_a_file_that_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(Unreadable, match=r"gone\.vlog: cannot be opened: No such file"):
        open_archive(tmp_path / "gone.vlog")
    with pytest.raises(Unreadable, match="cannot be opened"):
        open_archive(tmp_path)


def test_the_first_of_two_entries_counts() -> None:
    with open_archive(zipped(("savedGame", b"one"), ("savedGame", b"two"))) as archive:
        assert archive.read("savedGame") == b"one"
        assert [problem.code for problem in archive.problems] == ["duplicate-entry"]


@pytest.mark.parametrize(
    "name", ["../evil", "/abs", "images/../../evil", "C:\\evil", "..\\evil", "a/.."]
)
def test_names_that_leave_the_folder_are_reported(name: str) -> None:
    with open_archive(zipped(("savedGame", b"x"), (name, b"x"))) as archive:
        assert [problem.code for problem in archive.problems] == ["entry-leaves-folder"]


def test_limits() -> None:
    bomb = zipped(("savedGame", b"A" * (3 * MIB)), ("other", b"A" * (3 * MIB)))
    with (
        open_archive(bomb, Limits(entry_size=MIB)) as archive,
        pytest.raises(Unreadable, match="past the limit"),
    ):
        archive.read("savedGame")
    with (
        open_archive(bomb, Limits(ratio_from=MIB, ratio=50)) as archive,
        pytest.raises(Unreadable, match="ratio above 50:1"),
    ):
        archive.read("savedGame")
    with open_archive(bomb, Limits(total_size=4 * MIB)) as archive:
        archive.read("savedGame")
        with pytest.raises(Unreadable, match="past the limit"):
            archive.read("other")
    with pytest.raises(Unreadable, match="has 2 entries, the limit is 1"):
        open_archive(bomb, Limits(entries=1))
    with open_archive(bomb) as archive:
        assert len(archive.read("savedGame")) == 3 * MIB


def test_a_lying_size_and_a_flipped_byte() -> None:
    data = bytearray(zipped(("savedGame", bytes(range(256)) * 40)))
    data[60] ^= 0xFF
    with open_archive(bytes(data)) as archive, pytest.raises(Unreadable, match="damaged"):
        archive.read("savedGame")


def test_an_encrypted_entry() -> None:
    data = bytearray(zipped(("savedGame", b"x" * 50)))
    at = data.find(b"PK\x01\x02")
    data[at + 8] |= 1
    data[6] |= 1
    with (
        open_archive(bytes(data)) as archive,
        pytest.raises(Unreadable, match="the entry is encrypted"),
    ):
        archive.read("savedGame")


def test_the_build_file_follows_the_version() -> None:
    new = b"<data><VassalVersion>3.7.1</VassalVersion></data>"
    old = b"<data><VassalVersion>3.4.9</VassalVersion></data>"
    both = (("buildFile", b"<old/>"), ("buildFile.xml", b"<new/>"))
    with open_archive(zipped(*both, ("moduledata", new))) as archive:
        assert archive.build_file() == ("buildFile.xml", b"<new/>")
    with open_archive(zipped(*both, ("moduledata", old))) as archive:
        assert archive.build_file() == ("buildFile", b"<old/>")
        assert archive.problems == []
    with open_archive(zipped(both[0], ("moduledata", new))) as archive:
        assert archive.build_file() == ("buildFile", b"<old/>")
        assert [problem.code for problem in archive.problems] == ["build-file-name"]
    with (
        open_archive(zipped(("moduledata", new))) as archive,
        pytest.raises(Unreadable, match="this is no module"),
    ):
        archive.build_file()


def test_bad_metadata_is_a_problem_only() -> None:
    with open_archive(zipped(("savedGame", b"x"), ("moduledata", b"<data><ver"))) as archive:
        assert archive.metadata("moduledata") is None
        assert archive.metadata("moduledata") is None
        assert [problem.code for problem in archive.problems] == ["metadata-unreadable"]
        assert archive.metadata("savedata") is None


def test_packings_the_engine_does_not_read() -> None:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_LZMA) as archive:
        archive.writestr("savedGame", b"begin_save")
    with (
        open_archive(out.getvalue()) as archive,
        pytest.raises(Unreadable, match="packed in a way VASSAL never uses"),
    ):
        archive.read("savedGame")


def test_many_entries_of_one_name_are_one_problem() -> None:
    with open_archive(zipped(*[("savedGame", b"x")] * 3000, *[("b", b"x")] * 2)) as archive:
        (problem,) = archive.problems
        assert "'savedGame' and 2,999 others" in problem.message
