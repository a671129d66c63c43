"""Attributes and classifications of the units on the map. Yes-or-no results are None if not known."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache

from ....model.fact import UNKNOWN, Fact, Value
from ....model.game import Game, StateChange
from ...concepts import logic
from ...ruleset import Requirement, Situation
from ...timeline import either
from .tables import (
    CLASSES,
    FORTIFICATION,
    LEG,
    MECH,
    MODES,
    NATIONS,
    WEST_WALL,
    Tables,
    nation_of_side,
)

ALLIED = ("us", "british")
GERMAN = ("german",)
YES: tuple[Value, ...] = (True,)
FIELDWORKS = ("ip", "et")


Late = Callable[[str, str], list[Fact]]
"""Returns the values that an attribute of a unit took after the move, before anything witnessed the
position. Such a value may have held during the move and been set late."""


def fits(fact: Fact, values: Sequence[Value]) -> bool | None:
    """Whether a fact is one of ``values``; None if it may be."""
    return _requirement(tuple(map(type, values)), tuple(values)).met(fact)


@lru_cache(maxsize=4096)
def _requirement(_types: tuple[type, ...], values: tuple[Value, ...]) -> Requirement:
    """A requirement for ``values``, cached by their types too, since True equals 1."""
    return Requirement("", values)


def exactly(fact: Fact) -> Hashable:
    """A hashable form of a fact without its source. Different facts give different results, although True
    equals 1."""
    options = fact.options
    return options if options is None else (*map(type, options), *options), fact.lo, fact.hi


@dataclass(frozen=True, slots=True)
class UnitIndex:
    """What stays the same for a game's units from move to move.

    ``perhaps_guns``, ``perhaps_engineers``, ``perhaps_bridges``: units that are, or may be, artillery,
    engineers or bridges at some time; ``perhaps_bridges`` includes markers named after bridges.
    ``engineers``: side → units of ``perhaps_engineers`` that may be its friends. ``answers``: cache of
    :func:`fits` by (unit, attribute, values), valid while the attribute is the same ``Fact``. ``changed``:
    (unit, attribute) pairs that change during the game.
    """

    perhaps_guns: tuple[str, ...]
    perhaps_engineers: tuple[str, ...]
    perhaps_bridges: tuple[str, ...]
    engineers: dict[str | None, tuple[str, ...]]
    answers: dict[tuple[str, str, Sequence[Value]], tuple[Fact, bool | None]]
    changed: frozenset[tuple[str, str]]


def index_units(game: Game, tables: Tables) -> UnitIndex:
    """The index of a game's units."""
    changed = frozenset((e.unit, e.attribute) for e in game.events if isinstance(e, StateChange))
    guns, engineers, bridges = (
        tuple(
            name
            for name, unit in game.units.items()
            if unit.kind == "unit"
            and (
                (name, "type") in changed
                or fits(unit.fact("type"), tables.types[kind]) is not False
            )
        )
        for kind in ("artillery", "engineer", "bridge")
    )
    markers = tuple(
        name
        for name, unit in game.units.items()
        if unit.kind == "marker" and says_bridge(unit.name)
    )
    return UnitIndex(guns, engineers, bridges + markers, {}, {}, changed)


def says_bridge(name: str) -> bool:
    """Whether the name of a marker suggests a crossing over water that is not on the board."""
    text = name.lower()
    return any(
        word in text for word in ("bridge", "ferry", "ford", "pontoon", "treadway", "bailey")
    )


_KNOWN: dict[str, frozenset[Value]] = {
    "class": frozenset(CLASSES),
    "nation": frozenset(NATIONS),
    "mode": frozenset(MODES),
    "supply": frozenset(("in", "out")),
    "echelon": frozenset(("division", "corps", "army")),
    "works": frozenset(("none", "ip", "et", FORTIFICATION, WEST_WALL)),
    "traction": frozenset(("towed", "sp", "horse")),
    "battery": frozenset(("in", "out")),
    "bridge-class": frozenset(("none", "M", "H")),
    "deployed": frozenset(("no", "building", "finished")),
    **dict.fromkeys(
        (
            *("resting", "fatigue", "released", "leader", "motor", "breakdown", "red"),
            *("depleted", "static", "infantry-division"),
        ),
        frozenset((True, False)),
    ),
}
"""Attribute → the values that the rules know, except for ``type``."""


