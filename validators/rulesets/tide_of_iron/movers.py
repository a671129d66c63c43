"""Makes the scenarios of a unit: its movers under each completion and each interpretation of its drags."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from functools import partial

from ....model.bill import Amount
from ....model.fact import UNKNOWN, Fact, known
from ....model.game import Game
from ....model.unit import Unit
from ...answers import Question, answer
from ...concepts import missing_facts
from ...concepts.charts import NO_CLASS
from ...concepts.completions import Facts, completions
from ...concepts.zones import Zones
from ...ruleset import (
    Breach,
    Budget,
    Circumstances,
    Requirement,
    Scenario,
    WeightedFact,
    World,
)
from ...situation import Situation
from . import ruleset_facts
from .allowance import ACTIONS, ASSAULT, Card, Riders, allowance
from .interpretations import advanced, pushed_back, put_back, refreshed
from .movement_graph import TideMovementGraph
from .obstacles import MINES, Obstacles, ObstaclesNow
from .prohibitions import Entry, Prohibitions
from .riders import riders_of
from .surcharges import surcharges
from .tables import CLASSES, DEPTHS, STREAM, Tables
from .terrain_graph import TideTerrainGraph, hex_of
from .traits import MoveSegments, Traits
from .unit_actions import NO, UnitActions, gone_out, read_unit_actions
from .unit_history import UnitHistory
from .unit_move import UnitMove
from .unit_type import NOT_ACTIVATED, classes_of, depths_of

STREAM_DEPTH = "condition:stream"
_TANKS = frozenset(("light", "heavy", NO_CLASS))
"""The classes that may have the abilities of a tank: not squads and trucks. ``NO_CLASS``: an unknown
class."""
ON_THE_BOARD = (Requirement("aboard", (NO,)),)
"""What an enemy must meet to make a hex count as occupied: riders do not, but their vehicle does."""


@dataclass(frozen=True, slots=True, eq=False)
class TideMover:
    """See :class:`~vassal_umpire.validators.ruleset.Mover`."""

    form: str
    budget: Budget
    barred: tuple[Breach, ...]
    perhaps_barred: tuple[WeightedFact, ...]
    terrain_graph: TideTerrainGraph
    zones: Zones
    obstacles: ObstaclesNow
    traits: Traits
    segments: MoveSegments
    graphs: dict[World, TideMovementGraph] = field(init=False, default_factory=dict, repr=False)

    def graph(self, world: World) -> TideMovementGraph:
        """The movement graph in one world. It is made once; path and bill use the same one."""
        found = self.graphs.get(world)
        if found is None:
            found = self.graphs[world] = TideMovementGraph(
                self.terrain_graph, self.zones, self.obstacles, self.traits, self.segments, world
            )
        return found


class MoverFactory:
    """Makes the scenarios of every unit of a game."""

    def __init__(self, game: Game, tables: Tables) -> None:
        self._game = game
        self._tables = tables
        self._terrain_graphs: dict[tuple[tuple[str, ...], tuple[str, ...]], TideTerrainGraph] = {}
        self._has_streams = any(
            STREAM in (h.terrain or (STREAM,)) for h in game.board.hexes.values()
        )
        self._obstacles = Obstacles(game.board, game.units)
        self._unit_history: UnitHistory | None = None
        self._clearers: tuple[str, ...] | None = None
        """The units of which the game ever says that they clear wire; None: not yet looked up."""
        self._zones: tuple[Circumstances, dict[str | None, Zones]] | None = None

    def on(self, game: Game) -> MoverFactory:
        """The factory for ``game``, the same game with its board at another time."""
        found = MoverFactory(game, self._tables)
        found._unit_history, found._clearers = self._unit_history, self._clearers
        return found

    def unit_history(self, situation: Situation) -> UnitHistory:
        """The history of all units of the game. It is indexed once for each timeline."""
        if self._unit_history is None or self._unit_history.timeline is not situation.timeline:
            self._unit_history = UnitHistory(situation.timeline)
        return self._unit_history

    def terrain_graph(self, classes: tuple[str, ...], depths: tuple[str, ...]) -> TideTerrainGraph:
        """The terrain graph for these classes and depths of streams. It is made once."""
        key = (classes, depths)
        if key not in self._terrain_graphs:
            self._terrain_graphs[key] = TideTerrainGraph(self._game, self._tables, classes, depths)
        return self._terrain_graphs[key]

    def zones(self, circumstances: Circumstances, side: str | None) -> Zones:
        """The enemies of ``side`` (None: not known). They are looked up once for all units of a move."""
        if self._zones is None or self._zones[0] is not circumstances:
            self._zones = (circumstances, {})
        if side not in self._zones[1]:
            self._zones[1][side] = Zones(circumstances, side, None, ON_THE_BOARD)
        return self._zones[1][side]

    def scenarios(self, unit: str, circumstances: Circumstances) -> tuple[Scenario, ...]:
        """One scenario for each completion of what is not known about the unit."""
        situation = circumstances.situation
        assert isinstance(situation, Situation)
        whose = self._game.units[unit]
        unit_history, move = self.unit_history(situation), circumstances.move
        start = 0 if move is None else unit_history.timeline.first_event(move.steps[0])
        unit_move = UnitMove(
            self._game,
            self._tables,
            whose,
            circumstances,
            situation,
            unit_history,
            unit_history.phase(start)[1],
        )
        facts = {
            "class": unit_move.card(unit, "class"),
            "action": unit_move.action(start),
        }
        if self._has_streams:
            facts[STREAM_DEPTH] = situation.condition("stream")
        return tuple(
            Scenario(tuple(self._movers(unit_move, completed)), assumptions)
            for completed, assumptions in completions(whose, facts, _options)
        )

    def _clearing_units(self, unit_history: UnitHistory) -> tuple[str, ...]:
        """The units of which the game ever says that they clear wire. Looked up once."""
        timeline = unit_history.timeline
        if self._clearers is None:
            self._clearers = tuple(
                name
                for name, unit in self._game.units.items()
                if "clears" in unit.attributes or timeline.tells_of(name, "clears")
            )
        return self._clearers

    def _movers(self, unit_move: UnitMove, facts: Facts) -> Iterator[TideMover]:
        """One mover for each interpretation of the drags: the unit moved by itself; it was carried, if it may
        have ridden; and what else it may have done (retreat, advance after an assault, and so on)."""
        classes = classes_of(facts["class"])
        squad = "squad" in classes or NO_CLASS in classes
        move = unit_move.circumstances.move
        if move is None:
            return
        side = unit_move.unit.side
        # a vehicle does not ride in another, unless its attribute ``aboard`` is given
        may_ride = squad or unit_move.fact(unit_move.unit.id, "aboard").options is not None
        unit_actions = read_unit_actions(
            unit_move.unit.id, side, move, unit_move.unit_history, None if may_ride else False
        )
        doubtful = any(leg.carried is None for leg in unit_actions.legs)
        readings: list[tuple[bool | None, WeightedFact | None]] = [(False, None)]
        if doubtful:
            readings.insert(
                0, (True, WeightedFact(missing_facts.of_unit(unit_move.unit, "aboard")))
            )
        for rides, missing_fact in readings:
            if doubtful:
                unit_actions = read_unit_actions(
                    unit_move.unit.id, side, move, unit_move.unit_history, rides
                )
            mover = self._mover(unit_move, facts, classes, unit_actions)
            yield mover if missing_fact is None else _perhaps(mover, missing_fact)
        for out in gone_out(unit_actions) if squad else ():
            ridden = next(leg for leg in out.legs if leg.carried)
            asked_of = ruleset_facts.got_out(unit_move.unit, ridden.target)
            yield from self._answered(
                asked_of, partial(self._mover, unit_move, facts, classes, out)
            )
        for other, asked_of in self._other_readings(unit_move, squad, unit_actions):
            yield from self._answered(
                asked_of, partial(self._mover, unit_move, facts, classes, other)
            )
        if squad and facts["action"].may_be(ASSAULT) and self._tables.applies("MV-d"):
            asked_of = ruleset_facts.advance(unit_move.unit, move.target.name)
            for taken in advanced(unit_actions, self._game.board):
                yield from self._answered(
                    asked_of, partial(self._mover, unit_move, facts, classes, taken, unit_actions)
                )
        back = pushed_back(unit_actions, self.zones(unit_move.circumstances, side))
        if back is not None and _TANKS.intersection(classes):
            moved_back, asked_of = (
                put_back(unit_actions, back),
                ruleset_facts.push_back(unit_move.unit, unit_actions.legs[back].origin),
            )
            yield from self._answered(
                asked_of, partial(self._mover, unit_move, facts, classes, moved_back)
            )

    def _answered(self, question: Question, mover: Callable[[], TideMover]) -> Iterator[TideMover]:
        """The mover of an interpretation, unless the facts say that it is not what happened. If they do not
        say whether it is, the mover is perhaps barred."""
        told = answer(self._game, question)
        if told is not False:
            yield mover() if told else _perhaps(mover(), WeightedFact(question.unknown()))

    def _other_readings(
        self, unit_move: UnitMove, squad: bool, unit_actions: UnitActions
    ) -> Iterator[tuple[UnitActions, Question]]:
        """Other interpretations of what the unit did, each with the question that decides it."""
        if squad and unit_move.is_assaulted(unit_actions):
            legs = tuple(replace(leg, carried=True) for leg in unit_actions.legs)
            yield (
                replace(unit_actions, legs=legs),
                ruleset_facts.retreat(unit_move.unit, unit_actions.legs[0].origin),
            )
        again = refreshed(unit_actions)
        if again is not None:
            yield again, ruleset_facts.again(unit_move.unit)

    def _mover(
        self,
        unit_move: UnitMove,
        facts: Facts,
        classes: tuple[str, ...],
        unit_actions: UnitActions,
        whole: UnitActions | None = None,
    ) -> TideMover:
        """The mover of the unit under one interpretation, ``unit_actions``. ``whole``: the actions in which
        prohibitions are looked for; None: ``unit_actions``."""
        tables, unit, circumstances = self._tables, unit_move.unit, unit_move.circumstances
        actions = tuple(map(str, facts["action"].options or (*ACTIONS, NOT_ACTIVATED)))
        zones = self.zones(circumstances, unit.side)
        clears = hex_of(self._game.board, unit_move.declared("clears", unit_actions).value)
        cleared = unit_move.cleared(unit_actions, self._clearing_units(unit_move.unit_history))
        if clears and "light" in classes:
            # The text does not say whether a light tank that stops in wire and removes it must stay there.
            cleared |= {clears}
        obstacles = self._obstacles.during(unit_move.unit_history, *unit_actions.span, cleared)
        mined = frozenset(_mined(unit_actions, obstacles))
        if mined:
            unit_actions = replace(unit_actions, mined=mined)
            whole = whole and replace(whole, mined=mined)
        card = unit_move.card
        assaults = unit_move.declared("assaults", unit_actions)
        entries: list[Entry] = []
        limit: Amount | None = None
        stages: tuple[tuple[str, str], ...] = ()
        missing: tuple[WeightedFact, ...] = ()
        whole = unit_actions if whole is None else whole
        if whole.walked:
            prohibitions = Prohibitions(unit, classes, actions, whole, tables, card)
            entries += prohibitions.found()
            if assaults is not UNKNOWN:
                stood = (
                    unit_actions.walked[-1].target
                    if unit_actions.walked
                    else unit_actions.legs[-1].origin
                )
                entries += prohibitions.of_assault(assaults, stood, zones, self._game.board)
            riders: Riders = ()
            if not tables.applies("SB-7"):
                riders = riders_of(unit, unit_actions, lambda name: unit_move.fact(name, "aboard"))
            found = allowance(unit, classes, actions, unit_actions, tables, card, riders)
            limit = found.amount if tables.applies("MV-f") else None
            stages, missing = found.stages, found.missing
        return TideMover(
            circumstances.forms[0],
            Budget(limit, "TOI-MV-f", stages=stages, missing=missing),
            tuple([entry for entry in entries if isinstance(entry, Breach)]),
            tuple([entry for entry in entries if isinstance(entry, WeightedFact)]),
            self.terrain_graph(classes, depths_of(facts.get(STREAM_DEPTH, UNKNOWN))),
            zones,
            obstacles,
            self._traits(unit_move, classes, unit_actions, assaults, card),
            _segments(unit_actions, surcharges(unit_actions, classes, clears, tables)),
        )

    def _traits(
        self,
        unit_move: UnitMove,
        classes: tuple[str, ...],
        unit_actions: UnitActions,
        assaults: Fact,
        card: Card,
    ) -> Traits:
        """What the movement graph needs to know about the unit and its move."""
        board, move, unit = self._game.board, unit_move.circumstances.move, unit_move.unit
        stalled = unit_move.declared("stalled", unit_actions)
        walked = unit_actions.walked
        return Traits(
            unit,
            classes,
            _yes_or_no(card(unit.id, "tank")) if _TANKS.intersection(classes) else False,
            _yes_or_no(card(unit.id, "engineer")),
            start=walked[0].origin if walked else "",
            end=unit_actions.legs[-1].target if unit_actions.legs else "",
            stalled=hex_of(board, stalled.value) if stalled.is_known else None,
            assaults=bool(hex_of(board, assaults.value)),
            goes_on=(move is not None and move.goes_on)
            or unit_move.unit_history.taken_off(unit_actions.unit, unit_actions.end)
            or _is_stopped(unit_actions, classes),
            ended=self._ended(unit_move.unit, unit_actions),
            card=card,
        )

    def _ended(self, unit: Unit, unit_actions: UnitActions) -> bool | None:
        """Whether the facts say that the unit's movement ended where its last leg ended; None: they do not
        say, or it has no legs."""
        return (
            answer(self._game, ruleset_facts.end(unit, unit_actions.legs[-1].target))
            if unit_actions.legs
            else None
        )


def _mined(unit_actions: UnitActions, obstacles: ObstaclesNow) -> Iterator[str]:
    """The hexes of the unit's legs in which mines lie or may lie."""
    if obstacles.hexes:
        for leg in unit_actions.walked:
            yield from (n for n in (leg.origin, leg.target) if obstacles.at(n, MINES) is not False)


