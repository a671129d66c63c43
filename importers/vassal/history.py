"""A game over one or many logs, and what differs between the end of one and the opening of the next."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise
from pathlib import Path

from ...model.problem import Problem
from ...model.table import LogHistory, Piece, PieceGap, TableHistory
from .collector import collector_paused
from .limits import DEFAULT_LIMITS, Limits
from .module import Module
from .properties import PieceView
from .replay import replay_log
from .roster import Roster
from .savefile import SaveFile, read_save


def iter_history(
    sources: Sequence[Path | str | SaveFile],
    module: Module | None = None,
    limits: Limits = DEFAULT_LIMITS,
    *,
    missing_size: tuple[int, int] = (0, 0),
) -> Iterator[LogHistory]:
    """Read and replay logs one after the other; labels of players are the same in all of them.

    Without a module everything is told but the names of places. Raises ``Unreadable`` for a file that
    is no save.
    """
    roster = Roster()
    for number, source in enumerate(sources, start=1):
        with collector_paused():
            save = source if isinstance(source, SaveFile) else read_save(source, limits)
            log = replay_log(save, module, roster=roster, log=number, missing_size=missing_size)
        yield log


def read_history(
    sources: Sequence[Path | str | SaveFile],
    module: Module | None = None,
    limits: Limits = DEFAULT_LIMITS,
    *,
    missing_size: tuple[int, int] = (0, 0),
) -> TableHistory:
    """All logs of a game, in the order given, with the gaps between them. See :func:`iter_history`."""
    logs = tuple(iter_history(sources, module, limits, missing_size=missing_size))
    gaps = tuple(continuity(before, after) for before, after in pairwise(logs))
    return TableHistory(logs, gaps, tuple(_other_modules(logs)))


def continuity(before: LogHistory, after: LogHistory) -> tuple[PieceGap, ...]:
    """Pieces that are not the same at the end of one log and at the opening of the next, by id.

    Compared are map and pixels, and what its traits say: names, properties, who may see it – not
    stacks, which the engine makes as it likes, nor the wording of types and states, which differs
    between engines.
    """
    then, now = before.end.pieces, after.opening.pieces
    gaps = []
    for id_text in sorted({*then, *now}):
        old, new = then.get(id_text), now.get(id_text)
        place = _spot(old) != _spot(new)
        state = old is not None and new is not None and not _same_state(old, new)
        if old is None or new is None or place or state:
            gaps.append(PieceGap(id_text, old, new, place, state))
    return tuple(gaps)


def _spot(piece: Piece | None) -> object:
    return None if piece is None else piece.spot


def _same_state(old: Piece, new: Piece) -> bool:
    one, other = old.facts, new.facts
    if not isinstance(one, PieceView) or not isinstance(other, PieceView):
        return one == other
    if one.same_state(other):
        return True
    told = ("basic_name", "name", "gpid", "trait_properties", "concealments")
    return all(getattr(one, what) == getattr(other, what) for what in told)


def _other_modules(logs: Sequence[LogHistory]) -> Iterator[Problem]:
    """Logs of another module than the first."""
    names = [(log.module_name, log.source) for log in logs if log.module_name]
    for name, source in names[1:]:
        if name != names[0][0]:
            yield Problem(
                "other-module",
                f"belongs to the module {name!r}, the first log to {names[0][0]!r}",
                source,
            )
