"""Who moves counters in a log without a seat at its table: often a player whose password, and so whose id, is
new."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ...model.problem import Problem
from .commands import MovePiece, Player, decode_command
from .roster import Roster
from .savefile import SaveFile


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
    """Have those who move in a log without a seat, in order, be the seated players ``same`` (sides or names).
    Problems: whom there is not."""
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
