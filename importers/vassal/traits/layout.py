"""How a trait's fields are written: one layout per class, built from the class's own fields.

A trait is written twice: its *type* (what its designer set) and its *state* (what play changes).
Both are sequences. A layout reads them into a dataclass and writes them back byte for byte. Fields that an
older engine did not write stay unwritten; fields that a later one added are kept. If the text that was read
is not a value's canonical text, it is kept beside the value (``odd``).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, fields
from typing import Any

from ..numbers import Number as Number
from ..numbers import number
from ..sequence import join, split

IN_STATE = "state"
REST = "rest"


@dataclass(frozen=True, slots=True, kw_only=True)
class Trait:
    """The base of all traits; field names are VASSAL's, in the order the engine writes them.

    ``type_count``, ``state_count``: tokens the text had, ``None`` to write every field.
    ``more_type``, ``more_state``: tokens after the last field known here.
    ``odd``: (field, text) pairs whose text is not how this program writes the value.
    """

    type_count: int | None = None
    state_count: int | None = None
    more_type: tuple[str, ...] = ()
    more_state: tuple[str, ...] = field(default=(), repr=False)
    odd: tuple[tuple[str, str], ...] = field(default=(), repr=False)


@dataclass(frozen=True, slots=True)
class Unit:
    """One field: its name, how its token is read and written, whether it takes the rest."""

    name: str
    read: Callable[[str], Any]
    write: Callable[[Any], str]
    rest: bool = False


def _read_int(text: str) -> int:
    value = number(text)
    return value if isinstance(value, int) else 0


def _read_float(text: str) -> float:
    try:
        return float(text) if "_" not in text else 0.0
    except ValueError:
        return 0.0


def _write_bool(value: object) -> str:
    return "true" if value else "false"


def _read_list(delimiter: str) -> Callable[[str], tuple[str, ...]]:
    return lambda text: tuple(split(text, delimiter)) if text else ()


def _write_list(delimiter: str) -> Callable[[tuple[str, ...]], str]:
    return lambda value: join(value, delimiter)


_TYPES: Mapping[str, tuple[Callable[[str], Any], Callable[[Any], str]]] = {
    "str": (str, str),
    "int": (_read_int, str),
    "Number": (number, str),
    "float": (_read_float, repr),
    "bool": ("true".__eq__, _write_bool),
    "tuple[str, ...]": (_read_list(","), _write_list(",")),
    # Only with ``REST``: how each token is read.
    "tuple[Number, ...]": (number, str),
    "tuple[tuple[str, ...], ...]": (_read_list(","), _write_list(",")),
}


def state(default: Any, *, secret: bool = False) -> Any:
    """A field of the state; ``secret`` ones may hold a player's id and stay out of ``repr``."""
    return field(default=default, repr=not secret, metadata={IN_STATE: True})


@dataclass(frozen=True, slots=True)
class Codec:
    """Reads a text into keyword arguments of a trait, and writes it from the trait."""

    read: Callable[[str], dict[str, Any]]
    write: Callable[[Any], str]


def units_of(kind: type, *, in_state: bool) -> tuple[Unit, ...]:
    """The fields of a trait class that its type, or its state, is made of."""
    shared = {f.name for f in fields(Trait)}
    found = []
    for item in fields(kind):
        if item.name in shared or bool(item.metadata.get(IN_STATE)) != in_state:
            continue
        by = item.metadata.get("by")
        if by:
            read, write = _read_list(by), _write_list(by)
        else:
            read, write = _TYPES[str(item.type)]
        found.append(Unit(item.name, read, write, bool(item.metadata.get(REST))))
    return tuple(found)


def sequence_codec(units: tuple[Unit, ...], side: str) -> Codec:
    """The usual layout: one token per field, trailing ones missing in older files.

    ``side`` is ``type`` or ``state``.
    """

    def read(text: str) -> dict[str, Any]:
        return read_units(units, split(text, ";"), side)

    def write(trait: Any) -> str:
        return join(write_units(units, trait, side), ";")

    return Codec(read, write)


def read_units(units: tuple[Unit, ...], tokens: list[str], side: str) -> dict[str, Any]:
    """Match tokens with fields."""
    found: dict[str, Any] = {}
    odd = []
    for at, (unit, token) in enumerate(zip(units, tokens, strict=False)):
        if unit.rest:
            found[unit.name] = tuple(map(unit.read, tokens[at:]))
            break
        value = found[unit.name] = unit.read(token)
        if unit.read is not str and unit.write(value) != token:
            odd.append((unit.name, token))
    else:
        if len(tokens) > len(units):
            found[f"more_{side}"] = tuple(tokens[len(units) :])
    if len(tokens) < len(units):
        found[f"{side}_count"] = len(tokens)
    if odd:
        found["odd"] = tuple(odd)
    return found


def write_units(units: tuple[Unit, ...], trait: Any, side: str) -> list[str]:
    """The tokens of a trait's fields."""
    odd = dict(trait.odd)
    count = getattr(trait, f"{side}_count")
    tokens: list[str] = []
    for unit in units:
        value = getattr(trait, unit.name)
        if unit.rest:
            tokens += map(unit.write, value)
        else:
            text = odd.get(unit.name)
            # A new value takes precedence over the odd text that it replaced.
            tokens.append(
                text if text is not None and unit.read(text) == value else unit.write(value)
            )
    if count is not None:
        del tokens[count:]
    return [*tokens, *getattr(trait, f"more_{side}")]


