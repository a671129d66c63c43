"""Suggestions for counters from the files, on sheets of pictures to look at.

A suggestion is in no file. A few of each value are typed blind first. Then a sheet shows all counters of one
value, and what a person confirms or corrects there is written into ``units.csv`` by the page.
"""

from __future__ import annotations

import random
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from ...importers.pack.known import (
    Proposals,
    Proposed,
    proposed_sides,
    proposed_units,
    proposed_values,
)
from ...importers.pack.signs import Wanted
from ...model.problem import UmpireError
from ..looking.blind import Blind, compared
from ..ruleset_needs import words_of
from .counter_kinds import Kind
from .keepsake import Checked, Checks
from .session import Studio
from .suggest_cells import Sheets, who_in
from .unit_columns import Column

FEW, LEAST = 2, 4
"""Counters typed blind: of each suggested value, and in total."""
MOST_BLIND = 24
MOST_ON_SHEET, ONE_GLANCE = 200, 30
"""Counters on one screen; fewer, to be taken in at a glance, if any typed blind differed."""
MOST_WRONG = 4
"""If more than one in this many was suggested wrongly, they are typed one by one."""
NOT_KNOWN = "?"


@dataclass(frozen=True, slots=True)
class Suggested:
    """Suggestions for one column of ``units.csv``, by the id of the kind; those moved most come first."""

    column: str
    of: Mapping[str, Proposed]
    words: tuple[str, ...] = ()
    """Other values allowed in the column."""
    rest: tuple[str, ...] = ()
    """The kinds without a value or a suggestion."""

    @property
    def kinds(self) -> tuple[str, ...]:
        """The values to choose from."""
        return tuple(dict.fromkeys((*self.values, *self.words)))

    @property
    def values(self) -> tuple[str, ...]:
        """The values, in order: numbers by size, words by frequency."""
        found = [one.value for one in self.of.values()]
        return tuple(
            sorted(dict.fromkeys(found), key=lambda v: (not v.isdigit(), _size(v), -found.count(v)))
        )


def _size(value: str) -> int:
    return int(value) if value.isdigit() else 0


@dataclass(slots=True)
class UnitSheet:
    """A sheet on a page. ``what``: blind (a few of each value), kind (all of one value, to be confirmed), or
    typed (each to be typed)."""

    id: str
    what: str
    column: str
    of: Mapping[str, Proposed]
    done: bool = False


@dataclass(slots=True)
class UnitDesk:
    """The desk of one studio. ``checks``: blind checks by column; a column and a kind that was left out, or
    could not be told."""

    checks: Checks
    shown: Sheets[UnitSheet] = field(default_factory=Sheets)

    def checked_of(self, suggested: Suggested) -> Checked | None:
        """The blind check of these suggestions; None if they must be typed blind first."""
        now = ((kind, one.value) for kind, one in suggested.of.items())
        return self.checks.of(suggested.column, now)


def desk_of(studio: Studio) -> UnitDesk:
    """The desk of a studio."""
    return studio.kept("unit sheets", lambda: UnitDesk(studio.keepsake.units))


def suggested_for(
    kinds: Sequence[Kind],
    told: Sequence[Mapping[str, Any]],
    columns: Sequence[Column],
    sides: Sequence[str],
    passed: Collection[tuple[str, ...]],
) -> Iterator[Suggested]:
    """Suggestions for kinds without a value. ``told``: the kinds as in :func:`.units_json`."""
    perhaps = [one["is"] == "perhaps" and bool(one["likely"]) for one in told]
    units = [n for n, one in enumerate(told) if one["is"] == "unit" or perhaps[n]]
    for place, column in enumerate(columns):
        among = range(len(kinds)) if column.role == "unit" else units
        census = [kinds[n].census for n in among]
        found: Proposals
        if column.role == "unit":
            found = proposed_units(census)
        elif column.role == "side":
            found = proposed_sides(census, sides)
        elif column.role == "attribute":
            words = () if column.allowed is None else words_of(column.allowed)
            found = proposed_values(census, Wanted(column.attribute, column.number, words))
        else:
            continue
        every = {
            told[n]["id"]: one
            for n, one in zip(among, found, strict=True)
            if _is_open(told[n], place, column) and (column.name, told[n]["id"]) not in passed
        }
        of = {kind: one for kind, one in every.items() if one is not None}
        rest = () if column.role == "unit" else tuple(every.keys() - of.keys())
        if of or rest:
            words = tuple(word for word in column.words if word != NOT_KNOWN)
            yield Suggested(column.name, of, words, tuple(k for k in every if k in rest))


def _is_open(one: Mapping[str, Any], place: int, column: Column) -> bool:
    """Whether a kind has no value in a column."""
    typed, _, counts = one["cells"][place]
    if column.role == "unit":
        return one["is"] == "perhaps" and typed in ("", NOT_KNOWN)
    return not typed and not counts


def suggestions_plain(desk: UnitDesk, suggested: Iterable[Suggested]) -> list[dict[str, Any]]:
    """As JSON, by column: the values with their number of kinds, and the blind check."""
    found = []
    for one in suggested:
        checked = desk.checked_of(one)
        blind = None if checked is None else checked.blind
        values = [each.value for each in one.of.values()]
        found.append(
            {
                "column": one.column,
                "values": [[value, values.count(value)] for value in one.values],
                "of": {kind: each.value for kind, each in one.of.items()},
                "rest": len(one.rest),
                "blind": None if blind is None else blind.plain(),
                "trusted": blind is not None and _is_trusted(blind),
            }
        )
    return found


