"""What ``umpire batch`` costs besides the games: throughput, overhead for each file, memory, storage.

    python benchmarks/batch.py [GAMES]         # 2,000 drawn games, some minutes

Told in seconds of processor where one can tell them, since the machine may do other work; throughput with one
worker and two in turn on the first 100 games. It reads what Linux tells of processes. Load and processors
are printed with it.
"""

from __future__ import annotations

import multiprocessing
import os
import random
import re
import resource
import shutil
import sys
import tempfile
import time
from collections.abc import Callable
from contextlib import AbstractContextManager
from functools import partial
from pathlib import Path

SAMPLES = Path(__file__).parent.parent / "samples"
sys.path[:0] = [str(SAMPLES), str(SAMPLES / "crossroads")]

from contents import CONTENTS  # noqa: E402
from script import IDS, TARN, WREN, set_up, turn  # noqa: E402
from terrain import spreadsheets  # noqa: E402
from vassal_umpire.importers.vassal.limits import DEFAULT_LIMITS  # noqa: E402
from vassal_umpire.importers.vassal.writer import write_save  # noqa: E402
from vassal_umpire.model.viewer import EVERYONE  # noqa: E402
from vassal_umpire.plugin.auditing import audit_game, open_game  # noqa: E402
from vassal_umpire.plugin.batch.engine import Pool  # noqa: E402
from vassal_umpire.plugin.batch.pools import process_pool  # noqa: E402
from vassal_umpire.plugin.batch.run import Progress, run_batch  # noqa: E402
from vassal_umpire.plugin.batch.tasks import Settings  # noqa: E402
from vassal_umpire.plugin.reading import Named  # noqa: E402

SOME = 100
SETTINGS = Settings("audit", EVERYONE, DEFAULT_LIMITS)
HEXES = [row.split(",")[0] for row in list(spreadsheets()["hexes.csv"])[1:]]
SIDES = (("Blue", WREN), ("Red", TARN))


