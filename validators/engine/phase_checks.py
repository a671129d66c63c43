"""The findings of all checks of whole phases, including order and stacks, and of all clauses about acts
(changes of markers).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from ...model.fact import MissingFact
from ...model.finding import Finding
from ...model.game import Displacement, Game, Place, StateChange, StepRef
from ...model.unit import Unit
from ..answers import Decided, Question, answer
from ..checks import FACTS, names_of
from ..moves import Track, phase_is_known
from ..one_stack import drags_of
from ..order import check_order, in_whole_phases
from ..ruleset import OrderRule, StackingRule
from ..situation import Situation
from ..stacking import check_stacking
from ..unit_verdict import MOST_UNKNOWNS
from ..verdicts import finding_about, left_open
from .asked_history import asking
from .asking import Run, outcome
from .clauses import Broken, ClauseFunction
from .declared import EndedThere
from .other_unit import OtherUnit
from .phases import Phase, PhaseBoard, UnitInPhase
from .unit_at_event import InOrder, Marking, UnitAtEvent

if TYPE_CHECKING:
    from .rules import Rules


MOST_TEXTS = 3
"""The most ways that a text lists if it is not known in which way a clause is broken."""


class InFinding(OtherUnit):
    """The first unit of a finding, for tests whether the finding is excused. ``plain``: the rules without
    assumptions of the run."""

    def __init__(self, run: Run, rules: Rules, found: Finding) -> None:
        index = rules.history.timeline.first_event(found.steps[-1])
        super().__init__(run, asking(rules, run), rules.game.units[found.units[0]], index)
        self.found, self.plain = found, rules

    def hangs_on(self, units: Iterable[str], about: str) -> bool:
        """The answer assumed in this run: whether it is excused, which an attribute of ``units`` decides."""
        return self.undecided(about, [self.other(unit).asked(about) for unit in units])


def unless(
    rules: Rules, found: Finding, excused: Callable[..., bool], *arguments: object
) -> Iterator[Finding]:
    """A finding, unless it is excused; left open if that is not known."""
    tried = outcome(lambda run: excused(InFinding(run, rules, found), *arguments))
    if tried.holds is None:
        yield left_open(found, *tried.facts)
    elif not tried.holds:
        yield found


def findings_of_phases(rules: Rules, tracks: Sequence[Track]) -> Iterator[Finding]:
    """The findings of all checks, in all judged phases."""
    checks = [c for c in rules.clauses_in_force if c.kind == "check"]
    board, history = PhaseBoard(rules, tracks), rules.history
    for first, end in history.phases():
        at = history.timeline.step_of(first)
        name = history.timeline.phase(at).phase or ""
        kind = rules.kind_of(name)
        if kind is None or rules.game.whole_phase(name) is None:
            continue
        if not phase_is_known(history.timeline, at) or history.timeline.is_reopened(at):
            continue
        phase = Phase(first, end, kind, history.timeline.is_over(at), name)
        units = [unit for unit in rules.game.units.values() if unit.kind == "unit"]
        for unit in units:
            for check in checks:
                if not check.phase or check.phase == kind:
                    yield from _checked(rules, check, unit, phase, board)


def accused_once(found: Iterable[Finding]) -> list[Finding]:
    """The findings without those about an act that an earlier finding certainly calls illegal: only the first
    broken clause accuses it."""
    every = list(found)
    sure: dict[tuple[tuple[str, ...], tuple[StepRef, ...]], Finding] = {}
    for one in every:
        if one.verdict == "illegal":
            sure.setdefault((one.units, one.steps), one)
    return [one for one in every if sure.get((one.units, one.steps), one) is one]


def _checked(
    rules: Rules, check: ClauseFunction, unit: Unit, phase: Phase, board: PhaseBoard
) -> Iterator[Finding]:
    """The findings of one check of a unit in a phase; left open if they depend on missing facts."""

    def work(run: Run) -> Broken | Finding | None:
        told = asking(rules, run)
        return check.run(UnitInPhase(run, told, told.game.units[unit.id], phase, board))  # type: ignore[no-any-return]

    tried = outcome(work)
    if tried.said is None:
        yield _not_tried(rules, check, unit, phase, tried.facts)
        return
    found = [
        one if isinstance(one, Finding) else _accused(rules, one.clause or check.id, one)
        for one in tried.said
        if one
    ]
    least = min(found, key=lambda one: len(one.units), default=None)
    if least is None:
        return
    if len(found) < len(tried.said) or not all(_covers(one, least) for one in found):
        text = f"perhaps {least.explanation}"
        least = left_open(replace(least, explanation=text), *tried.facts)
        yield least
    else:
        texts = dict.fromkeys((least.explanation, *(one.explanation for one in found)))
        yield replace(least, explanation="; or ".join([*texts][:MOST_TEXTS]))


def _covers(found: Finding, other: Finding) -> bool:
    """Whether a finding has the same code and hexes as another, and at least its units."""
    same = (found.code, found.hexes) == (other.code, other.hexes)
    return same and set(other.units) <= set(found.units)


def _not_tried(
    rules: Rules, check: ClauseFunction, unit: Unit, phase: Phase, asked: Sequence[MissingFact]
) -> Finding:
    """The finding that a check could not be made because of too many missing facts."""
    clause, at = rules.full(check.id), rules.history.timeline.step_of(phase.first)
    title = rules.clauses[clause].title
    text = f"too many facts are open to tell whether {unit.name} keeps to {clause} ({title})"
    about = {"hexes": (), "steps": (at,), "explanation": text}
    found = finding_about(rules.game, FACTS, "unverifiable", (unit.id,), **about)
    return left_open(found, *asked[:MOST_UNKNOWNS])


def _accused(rules: Rules, clause: str, broken: Broken) -> Finding:
    history, game, who = rules.history, rules.game, broken.units
    shown = sorted(set(broken.events))
    at = history.timeline.step_of(shown[-1])
    places = (history.place(unit, shown[-1] + 1) for unit in who)
    hexes = dict.fromkeys(p.name for p in places if isinstance(p, Place) and p.kind == "hex")
    return finding_about(
        game,
        rules.full(clause),
        broken.kind,
        who,
        hexes=tuple(hexes),
        steps=tuple(dict.fromkeys(history.timeline.step_of(index) for index in shown)),
        explanation=f"{names_of(game, who[:1])[0]} {broken.text}",
        player=_player(game.events, shown, game.units[who[0]].side),
        others=broken.others,
        side=game.units[who[0]].side,
        phase=history.timeline.phase(at),
    )


def _player(events: Sequence[object], shown: Iterable[int], side: str | None) -> str:
    """The player of the events ``shown``: the one who dragged, or, without drags, the only one who drags for
    the side; empty if there is no such player, or more than one."""
    hands = {e.player for e in (events[i] for i in shown) if isinstance(e, Displacement)}
    if not hands:
        moved = (e for e in events if isinstance(e, Displacement) and e.actor == side)
        hands = {event.player for event in moved if event.player}
    return hands.pop() if len(hands) == 1 else ""


def findings_of_acts(rules: Rules, tracks: Sequence[Track]) -> Iterator[Finding]:
    """The findings of the clauses about acts, for each change of a marker that was not taken back. A broken
    clause returns a text that continues the name of the unit, or a clause and the text."""
    acts = [clause for clause in rules.clauses_in_force if clause.kind == "act"]
    if not acts:
        return
    table = Situation(rules.game, rules.history.timeline)
    for index, event in enumerate(rules.game.events):
        if isinstance(event, StateChange) and not event.undo:
            for clause in acts:
                if clause.about == event.attribute:
                    yield from _of_act(rules, clause, index, event, table, tracks)
        table.advance_by_one()


def _of_act(
    rules: Rules,
    clause: ClauseFunction,
    index: int,
    event: StateChange,
    table: Situation,
    tracks: Sequence[Track],
) -> Iterator[Finding]:
    def work(run: Run) -> str | tuple[str, str]:
        return clause.run(Marking(run, rules, index, event, table, tracks))  # type: ignore[no-any-return]

    tried = outcome(work)
    every = tried.said or ()
    for said in [one for one in every if one][:1]:
        cited, text = (clause.id, said) if isinstance(said, str) else said
        found = _finding(rules, cited, text, event, table)
        yield found if len(every) == 1 else left_open(found, *tried.facts)


def _finding(rules: Rules, cited: str, text: str, event: StateChange, table: Situation) -> Finding:
    unit, place, full = rules.game.units[event.unit], table.where(event.unit).hex, rules.full(cited)
    cost = rules.clauses[full].kind == "cost"
    return finding_about(
        rules.game,
        full,
        "missed-mp-cost" if cost else "illegal-move",
        (event.unit,),
        hexes=() if place is None else (place,),
        steps=(event.at,),
        explanation=f"{unit.name} {text}",
        side=event.actor or unit.side,
        phase=table.timeline.phase(event.at),
    )


def order_in_phases(rules: Rules, tracks: Sequence[Track], rule: OrderRule) -> Iterator[Finding]:
    """Findings for units that moved again after others had moved, in phases of movement. Units that may not,
    or perhaps may not, move in the phase are left out: they can only be put back in it."""
    moving = [track for track in tracks if _may_move(rules, track)]
    yield from check_order(_where_units_move(rules), moving, rule, rules.history.witnesses, rules)


def _may_move(rules: Rules, track: Track) -> bool:
    phase, units = track.move.phase, rules.game.units
    kind = rules.moving_kind(phase.phase or "") or ""
    return all(
        rules.is_phasing(phase.active, units[unit].side, kind)
        for unit in track.move.units
        if unit in units
    )


def _where_units_move(rules: Rules, besides: frozenset[str] = frozenset()) -> Game:
    """A copy of the game in which only phases of movement, and those in ``besides``, are complete."""
    phases = {
        name: phase
        if rules.moving_kind(name) or name in besides
        else replace(phase, complete=False)
        for name, phase in rules.game.phases.items()
    }
    return replace(rules.game, phases=phases)


def moved_on_unless(
    rules: Rules,
    tracks: Sequence[Track],
    rule: OrderRule,
    excuses: Callable[[UnitAtEvent], bool],
) -> Iterator[Finding]:
    """Findings for units that moved again after others had moved, unless ``excuses`` holds for one there."""
    moving = [track for track in tracks if _may_move(rules, track)]

    def excused(unit: str, event: int) -> Decided:
        there = rules.game.units[unit]
        tried = outcome(lambda run: excuses(UnitAtEvent(run, rules, there, event)))
        return tuple(tried.facts) if tried.holds is None else tried.holds

    witnesses = rules.history.witnesses
    yield from check_order(rules.game, moving, rule, witnesses, rules, excused=excused)


def out_of_order(
    rules: Rules, tracks: Sequence[Track], work: Callable[[InOrder], Finding | None]
) -> Iterator[Finding]:
    """The findings of ``work`` for each unit, given the order of the drags of each phase of movement."""
    moving = [track for track in tracks if _may_move(rules, track)]
    for phase in in_whole_phases(rules.game, moving):
        drags, ways = drags_of(phase)
        for name in ways:
            unit = rules.game.units[name]
            tried = outcome(lambda run, u=unit, d=drags, w=ways: work(InOrder(run, rules, u, d, w)))  # type: ignore[misc]
            every = tried.said or ()
            for one in [found for found in every if found is not None][:1]:
                yield one if len(every) == 1 else left_open(one, *tried.facts)


def stacks_after_phases(
    rules: Rules, tracks: Sequence[Track], limit: StackingRule | None, topic: str, text: str
) -> Iterator[Finding]:
    """Findings for stacks that are too big at the end of a phase. ``topic``, ``text``: the question, with {}
    for the phase's name, whether stacks are checked after a phase without movement."""
    phases, history = rules.game.phases, rules.history

    def asked(name: str) -> Question:
        return Question(topic.format(name), text.format(name))

    looked = frozenset(name for name in phases if answer(rules.game, asked(name)))
    game = _where_units_move(rules, looked)
    for found in check_stacking(game, tracks, limit, history.timeline):
        name = (found.phase.phase if found.phase is not None else None) or ""
        whole = name in phases and phases[name].complete
        if rules.moving_kind(name) or not whole or found.verdict != "unverifiable":
            yield found
        elif name not in looked and answer(rules.game, asked(name)) is None:
            question = asked(name)
            yield replace(found, unknowns=(question.unknown(),), remedy=question.text)
        elif name in looked:
            yield found


def stacks_of_movers(rules: Rules, tracks: Sequence[Track]) -> Iterator[Finding]:
    """Findings for stacks that are too big, if only units that ended their move in a hex break the rule; left
    open if this is not certain of any of them, and the facts do not decide it."""
    ended, limit = rules.declared.ended_there, rules.limit
    if ended is None or limit is None:
        return
    by_id = {track.move.id: track for track in tracks}
    for found in check_stacking(rules.game, tracks, limit, rules.history.timeline):
        numbers = [*found.moves, *([found.follows_from] if found.follows_from is not None else [])]
        if found.verdict != "illegal" or any(ended.surely(rules, by_id[n]) for n in numbers):
            yield found
            continue
        yield from unless(rules, found, _did_not_end_there, ended)


def _did_not_end_there(stack: InFinding, ended: EndedThere) -> bool:
    """Whether the facts say that none of its units ended its move in the hex."""
    name, at = stack.found.hexes[0], stack.found.steps[-1]
    topic, text = ended.topic.format(name), ended.text.format(name)
    return not stack.told(topic, text, None, at, f"stack in {name}")
