"""A step as a small game's own clauses in Python see it, for rules that its tables cannot express.

Each clause gets a step from one hex to the next and returns its effect::

    @forbid("MG-7.2", "marches into a wood by night")
    def no_night_march(step):
        return step.condition("light") == "night" and step.into.has("wood")

    @cost("MG-4.3", "guns in a wood")
    def guns(step):
        return 1 if step.unit("guns") == "yes" and step.into.has("wood") else 0

    @must_stop("MG-5.1", "goes on after it met a scout")
    def scouts(step):
        return step.into.next_to_enemy(type="scout")

    RULESET = ruleset(__name__, clauses=[no_night_march, guns, scouts])

A clause gets plain answers; it never has to handle a fact that is not known. If it asks for one, it is run
once for each possible answer (:mod:`...engine.asking`). All its results together form a range, and the move
is unverifiable where the range decides the verdict. Therefore a clause must be a pure function: no ``try``,
no state. A cost is never below 0. A clause may ask about the mover, the step and the units on the board, but
not about the path before the step or the MPs spent.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from fractions import Fraction
from typing import Any

from ....model.fact import Value
from ...allowed_facts import number_in
from ...concepts.requirements import CONDITION, SIDE
from ...engine.clauses import ClauseFunction
from ...engine.hex_view import HexView
from ...engine.step import Step
from ...ruleset import Requirement
from .rules import as_tables
from .terms import road_of, tables_of


class OwnStep:
    """One step of a mover."""

    def __init__(self, step: Step) -> None:
        self._step = step

    @property
    def into(self) -> OwnHex:
        """The hex entered."""
        return OwnHex(self._step, self._step.into)

    @property
    def out_of(self) -> OwnHex:
        """The hex left."""
        return OwnHex(self._step, self._step.out_of)

    @property
    def road(self) -> str:
        """The kind of line that the step follows, such as ``railway``; empty: none."""
        return road_of(self._step)

    def crosses(self, *names: str) -> bool:
        """Whether one of these features lies on the hexside between the two hexes."""
        return any(map(self._step.on_side, names))

    def table(self, name: str) -> Any:
        """A chart that ``generic`` does not have (``schema.json`` beside the manifest), as the pack or the
        ruleset writes it; None: the chart is complete, and neither writes it."""
        return self._step.table(name)

    @property
    def form(self) -> str:
        """The form of movement."""
        return self._step.form

    @property
    def side(self) -> str:
        """The side of the unit that moves."""
        sides = self._step.rules.game.sides
        return str(self._step.attribute(SIDE, sides))

    def unit(self, attribute: str) -> str:
        """The value of an attribute of the unit that moves, as text. True and false are ``yes`` and ``no``,
        however they are written."""
        return str(self._step.attribute(attribute, self._listed(attribute), said))

    def number(self, attribute: str) -> Fraction:
        """The value of an attribute of the unit that moves, as a number."""
        found = self._step.attribute(attribute, self._listed(attribute), in_number)
        assert isinstance(found, Fraction)
        return found

    def condition(self, name: str) -> str:
        """The value of a condition of the game, such as ``weather``, for the unit, as :meth:`unit` gives
        it."""
        return str(self._step.attribute(CONDITION + name, self._listed(CONDITION + name), said))

    def _listed(self, about: str) -> tuple[str, ...]:
        return as_tables(self._step.rules).listed(about)


class OwnHex:
    """A hex of a step. Friends that move along with the mover count if they were in the hex before it; that
    is asked for."""

    def __init__(self, step: Step, where: HexView) -> None:
        self._step, self._hex = step, where

    def has(self, *names: str) -> bool:
        """Whether one of these terrains or features is in it."""
        return self._hex.has(names)

    def enemies(self, **attributes: str) -> bool:
        """Whether an enemy with these attributes is in the hex."""
        return self._hex.foes(needs(attributes))

    def friends(self, **attributes: str) -> bool:
        """Whether a friend with these attributes is in the hex."""
        return self._hex.friends_first(needs(attributes))

    def next_to_enemy(self, **attributes: str) -> bool:
        """Whether an enemy with these attributes is in a neighbouring hex."""
        return self._hex.foes(needs(attributes), beside=True)


def own(clause: ClauseFunction) -> ClauseFunction:
    """A clause of a small game, as the engine runs it. Where hexes are counted, it adds no number."""

    def run(step: Step) -> Any:
        found = clause.run(OwnStep(step))
        if clause.kind != "cost":
            return bool(found)
        return 0 if tables_of(step).allowance.hexes else found

    return replace(clause, run=run)


def needs(attributes: Mapping[str, str]) -> tuple[Requirement, ...]:
    """The requirements that a unit has these attributes."""
    return tuple(Requirement(name, spellings(value)) for name, value in attributes.items())


_WORDS = {"true": "yes", "yes": "yes", "false": "no", "no": "no"}


def said(value: object) -> str:
    word = str(value)
    return _WORDS.get(word.lower(), word)


def spellings(value: Value) -> tuple[Value, ...]:
    """All values of a fact that a clause means by ``value``."""
    return {"yes": (True, "yes"), "no": (False, "no")}.get(said(value), (value,))


def in_number(value: object) -> Fraction | None:
    return number_in(str(value))
