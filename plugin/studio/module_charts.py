"""The tables in the HTML charts and pages of a module, offered where a chart is pasted."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from ...importers.html_tables import LONGEST, html_tables
from ...importers.vassal.archive import open_archive
from ...importers.vassal.buildfile import extensions_beside
from ...model.problem import UmpireError
from .kept import Kept
from .pasted import LONGEST as MOST_SAID
from .pasted import is_title, table_in
from .session import Studio

MOST_PAGES, MOST_TABLES = 30, 20
"""Pages of a module that are looked through, and tables that are offered."""
_PAGES = (".html", ".htm")


@dataclass(frozen=True, slots=True)
class ModuleTable:
    """A table: what its chart or page is ``called``, how many ``rows`` it has, and its ``text`` as a
    spreadsheet would copy it."""

    called: str
    rows: int
    text: str


_TABLES: Kept[tuple[ModuleTable, ...]] = Kept()


def tables_in_module(studio: Studio) -> tuple[ModuleTable, ...]:
    """The tables of the module that is open: those of its charts, then those of other pages in it."""
    return _TABLES.get(studio, (), studio.evidence, lambda: tuple(_found(studio))[:MOST_TABLES])


def _found(studio: Studio) -> Iterator[ModuleTable]:
    charts = studio.evidence.module.html_charts
    for called, data in _pages(studio, charts):
        for number, table in enumerate(html_tables(data), 1):
            text = "\n".join("\t".join(row) for row in table if not is_title(row))[
                : MOST_SAID + 1
            ]  # the rest is not read
            read = table_in(text)
            if read is not None and read.rows:
                yield ModuleTable(f"{called}, table {number}", len(read.rows), text)


def _pages(studio: Studio, charts: Mapping[str, str]) -> Iterator[tuple[str, bytes]]:
    """What each chart in HTML is called and holds, then the other pages by their names."""
    file, limits = studio.evidence.file, studio.limits
    for path in (file, *extensions_beside(file)):
        try:
            with open_archive(path, limits) as archive:
                own = [name for name in charts if name in archive]
                others = [n for n in archive.names if n.lower().endswith(_PAGES) and n not in own]
                for name in (*own, *others)[:MOST_PAGES]:
                    if archive.size(name) <= LONGEST:
                        yield charts.get(name) or name, archive.read(name, LONGEST)
        except UmpireError:
            continue  # whoever read the module has said so
