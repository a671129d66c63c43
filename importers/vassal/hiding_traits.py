"""Traits that hide or mask a piece, and who sees through them, by the trait's state.

The code of a module's own traits (VASL's ``conceal;`` extends the engine's mask) is not available. A state
that names a player, or is spelt like the engine's mask, is assumed to conceal. If it is spelt like a mask,
others know that something is there; otherwise it may hide the piece, and nothing may be shown.
Engine classes: Hideable, Obscurable, ObscurableOptions, PieceAccess; GamePiece.getName.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Literal, Protocol

from .module import Module
from .property_source import NotKnown, format_of, joined_name
from .roster import Roster
from .sequence import split
from .table_forms import FormTrait
from .trait_values import access_trait, label_trait, layer_trait, mask_owner

_OWN_NAME = "?"
"""The name under a mask of a module's own, as in VASL [Concealable.getName]."""
_OPEN = frozenset({"", "null", "null;", "false", "true"})
_PLAIN = re.compile(r"(?:|null|true|false|[-+]?[0-9.]+)")
"""States that name nobody."""
_CAN_HIDE = re.compile(r"(?<![A-Za-z])(?:hide|obs);")
"""An Invisible or Mask trait in the text of a type or definition, however deep in it."""
_OPTIONS = re.compile(r"(?:|true|false)\|[0-9]+(?:\|.*)?", re.DOTALL)
"""The part of a state that says who may remove others' masks [ObscurableOptions.encodeOptions]."""


@dataclass(frozen=True, slots=True)
class HidingTrait:
    """A trait that hides or masks a piece now. ``owners``: sides and player labels that see through it.

    ``name``: the name that others see; empty if hidden. ``note``: the end of the name that owners see.
    """

    kind: Literal["hidden", "masked"]
    owners: frozenset[str]
    name: str
    note: str


def can_hide(module: Module) -> bool:
    """Whether games of a module can conceal anything: by traits of slots and prototypes, in decks, on maps of
    certain sides. A trait of the module's own counts as one that hides."""
    if module.own_fields or module.draw_piles:
        return True
    placed = (slot for _, stack in module.setup_stacks for slot in stack.slots)
    texts = (
        *(slot.type for slot in (*module.slots, *placed)),
        *(prototype.definition for prototype in module.prototypes.values()),
    )
    return any(map(_CAN_HIDE.search, texts)) or not all(m.visible_to_all for m in module.maps)


def hiding_trait(trait: FormTrait, state: str, roster: Roster) -> HidingTrait | None:
    """How a trait in this state conceals its piece; None: it does not."""
    if trait.prefix == "hide;":
        return None if state == "null" else _known(trait, "hidden", state, roster)
    if trait.prefix == "obs;":
        owner = mask_owner(state)
        return None if owner is None else _known(trait, "masked", owner, roster)
    return own_hiding_trait(state, roster) if trait.is_own else None


def _known(
    trait: FormTrait, kind: Literal["hidden", "masked"], owner: str, roster: Roster
) -> HidingTrait:
    access = access_trait(trait.type)
    if access.kind == "side":
        owners = frozenset({owner} if owner else ())
    elif access.kind == "sides":
        owners = frozenset(access.sides if owner in access.sides else ())
    else:
        owners = roster.owners(owner)
    if kind == "hidden":
        return HidingTrait(kind, owners, "", access.command)
    return HidingTrait(kind, owners, access.mask_name, access.mask_name)


def own_hiding_trait(state: str, roster: Roster) -> HidingTrait | None:
    """How a trait of a module's own may conceal its piece in this state; None: it does not.

    A lone name of no known player or side counts only if no player is known at all.
    """
    if state in _OPEN:
        return None
    owner, *rest = split(state, ";")
    named = roster.is_player(owner) or roster.is_side(owner)
    looks_named = named or not _PLAIN.fullmatch(owner)
    options = rest[0] if len(rest) == 1 and owner != "null" else None
    if options is not None and (_OPTIONS.fullmatch(options) or (options == "" and looks_named)):
        return HidingTrait("masked", _owners(owner, roster), _OWN_NAME, _OWN_NAME)
    if rest or not (named or (looks_named and roster.is_empty)):
        found = roster.named_in(state)
        if found is None:
            return None
        owner = found
    return HidingTrait("hidden", _owners(owner, roster), "", _OWN_NAME)


def _owners(owner: str, roster: Roster) -> frozenset[str]:
    by_side = roster.is_side(owner) and not roster.is_player(owner)
    return frozenset({owner}) if by_side else roster.owners(owner)


_LAYERS = ("emb2;", "emb;")
_LONGEST = 20_000


class _View(Protocol):
    """The parts of a piece that its name depends on."""

    def chain(self) -> list[tuple[FormTrait, str]]: ...
    def hiding_trait(self, trait: FormTrait, state: str) -> HidingTrait | None: ...
    def lookup(self, key: str, depth: int, inside: int = 0) -> str | None: ...
    def level(self, trait: FormTrait, state: str, depth: int) -> int: ...
    def evaluated(self, text: str, prefix: str, depth: int) -> str: ...
    def own_name(self) -> str: ...


def displayed_name(
    view: _View, viewers: frozenset[str], depth: int, doubts: list[str], index: int = 0
) -> str:
    """The name built by the traits from ``index`` inwards, as these sides and players see it.

    Unknown inputs are added to ``doubts``; for them the stored text is used.
    """
    if depth <= 0:
        doubts.append("endless")
        return ""
    chain = view.chain()
    for at in range(index, len(chain)):
        trait, state = chain[at]
        if trait.prefix in _LAYERS:
            name = _level_name(view, trait, state, depth, doubts)
            if name:
                plus = "+" in name
                inner = displayed_name(view, viewers, depth - 1, doubts, at + 1) if plus else ""
                return joined_name(name, inner)
        elif trait.prefix == "label;":
            return _labelled(view, at, viewers, depth, doubts)
        else:
            hiding_trait = view.hiding_trait(trait, state)
            if hiding_trait is not None:
                if hiding_trait.owners.isdisjoint(viewers):
                    return hiding_trait.name
                inner = displayed_name(view, viewers, depth - 1, doubts, at + 1)
                return f"{inner}({hiding_trait.note})"
    try:
        return view.lookup("BasicName", depth - 1) or ""
    except NotKnown as unknown:
        doubts.append(str(unknown))
        return view.own_name()


def _level_name(view: _View, trait: FormTrait, state: str, depth: int, doubts: list[str]) -> str:
    layer = layer_trait(trait.type)
    try:
        level = view.level(trait, state, depth)
    except NotKnown as unknown:
        doubts.append(str(unknown))
        level = layer.stored(state)
    return layer.names[level - 1] if 0 < level <= len(layer.names) else ""


def _labelled(view: _View, at: int, viewers: frozenset[str], depth: int, doubts: list[str]) -> str:
    trait, state = view.chain()[at]
    label = label_trait(trait.type)
    inner = displayed_name(view, viewers, depth - 1, doubts, at + 1)
    if not state.strip() and not label.always:
        return inner
    try:
        shown = view.evaluated(state.strip(), trait.prefix, depth - 1)
        text = format_of(label.name_format).render(
            {"pieceName": inner, "label": shown}, lookup=lambda key: view.lookup(key, depth - 2)
        )
    except NotKnown as unknown:
        doubts.append(str(unknown))
        return inner
    if text is None or len(text) > _LONGEST:
        doubts.append(trait.prefix)
        return inner
    return text
