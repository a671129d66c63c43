"""A judge that reuses stored judgements of this or another process.

The key of a judgement is a digest of everything it may have read: the program and the ruleset, the move and
the judge's arguments, and the game's board, tables, conditions, units and events. If the rules allow it
(:class:`.ruleset.LooksBack`), the digest leaves out events and units of logs after the one in which the
move's phase ends, except for facts about the phases up to then. So an added log does not change the keys of
earlier phases.

A sample of the stored judgements is made again and compared.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator
from contextlib import suppress
from functools import cached_property
from typing import Any, Protocol

from ..model import bill, board, boards, fact, finding, game, hexgrid, relations, unit
from ..model.finding import Move
from ..model.frozen_values import Damaged, FrozenValues, classes_of
from ..model.game import StepRef
from . import judge, quotas, ruleset, tracker
from .judge import Judgement, judge_move
from .on_boards import BoardCache
from .ruleset import LooksBack, RulesInForce
from .search import hexes_of, watch, watched
from .situation import Situation
from .timeline import Timeline

VALUES = FrozenValues(
    (
        *classes_of(bill, board, boards, fact, finding, game, hexgrid, relations, unit),
        *classes_of(judge, quotas, ruleset, tracker),
    )
)
MOST_GAMES = 8
"""For how many readings of a game the digests are kept at a time."""
_BOARDS: BoardCache[str] = BoardCache()


class Shelf(Protocol):
    """A store of judgements, by key."""

    def get(self, key: str) -> bytes | None:
        """The data under ``key``; None: there are none."""
        ...

    def put(self, key: str, data: bytes, log: int) -> None:
        """Store ``data``, which belongs to a move in the log with this number."""
        ...

    def is_due(self) -> bool:
        """Whether the judgement returned last is to be made again and compared."""
        ...

    def throw_away(self, why: str) -> None:
        """Return nothing more from the store, and delete its content."""
        ...


class Differs(BaseException):
    """A stored judgement differs from a new one. This error ends the audit; no check may handle it as its own
    failure."""


class StoredJudge:
    """A judge (see :data:`.phase.Judge`) with a ``shelf``. ``rests_on``: a digest of the program and of the
    ruleset. Raises :class:`Differs`."""

    def __init__(self, shelf: Shelf, rests_on: str) -> None:
        self._shelf, self._rests_on = shelf, rests_on
        self._games: list[GameKeys] = []

    def __call__(
        self, move: Move, situation: Situation, rules: RulesInForce, **given: Any
    ) -> Judgement:
        key: str | None = None
        with suppress(TypeError):  # as below
            key = self._key(move, situation, rules, given)
        kept = self._kept(key) if key is not None else None
        if kept is not None and not self._shelf.is_due():
            watch(kept[1])
            return kept[0]
        with watched() as labels:
            made = judge_move(move, situation, rules, **given)
        watch(*labels)
        reached = hexes_of(labels)
        if kept is not None and (made, reached) != kept:
            raise Differs
        if kept is None and key is not None:
            with suppress(TypeError):  # it holds values of classes that only its ruleset defines
                self._shelf.put(key, VALUES.write((made, reached)), move.steps[-1].log)
        return made

    def _kept(self, key: str) -> tuple[Judgement, frozenset[str]] | None:
        data = self._shelf.get(key)
        if data is None:
            return None
        try:
            judgement, hexes = VALUES.read(data)
            if isinstance(judgement, Judgement) and isinstance(hexes, frozenset):
                return judgement, hexes
        except (Damaged, ValueError, TypeError):
            pass
        self._shelf.throw_away("is damaged")
        return None

    def _key(
        self, move: Move, situation: Situation, rules: RulesInForce, given: dict[str, Any]
    ) -> str | None:
        """The key of a judgement; None: the situation's board is not one of its game, so it is not stored."""
        timeline = situation.timeline
        span = timeline.game.span_of(situation.game)
        if span is None:
            return None
        keys = next((one for one in self._games if one.timeline is timeline), None)
        if keys is None:
            keys = GameKeys(timeline)
            self._games = [keys, *self._games[: MOST_GAMES - 1]]
        back = isinstance(rules, LooksBack) and rules.looks_back
        about = move, span, situation.applied, situation.until, sorted(given.items())
        parts = self._rests_on, *keys.read_by(move, situation, back=back), VALUES.digest(about)
        return hashlib.sha256("\n".join(parts).encode()).hexdigest()


