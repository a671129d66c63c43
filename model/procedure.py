"""An error procedure: which event seals an error, so that it can no longer be put right; and
what a game's folder says of the offences that an audit found.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from .game import StepRef

Seal = Literal["roll", "move", "roll or move"]
"""What of the player who made no error seals it: his next roll, the start of his next move, or either."""

Segment = Literal["movement", "combat"]
State = Literal["correctable", "sealed", "corrected", "open"]


@dataclass(frozen=True, slots=True)
class Procedure:
    """How a tournament, or two players, deal with errors that are found later.

    ``movement``, ``combat``: what seals an error made in each. ``movement_correction``,
    ``combat_correction``: what correcting one means, in a sentence. ``note``: what else the text says, "" if
    nothing. ``sources``: addresses of the public text, the first being the one followed; empty: there is
    none. Whether an error is routine or unusual is the director's call.
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
        """The address of the text that is followed; "" if there is none."""
        return self.sources[0] if self.sources else ""

    def seal(self, segment: Segment) -> Seal:
        """What seals an error made in ``segment``."""
        return self.movement if segment == "movement" else self.combat

    def correction(self, segment: Segment) -> str:
        """What correcting an error made in ``segment`` means, in a sentence."""
        return self.movement_correction if segment == "movement" else self.combat_correction


@dataclass(frozen=True, slots=True)
class Standing:
    """Whether an offence can still be put right under a procedure, by the end of the last log.

    ``state``: ``correctable``; ``sealed`` the event that seals it is in the logs; ``corrected`` it was put
    right before; ``open`` the logs do not tell. ``at``: the step of that event or correction, None where
    there is none. ``why``: a plain sentence without its full stop. ``segment``: where the offence was made.
    """

    state: State
    at: StepRef | None
    why: str
    segment: Segment = "movement"


@dataclass(frozen=True, slots=True)
class Ruled:
    """An offence, until when it could be put right, and the last ruling on it.

    ``offence``: its id. ``findings``: which findings of the audit it is, by index, the offence itself first;
    empty: it is no longer found. ``standing``: None where it is no longer found. ``decision``: "" if nobody
    has ruled on it. ``again``: what was found has changed since. ``looked``: sentences on who looked
    at the cells that are charged for.
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
    """All that is said of one game. ``title``: the game's; ``procedure``: the error procedure by its title;
    ``gone``: rulings on what is no longer found."""

    title: str
    procedure: str
    offences: tuple[Ruled, ...]
    gone: tuple[Ruled, ...] = ()
