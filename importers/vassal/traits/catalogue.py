"""The traits of VASSAL and its decks, as a table of their fields; and one trait's own texts to its value and
back."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field, make_dataclass
from functools import lru_cache
from typing import Any

from .layout import (
    IMMOBILIZED_TYPE,
    IN_STATE,
    REST,
    ROTATOR_TYPE,
    TRAIL_STATE,
    Codec,
    Layout,
    Trait,
    counted_codec,
    names_codec,
    sequence_codec,
    state_codec,
    units_of,
)

_CATALOGUE = """
mark; Marker: Fixed properties of a piece; the values stand in the state.
    names=, / values=,
hide; Hideable: Invisible: ``hidden_by`` is the owner, a player's id or a side, ``null`` if in sight.
    key command background access transparency=0.3 description disable_auto_report_move=false /
    hidden_by='null'!
obs; Obscurable: Mask: ``obscured_by`` is the owner, a player's id or a side, ``null`` if face up.
    key image command display='B' mask_name='?' access peek_command description auto_peek=false
    deal_key deal_expression / obscured_by='null'! options!
rotate; FreeRotator: Facing. With one angle the piece turns freely and ``angle`` is in degrees, else an
  index. ``set_*`` fields belong to free, ``clockwise_*`` and ``counter_*`` to fixed rotation.
    angles=1 set_key set_text clockwise_key counter_key clockwise_text counter_text random_key
    random_text name description direct_key direct_text direct_expression direct_is_facing=false /
    angle='0'
footprint; Footprint: Movement trail: ``points`` (``x,y`` in map pixels) are places the piece has left.
  ``map_id`` is the engine's ``Map0`` …, not the map's name. The last two fields came with VASSAL 3.6 and
  3.8 and are ``None`` before.
    key menu initially_visible=false globally_visible=false radius=10 fill line
    selected_transparency=100 unselected_transparency=50 edge_point_buffer=20 edge_display_buffer=30
    line_width=1.0 key_on key_off key_clear description ignore_same_location=false / visible=false
    map_id points=, ever_initialized=? last_points=?
immob; Immobilized: Does not stack, or not move: letters for selecting, moving, stacking.
    select move='N' stack='R' description
label; Labeler: Text label.
    key menu font_size=10 background foreground vertical_position='t' vertical_offset=0
    horizontal_position='c' horizontal_offset=0 vertical_just='b' horizontal_just='c' name_format
    font='Dialog' style=0 rotate=0 property_name='TextLabel' description always_use_format=false /
    label
delete; Delete: Deletes the piece.
    command key description
basicName; BasicName: Overrides the name of the BasicPiece.
    name
prototype; UsePrototype: Stands for the traits of a prototype; parameters are key=value texts.
    name parameters=,
calcProp; CalculatedProperty: A property computed from others.
    name expression description
setprop; SetGlobalProperty: Changes a global property.
    name constraints key_commands description level search_name
setpieceprop; SetPieceProperty: Changes a property of other pieces.
    name constraints key_commands description target filter restrict_range=false range=1
    fixed_range=true range_property from_deck override_constraints=false
pivot; Pivot: Turns the piece about a point.
    command key x=0 y=0 fixed_angle=true angle=90.0 description command2 key2 angle2=-90.0
placemark; PlaceMarker: Places another piece; marker_spec is a path in the module or a definition.
    command key marker_spec marker_text x_offset='0' y_offset='0' match_rotation=false after_key
    description gpid placement=0 above=false copy_properties=false parameters version=1
replace; Replace: Replaces the piece with another.
    command key marker_spec marker_text x_offset='0' y_offset='0' match_rotation=false after_key
    description gpid placement=0 above=false copy_properties=false parameters version=1
return; ReturnToDeck: Sends the piece to a deck.
    command key deck prompt description version select_deck deck_expression
translate; Translate: Moves the piece a fixed distance, in pixels.
    command key dx='60' dy='0' move_stack=false x_index y_index x_offset y_offset description
macro; TriggerAction: One key sets off others.
    name command key condition watch_keys=, action_keys=, loop=false pre_key post_key loop_type
    while_condition until_condition count index=false index_property index_start index_step
globalkey; CounterGlobalKeyCommand: Sends a key to other pieces.
    command key global_key filter restrict_range=false range=1 report_single=false fixed_range=true
    range_property description from_deck target suppress_sounds=false parameters
globalhotkey; GlobalHotKey: Presses a key of the module.
    command key hot_key description
hideCmd; RestrictCommands: Takes commands away under a condition.
    name action condition keys=,
clone; Clone: Copies the piece.
    command key description
deselect; Deselect: Deselects the piece, and may take it out of its stack.
    command key description unstack=false deselect_type
submenu; SubMenu: Gathers commands in a menu.
    name commands=, description
menuSeparator; MenuSeparator: A line in the menu.
    text key
button; ActionButton: A spot of the piece that is a button; ``shape`` holds the corners x, y, x, y …
    key x=0 y=0 width=0 height=0 description popup=false whole_shape=false version=1 corners=0
    shape=*
