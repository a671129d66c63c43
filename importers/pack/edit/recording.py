"""The records that follow from edits: of painted facts, and of all known facts once records are required.

A painted fact gets a record only if the pack requires records. A record keeps the previous known value of its
cell. A record of a former value is removed, or stays, void, if nothing else keeps that value.
"""

from __future__ import annotations

from collections.abc import Container, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from ....model.board import edge
from ....model.provenance import Key, Method, Record, Status
from ....model.vouching import NOTHING, YES, cell_of, every_side, set_text
from ..facts import DeclaredPhase
from ..facts_file import phases_in
from ..provenance import Unrecorded, vouched_by
from ..terrain import NOT_KNOWN, words
from .change import (
    TOLD_LAYERS,
    Change,
    FileOf,
    HexCell,
    RecordOf,
    SidesComplete,
    Stanza,
    TomlValue,
    What,
)
from .draft import Draft
from .lines import Step
from .records import RecordTable

REQUIRED = "required"


@dataclass(frozen=True, slots=True)
class Signed:
    """The author of edits, and ``when`` (ISO 8601); ``method``: how he found what he typed; ``status``: that
    of his entries; None: they get no record, and are not known if records are required."""

    who: str
    when: str
    method: Method
    status: Status | None = "typed"

    def record(self, key: Key, value: str) -> Record | None:
        """The record of something entered."""
        if self.status is None:
            return None
        return Record(key, value, self.status, (self.who,), self.when, self.method)


def is_whole(draft: Draft, step: Step) -> bool:
    """Whether, by the files, a hexside has only the listed entries in this layer."""
    whole = step.layer in draft.values("pack").get("board", {}).get("complete", ())
    return whole or any(step.layer in draft.hexes.told(name) for name in step.side)


def is_required(draft: Draft, file: FileOf) -> bool:
    """Whether a fact without a record is not known."""
    table = "board" if file == "pack" else "facts"
    return bool(draft.values(file).get(table, {}).get("provenance") == REQUIRED)


class Following:
    """The records that follow from an edit. ``asked``: the records given with it, by their keys; None: one
    could not be read, or is removed."""

    def __init__(self, draft: Draft, signed: Signed, asked: Mapping[Key, Record | None]) -> None:
        self._draft, self._signed, self._asked = draft, signed, asked

    def kinds(self, what: What) -> frozenset[str]:
        """What is on the hexside that an edit is about, before it."""
        if isinstance(what, Step):
            return self._draft.lines.kinds(what.layer, what.side)
        return frozenset()

    def after(self, what: What, was: Any, now: Any, before: frozenset[str]) -> Iterator[Change]:
        """The changes of records after an edit."""
        if isinstance(what, HexCell):
            found = self._cell(what, was, now)
        elif isinstance(what, Step):
            found = self._step(what, now, before)
        elif isinstance(what, SidesComplete):
            found = self._told(what.hex, now - was, was - now)
        elif isinstance(what, Stanza) and (what.file, what.table) == ("facts", "phase"):
            found = self._phase(was, now)
        else:
            return
        for key, value in found:
            if key in self._asked:
                continue
            held = self._held(key)
            record = None if value is None else self._record(what, key, value)
            if record is not None:
                yield Change(RecordOf(key), None, record.instead_of(held))
            elif value is not None and (held is None or held.value == value):
                continue
            elif not self._remembers(what, key, now):
                yield Change(RecordOf(key), None, None)

    def _record(self, what: What, key: Key, value: str) -> Record | None:
        """The record of a fact that follows. If nobody vouches for the given terrain, nobody vouches for
        it."""
        told = self._asked.get(Key(what.hex, what.layer)) if isinstance(what, HexCell) else None
        if told is not None and not told.is_known:
            return replace(told, key=key, value=value)
        return self._signed.record(key, value)

    def _remembers(self, what: What, key: Key, now: Any) -> bool:
        """Whether a record stays, though void, because only it keeps the cell's former known value."""
        held = self._held(key)
        if held is None or not held.is_known or not isinstance(what, HexCell | Step):
            return False
        alone = not key.name or self._held(key._replace(name="")) is None
        return alone and now != NOT_KNOWN

    def _required(self, file: FileOf = "pack") -> bool:
        return is_required(self._draft, file)

    def _held(self, key: Key) -> Record | None:
        held: Record | None = self._draft.get(RecordOf(key))
        return held

    def _cell(self, what: HexCell, was: str, now: str) -> Iterator[tuple[Key, str | None]]:
        whole = Key(what.hex, what.layer)
        if what.layer == "features":
            names = set() if now == NOT_KNOWN else set(words(now))
            for record in self._draft.records.of_cell(what.hex):
                if record.key.layer == "features" and record.key.name not in {*names, ""}:
                    yield record.key, None
            if not self._required():
                yield whole, None
                return
            for name in sorted(names):
                new = name not in words(was)  # an older record speaks of what went away
                if new or self._held(Key(what.hex, "features", name)) is None:
                    yield Key(what.hex, "features", name), YES
            yield whole, None if now == NOT_KNOWN else set_text(names)
            return
        value: str | None = now
        complete = self._draft.values("pack").get("board", {}).get("complete", ())
        if not now and what.layer == "level" and "levels" in complete:
            value = NOTHING
        known = value not in ("", NOT_KNOWN) and self._required()
        yield whole, value if known else None
        if (
            known and what.layer == "terrain"
        ):  # a row with a terrain says that nothing else is there
            rest = Key(what.hex, "features")
            held = self._held(rest)
            bare = not self._draft.get(HexCell(what.hex, "features"))
            if bare and (held is None or not held.is_known):
                yield rest, NOTHING

    def _step(
        self, what: Step, now: str, before: frozenset[str]
    ) -> Iterator[tuple[Key, str | None]]:
        cell = cell_of(what.side)
        yield Key(cell, what.layer, what.kind), YES if now == YES and self._required() else None
        whole = Key(cell, what.layer)
        held = self._held(whole)
        if held is not None:
            spoke = held.is_known and held.value == set_text(before) and now != NOT_KNOWN
            kinds = self._draft.lines.kinds(what.layer, what.side)
            yield whole, set_text(kinds) if spoke else None

    def _told(
        self, name: str, more: frozenset[str], less: frozenset[str]
    ) -> Iterator[tuple[Key, str | None]]:
        if not self._required():
            return
        draft = self._draft
        for near in draft.board.neighbours(name):
            side = edge(name, near)
            for layer in TOLD_LAYERS:
                key = Key(cell_of(side), layer)
                held = self._held(key)
                if layer in more:
                    kinds = set_text(draft.lines.kinds(layer, side))
                    if held is None or not held.is_known or held.value != kinds:
                        yield key, kinds
                    continue
                gone = layer in less and layer not in draft.hexes.told(near)
                if gone and held is not None and held.status == "typed":
                    yield key, None

    def _phase(
        self, was: Mapping[str, Any] | None, now: Mapping[str, Any] | None
    ) -> Iterator[tuple[Key, str | None]]:
        for phase in _phases(() if was is None else (was,)):
            yield phase.key, None
        if self._required("facts"):
            for phase in _phases(() if now is None else (now,)):
                yield phase.key, phase.value


