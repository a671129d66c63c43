"""Which of VASSAL's classes a class of the module's own extends.

A build file names Java classes, and the engine treats each component by the class it extends: a ``my.WarMap``
that extends ``Map`` is a numbered map window. The class files in the module name the class that each extends,
and its methods. Without class files, the end of a component's name decides, if such a component may stand
there.

Only the constant pool, the fields and the names of the methods of a class file are read (Java Virtual Machine
Specification, chapter 4). No code is run.
"""

from __future__ import annotations

import struct
from dataclasses import dataclass

from .archive import Archive
from .components import MAPS, Component

_WIDTHS = {
    **dict.fromkeys((7, 8, 16, 19, 20), 2),
    **dict.fromkeys((3, 4, 9, 10, 11, 12, 17, 18), 4),
    **dict.fromkeys((5, 6), 8),
    15: 3,
}
"""By tag, the bytes of a constant after its tag; a text states its own length."""
_UTF8, _CLASS, _FIELD, _NAME_AND_TYPE, _TWO_SLOTS = 1, 7, 9, 12, (5, 6)
_DAMAGE = (struct.error, IndexError, KeyError, UnicodeDecodeError)


@dataclass(frozen=True, slots=True)
class JavaClass:
    """A class: the full name of the class it ``extends``, and its ``members``: the names of its methods, and
    of inherited fields that its code reads or writes. ``members`` is None where the file is cut off or
    damaged behind its head."""

    extends: str
    members: frozenset[str] | None


def read_class(data: bytes) -> JavaClass | None:
    """The class of a class file, whose end may be missing; None if its head cannot be read."""
    try:
        if data[:4] != b"\xca\xfe\xba\xbe":
            return None
        pool, at = _read_pool(data)
        this, above, interfaces = struct.unpack_from(">HHH", data, at + 2)
        extends = pool.class_name(above)
    except _DAMAGE:
        return None
    try:
        own_fields, at = _names(data, at + 8 + 2 * interfaces, pool)
        methods, _ = _names(data, at, pool)
        inherited = pool.fields_of(pool.class_name(this)) - own_fields
    except _DAMAGE:
        return JavaClass(extends, None)
    return JavaClass(extends, methods | inherited)


@dataclass(frozen=True, slots=True)
class _Pool:
    """The constants used here, by slot: texts, and references to other slots."""

    texts: dict[int, bytes]
    refers: dict[int, tuple[int, ...]]
    fields: tuple[int, ...]

    def text(self, slot: int) -> str:
        return self.texts[slot].decode("utf-8")

    def class_name(self, slot: int) -> str:
        return self.text(self.refers[slot][0]).replace("/", ".")

    def fields_of(self, cls: str) -> frozenset[str]:
        """Names of the fields that the code looks for in a class, its own or inherited."""
        pairs = (self.refers[slot] for slot in self.fields)
        return frozenset(
            self.text(self.refers[name][0])
            for owner, name in pairs
            if self.class_name(owner) == cls
        )


def _read_pool(data: bytes) -> tuple[_Pool, int]:
    """The constant pool, and where it ends."""
    (count,) = struct.unpack_from(">H", data, 8)
    at, slot = 10, 1
    texts: dict[int, bytes] = {}
    refers: dict[int, tuple[int, ...]] = {}
    fields: list[int] = []
    while slot < count:
        tag = data[at]
        if tag == _UTF8:
            (length,) = struct.unpack_from(">H", data, at + 1)
            texts[slot] = data[at + 3 : at + 3 + length]
            at += 3 + length
        else:
            if tag in (_CLASS, _FIELD, _NAME_AND_TYPE):
                shape = ">H" if tag == _CLASS else ">HH"
                refers[slot] = struct.unpack_from(shape, data, at + 1)
            if tag == _FIELD:
                fields.append(slot)
            at += 1 + _WIDTHS[tag]
        slot += 2 if tag in _TWO_SLOTS else 1
    return _Pool(texts, refers, tuple(fields)), at


def _names(data: bytes, at: int, pool: _Pool) -> tuple[frozenset[str], int]:
    """Names of the fields, or methods, in the table that begins here, and where it ends."""
    (count,) = struct.unpack_from(">H", data, at)
    at += 2
    found: set[str] = set()
    for _ in range(count):
        _, name, _, attributes = struct.unpack_from(">HHHH", data, at)
        found.add(pool.text(name))
        at += 8
        for _ in range(attributes):
            (length,) = struct.unpack_from(">I", data, at + 2)
            at += 6 + length
    if at > len(data):
        raise IndexError(at)
    return frozenset(found), at


_CLASS_HEAD = 256 * 1024
_MOST_CLASSES = 2_000
_DEEPEST = 30
_ENGINE = "VASSAL."
_JAVA = ("java.", "javax.")

