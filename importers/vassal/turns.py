"""Turn trackers: their levels, and the text a saved state stands for."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import TypeAlias

from . import sequence
from .formats import Format


@dataclass(frozen=True, slots=True)
class CounterLevel:
    """A level that counts. ``children`` are the levels inside it, visited in order."""

    property: str
    start: int
    increment: int
    loop: bool
    loop_limit: int
    turn_format: Format
    children: tuple[TurnLevel, ...] = ()


@dataclass(frozen=True, slots=True)
class ListLevel:
    """A level that goes through a list of texts."""

    property: str
    values: tuple[str, ...]
    turn_format: Format
    children: tuple[TurnLevel, ...] = ()


TurnLevel: TypeAlias = CounterLevel | ListLevel


@dataclass(frozen=True, slots=True)
class LevelState:
    """A level as a state leaves it.

    ``value`` is what the level's property holds; ``text`` the same in the level's format, None
    where the format is an expression we do not evaluate; ``active_child`` the index of the child
    whose turn it is.
    """

    level: TurnLevel
    value: str
    text: str | None
    active_child: int
    children: tuple[LevelState, ...]

    def chain(self) -> Iterator[LevelState]:
        """This level and the active ones inside it, outermost first."""
        here: LevelState | None = self
        while here is not None:
            yield here
            inner = here.children
            here = inner[here.active_child] if 0 <= here.active_child < len(inner) else None


@dataclass(frozen=True, slots=True)
class TurnState:
    """A tracker at one moment.

    ``text`` is the turn as players read it (None: its format is an expression we do not
    evaluate); ``properties`` are all levels' module properties, active or not.
    """

    tracker: TurnTracker
    active: int
    levels: tuple[LevelState, ...]
    text: str | None

    @property
    def properties(self) -> Mapping[str, str]:
        """Value by property name; where a name repeats the later level wins."""
        found: dict[str, str] = {}
        todo = list(self.levels)
        while todo:
            level = todo.pop(0)
            found[level.level.property] = level.value
            todo[:0] = level.children
        return found


@dataclass(frozen=True, slots=True)
class TurnTracker:
    """A turn tracker: ``id`` is what commands call it (``TurnTracker0``).

    Several levels side by side are alternatives, visited in order.
    """

    id: str
    name: str
    turn_format: Format
    report_format: Format
    levels: tuple[TurnLevel, ...]

    def state(self, text: str = "") -> TurnState:
        """Read a saved state (``TURNid⇥state``); the empty state is the start of the game.

        State (TurnTracker.setState): the current top level's index, then one token per top level,
        joined with ``|``. What is missing or no number takes the level's start.
        """
        tokens = sequence.split(text, "|")
        active = _integer(tokens, 0, 0)
        levels = tuple(
            _level_state(level, tokens[i + 1] if i + 1 < len(tokens) else "")
            for i, level in enumerate(self.levels)
        )
        chain = list(levels[active].chain()) if 0 <= active < len(levels) else []
        values: dict[str, str | None] = {f"level{i + 1}": "" for i in range(_shown(self))}
        values.update((f"level{i + 1}", level.text) for i, level in enumerate(chain))
        known = all(level.text is not None for level in chain)
        return TurnState(self, active, levels, self.turn_format.render(values) if known else None)


def _level_state(level: TurnLevel, text: str) -> LevelState:
    tokens = sequence.split(text, ";")
    if isinstance(level, CounterLevel):
        value, own = str(_integer(tokens, 0, level.start)), 4
    else:
        # list levels inherit a start of 1 for a state without number, but begin at their first
        index = _integer(tokens, 0, 1 if text else 0)
        value, own = level.values[index] if 0 <= index < len(level.values) else "", 4
    children = tuple(
        _level_state(child, tokens[own + i] if own + i < len(tokens) else "")
        for i, child in enumerate(level.children)
    )
    return LevelState(
        level,
        value,
        level.turn_format.render({"value": value}),
        _integer(tokens, 1, 0),
        children,
    )


def _integer(tokens: list[str], index: int, default: int) -> int:
    try:
        return int(tokens[index])
    except (IndexError, ValueError):
        return default


def _shown(tracker: TurnTracker) -> int:
    """How many level variables the engine sets: as many as its levels nest (at least four)."""

    def depth(levels: tuple[TurnLevel, ...]) -> int:
        return 1 + max(depth(level.children) for level in levels) if levels else 0

    return max(4, depth(tracker.levels))
