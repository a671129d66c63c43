"""Who plays in a log, as its opening tells, and whether any of them is known to a game."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field

from ...importers.vassal.commands import Player, decode_command
from ...importers.vassal.roster import OBSERVER, movers_in, without_seat
from ...importers.vassal.savefile import SaveFile


@dataclass(frozen=True, slots=True)
class Seat:
    """Somebody at the table. ``id`` is his password and is shown nowhere, "" where nobody has told it;
    ``side`` is "" for an observer."""

    name: str
    side: str
    id: str = field(default="", repr=False)

    @property
    def said(self) -> str:
        name = self.name or "somebody without a name"
        return f"{name} as {self.side}" if self.side else name

    def may_be(self, other: Seat) -> bool:
        """Whether both may be the same player, on the same side as far as either has one."""
        same = self.id == other.id if self.id and other.id else False
        same = same or (bool(self.name) and self.name.casefold() == other.name.casefold())
        return same and (self.side == other.side or not (self.side and other.side))


def seats_of(save: SaveFile) -> tuple[Seat, ...]:
    """Everybody of whom the opening of a log tells, each once."""
    found = (decode_command(text) for text in save.opening if text.startswith("PLAYER\t"))
    return tuple(dict.fromkeys(_seats(one for one in found if isinstance(one, Player))))


def _seats(players: Iterable[Player]) -> Iterator[Seat]:
    for one in players:
        if one.name or one.id:
            yield Seat(one.name, "" if one.side == OBSERVER else one.side, one.id)


def may_have_new_id(save: SaveFile, tied: Iterable[str]) -> tuple[Seat, ...]:
    """Players with a side who move nothing in a log in which somebody without a seat, whose id is none of
    ``tied``, moves counters: one of them may have a new password. Empty: there is nobody such."""
    if not set(without_seat(save)).difference(tied):
        return ()
    movers = set(movers_in(save))
    return tuple(one for one in seats_of(save) if one.side and one.id not in movers)


def named_seats(players: Mapping[str, str]) -> tuple[Seat, ...]:
    """Those of ``game.toml``: side → player."""
    return tuple(Seat(name, side) for side, name in players.items())


def strangers(seats: Iterable[Seat], known: Iterable[Seat]) -> tuple[Seat, ...]:
    """All of ``seats`` where none of them is among those ``known``; none where one is, or where nobody is
    named here or there. No more of ``known`` are asked for than it takes."""
    own, somebody = tuple(seats), False
    for other in known:
        somebody = True
        if any(one.may_be(other) for one in own):
            return ()
    return own if somebody else ()


def listed(seats: Iterable[Seat]) -> str:
    """Seats in a sentence."""
    return ", ".join(one.said for one in seats)
