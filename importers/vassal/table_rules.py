"""The effects of commands on the table: the engine's merging, placing and changing of state.

Each function restates one of VASSAL's: MovePiece, StackMetrics.merge, CompoundPieceCollection,
AddPiece, RemovePiece, ChangePiece, Stack/Deck/BasicPiece/Decorator.setState and mergeState,
Map.placeOrMerge, DynamicProperty.setValue.
"""

from __future__ import annotations

from collections.abc import Sequence

from .grids.java import parse_int
from .sequence import join, split
from .table_forms import cut_state, join_nested
from .table_items import Item, LiveMap, LivePiece, LiveStack, Pixel
from .table_state import LiveTable

LAYER_MARK = "@@"
_OLD, _UNIQUE = ";Old", ";UniqueID;"
"""What a BasicPiece's state holds if it keeps where the piece was, and its first id."""


def _int_at(table: LiveTable, tokens: list[str], index: int) -> int:
    """A coordinate; 0 if it is not a number, which is counted."""
    value = parse_int(tokens[index]) if index < len(tokens) else None
    if value is None:
        table.bad_numbers += 1
        return 0
    return value


# --- merging


def can_merge(table: LiveTable, on: LiveMap, one: Item, other: Item) -> bool:
    """May two items lie in one stack [CompoundPieceCollection.canMerge]?"""
    if _is_deck(one) or _is_deck(other):
        return True
    a = table.top(one) if isinstance(one, LiveStack) else one
    b = table.top(other) if isinstance(other, LiveStack) else other
    if a is None or b is None or table.no_stack(a) or table.no_stack(b):
        return False
    if table.hidden_by(a) != table.hidden_by(b):
        return False
    return not on.layer_property or table.layer_of(a, on) == table.layer_of(b, on)


def _is_deck(item: Item) -> bool:
    return isinstance(item, LiveStack) and item.deck_type is not None


