"""A piece's name and properties as the engine looks them up, worked out when somebody asks.

Lookup goes from the outermost trait inwards, then the BasicPiece, then zone, map, module
[Decorator.getProperty, BasicPiece.getPublicProperty]. Values of calculated properties that need an
expression evaluated are None and counted; nothing is guessed.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from functools import lru_cache
from types import MappingProxyType
from typing import Protocol

from ...model.table import Concealment, Spot
from .formats import Format, parse_format
from .roster import Roster
from .sequence import split
from .table_forms import FormIndex, FormTrait
from .trait_values import (
    access_trait,
    bare_level_name,
    field,
    label_trait,
    layer_trait,
    mask_owner,
    plain_values,
)

Globals = Mapping[tuple[str, str], str]
"""Global properties by (container, name); container ``Module``, a map, ``map:zone``, or empty where an
old file does not say."""

TURN_LEVELS = "turn levels"
"""The container under which the levels of turn trackers stand among the globals."""

_LAYERS = ("emb2;", "emb;")
_DEPTH = 40


class Places(Protocol):
    """What the module's maps say about pixels; every answer is empty where nothing is known."""

    def location(self, map_name: str, x: int, y: int) -> str:
        """The name of the place."""

    def zone(self, map_name: str, x: int, y: int) -> str:
        """The zone it is in."""

    def board(self, map_name: str, x: int, y: int) -> str:
        """The board it is on."""

    def owners(self, map_name: str) -> frozenset[str] | None:
        """Sides that may look into a private map; None for maps open to all."""


class PropertySource:
    """What views of pieces share: forms, places, players; and the count of what was not known."""

    def __init__(self, forms: FormIndex, places: Places, roster: Roster) -> None:
        self.forms = forms
        self.places = places
        self.roster = roster
        self.not_known: Counter[str] = Counter()


