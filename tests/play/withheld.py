"""Takes facts out of a pack at random. What is left is still true; the pack only says less."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from fractions import Fraction
from random import Random
from typing import Any

from vassal_umpire.model.board import LAYERS, Board
from vassal_umpire.model.fact import Value
from vassal_umpire.plugin.registry import rulesets
from vassal_umpire.plugin.ruleset_needs import schema_of

from .kit import GameSetup, Kit
from .printing import Pack, written


def withhold(kit: Kit, rng: Random) -> Callable[[Pack], None]:
    """A function that takes facts out of a pack, in one or several ways."""
    changes = [_terrain, _layers, _cells, _bindings, _sides, _phases, _told]
    picked = rng.sample(changes, rng.choice((1, 1, 2, 3)))

    def poorer(pack: Pack) -> None:
        for change in picked:
            change(pack, rng)
        pack.setup = replace(pack.setup, rules=_withheld(kit, pack.setup, rng))

    return poorer


def _withheld(kit: Kit, setup: GameSetup, rng: Random) -> Mapping[str, Any]:
    """The charts with some cells taken out, and the list of those that are still complete."""
    rules = kit.rules_withheld(setup, rng)
    poorer = {key for key, chart in setup.rules.items() if rules.get(key) != chart}
    if not poorer:
        return rules
    whole = set(schema_of(rulesets().get(kit.name))["properties"]) - poorer
    return {**rules, "complete": sorted(whole)}


def _terrain(pack: Pack, rng: Random) -> None:
    share = rng.choice((0.1, 0.3, 0.6))
    hexes = {
        name: replace(here, terrain=None) if rng.random() < share else here
        for name, here in pack.board.hexes.items()
    }
    pack.board = replace(pack.board, hexes=hexes, complete=pack.board.complete - {"terrain"})


def _layers(pack: Pack, rng: Random) -> None:
    board = pack.board
    lost = {layer for layer in LAYERS if rng.random() < 0.5}
    lines = tuple(line for line in board.lines if "lines" not in lost or rng.random() < 0.5)
    sides = {
        pair: tuple(f for f in features if "hexsides" not in lost or rng.random() < 0.5)
        for pair, features in board.sides.items()
    }
    sides = {pair: features for pair, features in sides.items() if features}
    hexes = board.hexes
    if "levels" in lost:
        hexes = {n: replace(h, level=None) if rng.random() < 0.3 else h for n, h in hexes.items()}
    pack.board = Board(
        board.name, hexes, sides, lines, board.links, board.barriers, board.complete - lost
    )


def _cells(pack: Pack, rng: Random) -> None:
    """Makes some values of counters less exact: not known, one of several, or a number in a range."""
    share = rng.choice((0.1, 0.3))
    for name, cells in pack.cells.items():
        for column in cells:
            if column != "side" and rng.random() < share:
                cells[column] = _vague(pack, name, column, rng)


def _vague(pack: Pack, name: str, column: str, rng: Random) -> str:
    value = pack.setup.units[name].fact(column).value
    assert value is not None
    if rng.random() < 0.4:
        return "?"
    if isinstance(value, Fraction) and rng.random() < 0.5:
        return f"{value - rng.randint(0, 2)}..{value + rng.randint(0, 2)}"
    others: list[Value] = [
        other
        for unit in pack.setup.units.values()
        if (other := unit.fact(column).value) is not None
    ]
    several = [written(value), written(rng.choice(others))]
    rng.shuffle(several)
    return "|".join(several)


def _bindings(pack: Pack, rng: Random) -> None:
    """Removes the binding of an attribute, as if the pack did not know the marker."""
    for attribute in rng.sample(sorted(pack.bound), min(len(pack.bound), rng.randint(1, 2))):
        del pack.bound[attribute]


def _sides(pack: Pack, rng: Random) -> None:
    share = rng.choice((0.1, 0.5))
    for cells in pack.cells.values():
        if rng.random() < share:
            cells["side"] = "?"


def _phases(pack: Pack, rng: Random) -> None:
    pack.phase_pattern = rng.choice(
        (
            "",
            "Turn (?P<turn>[0-9]+), [^ ]+ (?P<phase>.+)",
            "Turn (?P<turn>[0-9]+), (?P<active>[^ ]+) .+",
            "Turn [0-9]+, (?P<active>[^ ]+) (?P<phase>.+)",
        )
    )


def _told(pack: Pack, rng: Random) -> None:
    """Removes conditions and declared forms from the facts file."""
    share = rng.choice((0.3, 1.0))
    pack.told = [entry for entry in pack.told if rng.random() >= share]
