"""The base class of all subjects of clauses, with the tables and readings in force. Every answer is plain.

If a property needs a fact that is not known, the :class:`~.asking.Run` either has an assumed answer or ends.
The question belongs to the fact, not to the clause.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from ...model.bill import Amount
from ...model.fact import Fact
from ...model.game import StepRef
from ...model.unit import Unit
from ..answers import Question, answer
from ..concepts.charts import UNKNOWN_CELL, cell_cost
from ..concepts.requirements import question
from ..cost_interval import BARRED, CostInterval, union
from ..ruleset import Requirement
from .asking import Bounds, Run, later
from .asking import Question as Asking
from .in_force import UNSETTLED

if TYPE_CHECKING:
    from .rules import Rules


TABLED = "="
"""The prefix of names of a mover's facts that only the tables name, not the engine."""


class Subject:
    """The subject of a clause. ``run``: the answers assumed in this run."""

    def __init__(self, run: Run, rules: Rules) -> None:
        self.run, self.rules = run, rules

    @property
    def tables(self) -> Mapping[str, Any]:
        """The tables in force."""
        return self.rules.tables

    def rule(self, clause: str) -> bool:
        """Whether a clause is in force."""
        return self.rules.applies(clause)

    def told(
        self,
        topic: str,
        text: str,
        unit: Unit | None = None,
        at: StepRef | None = None,
        named: str = "",
    ) -> bool:
        """The answer to a question that only people can answer (a condition of the game). ``at``: the step
        that it is about; None: the whole game. ``named``: the fact's name in reports."""
        asked = Question(topic, text, unit.id if unit else "", at)
        self.run.log.private |= unit is not None or at is not None
        key = ("told", topic, asked.unit, at)
        return self.run.yes(key, answer(self.rules.game, asked), later(asked.unknown, named))

    def reading(self, option: str, value: str = "yes") -> bool:
        """How an open reading is settled: yes or no, or whether it is ``value``."""
        said = self.rules.options[option]
        asked = later(self.rules.reading_question, option)
        open_ = self.rules.is_open(option)
        return self.run.yes(("reading", option), None if open_ else said == value, asked)

    def opens_reading(self, option: str) -> None:
        """Note that the result is bounds because a reading is open."""
        self.run.log.open.append(later(self.rules.reading_question, option))

    def settled(self, option: str) -> str:
        """How an open reading with more than two choices is settled."""
        said, every = self.rules.options[option], self.rules.book.choices[option]
        open_ = self.rules.is_open(option)
        choices = tuple(one for one in every if one not in UNSETTLED) if open_ else (said,)
        asked = later(self.rules.reading_question, option)
        return str(self.run.choose(("reading", option), choices, (asked,)))

    def setting(self, path: tuple[str, str], choices: tuple[str, ...], text: str) -> str:
        """How the tables settle an open reading: one of ``choices``. ``text``: the question which."""
        said = str(self.tables[path[0]][path[1]])
        asked = later(self.rules.table_question, path, path[1], text)
        every = choices if said == "unknown" else (said,)
        return str(self.run.choose(("reading", path), every, (asked,)))

    def left_open(self, path: tuple[str, str], text: str) -> None:
        """Note that the result depends on an open reading that the tables do not settle. ``text``: the
        question."""
        self.run.log.open.append(later(self.rules.table_question, path, path[1], text))

    def quietly(self, cost: Callable[[], CostInterval]) -> CostInterval:
        """A cost without the questions behind its bounds."""
        count = len(self.run.log.open)
        found = cost()
        del self.run.log.open[count:]
        return found

    def number(
        self, path: tuple[str, ...], name: str, text: str, most: Fraction | None = None
    ) -> Amount:
        """A number of the tables, written as ``1/2``, ``0..1`` or ``unknown`` (also if it is missing). If it
        is a range, the result depends on it. ``name``, ``text``: the fact and the question that would make it
        exact. ``most``: the upper bound of an unknown number; None: any."""
        raw: Any = self.tables
        for key in path:
            raw = raw.get(key, {}) if isinstance(raw, Mapping) else raw
        if raw in ({}, "unknown"):
            raw = "0.."
        lo, dots, hi = str(raw).partition("..")
        if dots:
            self.run.log.open.append(self.rules.table_question(path, name, text))
        return Amount(Fraction(lo), (Fraction(hi) if hi else most) if dots else Fraction(lo))

    def charge(self, chart: str, name: str, column: str) -> CostInterval:
        """As :meth:`price`, in 1/scale MP, with bounds if it is not known; anything for a name that the chart
        does not have."""
        cell = self.rules.cell(chart, name, column)
        if cell is not None and cell.kind == "none":  # the class cannot use it
            return BARRED
        if cell is not None and cell.kind == "half":
            assert self.rules.declared.half is not None
            return self.rules.declared.half(self, cell.amount)  # type: ignore[arg-type]
        found = cell_cost(cell or UNKNOWN_CELL, self.rules.scale)._replace(whole=False)
        if not found.is_exact:
            self.run.log.open.append(later(self.rules.cost_question, chart, name, column))
        return found

    def perhaps(
        self, other: CostInterval, cost: Callable[[], CostInterval], asked: Asking
    ) -> CostInterval:
        """Bounds for one of two costs. The missing facts of ``cost`` can wait until it is known which."""
        found = self.run.log.open
        count = len(found)
        both = union(other, cost())
        found[count:] = [asked]
        return both

    def due(self, cost: CostInterval, *asked: Asking) -> CostInterval:
        """A cost; if it is a range, the result depends on what is ``asked``."""
        if not cost.is_exact:
            self.run.log.open += asked
        return cost

    def meets(self, needs: Iterable[Requirement]) -> bool:
        """Whether the moving unit meets all of ``needs``, which are requirements in tables."""
        for need in needs:
            holds = need.met(self.told_of(need.attribute))
            if holds is None:
                self.note_unit()
            asked = later(question, self.moving, need.attribute)
            if not self.run.yes(("need", need), holds, asked):
                return False
        return True

    def more_than(self, known: Bounds, most: Fraction | int, name: object = "") -> bool:
        """Whether a number is above ``most``. ``name``: the key of this number."""
        holds = True if known.lo > most else None if known.hi is None or known.hi > most else False
        return self.run.yes(("more than", name), holds, *known.asked)

    def undecided(self, name: object, asked: Sequence[Asking]) -> bool:
        """The answer assumed in this run for something that only the questions ``asked`` decide. ``name``:
        its key."""
        return self.run.yes(("undecided", name), None, *asked)

    def told_of(self, about: str) -> Fact:
        """A fact of the moving unit, for requirements in tables."""
        raise NotImplementedError

    def note_unit(self) -> None:
        """Note that the moving unit was read."""
        self.run.log.private = True

    @property
    def moving(self) -> Unit:
        """The moving unit, for a question."""
        raise NotImplementedError

    def stated(self, chart: str) -> bool:
        """Whether the rows of a chart have no exceptions that the chart leaves out."""
        complete = self.rules.complete
        holds = True if complete.has(chart) else None
        return self.run.yes(("stated", chart), holds, *complete.questions(chart))

    def unstated(self, chart: str) -> CostInterval:
        """The cost of rows that a chart may leave out: nothing if it is complete, else anything."""
        complete = self.rules.complete
        return self.due(complete.absent(chart), *complete.questions(chart))

    def table(self, name: str) -> Any:
        """A chart as the pack or the ruleset writes it; None: it is complete, and neither writes it."""
        complete = self.rules.complete
        if not complete.has(name):
            self.run.choose(("chart", name), (), complete.questions(name))
        return self.tables.get(name)

    def may_close(self, chart: str, name: str, column: str) -> bool:
        """Whether a chart prohibits, or may prohibit, something to a class. For what can be tried: it never
        ends a run."""
        cell = self.rules.cell(chart, name, column)
        return cell is None or cell.kind in ("prohibited", "unknown")

    def price(self, chart: str, name: str, column: str) -> Fraction | None:
        """The cost in a chart for a name and a class of movers, in MPs; None: prohibited."""
        cell = self.rules.cell(chart, name, column)
        if cell is None or cell.kind == "unknown":
            asked = later(self.rules.cost_question, chart, name, column)
            found: Fraction | None = self.run.choose(("cell", chart, name, column), (), (asked,))
        elif cell.kind == "between":
            ends = (cell.amount, cell.most) if cell.most is not None else ()
            asked = later(self.rules.cost_question, chart, name, column)
            found = self.run.choose(("cell", chart, name, column), ends, (asked,))
        else:
            found = None if cell.kind == "prohibited" else cell.amount
        return found
