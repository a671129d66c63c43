"""A piece's name as its traits build it, for those who look [GamePiece.getName].

Layers, labels, masks and hiding change or replace the name of what is inside them.
"""

from __future__ import annotations

from typing import Protocol

from .hiding_traits import HidingTrait
from .property_source import NotKnown, format_of, joined_name
from .table_forms import FormTrait
from .trait_values import label_trait, layer_trait

_LAYERS = ("emb2;", "emb;")
_LONGEST = 20_000


class _View(Protocol):
    """What the name needs of a piece."""

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

    What it hangs on and is not known adds to ``doubts``; there it is left as it was stored.
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
