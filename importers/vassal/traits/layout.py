"""How a trait's fields are written: one layout per class, built from the class's own fields.

A trait is written twice: its *type* (what its designer set) and its *state* (what play changes).
Both are sequences. A layout reads them into a dataclass and writes them back byte for byte:
what an older engine did not write yet stays unwritten, what a later one added is kept, and where a
value's canonical text differs from what was read, the text is kept beside the value (``odd``).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, fields
from functools import lru_cache
from typing import Any, TypeVar

from ..numbers import Number as Number
from ..numbers import number
from ..sequence import join, split

IN_STATE = "state"
REST = "rest"


@dataclass(frozen=True, slots=True, kw_only=True)
class Trait:
    """What all traits share; field names are VASSAL's, in the order the engine writes them.

    ``type_count``, ``state_count``: tokens the text had, ``None`` to write every field.
    ``more_type``, ``more_state``: tokens after the last field known here.
    ``odd``: (field, text) where the text read is not how this program writes the value.
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


def sequence_codec(units: tuple[Unit, ...], side: str, delimiter: str = ";") -> Codec:
    """The usual layout: one token per field, trailing ones missing in older files.

    ``side`` is ``type`` or ``state``.
    """

    def read(text: str) -> dict[str, Any]:
        return read_units(units, split(text, delimiter), side)

    def write(trait: Any) -> str:
        return join(write_units(units, trait, side), delimiter)

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
            # A value set anew is worth more than the odd text it replaced.
            tokens.append(
                text if text is not None and unit.read(text) == value else unit.write(value)
            )
    if count is not None:
        del tokens[count:]
    return [*tokens, *getattr(trait, f"more_{side}")]


def plain_codec(name: str) -> Codec:
    """A state that is one text as it stands."""
    return Codec(lambda text: {name: text}, lambda trait: str(getattr(trait, name)))


def empty_codec() -> Codec:
    """A state that should be empty; what stands there nevertheless is kept."""
    return Codec(
        lambda text: {"more_state": (text,)} if text else {},
        lambda trait: "".join(trait.more_state),
    )


@dataclass(frozen=True, slots=True)
class Layout:
    """A trait class with its prefix (``mark;``) and the codecs of its type and its state."""

    prefix: str
    kind: type[Trait]
    type_codec: Codec
    state_codec: Codec


LAYOUTS: dict[str, Layout] = {}
_LAYOUT_OF: dict[type, Layout] = {}

_K = TypeVar("_K", bound=type[Trait])


def trait(
    prefix: str, *, type_codec: Codec | None = None, state_codec: Codec | None = None
) -> Callable[[_K], _K]:
    """Register a dataclass as the trait written with ``prefix``.

    Without codecs of its own the type is a ``;`` sequence of the fields, and so is the state,
    except that a single text field is the whole state and no field means an empty one.
    """

    def register(kind: _K) -> _K:
        by_type = type_codec or sequence_codec(units_of(kind, in_state=False), "type")
        by_state = state_codec or _usual_state(units_of(kind, in_state=True))
        layout = Layout(prefix, kind, by_type, by_state)
        LAYOUTS[prefix] = _LAYOUT_OF[kind] = layout
        return kind

    return register


def _usual_state(units: tuple[Unit, ...]) -> Codec:
    if not units:
        return empty_codec()
    if len(units) == 1 and units[0].read is str:
        return plain_codec(units[0].name)
    return sequence_codec(units, "state")


def layout_of(value: Trait) -> Layout | None:
    """The layout of a trait's class; ``None`` for traits of no known class."""
    return _LAYOUT_OF.get(type(value))


@lru_cache(maxsize=16384)
def read_type(text: str) -> tuple[Layout, dict[str, Any]] | None:
    """Read a trait's own type; ``None`` if its prefix is not in the catalogue. Do not change the
    answer: it is remembered, for thousands of pieces share a few types."""
    prefix = text[: text.find(";") + 1]
    layout = LAYOUTS.get(prefix)
    return None if layout is None else (layout, layout.type_codec.read(text[len(prefix) :]))
