"""A wrong fact in the pack of a game that was played to the rules is among the first it is suspected of; and
who makes one error again and again on a right pack keeps every finding, whatever the pack is suspected of.

The games are drawn anew every day; ``UMPIRE_SEED`` repeats a draw.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from random import Random
from typing import Any

import pytest
from command_line import umpire
from play.generic_games import put_right, right_game, wrongs
from play.kit import Kit, kits
from play.legal import play
from play.printing import audit as audit_files
from play.printing import write
from play.wrong_packs import Planting, crossed, road_crossing, used
from tiers import SEED
from vassal_umpire.importers.analysis.document import document, encode
from vassal_umpire.model.fact import known
from vassal_umpire.model.finding import Audit
from vassal_umpire.model.game import Game, StepRef
from vassal_umpire.model.problem import UmpireError
from vassal_umpire.model.suspect import PackFact, Suspect
from vassal_umpire.model.vouching import cell_of
from vassal_umpire.plugin.registry import rulesets
from vassal_umpire.validators.audit import audit
from vassal_umpire.validators.judgement_cache import JudgementCache
from vassal_umpire.validators.suspects import Suspected, suspects

DRAGS = 60
GAMES = range(SEED * 100, SEED * 100 + 12)
TRIED, WANTED = 40, 1
DRAGS_WRONG = 3
"""So many drags, of at least two counters, must be illegal by the wrong fact: less is not a pattern."""
FIRST = 3


KITS: Mapping[str, Kit | None] = {**kits(), "generic": None}


@pytest.mark.parametrize("name", KITS)
def test_a_wrong_fact_is_among_the_first_that_are_suspected(name: str, tmp_path: Path) -> None:
    found: set[str] = set()
    missed: list[str] = []
    for seed in GAMES:
        for wrong, game, before in planted(KITS[name], seed, tmp_path / str(seed)):
            named, after = suspected(game)
            if not is_pattern(before, after):
                continue
            found.add(wrong.kind)
            if not any(is_same(wrong, one.fact) for one in named[:FIRST]):
                missed.append(f"seed {seed}: {wrong}; {[str(one.fact) for one in named]}")
    assert missed == []
    assert found, "nothing was planted"


@pytest.mark.parametrize("name", KITS)
def test_who_repeats_one_error_on_a_right_pack_keeps_every_finding(
    name: str, tmp_path: Path
) -> None:
    named: list[int] = []
    for where, side, game, wrong in repeated(KITS[name], tmp_path):
        told, as_if_none, code = reported(game, tmp_path)
        assert {k: v for k, v in told.items() if k not in ADDED} == as_if_none, where
        assert code == 1, where
        assert illegal_in(told) == wrong, where
        suspected_of = told.get("suspects", [])
        assert all(s["sides"] == [side] and s["one_player"] for s in suspected_of), where
        named.append(len(suspected_of))
    assert any(named), "of no game a pack was suspected"


ADDED = ("suspects", "changed")


def repeated(
    kit: Kit | None, folder: Path
) -> Iterator[tuple[str, str, Game, set[tuple[str, StepRef]]]]:
    """Games in which one side alone goes wrong, again and again, since it does not know of one fact of the
    pack: what it is, the side, the game, and the wrong drags."""
    for seed in GAMES:
        kinds = Random(seed).sample(KINDS, len(KINDS))
        for ignored, game, _ in planted(kit, seed, folder / str(seed), kinds):
            for side in game.sides:
                own = of_side(game, side)
                found = audit(own, rulesets().get(own.rules.name))
                wrong = wrongs(found)
                alone = {f.side for f in found.findings if f.verdict == "illegal"} == {side}
                if alone and len({step for _, step in wrong}) >= DRAGS_WRONG:
                    yield f"seed {seed}: {side} does not know of {ignored}", side, own, wrong


def of_side(game: Game, side: str) -> Game:
    """``game`` in which nobody but ``side`` makes a wrong move: others stay where they are instead."""

    def of_others(found: Audit) -> set[tuple[str, StepRef]]:
        return {(unit, step) for unit, step in wrongs(found) if game.units[unit].side != side}

    return put_right(game, of_others)[1]


def reported(game: Game, folder: Path) -> tuple[dict[str, Any], dict[str, Any], int]:
    """What ``umpire audit`` reports of a game, what it reports if nothing is ever suspected, and its exit
    code, which is the same."""
    file = folder / "game.json"
    file.write_bytes(encode(document(game=game, viewer="director")))
    words = ("audit", file, "--format", "json", "--director")
    result = umpire(*words)
    with pytest.MonkeyPatch.context() as without:
        without.setattr("vassal_umpire.plugin.shown.suspects", lambda *_, **__: Suspected())
        other = umpire(*words)
    assert result.exit_code == other.exit_code, result.output
    plain = json.loads(other.stdout)
    return (
        json.loads(result.stdout),
        {k: v for k, v in plain.items() if k not in ADDED},
        result.exit_code,
    )


def illegal_in(told: Mapping[str, Any]) -> set[tuple[str, StepRef]]:
    """As :func:`wrongs`, of a report."""
    return {
        (unit["id"], StepRef(move["steps"][-1]["log"], move["steps"][-1]["step"]))
        for move in told["moves"]
        if move["verdict"] == "illegal"
        for unit in move["units"]
    }


def is_same(wrong: PackFact, named: PackFact) -> bool:
    key = (named.kind, named.cell)
    return key == (wrong.kind, wrong.cell) and (not wrong.name or named.name in (wrong.name, ""))


def suspected(game: Game) -> tuple[tuple[Suspect, ...], Audit]:
    ruleset, kept = rulesets().get(game.rules.name), JudgementCache()
    found = audit(game, ruleset, judge=kept)
    return suspects(game, ruleset, found, kept).facts, found


def is_pattern(before: Audit, after: Audit) -> bool:
    """Whether so many drags, of two counters or more, are illegal that were not."""
    new = wrongs(after) - wrongs(before)
    return len({step for _, step in new}) >= DRAGS_WRONG and len({unit for unit, _ in new}) > 1


def played(kit: Kit | None, seed: int, rng: Random, folder: Path) -> tuple[Audit, Game]:
    """A game of legal play, and its audit. ``kit``: None for the ruleset that a pack writes itself."""
    if kit is None:
        return right_game(seed)
    by_hand = play(kit, rng, DRAGS)
    files = write(kit, by_hand.setup, by_hand.actions, folder, logs=2, poorer=lambda _pack: None)
    return audit_files(files)


def planted(
    kit: Kit | None, seed: int, folder: Path, kinds: Sequence[Planting] = ()
) -> Iterator[tuple[PackFact, Game, Audit]]:
    """A game of legal play with one fact wrong, a few for each kind."""
    rng = Random(seed)
    before, game = played(kit, seed, rng, folder)
    ruleset = rulesets().get(game.rules.name)
    for kind in kinds or KINDS:
        every = list(kind(game, before))
        rng.shuffle(every)
        good = 0
        for wrong, changed in every[:TRIED]:
            try:
                after = audit(changed, ruleset)
            except UmpireError:  # the chart does not take such a value
                continue
            if is_pattern(before, after):
                good += 1
                yield wrong, changed, before
            if good == WANTED:
                break


def on_sides(game: Game, found: Audit) -> Iterator[tuple[PackFact, Game]]:
    board = game.board
    names = sorted({name for has in board.sides.values() for name in has})
    for side in used(found, crossed):
        has = board.sides.get(side, ())
        for name in names if len(has) < 2 else ():
            if name not in has:
                sides = {**board.sides, side: (*has, name)}
                fact = PackFact("hexside", cell_of(side), name=name)
                yield fact, replace(game, board=replace(board, sides=sides))


def in_hexes(game: Game, found: Audit) -> Iterator[tuple[PackFact, Game]]:
    board = game.board
    kinds = sorted({here.terrain for here in board.hexes.values() if here.terrain is not None})
    for name in used(found, lambda path: path[1:]):
        for terrain in kinds:
            hexes = {**board.hexes, name: replace(board.hexes[name], terrain=terrain)}
            yield PackFact("hex", name), replace(game, board=replace(board, hexes=hexes))


def in_charts(game: Game, found: Audit) -> Iterator[tuple[PackFact, Game]]:
    for name, row in game.rules.tables.get("terrain", {}).items():
        for key in sorted(row) if isinstance(row, Mapping) else ():
            for value in (5, "prohibited"):
                terrain = {**game.rules.tables["terrain"], name: {**row, key: value}}
                tables = {**game.rules.tables, "terrain": terrain}
                fact = PackFact("chart", f"terrain > {name} > {key}")
                yield fact, replace(game, rules=replace(game.rules, tables=tables))


def of_units(game: Game, found: Audit) -> Iterator[tuple[PackFact, Game]]:
    for key in sorted({key for unit in game.units.values() for key in unit.attributes}):
        for name in sorted({unit.name for unit in game.units.values()}):
            units = dict(game.units)
            for one, unit in game.units.items():
                value = unit.fact(key).value
                if unit.name == name and isinstance(value, Fraction | int) and value not in (0, 1):
                    facts = {**unit.attributes, key: known(Fraction(1))}
                    units[one] = replace(unit, attributes=facts)
            yield PackFact("unit", name, name=key), replace(game, units=units)


KINDS: Sequence[Planting] = (on_sides, in_hexes, in_charts, of_units, road_crossing)
