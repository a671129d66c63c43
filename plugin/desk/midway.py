"""A turn in progress: a save compared with the log it goes on from. A save holds positions, not steps.

Each unit that lies elsewhere is judged as if it had gone there in one move by the cheapest path. Only its
player knows whether it was a retreat. The order of the moves and the stops between are not known. So a unit
is accused only if it could not have moved there on a map without other counters, and only under rules in
which other counters merely hinder. It is legal only if it is legal both with all others where the log left
them and with all others where they lie now.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from itertools import chain

from ...model.boards import BoardChange
from ...model.fact import UNKNOWN, MissingFact
from ...model.finding import OF_MOVES, Audit, Clause, Finding, JudgedMove, Verdict
from ...model.game import (
    Displacement,
    Event,
    Game,
    PhaseStart,
    Place,
    StateChange,
    StepRef,
    Witness,
)
from ...validators.audit import audit_known, unlooked
from ...validators.moves import phase_is_known
from ...validators.ruleset import KnowsOthers, Ruleset, RulesInForce
from ...validators.situation import Situation
from ...validators.stack_size import Pile, Stack
from ...validators.timeline import Timeline
from ...validators.tracker import phase_key, phases_in_order
from ...validators.unseen import LEFT_OPEN

WHICH_PHASE = "the phase in which it was moved is not known"


@dataclass(frozen=True, slots=True)
class Went:
    """A unit that does not lie where the log left it. ``why``: why it cannot be checked; ``asks``: ``why`` is
    a question. ``findings``: why it could not have got there."""

    unit: str
    name: str
    side: str | None
    origin: Place
    target: Place
    verdict: Verdict
    why: str = ""
    asks: bool = False
    findings: tuple[Finding, ...] = ()


@dataclass(frozen=True)
class Midway:
    """The result for a save. ``moved``: units that went from hex to hex. ``others``: the number of units that
    came, left, or lie at a place that is not known. ``stacks``: those now too big (open if ``missing`` names
    facts that would decide it), with their rules in ``clauses``. ``unlooked``: as in :class:`.Coverage`.
    ``unitless``: the pack makes no counter a unit."""

    moved: tuple[Went, ...]
    others: int
    stacks: tuple[Stack, ...]
    clauses: dict[str, Clause]
    unlooked: tuple[str, ...] = ()
    unitless: bool = False

    @property
    def found(self) -> bool:
        """Whether anything breaks a rule as the counters lie now."""
        stacks = any(not stack.missing for stack in self.stacks)
        return stacks or any(one.verdict == "illegal" for one in self.moved)


def look_midway(game: Game, ruleset: Ruleset, truth: Game | None = None) -> Midway:
    """The result for the save that is the last log of ``game``. ``truth``: the whole game if ``game`` is one
    viewer's part of it, else None. Only what the truth accuses too is accused
    (:mod:`...validators.unseen`)."""
    found = _look(game, ruleset, is_part=truth is not None)
    if truth is None or not found.found:
        return found
    true = _look(truth, ruleset, is_part=False)
    accused = {one.unit for one in true.moved if one.verdict == "illegal"}
    too_big = {(one.hex, one.side) for one in true.stacks if not one.missing}
    asked = (MissingFact("unseen", LEFT_OPEN),)
    return replace(
        found,
        moved=tuple(
            one
            if one.verdict != "illegal" or one.unit in accused
            else replace(one, verdict="unverifiable", why=LEFT_OPEN, findings=())
            for one in found.moved
        ),
        stacks=tuple(
            one if (one.hex, one.side) in too_big else replace(one, missing=one.missing or asked)
            for one in found.stacks
        ),
    )


def _look(game: Game, ruleset: Ruleset, *, is_part: bool) -> Midway:
    seen = phases_in_order(game)
    rules = ruleset.in_force(seen)
    last = max((event.at.log for event in seen.events), default=1)
    head = tuple(event for event in seen.events if event.at.log < last)
    tail = tuple(event for event in seen.events if event.at.log == last)
    gone = [
        e
        for e in tail
        if isinstance(e, Displacement)
        and e.origin != e.target
        and seen.units[e.unit].kind == "unit"
    ]
    moves = [e for e in gone if e.origin.kind == e.target.kind == "hex"]
    why = _why_none(replace(seen, events=head), tail, rules)
    judge = _Judge(seen, head, tail, ruleset, is_part, why)
    moved = tuple(map(judge.judged, moves))
    stacks = tuple(_stacks(seen, rules, frozenset(e.unit for e in moves)))
    return Midway(
        moved,
        len(gone) - len(moves),
        stacks,
        dict(rules.clauses),
        unlooked(seen, rules),
        unitless=not any(unit.kind == "unit" for unit in seen.units.values()),
    )


def _with_only(game: Game, units: frozenset[str], events: Iterable[Event]) -> Game:
    """``game`` with only these ``units``; of ``events``, those about other units are left out."""
    kept = (e for e in events if getattr(e, "unit", None) in units or not hasattr(e, "unit"))
    return replace(
        game,
        units={name: unit for name, unit in game.units.items() if name in units},
        opening={name: place for name, place in game.opening.items() if name in units},
        events=tuple(kept),
    )


def _why_none(before: Game, tail: tuple[Event, ...], rules: RulesInForce) -> str:
    """Why no unit can be judged; "" if units can. ``before``: the game up to the end of the log."""
    timeline = Timeline(before)
    at = before.events[-1].at if before.events else StepRef(1, 0)
    start = timeline.phase_start(at)
    if start is None or not phase_is_known(timeline, at):
        return WHICH_PHASE
    now = [e for e in tail if isinstance(e, PhaseStart)]
    if now and (phase_key(now[-1]) != phase_key(start) or not now[-1].certain):
        return (
            "the turn has advanced since the log, so the phase in which it was moved is not known"
        )
    declared = before.phases.get(start.phase or "")
    if (declared is None or not declared.dice) and _others_stirred(before, tail, start.active):
        return (
            "units of the other side were moved or changed since the log: it may have been combat"
        )
    if any(isinstance(e, BoardChange) for e in tail):
        return "the map was changed since the log, before or after it moved"
    if not isinstance(rules, KnowsOthers) or not rules.others_only_hinder:
        return "by these rules others may help it on its way, and a save does not show theirs"
    return ""


def _others_stirred(game: Game, tail: Iterable[Event], active: str | None) -> bool:
    """Whether a unit not of the side to move was moved or changed."""
    stirred = (game.units[e.unit] for e in tail if isinstance(e, Displacement | StateChange))
    return any(u.kind == "unit" and game.relation(active, u.side) != "friend" for u in stirred)


@dataclass(frozen=True)
class _Judge:
    """Judges units one by one, each in its own games. ``why_none``: why none can be judged; "": each can."""

    game: Game
    head: tuple[Event, ...]
    tail: tuple[Event, ...]
    ruleset: Ruleset
    is_part: bool
    why_none: str

    def judged(self, event: Displacement) -> Went:
        """The result for the unit that ``event`` moves."""
        unit, why = self.game.units[event.unit], self.why_none
        went = Went(unit.id, unit.name, unit.side, event.origin, event.target, "unverifiable", why)
        if why:
            return went
        alone = self._audit(event, frozenset((event.unit,)), with_others=False)
        move = _last(alone, event)
        if move is None:
            return replace(went, why="it went back to where it was in this phase")
        found = tuple(f for f in alone.findings if f.kind in OF_MOVES and move.move.id in f.moves)
        if move.verdict == "illegal" and found:
            return replace(went, verdict="illegal", findings=found)
        every = frozenset(self.game.units)
        for with_others in (False, True):
            judged = _last(self._audit(event, every, with_others=with_others), event)
            if judged is None or judged.verdict != "legal" or not judged.judged:
                asked = [q for one in (move, judged) if one is not None for q in one.unknowns]
                if asked:
                    return replace(went, why=asked[0].question, asks=True)
                return replace(went, why=_why(move, judged))
        return replace(went, verdict="legal")

    def _audit(self, event: Displacement, units: frozenset[str], *, with_others: bool) -> Audit:
        """The audit of a game in which the unit moves after the log. ``with_others``: after the other
        changes, else before them."""
        at = StepRef(event.at.log, event.at.step + 1)
        side = self.game.units[event.unit].side
        rest = (e for e in self.tail if isinstance(e, Displacement | StateChange))
        changed = (
            replace(e, after=UNKNOWN)
            for e in self.tail
            if isinstance(e, StateChange) and e.unit == event.unit
        )
        others = (e for e in rest if e.unit != event.unit) if with_others else ()
        drag = replace(event, at=at, cause="drag", group=1, actor=side, player="")
        events = (*self.head, *others, *changed, drag, Witness(at, "log-end"))
        game = _with_only(self.game, units, events)
        return audit_known(game, self.ruleset, is_part=self.is_part)


def _last(audited: Audit, event: Displacement) -> JudgedMove | None:
    """The last move of the unit."""
    last = StepRef(event.at.log, event.at.step + 1)
    found = (m for m in audited.moves if event.unit in m.move.units and last in m.move.steps)
    return next((m for m in found if m.move.taken_back is None), None)


def _why(alone: JudgedMove, judged: JudgedMove | None) -> str:
    if not alone.judged:
        return alone.remark
    if judged is not None and judged.verdict == "illegal":
        return "it depends on where the others were when it moved"
    return (judged.remark if judged is not None else "") or "it depends on the others"


def _stacks(game: Game, rules: RulesInForce, moved: frozenset[str]) -> Iterator[Stack]:
    """The stacks that are too big at the end of ``game``."""
    rule = rules.stacking
    if rule is None:
        return
    situation = Situation(game)
    situation.advance_after(game.events[-1].at if game.events else StepRef(1, 0))
    names = sorted({p.name for p in map(situation.where, game.units) if p.kind == "hex"})
    for name, side in chain.from_iterable(((n, s) for s in game.sides) for n in names):
        for one in (rule, *rule.also):
            if not one.sides or side in one.sides:
                stack = Pile(situation, one, name, side, moved).too_big()
                if stack is not None:
                    yield replace(stack, missing=one.missing)
                    break
