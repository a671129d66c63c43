"""A save or log replayed: the opening table, every step, the table at the end.

The live table changes in place; after each step only what the step touched is looked at, so that a
step costs the same however many pieces there are. Names, locations and properties are worked out
when somebody asks for them.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from types import MappingProxyType

from ...model.problem import Problem
from ...model.table import (
    Deck,
    Displaced,
    DisplacedBy,
    LogHistory,
    Piece,
    PieceChange,
    Spot,
    Stack,
    StackChange,
    Step,
    Table,
)
from . import commands as c
from .actors import StepDraft, name_actors
from .commands import StepText, decode_command
from .module import Module
from .properties import Globals, PieceView, PropertySource
from .replay_commands import CommandRunner, StepNotes
from .roster import Roster
from .savefile import SaveFile
from .sequence import split
from .table_maps import MapBook, board_choices
from .table_state import LivePiece, LiveStack, PieceMark, StackMark
from .undo import UndoReader


class LogReplay:
    """One save or log, opened and ready to be stepped through once.

    ``table`` may be asked for at any time; ``steps`` yields the steps in order. ``roster`` is shared
    by the logs of a game, so that labels stay the same; ``log`` is the number of this one.
    ``missing_size``: size of boards whose image is not in the module.
    """

    def __init__(
        self,
        save: SaveFile,
        module: Module | None = None,
        *,
        roster: Roster | None = None,
        log: int = 1,
        missing_size: tuple[int, int] = (0, 0),
    ) -> None:
        self.save = save
        self.log = log
        self.roster = roster if roster is not None else Roster()
        opening = [decode_command(text) for text in save.opening]
        boards = board_choices(module, [x for x in opening if isinstance(x, c.Boards)])
        self.maps = MapBook(module, boards, missing_size=missing_size)
        self.runner = CommandRunner(module, self.maps, self.roster)
        self.source = PropertySource(self.runner.forms, self.maps, self.roster)
        self.runner.table.property_of = self._property
        self._values: dict[LivePiece, Piece] = {}
        self._globals_of: dict[LivePiece, Globals] = {}
        self._undo = UndoReader()
        self._open(opening)

    # --- opening and end

    def _open(self, opening: list[c.Command]) -> None:
        self.runner.where = f"{self.save.where}: opening"
        for command in opening:
            self.runner.run(command)
        self.opening_problems = tuple(self.runner.notes.problems)
        self.runner.table.begin()
        self.runner.table.journal.clear()

    def table(self) -> Table:
        """The whole table now. Pieces that did not change since are the same objects as before."""
        live = self.runner.table
        globals_now = self.runner.globals
        pieces = {piece.id: self._value(piece, globals_now) for piece in live.pieces()}
        stacks: dict[str, Stack] = {}
        decks: dict[str, Deck] = {}
        for holder in live.stacks():
            if holder.deck_type is not None:
                decks[holder.id] = _deck(holder, _stack_mark(holder))
            elif holder.members:
                stacks[holder.id] = _stack(holder, _stack_mark(holder))
        return Table(
            MappingProxyType(pieces),
            MappingProxyType(stacks),
            MappingProxyType(decks),
            globals_now,
            MappingProxyType(self.runner.turn_texts()),
            self.roster.seated,
        )

    def problems(self) -> tuple[Problem, ...]:
        """What was odd about the file, its opening and its values; not what single steps tell."""
        where = self.save.where
        kept = tuple(
            Problem(
                "not-evaluated",
                f"values of {prefix.rstrip(';')!r} traits need an expression and are not known",
                where,
                "note",
                count,
            )
            for prefix, count in sorted(self.source.not_known.items())
        )
        return (*self.save.problems, *self.opening_problems, *kept)

    # --- steps

    def drafts(self) -> Iterator[StepDraft]:
        """The steps in order, before it is settled who did those that do not say."""
        for text in self.save.steps:
            yield self._step(text)

    def _step(self, text: StepText) -> StepDraft:
        runner = self.runner
        runner.notes = notes = StepNotes()
        number = text.engine_number or text.number
        runner.where = f"{self.save.where}: step {number}"
        globals_before = runner.globals
        for leaf in text.leaves:
            runner.run(decode_command(leaf))
        undoing = self._undo.read(text.number, text.leaves, notes.undo_brackets)
        changes, displaced = self._changes(notes, globals_before, undoing is not None)
        step = Step(
            log=self.log,
            number=text.number,
            engine_number=text.engine_number,
            changes=changes,
            displacements=displaced,
            stacks=self._stack_changes(),
            chat=tuple(notes.chat),
            rolls=tuple(notes.rolls),
            globals=tuple(notes.globals),
            turns=tuple(notes.turns),
            undoing=undoing,
            problems=tuple(notes.problems),
        )
        runner.table.journal.clear()
        movers = [self.roster.participant(id_text) for id_text in notes.movers]
        speakers = [self.roster.named(x.author) for x in notes.chat if x.kind == "player"]
        return StepDraft(step, *(tuple(p for p in who if p) for who in (movers, speakers)))

    def _changes(
        self, notes: StepNotes, globals_before: Globals, undone: bool
    ) -> tuple[tuple[PieceChange, ...], tuple[Displaced, ...]]:
        changes: list[PieceChange] = []
        displaced: list[Displaced] = []
        globals_now = self.runner.globals
        table = self.runner.table
        for piece, mark in table.journal.pieces.items():
            known = table.items.get(piece.id) is piece
            if _mark(piece, known) == mark or not (known or mark[0]):
                continue
            before = self._before(piece, mark, globals_before)
            if known:
                self._forget(piece)
            after = self._value(piece, globals_now) if known else None
            changes.append(PieceChange(piece.id, before, after))
            origin = before.spot if before else None
            target = after.spot if after else None
            if origin != target:
                by = self._displaced_by(piece, mark, known, notes, undone)
                displaced.append(
                    Displaced(
                        piece.id, origin, target, self._location(origin), self._location(target),
                        by, _GROUPS.get(by, 0),
                    )
                )  # fmt: skip
        return tuple(changes), tuple(displaced)

    def _displaced_by(
        self, piece: LivePiece, mark: PieceMark, known: bool, notes: StepNotes, undone: bool
    ) -> DisplacedBy:
        if undone:
            return "undo"
        if not known:
            return "remove"
        if not mark[0]:
            return "add"
        if piece in notes.moved:
            return "send" if self._sent(piece, mark) else "drag"
        return "state" if piece in notes.restated else "stack"

    def _sent(self, piece: LivePiece, mark: PieceMark) -> bool:
        """Did a SendToLocation trait note the way back in this step?"""
        before, forms = mark[5], self.runner.forms
        sends = forms.of(piece.type).sends
        if not sends or before == piece.traits:
            return False
        was, now = forms.parts(piece.type, before), forms.parts(piece.type, piece.traits)
        return any(was[i] != now[i] for i in sends)

    def _stack_changes(self) -> tuple[StackChange, ...]:
        table = self.runner.table
        changes = []
        for holder, before in table.journal.stacks.items():
            after = _stack_mark(holder, table.items.get(holder.id) is holder)
            if after == before:
                continue
            make = _stack if holder.deck_type is None else _deck
            shown = [make(holder, m) if m[0] and _worth(holder, m) else None for m in (before, after)]
            if shown[0] is not None or shown[1] is not None:
                changes.append(StackChange(holder.id, shown[0], shown[1]))
        return tuple(changes)

    # --- values

    def _value(self, piece: LivePiece, globals_now: Globals) -> Piece:
        value = self._values.get(piece)
        if value is not None and self._globals_of[piece] is globals_now:
            return value
        on = piece.on
        value = self._make(
            piece,
            (None if on is None else on.name, *piece.at),
            piece.parent,
            (piece.traits, piece.base),
            globals_now,
        )
        self._values[piece] = value
        self._globals_of[piece] = globals_now
        return value

    def _forget(self, piece: LivePiece) -> None:
        self._values.pop(piece, None)

    def _before(self, piece: LivePiece, mark: PieceMark, globals_then: Globals) -> Piece | None:
        known, on, x, y, holder, traits, base = mark
        if not known:
            return None
        value = self._values.get(piece)
        if value is not None and self._globals_of[piece] is globals_then:
            return value
        place = (None if on is None else on.name, x, y)
        return self._make(piece, place, holder, (traits, base), globals_then)

    def _make(
        self,
        piece: LivePiece,
        place: tuple[str | None, int, int],
        holder: LiveStack | None,
        state: tuple[str, str],
        globals_then: Globals,
    ) -> Piece:
        deck = None if holder is None or holder.deck_type is None else deck_name(holder.deck_type)
        view = PieceView(self.source, piece.id, piece.type, *state, place, deck, globals_then)
        return Piece(piece.id, Spot(*place), "" if holder is None else holder.id, view)

    def _location(self, spot: Spot | None) -> str:
        if spot is None or spot.map is None:
            return ""
        return self.maps.location(spot.map, spot.x, spot.y)

    def _property(self, piece: LivePiece, name: str) -> str | None:
        """What the table asks to tell a piece's game-piece layer."""
        on = piece.on
        place = (None if on is None else on.name, *piece.at)
        globals_now = self.runner.globals
        value = self._make(piece, place, piece.parent, (piece.traits, piece.base), globals_now)
        return value.facts.property(name)


