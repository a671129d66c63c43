"""Who plays in a log, by its opening; whether the game knows any of them; and what is odd about its
module."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from ...importers.game_folder.folder import GameFolder
from ...importers.vassal.commands import Extension, Player, decode_command
from ...importers.vassal.module import Module
from ...importers.vassal.roster import OBSERVER, movers_in, without_seat
from ...importers.vassal.savefile import SaveFile
from ...model.table import LogHistory
from ..discovery import module_problem


@dataclass(frozen=True, slots=True)
class Seat:
    """A player in a log. ``id`` is his password and never shown; "" if not known. ``side`` is "" for an
    observer."""

    name: str
    side: str
    id: str = field(default="", repr=False)

    @property
    def said(self) -> str:
        name = self.name or "somebody without a name"
        return f"{name} as {self.side}" if self.side else name

    def may_be(self, other: Seat) -> bool:
        """Whether both may be the same player. Their sides must agree if both have one."""
        same = self.id == other.id if self.id and other.id else False
        same = same or (bool(self.name) and self.name.casefold() == other.name.casefold())
        return same and (self.side == other.side or not (self.side and other.side))


def seats_of(save: SaveFile) -> tuple[Seat, ...]:
    """Each player whom the opening of a log names, once."""
    found = (decode_command(text) for text in save.opening if text.startswith("PLAYER\t"))
    return tuple(dict.fromkeys(_seats(one for one in found if isinstance(one, Player))))


def _seats(players: Iterable[Player]) -> Iterator[Seat]:
    for one in players:
        if one.name or one.id:
            yield Seat(one.name, "" if one.side == OBSERVER else one.side, one.id)


def may_have_new_id(save: SaveFile, tied: Iterable[str]) -> tuple[Seat, ...]:
    """Players with a side who move nothing in a log in which an id without a seat, not in ``tied``, moves
    counters: one of them may have a new password. Empty if every mover has a seat or is in ``tied``."""
    if not set(without_seat(save)).difference(tied):
        return ()
    movers = set(movers_in(save))
    return tuple(one for one in seats_of(save) if one.side and one.id not in movers)


def strangers(seats: Iterable[Seat], known: Iterable[Seat]) -> tuple[Seat, ...]:
    """All of ``seats`` if none of them is ``known``; empty if one is, or if nobody is known. ``known`` is
    read only as far as needed."""
    own, somebody = tuple(seats), False
    for other in known:
        somebody = True
        if any(one.may_be(other) for one in own):
            return ()
    return own if somebody else ()


def listed(seats: Iterable[Seat]) -> str:
    """The seats as a list in a sentence."""
    return ", ".join(one.said for one in seats)


def makers_of(history: LogHistory) -> tuple[tuple[str, int], ...]:
    """Who made the steps of a log, with the number of steps; unknown makers last."""
    counts: Counter[str] = Counter()
    for step in history.steps:
        who = step.actor.who if step.actor is not None else None
        called = "" if who is None else who.name or who.side or who.label
        if who is not None and who.side and who.name:
            called = f"{who.name} ({who.side})"
        counts[called] += 1
    ranked = sorted(counts.items(), key=lambda one: (not one[0], -one[1], one[0]))
    return tuple((name or "nobody knows who", count) for name, count in ranked)


def made_with(history: LogHistory) -> str:
    module = " ".join(part for part in (history.module_name, history.module_version) if part)
    engine = f"VASSAL {history.vassal_version}" if history.vassal_version else ""
    return ", ".join(part for part in (module, engine) if part)


def odd_about(save: SaveFile, module: Module, folder: GameFolder, where: str) -> list[str]:
    """What is odd about the module that a log was made with."""
    found = []
    problem = module_problem(save.module, module, where)
    if problem is not None:
        found.append(problem.message)
    version = save.module.version if save.module is not None else ""
    if version and module.version and version != module.version:
        found.append(f"it was made with version {version} of the module; here is {module.version}")
    found += _extensions(save, module)
    if folder.module_sha256 and module.sha256 != folder.module_sha256:
        found.append(f"{folder.module} is not the module that the game began with (SHA-256)")
    return found


def _extensions(save: SaveFile, module: Module) -> Iterator[str]:
    """Differences between the extensions that a log was made with and those beside the module."""
    commands = (decode_command(text) for text in save.opening if text.startswith("EXT\t"))
    made = {one.name: one.version for one in commands if isinstance(one, Extension)}
    here = {one.name: one.version for one in module.extensions}
    for name in sorted(made.keys() - here.keys()):
        yield f"it was made with the extension {name} {made[name]}, which is not beside the module"
    for name in sorted(here.keys() - made.keys()):
        yield f"it was made without the extension {name}, which is beside the module"
    for name in sorted(made.keys() & here.keys()):
        if made[name] != here[name]:
            yield f"it was made with version {made[name]} of the extension {name}; here is {here[name]}"
