"""A save or log replayed: the opening table, every step, the table at the end.

The live table changes in place. After each step only the touched pieces are examined, so the cost of a
step does not depend on the number of pieces. Names, locations and properties are computed on demand.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from ...model.problem import Problem, Unreadable
from ...model.table import (
    Actor,
    Deck,
    DieRoll,
    Displaced,
    DisplacedBy,
    LogHistory,
    Named,
    Piece,
    PieceChange,
    Spot,
    Stack,
    StackChange,
    Step,
    Table,
)
from . import commands as c
from .actors import name_actors
from .collector import collector_paused
from .commands import StepText, decode_command
from .module import Module
from .newgame import InitialTable, at_start, is_new_game
from .own_traits import own_traits_problem
from .properties import PieceView
from .property_source import Globals, PropertySource
from .replay_commands import CommandRunner, StepNotes
from .roster import Roster
from .savefile import SaveFile
from .table_items import LivePiece, LiveStack
from .table_maps import MapBook, Shared, board_choices
from .table_state import PieceMark
from .table_values import (
    Pile,
    deck_name,
    holder_value,
    piece_mark,
    pile_before,
    pile_of,
    spot,
    stack_mark,
)
from .undo import UndoReader


class LogReplay:
    """One save or log, opened and ready to be stepped through once.

    ``roster`` is shared by the logs of a game, so that labels stay the same; ``log`` is the number of
    this one. ``shared``: cached values of other logs of the game with the same module.
    """

    def __init__(
        self,
        save: SaveFile,
        module: Module | None = None,
        *,
        roster: Roster | None = None,
        log: int = 1,
        shared: Shared | None = None,
    ) -> None:
        self.log = log
        self.save = save
        self.roster = roster = roster if roster is not None else Roster()
        shared = shared if shared is not None else Shared(module)
        self.layouts = layouts = shared.layouts(board_choices(module, _boards(save)))
        self._first = shared.first
        self.relaid = layouts.differing(shared.first)
        """Maps with other boards, at some step so far, than the first log opens with."""
        self.runner = CommandRunner(module, MapBook(module), roster, shared.forms)
        self.source = PropertySource(self.runner.forms, layouts, roster, self.runner.kept)
        self.runner.table.property_of = self._property
        self._undo = UndoReader()
        self.runner.where = f"{save.where}: opening"
        begun = InitialTable((), ())
        if module is not None and is_new_game(save.opening):
            begun = at_start(module, layouts.by_id, save.where)
        self.runner.set_up(save.opening, begun.placements)
        self._opening_problems = (*self.runner.notes.problems, *begun.problems)

        self.has_own = any(piece.form.own for piece in self.runner.table.pieces())
        """Whether a piece of the opening has a trait of a module's own."""

    # --- tables

    def table(self) -> Table:
        """The whole table now."""
        runner, live = self.runner, self.runner.table
        globals_now, source = runner.globals, self.source.as_it_is()
        stacks: dict[str, Stack] = {}
        decks: dict[str, Deck] = {}
        piles: dict[LiveStack, Pile] = {}
        for holder in live.stacks():
            value = holder_value(holder, stack_mark(holder), self.layouts)
            if isinstance(value, Deck):
                decks[holder.id] = value
            elif value is not None:
                stacks[holder.id] = value
            if holder.members:
                piles[holder] = pile_of(live, holder)
        pieces = {
            piece.id: _piece(piece, piece_mark(piece, True), globals_now, source, piles)
            for piece in live.pieces()
        }
        return Table(pieces, stacks, decks, globals_now, runner.turn_texts(), self.roster.seated)

    def problems(self) -> tuple[Problem, ...]:
        """Problems of the file, its opening and its values; problems of steps are with the steps."""
        where = self.save.where
        trait = "values of {!r} traits need an expression and are not known"
        kept = tuple(
            Problem(
                "not-evaluated",
                _NOT_KNOWN.get(why) or trait.format(why.rstrip(";")),
                where,
                "note",
                count,
            )
            for why, count in sorted(self.source.not_known.items())
        )
        return (*self.save.problems, *self._opening_problems, *kept)

    # --- steps

    def steps(self) -> Iterator[Step]:
        """The steps in order; steps that do not name their actor have none yet."""
        for text in self.save.steps:
            yield self._step(text)

    def _step(self, text: StepText) -> Step:
        runner = self.runner
        runner.notes = notes = StepNotes()
        number = text.engine_number or text.number
        runner.where = f"{self.save.where}: step {number}"
        globals_before = runner.globals
        commands = [decode_command(leaf) for leaf in text.leaves]
        for command in commands:
            runner.run(command)
        source_before = self.source
        if notes.boards:
            self.layouts = self.layouts.changed(notes.boards)
            self.relaid |= self.layouts.differing(self._first)
            self.source = self.source.moved_to(self.layouts)
        undoing = self._undo.read(text.number, commands, notes.undo_brackets)
        touched = self._touched()
        step = Step(
            log=self.log,
            number=text.number,
            engine_number=text.engine_number,
            actor=named[0][1] if (named := tuple(self._named(notes))) else None,
            named=named,
            changes=self._changes(touched, globals_before, source_before),
            displacements=tuple(self._displaced(touched, notes, undoing is not None)),
            stacks=tuple(self._stack_changes()),
            chat=tuple(notes.chat),
            rolls=tuple(_rolls(notes, undoing is not None)),
            globals=tuple(notes.globals),
            turns=tuple(notes.turns),
            undoing=undoing,
            problems=tuple(notes.problems),
        )
        runner.table.journal.clear()
        return step

    def _named(self, notes: StepNotes) -> Iterator[Named]:
        for piece, id_text in notes.movers.items():
            if (mover := self.roster.participant(id_text)) is not None:
                yield piece, Actor(mover, "move")
        for line in notes.chat:
            if line.kind == "player" and (speaker := self.roster.named(line.author)) is not None:
                yield "", Actor(speaker, "chat")

    def _touched(self) -> list[_Touched]:
        """Pieces that changed in the step, with their marks before and after."""
        table = self.runner.table
        found = []
        for piece, before in table.journal.pieces.items():
            after = piece_mark(piece, table.items.get(piece.id) is piece)
            if after != before and (after[0] or before[0]):
                found.append((piece, before, after))
        return found

    def _displaced(
        self, touched: list[_Touched], notes: StepNotes, undone: bool
    ) -> Iterator[Displaced]:
        for piece, before, after in touched:
            if before[:4] == after[:4]:
                continue
            origin = spot(*before[1:4]) if before[0] else None
            target = spot(*after[1:4]) if after[0] else None
            by = self._displaced_by(piece, before, after, notes, undone)
            places = self._location(origin), self._location(target)
            lost = by == "undo" and (target is None or target.map is None)
            why = _why_lost(piece, after, notes) if lost else ""
            yield Displaced(piece.id, origin, target, *places, by, _GROUPS.get(by, 0), why)

    def _displaced_by(
        self, piece: LivePiece, before: PieceMark, after: PieceMark, notes: StepNotes, undone: bool
    ) -> DisplacedBy:
        if undone:
            return "undo"
        if not after[0]:
            return "remove"
        if not before[0]:
            return "add"
        if piece in notes.moved:
            return "send" if self._sent(piece, before, after) else "drag"
        return "state" if piece in notes.restated else "stack"

    def _sent(self, piece: LivePiece, before: PieceMark, after: PieceMark) -> bool:
        """Whether a SendToLocation trait moved it. The trait stores the way back, except perhaps after an
        undo; then it counts if the piece is on another map at the pixel that the trait names."""
        sends, forms = piece.form.sends, self.runner.forms
        if not sends:
            return False
        if before[5] != after[5]:
            was, now = forms.parts(piece.form, before[5]), forms.parts(piece.form, after[5])
            if any(was[i] != now[i] for i in sends):
                return True
        on = after[1]
        return (
            on is not None
            and on is not before[1]
            and (on.name, str(after[2]), str(after[3])) in piece.form.destinations
        )

    def _changes(
        self, touched: list[_Touched], before: Globals, source_before: PropertySource
    ) -> tuple[PieceChange, ...]:
        after, source = self.runner.globals, self.source
        table = self.runner.table
        left = {t[1][4] for t in touched if t[1][4] is not None}
        held = {t[2][4] for t in touched if t[2][4] is not None}
        piles_before = {holder: pile_before(table, holder) for holder in left}
        piles = {holder: pile_of(table, holder) for holder in held}

        return tuple(
            PieceChange(
                piece.id,
                _piece(piece, was, before, source_before, piles_before) if was[0] else None,
                _piece(piece, now, after, source, piles) if now[0] else None,
            )
            for piece, was, now in touched
        )

    def _stack_changes(self) -> Iterator[StackChange]:
        table, places = self.runner.table, self.layouts
        for holder, before in table.journal.stacks.items():
            mark = stack_mark(holder, table.items.get(holder.id) is holder)
            if mark != before:
                was, now = (holder_value(holder, m, places) for m in (before, mark))
                if was is not None or now is not None:
                    yield StackChange(holder.id, was, now)

    # --- values

    def _location(self, spot: Spot | None) -> str:
        if spot is None or spot.map is None:
            return ""
        return self.layouts.location(spot.map, spot.x, spot.y)

    def _property(self, piece: LivePiece, name: str) -> str | None:
        """The property from which the table derives a piece's game-piece layer."""
        holder = piece.parent
        piles = {} if holder is None else {holder: pile_of(self.runner.table, holder)}
        value = _piece(piece, piece_mark(piece, True), self.runner.globals, self.source, piles)
        return value.facts.property(name)