_GROUPS: Mapping[DisplacedBy, int] = {"drag": 1, "send": 2, "undo": 3}
"""All pieces a player dragged in one step were one selection; so were those a key sent."""


def replay_log(
    save: SaveFile,
    module: Module | None = None,
    *,
    roster: Roster | None = None,
    log: int = 1,
    missing_size: tuple[int, int] = (0, 0),
) -> LogHistory:
    """Replay a whole save or log. See :class:`LogReplay` for the arguments."""
    replay = LogReplay(save, module, roster=roster, log=log, missing_size=missing_size)
    opening = replay.table()
    steps = name_actors(list(replay.drafts()))
    end = replay.table() if steps else opening
    about = save.moduledata
    return LogHistory(
        source=save.where.replace("\\", "/").rsplit("/", 1)[-1],
        sha256=save.sha256,
        module_name=about.name if about is not None else "",
        module_version=about.version if about is not None else "",
        vassal_version=save.vassal_version,
        opening=opening,
        steps=steps,
        end=end,
        problems=replay.problems(),
    )


def deck_name(deck_type: str) -> str:
    """The name in a deck's type."""
    fields = split(deck_type, ";")
    return fields[13] if len(fields) > 13 else ""


def _mark(piece: LivePiece, known: bool) -> PieceMark:
    return (known, piece.on, *piece.at, piece.parent, piece.traits, piece.base)


def _stack_mark(holder: LiveStack, known: bool = True) -> StackMark:
    return (known, holder.map, holder.x, holder.y, tuple(holder.members), holder.face_down)


def _worth(holder: LiveStack, mark: StackMark) -> bool:
    """Empty stacks are leftovers of the engine; empty decks are decks."""
    return bool(mark[4]) or holder.deck_type is not None


def _stack(holder: LiveStack, mark: StackMark) -> Stack:
    _, on, x, y, members, _ = mark
    spot = Spot(None if on is None else on.name, x, y)
    return Stack(holder.id, spot, tuple(piece.id for piece in members))


def _deck(holder: LiveStack, mark: StackMark) -> Deck:
    _, on, x, y, members, face_down = mark
    spot = Spot(None if on is None else on.name, x, y)
    name = deck_name(holder.deck_type or "")
    return Deck(holder.id, name, spot, tuple(piece.id for piece in members), face_down)
