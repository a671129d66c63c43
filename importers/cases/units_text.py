"""The counters of a case: ``a Red 0101 ma=4 class=foot``."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from ...model.board import Hex
from ...model.fact import Fact
from ...model.game import Place
from ...model.unit import Unit
from .words import Blame, Faults, fact_in, pairs_in, place_in, words_in

RESERVED = ("name", "kind", "seen_by")
"""What is said of a counter beside its attributes."""

_VALUE = "a value such as 4, 7/2, foot, a|b, 4..6 or ?"


@dataclass(frozen=True, slots=True)
class CaseUnits:
    """The units of a case, where they begin, and their sides in order of appearance."""

    units: Mapping[str, Unit]
    opening: Mapping[str, Place]
    sides: tuple[str, ...]


def read_units(
    rows: Sequence[str],
    attributes: Mapping[str, str | int | bool],
    hexes: Mapping[str, Hex],
    faults: Faults,
    path: tuple[str | int, ...],
) -> CaseUnits:
    """The units of ``rows``. ``attributes`` are those of every unit that does not say otherwise."""
    units: dict[str, Unit] = {}
    opening: dict[str, Place] = {}
    usual: dict[str, Fact] = {}
    for key, value in attributes.items():
        fact = fact_in(value)
        if fact is None:
            faults.at(*path[:-1], "attributes", key)(_VALUE, f'"{value}"')
        else:
            usual[key] = fact
    for index, row in enumerate(rows):
        blame = faults.at(*path, index)
        words = words_in(row, blame)
        if words is None:
            continue
        if len(words) < 3 or "=" in "".join(words[:3]):
            blame('id, side and hex, such as "a Red 0101 ma=4"', f'"{row}"')
            continue
        where = place_in(words[2], hexes)
        if words[0] in units:
            blame("each unit once", f"{words[0]} again")
        elif where is None:
            blame("a hex of the board, a [box], or -", words[2])
        else:
            units[words[0]] = _unit(words, usual, blame)
            opening[words[0]] = where
    sides = dict.fromkeys(unit.side for unit in units.values() if unit.side is not None)
    return CaseUnits(units, opening, tuple(sides))


def _unit(words: list[str], usual: Mapping[str, Fact], blame: Blame) -> Unit:
    given = pairs_in(words[3:], blame)
    facts = dict(usual)
    for key, value in given.items():
        fact = fact_in(value)
        if fact is None:
            blame(_VALUE, f'"{key}={value}"')
        elif key not in RESERVED:
            facts[key] = fact
    kind = given.get("kind", "unit")
    if kind not in ("unit", "marker"):
        blame("kind=unit or kind=marker", f'"kind={kind}"')
    seen_by = given.get("seen_by")
    return Unit(
        id=words[0],
        name=given.get("name", words[0]),
        side=None if words[1] == "?" else words[1],
        kind="marker" if kind == "marker" else "unit",
        attributes=facts,
        seen_by=None if seen_by is None else tuple(seen_by.split("+")),
    )
