"""Game setups drawn for clauses of wacht-am-rhein that hardly ever come up by themselves."""

from __future__ import annotations

from random import Random

from vassal_umpire.model.board import Line
from vassal_umpire.model.fact import Value

from .kit import Fraction, GameSetup
from .wacht_am_rhein_stage import LEG, SIDES, Stage, Stages, other, staged
from .wacht_am_rhein_stages_by_road import STAGES as BY_ROAD
from .wacht_am_rhein_stages_of_overruns import STAGES as OF_OVERRUNS


def stage(clause: str, rng: Random) -> GameSetup | None:
    """A game setup drawn for a clause; None if setups of any kind give enough occasions."""
    build = STAGES.get(clause)
    return None if build is None else staged(build, rng)


def _before_heavy_guns(made: Stage) -> None:
    """5.3.1-b: two strength points, and heavy AT or Flak."""
    made.open_up(0, 5)
    made.ground |= {made.beside(3): "clear", made.beside(3, 2): "clear"}
    strange: dict[str, Value | int] = {"formation": "E", "command": "Z"}  # no guns with them
    kind = made.rng.choice(("heavy-at", "flak"))
    points = made.rng.choice((2, 3))
    made.put("German", made.beside(3), type="heavy-at", red=True, strength=points, **strange)
    made.put("German", made.beside(3, 2), type=kind, red=True, **strange)
    made.put("Allied", made.valley[1], mode="tactical", type=made.rng.choice(("armor", "other")))


def _american_trucks(made: Stage) -> None:
    """5.7.2-b: trucks for others than infantry."""
    made.open_up(0, 7)
    kind = made.rng.choice(("artillery", "hq", "flak", "other"))
    role: dict[str, Value | int] = {"class": "leg", "type": kind, "motor": True}
    made.put("Allied", made.valley[0], mode="tactical", **role)


def _german_trucks(made: Stage) -> None:
    """5.7.2-c: trucks for engineers, HQs, guns of a division."""
    made.open_up(0, 7)
    kind = made.rng.choice(("artillery", "hq", "engineer", "other"))
    role: dict[str, Value | int] = {"class": "leg", "type": kind, "motor": True}
    made.put("German", made.valley[0], mode="tactical", **role)


def _too_few_trucks(made: Stage) -> None:
    """5.7.2a-a."""
    made.open_up(0, 7)
    made.put("German", made.valley[0], mode="tactical", motor=True, **LEG)
    made.trucks["Fifth"] = made.rng.choice((Fraction(0), Fraction(1, 2), Fraction(3, 4)))


def _in_battery(made: Stage) -> None:
    """5.8.2: US guns that may go one hex."""
    made.open_up(0, 7)
    calibre = made.rng.choice(("105", "155h"))
    role: dict[str, Value | int] = {"type": "artillery", "calibre": calibre, "battery": "in"}
    made.put("Allied", made.valley[0], mode="tactical", **role)


def _never_moves(made: Stage) -> None:
    """5.8.4-b."""
    made.open_up(0, 7)
    role: dict[str, Value | int] = {
        "type": "artillery",
        "echelon": "army",
        "range": 18,
        "motor": True,
    }
    made.put("German", made.valley[0], mode="tactical", **role)


