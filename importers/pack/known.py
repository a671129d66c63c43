"""What a first pack is made from, and what of it can only be guessed."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from ..vassal.module import Module
from .census import Census, CounterKind
from .new_board import NewBoard
from .phase_signs import Sign
from .proposed_units import Proposals, proposed_sides, proposed_values
from .signs import Wanted, looks_like_unit, side_candidates

UNIT, SIDE = "unit", "side"
GUESSED_SIDE = "guessed side"
COLUMNS = ("name", "image", UNIT, SIDE)
"""The columns of ``units.csv`` before those of the ruleset's attributes."""


@dataclass(frozen=True)
class Known:
    """All that a first pack is made from. ``wanted``: the attributes the ruleset asks for; ``tables``: its
    tables as a pack begins them; ``signs``: what looks like phases; ``made_by``: the program, the files;
    ``charts``: by name, what each chart that a pack can call complete is filled in from; ``brought``: those
    that the ruleset brings whole; ``phases``, ``forms``: those of its game, as a pack has them; ``segments``:
    which steps of the logs may be which phase, a line each."""

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
        """The side of each kind by names, palettes and by who moved it; none where that tells of no more
        units than what the pieces themselves say."""
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
        """What names and pictures of the kinds suggest of attributes, by attribute."""
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
    """``text`` where a row of a spreadsheet can say just that; "" where it cannot: it would be read as
    something else there, or taken for a formula."""
    plain = text.isprintable() and text == text.strip() and "*" not in text and len(text) <= 200
    return text if plain and not text.startswith(("#", "=", "+", "-", "@")) else ""
