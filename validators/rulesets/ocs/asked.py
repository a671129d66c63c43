"""What to ask when a fact is not known that only this series knows."""

from __future__ import annotations

from collections.abc import Iterable

from ....model.fact import Unknown
from ....model.unit import Unit
from .tables import MODES


def factor(reason: str) -> Unknown:
    """By what a mode, or DG, multiplies an allowance."""
    return Unknown(
        f"factor of {reason}",
        f"by what does {reason} multiply the movement allowance in this edition (5.7 to 5.10)?",
        "pack.toml",
        _stanza(reason),
    )


def _stanza(reason: str) -> str:
    """Where the pack tells it; empty where the mode or the segment is what is not known."""
    mode, _, segment = reason.removeprefix("mode ").partition(" in ")
    if mode != "DG" and (mode not in MODES or not segment):
        return ""
    key = f"{mode}.{segment}" if segment else mode.lower()
    return f'[rules.factors]\n{key} = "?"'


def segment(phase: str) -> Unknown:
    """Which segment of movement a phase is."""
    return Unknown(
        f"segment of {phase}",
        f"is the phase {phase} one of movement, reaction or exploitation?",
        "pack.toml",
        f'[rules.phases]\nmovement = ["{phase}"]',
    )


def active() -> Unknown:
    """Whose turn it is."""
    return Unknown("active side", "which side is active in the phase?", "facts.toml")


def supply(unit: Unit, segment: str) -> Unknown:
    """Whether a transport point moves in a segment."""
    return Unknown(
        f"unit {unit.id} in {segment}",
        f"may {unit.name} move in {segment}, being a transport point (13.2)?",
    )


def allied(unit: Unit, side: str | None) -> Unknown:
    """Whether two sides are one player's."""
    return Unknown(
        f"sides {' and '.join(sorted((unit.side or '?', side or '?')))}",
        f"are {unit.side} and {side} the units of one player?",
        "pack.toml",
    )


def captured(unit: Unit) -> Unknown:
    """Whether supplies, or what carries them, have fallen to the other side."""
    return Unknown(
        f"unit {unit.id} captured", f"was {unit.name} captured, and moved by its captor?"
    )


def late(unit: Unit, changed: Iterable[str]) -> Unknown:
    """Whether it was marked, or flipped, only after it had moved."""
    names = " and ".join(changed)
    return Unknown(
        f"unit {unit.id} {names} at the end of the phase",
        f"did {unit.name} move with the {names} it was given later in the phase?",
    )


def placed(unit: Unit) -> Unknown:
    """Whether what was put onto the map was put down in a wrong hex first."""
    return Unknown(
        f"unit {unit.id} placed",
        f"was {unit.name} meant to be placed where it was put in the end?",
    )


def retreat(unit: Unit) -> Unknown:
    """Whether an overrun put it back."""
    return Unknown(
        f"unit {unit.id} retreat",
        f"was {unit.name} put back by an overrun?",
        "pack.toml",
        '[[phase]]\nforms = ["move", "overrun", "retreat"]',
    )


def overrun(unit: Unit) -> Unknown:
    """Whether it overran whom it met."""
    return Unknown(
        f"unit {unit.id} overrun",
        f"was it an overrun by which {unit.name} went to the enemies' hex?",
        "pack.toml",
        '[[phase]]\nforms = ["move", "overrun"]',
    )


def transport(unit: Unit) -> Unknown:
    """Whether supplies were carried."""
    return Unknown(
        f"unit {unit.id} transport", f"was {unit.name} carried by transport points (13.2)?"
    )


def rail(unit: Unit) -> Unknown:
    """Whether it went by rail."""
    return Unknown(
        f"unit {unit.id} rail",
        f"was {unit.name} carried by rail (13.3)?",
        "pack.toml",
        '[[phase]]\nforms = ["move", "overrun", "rail"]',
    )


def lift(unit: Unit) -> Unknown:
    """Whether it went by air or sea."""
    return Unknown(
        f"unit {unit.id} air or sea",
        f"was {unit.name} carried by air or sea?",
        "pack.toml",
        '[[phase]]\nforms = ["move", "overrun", "rail", "air", "sea"]',
    )
