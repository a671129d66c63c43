"""Names and texts of strangers in whatever is shown or written: nothing disturbs a terminal, a page, a
spreadsheet or a log."""

from __future__ import annotations

import csv
import io
import os
import re
import shutil
import sqlite3
import unicodedata
from collections.abc import Iterator
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from tiers import drawn
from vassal_umpire.model.finding import Audit
from vassal_umpire.model.problem import Problem
from vassal_umpire.plugin.printable import cell
from vassal_umpire.plugin.registry import reports
from vassal_umpire.plugin.reports.json import document
from vassal_umpire.plugin.reports.report import ReportOptions
from vassal_umpire.plugin.vassal.extension import report_html

from . import kit
from .kit import umpire
from .outputs import AUDIT, OUTPUTS, POSIX, refused, stream

NASTY = "x\x1b[31m\x07\x9b1m\u202eevil\u2066\u200b\ufeff\x85\u2028y"
"""Escape sequences in 7 and 8 bits, a bell, marks that turn the writing direction or have no width, and
line ends."""


def unsafe(text: str) -> set[str]:
    """Characters in ``text`` that may not be shown as they are."""
    found = (c for c in text if unicodedata.category(c) in ("Cc", "Cf", "Cs", "Zl", "Zp"))
    return set(found) - set("\n\r\u0600")


def nasty(audit: Audit) -> Audit:
    """The audit with texts of others that do their worst."""
    named = {unit: NASTY + name for unit, name in audit.names.items()}
    problem = Problem("unknown-command", f"a command {NASTY}", f"step {NASTY}")
    findings = tuple(
        replace(
            f, names=(NASTY,), hexes=(*f.hexes, NASTY), explanation=NASTY, remedy=NASTY, player=NASTY,
        )
        for f in audit.findings
    )  # fmt: skip
    sources = tuple(replace(s, file=NASTY, version=NASTY) for s in audit.sources)
    return replace(
        audit, title=NASTY, names=named, problems=(problem,), findings=findings, sources=sources,
        readings={NASTY: NASTY},
    )  # fmt: skip


@pytest.mark.parametrize("form", ["text", "html", "markdown", "csv", "json"])
def test_no_report_shows_what_controls_or_turns(small_audit: Audit, form: str) -> None:
    shown = reports().get(form).render(nasty(small_audit), ReportOptions())
    assert not unsafe(shown)
    assert "evil" in shown, "it is spelt out, not left out"


def test_nor_does_the_window_in_vassal_nor_a_document(small_audit: Audit, game: Path) -> None:
    shown = report_html(document(nasty(small_audit), ReportOptions()), NASTY)
    assert not unsafe(shown)
    assert "\\u202e" in shown
    shutil.copy("turn-1.vlog", NAMES["direction"])
    assert not unsafe(umpire("convert", NAMES["direction"], "-o", "-").stdout)


NAMES = {
    "escape": "turn\x1b[31m\x07-1.vlog",
    "direction": "turn\u202e-1.vlog",
    "lines": "turn\n\r-1.vlog",
    "no UTF-8": os.fsdecode(b"turn-\xff\xfe-1.vlog"),
    "markup": "<b>&amp;turn--1.vlog",
    "formula": "=1+1;=2+2.vlog",
}


@POSIX
@pytest.mark.parametrize("kind", drawn(list(NAMES), 3))
def test_a_log_may_be_called_like_anything(game: Path, kind: str) -> None:
    name = NAMES[kind]
    try:
        shutil.copy("turn-1.vlog", name)
    except OSError:
        pytest.skip("no such names on this disk")
    commands = {o: tuple(name if a == "turn-1.vlog" else a for a in c) for o, c in OUTPUTS.items()}
    for out, command in commands.items():
        result = umpire(*command, "-o", out)
        assert result.exit_code == 0, result.output
        assert not unsafe(result.stderr)
    for out in ("report.txt", "report.html", "report.md", "report.csv", "report.json", "game.json"):
        assert not unsafe((game / out).read_text("utf-8"))
    for command in (
        ("show", name),
        ("inspect", name),
        ("inspect", "copy.vlog"),
        ("show", "copy.vlog"),
    ):
        assert not unsafe(kit.done(*command))
    kit.done("annotate", name, "-o", "pack")
    with closing(sqlite3.connect("game.db")) as base:
        assert base.execute("SELECT count(*) FROM logs").fetchone() == (1,)


@POSIX
def test_an_output_may_be_called_like_anything(game: Path) -> None:
    for name in drawn(list(NAMES.values()), 3):
        for command in (AUDIT, ("annotate", "turn-1.vlog"), ("convert", "turn-1.vlog")):
            for _ in range(2):
                result = umpire(*command, "-o", f"out-{name}", "--force")
                assert result.exit_code == 0, result.output
                assert not unsafe(result.stderr)
        (game / f"out-{name}").write_bytes(b"mine")
        result = umpire(*AUDIT, "-o", f"out-{name}")
        refused(result, "--force")
        assert not unsafe(result.stderr)


