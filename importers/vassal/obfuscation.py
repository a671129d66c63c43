"""The wrappings of a saved game's text. The bytes decide which one is read.

``vcsk``: ``!VCSK``, two hex digits of a key, then two for every byte XORed with it (every engine
to date). ``vobs``: ``VOBS``, one key byte, then raw bytes XORed (later engines). ``xz``: compressed
plain text (other programs). ``plain``: the text itself. The text is UTF-8 in all of them.
Engine classes: ``ObfuscatingOutputStream``, ``DeobfuscatingInputStream``.
"""

from __future__ import annotations

import binascii
import lzma
import re
from dataclasses import dataclass, field
from typing import Literal

from ...model.problem import Problem, Unreadable
from .limits import DEFAULT_LIMITS, Limits

Encoding = Literal["vcsk", "vobs", "xz", "plain"]
BEGIN = b"begin_save"

_VCSK, _VOBS, _XZ = b"!VCSK", b"VOBS", b"\xfd7zXZ\x00"
_NOT_HEX = re.compile(rb"[^0-9a-fA-F]")


@dataclass(frozen=True, slots=True)
class Decoded:
    """A saved game's text and how it was wrapped; ``key`` is 0 where there is none.

    ``capitals``: the hex digits are capitals, as engines before VASSAL 3 wrote them.

    Bytes that are no UTF-8 stand in ``text`` as lone surrogates (Python's ``surrogateescape``),
    so that writing the text gives them back.
    """

    text: str = field(repr=False)
    encoding: Encoding
    key: int
    problems: tuple[Problem, ...] = ()
    capitals: bool = False


def sniff(data: bytes) -> Encoding:
    """Tell the wrapping by the first bytes."""
    if data.startswith(_VCSK):
        return "vcsk"
    if data.startswith(_VOBS):
        return "vobs"
    return "xz" if data.startswith(_XZ) else "plain"


def decode(data: bytes, where: str = "", limits: Limits = DEFAULT_LIMITS) -> Decoded:
    """Unwrap a saved game's text.

    Raises :class:`Unreadable` for bad hex digits, a key that cannot be right (naming the probable
    one), damaged or oversized XZ data.
    """
    encoding = sniff(data)
    key = 0
    size = len(data) // 2 if encoding == "vcsk" else 0 if encoding == "xz" else len(data)
    if size > limits.text:
        raise _too_long(size, where, limits)
    capitals = encoding == "vcsk" and data[:400].upper() == data[:400]
    if encoding == "vcsk":
        key, data = _unhex(data, where)
    elif encoding == "vobs":
        if len(data) < 5:
            raise Unreadable("the text stops before its key byte", where=where)
        key, data = data[4], data[5:]
    elif encoding == "xz":
        data = _unpack(data, where, limits)
    if key:
        data = _xor(data, key)
    if encoding in ("vcsk", "vobs"):
        _check_key(data, key, where)
    text, problems = _to_text(data, where)
    return Decoded(text, encoding, key, problems, capitals)


def encode(
    text: str, encoding: Encoding = "vcsk", key: int = 0, *, capitals: bool = False
) -> bytes:
    """Wrap a text; ``key`` is 0-255, for ``vobs`` 1-255. Raises ``ValueError`` for other keys."""
    data = text.encode("utf-8", "surrogateescape")
    if not (1 if encoding == "vobs" else 0) <= key <= 255:
        raise ValueError(f"key {key} is out of range for {encoding}")
    if encoding == "vcsk":
        digits = f"{key:02x}{_xor(data, key).hex()}"
        return _VCSK + (digits.upper() if capitals else digits).encode()
    if encoding == "vobs":
        return _VOBS + bytes([key]) + _xor(data, key)
    return lzma.compress(data, format=lzma.FORMAT_XZ) if encoding == "xz" else data


def _too_long(size: int, where: str, limits: Limits) -> Unreadable:
    return Unreadable(
        f"the text has {size:,} bytes, the limit is {limits.text:,}",
        where=where,
        hint="raise the limit on size if the file is to be trusted",
    )


def _xor(data: bytes, key: int) -> bytes:
    return data.translate(bytes(byte ^ key for byte in range(256))) if key else data


def _unhex(data: bytes, where: str) -> tuple[int, bytes]:
    digits = memoryview(data)[len(_VCSK) :]
    if not digits:
        raise Unreadable("the text stops before its key", where=where)
    try:
        raw = binascii.unhexlify(digits)
    except binascii.Error:
        raise _bad_hex(data, where) from None
    return raw[0], raw[1:]


def _bad_hex(data: bytes, where: str) -> Unreadable:
    bad = _NOT_HEX.search(data, len(_VCSK))
    if bad is not None:
        what = f"has a character that is not a hex digit at byte {bad.start()}"
    else:
        what = f"ends with an odd hex digit at byte {len(data) - 1}"
    return Unreadable(
        f"the obfuscated text {what}",
        where=where,
        expected="two hex digits for every byte",
        hint="" if bad is not None else "the file was probably cut short",
    )


def _unpack(data: bytes, where: str, limits: Limits) -> bytes:
    unpacker = lzma.LZMADecompressor(format=lzma.FORMAT_XZ, memlimit=256 * 1024 * 1024)
    most = min(limits.text, max(limits.ratio_from, len(data) * limits.ratio))
    try:
        text = unpacker.decompress(data, max_length=most + 1)
    except (lzma.LZMAError, EOFError, MemoryError) as error:
        raise Unreadable(f"the XZ data is damaged: {error}", where=where) from None
    if len(text) > most:
        raise Unreadable(
            f"the XZ data unpacks to more than {most:,} bytes",
            where=where,
            hint="raise the limits on size and ratio if the file is to be trusted",
        )
    if not unpacker.eof:
        raise Unreadable("the XZ data stops before its end", where=where)
    return text


def _check_key(data: bytes, key: int, where: str) -> None:
    """Check that the text begins with ``begin_save``, as every saved text does. If not, that start gives the
    probable key."""
    head = data[: len(BEGIN)]
    if head == BEGIN or len(head) < len(BEGIN):
        return
    shift = head[0] ^ BEGIN[0]
    if shift and _xor(head, shift) == BEGIN:
        raise Unreadable(
            f"the text does not begin with begin_save under its key {key:02x}",
            where=where,
            hint=f"the key is probably {key ^ shift:02x}",
        )


def _to_text(data: bytes, where: str) -> tuple[str, tuple[Problem, ...]]:
    try:
        return data.decode("utf-8"), ()
    except UnicodeDecodeError as error:
        offset = error.start
    text = data.decode("utf-8", "surrogateescape")
    count = len(re.findall("[\udc80-\udcff]", text))
    return text, (
        Problem(
            "invalid-utf8",
            f"{count:,} bytes are not UTF-8, the first at byte {offset} of the text; they are kept",
            where,
        ),
    )
