"""Sizes of images, from their headers."""

from __future__ import annotations

import re
import struct
import warnings
from typing import IO

from lxml import etree
from PIL import BmpImagePlugin, GifImagePlugin, Image, ImageFile, JpegImagePlugin, TiffImagePlugin

from .grids import Size

JPEG = b"\xff\xd8\xff"
_PNG = b"\x89PNG\r\n\x1a\n"
_READERS: tuple[tuple[bytes, type[ImageFile.ImageFile]], ...] = (
    (JPEG, JpegImagePlugin.JpegImageFile),
    (b"GIF8", GifImagePlugin.GifImageFile),
    (b"BM", BmpImagePlugin.BmpImageFile),
    (b"II*\0", TiffImagePlugin.TiffImageFile),
    (b"MM\0*", TiffImagePlugin.TiffImageFile),
)
"""The formats that the engine reads, by first bytes. The classes are named because ``Image.open`` refuses
images with very many pixels; nothing is decoded here."""

_LENGTH = re.compile(r"\s*([0-9.]+(?:[eE][+-]?[0-9]+)?)\s*(px|pt|pc|mm|cm|in)?\s*")
_PIXELS_PER = {"px": 1.0, "pt": 96 / 72, "pc": 16.0, "mm": 96 / 25.4, "cm": 96 / 2.54, "in": 96.0}
_MOST_SIDE = 2**31 - 1  # what the format allows
_MAX_SVG_HEAD = 1 << 20


def image_size(name: str, stream: IO[bytes]) -> Size | None:
    """Width and height in pixels, without limit; None: not an image, or the size is not known.

    Only the header is decoded, never the pixels.
    """
    if name.lower().endswith((".svg", ".svgz")):
        return _svg_size(stream)
    head = stream.read(24)
    stream.seek(0)
    if head.startswith(_PNG):
        return _png_size(head)
    reader = next((reader for magic, reader in _READERS if head.startswith(magic)), None)
    if reader is None:
        return None
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            with reader(stream) as image:
                return _size(image)
    except (OSError, ValueError, SyntaxError, EOFError, Image.DecompressionBombError):
        return None


def _png_size(head: bytes) -> Size | None:
    if len(head) < 24 or head[12:16] != b"IHDR":
        return None
    width, height = struct.unpack(">II", head[16:])
    return (width, height) if 0 < width <= _MOST_SIDE and 0 < height <= _MOST_SIDE else None


def _size(image: ImageFile.ImageFile) -> Size:
    """The size of the image. For a GIF, that of its first picture, as in the engine; it may be smaller than
    the GIF's screen."""
    if isinstance(image, GifImagePlugin.GifImageFile) and image.tile:
        left, top, right, bottom = image.tile[0][1] or (0, 0, *image.size)
        return right - left, bottom - top
    return image.size


def _svg_size(stream: IO[bytes]) -> Size | None:
    parser = etree.XMLPullParser(
        events=("start",), resolve_entities=False, no_network=True, load_dtd=False
    )
    try:
        parser.feed(stream.read(_MAX_SVG_HEAD))
    except etree.XMLSyntaxError:
        return None
    for _, element in parser.read_events():
        if isinstance(element, etree._Element):
            return _declared_size(element)
    return None


def _declared_size(root: etree._Element) -> Size | None:
    lengths = [_LENGTH.fullmatch(root.get(side, "")) for side in ("width", "height")]
    values = [float(m[1]) * _PIXELS_PER[m[2] or "px"] for m in lengths if m]
    if len(values) != 2:
        values = [float(v) for v in re.findall(r"[-0-9.eE]+", root.get("viewBox", ""))[2:4]]
    return (int(values[0]), int(values[1])) if len(values) == 2 else None
