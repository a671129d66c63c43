"""As much of ``lxml.etree`` as umpire uses to read modules and saves, on the standard library's parser.

It knows no line of an element, and reads no document type definitions: umpire refuses those before it parses.
"""

from __future__ import annotations

import xml.etree.ElementTree as ET
from collections.abc import Iterator
from types import SimpleNamespace
from typing import Any

SubElement, indent, tostring = ET.SubElement, ET.indent, ET.tostring


class XMLSyntaxError(SyntaxError):
    """With ``msg`` and ``position`` (line, column), as lxml's."""

    position = (0, 0)


class _Element(ET.Element):
    sourceline = 0
    _parent: _Element | None = None

    def getparent(self) -> _Element | None:
        return self._parent

    def getroottree(self) -> SimpleNamespace:
        return SimpleNamespace(docinfo=SimpleNamespace(doctype=""))


Element = _Element


class QName:
    """The name of a tag without its namespace."""

    def __init__(self, name: str) -> None:
        self.localname = name.rpartition("}")[2]


class XMLParser(ET.XMLParser):
    def __init__(self, **_options: Any) -> None:
        super().__init__(target=ET.TreeBuilder(element_factory=_Element))


class XMLPullParser(ET.XMLPullParser):
    def __init__(self, events: tuple[str, ...], **_options: Any) -> None:
        super().__init__(events, _parser=XMLParser())


def fromstring(data: bytes, parser: XMLParser) -> _Element:
    try:
        parser.feed(data)
        root = parser.close()
    except ET.ParseError as error:
        told = XMLSyntaxError(str(error))
        told.position = error.position
        raise told from None
    for parent in root.iter():
        for child in parent:
            child._parent = parent
    return root


def iterwalk(root: _Element, events: tuple[str, ...]) -> Iterator[tuple[str, _Element]]:
    assert events == ("start", "end")
    todo: list[tuple[str, _Element]] = [("start", root)]
    while todo:
        event, element = todo.pop()
        yield event, element
        if event == "start":
            todo.append(("end", element))
            todo.extend(("start", child) for child in reversed(list(element)))
