"""A VASSAL module as values: maps, boards, prototypes, slots, set-up, properties, dice.

Everything is plain and frozen; ``buildfile.open_module`` makes it, ``layout.MapLayout`` puts boards
together for one game. Names are VASSAL's.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import ClassVar

from ...model.dice import DiceKind
from ...model.problem import Problem
from ...model.short_repr import Short
from .grids import BoardGrid
from .limits import DEFAULT_LIMITS
from .numbers import number
from .terrain_map import RecordedTerrain
from .turns import TurnTracker

_MOST_SIDES = 2_000
"""Limit on all sides of all dice of one button: above any real game, and small enough to count out."""

TreePath = tuple[tuple[str, str], ...]
"""Where a component stands: (class without package, configure name) from the root down, folders
left out."""


@dataclass(frozen=True, slots=True)
class Prototype:
    """A prototype definition: the traits that replace a ``prototype;NAME`` trait.

    ``definition`` is the AddPiece text as it stands in the build file (``+/null/TYPE/STATE``).
    """

    name: str
    definition: str


@dataclass(frozen=True, slots=True, repr=False)
class Slot(Short):
    """A piece (or card) as a module defines it, prototypes not expanded.

    ``gpid`` is the piece's identity across saves (``EXT:n`` for extensions, empty before 3.1).
    ``type`` and ``state`` are the texts of the AddPiece; empty if ``definition`` is not one.
    """

    shown: ClassVar = ("gpid", "entry_name", "component")

    gpid: str
    entry_name: str
    type: str
    state: str
    path: TreePath
    component: str = "PieceSlot"
    definition: str = ""


@dataclass(frozen=True, slots=True)
class BoardDefinition:
    """A board a map may use.

    ``width``, ``height``: pixels of its image (or the attributes, where there is no image); None
    where the image is not in the archive or cannot be read.
    """

    name: str
    width: int | None
    height: int | None
    image: str
    reversible: bool
    magnification: float
    grid: BoardGrid | None
    component: str = "Board"


@dataclass(frozen=True, slots=True)
class BoardChoice:
    """One board of a layout: its name and the cell (column, row) of the layout it fills."""

    name: str
    column: int = 0
    row: int = 0
    reversed: bool = False


@dataclass(frozen=True, slots=True)
class SetupStack:
    """An at-start stack; its slots, first at the bottom.

    ``x``, ``y`` are board-local pixels, overruled by ``location`` if ``use_grid_location``.
    ``owning_board`` None: any board.
    """

    name: str
    owning_board: str | None
    use_grid_location: bool
    location: str
    x: int
    y: int
    slots: tuple[Slot, ...]


@dataclass(frozen=True, slots=True)
class DrawPile(SetupStack):
    """A deck of the module. ``attributes`` are the XML's, for values without a field here."""

    attributes: Mapping[str, str] = field(repr=False)


@dataclass(frozen=True, slots=True)
class GlobalProperty:
    """A mutable property with its start value.

    ``container`` is its name in saves: ``Module``, a map's name, or ``map:zone``.
    """

    name: str
    initial: str
    container: str


@dataclass(frozen=True, slots=True)
class MapDefinition:
    """A map window.

    ``id`` is the internal one (``Map0`` in build order), ``name`` may be empty; saves use
    ``identifier``. ``kind``: ``Map``, ``PrivateMap``, ``PlayerHand``, ``WidgetMap`` or ``custom``
    (``component`` is then the class). ``owners``: sides a private map belongs to.
    ``edge_width``, ``edge_height``: pixels round the boards. ``layer_property``, ``layers``: game-piece
    layers, bottom first.
    ``borrows_boards``: name of the map whose boards a private map shows. ``boards_elsewhere``: code
    of the module's own finds the boards, so the board at a pixel is not known. ``most_places``: limit on
    the named places of its boards.
    """

    id: str
    name: str
    kind: str
    boards: tuple[BoardDefinition, ...]
    default_layout: tuple[BoardChoice, ...]
    edge_width: int
    edge_height: int
    stacking: bool
    owners: tuple[str, ...] = ()
    visible_to_all: bool = True
    borrows_boards: str = ""
    layer_property: str = ""
    layers: tuple[str, ...] = ()
    setup_stacks: tuple[SetupStack, ...] = ()
    draw_piles: tuple[DrawPile, ...] = ()
    boards_elsewhere: bool = False
    most_places: int = DEFAULT_LIMITS.places
    component: str = ""

    @property
    def identifier(self) -> str:
        """The map's name in commands: its name, or the internal id if it has none."""
        return self.name or self.id


