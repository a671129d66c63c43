"""The table as the engine holds it: pieces, stacks and decks that change in place.

Mutable on purpose: the cost of a step must not depend on the number of pieces. The reader returns the
frozen values of ``model.table``. The rules restate VASSAL's GameState, Map,
Stack, Deck, BasicPiece and the piece collections, seen by an observer without a side.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from ...model.problem import Unreadable
from .table_forms import FormIndex
from .table_items import NO_LAYER, Item, LiveMap, LivePiece, LiveStack

PieceMark = tuple[bool, "LiveMap | None", int, int, "LiveStack | None", str, str]
"""What a step remembers of a piece before it: in the game?, place, holder, traits' state, base."""
StackMark = tuple[bool, "LiveMap | None", int, int, tuple[LivePiece, ...], bool]
"""The same of a stack or deck: in the game?, place, members, face down?"""


class Journal:
    """The items that one step touched, as they were before its first touch."""

    __slots__ = ("pieces", "stacks")

    def __init__(self) -> None:
        self.pieces: dict[LivePiece, PieceMark] = {}
        self.stacks: dict[LiveStack, StackMark] = {}

    def clear(self) -> None:
        self.pieces = {}
        self.stacks = {}


MOST_WORK = 20_000_000
"""Limit on the members of stacks and global properties that a whole file makes the replay examine. The
largest known games need a few hundred thousand; thousands of pieces on one pixel, moved thousands of times,
would need more."""

PropertyLookup = Callable[[LivePiece, str], "str | None"]


