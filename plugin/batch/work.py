"""The work on one game: from its files to the rows of all tables; and a limit on its time."""

from __future__ import annotations

import ctypes
import os
import threading
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import lru_cache
from pathlib import Path
from types import TracebackType

from ... import __version__
from ...importers.analysis.tables import rows as converted_rows
from ...importers.pack.load import load_pack
from ...importers.pack.pack import Pack
from ...importers.vassal.atomic import Known, known
from ...importers.vassal.buildfile import extensions_beside, open_module
from ...importers.vassal.limits import Limits
from ...importers.vassal.module import Module
from ...model.problem import Problem, UmpireError
from ...model.table import TableHistory
from ..auditing import audit_game, open_game
from ..game_tables import audit_rows, problem_rows
from ..inspection import save_document
from ..narrative import log_problems
from ..options import check_side
from ..printable import printable
from ..reading import is_document, named_for, read_history
from ..shown import with_integrity
from ..table_files import Row
from .journal import Cells, cells_of
from .tables import DONE, FAILED, GAMES, PROBLEMS, Do, Rows, tables_of
from .tasks import Task, bug, one_line

SOON = 10_000
"""Loop turns within which Python raises a pending exception in its thread."""


class TimeUp(BaseException):
    """The time is up. Not an :class:`Exception`, so that no handler on the way catches it."""


class TimeLimit:
    """Raises :class:`TimeUp` in the thread that entered it after this many ``seconds``; None: never.

    It is raised between two steps of Python: a long call into a library ends first. It is never raised after
    the block.
    """

    def __init__(self, seconds: float | None) -> None:
        self._lock, self._over, self._late = threading.Lock(), False, False
        self._thread = ctypes.c_ulong(threading.get_ident())
        self._timer = None if seconds is None else threading.Timer(seconds, self._end)

    def __enter__(self) -> None:
        if self._timer is not None:
            self._timer.daemon = True
            self._timer.start()

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        at: TracebackType | None,
    ) -> None:
        if self._timer is None:
            return
        self._timer.cancel()
        with self._lock:
            self._over = True
        if self._late and kind is not TimeUp:
            for _ in range(SOON):
                pass  # it is raised here

    def _end(self) -> None:
        with self._lock:
            if not self._over:
                self._late = True
                raise_in = ctypes.pythonapi.PyThreadState_SetAsyncExc
                raise_in(self._thread, ctypes.py_object(TimeUp))


MODULES_KEPT = 2
"""Number of modules a worker keeps open: most games of a folder share one."""
PACKS_KEPT = 4


@dataclass(frozen=True, slots=True)
class Outcome:
    """The rows of a game, the ``version`` of the program that made them, and whether it ``failed``.
    ``passing``: for a reason that may be gone at the next run, which tries again."""

    cells: Cells
    version: str = field(default_factory=lambda: __version__)
    failed: bool = False
    passing: bool = False


def work(task: Task) -> Outcome:
    """The rows of a game. An error becomes a row; nothing is raised."""
    if task.trouble:
        return failed(task, task.trouble)
    seconds = task.settings.seconds
    try:
        with TimeLimit(seconds):
            return _outcome(task, _DOES[task.settings.do](task))
    except TimeUp:
        told = f"took longer than {seconds:g} s; raise --time-limit to have it looked at"
        return failed(task, told, code="time-limit", passing=True)
    except UmpireError as error:
        return failed(task, one_line(error), passing=_passing(error))
    except OSError as error:
        where = Path(os.fsdecode(error.filename)).name if error.filename else task.name
        told = f"{where}: {error.strerror or type(error).__name__}"
        return failed(task, told, passing=_passing(error))
    except MemoryError:
        return failed(task, "takes more memory than its worker has", passing=True)
    except Exception as error:  # noqa: BLE001 - the others go on, whatever is wrong with this one
        return failed(task, bug(error), code="bug", passing=_passing(error))


def _passing(error: BaseException | None) -> bool:
    """Whether the system lacked files or memory, also if another error reports it. An ``OSError`` without a
    number comes from a decompressor: the file is damaged."""
    if isinstance(error, MemoryError) or (isinstance(error, OSError) and error.errno is not None):
        return True
    return error is not None and _passing(error.__cause__ or error.__context__)


def failed(task: Task, trouble: str, code: str = "failed", *, passing: bool = False) -> Outcome:
    """The rows of a game that failed: one in ``games``, and its problem, on one line. ``passing``: as in
    :class:`Outcome`."""
    trouble = printable(trouble)
    game = {
        "status": FAILED,
        "trouble": trouble,
        "logs": [path.name for path in task.named.logs],
        "viewer": str(task.settings.viewer),
        "umpire": __version__,
    }
    problems = problem_rows([Problem(code, trouble, "", "error")])
    return _outcome(task, {GAMES: [game], PROBLEMS: problems}, failed=True, passing=passing)


