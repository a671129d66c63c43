"""The Board view of the studio in a real browser: what is painted shows at once, and is written."""

from __future__ import annotations

import csv
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest
from browser.studio_kit import SAMPLES, Running, Tab, copy_of, running
from drawn_module import write_module, write_pack

CROSSROADS = SAMPLES / "crossroads"
LOGS = tuple(CROSSROADS / f"turn-{n}.vlog" for n in (1, 2))
READY = "boardView.surface && !document.querySelector('.view-board').hidden"
WRITTEN = "!boardView.outbox.sending && boardView.outbox.waiting.length === 0"


class Board:
    """The view in a page, and the files of its pack."""

    def __init__(self, tab: Tab, folder: Path) -> None:
        self.tab, self.page, self.folder = tab, tab.page, folder
        self.session: Any = None
        self.ready()

    def ready(self) -> None:
        self.page.wait_for_selector(".view-board .bd-layers")
        self.page.evaluate(
            "import('/page/views/board.js').then(m => { window.boardView = m.default; })"
        )
        self.until(READY)
        self.until("boardView.viewer.size.x > 100 && !boardView.viewer.unseen")

    def until(self, condition: str) -> None:
        """Wait until something is so in the page. (Playwright's own way needs what its CSP forbids.)"""
        self.page.evaluate(
            "new Promise((done, lost) => { const late = performance.now() + 20000; "
            f"const so = () => ({condition}); const look = () => so() ? done() "
            ": performance.now() > late ? lost(new Error('never so')) : setTimeout(look, 15); look(); })"
        )

    def of(self, expression: str, *given: Any) -> Any:
        return self.page.evaluate(
            f"([a, b]) => {{ const v = boardView; return {expression}; }}", [*given, None, None][:2]
        )

    def at(self, name: str) -> tuple[float, float]:
        """The pixel of the page at the centre of a hex, or the middle of a hexside."""
        x, y = self.of(
            "((s, box, p) => [box.left + p[0], box.top + p[1]])(v.surface, v.stage.getBoundingClientRect(), "
            "v.viewer.from(...(a.includes('/') ? v.surface.middle(v.surface.sideNumbers.get(a)[0]) "
            ": v.surface.centre(v.surface.number(a)))))",
            name,
        )
        return x, y

    def click(self, name: str, **options: Any) -> None:
        self.page.mouse.click(*self.at(name), **options)
        self.written()

    def drag(self, *names: str, button: Any = "left", release: bool = True) -> None:
        self.page.mouse.move(*self.at(names[0]))
        self.page.mouse.down(button=button)
        for name in names[1:]:
            self.page.mouse.move(*self.at(name), steps=6)
        if release:
            self.page.mouse.up(button=button)
            self.written()

    def written(self) -> None:
        self.until(WRITTEN)

    def key(self, *keys: str) -> None:
        for key in keys:
            self.page.keyboard.press(key)
        self.written()

    def shown(self, name: str) -> str:
        """The terrain that the map shows in a hex."""
        return str(self.of("v.ledger.hex(a).terrain", name))

    def rows(self, file: str) -> list[dict[str, str]]:
        path = self.folder / file
        if not path.exists():
            return []
        with path.open(encoding="utf-8", newline="") as text:
            return [dict(row) for row in csv.DictReader(text)]

    def told(self, name: str, column: str = "terrain") -> str:
        """What hexes.csv says of one hex in a row of its own; '': nothing."""
        found = [
            row[column] for row in self.rows("hexes.csv") if row["hex"] == name and row[column]
        ]
        return found[-1] if found else ""

    def kinds(self, side: str) -> set[str]:
        """What the board of the written pack has on a hexside and across it."""
        state = self.page.evaluate(
            "async () => { const { get } = await import('/page/api.js'); return get('/api/cells'); }"
        )
        found = state["sides"].get(side, {})
        return {*found.get("has", ()), *found.get("lines", ())}

    def ink(self) -> int:
        """How many pixels of the overlay are drawn, and shown."""
        if not self.page.locator(".bd-overlay").is_visible():
            return 0
        return int(
            self.of(
                "((c, on) => { on.drawImage(c, 0, 0); return on.getImageData(0, 0, c.width, c.height).data"
                ".reduce((n, byte, i) => n + (i % 4 === 3 && byte ? 1 : 0), 0); })(v.parts.canvas, "
                "new OffscreenCanvas(v.parts.canvas.width, v.parts.canvas.height).getContext('2d'))"
            )
        )

    def frame(self) -> None:
        self.page.evaluate(
            "new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))"
        )


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return copy_of(CROSSROADS / "pack", tmp_path)


