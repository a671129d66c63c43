"""A studio that runs in this process, and its page in a browser."""

from __future__ import annotations

import random
import re
import shutil
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from sample_pack import CROSSROADS
from sample_pack import SAMPLES as SAMPLES
from vassal_umpire.importers.vassal.limits import DEFAULT_LIMITS
from vassal_umpire.model.viewer import EVERYONE, Viewer
from vassal_umpire.plugin.auditing import read_evidence
from vassal_umpire.plugin.reading import Named
from vassal_umpire.plugin.studio import session
from vassal_umpire.plugin.studio.entry import Entry
from vassal_umpire.plugin.studio.game_desk import GameDesk
from vassal_umpire.plugin.studio.launch import listening, server_for
from vassal_umpire.plugin.studio.safety import HOST, Keys
from vassal_umpire.plugin.studio.session import Studio

PATIENCE = 180_000
"""Milliseconds: what has not come by then on the slowest machine does not come."""
LOGS = tuple(CROSSROADS / f"turn-{n}.vlog" for n in (1, 2))


def expect(found: Any) -> Any:
    """Playwright's assertions about an element or elements: each waits until what it says is so."""
    from playwright.sync_api import expect

    expect.set_options(timeout=PATIENCE)
    return expect(found)


class Running:
    """What is served as ``entry``, its ``keys`` and where it is."""

    def __init__(self, entry: Entry, keys: Keys, port: int) -> None:
        self.entry, self.keys, self.port = entry, keys, port
        self.origin = f"http://{HOST}:{port}"

    @property
    def studio(self) -> Studio:
        """The studio that is open."""
        assert self.entry.studio is not None
        return self.entry.studio

    @property
    def link(self) -> str:
        """An address that opens it once."""
        return f"{self.origin}/#launch={self.keys.new_token()}"

    @property
    def headers(self) -> dict[str, str]:
        """What a call needs."""
        return {
            "Origin": self.origin,
            "X-Umpire-Session": self.keys.session,
            "X-Umpire-Tab": "test",
        }


@contextmanager
def serving(entry: Entry, port: int = 0, keys: Keys | None = None) -> Iterator[Running]:
    """What the page shows, until the block ends."""
    keys = keys or Keys()
    with listening(port) as sock, pytest.MonkeyPatch.context() as patch:
        patch.setattr(session, "WATCH", 0.2)  # what a test writes into a file is seen soon
        patch.setattr(
            random, "SystemRandom", lambda: random.Random(1)
        )  # blind sheets, every day the same
        number = sock.getsockname()[1]
        server = server_for(entry, keys, number)
        thread = threading.Thread(target=server.run, kwargs={"sockets": [sock]}, daemon=True)
        thread.start()
        entry.start()
        try:
            yield Running(entry, keys, number)
        finally:
            entry.close()
            server.should_exit = True
            thread.join(PATIENCE / 1_000)


@contextmanager
def running(
    folder: Path,
    logs: tuple[Path, ...] = (),
    module: Path | None = None,
    viewer: Viewer = EVERYONE,
    port: int = 0,
    keys: Keys | None = None,
    game: GameDesk | None = None,
) -> Iterator[Running]:
    """A studio on a pack's folder, until the block ends."""
    evidence = read_evidence(Named(logs, module), DEFAULT_LIMITS)
    facts = folder / "facts.toml" if game is None else game.opened.path(game.opened.facts)
    studio = Studio(folder, facts, evidence, viewer, DEFAULT_LIMITS, game=game)
    with serving(Entry(studio), port, keys) as found:
        yield found


def copy_of(pack: Path, tmp_path: Path) -> Path:
    """A copy of a pack that may be written to."""
    folder = tmp_path / pack.name
    shutil.copytree(pack, folder)
    return folder


class Watched:
    """A page in a browser, and what it complained of meanwhile, or asked of others: of addresses that begin
    with none of ``own``, if there are any."""

    def __init__(self, context: Any, *own: str) -> None:
        self.own = own
        self.page = context.new_page()
        self.page.set_default_timeout(PATIENCE)
        self.complaints: list[str] = []
        self.page.on("console", self._heard)
        self.page.on("pageerror", lambda error: self.complaints.append(str(error)))
        self.page.on("request", self._asked)

    def _heard(self, message: Any) -> None:
        if message.type in ("error", "warning") and "404" not in message.text:
            self.complaints.append(message.text)

    def _asked(self, request: Any) -> None:
        if self.own and not request.url.startswith(self.own):
            self.complaints.append(f"asked for {request.url[:60]}")

    def text(self, selector: str) -> str:
        """The text of an element that is there."""
        return " ".join(self.page.locator(selector).inner_text().split())

    def expect(self, selector: str) -> Any:
        """Assertions about elements that wait until they are so."""
        return expect(self.page.locator(selector))

    def until(self, selector: str, text: str) -> None:
        """Wait until an element says this."""
        self.page.locator(selector).filter(has_text=text).wait_for()


