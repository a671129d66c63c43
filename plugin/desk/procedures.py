"""The error procedures that ship, and those that users write."""

from __future__ import annotations

import tomllib
from functools import cache
from importlib import resources
from pathlib import Path

from ...importers.pack.toml_text import read_bytes
from ...model import schemas
from ...model.problem import UmpireError
from ...model.procedure import Procedure

DEFAULT = "plain"
_MOST = 100_000
"""Largest size of a procedure's file, in bytes."""


@cache
def procedures() -> tuple[Procedure, ...]:
    """The procedures that ship, the default first."""
    folder = resources.files(__package__) / "procedures"
    files = sorted((f for f in folder.iterdir() if f.name.endswith(".toml")), key=lambda f: f.name)
    found = [_read(file.read_bytes(), file.name) for file in files]
    return tuple(sorted(found, key=lambda one: one.name != DEFAULT))


def procedure_named(name: str, root: Path | None = None) -> Procedure:
    """The procedure with that name, or from that file (``*.toml``, relative to the folder ``root``; None: the
    working folder). Raises :class:`UmpireError` for an unknown name and a file that is not a procedure."""
    known = {one.name: one for one in procedures()}
    if name in known:
        return known[name]
    if name.lower().endswith(".toml"):
        path = Path(name) if root is None else root / name.replace("\\", "/")
        return _read(read_bytes(path), path.name)
    raise UmpireError(
        f"there is no error procedure {name!r}",
        expected=f"one of {', '.join(known)}, or a file that ends in .toml",
    )


def _read(content: bytes, where: str) -> Procedure:
    if len(content) > _MOST:
        raise UmpireError(f"is longer than {_MOST:,} bytes", where=where, expected="a procedure")
    try:
        plain = tomllib.loads(content.decode("utf-8-sig").replace("\r\n", "\n"))
    except (tomllib.TOMLDecodeError, UnicodeDecodeError, RecursionError) as error:
        raise UmpireError(f"is not valid TOML ({error})", where=where) from None
    for fault in schemas.faults("procedure", plain):
        place = f"{where}: {fault.place}" if fault.place else where
        raise UmpireError(f"expected {fault.expected}; found {fault.found}", where=place)
    movement, combat = plain["movement"], plain["combat"]
    return Procedure(
        name=plain["name"],
        title=plain["title"],
        movement=movement["seal"],
        combat=combat["seal"],
        movement_correction=movement["correction"],
        combat_correction=combat["correction"],
        note=plain.get("note", ""),
        sources=tuple(plain.get("sources", ())),
    )
