"""Whether movement forms that follow on one another in a phase were used in that order.

Which form a unit used is nowhere written: of those open to it the lowest that comes late enough is taken,
so a unit is accused only if no choice of forms for all units before it explains the order.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import groupby, pairwise, product
from math import prod

from ..model.fact import MissingFact
from ..model.finding import Finding, Move
from ..model.game import Game, StepRef
from .checks import form_unknown, names_of
from .legal_forms import LegalForm, PhaseLegalForms
from .ruleset import OrderRule
from .stopovers import Unseen, unseen_end
from .verdicts import earlier_unknown, finding
from .witness import Witnesses

Ranks = Mapping[str, tuple[int, str]]

MOST_ORDERS = 256
"""So many orders in which units may have begun are gone through; where there are more, nobody is accused."""


@dataclass(frozen=True, slots=True)
class _Entry:
    """What a unit did in a phase: ``steps`` are those of its drags, in order, however its moves are cut up;
    ``phase_legal_forms`` is the last of its moves. ``possible``: the forms open to it, ``rows``: those sure
    to be open, or else those that may be, one set for each completion of what is not known of it. ``unseen``:
    the first of its stops, as far as nobody saw it there: it perhaps began only behind them."""

    unit: str
    side: str | None
    steps: tuple[StepRef, ...]
    phase_legal_forms: PhaseLegalForms
    possible: frozenset[str]
    rows: tuple[frozenset[str], ...]
    unseen: tuple[Unseen, ...] = field(default=())

    @property
    def begun(self) -> tuple[_Entry, ...]:
        """What it did, by when it may have begun: at once first, as late as may be last."""
        later = tuple(
            replace(self, steps=tuple(step for step in self.steps if step >= unseen.on))
            for unseen in self.unseen
        )
        return (self, *later)


def check_ranks(
    game: Game, phase_legal_forms: Sequence[PhaseLegalForms], rule: OrderRule, witnesses: Witnesses
) -> Iterator[Finding]:
    """The units that moved by a form whose turn was over, phase by phase and side by side."""
    if not rule.ranks:
        return
    known = [
        e for e in phase_legal_forms if _is_complete(game, e) and _phase(e) not in rule.unranked
    ]
    known.sort(key=lambda entry: entry.track.phase_number)
    for _, phase in groupby(known, key=lambda entry: entry.track.phase_number):
        entries = _entries(game, phase, rule.ranks, witnesses)
        for side in dict.fromkeys(entry.side for entry in entries):
            yield from _of_side(game, [e for e in entries if e.side == side], rule)


def _phase(entry: PhaseLegalForms) -> str:
    return entry.track.move.phase.phase or ""


def _is_complete(game: Game, entry: PhaseLegalForms) -> bool:
    phase = game.phases.get(_phase(entry))
    return entry.track.phase_known and phase is not None and phase.complete


def _entries(
    game: Game, phase_legal_forms: Iterator[PhaseLegalForms], ranks: Ranks, witnesses: Witnesses
) -> list[_Entry]:
    """One entry for each unit, in the order in which they began; what has a form open that has no rank
    is left out."""
    moves: dict[str, list[PhaseLegalForms]] = {}
    for entry in phase_legal_forms:
        moves.setdefault(entry.legal_forms.unit, []).append(entry)
    entries = [_entry(game, unit, found, witnesses) for unit, found in moves.items()]
    kept = [e for e in entries if e.possible and e.possible <= ranks.keys()]
    return sorted(kept, key=lambda entry: entry.steps[0])


def _entry(game: Game, unit: str, moves: Sequence[PhaseLegalForms], witnesses: Witnesses) -> _Entry:
    """What ``unit`` did by its ``moves``, the last of which counts those before it as far as one leads to
    the next; what is missing from it may have been done by another form."""
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
    """The stops of ``unit`` from the first on in which nobody saw it before it went on in other company."""
    in_order = sorted(moves, key=lambda entry: entry.track.events[0])
    for one, other in pairwise(in_order):
        found = unseen_end(game, unit, one.track, other.track, witnesses)
        if found is None:
            return
        yield found


def _surest(row: Sequence[LegalForm]) -> frozenset[str]:
    sure = frozenset(legal_form.form for legal_form in row if legal_form.sure)
    return sure or frozenset(legal_form.form for legal_form in row)


def _of_side(game: Game, entries: list[_Entry], rule: OrderRule) -> Iterator[Finding]:
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
        if entry.phase_legal_forms.whole:
            yield _told(game, entry, entries, reached, rule)
        else:  # it may have begun before, by another form
            yield _left_open(game, entry, (earlier_unknown(game, _move(entry)),), rule)
    for entry, unknowns in _perhaps_late(game, entries, rule):
        if entry.unit not in late:
            late.add(entry.unit)
            yield _left_open(game, entry, unknowns, rule)
    if rule.interleaved is not None:
        for entry in entries:
            if entry.unit in late or not _was_interrupted(entry, entries, chosen):
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


def _is_late(own: _Entry, order: list[_Entry], ranks: Ranks, chosen: dict[str, int]) -> bool:
    """Whether a unit comes too late if all began in this order."""
    return any(entry is own for entry, _ in [*_walk(order, ranks, chosen)])


def _may_be_right(own: _Entry, entries: list[_Entry], ranks: Ranks) -> bool:
    """Whether a unit neither comes too late nor was interrupted in one of the orders."""
    for order in _orders(own, entries):
        chosen: dict[str, int] = {}
        late = _is_late(own, order, ranks, chosen)
        if not late and not _was_interrupted(own, order, chosen):
            return True
    return False


def _orders(own: _Entry, entries: list[_Entry]) -> Iterator[list[_Entry]]:
    """The orders in which all may have begun if ``own`` began when it did: of others with one form as late as
    may be, which is best for ``own``; those with several may have to take a later form then. Where there are
    too many orders, ``own`` alone."""
    others = [entry for entry in entries if entry.unit != own.unit]
    ways = [one.begun if len(one.possible) > 1 else one.begun[-1:] for one in others]
    if prod(map(len, ways)) > MOST_ORDERS:
        yield [own]
        return
    for order in product(*ways):
        yield sorted((own, *order), key=lambda entry: entry.steps[0])


def _asked_of(entries: Iterable[_Entry]) -> tuple[MissingFact, ...]:
    """The questions whether units were where nobody saw them."""
    found = (one.asked for entry in entries for one in entry.unseen)
    return tuple(dict.fromkeys(asked for asked in found if asked is not None))


def _walk(
    entries: list[_Entry], ranks: Ranks, chosen: dict[str, int]
) -> Iterator[tuple[_Entry, int]]:
    """Who comes too late whatever forms are chosen, with the rank reached before. Units that began in
    one step may have gone in any order, whatever each did later."""
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
    """Who comes too late if the facts are against it."""
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
    """The facts that go with being late or not; the form itself where there are none."""
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
    if found:
        return tuple(found)
    steps = entry.phase_legal_forms.track.move.steps
    name = names_of(game, (entry.unit,))[0]
    return (form_unknown(entry.unit, name, steps[0], steps[-1], sorted(entry.possible)),)


def _was_interrupted(entry: _Entry, entries: list[_Entry], chosen: dict[str, int]) -> bool:
    """Whether a unit of a later form was moved before a unit was done; not where both were dragged together,
    which says nothing of who went first."""
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
    """The finding that a unit comes too late: by its own clause, or by that of the last form of all,
    after which nothing else comes."""
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
    """The finding that a unit was moved on after others had begun by a later form."""
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
    """The finding that a unit may have come too late."""
    form = max(entry.possible, key=lambda name: rule.ranks[name][0])
    name = names_of(game, (entry.unit,))[0]
    said = f"{name} may have moved after the turn of its form of movement was over"
    told = finding(game, _move(entry), rule.ranks[form][1], "unverifiable", "unverifiable", said)
    return replace(told, unknowns=unknowns, remedy=unknowns[0].question if unknowns else "")


def _move(entry: _Entry) -> Move:
    return replace(entry.phase_legal_forms.track.move, units=(entry.unit,))
