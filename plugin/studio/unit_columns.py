"""The columns of ``units.csv`` as the studio shows them: their subject, the values allowed, other places
where the pack reads the same, and places that the files suggest."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import zip_longest
from typing import Any, Literal

from ...importers.pack.cells import cell_fact, exact_number
from ...importers.pack.census import CounterKind
from ...importers.pack.edit.change import toml_edit
from ...importers.pack.known import SIDE, UNIT
from ...importers.pack.load import MATCH_COLUMNS
from ...importers.pack.pack import Lookup, Pack
from ...importers.pack.signs import (
    ALLOWANCE,
    CLASS,
    Wanted,
    attribute_candidates,
    side_candidates,
)
from ...validators.allowed_facts import Allowed
from ..ruleset_needs import words_of

Role = Literal["unit", "side", "attribute", "other"]
SEPARATE = re.compile("[,;\"'\t\r\n]")
LONGEST_CELL = 500


@dataclass(frozen=True, slots=True)
class Column:
    """A column of ``units.csv``. ``attribute``: the one it holds. ``allowed``: its values; None: the ruleset
    does not need it, or it is not an attribute. ``looks``: all places where the pack reads it, possibly this
    column among them. ``said``: the pack's present entry, as plain values; None: none."""

    name: str
    role: Role
    attribute: str = ""
    allowed: Allowed | None = None
    looks: tuple[Lookup, ...] = ()
    said: Any = None
    words: tuple[str, ...] = ()

    @property
    def number(self) -> bool:
        """Whether its cells are numbers."""
        own = [look for look in self.looks if look.kind == "column"]
        return any(look.number for look in own) or (
            not own and self.allowed is not None and self.allowed.kind == "number"
        )

    @property
    def counts(self) -> bool:
        """Whether the pack reads it."""
        return self.role == "unit" or any(self.reads(look) for look in self.looks)

    @property
    def said_allowed(self) -> str:
        """The values allowed in it, in words; "" for any."""
        if self.role == "unit":
            return "yes, no or ?"
        if self.number:
            return "a number, 6|8 (one of them), 6..8 (between), ?"
        return f"{', '.join(self.words)}, a|b (one of them), ?" if self.words else ""

    def reads(self, look: Lookup) -> bool:
        """Whether ``look`` reads this column."""
        return look.kind == "column" and look.what.lower() == self.name

    def fault(self, text: str) -> str:
        """The error in a cell, in one line; "" if there is none."""
        cell = text.strip()
        if not cell or cell == "?":
            return ""
        if len(cell) > LONGEST_CELL or "\n" in cell or "\r" in cell:
            return f"{self.name}: expected one line of at most {LONGEST_CELL} characters"
        expected, wrong = self._wrong(cell)
        return f"{self.name}: expected {expected}; found {wrong[0]}" if wrong else ""

    def _wrong(self, cell: str) -> tuple[str, list[str]]:
        """What a cell should hold, and the part of it that does not fit."""
        if self.role == "unit":
            return "yes, no, ? or nothing", [] if cell.lower() in ("yes", "no") else [cell]
        if self.number:
            fact = cell_fact(cell, None, True, "")
            if fact is None:
                return "a number, 6|8, 6..8, ? or nothing", [cell]
            signed = self.allowed is None or self.allowed.signed
            below = not signed and fact.low is not None and fact.low < 0
            return "a number that is 0 or more", [cell] if below else []
        maps = [look.map for look in self.looks if self.reads(look) and look.map is not None]
        parts = [part.strip() for part in cell.split("|")]
        listed = sorted({key for one in maps for key in one}) if maps else list(self.words)
        if maps or self.role == "side":
            known = [*listed] if maps or self.words else parts
            return f"one of {', '.join(listed)}", [part for part in parts if part not in known]
        if self.allowed is None or (self.allowed.kind == "words" and not words_of(self.allowed)):
            return "", []
        takes = self.allowed.takes
        return self.allowed.said, [part for part in parts if not takes(exact_number(part) or part)]

    def plain(self) -> dict[str, Any]:
        """As JSON values."""
        kind = "text" if self.allowed is None else self.allowed.kind
        question = "" if self.allowed is None else self.allowed.question
        return {
            "name": self.name,
            "role": self.role,
            "attribute": self.attribute,
            "kind": {"unit": "yes-no", "side": "words"}.get(
                self.role, "number" if self.number else kind
            ),
            "words": list(self.words),
            "question": question.format("it") if question.count("{}") == 1 else question,
            "allowed": self.said_allowed,
            "counts": self.counts,
            "read": [said_of(look) for look in self.looks if not self.reads(look)],
            "patterns": [look.what for look in self.looks if look.pattern is not None],
            "bind": self.binding(),
        }

    def binding(self) -> list[dict[str, Any]]:
        """The edits that make the pack read the column; none if it does."""
        if self.counts or self.role in ("unit", "other"):
            return []
        lookup: dict[str, Any] = {"column": self.name}
        if self.role == "attribute" and self.number:
            lookup["number"] = True
        path: list[str | int] = (
            ["units", SIDE] if self.role == "side" else ["units", "attributes", self.attribute]
        )
        # typed values take precedence over values read
        now = lookup if self.said is None else [lookup, *_listed(self.said)]
        return [toml_edit(path, self.said, now)]


