"""Writes a log as VASSAL writes one: keeps the table, and notes each action of a player as a step.

The shape of a step was taken from logs the engine wrote: properties the engine cannot write show as
``null``, a drag marks the counter moved and lengthens its trail (``D/``), moves it (``M/``), makes a
stack around it unless it joined one, and reports in the chat; an undo is a step of its own that holds
the inverse commands in reverse order.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace

from vassal_umpire.importers.vassal.commands import (
    AddPiece,
    BoardChoice,
    Boards,
    ChangePiece,
    Chat,
    Command,
    MovePiece,
    MutableProperty,
    Player,
    RemovePiece,
    SetupStackMark,
    TurnState,
    Undo,
    Unencodable,
    encode_command,
    encode_stream,
)
from vassal_umpire.importers.vassal.sequence import join

from .hexes import Grid
from .traits import Trait

MAIN = "Main Map"
LAYER = "@@1"


@dataclass(frozen=True)
class Counter:
    """A piece as the module defines it: its traits, the outermost first, and the type of its base.

    The first two traits are ``MOVED`` and ``TRAIL``. ``name`` is what reports call it.
    """

    id: str
    gpid: int
    name: str
    traits: tuple[Trait, ...]
    base: str

    @property
    def types(self) -> tuple[str, ...]:
        """The types of its traits and its base."""
        return (*(trait.type for trait in self.traits), self.base)


@dataclass
class Piece:
    """A counter in play. ``values``: the states that changed, by the name of the trait."""

    counter: Counter
    x: int
    y: int
    moved: bool = False
    trail: tuple[tuple[int, int], ...] = ()
    values: dict[str, str] = field(default_factory=dict)
    old: dict[str, str] = field(default_factory=dict)

    @property
    def name(self) -> str:
        told = (t.suffixes.get(self.values.get(t.name, t.state)) for t in self.counter.traits)
        return " ".join([self.counter.name, *(words for words in told if words)])

    def state(self) -> str:
        """All trait states in the order of the counter's types, packed as the engine does."""
        points = ";".join(f"{x},{y}" for x, y in self.trail)
        trail = (
            f"false;Map0;{len(self.trail)};{points};true;0" if self.trail else "false;;0;false;0"
        )
        rest = (self.values.get(t.name, t.state) for t in self.counter.traits[2:])
        own = ["true" if self.moved else "false", trail, *rest]
        pairs = {
            "OldZone": "",
            "UniqueID": self.counter.id,
            **{k: self.old[k] for k in sorted(self.old)},
        }
        if not self.old:
            del pairs["OldZone"]
        base = [MAIN, str(self.x), str(self.y), str(self.counter.gpid), str(len(pairs))]
        for key, value in pairs.items():
            base += [key, value]
        return nest([*own, join(base, ";")])


def nest(parts: Iterable[str]) -> str:
    """Pack trait types or states, the outermost first, each inside the one before."""
    *outer, packed = parts
    for part in reversed(outer):
        packed = join([part, packed], "\t")
    return packed


@dataclass
class Stack:
    """Pieces on one point, from bottom to top."""

    id: str
    members: list[str]


