"""The gate by itself: what it lets through is written whole or not at all."""

from __future__ import annotations

import os
import struct
import subprocess
import sys
import unicodedata
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from vassal_umpire.importers.vassal import atomic
from vassal_umpire.importers.vassal.limits import DEFAULT_LIMITS
from vassal_umpire.model.problem import UmpireError
from vassal_umpire.plugin.options import limits_from
from vassal_umpire.plugin.output import WouldOverwrite, output_to, replace_own
from vassal_umpire.plugin.printable import markdown, printable, readable_chat
from vassal_umpire.plugin.seal import BLANK, is_sealed, seal_file, sealed

from . import kit
from .kit import TURN_1
from .outputs import POSIX


def test_a_file_is_written_or_told_and_sealed_where_it_has_a_blank(tmp_path: Path) -> None:
    output = tmp_path / "out.json"
    output_to(output, []).write(b"a\n")
    assert output.read_bytes() == b"a\n"
    assert list(tmp_path.iterdir()) == [output]
    folder = tmp_path / "gone"
    folder.mkdir()
    output = output_to(folder / "report.txt", [])
    folder.rmdir()
    with pytest.raises(UmpireError) as caught:
        output.write(b"x")
    assert str(caught.value).startswith(f"{folder / 'report.txt'}: cannot be written: ")
    assert sealed(b"a report of another program") == b"a report of another program"


@pytest.mark.parametrize("error", [KeyboardInterrupt, ValueError])
@pytest.mark.parametrize("old", [True, False])
def test_interrupted_nothing_is_left_and_the_old_file_stays(
    tmp_path: Path, error: type[BaseException], old: bool
) -> None:
    output = tmp_path / "out.json"
    if old:
        output.write_text("old")
    before = list(tmp_path.iterdir())

    def write() -> None:
        with output_to(output, [], force=True).part() as part:
            part.write_text("half")
            raise error

    with pytest.raises(error):
        write()
    assert list(tmp_path.iterdir()) == before
    assert not old or output.read_text() == "old"