def columns_of(
    pack: Pack, allowed: Mapping[str, Allowed], sides: Sequence[str]
) -> tuple[Column, ...]:
    """The existing columns, and possible ones for what the ruleset needs."""
    units = _plain_units(pack)
    there = (
        []
        if pack.counters is None
        else [n for n in pack.counters.columns if n not in MATCH_COLUMNS]
    )
    unit = unit_column(pack)
    side = _own_column(pack.units.side, SIDE)
    found = [
        Column(unit, "unit", words=("yes", "no", "?")),
        Column(side, "side", looks=pack.units.side, said=units.get("side"), words=tuple(sides)),
    ]
    told = units.get("attributes", {})
    first = (name for name in (CLASS, ALLOWANCE) if name in allowed)
    for name in dict.fromkeys((*first, *allowed, *pack.units.attributes)):
        looks = pack.units.attributes.get(name, ())
        column = _own_column(looks, name.lower())
        if column in {one.name for one in found} or (not looks and SEPARATE.search(column)):
            continue
        may_be = allowed.get(name)
        words = () if may_be is None else words_of(may_be)
        if may_be is not None and may_be.kind == "yes-no":
            words = ("yes", "no", *may_be.words)
        mapped = [look.map for look in looks if look.kind == "column" and look.map is not None]
        if mapped:
            words = tuple(dict.fromkeys(key for one in mapped for key in one))
        found.append(Column(column, "attribute", name, may_be, looks, told.get(name), words))
    taken = {one.name for one in found}
    found.extend(Column(name, "other") for name in there if name not in taken)
    return tuple(found)


def unit_column(pack: Pack) -> str:
    """The column that says whether something is a unit."""
    columns = [s.column for s in pack.units.are if s.column and s.values and "yes" in s.values]
    return columns[0] if columns else UNIT


def unit_binding(pack: Pack) -> list[dict[str, Any]]:
    """The edits that make the pack read the column of units; none if it does."""
    units, column = _plain_units(pack), unit_column(pack)
    edits = []
    for key, word, selectors in (
        ("are", "yes", pack.units.are),
        ("not", "no", pack.units.excluded),
    ):
        if not any(s.column == column and s.values == frozenset({word}) for s in selectors):
            row = {"column": column, "values": [word]}
            edits.append(toml_edit(["units", key, len(units.get(key, ()))], None, row))
    return edits


def guesses(
    kinds: Sequence[CounterKind], columns: Iterable[Column], sides: Sequence[str]
) -> Iterator[dict[str, Any]]:
    """Places where side and attributes might be read, guessed from the counters, each with the edit that
    adopts it: the likeliest place of each first, then the second of each. Places that the pack reads already
    are left out."""
    each = [list(_guesses_of(kinds, column, sides)) for column in columns]
    for row in zip_longest(*each):
        yield from (one for one in row if one is not None)


def _guesses_of(
    kinds: Sequence[CounterKind], column: Column, sides: Sequence[str]
) -> Iterator[dict[str, Any]]:
    if column.role == "side":
        found = side_candidates(kinds, sides)
    elif column.role == "attribute" and column.allowed is not None:
        want = Wanted(column.attribute, column.number, words_of(column.allowed))
        found = attribute_candidates(kinds, want)
        if (
            column.attribute == CLASS
        ):  # words of names are looked at on sheets: any of them may be a side
            found = [one for one in found if not {"name", "image"} & one.lookup.keys()]
    else:
        return
    path = ["units", SIDE] if column.role == "side" else ["units", "attributes", column.attribute]
    for one in found:
        lookup = dict(one.lookup)
        if lookup in _listed(column.said):
            continue
        now = [*_listed(column.said), lookup] if column.said is not None else lookup
        yield {
            "about": column.attribute or SIDE,
            "column": column.name,
            "where": one.where or " ".join(map(str, next(iter(lookup.items())))),
            "found": one.found,
            "of": one.of,
            "values": [list(value) for value in one.values[:8]],
            "more": max(0, len(one.values) - 8),
            "edit": toml_edit(path, column.said, now),
        }


def said_of(look: Lookup) -> str:
    """A lookup in words: ``property MA``."""
    match look.kind:
        case "value":
            return f"always {look.value}"
        case "marker":
            return "markers that lie with it"
        case "name" | "image":
            return f"its {'name' if look.kind == 'name' else 'picture'}"
    return f"{look.kind} {look.what}"


def _plain_units(pack: Pack) -> Mapping[str, Any]:
    found = pack.values.get("units", {})
    return found if isinstance(found, Mapping) else {}


def _own_column(looks: Sequence[Lookup], otherwise: str) -> str:
    return next((look.what.lower() for look in looks if look.kind == "column"), otherwise)


def _listed(said: Any) -> list[Any]:
    if said is None:
        return []
    return list(said) if isinstance(said, list) else [said]
