"""What a ruleset asks for before there is a game: its attributes, and the tables a pack begins with."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ..importers.pack.signs import Wanted
from ..model.board import Board
from ..model.game import Game, Rules
from ..validators.allowed_facts import DEAD, Allowed, TellsAllowedFacts
from ..validators.answers import NO, YES
from ..validators.rulebook import Rulebook
from ..validators.ruleset import Ruleset, Tabled

PLACEHOLDER = "to be named"
"""Stands for a name in tables that must not be empty."""


def schema_of(ruleset: Ruleset) -> Mapping[str, Any]:
    """The schema of a ruleset's tables as plain JSON values; empty where it has none."""
    return ruleset.schema.plain if isinstance(ruleset, Tabled) else {}


def begun_tables(ruleset: Ruleset) -> Mapping[str, Any]:
    """The least that [rules] of a pack must hold, as the ruleset's schema gives it."""
    return dict(schema_of(ruleset).get("default", {}))


def charts_of(ruleset: Ruleset) -> tuple[str, ...]:
    """The charts of a ruleset's tables that a pack can call complete, as its schema names them."""
    known = {"values", *whole_charts(ruleset)}
    return tuple(name for name in schema_of(ruleset).get("properties", {}) if name not in known)


def whole_charts(ruleset: Ruleset) -> frozenset[str]:
    """The charts that a ruleset brings whole: a pack need not call them complete."""
    return ruleset.whole_charts if isinstance(ruleset, Rulebook) else frozenset()


def attributes_of(rules: object) -> tuple[str, ...]:
    """The names of the attributes that rules in force ask for; none where they do not tell."""
    if not isinstance(rules, TellsAllowedFacts):
        return ()
    return tuple(n for n in rules.allowed_facts().attributes if "*" not in n and n != DEAD)


def allowed_by(
    ruleset: Ruleset, tables: Mapping[str, Any], sides: tuple[str, ...]
) -> Mapping[str, Allowed]:
    """The attributes of units that a ruleset asks for and what each may say, in its order; none where it
    does not tell."""
    rules = Rules(ruleset.name, tables, complete=frozenset())
    board = Board("", {}, complete=frozenset())
    in_force = ruleset.in_force(Game("", board, sides, {}, {}, (), rules))
    if not isinstance(in_force, TellsAllowedFacts):
        return {}
    allowed = in_force.allowed_facts().attributes
    return {name: of for name, of in allowed.items() if "*" not in name and name != DEAD}


def wanted_by(
    ruleset: Ruleset, tables: Mapping[str, Any], sides: tuple[str, ...]
) -> tuple[Wanted, ...]:
    """The attributes of units that a ruleset asks for, as first packs want them."""
    return tuple(
        Wanted(name, of.kind == "number", words_of(of), of.question)
        for name, of in allowed_by(ruleset, tables, sides).items()
    )


def words_of(allowed: Allowed) -> tuple[str, ...]:
    """The words an attribute may be; none: any text, or a number."""
    if allowed.kind == "yes-no":
        return (*sorted((YES | NO) - {"0", "1"}), *allowed.words)
    return () if allowed.reads_others or allowed.words == (PLACEHOLDER,) else allowed.words
