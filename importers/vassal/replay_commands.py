"""Commands executed one by one on a table, with notes on each step."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from ...model.problem import Problem
from ...model.table import ChatLine, DieRoll, GlobalChange, TurnChange
from . import commands as c
from . import table_rules as rules
from .chat import ChatReader
from .grids.java import parse_int
from .hiding_traits import own_hiding_trait
from .module import Module
from .newgame import InitialPlacement
from .property_source import TURN_LEVELS, EngineKept
from .roster import Roster
from .table_forms import FormIndex
from .table_items import Item, LiveMap, LivePiece, LiveStack
from .table_maps import MapBook
from .table_state import LiveTable

_MOST_PROBLEMS = 50
"""Problems kept of one step; a damaged file can hold any number."""


@dataclass(slots=True)
class StepNotes:
    """Notes on the commands of one step, besides their effect on the table.

    ``kept_rolls``: rolls shown by properties of dice buttons, reported or not. ``moved``: pieces that a move
    command moved; ``restated``: pieces given a new state. ``unstacked``: pieces whose stack was removed; an
    undo does that before it moves them. ``movers``: by id of the moved item, the id of the player whom the
    move command names; used for look-up, never shown.
    """

    chat: list[ChatLine] = field(default_factory=list)
    rolls: list[DieRoll] = field(default_factory=list)
    kept_rolls: list[DieRoll] = field(default_factory=list)
    globals: list[GlobalChange] = field(default_factory=list)
    turns: list[TurnChange] = field(default_factory=list)
    problems: list[Problem] = field(default_factory=list)
    moved: set[LivePiece] = field(default_factory=set)
    restated: set[LivePiece] = field(default_factory=set)
    unstacked: set[LivePiece] = field(default_factory=set)
    movers: dict[str, str] = field(default_factory=dict, repr=False)
    undo_brackets: list[bool] = field(default_factory=list)
    boards: list[c.Boards] = field(default_factory=list)


class CommandRunner:
    """The state of a game being replayed: table, global properties, turn trackers, roster."""

    def __init__(
        self, module: Module | None, maps: MapBook, roster: Roster, forms: FormIndex
    ) -> None:
        self.module = module
        self.maps = maps
        self.roster = roster
        self.forms = forms
        self.table = LiveTable(maps.find, self.forms)
        self.table.own_hides = self._own_hides
        self.chat = ChatReader(module)
        self.kept = EngineKept(module)
        self.notes = StepNotes()
        self.where = ""
        self.turns: dict[str, str] = {}
        self._board_names: dict[str, frozenset[str]] = {}
        self._globals: dict[tuple[str, str], str] = _initial(module)
        self._globals_shared = False
        self._trackers = {t.id: t for t in module.turn_trackers} if module else {}

    # --- global properties: handed out as they are, copied before the next change

    @property
    def globals(self) -> Mapping[tuple[str, str], str]:
        """Values now, by (container, name); later commands do not change this mapping."""
        self._globals_shared = True
        return self._globals

    def _set_global(self, container: str, name: str, value: str) -> None:
        if self._globals_shared:
            self.table.spend(len(self._globals))
            self._globals = dict(self._globals)
            self._globals_shared = False
        self._globals[(container, name)] = value

    def _container(self, container: str | None, name: str) -> str:
        """The container of a command's property; an old file may omit it: the first with the property."""
        if container:
            return container
        return next((place for place, known in self._globals if known == name), "")

    def _own_hides(self, state: str) -> bool:
        hiding_trait = own_hiding_trait(state, self.roster)
        return hiding_trait is not None and hiding_trait.kind == "hidden"

    # --- commands

    def run(self, command: c.Command) -> None:
        """Execute one command; if that is impossible, note a problem."""
        action = _ACTIONS.get(type(command))
        if action is not None:
            action(self, command)

    def set_up(self, texts: Sequence[str], more: Sequence[InitialPlacement] = ()) -> None:
        """Execute the opening of a save (own texts of its commands), then set up ``more``."""
        for text in texts:
            self.run(c.decode_command(text))
        for placement in more:
            on = self.maps.find(placement.map)
            if on is not None:
                _place(self.table, on, placement)
        for stack in self.table.stacks():
            if stack.deck_type is not None:
                self.kept.add_deck(stack.deck_type)
        self.table.begin()
        self.table.journal.clear()

    def problem(self, code: str, message: str) -> None:
        if len(self.notes.problems) < _MOST_PROBLEMS:
            self.notes.problems.append(Problem(code, message, self.where))

    def _known(self, id_text: str | None, what: str) -> Item | None:
        item = self.table.item(id_text)
        if item is None:
            self.problem("unknown-piece", f"{what} {_short(id_text)}, which is not on the table")
        return item

    def _number(self, value: c.Number, what: str) -> int:
        """A pixel of a move. A value that is not a Java int becomes 0, as in the engine, and a problem."""
        if isinstance(value, int) and -(2**31) <= value < 2**31:
            return value
        self.problem("no-number", f"{what} is not a whole number of 32 bits: {str(value)[:20]!r}")
        return parse_int(str(value)) or 0

    def _add(self, command: c.AddPiece) -> None:
        if command.id is None:
            self.problem("no-id", "a piece is added without an id")
            return
        item: Item
        if command.type == "stack":
            item = LiveStack(command.id)
        elif command.type.startswith("deck;"):
            item = LiveStack(command.id, command.type)
            self.kept.add_deck(command.type)
        else:
            item = LivePiece(command.id, self.forms.of(command.type))
        if self.table.item(command.id) is not None:
            self.problem("added-twice", f"{_short(command.id)} is added although it is there")
        with_state = self._watching(command.id)
        if not rules.add(self.table, item, command.state):
            self.problem("short-state", f"the state of {_short(command.id)} is short of its type")
        if isinstance(item, LivePiece) or item.deck_type is not None or item.members:
            with_state()  # saves are full of empty stacks

    def _watching(self, id_text: str) -> Callable[[], None]:
        """A function to call after a state is set; it notes maps and numbers that the engine cannot read."""
        table = self.table
        numbers, maps = table.bad_numbers, table.unknown_maps

        def look() -> None:
            if table.unknown_maps != maps:
                self.problem("unknown-map", f"{_short(id_text)} is on no map of the module")
            if table.bad_numbers != numbers:
                self.problem(
                    "no-number", f"a coordinate of {_short(id_text)} is not a whole number"
                )

        return look

    def _remove(self, command: c.RemovePiece) -> None:
        item = self._known(command.id, "removes")
        if isinstance(item, LiveStack):
            self.notes.unstacked.update(item.members)
        if item is not None:
            rules.remove(self.table, item)

    def _change(self, command: c.ChangePiece) -> None:
        item = self._known(command.id, "changes")
        if item is None:
            return
        self.table.begin()  # moves and changes look for neighbours, in a strange opening too
        if isinstance(item, LivePiece):
            self.notes.restated.add(item)
        with_state = self._watching(command.id)
        if not rules.change(self.table, item, command.state, command.old_state):
            self.problem("short-state", f"a new state of {_short(command.id)} is short of its type")
        with_state()

    def _move(self, command: c.MovePiece) -> None:
        item = self._known(command.id, "moves")
        if command.player:
            taken = [piece.id for piece in item.members] if isinstance(item, LiveStack) else []
            for name in taken or [command.id or ""]:
                self.notes.movers.setdefault(name, command.player)
        if item is None:
            return
        table = self.table
        table.begin()
        at = (self._number(command.x, "x"), self._number(command.y, "y"))
        old_map = table.find_map(command.old_map)
        self._check_origin(item, command)
        to = table.find_map(command.map)
        if command.map is not None and to is None:
            self.problem("unknown-map", f"{_short(command.id)} is moved to no map of the module")
        if isinstance(item, LivePiece):
            self.notes.moved.add(item)
        else:
            self.notes.moved.update(item.members)
        under = table.item(command.under)
        rules.move(
            table, item, to, at, under, old_map, command.player, to_bottom=command.under is None
        )

    def _check_origin(self, item: Item, command: c.MovePiece) -> None:
        """A move must begin where the replayed table has the piece."""
        old = (command.old_x, command.old_y)
        on = item.on
        origin = self.table.find_map(command.old_map)
        if on is None and (command.old_map is None or item in self.notes.unstacked):
            return
        if on is not origin or item.at != old:
            here = "no map" if on is None else f"{on.name} {item.x},{item.y}"
            if isinstance(item, LivePiece) and on is not None:
                here = f"{on.name} {item.at[0]},{item.at[1]}"
            there = f"{command.old_map or 'no map'} {old[0]},{old[1]}"
            self.problem(
                "wrong-origin",
                f"{_short(item.id)} is said to move from {there} but lies on {here}",
            )

    def _chat(self, command: c.Chat) -> None:
        line, roll = self.chat.read(command.text)
        self.notes.chat.append(line)
        if roll is not None:
            self.notes.rolls.append(roll)

    def _results(self, command: c.ShowResults) -> None:
        self.notes.rolls.append(self.chat.shown(command.die, command.faces))

    def _global(self, command: c.GlobalProperty) -> None:
        """A value in a save; a zone's property is named ``name⇥zone⇥board⇥map`` [ZoneProperty]."""
        name, container = command.name, command.container
        parts = name.split("\t")
        if len(parts) == 4:
            name, container = parts[0], f"{parts[3]}:{parts[1]}"
        self._set_global(self._container(container, name), name, command.value)

    def _mutable(self, command: c.MutableProperty) -> None:
        roll = self.chat.kept(command.name, command.new or "")
        if roll is not None:
            self.notes.kept_rolls.append(roll)
        container = self._container(command.container, command.name)
        before = self._globals.get((container, command.name))
        if before != command.new:
            self.notes.globals.append(GlobalChange(container, command.name, before, command.new))
        self._set_global(container, command.name, command.new)

    def _turn(self, command: c.TurnState) -> None:
        tracker = self._trackers.get(command.tracker)
        before = self.turns.get(command.tracker, "")
        self.turns[command.tracker] = command.state
        if tracker is None:
            self.notes.turns.append(TurnChange(command.tracker, before, command.state))
            return
        old, new = tracker.state(before), tracker.state(command.state)
        for name, value in new.properties.items():
            self._set_global(TURN_LEVELS, name, value)
        self.notes.turns.append(
            TurnChange(tracker.name, old.text or "", new.text or "", old.properties, new.properties)
        )

    def _sit(self, command: c.Player) -> None:
        self.roster.sit(command.id, command.name, command.side)

    def _leave(self, command: c.PlayerRemove) -> None:
        self.roster.leave(command.id)

    def _undo(self, command: c.Undo) -> None:
        self.notes.undo_brackets.append(command.active)

    def _boards(self, command: c.Boards) -> None:
        self.notes.boards.append(command)
        if self.module is None:
            return
        definition = self.module.map(command.map)
        if definition is None:
            self.problem(
                "unknown-map",
                f"boards are laid out on {command.map[:40]!r}, no map of the module; they are left out",
            )
            return
        if definition.boards_elsewhere or definition.borrows_boards:
            return
        known = self._board_names.get(definition.id)
        if known is None:
            known = frozenset(board.name for board in definition.boards)
            self._board_names[definition.id] = known
        for name in dict.fromkeys(b.name for b in command.boards if b.name not in known):
            self.problem(
                "unknown-board",
                f"the map {definition.identifier!r} has no board {name[:40]!r}; it is left out",
            )

    def _begin(self, command: c.BeginSave) -> None:
        """Clear the roster: a previous game is gone, as its pieces would be."""
        self.roster.clear_table()

    def turn_texts(self) -> dict[str, str]:
        """The text of every turn tracker now, by its name (without a module, by its id)."""
        texts = {}
        for tracker in self._trackers.values():
            texts[tracker.name] = tracker.state(self.turns.get(tracker.id, "")).text or ""
        for id_text, state in self.turns.items():
            if id_text not in self._trackers:
                texts[id_text] = state
        return texts


