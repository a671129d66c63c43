"""Drawn boards: what is drawn is what is read, hex by hex."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st
from vassal_umpire.importers.cases.board_text import Drawn, drawn_board, legend_of
from vassal_umpire.importers.cases.words import Faults
from vassal_umpire.model.hexgrid import from_offset

LEGEND = legend_of({".": "clear", "f": "forest"})
CELLS = st.sampled_from([".", "f", "f2", "?", ".1", "-"])


def read(text: str) -> tuple[Drawn, Faults]:
    faults = Faults()
    return drawn_board("drawn", text, [], LEGEND, faults, ("board",)), faults


def staggered(columns: list[list[str]], gap: int, margin: bool) -> str:
    """Columns of hexes as text: each column's hexes on every second line."""
    rows = max(map(len, columns))
    lines = []
    for row in range(rows):
        for lower in (0, 1):
            cells = [column[row] for column in columns[lower::2] if row < len(column)]
            number = f"{row + 1:02} " if margin and not lower else "   "
            lines.append(number + "  " * lower + (" " * gap).join(cells))
    return "\n" + "\n".join(lines).rstrip() + "\n"


@given(
    st.integers(1, 6).flatmap(
        lambda rows: st.lists(st.lists(CELLS, min_size=rows, max_size=rows), min_size=2, max_size=7)
    ),
    st.integers(1, 6),
    st.booleans(),
)
def test_every_hex_is_where_it_was_drawn(columns: list[list[str]], gap: int, margin: bool) -> None:
    drawn, faults = read(staggered(columns, gap, margin))
    wanted = {
        f"{c + 1:02}{r + 1:02}": (from_offset(c, r), cell)
        for c, column in enumerate(columns)
        for r, cell in enumerate(column)
        if cell != "-"
    }
    assert faults.found == []
    assert {name: (h.at, drawn.cells[name]) for name, h in drawn.board.hexes.items()} == wanted


def test_a_single_column_needs_empty_lines_between() -> None:
    drawn, faults = read("\n .\n\n f\n\n .\n")
    assert faults.found == []
    assert list(drawn.board.hexes) == ["0101", "0102", "0103"]


def test_too_large_a_board_is_refused() -> None:
    _, faults = read("\n" + "\n .\n" * 100)
    assert [fault.found for fault in faults.found] == ["a larger board"]
