"""The records of what a pack has without one, written when it begins to ask for records."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from ...model.provenance import OF_THE_WHOLE, Key, Method, Record

MAKER = "the pack's maker"
VOUCHES, FOUND = (Method("person", name) for name in OF_THE_WHOLE)
FOUND_BY_PROGRAM = Method("program", "found in the pack's files")


@dataclass(frozen=True, slots=True)
class Unrecorded:
    """Who is said to vouch for what a pack has without a record: ``vouched_by``, who vouches for the whole
    pack by name (``typed``); where it names nobody, its maker, unnamed (``typed``), or if ``program``, which
    sits alone before the pack, found it there, nobody (``imported``). ``when``: ISO 8601."""

    vouched_by: str
    when: str
    program: str = ""

    def record(self, key: Key, value: str) -> Record:
        """The record of a fact."""
        if self.vouched_by:
            return Record(key, value, "typed", (self.vouched_by,), self.when, VOUCHES)
        if self.program:
            return Record(key, value, "imported", (self.program,), self.when, FOUND_BY_PROGRAM)
        return Record(key, value, "typed", (MAKER,), self.when, FOUND)


def vouched_by(pack: Mapping[str, Any]) -> str:
    """Who vouches for a pack by what ``pack.toml`` says; '': it does not say."""
    head = pack.get("pack")
    name = head.get("vouched_by", "") if isinstance(head, Mapping) else ""
    return name if isinstance(name, str) else ""