def _is_trusted(blind: Blind) -> bool:
    return blind.wrong * MOST_WRONG <= blind.typed


def sheet_of(desk: UnitDesk, suggested: Suggested, value: str) -> UnitSheet:
    """The sheet of a value; before a blind check, a few of each value in random order. If any of those were
    wrong, the sheet comes in pieces of :data:`ONE_GLANCE`; if too many were, suggestions are not shown and
    each counter is typed. Without a ``value``: the kinds without a suggestion."""
    checked = desk.checked_of(suggested)
    if not value:
        what = "typed"
        shown = {kind: Proposed("", "") for kind in suggested.rest[:MOST_ON_SHEET]}
    elif checked is None:
        what, shown = "blind", _drawn(suggested)
    else:
        what = "kind" if _is_trusted(checked.blind) else "typed"
        of = [(kind, one) for kind, one in suggested.of.items() if one.value == value]
        shown = dict(of[: ONE_GLANCE if checked.differ else MOST_ON_SHEET])
    return desk.shown.keep(lambda name: UnitSheet(name, what, suggested.column, shown))


def _drawn(suggested: Suggested) -> dict[str, Proposed]:
    """A random few of each value."""
    lot = random.SystemRandom()
    few = max(1, min(max(FEW, LEAST // len(suggested.values)), MOST_BLIND // len(suggested.values)))
    found: list[tuple[str, Proposed]] = []
    for value in suggested.values:
        of = [(kind, one) for kind, one in suggested.of.items() if one.value == value]
        found += lot.sample(of, min(few, len(of)))
    lot.shuffle(found)
    return dict(found)


def look(
    studio: Studio, body: Mapping[str, Any], suggested: Mapping[str, Suggested], fault: Any
) -> Any:
    """Record a look at the counters of a sheet. ``said``: by place on it, a value, or null (cannot be told).
    ``rest``, for the others: confirm (they are as suggested), or nothing. ``seen``: the places of counters
    that were not left out; absent: all. The answer holds the ``values`` to write into the column, by kind.
    ``fault``: returns the error in a value, or ""."""
    desk, who = desk_of(studio), who_in(studio)
    with studio.lock:
        shown = desk.shown.find(body.get("sheet"))
        if shown.done:
            raise UmpireError("this sheet has been confirmed already: open the next one")
        said = dict(_said(shown, body.get("said"), fault))
        confirmed = shown.what == "kind" and body.get("rest") == "confirm"
        left = set(_left_out(shown, body.get("seen"))) - said.keys() if confirmed else set()
        of = {k: one for k, one in shown.of.items() if k not in left}
        values = {k: one.value for k, one in of.items() if confirmed and k not in said}
        values |= {kind: NOT_KNOWN if value is None else value for kind, value in said.items()}
        answer: dict[str, Any] = {
            "column": shown.column,
            "looked": sum(value != NOT_KNOWN for value in values.values()),
            "edits": [],
        }
        if shown.what == "blind":
            answer |= _blind(desk, shown, said, who, suggested.get(shown.column))
        unsaid = left | {kind for kind, value in said.items() if value is None}
        desk.checks.passed.update((shown.column, kind) for kind in unsaid)
        shown.done = True
    studio.keep()
    unknown = sum(value is None for value in said.values())
    return {**answer, "values": values, "not_known": unknown, "left_out": len(left)}


def _left_out(shown: UnitSheet, seen: object) -> Iterator[str]:
    """The counters of a sheet that a page does not list as seen."""
    if seen is None:
        return iter(())
    if not isinstance(seen, list):
        raise UmpireError("expected the places of the counters", where="seen")
    return (kind for place, kind in enumerate(shown.of) if place not in seen)


def _said(shown: UnitSheet, said: object, fault: Any) -> Iterator[tuple[str, str | None]]:
    kinds = list(shown.of)
    if said is not None and not isinstance(said, Mapping):
        raise UmpireError("expected what is said of each counter", where="said")
    for place, value in (said or {}).items():
        number = int(place) if str(place).isdecimal() else -1
        if not 0 <= number < len(kinds):
            raise UmpireError("is not a counter of the sheet", where=str(place)[:20])
        wrong = "" if value is None else fault(shown.column, str(value))
        if wrong:
            raise UmpireError(wrong)
        yield kinds[number], None if value is None else str(value).strip()


def _blind(
    desk: UnitDesk,
    shown: UnitSheet,
    said: Mapping[str, str | None],
    who: str,
    suggested: Suggested | None,
) -> dict[str, Any]:
    """The result of a blind check, and the edit that keeps it with the pack."""
    of = {kind: one.value for kind, one in shown.of.items()}
    blind = compared({kind: said.get(kind) for kind in of}, of)
    if blind.typed * 2 < len(of):
        raise UmpireError(
            "type at least half of the counters, or nothing can be said about the rest"
        )
    every = of if suggested is None else {k: one.value for k, one in suggested.of.items()} | of
    differ = tuple(
        (kind, value, of[kind]) for kind, value in said.items() if value not in (None, of[kind])
    )  # fmt: skip
    desk.checks.checked[shown.column] = Checked(blind, frozenset(every.items()), differ)
    return {
        "blind": blind.plain(),
        "trusted": _is_trusted(blind),
        "edits": [blind.kept("units", "column", shown.column, who, len(of))],
    }