class PieceView:
    """One piece at one moment: satisfies ``model.table.PieceFacts``."""

    __slots__ = ("_base", "_globals", "_id", "_place", "_source", "_traits", "_type", "deck")

    def __init__(
        self,
        source: PropertySource,
        id_text: str,
        type_text: str,
        traits: str,
        base: str,
        place: Spot,
        deck: str | None,
        globals_now: Globals,
    ) -> None:
        self._source = source
        self._id = id_text
        self._type = type_text
        self._traits = traits
        self._base = base
        self._place = place
        self._globals = globals_now
        self.deck = deck
        """Name of the deck it lies in; None if it is in none."""

    def __repr__(self) -> str:
        return f"PieceView({self.basic_name!r})"

    def same_state(self, other: PieceView) -> bool:
        """Equal type, trait states, gpid and persistent properties."""
        return (
            self._traits == other._traits
            and self._type == other._type
            and _persistent(self._base) == _persistent(other._base)
        )

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, PieceView):
            return NotImplemented
        return self._place == other._place and self.deck == other.deck and self.same_state(other)

    def __hash__(self) -> int:
        return hash((self._traits, self._place))

    # --- what it is

    @property
    def gpid(self) -> str:
        return field(split(self._base, ";"), 3)

    @property
    def basic_name(self) -> str:
        return self.property("BasicName") or ""

    @property
    def location(self) -> str:
        on, x, y = self._place.map, self._place.x, self._place.y
        return "" if on is None else self._source.places.location(on, x, y)

    @property
    def zone(self) -> str:
        on, x, y = self._place.map, self._place.x, self._place.y
        return "" if on is None else self._source.places.zone(on, x, y)

    @property
    def board(self) -> str:
        on, x, y = self._place.map, self._place.x, self._place.y
        return "" if on is None else self._source.places.board(on, x, y)

    @property
    def name(self) -> str:
        return self._name(0, frozenset(), _DEPTH)

    def name_for(self, viewers: Iterable[str]) -> str:
        return self._name(0, frozenset(viewers), _DEPTH)

    @property
    def image(self) -> str:
        """Image of the BasicPiece."""
        return field(split(self._source.forms.of(self._type).base, ";"), 3)

    # --- who may know

    @property
    def concealments(self) -> tuple[Concealment, ...]:
        found: list[Concealment] = []
        for trait, state in self._chain():
            owners = self._owners(trait, state)
            if owners is not None:
                found.append(Concealment("hidden" if trait.prefix == "hide;" else "masked", owners))
        if self.deck is not None:
            found.append(Concealment("deck"))
        on = self._place.map
        private = None if on is None else self._source.places.owners(on)
        if private is not None:
            found.append(Concealment("private", private))
        return tuple(found)

    def _owners(self, trait: FormTrait, state: str) -> frozenset[str] | None:
        """Who sees a hidden or masked piece as it is; None: everybody [PieceAccess]."""
        if trait.prefix == "hide;":
            owner = None if state == "null" else state
        elif trait.prefix == "obs;":
            owner = mask_owner(state)
        else:
            return None
        if owner is None:
            return None
        access = access_trait(trait.type)
        if access.kind == "side":
            return frozenset({owner}) if owner else frozenset()
        if access.kind == "sides":
            return frozenset(access.sides) if owner in access.sides else frozenset()
        return self._source.roster.owners(owner)

    # --- properties

    @property
    def properties(self) -> Mapping[str, str]:
        """All properties its traits offer and whose values are known."""
        found: dict[str, str] = {}
        for index, (trait, state) in enumerate(self._chain()):
            for key in self._offers(trait, state):
                if key and key not in found:
                    value = self._trait_value(index, key, _DEPTH)
                    if value is not None:
                        found[key] = value
        for key, value in _persistent(self._base)[1]:
            found.setdefault(key, value)
        return MappingProxyType(found)

    def property(self, key: str) -> str | None:
        return self._lookup(key, _DEPTH)

    def _lookup(self, key: str, depth: int) -> str | None:
        if depth <= 0:
            return None
        for index, (trait, state) in enumerate(self._chain()):
            if key in self._offers(trait, state):
                return self._trait_value(index, key, depth)
        return self._base_value(key, depth)

    def _chain(self) -> list[tuple[FormTrait, str]]:
        forms = self._source.forms
        parts = forms.parts(self._type, self._traits)
        return [
            (trait, trait.fixed if trait.index is None else parts[trait.index])
            for trait in forms.of(self._type).traits
        ]

    def _offers(self, trait: FormTrait, state: str) -> Iterable[str]:
        """Names of the properties a trait answers to."""
        prefix = trait.prefix
        if prefix in _LAYERS:
            name = layer_trait(trait.type).name
            return (f"{name}_Level", f"{name}_Name", f"{name}_Image", f"{name}_Active")
        if prefix == "label;":
            return (label_trait(trait.type).property,)
        if prefix == "calcProp;":
            return (field(split(trait.type, ";"), 1),)
        return plain_values(prefix, trait.type, state)

    def _trait_value(self, index: int, key: str, depth: int) -> str | None:
        trait, state = self._chain()[index]
        if trait.prefix in _LAYERS:
            return self._layer_value(trait, state, key, depth)
        if trait.prefix == "label;":
            return self._evaluated(state.strip(), trait.prefix, depth)
        if trait.prefix == "calcProp;":
            return self._evaluated(field(split(trait.type, ";"), 2), trait.prefix, depth)
        return plain_values(trait.prefix, trait.type, state)[key]

    def _layer_value(self, trait: FormTrait, state: str, key: str, depth: int) -> str | None:
        layer = layer_trait(trait.type)
        what = key[len(layer.name) + 1 :]
        level = self._level(trait, state, depth)
        if what == "Active":
            return "true" if layer.stored(state) > 0 else "false"
        if level is None:
            return None
        if what == "Level":
            return str(level)
        if level < 1:
            return ""
        return layer.images[level - 1] if what == "Image" else bare_level_name(layer.names[level - 1])

    def _level(self, trait: FormTrait, state: str, depth: int) -> int | None:
        """The true signed level; None where it follows something that is not known."""
        layer = layer_trait(trait.type)
        stored = layer.stored(state)
        if not layer.follows:
            return stored
        follows = layer.follows.strip()
        if follows.startswith("{"):
            value = self._evaluated(follows, trait.prefix, depth)
            return None if value is None else layer.followed(stored, value)
        return layer.followed(stored, self._lookup(follows, depth - 1) or "")

    def _evaluated(self, text: str, prefix: str, depth: int) -> str | None:
        parsed = _format(text)
        if not parsed.known:
            self._source.not_known[prefix] += 1
            return None
        return parsed.render({}, lookup=lambda key: self._lookup(key, depth - 1))

    def _base_value(self, key: str, depth: int) -> str | None:
        reader = _BASE_READERS.get(key)
        if reader is not None:
            return reader(self)
        gpid, persistent = _persistent(self._base)
        if key == "PieceId":
            return gpid
        for name, value in persistent:
            if name == key:
                return value
        return self._global_value(key)

    def _global_value(self, key: str) -> str | None:
        on = self._place.map
        containers = ["Module", TURN_LEVELS, ""]
        if on is not None:
            containers.insert(0, on)
            zone = self.zone
            if zone:
                containers.insert(0, f"{on}:{zone}")
        for container in containers:
            value = self._globals.get((container, key))
            if value is not None:
                return value
        return None

    def _own_name(self) -> str:
        return field(split(self._source.forms.of(self._type).base, ";"), 4)

    # --- the displayed name

    def _name(self, index: int, viewers: frozenset[str], depth: int) -> str:
        """Name as built by the traits from ``index`` inwards [GamePiece.getName]."""
        chain = self._chain()
        for at in range(index, len(chain)):
            trait, state = chain[at]
            if trait.prefix in _LAYERS:
                name = self._shown_level_name(trait, state, depth)
                if name:
                    return _joined(name, lambda at=at: self._name(at + 1, viewers, depth))  # type: ignore[misc]
            elif trait.prefix == "label;":
                return self._labelled(at, viewers, depth)
            elif trait.prefix in ("hide;", "obs;"):
                owners = self._owners(trait, state)
                if owners is not None:
                    return self._veiled(at, owners, viewers, depth)
        return self._lookup("BasicName", depth - 1) or ""

    def _shown_level_name(self, trait: FormTrait, state: str, depth: int) -> str:
        layer = layer_trait(trait.type)
        level = self._level(trait, state, depth)
        if level is None:
            level = layer.stored(state)
        return layer.names[level - 1] if 0 < level <= len(layer.names) else ""

    def _labelled(self, at: int, viewers: frozenset[str], depth: int) -> str:
        trait, state = self._chain()[at]
        label = label_trait(trait.type)
        inner = self._name(at + 1, viewers, depth) if depth > 1 else ""
        if not state.strip() and not label.always:
            return inner
        values = {
            "pieceName": inner,
            "label": self._evaluated(state.strip(), trait.prefix, depth - 1),
        }
        text = _format(label.name_format).render(
            values, lookup=lambda key: self._lookup(key, depth - 2)
        )
        return inner if text is None else text

    def _veiled(
        self, at: int, owners: frozenset[str], viewers: frozenset[str], depth: int
    ) -> str:
        trait, _ = self._chain()[at]
        access = access_trait(trait.type)
        hidden = trait.prefix == "hide;"
        if owners.isdisjoint(viewers):
            return "" if hidden else access.mask_name
        note = access.command if hidden else access.mask_name
        return f"{self._name(at + 1, viewers, depth)}({note})"


