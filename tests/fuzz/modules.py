"""Modules with a changed build file."""

from __future__ import annotations

import copy
import random
import re
from pathlib import Path

from lxml import etree
from vassal_umpire.importers.vassal.writer import zip_bytes

from . import sources
from .atoms import NASTY, atom, other_bytes, other_text

MEASURES = (
    "", "0", "-1", "0.0001", "1e-9", "1", "3.5", "100000", "2147483648", "1e300", "NaN", "Infinity",
)  # fmt: skip
_MEASURE = re.compile(r"-?[0-9]+(?:\.[0-9]+)?")


def changed_module(rng: random.Random, module: Path) -> bytes:
    """A changed copy of a module."""
    entries = dict(sources.entries(module))
    name = "buildFile.xml" if "buildFile.xml" in entries else "buildFile"
    root = etree.fromstring(entries[name])
    pool = _pool(root)
    for _ in range(rng.choice((1, 1, 2, 4, 15, 40))):
        _change(rng, root, pool)
    entries[name] = bytes(etree.tostring(root, encoding="UTF-8", xml_declaration=True))
    if rng.random() < 0.08:
        entries[name] = other_bytes(rng, entries[name])
    pictures = [entry for entry in entries if entry.startswith("images/")]
    if pictures and rng.random() < 0.3:
        picture = rng.choice(pictures)
        entries[picture] = other_bytes(rng, entries[picture])
        if rng.random() < 0.3:
            del entries[picture]
    if "moduledata" in entries and rng.random() < 0.2:
        entries["moduledata"] = other_bytes(rng, entries["moduledata"])
    return zip_bytes(entries)


def _pool(root: etree._Element) -> list[str]:
    found = {value for node in _elements(root) for value in map(str, node.attrib.values())}
    return sorted(text for text in found if text)


def _elements(root: etree._Element) -> list[etree._Element]:
    return [node for node in root.iter() if isinstance(node.tag, str)]


def _change(rng: random.Random, root: etree._Element, pool: list[str]) -> None:
    nodes = _elements(root)
    node = rng.choice(nodes)
    parent = node.getparent()
    kind = rng.randrange(12)
    measures = sorted(key for key, value in node.attrib.items() if _MEASURE.fullmatch(str(value)))
    if kind < 3 and measures:
        _set(node, str(rng.choice(measures)), rng.choice(MEASURES))
    elif kind < 5 and node.attrib:
        key = rng.choice(sorted(map(str, node.attrib)))
        value = str(node.get(key))
        _set(node, key, other_text(rng, value, pool) if kind < 4 else atom(rng, pool))
    elif kind == 5 and node.attrib:
        del node.attrib[rng.choice(sorted(map(str, node.attrib)))]
    elif kind == 6 and node.text:
        node.text = _storable(other_text(rng, node.text, pool))
    elif kind == 7 and parent is not None:
        for _ in range(rng.choice((1, 1, 10))):
            parent.append(copy.deepcopy(node))
    elif kind == 8 and parent is not None:
        parent.remove(node)
    elif kind == 9:
        rng.choice(nodes).append(copy.deepcopy(node))
    elif kind == 10:
        node.tag = rng.choice(nodes).tag
    elif node.attrib and rng.random() < 0.3:
        inner = node
        for _ in range(rng.choice((3, 150, 300))):
            inner = etree.SubElement(inner, str(node.tag), dict(node.attrib))
    else:
        _set(
            node, rng.choice(sorted(map(str, rng.choice(nodes).attrib)) or ["x"]), rng.choice(NASTY)
        )


def _set(node: etree._Element, key: str, value: str) -> None:
    node.set(key, _storable(value))


def _storable(text: str) -> str:
    """What XML can hold of a text."""
    return "".join(
        c
        for c in text
        if c in "\t\n" or (c >= " " and not "\ud800" <= c <= "\udfff" and c < "\ufffe")
    )