def draw_game(path: Path, seed: int) -> None:
    """A log of two to six player turns of Crossroads, each with a few drags, legal or not."""
    drawn = random.Random(seed)
    scribe = set_up()
    scribe.sit_down(WREN)
    scribe.begin()
    for number in range(drawn.randint(2, 6)):
        side, player = SIDES[number % 2]
        scribe.sit_down(player)
        own = sorted(name for name in IDS if name.startswith(side))
        for name in drawn.sample(own, drawn.randint(2, len(own))):
            scribe.drag(IDS[name], drawn.choice(HEXES))
        now, after = f"Turn {number // 2 + 1}, {side}", f"{number // 2 + 1}"
        scribe.advance(turn(int(after), number % 2, 1), f"{now} Movement", f"{now} Combat")
        scribe.roll("2d6", (drawn.randint(1, 6), drawn.randint(1, 6)))
        following = number + 1
        scribe.advance(
            turn(following // 2 + 1, following % 2, 0),
            f"{now} Combat",
            f"Turn {following // 2 + 1}, {SIDES[following % 2][0]} Movement",
        )
    metadata = {"moduledata": CONTENTS.module_data, "savedata": CONTENTS.save_data}
    write_save(path, scribe.text(), key=seed % 256, **metadata)


def archive(folder: Path, games: int) -> None:
    """So many games, in folders of a hundred, with module and pack above."""
    for number in range(games):
        if number % 100 == 0:
            place = folder / f"{number // 100:03}"
            place.mkdir(parents=True)
            shutil.copy(SAMPLES / "crossroads" / "crossroads.vmod", place)
        draw_game(place / f"{number:05}.vlog", number)
    shutil.copytree(SAMPLES / "crossroads" / "pack", folder / "pack")


def workers_spent() -> tuple[list[tuple[float, float]], int]:
    """Of each worker the seconds that it ran and those that it waited for a processor; the most memory that
    one had, in KiB."""
    spent, most = [], 0
    for child in multiprocessing.active_children():
        ran, waited, _ = Path(f"/proc/{child.pid}/schedstat").read_text().split()
        spent.append((int(ran) / 1e9, int(waited) / 1e9))
        status = Path(f"/proc/{child.pid}/status").read_text()
        found = re.search(r"VmHWM:\s+(\d+)", status)
        most = max(most, int(found[1]) if found else 0)
    return spent, most


def batch(named: str, out: Path, workers: int, form: str = "sqlite") -> dict[str, float]:
    """Run a batch; seconds of processor and by the wall, memory."""
    spent: dict[str, float] = {}

    def told(now: Progress) -> None:
        if now.done and now.done + now.kept == now.total:
            workers, spent["memory of a worker"] = workers_spent()
            spent["workers"] = sum(ran for ran, _ in workers)
            spent["busiest worker"], spent["it waited"] = max(workers)

    pool: Callable[[], AbstractContextManager[Pool]] = partial(process_pool, workers)
    begun, wall = time.process_time(), time.perf_counter()
    run_batch([named], out, SETTINGS, form, pool, told)  # type: ignore[arg-type]
    spent["main"] = time.process_time() - begun
    spent["wall"] = time.perf_counter() - wall
    spent["memory of main"] = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return spent


def size(*files: Path) -> int:
    return sum(file.stat().st_size for file in files)


def alone(paths: list[Path], folder: Path) -> float:
    """Seconds of processor to audit the same games by one process, module and pack opened anew for each, as
    ``umpire audit`` does."""
    begun = time.process_time()
    for path in paths:
        audit_game(open_game(Named((path,), pack=folder / "pack"), EVERYONE, DEFAULT_LIMITS), None)
    return time.process_time() - begun


def throughput(folder: Path, place: Path) -> None:
    """One worker and two in turn: games a second by the wall, and how long the busiest worker ran, which is
    what it would take if that never waited for a processor."""
    named = f"{folder}/000/*.vlog"
    pairs = []
    for number in range(3):
        ran = []
        for workers in (1, 2):
            told = batch(named, place / f"some-{workers}-{number}", workers)
            ran.append(told["busiest worker"])
            print(
                f"  {workers}: {SOME / told['wall']:.1f} games a second by the wall in {told['wall']:.1f} s;"
                f" the busiest worker ran {ran[-1]:.1f} s, waited {told['it waited']:.1f} s for a processor"
            )
        pairs.append(ran)
    ratio = sorted(one / two for one, two in pairs)[1]
    print(f"  2 workers with a processor each are {ratio:.2f} times as fast (median of 3 pairs)")


def main(games: int = 2000) -> None:
    """Measure and print."""
    print(f"{os.cpu_count()} processors, load {os.getloadavg()[0]:.1f} at the beginning")
    with tempfile.TemporaryDirectory() as name:
        place = Path(name)
        folder, out = place / "archive", place / "out"
        archive(folder, games)
        logs = sorted(folder.glob("*/*.vlog"))
        print(f"{games:,} games drawn, {size(*logs) / games / 1024:.1f} KiB each")
        first = alone(logs[:SOME], folder) / SOME
        print(f"audited one by one: {first * 1000:.0f} ms of processor each (first {SOME})")
        print("one worker and two:")
        throughput(folder, place)
        told = batch(str(folder), out, 2)
        print(f"all {games:,} with two workers, ms of processor a game:")
        print(
            f"  workers {told['workers'] / games * 1000:.1f}, main {told['main'] / games * 1000:.2f}"
        )
        print(f"  {games / told['wall']:.1f} games a second by the wall")
        print(
            f"  memory: main {told['memory of main'] / 1024:.0f} MiB (with what this benchmark takes),"
            f" a worker {told['memory of a worker'] / 1024:.0f} MiB"
        )
        again = batch(str(folder), out, 2)
        print(f"run again, all done: {again['main'] / games * 1000:.2f} ms a game")
        journal = size(out / "batch.sqlite")
        print(f"batch.sqlite: {journal / games / 1024:.1f} KiB a game")
        for form in ("parquet", "jsonl"):
            told = batch(str(folder), out, 2, form)
            bytes_ = size(*out.glob(f"*.{form}"))
            taken = told["main"] - again["main"]
            print(
                f"{form}: {bytes_ / games / 1024:.2f} KiB a game, written in {taken / games * 1000:.2f} ms"
            )
        print(f"load {os.getloadavg()[0]:.1f} at the end")


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
