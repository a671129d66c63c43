"""Flags: pieces that stand on a hex for as long as a finding is of interest.

A flag is drawn by the engine from its text alone (``VASSAL.counters.Labeler``): it needs no image and no
slot, so that every module shows it. It stacks with nothing and snaps to nothing.
"""

from __future__ import annotations

from dataclasses import dataclass

from ...importers.vassal.commands import AddPiece, RemovePiece
from ...importers.vassal.pieces import BasicPiece, GamePiece, encode_piece
from ...importers.vassal.traits.catalogue import Immobilized, Labeler
from ...model.finding import FindingKind

NAME = "umpire's flag"
_WHITE = "255,255,255"
COLOURS: dict[FindingKind, str] = {
    "illegal-move": "192,38,28",
    "overstack": "192,38,28",
    "missed-mp-cost": "192,38,28",
    "unverifiable": "168,106,0",
}
"""Kinds of findings that get a flag, and its colour (red, green, blue)."""

_TEXT_SIZE = 12


@dataclass(frozen=True, slots=True)
class Flag:
    """A flag at pixel ``x``, ``y`` of a map; ``text`` is what it says."""

    id: str
    map: str
    x: int
    y: int
    text: str
    kind: FindingKind

    def raised(self) -> AddPiece:
        """The command that puts it up."""
        label = Labeler(
            font_size=_TEXT_SIZE,
            background=COLOURS[self.kind],
            foreground=_WHITE,
            vertical_position="t",
            vertical_offset=-24,
            name_format=NAME,
            style=1,
            always_use_format=True,
            label=self.text,
        )
        fixed = Immobilized(select="ng", move="V", stack="R")
        base = BasicPiece(name=NAME, map=self.map, x=self.x, y=self.y, gpid="", properties=())
        type_text, state = encode_piece(GamePiece((fixed, label), base))
        return AddPiece(self.id, type_text, state)

    def lowered(self) -> RemovePiece:
        """The command that takes it down."""
        return RemovePiece(self.id)
