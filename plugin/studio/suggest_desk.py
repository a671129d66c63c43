"""The data behind the Suggest view: the pictures, the suggestions from them, and the sheets on show."""

from __future__ import annotations

import threading
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

from ...importers.pack.board import Places, bind_board
from ...importers.pack.recorded import with_recorded
from ...importers.pack.terrain import with_terrain
from ...importers.vassal.buildfile import extensions_beside
from ...model.board import Board, edge
from ...model.names import HEXSIDE, LINE, PLACEHOLDER, TERRAIN
from ...model.problem import Problem, UmpireError
from ...model.provenance import KNOWN, Key, Layer
from ...model.vouching import NOTHING, cell_of, set_text
from ..looking.blind import Blind
from ..looking.cutouts import Plan
from ..looking.ground import grounds
from ..looking.pack_board import PackBoard, board_of_pack, side_layer
from ..looking.proposals import Proposal, Sheet, propose
from ..pack_check import is_on_map
from ..reading import Told as Progress
from ..ruleset_needs import words_for
from ..usable import usable
from .cells_wanted import AccusingCells, accusing_cells, asked_for, deciding_cells, with_suspicions
from .keepsake import Checks
from .session import Studio
from .suggest_cells import LAYERS, Cell, Sheets, Shown

NAMED = {"terrain": TERRAIN, "hexsides": HEXSIDE, "lines": LINE}
"""The charts that name the features of each layer."""
PROGRAM = "umpire"
"""The program's name in records of suggestions."""
Weights = tuple[AccusingCells, Mapping[str, int]]
UNSEEN = ("suggested", "imported", "filled")


@dataclass(frozen=True)
class _Base:
    bare: Board
    places: Places
    plans: tuple[Plan, ...]
    problems: tuple[Problem, ...]


