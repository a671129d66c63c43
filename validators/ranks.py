"""Checks that movement forms which the rules put in an order were used in that order within a phase.

A log does not show which form a unit used. So each unit is given the lowest-ranked form it may have used that
still fits the order, and a unit is accused only if no choice of forms for all units before it explains the
order.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
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
    unseen: tuple[Unseen, ...] = ()

    @property
    def begun(self) -> tuple[_Entry, ...]:
        """This entry for each step at which the unit may have begun, from the earliest to the latest."""
        later = tuple(
            replace(self, steps=tuple(step for step in self.steps if step >= unseen.on))
            for unseen in self.unseen
        )
        return (self, *later)


_NONE = 1_000


def check_ranks(
    game: Game, phase_legal_forms: Sequence[PhaseLegalForms], rule: OrderRule, witnesses: Witnesses
) -> Iterator[Finding]:
    """The findings about units that used a form after a later form had begun, by phase and then by side."""
    if rule.ranks:
        yield from _Order(game, rule, witnesses).findings(phase_legal_forms)


def _phase(entry: PhaseLegalForms) -> str:
    return entry.track.move.phase.phase or ""


@dataclass(frozen=True, slots=True)
class _Order:
    """The order in which a rule lets the units of one game move by their forms."""

    game: Game
    rule: OrderRule
    witnesses: Witnesses

    def findings(self, phase_legal_forms: Sequence[PhaseLegalForms]) -> Iterator[Finding]:
        """See :func:`check_ranks`."""
        known = [e for e in phase_legal_forms if self._is_looked_at(e)]
        known.sort(key=lambda entry: entry.track.phase_number)
        for _, phase in groupby(known, key=lambda entry: entry.track.phase_number):
            entries = self._entries(phase)
            for side in dict.fromkeys(entry.side for entry in entries):
                yield from self._of_side([e for e in entries if e.side == side])

    def _is_looked_at(self, entry: PhaseLegalForms) -> bool:
        phase = self.game.phases.get(_phase(entry))
        known = entry.track.phase_known and phase is not None and phase.complete
        return known and _phase(entry) not in self.rule.unranked

    def _rank(self, form: str) -> int:
        return self.rule.ranks[form][0]

    def _entries(self, phase_legal_forms: Iterable[PhaseLegalForms]) -> list[_Entry]:
        """One entry for each unit, in the order in which they began. Units that may have used a form without
        a rank are left out."""
        moves: dict[str, list[PhaseLegalForms]] = {}
        for entry in phase_legal_forms:
            moves.setdefault(entry.legal_forms.unit, []).append(entry)
        entries = [self._entry(unit, found) for unit, found in moves.items()]
        kept = [e for e in entries if e.possible and e.possible <= self.rule.ranks.keys()]
        return sorted(kept, key=lambda entry: entry.steps[0])

    def _entry(self, unit: str, moves: Sequence[PhaseLegalForms]) -> _Entry:
        """The entry of ``unit``. Its last move includes those before it if they connect; if some do not, the
        unit may have used other forms for them."""
        last = moves[-1]
        parts = (last,) if last.whole else moves
        return _Entry(
            unit,
            self.game.units[unit].side,
            tuple(sorted({step for entry in moves for step in entry.track.move.steps})),
            last,
            frozenset(one.form for part in parts for one in part.legal_forms.every),
            tuple(_surest(row) for row in last.legal_forms.scenarios),
            tuple(self._not_seen(unit, moves)),
        )

    def _not_seen(self, unit: str, moves: Sequence[PhaseLegalForms]) -> Iterator[Unseen]:
        """The first stops of ``unit`` at which nothing witnessed it before it went on with other units."""
        in_order = sorted(moves, key=lambda entry: entry.track.events[0])
        for one, other in pairwise(in_order):
            found = unseen_end(self.game, unit, one.track, other.track, self.witnesses)
            if found is None:
                return
            yield found

    def _of_side(self, entries: list[_Entry]) -> Iterator[Finding]:
        rule, chosen, late = self.rule, dict[str, int](), set[str]()
        for entry, reached in self._walk(entries, chosen):
            late_always = (self._is_late(entry, order, {}) for order in _orders(entry, entries))
            if not all(late_always):
                asked = _asked_of(e for e in entries if e.steps[0] < entry.steps[0])
                if asked:
                    late.add(entry.unit)
                    yield self._left_open(entry, asked)
                continue
            late.add(entry.unit)
            whole = entry.phase_legal_forms.whole
            if whole or self._began_after(entry, entries, chosen, reached):
                yield self._told(entry, entries, reached)
            else:  # it may have begun earlier, in another form
                yield self._left_open(entry, (earlier_unknown(self.game, _move(entry)),))
        for entry, unknowns in self._perhaps_late(entries):
            if entry.unit not in late:
                late.add(entry.unit)
                yield self._left_open(entry, unknowns)
        if rule.interleaved is not None:
            settled = entries
            for entry in entries:
                if entry.unit in late or not _was_interrupted(entry, entries, chosen):
                    continue
                otherwise = self._by_another_form(entry, settled)
                if otherwise is not None and otherwise[1]:
                    settled = [otherwise[0] if one.unit == entry.unit else one for one in settled]
                elif otherwise is not None:
                    yield self._left_open(entry, (self._form_used(entry),))
                if otherwise is not None:
                    continue
                if any(self._may_be_right(own, entries) for own in entry.begun):
                    reading = () if rule.uninterrupted else (rule.interleaved,)
                    if asked := _asked_of(entries):
                        yield self._left_open(entry, (*reading, *asked))
                elif rule.uninterrupted and entry.phase_legal_forms.whole:
                    yield self._told_on(entry)
                else:
                    yield self._left_open(entry, (rule.interleaved,))

    def _began_after(
        self, own: _Entry, entries: list[_Entry], chosen: Mapping[str, int], reached: int
    ) -> bool:
        """Whether a unit with moves in the phase that are not judged was first displaced after a form of rank
        ``reached`` had begun, with a witness in between, so that it did not begin earlier."""
        timeline = Timeline(self.game)
        number = own.phase_legal_forms.track.phase_number
        first = next(
            index
            for index, event in enumerate(self.game.events)
            if isinstance(event, Displacement)
            and event.unit == own.unit
            and timeline.phase_number(event.at) == number
        )
        begun = (timeline.first_event(e.steps[0]) for e in entries if chosen.get(e.unit) == reached)
        return any(b < first and self.witnesses.too_late(b, first, own.side) for b in begun)

    def _is_late(self, own: _Entry, order: list[_Entry], chosen: dict[str, int]) -> bool:
        """Whether a unit is too late if all units began in this order."""
        return any(entry is own for entry, _ in [*self._walk(order, chosen)])

    def _by_another_form(self, own: _Entry, entries: list[_Entry]) -> tuple[_Entry, bool] | None:
        """``own`` with a form in which it is neither too late nor interrupted, and whether this makes no
        other unit so; None if there is no such form."""
        before = self._troubled(entries)
        found: tuple[_Entry, bool] | None = None
        for one in self._by_rank(own):
            troubled = self._troubled([one if e.unit == own.unit else e for e in entries])
            if own.unit not in troubled and (found is None or not found[1]):
                found = one, troubled <= before
        return found

    def _troubled(self, entries: list[_Entry]) -> set[str]:
        """The units that are too late or interrupted, if each uses the first form that it can."""
        chosen: dict[str, int] = {}
        late = {entry.unit for entry, _ in self._walk(entries, chosen)}
        return late | {e.unit for e in entries if _was_interrupted(e, entries, chosen)}

    def _by_rank(self, own: _Entry) -> Iterator[_Entry]:
        """``own`` once for each rank of its possible forms, as if it had used a form of that rank."""
        for rank in sorted({self._rank(form) for form in own.possible}):
            yield replace(own, possible=frozenset(f for f in own.possible if self._rank(f) == rank))

    def _may_be_right(self, own: _Entry, entries: list[_Entry]) -> bool:
        """Whether there are an order and a form of ``own`` by which it is neither too late nor
        interrupted."""
        for one in self._by_rank(own):
            for order in _orders(one, entries):
                chosen: dict[str, int] = {}
                late = self._is_late(one, order, chosen)
                if not late and not _was_interrupted(one, order, chosen):
                    return True
        return False

    def _walk(self, entries: list[_Entry], chosen: dict[str, int]) -> Iterator[tuple[_Entry, int]]:
        """The units that are too late whatever forms are chosen, each with the rank reached before it.
        ``chosen`` receives the rank of each other unit. Units that began in the same step may have moved in
        any order."""
        reached = 0
        for _, together in groupby(entries, key=lambda entry: entry.steps[0]):
            highest = reached
            for entry in together:
                fitting = [r for r in map(self._rank, entry.possible) if r >= reached]
                if fitting:
                    chosen[entry.unit] = min(fitting)
                    highest = max(highest, chosen[entry.unit])
                else:
                    yield entry, reached
            reached = highest

    def _perhaps_late(
        self, entries: list[_Entry]
    ) -> Iterator[tuple[_Entry, tuple[MissingFact, ...]]]:
        """The units that are too late under the most adverse completion, with the missing facts that decide
        it."""
        reached = 0
        for _, together in groupby(entries, key=lambda entry: entry.steps[0]):
            highest = reached
            for entry in together:
                worst = 0
                for row in filter(None, entry.rows):
                    fitting = (r for r in map(self._rank, row) if r >= reached)
                    worst = max(worst, min(fitting, default=_NONE))
                if worst < _NONE:
                    highest = max(highest, worst)
                else:
                    yield entry, self._what_decides(entry, reached)
            reached = highest

    def _what_decides(self, entry: _Entry, reached: int) -> tuple[MissingFact, ...]:
        """The missing facts that decide whether a unit is too late; if there are none, the form that it
        used."""
        values: dict[MissingFact, dict[str, set[bool]]] = {}
        legal_forms = entry.phase_legal_forms.legal_forms
        for row, assumptions in zip(entry.rows, legal_forms.assumptions, strict=False):
            fits = any(self._rank(form) >= reached for form in row)
            for assumption in assumptions:
                told = values.setdefault(assumption.unknown, {})
                told.setdefault(assumption.value, set()).add(fits)
        found = [
            unknown
            for unknown, told in values.items()
            if len({frozenset(answers) for answers in told.values()}) > 1
        ]
        return tuple(found) or (self._form_used(entry),)

    def _name(self, entry: _Entry) -> str:
        return names_of(self.game, (entry.unit,))[0]

    def _form_used(self, entry: _Entry) -> MissingFact:
        """The missing fact: by which form did a unit move?"""
        steps = entry.phase_legal_forms.track.move.steps
        forms = sorted(entry.possible)
        return form_unknown(entry.unit, self._name(entry), steps[0], steps[-1], forms)

    def _told(self, entry: _Entry, entries: list[_Entry], reached: int) -> Finding:
        """The finding that a unit is too late. It cites the clause of the unit's form; if the last form of
        all had begun, the clause of that form."""
        ranks = self.rule.ranks
        form = max(entry.possible, key=self._rank)
        blocking = next(name for name, (rank, _) in ranks.items() if rank == reached)
        last = reached == max(map(self._rank, ranks))
        clause = ranks[blocking if last else form][1]
        said = f"moved ({form}) after {blocking} movement had begun"
        told = self._accused(entry, clause, said)
        if told.verdict != "illegal":
            return told
        before = [e.phase_legal_forms.track.move.id for e in entries if e.steps[0] < entry.steps[0]]
        moves = dict.fromkeys((*before[-1:], entry.phase_legal_forms.track.move.id))
        return replace(told, moves=tuple(moves))

    def _told_on(self, entry: _Entry) -> Finding:
        """The finding that a unit was moved on after movement in a later form had begun."""
        form = max(entry.possible, key=self._rank)
        said = f"was moved on ({form}) after movement of a later kind had begun"
        return self._accused(entry, self.rule.ranks[form][1], said)

    def _accused(self, entry: _Entry, clause: str, said: str) -> Finding:
        """An accusation; left open in a phase in which a reading decides whether forms have an order."""
        phase = _phase(entry.phase_legal_forms)
        if phase in self.rule.perhaps_ranked:
            return self._left_open(entry, (self.rule.perhaps_ranked[phase],))
        said = f"{self._name(entry)} {said}"
        return finding(self.game, _move(entry), clause, "illegal-move", "illegal", said)

    def _left_open(self, entry: _Entry, unknowns: tuple[MissingFact, ...]) -> Finding:
        """The finding that a unit may have been too late."""
        clause = self.rule.ranks[max(entry.possible, key=self._rank)][1]
        said = f"{self._name(entry)} may have moved after the turn of its form of movement was over"
        told = finding(self.game, _move(entry), clause, "unverifiable", "unverifiable", said)
        return replace(told, unknowns=unknowns, remedy=unknowns[0].question if unknowns else "")


def _surest(row: Sequence[LegalForm]) -> frozenset[str]:
    sure = frozenset(legal_form.form for legal_form in row if legal_form.sure)
    return sure or frozenset(legal_form.form for legal_form in row)


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


def _move(entry: _Entry) -> Move:
    return replace(entry.phase_legal_forms.track.move, units=(entry.unit,))
