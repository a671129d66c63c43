"""The frame of the studio in a real browser."""

from __future__ import annotations

import contextlib
import socket
from pathlib import Path
from typing import Any

import pytest
from browser.studio_kit import CROSSROADS, LOGS, PATIENCE, Running, Tab, copy_of, running
from uvicorn.protocols.http.h11_impl import H11Protocol
from vassal_umpire.plugin.studio import launch
from vassal_umpire.plugin.studio.safety import HOST, Keys


def test_it_opens_with_the_verdicts_and_a_card_that_leads_to_what_is_next(tab: Tab) -> None:
    tab.until("#legal", "11")
    tab.expect("#illegal").to_have_text("2")
    tab.expect("#unverifiable").to_have_text("1")
    tab.expect("#card-text").to_contain_text("0110")
    assert tab.page.title() == "Crossroads – pack studio"
    assert "launch" not in tab.page.url
    tab.page.focus("#tab-board")
    for name in ("suggest", "units", "phases", "rules", "findings", "board"):
        tab.page.keyboard.press("ArrowRight")
        assert tab.page.evaluate("document.activeElement.id") == f"tab-{name}"
        tab.page.wait_for_url(f"**/#{name}")
    tab.until("#card-text", "0110")
    tab.page.click("#card-go")
    tab.page.wait_for_url("**/#findings/questions")
    tab.page.locator("#view:focus").wait_for()


def test_the_link_opens_it_once_and_without_it_the_page_says_what_to_do(
    browser: Any, context: Any, studio: Running
) -> None:
    link = studio.link
    Tab(context, studio, link).until("#legal", "11")
    alone = browser.new_context()
    for address in (studio.origin, link, f"{studio.origin}/#launch=wrong"):
        tab = Tab(alone, studio, address)
        tab.until("#lost", "Use the link")
        tab.expect("#legal").to_have_text("–")
    alone.close()


def test_a_second_tab_is_let_in_once_the_first_has_time(
    tab: Tab, context: Any, studio: Running
) -> None:
    tab.page.evaluate("""() => {
        const channel = BroadcastChannel.prototype, post = channel.postMessage;
        window.late = [];
        channel.postMessage = function (told) { late.push(() => post.call(this, told)); };
    }""")
    other = Tab(context, studio, studio.origin)
    other.until("#lost", "Use the link")  # so far
    tab.page.evaluate("late.forEach((answer) => answer())")
    other.judged()
    other.expect("#lost").to_be_hidden()


def test_a_lost_connection_is_told_and_mends_itself(context: Any, tmp_path: Path) -> None:
    folder = copy_of(CROSSROADS / "pack", tmp_path)
    keys = Keys()
    with running(folder, LOGS, keys=keys) as first:
        tab = Tab(context, first)
        tab.until("#legal", "11")
        port = first.port
    tab.until("#lost", "does not answer")
    with running(folder, LOGS, port=port, keys=keys):
        tab.page.locator("#lost").wait_for(state="hidden")
        tab.until("#legal", "11")
    with running(folder, LOGS, port=port):
        tab.until("#lost", "has ended")


def test_a_connection_made_while_the_server_stops_is_closed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(
        H11Protocol, "shutdown", lambda _self: None
    )  # nobody tells such a connection
    monkeypatch.setattr(launch, "GRACE", 0.1)
    with running(copy_of(CROSSROADS / "pack", tmp_path), LOGS) as studio:
        late = socket.create_connection((HOST, studio.port), timeout=PATIENCE / 1_000)
        late.sendall(f"GET / HTTP/1.1\r\nHost: {HOST}:{studio.port}\r\n\r\n".encode())
        assert late.recv(8) == b"HTTP/1.1"
    with late, contextlib.suppress(ConnectionResetError):
        while late.recv(65_536):
            pass


def test_a_name_and_the_right_to_write_are_kept_and_an_edit_is_taken_back(
    tab: Tab, studio: Running
) -> None:
    tab.page.fill("#who", "Wren <b>")
    tab.page.keyboard.press("Enter")
    tab.page.locator("#name").wait_for(state="hidden")
    assert studio.studio.who == "Wren <b>"
    tab.page.reload()
    tab.until("#legal", "11")
    tab.expect("#name").to_be_hidden()
    tab.expect("#reader").to_be_hidden()
    tab.until("#unverifiable", "1")
    hexes = studio.studio.folder / "hexes.csv"
    before = hexes.read_bytes()
    ask = """async () => (await import("/page/api.js")).post("/api/edit", {label: "paint 0110", edits:
        [{kind: "hex", hex: "0110", layer: "terrain", was: "?", now: "clear"}]})"""
    assert tab.page.evaluate(f"({ask})()")["refused"] == []
    tab.until("#unverifiable", "0")
    tab.page.keyboard.press("Control+z")
    tab.until("#unverifiable", "1")
    assert hexes.read_bytes() == before
    tab.page.keyboard.press("Control+y")
    tab.until("#unverifiable", "0")


def test_nothing_sticks_out_and_text_and_targets_are_large_enough(
    context: Any, phone: Any, studio: Running
) -> None:
    small_text = """() => [...document.querySelectorAll("p, button, label, li, h1, h2, h3, input")]
        .filter((e) => e.checkVisibility() && parseFloat(getComputedStyle(e).fontSize) < 15.9)
        .map((e) => e.textContent)"""
    for screen, width, least in ((context, 1440, 0), (phone, 390, 39)):
        tab = Tab(screen, studio)
        tab.until("#legal", "11")
        assert tab.page.locator("#tabs").bounding_box()["height"] >= 40
        small = f"""() => [...document.querySelectorAll("#top button, #view button, #view select, "
            + "#view input:not([type=checkbox], [type=radio], [type=range])")]
            .filter((e) => e.checkVisibility() && (e.getBoundingClientRect().height < {least}
            || e.closest("#top") && e.getBoundingClientRect().width < {least}))
            .map((e) => e.outerHTML.slice(0, 80))"""
        for name in ("phases", "board", "units", "rules", "findings", "suggest"):
            tab.page.click(f"#tab-{name}")
            tab.page.locator(f".view-{name} :is(button, input):visible").first.wait_for()
            assert tab.page.evaluate(small) == [], name
            for scheme in ("light", "dark"):
                tab.page.emulate_media(color_scheme=scheme)
                assert tab.page.evaluate("document.documentElement.scrollWidth") <= width
                assert tab.page.evaluate(small_text) == [], name
        assert tab.complaints == []
