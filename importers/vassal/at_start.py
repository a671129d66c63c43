"""At-start stacks and decks that the engine makes when it opens a save.

``SETUP_STACK`` in a save says that its game is not a new one [NewGameIndicator]. Where it is missing, as
in saves written by hand or by other programs, the engine takes the game for a new one at ``end_save`` and
sets up all stacks and decks of the module whose boards are in use, besides what the save holds
[SetupStack.setup, DrawPile]. Their ids are ours: the engine's are a clock's.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from ...model.problem import Problem
from .layout import MapLayout
from .module import Module
from .newgame import InitialPlacement, InitialTable, initial_placements
from .table_items import LiveMap, LivePiece, LiveStack
from .table_rules import set_state
from .table_state import LiveTable

_MARK, _END = "SETUP_STACK\t", "end_save"


def is_new_game(texts: Sequence[str]) -> bool:
    """Does the engine take a game with this opening for a new one?"""
    return _END in texts and not any(text.startswith(_MARK) for text in texts)


def at_start(module: Module, layouts: Mapping[str, MapLayout], where: str) -> InitialTable:
    """What the module sets up, with a note if there is anything. ``layouts`` by internal map id."""
    found = initial_placements(module, layouts)
    if not found.placements:
        return InitialTable((), found.problems)
    pieces = sum(len(placement.pieces) for placement in found.placements)
    note = Problem(
        "set-up-at-start",
        f"the save does not say that its game had begun (SETUP_STACK): as in VASSAL, the module's stacks"
        f" and decks at start are set up besides what it holds ({pieces} pieces)",
        where,
        "note",
    )
    return InitialTable(found.placements, (*found.problems, note))


def place(table: LiveTable, on: LiveMap, placement: InitialPlacement) -> None:
    """Put one stack, deck or piece down, on top of what is drawn so far; nothing merges."""
    pieces = [_piece(table, made.type, made.state) for made in placement.pieces]
    at = placement.x, placement.y
    if placement.kind == "piece":
        for piece in pieces:
            table.place(piece, on, *at)
        return
    deck_type = placement.deck_type if placement.kind == "deck" else None
    holder = LiveStack(table.own_id("at-start"), deck_type)
    holder.face_down = placement.face_down
    for piece in pieces:
        table.insert_new(holder, piece, len(holder.members))
    table.place(holder, on, *at)


def _piece(table: LiveTable, type_text: str, state: str) -> LivePiece:
    piece = LivePiece(table.own_id("at-start"), type_text, table.forms)
    table.items[piece.id] = piece
    set_state(table, piece, state)
    return piece
