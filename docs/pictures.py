"""Takes the pictures of README and docs from two sample games: ``python docs/pictures.py [CORPUS]``.

With the folder of real VASSAL files (CONTRIBUTING), that of the mail on The Longest Day, too.

Needs Chromium for the page, and VASSAL's engine (CONTRIBUTING says how to get it) for the annotated log.
"""

from __future__ import annotations

import re
import shutil
import sys
import tempfile
import zipfile
from pathlib import Path

from click.testing import CliRunner
from PIL import Image
from playwright.sync_api import sync_playwright
from vassal_umpire.importers.vassal.savefile import read_save
from vassal_umpire.plugin import cli
from vassal_umpire.plugin.desk.players import seats_of

DOCS = Path(__file__).resolve().parent
sys.path[:0] = [str(DOCS.parent / "tests" / folder) for folder in ("engine", "browser")]
from engine import Engine, display, find_engine  # noqa: E402
from studio_kit import copy_of, running  # noqa: E402

IMAGES = DOCS / "images"
LAST_FLAG = 24
CROSSROADS = DOCS.parent / "samples" / "crossroads"
MOSCOW = DOCS.parent / "samples" / "battle-for-moscow"


def report(folder: Path) -> Path:
    """The page of the first sample."""
    out = folder / "report.html"
    logs = [str(CROSSROADS / f"turn-{n}.vlog") for n in (1, 2)]
    result = CliRunner().invoke(cli.main, ["audit", *logs, "-o", str(out), "--fail-on", "never"])
    assert result.exit_code == 0, result.output
    return out


def take(page_file: Path, out: Path) -> None:
    """The page, with a finding chosen."""
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=shutil.which("chromium"), args=["--no-sandbox"]
        )
        page = browser.new_page(viewport={"width": 1360, "height": 860})
        page.goto(page_file.as_uri())
        page.click(".findings tr[data-finding='3'] td:nth-child(3)")
        page.locator("#board .chosen .paid").nth(2).hover()
        page.screenshot(path=out)
        browser.close()


def mailed(folder: Path, out: Path) -> None:
    """The page for all that is mailed to the players of the first sample."""
    game, mail = folder / "wren-tarn", folder / "mail.zip"
    named = ["--module", str(CROSSROADS / "crossroads.vmod"), "--pack", str(CROSSROADS / "pack")]
    named += ["--player", "Blue=Wren", "--player", "Red=Tarn"]
    ruling = ["57a887", "upheld", "--because", "the tank goes back to 0507", "--who", "Kite"]
    logs = [str(CROSSROADS / f"turn-{n}.vlog") for n in (1, 2)]
    for arguments in (
        ["game", "new", str(game), *named, "--title", "Round 1"],
        ["game", "add", str(game), *logs],
        ["game", "rule", str(game), *ruling],
        ["game", "mail", str(game), "-o", str(mail)],
    ):
        result = CliRunner().invoke(cli.main, arguments)
        assert result.exit_code == 0, result.output
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
    for arguments in (
        ["game", "new", str(game), *named, *facts, "--procedure", "bpa-anzio"],
        ["game", "add", str(game), *map(str, logs)],
        ["game", "mail", str(game), "-o", str(mail)],
    ):
        result = CliRunner().invoke(cli.main, arguments)
        assert result.exit_code == 0, result.output
    with zipfile.ZipFile(mail) as zipped:
        text = zipped.read("mail/all.html").decode("utf-8")
    seats = (seat for log in logs for seat in seats_of(read_save(log)))
    for name in {seat.name for seat in seats if seat.name}:
        text = re.sub(rf"\b{re.escape(name)}\b", "…", text)
    assert "data:image" not in text
    (folder / "longest-day.html").write_text(text, encoding="utf-8")
    photograph(folder / "longest-day.html", out)


def photograph(page_file: Path, out: Path) -> None:
    """The top of a page that is mailed."""
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=shutil.which("chromium"), args=["--no-sandbox"]
        )
        page = browser.new_page(viewport={"width": 860, "height": 1040})
        page.goto(page_file.as_uri())
        page.screenshot(path=out)
        browser.close()


def studio(folder: Path, out: Path) -> None:
    """The board of the second sample in the studio, its moves judged."""
    pack = copy_of(MOSCOW / "pack", folder)
    shutil.copy(MOSCOW / "facts.toml", pack)
    logs = tuple(MOSCOW / name for name in ("1-german.vlog", "2-soviet.vlog"))
    module = MOSCOW / "battle-for-moscow.vmod"
    with running(pack, logs, module) as served, sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=shutil.which("chromium"), args=["--no-sandbox"]
        )
        page = browser.new_page(viewport={"width": 1360, "height": 860})
        page.goto(served.link)
        page.wait_for_function("() => /[0-9] legal/.test(document.body.innerText)")
        page.locator(".leaflet-tile-loaded").first.wait_for()
        page.locator(".leaflet-tile:not(.leaflet-tile-loaded)").first.wait_for(state="detached")
        page.screenshot(path=out)
        browser.close()


def replay(folder: Path, out: Path) -> None:
    """The annotated log in VASSAL's own engine, after the step with the last flag."""
    module = Path(shutil.copy(CROSSROADS / "crossroads.vmod", folder))
    log = folder / "annotated.vlog"
    arguments = ["annotate", str(CROSSROADS / "turn-1.vlog"), "-o", str(log)]
    assert CliRunner().invoke(cli.main, arguments).exit_code == 0
    with display() as screen:
        drawn = folder / "drawn.png"
        Engine(find_engine(None, folder), screen, folder).picture(module, log, LAST_FLAG, drawn)
    shutil.copy(drawn, out)


def shrink(picture: Path) -> None:
    """Few colours are enough for either."""
    with Image.open(picture) as image:
        image.convert("RGB").quantize(128).save(picture, optimize=True)


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as made:
        take(report(Path(made)), IMAGES / "report.png")
        studio(Path(made), IMAGES / "studio.png")
        mailed(Path(made), IMAGES / "mail.png")
        replay(Path(made), IMAGES / "vassal.png")
        for corpus in sys.argv[1:]:
            longest_day(Path(made), Path(corpus), IMAGES / "longest-day-mail.png")
    for each in IMAGES.iterdir():
        shrink(each)
