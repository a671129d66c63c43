"""What a pack knows of a game and what it lacks, in numbers: units, cells, phases, entries that match
nothing, and questions that would decide most moves; and its power: how many moves that go too far an audit
with it finds."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any

from ..importers.pack.attributes import Reader
from ..importers.pack.pack import Lookup, Pack, Selector
from ..importers.pack.phases import PhaseTeller
from ..model.board import Board, edge
from ..model.fact import UNKNOWN, Fact
from ..model.finding import Audit, JudgedMove
from ..model.game import Game, PhaseStart, StateChange, StepRef
from ..model.provenance import Key, Layer, current
from ..model.suspect import Changed, Suspect
from ..model.table import Piece, TableHistory
from ..model.viewer import Viewer
from ..model.visibility import look
from ..model.vouching import NOTHING, cell_of, values_of
from ..validators.planting import FARTHEST, Planted, counts
from .chart_from_moves import confirmed_lines
from .json_text import picked
from .looking.blind import bound
from .reports.phrases import counted
from .reports.question_groups import QuestionGroup, question_groups
from .reports.shares import verdict_counts
from .usable import usable

_EACH_SIDE = Fraction(975, 1000)
NOT_SHOWN = (
    "A wrong chart or map does not show in this: moves are made too long by the pack's own charts."
)


@dataclass(frozen=True)
class Power:
    """The result for moves that were extended too far. ``unseen``: how many facts of the map no person has
    looked at (None: the pack keeps no records); the moves were audited as if somebody had."""

    planted: Sequence[Planted]
    seed: int
    unseen: int | None = None

    def rows(self) -> Iterator[tuple[str, int, int, int, int]]:
        """Each side and finally all ("all"): planted, found, left open, called legal."""
        of = counts(self.planted)
        for side in sorted(of):
            yield side or "side not known", *_row(of[side])
        if len(of) != 1:
            yield "all", *_row(_verdicts(self.planted))

    @property
    def said(self) -> str:
        """A sentence for the pack and its reports."""
        made, found, left, legal = _row(_verdicts(self.planted))
        low, high = bounds(found, made)
        return (
            f"of {counted(made, 'legal move')} made 1 to {FARTHEST} hexes too long, drawn at random (seed"
            f" {self.seed}), {found} {'was' if found == 1 else 'were'} found (95 % bounds of all such:"
            f" {low:.0%} to {high:.0%}), {left} left open, {legal or 'none'} called legal"
            + (", if a person has looked at the whole map" if self.unseen else "")
        )

    def plain(self) -> dict[str, Any]:
        """As JSON values."""
        return {
            "seed": self.seed,
            "facts_no_person_looked_at": self.unseen,
            "sides": [
                {
                    "side": side,
                    "planted": made,
                    "found": found,
                    "open": left,
                    "legal": legal,
                    "found_from": round(bounds(found, made)[0], 4),
                    "found_to": round(bounds(found, made)[1], 4),
                }
                for side, made, found, left, legal in self.rows()
            ],
        }


def bounds(found: int, of: int) -> tuple[float, float]:
    """The exact binomial bounds (Clopper and Pearson, 95 %) of a share, given ``found`` out of ``of``; 0 and
    1 if ``of`` is 0."""
    if not of:
        return 0.0, 1.0
    return 1 - bound(of - found, of, _EACH_SIDE), bound(found, of, _EACH_SIDE)


def _verdicts(planted: Sequence[Planted]) -> Counter[str]:
    return Counter(one.verdict for one in planted)


def _row(told: Mapping[str, int]) -> tuple[int, int, int, int]:
    found, left, legal = (told.get(one, 0) for one in ("illegal", "unverifiable", "legal"))
    return found + left + legal, found, left, legal


NOT_KNOWN, TYPED = "not known", "typed"
IN_PLAY = "told by pieces on the map or by facts"
SIDE_LAYERS: tuple[Layer, ...] = ("hexsides", "lines")
AT_ONCE = "empty by complete alone, no look recorded"


@dataclass(frozen=True)
class PackCheck:
    """The numbers. ``moved``: pieces moved on the maps; of these ``units`` and ``no_units`` by the pack;
    ``unsaid_drags``: how often the others were moved. ``known``: how many units have each fact. ``hexes``,
    ``hexsides``: cells that moves could use, by the source of their entry. ``phases``: moves by phase.
    ``idle``: entries that match nothing. ``suspects``: suspected facts of the pack. ``numbers``: chart
    numbers that make moves illegal. ``from_moves``: numbers that moves proposed and a person confirmed, a
    line each. ``changed``: changed facts that removed findings. ``power``: how many moves that go too far are
    found; None: not requested."""

    moved: int
    units: int
    no_units: int
    unsaid_drags: int
    known: Mapping[str, int]
    hexes: Mapping[str, int]
    hexsides: Mapping[str, int]
    phases: Mapping[str, int]
    verdicts: Mapping[str, int]
    idle: tuple[str, ...]
    next: tuple[QuestionGroup, ...]
    suspects: tuple[Suspect, ...] = ()
    numbers: tuple[Suspect, ...] = ()
    from_moves: tuple[str, ...] = ()
    changed: tuple[Changed, ...] = ()
    power: Power | None = None

    @property
    def unsaid(self) -> int:
        """Pieces that moved and that the pack calls neither units nor others."""
        return self.moved - self.units - self.no_units

    def plain(self) -> dict[str, Any]:
        """As JSON values."""
        return {
            "format": "vassal-umpire pack check",
            "version": 1,
            "pieces_moved": picked(
                self, "all=moved units no_units not_said=unsaid not_said_moved=unsaid_drags"
            ),
            **picked(self, "units_known=known hexes hexsides moves_by_phase=phases moves=verdicts"),
            "matches_nothing": list(self.idle),
            "next": [
                {
                    "question": one.text,
                    "moves_waiting": len(one.moves),
                    "moves_that_ask_nothing_else": one.alone,
                    **picked(one.whole or one.questions[0].unknown, "file stanza"),
                }
                for one in self.next
            ],
            "suspects": [one.plain() for one in self.suspects],
            "numbers": [one.plain() for one in self.numbers],
            "from_moves": list(self.from_moves),
            "changed": [one.plain() for one in self.changed],
            **({} if self.power is None else {"power": self.power.plain()}),
        }


def check_pack(
    game: Game,
    audit: Audit,
    pack: Pack,
    history: TableHistory,
    wanted: Iterable[str],
    viewer: Viewer,
) -> PackCheck:
    """What ``pack`` knows of ``game``, as far as ``viewer`` may know; ``audit`` is the part he may read.
    ``wanted``: the attributes that the ruleset needs."""
    reader = Reader(pack)
    pieces = {piece.id: piece for piece in history.appearances() if look(piece, viewer).known}
    drags = _moved(history, {sheet.map for sheet in pack.sheets})
    moved = [p for p in drags if p in pieces]
    units = [p for p in moved if reader.kind(pieces[p]) == "unit"]
    excluded = [p for p in moved if p not in units and reader.is_excluded(pieces[p])]
    known = {"side": sum(p in game.units and game.units[p].side is not None for p in units)}
    facts = _facts_at_the_end(game)
    for name in wanted:
        known[name] = sum(facts.get((p, name), UNKNOWN).value is not None for p in units)
    moves = [m for m in audit.moves if is_on_map(m)]
    board = (
        game.on_board(len(game.events) - 1, len(game.events) - 1).board
        if game.events
        else game.board
    )
    hexes, hexsides = _cells(game, board, pack, moves)
    return PackCheck(
        moved=len(moved),
        units=len(units),
        no_units=len(excluded),
        unsaid_drags=sum(drags[p] for p in moved if p not in units and p not in excluded),
        known=known,
        hexes=hexes,
        hexsides=hexsides,
        phases=_phases(game, moves),
        verdicts=verdict_counts(moves),
        idle=(*_idle(pack, reader, pieces.values(), history), *_idle_phases(game)),
        next=tuple(one for one in question_groups(audit).by_worth if one.moves),
        suspects=audit.suspects,
        numbers=audit.numbers,
        from_moves=tuple(confirmed_lines(pack.values)),
        changed=audit.changed,
    )


def _facts_at_the_end(game: Game) -> dict[tuple[str, str], Fact]:
    """Each unit's known attributes after the last step."""
    found = {(u.id, name): fact for u in game.units.values() for name, fact in u.attributes.items()}
    for event in game.events:
        if isinstance(event, StateChange):
            found[event.unit, event.attribute] = event.after
    return found


