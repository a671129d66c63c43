"""Codecs between dataclasses and plain JSON values, derived from the types of the fields.

Texts, numbers and booleans are written as they are. A tuple is a list, a set a sorted list, a mapping a
table, a dataclass a table of its fields. :meth:`Codecs.table` declares what the types do not say. Nothing
is checked here: input must already fit its schema.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import MISSING, fields
from types import MappingProxyType, NoneType, UnionType
from typing import Any, Literal, NamedTuple, Union, get_args, get_origin, get_type_hints

Plain = dict[str, Any]
_NOTHING: Mapping[str, Any] = MappingProxyType({})


class Codec(NamedTuple):
    """``write`` turns a value into plain JSON values, ``read`` turns them back. ``given``: the values of a
    dataclass's fields that are not absent."""

    write: Callable[[Any], Any]
    read: Callable[[Any], Any]
    given: Callable[[Any], Plain] = dict


def _itself(value: Any) -> Any:
    return value


ITSELF = Codec(_itself, _itself)


def listed(part: Codec, made: Callable[[Iterable[Any]], Any] = tuple) -> Codec:
    """A list of ``part``; a set is written sorted."""
    write, read, _ = part
    order: Callable[[Any], Any] = sorted if made is frozenset else _itself
    if part is ITSELF:
        return Codec(lambda held: list(order(held)), made)
    return Codec(lambda held: [*map(write, order(held))], lambda plain: made(map(read, plain)))


def by_name(part: Codec, name: str = "name") -> Codec:
    """A mapping whose keys are the attribute ``name`` of its values, as a list of the values."""
    return Codec(
        lambda held: [*map(part.write, held.values())],
        lambda plain: {getattr(one, name): one for one in map(part.read, plain)},
    )


def pairs(
    keys: tuple[str, str], key: Codec, value: Codec, order: Callable[..., Any] = list
) -> Codec:
    """A mapping as a list of tables that have the two ``keys``."""
    a, b = keys
    return Codec(
        lambda held: [{a: key.write(k), b: value.write(v)} for k, v in order(held.items())],
        lambda plain: {key.read(one[a]): value.read(one[b]) for one in plain},
    )


def _fixed(parts: list[Codec], made: Callable[[Iterable[Any]], Any]) -> Codec:
    if all(part is ITSELF for part in parts):
        return Codec(list, made)
    return Codec(
        lambda held: [part.write(one) for part, one in zip(parts, held, strict=True)],
        lambda plain: made(part.read(one) for part, one in zip(parts, plain, strict=True)),
    )


def _or_none(part: Codec) -> Codec:
    if part is ITSELF:
        return part
    return Codec(
        lambda held: None if held is None else part.write(held),
        lambda plain: None if plain is None else part.read(plain),
    )


def _mapping(part: Codec) -> Codec:
    return Codec(
        lambda held: {k: part.write(v) for k, v in held.items()},
        lambda plain: {k: part.read(v) for k, v in plain.items()},
    )


class Codecs:
    """The codecs of a format, by type. ``known``: codecs of types that are written differently."""

    def __init__(self, known: Mapping[Any, Codec]) -> None:
        self._known: dict[Any, Codec] = dict(known)

    def of(self, kind: Any) -> Codec:
        """The codec of a type."""
        if kind in self._known:
            return self._known[kind]
        origin, parts = get_origin(kind), get_args(kind)
        if origin in (Union, UnionType):
            (only,) = (part for part in parts if part is not NoneType)
            return _or_none(self.of(only))
        if origin is tuple and parts[-1] is not Ellipsis:
            return _fixed([*map(self.of, parts)], tuple)
        if origin in (tuple, frozenset):
            return listed(self.of(parts[0]), origin)
        if origin is not None and origin is not Literal:
            return _mapping(self.of(parts[1]))
        if hasattr(kind, "_fields"):
            return _fixed([*map(self.of, get_type_hints(kind).values())], kind._make)
        return ITSELF

    def table(
        self,
        kind: Any,
        always: str = "",
        other: str = "",
        *,
        keys: Mapping[str, str] = _NOTHING,
        parts: Mapping[str, Codec] = _NOTHING,
        absent: Mapping[str, Any] = _NOTHING,
    ) -> Codec:
        """Declare the codec of a dataclass and return it; codecs declared later use it.

        ``always``: fields that are always written, in order; "": those that may not be absent. ``other``:
        fields written after them unless they have the value of an absent field; "": all the rest.
        ``keys``: keys that differ from the field's name. ``parts``: codecs that a field's type does not
        determine. ``absent``: the value of an absent field, if neither its default nor None.
        """
        here = {known.__name__: known for known in self._known if type(known) is type}
        hints, left_out, defaults = get_type_hints(kind, localns=here), dict[str, Any](), {}
        for field in fields(kind):
            name, made = field.name, field.default_factory
            own = field.default if made is MISSING else made()
            other_default = None if NoneType in get_args(hints[name]) else MISSING
            left_out[name] = absent.get(name, other_default if own is MISSING else own)
            if left_out[name] is not own:
                defaults[name] = left_out[name]
        told = always.split() or [name for name, value in left_out.items() if value is MISSING]
        others = other.split() or [name for name in left_out if name not in told]
        codecs = {name: parts.get(name) or self.of(hints[name]) for name in left_out}
        first = [(name, keys.get(name, name), codecs[name].write) for name in told]
        then = [(n, keys.get(n, n), codecs[n].write, left_out[n]) for n in others]
        by_key = {keys.get(name, name): (name, codec.read) for name, codec in codecs.items()}

        def write(value: Any) -> Plain:
            plain: Plain = {}
            for name, key, written in first:
                held = getattr(value, name)
                plain[key] = held if written is _itself else written(held)
            for name, key, written, default in then:
                held = getattr(value, name)
                if held is not default and held != default:
                    plain[key] = written(held)
            return plain

        def given(plain: Plain) -> Plain:
            found: Plain = {}
            for key, held in plain.items():
                if key in by_key:
                    name, read = by_key[key]
                    found[name] = held if read is _itself else read(held)
            return found

        made_of = Codec(write, lambda plain: kind(**{**defaults, **given(plain)}), given)
        self._known[kind] = made_of
        return made_of
