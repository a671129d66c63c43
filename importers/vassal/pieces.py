# ruff: noqa: RUF009  (state() makes dataclass fields)
"""Pieces, stacks and decks: the chain of traits around a base, from type and state and back.

A type is the trait's own text, a tab, and the type of all that is inside, so that a trait at depth
n is set off by a tab with n backslashes; the state is nested alike (engine:
``BasicCommandEncoder.createPiece``, ``counters.Decorator``).
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from .nesting import join_nested, split_state, split_type
from .numbers import Number, number
from .sequence import join, split
from .traits.catalogue import (
    Deck,
    decode_trait,
    encode_trait_state,
    encode_trait_type,
)
from .traits.layout import Codec, Trait, sequence_codec, state, units_of


@dataclass(frozen=True, slots=True)
class BasicPiece(Trait):
    """The piece itself: its picture, its name, its place in map pixels.

    ``map`` is a map's name or ``None``; in a stack the stack's place counts, not this one.
    ``gpid`` names the slot of the module it was made from (``None`` before VASSAL 3.1).
    ``properties`` are the persistent ones (``None`` before 3.3.3), in the order of the file.
    """

    clone_key: str = ""
    delete_key: str = ""
    image: str = ""
    name: str = ""
    map: str | None = state(None)
    x: Number = state(0)
    y: Number = state(0)
    gpid: str | None = state(None)
    properties: tuple[tuple[str, str], ...] | None = state(None, secret=True)


@dataclass(frozen=True, slots=True)
class Stack(Trait):
    """Pieces on one spot: ids of ``members`` from bottom to top, place in map pixels.

    ``layer``: the game-piece layer, ``None`` before VASSAL 3.4.8.
    """

    map: str | None = state(None)
    x: Number = state(0)
    y: Number = state(0)
    members: tuple[str, ...] = state(())
    layer: Number | None = state(None)


@dataclass(frozen=True, slots=True)
class UnknownBase(Trait):
    """A base of an unknown class."""

    type: str = field(default="", repr=False)
    own_state: str = field(default="", repr=False)


_LAYER = "@@"


def _read_place(tokens: list[str]) -> dict[str, Any]:
    found: dict[str, Any] = {"map": None if tokens[0] == "null" else tokens[0]}
    for name, token in zip("xy", tokens[1:3], strict=False):
        found[name] = number(token)
    if len(tokens) < 3:
        found["state_count"] = len(tokens)
    return found


def _write_place(base: Any) -> list[str]:
    place = ["null" if base.map is None else base.map, str(base.x), str(base.y)]
    return place[: base.state_count]


def _read_piece(text: str) -> dict[str, Any]:
    tokens = split(text, ";")
    found = _read_place(tokens)
    if len(tokens) > 3:
        found["gpid"] = tokens[3]
    if len(tokens) > 4:
        pairs = tokens[5:]
        if tokens[4] == str(len(pairs) // 2) and len(pairs) % 2 == 0:
            found["properties"] = tuple(zip(pairs[::2], pairs[1::2], strict=True))
        else:
            found["more_state"] = tuple(tokens[4:])
    return found


def _write_piece(base: BasicPiece) -> str:
    tokens = _write_place(base)
    if base.gpid is not None or base.properties is not None:
        tokens.append(base.gpid or "")
    if base.properties is not None:
        tokens.append(str(len(base.properties)))
        for pair in base.properties:
            tokens += pair
    return join([*tokens, *base.more_state], ";")


def _read_stack(text: str) -> dict[str, Any]:
    tokens = split(text, ";")
    found = _read_place(tokens)
    members = tokens[3:]
    if members and members[-1].startswith(_LAYER):
        found["layer"] = number(members.pop()[len(_LAYER) :])
    found["members"] = tuple(members)
    return found


def _write_stack(base: Stack) -> str:
    layer = [] if base.layer is None else [f"{_LAYER}{base.layer}"]
    return join([*_write_place(base), *base.members, *layer], ";")


def _read_deck(text: str) -> dict[str, Any]:
    tokens = split(text, ";")
    found = _read_place(tokens)
    if len(tokens) > 3:
        found["face_down"] = tokens[3] == "true"
        if tokens[3] not in ("true", "false"):
            found["odd"] = (("face_down", tokens[3]),)
    if len(tokens) > 4:
        found["members"] = tuple(split(tokens[4], ",")) if tokens[4] else ()
        found["more_state"] = tuple(tokens[5:])
    if len(tokens) < 5 or tokens[4:] == [""]:
        # The engine omits an empty list; so does the writer by default.
        found["state_count"] = len(tokens)
    return found


def _write_deck(base: Any) -> str:
    tokens = _write_place(base)
    tokens.append(dict(base.odd).get("face_down", "true" if base.face_down else "false"))
    tokens.append(join(base.members, ","))
    if base.state_count is not None and not (base.members and base.state_count == 4):
        del tokens[base.state_count :]
    elif not base.members and base.state_count is None and not base.more_state:
        tokens.pop()
    return join([*tokens, *base.more_state], ";")


_PIECE_TYPE = sequence_codec(units_of(BasicPiece, in_state=False), "type")
_DECK_TYPE = sequence_codec(units_of(Deck, in_state=False), "type")
_CODECS: dict[type, tuple[str, Codec, Codec]] = {
    BasicPiece: ("piece;", _PIECE_TYPE, Codec(_read_piece, _write_piece)),
    Deck: ("deck;", _DECK_TYPE, Codec(_read_deck, _write_deck)),
}


def decode_base(own_type: str, own_state: str | None) -> Trait:
    """Read a base; any text gives a value. ``own_state=None``: the text stops before it."""
    if own_type == "stack":
        return Stack(**_read_stack(own_state)) if own_state is not None else Stack()
    for kind, (prefix, type_codec, state_codec) in _CODECS.items():
        if own_type.startswith(prefix):
            found = type_codec.read(own_type[len(prefix) :])
            if own_state is not None:
                more = state_codec.read(own_state)
                odd = found.get("odd", ()) + more.get("odd", ())
                found = {**found, **more, "odd": odd}
            base: Trait = kind(**found)
            return base
    return UnknownBase(type=own_type, own_state=own_state or "")


def encode_base(base: Trait) -> tuple[str, str]:
    """Own type and own state of a base."""
    if isinstance(base, UnknownBase):
        return base.type, base.own_state
    if isinstance(base, Stack):
        return "stack", _write_stack(base)
    prefix, type_codec, state_codec = _CODECS[type(base)]
    return prefix + type_codec.write(base), state_codec.write(base)


@dataclass(frozen=True, slots=True)
class GamePiece:
    """A piece: ``traits``, outermost first, around its ``base``.

    ``states`` is how many own states the text held, ``None`` for all: a state made for fewer
    traits (another version of the module) leaves the inner ones at their defaults.
    """

    traits: tuple[Trait, ...]
    base: Trait
    states: int | None = None


def decode_piece(type: str, state: str) -> GamePiece:  # noqa: A002  VASSAL's words
    """Read a piece, stack or deck from its type and state; any text gives a value."""
    types = split_type(type)
    depth = len(types) - 1
    states: tuple[str | None, ...] = split_state(state, depth)
    short = len(states) if len(states) <= depth else None
    if short is not None:
        states += (None,) * (depth + 1 - short)
    traits = tuple(map(decode_trait, types[:-1], states))
    return GamePiece(traits, decode_base(types[-1], states[depth]), short)


def encode_piece(piece: GamePiece) -> tuple[str, str]:
    """Type and state of a piece as the engine writes them."""
    types = [encode_trait_type(trait) for trait in piece.traits]
    types.append(encode_base(piece.base)[0])
    return join_nested(types), encode_state(piece)


def encode_state(piece: GamePiece) -> str:
    """State alone, as a ``ChangePiece`` holds it."""
    states = [encode_trait_state(trait) for trait in piece.traits]
    states.append(encode_base(piece.base)[1])
    return join_nested(states[: piece.states])
