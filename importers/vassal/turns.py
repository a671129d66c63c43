"""Turn trackers: their levels, and the text a saved state stands for."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import TypeAlias

from . import sequence
from .formats import Format
from .grids.java import parse_int


@dataclass(frozen=True, slots=True)
class CounterLevel:
    """A level that counts. ``children`` are the levels inside it, visited in order."""

    property: str
    start: int
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
    levels: tuple[TurnLevel, ...]

    def state(self, text: str) -> TurnState:
        """Read a saved state (``TURNid⇥state``).

        State (TurnTracker.setState): the current top level's index, then one token per top level,
        joined with ``|``. What is missing or no number takes the engine's default.
        """
        tokens = sequence.split(text, "|")
        active, texts = _integer(tokens, 0, 0), [*tokens[1:], *[""] * len(self.levels)]
        levels = tuple(map(_level_state, self.levels, texts))
        chain = list(levels[active].chain()) if 0 <= active < len(levels) else []
        values: dict[str, str | None] = {f"level{i + 1}": "" for i in range(_shown(self))}
        values.update((f"level{i + 1}", level.text) for i, level in enumerate(chain))
        known = all(level.text is not None for level in chain)
        return TurnState(levels, self.turn_format.render(values) if known else None)


def _level_state(level: TurnLevel, text: str) -> LevelState:
    """A level by its state (``;``): value, active child, two settings, one token per child.

    A state without number gives a list its *second* text, for it shares the counters' default of 1
    (ListTurnLevel).
    """
    tokens = sequence.split(text, ";")
    if isinstance(level, CounterLevel):
        value = str(_integer(tokens, 0, level.start))
    else:
        index = _integer(tokens, 0, 1)
        value = level.values[index] if 0 <= index < len(level.values) else ""
    inner = [*tokens[4:], *[""] * len(level.children)]
    children = tuple(map(_level_state, level.children, inner))
    return LevelState(
        level, value, level.turn_format.render({"value": value}), _integer(tokens, 1, 0), children
    )


def _integer(tokens: list[str], index: int, default: int) -> int:
    value = parse_int(tokens[index]) if index < len(tokens) else None
    return default if value is None else value


def _shown(tracker: TurnTracker) -> int:
    """How many level variables the engine sets: as many as its levels nest (at least four)."""

    def depth(levels: tuple[TurnLevel, ...]) -> int:
        return 1 + max(depth(level.children) for level in levels) if levels else 0

    return max(4, depth(tracker.levels))