def piece_property(view: PieceView, key: str) -> str | None:
    """A property of a piece as the engine looks it up; see :meth:`PieceView.property`."""
    return view.property(key)


_BASE_READERS: Mapping[str, Callable[[PieceView], str | None]] = {
    "BasicName": lambda view: view._own_name(),
    "PieceName": lambda view: view.name,
    "LocationName": lambda view: view.location,
    "CurrentMap": lambda view: view._place.map or "",
    "CurrentBoard": lambda view: view.board,
    "CurrentZone": lambda view: view.zone,
    "CurrentX": lambda view: str(view._place.x),
    "CurrentY": lambda view: str(view._place.y),
    "DeckName": lambda view: view.deck or "",
    "PieceUID": lambda view: view._id,
}


def _joined(name: str, inner: Callable[[], str]) -> str:
    """A level's name with ``+`` before or after it extends the inner name, else it replaces it."""
    first, *rest = split(name, "+")
    if not rest:
        return first
    return inner() + rest[0] if not first else first + inner()


@lru_cache(maxsize=20_000)
def _format(text: str) -> Format:
    return parse_format(text)


@lru_cache(maxsize=50_000)
def _persistent(base: str) -> tuple[str, tuple[tuple[str, str], ...]]:
    """gpid and persistent properties of a BasicPiece state."""
    tokens = split(base, ";")
    rest = tokens[5:]
    pairs = zip(rest[::2], rest[1::2], strict=False)
    return field(tokens, 3), tuple(sorted(pairs))
