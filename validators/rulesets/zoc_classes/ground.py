"""The ground of one mover in one world: the chart, what enemy ZOCs cost, what a forced march may use."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import TypeVar

from ....model.bill import Amount, Charge
from ....model.fact import Unknown
from ....model.unit import Unit
from ...concepts import logic, questions
from ...concepts.ways import Term, Way
from ...ruleset import Account, Breach, Doubt, Step, Tag, World
from ...toll import BARRED, FREE, Toll, either, favourable_steps, total
from .field import Field, Levels, reading_unknown
from .land import ZcLand
from .tables import LEVELS

ENTERED: Tag = "entered a ZOC"
"""The tag of a march that has done so, where it counts."""
PARTIAL, FULL = 1, 2
"""Levels of a ZOC that a forced march counts."""


@dataclass(frozen=True, slots=True)
class Traits:
    """What of a mover bears on the ground. ``german``: it leaves ZOCs as German c/m units do.
    ``overrun``: whether it overruns. ``leaves``: whether it pays for leaving ZOCs. ``night``: it moves
    at night. ``march``: it force marches, all of it on clear ground or roads; ``touches``: the ZOC levels
    it then may touch, None: any."""

    german: bool | None = False
    overrun: bool | None = False
    leaves: bool | None = True
    night: bool | None = False
    march: bool = False
    touches: frozenset[int] | None = None
    entered_by: str = ""


Key = TypeVar("Key", str, tuple[str, str])


class ZcGround:
    """See :class:`~...ruleset.Ground`."""

    __slots__ = (
        "_contacts",
        "_field",
        "_in",
        "_land",
        "_out",
        "_traits",
        "_unit",
        "_world",
        "least",
    )

    def __init__(
        self, land: ZcLand, field: Field, world: World, traits: Traits, unit: Unit
    ) -> None:
        self._land = land
        self._field = field
        self._world = world
        self._traits = traits
        self._unit = unit
        self._out: dict[str, int | None] = {}
        self._in: dict[str, int | None] = {}
        self._contacts: dict[tuple[str, str], int | None] = {}
        self.least = land.least

    def steps(self, hex_name: str, tag: Tag) -> Sequence[Step]:
        """The steps open from a hex in this world."""
        if self._traits.march:
            return self._marched(hex_name, tag)
        open_steps = self._land.steps(self._world, hex_name, tag)
        quiet = self._field.quiet
        if quiet(hex_name):
            for step in open_steps:
                if not quiet(step[0]):
                    break
            else:
                return open_steps
        return self._beset(open_steps, hex_name)

    def _beset(self, open_steps: Sequence[Step], here: str) -> list[Step]:
        """Those of the steps out of a hex that enemies leave open, at what they then cost."""
        out = self._due(self._out, here, self._leaving)
        if out is None:
            return []
        found: list[Step] = []
        for step in open_steps:
            to = step.to
            more = self._due(self._in, to, self._arriving)
            if more is not None and self._field.zones.enemies(to):
                contact = self._due(self._contacts, (here, to), self._contact)
                more = None if contact is None else more + contact
            if more is not None:
                extra = out + more
                found.append(step._replace(cost=step.cost + extra) if extra else step)
        return found

    def _due(
        self, known: dict[Key, int | None], key: Key, terms: Callable[[Key], Iterable[Term]]
    ) -> int | None:
        """What terms come to in this world; None: they leave no way."""
        try:
            return known[key]
        except KeyError:
            due = self._sum(terms(key))
            known[key] = due
            return due

    def _sum(self, terms: Iterable[Term]) -> int | None:
        toll = total(term.toll for term in terms)
        if self._world == "favourable":
            return None if toll.barred else toll.lo
        return toll.hi if toll.barred is False else None

    def _marched(self, here: str, tag: Tag) -> list[Step]:
        """The steps of a forced march: roads may be open where the ground beside them is not."""
        found: list[Step] = []
        for step in self._land.every_step(self._world, here, tag):
            extra = self._sum(self._terms(here, step.way))
            if extra is not None:
                found.append(self._reaching(step._replace(cost=step.cost + extra), tag))
        return found

    def _reaching(self, step: Step, tag: Tag) -> Step:
        """``step`` with what is remembered of ZOCs entered, where that counts."""
        goal = self._traits.entered_by
        if not goal:
            return step
        levels = self._field.levels(step.to)
        kind = self._world == "favourable"
        found = levels.hi if kind else levels.lo
        other = levels.lo if kind else levels.hi
        entered = tag == ENTERED or (found >= PARTIAL and other <= FULL)
        after = ENTERED if entered else step.tag
        return step._replace(tag=after, passing=step.to == goal and not entered)

    def _terms(self, here: str, way: Way) -> Iterator[Term]:
        """What is due on a way besides the chart, and what forbids it."""
        field = self._field
        if not (field.quiet(here) and field.quiet(way.to)):
            yield from self._leaving(here)
            yield from self._arriving(way.to)
            if field.zones.enemies(way.to):
                yield from self._contact((here, way.to))
        if self._traits.march:
            yield from self._marching(here, way)

    def _arriving(self, to: str) -> Iterator[Term]:
        yield from self._entering(to)
        yield from self._interdiction(to)

    def _leaving(self, here: str) -> Iterator[Term]:
        traits, tables = self._traits, self._field.tables
        levels = self._field.levels(here)
        if traits.leaves is False or levels.hi == 0:
            return
        german = self._toll(tables.leave_german, levels) if tables.applies("6.C-T1") else FREE
        others = self._toll(tables.leave, levels) if tables.applies("6.C-T2") else FREE
        toll = german if traits.german else others
        if traits.german is None:
            toll = either(german, others)
        if traits.leaves is None or self._field.screened(here) is not False:
            toll = either(FREE, toll)
        fort, reading = self._field.fort(here), tables.reading("forts")
        if fort is not False and reading != "entering":
            toll = FREE if fort and reading == "both" else either(FREE, toll)
        clause = "ZC-6.C-T1" if traits.german else "ZC-6.C-T2"
        yield Term(toll, clause, f"leaves {_named(levels)}", about=("zoc", here, "leave"))

    def _entering(self, to: str) -> Iterator[Term]:
        tables, levels = self._field.tables, self._field.levels(to)
        fort = self._field.fort(to)
        if levels.hi == 0 or fort or not tables.applies("6.C-T3"):
            return
        toll = self._toll(tables.enter, levels)
        toll = toll if fort is False else either(FREE, toll)
        screen = self._field.screened(to)
        if screen is not False:
            low = Toll(0, toll.hi)
            if tables.screened is not None:
                low = self._toll(tables.screened, levels)
            toll = low if screen else either(low, toll)
        yield Term(toll, "ZC-6.C-T3", f"enters {_named(levels)}", about=("zoc", to, "enter"))

    def _toll(self, row: Sequence[int], levels: Levels) -> Toll:
        costs = row[levels.lo : levels.hi + 1]
        return Toll(min(costs) * self._land.scale, max(costs) * self._land.scale)

    def _contact(self, ends: tuple[str, str]) -> Iterator[Term]:
        """Enemy-occupied hexes (6.A.4-a): open where no ZOC comes from them, or to an overrun."""
        here, to = ends
        if not self._field.tables.applies("6.A.4-a"):
            return
        zoc, overrun = self._field.into(to, here), self._traits.overrun
        about = ("contact", to, here)
        if zoc is not False:
            barred = True if zoc and overrun is False else None
            text = "enters a hex with enemies whose ZOC covers the hex it comes from"
            yield Term(Toll(0, 0, barred), "ZC-6.A.4-a", text, "ZC-6.A.4-a", text, about)
        if overrun is not False and self._field.zones.enemies(to):
            cost = Toll(0, None, False)
            yield Term(cost, "ZC-6.A.4-d", "overrun", "ZC-6.A.4-d", about=("overrun", to))

    def _interdiction(self, to: str) -> Iterator[Term]:
        field, traits = self._field, self._traits
        due = field.interdicted(to)
        night = traits.night if field.tables.applies("6.E-d") else False
        due = logic.both(due, logic.negation(night))
        if due is False:
            return
        base = self._land.payer.base
        toll = field.tables.interdiction.toll(base, self._land.scale, "any")
        toll = toll if due else either(FREE, toll)
        yield Term(toll, "ZC-6.E-d", "interdiction", "ZC-6.E-d", about=("interdiction", to))

    def _marching(self, here: str, way: Way) -> Iterator[Term]:
        """A forced march keeps to clear hexes and roads, and to the ZOCs its roll is worked out for."""
        tables, clear = self._field.tables, self._field.tables.march_clear
        terrain = self._land.board.hexes[way.to].terrain
        if not way.road and tables.applies("6.F-c") and not clear.issuperset(terrain or ("?",)):
            text = "force marches into a hex that is not clear, off the roads"
            toll = BARRED if terrain is not None else Toll(0, 0, None)
            yield Term(toll, "ZC-6.F-c", text, "ZC-6.F-c", text, ("terrain", way.to))
        if self._traits.touches is not None:
            for name in (here, way.to):
                levels = self._field.levels(name)
                shut = self._shut(levels)
                if shut is not False:
                    text = f"touches {_named(levels)}"
                    about = ("zoc", name, "march")
                    yield Term(Toll(0, 0, shut), "ZC-6.F-M5", text, "ZC-6.F-M5", text, about)

    def _shut(self, levels: Levels) -> bool | None:
        """Whether a hex with such a ZOC is none that may be touched. Double and triple ZOCs may count as
        full ones: the text does not name them."""
        touches = self._traits.touches or frozenset()
        answers: set[bool | None] = set()
        for level in range(levels.lo, levels.hi + 1):
            if level <= FULL:
                answers.add(level != 0 and level not in touches)
            else:
                answers.add(False if FULL in touches else None)
        return answers.pop() if len(answers) == 1 else None

    def relaxed(self, hex_name: str, tag: Tag) -> Sequence[Step]:
        """All steps with what they break; meant for the favourable world."""
        found = []
        for way in self._land.ways(hex_name):
            terms = (*way.terms, *self._terms(hex_name, way))
            breaks = tuple(self._breaches(terms, hex_name, way.to))
            toll = total(term.toll for term in terms if term.toll.barred is not True)
            for step in favourable_steps(way.to, toll, self._land.tag_after(way, self._world), way):
                found.append(self._reaching(step._replace(breaks=breaks), tag))
        return found

    def _breaches(self, terms: Iterable[Term], origin: str, to: str) -> Iterator[Breach]:
        for term in terms:
            if term.toll.barred is True:
                units = self._resting(term)
                yield Breach(term.bar_clause, term.text, to, origin, units)

    def _resting(self, term: Term) -> tuple[str, ...]:
        """The units whose presence a term rests on."""
        kind, *names = term.about or ("",)
        if kind not in ("zoc", "contact", "overrun"):
            return ()
        board, zones = self._land.board, self._field.zones
        near = (names[0], *(board.neighbours(names[0]) if kind == "zoc" else ()))
        return tuple(dict.fromkeys(u for name in near for u, _ in zones.enemies(name)))

    def account(self, hex_name: str, tag: Tag, step: Step) -> Account:
        """The charges of a step, amounts as far as known, and the facts that would make them exact."""
        way: Way = step.way
        charges: list[Charge] = []
        doubts: list[Doubt] = []
        units: list[str] = []
        for term in (*way.terms, *self._terms(hex_name, way)):
            toll = term.toll
            if toll.barred is not True and (toll.lo or toll.hi != 0):
                amount = Amount(self._mp(toll.lo), None if toll.hi is None else self._mp(toll.hi))
                charges.append(Charge(step.to, amount, term.clause, term.reason, hex_name))
            if not toll.is_exact:
                open_end = toll.barred is None or toll.hi is None
                weight = None if open_end else self._mp((toll.hi or 0) - toll.lo)
                doubts += (Doubt(unknown, weight) for unknown in self._asked(term))
            units += self._resting(term)
        return Account(tuple(charges), tuple(doubts), tuple(dict.fromkeys(units)))

    def _asked(self, term: Term) -> Iterator[Unknown]:
        """What would make a term exact that is not."""
        match term.about:
            case ("zoc", name, _):
                yield from self._zoc_asked(name, term)
            case ("contact", name, origin):
                yield from self._contact_asked(name, origin)
            case ("overrun", name):
                yield _overrun_unknown(name)
            case ("interdiction", name):
                if self._field.interdicted(name) is None:
                    yield questions.of_condition(f"interdiction {name}")
                elif self._traits.night is None:
                    yield questions.of_condition("night")
                else:
                    yield questions.of_board(("cost", "interdiction"), "a unit by day")
            case ("reading", option):
                yield reading_unknown(option)
            case ("weather", *zones):
                yield questions.of_condition(" ".join(("weather", *zones)))
            case ("chart", weather):
                yield questions.of_board(("cost", f"movement in {weather} weather"), "units")
            case ("column",):
                yield questions.of_unit(self._unit, "column")
            case ("rating",):
                yield questions.of_unit(self._unit, "ma")
            case ("several", name):
                key = f"hex {name} terrain that counts"
                yield Unknown(key, f"which of the terrains in hex {name} counts?")
            case _:
                yield questions.of_board(term.about, self._land.who)

    def _zoc_asked(self, name: str, term: Term) -> Iterator[Unknown]:
        field, kind = self._field, term.about[2]
        if not field.levels(name).known:
            yield from field.doubts(name)
            return
        if kind == "leave" and self._traits.german is None:
            yield questions.of_unit(self._unit, "nationality")
        if kind == "leave" and self._traits.leaves is None:
            yield reading_unknown("advance_leaves")
        if field.fort(name) is None:
            yield questions.of_condition(f"fort {name}")
        elif kind == "leave" and field.fort(name):
            yield reading_unknown("forts")
        if kind != "march" and field.screened(name) is None:
            yield questions.of_condition(f"screened {name}")
        elif kind != "march" and field.screened(name):
            yield questions.of_board(("cost", "a screened hex"), "units")

    def _contact_asked(self, name: str, origin: str) -> Iterator[Unknown]:
        if self._field.into(name, origin):
            yield _overrun_unknown(name)
            return
        found = []
        for unit, _ in self._field.zones.enemies(name):
            found += list(self._field.doubts_of(unit, name, "zoc"))
        yield from dict.fromkeys(found)
        if not found:
            yield questions.of_condition(f"zoc {origin}")

    def _mp(self, amount: int) -> Fraction:
        return Fraction(amount, self._land.scale)


def _overrun_unknown(name: str) -> Unknown:
    question = f"did it overrun into {name}, might it, and what does that cost (Rule 12)?"
    return Unknown(f"overrun into {name}", question)


def _named(levels: Levels) -> str:
    lo, hi = LEVELS[levels.lo], LEVELS[levels.hi]
    return f"a {lo} ZOC" if lo == hi else f"a ZOC ({lo} to {hi})"
