"""The least that any step can cost on a board: what the search for a path goes by."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction

from ....model.fact import Fact
from ...engine.rules import Rules
from .terms import DEPTHS, FEATURES, STREAM


def least(rules: Rules, cls: str, known: Mapping[str, Fact]) -> Fraction:
    """The least MPs that a step costs a class: that of the cheapest terrain or road on the board; 0 if there
    may be something that no chart has."""
    board, roads = rules.game.board, rules.charts["roads"]
    undrawn = not board.all_lines_known and not rules.complete.has("roads")
    free = not all(map(rules.applies, ("MV-g", "EX1-b", "X-HI-a")))
    if undrawn or board.line_kinds - roads.keys() or free:
        return Fraction(0)
    charted, whole = rules.charts["terrain"], rules.complete.has("terrain")
    names = {"clear"}
    for one in board.hexes.values():
        if one.terrain is None or board.maybe_in(one.name) is None:
            names.update(charted if whole else ("",))
        names.update(one.terrain or ())
        more = {*one.features, *(board.maybe_in(one.name) or ())}
        names.update(name for name in more if name in charted or not (whole or name in FEATURES))
    if STREAM in names:
        names = {*names, *DEPTHS} - {STREAM}
    if not names <= charted.keys():
        return Fraction(0)
    rows = [charted[name] for name in names]
    cells = [row[cls] for row in (*rows, *roads.values(), *rules.charts["bridges"].values())]
    kinds = [cell for cell in cells if cell.kind not in ("prohibited", "none")]
    if any(cell.kind != "number" for cell in kinds):
        return Fraction(0)
    return min((cell.amount for cell in kinds), default=Fraction(0))
