"""The counters of a game by kind: names, looks, properties, how often they were moved. These are facts for
the author of a pack; they do not say which counters are units."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, field

from ...model.table import Piece, TableHistory
from ...model.viewer import Viewer
from ...model.visibility import look
from ..vassal.actors import actors_seen
from ..vassal.module import Module, Slot
from ..vassal.pieces import GamePiece, decode_piece
from ..vassal.prototypes import Expansion, base_of, prototypes_of
from ..vassal.traits.catalogue import Labeler

MOST_VALUES = 40
"""The most values of one property that are kept for one kind."""

_KEPT_BY_ENGINE = frozenset(
    [
        "BasicName",
        "CloneID",
        "DeckName",
        "LocationName",
        "Moved",
        "NoStack",
        "OldBoard",
        "OldLocationName",
        "OldMap",
        "OldX",
        "OldY",
        "OldZone",
        "PieceName",
        "PieceUID",
        "PlayerId",
        "PlayerName",
        "PlayerSide",
        "Selected",
        "UniqueID",
        "ClickedX",
        "ClickedY",
        "CurrentBoard",
        "CurrentMap",
        "CurrentX",
        "CurrentY",
        "CurrentZone",
        "StackSize",
        "Obscured",
        "ObscuredToMe",
        "ObscuredToOthers",
        "Invisible",
        "InvisibleToMe",
        "InvisibleToOthers",
        "IgnoreGrid",
        "GridVersion",
        "_Facing",
        "_Degrees",
    ]
)
"""Properties that come from the engine itself or from a counter's looks."""
_BY_HAND = ("drag", "send", "stack")
_ENDS = ("_Level", "_Name", "_Image", "_Active", "_Degrees", "_Facing")


@dataclass(frozen=True, slots=True)
class CounterKind:
    """Counters with the same name and look. ``pieces``: how many were seen; ``moves``: how often one was
    moved on the maps that are played on. ``properties``: values seen, each with its number of pieces;
    ``layers``: names of its layers. ``folder``: its place in the module's palette; ``prototypes``: those its
    slot uses; ``labels``: texts that its slot draws on it. ``movers``: by side, how many of its moves the
    side's players made, as far as the log names the player."""

    name: str
    image: str
    pieces: int
    moves: int
    on_board: bool
    properties: Mapping[str, Counter[str]]
    layers: tuple[str, ...] = ()
    folder: str = ""
    prototypes: tuple[str, ...] = ()
    labels: tuple[str, ...] = ()
    movers: Counter[str] = field(default_factory=Counter)


@dataclass(frozen=True, slots=True)
class Census:
    """The kinds of counters, those moved most first. ``unseen``: how many pieces were left out because some
    players may not know what they are. Pieces whose existence some may not know are not counted."""

    kinds: tuple[CounterKind, ...]
    unseen: int = 0

    def moved(self) -> tuple[CounterKind, ...]:
        """The kinds of which a counter was moved on the maps that are played on."""
        return tuple(kind for kind in self.kinds if kind.moves)


@dataclass(slots=True)
class _Draft:
    ids: set[str] = field(default_factory=set)
    gpids: set[str] = field(default_factory=set)
    movers: Counter[str] = field(default_factory=Counter)
    """Moves by side of the player; '': the log does not name him."""
    on_board: bool = False
    properties: dict[str, Counter[str]] = field(default_factory=dict)
    layers: set[str] = field(default_factory=set)


def take_census(
    module: Module, history: TableHistory, sheets: Collection[str], viewer: Viewer
) -> Census:
    """The kinds of counters in the logs that ``viewer`` may know. ``sheets``: the maps that are played on, by
    their names in commands."""
    drafts: dict[tuple[str, str], _Draft] = {}
    known: set[str] = set()
    seen: set[str] = set()
    for piece in _appearances(history):
        visibility = look(piece, viewer)
        if visibility.present:
            seen.add(piece.id)
        if not visibility.known:
            continue
        known.add(piece.id)
        draft = drafts.setdefault((piece.basic_name, piece.facts.image), _Draft())
        draft.on_board |= piece.spot.map in sheets
        if piece.id not in draft.ids:
            draft.ids.add(piece.id)
            draft.gpids.add(piece.gpid)
            _take_properties(draft, piece)
    for key, side in _moves(history, sheets, viewer):
        if key in drafts:
            drafts[key].movers[side] += 1
    palette = _ModuleSlots(module)
    kinds = (_kind(key, draft, palette) for key, draft in drafts.items())
    ordered = sorted(kinds, key=lambda k: (-k.moves, not k.on_board, k.name, k.image))
    return Census(tuple(ordered), len(seen - known))


