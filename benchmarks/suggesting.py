"""How good the suggestions from a map picture are, on boards whose truth is known.

    python benchmarks/suggesting.py            # tables for docs/suggesting.md, a few minutes
    python benchmarks/suggesting.py --time     # only how long a board of 7,500 hexes takes
    python benchmarks/suggesting.py --hexes    # only terrain of hexes
    python benchmarks/suggesting.py --naive    # only the naive way to compare with
    python benchmarks/suggesting.py --others   # only the maps in another style

Examples are drawn by lot; the boards reported on had no part in fitting the constants. Uses what the
studio uses (``Survey``), nothing else.
"""

from __future__ import annotations

import argparse
import time
from collections import Counter
from collections.abc import Iterable, Sequence
from itertools import pairwise

import baseline
import drawn_boards as drawn
from boards import REPORTED_ON, TUNED_ON, Board, boards, folder
from longest_day import longest_day
from moscow import moscow
from showing import kinds_of_sides, shown_hexes, shown_sides
from vassal_umpire.plugin.suggest.confidence import Confidence, Suggestion
from vassal_umpire.plugin.suggest.survey import Survey

SEEDS = range(100, 105)
FEWER = range(100, 102)
"""Draws on a large board."""
BINS = (0.0, 0.5, 0.8, 0.9, 0.95, 0.98, 0.99, 0.995, 0.999, 1.0)

Answer = tuple[Suggestion, str | None]
"""A suggestion and the truth."""


def share(part: int, whole: int) -> str:
    """A percentage, or a dash."""
    return f"{100 * part / whole:.1f} %" if whole else "–"


def fine(part: int, whole: int) -> str:
    """A small percentage with its counts."""
    return f"{100 * part / whole:.2f} % ({part} of {whole})" if whole else "–"


def is_sure(answer: Answer) -> bool:
    """Whether the suggestion is called sure."""
    return answer[0].confidence is Confidence.SURE


def is_right(answer: Answer) -> bool:
    """Whether the suggestion is the truth."""
    return answer[0].kind == answer[1]


def hex_answers(
    board: Board, number: int, seed: int, without: str | None = None, *, each_look: bool = False
) -> list[Answer]:
    """The suggestions for hexes nobody showed; with ``without``: for the hexes of that kind."""
    shown = shown_hexes(board, number, seed, without, each_look=each_look)
    if len(set(shown.values())) < 2:
        return []
    return [
        (answer, board.hexes[name])
        for name, answer in board.survey.hexes(shown).items()
        if name in board.hexes and (without is None or board.hexes[name] == without)
    ]


def side_answers(
    board: Board, number: int, seed: int, without: str | None = None, *, lines: bool
) -> list[Answer]:
    """The same for sides."""
    truth = board.across if lines else board.along
    shown = shown_sides(board, lines=lines, number=number, seed=seed, without=without)
    ask = board.survey.lines if lines else board.survey.features
    return [
        (answer, truth[side])
        for side, answer in ask(shown).items()
        if side in truth and (without is None or truth[side] == without)
    ]


def hex_row(title: str, shown: Sequence[Answer], left_out: Sequence[Answer]) -> str:
    """One line of a table."""
    sure = [each for each in shown if is_sure(each)]
    unlike = sum(each[0].confidence is Confidence.UNLIKE for each in left_out)
    return (
        f"| {title} | {share(sum(map(is_right, shown)), len(shown))} | {share(len(sure), len(shown))} "
        f"| {fine(sum(not is_right(each) for each in sure), len(sure))} "
        f"| {fine(sum(map(is_sure, left_out)), len(left_out))} | {share(unlike, len(left_out))} |"
    )


def side_row(title: str, shown: Sequence[Answer], left_out: Sequence[Answer]) -> str:
    """One line of a table."""
    there = [each for each in shown if each[1] is not None]
    said = [each for each in shown if is_sure(each) and each[0].kind is not None]
    empty = [each for each in shown if is_sure(each) and each[0].kind is None]
    found = sum(is_right(each) for each in said)
    called = sum(is_sure(each) and each[0].kind is not None for each in left_out)
    missed = sum(is_sure(each) and each[0].kind is None for each in left_out)
    return (
        f"| {title} | {share(found, len(there))} of {len(there)} "
        f"| {fine(len(said) - found, len(said))} "
        f"| {share(sum(map(is_right, empty)), len(shown) - len(there))} "
        f"| {fine(sum(not is_right(each) for each in empty), len(empty))} "
        f"| {fine(called, len(left_out))} | {share(missed, len(left_out))} |"
    )


