"""Property values of traits that follow from a trait's type and state alone.

Engine classes: Marker, DynamicProperty, FreeRotator, MovementMarkable, Hideable, Obscurable,
PropertySheet, BasicName, Mat, TranslatableMessage, AreaOfEffect, Immobilized. Layers, labels and
calculated properties depend on the rest of the piece: see ``properties``.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from enum import Enum, auto
from functools import lru_cache

from .grids.java import parse_int
from .sequence import split


class Answer(Enum):
    """A trait's answer without a value: there is none (traits further in are not asked), or it is not
    known."""

    NONE = auto()
    NOT_KNOWN = auto()


Values = Mapping[str, str | Answer]
"""A trait's values, by property name."""
_NOTHING: Values = {}


def field(fields: list[str], index: int, default: str = "") -> str:
    """A field of a type; the engine's default if the text ends before it."""
    return fields[index] if index < len(fields) else default


def _marker(type_text: str, state: str) -> Values:
    names = split(type_text[len("mark;") :], ",")
    values = split(state, ",")
    pairs: dict[str, str] = {}
    for i, name in enumerate(names):
        pairs.setdefault(name, field(values, i))
    return pairs


def _dynamic(type_text: str, state: str) -> Values:
    return {field(split(type_text, ";"), 1): state}


def _rotator(type_text: str, state: str) -> Values:
    fields = split(type_text, ";")
    angles = parse_int(field(fields, 1)) or 0
    if angles < 1:
        return _NOTHING
    name = field(fields, 6 if angles == 1 else 8)
    if angles == 1:
        try:
            degrees = float(state)
        except ValueError:
            degrees = 0.0
        index = 0
    else:
        index = min(parse_int(state) or 0, angles - 1)
        degrees = index * (360.0 / angles)
    if not math.isfinite(degrees):
        return _NOTHING
    shown = math.floor(abs(degrees) + 0.5) % 360
    return {f"{name}_Facing": str(index + 1), f"{name}_Degrees": str(shown)}


def _moved(type_text: str, state: str) -> Values:
    return {"Moved": "true" if state == "true" else "false"}


def _hidden(type_text: str, state: str) -> Values:
    hidden = "false" if state == "null" else "true"
    return {"Invisible": hidden, "InvisibleToOthers": hidden}


def _masked(type_text: str, state: str) -> Values:
    masked = "false" if mask_owner(state) is None else "true"
    return {"Obscured": masked, "ObscuredToOthers": masked}


def mask_owner(state: str) -> str | None:
    """Who masked the piece (a player's id or a side); None: nobody [Obscurable.mySetState]."""
    owner = split(state, ";")[0]
    return None if owner == "null" else owner


def _sheet(type_text: str, state: str) -> Values:
    """Property sheet: tick fields show their value, not their maximum."""
    definition = split(field(split(type_text, ";"), 1), "~")
    values = split(state, "~")
    sheet: dict[str, str | Answer] = {}
    for i, name in enumerate(definition):
        if not name:
            continue
        value = field(values, i)
        ticks = name[0] in "3456"
        cut = value.find("/")
        sheet[name[1:]] = value[:cut] if ticks and cut > 0 else value
    return sheet


def _basic_name(type_text: str, state: str) -> Values:
    return {"BasicName": field(split(type_text[len("basicName;") :], ";"), 0)}


def _mat(type_text: str, state: str) -> Values:
    count = parse_int(split(state, ";")[0]) or 0
    return {
        "MatName": field(split(type_text, ";"), 1),
        "MatNumCargo": str(count),
        "NoStack": "true",
    }


def _message(type_text: str, state: str) -> Values:
    fields = split(type_text, ";")
    return {field(fields, 1, "name"): field(fields, 3)}


def _area(type_text: str, state: str) -> Values:
    fields = split(type_text, ";")
    name = field(fields, 11)
    always = field(fields, 4, "true") == "true"
    return {f"{name}_Active": "true" if always or state == "true" else "false"} if name else {}


def _immobilized(type_text: str, state: str) -> Values:
    """[Immobilized.mySetType, getProperty]"""
    fields = split(type_text, ";")
    select, move = field(fields, 1), field(fields, 2)[:1]
    if move:
        never, if_selected = move == "V", move == "I"
    else:
        never, if_selected = "n" in select, any(letter in select for letter in "itc")
    return {
        "IgnoreGrid": "true" if "g" in select else "false",
        "baseIgnoreGrid": "true" if "g" in select else "false",
        "Immobile": "true" if never or if_selected else "false",
        "cannotMove": "true" if never else "false",
        "NoStack": Answer.NONE if field(fields, 3, "R")[:1] == "L" else "true",
    }


_OF_THE_MAT = (
    "IgnoreGrid",
    "CurrentMat", "CurrentMatID", "CurrentMatX", "CurrentMatY", "CurrentMatOffsetX",
    "CurrentMatOffsetY", "CurrentMatBasicName", "CurrentMatPieceName", "CurrentMatLocationName",
    "CurrentMatZone", "CurrentMatBoard", "CurrentMatMap", *(f"CurrentMatProp{i}" for i in range(10)),
)  # fmt: skip


