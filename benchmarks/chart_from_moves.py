"""How many numbers of published charts the moves of adjudicated games pin, and how many of these are wrong.

    python benchmarks/chart_from_moves.py             # the games that the method was built on
    python benchmarks/chart_from_moves.py --untouched # games that were not looked at until it was done
    python benchmarks/chart_from_moves.py --human     # The Longest Day, which two people played
    python benchmarks/chart_from_moves.py --bound     # with what share may be wrong

Of each chart one number is told, a terrain that costs 1 MP; all others are asked for. Accuracy, not ratios,
so ``run.py`` leaves it out.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from random import Random

from adjudicated import Adjudicated, corpus, documents, engine, logs
from untouched import TITLES
from vassal_umpire.importers.vassal.limits import DEFAULT_LIMITS
from vassal_umpire.model.viewer import EVERYONE
from vassal_umpire.plugin.auditing import open_game, ruleset_for
from vassal_umpire.plugin.chart_from_moves import value_text
from vassal_umpire.plugin.looking.blind import bound
from vassal_umpire.plugin.reading import Named
from vassal_umpire.validators.chart_from_moves.asking import ask
from vassal_umpire.validators.chart_from_moves.fit import Fit, Trip
from vassal_umpire.validators.chart_from_moves.ground import NONE, PROHIBITED, SCALE
from vassal_umpire.validators.chart_from_moves.numbers import findings_of, text_of

ANCHOR = "clear"
SIZES, DRAWS = (500,), 2
"""Besides all moves, so many are drawn so many times. Of fewer than 300 nothing is pinned."""
PART, LOTS = 330, 4
"""For the bound, all moves are parted into so many (of which mostly 300 differ), so many times."""
COUNTED = ("numbers", "pinned", "wrong", "between", "missed", "none")


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--untouched", action="store_true")
    parser.add_argument("--human", action="store_true")
    parser.add_argument("--bound", action="store_true")
    arguments = parser.parse_args()
    if arguments.human:
        for forms in (True, False):
            human(forms=forms)
        return
    if arguments.untouched:
        root = engine()
        if root is None:
            sys.exit("not measured: UMPIRE_VSAV_ENGINE names no checkout of vsav-engine")
        games = [logs(title, root) for title in TITLES]
    else:
        folder = corpus()
        if folder is None:
            sys.exit("not measured: the corpus with second-adjudicator is not on this machine")
        games = [documents(folder / name, "foot") for name in ("chickamauga", "waterloo")]
    whole: Counter[str] = Counter()
    parts: Counter[str] = Counter()
    print(
        "| game | moves | numbers | pinned | of these wrong | between | of these missed | no evidence | s |"
    )
    print("|---|--:|--:|--:|--:|--:|--:|--:|--:|")
    for game in games:
        if not arguments.bound:
            for size in SIZES:
                print(
                    row(game, [Random(seed).sample(game.trips, size) for seed in range(DRAWS)])[0],
                    flush=True,
                )
        line, counts = row(game, [game.trips])
        print(line, flush=True)
        whole.update(counts)
        if arguments.bound:
            line, counts = row(game, list(parts_of(game.trips)))
            print(line, flush=True)
            parts.update(counts)
    for of, counts in (("all moves", whole), ("parts", parts)) if arguments.bound else ():
        most = bound(counts["wrong"], counts["pinned"])
        print(f"{of}: {counts['wrong']} of {counts['pinned']} wrong, at most {most:.1%} (95 %)")


def parts_of(trips: Sequence[Trip]) -> Iterator[Sequence[Trip]]:
    """All moves, parted by lot into parts of :data:`PART`, :data:`LOTS` times; what is over is left out."""
    for seed in range(LOTS):
        drawn = Random(seed).sample(trips, len(trips))
        yield from (drawn[n : n + PART] for n in range(0, len(drawn) - PART + 1, PART))


def human(*, forms: bool) -> None:
    """Ask the moves of The Longest Day for all costs but that of clear ground, and print what they say.
    ``forms``: with what the pack says of strategic road movement."""
    folder = corpus()
    if folder is None or not (folder.parent / "tld").is_dir():
        sys.exit("not measured: the corpus with The Longest Day is not on this machine")
    tld, own = folder.parent / "tld", Path(__file__).parents[1] / "samples" / "the-longest-day"
    named = Named(
        tuple(sorted((tld / "game").glob("*.log"))),
        next(tld.glob("*.vmod")),
        own / "pack",
        own / "facts.toml",
    )
    game = open_game(named, EVERYONE, DEFAULT_LIMITS).game
    ruleset = ruleset_for(game, None)[0]
    tables = game.rules.tables
    blank = dict(tables)
    costs = tables["terrain"]["costs"]
    blank["terrain"] = {"costs": dict.fromkeys(costs, "unknown") | {ANCHOR: costs[ANCHOR]}}
    if not forms:  # as if nobody had moved by strategic road movement, which doubles the allowance
        blank["allowance"] = {**tables["allowance"], "modifiers": []}
    for chart in ("hexsides", "roads"):
        blank[chart] = {name: {**row, "cost": "unknown"} for name, row in tables[chart].items()}
    begun = time.process_time()
    asked = ask(replace(game, rules=replace(game.rules, tables=blank)), ruleset, blank)
    seconds = time.process_time() - begun
    print("| class | moves | not explained | number | published | the moves say | |")
    print("|---|--:|--:|---|---|---|---|")
    for of in asked.classes:
        for one in of.findings:
            chart, name = one.number
            row = costs[name] if chart == "terrain" else tables[chart][name]["cost"]
            truth = row.get(of.cls, row) if isinstance(row, dict) else row
            told = f"{chart} {name} | {truth} | {value_text(one)} | {one.withheld}"
            print(f"| {of.cls} | {of.moves} | {len(of.unexplained)} | {told} |")
    print(f"{seconds:.1f} s; left out: {dict(asked.left_out)}; not asked: {dict(asked.not_asked)}")


def row(game: Adjudicated, draws: Sequence[Sequence[Trip]]) -> tuple[str, Counter[str]]:
    """One line of the table, and what it counts: of several draws the sums."""
    counts: Counter[str] = Counter()
    begun = time.process_time()
    for trips in draws:
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
                    print(
                        f"{game.name}, {len(trips):,} moves, {one.number}: {told}", file=sys.stderr
                    )
            else:
                counts["between"] += 1
                most = one.high if one.high not in (PROHIBITED, NONE) else 10**6
                counts["missed"] += not one.low <= (truth if truth >= 0 else 10**6) <= most
    cells = " | ".join(str(counts[key]) for key in COUNTED)
    seconds = (time.process_time() - begun) / len(draws)
    return f"| {game.name} | {len(draws[0]):,} | {cells} | {seconds:.1f} |", counts


if __name__ == "__main__":
    main()
