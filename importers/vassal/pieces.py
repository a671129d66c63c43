"""Pieces, stacks and decks: the chain of traits around a base, from type and state and back.

A type is the trait's own text, a tab, and the type of all that is inside, so that a trait at depth
n is set off by a tab with n backslashes; the state is nested alike (engine:
``BasicCommandEncoder.createPiece``, ``counters.Decorator``).
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

from .nesting import base_state, join_nested, split_nested, split_state, split_type
from .sequence import QuotingRule, split
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
