"""Work for the workers of a batch in tests: what a worker loads by name, in whatever process it is."""

from __future__ import annotations

import os
import signal
import sys
from pathlib import Path

from vassal_umpire.plugin.batch.run import _Batch
from vassal_umpire.plugin.batch.tables import tables_of
from vassal_umpire.plugin.batch.tasks import Task
from vassal_umpire.plugin.batch.work import Outcome, work


def ends_its_worker(task: Task) -> Outcome:
    """Ends its own worker at the game called ``kills.vlog``, and at ``once.vlog`` the first time."""
    log = task.named.logs[0]
    if log.name == "kills.vlog" or (log.name == "once.vlog" and _first(log.with_suffix(".seen"))):
        os.kill(os.getpid(), signal.SIGKILL)
    return work(task)


def with_number(task: Task) -> Outcome:
    """Also says which process it was, in place of the program's version."""
    outcome = work(task)
    version = [column.name for column in tables_of("convert")["games"]].index("umpire")
    ((*game,),) = outcome.cells["games"]
    game[version] = str(os.getpid())
    return Outcome({**outcome.cells, "games": [tuple(game)]}, failed=outcome.failed)


def hears_ctrl_c(_task: object) -> bool:
    """Whether a Ctrl-C would stop this worker."""
    return signal.getsignal(signal.SIGINT) is not signal.SIG_IGN


def _first(mark: Path) -> bool:
    try:
        mark.touch(exist_ok=False)
    except FileExistsError:
        return False
    return True


if __name__ == "__main__":
    # The command, which also prints every game once it is in the journal, and waits after the second.
    from vassal_umpire.plugin.cli import main

    taken, names = _Batch.take, []

    def take(self: _Batch, task: Task, outcome: Outcome) -> None:
        taken(self, task, outcome)
        names.append(task.name)
        print(task.name, flush=True)
        if len(names) == 2:
            sys.stdin.readline()

    _Batch.take = take  # type: ignore[method-assign]
    main(sys.argv[1:])
