"""How the ground of a hex looks. ``GROUND`` has a style for every terrain a sample may name.

A style fills the hex with its colour and draws its growth; a place (a town, a building) is drawn
over whatever ground there is. Colours of levels go up with the level. Sizes are in percent of half a
hex's height, so that a board may be of any scale.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from zlib import crc32

from .canvas import Canvas, Colour, Point
from .hexes import Grid

INK: Colour = (45, 42, 38, 255)
WATER: Colour = (122, 172, 210, 255)
SHORE: Colour = (74, 122, 172, 255)
LEVELS: tuple[Colour, ...] = (
    (226, 219, 184, 255), (211, 190, 142, 255), (190, 158, 110, 255), (164, 128, 86, 255),
    (138, 104, 70, 255),
)  # fmt: skip
"""The ground of hills, by level; level 0 is open ground."""

# Where growth may stand in a hex: percent of half its height, from the middle; the far ones first.
SPOTS = (
    (-48, -56), (0, -52), (44, -56), (-68, -32), (-22, -34), (28, -30), (70, -26), (-86, 2), (-46, 0),
    (2, -2), (50, 6), (86, 8), (-68, 34), (-24, 32), (20, 36), (64, 38), (-40, 66), (4, 68), (44, 64),
)  # fmt: skip


@dataclass(frozen=True)
class Plot:
    """One hex to draw on."""

    sheet: Canvas
    name: str
    middle: Point
    unit: int

    def at(self, across: int, down: int) -> Point:
        """A point by percent of half the hex's height from its middle."""
        return (
            self.middle[0] + across * self.unit // 100,
            self.middle[1] + down * self.unit // 100,
        )

    def size(self, percent: int) -> int:
        return max(percent * self.unit // 100, 1)

    def chance(self, what: object, most: int) -> int:
        """A whole number up to ``most``, the same whenever this hex is drawn."""
        return crc32(f"{self.name} {what}".encode()) % (most + 1)

    def spots(self, every: int = 1, sway: int = 8) -> list[Point]:
        """Places for growth, shaken a little, from top to bottom."""
        return [
            self.at(x + self.chance((i, "x"), 2 * sway) - sway, y + self.chance((i, "y"), 2 * sway) - sway)
            for i, (x, y) in enumerate(SPOTS)
            if i % every == 0
        ]  # fmt: skip

    def area(self, points: list[Point], colour: Colour) -> None:
        """A polygon by percents."""
        self.sheet.polygon([self.at(*point) for point in points], colour)


Growth = Callable[[Plot], None]


@dataclass(frozen=True)
class Ground:
    """``colour``: of the whole hex, None for what stands on any ground."""

    colour: Colour | None
    growth: Growth | None = None


def lay(sheet: Canvas, grid: Grid, name: str, terrains: tuple[str, ...]) -> None:
    """Draw one hex: the first terrain's colour, and what grows of each. An unknown one is blank."""
    styles = [_style(terrain) for terrain in terrains] or [BLANK]
    colour = next((style.colour for style in styles if style.colour), LEVELS[0])
    sheet.polygon(grid.corners(name), colour)
    plot = Plot(sheet, name, grid.centre(name), grid.dy // 2)
    for style in styles:
        if style.growth is not None:
            style.growth(plot)


def _style(terrain: str) -> Ground:
    """The style of a terrain; a nub is a bit of its colour at the hex's edge."""
    terrain = terrain.replace("-", " ")
    if not terrain.endswith(" nub"):
        return GROUND[terrain]
    whole = GROUND[terrain.removesuffix(" nub")]

    def nub(plot: Plot) -> None:
        colour = whole.colour or SLATE
        plot.area([(54, -96), (112, -2), (78, 6), (52, -22), (30, -64)], _shade(colour, -60))
        plot.area([(57, -94), (112, -2), (82, 0), (56, -28), (36, -66)], colour)

    return Ground(None, nub)


def _shade(colour: Colour, by: int) -> Colour:
    red, green, blue = (min(max(part + by, 0), 255) for part in colour[:3])
    return red, green, blue, 255


def _trees(leaf: Colour, every: int, radius: int) -> Growth:
    def draw(plot: Plot) -> None:
        r = plot.size(radius)
        for x, y in plot.spots(every):
            plot.sheet.disc((x + r // 4, y + r // 3), r, _shade(leaf, -38))
            plot.sheet.disc((x, y), r, leaf)
            plot.sheet.disc((x - r // 4, y - r // 3), r // 2, _shade(leaf, 26))

    return draw


def _rows(colour: Colour, gap: int, radius: int) -> Growth:
    """Plants in rows: orchards, vineyards."""

    def draw(plot: Plot) -> None:
        for down in range(-60, 61, gap):
            for across in range(-60, 61, gap):
                x, y = plot.at(across, down)
                plot.sheet.disc((x + 2, y + 2), plot.size(radius), _shade(colour, -40))
                plot.sheet.disc((x, y), plot.size(radius), colour)

    return draw


def _tufts(stalk: Colour, water: Colour | None, every: int) -> Growth:
    """Grass; over streaks of water it is a marsh."""

    def draw(plot: Plot) -> None:
        for x, y in plot.spots(every, 6):
            long, thick = plot.size(13), plot.size(3)
            if water is not None:
                plot.sheet.stroke([(x - long, y), (x + long, y)], thick, water)
                low = y + plot.size(7)
                plot.sheet.stroke([(x - long // 2, low), (x + long // 2, low)], thick, water)
            for lean in (-6, 0, 6):
                top = (x + plot.size(abs(lean)) * (1 if lean > 0 else -1 if lean else 0), y - long)
                plot.sheet.stroke([(x, y), top], thick, stalk)

    return draw


def _slopes(plot: Plot) -> None:
    """Hills: hatched knolls."""
    brown: Colour = (150, 112, 66, 255)
    for i, (across, down, wide) in enumerate(((-34, -30, 34), (34, 2, 38), (-26, 46, 30))):
        sway = plot.chance(i, 10) - 5
        for part in range(-5, 6):
            x = across + sway + part * wide // 5
            top = down - (25 - part * part) * wide // 60
            length = 12 + (25 - part * part) // 4
            ends = [plot.at(x, top), plot.at(x + part * 2, top + length)]
            plot.sheet.stroke(ends, plot.size(4), brown)


def _peaks(plot: Plot) -> None:
    rock, dark, snow = (150, 138, 128, 255), (104, 94, 88, 255), (246, 246, 244, 255)
    for i, (across, foot, tall) in enumerate(((-34, 0, 52), (36, 6, 60), (-4, 60, 70))):
        x = across + plot.chance(i, 8) - 4
        wide, top = tall * 6 // 10, foot - tall
        plot.area([(x - wide, foot), (x, top), (x + wide, foot)], rock)
        plot.area([(x, top), (x + wide, foot), (x + wide // 4, foot)], dark)
        cap = tall // 3
        slip = wide * cap // tall
        low, mid = top + cap, top + cap * 2 // 3
        plot.area(
            [(x - slip, low), (x, top), (x + slip, low), (x + slip // 3, mid), (x, low + 4),
             (x - slip // 3, mid)], snow)  # fmt: skip


def _fields(colour: Colour) -> Growth:
    """Furrows of corn."""

    def draw(plot: Plot) -> None:
        for down in range(-64, 65, 16):
            reach = 88 - abs(down) // 2
            ends = [plot.at(-reach, down), plot.at(reach, down)]
            plot.sheet.dashes(ends, plot.size(5), colour, plot.size(12), plot.size(5))

    return draw


def _waves(plot: Plot) -> None:
    for x, y in plot.spots(3, 6):
        w, h = plot.size(9), plot.size(4)
        points = [(x - 2 * w, y), (x - w, y - h), (x, y), (x + w, y - h), (x + 2 * w, y)]
        plot.sheet.stroke(points, plot.size(3), _shade(WATER, 45))


def _pond(plot: Plot) -> None:
    for radius, colour in ((44, SHORE), (40, WATER)):
        plot.sheet.disc(plot.at(-16, 2), plot.size(radius), colour)
        plot.sheet.disc(plot.at(20, -4), plot.size(radius - 6), colour)
    for radius, colour in ((40, WATER),):
        plot.sheet.disc(plot.at(-16, 2), plot.size(radius), colour)


def _specks(colour: Colour, every: int) -> Growth:
    """Sand, stones, shell holes."""

    def draw(plot: Plot) -> None:
        for x, y in plot.spots(every, 12):
            plot.sheet.disc((x, y), plot.size(4), colour)
            plot.sheet.disc((x + plot.size(12), y + plot.size(9)), plot.size(3), colour)

    return draw


def _houses(plan: tuple[tuple[int, int, int, int], ...], roof: Colour) -> Growth:
    """``plan``: left, top, width and height of each house, in percent."""

    def draw(plot: Plot) -> None:
        for left, top, wide, high in plan:
            x, y = plot.at(left, top)
            right, bottom = plot.at(left + wide, top + high)
            rim = plot.size(4)
            plot.sheet.box(x + rim, y + rim, right + rim, bottom + rim, (90, 84, 74, 255))
            plot.sheet.box(x, y, right, bottom, roof)
            plot.sheet.box(x, (y + bottom) // 2, right, bottom, _shade(roof, -26))
            plot.sheet.frame(x, y, right, bottom, max(rim // 2, 1), INK)

    return draw


def _building(wall: Colour, roof: Colour) -> Growth:
    """One large house, as it looks from above."""

    def draw(plot: Plot) -> None:
        plot.area([(-42, -30), (54, -30), (54, 46), (-42, 46)], (100, 96, 84, 255))
        plot.area([(-50, -38), (46, -38), (46, 38), (-50, 38)], wall)
        plot.area([(-44, -32), (40, -32), (24, 0), (-28, 0)], _shade(roof, 18))
        plot.area([(-44, 32), (40, 32), (24, 0), (-28, 0)], _shade(roof, -30))
        plot.area([(-44, -32), (-28, 0), (-44, 32)], roof)
        plot.area([(40, -32), (24, 0), (40, 32)], _shade(roof, -14))

    return draw


def _rubble(plot: Plot) -> None:
    for i, (x, y) in enumerate(plot.spots(1, 10)):
        side, grey = plot.size(7 + plot.chance(i, 6)), 120 + plot.chance((i, "g"), 60)
        plot.sheet.box(
            x - side // 2, y - side // 2, x + side, y + side, (grey, grey - 6, grey - 14, 255)
        )
        plot.sheet.frame(x - side // 2, y - side // 2, x + side, y + side, 1, INK)


def _works(plot: Plot) -> None:
    """Field works: a zigzag trench with its parapet."""
    zigzag = [(-58, 10), (-38, -14), (-14, 12), (12, -14), (36, 12), (58, -12)]
    points = [plot.at(*point) for point in zigzag]
    plot.sheet.stroke(points, plot.size(16), (176, 150, 104, 255))
    plot.sheet.stroke(points, plot.size(8), (84, 66, 46, 255))


def _fort(plot: Plot) -> None:
    for size, colour in ((42, INK), (36, (176, 172, 164, 255)), (16, INK)):
        star = [(0, -size), (size * 9 // 10, -size // 3), (size * 6 // 10, size * 8 // 10),
                (-size * 6 // 10, size * 8 // 10), (-size * 9 // 10, -size // 3)]  # fmt: skip
        plot.area(star, colour)


def _question(plot: Plot) -> None:
    x, y = plot.at(0, -30)
    plot.sheet.letters(x, y, "?", (160, 160, 160, 255), plot.size(9))


def _wooded_slopes(plot: Plot) -> None:
    _slopes(plot)
    _trees((96, 142, 78, 255), 3, 15)(plot)


def _mines(plot: Plot) -> None:
    for x, y in plot.spots(3, 6):
        r = plot.size(9)
        plot.sheet.disc((x, y), r, (70, 64, 58, 255))
        for dx, dy in ((1, 0), (0, 1), (-1, 0), (0, -1)):
            plot.sheet.stroke(
                [(x, y), (x + dx * r * 3 // 2, y + dy * r * 3 // 2)], plot.size(4), INK
            )


def _coils(plot: Plot) -> None:
    """Barbed wire."""
    for down in (-8, 22):
        points = [
            plot.at(x, down + (10 if i % 2 else -10)) for i, x in enumerate(range(-78, 79, 12))
        ]
        plot.sheet.stroke(points, plot.size(4), (84, 84, 88, 255))
        ends = [plot.at(-84, down), plot.at(84, down)]
        plot.sheet.stroke(ends, plot.size(3), (84, 84, 88, 255))


def _casemate(plot: Plot) -> None:
    """A bunker or pillbox: thick walls, an embrasure."""
    plot.area([(-34, -24), (34, -24), (46, 20), (-46, 20)], INK)
    plot.area([(-28, -18), (28, -18), (38, 14), (-38, 14)], (170, 168, 160, 255))
    plot.area([(-20, -2), (20, -2), (22, 6), (-22, 6)], INK)


def _casemates(plot: Plot) -> None:
    """A fortified line: pillboxes and dragon's teeth."""
    for across, down in ((-38, -26), (30, -8), (-16, 34)):
        x, y = plot.at(across, down)
        half = plot.size(15)
        plot.sheet.box(x - half, y - half, x + half, y + half, INK)
        plot.sheet.box(x - half + 4, y - half + 4, x + half - 4, y + half - 4, (170, 168, 160, 255))
        plot.sheet.box(x - half // 2, y - 2, x + half // 2, y + 3, INK)


def _bags(plot: Plot) -> None:
    """Sandbags in a horseshoe; a foxhole is what they lie around."""
    plot.sheet.disc(plot.at(0, 6), plot.size(26), (96, 76, 52, 255))
    ring = ((-34, 18), (-36, -2), (-28, -20), (-10, -30), (10, -30), (28, -20), (36, -2), (34, 18))
    for across, down in ring:
        x, y = plot.at(across, down)
        plot.sheet.disc((x, y), plot.size(11), (120, 98, 62, 255))
        plot.sheet.disc((x - 1, y - 1), plot.size(9), (196, 172, 124, 255))


def _hole(plot: Plot) -> None:
    for across, down in ((-30, -14), (26, -4), (-6, 30)):
        plot.sheet.disc(plot.at(across, down), plot.size(15), (176, 150, 104, 255))
        plot.sheet.disc(plot.at(across, down), plot.size(10), (84, 66, 46, 255))


def _stacks(plot: Plot) -> None:
    """Hay."""
    for across, down in ((-36, -30), (24, -34), (-4, 6), (40, 18), (-42, 34)):
        x, y = plot.at(across, down)
        plot.sheet.disc((x + 2, y + 3), plot.size(15), (150, 118, 50, 255))
        plot.sheet.disc((x, y), plot.size(15), (222, 186, 92, 255))
        plot.sheet.disc((x, y - plot.size(5)), plot.size(6), (240, 212, 130, 255))


def _palms(plot: Plot) -> None:
    for x, y in plot.spots(3, 6):
        for dx, dy in ((-15, -6), (15, -6), (-11, 9), (11, 9), (0, -15)):
            tip = (x + plot.size(abs(dx)) * (1 if dx > 0 else -1 if dx else 0),
                   y + plot.size(abs(dy)) * (1 if dy > 0 else -1))  # fmt: skip
            plot.sheet.stroke([(x, y), tip], plot.size(6), (74, 132, 74, 255))
        plot.sheet.disc((x, y), plot.size(5), (120, 84, 50, 255))


def _smoke(plot: Plot) -> None:
    for i, (across, down) in enumerate(((-30, 8), (0, -14), (30, 6), (-6, 20), (16, 24))):
        plot.sheet.disc(plot.at(across, down), plot.size(28 - 3 * (i % 3)), (206, 206, 208, 255))
    for across, down in ((-26, 2), (4, -18), (28, 0)):
        plot.sheet.disc(plot.at(across, down), plot.size(18), (224, 224, 226, 255))


def _cleft(plot: Plot) -> None:
    """A deep, narrow break in the ground."""
    crack = [plot.at(*p) for p in ((-70, -40), (-30, -10), (-4, -22), (22, 18), (60, 10), (78, 44))]
    plot.sheet.stroke(crack, plot.size(20), (150, 122, 84, 255))
    plot.sheet.stroke(crack, plot.size(9), (70, 54, 40, 255))


VILLAGE = ((-46, -40, 26, 20), (10, -48, 30, 20), (-30, 10, 24, 22), (20, 18, 28, 20))
TOWN = (*VILLAGE, (-12, -22, 20, 26), (46, -18, 24, 24), (-66, -8, 22, 22), (-8, 42, 24, 20))
CITY = tuple(
    (across, down, 24 - (across + down) % 5, 22 - (across * 3 + down) % 6)
    for down in (-68, -36, -4, 28)
    for across in (-76, -44, -12, 20, 52)
    if abs(across + 12) + abs(down + 20) // 2 < 80
)
TILES: Colour = (176, 92, 74, 255)
SLATE: Colour = (132, 130, 138, 255)

BLANK = Ground((250, 250, 248, 255), _question)
GROUND: dict[str, Ground] = {
    # open ground of all kinds
    "open": Ground(LEVELS[0]), "clear": Ground(LEVELS[0]),
    "cultivated": Ground((228, 216, 160, 255), _fields((206, 188, 118, 255))),
    "field": Ground((232, 212, 132, 255), _fields((204, 172, 84, 255))),
    "sand": Ground((238, 222, 172, 255), _specks((206, 180, 124, 255), 2)),
    "beach": Ground((242, 228, 182, 255), _specks((214, 192, 140, 255), 3)),
    "rough": Ground((208, 192, 150, 255), _specks((124, 106, 82, 255), 1)),
    "broken": Ground((214, 202, 162, 255), _specks((128, 110, 84, 255), 2)),
    "pavement": Ground((198, 194, 186, 255)),
    # growth
    "woods": Ground((168, 192, 128, 255), _trees((88, 136, 70, 255), 1, 15)),
    "light woods": Ground((192, 206, 146, 255), _trees((108, 154, 84, 255), 2, 14)),
    "forest": Ground((128, 166, 102, 255), _trees((58, 106, 56, 255), 1, 17)),
    "brush": Ground((206, 208, 152, 255), _tufts((96, 128, 62, 255), None, 1)),
    "orchard": Ground((206, 212, 150, 255), _rows((94, 142, 66, 255), 30, 9)),
    "vineyard": Ground((212, 208, 158, 255), _rows((120, 96, 132, 255), 24, 5)),
    "swamp": Ground((180, 200, 178, 255), _tufts((72, 112, 78, 255), SHORE, 2)),
    "marsh": Ground((194, 212, 196, 255), _tufts((82, 122, 84, 255), SHORE, 3)),
    # heights
    "hills": Ground(LEVELS[1], _slopes),
    "wooded hills": Ground((176, 178, 118, 255), _wooded_slopes),
    "mountain": Ground((186, 172, 152, 255), _peaks),
    **{f"level {n}": Ground(colour) for n, colour in enumerate(LEVELS)},
    # water
    "sea": Ground(WATER, _waves), "lake": Ground(WATER, _waves), "water": Ground(WATER, _waves),
    "pond": Ground(None, _pond),
    # places, on whatever ground
    "village": Ground(None, _houses(VILLAGE, TILES)),
    "town": Ground(None, _houses(TOWN, TILES)),
    "city": Ground((206, 198, 184, 255), _houses(CITY, (150, 104, 92, 255))),
    "stone building": Ground(None, _building((156, 152, 148, 255), SLATE)),
    "wooden building": Ground(None, _building((150, 116, 78, 255), (142, 92, 62, 255))),
    "building": Ground(None, _building((156, 152, 148, 255), TILES)),
    "rubble": Ground((198, 186, 168, 255), _rubble),
    "craters": Ground(None, _specks((110, 92, 70, 255), 2)),
    # what lies or was built in a hex, on whatever ground
    "fortification": Ground(None, _fort), "fort": Ground(None, _fort),
    "west wall": Ground(None, _casemates),
    "bunker": Ground(None, _casemate), "pillbox": Ground(None, _casemate),
    "sandbags": Ground(None, _bags), "foxhole": Ground(None, _hole), "foxholes": Ground(None, _hole),
    "trenches": Ground(None, _works), "cave": Ground(None, _casemate),
    "wire": Ground(None, _coils), "razor wire": Ground(None, _coils),
    "minefield": Ground(None, _mines), "smoke": Ground(None, _smoke),
    # courses: the water in them is drawn from hex to hex (module_builder/lines.py)
    "stream": Ground((208, 208, 160, 255)), "river": Ground((208, 208, 160, 255)),
    "gully": Ground((214, 200, 156, 255)), "wadi": Ground((230, 214, 166, 255)),
    "balka": Ground((214, 200, 156, 255)), "canal": Ground((208, 208, 160, 255)),
    "bridge": Ground(None),  # drawn with the road over it
    "crevasse": Ground((214, 202, 162, 255), _cleft),
    "river bank": Ground((216, 210, 166, 255), _tufts((96, 128, 62, 255), None, 3)),
    # names that other games have for the same
    "jungle": Ground((112, 154, 92, 255), _trees((50, 100, 52, 255), 1, 18)),
    "palm grove": Ground((226, 214, 168, 255), _palms),
    "hay stack": Ground((222, 212, 150, 255), _stacks),
    "crop": Ground((232, 212, 132, 255), _fields((204, 172, 84, 255))),
    "farmland": Ground((228, 216, 160, 255), _fields((206, 188, 118, 255))),
    "desert": Ground((238, 222, 172, 255), _specks((206, 180, 124, 255), 2)),
    "arid": Ground(None, _specks((206, 180, 124, 255), 3)),
    "arctic": Ground((240, 242, 244, 255)),
    "hill": Ground(LEVELS[1], _slopes),
    "ocean": Ground(WATER, _waves),
    "entrenchment": Ground(None, _works), "trench": Ground(None, _works),
}  # fmt: skip
