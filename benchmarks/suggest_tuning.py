"""Fits the constants of the suggestions to some boards and writes ``plugin/suggest/tuned.json``.

    python benchmarks/suggest_tuning.py            # all of it
    python benchmarks/suggest_tuning.py hexes      # one of hexes, along, across; the others stay
    python benchmarks/suggest_tuning.py --across-boards   # hexes: each board judged by a fit to the others

Each trial shows 1, 3 or 5 examples of each kind and asks whether the suggestion is right; in further
trials one kind is not shown, so that nothing suggested for it is right. Of a logistic curve over the
clues the threshold for "sure" is the lowest that keeps, at 3 examples, the wrong among the sure within
``wrong`` and the share called sure of a kind not shown within ``left_out`` (``Bounds``). Hexes are also
asked on further bad scans of the same boards, made here (``degraded``), and for maps with much printed over
their terrain also on the boards with such print drawn on them (``printed``).
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterable
from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt
from boards import TUNED_ON, Board, boards, degraded, printed
from showing import kinds_of_sides, shown_hexes, shown_sides
from vassal_umpire.plugin.suggest.cells import Floats
from vassal_umpire.plugin.suggest.confidence import TUNED, Model
from vassal_umpire.plugin.suggest.hexes import hex_clues
from vassal_umpire.plugin.suggest.strips import NOTHING, measured, nothing_clues, side_clues
from vassal_umpire.plugin.suggest.survey import judged_sides

EXAMPLES = (1, 3, 5)
SEEDS = range(4)
COPIES = (1, 2)
ROUNDS = 3
WEIGHT_OF_RULE = 10.0
NEVER = 1e6


@dataclass(frozen=True, slots=True)
class Bounds:
    """How much may be wrong among the sure, and sure of a kind not shown, on the boards of the fit."""

    wrong: float
    left_out: float


WITHIN = Bounds(0.002, 0.004)
OF_FEATURES = Bounds(0.001, 0.004)
"""Features along sides go wrong sooner on a board that had no part in the fit."""


@dataclass
class Trials:
    """Clues with what became of them."""

    bounds: Bounds
    clues: list[Floats] = field(default_factory=list)
    right: list[npt.NDArray[np.bool_]] = field(default_factory=list)
    left_out: list[npt.NDArray[np.bool_]] = field(default_factory=list)
    three: list[npt.NDArray[np.bool_]] = field(default_factory=list)

    def add(self, clues: Floats, right: list[bool], *, left_out: bool, number: int) -> None:
        self.clues.append(clues)
        self.right.append(np.array(right, dtype=np.bool_))
        self.left_out.append(np.full(len(right), left_out))
        self.three.append(np.full(len(right), number == 3))

    def extend(self, other: Trials) -> None:
        self.clues += other.clues
        self.right += other.right
        self.left_out += other.left_out
        self.three += other.three

    def told(self, tuned: Model) -> str:
        """How a curve does at 3 examples, the further rules of ``Survey`` aside."""
        right, left_out, three = map(np.concatenate, (self.right, self.left_out, self.three))
        sure = tuned.logits(np.concatenate(self.clues)) >= tuned.sure
        shown, rest = three & ~left_out, three & left_out
        return (
            f"{100 * (sure & shown).sum() / shown.sum():.1f} % sure, {(sure & shown & ~right).sum()} wrong, "
            f"{100 * (sure & rest).sum() / max(1, rest.sum()):.2f} % sure of a kind not shown"
        )

    def model(self, unlike: float | None) -> Model:
        """The curve; ``unlike``: the share of right suggestions below the other threshold, None: 0."""
        clues, right = np.concatenate(self.clues).astype(float), np.concatenate(self.right)
        left_out, three = np.concatenate(self.left_out), np.concatenate(self.three)
        mean, spread = clues.mean(axis=0), clues.std(axis=0) + 1e-6
        fitted = Model(mean, spread, _fit(clues, right, mean, spread), NEVER, -NEVER)
        logits = fitted.logits(clues)
        good = logits[right & ~left_out & three]
        low = -NEVER if unlike is None else float(np.quantile(good, unlike))
        sure = _threshold(logits[three], right[three], left_out[three], self.bounds)
        return Model(mean, spread, fitted.weights, max(sure, low), low)


def _fit(
    clues: Floats, right: npt.NDArray[np.bool_], mean: Floats, spread: Floats
) -> npt.NDArray[np.float64]:
    """Weights of the logistic curve (Newton's way, ridge), the constant first."""
    scaled = np.clip((clues - mean) / spread, -4.0, 4.0)
    table = np.concatenate([np.ones((len(scaled), 1)), scaled], axis=1)
    ridge = np.eye(table.shape[1]) * WEIGHT_OF_RULE
    ridge[0, 0] = 1e-6
    weights = np.zeros(table.shape[1])
    for _ in range(25):
        chance = 1 / (1 + np.exp(-np.clip(table @ weights, -30, 30)))
        slope = table.T @ (right - chance) - ridge @ weights
        curve = (table * (chance * (1 - chance))[:, None]).T @ table + ridge
        step = np.linalg.solve(curve, slope)
        weights += step
        if np.abs(step).max() < 1e-5:
            break
    return weights


def _threshold(
    logits: Floats,
    right: npt.NDArray[np.bool_],
    left_out: npt.NDArray[np.bool_],
    within: Bounds,
) -> float:
    for bound in np.linspace(-2.0, 10.0, 601):
        sure = logits >= bound
        shown = sure & ~left_out
        wrong = (shown & ~right).sum() <= within.wrong * max(1, shown.sum())
        if wrong and (sure & left_out).sum() <= within.left_out * max(1, left_out.sum()):
            return float(bound)
    raise SystemExit("no threshold keeps the errors within bounds")


def hexes_model(trials: Iterable[Trials]) -> Model:
    """For terrain of hexes."""
    together = Trials(WITHIN)
    for each in trials:
        together.extend(each)
    return together.model(unlike=0.01)


def hexes_trials(board: Board) -> Trials:
    """What is asked on one board."""
    trials = Trials(WITHIN)
    for number in EXAMPLES:
        for seed in SEEDS:
            shown = shown_hexes(board, number, seed, None)
            _hexes_trial(board, shown, None, number, trials)
            for kind in board.kinds:
                rest = {name: other for name, other in shown.items() if other != kind}
                _hexes_trial(board, rest, kind, number, trials)
    return trials


def across_boards(asked: list[tuple[Board, Trials]]) -> None:
    """Tells how hexes do on each board of the fit when it has no part in it (3 examples)."""
    for name in TUNED_ON:
        tuned = hexes_model(trials for board, trials in asked if board.name != name)
        for board, trials in asked:
            if board.name == name:
                print(f"{board.title}: {trials.told(tuned)}")


def _hexes_trial(
    board: Board, shown: dict[str, str], without: str | None, number: int, trials: Trials
) -> None:
    """One trial; ``without``: the kind that is not shown and asked for, so nothing is right."""
    place = board.survey.cells.place
    kinds = sorted(set(shown.values()))
    if len(kinds) < 2:
        return
    labels = {place[name]: kinds.index(kind) for name, kind in shown.items()}
    best, clues = hex_clues(board.survey.hex_patches, labels, len(kinds))
    asked = [
        name
        for name, kind in board.hexes.items()
        if name not in shown and (without is None or kind == without)
    ]
    right = [without is None and kinds[best[place[name]]] == board.hexes[name] for name in asked]
    rows = [place[name] for name in asked]
    trials.add(clues[rows], right, left_out=without is not None, number=number)


def sides_models(all_boards: list[Board], *, lines: bool) -> tuple[Model, Model]:
    """For what lies along or crosses sides, and for nothing being there."""
    tuned: Model | None = None
    for _ in range(ROUNDS - 1):
        tuned = _sides_round(all_boards, tuned, lines=lines)[0].model(unlike=None)
    found, empty = _sides_round(all_boards, tuned, lines=lines)
    return found.model(unlike=None), empty.model(unlike=0.002)


def _sides_round(
    all_boards: list[Board], tuned: Model | None, *, lines: bool
) -> tuple[Trials, Trials]:
    found, empty = Trials(WITHIN if lines else OF_FEATURES), Trials(WITHIN)
    for each in all_boards:
        truth = each.across if lines else each.along
        there = kinds_of_sides(truth)
        for number in EXAMPLES:
            for seed in SEEDS:
                for without in (None, *there):
                    kinds = [kind for kind in there if kind != without]
                    if kinds:
                        _sides_trial(
                            each, kinds, without, number, seed, tuned, found, empty, lines=lines
                        )
    return found, empty


def _sides_trial(
    board: Board,
    kinds: list[str],
    without: str | None,
    number: int,
    seed: int,
    tuned: Model | None,
    found: Trials,
    empty: Trials,
    *,
    lines: bool,
) -> None:
    truth = board.across if lines else board.along
    place = board.survey.cells.side_place
    shown = shown_sides(board, lines=lines, number=number, seed=seed, without=without)
    labels = {
        place[side]: NOTHING if kind is None else 1 + kinds.index(kind)
        for side, kind in shown.items()
    }
    strip = board.survey.strips[1 if lines else 0]
    sides = [
        side
        for side, kind in truth.items()
        if side not in shown and (without is None or kind == without)
    ]
    rows = np.array([place[side] for side in sides])
    if tuned is None:
        far = measured(strip, labels, len(kinds) + 1)
        logits = np.zeros((len(strip.look), len(kinds)), dtype=np.float32)
        taught = [np.empty(0, dtype=np.intp)] * len(kinds)
    else:
        far, logits = judged_sides(strip, labels, len(kinds), tuned)
        first = [
            tuned.logits(side_clues(strip, far, labels, 1 + k, np.empty(0, dtype=np.intp)))
            for k in range(len(kinds))
        ]
        taught = [np.flatnonzero(line > 3.5) for line in first]
    left_out = without is not None
    for k, kind in enumerate(kinds):
        clues = side_clues(strip, far, labels, 1 + k, taught[k])
        right = [truth[side] == kind for side in sides]
        found.add(clues[rows], right, left_out=left_out, number=number)
    clues = nothing_clues(far, logits)
    right = [truth[side] is None for side in sides]
    empty.add(clues[rows], right, left_out=left_out, number=number)


def _told(each: Model) -> dict[str, float | list[float]]:
    lists = {
        key: [float(f"{value:.5g}") for value in getattr(each, key)]
        for key in ("mean", "spread", "weights")
    }
    return {"sure": round(each.sure, 3), "unlike": round(each.unlike, 3), **lists}


def main() -> None:
    """Fits and writes all of it, or one part."""
    reader = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    reader.add_argument("only", nargs="?", choices=("hexes", "along", "across"))
    reader.add_argument("--across-boards", action="store_true", help="judge hexes, write nothing")
    wanted = reader.parse_args()
    chosen = list(boards(TUNED_ON))
    models: dict[str, Model] = {}
    if wanted.across_boards or wanted.only in (None, "hexes"):
        copies = [degraded(each, seed) for each in chosen if not each.scan for seed in COPIES]
        asked = [(each, hexes_trials(each)) for each in chosen + copies]
        if wanted.across_boards:
            across_boards(asked)
            return
        models["hexes"] = hexes_model(trials for _, trials in asked)
        over = [
            (each, hexes_trials(each)) for each in (printed(b, 1) for b in chosen if not b.scan)
        ]
        models["hexes-printed"] = hexes_model(trials for _, trials in asked + over)
        for each, _ in asked + over:
            print(
                f"{each.title}: {100 * each.survey.hex_patches.inked:.0f} % of the hexes have ink"
            )
    for name, lines in (("along", False), ("across", True)):
        if wanted.only in (None, name):
            models[name], models[f"{name}-nothing"] = sides_models(chosen, lines=lines)
    kept = json.loads(TUNED.read_text("utf-8"))["models"] if wanted.only else {}
    told = kept | {name: _told(each) for name, each in models.items()}
    text = json.dumps({"fitted to": list(TUNED_ON), "models": told}, indent=1)
    TUNED.write_text(text + "\n", "utf-8")
    for name in models:
        print(f"{name}: sure from {told[name]['sure']}, unlike below {told[name]['unlike']}")


if __name__ == "__main__":
    main()
