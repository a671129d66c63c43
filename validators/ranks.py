"""Checks that movement forms which the rules put in an order were used in that order within a phase.

A log does not show which form a unit used. So each unit is given the lowest-ranked form it may have used that
still fits the order, and a unit is accused only if no choice of forms for all units before it explains the
order.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import groupby, pairwise, product
from math import prod

from ..model.fact import MissingFact
from ..model.finding import Finding, Move
from ..model.game import Displacement, Game, StepRef
from .checks import form_unknown, names_of
from .quotas import LegalForm, PhaseLegalForms
from .ruleset import OrderRule
from .stopovers import Unseen, unseen_end
from .takeback import Witnesses
from .timeline import Timeline
from .verdicts import earlier_unknown, finding

Ranks = Mapping[str, tuple[int, str]]

MOST_ORDERS = 256
"""The greatest number of orders of units' beginnings that are tried. If there are more, no unit is
accused."""


@dataclass(frozen=True, slots=True)
class _Entry:
    """What a unit did in a phase.

    ``steps``: the steps of all its drags, in order. ``phase_legal_forms``: of its last move. ``possible``:
    the forms that it may have used. ``rows``: one set for each scenario: the forms that it can certainly have
    used or, if there are none, those that it may have used. ``unseen``: its first stops, up to the first
    witnessed one; its movement perhaps began only after them."""

    unit: str
    side: str | None
    steps: tuple[StepRef, ...]
    phase_legal_forms: PhaseLegalForms
    possible: frozenset[str]
    rows: tuple[frozenset[str], ...]
    unseen: tuple[Unseen, ...] = field(default=())

    @property
    def begun(self) -> tuple[_Entry, ...]:
        """This entry for each step at which the unit may have begun, from the earliest to the latest."""
        later = tuple(
            replace(self, steps=tuple(step for step in self.steps if step >= unseen.on))
            for unseen in self.unseen
        )
        return (self, *later)


def check_ranks(
    game: Game, phase_legal_forms: Sequence[PhaseLegalForms], rule: OrderRule, witnesses: Witnesses
) -> Iterator[Finding]:
    """The findings about units that used a form after a later form had begun, by phase and then by side."""
    if not rule.ranks:
        return
    known = [
        e for e in phase_legal_forms if _is_complete(game, e) and _phase(e) not in rule.unranked
    ]
    known.sort(key=lambda entry: entry.track.phase_number)
    for _, phase in groupby(known, key=lambda entry: entry.track.phase_number):
        entries = _entries(game, phase, rule.ranks, witnesses)
        for side in dict.fromkeys(entry.side for entry in entries):
            yield from _of_side(game, [e for e in entries if e.side == side], rule, witnesses)


def _phase(entry: PhaseLegalForms) -> str:
    return entry.track.move.phase.phase or ""


def _is_complete(game: Game, entry: PhaseLegalForms) -> bool:
    phase = game.phases.get(_phase(entry))
    return entry.track.phase_known and phase is not None and phase.complete


def _entries(
    game: Game, phase_legal_forms: Iterator[PhaseLegalForms], ranks: Ranks, witnesses: Witnesses
) -> list[_Entry]:
    """One entry for each unit, in the order in which they began. Units that may have used a form without a
    rank are left out."""
    moves: dict[str, list[PhaseLegalForms]] = {}
    for entry in phase_legal_forms:
        moves.setdefault(entry.legal_forms.unit, []).append(entry)
    entries = [_entry(game, unit, found, witnesses) for unit, found in moves.items()]
    kept = [e for e in entries if e.possible and e.possible <= ranks.keys()]
    return sorted(kept, key=lambda entry: entry.steps[0])


def _entry(game: Game, unit: str, moves: Sequence[PhaseLegalForms], witnesses: Witnesses) -> _Entry:
    """The entry of ``unit``. Its last move includes those before it if they connect; if some do not, the unit
    may have used other forms for them."""
    last = moves[-1]
    rows = last.legal_forms.scenarios
    parts = (last,) if last.whole else moves
    return _Entry(
        unit,
        game.units[unit].side,
        tuple(sorted({step for entry in moves for step in entry.track.move.steps})),
        last,
        frozenset(o.form for part in parts for row in part.legal_forms.scenarios for o in row),
        tuple(_surest(row) for row in rows),
        tuple(_not_seen(game, unit, moves, witnesses)),
    )


def _not_seen(
    game: Game, unit: str, moves: Sequence[PhaseLegalForms], witnesses: Witnesses
) -> Iterator[Unseen]:
    """The first stops of ``unit`` at which nothing witnessed it before it went on with other units."""
    in_order = sorted(moves, key=lambda entry: entry.track.events[0])
    for one, other in pairwise(in_order):
        found = unseen_end(game, unit, one.track, other.track, witnesses)
        if found is None:
            return
        yield found


def _surest(row: Sequence[LegalForm]) -> frozenset[str]:
    sure = frozenset(legal_form.form for legal_form in row if legal_form.sure)
    return sure or frozenset(legal_form.form for legal_form in row)


def _of_side(
    game: Game, entries: list[_Entry], rule: OrderRule, witnesses: Witnesses
) -> Iterator[Finding]:
    chosen: dict[str, int] = {}
    late: set[str] = set()
    for entry, reached in _walk(entries, rule.ranks, chosen):
        if not all(_is_late(entry, order, rule.ranks, {}) for order in _orders(entry, entries)):
            asked = _asked_of(e for e in entries if e.steps[0] < entry.steps[0])
            if asked:
                late.add(entry.unit)
                yield _left_open(game, entry, asked, rule)
            continue
        late.add(entry.unit)
        whole = entry.phase_legal_forms.whole
        if whole or _began_after(game, entry, entries, chosen, reached, witnesses):
            yield _told(game, entry, entries, reached, rule)
        else:  # it may have begun earlier, in another form
            yield _left_open(game, entry, (earlier_unknown(game, _move(entry)),), rule)
    for entry, unknowns in _perhaps_late(game, entries, rule):
        if entry.unit not in late:
            late.add(entry.unit)
            yield _left_open(game, entry, unknowns, rule)
    if rule.interleaved is not None:
        settled = entries
        for entry in entries:
            if entry.unit in late or not _was_interrupted(entry, entries, chosen):
                continue
            otherwise = _by_another_form(entry, settled, rule.ranks)
            if otherwise is not None and otherwise[1]:
                settled = [otherwise[0] if one.unit == entry.unit else one for one in settled]
            elif otherwise is not None:
                yield _left_open(game, entry, (_form_used(game, entry),), rule)
            if otherwise is not None:
                continue
            if any(_may_be_right(own, entries, rule.ranks) for own in entry.begun):
                reading = () if rule.uninterrupted else (rule.interleaved,)
                if asked := _asked_of(entries):
                    yield _left_open(game, entry, (*reading, *asked), rule)
                continue
            if rule.uninterrupted and entry.phase_legal_forms.whole:
                yield _told_on(game, entry, rule)
            else:
                yield _left_open(game, entry, (rule.interleaved,), rule)


def _began_after(
    game: Game,
    own: _Entry,
    entries: list[_Entry],
    chosen: Mapping[str, int],
    reached: int,
    witnesses: Witnesses,
) -> bool:
    """Whether a unit of which not all moves in the phase are judged was first displaced in it after a form of
    rank ``reached`` had begun, and after others had seen that: it did not begin earlier."""
    timeline = Timeline(game)
    number = own.phase_legal_forms.track.phase_number
    first = next(
        index
        for index, event in enumerate(game.events)
        if isinstance(event, Displacement)
        and event.unit == own.unit
        and timeline.phase_number(event.at) == number
    )
    begun = [timeline.first_event(e.steps[0]) for e in entries if chosen.get(e.unit) == reached]
    return any(b < first and witnesses.too_late(b, first, own.side) for b in begun)


def _is_late(own: _Entry, order: list[_Entry], ranks: Ranks, chosen: dict[str, int]) -> bool:
    """Whether a unit is too late if all units began in this order."""
    return any(entry is own for entry, _ in [*_walk(order, ranks, chosen)])


def _by_another_form(
    own: _Entry, entries: list[_Entry], ranks: Ranks
) -> tuple[_Entry, bool] | None:
    """``own`` by a form with which it is neither too late nor interrupted, and whether nobody else becomes so
    by it; None if there is no such form."""
    before = _troubled(entries, ranks)
    found: tuple[_Entry, bool] | None = None
    for one in _by_rank(own, ranks):
        troubled = _troubled([one if e.unit == own.unit else e for e in entries], ranks)
        if own.unit not in troubled and (found is None or not found[1]):
            found = one, troubled <= before
    return found


def _troubled(entries: list[_Entry], ranks: Ranks) -> set[str]:
    """The units that are too late or interrupted, if each goes by the first form that it can."""
    chosen: dict[str, int] = {}
    late = {entry.unit for entry, _ in _walk(entries, ranks, chosen)}
    return late | {entry.unit for entry in entries if _was_interrupted(entry, entries, chosen)}


def _by_rank(own: _Entry, ranks: Ranks) -> Iterator[_Entry]:
    """``own`` for each rank that its form may have, as if it had used that one."""
    for rank in sorted({ranks[form][0] for form in own.possible}):
        yield replace(own, possible=frozenset(f for f in own.possible if ranks[f][0] == rank))


def _may_be_right(own: _Entry, entries: list[_Entry], ranks: Ranks) -> bool:
    """Whether there are an order and a form of ``own`` by which it is neither too late nor interrupted."""
    for one in _by_rank(own, ranks):
        for order in _orders(one, entries):
            chosen: dict[str, int] = {}
            late = _is_late(one, order, ranks, chosen)
            if not late and not _was_interrupted(one, order, chosen):
                return True
    return False


def _orders(own: _Entry, entries: list[_Entry]) -> Iterator[list[_Entry]]:
    """The orders in which all units may have begun, given when ``own`` began.

    A unit with only one form is taken to begin as late as possible, which is best for ``own``. For a unit
    with several forms all beginnings are tried, because a late one may force it to take a later form. If
    there are too many orders, the only one yielded contains ``own`` alone, which clears it."""
    others = [entry for entry in entries if entry.unit != own.unit]
    ways = [one.begun if len(one.possible) > 1 else one.begun[-1:] for one in others]
    if prod(map(len, ways)) > MOST_ORDERS:
        yield [own]
        return
    for order in product(*ways):
        yield sorted((own, *order), key=lambda entry: entry.steps[0])


def _asked_of(entries: Iterable[_Entry]) -> tuple[MissingFact, ...]:
    """The missing facts whether units really were where nothing witnessed them."""
    found = (one.asked for entry in entries for one in entry.unseen)
    return tuple(dict.fromkeys(asked for asked in found if asked is not None))


def _walk(
    entries: list[_Entry], ranks: Ranks, chosen: dict[str, int]
) -> Iterator[tuple[_Entry, int]]:
    """The units that are too late whatever forms are chosen, each with the rank reached before it. ``chosen``
    receives the rank of each other unit. Units that began in the same step may have moved in any order."""
    reached = 0
    for _, together in groupby(entries, key=lambda entry: entry.steps[0]):
        highest = reached
        for entry in together:
            fitting = [ranks[form][0] for form in entry.possible if ranks[form][0] >= reached]
            if fitting:
                chosen[entry.unit] = min(fitting)
                highest = max(highest, chosen[entry.unit])
            else:
                yield entry, reached
        reached = highest


def _perhaps_late(
    game: Game, entries: list[_Entry], rule: OrderRule
) -> Iterator[tuple[_Entry, tuple[MissingFact, ...]]]:
    """The units that are too late under the most adverse completion, with the missing facts that decide
    it."""
    ranks, reached = rule.ranks, 0
    for _, together in groupby(entries, key=lambda entry: entry.steps[0]):
        highest = reached
        for entry in together:
            worst = 0
            for row in filter(None, entry.rows):
                fitting = [ranks[form][0] for form in row if ranks[form][0] >= reached]
                worst = max(worst, min(fitting, default=_NONE))
            if worst < _NONE:
                highest = max(highest, worst)
            else:
                yield entry, _what_decides(game, entry, reached, ranks)
        reached = highest


_NONE = 1_000


def _what_decides(game: Game, entry: _Entry, reached: int, ranks: Ranks) -> tuple[MissingFact, ...]:
    """The missing facts that decide whether a unit is too late; if there are none, the form that it used."""
    values: dict[MissingFact, dict[str, set[bool]]] = {}
    for row, assumptions in zip(
        entry.rows, entry.phase_legal_forms.legal_forms.assumptions, strict=False
    ):
        fits = any(ranks[form][0] >= reached for form in row)
        for assumption in assumptions:
            told = values.setdefault(assumption.unknown, {})
            told.setdefault(assumption.value, set()).add(fits)
    found = [
        unknown
        for unknown, told in values.items()
        if len({frozenset(answers) for answers in told.values()}) > 1
    ]
    return tuple(found) or (_form_used(game, entry),)


def _form_used(game: Game, entry: _Entry) -> MissingFact:
    """The missing fact: by which form did a unit move?"""
    steps = entry.phase_legal_forms.track.move.steps
    name = names_of(game, (entry.unit,))[0]
    return form_unknown(entry.unit, name, steps[0], steps[-1], sorted(entry.possible))


def _was_interrupted(entry: _Entry, entries: list[_Entry], chosen: dict[str, int]) -> bool:
    """Whether a unit with a later form moved between the first and the last step of ``entry``. Steps in which
    both were dragged do not count, because they do not show which went first."""
    own = chosen.get(entry.unit)
    if own is None:
        return False
    first, last = entry.steps[0], entry.steps[-1]
    return any(
        first < step < last
        for other in entries
        if chosen.get(other.unit, 0) > own
        for step in set(other.steps).difference(entry.steps)
    )


def _told(
    game: Game, entry: _Entry, entries: list[_Entry], reached: int, rule: OrderRule
) -> Finding:
    """The finding that a unit is too late. It cites the clause of the unit's form; if the last form of all
    had begun, the clause of that form."""
    ranks = rule.ranks
    form = max(entry.possible, key=lambda name: ranks[name][0])
    blocking = next(name for name, (rank, _) in ranks.items() if rank == reached)
    last = reached == max(rank for rank, _ in ranks.values())
    clause = ranks[blocking if last else form][1]
    name = names_of(game, (entry.unit,))[0]
    said = f"{name} moved ({form}) after {blocking} movement had begun"
    phase = _phase(entry.phase_legal_forms)
    if phase in rule.perhaps_ranked:
        return _left_open(game, entry, (rule.perhaps_ranked[phase],), rule)
    told = finding(game, _move(entry), clause, "illegal-move", "illegal", said)
    before = [e.phase_legal_forms.track.move.id for e in entries if e.steps[0] < entry.steps[0]]
    return replace(
        told, moves=tuple(dict.fromkeys((*before[-1:], entry.phase_legal_forms.track.move.id)))
    )


def _told_on(game: Game, entry: _Entry, rule: OrderRule) -> Finding:
    """The finding that a unit was moved on after movement in a later form had begun."""
    phase = _phase(entry.phase_legal_forms)
    if phase in rule.perhaps_ranked:
        return _left_open(game, entry, (rule.perhaps_ranked[phase],), rule)
    form = max(entry.possible, key=lambda name: rule.ranks[name][0])
    name = names_of(game, (entry.unit,))[0]
    said = f"{name} was moved on ({form}) after movement of a later kind had begun"
    return finding(game, _move(entry), rule.ranks[form][1], "illegal-move", "illegal", said)


def _left_open(
    game: Game, entry: _Entry, unknowns: tuple[MissingFact, ...], rule: OrderRule
) -> Finding:
    """The finding that a unit may have been too late."""
    form = max(entry.possible, key=lambda name: rule.ranks[name][0])
    name = names_of(game, (entry.unit,))[0]
    said = f"{name} may have moved after the turn of its form of movement was over"
    told = finding(game, _move(entry), rule.ranks[form][1], "unverifiable", "unverifiable", said)
    return replace(told, unknowns=unknowns, remedy=unknowns[0].question if unknowns else "")


def _move(entry: _Entry) -> Move:
    return replace(entry.phase_legal_forms.track.move, units=(entry.unit,))
