"""Sizes of images, from their headers."""

from __future__ import annotations

import re
import warnings
from typing import IO

from lxml import etree
from PIL import Image

from .grids import Size

_LENGTH = re.compile(r"\s*([0-9.]+(?:[eE][+-]?[0-9]+)?)\s*(px|pt|pc|mm|cm|in)?\s*")
_PIXELS_PER = {"px": 1.0, "pt": 96 / 72, "pc": 16.0, "mm": 96 / 25.4, "cm": 96 / 2.54, "in": 96.0}
_MAX_SVG_HEAD = 1 << 20
_FORMATS = ("PNG", "GIF", "JPEG", "BMP", "TIFF")  # what the engine reads, and no more


def image_size(name: str, stream: IO[bytes]) -> Size | None:
    """Width and height in pixels; None if it is no image we can tell the size of.

    Only the header is decoded, never the pixels.
    """
    if name.lower().endswith((".svg", ".svgz")):
        return _svg_size(stream)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            with Image.open(stream, formats=_FORMATS) as image:
                return image.size
    except (OSError, ValueError, SyntaxError, EOFError, Image.DecompressionBombError):
        return None


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
