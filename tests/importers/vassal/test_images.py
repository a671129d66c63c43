"""Sizes of images from their headers, whatever their pixels would cost to decode."""

from __future__ import annotations

import io
import struct
import zlib
from collections.abc import Callable
from pathlib import Path

import pytest
from PIL import Image
from vassal_umpire.importers.vassal.buildfile import open_module
from vassal_umpire.importers.vassal.images import image_size

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
    board = f'<VASSAL.build.module.map.boardPicker.Board name="B" image="{name}"/>'
    picker = "VASSAL.build.module.map.BoardPicker"
    a_map = f'<VASSAL.build.module.Map mapName="M"><{picker}>{board}</{picker}></VASSAL.build.module.Map>'
    module = open_module(make_module(a_map, **{f"images/{name}": data}))
    (found,) = module.maps[0].boards
    assert (found.width, found.height) == LARGE
    assert module.problems == ()


def test_a_gif_is_as_large_as_its_first_picture() -> None:
    """The engine asks Java's reader for the width of picture 0, not of the screen it is shown on."""
    assert image_size("a.gif", io.BytesIO(_gif((100, 60), (50, 30)))) == (50, 30)


@pytest.mark.parametrize("size", [(0, 5), (5, 0), (2**31, 5)])
def test_a_png_of_no_size_is_none(size: tuple[int, int]) -> None:
    assert image_size("a.png", io.BytesIO(_png(*size))) is None


def test_a_header_cut_short_is_none() -> None:
    for data in (_png(5, 5)[:20], _saved("JPEG")[:12], _saved("GIF")[:9], b""):
        assert image_size("a", io.BytesIO(data)) is None
