"""Judging moves with every ruleset, against a bare integer A* on the same graph in the same run.

For each ruleset that has a :class:`Trial`: on the board of its sample, and on boards of the same ground
laid out over and over. What is asked: a legal verdict takes at most 15 times the bare search, also where
the board is seen for the first time, an illegal one with its explanation at most 20 times a legal one, and
the cost of both at a fixed allowance does not grow with the board.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from time import process_time

import bare
from clock import Ratio, ratio, show
from fields import Field, judged, laid_out, make_field, sample_game
from vassal_umpire.model.fact import Value
from vassal_umpire.model.game import Game
from vassal_umpire.validators.ruleset import Circumstances, RulesInForce
from vassal_umpire.validators.situation import Situation

MOVES, TRIES = 40, 160
SMALL, LARGE, LARGEST = 1_000, 5_000, 20_000
LEGAL, ILLEGAL, FLAT = 15, 20, 1.3
RUNS = 5


@dataclass(frozen=True)
class Trial:
    """What is judged with a ruleset. ``like``: units of its sample by name; the movers are of their
    kind. ``ample`` and ``scant``: attributes with which such a unit gets ``reach`` hexes far, and does
    not get there. ``phase``: the phase it moves in. ``form``: of several forms of movement
    open to it the one whose steps the bare search takes; else those of the first."""

    ruleset: str
    like: tuple[str, ...]
    ample: Mapping[str, Value]
    scant: Mapping[str, Value]
    phase: str = "Movement"
    reach: int = 8
    form: str = ""


TRIALS = (
    Trial(
        "ocs", like=("West 11 Inf", "West 7 Mot", "West 5 Tank"), ample={"ma": 30}, scant={"ma": 3}
    ),
    Trial(
        "zoc-classes",
        like=("North 11 Inf", "North 3 Mtn", "North 7 Mot"),
        ample={"ma": 40},
        scant={"ma": 3},
        phase="Initial",
    ),
    Trial(
        "tide-of-iron",
        like=("Olive Able", "Olive Lorry 2", "Olive Tank 1"),
        ample={"ma": 30},
        scant={"ma": 2},
        phase="Action",
    ),
    # MPs of infantry depend on its class alone. Vehicles are left out: the bare search knows no facing.
    Trial(
        "valor-and-victory",
        like=("Khaki Able",),
        ample={"class": "leader"},
        scant={"assault": True},
        reach=5,
    ),
    Trial(
        "wacht-am-rhein",
        like=("German 10 Gren", "German 4 Pz", "German 2 Tiger"),
        ample={"ma": 30},
        scant={"ma": 3},
        form="tactical",
    ),
)


def field(
    trial: Trial, like: str, hexes: int | None, verdict: str, among: int | None = None
) -> Field:
    """Moves that are called ``verdict``, on the sample board (``hexes`` None) or on one of that size.

    ``among``: all in the part of it that a smaller board of that size has too.
    """
    game = sample_game(trial.ruleset)
    board = game.board if hexes is None else laid_out(game.board, hexes)
    more = trial.ample if verdict == "legal" else trial.scant
    reach = trial.reach if hexes is not None else min(trial.reach, 6)
    part = None if among is None else laid_out(game.board, among)
    made = make_field(game, board, like, more, trial.phase, reach, TRIES, part, trial.form)
    found = made.only(verdict, MOVES)
    assert len(found.moves) >= MOVES // 4, f"{like}: {len(found.moves)} of {TRIES} moves {verdict}"
    return found


def judge(found: Field, verdict: str) -> Callable[[], None]:
    """Judge every move."""
    game, situation, rules = found.game, found.situation(), found.in_force()

    def work() -> None:
        for move in found.moves:
            assert judged(move, situation, rules, game) == verdict

    return work


def first_visit(found: Field, verdict: str, times: int) -> Callable[[], None]:
    """Judge every move by rules that have looked at no hex of the board yet; so often it can be done. What is
    made of the board as a whole (the least that a step can cost) has been made before."""
    ready = [_prepared(found) for _ in range(times)]

    def work() -> None:
        game, situation, rules = ready.pop()
        for move in found.moves:
            assert judged(move, situation, rules, game) == verdict

    return work


def _prepared(found: Field) -> tuple[Game, Situation, RulesInForce]:
    fresh = replace(found, game=replace(found.game, board=replace(found.game.board)))
    rules, situation, move = fresh.in_force(), fresh.situation(), fresh.moves[0]
    forms = fresh.game.phases[move.phase.phase or ""].forms or ("",)
    around = Circumstances(situation, move.units, forms, move=move)
    for scenario in rules.scenarios(move.units[0], around):
        for mover in scenario.movers:
            mover.graph("favourable")
    return fresh.game, situation, rules


def search(found: Field) -> Callable[[], None]:
    """The bare search for the same ways."""

    def work() -> None:
        for start, goal in found.path_queries:
            bare.a_star(found.neighbours, found.places, start, goal, found.least)

    return work


def verdicts(trial: Trial, like: str, hexes: int | None) -> list[Ratio]:
    """A legal verdict against the bare search, known ground and not, an illegal one against a legal one."""
    legal, illegal = field(trial, like, hexes, "legal"), field(trial, like, hexes, "illegal")
    where = f"{like}, {'sample board' if hexes is None else f'{legal.hexes:,} hexes'}"
    share = len(legal.moves) / len(illegal.moves)
    return [
        ratio(f"legal: {where}", judge(legal, "legal"), "integer A* alone", search(legal), aim=LEGAL,
              clock=process_time),
        ratio(f"first visit: {where}", first_visit(legal, "legal", RUNS + 1), "integer A* alone",
              search(legal), aim=LEGAL, runs=RUNS, clock=process_time),
        ratio(f"illegal: {where}", judge(illegal, "illegal"), "as many legal verdicts",
              judge(legal, "legal"), aim=ILLEGAL, weigh=share, clock=process_time),
    ]  # fmt: skip


def growth(trial: Trial, like: str, verdict: str) -> Ratio:
    """The same moves on the largest board, against them on the small one that is a part of it."""
    small = field(trial, like, SMALL, verdict)
    large = field(trial, like, LARGEST, verdict, among=SMALL)
    return ratio(
        f"{verdict}: {like}, {large.hexes:,} hexes",
        judge(large, verdict),
        f"{small.hexes:,} hexes",
        judge(small, verdict),
        aim=FLAT,
        weigh=len(small.moves) / len(large.moves),
        clock=process_time,
    )


def main(names: list[str]) -> None:
    for trial in TRIALS:
        if names and trial.ruleset not in names:
            continue
        rows = [
            row
            for like in trial.like
            for hexes in (None, LARGE)
            for row in verdicts(trial, like, hexes)
        ]
        show(f"{trial.ruleset}: verdicts, {trial.reach} hexes", rows)
        rows = [
            growth(trial, like, verdict) for like in trial.like for verdict in ("legal", "illegal")
        ]
        show(f"{trial.ruleset}: verdicts on a board twenty times as large", rows)


if __name__ == "__main__":
    main(sys.argv[1:])
