"""The game folder that the studio was opened with, and the present content of its ``game.toml``."""

from __future__ import annotations

import os
import threading
from pathlib import Path

from ...importers.game_folder.folder import GAME_FILE, GameFolder, Ruling, read_game_folder
from ...importers.pack.load import PACK_FILE
from ...importers.vassal.atomic import ChangedMeanwhile, Known, known
from ...model.offence import Offence
from ...model.problem import UmpireError
from ..desk.ruling import rule_on
from ..output import refuse_elsewhere

ANEW = "start the studio again"
CHANGED = (
    "what was found or ruled has changed since you looked: look at it again; nothing was written"
)


def is_game(path: Path) -> bool:
    """Whether a path is a game's folder or its ``game.toml``; a pack's folder is not."""
    if path.name == GAME_FILE:
        return path.is_file()
    return (path / GAME_FILE).is_file() and not (path / PACK_FILE).is_file()


class GameDesk:
    """A game in a folder. ``opened``: its state when the studio was opened."""

    def __init__(self, folder: GameFolder) -> None:
        self.opened = folder
        self._led_to = os.path.realpath(folder.root)
        self._seen = self._stamp()
        self._lock = threading.Lock()

    def now(self) -> GameFolder:
        """The game by the present ``game.toml``. Raises :class:`UmpireError` if it cannot be read."""
        return read_game_folder(self.opened.root)

    def is_news(self) -> bool:
        """Whether ``game.toml`` was written since the last call."""
        before, self._seen = self._seen, self._stamp()
        return before != self._seen

    def outdated(self, now: GameFolder) -> str:
        """Why the studio does not show the game as it is ``now``; "" if it does."""
        for what, was, is_ in (
            ("logs", _logs(self.opened), _logs(now)),
            ("a module", self.opened.path(self.opened.module), now.path(now.module)),
            ("a pack", self.opened.path(self.opened.pack), now.path(now.pack)),
            ("facts", self.opened.path(self.opened.facts), now.path(now.facts)),
        ):
            if was != is_:
                return f"{GAME_FILE} names {what} that are not those shown here: {ANEW}"
        return ""

    def rule(
        self,
        folder: GameFolder,
        offence: Offence,
        decision: str,
        because: str,
        who: str,
        *,
        hidden: bool,
    ) -> Ruling:
        """Write a ruling on ``folder``, the game as just read; see :func:`.rule_on`."""
        with self._lock:
            refuse_elsewhere(self.opened.root, self._led_to)
            try:
                return rule_on(folder, offence, decision, because, who, hidden=hidden)
            except ChangedMeanwhile:
                raise UmpireError(CHANGED, where=GAME_FILE) from None

    def _stamp(self) -> Known:
        try:
            return known(self.opened.file)
        except OSError:
            return None


def _logs(folder: GameFolder) -> list[str]:
    return [log.sha256 for log in folder.line]
