# ruff: noqa: RUF009  (state() makes dataclass fields)
"""Traits that are asked for what they say, and those that this program writes."""

from __future__ import annotations

from dataclasses import dataclass, field

from . import special
from .layout import Number, Trait, state, trait


@trait(
    "mark;",
    type_codec=special.names_codec("names", "type"),
    state_codec=special.names_codec("values", "state"),
)
@dataclass(frozen=True, slots=True)
class Marker(Trait):
    """Fixed properties of a piece; the values stand in the state."""

    names: tuple[str, ...] = ()
    values: tuple[str, ...] = state(())

    def value(self, name: str) -> str | None:
        """The value of a property, empty if the state stops before it; ``None`` if unknown."""
        if name not in self.names:
            return None
        at = self.names.index(name)
        return self.values[at] if at < len(self.values) else ""


@trait("hide;")
@dataclass(frozen=True, slots=True)
class Hideable(Trait):
    """Invisible: ``hidden_by`` is the owner, a player's id or a side, ``null`` if in sight."""

    key: str = ""
    command: str = ""
    background: str = ""
    access: str = ""
    transparency: float = 0.3
    description: str = ""
    disable_auto_report_move: bool = False
    hidden_by: str = state("null", secret=True)

    @property
    def is_hidden(self) -> bool:
        """Does someone hide the piece?"""
        return self.hidden_by != "null"


@trait("obs;")
@dataclass(frozen=True, slots=True)
class Obscurable(Trait):
    """Mask: ``obscured_by`` is the owner, a player's id or a side, ``null`` if face up."""

    key: str = ""
    image: str = ""
    command: str = ""
    display: str = "B"
    mask_name: str = "?"
    access: str = ""
    peek_command: str = ""
    description: str = ""
    auto_peek: bool = False
    deal_key: str = ""
    deal_expression: str = ""
    obscured_by: str = state("null", secret=True)
    options: str = state("", secret=True)

    @property
    def is_obscured(self) -> bool:
        """Does someone mask the piece?"""
        return self.obscured_by != "null"


@trait("rotate;", type_codec=special.ROTATOR_TYPE)
@dataclass(frozen=True, slots=True)
class FreeRotator(Trait):
    """Facing. With one angle the piece turns freely and ``angle`` is in degrees, else an index.

    ``set_*`` fields belong to free, ``clockwise_*`` and ``counter_*`` to fixed rotation.
    """

    angles: Number = 1
    set_key: str = ""
    set_text: str = ""
    clockwise_key: str = ""
    counter_key: str = ""
    clockwise_text: str = ""
    counter_text: str = ""
    random_key: str = ""
    random_text: str = ""
    name: str = ""
    description: str = ""
    direct_key: str = ""
    direct_text: str = ""
    direct_expression: str = ""
    direct_is_facing: bool = False
    angle: str = state("0")

    @property
    def facing(self) -> int | None:
        """Facing 1…n clockwise from upright; ``None`` for free rotation or a damaged state."""
        if self.angles == 1 or not self.angle.isdigit():
            return None
        return int(self.angle) + 1


@trait("footprint;", state_codec=special.TRAIL_STATE)
@dataclass(frozen=True, slots=True)
class Footprint(Trait):
    """Movement trail: ``points`` (``x,y`` in map pixels) are places the piece has left.

    ``map_id`` is the engine's ``Map0`` …, not the map's name. The last two fields came with VASSAL
    3.6 and 3.8 and are ``None`` before.
    """

    key: str = ""
    menu: str = ""
    initially_visible: bool = False
    globally_visible: bool = False
    radius: Number = 10
    fill: str = ""
    line: str = ""
    selected_transparency: Number = 100
    unselected_transparency: Number = 50
    edge_point_buffer: Number = 20
    edge_display_buffer: Number = 30
    line_width: float = 1.0
    key_on: str = ""
    key_off: str = ""
    key_clear: str = ""
    description: str = ""
    ignore_same_location: bool = False
    visible: bool = state(False)
    map_id: str = state("")
    points: tuple[str, ...] = state(())
    ever_initialized: bool | None = state(None)
    last_points: Number | None = state(None)

    @property
    def path(self) -> tuple[tuple[int, int], ...]:
        """The points that are whole numbers."""
        pairs = [point.split(",") for point in self.points]
        return tuple(
            (int(pair[0]), int(pair[1]))
            for pair in pairs
            if len(pair) == 2 and all(text.lstrip("-").isdecimal() for text in pair)
        )


@trait("immob;", type_codec=special.IMMOBILIZED_TYPE)
@dataclass(frozen=True, slots=True)
class Immobilized(Trait):
    """Does not stack, or not move: letters for selecting, moving, stacking."""

    select: str = ""
    move: str = "N"
    stack: str = "R"
    description: str = ""

    @property
    def no_stack(self) -> bool:
        """Is the piece never part of a stack?"""
        return self.stack != "L"

    @property
    def ignores_grid(self) -> bool:
        """Is the piece put down without snapping to the grid?"""
        return "g" in self.select

    @property
    def never_moves(self) -> bool:
        """Can a drag never move it?"""
        return self.move == "V"


@trait("label;")
@dataclass(frozen=True, slots=True)
class Labeler(Trait):
    """Text label."""

    key: str = ""
    menu: str = ""
    font_size: Number = 10
    background: str = ""
    foreground: str = ""
    vertical_position: str = "t"
    vertical_offset: Number = 0
    horizontal_position: str = "c"
    horizontal_offset: Number = 0
    vertical_just: str = "b"
    horizontal_just: str = "c"
    name_format: str = ""
    font: str = "Dialog"
    style: Number = 0
    rotate: Number = 0
    property_name: str = "TextLabel"
    description: str = ""
    always_use_format: bool = False
    label: str = state("")


@trait("delete;")
@dataclass(frozen=True, slots=True)
class Delete(Trait):
    """Deletes the piece."""

    command: str = ""
    key: str = ""
    description: str = ""


@dataclass(frozen=True, slots=True)
class UnknownTrait(Trait):
    """A trait of no class known here: a module's own, or a later engine's. Both texts may hold the id of
    a player."""

    type: str = field(default="", repr=False)
    own_state: str = field(default="", repr=False)
