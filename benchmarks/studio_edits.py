"""How long it takes until the studio shows what an edit of one cell changes.

    python benchmarks/studio_edits.py [DIR LOG…]

Without arguments the sample Crossroads. Told in seconds by the wall: until the call is answered, until
verdicts
that know of the edit are shown, and until everything is judged (suspicions of what is only suggested, too).
"""

from __future__ import annotations

import shutil
import statistics
import sys
import tempfile
import time
from pathlib import Path

from vassal_umpire.importers.vassal.limits import DEFAULT_LIMITS
from vassal_umpire.model.eyes import EVERYONE
from vassal_umpire.plugin.auditing import read_evidence
from vassal_umpire.plugin.reading import Named
from vassal_umpire.plugin.studio.session import Studio

SAMPLE = Path(__file__).resolve().parents[1] / "samples" / "crossroads"
TIMES = 7


def main(arguments: list[str]) -> None:
    """Measure and print."""
    pack = Path(arguments[0]) if arguments else SAMPLE / "pack"
    named = [Path(one) for one in arguments[1:]] or sorted(SAMPLE.glob("*.vlog"))
    module = next((one for one in named if one.suffix in (".vmod", ".mod")), None)
    logs = tuple(one for one in named if one != module)
    with tempfile.TemporaryDirectory() as place:
        folder = Path(place) / "pack"
        shutil.copytree(pack, folder)
        evidence = read_evidence(Named(logs, module), DEFAULT_LIMITS)
        studio = Studio(folder, folder / "facts.toml", evidence, EVERYONE, DEFAULT_LIMITS)
        studio.who = "benchmark"
        begun = time.perf_counter()
        studio.start()
        settled(studio)
        print(f"opened: judged after {time.perf_counter() - begun:.1f} s")
        print(studio.state()["counts"])
        measure(studio)
        studio.close()


def measure(studio: Studio) -> None:
    """Paint a hex that a move went through to and fro."""
    assert studio.audit is not None
    assert studio.opened is not None
    hexes = [name for move in studio.audit.moves for name in move.path]
    board = studio.opened.game.board
    name = next((h for h in hexes if board.hexes[h].terrain), None) or hexes[0]
    told = board.hexes[name].terrain
    was = "+".join(told) if told else "?"
    answers, shown, done = [], [], []
    for number in range(TIMES):
        old, new = (was, "?") if number % 2 == 0 else ("?", was)
        before = studio.whole_audit
        edit = {"kind": "hex", "hex": name, "layer": "terrain", "was": old, "now": new}
        begun = time.perf_counter()
        refused = studio.edit([edit], "benchmark").refused
        assert not refused, refused
        answers.append(time.perf_counter() - begun)
        while studio.whole_audit is before:
            studio.wait(studio.revision, 0.05)
        shown.append(time.perf_counter() - begun)
        settled(studio)
        done.append(time.perf_counter() - begun)
    for what, times in (("answered", answers), ("verdicts shown", shown), ("all done", done)):
        print(f"{what:15} median {statistics.median(times):.2f} s, most {max(times):.2f} s")


def settled(studio: Studio) -> None:
    """Wait until nothing is left to judge."""
    while studio.state()["judging"] is not None:
        studio.wait(studio.revision, 0.1)


if __name__ == "__main__":
    main(sys.argv[1:])
