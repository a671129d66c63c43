"""Game setups of wacht-am-rhein drawn for one clause each: few things are in them, those the clause asks for.

A valley, hexes in a straight line amid bog that nobody can enter, or a road through wide country; east
of it other units go about their business. Whoever forgets the clause goes down the valley where an honest
player cannot.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cached_property
from random import Random
from typing import Any

from vassal_umpire.model.board import Board, Line, edge
from vassal_umpire.model.fact import Value

from .kit import BOX, Fraction, GameSetup, replace, unit
from .wacht_am_rhein_setup import RULES, calm_setup
from .wacht_am_rhein_units import points_used

Role = dict[str, Value | int]
COLUMN, EAST = 3, 6
"""The column of the valley, and the last that is cleared for it."""
STILL = "combat-reserve"
"""The mode of those who wait in their hexes for what comes."""
SIDES = ("German", "Allied")
DEAR = {**RULES["terrain"], "clear": {"mech": 8, "leg": 8}}
"""What terrain costs in wide country: nobody gets anywhere off the road."""
ELSEWHERE = " of the east"
"""How the names end of those who are not on the stage."""


@dataclass
class Stage:
    """A valley with what is in it. ``valley``: its hexes, from one end to the other; a place is the number of
    one of them, or the name of any hex. Most methods return the stage, so that they can be told in a row."""

    rng: Random
    board: Board
    valley: tuple[str, ...]
    roles: dict[str, Role] = field(default_factory=dict)
    places: dict[str, str] = field(default_factory=dict)
    wide: bool = False
    night: bool = False
    grounds: dict[str, str] = field(default_factory=dict)
    features: dict[str, str] = field(default_factory=dict)
    sides: dict[tuple[str, str], tuple[str, ...]] = field(default_factory=dict)
    lines: list[Line] = field(default_factory=list)
    options: dict[str, str] = field(default_factory=dict)
    trucks: dict[str, Fraction] = field(default_factory=dict)

    @cached_property
    def own(self) -> str:
        """The side of the mover, where it may be either; drawn when it is first asked for."""
        return self.rng.choice(SIDES)

    @property
    def foe(self) -> str:
        return SIDES[1 - SIDES.index(self.own)]

    def pick(self, *of: Any) -> Any:
        return self.rng.choice(of)

    def at(self, place: int | str) -> str:
        return self.valley[place] if isinstance(place, int) else place

    def beside(self, number: int, hexes: int = 1) -> str:
        """The hex so far east of one of the valley and of the next; two hexes east is next to neither."""
        row = min(int(name[2:]) for name in self.valley[number : number + 2])
        return f"{COLUMN + hexes:02}{row:02}"

    def where(self, **fields: bool) -> Stage:
        """In ``wide`` country, or by ``night``."""
        vars(self).update(fields)
        return self

    def told(self, table: str, **values: Any) -> Stage:
        """What stands in one of the tables of a stage."""
        getattr(self, table).update(values)
        return self

    def put(self, side: str, *places: int | str, **facts: Value | int) -> Stage:
        """A unit of a side in each of some places, plain but for these facts."""
        for place in places:
            name = f"{side} {1 + sum(known.startswith(side) for known in self.roles)}"
            self.roles[name] = {**plain(side), **facts}
            self.places[name] = self.at(place)
        return self

    def mover(self, side: str = "", at: int = 0, **facts: Any) -> Stage:
        """The unit that goes down the valley."""
        return self.put(side or self.own, at, **{"mode": "tactical", **facts})

    def ground(self, terrain: str, *places: int | str) -> Stage:
        """Makes places passable off the road."""
        self.grounds.update(dict.fromkeys(map(self.at, places), terrain))
        return self

    def open(self, terrain: str = "clear") -> Stage:
        """Makes all of the valley passable."""
        return self.ground(terrain, *range(len(self.valley)))

    def feature(self, name: str, *places: int | str) -> Stage:
        self.features.update(dict.fromkeys(map(self.at, places), name))
        return self

    def line(self, kind: str, *places: int | str) -> Stage:
        self.lines.append(Line(kind, tuple(map(self.at, places))))
        return self

    def road(self, kind: str, last: int = 7) -> Stage:
        """From the first hex of the valley to one of the others."""
        return self.line(kind, *range(last + 1))

    def gorge(self, *ends: tuple[int | str, int | str]) -> Stage:
        """The second hex of the valley, constricted, and dashed lines through it."""
        for before, after in ends:
            self.line("dashed", before, 1, after)
        return self.feature("constricted", 1)

    def water(self, number: int, *features: str) -> Stage:
        """What lies between a hex of the valley and the next."""
        self.sides[edge(self.valley[number], self.valley[number + 1])] = features
        return self

    def moat(self, number: int, *features: str) -> Stage:
        """The same between the next hex and all others but the one after it."""
        far = self.valley[number + 1]
        for name in self.board.neighbours(far):
            if name != self.valley[number + 2]:
                self.sides[edge(far, name)] = features
        return self


def plain(side: str) -> Role:
    """A Mech unit that nothing cuts, raises or stops."""
    german = side == "German"
    return {
        "nation": "german" if german else "us", "class": "mech", "type": "armor", "designation": "none",
        "mode": STILL, "supply": "in", "fuel": "normal", "resting": False, "fatigue": False,
        "released": False, "leader": False, "motor": False, "formation": "A" if german else "C",
        "attached": "no", "echelon": "division", "command": "X" if german else "U",
        "army": "Fifth" if german else "First", "infantry-division": False, "breakdown": False,
        "strength": 1, "stacking": 1, "works": "none", "red": False, "depleted": False, "range": 3,
        "traction": "towed", "battery": "out", "calibre": "other", "bridge-class": "none",
        "static": False, "deployed": "no",
    }  # fmt: skip


def is_elsewhere(unit: str) -> bool:
    """Whether a unit is one of those that the setup was not drawn for."""
    return unit.endswith(ELSEWHERE)


def staged(build: Callable[[Stage], object], rng: Random) -> GameSetup:
    """A game setup with a stage in its west; who was there waits beside the map."""
    setup = calm_setup(rng)
    valley = tuple(f"{COLUMN:02}{row:02}" for row in range(1, 9))
    made = Stage(rng, setup.board, valley[:: rng.choice((1, -1))])
    build(made)
    units, opening = {}, {}
    for name, one in setup.units.items():
        east = int(setup.opening[name][:2]) > EAST
        other = f"{name}{ELSEWHERE}"
        units[other] = replace(one, id=other, name=other)
        opening[other] = setup.opening[name] if east else BOX
    for name, role in made.roles.items():
        units[name] = unit(name, name.split()[0], role)
    opening |= made.places
    roles = [{k: fact.value for k, fact in u.attributes.items()} for u in units.values()]
    points: dict[str, Value] = {
        f"trucks-{army}": made.trucks.get(army, used + made.rng.choice((0, 1)))
        for army, used in points_used(roles).items()
    }
    return replace(
        setup,
        board=_board(setup.board, made),
        units=units,
        opening=opening,
        rules={**setup.rules, **({"terrain": DEAR} if made.wide else {})},
        options={**setup.options, **made.options},
        conditions={**setup.conditions, **points, "night": made.night},
    )


def _board(board: Board, made: Stage) -> Board:
    """The board with the valley and what lies about it, and nothing else in the west."""
    hexes = dict(board.hexes)
    for name, here in board.hexes.items():
        if int(name[:2]) <= EAST:
            about = "clear" if made.wide and int(name[:2]) < EAST else "bog"
            here = replace(here, terrain=tuple(made.grounds.get(name, about).split()), features=())
            if name in made.features:
                here = replace(here, features=(made.features[name],))
            hexes[name] = here
    east = {name for name in hexes if int(name[:2]) > EAST}
    sides = {pair: what for pair, what in board.sides.items() if east.issuperset(pair)}
    lines = [line for line in board.lines if east.issuperset(line.hexes)]
    return replace(board, hexes=hexes, sides={**sides, **made.sides}, lines=(*lines, *made.lines))