def _at_over_a_stream(made: Stage) -> None:
    """5.4.2-c2."""
    made.open_up(0, 7)
    made.water(0, "stream")
    made.put(
        "German",
        made.valley[0],
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
    made.put("German", made.valley[0], mode="tactical", **role)


def _over_the_meuse(made: Stage) -> None:
    """5.4.3b-f: with engineers."""
    side = made.rng.choice(SIDES)
    made.open_up(0, 7)
    made.water(0, "major-river")
    made.put(side, made.valley[0], mode="tactical", **LEG)
    made.put(side, made.valley[made.rng.randint(0, 1)], **{**LEG, "type": "engineer"})


def _by_another_line(made: Stage) -> None:
    """5.4.4b-c: in by one dashed line, out by another."""
    side = made.rng.choice(SIDES)
    made.open_up(0, 7)
    before, here, after = made.valley[:3]
    made.features[here] = "constricted"
    made.lines += [
        Line("dashed", (before, here, made.beside(0))),
        Line("dashed", (made.beside(1, -1), here, after)),
    ]
    made.put(side, before, mode="tactical")


def _two_terrains(made: Stage) -> None:
    """5.0-j: a hex with a cheap and a dear terrain."""
    made.open_up(0, 1)
    made.ground[made.valley[1]] = "clear woods"
    made.put(made.rng.choice(SIDES), made.valley[0], mode="tactical", ma=made.rng.choice((2, 3)))


def _ridge(made: Stage) -> None:
    """5.0-k."""
    made.open_up(0, 7)
    number = made.rng.randint(0, 2)
    made.water(number, "ridge")
    made.put(made.rng.choice(SIDES), made.valley[0], mode="tactical", ma=2 + 2 * number)


def _base_of_columns(made: Stage) -> None:
    """5.2-c4."""
    made.open_up(0, 7)
    made.put("German", made.valley[0], mode="tactical", type="bridge-column")


def _between_walls(made: Stage) -> None:
    """5.3.6: Fortifications of the West Wall on both sides."""
    made.open_up(0, 7)
    for name in (made.beside(1), made.beside(1, -1)):
        made.features[name] = "west-wall"
        made.put("German", name)
    made.put("Allied", made.valley[0], mode="tactical")


def _next_to_enemies(made: Stage) -> None:
    """5.3.2-a."""
    side = made.rng.choice(SIDES)
    made.open_up(0, 7)
    made.options["adjacency_list"] = "complete"
    made.put(side, made.valley[0], mode="tactical", ma=2)
    made.put(other(side), made.beside(1))


def _with_strangers(made: Stage) -> None:
    """5.3.5-a."""
    side = made.rng.choice(SIDES)
    made.open_up(0, 7)
    made.put(side, made.valley[0], mode="tactical", ma=2)
    made.put(side, made.valley[1], formation="E")


def _over_a_stream(made: Stage) -> None:
    """5.4.2-a."""
    made.open_up(0, 7)
    made.water(0, "stream")
    made.put(made.rng.choice(SIDES), made.valley[0], mode="tactical", ma=2, **LEG)


def _into_a_gorge(made: Stage) -> None:
    """5.4.4a-c."""
    made.open_up(0, 7, "woods")
    made.features[made.valley[1]] = "constricted"
    made.lines.append(Line("dashed", (made.beside(0), made.valley[1], made.beside(1, -1))))
    made.put(made.rng.choice(SIDES), made.valley[0], mode="tactical", ma=3, **LEG)


def _american_at_over_a_stream(made: Stage) -> None:
    """5.4.2-b2."""
    made.open_up(0, 7)
    made.moat(0, "stream")
    made.put(
        "Allied",
        made.valley[0],
        mode="tactical",
        **{**LEG, "type": made.rng.choice(("at", "heavy-at"))},
    )


def _over_a_ford(made: Stage) -> None:
    """5.4.3a-b."""
    made.open_up(0, 7)
    made.water(1, made.rng.choice(("minor-river", "major-river")), "ford")
    made.put(made.rng.choice(SIDES), made.valley[0], mode="tactical", ma=4)


def _over_a_river(made: Stage) -> None:
    """5.4.3b-a."""
    made.open_up(0, 7)
    made.water(1, "minor-river")
    made.put(made.rng.choice(SIDES), made.valley[0], mode="tactical", ma=4, **LEG)


def _out_of_a_gorge(made: Stage) -> None:
    """5.4.4a-d: in by a dashed line, out by none."""
    made.open_up(0, 7, "woods")
    before, here = made.valley[:2]
    made.features[here] = "constricted"
    made.lines.append(Line("dashed", (before, here, made.beside(0))))
    made.put(made.rng.choice(SIDES), before, mode="tactical", ma=6, **LEG)


def _road_then_woods(made: Stage) -> None:
    """5.5-j."""
    made.open_up(0, 1)
    made.open_up(2, 7, "woods")
    made.road("trail", 0, 1)
    made.options["pa_reverse_ruling"] = "forbid"
    made.put(made.rng.choice(SIDES), made.valley[0], mode="pa")


def _by_night(made: Stage) -> None:
    """5.9-a."""
    made.open_up(0, 7)
    made.night = True
    made.put(made.rng.choice(SIDES), made.valley[0], mode="tactical", ma=2)


STAGES: Stages = {
    **BY_ROAD,
    **OF_OVERRUNS,
    "WAR-5.0-j": _two_terrains,
    "WAR-5.0-k": _ridge,
    "WAR-5.2-c4": _base_of_columns,
    "WAR-5.3.1-b": _before_heavy_guns,
    "WAR-5.3.2-a": _next_to_enemies,
    "WAR-5.3.5-a": _with_strangers,
    "WAR-5.3.6": _between_walls,
    "WAR-5.4.2-a": _over_a_stream,
    "WAR-5.4.2-b2": _american_at_over_a_stream,
    "WAR-5.4.2-c2": _at_over_a_stream,
    "WAR-5.4.3a-b": _over_a_ford,
    "WAR-5.4.3a-d": _heavy_over_a_bridge,
    "WAR-5.4.3b-a": _over_a_river,
    "WAR-5.4.3b-f": _over_the_meuse,
    "WAR-5.4.4a-c": _into_a_gorge,
    "WAR-5.4.4a-d": _out_of_a_gorge,
    "WAR-5.4.4b-c": _by_another_line,
    "WAR-5.5-j": _road_then_woods,
    "WAR-5.7.2-b": _american_trucks,
    "WAR-5.7.2-c": _german_trucks,
    "WAR-5.7.2a-a": _too_few_trucks,
    "WAR-5.8.2": _in_battery,
    "WAR-5.8.4-b": _never_moves,
    "WAR-5.9-a": _by_night,
}
