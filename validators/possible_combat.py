"""Finds clusters of steps within a movement phase that may have been combat.

Phases may be given only roughly: "steps 100 to 400 were Blue's movement", with attacks, retreats and advances
in between. Unless the pack says that dice belong to the phase, a die roll may be combat, and so may a step in
which units of the other side change or are displaced, and what follows until ordinary movement resumes.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from itertools import groupby
from typing import Literal

from ..model.game import Event, Game, PhaseStart, StateChange, StepRef, Witness
from .moves import phase_is_known
from .ruleset import Phasing
from .situation import Situation
from .takeback import Leg, Witnesses, legs
from .timeline import Timeline

Movers = Mapping[str, Literal["active", "inactive", "none"]]
"""Whose units move in a phase, by the phase's name. In a phase that is missing, both sides may move."""


def movers_of(game: Game, rules: object) -> Movers:
    """Who moves in the phases of ``game``. If ``rules`` are :class:`Phasing`, they say it of the phases for
    which the pack allows both sides."""
    found: dict[str, Literal["active", "inactive", "none"]] = {}
    for name, rule in game.phases.items():
        if rule.movers in ("active", "inactive", "none"):
            found[name] = rule.movers
        elif isinstance(rules, Phasing) and (moving := rules.movers(name)) is not None:
            found[name] = moving
    return found


@dataclass(slots=True)
class Cluster:
    """Steps ``first`` to ``last`` of the phase ``within``. ``displaced``: ids of the units displaced on the
    map. ``vacated``: for each hex that units left, their ids. ``reached``: the places that units were put
    in. ``rolled``: whether a die was rolled after the last displacement."""

    within: PhaseStart
    first: StepRef
    last: StepRef
    displaced: set[str] = field(default_factory=set)
    vacated: dict[str, set[str]] = field(default_factory=dict)
    reached: set[str] = field(default_factory=set)
    rolled: bool = False


@dataclass(frozen=True, slots=True)
class _Step:
    """The events of a step that matter for combat. ``legs``: displacements on the map that were not taken
    back. ``losses``: counters taken off the map. ``rolls``: whether a die is rolled. ``others``: units of the
    other side that are displaced, change, or leave or enter the map."""

    at: StepRef
    legs: tuple[Leg, ...]
    losses: tuple[Leg, ...]
    rolls: bool
    others: tuple[str, ...]


def clusters(game: Game, movers: Movers) -> list[Cluster]:
    """The clusters in which a unit is displaced, in order. ``movers``: see :func:`movers_of`."""
    if all(rule.dice or not rule.complete for rule in game.phases.values()):
        return []
    timeline = Timeline(game)
    watch = _Watch(game, timeline, legs(game, timeline, Witnesses(game)), movers)
    return [cluster for cluster in watch.clusters() if cluster.displaced]


