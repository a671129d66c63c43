"""Checks of whole phases that hold for all units: the order of moves, and stacks at the end."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from itertools import groupby
from typing import TYPE_CHECKING

from ...model.finding import Finding
from ...model.game import Game
from ..answers import Question, answer
from ..moves import Track
from ..one_stack import Drag, drags_of
from ..order import check_order, in_whole_phases
from ..ruleset import OrderRule, StackingRule
from ..stacking import check_stacking
from ..verdicts import left_open
from .asking import outcome
from .declared import NO_MOVEMENT
from .told_unit import InOrder, ToldUnit

if TYPE_CHECKING:
    from .rules import Rules


def order_in_phases(rules: Rules, tracks: Sequence[Track], rule: OrderRule) -> Iterator[Finding]:
    """The units that moved on after others had moved, in phases of movement. Units that may not move in the
    phase, or perhaps not, are left out: they can only be put back in it."""
    moving = [track for track in tracks if _may_move(rules, track)]
    yield from check_order(_where_units_move(rules), moving, rule, rules.history.witnesses, rules)


def _may_move(rules: Rules, track: Track) -> bool:
    phase, units = track.move.phase, rules.game.units
    kind = _kind(rules, phase.phase or "")
    return all(
        rules.is_phasing(phase.active, units[unit].side, kind or "")
        for unit in track.move.units
        if unit in units
    )


def _kind(rules: Rules, phase: str) -> str | None:
    """The kind of a phase; None if it is not one of movement, or not known to be."""
    kind = rules.phase_kinds.get(phase)
    return None if kind == NO_MOVEMENT else kind


def _where_units_move(rules: Rules, besides: frozenset[str] = frozenset()) -> Game:
    """The game, of which only phases of movement, and those ``besides``, are complete."""
    phases = {
        name: phase if _kind(rules, name) or name in besides else replace(phase, complete=False)
        for name, phase in rules.game.phases.items()
    }
    return replace(rules.game, phases=phases)


def moved_on_unless(
    rules: Rules,
    tracks: Sequence[Track],
    rule: OrderRule,
    excuses: Callable[[ToldUnit], bool],
) -> Iterator[Finding]:
    """The units that moved on after others had moved, unless something excuses one where it did so."""
    moving = [track for track in tracks if _may_move(rules, track)]
    for found in check_order(rules.game, moving, rule, rules.history.witnesses, rules):
        index, unit = _moved_on(found, moving), rules.game.units[found.units[0]]
        tried = outcome(lambda run, u=unit, i=index: excuses(ToldUnit(run, rules, u, i)))  # type: ignore[misc]
        if tried.holds is False or (tried.holds is None and found.kind == "note"):
            yield found
        elif tried.holds is None:
            yield left_open(found, *tried.facts)


def _moved_on(found: Finding, tracks: Sequence[Track]) -> int:
    """The event by which the unit of a finding moved on."""
    by_id = {track.move.id: track for track in tracks}
    unit, between = found.units[0], by_id[found.moves[1]]
    own = sorted(e for t in tracks if unit in t.move.units and t.counts for e in t.events)
    return next(
        event
        for event in own
        if any(other < event for other in between.events) and any(e < event for e in own)
    )


def out_of_order(
    rules: Rules, tracks: Sequence[Track], work: Callable[[InOrder], Finding | None]
) -> Iterator[Finding]:
    """What ``work`` finds of the units in the order of the drags of each phase of movement."""
    moving = [track for track in tracks if _may_move(rules, track)]
    whole = in_whole_phases(rules.game, moving)
    for _, group in groupby(whole, key=lambda track: track.phase_number):
        drags = sorted((d for t in group for d in drags_of(t)), key=lambda drag: drag.event)
        ways: dict[str, list[Drag]] = {}
        for drag in drags:
            for name in drag.track.move.units:
                ways.setdefault(name, []).append(drag)
        for name in ways:
            unit = rules.game.units[name]
            tried = outcome(lambda run, u=unit, d=drags, w=ways: work(InOrder(run, rules, u, d, w)))  # type: ignore[misc]
            every = tried.said or ()
            for one in [found for found in every if found is not None][:1]:
                yield one if len(every) == 1 else left_open(one, *tried.facts)


def stacks_after_phases(
    rules: Rules, tracks: Sequence[Track], limit: StackingRule | None, topic: str, text: str
) -> Iterator[Finding]:
    """The stacks that are too big at the end of a phase. ``topic``, ``text``: the question, with {} for its
    name, whether stacks are looked at after a phase that is none of movement."""
    phases, history = rules.game.phases, rules.history

    def asked(name: str) -> Question:
        return Question(topic.format(name), text.format(name))

    looked = frozenset(name for name in phases if answer(rules.game, asked(name)))
    game = _where_units_move(rules, looked)
    for found in check_stacking(game, tracks, limit, history.timeline):
        name = (found.phase.phase if found.phase is not None else None) or ""
        whole = name in phases and phases[name].complete
        if _kind(rules, name) or not whole or found.verdict != "unverifiable":
            yield found
        elif name not in looked and answer(rules.game, asked(name)) is None:
            question = asked(name)
            yield replace(found, unknowns=(question.unknown(),), remedy=question.text)
        elif name in looked:
            yield found


def stacks_of_movers(rules: Rules, tracks: Sequence[Track]) -> Iterator[Finding]:
    """The stacks that are too big, where only units that ended their move in a hex break the rule; left open
    if it is not certain of any of them, and the facts do not say."""
    ended, limit = rules.declared.ended_there, rules.limit
    if ended is None or limit is None:
        return
    by_id = {track.move.id: track for track in tracks}
    for found in check_stacking(rules.game, tracks, limit, rules.history.timeline):
        numbers = [*found.moves, *([found.follows_from] if found.follows_from is not None else [])]
        if found.verdict != "illegal" or any(ended.surely(rules, by_id[n]) for n in numbers):
            yield found
            continue
        name, at = found.hexes[0], found.steps[-1]
        asked = Question(ended.topic.format(name), ended.text.format(name), at=at)
        said = answer(rules.game, asked)
        if said:
            yield found
        elif said is None:
            yield left_open(found, asked.unknown(f"stack in {name}"))
