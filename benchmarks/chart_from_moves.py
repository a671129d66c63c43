"""How many numbers of published charts the moves of adjudicated games pin, and how many of these are wrong.

    python benchmarks/chart_from_moves.py             # the games that the method was built on
    python benchmarks/chart_from_moves.py --untouched # games that were not looked at until it was done

Of each chart one number is told, a terrain that costs 1 MP; all others are asked for. Accuracy, not ratios,
so ``run.py`` leaves it out.
"""

from __future__ import annotations

import argparse
import sys
import time
from random import Random

from adjudicated import Adjudicated, corpus, documents, engine, logs
from untouched import TITLES
from vassal_umpire.validators.chart_from_moves.fit import Fit
from vassal_umpire.validators.chart_from_moves.ground import NONE, PROHIBITED, SCALE
from vassal_umpire.validators.chart_from_moves.numbers import findings_of, text_of

SIZES, DRAWS = (500,), 2
"""Besides all moves, so many are drawn so many times. Of fewer than 300 nothing is pinned."""


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--untouched", action="store_true")
    if parser.parse_args().untouched:
        root = engine()
        if root is None:
            sys.exit("not measured: UMPIRE_VSAV_ENGINE names no checkout of vsav-engine")
        games = [logs(title, root) for title in TITLES]
    else:
        folder = corpus()
        if folder is None:
            sys.exit("not measured: the corpus with second-adjudicator is not on this machine")
        games = [documents(folder / name, "foot") for name in ("chickamauga", "waterloo")]
    print(
        "| game | moves | numbers | pinned | of these wrong | between | of these missed | no evidence | s |"
    )
    print("|---|--:|--:|--:|--:|--:|--:|--:|--:|")
    for game in games:
        for size in (*SIZES, len(game.trips)):
            print(row(game, size), flush=True)


def row(game: Adjudicated, size: int) -> str:
    """One line of the table: of several draws the sums."""
    counts = dict.fromkeys(("numbers", "pinned", "wrong", "between", "missed", "none"), 0)
    begun = time.process_time()
    draws = 1 if size >= len(game.trips) else DRAWS
    for seed in range(draws):
        trips = game.trips if draws == 1 else Random(seed).sample(game.trips, size)
        wanted = [number for number in game.ground.numbers if number != game.anchor]
        fit = Fit(game.ground, trips, {game.anchor: SCALE}, wanted)
        for one in findings_of("", fit).findings:
            truth = game.truth[one.number]
            counts["numbers"] += 1
            if one.low is None or one.high is None:
                counts["none"] += 1
            elif one.is_pinned:
                counts["pinned"] += 1
                counts["wrong"] += one.low != truth
                if one.low != truth:
                    told = f"{text_of(one.low)} instead of {text_of(truth)}"
                    print(f"{game.name}, {size:,} moves, {one.number}: {told}", file=sys.stderr)
            else:
                counts["between"] += 1
                most = one.high if one.high not in (PROHIBITED, NONE) else 10**6
                counts["missed"] += not one.low <= (truth if truth >= 0 else 10**6) <= most
    cells = " | ".join(str(count) for count in counts.values())
    seconds = (time.process_time() - begun) / draws
    return f"| {game.name} | {size:,} | {cells} | {seconds:.1f} |"


if __name__ == "__main__":
    main()
