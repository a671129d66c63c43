"""Writes a game as the files that a user would have: a module, logs, a pack with spreadsheets, a facts file.

The log is written as VASSAL writes one (a drag marks nothing, moves each counter, opens a stack where
there is none, reports in the chat; an undo holds the inverse commands). What never changes of a counter
stands in ``units.csv``, what play changes in dynamic properties of the counter.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from pathlib import Path
from typing import Any

sys.path.append(str(Path(__file__).resolve().parents[2] / "samples"))

from command_line import audit_files
from module_builder.canvas import Canvas
from module_builder.contents import EDGE, Contents
from module_builder.hexes import Grid
from module_builder.scribe import MAIN, nest
from vassal_umpire.importers.vassal.commands import (
    AddPiece,
    BoardChoice,
    Boards,
    ChangePiece,
    Chat,
    Command,
    MovePiece,
    MutableProperty,
    Player,
    SetupStackMark,
    TurnState,
    encode_command,
    encode_stream,
)
from vassal_umpire.importers.vassal.commands import Undo as UndoCommand
from vassal_umpire.importers.vassal.sequence import join
from vassal_umpire.importers.vassal.writer import write_module, write_save
from vassal_umpire.model.board import Board
from vassal_umpire.model.fact import Value
from vassal_umpire.model.finding import Audit
from vassal_umpire.model.game import Game
from vassal_umpire.model.viewer import Viewer
from vassal_umpire.plugin.reading import Named
from vassal_umpire.plugin.registry import rulesets
from vassal_umpire.plugin.ruleset_needs import schema_of

from .kit import BOX, Action, Change, Drag, GameSetup, Kit, Phase, Roll, Undo

BOARD, DICE = "Country", "2d6"
DX, DY, X0, Y0 = 60, 70, 40, 30
Point = tuple[int, int]


def contents_of(setup: GameSetup) -> Contents:
    """What the module of a game holds. Its counters stand in the logs alone."""
    columns, rows = (
        max(int(name[at]) for name in setup.board.hexes) for at in (slice(2), slice(2, None))
    )
    phases = tuple(rule.name for rule in setup.phases)
    grid = Grid(columns, rows, DX, DY, X0, Y0)
    return Contents("Proof", "1", "", setup.sides, phases, BOARD, grid, (), (), 1, {DICE: (2, 6)})


@cache
def bare_map(columns: int, rows: int) -> bytes:
    """A map picture with nothing on it."""
    return Canvas(X0 + columns * DX - 30, Y0 + rows * DY - 10).png()


# -- the log ----------------------------------------------------------------------------------------


@dataclass
class Counter:
    id: str
    name: str
    point: Point
    map: str
    values: dict[str, str]

    def type(self) -> str:
        return nest([*(f"PROP;{key};;;" for key in self.values), f"piece;;;;{self.name}"])

    def state(self) -> str:
        own = [self.map, str(self.point[0]), str(self.point[1]), self.id, "1", "UniqueID", self.id]
        return nest([*self.values.values(), join(own, ";")])


def tracker_state(setup: GameSetup, phase: Phase) -> str:
    """The state of the turn tracker in a phase."""
    names = [rule.name for rule in setup.phases]
    inner = f"{names.index(phase.phase)};0;0;{','.join(['true'] * len(names))}"
    sides = [str(setup.sides.index(phase.active)), "0", "0", "true,true", inner]
    level = join([str(phase.turn), "0", "false", "-1", join(sides, ";")], ";")
    return join(["0", level], "|")


def written(value: Value | int) -> str:
    """A value as the text of a property or a cell."""
    return str(value).lower() if isinstance(value, bool) else str(value)


class Log:
    """Writes the steps of logs. ``at``: for each action its log and step."""

    def __init__(self, setup: GameSetup, first: Phase) -> None:
        self.setup = setup
        self.counters: dict[str, Counter] = {}
        self.stacks: dict[tuple[str, Point], tuple[str, list[str]]] = {}
        self.players = {side: Player(f"key of {side}", side.title(), side) for side in setup.sides}
        self.grid = contents_of(setup).grid
        self.next_id, self.tracker = 5000, tracker_state(setup, first)
        self.texts: list[str] = []
        self.last: tuple[Drag, list[tuple[str, tuple[str, Point]]]] | None = None
        for number, (name, hex_name) in enumerate(setup.opening.items(), 1001):
            facts = setup.units[name].attributes
            values = {key: written(facts[key].value) for key in setup.changing}  # type: ignore[arg-type]
            spot = self.spot(hex_name)
            self.counters[name] = Counter(str(number), name, spot[1], spot[0], values)
            self._put(name, spot)
        self.steps: list[list[Command]] = []
        self.opening = self._position()

    def spot(self, hex_name: str) -> tuple[str, Point]:
        if hex_name == BOX:
            return BOX, (100, 100)
        x, y = self.grid.centre(hex_name)
        return MAIN, (x + EDGE, y + EDGE)

    def end(self) -> None:
        """Ends the log and begins another one, which opens with the current position."""
        self.texts.append(encode_stream(self.opening, self.steps))
        self.steps, self.opening, self.last = [], self._position(), None

    def _position(self) -> list[str]:
        adds = [AddPiece(c.id, c.type(), c.state()) for c in self.counters.values()]
        adds += [
            AddPiece(stack, "stack", self._stack_state(spot, members, "@@-1"))
            for spot, (stack, members) in self.stacks.items()
        ]
        rest: list[Command] = [
            *self.players.values(),
            Boards(MAIN, (BoardChoice(BOARD, False, 0, 0),)),
            SetupStackMark(),
            Boards(BOX, (BoardChoice("Box", False, 0, 0),)),
            TurnState("TurnTracker0", self.tracker),
        ]
        return ["", join(["", *map(encode_command, adds)], "\x1b"), *map(encode_command, rest)]

    def _stack_state(self, spot: tuple[str, Point], members: list[str], layer: str) -> str:
        ids = [self.counters[name].id for name in members]
        return join([spot[0], str(spot[1][0]), str(spot[1][1]), *ids, layer], ";")

    def _put(self, name: str, spot: tuple[str, Point]) -> str | None:
        """Puts a counter on top of those in its place; returns the id of the one below it."""
        counter = self.counters[name]
        counter.map, counter.point = spot
        stack = self.stacks.get(spot)
        if stack is None:
            self.next_id += 1
            self.stacks[spot] = (str(self.next_id), [name])
            return None
        stack[1].append(name)
        return self.counters[stack[1][-2]].id

    def _take(self, name: str) -> tuple[str, Point]:
        counter = self.counters[name]
        spot = (counter.map, counter.point)
        stack = self.stacks[spot]
        stack[1].remove(name)
        if not stack[1]:
            del self.stacks[spot]
        return spot

    def drag(self, units: Iterable[str], to: tuple[str, Point], player: Player) -> list[Command]:
        step: list[Command] = []
        for name in units:
            origin = self._take(name)
            opened = to not in self.stacks
            under = self._put(name, to)
            new, old = (to[0], *to[1]), (origin[0], *origin[1])
            step.append(MovePiece(self.counters[name].id, *new, under, *old, None, player.id))
            if opened:
                stack, members = self.stacks[to]
                step.append(AddPiece(stack, "stack", self._stack_state(to, members, "@@1")))
        return step

    def write(self, action: Action, side: str) -> None:
        """Writes one action as a step of the log, done by the player of a side."""
        player, last = self.players[side], self.last
        self.last = None
        if isinstance(action, Drag):
            origins = [(u, (self.counters[u].map, self.counters[u].point)) for u in action.units]
            said = Chat(f"* {', '.join(action.units)} moves to {action.to} *")
            self.steps.append([*self.drag(action.units, self.spot(action.to), player), said])
            self.last = action, origins
        elif isinstance(action, Undo):
            assert last is not None
            back = [c for name, origin in last[1] for c in self.drag([name], origin, player)]
            self.steps.append([UndoCommand(True), Chat("* UNDO"), *back, UndoCommand(False)])
        elif isinstance(action, Phase):
            self.tracker = tracker_state(self.setup, action)
            self.steps.append([Chat("* turn"), TurnState("TurnTracker0", self.tracker)])
        elif isinstance(action, Change):
            counter = self.counters[action.unit]
            before = counter.state()
            counter.values[action.attribute] = written(action.value)
            self.steps.append([ChangePiece(counter.id, counter.state(), before)])
        elif isinstance(action, Roll):
            said = Chat(f"*** {DICE} = 7 *** <{player.name}>")
            changed = MutableProperty(f"{DICE}_result", "6", "7", "Module")
            self.steps.append([said, changed])
        else:
            self.steps.append([Chat(f"&lt;{player.name}&gt; - {action.text}")])


# -- the pack ---------------------------------------------------------------------------------------


def toml(value: Any) -> str:
    """A plain value as TOML writes it inline."""
    if isinstance(value, Mapping):
        return (
            "{ " + ", ".join(f"{json.dumps(str(k))} = {toml(v)}" for k, v in value.items()) + " }"
        )
    if isinstance(value, list | tuple):
        return "[" + ", ".join(map(toml, value)) + "]"
    if isinstance(value, Fraction):
        return str(value) if value.denominator == 1 else json.dumps(str(value))
    return json.dumps(value)


@dataclass
class Pack:
    """What pack and facts file will contain; :mod:`.withheld` can take things out of it. ``cells``: unit →
    column → cell. ``told``: the stanzas of the facts file."""

    setup: GameSetup
    board: Board
    cells: dict[str, dict[str, str]]
    bound: dict[str, dict[str, Any]]
    phase_pattern: str
    told: list[tuple[str, dict[str, Any]]]

    def _looked_up(self, key: str) -> list[dict[str, Any]]:
        """The binding of an attribute: where it is found, and what a blank means."""
        blank = self.setup.blank
        return [self.bound[key], *([{"value": blank[key]}] if key in blank else [])]

    def pack_toml(self, ruleset: str) -> str:
        setup = self.setup
        lines = [
            '[pack]\nname = "proof"\nversion = "1"', f"ruleset = {toml(ruleset)}",
            f"[board]\nname = {toml(BOARD)}\ncomplete = {toml(sorted(self.board.complete))}",
            f"[[board.sheet]]\nmap = {toml(MAIN)}", f"[[box]]\nmap = {toml(BOX)}",
            '[[units.are]]\nlisted = true\n[units]\nside = { column = "side" }',
            f"complete = {toml(['units', *(key for key in setup.blank if key in self.bound)])}",
            "[units.attributes]",
            *(f"{json.dumps(key)} = {toml(self._looked_up(key))}" for key in self.bound),
        ]  # fmt: skip
        if self.phase_pattern:
            lines.append('[[phases.from]]\nturn_tracker = "Turn"\ncertain = true')
            lines.append(f"pattern = {toml(self.phase_pattern)}")
        for rule in setup.phases:
            lines.append(f"[[phase]]\nname = {toml(rule.name)}\nmovers = {toml(rule.movers)}")
            lines.append(f"forms = {toml(rule.forms)}\ncomplete = {toml(rule.complete)}")
            lines.append(f"dice = {toml(rule.dice)}")
            if rule.complete_for:
                lines.append(f"complete_for = {toml(rule.complete_for)}")
        for form in setup.forms:
            lines.append(f"[[form]]\nname = {toml(form.name)}\njudged = {toml(form.judged)}")
            lines += [f"units = {toml(form.units)}"] if form.units else []
        charts = {
            "complete": sorted(schema_of(rulesets().get(ruleset))["properties"]),
            **setup.rules,
        }
        for head, table in (("rules", charts), ("options", setup.options)):
            lines.append(f"[{head}]")
            lines += [f"{json.dumps(key)} = {toml(value)}" for key, value in table.items()]
        return "\n".join(lines) + "\n"

    def sheets(self) -> Iterator[tuple[str, str]]:
        board = self.board
        rows = ["hex,terrain,level,features"]
        for here in board.hexes.values():
            terrain = "?" if here.terrain is None else "+".join(here.terrain)
            level = "?" if here.level is None else str(here.level)
            rows.append(f"{here.name},{terrain},{level},{'+'.join(here.features)}")
        yield "hexes.csv", "\n".join(rows) + "\n"
        rows = ["kind,path,junctions"]
        for line in board.lines:
            rows.append(f"{line.kind},{' '.join(line.hexes)},{'yes' if line.junctions else 'no'}")
        for (a, b), features in board.sides.items():
            rows += [f"{feature},{a}/{b}," for feature in features]
        yield "lines.csv", "\n".join(rows) + "\n"
        columns = sorted({column for cells in self.cells.values() for column in cells} - {"side"})
        rows = [",".join(["name", "side", *columns])]
        for name, cells in self.cells.items():
            rows.append(",".join([name, *(cells.get(column, "") for column in ["side", *columns])]))
        yield "units.csv", "\n".join(rows) + "\n"

    def facts_toml(self, logs: Sequence[str]) -> str:
        """``logs``: the names of the files whose numbers the facts count."""
        stanzas = [f'[facts]\nversion = "1"\nlogs = {toml(list(logs))}']
        for head, entries in self.told:
            stanzas.append(f"[[{head}]]")
            stanzas += [f"{key} = {toml(value)}" for key, value in entries.items()]
        return "\n".join(stanzas) + "\n"


def full_pack(setup: GameSetup) -> Pack:
    """A pack with everything that is known about a game setup."""
    cells: dict[str, dict[str, str]] = {}
    bound: dict[str, dict[str, Any]] = {}
    for name, unit in setup.units.items():
        cells[name] = {"side": unit.side or "?"}
        for key, fact in unit.attributes.items():
            assert fact.value is not None, "all of a game setup is known"
            source = {"property": key} if key in setup.changing else {"column": key}
            bound.setdefault(key, {**source, **_reading(fact.value)})
            if key not in setup.changing:
                cells[name][key] = written(fact.value)
    told = [("condition", {"key": k, "value": v}) for k, v in setup.conditions.items()]
    pattern = "Turn (?P<turn>[0-9]+), (?P<active>[^ ]+) (?P<phase>.+)"
    return Pack(setup, setup.board, cells, bound, pattern, told)


def _reading(value: Value) -> dict[str, Any]:
    if isinstance(value, bool):
        return {"map": {"true": True, "false": False}}
    return {"number": True} if isinstance(value, Fraction) else {}


@dataclass(frozen=True)
class Files:
    """A game on disk. ``at``: for each action its log and step."""

    named: Named
    at: tuple[tuple[int, int], ...]


def write(
    kit: Kit,
    setup: GameSetup,
    actions: Iterable[Action],
    folder: Path,
    *,
    logs: int = 1,
    poorer: Callable[[Pack], None] = lambda pack: None,
) -> Files:
    """Writes module, logs, pack and facts into an empty folder. ``poorer``: takes things out of pack and
    facts first."""
    several, pack = list(actions), full_pack(setup)
    log = Log(setup, next(action for action in several if isinstance(action, Phase)))
    at: list[tuple[int, int]] = []
    ends = {len(several) * n // logs for n in range(1, logs)}
    active = setup.sides[0]
    for number, action in enumerate(several):
        if number in ends and not isinstance(action, Undo):
            log.end()
        active = action.active if isinstance(action, Phase) else active
        mover = action.units[0] if isinstance(action, Drag) else ""
        mover = action.unit if isinstance(action, Change) else mover
        if isinstance(action, Undo) and log.last is not None:
            mover = log.last[0].units[0]
        side = (setup.units[mover].side if mover else None) or active
        log.write(action, side)
        at.append((len(log.texts) + 1, len(log.steps)))
        if isinstance(action, Drag):
            pack.told += list(_declared(action, at[-1]))
    log.end()
    poorer(pack)
    (folder / "pack").mkdir(parents=True)
    contents = contents_of(setup)
    pictures = {"images/map.png": bare_map(contents.grid.columns, contents.grid.rows)}
    build_file = contents.build_file().encode()
    write_module(folder / "proof.vmod", build_file, contents.module_data, pictures)
    paths = []
    for count, text in enumerate(log.texts, 1):
        paths.append(folder / f"{count}.vlog")
        write_save(paths[-1], text, moduledata=contents.module_data, savedata=contents.save_data)
    (folder / "pack" / "pack.toml").write_text(pack.pack_toml(kit.name), encoding="utf-8")
    for name, text in pack.sheets():
        (folder / "pack" / name).write_text(text, encoding="utf-8")
    (folder / "facts.toml").write_text(
        pack.facts_toml([path.name for path in paths]), encoding="utf-8"
    )
    named = Named(tuple(paths), folder / "proof.vmod", folder / "pack", folder / "facts.toml")
    return Files(named, tuple(at))


def _declared(action: Drag, at: tuple[int, int]) -> Iterator[tuple[str, dict[str, Any]]]:
    step = f"{at[0]}:{at[1]}"
    for key, value in action.known.items():
        yield "condition", {"key": key, "value": value, "first": step, "last": step}
    for unit in action.units:
        if action.form:
            where = {"log": at[0], "steps": str(at[1])}
            yield "displacement", {"form": action.form, "unit": unit, **where}
        for key, value in action.declared.items():
            yield (
                "condition",
                {"key": key, "unit": unit, "value": value, "first": step, "last": step},
            )


def audit(files: Files) -> tuple[Audit, Game]:
    """The audit that `umpire audit` makes of the files, and the game."""
    return audit_files(files.named, Viewer(director=True))
