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
LEG: dict[str, Value | int] = {"class": "leg", "type": "infantry"}
GI = {**LEG, "infantry-division": True}
"""Leg infantry of a US Infantry Division."""
ENGINEER = {**LEG, "type": "engineer"}
HEAVY: dict[str, Value | int] = {"type": "heavy-armor", "bridge-class": "H"}
EXPLOITER: dict[str, Value | int] = {"mode": "exploit", "command": "Q", "formation": "Q"}
STRANGER: dict[str, Value | int] = {"red": True, "formation": "E", "command": "Z"}
"""Of German guns: there are no others of their formation."""
RIVERS = ("minor-river", "major-river")
ROADS = ("primary", "secondary")


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


def stage(clause: str, rng: Random) -> GameSetup | None:
    """A game setup with a stage for a clause in its west; who was there waits beside the map. None if setups
    of any kind give enough occasions."""
    build = STAGES.get(clause.removeprefix("WAR-"))
    if build is None:
        return None
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


# -- the stages, by clause ---------------------------------------------------------------------------


def _before_heavy_guns(s: Stage) -> Stage:
    """Two strength points, and heavy AT or Flak."""
    kind, points = s.pick("heavy-at", "flak"), s.pick(2, 3)
    s.ground("clear", *range(6), s.beside(3), s.beside(3, 2))
    s.put("German", s.beside(3), type="heavy-at", strength=points, **STRANGER)
    s.put("German", s.beside(3, 2), type=kind, **STRANGER)
    return s.mover("Allied", at=1, type=s.pick("armor", "other"))


def _on_trucks(s: Stage, side: str, kind: str) -> Stage:
    """One whom the army's trucks are not for."""
    unit = {**LEG, "type": s.pick("artillery", "hq", kind, "other"), "motor": True}
    return s.open().mover(side, **unit)


def _guns(s: Stage) -> dict[str, Value | int]:
    return {**LEG, "type": s.pick("at", "heavy-at")}


def _roadblock(s: Stage, start: int = 1, **facts: Value | int) -> Stage:
    """One in Exploit Mode, and an enemy in his way."""
    return s.open().put(s.own, start, **{**EXPLOITER, **facts}).put(s.foe, 2)


