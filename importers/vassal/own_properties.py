"""Properties of a piece that hang on nothing but the types and states of its own traits.

Most pieces of most modules have no others, and lie in the same few states in table after table: what they
say is worked out once for all pieces of one type in one state.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from types import MappingProxyType

from .table_forms import Form, FormTrait, trait_parts
from .trait_values import Answer, LayerTrait, Values, bare_level_name, layer_trait, plain_values

LAYERS = ("emb2;", "emb;")
LAYER_ASPECTS = ("Level", "Name", "Image", "Active")
_LOOKING = frozenset({"label;", "calcProp;", "footprint;", "mat;"})
"""Traits whose answers may hang on other traits, on the piece, or on what is around it."""


@lru_cache(maxsize=20_000)
def own_properties(form: Form, traits: str) -> Mapping[str, str] | None:
    """What all traits of a piece of this form and state offer; None: it may hang on more than these, or not
    all of it is known."""
    if any(map(_looks_around, form.traits)):
        return None
    parts = trait_parts(traits, form.depth)
    found: dict[str, str | Answer] = {}
    for trait in form.traits:
        state = trait.fixed if trait.index is None else parts[trait.index]
        for key, value in _answers(trait, state).items():
            found.setdefault(key, value)  # the outermost that answers counts
    if Answer.NOT_KNOWN in found.values():
        return None
    return MappingProxyType({k: v for k, v in found.items() if k and isinstance(v, str)})


@lru_cache(maxsize=20_000)
def own_and_kept(
    form: Form, traits: str, kept: tuple[tuple[str, str], ...]
) -> Mapping[str, str] | None:
    """The same, with what the BasicPiece keeps under names that no trait offers."""
    own = own_properties(form, traits)
    return None if own is None else MappingProxyType({**dict(kept), **own})


def _looks_around(trait: FormTrait) -> bool:
    if trait.prefix in LAYERS:
        return bool(layer_trait(trait.type).follows)
    return trait.prefix in _LOOKING


def _answers(trait: FormTrait, state: str) -> Values:
    if trait.prefix not in LAYERS:
        return plain_values(trait.prefix, trait.type, state)
    layer = layer_trait(trait.type)
    level = layer.stored(state)
    return {f"{layer.name}_{what}": layer_value(layer, what, level) for what in LAYER_ASPECTS}


def layer_value(layer: LayerTrait, what: str, level: int) -> str:
    """What a layer answers at a true signed level; ``what``: one of :data:`LAYER_ASPECTS` but for ``Active``,
    which goes by the level that is stored."""
    if what == "Active":
        return "true" if level > 0 else "false"
    if what == "Level":
        return str(level)
    if level < 1:
        return ""
    return layer.images[level - 1] if what == "Image" else bare_level_name(layer.names[level - 1])
