"""What enemies add to the land: contact (6.3b), Strat Mode, overruns."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from fractions import Fraction

from ....model.fact import Unknown
from ...concepts.charts import class_toll
from ...concepts.ground import BesetGround
from ...concepts.ways import Term, Way
from ...concepts.zones import Presence, Zones
from ...ruleset import Account, Breach, Doubt, Requirement, Step, Tag, World
from ...toll import BARRED, FREE, Toll, perhaps
from .company import Able
from .land import OcsLand
from .tables import Tables

CAPABLE = (Requirement("attack", (True,)),)
"""An attack-capable unit."""
_HALT = Breach("OCS-6.3b-a", "goes on after an enemy zone of control", "")


class OcsGround(BesetGround):
    """``strat``: the mover is in Strat Mode, and ``zones`` are the hexes next to attack-capable enemies;
    else they are zones of control, which only trucks (``truck``) feel. ``overrun``: by that form."""

    __slots__ = ("_able", "_contacts", "_overrun", "_strat", "_tables")

    def __init__(
        self,
        land: OcsLand,
        zones: Zones,
        world: World,
        *,
        strat: bool,
        truck: bool | None,
        overrun: bool,
        able: Able,
    ) -> None:
        tables = land.tables
        stops = truck is not False and tables.applies("6.3b-a") and not strat
        super().__init__(
            land,
            zones,
            world,
            felt=True if strat else truck,
            halt=_HALT if stops else None,
            traits=(strat, overrun),
        )
        self._tables: Tables = tables
        self._contacts: dict[tuple[str, bool | None], Toll] = {}
        self._strat, self._able = strat, able
        self._overrun = overrun and tables.applies("6.1-f")

    def steps(self, hex_name: str, tag: Tag) -> Sequence[Step]:
        """The steps open from a hex in this world. An overrun may not use the cheapest way."""
        if not self._overrun:
            return super().steps(hex_name, tag)
        every = tuple(self._land.every_step(self._world, hex_name, tag))
        return self.beset(every, self._zones.at(hex_name))

    def halts(self, there: Presence) -> bool:
        """A truck stops, or overruns: that it went on to an overrun is not held against it."""
        return super().halts(there) and not (self._overrun and self._world == "favourable")

    def account(self, hex_name: str, tag: Tag, step: Step) -> Account:
        """The charges of a step, and the facts that would make them exact."""
        found = super().account(hex_name, tag, step)
        if not self._overrun or not super().halts(self._zones.at(step.to)):
            return found
        went_on = Unknown(f"overrun after {step.to}", f"did it overrun right after {step.to}?")
        return replace(found, doubts=(*found.doubts, Doubt(went_on)))

    def toll_of_enemies(self, here: Presence, there: Presence, way: Way) -> Toll:
        """What they add depends on who is there, and in an overrun on the way."""
        if there.enemy is False:
            return super().toll_of_enemies(here, there, way)
        if self._overrun:
            return self.added(here, there, way)
        key = (way.to, here.zoc)  # which enemies are in it counts, not by what way one comes
        known = self._contacts.get(key)
        if known is None:
            known = self._contacts[key] = self.added(here, there, way)
        return known

    def enemy_terms(self, here: Presence, there: Presence, way: Way) -> Iterator[Term]:
        """What enemies add to a step."""
        if self._strat and there.zoc is not False:
            text = "comes next to an attack-capable enemy in Strat Mode"
            toll = perhaps(BARRED, there.zoc)
            yield Term(toll, "OCS-X-5.S", text, "OCS-X-5.S", text, ("zoc", "enter"))
        if there.enemy is False:
            return
        if self._overrun:
            for term in self._overrun_terms(way):
                yield term._replace(toll=perhaps(term.toll, there.enemy))
        elif self._tables.applies("6.3b-b"):
            sure = self._held(way.to)
            text = "enters a hex with an attack-capable enemy without an overrun"
            toll = BARRED if sure else Toll(0, 0, None)
            yield Term(toll, "OCS-6.3b-b", text, "OCS-6.3b-b", text, ("enemy",))

    def _held(self, name: str) -> bool:
        """Whether an enemy is in a hex, for certain, who is able to attack."""
        return any(
            sure and self._zones.meets(unit, CAPABLE) and self._able.reaches(unit, name, name)
            for unit, sure in self._zones.enemies(name)
        )

    def _overrun_terms(self, way: Way) -> Iterator[Term]:
        """An overrun into the hex a way leads to."""
        tables, land = self._tables, self._land
        assert isinstance(land, OcsLand)
        toll = class_toll(tables.surcharge, land.classes, land.scale)
        surcharge = toll._replace(barred=toll.barred or False, whole=False)
        yield Term(surcharge, "OCS-6.1-f", "overrun", "OCS-6.1-f", about=("cost", "overrun"))
        if way.road and tables.applies("X-8.1c"):
            text = "uses a road or bridge in an overrun"
            yield Term(BARRED, "OCS-X-8.1c", text, "OCS-X-8.1c", text)
        if tables.applies("X-8.x"):
            hex_toll = land.entering(land.board.hexes[way.to]).toll
            most = int(tables.overrun_dearest * land.scale)
            whole = hex_toll if way.road else way.toll
            if not hex_toll.barred:
                text = f"overruns into a hex that costs {tables.overrun_dearest} or more"
                known = hex_toll.barred is False and hex_toll.lo >= most
                cheap = whole.barred is False and whole.hi is not None and whole.hi < most
                bar = BARRED if known else FREE if cheap else Toll(0, 0, None)
                yield Term(bar, "OCS-X-8.x", text, "OCS-X-8.x", text, ("overrun", way.to))

    def doubts(self, term: Term, weight: Fraction | None, origin: str, to: str) -> Iterator[Doubt]:
        """What would make a term exact that is not."""
        match term.about:
            case ("enemy",):
                able = [
                    q
                    for unit, _ in self._zones.enemies(to)
                    if self._zones.meets(unit, CAPABLE)
                    for q in self._able.doubts(unit, to, to)
                ]
                asked = (*self._zones.doubts_in(to, CAPABLE), *able) or (_contact(to),)
                yield from (Doubt(unknown, weight) for unknown in asked)
            case ("zoc", _):
                yield from (Doubt(unknown, weight) for unknown in self._zones.doubts_over(to))
            case ("bridging", *_):
                yield Doubt(BRIDGING, weight)
            case ("bridge", name):
                yield Doubt(_bridge_reading(name), weight)
            case ("overrun", name):
                yield Doubt(_overrun_cost(name), weight)
            case ("cost", "overrun"):
                yield Doubt(_SURCHARGE, weight)
                yield from (Doubt(unknown, weight) for unknown in self._zones.doubts_in(to))
            case _:
                yield from super().doubts(term, weight, origin, to)


BRIDGING = Unknown(
    "condition bridging",
    "was the river bridged for the unit (13.8b)?",
    "facts.toml",
    '[[condition]]\nkey = "bridging"\nvalue = "?"',
)
_SURCHARGE = Unknown(
    "cost of overrun",
    "how many MPs does an overrun cost besides?",
    "pack.toml",
    "[rules.overrun]\nsurcharge = ?",
)


def _contact(name: str) -> Unknown:
    return Unknown(f"contact in {name}", f"might the enemy-occupied hex {name} be entered (4.8c)?")


def _bridge_reading(name: str) -> Unknown:
    return Unknown(
        f"bridge at {name}", f"does a bridge without a road open the prohibited hex {name} (6.2c)?"
    )


def _overrun_cost(name: str) -> Unknown:
    return Unknown(f"overrun into {name}", f"does hex {name} cost too much for an overrun (8.1)?")
