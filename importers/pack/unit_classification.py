"""Who plays in a game: the units and markers among all pieces, and who may know of them."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from ...model.problem import Problem
from ...model.table import Piece, TableHistory, picture_name
from ...model.unit import NAMELESS, Kind
from .attributes import Reader
from .facts import Facts
from .seen_history import Mask

HIDDEN_NAME = "a hidden counter"
"""What everyone may call a unit whose very presence not everyone may know."""


@dataclass(slots=True)
class UnitClass:
    """A piece that is a unit or marker: what stays the same all game long.

    ``first`` is the piece as it was first seen; ``public_name`` what everyone may call it;
    ``seen_by`` the sides that may know all of it all the time, None: everyone. ``perhaps``: the pack does not
    say that it is a unit, nor that it is none.
    """

    first: Piece
    kind: Kind
    side: str | None
    public_name: str
    seen_by: tuple[str, ...] | None = None
    perhaps: bool = False
    ever_open: bool = False
    _veils: set[str] = field(default_factory=set)

    @property
    def is_mask(self) -> bool:
        """Whether it is a mask, which may lie on a unit or not."""
        return isinstance(self.first.facts, Mask)

    def see(self, piece: Piece, sides: tuple[str, ...]) -> None:
        """Take note of who may know the piece as it now is."""
        concealments = piece.concealments
        if not concealments:
            self.ever_open = True
            return
        self._veils.update(c.kind for c in concealments)
        if self.ever_open and "private" in self._veils:
            self._veils.add("hidden")  # in a hand once more: where it is now, others must not learn
        may = tuple(s for s in sides if all(c.open_to((s,)) for c in concealments))
        before = sides if self.seen_by is None else self.seen_by
        self.seen_by = tuple(s for s in before if s in may)
        if not piece.presence_is_open:
            self.public_name = HIDDEN_NAME
        elif self.public_name != HIDDEN_NAME:
            self.public_name = piece.name or HIDDEN_NAME

    def settle(self) -> None:
        """What only lay in a deck or on a private map before it came to light is open now."""
        if self.ever_open and not self._veils & {"hidden", "masked"}:
            self.seen_by = None
            self.public_name = _called(self.first, self.kind)


def _called(piece: Piece, kind: Kind) -> str:
    """The name of a piece, for those who may know what it is."""
    return piece.basic_name or piece.name or (kind == "unit" and piece.own_name) or NAMELESS


def classify_units(
    history: TableHistory, reader: Reader, sides: tuple[str, ...]
) -> dict[str, UnitClass]:
    """All units and markers of all logs, by piece id.

    A piece that was ever hidden or masked stays restricted to the sides that could know it all the
    time, even if it was revealed later.
    """
    roles: dict[str, UnitClass] = {}
    passed_over: set[str] = set()
    for piece in history.appearances():
        if piece.id in passed_over:
            continue
        role = roles.get(piece.id)
        if isinstance(piece.facts, Mask):
            whose = [side for side in sides if side in piece.facts.owners]
            side = whose[0] if len(whose) == 1 else None
            name = piece.name or NAMELESS
            roles[piece.id] = role or UnitClass(piece, "unit", side, name, perhaps=True)
            continue
        if role is None:
            kind, perhaps = reader.kind(piece), False
            if kind is None:
                perhaps = not reader.is_excluded(piece) and reader.side(piece) in sides
                if reader.pack.units.whole or not perhaps:
                    passed_over.add(piece.id)
                    continue
            side, kind = reader.side(piece), kind or "unit"
            role = UnitClass(piece, kind, side, _called(piece, kind), perhaps=perhaps)
            roles[piece.id] = role
        elif role.side is not None and reader.side(piece) != role.side:
            role.side = None  # a counter that changes sides is of neither for certain
        role.see(piece, sides)
    for role in roles.values():
        role.settle()
    return roles


_PIECE_ID = re.compile(r"[0-9]{10,}")
"""VASSAL numbers pieces by the clock, in milliseconds."""


class UnitNames:
    """Finds the unit a fact speaks of, by id or by name. ``names``: what each id is called."""

    def __init__(self, names: Mapping[str, Iterable[str]]) -> None:
        self._ids = frozenset(names)
        self._named: dict[str, list[str]] = {}
        for id_text, called in names.items():
            for name in dict.fromkeys(called):
                if name and name not in (HIDDEN_NAME, NAMELESS):
                    self._named.setdefault(name, []).append(id_text)

    @classmethod
    def of(cls, roles: Mapping[str, UnitClass]) -> UnitNames:
        """Those of the units and markers of a game: what each is called, whoever may know it, and what
        everyone may call it."""
        return cls(
            {
                u: (r.first.basic_name or picture_name(r.first.image), r.public_name)
                for u, r in roles.items()
            }
        )

    def find(self, text: str) -> str | None:
        """The id of the one unit meant; None if there is none, or several."""
        if text in self._ids:
            return text
        found = self._named.get(text, [])
        return found[0] if len(found) == 1 else None

    def is_id_of_none(self, text: str) -> bool:
        """Whether ``text`` is the id of a piece that the logs do not have."""
        return _PIECE_ID.fullmatch(text) is not None and text not in self._ids | self._named.keys()

    def fault(self, text: str, source: str) -> Problem:
        """Why :meth:`find` found none."""
        several = self._named.get(text, [])
        told = f"{text}, which {len(several)} units are called" if several else text
        hint = f" (ids: {', '.join(several[:5])})" if several else ""
        message = f"expected the id or the name of one unit; found {told}{hint}"
        return Problem("facts", message, source, "error")


def declared_sides(facts: Facts, names: UnitNames) -> tuple[dict[str, str], Iterable[Problem]]:
    """The sides the facts give units, by unit id; and which units cannot be told."""
    sides: dict[str, str] = {}
    problems: list[Problem] = []
    for fact in facts.units:
        unit = names.find(fact.unit)
        if unit is None:
            problems.append(names.fault(fact.unit, fact.source))
        elif fact.side is not None:
            sides[unit] = fact.side
    return sides, problems
