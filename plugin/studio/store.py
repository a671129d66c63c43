"""Edits written at once and whole to the files of a pack and its facts.

The files are the user's own, and others edit them as well. So each is checked before it is written; one that
was changed elsewhere is read again; and an edit is made only if the files still say what its author saw. Only
the pack's folder and the facts are written. What cannot be written now is kept, and written as soon as
possible.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Container, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import count
from pathlib import Path
from typing import Any

from ...importers.pack.edit.batch import make
from ...importers.pack.edit.change import Change, Stanza, What, shown
from ...importers.pack.edit.draft import FACTS_RECORDS, FILES, Draft, file_of
from ...importers.pack.edit.recording import Signed
from ...importers.pack.facts import FACTS_FILE
from ...importers.pack.facts_file import records_of
from ...importers.pack.files import SIZES
from ...importers.pack.provenance import LARGEST as LARGEST_RECORDS
from ...importers.pack.provenance import moment
from ...importers.pack.spreadsheet import LARGEST
from ...importers.pack.toml_text import read_bytes
from ...importers.vassal.atomic import ChangedMeanwhile, Known, known
from ...model.board import Board
from ...model.problem import UmpireError
from ...model.provenance import Looker, Method, Record, Status
from ..output import (
    NotWritten,
    alone_in,
    refuse_elsewhere,
    refuse_link,
    remove_own,
    replace_own,
)
from ..seal import BLANK, is_sealed, sealed
from .history import History, Step, splice

VIEW = "the studio's board"
_SIZES = {**SIZES, FACTS_RECORDS: LARGEST_RECORDS}
BACKUP = ".studio-backup"
"""Suffix of a backup: a file as it was before this session first wrote to it, with our seal in a comment."""
NOBODY = "somebody"
LOST = "lost"
MANY = 500
"""A step with more changes than this is undone file by file."""


@dataclass(frozen=True, slots=True)
class Edited:
    """The result of edits: those ``refused``, each ``{edit, now, why}``."""

    refused: tuple[Mapping[str, Any], ...] = ()


class Store:
    """The files of a pack in ``folder``, and the facts. ``board``: returns the pack's board, None: not known
    yet. ``who``: the name of whoever edits; ``by``: a person or a program."""

    def __init__(
        self,
        folder: Path,
        facts: Path,
        board: Callable[[], Board | None],
        who: Callable[[], str] = lambda: "",
        by: Callable[[], Looker] = lambda: "person",
    ) -> None:
        self._folder, self._board, self._who, self._by = folder, board, who, by
        self._places = {place: os.path.realpath(place) for place in (folder, facts.parent)}
        """Where the folders that are written to led when they were opened."""
        beside = records_of(facts)
        own = {name: folder / name for name in FILES if name not in (FACTS_FILE, FACTS_RECORDS)}
        self._paths = {**own, FACTS_FILE: facts, FACTS_RECORDS: beside}
        self._stamps: dict[str, Known] = {}
        self._disk: dict[str, bytes | None] = {}
        """What lies there; None: no file."""
        self._wanted: dict[str, bytes] = {}
        """What is to lie there, where it could not be written yet."""
        self._waiting: list[tuple[tuple[Change, ...], tuple[str, ...]]] = []
        """The steps among it: what each changes, and the files that a step of an earlier run turned whole."""
        self._saved: set[str] = set()
        self._made: set[str] = set()
        """The files that were not there before this session wrote them."""
        self._draft: Draft | None = None
        self.history = History()
        self._trouble: dict[str, str] = {}

    # -- what a page shows ---------------------------------------------------------------------

    @property
    def trouble(self) -> tuple[str, ...]:
        """Files that could not be written and what to do, a line each."""
        return tuple(self._trouble.values())

    @property
    def waiting(self) -> tuple[str, ...]:
        """The files that could not be written yet."""
        return tuple(self._wanted)

    # -- edits ---------------------------------------------------------------------------------

    def edit(
        self, edits: Iterable[Mapping[str, Any]], label: str, *, vouched: bool = True
    ) -> Edited:
        """Make edits. An edit is refused if its cell no longer has the value that the edit expects.
        ``vouched`` False: values for which the edits bring no record name nobody who vouches for them."""
        every = list(edits)
        self._trouble.pop(LOST, None)
        draft = self._looked()
        before = draft.files()
        when = moment()
        try:
            signed = self._signed(when)
            made, refused = make(draft, every, signed if vouched else replace(signed, status=None))
            self._take(draft, before, made, label or "an edit")
        except BaseException:
            self._draft = None  # half an edit is none
            raise
        return Edited(tuple({"edit": every[r.number], "now": r.now, "why": r.why} for r in refused))

    def _signed(self, when: str) -> Signed:
        """The author of an edit. What a program paints counts for nothing until somebody has looked at it."""
        by = self._by()
        status: Status = "typed" if by == "person" else "suggested"
        return Signed(self._who() or NOBODY, when, Method(by, VIEW), status=status)

    def turn(self, *, forth: bool, overwrite: bool = False) -> Mapping[str, Any]:
        """Undo the last step, or (``forth``) redo the last one undone. If the files no longer say what it
        left there, nothing is done and ``conflict`` lists the differences, unless ``overwrite``."""
        done, undone = self.history.done, self.history.undone
        here, there = (undone, done) if forth else (done, undone)
        if not here:
            raise UmpireError(f"there is nothing to {'do again' if forth else 'take back'}")
        answer = self._turn(here[-1], forth=forth, overwrite=overwrite)
        if "conflict" not in answer:
            there.append(here.pop())
        return answer

    def _turn(self, step: Step, *, forth: bool, overwrite: bool) -> Mapping[str, Any]:
        draft = self._looked()
        before = draft.files()
        changes = step.changes if forth else tuple(c.back for c in reversed(step.changes))
        whole = {
            name: one.again(before[name]) if forth else one.back(before[name])
            for name, one in step.files.items()
        }
        elsewhere = {name for name, data in whole.items() if data is None}
        if elsewhere and not step.changes:
            raise UmpireError(
                "was changed since, and this step is of an earlier run of the studio: it stays as it is",
                where=", ".join(sorted(elsewhere)),
            )
        conflict = _conflict(draft, changes, elsewhere)
        if conflict and not overwrite:
            return {"label": step.label, "conflict": conflict}
        try:
            if not elsewhere and len(changes) > MANY:
                made = changes  # the files as they were say it sooner
            else:
                made = draft.put_all(_fitting(draft, changes) if elsewhere else changes)
            now = draft.files()
            for name, data in whole.items():
                if data is not None and now[name] != data:  # as it was, to the letter
                    draft.set_file(name, data)
            self._take(draft, before, made, "")
        except BaseException:
            self._draft = None
            raise
        return {"label": step.label}

    def _take(
        self, draft: Draft, before: Mapping[str, bytes], made: Sequence[Change], label: str
    ) -> None:
        """Record what was made as a step (without a ``label`` it is an undo or redo), and write it."""
        after = draft.files()
        changed = {
            name: splice(before[name], after[name]) for name in FILES if before[name] != after[name]
        }
        if not changed:
            return
        if label:
            self.history.add(Step(label, tuple(made), changed))
        for name in changed:
            self._wanted[name] = after[name]
        self._waiting.append((tuple(made), () if made else tuple(changed)))
        self.flush()

    # -- files ---------------------------------------------------------------------------------

    def _looked(self) -> Draft:
        """The draft, with the present content of every file."""
        if not self._folder.is_dir():
            raise UmpireError(
                "is a pack in one file, which is read-only",
                where=self._folder.name,
                hint="unpack it into a folder, and open that",
            )
        changed = self._look()
        if changed and self._wanted:
            self._replay()
        if self._draft is None:
            files = {name: data or b"" for name, data in self._disk.items()}
            self._draft = Draft({**files, **self._wanted}, self._board())
            return self._draft
        self._draft.set_board(self._board())
        for name in changed - self._wanted.keys():
            self._draft.set_file(name, self._disk[name] or b"")
        return self._draft

    def _look(self) -> set[str]:
        """Read the files that somebody else has changed; returns their names."""
        changed = set()
        for place, led_to in self._places.items():
            refuse_elsewhere(place, led_to)
        for name, path in self._paths.items():
            refuse_link(path)
            try:
                stamp = known(path)
            except OSError as error:
                what = error.strerror or "it is gone"
                raise NotWritten(f"cannot be read: {what}", where=path.name) from None
            if name in self._stamps and stamp == self._stamps[name]:
                continue
            data = None if stamp is None else read_bytes(path, _SIZES.get(name, LARGEST))
            self._stamps[name] = stamp
            if name not in self._disk or data != self._disk[name]:
                changed.add(name)
            self._disk[name] = data
        return changed

    def _replay(self) -> None:
        """Make pending edits again, over files that were changed elsewhere."""
        files = {name: data or b"" for name, data in self._disk.items()}
        draft = self._draft = Draft(files, self._board())
        waiting, self._waiting = self._waiting, []
        lost: list[str] = []
        for changes, whole in waiting:
            fit = [c for c in changes if draft.says(c.what, c.before)]
            lost += [shown(c.what) for c in changes if not draft.says(c.what, c.before)]
            lost += [f"the step taken back or done again in {name}" for name in whole]
            if fit:
                self._waiting.append((draft.put_all(fit), ()))
        now = draft.files()
        self._wanted = {name: now[name] for name in FILES if now[name] != files[name]}
        if lost:
            more = f" and {len(lost) - 5:,} more" if len(lost) > 5 else ""
            self._trouble[LOST] = (
                f"{', '.join(lost[:5])}{more}: changed elsewhere before your edit could be written; it is "
                "left as it was changed there"
            )

    def flush(self) -> bool:
        """Write pending files; returns whether any was written."""
        written = False
        while self._wanted:
            name = next(name for name in FILES if name in self._wanted)  # others rest on it
            path, data = self._paths[name], self._wanted[name]
            try:
                with alone_in(path.parent):
                    if self._look():
                        raise ChangedMeanwhile(path)
                    self._back_up(name)
                    self._put(name, data)
            except ChangedMeanwhile:  # somebody else was faster
                self._stamps.pop(name, None)
                self._replay()
                continue
            except UmpireError as error:
                self._trouble[name] = f"{error}; the edit is kept, and is written once it can be"
                return written
            self._saved.add(name)
            del self._wanted[name]
            self._trouble.pop(name, None)
            written = True
        self._waiting.clear()
        return written

    def _put(self, name: str, data: bytes) -> None:
        """Write a file. A file that this session created is deleted when it becomes empty."""
        there, path = self._disk[name], self._paths[name]
        left: bytes | None = data
        if there is not None and not data and name in self._made:
            remove_own(path, there)
            left = None
        else:
            replace_own(path, there, data)
        if there is None:
            self._made.add(name)
        self._disk[name], self._stamps[name] = left, known(path)

    def _back_up(self, name: str) -> None:
        """Keep a backup of a file before this session first writes to it."""
        data, path = self._disk[name], self._paths[name]
        if data is None or name in self._saved:
            return
        break_ = b"" if data.endswith(b"\n") or not data else b"\n"
        kept = sealed(data + break_ + f"# {BLANK}\n".encode())
        beside = _own_place(path)
        there = beside.read_bytes() if beside.exists() else None
        if there != kept:
            replace_own(beside, there, kept)


def _own_place(path: Path) -> Path:
    """The path for a file's backup: a new file, or one that this program wrote and nobody has changed."""
    for number in count(1):
        beside = path.with_name(f"{path.name}{BACKUP}{f'-{number}' if number > 1 else ''}")
        if not os.path.lexists(beside):
            return beside
        if not beside.is_symlink() and beside.is_file() and is_sealed(beside):
            return beside
    raise AssertionError


def _conflict(
    draft: Draft, changes: Iterable[Change], files: Container[str]
) -> list[dict[str, Any]]:
    """Places in ``files`` that no longer say what the changes start from."""
    found, seen = [], set[What]()
    for change in changes:
        what = change.what
        if what not in seen and file_of(what) in files and not draft.says(what, change.before):
            found.append({"what": shown(what), "now": _plain(draft.get(what))})
        seen.add(what)
    return found


def _fitting(draft: Draft, changes: Iterable[Change]) -> Iterator[Change]:
    """The changes, adapted to what the files say now."""
    for change in changes:
        if isinstance(change.what, Stanza) and not draft.says(change.what, change.before):
            change = Change(change.what, None, change.after)
        yield change


def _plain(value: Any) -> Any:
    if isinstance(value, Record):
        return f"{value.value}, {value.status}, {' + '.join(value.who)}"
    if isinstance(value, frozenset):
        return "+".join(sorted(value))
    return value
