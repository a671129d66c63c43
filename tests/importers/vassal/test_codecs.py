"""The texts of VASSAL's files: wrappings, sequences, numbers that can be written again, formats."""

from __future__ import annotations

import lzma
import re
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from vassal_files import golden_rows
from vassal_umpire.importers.vassal import sequence
from vassal_umpire.importers.vassal.formats import parse_format
from vassal_umpire.importers.vassal.limits import Limits
from vassal_umpire.importers.vassal.numbers import long_number, number
from vassal_umpire.importers.vassal.obfuscation import decode, encode
from vassal_umpire.importers.vassal.sequence import join, split
from vassal_umpire.model.problem import Unreadable

TEXT = "begin_save\x1bCHAT<Rita> - d\u00e9j\u00e0 vu \u2713\x1bend_save"


def test_wrappings_by_hand() -> None:
    for encoding, wrapped in (("vcsk", b"!VCSK0f6d"), ("vobs", b"VOBS\x0fm")):
        assert encode("b", encoding, 0x0F) == wrapped  # type: ignore[arg-type]
        assert decode(wrapped).text == "b"
    assert decode(b"!VCSK0F6D").text == "b"


@pytest.mark.parametrize(
    ("encoding", "key"), [("vcsk", 0), ("vcsk", 255), ("vobs", 1), ("xz", 0), ("plain", 0)]
)
def test_round_trip(encoding, key) -> None:
    wrapped = encode(TEXT, encoding, key)
    decoded = decode(wrapped)
    assert (decoded.text, decoded.encoding, decoded.key) == (TEXT, encoding, key)
    assert decoded.problems == ()
    assert encode(decoded.text, decoded.encoding, decoded.key) == wrapped


@given(st.binary(max_size=60), st.integers(0, 255))
def test_any_bytes_come_back(raw: bytes, key: int) -> None:
    wrapped = encode("begin_save" + raw.decode("utf-8", "surrogateescape"), "vcsk", key)
    decoded = decode(wrapped)
    assert encode(decoded.text, "vcsk", key) == wrapped


def test_bytes_that_are_no_utf8_are_kept_and_reported() -> None:
    decoded = decode(b"begin_save\x1bCHAT \xff\xc3(")
    assert decoded.text.encode("utf-8", "surrogateescape") == b"begin_save\x1bCHAT \xff\xc3("
    (problem,) = decoded.problems
    assert problem.code == "invalid-utf8"
    assert "2 bytes" in problem.message
    assert "at byte 16" in problem.message


@pytest.mark.parametrize(
    ("data", "says"),
    [
        (b"!VCSK0f6d6", "odd hex digit at byte 9"),
        (b"!VCSK0f6dzz", "not a hex digit at byte 9"),
        (b"!VCSK0f 6d", "not a hex digit at byte 7"),
        (b"!VCSK", "before its key"),
        (b"VOBS", "before its key"),
        (lzma.compress(TEXT.encode())[:-8], "XZ data"),
        (b"\xfd7zXZ\x00garbage", "XZ data"),
        (b"!VCSK5b" + encode(TEXT, "vcsk", 0x5A)[7:], "under its key 5b; the key is probably 5a"),
        (lzma.compress(b"begin_save" + b"A" * 3_000_000), "unpacks to more than"),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_damage_is_named(data: bytes, says: str) -> None:
    with pytest.raises(Unreadable, match=says):
        decode(data, "x.vlog", Limits(ratio_from=1_000_000, ratio=10))


def test_keys_out_of_range() -> None:
    with pytest.raises(ValueError, match="key 0"):
        encode(TEXT, "vobs", 0)
    with pytest.raises(ValueError, match="key 256"):
        encode(TEXT, "vcsk", 256)


# -- The sequence codec, against the engine's own answers and against itself -----------------------

TRICKY = st.text(alphabet="ab;,\\' \t", max_size=12)


def test_the_engines_answers(data: Path) -> None:
    rows = golden_rows(data / "codec.jsonl.gz")
    assert len(rows) == 1600
    for row in rows:
        if row["op"] == "decode":
            assert split(row["text"], row["delim"]) == row["tokens"], row
        else:
            assert join(row["tokens"], row["delim"]) == row["text"], row


def test_older_engines_quoted_the_other_end() -> None:
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


# -- Numbers that can be written again as they were read -------------------------------------------


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("0", 0),
        ("-12", -12),
        ("2147483647", 2147483647),
        ("2147483648", "2147483648"),
        ("-2147483648", -2147483648),
        ("-2147483649", "-2147483649"),
        ("007", "007"),
        ("-0", "-0"),
        ("+5", "+5"),
        ("", ""),
        ("-", "-"),
        ("NaN", "NaN"),
        ("1_000", "1_000"),
        (" 1", " 1"),
        ("٣", "٣"),
        ("²", "²"),
        ("99999999999999999999", "99999999999999999999"),
    ],
)
def test_number(text: str, value: int | str) -> None:
    assert number(text) == value
    assert type(number(text)) is type(value)


def test_long_number() -> None:
    assert long_number("1795262786566") == 1795262786566
    assert long_number("9223372036854775808") == "9223372036854775808"


@given(st.text(alphabet="-0123456789 x٣", max_size=22))
def test_numbers_write_back(text: str) -> None:
    assert str(number(text)) == text
    assert str(long_number(text)) == text


# -- Formatted strings, as the engine fills them in ------------------------------------------------

VALUES = {"name": "Zone 5", "gridLocation": None, "level1": "3"}


@pytest.mark.parametrize(
    ("text", "plain", "localized"),
    [
        ("", "", ""),
        ("   ", "", ""),
        ("hex", "hex", "hex"),
        (" hex ", " hex ", " hex "),
        (" $name$ ", "Zone 5", "Zone 5"),
        ("$name$ $gridLocation$.", "Zone 5 .", "Zone 5 ."),
        ("$other$!", "other!", "!"),
        ("007", "7", "7"),
        (" +12 ", "12", "12"),
        ("99999999999", "99999999999", "99999999999"),
        ("costs \\$5 $level1$", "costs $5 3", "costs $5 3"),
        ("$name", "name", "name"),
        ("a$name$b$", "aZone 5b", "aZone 5b"),
        ("$$name$$", "name", "name"),
        ('{"Turn 1"}', "Turn 1", "Turn 1"),
        ("{ level1 }", "3", "3"),
    ],
)
def test_filled_in(text: str, plain: str, localized: str) -> None:
    assert parse_format(text).render(VALUES) == plain
    assert parse_format(text).render(VALUES, localized=True) == localized


def test_other_names_are_looked_up() -> None:
    form = parse_format("$name$ in $Weather$ and $Night$")
    assert form.names == ("name", "Weather", "Night")
    lookup = {"Weather": "rain"}.get
    assert form.render(VALUES, lookup=lookup) == "Zone 5 in rain and Night"


@pytest.mark.parametrize("text", ["{level1 + 1}", '{"a" + "b"}', "{true}", "{f()}", "{}"])
def test_expressions_are_not_run(text: str) -> None:
    form = parse_format(text)
    assert not form.known
    assert form.render(VALUES) is None
