"""Pieces, stacks and decks: the chain of traits around a base, from type and state and back.

A type is the trait's own text, a tab, and the type of all that is inside, so that a trait at depth
n is set off by a tab with n backslashes; the state is nested alike (engine:
``BasicCommandEncoder.createPiece``, ``counters.Decorator``).
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import lru_cache
from typing import Literal

from .sequence import QuotingRule, join, split
from .traits import Trait, UnknownTrait, decode_trait, encode_trait_state, encode_trait_type
from .traits.bases import Base, BasicPiece, Deck, Stack, decode_base, encode_base

__all__ = [
    "Base",
    "BasicPiece",
    "Deck",
    "GamePiece",
    "KeptPiece",
    "Stack",
    "base_state",
    "decode_base",
    "decode_piece",
    "decode_piece_exactly",
    "encode_base",
    "encode_piece",
    "encode_state",
    "join_nested",
    "split_nested",
    "split_state",
    "split_type",
]


MAX_TRAITS = 1000
"""Traits read of one piece; what is deeper is kept as its base's text. Real pieces stay below 200."""


def split_nested(text: str) -> tuple[str, ...]:
    """Own texts of a nested type or state, outermost first, down to the innermost."""
    parts = text.split("\t")
    if len(parts) <= MAX_TRAITS and _unnest(parts, text[-1:] == "'"):
        return tuple(parts)
    return _split_slowly(text, MAX_TRAITS)


def _split_slowly(text: str, depth: int) -> tuple[str, ...]:
    """Level by level, as the engine does; the rest as it stands if there is one."""
    parts = []
    for _ in range(depth):
        tokens = split(text, "\t")
        parts.append(tokens[0])
        if len(tokens) < 2:
            return tuple(parts)
        text = tokens[1]
    return (*parts, text)


def join_nested(parts: tuple[str, ...] | list[str], quoting: QuotingRule = "current") -> str:
    """The inverse of :func:`split_nested`."""
    text = parts[-1]
    for part in reversed(parts[:-1]):
        text = join([part, text], "\t", quoting)
    return text


@lru_cache(maxsize=16384)
def split_type(text: str) -> tuple[str, ...]:
    """Own types of a piece: its traits, outermost first, and its base last."""
    return split_nested(text)


_SLASHES = tuple("\\" * depth for depth in range(MAX_TRAITS + 1))


def split_state(text: str, depth: int) -> tuple[str, ...]:
    """Own states of a piece with ``depth`` traits, its base's last; fewer if the text ends early.

    As quick as one pass over the text unless a state holds tabs or is quoted.
    """
    parts = text.split("\t")
    if len(parts) == depth + 1 <= MAX_TRAITS + 1 and _unnest(parts, text[-1:] == "'"):
        return tuple(parts)
    return _split_slowly(text, depth)


def _unnest(parts: list[str], quote_at_end: bool) -> bool:
    """Take the backslashes of its depth off each part; ``False`` if that is not all there is to do:
    a part with more or fewer of them, or quotes around a part or around all from a part on."""
    last = len(parts) - 1
    for depth, part in enumerate(parts):
        if depth < last:
            slashes = _SLASHES[depth]
            if not part.endswith(slashes):
                return False
            part = part[:-depth] if depth else part
            if part[-1:] == "\\":
                return False
            parts[depth] = part
        if part[:1] == "'" and (quote_at_end or part[-1:] == "'"):
            return False
    return True


def base_state(text: str, depth: int) -> str | None:
    """Own state of the base of a piece with ``depth`` traits; ``None`` if the text ends early."""
    parts = split_state(text, depth)
    return parts[depth] if len(parts) > depth else None


@dataclass(frozen=True, slots=True)
class GamePiece:
    """A piece: ``traits``, outermost first, around its ``base``.

    ``states`` is how many own states the text held, ``None`` for all: a state made for fewer
    traits (another version of the module) leaves the inner ones at their defaults.
    """

    traits: tuple[Trait, ...]
    base: Base
    states: int | None = None

    @property
    def unknown_traits(self) -> tuple[UnknownTrait, ...]:
        """Traits of no class known here."""
        return tuple(trait for trait in self.traits if isinstance(trait, UnknownTrait))


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


def encode_piece(piece: GamePiece, quoting: QuotingRule = "current") -> tuple[str, str]:
    """Type and state of a piece as the engine writes them."""
    types = [encode_trait_type(trait) for trait in piece.traits]
    types.append(encode_base(piece.base)[0])
    return join_nested(types, quoting), encode_state(piece, quoting)


def encode_state(piece: GamePiece, quoting: QuotingRule = "current") -> str:
    """State alone, as a ``ChangePiece`` holds it."""
    states = [encode_trait_state(trait) for trait in piece.traits]
    states.append(encode_base(piece.base)[1])
    return join_nested(states[: piece.states], quoting)


def _has_more_states(text: str, depth: int) -> bool:
    """Does any level of a state hold more than its own part and the rest?"""
    for _ in range(depth):
        tokens = split(text, "\t")
        if len(tokens) != 2:
            return len(tokens) > 2
        text = tokens[1]
    return "\t" in text


@dataclass(frozen=True, slots=True)
class KeptPiece:
    """A piece, and its texts if the value alone does not give the same texts again.

    ``reason``: ``old-quoting`` (written before VASSAL 3.4), ``extra-state`` (more states than
    traits: a program other than VASSAL wrote it), ``not-canonical``.
    """

    piece: GamePiece
    text: tuple[str, str] | None = field(default=None, repr=False)
    reason: Literal["old-quoting", "extra-state", "not-canonical"] | None = None

    def encode(self) -> tuple[str, str]:
        """Type and state as they were read, byte for byte."""
        return encode_piece(self.piece) if self.text is None else self.text


def decode_piece_exactly(type: str, state: str) -> KeptPiece:  # noqa: A002
    """Read a piece and make sure that it can be written again: see :class:`KeptPiece`."""
    piece = decode_piece(type, state)
    again = encode_piece(piece)
    if again == (type, state):
        return KeptPiece(piece)
    texts = type, state
    if encode_piece(piece, "before-3.4") == texts:
        return KeptPiece(piece, texts, "old-quoting")
    if again[0] == type and _has_more_states(state, len(piece.traits)):
        return KeptPiece(piece, texts, "extra-state")
    return KeptPiece(piece, texts, "not-canonical")
