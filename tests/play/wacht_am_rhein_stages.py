"""Game setups drawn for clauses of wacht-am-rhein that hardly ever come up by themselves."""

from __future__ import annotations

from random import Random

from vassal_umpire.model.board import Line
from vassal_umpire.model.fact import Value

from .kit import Fraction, GameSetup
from .wacht_am_rhein_stage import GI, LEG, SIDES, STAGES, Stage, breaks, other, staged


def stage(clause: str, rng: Random) -> GameSetup | None:
    """A game setup drawn for a clause; None if setups of any kind give enough occasions."""
    build = STAGES.get(clause)
    return None if build is None else staged(build, rng)


@breaks("5.3.1-b")
def _before_heavy_guns(made: Stage) -> None:
    """Two strength points, and heavy AT or Flak."""
    made.open_up(0, 5)
    made.ground |= {made.beside(3): "clear", made.beside(3, 2): "clear"}
    strange: dict[str, Value | int] = {"formation": "E", "command": "Z"}  # no guns with them
    kind = made.rng.choice(("heavy-at", "flak"))
    points = made.rng.choice((2, 3))
    made.put("German", made.beside(3), type="heavy-at", red=True, strength=points, **strange)
    made.put("German", made.beside(3, 2), type=kind, red=True, **strange)
    made.put("Allied", made.valley[1], mode="tactical", type=made.rng.choice(("armor", "other")))


@breaks("5.7.2-b", "Allied", "flak")
@breaks("5.7.2-c", "German", "engineer")
def _trucks_for_others(made: Stage, side: str, kind: str) -> None:
    made.open_up(0, 7)
    role = {**LEG, "type": made.rng.choice(("artillery", "hq", kind, "other")), "motor": True}
    made.put(side, made.valley[0], mode="tactical", **role)


@breaks("5.7.2a-a")
def _too_few_trucks(made: Stage) -> None:
    made.open_up(0, 7)
    made.put("German", made.valley[0], mode="tactical", motor=True, **LEG)
    made.trucks["Fifth"] = made.rng.choice((Fraction(0), Fraction(1, 2), Fraction(3, 4)))


@breaks("5.8.2")
def _in_battery(made: Stage) -> None:
    """US guns that may go one hex."""
    made.open_up(0, 7)
    guns = {"type": "artillery", "calibre": made.rng.choice(("105", "155h")), "battery": "in"}
    made.put("Allied", made.valley[0], mode="tactical", **guns)


@breaks("5.8.4-b")
def _never_moves(made: Stage) -> None:
    made.open_up(0, 7)
    guns = {"type": "artillery", "echelon": "army", "range": 18, "motor": True}
    made.put("German", made.valley[0], mode="tactical", **guns)


@breaks("5.4.2-b2", "Allied")
@breaks("5.4.2-c2", "German")
def _at_over_a_stream(made: Stage, side: str) -> None:
    made.open_up(0, 7)
    (made.moat if side == "Allied" else made.water)(0, "stream")
    role = {**LEG, "type": made.rng.choice(("at", "heavy-at"))}
    made.put(side, made.valley[0], mode="tactical", **role)


@breaks("5.4.2-a", 0, "stream", ma=2)
@breaks("5.4.3b-a", 1, "minor-river", ma=4)
def _over_water(made: Stage, number: int, water: str, ma: int) -> None:
    made.open_up(0, 7)
    made.water(number, water)
    made.put(made.rng.choice(SIDES), made.valley[0], mode="tactical", ma=ma, **LEG)


@breaks("5.4.3a-d")
def _heavy_over_a_bridge(made: Stage) -> None:
    """Where a trail crosses a river."""
    made.open_up(0, 7)
    number = made.rng.randint(0, 1)
    river = made.rng.choice(("minor-river", "major-river"))
    made.moat(number, river)
    made.water(number, river, "bridge")
    made.road("trail", number, number + 1)
    role: dict[str, Value | int] = {"type": "heavy-armor", "bridge-class": "H"}
    made.put("German", made.valley[0], mode="tactical", **role)