HEX_HEAD = (
    "| {} | right | called sure | wrong among the sure | a kind not shown, called sure | called unlike |\n"
    "|---|---|---|---|---|---|"
)
SIDE_HEAD = (
    "| {} | true ones found and sure | wrong among these sure | nothing there, and sure "
    "| wrong among these | a kind not shown, called another, sure | called nothing, sure |\n"
    "|---|---|---|---|---|---|---|"
)


def tell_hexes(chosen: list[Board], seeds: Sequence[int]) -> None:
    """The tables of hexes."""
    print("\n## Hexes\n\n" + HEX_HEAD.format("examples"))
    kept: dict[str, tuple[list[Answer], list[Answer]]] = {}
    everything: list[Answer] = []
    asked = [(1, False), (3, False), (5, False)]
    if any(board.looks != board.hexes for board in chosen):
        asked.append((3, True))
    for number, each_look in asked:
        for scan in (False, True):
            shown: list[Answer] = []
            left_out: list[Answer] = []
            for board in (each for each in chosen if each.scan is scan):
                mine = [
                    a for s in seeds for a in hex_answers(board, number, s, each_look=each_look)
                ]
                out = [
                    answer
                    for seed in seeds
                    for kind in board.kinds
                    for answer in hex_answers(board, number, seed, kind, each_look=each_look)
                ]
                shown += mine
                left_out += out
                if number == 3 and not each_look:
                    kept[board.title] = (mine, out)
                    everything += mine
            look = " of each look" if each_look else ""
            if not shown:
                continue
            print(hex_row(f"{number}{look}, {'scan' if scan else 'clean'}", shown, left_out))
    print("\n" + HEX_HEAD.format("board, 3 examples"))
    for title, (shown, left_out) in kept.items():
        print(hex_row(title, shown, left_out))
    tell_calibration(everything)
    wrong = Counter(
        (truth, answer.kind)
        for answer, truth in everything
        if is_sure((answer, truth)) and answer.kind != truth
    )
    for (truth, kind), count in wrong.most_common(6):
        print(f"- {truth}, called {kind} and sure: {count}")


def tell_calibration(answers: Iterable[Answer]) -> None:
    """What was right of what was given a chance."""
    print("\n| chance given | suggestions | right |\n|---|---|---|")
    given = list(answers)
    for low, high in pairwise(BINS):
        mine = [a for a in given if low <= a[0].chance and (a[0].chance < high or high == 1.0)]
        print(
            f"| {low:.3f} to {high:.3f} | {len(mine)} | {share(sum(map(is_right, mine)), len(mine))} |"
        )


def tell_sides(chosen: list[Board], seeds: Sequence[int], *, lines: bool) -> None:
    """The tables of sides."""
    print(f"\n## {'Roads across sides' if lines else 'Features along sides'}\n")
    print(SIDE_HEAD.format("examples"))
    kept: dict[str, tuple[list[Answer], list[Answer]]] = {}
    for number in (1, 3, 5):
        for scan in (False, True):
            shown: list[Answer] = []
            left_out: list[Answer] = []
            for board in (each for each in chosen if each.scan is scan):
                there = kinds_of_sides(board.across if lines else board.along)
                mine = [a for s in seeds for a in side_answers(board, number, s, lines=lines)]
                out = [
                    answer
                    for seed in seeds
                    for kind in there
                    for answer in side_answers(board, number, seed, kind, lines=lines)
                ]
                shown += mine
                left_out += out
                if number == 3 and mine:
                    kept[board.title] = (mine, out)
            if shown:
                print(side_row(f"{number}, {'scan' if scan else 'clean'}", shown, left_out))
    print("\n" + SIDE_HEAD.format("board, 3 examples"))
    for title, (shown, left_out) in kept.items():
        print(side_row(title, shown, left_out))


