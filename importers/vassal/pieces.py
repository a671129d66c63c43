"""Pieces, stacks and decks: the chain of traits around a base, from type and state and back.

A type is the trait's own text, a tab, and the type of all that is inside, so that a trait at depth
n is set off by a tab with n backslashes; the state is nested alike (engine:
``BasicCommandEncoder.createPiece``, ``counters.Decorator``).
"""

from __future__ import annotations

from dataclasses import dataclass

from .nesting import base_state, join_nested, split_nested, split_state, split_type
from .traits.bases import BasicPiece, Stack, decode_base, encode_base
from .traits.catalogue import (
    Deck,
    UnknownTrait,
    decode_trait,
    encode_trait_state,
    encode_trait_type,
)
from .traits.layout import Trait

__all__ = [
    "BasicPiece",
    "Deck",
    "GamePiece",
    "Stack",
    "base_state",
    "decode_base",
    "decode_piece",
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
    base: Trait
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