@breaks("5.4.3b-f")
def _over_the_meuse(made: Stage) -> None:
    """With engineers."""
    side = made.rng.choice(SIDES)
    made.open_up(0, 7)
    made.water(0, "major-river")
    made.put(side, made.valley[0], mode="tactical", **LEG)
    made.put(side, made.valley[made.rng.randint(0, 1)], **{**LEG, "type": "engineer"})


@breaks("5.4.4b-c")
def _by_another_line(made: Stage) -> None:
    """In by one dashed line, out by another."""
    side = made.rng.choice(SIDES)
    made.open_up(0, 7)
    before, here, after = made.valley[:3]
    made.features[here] = "constricted"
    made.lines += [
        Line("dashed", (before, here, made.beside(0))),
        Line("dashed", (made.beside(1, -1), here, after)),
    ]
    made.put(side, before, mode="tactical")


@breaks("5.0-j")
def _two_terrains(made: Stage) -> None:
    """A hex with a cheap and a dear terrain."""
    made.open_up(0, 1)
    made.ground[made.valley[1]] = "clear woods"
    made.put(made.rng.choice(SIDES), made.valley[0], mode="tactical", ma=made.rng.choice((2, 3)))


@breaks("5.0-k")
def _ridge(made: Stage) -> None:
    made.open_up(0, 7)
    number = made.rng.randint(0, 2)
    made.water(number, "ridge")
    made.put(made.rng.choice(SIDES), made.valley[0], mode="tactical", ma=2 + 2 * number)


@breaks("5.2-c4")
def _base_of_columns(made: Stage) -> None:
    made.open_up(0, 7)
    made.put("German", made.valley[0], mode="tactical", type="bridge-column")


@breaks("5.3.6")
def _between_walls(made: Stage) -> None:
    """Fortifications of the West Wall on both sides."""
    made.open_up(0, 7)
    for name in (made.beside(1), made.beside(1, -1)):
        made.features[name] = "west-wall"
        made.put("German", name)
    made.put("Allied", made.valley[0], mode="tactical")


@breaks("5.3.2-a")
def _next_to_enemies(made: Stage) -> None:
    side = made.rng.choice(SIDES)
    made.open_up(0, 7)
    made.options["adjacency_list"] = "complete"
    made.put(side, made.valley[0], mode="tactical", ma=2)
    made.put(other(side), made.beside(1))


@breaks("5.3.5-a")
def _with_strangers(made: Stage) -> None:
    side = made.rng.choice(SIDES)
    made.open_up(0, 7)
    made.put(side, made.valley[0], mode="tactical", ma=2)
    made.put(side, made.valley[1], formation="E")


@breaks("5.4.4a-c")
def _into_a_gorge(made: Stage) -> None:
    made.open_up(0, 7, "woods")
    made.features[made.valley[1]] = "constricted"
    made.lines.append(Line("dashed", (made.beside(0), made.valley[1], made.beside(1, -1))))
    made.put(made.rng.choice(SIDES), made.valley[0], mode="tactical", ma=3, **LEG)


@breaks("5.4.3a-b")
def _over_a_ford(made: Stage) -> None:
    made.open_up(0, 7)
    made.water(1, made.rng.choice(("minor-river", "major-river")), "ford")
    made.put(made.rng.choice(SIDES), made.valley[0], mode="tactical", ma=4)


@breaks("5.4.4a-d")
def _out_of_a_gorge(made: Stage) -> None:
    """In by a dashed line, out by none."""
    made.open_up(0, 7, "woods")
    before, here = made.valley[:2]
    made.features[here] = "constricted"
    made.lines.append(Line("dashed", (before, here, made.beside(0))))
    made.put(made.rng.choice(SIDES), before, mode="tactical", ma=6, **LEG)


