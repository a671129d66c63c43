"""Traits that act or describe and have no state of their own."""

from __future__ import annotations

from dataclasses import dataclass

from .layout import Number, Trait, rest, trait


@trait("basicName;")
@dataclass(frozen=True, slots=True)
class BasicName(Trait):
    """Overrides the name of the BasicPiece."""

    name: str = ""


@trait("prototype;")
@dataclass(frozen=True, slots=True)
class UsePrototype(Trait):
    """Stands for the traits of a prototype; ``parameters`` are ``key=value`` texts."""

    name: str = ""
    parameters: tuple[str, ...] = ()


@trait("calcProp;")
@dataclass(frozen=True, slots=True)
class CalculatedProperty(Trait):
    """A property computed from others."""

    name: str = ""
    expression: str = ""
    description: str = ""


@trait("setprop;")
@dataclass(frozen=True, slots=True)
class SetGlobalProperty(Trait):
    """Changes a global property."""

    name: str = ""
    constraints: str = ""
    key_commands: str = ""
    description: str = ""
    level: str = ""
    search_name: str = ""


@trait("setpieceprop;")
@dataclass(frozen=True, slots=True)
class SetPieceProperty(Trait):
    """Changes a property of other pieces."""

    name: str = ""
    constraints: str = ""
    key_commands: str = ""
    description: str = ""
    target: str = ""
    filter: str = ""
    restrict_range: bool = False
    range: Number = 1
    fixed_range: bool = True
    range_property: str = ""
    from_deck: str = ""
    override_constraints: bool = False


@trait("pivot;")
@dataclass(frozen=True, slots=True)
class Pivot(Trait):
    """Turns the piece about a point."""

    command: str = ""
    key: str = ""
    x: Number = 0
    y: Number = 0
    fixed_angle: bool = True
    angle: float = 90.0
    description: str = ""
    command2: str = ""
    key2: str = ""
    angle2: float = -90.0


@dataclass(frozen=True, slots=True)
class _MarkerPlacement(Trait):
    command: str = ""
    key: str = ""
    marker_spec: str = ""
    marker_text: str = ""
    x_offset: str = "0"
    y_offset: str = "0"
    match_rotation: bool = False
    after_key: str = ""
    description: str = ""
    gpid: str = ""
    placement: Number = 0
    above: bool = False
    copy_properties: bool = False
    parameters: str = ""
    version: Number = 1


@trait("placemark;")
@dataclass(frozen=True, slots=True)
class PlaceMarker(_MarkerPlacement):
    """Places another piece; ``marker_spec`` is a path in the module or a piece definition."""


@trait("replace;")
@dataclass(frozen=True, slots=True)
class Replace(_MarkerPlacement):
    """Replaces the piece with another."""


@trait("return;")
@dataclass(frozen=True, slots=True)
class ReturnToDeck(Trait):
    """Sends the piece to a deck."""

    command: str = ""
    key: str = ""
    deck: str = ""
    prompt: str = ""
    description: str = ""
    version: str = ""
    select_deck: str = ""
    deck_expression: str = ""


@trait("translate;")
@dataclass(frozen=True, slots=True)
class Translate(Trait):
    """Moves the piece a fixed distance, in pixels."""

    command: str = ""
    key: str = ""
    dx: str = "60"
    dy: str = "0"
    move_stack: bool = False
    x_index: str = ""
    y_index: str = ""
    x_offset: str = ""
    y_offset: str = ""
    description: str = ""


@trait("macro;")
@dataclass(frozen=True, slots=True)
class TriggerAction(Trait):
    """One key sets off others."""

    name: str = ""
    command: str = ""
    key: str = ""
    condition: str = ""
    watch_keys: tuple[str, ...] = ()
    action_keys: tuple[str, ...] = ()
    loop: bool = False
    pre_key: str = ""
    post_key: str = ""
    loop_type: str = ""
    while_condition: str = ""
    until_condition: str = ""
    count: str = ""
    index: bool = False
    index_property: str = ""
    index_start: str = ""
    index_step: str = ""


