"""Tables of others read as facts: how columns and names are translated, and what is refused."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from small_board import BARE
from vassal_umpire.importers.pack.taken import Reading, read_table, united
from vassal_umpire.model.problem import UmpireError, WrongPack

PLAIN = Reading()


def told(tmp_path: Path, text: str, reading: Reading = PLAIN) -> dict[str, str]:
    """The facts in a file, as ``cell layer name`` and value; that there are no features left out."""
    file = tmp_path / "table.csv"
    file.write_text(text, encoding="utf-8")
    found = read_table(file, BARE, reading)
    return {
        " ".join(part for part in key if part): taken.value
        for key, taken in found.items()
        if (key.layer, taken.value) != ("features", "none")
    }


def test_our_own_spreadsheets_are_read(tmp_path: Path) -> None:
    assert told(
        tmp_path, "hex,terrain,level,features\n0101-0102,woods/town,+1,fort\n0103,?,,\n"
    ) == {
        "0101 terrain": "woods+town",
        "0101 level": "1",
        "0101 features fort": "yes",
        "0101 features": "fort",
        "0102 terrain": "woods+town",
        "0102 level": "1",
        "0102 features fort": "yes",
        "0102 features": "fort",
    }
    assert told(tmp_path, "kind,path\nriver,0101/0102\nroad,0101 0102 0103\n") == {
        "0101/0102 hexsides river": "yes",
        "0101/0102 lines road": "yes",
        "0102/0103 lines road": "yes",
    }


def test_columns_and_names_are_translated(tmp_path: Path) -> None:
    reading = Reading(
        columns={"hex": "Number", "terrain": "Kind"},
        names={"Forest": "woods", "Forest Town": "woods+town", "off": ""},
    )
    text = "Number;Kind;Owner\n0101;Forest;Red\n0102;Forest Town;\n0103;off;\n"
    assert told(tmp_path, text, reading) == {
        "0101 terrain": "woods",
        "0102 terrain": "woods+town",
    }


def test_columns_that_list_the_sides_of_a_hex(tmp_path: Path) -> None:
    reading = Reading(
        sides={("hexsides", "river"): "Rivers", ("lines", "rail"): "rail"},
        whole=frozenset({"hexsides"}),
    )
    text = "hex,Rivers,rail\n0202,N SE,\"['NW', 'S']\"\n0201,S,N\n"
    got = told(tmp_path, text, reading)
    assert got["0201/0202 hexsides river"] == "yes"
    assert got["0201/0202 hexsides"] == "river"
    assert got["0202/0203 lines rail"] == "yes"
    assert len([key for key in got if "river" in key]) == 2
    assert len([key for key in got if "rail" in key]) == 2  # north of 0201 is no hex


def test_rows_for_hexsides(tmp_path: Path) -> None:
    reading = Reading(columns={"hexsides": "feature"}, names={"stream": "river"})
    assert told(
        tmp_path, "a,b,feature,lines\n0102,0101,stream,road\n0102,0103,none,\n", reading
    ) == {
        "0101/0102 hexsides river": "yes",
        "0101/0102 hexsides": "river",
        "0101/0102 lines road": "yes",
        "0101/0102 lines": "road",
        "0102/0103 hexsides": "none",
    }


TERRAIN: dict[str, Any] = {
    "provenance": {"method": "by eye"},
    "hexes": {
        "0101": {"t": "forest_rough", "exit": True},
        "0102": {"t": "clear"},
        "9901": {"t": "offmap"},
    },
    "sides": {
        "0102|0101": {"creek": True, "road": "trail", "name": "Ease", "ford": False},
        "0102|9901": {"creek": True},
    },
}


def test_terrain_json_of_vsav_engine(tmp_path: Path) -> None:
    reading = Reading(
        names={"forest_rough": "forest+rough", "creek": "river"},
        across=frozenset({"road", "trail"}),
        whole=frozenset({"hexsides"}),
    )
    assert told(tmp_path, json.dumps(TERRAIN), reading) == {
        "0101 terrain": "forest+rough",
        "0102 terrain": "clear",
        "0101/0102 hexsides river": "yes",
        "0101/0102 hexsides": "river",
        "0101/0102 lines trail": "yes",
    }


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("hex,terrain\n0909,woods\n", "table.csv line 2: expected a hex of the board; found 0909"),
        (
            "hex,level\n0101,high\n",
            "table.csv line 2: expected a whole number as level; found high",
        ),
        ("hex,terrain\n0101,a\n0101,b\n", "table.csv line 3: expected what table.csv line 2 says"),
        (
            "a,b,hexsides\n0101,0404,x\n",
            "line 2: expected hexes next to each other; found 0101 and",
        ),
        ("side,hexsides\n0101,x\n", "expected a hexside such as 0304/0305; found 0101"),
        ("kind,path\nroad,0101 0404\n", "line 2: expected hexes next to each other"),
        ("kind,path\nroad,\n", "line 2: expected something in the column path"),
        ("x,y\n1,2\n", "has no column that names hexes"),
        ("hex,note\n0101,woods\n", "tells nothing of the board"),
        ("[1, 2]", "is no table of terrain"),
        ('{"hexes": {"0101": 3}}', "table.csv hexes 0101: expected its terrain as t"),
        (
            '{"hexes": {}, "sides": {"0101|0404": {"x": true}}}',
            "sides 0101|0404: expected hexes next",
        ),
        ('{"hexes": ', "is not JSON"),
        ("\x00", "is not a CSV text"),
    ],
)
def test_what_cannot_be_read_is_told_in_one_line(tmp_path: Path, text: str, said: str) -> None:
    with pytest.raises(UmpireError) as caught:
        told(tmp_path, text)
    error = caught.value
    shown = str(error.problems[0]) if isinstance(error, WrongPack) else str(error)
    assert said in shown
    assert "\n" not in shown


def test_sides_that_are_none_of_the_compass(tmp_path: Path) -> None:
    reading = Reading(sides={("hexsides", "river"): "river"})
    with pytest.raises(WrongPack, match="expected sides out of N, NE, SE, S, SW, NW; found E"):
        told(tmp_path, "hex,river\n0101,E\n", reading)
    with pytest.raises(UmpireError, match="has no column rail; expected hex, river"):
        told(tmp_path, "hex,river\n0101,N\n", Reading(sides={("lines", "rail"): "rail"}))


def test_where_files_differ_nothing_is_taken(tmp_path: Path) -> None:
    texts = (
        "hex,terrain\n0101,woods\n0102,clear\n",
        "hex,terrain\n0101,clear\n0102,clear\n",
        "a,b,hexsides\n0101,0102,none\n0102,0103,river\n",
        "kind,path\nriver,0101/0102 0102/0103\n",
    )
    tables = []
    for number, text in enumerate(texts):
        file = tmp_path / f"{number}.csv"
        file.write_text(text)
        tables.append(read_table(file, BARE, Reading()))
    found, differ = united(tables)
    assert {key[:2]: t.value for key, t in found.items() if key.layer == "terrain"} == {
        ("0102", "terrain"): "clear"
    }
    assert {key.cell for key in found if key.layer == "hexsides"} == {"0102/0103"}
    assert differ == [
        "0101 terrain: woods (0.csv line 2), clear (1.csv line 2)",
        "0101/0102 hexsides: river (3.csv line 2), none (2.csv line 2)",
    ]
