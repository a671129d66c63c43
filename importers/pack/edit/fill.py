"""Facts that a program enters into a pack: only where nobody has typed or looked at anything."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from ....model.provenance import Key
from ....model.vouching import YES, set_text, side_of
from .change import HexCell
from .draft import Draft
from .hexes import OF_HEX
from .lines import Step
from .recording import is_required, is_whole


@dataclass
class Fill:
    """The result of filling facts into a pack. ``edits``: the edits that enter them, each with its record;
    ``same``: how many the pack has already; ``kept``: a line for each fact for which the pack has another
    known value."""

    edits: list[dict[str, Any]] = field(default_factory=list)
    entered: list[Key] = field(default_factory=list)
    same: int = 0
    kept: list[str] = field(default_factory=list)


def fill(draft: Draft, facts: Iterable[tuple[Key, str, str]], record: Mapping[str, Any]) -> Fill:
    """The edits that fill facts (subject, value, source) into a pack. ``record``: a template of their
    records; each gets its own value."""
    filling = _Filling(draft, record)
    for key, value, where in sorted(
        facts, key=lambda fact: (not fact[0].name, fact[0])
    ):  # names first
        filling.add(key, value, where)
    return filling.result()


class _Filling:
    def __init__(self, draft: Draft, record: Mapping[str, Any]) -> None:
        self.draft, self.record = draft, record
        self.made = Fill()
        self._required = is_required(draft, "pack")
        self._features: dict[str, list[str]] = {}

    def add(self, key: Key, value: str, where: str) -> None:
        """Add one fact. Facts with a name are written before those about their cell as a whole."""
        held, record = self._held(key), self.draft.records.get(key)
        there = record is not None and record.value == value and self._drawn(key) == value
        if held == value or there:
            self.made.same += 1
            return
        if held and self._counts(key, held):
            stays = f"stays without {key.name}" if held == "no" else f"stays {held}"
            self.made.kept.append(
                f"{key.cell} {key.layer}: {stays}; {where} has {key.name or value}"
            )
            return
        self._cell(key, value)
        was = None if record is None else {"value": record.value, "status": record.status}
        now = {**self.record, "value": value}
        cell, layer, name = key
        self.made.edits.append(
            {"kind": "record", "cell": cell, "layer": layer, "name": name, "was": was, "now": now}
        )
        self.made.entered.append(key)

    def result(self) -> Fill:
        """The result; the features of a hex are one cell."""
        for cell, names in self._features.items():
            was = self.draft.get(HexCell(cell, "features"))
            held = [] if was in ("", "?") else was.split("+")
            edit = {"kind": "hex", "hex": cell, "layer": "features", "was": was}
            self.made.edits.insert(0, {**edit, "now": "+".join((*held, *names))})
        return self.made

    def _drawn(self, key: Key) -> str:
        """The value of a fact in the files, even if it does not count."""
        cell, layer, name = key
        if layer in OF_HEX:
            said = str(self.draft.get(HexCell(cell, layer)))
            if layer != "features":
                return said
            names = set() if said in ("", "?") else set(said.split("+"))
        else:
            names = set(self.draft.lines.kinds(*self._step(key)[::2]))
        return set_text(names) if not name else YES if name in names else ""

    def _held(self, key: Key) -> str:
        """The pack's value of a fact; "": none."""
        draft, (cell, layer, name) = self.draft, key
        if layer in OF_HEX and layer != "features":
            said = draft.get(HexCell(cell, layer))
            return "" if said == "?" else str(said)
        if layer == "features":
            names = draft.get(HexCell(cell, "features"))
            have = set() if names in ("", "?") else set(names.split("+"))
            known = names != "?" and draft.get(HexCell(cell, "terrain")) not in ("", "?")
            if name:
                return YES if name in have else ("no" if known and self._told(key) else "")
            return set_text(have) if known and self._told(key) else ""
        step = self._step(key)
        if name:
            said = draft.get(step)
            if said == YES:
                return YES
            return "no" if said == "" and self._whole(step, key) else ""
        kinds = draft.lines.kinds(step.layer, step.side)
        return set_text(kinds) if self._whole(step, key) else ""

    def _told(self, key: Key) -> bool:
        """Whether somebody gave the features of a hex completely."""
        whole = self.draft.records.get(Key(key.cell, "features"))
        return not self._required if whole is None else whole.is_known

    def _whole(self, step: Step, key: Key) -> bool:
        whole = self.draft.records.get(Key(key.cell, key.layer))
        if whole is not None:
            kinds = set_text(self.draft.lines.kinds(step.layer, step.side))
            return whole.is_known and whole.value == kinds
        return not self._required and is_whole(self.draft, step)

    def _counts(self, key: Key, held: str) -> bool:
        """Whether the pack's value was typed or looked at."""
        record = self.draft.records.get(key)
        if record is None or record.value != held:
            return not self._required or held in ("no",)
        return record.is_known

    def _cell(self, key: Key, value: str) -> None:
        cell, layer, name = key
        edits, draft = self.made.edits, self.draft
        if layer in OF_HEX and layer != "features":
            was = draft.get(HexCell(cell, layer))
            edits.append({"kind": "hex", "hex": cell, "layer": layer, "was": was, "now": value})
        elif layer == "features":
            if name:
                self._features.setdefault(cell, []).append(name)
        elif name:
            kind = "hexside" if layer == "hexsides" else "line"
            was = self.draft.get(self._step(key)) or "no"
            edits.append({"kind": kind, "side": cell, "name": name, "was": was, "now": "yes"})

    def _step(self, key: Key) -> Step:
        side = side_of(key.cell, self.draft.board.hexes)
        assert side is not None
        return Step("hexsides" if key.layer == "hexsides" else "lines", key.name, side)
