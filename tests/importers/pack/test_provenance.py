"""``provenance.csv``: read with one line for each fault, written in one order."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from vassal_umpire.importers.pack.provenance import (
    COLUMNS,
    _row_by_row,
    provenance_csv,
    read_provenance,
)
from vassal_umpire.model.provenance import Key, Method, Record

HEAD = ",".join(COLUMNS) + "\n"
LOOKED = "0403,terrain,,woods,looked-at,Wren,2026-11-22,person: map editor,,\n"


def read(tmp_path: Path, text: str) -> tuple[tuple[Record, ...], list[str]]:
    file = tmp_path / "provenance.csv"
    file.write_text(text, "utf-8")
    records, problems = read_provenance(file)
    return records, [str(problem) for problem in problems]


def test_a_record_is_read_as_it_is_written(tmp_path: Path) -> None:
    sha = "0" * 63 + "a"
    day, editor = "2026-11-22", Method("person", "map editor")
    guess, program = Key("0403/0404", "hexsides", "river"), Method("program", "colours 0.1")
    at, sure = f"{day}T10:00:00Z", Fraction("0.93")
    records = (
        Record(Key("0403", "terrain"), "woods+town", "looked-at", ("Wren",), day, editor),
        Record(guess, "yes", "suggested", ("colours",), at, program, sure, sha),
        Record(Key("0403/0404", "lines"), "none", "double", ("Wren", "Ida"), day, editor),
    )
    text = provenance_csv(reversed(records))
    assert text == provenance_csv(records), "the order depends on the records alone"
    assert read(tmp_path, text) == (records, [])


def test_names_of_hexes_may_have_strokes(tmp_path: Path) -> None:
    rows = (
        "05/04,terrain,,woods,typed,W,2026-11-22,person: x,,\n"
        "0404/0403,lines,,none,typed,W,2026-11-22,person: x,,\n"
        "05/04/05/03,hexsides,,none,typed,W,2026-11-22,person: x,,\n"
    )
    records, problems = read(tmp_path, HEAD + rows)
    assert problems == []
    assert [record.key.cell for record in records] == ["05/04", "0403/0404", "05/03/05/04"]


@pytest.mark.parametrize(
    ("row", "wrong"),
    [
        (",terrain,,woods,typed,W,2026-11-22,person: x,,", "in the column cell; found nothing"),
        ("0403,colour,,woods,typed,W,2026-11-22,person: x,,", "one of terrain, level"),
        ("0403,terrain,,woods,seen,W,2026-11-22,person: x,,", "one of typed, suggested"),
        ("0403,terrain,,woods,typed,W,yesterday,person: x,,", "a date such as 2026-11-22"),
        ("0403,terrain,,woods,typed,W,2026-11-22,me,,", '"person: …" or "program: …" in'),
        ("0403,terrain,,woods,typed,W,2026-11-22,program: x,,", "a person's method for typed"),
        ("0403,terrain,,woods,double,W,2026-11-22,person: x,,", "two different names for double"),
        ("0403,terrain,,woods,suggested,W,2026-11-22,program: x,1.5,", "a confidence from 0 to 1"),
        ("0403,terrain,,woods,typed,W,2026-11-22,person: x,,xyz", "the SHA-256 of the picture"),
        ("0403,features,fort,no,typed,W,2026-11-22,person: x,,", "the value yes in a row with a name"),
    ],
)  # fmt: skip
def test_each_fault_is_one_line_with_its_place(tmp_path: Path, row: str, wrong: str) -> None:
    records, problems = read(tmp_path, HEAD + LOOKED + row + "\n")
    assert len(records) == 1
    assert len(problems) == 1
    assert "provenance.csv line 3" in problems[0]
    assert wrong in problems[0]


def test_one_fact_has_one_record_and_a_file_its_columns(tmp_path: Path) -> None:
    _, problems = read(tmp_path, HEAD + LOOKED + LOOKED)
    assert "expected one record for each fact; found 0403 terrain again" in problems[0]
    assert "expected a column" in read(tmp_path, "cell,status\n0403,typed\n")[1][0]


def test_an_empty_file_has_no_records(tmp_path: Path) -> None:
    path = tmp_path / "provenance.csv"
    path.write_bytes(b"")
    assert read_provenance(path) == ((), ())
    path.write_bytes(b"\n# nothing\n")
    records, problems = read_provenance(path)
    assert not records
    assert problems


@st.composite
def a_file(draw: st.DrawFn) -> bytes:
    """A file of good rows and of odd ones, in any order."""
    rows = (
        LOOKED.strip(),
        "0403,level,,none,typed,W,2026-11-22,person: x,,",
        "0404/0403,lines,,none,typed,W,2026-11-22,person: x,,",
        '0405,terrain,,woods,typed,"W",2026-11-22,person: x,,',
        '0406,terrain,,woods,typed,"W\nIda",2026-11-22,person: x,,',
        '0412,terrain,,woods,typed,W"Ida,2026-11-22,person: x,,',
        '0413,terrain,,woods,typed,W"Ida,"2026-11-22,person: x,,',
        '"# a comment',
        "0407,terrain,,woods,seen,W,2026-11-22,person: x,,",
        "0408,terrain,,woods,typed,W,2026-11-22,person: x,,,,,,more",
        " 0409 , terrain,, woods,typed,W,2026-11-22,person: x",
        "0410,terrain,,woods,typed,W\x0bIda,2026-11-22,person: x,,",
        "0411,terrain,,woods\rmarsh,typed,W,2026-11-22,person: x,,",
        "# a comment",
        ",,,",
        "",
    )
    heads = (HEAD.strip(), f"\ufeff{HEAD.strip()}", HEAD.strip().replace(",", ";"), "# first", "")
    lines = [draw(st.sampled_from(heads)), *draw(st.lists(st.sampled_from(rows), max_size=6))]
    return draw(st.sampled_from(("\n", "\r\n"))).join(lines).encode()


@given(a_file())
def test_read_line_by_line_is_as_read_row_by_row(data: bytes) -> None:
    path = Path("provenance.csv")
    assert read_provenance(path, data) == _row_by_row(path, data)
