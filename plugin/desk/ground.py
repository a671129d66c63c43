"""Parts of the module's own pictures of its maps, for the small maps of a mail."""

from __future__ import annotations

import base64
import io
from functools import lru_cache

from PIL import Image

from ...importers.vassal.layout import MapLayout
from ...importers.vassal.limits import Limits
from ..art import Gallery
from ..auditing import Opened

MOST_SIDE = 560
"""Pixels of the longer side of a part."""
MOST_BOARD = 4000
"""Pixels of the longer side that a board's picture is scaled down to before it is cut."""
_QUALITY = 70

Box = tuple[float, float, float, float]


class Ground:
    """Cuts the pictures of one game's maps; each part is made once."""

    def __init__(self, opened: Opened, limits: Limits) -> None:
        found = opened.backdrop
        self._layouts = found.layouts if found is not None else {}
        self._gallery = Gallery(found.module, limits) if found is not None else None
        self._counters: dict[str, str] = {}
        self._parts: dict[tuple[str, Box, int], str] = {}
        self._board = lru_cache(maxsize=2)(self._decoded)

    def part(self, a_map: str, box: Box, side: int = MOST_SIDE) -> str:
        """What a map shows in ``box`` (left, top, width, height in its pixels) as a data URI; "" where it has
        no picture that can be shown. ``side``: pixels of the longer side of what is returned, at most."""
        key = a_map, box, side
        if key not in self._parts:
            layout = self._layouts.get(a_map)
            drawn = self._cut(layout, box, side) if layout is not None else None
            self._parts[key] = "" if drawn is None else _uri(drawn)
        return self._parts[key]

    def counter(self, face: str) -> str:
        """A counter's picture by its name, as a data URI; "" where there is none that can be shown."""
        if face and face not in self._counters and self._gallery is not None:
            self._counters[face] = self._gallery.counters({face}).get(face, "")
        return self._counters.get(face, "")

    def _cut(self, layout: MapLayout, box: Box, side: int) -> Image.Image | None:
        left, top, width, height = box
        scale = min(1.0, side / max(width, height))
        whole = Image.new(
            "RGB", (max(1, round(width * scale)), max(1, round(height * scale))), "white"
        )
        seen = False
        for board in layout.boards:
            inner = (
                max(left, board.x),
                max(top, board.y),
                min(left + width, board.x + board.width),
                min(top + height, board.y + board.height),
            )
            if inner[2] <= inner[0] or inner[3] <= inner[1]:
                continue
            picture = self._board(board.definition.image, board.reversed)
            if picture is None:
                continue
            across, down = picture.width / board.width, picture.height / board.height
            source = (
                (inner[0] - board.x) * across,
                (inner[1] - board.y) * down,
                (inner[2] - board.x) * across,
                (inner[3] - board.y) * down,
            )
            size = (
                max(1, round((inner[2] - inner[0]) * scale)),
                max(1, round((inner[3] - inner[1]) * scale)),
            )
            part = picture.resize(size, Image.Resampling.BICUBIC, box=source)
            whole.paste(part, (round((inner[0] - left) * scale), round((inner[1] - top) * scale)))
            seen = True
        return whole if seen else None

    def _decoded(self, name: str, turned: bool) -> Image.Image | None:
        """A board's picture on white; None if there is none that can be drawn."""
        image = self._gallery.picture(name, MOST_BOARD) if self._gallery is not None else None
        if image is None:
            return None
        plain = Image.new("RGB", image.size, "white")
        plain.paste(image, mask=image.getchannel("A"))
        return plain.transpose(Image.Transpose.ROTATE_180) if turned else plain


def _uri(image: Image.Image) -> str:
    written = io.BytesIO()
    image.save(written, "WEBP", quality=_QUALITY, method=5)
    return f"data:image/webp;base64,{base64.b64encode(written.getvalue()).decode('ascii')}"
