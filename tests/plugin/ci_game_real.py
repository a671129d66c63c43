"""A real e-mail game of 17 logs in a folder: what goes on from where, and what is mailed."""

from __future__ import annotations

import re
import zipfile
from pathlib import Path
from typing import Any

import pytest

from ..conftest import find_corpus
from .kit import PROJECT, SAMPLES, Kept, plain

GAME = (find_corpus() or PROJECT) / "tld"
SAMPLE = SAMPLES / "the-longest-day"
BETWEEN = [0, 27, 0, 10, 0, 60, 44, 0, 0, 0, 4, 0, 0, 2, 0, 0, 0]
"""Pieces that lie elsewhere, or otherwise, at the opening of each log than the log before left them."""
JUDGED = re.compile(r"^  judged .*\n(?: {14}.*\n)*", re.M)
"""How many drags are judged: of the pack."""
pytestmark = pytest.mark.skipif(not GAME.is_dir(), reason="the corpus is not there")


@pytest.fixture(scope="module")
def game(tmp_path_factory: pytest.TempPathFactory) -> Kept:
    """The game with all its logs, without a pack: nothing is audited yet."""
    made = Kept(tmp_path_factory.mktemp("desk") / "the longest day")
    made.done("new", "--module", next(GAME.glob("*.vmod")), "--title", "The Longest Day")
    added = made.add(*sorted((GAME / "game").glob("*.log")))
    (made.desk / "added.txt").write_text(added, "utf-8")
    assert "names no pack" in added
    return made


def test_each_log_goes_on_from_the_one_before_as_the_page_shows(game: Kept) -> None:
    read = game.read()
    assert len(read.line) == 17
    assert read.set_aside == ()
    text = (game.desk / "added.txt").read_text("utf-8")
    goes_on = r"^  goes on +from .*?(?:; ([0-9]+) pieces?\s|piece\s+by\s+piece|first\s+log)"
    between = re.findall(goes_on, text, re.M | re.S)
    assert [int(number or 0) for number in between] == BETWEEN
    added = text.splitlines()
    told = re.sub(JUDGED, "", shown("game add longest-day 0606-2.log 0606-3.log"))
    apart = ("new", "que", "on ")  # of the pack, and the command with the name of the folder
    lines = [one for one in told.splitlines() if "…" not in one and one[2:5] not in apart]
    assert len(lines) > 12
    assert set(lines) <= set(added)


@pytest.fixture(scope="module")
def packed(game: Kept) -> Kept:
    """The game with its pack and facts."""
    pack, facts = ((SAMPLE / name).as_posix() for name in ("pack", "facts.toml"))
    game.edit('facts = "facts.toml"', f'pack = "{pack}"\nfacts = "{facts}"')
    return game


@pytest.fixture(scope="module")
def mailed(packed: Kept, tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """The mail of the game with the pack of the sample, and the whole reports: its files by name."""
    place = tmp_path_factory.mktemp("mailed")
    packed.done("mail", "-o", place / "mail.zip", "--full")
    with zipfile.ZipFile(place / "mail.zip") as zipped:
        zipped.extractall(place)
    return {one.name: one for one in (place / "mail").iterdir()}


def shown(command: str) -> str:
    """What ``docs/the-longest-day-desk.md`` says that a command prints on this game."""
    page = (PROJECT / "docs" / "the-longest-day-desk.md").read_text("utf-8")
    return page.split(f"$ umpire {command}\n", 1)[1].split("```", 1)[0].split("$ umpire", 1)[0]


@pytest.mark.proof
def test_the_page_shows_how_the_game_stands(packed: Kept) -> None:
    """But for what "…" leaves out: names of players, the ends of lists."""
    told, status = (
        plain(re.sub(r"\d{4}-\d\d-\d\d", "DAY", text))
        for text in (shown("game status longest-day"), packed.status())
    )
    assert re.search(".+?".join(map(re.escape, told.split("…"))), status)


@pytest.mark.proof
def test_what_is_mailed_on_a_real_game_is_short(mailed: dict[str, Path]) -> None:
    page = mailed["all.html"].read_text("utf-8")
    assert re.search(r"Of 1,\d\d\d moves checked, \d+ are legal", page)
    said = r"\d+ of the \d+ moves of Allies \(\d+%\), \d+ of the \d+ moves of"
    assert re.search(said, page)
    assert "The game has 17 logs" in page
    assert len(re.sub(r"data:image/[^\"]+", "", page)) < 50_000  # without the counters' pictures
    assert len(page) < 200_000
    for name, file in mailed.items():
        if name.startswith("report-"):
            assert file.stat().st_size < 3_100_000, name


@pytest.mark.proof
@pytest.mark.parametrize("paper", ["A4", "Letter"])
@pytest.mark.parametrize("name", ["all.html", "Germans.html", "report-all.html"])
def test_a_real_game_is_printed_on_ten_sheets_at_the_most(
    browser: Any, mailed: dict[str, Path], name: str, paper: str
) -> None:
    page = browser.new_page()
    page.goto(mailed[name].as_uri())
    assert 1 <= len(re.findall(rb"/Type\s*/Page\b", page.pdf(format=paper))) <= 10
    page.close()
