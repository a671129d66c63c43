"""Decode and scale down untrusted pictures within limits of memory and work."""

from __future__ import annotations

import io
import warnings
from dataclasses import dataclass
from math import ceil

from PIL import Image

from ..importers.vassal.images import image_size

FORMATS = ("PNG", "GIF", "JPEG", "BMP")

MOST_FILE = 200_000_000
"""Picture files with more bytes than this are left out."""

MOST_DECODED = 400_000_000
"""Bytes that a decoder may hold for one picture."""

MOST_PIXELS = 1_000_000_000
"""Pixels decoded for all pictures of one page together."""

MOST_SCANS = 100
"""Scans that a JPEG may have; a small file can ask for thousands."""

_BYTES = {"1": 1, "L": 1, "P": 1, "I;16": 2, "LA": 4, "PA": 4}
_BAND = 4_000_000
"""Pixels of a picture that are scaled at a time."""
_REACH = 2
"""Pixels of the result on either side that a pixel of it is mixed with (bicubic)."""
_SCAN = b"\xff\xda"
_USUAL_SCANS = 10


class TooLarge(Exception):
    """A picture that exceeds the limits; the message gives its size."""


@dataclass(slots=True)
class Studio:
    """Decodes pictures while its ``pixels`` last."""

    pixels: int = MOST_PIXELS

    def shrunk(self, data: bytes, side: int, most: int | None = None) -> Image.Image | None:
        """A picture as RGBA with its longer side at most ``side``; None if it cannot be read.

        Raises :class:`TooLarge` beyond the limits, or beyond ``most`` pixels.
        """
        size = image_size("", io.BytesIO(data))
        if size is None:
            return None
        pixels = size[0] * size[1]
        if pixels > self.pixels or (most is not None and pixels > most):
            raise TooLarge(f"{size[0]:,} × {size[1]:,} pixels")
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                return self._decoded(data, side)
        except Image.DecompressionBombError:
            raise TooLarge(f"{size[0]:,} × {size[1]:,} pixels") from None
        except (OSError, ValueError, SyntaxError, EOFError):
            return None

    def _decoded(self, data: bytes, side: int) -> Image.Image:
        image = Image.open(io.BytesIO(data), formats=FORMATS)
        pixels = image.width * image.height
        scans = data.count(_SCAN) if image.format == "JPEG" else 1
        if pixels * _bytes_per_pixel(image) > MOST_DECODED or scans > MOST_SCANS:
            raise TooLarge(f"{image.width} × {image.height} pixels")
        self.pixels -= pixels * max(1, scans // _USUAL_SCANS)
        image.draft(None, (2 * side, 2 * side))  # a JPEG is decoded small
        image.load()
        return _scaled(image, side)


def _bytes_per_pixel(image: Image.Image) -> int:
    """The bytes per pixel that its decoder may hold at once."""
    if image.format == "JPEG":
        return 2 * len(image.getbands())  # the coefficients, where it comes in several scans
    plain = _BYTES.get(image.mode, 4)
    return {"GIF": 2, "BMP": 4}.get(image.format or "", plain)


def _scaled(image: Image.Image, side: int) -> Image.Image:
    """As RGBA, its longer side at most ``side``, made band by band: no second whole picture is made."""
    by = side / max(image.size)
    if by >= 1:
        return image.convert("RGBA")
    width, height = (max(1, round(each * by)) for each in image.size)
    small = Image.new("RGBA", (width, height))
    rows = image.height / height
    margin = ceil(_REACH * rows)
    step = max(1, _BAND // image.width * height // image.height)
    for top in range(0, height, step):
        end = min(top + step, height)
        first = max(0, int(top * rows) - margin)
        last = min(image.height, ceil(end * rows) + margin)
        band = image.crop((0, first, image.width, last)).convert("RGBA")
        box = (0, top * rows - first, image.width, min(end * rows, image.height) - first)
        small.paste(band.resize((width, end - top), Image.Resampling.BICUBIC, box), (0, top))
    return small
