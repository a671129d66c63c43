"""Layouts that are no plain list of fields."""

from __future__ import annotations

from typing import Any

from ..numbers import number
from ..sequence import join, split
from .layout import Codec, Unit, read_units, write_units

_ONE_ANGLE = ("angles", "set_key", "set_text", "random_key", "random_text")
_ANGLES = (
    "angles",
    "clockwise_key",
    "counter_key",
    "clockwise_text",
    "counter_text",
    "random_key",
    "random_text",
)
_ROTATOR_TAIL = (
    "name",
    "description",
    "direct_key",
    "direct_text",
    "direct_expression",
    "direct_is_facing",
)


def _text_unit(name: str) -> Unit:
    if name == "direct_is_facing":
        return Unit(name, "true".__eq__, lambda value: "true" if value else "false")
    return Unit(name, number if name == "angles" else str, str)


_FREE = tuple(map(_text_unit, _ONE_ANGLE + _ROTATOR_TAIL))
_FIXED = tuple(map(_text_unit, _ANGLES + _ROTATOR_TAIL))


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


def names_codec(name: str, side: str) -> Codec:
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
    Unit("visible", "true".__eq__, lambda value: "true" if value else "false"),
    Unit("map_id", str, str),
    Unit("points", str, str),
)
_TRAIL_TAIL = ("ever_initialized", "last_points")


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
