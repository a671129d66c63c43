"""Prohibitions: breaches that forbid a move, and missing facts that decide whether something forbids it."""

from __future__ import annotations

from collections.abc import Iterator

from ....model.fact import MissingFact
from ...ruleset import Breach, WeightedFact
from .tables import Tables

Prohibition = Breach | WeightedFact


def breaches(tables: Tables, clause: str, text: str) -> Iterator[Breach]:
    """The breach of a clause; nothing if the clause is switched off."""
    if tables.applies(clause):
        yield Breach(f"WAR-{clause}", text, "")


def prohibitions_if(
    tables: Tables, holds: bool | None, clause: str, text: str, asked: MissingFact
) -> Iterator[Prohibition]:
    """The breach of a clause if ``holds``; the missing fact ``asked`` if that is None (not known). Nothing if
    it does not hold or the clause is switched off."""
    if holds is not False:
        yield from (b if holds else WeightedFact(asked) for b in breaches(tables, clause, text))
