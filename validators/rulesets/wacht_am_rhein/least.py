"""What any step costs a unit at the least, so that a search looks no farther than it may get."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from fractions import Fraction

from ....model.fact import Fact
from ...engine.rules import Rules
from .grounds import states
from .terms import BY_ROAD, COLUMNS, IN_PA, LEG_MARCHES, ROADS

NOTHING, ONE_HEX = Fraction(0), Fraction(1)


def least(rules: Rules, cls: str, known: Mapping[str, Fact]) -> Fraction:
    """The least cost of a step in MPs: along the cheapest road, or into the cheapest hex of the board; in
    Prepared Assault one hex."""
    if cls in IN_PA:
        return ONE_HEX
    grounds = [states(rules).get(str(o).lower(), {}) for o in known["ground"].options or ()]
    if not grounds or not all(row.get("chart") for row in grounds):
        return NOTHING
    column = COLUMNS[cls]
    if cls in BY_ROAD:
        bound = rules.applies("5.6.0-e") and rules.applies("5.0-m")
        return cheapest(rules, "roads", ROADS, column) if bound else NOTHING
    if not rules.applies("5.0-j"):
        return NOTHING
    board = rules.game.board
    kinds = {(here.terrain or (), here.features) for here in board.hexes.values()}
    found = [into(rules, terrain, features, column) for terrain, features in kinds]
    if cls in LEG_MARCHES:
        found.append(cheapest(rules, "terrain", (rules.tables["clear"],), column))
    return min((one for one in found if one is not None), default=NOTHING)


def into(
    rules: Rules, terrain: tuple[str, ...], features: tuple[str, ...], column: str
) -> Fraction | None:
    """The least that entering a hex costs off the road, where the dearest of its terrains counts; None: it is
    closed."""
    if not terrain:
        return NOTHING
    told = (name for name in (*terrain, *features) if name in rules.charts["terrain"])
    costs = [lower(rules, "terrain", name, column) for name in told]
    if None in costs:
        return None
    return max((cost for cost in costs if cost is not None), default=NOTHING)


def cheapest(rules: Rules, chart: str, names: Iterable[str], column: str) -> Fraction:
    """The least of several rows of a chart; nothing if none is open."""
    costs = (lower(rules, chart, name, column) for name in names)
    return min((cost for cost in costs if cost is not None), default=NOTHING)


def lower(rules: Rules, chart: str, name: str, column: str) -> Fraction | None:
    """The least that a row of a chart may cost; None: it is closed."""
    cell = rules.cell(chart, name, column)
    if cell is None or cell.kind == "unknown":
        return NOTHING
    return None if cell.kind == "prohibited" else cell.amount
