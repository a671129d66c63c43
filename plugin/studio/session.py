"""What the studio has open: a pack, its module and logs, and the verdicts, updated after every edit.

Module and logs are read once. Pack and facts are read again whenever they change, whether by the studio or by
others; the moves are then judged in the background. :class:`Studio` is thread-safe.
"""

from __future__ import annotations

import contextlib
import threading
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping
from dataclasses import asdict, dataclass, field, replace
from operator import is_
from pathlib import Path
from typing import Any, TypeVar

from ...importers.ordinary import is_there
from ...importers.pack.facts import NO_FACTS, Facts
from ...importers.pack.facts_file import load_facts, records_of
from ...importers.pack.files import FILES
from ...importers.pack.load import amended, load_pack
from ...importers.pack.pack import Pack
from ...importers.vassal.collector import collector_paused, freeze, unfreeze
from ...importers.vassal.limits import Limits
from ...model.board import Board
from ...model.coverage import NOTHING_MOVED
from ...model.finding import Audit
from ...model.problem import Problem, UmpireError, WrongPack
from ...model.provenance import Looker
from ...model.viewer import Viewer
from ...validators.unseen import held_by_truth
from ..auditing import Evidence, Opened
from ..printable import MOST_SAID
from ..reading import Told
from ..reports.shares import verdict_counts
from .cards import Card, card_for, file_problems, progress_of
from .game_desk import GameDesk
from .jobs import Cancelled, Job, Jobs
from .judging import Judging, Read, board_of, read_again
from .keepsake import Keepsake, kept_name
from .pictures import Pictures
from .store import Edited, Store
from .tabs import Tabs

T = TypeVar("T")
OF_PACK = ("name", "title", "version", "ruleset")
WATCH = 2.0
"""Seconds between two checks whether somebody else changed the files."""
READ = 10.0
"""Maximum seconds that a request waits for changed files to be read."""


@dataclass(slots=True)
class Shown:
    """What was read last, all of one moment. ``fault``: why the present pack cannot be read."""

    pack: Pack
    opened: Opened | None = None
    whole: Audit | None = None
    audit: Audit | None = None
    card: Card = field(default_factory=lambda: Card("The pack is being read.", "board"))
    fault: str = ""
    faults: tuple[Problem, ...] = ()


