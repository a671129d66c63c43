"""The scenarios of a unit: one for each completion of its facts, with the movers from which the player may
choose."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from ...model.fact import Fact, MissingFact, known
from ..concepts.free import FreeMovementGraph
from ..concepts.requirements import question
from ..concepts.zones import Zones
from ..ruleset import (
    Assumption,
    Breach,
    Budget,
    Circumstances,
    MovementGraph,
    Mover,
    Scenario,
    WeightedFact,
    World,
)
from .asking import Run, later, leaves, outcome
from .declared import NO_MOVEMENT, Completed
from .due import NOBODY, Shared, of_view
from .memo import Kept, Leaf
from .mover import ClauseMover
from .mover_view import MoverFacts, MoverView

if TYPE_CHECKING:
    from .rules import Rules

NO_BUDGET = Budget(None, "")
_TRUTHS = {"True": True, "False": False}


@dataclass(frozen=True, slots=True, eq=False)
class FreeMover:
    """A unit that these rules do not judge on this drag: it goes where the log shows it, for nothing."""

    form: str
    shown: tuple[str, ...]
    perhaps_barred: tuple[WeightedFact, ...] = ()
    barred: tuple[Breach, ...] = ()
    budget: Budget = NO_BUDGET

    def graph(self, world: World) -> MovementGraph:
        """The hexes that the log shows, for nothing."""
        return FreeMovementGraph(self.shown)


def scenarios(rules: Rules, unit: str, circumstances: Circumstances) -> tuple[Scenario, ...]:
    """The scenarios of a unit; none if no drag of it belongs to the move."""
    whose, move = rules.game.units[unit], circumstances.move
    drags = [] if move is None else rules.history.of_move(unit, move)
    if move is None or not drags:
        return ()
    phase = circumstances.situation.phase.phase or ""
    own = unit, phase, move.steps, move.waypoints, move.binding, move.actor
    kept = rules.memo.get(("told", own))
    if kept is None:
        facts = MoverFacts(whose, move, drags, circumstances, "", {}, rules)
        kept = rules.memo["told", own] = tuple(
            (tuple(Assumption(fact, str(value)) for fact, value in told), dict(found))
            for told, found in leaves(lambda run: _completed(run, facts, phase))
        )
    return tuple(
        scenario
        for told, found in kept
        for facts in [MoverFacts(whose, move, drags, circumstances, "", found, rules)]
        for scenario in _of_completion(facts, told, own)
    )


def _completed(run: Run, facts: MoverFacts, phase: str) -> tuple[tuple[str, Fact], ...]:
    """The facts of the mover, completed. A phase that is not named may be of any kind, as suits the
    player."""
    rules = facts.rules
    kinds: tuple[str, ...] = tuple(rules.tables["phases"])
    found = {"kind": Fact(kinds)}
    if phase:
        kind = rules.phase_kinds.get(phase)
        some = (*kinds, NO_MOVEMENT) if kind is None else (kind,)
        found["kind"] = known(run.choose("kind", some, (later(rules.kind_of_phase, phase),)))
    for one in rules.declared.completed:
        if not one.classes or str(found["class"].value) in one.classes:
            found[one.about] = _value(run, facts, one)
    return tuple(found.items())


def _value(run: Run, facts: MoverFacts, one: Completed) -> Fact:
    rules, unit = facts.rules, facts.unit
    if one.read:
        fact = one.read(rules.history, unit, facts.drags)
    else:
        fact = rules.history.value(unit.id, one.about, facts.drags[0])
    if not fact.is_known and rules.declared.attributes[one.about].kind != "number":
        words = tuple(_TRUTHS.get(word, word) for word in rules.words(one.about))
        options = one.options(rules, fact) if one.options else fact.options or words
        return known(run.choose(one.about, options, (later(question, unit, one.about),)))
    return known(one.options(rules, fact)[0]) if one.options else fact


def _of_completion(facts: MoverFacts, told: tuple[Assumption, ...], own: Any) -> Iterator[Scenario]:
    """The unit moved by these rules; and if a drag of it may have been something else, one where it was."""
    rules, memo, circumstances = facts.rules, facts.rules.memo, facts.circumstances
    kinds = [known(kind) for kind in facts.known["kind"].options or () if kind != NO_MOVEMENT]
    completed = (
        [facts.known] if len(kinds) == 1 else [{**facts.known, "kind": kind} for kind in kinds]
    )
    form = circumstances.forms[0]
    free: list[tuple[MissingFact, ...] | None] = []
    for known_facts in completed:
        values = _values(known_facts)
        key = "free", own, facts.form, values
        found = memo.get(key)
        if found is None:
            found, fixed = _read_otherwise(facts.but(facts.form, known_facts), values)
            if fixed:
                memo[key] = found
        free += found
    shown = tuple(dict.fromkeys(p.name for p in facts.move.waypoints if p.kind == "hex"))
    otherwise, sure = FreeMover(form, shown), () in free
    movers: list[Mover] = [otherwise] if sure else []
    cls = str(facts.known["class"].value)
    zones = _zones(facts)
    for form in circumstances.forms if cls in rules.declared.columns else ():
        movers += [_mover(facts.but(form, one), cls, zones, own) for one in completed]
    asked = (fact for facts_of_one in free for fact in facts_of_one or ())
    perhaps = dict.fromkeys(() if sure else asked)
    yield Scenario(tuple(movers), (*told, *(Assumption(fact, "no") for fact in perhaps)))
    if perhaps:
        yield Scenario((otherwise,), (*told, *(Assumption(fact, "yes") for fact in perhaps)))


def _values(told: dict[str, Fact]) -> tuple[Any, ...]:
    """Completed facts as a key. True and 1 are different values."""
    found: list[Any] = []
    for about, fact in told.items():
        options = None if fact.options is None else tuple((type(o), o) for o in fact.options)
        found.append((about, options, fact.lo, fact.hi))
    return tuple(found)


def _mover(facts: MoverFacts, cls: str, zones: Zones, own: Any) -> ClauseMover:
    rules, memo, values = facts.rules, facts.rules.memo, _values(facts.known)
    steps = tuple(value for value in values if value[0] in rules.declared.shared)
    key = "shared", cls, facts.form, steps
    shared = memo.get(key)
    if shared is None:
        shared = memo[key] = Shared(rules, cls, str(facts.known["kind"].value))
    keeps = memo.setdefault(("keeps", facts.form, values), {})
    built = "built", own, facts.form, values
    mover = ClauseMover(rules, facts, zones, shared, cls, memo.get(built), keeps)
    if mover.built is None and mover.fixed:
        memo[built] = mover.budget, mover.barred, mover.perhaps_barred
    return mover


def _read_otherwise(
    facts: MoverFacts, values: Any
) -> tuple[list[tuple[MissingFact, ...] | None], bool]:
    """For each interpretation the facts that decide whether it is right: none if it is; None if it is not.
    And whether that holds at any time."""
    keeps = facts.rules.memo.setdefault(("drag", facts.form, values), {})
    view = MoverView(NOBODY, facts.rules, facts)
    every: list[tuple[MissingFact, ...] | None] = []
    fixed = True
    for clause in facts.rules.interpretations:
        kept = keeps.setdefault(clause, Kept())
        leaf = kept.find(view)
        if leaf is None:
            found = outcome(lambda run, clause=clause: bool(of_view(clause, view, run)))  # type: ignore[misc]
            log = found.log
            leaf = Leaf(None if found.holds is False else () if found.holds else found.facts)
            fixed = fixed and not log.dynamic
            if not (log.private or log.asked or log.dynamic):
                kept.keep(view, log.reads, leaf)
        every.append(leaf.value)
    return every, fixed


def _zones(facts: MoverFacts) -> Zones:
    """The enemies of the mover's side, shared by all units of one move."""
    memo, key = facts.rules.memo, ("zones", facts.unit.side)
    kept = memo.get(key)
    if kept is None or kept[0] is not facts.circumstances:
        zones = Zones(facts.circumstances, facts.unit.side, None, facts.rules.declared.enemies)
        kept = memo[key] = (facts.circumstances, zones)
    found: Zones = kept[1]
    return found
