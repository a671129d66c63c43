"""The units around a moving unit: enemies and friends of its side, hex by hex."""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass
from fractions import Fraction

from ....model.fact import Fact
from ....model.game import Place
from ....model.unit import Unit
from ...concepts import logic
from ...concepts.sides import is_friend
from ...concepts.zones import Zones
from ...ruleset import Circumstances
from ...situation import Situation as GameSituation
from ...timeline import either
from .crossing_help import CrossingHelp
from .overrun_results import Result, Results
from .tables import FORTIFICATION, WEST_WALL, Tables
from .unit_history import NEVER, UnitHistory
from .units import UnitIndex, Units, exactly

Sure = bool | None
"""True: the unit is certainly in the hex and an enemy (or a friend); None: it may be."""
Present = tuple[tuple[str, Sure], ...]


@dataclass(frozen=True, slots=True)
class Count:
    """The least and the greatest possible number."""

    least: int
    most: int


class Neighbourhood:
    """The units around a moving unit of one side. Units that move with it do not count as enemies or
    friends; see :meth:`.CrossingHelp.engineer_along` for them."""

    def __init__(
        self,
        circumstances: Circumstances,
        tables: Tables,
        side: str | None,
        unit_history: UnitHistory,
        unit_index: UnitIndex,
        overruns: Results,
    ) -> None:
        self.situation = circumstances.situation
        self.unit_history = unit_history.so_far(circumstances.situation)
        self.board = self.situation.game.board
        self.tables = tables
        self.unit_index = unit_index
        self.overruns = overruns
        self._late = self.unit_history.late(circumstances.situation, circumstances.move)
        self.units = Units(
            self.situation, tables, unit_index, self.unit_history.marked_late(self._late)
        )
        self.side = side
        self.moving = frozenset(circumstances.moving)
        self._zones = Zones(circumstances, side, None, ())
        self._near: dict[str, Present] = {}
        self._friends: dict[str, Present] = {}
        self._others = self.situation.others_beside(side)
        self._others_in = self.situation.others_in(side)
        self._anywhere = self.situation.others_in(None)
        self._quiet: dict[str, bool] = {}
        self._opponents: dict[str, Present] = {}
        self._bridges: dict[str, bool | None] = {}
        self._occupied: dict[str, Sure] = {}
        self._beside: dict[str, Sure] = {}
        self._points: dict[str, tuple[Fraction, Fraction | None]] = {}
        self._covering: dict[str, bool | None] = {}
        self.crossing_help = CrossingHelp(self)
        self.memo: dict[object, object] = {}
        """Results that movement graphs have cached for this neighbourhood."""

    def nobody_near(self, hex_name: str) -> bool:
        """Whether no unit but the moving ones may be in the hex, and no possible enemy next to it."""
        found = self._quiet.get(hex_name)
        if found is None:
            far = self._others is not None and hex_name not in self._others
            if far and self._anywhere is not None and hex_name not in self._anywhere:
                self._quiet[hex_name] = True
                return True
            hexes: tuple[str, ...] = (hex_name,)
            if self._others is None or hex_name in self._others:
                hexes += tuple(self.board.neighbours(hex_name))
            found = self._quiet[hex_name] = not any(map(self._anybody, hexes))
        return found

    def _anybody(self, hex_name: str) -> bool:
        others = [u for u in self.situation.possibly_in(hex_name) if u not in self.moving]
        return bool(others)

    def states(self, unit: str) -> tuple[tuple[int, int], tuple[int, int]]:
        """State numbers of a unit: two calls give the same result only if nothing was changed in what is
        known of the unit between them."""
        assert isinstance(self.situation, GameSituation)
        late = self._late
        return self.situation.states(unit), (
            late if late == NEVER else self.unit_history.states(unit, late)
        )

    @property
    def late(self) -> bool:
        """Whether attributes were changed after the move and before anything witnessed the position. Such a
        change may correct a marker."""
        return self._late != NEVER

    def facts_of(self, unit: str) -> Hashable | None:
        """Facts that a result about this unit depends on; None if the result must not be cached."""
        if not isinstance(self.situation, GameSituation):
            return None
        conditions = tuple(exactly(self.condition(key)) for key in ("ground", "night"))
        return unit, self.states(unit), conditions

    def enemies(self, hex_name: str) -> Present:
        """Possible enemies in a hex, with True if certain, None if not. Deployed bridges are included."""
        return self._zones.enemies(hex_name)

    def opponents(self, hex_name: str) -> Present:
        """As :meth:`enemies`, without surely deployed bridges, which are not units (5.7.5-b)."""
        if self._others_in is not None and hex_name not in self._others_in:
            return ()
        found = self._opponents.get(hex_name)
        if found is None:
            fighting = (
                (unit, logic.both(sure, logic.negation(self.is_bridge(unit))))
                for unit, sure in self.enemies(hex_name)
            )
            found = tuple((unit, sure) for unit, sure in fighting if sure is not False)
            self._opponents[hex_name] = found
        return found

    def occupied(self, hex_name: str) -> bool | None:
        """Whether enemies are in a hex; None if they may be. Deployed bridges do not count (5.7.5-b)."""
        if self._others_in is not None and hex_name not in self._others_in:
            return False
        if hex_name not in self._occupied:
            self._occupied[hex_name] = logic.some(sure for _, sure in self.opponents(hex_name))
        return self._occupied[hex_name]

    def is_bridge(self, unit: str) -> bool | None:
        if unit not in self._bridges:
            bridge = self.units.is_a(unit, "bridge")
            deployed = self.units.has(unit, "deployed", "building", "finished")
            self._bridges[unit] = logic.both(bridge, deployed)
        return self._bridges[unit]

    def enemies_near(self, hex_name: str) -> Present:
        """The :meth:`opponents` in the hexes next to a hex."""
        if self._others is not None and hex_name not in self._others:
            return ()
        found = self._near.get(hex_name)
        if found is None:
            near = [e for h in self.board.neighbours(hex_name) for e in self.opponents(h)]
            found = self._near[hex_name] = tuple(near)
        return found

    def next_to_enemy(self, hex_name: str) -> bool | None:
        """Whether an enemy is next to a hex; None if one may be."""
        if self._others is not None and hex_name not in self._others:
            return False
        if hex_name not in self._beside:
            near = self.board.neighbours(hex_name)
            self._beside[hex_name] = logic.some(self.occupied(name) for name in near)
        return self._beside[hex_name]

    def friends(self, hex_name: str) -> Present:
        """Possible units of the mover's side or its allies in a hex, without the moving ones; True if
        certain, None if not."""
        found = self._friends.get(hex_name)
        if found is None:
            possible = [u for u in self.situation.possibly_in(hex_name) if u not in self.moving]
            if not possible:
                self._friends[hex_name] = ()
                return ()
            enemies = dict(self.enemies(hex_name))
            sure = self.situation.surely_in(hex_name)
            units = self.situation.game.units
            found = self._friends[hex_name] = tuple(
                (u, True if u in sure and self._is_friend(units[u]) else None)
                for u in possible
                if enemies.get(u) is not True and self._may_be_friend(units[u])
            )
        return found

    def friendly_units(self, hex_name: str) -> Present:
        """As :meth:`friends`, without surely deployed bridges, which are not units (5.7.5-b)."""
        found = (
            (unit, logic.both(sure, logic.negation(self.is_bridge(unit))))
            for unit, sure in self.friends(hex_name)
        )
        return tuple((unit, sure) for unit, sure in found if sure is not False)

    def _is_friend(self, unit: Unit) -> bool | None:
        return is_friend(self.situation.game, self.side, unit.side)

    def _may_be_friend(self, unit: Unit) -> bool:
        return self._is_friend(unit) is not False

    def may_be_on_its_side(self, unit: str) -> bool:
        return self._may_be_friend(self.situation.game.units[unit])

    def mech_in(self, hex_name: str) -> Count:
        """How many friendly Mech units are in a hex, as counted for road movement (5.6.3)."""
        answers = [logic.both(sure, self._mech(u, hex_name)) for u, sure in self.friends(hex_name)]
        return Count(
            sum(answer is True for answer in answers), sum(a is not False for a in answers)
        )

    def _mech(self, unit: str, hex_name: str) -> bool | None:
        units, tables = self.units, self.tables
        counts = units.is_mech(unit, by_road=True)
        if counts is False and not tables.applies("5.6.4-d") and self.may_ride(unit):
            return True if self.displaced_in_phase(unit) else None
        if counts is not False and tables.applies("5.7.5-c"):
            at_bridge = self._at_bridge(unit, hex_name)
            counts = logic.both(counts, logic.negation(at_bridge))
        return counts

    def _at_bridge(self, unit: str, hex_name: str) -> bool | None:
        """Whether it is a static army engineer unit with a deployed Bridge Column in its hex."""
        units = self.units
        kind = logic.both(units.is_a(unit, "engineer"), units.has(unit, "echelon", "army"))
        if logic.both(kind, units.has(unit, "static")) is False:
            return False
        here = [logic.both(sure, self.is_bridge(u)) for u, sure in self.friends(hex_name)]
        return logic.every([kind, units.has(unit, "static"), logic.some(here)])

    def may_ride(self, unit: str) -> bool:
        """Whether a unit may belong to a US Infantry Division and so use its trucks (5.6.4)."""
        return (
            logic.both(
                self.units.has(unit, "infantry-division"), self.units.has(unit, "nation", "us")
            )
            is not False
        )

    def strategic_in(self, hex_name: str) -> bool | None:
        """Whether a friendly unit in Strategic Mode is in a hex; None if one may be."""
        return logic.some(
            logic.both(sure, self.units.has(u, "mode", "strategic"))
            for u, sure in self.friendly_units(hex_name)
        )

    def covering(self, hex_name: str) -> bool | None:
        """Whether a hex offers Covering Terrain, night not considered; None if it may."""
        if hex_name not in self._covering:
            self._covering[hex_name] = self.tables.among(
                self.board, hex_name, self.tables.covering, "covering"
            )
        return self._covering[hex_name]

    def fortress(self, hex_name: str) -> bool | None:
        """Whether a hex is a Fortification held by enemies; None if it may be."""
        held = self.occupied(hex_name)
        if held is False:
            return False
        built = self.board.has(hex_name, (FORTIFICATION, WEST_WALL))
        if built:
            return held
        works = [
            logic.both(held, built),
            *(
                logic.both(sure, self.units.has(u, "works", FORTIFICATION, WEST_WALL))
                for u, sure in self.opponents(hex_name)
            ),
        ]
        return logic.some(works)

    def west_wall(self, hex_name: str) -> bool | None:
        """Whether a hex has a West Wall fortification; None if it may."""
        marked = (
            logic.both(sure, self.units.has(u, "works", WEST_WALL))
            for u, sure in self.enemies(hex_name)
        )
        return logic.some((self.board.has(hex_name, (WEST_WALL,)), *marked))

    def points(self, hex_name: str) -> tuple[Fraction, Fraction | None]:
        """The least and the most enemy strength points in a hex that count for 5.3.1; most is None if there
        is no limit."""
        found = self._points.get(hex_name)
        if found is None:
            found = self._points[hex_name] = self._add_points(hex_name)
        return found

    def _add_points(self, hex_name: str) -> tuple[Fraction, Fraction | None]:
        low, high = Fraction(0), Fraction(0)
        unbounded = False
        for unit, sure in self.opponents(hex_name):
            least, most = self.units.strength(unit)
            low += least if sure else 0
            unbounded = unbounded or most is None
            high += most or 0
        return low, None if unbounded else high

    def results_of(self, unit: str) -> tuple[Result, ...]:
        """What the facts say of overruns by a unit that bear on this phase."""
        timeline = self.unit_history.timeline
        if timeline is None:
            return ()
        return self.overruns.in_phase(unit, timeline, self.situation.at)

    def overruns_told(self, unit: str) -> Fact | None:
        """The same as one fact; None if the facts say nothing."""
        found = self.results_of(unit)
        return either(result.fact for result in found) if found else None

    def overrun_before(self, hex_name: str) -> bool | None:
        """Whether the log shows that another unit has overrun the enemies in a hex in this phase: it
        entered their hex, lay there while a die was rolled, and left.

        None if it is not certain: the unit may not be of a kind that overruns, or is still there, or the
        enemies came later. A unit still there may lie among dead counters, since it may not stop among
        enemies (5.10.3).
        """
        overran = self.unit_history.stood.get(hex_name, set()) - self.moving
        if not overran:
            return False
        by = logic.some(self._overran(unit, hex_name) for unit in sorted(overran))
        held = logic.some(
            logic.both(sure, None if unit in self.unit_history.began else True)
            for unit, sure in self.opponents(hex_name)
        )
        return logic.both(by, held)

    def _overran(self, unit: str, hex_name: str) -> bool | None:
        """Whether a unit that lay in the hex while a die was rolled has overrun the enemies there: True if
        it is surely fit to overrun and has left, False if it is no friend, else None."""
        units = self.units
        whose = self._is_friend(self.situation.game.units[unit])
        if whose is False:
            return False
        kind = logic.negation(units.is_a(unit, "artillery", "hq"))
        mode = units.has(unit, "mode", "exploit")
        fit = logic.every([whose, kind, units.is_mech(unit), mode])
        return True if fit and self.situation.where(unit).hex != hex_name else None

    def condition(self, key: str, unit: str = "") -> Fact:
        """A condition of the game; where the facts do not declare it, the usual value from the tables."""
        situation, usual = self.situation, self.tables.usual.get(key)
        if usual is None or not isinstance(situation, GameSituation):
            return situation.condition(key, unit)
        return either(usual if said is None else said for said in situation.told(key, unit))

    def began_phase_at(self, unit: str) -> Place:
        """Where a unit was when the phase began."""
        return self.unit_history.began.get(unit) or self.situation.where(unit)

    def displaced_in_phase(self, unit: str) -> bool:
        """Whether a unit has been displaced in this phase before the move."""
        return unit in self.unit_history.began
