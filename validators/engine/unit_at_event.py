"""A unit at an event, as clauses about markers and about the order of drags see it: a condition with the name
of an attribute overrides the log. Also the units that were next to enemies when a phase began.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from ...model.fact import UNKNOWN, Fact, MissingFact
from ...model.finding import Finding
from ...model.game import Game, StateChange
from ...model.unit import Unit
from ..answers import Decided, Question, open_in
from ..checks import listed, names_of
from ..concepts import sides
from ..concepts.logic import both, some
from ..concepts.sides import is_enemy, of_unclear_place, perhaps_with
from ..concepts.zones import Zones
from ..moves import Track
from ..one_stack import Drag
from ..ruleset import Circumstances, Requirement
from ..situation import Situation
from ..stopovers import handled
from ..verdicts import finding
from .asking import Question as Asking
from .asking import Run
from .other_unit import OtherUnit
from .spells import Start

if TYPE_CHECKING:
    from .rules import Rules


NO = (False, False)


class Contacts:
    """The units that were, or may have been, next to enemies that meet some requirements when phases began
    that are, or may be, of some kinds."""

    def __init__(
        self, rules: Rules, needs: tuple[Requirement, ...], kinds: tuple[str, ...]
    ) -> None:
        self._rules, self._needs = rules, needs
        table = Situation(rules.game, rules.history.timeline)
        self._found: dict[int, dict[str, tuple[bool, bool]]] = {}
        for start in rules.history.starts:
            if rules.history.perhaps(start, rules.phase_kinds, *kinds):
                table.advance_before(start.event.at)
                sure = rules.history.surely(start, rules.phase_kinds, *kinds)
                self._found[start.first] = dict(self._units(table, sure))

    def at(self, start: Start, unit: str) -> tuple[bool, bool]:
        """(whether a unit was certainly next to enemies when a phase began; whether it may have been)."""
        return self._found.get(start.first, {}).get(unit, NO)

    def _units(self, table: Situation, sure: bool) -> Iterator[tuple[str, tuple[bool, bool]]]:
        strays = [unit for unit in of_unclear_place(table) if self._meets(table, unit) is not False]
        for unit, known in self._rules.game.units.items():
            place = table.where(unit)
            if place.kind not in ("hex", "unclear") or known.kind != "unit":
                continue
            if place.hex is None:
                yield unit, (False, True)
                continue
            near = beside(table, unit, place.hex, self._needs)
            may = near is not False or any(self._enemies(unit, other) for other in strays)
            if may:
                yield unit, (sure and near is True, True)

    def _meets(self, table: Situation, unit: str) -> bool | None:
        found: bool | None = True
        for need in self._needs:
            found = both(found, need.met(table.fact(unit, need.attribute)))
        return found

    def _enemies(self, one: str, other: str) -> bool:
        game = self._rules.game
        return is_enemy(game, game.units[one].side, game.units[other].side) is not False


def beside(table: Situation, unit: str, name: str, needs: tuple[Requirement, ...]) -> bool | None:
    """Whether an enemy that meets ``needs`` is next to the hex of a unit; None: not known."""
    zones = Zones(Circumstances(table, (unit,)), table.game.units[unit].side, None)
    return some(
        both(sure, zones.meets(enemy, needs))
        for near in table.game.board.neighbours(name)
        for enemy, sure in zones.enemies(near)
    )


class UnitAtEvent(OtherUnit):
    """A unit at an event."""

    def fact(self, about: str) -> Fact:
        """The condition for it, otherwise for the whole game, otherwise the fact by the log."""
        at = self.history.timeline.step_of(self._index)
        if about in self.rules.game.condition_keys:
            said = self.history.timeline.condition(about, at, self._unit.id)
            if said != UNKNOWN:
                return said
        return super().fact(about)

    def asked(self, about: str) -> Asking:
        return self.rules.question_about(self._unit, about)

    def at(self, index: int) -> UnitAtEvent:
        return UnitAtEvent(self.run, self.rules, self._unit, index)

    def at_opening(self) -> UnitAtEvent:
        """The unit when the phase began."""
        return self.at(self.history.opening(self._index))

    def decided(self, about: str, name: object, surely: bool, perhaps: bool) -> bool:
        """Something that the attribute ``about`` decides: True if ``surely``, False unless ``perhaps``, else
        the answer assumed in this run."""
        holds = True if surely else None if perhaps else False
        return self.run.yes(("decided", self._unit.id, about, name), holds, self.asked(about))

    def told_now(self, topic: str, text: str) -> bool:
        """The answer about it under a topic at the step of the event; {} stands for its name."""
        at = self.history.timeline.step_of(self._index)
        return self.told(topic, text.format(self._unit.name), self._unit, at)

    def is_named(self, about: str, names: Sequence[str]) -> bool:
        """Whether an attribute is one of ``names``, in any case."""
        return self.is_(about, *(name.lower() for name in names))

    def is_answered(self, topic: str, text: str) -> bool:
        """Whether a number about it at the step of the event is above 0: the answer assumed in this run.
        Nobody has given the number."""
        at = self.history.timeline.step_of(self._index)
        asked = Question(topic, text.format(self._unit.name), self._unit.id, at)
        return self.run.yes(("answered", topic), None, asked.unknown())


class Marking(UnitAtEvent):
    """A unit at an event that changes its attribute. ``table``: the situation just before it."""

    def __init__(
        self,
        run: Run,
        rules: Rules,
        index: int,
        event: StateChange,
        table: Situation,
        tracks: Sequence[Track],
    ) -> None:
        super().__init__(run, rules, rules.game.units[event.unit], index)
        self.event, self._table, self._tracks = event, table, tracks

    @property
    def first(self) -> int:
        """The first event of its step."""
        return self.history.first_event(self.event.at)

    @property
    def place(self) -> str:
        """The hex where it is; empty: none, or not known."""
        return self._table.where(self._unit.id).hex or ""

    def whereabouts(self) -> str:
        """Where it is, as text."""
        return str(self._table.where(self._unit.id))

    def became(self, name: object, fact: Fact) -> bool:
        """Whether ``fact``, a value of the attribute, is true."""
        holds = True if fact.must_be(True) else False if fact.must_be(False) else None
        return self.run.yes(("became", name), holds, self.asked(self.event.attribute))

    def is_phasing(self, kind: str) -> bool:
        """Whether the phase is of ``kind`` and the unit certainly of the active side or a friend's."""
        view, game = self._table.phase, self.rules.game
        friend = sides.is_friend(game, view.active, self._table.side(self._unit.id))
        return friend is True and self.rules.phase_kinds.get(view.phase or "") == kind

    def mates(self) -> list[str]:
        """The units that are certainly friends and with it."""
        table, side = self._table, self._table.side(self._unit.id)
        here = table.surely_in(self.place) if self.place else ()
        friends = (u for u in here if sides.is_friend(table.game, side, table.side(u)) is True)
        return [unit for unit in friends if unit != self._unit.id]

    def perhaps_mates(self) -> list[str]:
        """The units that may be friends and with it."""
        table, side = self._table, self._table.side(self._unit.id)
        every = perhaps_with(table, self._unit.id)
        return [u for u in every if sides.is_friend(table.game, side, table.side(u)) is not False]

    def moved_in(self, kind: str) -> bool:
        """Whether it certainly moved before in the phase, which is of a kind."""
        number = self.history.timeline.phase_number(self.event.at)
        return any(
            self._unit.id in track.move.units
            and track.phase_number == number
            and track.events[0] < self._index
            and self._counts(track, kind)
            for track in self._tracks
        )

    def _counts(self, track: Track, kind: str) -> bool:
        name = track.move.phase.phase or ""
        whole = self.rules.game.whole_phase(name) is not None
        named = self.rules.phase_kinds.get(name) == kind
        return track.counts and track.phase_known and whole and named

    def next_to_enemies(self) -> bool:
        """Whether an enemy is next to it."""
        near = beside(self._table, self._unit.id, self.place, ()) if self.place else False
        zones = self._zones()
        asked: tuple[MissingFact, ...] = ()
        if near is None:
            hexes = self._table.game.board.neighbours(self.place)
            asked = tuple(fact for name in hexes for fact in zones.missing_in(name))
        return self.run.yes("next to enemies", near, *asked)

    def _zones(self) -> Zones:
        circumstances = Circumstances(self._table, (self._unit.id,))
        return Zones(circumstances, self._table.side(self._unit.id), None)

    def someone_came(self) -> bool:
        """Whether it, or an enemy next to it, was displaced before in the phase."""
        zones, hexes = self._zones(), self._table.game.board.neighbours(self.place)
        enemies = [unit for name in hexes for unit, _ in zones.enemies(name)]
        every = (self._unit.id, *enemies)
        return any(self.history.was_displaced(unit, self._index) for unit in every)