class _Watch:
    """One pass over the events of a game, step by step."""

    def __init__(
        self, game: Game, timeline: Timeline, found: Iterable[Leg], movers: Movers
    ) -> None:
        self.game, self.timeline, self.movers = game, timeline, movers
        self.legs = {leg.index: leg for leg in found}
        self.situation = Situation(game, timeline)

    def clusters(self) -> Iterator[Cluster]:
        """All clusters, in order, including those in which no unit is displaced."""
        cluster: Cluster | None = None
        phase, lead = 0, list[_Step]()
        numbered = enumerate(self.game.events)
        for at, entries in groupby(numbered, key=lambda entry: self.timeline.step_of(entry[0])):
            events = list(entries)
            number = self.timeline.phase_number(at)
            if number != phase:
                if cluster is not None:
                    yield cluster
                phase, cluster, lead = number, None, []
            start = self._suspect(at)
            if start is None and cluster is not None:
                yield cluster
                cluster, lead = None, []
            if start is not None:
                step = self._step(at, events, start)
                if cluster is not None and not self._belongs(step, cluster):
                    yield cluster
                    cluster, lead = None, []
                if cluster is None and (step.rolls or step.others):
                    cluster = self._open(step, lead, start)
                if cluster is not None:
                    self._add(step, cluster)
                elif step.legs:
                    lead.append(step)
            self.situation.advance_after(at)
        if cluster is not None:
            yield cluster

    def _suspect(self, at: StepRef) -> PhaseStart | None:
        """The phase of a step, if the pack says that only movement displaces units in it and does not say
        that dice belong to it; None otherwise, or if the phase is not known."""
        start = self.timeline.phase_start(at)
        if start is None or start.combat is not None or not phase_is_known(self.timeline, at):
            return None
        rule = self.game.phases.get(start.phase or "")
        return start if rule is not None and rule.complete and not rule.dice else None

    def _step(self, at: StepRef, events: list[tuple[int, Event]], start: PhaseStart) -> _Step:
        found = [leg for index, _ in events if (leg := self.legs.get(index)) is not None]
        on_map = tuple(
            leg for leg in found if leg.nature in ("movement", "unclear") and leg.taken_back is None
        )
        others = (
            leg for leg in found if leg.nature in ("removal", "appearance", "put-back", "detour")
        )
        changed = (
            event.unit
            for _, event in events
            if isinstance(event, StateChange) and not event.undo and at.step > 0
        )
        stirring = dict.fromkeys((*(leg.unit for leg in (*on_map, *others)), *changed))
        stirs = tuple(unit for unit in stirring if self._is_other(unit, start))
        rolls = any(isinstance(e, Witness) and e.kind == "roll" for _, e in events)
        losses = tuple(leg for leg in found if leg.nature == "removal")
        return _Step(at, on_map, losses, rolls, stirs)

    def _is_other(self, name: str, start: PhaseStart) -> bool:
        """Whether a unit is not, or may not be, of the side that moves in the phase. False if the active side
        is not known, or if both sides may move."""
        unit, movers = self.game.units.get(name), self.movers.get(start.phase or "")
        if unit is None or unit.kind == "marker" or movers is None:
            return False
        if movers == "none":
            return True
        if start.active is None:
            return False
        standing = self.game.relation(start.active, unit.side)
        return standing != ("friend" if movers == "active" else "enemy")

    def _open(self, step: _Step, lead: list[_Step], start: PhaseStart) -> Cluster:
        """A cluster that begins with ``step``, or with the drags immediately before it into a hex that the
        other side leaves in ``step``, because an advance may be dragged before the retreat."""
        leaving = (*step.legs, *step.losses)
        left = {leg.origin.name for leg in leaving if self._is_other(leg.unit, start)}
        cluster = Cluster(start, step.at, step.at)
        while lead and all(leg.target.name in left for leg in lead[-1].legs):
            before = lead.pop()
            cluster.first = before.at
            self._add(before, cluster)
        return cluster

    def _belongs(self, step: _Step, cluster: Cluster) -> bool:
        """Whether ``step`` belongs to ``cluster``: it displaces nobody, could itself be combat, follows a die
        roll, or has a displacement that combat may explain."""
        if not step.legs or step.rolls or cluster.rolled:
            return True
        explained = (self._explaining(leg, cluster) for leg in step.legs)
        return bool(step.others) or any(True for units in explained for _ in units)

    def _explaining(self, leg: Leg, cluster: Cluster) -> Iterator[str]:
        """The units because of which a displacement may be a retreat or an advance of the combat in
        ``cluster``."""
        origin, target = leg.origin.name, leg.target.name
        side = self.situation.side(leg.unit)
        if leg.unit in cluster.displaced or origin in cluster.reached:
            yield leg.unit
        around = self._around(origin)
        for name in (target, *around):
            left = cluster.vacated.get(name, ())
            yield from (u for u in left if side is None or self.situation.side(u) != side)
        for name in around:
            yield from (u for u in self.situation.units_in(name) if self._may_fight(side, u))

    def _may_fight(self, side: str | None, unit: str) -> bool:
        relation = self.game.relation(side, self.situation.side(unit))
        return not self.situation.is_marker(unit) and relation in ("enemy", None)

    def _around(self, name: str) -> tuple[str, ...]:
        board = self.game.board
        return (name, *board.neighbours(name)) if name in board.hexes else (name,)

    def _add(self, step: _Step, cluster: Cluster) -> None:
        if step.legs or step.rolls or step.others:
            cluster.last = max(cluster.last, step.at)
        for leg in (*step.legs, *step.losses):
            cluster.vacated.setdefault(leg.origin.name, set()).add(leg.unit)
        for leg in step.legs:
            cluster.displaced.add(leg.unit)
            cluster.reached.add(leg.target.name)
        cluster.rolled = step.rolls or (cluster.rolled and not step.legs)