@POSIX
def test_without_hard_links_files_are_made(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def no_link(*_: object) -> None:
        raise PermissionError

    monkeypatch.setattr(atomic.os, "link", no_link)
    output_to(tmp_path / "a", []).write(b"x")
    assert (tmp_path / "a").read_bytes() == b"x"
    output = output_to(tmp_path / "b", [])
    (tmp_path / "b").write_text("mine")
    with pytest.raises(UmpireError, match="while"):
        output.write(b"x")
    assert {p.name: p.read_text() for p in tmp_path.iterdir()} == {"a": "x", "b": "mine"}


@POSIX
@pytest.mark.skipif(os.name == "posix" and os.geteuid() == 0, reason="root may write anywhere")
def test_a_folder_that_takes_nothing_is_told_before_the_work(tmp_path: Path) -> None:
    tmp_path.chmod(0o555)
    try:
        with pytest.raises(UmpireError, match="nothing may be put into its folder"):
            output_to(tmp_path / "a", [])
    finally:
        tmp_path.chmod(0o755)


@pytest.mark.ci
@POSIX
def test_a_closed_standard_output_is_no_fault_of_ours(tmp_path: Path) -> None:
    """Nor is the folder in which the command is run, in which nothing is left."""
    command = [sys.executable, "-m", "vassal_umpire", "audit", TURN_1]
    closed = subprocess.run(
        command, check=False, capture_output=True, cwd=tmp_path, preexec_fn=lambda: os.close(1)
    )
    assert (closed.returncode, closed.stderr) == (1, b"")  # what was found, all the same
    assert list(tmp_path.iterdir()) == []


@contextmanager
def _file(folder: Path, data: bytes) -> Iterator[Path]:
    path = folder / "sealed"
    path.write_bytes(data)
    yield path
    path.unlink()


_SOME = st.lists(
    st.one_of(st.binary(max_size=60), st.sampled_from([BLANK.encode(), BLANK.encode()[:-1]]))
).map(b"".join)


@pytest.mark.ci
@given(before=_SOME, after=st.binary(max_size=60), data=st.data())
def test_a_sealed_file_is_known_until_a_byte_changes(
    tmp_path_factory: pytest.TempPathFactory, before: bytes, after: bytes, data: st.DataObject
) -> None:
    folder = tmp_path_factory.getbasetemp()
    whole = sealed(before + BLANK.encode() + after)
    with _file(folder, whole) as path:
        assert is_sealed(path)
    with _file(folder, before + after) as path:
        assert not is_sealed(path)
    at = data.draw(st.integers(0, len(whole) - 1))
    changed = whole[:at] + bytes([whole[at] ^ 1]) + whole[at + 1 :]
    with _file(folder, changed) as path:
        assert not is_sealed(path) or BLANK.encode() in before


@pytest.mark.parametrize("distance", [0, 1, 50, 1024 * 1024 - 20, 1024 * 1024, 3 * 1024 * 1024])
def test_a_long_file_is_sealed_in_place(tmp_path: Path, distance: int) -> None:
    """Wherever the blank lies between the parts that are read at a time."""
    data = b"x" * distance + BLANK.encode() + b"y" * 2_000_000
    with _file(tmp_path, data) as path:
        seal_file(path)
        assert is_sealed(path)
        assert path.read_bytes() == sealed(data)


# -- no text from a file can make a terminal show another text --------------------------------------


@given(st.text(st.characters(codec=None, exclude_categories=())))
def test_nothing_that_controls_a_terminal_is_left(text: str) -> None:
    for char in printable(text):
        assert unicodedata.category(char) not in ("Cc", "Cf", "Cs", "Zl", "Zp") or char in "\u0600"


@given(st.text("abc äöü 漢字 →½<>&*_", max_size=50))
def test_ordinary_text_is_left_alone(text: str) -> None:
    assert printable(text) == text


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("\x07", "\\x07"),
        ("\x1b[31m", "\\x1b[31m"),
        ("a\u202eb", "a\\u202eb"),
        ("\ufeffx", "\\ufeffx"),
        ("two\nlines\t.", "two\\nlines\\t."),
        ("\udc80", "\\udc80"),
    ],
)
def test_unsafe_characters_are_spelt_out(text: str, shown: str) -> None:
    assert printable(text) == shown


def test_long_texts_chat_and_markdown_are_shown_as_they_are_meant() -> None:
    assert printable("x" * 1000, 10) == "xxxxxxxxxx … (990 more characters)"
    assert readable_chat("&lt;Ann&gt; - 2 &amp; 3") == "<Ann> - 2 & 3"
    assert markdown("<b>*x*</b> [a](b)") == r"\<b\>\*x\*\</b\> \[a\](b)"


# -- boards with more hexes than are read of a file that nobody has said he trusts ------------------


def _chunk(kind: bytes, data: bytes) -> bytes:
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))


def _picture(width: int, height: int) -> bytes:
    """A PNG that says how big it is, and ends."""
    head = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    return b"\x89PNG\r\n\x1a\n" + _chunk(b"IHDR", head) + _chunk(b"IEND", b"")


@pytest.mark.ci
def test_a_board_too_large_is_told_with_the_flag_to_raise(game: Path) -> None:
    module = game / "crossroads.vmod"
    kit.zip_with(module, module, {"images/map.png": _picture(30_000, 30_000)})
    result = kit.refused("audit", "turn-1.vlog", "--pack", "pack", "-o", "x.html")
    assert len(result.splitlines()) == 1
    assert "map Main Map: there are more than 250,000 named places" in result
    assert "(--max-values)" in result
    assert not (game / "x.html").exists()
    assert limits_from(values=1_000_000).places == 1_000_000
    assert limits_from(values=10).places == DEFAULT_LIMITS.places


def test_a_write_protected_file_of_ones_own_stays_as_it_is(tmp_path: Path) -> None:
    own = tmp_path / "facts.toml"
    own.write_bytes(b"old")
    own.chmod(0o444)
    with pytest.raises(WouldOverwrite, match="is write-protected"):
        replace_own(own, b"old", b"new")
    assert own.read_bytes() == b"old"
