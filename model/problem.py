"""What can go wrong: problems, which are values (reading went on), and errors (it could not)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, Self

Severity = Literal["note", "warning", "error"]


@dataclass(frozen=True, slots=True)
class Problem:
    """A fault found while reading; the reader went on.

    ``code`` is stable and kebab-case (``unknown-command``); ``message`` is one line that says what
    was found and what was expected; ``where`` names the place: file, entry, step, piece id, line.
    Neither text may hold a player's id.
    """

    code: str
    message: str
    where: str = ""
    severity: Severity = "warning"
    count: int = 1

    def __str__(self) -> str:
        times = f" ({self.count:,} times)" if self.count > 1 else ""
        return f"{self.where}: {self.message}{times}" if self.where else f"{self.message}{times}"


class UmpireError(Exception):
    """An error meant for the user: one clear line, never a traceback.

    ``what`` was found, ``where`` (file, step, hex, key), what was ``expected``, what to do (``hint``).
    """

    exit_code = 2

    def __init__(self, what: str, *, where: str = "", expected: str = "", hint: str = "") -> None:
        self.what, self.where, self.expected, self.hint = what, where, expected, hint
        parts = [f"{where}: {what}" if where else what]
        if expected:
            parts.append(f"expected {expected}")
        if hint:
            parts.append(hint)
        super().__init__("; ".join(parts))


class Unreadable(UmpireError):
    """The input is not what it claims to be, is damaged, or passes a safety limit (exit code 2)."""


class WrongPack(UmpireError):
    """A pack, facts or analysis document does not fit its schema (exit code 2).

    ``problems`` holds one line per fault found.
    """

    def __init__(self, what: str, problems: tuple[Problem, ...] = (), **where: str) -> None:
        super().__init__(what, **where)
        self.problems = problems

    @classmethod
    def of(cls, problems: Sequence[Problem], where: str = "", count: int = 0) -> Self:
        """The error with ``problems`` (at least one). Its text is the first and the number of the others;
        ``count``: of all, if not all are given."""
        others = (count or len(problems)) - 1
        more = f" (and {others:,} more)" if others else ""
        return cls(f"{problems[0]}{more}", tuple(problems), where=where)


class CannotAudit(UmpireError):
    """The input is valid, but no pack or ruleset covers it (exit code 3)."""

    exit_code = 3