@pytest.mark.parametrize(
    "arguments",
    [
        ("audit", f"--{NASTY}"),
        ("audit", "turn-1.vlog", "--fail-on", NASTY),
        ("show", "turn-1.vlog", "--only", NASTY),
        ("audit", "turn-1.vlog", "--as", NASTY),
        ("audit", "turn-1.vlog", "--format", NASTY),
        ("audit", NASTY),
        (NASTY,),
        ("schema", NASTY),
        ("rules", NASTY),
        ("check-cases", NASTY),
        ("inspect", "turn-1.vlog", "--max-size", NASTY),
    ],
)
def test_what_the_command_line_says_is_told_safely(game: Path, arguments: tuple[str, ...]) -> None:
    """``umpire audit *`` takes the names of files for options."""
    assert not unsafe(kit.refused(*arguments))


STDIN = "/dev/stdin"


@POSIX
@pytest.mark.parametrize(
    "command",
    [
        ("inspect", "-"),
        ("inspect", STDIN),
        ("show", "-"),
        ("audit", STDIN),
        ("convert", "-", "-o", "o.json"),
        ("annotate", STDIN, "-o", "o.vlog"),
        ("extension", STDIN, "-o", "o.vmdx"),
        ("check-cases", STDIN),
        ("audit", "turn-1.vlog", "--facts", "-"),
        ("audit", "turn-1.vlog", "--module", "-"),
        ("audit", "turn-1.vlog", "--pack", "-"),
        ("extension", "crossroads.vmod", "--report", "-", "-o", "o"),
    ],
)
def test_a_pipe_as_input_is_one_line(game: Path, command: tuple[str, ...]) -> None:
    before = set(os.listdir())
    end, other = os.pipe()
    os.write(other, b"PK\x03\x04 something")
    os.close(other)
    with stream(0, end):
        said = kit.refused(*command).splitlines()
    os.close(end)
    assert len(said) == 1, said
    if "--pack" not in command:
        assert "save it" in said[0]
    assert set(os.listdir()) == before


@POSIX
def test_a_file_on_standard_input_is_read(game: Path) -> None:
    with (game / "turn-1.vlog").open("rb") as log, stream(0, log.fileno()):
        assert "Crossroads" in kit.done("inspect", "/dev/stdin")


NUMBER = re.compile(r"[+-]?[0-9]*(?:[.,][0-9]+)?(?:/[0-9]+)?")


def seen_by_spreadsheets(row: str) -> Iterator[str]:
    """The cells of a row as spreadsheets of all countries may cut it."""
    for delimiter in ",;\t|":
        yield from (c for found in csv.reader([row], delimiter=delimiter) for c in found)
        if delimiter != ",":
            yield from row.split(delimiter)


def is_formula(text: str) -> bool:
    text = unicodedata.normalize("NFKC", text).strip(' \t\r\n"')
    return text.startswith(("=", "+", "-", "@")) and not NUMBER.fullmatch(text)


@given(
    st.lists(
        st.text("=+-@;,|\"' \t\r\n＝＋－＠﹣⁺1aA(.\u00a0", max_size=12), min_size=1, max_size=4
    )
)
@example(['x;=HYPERLINK(""http://evil.example")'])
@example([';"=1+A1"', "＝1+A1", "\t=1", "'=1", "a; ; =1"])
def test_no_spreadsheet_finds_a_formula(cells: list[str]) -> None:
    written = io.StringIO()
    csv.writer(written, lineterminator="").writerow(["about", *map(cell, cells)])
    for found in seen_by_spreadsheets(written.getvalue()):
        assert not is_formula(found), (written.getvalue(), found)


@pytest.mark.parametrize(
    ("text", "written"),
    [
        ("=1+1", "'=1+1"),
        ("-A1", "'-A1"),
        ("+3-4", "'+3-4"),
        ("@SUM(1)", "'@SUM(1)"),
        ("＝1", "'＝1"),
        (" =1", "' =1"),
        ("x;=1", "x;'=1"),
        ("x; =1; ok", "x;' =1; ok"),
        ("a\t=1", "a\\t=1"),
        ("2;-1", "2;'-1"),
        *(
            (text, text)
            for text in (
                "-1", "+3", "-1.5", "-7/3", "+3,5", "-", "0405", "a-1", "3+4", "x@y", "a; b", "~-1",
            )
        ),
    ],
)  # fmt: skip
def test_what_would_be_worked_out_is_marked_as_text_and_no_other(text: str, written: str) -> None:
    assert cell(text) == written
