"""Saves and logs of too much, and patterns that would keep a matcher busy for ever."""

from __future__ import annotations

import shutil
import zipfile
from collections.abc import Iterable
from pathlib import Path

import pytest
from bounded import run
from tiers import drawn
from vassal_umpire.importers.vassal.limits import DEFAULT_LIMITS, MIB
from vassal_umpire.importers.vassal.obfuscation import encode
from vassal_umpire.importers.vassal.savefile import read_save
from vassal_umpire.importers.vassal.writer import saved_game_bytes, zip_bytes

ESC = "\x1b"
MAP = "Main Map"


def piece(number: int, x: int = 1, y: int = 1) -> str:
    return f"+/p{number}/piece;;;;{number}/{MAP};{x};{y};;0"


def move(number: int, x: int) -> str:
    return f"LOG\tM/p{number}/{MAP}/{x}/1/null/{MAP}/1/1/null/u"


def stack(number: int, members: int) -> str:
    ids = ";".join(f"p{member}" for member in reversed(range(members)))
    return f"+/s{number}/stack/{MAP};1;1;{ids}"


def log(folder: Path, opening: Iterable[str], steps: Iterable[str] = ()) -> Path:
    file = folder / "game.vlog"
    text = ESC.join(["begin_save", *opening, "end_save", *steps])
    file.write_bytes(zip_bytes({"savedGame": encode(text, "vcsk", 7)}))
    return file


