"""Interpretations of a displacement: a plain move, an overrun, a retreat from one, rail, air or sea.

A pack that names no movement forms does not thereby say that every displacement is plain movement. A unit
that ends where enemies are, or were in the phase, may have overrun them (6.1). A unit at a railroad may have
come by rail (13.3), and one between two air bases or two ports by air or sea. Wherever overruns are possible,
a unit may also have been put back by one."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Literal, NamedTuple

from ....model.fact import MissingFact
from ....model.game import Displacement, Game
from ....model.unit import Unit
from ...answers import Question, answer
from ...concepts.sides import is_enemy
from ...concepts.zones import Zones
from ...ruleset import Breach, Circumstances
from . import ruleset_facts
from .tables import Tables
from .terrain_graph import OcsTerrainGraph

MoveKind = Literal["move", "overrun", "rail", "lift", "carried", "retreat"]
_HELD: dict[MoveKind, tuple[str, ...]] = {
    "rail": ("OCS-6.3a-a", "OCS-6.3a-b", "OCS-X-ELIG", "OCS-6.1b-c"),
    "lift": ("OCS-6.3a-a", "OCS-6.3a-b", "OCS-X-ELIG", "OCS-6.1b-c"),
    "carried": ("OCS-6.3a-a", "OCS-6.3a-b", "OCS-X-ELIG"),
    "retreat": ("OCS-6.1b-c",),
}
"""Kinds of moves that cost no MPs of the unit's own → clauses whose prohibition to move still holds."""
_BASES = ("airbase", "port")
"""Types that a unit of unknown type may be, unless it is the one that moves; also what may be in a hex that
may hold anything."""


class Interpretation(NamedTuple):
    """One interpretation of a displacement. ``unsaid``: the question whether it is the right one; None if
    there is nothing to ask."""

    form: str
    move_kind: MoveKind = "move"
    unsaid: MissingFact | None = None

    @property
    def is_carried(self) -> bool:
        """Whether the unit moved without spending MPs of its own and without regard to zones of control. What
        limits such a move is not in the sections at hand."""
        return self.move_kind in _HELD

    def held(self, barred: Iterable[Breach]) -> tuple[Breach, ...]:
        """Those of ``barred`` that hold in this interpretation."""
        clauses = _HELD.get(self.move_kind)
        return tuple(b for b in barred if clauses is None or b.clause in clauses)


