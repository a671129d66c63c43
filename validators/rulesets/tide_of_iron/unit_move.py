"""The move of one unit, and what the facts say of it."""

from __future__ import annotations

from dataclasses import dataclass

from ....model.fact import UNKNOWN, Fact
from ....model.game import Game, StepRef
from ....model.unit import Unit
from ...concepts.sides import is_enemy
from ...ruleset import Circumstances
from ...situation import Situation
from .allowance import ACTIONS
from .tables import Tables
from .terrain_graph import hex_of
from .unit_actions import UnitActions
from .unit_history import UnitHistory, spelt
from .unit_type import on_card


@dataclass(frozen=True, slots=True)
class UnitMove:
    """The data that all scenarios of a unit's move share."""

    game: Game
    tables: Tables
    unit: Unit
    circumstances: Circumstances
    situation: Situation
    unit_history: UnitHistory
    end: int
    """The first event after the phase of the move."""

    def fact(self, unit: str, attribute: str) -> Fact:
        """The value of an attribute in the situation that is judged."""
        return self.situation.fact(unit, attribute)

    def card(self, unit: str, attribute: str) -> Fact:
        """The value of an attribute: the unit's own, else that of its type."""
        told = self.situation.fact(unit, attribute)
        if told.options is not None:
            return told
        return on_card(told, self.situation.fact(unit, "type"), attribute, self.tables)

    def declared(self, key: str, unit_actions: UnitActions | None = None) -> Fact:
        """The value of ``key`` (``clears``, for example) for this move: the attribute at the end of the
        unit's actions, or of the phase without these; else the condition. ``UNKNOWN`` if there is none, or if
        it may be about another move of the unit."""
        move = self.circumstances.move
        if not self.unit_history.timeline.tells_of(self.unit.id, key):
            return UNKNOWN
        if move is None:
            return self.situation.condition(key, self.unit.id)
        end = self.end if unit_actions is None else unit_actions.end
        said = self.unit_history.value(self.unit.id, key, end)
        found = self.situation.condition(key, self.unit.id) if said == UNKNOWN else said
        return UNKNOWN if self._is_of_another(key, found) else found

    def _is_of_another(self, key: str, told: Fact) -> bool:
        """Whether the value ``told`` of ``key`` may be about another move of the unit: it was not set in the
        phase of this move, and the unit has the same value in another phase in which it was dragged."""
        unit_history, unit, timeline = (
            self.unit_history,
            self.unit.id,
            self.unit_history.timeline,
        )
        start, end = unit_history.phase(self.end - 1)
        if not hex_of(self.game.board, told.value) or unit_history.changes(unit, key, start, end):
            return False
        for at, origin, target in unit_history.drags(unit, 0, len(unit_history.game.events)):
            if origin.kind == target.kind == "hex" and not start <= at < end:
                _, after = unit_history.phase(at)
                then = unit_history.value(unit, key, after)
                if then == UNKNOWN:
                    then = timeline.condition(key, timeline.step_of(at), unit)
                if then.options == told.options:
                    return True
        return False

    def action(self, start: int) -> Fact:
        """The action by which the unit was activated: from the attribute since event ``start``, else from
        the condition. ``UNKNOWN`` if neither gives it."""
        move, unit = self.circumstances.move, self.unit.id
        if move is not None:
            said = self.unit_history.told(unit, "action", start, self.end, ACTIONS)
            if said != UNKNOWN:
                return said
        return spelt(self.situation.condition("action", unit))

    def is_assaulted(self, unit_actions: UnitActions) -> bool:
        """Whether a unit that may be an enemy is said to have assaulted the hex that this unit leaves. Then
        it may have lost the assault, and be retreating."""
        timeline, board = self.unit_history.timeline, self.game.board
        move = self.circumstances.move
        if not unit_actions.legs or move is None:
            return False
        at = move.steps[0]
        for name, unit in self.game.units.items():
            enemy = is_enemy(self.game, self.unit.side, unit.side)
            if enemy is False or not timeline.tells_of(name, "assaults"):
                continue
            said = self.unit_history.value(name, "assaults", self.end)
            told = timeline.condition("assaults", at, name) if said == UNKNOWN else said
            if unit_actions.legs[0].origin in {
                hex_of(board, option) for option in told.options or ()
            }:
                return True
        return False

    def cleared(self, unit_actions: UnitActions, clearers: tuple[str, ...]) -> frozenset[str]:
        """The hexes from which other units are said to have cleared wire before the end of the move.
        ``clearers``: the units of which the game ever says that they clear wire."""
        game, timeline, move = (
            self.game,
            self.unit_history.timeline,
            self.circumstances.move,
        )
        found = set[str]()
        if move is None:
            return frozenset()
        for name in clearers:
            if name != self.unit.id:
                said = [timeline.condition_between("clears", StepRef(1, 0), move.steps[-1], name)]
                said += [game.units[name].fact("clears")]
                said += timeline.changes(name, "clears", 0, unit_actions.span[1])
                found.update(hex_of(game.board, o) for fact in said for o in fact.options or ())
        return frozenset(found - {""})
