"""The counters of a game by kind, each with its pieces: from the logs, or without logs from the module. Also
their movement classes that the charts lack."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Any

from ...importers.pack.attributes import Reader
from ...importers.pack.census import CounterKind, labels_of, take_census
from ...importers.pack.edit.change import toml_edit
from ...importers.pack.pack import Pack
from ...importers.vassal.module import Module, Slot
from ...importers.vassal.pieces import BasicPiece, decode_piece
from ...importers.vassal.prototypes import Expansion, prototypes_of
from ...importers.vassal.traits.catalogue import Marker
from ...model.names import PLACEHOLDER
from ...model.table import Piece, Spot, StatedFacts, TableHistory
from ...model.viewer import Viewer
from ...model.visibility import look

NOWHERE = Spot(None, 0, 0)
MOST_SLOTS = 20_000
"""Maximum number of a module's counters listed if there is no log."""


@dataclass(frozen=True, slots=True)
class Kind:
    """Counters with the same look and name. ``pieces``: each as it was last seen."""

    census: CounterKind
    pieces: tuple[Piece, ...]


def kinds_of(
    module: Module, history: TableHistory | None, sheets: Collection[str], viewer: Viewer
) -> tuple[Kind, ...]:
    """The kinds of counters in the logs, as far as ``viewer`` may know of them; without logs, those of the
    module. Those moved most come first."""
    if history is None or not history.logs:
        return _of_module(module)
    last: dict[str, Piece] = {}
    for piece in history.appearances():
        if look(piece, viewer).known:
            last[piece.id] = piece
    by_kind: dict[tuple[str, str], list[Piece]] = {}
    for piece in last.values():
        by_kind.setdefault((piece.basic_name, piece.facts.image), []).append(piece)
    census = take_census(module, history, sheets, viewer)
    return tuple(
        Kind(kind, tuple(by_kind[kind.name, kind.image]))
        for kind in census.kinds
        if (kind.name, kind.image) in by_kind
    )


def _of_module(module: Module) -> tuple[Kind, ...]:
    """The kinds of counters in the palette, in its order."""
    expansion = Expansion(module.prototypes)
    found: dict[tuple[str, str], list[tuple[Slot, Piece]]] = {}
    for slot in module.slots[:MOST_SLOTS]:
        piece = _piece(slot, expansion)
        if piece is not None:
            found.setdefault((piece.basic_name, piece.facts.image), []).append((slot, piece))
    return tuple(_kind(key, slots, expansion) for key, slots in found.items())


def _piece(slot: Slot, expansion: Expansion) -> Piece | None:
    """A counter as its slot defines it; None if it is not a piece."""
    if not slot.type:
        return None
    decoded = decode_piece(*expansion.expand(slot))
    if not isinstance(decoded.base, BasicPiece):
        return None
    properties: dict[str, str] = {}
    for trait in reversed(decoded.traits):
        if isinstance(trait, Marker):
            values = (*trait.values, *[""] * len(trait.names))
            pairs = list(zip(trait.names, values, strict=False))
            properties.update(reversed(pairs))  # of two of a name the first counts
    facts = StatedFacts(
        decoded.base.name, decoded.base.name, slot.gpid, decoded.base.image, "", properties
    )
    return Piece(f"slot {slot.gpid}", NOWHERE, "", facts)


def _kind(key: tuple[str, str], slots: list[tuple[Slot, Piece]], expansion: Expansion) -> Kind:
    slot = slots[0][0]
    told = CounterKind(
        name=key[0],
        image=key[1],
        pieces=len(slots),
        moves=0,
        on_board=False,
        properties={},
        folder="/".join(name for _, name in slot.path[:-1] if name),
        prototypes=prototypes_of(slot),
        labels=labels_of(decode_piece(*expansion.expand(slot))),
    )
    return Kind(told, tuple(piece for _, piece in slots))


RULES, CLASSES, NAMES = "rules", "classes", "names"
MOST_READ = 20
"""Maximum number of pieces of a kind that are examined for their class."""


def to_adopt(pack: Pack, kinds: Sequence[Kind]) -> dict[str, Any] | None:
    """The ``names`` of classes that units have and the charts lack, and the ``edits`` that add them; None if
    there are none, or the ruleset has no chart of classes."""
    rules = pack.values.get(RULES, {})
    chart = rules.get(CLASSES) if isinstance(rules, dict) else None
    if not isinstance(chart, dict) or not isinstance(chart.get(NAMES), list):
        return None
    held = [str(name) for name in chart[NAMES] if name != PLACEHOLDER]
    new = [
        name
        for name in classes_of(pack, str(chart.get("attribute", "class")), kinds)
        if name not in held
    ]
    if not new:
        return None
    edit = toml_edit((RULES, CLASSES, NAMES), chart[NAMES], [*held, *new])
    return {"names": new, "edits": [edit]}


def classes_of(pack: Pack, attribute: str, kinds: Sequence[Kind]) -> tuple[str, ...]:
    """The classes that units certainly have, in order."""
    looks = pack.units.attributes.get(attribute, ())
    if not looks:
        return ()
    reader = Reader(pack)
    found: set[str] = set()
    for kind in kinds:
        for piece in kind.pieces[:MOST_READ]:
            if reader.kind(piece) == "unit":
                found.update(
                    o for o in reader.fact(looks, piece).options or () if isinstance(o, str)
                )
    return tuple(sorted(found))
