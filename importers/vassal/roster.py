"""The players at the table: their labels and sides; and persons who move counters without a seat.

A player's id is his password. Commands contain it; it is looked up here and never leaves.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from ...model.problem import Problem
from ...model.table import Participant
from .commands import MovePiece, Player, decode_command
from .savefile import SaveFile

OBSERVER = "<observer>"
_LONG = 5
_BETWEEN = re.compile(r"[;,|:/\s\\]+")


@dataclass(slots=True)
class _Seat:
    """What is known about one player id now. ``met``: a command says that the id is a player's; otherwise
    only a concealed piece names it."""

    label: str
    id: str = field(repr=False)
    name: str = ""
    side: str = ""
    seated: bool = False
    met: bool = False


class Roster:
    """Players by id. Labels (``player 1`` …) go by order of first mention and never change; one
    roster serves all logs of a game. The empty id is nobody's: it fits any player without password."""

    def __init__(self) -> None:
        self._seats: dict[str, _Seat] = {}

    def __repr__(self) -> str:
        return f"Roster({len(self._seats)} players)"

    def _seat(self, id_text: str) -> _Seat:
        seat = self._seats.get(id_text)
        if seat is None:
            seat = self._seats[id_text] = _Seat(f"player {len(self._seats) + 1}", id_text)
        return seat

    def clear_table(self) -> None:
        """A new table is set up: nobody sits at it yet; labels stay."""
        for seat in self._seats.values():
            seat.seated = False

    def sit(self, id_text: str, name: str, side: str) -> None:
        """A ``PLAYER`` command: the player takes (or changes to) a side."""
        seat = self._seat(id_text)
        seat.met = True
        seat.name, seat.seated = name, True
        seat.side = "" if side == OBSERVER else side

    def tie(self, id_text: str, to: str) -> None:
        """Two ids are one player's: he has a new password."""
        self._seats[id_text] = self._seat(to)

    def is_tied(self, id_text: str) -> bool:
        """Whether this is another id of a player."""
        seat = self._seats.get(id_text)
        return seat is not None and seat.id != id_text

    @property
    def _everybody(self) -> list[_Seat]:
        """All seats in order of first mention, each once however many ids he has."""
        return list({id(seat): seat for seat in self._seats.values()}.values())

    def leave(self, id_text: str) -> None:
        """A ``PYREMOVE`` command."""
        seat = self._seats.get(id_text)
        if seat is not None:
            seat.seated = False

    def participant(self, id_text: str | None) -> Participant | None:
        """The player of this id, even if he never took a seat; None for an empty id."""
        if not id_text:
            return None
        seat = self._seat(id_text)
        seat.met = True
        return Participant(seat.label, seat.name, seat.side)

    @property
    def is_empty(self) -> bool:
        """Is no player known at all?"""
        return not any(seat.met for seat in self._seats.values())

    def is_player(self, text: str) -> bool:
        """Is this the id of a player?"""
        seat = self._seats.get(text)
        return seat is not None and seat.met and text != ""

    def is_side(self, text: str) -> bool:
        """Does, or did, a player play the side of this name?"""
        return text != "" and any(seat.side == text for seat in self._seats.values())

    def named_in(self, text: str) -> str | None:
        """The id of a player that a text contains, in any spelling; None: it contains none. Short ids count
        only as separate words."""
        words: frozenset[str] | None = None
        for id_text, seat in self._seats.items():
            if seat.met and id_text and id_text in text:
                if words is None:
                    words = frozenset(_BETWEEN.split(text))
                if len(id_text) >= _LONG or id_text in words or text == id_text:
                    return id_text
        return None

    def owners(self, id_text: str) -> frozenset[str]:
        """Label and side of the player who owns something."""
        if not id_text:
            return frozenset()
        seat = self._seat(id_text)
        return frozenset(word for word in (seat.label, seat.side) if word)

    def named(self, name: str) -> Participant | None:
        """The one player of this name; None if there is none or several."""
        found = [seat for seat in self._everybody if seat.name == name and name]
        return Participant(found[0].label, name, found[0].side) if len(found) == 1 else None

    @property
    def seated(self) -> tuple[Participant, ...]:
        """Everybody at the table now, in order of first mention."""
        return tuple(
            Participant(seat.label, seat.name, seat.side) for seat in self._everybody if seat.seated
        )


def players_in(save: SaveFile) -> tuple[Player, ...]:
    """All who take a seat: in the opening of a log, then in its steps."""
    texts = (*save.opening, *(text for step in save.steps for text in step.leaves))
    found = (decode_command(text) for text in texts if text.startswith("PLAYER\t"))
    return tuple(one for one in found if isinstance(one, Player))


def movers_in(save: SaveFile) -> tuple[str, ...]:
    """Ids (passwords, shown nowhere) of all who move counters in the steps of a log, in order."""
    texts = (text for step in save.steps for text in step.leaves if text.startswith("M/"))
    found = (decode_command(text) for text in texts)
    moves = (one.player for one in found if isinstance(one, MovePiece))
    return tuple(dict.fromkeys(player for player in moves if player))


def without_seat(save: SaveFile) -> tuple[str, ...]:
    """Ids of those who move counters in a log and take no seat in it, in the order of their first moves."""
    seated = {player.id for player in players_in(save)}
    return tuple(one for one in movers_in(save) if one not in seated)


def tie(roster: Roster, save: SaveFile, same: Sequence[str]) -> Iterator[Problem]:
    """Identify the persons who move in a log without a seat, in order, with the seated players ``same``
    (sides or names). Gives a problem for each who does not exist."""
    movers = [one for one in without_seat(save) if not roster.is_tied(one)]
    for number, who in enumerate(same):
        seats = dict.fromkeys(p.id for p in players_in(save) if p.id and who in (p.side, p.name))
        if number >= len(movers):
            why = "nobody else moves counters there without a seat"
        elif len(seats) != 1:
            why = "expected the side or the name of one player who has a seat there"
        else:
            roster.tie(movers[number], *seats)
            continue
        yield Problem("same-player", f'[[same_player]] is = "{who}": {why}', save.where)
