"""What the studio remembers between runs: who edits, and recent games; for each pack undo steps, refused
guesses, corrected guesses of phases, what was typed blind, and what was left out. It is kept in the user's
own folder, because the pack is handed on."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from contextlib import suppress
from dataclasses import asdict, astuple, dataclass, field, replace
from pathlib import Path
from typing import Any

from ..looking.blind import Blind
from ..user_folder import keep, own_folder, remembered
from .history import History, plain_steps, steps_of

MOST_CHECKED = 1_000_000
"""The cells or counters of one blind check."""
Suggestion = tuple[str, str]
"""A subject (the kind of a counter, a cell of the board) and a value."""


@dataclass(frozen=True, slots=True)
class Checked:
    """The result of a blind check. ``suggested``: all suggestions at the time. ``differ``: those for which
    something else was typed, each with the typed and the suggested value."""

    blind: Blind
    suggested: frozenset[Suggestion]
    differ: tuple[tuple[str, str, str], ...] = ()

    def plain(self) -> dict[str, Any]:
        """As JSON, with the suggestions by value."""
        of: dict[str, list[str]] = {}
        for what, value in sorted(self.suggested):
            of.setdefault(value, []).append(what)
        return {"blind": list(astuple(self.blind)), "suggested": of, "differ": list(self.differ)}


@dataclass(slots=True)
class Checks:
    """The blind checks of one view. ``checked``: by column or layer. ``passed``: what a person left out, or
    could not tell."""

    checked: dict[str, Checked] = field(default_factory=dict)
    passed: set[tuple[str, ...]] = field(default_factory=set)

    def of(self, name: str, now: Iterable[Suggestion]) -> Checked | None:
        """The result for the suggestions as they are ``now``; None if they must be typed blind first."""
        held = self.checked.get(name)
        return held if held is not None and held.suggested.issuperset(now) else None

    def plain(self) -> dict[str, Any]:
        """As JSON; empty if there is nothing to keep."""
        checked = {name: one.plain() for name, one in [*self.checked.items()]}
        passed = sorted([*self.passed])
        return {"checked": checked, "passed": passed} if checked or passed else {}

    def recall(self, told: Any) -> None:
        """Load what :meth:`plain` wrote. For anything else nothing is loaded, and it raises as indexing and
        conversion do."""
        passed = {tuple(map(str, one)) for one in told.get("passed", ())}
        checked = {str(name): _read(one) for name, one in told.get("checked", {}).items()}
        self.passed, self.checked = passed, checked


def _read(told: Any) -> Checked:
    typed, wrong, unclear = map(int, told["blind"])
    if not 0 <= wrong <= typed <= MOST_CHECKED or not 0 <= unclear <= MOST_CHECKED:
        raise ValueError
    every = ((str(what), value) for value, of in told["suggested"].items() for what in of)
    differ = tuple((str(a), str(b), str(c)) for a, b, c in told["differ"])
    return Checked(Blind(typed, wrong, unclear), frozenset(every), differ)


WHO = "studio.json"
MOST_PACKS = 40
"""Maximum number of packs remembered, the latest first."""
MOST_GAMES = 20
"""Maximum number of games of a pack whose corrected phases are remembered, the latest first."""


def kept_name() -> str:
    """The name of the person who last edited on this computer; "" if nobody did."""
    told = remembered(WHO)
    return str(told.get("who", "")) if isinstance(told, dict) else ""


def keep_name(who: str) -> None:
    """Remember the name of the person who edits."""
    keep(WHO, {"who": who})


_ILL_FORMED = AttributeError, KeyError, OverflowError, TypeError, ValueError


class Keepsake:
    """What is remembered of the pack in ``folder``. ``refused``: refused guesses, by view. ``corrected``: by
    the names of the logs, the steps of phases corrected by hand. ``units``, ``board``: blind checks of
    counters and cells, and what was left out."""

    def __init__(self, folder: Path) -> None:
        name = hashlib.sha256(str(folder.absolute()).encode("utf-8", "surrogatepass")).hexdigest()
        self._file = f"studio-{name[:20]}.json"
        self._folder = str(folder.absolute())
        self.refused: list[str] = []
        self.corrected: dict[str, list[Any]] = {}
        self.units, self.board = Checks(), Checks()
        self._kept: Any = None

    def recall(self, history: History) -> None:
        """Load what was remembered."""
        told = remembered(self._file)
        if not isinstance(told, dict) or told.get("folder") != self._folder:
            return
        with suppress(*_ILL_FORMED):
            self.refused = [str(one) for one in told["refused"]]
            kept = told.get("corrected", {})  # a file of an earlier version has none
            self.corrected = {str(logs): list(of) for logs, of in kept.items()}
            history.done.extend(steps_of(told["done"]))
            history.undone.extend(steps_of(told["undone"]))
        for name, checks in (("units", self.units), ("board", self.board)):
            with suppress(*_ILL_FORMED):
                checks.recall(told.get(name, {}))
        self._kept = told

    def corrected_of(self, logs: str) -> list[Any]:
        """The phases of these logs that were corrected by hand. Logs are added to a game, so if there are
        none for all of them, those of the longest known beginning."""
        held = [one for one in self.corrected if f"{logs}, ".startswith(f"{one}, ")]
        return self.corrected[max(held, key=len)] if held else []

    def correct(self, logs: str, phases: list[Any]) -> None:
        """Remember the phases of these logs that were corrected by hand."""
        self.corrected.pop(logs, None)
        self.corrected[logs] = phases
        for one in list(self.corrected)[:-MOST_GAMES]:
            del self.corrected[one]

    def save(self, history: History) -> None:
        """Save it if anything is new."""
        told = {
            "folder": self._folder,
            "refused": self.refused,
            "corrected": self.corrected,
            "units": replace(self.units, passed=set()).plain(),  # counters left out come back
            "board": self.board.plain(),
            "done": plain_steps(history.done),
            "undone": plain_steps(history.undone),
        }
        if told == self._kept or (self._kept is None and not any(list(told.values())[1:])):
            return
        self._kept = told
        keep(self._file, told)
        with suppress(OSError):
            files = sorted(own_folder().glob("studio-*.json"), key=lambda one: one.stat().st_mtime)
            for file in files[:-MOST_PACKS]:
                file.unlink()


FILE = "recent-games.json"
MOST = 12
"""Maximum number of recent games."""


@dataclass(frozen=True, slots=True)
class Recent:
    """A recent game: absolute paths of its pack's folder, or of the game's folder, and of the logs.
    ``module``, ``facts``: those named besides; "": none. ``title``: its name."""

    title: str
    files: tuple[str, ...]
    module: str = ""
    facts: str = ""

    @property
    def is_there(self) -> bool:
        """Whether all its files exist."""
        named = (*self.files, *(one for one in (self.module, self.facts) if one))
        return bool(self.files) and all(Path(one).exists() for one in named)


def recent_games() -> tuple[Recent, ...]:
    """The recent games, the latest first."""
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
    """Remove a game from the list; its files stay."""
    gone = tuple(files)
    keep(FILE, [asdict(one) for one in recent_games() if one.files != gone])
