"""What a module adds to the picture of a game: where its hexes lie, its boards, its counters.

Images come from strangers: only formats the engine reads, only so many pixels (:mod:`.pictures`), and
nothing is handed on as it was: every picture is drawn anew, as a PNG or WebP of our own making; of an SVG
only shapes and texts are kept, and browsers show it as they show a picture: without scripts, without
fetching. What cannot be drawn is said as a problem, and the map is drawn without it.
"""

from __future__ import annotations

import base64
import io
import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from functools import cached_property
from pathlib import Path
from typing import Self
from weakref import finalize

from lxml import etree
from PIL import Image

from ..importers.vassal.archive import Archive, open_archive
from ..importers.vassal.buildfile import extensions_beside
from ..importers.vassal.grids import BoardGrid, HexGrid, SquareGrid, ZonedGrid
from ..importers.vassal.layout import MapLayout
from ..importers.vassal.limits import Limits
from ..importers.vassal.xml import parse_xml
from ..model.game import Game
from ..model.problem import Problem, UmpireError
from ..model.table import TableHistory
from ..model.viewer import Viewer
from ..model.visibility import identity_open
from .pictures import MOST_FILE, Studio, TooLarge
from .reports.map_scene import Picture
from .reports.phrases import counted
from .reports.staging import Art

MOST_COUNTER_PIXELS = 16_000_000
"""Counter pictures with more pixels than this are left out."""

MOST_COUNTER_BYTES = 64_000_000
"""Total length of counter pictures on a page; further counters are drawn plainly."""

BOARD_SIDE = 2000
COUNTER_SIDE = 96
"""Boards and counters are scaled down so that their longer side has this many pixels."""

MOST_VECTOR = 64 * 1024
"""SVGs with more bytes than this are left out."""

MOST_DRAWN = 20_000
"""Maximum number of elements an SVG may draw, counting repeats: a small file can ask for billions."""

MOST_VECTORS = 250
"""Maximum number of SVG counters on a page; with more it would load for minutes, so counters are drawn
plainly."""

_QUALITY = 55
_SVG = "{http://www.w3.org/2000/svg}"
_DEEPEST = 300
_REFERENCE = re.compile(r"#([^\s)'\"]+)")
_WORDS = {f"{_SVG}text", f"{_SVG}tspan"}
_ACTIVE = {
    f"{_SVG}{name}" for name in ("script", "foreignObject", "image", "style", "a", "animate", "set")
}


