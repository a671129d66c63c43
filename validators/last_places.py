"""Sides of which the facts say that they try counters out before they settle.

A place where a counter of theirs was put down, and dragged on from in the same phase with no witness, counts
for nothing. It may lie on its way all the same: that it does not count clears moves, but accuses nobody.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace

from ..model.fact import MissingFact, known
from ..model.finding import Audit, Finding
from ..model.game import Condition, Displacement, Game, PhaseStart
from .accusations import Accused, Subjects, accused
from .answers import LAST_PLACES, Question, answer, only_last_places, passed_through
from .interludes import timeline_as_told
from .rereading import Focus, Rereading
from .unit_verdict import MOST_UNKNOWNS
from .witness import Witnesses


def tried_out(game: Game) -> Iterator[Question]:
    """Each stop that does not count, since only the last places of its side do. Of those told by themselves,
    and of those after which another phase may have begun, nothing is known by that."""
    sides = {side for side in game.sides if answer(game, only_last_places(side))}
    witnesses, before = Witnesses(game), dict[str, tuple[int, Displacement]]()
    for index, drag in enumerate(game.events if sides else ()):
        if isinstance(drag, PhaseStart):
            before.clear()
        if not isinstance(drag, Displacement) or drag.unit not in game.units:
            continue
        first, stop = before.get(drag.unit, (index, drag))
        before[drag.unit] = index, drag
        side = game.units[drag.unit].side
        on_map = stop.target.kind == drag.target.kind == "hex"
        if first == index or side not in sides or not on_map:
            continue
        question = passed_through(stop.target.name, drag.unit, stop.at)
        seen = witnesses.bound(first, index, stop.actor or side)
        if not seen and answer(game, question) is None:
            yield question


def without(game: Game, stops: Sequence[Question]) -> Game:
    """``game``, in which ``stops`` were not made."""
    no = known(False)
    told = (Condition(one.topic, no, one.at, one.at, one.unit) for one in stops if one.at)
    return replace(game, conditions=(*game.conditions, *told)) if stops else game


def held_with_all_stops(
    game: Game,
    stops: Sequence[Question],
    found: Audit,
    audited: Callable[[Game, Focus], Audit],
) -> Audit:
    """``found``, the audit of ``game`` without ``stops``, with every accusation left open that is not made
    where these may have been made. ``audited``: returns the audit of another game, in which only moves within
    the focus are judged."""
    about = list(accused(found)) if stops else []
    if not about:
        return found
    conditions = (one for one in game.conditions if not one.key.startswith(LAST_PLACES))
    plain = replace(game, conditions=tuple(conditions))
    timeline = timeline_as_told(plain)
    subjects = Subjects(timeline)

    def asked(one: Accused) -> list[MissingFact]:
        spells, units = subjects.spells(one), _units(one)
        near = [stop for stop in stops if stop.at and timeline.spell(stop.at) in spells]
        near.sort(key=lambda stop: stop.unit not in units)
        return [stop.unknown() for stop in near][:MOST_UNKNOWNS]

    spells = {spell for one in about if asked(one) for spell in subjects.spells(one)}
    if not spells:
        return found
    other = audited(plain, lambda step: timeline.spell(step) in spells)
    return Rereading(plain, timeline, asked).held(found, other)


def _units(one: Accused) -> tuple[str, ...]:
    return one.units if isinstance(one, Finding) else one.move.units
