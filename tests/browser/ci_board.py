"""The Board view of the studio in a real browser: what is painted shows at once, and is written."""

from __future__ import annotations

from typing import Any

import pytest
from browser.board_kit import Board
from browser.studio_kit import Running, Tab, expect


def test_a_drag_paints_every_hex_it_crosses_in_one_stroke(board: Board) -> None:
    before = {board.shown(f"020{n}") for n in range(2, 7)}
    board.key("5")
    board.drag("0202", "0206", release=False)
    assert [board.shown(f"020{n}") for n in range(2, 7)] == ["woods"] * 5
    assert board.told("0203") == "clear", "nothing is written before the button is let go"
    board.page.mouse.up()
    board.written()
    assert [board.told(f"020{n}") for n in range(2, 7)] == ["woods"] * 5
    board.page.click("#undo:enabled")
    board.until("boardView.ledger.hex('0203').terrain === 'clear'")
    assert {board.shown(f"020{n}") for n in range(2, 7)} == before


def test_keys_and_the_right_button_choose_what_is_painted(board: Board) -> None:
    board.click("0202")
    board.page.click("#tab-rules")
    board.page.evaluate("document.activeElement.blur()")
    for key in ("e", "5", "d", "s"):
        board.page.keyboard.press(key)
    assert board.of("[v.desk.layer, v.ledger.waiting]") == ["terrain", 0], "another view is shown"
    assert board.told("0202") == "clear"
    board.page.click("#tab-board")
    board.page.focus(".bd-stage")
    board.key("4")
    expect(board.page.locator(".bd-brush[aria-pressed=true] .bd-name")).to_have_text("town")
    board.key("s")
    expect(board.page.locator(".bd-layers [aria-pressed=true]")).to_have_text("On hexsides")
    expect(board.page.locator(".bd-brush .bd-name")).to_have_text(["river", "bridge"])
    board.page.mouse.click(*board.at("0908"), button="right")
    assert board.of("[v.desk.layer, v.desk.brush()]") == ["terrain", board.shown("0908")]
    board.page.mouse.click(*board.at("0603/0703"), button="right")
    assert board.of("[v.desk.layer, v.desk.brush()]") == ["hexsides", "river"]


def test_a_click_on_a_hexside_switches_and_a_drag_along_them_takes_none_away(board: Board) -> None:
    board.key("s")
    board.page.locator(".bd-brush", has_text="river").click()
    for there in ({"river"}, set[str]()):
        board.click("0202/0203")
        assert board.kinds("0202/0203") == there
    sides = board.of("v.surface.sidesOf('0203').slice(0, 3).map(i => v.surface.sides[i])")
    board.click(sides[0])
    board.drag(*sides)
    assert [board.kinds(side) for side in sides] == [{"river"}] * 3


def test_a_road_is_dragged_from_hex_to_hex_and_back_again(board: Board) -> None:
    board.key("r")
    board.drag("0202", "0203", "0204", "0205", "0204")
    assert board.kinds("0202/0203") == {"road"}
    assert board.kinds("0203/0204") == {"road"}
    assert board.kinds("0204/0205") == set()
    board.page.locator(".bd-check", has_text="Take away").locator("input").check()
    board.drag("0202", "0203")
    assert board.kinds("0202/0203") == set()
    assert board.kinds("0203/0204") == {"road"}


def test_levels_features_what_is_not_known_and_what_is_done_are_painted_as_terrain_is(
    board: Board,
) -> None:
    board.click("0606")
    board.page.focus(".bd-stage")
    board.key("e")
    assert board.shown("0606") == board.told("0606") == "?"
    board.key("r")
    board.click("0505/0506")
    board.click("0505/0506")
    road = board.kinds("0505/0506")
    board.key("e")
    assert board.kinds("0505/0506") == road - {"road"}
    board.key("l", "3")
    board.drag("0202", "0204")
    assert [board.told(f"020{n}", "level") for n in (2, 3, 4)] == ["2"] * 3
    board.key("f")
    board.page.fill(".bd-new input >> nth=0", "fort")
    board.page.keyboard.press("Enter")
    board.click("0202")
    assert board.told("0202", "features") == "fort"
    board.page.click("text=Hex is done")
    board.click("0303")
    assert board.told("0303", "told") in ("hexsides+lines", "lines+hexsides")
    board.tab.expect(".bd-info").to_contain_text("all six sides done")
    board.click("0303")
    assert board.told("0303", "told") == ""


def test_a_fill_takes_only_what_is_not_known_and_vouches_for_nothing(board: Board) -> None:
    board.click("0101")
    board.page.focus(".bd-stage")
    board.key("e", "ArrowDown", "e", "5", "g")
    assert board.shown("0101") == board.shown("0102") == "woods"
    assert board.shown("0103") == "clear"
    records = [r for r in board.rows("provenance.csv") if r["cell"] in ("0101", "0102")]
    assert [
        (r["layer"], r["value"], r["status"])
        for r in records
        if not r["name"] and r["layer"] == "terrain"
    ] == [("terrain", "woods", "filled")] * 2
    board.page.select_option(".bd-find select", "suggested")
    board.tab.until(".bd-counted", "2 hexes")


