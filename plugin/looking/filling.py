"""Suggestions written into a pack's files: the one place that does it."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from pathlib import Path

from ...importers.pack.files import PACK_FILE
from ...importers.pack.provenance import FILE as PROVENANCE
from ...importers.pack.provenance import provenance_csv
from ...importers.vassal.atomic import Known, known, whole_file
from ...model.problem import UmpireError
from ...model.provenance import Key, Method, Program, Record, Status, by_key, entered
from ...model.vouching import NOTHING, side_of
from ..suggest.confidence import Confidence
from .proposals import Examples, Sheet, facts_of
from .told import Told

FILES = ("hexes.csv", "lines.csv", PROVENANCE, PACK_FILE)
_BOARD = re.compile(r"^\[board\][ \t]*(#[^\n]*)?$", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Entry:
    """A fact to be written, with the record that says how it was come by."""

    key: Key
    value: str
    status: Status
    chance: float | None
    picture: str


@dataclass(frozen=True)
class Filling:
    """A pack's folder as it was found: what is in its files, and how they were told from others."""

    folder: Path
    texts: Mapping[str, str]
    before: Mapping[str, Known]

    def write(self, texts: Mapping[str, str]) -> None:
        """Put the files in place whole, ``pack.toml`` last. Raises :class:`UmpireError` if one was changed
        meanwhile, or cannot be written."""
        for name in sorted(texts, key=FILES.index):
            if texts[name] == self.texts[name]:
                continue
            try:
                with whole_file(self.folder / name, self.before[name]) as part:
                    part.write_text(texts[name], "utf-8", newline="")
            except OSError as error:
                what = error.strerror or str(error)
                raise UmpireError(f"cannot be written: {what}", where=name) from None


def filling(folder: Path) -> Filling:
    """The folder of a pack, to be written to. Raises :class:`UmpireError` for a zip, or a link."""
    if not folder.is_dir():
        raise UmpireError(
            "is a pack in one file, which is only read", where=folder.name, expected="a folder"
        )
    texts: dict[str, str] = {}
    before: dict[str, Known] = {}
    for name in FILES:
        file = folder / name
        if file.is_symlink():
            raise UmpireError(
                "is a link, and links are not written to",
                where=name,
                hint="put the file itself here",
            )
        before[name] = known(file)
        data = b"" if before[name] is None else file.read_bytes()
        try:
            texts[name] = data.decode("utf-8-sig")
        except UnicodeDecodeError:
            texts[name] = data.decode("cp1252", "replace")
    return Filling(folder, texts, before)


def filled(
    texts: Mapping[str, str], told: Told, entries: Iterable[Entry], method: str, who: str, when: str
) -> dict[str, str]:
    """The files with ``entries`` in them, each with a record by the program ``who``; all that was typed gets
    its record, and ``pack.toml`` says that records are asked for."""
    every = list(entries)
    terrain = [
        (e.key.cell, e.value)
        for e in every
        if e.key.layer == "terrain" and told.drawn_terrain(e.key.cell) != e.value
    ]
    sides = [(e.key.name, e.key.cell) for e in every if e.key.layer == "hexsides" and e.key.name]
    lines = [
        (e.key.name, " ".join(_hexes(e.key.cell, told)))
        for e in every
        if e.key.layer == "lines" and e.key.name
    ]
    typed = Record(
        Key("", "terrain"),
        "",
        "typed",
        ("typed in the files",),
        when,
        Method("person", "the pack's files"),
    )
    records = by_key(told.own)
    for key, value in told.vouched_for():
        records[key] = replace(typed, key=key, value=value)
    new = [
        Record(
            e.key,
            e.value,
            e.status,
            (who,),
            when,
            Method("program", method),
            None if e.chance is None else Fraction(round(e.chance * 1000), 1000),
            e.picture,
        )
        for e in every
    ]
    records = entered(records, new, Program(who))
    return {
        "hexes.csv": _added(texts["hexes.csv"], ("hex", "terrain"), sorted(terrain)),
        "lines.csv": _added(texts["lines.csv"], ("kind", "path"), sorted([*sides, *lines])),
        PROVENANCE: provenance_csv(records.values()),
        PACK_FILE: _required(texts[PACK_FILE], told.required),
    }


def _hexes(cell: str, told: Told) -> tuple[str, str]:
    side = side_of(cell, told.drawn.hexes)
    assert side is not None
    return side


def _added(text: str, columns: tuple[str, str], rows: list[tuple[str, str]]) -> str:
    """The text of a spreadsheet with ``rows`` behind its own."""
    if not rows:
        return text
    head = next(
        (line for line in text.splitlines() if line.strip() and not line.startswith("#")), ""
    )
    out = io.StringIO()
    end = "\r\n" if "\r\n" in text else "\n"
    if not head:
        out.write(text if not text or text.endswith("\n") else text + end)
        head = ",".join(columns)
        out.write(head + end)
    else:
        out.write(text if text.endswith("\n") else text + end)
    delimiter = max(",;\t", key=head.count)
    names = [name.strip().lower() for name in next(csv.reader([head], delimiter=delimiter))]
    writer = csv.writer(out, delimiter=delimiter, lineterminator=end)
    for row in rows:
        cells = dict(zip(columns, row, strict=True))
        writer.writerow([cells.get(name, "") for name in names])
    return out.getvalue()


def _required(text: str, already: bool) -> str:
    """``pack.toml`` with ``provenance = "required"`` under ``[board]``."""
    if already:
        return text
    found = _BOARD.search(text)
    if found is None:
        raise UmpireError(
            "has no line [board] of its own",
            where=PACK_FILE,
            hint='write provenance = "required" there',
        )
    at = found.end()
    return (
        f'{text[:at]}\nprovenance = "required"  # a cell without a record is not known{text[at:]}'
    )


def entries_of(sheets: Iterable[Sheet], told: Told, more: Examples, *, unsure: bool) -> list[Entry]:
    """What is to be written of suggestions: the sure ones (``unsure``: also those that are not, but never
    what is unlike all that was shown), and the examples that the pack does not have itself.

    A terrain says that nothing else is in its hex, where no features are drawn.
    """
    wanted = {Confidence.SURE, Confidence.UNSURE} if unsure else {Confidence.SURE}
    found: list[Entry] = []
    for sheet in sheets:
        for one in sheet.proposals:
            if one.confidence in wanted:
                for key, value in one.facts:
                    found.append(Entry(key, value, "suggested", one.chance, one.picture))
    for key, value in more.items():
        if _is_open(key, told):
            for fact, text in facts_of(key, value):
                found.append(Entry(fact, text, "imported", None, ""))
    bare = [entry for entry in found if entry.key.layer == "terrain"]
    for entry in bare:
        key = Key(entry.key.cell, "features")
        if not told.drawn.hexes[key.cell].features and key not in told.records:
            found.append(replace(entry, key=key, value=NOTHING))
    return found


def _is_open(key: Key, told: Told) -> bool:
    if key.layer == "terrain":
        return told.may_fill(key.cell)
    return told.may_fill_side(_hexes(key.cell, told), key.layer)
