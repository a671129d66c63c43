"""All readings of a game's phases that its log leaves open; only accusations that hold in each are kept.

A log leaves three things open about phases. Steps within a phase may have been combat
(:mod:`.possible_combat`): they become an :class:`Interlude`, which is not judged until the facts say what it
was. A phase with unknown turn or side may be the phase before it, started again. At a slip, the turn tracker
shows another phase, or none, and then the phase before it again, with nothing done in between: the phase may
have gone on all the time, or it ended and another of its name follows.

A :data:`Reading` decides some of these points. The audit by one reading is compared with those by others
(:mod:`.rereading`), and accusations that not all of them make are left open. Slips decide which phases there
are, and so which steps may have been combat. So the audit by each reading of the slips already holds for
every reading of the combat.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import fields, replace
from itertools import groupby, pairwise
from types import MappingProxyType

from ..model.fact import MissingFact
from ..model.finding import Audit
from ..model.game import Event, Game, PhaseStart, StepRef
from .answers import WENT_ON, Question, answer
from .checks import phase_unknown
from .phase_index import PhaseIndex
from .possible_combat import Cluster, Movers, clusters
from .rereading import Accused, Focus, Rereading, Subjects, accused
from .timeline import Timeline
from .tracker import Interlude, Renewed, Slip, phase_key

MOST_CLUSTERS = 5
"""If more clusters of steps than this affect an accusation, it is left open without judging all
combinations."""
MOST_SLIPS = 4
"""Up to this many slips in a game, every combination is judged. If there are more, every pair is judged in
every combination, and an accusation in a phase with more than two is left open."""

Reading = Mapping[StepRef, bool]
"""For the first step of a cluster: whether the cluster was combat (True) or part of its phase (False). For
the step at which a phase may start again, and for the first step of a slip: whether another phase follows
(True) or the same (False). Missing steps are not known."""
NOT_KNOWN: Reading = MappingProxyType({})
Forks = Mapping[StepRef, MissingFact]
"""The steps from which a game can be read in two ways, each with the question that decides."""


# -- the game as it is read -------------------------------------------------------------------------


def went_on(slip: Slip) -> Question:
    """Whether the phase went on at a slip (yes) or is another after it (no)."""
    text = (
        f"the log shows another phase, or none, at {slip.first.at.said} and the phase {slip.back.phase}"
        f" again at {slip.back.at.said}: did it go on all the time (yes), or is it a new one (no)?"
    )
    return Question(WENT_ON, text, at=slip.first.at)


def slips_of(game: Game) -> tuple[Slip, ...]:
    """The slips of ``game``, in order."""
    return PhaseIndex(game).slips if _comes_again(game) else ()


def _comes_again(game: Game) -> bool:
    """Whether any phase returns, or may return, after another; if not, there are no slips."""
    starts = [phase_key(event) for event in game.events if isinstance(event, PhaseStart)]
    runs = starts[:1] + [b for a, b in pairwise(starts) if a != b]
    half_told = any(phase is not None and None in (turn, side) for turn, phase, side in runs)
    return len(set(runs)) < len(runs) or (half_told and len(runs) > 2)


def timeline_as_told(game: Game) -> Timeline:
    """The timeline of ``game``, in which the phase went on at each slip unless the facts say otherwise."""
    return Timeline(_with_slips(game, slips_of(game), NOT_KNOWN))


def as_read(game: Game, slips: Iterable[Slip], movers: Movers, reading: Reading) -> Game:
    """``game`` with its phases by ``reading``. ``slips``: those of ``game``; at a slip that neither the facts
    nor the reading decides, the phase goes on. A cluster that was combat gets a phase start with ``combat``
    set, one that was not gets nothing, and others become an :class:`Interlude`. Starts that are known to
    continue the same phase are left out."""
    game = _without_restarts(_with_slips(game, slips, reading), reading)
    open_or_combat = [c for c in clusters(game, movers) if reading.get(c.first) is not False]
    if not open_or_combat:
        return game
    return replace(game, events=tuple(_inserted(game.events, open_or_combat, reading)))


def _with_slips(game: Game, slips: Iterable[Slip], reading: Reading) -> Game:
    """``game`` in which, after each of ``slips``, the phase goes on or is another one."""
    events = list(game.events)
    for number, slip in enumerate(slips, 1):
        told = answer(game, went_on(slip))
        ended = reading.get(slip.first.at, False) if told is None else not told
        events = list(_slip_read(events, slip, number if ended else None))
    return replace(game, events=tuple(events)) if events != list(game.events) else game


def _slip_read(events: Iterable[Event], slip: Slip, renewed: int | None) -> Iterator[Event]:
    """``events`` with ``slip`` decided. ``renewed``: the number of the other phase that follows; None: the
    phase went on, and the starts of the slip are left out."""
    for event in events:
        if not isinstance(event, PhaseStart) or not slip.first.at <= event.at <= slip.back.at:
            yield event
        elif renewed is not None and (
            event is slip.back or slip.last.at <= event.at < slip.back.at
        ):
            told = {field.name: getattr(event, field.name) for field in fields(PhaseStart)}
            yield Renewed(**told, number=renewed, passed=event is not slip.back)


def _without_restarts(game: Game, reading: Reading) -> Game:
    """``game`` without the starts that are known to continue the same phase."""
    if False not in reading.values():
        return game
    same = {id(start) for start in PhaseIndex(game).restarts() if reading.get(start.at) is False}
    kept = tuple(event for event in game.events if id(event) not in same)
    return replace(game, events=kept) if same else game


def _inserted(
    events: Iterable[Event], found: Iterable[Cluster], reading: Reading
) -> Iterator[Event]:
    """``events`` with a phase start (an interlude, or combat) before each cluster, and one after it with
    which the phase continues."""
    waiting = list(reversed(list(found)))
    inside: Cluster | None = None
    told: PhaseStart | None = None
    for at, together in groupby(events, key=lambda event: event.at):
        step = list(together)
        if inside is not None and told is not None and at > inside.last:
            inside = None
            if not isinstance(step[0], PhaseStart):
                yield replace(told, at=at)
        begins = bool(waiting) and at >= waiting[-1].first
        said = max((n for n, e in enumerate(step) if isinstance(e, PhaseStart)), default=-1)
        for number, event in enumerate(step):
            if begins and number == said + 1:
                inside = waiting.pop()
                told, begins = inside.within, False
                yield _combat(inside) if reading.get(inside.first) else _interlude(inside)
            if inside is not None and isinstance(event, PhaseStart):
                told = event  # the same phase, given once more
            else:
                yield event


def _interlude(cluster: Cluster) -> Interlude:
    told, first = cluster.within, cluster.first
    started = (first, told.turn, None, told.active, told.source)
    return Interlude(*started, last=cluster.last, within=told)


def _combat(cluster: Cluster) -> PhaseStart:
    found = replace(cluster.within, at=cluster.first, phase=None, last=cluster.last)
    return replace(found, declared=True, combat=True)


# -- what holds in every reading --------------------------------------------------------------------


def _comparison(
    game: Game,
    timeline: Timeline,
    forks: Forks,
    spells: set[int] | None = None,
    legal_if: str = "",
) -> Rereading:
    """The comparison with an audit that reads ``forks`` the other way. An accusation depends on the forks in
    its own phases, or else on all. ``spells``: accusations in these phases are compared; None: all."""
    subjects = Subjects(timeline)

    def questions(one: Accused) -> list[MissingFact]:
        own = subjects.spells(one)
        if spells is not None and spells.isdisjoint(own):
            return []
        near = [asked for at, asked in forks.items() if timeline.spell(at) in own]
        return near or [*forks.values()]

    return Rereading(game, timeline, questions, legal_if)


def held_with_slips(
    game: Game,
    found: Audit,
    slips: Sequence[Slip],
    timeline: Timeline,
    audited: Callable[[Reading], Audit],
) -> Audit:
    """``found`` with everything left open that does not hold in every reading of ``slips``.

    ``found``: the audit, with ``timeline``, in which the phase went on after every slip. ``audited``: returns
    the audit of another reading."""
    forks = {slip.first.at: went_on(slip).unknown() for slip in slips}
    legal_if = "the phase went on after the turn tracker was set back"
    for ended in readings([*forks]):
        asked = {at: forks[at] for at in forks if ended[at]}
        found = _comparison(game, timeline, asked, legal_if=legal_if).held(found, audited(ended))
    phases = Counter(timeline.spell(at) for at in forks if len(forks) > MOST_SLIPS)
    many = {spell for spell, number in phases.items() if number > 2}
    return _comparison(game, timeline, forks, many).held(found, None) if many else found


def readings(ats: Sequence[StepRef]) -> Iterator[dict[StepRef, bool]]:
    """The readings of the slips at ``ats`` that are judged, except the one in which no phase ended; those in
    which few ended come first."""
    every = len(ats)
    if every <= MOST_SLIPS:
        masks = [[n >> place & 1 for place in range(every)] for n in range(1, 2**every)]
    else:  # the places of two slips differ in one bit at least
        bits = range((every - 1).bit_length())
        masks = [
            [(place >> bit & 1) ^ turned for place in range(every)]
            for bit in bits
            for turned in (0, 1)
        ]
        masks.append([1] * every)
    for mask in sorted(masks, key=sum):
        yield {at: bool(one) for at, one in zip(ats, mask, strict=True)}


def held_either_way(
    game: Game, found: Audit, audited: Callable[[Reading, Focus | None], Audit], timeline: Timeline
) -> Audit:
    """``found`` with accusations left open unless they hold for every combination of clusters that were
    combat. Phases that may be the phase before, started again, are treated in the same way.

    ``found``: the audit in which these points are open, with ``timeline``. In it, units that moved before and
    after a cluster are judged as if the second part were a separate phase. ``audited``: returns the audit of
    another reading, in which only moves within the focus are judged; None: all."""
    every = timeline.all_interludes()
    if not every or not any(accused(found)):
        return found
    subjects = Subjects(timeline)
    forks = {at: phase_unknown(timeline, timeline.half_told(at)) for at in every}
    held = _comparison(game, timeline, forks).held(
        found, audited(dict.fromkeys(every, False), None)
    )
    groups = [(near, spells) for near, spells in _groups(held, every, subjects) if near]
    many = {spell for near, spells in groups if len(near) > MOST_CLUSTERS for spell in spells}
    few = [(near, spells) for near, spells in groups if len(near) <= MOST_CLUSTERS]
    held = _comparison(game, timeline, forks, many).held(held, None) if many else held
    spells = {spell for _, some in few for spell in some}
    for reading in _divisions([near for near, _ in few]):
        if not any(not spells.isdisjoint(subjects.spells(one)) for one in accused(held)):
            break
        other = audited(reading, lambda step: timeline.spell(step) in spells)
        held = _comparison(game, timeline, forks, spells).held(held, other)
    return held


def _groups(
    found: Audit, every: Iterable[StepRef], subjects: Subjects
) -> list[tuple[list[StepRef], set[int]]]:
    """The clusters that affect accusations, in groups, each with the numbers (``spell``) of its phases.
    Phases that the same accusation is about are in one group."""
    groups: list[set[int]] = []
    for one in accused(found):
        spells = subjects.spells(one)
        spells |= {spell for group in groups if not group.isdisjoint(spells) for spell in group}
        groups = [group for group in groups if group.isdisjoint(spells)] + [spells]
    return [([at for at in every if subjects.timeline.spell(at) in g], g) for g in groups]


def _divisions(groups: Sequence[Sequence[StepRef]]) -> Iterator[Reading]:
    """Readings that cover, for each group, every combination except "no cluster was combat". Groups do not
    affect one another, so each reading is one of all groups at once instead of trying every product of
    them."""
    for number in range(max((2 ** len(near) for near in groups), default=1) - 1):
        yield {
            at: bool((number % (2 ** len(near) - 1) + 1) >> place & 1)
            for near in groups
            for place, at in enumerate(near)
        }
