"""The findings of all checks of whole phases."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from ...model.fact import MissingFact
from ...model.finding import Finding
from ...model.game import Displacement, Place, StepRef
from ...model.unit import Unit
from ..checks import FACTS, names_of
from ..moves import Track, phase_is_known
from ..unit_verdict import MOST_UNKNOWNS
from ..verdicts import left_open
from .asked_history import asking
from .asking import Run, outcome
from .clauses import ClauseFunction
from .phases import Broken, Phase, PhaseBoard, UnitInPhase

if TYPE_CHECKING:
    from .rules import Rules

MOST_TEXTS = 3
"""So many ways are named in which a clause is broken, where it is not known in which of them."""


def findings_of_phases(rules: Rules, tracks: Sequence[Track]) -> Iterator[Finding]:
    """The findings of all checks in all phases that are judged."""
    checks = [c for c in rules.clauses_in_force if c.kind == "check"]
    board, history = PhaseBoard(rules, tracks), rules.history
    for first, end in history.phases():
        at = history.timeline.step_of(first)
        view = history.timeline.phase(at)
        name, rule = view.phase or "", rules.game.phases.get(view.phase or "")
        told = rule is not None and rule.complete and not rule.complete_for
        kind = rules.kind_of(name)
        if (
            not told
            or kind is None
            or not phase_is_known(history.timeline, at)
            or history.timeline.is_reopened(at)
        ):
            continue
        phase = Phase(first, end, kind, history.timeline.is_over(at), name)
        units = [unit for unit in rules.game.units.values() if unit.kind == "unit"]
        for unit in units:
            for check in checks:
                if not check.phase or check.phase == kind:
                    yield from _checked(rules, check, unit, phase, board)


def accused_once(found: Iterable[Finding]) -> list[Finding]:
    """The findings without those on an act of which another finding before says for certain that it is
    illegal: it is accused by the first clause that it breaks."""
    every = list(found)
    sure: dict[tuple[tuple[str, ...], tuple[StepRef, ...]], Finding] = {}
    for one in every:
        if one.verdict == "illegal":
            sure.setdefault((one.units, one.steps), one)
    return [one for one in every if sure.get((one.units, one.steps), one) is one]


def _checked(
    rules: Rules, check: ClauseFunction, unit: Unit, phase: Phase, board: PhaseBoard
) -> Iterator[Finding]:
    """What one check says of a unit in a phase; left open if it depends on what is not known."""

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
        least = left_open(replace(least, explanation=text), *least.unknowns, *tried.facts)
        yield least
    else:
        texts = dict.fromkeys((least.explanation, *(one.explanation for one in found)))
        yield replace(least, explanation="; or ".join([*texts][:MOST_TEXTS]))


def _covers(found: Finding, other: Finding) -> bool:
    """Whether a finding is held against all that another is held against, and perhaps more units."""
    same = (found.code, found.hexes) == (other.code, other.hexes)
    return same and set(other.units) <= set(found.units)


def _not_tried(
    rules: Rules, check: ClauseFunction, unit: Unit, phase: Phase, asked: Sequence[MissingFact]
) -> Finding:
    """The finding that so much is open that a check could not be made."""
    clause, at = rules.full(check.id), rules.history.timeline.step_of(phase.first)
    title = rules.clauses[clause].title
    return Finding(
        code=FACTS,
        clause=FACTS,
        kind="unverifiable",
        verdict="unverifiable",
        units=(unit.id,),
        names=names_of(rules.game, (unit.id,)),
        hexes=(),
        steps=(at,),
        explanation=f"too many facts are open to tell whether {unit.name} keeps to {clause} ({title})",
        unknowns=tuple(asked)[:MOST_UNKNOWNS],
        remedy=asked[0].question if asked else "",
    )


def _accused(rules: Rules, clause: str, broken: Broken) -> Finding:
    history, game, who = rules.history, rules.game, broken.units
    shown = sorted(set(broken.events))
    at = history.timeline.step_of(shown[-1])
    places = (history.place(unit, shown[-1] + 1) for unit in who)
    hexes = dict.fromkeys(p.name for p in places if isinstance(p, Place) and p.kind == "hex")
    names = names_of(game, who)
    return Finding(
        code=rules.full(clause),
        clause=rules.full(clause),
        kind=broken.kind,
        verdict="illegal",
        units=who,
        names=names,
        hexes=tuple(hexes),
        steps=tuple(dict.fromkeys(history.timeline.step_of(index) for index in shown)),
        explanation=f"{names[0]} {broken.text}",
        player=_player(game.events, shown, game.units[who[0]].side),
        others=broken.others,
        side=game.units[who[0]].side,
        phase=history.timeline.phase(at),
    )


def _player(events: Sequence[object], shown: Iterable[int], side: str | None) -> str:
    """The player who did it: who dragged; where nobody did, the only one who drags counters of the side."""
    hands = {e.player for e in (events[i] for i in shown) if isinstance(e, Displacement)}
    if not hands:
        moved = (e for e in events if isinstance(e, Displacement) and e.actor == side)
        hands = {event.player for event in moved if event.player}
    return hands.pop() if len(hands) == 1 else ""