def _moved(history: TableHistory, sheets: set[str]) -> Counter[str]:
    """The pieces moved from one place of the maps to another, and how often."""
    return Counter(
        one.piece
        for step in history.steps
        if step.undoing is None
        for one in step.displacements
        if one.origin is not None
        and one.target is not None
        and one.by in ("drag", "send", "stack")
        and one.origin.map in sheets
        and one.target.map in sheets
    )


def is_on_map(judged: JudgedMove) -> bool:
    """Whether a move was judged, from hex to hex."""
    move = judged.move
    return judged.judged and move.origin.hex is not None and move.target.hex is not None


def _cells(
    game: Game, board: Board, pack: Pack, moves: Iterable[JudgedMove]
) -> tuple[dict[str, int], dict[str, int]]:
    """The hexes and hexsides that moves could use, by the source of their entry."""
    names = usable(board, moves).keys()
    values = values_of(board)
    held = current({record.key: record for record in pack.records}, values)
    at_once = not pack.complete.isdisjoint(SIDE_LAYERS)
    waiting: dict[tuple[str, Layer], str] = {}
    for suggestion in game.suggestions:
        waiting.setdefault((suggestion.key.cell, suggestion.key.layer), suggestion.status)
    hexes, sides = Counter[str](), Counter[str]()

    def told(cell: str, layer: Layer, known: bool) -> str:
        if not known:
            return waiting.get((cell, layer), NOT_KNOWN)
        record = held.get(Key(cell, layer))
        return TYPED if record is None else f"{record.status}, {' + '.join(record.who)}"

    for name in names:
        here = board.hexes[name].terrain
        changed = here is not None and here != game.board.hexes[name].terrain
        hexes[IN_PLAY if changed else told(name, "terrain", here is not None)] += 1
    for side in {edge(a, b) for a in names for b in board.neighbours(a) if b in names}:
        whole = board.sides_known(side) and board.lines_known(side)
        cell = cell_of(side)
        empty = all(values.get(Key(cell, layer)) == NOTHING for layer in SIDE_LAYERS)
        bare = empty and at_once and not any(Key(cell, layer) in held for layer in SIDE_LAYERS)
        sides[AT_ONCE if bare else told(cell, "hexsides", whole)] += 1
    return dict(hexes.most_common()), dict(sides.most_common())


