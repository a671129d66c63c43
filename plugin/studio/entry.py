"""What the page shows: the start page, a look at a game, or a studio; one at a time."""

from __future__ import annotations

import os
import re
import shutil
import tempfile
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from ...importers.pack.files import unsafe
from ...importers.vassal.limits import DEFAULT_LIMITS, Limits
from ...model.names import natural_order
from ...model.problem import UmpireError
from ...model.viewer import EVERYONE, Viewer
from ..auditing import read_evidence
from ..known_packs import safe_name
from ..user_folder import games_folder
from ..web.dropped import Dropped
from .keepsake import Recent, recent_games, remember
from .looking_at import LookedAt
from .opening import Asked, begin, open_asked
from .session import Studio

SAMPLE = Path(__file__).resolve().parents[2] / "samples" / "crossroads"
SAMPLE_FILES = ("crossroads.vmod", "turn-1.vlog", "turn-2.vlog")
NOTE = (
    "This is the sample game, a copy in a temporary folder: do with it what you like. It is deleted when"
    " the studio closes, and never mixes with your own games."
)

TOO_LARGE = "open a game like this from a terminal, where no file is copied: umpire studio FILES"


class Entry:
    """``opened``: what is shown first; None: the start page. ``viewer``, ``limits``: for everything that is
    opened. Uploaded files and the sample game lie in a temporary folder, which is removed on closing.
    ``heard``: the number of requests so far. ``quit``: ends the program. Thread-safe."""

    def __init__(
        self,
        opened: Studio | LookedAt | None = None,
        viewer: Viewer = EVERYONE,
        limits: Limits = DEFAULT_LIMITS,
        say: Callable[[str], None] = lambda _: None,
    ) -> None:
        self.viewer, self.limits = viewer, limits
        self.heard = 0
        self.quit: Callable[[], None] = lambda: None
        self._say = say
        self._lock = threading.Lock()
        self._temporary: Path | None = None
        self._dropped: Dropped | None = None
        self._shown = opened
        self._is_running = False
        if isinstance(opened, Studio):
            _remember(opened)

    @property
    def studio(self) -> Studio | None:
        """The open studio."""
        return self._shown if isinstance(self._shown, Studio) else None

    @property
    def looked_at(self) -> LookedAt | None:
        """The game that is looked at."""
        return self._shown if isinstance(self._shown, LookedAt) else None

    @property
    def place(self) -> str:
        """What the page shows."""
        if self._shown is None:
            return "start"
        return "studio" if self.studio is not None else "look"

    def start(self) -> None:
        """Start the background work."""
        self._is_running = True
        if self.studio is not None:
            self.studio.start()

    def close(self) -> None:
        """Stop all work and remove temporary files."""
        if self.studio is not None:
            self.studio.close()
        if self._temporary is not None:
            shutil.rmtree(self._temporary, ignore_errors=True)

    @contextmanager
    def _alone(self) -> Iterator[None]:
        if not self._lock.acquire(blocking=False):
            raise UmpireError("something is being opened already: wait until it shows")
        try:
            yield
        finally:
            self._lock.release()

    def _show(self, found: Studio | LookedAt | None) -> None:
        before = self.studio
        if before is not None:
            before.write_up()
        self._shown = found
        if before is not None:
            before.close()
        if self.studio is not None and self._is_running:
            self.studio.start()

    # -- what is opened -----------------------------------------------------------------------

    def open_recent(self, number: int) -> None:
        """Open one of the recent games."""
        with self._alone():
            games = recent_games()
            if not 0 <= number < len(games) or not games[number].is_there:
                raise UmpireError("this game is not where it was")
            game = games[number]
            asked = Asked(
                tuple(map(Path, game.files)),
                Path(game.module) if game.module else None,
                Path(game.facts) if game.facts else None,
                viewer=self.viewer,
                limits=self.limits,
            )
            found = open_asked(asked, self._say)
            if isinstance(found, Studio):
                _remember(found)
            self._show(found)

    def open_sample(self, *, with_pack: bool) -> None:
        """Open a copy of the sample game, with its pack, or without one to make it."""
        with self._alone():
            home = Path(tempfile.mkdtemp(prefix="sample-", dir=self.temporary))
            for name in SAMPLE_FILES:
                shutil.copyfile(SAMPLE / name, home / name)
            files = tuple(home / name for name in SAMPLE_FILES)
            if with_pack:
                shutil.copytree(SAMPLE / "pack", home / "pack")
            asked = Asked(files, viewer=self.viewer, limits=self.limits, home=home / "pack")
            found = open_asked(asked, self._say)
            found.note = NOTE
            self._show(found)

    def begin(self) -> None:
        """Open the studio on the game that is looked at."""
        with self._alone():
            looked = self.looked_at
            if looked is None:
                raise UmpireError("no game is open for which a pack could be begun")
            studio = begin(looked, self._say)
            studio.note = looked.note
            if not looked.note:
                _remember(studio)
            self._show(studio)

    def leave(self) -> None:
        """Show the start page."""
        with self._alone():
            self._show(None)

    # -- files that are given to the page --------------------------------------------------------

    @property
    def temporary(self) -> Path:
        """A folder of this session."""
        if self._temporary is None:
            self._temporary = Path(tempfile.mkdtemp(prefix="umpire-studio-"))
        return self._temporary

    @property
    def dropped(self) -> Dropped:
        """The files that were given."""
        if self._dropped is None:
            self._dropped = Dropped(self.temporary / "given", TOO_LARGE)
        return self._dropped

    def take(self, name: str, at: int, size: int, data: bytes) -> bool:
        """Take the next part of an uploaded file: its bytes from ``at`` on, of ``size``. Returns whether the
        file is complete. Raises :class:`UmpireError` for a file that cannot be opened here."""
        fault = "a name with a folder" if "/" in name else unsafe(_named_here(name))
        if fault:
            raise UmpireError(f"cannot be taken: {fault}")
        with self._alone():
            self.dropped.refuse(name, size)
            part = self.temporary / "part"
            there = part.stat().st_size if at and part.exists() else 0
            if at != there or at + len(data) > size:
                raise UmpireError("did not arrive completely; choose it again", where=name)
            with part.open("ab" if at else "wb") as file:
                file.write(data)
            if at + len(data) < size:
                return False
            whole = part.read_bytes()
            part.unlink()
            taken = self.dropped.put(name, whole)
            if any(one.kind == "game" for one in taken):
                for one in taken:
                    self.dropped.remove(one.name)
                raise UmpireError(
                    "is a game with its rulings, which are kept in its own folder",
                    where=name,
                    hint="unpack it, and open the folder: umpire studio FOLDER",
                )
            return True

    def remove(self, name: str) -> None:
        """Remove an uploaded file."""
        with self._alone():
            if name in self.dropped.taken:
                self.dropped.remove(name)

    def open_given(self, order: Sequence[str]) -> None:
        """Look at the game in the uploaded files. ``order``: the names of its logs, the first one first."""
        with self._alone():
            dropped = self.dropped
            known = [name for name in order if name in dropped.taken]
            named = dropped.named(known, with_pack=False)
            evidence = read_evidence(named, self.limits)
            keep_in = _new_place(evidence.module.name or named.logs[0].stem)
            self._show(
                LookedAt(
                    evidence,
                    keep_in / "pack",
                    self.viewer,
                    self.limits,
                    pack=named.pack,
                    facts=named.facts,
                    keep_in=keep_in,
                )
            )

    def told(self) -> dict[str, Any]:
        """What the start page shows."""
        given = [
            {"name": one.name, "kind": one.kind, "module": one.module}
            for one in sorted(self.dropped.taken.values(), key=lambda one: natural_order(one.name))
        ]
        recent = [
            {"title": one.title, "files": [Path(f).name for f in one.files], "there": one.is_there,
             "where": str(Path(one.files[0]).parent) if one.files else ""}
            for one in recent_games()
        ]  # fmt: skip
        return {"given": given, "recent": recent, "sample": SAMPLE.is_dir()}


def _named_here(name: str) -> str:
    """The name of a local file; outside Windows, characters that only Windows forbids are replaced."""
    return name if os.name == "nt" else re.sub(r'[<>:"|?*]', "-", name)


def _new_place(title: str) -> Path:
    """A folder for a new game that does not exist yet."""
    name = safe_name(title)
    place, number = games_folder() / name, 1
    while place.exists():
        number += 1
        place = games_folder() / f"{name}-{number}"
    return place


def _remember(studio: Studio) -> None:
    title = studio.pack.title or studio.pack.name
    if studio.game is not None:
        remember(Recent(studio.game.opened.title, (str(studio.game.opened.root.absolute()),)))
        return
    files = (studio.folder, *studio.evidence.logs)
    remember(
        Recent(
            title,
            tuple(str(path.absolute()) for path in files),
            str(studio.evidence.file.absolute()),
            str(studio.facts.absolute()) if studio.facts.exists() else "",
        )
    )
