"""The pictures on the page: map tiles and counters, each re-encoded by this program.

Pictures are untrusted (:mod:`..art`): only formats that the engine reads, a limited number of pixels, and of
an SVG its shapes and texts. A map is decoded once, cut into tiles of every zoom level in a temporary folder,
and released.
"""

from __future__ import annotations

import base64
import io
import shutil
import tempfile
import threading
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from pathlib import Path

from PIL import Image

from ...importers.vassal.layout import MapLayout
from ...importers.vassal.limits import Limits
from ...model.problem import UmpireError
from ..art import Gallery
from ..auditing import Evidence
from .calls import Bytes

TILE = 256
"""Pixels of a tile's side. Tiles are transparent beyond the map's edge."""
MOST_CANVAS = 120_000_000
"""Maps with more pixels than this are halved until they fit."""
MOST_MAP = 4_000_000_000
"""Maps with more pixels than this are not shown: boards without a picture may claim any size."""
COUNTER_SIDE = 160
PNG = "image/png"
_GROUND = (255, 255, 255)


@dataclass(frozen=True, slots=True)
class Tiling:
    """How a map is cut. ``width``, ``height``: in pixels of the map. ``levels``: zoom 0 to ``levels - 1``;
    the last one has the map's own pixels, each one before it half as many across."""

    width: int
    height: int

    @property
    def levels(self) -> int:
        """The number of zoom levels; at the first the map fits into one tile."""
        count = 1
        while max(self.width, self.height) > TILE << (count - 1):
            count += 1
        return count

    def size(self, zoom: int) -> tuple[int, int]:
        """Width and height of the whole map at a zoom level."""
        shrunk = 1 << (self.levels - 1 - zoom)
        return -(-self.width // shrunk), -(-self.height // shrunk)

    def holds(self, zoom: int, x: int, y: int) -> bool:
        """Whether the tile exists."""
        if not 0 <= zoom < self.levels:
            return False
        width, height = self.size(zoom)
        return 0 <= x * TILE < width and 0 <= y * TILE < height

    def plain(self, url: str) -> dict[str, object]:
        """As JSON."""
        return {"url": url, "side": TILE, "levels": self.levels, **asdict(self)}


class Pictures:
    """The pictures of a module. :meth:`close` deletes the temporary files."""

    def __init__(self, evidence: Evidence, limits: Limits) -> None:
        self._evidence, self._limits = evidence, limits
        self._lock = threading.Lock()
        self._cutting: dict[str, threading.Lock] = {}
        self._cut: dict[str, Path] = {}
        self._folder: Path | None = None
        self._closed = False
        self._counters: dict[str, Bytes | None] = {}
        self._gallery: Gallery | None = None
        self._is_drawing = False

    def tiling(self, map_name: str) -> Tiling:
        """How the map with this name is cut."""
        width, height = self._layout(map_name).size
        if width * height > MOST_MAP:
            raise UmpireError(f"the map is too large to be shown: {width:,} by {height:,} pixels")
        return Tiling(max(1, width), max(1, height))

    def tile(self, map_name: str, zoom: int, x: int, y: int) -> Bytes:
        """A tile. The first of a map waits until the map is decoded and cut."""
        if not self.tiling(map_name).holds(zoom, x, y):
            raise UmpireError("the map has no such tile")
        path = self._tiles(map_name) / f"{zoom}-{x}-{y}.png"
        return Bytes(PNG, path.read_bytes())

    def counter(self, picture: str) -> Bytes | None:
        """A counter's picture by its name in the module; None if it cannot be shown."""
        with self._lock:
            if picture not in self._counters:
                self._is_drawing = True
                gallery = self._gallery or Gallery(self._evidence.file, self._limits)
                self._gallery = None if self._closed else gallery
                uri = gallery.renewed().counters({picture}, COUNTER_SIDE).get(picture, "")
                kind, _, data = uri.removeprefix("data:").partition(";base64,")
                self._counters[picture] = Bytes(kind, base64.b64decode(data)) if uri else None
            return self._counters[picture]

    def let_go(self) -> None:
        """Close the module if no counter was drawn since the last call."""
        with self._lock:
            self._gallery, self._is_drawing = self._gallery if self._is_drawing else None, False

    def close(self) -> None:
        """Close the module and remove the temporary folder."""
        with self._lock:
            self._closed, self._gallery = True, None
            if self._folder is not None:
                shutil.rmtree(self._folder, ignore_errors=True)
                self._folder = None
            self._cut.clear()

    def _layout(self, map_name: str) -> MapLayout:
        found = self._evidence.layouts.get(map_name)
        if found is None:
            raise UmpireError("the module has no such map")
        return found

    def _tiles(self, map_name: str) -> Path:
        """The folder of a map's tiles; cut first if necessary, by one thread only."""
        with self._lock:
            cutting = self._cutting.setdefault(map_name, threading.Lock())
        with cutting:
            with self._lock:
                done = self._cut.get(map_name)
                if done is not None:
                    return done
                if self._closed:
                    raise UmpireError("the studio is being closed")
                if self._folder is None:
                    self._folder = Path(tempfile.mkdtemp(prefix="umpire-studio-"))
                folder = self._folder / str(len(self._cutting))
            folder.mkdir(exist_ok=True)
            self._cut_into(folder, map_name)
            with self._lock:
                self._cut[map_name] = folder
            return folder

    def _cut_into(self, folder: Path, map_name: str) -> None:
        tiling = self.tiling(map_name)
        canvas, zoom = self._canvas(self._layout(map_name), tiling)
        for blurred in range(
            zoom + 1, tiling.levels
        ):  # too large: the finest levels are drawn larger
            for x, y, box in _boxes(tiling.size(blurred)):
                part = 1 << (blurred - zoom)
                rough = canvas.crop(tuple(edge // part for edge in box))  # type: ignore[arg-type]
                _save(rough.resize((box[2] - box[0], box[3] - box[1])), folder, blurred, x, y)
        while True:
            for x, y, box in _boxes(canvas.size):
                _save(canvas.crop(box), folder, zoom, x, y)
            if zoom == 0:
                return
            canvas, zoom = canvas.reduce(2), zoom - 1

    def _canvas(self, layout: MapLayout, tiling: Tiling) -> tuple[Image.Image, int]:
        """The map as one picture, and its zoom level."""
        zoom = tiling.levels - 1
        while zoom > 0 and tiling.size(zoom)[0] * tiling.size(zoom)[1] > MOST_CANVAS:
            zoom -= 1
        shrunk = 1 << (tiling.levels - 1 - zoom)
        canvas = Image.new("RGB", tiling.size(zoom), _GROUND)
        gallery = Gallery(self._evidence.file, self._limits)
        for name in sorted({board.definition.image for board in layout.boards if board.width}):
            here = [board for board in layout.boards if board.definition.image == name]
            largest = max(max(board.width, board.height) for board in here)
            image = gallery.picture(name, -(-largest // shrunk))
            for board in here if image is not None else ():
                assert image is not None
                size = (max(1, board.width // shrunk), max(1, board.height // shrunk))
                drawn = image if image.size == size else image.resize(size)
                drawn = drawn.rotate(180) if board.reversed else drawn
                canvas.paste(drawn, (board.x // shrunk, board.y // shrunk), drawn)
        return canvas, zoom


def _boxes(size: tuple[int, int]) -> Iterator[tuple[int, int, tuple[int, int, int, int]]]:
    width, height = size
    for top in range(0, height, TILE):
        for left in range(0, width, TILE):
            box = (left, top, min(left + TILE, width), min(top + TILE, height))
            yield left // TILE, top // TILE, box


def _save(image: Image.Image, folder: Path, zoom: int, x: int, y: int) -> None:
    if image.size != (TILE, TILE):
        whole = Image.new("RGBA", (TILE, TILE))
        whole.paste(image, (0, 0))
        image = whole
    (folder / f"{zoom}-{x}-{y}.png").write_bytes(_png(image))


def _png(image: Image.Image) -> bytes:
    written = io.BytesIO()
    image.save(written, "PNG", compress_level=3)
    return written.getvalue()