@trait("globalkey;")
@dataclass(frozen=True, slots=True)
class CounterGlobalKeyCommand(Trait):
    """Sends a key to other pieces."""

    command: str = ""
    key: str = ""
    global_key: str = ""
    filter: str = ""
    restrict_range: bool = False
    range: Number = 1
    report_single: bool = False
    fixed_range: bool = True
    range_property: str = ""
    description: str = ""
    from_deck: str = ""
    target: str = ""
    suppress_sounds: bool = False
    parameters: str = ""


@trait("globalhotkey;")
@dataclass(frozen=True, slots=True)
class GlobalHotKey(Trait):
    """Presses a key of the module."""

    command: str = ""
    key: str = ""
    hot_key: str = ""
    description: str = ""


@trait("hideCmd;")
@dataclass(frozen=True, slots=True)
class RestrictCommands(Trait):
    """Takes commands away under a condition."""

    name: str = ""
    action: str = ""
    condition: str = ""
    keys: tuple[str, ...] = ()


@trait("clone;")
@dataclass(frozen=True, slots=True)
class Clone(Trait):
    """Copies the piece."""

    command: str = ""
    key: str = ""
    description: str = ""


@trait("delete;")
@dataclass(frozen=True, slots=True)
class Delete(Trait):
    """Deletes the piece."""

    command: str = ""
    key: str = ""
    description: str = ""


@trait("deselect;")
@dataclass(frozen=True, slots=True)
class Deselect(Trait):
    """Deselects the piece, and may take it out of its stack."""

    command: str = ""
    key: str = ""
    description: str = ""
    unstack: bool = False
    deselect_type: str = ""


@trait("submenu;")
@dataclass(frozen=True, slots=True)
class SubMenu(Trait):
    """Gathers commands in a menu."""

    name: str = ""
    commands: tuple[str, ...] = ()
    description: str = ""


@trait("menuSeparator;")
@dataclass(frozen=True, slots=True)
class MenuSeparator(Trait):
    """A line in the menu."""

    text: str = ""
    key: str = ""


@trait("button;")
@dataclass(frozen=True, slots=True)
class ActionButton(Trait):
    """A spot of the piece that is a button; ``shape`` holds the corners x, y, x, y …"""

    key: str = ""
    x: Number = 0
    y: Number = 0
    width: Number = 0
    height: Number = 0
    description: str = ""
    popup: bool = False
    whole_shape: bool = False
    version: Number = 1
    corners: Number = 0
    shape: tuple[Number, ...] = rest()


@trait("playSound;")
@dataclass(frozen=True, slots=True)
class PlaySound(Trait):
    """Plays a sound."""

    format: str = ""
    menu: str = ""
    key: str = ""
    send_to_others: bool = False
    description: str = ""
    no_suppress: bool = False


@trait("nonRect2;")
@dataclass(frozen=True, slots=True)
class NonRectangular(Trait):
    """Outline of the piece: ``m,x,y,l,x,y,c`` …"""

    scale: float = 1.0
    shape: str = ""


@trait("nonRect;")
@dataclass(frozen=True, slots=True)
class OldNonRectangular(Trait):
    """Outline of the piece before VASSAL 3.6."""

    shape: str = ""


@trait("locCommand;")
@dataclass(frozen=True, slots=True)
class MultiLocationCommand(Trait):
    """One command for each of many places."""

    description: str = ""
    location_type: str = ""
    filter: str = ""
    menu: str = ""
    key: str = ""
    current_map_only: bool = False
    sort: str = ""
    ascending: bool = True
    numeric: bool = False


@trait("border;")
@dataclass(frozen=True, slots=True)
class BorderOutline(Trait):
    """A coloured border."""

    property_name: str = ""
    description: str = ""
    thickness: Number = 2
    color: str = ""
    property_name2: str = ""
    compare_mode: str = ""


@trait("locmsg;")
@dataclass(frozen=True, slots=True)
class TranslatableMessage(Trait):
    """A property that holds a text to translate."""

    key: str = ""
    description: str = ""
    message: str = ""


@trait("cmt;")
@dataclass(frozen=True, slots=True)
class Comment(Trait):
    """A note of the designer."""

    text: str = ""