class Units:
    """The units of a game in one situation."""

    def __init__(
        self, situation: Situation, tables: Tables, unit_index: UnitIndex, late: Late
    ) -> None:
        self._situation = situation
        self._tables = tables
        self._facts: dict[tuple[str, str], Fact] = {}
        self._late = late
        self._answers = unit_index.answers
        self._changed = unit_index.changed
        self._known: dict[str, frozenset[Value]] = {
            **_KNOWN,
            "type": frozenset(tables.all_types()),
        }
        self.perhaps_guns = unit_index.perhaps_guns
        self._mech: dict[tuple[str, bool], bool | None] = {}
        self._strength: dict[str, tuple[Fraction, Fraction | None]] = {}

    def fact(self, unit: str, attribute: str) -> Fact:
        """What is known of an attribute. A nation that is not stated follows from the side. If it is stated
        to be unknown, it may be any nation of the same alliance."""
        found = self._facts.get((unit, attribute))
        if found is None:
            found = self._understood(attribute, self.as_told(unit, attribute))
            if attribute == "nation" and found.options is None:
                found = self._nation(unit)
            self._facts[unit, attribute] = found
        return found

    def as_told(self, unit: str, attribute: str) -> Fact:
        """What is stated of an attribute, in the pack's own words. It includes values that may have been
        set late."""
        found = self._situation.fact(unit, attribute)
        late = self._late(unit, attribute)
        return either((found, *late)) if late else found

    def is_told(self, unit: str, attribute: str) -> bool:
        """Whether the game ever states anything of an attribute, be it that it is not known."""
        if attribute in self._situation.game.units[unit].attributes:
            return True
        return (unit, attribute) in self._changed

    def _nation(self, unit: str) -> Fact:
        """The nation, or possible nations, of a unit by its side."""
        usual = nation_of_side(self._tables, self._situation.game.units[unit].side)
        if usual.options is not None and self.is_told(unit, "nation"):
            allied = set(ALLIED).intersection(usual.options) and ALLIED
            german = set(GERMAN).intersection(usual.options) and GERMAN
            return Fact((*allied, *german))
        return usual

    def _understood(self, attribute: str, fact: Fact) -> Fact:
        """``fact``, or unknown if one of its values is not a value that the rules know."""
        known = self._known.get(attribute)
        if known is None or fact.options is None or known.issuperset(fact.options):
            return fact
        return UNKNOWN

    def has(self, unit: str, attribute: str, *values: Value) -> bool | None:
        """Whether an attribute of a unit is one of ``values`` (True if none is given); None if it may be."""
        return self._fits(unit, attribute, values or YES)

    def is_a(self, unit: str, *kinds: str) -> bool | None:
        """Whether the unit's type is listed in the tables under one of ``kinds``; None if it may be."""
        types = self._tables.types
        names = types[kinds[0]] if len(kinds) == 1 else tuple(n for k in kinds for n in types[k])
        return self._fits(unit, "type", names)

    def _fits(self, unit: str, attribute: str, values: Sequence[Value]) -> bool | None:
        fact = self.fact(unit, attribute)
        key = (unit, attribute, values)
        found = self._answers.get(key)
        if found is None or found[0] is not fact:
            found = self._answers[key] = (fact, fits(fact, values))
        return found[1]

    def is_allied(self, unit: str) -> bool | None:
        """Whether it is American or British; None if it may be."""
        return self.has(unit, "nation", *ALLIED)

    def is_mech(self, unit: str, *, by_road: bool = False) -> bool | None:
        """Whether it counts as Mech; None if it may. ``by_road``: as seen by a road mover, which may treat
        deployed artillery and HQs as Leg (5.7.4). A deployed bridge never counts."""
        if (unit, by_road) not in self._mech:
            self._mech[unit, by_road] = self._counts_as_mech(unit, by_road)
        return self._mech[unit, by_road]

    def _counts_as_mech(self, unit: str, by_road: bool) -> bool | None:
        """See :meth:`is_mech`."""
        bridge = self.is_a(unit, "bridge")
        mobile = self.has(unit, "deployed", "no") if bridge is not False else None
        if bridge is True:
            return mobile
        motor = self.has(unit, "motor")
        counts = True if motor else logic.some([motor, self._own_class(unit, by_road)])
        # Deployed artillery does not count even if it is on trucks.
        if by_road and counts is not False and self._tables.applies("5.7.4"):
            deployed = logic.both(self.is_a(unit, "artillery"), self.has(unit, "battery", "in"))
            counts = logic.both(counts, logic.negation(deployed))
        return counts if bridge is False or counts == mobile else None

    def _own_class(self, unit: str, by_road: bool) -> bool | None:
        """Whether it counts as Mech without a Motor Unit marker; None if it may."""
        gun, headquarters = self.is_a(unit, "artillery"), self.is_a(unit, "hq")
        printed = self.has(unit, "class", MECH)
        if gun is True:
            return self._gun(unit, by_road)
        if gun is None and printed != self._gun(unit, by_road):
            printed = None
        if by_road and headquarters is not False and self._tables.applies("5.7.4"):
            deployed = logic.both(headquarters, self.has(unit, "static"))
            printed = logic.both(printed, logic.negation(deployed))
        return self._driven(unit, printed)

    def _gun(self, unit: str, by_road: bool) -> bool | None:
        """Whether it would count as Mech if it is artillery; None if it may."""
        in_battery = self.has(unit, "battery", "in")
        if by_road and self._tables.applies("5.7.4"):
            if in_battery is True:
                return False
            if in_battery is None:
                return None
        if self._tables.applies("5.8.0-b"):
            return True
        return self.has(unit, "class", MECH)

    def _driven(self, unit: str, printed: bool | None) -> bool | None:
        """``printed``, or True for a US Leg AT or engineer unit in Strategic Mode: it keeps its own trucks
        then (5.7.3)."""
        if printed is True:
            return True
        own_trucks = self.has_own_trucks(unit)
        if own_trucks is False:
            return printed
        if not self._tables.applies("5.7.3-c"):
            return None if own_trucks is None or printed is None else True
        strategic = logic.both(own_trucks, self.has(unit, "mode", "strategic"))
        return logic.some([printed, strategic])

    def has_own_trucks(self, unit: str) -> bool | None:
        """Whether it is a US AT or engineer unit (5.7.3); None if it may be. Its class is not considered."""
        kind = logic.some([self.is_a(unit, "at"), self.is_a(unit, "engineer")])
        return logic.both(kind, self.has(unit, "nation", "us"))

    def strength(self, unit: str) -> tuple[Fraction, Fraction | None]:
        """The least and the most strength points that count for 5.3.1; most is None if there is no limit.
        Artillery and HQs have none."""
        found = self._strength.get(unit)
        if found is None:
            found = self._strength[unit] = self._points(unit)
        return found

    def _points(self, unit: str) -> tuple[Fraction, Fraction | None]:
        spared = self.is_a(unit, "artillery", "hq")
        if spared is True:
            return Fraction(0), Fraction(0)
        fact = self.fact(unit, "strength")
        low, high = max(Fraction(0), fact.low or Fraction(0)), fact.high
        flak, counts = self.is_a(unit, "flak"), self._tables.says("flak_points")
        if flak is True and counts is False:
            return Fraction(0), Fraction(0)
        if spared is None or (flak is not False and not counts):
            low = Fraction(0)
        return low, high

    def fortified(self, unit: str) -> bool | None:
        """Whether its attribute ``works`` says entrenchments or a Fortification; None if it may."""
        return self.has(unit, "works", "et", FORTIFICATION, WEST_WALL)

    def formation(self, unit: str) -> Fact:
        """The formation it counts as part of for 5.3.5: its own, or the one it is attached to."""
        own, attached = self.fact(unit, "formation"), self.fact(unit, "attached")
        if not self._tables.applies("5.3.5-c") or attached.must_be("no"):
            return own
        if attached.options is None:
            return UNKNOWN
        if any(option in ("yes", True, False, "no") for option in attached.options):
            return own if attached.must_be(False) else UNKNOWN
        return attached

    def same_formation(self, one: str, other: str) -> bool | None:
        """Whether two units count as of the same formation for 5.3.5; None if they may."""
        return _same(self.formation(one), self.formation(other))

    def same_command(self, one: str, other: str) -> bool | None:
        """Whether two units share a formation or a command (5.3.1); None if they may. Only 5.3.5 says that
        an attached unit counts as part of the other formation; a reading settles whether 5.3.1 follows it.
        """
        commands = _same(self.fact(one, "command"), self.fact(other, "command"))
        own = _same(self.fact(one, "formation"), self.fact(other, "formation"))
        attached = self.same_formation(one, other)
        counts = self._tables.says("attached_for_stops")
        formations = attached if counts or own == attached else own if counts is False else None
        return logic.some([formations, commands])

    def is_asset(self, unit: str) -> bool | None:
        """Whether it is a corps or army asset; None if it may be."""
        return self.has(unit, "echelon", "corps", "army")

    def is_leg_engineer(self, unit: str) -> bool | None:
        """Whether it is a Leg engineer unit; None if it may be."""
        return logic.both(self.is_a(unit, "engineer"), self.has(unit, "class", LEG))


def _same(one: Fact, other: Fact) -> bool | None:
    if one.options is None or other.options is None:
        return None
    if one.is_known and other.is_known:
        return one.value == other.value
    return None if set(one.options) & set(other.options) else False
