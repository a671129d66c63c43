"""Rules of the game that these tables cannot express (``[[rules.lacks]]``): moves they affect stay open."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Literal

from ....model.fact import MissingFact
from ....model.game import StepRef
from ....model.unit import Unit
from ...answers import Question, answer
from ...concepts.completeness import Completeness
from ...concepts.completions import Facts
from ...concepts.free import FreeMovementGraph
from ...concepts.requirements import read_requirements, unmet
from ...ruleset import (
    Breach,
    Budget,
    Circumstances,
    Mover,
    Requirement,
    WeightedFact,
    World,
    all_met,
)

if TYPE_CHECKING:
    from .movers import GenericMover

CLAUSE = "GEN-LACKS"
TOPIC = "right by"
Effect = Literal["hinders", "helps", "either"]


@dataclass(frozen=True, slots=True)
class Lack:
    """A rule that these tables cannot express.

    ``effect``: ``hinders`` makes moves dearer or forbids them, ``helps`` makes them cheaper or allows them,
    ``either`` may do both. ``requirements`` and ``phases`` (empty: all): which moves it affects.
    ``missing_fact``: the question whether there is such a rule at all; None: there is.
    """

    what: str
    effect: Effect
    requirements: tuple[Requirement, ...]
    phases: tuple[str, ...]
    missing_fact: MissingFact | None = None


def read_lacks(
    plain: Iterable[Mapping[str, Any]], off: frozenset[str], complete: Completeness
) -> tuple[Lack, ...]:
    """The rows of ``[[rules.lacks]]``. If the chart is not whole, one more that may exist."""
    if CLAUSE in off:
        return ()
    unsaid = (
        Lack("a rule", "either", (), (), missing_fact)
        for missing_fact in complete.questions("lacks")
    )
    told = tuple(
        Lack(
            row["what"],
            row.get("effect", "hinders"),
            read_requirements(row.get("if", ())),
            tuple(row.get("phases", ())),
        )
        for row in plain
    )
    return (*told, *unsaid)


@dataclass(frozen=True, slots=True)
class AllowedMover:
    """A mover that moves by a rule that these tables lack, without any limit. See :class:`~...ruleset.Mover`.

    ``shown``: the hexes where the log shows it."""

    form: str
    budget: Budget
    shown: tuple[str, ...]
    perhaps_barred: tuple[WeightedFact, ...] = ()
    barred: tuple[Breach, ...] = ()

    def graph(self, world: World, /) -> FreeMovementGraph:
        """A free step into every hex where the log shows the mover."""
        return FreeMovementGraph(self.shown)


def question(lack: Lack, unit: Unit, at: StepRef | None) -> Question:
    """The question whether a move is right by a rule that these tables lack. ``at``: its last step; None: no
    move is given."""
    text = (
        f"was the move of {unit.name} right by what the rules of the pack leave out: {lack.what}?"
    )
    return Question(f"{TOPIC} {lack.what}", text, unit.id, at)


def with_lacks(
    movers: Iterable[tuple[GenericMover, Facts]],
    lacks: tuple[Lack, ...],
    unit: Unit,
    circumstances: Circumstances,
) -> tuple[Mover, ...]:
    """The movers of a unit, changed by those of ``lacks`` that affect or may affect the move.

    If the facts say that the move is right by the rule: it is judged by the other rules, and if the rule may
    help, a mover without limits is added. If they say that it is not: the rule is broken, or, if it can only
    help, has no effect. If they say nothing: both remain possible, and the question is asked.
    """
    move = circumstances.move
    at = move.steps[-1] if move is not None else None
    shown = tuple(p.name for p in move.waypoints if p.kind == "hex") if move is not None else ()
    found: list[Mover] = []
    helped: list[Mover] = []
    for mover, facts in movers:
        for lack in lacks:
            bears = _bears(lack, facts, circumstances)
            if bears is False:
                continue
            asked = question(lack, unit, at)
            right = None if lack.missing_fact else answer(circumstances.situation.game, asked)
            unknown = lack.missing_fact or asked.unknown()
            missing = (*unmet(unit, lack.requirements, facts), WeightedFact(unknown))
            if right is not False and lack.effect != "hinders":
                bare = replace(mover.budget, amount=None)
                open_to = () if right and bears else missing
                helped.append(AllowedMover(mover.form, bare, shown, open_to))
            if lack.effect == "helps" or right:
                continue
            if right is False and bears:
                text = f"breaks what the rules of the pack leave out, as is said: {lack.what}"
                cited = mover.terrain_graph.tables.citations.of(CLAUSE)
                mover = replace(mover, barred=(*mover.barred, Breach(cited, text, "")))
            else:
                mover = replace(mover, perhaps_barred=(*mover.perhaps_barred, *missing))
        found.append(mover)
    return (*found, *helped)


def _bears(lack: Lack, facts: Facts, circumstances: Circumstances) -> bool | None:
    if lack.phases:
        phase = circumstances.situation.phase.phase
        if phase is not None and phase not in lack.phases:
            return False
    return all_met(lack.requirements, facts)
