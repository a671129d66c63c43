"""The page of plugin/web in a real browser: it answers what the command line does, and nothing leaves it.

What of Pyodide's packages is stood in for, and why, :mod:`browser.web_kit` says. The command line runs with
the real ones, but for Pillow: of pictures the stand-in's are compared.
"""

from __future__ import annotations

import io
import os
import shutil
import subprocess
import sys
import zipfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from browser.studio_kit import Watched, expect
from browser.web_kit import STAND_INS, Server, built, serving
from command_line import printed
from sample_pack import CROSSROADS

LOG, MODULE, PACK = CROSSROADS / "turn-1.vlog", CROSSROADS / "crossroads.vmod", CROSSROADS / "pack"


@pytest.fixture(scope="module")
def server(browser: Any, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """The page, served."""
    with serving(
        built(tmp_path_factory.mktemp("web") / "site", tmp_path_factory.mktemp("kit"))
    ) as made:
        yield made


@pytest.fixture(scope="module")
def elsewhere(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """Another server, which must not hear of anything."""
    with serving(tmp_path_factory.mktemp("elsewhere")) as made:
        yield made


class Tab(Watched):
    """The page in a tab."""

    def __init__(self, context: Any, server: Server) -> None:
        super().__init__(context)
        self.page.goto(server.address)
        self.until("#status", "ready")

    def drop(self, *paths: Path) -> None:
        """Choose files, and wait until they were looked at."""
        self.page.set_input_files("#files", [str(path) for path in paths])
        self.page.locator("#files:enabled").wait_for()

    def take_out(self, name: str) -> None:
        """Take a file out of the list."""
        self.page.get_by_label(f"Take {name} out").press("Enter")

    def ask(self, what: str) -> None:
        """Press a button, and wait for the answer. By keyboard, as all buttons here: a click right after
        scrolling would reach the frame of the report that lay there before."""
        self.page.locator(f"[data-ask={what}]").press("Enter")
        self.page.locator("#result:visible, #trouble:visible").wait_for()

    def shown(self, selector: str) -> str:
        """The text of an element as it stands, "" where it is not to be seen."""
        found = self.page.locator(selector)
        return found.inner_text() if found.is_visible() else ""

    def saved(self) -> bytes:
        """The file that the answer offers."""
        with self.page.expect_download() as waiting:
            self.page.locator("#saves a[download]").first.press("Enter")
        return Path(waiting.value.path()).read_bytes()


@pytest.fixture(scope="module")
def tab(browser: Any, server: Server) -> Iterator[Tab]:
    """The page with the first sample game, loaded once for all tests."""
    context = browser.new_context(viewport={"width": 1200, "height": 900})
    made = Tab(context, server)
    made.drop(LOG, MODULE, *sorted(PACK.iterdir()))
    yield made
    context.close()


def test_the_report_is_the_one_of_the_command_line(tab: Tab, tmp_path: Path) -> None:
    tab.ask("audit")
    expected, pictures = tmp_path / "report.html", tmp_path / "pictures"
    shutil.copytree(STAND_INS / "PIL", pictures / "PIL")
    command = [sys.executable, "-m", "vassal_umpire", "audit", LOG, "--module", MODULE]
    environment = {**os.environ, "PYTHONPATH": str(pictures)}
    ran = subprocess.run([*command, "--pack", PACK, "-o", expected], env=environment, check=False)
    assert ran.returncode == 1
    assert tab.saved() == expected.read_bytes()
    assert tab.complaints == []


def test_the_page_tells_meanwhile_what_is_being_done(tab: Tab) -> None:
    tab.page.evaluate("""() => {
        window.lines = [];
        const status = document.getElementById("status");
        new MutationObserver(() => lines.push(status.textContent)).observe(status, { childList: true });
    }""")
    tab.ask("audit")
    heard = tab.page.evaluate("lines")
    assert heard[0] == "Auditing …"
    assert any(line.startswith("Judging moves: ") for line in heard)
    assert heard[-1] == "Ready."


def test_the_report_can_be_worked_with_inside_the_page(tab: Tab) -> None:
    tab.ask("audit")
    inside = tab.page.frame_locator("#report")
    inside.locator("#board .counter").first.wait_for()
    inside.locator("[name=verdict]").select_option("illegal")  # its script runs
    expect(inside.locator(".moves tbody tr:visible")).to_have_count(2)
    assert tab.complaints == []


def test_each_button_gives_what_its_command_does(tab: Tab, tmp_path: Path) -> None:
    named = (LOG, "--module", MODULE, "--pack", PACK)
    tab.ask("check")
    assert tab.page.locator("#text").text_content() == printed("check", *named)
    tab.ask("mail")
    with zipfile.ZipFile(io.BytesIO(tab.saved())) as mail:
        assert {"mail/all.html", "mail/Blue.html", "mail/Red.md"} <= set(mail.namelist())
    tab.ask("annotate")
    expected = tmp_path / "turn-1-annotated.vlog"
    printed("annotate", *named, "-o", expected)
    assert tab.saved() == expected.read_bytes()
    tab.expect("#notes").to_contain_text("their passwords too")


def test_the_sides_of_the_module_can_be_chosen(tab: Tab) -> None:
    choices = tab.page.locator("#side option").evaluate_all("all => all.map((one) => one.value)")
    assert choices == ["", "*", "Blue", "Red"]
    tab.page.select_option("#side", "Blue")
    tab.ask("check")
    tab.expect("#text").to_contain_text("what side Blue may see")
    tab.page.select_option("#side", "")


def test_several_logs_stand_in_their_order_and_can_be_moved_by_keyboard(tab: Tab) -> None:
    tab.drop(CROSSROADS / "turn-2.vlog")
    names = tab.page.locator("#list .name")
    assert names.all_inner_texts()[:2] == ["turn-1.vlog", "turn-2.vlog"]
    tab.page.get_by_label("turn-2.vlog: earlier").focus()
    tab.page.keyboard.press("Enter")
    assert names.all_inner_texts()[:2] == ["turn-2.vlog", "turn-1.vlog"]
    tab.ask("check")
    assert tab.shown("#trouble").startswith("turn-1.vlog: ends where turn-2.vlog begins")
    tab.take_out("turn-2.vlog")
    tab.ask("check")
    tab.expect("#text").to_contain_text("Crossroads: checked for Blue")


def test_a_folder_may_be_taken_with_what_else_lies_in_it(tab: Tab, tmp_path: Path) -> None:
    (tmp_path / "round 1").mkdir()
    for name in ("turn-2.vlog", "README.md"):
        (tmp_path / "round 1" / name).write_bytes((CROSSROADS / name).read_bytes())
    tab.page.set_input_files("#folder", tmp_path / "round 1")
    tab.page.locator("#list .name", has_text="turn-2.vlog").wait_for()
    assert tab.shown("#trouble") == ""
    tab.take_out("turn-2.vlog")


def test_files_may_be_dropped(tab: Tab) -> None:
    tab.page.evaluate(
        """(text) => {
            const dataTransfer = new DataTransfer();
            dataTransfer.items.add(new File([text], "facts.toml"));
            const more = { dataTransfer, bubbles: true, cancelable: true };
            document.body.dispatchEvent(new DragEvent("drop", more));
        }""",
        "[[hex]]\nhex = '0110'\nterrain = ['clear']\n",
    )
    tab.until("#list", "facts.toml")
    tab.ask("check")
    tab.expect("#text").to_contain_text("Checked 9 of 9 moves")
    tab.take_out("facts.toml")


def test_what_is_missing_or_no_file_of_a_game_is_said(tab: Tab, tmp_path: Path) -> None:
    tab.take_out("crossroads.vmod")
    tab.expect("#missing").to_have_text("Still missing: the module Crossroads 1.0 (.vmod).")
    tab.expect("[data-ask=audit]").to_be_disabled()
    tab.drop(MODULE)
    assert tab.shown("#missing") == ""
    tab.take_out("pack.toml")
    tab.expect("#missing").to_contain_text("the audit shows what was done and applies no rules")
    tab.expect("[data-ask=audit]").to_be_enabled()
    tab.expect("[data-ask=check]").to_be_disabled()
    tab.drop(*sorted(PACK.iterdir()))
    assert tab.shown("#missing") == ""
    tab.until("#list li", "with hexes.csv, lines.csv, units.csv")
    before = tab.page.locator("#list .name").all_inner_texts()
    (tmp_path / "notes.txt").write_text("see you on Friday")
    tab.drop(tmp_path / "notes.txt")
    assert tab.shown("#trouble").startswith("notes.txt: is nothing to audit; expected a log")
    tab.expect("#list .name").to_have_text(before)
    tab.ask("check")
    assert tab.shown("#trouble") == ""


def test_too_large_a_file_is_refused_before_it_is_read(tab: Tab) -> None:
    tab.page.evaluate("""() => {
        const file = new File(["PK"], "huge.vmod");
        Object.defineProperty(file, "size", { value: 301 * 2 ** 20 });
        return take([{ path: "huge.vmod", file }], false);
    }""")
    assert tab.shown("#trouble").startswith(
        "huge.vmod: is too large; all files together may have 300 MiB"
    )


def test_nothing_can_be_sent_anywhere(tab: Tab, elsewhere: Server) -> None:
    send = (
        f"fetch('{elsewhere.address}', {{ mode: 'no-cors' }}).then(() => 'sent', () => 'refused')"
    )
    assert tab.page.evaluate(send) == "refused"
    (worker,) = tab.page.workers
    assert worker.evaluate(send) == "refused"
    picture = f"""new Promise((done) => {{
        const image = new Image();
        [image.onload, image.onerror] = [() => done('shown'), () => done('refused')];
        image.src = '{elsewhere.address}a.png';
    }})"""
    assert tab.page.evaluate(picture) == "refused"
    tab.page.evaluate(f"navigator.sendBeacon('{elsewhere.address}', 'a log')")
    assert elsewhere.asked == []
    tab.complaints.clear()  # the browser has said what it refused


def test_a_phone_has_no_need_to_scroll_sideways(tab: Tab) -> None:
    tab.page.set_viewport_size({"width": 390, "height": 844})
    tab.ask("check")
    assert tab.page.evaluate("document.documentElement.scrollWidth") == 390
    assert max(map(len, tab.shown("#text").splitlines())) <= 44
    small = "all => all.filter((one) => one.offsetParent && one.offsetHeight < 40).length"
    assert tab.page.locator("button, select, .button").evaluate_all(small) == 0
    tab.page.set_viewport_size({"width": 1200, "height": 900})


def test_it_works_without_a_connection_and_after_a_cancel(tab: Tab, server: Server) -> None:
    """The last test, for it stops the server."""
    tab.until("#offline", "works without a connection")
    tab.ask("audit")
    report = tab.saved()
    server.close()
    ask_and_cancel = "document.querySelector('[data-ask=audit]').click(); at('cancel').click()"
    tab.page.evaluate(ask_and_cancel)
    assert tab.shown("#status").startswith("Cancelled")
    assert tab.shown("#result") == ""
    tab.page.locator("[data-ask=audit]:enabled").wait_for()
    tab.ask("audit")
    assert tab.saved() == report
    tab.page.reload()
    tab.page.locator("#sample:enabled").wait_for()  # the page itself is kept, too
    assert tab.complaints == []
