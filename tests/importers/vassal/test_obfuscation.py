"""The wrappings of a saved text."""

from __future__ import annotations

import lzma

import pytest
from hypothesis import given
from hypothesis import strategies as st
from vassal_umpire.importers.vassal.limits import Limits
from vassal_umpire.importers.vassal.obfuscation import decode, encode, shown
from vassal_umpire.model.problem import Unreadable

TEXT = "begin_save\x1bCHAT<Rita> - d\u00e9j\u00e0 vu \u2713\x1bend_save"


def test_vcsk_by_hand() -> None:
    assert encode("b", "vcsk", 0x0F) == b"!VCSK0f6d"
    assert decode(b"!VCSK0f6d").text == "b"
    assert decode(b"!VCSK0F6D").text == "b"


def test_vobs_by_hand() -> None:
    assert encode("b", "vobs", 0x0F) == b"VOBS\x0fm"
    assert decode(b"VOBS\x0fm").text == "b"


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
    assert shown(decoded.text) == "begin_save\x1bCHAT \ufffd\ufffd("


@pytest.mark.parametrize(
    ("data", "says"),
    [
        (b"!VCSK0f6d6", "odd hex digit at byte 9"),
        (b"!VCSK0f6dzz", "no hex digit at byte 9"),
        (b"!VCSK0f 6d", "no hex digit at byte 7"),
        (b"!VCSK", "before its key"),
        (b"VOBS", "before its key"),
        (lzma.compress(TEXT.encode())[:-8], "XZ data"),
        (b"\xfd7zXZ\x00garbage", "XZ data"),
    ],
)
def test_damage_is_named(data: bytes, says: str) -> None:
    with pytest.raises(Unreadable, match=says):
        decode(data, "x.vlog")


def test_a_wrong_key_tells_the_right_one() -> None:
    wrapped = bytearray(encode(TEXT, "vcsk", 0x5A))
    wrapped[5:7] = b"5b"
    with pytest.raises(Unreadable, match="under its key 5b; the key is probably 5a"):
        decode(bytes(wrapped))


def test_an_xz_bomb_stops_at_the_limit() -> None:
    bomb = lzma.compress(b"begin_save" + b"A" * 3_000_000)
    with pytest.raises(Unreadable, match="unpacks to more than"):
        decode(bomb, limits=Limits(ratio_from=1_000_000, ratio=10))


def test_keys_out_of_range() -> None:
    with pytest.raises(ValueError, match="key 0"):
        encode(TEXT, "vobs", 0)
    with pytest.raises(ValueError, match="key 256"):
        encode(TEXT, "vcsk", 256)
