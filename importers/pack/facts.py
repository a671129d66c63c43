"""Facts of one game (``facts.toml``): what no log tells, written down by hand.

Each entry may hold for a range of steps: ``log`` with ``steps`` ("1-34", "7", "35-"), or ``first`` and
``last`` over several logs ("1:5"). Ranges include both ends.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from ...model.fact import Fact
from ...model.game import PhaseStart, StepRef
from ...model.plain import BACKWARDS, fact_of, is_backwards
from ...model.problem import Problem
from ...model.provenance import Key, Record, by_key, current
from ..ordinary import is_there
from .load import wrong
from .provenance import read_provenance
from .toml_text import Path_, check, line_of, parse_toml, read_bytes

FACTS_FILE = "facts.toml"
LAST_STEP = 10**9


@dataclass(frozen=True, slots=True)
class Span:
    """Steps from ``first`` to ``last``, both included; ``last`` None: to the end of the game."""

    first: StepRef = field(default_factory=lambda: StepRef(1, 0))
    last: StepRef | None = None

    @property
    def whole(self) -> bool:
        """Whether it is the whole game."""
        return self.first <= StepRef(1, 0) and self.last is None

    def __contains__(self, at: StepRef) -> bool:
        return self.first <= at and (self.last is None or at <= self.last)


@dataclass(frozen=True, slots=True)
class DeclaredPhase:
    """Turn, phase and active side of a span, as far as they are declared. ``combat``: whether these steps,
    inside a movement phase, were combat; None: not declared. ``suggested``: it does not count as known."""

    span: Span
    turn: str | None
    phase: str | None
    active: str | None
    source: str
    combat: bool | None = None
    suggested: bool = False

    @property
    def key(self) -> Key:
        """What a record of this phase is about."""
        last = self.span.last
        end = "" if last is None or last.step >= LAST_STEP else str(last)
        return Key(f"{self.span.first}-{end}", "phase")

    @property
    def value(self) -> str:
        """The value in a record of this phase: turn, phase, active side."""
        told = (self.turn, self.phase, self.active)
        text = "/".join("-" if one is None else one for one in told)
        return text if self.combat is None else f"{text}/combat {'yes' if self.combat else 'no'}"

    def start(self, at: StepRef) -> PhaseStart:
        """The start of the phase at a step of the span, or its continuation. If the span has a last step, the
        phase ends with it; otherwise its end is not known."""
        last = self.span.last
        end = None if last is None or last.step >= LAST_STEP else last
        phase = None if self.combat else self.phase
        if self.suggested:
            return PhaseStart(
                at,
                self.turn,
                phase,
                self.active,
                self.source,
                certain=False,
                last=end,
                suggested=True,
            )
        return PhaseStart(
            at,
            self.turn,
            phase,
            self.active,
            self.source,
            declared=True,
            last=end,
            combat=self.combat,
        )


def phase_at(phases: Iterable[DeclaredPhase], at: StepRef) -> DeclaredPhase | None:
    """The phase declared for a step. If two spans hold the step, the inner one counts. None if there is
    none."""
    return max((p for p in phases if at in p.span), key=_width, default=None)


def _width(phase: DeclaredPhase) -> tuple[StepRef, int, int]:
    """Greater for a phase that lies within another."""
    last = phase.span.last
    return (phase.span.first, *((-last.log, -last.step) if last is not None else (-LAST_STEP, 0)))


@dataclass(frozen=True, slots=True)
class DeclaredCondition:
    """A condition (weather, supply) of the game or, with ``unit``, of one unit (id or name)."""

    key: str
    fact: Fact
    span: Span
    unit: str
    source: str


@dataclass(frozen=True, slots=True)
class DeclaredUnit:
    """Side and attributes of a unit (id or name) in a span."""

    unit: str
    side: str | None
    attributes: Mapping[str, Fact]
    span: Span
    source: str


@dataclass(frozen=True, slots=True)
class DeclaredHex:
    """Terrain, level, features of a hex in a span; None: as the pack says."""

    hex: str
    terrain: tuple[str, ...] | None
    level: int | None
    features: tuple[str, ...] | None
    source: str
    span: Span = field(default_factory=Span)


@dataclass(frozen=True, slots=True)
class DeclaredHexside:
    """The features of a hexside in a span, and the kinds of lines that cross it; None: as the pack says."""

    hexes: tuple[str, str]
    has: tuple[str, ...] | None
    source: str
    lines: tuple[str, ...] | None = None
    span: Span = field(default_factory=Span)


@dataclass(frozen=True, slots=True)
class DeclaredLine:
    """Whether a line of a kind runs along a chain of hexes in a span."""

    kind: str
    hexes: tuple[str, ...]
    there: bool
    source: str
    span: Span = field(default_factory=Span)


DeclaredCell = DeclaredHex | DeclaredHexside | DeclaredLine


@dataclass(frozen=True, slots=True)
class Amendment:
    """Changes to the pack for this game. ``values``: written as in ``pack.toml``."""

    values: Mapping[str, Any]
    source: str


@dataclass(frozen=True)
class Facts:
    """All facts of one file; empty if there is no file. ``files``: all files that were read."""

    title: str = ""
    version: str = ""
    pack: str = ""
    file: str = ""
    sha256: str = ""
    records_file: str = ""
    records_sha256: str = ""
    phases: tuple[DeclaredPhase, ...] = ()
    conditions: tuple[DeclaredCondition, ...] = ()
    units: tuple[DeclaredUnit, ...] = ()
    hexes: tuple[DeclaredHex, ...] = ()
    hexsides: tuple[DeclaredHexside, ...] = ()
    lines: tuple[DeclaredLine, ...] = ()
    amendments: tuple[Amendment, ...] = ()
    files: tuple[Path, ...] = ()


NO_FACTS = Facts()


def load_facts(path: Path) -> Facts:
    """The facts in a file. Raises :class:`Unreadable`, or :class:`WrongPack` with one problem a fault."""
    data = read_bytes(path)
    values, lines = parse_toml(data, path.name)
    problems = list(check("facts", values, path.name, lines))
    if problems:
        raise wrong(path.name, problems)
    reader = _Reader(path.name, lines)
    head = values.get("facts", {})
    reader.check_filled(values)
    facts = Facts(
        title=head.get("title", ""),
        version=head.get("version", ""),
        pack=head.get("pack", ""),
        file=path.name,
        sha256=hashlib.sha256(data).hexdigest(),
        files=(path,),
        phases=tuple(reader.phase(p, i) for i, p in enumerate(values.get("phase", ()))),
        conditions=reader.conditions(values),
        units=tuple(reader.unit(u, i) for i, u in enumerate(values.get("unit", ()))),
        hexes=tuple(reader.hex(h, i) for i, h in enumerate(values.get("hex", ()))),
        hexsides=tuple(reader.hexside(h, i) for i, h in enumerate(values.get("hexside", ()))),
        lines=tuple(reader.line(line, i) for i, line in enumerate(values.get("line", ()))),
        amendments=tuple(
            Amendment(amended, reader.source(("pack", i)))
            for i, amended in enumerate(values.get("pack", ()))
        ),
    )
    reader.check_phases(facts.phases)
    facts = _vouched(facts, path, head.get("provenance") == "required", reader)
    if reader.problems:
        raise wrong(path.name, reader.problems)
    return facts


def phases_in(values: Mapping[str, Any], file: str = FACTS_FILE) -> tuple[DeclaredPhase, ...]:
    """The phases that the values of a facts file declare, which fit the schema."""
    reader = _Reader(file, {})
    return tuple(reader.phase(plain, i) for i, plain in enumerate(values.get("phase", ())))


def _vouched(facts: Facts, path: Path, required: bool, reader: _Reader) -> Facts:
    """The facts with their phases as far as they count as known, by ``NAME.provenance.csv`` beside them."""
    file = path.with_name(f"{path.stem}.provenance.csv")
    records: dict[Key, Record] = {}
    digest = ""
    if is_there(file):
        read, problems = read_provenance(file)
        reader.problems += problems
        records = by_key(read)
        digest = hashlib.sha256(read_bytes(file)).hexdigest()
    if not required:
        for record in records.values():
            if not record.is_known:
                message = (
                    f'expected provenance = "required" under [facts], as {file.name} has a phase'
                )
                reader.fault(("facts",), f"{message} that is {record.status}; found none")
                break
    known = current(records, {phase.key: phase.value for phase in facts.phases})

    def is_known(phase: DeclaredPhase) -> bool:
        record = known.get(phase.key)
        return record.is_known if record is not None else not required

    phases = tuple(replace(phase, suggested=not is_known(phase)) for phase in facts.phases)
    return replace(
        facts,
        phases=phases,
        records_file=file.name,
        records_sha256=digest,
        files=(*facts.files, *([file] if digest else ())),
    )


class _Reader:
    def __init__(self, file: str, lines: dict[Path_, int]) -> None:
        self.file, self.lines = file, lines
        self.problems: list[Problem] = []

    def source(self, path: Path_) -> str:
        line = line_of(path, self.lines)
        return f"{self.file} line {line}" if line else self.file

    def span(self, plain: dict[str, Any], path: Path_) -> Span:
        if "log" in plain and ("first" in plain or "last" in plain):
            self.fault(path, "expected log and steps, or first and last; found both")
        if "log" in plain:
            first, last = _steps(plain.get("steps", "0-"))
            log = plain["log"]
            first = 0 if "steps" not in plain else first
            span = Span(StepRef(log, first), StepRef(log, LAST_STEP if last is None else last))
        else:
            begin = _at(plain["first"]) if "first" in plain else StepRef(1, 0)
            span = Span(begin, _at(plain["last"]) if "last" in plain else None)
        if span.last is not None and span.last < span.first:
            self.fault(
                path,
                f"expected a range that ends after it begins; found {span.first} to {span.last}",
            )
        return span

    def fault(self, path: Path_, message: str) -> None:
        self.problems.append(Problem("facts", message, self.source(path), "error"))

    def check_filled(self, values: Any, path: Path_ = ()) -> None:
        """A stanza copied from a report must have its question marks replaced."""
        if isinstance(values, dict):
            for key, value in values.items():
                self.check_filled(value, (*path, key))
        elif isinstance(values, list):
            for index, value in enumerate(values):
                self.check_filled(value, (*path, index))
        elif values == "?":
            self.fault(path, "expected a value in place of the question mark")

    def phase(self, plain: dict[str, Any], index: int) -> DeclaredPhase:
        path = ("phase", index)
        turn = plain.get("turn")
        if plain.get("combat") is False and "phase" not in plain:
            self.fault(
                path, "expected the key phase beside combat = false: which phase it is part of"
            )
        return DeclaredPhase(
            span=self.span(plain, path),
            turn=None if turn is None else str(turn),
            phase=plain.get("phase"),
            active=plain.get("active"),
            source=self.source(path),
            combat=plain.get("combat"),
        )

    def conditions(self, values: dict[str, Any]) -> tuple[DeclaredCondition, ...]:
        """Conditions, and the forms of displacements, which are conditions with the key ``form``."""
        result = []
        for name in ("condition", "displacement"):
            for index, plain in enumerate(values.get(name, ())):
                path = (name, index)
                source = self.source(path)
                key, value = plain.get("key", "form"), plain.get("value", plain.get("form"))
                span = self.span(plain, path)
                fact = self.fact(value, (*path, "value" if "value" in plain else "form"), source)
                result.append(DeclaredCondition(key, fact, span, plain.get("unit", ""), source))
        return tuple(result)

    def fact(self, plain: Any, path: Path_, source: str) -> Fact:
        """The fact that a value stands for."""
        if is_backwards(plain):
            self.fault(
                path, f"expected a range {BACKWARDS}; found {plain['from']} to {plain['to']}"
            )
        return fact_of(plain, source)

    def unit(self, plain: dict[str, Any], index: int) -> DeclaredUnit:
        path = ("unit", index)
        attributes = {
            name: self.fact(value, at := (*path, "attributes", name), self.source(at))
            for name, value in plain.get("attributes", {}).items()
        }
        span, source = self.span(plain, path), self.source(path)
        if "side" in plain and not span.whole:
            self.fault(
                (*path, "side"), "expected a side for the whole game; found a range of steps"
            )
        return DeclaredUnit(plain["unit"], plain.get("side"), attributes, span, source)

    def hex(self, plain: dict[str, Any], index: int) -> DeclaredHex:
        def words(key: str) -> tuple[str, ...] | None:
            return tuple(plain[key]) if key in plain else None

        path = ("hex", index)
        return DeclaredHex(
            plain["hex"],
            words("terrain"),
            plain.get("level"),
            words("features"),
            self.source(path),
            self.span(plain, path),
        )

    def hexside(self, plain: dict[str, Any], index: int) -> DeclaredHexside:
        path = ("hexside", index)
        a, b = plain["hexes"]
        has, lines = (tuple(plain[k]) if k in plain else None for k in ("has", "lines"))
        return DeclaredHexside((a, b), has, self.source(path), lines, self.span(plain, path))

    def line(self, plain: dict[str, Any], index: int) -> DeclaredLine:
        path, there = ("line", index), plain.get("there", True)
        hexes, span = tuple(plain["hexes"]), self.span(plain, path)
        return DeclaredLine(plain["kind"], hexes, there, self.source(path), span)

    def check_phases(self, phases: tuple[DeclaredPhase, ...]) -> None:
        """Check that of two phases that hold the same step one lies within the other."""
        ordered = sorted(enumerate(phases), key=lambda pair: _width(pair[1]))
        around: list[DeclaredPhase] = []
        for index, phase in ordered:
            while around and not _meet(around[-1].span, phase.span):
                around.pop()
            if around and not _lies_within(phase.span, around[-1].span):
                self.fault(
                    ("phase", index),
                    "expected steps of no other [[phase]], or only of one that holds all of them; found "
                    f"{phase.span.first}, which {around[-1].source} has",
                )
            around.append(phase)


def _meet(span: Span, later: Span) -> bool:
    """Whether ``later``, which begins no earlier, begins within ``span``."""
    return span.last is None or later.first <= span.last


def _lies_within(span: Span, outer: Span) -> bool:
    """Whether ``span``, which begins within ``outer`` and no earlier, is a part of it."""
    if outer.last is None:
        return span.first > outer.first or span.last is not None
    return span.last is not None and span.last <= outer.last and span != outer


def _steps(text: str) -> tuple[int, int | None]:
    first, dash, last = text.replace(" ", "").partition("-")
    return int(first), (int(first) if not dash else int(last) if last else None)


def _at(text: str) -> StepRef:
    log, step = text.split(":")
    return StepRef(int(log), int(step))