def _appearances(history: TableHistory) -> Iterator[Piece]:
    """Every piece as each log opens and ends with it, and as it came into play."""
    for log in history.logs:
        yield from log.opening.pieces.values()
        for step in log.steps:
            for change in step.changes:
                if change.after is not None and (
                    change.before is None or change.before.concealments
                ):
                    yield change.after
        if log.steps:
            yield from log.end.pieces.values()


def _moves(
    history: TableHistory, sheets: Collection[str], viewer: Viewer
) -> Iterator[tuple[tuple[str, str], str]]:
    """For each move of a counter on ``sheets``: its name and picture, and the side of the player ('': the
    step does not name him)."""
    for log in history.logs:
        for step in actors_seen(log, viewer).steps:
            if step.undoing is not None or not step.displacements:
                continue
            changes = {change.id: change for change in step.changes}
            sure = step.actor is not None and step.actor.known_by == "move"
            side = step.actor.who.side if step.actor is not None and sure else ""
            for one in step.displacements:
                if one.origin is None or one.target is None or one.by not in _BY_HAND:
                    continue
                if not {one.origin.map, one.target.map} <= set(sheets):
                    continue
                change = changes.get(one.piece)
                if change is None or change.after is None:
                    continue
                if look(change.before, viewer).known and look(change.after, viewer).known:
                    yield (change.after.basic_name, change.after.facts.image), side


def _take_properties(draft: _Draft, piece: Piece) -> None:
    for key, value in piece.properties.items():
        if key.endswith("_Level"):
            draft.layers.add(key.removesuffix("_Level"))
        if key in _KEPT_BY_ENGINE or key.endswith(_ENDS) or not value:
            continue
        values = draft.properties.setdefault(key, Counter())
        if value in values or len(values) < MOST_VALUES:
            values[value] += 1


class _ModuleSlots:
    """The slots of a module, and which of them counters come from."""

    def __init__(self, module: Module) -> None:
        self.expansion = Expansion(module.prototypes)
        self._by_gpid = {slot.gpid: slot for slot in module.slots if slot.gpid}
        self._by_name: dict[str, list[tuple[str, Slot]]] = {}
        for slot in module.slots:
            base = base_of(slot)
            if base is not None:
                self._by_name.setdefault(base.name, []).append((base.image, slot))

    def slot(self, name: str, image: str, gpids: Collection[str]) -> Slot | None:
        """The slot of a kind: by its number; else by name and picture; else the only slot of its name (the
        picture may be that of a layer). None if there is none or several."""
        named = self._by_name.get(name, [])
        numbered = [self._by_gpid[gpid] for gpid in sorted(gpids) if gpid in self._by_gpid]
        same = [slot for slot in numbered if any(slot is other for _, other in named)]
        pictured = [slot for picture, slot in named if picture == image]
        if same or pictured:
            return (same or pictured)[0]
        return named[0][1] if len(named) == 1 else None


def _kind(key: tuple[str, str], draft: _Draft, palette: _ModuleSlots) -> CounterKind:
    slot = palette.slot(*key, draft.gpids)
    return CounterKind(
        name=key[0],
        image=key[1],
        pieces=len(draft.ids),
        moves=draft.movers.total(),
        on_board=draft.on_board,
        properties=draft.properties,
        layers=tuple(sorted(draft.layers - {""})),
        folder="" if slot is None else "/".join(name for _, name in slot.path[:-1] if name),
        prototypes=() if slot is None else prototypes_of(slot),
        labels=() if slot is None else labels_of(decode_piece(*palette.expansion.expand(slot))),
        movers=Counter({side: n for side, n in draft.movers.items() if side}),
    )


def labels_of(piece: GamePiece) -> tuple[str, ...]:
    """The texts that a counter draws on itself, without calculated ones."""
    labels = (trait.label for trait in piece.traits if isinstance(trait, Labeler))
    return tuple(dict.fromkeys(text.strip() for text in labels if text.strip() and "$" not in text))
