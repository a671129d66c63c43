"""An offence: one drag that broke a rule, with all that was found of it."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from dataclasses import dataclass

from .finding import Finding, PhaseView
from .game import StepRef

_DIGITS = 12


@dataclass(frozen=True, slots=True)
class Offence:
    """What was found of one drag. ``findings``: the first is the offence itself, the others follow from it.

    ``id``: see :func:`offence_id`; ``former``: what earlier versions called it, for rulings that were made
    with them. ``log``: the SHA-256 of the log it is in, "" if the game came from none.
    ``at``, ``last``: its first and its last step. ``side``, ``player``: whose it is, as far as known.
    ``units``: ids of its units; ``names``: what everyone may call them.
    """

    id: str
    log: str
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
    """A name for an offence that no other pack, no later version and no other viewer changes: the first
    twelve hex digits of the SHA-256 of the log's own, the number of the last step of the drag and the hex in
    which it ended."""
    return _digits(log, str(step), place)


def drag_id(log: str, step: int, units: Iterable[str]) -> str:
    """A name for a drag that no other pack and no later version changes: the first twelve hex digits of the
    SHA-256 of the log's own, the number of the step and the ids of the pieces."""
    return _digits(log, str(step), *sorted(units))


def _digits(*parts: str) -> str:
    text = "\n".join(parts)
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:_DIGITS]