class Studio:
    """One pack being worked on. ``memory``: values that views keep while the studio runs, by name.
    ``judged``: the judgements on moves. ``folder``: the pack's. ``facts``: the file for facts of this game
    (it need not exist yet). ``evidence``: module and logs. ``viewer``: whose view is shown. ``game``: the
    game's folder; None: the logs were named one by one. ``note``: a line shown above everything."""

    def __init__(
        self,
        folder: Path,
        facts: Path,
        evidence: Evidence,
        viewer: Viewer,
        limits: Limits,
        game: GameDesk | None = None,
    ) -> None:
        self.folder, self.facts, self.evidence = folder, facts, evidence
        self.viewer, self.limits, self.game = viewer, limits, game
        self.lock = threading.RLock()
        self.note, self.who = "", kept_name()
        self.by: Looker = "person"
        self.store = Store(folder, facts, self._board, lambda: self.who, lambda: self.by)
        self.keepsake = Keepsake(folder)
        self.keepsake.recall(self.store.history)
        self.revision = 1
        self.memory: dict[str, Any] = {}
        self._kept: dict[str, tuple[Hashable, tuple[object, ...], Any]] = {}
        self.pictures = Pictures(evidence, limits)
        self._changed = threading.Condition(self.lock)
        self._shown = Shown(load_pack(folder))
        self._stamp = self._stamps()
        self._due = True
        self._written = self._read_to = 0
        self.closed = False
        self._judging: Job | None = None
        self.jobs = Jobs(self.lock, self.changed)
        self.tabs = Tabs(self.lock, self.changed)
        self.judged, self._true = Judging(), Judging()
        self._last: Read | None = None
        self._worker = threading.Thread(target=self._work, name="studio", daemon=True)

    def start(self) -> None:
        """Start reading and judging in the background."""
        self._worker.start()

    def close(self) -> None:
        """Stop all background work and release waiting requests."""
        with self._changed:
            self.closed = True
            self.jobs.close()
            if self._judging is not None:
                self._judging.stop = True
            self._changed.notify_all()
        if self._worker.is_alive():
            self._worker.join(timeout=5)
        self.keep()
        unfreeze()
        self.pictures.close()

    def kept(self, name: str, make: Callable[[], T], *rests_on: object, key: Hashable = None) -> T:
        """The value kept under ``name`` while the studio runs. It is made again if ``key``, or one of the
        objects it ``rests_on``, is another."""

        def there() -> Any:
            held = self._kept.get(name)
            same = held and held[0] == key and all(map(is_, held[1], rests_on))
            return held if same else None

        held = there()
        if held is None:
            made = (key, rests_on, make())
            with self.lock:  # somebody else may have made it meanwhile
                held = self._kept[name] = there() or made
        return held[2]  # type: ignore[no-any-return]

    # -- what is shown ------------------------------------------------------------------------

    @property
    def pack(self) -> Pack:
        """The pack as it could be read last."""
        return self._shown.pack

    @property
    def opened(self) -> Opened | None:
        """The game by that pack, without events if there are no logs; None: not read yet, or the pack does
        not fit."""
        return self._shown.opened

    def facts_written(self) -> Facts:
        """The facts by their present file."""
        return load_facts(self.facts) if is_there(self.facts) else NO_FACTS

    def _board(self) -> Board | None:
        opened = self._shown.opened
        return None if opened is None else opened.game.board

    @property
    def audit(self) -> Audit | None:
        """The viewer's part of the audit; None: not judged yet."""
        return self._shown.audit

    @property
    def whole_audit(self) -> Audit | None:
        """The whole audit, which must never be shown."""
        return self._shown.whole

    @property
    def logs(self) -> tuple[Path, ...]:
        """The open logs, in order."""
        return self.evidence.logs

    def state(self, tab: str = "") -> dict[str, Any]:
        """The state that every page shows."""
        with self.lock:
            shown = self._shown
            coverage = shown.audit.coverage if shown.audit is not None else NOTHING_MOVED
            return {
                "revision": self.revision,
                "pack": {
                    **{name: getattr(shown.pack, name) for name in OF_PACK},
                    "folder": str(self.folder),
                },
                "facts": str(self.facts),
                "game": "" if self.game is None else self.game.opened.title,
                "module": self.evidence.module.name or self.evidence.file.name,
                "logs": [path.name for path in self.logs],
                "counts": verdict_counts(shown.audit.moves if shown.audit is not None else ()),
                "drags": [coverage.decided, coverage.drags],
                "judged": shown.audit is not None,
                "judging": self.work_left(),
                "jobs": self.jobs.plain(),
                "card": asdict(shown.card),
                "reader": self.tabs.others_write(tab),
                "who": self.who,
                "note": self.note,
                "by": self.by,
                "eyes": str(self.viewer),
                "undo": self.store.history.undo_label,
                "redo": self.store.history.redo_label,
                "problems": list(self._problems()),
                "trouble": list(self.store.trouble),
            }

    def work_left(self) -> dict[str, Any] | None:
        """What is being judged; None: what is on show matches the files."""
        with self.lock:
            if self._judging is not None:
                return self._judging.plain()
            return Job("judging", "reading the pack").plain() if self._due else None

    def _problems(self) -> Iterator[str]:
        shown = self._shown
        yield from self.jobs.failed.values()
        if shown.fault:
            yield shown.fault
        yield from (str(problem) for problem in shown.faults[:MOST_SAID])
        if shown.opened is not None:
            yield from file_problems(shown.opened.problems)

    def wait(self, after: int, seconds: float) -> None:
        """Wait until the revision is beyond ``after``, at most so many seconds."""
        with self._changed:
            self._changed.wait_for(lambda: self.closed or self.revision > after, seconds)

    def read_up(self) -> None:
        """Wait until the present pack and facts have been read, or failed to be; at most a few seconds.
        Returns at once if nothing reads in the background."""
        with self._changed:
            if self._worker.is_alive():
                wanted = self._written
                self._changed.wait_for(lambda: self.closed or self._read_to >= wanted, READ)

    def changed(self) -> None:
        """Wake up all who wait, because something on show has changed."""
        with self._changed:
            self.revision += 1
            self._changed.notify_all()

    # -- edits --------------------------------------------------------------------------------

    @contextlib.contextmanager
    def _writing(self) -> Iterator[None]:
        """A block that writes files; afterwards they are read and judged again in the background."""
        with self.lock:
            try:
                yield
            finally:
                self.touch()

    def edit(
        self, edits: Iterable[Mapping[str, Any]], label: str, *, vouched: bool = True
    ) -> Edited:
        """Write edits. ``vouched``: as in :meth:`.Store.edit`."""
        with self._writing():
            return self.store.edit(edits, label, vouched=vouched)

    def turn(self, *, forth: bool, overwrite: bool = False) -> Mapping[str, Any]:
        """Undo the last edit, or redo it: see :meth:`.Store.turn`."""
        with self._writing():
            return self.store.turn(forth=forth, overwrite=overwrite)

    def touch(self) -> None:
        """Read and judge the changed files again."""
        with self._changed:
            self._due = True
            self._written += 1
            if self._judging is not None:
                self._judging.stop = True
            self._stamp = self._stamps()
            self.changed()

    def write_up(self) -> None:
        """Write pending edits. Raises :class:`UmpireError` if that is impossible."""
        with self.lock:
            self.store.flush()
            waiting = self.store.waiting
        if waiting:
            raise UmpireError(
                "an edit could not be written yet, and would be lost",
                where=", ".join(waiting),
                hint="close the program that holds the file, and try again",
            )

    def keep(self) -> None:
        """Save what the next run is to remember; nothing for the sample game."""
        if not self.note:
            with self.lock:
                self.keepsake.save(self.store.history)

    # -- background work ----------------------------------------------------------------------

    def _work(self) -> None:
        while True:
            self.pictures.let_go()
            with self._changed:
                self._changed.wait_for(lambda: self._due or self.closed, WATCH)
                if self.closed:
                    return
                if self.store.flush():  # a file that another program held
                    self._due = True
                if self.game is not None and self.game.is_news():
                    self.changed()
                if not self._due and self._stamps() == self._stamp:
                    continue
                self._due = False
                self._stamp = self._stamps()
                self._judging = job = Job("judging")
                taken = self._written
            self.keep()
            with contextlib.suppress(Cancelled), collector_paused():
                self._read_and_judge(job.teller(self.changed), taken)
            freeze()
            with self.lock:
                self._read_to = taken
                if self._judging is job:
                    self._judging = None
                self.changed()

    def _read_and_judge(self, told: Told, taken: int = 0) -> None:
        """Read and judge once. ``taken``: how often the files had been written at the start."""
        told("reading the pack", 0, 0)
        shown = replace(self._shown, fault="", faults=())
        try:
            self._read(shown, told)
            with self._changed:
                self._read_to = taken
                self._changed.notify_all()
            assert shown.opened is not None
            game, truth = shown.opened.game, shown.opened.truth
            self.judged.is_part = truth is not None
            true = None if truth is None else self._true.known(truth, told)
            found = self.judged.known(game, told)
            self._tell(shown, found, true)
            if truth is not None and true is not None and game.has_suggestions:
                true = self._true.with_suspicions(truth, true, told)
            self._tell(shown, self.judged.with_suspicions(game, found, told), true)
        except UmpireError as error:
            shown.fault = str(error)
            shown.faults = error.problems if isinstance(error, WrongPack) else ()
        except OSError as error:
            shown.fault = error.strerror or type(error).__name__
        except Exception as error:  # noqa: BLE001 - the studio goes on, whatever a pack does to it
            shown.fault = f"this is a bug in umpire, not in your files ({type(error).__name__})"
        self._show(shown)
        shown = replace(shown)
        shown.card = card_for(
            progress_of(self.evidence, shown.opened, shown.audit, self.viewer, shown.fault, False)
        )
        self._show(shown)

    def _read(self, shown: Shown, told: Told) -> None:
        """Read pack and facts, and make the game; if only cells of the pack changed, only these are read
        again."""
        facts = self.facts_written()
        shown.pack = amended(load_pack(self.folder), facts)
        read = read_again(self._last, self.evidence, shown.pack, facts)
        if read is None:
            known = board_of(self._last, shown.pack)
            opened = self.evidence.with_pack(shown.pack, facts, self.viewer, told, known)
            read = Read(shown.pack, facts, opened)
        self._last = read
        shown.opened = read.opened
        if shown.audit is None:
            shown.card = card_for(
                progress_of(self.evidence, read.opened, None, self.viewer, "", True)
            )
        self._show(shown)

    def _tell(self, shown: Shown, found: Audit, true: Audit | None) -> None:
        """Publish the result with the problems of reading. ``true``: the whole audit; None: the viewer may
        see all of it."""
        assert shown.opened is not None
        if true is not None:
            known = true
            found = held_by_truth(shown.opened.game, found, lambda _: known)
        shown.audit = replace(found, problems=(*shown.opened.problems, *found.problems))
        shown.whole = true if true is not None else shown.audit
        self._show(shown)

    def _show(self, shown: Shown) -> None:
        with self.lock:
            self._shown = replace(shown)
            self.changed()

    def _stamps(self) -> tuple[tuple[int, int] | None, ...]:
        """Time of writing and size of each file."""
        of_facts = self.facts, records_of(self.facts)
        return tuple(map(stamp_of, (*(self.folder / name for name in FILES), *of_facts)))


def stamp_of(path: Path) -> tuple[int, int] | None:
    """When a file was last written, in nanoseconds, and its size in bytes; None if it does not exist."""
    try:
        found = path.stat()
    except OSError:
        return None
    return found.st_mtime_ns, found.st_size
