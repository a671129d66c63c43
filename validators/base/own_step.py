"""A step as a ruleset's own clause in Python sees it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any, cast

from ...model.board import Board, edge, may_be
from ...model.fact import Fact, MissingFact, Value
from ...model.unit import Unit
from ..allowed_facts import AllowedFacts, number_in
from ..answers import answer
from ..concepts import missing_facts
from ..concepts.completeness import Completeness
from ..concepts.completions import Facts
from ..concepts.hex_entries import HexEntry, about_hex, about_side
from ..concepts.logic import both, negation, some
from ..concepts.requirements import CONDITION, question
from ..ruleset import Circumstances, Requirement
from ..rulesets.generic.zones import TableZones, went_ahead
from .own_clauses import NotKnown


@dataclass(frozen=True, slots=True)
class Mover:
    """The unit that makes the step, its facts in one scenario, its movement form, and what clauses may read:
    ``tables`` are the charts that only the clauses know."""

    unit: Unit
    facts: Facts
    form: str
    circumstances: Circumstances
    zones: TableZones
    allowed: AllowedFacts
    tables: Mapping[str, Any]
    complete: Completeness


@dataclass(frozen=True, slots=True)
class OwnStep:
    """One step, in one run of a clause.

    ``answers``: key of a question → the answer assumed in this run. If a property or
    method asks for a fact that is not known and not in ``answers``, it raises :class:`NotKnown`.
    """

    mover: Mover
    origin: str
    entry: HexEntry
    answers: Mapping[object, Any] = field(default_factory=dict)

    def knowing(self, key: object, answer: Any) -> OwnStep:
        """The same step with one more answer assumed."""
        return OwnStep(self.mover, self.origin, self.entry, {**self.answers, key: answer})

    # -- the step ---------------------------------------------------------------------------------

    @property
    def into(self) -> OwnHex:
        """The hex entered."""
        return OwnHex(self, self.entry.to)

    @property
    def out_of(self) -> OwnHex:
        """The hex left."""
        return OwnHex(self, self.origin)

    @property
    def road(self) -> str:
        """The kind of line that the step follows, such as ``railway``; empty: none."""
        return self.entry.road

    def crosses(self, *names: str) -> bool:
        """Whether one of these features lies on the hexside between the two hexes."""
        board, side = self.board, edge(self.origin, self.entry.to)
        there: bool | None = not set(names).isdisjoint(board.sides.get(side, ()))
        if not there and any(may_be(name, board.maybe_on(side)) for name in names):
            there = None
        asked = (missing_facts.of_board(about_side(side), ""),)
        return self.told(("side", side, names), there, asked)

    def table(self, name: str) -> Any:
        """A chart that the base does not have (``schema.json`` beside the manifest), as the pack or the
        ruleset writes it; None: the chart is complete, and neither writes it."""
        complete = self.mover.complete
        if not complete.has(name):
            self._choose(("chart", name), (), complete.questions(name))
        return self.mover.tables.get(name)

    # -- the mover --------------------------------------------------------------------------------

    @property
    def form(self) -> str:
        """The form of movement."""
        return self.mover.form

    @property
    def side(self) -> str:
        """The side of the unit that moves."""
        unit = self.mover.unit
        if unit.side is not None:
            return unit.side
        sides = self.mover.circumstances.situation.game.sides
        return str(self._choose(("side",), sides, (missing_facts.of_side(unit),)))

    def unit(self, attribute: str) -> str:
        """The value of an attribute of the unit that moves, as text. True and false are ``yes`` and ``no``,
        however they are written."""
        return self._word(attribute, attribute)

    def number(self, attribute: str) -> Fraction:
        """The value of an attribute of the unit that moves, as a number."""
        fact = self._fact(attribute)
        options: tuple[object, ...] = fact.options or self._listed(attribute, attribute)
        numbers = dict.fromkeys(number_in(str(one)) for one in options)
        choices = () if None in numbers else tuple(numbers)
        if len(choices) == 1:
            found = choices[0]
        else:
            asked = (question(self.mover.unit, attribute),)
            found = self._choose(("number", attribute), choices, asked)
        return cast("Fraction", found)

    def condition(self, name: str) -> str:
        """The value of a condition of the game, such as ``weather``, for the unit, as :meth:`unit` gives
        it."""
        return self._word(CONDITION + name, name)

    def _fact(self, about: str) -> Fact:
        known = self.mover.facts.get(about)
        return self.mover.zones.fact(self.mover.unit.id, about) if known is None else known

    def _word(self, about: str, name: str) -> str:
        options: tuple[object, ...] = self._fact(about).options or self._listed(about, name)
        choices = tuple(dict.fromkeys(map(_said, options)))
        if len(choices) == 1:
            return choices[0]
        asked = (question(self.mover.unit, about),)
        return str(self._choose(("word", about), choices, asked))

    def _listed(self, about: str, name: str) -> tuple[str, ...]:
        """All values that an attribute or condition may have; empty if they are not listed."""
        allowed = self.mover.allowed
        of = allowed.conditions if about.startswith(CONDITION) else allowed.attributes
        return of[name].words if name in of and of[name].kind == "words" else ()

    # -- what is not known --------------------------------------------------------------------------

    @property
    def board(self) -> Board:
        """The board."""
        return self.mover.circumstances.situation.game.board

    def told(self, key: object, there: bool | None, unknowns: Iterable[MissingFact]) -> bool:
        """``there``; if it is None (not known), the answer assumed in this run. ``key`` identifies the
        question; ``unknowns``: the missing facts behind it."""
        if there is not None:
            return there
        return bool(self._choose(key, (True, False), unknowns))

    def _choose(
        self, key: object, choices: tuple[Any, ...], unknowns: Iterable[MissingFact]
    ) -> Any:
        if key in self.answers:
            return self.answers[key]
        raise NotKnown(key, choices, unknowns)


@dataclass(frozen=True, slots=True)
class OwnHex:
    """A hex of a step. Friends that move along with the mover count if they were in the hex before it; that
    is asked for."""

    step: OwnStep
    name: str

    def has(self, *names: str) -> bool:
        """Whether one of these terrains or features is in it."""
        board = self.step.board
        asked = (missing_facts.of_board(about_hex(board, self.name), ""),)
        return self.step.told(("has", self.name, names), board.has(self.name, names), asked)

    def enemies(self, **attributes: str) -> bool:
        """Whether an enemy with these attributes is in the hex."""
        return self._there("enemies", (self.name,), attributes)

    def friends(self, **attributes: str) -> bool:
        """Whether a friend with these attributes is in the hex."""
        return self._there("friends", (self.name,), attributes)

    def next_to_enemy(self, **attributes: str) -> bool:
        """Whether an enemy with these attributes is in a neighbouring hex."""
        return self._there("enemies", tuple(self.step.board.neighbours(self.name)), attributes)

    @property
    def in_enemy_zone(self) -> bool:
        """Whether the hex is in an enemy zone of control by any rule of the tables."""
        zones = self.step.mover.zones
        rules = [zones.by_rule(number) for number in range(zones.rules)]
        there = some(one.at(self.name).zoc for one in rules)
        asked = (u for one in rules for u in one.missing_over(self.name))
        return self.step.told(("zone", self.name), there, asked)

    def _there(self, who: str, hexes: tuple[str, ...], attributes: Mapping[str, str]) -> bool:
        zones = self.step.mover.zones
        needs = tuple(Requirement(name, _spellings(value)) for name, value in attributes.items())
        found = [
            (name, unit, both(sure, zones.meets(unit, needs)))
            for name in hexes
            for unit, sure in (zones.enemies(name) if who == "enemies" else zones.friends_in(name))
        ]
        there = some(holds for _, _, holds in found)
        asked = [
            unknown
            for name, unit, holds in found
            if holds is None
            for unknown in zones.questions(unit, name, needs)
        ]
        if who == "friends" and there is False:
            there = self._ahead(needs, asked)
        key = (who, hexes, tuple(attributes.items()))
        return self.step.told(key, there, asked)

    def _ahead(self, needs: tuple[Requirement, ...], asked: list[MissingFact]) -> bool | None:
        """Whether a friend that meets ``needs`` moves along with the mover and enters every hex before it;
        None: not known, and the questions about it are added to ``asked``."""
        mover = self.step.mover
        along = mover.zones.one_along(mover.unit.id, needs)
        if along is False:
            return False
        move = mover.circumstances.move
        first = went_ahead(mover.unit, move.steps[-1] if move is not None else None)
        ahead = answer(mover.circumstances.situation.game, first)
        if ahead is not True and along is None:
            asked += mover.zones.missing_of_along(mover.unit.id, needs)
        if ahead is None:
            asked.append(first.unknown())
        return both(along, negation(ahead))


_WORDS = {"true": "yes", "yes": "yes", "false": "no", "no": "no"}


def _said(value: object) -> str:
    said = str(value)
    return _WORDS.get(said.lower(), said)


def _spellings(value: Value) -> tuple[Value, ...]:
    """All values of a fact that a clause means by ``value``."""
    return {"yes": (True, "yes"), "no": (False, "no")}.get(_said(value), (value,))
