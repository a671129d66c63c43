"""Enemy ZOCs for the movers of one side: the ZOC class in each hex (6.C), and what changes it."""

from __future__ import annotations

from collections.abc import Container, Iterable, Iterator, Mapping
from typing import NamedTuple

from ....model.fact import Fact, MissingFact
from ....model.game import Game
from ...concepts import missing_facts
from ...concepts.logic import some
from ...concepts.sides import is_enemy
from ...concepts.zones import Zones
from ...ruleset import Circumstances
from . import ruleset_facts
from .tables import LEVELS, Tables

MOST = len(LEVELS) - 1
FORT = "fort"


class Levels(NamedTuple):
    """The least and the greatest possible ZOC class, from 0 (none) to 4 (triple)."""

    lo: int
    hi: int

    @property
    def known(self) -> bool:
        return self.lo == self.hi


NONE = Levels(0, 0)
ANY = Levels(0, MOST)


_OF_HEXES = ("zoc ", "interdiction ", "overrun ")


class Declared(NamedTuple):
    """The keys of the conditions of a game, and the hexes named by those about ZOCs, interdiction and
    overruns."""

    keys: frozenset[str]
    hexes: frozenset[str]

    @classmethod
    def of(cls, game: Game) -> Declared:
        """The conditions of a game."""
        keys = frozenset(condition.key for condition in game.conditions)
        named = {key.partition(" ")[2] for key in keys if key.startswith(_OF_HEXES)}
        of_sides = tuple(f" of {side}" for side in game.sides)
        hexes = {name.removesuffix(end) for name in named for end in ("", *of_sides)}
        return cls(keys, frozenset(hexes))


