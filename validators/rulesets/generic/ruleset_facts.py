"""Questions about costs in a pack's tables, and the facts that the tables know."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from ....model.fact import MissingFact, Value
from ....model.game import Game
from ....model.stanza import BLANK, pack_stanza
from ...allowed_facts import ANY_NUMBER, NUMBER, YES_NO, Allowed, AllowedFacts, words
from ...concepts.charts import NO_CLASS, is_cell
from ...concepts.requirements import CONDITION, FORM, SIDE, read_requirements
from ...ruleset import Requirement
from .entering import MOVE_ON
from .lacks import TOPIC
from .stacks import stacking_tables
from .tables import Tables
from .zones import AHEAD

_TESTS = frozenset(("is", "not", "least", "most"))
Place = tuple[str, ...]
"""Keys in ``[rules]`` of a pack. A whole number counts the entries of a list from 0."""

PLACES: Mapping[str, Place] = {
    "GEN-TERRAIN": ("terrain", "costs", "{}"),
    "GEN-HEXSIDE": ("hexsides", "{}", "cost"),
    "GEN-BRIDGE": ("hexsides", "{}", "cost"),
    "GEN-ROAD": ("roads", "{}", "cost"),
    "GEN-LEVEL": ("levels", "{}"),
}
"""Where the costs of a clause have their rows; ``{}`` stands for the name of the row."""


def cost_question(
    tables: Tables, clause: str, names: Sequence[str], classes: tuple[str, ...]
) -> MissingFact:
    """The question about the rows ``names`` of the chart that belongs to ``clause``; for GEN-BRIDGE they are
    a feature and its bridge."""
    row = tables.hexsides.get(names[0])
    if clause != "GEN-BRIDGE" or row is None:  # without a row: a feature beside the bridge
        return of_cost(tables, PLACES[clause], names, classes)
    feature, bridge = names
    number = str([*row.bridges].index(bridge))
    place = ("hexsides", feature, "bridges", number, "cost")
    return of_cost(tables, place, (f"{feature} with {bridge}",), classes)


def of_cost(
    tables: Tables, place: Place, names: Iterable[str], classes: tuple[str, ...]
) -> MissingFact:
    """The question about the cost of ``names``; which classes there are goes before what one that nobody
    named pays. ``place``: the path of their rows in ``[rules]``; ``{}`` stands for the name."""
    for unknown in tables.complete.questions("classes") if NO_CLASS in classes else ():
        return unknown
    every = tuple(names)
    what, who = ", ".join(every), " or ".join(c or "an unknown class" for c in classes)
    rows: dict[str, Any] = {}
    known = [name for name in classes if name != NO_CLASS]
    for name in every if known else ():
        _put(rows, tables.plain, tuple(key.format(name) for key in place), known)
    return MissingFact(
        f"cost of {what} for {who}",
        f"what does {what} cost {who}?",
        "facts.toml",
        pack_stanza("rules", entry=rows) if rows else "",
    )


def _put(into: dict[str, Any], plain: Any, place: Place, classes: list[str]) -> None:
    """Write a cost with a blank at ``place`` of ``into``. A list is written as a whole, as in ``plain``."""
    key, *rest = place
    held = plain.get(key) if isinstance(plain, Mapping) else None
    if isinstance(held, list):
        number, *inner = rest
        rows = [dict(row) for row in held]
        _put(rows[int(number)], held[int(number)], tuple(inner), classes)
        into[key] = rows
    elif rest:
        into.setdefault(key, {})
        _put(into[key], held, tuple(rest), classes)
    else:
        bounds = isinstance(held, Mapping) and is_cell(held)
        blank = BLANK if bounds else {**_others(held), **dict.fromkeys(classes, BLANK)}
        into[key] = blank


def _others(held: Any) -> Mapping[str, Any]:
    """The cells of a row by class. A row that is one cell for all classes gives it as ``others``."""
    if held is None or isinstance(held, Mapping):
        return held or {}
    return {"others": held}


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
