"""The input of a first pack, and guesses from it.

A guess about a kind of counter (whether it is a unit, its side, its class, the printed allowance) is only a
suggestion: a person looks at each counter before it is written.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from ...model.table import picture_name
from ..vassal.module import Module
from .census import Census, CounterKind
from .new_board import NewBoard
from .signs import (
    ALLOWANCE,
    CLASS,
    Sign,
    Wanted,
    attribute_candidates,
    guessed_side,
    looks_like_unit,
    side_candidates,
)

SURE_SHARE = 0.9
"""The share of a kind's moves from which the players' side is suggested as its side."""
LIKE = 3
"""How many kinds of one side must share a mark before the mark suggests the side of others."""
_FACTORS = re.compile(r"(?<![0-9A-Za-z.])[0-9]{1,2}(?:[-–][0-9]{1,2}){1,2}(?![0-9A-Za-z])")
_WORD = re.compile(r"[A-Za-zÀ-ÿ]+")
TYPES: Mapping[str, str] = {
    "infantry": "inf infantry infanterie foot rifle rifles fusilier fusiliers grenadier grenadiers",
    "armor": "arm armor armour armored armoured tank tanks pz panzer",
    "mechanized": "mec mech mechanized mechanised pzgr panzergrenadier",
    "motorized": "mot motor motorized motorised moto",
    "cavalry": "cav cavalry kav kavallerie cavalerie hussar hussars dragoon dragoons",
    "artillery": "art arty artillery artillerie cannon gun guns battery",
    "engineers": "eng engineer engineers pioneer pioneers pionier",
    "parachute": "para parachute paratroop airborne abn",
    "mountain": "mtn mountain gebirgs alpini",
    "reconnaissance": "rec recon recce reconnaissance",
    "headquarters": "hq headquarters",
    "leader": "ldr leader leaders general hero heroes",
    "supply": "supply sup depot truck trucks wagon",
    "militia": "militia landwehr partisan partisans",
}
"""Kinds of units, with the words for each on counters and in file names."""
_TYPE_OF = {word: kind for kind, words in TYPES.items() for word in words.split()}


@dataclass(frozen=True, slots=True)
class Proposed:
    """A suggested cell of ``units.csv``. ``why``: the reason, in words."""

    value: str
    why: str


Proposals = tuple[Proposed | None, ...]
"""One for each kind, in their order; None: no suggestion."""


def proposed_units(kinds: Sequence[CounterKind]) -> Proposals:
    """``yes`` or ``no`` for each kind that lies on the maps or was moved; without logs, for each."""
    of_logs = any(kind.moves or kind.on_board for kind in kinds)
    return tuple(
        _unit(kind) if kind.moves or kind.on_board or not of_logs else None for kind in kinds
    )


def _unit(kind: CounterKind) -> Proposed:
    if not looks_like_unit(kind):
        return Proposed(
            "no", "never moved" if not kind.moves else "its name or palette speaks of a marker"
        )
    return Proposed(
        "yes", f"moved {kind.moves} times" if kind.moves else "its name or palette speaks of a unit"
    )


def proposed_sides(kinds: Sequence[CounterKind], sides: Sequence[str]) -> Proposals:
    """The side of each kind: by its name, by who moved it, by its palette and prototypes, and last by marks
    that it shares with such kinds. None also if two of these contradict each other."""
    found = [_side(kind, sides) for kind in kinds]
    marks: dict[str, set[str]] = {}
    numbers: Counter[str] = Counter()
    for kind, one in zip(kinds, found, strict=True):
        if one is not None:
            for mark in _marks(kind):
                marks.setdefault(mark, set()).add(one.value)
                numbers[mark] += 1
    telling = {
        mark: set(told).pop()
        for mark, told in marks.items()
        if len(told) == 1 and numbers[mark] >= LIKE
    }
    return tuple(
        _alike(kind, telling, numbers) if one is None and not _sides_told(kind, sides) else one
        for kind, one in zip(kinds, found, strict=True)
    )


def _side(kind: CounterKind, sides: Sequence[str]) -> Proposed | None:
    told = _sides_told(kind, sides)
    if len({side for side, _ in told}) != 1:
        return None
    return Proposed(told[0][0], "; ".join(why for _, why in told))


def _sides_told(kind: CounterKind, sides: Sequence[str]) -> list[tuple[str, str]]:
    """The sides that different signs suggest, each with its sign."""
    told = []
    for text, where in ((kind.name, "its name"), (kind.image, "the name of its picture")):
        named = [
            side for side in sides if len(side) > 1 and text.casefold().startswith(side.casefold())
        ]
        if len(named) == 1:
            told.append((named[0], f"{where} begins with {named[0]}"))
            break
    mover = moved_by(kind, sides)
    if mover:
        number = kind.movers[mover]
        told.append((mover, f"{mover} moved it {number} of {kind.movers.total()} times"))
    palette = guessed_side(kind, sides)
    if palette:
        told.append((palette, "its palette or prototype says so"))
    return told


def moved_by(kind: CounterKind, sides: Sequence[str]) -> str:
    """The side whose players moved a kind, all but a few times; '' if there is none."""
    for side, number in kind.movers.most_common(1):
        if side in sides and number >= SURE_SHARE * kind.movers.total():
            return side
    return ""


def _marks(kind: CounterKind) -> set[str]:
    """Marks that several kinds may share: palette, prototypes, words of name and picture."""
    words = {w.casefold() for text in (kind.name, kind.image) for w in _WORD.findall(text)}
    return {*words, *kind.prototypes, kind.folder} - {""}


def _alike(kind: CounterKind, telling: Mapping[str, str], numbers: Counter[str]) -> Proposed | None:
    """The side that all significant marks of a kind suggest; none if they differ."""
    marks = [mark for mark in _marks(kind) if mark in telling]
    if len({telling[mark] for mark in marks}) != 1:
        return None
    best = max(marks, key=lambda mark: (numbers[mark], mark))
    return Proposed(telling[best], f"“{best}”, as {numbers[best]} others of this side")


def proposed_values(kinds: Sequence[CounterKind], wanted: Wanted) -> Proposals:
    """The allowance or the class of each kind; other attributes get no suggestions."""
    if wanted.name == ALLOWANCE:
        return tuple(_allowance(kind) for kind in kinds)
    if wanted.name != CLASS:
        return (None,) * len(kinds)
    found = tuple(_typed(kind, wanted.words) for kind in kinds)
    if sum(one is not None for one in found) * 2 > len(kinds):
        return found
    return max(
        found, _by_place(kinds, wanted), key=lambda all_: sum(one is not None for one in all_)
    )


def _texts(kind: CounterKind) -> tuple[tuple[str, str], ...]:
    """The texts of a kind that people wrote, the most significant first, each with its source."""
    return (
        *((label, "the text on it") for label in kind.labels),
        (kind.name, "its name"),
        (picture_name(kind.image), "the name of its picture"),
        *((name, "its prototype") for name in kind.prototypes),
        (kind.folder.rpartition("/")[2], "its palette"),
    )


def _allowance(kind: CounterKind) -> Proposed | None:
    """The last of the numbers on a counter: 6 of ``4-6``, 8 of ``3-5-8``."""
    for text, where in _texts(kind):
        factors = [found[0] for found in _FACTORS.finditer(text)]
        if len(factors) == 1:
            last = re.split("[-–]", factors[0])[-1]
            return Proposed(str(int(last)), f"{factors[0]} in {where}")
    return None


def _typed(kind: CounterKind, words: Sequence[str]) -> Proposed | None:
    """The kind of unit that a word stands for. ``words``: the existing classes; empty: any."""
    known = {word.casefold(): word for word in words}
    for text, where in _texts(kind):
        for word in map(str.casefold, _WORD.findall(text)):
            meant = _TYPE_OF.get(word)
            named = known.get(word) or (known.get(meant) if meant else None)
            if named is None and meant is not None and not known:
                named = meant
            if named is None and meant is not None:
                same = [w for key, w in known.items() if _TYPE_OF.get(key) == meant]
                named = same[0] if len(same) == 1 else None
            if named is not None:
                return Proposed(named, f"“{word}” in {where}")
    return None


def _by_place(kinds: Sequence[CounterKind], wanted: Wanted) -> Proposals:
    """The class by the place of a word in names or pictures, where one place has few words."""
    for one in attribute_candidates(kinds, wanted):
        for what in ("name", "image"):
            pattern = one.lookup.get(what)
            if isinstance(pattern, str):
                texts = [kind.name if what == "name" else kind.image for kind in kinds]
                found = [re.search(pattern, text) for text in texts]
                where = "its name" if what == "name" else "the name of its picture"
                return tuple(
                    None if one is None else Proposed(one[1], f"“{one[1]}” in {where}")
                    for one in found
                )
    return (None,) * len(kinds)


UNIT, SIDE = "unit", "side"
GUESSED_SIDE = "guessed side"
COLUMNS = ("name", "image", UNIT, SIDE)
"""The columns of ``units.csv`` before those of the ruleset's attributes."""


