"""Which row of units.csv is about which piece."""

from __future__ import annotations

from pathlib import Path

import pytest
from vassal_umpire.importers.pack.attributes import Counters, Reader
from vassal_umpire.importers.pack.load import load_pack
from vassal_umpire.model.problem import WrongPack
from vassal_umpire.model.table import Piece, Spot, StatedFacts

PACK = """
[pack]
name = "p"
version = "1"
ruleset = "generic"
[board]
[[board.sheet]]
map = "M"
"""

ROWS = """id,gpid,image,name,ma
77,,,,1
,5,,,2
,,tank.png,,3
,,,HQ,4
,,gun.png,HQ,5
,,,H*,6
"""


@pytest.fixture
def counters(tmp_path: Path) -> Counters:
    (tmp_path / "pack.toml").write_text(PACK, encoding="utf-8")
    (tmp_path / "units.csv").write_text(ROWS, encoding="utf-8")
    return Counters(load_pack(tmp_path))


def piece(piece_id: str = "1", gpid: str = "", image: str = "", name: str = "X") -> Piece:
    facts = StatedFacts(name, basic_name=name, gpid=gpid, image=image)
    return Piece(piece_id, Spot("M", 0, 0), "", facts)


@pytest.mark.parametrize(
    ("of", "wanted"),
    [
        (piece("77", gpid="5", image="tank.png", name="HQ"), ["1"]),  # its id before all else
        (piece(gpid="5", image="tank.png", name="HQ"), ["2"]),
        (piece(image="tank.png", name="HQ"), ["3"]),
        (piece(image="gun.png", name="HQ"), ["5"]),  # both cells of the row fit
        (piece(image="gun.png", name="Battery"), []),  # one of them does not
        (piece(image="other.png", name="HQ"), ["4"]),
        (piece(name="Hospital"), ["6"]),
        (piece(), []),
    ],
)
def test_most_particular_row_counts(counters: Counters, of: Piece, wanted: list[str]) -> None:
    assert [row.get("ma") for row in counters.rows(of)] == wanted


SELECTED = """
[[units.are]]
column = "Unit"
values = ["yes"]
[[units.not]]
column = "unit"
values = ["no"]
"""
SAID = """image,name,unit
tank.png,,yes
gun.png,,no
,Tent,?
,Two,yes
,Two,no
,HQ,Yes
"""


def test_a_column_of_units_csv_says_what_is_a_unit(tmp_path: Path) -> None:
    (tmp_path / "pack.toml").write_text(PACK + SELECTED, encoding="utf-8")
    (tmp_path / "units.csv").write_text(SAID, encoding="utf-8")
    reader = Reader(load_pack(tmp_path))
    asked = [
        piece(image="tank.png"),
        piece(image="gun.png"),
        piece(name="Tent"),
        piece(name="Two"),  # two rows, at odds
        piece(name="HQ"),
        piece(name="nobody"),
    ]
    assert [reader.kind(one) for one in asked] == ["unit", None, None, None, "unit", None]
    assert [reader.is_excluded(one) for one in asked] == [False, True, False, False, False, False]


def test_a_column_that_is_not_there_is_a_fault(tmp_path: Path) -> None:
    (tmp_path / "pack.toml").write_text(PACK + SELECTED, encoding="utf-8")
    (tmp_path / "units.csv").write_text("name,kind\nHQ,yes\n", encoding="utf-8")
    with pytest.raises(WrongPack, match="expected a column of units"):
        load_pack(tmp_path)


MARKED = '[{ marker = "^Fatigue$", value = "1" }, { column = "ma" }]'


@pytest.mark.parametrize("looks", ['[{ column = "ma" }]', MARKED])
def test_a_counter_that_a_flip_renames_is_read_by_its_name_of_now(
    tmp_path: Path, looks: str
) -> None:
    (tmp_path / "pack.toml").write_text(f"{PACK}[units.attributes]\nma = {looks}\n", "utf-8")
    (tmp_path / "units.csv").write_text("name,ma\nworn,4\nfresh,6\n", "utf-8")
    reader = Reader(load_pack(tmp_path))
    told = [str(reader.attributes(piece(name=name))["ma"].value) for name in ("worn", "fresh")]
    assert told == ["4", "6"]
