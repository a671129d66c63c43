"""How long it takes until the studio shows what an edit changes: of cells of the board, and of tables.

    python benchmarks/studio_edits.py [DIR LOG…]

Without arguments the sample Crossroads; a ``facts.toml`` beside the pack's folder is taken, too. Told in
seconds by the wall, the processor's own behind it: until the call is answered, until a count of logs read
or moves judged is shown (tables alone), until verdicts that know of the edit are shown, and, of cells,
until all is judged (what would be if suggestions were so, too).
"""

from __future__ import annotations

import csv
import shutil
import statistics
import sys
import tempfile
import time
import tomllib
from collections import Counter
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from vassal_umpire.importers.vassal.limits import DEFAULT_LIMITS
from vassal_umpire.model.board import edge
from vassal_umpire.model.viewer import EVERYONE
from vassal_umpire.plugin.auditing import read_evidence
from vassal_umpire.plugin.reading import Named
from vassal_umpire.plugin.studio.session import Studio

SAMPLE = Path(__file__).resolve().parents[1] / "samples" / "crossroads"
TIMES = 4
ROWS = 60
"""Counters that are filled at once: a page of the Units view."""
MATCH = ("id", "gpid", "image", "name")
Edit = Mapping[str, Any]


def main(arguments: list[str]) -> None:
    """Measure and print."""
    pack = Path(arguments[0]) if arguments else SAMPLE / "pack"
    named = [Path(one) for one in arguments[1:]] or sorted(SAMPLE.glob("*.vlog"))
    module = next((one for one in named if one.suffix in (".vmod", ".mod")), None)
    logs = tuple(one for one in named if one != module)
    with tempfile.TemporaryDirectory() as place:
        folder = Path(place) / "pack"
        shutil.copytree(pack, folder)
        facts = folder / "facts.toml"
        if (pack.parent / "facts.toml").is_file() and not facts.exists():
            shutil.copy(pack.parent / "facts.toml", facts)
        begun = time.perf_counter()
        evidence = read_evidence(Named(logs, module), DEFAULT_LIMITS)
        print(f"opening: logs read after {time.perf_counter() - begun:.1f} s", end="", flush=True)
        studio = Studio(folder, facts, evidence, EVERYONE, DEFAULT_LIMITS)
        studio.who = "benchmark"
        studio.start()
        while studio.opened is None and studio.work_left() is not None:
            studio.wait(studio.state()["revision"], 1)
        print(f", the board there after {time.perf_counter() - begun:.1f} s", end="", flush=True)
        settled(studio)
        print(f", judged after {time.perf_counter() - begun:.1f} s")
        print(studio.state()["counts"])
        for what, hex_ in hexes(studio).items():
            cell(studio, what, hex_)
        for what, hex_ in hexes(studio).items():
            road(studio, what, hex_)
        for what, edits in tables(folder, facts, studio).items():
            table(studio, what, edits)
        studio.close()


