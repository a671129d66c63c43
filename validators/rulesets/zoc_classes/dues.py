"""What enemies ask of movers of a kind, besides the chart: of those who leave a hex, and of those who
enter one (6.A.4, 6.C, 6.E). Worked out once for each hex, for both worlds."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from ...concepts import logic
from ...concepts.ways import Term
from ...ruleset import World
from ...toll import FREE, Toll, either, total
from .field import Field, Levels
from .land import Payer
from .tables import LEVELS


class Kind(NamedTuple):
    """What of a mover bears on what enemies ask of it. ``german``: it leaves ZOCs as German c/m units
    do. ``overrun``: whether it overruns. ``leaves``: whether it pays for leaving ZOCs. ``night``: it
    moves at night."""

    german: bool | None = False
    overrun: bool | None = False
    leaves: bool | None = True
    night: bool | None = False


class Dues:
    """What one kind of mover owes in one field. Tolls are whole numbers of 1/``scale`` MP."""

    def __init__(self, field: Field, kind: Kind, payer: Payer, scale: int) -> None:
        self._field = field
        self._kind = kind
        self._payer = payer
        self._scale = scale
        self._tolls: dict[tuple[str, Levels, bool | None, bool | None], Toll] = {}
        self._terms: dict[tuple[str, str], tuple[Term, ...]] = {}
        self._out: dict[World, dict[str, int | None]] = {"favourable": {}, "adverse": {}}
        self._in: dict[World, dict[str, int | None]] = {"favourable": {}, "adverse": {}}

    def out_of(self, world: World, here: str) -> int | None:
        """What it takes to leave a hex in a world; None: that is not open."""
        known = self._out[world]
        if here not in known:
            known[here] = cost_of(world, self._leave(here))
        return known[here]

    def into(self, world: World, here: str, to: str) -> int | None:
        """What it takes to enter a hex from a neighbour in a world; None: that is not open."""
        known = self._in[world]
        if to in known:
            found = known[to]
        else:
            calm = self._field.interdicted(to) is False
            toll = self._enter(to) if calm else total(t.toll for t in self._arriving(to))
            found = known[to] = cost_of(world, toll)
        if found is None or not self._field.zones.enemies(to):
            return found
        contact = cost_of(world, total(term.toll for term in self._contact(here, to)))
        return None if contact is None else found + contact

    def terms(self, here: str, to: str) -> tuple[Term, ...]:
        """All that is due on a step, by reason."""
        found = self._terms.get((here, to))
        if found is None:
            found = self._terms[here, to] = tuple(self._due(here, to))
        return found

    def _due(self, here: str, to: str) -> Iterator[Term]:
        field = self._field
        if not (field.quiet(here) and field.quiet(to)):
            yield from self._leaving(here)
            yield from self._arriving(to)
            if field.zones.enemies(to):
                yield from self._contact(here, to)

    def _leaving(self, here: str) -> Iterator[Term]:
        levels = self._field.levels(here)
        if self._kind.leaves is False or levels.hi == 0:
            return
        clause = "ZC-6.C-T1" if self._kind.german else "ZC-6.C-T2"
        about = ("zoc", here, "leave")
        yield Term(self._leave(here), clause, f"leaves {named(levels)}", about=about)

    def _leave(self, here: str) -> Toll:
        field = self._field
        levels = field.levels(here)
        if self._kind.leaves is False or levels.hi == 0:
            return FREE
        key = ("leave", levels, field.screened(here), field.fort(here))
        found = self._tolls.get(key)
        if found is None:
            found = self._tolls[key] = self._to_leave(*key[1:])
        return found

    def _to_leave(self, levels: Levels, screened: bool | None, fort: bool | None) -> Toll:
        tables, kind = self._field.tables, self._kind
        german = self._toll(tables.leave_german, levels) if tables.applies("6.C-T1") else FREE
        others = self._toll(tables.leave, levels) if tables.applies("6.C-T2") else FREE
        toll = german if kind.german else others
        if kind.german is None:
            toll = either(german, others)
        if kind.leaves is None or screened is not False:
            toll = either(FREE, toll)
        reading = tables.reading("forts")
        if fort is not False and reading != "entering":
            toll = FREE if fort and reading == "both" else either(FREE, toll)
        return toll

    def _arriving(self, to: str) -> Iterator[Term]:
        yield from self._entering(to)
        yield from self._interdiction(to)

    def _entering(self, to: str) -> Iterator[Term]:
        tables, levels = self._field.tables, self._field.levels(to)
        if levels.hi == 0 or self._field.fort(to) or not tables.applies("6.C-T3"):
            return
        about = ("zoc", to, "enter")
        yield Term(self._enter(to), "ZC-6.C-T3", f"enters {named(levels)}", about=about)

    def _enter(self, to: str) -> Toll:
        field = self._field
        levels = field.levels(to)
        if levels.hi == 0:
            return FREE
        key = ("enter", levels, field.screened(to), field.fort(to))
        found = self._tolls.get(key)
        if found is None:
            found = self._tolls[key] = self._to_enter(*key[1:])
        return found

    def _to_enter(self, levels: Levels, screened: bool | None, fort: bool | None) -> Toll:
        tables = self._field.tables
        if fort or not tables.applies("6.C-T3"):
            return FREE
        toll = self._toll(tables.enter, levels)
        toll = toll if fort is False else either(FREE, toll)
        if screened is not False:
            low = Toll(0, toll.hi)
            if tables.screened is not None:
                low = self._toll(tables.screened, levels)
            toll = low if screened else either(low, toll)
        return toll

    def _toll(self, row: Sequence[int], levels: Levels) -> Toll:
        costs = row[levels.lo : levels.hi + 1]
        return Toll(min(costs) * self._scale, max(costs) * self._scale)

    def _contact(self, here: str, to: str) -> Iterator[Term]:
        """Enemy-occupied hexes (6.A.4-a): open where no ZOC comes from them, or to an overrun."""
        if not self._field.tables.applies("6.A.4-a"):
            return
        zoc, overrun = self._field.into(to, here), self._kind.overrun
        about = ("contact", to, here)
        if zoc is not False:
            barred = True if zoc and overrun is False else None
            text = "enters a hex with enemies whose ZOC covers the hex it comes from"
            yield Term(Toll(0, 0, barred), "ZC-6.A.4-a", text, "ZC-6.A.4-a", text, about)
        if overrun is not False and self._field.zones.enemies(to):
            cost = Toll(0, None, False)
            yield Term(cost, "ZC-6.A.4-d", "overrun", "ZC-6.A.4-d", about=("overrun", to))

    def _interdiction(self, to: str) -> Iterator[Term]:
        field = self._field
        due = field.interdicted(to)
        night = self._kind.night if field.tables.applies("6.E-d") else False
        due = logic.both(due, logic.negation(night))
        if due is False:
            return
        toll = field.tables.interdiction.toll(self._payer.base, self._scale, "any")
        toll = toll if due else either(FREE, toll)
        yield Term(toll, "ZC-6.E-d", "interdiction", "ZC-6.E-d", about=("interdiction", to))


def cost_of(world: World, toll: Toll) -> int | None:
    """What a toll comes to in a world; None: it leaves no way."""
    if world == "favourable":
        return None if toll.barred else toll.lo
    return toll.hi if toll.barred is False else None


def named(levels: Levels) -> str:
    """A ZOC of these classes, for a person."""
    lo, hi = LEVELS[levels.lo], LEVELS[levels.hi]
    return f"a {lo} ZOC" if lo == hi else f"a ZOC ({lo} to {hi})"
