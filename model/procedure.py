"""Error procedures, which say from which event on an error can no longer be corrected, and the rulings in
a game's folder on the offences that an audit found.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from .game import StepRef

Seal = Literal["roll", "move", "roll or move"]
"""The event that seals an error, by the player who did not make it: his next roll, the start of his next
move, or either."""

Segment = Literal["movement", "combat"]
State = Literal["correctable", "sealed", "corrected", "open"]


@dataclass(frozen=True, slots=True)
class Procedure:
    """How a tournament, or two players, deal with errors that are found later.

    ``movement``, ``combat``: the event that seals an error made in each. ``movement_correction``,
    ``combat_correction``: a sentence on how to correct it. ``note``: other remarks of the text; may be "".
    ``sources``: addresses of the public text, the one that is followed first; empty: there is none. The
    director decides whether an error is routine or unusual.
    """

    name: str
    title: str
    movement: Seal
    combat: Seal
    movement_correction: str
    combat_correction: str
    note: str = ""
    sources: tuple[str, ...] = ()

    @property
    def source(self) -> str:
        """The address of the text that is followed; "": there is none."""
        return self.sources[0] if self.sources else ""

    def seal(self, segment: Segment) -> Seal:
        """The event that seals an error made in ``segment``."""
        return self.movement if segment == "movement" else self.combat

    def correction(self, segment: Segment) -> str:
        """A sentence on how to correct an error made in ``segment``."""
        return self.movement_correction if segment == "movement" else self.combat_correction


@dataclass(frozen=True, slots=True)
class Standing:
    """Whether an offence can still be corrected under a procedure, at the end of the last log.

    ``state``: ``correctable``; ``sealed``, the event that seals it is in the logs; ``corrected``, it was
    corrected before such an event; ``open``, the logs do not show it. ``at``: the step of that event or
    correction; None: there is none. ``why``: a sentence without its full stop. ``segment``: movement or
    combat, where the offence was made.
    """

    state: State
    at: StepRef | None
    why: str
    segment: Segment = "movement"


@dataclass(frozen=True, slots=True)
class Ruled:
    """An offence, its standing, and the last ruling on it.

    ``offence``: its id. ``findings``: indices of its findings in the audit, the offence itself first; empty:
    no longer found. ``standing``: None if it is no longer found. ``decision``: "" if there is no ruling.
    ``again``: the findings have changed since the ruling. ``looked``: sentences that name who looked at the
    cells of its bill.
    """

    offence: str
    findings: tuple[int, ...] = ()
    standing: Standing | None = None
    decision: str = ""
    because: str = ""
    who: str = ""
    when: str = ""
    again: bool = False
    looked: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Rulings:
    """All rulings of one game. ``title``: of the game; ``procedure``: the title of the error procedure;
    ``gone``: rulings on offences that are no longer found."""

    title: str
    procedure: str
    offences: tuple[Ruled, ...]
    gone: tuple[Ruled, ...] = ()