playSound; PlaySound: Plays a sound.
    format menu key send_to_others=false description no_suppress=false
nonRect2; NonRectangular: Outline of the piece: ``m,x,y,l,x,y,c`` …
    scale=1.0 shape
nonRect; OldNonRectangular: Outline of the piece before VASSAL 3.6.
    shape
locCommand; MultiLocationCommand: One command for each of many places.
    description location_type filter menu key current_map_only=false sort ascending=true
    numeric=false
border; BorderOutline: A coloured border.
    property_name description thickness=2 color property_name2 compare_mode
locmsg; TranslatableMessage: A property that holds a text to translate.
    key description message
cmt; Comment: A note of the designer.
    text
propertysheet; PropertySheet: A form; ``definition`` holds a digit for the kind of each field and
  its name.
    definition=~ menu launch_key commit=0 red=# green=# blue=# key_stroke description / values=~
table; TableInfo: A table of ``rows`` by ``columns`` cells, row by row.
    rows=0 columns=0 command key description / cells=,
mat; Mat: A piece that carries others; ``cargo`` holds their ids.
    name description / cargo=+
matPiece; MatCargo: A piece that mats carry; ``mat`` is the id of the mat, ``noMat`` if none does.
    description keep_facing=false x_reach=0 y_reach=0 find_key detach_key / mat='noMat'
attach; Attachment: References to other pieces by id.
    name description attach_command attach_key clear_command clear_key filter restrict_range=false
    range=1 fixed_range=true range_property from_deck target clear_matching_command
    clear_matching_key clear_matching_filter on_attach on_detach before_attach allow_self=false
    auto=false / attached=+
sendto; SendToLocation: Sends the piece to a place; the state remembers where it came from.
    command key map board x y back_command back_key x_index y_index x_offset y_offset description
    destination='L' zone region filter grid_location / back_map back_x=# back_y=#
report; ReportState: Says something in the chat window when a key is pressed.
    keys format down_keys cycle_formats=, description no_suppress=false / cycle=-1
AreaOfEffect; AreaOfEffect: Shades the surroundings of the piece.
    color opacity=0 radius=0 always_active=false command key shader fixed_radius=true radius_marker
    description name on_text on_key off_text off_key globally_visible=true / active=false
PROP; DynamicProperty: A property that play changes.
    name constraints key_commands description / value
emb2; Embellishment: Layers: faces, steps, statuses. ``level`` n > 0: layer n shows; n < 0: the
  trait is switched off. ``images`` and ``level_names`` count from layer 1.
    activate_command activate_modifiers=0 activate_key up_command up_modifiers=0 up_key down_command
    down_modifiers=0 down_key reset_command reset_key reset_level draw_underneath=false x_offset=0
    y_offset=0 images=, level_names=, loop_levels=true name random_key random_text
    follow_property=false property_name first_level_value=1 version=1 always_active=false
    activate_key_stroke increase_key_stroke decrease_key_stroke description scale=1.0
    only_property_name only_property_state / level=-1 activation
emb; OldEmbellishment: Layers as the first engines wrote them; each of ``layers`` is an image and
  mostly a name.
    activate_key activate_command up_key up_command down_key down_command x_offset=0 y_offset=0
    layers=** / level=1 activation
markmoved; MovementMarkable: Can be marked as moved.
    icon x_offset=0 y_offset=0 command key description ignore_same_location=false command_true
    key_true command_false key_false / moved=false
restrict; Restricted: Only some sides, or the owner, may use the piece's commands.
    sides=, by_player=false restrict_movement=true description / owner!
"""
"""For each trait its prefix, its name here and a description. Below it, indented by four blanks: the fields
of its type and, after a ``/``, those of its state, with VASSAL's names, in the engine's order.

A field without a suffix is a text. ``=`` and its default give another kind: ``'text'``, ``1`` a whole number,
``1.0`` a decimal number, ``true`` or ``false``, ``#`` a whole number whose text is empty, ``?`` a value that
is None if an older engine did not write it. ``,`` and ``~`` are lists with this separator, ``+`` is a list
with its length first, ``*`` is all numbers that follow, ``**`` all lists. A field with ``!`` may hold a
player's id and stays out of ``repr``.
"""
_DECK = """
    draw_outline=true outline_color width=40 height=40 face_down_option shuffle_option
    allow_multiple_draw=false allow_select_draw=false reversible=false reshuffle_command
    reshuffle_target reshuffle_format name shuffle_format reverse_format face_down_format
    draw_face_up=false persistable=false shuffle_key reshuffle_key max_stack=10 count_expressions=,
    expression_counting=false global_commands=, hotkey_on_empty=false empty_key
    select_display_property select_sort_property restrict_option=false restrict_expression
    shuffle_command reverse_command reverse_key draw_multiple_message draw_specific_message
    face_up_message face_down_message face_up_key face_up_format face_flip_key face_down_key
    save_message save_key save_report load_message load_key load_report restrict_access=false
    owners=,! / map=? x=0 y=0 face_down=false members=,
