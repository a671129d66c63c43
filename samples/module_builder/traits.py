"""The traits a counter of a sample has, as VASSAL writes their types and first states."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field


@dataclass(frozen=True)
class Trait:
    """``name``: what scripts call the state that changes; empty where none does.

    ``suffixes``: what a state adds to the name of the counter.
    """

    type: str
    state: str
    name: str = ""
    suffixes: Mapping[str, str] = field(default_factory=dict)


MOVED = Trait("markmoved;/images/moved.gif;0;0;Mark Moved;77,130;;false;;;;", "false")
TRAIL = Trait(
    "footprint;84,130;Movement Trail;false;false;10;255,255,255;0,0,0;100;50;20;30;1.0;;;;;false",
    "false;;0;false;0",
)
TO_THE_BOX = Trait("sendto;Eliminate;69,130;Eliminated;Box;60;60;;;;0;0;0;;L;0;;;", ";;")
"""The key Ctrl+E sends the counter off the board."""


def layer(name: str, levels: Sequence[str], key: str, *, text: str = "") -> Trait:
    """A layer that is always shown; the first of ``levels`` has no picture and adds nothing to the name.

    Each of the others lies over the counter as the picture ``<level>.png``. ``key``: the letter that,
    with Ctrl, turns to the next level; ``text``: what the menu calls that.
    """
    pictures = ",".join(["", *(f"{picture_of(level)}.png" for level in levels[1:])])
    names = ",".join(["", *(f"+ {level}" for level in levels[1:])])
    kind = (
        f"emb2;;2;;{text};2;;;2;;;;1;false;0;0;{pictures};{names};true;{name};;;false;;1;2;true;"
        f";{ord(key)},130;;;1.0;;true"
    )
    return Trait(kind, "1", name, {str(n): level for n, level in enumerate(levels, 1) if n > 1})


def picture_of(level: str) -> str:
    """The name, without its ending, of the picture a level lays over a counter."""
    return level.replace(" ", "-")


def count(name: str, most: int, up: str, reset: str) -> Trait:
    """A number players keep on the counter; ``up`` and ``reset`` are the texts of the menu."""
    kind = f"PROP;{name};true,0,{most},false;{up}:86\\,130:I\\,1,{reset}:82\\,130:P\\,0;"
    return Trait(kind, "0", name)


def facing(name: str, ways: int) -> Trait:
    """The counter turns, Ctrl+] clockwise and Ctrl+[ back, to one of ``ways`` directions.

    Its state is the number of the direction, 0 for up, clockwise; its property ``<name>_Facing`` is
    one more.
    """
    return Trait(f"rotate;{ways};93,130;91,130;Turn right;Turn left;;;{name};;;;;false", "0", name)


def markers(values: Mapping[str, object]) -> Trait:
    """Properties that never change."""
    return Trait(f"mark;{','.join(values)}", ",".join(str(value) for value in values.values()))
