"""Where the Board view begins: with all of the map in view, or, if it is too large, where the audit asks."""

from __future__ import annotations

from typing import Any

from browser.board_kit import Board
from browser.studio_kit import Running, Tab

# The map from edge to edge in its element: left, top, right, bottom, as parts of its width and height.
EDGES = (
    "((s, z) => [...v.viewer.from(0, 0), ...v.viewer.from(s.width, s.height)]"
    ".map((at, i) => at / (i % 2 ? z.y : z.x)))(v.surface, v.viewer.size)"
)


def opened(context: Any, studio: Running) -> Board:
    return Board(Tab(context, studio), studio.studio.folder)


def is_whole(board: Board) -> bool:
    left, top, right, bottom = board.of(EDGES)
    return bool(min(left, top) > -0.01 and max(right, bottom) < 1.01)


def narrowed(board: Board, width: int) -> None:
    board.page.set_viewport_size({"width": width, "height": 844})
    board.until(f"boardView.viewer.size.x < {width}")


def test_the_whole_map_stays_in_view_until_it_is_moved(context: Any, studio: Running) -> None:
    board = opened(context, studio)
    assert is_whole(board)
    narrowed(board, 390)
    assert is_whole(board)
    board.of("v.act('nearer')")
    narrowed(board, 360)
    assert not is_whole(board)
    board.of("v.act('whole')")
    narrowed(board, 330)
    assert is_whole(board)


def test_a_map_too_large_to_be_read_begins_where_the_audit_asks(
    browser: Any, studio: Running
) -> None:
    context = browser.new_context(viewport={"width": 150, "height": 844})
    board = opened(context, studio)
    board.until("boardView.surface.names[boardView.cursor] === '0110'")
    x, y = board.of(
        "v.viewer.from(...v.surface.centre(v.cursor)).map((p, i) => p / v.viewer.size[i ? 'y' : 'x'])"
    )
    assert 0 < x < 1
    assert 0 < y < 1
    assert board.of("v.viewer.scale * v.surface.radius") >= 25
    board.of("v.act('whole')")
    board.of("v.show()")
    assert is_whole(board)
    context.close()
