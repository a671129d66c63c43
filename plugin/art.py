"""What a module adds to the picture of a game: where its hexes lie, its boards, its counters.

Images come from strangers: only formats the engine reads, only so many pixels, and nothing is handed on
as it was: every picture is drawn anew, as a PNG or JPEG of our own making; of an SVG only shapes and
texts are kept, and browsers show it as they show a picture: without scripts, without fetching.
"""

from __future__ import annotations

import base64
import io
import re
import warnings
from collections.abc import Iterator, Mapping
from pathlib import Path

from lxml import etree
from PIL import Image

from ..importers.pack.board import bind_board
from ..importers.pack.pack import Pack
from ..importers.vassal.archive import Archive, open_archive
from ..importers.vassal.buildfile import extensions_beside
from ..importers.vassal.layout import MapLayout
from ..importers.vassal.limits import Limits
from ..importers.vassal.xml import parse_xml
from ..model.eyes import Eyes
from ..model.game import Game
from ..model.problem import UmpireError
from ..model.table import Piece, TableHistory
from .reports.scene import Picture
from .reports.staging import Art

FORMATS = ("PNG", "GIF", "JPEG", "BMP")
MOST_PIXELS = 150_000_000
MOST_COUNTER_PIXELS = 16_000_000
"""Pixels of a board's and of a counter's picture beyond which it is left out."""

BOARD_SIDE = 2400
COUNTER_SIDE = 96
"""Pixels of the longer side that a board or a counter is scaled down to."""

MOST_VECTOR = 64 * 1024
"""Bytes of an SVG beyond which it is left out."""

MOST_DRAWN = 20_000
"""Elements an SVG may draw, those drawn again counted again: a small file can ask for billions."""

MOST_VECTORS = 250
"""SVGs of counters on a page; with more it would load for minutes, and counters are drawn plainly."""

_QUALITY = 78
_SVG = "{http://www.w3.org/2000/svg}"
_DEEPEST = 300
_REFERENCE = re.compile(r"#([^\s)'\"]+)")
_ACTIVE = {
    f"{_SVG}{name}" for name in ("script", "foreignObject", "image", "style", "a", "animate", "set")
}


class Gallery:
    """The pictures of a module and of the extensions beside it, by the names its pieces call them."""

    def __init__(self, file: Path, limits: Limits) -> None:
        self._files = (file, *extensions_beside(file))
        self._limits = limits

    def counters(self, names: set[str]) -> dict[str, str]:
        """Data URIs of counters' pictures by name; those that cannot be drawn are left out."""
        vectors = {name for name in names if name.lower().endswith(".svg")}
        found = dict(self._vectors(vectors)) if len(vectors) <= MOST_VECTORS else {}
        for name, image in self._images(names - set(found), MOST_COUNTER_PIXELS):
            image.thumbnail((COUNTER_SIDE, COUNTER_SIDE))
            found[name] = _uri(image.convert("RGBA"), "png")
        return found

    def _vectors(self, names: set[str]) -> Iterator[tuple[str, str]]:
        for file in self._files:
            try:
                with open_archive(file, self._limits) as archive:
                    for name in sorted(names):
                        drawn = _vector(archive, name, self._limits)
                        if drawn:
                            yield name, drawn
            except UmpireError:
                continue

    def boards(self, names: set[str]) -> dict[str, str]:
        """Data URIs of boards' pictures by name, scaled down."""
        found = {}
        for name, image in self._images(names, MOST_PIXELS):
            image.thumbnail((BOARD_SIDE, BOARD_SIDE))
            found[name] = _uri(_on_white(image), "jpeg")
        return found

    def _images(self, names: set[str], most: int) -> Iterator[tuple[str, Image.Image]]:
        wanted = {name for name in names if name}
        for file in reversed(self._files):  # an extension's picture goes before the module's
            if not wanted:
                return
            try:
                with open_archive(file, self._limits) as archive:
                    for name in sorted(wanted):
                        image = _open(archive, name, most)
                        if image is not None:
                            wanted.discard(name)
                            yield name, image
            except UmpireError:
                continue


def art_of(
    file: Path,
    game: Game,
    history: TableHistory,
    pack: Pack,
    layouts: Mapping[str, MapLayout],
    eyes: Eyes,
    limits: Limits,
    *,
    map_images: bool = True,
) -> Art:
    """The art of the module ``file`` for a game; ``map_images`` False: without the boards' pictures.

    Of counters that ``eyes`` may not know of nothing is looked up.
    """
    gallery = Gallery(file, limits)
    _, places, _ = bind_board(pack, layouts)
    centres = {name: (str(at.map), float(at.x), float(at.y)) for name, at in places.centres.items()}
    shown = {on for on, _, _ in centres.values()}
    faces = dict(_faces(game, history, eyes))
    drawn = gallery.counters(set(faces.values()))
    return Art(
        centres=centres,
        pictures={on: tuple(_boards(layouts[on], gallery)) for on in sorted(shown) if map_images},
        counters={unit: drawn[face] for unit, face in faces.items() if face in drawn},
    )


def _faces(game: Game, history: TableHistory, eyes: Eyes) -> Iterator[tuple[str, str]]:
    """The name of the picture of each unit, as it was first seen."""
    wanted = {name for name, unit in game.units.items() if eyes.may_see(unit.seen_by)}
    for log in history.logs:
        seen = list(log.opening.pieces.values())
        seen += [c.after for step in log.steps for c in step.changes if c.after is not None]
        for piece in seen:
            if piece.id in wanted:
                wanted.discard(piece.id)
                yield piece.id, _face(piece)


def _face(piece: Piece) -> str:
    """Its own picture, else that of the innermost layer that shows one."""
    if piece.facts.image:
        return piece.facts.image
    layers = [v for k, v in piece.properties.items() if k.endswith("_Image") and v]
    return layers[-1] if layers else ""


def _boards(layout: MapLayout, gallery: Gallery) -> Iterator[Picture]:
    data = gallery.boards({board.definition.image for board in layout.boards})
    for board in layout.boards:
        uri = data.get(board.definition.image)
        if uri is not None and board.width and board.height:
            place = (float(board.x), float(board.y), float(board.width), float(board.height))
            yield Picture(*place, uri, board.reversed)


def _open(archive: Archive, name: str, most: int) -> Image.Image | None:
    """A picture of an archive, decoded; None if there is none, or none that may be decoded."""
    asked = (f"images/{name}", f"images/{name}.gif", name)  # old builds leave the suffix out
    entry = next((e for e in asked if e in archive), None)
    if entry is None:
        return None
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            image = Image.open(io.BytesIO(archive.read(entry)), formats=FORMATS)
            if image.width * image.height > most:
                return None
            image.load()
    except (UmpireError, OSError, ValueError, SyntaxError, EOFError, Image.DecompressionBombError):
        return None
    return image.convert("RGBA")


def _vector(archive: Archive, name: str, limits: Limits) -> str:
    """An SVG of an archive as a data URI, reduced to what is drawn; '' if it cannot be."""
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
        parent = element.getparent()
        if element.tag in _ACTIVE and parent is not None:
            parent.remove(element)
    return f"data:image/svg+xml;base64,{base64.b64encode(etree.tostring(root)).decode('ascii')}"


def _is_drawn_soon(root: etree._Element) -> bool:
    """Whether a drawing that uses its parts again and again comes to an end."""
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
        image.save(written, "JPEG", quality=_QUALITY, optimize=True)
    return f"data:image/{kind};base64,{base64.b64encode(written.getvalue()).decode('ascii')}"
