"""Packs and chat lines that would keep a matcher that tries one way after another busy for ever."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
from bounded import run
from vassal_umpire.importers.vassal.savefile import read_save
from vassal_umpire.importers.vassal.writer import rewrite_save

UNIT = "&lt;Ann&gt; - "


@pytest.fixture
def game(project: Path, tmp_path: Path) -> Path:
    """A copy of the sample game."""
    return shutil.copytree(project / "samples" / "crossroads", tmp_path / "game")


def audit(game: Path) -> str:
    log, module = game / "turn-1.vlog", game / "crossroads.vmod"
    ended = run("audit", log, "--module", module, "--pack", game / "pack")
    assert ended.code in (0, 1), ended
    return ended.text


def say(game: Path, line: str) -> None:
    """Put a chat line into the log as a step of its own."""
    log = game / "turn-1.vlog"
    text = read_save(log).text
    rewrite_save(game / "said.vlog", log, f"{text}\x1bLOG\tCHAT{line}")
    (game / "said.vlog").replace(log)


def add_to_pack(game: Path, text: str) -> None:
    with (game / "pack" / "pack.toml").open("a", encoding="utf-8") as file:
        file.write(f"\n{text}\n")


SPENT = "[[spent]]\nchat = '(?P<unit>.+) spends (?P<amount>[0-9½]+) MP'"


@pytest.mark.parametrize("end", ["", " spends 1 MP"])
def test_a_long_chat_line_is_held_against_the_documented_pattern(game: Path, end: str) -> None:
    add_to_pack(game, SPENT)
    say(game, UNIT + "a" * 200_000 + end)
    assert "illegal" in audit(game)


@pytest.mark.parametrize(
    "stanza",
    [
        "[[units.not]]\nname = '^(((((.+)+)+)+)+)+!$'",
        "[[spent]]\nchat = '(?P<amount>(.|.[^!])*!)$'",
        "[[spent]]\nchat = '(?P<amount>(.*a){20}!)$'",
    ],
)
def test_no_pattern_of_a_pack_is_slow(game: Path, stanza: str) -> None:
    add_to_pack(game, stanza)
    say(game, UNIT + "a" * 20_000)
    assert "illegal" in audit(game)


def test_a_report_format_of_dice_is_tried_once(game: Path) -> None:
    line = "*** " + " = " * 300 + " *** <" * 180
    say(game, "\x1bLOG\tCHAT".join([line] * 40))
    assert "illegal" in audit(game)


def test_an_entity_of_thousands_of_digits_is_no_character(game: Path) -> None:
    add_to_pack(game, SPENT)
    say(game, UNIT + "&#" + "9" * 5_000 + "; spends 1 MP")
    assert "illegal" in audit(game)
