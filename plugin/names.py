"""Names in a pack's files that its ruleset does not know, and charts that it cannot open."""

from __future__ import annotations

from collections.abc import Mapping

from ..importers.pack.facts import Facts
from ..importers.pack.load import wrong
from ..importers.pack.names import names_in_files
from ..importers.pack.pack import Pack
from ..model.game import Rules
from ..model.names import CHART, Words, unknown_names
from ..model.problem import Problem
from ..validators.ruleset import Vocabulary
from .registry import rulesets


def words_for(pack: Pack) -> Mapping[str, Words] | None:
    """The names that the ruleset of a pack knows; None where it is not here or does not tell."""
    ruleset = rulesets().parts.get(pack.ruleset)
    if not isinstance(ruleset, Vocabulary):
        return None
    return ruleset.words(Rules(pack.ruleset, pack.tables, pack.options, pack.off, pack.charts))


def check_names(pack: Pack, facts: Facts, rules: Rules) -> tuple[Problem, ...]:
    """A warning for each name of the pack and the facts that the tables of the ruleset do not have; none
    where the ruleset is not here or does not tell. Raises :class:`~vassal_umpire.model.problem.WrongPack`
    where the chart is said to be complete."""
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