def tell_naive(chosen: list[Board]) -> None:
    """The naive way on the same hexes with the same examples, its bounds fitted to the other boards."""
    fit = list(boards(TUNED_ON))
    print("\n## The naive way: the nearest example by its histogram of colours\n")
    print(HEX_HEAD.format("3 examples").replace(" called unlike |", "").removesuffix("---|"))
    bounds = baseline.fitted(*baseline.asked(fit, 3, SEEDS))
    for scan in (False, True):
        mine = [board for board in chosen if board.scan is scan]
        shown, left = baseline.asked(mine, 3, SEEDS)
        sure = shown.sure(bounds)
        count = len(shown.right)
        print(
            f"| {'scan' if scan else 'clean'} | {share(int(shown.right.sum()), count)} "
            f"| {share(int(sure.sum()), count)} "
            f"| {fine(int((sure & ~shown.right).sum()), int(sure.sum()))} "
            f"| {fine(int(left.sure(bounds).sum()), len(left.right))} |"
        )
    print(f"\nbounds: ratio {bounds[0]:.2f}, distance {bounds[1]:.2f}")


def tell(chosen: list[Board], seeds: Sequence[int] = SEEDS) -> None:
    """All tables."""
    tell_hexes(chosen, seeds)
    tell_sides(chosen, seeds, lines=False)
    tell_sides(chosen, seeds, lines=True)


def tell_time() -> None:
    """How long the first suggestions and the next take on a drawn board of 7,500 hexes."""
    board = drawn.board(columns=100, rows=75, side=30.0, seed=1)
    survey = Survey(board.picture, board.cells)
    start = time.process_time()
    survey.hexes(drawn.shown(board.terrain, 3))
    first = time.process_time()
    along = {side: kind for side, kind in drawn.shown(board.along, 3).items() if kind}
    empty = {side: None for side in survey.offered(lines=False) if board.along[side] is None}
    survey.features(along | empty)
    features = time.process_time()
    across = {side: kind for side, kind in drawn.shown(board.across, 3).items() if kind}
    empty = {side: None for side in survey.offered(lines=True) if board.across[side] is None}
    survey.lines(across | empty)
    lines = time.process_time()
    survey.hexes(drawn.shown(board.terrain, 5))
    again = time.process_time()
    height, width = board.picture.shape[:2]
    print(
        f"\n## Time\n\n{len(board.cells.names)} hexes, {width} × {height} pixels, seconds of one core:"
    )
    print(f"hexes {first - start:.1f}, features along sides {features - first:.1f}, ", end="")
    print(f"lines {lines - features:.1f}; hexes again with other examples {again - lines:.1f}")


def main() -> None:
    """All tables, or what is asked for."""
    reader = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    reader.add_argument("--time", action="store_true", help="only the time")
    reader.add_argument("--tuned", action="store_true", help="the boards of the fit instead")
    reader.add_argument("--hexes", action="store_true", help="only terrain of hexes")
    reader.add_argument("--others", action="store_true", help="only the maps in another style")
    reader.add_argument("--naive", action="store_true", help="only the naive way")
    asked = reader.parse_args()
    if asked.naive:
        tell_naive(list(boards(REPORTED_ON)))
        return
    if asked.others:
        tell_others()
        return
    if not asked.hexes:
        tell_time()
    if asked.time:
        return
    chosen = list(boards(TUNED_ON if asked.tuned else REPORTED_ON))
    if asked.hexes:
        tell_hexes(chosen, SEEDS)
        return
    tell(chosen)
    tell_naive(chosen)
    tell_others()


def tell_others() -> None:
    """The maps in another style."""
    where = folder()
    for name, read, seeds in (
        ("Battle for Moscow", moscow, SEEDS),
        ("The Longest Day", longest_day, FEWER),
    ):
        board = read(where.parent) if where else None
        if board is None:
            print(f"\nskipped: {name} is not on this machine")
        else:
            print(f"\n# {name}")
            tell([board], seeds)


if __name__ == "__main__":
    main()
