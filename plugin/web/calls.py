"""The calls of the page: commands of ``umpire``, run in this process on the dropped files, and the files they
wrote.

Each call takes and returns plain values, and never raises: an error is ``trouble``, one line.
"""

from __future__ import annotations

import gc
import os
import shutil
from collections.abc import Callable, Mapping, Sequence
from contextlib import redirect_stderr, redirect_stdout
from dataclasses import asdict, dataclass, replace
from io import StringIO
from itertools import chain
from pathlib import Path
from typing import Any

import click

from ...__main__ import GARBAGE
from ...importers.game_folder.folder import read_game_folder
from ...importers.vassal.limits import DEFAULT_LIMITS
from ...model.problem import UmpireError
from ..cli import main, tell, tell_bug, tell_os_error
from ..commands.audit import NOTHING_DECIDED
from ..desk.adding import add_logs
from ..progress import LISTENER
from ..reading import Named, Told, silent
from ..registry import reports, rulesets
from .dropped import Dropped, Taken

REPORT, MAIL = "report.html", "mail.zip"


@dataclass(frozen=True, slots=True)
class Ran:
    """The result of a call: the exit code of the command, its output, its messages (``notes``), why it could
    not run ("": it did), and the paths of the files it wrote."""

    code: int = 0
    text: str = ""
    notes: str = ""
    trouble: str = ""
    files: tuple[str, ...] = ()


class Calls:
    """The calls on the files in ``root``, an empty folder. ``told`` gets the progress."""

    def __init__(self, root: str, told: Told = silent) -> None:
        gc.set_threshold(*GARBAGE)
        self.dropped = Dropped(Path(root) / "in")
        self.out = Path(root) / "out"
        self._told = told

    def warm(self) -> None:
        """Load what an audit needs, so that the first one starts at once."""
        main.get_command(click.Context(main), "audit")
        rulesets(), reports()

    def put(self, name: str, data: bytes | memoryview) -> dict[str, Any]:
        """Add a file. ``taken``: what it is (several for a zip of a folder); ``trouble``; ``held``: the names
        of all present files."""
        taken: list[Taken] = []
        ran = self._guarded(lambda: taken.extend(self.dropped.put(name, bytes(data))))
        told = [
            {"name": t.name, "kind": t.kind, "sides": list(t.sides), "module": t.module}
            for t in taken
        ]
        held = list(self.dropped.taken)
        return {"taken": told, "held": held, "trouble": self._plain(ran.trouble)}

    def remove(self, name: str) -> None:
        """Remove a file."""
        self.dropped.remove(name)

    def without_pack(self) -> None:
        """Remove the pack and its tables, before another one is added."""
        self.dropped.without_pack()

    def audit(self, order: Sequence[str], side: str) -> dict[str, Any]:
        """The report as a page; without a pack, what was done. ``order``: the names of the logs.
        ``side``: for whose eyes; "": everybody's, ``*``: all that is known."""

        def asked() -> list[str]:
            game, named = self.dropped.game, self.dropped.named(order, with_pack=False)
            what = ["game", "report", str(game)] if game else ["audit", *_arguments(named)]
            never = [] if game else ["--fail-on", "never"]
            return [*what, *_viewer(side), *never, "-o", str(self.out / REPORT)]

        return self._umpire(asked)

    def check(self, order: Sequence[str], side: str, columns: int) -> dict[str, Any]:
        """The check before a player sends his turn, as text of ``columns`` columns; for a save, after the
        logs before it."""

        def asked() -> list[str]:
            named, seen = self.dropped.named(order), ["--as", side] if side not in ("", "*") else []
            if (game := self.dropped.game) is not None:
                return ["check", str(game), *seen]
            last = self.dropped.taken.get(named.logs[-1].name)
            midway = last is not None and last.kind == "save" and len(named.logs) > 1
            before = named.logs[:-1] if midway else ()
            after = [part for log in before for part in ("--after", str(log))]
            named = Named(named.logs[len(before) :], named.module, named.pack, named.facts)
            return ["check", *_arguments(named), *after, *seen]

        return self._umpire(asked, columns)

    def annotate(self, order: Sequence[str], side: str) -> dict[str, Any]:
        """The last log with the umpire's remarks in it. ``side``: as in :meth:`audit`."""

        def asked() -> list[str]:
            named = self.dropped.named(order)
            last = named.logs[-1]
            name = f"{last.stem}-annotated{last.suffix or '.vlog'}"
            game = self.dropped.game
            what = [str(game)] if game is not None else _arguments(named)
            return ["annotate", *what, *_viewer(side), "-o", str(self.out / name)]

        return self._umpire(asked)

    def mail(self, order: Sequence[str], title: str) -> dict[str, Any]:
        """The mail to the players, as one zip. ``title``: the name of the game."""

        def asked() -> list[str]:
            folder = self.dropped.game or self._begun(self.dropped.named(order), title)
            return ["game", "mail", str(folder), "-o", str(self.out / MAIL)]

        return self._umpire(asked)

    def _begun(self, named: Named, title: str) -> Path:
        """The folder of a new game with the logs added."""
        folder = self.out.with_name("game")
        shutil.rmtree(folder, ignore_errors=True)
        about = ["--module", str(named.module), "--pack", str(named.pack), "--title", title]
        facts = ["--facts", str(named.facts)] if named.facts else []
        ran = _run(["game", "new", str(folder), *about, *facts])
        if ran.code:
            raise UmpireError(ran.trouble)
        add_logs(read_game_folder(folder), named.logs, DEFAULT_LIMITS, self._told)
        return folder

    def _umpire(self, asked: Callable[[], list[str]], columns: int = 80) -> dict[str, Any]:
        """Run the command that ``asked`` returns."""
        shutil.rmtree(self.out, ignore_errors=True)
        self.out.mkdir(parents=True)
        commands: list[list[str]] = []
        ran = self._guarded(lambda: commands.append(asked()))
        if commands:
            listening = LISTENER.set(self._told)
            try:
                ran = _run(commands[0], {"COLUMNS": str(columns), "NO_COLOR": "1"})
            finally:
                LISTENER.reset(listening)
        written = tuple(str(path) for path in sorted(self.out.iterdir()))
        if ran.code == NOTHING_DECIDED and (written or ran.text):
            ran = replace(ran, notes=ran.trouble, trouble="")
        text, notes, trouble = map(self._plain, (ran.text, ran.notes, ran.trouble))
        return asdict(Ran(ran.code, text, notes, trouble, written))

    def _plain(self, text: str) -> str:
        """A text without the folders of this page, which the user never sees."""
        for folder in (self.out, self.dropped.files, self.dropped.root):
            text = text.replace(f"{folder}/", "")
        return text

    def _guarded(self, done: Callable[[], object]) -> Ran:
        """Call a function; an error becomes the trouble that the command line would print."""

        def guarded() -> int:
            try:
                done()
            except UmpireError as error:
                return tell(error)
            except OSError as error:
                return tell_os_error(error)
            except Exception as error:  # noqa: BLE001 - as the command line does
                return tell_bug(error, debug=False)
            return 0

        return _captured(guarded)


