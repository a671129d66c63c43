"""A digest of the program's own files, and of those of rulesets from other packages: stored audits are valid
only for the program that made them."""

from __future__ import annotations

import hashlib
import sys
from functools import cache
from pathlib import Path

from .registry import rulesets

_ROOT = Path(__file__).resolve().parents[1]
_FOLDERS = ("importers", "model", "plugin", "validators")
_SUFFIXES = (".py", ".toml", ".json")


@cache
def program_digest() -> str:
    """The SHA-256 of the files that can affect a verdict, and of the version of Python."""
    digest = hashlib.sha256(sys.version.encode())
    for place in (*(_ROOT / name for name in _FOLDERS), *_others()):
        files = sorted(place.rglob("*")) if place.is_dir() else [place]
        for file in files:
            if file.suffix in _SUFFIXES and file.is_file():
                digest.update(f"\n{file.relative_to(place.parent).as_posix()}\n".encode())
                digest.update(file.read_bytes())
    return digest.hexdigest()


def _others() -> list[Path]:
    """The packages, or the modules, of rulesets that do not ship here."""
    own, found = __name__.partition(".")[0], set[Path]()
    for ruleset in rulesets().parts.values():
        names = (str(getattr(ruleset, "module", "")), type(ruleset).__module__)
        for top in {name.partition(".")[0] for name in names} - {own}:
            module = sys.modules.get(top)
            file = getattr(module, "__file__", None)
            found.update(map(Path, getattr(module, "__path__", [file] if file else [])))
    return sorted(found)