class LiveTable:
    """All pieces, stacks and decks of a game, with the engine's primitive operations."""

    def __init__(self, maps: Callable[[str], LiveMap | None], forms: FormIndex) -> None:
        self._find_map = maps
        self.forms = forms
        self.items: dict[str, Item] = {}
        self.journal = Journal()
        self.bad_numbers = 0
        self.unknown_maps = 0
        self._opening = True
        self.property_of: PropertyLookup = lambda piece, name: None
        self.own_hides: Callable[[str], bool] = lambda state: False
        """Whether a trait of the module's own in this state may hide its piece."""
        self.drawn = 0
        self.work = 0
        self._local = 0

    def let_go(self) -> None:
        """Take the table apart. Its items refer to each other, so without this their memory would not be free
        until the next search for garbage."""
        for item in self.items.values():
            item.map, item.listed = None, ()
            if isinstance(item, LivePiece):
                item.parent = None
        self.journal.clear()
        del self.items, self.property_of, self.own_hides

    def spend(self, work: int) -> None:
        """Count the items that a command examines. Raises :class:`Unreadable` above the limit."""
        self.work += work
        if self.work > MOST_WORK:
            raise Unreadable(
                "so many pieces that lie together, or global properties, change so often that it takes"
                " too long to follow",
                expected=f"at most {MOST_WORK:,} looks at pieces in stacks and at global properties",
            )

    # --- looking

    def find_map(self, name: str | None) -> LiveMap | None:
        """The map a command names [Map.getMapById]; None for none and, counted, for unknown names."""
        if name is None:
            return None
        found = self._find_map(name)
        if found is None:
            self.unknown_maps += 1
        return found

    def begin(self) -> None:
        """The opening is done: from now on pixels are indexed and steps are remembered.

        During the opening, most pieces are added alone and then stacked; indexing them twice would be
        most of the work.
        """
        if self._opening:
            self._opening = False
            for item in self.items.values():
                self._show(item)

    def item(self, id_text: str | None) -> Item | None:
        """The piece, stack or deck of this id, if it is in the game."""
        return None if id_text is None else self.items.get(id_text)

    def pieces(self) -> Iterator[LivePiece]:
        """Every piece in the game, in the order they were added."""
        return (item for item in self.items.values() if isinstance(item, LivePiece))

    def stacks(self) -> Iterator[LiveStack]:
        """Every stack and deck, empty ones too."""
        return (item for item in self.items.values() if isinstance(item, LiveStack))

    def hidden_by(self, piece: LivePiece, traits: str | None = None) -> str | None:
        """Owner text of an Invisible trait; None: the piece is not hidden. ``traits``: an earlier state to
        use instead of the current one."""
        form = piece.form
        index = form.hide
        if index is None:
            return None
        owner = self.forms.parts(form, piece.traits if traits is None else traits)[index]
        return None if owner == "null" else owner

    def may_be_hidden(self, piece: LivePiece, traits: str | None = None) -> bool:
        """Whether it is hidden, or a trait of the module's own may hide it. This decides what may be shown;
        the engine's rules of this table use :meth:`hidden_by`."""
        form = piece.form
        if form.hide is None and not form.own:
            return False
        if self.hidden_by(piece, traits) is not None:
            return True
        for trait in form.own:
            if trait.index is None:
                state = trait.fixed
            else:
                now = piece.traits if traits is None else traits
                state = self.forms.parts(form, now)[trait.index]
            if self.own_hides(state):
                return True
        return False

    def no_stack(self, item: Item) -> bool:
        """Does not stack [Immobilized, Mat, Deck]."""
        if isinstance(item, LiveStack):
            return item.deck_type is not None
        return item.form.no_stack

    def top(self, stack: LiveStack, player: str | None = None) -> LivePiece | None:
        """The top piece not hidden from ``player`` (None: an observer) [Stack.topPiece]."""
        for piece in reversed(stack.members):
            owner = self.hidden_by(piece)
            if owner is not None:
                self.spend(1)
            if owner is None or (player is not None and owner == player):
                return piece
        return None

    # --- layers and drawing order

    def layer_of(self, item: Item, on: LiveMap) -> int:
        """The game-piece layer [DefaultPieceCollection, LayeredPieceCollection]."""
        if not on.layer_property:
            return 0 if self.no_stack(item) else 1
        if isinstance(item, LivePiece):
            return self._piece_layer(item, on)
        if item.deck_type is not None:
            return len(on.layers)
        top = self.top(item)
        if top is not None:
            return self._piece_layer(top, on)
        if item.layer != NO_LAYER and item.members:
            return self._piece_layer(item.members[0], on)
        return len(on.layers)

    def _piece_layer(self, piece: LivePiece, on: LiveMap) -> int:
        value = self.property_of(piece, on.layer_property)
        return on.layers.index(value) if value in on.layers else len(on.layers)

    def _show(self, item: Item) -> None:
        """Enter the item into the pixel index of every map that lists it."""
        if self._opening:
            return
        if isinstance(item, LiveStack) and not item.members and item.deck_type is None:
            return
        at = (item.x, item.y)
        for entry in item.listed:
            cell = entry[0].cells[at]
            self.spend(len(cell))
            if item not in cell:
                cell.append(item)

    def _unshow(self, item: Item) -> None:
        if self._opening:
            return
        at = (item.x, item.y)
        for entry in item.listed:
            cells = entry[0].cells
            cell = cells.get(at)
            self.spend(len(cell or ()))
            if cell is not None and item in cell:
                cell.remove(item)
                if not cell:
                    del cells[at]

    def set_position(self, item: Item, x: int, y: int) -> None:
        """The item's own position; members of a stack follow theirs."""
        if item.x == x and item.y == y:
            return
        self.touch(item)
        if item.listed:
            self._unshow(item)
        item.x, item.y = x, y
        if item.listed:
            self._show(item)

    def list_on(self, item: Item, on: LiveMap) -> None:
        """Put on top of its layer of the map [SimplePieceCollection.add]."""
        self.drawn += 1
        self.spend(len(item.listed))
        item.listed = (*item.listed, (on, self.layer_of(item, on), self.drawn))
        self._show(item)

    def unlist(self, item: Item, on: LiveMap) -> None:
        """Take out of the map's collection [Map.removePiece]; its own map stays set.

        As in the engine only its present layer is looked at.
        """
        if not item.listed:
            return
        if self._is_listed(item, on):
            layer = self.layer_of(item, on)
            self._unshow(item)
            item.listed = tuple(e for e in item.listed if e[0] is not on or e[1] != layer)
            self._show(item)

    def _is_listed(self, item: Item, on: LiveMap) -> bool:
        """Is it in the layer of the map where it now belongs [Map.indexOf]?"""
        if not item.listed:
            return False
        layer = self.layer_of(item, on)
        return any(entry[0] is on and entry[1] == layer for entry in item.listed)

    # --- journal

    def touch(self, item: Item) -> None:
        """Remember how the item (a stack: its members too) was before this step."""
        if self._opening:
            return
        if isinstance(item, LivePiece):
            if item not in self.journal.pieces:
                x, y = item.at
                known = self.items.get(item.id) is item
                self.journal.pieces[item] = (
                    known, item.on, x, y, item.parent, item.traits, item.base,
                )  # fmt: skip
            return
        self._touch_members(item)
        self.spend(len(item.members))
        for piece in item.members:
            self.touch(piece)

    def _touch_members(self, stack: LiveStack) -> None:
        if not self._opening and stack not in self.journal.stacks:
            known = self.items.get(stack.id) is stack
            members = tuple(stack.members)
            self.spend(len(members))
            self.journal.stacks[stack] = (
                known, stack.map, stack.x, stack.y, members, stack.face_down,
            )  # fmt: skip

    # --- maps, holders

    def set_map(self, item: Item, on: LiveMap | None) -> None:
        """Set the item's own map; a stack sets its members' too [Stack.setMap]."""
        if item.map is on:
            return
        self.touch(item)
        item.map = on
        if isinstance(item, LiveStack):
            for piece in item.members:
                piece.map = on

    def add_to_map(self, item: Item, on: LiveMap) -> None:
        """Put an item on a map unless it already is there [Map.addPiece]."""
        if self._is_listed(item, on):
            return
        self.touch(item)
        if isinstance(item, LivePiece) and item.parent is not None:
            self.leave(item)
        if item.map is not None and item.map is not on:
            self.unlist(item, item.map)
        self.set_map(item, on)
        self.list_on(item, on)

    def place(self, item: Item, on: LiveMap, x: int, y: int) -> None:
        """Put down at a pixel [Map.placeAt]."""
        self.set_position(item, x, y)
        self.items.setdefault(item.id, item)
        self.add_to_map(item, on)

    def leave(self, piece: LivePiece) -> None:
        """Out of its stack, if it is in one [Stack.remove]."""
        holder = piece.parent
        if holder is None:
            return
        self.touch(piece)
        self.spend(len(holder.members) // 8)
        if piece in holder.members:
            self._touch_members(holder)
            holder.members.remove(piece)
            if not holder.members and holder.deck_type is None:
                self._unshow(holder)
        piece.parent = None

    def insert_new(self, stack: LiveStack, piece: LivePiece, index: int) -> None:
        """Take into a stack from wherever it is [Stack.insertChild]."""
        self.touch(piece)
        if piece.parent is not None:
            self.leave(piece)
        elif piece.map is not None:
            self.unlist(piece, piece.map)
        self._touch_members(stack)
        piece.parent = stack
        piece.map = stack.map
        stack.members.insert(max(index, 0), piece)
        if len(stack.members) == 1:
            self._show(stack)

    def insert(self, stack: LiveStack, piece: LivePiece, index: int) -> None:
        """Put at ``index`` of a stack; within its own stack it is shifted [Stack.insert]."""
        index = min(max(index, 0), len(stack.members))
        self.spend(len(stack.members) // 8)
        if piece not in stack.members:
            self.insert_new(stack, piece, index)
            return
        old = stack.members.index(piece)
        if old == index:
            return
        self._touch_members(stack)
        stack.members.pop(old)
        stack.members.insert(index, piece)

    def new_stack(self) -> LiveStack:
        """A stack of the engine's own making; its id is ours (the engine's is a clock's)."""
        return LiveStack(self.own_id("local"))

    def own_id(self, kind: str) -> str:
        """An id of ours that nothing in the game has."""
        self._local += 1
        id_text = f"{kind}-{self._local}"
        return id_text if self.item(id_text) is None else self.own_id(kind)

    def drop_members(self, stack: LiveStack) -> None:
        """Forget the members; the pieces still name it as their stack [Stack.setState]."""
        self.touch(stack)
        stack.members.clear()
        if stack.deck_type is None:
            self._unshow(stack)
