"""Counters and what may lie over them, drawn twice as large and halved.

A counter shows its name, its size, a symbol in a box and its values. Symbols are NATO's for larger
units; for squads and vehicles they are silhouettes.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from .canvas import CLEAR, Canvas, Colour, Point, letters_width
from .ground import INK

PAPER: Colour = (250, 248, 240, 255)
LEFT, TOP, RIGHT, BOTTOM = 22, 32, 78, 64
MIDDLE: Point = (50, 48)
SIZE = 50
"""Width and height of a counter, in pixels."""


@dataclass(frozen=True)
class Livery:
    """The colours of a side: its counters, the paper of its symbols."""

    ground: Colour
    paper: Colour = PAPER
    ink: Colour = INK


@dataclass(frozen=True)
class Face:
    """What is printed. ``size``: ``I`` to ``XXXX``. ``hue``: the colour of the last value."""

    name: str
    symbol: str
    size: str = ""
    values: tuple[str, ...] = ()
    hue: Colour | None = None


def draw(livery: Livery, face: Face) -> Canvas:
    """The counter."""
    sheet = Canvas(2 * SIZE, 2 * SIZE, livery.ground)
    _bevel(sheet, livery.ground)
    _bold(sheet, SIZE, 5, face.name, livery.ink, 2)
    _rank(sheet, face.size, livery.ink)
    symbol = SYMBOLS[face.symbol]
    if symbol.boxed:
        sheet.box(LEFT, TOP, RIGHT, BOTTOM, livery.paper)
    symbol.draw(sheet, livery)
    if symbol.boxed:
        sheet.frame(LEFT, TOP, RIGHT, BOTTOM, 2, livery.ink)
    _values(sheet, face, livery)
    return sheet.half()


def tag(words: str, colour: Colour) -> Canvas:
    """A tag that hangs below a counter: the picture of a layer's level."""
    sheet = Canvas(2 * SIZE, 2 * SIZE + 40, CLEAR)
    wide = min(letters_width(words, 2) // 2 + 8, SIZE)
    sheet.box(SIZE - wide, 2 * SIZE + 16, SIZE + wide, 2 * SIZE + 38, colour)
    sheet.frame(SIZE - wide, 2 * SIZE + 16, SIZE + wide, 2 * SIZE + 38, 2, INK)
    sheet.letters(SIZE, 2 * SIZE + 20, words, INK if sum(colour[:3]) > 330 else PAPER, 2)
    return sheet.half()


def band(colour: Colour) -> Canvas:
    """A frame with a bar across: a unit that is disrupted, fatigued, out of action."""
    sheet = Canvas(2 * SIZE, 2 * SIZE, CLEAR)
    sheet.frame(0, 0, 2 * SIZE, 2 * SIZE, 6, colour)
    sheet.stroke([(6, 94), (94, 6)], 6, colour)
    return sheet.half()


def _bevel(sheet: Canvas, ground: Colour) -> None:
    light: Colour = (*(min(part + 34, 255) for part in ground[:3]), 255)  # type: ignore[assignment]
    dark: Colour = (*(part * 7 // 10 for part in ground[:3]), 255)  # type: ignore[assignment]
    end = 2 * SIZE
    sheet.frame(0, 0, end, end, 3, dark)
    sheet.box(0, 0, end - 3, 3, light)
    sheet.box(0, 0, 3, end - 3, light)


def _bold(sheet: Canvas, x: int, y: int, words: str, colour: Colour, size: int) -> None:
    """Letters half a dot thicker: one dot of them would be pale when halved."""
    for shift in (0, 1):
        sheet.letters(x + shift, y, words, colour, size)


def _rank(sheet: Canvas, size: str, ink: Colour) -> None:
    """``I`` company, ``II`` battalion, ``III`` regiment, ``X`` brigade, ``XX`` division …"""
    x = SIZE - 6 * (len(size) - 1)
    for mark in size:
        if mark == "I":
            sheet.box(x - 1, 22, x + 2, 31, ink)
        elif mark == "X":
            sheet.stroke([(x - 3, 23), (x + 4, 30)], 3, ink)
            sheet.stroke([(x + 4, 23), (x - 3, 30)], 3, ink)
        else:
            sheet.disc((x, 27), 3, ink)
        x += 12


def _values(sheet: Canvas, face: Face, livery: Livery) -> None:
    words = "-".join(face.values)
    if not words:
        return
    dot = next(size for size in (3, 2, 1) if letters_width(words, size) <= 92)
    y = 68 + (28 - 7 * dot) // 2
    _bold(sheet, SIZE, y, words, livery.ink, dot)
    if face.hue is not None:
        last = face.values[-1]
        right = SIZE - letters_width(words, dot) // 2 + letters_width(words, dot)
        width = letters_width(last, dot)
        sheet.box(right - width, y, right + 1, y + 7 * dot, livery.ground)
        _bold(sheet, right - width + width // 2, y, last, face.hue, dot)


# -- symbols ------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Symbol:
    """``boxed``: in a frame, as NATO's are."""

    draw: Callable[[Canvas, Livery], None]
    boxed: bool = True


def _lines(*strokes: tuple[Point, Point], thick: int = 3) -> Callable[[Canvas, Livery], None]:
    def draw(sheet: Canvas, livery: Livery) -> None:
        for a, b in strokes:
            sheet.stroke([a, b], thick, livery.ink)

    return draw


def _words(words: str) -> Callable[[Canvas, Livery], None]:
    def draw(sheet: Canvas, livery: Livery) -> None:
        sheet.letters(MIDDLE[0], 38, words, livery.ink, 3)

    return draw


def _all(*parts: Callable[[Canvas, Livery], None]) -> Callable[[Canvas, Livery], None]:
    def draw(sheet: Canvas, livery: Livery) -> None:
        for part in parts:
            part(sheet, livery)

    return draw


def _track(sheet: Canvas, livery: Livery) -> None:
    """The oval of armour, drawn as a rim."""
    for grow, colour in ((0, livery.ink), (3, livery.paper)):
        for x in (40, 60):
            sheet.disc((x, 48), 10 - grow, colour)
        sheet.box(40, 38 + grow, 61, 59 - grow, colour)


def _track_rim(sheet: Canvas, livery: Livery) -> None:
    """The oval of armour over other lines: its rim only."""
    for dy in range(-10, 11):
        for dx in range(-24, 25):
            past = max(abs(dx) - 10, 0)
            if 49 <= past * past + dy * dy <= 100:
                sheet.dot(50 + dx, 48 + dy, livery.ink)


def _ball(sheet: Canvas, livery: Livery) -> None:
    sheet.disc(MIDDLE, 7, livery.ink)


def _wheels(sheet: Canvas, livery: Livery) -> None:
    for x in (36, 50, 64):
        sheet.disc((x, 70 - 12), 3, livery.ink)


def _men(count: int) -> Callable[[Canvas, Livery], None]:
    def draw(sheet: Canvas, livery: Livery) -> None:
        for i in range(count):
            x = 50 + (2 * i - count + 1) * 11
            sheet.disc((x, 34), 5, livery.ink)
            sheet.polygon([(x - 7, 41), (x + 7, 41), (x + 5, 54), (x - 5, 54)], livery.ink)
            sheet.stroke([(x - 3, 54), (x - 4, 65)], 5, livery.ink)
            sheet.stroke([(x + 3, 54), (x + 4, 65)], 5, livery.ink)
            sheet.stroke([(x - 9, 52), (x + 10, 38)], 3, livery.ink)

    return draw


def _star(sheet: Canvas, livery: Livery) -> None:
    points = [(50, 30), (55, 43), (69, 43), (58, 51), (62, 65), (50, 57), (38, 65), (42, 51),
              (31, 43), (45, 43)]  # fmt: skip
    sheet.polygon(points, livery.ink)


def _gun(sheet: Canvas, livery: Livery) -> None:
    sheet.stroke([(50, 50), (50, 24)], 5, livery.ink)
    sheet.stroke([(34, 52), (66, 52)], 5, livery.ink)
    for x in (34, 66):
        sheet.box(x - 4, 44, x + 4, 62, livery.ink)
    sheet.stroke([(46, 52), (38, 66)], 4, livery.ink)
    sheet.stroke([(54, 52), (62, 66)], 4, livery.ink)


def _hull(shade: Colour, *, turret: bool) -> Callable[[Canvas, Livery], None]:
    """A vehicle from above, its front up."""

    def draw(sheet: Canvas, livery: Livery) -> None:
        for x in (34, 60):
            sheet.box(x, 28, x + 7, 66, livery.ink)
        sheet.box(39, 30, 62, 65, shade)
        sheet.frame(39, 30, 62, 65, 2, livery.ink)
        if turret:
            sheet.stroke([(50, 48), (50, 23)], 4, livery.ink)
            sheet.disc((50, 49), 10, livery.ink)
            sheet.disc((50, 49), 7, shade)
        else:
            sheet.box(42, 44, 59, 62, livery.paper)
            sheet.frame(42, 44, 59, 62, 2, livery.ink)

    return draw


def _lorry(sheet: Canvas, livery: Livery) -> None:
    sheet.box(26, 40, 56, 58, livery.ink)
    sheet.polygon([(58, 46), (68, 46), (74, 52), (74, 58), (58, 58)], livery.ink)
    for x in (34, 48, 67):
        sheet.disc((x, 60), 6, livery.ink)
        sheet.disc((x, 60), 2, livery.paper)


_CROSS = _lines(((LEFT, TOP), (RIGHT, BOTTOM)), ((LEFT, BOTTOM), (RIGHT, TOP)))
_SLASH = _lines(((LEFT, BOTTOM), (RIGHT, TOP)))
_POST = _lines(((50, TOP), (50, BOTTOM)))
_STEEL: Colour = (150, 152, 140, 255)

SYMBOLS: dict[str, Symbol] = {
    "infantry": Symbol(_CROSS),
    "motorized": Symbol(_all(_CROSS, _POST)),
    "mechanized": Symbol(_all(_CROSS, _track_rim)),
    "armour": Symbol(_track),
    "recon": Symbol(_SLASH),
    "armoured recon": Symbol(_all(_track, _SLASH)),
    "cavalry": Symbol(_SLASH),
    "paratroops": Symbol(_all(_CROSS, _lines(((38, 60), (44, 56)), ((44, 56), (50, 60)),
                                             ((50, 60), (56, 56)), ((56, 56), (62, 60))))),
    "mountain": Symbol(_all(_CROSS, lambda sheet, livery: sheet.polygon(
        [(50, 52), (60, 64), (40, 64)], livery.ink))),
    "artillery": Symbol(_ball),
    "motorized artillery": Symbol(_all(_ball, _wheels)),
    "armoured artillery": Symbol(_all(_track, _ball)),
    "antitank": Symbol(_lines(((LEFT, BOTTOM), (50, TOP)), ((50, TOP), (RIGHT, BOTTOM)))),
    "engineer": Symbol(_lines(((34, 42), (66, 42)), ((34, 42), (34, 56)), ((50, 42), (50, 56)),
                              ((66, 42), (66, 56)), thick=4)),
    "machine gun": Symbol(_all(_CROSS, _lines(((36, 38), (36, 58)), ((64, 38), (64, 58))))),
    "hq": Symbol(_words("HQ")),
    "supply": Symbol(_words("SP")),
    "transport": Symbol(_lorry),
    "hedgehog": Symbol(_lines(((30, 58), (50, 38)), ((50, 38), (70, 58)), ((34, 44), (66, 44)),
                              ((38, 62), (50, 50)), ((50, 50), (62, 62)), thick=4), boxed=False),
    "squad": Symbol(_men(3), boxed=False),
    "half squad": Symbol(_men(2), boxed=False),
    "man": Symbol(_men(1), boxed=False),
    "leader": Symbol(_star, boxed=False),
    "gun": Symbol(_gun, boxed=False),
    "tank": Symbol(_hull(_STEEL, turret=True), boxed=False),
    "half-track": Symbol(_hull(_STEEL, turret=False), boxed=False),
    "truck": Symbol(_lorry, boxed=False),
}  # fmt: skip
