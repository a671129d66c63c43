"""The edits step by step, for undo and redo."""

from __future__ import annotations

import hashlib
import zlib
from base64 import b64decode, b64encode
from collections import deque
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from ...importers.pack.edit.change import Change

STEPS = 1_000
"""Maximum number of steps remembered."""
KEPT = 200
"""Maximum number of steps kept from one run to the next."""


@dataclass(frozen=True, slots=True)
class Splice:
    """A change of a file: where it begins, and the differing bytes before and after (packed)."""

    start: int
    old: bytes
    new: bytes
    before: bytes
    after: bytes
    """The digests of the whole file."""

    @property
    def packed(self) -> tuple[bytes, ...]:
        """All fields except ``start``, in order."""
        return self.old, self.new, self.before, self.after

    def back(self, data: bytes) -> bytes | None:
        """The file before the change; None if ``data`` is not the file after it."""
        return _spliced(data, self.after, self.start, self.new, self.old)

    def again(self, data: bytes) -> bytes | None:
        """The file after the change; None if ``data`` is not the file before it."""
        return _spliced(data, self.before, self.start, self.old, self.new)


def splice(before: bytes, after: bytes) -> Splice:
    """The change from one file to another."""
    start = _common(before, after)
    most = min(len(before), len(after)) - start
    end = _common(before[::-1][:most], after[::-1][:most])
    old, new = before[start : len(before) - end], after[start : len(after) - end]
    return Splice(start, zlib.compress(old), zlib.compress(new), digest(before), digest(after))


def digest(data: bytes) -> bytes:
    """The digest of a file."""
    return hashlib.sha256(data).digest()


def _spliced(data: bytes, expected: bytes, start: int, there: bytes, wanted: bytes) -> bytes | None:
    if digest(data) != expected:
        return None
    rest = start + len(zlib.decompress(there))
    return data[:start] + zlib.decompress(wanted) + data[rest:]


def _common(one: bytes, other: bytes) -> int:
    """The length of the common beginning of two files."""
    low, high = 0, min(len(one), len(other))
    while low < high:
        middle = (low + high + 1) // 2
        if one[low:middle] == other[low:middle]:
            low = middle
        else:
            high = middle - 1
    return low


@dataclass(frozen=True, slots=True)
class Step:
    """One step: the changes, and their effect on each file. A step of an earlier run has no ``changes``: it
    is undone only if the files are exactly as it left them."""

    label: str
    changes: tuple[Change, ...]
    files: Mapping[str, Splice]


def plain_steps(steps: Iterable[Step]) -> list[dict[str, Any]]:
    """The last :data:`KEPT` steps as JSON, with their effect on the files but without their changes."""
    return [
        {
            "label": step.label,
            "files": {
                name: [one.start, *(b64encode(part).decode() for part in one.packed)]
                for name, one in step.files.items()
            },
        }
        for step in list(steps)[-KEPT:]
    ]


def steps_of(plain: Iterable[Any]) -> list[Step]:
    """The steps written by :func:`plain_steps`. Raises ``ValueError``, ``TypeError`` or ``KeyError`` for
    anything else."""
    return [
        Step(
            str(one["label"]),
            (),
            {
                str(name): Splice(int(start), *(b64decode(part) for part in parts))
                for name, (start, *parts) in one["files"].items()
            },
        )
        for one in plain
    ]


class History:
    """The steps that can be undone, and those that can be redone."""

    def __init__(self) -> None:
        self.done: deque[Step] = deque(maxlen=STEPS)
        self.undone: list[Step] = []

    def add(self, step: Step) -> None:
        """Add a new step; nothing can be redone after it."""
        self.done.append(step)
        self.undone.clear()

    @property
    def undo_label(self) -> str | None:
        """The step that undo would take back; None if there is none."""
        return self.done[-1].label if self.done else None

    @property
    def redo_label(self) -> str | None:
        """The step that redo would make again; None if there is none."""
        return self.undone[-1].label if self.undone else None
