"""Edits of spreadsheets that could spoil other cells: refused, and nothing else is touched."""

from __future__ import annotations

import pytest
from vassal_umpire.importers.pack.edit.table import EditRefused
from vassal_umpire.importers.pack.edit.units import UnitTable
from vassal_umpire.model.problem import UmpireError


@pytest.mark.parametrize(
    ("file", "column", "value"),
    [
        pytest.param(b"ma,name\n6,Inf\n", "ma", "#x", id="the row would be a comment"),
        pytest.param(b"name,ma\nInf,6\n", "a;b;c;d", "1", id="the separator would be another"),
        pytest.param(b"name,ma\nInf,6\n", "a\nb", "1", id="a column's name on two lines"),
        pytest.param(b"name,ma\nInf,6\n", "a\0b", "1", id="a column's name with a zero byte"),
        pytest.param(b"name,ma\nInf,6\n", "ma", "a\0b", id="a zero byte"),
        pytest.param(b"name,ma\nInf,6\n", "ma", "\ud800", id="half a character"),
        pytest.param(b"name,ma\nInf,caf\xe9\n", "ma", "\ud800", id="half a character, cp1252"),
        pytest.param(b"name,ma\nInf,6,junk\n", "mb", "1", id="a cell that has no column"),
    ],
)
def test_what_would_spoil_a_spreadsheet_is_refused(file: bytes, column: str, value: str) -> None:
    table = UnitTable(file)
    with pytest.raises(EditRefused):
        table.set({"name": "Inf"}, column, value)
    assert table.data() == file


def test_nothing_is_written_behind_a_quote_that_is_open() -> None:
    with pytest.raises(UmpireError, match=r"units\.csv line 2: opens a quote"):
        UnitTable(b'name,ma\nInf,"6\n')


def test_bytes_that_stand_for_nothing_stay() -> None:
    table = UnitTable(b"name,ma\nInf,\x81\xe9\n")
    table.set({"name": "Inf"}, "mb", table.value({"name": "Inf"}, "ma"))
    assert table.data() == b"name,ma,mb\nInf,\x81\xe9,\x81\xe9\n"


def test_a_cell_with_quotes_and_separators_in_it_is_replaced_whole() -> None:
    table = UnitTable(b'name\tma\tmb\nInf\t"""\t"\t\nArt\t"5"\t\n')
    table.set({"name": "Inf"}, "ma", "6")
    assert table.data() == b'name\tma\tmb\nInf\t"6"\t\nArt\t"5"\t\n'
