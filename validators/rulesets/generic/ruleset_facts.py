"""The facts that the tables of a pack know."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from ....model.fact import Value
from ....model.game import Game
from ...allowed_facts import ANY_NUMBER, NUMBER, YES_NO, Allowed, AllowedFacts, words
from ...answers import AHEAD
from ...concepts.requirements import CONDITION, FORM, SIDE, read_requirements
from ...ruleset import Requirement
from .step_rules import stacking_tables
from .tables import Tables
from .terms import MOVE_ON, TOPIC

_TESTS = frozenset(("is", "not", "least", "most"))


def allowed_facts(tables: Tables, game: Game) -> AllowedFacts:
    """The facts about units and the game that a facts file may give, and the questions for them. An attribute
    that the pack reads off the pieces is always allowed, whether or not the tables ask for it."""
    attributes = dict.fromkeys(_read_off_pieces(game), Allowed("text"))
    conditions = {f"{TOPIC} *": YES_NO, f"{MOVE_ON} *": YES_NO, AHEAD: YES_NO}
    for name, needs in _by_name(tables).items():
        condition = name.startswith(CONDITION)
        bare = name.removeprefix(CONDITION)
        listed = tables.plain.get("values", {}).get(bare)
        found = words(*map(str, listed)) if listed else _allowed(needs)
        (conditions if condition else attributes)[bare] = found
    for stacking in stacking_tables(tables.plain):
        if "size" in stacking:
            asked = NUMBER.asked("how much does {} count in a stack?")
            attributes[stacking["size"]] = asked
    if tables.allowance_attribute:
        told = Allowed("text") if tables.by_class else NUMBER
        attributes[tables.allowance_attribute] = told.asked(
            "which movement allowance is printed on {}?"
        )
    if tables.class_attribute:
        attributes[tables.class_attribute] = words(*tables.classes).asked(
            "which movement class is {}?"
        )
    return AllowedFacts(attributes, conditions)


def _read_off_pieces(game: Game) -> Iterator[str]:
    files = tuple(source.file for source in game.sources if source.kind == "facts")
    for unit in game.units.values():
        for name, fact in unit.attributes.items():
            if not files or not fact.source.startswith(files):
                yield name
    for form in game.forms.values():
        yield from form.units


def _by_name(tables: Tables) -> dict[str, list[Requirement]]:
    """All requirements in the tables, by the name of the attribute or condition."""
    found: dict[str, list[Requirement]] = {}
    for need in _requirements(tables.plain):
        if need.attribute not in (FORM, SIDE):
            found.setdefault(need.attribute, []).append(need)
    return found


def _requirements(plain: Any) -> Iterator[Requirement]:
    """Every requirement in the plain tables, including those of clauses that are switched off."""
    if isinstance(plain, Mapping):
        if {"attribute", "condition"} & plain.keys() and _TESTS & plain.keys():
            yield from read_requirements([plain])
        for value in plain.values():
            yield from _requirements(value)
    elif isinstance(plain, list):
        for entry in plain:
            yield from _requirements(entry)


def _allowed(needs: Iterable[Requirement]) -> Allowed:
    """The values allowed for a fact, by the requirements on it: a number if they only compare numbers, the
    words ``true`` and ``false`` if they only name booleans, else any text."""
    values: dict[Value, None] = {value: None for need in needs for value in need.values}
    if not values:
        return ANY_NUMBER
    if all(isinstance(value, bool) for value in values):
        return words("true", "false")
    return Allowed("text", tuple(map(str, values)))
