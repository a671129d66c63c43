"""Every statement of a sample pack, and the pack without it and without the word that vouches for it."""

from __future__ import annotations

import copy
import random
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cache, cached_property
from pathlib import Path
from typing import Any

from vassal_umpire.importers.pack.bind import bound
from vassal_umpire.importers.pack.facts import NO_FACTS, Facts
from vassal_umpire.importers.pack.facts_file import load_facts
from vassal_umpire.importers.pack.load import TomlFile, load_pack, pack_of, wrong
from vassal_umpire.importers.pack.pack import Pack
from vassal_umpire.importers.pack.spreadsheet import Row, Sheet
from vassal_umpire.importers.pack.toml_text import check
from vassal_umpire.importers.vassal.buildfile import open_module
from vassal_umpire.importers.vassal.limits import DEFAULT_LIMITS
from vassal_umpire.importers.vassal.module import Module
from vassal_umpire.importers.vassal.savefile import read_save
from vassal_umpire.model.finding import ACCUSING, Audit, Verdict
from vassal_umpire.model.game import Displacement, Event, Game, PhaseStart, Place, StepRef
from vassal_umpire.model.problem import UmpireError
from vassal_umpire.model.table import TableHistory
from vassal_umpire.plugin.reading import Named, layouts_for, read_history
from vassal_umpire.plugin.registry import rulesets
from vassal_umpire.plugin.ruleset_needs import check_names
from vassal_umpire.validators.audit import audit

SHEETS = ("hexes.csv", "lines.csv", "units.csv")
EXCEPTED = (("pack",), ("fits",), ("units", "not"))
"""What a pack does not say of the game, and house rules, which are meant to take something away."""

Path_ = tuple[str | int, ...]


@dataclass(frozen=True)
class Statement:
    """One thing a pack says: a key or table of ``pack.toml`` at ``path``, or in ``sheet`` the row at
    ``path`` or a cell of it. ``text`` names it."""

    path: Path_
    sheet: str = ""

    @property
    def text(self) -> str:
        place = ".".join(map(str, self.path))
        return f"{self.sheet} {place}" if self.sheet else place


@dataclass(frozen=True)
class Sample:
    """A sample game: what its pack is held against."""

    name: str
    module: Module
    history: TableHistory
    layouts: Mapping[str, Any]
    pack: Pack
    facts: Facts

    def statements(self) -> tuple[Statement, ...]:
        """All that its pack says."""
        found = [Statement(path) for path in _paths(self.pack.values, ())]
        for name, sheet in self._sheets().items():
            for index, row in enumerate(sheet.rows if sheet else ()):
                found.append(Statement((index,), name))
                found += [Statement((index, column), name) for column in row.cells]
        return tuple(found)

    def without(self, statement: Statement | None) -> Game:
        """The game as the pack without a statement binds it. Raises :class:`UmpireError` where that is no
        pack any more."""
        values = copy.deepcopy(dict(self.pack.values))
        sheets = self._sheets()
        if statement is not None and statement.sheet:
            sheet = sheets[statement.sheet]
            assert sheet is not None
            _unvouch_sheet(values, sheet, statement)
            sheets[statement.sheet] = _without_cell(sheet, statement.path)
        elif statement is not None:
            _unvouch(values, statement.path)
            _delete(values, statement.path)
        problems = list(check("pack", values, "pack.toml", {}))
        if problems:
            raise wrong("pack.toml", problems)
        pack = pack_of(values, TomlFile("pack.toml", {}), sheets, "", self.pack.folder)
        game = bound(self.module, self.history, pack, self.layouts, self.facts).game
        check_names(pack, self.facts, game.rules)
        return game

    @cached_property
    def drags(self) -> tuple[tuple[PhaseStart, Displacement], ...]:
        """Moves that nobody made, each in a phase of its own after the end of the game: what is true of
        these few games could be luck."""
        return tuple(_drags(self.without(None), random.Random(self.name)))

    def audited(self, statement: Statement | None) -> Audit | None:
        """The audit of the game and of its made-up moves with the pack without a statement; None where that
        is not a pack."""
        try:
            game = with_drags(self.without(statement), self.drags)
            result = audit(game, rulesets().parts[game.rules.name])
        except UmpireError:
            return None
        failed = [str(p) for p in result.problems if p.severity == "error"]
        assert not failed, (statement, failed)
        return result

    @cached_property
    def whole(self) -> Audit:
        """The audit with the pack as it is."""
        found = self.audited(None)
        assert found is not None
        return found

    def _sheets(self) -> dict[str, Sheet | None]:
        return dict(
            zip(SHEETS, (self.pack.hexes, self.pack.lines, self.pack.counters), strict=True)
        )


def accused(result: Audit) -> frozenset[tuple[str, ...]]:
    """Whom an audit holds something against: (unit, step) of each."""
    found = moved(result, "illegal")
    for finding in result.findings:
        if (
            finding.kind == "overstack"
        ):  # a phase that is not known is not an end of one: seen later
            found |= {(unit, *finding.hexes) for unit in finding.units}
        elif finding.kind in ACCUSING:
            found |= {(unit, str(step)) for unit in finding.units for step in finding.steps}
    return found


def moved(result: Audit, verdict: Verdict) -> frozenset[tuple[str, ...]]:
    """(unit, step) of each displacement in a judged move of that verdict."""
    return frozenset(
        (unit, str(step))
        for judged in result.moves
        if judged.judged and judged.verdict == verdict
        for unit in judged.move.units
        for step in judged.move.steps
    )