def _phases(plain: Sequence[Mapping[str, Any]]) -> tuple[DeclaredPhase, ...]:
    try:
        return phases_in({"phase": [dict(one) for one in plain]})
    except (KeyError, ValueError, TypeError, AttributeError):  # the schema will say what is wrong
        return ()


def require(draft: Draft, file: FileOf, signed: Signed, asked: Container[Key]) -> Iterator[Change]:
    """Make the pack, or the facts, require records, after giving each known fact without one a record."""
    if is_required(draft, file):
        return
    alone = signed.who if signed.status == "suggested" else ""
    without = Unrecorded(vouched_by(draft.values("pack")), signed.when, alone)
    found = known_facts(draft) if file == "pack" else _known_phases(draft)
    table: RecordTable = draft.records if file == "pack" else draft.phase_records
    for key, value in found:
        held = table.get(key)
        if key not in asked and (held is None or held.value != value):
            yield Change(RecordOf(key), held, without.record(key, value))
    path = ("board" if file == "pack" else "facts", "provenance")
    yield Change(TomlValue(file, path), None, REQUIRED)


def _known_phases(draft: Draft) -> Iterator[tuple[Key, str]]:
    for phase in _phases(draft.values("facts").get("phase", ())):
        yield phase.key, phase.value


def known_facts(draft: Draft) -> Iterator[tuple[Key, str]]:
    """All facts of the board that count as known without records, with their values."""
    board, complete = draft.board, draft.values("pack").get("board", {}).get("complete", ())
    for name in board.hexes:
        terrain, level, features = (
            draft.get(HexCell(name, x)) for x in ("terrain", "level", "features")
        )
        if terrain not in ("", NOT_KNOWN):
            yield Key(name, "terrain"), terrain
        if level not in ("", NOT_KNOWN):
            yield Key(name, "level"), level
        elif not level and "levels" in complete:
            yield Key(name, "level"), NOTHING
        if features != NOT_KNOWN:
            yield from ((Key(name, "features", one), YES) for one in words(features))
            if terrain not in ("", NOT_KNOWN):
                yield Key(name, "features"), set_text(words(features))
    for side in every_side(board):
        for layer in TOLD_LAYERS:
            cell = cell_of(side)
            said = draft.lines.said(layer, side)
            kinds = sorted(kind for kind, what in said.items() if what == YES)
            yield from ((Key(cell, layer, kind), YES) for kind in kinds)
            if NOT_KNOWN not in said.values() and is_whole(draft, Step(layer, "", side)):
                yield Key(cell, layer), set_text(kinds)