@pytest.fixture
def studio(folder: Path) -> Iterator[Running]:
    with running(folder, LOGS) as found:
        yield found


@pytest.fixture
def board(context: Any, studio: Running, folder: Path) -> Iterator[Board]:
    tab = Tab(context, studio)
    tab.until("#legal", "11")
    yield Board(tab, folder)
    assert tab.complaints == []


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


def test_verdicts_follow_what_is_painted(board: Board) -> None:
    board.tab.until("#unverifiable", "1")
    board.key("1")
    board.click("0110")
    board.tab.until("#unverifiable", "0")


def test_the_keys_choose_what_is_painted_and_with_what(board: Board) -> None:
    board.page.focus(".bd-stage")
    board.key("4")
    assert board.page.locator(".bd-brush[aria-pressed=true] .bd-name").inner_text() == "town"
    board.key("s")
    assert board.page.locator(".bd-layers [aria-pressed=true]").inner_text() == "On hexsides"
    assert board.page.locator(".bd-brush .bd-name").all_inner_texts() == ["river", "bridge"]


def test_keys_do_nothing_here_while_another_view_is_shown(board: Board) -> None:
    board.click("0202")
    board.page.click("#tab-rules")
    board.page.evaluate("document.activeElement.blur()")
    for key in ("e", "5", "d", "s"):
        board.page.keyboard.press(key)
    assert board.of("[v.desk.layer, v.ledger.waiting]") == ["terrain", 0]
    assert board.told("0202") == "clear"


def test_the_right_button_takes_up_the_brush_under_the_pointer(board: Board) -> None:
    board.page.mouse.click(*board.at("0908"), button="right")
    assert board.of("[v.desk.layer, v.desk.brush()]") == ["terrain", board.shown("0908")]
    board.page.mouse.click(*board.at("0603/0703"), button="right")
    assert board.of("[v.desk.layer, v.desk.brush()]") == ["hexsides", "river"]
    assert board.rows("hexes.csv") == board.rows("hexes.csv")


def test_a_click_on_a_hexside_switches_what_is_on_it(board: Board) -> None:
    board.key("s")
    board.page.locator(".bd-brush", has_text="river").click()
    board.click("0202/0203")
    assert board.kinds("0202/0203") == {"river"}
    board.click("0202/0203")
    assert board.kinds("0202/0203") == set()


def test_a_drag_along_hexsides_paints_them_all_and_takes_none_away(board: Board) -> None:
    board.key("s")
    board.page.locator(".bd-brush", has_text="river").click()
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


def test_levels_and_what_is_in_a_hex_are_painted_as_terrain_is(board: Board) -> None:
    board.key("l", "3")
    board.drag("0202", "0204")
    assert [board.told(f"020{n}", "level") for n in (2, 3, 4)] == ["2"] * 3
    board.key("f")
    board.page.fill(".bd-new input >> nth=0", "fort")
    board.page.keyboard.press("Enter")
    board.click("0202")
    assert board.told("0202", "features") == "fort"


def test_not_known_is_painted_with_a_key(board: Board) -> None:
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


def test_the_cells_the_audit_asks_for_are_gone_to_one_by_one(board: Board) -> None:
    board.until("boardView.ledger.asked.length > 0")
    board.page.focus(".bd-stage")
    board.key("n")
    assert board.of("v.surface.names[v.cursor]") == "0110"
    board.tab.until("#said", "what terrain is in hex 0110? 1 move waits for it.")


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


def test_a_hex_that_is_done_is_told_on_all_six_sides(board: Board) -> None:
    board.page.click("text=Hex is done")
    board.click("0303")
    assert board.told("0303", "told") in ("hexsides+lines", "lines+hexsides")
    assert "all six sides told" in board.tab.text(".bd-info")
    board.click("0303")
    assert board.told("0303", "told") == ""


def test_a_key_that_is_held_hides_the_overlay(board: Board) -> None:
    board.page.focus(".bd-stage")
    board.frame()
    assert board.ink() > 1000
    board.page.keyboard.down("o")
    board.frame()
    assert board.ink() == 0
    board.page.keyboard.up("o")
    board.frame()
    assert board.ink() > 1000


