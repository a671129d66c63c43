"""The working picture made from a map picture: the same size for all maps, with colour and texture."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt
from PIL import Image, ImageChops, ImageFilter

from .cells import Bytes, Cells, Floats

PITCH_OF_HEXES = 40.0
"""Pixels from hex to hex in the working picture for hexes, whatever the map's own size."""

PITCH_OF_SIDES = 60.0
"""Pixels from hex to hex in the working picture for sides. Larger, for what lies along sides is thin."""


_STROKE = 5  # pixels of the working picture for hexes; what is narrower is a stroke
_DEEP = 60  # grey levels by which ink is darker than what it is printed on
_DARK = 110


@dataclass(frozen=True, slots=True)
class Surface:
    """The working picture. ``look``: per pixel Y, Cb, Cr with thin strokes cleared, and texture. ``sharp``:
    Y, Cb, Cr with the strokes. ``scale``: its pixels for one pixel of the map."""

    look: Bytes
    sharp: Bytes
    scale: float

    def look_at(self, x: Floats, y: Floats) -> Bytes:
        """Colour and texture at points in pixels of the map; a point beyond the map has those of its edge."""
        return self._at(self.look, x, y)

    def sharp_at(self, x: Floats, y: Floats) -> Bytes:
        """Colour with the thin strokes, without texture, at points in pixels of the map."""
        return self._at(self.sharp, x, y)

    def blurred(self, radius: int) -> Surface:
        """The same with ``look`` averaged over ``radius`` pixels to each side."""
        four = Image.fromarray(self.look, "RGBA").filter(ImageFilter.BoxBlur(radius))
        return replace(self, look=np.asarray(four))

    def with_ink(self) -> Surface:
        """The same with ``sharp`` a mask: 1 where a thin dark stroke is (letters, lines), else 0."""
        light = Image.fromarray(np.ascontiguousarray(self.sharp[..., 0]))
        wide = light.filter(ImageFilter.MaxFilter(_STROKE)).filter(ImageFilter.MinFilter(_STROKE))
        deep = np.asarray(ImageChops.subtract(wide, light)) > _DEEP
        ink = deep & (self.sharp[..., 0] < _DARK)
        return replace(self, sharp=ink.astype(np.uint8))

    def _at(self, source: Bytes, x: Floats, y: Floats) -> Bytes:
        height, width = source.shape[:2]
        column = np.clip(np.rint(x * self.scale - 0.5), 0, width - 1).astype(np.intp)
        row = np.clip(np.rint(y * self.scale - 0.5), 0, height - 1).astype(np.intp)
        return np.asarray(source[row, column], dtype=np.uint8)


def surface(picture: npt.NDArray[np.uint8], cells: Cells, pitch: float) -> Surface:
    """The working picture of ``picture`` (height × width × RGB), with ``pitch`` pixels from hex to hex."""
    scale = pitch / cells.pitch
    image = Image.fromarray(np.ascontiguousarray(picture[:, :, :3]))
    size = (max(1, round(image.width * scale)), max(1, round(image.height * scale)))
    way = Image.Resampling.BOX if scale < 1 else Image.Resampling.BICUBIC
    small = image.resize(size, way).convert("YCbCr")
    light = small.getchannel("Y")
    rough = ImageChops.difference(light, light.filter(ImageFilter.BoxBlur(2)))
    texture = rough.filter(ImageFilter.BoxBlur(3)).point([min(255, 3 * v) for v in range(256)])
    calm = small.filter(ImageFilter.MedianFilter(3))
    look = np.dstack([np.asarray(calm), np.asarray(texture)])
    return Surface(look, np.asarray(small), size[0] / image.width)
