"""Records that say who entered or checked a fact of the board, or a phase of a game, and how.

A record is about one fact and its value. If the value changes, the record is void. A fact that a program
suggested, imported or filled in is not known until somebody has looked at it; see :data:`KNOWN`. All
functions here are pure; the commands and the studio use them.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Literal, NamedTuple, get_args

Status = Literal["typed", "suggested", "imported", "filled", "looked-at", "double"]
"""``typed`` by hand; ``suggested`` by a program from a picture or a log; ``imported`` from another file;
``filled`` over many cells at once; ``looked-at`` on the picture, in a view made for that; ``double``: two
entered the same value without seeing each other's entry. The record's method says whether a person or a
program looked."""
STATUSES: tuple[Status, ...] = get_args(Status)
KNOWN: frozenset[Status] = frozenset(("typed", "looked-at", "double"))
"""The statuses that count as known; others do not, even if a pack calls the layer complete."""
BY_EYE: frozenset[Status] = frozenset(("looked-at", "double"))
"""The statuses of a look in the studio; no headless command may set them."""

OF_THE_WHOLE = ("vouches for the pack", "in the pack's files without a record")
"""The methods of records that were made for a whole pack at once, when it began to keep records."""

Layer = Literal["terrain", "level", "features", "hexsides", "lines", "phase"]
LAYERS: tuple[Layer, ...] = get_args(Layer)


Looker = Literal["person", "program"]
LOOKERS: tuple[Looker, ...] = get_args(Looker)


class Key(NamedTuple):
    """The fact that a record is about.

    ``cell``: a hex ``0403``, a hexside ``0403/0404``, or steps of a game ``1:210-1:260``. ``name``: one
    feature, or one kind of line across a hexside. '': the terrain, level or phase; for features, hexsides
    and lines, the fact that only what the value lists is there.
    """

    cell: str
    layer: Layer
    name: str = ""


def in_order(cell: str, layer: str) -> str:
    """A cell with the hexes of a hexside in order, to compare records. Names of hexes may hold slashes."""
    if layer not in ("hexsides", "lines"):
        return cell
    parts = [part.strip() for part in cell.split("/")]
    half, odd = divmod(len(parts), 2)
    names = parts if odd else ["/".join(parts[:half]), "/".join(parts[half:])]
    return "/".join(names if odd else sorted(names))


@dataclass(frozen=True, slots=True)
class Method:
    """How a fact was found. ``by``: whether a person or a program looked; it must be true."""

    by: Looker
    name: str

    def __str__(self) -> str:
        return f"{self.by}: {self.name}"


@dataclass(frozen=True, slots=True)
class Record:
    """The statement that a fact has a value. ``who``: names of people or programs. ``when``: a date, or date
    and time (ISO 8601). ``confidence``: from 0 to 1; None: not stated. ``picture``: the SHA-256 of the
    picture that was looked at; '': none."""

    key: Key
    value: str
    status: Status
    who: tuple[str, ...]
    when: str
    method: Method
    confidence: Fraction | None = None
    picture: str = ""
    before: str = ""
    """The last known value, if it was changed to this one without a look; '': none."""

    def instead_of(self, old: Record | None) -> Record:
        """This record as the successor of ``old``; keeps the old value if nobody has looked at the change."""
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
        """Whether a person entered this fact or looked at it; only such facts support accusations. A
        statement about a whole layer, from before the pack kept records, is not a look at a hexside."""
        at_once = self.method.name in OF_THE_WHOLE and self.key.layer in ("hexsides", "lines")
        in_full = at_once and not self.key.name
        return self.is_known and self.method.by == "person" and not in_full


def fault_of(record: Record) -> str:
    """What contradicts itself in a record, as "expected …; found …"; '' if nothing does."""
    if not record.who:
        return "expected the name of whoever says so; found none"
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
    """Records by key. ValueError if two have the same key."""
    found: dict[Key, Record] = {}
    for record in records:
        if record.key in found:
            raise ValueError(f"two records for {record.key}")
        found[record.key] = record
    return found


def current(records: Records, values: Mapping[Key, str]) -> dict[Key, Record]:
    """The records whose value is still that of the fact; the others are void."""
    return {key: record for key, record in records.items() if values.get(key) == record.value}


def entered(records: Records, new: Iterable[Record], program: str) -> dict[Key, Record]:
    """``records`` with ``new`` ones, which a program enters by itself.

    ValueError if one is untrue: it says that somebody looked, or does not name the program. A new record
    never replaces one by which the same value is known.
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
