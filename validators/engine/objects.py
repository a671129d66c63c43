"""Things in hexes, such as wire: features of the board, or markers that players place and remove."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from fractions import Fraction
from functools import cached_property

from ...model.board import Board
from ...model.fact import UNKNOWN, Fact
from ...model.game import Game
from ...model.unit import NAMELESS, Unit
from ..answers import Question, answer
from ..concepts import logic
from .activation import places, series
from .history import History

TYPE = "type"
Found = dict[str, dict[str, bool | None]]
"""Hex → kind → whether such a thing is there; None: not known."""
Kinds = dict[str, bool | None]
"""Kind → True if a marker is such a thing, None if not known. Kinds that it is not are left out."""


def lies_question(kind: str, name: str) -> Question:
    """Was there something of a kind in a hex during the move?"""
    return Question(f"{kind} in {name}", f"was there {kind} in {name} during the move?")


class Objects:
    """The things of some ``kinds`` in hexes. A marker's kind is its attribute ``type`` or, without one, its
    name. If its type is not known and its name is not a kind, or it has no name, it may be of any kind.
    ``others``: names of markers that are not such things."""

    def __init__(
        self, board: Board, history: History, kinds: Sequence[str], others: Iterable[str]
    ) -> None:
        self._history, self._kinds, self._others = history, tuple(kinds), tuple(others)
        self._markers = list(self._read_markers(history.game))
        self._drawn: Found = {}
        for name in board.hexes if kinds else ():
            for kind in kinds:
                there = board.has(name, (kind,))
                if there is not False:
                    self._drawn.setdefault(name, {})[kind] = there

    @property
    def any(self) -> bool:
        """Whether there ever is, or may be, such a thing."""
        return bool(self._markers or self._drawn)

    @property
    def drawn_alone(self) -> bool:
        """Whether all of them are features of the board."""
        return not self._markers

    @cached_property
    def ever(self) -> frozenset[str]:
        """The hexes that have, or may have, such a thing at any time."""
        end = len(self._history.game.events)
        laid = (p for unit, _ in self._markers for p in places(self._history, unit.id, 0, end))
        return frozenset((*self._drawn, *(place.name for place in laid if place.kind == "hex")))

    def during(self, start: int, end: int, cleared: frozenset[str], kind: str) -> Found:
        """The things in hexes from event ``start`` to event ``end`` (excluded). ``cleared``: hexes from which
        things of ``kind`` were cleared at an unknown time."""
        if not self._markers and cleared.isdisjoint(self._drawn):
            return self._drawn
        found: Found = {}
        for name, kinds in (*self._places(start, end), *self._drawn.items()):
            here = found.setdefault(name, {})
            for one, there in kinds.items():
                here[one] = logic.some((here.get(one, False), there))
        for name in cleared & found.keys():
            if found[name].get(kind):
                found[name][kind] = None
        for name, here in found.items():
            for one, there in here.items():
                if there is None:
                    here[one] = answer(self._history.game, lies_question(one, name))
        return found

    def _read_markers(self, game: Game) -> Iterator[tuple[Unit, Kinds | None]]:
        """The markers that ever are, or may be, such things, each with its kinds; None: its type changes."""
        for unit in game.units.values() if self._kinds else ():
            if unit.kind == "marker":
                changes = self._history.changes(unit.id, TYPE, 0, len(game.events))
                kinds = None if changes else self._of([self._words(unit, unit.fact(TYPE))])
                if kinds is None or kinds:
                    yield unit, kinds

    def _places(self, start: int, end: int) -> Iterator[tuple[str, Kinds]]:
        """(hex, kinds) for each place of each marker. A kind is certain only if the marker is there, and of
        that kind, all the time."""
        for unit, always in self._markers:
            kinds = self._during(unit, start, end) if always is None else always
            if not kinds:
                continue
            there = places(self._history, unit.id, start, end)
            # players may have forgotten a marker that is soon removed
            open_place = len(there) > 1 or self._history.taken_off(unit.id, end)
            for place in there:
                if place.kind == "hex":
                    yield place.name, dict.fromkeys(kinds) if open_place else kinds

    def _words(self, unit: Unit, told: Fact) -> frozenset[str]:
        """The kinds that a marker with type ``told`` may be; an empty word: it may not be such a thing."""
        if told.options is not None:
            words = {str(option).lower() for option in told.options}
        elif unit.name.lower() in (*self._kinds, *self._others) or (
            told == UNKNOWN and TYPE not in unit.attributes and unit.name != NAMELESS
        ):
            words = {unit.name.lower()}
        else:
            words = {*self._kinds, ""}
        return frozenset(word if word in self._kinds else "" for word in words)

    def _of(self, several: Sequence[frozenset[str]], sure: bool = True) -> Kinds:
        """The kinds of a marker that had the words of ``several`` one after the other. ``sure``: it had no
        others."""
        every = frozenset[str]().union(*several)
        sure = sure and len(every) == 1
        return {kind: True if sure else None for kind in self._kinds if kind in every}

    def _during(self, unit: Unit, start: int, end: int) -> Kinds:
        """The kinds of a marker whose type changes. If it is changed soon after the time asked for, it may
        have been forgotten. If it is changed back before anybody saw it, it may have been an oversight."""
        history, game = self._history, self._history.game
        several = [self._words(unit, f) for _, f in series(history, unit.id, TYPE, start, end)]
        later = history.changes(unit.id, TYPE, end, len(game.events))
        step = history.timeline.step_of(max(0, end - 1))
        if not later or not history.timeline.is_soon(later[0][0], step):
            return self._of(several)
        index, fact = later[0]
        if not history.witnesses.too_late(max(0, end - 1), index, None):
            before = [self._words(unit, f) for _, f in series(history, unit.id, TYPE, 0, start)]
            several.append(self._words(unit, fact).intersection(frozenset[str]().union(*before)))
        return self._of(several, sure=False)


def hex_named(board: Board, value: object) -> str:
    """The hex that a fact names; empty if it does not name one. The name may have been read as a number."""
    if isinstance(value, Fraction):
        names = [n for n in board.hexes if n.isdecimal() and int(n) == value]
        return names[0] if len(names) == 1 else ""
    return value if isinstance(value, str) and value in board.hexes else ""
