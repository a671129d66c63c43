"""Batches in tests: archives of small games, a pool without processes, the tables as rows."""

from __future__ import annotations

import json
import shutil
import sqlite3
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from vassal_umpire.importers.vassal.limits import DEFAULT_LIMITS
from vassal_umpire.model.viewer import EVERYONE
from vassal_umpire.plugin.batch.engine import Pool
from vassal_umpire.plugin.batch.journal import Form
from vassal_umpire.plugin.batch.run import Progress, Summary, run_batch
from vassal_umpire.plugin.batch.tables import Do
from vassal_umpire.plugin.batch.tasks import Settings

from .kit import CROSSROADS, MODULE, PACK


def archive(folder: Path, games: int = 3) -> Path:
    """A folder with so many copies of one log of the sample game, its module and its pack."""
    folder.mkdir()
    shutil.copy(MODULE, folder)
    shutil.copytree(PACK, folder / "pack")
    for number in range(games):
        shutil.copy(CROSSROADS / f"turn-{number % 2 + 1}.vlog", folder / f"game-{number:03}.vlog")
    return folder


class Threads:
    """A pool of one thread: the same engine without processes."""

    room = 2

    def __init__(self) -> None:
        self.executor = ThreadPoolExecutor(1)

    def submit(self, work: Callable[[Any], Any], task: Any) -> Future[Any]:
        return self.executor.submit(work, task)

    def renew(self) -> None:
        raise AssertionError("nothing of it ever breaks")


@contextmanager
def threads() -> Iterator[Pool]:
    pool = Threads()
    with pool.executor:
        yield pool


def nobody() -> Any:
    """A pool where there is nothing to do."""
    raise AssertionError("there was something to do")


def settings(do: Do = "audit", **more: Any) -> Settings:
    return Settings(do, more.pop("viewer", EVERYONE), DEFAULT_LIMITS, **more)


def batch(
    named: Path | str,
    out: Path,
    wanted: Settings | None = None,
    form: Form = "jsonl",
    pool: Callable[[], Any] = threads,
    told: Callable[[Progress], None] = lambda _now: None,
    **more: Any,
) -> Summary:
    return run_batch([str(named)], out, wanted or settings(), form, pool, told, **more)


def rows(out: Path, table: str = "games") -> list[dict[str, Any]]:
    """The rows of a table that was written as JSON Lines."""
    return [json.loads(line) for line in (out / f"{table}.jsonl").read_text("utf-8").splitlines()]


def done(out: Path) -> list[str]:
    """The games that the journal has, one for each row, in order."""
    base = sqlite3.connect(out / "batch.sqlite")
    found = [name for (name,) in base.execute("SELECT game FROM games ORDER BY game")]
    base.close()
    return found
