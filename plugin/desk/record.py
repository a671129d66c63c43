"""The result of a game's last audit, kept beside it, to tell what is new, what changed, and what is gone."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from ... import __version__
from ...model.finding import Audit, JudgedMove
from ...model.problem import UmpireError
from ...validators.sealing import log_digests, move_id, offences
from ..output import output_to
from ..reports.routes import route, unit_names
from ..seal import BLANK, is_sealed

RECORD = "audited.json"


@dataclass(frozen=True)
class Record:
    """The result of one audit. ``moves``: verdict by the id of a drag; ``offences``: explanation by id;
    ``questions``: the missing facts; ``pack``: SHA-256; ``logs``: SHA-256 of each. Not kept in the file:
    ``called``, a line about the move by the id of its drag, and ``former``, by offence id, the id that
    earlier versions gave it."""

    moves: Mapping[str, str] = field(default_factory=dict)
    offences: Mapping[str, str] = field(default_factory=dict)
    questions: frozenset[str] = frozenset()
    pack: str = ""
    logs: tuple[str, ...] = ()
    program: str = ""
    called: Mapping[str, str] = field(default_factory=dict, compare=False)
    former: Mapping[str, str] = field(default_factory=dict, compare=False)


@dataclass(frozen=True)
class News:
    """The differences between two records. ``changed``: drags in both with another verdict now: id → (before,
    after)."""

    moves: tuple[str, ...]
    offences: tuple[str, ...]
    gone: tuple[str, ...]
    questions: tuple[str, ...]
    changed: Mapping[str, tuple[str, str]]


def record_of(audited: Audit) -> Record:
    """The record of an audit."""
    logs = log_digests(audited)
    judged = [one for one in audited.moves if one.judged and one.move.steps]
    asked = [u for one in judged for u in one.unknowns]
    asked += [u for finding in audited.findings for u in finding.unknowns]
    pack = next((source.sha256 for source in audited.sources if source.kind == "pack"), "")
    named = [(move_id(logs, m.move.steps[0], m.move.units), m) for m in judged]
    found = offences(audited)
    return Record(
        moves={name: m.verdict for name, m in named},
        offences={one.id: one.finding.explanation for one in found},
        questions=frozenset(
            u.stanza or u.key for u in asked
        ),  # a key counts logs, a stanza names them
        pack=pack,
        logs=logs,
        program=__version__,
        called={name: _called(audited, m) for name, m in named},
        former={one.id: one.former for one in found},
    )


def _called(audited: Audit, judged: JudgedMove) -> str:
    """A move as its players know it: who went where, in which turn, at which step of which log."""
    move = judged.move
    when = f"{move.phase}; {move.steps[0].said}"
    return f"{unit_names(audited, judged)} {route(judged, path=False)} ({when})"


def news(before: Record, now: Record) -> News:
    """What is new since ``before``."""
    known = {*now.offences, *now.former.values()}
    return News(
        moves=tuple(sorted(now.moves.keys() - before.moves.keys())),
        offences=tuple(
            one
            for one in now.offences
            if before.offences.keys().isdisjoint((one, now.former.get(one, one)))
        ),
        gone=tuple(one for one in before.offences if one not in known),
        questions=tuple(sorted(now.questions - before.questions)),
        changed={
            name: (before.moves[name], now.moves[name])
            for name in now.moves
            if name in before.moves and before.moves[name] != now.moves[name]
        },
    )


def read_record(root: Path) -> Record | None:
    """The record kept in a game's folder; None if there is none, or this program did not write it so."""
    file = root / RECORD
    try:
        if not file.is_file() or not is_sealed(file):
            return None
        plain: Any = json.loads(file.read_bytes())
        return Record(
            dict(plain["moves"]),
            dict(plain["offences"]),
            frozenset(plain["questions"]),
            str(plain["pack"]),
            tuple(plain["logs"]),
            str(plain["program"]),
        )
    except (OSError, ValueError, KeyError, TypeError, RecursionError):
        return None


def write_record(root: Path, record: Record) -> None:
    """Keep a record in a game's folder. A record that somebody edited is not overwritten."""
    plain = {
        "seal": BLANK,
        "program": record.program,
        "pack": record.pack,
        "logs": list(record.logs),
        "moves": dict(record.moves),
        "offences": dict(record.offences),
        "questions": sorted(record.questions),
    }
    try:
        text = json.dumps(plain, ensure_ascii=False, indent=1) + "\n"
        output_to(root / RECORD, ()).write(text.encode("utf-8", "replace"))
    except UmpireError:
        return