def test_the_map_is_moved_by_the_middle_button_and_by_the_space_bar(board: Board) -> None:
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


def test_the_wheel_zooms_at_the_pointer(board: Board) -> None:
    before, scale = board.at("0303"), board.of("v.viewer.scale")
    board.page.mouse.move(*before)
    board.page.mouse.wheel(0, -300)
    board.frame()
    assert board.at("0303") == pytest.approx(before, abs=2)
    assert board.of("v.viewer.scale") > 1.2 * scale


def test_undo_works_in_another_view_and_the_board_follows(board: Board) -> None:
    board.key("5")
    board.click("0202")
    assert board.told("0202") == "woods"
    board.page.click("#tab-rules")
    board.page.keyboard.press("Control+z")
    board.tab.until("#said", "Taken back")
    board.page.click("#tab-board")
    board.until("boardView.ledger.hex('0202').terrain === 'clear'")
    board.page.focus(".bd-stage")
    board.page.keyboard.press("Control+y")
    board.until("boardView.ledger.hex('0202').terrain === 'woods'")


def test_a_reload_shows_what_was_painted(board: Board) -> None:
    board.key("5")
    board.click("0202")
    board.page.reload()
    board.ready()
    assert board.shown("0202") == "woods"


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
    assert f"Hex {start}:" in board.page.locator(".bd-live").inner_text()
    board.key("5", "Enter")
    assert board.shown(start) == "woods"
    board.key("4", "Shift+ArrowDown", "Shift+ArrowDown")
    assert board.told(f"{start[:2]}{int(start[2:]) + 2:02}") == "town"
    board.key("r", "Shift+ArrowUp")
    assert "road to" in page.locator(".bd-live").inner_text()
    board.key("s", ".")
    side = board.of("v.surface.sides[v.side]")
    had = board.kinds(side)
    board.key("1", "Enter")
    assert board.kinds(side) ^ had == {"river"}
    board.key("d")
    assert "all six sides told" in board.of(
        "v.ledger.hex(v.surface.names[v.cursor]).told && 'all six sides told'"
    )


def test_arrow_keys_walk_straight_over_the_map_and_stop_at_its_edge(board: Board) -> None:
    board.of("v.go('0303')")
    board.page.focus(".bd-stage")
    names = []
    for _ in range(12):
        board.page.keyboard.press("ArrowRight")
        names.append(board.of("v.surface.names[v.cursor]"))
    assert [name[:2] for name in names[:9]] == [f"{n:02}" for n in range(4, 13)]
    assert {name[2:] for name in names} <= {"02", "03"}
    assert names[-1] == names[8]


def fingers(board: Board, kind: str, points: Sequence[tuple[float, float]]) -> None:
    if board.session is None:
        board.session = board.page.context.new_cdp_session(board.page)
    touches = [{"x": x, "y": y, "id": n} for n, (x, y) in enumerate(points)]
    board.session.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": touches})


@pytest.fixture
def phone(browser: Any, studio: Running, folder: Path) -> Iterator[Board]:
    context = browser.new_context(
        viewport={"width": 390, "height": 800}, has_touch=True, is_mobile=True
    )
    tab = Tab(context, studio)
    tab.until("#legal", "11")
    board = Board(tab, folder)
    board.page.locator(".bd-held").scroll_into_view_if_needed()
    board.frame()
    yield board
    assert tab.complaints == []
    context.close()


def test_a_finger_paints_and_a_long_press_gives_not_known(phone: Board) -> None:
    phone.page.locator(".bd-brush", has_text="woods").tap()
    phone.page.locator(".bd-held").scroll_into_view_if_needed()
    phone.frame()
    fingers(phone, "touchStart", [phone.at("0304")])
    for name in ("0305", "0306"):
        fingers(phone, "touchMove", [phone.at(name)])
    fingers(phone, "touchEnd", [])
    phone.written()
    assert [phone.told(name) for name in ("0304", "0305", "0306")] == ["woods"] * 3
    fingers(phone, "touchStart", [phone.at("0605")])
    phone.until("boardView.ledger.hex('0605').terrain === '?'")
    fingers(phone, "touchEnd", [])
    phone.written()
    assert phone.told("0605") == "?"