class Gallery:
    """The pictures of a module and of the extensions beside it, by the names in its pieces.

    ``problems`` collects pictures that exist but cannot be shown. The files stay open as long as the gallery
    is kept.
    """

    def __init__(self, file: Path, limits: Limits) -> None:
        self.problems: list[Problem] = []
        self._files = (file, *extensions_beside(file))
        self._limits = limits
        self._studio = Studio()

    def renewed(self) -> Self:
        """This gallery, with as many pixels to decode as a new one."""
        self._studio = Studio()
        return self

    def counters(self, names: set[str], side: int = COUNTER_SIDE) -> dict[str, str]:
        """Data URIs of counters' pictures by name, without those that cannot be drawn. ``side``: the
        longer side of a picture that is no drawing, at most, in pixels."""
        vectors = {name for name in names if name.lower().endswith(".svg")}
        found = dict(self._vectors(vectors)) if len(vectors) <= MOST_VECTORS else {}
        left_out: dict[str, str] = {}
        length = sum(map(len, found.values()))
        rasters = names - set(found)
        for name, image in self._images(rasters, side, MOST_COUNTER_PIXELS, left_out):
            drawn = _uri(image, "png")
            length += len(drawn)
            if length > MOST_COUNTER_BYTES:
                left_out[name] = ""
                continue
            found[name] = drawn
        if left_out:
            number = counted(len(left_out), "counter picture")
            self._note(f"{number} too large to draw; those counters are drawn plainly")
        return found

    def _vectors(self, names: set[str]) -> Iterator[tuple[str, str]]:
        for archive in self._archives:
            for name in sorted(names):
                drawn = _vector(archive, name, self._limits)
                if drawn:
                    yield name, drawn

    def boards(self, names: set[str]) -> dict[str, str]:
        """Data URIs of boards' pictures by name, scaled down."""
        left_out = {
            name: "it is an SVG" for name in names if name.lower().endswith((".svg", ".svgz"))
        }
        found = {}
        for name, image in self._images(names - set(left_out), BOARD_SIDE, None, left_out):
            found[name] = _uri(_on_white(image), "webp")
        for name, why in sorted(left_out.items()):
            self._note(f"the picture {name!r} is not shown, {why}; its hexes are drawn without it")
        return found

    def picture(self, name: str, side: int) -> Image.Image | None:
        """One picture as RGBA, its longer side at most ``side``; None if it cannot be drawn."""
        if name.lower().endswith((".svg", ".svgz")):
            return None
        found = (image for _, image in self._images({name}, side, None, {}))
        return next(found, None)

    def _images(
        self, names: set[str], side: int, most: int | None, left_out: dict[str, str]
    ) -> Iterator[tuple[str, Image.Image]]:
        """Pictures by name, scaled to ``side``; those that exist but cannot be drawn are added to
        ``left_out``."""
        wanted = {name for name in names if name}
        for archive in self._archives:
            for name in sorted(wanted):
                try:
                    image = _open(archive, name, self._studio, side, most)
                except TooLarge as error:
                    left_out[name] = f"it is too large ({error})"
                    wanted.discard(name)
                    continue
                if image is not None:
                    wanted.discard(name)
                    yield name, image

    @cached_property
    def _archives(self) -> Sequence[Archive]:
        """The files, open; an extension's picture goes before the module's."""
        found: list[Archive] = []
        for file in reversed(self._files):
            with suppress(UmpireError):  # whoever read the module has said so
                found.append(open_archive(file, self._limits))
                finalize(self, found[-1].close)
        return found

    def _note(self, message: str) -> None:
        problem = Problem("picture-left-out", message, self._files[0].name, severity="note")
        if problem not in self.problems:
            self.problems.append(problem)


def art_of(
    file: Path,
    centres: Mapping[str, tuple[str, float, float]],
    faces: Mapping[str, str],
    layouts: Mapping[str, MapLayout],
    limits: Limits,
    *,
    map_images: bool = True,
) -> Art:
    """The art of the module ``file`` for a game. ``centres``: by hex, the map and the pixel of the centre.
    ``faces``: from :func:`faces_of`. ``map_images`` False: without the boards' pictures."""
    gallery = Gallery(file, limits)
    shown = {on for on, _, _ in centres.values()}
    pictures = {on: tuple(_boards(layouts[on], gallery)) for on in sorted(shown) if map_images}
    drawn = gallery.counters(set(faces.values()))
    return Art(
        centres=centres,
        pictures=pictures,
        counters={unit: drawn[face] for unit, face in faces.items() if face in drawn},
        problems=tuple(gallery.problems),
    )


def faces_of(game: Game, history: TableHistory, viewer: Viewer) -> Iterator[tuple[str, str]]:
    """The name of the picture of each unit, as ``viewer`` first saw it."""
    wanted = {name for name, unit in game.units.items() if viewer.may_see(unit.seen_by)}
    for log in history.logs:
        seen = list(log.opening.pieces.values())
        seen += [c.after for step in log.steps for c in step.changes if c.after is not None]
        for piece in seen:
            if piece.id in wanted and identity_open(piece, viewer):
                wanted.discard(piece.id)
                yield piece.id, piece.image


def _boards(layout: MapLayout, gallery: Gallery) -> Iterator[Picture]:
    data = gallery.boards({board.definition.image for board in layout.boards})
    for board in layout.boards:
        uri = data.get(board.definition.image)
        if uri is not None and board.width and board.height:
            place = (float(board.x), float(board.y), float(board.width), float(board.height))
            yield Picture(*place, uri, board.reversed, _shows_names(board.grid))