"""
_CODECS: Mapping[str, tuple[Codec | None, Codec | None]] = {
    "mark;": (names_codec("names"), names_codec("values")),
    "rotate;": (ROTATOR_TYPE, None),
    "footprint;": (None, TRAIL_STATE),
    "immob;": (IMMOBILIZED_TYPE, None),
}
"""The layouts of types and states that are not a plain list of fields."""


def _field(word: str, in_state: bool) -> tuple[str, str, Any]:
    name, told, value = word.rstrip("!").partition("=")
    kind: str
    default: Any
    if value == "?":
        kind, default = "Number | None", None
    elif value and value in ",~+":
        kind, default = "tuple[str, ...]", ()
    elif value in ("*", "**"):
        kind = "tuple[Number, ...]" if value == "*" else "tuple[tuple[str, ...], ...]"
        default = ()
    elif value in ("true", "false"):
        kind, default = "bool", value == "true"
    elif not told or value.startswith("'"):
        kind, default = "str", value.strip("'")
    elif "." in value:
        kind, default = "float", float(value)
    else:
        kind, default = "Number", "" if value == "#" else int(value)
    more = {IN_STATE: in_state, REST: "*" in value, "by": "~" if value == "~" else ""}
    return name, kind, field(default=default, repr=not word.endswith("!"), metadata=more)


def _fields(text: str) -> list[tuple[str, str, Any]]:
    own, _, state = " ".join(text.split()).partition(" / ")
    return [_field(w, False) for w in own.split()] + [_field(w, True) for w in state.split()]


def _dataclass(name: str, about: str, fields: str) -> type[Trait]:
    namespace = {"__doc__": about, "__module__": __name__}
    return make_dataclass(
        name, _fields(fields), bases=(Trait,), frozen=True, slots=True, namespace=namespace
    )


def _make(entry: str) -> Layout:
    head, _, fields = entry.partition("\n    ")
    prefix, name, about = head.split(maxsplit=2)
    by_type, by_state = _CODECS.get(prefix, (None, None))
    if counted := re.search(r"/ (\w+)=\+$", fields):
        by_state = counted_codec(counted[1])
    kind = _dataclass(name.rstrip(":"), about, fields)
    return Layout(
        prefix,
        kind,
        by_type or sequence_codec(units_of(kind, in_state=False), "type"),
        by_state or state_codec(units_of(kind, in_state=True)),
    )


Deck = _dataclass(
    "Deck", "Cards: ids of ``members`` from bottom to top (the next one drawn).", _DECK
)
_MADE = [_make(entry) for entry in re.split(r"\n(?=\S)", _CATALOGUE.strip())]
LAYOUTS = {layout.prefix: layout for layout in _MADE}
_LAYOUT_OF = {layout.kind: layout for layout in _MADE}
_NAMED = {layout.kind.__name__: layout.kind for layout in _MADE}


def __getattr__(name: str) -> Any:
    """The class of a trait by its name in the table."""
    if name in _NAMED:
        return _NAMED[name]
    raise AttributeError(name)


@dataclass(frozen=True, slots=True)
class UnknownTrait(Trait):
    """A trait of an unknown class: a module's own, or a later engine's. Both texts may hold a player's id."""

    type: str = field(default="", repr=False)
    own_state: str = field(default="", repr=False)


@lru_cache(maxsize=16384)
def _read_type(text: str) -> tuple[Layout, dict[str, Any]] | None:
    """Read a trait's own type; None: its prefix is not in the catalogue. Do not change the result: it is
    cached, as thousands of pieces share a few types."""
    prefix = text[: text.find(";") + 1]
    layout = LAYOUTS.get(prefix)
    return None if layout is None else (layout, layout.type_codec.read(text[len(prefix) :]))


def decode_trait(own_type: str, own_state: str | None) -> Trait:
    """Read one trait; any text gives a value. ``own_state=None``: the state stops before it, and
    the fields keep their defaults."""
    known = _read_type(own_type)
    if known is None:
        return UnknownTrait(type=own_type, own_state=own_state or "")
    layout, found = known
    if own_state is None:
        return layout.kind(**found)
    more = layout.state_codec.read(own_state)
    if "odd" in more and "odd" in found:
        more["odd"] = found["odd"] + more["odd"]
    return layout.kind(**{**found, **more})


def encode_trait_type(trait: Trait) -> str:
    """Own type of a trait."""
    if isinstance(trait, UnknownTrait):
        return trait.type
    layout = _layout(trait)
    return layout.prefix + layout.type_codec.write(trait)


def encode_trait_state(trait: Trait) -> str:
    """Own state of a trait."""
    if isinstance(trait, UnknownTrait):
        return trait.own_state
    return _layout(trait).state_codec.write(trait)


def _layout(trait: Trait) -> Layout:
    layout = _LAYOUT_OF.get(type(trait))
    if layout is None:
        raise TypeError(f"not a trait: {type(trait).__name__}")
    return layout
