"""Packs, facts and case files (TOML and CSV) with some cells changed; documents and reports (JSON)."""

from __future__ import annotations

import csv
import json
import random
from io import StringIO
from pathlib import Path
from typing import Any

import tomlkit

from . import sources
from .atoms import NASTY, atom, other_bytes, other_text, other_tree


def changed_pack(rng: random.Random, pack: Path, target: Path) -> None:
    """A copy of a pack in the folder ``target``, with some of it changed."""
    target.mkdir()
    files = sorted(path for path in pack.iterdir() if path.suffix in (".toml", ".csv"))
    chosen = rng.choice(files)
    for file in files:
        data = file.read_bytes()
        if file == chosen or rng.random() < 0.1:
            changed = changed_toml if file.suffix == ".toml" else changed_csv
            data = changed(rng, file)
        (target / file.name).write_bytes(data)


def changed_toml(rng: random.Random, file: Path) -> bytes:
    """A TOML file with tables, keys or values changed, or, now and then, its text."""
    if rng.random() < 0.25:
        return _other_lines(rng, file.read_text("utf-8"))
    tree = other_tree(rng, sources.toml(file), rng.choice((1, 1, 1, 2, 4, 12)))
    return _dumped(tree) or _other_lines(rng, file.read_text("utf-8"))


def _dumped(tree: dict[str, Any]) -> bytes | None:
    """None for what TOML cannot hold."""
    try:
        return tomlkit.dumps(tree).encode("utf-8", "replace")
    except Exception:  # noqa: BLE001 - whatever the writer says of keys and values that TOML has not
        return None


def _other_lines(rng: random.Random, text: str) -> bytes:
    lines = text.splitlines()
    for _ in range(rng.choice((1, 1, 3))):
        at = rng.randrange(len(lines))
        kind = rng.randrange(5)
        if kind < 3:
            lines[at] = other_text(rng, lines[at], ["= ", "[", "]", '"', "{ x = 1 }"])
        elif kind == 3:
            lines.insert(rng.randrange(len(lines)), lines[at])
        else:
            del lines[at]
            lines = lines or [""]
    data = "\n".join(lines).encode("utf-8", "surrogateescape")
    return other_bytes(rng, data) if data and rng.random() < 0.2 else data


def changed_csv(rng: random.Random, file: Path) -> bytes:
    """A spreadsheet with cells, rows or columns changed, or written in another manner."""
    rows = list(csv.reader(StringIO(file.read_text("utf-8"))))
    pool = sorted({cell for row in rows for cell in row if cell})
    for _ in range(rng.choice((1, 1, 2, 5, 20))):
        at = rng.randrange(len(rows)) if rng.random() < 0.8 else 0
        row = rows[at]
        kind = rng.randrange(8)
        if kind < 4 and row:
            cell = rng.randrange(len(row))
            row[cell] = other_text(rng, row[cell], pool) if kind < 2 else atom(rng, pool)
        elif kind == 4:
            row.extend(rng.choice(NASTY) for _ in range(rng.choice((1, 3, 200))))
        elif kind == 5 and row:
            del row[rng.randrange(len(row))]
        elif kind == 6:
            rows.insert(at, list(row))
        elif len(rows) > 1:
            del rows[at]
    written = StringIO()
    csv.writer(
        written, delimiter=rng.choice(",,,;\t"), lineterminator=rng.choice(("\n", "\r\n"))
    ).writerows(rows)
    encoding = rng.choice(("utf-8", "utf-8", "utf-8", "utf-8-sig", "utf-16", "latin-1"))
    errors = "surrogateescape" if encoding.startswith("utf-8") else "replace"
    data = written.getvalue().encode(encoding, errors)
    return other_bytes(rng, data) if rng.random() < 0.1 else data


# -- Analysis documents and JSON reports with some of it changed -----------------------------------


def changed_json(rng: random.Random, tree: dict[str, Any]) -> bytes:
    """A document with some values changed, or, now and then, its bytes."""
    new = other_tree(rng, tree, rng.choice((1, 1, 1, 2, 5, 20)))
    data = json.dumps(new, ensure_ascii=rng.random() < 0.8).encode("utf-8", "surrogatepass")
    return other_bytes(rng, data) if rng.random() < 0.1 else data
