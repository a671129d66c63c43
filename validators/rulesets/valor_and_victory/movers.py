"""Who moves: the scenarios of a unit, its movement points, what may forbid it to move at all."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from fractions import Fraction

from ....model.bill import ZERO, Amount
from ....model.fact import Fact, Unknown, known
from ....model.finding import Move
from ....model.game import Game
from ....model.unit import Unit
from ...concepts.completions import Facts, completions
from ...concepts.requirements import question
from ...concepts.zones import Zones
from ...ruleset import (
    Assumption,
    Breach,
    Budget,
    Circumstances,
    Doubt,
    Ground,
    Policy,
    Requirement,
    Scenario,
    World,
)
from ...search import Purse, cheapest
from .company import Company, company
from .drive import DriveGround, Rig
from .foot import FootGround
from .free import FreeGround
from .halts import entered_anew, put_back, thrown_back
from .land import VvLand
from .lanes import Lanes
from .markers import Marks, assault_move, marked
from .rates import Rate, rate
from .record import Record
from .ride import is_borne, rides, towing
from .sights import course, facings_known
from .tables import CLASSES, DRIVEN, FOOT, GUN, INFANTRY, WEAPON, Tables

ENEMIES = (Requirement("class", CLASSES),)
"""Whose presence bars a hex: weapons left lying do not, nor do snipers (17.6)."""


_LARGE_GUNS = Unknown(
    "reading large_guns_advance",
    "may a large gun advance one hex (5.35), though it moves only in tow (1.15)?",
    "pack.toml",
    '[options]\nlarge_guns_advance = "?"',
)
_ENTERING = "VV-6.10-a"
_COLUMN = {**dict.fromkeys(FOOT, INFANTRY), **{cls: cls for cls in (*DRIVEN, GUN)}}


@dataclass(frozen=True, slots=True, eq=False)
class VvMover:
    """See :class:`~vassal_umpire.validators.ruleset.Mover`."""

    form: str
    budget: Budget
    barred: tuple[Breach, ...]
    perhaps_barred: tuple[Doubt, ...]
    make: Callable[[World], Ground]

    def ground(self, world: World) -> Ground:
        """The board as it finds it in one world."""
        return self.make(world)


@dataclass(frozen=True, slots=True)
class _Job:
    """One move of one unit: ``advance``: by 5.35. ``marks``: what it bore when it moved. ``alone``:
    without a leader."""

    unit: Unit
    move: Move
    circumstances: Circumstances
    advance: bool
    marks: Marks
    alone: bool


class Muster:
    """Makes the scenarios of every unit of a game."""

    def __init__(self, game: Game, tables: Tables) -> None:
        self.game = game
        self.tables = tables
        self.record = Record(game)
        self._lanes: dict[tuple[int, World], Lanes] = {}
        self._lands: dict[tuple[str, str, bool], VvLand] = {}
        self._veiled = any(unit.seen_by is not None for unit in game.units.values())
        self._zones: tuple[Circumstances, dict[str | None, Zones]] | None = None

    def land(self, column: str, one_hex: str, climbs: bool) -> VvLand:
        """The land of a column of the chart, worked out once."""
        key = (column, one_hex, climbs)
        if key not in self._lands:
            self._lands[key] = VvLand(self.game.board, self.tables, column, one_hex, climbs)
        return self._lands[key]

    def lanes(self, land: VvLand, world: World) -> Lanes:
        """The steps of vehicles over a land, worked out once."""
        key = (id(land), world)
        if key not in self._lanes:
            self._lanes[key] = Lanes(land, world)
        return self._lanes[key]

    def zones(self, circumstances: Circumstances, side: str | None) -> Zones:
        """The enemies of ``side``, looked up once for all units of a move."""
        if self._zones is None or self._zones[0] is not circumstances:
            self._zones = (circumstances, {})
        found = self._zones[1].get(side)
        if found is None:
            found = Zones(circumstances, side, None, ENEMIES, None, self._veiled)
            self._zones[1][side] = found
        return found

    def scenarios(
        self, unit: str, circumstances: Circumstances, *, alone: bool = False
    ) -> tuple[Scenario, ...]:
        """One scenario per completion of what is not known of the unit; ``alone``: as if no leader had
        gone along."""
        whose, move = self.game.units[unit], circumstances.move
        if move is None or not self.record.of_move(unit, move):
            return ()
        if whose.fact("class").must_be(WEAPON):
            borne = is_borne(whose, move, self.record)
            return (Scenario((_passenger(circumstances),)),) if borne else ()
        carried = rides(whose, move, self.record)
        asked = question(whose, "aboard")
        found: list[Scenario] = []
        if carried is not False:
            told = () if carried else (Assumption(asked, "a carrier"),)
            found.append(Scenario((_passenger(circumstances),), told))
        if not carried:
            told = () if carried is False else (Assumption(asked, "no"),)
            facts = self._facts(whose, move)
            for completed, assumed in completions(whose, facts, _options):
                movers = tuple(self._movers(whose, completed, circumstances, move, alone))
                halted = self._halted(whose, circumstances, move) if movers else ()
                found.append(Scenario((*movers, *halted), (*told, *assumed)))
        return tuple(found)

    def _halted(self, unit: Unit, circumstances: Circumstances, move: Move) -> tuple[VvMover, ...]:
        """Its move as it may have been if it was stopped by fire and put back to that hex (13.8), only
        shown where it assaulted (15), or put on the map by the wrong hex first."""
        kind = self.tables.phases.get(circumstances.situation.phase.phase or "")
        drags = self.record.of_move(unit.id, move)
        asked: list[Unknown] = []
        stopped = put_back(unit.id, drags, self.record) if kind != "advance" else None
        if stopped is not None:
            text = f"was {unit.name} stopped in {stopped} by Opportunity Fire (13.8), and put back there?"
            asked.append(Unknown(f"unit {unit.id} stopped in {stopped}", text))
        on_foot = any(unit.fact("class").may_be(cls) for cls in FOOT) and kind != "movement"
        shown = thrown_back(unit.id, drags, self.record) if on_foot else None
        if shown is not None:
            text = f"was {unit.name} put in {shown} for a close assault (15) that failed?"
            asked.append(Unknown(f"unit {unit.id} assaulting {shown}", text))
        entry = entered_anew(unit.id, drags, self.record)
        if entry is not None:
            text = (
                f"did {unit.name} enter the map by {entry}, and was only put down elsewhere before?"
            )
            asked.append(Unknown(f"unit {unit.id} entering by {entry}", text))
        doubts = tuple(Doubt(unknown) for unknown in asked)
        return (replace(_passenger(circumstances), perhaps_barred=doubts),) if doubts else ()

    def _facts(self, unit: Unit, move: Move) -> Facts:
        first = self.record.of_move(unit.id, move)[0]
        facts = {
            about: self.record.fact(unit.id, about, first) for about in ("class", "mp", "weapon")
        }
        return {**facts, "assault": assault_move(unit, move, self.record)}

    def _movers(
        self, unit: Unit, facts: Facts, circumstances: Circumstances, move: Move, alone: bool
    ) -> Iterator[VvMover]:
        cls = str(facts["class"].value) if facts["class"].is_known else ""
        if cls not in CLASSES:
            return
        phase = circumstances.situation.phase.phase or ""
        kind = self.tables.phases.get(phase)
        doubts = [Doubt(_kind_unknown(phase))] if phase and kind is None else []
        marks = marked(unit, move, self.record)
        for advance in (False, True):
            if kind is not None and advance != (kind == "advance"):
                continue
            job = _Job(unit, move, circumstances, advance, marks, alone)
            barred, maybe = self._barred(job, cls, facts)
            for form in circumstances.forms:
                yield self._mover(job, cls, facts, form, barred, (*doubts, *maybe))

    def _mover(
        self,
        job: _Job,
        cls: str,
        facts: Facts,
        form: str,
        barred: tuple[Breach, ...],
        maybe: tuple[Doubt, ...],
    ) -> VvMover:
        if cls in DRIVEN:
            return self._driven(job, cls, facts["mp"], form, barred, maybe)
        if cls == GUN:
            return self._gun(job, facts["mp"], form, barred, maybe)
        return self._foot(job, cls, facts, form, barred, maybe)

    def _foot(
        self,
        job: _Job,
        cls: str,
        facts: Facts,
        form: str,
        barred: tuple[Breach, ...],
        maybe: tuple[Doubt, ...],
    ) -> VvMover:
        tables = self.tables
        assault = facts["assault"].must_be(True) or form == tables.forms["assault"]
        one_hex = "VV-5.35-a" if job.advance else ""
        land = self.land(INFANTRY, one_hex, job.advance or not assault)
        zones = self.zones(job.circumstances, job.unit.side)
        assaulting = form == tables.forms["close_assault"] and tables.applies("5.35-b")

        def ground(world: World) -> FootGround:
            close = job.advance and assaulting
            maybe = job.advance and self._goes_on(job) and tables.applies("5.35-b")
            start = job.move.origin.name
            return FootGround(land, zones, world, assaulting=close, perhaps=maybe, start=start)

        if job.advance:
            return VvMover(form, self._one_hex("5.35-a"), barred, maybe, ground)
        own = job.alone or cls in ("leader", "hero")  # whoever leads needs nobody to lead him
        going = Company() if own else company(job.unit, job.move, self.record)
        heavy = facts["weapon"].must_be("heavy")
        found: Rate = rate(cls, assault, heavy, going, tables)
        if going.lost and cls not in ("leader", "hero"):
            found = found.after_loss(self._spent_with_leader(job, going.lost, ground), tables)
        doubts = found.doubts(going)
        budget = Budget(
            found.amount,
            found.clause,
            "MP",
            self._minimum(),
            found.stages,
            doubts,
            entering=_ENTERING,
        )
        halted = (found.breach,) if found.breach is not None else ()
        return VvMover(form, budget, (*barred, *halted), maybe, ground)

    def _spent_with_leader(
        self, job: _Job, lost: int, ground: Callable[[World], Ground]
    ) -> tuple[str, Fraction] | None:
        """Where the leader was lost, and the least that had been spent then; None if the stop there may
        have been for a moment only."""
        move = job.move
        places = [
            place.name
            for place, binds in list(zip(move.waypoints, move.binding, strict=True))[1 : lost + 1]
            if place.kind == "hex" and binds
        ]
        if not places or move.waypoints[lost].name != places[-1]:
            return None
        board = self.game.board
        route = cheapest(board, ground("favourable"), move.origin.name, places, Purse(None))
        return None if route is None else (places[-1], Fraction(route.spent, self.tables.scale))

    def _gun(
        self,
        job: _Job,
        printed: Fact,
        form: str,
        barred: tuple[Breach, ...],
        maybe: tuple[Doubt, ...],
    ) -> VvMover:
        clause = "5.35-a" if job.advance else "6.32-b"
        land = self.land(GUN, f"VV-{clause}", False)
        zones = self.zones(job.circumstances, job.unit.side)
        reading = self.tables.large_guns_advance if job.advance else "no"
        if self.tables.applies("1.15-a") and reading != "yes":
            if reading == "open" and (printed.low is None or printed.low <= 0):
                maybe = (*maybe, Doubt(_LARGE_GUNS))
            elif printed.high is not None and printed.high <= 0:
                barred = (*barred, Breach("VV-1.15-a", "is a large gun, and moves only in tow", ""))
            elif printed.low is None or printed.low <= 0:
                maybe = (*maybe, Doubt(question(job.unit, "mp")))
        if job.advance and printed.high is not None and printed.high <= 0:
            barred = (*barred, *self._into_building(job))

        def ground(world: World) -> FootGround:
            return FootGround(land, zones, world)

        return VvMover(form, self._one_hex(clause), barred, maybe, ground)

    def _into_building(self, job: _Job) -> Iterator[Breach]:
        """A large gun may not be in a building; a hex with a road may be a road hex (10.4)."""
        name, board = job.move.target.name, self.game.board
        plain = board.hexes[name].terrain == ("building",) and "lines" in board.complete
        if (
            plain
            and self.tables.applies("10.4-a")
            and not any(name in line.hexes for line in board.lines)
        ):
            origin = job.move.origin.name
            yield Breach("VV-10.4-a", "brings a large gun into a building", name, origin)

    def _driven(
        self,
        job: _Job,
        cls: str,
        printed: Fact,
        form: str,
        barred: tuple[Breach, ...],
        maybe: tuple[Doubt, ...],
    ) -> VvMover:
        tables, record = self.tables, self.record
        land = self.land(cls, "VV-5.35-a" if job.advance else "", False)
        zones = self.zones(job.circumstances, job.unit.side)
        tows = towing(job.unit, record.of_move(job.unit.id, job.move)[0], record)
        if not facings_known(job.unit, job.move, record, tables):
            maybe = (*maybe, Doubt(question(job.unit, "facing")))

        def ground(world: World) -> DriveGround:
            seen = course(job.unit, job.move, record, tables, world)
            rig = Rig(cls, seen, tows, job.advance, self._goes_on(job))
            return DriveGround(land, zones, world, rig, self.lanes(land, world))

        if job.advance:
            return VvMover(form, self._one_hex("5.35-a"), barred, maybe, ground)
        amount = Amount(max(Fraction(0), printed.low or Fraction(0)), printed.high)
        doubts = () if amount.is_exact else (Doubt(question(job.unit, "mp")),)
        limit = amount if tables.applies("6.32-a") else None
        budget = Budget(limit, "VV-6.32-a", "MP", self._minimum(), (), doubts, entering=_ENTERING)
        return VvMover(form, budget, barred, maybe, ground)

    def _goes_on(self, job: _Job) -> bool:
        """Whether it need not end where the move does."""
        drags = self.record.of_move(job.unit.id, job.move)
        return self.record.goes_on(job.unit.id, drags[-1])

    def _one_hex(self, clause: str) -> Budget:
        limit = Amount.exactly(1) if self.tables.applies(clause) else None
        return Budget(limit, f"VV-{clause}", "hexes", entering=_ENTERING)

    def entered(self, unit: str, event: int) -> Amount | None:
        """What coming onto the map from a box for entry cost a unit (6.10); None if that is not known."""
        record, tables = self.record, self.tables
        first = record.drag(record.in_phase(unit, event)[0])
        fact = record.fact(unit, "class", event)
        column = _COLUMN.get(str(fact.value)) if fact.is_known else None
        if first.origin.name not in tables.entry or first.target.kind != "hex" or column is None:
            return None
        if not tables.applies("6.10-a"):
            return ZERO
        kind = tables.phases.get(self.record.timeline.phase(first.at).phase or "")
        if kind == "advance" or column == GUN:
            return Amount.exactly(1)
        land = self.land(column, "", False)
        toll = land.into(first.target.name)
        scale = tables.scale
        return Amount(
            Fraction(toll.lo, scale), None if toll.hi is None else Fraction(toll.hi, scale)
        )

    def _minimum(self) -> Policy:
        return Policy("VV-6.6-a" if self.tables.applies("6.6-a") else "")

    def _barred(
        self, job: _Job, cls: str, facts: Facts
    ) -> tuple[tuple[Breach, ...], tuple[Doubt, ...]]:
        """What forbids the unit to move at all, and what may."""
        barred: list[Breach] = []
        doubts: list[Doubt] = []
        for clause, holds, text, about in self._bans(job, cls, facts):
            if holds is False or not self.tables.applies(clause):
                continue
            if holds:
                barred.append(Breach(f"VV-{clause}", text, ""))
            else:
                doubts.append(Doubt(question(job.unit, about)))
        return tuple(barred), tuple(doubts)

    def _bans(
        self, job: _Job, cls: str, facts: Facts
    ) -> Iterator[tuple[str, bool | None, str, str]]:
        """(clause, whether it holds, what it would be, the attribute it rests on)."""
        marks = job.marks
        yield "14.7-a", marks.pinned, "is pinned, and does nothing", "pinned"
        if not job.advance:
            yield "5.33-a", marks.fired, "has fired, and does not move", "fired"
            yield "5.33-b", marks.moved, "has moved before in the phase", "moved"
        if cls == "afv":
            yield "18.6-a", marks.immobile, "is immobilized", "immobile"
        hit = marks.halted if cls == "afv" else marks.pinned_on_the_way
        yield "13.8-a", hit, "goes on after it was pinned or immobilized on the way", "pinned"
        if cls in FOOT:
            several = marks.weapons
            if several is not None:
                yield "12.2-b", several, "carries more than one support weapon", "weapons"
            if cls in ("leader", "hero") and facts["weapon"].must_be("heavy"):
                yield "12.2-b", True, "carries a heavy weapon, being a leader", "weapon"


def _passenger(circumstances: Circumstances) -> VvMover:
    """A unit that its carrier took along."""
    move = circumstances.move
    places = move.waypoints if move is not None else ()
    shown = tuple(dict.fromkeys(place.name for place in places if place.kind == "hex"))

    def ground(world: World) -> FreeGround:
        return FreeGround(shown)

    return VvMover(circumstances.forms[0], Budget(None, ""), (), (), ground)


def _options(about: str, fact: Fact) -> tuple[Fact, ...]:
    if about == "mp":
        return ()
    every: dict[str, tuple[str | bool, ...]] = {
        "class": CLASSES,
        "weapon": ("light", "heavy"),
        "assault": (False, True),
    }
    options = fact.options if fact.options is not None else every[about]
    return tuple(known(option) for option in options)


def _kind_unknown(phase: str) -> Unknown:
    return Unknown(
        f"kind of phase {phase}",
        f"is the phase {phase} one of movement or of advance?",
        "pack.toml",
        f'[rules.phases]\nmovement = ["{phase}"]',
    )