STAGES: dict[str, Callable[[Stage], Stage]] = {
    "5.3.1-b": _before_heavy_guns,
    "5.7.2-b": lambda s: _on_trucks(s, "Allied", "flak"),
    "5.7.2-c": lambda s: _on_trucks(s, "German", "engineer"),
    "5.7.2a-a": lambda s: (
        s.open()
        .mover("German", motor=True, **LEG)
        .told("trucks", Fifth=s.pick(Fraction(0), Fraction(1, 2), Fraction(3, 4)))
    ),
    "5.8.2": lambda s: s.open().mover(  # US guns that may go one hex
        "Allied", type="artillery", calibre=s.pick("105", "155h"), battery="in"
    ),
    "5.8.4-b": lambda s: s.open().mover(
        "German", type="artillery", echelon="army", range=18, motor=True
    ),
    "5.4.2-b2": lambda s: s.open().moat(0, "stream").mover("Allied", **_guns(s)),
    "5.4.2-c2": lambda s: s.open().water(0, "stream").mover("German", **_guns(s)),
    "5.4.2-a": lambda s: s.open().water(0, "stream").mover(ma=2, **LEG),
    "5.4.3b-a": lambda s: s.open().water(1, "minor-river").mover(ma=4, **LEG),
    "5.4.3a-d": lambda s: (  # where a trail crosses a river
        s.open()
        .moat(n := s.pick(0, 1), river := s.pick(*RIVERS))
        .water(n, river, "bridge")
        .line("trail", n, n + 1)
        .mover("German", **HEAVY)
    ),
    "5.4.3b-f": lambda s: (
        s.open().water(0, "major-river").mover(**LEG).put(s.own, s.pick(0, 1), **ENGINEER)
    ),
    # in by one dashed line, out by another
    "5.4.4b-c": lambda s: s.open().gorge((0, s.beside(0)), (s.beside(1, -1), 2)).mover(),
    "5.0-j": lambda s: s.ground("clear", 0).ground("clear woods", 1).mover(s.own, ma=s.pick(2, 3)),
    "5.0-k": lambda s: s.open().water(n := s.pick(0, 1, 2), "ridge").mover(ma=2 + 2 * n),
    "5.2-c4": lambda s: s.open().mover("German", type="bridge-column"),
    "5.3.6": lambda s: (  # between fortifications of the West Wall
        s.open()
        .feature("west-wall", *(walls := (s.beside(1), s.beside(1, -1))))
        .put("German", *walls)
        .mover("Allied")
    ),
    "5.3.2-a": lambda s: (
        s.open().told("options", adjacency_list="complete").mover(ma=2).put(s.foe, s.beside(1))
    ),
    "5.3.5-a": lambda s: s.open().mover(ma=2).put(s.own, 1, formation="E"),
    "5.4.4a-c": lambda s: s.open("woods").gorge((s.beside(0), s.beside(1, -1))).mover(ma=3, **LEG),
    "5.4.3a-b": lambda s: s.open().water(1, s.pick(*RIVERS), "ford").mover(ma=4),
    # in by a dashed line, out by none
    "5.4.4a-d": lambda s: s.open("woods").gorge((0, s.beside(0))).mover(ma=6, **LEG),
    "5.5-j": lambda s: (
        s.open("woods")
        .ground("clear", 0, 1)
        .line("trail", 0, 1)
        .told("options", pa_reverse_ruling="forbid")
        .mover(mode="pa")
    ),
    "5.9-a": lambda s: s.open().where(night=True).mover(ma=2),
    # roads, and friends on them
    "5.3.4-a": lambda s: (
        s.road("primary", 6)
        .mover(s.own, mode="strategic", type=s.pick("armor", "infantry"))
        .put(s.own, s.pick(1, 2, 3))
    ),
    "5.3.4-b": lambda s: (
        s.where(wide=True).road("primary", 6).mover(ma=3).put(s.own, s.pick(1, 2), mode="strategic")
    ),
    "5.4.4-d": lambda s: (  # a road that is not a dashed line, where that is held to ask the whole MA
        s.road(s.pick(*ROADS))
        .gorge((s.beside(0), s.beside(1, -1)))
        .told("options", constricted_road="penalty")
        .mover(mode=s.pick("tactical", "strategic"))
    ),
    "5.6.0-a": lambda s: s.road("primary").mover("German", mode="strategic", **LEG),
    "5.6.0-c": lambda s: (  # out of a hex with too many in it
        s.where(wide=True)
        .road("primary", 6)
        .put(s.own, 0, 0, stacking=3, **LEG)
        .mover(stacking=s.pick(1, 2), ma=2)
    ),
    "5.6.0-e": lambda s: (
        s.open()
        .road("primary", gap := s.pick(1, 2))
        .line("primary", *range(gap + 1, 8))
        .mover(mode="strategic")
    ),
    "5.6.1-b": lambda s: (  # two roads through a hex in which they do not meet
        s.feature("no-junction", 1)
        .line("primary", 0, 1, s.beside(0))
        .line("primary", s.beside(1, -1), *range(1, 8))
        .mover(mode="strategic")
    ),
    "5.6.1-c": lambda s: (  # a half MP lost, and one that is short
        s.mover(s.own, ma=((n := s.pick(1, 3)) + 3) // 2)
        .road("primary", n)
        .line("trail", *range(n, 8))
    ),
    "5.6.2-d": lambda s: (
        s.water(s.pick(0, 1, 2), s.pick(*RIVERS), "bridge")
        .road("trail")
        .mover("German", mode="strategic", **HEAVY)
    ),
    "5.6.3-a": lambda s: s.road("secondary").mover(ma=2).put(s.own, 2),
    "5.6.3-b": lambda s: s.mover().road(s.pick(*ROADS)).put(s.own, s.pick(1, 2)),
    # into two who stand on the road, and out of them
    "5.6.3-d": lambda s: s.where(wide=True).road("primary").mover(ma=3).put(s.own, 1, 1),
    "5.6.3-e": lambda s: s.where(wide=True).road("primary", 6).mover(ma=2).put(s.own, 0, 0),
    "5.6.4-a": lambda s: s.road("primary").put("Allied", *range(4), mode="tactical", ma=2, **GI),
    "5.6.4-h": lambda s: s.road("primary").put("Allied", *range(4), mode="tactical", **GI),
    "5.6.4-c": lambda s: (
        s.where(wide=True)
        .road("primary")
        .mover("Allied", ma=2, **GI)
        .put("German", s.beside(s.pick(1, 2)))
    ),
    "5.6.4-i": lambda s: (
        s.where(wide=True).road("primary").mover("Allied", mode="exploit", ma=2, **GI)
    ),
    # overruns
    "5.10-c1": lambda s: _roadblock(s, type="artillery", traction="sp"),
    "5.10-c2": lambda s: _roadblock(s, type="hq", strength=0),
    "5.10-c3": lambda s: _roadblock(s, motor=True, **LEG),
    "5.10.1-b": lambda s: _roadblock(s, supply="out"),
    "5.10.1-a": lambda s: _roadblock(s).put(s.own, 1, **EXPLOITER),
    "5.10.1-d": lambda s: _roadblock(s).put(s.own, 0, **EXPLOITER),
    "5.10.1-e": lambda s: _roadblock(s).put(s.foe, s.beside(0), s.beside(0, -1), **LEG),
    # just MPs enough without the overrun
    "5.10-e": lambda s: _roadblock(s, start := s.pick(0, 1), ma=6 - 2 * start),
}
"""By clause, what makes a game setup in which it may be broken. The number of a place is that of a hex of the
valley."""
