"""The scenarios of a unit: one for every combination of possible values of its unknown attributes."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from ....model.fact import Fact, known
from ....model.game import Game
from ....model.unit import Unit
from ...answers import answer, yes_or_no
from ...concepts.completions import Facts, completions
from ...concepts.requirements import question
from ...ruleset import (
    Breach,
    Budget,
    Circumstances,
    CostBreakdown,
    MovementGraph,
    Scenario,
    Step,
    Tag,
    WeightedFact,
    World,
)
from .movement_options import MovementOptions, WarMover
from .neighbourhood import Neighbourhood
from .neighbourhood_keys import KeyRegistry
from .overrun_results import Results
from .player_questions import ROADS_MEET, took_exploit
from .tables import CLASSES, MODES, NATIONS, Tables
from .terrain_graph import WarTerrainGraph, with_open_lines
from .unit_history import UnitHistory
from .unit_kind import Kind
from .units import UnitIndex, index_units
from .water import Traits

_ALWAYS = ("class", "type", "nation", "mode", "motor")
_OF_GUNS = ("traction", "battery", "calibre")
_CALIBRES = ("105", "155h", "150-nebelwerfer", "light-nebelwerfer", "other")
_CHOICES: dict[str, tuple[str | bool, ...]] = {
    "class": CLASSES,
    "nation": NATIONS,
    "mode": MODES,
    "motor": (False, True),
    "traction": ("towed", "sp", "horse"),
    "battery": ("in", "out"),
    "calibre": _CALIBRES,
    "deployed": ("no", "building", "finished"),
}
_UNBOUNDED = Budget(None, "WAR-5.0-g")


@dataclass(frozen=True, slots=True, eq=False)
class OpenMover:
    """A mover that may go anywhere for nothing. It stands for a unit whose attributes the ruleset does not
    understand, or for a displacement that may not be movement; ``perhaps_barred`` holds the questions."""

    board_steps: OpenMovementGraph
    perhaps_barred: tuple[WeightedFact, ...]
    form: str = ""
    budget: Budget = _UNBOUNDED
    barred: tuple[Breach, ...] = ()

    def graph(self, _world: World) -> MovementGraph:
        """The graph in which every step is free."""
        return self.board_steps


@dataclass(frozen=True, slots=True)
class OpenMovementGraph:
    """A movement graph in which every step to a neighbouring hex costs nothing."""

    game: Game
    least: int = 0

    def steps(self, hex_name: str, _tag: Tag) -> Sequence[Step]:
        """The steps to all neighbouring hexes."""
        return [Step(to, 0, "-") for to in self.game.board.neighbours(hex_name)]

    def edges_with_violations(self, hex_name: str, tag: Tag) -> Sequence[Step]:
        """The same steps as :meth:`steps`; none breaks anything."""
        return self.steps(hex_name, tag)

    def cost_breakdown(self, _hex_name: str, _tag: Tag, _step: Step) -> CostBreakdown:
        """An empty breakdown."""
        return CostBreakdown(())


class MoverFactory:
    """Makes the scenarios of every unit of a game."""

    def __init__(self, game: Game, tables: Tables, unit_index: UnitIndex | None = None) -> None:
        self._game = game
        self._tables = tables
        self._countries: dict[Traits, WarTerrainGraph] = {}
        self._board = with_open_lines(game.board, tables.complete)
        self._unit_history = UnitHistory()
        self._key_registry = KeyRegistry(game.board)
        self._unit_index = index_units(game, tables) if unit_index is None else unit_index
        self._overruns = Results(game)
        self._junctions = {
            condition.key.removeprefix(f"{ROADS_MEET} "): yes_or_no(condition.fact)
            for condition in game.conditions
            if condition.key.startswith(f"{ROADS_MEET} ")
        }
        self._scenes: tuple[Circumstances, dict[str | None, Neighbourhood]] | None = None

    def on(self, game: Game) -> MoverFactory:
        """A factory for the game on another of its boards."""
        return MoverFactory(game, self._tables, self._unit_index)

    def terrain_graph(self, traits: Traits) -> WarTerrainGraph:
        """The terrain graph for movers with ``traits``, cached."""
        if traits not in self._countries:
            self._countries[traits] = WarTerrainGraph(
                self._board, self._tables, traits, self._junctions
            )
        return self._countries[traits]

    def neighbourhood(self, circumstances: Circumstances, side: str | None) -> Neighbourhood:
        """The neighbourhood for a moving side, shared by all units of one move."""
        if self._scenes is None or self._scenes[0] is not circumstances:
            self._scenes = (circumstances, {})
        scenes = self._scenes[1]
        if side not in scenes:
            scenes[side] = Neighbourhood(
                circumstances,
                self._tables,
                side,
                self._unit_history,
                self._unit_index,
                self._overruns,
            )
        return scenes[side]

    def scenarios(self, unit: str, circumstances: Circumstances) -> tuple[Scenario, ...]:
        """One scenario for every combination of possible values of the unit's unknown attributes."""
        whose = self._game.units[unit]
        neighbourhood = self.neighbourhood(circumstances, whose.side)
        facts = self._gather(unit, neighbourhood)
        return tuple(
            Scenario(
                tuple(self._movers(whose, completed, neighbourhood, circumstances)), assumptions
            )
            for completed, assumptions in completions(whose, facts, self._options)
        )

    def _gather(self, unit: str, neighbourhood: Neighbourhood) -> Facts:
        about = list(_ALWAYS)
        if neighbourhood.units.is_a(unit, "artillery") is not False:
            about += _OF_GUNS
        if neighbourhood.units.is_a(unit, "bridge") is not False:
            about.append("deployed")
        return {name: self._said(unit, name, neighbourhood) for name in about}

    def _said(self, unit: str, name: str, neighbourhood: Neighbourhood) -> Fact:
        """What is known of an attribute of the mover. A known value that the ruleset does not understand is
        returned as it stands, so that the unit becomes an :class:`OpenMover`: these rules may not cover it.
        """
        told = neighbourhood.units.as_told(unit, name)
        strange = told.is_known and not self._is_understood(name, told)
        return told if strange else neighbourhood.units.fact(unit, name)

    def _options(self, about: str, fact: Fact) -> tuple[Fact, ...]:
        every = self._tables.all_types() if about == "type" else _CHOICES[about]
        return tuple(known(option) for option in (fact.options or every))

    def _movers(
        self, unit: Unit, facts: Facts, neighbourhood: Neighbourhood, circumstances: Circumstances
    ) -> Iterator[WarMover | OpenMover]:
        kind = self._kind(unit, facts)
        if kind is None:
            asked = tuple(
                WeightedFact(question(unit, name))
                for name, fact in facts.items()
                if not self._is_understood(name, fact)
            )
            yield OpenMover(OpenMovementGraph(self._game), asked)
            return
        if kind.mode == "maneuver-reserve":
            kind = self._out_of_reserve(kind, neighbourhood)
        movement_options = MovementOptions(
            self.terrain_graph, kind, neighbourhood, circumstances, self._key_registry
        )
        yield from movement_options.movers()
        missing = movement_options.put_back_by_overrun()
        if missing is None and (mounts := movement_options.mounting_missing_fact()) is not None:
            missing = (mounts,)
        if missing is not None:
            yield OpenMover(OpenMovementGraph(self._game), missing)

    def _out_of_reserve(self, kind: Kind, neighbourhood: Neighbourhood) -> Kind:
        """``kind``, a unit in Maneuver Reserve, changed as the facts say: in Exploit Mode if it took that
        before it moved, with ``stays`` if it did not, unchanged if they do not say."""
        said = answer(self._game, took_exploit(kind.unit, neighbourhood.situation.at))
        if said is None:
            return kind
        return replace(kind, mode="exploit") if said else replace(kind, stays=True)

    def _is_understood(self, name: str, fact: Fact) -> bool:
        every = self._tables.all_types() if name == "type" else _CHOICES[name]
        return fact.is_known and (fact.value in every or name == "calibre")

    def _kind(self, unit: Unit, facts: Facts) -> Kind | None:
        if not all(self._is_understood(name, fact) for name, fact in facts.items()):
            return None
        values = {name: fact.value for name, fact in facts.items()}
        return Kind(
            unit,
            str(values["class"]),
            str(values["type"]),
            str(values["nation"]),
            str(values["mode"]),
            values["motor"] is True,
            str(values.get("traction", "")),
            str(values.get("battery", "")),
            str(values.get("calibre", "")),
            str(values.get("deployed", "no")),
        )
