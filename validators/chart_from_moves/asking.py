"""Find the numbers that the charts of a game lack from its moves, class by class."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import partial
from itertools import count
from typing import Any

from ...model.game import Game
from ...model.problem import UmpireError
from ..ruleset import Ruleset
from .fit import Fit
from .ground import NONE, PROHIBITED, SCALE, Number, ground_of, table
from .numbers import ClassFindings, findings_of
from .trips import Trips, trips_of

CHEAPER_RULES = "the pack has rules by which steps may cost less than by its charts"
GRANTED = frozenset(("allowance", "lacks"))
"""Charts that are assumed to be whole: no unknown rule lets units go further."""
NO_ANCHOR = "no terrain has a cost for it to begin with: type one, such as clear = 1"
FEWEST = 20
"""The fewest different moves of a class whose numbers are searched for."""
TOO_FEW = f"fewer than {FEWEST} of its moves say anything"


@dataclass(frozen=True, slots=True)
class Asked:
    """The results of all classes. ``classes``: of those whose moves were used. ``not_asked``: class that
    lacks a number → why its moves were not used. ``left_out``: reason → number of moves left out.
    ``missing``: class → the numbers that its charts lack. ``names``: all classes. ``granted``: the charts of
    :data:`GRANTED` that the pack does not call whole."""

    classes: tuple[ClassFindings, ...]
    left_out: Mapping[str, int]
    not_asked: Mapping[str, str]
    missing: Mapping[str, tuple[Number, ...]]
    names: tuple[str, ...]
    granted: tuple[str, ...] = ()


def ask(
    game: Game,
    ruleset: Ruleset,
    tables: Mapping[str, Any],
    said: Callable[[str, int], None] = lambda *_: None,
) -> Asked:
    """Estimates of the numbers that the charts of a game lack, from its moves.

    ``tables``: the charts in force, in the form of ``[rules]`` of the ruleset ``generic``. ``said``: called
    with the class and the number of charts tried. Raises UmpireError if the ruleset has no such charts, or
    nothing is known of the board.
    """
    classes = table(tables, "classes")
    if not classes.get("names") or not table(table(tables, "terrain"), "costs"):
        raise UmpireError(
            f"the charts of the ruleset {ruleset.name} are not of the form that moves can be asked for",
            expected="classes, and a terrain chart with the cost of one kind of terrain, such as clear = 1",
        )
    ground = ground_of(game.board, tables)
    if not ground.numbers:
        raise UmpireError(
            "nothing is known yet of what is on the board, so no cost can be asked for",
            expected="hexes with their terrain, where units moved",
        )
    whole = game.rules.complete
    typed = {cls: _typed(tables, cls, ground.numbers, whole) for cls in classes["names"]}
    missing = {
        cls: numbers
        for cls, known in typed.items()
        if (numbers := tuple(n for n in ground.numbers if n not in known))
    }
    granted = tuple(sorted(GRANTED - whole)) if whole is not None else ()
    if whole is not None:
        game = replace(game, rules=replace(game.rules, complete=whole | GRANTED))
    trips = trips_of(game, ruleset, ground, classes) if missing else Trips()
    withheld = CHEAPER_RULES if _may_be_cheaper(tables) else ""
    found, not_asked = [], {}
    for cls, numbers in missing.items():
        counted = partial(next, _counting(cls, said))
        fit = Fit(ground, trips.by_class.get(cls, ()), typed[cls], numbers, counted)
        if not any(n.table == "terrain" and cost > 0 for n, cost in typed[cls].items()):
            not_asked[cls] = NO_ANCHOR
        elif len(fit.unique) < FEWEST:
            not_asked[cls] = TOO_FEW
        else:
            found.append(findings_of(cls, fit, withheld))
    return Asked(
        tuple(found),
        dict(trips.left_out),
        not_asked,
        missing,
        tuple(typed),
        granted if missing else (),
    )


def _counting(cls: str, said: Callable[[str, int], None]) -> Iterator[None]:
    """Each step reports to ``said`` that one more chart of a class was tried."""
    for number in count(1):
        said(cls, number)
        yield


def _typed(
    tables: Mapping[str, Any],
    cls: str,
    numbers: Collection[Number],
    complete: Collection[str] | None,
) -> dict[Number, int]:
    """The numbers that the charts have for a class. ``complete``: the charts that are whole; None: all
    are."""
    bridges = {
        bridge["feature"]
        for side in table(tables, "hexsides").values()
        for bridge in side.get("bridges", ())
    }
    found = {}
    for number in numbers:
        chart = table(tables, number.table)
        if number.table == "terrain":
            row = table(chart, "costs").get(number.name)
        else:
            row = table(chart, number.name).get("cost")
        whole = complete is None or number.table in complete or tables.get(number.table) == "none"
        if row is None and number.table != "terrain" and (whole or number.name in bridges):
            found[number] = NONE if number.table == "roads" else 0
            continue
        if isinstance(row, Mapping) and not {"from", "to"} & row.keys():
            other = "prohibited" if number.table == "roads" else None
            row = row.get(cls, row.get("others", other))
        cost = _cost(row, number.table)
        if cost is not None:
            found[number] = cost
    return found


def _cost(row: Any, chart: str) -> int | None:
    """A cell of a chart in 1/:data:`SCALE` MP; None if it is not a number. A cost of the whole allowance
    counts as 1 MP, the least it can be."""
    if row == "prohibited":
        return NONE if chart == "roads" else PROHIBITED
    if row == "all":
        return SCALE
    if isinstance(row, bool) or not isinstance(row, int | str):
        return None
    text = str(row).removeprefix("+")
    try:
        return int(Fraction(text) * SCALE)
    except ValueError:
        return None


def _may_be_cheaper(tables: Mapping[str, Any]) -> bool:
    """Whether rules outside the charts may make a step cheaper."""
    steps, lacks = tables.get("steps"), tables.get("lacks")
    rows = steps if isinstance(steps, list | tuple) else ()
    more = lacks if isinstance(lacks, list | tuple) else ()
    return any("instead_of" in row for row in rows) or any(
        row.get("effect", "hinders") != "hinders" for row in more
    )
