"""The logs that a facts file names, found among those of a game."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

from ...model.game import StepRef
from ...model.logs import KnownLog, facts_name
from ...model.problem import Problem
from ...model.table import LogHistory
from .facts import (
    LAST_STEP,
    DeclaredPhase,
    Facts,
    Span,
    inner,
)

UNUSED = "idle-fact"
"""Code of the :class:`Problem` of a fact that matches nothing in the game."""
MOST_NAMES = 4
_DIGEST = re.compile("[0-9a-f]{64}")

TABLES = ("phases", "conditions", "units", "hexes", "hexsides", "lines")
"""The fields of :class:`Facts` whose entries have a span."""


def logs_of(histories: Iterable[LogHistory]) -> tuple[KnownLog, ...]:
    """The logs that were replayed, with the last step of each."""
    return tuple(
        KnownLog(log.source, log.sha256, max((s.engine_number or 0 for s in log.steps), default=0))
        for log in histories
    )


def on_logs(facts: Facts, logs: Sequence[KnownLog]) -> tuple[Facts, tuple[Problem, ...]]:
    """``facts`` with spans in the numbering of ``logs``, the game's logs in order, without facts about other
    logs; and problems. Errors: an ambiguous or perhaps renamed log, steps that a log does not have, phases
    that overlap. A note: facts that were set aside. Facts in the game's numbering stay as they are. ``logs``
    empty: the logs are not known, but numbers still count them."""
    finder = LogFinder(facts, logs)
    kept: dict[str, Any] = {one: tuple(finder.kept(getattr(facts, one))) for one in TABLES}
    found = replace(facts, **kept, logs=(), listed=0)
    return found, (*finder.problems, *finder.set_aside(), *_crossing(found.phases))


@dataclass(frozen=True, slots=True)
class Unclear:
    """Why it is not clear which log is meant, and what to write instead."""

    why: str


class LogFinder:
    """Finds the logs that the spans of ``facts`` name among ``logs``, those of the game in order."""

    def __init__(self, facts: Facts, logs: Sequence[KnownLog]) -> None:
        self._facts, self._logs = facts, logs
        self._counted = max((one for one in facts.logs if isinstance(one, int)), default=0)
        self._numbers = {place: self._number(ref) for place, ref in enumerate(facts.logs, 1)}
        self._lost = frozenset(
            place
            for place, ref in enumerate(facts.logs, 1)
            if self._numbers[place] is None and self._digest(ref) is None
        )
        named = set(self._numbers.values())
        self._strangers = [log.name for n, log in enumerate(logs, 1) if n not in named]
        self._elsewhere: list[tuple[str, Span]] = []
        self.problems: list[Problem] = []

    def kept(self, entries: Iterable[Any]) -> Iterator[Any]:
        """The entries that hold for logs of the game, in its numbers; what is wrong goes to ``problems``."""
        for entry in entries:
            found = self.span(entry.span)
            if isinstance(found, Unclear):
                self.problems.append(Problem("facts", found.why, entry.source, "error"))
            elif found is None:
                self._elsewhere.append((entry.source, entry.span))
            else:
                yield replace(entry, span=found)

    def span(self, span: Span) -> Span | Unclear | None:
        """A span in the numbers of the game; None: it is about other logs."""
        ends = span.ends
        if unclear := next((why for at in ends if (why := self._unclear(at))), ""):
            return Unclear(unclear)
        alone = span.last is not None and span.first.log == span.last.log != 0
        if alone and self._here(span.first) is None:
            return None
        away = [at for at in ends if at.log > self._facts.listed and self._here(at) is None]
        if away and self._logs:
            return self._in_part(span, away)
        if self._may_be_here(span):
            return None
        first = self._first(span.first)
        last = None if span.last is None else self._last(span.last)
        if first is None or (span.last is not None and last is None):
            return None
        if last is not None and last < first:
            if all(self._here(at) is not None for at in ends):
                found = f"{self._said(span.first)} to {self._said(ends[-1])}"
                return Unclear(f"expected a range that ends after it begins; found {found}")
            return None
        return Span(first, last)

    def _in_part(self, span: Span, away: list[StepRef]) -> Span | Unclear:
        """A span that begins or ends in a log that is neither here nor in the file's list. Without the span,
        an accusation that it excuses could remain. So it holds to the end, or from the beginning, of the
        present logs, or is unclear."""
        first, last = span.first, span.last
        if first.log and first not in away and self._here(first) == len(self._logs):
            return Span(StepRef(len(self._logs), first.step), StepRef(len(self._logs), LAST_STEP))
        if last is not None and last not in away and self._here(last) == 1:
            return Span(StepRef(1, 0), StepRef(1, last.step))
        return Unclear(
            f"expected {self._called(away[0])} among the logs here ({self._names()}), or all logs "
            'of the game in the order of play under [facts]: logs = ["…", "…"]; else it may hold here or not'
        )

    def _may_be_here(self, span: Span) -> bool:
        """Whether the log of an end of the span is missing while a log that the file does not name is here:
        it may be that log, renamed. Without the facts about it, a move that they excuse could be called
        illegal."""
        away = any(at.log and self._here(at) is None for at in span.ends)
        if not self._strangers or not away:
            return False
        last = span.last.log if span.last is not None else self._facts.listed
        return not self._lost.isdisjoint(range(span.first.log, max(last, span.first.log) + 1))

    def set_aside(self) -> Iterator[Problem]:
        """One line for all facts of other logs: a note, as they may be the rest of the game; an error if such
        a log may be one of those here."""
        renamed = [(source, span) for source, span in self._elsewhere if self._may_be_here(span)]
        if renamed:
            source, span = renamed[0]
            yield Problem(
                "facts",
                f"expected {self._away(span)} among the logs here; found {self._strangers[0]}, which these "
                "facts name nowhere, and which may be it under a new name. Write its new name, or all logs "
                'of the game in the order of play under [facts]: logs = ["…", "…"]',
                source,
                "error",
                len(renamed),
            )
        elif self._elsewhere:
            source, span = self._elsewhere[0]
            message = (
                f"set aside: it is about {self._away(span)}, which is not among the logs here: "
                f"{self._names()}; if it was renamed, write its new name"
            )
            yield Problem(UNUSED, message, source, "note", len(self._elsewhere))

    def _away(self, span: Span) -> str:
        """The name of a missing log in which a span begins or ends."""
        return next(self._called(at) for at in span.ends if at.log and self._here(at) is None)

    def _number(self, ref: str | int) -> int | Unclear | None:
        """The number in the game of a log that the file names; None: the game does not have it."""
        if isinstance(ref, int):
            single = len(self._logs) == 1 and self._counted == 1
            return ref if single or not self._logs else Unclear(self._which(ref))
        name = self._digest(ref) or ref
        found = [n for n, log in enumerate(self._logs, 1) if name in (log.name, log.sha256)]
        if len(found) > 1:
            digests = " or ".join(f'"{self._logs[n - 1].sha256}"' for n in found)
            return Unclear(
                f"expected the SHA-256 of a log, {digests}: {len(found)} logs are called {ref}"
            )
        return found[0] if found else None

    def _digest(self, ref: str | int) -> str | None:
        """The SHA-256 of a log that the file names; None: it is not known."""
        known = self._facts.digests.get(str(ref))
        return str(ref) if known is None and _DIGEST.fullmatch(str(ref)) else known

    def _which(self, number: int) -> str:
        """What to write if numbers may count other logs than those of the game."""
        names = ", ".join(f'"{facts_name(self._logs, n)}"' for n in range(1, len(self._logs) + 1))
        what = (
            f"expected the name of a log; found log {number}, and nothing says which file that is. "
        )
        if self._counted > len(self._logs):
            what += f"Add under [facts] all {self._counted} logs that were counted, in the order of play: "
            return f"{what}logs = [{names}, …]"
        what += "If the facts were written for the logs here in this order, add under [facts]: "
        return f"{what}logs = [{names}]"

    def _here(self, at: StepRef) -> int | Unclear | None:
        """The number in the game of the log of a step; None: the game does not have it. A log that is in no
        list of the file is counted as the game counts it."""
        if at.log > len(self._facts.logs):
            return at.log if not self._logs or at.log <= len(self._logs) else None
        return self._numbers[at.log]

    def _unclear(self, at: StepRef) -> str:
        """Why a step cannot be found, "": it can, or its log is not here."""
        number = self._here(at) if at.log else None
        if isinstance(number, Unclear):
            return number.why
        if number is None or not self._logs or at.step >= LAST_STEP:
            return ""
        last = self._logs[number - 1].last
        if last is None or at.step <= last:
            return ""
        return f"expected a step up to {last}, the last of {self._called(at)}; found step {at.step}"

    def _first(self, at: StepRef) -> StepRef | None:
        """The step in the game; in a log that is not here, the opening of the next one that the file lists.
        None: there is none."""
        if at.log == 0:
            return StepRef(1, 0)
        number = self._here(at)
        if isinstance(number, int):
            return StepRef(number, at.step)
        later = (self._numbers[place] for place in range(at.log + 1, self._facts.listed + 1))
        return next((StepRef(n, 0) for n in later if isinstance(n, int)), None)

    def _last(self, at: StepRef) -> StepRef | None:
        """The step in the game; in a log that is not here, the end of the one before it that the file lists.
        None: there is none."""
        number = self._here(at)
        if isinstance(number, int):
            return StepRef(number, at.step)
        listed = at.log <= self._facts.listed
        earlier = (self._numbers[place] for place in range(at.log - 1 if listed else 0, 0, -1))
        return next((StepRef(n, LAST_STEP) for n in earlier if isinstance(n, int)), None)

    def _called(self, at: StepRef) -> str:
        ref = self._facts.logs[at.log - 1] if at.log <= len(self._facts.logs) else at.log
        return f"log {ref}"

    def _said(self, at: StepRef) -> str:
        return f"step {at.step} of {self._called(at)}"

    def _names(self) -> str:
        shown = ", ".join(log.name for log in self._logs[:MOST_NAMES])
        more = len(self._logs) - MOST_NAMES
        return f"{shown} and {more} more" if more > 0 else shown or "it has none"


def _crossing(phases: tuple[DeclaredPhase, ...]) -> Iterator[Problem]:
    """Of two phases that hold the same step, one must lie within the other."""
    around: list[DeclaredPhase] = []
    for phase in sorted(phases, key=inner):
        while around and not _meet(around[-1].span, phase.span):
            around.pop()
        if around and not _lies_within(phase.span, around[-1].span):
            message = (
                "expected steps of no other [[phase]], or only of one that holds all of them; found some "
                f"of {around[-1].source}"
            )
            yield Problem("facts", message, phase.source, "error")
        around.append(phase)


def _meet(span: Span, later: Span) -> bool:
    """Whether ``later``, which begins no earlier, begins within ``span``."""
    return span.last is None or later.first <= span.last


def _lies_within(span: Span, outer: Span) -> bool:
    """Whether ``span``, which begins within ``outer`` and no earlier, is a part of it."""
    if outer.last is None:
        return span.first > outer.first or span.last is not None
    return span.last is not None and span.last <= outer.last and span != outer