class GameKeys:
    """Digests of the parts of a game that its judgements read. ``timeline``: that of the game."""

    def __init__(self, timeline: Timeline) -> None:
        self.timeline = timeline
        self._game = timeline.game
        self._kept: dict[tuple[object, ...], str] = {}

    def read_by(self, move: Move, situation: Situation, *, back: bool) -> Iterator[str]:
        """The digests for the judgement of a move. ``back``: the rules only look back."""
        yield self._once(self._fixed, "fixed")
        timeline = self.timeline
        if not back:
            yield self._once(self._all_that_happens, "events")
            return
        last = move.steps[-1]
        if situation.until > situation.applied:
            last = max(last, timeline.step_of(situation.until - 1))
        phase, ends = timeline.end_of_spell(last)
        log = max(last.log, ends.log)
        yield self._happened[log]
        yield self._once(lambda: timeline.phases_up_to(phase), "phases", phase)
        turn = timeline.turn_number(situation.at)
        yield self._once(lambda: self._off_soon(log, situation.at), "off", log, turn)

    def _off_soon(self, log: int, at: StepRef) -> list[str]:
        """The units that a log later than ``log`` takes off the hexes before anything else happens to them,
        in the turn of step ``at`` or the next: they may have been lost before
        (:meth:`.Situation.in_play`)."""
        timeline = self.timeline
        off = timeline.off_next(timeline.end_of_log(log))
        return [unit for unit, event in off if timeline.is_soon(event, at)]

    def _once(self, make: Callable[[], object], *what: object) -> str:
        found = self._kept.get(what)
        if found is None:
            found = self._kept[what] = VALUES.digest(make())
        return found

    def _fixed(self) -> object:
        """The parts of the game that do not depend on its events."""
        game = self._game
        board = _BOARDS.of((game.board,), lambda: VALUES.digest(game.board))
        facts = [source.file for source in game.sources if source.kind == "facts"]
        told = (
            game.phases,
            game.forms,
            game.conditions,
            game.relations,
            sorted(map(str, game.nameless)),
        )
        return board, game.sides, game.rules, told, facts, self.timeline.told_late()

    def _all_that_happens(self) -> object:
        game = self._game
        return game.units, game.opening, game.events

    @cached_property
    def _happened(self) -> dict[int, str]:
        """By log, a digest of the events up to its end, of the units that they or conditions are about, and
        of the kinds of all units."""
        game, found, told = self._game, dict[int, str](), VALUES.digest(self._kinds)
        present = {unit for unit, place in game.opening.items() if place.kind != "nowhere"}
        present.update(condition.unit for condition in game.conditions)
        new = frozenset(present)
        for log in dict.fromkeys((0, *(event.at.log for event in game.events))):
            begin, end = self.timeline.first_event(StepRef(log, 0)), self.timeline.end_of_log(log)
            events = game.events[begin:end]
            new |= {getattr(event, "unit", "") for event in events} - present
            present |= new
            units = [(name, game.units.get(name), game.opening.get(name)) for name in sorted(new)]
            order = "\n".join(name for name in game.units if name in present)
            told = found[log] = VALUES.digest((told, events, units, order))
            new = frozenset()
        return found

    @cached_property
    def _kinds(self) -> str:
        """A digest of the kinds, sides and attribute values that occur among all units, without names and
        sources."""
        found = set[object]()
        for one in self._game.units.values():
            found.add((one.kind, one.side))
            for about, told in one.attributes.items():
                found.add((one.kind, about, told.options, told.lo, told.hi))
        return VALUES.digest(found)