REFUSED: dict[str, tuple[list[str], list[str], str]] = {
    "commands": (["x"] * 500_000, [], "500,002 commands"),
    "empty commands": ([""] * 5_000_000, [], "commands"),
    "escaped": (["\\" * 3 + ESC] * 500_000, [], "commands"),
    "pieces": ([piece(n, n % 5_000, n // 5_000) for n in range(100_000)],
               [f"LOG\t{piece(n, n % 5_000, n // 5_000)}" for n in range(100_000, 100_000 + 49_990)]
               + ["LOG\t" + f"\\{ESC}LOG\t".join(piece(n) for n in range(150_000, 150_011))],
               "150,001 pieces"),
    "steps": ([], ["LOG\tCHATx"] * 50_001, "50,001 steps"),
    "one pixel": ([piece(n) for n in range(20_000)], [], "too long to follow"),
    "stacks": ([piece(n) for n in range(2_000)] + [stack(n, 2_000) for n in range(200)], [],
               "too long to follow"),
    "moves": ([piece(n) for n in range(3_000)],
              [move(n % 3_000, n // 3_000) for n in range(49_000)], "too long to follow"),
    "properties": ([], [f"LOG\tMutableProperty\tq{n}\t\t{n}\tx" for n in range(49_000)],
                   "too long to follow"),
}  # fmt: skip


@pytest.mark.parametrize("name", drawn(list(REFUSED), 3))
def test_what_is_past_all_bounds_is_one_line(project: Path, tmp_path: Path, name: str) -> None:
    opening, steps, what = REFUSED[name]
    module = project / "samples" / "crossroads" / "crossroads.vmod"
    ended = run("show", log(tmp_path, opening, steps), "--module", module, memory=1024)
    assert ended.code == 2, ended.text[-300:]
    assert what in ended.text
    assert ended.text.count("\n") == 1


BELOW: dict[str, tuple[list[str], list[str]]] = {
    "commands": ([""] * 290_000, []),
    "unknown commands": ([f"zz{n}" for n in range(100_000)], []),
    "pieces": ([piece(n, n % 5_000, n // 5_000) for n in range(100_000)], []),
    "moves": ([piece(n, n) for n in range(1_000)], [move(n % 1_000, n % 7) for n in range(20_000)]),
    "dice": ([], ["LOG\tCHAT*** 2d6 = 7 *** <Ann>"] * 20_000),
}


@pytest.mark.parametrize("name", drawn(list(BELOW), 1))
def test_what_is_within_bounds_is_read_in_time(project: Path, tmp_path: Path, name: str) -> None:
    module = project / "samples" / "crossroads" / "crossroads.vmod"
    ended = run("show", log(tmp_path, *BELOW[name]), "--module", module, memory=1024)
    assert ended.code == 0, ended.text[-300:]


def test_a_text_of_too_many_bytes_is_refused_unread(tmp_path: Path) -> None:
    file = tmp_path / "game.vsav"
    with file.open("wb") as out:
        out.write(b"begin_save")
        out.truncate(DEFAULT_LIMITS.text + 1)
    ended = run("show", file, memory=1024)
    assert ended.code == 2
    assert "104,857,601 bytes, the limit is 104,857,600" in ended.text
    assert "--max-size" in ended.text


def test_one_wide_character_makes_no_text_too_large(tmp_path: Path) -> None:
    file = tmp_path / "game.vsav"
    lines = [ESC + "CHAT\U0001f600" + "x" * 4_000_000] * 12
    file.write_text("begin_save" + "".join(lines), encoding="utf-8")
    assert run("show", file, memory=1024).code == 0
    file.write_text("begin_save" + "".join(lines * 2), encoding="utf-8")
    assert "beyond U+FFFF" in run("show", file, memory=1024).text
    file.write_text("begin_save" + ESC + "x" * (90 * MIB), encoding="utf-8")
    assert "94,371,840 characters in one command" in run("show", file, memory=1024).text


def test_a_flag_raises_the_limit_on_commands(tmp_path: Path) -> None:
    file = log(tmp_path, [""] * 500_100)
    assert "--max-commands" in run("show", file).text
    assert run("show", file, "--max-commands", "600000").code == 0


@pytest.mark.each_corpus_file("**/*.vlog", "**/*.vsav", "**/*.log", one_in=10)
def test_real_files_stay_far_below_the_limits(path: Path) -> None:
    if "damaged" in path.parts:
        return
    save = read_save(path)
    limits = DEFAULT_LIMITS
    assert 5 * len(save.text) < limits.text
    assert 4 * save.text.count(ESC) < limits.commands
    assert 10 * len(save.steps) < limits.steps


# -- Packs and chat lines that would keep a matcher that tries one way after another busy for ever --

UNIT = "&lt;Ann&gt; - "


@pytest.fixture
def game(project: Path, tmp_path: Path) -> Path:
    """A copy of the sample game."""
    return shutil.copytree(project / "samples" / "crossroads", tmp_path / "game")


def is_read(game: Path) -> bool:
    """Whether the log is read, and bound by the pack."""
    files = (game / "turn-1.vlog", game / "crossroads.vmod")
    ended = run("convert", *files, "--pack", game / "pack", "-o", game / "read.json")
    assert ended.code == 0, ended
    return (game / "read.json").stat().st_size > 10_000


def say(game: Path, line: str) -> None:
    """Put a chat line into the log as a step of its own."""
    log = game / "turn-1.vlog"
    text = read_save(log).text
    with zipfile.ZipFile(log) as zipped:
        about = zipped.read("moduledata")
    log.write_bytes(saved_game_bytes(f"{text}\x1bLOG\tCHAT{line}", moduledata=about))


def add_to_pack(game: Path, text: str) -> None:
    with (game / "pack" / "pack.toml").open("a", encoding="utf-8") as file:
        file.write(f"\n{text}\n")


SPENT = "[[spent]]\nchat = '(?P<unit>.+) spends (?P<amount>[0-9½]+) MP'"


@pytest.mark.parametrize("end", ["", " spends 1 MP"])
def test_a_long_chat_line_is_held_against_the_documented_pattern(game: Path, end: str) -> None:
    add_to_pack(game, SPENT)
    say(game, UNIT + "a" * 200_000 + end)
    assert is_read(game)


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
    assert is_read(game)


def test_a_report_format_of_dice_is_tried_once(game: Path) -> None:
    line = "*** " + " = " * 300 + " *** <" * 180
    say(game, "\x1bLOG\tCHAT".join([line] * 40))
    assert is_read(game)


def test_an_entity_of_thousands_of_digits_is_no_character(game: Path) -> None:
    add_to_pack(game, SPENT)
    say(game, UNIT + "&#" + "9" * 5_000 + "; spends 1 MP")
    assert is_read(game)