class Tab(Watched):
    """A page of the studio. ``view``: it begins with that, without the link and the Board view, which takes
    longest to draw."""

    def __init__(self, context: Any, running: Running, address: str = "", view: str = "") -> None:
        super().__init__(context, f"{running.origin}/", f"blob:{running.origin}/")
        self.running = running
        if view:
            kept = f"sessionStorage.setItem('umpire-session', '{running.keys.session}')"
            self.page.add_init_script(kept)
            address = f"{running.origin}/#{view}"
        self.page.goto(address or running.link)

    def judged(self) -> None:
        """Wait until all moves are judged, and nothing else is being worked out."""
        self.page.locator('#top:has(#judging:empty) #legal:not(:text-is("–"))').wait_for()


READY = {"board": ".bd-stage", "suggest": "button", "units": "tbody tr", "phases": ".bar",
         "rules": ".form h2", "findings": ".switch button"}  # fmt: skip
"""What is there once a view is drawn."""


def opened(tab: Tab, view: str) -> Any:
    """A view, once it is drawn."""
    tab.page.locator(f"#tab-{view}").evaluate("one => one.click()")  # once it is there
    root = tab.page.locator(f".view-{view}")
    root.locator(READY[view]).first.wait_for()
    return root


def chart(root: Any, name: str) -> None:
    """Open a chart of the Rules view."""
    root.locator(".parts button").filter(has_text=name).first.click()
    root.locator("h2").filter(has_text=name).wait_for()


def rested(page: Any) -> None:
    """Wait until the Rules view shows what the studio told last: drawn anew, its ticks may lie elsewhere."""
    page.evaluate(
        "import('/page/views/rules.js').then(({ default: { follower } }) => new Promise(done => {"
        " const look = () => !follower.busy && follower.seen === follower.revision ? done()"
        " : setTimeout(look, 20); look(); }))"
    )


def drawn(page: Any) -> None:
    """Wait until the page is drawn as it is: what is scrolled by faster was never on the screen."""
    page.evaluate(
        "() => new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))"
    )


def sheets(page: Any, paper: str = "A4") -> int:
    """How many sheets of paper a page is printed on."""
    return len(re.findall(rb"/Type\s*/Page\b", page.pdf(format=paper)))


class Hand:
    """One action is a click, a field typed with Enter, a choice from a list, a drag, a key held, or a list
    scrolled."""

    def __init__(self, page: Any) -> None:
        self.page, self.actions = page, 0

    def click(self, element: Any) -> None:
        element.click()
        self.actions += 1

    def press(self, name: str) -> None:
        """Click the button of this name."""
        self.click(self.page.get_by_role("button", name=name, exact=True))

    def type(self, element: Any, text: str) -> None:
        element.fill(text)
        element.press("Enter")
        self.actions += 1

    def choose(self, element: Any, option: str) -> None:
        element.select_option(option)
        self.actions += 1

    def drag(self, *elements: Any) -> None:
        """Press the mouse on the first, draw over all others, let go."""
        for element in (elements[-1], elements[0]):
            element.evaluate(
                "one => one.scrollIntoView({ block: 'nearest' })"
            )  # also if it is drawn anew
        for number, element in enumerate(elements):
            box = None
            while box is None:  # what is drawn anew meanwhile has none for a moment
                element.wait_for()
                box = element.bounding_box()
            at = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
            self.page.mouse.move(*at, steps=1 if number == 0 else 12)
            if number == 0:
                self.page.mouse.down()
        self.page.mouse.up()
        self.actions += 1

    def hold(self, key: str) -> None:
        for _ in range(3):  # a key that is held is told again and again
            self.page.keyboard.down(key)
        self.page.keyboard.up(key)
        self.actions += 1

    def scroll(self, element: Any) -> None:
        """Scroll a list from its beginning to its end, once it is there."""
        element.locator("li").first.wait_for()
        element.hover()
        for _ in range(20):
            self.page.mouse.wheel(0, 250)
            drawn(self.page)
        self.actions += 1
