"""Rulings in the studio's page, on a game that is kept in a folder."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from browser.studio_kit import CROSSROADS, LOGS, Running, Tab, copy_of, expect, running
from command_line import done
from vassal_umpire.importers.game_folder.folder import read_game_folder
from vassal_umpire.plugin.desk.opening import named_of
from vassal_umpire.plugin.studio.game_desk import GameDesk

RIVER = ".finding:has-text('Blue 4 Inf')"


@pytest.fixture
def game(tmp_path: Path) -> Path:
    place = tmp_path / "game"
    pack = copy_of(CROSSROADS / "pack", tmp_path)
    named = ("--module", CROSSROADS / "crossroads.vmod", "--pack", pack, "--title", "Round 1")
    done("game", "new", place, *named)
    done("game", "add", place, *LOGS)
    return place


@pytest.fixture
def studio(game: Path) -> Iterator[Running]:
    folder = read_game_folder(game)
    named = named_of(folder)
    pack = game.parent / "pack"
    with running(pack, named.logs, named.module, game=GameDesk(folder)) as found:
        yield found


def test_the_header_names_the_game(context: Any, studio: Running) -> None:
    tab = Tab(context, studio)
    tab.until("#title", "Round 1")
    tab.until("#about", "Crossroads · 2 logs")
    assert tab.page.title() == "Round 1 – pack studio"


def test_a_ruling_is_typed_kept_and_seen_by_others(
    context: Any, studio: Running, game: Path
) -> None:
    tab = Tab(context, studio)
    tab.page.fill("#who", "Kite")
    tab.page.press("#who", "Enter")
    tab.until("#illegal", "2")
    tab.page.click("#tab-findings")
    tab.page.click(".view-findings .switch button:has-text('Findings')")
    tab.page.click(RIVER)
    tab.until(".detail h2", "Blue 4 Inf")
    tab.until(".ruling", "Past the sealing event")
    tab.until(RIVER, "no ruling")
    tab.page.click(".ruling button.main")  # without a decision and a reason nothing is sent
    assert not read_game_folder(game).rulings
    tab.page.select_option(".ruling select", "upheld")
    tab.page.fill(".ruling input", "the river <b>was</b> overlooked")
    tab.page.press(".ruling input", "Enter")
    tab.until(".ruling dd", "upheld: the river <b>was</b> overlooked (Kite, 20")
    tab.until(f"{RIVER} .mark", "upheld")
    (ruling,) = read_game_folder(game).rulings
    assert (ruling.decision, ruling.who) == ("upheld", "Kite")

    other = Tab(context, studio, studio.origin)
    other.until("#reader", "Make the changes here")
    other.page.click("#tab-findings")
    other.page.click(".view-findings .switch button:has-text('Findings')")
    other.page.click(RIVER)
    other.until(".ruling dd", "upheld: the river")
    expect(other.page.locator(".ruling form, .ruling button")).to_have_count(0)

    done("game", "rule", game, ruling.offence, "waived", "--because", "both agree")
    tab.until(f"{RIVER} .mark", "waived")
    tab.until(".ruling dd", "waived: both agree")
    (game / "facts.toml").write_text(
        '[[unit]]\nunit = "1790000000108"\nattributes = { ma = 3 }\n', "utf-8"
    )
    tab.until(".ruling", "Look again")
    tab.until(".detail dd", "allowance of 3")
    tab.page.fill(".ruling input", "an older reason")
    done("game", "rule", game, ruling.offence, "agreed", "--because", "by telephone")
    tab.until(".ruling dd", "agreed: by telephone")
    assert tab.page.input_value(".ruling input") == "an older reason"
    assert tab.complaints == other.complaints == []
