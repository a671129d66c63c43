"""Batches of edits: each edit is made only if the files still have the values its author saw, and with its
records.

Painted cells count as typed by hand. They get a record only if the pack requires records. The first cell that
nobody has looked at makes the pack require them.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from ....model.problem import Problem, UmpireError
from ....model.provenance import Key, Record
from ..provenance import COLUMNS, record_cells
from ..terrain import NOT_KNOWN, words
from ..toml_text import check
from .change import (
    TOLD_LAYERS,
    Change,
    FileOf,
    HexCell,
    RecordOf,
    SidesComplete,
    Stanza,
    TomlValue,
    UnitCell,
    What,
    record_of,
    what_of,
)
from .draft import Draft
from .hexes import plain as plain_cell
from .lines import Step
from .recording import Following, Signed, is_whole, require
from .table import EditRefused

_SAID = {"yes": "yes", "no": "", "": "", "?": "?"}


@dataclass(frozen=True, slots=True)
class Refused:
    """An edit that was not made, by its index. ``now``: the present value in the files; ``why``: the reason,
    in one line."""

    number: int
    now: Any
    why: str


def make(
    draft: Draft, edits: Sequence[Mapping[str, Any]], signed: Signed
) -> tuple[tuple[Change, ...], tuple[Refused, ...]]:
    """Make edits in their order. Returns what was changed, and which edits were refused: all of them if the
    files could not be read afterwards."""
    asked = _Asked(edits, unseen=signed.status == "suggested")
    before = {file: _faults(draft, file) for file in asked.tomls}
    files = draft.files() if before else {}
    made: list[Change] = []
    refused: list[Refused] = []
    for file in asked.unseen:
        made += draft.put_all(require(draft, file, signed, asked.keys))
    for number, one in enumerate(edits):
        try:
            made += _one(draft, one, signed, asked)
        except UmpireError as error:
            now = _now(draft, one)
            refused.append(Refused(number, now, str(error)))
    for file, faults in before.items():
        new = [fault for fault in _faults(draft, file) if fault not in faults]
        if new:
            for name, data in files.items():
                draft.set_file(name, data)
            return (), tuple(Refused(n, None, str(new[0])) for n in range(len(edits)))
    return tuple(made), tuple(refused)


class _Asked:
    """The records that a batch of edits sets itself; they are not derived from other edits. ``unseen``: files
    that get facts nobody has looked at."""

    def __init__(self, edits: Iterable[Mapping[str, Any]], *, unseen: bool) -> None:
        self.keys: dict[Key, Record | None] = {}
        self.unseen: list[FileOf] = []
        self.tomls: list[FileOf] = []
        for one in edits:
            if one.get("kind") in ("toml", "stanza"):
                file = one.get("file", "facts")
                if file in ("pack", "facts") and file not in self.tomls:
                    self.tomls.append(file)
            if unseen and _on_board(one) and "pack" not in self.unseen:
                self.unseen.append("pack")
            if one.get("kind") != "record":
                continue
            try:
                what = what_of(one, {})
                record = record_of(what.key, one.get("now")) if isinstance(what, RecordOf) else None
            except UmpireError:
                continue
            if isinstance(what, RecordOf):
                self.keys[what.key] = record
                of: FileOf = "facts" if what.key.layer == "phase" else "pack"
                if record is not None and not record.is_known and of not in self.unseen:
                    self.unseen.append(of)


def _faults(draft: Draft, file: FileOf) -> list[Problem]:
    """The places where a file does not fit its schema."""
    name = "pack.toml" if file == "pack" else "facts.toml"
    return list(check(file, draft.values(file), name, {}))


def _now(draft: Draft, one: Mapping[str, Any]) -> Any:
    """The present value in the files, in the form of an edit; None if there is no such form."""
    try:
        what = what_of(one, draft.board.hexes if _on_board(one) else {})
        value = draft.get(what)
    except UmpireError:
        return None
    if isinstance(what, SidesComplete):
        return "+".join(layer for layer in TOLD_LAYERS if layer in value)
    if isinstance(what, Step) and not value:
        return "no" if is_whole(draft, what) else NOT_KNOWN
    if isinstance(value, Record):
        return {"value": value.value, "status": value.status, "who": " + ".join(value.who)}
    return value


def _on_board(one: Mapping[str, Any]) -> bool:
    return one.get("kind") in ("hex", "told", "hexside", "line")


# -- one edit --------------------------------------------------------------------------------------


def _one(draft: Draft, one: Mapping[str, Any], signed: Signed, asked: _Asked) -> tuple[Change, ...]:
    what = what_of(one, draft.board.hexes if _on_board(one) else {})
    if "was" not in one and not isinstance(what, Stanza):
        raise EditRefused('expected the key "was", with the earlier value of the cell')
    said = one.get("was")
    was = draft.get(what) if isinstance(what, RecordOf) else _value(draft, what, said, "was")
    now = _value(draft, what, one.get("now"), "now", held=bool(one.get("held")))
    if not _still(draft, what, was, said):
        raise EditRefused("was changed elsewhere in the meantime")
    if isinstance(now, Record) and isinstance(was, Record):
        now = now.instead_of(was)
    changes = [Change(what, was, now)]
    if isinstance(what, UnitCell) and what.column and not draft.units.there(dict(what.row)):
        changes.insert(0, Change(UnitCell(what.row, ""), "", "yes"))
    records = Following(draft, signed, asked.keys)
    before = records.kinds(what)
    made = draft.put_all(changes)
    try:
        return (*made, *draft.put_all(records.after(what, was, now, before)))
    except UmpireError:
        draft.put_all(change.back for change in reversed(made))
        raise


def _still(draft: Draft, what: What, was: Any, said: Any) -> bool:
    if isinstance(what, Step):
        held = draft.get(what)
        return bool(held == was) or (not held and said in ("no", "?", ""))
    if isinstance(what, RecordOf):
        return _fits(was, said)
    return draft.says(what, was)


def _fits(held: Record | None, said: Any) -> bool:
    """Whether a record agrees with what the edit's author saw of it."""
    if held is None or not isinstance(said, Mapping):
        return held is None and said is None
    told = dict(zip(COLUMNS, record_cells(held), strict=True))
    return all(str(said[c]) == told[c] for c in ("value", "status", "who", "when") if c in said)


def _value(draft: Draft, what: What, told: Any, which: str, *, held: bool = False) -> Any:
    """The value of an edit, in the form used by the draft. ``held``: write ``?`` even if the whole cell is
    open."""
    if isinstance(what, RecordOf):
        return record_of(what.key, told)
    if isinstance(what, TomlValue):
        return told
    if isinstance(what, Stanza):
        if told is not None and not isinstance(told, Mapping):
            raise EditRefused(f"expected a table for {which}")
        return told
    if not isinstance(told, str):
        raise EditRefused(f"expected text for {which}; found {told!r}")
    if isinstance(what, HexCell):
        return plain_cell(what.layer, told)
    if isinstance(what, SidesComplete):
        return frozenset(words(told))
    if isinstance(what, UnitCell):
        return told.strip()
    if told not in _SAID:
        raise EditRefused(f"expected yes, no or ? for {which}; found {told}")
    said = _SAID[told]
    if which == "now" and said == NOT_KNOWN and not held and not is_whole(draft, what):
        return ""  # a cell that is not given in full is open anyway
    return said
