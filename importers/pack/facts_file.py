"""Reads and checks ``facts.toml``: its facts, and problems with their lines."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from ...model.codec import Codecs
from ...model.fact import Fact
from ...model.game import StepRef
from ...model.plain import BACKWARDS, fact_of, is_backwards
from ...model.problem import Problem
from ...model.provenance import Key, Record, by_key, current
from ..ordinary import is_there
from .facts import (
    BEGINNING,
    FACTS_FILE,
    LAST_STEP,
    Amendment,
    DeclaredCondition,
    DeclaredHex,
    DeclaredHexside,
    DeclaredLine,
    DeclaredPhase,
    DeclaredUnit,
    Facts,
    Span,
)
from .load import wrong
from .provenance import read_provenance
from .toml_text import Path_, check, line_of, parse_toml, read_bytes


def load_facts(path: Path) -> Facts:
    """The facts in a file. Raises :class:`Unreadable`, or :class:`WrongPack` with one problem a fault."""
    data = read_bytes(path)
    values, lines = parse_toml(data, path.name)
    problems = list(check("facts", values, path.name, lines))
    if problems:
        raise wrong(path.name, problems)
    head = values.get("facts", {})
    reader = _Reader(path.name, lines, head.get("logs", ()))
    reader.check_filled(values)
    facts = Facts(
        **{key: head[key] for key in ("title", "version") if key in head},
        file=path.name,
        sha256=hashlib.sha256(data).hexdigest(),
        files=(path,),
        phases=reader.stanzas(values, "phase"),
        conditions=(*reader.stanzas(values, "condition"), *reader.stanzas(values, "displacement")),
        units=reader.stanzas(values, "unit"),
        hexes=reader.stanzas(values, "hex"),
        hexsides=reader.stanzas(values, "hexside"),
        lines=reader.stanzas(values, "line"),
        amendments=tuple(
            Amendment(amended, reader.source(("pack", i)))
            for i, amended in enumerate(values.get("pack", ()))
        ),
    )
    facts = replace(facts, logs=tuple(reader.names), listed=reader.listed)
    facts = _vouched(facts, path, head.get("provenance") == "required", reader)
    if reader.problems:
        raise wrong(path.name, reader.problems)
    return facts


def phases_in(values: Mapping[str, Any]) -> tuple[DeclaredPhase, ...]:
    """The phases that the values of a facts file declare, which fit the schema."""
    return _Reader(FACTS_FILE, {}).stanzas(values, "phase")


def records_of(facts: Path) -> Path:
    """The path of a facts file's records, which say who vouches for what; the file may be missing."""
    return facts.with_name(f"{facts.stem}.provenance.csv")