def _arguments(named: Named) -> list[str]:
    """The files of an audit as command-line options."""
    beside = {"--module": named.module, "--pack": named.pack, "--facts": named.facts}
    there = [(option, str(path)) for option, path in beside.items() if path is not None]
    return [*map(str, named.logs), *chain.from_iterable(there)]


def _viewer(side: str) -> list[str]:
    """The options for a viewer: "" for everybody, ``*`` for the director."""
    if side == "*":
        return ["--director"]
    return ["--as", side] if side else []


class _Screen(StringIO):
    """A stream that commands take for a terminal, so that they use its width."""

    def isatty(self) -> bool:
        return True


def _run(arguments: Sequence[str], environment: Mapping[str, str] | None = None) -> Ran:
    """Run a command of ``umpire`` to its end."""

    def command() -> int:
        try:
            main(list(arguments), prog_name="umpire")
        except SystemExit as end:
            return end.code if isinstance(end.code, int) else 1
        return 0

    before = dict(os.environ)
    os.environ.update(environment or {})
    try:
        return _captured(command)
    finally:
        for name in environment or {}:
            os.environ.pop(name)
            os.environ.update({name: before[name]} if name in before else {})


def _captured(command: Callable[[], int]) -> Ran:
    out, complaints = _Screen(), StringIO()
    with redirect_stdout(out), redirect_stderr(complaints):
        code = command()
    lines = [line.removeprefix("umpire: ") for line in complaints.getvalue().splitlines()]
    said = "\n".join(lines)
    return Ran(code, out.getvalue(), *(("", said) if code > 1 else (said, "")))
