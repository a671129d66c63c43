"""Archives from strangers: their entries, their XML, the sizes of their images."""

from __future__ import annotations

import hashlib
import io
import struct
import warnings
import zipfile
import zlib
from collections.abc import Callable
from pathlib import Path

import pytest
from PIL import Image
from vassal_files import a_board, a_map
from vassal_umpire.importers.vassal.archive import open_archive
from vassal_umpire.importers.vassal.buildfile import open_module
from vassal_umpire.importers.vassal.images import image_size
from vassal_umpire.importers.vassal.limits import MIB, Limits
from vassal_umpire.importers.vassal.metadata import Metadata, read_metadata, write_metadata
from vassal_umpire.importers.vassal.xml import parse_xml
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


def test_what_is_none_of_it(tmp_path: Path) -> None:
    cut_off = zipped(("savedGame", b"x" * 1000))[:60]
    for source, says in (
        (b"", "the file is empty"),
        (b"Dear Sir,", "neither a zip archive nor a saved text"),
        (cut_off, "not a complete zip file"),
        (tmp_path / "gone.vlog", r"gone\.vlog: cannot be opened: No such file"),
        (tmp_path, "cannot be opened"),
    ):
        with pytest.raises(Unreadable, match=says):
            open_archive(source)


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


def flipped(data: bytes, *bits: tuple[int, int]) -> bytes:
    return bytes(byte ^ dict(bits).get(at, 0) for at, byte in enumerate(data))


def test_entries_that_cannot_be_read() -> None:
    """A flipped byte, an encrypted entry, and a packing that the engine does not read."""
    whole = zipped(("savedGame", bytes(range(256)) * 40))
    lzma = io.BytesIO()
    with zipfile.ZipFile(lzma, "w", zipfile.ZIP_LZMA) as archive:
        archive.writestr("savedGame", b"begin_save")
    for data, says in (
        (flipped(whole, (60, 0xFF)), "damaged"),
        (flipped(whole, (6, 1), (whole.find(b"PK\x01\x02") + 8, 1)), "the entry is encrypted"),
        (lzma.getvalue(), "packed in a way VASSAL never uses"),
    ):
        with open_archive(data) as opened, pytest.raises(Unreadable, match=says):
            opened.read("savedGame")


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
        pytest.raises(Unreadable, match="this is not a module"),
    ):
        archive.build_file()


def test_bad_metadata_is_a_problem_only() -> None:
    with open_archive(zipped(("savedGame", b"x"), ("moduledata", b"<data><ver"))) as archive:
        assert archive.metadata("moduledata") is None
        assert archive.metadata("moduledata") is None
        assert [problem.code for problem in archive.problems] == ["metadata-unreadable"]
        assert archive.metadata("savedata") is None


def test_many_entries_of_one_name_are_one_problem() -> None:
    with open_archive(zipped(*[("savedGame", b"x")] * 3000, *[("b", b"x")] * 2)) as archive:
        (problem,) = archive.problems
        assert "'savedGame' and 2,999 others" in problem.message


# -- XML from strangers ----------------------------------------------------------------------------

ENTITY = '<!DOCTYPE a [<!ENTITY x SYSTEM "file:///etc/hostname">]><a>&x;</a>'


@pytest.mark.parametrize(
    "data",
    [
        ENTITY.encode(),
        b"\xef\xbb\xbf" + ENTITY.encode(),
        ENTITY.encode("utf-16"),
        ENTITY.encode("utf-16-le"),
        b'<?xml version="1.0"?>\n<!-- a --><?pi x?> ' + ENTITY.encode(),
        b'<!DOCTYPE a [<!ENTITY x "ha">]><a y="&x;"/>',
        b"<!doctype a><a/>",
    ],
)
def test_no_document_type_is_ever_read(data: bytes) -> None:
    with pytest.raises(Unreadable, match=r"document type|not well-formed"):
        parse_xml(data, "f")


def test_utf16_is_read() -> None:
    text = '<?xml version="1.0" encoding="UTF-16"?><a>\u00e9</a>'
    assert parse_xml(text.encode("utf-16"), "f").text == "\u00e9"


def test_faults_are_placed() -> None:
    with pytest.raises(Unreadable, match="f: not well-formed XML at line 2, column") as caught:
        parse_xml(b"<a>\n<b></a>", "f")
    assert "\n" not in str(caught.value)
    with pytest.raises(Unreadable, match="f: the XML document is empty"):
        parse_xml(b"  ", "f")


