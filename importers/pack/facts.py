"""Facts of one game (``facts.toml``) that no log shows; people write them by hand.

Each entry may hold for a range of steps: ``log`` with ``steps`` ("1-34", "7", "35-"), or ``first`` and
``last`` over several logs ("turn-1.vlog:5"). Ranges include both ends. A log is named by its file; a number
counts the ``logs`` under ``[facts]``. :mod:`.facts_logs` finds the logs meant among those of a game.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from ...model.fact import Fact
from ...model.game import PhaseStart, StepRef
from ...model.provenance import Key

FACTS_FILE = "facts.toml"
LAST_STEP = 10**9
BEGINNING = StepRef(0, 0)
"""Before the first step of a game, whichever log that is in."""


@dataclass(frozen=True, slots=True)
class Span:
    """Steps from ``first`` to ``last``, both included; ``last`` None: to the end of the game. As a file is
    read, a log goes by its place in :attr:`Facts.logs`, and 0 is the beginning of the game."""

    first: StepRef = field(default_factory=lambda: StepRef(1, 0))
    last: StepRef | None = None

    @property
    def ends(self) -> tuple[StepRef, ...]:
        """Its first step, and its last one where it has one."""
        return (self.first,) if self.last is None else (self.first, self.last)

    @property
    def whole(self) -> bool:
        """Whether it is the whole game."""
        return self.first <= StepRef(1, 0) and self.last is None

    def __contains__(self, at: StepRef) -> bool:
        return self.first <= at and (self.last is None or at <= self.last)


@dataclass(frozen=True, slots=True)
class DeclaredPhase:
    """Turn, phase and active side of a span, as far as they are declared. ``combat``: whether these steps,
    inside a movement phase, were combat; None: not declared. ``suggested``: it does not count as known.
    ``steps``: its steps as the file writes them, by which its record names it."""

    span: Span
    turn: str | None
    phase: str | None
    active: str | None
    source: str
    combat: bool | None = None
    suggested: bool = False
    steps: str = ""

    @property
    def key(self) -> Key:
        """What a record of this phase is about."""
        return Key(self.steps, "phase")

    @property
    def value(self) -> str:
        """The value in a record of this phase: turn, phase, active side."""
        told = (self.turn, self.phase, self.active)
        text = "/".join("-" if one is None else one for one in told)
        return text if self.combat is None else f"{text}/combat {'yes' if self.combat else 'no'}"

    def start(self, at: StepRef) -> PhaseStart:
        """The start of the phase at a step of the span, or its continuation. If the span has a last step, the
        phase ends with it; otherwise its end is not known."""
        last = self.span.last
        end = None if last is None or last.step >= LAST_STEP else last
        return PhaseStart(
            at,
            self.turn,
            None if self.combat else self.phase,
            self.active,
            self.source,
            certain=not self.suggested,
            declared=not self.suggested,
            last=end,
            combat=None if self.suggested else self.combat,
            suggested=self.suggested,
        )


def phase_at(phases: Iterable[DeclaredPhase], at: StepRef) -> DeclaredPhase | None:
    """The phase declared for a step. If two spans hold the step, the inner one counts. None if there is
    none."""
    return max((p for p in phases if at in p.span), key=inner, default=None)


def inner(phase: DeclaredPhase) -> tuple[StepRef, int, int]:
    """Greater for a phase that lies within another."""
    last = phase.span.last
    return (phase.span.first, *((-last.log, -last.step) if last is not None else (-LAST_STEP, 0)))


@dataclass(frozen=True, slots=True)
class DeclaredCondition:
    """A condition (weather, supply) of the game or, with ``unit``, of one unit (id or name)."""

    key: str
    fact: Fact
    span: Span
    unit: str
    source: str


@dataclass(frozen=True, slots=True)
class DeclaredUnit:
    """Side and attributes of a unit (id or name) in a span."""

    unit: str
    side: str | None
    attributes: Mapping[str, Fact]
    span: Span
    source: str


@dataclass(frozen=True, slots=True)
class DeclaredHex:
    """Terrain, level, features of a hex in a span; None: as the pack says."""

    hex: str
    terrain: tuple[str, ...] | None
    level: int | None
    features: tuple[str, ...] | None
    source: str
    span: Span = field(default_factory=Span)


@dataclass(frozen=True, slots=True)
class DeclaredHexside:
    """The features of a hexside in a span, and the kinds of lines that cross it; None: as the pack says."""

    hexes: tuple[str, str]
    has: tuple[str, ...] | None
    source: str
    lines: tuple[str, ...] | None = None
    span: Span = field(default_factory=Span)


@dataclass(frozen=True, slots=True)
class DeclaredLine:
    """Whether a line of a kind runs along a chain of hexes in a span."""

    kind: str
    hexes: tuple[str, ...]
    there: bool
    source: str
    span: Span = field(default_factory=Span)


DeclaredCell = DeclaredHex | DeclaredHexside | DeclaredLine


@dataclass(frozen=True, slots=True)
class Amendment:
    """Changes to the pack for this game. ``values``: written as in ``pack.toml``."""

    values: Mapping[str, Any]
    source: str


@dataclass(frozen=True)
class Facts:
    """All facts of one file; empty if there is no file. ``files``: all files that were read.

    ``logs``: the logs that spans name, by name, or by number where no list says which log has it. The first
    ``listed`` of them are those that the file lists, in the order in which they were played. Empty once
    spans count the logs of a game (:func:`.on_logs`). ``digests``: the SHA-256 of logs by name, as far as
    another file states them.
    """

    title: str = ""
    version: str = ""
    file: str = ""
    sha256: str = ""
    records_file: str = ""
    records_sha256: str = ""
    phases: tuple[DeclaredPhase, ...] = ()
    conditions: tuple[DeclaredCondition, ...] = ()
    units: tuple[DeclaredUnit, ...] = ()
    hexes: tuple[DeclaredHex, ...] = ()
    hexsides: tuple[DeclaredHexside, ...] = ()
    lines: tuple[DeclaredLine, ...] = ()
    amendments: tuple[Amendment, ...] = ()
    files: tuple[Path, ...] = ()
    logs: tuple[str | int, ...] = ()
    listed: int = 0
    digests: Mapping[str, str] = field(default_factory=dict, hash=False)


NO_FACTS = Facts()
