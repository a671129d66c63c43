"""The fields of a module's own traits, as properties of the piece.

It is not known what such a trait does, but modules keep facts in its fields (``ca;0;4-4-5;12 Pz``). Field 2
has the name ``ca;2``; the third of the numbers in ``4-4-5`` has the name ``ca;2.3``. Only values that the
module itself has in a field are read: a game may write a player's id, which is a password, into any field.

Also the properties that depend only on the types and states of a piece's own traits.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from functools import lru_cache
from types import MappingProxyType

from ...model.problem import Problem
from ...model.table import Piece
from ...model.viewer import EVERYONE
from ...model.visibility import identity_open
from .nesting import split_type
from .sequence import split
from .table_forms import Form, FormTrait, trait_parts
from .trait_values import Answer, LayerTrait, Values, bare_level_name, layer_trait, plain_values
from .traits.catalogue import LAYOUTS

Filled = Mapping[str, frozenset[tuple[int, str]]]
"""By prefix of a trait (``ca;``), all field values of a module: field numbers, from 1, and values."""
_MOST_FIELDS = 40
_EMPTY = ("", "null", "false")
_JOINED = re.compile(r"\(?[0-9]+\)?(?:[-/]\(?[0-9]+\)?)+")
_NUMBER = re.compile(r"[0-9]+")


def filled_fields(types: Iterable[str]) -> dict[str, frozenset[tuple[int, str]]]:
    """The field values of a module's own traits in ``types``, those of its slots and prototypes."""
    found: dict[str, set[tuple[int, str]]] = {}
    for text in set(types):
        for trait in split_type(text)[:-1]:
            prefix = trait[: trait.find(";") + 1]
            if prefix in LAYOUTS or not prefix:
                continue
            fields = split(trait, ";")[1 : _MOST_FIELDS + 1]
            found.setdefault(prefix, set()).update(
                (number, value) for number, value in enumerate(fields, 1) if value not in _EMPTY
            )
    return {prefix: frozenset(fields) for prefix, fields in found.items()}


@lru_cache(maxsize=20_000)
def trait_fields(trait: str, filled: frozenset[tuple[int, str]]) -> Mapping[str, str]:
    """By property name, the values of a trait's fields that the module also has there, and their parts."""
    prefix, *fields = split(trait, ";")
    found: dict[str, str] = {}
    for number, value in enumerate(fields[:_MOST_FIELDS], 1):
        if (number, value) in filled:
            found[f"{prefix};{number}"] = value
            parts = _NUMBER.findall(value) if _JOINED.fullmatch(value) else ()
            found |= {f"{prefix};{number}.{at}": part for at, part in enumerate(parts, 1)}
    return found


def own_traits_problem(
    pieces: Iterable[tuple[Piece, frozenset[str]]], known: Filled, where: str
) -> list[Problem]:
    """One warning about the pieces of a save with traits (each piece comes with prefixes) that are neither
    VASSAL's nor in the module. Pieces that some players may not know are not counted."""
    met: set[str] = set()
    count = 0
    for piece, prefixes in pieces:
        unknown = prefixes - known.keys()
        if unknown and identity_open(piece, EVERYONE):
            met |= unknown
            count += 1
    if not count:
        return []
    names = ", ".join(repr(name[:40]) for name in sorted(met)[:5]) + (" …" if len(met) > 5 else "")
    message = (
        f"pieces have traits that are none of VASSAL's and not in the module at hand ({names}); their text is"
        " kept, what they do is not known"
    )
    return [Problem("unknown-trait", message, where, count=count)]


LAYERS = ("emb2;", "emb;")
LAYER_ASPECTS = ("Level", "Name", "Image", "Active")
_LOOKING = frozenset({"label;", "calcProp;", "footprint;", "mat;"})
"""Traits whose values may depend on other traits, on the piece, or on its surroundings."""


@lru_cache(maxsize=20_000)
def own_properties(form: Form, traits: str) -> Mapping[str, str] | None:
    """The properties of all traits of a piece of this form and state. None: they may depend on more than
    these, or some are not known. Cached, as most pieces share type and state with others."""
    if any(map(_looks_around, form.traits)):
        return None
    parts = trait_parts(traits, form.depth)
    found: dict[str, str | Answer] = {}
    for trait in form.traits:
        state = trait.fixed if trait.index is None else parts[trait.index]
        for key, value in _answers(trait, state).items():
            found.setdefault(key, value)  # the outermost trait with the property counts
    if Answer.NOT_KNOWN in found.values():
        return None
    return MappingProxyType({k: v for k, v in found.items() if k and isinstance(v, str)})


@lru_cache(maxsize=20_000)
def own_and_kept(
    form: Form, traits: str, kept: tuple[tuple[str, str], ...]
) -> Mapping[str, str] | None:
    """The same, with the BasicPiece's values under names that no trait has."""
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
    """A layer's value at a true signed level. ``what``: one of :data:`LAYER_ASPECTS`; for ``Active`` give the
    stored level."""
    if what == "Active":
        return "true" if level > 0 else "false"
    if what == "Level":
        return str(level)
    if level < 1:
        return ""
    return layer.images[level - 1] if what == "Image" else bare_level_name(layer.names[level - 1])
