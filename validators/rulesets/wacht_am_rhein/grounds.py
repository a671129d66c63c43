"""The state of the ground (18.2.0): what it does to the MA, and whether the charts hold for it."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import Any

from ....model.bill import Amount
from ...cost_interval import ANYTHING, CostInterval
from ...engine.asking import Question, later
from ...engine.mover_view import MoverView
from ...engine.rules import Rules
from ...engine.step import Step


def states(rules: Rules) -> Mapping[str, Mapping[str, Any]]:
    """The states of the ground in the tables, by name in lower case."""
    return {name.lower(): row for name, row in rules.tables["grounds"].items()}


def charts_hold(step: Step) -> bool:
    """Whether the charts of the pack hold for the ground."""
    options = step.fact("ground").options or ()
    rows = [states(step.rules).get(str(option).lower(), {}) for option in options]
    return bool(rows) and all(row.get("chart") for row in rows)


def open_cost(step: Step) -> CostInterval:
    """The cost where the charts may not hold: any, perhaps prohibited."""
    fact = step.fact("ground")
    if not fact.is_known:
        return step.due(ANYTHING._replace(whole=False), step.asked("ground"))
    name = str(fact.value)
    path = "grounds", name, "chart"
    return step.due(
        ANYTHING._replace(whole=False),
        later(step.rules.charts_question, path, f"{name} ground"),
    )


def charged(step: Step, chart: str, name: str) -> CostInterval:
    """What a row of a chart costs the mover, if the charts hold for the ground."""
    return step.charge(chart, name, step.column) if charts_hold(step) else open_cost(step)


# -- the allowance ---------------------------------------------------------------------------------


def rows(mover: MoverView) -> list[Mapping[str, Any]] | None:
    """The rows of the states in which the ground may be; None: any."""
    options = mover.fact("ground").options
    known = states(mover.rules)
    return None if options is None else [known.get(str(o).lower(), {}) for o in options]


def named(mover: MoverView) -> str:
    """The state of the ground; empty if it is not known."""
    said = mover.fact("ground")
    return str(said.value) if said.is_known else ""


def asked(mover: MoverView) -> Question:
    """What would tell what the ground does."""
    return asked_factor(mover, "ground", named(mover)) if named(mover) else mover.asked("ground")


def times(mover: MoverView) -> Amount:
    """By what the ground multiplies the MA."""
    found = rows(mover)
    told = [row.get("factor", "unknown") for row in found] if found is not None else ["unknown"]
    lo = min(Fraction(0) if one == "unknown" else Fraction(one) for one in told)
    hi = max(Fraction(1) if one == "unknown" else Fraction(one) for one in told)
    return mover.bounded(Amount(lo, hi), asked(mover))


def added(mover: MoverView) -> Amount:
    """The MPs that the ground adds off the road (5.2.1b-4). Where a row says nothing of it, the shipped one
    does: by the text only frozen ground adds some."""
    if not mover.rule("5.2.1b-4"):
        return Amount.exactly(0)
    shipped = mover.rules.book.printed()["grounds"]
    most = max(
        (Fraction(row.get("plus", 0)) for row in states(mover.rules).values()), default=Fraction(0)
    )
    options = mover.fact("ground").options
    if options is None:
        return mover.bounded(Amount(Fraction(0), most), asked(mover))
    ends = []
    for option in options:
        name = str(option).lower()
        row = states(mover.rules).get(name)
        if row is None:
            ends.append((Fraction(0), most))
        else:
            plus = Fraction(row.get("plus", shipped.get(name, {}).get("plus", 0)))
            ends.append((plus, plus))
    amount = Amount(min(lo for lo, _ in ends), max(hi for _, hi in ends))
    return mover.bounded(amount, asked(mover))


def asked_factor(mover: MoverView, table: str, name: str) -> Question:
    """What asks by what something multiplies the MA."""
    path: tuple[str, ...] = (table, name)
    what = f"factor of {table} {name}"
    text = f"by what is the MA multiplied with {table} {name}?"
    if table == "ground":
        path = ("grounds", name, "factor")
    if table == "raises":
        told = "an activated leader" if name == "leader" else "the Fuel & Reserve Release Table"
        what, text = f"raise of {name}", f"by what does {told} multiply the MA?"
    return later(mover.rules.table_question, path, what, text)