@dataclass(frozen=True, slots=True)
class Interpretations:
    """Finds the interpretations that are possible for a unit under one set of circumstances.

    ``phase_moves``: all displacements of the phase. ``phasing``: whether the unit's side is the one to move;
    None: not known. ``other``: the question whether the phase is a movement segment; None if the pack says.
    ``none``: the phase is declared to be no movement segment. ``supply``: others may have carried the unit.
    """

    tables: Tables
    phase_moves: tuple[Displacement, ...]
    phasing: bool | None
    other: MissingFact | None = None
    supply: bool = False
    none: bool = False

    def of(
        self, unit: Unit, circumstances: Circumstances, zones: Zones, terrain_graph: OcsTerrainGraph
    ) -> Iterator[Interpretation]:
        """Every possible interpretation, those by a named form first. If the facts confirm one, only that
        one; those that the facts rule out are left out."""
        game = circumstances.situation.game
        found: list[Interpretation] = []
        for interpretation, asked_for in self._possible(unit, circumstances, zones, terrain_graph):
            told = _told(game, asked_for)
            if told is True:
                yield interpretation
                return
            if told is not False:
                found.append(
                    interpretation if told is None else interpretation._replace(unsaid=told)
                )
        yield from found

    def _possible(
        self, unit: Unit, circumstances: Circumstances, zones: Zones, terrain_graph: OcsTerrainGraph
    ) -> Iterator[tuple[Interpretation, tuple[Question, ...]]]:
        """Every interpretation, with the questions that must all be answered yes if it is the right one."""
        forms, move, tables = tuple(circumstances.forms), circumstances.move, self.tables
        if self.none:
            yield Interpretation(forms[0], "retreat"), ()
            return
        for form in forms:
            yield Interpretation(form, "overrun" if form == tables.overrun_form else "move"), ()
        if self.other is not None:
            yield Interpretation(forms[0], "retreat", self.other), ()
        if move is None:
            return
        at = move.steps[0]
        if self.supply:
            yield Interpretation(forms[0], "carried"), (ruleset_facts.transport(unit, at),)
        unnamed = forms == ("",)
        if unnamed and tables.applies("6.1-f") and self._met(unit, circumstances, zones):
            yield Interpretation("", "overrun"), (ruleset_facts.overrun(unit, at),)
        if unnamed and terrain_graph.rail_to(move.target.name):
            yield Interpretation("", "rail"), ruleset_facts.rail(unit, at)
        if unnamed and self._ports(move.origin.name, circumstances) & self._ports(
            move.target.name, circumstances
        ):
            yield Interpretation("", "lift"), ruleset_facts.lift(unit, at)
        open_to = unnamed or tables.overrun_form in forms
        if not (open_to and tables.applies("6.1-f")):
            return
        # Nobody is put back to where enemies are for certain.
        into = any(sure for _, sure in zones.enemies(move.target.name))
        if not into and self._put_back(unit, circumstances):
            yield Interpretation(forms[0], "retreat"), (ruleset_facts.retreat(unit, at),)

    def _met(self, unit: Unit, circumstances: Circumstances, zones: Zones) -> bool:
        """Whether there may be enemies where the unit was put down, or any enemy left a hex in the phase: it
        may have died or been put back before or after the unit was dragged on."""
        move, game = circumstances.move, circumstances.situation.game
        assert move is not None
        if any(zones.enemies(place.name) for place in move.waypoints[1:] if place.kind == "hex"):
            return True
        gone = (game.units[event.unit] for event in self.phase_moves if event.origin.kind == "hex")
        return any(other.kind == "unit" and _may_be_enemy(game, unit, other) for other in gone)

    def _ports(self, name: str, circumstances: Circumstances) -> set[str]:
        """Which bases for transport a hex holds or may hold, as counters or on the map: ``air``, ``port``."""
        situation = circumstances.situation
        board, found = situation.game.board, set[str]()
        words = list[str]()
        if name in board.hexes:
            here, maybe = board.hexes[name], board.maybe_in(name)
            words += [*(here.terrain or ()), *here.features, *(_BASES if maybe is None else maybe)]
        for unit in situation.possibly_in(name):
            bases = () if unit in circumstances.moving else _BASES
            words += map(str, situation.fact(unit, "type").options or bases)
        for word in map(str.lower, words):
            found.update(key for key in ("air", "port") if word.startswith(key) and word != "air")
        return found

    def _put_back(self, unit: Unit, circumstances: Circumstances) -> bool:
        """Whether enemies that may have overrun the unit were next to it or in its hex, or came there in the
        phase. A unit of the side to move is put back only from a waypoint where it was seen next to them."""
        situation, move = circumstances.situation, circumstances.move
        assert move is not None
        board, game = situation.game.board, situation.game
        stood = [] if self.phasing else [move.origin]
        if self.phasing is not False:
            seen = zip(move.waypoints[1:-1], move.binding[1:-1], strict=True)
            stood += [place for place, bound in seen if bound]
        near = {p.name for p in stood if p.kind == "hex"}
        near.update([n for name in near for n in board.neighbours(name)])
        others = [u for name in near for u in situation.possibly_in(name)]
        others += [event.unit for event in self.phase_moves if event.target.name in near]
        found = (game.units[u] for u in others)
        return any(other.kind == "unit" and _may_be_enemy(game, unit, other) for other in found)


def _told(game: Game, questions: tuple[Question, ...]) -> bool | MissingFact | None:
    """True: all are answered yes. False: one is answered no. Else the first that is not answered, as a
    missing fact. None: there are no questions."""
    if not questions:
        return None
    answers = [(question, answer(game, question)) for question in questions]
    if any(told is False for _, told in answers):
        return False
    return next((question.unknown() for question, told in answers if told is None), True)


def _may_be_enemy(game: Game, unit: Unit, other: Unit) -> bool:
    return is_enemy(game, unit.side, other.side) is not False
