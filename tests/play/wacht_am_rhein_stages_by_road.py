"""Game setups drawn for what wacht-am-rhein says of roads, and of friends on them (5.3.4, 5.4.4-d, 5.6)."""

from __future__ import annotations

from vassal_umpire.model.board import Line
from vassal_umpire.model.fact import Value

from .wacht_am_rhein_stage import GI, LEG, SIDES, Stage, Stages


def _strategic_traffic(made: Stage) -> None:
    """5.3.4-a: a Mech unit on the road."""
    side = made.rng.choice(SIDES)
    made.road("primary", 0, 6)
    made.put(side, made.valley[0], mode="strategic", type=made.rng.choice(("armor", "infantry")))
    made.put(side, made.valley[made.rng.randint(1, 3)])


def _behind_strategic_movers(made: Stage) -> None:
    """5.3.4-b."""
    side = made.rng.choice(SIDES)
    made.wide = True
    made.road("primary", 0, 6)
    made.put(side, made.valley[0], mode="tactical", ma=3)
    made.put(side, made.valley[made.rng.randint(1, 2)], mode="strategic")


def _road_over_a_gorge(made: Stage) -> None:
    """5.4.4-d: a road that is no dashed line, where that is held to ask the whole MA."""
    made.road(made.rng.choice(("primary", "secondary")), 0, 7)
    made.features[made.valley[1]] = "constricted"
    made.lines.append(Line("dashed", (made.beside(0), made.valley[1], made.beside(1, -1))))
    made.options["constricted_road"] = "penalty"
    mode = made.rng.choice(("tactical", "strategic"))
    made.put(made.rng.choice(SIDES), made.valley[0], mode=mode)


def _on_foot_by_road(made: Stage) -> None:
    """5.6.0-a."""
    made.road("primary", 0, 7)
    made.put("German", made.valley[0], mode="strategic", **LEG)


def _out_of_a_crowd(made: Stage) -> None:
    """5.6.0-c: too many in a hex, two of them on foot."""
    side = made.rng.choice(SIDES)
    made.wide = True
    made.road("primary", 0, 6)
    for _ in range(2):
        made.put(side, made.valley[0], stacking=3, **LEG)
    made.put(side, made.valley[0], stacking=made.rng.choice((1, 2)), mode="tactical", ma=2)


def _gap_in_the_road(made: Stage) -> None:
    """5.6.0-e."""
    made.open_up(0, 7)
    gap = made.rng.randint(1, 2)
    made.road("primary", 0, gap)
    made.road("primary", gap + 1, 7)
    made.put(made.rng.choice(SIDES), made.valley[0], mode="strategic")


def _no_junction(made: Stage) -> None:
    """5.6.1-b: two roads through a hex in which they do not meet."""
    made.features[made.valley[1]] = "no-junction"
    made.lines.append(Line("primary", (*made.valley[:2], made.beside(0))))
    made.lines.append(Line("primary", (made.beside(1, -1), *made.valley[1:])))
    made.put(made.rng.choice(SIDES), made.valley[0], mode="strategic")


def _another_type_of_road(made: Stage) -> None:
    """5.6.1-c: a half MP lost, and one that is short."""
    side = made.rng.choice(SIDES)
    halves, kind = made.rng.choice(((1, "trail"), (3, "trail")))
    made.road("primary", 0, halves)
    made.road(kind, halves, 7)
    made.put(side, made.valley[0], mode="tactical", ma=(halves + 3) // 2)


def _heavy_by_trail(made: Stage) -> None:
    """5.6.2-d: where a trail crosses a river."""
    number = made.rng.randint(0, 2)
    made.water(number, made.rng.choice(("minor-river", "major-river")), "bridge")
    made.road("trail", 0, 7)
    role: dict[str, Value | int] = {"type": "heavy-armor", "bridge-class": "H"}
    made.put("German", made.valley[0], mode="strategic", **role)


def _joining(made: Stage) -> None:
    """5.6.3-a: MPs enough to get there, but for the two it costs more."""
    side = made.rng.choice(SIDES)
    made.road("secondary", 0, 7)
    made.put(side, made.valley[0], mode="tactical", ma=2)
    made.put(side, made.valley[2])


def _past_another(made: Stage) -> None:
    """5.6.3-b."""
    side = made.rng.choice(SIDES)
    made.road(made.rng.choice(("primary", "secondary")), 0, 7)
    made.put(side, made.valley[0], mode="tactical")
    made.put(side, made.valley[made.rng.randint(1, 2)])


def _into_a_jam(made: Stage) -> None:
    """5.6.3-d."""
    side = made.rng.choice(SIDES)
    made.wide = True
    made.road("primary", 0, 7)
    made.put(side, made.valley[0], mode="tactical", ma=3)
    for _ in range(2):
        made.put(side, made.valley[1])


def _out_of_a_jam(made: Stage) -> None:
    """5.6.3-e."""
    side = made.rng.choice(SIDES)
    made.wide = True
    made.road("primary", 0, 6)
    made.put(side, made.valley[0], mode="tactical", ma=2)
    for _ in range(2):
        made.put(side, made.valley[0])


def _four_lifts(made: Stage) -> None:
    """5.6.4-a: four Leg units of a US Infantry Division on a road."""
    made.road("primary", 0, 7)
    for number in range(4):
        made.put("Allied", made.valley[number], mode="tactical", ma=2, **GI)


def _lift_to_enemies(made: Stage) -> None:
    """5.6.4-c: the road goes on past an enemy."""
    made.wide = True
    made.road("primary", 0, 7)
    made.put("Allied", made.valley[0], mode="tactical", ma=2, **GI)
    made.put("German", made.beside(made.rng.randint(1, 2)))


def _four_in_strategic_mode(made: Stage) -> None:
    """5.6.4-h."""
    made.road("primary", 0, 7)
    for number in range(4):
        made.put("Allied", made.valley[number], mode="tactical", **GI)


def _late_lift(made: Stage) -> None:
    """5.6.4-i: in an exploitation phase."""
    made.wide = True
    made.road("primary", 0, 7)
    made.put("Allied", made.valley[0], mode="exploit", ma=2, **GI)


STAGES: Stages = {
    "WAR-5.3.4-a": _strategic_traffic,
    "WAR-5.3.4-b": _behind_strategic_movers,
    "WAR-5.4.4-d": _road_over_a_gorge,
    "WAR-5.6.0-a": _on_foot_by_road,
    "WAR-5.6.0-c": _out_of_a_crowd,
    "WAR-5.6.0-e": _gap_in_the_road,
    "WAR-5.6.1-b": _no_junction,
    "WAR-5.6.1-c": _another_type_of_road,
    "WAR-5.6.2-d": _heavy_by_trail,
    "WAR-5.6.3-a": _joining,
    "WAR-5.6.3-b": _past_another,
    "WAR-5.6.3-d": _into_a_jam,
    "WAR-5.6.3-e": _out_of_a_jam,
    "WAR-5.6.4-a": _four_lifts,
    "WAR-5.6.4-c": _lift_to_enemies,
    "WAR-5.6.4-h": _four_in_strategic_mode,
    "WAR-5.6.4-i": _late_lift,
}
