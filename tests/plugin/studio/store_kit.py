"""A pack of a small board, and edits of it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

PACK = """\
[pack]
name = "p"
version = "1"
ruleset = "generic"

[board]
complete = ["hexsides"] # the rivers

[[board.sheet]]
map = "Main Map"
"""
HEXES = "hex,terrain,features,note\r\n*,clear,,\r\n0102,woods,,by eye\r\n"
LINES = "kind,path\nriver,0101/0102 0102/0103\nroad,0101 0102 0103\n"


def text(folder: Path, name: str) -> str:
    return (folder / name).read_bytes().decode()


def terrain(name: str, was: str, now: str) -> dict[str, Any]:
    return {"kind": "hex", "hex": name, "layer": "terrain", "was": was, "now": now}
