"""The prohibitions by which a unit may not move, or not move on: its action, its token, its condition."""

from __future__ import annotations

from collections.abc import Iterator

from ....model.board import Board
from ....model.fact import Fact, Value
from ....model.unit import Unit
from ...concepts import missing_facts, sides
from ...concepts.sides import is_enemy
from ...concepts.zones import Zones
from ...ruleset import Breach, WeightedFact
from . import ruleset_facts
from .allowance import ACTIONS, ASSAULT, Card
from .interpretations import SPENT, is_movement_alone, was_held
from .tables import VEHICLES, Tables
from .terrain_graph import hex_of
from .unit_actions import NO, Leg, UnitActions

Entry = Breach | WeightedFact


class Prohibitions:
    """Finds the prohibitions that one unit breaks with what it did.

    ``classes``, ``actions``: the classes that it may be of, and the actions by which it may have been
    activated. The methods yield a ``Breach`` for a prohibition that is certainly broken, and a
    ``WeightedFact`` for a missing fact that decides whether one is."""

    def __init__(
        self,
        unit: Unit,
        classes: tuple[str, ...],
        actions: tuple[str, ...],
        unit_actions: UnitActions,
        tables: Tables,
        card: Card,
    ) -> None:
        self._unit, self._classes, self._actions = unit, classes, actions
        self._unit_actions, self._tables, self._card = unit_actions, tables, card
        self._squad = set(classes) <= {"squad"}
        self._vehicle = set(classes) <= set(VEHICLES)

    def found(self) -> Iterator[Entry]:
        """All entries except those about the hex it assaults; for these see :meth:`of_assault`."""
        yield from self._conditions()
        yield from self._action()
        yield from self._token()
        yield from self._boarded()
        yield from self._who_assaults()

    def _breach(self, clause: str, text: str, name: str = "") -> Iterator[Breach]:
        if self._tables.applies(clause):
            yield Breach(f"TOI-{clause}", text, name)

    def _missing_fact(self, attribute: str) -> WeightedFact:
        return WeightedFact(missing_facts.of_unit(self._unit, attribute))

    def _action(self) -> Iterator[Entry]:
        if not self._tables.applies("MV-b"):
            return
        fits = [action in ACTIONS for action in self._actions]
        if not any(fits):
            named = " or ".join(self._actions)
            text = f"spends MPs, though its action is {named}"
            yield from self._breach("MV-b", text)
        elif not all(fits):
            yield self._missing_fact("action")

    def _token(self) -> Iterator[Entry]:
        """X-AP-a: it must be fresh when it begins to move, and may not move on once it is spent."""
        if not self._tables.applies("X-AP-a"):
            return
        yield from self.of_token(self._unit_actions.first, "is moved though it is {}")
        for leg in self._unit_actions.walked[1:]:
            yield from self._token_on_the_way(leg)

    def of_token(self, at: int, text: str) -> Iterator[Entry]:
        """X-AP-a: it must be fresh at event ``at``. A token put on it just before may belong to this action;
        then that is left open. ``text``: continues the unit's name, with ``{}`` for the token."""
        now, before = (
            self._unit_actions.value("token", at),
            self._unit_actions.value("token", self._unit_actions.start),
        )
        if now.options is None:
            yield self._missing_fact("token")
        elif all(option in SPENT for option in now.options):
            if before.options is not None and all(o in SPENT for o in before.options):
                if self._stale(at):
                    yield self._missing_fact("token")
                else:
                    yield from self._breach("X-AP-a", text.format(now.options[0]))
            elif any(o in SPENT for o in before.options or SPENT) or self._shown("token", at):
                yield self._missing_fact("token")
        elif any(option in SPENT for option in now.options):
            yield self._missing_fact("token")

    def _token_on_the_way(self, leg: Leg) -> Iterator[Entry]:
        """X-AP-a: it may not move on with a token ``fatigued`` or ``op-fire`` that it was given on its way.

        Only a token that was seen counts. The player may have put it on too early, so it is left open, unless
        the other side has moved since."""
        unit_actions = self._unit_actions
        unit_history, now = unit_actions.unit_history, unit_actions.value("token", leg.at)
        said = unit_history.said(unit_actions.unit, "token", leg.at)
        if said < unit_actions.first or not any(o in SPENT for o in now.options or SPENT):
            return
        if not unit_history.witnesses.too_late(said, leg.at, unit_actions.side):
            return
        spent = now.options is not None and all(o in SPENT for o in now.options)
        if spent and ASSAULT not in self._actions and self._others_acted(said, leg.at):
            text = f"moves on from {leg.origin}, where it became {now.value}"
            yield from self._breach("X-AP-a", text, leg.origin)
        else:
            yield self._missing_fact("token")

    def _others_acted(self, start: int, end: int) -> bool:
        """Whether units of the other side moved between two events, so that another action turn had begun.
        False if displacements in the phase may be something other than movement."""
        unit_history = self._unit_actions.unit_history
        if not is_movement_alone(unit_history, start):
            return False
        return any(
            unit.kind == "unit"
            and is_enemy(unit_history.game, self._unit_actions.side, unit.side)
            and {unit_history.place(name, at).kind for at in (start, end)} == {"hex"}
            and unit_history.place(name, start) != unit_history.place(name, end)
            for name, unit in unit_history.game.units.items()
        )

    def _stale(self, at: int) -> bool:
        """Whether the token that it had at event ``at`` may be out of date: it was put there in another
        round, or was taken off as soon as the unit had been dragged."""
        unit_actions, tables = self._unit_actions, self._tables
        unit_history = unit_actions.unit_history
        if unit_history.is_declared(unit_actions.value("token", at)):
            return False
        said = unit_history.changes(unit_actions.unit, "token", 0, at)
        if said and unit_history.phase(said[-1][0]) != unit_history.phase(at):
            then = tables.round_of(unit_history.turn(said[-1][0]))
            # if the rounds are not known, it may be another one
            if then is None or then != tables.round_of(unit_history.turn(at)):
                return True
        return self._righted("token", SPENT, at)

    def _righted(self, attribute: str, bad: tuple[Value, ...], at: int) -> bool:
        """Whether a value among ``bad`` was changed again before there was a witness; see
        :meth:`.UnitHistory.put_right`."""
        unit_actions = self._unit_actions
        return unit_actions.unit_history.put_right(
            unit_actions.unit, attribute, bad, at, unit_actions.side
        )

    def _shown(self, attribute: str, at: int) -> bool:
        """Whether there was a witness after the attribute was last changed in the phase, before event
        ``at``."""
        unit_actions = self._unit_actions
        unit_history = unit_actions.unit_history
        said = unit_history.changes(unit_actions.unit, attribute, unit_actions.start, at)
        return bool(said) and unit_history.witnesses.too_late(said[-1][0], at, unit_actions.side)

    def _boarded(self) -> Iterator[Entry]:
        if (
            self._vehicle
            or not self._tables.applies("EE-d")
            or self._unit_actions.never_changed("aboard", NO)
        ):
            return
        if self._unit_actions.rides("favourable").acted_on and self._squad:
            yield from self._breach("EE-d", "does more after it boarded a vehicle")
        elif self._unit_actions.rides("adverse").acted_on:
            yield WeightedFact(ruleset_facts.posture(self._unit, "aboard"))

    def _conditions(self) -> Iterator[Entry]:
        """It may not move if it is pinned, disrupted or heavily damaged (IM-a), and not move on if it became
        so or was lightly damaged on its way (OF-c)."""
        if not self._tables.applies("IM-a") and not self._tables.applies("OF-c"):
            return
        for number, leg in enumerate(self._unit_actions.walked):
            if not self._vehicle:
                for attribute in ("pinned", "disrupted"):
                    yield from self._pinned(attribute, number, leg)
            if not self._squad:
                yield from self._damage(number, leg)

    def _pinned(self, attribute: str, number: int, leg: Leg) -> Iterator[Entry]:
        """The entries for ``pinned`` and ``disrupted``. Only squads can be so; for a unit that may be a
        vehicle it is left open."""
        fact = self._unit_actions.value(attribute, leg.at)
        if not fact.may_be(True):
            return
        before = self._unit_actions.value(attribute, self._unit_actions.first)
        if fact.must_be(True) and self._squad and not self._righted(attribute, (True,), leg.at):
            if number == 0 or not before.must_be(True):
                yield from self._held(attribute, number, leg.origin, before.may_be(True))
        else:
            yield self._missing_fact(attribute)

    def _held(self, what: str, number: int, name: str, perhaps_before: bool) -> Iterator[Entry]:
        """The breaches of a unit that moved on although it certainly was ``what`` (pinned, for example).
        ``perhaps_before``: it may have been so before it began to move, so OF-c does not certainly apply."""
        if number and not perhaps_before:
            text = f"moves on from {name}, where it was {what} on its way"
            yield from self._breach("OF-c", text, name)
        yield from self._breach("IM-a", f"is moved from {name} though it is {what}", name)

    def _damage(self, number: int, leg: Leg) -> Iterator[Entry]:
        fact = self._unit_actions.value("damage", leg.at)
        before = self._unit_actions.value("damage", self._unit_actions.first)
        name = leg.origin
        if fact.options is None:
            yield self._missing_fact("damage")
            return
        if (
            fact.must_be("heavy")
            and self._vehicle
            and not self._righted("damage", ("heavy",), leg.at)
        ):
            if number == 0 or not before.must_be("heavy"):
                perhaps_before = before.may_be("heavy")
                yield from self._held("heavily damaged", number, name, perhaps_before)
            return
        if "heavy" in fact.options:
            yield self._missing_fact("damage")
        befell = (
            self._unit_actions.unit_history.said(self._unit_actions.unit, "damage", leg.at)
            > self._unit_actions.first
        )
        if not befell or "light" not in fact.options or before.must_be("light"):
            return
        spared = ("heavy",) if self._tables.applies("OF-d") else ()
        if all(c in spared for c in self._classes):
            return
        sure = fact.must_be("light") and not before.may_be("light")
        sure = sure and name not in self._unit_actions.mined
        sure = sure and not self._righted("damage", ("light",), leg.at)
        if sure and all(c in VEHICLES and c not in spared for c in self._classes):
            text = f"moves on from {name}, where it was lightly damaged on its way"
            yield from self._breach("OF-c", text, name)
        else:
            yield self._missing_fact("damage")

    def _who_assaults(self) -> Iterator[Entry]:
        if ASSAULT not in self._actions or not self._tables.applies("X-AS-a"):
            return
        only = self._actions == (ASSAULT,)
        weapon = self._card(self._unit.id, "heavy_weapon")
        armed = weapon.must_be(True)
        if only and (self._vehicle or armed):
            text = (
                "assaults, though it is no squad"
                if self._vehicle
                else "assaults with a heavy weapon"
            )
            yield from self._breach("X-AS-a", text)
        elif only and not self._squad:
            yield self._missing_fact("class")
        elif weapon.options is None or True in weapon.options:
            yield self._missing_fact("heavy_weapon" if only else "action")

    def of_assault(
        self, assaults: Fact, target: str, zones: Zones, board: Board
    ) -> Iterator[Entry]:
        """X-AS-b: from ``target``, where its movement ended, it must be able to assault the hex that it is
        declared to have assaulted. Nothing if ``assaults`` does not name a hex."""
        name = hex_of(board, assaults.value)
        if not name or not self._tables.applies("X-AS-b"):
            return
        if name not in board.neighbours(target):
            yield from self._breach(
                "X-AS-b", f"assaults {name}, which is not next to {target}", name
            )
            return
        enemies = zones.enemies(name)
        if not enemies and not was_held(name, self._unit_actions):
            yield from self._breach("X-AS-b", f"assaults {name}, where no enemy is", name)
        game = self._unit_actions.unit_history.game
        if not any(sure for _, sure in enemies):
            for unit, _ in enemies:
                for unknown in sides.missing(
                    game, self._unit_actions.side, game.units[unit], (self._unit,)
                ):
                    yield WeightedFact(unknown)
        for enemy, sure in enemies:
            kind = self._card(enemy, "class")
            if sure and kind.must_be("heavy"):
                text = f"assaults {name}, where a heavy vehicle is"
                yield from self._breach("X-AS-b", text, name)
            elif kind.may_be("heavy"):
                whose = self._unit_actions.unit_history.game.units[enemy]
                asked_of = missing_facts.of_unit(whose, "class")
                yield WeightedFact(
                    asked_of if sure else ruleset_facts.posture(self._unit, "assaults")
                )
