"""Takes every picture of README and docs, from two sample games: ``python docs/pictures.py [CORPUS]``.

With the folder of real VASSAL files (CONTRIBUTING), that of the mail on The Longest Day, too.

Needs Chromium for the page (npm brings Pyodide for the one in the browser), and VASSAL's engine (CONTRIBUTING
says how to get it) for the annotated log.
"""

from __future__ import annotations

import contextlib
import os
import re
import shutil
import sys
import tempfile
import zipfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from click.testing import CliRunner
from PIL import Image
from playwright.sync_api import Page, sync_playwright
from vassal_umpire.importers.game_folder.folder import read_game_folder
from vassal_umpire.importers.vassal.savefile import read_save
from vassal_umpire.plugin import cli
from vassal_umpire.plugin.desk.opening import named_of
from vassal_umpire.plugin.desk.players import seats_of
from vassal_umpire.plugin.studio.game_desk import GameDesk

DOCS = Path(__file__).resolve().parent
sys.path[:0] = [str(DOCS.parent / "tests" / folder) for folder in ("engine", "browser")]
from engine import Engine, display, find_engine  # noqa: E402
from studio_kit import copy_of, running  # noqa: E402
from web_kit import built, serving  # noqa: E402

IMAGES = DOCS / "images"
LAST_FLAG = 24
CROSSROADS = DOCS.parent / "samples" / "crossroads"
LOGS = tuple(CROSSROADS / f"turn-{number}.vlog" for number in (1, 2))
MOSCOW = DOCS.parent / "samples" / "battle-for-moscow"


def umpire(*arguments: object) -> None:
    """Run a command, which must succeed."""
    result = CliRunner().invoke(cli.main, [str(argument) for argument in arguments])
    assert result.exit_code == 0, result.output


@contextmanager
def page_of(width: int, height: int) -> Iterator[Page]:
    """An empty page in Chromium."""
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=shutil.which("chromium-headless-shell") or shutil.which("chromium"),
            args=["--no-sandbox"],
        )
        yield browser.new_page(viewport={"width": width, "height": height})
        browser.close()


def report(folder: Path) -> Path:
    """The page of the first sample."""
    out = folder / "report.html"
    umpire("audit", *LOGS, "-o", out, "--fail-on", "never")
    return out


def round_1(folder: Path) -> Path:
    """The folder of the game that the first sample is, with both logs."""
    game = folder / "wren-tarn"
    named = ["--module", CROSSROADS / "crossroads.vmod", "--pack", CROSSROADS / "pack"]
    named += ["--player", "Blue=Wren", "--player", "Red=Tarn", "--title", "Round 1"]
    folder.mkdir()
    umpire("game", "new", game, *named)
    umpire("game", "add", game, *LOGS)
    return game


def take(page_file: Path, out: Path) -> None:
    """The page, with a finding chosen."""
    with page_of(1360, 860) as page:
        page.goto(page_file.as_uri())
        page.click(".findings tr[data-finding='3'] td:nth-child(3)")
        page.locator("#board .chosen .paid").nth(2).hover()
        page.screenshot(path=out)


def first_minute(folder: Path, out: Path) -> None:
    """What was done in the first sample, as somebody sees it who has no pack."""
    alone, done = folder / "alone", folder / "done.html"
    alone.mkdir()
    for file in (*LOGS, CROSSROADS / "crossroads.vmod"):
        shutil.copy(file, alone)
    with contextlib.chdir(alone):
        umpire("audit", *(log.name for log in LOGS), "-o", done, "--fail-on", "never")
    with page_of(1360, 860) as page:
        page.goto(done.as_uri())
        page.screenshot(path=out)


def mailed(folder: Path, out: Path) -> None:
    """The page for all that is mailed to the players of the first sample."""
    game, mail = round_1(folder / "mailed"), folder / "mail.zip"
    ruling = ["5f7d94", "upheld", "--because", "the tank goes back to 0507", "--who", "Kite"]
    umpire("game", "rule", game, *ruling)
    umpire("game", "mail", game, "-o", mail)
    with zipfile.ZipFile(mail) as zipped:
        (folder / "all.html").write_bytes(zipped.read("mail/all.html"))
    photograph(folder / "all.html", out)


def longest_day(folder: Path, corpus: Path, out: Path) -> None:
    """The page for all of a real game, whose module and logs lie in ``corpus``: no picture of theirs is on
    it, and no name of a player."""
    place, sample = corpus / "tld", DOCS.parent / "samples" / "the-longest-day"
    game, mail = folder / "longest-day", folder / "longest-day.zip"
    named = ["--module", str(next(place.glob("*.vmod"))), "--pack", str(sample / "pack")]
    facts = ["--facts", str(sample / "facts.toml"), "--title", "The Longest Day"]
    logs = sorted((place / "game").glob("*.log"))
    umpire("game", "new", game, *named, *facts, "--procedure", "bpa-anzio")
    umpire("game", "add", game, *logs)
    umpire("game", "mail", game, "-o", mail)
    with zipfile.ZipFile(mail) as zipped:
        text = zipped.read("mail/all.html").decode("utf-8")
    seats = (seat for log in logs for seat in seats_of(read_save(log)))
    for name in {seat.name for seat in seats if seat.name}:
        text = re.sub(rf"\b{re.escape(name)}\b", "…", text)
    text = re.sub(r"<(img|image)\b[^>]*data:image[^>]*>", "", text)  # counters of the module
    assert "data:image" not in text
    (folder / "longest-day.html").write_text(text, encoding="utf-8")
    photograph(folder / "longest-day.html", out)


