"""The frame of the studio in a real browser."""

from __future__ import annotations

import http.server
import re
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from browser.studio_kit import CROSSROADS, LOGS, Running, Tab, copy_of, running
from vassal_umpire.plugin.studio.safety import Keys


def test_it_opens_with_the_verdicts_and_a_card_that_leads_to_what_is_next(tab: Tab) -> None:
    tab.until("#legal", "11")
    tab.expect("#illegal").to_have_text("2")
    tab.expect("#unverifiable").to_have_text("1")
    tab.expect("#card-text").to_contain_text("0110")
    assert tab.page.title() == "Crossroads – pack studio"
    assert "launch" not in tab.page.url
    tab.until("#legal", "11")
    tab.page.focus("#tab-board")
    for name in ("suggest", "units", "phases", "rules", "findings", "board"):
        tab.page.keyboard.press("ArrowRight")
        assert tab.page.evaluate("document.activeElement.id") == f"tab-{name}"
        tab.page.wait_for_url(f"**/#{name}")
    tab.until("#card-text", "0110")
    tab.page.click("#card-go")
    tab.page.wait_for_url("**/#findings/questions")
    tab.page.locator("#view:focus").wait_for()


def test_where_no_counter_is_a_unit_yet_the_card_says_so_and_nothing_is_called_amiss(
    context: Any, tmp_path: Path
) -> None:
    folder = copy_of(CROSSROADS / "pack", tmp_path)
    toml = folder / "pack.toml"
    kept = re.sub(
        r"(?ms)^\[(\[units|units|\[spent|\[phases).*?(?=^\[|\Z)", "", toml.read_text("utf-8")
    )
    toml.write_text(kept, "utf-8")
    (folder / "units.csv").unlink(missing_ok=True)
    with running(folder, LOGS) as studio:
        tab = Tab(context, studio)
        tab.until("#card-text", "Say which counters are units")
        tab.expect("#trouble").to_be_hidden()
        tab.page.click("#tab-phases")
        tab.until("[data-part=summary]", "say first, in Units")
        assert tab.complaints == []


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


HOSTILE = "<img src=x onerror=alert(1)>\"';--></script><b>"


def test_hostile_names_are_shown_as_they_are_and_do_nothing(context: Any, tmp_path: Path) -> None:
    folder = copy_of(CROSSROADS / "pack", tmp_path)
    toml = folder / "pack.toml"
    shown = HOSTILE.replace("\\", "\\\\").replace('"', '\\"')
    text = toml.read_text("utf-8").replace('title = "Crossroads"', f'title = "{shown}"')
    text = text.replace('name = "Combat"', f'name = "{shown}"')
    toml.write_text(text, "utf-8")
    with running(folder, LOGS) as studio:
        tab = Tab(context, studio)
        tab.page.on("dialog", lambda dialog: tab.complaints.append(dialog.message))
        tab.until("#title", HOSTILE)
        tab.page.click("#tab-phases")
        tab.page.locator(".view-phases .bar").first.wait_for()
        tab.expect("img[src=x]").to_have_count(0)
        assert tab.complaints == []
        (folder / "hexes.csv").write_text(
            f'hex,terrain\n0101,"{HOSTILE.replace(chr(34), "")}"\n', "utf-8"
        )
        tab.until("#trouble", "onerror")
        tab.expect("img[src=x]").to_have_count(0)
        assert tab.complaints == []


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


def test_nothing_sticks_out_and_text_is_large_enough(tab: Tab) -> None:
    tab.until("#legal", "11")
    small = """() => [...document.querySelectorAll("p, button, label, li, h1, h2, h3, input")]
        .filter((e) => e.checkVisibility() && parseFloat(getComputedStyle(e).fontSize) < 15.9)
        .map((e) => e.textContent)"""
    for width in (1440, 390):
        tab.page.set_viewport_size({"width": width, "height": 800})
        buttons = tab.page.locator("#tabs button").all()
        assert all(one.bounding_box()["height"] >= 40 for one in buttons)
        assert tab.page.locator("#tabs").bounding_box()["height"] >= 40
        for name in ("phases", "board", "units", "rules", "findings", "suggest"):
            tab.page.click(f"#tab-{name}")
            tab.page.locator(f".view-{name} :is(button, input):visible").first.wait_for()
            for scheme in ("light", "dark"):
                tab.page.emulate_media(color_scheme=scheme)
                assert tab.page.evaluate("document.documentElement.scrollWidth") <= width
                assert tab.page.evaluate(small) == []


def test_a_page_of_another_origin_gets_nothing(browser: Any, context: Any, studio: Running) -> None:
    """Even with the secret in its hands, and while the studio is open in the same browser."""
    Tab(context, studio).until("#legal", "11")
    page = context.new_page()
    with other_site(b"<!doctype html><title>other</title><body>") as site:
        page.goto(site)
        ask = """async ([url, headers, method]) => {
            try { return await (await fetch(url, { method, headers, body: method === "POST" ? "{}" :
            undefined })).text(); } catch (error) { return "refused"; } }"""
        secret = {"X-Umpire-Session": studio.keys.session}
        for path, method in (
            ("/api/state", "GET"),
            ("/api/leave", "POST"),
            ("/page/app.js", "GET"),
        ):
            for headers in ({}, secret):
                asked = [studio.origin + path, headers, method]
                assert page.evaluate(ask, asked) == "refused", (path, headers)
        framed = """(url) => new Promise((resolve) => {
            const frame = document.createElement("iframe");
            frame.onload = () => resolve(frame.contentDocument === null ? "another's" : "blank");
            frame.src = url;
            document.body.append(frame); })"""
        page.evaluate(framed, f"{studio.origin}/")
        shown = [f for f in page.frames if f != page.main_frame]
        assert all("Pack studio" not in frame.content() for frame in shown)
        picture = """(url) => new Promise((resolve) => {
            const made = document.createElement("img");
            made.onload = () => resolve("shown");
            made.onerror = () => resolve("refused");
            made.src = url; })"""
        assert page.evaluate(picture, f"{studio.origin}/api/tile/0/0/0/0") == "refused"
    page.close()


@contextmanager
def other_site(text: bytes) -> Iterator[str]:
    """A page of another origin on this machine."""

    class Handler(http.server.BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self.send_response(200)
            self.send_header("Content-Type", "text/html")
            self.end_headers()
            self.wfile.write(text)

        def log_message(self, *_: Any) -> None:
            pass

    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        thread = threading.Thread(target=server.serve_forever, daemon=True)
        thread.start()
        yield f"http://127.0.0.1:{server.server_address[1]}/"
        server.shutdown()
        thread.join(10)
