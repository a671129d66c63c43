"""The tables of an HTML text from strangers, as texts. Nothing is fetched or run."""

from __future__ import annotations

from collections.abc import Iterator

from lxml import etree

LONGEST, MOST_ELEMENTS = 1_000_000, 50_000
"""The most bytes and elements of a text; a longer one is not read."""
MOST_ACROSS, MOST_DOWN, MOST_SAID = 64, 1_000, 200
"""The most columns and rows of a table, and of one spanning cell, that are read; characters of a cell."""
_BLOCKS = ("br", "p", "div", "li", "tr")
_NOT_SHOWN = ("script", "style", "template", "s", "strike", "del")

Table = list[list[str]]
"""Rows of cells; a spanning cell is repeated in each place."""


def html_tables(data: bytes, encoding: str | None = None) -> list[Table]:
    """The innermost tables, in order. ``encoding``: of ``data``; None: as the text declares, else Latin-1."""
    if len(data) > LONGEST or data.count(b"<") > MOST_ELEMENTS or not data.strip():
        return []
    parser = etree.HTMLParser(
        encoding=encoding, no_network=True, huge_tree=False, remove_comments=True, remove_pis=True
    )
    try:
        root = etree.fromstring(data, parser)
    except (etree.ParserError, etree.XMLSyntaxError, ValueError):
        return []
    if root is None:
        return []
    etree.strip_elements(root, *_NOT_SHOWN, with_tail=False)
    for block in root.iter(*_BLOCKS):
        block.tail = f" {block.tail or ''}"
    found: dict[etree._Element | None, list[etree._Element]] = {}
    outer = {around for table in root.iter("table") for around in table.iterancestors("tr")}
    for row in root.iter("tr"):
        if row not in outer:
            found.setdefault(next(row.iterancestors("table"), None), []).append(row)
    return [list(_rows(rows)) for rows in found.values()]


def _rows(rows: list[etree._Element]) -> Iterator[list[str]]:
    spanned: dict[int, tuple[int, str]] = {}  # by column: rows that are left, and the text
    for row in rows[:MOST_DOWN]:
        cells = [cell for cell in row if cell.tag in ("td", "th")]
        line: list[str] = []
        while len(line) < MOST_ACROSS and (cells or len(line) in spanned):
            left, text = spanned.pop(len(line), (0, ""))
            across = 1
            if not left:
                cell = cells.pop(0)
                text = _text(cell)
                left, across = (
                    _span(cell, "rowspan", MOST_DOWN),
                    _span(cell, "colspan", MOST_ACROSS),
                )
            for _ in range(across):
                if left > 1:
                    spanned[len(line)] = left - 1, text
                line.append(text)
        yield line


def _text(cell: etree._Element) -> str:
    """The text of a cell. Digits of two elements, such as a cost and a footnote's number, are kept apart."""
    text = ""
    for part in map(str, cell.itertext()):
        apart = text[-1:].isnumeric() and part[:1].isnumeric()
        text += f" {part}" if apart else part
    return " ".join(text.split())[:MOST_SAID]


def _span(cell: etree._Element, name: str, most: int) -> int:
    said = (cell.get(name) or "").strip()
    return (
        min(max(int(said), 1), most) if said.isascii() and said.isdigit() and len(said) < 6 else 1
    )