_TURN_LEVELS = ("CounterTurnLevel", "ListTurnLevel")
_STANDS_IN: dict[str, tuple[str, ...]] = {
    "BoardPicker": MAPS,
    "StackMetrics": MAPS,
    "HandMetrics": MAPS,
    "LayeredPieceCollection": MAPS,
    "SetupStack": MAPS,
    "DrawPile": MAPS,
    "Board": ("BoardPicker",),
    "ZonedGrid": ("Board",),
    "HexGrid": ("Board", "ZonedGrid", "Zone"),
    "SquareGrid": ("Board", "ZonedGrid", "Zone"),
    "RegionGrid": ("Board", "ZonedGrid", "Zone"),
    "Zone": ("ZonedGrid",),
    "Region": ("RegionGrid",),
    "HexGridNumbering": ("HexGrid",),
    "ObliqueHexGridNumbering": ("HexGrid",),
    "SquareGridNumbering": ("SquareGrid",),
    "ZoneProperty": ("Zone",),
    "CounterTurnLevel": ("TurnTracker", *_TURN_LEVELS),
    "ListTurnLevel": ("TurnTracker", *_TURN_LEVELS),
    "SpecialDie": ("SpecialDiceButton",),
    "SpecialDieFace": ("SpecialDie",),
}
"""Components that are read only in their place, and the components that may hold them."""

_NUMBERS = frozenset({"hLeading", "vLeading"})
"""Attributes that only numberings have."""
_ANYWHERE = (
    "TurnTracker", "SpecialDiceButton", "DiceButton", "PieceSlot", "CardSlot", "PrototypeDefinition",
    "GlobalProperty", "ScenarioProperty", "PlayerRoster", "PredefinedSetup", "GlobalOptions",
)  # fmt: skip


class Lineage:
    """The classes of the archives of a module, by what they extend."""

    def __init__(self) -> None:
        self._archives: list[Archive] = []
        self._classes: dict[str, JavaClass | None] = {}

    def add(self, archive: Archive) -> None:
        """Add the classes of another archive; classes of earlier ones take precedence."""
        self._archives.append(archive)
        self._classes = {cls: found for cls, found in self._classes.items() if found is not None}

    def engine_class(self, cls: str) -> tuple[str, frozenset[str] | None]:
        """Full name of the engine's class that a class is or extends, or else of Java's; '': no class file
        shows it. And the members (:class:`JavaClass`) of the module's own classes in between; None: not
        known."""
        members: frozenset[str] | None = frozenset()
        for _ in range(_DEEPEST):
            found = self._class(cls)
            if found is None:
                ends = cls.startswith((_ENGINE, *_JAVA))
                return (cls, members) if ends else ("", None)
            if members is not None:
                members = None if found.members is None else members | found.members
            cls = found.extends
        return "", None

    def _class(self, cls: str) -> JavaClass | None:
        """A class of the module's own; None for any other."""
        if cls not in self._classes:
            many = len(self._classes) >= _MOST_CLASSES
            self._classes[cls] = None if many or _is_read(cls) else self._look_up(cls)
        return self._classes[cls]

    def _look_up(self, cls: str) -> JavaClass | None:
        entry = cls.replace(".", "/") + ".class"
        archive = next((a for a in self._archives if entry in a), None)
        return None if archive is None else read_class(archive.head(entry, _CLASS_HEAD))


def _is_read(cls: str) -> bool:
    """Whether it is an engine class that is read here, even if the module has a file for it."""
    kind = cls.rpartition(".")[2]
    return cls.startswith(_ENGINE) and (kind in MAPS or kind in _STANDS_IN or kind in _ANYWHERE)


def settle(root: Component, lineage: Lineage) -> None:
    """Set ``engine``, ``guessed``, ``members`` of each component of a module's own class, parents first."""
    for component in (root, *root.walk()):
        if component.engine or not (component.is_custom or component.cls.startswith(_ENGINE)):
            continue
        found, members = lineage.engine_class(component.cls)
        if found != component.cls:
            component.engine = found or _guess(component)
            component.guessed = not found
            component.members = members


def _guess(component: Component) -> str:
    """The likely engine class of a component without a class file; '': not known."""
    name = component.short
    if _is_like_a_map(component):
        ends = [kind for kind in MAPS if name.endswith(kind)]
        # only private maps name the sides that may look
        return (
            max(ends, key=len, default="Map")
            if "side" not in component.attributes
            else "PrivateMap"
        )
    above = component.parent
    while above is not None and above.is_folder:
        above = above.parent
    there = above.kind if above is not None else ""
    if there == "HexGrid" and _NUMBERS.issubset(component.attributes):
        return "HexGridNumbering"
    fits = [kind for kind, places in _STANDS_IN.items() if there in places]
    ends = [kind for kind in (*fits, *_ANYWHERE) if name.endswith(kind)]
    return max(ends, key=len, default="")


def _is_like_a_map(component: Component) -> bool:
    """Whether it has the attribute, or the board picker, that only map windows have."""
    return "mapName" in component.attributes or any(
        child.short.endswith("BoardPicker") for child in component.children()
    )
