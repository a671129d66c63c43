"""What a class of the module's own is to the engine: the class of VASSAL's that it extends.

A build file names Java classes, and the engine treats each component by what it extends: a ``my.WarMap``
that extends ``Map`` is a map window with a number of its own. The class files lie in the module; each names
the class it extends, and its methods. Where a module comes without them, a component is taken for what its
name ends with, if that may stand where it stands.
"""

from __future__ import annotations

from .archive import Archive
from .classfile import JavaClass, read_class
from .components import MAPS, Component

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
"""What is read only where it belongs, and what it stands in."""

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
        """Classes of one archive more; those of the ones before go before."""
        self._archives.append(archive)
        self._classes = {cls: found for cls, found in self._classes.items() if found is not None}

    def engine_class(self, cls: str) -> tuple[str, frozenset[str] | None]:
        """Full name of the engine's class that a class is or extends, or of Java's where it extends none
        of the engine's; '' where no class file tells. And the members of the module's own classes on the
        way there (:class:`JavaClass`); None where they are not known."""
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
        """A class of the module's own; None of any other."""
        if cls not in self._classes:
            many = len(self._classes) >= _MOST_CLASSES
            self._classes[cls] = None if many or _is_read(cls) else self._look_up(cls)
        return self._classes[cls]

    def _look_up(self, cls: str) -> JavaClass | None:
        entry = cls.replace(".", "/") + ".class"
        archive = next((a for a in self._archives if entry in a), None)
        return None if archive is None else read_class(archive.head(entry, _CLASS_HEAD))


def _is_read(cls: str) -> bool:
    """Whether it is a class of the engine's that is read here, whatever else lies in the module."""
    kind = cls.rpartition(".")[2]
    return cls.startswith(_ENGINE) and (kind in MAPS or kind in _STANDS_IN or kind in _ANYWHERE)


def settle(root: Component, lineage: Lineage) -> None:
    """Tell every component of a class of the module's own what it is to the engine, above before below."""
    for component in (root, *root.walk()):
        if component.engine or not (component.is_custom or component.cls.startswith(_ENGINE)):
            continue
        found, members = lineage.engine_class(component.cls)
        if found != component.cls:
            component.engine = found or _guess(component)
            component.guessed = not found
            component.members = members


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
    if there == "HexGrid" and _NUMBERS.issubset(component.attributes):
        return "HexGridNumbering"
    fits = [kind for kind, places in _STANDS_IN.items() if there in places]
    ends = [kind for kind in (*fits, *_ANYWHERE) if name.endswith(kind)]
    return max(ends, key=len, default="")


def _is_like_a_map(component: Component) -> bool:
    """Only map windows have this attribute, or hold a picker of boards."""
    return "mapName" in component.attributes or any(
        child.short.endswith("BoardPicker") for child in component.children()
    )
