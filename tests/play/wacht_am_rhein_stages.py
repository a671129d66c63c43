"""Game setups drawn for clauses of wacht-am-rhein that hardly ever come up by themselves."""

from __future__ import annotations

from collections.abc import Callable
from random import Random

from vassal_umpire.model.fact import Value

from .kit import Fraction, GameSetup
from .wacht_am_rhein_stage import Stage, staged

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


def stage(clause: str, rng: Random) -> GameSetup | None:
    """A game setup drawn for a clause; None if setups of any kind give enough occasions."""
    build = STAGES.get(clause.removeprefix("WAR-"))
    return None if build is None else staged(build, rng)


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
    "5.4.4-d": lambda s: (  # a road that is no dashed line, where that is held to ask the whole MA
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
