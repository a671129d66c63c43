"""The chart ``lacks``: rules of the game that these tables cannot express. Moves they affect stay open."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial
from typing import Literal

from ...engine.clauses import ClauseFunction, forbid_move, interpretation
from ...engine.mover_view import MoverView
from ...ruleset import Requirement
from .terms import TOPIC, Reading, RulesOfTables

CLAUSE = "GEN-LACKS"


@dataclass(frozen=True, slots=True)
class Lack:
    """A rule that these tables cannot express.

    ``effect``: ``hinders`` makes moves dearer or forbids them, ``helps`` makes them cheaper or allows them,
    ``either`` may do both. ``requirements`` and ``phases`` (empty: all): which moves it affects.
    ``told``: the pack tells of it; else it is one that there may be.
    """

    what: str
    effect: Literal["hinders", "helps", "either"]
    requirements: tuple[Requirement, ...]
    phases: tuple[str, ...]
    told: bool = True


def read(reading: Reading) -> tuple[Lack, ...]:
    """The rows of the chart. If it is not whole, one more that may exist."""
    if CLAUSE in reading.off:
        return ()
    left_out = () if reading.complete.has("lacks") else (Lack("a rule", "either", (), (), False),)
    told = tuple(
        Lack(
            row["what"],
            row.get("effect", "hinders"),
            reading.tests(row.get("if", ())),
            tuple(row.get("phases", ())),
        )
        for row in reading.plain.get("lacks", ())
    )
    return (*told, *left_out)


def clauses_of(rules: RulesOfTables) -> Iterator[ClauseFunction]:
    """The clauses of each row: one that may be broken, and, where a rule may
    help, that the move is one by it, without any limit."""
    for lack in rules.typed.lacks:
        if lack.effect != "helps":
            text = f"breaks a rule that the pack names in words, as is said: {lack.what}"
            yield forbid_move(CLAUSE, text)(partial(broken, lack))
        if lack.effect != "hinders":
            yield interpretation(CLAUSE)(partial(by_it, lack))


def broken(lack: Lack, mover: MoverView) -> bool:
    """The move is not right by the rule."""
    return bears(lack, mover) and not right(lack, mover)


def by_it(lack: Lack, mover: MoverView) -> bool:
    """The move is right by the rule, whatever the others say."""
    return bears(lack, mover) and right(lack, mover)


def bears(lack: Lack, mover: MoverView) -> bool:
    """Whether the rule is about the move."""
    return mover.may_be_in(lack.phases) and mover.meets(lack.requirements)


def right(lack: Lack, mover: MoverView) -> bool:
    """Whether the move is right by the rule."""
    if not lack.told:
        return mover.stated("lacks")
    unit, at = mover.unit, mover.last_drag
    text = f"did the move of {unit.name} obey a rule that the pack names in words: {lack.what}?"
    return mover.told(f"{TOPIC} {lack.what}", text, unit, at)