def test_two_fingers_move_and_zoom_and_paint_nothing(phone: Board) -> None:
    before = phone.shown("0304")
    a, b = phone.at("0304"), phone.at("0804")
    scale = phone.of("v.viewer.scale")
    fingers(phone, "touchStart", [a])
    fingers(phone, "touchStart", [a, b])
    for step in range(1, 6):
        fingers(
            phone,
            "touchMove",
            [(a[0] - 6 * step, a[1] + 8 * step), (b[0] + 6 * step, b[1] + 8 * step)],
        )
    fingers(phone, "touchEnd", [])
    phone.frame()
    assert phone.of("v.viewer.scale") > 1.2 * scale
    assert phone.at("0304") == pytest.approx((a[0] - 30, a[1] + 40), abs=4)
    assert phone.shown("0304") == before
    assert phone.of("v.ledger.waiting") == 0


def test_the_page_is_no_wider_than_a_phone(phone: Board) -> None:
    assert phone.page.evaluate("document.documentElement.scrollWidth") <= 390
    for button in phone.page.locator(".view-board button:visible").all():
        found = button.bounding_box()
        assert found is not None
        assert found["height"] >= 39, button.inner_text()


def test_what_was_changed_elsewhere_is_not_painted_over_but_shown(board: Board) -> None:
    board.page.route("**/api/cells*", lambda route: route.abort())
    file = board.folder / "hexes.csv"
    file.write_text(file.read_text("utf-8") + "0202,marsh\n", "utf-8")
    board.key("5")
    board.page.mouse.click(*board.at("0202"))
    board.tab.until(".bd-refused", "0202")
    assert "1 change was not written" in board.tab.text(".bd-refused")
    assert file.read_text("utf-8").rstrip().endswith("0202,marsh")
    board.page.unroute("**/api/cells*")
    board.until("boardView.ledger.hex('0202').terrain === 'marsh'")
    board.tab.complaints.clear()  # the calls that were kept from the studio


def test_strokes_are_kept_while_the_connection_is_lost(board: Board) -> None:
    board.page.route("**/api/edit", lambda route: route.abort())
    board.key("5")
    board.page.mouse.click(*board.at("0202"))
    board.tab.until(".bd-waiting", "1 stroke is not written yet")
    board.page.mouse.click(*board.at("0203"))
    assert board.shown("0203") == "woods"
    assert board.told("0203") == "clear"
    board.page.unroute("**/api/edit")
    board.written()
    assert board.told("0202") == board.told("0203") == "woods"
    board.page.wait_for_selector(".bd-waiting", state="hidden")
    board.tab.complaints.clear()  # the calls that were kept from the studio


def test_what_a_locked_file_keeps_from_being_written_stays_on_the_map(board: Board) -> None:
    file = board.folder / "hexes.csv"
    file.chmod(0o444)
    board.key("5")
    board.click("0202")
    board.tab.until("#trouble", "the edit is kept")
    board.click("0203")
    board.until("boardView.ledger.revision >= boardView.app.state.revision")
    assert board.shown("0202") == board.shown("0203") == "woods"
    assert board.told("0202") == "clear"
    file.chmod(0o644)
    board.page.wait_for_selector("#trouble", state="hidden", timeout=20_000)
    assert board.told("0202") == board.told("0203") == "woods"


def test_undo_asks_before_it_overwrites_what_was_changed_elsewhere(board: Board) -> None:
    board.key("5")
    board.click("0202")
    file = board.folder / "hexes.csv"
    file.write_text(file.read_text("utf-8").replace("0202,woods", "0202,marsh"), "utf-8")
    board.until("boardView.ledger.hex('0202').terrain === 'marsh'")
    later = "void setTimeout(() => document.querySelector('#undo').click())"  # the dialog holds all else up
    with board.page.expect_event("dialog") as asked:
        board.page.evaluate(later)
    assert "0202" in asked.value.message
    asked.value.dismiss()
    assert board.told("0202") == "marsh"
    with board.page.expect_event("dialog") as asked:
        board.page.evaluate(later)
    asked.value.accept()
    board.until("boardView.ledger.hex('0202').terrain === 'clear'")
    assert board.told("0202") == "clear"


