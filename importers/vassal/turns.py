"""Turn trackers: their levels, and the text a saved state stands for."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class CounterLevel:
    """A level that counts. ``children`` are the levels inside it, visited in order."""

    property: str
    start: int
    increment: int
    loop: bool
    loop_limit: int
    turn_format: str
    children: tuple[TurnLevel, ...] = ()


@dataclass(frozen=True, slots=True)
class ListLevel:
    """A level that goes through a list of texts."""

    property: str
    values: tuple[str, ...]
    turn_format: str
    children: tuple[TurnLevel, ...] = ()


TurnLevel = CounterLevel | ListLevel


@dataclass(frozen=True, slots=True)
class TurnTracker:
    """A turn tracker: ``id`` is what commands call it (``TurnTracker0``)."""

    id: str
    name: str
    turn_format: str
    report_format: str
    levels: tuple[TurnLevel, ...]
