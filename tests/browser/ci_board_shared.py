"""The Board view on a phone, beside others who change the files, and on large maps."""

from __future__ import annotations

import csv
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from browser.board_kit import Board
from browser.studio_kit import LOGS, Running, Tab, expect, running
from drawn_module import write_module, write_pack
from seen import looked_at_by_a_program
from vassal_umpire.importers.pack.provenance import FILE, read_provenance


def fingers(board: Board, kind: str, points: Sequence[tuple[float, float]]) -> None:
    if board.session is None:
        board.session = board.page.context.new_cdp_session(board.page)
    touches = [{"x": x, "y": y, "id": n} for n, (x, y) in enumerate(points)]
    board.session.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": touches})


@pytest.fixture
def phone(phone: Any, studio: Running) -> Iterator[Board]:
    tab = Tab(phone, studio)
    tab.judged()
    board = Board(tab, studio.studio.folder)
    board.page.locator(".bd-held").scroll_into_view_if_needed()
    board.frame()
    yield board
    assert tab.complaints == []


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


def test_what_was_changed_elsewhere_is_not_painted_over_but_shown(board: Board) -> None:
    board.page.route("**/api/cells*", lambda route: route.abort())
    file = board.folder / "hexes.csv"
    file.write_text(file.read_text("utf-8") + "0202,marsh\n", "utf-8")
    board.key("5")
    board.page.mouse.click(*board.at("0202"))
    board.tab.until(".bd-refused", "0202")
    board.tab.expect(".bd-refused").to_contain_text("1 change was not written")
    assert file.read_text("utf-8").rstrip().endswith("0202,marsh")
    # the page has heard of the change, and its one call for the cells was lost
    board.until("boardView.app.state.revision > boardView.ledger.revision && !boardView.fetching")
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
    board.page.wait_for_selector("#trouble", state="hidden")
    assert board.told("0202") == board.told("0203") == "woods"


def test_undo_asks_before_it_overwrites_what_was_changed_elsewhere(board: Board) -> None:
    board.key("5")
    board.click("0202")
    file = board.folder / "hexes.csv"
    file.write_text(file.read_text("utf-8").replace("0202,woods", "0202,town"), "utf-8")
    board.until("boardView.ledger.hex('0202').terrain === 'town'")
    later = "void setTimeout(() => document.querySelector('#undo').click())"  # the dialog holds all else up
    can_undo = board.page.locator("#undo:enabled")
    can_undo.wait_for()
    with board.page.expect_event("dialog") as asked:
        board.page.evaluate(later)
    assert "0202" in asked.value.message
    asked.value.dismiss()
    assert board.told("0202") == "town"
    board.written()
    can_undo.wait_for()
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
    board.tab.expect(".bd-counted").not_to_have_text("0 hexes, 0 hexsides")
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
    board.tab.expect(".bd-info").to_contain_text("river")


def test_a_name_the_complete_chart_does_not_have_is_warned_of(board: Board) -> None:
    board.page.fill(".bd-new input >> nth=0", "wood")
    board.page.keyboard.press("Enter")
    board.tab.until(".bd-warning", "wood")
    expect(board.page.locator(".bd-brush[aria-pressed=true] .bd-name")).to_have_text("wood")
    board.page.fill(".bd-new input >> nth=0", "a+b")
    board.page.keyboard.press("Enter")
    board.tab.until(".bd-warning", "cannot hold")


@contextmanager
def on_large_map(context: Any, folder: Path, hexes: str = "") -> Iterator[Board]:
    """The view on a map of 24 columns. ``hexes``: the text of hexes.csv."""
    maps = [("Large", 24, 20)]
    write_module(folder / "large.vmod", maps)
    write_pack(folder / "pack", maps)
    if hexes:
        (folder / "pack" / "hexes.csv").write_text(hexes, "utf-8")
    with running(folder / "pack", (), folder / "large.vmod") as studio:
        board = Board(Tab(context, studio), folder / "pack")
        board.page.focus(".bd-stage")
        read = "boardView.ledger.revision >= state.revision && !state.judging"
        board.until(f"(state => state && {read})(boardView.app.state)")
        board.frame()
        yield board


def test_the_overlay_goes_along_with_a_large_map_while_it_moves(
    context: Any, tmp_path: Path
) -> None:
    with on_large_map(context, tmp_path) as board:
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
    rows = [f"{c:02}{r:02},clear" for c in range(1, 25) for r in range(1, 21)]
    told = "\n".join(["hex,terrain", *rows]).replace(f"{ODD},clear", f"{ODD},woods")

    def apart(one: Any, other: Any) -> float:
        return sum(abs(a - b) for a, b in zip(one, other, strict=True))

    def is_woods(name: str) -> bool:
        here, odd, *common = board.of(INK, [name, ODD, *AROUND])
        assert all(apart(odd, one) > 2 * apart(common[0], one) for one in common)
        return apart(here, odd) < apart(here, common[0])

    with on_large_map(context, tmp_path, f"{told}\n") as board:
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
            # What is said below the map may have made it lower meanwhile. News of cells may come between two
            # calls, so what is on the canvas is taken in the moment in which nothing is left to draw.
            at_once = f"({PIXELS}, v.overlay.whole(), v.overlay.draw(), {PIXELS}, true)"
            board.until(
                "boardView.parts.canvas.clientHeight === Math.round(boardView.viewer.size.y)"
                " && !boardView.overlay.carried && !boardView.overlay.asked"
                f" && (v => {at_once})(boardView)"
            )
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
        expect(board.page.locator(".view-board img:not(.leaflet-container img)")).to_have_count(0)
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


# -- one look at one cut-out of the map: after it an accusation stands ------------------------------


def test_after_one_look_somebody_is_accused(context: Any, tmp_path: Path) -> None:
    pack = looked_at_by_a_program(tmp_path / "pack")
    with running(pack, LOGS[:1]) as studio:
        studio.studio.who = "Wren"
        tab = Tab(context, studio)
        page = tab.page
        tab.until("#illegal", "0")
        tab.expect("#card-text").to_contain_text("No person has looked")
        page.click("#card-go")
        page.get_by_role("button", name="Show it").first.click()
        page.locator(".look svg.over").wait_for()
        confirm = page.get_by_role("button", name="Everything there is as drawn")
        assert confirm.is_disabled()
        page.get_by_role("button", name="Hide what the pack has").click()
        page.get_by_role("button", name="Show what the pack has").click()
        confirm.click()
        tab.expect("#illegal").not_to_have_text("0")
        records, problems = read_provenance(pack / FILE)
        assert problems == ()
        seen = [record for record in records if record.is_seen]
        assert any(record.value == "none" for record in seen)  # absences, too
        assert {record.who for record in seen} == {("Wren",)}
        assert tab.complaints == []
