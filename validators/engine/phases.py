"""Checks of a whole phase: functions over a unit in a phase, run as all clauses are."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import pairwise
from typing import TYPE_CHECKING, NamedTuple

from ...model.bill import ZERO
from ...model.fact import MissingFact
from ...model.finding import Finding
from ...model.game import Displacement, Place, StepRef
from ...model.unit import Unit
from ..answers import Question, answer
from ..checks import FACTS, names_of
from ..concepts.requirements import question
from ..moves import Track, phase_is_known
from ..order import check_order
from ..ruleset import Circumstances, OrderRule, Requirement
from ..scenarios import gets_there, path_query
from ..situation import Situation
from ..unit_verdict import MOST_UNKNOWNS, telling_assumptions
from ..verdicts import left_open
from .arrivals import arrived
from .asking import Run, later, outcome
from .carried import Loading, carrier_in
from .clauses import ClauseFunction
from .event_index import ABOARD, SOMETHING
from .subject import OtherUnit

if TYPE_CHECKING:
    from .rules import Rules


class Broken(NamedTuple):
    """A check's answer that its clause is broken. ``text`` continues the name of the first of ``units``."""

    text: str
    units: tuple[str, ...]
    events: tuple[int, ...]
    clause: str = ""


class Phase(NamedTuple):
    """A phase that is judged: its events (``end`` excluded), its kind, and whether it is over."""

    first: int
    end: int
    kind: str
    over: bool
    name: str


class UnitInPhase(OtherUnit):
    """A unit in a phase, as checks see it."""

    def __init__(self, run: Run, rules: Rules, unit: Unit, phase: Phase, board: PhaseBoard) -> None:
        super().__init__(run, rules, unit, phase.first)
        self.phase, self._board = phase, board
        self.drags = self.history.in_phase(unit.id, phase.first)

    @property
    def active(self) -> bool:
        """Whether its side is the active one."""
        active = self.history.view(self.phase.first).active
        return bool(self.rules.game.relation(active, self.unit.side) == "friend")

    @property
    def moved(self) -> bool:
        """Whether it was dragged in the phase, and not taken back."""
        return self.unit.id in self._board.moved.get(self.phase.first, ())

    @property
    def moved_on(self) -> Finding | None:
        """The finding that it moved on after others had moved; None if it did not."""
        return self._board.order.get((self.unit.id, self.phase.first))

    def tracks(self) -> Iterator[Track]:
        """Its moves in the phase."""
        for track in self._board.tracks:
            here = self.phase.first <= track.events[0] < self.phase.end
            own = track.counts and track.phase_known and self.unit.id in track.move.units
            if here and own:
                yield track

    def gets_there(self, track: Track, without: str) -> bool:
        """Whether it could have made a move without a help that ``without`` names
        (:attr:`MoverFacts.form`)."""
        move = replace(track.move, units=(self.unit.id,))
        situation = Situation(self.rules.game, self.history.timeline)
        situation.advance_before(move.steps[0])
        span = situation.over(move.steps[-1], (track.events[0], track.events[-1]))
        rules = self.rules if span.game is self.rules.game else self.rules.on(span.game)
        query = path_query(move, span.board, rules.scale, ZERO)
        scenarios = rules.scenarios(
            self.unit.id, Circumstances(span, track.move.units, (without,), move=move)
        )
        ways = [not s.movers or gets_there(s, query, "favourable") for s in scenarios]
        holds = all(ways) if all(ways) or not any(ways) else None
        telling = telling_assumptions(scenarios, [str(way) for way in ways])
        return self.run.yes(("gets there", track.move.id), holds, *telling)

    @property
    def phase_went_on(self) -> bool:
        """Whether the logs go on after the phase."""
        return self.phase.end < len(self.rules.game.events)

    def of(self, other: Unit) -> UnitInPhase:
        """Another unit in the same phase."""
        return UnitInPhase(self.run, self.rules, other, self.phase, self._board)

    def arrival(self, said: str) -> Broken | None:
        """How a unit that came onto the map broke the rules by where it was first seen: it is closed to it,
        or no way from the edge reaches it for the MPs that it may have."""
        first, rules = self._first_seen(), self.rules
        target = None if first is None else self.history.drag(first).target
        tracks = [t for t in self._board.tracks if self.drags[0] in t.events]
        forms = rules.game.phases[self.phase.name].forms
        judged = all(name in rules.game.forms and rules.game.forms[name].judged for name in forms)
        last = [self.phase.end] if self.phase.over else []
        if first is None or target is None or target.kind != "hex" or not tracks or not judged:
            return None
        if any(
            self.history.carrier(self.unit.id, at) != "" for at in (*self.drags, first + 1, *last)
        ):
            return None  # it was carried, or may have been
        move = replace(tracks[0].move, units=(self.unit.id,))
        situation = Situation(rules.game, self.history.timeline)
        situation.advance_before(move.steps[0])
        span = situation.over(self.history.drag(first).at)
        now = rules if span.game is rules.game else rules.on(span.game)
        scenarios = now.scenarios(
            self.unit.id, Circumstances(span, (self.unit.id,), forms or ("",), move=move)
        )
        found = arrived(now, scenarios, target.name)
        if self.run.yes("arrives", found.may, *found.asked):
            return None
        who = (self.unit.id,)
        return Broken(f"{said} {found.text}", who, (self.drags[0],), found.clause)

    def _first_seen(self) -> int | None:
        """The drag to the first hex in which others saw it, else to where it was when the phase was over."""
        for before, after in pairwise(self.drags):
            if self.history.seen(before, after, self.unit.side):
                return before
        return self.drags[-1] if self.phase.over else None

    def loadings(self) -> list[Loading]:
        """The loadings and unloadings of the unit in the phase. Where it is not known whether it was aboard
        when the phase began, it was on foot, or where it is said to be next."""
        said = self.history.changes(self.unit.id, ABOARD, self.phase.first, self.phase.end)
        if not said:
            return []
        held = self.history.carrier(self.unit.id, self.phase.first)
        if held is None:
            asked = (later(question, self.unit, ABOARD),)
            choices = ("", carrier_in(said[0][1]) or SOMETHING)
            held = str(self.run.choose("held", choices, asked))
        return self.history.loadings(self.unit, self.phase.first, held)

    def rides(self, drag: int, carriers: tuple[str, ...]) -> bool:
        """Whether it was carried in a drag."""
        found = self.history.carried(self.unit, drag, carriers)
        return self.run.yes(("rides", drag), found, later(question, self.unit, ABOARD))

    def put_back(self) -> bool:
        """Whether it may have been put back after something stopped it: then its drags prove nothing."""
        texts = (
            (f"stopped in {name}", self.unit)
            for name in self.history.put_back(self.unit.id, self.drags)
        )
        return any(answer(self.rules.game, Question(t, "", u.id)) is not False for t, u in texts)


