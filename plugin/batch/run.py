"""Run a batch: from the named games to the files with their tables."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import CancelledError
from contextlib import AbstractContextManager
from dataclasses import dataclass
from itertools import chain
from pathlib import Path

from ... import __version__
from ...importers.pack.facts_file import load_facts
from ...importers.pack.load import load_pack
from ...importers.vassal.archive import open_archive
from ...model.problem import UmpireError
from ..output_folder import place_for
from .engine import Pool, Run, WorkerLost
from .games import Found, games
from .journal import Form, Journal, check_form, export, open_journal
from .pools import cluster_gone
from .tasks import Planner, Settings, Task
from .work import Outcome, failed, work

_TOGETHER = 1000
"""Number of games done already that are noted together."""


@dataclass(slots=True)
class Progress:
    """The progress of a batch. ``total``: games named; ``kept``: done in an earlier run; ``done``: done in
    this one, of which ``failed`` failed."""

    total: int = 0
    kept: int = 0
    done: int = 0
    failed: int = 0


@dataclass(frozen=True, slots=True)
class Summary:
    """The result of a batch. ``failed``: named games that failed, now or earlier. ``others``: games of
    earlier runs in the tables that this one did not name. ``files``: the tables."""

    progress: Progress
    failed: int
    others: int
    files: tuple[Path, ...]


Told = Callable[[Progress], None]


def run_batch(
    named: Sequence[str],
    out: Path,
    settings: Settings,
    form: Form,
    pool: Callable[[], AbstractContextManager[Pool]],
    told: Told,
    done: Callable[[Task], Outcome] = work,
) -> Summary:
    """Work on every named game that is not done yet, then write the tables into the folder ``out``.

    ``pool`` is called only if there is work. ``told`` is called after every game. Raises :class:`UmpireError`
    for errors that concern all games; an error in one game is a row of ``problems``.
    """
    check_form(form)
    _check_named(settings)
    folder = place_for(out)
    progress = Progress(total=sum(1 for _ in games(named, folder, whole=settings.whole)))
    if not progress.total:
        raise UmpireError(
            "holds no game",
            where=" ".join(named),
            expected="logs or saves (.vlog, .vsav, .log, .sav), or folders with game.toml",
        )
    about = {"do": settings.do, "viewer": str(settings.viewer)}
    with open_journal(folder, settings.do, about) as journal:
        batch = _Batch(journal, progress, told)
        found = games(named, folder, whole=settings.whole)
        waiting = batch.waiting(Planner(settings), found)
        first = next(waiting, None)
        if first is not None:
            with pool() as workers:
                Run(chain([first], waiting), done, workers, batch.take, batch.give_up).go()
        files = export(journal, form)
        return Summary(progress, journal.failed(), journal.not_named(), files)


def _check_named(settings: Settings) -> None:
    """Refuse a module, pack or facts file that cannot be used for any game."""
    if settings.module is not None:
        with open_archive(settings.module, settings.limits) as archive:
            archive.build_file()
    if settings.pack is not None:
        load_pack(settings.pack)
    if settings.facts is not None:
        load_facts(settings.facts)


class _Batch:
    """Writes the results of workers into the journal."""

    def __init__(self, journal: Journal, progress: Progress, told: Told) -> None:
        self._journal, self._progress, self._told = journal, progress, told

    def waiting(self, planner: Planner, found: Iterator[Found]) -> Iterator[Task]:
        """The games to work on; games that cannot be read are recorded at once."""
        again: list[str] = []
        for one in found:
            task = planner.task(one)
            if self._journal.key(task.name) == task.key:
                again.append(task.name)
                self._progress.kept += 1
                if len(again) >= _TOGETHER:
                    self._journal.name_again(again)
                    again = []
                self._told(self._progress)
            elif task.trouble:
                self.take(task, failed(task, task.trouble))
            else:
                yield task
        self._journal.name_again(again)

    def take(self, task: Task, outcome: Outcome) -> None:
        """Write the rows of a game into the journal."""
        if outcome.version != __version__:
            raise UmpireError(
                f"a worker has vassal-umpire {outcome.version}", expected=f"{__version__}, as here"
            )
        key = "" if outcome.passing else task.key
        self._journal.record(task.name, key, outcome.cells)
        self._progress.done += 1
        self._progress.failed += outcome.failed
        self._told(self._progress)

    def give_up(self, task: Task, error: Exception) -> None:
        """Record a game that no worker finished."""
        if isinstance(error, CancelledError):
            raise cluster_gone()
        if isinstance(error, WorkerLost) or type(error).__name__ == "KilledWorker":
            what = "its worker ended each time that it was at this game (did the memory run out?)"
        else:
            what = f"it did not come back from its worker ({type(error).__name__})"
        self.take(task, failed(task, what, code="worker-lost", passing=True))
