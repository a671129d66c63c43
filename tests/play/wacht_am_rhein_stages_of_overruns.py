"""Game setups drawn for what wacht-am-rhein says of overruns (5.10)."""

from __future__ import annotations

from vassal_umpire.model.fact import Value

from .wacht_am_rhein_stage import LEG, SIDES, Stage, Stages, other


def _roadblock(made: Stage, start: int = 1, **facts: Value | int) -> str:
    """5.10: one in Exploit Mode, and an enemy in his way. The side he is of."""
    side = made.rng.choice(SIDES)
    made.open_up(0, 7)
    role: dict[str, Value | int] = {"mode": "exploit", "command": "Q", "formation": "Q", **facts}
    made.put(side, made.valley[start], **role)
    made.put(other(side), made.valley[2])
    return side


def _overrun_by_guns(made: Stage) -> None:
    _roadblock(made, type="artillery", traction="sp")


def _overrun_by_an_hq(made: Stage) -> None:
    _roadblock(made, type="hq", strength=0)


def _overrun_on_trucks(made: Stage) -> None:
    _roadblock(made, motor=True, **LEG)


def _overrun_together(made: Stage) -> None:
    """5.10.1-a."""
    side = _roadblock(made)
    made.put(side, made.valley[1], **made.roles[f"{side} 1"])


def _overrun_unsupplied(made: Stage) -> None:
    _roadblock(made, supply="out")


def _overrun_again(made: Stage) -> None:
    """5.10.1-d: two go down the valley."""
    side = _roadblock(made)
    made.put(side, made.valley[0], **made.roles[f"{side} 1"])


def _overrun_between(made: Stage) -> None:
    """5.10.1-e: with other enemies next to him."""
    side = _roadblock(made)
    for name in (made.beside(0), made.beside(0, -1)):
        made.put(other(side), name, **LEG)


def _overrun_dear(made: Stage) -> None:
    """5.10-e: just MPs enough without the overrun."""
    start, ma = made.rng.choice(((0, 6), (1, 4)))
    _roadblock(made, start, ma=ma)


STAGES: Stages = {
    "WAR-5.10-c1": _overrun_by_guns,
    "WAR-5.10-c2": _overrun_by_an_hq,
    "WAR-5.10-c3": _overrun_on_trucks,
    "WAR-5.10-e": _overrun_dear,
    "WAR-5.10.1-a": _overrun_together,
    "WAR-5.10.1-b": _overrun_unsupplied,
    "WAR-5.10.1-d": _overrun_again,
    "WAR-5.10.1-e": _overrun_between,
}
