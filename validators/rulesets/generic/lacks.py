"""Rules of the game that these tables cannot express (``[[rules.lacks]]``): moves they affect stay open."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from functools import partial
from typing import Any

from ...concepts.completeness import Completeness
from ...concepts.requirements import read_requirements
from ...engine.clauses import ClauseFunction, forbid_move, interpretation
from ...engine.mover_view import MoverView
from .tables import Lack
from .terms import TOPIC

CLAUSE = "GEN-LACKS"


def read_lacks(
    plain: Iterable[Mapping[str, Any]], off: frozenset[str], complete: Completeness
) -> tuple[Lack, ...]:
    """The rows of ``[[rules.lacks]]``. If the chart is not whole, one more that may exist."""
    if CLAUSE in off:
        return ()
    unsaid = () if complete.has("lacks") else (Lack("a rule", "either", (), (), False),)
    told = tuple(
        Lack(
            row["what"],
            row.get("effect", "hinders"),
            read_requirements(row.get("if", ())),
            tuple(row.get("phases", ())),
        )
        for row in plain
    )
    return (*told, *unsaid)


def clauses_of(lacks: Iterable[Lack]) -> Iterator[ClauseFunction]:
    """The clauses of rules that these charts cannot express: one that may be broken, and, where a rule may
    help, that the move is one by it, without any limit."""
    for lack in lacks:
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
