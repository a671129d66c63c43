"""An offence: one drag that broke a rule, with all its findings."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from dataclasses import dataclass

from .finding import Finding, PhaseView
from .game import StepRef

_DIGITS = 12


@dataclass(frozen=True, slots=True)
class Offence:
    """The findings of one drag. ``findings``: the first is the offence itself, the others follow from it.

    ``id``: see :func:`offence_id`. ``former``: ids that earlier versions gave it, which older rulings use.
    ``at``, ``last``: its first and last step. ``side``, ``player``: who did it, as far as known. ``units``:
    ids of its units; ``names``: their names as everyone may see them.
    """

    id: str
    at: StepRef
    last: StepRef
    side: str | None
    player: str
    units: tuple[str, ...]
    names: tuple[str, ...]
    phase: PhaseView
    findings: tuple[Finding, ...]
    former: str = ""

    @property
    def finding(self) -> Finding:
        """The offence itself."""
        return self.findings[0]


def offence_id(log: str, step: int, place: str) -> str:
    """An id of an offence that does not depend on pack, version or viewer: the first twelve hex digits of
    the SHA-256 of the log's SHA-256, the number of the drag's last step and the hex in which it ended."""
    return _digits(log, str(step), place)


def drag_id(log: str, step: int, units: Iterable[str]) -> str:
    """An id of a drag that does not depend on pack or version: the first twelve hex digits of the SHA-256 of
    the log's SHA-256, the number of the step and the ids of the pieces."""
    return _digits(log, str(step), *sorted(units))


def _digits(*parts: str) -> str:
    text = "\n".join(parts)
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:_DIGITS]
