"""A game of a module with a numbering of its own is audited by the names that its pieces remember."""

from __future__ import annotations

import re
import shutil
import zipfile
from pathlib import Path

import pytest
import vassal_umpire as vu
from vassal_umpire.model.finding import Audit

from .kit import CROSSROADS

ENGINES = b"VASSAL.build.module.map.boardPicker.board.mapgrid.HexGridNumbering"


@pytest.fixture
def game(tmp_path: Path) -> Path:
    """Crossroads, its hexes numbered by a class that nobody has."""
    with (
        zipfile.ZipFile(CROSSROADS / "crossroads.vmod") as old,
        zipfile.ZipFile(tmp_path / "crossroads.vmod", "w") as new,
    ):
        for name in old.namelist():
            new.writestr(name, old.read(name).replace(ENGINES, b"own.HexGridNumbering"))
    shutil.copytree(CROSSROADS / "pack", tmp_path / "pack")
    shutil.copy(CROSSROADS / "turn-2.vlog", tmp_path)
    return tmp_path


def said(audit: Audit) -> list[tuple[str, str]]:
    return [(finding.clause, finding.explanation) for finding in audit.findings]


def test_the_audit_says_the_same_as_of_the_engines_own_numbering(game: Path) -> None:
    plain = vu.audit(CROSSROADS / "turn-2.vlog")
    audit = vu.audit(game / "turn-2.vlog")
    assert said(plain)
    assert said(audit) == said(plain)
    (note,) = (p for p in audit.problems if p.code == "names-by-pieces")
    assert re.search(r"own\.HexGridNumbering.* (\d+) of \1 agree", note.message)


def test_a_pack_written_before_any_piece_had_moved_still_fits(game: Path) -> None:
    """Its hexes go by raw column and row: the first of 0101 is 00.00."""

    def raw(found: re.Match[str]) -> str:
        return f"{int(found[1]) - 1:02d}.{int(found[2]) - 1:02d}"

    for name in ("hexes.csv", "lines.csv"):
        file = game / "pack" / name
        file.write_text(re.sub(r"\b(\d\d)(\d\d)\b", raw, file.read_text()))
    audit = vu.audit(game / "turn-2.vlog")
    plain = vu.audit(CROSSROADS / "turn-2.vlog")
    assert [(f.clause, f.kind) for f in audit.findings] == [
        (f.clause, f.kind) for f in plain.findings
    ]
