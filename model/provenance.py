"""Who vouches for a fact: records that say how a cell of the board, or a phase of a game, came to be known.

A record speaks of one fact and of its value: if the value is changed, the record is void. What a program
suggested, imported or filled in is not known until somebody has looked at it; see :data:`KNOWN`. All
functions here are pure, for the commands and for an editor alike.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Literal, NamedTuple, get_args

Status = Literal["typed", "suggested", "imported", "filled", "looked-at", "double"]
"""``typed`` by hand; ``suggested`` by a program from a picture or a log; ``imported`` from another file;
``filled`` over many cells at once; ``looked-at`` on the picture, in a view made for that; ``double``: entered
by two who did not see each other's entry, and equal. The method of a record says whether a person or a
program looked."""
STATUSES: tuple[Status, ...] = get_args(Status)
KNOWN: frozenset[Status] = frozenset(("typed", "looked-at", "double"))
"""What counts as known. All else counts as not known, whatever a pack calls complete."""
BY_EYE: frozenset[Status] = frozenset(("looked-at", "double"))
"""What somebody says who has looked in the studio; no headless command may."""

OF_THE_WHOLE = ("vouches for the pack", "in the pack's files without a record")
"""The methods of records that were made for all of a pack at once, when it began to keep records."""

Layer = Literal["terrain", "level", "features", "hexsides", "lines", "phase"]
LAYERS: tuple[Layer, ...] = get_args(Layer)


Looker = Literal["person", "program"]
LOOKERS: tuple[Looker, ...] = get_args(Looker)


class Key(NamedTuple):
    """The fact that a record is about.

    ``cell``: a hex ``0403``, a hexside ``0403/0404``, or steps of a game ``1:210-1:260``. ``name``: one
    feature, or one kind of line across a hexside; '': the terrain, the level, the phase; of features,
    hexsides and lines that nothing else is there than what the value lists.
    """

    cell: str
    layer: Layer
    name: str = ""


def in_order(cell: str, layer: str) -> str:
    """A cell as records are compared: the hexes of a hexside in order (their names may have strokes too)."""
    if layer not in ("hexsides", "lines"):
        return cell
    parts = [part.strip() for part in cell.split("/")]
    half, odd = divmod(len(parts), 2)
    names = parts if odd else ["/".join(parts[:half]), "/".join(parts[half:])]
    return "/".join(names if odd else sorted(names))


@dataclass(frozen=True, slots=True)
class Method:
    """How a fact was come by. ``by``: who looked, a person or a program; it has to be true."""

    by: Looker
    name: str

    def __str__(self) -> str:
        return f"{self.by}: {self.name}"


@dataclass(frozen=True, slots=True)
class Record:
    """Who says that a fact has a value. ``who``: names of people or programs. ``when``: a date, or date and
    time (ISO 8601). ``confidence``: from 0 to 1, None: not said. ``picture``: the SHA-256 of the picture
    that was looked at, '': none."""

    key: Key
    value: str
    status: Status
    who: tuple[str, ...]
    when: str
    method: Method
    confidence: Fraction | None = None
    picture: str = ""
    before: str = ""
    """The value last known before it was changed to this one without a look; '': none."""

    def instead_of(self, old: Record | None) -> Record:
        """This record in the place of ``old``, which it remembers if nobody has looked at the change."""
        if old is None or (self.status in BY_EYE and self.method.by == "person"):
            return replace(self, before="")
        known = old.before or (old.value if old.is_known else "")
        return replace(self, before="" if known == self.value else known)

    @property
    def is_known(self) -> bool:
        """Whether the fact counts as known by this record."""
        return self.status in KNOWN

    @property
    def is_seen(self) -> bool:
        """Whether a person entered this fact, or looked at it: only then may it accuse. What a pack said of a
        whole layer before it kept records is no look at a hexside."""
        at_once = self.method.name in OF_THE_WHOLE and self.key.layer in ("hexsides", "lines")
        in_full = at_once and not self.key.name
        return self.is_known and self.method.by == "person" and not in_full


def fault_of(record: Record) -> str:
    """What is untrue about a record by itself, as "expected …; found …"; '' if nothing is."""
    if not record.who:
        return "expected who says so; found nobody"
    if record.status == "typed" and record.method.by != "person":
        return f"expected a person's method for {record.status}; found {record.method}"
    if record.status == "double" and len(set(record.who)) < 2:
        return f"expected two different names for double; found {' + '.join(record.who)}"
    if record.status == "suggested" and record.method.by != "program":
        return f"expected a program's method for {record.status}; found {record.method}"
    if record.confidence is not None and not 0 <= record.confidence <= 1:
        return f"expected a confidence from 0 to 1; found {record.confidence}"
    return ""


Records = Mapping[Key, Record]


def by_key(records: Iterable[Record]) -> dict[Key, Record]:
    """Records by what they are about. ValueError if two are about the same."""
    found: dict[Key, Record] = {}
    for record in records:
        if record.key in found:
            raise ValueError(f"two records for {record.key}")
        found[record.key] = record
    return found


def current(records: Records, values: Mapping[Key, str]) -> dict[Key, Record]:
    """The records that still speak of the value a fact has; the others are void."""
    return {key: record for key, record in records.items() if values.get(key) == record.value}


def entered(records: Records, new: Iterable[Record], program: str) -> dict[Key, Record]:
    """``records`` with ``new`` ones, which a program enters by itself.

    ValueError if one is untrue: a program says that somebody looked, or does not name itself. It never takes
    the place of a record by which the same value is known.
    """
    found = dict(records)
    for record in new:
        wrong = fault_of(record)
        if not wrong and record.method.by != "program":
            wrong = f"expected a program's method; found {record.method}"
        if not wrong and record.status in BY_EYE:
            wrong = (
                f"expected a look in the studio for {record.status}; found the program {program}"
            )
        if not wrong and program not in record.who:
            wrong = f"expected {program} among those who say so; found {' + '.join(record.who)}"
        if wrong:
            raise ValueError(f"{record.key.cell} {record.key.layer}: {wrong}")
        old = found.get(record.key)
        if old is None or not old.is_known or old.value != record.value:
            found[record.key] = record.instead_of(old)
    return found