@dataclass(frozen=True)
class Known:
    """All input of a first pack. ``wanted``: the attributes the ruleset asks for; ``tables``: its tables as a
    pack begins them; ``signs``: possible sources of phases; ``made_by``: the program, the files; ``charts``:
    by name, the source from which to fill each chart that a pack can call complete; ``brought``: charts that
    the ruleset supplies completely; ``phases``, ``forms``: those of its game, in a pack's form;
    ``segments``: one line for each range of steps that may be a phase; ``played_with``: the modules that the
    logs name."""

    module: Module
    board: NewBoard
    sides: tuple[str, ...]
    census: Census
    signs: tuple[Sign, ...]
    ruleset: str
    wanted: tuple[Wanted, ...]
    tables: Mapping[str, Any]
    made_by: str
    charts: Mapping[str, str] = field(default_factory=dict)
    phases: tuple[Mapping[str, Any], ...] = ()
    forms: tuple[Mapping[str, Any], ...] = ()
    brought: tuple[str, ...] = ()
    segments: tuple[str, ...] = ()
    played_with: tuple[str, ...] = ()

    @property
    def attributes(self) -> tuple[Wanted, ...]:
        """The attributes asked for that can have a column of their own in ``units.csv``."""
        taken = {*COLUMNS, GUESSED_SIDE, "note", ""}
        found = []
        for want in self.wanted:
            name = want.name.lower()
            if name not in taken and cell_text(name) == name and not re.search("[,;\"']", name):
                taken.add(name)
                found.append(want)
        return tuple(found)

    @cached_property
    def has_rows(self) -> bool:
        """Whether ``units.csv`` can have a row: for a kind with a name or a picture."""
        return any(cell_text(kind.name) or cell_text(kind.image) for kind in self.census.kinds)

    @cached_property
    def guessed_sides(self) -> tuple[str, ...]:
        """The side of each kind by names, palettes and by who moved it; none if this covers no more units
        than the pieces' own properties."""
        best = max((one.found for one in side_candidates(self.units, self.sides)), default=0)
        every = proposed_sides(self.census.kinds, self.sides)
        guessed = tuple("" if one is None else one.value for one in every)
        units = set(map(id, self.units))
        told = [
            side for kind, side in zip(self.census.kinds, guessed, strict=True) if id(kind) in units
        ]
        return () if sum(map(bool, told)) <= best or len({*told} - {""}) < 2 else guessed

    @cached_property
    def proposed(self) -> Mapping[str, Proposals]:
        """By attribute, the values that names and pictures of the kinds suggest."""
        found = {want.name: proposed_values(self.census.kinds, want) for want in self.attributes}
        return {name: values for name, values in found.items() if any(values)}

    @property
    def units(self) -> tuple[CounterKind, ...]:
        """The kinds that are most like units: those that were moved; else those on the board; else all."""
        kinds = self.census.kinds
        likely = [kind for kind in kinds if looks_like_unit(kind)]
        return (
            tuple(likely) or self.census.moved() or tuple(k for k in kinds if k.on_board) or kinds
        )


def cell_text(text: str) -> str:
    """``text`` if a spreadsheet's cell can hold it unchanged; "" if it would be read as something else there,
    or as a formula."""
    plain = text.isprintable() and text == text.strip() and "*" not in text and len(text) <= 200
    return text if plain and not text.startswith(("#", "=", "+", "-", "@")) else ""
