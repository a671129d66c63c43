"""The movement allowance (5.2): the base by the kind of unit, what cuts it and what raises it.

Where the text does not say how cuts and raises combine, every order is computed, and the result is the
range of the outcomes.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import permutations, product
from math import ceil

from ....model.bill import Amount
from ....model.fact import Fact, MissingFact, Value
from ....model.stanza import BLANK, pack_stanza
from ....model.unit import Unit
from ...concepts import missing_facts
from ...ruleset import WeightedFact
from .neighbourhood import Neighbourhood
from .open_readings import of_reading
from .tables import BY_KIND, LEG, MECH, UNKNOWN_GROUND, GroundState, Tables
from .units import fits

HALF = Fraction(1, 2)
ONE = Amount.exactly(1)
_MOST = Fraction(14)
RECON = (("recon", "5.2-b0"), ("hybrid-recon", "5.2-b1"), ("m5", "5.2-b2"), ("m8", "5.2-b3"))
RECON_KINDS = (*RECON, ("daimler", "5.2-b4"))


@dataclass(frozen=True, slots=True)
class Change:
    """A factor that multiplies the allowance, as an interval; ``missing_fact``: the question that would
    make it exact, None if it is exact."""

    clause: str
    factor: Amount
    reason: str
    missing_fact: MissingFact | None = None


@dataclass(frozen=True, slots=True)
class Allowance:
    """What a unit may spend, in MPs: the amount, the stages that led to it as (clause, text), and the facts
    that would make it exact."""

    amount: Amount
    stages: tuple[tuple[str, str], ...]
    missing: tuple[WeightedFact, ...]


@dataclass(frozen=True, slots=True)
class AllowanceCalculator:
    """Computes the allowance of one unit. ``mover``: the movement class printed on it; ``kind``: the value
    of its attribute ``type``; ``motor``: whether it bears a Motor Unit marker."""

    unit: Unit
    neighbourhood: Neighbourhood
    mover: str
    kind: str
    nation: str
    motor: bool
    in_battery: bool = False

    @property
    def tables(self) -> Tables:
        return self.neighbourhood.tables

    def fact(self, attribute: str) -> Fact:
        """What is known of the unit."""
        return self.neighbourhood.units.fact(self.unit.id, attribute)

    def _is(self, *kinds: str) -> bool:
        return any(self.kind in self.tables.types[kind] for kind in kinds)

    def allowance(self, *, strategic: bool, off_road: bool) -> Allowance:
        """The allowance in MPs. ``strategic``: in Strategic Mode; ``off_road``: for tactical movement."""
        base, clause, asked = self._base(as_mech=self.motor or not off_road)
        cuts, raises = tuple(self._cuts()), tuple(self._raises(strategic))
        plus, plus_missing_fact = self._plus() if off_road else (Amount.exactly(0), None)
        if not (cuts or raises or asked or plus.hi) and base.is_exact:
            return Allowance(base, ((f"WAR-{clause}", f"base allowance {base}"),), ())
        bounds = [self._bound(base, cuts, raises, plus, low=low) for low in (True, False)]
        amount = Amount(bounds[0] or Fraction(0), bounds[1])
        stages = [(f"WAR-{clause}", f"base allowance {base}")]
        stages += [(f"WAR-{c.clause}", f"{c.reason}: times {c.factor}") for c in (*cuts, *raises)]
        if plus != Amount.exactly(0):
            stages.append(("WAR-5.2.1b-4", f"ground: plus {plus}"))
        missing = [
            *asked,
            *(c.missing_fact for c in (*cuts, *raises) if c.missing_fact is not None),
        ]
        missing += [plus_missing_fact] if plus_missing_fact is not None else []
        if not amount.is_exact and not missing:
            missing = list(self._open_readings(base, cuts, raises, plus))
            settled = self.tables.reading("ma_rounding") != "undecided"
            missing = missing or [of_reading("ma_sequence" if settled else "ma_rounding")]
        found = () if amount.is_exact else tuple(WeightedFact(u) for u in dict.fromkeys(missing))
        return Allowance(amount, tuple(stages), found)

    def _base(self, *, as_mech: bool) -> tuple[Amount, str, list[MissingFact]]:
        """The base allowance in MPs, the clause that gives it, and what to ask if it is not exact.
        ``as_mech``: a Leg unit is taken to move on trucks."""
        if not self.neighbourhood.units.is_told(self.unit.id, "ma"):
            return self._by_rules(as_mech)
        printed = self.fact("ma")
        if printed.must_be(BY_KIND):
            return self._by_rules(as_mech)
        named = Amount(printed.low or Fraction(0), printed.high)
        if printed.options is not None:
            several = [self._as_printed(option, as_mech) for option in printed.options]
            most = [amount.hi for amount in several if amount.hi is not None]
            high = max(most) if len(most) == len(several) else None
            named = Amount(min(amount.lo for amount in several), high)
        asked = [] if named.is_exact else [missing_facts.of_unit(self.unit, "ma")]
        return named, "5.2-d", asked

    def _as_printed(self, option: Value, as_mech: bool) -> Amount:
        """The base for one possible value of the attribute ``ma``; from 0 without an upper bound if the
        value is not a number."""
        if option == BY_KIND:
            return self._by_rules(as_mech)[0]
        return Amount.exactly(option) if isinstance(option, Fraction) else Amount(Fraction(0), None)

    def _by_rules(self, as_mech: bool) -> tuple[Amount, str, list[MissingFact]]:
        """The base allowance by 5.2, the clause that gives it, and what to ask if it is not exact."""
        number, clause, asked = self._by_kind(as_mech)
        if clause and self.tables.applies(clause):
            return number, clause, asked
        if not self.tables.applies("5.2-d"):
            return Amount(Fraction(9), _MOST), "5.2-d", []
        return Amount.exactly(12), "5.2-d", []

    def _by_kind(self, as_mech: bool) -> tuple[Amount, str, list[MissingFact]]:
        """The base by the kind of unit, the clause that gives it ('' if no clause names the kind), and what
        to ask."""
        if self.mover == MECH:
            for kind, clause in RECON_KINDS:
                if self._is(kind):
                    return Amount.exactly(14), clause, []
        if self._is("heavy") and self.nation == "german":
            return Amount.exactly(9), "5.2-c1", []
        if self._is("at") and self.mover == LEG and self.nation == "german":
            if self.motor:
                return self._on_trucks_as_read("leg_at_ma_on_trucks", "5.2-c2")
            return Amount.exactly(9), "5.2-c2", []
        if self._is("artillery"):
            horse = fits(self.fact("traction"), ("horse",))
            if horse and self.motor:
                return self._on_trucks_as_read("horse_ma_on_trucks", "5.2-c3")
            if horse:
                return Amount.exactly(9), "5.2-c3", []
            if horse is None:
                asked = [missing_facts.of_unit(self.unit, "traction")]
                return Amount(Fraction(9), Fraction(12)), "5.2-c3", asked
        if self._is("bridge") and self.nation == "german":
            return Amount.exactly(9), "5.2-c4", []
        if self.mover == MECH:
            return self._by_name()
        return self._on_trucks() if as_mech else (Amount.exactly(12), "", [])

    def _on_trucks_as_read(self, option: str, clause: str) -> tuple[Amount, str, list[MissingFact]]:
        """The base of a unit on trucks whose own base is 9, by the reading ``option``; 9 to 12 if the
        reading is open."""
        said = self.tables.reading(option)
        if said != "undecided":
            return Amount.exactly(Fraction(said)), clause, []
        return Amount(Fraction(9), Fraction(12)), clause, [of_reading(clause)]

    def _on_trucks(self) -> tuple[Amount, str, list[MissingFact]]:
        """The base of a Leg unit that moves as Mech. The text does not say whether a recon unit then counts
        as Mech recon."""
        scouts = any(self._is(kind) for kind, _ in RECON_KINDS)
        said = self.fact("designation").options
        if not scouts and said is not None and not any(map(_says_recon, said)):
            return Amount.exactly(12), "", []
        counts = self.tables.says("recon_on_trucks")
        if counts is False:
            return Amount.exactly(12), "", []
        asked = of_reading("5.2-b5")
        sure = scouts or (said is not None and all(map(_says_recon, said)))
        if counts and sure:
            return Amount.exactly(14), "5.2-b5", []
        if not sure:
            asked = missing_facts.of_unit(self.unit, "designation")
        return Amount(Fraction(12), _MOST), "5.2-b5", [asked]

    def _by_name(self) -> tuple[Amount, str, list[MissingFact]]:
        """The base of a Mech unit by its designation: 14 if the designation contains "recon" or "recce",
        else 12."""
        said = self.fact("designation")
        if said.options is None:
            asked = [missing_facts.of_unit(self.unit, "designation")]
            return Amount(Fraction(12), _MOST), "5.2-b5", asked
        named = [_says_recon(option) for option in said.options]
        if all(named):
            return Amount.exactly(14), "5.2-b5", []
        if any(named):
            asked = [missing_facts.of_unit(self.unit, "designation")]
            return Amount(Fraction(12), _MOST), "5.2-b5", asked
        return Amount.exactly(12), "", []

    def _cuts(self) -> Iterator[Change]:
        for clause, attribute, value, reason in (
            ("5.2.1a-1", "supply", "out", "Out of Supply"),
            ("5.2.1a-2", "resting", True, "Resting"),
        ):
            yield from self._marked(clause, attribute, (value,), reason, Amount.exactly(HALF))
        quarter = {"quarter": Amount.exactly(Fraction(1, 4))}
        quarter["three-quarters"] = Amount.exactly(Fraction(3, 4))
        reading = self.tables.reading("fatigue")
        fatigue = quarter.get(reading, Amount(Fraction(1, 4), Fraction(3, 4)))
        for change in self._marked("5.2.1a-3", "fatigue", (True,), "Fatigue", fatigue):
            undecided = change.missing_fact is None and not change.factor.is_exact
            missing_fact = of_reading("fatigue") if undecided else change.missing_fact
            yield Change(change.clause, change.factor, change.reason, missing_fact)
        yield from self._fuel()
        yield from self._ground()
        if self.in_battery and self.tables.applies("5.8.0-d"):
            yield Change("5.8.0-d", Amount.exactly(HALF), "SP artillery In Battery")

    def _marked(
        self, clause: str, attribute: str, values: Sequence[str | bool], reason: str, factor: Amount
    ) -> Iterator[Change]:
        """The change made by a marker. Nothing if the marker is surely absent; if it may be present, the
        factor ranges to 1."""
        there = fits(self.fact(attribute), tuple(values))
        if there is False or not self.tables.applies(clause):
            return
        if there:
            yield Change(clause, factor, reason)
            return
        lo = min(factor.lo, Fraction(1))
        hi = None if factor.hi is None else max(factor.hi, Fraction(1))
        yield Change(clause, Amount(lo, hi), reason, missing_facts.of_unit(self.unit, attribute))

    def _fuel(self) -> Iterator[Change]:
        said = self.fact("fuel")
        if said.must_be("normal") or not self.tables.applies("5.2.1a-4"):
            return
        on_foot = self.mover == LEG and not self.motor and not self._is("artillery")
        if on_foot or self.nation != "german":
            return  # only German mechanized formations; a Leg unit on foot needs no fuel
        states = said.options or ("low", "none", "normal")
        factors = [self._fuel_factor(str(state)) for state in states]
        lo = min(f.lo for f in factors)
        hi = max(Fraction(1) if f.hi is None else f.hi for f in factors)
        missing_fact: MissingFact | None = None
        if len(states) > 1:
            missing_fact = missing_facts.of_unit(self.unit, "fuel")
        elif lo != hi:
            missing_fact = _factor_unknown("fuel", str(states[0]))
        yield Change(
            "5.2.1a-4", Amount(lo, hi), f"fuel {' or '.join(map(str, states))}", missing_fact
        )

    def _fuel_factor(self, state: str) -> Amount:
        if state == "normal":
            return ONE
        known = self.tables.fuel.get(state)
        return Amount(Fraction(0), Fraction(1)) if known is None or known.hi is None else known

    def _states(self) -> tuple[GroundState, ...] | None:
        """The possible states of the ground; None if the facts do not limit them."""
        said = self.neighbourhood.condition("ground")
        if said.options is None:
            return None
        return tuple(self.tables.grounds.get(str(o), UNKNOWN_GROUND) for o in said.options)

    def _ground_named(self) -> str:
        said = self.neighbourhood.condition("ground")
        return str(said.value) if said.is_known else ""

    def _ground_missing_fact(self) -> MissingFact:
        named = self._ground_named()
        return _factor_unknown("ground", named) if named else missing_facts.of_condition("ground")

    def _ground(self) -> Iterator[Change]:
        states = self._states()
        if not self.tables.applies("5.2.1a-5"):
            return
        if states is None:
            factor = Amount(Fraction(0), Fraction(1))
        else:
            lo = min(s.factor.lo for s in states)
            factor = Amount(
                lo, max(Fraction(1) if s.factor.hi is None else s.factor.hi for s in states)
            )
        if factor != ONE:
            missing_fact = None if factor.is_exact else self._ground_missing_fact()
            yield Change(
                "5.2.1a-5", factor, f"ground {self._ground_named() or 'unknown'}", missing_fact
            )

    def _plus(self) -> tuple[Amount, MissingFact | None]:
        """The MPs that the ground adds off the road, and the question that would make them exact (None if
        they are)."""
        states = self._states()
        if not self.tables.applies("5.2.1b-4"):
            return Amount.exactly(0), None
        every = (s.plus.hi or Fraction(0) for s in self.tables.grounds.values())
        most = max(every, default=Fraction(0))
        if states is None:
            return Amount(Fraction(0), most), missing_facts.of_condition("ground")
        lo = min(s.plus.lo for s in states)
        hi = max(most if s.plus.hi is None else s.plus.hi for s in states)
        return Amount(lo, hi), None if lo == hi else self._ground_missing_fact()

    def _raises(self, strategic: bool) -> Iterator[Change]:
        tables = self.tables
        if strategic and tables.applies("5.2.1b-1"):
            reading = tables.reading("strat_factor")
            if reading == "undecided":
                asked = of_reading("strat_factor")
                factor = Amount(Fraction(1), None)
                yield Change("5.2.1b-1", factor, "Strategic Mode", asked)
            else:
                yield Change("5.2.1b-1", Amount.exactly(Fraction(reading)), "Strategic Mode")
        for clause, name in (("5.2.1b-2", "released"), ("5.2.1b-3", "leader")):
            raised = tables.raises[name]
            factor = raised if raised.hi is not None else Amount(Fraction(1), None)
            for change in self._marked(clause, name, (True,), name, factor):
                missing_fact = change.missing_fact
                if missing_fact is None and not change.factor.is_exact:
                    missing_fact = _raise_unknown(name)
                yield Change(change.clause, change.factor, change.reason, missing_fact)

    def _open_readings(
        self, base: Amount, cuts: Sequence[Change], raises: Sequence[Change], plus: Amount
    ) -> Iterator[MissingFact]:
        """The readings on which the result depends, where all numbers are exact."""
        cut_by, raised_by = ([c.factor.lo for c in changes] for changes in (cuts, raises))
        found: dict[tuple[bool, bool, bool], Fraction] = {}
        for each, first, early in self._ways(bool(plus.lo)):
            found[each, first, early] = _reckon(
                base.lo, cut_by, raised_by, plus.lo, each=each, cuts_first=first, early=early
            )
        if any(len({v for k, v in found.items() if k[0] is each}) > 1 for each in (True, False)):
            yield of_reading("ma_order")
        if any(v != found.get((not k[0], *k[1:]), v) for k, v in found.items()):
            yield of_reading("ma_rounding")

    def _bound(
        self,
        base: Amount,
        cuts: Sequence[Change],
        raises: Sequence[Change],
        plus: Amount,
        *,
        low: bool,
    ) -> Fraction | None:
        """The least (``low``) or the greatest possible allowance in MPs; None if there is no upper bound."""
        pick: Callable[[Amount], Fraction | None] = lambda a: a.lo if low else a.hi  # noqa: E731
        start, added = pick(base), pick(plus)
        cut = [pick(change.factor) for change in cuts]
        raised = [pick(change.factor) for change in raises]
        if start is None or added is None or None in cut or None in raised:
            return None
        listed = self.tables.reading("ma_sequence") == "as-listed"
        cut_by = [f for f in cut if f is not None]
        raised_by = [f for f in raised if f is not None]
        found = [
            _reckon(start, cuts_in, raises_in, added, each=each, cuts_first=first, early=early)
            for each, first, early in self._ways(bool(added))
            for cuts_in, raises_in in _profile(cut_by, raised_by, each=each and not listed)
        ]
        return min(found) if low else max(found)

    def _ways(self, added: bool) -> Iterator[tuple[bool, bool, bool]]:
        """The methods of calculation that the readings allow, each as (round after every change, apply cuts
        before raises, add before multiplying)."""
        rounding = {"each": (True,), "once": (False,)}
        order = {"cuts-first": (True,), "raises-first": (False,)}
        both = (True, False)
        each = rounding.get(self.tables.reading("ma_rounding"), both)
        first = order.get(self.tables.reading("ma_order"), both)
        yield from product(each, first, both if added else (False,))


def _profile(
    cuts: Sequence[Fraction], raises: Sequence[Fraction], *, each: bool
) -> Iterator[tuple[tuple[Fraction, ...], tuple[Fraction, ...]]]:
    """The orders of cuts and raises to try. More than one only if fractions are rounded after ``each``
    change, since the order then affects the result."""
    if not each:
        yield tuple(cuts), tuple(raises)
        return
    yield from product(sorted(set(permutations(cuts))), sorted(set(permutations(raises))))


def _reckon(
    start: Fraction,
    cuts: Iterable[Fraction],
    raises: Iterable[Fraction],
    plus: Fraction,
    *,
    each: bool,
    cuts_first: bool,
    early: bool,
) -> Fraction:
    """The allowance in MPs. Fractions are rounded up after ``each`` change, or once at the end. ``plus`` is
    one of the raises (5.2.1b); ``early``: it is added before the other raises multiply."""
    number = start
    raised: list[Fraction | None] = [None, *raises] if early else [*raises, None]
    changes = [*cuts, *raised] if cuts_first else [*raised, *cuts]
    for factor in changes:
        number = number + plus if factor is None else number * factor
        number = Fraction(ceil(number)) if each else number
    return Fraction(ceil(number))


def _says_recon(designation: object) -> bool:
    text = str(designation).lower()
    return "recon" in text or "recce" in text


def _factor_unknown(what: str, state: str) -> MissingFact:
    table = ("fuel", state) if what == "fuel" else ("grounds", state, "factor")
    return MissingFact(
        f"factor of {what} {state}",
        f"by what is the MA multiplied with {what} {state}?",
        "facts.toml",
        pack_stanza("rules", *table, entry=BLANK),
    )


def _raise_unknown(name: str) -> MissingFact:
    asked = "an activated leader" if name == "leader" else "the Fuel & Reserve Release Table"
    return MissingFact(
        f"raise of {name}",
        f"by what does {asked} multiply the MA?",
        "facts.toml",
        pack_stanza("rules", "raises", name, entry=BLANK),
    )