class InOrder(UnitAtEvent):
    """A unit in the order of the drags of a phase in which only movement displaces units.
    ``drags``: those of all units; ``ways``: the drags of each unit."""

    def __init__(
        self, run: Run, rules: Rules, unit: Unit, drags: list[Drag], ways: dict[str, list[Drag]]
    ) -> None:
        super().__init__(run, rules, unit, ways[unit.id][0].event)
        self._drags, self._ways = drags, ways

    @property
    def own(self) -> list[Drag]:
        """Its drags."""
        return self._ways[self._unit.id]

    def between(self, first: int, second: int) -> list[Drag]:
        """The drags between two events of units that did not move along."""
        every = (d for d in self._drags if first < d.event < second)
        return [drag for drag in every if self._unit.id not in drag.track.move.units]

    def by_hand(self, drag: Drag, until: int) -> bool:
        """Whether the others that ``drag`` dragged may not really have moved before an event."""
        found = self._handled(drag, until)
        known = found if isinstance(found, bool) else None
        return self.run.yes(("by hand", drag.event, until), known, *open_in(found))

    def surely_between(self, drag: Drag, until: int) -> bool:
        """Whether another unit of its side certainly moved by ``drag``, before an event, with witnesses."""
        side = self.own[0].track.side
        late = self.history.witnesses.too_late(drag.event, until, side)
        return (
            bool(side) and late and drag.track.side == side and self._handled(drag, until) is False
        )

    def _handled(self, drag: Drag, until: int) -> Decided:
        game, witnesses = self.rules.game, self.history.witnesses
        return handled(game, witnesses, self._ways, self._unit.id, drag, until)

    def accused(self, clause: str, said: str, tracks: Sequence[Track]) -> Finding:
        """The finding that the last of its moves broke a clause. {} in ``said`` stands for its name, {others}
        for the names of the units in the move before."""
        game: Game = self.rules.game
        move, others = tracks[-1].move, names_of(game, tracks[-2].move.units)
        text = said.format(self._unit.name, others=listed(others))
        alone = replace(move, units=(self._unit.id,))
        found = finding(game, alone, self.rules.full(clause), "illegal-move", "illegal", text)
        return replace(found, moves=tuple(dict.fromkeys(track.move.id for track in tracks)))