class PhaseBoard:
    """What all checks of a game share."""

    def __init__(self, rules: Rules, tracks: Sequence[Track]) -> None:
        self.tracks = tracks
        self.moved: dict[int, set[str]] = {}
        for track in tracks:
            if track.counts:
                self.moved.setdefault(rules.history.phase(track.events[0])[0], set()).update(
                    track.move.units
                )
        clause = next((c for c in rules.clauses_in_force if c.id == rules.declared.order), None)
        self.order: dict[tuple[str, int], Finding] = {}
        if clause is not None:
            apart = (Requirement("class", rules.declared.apart),)
            rule = OrderRule(rules.full(clause.id), False, (), apart)
            for found in check_order(rules.game, tracks, rule, rules.history.witnesses):
                drags = [
                    d
                    for d in rules.history.drags[found.units[0]]
                    if rules.history.drag(d).at in found.steps
                ]
                if drags:
                    self.order[found.units[0], rules.history.phase(drags[0])[0]] = found


def findings_of_phases(rules: Rules, tracks: Sequence[Track]) -> Iterator[Finding]:
    """The findings of all checks in all phases that are judged."""
    board, history = PhaseBoard(rules, tracks), rules.history
    checks = [c for c in rules.clauses_in_force if c.kind == "check"]
    for first, end in history.phases():
        at = history.timeline.step_of(first)
        view = history.timeline.phase(at)
        name, rule = view.phase or "", rules.game.phases.get(view.phase or "")
        told = rule is not None and rule.complete and not rule.complete_for
        kind = rules.phase_kinds.get(name)
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
        return check.run(UnitInPhase(run, rules, unit, phase, board))  # type: ignore[no-any-return]

    found = outcome(work)
    if found.said is None:
        yield _not_tried(rules, check, unit, phase, found.facts)
        return
    broken = [one for one in found.said if one]
    for one in broken[:1]:
        if not isinstance(one, Finding):
            one = _accused(rules, one.clause or check.id, one)
        if len(broken) < len(found.said):
            one = left_open(replace(one, explanation=f"perhaps {one.explanation}"), *found.facts)
        yield one


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
        kind="illegal-move",
        verdict="illegal",
        units=who,
        names=names,
        hexes=tuple(hexes),
        steps=tuple(dict.fromkeys(history.timeline.step_of(index) for index in shown)),
        explanation=f"{names[0]} {broken.text}",
        player=_player(game.events, shown),
        side=game.units[who[0]].side,
        phase=history.timeline.phase(at),
    )


def _player(events: Sequence[object], shown: Iterable[int]) -> str:
    hands = {e.player for e in (events[i] for i in shown) if isinstance(e, Displacement)}
    return hands.pop() if len(hands) == 1 else ""