_ACTIONS: Mapping[type, Callable[[CommandRunner, Any], None]] = {
    c.MovePiece: CommandRunner._move,
    c.ChangePiece: CommandRunner._change,
    c.AddPiece: CommandRunner._add,
    c.RemovePiece: CommandRunner._remove,
    c.Chat: CommandRunner._chat,
    c.ShowResults: CommandRunner._results,
    c.GlobalProperty: CommandRunner._global,
    c.MutableProperty: CommandRunner._mutable,
    c.TurnState: CommandRunner._turn,
    c.Player: CommandRunner._sit,
    c.PlayerRemove: CommandRunner._leave,
    c.Undo: CommandRunner._undo,
    c.BeginSave: CommandRunner._begin,
    c.Boards: CommandRunner._boards,
}


def _initial(module: Module | None) -> dict[tuple[str, str], str]:
    properties = module.global_properties if module is not None else ()
    found: dict[tuple[str, str], str] = {}
    for prop in properties:
        found.setdefault((prop.container, prop.name), prop.initial)
    return found


def _short(id_text: str | None) -> str:
    """A piece's id as shown in a problem; piece ids are no secret, but may be any text."""
    return "a piece without id" if id_text is None else f"piece {id_text[:40]!r}"


def _place(table: LiveTable, on: LiveMap, placement: InitialPlacement) -> None:
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
    piece = LivePiece(table.own_id("at-start"), table.forms.of(type_text))
    table.items[piece.id] = piece
    rules.set_state(table, piece, state)
    return piece
