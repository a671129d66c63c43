"""Things that lie in hexes, such as wire: features of the board, or markers that players put down and take
off."""

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
"""Kind → whether a marker is such a thing; None: not known. The kinds that it is not are left out."""


def lies_question(kind: str, name: str) -> Question:
    """Was there something of a kind in a hex during the move?"""
    return Question(f"{kind} in {name}", f"was there {kind} in {name} during the move?")


class Objects:
    """The things of some ``kinds`` that lie in hexes. A marker is one if its attribute ``type`` says so, or,
    where it has none, its name. If its type is not known and its name does not say what it is, or it has no
    name, it may be any of them. ``others``: names of markers that are none of them."""

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
        """Whether there ever is such a thing, or may be."""
        return bool(self._markers or self._drawn)

    @property
    def drawn_alone(self) -> bool:
        """Whether all of them are features of the board."""
        return not self._markers

    @cached_property
    def ever(self) -> frozenset[str]:
        """The hexes that hold such a thing at any time, or may."""
        end = len(self._history.game.events)
        laid = (p for unit, _ in self._markers for p in places(self._history, unit.id, 0, end))
        return frozenset((*self._drawn, *(place.name for place in laid if place.kind == "hex")))

    def during(self, start: int, end: int, cleared: frozenset[str], kind: str) -> Found:
        """What lies in hexes from one event to another (excluded). ``cleared``: hexes from which things of a
        kind are said to have been cleared at a time that is not known."""
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
        """The markers that ever are or may be such things, each with the kinds it is of throughout; None: its
        type changes."""
        for unit in game.units.values() if self._kinds else ():
            if unit.kind == "marker":
                changes = self._history.changes(unit.id, TYPE, 0, len(game.events))
                kinds = None if changes else self._of([self._words(unit, unit.fact(TYPE))])
                if kinds is None or kinds:
                    yield unit, kinds

    def _places(self, start: int, end: int) -> Iterator[tuple[str, Kinds]]:
        """(hex, kinds) for each place of each marker. A kind is certain only if the marker lies there and is
        of that kind all the time."""
        for unit, always in self._markers:
            kinds = self._during(unit, start, end) if always is None else always
            if not kinds:
                continue
            there = places(self._history, unit.id, start, end)
            # a marker that is soon taken off may have been forgotten there
            open_place = len(there) > 1 or self._history.taken_off(unit.id, end)
            for place in there:
                if place.kind == "hex":
                    yield place.name, dict.fromkeys(kinds) if open_place else kinds

    def _words(self, unit: Unit, told: Fact) -> frozenset[str]:
        """The kinds of thing that a marker may be, with its type ``told``; an empty word: it may be none."""
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
        """The kinds of a marker that has had these words one after the other. ``sure``: that is all it
        was."""
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
    """The hex that a fact names; empty if it names none. Facts may read the name as a number."""
    if isinstance(value, Fraction):
        names = [n for n in board.hexes if n.isdecimal() and int(n) == value]
        return names[0] if len(names) == 1 else ""
    return value if isinstance(value, str) and value in board.hexes else ""