_NOT_KNOWN: Mapping[str, str] = {
    "live": "properties that only a running VASSAL keeps are asked for, and are not known",
    "hidden": "the size of a stack with hidden pieces is asked for, and is withheld",
    "board": "places on boards whose size or layout is not known are asked for",
    "endless": "values that depend on themselves are not known",
}
"""Messages about values that are not known for a reason other than their trait."""


def _why_lost(piece: LivePiece, after: PieceMark, notes: StepNotes) -> str:
    """Why an undo left a piece on no map."""
    if not after[0]:
        return "its coming into the game was taken back"
    if piece in notes.moved:
        return "it was put back off the maps"
    if piece in notes.unstacked:
        return "its stack was taken away, and nothing in the step says where it went back to"
    return "it was given back a state in which it is on no map"


def _rolls(notes: StepNotes, undone: bool) -> Iterator[DieRoll]:
    """The rolls of a step: reported ones, and those that only a property shows. ``undone``: the step undoes
    another one and restores the properties."""
    yield from notes.rolls
    reported = {roll.dice for roll in notes.rolls}
    if not undone:
        yield from (roll for roll in notes.kept_rolls if roll.dice not in reported)


_EMPTY = Pile(())
_Touched = tuple[LivePiece, PieceMark, PieceMark]
_GROUPS: Mapping[DisplacedBy, int] = {"drag": 1, "send": 2, "undo": 3}
"""All pieces that a player dragged in one step were one selection; likewise those that a key sent."""