@dataclass(frozen=True, slots=True)
class Layout:
    """A trait class with its prefix (``mark;``) and the codecs of its type and its state."""

    prefix: str
    kind: type[Trait]
    type_codec: Codec
    state_codec: Codec


def state_codec(units: tuple[Unit, ...]) -> Codec:
    """A ``;`` sequence of the fields. A single text field is the whole state; a state without fields should
    be empty, but any text is kept."""
    if not units:
        return Codec(
            lambda text: {"more_state": (text,)} if text else {},
            lambda trait: "".join(trait.more_state),
        )
    name = units[0].name
    if len(units) == 1 and units[0].read is str:
        return Codec(lambda text: {name: text}, lambda trait: str(getattr(trait, name)))
    return sequence_codec(units, "state")


# -- layouts that are no plain list of fields ------------------------------------------------------


def _rotator_units(names: str) -> tuple[Unit, ...]:
    tail = "name description direct_key direct_text direct_expression"
    texts = (Unit(name, str, str) for name in f"{names} {tail}".split())
    facing = Unit("direct_is_facing", *_TYPES["bool"])
    return (Unit("angles", *_TYPES["Number"]), *texts, facing)


_FREE = _rotator_units("set_key set_text random_key random_text")
_FIXED = _rotator_units(
    "clockwise_key counter_key clockwise_text counter_text random_key random_text"
)


def _read_rotator(text: str) -> dict[str, Any]:
    tokens = split(text, ";")
    return read_units(_FREE if tokens[0] == "1" else _FIXED, tokens, "type")


def _write_rotator(trait: Any) -> str:
    return join(write_units(_FREE if trait.angles == 1 else _FIXED, trait, "type"), ";")


ROTATOR_TYPE = Codec(_read_rotator, _write_rotator)


_IMMOBILIZED = ("select", "move", "stack", "description")


def _read_immobilized(text: str) -> dict[str, Any]:
    tokens = text.split(";", len(_IMMOBILIZED) - 1)
    found: dict[str, Any] = dict(zip(_IMMOBILIZED, tokens, strict=False))
    if len(tokens) < len(_IMMOBILIZED):
        found["type_count"] = len(tokens)
    return found


def _write_immobilized(trait: Any) -> str:
    return ";".join([getattr(trait, name) for name in _IMMOBILIZED][: trait.type_count])


IMMOBILIZED_TYPE = Codec(_read_immobilized, _write_immobilized)
"""The one type the engine writes without escaping."""


def names_codec(name: str) -> Codec:
    """A text that is a ``,`` list and nothing else."""

    def read(text: str) -> dict[str, Any]:
        return {name: tuple(split(text, ",")) if text else ()}

    return Codec(read, lambda trait: join(getattr(trait, name), ","))


def counted_codec(name: str) -> Codec:
    """A state of ``;``: how many, then that many ids."""

    def read(text: str) -> dict[str, Any]:
        count, *ids = split(text, ";")
        found: dict[str, Any] = {name: tuple(ids)}
        if count != str(len(ids)):
            found["odd"] = ((name, count),)
        return found

    def write(trait: Any) -> str:
        ids = getattr(trait, name)
        count = dict(trait.odd).get(name, str(len(ids)))
        return join([count, *ids], ";")

    return Codec(read, write)


_TRAIL_UNITS = (
    Unit("visible", *_TYPES["bool"]),
    Unit("map_id", str, str),
    Unit("points", str, str),
)


def _read_trail(text: str) -> dict[str, Any]:
    """Visible, map, how many points, the points, then what later engines added."""
    tokens = split(text, ";")
    found = read_units(_TRAIL_UNITS, tokens[:2], "state")
    if len(tokens) < 3:
        return found
    del found["state_count"]  # the tail is written as far as it has values
    size = number(tokens[2])
    end = 3 + min(max(size, 0), len(tokens) - 3) if isinstance(size, int) else 3
    found["points"] = tuple(tokens[3:end])
    if tokens[2] != str(end - 3):
        found["odd"] = (*found.get("odd", ()), ("points", tokens[2]))
    tail = tokens[end:]
    if tail and tail[0] in ("true", "false"):
        found["ever_initialized"] = tail.pop(0) == "true"
        if tail:
            found["last_points"] = number(tail.pop(0))
    if tail:
        found["more_state"] = tuple(tail)
    return found


def _write_trail(trait: Any) -> str:
    odd = dict(trait.odd)
    tokens = [odd.get("visible", "true" if trait.visible else "false"), trait.map_id]
    if trait.state_count is not None:
        return join(tokens[: trait.state_count], ";")
    tokens += [odd.get("points", str(len(trait.points))), *trait.points]
    for value in (trait.ever_initialized, trait.last_points):
        if value is None:
            break
        tokens.append(str(value).lower())
    return join([*tokens, *trait.more_state], ";")


TRAIL_STATE = Codec(_read_trail, _write_trail)
