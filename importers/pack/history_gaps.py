"""Parts of a table's history that are not events of the game: differences between logs, steps that do not
follow from the table before, and moves of pieces that no rule covers."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from ...model.coverage import NOT_UNITS
from ...model.game import Gap, StepRef
from ...model.table import Piece, PieceGap, TableHistory
from .attributes import Reader
from .board import Places
from .unit_classification import UnitClass

BY_HAND = ("drag", "send", "state", "stack")
"""Ways in which a player puts a piece elsewhere, see :class:`.Displaced`."""


def gaps_of(history: TableHistory, roles: Mapping[str, UnitClass], places: Places) -> Iterable[Gap]:
    """Differences between a log's end and the next one's opening. Pieces that are not units and that some
    players may not know are left out, as they could not be shown."""
    for index, between in enumerate(history.gaps):
        for gap in between:
            role = roles.get(gap.id)
            pieces = [piece for piece in (gap.before, gap.after) if piece is not None]
            if role is None and any(piece.concealments for piece in pieces):
                continue
            name = role.public_name if role is not None else _name(pieces)
            before, after = (
                None if p is None else places.of(p.spot, p.location)
                for p in (gap.before, gap.after)
            )
            yield Gap(index + 2, gap.id, name, before, after, _detail(gap, before == after))


def _name(pieces: list[Piece]) -> str:
    return next((piece.own_name or piece.name for piece in pieces), "")


def _detail(gap: PieceGap, same_place: bool) -> str:
    told = []
    if gap.state_differs:
        told.append("its state differs")
    if gap.place_differs and same_place and gap.before is not None and gap.after is not None:
        told.append(f"pixel {gap.before.spot} before, {gap.after.spot} after")
    return "; ".join(told)


def integrity_of(history: TableHistory) -> Iterable[tuple[StepRef, str]]:
    """The steps in which something does not follow from the table before, and what."""
    for number, log in enumerate(history.logs, 1):
        engine_number = 0
        for step in log.steps:
            engine_number = step.engine_number or engine_number
            veiled = any(
                piece is not None and not piece.identity_is_open
                for change in step.changes
                for piece in (change.before, change.after)
            )
            for problem in step.problems:
                said = problem.message
                if veiled:  # the text names places that not everyone may know
                    said = f"does not follow from the table before it ({problem.code})"
                yield StepRef(number, engine_number), said


def unjudged(
    history: TableHistory, roles: Mapping[str, UnitClass], reader: Reader, places: Places
) -> Mapping[str, int]:
    """By reason, how many times everyone saw a piece moved that no rule covers, though by the pack it may be
    a unit, and it entered a hex."""
    found = 0
    for log in history.logs:
        for step in log.steps:
            changes = {change.id: (change.before, change.after) for change in step.changes}
            for displaced in step.displacements:
                pieces = [p for p in changes.get(displaced.piece, ()) if p is not None]
                if displaced.by not in BY_HAND or not pieces:
                    continue
                if any(p.concealments or reader.is_excluded(p) for p in pieces):
                    continue
                role = roles.get(displaced.piece)
                if role is not None and not role.perhaps:
                    continue
                if not reader.pack.units.whole or (role is not None and role.is_mask):
                    target = places.of(displaced.target, displaced.target_location)
                    found += target.kind == "hex"
    return {NOT_UNITS: found} if found else {}