def _shows_names(grid: BoardGrid | None) -> bool:
    """Whether hex names are, or may be, printed on a board: not if its grid has no numbers, or the engine
    draws them."""
    all_of = (
        (grid.background, *(zone.grid for zone in grid.zones))
        if isinstance(grid, ZonedGrid)
        else (grid,)
    )
    cells = [one for one in all_of if isinstance(one, HexGrid | SquareGrid)]
    return bool(cells) and all(
        one.numbering is not None and not one.numbering.drawn for one in cells
    )


def _open(
    archive: Archive, name: str, studio: Studio, side: int, most: int | None
) -> Image.Image | None:
    """A picture of an archive, scaled to ``side``; None if it cannot be read. Raises :class:`TooLarge`."""
    asked = (f"images/{name}", f"images/{name}.gif", name)  # old builds leave the suffix out
    entry = next((e for e in asked if e in archive), None)
    if entry is None:
        return None
    if archive.size(entry) > MOST_FILE:
        raise TooLarge(f"{archive.size(entry):,} bytes")
    try:
        return studio.shrunk(archive.read(entry), side, most)
    except UmpireError:
        return None


def _vector(archive: Archive, name: str, limits: Limits) -> str:
    """An SVG of an archive as a data URI, reduced to shapes and texts; "" if that fails. Without parts of
    other files it may lack its ground, so it gets a white one."""
    entry = f"images/{name}"
    if entry not in archive or archive.size(entry) > MOST_VECTOR:
        return ""
    try:
        root = parse_xml(archive.read(entry), name, limits)
    except UmpireError:
        return ""
    if not _is_drawn_soon(root):
        return ""
    for element in list(root.iter()):
        for key, value in list(element.attrib.items()):
            if _reaches_out(str(key), str(value)):
                del element.attrib[key]
                root.set("style", "background:#fff")
        parent = element.getparent()
        if element.tag in _ACTIVE and parent is not None:
            parent.remove(element)
        elif element.tag not in _WORDS and not (element.text or "").strip():
            element.text = None
            for child in element:
                child.tail = None
    return f"data:image/svg+xml;base64,{base64.b64encode(etree.tostring(root)).decode('ascii')}"


def _is_drawn_soon(root: etree._Element) -> bool:
    """Whether a drawing that reuses its parts can be drawn in bounded time."""
    ids = {name: element for element in root.iter() if (name := element.get("id"))}
    known: dict[etree._Element, int] = {}

    def weight(element: etree._Element, depth: int) -> int:
        if depth > _DEEPEST:
            return MOST_DRAWN + 1
        if element not in known:
            known[element] = 0  # what comes back to itself is not drawn by any browser
            again = _REFERENCE.findall(" ".join(map(str, element.attrib.values())))
            parts = [*element, *(ids[name] for name in again if name in ids)]
            drawn = 1 + sum(weight(part, depth + 1) for part in parts)
            known[element] = min(drawn, MOST_DRAWN + 1)
        return known[element]

    return weight(root, 0) <= MOST_DRAWN


def _reaches_out(key: str, value: str) -> bool:
    """Whether an attribute runs or fetches something; references within the drawing do not."""
    name = etree.QName(key).localname.lower()
    elsewhere = name == "href" and not value.startswith("#")
    return name.startswith("on") or elsewhere or "url(" in value.replace("url(#", "")


def _on_white(image: Image.Image) -> Image.Image:
    ground = Image.new("RGB", image.size, "white")
    ground.paste(image, mask=image.getchannel("A"))
    return ground


def _uri(image: Image.Image, kind: str) -> str:
    written = io.BytesIO()
    if kind == "png":
        image.save(written, "PNG", optimize=True)
    else:
        image.save(written, "WEBP", quality=_QUALITY, method=5)
    return f"data:image/{kind};base64,{base64.b64encode(written.getvalue()).decode('ascii')}"
