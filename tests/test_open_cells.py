"""Cells of the board that are not known: what is said without them holds however they turn out.

Of every case a few cells become open, as the board's exceptions say it (a bridge that may be there, a hex
with or without a fort, a step of a road, a terrain, a level). What is then illegal, and what is legal, must
be so again on every board those cells may turn out to be. ``UMPIRE_SEED`` repeats a run.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cache

import pytest
from cases import RULESETS, cases, draw, outcome_with
from tiers import SEED, by_tier
from vassal_umpire.importers.cases.case import Case
from vassal_umpire.model.board import LAYERS, NONE, Board, Edge, Exceptions, Hex, Line, Names, edge
from vassal_umpire.model.fact import UNKNOWN
from vassal_umpire.model.game import Game
from vassal_umpire.plugin.conformance import Outcome

SHARE = by_tier(3, ci=5, proof=10_000)
"""Cases of each ruleset."""
OPENINGS, COMPLETIONS = by_tier((1, 2), ci=(3, 4), proof=(6, 5))
NOT_NAMES = ("unknown", "?")


@dataclass(frozen=True)
class Words:
    """The names that occur in the cases of a ruleset, by layer."""

    terrain: tuple[str, ...]
    features: tuple[str, ...]
    sides: tuple[str, ...]
    lines: tuple[str, ...]


@cache
def words_of(ruleset: str) -> Words:
    layers = ("terrain", "features", "sides", "lines")
    found: dict[str, set[str]] = {layer: set() for layer in layers}
    for case in cases(ruleset).values():
        board, tables = case.game.board, case.game.rules.tables
        for here in board.hexes.values():
            found["terrain"].update(here.terrain or ())
            found["features"].update(here.features)
        for names in board.sides.values():
            found["sides"].update(names)
        found["lines"].update(line.kind for line in board.lines)
        for chart, into in (("terrain", "terrain"), ("hexsides", "sides"), ("roads", "lines")):
            rows = tables.get(chart)
            found[into].update(rows if isinstance(rows, dict) else ())
    kept = {
        layer: tuple(sorted(n for n in names if not any(no in n for no in NOT_NAMES)))
        for layer, names in found.items()
    }
    return Words(**kept)


class Opener:
    """A board some cells of which become open, one after the other."""

    def __init__(self, board: Board, words: Words, rng: random.Random) -> None:
        self.rng, self.words = rng, words
        self.hexes = dict(board.hexes)
        self.sides = dict(board.sides)
        self.lines = list(board.lines)
        self.may_hex: dict[str, Names] = dict(board.exceptions.hexes)
        self.may_side: dict[Edge, Names] = dict(board.exceptions.sides)
        self.may_line: dict[Edge, Names] = dict(board.exceptions.lines)
        self.levels = set(board.exceptions.levels)
        self.board = board
        self.edges = sorted({edge(a, b) for a in board.hexes for b in board.neighbours(a)})

    def opened(self) -> Board:
        for _ in range(self.rng.choice((1, 1, 2, 3))):
            self.rng.choice(
                (self.feature, self.side, self.side, self.line, self.line, self.level)
            )()
        exceptions = Exceptions(self.may_hex, self.may_side, self.may_line, frozenset(self.levels))
        return replace(
            self.board,
            hexes=self.hexes,
            sides=self.sides,
            lines=tuple(self.lines),
            exceptions=exceptions,
        )

    def _names(
        self, names: tuple[str, ...], held: tuple[str, ...]
    ) -> tuple[Names, tuple[str, ...]]:
        """What may be there besides what stays certain; and that."""
        if self.rng.random() < 0.2:
            return None, tuple(n for n in held if self.rng.random() < 0.5)
        lost = {n for n in held if self.rng.random() < 0.5}
        more = {self.rng.choice(names)} if names and self.rng.random() < 0.6 else set[str]()
        return frozenset(lost | (more - {*held})), tuple(n for n in held if n not in lost)

    def feature(self) -> None:
        name = self.rng.choice(sorted(self.hexes))
        here = self.hexes[name]
        may, kept = self._names((*self.words.features, *self.words.terrain), here.features)
        if may is None and self.rng.random() < 0.5:
            self.may_hex[name] = None
        elif may is None:
            self.hexes[name] = replace(here, terrain=None, features=kept)
        elif here.terrain is not None:
            may -= {*here.terrain}
            self.hexes[name], self.may_hex[name] = replace(here, features=kept), may

    def level(self) -> None:
        name = self.rng.choice(sorted(self.hexes))
        self.hexes[name] = replace(self.hexes[name], level=None)
        self.levels.add(name)

    def side(self) -> None:
        if not self.edges:
            return
        at = self.rng.choice(self.edges)
        may, kept = self._names(self.words.sides, self.sides.get(at, ()))
        self.sides[at] = kept
        self.may_side[at] = may

    def line(self) -> None:
        drawn = [line for line in self.lines if len(line.hexes) > 1]
        if drawn and self.rng.random() < 0.6:
            line = self.rng.choice(drawn)
            cut = self.rng.randrange(len(line.hexes) - 1)
            at = edge(*line.hexes[cut : cut + 2])
            number = self.lines.index(line)
            parts = (line.hexes[: cut + 1], line.hexes[cut + 1 :])
            self.lines[number : number + 1] = [replace(line, hexes=p) for p in parts if len(p) > 1]
            self._may_cross(at, frozenset({line.kind}))
        elif self.edges and self.words.lines:
            kind = self.rng.choice(self.words.lines)
            self._may_cross(self.rng.choice(self.edges), frozenset({kind}))

    def _may_cross(self, at: Edge, kinds: frozenset[str]) -> None:
        held = self.may_line.get(at, NONE)
        may_be_all = "lines" not in self.board.complete and at not in self.may_line
        self.may_line[at] = None if held is None or may_be_all else held | kinds


def completed(board: Board, before: Board, words: Words, rng: random.Random) -> Board:
    """One of the boards that an open one may turn out to be: nothing of it is open any more. ``before``:
    as it was; the steps of lines cut out of it are there again, or some of what may be there is."""

    def some(may: Names, names: tuple[str, ...]) -> tuple[str, ...]:
        if may is None:
            return tuple(rng.sample(names, min(len(names), rng.choice((0, 0, 1, 2)))))
        return tuple(name for name in sorted(may) if rng.random() < 0.5)

    hexes: dict[str, Hex] = {}
    for name, here in board.hexes.items():
        terrain, features, level = here.terrain, here.features, here.level
        if terrain is None:
            terrain = (rng.choice(words.terrain),) if words.terrain else None
            features = (*features, *some(None, words.features))
        else:
            features = (*features, *some(board.maybe_in(name), words.features))
        if level is None:
            level = rng.choice((0, 0, 1, 2))
        hexes[name] = replace(
            here, terrain=terrain, features=tuple(dict.fromkeys(features)), level=level
        )
    sides: dict[Edge, tuple[str, ...]] = {}
    again = rng.random() < 0.5
    lines = list(before.lines if again else board.lines)
    drawn_before = before.lines_by_edge if again else board.lines_by_edge
    for at in sorted({edge(a, b) for a in board.hexes for b in board.neighbours(a)}):
        held = board.sides.get(at, ())
        sides[at] = tuple(dict.fromkeys((*held, *some(board.maybe_on(at), words.sides))))
        drawn = {line.kind for line in drawn_before.get(at, ())}
        for kind in some(board.maybe_across(at), words.lines):
            if kind not in drawn:
                lines.append(Line(kind, at))
    return replace(
        board,
        hexes=hexes,
        sides={at: names for at, names in sides.items() if names},
        lines=tuple(lines),
        complete=frozenset(("terrain", "hexsides", "lines", "levels")),
        exceptions=Exceptions(),
    )


def verdicts(found: Outcome) -> list[str]:
    return [m.verdict if m.judged else "not-judged" for m in found.audit.moves]


def accused(found: Outcome) -> set[str]:
    return {
        f.kind
        for f in found.audit.findings
        if f.kind in ("illegal-move", "overstack", "missed-mp-cost")
    }


def differences(case: Case, seed: int) -> Iterator[str]:
    """Each verdict on a case with open cells that does not hold on one of the boards they may be."""
    rng, words = random.Random(f"{seed}/{case.id}"), words_of(case.ruleset)
    board = Opener(case.game.board, words, rng).opened()
    found = outcome_with(case, replace(case.game, board=board))
    said = verdicts(found)
    if not {"legal", "illegal"} & {*said, *(("illegal",) if accused(found) else ())}:
        return
    for _ in range(COMPLETIONS):
        whole = completed(board, case.game.board, words, rng)
        truth = outcome_with(case, replace(case.game, board=whole))
        real = verdicts(truth)
        for number, (one, other) in enumerate(zip(said, real, strict=True)):
            if one in ("legal", "illegal") and other in ("legal", "illegal") and one != other:
                said_why = [f.explanation for f in (*found.audit.findings, *truth.audit.findings)]
                yield (
                    f"{case.id} seed {seed} move {number + 1}: {one} with {board.exceptions}, {other} on "
                    f"{_news(board, whole)}: {said_why}"
                )
        if (
            accused(found) - accused(truth)
            and found.verdict == "illegal"
            and truth.verdict == "legal"
        ):
            yield f"{case.id} seed {seed}: accused of {accused(found)}, legal on {_news(board, whole)}"


def _news(board: Board, whole: Board) -> str:
    hexes = [
        f"{n}={h.terrain}{h.features}{h.level}"
        for n, h in whole.hexes.items()
        if h != board.hexes[n]
    ]
    sides = [f"{at}={names}" for at, names in whole.sides.items() if names != board.sides.get(at)]
    return (
        f"{hexes} {sides} {[(line.kind, line.hexes) for line in whole.lines[len(board.lines) :]]}"
    )


@pytest.mark.parametrize("name", sorted(RULESETS))
def test_what_is_said_with_open_cells_holds_on_every_board_they_may_be(name: str) -> None:
    wrong = [
        line
        for case in draw(name, random.Random(SEED), SHARE)
        for number in range(OPENINGS)
        for line in differences(case, SEED * 1000 + number)
    ]
    assert not wrong, "\n".join(wrong[:10])


# -- facts that are withheld: no case that is legal turns illegal, not one false accusation ---------


WITHHELD, TRIES = by_tier((5, 1), ci=(20, 1), proof=(10_000, 24))
"""Cases of each ruleset, and how often facts are withheld from each."""


def poorer(game: Game, rng: random.Random) -> Game:
    """``game`` with facts left out: terrain, layers of the board, attributes and sides of units,
    conditions."""
    share = rng.choice((0.1, 0.3, 0.6))

    def lost() -> bool:
        return rng.random() < share

    board = game.board
    hexes = {
        name: replace(here, terrain=None) if lost() else here for name, here in board.hexes.items()
    }
    complete = frozenset(layer for layer in LAYERS if layer in board.complete and not lost())
    if "terrain" in complete and any(here.terrain is None for here in hexes.values()):
        complete -= {"terrain"}
    lines, sides = board.lines, board.sides
    if "lines" not in complete:
        lines = tuple(line for line in lines if not lost())
    if "hexsides" not in complete:
        sides = {at: tuple(f for f in features if not lost()) for at, features in sides.items()}
    units = {}
    for name, unit in game.units.items():
        facts = {key: UNKNOWN if lost() else fact for key, fact in unit.attributes.items()}
        units[name] = replace(unit, attributes=facts, side=None if lost() else unit.side)
    return replace(
        game,
        board=Board(board.name, hexes, sides, lines, board.links, board.barriers, complete),
        units=units,
        conditions=tuple(c for c in game.conditions if not lost()),
    )


@pytest.mark.parametrize("ruleset", sorted(RULESETS))
def test_nobody_is_accused_for_want_of_facts(ruleset: str) -> None:
    wrong = []
    for case in draw(ruleset, random.Random(SEED), WITHHELD):
        for seed in range(TRIES if case.expectation.verdict == "legal" else 0):
            game = poorer(case.game, random.Random(f"{SEED} {seed}"))
            found = outcome_with(case, game)
            if found.verdict == "illegal" or found.failures:
                told = [f.explanation for f in found.audit.findings]
                wrong.append(f"{case.id} {seed}: {told} {found.failures}")
    assert wrong == []