def _vouched(facts: Facts, path: Path, required: bool, reader: _Reader) -> Facts:
    """The facts, in which phases that do not count as known by the records are marked as suggested."""
    file = records_of(path)
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
    def __init__(self, file: str, lines: dict[Path_, int], logs: Iterable[str | int] = ()) -> None:
        self.file, self.lines = file, lines
        self.problems: list[Problem] = []
        self.logs: dict[str | int, int] = {}
        """The place of each log, from 1, by its name or number."""
        twice = None
        for log in logs:
            twice = log if log in self.logs else twice
            self.logs.setdefault(log, len(self.logs) + 1)
        self.listed = len(self.logs)
        self.names = list(self.logs)
        if twice is not None:
            message = f"expected each log once (two logs of one name by their SHA-256); found {twice} twice"
            self.fault(("facts", "logs"), message)

    def source(self, path: Path_) -> str:
        line = line_of(path, self.lines)
        return f"{self.file} line {line}" if line else self.file

    def span(self, plain: dict[str, Any], path: Path_) -> Span:
        if "log" in plain and ("first" in plain or "last" in plain):
            self.fault(path, "expected log and steps, or first and last; found both")
        if "log" in plain:
            begin, end = _steps(plain["steps"]) if "steps" in plain else (0, None)
            log = self.number(plain["log"], path)
            span = Span(StepRef(log, begin), StepRef(log, LAST_STEP if end is None else end))
        else:
            start = self.at(plain["first"], path) if "first" in plain else BEGINNING
            span = Span(start, self.at(plain["last"], path) if "last" in plain else None)
        if span.last is not None and span.last.log == span.first.log and span.last < span.first:
            first, last = self.written(span)
            self.fault(path, f"expected a range that ends after it begins; found {first} to {last}")
        return span

    def at(self, text: str, path: Path_) -> StepRef:
        log, step = _at(text)
        return StepRef(self.number(log, path), step)

    def number(self, log: str | int, path: Path_) -> int:
        """The place of a log among :attr:`Facts.logs`, from 1."""
        if isinstance(log, int) and self.listed:
            if not 1 <= log <= self.listed:
                listed = f"one of the {self.listed} logs under [facts], or the name of a log"
                self.fault(path, f"expected {listed}; found log {log}")
            return min(max(log, 1), self.listed)
        if log not in self.logs:
            self.names.append(log)
        return self.logs.setdefault(log, len(self.names))

    def written(self, span: Span) -> tuple[str, str]:
        """Both ends of a span with their logs as the file names them; "" for the end of a log, or of the
        game."""
        first, last = span.first, span.last
        begin = f"{self.names[first.log - 1]}:{first.step}" if first.log else str(StepRef(1, 0))
        if last is None or last.step >= LAST_STEP:
            return begin, ""
        return begin, f"{self.names[last.log - 1]}:{last.step}"

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

    def stanzas(self, values: Mapping[str, Any], table: str) -> tuple[Any, ...]:
        """The facts in the tables of one name, by the fields of their values."""
        found = []
        for index, plain in enumerate(values.get(table, ())):
            path = (table, index)
            told = {"source": self.source(path), **plain, "span": self.span(plain, path)}
            if table in _MORE:
                told |= _MORE[table](self, told, path)
            found.append(_STANZAS[table].read(told))
        return tuple(found)

    def phase(self, told: dict[str, Any], path: Path_) -> dict[str, Any]:
        turn, combat = told.get("turn"), told.get("combat")
        combat = combat == "yes" if isinstance(combat, str) else combat
        if combat is False and "phase" not in told:
            self.fault(
                path, 'expected the key phase beside combat = "no": which phase it is part of'
            )
        turn = None if turn is None else str(turn)
        return {"turn": turn, "combat": combat, "steps": "-".join(self.written(told["span"]))}

    def condition(self, told: dict[str, Any], path: Path_) -> dict[str, Any]:
        """A condition, or the form of a displacement, which is a condition with the key ``form``."""
        key = "value" if "value" in told else "form"
        return {"key": "form", **told, "value": self.fact(told[key], (*path, key), told["source"])}

    def unit(self, told: dict[str, Any], path: Path_) -> dict[str, Any]:
        if "side" in told and not told["span"].whole:
            self.fault(
                (*path, "side"), "expected a side for the whole game; found a range of steps"
            )
        return {
            "attributes": {
                name: self.fact(value, at := (*path, "attributes", name), self.source(at))
                for name, value in told.get("attributes", {}).items()
            }
        }

    def fact(self, plain: Any, path: Path_, source: str) -> Fact:
        """The fact that a value stands for."""
        if is_backwards(plain):
            self.fault(
                path, f"expected a range {BACKWARDS}; found {plain['from']} to {plain['to']}"
            )
        return fact_of(plain, source)


_CONDITION = Codecs({}).table(DeclaredCondition, keys={"fact": "value"}, absent={"unit": ""})
_STANZAS = {
    "phase": Codecs({}).table(DeclaredPhase),
    "condition": _CONDITION,
    "displacement": _CONDITION,
    "unit": Codecs({}).table(DeclaredUnit),
    "hex": Codecs({}).table(DeclaredHex),
    "hexside": Codecs({}).table(DeclaredHexside),
    "line": Codecs({}).table(DeclaredLine, absent={"there": True}),
}
_MORE = {
    "phase": _Reader.phase,
    "condition": _Reader.condition,
    "displacement": _Reader.condition,
    "unit": _Reader.unit,
}
"""The values of a stanza that differ from what the file says."""


def _steps(text: str) -> tuple[int, int | None]:
    first, dash, last = text.replace(" ", "").partition("-")
    return int(first), (int(first) if not dash else int(last) if last else None)


def _at(text: str) -> tuple[str | int, int]:
    log, _, step = text.rpartition(":")
    return int(log) if log.isascii() and log.isdigit() else log, int(step)
