"""The traits that are nothing but their fields, as a table; those that answer questions are in ``play``."""

from __future__ import annotations

import re
from dataclasses import field, make_dataclass
from typing import Any

from . import special
from .layout import IN_STATE, REST, Trait, trait

_CATALOGUE = """
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
"""For each trait its prefix, its name here and what it is. Below, with four blanks before them, the fields
of its type and, after a stroke, those of its state: VASSAL's names, in the order in which the engine
writes them.

A field with nothing behind its name is a text. ``=`` and the value of a field that is absent tell what
else it is: ``'text'``, ``1`` a whole number, ``1.0`` a decimal number, ``true`` or ``false``, ``#`` a
whole number whose text is empty. ``,`` and ``~`` are lists with this between their entries, ``+`` is one
with its length before it, ``*`` stands for all numbers that follow, ``**`` for all lists. A field with
``!`` may hold the id of a player, and stays out of ``repr``.
"""


def _field(word: str, in_state: bool) -> tuple[str, str, Any]:
    name, told, value = word.rstrip("!").partition("=")
    kind: str
    default: Any
    if value and value in ",~+":
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


def _make(entry: str) -> type[Trait]:
    head, _, fields = entry.partition("\n    ")
    prefix, name, about = head.split(maxsplit=2)
    own, _, state = fields.partition(" / ")
    words = [_field(word, False) for word in own.split()]
    words += [_field(word, True) for word in state.split()]
    namespace = {"__doc__": about, "__module__": __name__}
    counted = re.fullmatch(r"(\w+)=\+", state)
    return trait(prefix, state_codec=special.counted_codec(counted[1]) if counted else None)(
        make_dataclass(
            name.rstrip(":"), words, bases=(Trait,), frozen=True, slots=True, namespace=namespace
        )
    )


_MADE = [_make(entry) for entry in re.split(r"\n(?=\S)", _CATALOGUE.strip())]
globals().update((kind.__name__, kind) for kind in _MADE)