def hexes(studio: Studio) -> dict[str, str]:
    """Hexes with terrain on the ways of moves, by how many moves' searches came there: few, some, many."""
    assert studio.audit is not None
    assert studio.opened is not None
    board = studio.opened.game.board
    came = Counter(name for read in studio.judged.reads.values() for name in read)
    names = {name for move in studio.audit.moves for name in move.path if board.hexes[name].terrain}
    ranked = sorted(names, key=lambda name: (came[name], name))
    some = {ranked[len(ranked) * part // 100] for part in (5, 50, 95)}
    return {f"hex {name}, read by {came[name]} moves": name for name in sorted(some, key=came.get)}


def cell(studio: Studio, what: str, name: str) -> None:
    """Paint a hex to and fro between its terrain and the commonest other one."""
    assert studio.opened is not None
    board = studio.opened.game.board
    was = "+".join(board.hexes[name].terrain or ())
    every = Counter("+".join(here.terrain) for here in board.hexes.values() if here.terrain)
    other = next(kind for kind, _ in every.most_common() if kind != was)
    to_and_fro(studio, what, {"kind": "hex", "hex": name, "layer": "terrain"}, was, other)


def road(studio: Studio, what: str, name: str) -> None:
    """Draw the commonest kind of line over a side of a hex that it does not cross, and take it away."""
    assert studio.opened is not None
    board = studio.opened.game.board
    lengths = Counter[str]()
    for line in board.lines:
        lengths[line.kind] += len(line.hexes)
    if not lengths:
        return
    kind = lengths.most_common(1)[0][0]
    for near in board.neighbours(name):
        side = edge(name, near)
        if kind not in {line.kind for line in board.lines_by_edge.get(side, ())}:
            told = {"kind": "line", "side": "/".join(side), "name": kind}
            to_and_fro(studio, f"{kind} over a side of {what}", told, "no", "yes")
            return


def to_and_fro(studio: Studio, what: str, told: Edit, was: str, other: str) -> None:
    times = []
    for number in range(TIMES):
        old, new = (was, other) if number % 2 == 0 else (other, was)
        times.append(timed(studio, [{**told, "was": old, "now": new}], whole=True))
    tell(what, times)


def tables(folder: Path, facts: Path, studio: Studio) -> dict[str, list[Edit]]:
    """One edit of each kind of table, as the views make them."""
    found: dict[str, list[Edit]] = {}
    with (folder / "units.csv").open(newline="", encoding="utf-8") as file:
        rows = list(csv.DictReader(line for line in file if not line.startswith("#")))
    column = next(name for name in ("ma", "command") if rows and name in rows[0])
    found[f"Units: {column} of {min(ROWS, len(rows))} counters filled"] = [
        {
            "kind": "unit",
            "row": {key: row[key] for key in MATCH if row.get(key)},
            "column": column,
            "was": row[column] or "",
            "now": "7" if column == "ma" else "no",
        }
        for row in rows[:ROWS]
    ]
    for path, value in numbers(studio.pack.values.get("rules", {}), ("rules",)):
        change = {"kind": "toml", "file": "pack", "path": path, "was": value, "now": value + 1}
        found[f"Rules: {' '.join(path[1:])}"] = [change]
        break
    told = tomllib.loads(facts.read_text("utf-8")).get("phase", []) if facts.is_file() else []
    for phase in told[-1:]:
        found["Phases: the last segment taken out"] = [stanza(was=phase)]
        found["Phases: a segment confirmed"] = [stanza(now=phase)]
    return found


def stanza(**told: Any) -> Edit:
    return {"kind": "stanza", "file": "facts", "table": "phase", **told}


def numbers(table: Mapping[str, Any], path: tuple[str, ...]) -> Iterator[tuple[list[str], int]]:
    """The whole numbers in a table, and where they stand."""
    for key, value in table.items():
        if isinstance(value, Mapping):
            yield from numbers(value, (*path, key))
        elif type(value) is int:
            yield [*path, key], value


def table(studio: Studio, what: str, edits: list[Edit]) -> None:
    """Make an edit of a table, and take it back (but a segment of the phases)."""
    tell(what, [timed(studio, edits, whole=False)])
    if not what.startswith("Phases"):
        studio.turn(forth=False)
        settled(studio)


def timed(studio: Studio, edits: list[Edit], *, whole: bool) -> dict[str, tuple[float, float]]:
    """When what was shown, by the wall and by the processor. ``whole``: wait until all is judged."""
    before, begun, spent = studio.whole_audit, time.perf_counter(), time.process_time()
    found: dict[str, tuple[float, float]] = {}

    def note(moment: str) -> None:
        found.setdefault(moment, (time.perf_counter() - begun, time.process_time() - spent))

    refused = studio.edit(edits, "benchmark").refused
    assert not refused, refused
    note("answered")
    while studio.whole_audit is before:
        left = studio.state()["judging"]
        if not whole and left is not None and left["of"]:
            note("progress")
        if left is None and studio.whole_audit is before:
            raise SystemExit(f"nothing came of it: {studio.state()['problems']}")
        studio.wait(studio.revision, 0.05)
    note("shown")
    if whole:
        settled(studio)
        note("all done")
    return found


def tell(what: str, times: list[dict[str, tuple[float, float]]]) -> None:
    parts = []
    for moment in times[0]:
        wall = statistics.median(one[moment][0] for one in times)
        own = statistics.median(one[moment][1] for one in times)
        parts.append(f"{moment} {wall:.2f} s ({own:.2f})")
    print(f"{what}: {', '.join(parts)}", flush=True)


def settled(studio: Studio) -> None:
    """Wait until nothing is left to judge."""
    while studio.state()["judging"] is not None:
        studio.wait(studio.revision, 0.1)


if __name__ == "__main__":
    main(sys.argv[1:])
