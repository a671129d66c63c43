"""A piece's name and properties as the engine looks them up, computed on demand.

Lookup goes from the outermost trait inwards, then the BasicPiece, then zone, map, module
[Decorator.getProperty, BasicPiece.getPublicProperty]. Values of calculated properties that need an
expression evaluated are None and counted; nothing is guessed.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from types import MappingProxyType

from ...model.table import Concealment, Spot
from .hiding_traits import HidingTrait, displayed_name, hiding_trait
from .own_traits import (
    LAYER_ASPECTS,
    LAYERS,
    layer_value,
    own_and_kept,
    own_properties,
    trait_fields,
)
from .property_source import (
    AT_REST,
    CONCEALS,
    TURN_LEVELS,
    Globals,
    NotKnown,
    PropertySource,
    format_of,
    persistent,
)
from .sequence import split
from .table_forms import Form, FormTrait
from .table_values import Pile
from .trait_values import (
    Answer,
    field,
    label_trait,
    layer_trait,
    plain_values,
)

_DEPTH = 40
_MOST_NAMES, _LONGEST = 400, 20_000
"""The most names in one format and characters of one value; values beyond them are not known."""


class PieceView:
    """One piece at one moment: satisfies ``model.table.PieceFacts``."""

    __slots__ = (
        "_base", "_filled", "_globals", "_id", "_links", "_offered", "_open", "_pile", "_place",
        "_source", "_traits", "deck", "form",
    )  # fmt: skip

    def __init__(
        self,
        source: PropertySource,
        id_text: str,
        form: Form,
        traits: str,
        base: str,
        place: Spot,
        deck: str | None,
        globals_now: Globals,
        pile: Pile | None = None,
    ) -> None:
        self._source = source
        self._id = id_text
        self.form = form
        """Its type, taken apart."""
        self._traits = traits
        self._base = base
        self._place = place
        self._globals = globals_now
        self._links: list[tuple[FormTrait, str]] | None = None
        self._offered: dict[str, list[int]] | None = None
        self._open: tuple[tuple[str, int], ...] = ()
        self._filled: dict[str, str | None] | None = None
        self._pile = pile
        self.deck = deck
        """Name of the deck it lies in; None if it is in none."""

    def __repr__(self) -> str:
        return f"PieceView({self.basic_name!r})"

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, PieceView):
            return NotImplemented
        return (
            self._traits == other._traits
            and self.form.type == other.form.type
            and (self._place, self.deck) == (other._place, other.deck)
            and persistent(self._base) == persistent(other._base)
        )

    def __hash__(self) -> int:
        return hash((self._traits, self._place))

    # --- what it is

    @property
    def gpid(self) -> str:
        return persistent(self._base)[0]

    @property
    def basic_name(self) -> str:
        form = self.form
        return self.property("BasicName") or "" if form.renames else form.name

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
        return self.name_for(())

    def name_for(self, viewers: Iterable[str]) -> str:
        """The name; a level or label that is not known is left as stored."""
        return displayed_name(self, frozenset(viewers), _DEPTH, [])

    def knows_name(self, viewers: Iterable[str] = ()) -> bool:
        """Whether the name they see depends on known values only; expressions, for example, are not known."""
        doubts: list[str] = []
        displayed_name(self, frozenset(viewers), _DEPTH, doubts)
        return not doubts

    @property
    def image(self) -> str:
        """Image of the BasicPiece."""
        return self.form.image

    # --- who may know

    @property
    def concealments(self) -> tuple[Concealment, ...]:
        found: list[Concealment] = []
        for index in self.form.veils:
            hiding = self.hiding_trait(*self.chain()[index])
            if hiding is not None:
                found.append(Concealment(hiding.kind, hiding.owners))
        if self.deck is not None:
            found.append(Concealment("deck"))
        on = self._place.map
        private = None if on is None else self._source.places.owners(on)
        if private is not None:
            found.append(Concealment("private", private))
        return tuple(found)

    def hiding_trait(self, trait: FormTrait, state: str) -> HidingTrait | None:
        """The trait that hides or masks it; None: there is none."""
        return hiding_trait(trait, state, self._source.roster)

    # --- properties

    @property
    def properties(self) -> Mapping[str, str]:
        """All known properties of its traits, and those of the BasicPiece (its old place, if the file holds
        it) under names that no trait has."""
        kept = persistent(self._base)[1]
        if not kept:
            return self.trait_properties
        whole = own_and_kept(self.form, self._traits, kept)
        if whole is not None and not self._has_own_fields():
            return whole
        found = {key: value for key, value in kept if key not in self._offering()}
        found |= self.trait_properties
        return MappingProxyType(found)

    @property
    def trait_properties(self) -> Mapping[str, str]:
        """The same without those of the BasicPiece, which the engine itself loses in a replay."""
        own = own_properties(self.form, self._traits)
        if own is not None and not self._has_own_fields():
            return own
        found: dict[str, str] = {}
        for key in self._offering():
            value = self.property(key) if key else None
            if value is not None:
                found[key] = value
        return MappingProxyType(found)

    def unknown_properties(self) -> frozenset[str]:
        """Properties whose value exists but is not known."""
        return frozenset(key for key in self._offering() if key and not self.knows(key))

    def property(self, key: str) -> str | None:
        own = own_properties(self.form, self._traits)
        if own is not None and key in own:
            return own[key]
        try:
            return self.lookup(key, _DEPTH)
        except NotKnown as unknown:
            if str(unknown) != CONCEALS:  # the number is kept from everybody
                self._source.not_known[str(unknown)] += 1
            return None

    def knows(self, key: str) -> bool:
        """Whether the property's value, or its absence, is known."""
        try:
            self.lookup(key, _DEPTH)
        except NotKnown:
            return False
        return True

    def lookup(self, key: str, depth: int, inside: int = 0) -> str | None:
        """The value seen from trait ``inside`` inwards; None: there is none.

        Raises :class:`NotKnown`, also for a value that depends on itself.
        """
        asked, before = (key, inside), self._open
        if depth <= 0 or asked in before:
            raise NotKnown("endless")
        self._open = (*before, asked)
        try:
            for index in self._offering().get(key, ()):
                if index >= inside:
                    return self._trait_value(index, key, depth)
            return self._base_value(key, depth)
        finally:
            self._open = before

    def _has_own_fields(self) -> bool:
        """Whether fields of a trait of the module's own are properties of it."""
        fields = self._source.forms.own_fields
        return bool(fields) and any(trait.prefix in fields for trait in self.form.own)

    def _own_fields(self, trait: FormTrait) -> Mapping[str, str]:
        return trait_fields(
            trait.type, self._source.forms.own_fields.get(trait.prefix, frozenset())
        )

    def chain(self) -> list[tuple[FormTrait, str]]:
        """Traits with their states, outermost first."""
        if self._links is None:
            forms = self._source.forms
            parts = forms.parts(self.form, self._traits)
            self._links = [
                (trait, trait.fixed if trait.index is None else parts[trait.index])
                for trait in self.form.traits
            ]
        return self._links

    def _offering(self) -> dict[str, list[int]]:
        """Which traits answer to a name, outermost first."""
        if self._offered is None:
            self._offered = {}
            for index, link in enumerate(self.chain()):
                for key in self._offers(*link):
                    self._offered.setdefault(key, []).append(index)
        return self._offered

    def _offers(self, trait: FormTrait, state: str) -> Iterable[str]:
        """Names of the properties a trait answers to."""
        prefix = trait.prefix
        if prefix in LAYERS:
            name = layer_trait(trait.type).name
            return tuple(f"{name}_{what}" for what in LAYER_ASPECTS)
        if prefix == "label;":
            return (label_trait(trait.type).property,)
        if prefix == "calcProp;":
            return (field(split(trait.type, ";"), 1),)
        if prefix == "footprint;":
            return ("Moved",)
        if prefix == "mat;":
            return (*plain_values(prefix, trait.type, state), "MatID")
        if trait.is_own:
            return self._own_fields(trait)
        return plain_values(prefix, trait.type, state)

    def _trait_value(self, index: int, key: str, depth: int) -> str | None:
        trait, state = self.chain()[index]
        if trait.prefix in LAYERS:
            return self._layer_value(trait, state, key, depth)
        if trait.prefix == "label;":
            return self.evaluated(state.strip(), trait.prefix, depth)
        if trait.prefix == "calcProp;":
            return self.evaluated(field(split(trait.type, ";"), 2), trait.prefix, depth)
        if trait.prefix == "footprint;":  # a trail without a moved mark inside is never moved
            return self.lookup(key, depth - 1, index + 1) or "false"
        if trait.prefix == "mat;" and key == "MatID":  # [Mat.getProperty]
            return f"{field(split(trait.type, ';'), 1)}_{self._id}"
        if trait.is_own:
            text = self._own_fields(trait)[key]
            # fields that conceal the piece, or hold a player's id, are never shown
            if self.hiding_trait(trait, state) or self._source.roster.named_in(text) is not None:
                raise NotKnown(CONCEALS)
            return text
        value = plain_values(trait.prefix, trait.type, state)[key]
        if value is Answer.NOT_KNOWN:
            raise NotKnown(trait.prefix)
        return None if value is Answer.NONE else value

    def _layer_value(self, trait: FormTrait, state: str, key: str, depth: int) -> str | None:
        layer = layer_trait(trait.type)
        what = key[len(layer.name) + 1 :]
        level = layer.stored(state) if what == "Active" else self.level(trait, state, depth)
        return layer_value(layer, what, level)

    def level(self, trait: FormTrait, state: str, depth: int) -> int:
        """The true signed level of a layer."""
        layer = layer_trait(trait.type)
        stored = layer.stored(state)
        if not layer.follows:
            return stored
        follows = layer.follows.strip()
        if follows.startswith("{"):
            value = self.evaluated(follows, trait.prefix, depth)
        else:
            value = self.lookup(follows, depth - 1) or ""
        return layer.followed(stored, value)

    def evaluated(self, text: str, prefix: str, depth: int) -> str:
        """A text with its properties filled in; cached."""
        if self._filled is None:
            self._filled = {}
        value = self._filled.get(text, "")
        if text not in self._filled:
            bare = text.lstrip().startswith("{")  # there a name without value is empty, not itself
            form = format_of(text)
            value = None
            if len(form.names) <= _MOST_NAMES:
                value = form.render(
                    {}, localized=bare, lookup=lambda key: self.lookup(key, depth - 1)
                )
            if value is not None and len(value) > _LONGEST:
                value = None
            self._filled[text] = value
        if value is None:
            raise NotKnown(prefix)
        return value

    def _base_value(self, key: str, depth: int) -> str | None:
        """[BasicPiece.getPublicProperty]"""
        if key == "PieceName":
            doubts: list[str] = []
            name = displayed_name(self, frozenset(), depth - 1, doubts)
            if doubts:
                raise NotKnown(doubts[0])
            return name
        reader = _BASE_READERS.get(key)
        if reader is not None:
            return reader(self)
        if key in _IN_A_PILE:
            return self._in_pile(key)
        gpid, kept = persistent(self._base)
        if key == "PieceId":
            return gpid
        for name, value in kept:
            if name == key:
                return value
        if key == "UniqueID":  # its first id, if its engine stored none
            return self._id
        return self._global_value(key)

    def _in_pile(self, key: str) -> str:
        """Its place in its stack or deck, counted from the top, and the size of the stack or deck."""
        if key == "DeckPosition" and self.deck is None:
            return "0"
        pile = self._pile
        if pile is None:
            return "1"
        if not pile.hidden <= {self._id}:
            raise NotKnown("hidden")  # the number would reveal a hidden piece
        size, at = len(pile.members), pile.place(self._id)
        if key == "StackSize":
            return str(size)
        if key == "StackPos" and at < 0:
            return "1"
        return str(size - at)

    def _global_value(self, key: str) -> str | None:
        kept = self._source.kept
        if kept.is_counted(key):
            raise NotKnown("live")
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
        if key in kept and key not in AT_REST:
            raise NotKnown("live")
        return AT_REST.get(key)

    def on_boards(self, name: str) -> str:
        """The name of its place on its map's boards. Raises :class:`NotKnown` if their layout is not
        known."""
        if self._place.map is not None and not self._source.places.are_laid(self._place.map):
            raise NotKnown("board")
        return name

    def own_name(self) -> str:
        return self.form.name


_BASE_READERS: Mapping[str, Callable[[PieceView], str | None]] = {
    "BasicName": lambda view: view.own_name(),
    "LocationName": lambda view: view.on_boards(view.location),
    "CurrentMap": lambda view: view._place.map or "",
    "CurrentBoard": lambda view: view.on_boards(view.board),
    "CurrentZone": lambda view: view.on_boards(view.zone),
    "CurrentX": lambda view: str(view._place.x),
    "CurrentY": lambda view: str(view._place.y),
    "DeckName": lambda view: view.deck or "",
    "PieceUID": lambda view: view._id,
}
_IN_A_PILE = ("StackPos", "StackSize", "DeckPosition")
