"""What the folder of a game says of the offences that an audit of it found."""

from __future__ import annotations

from dataclasses import dataclass

from .procedure import Standing


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