def test_what_is_painted_shows_until_the_studio_tells_of_it_and_no_longer(board: Board) -> None:
    shown = board.page.evaluate(
        "import('/page/views/board/ledger.js').then(({ Ledger }) => {"
        " const told = new Ledger(), on = { kind: 'hex', hex: '0102', layer: 'terrain' };"
        " const tell = (revision, terrain) =>"
        " told.take({ revision, hexes: { '0102': { terrain } }, sides: {} });"
        " const paint = (now) => { const edit = { ...on, now }; told.write(edit); return edit; };"
        " const shown = [], look = () => shown.push(told.hex('0102').terrain);"
        " tell(1, 'woods'); paint('?'); const back = paint('woods'); tell(2, 'woods'); tell(3, '?'); look();"
        " told.settle([back], 4); const over = paint('clear'); tell(4, 'woods'); told.unwrite(over); look();"
        " tell(5, '?'); look();"  # by another tab
        " const late = paint('woods'), again = paint('clear');"
        " told.settle([late], 6); tell(6, 'woods'); told.unwrite(again); tell(7, '?'); look();"
        " const lost = paint('woods'), top = paint('clear'); told.unwrite(lost); told.unwrite(top); look();"
        " told.settle([paint('clear')], 8);"
        " told.take({ revision: 8, hexes: {}, sides: {}, unwritten: true }); look();"
        " return shown; })"
    )
    assert shown == ["woods", "woods", "?", "?", "?", "clear"]


def test_the_map_is_moved_zoomed_and_walked_over_and_the_overlay_hidden(board: Board) -> None:
    board.page.focus(".bd-stage")
    board.frame()
    assert board.ink() > 1000
    board.page.keyboard.down("o")
    board.frame()
    assert board.ink() == 0
    board.page.keyboard.up("o")
    board.frame()
    assert board.ink() > 1000
    x, y = board.at("0505")
    board.drag("0505", "0507", button="middle")
    moved = board.at("0505")
    assert moved[1] > y + 50
    board.page.focus(".bd-stage")
    board.page.keyboard.down(" ")
    board.drag("0507", "0505")
    board.page.keyboard.up(" ")
    assert board.at("0505") == pytest.approx((x, y), abs=3)
    assert board.of("v.desk.stroke") is None
    assert not (board.folder / "hexes.csv.studio-backup").exists(), "nothing was painted"
    before, scale = board.at("0303"), board.of("v.viewer.scale")
    board.page.mouse.move(*before)
    board.page.mouse.wheel(0, -300)
    board.frame()
    assert board.at("0303") == pytest.approx(before, abs=2)
    assert board.of("v.viewer.scale") > 1.2 * scale
    board.of("v.act('whole')")
    board.of("v.go('0303')")
    board.page.focus(".bd-stage")
    names = []
    for _ in range(12):
        board.page.keyboard.press("ArrowRight")
        names.append(board.of("v.surface.names[v.cursor]"))
    assert [name[:2] for name in names[:9]] == [f"{n:02}" for n in range(4, 13)]
    assert {name[2:] for name in names} <= {"02", "03"}
    assert names[-1] == names[8]
    board.until("boardView.ledger.asked.length > 0")
    board.page.focus(".bd-stage")
    board.key("n")
    assert board.of("v.surface.names[v.cursor]") == "0110"
    board.tab.until("#said", "what terrain is in hex 0110? 1 move waits for it.")


def test_undo_works_in_another_view_and_the_board_follows(board: Board) -> None:
    board.key("5")
    board.click("0202")
    assert board.told("0202") == "woods"
    board.page.click("#tab-rules")
    board.page.locator("#undo:enabled").wait_for()
    board.page.keyboard.press("Control+z")
    board.tab.until("#said", "Taken back")
    board.page.click("#tab-board")
    board.until("boardView.ledger.hex('0202').terrain === 'clear'")
    board.page.focus(".bd-stage")
    board.page.locator("#redo:enabled").wait_for()
    board.page.keyboard.press("Control+y")
    board.until("boardView.ledger.hex('0202').terrain === 'woods'")


def test_all_of_it_can_be_done_with_the_keyboard_alone(board: Board) -> None:
    page = board.page
    page.focus("#tab-board")
    for _ in range(12):
        page.keyboard.press("Tab")
        if page.evaluate("document.activeElement.classList.contains('bd-stage')"):
            break
    assert page.evaluate("document.activeElement.getAttribute('role')") == "application"
    board.key("ArrowDown")
    start = board.of("v.surface.names[v.cursor]")
    expect(board.page.locator(".bd-live")).to_contain_text(f"Hex {start}:")
    board.key("5", "Enter")
    assert board.shown(start) == "woods"
    board.key("4", "Shift+ArrowDown", "Shift+ArrowDown")
    assert board.told(f"{start[:2]}{int(start[2:]) + 2:02}") == "town"
    board.key("r", "Shift+ArrowUp")
    expect(page.locator(".bd-live")).to_contain_text("road to")
    board.key("s", ".")
    side = board.of("v.surface.sides[v.side]")
    had = board.kinds(side)
    board.key("1", "Enter")
    assert board.kinds(side) ^ had == {"river"}
    board.key("d")
    assert board.of("v.ledger.hex(v.surface.names[v.cursor]).told")


# -- where it begins: with all of the map in view, or, if it is too large, where the audit asks -----


# The map from edge to edge in its element: left, top, right, bottom, as parts of its width and height.
EDGES = (
    "((s, z) => [...v.viewer.from(0, 0), ...v.viewer.from(s.width, s.height)]"
    ".map((at, i) => at / (i % 2 ? z.y : z.x)))(v.surface, v.viewer.size)"
)


def is_whole(board: Board) -> bool:
    left, top, right, bottom = board.of(EDGES)
    return bool(min(left, top) > -0.01 and max(right, bottom) < 1.01)


def narrowed(board: Board, width: int) -> None:
    board.page.set_viewport_size({"width": width, "height": 844})
    board.until(f"boardView.viewer.size.x < {width}")


def test_the_whole_map_stays_in_view_until_it_is_moved(board: Board) -> None:
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
    board = Board(Tab(context, studio), studio.studio.folder)
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
