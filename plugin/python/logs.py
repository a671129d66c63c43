"""Logs step by step, and the table after any of them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import TYPE_CHECKING, ClassVar

from ...importers.analysis.columns import TABLES
from ...importers.analysis.holdings import Holdings
from ...importers.analysis.records import (
    Record,
    StepRecords,
    TurnText,
    deck_records,
    piece_records,
)
from ...importers.analysis.tables import log_rows, piece_rows, property_rows
from ...importers.vassal.limits import DEFAULT_LIMITS, Limits
from ...importers.vassal.module import Module
from ...importers.vassal.property_source import TURN_LEVELS
from ...model import table as raw
from ...model.problem import Problem, UmpireError
from ...model.short_repr import Short
from ...model.table import ChatLine, DieRoll, GlobalChange, Participant, Spot, TurnChange
from ...model.viewer import Viewer
from ..narrative import log_problems
from ..reading import iter_logs
from ..table_files import frame
from .asked import FilePath, one_line, path_of, paths_of, problems_in_python, viewer_of
from .values import (
    Deck,
    Displacement,
    Piece,
    PieceChange,
    Stack,
    change_of,
    displacement_of,
    members_of,
    piece_of,
)

if TYPE_CHECKING:
    import pyarrow


class Table:
    """Everything on the table at one moment that its ``viewer`` may see, from :meth:`Log.table` or
    :attr:`Step.table`. ``log``: the number of the log, from 1. ``step``: the last step carried out, 0 for the
    opening; ``engine_step``: its number as VASSAL counts. The contents are computed on first use."""

    def __init__(
        self, then: raw.LogHistory, log: int, step: int, engine_step: int, viewer: Viewer
    ) -> None:
        self.log, self.step, self.engine_step, self.viewer = log, step, engine_step, viewer
        self._then = then  # a log that opens with this table: what the records are made from

    def __repr__(self) -> str:
        return (
            f"<Table after step {self.engine_step} of log {self.log}, as {self.viewer} may see it>"
        )

    @cached_property
    def pieces(self) -> tuple[Piece, ...]:
        """The pieces that the viewer sees."""
        return tuple(map(piece_of, self._records))

    @cached_property
    def stacks(self) -> tuple[Stack, ...]:
        """The stacks in which the viewer sees a piece."""
        held = (record for record in self._held if record["kind"] == "stack")
        return tuple(Stack(r["id"], Spot(*r["at"]), members_of(r)) for r in held)

    @cached_property
    def decks(self) -> tuple[Deck, ...]:
        """Every deck, except those on maps that the viewer may not look at."""
        held = {record["id"]: record for record in self._held}
        return tuple(
            Deck(r["id"], r["name"], Spot(*r["at"]), r["cards"], members_of(held[r["id"]]))
            for r in deck_records(self._then.opening, self.viewer)
        )

    @property
    def globals(self) -> Mapping[tuple[str, str], str]:
        """Values of global properties, by container (``Module``, a map, or ``map:zone``) and name."""
        return dict(self._then.opening.globals)

    @property
    def turns(self) -> Mapping[str, str]:
        """The text of each turn tracker, by its name."""
        return dict(self._then.opening.turns)

    def to_frames(self) -> dict[str, pyarrow.Table]:
        """The tables ``pieces`` and ``properties``. Needs pyarrow (the extra ``[frames]``)."""
        head = {"log": self.log, "step": self.step}
        return {
            "pieces": frame(TABLES["pieces"], piece_rows(head, self._records)),
            "properties": frame(TABLES["properties"], property_rows(head, self._records)),
        }

    @cached_property
    def _records(self) -> list[Record]:
        return list(piece_records(self._then, self.viewer))

    @cached_property
    def _held(self) -> list[Record]:
        return list(Holdings(self._then, self.viewer).opening())


@dataclass(frozen=True, slots=True, repr=False)
class Step(Short):
    """One step of a log: the part that its viewer may see.

    ``log``: the number of the log, from 1. ``step``: the number of the step in the log, from 1;
    ``engine_step``: its number as VASSAL counts and audits cite it (None: not a step for VASSAL).
    ``player``, ``side``: who did it; None: not known. ``known_by``: how that is known: ``move`` (the move
    command names him), ``chat`` (he typed a line in the same step), ``neighbours`` (the steps around it are
    his) or ``log`` (most moves of the log are his). ``turn``: the text of the turn tracker after the step;
    None: there is no tracker. ``undoes``: the step that this one took back, or, with ``redo``, restored.
    ``taken_back``: whether the whole step was taken back later. ``problems``: the faults found in it.
    """

    shown: ClassVar = ("log", "step", "player", "side", "turn", "displacements", "rolls", "chat")

    log: int
    step: int
    engine_step: int | None
    player: str | None = None
    side: str | None = None
    known_by: str | None = None
    turn: str | None = None
    displacements: tuple[Displacement, ...] = ()
    changes: tuple[PieceChange, ...] = ()
    chat: tuple[ChatLine, ...] = ()
    rolls: tuple[DieRoll, ...] = ()
    globals: tuple[GlobalChange, ...] = ()
    turns: tuple[TurnChange, ...] = ()
    undoes: int | None = None
    redo: bool = False
    taken_back: bool = False
    problems: tuple[Problem, ...] = ()
    _of: Log | None = field(default=None, repr=False, compare=False)

    @property
    def table(self) -> Table:
        """The table after the step."""
        assert self._of is not None
        return self._of._table_after(self.step)


class Log:
    """A replayed log, or a save, which has no steps; from :func:`open_log`.

    ``log``: its number among the logs opened with it, from 1. ``module``: the module used for the replay;
    None: no module was found, so places have no names. ``viewer``: whose knowledge limits the contents.
    """

    def __init__(
        self, history: raw.LogHistory, log: int, module: Module | None, viewer: Viewer
    ) -> None:
        self._history, self._tables = history, _Tables(history)
        self.log, self.module, self.viewer = log, module, viewer
        self._counted = list(_counted(history))

    def __repr__(self) -> str:
        steps = f"{len(self._counted)} steps, as {self.viewer} may see it"
        return f"<Log {self.log}: {self.file}, {steps}{', no module' * (self.module is None)}>"

    @property
    def file(self) -> str:
        """The name of the file, without folders."""
        return self._history.source

    @property
    def sha256(self) -> str:
        """The SHA-256 of the file, in hexadecimal digits."""
        return self._history.sha256

    @property
    def module_name(self) -> str:
        """The name of the module, as the log gives it; empty if it gives none."""
        return self._history.module_name

    @property
    def module_version(self) -> str:
        """The version of that module."""
        return self._history.module_version

    @property
    def vassal_version(self) -> str:
        """The version of VASSAL that wrote it."""
        return self._history.vassal_version

    @property
    def players(self) -> tuple[Participant, ...]:
        """The players at the table when the log opens."""
        return self._history.opening.players

    @property
    def problems(self) -> tuple[Problem, ...]:
        """Problems of the log as a whole; those of single steps are in :attr:`Step.problems`."""
        return problems_in_python(log_problems(self._history, self.viewer))

    @property
    def step_count(self) -> int:
        """The number of steps, as VASSAL counts them."""
        return max(self._counted, default=0)

    def steps(self) -> Iterator[Step]:
        """The steps in order, each computed when the loop reaches it."""
        records = StepRecords(self._history, self.viewer)
        turns, back = TurnText(self._history.opening), raw.taken_back(self._history.steps)
        for step, record in zip(self._history.steps, records, strict=True):
            yield self._step(step, record, turns.after(step), step.number in back)

    def table(self, after: int | None = None) -> Table:
        """The table after a step, by its number as VASSAL counts; 0 means the opening, None the end. Raises
        :class:`UmpireError` if there is no such step."""
        if after is None:
            return self._table_after(len(self._counted))
        if not 0 <= after <= self.step_count:
            raise UmpireError(
                f"has no step {after}", where=self.file, expected=f"0 to {self.step_count}"
            )
        return self._table_after(sum(n <= after for n in self._counted) if after else 0)

    def to_frames(self) -> dict[str, pyarrow.Table]:
        """The tables about logs in docs/analysis-format.md: ``pieces`` (at the opening), ``steps``,
        ``displacements``, ``rolls``, ``chat`` and so on. Needs pyarrow (the extra ``[frames]``)."""
        found: dict[str, list[Record]] = {name: [] for name in _OF_LOGS}
        for name, record in log_rows(self.log, self._history, self.viewer):
            found[name].append(record)
        return {name: frame(TABLES[name], rows) for name, rows in found.items()}

    def _step(self, step: raw.Step, record: Record, turn: str | None, taken_back: bool) -> Step:
        told = record.get("problems", ())
        return Step(
            log=self.log,
            step=step.number,
            engine_step=step.engine_number,
            player=record.get("player"),
            side=record.get("side") or None,
            known_by=record.get("known_by"),
            turn=turn,
            displacements=tuple(map(displacement_of, record.get("displacements", ()))),
            changes=tuple(map(change_of, record.get("changes", ()))),
            chat=step.chat,
            rolls=step.rolls,
            globals=step.globals,
            turns=step.turns,
            undoes=record.get("undoes"),
            redo=record.get("redo", False),
            taken_back=taken_back,
            problems=tuple(
                replace(p, message=text) for p, text in zip(step.problems, told, strict=True)
            ),
            _of=self,
        )

    def _table_after(self, place: int) -> Table:
        """The table after this many steps of the log."""
        then = replace(self._history, opening=self._tables.after(place), steps=())
        engine_step = self._counted[place - 1] if place else 0
        return Table(then, self.log, place, engine_step, self.viewer)


class _Tables:
    """The tables of a log. Continues from the last one returned if possible."""

    def __init__(self, history: raw.LogHistory) -> None:
        self._history = history
        self._begin()

    def _begin(self) -> None:
        table = self._history.opening
        self._place = 0
        self._pieces = dict(table.pieces)
        self._stacks, self._decks = dict(table.stacks), dict(table.decks)
        self._globals, self._turns = dict(table.globals), dict(table.turns)

    def after(self, place: int) -> raw.Table:
        if place < self._place:
            self._begin()
        for step in self._history.steps[self._place : place]:
            self._advance(step)
        self._place = place
        players = self._history.opening.players
        held = dict(self._pieces), dict(self._stacks), dict(self._decks)
        return raw.Table(*held, dict(self._globals), dict(self._turns), players)

    def _advance(self, step: raw.Step) -> None:
        for change in step.changes:
            if change.after is None:
                self._pieces.pop(change.id, None)
            else:
                self._pieces[change.id] = change.after
        for held in step.stacks:
            self._stacks.pop(held.id, None)
            self._decks.pop(held.id, None)
            if isinstance(held.after, raw.Deck):
                self._decks[held.id] = held.after
            elif held.after is not None:
                self._stacks[held.id] = held.after
        for changed in step.globals:
            self._globals[changed.container, changed.name] = changed.new_value
        for turn in step.turns:
            self._turns[turn.tracker] = turn.new_value
            for level, value in turn.new_levels.items():
                self._globals[TURN_LEVELS, level] = value


def _counted(history: raw.LogHistory) -> Iterator[int]:
    """The number of each step as VASSAL counts; a step that is none for VASSAL has the number of the one
    before."""
    number = 0
    for step in history.steps:
        number = step.engine_number or number
        yield number


_OF_LOGS = tuple(name for name, columns in TABLES.items() if columns[0].name == "log")


@one_line()
def open_log(
    file: FilePath,
    *,
    module: FilePath | Module | None = None,
    viewer: str | Viewer | None = None,
    limits: Limits = DEFAULT_LIMITS,
) -> Log:
    """A log or save, replayed. ``module``: a module or its file; None means the one beside the log, and if
    there is none, :attr:`Log.problems` says so. ``viewer``: the side that looks, or :data:`DIRECTOR`; None
    means what every player may see. Raises :class:`Unreadable` if the file is not a save or log, is damaged,
    or exceeds one of the ``limits``."""
    return next(open_logs([file], module=module, viewer=viewer, limits=limits))


def open_logs(
    files: Iterable[FilePath],
    *,
    module: FilePath | Module | None = None,
    viewer: str | Viewer | None = None,
    limits: Limits = DEFAULT_LIMITS,
) -> Iterator[Log]:
    """The logs of a game, in order, each read when the loop reaches it. A player has the same label in all of
    them. Arguments and errors are those of :func:`open_log`; errors are raised by the loop. For a side as
    viewer, all logs are scanned first, and a side that nobody plays is refused."""
    looks, paths = viewer_of(viewer), paths_of(files)
    named = module if isinstance(module, Module) or module is None else path_of(module)
    return _logs(iter_logs(paths, named, looks, limits), looks)


def _logs(read: Iterator[tuple[raw.LogHistory, Module | None]], viewer: Viewer) -> Iterator[Log]:
    with one_line():
        for number, (history, module) in enumerate(read, 1):
            yield Log(history, number, module, viewer)