def _cargo(type_text: str, state: str) -> Values:
    """On a mat, many values depend on the mat; they are not looked up, so they are not known."""
    if state in ("", "noMat"):
        return {"IsCargo": "true"}
    return {"IsCargo": "true", **dict.fromkeys(_OF_THE_MAT, Answer.NOT_KNOWN)}


def _attachment(type_text: str, state: str) -> Values:
    return {"AttachCount": str(parse_int(split(state, ";")[0]) or 0)}


def _macro(type_text: str, state: str) -> Values:
    """A loop counts in a property; no file holds its value between loops."""
    fields = split(type_text, ";")
    counts = field(fields, 7) == field(fields, 14) == "true" and field(fields, 15)
    return {field(fields, 15): Answer.NOT_KNOWN} if counts else _NOTHING


def _restricted(type_text: str, state: str) -> Values:
    """Who is restricted depends on who looks."""
    return {"Restricted": Answer.NOT_KNOWN, "RestrictedMovement": Answer.NOT_KNOWN}


_READERS: Mapping[str, Callable[[str, str], Values]] = {
    "mark;": _marker,
    "PROP;": _dynamic,
    "rotate;": _rotator,
    "markmoved;": _moved,
    "hide;": _hidden,
    "obs;": _masked,
    "propertysheet;": _sheet,
    "basicName;": _basic_name,
    "mat;": _mat,
    "matPiece;": _cargo,
    "attach;": _attachment,
    "restrict;": _restricted,
    "macro;": _macro,
    "locmsg;": _message,
    "AreaOfEffect;": _area,
    "immob;": _immobilized,
}


@lru_cache(maxsize=20_000)
def plain_values(prefix: str, type_text: str, state: str) -> Values:
    """The properties a trait offers by itself; empty for traits that offer none."""
    reader = _READERS.get(prefix)
    return _NOTHING if reader is None else reader(type_text, state)


@dataclass(frozen=True, slots=True)
class LayerTrait:
    """A layer trait (Embellishment): images and level names by level, from 1.

    ``follows``: the property whose value decides the level, empty if its own state does; ``first``
    the value that means level 1.
    """

    name: str
    images: tuple[str, ...]
    names: tuple[str, ...]
    follows: str
    first: int

    def stored(self, state: str) -> int:
        """The signed level of a state: positive is shown, negative switched off."""
        value = parse_int(split(state, ";")[0])
        value = -1 if value is None else value
        return min(max(-len(self.images), value), len(self.images))

    def followed(self, stored: int, value: str) -> int:
        """The signed level once the followed property has been looked at [checkPropertyLevel]."""
        number = self.first if value == "" else parse_int(value)
        if number is None:
            return stored
        level = min(max(number - self.first + 1, 1), len(self.images))
        return level if stored > 0 else -level


@lru_cache(maxsize=5_000)
def layer_trait(type_text: str) -> LayerTrait:
    """Take a layer trait's type apart, the present form (``emb2;``) or the oldest (``emb;``)."""
    fields = split(type_text, ";")
    if fields[0] == "emb":
        levels = [split(token, ",") for token in fields[9:]]
        return LayerTrait(
            "", tuple(v[0] for v in levels), tuple(field(v, 1) for v in levels), "", 1
        )
    images = tuple(split(field(fields, 16), ","))
    names = tuple(split(field(fields, 17), ",")) if field(fields, 17) else ()
    names += ("",) * (len(images) - len(names))
    follow = field(fields, 22) == "true"
    first = parse_int(field(fields, 24))
    return LayerTrait(
        field(fields, 19), images, names, field(fields, 23) if follow else "",
        1 if first is None else first,
    )  # fmt: skip


def bare_level_name(name: str) -> str:
    """A level's name without the ``+``, which marks the side on which it is joined."""
    if name.startswith("+"):
        return name[1:]
    return name[:-1] if name.endswith("+") else name


@dataclass(frozen=True, slots=True)
class LabelTrait:
    """A text label: how it changes the piece's name, and the property it offers."""

    name_format: str
    property: str
    always: bool


@lru_cache(maxsize=5_000)
def label_trait(type_text: str) -> LabelTrait:
    fields = split(type_text, ";")
    name_format = field(fields, 12, "$pieceName$ ($label$)")
    return LabelTrait(
        name_format.replace("$PieceName$", "$pieceName$"),
        field(fields, 16, "TextLabel"),
        field(fields, 18) == "true",
    )


@dataclass(frozen=True, slots=True)
class AccessTrait:
    """A hide or mask trait: the kind of its owner (``player``, ``side`` or some ``sides``), the word in the
    piece's menu, the name that a masked piece shows."""

    kind: str
    sides: tuple[str, ...]
    command: str
    mask_name: str


@lru_cache(maxsize=5_000)
def access_trait(type_text: str) -> AccessTrait:
    """Take a ``hide;`` or ``obs;`` type apart [Hideable, Obscurable, PieceAccessConfigurer]."""
    fields = split(type_text, ";")
    hide = fields[0] == "hide"
    access = split(field(fields, 4 if hide else 6), ":")
    kind = access[0] if access[0] in ("side", "sides") else "player"
    command = field(fields, 2 if hide else 3)
    return AccessTrait(kind, tuple(access[1:]), command, field(fields, 5, "?"))