@breaks("5.5-j")
def _road_then_woods(made: Stage) -> None:
    made.open_up(0, 1)
    made.open_up(2, 7, "woods")
    made.road("trail", 0, 1)
    made.options["pa_reverse_ruling"] = "forbid"
    made.put(made.rng.choice(SIDES), made.valley[0], mode="pa")


@breaks("5.9-a")
def _by_night(made: Stage) -> None:
    made.open_up(0, 7)
    made.night = True
    made.put(made.rng.choice(SIDES), made.valley[0], mode="tactical", ma=2)


# -- roads, and friends on them ----------------------------------------------------------------------


@breaks("5.3.4-a")
def _strategic_traffic(made: Stage) -> None:
    """A Mech unit on the road."""
    side = made.rng.choice(SIDES)
    made.road("primary", 0, 6)
    made.put(side, made.valley[0], mode="strategic", type=made.rng.choice(("armor", "infantry")))
    made.put(side, made.valley[made.rng.randint(1, 3)])


@breaks("5.3.4-b")
def _behind_strategic_movers(made: Stage) -> None:
    side = made.rng.choice(SIDES)
    made.wide = True
    made.road("primary", 0, 6)
    made.put(side, made.valley[0], mode="tactical", ma=3)
    made.put(side, made.valley[made.rng.randint(1, 2)], mode="strategic")


@breaks("5.4.4-d")
def _road_over_a_gorge(made: Stage) -> None:
    """A road that is no dashed line, where that is held to ask the whole MA."""
    made.road(made.rng.choice(("primary", "secondary")), 0, 7)
    made.features[made.valley[1]] = "constricted"
    made.lines.append(Line("dashed", (made.beside(0), made.valley[1], made.beside(1, -1))))
    made.options["constricted_road"] = "penalty"
    mode = made.rng.choice(("tactical", "strategic"))
    made.put(made.rng.choice(SIDES), made.valley[0], mode=mode)


@breaks("5.6.0-a")
def _on_foot_by_road(made: Stage) -> None:
    made.road("primary", 0, 7)
    made.put("German", made.valley[0], mode="strategic", **LEG)


@breaks("5.6.0-c")
def _out_of_a_crowd(made: Stage) -> None:
    """Too many in a hex, two of them on foot."""
    side = made.rng.choice(SIDES)
    made.wide = True
    made.road("primary", 0, 6)
    for _ in range(2):
        made.put(side, made.valley[0], stacking=3, **LEG)
    made.put(side, made.valley[0], stacking=made.rng.choice((1, 2)), mode="tactical", ma=2)


@breaks("5.6.0-e")
def _gap_in_the_road(made: Stage) -> None:
    made.open_up(0, 7)
    gap = made.rng.randint(1, 2)
    made.road("primary", 0, gap)
    made.road("primary", gap + 1, 7)
    made.put(made.rng.choice(SIDES), made.valley[0], mode="strategic")


@breaks("5.6.1-b")
def _no_junction(made: Stage) -> None:
    """Two roads through a hex in which they do not meet."""
    made.features[made.valley[1]] = "no-junction"
    made.lines.append(Line("primary", (*made.valley[:2], made.beside(0))))
    made.lines.append(Line("primary", (made.beside(1, -1), *made.valley[1:])))
    made.put(made.rng.choice(SIDES), made.valley[0], mode="strategic")


