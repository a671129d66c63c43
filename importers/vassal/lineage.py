"""What a class of the module's own is to the engine: the class of VASSAL's that it extends.

A build file names Java classes, and the engine treats each component by what it extends: a ``my.WarMap``
that extends ``Map`` is a map window with a number of its own. The class files lie in the module; each names
the class it extends, which is all that is read of them. Where a module comes without them, a component is
taken for what its name ends with, if that may stand where it stands.
"""

from __future__ import annotations

import struct

from .archive import Archive
from .components import MAPS, Component

_CLASS_HEAD = 256 * 1024
_MOST_CLASSES = 2_000
_DEEPEST = 30
_ENGINE = "VASSAL."
_JAVA = ("java.", "javax.")

_WIDTHS = {3: 4, 4: 4, 5: 8, 6: 8, 7: 2, 8: 2, 9: 4, 10: 4, 11: 4, 12: 4, 15: 3, 16: 2, 17: 4, 18: 4,
           19: 2, 20: 2}  # fmt: skip
_UTF8, _CLASS, _TWO_SLOTS = 1, 7, (5, 6)

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
"""What is read only where it belongs, and what it stands in."""

_ANYWHERE = (
    "TurnTracker", "SpecialDiceButton", "DiceButton", "PieceSlot", "CardSlot", "PrototypeDefinition",
    "GlobalProperty", "ScenarioProperty", "PlayerRoster", "PredefinedSetup", "GlobalOptions",
)  # fmt: skip


class Lineage:
    """The classes of the archives of a module, by what they extend."""

    def __init__(self) -> None:
        self._archives: list[Archive] = []
        self._parents: dict[str, str | None] = {}

    def add(self, archive: Archive) -> None:
        """Classes of one archive more; those of the ones before go before."""
        self._archives.append(archive)
        self._parents = {cls: parent for cls, parent in self._parents.items() if parent is not None}

    def engine_class(self, cls: str) -> str:
        """Full name of the engine's class that a class is or extends, or of Java's where it extends none
        of the engine's; '' where no class file tells."""
        for _ in range(_DEEPEST):
            parent = self._parent(cls)
            if parent is None:
                return cls if cls.startswith((_ENGINE, *_JAVA)) else ""
            cls = parent
        return ""

    def _parent(self, cls: str) -> str | None:
        """What a class of the module's own extends; None of any other."""
        if cls not in self._parents:
            many = len(self._parents) >= _MOST_CLASSES
            self._parents[cls] = None if many or _is_read(cls) else self._look_up(cls)
        return self._parents[cls]

    def _look_up(self, cls: str) -> str | None:
        entry = cls.replace(".", "/") + ".class"
        archive = next((a for a in self._archives if entry in a), None)
        return None if archive is None else superclass(archive.head(entry, _CLASS_HEAD))


def _is_read(cls: str) -> bool:
    """Whether it is a class of the engine's that is read here, whatever else lies in the module."""
    kind = cls.rpartition(".")[2]
    return cls.startswith(_ENGINE) and (kind in MAPS or kind in _STANDS_IN or kind in _ANYWHERE)


def settle(root: Component, lineage: Lineage) -> None:
    """Tell every component of a class of the module's own what it is to the engine, above before below."""
    for component in (root, *root.walk()):
        if component.engine or not (component.is_custom or component.cls.startswith(_ENGINE)):
            continue
        found = lineage.engine_class(component.cls)
        if found != component.cls:
            component.engine = found or _guess(component)
            component.guessed = not found


def _guess(component: Component) -> str:
    """What a component of a class nobody has is likely to be; '' if nothing tells."""
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
    fits = [kind for kind, places in _STANDS_IN.items() if there in places]
    ends = [kind for kind in (*fits, *_ANYWHERE) if name.endswith(kind)]
    return max(ends, key=len, default="")


def _is_like_a_map(component: Component) -> bool:
    """Only map windows have this attribute, or hold a picker of boards."""
    return "mapName" in component.attributes or any(
        child.short.endswith("BoardPicker") for child in component.children()
    )


def superclass(data: bytes) -> str | None:
    """The full name of the class that a class file's class extends; None if it is none that can be read.

    ``data`` may be cut off behind the constant pool and the three numbers after it.
    """
    try:
        if data[:4] != b"\xca\xfe\xba\xbe":
            return None
        (count,) = struct.unpack_from(">H", data, 8)
        at, slot = 10, 1
        texts: dict[int, bytes] = {}
        classes: dict[int, int] = {}
        while slot < count:
            tag = data[at]
            if tag == _UTF8:
                (length,) = struct.unpack_from(">H", data, at + 1)
                texts[slot] = data[at + 3 : at + 3 + length]
                at += 3 + length
            else:
                if tag == _CLASS:
                    (classes[slot],) = struct.unpack_from(">H", data, at + 1)
                at += 1 + _WIDTHS[tag]
            slot += 2 if tag in _TWO_SLOTS else 1
        (above,) = struct.unpack_from(">H", data, at + 4)
        return texts[classes[above]].decode("utf-8").replace("/", ".")
    except (struct.error, IndexError, KeyError, UnicodeDecodeError):
        return None
