"""Counters, hexes and events of small games made by hand, for the tests of one ruleset."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from flat import place
from vassal_umpire.model.board import Hex
from vassal_umpire.model.fact import UNKNOWN, Fact, known
from vassal_umpire.model.game import Displacement, PhaseRule, PhaseStart, StateChange, StepRef
from vassal_umpire.model.hexgrid import Axial, from_offset
from vassal_umpire.model.unit import Unit

ARDENNES: dict[str, Any] = {
    "class": "leg", "type": "infantry", "nation": "german", "mode": "tactical",
    "designation": "none", "supply": "in", "resting": False, "fatigue": False, "fuel": "normal",
    "released": False, "leader": False, "motor": False, "formation": "A", "attached": "no",
    "echelon": "division", "command": "X", "army": "First", "infantry-division": False,
    "breakdown": False, "strength": 1, "stacking": 1, "works": "none", "red": False,
    "depleted": False, "range": 10, "traction": "towed", "battery": "out", "calibre": "other",
    "bridge-class": "none", "static": False, "deployed": "no",
}  # fmt: skip
"""What is usual of a counter in Wacht am Rhein."""
MOVEMENT = {"Movement": PhaseRule("Movement", "active", (), complete=True)}


def unit(name: str, side: str | None, usual: Mapping[str, Any], **told: Any) -> Unit:
    """A counter of which all that is ``usual`` is known, but for what is ``told``."""
    values = {**usual, **told}
    facts = {
        key: value if isinstance(value, Fact) else known(value) for key, value in values.items()
    }
    return Unit(name, name, side, attributes=facts)


def in_a_row(
    names: Iterable[str], terrain: str = "clear", **more: tuple[str, ...]
) -> dict[str, Hex]:
    """Hexes side by side on level 0; ``more``: by hex (h0301) what is in it besides."""
    return {
        name: Hex(name, from_offset(column, 0), (terrain,), 0, more.get(f"h{name}", ()))
        for column, name in enumerate(names)
    }


def two_rows(count: int, terrain: str = "clear") -> dict[str, Hex]:
    """Hexes h0, h1 … side by side, and g0, g1 … above them: g1 touches h0 and h1."""
    return {
        f"{row}{q}": Hex(f"{row}{q}", Axial(q, r), (terrain,))
        for row, r in (("h", 0), ("g", -1))
        for q in range(count)
    }


def begins(step: int, turn: str | None, phase: str, side: str) -> PhaseStart:
    return PhaseStart(StepRef(1, step), turn, phase, side)


def drag(
    step: int, name: str, origin: str, target: str, actor: str = "Red", **more: Any
) -> Displacement:
    at = StepRef(1, step)
    return Displacement(at, name, place(origin), place(target), 1, actor=actor, **more)


def flip(
    step: int, name: str, key: str, after: Any, before: Any = UNKNOWN, **more: Any
) -> StateChange:
    """Something about a counter changes; values that are no facts are known."""
    first, then = (value if isinstance(value, Fact) else known(value) for value in (before, after))
    return StateChange(StepRef(1, step), name, key, first, then, **{"actor": "Red", **more})
