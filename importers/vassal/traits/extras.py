# ruff: noqa: RUF009  (state() and rest() make dataclass fields)
"""Traits with a state that rules seldom ask for: labels, forms, cargo, reports."""

from __future__ import annotations

from dataclasses import dataclass

from . import special
from .layout import Number, Trait, split_list, state, trait


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


@trait("propertysheet;")
@dataclass(frozen=True, slots=True)
class PropertySheet(Trait):
    """A form; ``definition`` holds a digit for the kind of each field and its name."""

    definition: tuple[str, ...] = split_list("~")
    menu: str = ""
    launch_key: str = ""
    commit: Number = 0
    red: Number = ""
    green: Number = ""
    blue: Number = ""
    key_stroke: str = ""
    description: str = ""
    values: tuple[str, ...] = state((), delimiter="~")


@trait("table;")
@dataclass(frozen=True, slots=True)
class TableInfo(Trait):
    """A table of ``rows`` by ``columns`` cells, row by row."""

    rows: Number = 0
    columns: Number = 0
    command: str = ""
    key: str = ""
    description: str = ""
    cells: tuple[str, ...] = state((), delimiter=",")


@trait("mat;", state_codec=special.counted_codec("cargo"))
@dataclass(frozen=True, slots=True)
class Mat(Trait):
    """A piece that carries others; ``cargo`` holds their ids."""

    name: str = ""
    description: str = ""
    cargo: tuple[str, ...] = state(())


@trait("matPiece;")
@dataclass(frozen=True, slots=True)
class MatCargo(Trait):
    """A piece that mats carry; ``mat`` is the id of the mat, ``noMat`` if none does."""

    description: str = ""
    keep_facing: bool = False
    x_reach: Number = 0
    y_reach: Number = 0
    find_key: str = ""
    detach_key: str = ""
    mat: str = state("noMat")


@trait("attach;", state_codec=special.counted_codec("attached"))
@dataclass(frozen=True, slots=True)
class Attachment(Trait):
    """References to other pieces by id."""

    name: str = ""
    description: str = ""
    attach_command: str = ""
    attach_key: str = ""
    clear_command: str = ""
    clear_key: str = ""
    filter: str = ""
    restrict_range: bool = False
    range: Number = 1
    fixed_range: bool = True
    range_property: str = ""
    from_deck: str = ""
    target: str = ""
    clear_matching_command: str = ""
    clear_matching_key: str = ""
    clear_matching_filter: str = ""
    on_attach: str = ""
    on_detach: str = ""
    before_attach: str = ""
    allow_self: bool = False
    auto: bool = False
    attached: tuple[str, ...] = state(())


@trait("sendto;")
@dataclass(frozen=True, slots=True)
class SendToLocation(Trait):
    """Sends the piece to a place; the state remembers where it came from."""

    command: str = ""
    key: str = ""
    map: str = ""
    board: str = ""
    x: str = ""
    y: str = ""
    back_command: str = ""
    back_key: str = ""
    x_index: str = ""
    y_index: str = ""
    x_offset: str = ""
    y_offset: str = ""
    description: str = ""
    destination: str = "L"
    zone: str = ""
    region: str = ""
    filter: str = ""
    grid_location: str = ""
    back_map: str = state("")
    back_x: Number = state("")
    back_y: Number = state("")


@trait("report;")
@dataclass(frozen=True, slots=True)
class ReportState(Trait):
    """Says something in the chat window when a key is pressed."""

    keys: str = ""
    format: str = ""
    down_keys: str = ""
    cycle_formats: tuple[str, ...] = ()
    description: str = ""
    no_suppress: bool = False
    cycle: Number = state(-1)


@trait("AreaOfEffect;")
@dataclass(frozen=True, slots=True)
class AreaOfEffect(Trait):
    """Shades the surroundings of the piece."""

    color: str = ""
    opacity: Number = 0
    radius: Number = 0
    always_active: bool = False
    command: str = ""
    key: str = ""
    shader: str = ""
    fixed_radius: bool = True
    radius_marker: str = ""
    description: str = ""
    name: str = ""
    on_text: str = ""
    on_key: str = ""
    off_text: str = ""
    off_key: str = ""
    globally_visible: bool = True
    active: bool = state(False)
