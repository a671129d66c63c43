"""What the checks of actions other than moves share: the action, the facts about it, and the finding."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial

from ....model.fact import UNKNOWN, Fact
from ....model.finding import Finding, FindingKind
from ....model.game import Displacement, Game
from ....model.unit import Unit
from ...checks import names_of
from ...moves import phase_is_known
from .allowance import ACTIONS, Card
from .tables import VEHICLES, Tables
from .unit_actions import UnitActions
from .unit_history import UnitHistory, spelt
from .unit_type import classes_of, on_card


@dataclass(frozen=True, slots=True)
class UnitAction:
    """Something that a unit did at event ``at``. ``unit_actions``: all that it did in that phase."""

    unit: Unit
    at: int
    unit_actions: UnitActions


class ActionChecks:
    """Answers questions about the actions of the units in a game."""

    def __init__(self, game: Game, unit_history: UnitHistory, tables: Tables) -> None:
        self.game, self.unit_history, self.tables = game, unit_history, tables
        self.timeline = unit_history.timeline
        self._players: dict[str | None, set[str]] = {}
        """Side → the players who dragged counters for it. Logs do not say who changed a counter's state."""
        for event in game.events:
            if isinstance(event, Displacement) and event.player:
                self._players.setdefault(event.actor, set()).add(event.player)

    def is_closed(self, phase: tuple[int, int]) -> bool:
        """Whether a phase is known, is complete by the pack (only movement displaces counters in it), and is
        over. ``phase``: its first event and the first event after it."""
        at = self.timeline.step_of(phase[0])
        rule = self.game.phases.get(self.timeline.phase(at).phase or "")
        whole = rule is not None and rule.complete and not rule.complete_for
        over = phase[1] < len(self.game.events) and self.timeline.is_over(at)
        known = phase_is_known(self.timeline, at) and not self.timeline.is_reopened(at)
        return whole and over and known

    def action(self, unit_action: UnitAction) -> Fact:
        """The action by which the unit was activated: from the attribute, else from the condition.
        ``UNKNOWN`` if neither gives it."""
        said = self.unit_history.told(
            unit_action.unit.id, "action", unit_action.at, unit_action.unit_actions.end, ACTIONS
        )
        if said != UNKNOWN:
            return said
        at = self.timeline.step_of(unit_action.at)
        return spelt(self.timeline.condition("action", at, unit_action.unit.id))

    def card(self, unit: str, attribute: str, at: int) -> Fact:
        """The value of an attribute just before event ``at``: the unit's own, else that of its type."""
        value = self.unit_history.value
        return on_card(value(unit, attribute, at), value(unit, "type", at), attribute, self.tables)

    def card_at(self, at: int) -> Card:
        """:meth:`card` at one event."""
        return partial(lambda number, unit, attribute: self.card(unit, attribute, number), at)

    def may_ride(self, unit: str, at: int) -> bool:
        """Whether a unit may ride in a vehicle. A vehicle may only if its attribute ``aboard`` is given."""
        driven = set(classes_of(self.card(unit, "class", at))) <= set(VEHICLES)
        return not driven or self.unit_history.value(unit, "aboard", at).options is not None

    def finding(
        self,
        unit_action: UnitAction,
        clause: str,
        text: str,
        *others: str,
        kind: FindingKind = "illegal-move",
    ) -> Finding:
        """The finding that an action breaks ``clause`` (without ``TOI-``). ``text``: continues the unit's
        name. ``others``: units other than its own on which the finding depends."""
        at = self.timeline.step_of(min(unit_action.at, len(self.game.events) - 1))
        name = names_of(self.game, (unit_action.unit.id,))[0]
        place = self.unit_history.place(unit_action.unit.id, unit_action.at)
        who = self._players.get(unit_action.unit.side, set())
        return Finding(
            code=f"TOI-{clause}",
            clause=f"TOI-{clause}",
            kind=kind,
            verdict="illegal",
            units=(unit_action.unit.id,),
            names=(name,),
            hexes=(place.name,) if place.kind == "hex" else (),
            steps=(at,),
            explanation=f"{name} {text}",
            player=next(iter(who)) if len(who) == 1 else "",
            side=unit_action.unit.side,
            phase=self.timeline.phase(at),
            others=(unit_action.unit.id, *others),
        )
