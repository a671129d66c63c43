"""The view that clauses have of what a unit did in its activation."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING

from ...model.bill import Amount
from ...model.fact import UNKNOWN, Fact, MissingFact
from ...model.stanza import BLANK, stanza
from ...model.unit import Unit
from ..moves import phase_is_known
from .activation import NONE, Activation, Leg
from .asking import Run, later
from .event_index import ABOARD
from .objects import hex_named
from .other_unit import OtherUnit

if TYPE_CHECKING:
    from .rules import Rules


def really(unit: Unit, attribute: str) -> MissingFact:
    """Was an attribute of a unit really what its counter showed, all that time?"""
    return MissingFact(
        f"unit {unit.id} {attribute}",
        f"was {unit.name} really what its counter says of {attribute}, all that time?",
        "facts.toml",
        stanza("[[unit]]", {"unit": unit.id, "attributes": {attribute: BLANK}}),
    )


class ActsView(OtherUnit):
    """A unit in its activation, when it began to move by itself. ``did``: what it did, by the log."""

    def __init__(self, run: Run, rules: Rules, did: Activation) -> None:
        super().__init__(run, rules, did.unit, did.first)
        self.did = did

    @property
    def walked(self) -> tuple[Leg, ...]:
        """The drags on which it was not certainly carried."""
        return self.did.walked

    @property
    def began(self) -> str:
        """The hex in which it began to move by itself; if it did not, in which it began."""
        return (self.walked or self.did.legs)[0].origin

    @property
    def stood(self) -> str:
        """The hex in which its movement ended."""
        return self.walked[-1].target if self.walked else self.did.legs[-1].origin

    @property
    def boarded_in(self) -> str:
        """The hex in which it boarded a carrier, if it did."""
        return self.walked[-1].target if self.walked else self.did.legs[0].origin

    def begun(self) -> OtherUnit:
        """The unit when the phase began."""
        return self.at(self.did.start)

    # -- riding ------------------------------------------------------------------------------------

    def _rides(self, what: str) -> Amount:
        sure, most = (getattr(self.did.rides(world), what) for world in ("favourable", "adverse"))
        if sure < most:
            self.run.log.open.append(later(really, self._unit, ABOARD))
        return Amount(Fraction(min(sure, most)), Fraction(max(sure, most)))

    @property
    def exits(self) -> Amount:
        """How often it got out of a carrier."""
        return self._rides("left")

    @property
    def boardings(self) -> Amount:
        """How often it boarded a carrier."""
        return self._rides("boarded")

    @property
    def acted_on(self) -> bool:
        """Whether it did something after it had boarded."""
        sure, most = (self.did.rides(world).acted_on for world in ("favourable", "adverse"))
        holds = True if sure else None if most else False
        return self.run.yes("acted on", holds, later(really, self._unit, ABOARD))

    def works(self, way: int) -> list[str]:
        """The works that it entered (``way`` 0), or left (1)."""
        sure, most = (self.did.works(world)[way] for world in ("favourable", "adverse"))
        asked = (later(really, self._unit, "works"),)
        told: tuple[Fact, ...] = self.run.choose(("works", way), dict.fromkeys((sure, most)), asked)
        every = (*self.tables["works"], NONE)
        return [
            str(self.run.choose(("work", way, n), fact.options or every, asked))
            for n, fact in enumerate(told)
        ]

    # -- markers -----------------------------------------------------------------------------------

    def seen_since(self, about: str, at: int) -> bool:
        """Whether others saw the unit between the last change of an attribute in the phase and an event."""
        history = self.history
        said = history.changes(self._unit.id, about, self.did.start, at)
        return bool(said) and history.witnesses.too_late(said[-1][0], at, self._unit.side)

    def movement_alone(self, index: int) -> bool:
        """Whether every displacement in the phase of an event must be movement: the phase is known, the pack
        calls it complete, and all its forms are judged."""
        timeline, game = self.history.timeline, self.rules.game
        at = timeline.step_of(index)
        rule = game.whole_phase(timeline.phase(at).phase)
        if rule is None:
            return False
        judged = all(name in game.forms and game.forms[name].judged for name in rule.forms)
        return judged and phase_is_known(timeline, at)

    def declared(self, key: str) -> Fact:
        """The value of ``key`` for this move: the attribute at its end, else the condition. ``UNKNOWN`` if
        there is neither, or if it may be about another move of the unit."""
        history, unit, timeline = self.history, self._unit.id, self.history.timeline
        if not timeline.tells_of(unit, key):
            return UNKNOWN
        said = history.value(unit, key, self.did.end)
        if said == UNKNOWN:
            first, end = self.did.span
            last = timeline.step_of(max(first, end - 1))
            said = timeline.condition_between(key, timeline.step_of(first), last, unit)
        return UNKNOWN if self._is_of_another(key, said) else said

    def hex(self, key: str) -> str:
        """The hex that :meth:`declared` names; empty: none."""
        return hex_named(self.rules.game.board, self.declared(key).value)

    def _is_of_another(self, key: str, told: Fact) -> bool:
        """Whether a value may be about another move of the unit: it was not set in the phase of this move,
        and the unit has the same value in another phase in which it was dragged."""
        history, unit, timeline = self.history, self._unit.id, self.history.timeline
        start, end = history.phase(max(0, self.did.end - 1))
        named = hex_named(self.rules.game.board, told.value)
        if not named or history.changes(unit, key, start, end):
            return False
        for at in history.drags.get(unit, ()):
            drag = history.drag(at)
            if drag.origin.kind == drag.target.kind == "hex" and not start <= at < end:
                then = history.value(unit, key, history.phase(at)[1])
                if then == UNKNOWN:
                    then = timeline.condition(key, timeline.step_of(at), unit)
                if then.options == told.options:
                    return True
        return False

    def others_acted(self, start: int, end: int) -> bool:
        """Whether enemies moved from hex to hex between two events, so that another turn had begun. False if
        displacements in the phase may be something other than movement."""
        history, game = self.history, self.rules.game
        if not self.movement_alone(start):
            return False
        for unit in game.units.values():
            before, after = history.place(unit.id, start), history.place(unit.id, end)
            if before is None or after is None or before == after:
                continue
            enemy = unit.kind == "unit" and game.relation(self._unit.side, unit.side) == "enemy"
            if enemy and before.kind == after.kind == "hex":
                return True
        return False