@dataclass(frozen=True, slots=True)
class DiceButton:
    """A button that rolls plain dice, and the format of its chat line. ``add``: what is added to the total.
    ``fixed``: it always rolls these dice and reports all of them: it asks no number and keeps all."""

    name: str
    dice: str
    sides: str
    plus: str
    report_total: bool
    report_format: str
    add: str = "0"
    fixed: bool = True

    @property
    def kind(self) -> DiceKind | None:
        """Its dice; None if they are not the same every time."""
        read = [number(text) for text in (self.dice, self.sides, self.plus, self.add)]
        found = [one for one in read if isinstance(one, int)]
        if not self.fixed or len(found) < len(read):
            return None
        dice, sides, plus, add = found
        if dice < 1 or sides < 2 or dice * sides > _MOST_SIDES:
            return None
        return DiceKind(dice, sides, 1 + plus, self.report_total, add if self.report_total else 0)


@dataclass(frozen=True, slots=True)
class SymbolicDice:
    """A button that rolls symbolic dice; ``SHOW_RESULTS`` names it by ``name`` or ``id``. ``dice``: for each
    die the texts of its faces."""

    id: str
    name: str
    dice: tuple[tuple[str, ...], ...]

    @property
    def kind(self) -> DiceKind | None:
        """Its dice, reported by face index from 0; None if they differ from each other."""
        faces = set(self.dice)
        if len(faces) != 1:
            return None
        (shown,) = faces
        if len(shown) < 2:
            return None
        return DiceKind(len(self.dice), len(shown), 0, faces=shown)


@dataclass(frozen=True, slots=True)
class PredefinedSetup:
    """A start offered by the module: a save inside the archive, or none."""

    name: str
    file: str
    is_menu: bool = False


@dataclass(frozen=True, slots=True)
class CustomComponent:
    """An element of the module's own Java class."""

    name: str
    count: int


@dataclass(frozen=True, slots=True)
class ExtensionInfo:
    """An extension merged into the module."""

    name: str
    version: str
    extension_id: str
    module: str
    module_version: str
    file_name: str
    sha256: str


@dataclass(frozen=True, slots=True, repr=False)
class Module(Short):
    """A module with its extensions merged. See the single values for units.

    ``terrain``: recorded terrain of its boards. ``html_charts``: the files of its charts in HTML, and their
    names in the chart windows. ``kept_properties``: names of properties that components keep and saves do
    not hold. ``own_fields``: by prefix, the field values of traits of the module's own in its slots and
    prototypes (:mod:`own_traits`).
    """

    shown: ClassVar = ("name", "version", "file_name", "slots", "maps")

    name: str
    version: str
    vassal_version: str
    description: str
    file_name: str
    sha256: str
    build_file: str
    maps: tuple[MapDefinition, ...] = ()
    prototypes: Mapping[str, Prototype] = field(default_factory=lambda: MappingProxyType({}))
    slots: tuple[Slot, ...] = ()
    sides: tuple[str, ...] = ()
    turn_trackers: tuple[TurnTracker, ...] = ()
    global_properties: tuple[GlobalProperty, ...] = ()
    dice: tuple[DiceButton, ...] = ()
    symbolic_dice: tuple[SymbolicDice, ...] = ()
    kept_properties: tuple[str, ...] = ()
    own_fields: Mapping[str, frozenset[tuple[int, str]]] = field(
        default_factory=lambda: MappingProxyType({})
    )
    predefined_setups: tuple[PredefinedSetup, ...] = ()
    custom_components: tuple[CustomComponent, ...] = ()
    options: Mapping[str, str] = field(default_factory=lambda: MappingProxyType({}))
    html_charts: Mapping[str, str] = field(default_factory=lambda: MappingProxyType({}))
    extensions: tuple[ExtensionInfo, ...] = ()
    terrain: tuple[RecordedTerrain, ...] = ()
    problems: tuple[Problem, ...] = ()

    @property
    def setup_stacks(self) -> tuple[tuple[MapDefinition, SetupStack], ...]:
        """All at-start stacks with the map they stand on."""
        return tuple((a_map, stack) for a_map in self.maps for stack in a_map.setup_stacks)

    @property
    def draw_piles(self) -> tuple[tuple[MapDefinition, DrawPile], ...]:
        """All decks with the map they stand on."""
        return tuple((a_map, pile) for a_map in self.maps for pile in a_map.draw_piles)

    def map(self, name: str) -> MapDefinition | None:
        """The map of this name or internal id; the first wins where names repeat."""
        for a_map in self.maps:
            if name in (a_map.identifier, a_map.id):
                return a_map
        return None
