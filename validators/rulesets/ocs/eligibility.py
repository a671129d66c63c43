"""Which units may move at all in a segment: by whose phase it is (6.3a), their mode (5), their type and
allowance (6.1b, 6.1c) and their fuel (6.0)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from ....model.fact import Fact, MissingFact
from ....model.game import Game, StepRef
from ....model.unit import Unit
from ...answers import answer
from ...concepts import missing_facts, sides
from ...concepts.completions import Facts
from ...concepts.requirements import question
from ...ruleset import Breach, Circumstances, WeightedFact
from ...situation import Situation as GameSituation
from . import ruleset_facts
from .allowance import Allowance
from .company import UnitHistory
from .mark_history import MarkHistory
from .tables import MODES, Tables

_MAY_MOVE = {"exploitation": ("exploitation", "released"), "reaction": ("released",)}
"""The modes in which units may move, by segment; in the other segments every mode may."""


@dataclass(frozen=True, slots=True)
class EligibilityCheck:
    """What forbids one unit to move. ``facts``: of a completion; ``segment``: '' if not known."""

    game: Game
    unit: Unit
    facts: Facts
    segment: str
    circumstances: Circumstances
    tables: Tables
    unit_history: UnitHistory
    mark_history: MarkHistory

    def prohibitions(
        self, allowance: Allowance
    ) -> tuple[tuple[Breach, ...], tuple[WeightedFact, ...]]:
        """What forbids the unit to move, and the missing facts that decide whether something does."""
        tables, amount, fuel = self.tables, allowance.amount, self.facts["fuel"].options or ()
        found = [self._designated(), self._mode(), *self._type()]
        if amount.lo == 0 and tables.applies("6.1c-e"):
            zero = Breach("OCS-6.1c-e", "has a movement allowance of 0", "")
            found += [zero] if amount.hi == 0 else allowance.missing
        if "lacking" in fuel and tables.applies("6.0-c"):
            lacking = Breach("OCS-6.0-c", "is declared to lack the fuel it needs", "")
            missing = WeightedFact(question(self.unit, "fuel"))
            found.append(lacking if len(fuel) == 1 else missing)
        barred = tuple(entry for entry in found if isinstance(entry, Breach))
        return barred, tuple(entry for entry in found if isinstance(entry, WeightedFact))

    def _designated(self) -> Breach | WeightedFact | None:
        """Only the player designated for a phase moves (6.3a): the breach, or what is not known about it.
        None: the unit may move."""
        unit, segment, tables = self.unit, self.segment, self.tables
        moment, game = self.circumstances.situation, self.game
        view = moment.phase
        clause = "6.3a-b" if segment == "reaction" else "6.3a-a"
        if not tables.applies(clause) or view.phase in tables.others:
            return None
        assert isinstance(moment, GameSituation)
        if not segment:
            return WeightedFact(ruleset_facts.segment(view.phase or "?"))
        if view.active not in game.sides:
            return WeightedFact(missing_facts.of_active(moment.timeline, moment.at))
        moves = designated(game, tables, view.active, unit.side, segment)
        if moves:
            return None
        if moves is None:
            return next((WeightedFact(u) for u in sides.missing(game, view.active, unit)), None)
        unsaid = segment == "reaction" and tables.readings.get("reaction_names", "open") == "open"
        if unsaid and self.mark_history.may_follow_the_other_side(moment, tables):
            return WeightedFact(ruleset_facts.reading("reaction_names"))
        if may_be_type(self.facts, tables, "carried", "exempt"):
            captured = ruleset_facts.captured(unit)
            told = answer(game, captured)
            if told is not False:
                return None if told else WeightedFact(captured.unknown())
        who = "the phasing player" if segment == "reaction" else "the player not phasing"
        return Breach(f"OCS-{clause}", f"is moved by {who} in a {segment} segment", "")

    def _mode(self) -> Breach | WeightedFact | None:
        """Only certain modes move in Reaction and Exploitation: the breach, or what is not known about it.
        None: the unit may move."""
        unit, facts, game = self.unit, self.facts, self.game
        allowed = _MAY_MOVE.get(self.segment)
        if allowed is None or not self.tables.applies("X-ELIG"):
            return None
        options = facts["mode"].options
        if options is None or not all(option in MODES for option in options):
            return WeightedFact(question(unit, "mode"))
        fitting = [option in allowed for option in options]
        if all(fitting):
            return None
        if any(fitting):
            return WeightedFact(question(unit, "mode"))
        if self._may_have_had_mode(allowed):
            released = ruleset_facts.released(unit, self.segment, first_step(self.circumstances))
            if not self.circumstances.situation.fact(unit.id, "mode").is_known:
                return WeightedFact(question(unit, "mode"))
            if answer(game, released) is None:
                return WeightedFact(released.unknown())
        if may_be_type(facts, self.tables, "carried"):
            carried = ruleset_facts.transport(unit, first_step(self.circumstances))
            told = answer(game, carried)
            if told is not False:
                return None if told else WeightedFact(self._carried_unknown())
        if may_be_type(facts, self.tables, "exempt"):
            reading = self.tables.reading("transports_move")
            if reading is None:
                return WeightedFact(ruleset_facts.reading("transports_move"))
            if reading:
                return None if self._is("exempt") else WeightedFact(question(unit, "type"))
        text = f"may not move in {self.segment}, being in mode {' or '.join(map(str, options))}"
        return Breach("OCS-X-ELIG", text, "")

    def _may_have_had_mode(self, allowed: tuple[str, ...]) -> bool:
        """Whether the unit was, or may have been, in Reserve or in an allowed mode shortly before."""
        moment = self.circumstances.situation
        assert isinstance(moment, GameSituation)
        return self.mark_history.may_have_had_mode(self.unit, ("reserve", *allowed), moment)

    def _carried_unknown(self) -> MissingFact:
        """What to ask about a unit that may be supplies: its type, or whether others carried it."""
        if not self.facts["type"].is_known:
            return question(self.unit, "type")
        return ruleset_facts.transport(self.unit, first_step(self.circumstances)).unknown()

    def _is(self, group: str) -> bool:
        """Whether the unit is certainly of a type in a group."""
        options = self.facts["type"].options
        return options is not None and all(kind in self.tables.types[group] for kind in options)

    def _type(self) -> Iterator[Breach | WeightedFact]:
        """Installations have no allowance, and supplies move only when carried (6.1b): breaches, and what is
        not known about them."""
        unit, types, kind = self.unit, self.tables.types, self.facts["type"]
        if not self.tables.applies("6.1b-c"):
            return
        options = kind.options
        at = first_step(self.circumstances)
        if options is None:
            yield WeightedFact(question(unit, "type"))
        elif all(option in types["immobile"] for option in options):
            placed = ruleset_facts.placed(unit, at)
            told = answer(self.game, placed)
            came = self.unit_history.entered(self.circumstances.move, unit.id)
            if came and told is not False:
                yield from () if told else (WeightedFact(placed.unknown()),)
                return
            yield Breach("OCS-6.1b-c", f"has no movement allowance, being a {options[0]}", "")
        elif any(option in types["carried"] for option in options):
            carried = ruleset_facts.transport(unit, at)
            if not kind.is_known:
                yield WeightedFact(question(unit, "type"))
            elif answer(self.game, carried) is False:
                text = f"has no movement allowance, being a {options[0]} that nobody carried"
                yield Breach("OCS-6.1b-c", text, "")
            elif answer(self.game, carried) is None:
                yield WeightedFact(carried.unknown())
        elif any(option in types["immobile"] for option in options):
            yield WeightedFact(question(unit, "type"))


def may_be_type(facts: Facts, tables: Tables, *groups: str) -> bool:
    """Whether the unit is or may be of a type in one of ``groups``."""
    return any(facts["type"].may_be(kind) for group in groups for kind in tables.types[group])


def as_released(
    game: Game,
    unit: Unit,
    facts: Facts,
    circumstances: Circumstances,
    segment: str,
    tables: Tables,
) -> Facts:
    """``facts``, with a mode that may move in this segment if the facts file says that the unit was released
    before it moved (X-ELIG)."""
    allowed, options = _MAY_MOVE.get(segment), facts["mode"].options
    if allowed is None or not tables.applies("X-ELIG"):
        return facts
    if options is None or not set(options) <= set(MODES) or set(options) & set(allowed):
        return facts
    released = ruleset_facts.released(unit, segment, first_step(circumstances))
    said = answer(game, released)
    return {**facts, "mode": Fact(allowed)} if said else facts


def designated(
    game: Game, tables: Tables, active: str | None, side: str | None, segment: str
) -> bool | None:
    """Whether units of ``side`` may move in a segment (6.3a); None: not known.

    These are units of the active side and its friends. In Reaction it is the enemies of the active side,
    unless the reading ``reaction_names`` says that the pack names the reacting side as active.
    """
    reacting = tables.readings.get("reaction_names") == "reacting"
    if active not in game.sides:
        return None
    if segment == "reaction" and not reacting:
        return sides.is_enemy(game, active, side)
    return sides.is_friend(game, active, side)


def first_step(circumstances: Circumstances) -> StepRef:
    """The first step of the move; if no move is given, the moment of the situation."""
    move = circumstances.move
    return circumstances.situation.at if move is None else move.steps[0]
