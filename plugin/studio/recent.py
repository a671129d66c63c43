"""The games that were opened in the studio last, so that the start page can open them again."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import asdict, dataclass
from pathlib import Path

from ..user_folder import keep, remembered

FILE = "recent-games.json"
MOST = 12
"""So many are remembered."""


@dataclass(frozen=True, slots=True)
class Recent:
    """A game by its files, with absolute paths: the folder of its pack, or that of the game, and the logs.
    ``module``, ``facts``: as named beside them; "": they are not. ``title``: what it is called."""

    title: str
    files: tuple[str, ...]
    module: str = ""
    facts: str = ""

    @property
    def is_there(self) -> bool:
        """Whether all its files are."""
        named = (*self.files, *(one for one in (self.module, self.facts) if one))
        return bool(self.files) and all(Path(one).exists() for one in named)


def recent_games() -> tuple[Recent, ...]:
    """Those remembered, the last one first."""
    try:
        return tuple(
            Recent(
                str(one["title"]),
                tuple(map(str, one["files"])),
                str(one["module"]),
                str(one["facts"]),
            )
            for one in remembered(FILE)[:MOST]
        )
    except (KeyError, TypeError):
        return ()


def remember(game: Recent) -> None:
    """Put a game at the head of the list."""
    others = (one for one in recent_games() if one.files != game.files)
    keep(FILE, [asdict(one) for one in (game, *others)][:MOST])


def forget(files: Iterable[str]) -> None:
    """Take a game off the list; its files stay."""
    gone = tuple(files)
    keep(FILE, [asdict(one) for one in recent_games() if one.files != gone])
