"""Checks of a whole phase: functions of a unit in a phase, which run like all clauses."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from fractions import Fraction
from itertools import pairwise
from typing import TYPE_CHECKING, NamedTuple

from ...model.bill import ZERO, Amount
from ...model.fact import UNKNOWN, MissingFact, known
from ...model.finding import Finding, Move
from ...model.game import NOWHERE, Place
from ...model.unit import Unit
from ..answers import Question, answer
from ..concepts import missing_facts
from ..concepts.requirements import question
from ..lives import DEAD
from ..moves import Track
from ..order import check_order
from ..ruleset import Circumstances, OrderRule, Requirement, Scenario
from ..scenarios import forget, gets_there, path_query
from ..situation import Situation
from ..stack_size import Held, Pile
from ..unit_verdict import telling_assumptions
from .activation import of_phase
from .acts_view import ActsView
from .arrivals import SIX, arrived
from .asked_history import AskedSituation
from .asking import Run, later
from .carried import Loading, carrier_in
from .clauses import Broken
from .enemies import EnemyZones
from .event_index import ABOARD, SOMETHING
from .history import Crowd
from .other_unit import OtherUnit, Test

if TYPE_CHECKING:
    from .rules import Rules


class Phase(NamedTuple):
    """A judged phase: its events (``end`` excluded), its kind, and whether it is over."""

    first: int
    end: int
    kind: str
    over: bool
    name: str


class UnitInPhase(OtherUnit):
    """The view that checks have of a unit in a phase."""

    def __init__(self, run: Run, rules: Rules, unit: Unit, phase: Phase, board: PhaseBoard) -> None:
        super().__init__(run, rules, unit, phase.first)
        self.phase, self._board = phase, board
        self.drags = self.history.in_phase(unit.id, phase.first)

    @property
    def acts(self) -> ActsView:
        """What it did in the phase."""
        found = of_phase(self.history, self.unit, (self.phase.first, self.phase.end))
        return ActsView(self.run, self.rules, found)

    @property
    def active(self) -> bool:
        """Whether its side is the active one."""
        active = self.history.view(self.phase.first).active
        return bool(self.rules.game.relation(active, self.unit.side) == "friend")

    @property
    def moved(self) -> bool:
        """Whether it was dragged in the phase, without an undo."""
        return self.unit.id in self._board.moved.get(self.phase.first, ())

    @property
    def moved_on(self) -> Finding | None:
        """The finding that it moved on after others had moved; None if it did not."""
        return self._board.order.get((self.unit.id, self.phase.first))

    def moved_between(self, found: Finding) -> tuple[Unit, bool]:
        """(a unit that moved in between; whether everyone saw the three moves one after the other, so that no
        other order is possible, and none of them puts a counter back where it was)."""
        between = next(
            track
            for track in self._board.tracks
            if track.move.id in found.moves and self.unit.id not in track.move.units
        )
        spans = (
            (max((d for d in self.drags if d < at), default=at), at, after)
            for at in between.events
            for after in [d for d in self.drags if d > at][:1]
        )
        start = self.history.drag(self.drags[0]).origin
        in_turn = between.late is None and any(
            a < b
            and self.history.drag(c).target != start
            and self.history.in_turn((a, b, c), self.unit.side)
            for a, b, c in spans
        )
        return self.rules.game.units[between.move.units[0]], in_turn

    def depends(self, holds: bool, asked: Iterable[tuple[Unit, str]]) -> bool:
        """True if ``holds``, else the answer assumed in this run, which the attributes ``asked`` decide."""
        facts = [later(question, unit, about) for unit, about in asked]
        return self.run.yes(("depends", self.unit.id), True if holds else None, *facts)

    def exceeds(self, spent: Fraction, amount: Amount) -> bool:
        """Whether it spent more than an amount."""
        sure = amount.hi is not None and spent > amount.hi
        holds = True if sure else None if spent > amount.lo else False
        return self.run.yes(("exceeds", self.unit.id), holds, *self.run.log.open)

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
        holds, asked, _ = self._may_go(track.move, track.events, (without,))
        return self.run.yes(("gets there", self.unit.id, track.move.id), holds, *asked)

    def _may_go(
        self, move: Move, events: Sequence[int], forms: tuple[str, ...]
    ) -> tuple[bool | None, list[MissingFact], str]:
        """Whether it could have made a move; None: not known, with what would decide it. And the clause
        that forbids it."""
        span, rules, scenarios = self._scenarios(move, events, forms)
        query = path_query(replace(move, units=(self.unit.id,)), span.board, rules.scale, ZERO)
        ways: list[bool | None] = []
        asked: list[MissingFact] = []
        for scenario in scenarios:
            holds: bool | None = not scenario.movers or gets_there(scenario, query, "favourable")
            if holds and scenario.movers and not gets_there(scenario, query, "adverse"):
                budgets = [w.unknown for m in scenario.movers for w in m.budget.missing]
                holds, asked = None if budgets else True, [*asked, *budgets]
            ways.append(holds)
        asked = [*telling_assumptions(scenarios, [str(way) for way in ways]), *asked]
        holds = ways[0] if len(set(ways)) == 1 else None if ways else True
        movers = [m for s in scenarios for m in s.movers]
        clauses = [b.clause for m in movers for b in m.barred] + [m.budget.clause for m in movers]
        forget(scenarios)
        return holds, asked, clauses[0] if clauses else ""

    def _scenarios(
        self, move: Move, events: Sequence[int], forms: tuple[str, ...]
    ) -> tuple[Situation, Rules, tuple[Scenario, ...]]:
        """(the situation over a move, the rules then, the unit's scenarios as one of the move's units)."""
        situation = AskedSituation(self.rules, move.steps[0])
        last = self.history.timeline.step_of(events[-1])
        span = situation.over(last, (events[0], events[-1]))
        rules = self.rules if span.game is self.rules.game else self.rules.on(span.game)
        alone = replace(move, units=(self.unit.id,))
        circumstances = Circumstances(span, move.units, forms, move=alone)
        return span, rules, rules.scenarios(self.unit.id, circumstances)

    def _forms(self) -> tuple[str, ...]:
        """The movement forms of the phase; empty if one of them is not judged."""
        game = self.rules.game
        forms = game.phases[self.phase.name].forms
        judged = all(name in game.forms and game.forms[name].judged for name in forms)
        return (forms or ("",)) if judged else ()

    def crowd(self) -> Crowd | None:
        """The units in the hex in which its move ended, when others that had not moved yet moved out of it;
        None if there are no such others, or if it is not certain that its move had ended before."""
        if not self.drags or not self.active or not self.phase.over:
            return None
        carriers = self.rules.may_be("class", self.rules.declared.carriers)
        entry = self.tables.get("boxes", {}).get("entry", ())
        return self.history.crowd(self.unit, self.phase.first, carriers, entry)

    def too_many(self, units: Sequence[str], name: str, at: int, until: int = 0) -> str:
        """A text of what a hex holds, if ``units`` are more than it may hold from event ``at`` to ``until``
        (0: the end of the phase); else empty. Without a name: more than a hex without features may hold."""
        held = self._held(self.rules, units, name, at, until)
        if held is None or not self.run.yes(
            ("too many", name, tuple(units)), held.sure, *held.asked
        ):
            return ""
        return held.text

    def surely_too_many(self, units: Sequence[str], name: str, at: int) -> bool:
        """As :meth:`too_many`, but only if it is certain; it never ends a run."""
        held = self._held(self._board.rules, units, name, at, 0)
        return held is not None and held.sure is True

    def _held(
        self, rules: Rules, units: Sequence[str], name: str, at: int, until: int
    ) -> Held | None:
        rule, side = rules.limit, self.unit.side
        if rule is None or side is None:
            return None
        if not name:
            rule = replace(rule, limits=tuple(one for one in rule.limits if not one.terrains))
        situation = AskedSituation(rules, self.history.timeline.step_of(at))
        others = [unit for unit in situation.units_in(name) if unit not in units]
        view = situation.displaced(others, NOWHERE).displaced(units, Place("hex", name))
        span = view.over(self.history.timeline.step_of((until or self.phase.end) - 1))
        moved = self._board.moved.get(self.phase.first, set())
        return Pile(span, rule, name, side, moved).held()

    def ends_beside(self, test: Test) -> bool:
        """Whether it ends the phase, which is over, in a hex without enemies for which ``test`` holds, but
        next to some."""
        situation = self._at_the_end()
        place = situation.where(self.unit.id)
        if place.kind != "hex" or not self.at(self.phase.end).alive:
            return False
        zones = EnemyZones(Circumstances(situation, (self.unit.id,)), self.rules, self.unit.side)
        among, near = zones.who(place.name, False, test), zones.who(place.name, True, test)
        key = self.unit.id, self.phase.first
        if self.run.yes(("ends among", *key), among.holds, *among.facts):
            return False
        return self.run.yes(("ends beside", *key), near.holds, *near.facts)

    @property
    def end(self) -> str:
        """The hex in which it ends the phase, which is over; empty: it is not in a hex."""
        return self._at_the_end().where(self.unit.id).hex or ""

    def ends_in(self, *terrains: str) -> bool:
        """Whether the hex in which it ends the phase certainly has only ``terrains``. It never ends a run."""
        board = self._at_the_end().game.board
        here = board.hexes[self.end]
        known = board.hex_known(self.end) and not board.maybe_in(self.end)
        return (
            known
            and bool(here.terrain)
            and {*(here.terrain or ()), *here.features} <= set(terrains)
        )

    def _at_the_end(self) -> Situation:
        return AskedSituation(self.rules, self.history.timeline.step_of(self.phase.end))

    @property
    def dragged_on_unseen(self) -> bool:
        """Whether it was dragged further after the phase, before others had seen the table."""
        later = next((d for d in self.history.drags[self.unit.id] if d >= self.phase.end), None)
        last = self.phase.end - 1
        return later is not None and not self.history.seen(last, later, self.unit.side)

    def holds(self, condition: str, *values: str) -> bool:
        """Whether a condition of the game had one of ``values`` when the phase ended."""
        at = self.history.timeline.step_of(self.phase.end - 1)
        said = self.history.timeline.condition(condition, at)
        usual = self.tables.get("usual", {}).get(condition)
        told = known(usual) if said == UNKNOWN and usual is not None else said
        options = {str(option).lower() in values for option in told.options or (None, values[0])}
        asked = later(missing_facts.of_condition, condition)
        key = "condition", condition, values, self.phase.first
        return self.run.yes(key, options.pop() if len(options) == 1 else None, asked)

    @property
    def phase_went_on(self) -> bool:
        """Whether the logs go on after the phase."""
        return self.phase.end < len(self.rules.game.events)

    def of(self, other: Unit) -> UnitInPhase:
        """Another unit in the same phase."""
        return UnitInPhase(self.run, self.rules, other, self.phase, self._board)

    def arrival(self, said: str) -> Broken | None:
        """How a unit that came onto the map broke the rules by the hex where it was first seen: the hex is
        closed to it, or too far from the edge for its MPs. None: it did not."""
        first = self._first_seen()
        target = None if first is None else self.history.drag(first).target
        track, forms = self._track(self.drags[0]), self._forms()
        last = [self.phase.end] if self.phase.over else []
        if first is None or target is None or target.kind != "hex" or track is None or not forms:
            return None
        if any(
            self.history.carrier(self.unit.id, at) != "" for at in (*self.drags, first + 1, *last)
        ):
            return None  # it may have been carried
        move = replace(track.move, units=(self.unit.id,))
        _, now, scenarios = self._scenarios(move, (self.drags[0], first), forms)
        found = arrived(now, scenarios, target.name)
        forget(scenarios)
        if self.run.yes("arrives", found.may, *found.asked):
            return None
        return Broken(f"{said} {found.text}", (self.unit.id,), (self.drags[0],), found.clause)

    def departure(self) -> Broken | None:
        """How a unit that left the map by its last drag broke the rules: the edge of the map is too far for
        its MPs. None: it did not. Leaving the map costs nothing here."""
        history, rules, first = self.history, self.rules, self.drags[0]
        drags = [history.drag(drag) for drag in self.drags]
        places = [drags[0].origin, *(drag.target for drag in drags[:-1])]
        track, forms = self._track(self.drags[-1]), self._forms()
        own = all(history.by_hand(self.unit, drag) for drag in self.drags)
        if track is None or not forms or not own or any(place.kind != "hex" for place in places):
            return None
        seen = (history.seen(a, b, self.unit.side) for a, b in pairwise(self.drags))
        board, asked, clause = rules.game.board, dict[MissingFact, None](), ""
        edge = [name for name in board.hexes if len(board.neighbours(name)) < SIX]
        to = replace(
            track.move,
            origin=places[0],
            binding=(True, *seen, True),
            steps=tuple(drag.at for drag in drags),
            resumed=False,
        )
        open_ = False
        for name in sorted(edge, key=lambda name: board.distance(places[-1].name, name) or 0):
            goal = Place("hex", name)
            move = replace(to, target=goal, waypoints=(*places, goal))
            holds, facts, clause = self._may_go(move, (first, self.drags[-1]), forms)
            if holds:
                return None
            open_ = open_ or holds is None
            asked.update(dict.fromkeys(facts))
        if not clause or self.run.yes("departs", None if open_ else False, *asked):
            return None
        text = f"left the map from {places[-1]}, farther from its edge than it could go"
        clause = clause.removeprefix(rules.book.manifest.prefix)
        return Broken(text, (self.unit.id,), tuple(self.drags), clause)

    def _track(self, drag: int) -> Track | None:
        """The move, entry or exit to which a drag of the unit belongs; None if it was taken back."""
        name, at = self.unit.id, self.history.drag(drag).at
        mine = (t for t in self._board.tracks if name in t.move.units and at in t.move.steps)
        return next((track for track in mine if track.move.taken_back is None), None)

    def _first_seen(self) -> int | None:
        """The drag to the first hex in which others saw it; else its last drag, or None if the phase is not
        over."""
        for before, after in pairwise(self.drags):
            if self.history.seen(before, after, self.unit.side):
                return before
        return self.drags[-1] if self.phase.over else None

    def loadings(self) -> list[Loading]:
        """The loadings and unloadings of the unit in the phase. If its carrier when the phase began is not
        known, a run assumes that it was on foot, or on the carrier named next."""
        said = self.history.changes(self.unit.id, ABOARD, self.phase.first, self.phase.end)
        if not said:
            return []
        held = self.history.carrier(self.unit.id, self.phase.first)
        if held is None:
            asked = (later(question, self.unit, ABOARD),)
            choices = ("", carrier_in(said[0][1]) or SOMETHING)
            held = str(self.run.choose("held", choices, asked))
        return self.history.loadings(self.unit, self.phase.first, held)

    def dies_unseen(self, index: int) -> bool:
        """Whether it may be dead by the game before others saw it after an event: it may have been dead
        earlier, and was only taken along."""
        changes = self.history.changes(self.unit.id, DEAD, self.phase.first, self.phase.end)
        return any(
            fact.may_be(True) and not self.history.in_turn((index, at), self.unit.side)
            for at, fact in changes
        )

    def put_back(self) -> bool:
        """Whether it may have been put back after something stopped it, so that its drags prove nothing."""
        texts = (
            (f"stopped in {name}", self.unit)
            for name in self.history.put_back(self.unit.id, self.drags)
        )
        return any(answer(self.rules.game, Question(t, "", u.id)) is not False for t, u in texts)


class PhaseBoard:
    """The data that all checks of a game share. ``rules``: without assumptions of a run."""

    def __init__(self, rules: Rules, tracks: Sequence[Track]) -> None:
        self.rules, self.tracks = rules, tracks
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
            witnesses = rules.history.witnesses
            for found in check_order(rules.game, tracks, rule, witnesses, as_shown=True):
                drags = [
                    d
                    for d in rules.history.drags[found.units[0]]
                    if rules.history.drag(d).at in found.steps
                ]
                if drags:
                    self.order[found.units[0], rules.history.phase(drags[0])[0]] = found
