"""Finds the pictures of a pack's sheets, and the hexes and sides that lie on each."""

from __future__ import annotations

import hashlib
import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import median

import numpy as np
from PIL import Image

from ...importers.pack.board import Places
from ...importers.vassal.archive import Archive, open_archive
from ...importers.vassal.layout import MapLayout, PlacedBoard
from ...importers.vassal.limits import Limits
from ...model.board import Board
from ...model.problem import Problem, UmpireError
from ..board_geometry import Point, shapes_of
from ..pictures import MOST_FILE, Studio, TooLarge
from ..suggest.cells import Bytes, Cells, Edge
from ..suggest.survey import Survey

LARGEST_PITCH = 96.0
"""A picture with more pixels from hex to hex is scaled down to this: no smaller detail is looked for."""

_NEAR = 1.5
"""Neighbours lie within this many median distances. Farther ones are links of a folded map, which have no
side to look at."""


@dataclass(frozen=True)
class Ground:
    """One board's picture under its grid. ``title``: its name for the user. ``survey``: the picture, and the
    cells in its pixels. ``corners``: the corners of each hex in order round it, in the same pixels.
    ``sha256``: the digest of the picture's file."""

    title: str
    sha256: str
    survey: Survey
    corners: Mapping[str, tuple[Point, ...]]


@dataclass(frozen=True)
class _Lying:
    """The hexes and sides on one board of a map, in pixels of the map. Sides between boards are left out."""

    title: str
    under: PlacedBoard
    centres: Mapping[str, Point]
    corners: Mapping[str, tuple[Point, ...]]
    edges: tuple[Edge, ...]

    @property
    def pitch(self) -> float:
        return median(math.dist(self.centres[e.a], self.centres[e.b]) for e in self.edges)


class _CannotLook(Exception):
    """A picture cannot be used; the text says why."""


def grounds(
    files: Sequence[Path],
    board: Board,
    places: Places,
    layouts: Mapping[str, MapLayout],
    limits: Limits,
) -> tuple[tuple[Ground, ...], tuple[Problem, ...]]:
    """The pictures that hexes of ``board`` lie on, and a problem for each that cannot be used.

    ``files``: the module and the extensions beside it.
    """
    studio = Studio()
    found: list[Ground] = []
    problems: list[Problem] = []
    for lying in _lying(board, places, layouts):
        try:
            found.append(_ground(files, lying, studio, limits))
        except _CannotLook as error:
            problems.append(Problem("no-picture", f"{lying.title}: {error}", files[0].name))
    return tuple(found), tuple(problems)


def _lying(board: Board, places: Places, layouts: Mapping[str, MapLayout]) -> list[_Lying]:
    number = {(on, name): place.board for on, place, name in places.homes()}
    found = []
    for shape in shapes_of(board, places, layouts):
        boards = layouts[shape.map].boards
        sides = {each.side: each for each in shape.sides}
        for index in sorted({number[shape.map, each.name] for each in shape.hexes}):
            here = [each for each in shape.hexes if number[shape.map, each.name] == index]
            centres = {each.name: each.centre for each in here}
            edges = [
                Edge(*each.side, each.start, each.end)
                for each in sides.values()
                if each.side[0] in centres and each.side[1] in centres
            ]
            apart = [math.dist(centres[e.a], centres[e.b]) for e in edges]
            most = _NEAR * median(apart) if apart else 0.0
            near = tuple(e for e, far in zip(edges, apart, strict=True) if far <= most)
            title = shape.map if len(boards) == 1 else f"{shape.map}, {boards[index].name}"
            corners = {each.name: each.corners for each in here}
            found.append(_Lying(title, boards[index], centres, corners, near))
    return found


def _ground(files: Sequence[Path], lying: _Lying, studio: Studio, limits: Limits) -> Ground:
    under, name = lying.under, lying.under.definition.image
    if not lying.edges or not under.width or not under.height:
        raise _CannotLook("no two of its hexes are neighbours")
    if name.lower().endswith((".svg", ".svgz")):
        raise _CannotLook(f"its picture {name!r} is an SVG, which is not looked at")
    if not name:
        raise _CannotLook("the module has no picture of it")
    data = _read(files, name, limits)
    if data is None:
        raise _CannotLook(f"its picture {name!r} is not in the module")
    longest = max(under.width, under.height) * min(1.0, LARGEST_PITCH / lying.pitch)
    try:
        image = studio.shrunk(data, max(1, math.ceil(longest)))
    except TooLarge as error:
        raise _CannotLook(f"its picture {name!r} is too large ({error})") from None
    if image is None:
        raise _CannotLook(f"its picture {name!r} cannot be read")
    at = _in_picture(lying.under, image.size)
    cells = Cells(
        {hex_: at(point) for hex_, point in lying.centres.items()},
        tuple(Edge(e.a, e.b, at(e.start), at(e.end)) for e in lying.edges),
    )
    corners = {hex_: tuple(map(at, around)) for hex_, around in lying.corners.items()}
    sha256 = hashlib.sha256(data).hexdigest()
    return Ground(lying.title, sha256, Survey(_plain(image), cells), corners)


def _in_picture(under: PlacedBoard, size: tuple[int, int]) -> Callable[[Point], Point]:
    """The conversion from pixels of the map to pixels of a board's picture, which has ``size``."""
    wide, high = size[0] / under.width, size[1] / under.height

    def at(point: Point) -> Point:
        x, y = point[0] - under.x, point[1] - under.y
        if under.reversed:
            x, y = under.width - x, under.height - y
        return x * wide, y * high

    return at


def _plain(image: Image.Image) -> Bytes:
    """The picture on white, as an array height × width × RGB."""
    ground = Image.new("RGB", image.size, "white")
    ground.paste(image, mask=image.getchannel("A"))
    return np.asarray(ground)


def _read(files: Sequence[Path], name: str, limits: Limits) -> bytes | None:
    """The bytes of the picture ``name``; an extension's is preferred to the module's. None if no file
    has it, or none that is small enough."""
    for file in reversed(files):
        try:
            with open_archive(file, limits) as archive:
                entry = _entry(archive, name)
                if entry is not None and archive.size(entry) <= MOST_FILE:
                    return archive.read(entry)
        except UmpireError:
            continue  # whoever read the module has said so
    return None


def _entry(archive: Archive, name: str) -> str | None:
    asked = (f"images/{name}", f"images/{name}.gif", name)  # old builds leave the suffix out
    return next((entry for entry in asked if name and entry in archive), None)