def photograph(page_file: Path, out: Path) -> None:
    """The top of a page that is mailed."""
    with page_of(860, 1040) as page:
        page.goto(page_file.as_uri())
        page.screenshot(path=out)


def studio(folder: Path, out: Path) -> None:
    """The board of the second sample in the studio, its moves judged."""
    pack = copy_of(MOSCOW / "pack", folder)
    shutil.copy(MOSCOW / "facts.toml", pack)
    logs = tuple(MOSCOW / name for name in ("1-german.vlog", "2-soviet.vlog"))
    module = MOSCOW / "battle-for-moscow.vmod"
    with running(pack, logs, module) as served, page_of(1360, 860) as page:
        page.goto(served.link)
        page.wait_for_function("() => /[0-9] legal/.test(document.body.innerText)")
        page.locator(".leaflet-tile-loaded").first.wait_for()
        page.locator(".leaflet-tile:not(.leaflet-tile-loaded)").first.wait_for(state="detached")
        page.screenshot(path=out)


def ruled(folder: Path, out: Path) -> None:
    """A ruling on an offence of the first sample, made in the studio; without the head of the page."""
    game = round_1(folder / "ruled")
    kept = read_game_folder(game)
    pack = copy_of(CROSSROADS / "pack", folder / "ruled")
    named = named_of(kept)
    with (
        running(pack, named.logs, named.module, game=GameDesk(kept)) as served,
        page_of(1100, 1300) as page,
    ):
        page.goto(served.link)
        page.fill("#who", "Kite")
        page.press("#who", "Enter")
        page.locator("#illegal", has_text="2").wait_for()
        page.click("#tab-findings")
        page.click(".view-findings .switch button:has-text('Findings')")
        page.click(".finding:has-text('Blue 4 Inf')")
        page.locator(".ruling", has_text="Kite").wait_for()
        page.select_option(".ruling select", "upheld")
        page.fill(".ruling input", "the river was overlooked")
        page.press(".ruling input", "Enter")
        page.locator(".ruling dd", has_text="upheld: the river").wait_for()
        page.locator("#view:not([aria-busy])").wait_for()
        page.screenshot(path=out, clip={"x": 0, "y": 180, "width": 1100, "height": 980})


def in_browser(folder: Path, out: Path) -> None:
    """The first sample, audited by the page in the browser; from its top to the map of the report."""
    made = folder / "web"
    made.mkdir()
    with serving(built(folder / "site", made)) as server, page_of(1200, 900) as page:
        page.goto(server.address)
        page.click("#sample")
        page.locator("[data-ask=audit]:enabled").wait_for(timeout=120_000)
        page.click("[data-ask=audit]")
        page.frame_locator("#report").locator("#board .counter").first.wait_for(timeout=120_000)
        page.evaluate("document.activeElement.blur()")
        page.screenshot(
            path=out, full_page=True, clip={"x": 0, "y": 0, "width": 1200, "height": 1900}
        )


def replay(folder: Path, out: Path) -> None:
    """The annotated log in VASSAL's own engine, after the step with the last flag."""
    module = Path(shutil.copy(CROSSROADS / "crossroads.vmod", folder))
    log = folder / "annotated.vlog"
    umpire("annotate", CROSSROADS / "turn-1.vlog", "-o", log)
    with display() as screen:
        drawn = folder / "drawn.png"
        Engine(find_engine(None, folder), screen, folder).picture(module, log, LAST_FLAG, drawn)
    shutil.copy(drawn, out)


def plotted(out: Path) -> None:
    """What the first example of docs/data.md draws."""
    source = (DOCS / "data.md").read_text("utf-8").split("```python\n")[1].split("```")[0]
    with contextlib.chdir(DOCS.parent):
        exec(source.replace("moves.png", out.as_posix()))


def shrink(picture: Path) -> None:
    """Few colours are enough for either."""
    with Image.open(picture) as image:
        image.convert("RGB").quantize(128).save(picture, optimize=True)


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as made:
        os.environ["UMPIRE_HOME"] = str(Path(made) / "home")  # nobody has given a name there
        take(report(Path(made)), IMAGES / "report.png")
        first_minute(Path(made), IMAGES / "first-minute.png")
        studio(Path(made), IMAGES / "studio.png")
        ruled(Path(made), IMAGES / "studio-ruling.png")
        mailed(Path(made), IMAGES / "mail.png")
        in_browser(Path(made), IMAGES / "browser.png")
        replay(Path(made), IMAGES / "vassal.png")
        plotted(IMAGES / "moves.png")
        for corpus in sys.argv[1:]:
            longest_day(Path(made), Path(corpus), IMAGES / "longest-day-mail.png")
    for each in sorted(IMAGES.iterdir()):
        shrink(each)