def test_a_tab_that_only_reads_paints_nothing(board: Board, context: Any, studio: Running) -> None:
    second = Board(Tab(context, studio, f"{studio.origin}/"), board.folder)
    second.page.wait_for_selector("#reader:visible")
    second.page.keyboard.press("5")
    second.page.mouse.click(*second.at("0202"))
    second.tab.until("#said", "Another tab makes the changes")
    assert second.shown("0202") == "clear"
    board.key("5")
    board.click("0203")
    second.until("boardView.ledger.hex('0203').terrain === 'woods'")


def test_a_filter_finds_the_cells_it_asks_for(board: Board) -> None:
    board.page.select_option(".bd-find select", "unknown")
    board.tab.until(".bd-counted", "1 hex, 0 hexsides")
    board.page.click("text=Next of these")
    assert board.of("v.surface.names[v.cursor]") == "0110"
    board.page.select_option(".bd-find select", "rested")
    assert board.page.locator(".bd-counted").inner_text() != "0 hexes, 0 hexsides"
    board.key("5")
    board.click("0202")
    board.page.select_option(".bd-find select", "changed")
    board.until("boardView.ledger.changed.has('0202')")
    board.page.select_option(".bd-find select", "changed")
    board.tab.until(".bd-counted", "1 hex, 0 hexsides")


def test_other_views_can_lead_to_a_cell(board: Board) -> None:
    board.page.evaluate("location.hash = '#board/0603%2F0703'")
    board.until("boardView.side >= 0")
    assert board.of("v.surface.sides[v.side]") == "0603/0703"
    assert "river" in board.tab.text(".bd-info")


def test_a_name_the_complete_chart_does_not_have_is_warned_of(board: Board) -> None:
    board.page.fill(".bd-new input >> nth=0", "wood")
    board.page.keyboard.press("Enter")
    board.tab.until(".bd-warning", "wood")
    assert board.page.locator(".bd-brush[aria-pressed=true] .bd-name").inner_text() == "wood"
    board.page.fill(".bd-new input >> nth=0", "a+b")
    board.page.keyboard.press("Enter")
    board.tab.until(".bd-warning", "cannot hold")


def test_the_overlay_goes_along_with_a_large_map_while_it_moves(
    context: Any, tmp_path: Path
) -> None:
    maps = [("Large", 24, 20)]
    write_module(tmp_path / "large.vmod", maps)
    write_pack(tmp_path / "pack", maps)
    with running(tmp_path / "pack", (), tmp_path / "large.vmod") as studio:
        board = Board(Tab(context, studio), tmp_path / "pack")
        board.page.focus(".bd-stage")
        board.frame()
        place = "[r.left - b.left, r.top - b.top, r.width / b.width]"
        drawn = f"(r => {place})(v.parts.canvas.getBoundingClientRect())"
        box = "(b => (v.viewer.{}, " + drawn + "))(v.stage.getBoundingClientRect())"
        assert board.of(box.format("pan(40, 25)")) == pytest.approx([40, 25, 1], abs=1)
        board.until("!boardView.overlay.carried")
        assert board.of(box.format("pan(0, 0)")) == pytest.approx([0, 0, 1], abs=1)
        board.until("!boardView.overlay.carried")
        assert board.of(box.format("zoom(2, 100, 60)")) == pytest.approx([-100, -60, 2], abs=1)
        board.until("!boardView.overlay.carried")
        assert board.of(box.format("pan(0, 0)")) == pytest.approx([0, 0, 1], abs=1)


# The mean colours that the overlay has, on the page, round the middles of hexes: [red, green, blue, opacity].
INK = """((c, on, stage) => a.map(name => {
  const [x, y] = v.viewer.from(...v.surface.centre(v.surface.number(name)));
  const r = c.getBoundingClientRect(), k = c.width / r.width, w = 9;
  on.clearRect(0, 0, 2 * w, 2 * w);
  const at = [(x + stage.left - r.left) * k - w, (y + stage.top - r.top) * k - w];
  on.drawImage(c, ...at, 2 * w, 2 * w, 0, 0, 2 * w, 2 * w);
  const d = on.getImageData(0, 0, 2 * w, 2 * w).data;
  return [0, 1, 2, 3].map(i => d.filter((_, n) => n % 4 === i).reduce((a, b) => a + b, 0) / (2 * w) ** 2);
}))(v.parts.canvas, new OffscreenCanvas(18, 18).getContext('2d', { willReadFrequently: true }),
    v.stage.getBoundingClientRect())"""
