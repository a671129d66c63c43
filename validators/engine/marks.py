"""The findings of all clauses about acts: changes of markers, each where it happens."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from ...model.finding import Finding
from ...model.game import StateChange
from ..moves import Track
from ..situation import Situation
from ..verdicts import left_open
from .asking import Run, outcome
from .clauses import ClauseFunction
from .told_unit import Marking

if TYPE_CHECKING:
    from .rules import Rules


def findings_of_acts(rules: Rules, tracks: Sequence[Track]) -> Iterator[Finding]:
    """What the clauses about acts say of each change of a marker that was not taken back. A clause returns
    the text by which it was broken, which continues the name of the unit, or a clause and the text."""
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
    return Finding(
        code=full,
        clause=full,
        kind="missed-mp-cost" if cost else "illegal-move",
        verdict="illegal",
        units=(event.unit,),
        names=(unit.name,),
        hexes=() if place is None else (place,),
        steps=(event.at,),
        explanation=f"{unit.name} {text}",
        side=event.actor or unit.side,
        phase=table.timeline.phase(event.at),
    )
