"""Scenes of wacht-am-rhein drawn for one clause each: few things are in them, those the clause asks for.

A valley, hexes in a straight line amid bog that nobody can enter, or a road through wide country; east
of it other units go about their business. Whoever forgets the clause goes down the valley where an honest
player cannot.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from random import Random

from vassal_umpire.model.board import Board, Line, edge
from vassal_umpire.model.fact import Value

from .kit import BOX, Fraction, Scene, replace, unit
from .wacht_am_rhein_scene import RULES, calm_scene, points_used

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
    """A valley with what is in it. ``way``: its hexes, from one end to the other."""

    rng: Random
    board: Board
    way: tuple[str, ...]
    roles: dict[str, Role] = field(default_factory=dict)
    places: dict[str, str] = field(default_factory=dict)
    wide: bool = False
    night: bool = False
    ground: dict[str, str] = field(default_factory=dict)
    features: dict[str, str] = field(default_factory=dict)
    sides: dict[tuple[str, str], tuple[str, ...]] = field(default_factory=dict)
    lines: list[Line] = field(default_factory=list)
    options: dict[str, str] = field(default_factory=dict)
    trucks: dict[str, Fraction] = field(default_factory=dict)

    def around(self, name: str) -> list[str]:
        return list(self.board.neighbours(name))

    def put(self, side: str, at: str, **facts: Value | int) -> str:
        """A unit of a side in a hex, plain but for these facts."""
        name = f"{side} {1 + sum(known.startswith(side) for known in self.roles)}"
        self.roles[name] = {**plain(side), **facts}  # type: ignore[dict-item]
        self.places[name] = at
        return name

    def open_up(self, first: int, last: int, terrain: str = "clear") -> None:
        """Makes a part of the valley passable off the road."""
        for name in self.way[first : last + 1]:
            self.ground[name] = terrain

    def road(self, kind: str, first: int, last: int) -> None:
        self.lines.append(Line(kind, self.way[first : last + 1]))

    def beside(self, number: int, hexes: int = 1) -> str:
        """The hex so far east of one of the valley and of the next; two hexes east is next to neither."""
        row = min(int(name[2:]) for name in self.way[number : number + 2])
        return f"{COLUMN + hexes:02}{row:02}"

    def water(self, number: int, *features: str) -> None:
        """What lies between a hex of the valley and the next."""
        self.sides[edge(self.way[number], self.way[number + 1])] = features

    def moat(self, number: int, *features: str) -> None:
        """The same between the next hex and all others but the one after it."""
        far = self.way[number + 1]
        for name in self.around(far):
            if name != self.way[number + 2]:
                self.sides[edge(far, name)] = features


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


LEG: dict[str, Value | int] = {"class": "leg", "type": "infantry"}
GI: dict[str, Value | int] = {**LEG, "infantry-division": True}
"""Leg infantry of a US Infantry Division."""


def stage(clause: str, rng: Random) -> Scene | None:
    """A scene drawn for a clause, or None if scenes of any kind give occasions enough."""
    build = STAGES.get(clause)
    if build is None:
        return None
    scene = calm_scene(rng)
    way = tuple(f"{COLUMN:02}{row:02}" for row in range(1, 9))
    made = Stage(rng, scene.board, way[:: rng.choice((1, -1))])
    build(made)
    return _staged(scene, made)


def is_elsewhere(unit: str) -> bool:
    """Whether a unit is one of those that the scene was not drawn for."""
    return unit.endswith(ELSEWHERE)


def _staged(scene: Scene, made: Stage) -> Scene:
    """A scene with a stage in its west; who was there waits beside the map."""
    units, opening = {}, {}
    for name, one in scene.units.items():
        east = int(scene.opening[name][:2]) > EAST
        other = f"{name}{ELSEWHERE}"
        units[other] = replace(one, id=other, name=other)
        opening[other] = scene.opening[name] if east else BOX
    for name, role in made.roles.items():
        units[name] = unit(name, name.split()[0], role)
    opening |= made.places
    roles = [{k: fact.value for k, fact in u.attributes.items()} for u in units.values()]
    points: dict[str, Value] = {
        f"trucks-{army}": made.trucks.get(army, used + made.rng.choice((0, 1)))
        for army, used in points_used(roles).items()
    }
    return replace(
        scene,
        board=_board(scene.board, made),
        units=units,
        opening=opening,
        rules={**scene.rules, **({"terrain": DEAR} if made.wide else {})},
        options={**scene.options, **made.options},
        conditions={**scene.conditions, **points, "night": made.night},
    )


def _board(board: Board, made: Stage) -> Board:
    """The board with the valley and what lies about it, and nothing else in the west."""
    hexes = dict(board.hexes)
    for name, here in board.hexes.items():
        if int(name[:2]) <= EAST:
            about = "clear" if made.wide and int(name[:2]) < EAST else "bog"
            here = replace(here, terrain=tuple(made.ground.get(name, about).split()), features=())
            if name in made.features:
                here = replace(here, features=(made.features[name],))
            hexes[name] = here
    east = {name for name in hexes if int(name[:2]) > EAST}
    sides = {pair: what for pair, what in board.sides.items() if east.issuperset(pair)}
    lines = [line for line in board.lines if east.issuperset(line.hexes)]
    return replace(board, hexes=hexes, sides={**sides, **made.sides}, lines=(*lines, *made.lines))


# -- what each clause asks for ------------------------------------------------------------------------


def _before_heavy_guns(made: Stage) -> None:
    """5.3.1-b: two strength points, and heavy AT or Flak."""
    made.open_up(0, 5)
    made.ground |= {made.beside(3): "clear", made.beside(3, 2): "clear"}
    strange: dict[str, Value | int] = {"formation": "E", "command": "Z"}  # no guns with them
    kind = made.rng.choice(("heavy-at", "flak"))
    points = made.rng.choice((2, 3))
    made.put("German", made.beside(3), type="heavy-at", red=True, strength=points, **strange)
    made.put("German", made.beside(3, 2), type=kind, red=True, **strange)
    made.put("Allied", made.way[1], mode="tactical", type=made.rng.choice(("armor", "other")))


def _strategic_traffic(made: Stage) -> None:
    """5.3.4-a: a Mech unit on the road."""
    side = made.rng.choice(SIDES)
    made.road("primary", 0, 6)
    made.put(side, made.way[0], mode="strategic", type=made.rng.choice(("armor", "infantry")))
    made.put(side, made.way[made.rng.randint(1, 3)])


def _out_of_a_crowd(made: Stage) -> None:
    """5.6.0-c: too many in a hex, two of them on foot."""
    side = made.rng.choice(SIDES)
    made.wide = True
    made.road("primary", 0, 6)
    for _ in range(2):
        made.put(side, made.way[0], stacking=3, **LEG)
    made.put(side, made.way[0], stacking=made.rng.choice((1, 2)), mode="tactical", ma=2)


def _four_lifts(made: Stage) -> None:
    """5.6.4-a: four Leg units of a US Infantry Division on a road."""
    made.road("primary", 0, 7)
    for number in range(4):
        made.put("Allied", made.way[number], mode="tactical", ma=2, **GI)


def _lift_to_enemies(made: Stage) -> None:
    """5.6.4-c: the road goes on past an enemy."""
    made.wide = True
    made.road("primary", 0, 7)
    made.put("Allied", made.way[0], mode="tactical", ma=2, **GI)
    made.put("German", made.beside(made.rng.randint(1, 2)))


def _four_in_strategic_mode(made: Stage) -> None:
    """5.6.4-h."""
    made.road("primary", 0, 7)
    for number in range(4):
        made.put("Allied", made.way[number], mode="tactical", **GI)


def _late_lift(made: Stage) -> None:
    """5.6.4-i: in an exploitation phase."""
    made.wide = True
    made.road("primary", 0, 7)
    made.put("Allied", made.way[0], mode="exploit", ma=2, **GI)


def _american_trucks(made: Stage) -> None:
    """5.7.2-b: trucks for others than infantry."""
    made.open_up(0, 7)
    kind = made.rng.choice(("artillery", "hq", "flak", "other"))
    role: dict[str, Value | int] = {"class": "leg", "type": kind, "motor": True}
    made.put("Allied", made.way[0], mode="tactical", **role)


def _german_trucks(made: Stage) -> None:
    """5.7.2-c: trucks for engineers, HQs, guns of a division."""
    made.open_up(0, 7)
    kind = made.rng.choice(("artillery", "hq", "engineer", "other"))
    role: dict[str, Value | int] = {"class": "leg", "type": kind, "motor": True}
    made.put("German", made.way[0], mode="tactical", **role)


def _too_few_trucks(made: Stage) -> None:
    """5.7.2a-a."""
    made.open_up(0, 7)
    made.put("German", made.way[0], mode="tactical", motor=True, **LEG)
    made.trucks["Fifth"] = made.rng.choice((Fraction(0), Fraction(1, 2), Fraction(3, 4)))


def _in_battery(made: Stage) -> None:
    """5.8.2: US guns that may go one hex."""
    made.open_up(0, 7)
    calibre = made.rng.choice(("105", "155h"))
    role: dict[str, Value | int] = {"type": "artillery", "calibre": calibre, "battery": "in"}
    made.put("Allied", made.way[0], mode="tactical", **role)


def _never_moves(made: Stage) -> None:
    """5.8.4-b."""
    made.open_up(0, 7)
    role: dict[str, Value | int] = {
        "type": "artillery",
        "echelon": "army",
        "range": 18,
        "motor": True,
    }
    made.put("German", made.way[0], mode="tactical", **role)


def _roadblock(made: Stage, start: int = 1, **facts: Value | int) -> str:
    """5.10: one in Exploit Mode, and an enemy in his way. The side he is of."""
    side = made.rng.choice(SIDES)
    made.open_up(0, 7)
    role: dict[str, Value | int] = {"mode": "exploit", "command": "Q", "formation": "Q", **facts}
    made.put(side, made.way[start], **role)
    made.put(other(side), made.way[2])
    return side


def _overrun_by_guns(made: Stage) -> None:
    _roadblock(made, type="artillery", traction="sp")


def _overrun_by_an_hq(made: Stage) -> None:
    _roadblock(made, type="hq", strength=0)


def _overrun_on_trucks(made: Stage) -> None:
    _roadblock(made, motor=True, **LEG)


def _overrun_unsupplied(made: Stage) -> None:
    _roadblock(made, supply="out")


def _overrun_again(made: Stage) -> None:
    """5.10.1-d: two go down the valley."""
    side = _roadblock(made)
    made.put(side, made.way[0], **made.roles[f"{side} 1"])


def _overrun_between(made: Stage) -> None:
    """5.10.1-e: with other enemies next to him."""
    side = _roadblock(made)
    for name in (made.beside(0), made.beside(0, -1)):
        made.put(other(side), name, **LEG)


def _overrun_dear(made: Stage) -> None:
    """5.10-e: just MPs enough without the overrun."""
    start, ma = made.rng.choice(((0, 6), (1, 4)))
    _roadblock(made, start, ma=ma)


def _at_over_a_stream(made: Stage) -> None:
    """5.4.2-c2."""
    made.open_up(0, 7)
    made.water(0, "stream")
    made.put(
        "German",
        made.way[0],
        mode="tactical",
        **{**LEG, "type": made.rng.choice(("at", "heavy-at"))},
    )


def _heavy_over_a_bridge(made: Stage) -> None:
    """5.4.3a-d: where a trail crosses a river."""
    made.open_up(0, 7)
    number = made.rng.randint(0, 1)
    river = made.rng.choice(("minor-river", "major-river"))
    made.moat(number, river)
    made.water(number, river, "bridge")
    made.road("trail", number, number + 1)
    role: dict[str, Value | int] = {"type": "heavy-armor", "bridge-class": "H"}
    made.put("German", made.way[0], mode="tactical", **role)


def _over_the_meuse(made: Stage) -> None:
    """5.4.3b-f: with engineers."""
    side = made.rng.choice(SIDES)
    made.open_up(0, 7)
    made.water(0, "major-river")
    made.put(side, made.way[0], mode="tactical", **LEG)
    made.put(side, made.way[made.rng.randint(0, 1)], **{**LEG, "type": "engineer"})


def _by_another_line(made: Stage) -> None:
    """5.4.4b-c: in by one dashed line, out by another."""
    side = made.rng.choice(SIDES)
    made.open_up(0, 7)
    before, here, after = made.way[:3]
    made.features[here] = "constricted"
    made.lines += [
        Line("dashed", (before, here, made.beside(0))),
        Line("dashed", (made.beside(1, -1), here, after)),
    ]
    made.put(side, before, mode="tactical")


def _another_type_of_road(made: Stage) -> None:
    """5.6.1-c: a half MP lost, and one that is short."""
    side = made.rng.choice(SIDES)
    halves, kind = made.rng.choice(((1, "trail"), (3, "trail")))
    made.road("primary", 0, halves)
    made.road(kind, halves, 7)
    made.put(side, made.way[0], mode="tactical", ma=(halves + 3) // 2)


def _out_of_a_jam(made: Stage) -> None:
    """5.6.3-e."""
    side = made.rng.choice(SIDES)
    made.wide = True
    made.road("primary", 0, 6)
    made.put(side, made.way[0], mode="tactical", ma=2)
    for _ in range(2):
        made.put(side, made.way[0])


def _two_terrains(made: Stage) -> None:
    """5.0-j: a hex with a cheap and a dear terrain."""
    made.open_up(0, 1)
    made.ground[made.way[1]] = "clear woods"
    made.put(made.rng.choice(SIDES), made.way[0], mode="tactical", ma=made.rng.choice((2, 3)))


def _ridge(made: Stage) -> None:
    """5.0-k."""
    made.open_up(0, 7)
    number = made.rng.randint(0, 2)
    made.water(number, "ridge")
    made.put(made.rng.choice(SIDES), made.way[0], mode="tactical", ma=2 + 2 * number)


def _base_of_columns(made: Stage) -> None:
    """5.2-c4."""
    made.open_up(0, 7)
    made.put("German", made.way[0], mode="tactical", type="bridge-column")


def _behind_strategic_movers(made: Stage) -> None:
    """5.3.4-b."""
    side = made.rng.choice(SIDES)
    made.wide = True
    made.road("primary", 0, 6)
    made.put(side, made.way[0], mode="tactical", ma=3)
    made.put(side, made.way[made.rng.randint(1, 2)], mode="strategic")


def _between_walls(made: Stage) -> None:
    """5.3.6: Fortifications of the West Wall on both sides."""
    made.open_up(0, 7)
    for name in (made.beside(1), made.beside(1, -1)):
        made.features[name] = "west-wall"
        made.put("German", name)
    made.put("Allied", made.way[0], mode="tactical")


def _american_at_over_a_stream(made: Stage) -> None:
    """5.4.2-b2."""
    made.open_up(0, 7)
    made.moat(0, "stream")
    made.put(
        "Allied",
        made.way[0],
        mode="tactical",
        **{**LEG, "type": made.rng.choice(("at", "heavy-at"))},
    )


def _over_a_ford(made: Stage) -> None:
    """5.4.3a-b."""
    made.open_up(0, 7)
    made.water(1, made.rng.choice(("minor-river", "major-river")), "ford")
    made.put(made.rng.choice(SIDES), made.way[0], mode="tactical", ma=4)


def _over_a_river(made: Stage) -> None:
    """5.4.3b-a."""
    made.open_up(0, 7)
    made.water(1, "minor-river")
    made.put(made.rng.choice(SIDES), made.way[0], mode="tactical", ma=4, **LEG)


def _out_of_a_gorge(made: Stage) -> None:
    """5.4.4a-d: in by a dashed line, out by none."""
    made.open_up(0, 7, "woods")
    before, here = made.way[:2]
    made.features[here] = "constricted"
    made.lines.append(Line("dashed", (before, here, made.beside(0))))
    made.put(made.rng.choice(SIDES), before, mode="tactical", ma=6, **LEG)


def _road_over_a_gorge(made: Stage) -> None:
    """5.4.4-d: a road that is no dashed line, where that is held to ask the whole MA."""
    made.road(made.rng.choice(("primary", "secondary")), 0, 7)
    made.features[made.way[1]] = "constricted"
    made.lines.append(Line("dashed", (made.beside(0), made.way[1], made.beside(1, -1))))
    made.options["constricted_road"] = "penalty"
    mode = made.rng.choice(("tactical", "strategic"))
    made.put(made.rng.choice(SIDES), made.way[0], mode=mode)


def _road_then_woods(made: Stage) -> None:
    """5.5-j."""
    made.open_up(0, 1)
    made.open_up(2, 7, "woods")
    made.road("trail", 0, 1)
    made.options["pa_reverse_ruling"] = "forbid"
    made.put(made.rng.choice(SIDES), made.way[0], mode="pa")


def _on_foot_by_road(made: Stage) -> None:
    """5.6.0-a."""
    made.road("primary", 0, 7)
    made.put("German", made.way[0], mode="strategic", **LEG)


def _gap_in_the_road(made: Stage) -> None:
    """5.6.0-e."""
    made.open_up(0, 7)
    gap = made.rng.randint(1, 2)
    made.road("primary", 0, gap)
    made.road("primary", gap + 1, 7)
    made.put(made.rng.choice(SIDES), made.way[0], mode="strategic")


def _no_junction(made: Stage) -> None:
    """5.6.1-b: two roads through a hex in which they do not meet."""
    made.features[made.way[1]] = "no-junction"
    made.lines.append(Line("primary", (*made.way[:2], made.beside(0))))
    made.lines.append(Line("primary", (made.beside(1, -1), *made.way[1:])))
    made.put(made.rng.choice(SIDES), made.way[0], mode="strategic")


def _heavy_by_trail(made: Stage) -> None:
    """5.6.2-d: where a trail crosses a river."""
    number = made.rng.randint(0, 2)
    made.water(number, made.rng.choice(("minor-river", "major-river")), "bridge")
    made.road("trail", 0, 7)
    role: dict[str, Value | int] = {"type": "heavy-armor", "bridge-class": "H"}
    made.put("German", made.way[0], mode="strategic", **role)


def _joining(made: Stage) -> None:
    """5.6.3-a: MPs enough to get there, but for the two it costs more."""
    side = made.rng.choice(SIDES)
    made.road("secondary", 0, 7)
    made.put(side, made.way[0], mode="tactical", ma=2)
    made.put(side, made.way[2])


def _past_another(made: Stage) -> None:
    """5.6.3-b."""
    side = made.rng.choice(SIDES)
    made.road(made.rng.choice(("primary", "secondary")), 0, 7)
    made.put(side, made.way[0], mode="tactical")
    made.put(side, made.way[made.rng.randint(1, 2)])


def _into_a_jam(made: Stage) -> None:
    """5.6.3-d."""
    side = made.rng.choice(SIDES)
    made.wide = True
    made.road("primary", 0, 7)
    made.put(side, made.way[0], mode="tactical", ma=3)
    for _ in range(2):
        made.put(side, made.way[1])


def _by_night(made: Stage) -> None:
    """5.9-a."""
    made.open_up(0, 7)
    made.night = True
    made.put(made.rng.choice(SIDES), made.way[0], mode="tactical", ma=2)


def _overrun_together(made: Stage) -> None:
    """5.10.1-a."""
    side = _roadblock(made)
    made.put(side, made.way[1], **made.roles[f"{side} 1"])


def other(side: str) -> str:
    return SIDES[1 - SIDES.index(side)]


STAGES: Mapping[str, Callable[[Stage], None]] = {
    f"WAR-{clause}": build
    for clause, build in {
        "5.0-j": _two_terrains,
        "5.0-k": _ridge,
        "5.2-c4": _base_of_columns,
        "5.3.1-b": _before_heavy_guns,
        "5.3.4-a": _strategic_traffic,
        "5.3.4-b": _behind_strategic_movers,
        "5.3.6": _between_walls,
        "5.4.2-b2": _american_at_over_a_stream,
        "5.4.2-c2": _at_over_a_stream,
        "5.4.3a-b": _over_a_ford,
        "5.4.3a-d": _heavy_over_a_bridge,
        "5.4.3b-a": _over_a_river,
        "5.4.3b-f": _over_the_meuse,
        "5.4.4-d": _road_over_a_gorge,
        "5.4.4a-d": _out_of_a_gorge,
        "5.4.4b-c": _by_another_line,
        "5.5-j": _road_then_woods,
        "5.6.0-a": _on_foot_by_road,
        "5.6.0-c": _out_of_a_crowd,
        "5.6.0-e": _gap_in_the_road,
        "5.6.1-b": _no_junction,
        "5.6.1-c": _another_type_of_road,
        "5.6.2-d": _heavy_by_trail,
        "5.6.3-a": _joining,
        "5.6.3-b": _past_another,
        "5.6.3-d": _into_a_jam,
        "5.6.3-e": _out_of_a_jam,
        "5.6.4-a": _four_lifts,
        "5.6.4-c": _lift_to_enemies,
        "5.6.4-h": _four_in_strategic_mode,
        "5.6.4-i": _late_lift,
        "5.7.2-b": _american_trucks,
        "5.7.2-c": _german_trucks,
        "5.7.2a-a": _too_few_trucks,
        "5.8.2": _in_battery,
        "5.8.4-b": _never_moves,
        "5.9-a": _by_night,
        "5.10-c1": _overrun_by_guns,
        "5.10-c2": _overrun_by_an_hq,
        "5.10-c3": _overrun_on_trucks,
        "5.10-e": _overrun_dear,
        "5.10.1-a": _overrun_together,
        "5.10.1-b": _overrun_unsupplied,
        "5.10.1-d": _overrun_again,
        "5.10.1-e": _overrun_between,
    }.items()
}
"""Clauses that hardly ever come up by themselves, and how to bring them up."""


__all__ = ["STAGES", "is_elsewhere", "stage"]