PIXELS = (
    "((c, on) => (on.drawImage(c, 0, 0), window.drawn ??= [], window.drawn.unshift("
    "on.getImageData(0, 0, c.width, c.height).data)))"
    "(v.parts.canvas, new OffscreenCanvas(v.parts.canvas.width, v.parts.canvas.height).getContext('2d'))"
)
ODD, AROUND = "1210", ("1209", "1211", "1110", "1310")


def test_after_a_zoom_what_is_drawn_lies_where_the_hexes_are(context: Any, tmp_path: Path) -> None:
    maps = [("Large", 24, 20)]
    write_module(tmp_path / "large.vmod", maps)
    write_pack(tmp_path / "pack", maps)
    rows = [f"{c:02}{r:02},clear" for c in range(1, 25) for r in range(1, 21)]
    told = "\n".join(["hex,terrain", *rows]).replace(f"{ODD},clear", f"{ODD},woods")
    (tmp_path / "pack" / "hexes.csv").write_text(f"{told}\n", "utf-8")

    def apart(one: Any, other: Any) -> float:
        return sum(abs(a - b) for a, b in zip(one, other, strict=True))

    def is_woods(name: str) -> bool:
        here, odd, *common = board.of(INK, [name, ODD, *AROUND])
        assert all(apart(odd, one) > 2 * apart(common[0], one) for one in common)
        return apart(here, odd) < apart(here, common[0])

    with running(tmp_path / "pack", (), tmp_path / "large.vmod") as studio:
        board = Board(Tab(context, studio), tmp_path / "pack")
        board.page.focus(".bd-stage")
        board.frame()
        assert not is_woods("1510")
        board.page.locator(".bd-brush", has_text="woods").click()
        board.page.mouse.move(*board.at("1510"))
        for turns, by in enumerate((45, -45, 45)):
            for _ in range(4):
                board.page.mouse.wheel(0, by)
                board.frame()
                assert is_woods(ODD)
            painted = f"15{10 + turns}"
            board.of("v.desk.paint([a])", painted)
            board.frame()
            assert board.shown(painted) == "woods"
            assert is_woods(painted)
            board.until("!boardView.overlay.carried")
            assert is_woods(painted)
            # What is said below the map may have made it lower meanwhile.
            board.until(
                "boardView.parts.canvas.clientHeight === Math.round(boardView.viewer.size.y)"
                " && !boardView.overlay.carried && !boardView.overlay.asked"
            )
            board.of(f"({PIXELS}, v.overlay.whole(), v.overlay.draw(), {PIXELS})")
            # Drawn a strip at a time it is what it is at once, but for the smoothing of edges.
            off = (
                "((a, b) => a.reduce((most, byte, i) => Math.max(most, Math.abs(byte - b[i])), 0))"
            )
            assert board.of(f"{off}(...window.drawn)") < 60


NASTY = ('<img src=x onerror="document.title=1">', "‮txen", "a" * 300)


def test_names_of_maps_and_terrains_are_shown_as_they_are_and_do_nothing(
    context: Any, tmp_path: Path
) -> None:
    maps = [(NASTY[0], 8, 6), (NASTY[2], 5, 4)]
    write_module(tmp_path / "nasty.vmod", maps, NASTY[0])
    write_pack(tmp_path / "pack", maps)
    rows = [["hex", "terrain"], *([f"010{n}", name] for n, name in enumerate(NASTY, 1))]
    with (tmp_path / "pack" / "hexes.csv").open("w", encoding="utf-8", newline="") as file:
        csv.writer(file).writerows(rows)
    with running(tmp_path / "pack", (), tmp_path / "nasty.vmod") as studio:
        tab = Tab(context, studio)
        board = Board(tab, tmp_path / "pack")
        names = board.page.locator(".bd-brush .bd-name").all_text_contents()
        assert {NASTY[0], NASTY[2]} <= set(names)
        assert board.page.locator(".view-board img:not(.leaflet-container img)").count() == 0
        options = board.page.locator(".bd-side > .bd-row select option").all_text_contents()
        assert options == [NASTY[0], NASTY[2]]
        board.page.select_option(".bd-side > .bd-row select", "1")
        board.until("boardView.surface.names.includes('B0101')")
        board.page.locator(".bd-brush").first.click()
        board.click("B0202")
        assert board.told("B0202") == names[0]
        assert board.page.evaluate("document.documentElement.scrollWidth") <= 1440
        assert board.page.title() != "1"
        assert tab.complaints == []
