"""XML from strangers: no DTD, no entities, no network, bounded depth."""

from __future__ import annotations

import re

from lxml import etree

from ...model.problem import Unreadable
from .limits import DEFAULT_LIMITS, Limits

# What may stand before the root element: declaration, instructions, comments, white space.
_PROLOG = re.compile(rb"(?:\xef\xbb\xbf)?(?:\s+|<\?.*?\?>|<!--.*?-->)*+", re.DOTALL)
_WIDE = (b"\xff\xfe", b"\xfe\xff", b"\x00<", b"<\x00")


def parse_xml(data: bytes, where: str, limits: Limits = DEFAULT_LIMITS) -> etree._Element:
    """Parse a document and return its root element.

    Raises :class:`Unreadable` with line and column if the text is not well-formed, has a DTD
    (so that no entity is ever expanded and no file ever fetched), nests too deep or is too long.
    """
    if data.startswith(_WIDE):
        data = _narrow(data, where)
    _refuse_dtd(data, where)
    _check_length(data, where, limits)
    parser = etree.XMLParser(
        resolve_entities=False,
        no_network=True,
        load_dtd=False,
        dtd_validation=False,
        huge_tree=False,
        remove_comments=True,
        remove_pis=True,
    )
    try:
        root = etree.fromstring(data, parser)
    except etree.XMLSyntaxError as error:
        raise Unreadable(*_describe(error, data), where=where) from None
    except ValueError as error:
        raise Unreadable(f"not readable as XML: {error}", where=where) from None
    if getattr(root.getroottree().docinfo, "doctype", ""):
        raise _dtd(where)
    _check_depth(root, where, limits.xml_depth)
    return root


def _describe(error: etree.XMLSyntaxError, data: bytes) -> tuple[str]:
    if not data.strip():
        return ("the XML document is empty",)
    line, column = error.position
    reason = re.sub(r",? ?\(?line \d+(, column \d+)?( ?\(.*?\))?\)?$", "", error.msg or "")
    return (f"not well-formed XML at line {line}, column {column}: {reason}",)


def _narrow(data: bytes, where: str) -> bytes:
    """UTF-16 converted to UTF-8, so the checked bytes are the parsed ones."""
    try:
        wide = (
            "utf-16"
            if data[:2] in (b"\xff\xfe", b"\xfe\xff")
            else ("utf-16-be" if data[:1] == b"\x00" else "utf-16-le")
        )
        text = data.decode(wide)
    except UnicodeDecodeError:
        raise Unreadable("not well-formed XML: broken UTF-16", where=where) from None
    return re.sub(r"^\s*<\?xml.*?\?>", "", text, count=1, flags=re.DOTALL).encode()


def _refuse_dtd(data: bytes, where: str) -> None:
    prolog = _PROLOG.match(data)
    if prolog is not None and data.startswith(b"<!", prolog.end()):
        raise _dtd(where)


def _dtd(where: str) -> Unreadable:
    return Unreadable(
        "the XML has a document type definition, which is never read",
        where=where,
        hint="VASSAL writes none; take <!DOCTYPE …> out if you trust the file",
    )


def _check_length(data: bytes, where: str, limits: Limits) -> None:
    """Count the starts of elements (and comments, which are few) before parsing."""
    if len(data) > limits.xml_size:
        raise too_long(f"{len(data):,} bytes", f"{limits.xml_size:,}", where)
    elements = data.count(b"<") - data.count(b"</")
    if elements > limits.xml_elements:
        raise too_long(f"{elements:,} elements", f"{limits.xml_elements:,}", where)


def too_long(found: str, most: str, where: str) -> Unreadable:
    """The error for an XML text past a limit."""
    return Unreadable(
        f"the XML has {found}, the limit is {most}",
        where=where,
        hint="raise the limit on size if the file is to be trusted",
    )


def _check_depth(root: etree._Element, where: str, limit: int) -> None:
    depth = 0
    for event, element in etree.iterwalk(root, events=("start", "end")):
        depth += 1 if event == "start" else -1
        if depth > limit:
            raise Unreadable(
                f"XML elements are nested more than {limit:,} deep at line {element.sourceline}",
                where=where,
                hint="raise the limit on depth if the file is to be trusted",
            )