def _perhaps(mover: TideMover, missing_fact: WeightedFact) -> TideMover:
    return replace(mover, perhaps_barred=(*mover.perhaps_barred, missing_fact))


def _segments(unit_actions: UnitActions, paid: tuple[tuple[str, object], ...]) -> MoveSegments:
    hops = tuple((leg.origin, leg.target) for leg in unit_actions.legs if leg.carried)
    walks = [False]
    for leg in unit_actions.legs:
        if leg.carried:
            walks.append(False)
        else:
            walks[-1] = True
    return MoveSegments(hops, tuple(walks), paid)  # type: ignore[arg-type]


def _is_stopped(unit_actions: UnitActions, classes: tuple[str, ...]) -> bool:
    """Whether the unit was, or may have been, damaged after its last leg, so that it had to stay there or be
    put back. Light damage does not stop a heavy vehicle."""
    if not unit_actions.legs:
        return False
    last = unit_actions.legs[-1].at
    harmless = {"none", *(("light",) if classes == ("heavy",) else ())}
    before = unit_actions.value("damage", last)
    if before.is_known:  # if not, a value given later may be new damage
        harmless.add(str(before.value))
    said = unit_actions.unit_history.changes(unit_actions.unit, "damage", last, unit_actions.end)
    return any(not harmless.issuperset(fact.options or ("?",)) for _, fact, _ in said)


def _options(about: str, fact: Fact) -> tuple[Fact, ...]:
    every: dict[str, tuple[str, ...]] = {
        "class": CLASSES,
        "action": (*ACTIONS, NOT_ACTIVATED),
        STREAM_DEPTH: DEPTHS,
    }
    options = fact.options if fact.options is not None else every[about]
    return tuple(known(option) for option in options)


def _yes_or_no(fact: Fact) -> bool | None:
    if fact.must_be(True):
        return True
    return False if fact.must_be(False) else None


__all__ = ["MoverFactory", "TideMover"]
