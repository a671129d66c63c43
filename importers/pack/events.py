"""The events of a game, step by step: displacements, changes of state, phases, witnesses, MPs spent,
dice.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping
from types import MappingProxyType
from typing import Literal

from ...model.entities import resolved
from ...model.fact import UNKNOWN, Fact, between, known
from ...model.game import (
    NOWHERE,
    Cause,
    Displacement,
    Event,
    PhaseStart,
    Place,
    Spent,
    StateChange,
    StepRef,
    Witness,
)
from ...model.table import (
    Actor,
    DieRoll,
    Displaced,
    DisplacedBy,
    LogHistory,
    Participant,
    Piece,
    Step,
)
from .attributes import Reader
from .board import Places
from .board_markers import MarkerTeller
from .cells import exact_number
from .declared import DeclaredAttributes
from .following import TableNow
from .phases import PhaseTeller
from .unit_classification import UnitClass


class Rollers:
    """The players of one log, by the names that reports of rolls have for them."""

    def __init__(self, log: LogHistory) -> None:
        self._known: dict[str, set[Participant]] = defaultdict(set)
        acting = (step.actor.who for step in log.steps if step.actor is not None)
        for who in (*log.opening.players, *log.end.players, *acting):
            self._known[who.name].add(who)

    def side(self, roll: DieRoll, actor: Actor | None) -> str | None:
        """The side whose player rolled; None if the report names nobody, a name that several have, or
        somebody else than the one who moved in the same step (``actor``)."""
        mover = actor.who.side if actor is not None and actor.known_by == "move" else ""
        if not roll.player:
            return mover or None
        found = self._known.get(roll.player, set())
        side = next(iter(found)).side if len(found) == 1 else ""
        return (side or None) if mover in ("", side) else None


_CAUSES: Mapping[DisplacedBy, Cause] = {
    "drag": "drag",
    "send": "key",
    "state": "key",
    "stack": "key",
    "add": "appearance",
    "remove": "removal",
    "undo": "undo",
    "veil": "reseated",
}
_LONGEST_CHAT = 200
PERHAPS: Mapping[str, Fact] = MappingProxyType({"dead": UNKNOWN})
"""What is known of a piece that may be no unit at all: not even that it is in play."""


class EventMaker:
    """Makes the events of a game, log by log. ``place`` and ``facts``: the last known place and attributes of
    each unit; the opening of the next log is compared with them."""

    def __init__(
        self,
        reader: Reader,
        roles: Mapping[str, UnitClass],
        places: Places,
        phases: PhaseTeller,
        told: DeclaredAttributes,
        companions: frozenset[str],
        board: MarkerTeller | None = None,
    ) -> None:
        self._reader, self._roles, self._places = reader, roles, places
        self._phases, self._told, self._board = phases, told, board
        self._now = TableNow(roles, companions)
        self.place: dict[str, Place] = {}
        self.facts: dict[str, dict[str, Fact]] = {}
        self._latest: tuple[str, ...] = ()
        self._mover: str | None = None
        self._moved_by: dict[str, str] = {}
        self._renewed: set[tuple[str, str]] = set()
        self._names: dict[str, list[str]] = {}
        for id_text, role in roles.items():
            self._names.setdefault(role.public_name, []).append(id_text)

    def steps(self, number: int, log: LogHistory) -> Iterator[Event]:
        """The events of the steps of a log and of its end. Call :meth:`open` first."""
        engine_number = 0
        rollers = Rollers(log)
        numbers: dict[int, int] = {}
        causes: dict[int, dict[str, DisplacedBy]] = {}
        for step in log.steps:
            engine_number = step.engine_number or engine_number
            numbers[step.number] = engine_number
            causes[step.number] = {d.piece: d.by for d in step.displacements}
            at = StepRef(number, engine_number)
            yield from self._step(at, step, numbers, causes, rollers)
            if self._board is not None:
                yield from self._board.step(at, step)
        yield Witness(StepRef(number, engine_number), "log-end")

    def open(self, number: int, log: LogHistory) -> Iterator[Event]:
        """The events of the opening of a log, at its step 0. After the first log is opened, ``place`` and
        ``facts`` are the opening of the game."""
        at = StepRef(number, 0)
        self._mover, self._latest = None, ()
        self._now.open(log.opening)
        self._told.due(at)
        yield from self._phases.opening(number, log.opening)
        if self._board is not None:
            yield from self._board.open(at, log)
        first = not self.place
        for unit, role in self._roles.items():
            piece = self._now.pieces.get(unit)
            place = self._place(piece)
            facts = self._attributes(unit, piece or role.first, at)
            if first:
                self.place[unit], self.facts[unit] = place, facts
                continue
            before = self.place[unit]
            if before != place:
                yield Displacement(at, unit, before, place, cause="reseated")
                self.place[unit] = place
            if piece is not None:
                yield from self._changed(at, unit, facts, None, undo=False)

    def _step(
        self,
        at: StepRef,
        step: Step,
        numbers: Mapping[int, int],
        causes: Mapping[int, Mapping[str, DisplacedBy]],
        rollers: Rollers,
    ) -> Iterator[Event]:
        actor, player = _actor(step.actor)
        for unit in sorted(self._told.due(at)):  # facts for a step already hold when it is taken
            piece = self._now.pieces.get(unit)
            if piece is not None:
                yield from self._changed(
                    at, unit, self._attributes(unit, piece, at), None, undo=False
                )
        touched = self._now.advance(step)
        starts = tuple(self._phases.step(at, step))
        together = bool(starts) and not starts[-1].declared and self._displaces_units(step)
        if together:  # in which order, the log does not say
            yield PhaseStart(at, None, None, None, "it began while counters moved", certain=False)
        else:
            yield from starts
        if actor is not None and actor != self._mover:
            if self._mover is not None:
                yield Witness(at, "other-side", actor=actor)
            self._mover = actor
        moved: list[str] = []
        for displaced in step.displacements:
            if displaced.piece in self._roles:
                if displaced.by != "veil":
                    moved.append(displaced.piece)
                yield self._displacement(at, step, displaced, actor, player, numbers, causes)
        self._latest = tuple(dict.fromkeys(moved)) or self._latest
        undo = step.undoing is not None
        for unit in sorted(touched):
            piece = self._now.pieces.get(unit)
            if piece is not None:
                facts = self._attributes(unit, piece, at)
                yield from self._changed(at, unit, facts, actor, undo=undo)
        if not undo:
            yield from self._spent(at, step)
        yield from self._witnesses(at, step, actor, rollers)
        if together:
            yield from starts

    def _displaces_units(self, step: Step) -> bool:
        moved = (one for one in step.displacements if one.by != "veil")
        roles = (self._roles.get(displaced.piece) for displaced in moved)
        return any(role is not None and role.kind == "unit" for role in roles)

    def _displacement(
        self,
        at: StepRef,
        step: Step,
        displaced: Displaced,
        actor: str | None,
        player: str,
        numbers: Mapping[int, int],
        causes: Mapping[int, Mapping[str, DisplacedBy]],
    ) -> Displacement:
        unit, by, undoing = displaced.piece, displaced.by, step.undoing
        cancels: StepRef | None = None
        if undoing is not None and undoing.step is not None:
            if undoing.redo:  # it is done once more, as it was done the first time
                by = causes.get(undoing.step, {}).get(unit, by)
            elif undoing.step in numbers:
                cancels = StepRef(at.log, numbers[undoing.step])
        target = self._target(unit, displaced)
        origin = self.place.get(unit, NOWHERE)
        self.place[unit] = target
        self._moved_by[unit] = player
        return Displacement(
            at=at,
            unit=unit,
            origin=origin,
            target=target,
            group=displaced.group,
            cause="reseated" if self._roles[unit].perhaps else _CAUSES[by],
            actor=actor,
            player=player,
            cancels=cancels,
            why=displaced.why,
        )

    def _target(self, unit: str, displaced: Displaced) -> Place:
        piece = self._now.pieces.get(unit)
        if piece is not None and piece.spot == displaced.target:
            return self._place(piece)
        return self._places.of(displaced.target, displaced.target_location)

    def _place(self, piece: Piece | None) -> Place:
        if piece is None:
            return NOWHERE
        deck = self._now.deck_of(piece)
        return self._places.of(piece.spot, piece.location) if deck is None else Place("box", deck)

    def _attributes(self, unit: str, piece: Piece, at: StepRef) -> dict[str, Fact]:
        if self._roles[unit].perhaps:
            facts = dict(PERHAPS)
        else:
            facts = self._reader.attributes(piece, self._now.company(piece))
        return self._told.over(unit, at, facts)

    def _changed(
        self, at: StepRef, unit: str, facts: dict[str, Fact], actor: str | None, *, undo: bool
    ) -> Iterator[StateChange]:
        before = self.facts.get(unit, {})
        for attribute in (*facts, *(name for name in before if name not in facts)):
            was, now = before.get(attribute, UNKNOWN), facts.get(attribute, UNKNOWN)
            if was is not now and (was.options, was.lo, was.hi) != (now.options, now.lo, now.hi):
                yield StateChange(at, unit, attribute, was, now, actor, undo)
        self.facts[unit] = facts

    def _spent(self, at: StepRef, step: Step) -> Iterator[Spent]:
        for source in self._reader.pack.spent:
            if source.property is not None:
                yield from self._counted(at, step, source.property, source.counts)
            elif source.chat is not None:
                for line in step.chat:
                    if line.kind == "undo":
                        continue
                    found = source.chat.search(resolved(line.text))
                    amount = exact_number(found["amount"] or "") if found else None
                    if found is None or amount is None or amount < 0:
                        continue
                    for unit in self._spoken_of(found.groupdict().get("unit")):
                        if line.kind == "player" and line.author != self._moved_by.get(unit):
                            continue  # another player's statement is not the mover's declaration
                        yield Spent(at, unit, known(amount, "chat"))

    def _counted(
        self, at: StepRef, step: Step, name: str, counts: Literal["up", "down"]
    ) -> Iterator[Spent]:
        for change in step.changes:
            if change.id not in self._roles or change.before is None or change.after is None:
                continue
            was = exact_number(change.before.facts.property(name) or "")
            now = exact_number(change.after.facts.property(name) or "")
            if was is None or now is None:
                continue
            amount = now - was if counts == "up" else was - now
            key, source = (change.id, name), f"property {name}"
            if amount < 0:
                self._renewed.add(key)
            elif amount > 0 and (was == 0 if counts == "up" else key in self._renewed):
                self._renewed.discard(key)
                yield Spent(at, change.id, known(amount, source))
            elif amount > 0:  # it still stood where it had been left, perhaps in the turn before
                most = max(now, amount) if counts == "up" else None
                yield Spent(at, change.id, between(amount, most, source))

    def _spoken_of(self, name: str | None) -> tuple[str, ...]:
        """The unit a chat line names, or what was moved last."""
        if name is None:
            return self._latest
        named = self._names.get(name.strip(), [])
        return tuple(named) if len(named) == 1 else ()

    def _witnesses(
        self, at: StepRef, step: Step, actor: str | None, rollers: Rollers
    ) -> Iterator[Witness]:
        for roll in step.rolls:
            owner = rollers.side(roll, step.actor)
            yield Witness(at, "roll", roll.text[:_LONGEST_CHAT], owner)
        for line in step.chat:
            if line.kind == "player":
                yield Witness(at, "chat", line.text[:_LONGEST_CHAT], actor)
        if any(_revealed(c.before, c.after) for c in step.changes if c.id in self._roles):
            yield Witness(at, "flip", "a counter was revealed", actor)


def _revealed(before: Piece | None, after: Piece | None) -> bool:
    if before is None or after is None:
        return False
    return bool(before.concealments) and not after.concealments


def _actor(actor: Actor | None) -> tuple[str | None, str]:
    """The side that did a step, if the log leaves no doubt, and the name of the player."""
    if actor is None:
        return None, ""
    sure = actor.known_by == "move"
    return (actor.who.side or None if sure else None), actor.who.name or actor.who.label
