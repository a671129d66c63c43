"""The sequence codec, against the engine's own answers and against itself."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from vassal_umpire.importers.vassal import sequence
from vassal_umpire.importers.vassal.sequence import join, split

TRICKY = st.text(alphabet="ab;,\\' \t", max_size=12)


def test_the_engines_answers(data: Path, golden_rows) -> None:
    rows = golden_rows(data / "codec.jsonl.gz")
    assert len(rows) == 1600
    for row in rows:
        if row["op"] == "decode":
            assert split(row["text"], row["delim"]) == row["tokens"], row
        else:
            assert join(row["tokens"], row["delim"]) == row["text"], row


@pytest.mark.parametrize(
    ("text", "tokens"),
    [
        ("", [""]),
        ("a;", ["a", ""]),
        (r"a\;b", ["a;b"]),
        (r"a\\;b", [r"a\;b"]),  # only the letter just before the delimiter counts
        (r"'\a';b", [r"\a", "b"]),
        ("'", ["'"]),
        ("''", [""]),
    ],
)
def test_split(text: str, tokens: list[str]) -> None:
    assert split(text, ";") == tokens


def test_nesting_adds_one_backslash_a_level() -> None:
    inner = join(["c", "d"], "\t")
    middle = join(["b", inner], "\t")
    assert join(["a", middle], "\t") == "a\tb\\\tc\\\\\td"


def test_older_engines_quoted_the_other_end() -> None:
    assert join(["a\\", "b"], ";", "before-3.4") == r"'a\';b"
    assert join(["\\a", "b"], ";", "before-3.4") == r"\a;b"
    assert split(r"'a\';b", ";") == ["a\\", "b"]


@given(st.lists(TRICKY.filter(lambda token: not token.endswith("\\")), min_size=1))
def test_what_is_joined_can_be_split(tokens: list[str]) -> None:
    assert split(join(tokens, ";"), ";") == tokens


def by_the_book(text: str) -> list[str]:
    """The codec's rule as the reference states it."""
    parts = [part.replace("\\;", ";") for part in re.split(r"(?<!\\);", text)]
    return [part[1:-1] if len(part) > 1 and part[0] == part[-1] == "'" else part for part in parts]


@given(TRICKY)
def test_split_is_the_rule(text: str) -> None:
    assert split(text, ";") == by_the_book(text)


@given(st.text(alphabet="ab;\\'" + sequence._STAND_INS, max_size=30))
def test_texts_that_hold_every_stand_in(text: str) -> None:
    full = sequence._STAND_INS + r"\;" + text
    assert split(full, ";") == by_the_book(full)


def test_lines() -> None:
    assert sequence.lines("one|two||four") == "one\ntwo\n\nfour"
    assert sequence.escape_lines("a|b\nc") == r"a\|b|c"