@breaks("5.6.1-c")
def _another_type_of_road(made: Stage) -> None:
    """A half MP lost, and one that is short."""
    side = made.rng.choice(SIDES)
    halves, kind = made.rng.choice(((1, "trail"), (3, "trail")))
    made.road("primary", 0, halves)
    made.road(kind, halves, 7)
    made.put(side, made.valley[0], mode="tactical", ma=(halves + 3) // 2)


@breaks("5.6.2-d")
def _heavy_by_trail(made: Stage) -> None:
    """Where a trail crosses a river."""
    number = made.rng.randint(0, 2)
    made.water(number, made.rng.choice(("minor-river", "major-river")), "bridge")
    made.road("trail", 0, 7)
    role: dict[str, Value | int] = {"type": "heavy-armor", "bridge-class": "H"}
    made.put("German", made.valley[0], mode="strategic", **role)


@breaks("5.6.3-a")
def _joining(made: Stage) -> None:
    """MPs enough to get there, but for the two it costs more."""
    side = made.rng.choice(SIDES)
    made.road("secondary", 0, 7)
    made.put(side, made.valley[0], mode="tactical", ma=2)
    made.put(side, made.valley[2])


@breaks("5.6.3-b")
def _past_another(made: Stage) -> None:
    side = made.rng.choice(SIDES)
    made.road(made.rng.choice(("primary", "secondary")), 0, 7)
    made.put(side, made.valley[0], mode="tactical")
    made.put(side, made.valley[made.rng.randint(1, 2)])


@breaks("5.6.3-d", last=7, ma=3, at=1)
@breaks("5.6.3-e", last=6, ma=2, at=0)
def _jam(made: Stage, last: int, ma: int, at: int) -> None:
    """Into two who stand on the road, or out of them."""
    side = made.rng.choice(SIDES)
    made.wide = True
    made.road("primary", 0, last)
    made.put(side, made.valley[0], mode="tactical", ma=ma)
    for _ in range(2):
        made.put(side, made.valley[at])


@breaks("5.6.4-a", ma=2)
@breaks("5.6.4-h")
def _four_lifts(made: Stage, **facts: int) -> None:
    """Four Leg units of a US Infantry Division on a road."""
    made.road("primary", 0, 7)
    for number in range(4):
        made.put("Allied", made.valley[number], mode="tactical", **facts, **GI)


@breaks("5.6.4-c")
def _lift_to_enemies(made: Stage) -> None:
    """The road goes on past an enemy."""
    made.wide = True
    made.road("primary", 0, 7)
    made.put("Allied", made.valley[0], mode="tactical", ma=2, **GI)
    made.put("German", made.beside(made.rng.randint(1, 2)))


@breaks("5.6.4-i")
def _late_lift(made: Stage) -> None:
    """In an exploitation phase."""
    made.wide = True
    made.road("primary", 0, 7)
    made.put("Allied", made.valley[0], mode="exploit", ma=2, **GI)


# -- overruns -----------------------------------------------------------------------------------------


@breaks("5.10-c1", type="artillery", traction="sp")
@breaks("5.10-c2", type="hq", strength=0)
@breaks("5.10-c3", motor=True, **LEG)
@breaks("5.10.1-b", supply="out")
def _roadblock(made: Stage, start: int = 1, **facts: Value | int) -> str:
    """One in Exploit Mode, and an enemy in his way. The side he is of."""
    side = made.rng.choice(SIDES)
    made.open_up(0, 7)
    role: dict[str, Value | int] = {"mode": "exploit", "command": "Q", "formation": "Q", **facts}
    made.put(side, made.valley[start], **role)
    made.put(other(side), made.valley[2])
    return side


@breaks("5.10.1-a")
def _overrun_together(made: Stage) -> None:
    side = _roadblock(made)
    made.put(side, made.valley[1], **made.roles[f"{side} 1"])


@breaks("5.10.1-d")
def _overrun_again(made: Stage) -> None:
    """Two go down the valley."""
    side = _roadblock(made)
    made.put(side, made.valley[0], **made.roles[f"{side} 1"])


@breaks("5.10.1-e")
def _overrun_between(made: Stage) -> None:
    """With other enemies next to him."""
    side = _roadblock(made)
    for name in (made.beside(0), made.beside(0, -1)):
        made.put(other(side), name, **LEG)


@breaks("5.10-e")
def _overrun_dear(made: Stage) -> None:
    """Just MPs enough without the overrun."""
    start, ma = made.rng.choice(((0, 6), (1, 4)))
    _roadblock(made, start, ma=ma)
