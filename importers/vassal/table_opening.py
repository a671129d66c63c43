"""Setting up a table from the pieces of a save, all at once.

A save brings most pieces alone and then the stacks that take them in, and a log touches one piece in
ten. So pieces that are taken into a stack keep their state as text. Where an opening does anything
else than adding items, each with an id of its own, its commands are carried out one by one instead.

``SETUP_STACK`` in a save says that its game is not a new one [NewGameIndicator]. Where it is missing, as
in saves written by hand or by other programs, the engine takes the game for a new one at ``end_save`` and
sets up all stacks and decks of the module whose boards are in use, besides what the save holds
[SetupStack.setup, DrawPile]. Their ids are ours: the engine's are a clock's.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Literal

from ...model.problem import Problem
from .layout import MapLayout
from .module import Module
from .newgame import InitialPlacement, InitialTable, initial_placements
from .sequence import split
from .table_items import Item, LiveMap, LivePiece, LiveStack, java_int
from .table_rules import LAYER_MARK, set_state
from .table_state import LiveTable

_FEWEST_FIELDS = 3
"""A stack's state has this many delimiters as soon as it holds anything."""
Addition = tuple[str, str, str]
"""id, type, state."""
Oddity = tuple[str, Literal["map", "number"]]
"""Id of an item that names a map, or a pixel, that cannot be read."""


def plain_additions(texts: Sequence[str]) -> list[Addition] | None:
    """The additions among an opening's commands, if all that happens on the table is additions of
    items with different ids; else None."""
    additions: list[Addition] = []
    for text in texts:
        head = text[:2]
        if head == "+/":
            fields = text.split("/")
            if len(fields) != 4 or not _is_plain(fields):
                fields = split(text, "/")
            if len(fields) < 4 or fields[1] == "null":
                return None
            additions.append((fields[1], fields[2], fields[3]))
        elif head in ("M/", "D/", "-/"):
            return None
    if len({addition[0] for addition in additions}) < len(additions):
        return None
    return additions


def _is_plain(fields: list[str]) -> bool:
    """No delimiter was escaped and no field is in quotes."""
    _, id_text, type_text, state = fields
    return not (
        id_text[-1:] == "\\" or type_text[-1:] == "\\"
        or id_text[:1] == "'" or type_text[:1] == "'" or state[:1] == "'"
    )  # fmt: skip


def set_up(table: LiveTable, additions: Sequence[Addition]) -> list[Oddity]:
    """Add everything in order, as so many AddPiece commands would."""
    odd: list[Oddity] = []
    items = table.items
    drawn: list[tuple[Item, int]] = []
    for id_text, type_text, state in additions:
        table.drawn += 1
        if type_text == "stack":
            stack = items[id_text] = LiveStack(id_text)
            is_empty = state.count(";") < _FEWEST_FIELDS  # saves are full of them: nobody is told
            _fill_stack(table, stack, state, [] if is_empty else odd)
            if stack.map is not None:
                drawn.append((stack, table.drawn))
        elif type_text.startswith("deck;"):
            deck = items[id_text] = LiveStack(id_text, type_text)
            _watched(table, deck, state, odd)
        else:
            piece = items[id_text] = LivePiece(id_text, type_text, table.forms, state)
            fields = split(piece.base, ";")
            piece.x, piece.y = (java_int(t) or 0 for t in (*fields[1:3], "", "")[:2])
            drawn.append((piece, table.drawn))
    for item, _ in drawn:
        if isinstance(item, LivePiece) and item.parent is None:
            _lay_down(table, item, odd)
    for item, number in drawn:
        if isinstance(item, LiveStack) or item.parent is None:
            _list(table, item, item.map, number)
    return odd


def _watched(table: LiveTable, item: Item, state: str, odd: list[Oddity]) -> None:
    """Set a state the long way; note what of it cannot be read."""
    numbers, maps = table.bad_numbers, table.unknown_maps
    set_state(table, item, state)
    if table.unknown_maps != maps:
        odd.append((item.id, "map"))
    if table.bad_numbers != numbers:
        odd.append((item.id, "number"))


def _fill_stack(table: LiveTable, stack: LiveStack, state: str, odd: list[Oddity]) -> None:
    """[Stack.setState] for a stack that is new."""
    fields = split(state, ";") if "\\" in state or "'" in state else state.split(";")
    first = 3
    if fields[0] == "null":
        first = 1
    else:
        stack.map = _map(table, fields[0], stack.id, odd)
        stack.x, stack.y = _pixels(fields, stack.id, odd)
    on, members, items = stack.map, stack.members, table.items
    for token in fields[first:]:
        piece = items.get(token)
        if isinstance(piece, LivePiece):
            if piece.parent is not None:
                table.leave(piece)
            piece.parent = stack
            piece.map = on
            members.append(piece)
        elif token.startswith(LAYER_MARK):
            stack.layer = java_int(token[len(LAYER_MARK) :]) or 0


def _lay_down(table: LiveTable, piece: LivePiece, odd: list[Oddity]) -> None:
    """[BasicPiece.setState] for a piece that no stack took in."""
    fields = split(piece.base, ";")
    piece.x, piece.y = _pixels(fields, piece.id, odd)
    if fields[0] != "null":
        piece.map = _map(table, fields[0], piece.id, odd)


def _map(table: LiveTable, name: str, id_text: str, odd: list[Oddity]) -> LiveMap | None:
    found = table.find_map(name)
    if found is None:
        odd.append((id_text, "map"))
    return found


def _pixels(fields: list[str], id_text: str, odd: list[Oddity]) -> tuple[int, int]:
    x = java_int(fields[1]) if len(fields) > 1 else None
    y = java_int(fields[2]) if len(fields) > 2 else None
    if x is None or y is None:
        odd.append((id_text, "number"))
    return x or 0, y or 0


def _list(table: LiveTable, item: Item, on: LiveMap | None, number: int) -> None:
    """Enter into the map's collection, where it was put at its turn."""
    if on is not None:
        item.listed = ((on, table.layer_of(item, on), number),)


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
