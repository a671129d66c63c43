"""One trait's own type and state to its value and back."""

from __future__ import annotations

from . import catalogue  # noqa: F401  its classes register themselves
from .layout import Layout, Trait, layout_of, read_type
from .play import UnknownTrait


def decode_trait(own_type: str, own_state: str | None) -> Trait:
    """Read one trait; any text gives a value. ``own_state=None``: the state stops before it, and
    the fields keep their defaults."""
    known = read_type(own_type)
    if known is None:
        return UnknownTrait(type=own_type, own_state=own_state or "")
    layout, found = known
    if own_state is None:
        return layout.kind(**found)
    more = layout.state_codec.read(own_state)
    if "odd" in more and "odd" in found:
        more["odd"] = found["odd"] + more["odd"]
    return layout.kind(**{**found, **more})


def encode_trait_type(trait: Trait) -> str:
    """Own type of a trait."""
    if isinstance(trait, UnknownTrait):
        return trait.type
    layout = _layout(trait)
    return layout.prefix + layout.type_codec.write(trait)


def encode_trait_state(trait: Trait) -> str:
    """Own state of a trait."""
    if isinstance(trait, UnknownTrait):
        return trait.own_state
    return _layout(trait).state_codec.write(trait)


def _layout(trait: Trait) -> Layout:
    layout = layout_of(trait)
    if layout is None:
        raise TypeError(f"not a trait: {type(trait).__name__}")
    return layout
