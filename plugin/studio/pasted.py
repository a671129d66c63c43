"""A chart pasted from a PDF, a spreadsheet, a forum or a web page, or taken from the module: rows and
costs."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import takewhile

from ...importers.html_tables import LONGEST as LONGEST_PAGE
from ...importers.html_tables import html_tables
from ...importers.vassal.archive import open_archive
from ...importers.vassal.buildfile import extensions_beside
from ...model.problem import UmpireError
from .session import Studio

LONGEST, MOST_ROWS, MOST_COLUMNS = 50_000, 200, 20
LEAVE_OUT = "-"
_SPLIT = ("\t", "|", ";", ",")
_COST = re.compile(r"\+?[0-9]+(?:[.][0-9]+|/[1-9][0-9]*)?")
_UNIT = re.compile(r"\s*(?:mps?|pts?|points?)\.?$", re.IGNORECASE)
_HALVES = {"½": "1/2", "¼": "1/4", "¾": "3/4", "⅓": "1/3", "⅔": "2/3"}
_OF_COSTS = re.compile(
    r"\b(?:mps?|mfs?|all|any|move|movement|enter)\b|cost|kost|coût",
    re.IGNORECASE,
)
"""Words in the name of the only column of a chart of costs; a column of another name may be about combat."""
_NEVER = frozenset(("p", "np", "prohibited", "proh", "forbidden", "not allowed", "impassable"))


@dataclass(frozen=True, slots=True)
class Pasted:
    """A table. ``head``: the names of its columns except the first. ``rows``: each a name and cells. ``cut``:
    what was left out because it is too much; "": nothing."""

    head: tuple[str, ...]
    rows: tuple[tuple[str, tuple[str, ...]], ...]
    cut: str = ""


def table_in(text: str) -> Pasted | None:
    """The table in a text; None if there is none."""
    cut = ""
    if len(text) > LONGEST:
        cut = f"only the first {LONGEST:,} of {len(text):,} characters are read"
    text = text[:LONGEST]
    if "<t" in text.lower():
        tables = html_tables(text.encode(), "utf-8")
        lines = [line for table in tables for line in table if not is_title(line)]
    else:
        lines = _of_lines(text)
    lines = [[" ".join(cell.split()) for cell in line] for line in lines]
    lines = [line for line in lines if len(line) > 1 and any(line)]
    if len(lines) < 2:
        return None
    if len(lines) > MOST_ROWS:
        cut = f"only the first {MOST_ROWS} rows are read"
    elif max(map(len, lines)) > MOST_COLUMNS + 1:
        cut = f"only the first {MOST_COLUMNS} columns are read"
    lines = [line[: MOST_COLUMNS + 1] for line in lines[:MOST_ROWS]]
    width = max(map(len, lines))
    lines = [line + [""] * (width - len(line)) for line in lines]
    if len(lines[0]) > 1 and not any(map(cost_in, lines[0][1:])):
        head, *lines = lines
    else:
        head = [""] * width
    rows = tuple((line[0], tuple(line[1:])) for line in lines if line[0])
    return Pasted(tuple(head[1:]), rows, cut)


def is_title(line: Sequence[str]) -> bool:
    """Whether one cell of an HTML table spans its whole row, as a title does."""
    return len(line) > 1 and len(set(line)) == 1 and not cost_in(line[0])


def _of_lines(text: str) -> list[list[str]]:
    lines = [line for line in text.splitlines() if line.strip()]
    for sign in _SPLIT:
        if sum(sign in line for line in lines) * 2 > len(lines):
            return [_without_ends(line.split(sign), sign) for line in lines]
    wide = [re.split(r"\s{2,}", line.strip()) for line in lines]
    return (
        wide if any(len(line) > 1 for line in wide) else _by_last_words([o.split() for o in lines])
    )


def _by_last_words(lines: list[list[str]]) -> list[list[str]]:
    """Lines of words, as a PDF is copied. Most rows that end in costs end in equally many: so many columns of
    costs there are. A first line of one word for each column is the head. Other lines stay whole."""
    ends = [len([*takewhile(cost_in, line[:0:-1])]) for line in lines]
    ((width, _),) = Counter(end for end in ends if end).most_common(1) or ((0, 0),)
    found = [
        [" ".join(line[:-width]), *line[-width:]]
        if 0 < width <= end
        else [" ".join(line), *[""] * width]
        for line, end in zip(lines, ends, strict=True)
    ]
    has_head = width and not ends[0] and len(lines[0]) == width + 1
    return [lines[0], *found[1:]] if has_head else found


def _without_ends(cells: list[str], sign: str) -> list[str]:
    """A row without the empty cells that forum tables have at both ends."""
    if sign == "|" and cells and not cells[0].strip():
        cells = cells[1:]
    return cells[:-1] if sign == "|" and cells and not cells[-1].strip() else cells


def cost_in(text: str) -> str:
    """A cost as charts have it: ``2`` for ``2 MP``, ``1/2`` for ``½``, ``prohibited`` for ``P``; "" if it is
    none."""
    told = _UNIT.sub("", text.strip())
    told = re.sub(r"^([0-9]+)([½¼¾⅓⅔])$", lambda m: _mixed(m[1], _HALVES[m[2]]), told)
    told = _HALVES.get(told, told).replace(",", ".")
    if told.casefold().strip(".") in _NEVER:
        return "prohibited"
    return told if _COST.fullmatch(told) else ""


def _mixed(whole: str, part: str) -> str:
    top, bottom = part.split("/")
    return f"{int(whole) * int(bottom) + int(top)}/{bottom}"


def columns_for(head: Sequence[str], known: Sequence[str], everyone: str) -> tuple[str, ...]:
    """For each column of a pasted table, the chart's column of the same name, or the only one that begins so
    and is not taken by another. A single column without a name, or named like costs, is ``everyone``. Other
    columns are left out."""
    like = [[name for name in known if _like(column, name)] for column in head]
    if len(head) == 1 and not like[0] and (not head[0] or _OF_COSTS.search(head[0])):
        return (everyone,)
    same = [
        [name for name in names if name.casefold() == column.casefold().strip(". ")]
        for column, names in zip(head, like, strict=True)
    ]
    taken = Counter(name for names in same for name in names)
    begun = Counter(name for names in like for name in names)
    return tuple(
        exact[0] if len(exact) == 1 and taken[exact[0]] == 1
        else names[0] if len(names) == 1 and not exact and not taken[names[0]] and begun[names[0]] == 1
        else LEAVE_OUT
        for exact, names in zip(same, like, strict=True)
    )  # fmt: skip


def _like(column: str, name: str) -> bool:
    a, b = sorted((column.casefold().strip(". "), name.casefold()), key=len)
    return bool(a) and (a == b or (len(a) >= 3 and b.startswith(a)))


MOST_PAGES, MOST_TABLES = 30, 20
"""Maximum number of pages of a module that are searched, and of tables that are offered."""
_PAGES = (".html", ".htm")


@dataclass(frozen=True, slots=True)
class ModuleTable:
    """A table: the name of its chart or page (``called``), the number of ``rows``, and its ``text`` as a
    spreadsheet would copy it."""

    called: str
    rows: int
    text: str


def tables_in_module(studio: Studio) -> tuple[ModuleTable, ...]:
    """The tables of the open module: those of its charts, then those of its other pages."""
    return studio.kept("tables", lambda: tuple(_found(studio))[:MOST_TABLES])


def _found(studio: Studio) -> Iterator[ModuleTable]:
    charts = studio.evidence.module.html_charts
    for called, data in _pages(studio, charts):
        for number, table in enumerate(html_tables(data), 1):
            text = "\n".join("\t".join(row) for row in table if not is_title(row))[
                : LONGEST + 1
            ]  # the rest is not read
            read = table_in(text)
            if read is not None and read.rows:
                yield ModuleTable(f"{called}, table {number}", len(read.rows), text)


def _pages(studio: Studio, charts: Mapping[str, str]) -> Iterator[tuple[str, bytes]]:
    """Name and content of each HTML chart, then of the other pages by file name."""
    file, limits = studio.evidence.file, studio.limits
    for path in (file, *extensions_beside(file)):
        try:
            with open_archive(path, limits) as archive:
                own = [name for name in charts if name in archive]
                others = [n for n in archive.names if n.lower().endswith(_PAGES) and n not in own]
                for name in (*own, *others)[:MOST_PAGES]:
                    if archive.size(name) <= LONGEST_PAGE:
                        yield charts.get(name) or name, archive.read(name, LONGEST_PAGE)
        except UmpireError:
            continue  # whoever read the module has said so
