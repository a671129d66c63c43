"""The ground of one mover in one world: the land, and what enemies add to it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from fractions import Fraction

from ....model.bill import Amount, Charge
from ....model.fact import Unknown
from ...ruleset import START, Account, Breach, Doubt, Step, Tag, World
from ...toll import FREE, Toll, adverse_steps, both, favourable_steps, perhaps, total
from . import questions
from .land import Land, Term, Way
from .tables import Costs
from .zones import QUIET, Presence, Zones, _and

FELT = "zoc"
Asked = Mapping[str, tuple[Unknown, ...]]
_HALT = Breach("GEN-ZOC-STOP", "goes on after an enemy zone of control", "")


class MoverGround:
    """``felt``: whether the mover is subject to zones of control. ``asked``: what is not known of the
    mover itself, by what it bears on (:data:`FELT`, or the reason of a surcharge). See
    :class:`~...ruleset.Ground`."""

    __slots__ = (
        "_alone",
        "_asked",
        "_extras",
        "_felt",
        "_land",
        "_memo",
        "_stops",
        "_world",
        "_zones",
        "least",
    )

    def __init__(
        self, land: Land, zones: Zones, felt: bool | None, asked: Asked, world: World
    ) -> None:
        self._asked = asked
        self._land = land
        self._zones = zones
        self._felt = felt
        self._world = world
        zoc = land.tables.zoc
        self._stops = zoc is not None and zoc.stop
        self._memo = land.memo(world)
        self._alone = zoc is None and land.tables.enemy is None
        self._extras: dict[object, Toll] = land.shared
        self.least = land.least

    def _zoc_toll(self, key: str) -> Toll:
        """What entering, leaving or moving within a zone of control costs this class."""
        found = self._extras.get(key)
        if found is None:
            zoc = self._land.tables.zoc
            costs: Costs | None = getattr(zoc, key) if zoc else None
            found = self._extras[key] = FREE if costs is None else self._land.by_class(costs)
        return found

    def steps(self, hex_name: str, tag: Tag) -> Sequence[Step]:
        """The steps open from a hex in this world."""
        open_steps = self._memo.get(hex_name) if tag is START else None
        if open_steps is None:
            open_steps = self._land.steps(self._world, hex_name, tag)
        if self._alone:
            return open_steps
        known, look = self._zones.known, self._zones.at
        here = known.get(hex_name) or look(hex_name)
        if here is QUIET:
            for step in open_steps:
                if (known.get(step[0]) or look(step[0])) is not QUIET:
                    break
            else:
                return open_steps
        return self._beset(open_steps, here)

    def _beset(self, open_steps: Sequence[Step], here: Presence) -> list[Step]:
        found: list[Step] = []
        opened = favourable_steps if self._world == "favourable" else adverse_steps
        for step in open_steps:
            there = self._zones.at(step.to)
            extra = self._extra(here, there)
            stops = _HALT if self._halts(there) else None
            if extra is FREE and stops is None:
                found.append(step)
            else:
                toll = both(step.way.toll, extra)
                found += opened(step.to, toll, step.tag, step.way, stops)
        return found

    def _extra(self, here: Presence, there: Presence) -> Toll:
        """All that enemies add to a step, by who is where."""
        key = (self._felt, here.zoc, there)
        known = self._extras.get(key)
        if known is None:
            terms = [self._counted(term.toll) for term in self._enemy_terms(here, there)]
            known = self._extras[key] = total(terms) if terms else FREE
        return known

    def _halts(self, there: Presence) -> bool:
        if not self._stops:
            return False
        zoc = _and(there.zoc, self._felt)
        return zoc is True if self._world == "favourable" else zoc is not False

    def _counted(self, toll: Toll) -> Toll:
        """Where hexes are counted, enemies add no cost."""
        if not self._land.tables.hexes:
            return toll
        return Toll(0, 0, toll.barred, toll.whole)

    def _stop(self, origin: str, to: str, there: Presence) -> Breach | None:
        if not self._halts(there):
            return None
        return _HALT._replace(hex=to, origin=origin, units=self._zones.units_to(to))

    def _enemy_terms(self, here: Presence, there: Presence) -> Iterator[Term]:
        """What enemies add to a step."""
        rule = self._land.tables.enemy
        if there.enemy is not False and rule is not None:
            barred = rule.cost is None
            toll = Toll(0, 0, True) if rule.cost is None else self._land.by_class(rule.cost)
            text = "enters an enemy-occupied hex"
            reason = "enemy-occupied hex" if not barred else text
            yield Term(
                perhaps(toll, there.enemy), "GEN-ENEMY", reason, "GEN-ENEMY", text, ("enemy",)
            )
        into, out = _and(there.zoc, self._felt), _and(here.zoc, self._felt)
        for key, holds, clause, what in (
            ("enter", into, "GEN-ZOC-ENTER", "enters an enemy zone of control"),
            ("leave", out, "GEN-ZOC-LEAVE", "leaves an enemy zone of control"),
            (
                "within",
                _and(into, out),
                "GEN-ZOC-WITHIN",
                "goes from one enemy zone of control to another",
            ),
        ):
            toll = self._zoc_toll(key)
            if holds is not False and toll != FREE:
                yield Term(perhaps(toll, holds), clause, what, clause, what, ("zoc", key))

    def relaxed(self, hex_name: str, tag: Tag) -> Sequence[Step]:
        """All steps with what they break; meant for the favourable world."""
        found = []
        here = self._zones.at(hex_name)
        for way in self._land.ways(hex_name):
            if not self._land.is_open(way, tag):
                continue
            there = self._zones.at(way.to)
            terms = (*way.terms, *self._enemy_terms(here, there))
            breaks = tuple(self._breaches(terms, hex_name, way.to))
            toll = FREE
            for term in terms:
                if term.toll.barred is not True:
                    toll = both(toll, term.toll if term in way.terms else self._counted(term.toll))
            stops = self._stop(hex_name, way.to, there)
            after = self._land.tag_after(way, self._world)
            for step in favourable_steps(way.to, toll, after, way, stops):
                found.append(step._replace(breaks=breaks))
        return found

    def _breaches(self, terms: Iterable[Term], origin: str, to: str) -> Iterator[Breach]:
        for term in terms:
            if term.toll.barred is True:
                units = self._resting(term, origin, to)
                yield Breach(term.bar_clause, term.text, to, origin, units)

    def _resting(self, term: Term, origin: str, to: str) -> tuple[str, ...]:
        if term.about == ("enemy",):
            return self._zones.units_to(to)
        if term.about[:1] == ("zoc",):
            hexes = {"enter": (to,), "leave": (origin,), "within": (origin, to)}[term.about[1]]
            return tuple(dict.fromkeys(u for h in hexes for u in self._zones.units_to(h)))
        return ()

    def account(self, hex_name: str, tag: Tag, step: Step) -> Account:
        """The charges of a step, amounts as far as known, and the facts that would make them exact."""
        way: Way = step.way
        here, there = self._zones.at(hex_name), self._zones.at(step.to)
        charges: list[Charge] = []
        doubts: list[Doubt] = []
        units: list[str] = []
        for term in (*way.terms, *self._enemy_terms(here, there)):
            own = term in way.terms
            toll = term.toll if own else self._counted(term.toll)
            if toll.barred is not True and (toll.lo or toll.hi != 0):
                amount = Amount(self._mp(toll.lo), None if toll.hi is None else self._mp(toll.hi))
                charges.append(Charge(step.to, amount, term.clause, term.reason, hex_name))
            if not toll.is_exact:
                doubts += self._doubts(term, toll, hex_name, step.to)
            units += self._resting(term, hex_name, step.to)
        if step.whole:
            reason = "takes the whole allowance"
            charges.append(Charge(step.to, Amount.exactly(0), "GEN-WHOLE", reason, hex_name))
        if self._stops and _and(there.zoc, self._felt) is None:
            doubts += self._zoc_doubts(step.to, None)
        return Account(tuple(charges), tuple(doubts), tuple(dict.fromkeys(units)))

    def _mp(self, amount: int) -> Fraction:
        return Fraction(amount, self._land.scale)

    def _doubts(self, term: Term, toll: Toll, origin: str, to: str) -> Iterator[Doubt]:
        weight = None if toll.barred is None or toll.hi is None else self._mp(toll.hi - toll.lo)
        match term.about:
            case ("enemy",):
                rule = self._land.tables.enemy
                if rule is not None and rule.cost is not None:
                    yield from self._cost_doubts(
                        self._land.by_class(rule.cost), "enemy-occupied hex", weight
                    )
                for unknown in self._zones.doubts_in(to):
                    yield Doubt(unknown, weight)
            case ("zoc", key):
                yield from self._cost_doubts(self._zoc_toll(key), f"zoc.{key}", weight)
                for name in {"enter": (to,), "leave": (origin,)}.get(key, (origin, to)):
                    yield from self._zoc_doubts(name, weight)
            case ("levels",):
                for name in (origin, to):
                    if self._land.board.hexes[name].level is None:
                        yield Doubt(questions.of_board(("levels", name), self._land.who), weight)
            case ("extra", reason):
                for unknown in self._asked.get(reason, ()):
                    yield Doubt(unknown, weight)
                if not self._asked.get(reason):
                    yield Doubt(questions.of_board(("cost", reason), self._land.who), weight)
            case about:
                yield Doubt(questions.of_board(about, self._land.who), weight)

    def _cost_doubts(self, toll: Toll, what: str, weight: Fraction | None) -> Iterator[Doubt]:
        if not toll.is_exact:
            yield Doubt(questions.of_board(("cost", what), self._land.who), weight)

    def _zoc_doubts(self, name: str, weight: Fraction | None) -> Iterator[Doubt]:
        for unknown in self._asked.get(FELT, ()):
            yield Doubt(unknown, weight)
        for unknown in self._zones.doubts_over(name):
            yield Doubt(unknown, weight)