class EnemyZocs:
    """Enemies and their ZOCs, hex by hex, for movers of ``side``. Results are cached.

    ``reaction``: it is a reaction phase. An ``EnemyZocs`` may be
    used for other circumstances as long as nothing about the enemies changes, see :mod:`.enemy_cache`.
    """

    def __init__(
        self,
        circumstances: Circumstances,
        side: str | None,
        tables: Tables,
        *,
        reaction: bool,
        declared: Declared,
    ) -> None:
        self.tables = tables
        self.reaction = reaction
        self.zones = Zones(circumstances, side, None, ())
        self._situation = circumstances.situation
        self._game = circumstances.situation.game
        self._board = self._game.board
        self._side = side
        self._declared = declared
        self._near = self._beside_others()
        self._levels: dict[str, Levels] = {}
        self._from: dict[str, tuple[Levels, ...]] = {}
        self._exerted: dict[tuple[str, str], tuple[Levels, int, int]] = {}
        self._into: dict[tuple[str, str], bool | None] = {}
        self._no_enemy_near: dict[str, bool] = {}

    def _beside_others(self) -> Mapping[str, int] | None:
        """The hexes in which or next to which an enemy may be. None if the situation cannot say:
        every hex is then looked at."""
        return self._situation.others_beside(self._side)

    def resume(self, circumstances: Circumstances) -> None:
        """Use other circumstances from now on. The caller guarantees that the results so far still hold."""
        self._situation = circumstances.situation
        self.zones.resume(circumstances)
        self._near = self._beside_others()

    def no_enemy_near(self, name: str) -> bool:
        """Whether enemies certainly have no effect on a hex: no enemy in it or next to it, no ZOC, no
        interdiction."""
        found = self._no_enemy_near.get(name)
        if found is None:
            far = self._near is not None and name not in self._near
            surely_no_enemy_near = far and name not in self._declared.hexes
            found = self._no_enemy_near[name] = surely_no_enemy_near or self._has_no_enemy_near(
                name
            )
        return found

    def surely_no_enemy_near(self, name: str) -> bool:
        """As :meth:`no_enemy_near`. In a game without conditions for hexes only the number of units near the
        hex is looked at; that is faster, but False also where these units are allies."""
        if self._near is None or self._declared.hexes:
            return self.no_enemy_near(name)
        return name not in self._near

    def _has_no_enemy_near(self, name: str) -> bool:
        enemies = self.zones.enemies
        around = (name, *self._board.neighbours(name))
        if name not in self._declared.hexes:
            return not any(enemies(hex_name) for hex_name in around)
        no_enemy_near = self.levels(name) == NONE and not enemies(name)
        return no_enemy_near and self.interdicted(name) is False

    def levels(self, name: str) -> Levels:
        """The class of the enemy ZOC in a hex, without the effect of screens and forts."""
        found = self._levels.get(name)
        if found is None:
            found = self._levels[name] = self._look(name)
        return found

    def _look(self, name: str) -> Levels:
        declared = self.declared(name)
        if declared is not None:
            return declared
        found = [self.exerted(u, sure, "own_zoc") for u, sure in self.zones.enemies(name)]
        known, others = self._from, self.zones.others
        for near in self._board.neighbours(name):
            if others is None or near in others:
                here = known.get(near)
                found += self._reaching(near) if here is None else here
        return self._by_units(found)

    def _by_units(self, found: list[Levels]) -> Levels:
        """The class of the ZOC in a hex into which units exert these classes."""
        if not found:
            return NONE
        least = max(level.lo for level in found) if self.tables.all_zocs else 0
        return Levels(least, found[0].hi if len(found) == 1 else MOST)

    def _reaching(self, near: str) -> tuple[Levels, ...]:
        """For each enemy in the hex ``near``, the ZOC class that it exerts into the hexes next to it."""
        enemies = self.zones.enemies(near)
        found = tuple(self.exerted(u, sure, "zoc") for u, sure in enemies)
        self._from[near] = found
        return found

    def declared(self, name: str) -> Levels | None:
        """The ZOC class that conditions give for a hex; None if there is no such condition. Those of sides
        count together with the one for the hex or, if there is none, with what the units of other sides
        exert."""
        if name not in self._declared.hexes:
            return None
        found: dict[str, Levels] = {}
        for side in self._game.sides:
            fact = self.told(f"zoc {name} of {side}")
            hostile = is_enemy(self._game, self._side, side)
            if fact is None or hostile is False:
                continue
            if self._side is None:
                return None
            levels = levels_of(fact)
            found[side] = levels if hostile else Levels(0, levels.hi)
        fact = self.told(f"zoc {name}")
        if not found:
            return levels_of(fact) if fact is not None else None
        unnamed = (side for side in self._game.sides if side not in found)
        if fact is None or all(is_enemy(self._game, self._side, s) is False for s in unnamed):
            more = self._by_units(self._of_others(name, found))
            return _together((*found.values(), more))
        every = levels_of(fact)
        least = max(every.lo, *(levels.lo for levels in found.values()))
        return Levels(least, max(least, every.hi))

    def _of_others(self, name: str, sides: Container[str | None]) -> list[Levels]:
        """What the enemies in and next to a hex that are not of ``sides`` exert into it."""
        return [
            self.exerted(unit, sure, "own_zoc" if near == name else "zoc")
            for near in (name, *self._board.neighbours(name))
            for unit, sure in self.zones.enemies(near)
            if self._game.units[unit].side not in sides
        ]

    def told(self, key: str) -> Fact | None:
        """The value of a condition; None if the game has no condition with that key."""
        return self._situation.condition(key) if key in self._declared.keys else None

    def exerted(self, unit: str, sure: bool | None, attribute: str) -> Levels:
        """The ZOC class that a unit exerts, after all reductions. ``attribute``: "own_zoc" for its own hex,
        "zoc" for the hexes next to it; ``sure``: whether it is certainly an enemy and there."""
        known = self._exerted.get((unit, attribute))
        if known is None:
            base = levels_of(self.zones.fact(unit, attribute))
            known = self._exerted[unit, attribute] = (base, *self._reduced(unit))
        base, least, most = known
        lo = max(0, base.lo - most) if sure else 0
        return Levels(lo, max(0, base.hi - least))

    def _reduced(self, unit: str) -> tuple[int, int]:
        """By how many classes the ZOC of a unit is reduced, at least and at most."""
        least = most = 0
        if self.tables.applies("6.B.6-a"):
            reserve = self.zones.fact(unit, "reserve")
            least += reserve.must_be(True)
            most += not reserve.must_be(False)
        if self.tables.applies("6.A.3-4a"):
            marked, more = self._marked(self.zones.fact(unit, "debt"))
            least, most = least + marked, most + more
        return least, most

    def _marked(self, debt: Fact) -> tuple[int, int]:
        """By how many classes a "+# MP" marker reduces a ZOC, at least and at most, by the readings of
        6.A.3-4a."""
        if debt.options is None or debt.low is None:
            top = debt.high
            return 0, MOST if top is None else min(MOST, (int(top) + 1) // 2)
        reading = self.tables.reading("odd_marker_levels")
        found = []
        for option in debt.options:
            number = int(str(option).partition("/")[0])
            if reading != "each":
                found.append(number % 2)
            if reading != "one":
                found.append((number + 1) // 2)
        return min(found), max(found)

    def into(self, hex_name: str, origin: str) -> bool | None:
        """Whether the enemies in a hex exert a ZOC into the neighbouring hex ``origin``; None if they may."""
        ends = (hex_name, origin)
        if ends not in self._into:
            self._into[ends] = self._covers(hex_name, origin)
        return self._into[ends]

    def _alone(self, enemies: Iterable[tuple[str, bool | None]], ends: tuple[str, str]) -> bool:
        """Whether the ZOC in the second hex can only come from the first: an enemy is certainly in the first,
        and none is in any other hex near the second."""
        hex_name, origin = ends
        others = (origin, *self._board.neighbours(origin))
        if any(self.zones.enemies(near) for near in others if near != hex_name):
            return False
        return some(sure for _, sure in enemies) is True

    def _covers(self, hex_name: str, origin: str) -> bool | None:
        enemies = self.zones.enemies(hex_name)
        if not enemies:
            return False
        declared = self.declared(origin)
        if declared is not None and declared.hi == 0:
            return False
        found = self._reaching(hex_name)
        certain = self.tables.all_zocs and any(level.lo for level in found)
        if certain or (
            declared is not None and declared.lo and self._alone(enemies, (hex_name, origin))
        ):
            return True if self.fort(origin) is False else None
        return False if len(found) == 1 and found[0].hi == 0 else None

    def fort(self, name: str) -> bool | None:
        """Whether a fort cancels ZOCs in a hex (6.D.3-e); None if one may."""
        if not (self.reaction and self.tables.applies("6.D.3-e")):
            return False
        told = self.told(f"fort {name}")
        if told is not None:
            return True if told.must_be(True) else False if told.must_be(False) else None
        there = self._board.has(name, (FORT,))
        return None if there is False and not self.tables.all_forts else there

    def overrun(self, name: str) -> bool | None:
        """Whether units overran into a hex as Rule 12 allows; None if the facts do not say."""
        told = self.told(f"overrun {name}")
        if told is None or not told.is_known:
            return None
        return told.must_be(True)

    def interdicted(self, name: str) -> bool | None:
        """Whether a hex is under harassment or air interdiction; None if it may be."""
        told = self.told(f"interdiction {name}")
        if told is None or told.must_be(False):
            return False
        return True if told.must_be(True) else None

    def missing(self, name: str) -> Iterator[MissingFact]:
        """The missing facts that would make :meth:`levels` of a hex exact."""
        found = []
        declared = self.declared(name)
        if declared is None or not declared.known:
            for near in (name, *self._board.neighbours(name)):
                attribute = "own_zoc" if near == name else "zoc"
                for unit, _ in self.zones.enemies(near):
                    found += list(self.missing_of(unit, near, attribute))
        yield from dict.fromkeys(found)
        if not found:
            yield ruleset_facts.of_hex("zoc", name)

    def missing_of(self, unit: str, near: str, attribute: str) -> Iterator[MissingFact]:
        """The missing facts that would make :meth:`exerted` exact for a unit in the hex ``near``."""
        whose = self._game.units[unit]
        yield from self.zones.missing_in(near)
        for about in (attribute, "reserve", "debt"):
            fact = self.zones.fact(unit, about)
            wide = levels_of(fact) != ANY or about != attribute
            if not fact.is_known and wide:
                yield missing_facts.of_unit(whose, about)
        least, most = self._reduced(unit)
        known = self.zones.fact(unit, "debt").is_known
        if least != most and known and self.zones.fact(unit, "reserve").is_known:
            yield ruleset_facts.reading("odd_marker_levels")


def _together(of_sides: Iterable[Levels]) -> Levels:
    """The class of the ZOC in a hex where sides have these; the text does not say what several ZOCs make."""
    found = [levels for levels in of_sides if levels.hi]
    if len(found) < 2:
        return found[0] if found else NONE
    return Levels(max(levels.lo for levels in found), MOST)


def levels_of(fact: Fact) -> Levels:
    """The ZOC classes that a fact allows; all of them if it does not limit them or names something else."""
    if fact.options is None:
        return ANY
    names = [str(option) for option in fact.options]
    if not all(name in LEVELS for name in names):
        return ANY
    found = [LEVELS.index(name) for name in names]
    return Levels(min(found), max(found))
