"""The prohibitions to move at all."""

from __future__ import annotations

from collections.abc import Iterator

from ....model.board import NONE, Board
from ....model.fact import Fact
from ...answers import answer
from ...concepts import missing_facts
from ...concepts.completions import Facts
from ...concepts.hex_entries import about_hex, about_lines_in
from ...concepts.requirements import question
from ...ruleset import Breach, WeightedFact
from . import ruleset_facts
from .mover import UnitMove
from .tables import FOOT, Tables

_LARGE_GUNS = ruleset_facts.reading(
    "large_guns_advance",
    "may a large gun advance one hex (5.35), though it moves only in tow (1.15)?",
)


def prohibitions(
    unit_move: UnitMove, cls: str, facts: Facts, tables: Tables
) -> tuple[tuple[Breach, ...], tuple[WeightedFact, ...]]:
    """The breaches by which a unit may not move at all, and the missing facts that may prohibit it."""
    barred: list[Breach] = []
    missing: list[WeightedFact] = []
    for clause, holds, text, about in _bans(unit_move, cls, facts):
        if holds is False or not tables.applies(clause):
            continue
        if holds is None and clause == "13.8-a":
            hit = ruleset_facts.hit_on_its_way(unit_move.unit)
            holds = answer(unit_move.circumstances.situation.game, hit)
            if holds is None:
                missing.append(WeightedFact(hit.unknown()))
            if not holds:
                continue
        if holds:
            barred.append(Breach(f"VV-{clause}", text, ""))
        else:
            missing.append(WeightedFact(question(unit_move.unit, about)))
    return tuple(barred), tuple(missing)


def _bans(
    unit_move: UnitMove, cls: str, facts: Facts
) -> Iterator[tuple[str, bool | None, str, str]]:
    """The prohibitions as (clause, whether it applies, text of the breach, attribute to ask about). Whether
    it applies is None if not known."""
    marker_state = unit_move.marker_state
    said_by = "immobile" if cls == "afv" else "pinned"
    yield "14.7-a", marker_state.pinned, "is pinned, and does nothing", said_by
    if not unit_move.advance:
        yield "5.33-a", marker_state.fired, "has fired, and does not move", "fired"
        yield "5.33-b", marker_state.moved, "has moved before in the phase", "moved"
    if cls == "afv":
        yield "18.6-a", marker_state.immobile, "is immobilized", "immobile"
    hit = marker_state.halted if cls == "afv" else marker_state.pinned_on_the_way
    yield "13.8-a", hit, "goes on after it was pinned or immobilized on the way", "pinned"
    if cls in FOOT:
        several = marker_state.weapons
        if several is not None or marker_state.weapons_told:
            yield "12.2-b", several, "carries more than one support weapon", "weapons"
        if cls in ("leader", "hero") and facts["weapon"].must_be("heavy"):
            yield "12.2-b", True, "carries a heavy weapon, being a leader", "weapon"


def prohibitions_of_gun(
    unit_move: UnitMove, printed: Fact, board: Board, tables: Tables
) -> tuple[tuple[Breach, ...], tuple[WeightedFact, ...]]:
    """The breaches by which a gun may not be moved by its crew, and the missing facts that may prohibit it.
    ``printed``: the MPs printed on it; 0 for a large gun."""
    barred: list[Breach] = []
    missing: list[WeightedFact] = []
    large = printed.high is not None and printed.high <= 0
    perhaps = printed.low is None or printed.low <= 0
    reading = tables.large_guns_advance if unit_move.advance else "no"
    if tables.applies("1.15-a") and reading != "yes":
        if reading == "open" and perhaps:
            missing.append(WeightedFact(_LARGE_GUNS))
        elif large:
            barred.append(Breach("VV-1.15-a", "is a large gun, and moves only in tow", ""))
        elif perhaps:
            missing.append(WeightedFact(question(unit_move.unit, "mp")))
    if unit_move.advance and perhaps:
        into, open_too = _into_building(unit_move, board, tables)
        barred += into if large else ()
        missing += (
            open_too if large or not into else (WeightedFact(question(unit_move.unit, "mp")),)
        )
    return tuple(barred), tuple(missing)


def _into_building(
    unit_move: UnitMove, board: Board, tables: Tables
) -> tuple[tuple[Breach, ...], tuple[WeightedFact, ...]]:
    """The prohibition for a large gun to end in a building (10.4), and the missing facts that decide it.
    Nothing if a line goes through the hex: it may then count as a road hex."""
    name = unit_move.move.target.name
    terrain, roads = board.hexes[name].terrain, board.lines_maybe_in(name)
    if not tables.applies("10.4-a") or terrain not in (None, ("building",)):
        return (), ()
    if any(name in line.hexes for line in board.lines):
        return (), ()
    if terrain is None or roads != NONE:
        about = about_hex(board, name) if terrain is None else about_lines_in(board, name)
        return (), (WeightedFact(missing_facts.of_board(about, "")),)
    text = "brings a large gun into a building"
    return (Breach("VV-10.4-a", text, name, unit_move.move.origin.name),), ()
