"""What a ruleset needs before there is a game: its attributes, and the first tables of a pack; and names in a
pack's files that it does not know."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ..importers.pack.facts import Facts
from ..importers.pack.load import wrong
from ..importers.pack.names import names_in_files
from ..importers.pack.pack import Pack
from ..importers.pack.signs import Wanted
from ..model.board import Board
from ..model.game import Game, Rules
from ..model.names import CHART, PLACEHOLDER, Words, unknown_names
from ..model.problem import Problem
from ..validators.allowed_facts import Allowed, TellsAllowedFacts
from ..validators.answers import NO, YES
from ..validators.lives import DEAD
from ..validators.rulebook import Rulebook
from ..validators.ruleset import Ruleset, Tabled, Vocabulary
from .registry import rulesets


def schema_of(ruleset: Ruleset) -> Mapping[str, Any]:
    """The schema of a ruleset's tables as plain JSON values; empty if it has none."""
    return ruleset.schema.plain if isinstance(ruleset, Tabled) else {}


def begun_tables(ruleset: Ruleset) -> Mapping[str, Any]:
    """The minimum content of [rules] of a pack, by the ruleset's schema."""
    return dict(schema_of(ruleset).get("default", {}))


def charts_of(ruleset: Ruleset) -> tuple[str, ...]:
    """The charts that a pack can call complete, by the ruleset's schema."""
    known = {"values", *whole_charts(ruleset)}
    return tuple(name for name in schema_of(ruleset).get("properties", {}) if name not in known)


def whole_charts(ruleset: Ruleset) -> frozenset[str]:
    """The charts that a ruleset ships complete; a pack need not call them so."""
    return ruleset.whole_charts if isinstance(ruleset, Rulebook) else frozenset()


def attributes_of(rules: object) -> tuple[str, ...]:
    """The attributes that rules in force need; empty if they do not say."""
    if not isinstance(rules, TellsAllowedFacts):
        return ()
    return tuple(n for n in rules.allowed_facts().attributes if "*" not in n and n != DEAD)


def allowed_by(
    ruleset: Ruleset, tables: Mapping[str, Any], sides: tuple[str, ...]
) -> Mapping[str, Allowed]:
    """The attributes of units that a ruleset needs, in its order, with the values allowed; empty if it does
    not say."""
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
    """The attributes of units that a ruleset needs, in the form for first packs."""
    return tuple(
        Wanted(name, of.kind == "number", words_of(of))
        for name, of in allowed_by(ruleset, tables, sides).items()
    )


def words_of(allowed: Allowed) -> tuple[str, ...]:
    """The words allowed for an attribute; empty: any text, or a number."""
    if allowed.kind == "yes-no":
        return (*sorted((YES | NO) - {"0", "1"}), *allowed.words)
    return () if allowed.reads_others or allowed.words == (PLACEHOLDER,) else allowed.words


def words_for(pack: Pack) -> Mapping[str, Words] | None:
    """The names that a pack's ruleset knows; None if it is not installed or does not say."""
    ruleset = rulesets().parts.get(pack.ruleset)
    if not isinstance(ruleset, Vocabulary):
        return None
    return ruleset.words(Rules(pack.ruleset, pack.tables, pack.options, pack.off, pack.charts))


def check_names(pack: Pack, facts: Facts, rules: Rules) -> tuple[Problem, ...]:
    """A warning for each name in the pack and the facts that the ruleset's tables lack; none if the ruleset
    is not installed or does not say. Raises :class:`~vassal_umpire.model.problem.WrongPack` if the chart is
    called complete."""
    ruleset = rulesets().parts.get(rules.name)
    if not isinstance(ruleset, Vocabulary):
        return ()
    words = ruleset.words(rules)
    found = tuple(unknown_names(names_in_files(pack, facts), words, rules.complete))
    errors = [problem for problem in found if problem.severity == "error"]
    if errors:
        raise wrong(pack.folder, errors)
    if not getattr(ruleset, "opens_charts", False):
        left = (
            sorted(words[CHART].names - (rules.complete or frozenset())) if CHART in words else ()
        )
        if left and rules.complete is not None:
            message = (
                f"the ruleset {rules.name} counts every chart as complete, also these, which complete "
                f"in [rules] does not name: {', '.join(left)}"
            )
            found = (*found, Problem("charts-taken-for-whole", message, "pack.toml", "note"))
    return found
