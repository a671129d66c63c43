"""Effects of an overrun on the unit that made it, or on the unit it was made against (5.10.4): the unit may
not move on, or it was put back rather than moved."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

from ....model.fact import MissingFact
from ....model.finding import Move
from ....model.game import Place, StepRef
from ....model.stanza import BLANK, stanza
from ....model.unit import Unit
from ...answers import answer
from ...concepts import logic
from ...concepts.sides import is_friend
from ...ruleset import Breach, WeightedFact
from ...situation import Situation as GameSituation
from .neighbourhood import Neighbourhood
from .overrun_results import OVERRUN, Result, stays_with_dice
from .player_questions import PutBack
from .prohibitions import Prohibition
from .tables import EXPLOITATION, MOVEMENT

HALTED = "moves after an overrun that failed"


class OverrunEffects:
    """The effects of overruns on one unit. ``phase``: the kind of phase ('' if unknown); ``active``: the
    side whose phase it is, None if unknown; ``may_overrun``: whether the unit's type, mode and supply allow
    overruns."""

    def __init__(
        self,
        unit: Unit,
        neighbourhood: Neighbourhood,
        move: Move | None,
        phase: str,
        active: str | None,
        *,
        may_overrun: bool,
    ) -> None:
        self.unit, self.neighbourhood, self.move = unit, neighbourhood, move
        self.phase, self.active, self.may_overrun = phase, active, may_overrun
        self.results = neighbourhood.results_of(unit.id)

    def prohibitions(self) -> Iterator[Prohibition]:
        """A breach for each overrun that forbids the move; a missing fact where an overrun may forbid it."""
        if self.phase == EXPLOITATION and self.neighbourhood.tables.applies("5.10.1-d"):
            yield from self._overruns_again()
        if self.phase == MOVEMENT or not self.neighbourhood.tables.applies("5.10.4-a"):
            return
        for result in self.results:
            if result.may_have_failed:
                yield from self._after(result)

    def _overruns_again(self) -> Iterator[Breach]:
        """A breach for each enemy hex in which the unit stayed twice during the move, with dice rolled each
        time (5.10.1-d)."""
        move, neighbourhood = self.move, self.neighbourhood
        timeline = neighbourhood.unit_history.timeline
        if move is None or timeline is None or len(move.steps) < 2:
            return
        hexes = [place.hex for place in move.waypoints[1:]]
        game = neighbourhood.situation.game
        if len(hexes) == len(set(hexes)):
            return
        stays = Counter(stays_with_dice(game, timeline, move.steps, hexes))
        for name, times in stays.items():
            if times > 1 and neighbourhood.occupied(name):
                yield Breach("WAR-5.10.1-d", f"overruns {name} for the second time", "")

    def _after(self, result: Result) -> Iterator[Prohibition]:
        if self.move is None:
            if result.after is not None:
                yield self._halted(result)
            return
        number = self._first_after(result)
        if number is None or not self._goes_on(number):
            return
        if result.after is None or not result.fact.is_known:
            yield WeightedFact(self._failure_question(number))
        elif not self.may_withdraw() and not self._may_go_back(number):
            yield self._halted(result)
        else:
            put_back = PutBack(self.unit, self.move)
            said = answer(self.neighbourhood.situation.game, put_back.question)
            if said is None:
                yield WeightedFact(put_back.unknown())
            elif not said:
                yield self._halted(result)

    def _halted(self, result: Result) -> Prohibition:
        sure = result.fact.is_known
        return (
            Breach("WAR-5.10.4-a", HALTED, "") if sure else WeightedFact(self._failure_question(0))
        )

    def _first_after(self, result: Result) -> int | None:
        """The index in ``move.steps`` of the first drag that came, or may have come, after the overrun of
        ``result``; None if there is no such drag.

        If the result is dated, this is the first drag after its step. Otherwise it is the drag after the
        first one into a hex with enemies, or else the first drag out of a hex next to enemies: a unit that
        is not next to an enemy cannot overrun.
        """
        assert self.move is not None
        steps, places = self.move.steps, self.move.waypoints
        if result.after is not None:
            return next((n for n, at in enumerate(steps) if at > result.after), None)
        hexes = [place.hex for place in places]
        neighbourhood = self.neighbourhood
        for number, name in enumerate(hexes[1:], 1):
            if name is not None and neighbourhood.occupied(name) is not False:
                return number if number < len(steps) else None
        for number, name in enumerate(hexes[:-1]):
            if name is not None and neighbourhood.next_to_enemy(name) is not False:
                return number
        return None

    def _goes_on(self, number: int) -> bool:
        """Whether the drags from index ``number`` on end anywhere but in the hex from which the unit
        overran."""
        assert self.move is not None
        places = self.move.waypoints
        return self._overran_from(places[: number + 1]) != places[-1]

    def _may_go_back(self, number: int) -> bool:
        """Whether the unit may have overrun from the hex in which the move ends: nothing witnessed it in its
        stops after that hex. ``number``: the first drag after the overrun."""
        assert self.move is not None
        places, binding = self.move.waypoints, self.move.binding
        for index in range(number, -1, -1):
            name = places[index].hex
            if name is not None and self.neighbourhood.occupied(name) is True:
                continue
            if places[index] == self.move.target:
                return True
            if binding[index]:
                return False
        return False

    def _overran_from(self, places: Sequence[Place]) -> Place:
        """The hex from which the unit overran: the last of ``places`` that is not surely enemy-occupied."""
        for place in reversed(places):
            if place.hex is None or self.neighbourhood.occupied(place.hex) is not True:
                return place
        return places[0]

    def _failure_question(self, number: int) -> MissingFact:
        """The question whether an overrun before drag ``number`` failed, and when. The condition to fill in
        starts at the step before that drag."""
        move, name = self.move, self.unit.name
        at = StepRef(1, 0)
        if move is not None:
            at = move.steps[number - 1] if number else self._step_before(move.steps[0])
        return MissingFact(
            f"condition {OVERRUN}",
            f"did an overrun of {name} fail before it was moved on? Tell from which step that holds",
            "facts.toml",
            stanza(
                "[[condition]]",
                {"key": OVERRUN, "unit": self.unit.id, "first": str(at), "value": BLANK},
            ),
        )

    def _step_before(self, at: StepRef) -> StepRef:
        """The step before the drag at ``at`` if it lies in the same phase, else ``at`` itself."""
        before = StepRef(at.log, at.step - 1)
        timeline = self.neighbourhood.unit_history.timeline
        if timeline is None or timeline.phase_number(before) != timeline.phase_number(at):
            return at
        return before

    def may_withdraw(self) -> bool:
        """Whether the move may be the retreat of a unit that failed to overrun: in an exploitation phase,
        from a hex that may be next to an enemy to one that is not surely next to one. Such a unit may not
        stay next to an enemy (5.10.4)."""
        move, neighbourhood = self.move, self.neighbourhood
        if move is None or move.target.kind != "hex" or self.phase != EXPLOITATION:
            return False
        before = (place.name for place in move.waypoints[:-1] if place.kind == "hex")
        to = move.target.name
        left = any(neighbourhood.next_to_enemy(name) is not False for name in before)
        return (
            left
            and neighbourhood.occupied(to) is not True
            and neighbourhood.next_to_enemy(to) is not True
        )

    def put_back_by_overrun(self) -> tuple[WeightedFact, ...] | None:
        """The facts needed to tell whether an overrun put the unit back; empty if it certainly did; None if
        the unit moved, so that the move is judged.

        A retreat is not movement (5.0), whoever's phase it is. A unit of the active side may have been put
        back if it lay next to an enemy and may have failed to overrun. A unit of the other side may have
        been put back if an enemy was next to it or in its hex, or if a die was rolled in the phase: it may
        retreat farther, or make room for others.
        """
        move = self.move
        if move is None or move.origin.kind != "hex":
            return None
        taken_out = self._is_taken_out()
        if taken_out:
            return ()
        if taken_out is None:
            return self._asks_whether_put_back(move)
        if self.phase != EXPLOITATION or not self._may_be_put_back(move):
            return None
        return self._asks_whether_put_back(move)

    def _asks_whether_put_back(self, move: Move) -> tuple[WeightedFact, ...] | None:
        """The result of :meth:`put_back_by_overrun` by what the facts answer: the question if they do not
        answer it."""
        asked = PutBack(self.unit, move)
        said = answer(self.neighbourhood.situation.game, asked.question)
        if said is None:
            return (WeightedFact(asked.unknown()),)
        return () if said else None

    def _is_taken_out(self) -> bool | None:
        """Whether the unit lay among enemies that it had failed to overrun, and this drag puts it back
        where it came from, in any phase. None if the enemies may have been dead, if no facts say that the
        overrun failed, or if it is not known where the unit came from."""
        move, neighbourhood = self.move, self.neighbourhood
        situation = neighbourhood.situation
        if move is None or move.origin.hex is None or len(move.steps) != 1:
            return False
        held = neighbourhood.occupied(move.origin.hex)
        if held is False or not isinstance(situation, GameSituation):
            return False
        back = self._goes_back(situation, move)
        return logic.both(
            logic.both(held, back),
            neighbourhood.overruns.failed_before(self.unit.id, move.steps[0]),
        )

    def _goes_back(self, situation: GameSituation, move: Move) -> bool | None:
        """Whether the drag leads to the hex from which the unit was last dragged. None if it may have come
        from the target: if nothing witnessed it in a hex on its way, or if the log shows no earlier drag and
        the target is next to the origin."""
        assert move.origin.hex is not None
        came = self.neighbourhood.overruns.came_by(self.unit.id, move.steps[0], situation.timeline)
        if len(came) == 1:
            return came[0].origin.hex == move.target.hex
        near = move.target.hex in self.neighbourhood.board.neighbours(move.origin.hex)
        passed = any(leg.origin.hex == move.target.hex for leg in came)
        return None if near or passed else False

    def _may_be_put_back(self, move: Move) -> bool:
        neighbourhood = self.neighbourhood
        friend = is_friend(neighbourhood.situation.game, self.unit.side, self.active)
        if friend is not False and self._may_have_failed(move):
            return True
        if friend:
            return False
        assert move.origin.hex is not None
        name = move.origin.hex
        near = (
            neighbourhood.next_to_enemy(name) is not False
            or neighbourhood.occupied(name) is not False
        )
        return near or neighbourhood.unit_history.rolled

    def _may_have_failed(self, move: Move) -> bool:
        """Whether the unit may have failed an overrun and then withdrawn. It lay in a hex that may be next
        to an enemy: at its origin, with a die rolled in the phase, or at a later stop that something
        witnessed. False if the facts say that none of its overruns failed."""
        neighbourhood = self.neighbourhood
        if self.results and not any(result.may_have_failed for result in self.results):
            return False
        if not self.may_overrun or not self.may_withdraw():
            return False
        stops = zip(move.waypoints[:-1], move.binding, strict=False)
        return any(
            place.kind == "hex"
            and (seen if number else neighbourhood.unit_history.rolled)
            and neighbourhood.next_to_enemy(place.name) is not False
            for number, (place, seen) in enumerate(stops)
        )
