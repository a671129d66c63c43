"""The scenarios of a unit: one for each completion of its facts, with the movers from which the player may
choose.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING, Any
from weakref import ref

from ...model.fact import Fact, MissingFact, known
from ..answers import Question, answer
from ..concepts.requirements import question
from ..ruleset import (
    Assumption,
    Breach,
    Budget,
    Circumstances,
    CostBreakdown,
    MovementGraph,
    Mover,
    Scenario,
    Step,
    Tag,
    WeightedFact,
    World,
)
from .asking import Log, Outcome, Run, TooMany, later, leaves
from .clauses import ClauseFunction
from .declared import NO_MOVEMENT, Completed
from .due import NOBODY, Shared, clauses_of
from .enemies import EnemyZones
from .event_index import ABOARD
from .memo import once
from .mover import ClauseMover
from .mover_facts import Answer, MoverFacts, Said
from .mover_questions import as_key
from .mover_view import MoverView

if TYPE_CHECKING:
    from .rules import Rules


Completion = tuple[tuple[Assumption, ...], dict[str, Fact], dict[str, Fact]]
"""(the assumptions; the facts of the mover under them; those facts that differ by markers placed later in the
phase)."""
NO_BUDGET = Budget(None, "")
_TRUTHS = {"True": True, "False": False}


@dataclass(frozen=True, slots=True, eq=False)
class FreeMover:
    """A unit that these rules do not judge in this drag, and its graph (:class:`.MovementGraph`): free steps
    between all hexes where the log shows it (``shown``)."""

    form: str
    shown: tuple[str, ...]
    perhaps_barred: tuple[WeightedFact, ...] = ()
    barred: tuple[Breach, ...] = ()
    budget: Budget = NO_BUDGET
    least: int = 0

    def graph(self, world: World) -> MovementGraph:
        """The graph of free steps, in either world."""
        return self

    def forget(self) -> None:
        """Does nothing: there is no cache."""

    def steps(self, hex_name: str, tag: Tag, /) -> Sequence[Step]:
        """A free step into every other hex where the mover is shown."""
        return [Step(to, 0) for to in self.shown if to != hex_name]

    edges_with_violations = steps  # no clause can be broken

    def cost_breakdown(self, hex_name: str, tag: Tag, step: Step, /) -> CostBreakdown:
        """An empty breakdown."""
        return CostBreakdown(())


def scenarios(rules: Rules, unit: str, circumstances: Circumstances) -> tuple[Scenario, ...]:
    """The scenarios of a unit; none if no drag of it belongs to the move."""
    whose, move = rules.game.units[unit], circumstances.move
    drags = [] if move is None else rules.history.of_move(unit, move)
    if rules.declared.of_the_log and not drags:
        return ()
    phase = circumstances.situation.phase.phase or ""
    moves = rules.memo.setdefault("moves", {})
    own = moves.setdefault((unit, phase, move, circumstances.forms), len(moves))
    blank = MoverFacts(whose, move, drags, circumstances, "", {}, rules)
    blank.said = Said(rules.memo.setdefault("said", {}))
    try:
        every = rules.completions(blank, phase, own)
    except TooMany as error:
        free = _free(blank, tuple(map(WeightedFact, error.facts)))
        return (Scenario((free,), ()),)
    return tuple(
        scenario
        for told, found, changed in every
        for facts in [blank.but("", found)]
        for scenario in _of_completion(facts, changed, told, own)
    )


def completions(rules: Rules, facts: MoverFacts, phase: str, own: Any) -> list[Completion]:
    """See :meth:`.rules.Rules.completions`."""
    kept: list[Completion] | TooMany | None = rules.memo.get(("told", own))
    if kept is None:
        try:
            every = leaves(
                lambda run: _completed(run, facts, phase), rules.declared.most_completions
            )
            kept = [
                (tuple(Assumption(fact, str(value)) for fact, value in told), *found)
                for told, found in every
            ]
        except TooMany as error:
            kept = error
        rules.memo["told", own] = kept
    if isinstance(kept, TooMany):
        raise kept
    return kept


def _completed(run: Run, facts: MoverFacts, phase: str) -> tuple[dict[str, Fact], dict[str, Fact]]:
    """(the completed facts of the mover; those that differ by markers placed later in the phase). A phase
    without a name may be of any kind that suits the player."""
    rules = facts.rules
    kinds = rules.kinds
    found = {"kind": Fact(kinds)}
    if (phase and "phases" in rules.tables) or rules.declared.asks_phase:
        kind = rules.phase_kinds.get(phase)
        others = () if rules.declared.asks_phase else (NO_MOVEMENT,)
        some = (*kinds, *others) if kind is None else (kind,)
        found["kind"] = known(run.choose("kind", some, (later(rules.kind_of_phase, phase),)))
    for one in rules.completed:
        if one.when is not None and not one.when(rules, found):
            continue
        if not one.classes or str(found[rules.declared.pays_by].value) in one.classes:
            if one.choice is not None:
                view = MoverView(run, rules, facts.but("", found))
                found[one.about] = Fact(one.choice(view))
            else:
                found[one.about] = _value(run, facts, one)
    names = rules.declared.late.facts
    marked = rules.history.later_facts(facts.unit.id, facts.drags, names) if names else {}
    of = {one.about: one for one in rules.completed if one.about in found}
    later_ = {
        about: _closed(run, facts, of[about], fact, ("later", about))
        for about, fact in marked.items()
        if about in of
    }
    return found, {k: fact for k, fact in later_.items() if not _same(fact, found[k])}


def _value(run: Run, facts: MoverFacts, one: Completed) -> Fact:
    if one.about not in facts.told:  # the same in every completion
        facts.told[one.about] = _told(facts, one)
    return _closed(run, facts, one, facts.told[one.about], one.about)


def _told(facts: MoverFacts, one: Completed) -> Fact:
    rules, unit = facts.rules, facts.unit
    if one.read:
        fact = one.read(rules.history, unit, facts.drags)
    elif one.condition:
        fact = rules.history.told_of(one.about, unit, facts.drags)
    else:
        fact = rules.history.value(unit.id, one.about, facts.drags[0])
    return rules.by_type(
        unit, fact, one.about, lambda: rules.history.during(unit.id, "type", facts.drags)
    )


def _closed(run: Run, facts: MoverFacts, one: Completed, fact: Fact, key: object) -> Fact:
    """A fact of the mover with one of its possible values."""
    rules, unit = facts.rules, facts.unit
    if one.open:
        return fact
    allowed = rules.declared.attributes.get(one.about)
    is_number = allowed is not None and allowed.kind == "number"
    if one.options is not None and not is_number:
        options = one.options(rules, fact)
        return known(run.choose(key, options, (later(question, unit, one.about),)))
    if not fact.is_known and not is_number:
        words = tuple(_TRUTHS.get(word, word) for word in rules.words(one.about))
        options = fact.options or words
        return known(run.choose(key, options, (later(question, unit, one.about),)))
    return fact


def _of_completion(
    facts: MoverFacts, changed: dict[str, Fact], told: tuple[Assumption, ...], own: Any
) -> Iterator[Scenario]:
    """The scenario in which the unit moved by these rules, and, if a drag may have been something that they
    do not judge, the scenario in which it was."""
    movers, asked = _movers(facts, changed, own)
    yield Scenario(tuple(movers), (*told, *(Assumption(fact, "no") for fact in asked)))
    if asked:
        yield Scenario((_free(facts),), (*told, *(Assumption(fact, "yes") for fact in asked)))


def _movers(
    facts: MoverFacts, changed: dict[str, Fact], own: Any
) -> tuple[list[Mover], dict[MissingFact, None]]:
    """(the movers of a unit, by its markers when it moved and by those placed later, which may already have
    held; the facts that decide whether the rules do not judge it)."""
    if not changed:
        return _of_facts(facts, own)
    late = facts.rules.declared.late
    text = late.text.format(unit=facts.unit.name, facts=" and ".join(changed))
    question_ = Question(late.topic, text, facts.unit.id, facts.move.steps[0])
    so = answer(facts.rules.game, question_)
    movers, asked = _of_facts(facts, own) if so is not True else ([], {})
    if so is not False:
        missing = () if so else (WeightedFact(question_.unknown()),)
        later_on, more = _of_facts(facts.but(facts.form, {**facts.known, **changed}), own)
        movers += [_perhaps(mover, missing) for mover in later_on]
        asked |= more
    return movers, asked


def _same(one: Fact, other: Fact) -> bool:
    return (one.options, one.lo, one.hi) == (other.options, other.lo, other.hi)


def _perhaps(mover: Mover, missing: tuple[WeightedFact, ...]) -> Mover:
    """A mover that is possible only if the facts ``missing`` are so."""
    if isinstance(mover, FreeMover):
        return replace(mover, perhaps_barred=(*mover.perhaps_barred, *missing))
    assert isinstance(mover, ClauseMover)
    mover.doubts = (*mover.doubts, *missing)
    return mover


def _free(facts: MoverFacts, asked: tuple[WeightedFact, ...] = ()) -> FreeMover:
    """The unit as one that these rules do not judge in the drag, if the facts ``asked`` are so."""
    places = () if not facts.has_move else facts.move.waypoints
    shown = dict.fromkeys(p.name for p in places if p.kind == "hex")
    return FreeMover(facts.circumstances.forms[0], tuple(shown), asked)


def _of_facts(facts: MoverFacts, own: Any) -> tuple[list[Mover], dict[MissingFact, None]]:
    """As :func:`_movers`, for one set of facts."""
    rules, memo, circumstances = facts.rules, facts.rules.memo, facts.circumstances
    zones = _zones(facts)
    every = rules.declared.everywhere
    kinds = [kind for kind in facts.known["kind"].options or () if every or kind != NO_MOVEMENT]
    completed = [facts.known]
    choices = [(c.about, facts.known.get(c.about)) for c in rules.completed if c.choice is not None]
    chosen = [(about, told.options or ()) for about, told in choices if told is not None]
    for about, options in (("kind", kinds), *chosen):
        if len(options) != 1:
            completed = [{**one, about: known(value)} for one in completed for value in options]
    form = circumstances.forms[0]
    free: list[tuple[MissingFact, ...] | None] = []
    taken: list[tuple[ClauseFunction, dict[str, Fact], tuple[MissingFact, ...]]] = []
    for one in completed:
        values = _values(one)
        key = "free", own, facts.form, values
        found = memo.get(key)
        if found is None:
            found, fixed = _read_otherwise(facts.but(form, one), zones)
            if fixed:
                memo[key] = found
        for clause, asked in found:
            if clause.lifts is None:
                free.append(asked)
            elif asked is not None:
                taken.append((clause, one, asked))
    every_choice = [c for c in rules.interpretations if c.kind == "choice"]
    movers: list[Mover] = [_free(facts)] if () in free else []
    perhaps = dict.fromkeys(fact for each in free for fact in each or () if () not in free)
    judged = any(rules.judges(_class(rules, one)) for one in completed)
    if not judged or not rules.declared.judges(facts):
        return movers, perhaps
    named = rules.declared.form
    seems = all(asked for _, _, asked in taken)  # if not, it was certainly something else
    if seems and rules.declared.doings is not None:
        movers += (m for one in completed for m in _as_done(facts.but(form, one), zones, own))
    elif seems:
        for form_ in circumstances.forms if named is None else ("",):
            for one in completed:
                own_facts = facts.but(form_, one)
                own_facts.form = form_ if named is None else named(own_facts)
                mover = _mover(own_facts, _class(rules, one), zones, own)
                if rules.declared.forms(mover.facts):
                    movers.append(mover)
                movers += _chosen(mover, every_choice, zones, own)
    for clause, one, asked in taken:
        made = _as_done(facts.but(form, one, clause), zones, own)
        movers += (_perhaps(each, tuple(map(WeightedFact, asked))) for each in made)
    return movers, perhaps


def _class(rules: Rules, known: dict[str, Fact]) -> str:
    """The class by which a mover pays."""
    return rules.class_of(str(known[rules.declared.pays_by].value))


def _as_done(facts: MoverFacts, zones: EnemyZones, own: Any) -> Iterator[Mover]:
    """A mover for each way to read what the unit did; one if the ruleset has no such ways."""
    rules, doings = facts.rules, facts.rules.declared.doings
    cls = _class(rules, facts.known)
    if doings is None:
        yield _mover(facts, cls, zones, own)
        return
    facts.zones = zones
    for number, doing in enumerate(doings(MoverView(Run({}, Log()), rules, facts))):
        asked = Question(doing.topic, doing.text, facts.unit.id)
        so = answer(rules.game, asked) if doing.topic else True
        if so is False:
            continue
        for rode in (True, False) if doing.acts.doubtful else (False,):
            one = facts.but(facts.form, facts.known, facts.taken_as)
            one.zones = zones
            one.acts = doing.acts.riding(rode)
            one.whole = one.acts if doing.whole is None else doing.whole.riding(rode)
            mover: Mover = _mover(one, cls, zones, (own, number, rode))
            if rode:
                mover = _perhaps(mover, (WeightedFact(question(facts.unit, ABOARD)),))
            yield mover if so else _perhaps(mover, (WeightedFact(asked.unknown()),))


def _chosen(
    seems: ClauseMover, choices: list[ClauseFunction], zones: EnemyZones, own: Any
) -> Iterator[Mover]:
    """The movers of a unit in the other ways in which the player may have moved it."""
    facts = seems.facts
    facts.zones = zones
    for clause in choices:
        view = MoverView(NOBODY, facts.rules, facts)
        holds, asked = facts.said.find(clause, view, _decided).value
        if holds is not False:
            taken = facts.but(facts.form, facts.known, clause)
            taken.seems = seems
            mover = _mover(taken, seems.cls, zones, own)
            yield (_perhaps(mover, tuple(map(WeightedFact, asked))) if holds is None else mover)


def _values(told: dict[str, Fact]) -> tuple[Any, ...]:
    """Completed facts as a key."""
    return tuple((about, as_key(fact)) for about, fact in told.items())


def _mover(facts: MoverFacts, cls: str, zones: EnemyZones, own: Any) -> ClauseMover:
    rules, memo, values = facts.rules, facts.rules.memo, _values(facts.known)
    steps = rules.of_board, *(value for value in values if value[0] in rules.shared)
    taken, kind = facts.taken_as, str(facts.known["kind"].value)
    of = partial(clauses_of, rules, cls, kind, taken)
    of_me = once(rules.common, ("clauses", cls, kind, taken), of)
    share = partial(Shared, rules, cls, of_me, steps)
    shared = once(rules.common, ("shared", cls, of_me, steps), share)
    built = "built", own, facts.form, taken, values
    keep = partial(memo.__setitem__, built)
    return ClauseMover(rules, facts, zones, shared, cls, memo.get(built), keep)


def _read_otherwise(
    facts: MoverFacts, zones: EnemyZones
) -> tuple[list[tuple[ClauseFunction, tuple[MissingFact, ...] | None]], bool]:
    """(for each interpretation, the facts that decide whether it is right: empty if it is, None if it is not;
    whether this holds at any time)."""
    view = MoverView(NOBODY, facts.rules, facts)
    facts.zones = zones
    every: list[tuple[ClauseFunction, tuple[MissingFact, ...] | None]] = []
    fixed = True
    for clause in facts.rules.interpretations:
        if clause.kind == "choice":
            continue
        found: Answer = facts.said.find(clause, view, _decided)
        holds, asked = found.value
        every.append((clause, None if holds is False else () if holds else asked))
        fixed = fixed and found.fixed
    return every, fixed


def _decided(found: Outcome, _: MoverView) -> tuple[bool | None, tuple[MissingFact, ...]]:
    """(whether a clause holds, None: not known; the facts that decide it)."""
    return found.holds, found.facts


def _zones(facts: MoverFacts) -> EnemyZones:
    """The enemies of the mover's side, shared by all units of one move."""
    memo, key = facts.rules.memo, ("zones", facts.unit.side)
    of, held = memo.get(key, (None, None))
    found: EnemyZones | None = held() if of is facts.circumstances else None
    if found is None:
        found = EnemyZones(facts.circumstances, facts.rules, facts.unit.side)
        memo[key] = facts.circumstances, ref(found)  # it holds the rules, and they this
    return found
