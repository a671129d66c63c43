"""The tables of an audit: what is declared is what the rows hold, and the rows say what the report says."""

from __future__ import annotations

import json
import sys
from collections import defaultdict
from dataclasses import replace
from fractions import Fraction
from typing import Any

import pytest
from vassal_umpire.importers.vassal.limits import DEFAULT_LIMITS
from vassal_umpire.model.bill import Amount, Bill, Charge
from vassal_umpire.model.finding import Audit, JudgedMove, Move, PhaseView
from vassal_umpire.model.game import Place, StepRef
from vassal_umpire.model.problem import UmpireError
from vassal_umpire.model.viewer import EVERYONE
from vassal_umpire.plugin import table_files
from vassal_umpire.plugin.auditing import audit_game, open_game
from vassal_umpire.plugin.game_columns import TABLES
from vassal_umpire.plugin.game_tables import audit_rows, charge_rows
from vassal_umpire.plugin.reading import Named
from vassal_umpire.plugin.reports.json import document
from vassal_umpire.plugin.reports.report import ReportOptions
from vassal_umpire.plugin.shown import with_integrity

from .kit import LOGS

pa = pytest.importorskip("pyarrow", reason="pyarrow is not installed (the extra [frames])")
Rows = dict[str, list[dict[str, Any]]]


@pytest.fixture(scope="module")
def audited() -> Audit:
    """The audit of the sample game, both logs."""
    named = Named(LOGS)
    opened = open_game(named, EVERYONE, DEFAULT_LIMITS)
    return with_integrity(opened, audit_game(opened, None), EVERYONE)


@pytest.fixture(scope="module")
def rows(audited: Audit) -> Rows:
    return {name: [dict(r) for r in rs] for name, rs in audit_rows(audited, EVERYONE).items()}


@pytest.fixture(scope="module")
def report(audited: Audit) -> dict[str, Any]:
    return document(audited, ReportOptions())


def test_rows_and_frames_hold_the_declared_columns_and_types(rows: Rows) -> None:
    for table, found in rows.items():
        names = [column.name for column in TABLES[table]]
        assert len(set(names)) == len(names)
        told = {key for row in found for key in row}
        assert told <= set(names)
        if found:  # no finding of the sample has a bill of its own
            assert set(names) - told <= {"finding"}, "a column without a value in game_tables.py"
    assert [name for name, found in rows.items() if not found] == ["problems"]
    for name, found in rows.items():
        table = table_files.frame(TABLES[name], found)
        assert table.num_rows == len(found)
        assert table.column_names == [column.name for column in TABLES[name]]
        about = [field.metadata[b"about"].decode() for field in table.schema]
        assert about == [column.about for column in TABLES[name]]
        back = table.to_pylist()
        assert [{k: v for k, v in row.items() if v is not None} for row in back] == [
            {k: v for k, v in row.items() if v is not None} for row in found
        ]
        json.dumps(back)


def test_moves_and_findings_say_what_the_report_says(rows: Rows, report: dict[str, Any]) -> None:
    moves = sorted((*report["moves"], *report["not_judged"]), key=lambda move: move["id"])
    assert [row["move"] for row in rows["moves"]] == [move["id"] for move in moves]
    assert [row["verdict"] for row in rows["moves"]] == [move["verdict"] for move in moves]
    assert [row["names"] for row in rows["moves"]] == [
        [unit["name"] for unit in move["units"]] for move in moves
    ]
    assert [row["path"] for row in rows["moves"]] == [move["path"] for move in moves]
    assert [(row["log"], row["step"]) for row in rows["moves"]] == [
        (move["steps"][0]["log"], move["steps"][0]["step"]) for move in moves
    ]
    assert [row["explanation"] for row in rows["findings"]] == [
        finding["explanation"] for finding in report["findings"]
    ]
    (game,) = rows["games"]
    assert game["moves"] == report["summary"]["moves"]
    assert game["missed_mp_costs"] == report["summary"]["findings"]["missed-mp-cost"] == 1
    assert game["logs"] == ["turn-1.vlog", "turn-2.vlog"]


def test_objects_and_tables_have_the_same_names(rows: Rows, audited: Audit) -> None:
    for row, found in zip(rows["findings"], audited.findings, strict=True):
        assert (row["names"], row["units"]) == (list(found.names), list(found.units))
    for row, judged in zip(rows["moves"], audited.moves, strict=True):
        assert (row["side"], row["units"]) == (judged.move.side, list(judged.move.units))
        if judged.bill is not None:
            bill = judged.bill
            assert (row["due_text"], row["short_text"]) == (str(bill.due), str(bill.short))


def test_the_charges_of_a_move_add_up_to_what_is_due(rows: Rows) -> None:
    owing = [row for row in rows["moves"] if row.get("due") is not None]
    due = {row["move"]: Fraction(row["due_text"]) for row in owing}
    sums: defaultdict[int, Fraction] = defaultdict(Fraction)
    for row in rows["charges"]:
        if row.get("move") in due and not row["credit"]:
            sums[row["move"]] += Fraction(row["amount_text"])
    assert len(due) > 10
    assert {move: sums[move] for move in due} == due
    assert {float(amount) for amount in due.values()} == {
        row["due"] for row in rows["moves"] if row.get("due") is not None
    }


def test_what_is_not_known_has_no_number_and_a_bill_stands_once(audited: Audit) -> None:
    amounts = (Amount(Fraction(2), None), Amount(Fraction(2), Fraction(3)))
    exact = (Amount.exactly(Fraction(7, 3)), Amount.exactly(10**400))
    charges = tuple(Charge("0101", a, "GEN-TERRAIN", "clear") for a in (*amounts, *exact))
    audit = _one_move(Bill(charges, None, credit=charges[2]))
    told = [(row["amount"], row["amount_text"][:9], row["credit"]) for row in charge_rows(audit)]
    assert told == [
        (None, "2 or more", False),
        (None, "2 to 3", False),
        (7 / 3, "7/3", False),
        (None, "100000000", False),
        (7 / 3, "7/3", True),
    ]
    finding = next(f for f in audited.findings if f.bill is not None and f.moves)
    own = Bill((Charge("0707", Amount.exactly(9), "GEN-TERRAIN", "ferry"),), None)
    more = replace(audited, findings=(finding, replace(finding, bill=own)))
    of_findings = [row for row in charge_rows(more) if row.get("finding") is not None]
    told = [(row["finding"], row.get("move"), row["reason"]) for row in of_findings]
    assert told == [(2, None, "ferry")]


def _one_move(bill: Bill) -> Audit:
    place = Place("hex", "0101")
    ends, at = (place, place), (StepRef(1, 1),)
    move = Move(1, ("u",), place, place, ends, (True, True), at, PhaseView())
    return Audit("t", "generic", "1", (), (JudgedMove(move, "legal", bill=bill),), ())


def test_frames_take_what_none_else_could_and_need_pyarrow(monkeypatch: pytest.MonkeyPatch) -> None:
    columns = (*TABLES["problems"][:1], TABLES["problems"][4])
    table = table_files.frame(columns, [{"severity": "\ud800", "times": 2**63}, {}])
    nothing = {"severity": None, "times": None}
    assert table.to_pylist() == [{"severity": "\ufffd", "times": None}, nothing]
    assert table.schema.types == [pa.string(), pa.int64()]
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    with pytest.raises(UmpireError) as raised:
        table_files.frame(TABLES["problems"], ())
    assert "pyarrow" in str(raised.value)
    assert "pip install pyarrow" in str(raised.value)
