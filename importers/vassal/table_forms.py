"""Parsed type texts, shared by all pieces of the same type.

A piece's type is a chain of traits, outermost first, ending in the base; its state has one part
per trait and one for the base, nested the same way (tab, one backslash more per level).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache

from .nesting import split_state, split_type
from .sequence import join, split
from .traits.catalogue import LAYOUTS

_MAX_PROTOTYPE_DEPTH = 20
_VEILS = ("hide;", "obs;")


@dataclass(frozen=True, slots=True)
class FormTrait:
    """One trait of a chain. ``index`` counts the state parts; None: ``fixed`` is the state, because
    the trait comes from a prototype that was not expanded when the piece was placed."""

    prefix: str
    type: str
    index: int | None
    fixed: str = ""

    @property
    def is_own(self) -> bool:
        """Whether its class is unknown: a module's own, or a later engine's."""
        return self.prefix not in LAYOUTS


@dataclass(frozen=True, slots=True, eq=False)
class Form:
    """A type, taken apart. Equal only to itself.

    ``type``: its text; ``traits``: outermost first, prototypes opened; ``name``, ``image``: the BasicPiece's;
    ``renames``: a trait may give another BasicName; ``veils``: which traits may hide or mask it; ``depth``:
    number of state parts before the base's; ``hide``: index of the state part of the outermost Invisible
    trait; ``own``: traits of no class known here; ``dynamic``, ``sends``: indices of the parts of
    DynamicProperty and SendToLocation traits; ``destinations``: map and pixels the latter name outright.
    """

    type: str
    traits: tuple[FormTrait, ...]
    name: str
    image: str
    renames: bool
    veils: tuple[int, ...]
    depth: int
    no_stack: bool
    hide: int | None
    own: tuple[FormTrait, ...]
    dynamic: tuple[int, ...]
    sends: tuple[int, ...]
    destinations: frozenset[tuple[str, str, str]]


def join_nested(parts: list[str]) -> str:
    """The traits' part of a state from its parts: :func:`cut_state` of a whole state gives it."""
    text = ""
    for part in reversed(parts):
        text = join([part, text], "\t")
    return text


def cut_state(state: str, depth: int) -> tuple[str, str | None]:
    """A state as (traits' part, base part); the base part is None where the state ends early.

    The traits' part keeps its own nesting; two states of one type are equal in all traits if and
    only if their traits' parts are equal.
    """
    if depth == 0:
        return "", state
    cut = state.rfind("\t")
    slashes = cut
    while slashes > 0 and state[slashes - 1] == "\\":
        slashes -= 1
    quoted = state[:1] == "'" or "\t'" in state
    if cut >= 0 and cut - slashes == depth - 1 and not quoted:
        return state[: cut + 1], state[cut + 1 :]
    parts = list(split_state(state, depth))
    base = parts.pop() if len(parts) > depth else None
    return join_nested(parts), base


def trait_parts(traits: str, depth: int) -> list[str]:
    """The parts of a traits' part, padded with empty ones where the state ended early."""
    parts = list(split_state(traits, depth)[:depth])
    return parts + [""] * (depth - len(parts))


class FormIndex:
    """Forms by type text, and parsed traits' parts, both cached. ``own_fields``: the fields of a module's
    own traits that are properties (:mod:`own_traits`)."""

    def __init__(
        self,
        prototypes: Mapping[str, str] | None = None,
        own_fields: Mapping[str, frozenset[tuple[int, str]]] | None = None,
    ) -> None:
        self._prototypes = prototypes or {}
        self.own_fields = own_fields or {}
        self._forms: dict[str, Form] = {}
        self._parts: dict[tuple[str, int], list[str]] = {}

    def of(self, type_text: str) -> Form:
        """The form of a type text; any text has one."""
        form = self._forms.get(type_text)
        if form is None:
            plain = "prototype;" not in type_text
            form = _plain_form(type_text) if plain else self._make(type_text)
            self._forms[type_text] = form
        return form

    def parts(self, form: Form, traits: str) -> list[str]:
        """The state parts of a piece, one per trait of its type. Not to be changed."""
        key = (traits, form.depth)
        parts = self._parts.get(key)
        if parts is None:
            parts = self._parts[key] = trait_parts(*key)
        return parts

    def _make(self, type_text: str) -> Form:
        *own, base = split_type(type_text)
        traits: list[FormTrait] = []
        for index, text in enumerate(own):
            traits += self._open(FormTrait(_prefix(text), text, index), 0)
        return _form(type_text, traits, base, len(own))

    def _open(self, trait: FormTrait, level: int) -> list[FormTrait]:
        """A prototype stands for its definition's traits, with the definition's states."""
        if trait.prefix != "prototype;":
            return [trait]
        name, *rest = split(trait.type, ";")[1:] or [""]
        definition = self._prototypes.get(name)
        if definition is None or level >= _MAX_PROTOTYPE_DEPTH:
            return []
        for parameter in split(rest[0], ",") if rest and rest[0] else []:
            key, _, value = parameter.partition("=")
            definition = definition.replace(f"${key}$", value)
        fields = split(definition, "/")
        *own, _ = split_type(fields[2] if len(fields) > 2 else "")
        states = trait_parts(fields[3] if len(fields) > 3 else "", len(own))
        opened: list[FormTrait] = []
        for text, state in zip(own, states, strict=True):
            opened += self._open(FormTrait(_prefix(text), text, None, state), level + 1)
        return opened


@lru_cache(maxsize=16_384)
def _plain_form(type_text: str) -> Form:
    """The form of a type without prototypes: the same in every game."""
    *own, base = split_type(type_text)
    traits = [FormTrait(_prefix(text), text, index) for index, text in enumerate(own)]
    return _form(type_text, traits, base, len(own))


def _form(type_text: str, traits: list[FormTrait], base: str, depth: int) -> Form:
    fields = split(base, ";")
    return Form(
        type=type_text,
        traits=tuple(traits),
        name=fields[4] if len(fields) > 4 else "",
        image=fields[3] if len(fields) > 3 else "",
        renames=any("BasicName" in t.type or t.prefix == "basicName;" for t in traits),
        veils=tuple(i for i, t in enumerate(traits) if t.prefix in _VEILS or t.is_own),
        depth=depth,
        no_stack=_no_stack(traits),
        hide=next((t.index for t in traits if t.prefix == "hide;"), None),
        own=tuple(t for t in traits if t.is_own),
        dynamic=_indices(traits, "PROP;"),
        sends=_indices(traits, "sendto;"),
        destinations=frozenset(_destinations(traits)),
    )


def _prefix(trait: str) -> str:
    head, semicolon, _ = trait.partition(";")
    return head + semicolon


def _indices(traits: list[FormTrait], prefix: str) -> tuple[int, ...]:
    return tuple(t.index for t in traits if t.prefix == prefix and t.index is not None)


def _destinations(traits: list[FormTrait]) -> Iterator[tuple[str, str, str]]:
    """Map, x, y of the SendToLocation traits that name a place by pixels."""
    for trait in traits:
        if trait.prefix == "sendto;":
            fields = split(trait.type, ";")
            if len(fields) > 6 and (fields[14:15] or ["L"])[0][:1] in ("L", ""):
                yield fields[3], fields[5], fields[6]


def _no_stack(traits: list[FormTrait]) -> bool:
    """The outermost trait that answers decides [Immobilized, Mat]."""
    for trait in traits:
        if trait.prefix == "mat;":
            return True
        if trait.prefix == "immob;":
            fields = split(trait.type, ";")
            return (fields[3] if len(fields) > 3 else "R")[:1] != "L"
    return False