def _phases(game: Game, moves: Iterable[JudgedMove]) -> dict[str, int]:
    """Moves by phase, and whether the pack says what else may happen in it."""
    found = Counter[str]()
    for judged in moves:
        name = judged.move.phase.phase
        rule = game.phases.get(name) if name is not None else None
        if name is None:
            found[NOT_KNOWN] += 1
        elif rule is None:
            found[f"{name} (no [[phase]] of this name)"] += 1
        else:
            found[name if rule.complete else f"{name} (not complete)"] += 1
    return dict(found.most_common())


def _idle(
    pack: Pack, reader: Reader, pieces: Iterable[Piece], history: TableHistory
) -> Iterator[str]:
    """Rows and keys of the pack that match nothing in these logs."""
    every = list(pieces)
    if pack.counters is not None:
        used = {row.line for piece in every for row in reader.counters.rows(piece)}
        for row in pack.counters.rows:
            if row.line not in used:
                name = row.get("name") or row.get("image") or row.get("gpid") or row.get("id")
                yield f"{pack.counters.where(row)}: no counter in these logs is {name}"
    tables: list[tuple[str, Selector]] = [
        (f"units.{key}[{i}]", selector)
        for key, several in (
            ("are", pack.units.are),
            ("not", pack.units.excluded),
            ("markers", pack.units.markers),
        )
        for i, selector in enumerate(several, 1)
    ]
    tables += [(f"board.marker[{i}]", m.what) for i, m in enumerate(pack.board_markers, 1)]
    for key, selector in tables:
        if selector.column is None and not any(reader.fits(selector, piece) for piece in every):
            yield f"pack.toml {key}: fits no counter in these logs"
    units = [piece for piece in every if reader.kind(piece) == "unit"]
    looks = [("units.side", pack.units.side), *pack.units.attributes.items()]
    for name, several in looks:
        for look_ in several if units else ():
            if look_.kind not in ("marker", "value") and not _tells(reader, look_, units):
                yield f"pack.toml {name}: {look_.kind} {look_.what} gives nothing for any unit"
    for i, source in enumerate(pack.phase_sources, 1):
        if not _heard(replace(pack, phase_sources=(source,)), history):
            yield f"pack.toml phases.from[{i}]: {source.kind} {source.what} never gave anything"


def _idle_phases(game: Game) -> Iterator[str]:
    told = {event.phase for event in game.events if isinstance(event, PhaseStart)}
    for name in game.phases:
        if name not in told:
            yield f"pack.toml phase {name}: no step of these logs is in it"


def _tells(reader: Reader, look_: Lookup, units: Iterable[Piece]) -> bool:
    return any(reader.told((look_,), piece) is not None for piece in units)


def _heard(pack: Pack, history: TableHistory) -> bool:
    """Whether the one source of ``pack`` ever gave an aspect of the phase."""
    teller = PhaseTeller(pack)
    for number, log in enumerate(history.logs, 1):
        starts = [*teller.opening(number, log.opening)]
        for step in log.steps:
            starts += teller.step(StepRef(number, step.engine_number or 0), step)
        if any(start.turn or start.phase or start.active for start in starts):
            return True
    return False
