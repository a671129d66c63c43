"""The check of ownership: reports moves of another side's counters. It never makes an accusation."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from ..model.finding import Finding, FindingKind
from ..model.game import Game
from .checks import OWNER, listed, names_of
from .displacement_screening import holds_no_movement
from .moves import Track
from .verdicts import finding


def check_ownership(game: Game, tracks: Sequence[Track]) -> tuple[Finding, ...]:
    """One finding for each move on the map that a player made with units of another side that is not an ally.

    It is a note, or an unverifiable finding that asks for the owner's word, if the pack says that nothing but
    movement displaces counters in that phase."""
    found: list[Finding] = []
    for track in tracks:
        move = track.move
        if not track.counts or move.actor is None or move.actor not in game.sides:
            continue
        strange = [u for u in move.units if _is_strange(game, u, move.actor)]
        if not strange:
            continue
        rule = game.whole_phase(move.phase.phase) if track.phase_known else None
        asked = rule is not None and not holds_no_movement(rule, game)
        name = listed(names_of(game, strange))
        said = f"{move.actor} moved {name} of {_side(game, strange[0])} from {move.origin} to {move.target}"
        kind: FindingKind = "unverifiable" if asked else "note"
        about = replace(move, units=tuple(strange))
        note = finding(game, about, OWNER, kind, "unverifiable", said)
        remedy = "the owner's word that it was agreed" if asked else ""
        found.append(replace(note, remedy=remedy))
    return tuple(found)


def _is_strange(game: Game, unit: str, actor: str) -> bool:
    """Whether ``unit`` belongs to a side that is not ``actor`` and not certainly its ally."""
    side = _side(game, unit)
    return side is not None and game.relation(actor, side) != "friend"


def _side(game: Game, unit: str) -> str | None:
    """The side of ``unit``; None if it is not known or is not one of the game's sides."""
    known = game.units.get(unit)
    return known.side if known is not None and known.side in game.sides else None