def _outcome(task: Task, rows: Rows, *, failed: bool = False, passing: bool = False) -> Outcome:
    cells = cells_of(task.name, tables_of(task.settings.do), rows)
    return Outcome(cells, failed=failed, passing=passing)


def _audited(task: Task) -> Rows:
    settings, named = task.settings, task.named
    module = pack = None
    if not is_document(named.logs[0]):
        assert named.module is not None
        assert named.pack is not None
        module, pack = _module(named.module, settings.limits), _pack(named.pack)
    opened = open_game(named, settings.viewer, settings.limits, module=module, pack=pack)
    check_side(settings.viewer, opened.game.sides)
    opened = replace(opened, problems=(*task.problems, *opened.problems))
    shown = audit_game(opened, settings.ruleset, suspicions=False)
    shown = with_integrity(opened, shown, settings.viewer)  # its rolls
    return _with_status(audit_rows(shown, settings.viewer))


def _inspected(task: Task) -> Rows:
    history, module, problems = _read(task)
    viewer = task.settings.viewer
    told = [save_document(log, "log" if log.steps else "save", "", viewer) for log in history.logs]
    first = told[0]
    met = (*problem_rows(problems), *(_met(one) for log in told for one in log["problems"]))
    whole = {
        name: sum(log[name] for log in told)
        for name in ("steps", "moves", "dice", "chat", "undone")
    }
    game = {
        **_files(task, history),
        "kind": first["kind"],
        "module_file": module.file_name if module is not None else None,
        "players": [player["player"] for player in first["players"]],
        "sides": [player["side"] or "" for player in first["players"]],
        **{name: first[name] for name in ("pieces", "stacks", "decks")},
        **whole,
        "problems": len(met),
    }
    return _with_status({GAMES: [game], PROBLEMS: met})


def _met(problem: Mapping[str, object]) -> Row:
    told = {name: problem[name] for name in ("code", "severity", "message")}
    return {**told, "place": problem["where"] or None, "times": problem["count"]}


def _converted(task: Task) -> Rows:
    history, _, problems = _read(task)
    viewer = task.settings.viewer
    rows: dict[str, list[Row]] = {GAMES: [_files(task, history)]}
    rows[PROBLEMS] = list(problem_rows(problems))
    for log in history.logs:
        rows[PROBLEMS] += problem_rows(log_problems(log, viewer))
    for table, record in converted_rows(history, None, None, viewer):
        if table != PROBLEMS:
            rows.setdefault(table, []).append(record)
        elif "step" in record:
            place = f"log {record['log']} step {record['step']}"
            problem = Problem("step", str(record["problem"]), place)
            rows[PROBLEMS] += problem_rows([problem])
    return _with_status(rows)


def _read(task: Task) -> tuple[TableHistory, Module | None, tuple[Problem, ...]]:
    """The replayed logs of a game, their module, and problems with them as a whole."""
    named, settings = task.named, task.settings
    module = _module(named.module, settings.limits) if named.module is not None else None
    if module is not None:
        module = named_for(module, named.logs, settings.limits)
    history = read_history(named, module, settings.limits)
    players = (p for log in history.logs for p in (*log.opening.players, *log.end.players))
    sides = {player.side for player in players}
    check_side(settings.viewer, sides | set(module.sides if module is not None else ()))
    problems = (*history.problems, *(module.problems if module is not None else ()))
    return history, module, tuple(dict.fromkeys(problems))


def _files(task: Task, history: TableHistory) -> Row:
    first = history.logs[0]
    return {
        "logs": [log.source for log in history.logs],
        "sha256": [log.sha256 for log in history.logs],
        "module": first.module_name or None,
        "module_version": first.module_version or None,
        "vassal_version": first.vassal_version or None,
        "viewer": str(task.settings.viewer),
        "umpire": __version__,
    }


def _with_status(rows: Mapping[str, Iterable[Row]]) -> Rows:
    games: Iterator[Row] = ({"status": DONE, **row} for row in rows[GAMES])
    return {**rows, GAMES: games}


_DOES: Mapping[Do, Callable[[Task], Rows]] = {
    "audit": _audited,
    "inspect": _inspected,
    "convert": _converted,
}


def _module(path: Path, limits: Limits) -> Module:
    """The module at ``path``; kept open between games."""
    files = tuple(known(file) for file in (path, *extensions_beside(path)))
    return _opened_module(path, files, limits)


@lru_cache(MODULES_KEPT)
def _opened_module(path: Path, _files: tuple[Known, ...], limits: Limits) -> Module:
    return open_module(path, limits=limits, find_extensions=True)


def _pack(path: Path) -> Pack:
    files = path.iterdir() if path.is_dir() else (path,)
    return _opened_pack(path, tuple(sorted((file.name, known(file)) for file in files)))


@lru_cache(PACKS_KEPT)
def _opened_pack(path: Path, _files: tuple[tuple[str, Known], ...]) -> Pack:
    return load_pack(path)
