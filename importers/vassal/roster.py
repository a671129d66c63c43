"""Who sits at the table: labels for players, and the sides they play.

A player's id is his password. It comes in with commands, is looked up here and stays here.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from ...model.table import Participant

OBSERVER = "<observer>"


@dataclass(slots=True)
class _Seat:
    """What is known of one player id at the moment."""

    label: str
    id: str = field(repr=False)
    name: str = ""
    side: str = ""
    seated: bool = False


class Roster:
    """Players by id. Labels (``player 1`` …) go by order of first mention and never change; one
    roster serves all logs of a game. The empty id is nobody's: it fits any player without password."""

    def __init__(self) -> None:
        self._seats: dict[str, _Seat] = {}
        self._fixed = False

    def watching(self) -> Roster:
        """The same players and labels, but nobody sits down or leaves through it: for opening a
        table a second time."""
        other = Roster()
        other._seats, other._fixed = self._seats, True
        return other

    def __repr__(self) -> str:
        return f"Roster({len(self._seats)} players)"

    def _seat(self, id_text: str) -> _Seat:
        seat = self._seats.get(id_text)
        if seat is None:
            seat = self._seats[id_text] = _Seat(f"player {len(self._seats) + 1}", id_text)
        return seat

    def clear_table(self) -> None:
        """A new table is set up: nobody sits at it yet; labels stay."""
        for seat in () if self._fixed else self._seats.values():
            seat.seated = False

    def sit(self, id_text: str, name: str, side: str) -> None:
        """A ``PLAYER`` command: the player takes (or changes to) a side."""
        seat = self._seat(id_text)
        if self._fixed:
            return
        seat.name, seat.seated = name, True
        seat.side = "" if side == OBSERVER else side

    def leave(self, id_text: str) -> None:
        """A ``PYREMOVE`` command."""
        seat = self._seats.get(id_text)
        if seat is not None and not self._fixed:
            seat.seated = False

    def participant(self, id_text: str | None) -> Participant | None:
        """The player of this id, whether or not he ever sat down; None for no id."""
        if not id_text:
            return None
        seat = self._seat(id_text)
        return Participant(seat.label, seat.name, seat.side)

    def owners(self, id_text: str) -> frozenset[str]:
        """Label and side of the player who owns something."""
        if not id_text:
            return frozenset()
        seat = self._seat(id_text)
        return frozenset(word for word in (seat.label, seat.side) if word)

    def named(self, name: str) -> Participant | None:
        """The one player of this name; None if there is none or several."""
        found = [seat for seat in self._seats.values() if seat.name == name and name]
        return Participant(found[0].label, name, found[0].side) if len(found) == 1 else None

    @property
    def seated(self) -> tuple[Participant, ...]:
        """Everybody at the table now, in order of first mention."""
        return tuple(
            Participant(seat.label, seat.name, seat.side)
            for seat in self._seats.values()
            if seat.seated
        )
