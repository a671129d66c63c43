"""Which charts of a ruleset's tables are whole (complete), and how to treat those that are not.

A **chart** is a top-level key of a ruleset's tables (``terrain``, ``zoc``, ``stacking`` …). Something absent
from a whole chart does not exist in the game; something absent from another chart is not known. A
:class:`Completeness` is made from ``game.rules.complete`` when a ruleset comes into force. All code that
reads tables uses it: a missing row can then make a move unverifiable, but never illegal.

**How a ruleset supports it** (``generic`` is the model):

1. ``in_force`` makes ``Completeness(game.rules.complete)`` and passes it to the table reader, and the
   rulebook has ``opens_charts=True``. Without these the ruleset treats all charts as whole.
2. For every key of the tables, find out what its absence means in a whole chart. It may be *adverse* to a
   player (a class that cannot use a road, an enemy hex that is closed, a lower stacking limit). Then it is
   not known if the chart is not whole: use :meth:`Completeness.cell` for the cell of a class that a row
   leaves out, and :meth:`Completeness.absent` for a cost that the chart does not have.
3. The absence may only *favour* the player (no surcharge, no zone of control). It still does in the
   favourable world. In the adverse world the row may exist: add a cost item of cost
   :meth:`Completeness.absent` wherever the rule could apply. Otherwise a move could be called legal although
   a missing row forbids it.
4. An existing row may lack a condition, an exception or an exemption: if the chart is not whole, it *may*
   hold (:meth:`.engine.subject.Subject.stated`). A cost in an existing row is certain.
5. A name on the board without a row (a terrain, a hexside feature, a kind of line) may cost anything, be
   prohibited, or, if it is a line, be a road that helps. So may a name that is only perhaps on the board
   (:meth:`Completeness.names`). The same holds for a terrain or road that is not drawn yet, if the board is
   not whole: the cheapest row typed so far is then no lower bound.
6. Rules that can only find a fault (a stacking limit, an order of moves) are never certain while their chart
   is not whole: see ``StackingRule.missing``.
7. The missing fact is always :meth:`Completeness.question`: one for each chart, the same for every move.

Numbers that ship with a ruleset are printed in the text of its rules, so no pack has to confirm them. A
ruleset that ships a whole chart may add its name to those in ``complete``.
"""

from __future__ import annotations

from collections.abc import Container, Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from ...model.fact import MissingFact
from ...model.stanza import BLANK, pack_stanza
from ..cost_interval import ANYTHING, FREE, CostInterval
from . import missing_facts
from .charts import NO_CLASS, UNKNOWN_CELL, Cell, is_cell


class _AnyName:
    def __contains__(self, name: object) -> bool:
        return True


ANY_NAME: Container[str] = _AnyName()
"""Contains every name."""


@dataclass(frozen=True, slots=True)
class Completeness:
    """The names of the charts that are whole. ``charts`` None: all are."""

    charts: frozenset[str] | None = None

    def has(self, chart: str) -> bool:
        """Whether a chart is whole."""
        return self.charts is None or chart in self.charts

    def names(self, chart: str, rows: Container[str]) -> Container[str]:
        """The names that may have a row in a chart: ``rows``, which it has, or any if it is not whole."""
        return rows if self.has(chart) else ANY_NAME

    def cell(self, chart: str, absent: Cell) -> Cell:
        """The cell of a class that a row leaves out: ``absent`` if the chart is whole, else unknown."""
        return absent if self.has(chart) else UNKNOWN_CELL

    def absent(self, chart: str) -> CostInterval:
        """The cost of rows that the chart does not have: nothing if it is whole, else anything."""
        return FREE if self.has(chart) else ANYTHING

    def question(self, chart: str) -> MissingFact:
        """The question whether a chart is whole; the same for all moves."""
        return missing_facts.of_chart(chart)

    def questions(self, *charts: str) -> tuple[MissingFact, ...]:
        """The question for each of ``charts`` that is not whole."""
        return tuple(self.question(chart) for chart in charts if not self.has(chart))


WHOLE_CHARTS = Completeness()
"""For a ruleset whose charts are all whole."""


Place = tuple[str, ...]
"""Keys in ``[rules]`` of a pack. A whole number counts the entries of a list from 0."""


_SAID = {
    "zoc.enter": "entering a zone of control",
    "zoc.leave": "leaving a zone of control",
    "zoc.within": "moving from one zone of control into the next",
}
"""What costs are of in a question, if a name is a key of the file."""


def of_cost(
    plain: Mapping[str, Any],
    complete: Completeness,
    place: Place,
    names: Iterable[str],
    classes: tuple[str, ...],
) -> MissingFact:
    """The question about the cost of ``names`` for units of one of ``classes``; if one of these is unknown
    and the chart of classes is not whole, about that chart. ``plain``: the tables. ``place``: the path of the
    rows in them; ``{}`` stands for the name."""
    for unknown in complete.questions("classes") if NO_CLASS in classes else ():
        return unknown
    every = tuple(names)
    what, who = ", ".join(every), " or ".join(c or "an unknown class" for c in classes)
    rows: dict[str, Any] = {}
    known = [name for name in classes if name != NO_CLASS]
    for name in every if known else ():
        _put(rows, plain, tuple(key.format(name) for key in place), known)
    return MissingFact(
        f"cost of {what} for {who}",
        f"what does {', '.join(_SAID.get(one, one) for one in every)} cost {who}?",
        "facts.toml",
        pack_stanza("rules", entry=rows) if rows else "",
    )


def _put(into: dict[str, Any], plain: Any, place: Place, classes: list[str]) -> None:
    """Write a cost with a blank at ``place`` of ``into``. A list is written as a whole, as in ``plain``."""
    key, *rest = place
    held = plain.get(key) if isinstance(plain, Mapping) else None
    if isinstance(held, list):
        number, *inner = rest
        rows = [dict(row) for row in held]
        _put(rows[int(number)], held[int(number)], tuple(inner), classes)
        into[key] = rows
    elif rest:
        into.setdefault(key, {})
        _put(into[key], held, tuple(rest), classes)
    else:
        bounds = isinstance(held, Mapping) and is_cell(held)
        blank = BLANK if bounds else {**_others(held), **dict.fromkeys(classes, BLANK)}
        into[key] = blank


def _others(held: Any) -> Mapping[str, Any]:
    """The cells of a row by class. A row that is one cell for all classes gives it as ``others``."""
    if held is None or isinstance(held, Mapping):
        return held or {}
    return {"others": held}