@dataclass(eq=False)
class Desk:
    """The desk of one studio. A thread that uses it must hold ``lock``."""

    studio: Studio
    lock: threading.RLock = field(default_factory=threading.RLock)
    found: dict[Key, Proposal] = field(default_factory=dict)
    sheets: tuple[Sheet, ...] = ()
    _shown: Sheets[Shown] = field(default_factory=Sheets)

    # -- the board and its pictures -----------------------------------------------------------

    @property
    def base(self) -> _Base:
        """The bare board and its pictures; read once for the pack's sheets."""
        pack, evidence = self.studio.pack, self.studio.evidence

        def make() -> _Base:
            bare, places, faults = bind_board(pack, evidence.layouts)
            files = (evidence.file, *extensions_beside(evidence.file))
            found, unseen = grounds(files, bare, places, evidence.layouts, self.studio.limits)
            self.found, self.sheets = {}, ()
            plans = tuple(Plan(ground) for ground in found)
            return _Base(bare, places, plans, (*faults, *unseen))

        mark = (pack.sheets, pack.boxes, pack.links, pack.barriers)
        return self.studio.kept("pictures of the map", make, key=mark)

    @property
    def plans(self) -> tuple[Plan, ...]:
        """The pictures. Raises :class:`UmpireError` if there is none."""
        plans = self.base.plans
        if not plans:
            why = "; ".join(problem.message for problem in self.base.problems)
            raise UmpireError(
                f"there is no picture to look at{': ' if why else ''}{why}",
                hint="paint the hexes in Board",
            )
        return plans

    @property
    def pack_board(self) -> PackBoard:
        """The board by the present pack."""
        pack, base, evidence = self.studio.pack, self.base, self.studio.evidence

        def make() -> PackBoard:
            drawn, _ = with_terrain(base.bare, pack)
            terrain, words = evidence.module.terrain, words_for(pack)
            recorded = with_recorded(drawn, pack, terrain, base.places, evidence.layouts, words)
            return board_of_pack(pack, recorded)

        return self.studio.kept("board of the pack", make, pack, base)

    def picture_of(self, cell: str) -> str:
        """The SHA-256 of the picture that shows a cell; "" if none does."""
        plan = next((plan for plan in self.plans if cell in plan), None)
        return "" if plan is None else plan.ground.sha256

    # -- suggestions --------------------------------------------------------------------------

    def suggest(self, progress: Progress) -> None:
        """Make new suggestions from what is known now."""
        with self.lock:
            plans, pack_board = self.plans, self.pack_board
        sheets = tuple(propose(plan.ground, pack_board, {}, LAYERS, progress) for plan in plans)
        with self.lock:
            self.sheets = sheets
            self.found = {one.key: one for sheet in sheets for one in sheet.proposals}

    @property
    def checks(self) -> Checks:
        """The blind checks, by layer. A cell without a value when the area or sheet around it was confirmed
        counts as left out."""
        return self.studio.keepsake.board

    def suggested(self, layer: Layer) -> Iterator[tuple[str, str]]:
        """The suggestions for a layer, written or not: cells with values."""
        return ((key.cell, one.value) for key, one in self.found.items() if key.layer == layer)

    def checked_of(self, layer: Layer) -> Blind | None:
        """The blind check of the present suggestions; cells that somebody has looked at since do not count.
        None if there is none."""
        now = frozenset(self.suggested(layer))
        held = self.checks.of(layer, now)
        gone = held.suggested - now if held is not None else ()
        if held is None or any(_is_unseen(self.pack_board, Key(cell, layer)) for cell, _ in gone):
            return None
        return held.blind

    def open_proposals(self, layer: Layer) -> list[Proposal]:
        """Suggestions that are not in the files, for cells that may still be filled in."""
        pack_board = self.pack_board
        on = side_layer(layer)
        found = []
        for key, one in self.found.items():
            if key.layer != layer or self._is_written(one):
                continue
            if not pack_board.keeps_suggested(key, one.value, PROGRAM):
                continue
            may = (
                pack_board.may_fill(key.cell)
                if on is None
                else pack_board.may_fill_side(pack_board.edge(key.cell), on)
            )
            if may:
                found.append(one)
        return found

    def _is_written(self, one: Proposal) -> bool:
        record = self.pack_board.records.get(one.key)
        return record is not None and record.value == one.value

    # -- cells to look at ---------------------------------------------------------------------

    def unseen(self, layer: Layer) -> Iterator[Cell]:
        """Cells with a value that nobody has looked at, from the files and from suggestions not yet in
        them."""
        pack_board, on, weights = self.pack_board, side_layer(layer), self._weights()
        in_files: set[Key] = set()
        for key, record in pack_board.records.items():
            if key.layer != layer or record.status not in UNSEEN:
                continue
            whole = key._replace(name="")
            if key.name and (on is None or whole in pack_board.records or whole in in_files):
                continue  # the record of the whole side speaks for its parts
            if key.name and pack_board.is_held_open(whole):
                continue
            if key.name and on is not None:
                drawn = set_text(pack_board.drawn_names(pack_board.edge(key.cell), on))
                record = replace(record, key=whole, value=drawn)
            in_files.add(whole)
            chance = None if record.confidence is None else float(record.confidence)
            yield _weighed(Cell(record.key, record.value, chance, status=record.status), weights)
        for one in self.open_proposals(layer):
            if one.key not in in_files:
                cell = Cell(one.key, one.value, one.chance, one.confidence.value)
                yield _weighed(cell, weights)

    def to_double(self, who: str) -> Iterator[Cell]:
        """Cells that findings depend on or that could clear one, and at which exactly one other person has
        looked."""
        mine, weights = same_name(who), self._weights()
        for key, record in self.pack_board.records.items():
            if key.layer in LAYERS and not key.name and record.status == "looked-at":
                cell = replace(_weighed(Cell(key, None, status=record.status), weights), asked=0)
                if (cell.rested or cell.could) and mine not in map(same_name, record.who):
                    yield cell

    def _weights(self) -> Weights:
        """Cells that findings and would-be findings depend on or that could clear one; and by cell, how many
        moves wait for it."""
        audit, board = self.studio.audit, self.base.bare
        if audit is None:
            return AccusingCells(), {}

        def make() -> Weights:
            reads = self.studio.judged.reads
            found = with_suspicions(accusing_cells(audit, board, reads), audit, board, reads)
            return found, {one["cell"]: one["moves"] for one in asked_for(audit, board)}

        return self.studio.kept("weights of cells", make, audit, board)

    def has_open_moves(self) -> bool:
        """Whether there are moves on the map, which determine the cells to look at."""
        audit = self.studio.audit
        return audit is not None and any(map(is_on_map, audit.moves))

    def touched_sides(self) -> list[str]:
        """The hexsides on the pictures that findings depend on or open moves wait for."""
        rested, asked = self._weights()
        on_pictures = {name for plan in self.plans for name in plan.sides}
        return sorted(on_pictures & {*rested.rest, *asked})

    def waiting(self, layers: Sequence[Layer]) -> Iterator[Key]:
        """Cells of some layers that moves could use or questions ask for, and that nobody has looked at or
        typed; without moves, cells of the whole board. Cells that got no value when an area was confirmed, or
        that are held open, come only if nothing else is left."""
        pack_board = self.pack_board
        left = [key for key in self._wanted(layers) if _is_unseen(pack_board, key)]
        held = pack_board.is_held_open
        fresh = [key for key in left if key not in self.checks.passed and not held(key)]
        yield from fresh or left

    def cells_only(self, wanted: str, layers: Sequence[Layer]) -> frozenset[str]:
        """The cells that decide moves soonest (``wanted``: soonest), or those that open moves ask for
        (asked); empty for other words, and if no move is open."""
        if wanted == "asked":
            return frozenset(self._weights()[1])
        if wanted != "soonest":
            return frozenset()
        audit, opened = self.studio.audit, self.studio.opened
        if audit is None or opened is None:
            return frozenset()
        unseen = frozenset(key.cell for key in self.waiting(layers))
        moves = [judged for judged in audit.moves if is_on_map(judged)]
        return deciding_cells(self.base.bare, moves, opened.game.phases, unseen)

    def _wanted(self, layers: Sequence[Layer]) -> Iterator[Key]:
        hexes, sides = self._asked_cells()
        for layer in layers:
            for cell in hexes if layer == "terrain" else sides:
                yield Key(cell, layer)

    def _asked_cells(self) -> tuple[frozenset[str], frozenset[str]]:
        """The wanted hexes and hexsides on the pictures."""
        audit, base = self.studio.audit, self.base

        def make() -> tuple[frozenset[str], frozenset[str]]:
            on_map = [m for m in audit.moves if is_on_map(m)] if audit is not None else []
            names = set(usable(base.bare, on_map))
            found, asked = self._weights()
            cells = {*found.rest, *found.could, *asked}
            hexes = frozenset(n for p in base.plans for n in p.cells.names)
            sides = frozenset(cell for p in base.plans for cell in p.sides)
            if on_map:
                near = (edge(a, b) for a in names for b in base.bare.neighbours(a) if b in names)
                hexes &= names | cells
                sides &= {cell_of(side) for side in near} | cells
            return hexes, sides

        return self.studio.kept("cells asked for", make, base, audit)

    def as_it_stands(self, key: Key) -> Cell:
        """A cell with its present value: known, in the files, or suggested."""
        pack_board = self.pack_board
        on = side_layer(key.layer)
        record = pack_board.records.get(key)
        if pack_board.is_held_open(key):
            names = () if on is None else pack_board.drawn_names(pack_board.edge(key.cell), on)
            return Cell(key, "+".join(sorted(set(names))) or None, open=True)
        if on is None:
            status = record.status if record is not None else ""
            known, drawn = pack_board.terrain(key.cell), pack_board.drawn_terrain(key.cell)
            if known is not None:
                return Cell(key, known, status=status or "typed")
        else:
            side = pack_board.edge(key.cell)
            status = pack_board.side_status(side, on) or ""
            drawn = set_text(pack_board.drawn_names(side, on))  # known and suggested together
            if drawn == NOTHING and not status:
                drawn = None
        if drawn is not None:
            return Cell(key, drawn, status=status)
        one = self.found.get(key)
        if one is None:
            return Cell(key, None)
        return Cell(key, one.value, one.chance, one.confidence.value)

    def offered(self, layer: Layer) -> list[Key]:
        """Unknown cells that differ most from each other."""
        found: list[Key] = []
        for plan in self.plans:
            survey = plan.ground.survey
            if layer == "terrain":
                found += [Key(name, layer) for name in survey.different()]
            else:
                sides = survey.offered(lines=layer == "lines")
                found += [Key(cell_of(edge(*side)), layer) for side in sides]
        return [key for key in found if self._says_nothing(key)]

    def _says_nothing(self, key: Key) -> bool:
        """Whether nothing is known of a cell; for a hexside also: the files have no entry."""
        now, on = self.as_it_stands(key), side_layer(key.layer)
        if now.open or (
            on is not None and self.pack_board.drawn_names(self.pack_board.edge(key.cell), on)
        ):
            return False
        return now.status not in KNOWN

    def kinds(self, layer: Layer) -> list[str]:
        """The known, drawn or suggested kinds of a layer, the commonest first; then others from the
        charts."""
        counts: Counter[str] = Counter()
        for key, record in self.pack_board.records.items():
            if key.layer == layer and not key.name:
                counts[record.value] += 1
        counts.update(self.known_counts(layer))
        counts.update(one.value for one in self.found.values() if one.key.layer == layer)
        words = words_for(self.studio.pack) or {}
        named = words[NAMED[layer]].names if NAMED[layer] in words else ()
        charted = (name for name in sorted(named) if name != PLACEHOLDER)
        return list(dict.fromkeys((*(kind for kind, _ in counts.most_common()), *charted)))

    def known_counts(self, layer: Layer) -> Counter[str]:
        """The number of known cells of a layer, by kind."""
        pack_board = self.pack_board
        if layer == "terrain":
            return Counter(
                value for name in pack_board.known.hexes if (value := pack_board.terrain(name))
            )
        on = side_layer(layer)
        assert on is not None
        sides = (edge(e.a, e.b) for plan in self.plans for e in plan.cells.edges)
        return Counter(
            v or NOTHING for side in sides if (v := pack_board.side(side, on)) is not None
        )

    # -- what pages show ----------------------------------------------------------------------

    def show(self, what: str, layer: Layer, cells: Sequence[Cell]) -> Shown:
        """Remember a sheet under a secret name."""
        return self._shown.keep(lambda name: Shown(name, what, layer, tuple(cells)))

    def shown(self, name: object) -> Shown:
        """The sheet with this name. Raises :class:`UmpireError` if it is no longer remembered."""
        return self._shown.find(name)


def _weighed(cell: Cell, weights: Weights) -> Cell:
    """A cell with the numbers of findings and moves that depend on it."""
    (found, asked), name = weights, cell.key.cell
    return replace(cell, rested=found.rest[name], could=found.could[name], asked=asked.get(name, 0))


def _is_unseen(pack_board: PackBoard, key: Key) -> bool:
    on = side_layer(key.layer)
    if on is not None:
        return pack_board.side_status(pack_board.edge(key.cell), on) not in KNOWN
    record = pack_board.records.get(key)
    if record is not None:
        return record.status in UNSEEN
    return pack_board.required or pack_board.terrain(key.cell) is None


def same_name(who: str) -> str:
    """A person's name, normalised for comparison."""
    return " ".join(who.split()).casefold()


def desk_of(studio: Studio) -> Desk:
    """The desk of a studio."""
    return studio.kept("suggest", lambda: Desk(studio))