def _piece(
    piece: LivePiece,
    mark: PieceMark,
    globals_then: Globals,
    source: PropertySource,
    piles: Mapping[LiveStack, Pile],
) -> Piece:
    """A piece as a mark remembers it; ``piles``: what its holder held then."""
    _, on, x, y, holder, traits, base = mark
    place = spot(on, x, y)
    deck = None if holder is None or holder.deck_type is None else deck_name(holder.deck_type)
    pile = None if holder is None else piles.get(holder, _EMPTY)
    view = PieceView(source, piece.id, piece.form, traits, base, place, deck, globals_then, pile)
    return Piece(piece.id, place, "" if holder is None else holder.id, view)


def replay_log(
    save: SaveFile,
    module: Module | None = None,
    *,
    roster: Roster | None = None,
    log: int = 1,
    shared: Shared | None = None,
) -> LogHistory:
    """Replay a whole save or log. See :class:`LogReplay` for the arguments."""
    try:
        with collector_paused():
            replay = LogReplay(save, module, roster=roster, log=log, shared=shared)
            opening = replay.table()
            steps = name_actors(list(replay.steps()))
            end = replay.table()
            fields = module.own_fields if module is not None else {}
            own = (
                own_traits_problem(_with_own_traits(opening), fields, save.where)
                if replay.has_own
                else []
            )
            problems = (*replay.problems(), *own, *_relaid(replay))
            replay.runner.table.let_go()
    except Unreadable as error:
        raise Unreadable(error.what, where=save.where, expected=error.expected) from None
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
        problems=problems,
        relaid=replay.relaid,
    )


def _relaid(replay: LogReplay) -> Iterator[Problem]:
    """A problem for each such map; none for maps that only some sides see."""
    for name in sorted(n for n in replay.relaid if replay.layouts.owners(n) is None):
        told = "other boards are laid on it than the game opens with, so no move on it is judged"
        yield Problem("boards-changed", f"the map {name!r}: {told}", replay.save.where)


def _with_own_traits(table: Table) -> Iterator[tuple[Piece, frozenset[str]]]:
    """The pieces with traits of a module's own, and these traits' prefixes."""
    for piece in table.pieces.values():
        if isinstance(piece.facts, PieceView) and piece.facts.form.own:
            yield piece, frozenset(trait.prefix for trait in piece.facts.form.own)


def _boards(save: SaveFile) -> list[c.Boards]:
    picks = (decode_command(text) for text in save.opening if "BoardPicker" in text[:200])
    return [command for command in picks if isinstance(command, c.Boards)]