MOST_DRAGS = 60
FARTHEST = 7


def _drags(game: Game, rng: random.Random) -> Iterator[tuple[PhaseStart, Displacement]]:
    starts = [event for event in game.events if isinstance(event, PhaseStart)]
    phases = sorted({(e.phase, e.active) for e in starts if game.phases[e.phase or ""].complete})
    places = {
        **game.opening,
        **{e.unit: e.target for e in game.events if isinstance(e, Displacement)},
    }
    units = sorted(u for u, p in places.items() if p.hex and game.units[u].kind == "unit")
    last = game.events[-1].at
    for number in range(MOST_DRAGS):
        phase, active = rng.choice(phases)
        at = StepRef(last.log, last.step + 1 + number)
        mine = [unit for unit in units if game.units[unit].side == active] or units
        unit = rng.choice(mine)
        target = places[unit].name
        for _ in range(rng.randint(1, FARTHEST)):
            target = rng.choice(game.board.neighbours(target))
        to = Place("hex", target)
        start = PhaseStart(at, f"Turn {100 + number}", phase, active, "made up", True)
        if to != places[unit]:
            yield start, Displacement(at, unit, places[unit], to, 1, "drag", game.units[unit].side)
        places[unit] = to


def with_drags(game: Game, drags: Iterable[tuple[PhaseStart, Displacement]]) -> Game:
    """``game`` and moves after its end, as far as it has the units, and phases as sure as its own."""
    starts = [event for event in game.events if isinstance(event, PhaseStart)]
    if not starts:
        return game
    sure = all(start.certain for start in starts)
    more: list[Event] = []
    for start, drag in drags:
        more.append(replace(start, certain=sure))
        if drag.unit in game.units:
            more.append(drag)
    return replace(game, events=(*game.events, *more))


@cache
def sample(folder: Path, logs: tuple[Path, ...] = ()) -> Sample:
    """The sample in a folder."""
    logs = logs or tuple(sorted(folder.glob("*.vlog")))
    module = open_module(next(folder.glob("*.vmod")), limits=DEFAULT_LIMITS, find_extensions=True)
    facts = folder / "facts.toml"
    return Sample(
        folder.name,
        module,
        read_history(Named(logs), module, DEFAULT_LIMITS, lambda *_: None),
        layouts_for(module, read_save(logs[0], DEFAULT_LIMITS)),
        load_pack(folder / "pack"),
        load_facts(facts) if facts.exists() else NO_FACTS,
    )


def _paths(value: Any, path: Path_) -> Iterator[Path_]:
    """Every key, and every table of a list."""
    if path in EXCEPTED:
        return
    if isinstance(value, Mapping):
        for key, inner in value.items():
            if (*path, key) not in EXCEPTED:
                yield (*path, key)
                yield from _paths(inner, (*path, key))
    elif isinstance(value, list):
        for index, inner in enumerate(value):
            if isinstance(inner, Mapping):
                yield (*path, index)
                yield from _paths(inner, (*path, index))


def _delete(values: Any, path: Path_) -> None:
    for part in path[:-1]:
        values = values[part]
    del values[path[-1]]


def _unvouch(values: dict[str, Any], path: Path_) -> None:
    """Take out the ``complete`` that vouches for a path of ``pack.toml``, unless it is that itself."""
    if path[-1] == "complete":
        return
    match path:
        case ("rules", chart, *_):
            _unlist(values["rules"], chart)
        case ("units", "attributes", attribute, *_):
            _unlist(values["units"], attribute)
        case ("units", *_):
            _unlist(values["units"], "units")
        case ("phase", int(index), *_) if len(path) > 2:
            values["phase"][index].pop("complete", None)
        case ("form", int(index), *_):
            name = values["form"][index]["name"]
            for phase in values.get("phase", ()):
                if name in phase.get("forms", ()):
                    phase.pop("complete", None)


def _unvouch_sheet(values: dict[str, Any], sheet: Sheet, statement: Statement) -> None:
    row = sheet.rows[int(statement.path[0])]
    column = statement.path[1] if len(statement.path) > 1 else None
    board = values["board"]
    if statement.sheet == "lines.csv":
        _unlist(board, "hexsides" if "/" in row.get("path") else "lines")
    elif statement.sheet == "hexes.csv":
        if column != "level":
            _unlist(board, "terrain")
        if column in (None, "level"):
            _unlist(board, "levels")
    else:
        units = values["units"]
        if column is None or column in ("id", "gpid", "image", "name"):
            units.pop("complete", None)
        else:
            for attribute, plain in units.get("attributes", {}).items():
                looks = plain if isinstance(plain, list) else [plain]
                if any(str(look.get("column", "")).lower() == column for look in looks):
                    _unlist(units, attribute)


def _unlist(table: dict[str, Any], name: str) -> None:
    if isinstance(table.get("complete"), list):
        table["complete"] = [one for one in table["complete"] if one != name]


def _without_cell(sheet: Sheet, path: Path_) -> Sheet:
    rows = list(sheet.rows)
    index = int(path[0])
    if len(path) == 1:
        del rows[index]
    else:
        row = rows[index]
        cells = {name: cell for name, cell in row.cells.items() if name != path[1]}
        rows[index] = Row(cells, row.line)
    return replace(sheet, rows=tuple(rows))
