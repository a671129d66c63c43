"""Java class files: what a class extends, and which members it has or touches. No code is run.

Read are the constant pool, the fields and the names of the methods (Java Virtual Machine Specification,
chapter 4), so that a few lines do without a library.
"""

from __future__ import annotations

import struct
from dataclasses import dataclass

_WIDTHS = {
    **dict.fromkeys((7, 8, 16, 19, 20), 2),
    **dict.fromkeys((3, 4, 9, 10, 11, 12, 17, 18), 4),
    **dict.fromkeys((5, 6), 8),
    15: 3,
}
"""Bytes of each kind of constant behind its tag; a text tells its own."""
_UTF8, _CLASS, _FIELD, _NAME_AND_TYPE, _TWO_SLOTS = 1, 7, 9, 12, (5, 6)
_DAMAGE = (struct.error, IndexError, KeyError, UnicodeDecodeError)


@dataclass(frozen=True, slots=True)
class JavaClass:
    """A class: the full name of the class it ``extends``, and its ``members``: the names of its methods, and
    of inherited fields that its code reads or writes. ``members`` is None where the file is cut off or
    damaged behind its head."""

    extends: str
    members: frozenset[str] | None


def read_class(data: bytes) -> JavaClass | None:
    """The class of a class file, the end of which may be missing; None if not even its head can be read."""
    try:
        if data[:4] != b"\xca\xfe\xba\xbe":
            return None
        pool, at = _read_pool(data)
        this, above, interfaces = struct.unpack_from(">HHH", data, at + 2)
        extends = pool.class_name(above)
    except _DAMAGE:
        return None
    try:
        own_fields, at = _names(data, at + 8 + 2 * interfaces, pool)
        methods, _ = _names(data, at, pool)
        inherited = pool.fields_of(pool.class_name(this)) - own_fields
    except _DAMAGE:
        return JavaClass(extends, None)
    return JavaClass(extends, methods | inherited)


@dataclass(frozen=True, slots=True)
class _Pool:
    """The constants used here, by slot: texts, and the slots that others refer to."""

    texts: dict[int, bytes]
    refers: dict[int, tuple[int, ...]]
    fields: tuple[int, ...]

    def text(self, slot: int) -> str:
        return self.texts[slot].decode("utf-8")

    def class_name(self, slot: int) -> str:
        return self.text(self.refers[slot][0]).replace("/", ".")

    def fields_of(self, cls: str) -> frozenset[str]:
        """Names of the fields that the code looks for in a class, its own or inherited."""
        pairs = (self.refers[slot] for slot in self.fields)
        return frozenset(
            self.text(self.refers[name][0])
            for owner, name in pairs
            if self.class_name(owner) == cls
        )


def _read_pool(data: bytes) -> tuple[_Pool, int]:
    """The constant pool, and where it ends."""
    (count,) = struct.unpack_from(">H", data, 8)
    at, slot = 10, 1
    texts: dict[int, bytes] = {}
    refers: dict[int, tuple[int, ...]] = {}
    fields: list[int] = []
    while slot < count:
        tag = data[at]
        if tag == _UTF8:
            (length,) = struct.unpack_from(">H", data, at + 1)
            texts[slot] = data[at + 3 : at + 3 + length]
            at += 3 + length
        else:
            if tag in (_CLASS, _FIELD, _NAME_AND_TYPE):
                shape = ">H" if tag == _CLASS else ">HH"
                refers[slot] = struct.unpack_from(shape, data, at + 1)
            if tag == _FIELD:
                fields.append(slot)
            at += 1 + _WIDTHS[tag]
        slot += 2 if tag in _TWO_SLOTS else 1
    return _Pool(texts, refers, tuple(fields)), at


def _names(data: bytes, at: int, pool: _Pool) -> tuple[frozenset[str], int]:
    """Names of the fields, or methods, in the table that begins here, and where it ends."""
    (count,) = struct.unpack_from(">H", data, at)
    at += 2
    found: set[str] = set()
    for _ in range(count):
        _, name, _, attributes = struct.unpack_from(">HHHH", data, at)
        found.add(pool.text(name))
        at += 8
        for _ in range(attributes):
            (length,) = struct.unpack_from(">I", data, at + 2)
            at += 6 + length
    if at > len(data):
        raise IndexError(at)
    return frozenset(found), at