def test_depth_is_bounded() -> None:
    data = b"<a>" * 150 + b"</a>" * 150
    parse_xml(data, "f")
    with pytest.raises(Unreadable, match=r"nested more than 100 deep.*raise the limit"):
        parse_xml(data, "f", Limits(xml_depth=100))
    with pytest.raises(Unreadable):
        parse_xml(b"<a>" * 100_000, "f")


def test_metadata() -> None:
    data = (
        b'<data version="1"><version>1.2</version><VassalVersion>3.6.4</VassalVersion>'
        b'<name lang="de">Schlacht</name><name>Battle</name><dateSaved>1643744674502</dateSaved>'
        b"<description/></data>"
    )
    assert read_metadata(data, "moduledata") == Metadata(
        name="Battle", version="1.2", vassal_version="3.6.4", date_saved=1643744674502
    )


def test_metadata_round_trip() -> None:
    meta = Metadata("A <b> & c", "2", "3.7.0", "d", 5, "e", "f")
    assert read_metadata(write_metadata(meta), "moduledata") == meta
    assert b"<universal>true</universal>" in write_metadata(meta, universal=True)


def test_a_text_of_too_many_elements_or_bytes_is_refused_before_it_is_parsed() -> None:
    data = b"<a>" + b"<b/>" * 20 + b"</a>"
    assert len(parse_xml(data, "f", Limits(xml_elements=21))) == 20
    with pytest.raises(Unreadable, match="f: the XML has 21 elements, the limit is 20"):
        parse_xml(data, "f", Limits(xml_elements=20))
    with pytest.raises(Unreadable, match=f"{len(data)} bytes, the limit is 50"):
        parse_xml(data, "f", Limits(xml_size=50))


# -- Sizes of images from their headers, whatever their pixels would cost to decode ----------------

Maker = Callable[..., Path]

LARGE = (40_000, 30_000)
"""1.2 thousand million pixels: more than Pillow opens."""


def _png(width: int, height: int) -> bytes:
    """Only the header of a PNG: there is nothing to decode."""
    chunk = b"IHDR" + struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    return (
        b"\x89PNG\r\n\x1a\n" + struct.pack(">I", 13) + chunk + struct.pack(">I", zlib.crc32(chunk))
    )


def _jpeg(width: int, height: int) -> bytes:
    """A JPEG whose frame header says this size."""
    whole = _saved("JPEG")
    at = whole.index(b"\xff\xc0") + 5
    return whole[:at] + struct.pack(">HH", height, width) + whole[at + 4 :]


def _gif(screen: tuple[int, int], first: tuple[int, int]) -> bytes:
    """A GIF with a screen and a first picture of these sizes."""
    whole = _saved("GIF")
    at = whole.index(b"\x2c") + 5
    return (
        whole[:6] + struct.pack("<HH", *screen) + whole[10:at] + struct.pack("<HH", *first)
    ) + whole[at + 4 :]


def _saved(form: str) -> bytes:
    out = io.BytesIO()
    Image.new("L", (8, 8)).save(out, form)
    return out.getvalue()


@pytest.mark.parametrize(
    ("name", "data"),
    [
        ("a.png", _png(*LARGE)),
        ("a.jpg", _jpeg(*LARGE)),
        ("a.gif", _gif(LARGE, LARGE)),
        ("a.bmp", _saved("BMP")[:18] + struct.pack("<ii", *LARGE) + _saved("BMP")[26:]),
        ("a.svg", b'<svg xmlns="http://www.w3.org/2000/svg" width="40000" height="30000"/>'),
    ],
)
def test_the_size_of_an_image_does_not_depend_on_how_many_pixels_it_has(
    name: str, data: bytes, make_module: Maker
) -> None:
    assert image_size(name, io.BytesIO(data)) == LARGE
    a_window = a_map("M", a_board("B", image=name))
    module = open_module(make_module(a_window, **{f"images/{name}": data}))
    (found,) = module.maps[0].boards
    assert (found.width, found.height) == LARGE
    assert module.problems == ()


@pytest.mark.parametrize(
    ("data", "size"),
    [
        (_gif((100, 60), (50, 30)), (50, 30)),  # the engine asks Java's reader for picture 0
        *((_png(*size), None) for size in ((0, 5), (5, 0), (2**31, 5))),
        *((cut, None) for cut in (_png(5, 5)[:20], _saved("JPEG")[:12], _saved("GIF")[:9], b"")),
    ],
    ids=lambda value: str(value) if not isinstance(value, bytes) else "",
)
def test_odd_headers_of_images(data: bytes, size: tuple[int, int] | None) -> None:
    assert image_size("a.gif", io.BytesIO(data)) == size