def merge(table: LiveTable, on: LiveMap, fixed: Item, moving: Item) -> None:
    """Put ``moving`` directly above ``fixed`` [StackMetrics.merge]."""
    if isinstance(fixed, LiveStack):
        top = table.top(fixed)
        if top is not None:
            fixed = top
    holder = fixed.parent if isinstance(fixed, LivePiece) else None
    if moving is fixed or moving is holder:
        return
    index = 0
    if holder is not None:
        table.spend(len(holder.members) // 8)
        index = holder.members.index(fixed) + 1 if fixed in holder.members else 0
    elif isinstance(fixed, LiveStack):
        holder, index = fixed, len(fixed.members)
    else:
        holder, index = _stack_around(table, on, fixed), 1
    table.items.setdefault(moving.id, moving)
    if isinstance(moving, LiveStack):
        for piece in list(moving.members):
            table.insert_new(holder, piece, index)
            index += 1
        return
    if moving.parent is holder and moving in holder.members[:index]:
        index -= 1
    if moving.on is not None and moving.on is not on:
        table.unlist(moving, moving.on)
    table.insert(holder, moving, index)


def _stack_around(table: LiveTable, on: LiveMap, piece: LivePiece) -> LiveStack:
    """A new stack of one, where the piece lies [StackMetrics.createStack, Map.placeAt]."""
    stack = table.new_stack()
    stack.map = piece.on
    stack.x, stack.y = piece.at
    if isinstance(stack.map, LiveMap) and stack.map.layer_property:
        stack.layer = table.layer_of(piece, stack.map)
    table.insert_new(stack, piece, 0)
    target = stack.map or on
    table.place(stack, target, stack.x, stack.y)
    return stack


def find_merge(table: LiveTable, on: LiveMap, moving: Item, at: Pixel, player: str | None) -> bool:
    """Merge with the first thing at this pixel that takes the piece [MovePiece.createMergeFinder].

    ``player`` sees what he himself has hidden.
    """
    loose = not table.no_stack(moving)
    lying = on.drawn_at(at)
    table.spend(len(lying))
    for item in lying:
        if _is_deck(item):
            merge(table, on, item, moving)
            return True
        if not (loose and on.stacking):
            continue
        if isinstance(item, LiveStack):
            takes = table.top(item, player) is not None
        else:
            takes = not table.no_stack(item) and table.hidden_by(item) in (None, player)
        if takes and can_merge(table, on, moving, item):
            merge(table, on, item, moving)
            return True
    return False


def place_or_merge(table: LiveTable, on: LiveMap, item: Item, at: Pixel) -> None:
    """Put down, on top of what lies there if possible [Map.placeOrMerge, Map.Merger]."""
    if find_merge(table, on, item, at, None):
        return
    table.place(item, on, *at)
    if isinstance(item, LivePiece) and not table.no_stack(item) and on.stacking:
        _stack_around(table, on, item)


# --- commands


def move(
    table: LiveTable,
    item: Item,
    on: LiveMap | None,
    at: Pixel,
    under: Item | None,
    old_map: LiveMap | None,
    player: str | None,
    *,
    to_bottom: bool,
) -> None:
    """Carry out a MovePiece. ``to_bottom``: the command names no piece beneath."""
    if isinstance(item, LiveStack):
        table.spend(len(item.members))
    for piece in item.members if isinstance(item, LiveStack) else (item,):
        _forget_old_place(table, piece)
    if on is None:
        if old_map is not None:
            table.touch(item)
            table.unlist(item, old_map)
        return
    if under is not None and under.at == at and under.on is on:
        merge(table, on, under, item)
        return
    if not find_merge(table, on, item, at, player):
        _stack_or_place(table, on, item, at)
    if to_bottom and isinstance(item, LivePiece) and item.parent is not None:
        table.insert(item.parent, item, 0)


def _forget_old_place(table: LiveTable, piece: LivePiece) -> None:
    """Remove a moved piece's stored old place, which is out of date, unless it is the place where the piece
    still is. No log holds the commands that update it [SetPersistentPropertyCommand]."""
    if _OLD not in piece.base:
        return
    tokens = split(piece.base, ";")
    kept = dict(zip(tokens[5::2], tokens[6::2], strict=False))
    here = ("" if piece.on is None else piece.on.name, *map(str, piece.at))
    if tuple(kept.get(key) for key in ("OldMap", "OldX", "OldY")) == here:
        return
    left = [(key, value) for key, value in kept.items() if not key.startswith("Old")]
    table.touch(piece)
    piece.base = join([*tokens[:4], str(len(left)), *(text for pair in left for text in pair)], ";")


def _stack_or_place(table: LiveTable, on: LiveMap, item: Item, at: Pixel) -> None:
    """Place an item that merges with nothing, in a new stack of the engine's if it stacks."""
    if (
        isinstance(item, LiveStack)
        or not on.stacking
        or item.parent is not None
        or table.no_stack(item)
    ):
        table.place(item, on, *at)
        return
    stack = table.new_stack()
    table.insert_new(stack, item, 0)
    table.place(stack, on, *at)


def add(table: LiveTable, item: Item, state: str) -> bool:
    """Put a new item into the game. False: its state is too short for its type."""
    ghost = table.item(item.id)
    if ghost is not None:
        table.touch(ghost)
    table.touch(item)
    table.items[item.id] = item
    return set_state(table, item, state)


def remove(table: LiveTable, item: Item) -> None:
    """Take an item out of the game; members of a removed stack stay in it, on no map."""
    table.touch(item)
    on = item.on
    if on is not None:
        table.unlist(item, on)
        table.set_map(item, None)
    if isinstance(item, LivePiece):
        table.leave(item)
    if table.items.get(item.id) is not None:
        del table.items[item.id]


def set_state(table: LiveTable, item: Item, state: str) -> bool:
    """Set the whole state. False: the state is too short for the type; what is there was set."""
    if isinstance(item, LiveStack):
        if item.deck_type is None:
            _set_stack(table, item, split(state, ";"))
        else:
            _set_deck(table, item, state)
        return True
    form = item.form
    traits, base = cut_state(state, form.depth)
    table.touch(item)
    if form.dynamic and item.on is not None:
        _set_parts(table, item, table.forms.parts(form, traits), form.dynamic)
    item.traits = traits
    if base is None:
        return False
    set_base(table, item, base)
    return True


def set_base(table: LiveTable, piece: LivePiece, base: str) -> None:
    """Map, pixels, gpid and persistent properties [BasicPiece.setState]."""
    tokens = split(base, ";")
    on = None if tokens[0] == "null" else table.find_map(tokens[0])
    table.touch(piece)
    piece.base = _with_unique_id(base, piece.base)
    before = piece.on
    table.set_position(piece, _int_at(table, tokens, 1), _int_at(table, tokens, 2))
    if on is before:
        return
    if on is not None:
        table.add_to_map(piece, on)
    elif before is not None:
        table.unlist(piece, before)
        table.set_map(piece, None)


def _with_unique_id(base: str, before: str) -> str:
    """A piece keeps its UniqueID where a new state, of an older engine, has none."""
    if _UNIQUE not in before or _UNIQUE in base:
        return base
    old, tokens = split(before, ";"), split(base, ";")
    kept = dict(zip(old[5::2], old[6::2], strict=False)).get("UniqueID")
    if kept is None:
        return base
    tokens += [""] * (4 - len(tokens))
    count = (parse_int(tokens[4]) or 0) if len(tokens) > 4 else 0
    return join([*tokens[:4], str(count + 1), *tokens[5 : 5 + 2 * count], "UniqueID", kept], ";")


def _set_stack(table: LiveTable, stack: LiveStack, tokens: list[str]) -> None:
    """[Stack.setState]; without a map no pixels are read and all the rest are ids."""
    off = tokens[0] == "null"
    if off:
        table.set_position(stack, 0, 0)
    else:
        table.set_position(stack, _int_at(table, tokens, 1), _int_at(table, tokens, 2))
    table.drop_members(stack)
    for token in tokens[1 if off else 3 :]:
        piece = table.items.get(token)
        if isinstance(piece, LivePiece):
            table.insert_new(stack, piece, len(stack.members))
        elif token.startswith(LAYER_MARK):
            stack.layer = parse_int(token[len(LAYER_MARK) :]) or 0
    _set_holder_map(table, stack, tokens[0])


def _set_deck(table: LiveTable, deck: LiveStack, state: str) -> None:
    """[Deck.setState]; the first id is the bottom card."""
    tokens = split(state, ";")
    table.set_position(deck, _int_at(table, tokens, 1), _int_at(table, tokens, 2))
    _set_holder_map(table, deck, tokens[0])
    table.touch(deck)
    deck.face_down = len(tokens) > 3 and tokens[3] == "true"
    table.drop_members(deck)
    for card in split(tokens[4], ",") if len(tokens) > 4 else []:
        piece = table.items.get(card)
        if isinstance(piece, LivePiece):
            table.insert_new(deck, piece, len(deck.members))


def _set_holder_map(table: LiveTable, stack: LiveStack, map_name: str) -> None:
    on = None if map_name == "null" else table.find_map(map_name)
    if on is stack.map:
        return
    if on is not None:
        table.add_to_map(stack, on)
    else:
        table.set_map(stack, None)


def change(table: LiveTable, item: Item, new: str, old: str | None) -> bool:
    """A ChangePiece: set, or with ``old`` merge. False: a state is too short for the type."""
    if old is None or _is_deck(item):
        # Merging a deck like a stack would give nonsense: the new state was meant.
        return set_state(table, item, new)
    if isinstance(item, LiveStack):
        _set_stack(table, item, _merged_stack(table, item, new, old))
        return True
    return _merge_piece(table, item, new, old)


def _merged_stack(table: LiveTable, stack: LiveStack, new: str, old: str) -> list[str]:
    """Members that came since (neither in ``old`` nor in ``new``) stay [Stack.mergeState]."""
    tokens = split(new, ";")
    place, members = tokens[:3], tokens[3:]
    known = set(members).union(split(old, ";")[3:])
    came = sum(piece.id not in known for piece in stack.members)
    table.spend(came * len(members) // 8)
    for i, piece in enumerate(stack.members):
        if piece.id not in known:
            below = stack.members[i - 1].id if i else None
            members.insert(members.index(below) + 1 if below in members else 0, piece.id)
    return place + members


def _merge_piece(table: LiveTable, piece: LivePiece, new: str, old: str) -> bool:
    """Only parts that differ between ``old`` and ``new`` are set [Decorator.mergeState]."""
    form = piece.form
    new_traits, new_base = cut_state(new, form.depth)
    old_traits, old_base = cut_state(old, form.depth)
    if new_traits != old_traits:
        table.touch(piece)
        if piece.traits == old_traits and not form.dynamic:
            piece.traits = new_traits
        else:
            _merge_parts(table, piece, new_traits, old_traits)
    if new_base is None or old_base is None:
        return False
    if new_base != old_base:
        set_base(table, piece, new_base)
    return True


def _merge_parts(table: LiveTable, piece: LivePiece, new: str, old: str) -> None:
    """Three-way merge of the traits' parts."""
    states = (old, new, piece.traits)
    was, now, mine = (table.forms.parts(piece.form, traits) for traits in states)
    wanted = list(mine)
    differing = [i for i, part in enumerate(now) if part != was[i]]
    for index in differing:
        wanted[index] = now[index]
    _set_parts(table, piece, wanted, differing)


def _set_parts(
    table: LiveTable, piece: LivePiece, wanted: list[str], setting: Sequence[int]
) -> None:
    """Set the traits' parts, outermost first; a dynamic property re-inserts the piece."""
    form = piece.form
    now = table.forms.parts(form, piece.traits)
    if piece.on is not None:
        for index in form.dynamic:
            if index in setting:
                traits = join_nested(wanted[: index + 1] + now[index + 1 :])
                _set_dynamic(table, piece, traits)
    piece.traits = join_nested(wanted)


def _set_dynamic(table: LiveTable, piece: LivePiece, traits: str) -> None:
    """The value may decide the game-piece layer: put the piece down anew where it lies."""
    on, holder = piece.on, piece.parent
    if on is None or (holder is not None and holder.deck_type is not None):
        piece.traits = traits
    elif holder is None:
        table.unlist(piece, on)
        piece.traits = traits
        place_or_merge(table, on, piece, piece.at)
    else:
        other = _visible_neighbour(table, holder, piece)
        if other is None:
            table.touch(holder)
            table.unlist(holder, on)
            piece.traits = traits
            place_or_merge(table, on, holder, holder.at)
        else:
            piece.traits = traits
            if not can_merge(table, on, other, piece):
                place_or_merge(table, on, piece, holder.at)


def _visible_neighbour(table: LiveTable, stack: LiveStack, piece: LivePiece) -> LivePiece | None:
    """The piece beneath, else the one above, that an observer sees."""
    if piece not in stack.members:
        return None
    index = stack.members.index(piece)
    below = [p for p in reversed(stack.members[:index]) if table.hidden_by(p) is None]
    above = [p for p in stack.members[index + 1 :] if table.hidden_by(p) is None]
    return next(iter(below + above), None)
