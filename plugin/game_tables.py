"""The tables of an audit, and of what lies on a table: their columns, and functions that make their rows.

This is the one place that declares them. ``to_frames`` of the Python interface (docs/python.md) makes Arrow
tables of them (:mod:`.frames`), and ``umpire batch`` writes the same rows for many games. The tables that
``umpire convert`` writes are others: they hold what a log says, step by step
(:mod:`..importers.analysis.tables`).

A row is a mapping from the names of columns to values; a column that is not in it holds nothing (null). No
table has a column for the game: whoever puts several games into one table adds :data:`GAME`. Fog of war is
not decided here: the functions for an audit take one that has been cut down to what its reader may see
(:func:`.auditing.seen_by`), those for pieces take the viewer.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, Literal

from .. import __version__
from ..importers.analysis.records import Record, piece_records
from ..model.bill import Amount, Bill, Charge
from ..model.fact import MissingFact
from ..model.finding import Audit, Finding, JudgedMove, PhaseView
from ..model.game import StepRef
from ..model.problem import Problem
from ..model.table import LogHistory
from ..model.viewer import Viewer
from .reports.json import summary
from .reports.phrases import pack_of

Row = Mapping[str, Any]
Kind = Literal["text", "texts", "whole", "wholes", "number", "yes-no"]
"""What a column holds: a text, a list of texts, a whole number, a list of them, a number (the nearest
floating-point number to an exact one), or whether something is so."""


@dataclass(frozen=True, slots=True)
class Column:
    """A column: its name, what it holds, and one sentence about it."""

    name: str
    kind: Kind
    about: str


GAME = Column("game", "text", "The game that the row is of.")
"""The first column where a table holds several games."""

_PHASE = (
    Column("turn", "text", "The turn; null where it is not known."),
    Column("phase", "text", "The phase of the turn; null where it is not known."),
    Column("active", "text", "The side whose phase it is; null where it is not known."),
)
_STEPS = (
    Column(
        "log", "whole", "The log of the first step, counted from 1 in the order they were named."
    ),
    Column(
        "step", "whole", "The first step, as VASSAL counts the steps of a log; 0 is its opening."
    ),
    Column("last_log", "whole", "The log of the last step."),
    Column("last_step", "whole", "The last step."),
)
_BILL = (
    Column("unit", "text", "What is counted: MP, or hexes where a rule counts hexes."),
    Column("due", "number", "What the cheapest path costs; null where that is not known exactly."),
    Column("due_text", "text", "The same, exact: 7/2, 3 to 5, 2 or more."),
    Column("allowance", "number", "What could be spent; null where that is not known exactly."),
    Column("allowance_text", "text", "The same, exact."),
    Column(
        "short", "number", "By how much the least that is due exceeds the most there was; 0 if not."
    ),
    Column("short_text", "text", "The same, exact."),
    Column("declared", "number", "What the player said was spent; null where he said nothing."),
    Column("declared_text", "text", "The same, exact."),
)
_UNKNOWNS = Column("unknowns", "texts", "The questions whose answers would decide it.")

TABLES: Mapping[str, tuple[Column, ...]] = {
    "games": (
        Column("title", "text", "The title of the game, from its pack."),
        Column(
            "logs", "texts", "The names of the logs, in order; of the document where it is none."
        ),
        Column("sha256", "texts", "The SHA-256 of each of them."),
        Column("module", "text", "The module's file."),
        Column("module_version", "text", "The module's version."),
        Column("ruleset", "text", "The ruleset."),
        Column("ruleset_version", "text", "The ruleset's version."),
        Column("pack", "text", "The audit pack, with its version."),
        Column("vouched_by", "text", "Who vouches for the pack; null where it does not say."),
        Column(
            "viewer", "text", "Whose knowledge it is limited to: everyone, side NAME or director."
        ),
        Column("umpire", "text", "The version of this program."),
        Column("moves", "whole", "How many moves were judged."),
        Column("not_judged", "whole", "How many displacements were not judged as movement."),
        Column("legal", "whole", "How many of the moves are legal."),
        Column("illegal", "whole", "How many are illegal."),
        Column("unverifiable", "whole", "How many cannot be decided yet."),
        Column("illegal_moves", "whole", "How many findings are illegal moves."),
        Column("overstacks", "whole", "How many findings are overstacks."),
        Column("missed_mp_costs", "whole", "How many findings are missed MP costs."),
        Column("not_decided", "whole", "How many findings cannot be decided yet."),
        Column("notes", "whole", "How many findings are notes."),
        Column("problems", "whole", "How many problems there are."),
    ),
    "moves": (
        Column("move", "whole", "The number of the move, from 1."),
        Column("verdict", "text", "legal, illegal or unverifiable; null where it was not judged."),
        Column("form", "text", "The form of movement it was judged as; null where that is open."),
        Column("units", "texts", "The names of the units that were moved together."),
        Column("unit_ids", "texts", "The ids of these units, in the same order."),
        Column("side", "text", "The side whose player moved them; null where it is not known."),
        Column("player", "text", "The player who moved them; null where it is not known."),
        *_PHASE,
        *_STEPS,
        Column("origin", "text", "The hex or box they came from; null where that is none."),
        Column("target", "text", "The hex or box they were put into; null where that is none."),
        Column(
            "waypoints", "texts", "Every place they were put down at, origin and target included."
        ),
        Column("path", "texts", "The hexes of the cheapest path that was found."),
        *_BILL,
        Column("taken_back", "yes-no", "Whether the move was taken back later."),
        Column("resumed", "yes-no", "Whether the unit had moved before in the same phase."),
        Column("remark", "text", "One line on the verdict."),
        _UNKNOWNS,
    ),
    "findings": (
        Column("finding", "whole", "The number of the finding, from 1."),
        Column("kind", "text", "illegal-move, overstack, missed-mp-cost, unverifiable or note."),
        Column("verdict", "text", "illegal, unverifiable, or legal for what is only a note."),
        Column("code", "text", "What was found, as a stable code."),
        Column("clause", "text", "The id of the clause of the rules."),
        Column("rule", "text", "The title of that clause."),
        Column("units", "texts", "The names of the units."),
        Column("unit_ids", "texts", "The ids of these units, in the same order."),
        Column("hexes", "texts", "The hexes it is about."),
        Column(
            "side", "text", "The side of the player who did it, or of the units; null: not known."
        ),
        Column("player", "text", "The player who did it; null where that is not known."),
        *_PHASE,
        *_STEPS,
        Column("moves", "wholes", "The numbers of the moves it is about."),
        Column("follows_from", "whole", "The move whose finding this one only follows from."),
        *_BILL,
        Column("explanation", "text", "What was found, in a sentence."),
        Column("remedy", "text", "What would make it legal, or what would decide it."),
        _UNKNOWNS,
    ),
    "charges": (
        Column("move", "whole", "The move that was charged for; null: see finding."),
        Column("finding", "whole", "The finding whose own bill it is: one that no move of it has."),
        Column("line", "whole", "The place of the charge in its bill, from 1."),
        Column("origin", "text", "The hex the step came from; null where there was none."),
        Column("hex", "text", "The hex that was entered."),
        Column("unit", "text", "What is counted: MP, or hexes where a rule counts hexes."),
        Column("amount", "number", "What was paid; null where that is not known exactly."),
        Column("amount_text", "text", "The same, exact."),
        Column("clause", "text", "The id of the clause that asks for it."),
        Column("reason", "text", "What it was paid for."),
        Column(
            "forbidden", "yes-no", "Whether it is no price, but a prohibition that the step breaks."
        ),
        Column("credit", "yes-no", "Whether it is what may be spent beyond the allowance."),
    ),
    "problems": (
        Column("severity", "text", "note, warning or error."),
        Column("code", "text", "What it is, as a stable code."),
        Column("place", "text", "Where it was met: a file, entry, step or line."),
        Column("message", "text", "What was found and what was expected, in one line."),
        Column("times", "whole", "How often it was met."),
    ),
    "pieces": (
        Column("log", "whole", "The number of the log, from 1."),
        Column("step", "whole", "The step after which it was so; 0 is the opening of the log."),
        Column("id", "text", "The piece's id; null where it may not be known what it is."),
        Column("name", "text", "The name that is seen; null where it is not known."),
        Column(
            "stored_name", "text", "Where the name is not known, what it was when it was stored."
        ),
        Column(
            "basic_name", "text", "The name it has in the module; null where that may not be known."
        ),
        Column("gpid", "text", "The number of the module's slot it was made from."),
        Column("map", "text", "The map it lies on; null: on none."),
        Column("x", "whole", "Pixels from the left edge of the map."),
        Column("y", "whole", "Pixels from the upper edge of the map."),
        Column(
            "location", "text", "What the map's grid calls the place; null where that is not known."
        ),
        Column("holder", "text", "The id of the stack or deck it is in; null: in none."),
        Column("holder_kind", "text", "stack or deck."),
        Column(
            "position",
            "whole",
            "Its place in there from the bottom, from 0, of those that are seen.",
        ),
        Column("masked", "yes-no", "Whether it is masked."),
        Column("hidden", "yes-no", "Whether it is hidden."),
    ),
    "properties": (
        Column("log", "whole", "The number of the log, from 1."),
        Column("step", "whole", "The step after which it was so; 0 is the opening of the log."),
        Column("piece", "text", "The piece's id."),
        Column("name", "text", "The piece's name; null where it is not known."),
        Column(
            "property", "text", "The name of one of the properties that its own traits give it."
        ),
        Column("value", "text", "Its value; null where it is not known."),
    ),
}
"""The columns of each table, in order. New ones are added at the end."""

_OF_PIECE = frozenset(column.name for column in TABLES["pieces"])


def audit_rows(audit: Audit, viewer: Viewer) -> dict[str, Iterator[Row]]:
    """The rows of all tables of an audit, which ``viewer`` may read."""
    return {
        "games": iter((game_row(audit, viewer),)),
        "moves": move_rows(audit),
        "findings": finding_rows(audit),
        "charges": charge_rows(audit),
        "problems": problem_rows(audit.problems),
    }


def game_row(audit: Audit, viewer: Viewer) -> Row:
    """The row of ``games``."""
    told, pack = summary(audit), pack_of(audit)
    found, verdicts = told["findings"], told["verdicts"]
    logs = [s for s in audit.sources if s.kind in ("log", "save", "analysis")]
    module = next((s for s in audit.sources if s.kind == "module"), None)
    return {
        "title": audit.title,
        "logs": [s.file for s in logs],
        "sha256": [s.sha256 for s in logs],
        "module": module and module.file,
        "module_version": module and module.version,
        "ruleset": audit.ruleset,
        "ruleset_version": audit.ruleset_version,
        "pack": pack and (pack.version or pack.file),
        "vouched_by": pack and (pack.vouched_by or None),
        "viewer": str(viewer),
        "umpire": __version__,
        "moves": told["moves"],
        "not_judged": told["not_judged"],
        **verdicts,
        "illegal_moves": found["illegal-move"],
        "overstacks": found["overstack"],
        "missed_mp_costs": found["missed-mp-cost"],
        "not_decided": found["unverifiable"],
        "notes": found["note"],
        "problems": len(audit.problems),
    }


def move_rows(audit: Audit) -> Iterator[Row]:
    """The rows of ``moves``: one for each move, judged or not."""
    for judged in audit.moves:
        move = judged.move
        yield {
            "move": move.id,
            "verdict": judged.verdict if judged.judged else None,
            "form": judged.form or None,
            "units": [audit.names.get(unit, "") for unit in move.units],
            "unit_ids": list(move.units),
            "side": move.actor,
            "player": move.player or None,
            **_phase(move.phase),
            **_steps(move.steps),
            "origin": move.origin.name or None,
            "target": move.target.name or None,
            "waypoints": [place.name for place in move.waypoints],
            "path": list(judged.path),
            **_bill(judged.bill),
            "taken_back": move.taken_back is not None,
            "resumed": move.resumed,
            "remark": judged.remark or None,
            "unknowns": _questions(judged.unknowns),
        }


def finding_rows(audit: Audit) -> Iterator[Row]:
    """The rows of ``findings``: one for each finding, in the order of the reports."""
    for number, finding in enumerate(audit.findings, 1):
        clause = audit.clauses.get(finding.clause)
        yield {
            "finding": number,
            "kind": finding.kind,
            "verdict": finding.verdict,
            "code": finding.code,
            "clause": finding.clause,
            "rule": clause and clause.title,
            "units": _names(finding, audit),
            "unit_ids": list(finding.units),
            "hexes": list(finding.hexes),
            "side": finding.side,
            "player": finding.player or None,
            **_phase(finding.phase),
            **_steps(finding.steps),
            "moves": list(finding.moves),
            "follows_from": finding.follows_from,
            **_bill(finding.bill),
            "explanation": finding.explanation,
            "remedy": finding.remedy or None,
            "unknowns": _questions(finding.unknowns),
        }


def charge_rows(audit: Audit) -> Iterator[Row]:
    """The rows of ``charges``: one for each item of the bills of the moves, then of those bills of findings
    that none of their moves has (so that nothing stands there twice)."""
    moves = {judged.move.id: judged for judged in audit.moves}
    for judged in audit.moves:
        yield from _charges({"move": judged.move.id}, judged.bill)
    for number, finding in enumerate(audit.findings, 1):
        if finding.bill not in [_bill_of(moves.get(move)) for move in finding.moves]:
            yield from _charges({"finding": number}, finding.bill)


def problem_rows(problems: Iterable[Problem]) -> Iterator[Row]:
    """The rows of ``problems``."""
    for problem in problems:
        yield {
            "severity": problem.severity,
            "code": problem.code,
            "place": problem.where or None,
            "message": problem.message,
            "times": problem.count,
        }


def piece_rows(log: LogHistory, number: int, step: int, viewer: Viewer) -> Iterator[Row]:
    """The rows of ``pieces``: what of the opening of ``log`` the viewer may see. ``number`` and ``step``: of
    which log, and after which step of it, that opening is the table."""
    for record in piece_records(log, viewer):
        on, x, y = record["at"]
        yield {
            **{key: value for key, value in record.items() if key in _OF_PIECE and value != ""},
            "log": number,
            "step": step,
            "map": on,
            "x": x if on is not None else None,
            "y": y if on is not None else None,
            "masked": record.get("masked", False),
            "hidden": record.get("hidden", False),
        }


def property_rows(log: LogHistory, number: int, step: int, viewer: Viewer) -> Iterator[Row]:
    """The rows of ``properties``: those of the pieces of :func:`piece_rows` that the viewer may know of."""
    for record in piece_records(log, viewer):
        yield from _properties(record, {"log": number, "step": step})


def _properties(record: Record, head: Row) -> Iterator[Row]:
    head = {**head, "piece": record["id"], "name": record.get("name")}
    for name, value in record.get("properties", {}).items():
        yield {**head, "property": name, "value": value}
    for name in record.get("unknown", ()):
        yield {**head, "property": name}


def _charges(head: Row, bill: Bill | None) -> Iterator[Row]:
    if bill is None:
        return
    lines = [(charge, False) for charge in bill.charges]
    if bill.credit is not None:
        lines.append((bill.credit, True))
    for line, (charge, credit) in enumerate(lines, 1):
        yield {**head, "line": line, "unit": bill.unit, **_charge(charge), "credit": credit}


def _charge(charge: Charge) -> Row:
    return {
        "origin": charge.origin or None,
        "hex": charge.hex or None,
        **_amount("amount", charge.amount),
        "clause": charge.clause,
        "reason": charge.reason,
        "forbidden": charge.forbidden,
    }


def _bill_of(judged: JudgedMove | None) -> Bill | None:
    return None if judged is None else judged.bill


def _bill(bill: Bill | None) -> Row:
    if bill is None:
        return {}
    short = Amount.exactly(bill.shortfall)
    return {
        "unit": bill.unit,
        **_amount("due", bill.total),
        **_amount("allowance", bill.allowance),
        **_amount("short", short),
        **_amount("declared", bill.declared),
    }


def _amount(name: str, amount: Amount | None) -> Row:
    """A number where there is exactly one, and the text that tells it exactly."""
    if amount is None:
        return {}
    return {name: _nearest(amount.lo) if amount.is_exact else None, f"{name}_text": str(amount)}


def _nearest(value: Fraction) -> float | None:
    """The nearest floating-point number, for sums and plots; None: there is none so large."""
    try:
        return float(value)
    except OverflowError:
        return None


def _names(finding: Finding, audit: Audit) -> list[str]:
    given = dict(zip(finding.units, finding.names, strict=False))
    return [given.get(unit) or audit.names.get(unit, "") for unit in finding.units]


def _phase(phase: PhaseView) -> Row:
    return {"turn": phase.turn, "phase": phase.phase, "active": phase.active}


def _steps(steps: tuple[StepRef, ...]) -> Row:
    if not steps:
        return {}
    first, last = min(steps), max(steps)
    return {
        "log": first.log,
        "step": first.step,
        "last_log": last.log,
        "last_step": last.step,
    }


def _questions(unknowns: tuple[MissingFact, ...]) -> list[str]:
    return [one.question for one in unknowns]
