"""The least that any step can cost on a board: what the search for a path goes by."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from fractions import Fraction

from ....model.fact import Fact
from ...concepts.charts import Cell
from ...engine.rules import Rules
from .terms import CLEAR, of_weather, weather_key
from .terrain import DUE_BY, LESS, MORE, OWN


def least(rules: Rules, cls: str, known: Mapping[str, Fact]) -> Fraction:
    """The least MPs of a step by column ``cls``: that of the cheapest terrain or road on the board, in any
    weather that may be there; 0 if a road may cost anything."""
    board, column = rules.game.board, rules.columns[cls]
    charted, terrain = rules.rows_of("roads"), rules.rows_of("terrain")
    if not board.line_kinds <= charted:
        return Fraction(0)
    if not board.all_lines_known and not rules.complete.has("roads"):
        return Fraction(0)
    kinds = board.line_kinds if board.all_lines_known else charted
    names, (untold, perhaps_more) = rules.names_on_board[0], rules.told_in_full
    strange = any(not set(one.terrain or ("?",)) <= terrain for one in board.hexes.values())
    open_ = untold or strange or (perhaps_more and not rules.complete.has("terrain"))
    costs = [anything(rules)] if open_ else []
    terrains = terrain if perhaps_more else names & terrain
    for weather in weathers(rules, known):
        for part, there in (("terrain", terrains), ("roads", kinds)):
            chart = of_weather(part, weather)
            for name in there:
                cell = rules.cell(chart, name, column)
                costs += cost_of(rules, cell, OWN.get(name, DUE_BY[part]))
    return min(costs, default=Fraction(0))


def anything(rules: Rules) -> Fraction:
    """The least that a hex may cost of which nothing is known."""
    return Fraction(int(rules.options["least_hex_cost"]))


def weathers(rules: Rules, known: Mapping[str, Fact]) -> Iterable[str]:
    """The weathers that may be anywhere; one that no chart has stands for all that are not told."""
    if not rules.applies("6.A.4-i"):
        return (CLEAR,)
    there = rules.perhaps_on_board(rules.tables["march"]["zones"])
    keys = (weather_key(zone) for zone in ("", *there))
    return dict.fromkeys(str(state) for key in keys for state in known[key].options or ("?",))


def cost_of(rules: Rules, cell: Cell | None, clause: str) -> Iterator[Fraction]:
    """The least that a cell comes to; nothing if it is prohibited."""
    if cell is None or cell.kind == "unknown":
        yield anything(rules) if rules.applies("6.A.2-f") and rules.applies(clause) else Fraction(0)
    elif cell.kind == "prohibited":
        yield from () if rules.applies("6.A.2-f") else (Fraction(0),)
    elif clause and not rules.applies(clause):
        yield Fraction(0)
    elif cell.kind == "half":
        due = rules.applies(LESS if cell.amount < 0 else MORE) and rules.applies("6.D.1-c")
        yield max(Fraction(0), cell.amount) if due else Fraction(0)
    else:
        yield cell.amount
