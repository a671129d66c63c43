"""The sample game with a pack that tells only a little of its board."""

from __future__ import annotations

import csv
import shutil
from itertools import pairwise
from pathlib import Path

from sample_pack import CROSSROADS as SAMPLE
from sample_pack import pack_copy

SHOWN = """hex,terrain,features
# typed by hand
0101,woods,
0204,woods,
0409,woods,
0102,clear,
0502,clear,
1106,clear,
0207,hills,
1103,hills,
0307,hills,
0908,marsh,
0909,marsh,
"""
RIVER = "kind,path\nriver,0601/0701\nriver,0603/0703\nriver,0608/0708\n"
NOTHING = [
    "0101/0102", "0203/0303", "0402/0403", "0806/0906", "1101/1102", "1201/1202", "0209/0210",
    "1008/1108", "0307/0308", "0706/0707", "0501/0601", "0803/0903", "0407/0507", "0908/0909",
    "1003/1004", "0605/0606", "0301/0302", "0209/0309",
]  # fmt: skip
ROADS = ["0501/0502", "0507/0508", "0105/0205"]


def truth() -> dict[str, str]:
    """The terrain of the sample's hexes."""
    with (SAMPLE / "pack" / "hexes.csv").open(newline="", encoding="utf-8") as file:
        return {row["hex"]: row["terrain"] for row in csv.DictReader(file)}


def rivers() -> set[str]:
    """The hexsides along which the river runs."""
    (line,) = _lines("river")
    return {"/".join(sorted(side.split("/"))) for side in line.split()}


def roads() -> set[str]:
    """The hexsides that a road crosses."""
    paths = [line.split() for line in _lines("road")]
    return {"/".join(sorted(pair)) for path in paths for pair in pairwise(path)}


def _lines(kind: str) -> list[str]:
    text = (SAMPLE / "pack" / "lines.csv").read_text("utf-8")
    return [line.split(",")[1] for line in text.splitlines() if line.startswith(kind)]


def put(folder: Path) -> Path:
    """The pack ``pack`` in a folder, with the module and a log beside it, and ``shown.csv``: sides
    with nothing along them, and roads."""
    for name in ("turn-1.vlog", "crossroads.vmod"):
        shutil.copy(SAMPLE / name, folder)
    complete = ('complete = ["hexsides", "lines", "levels"]', 'complete = ["levels"]')
    pack = pack_copy(folder / "pack", complete)
    (pack / "hexes.csv").write_text(SHOWN, "utf-8")
    (pack / "lines.csv").write_text(RIVER, "utf-8")
    rows = [f"{side},hexsides,none" for side in NOTHING]
    rows += [f"{side},lines,none" for side in NOTHING if side not in ROADS]
    rows += [f"{side},lines,road" for side in ROADS]
    (folder / "shown.csv").write_text("cell,layer,value\n" + "\n".join(rows) + "\n", "utf-8")
    return pack