class Scribe:
    """A table with counters on it, and the steps of a log made on it."""

    def __init__(self, grid: Grid, origin: tuple[int, int], board: str, first_id: int) -> None:
        self.grid, self.origin, self.board = grid, origin, board
        self.pieces: dict[str, Piece] = {}
        self.stacks: dict[str, Stack] = {}
        self.player = Player("", "", "")
        self.players: list[Player] = []
        self.turn = ""
        self.globals: dict[str, str] = {}
        self.steps: list[list[Command]] = []
        self.inverses: list[list[Command]] = []
        self.opening: list[str] = []
        self.next_id = first_id
        self.last_drag: tuple[Piece, Stack] | None = None

    # -- the opening ------------------------------------------------------------------------------

    def sit_down(self, player: Player) -> None:
        """``player`` takes a side and is the one who acts from now on."""
        self.player = player
        self.players.append(player)

    def place(self, counter: Counter, hex_name: str) -> None:
        """Put a counter on the table before the log begins, on top of what is there."""
        x, y = self.point(hex_name)
        self.pieces[counter.id] = Piece(counter, x, y)
        there = self._stack_at(x, y)
        if there is None:
            there = self._new_stack([counter.id])
        else:
            there.members.append(counter.id)

    def begin(self) -> None:
        """Note the position: a log begins here."""
        adds = [
            AddPiece(i, nest(p.counter.types), p.state()) for i, p in sorted(self.pieces.items())
        ]
        adds += [self._stack_command(s, "@@-1") for s in self.stacks.values() if s.members]
        pieces = join(["", *map(encode_command, adds)], "\x1b")
        rest: list[Command] = [
            *self.players,
            *([TurnState("TurnTracker0", self.turn)] if self.turn else []),
            Boards(MAIN, (BoardChoice(self.board, False, 0, 0),)),
            SetupStackMark(),
            Boards("Eliminated", (BoardChoice("Box", False, 0, 0),)),
        ]
        self.opening = ["", pieces, *map(encode_command, rest)]
        self.steps, self.inverses = [], []

    def text(self) -> str:
        """The log as VASSAL would save it."""
        return encode_stream(self.opening, self.steps)

    # -- what players do --------------------------------------------------------------------------

    def say(self, words: str) -> None:
        self._note([Chat(f"&lt;{self.player.name}&gt; - {words}")])

    def roll(self, name: str, faces: tuple[int, ...]) -> None:
        """Throw dice that fall as told."""
        total = str(sum(faces))
        shown = ", ".join(f"{face} x{faces.count(face)}" for face in sorted(set(faces)))
        changes: list[Command] = []
        for key, new in (
            ("result", total),
            ("total", total),
            ("keep", str(len(faces))),
            ("summary", shown),
        ):
            full = f"{name}_{key}"
            before = self.globals.get(full, {"result": "1", "summary": ""}.get(key, "0"))
            changes.append(MutableProperty(full, before, new, "Module"))
            self.globals[full] = new
        self._note([Chat(f"*** {name} = {total} *** <{self.player.name}>"), *changes])

    def advance(self, state: str, before: str, after: str) -> None:
        """The turn tracker goes on."""
        self._note(
            [Chat(f"* * Turn advanced from {before} to {after}"), TurnState("TurnTracker0", state)],
            [TurnState("TurnTracker0", self.turn)],
        )
        self.turn = state

    def drag(self, counter: str, hex_name: str) -> None:
        """Drag one counter to another hex."""
        piece = self.pieces[counter]
        before = replace(piece)
        nothing = self._remember([piece])
        change, back = self._mark_moved(piece)
        target = self.point(hex_name)
        origin = (piece.x, piece.y)
        stack, there = self._stack_of(counter), self._stack_at(*target)
        under = there.members[-1] if there is not None else None
        below = stack.members.index(counter)
        old_under = stack.members[below - 1] if below else None
        stack.members.remove(counter)
        piece.x, piece.y = target
        step: list[Command] = [
            *nothing,
            change,
            self._move(counter, target, under, origin, old_under),
        ]
        inverse: list[Command] = [
            self._move(counter, origin, old_under, target, under),
            back,
            *nothing,
        ]
        if there is None:
            there = self._new_stack([counter])
            step.append(self._stack_command(there, LAYER))
            inverse.insert(0, RemovePiece(there.id))
        else:
            there.members.append(counter)
        step.append(self._report([piece], origin, target))
        self._note(step, inverse)
        self.last_drag = before, stack

    def drag_stack(self, counter: str, hex_name: str) -> None:
        """Drag the whole stack a counter is in to an empty hex: one ``M/`` for all."""
        stack = self._stack_of(counter)
        members = [self.pieces[name] for name in stack.members]
        target, origin = self.point(hex_name), (members[0].x, members[0].y)
        step: list[Command] = [*self._remember(members)]
        for piece in members:
            step.append(self._mark_moved(piece)[0])
            piece.x, piece.y = target
        step.append(self._move(stack.id, target, None, origin, None))
        step.append(self._report(members[::-1], origin, target))
        self._note(step)

    def change(self, counter: str, trait: str, state: str) -> None:
        """Set the state of one of its traits."""
        piece = self.pieces[counter]
        before = piece.state()
        piece.values[trait] = state
        self._note([ChangePiece(counter, piece.state(), before)])

    def undo(self) -> None:
        """Press the undo button: the inverse of the last step, as a new step."""
        done, inverse = self.steps[-1], self.inverses[-1]
        said = [Chat(f"* UNDO: {c.text}") for c in done if isinstance(c, Chat)]
        if self.last_drag is not None:
            self._take_back(*self.last_drag)
        self._note([Undo(True), *said, *inverse, Undo(False)])

    def mark_all_unmoved(self) -> None:
        """Press the map's button that takes the moved marks off, at the start of a turn."""
        step: list[Command] = []
        for name, piece in sorted(self.pieces.items()):
            if piece.moved:
                before = piece.state()
                piece.moved, piece.trail = False, ((piece.x, piece.y),)
                step.append(ChangePiece(name, piece.state(), before))
        self._note(step)

    # -- how it is noted --------------------------------------------------------------------------

    def point(self, hex_name: str) -> tuple[int, int]:
        x, y = self.grid.centre(hex_name)
        return x + self.origin[0], y + self.origin[1]

    def hex_at(self, point: tuple[int, int]) -> str:
        return next(name for name in self.grid.names if self.point(name) == point)

    def _note(self, step: list[Command], inverse: list[Command] | None = None) -> None:
        self.steps.append(step)
        self.inverses.append(inverse or [])
        self.last_drag = None

    def _new_id(self) -> str:
        self.next_id += 13
        return str(self.next_id)

    def _new_stack(self, members: list[str]) -> Stack:
        stack = Stack(self._new_id(), members)
        self.stacks[stack.id] = stack
        return stack

    def _stack_at(self, x: int, y: int) -> Stack | None:
        for stack in self.stacks.values():
            if stack.members and (
                self.pieces[stack.members[0]].x,
                self.pieces[stack.members[0]].y,
            ) == (x, y):
                return stack
        return None

    def _stack_of(self, counter: str) -> Stack:
        return next(stack for stack in self.stacks.values() if counter in stack.members)

    def _stack_command(self, stack: Stack, layer: str) -> AddPiece:
        first = self.pieces[stack.members[0]]
        return AddPiece(
            stack.id, "stack", join([MAIN, str(first.x), str(first.y), *stack.members, layer], ";")
        )

    def _move(
        self,
        moved: str,
        to: tuple[int, int],
        under: str | None,
        origin: tuple[int, int],
        old: str | None,
    ) -> MovePiece:
        return MovePiece(moved, MAIN, *to, under, MAIN, *origin, old, self.player.id)

    def _report(
        self, pieces: list[Piece], origin: tuple[int, int], target: tuple[int, int]
    ) -> Chat:
        names = ", ".join(piece.name for piece in pieces)
        return Chat(f"* {names} moves {self.hex_at(origin)} -> {self.hex_at(target)} *")

    def _remember(self, pieces: list[Piece]) -> list[Command]:
        """The Old… properties, which the engine sets before a move and cannot write: one null each."""
        nothing: list[Command] = []
        for piece in pieces:
            now: Mapping[str, str] = {
                "OldBoard": self.board, "OldDeckName": "", "OldMap": MAIN, "OldX": str(piece.x),
                "OldY": str(piece.y), "OldLocationName": self.hex_at((piece.x, piece.y)),
            }  # fmt: skip
            nothing += [Unencodable()] * sum(piece.old.get(k) != v for k, v in now.items())
            nothing += [Unencodable()] * (not piece.old)
            piece.old.update(now)
        return nothing

    def _mark_moved(self, piece: Piece) -> tuple[ChangePiece, ChangePiece]:
        before = piece.state()
        piece.moved = True
        if not piece.trail or piece.trail[-1] != (piece.x, piece.y):
            piece.trail += ((piece.x, piece.y),)
        after = piece.state()
        return ChangePiece(piece.counter.id, after, before), ChangePiece(
            piece.counter.id, before, after
        )

    def _take_back(self, before: Piece, stack: Stack) -> None:
        """Lay a dragged counter back where it was; alone there, the engine gives it a stack of its own."""
        piece = self.pieces[before.counter.id]
        self._stack_of(before.counter.id).members.remove(before.counter.id)
        piece.x, piece.y, piece.moved, piece.trail = before.x, before.y, before.moved, before.trail
        home = stack if stack.members else self._new_stack([])
        home.members.append(before.counter.id)
