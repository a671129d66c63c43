"""Tables of others read as facts: how columns and names are translated, and what is refused."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from small_board import BARE
from vassal_umpire.importers.pack.imported_table import Reading
from vassal_umpire.importers.pack.imported_tables import TableRead, read_table, united
from vassal_umpire.model.problem import UmpireError, WrongPack

PLAIN = Reading()


def told(tmp_path: Path, text: str, reading: Reading = PLAIN) -> dict[str, str]:
    """The facts in a file, as ``cell layer name`` and value; that there are no features left out."""
    return plain(read(tmp_path, text, reading))


def read(tmp_path: Path, text: str, reading: Reading = PLAIN) -> TableRead:
    file = tmp_path / "table.csv"
    file.write_text(text, encoding="utf-8")
    return read_table(file, BARE, reading)


def plain(table: TableRead) -> dict[str, str]:
    return {
        " ".join(part for part in key if part): taken.value
        for key, taken in table.facts.items()
        if (key.layer, taken.value) != ("features", "none")
    }


def test_our_own_spreadsheets_are_read(tmp_path: Path) -> None:
    assert told(
        tmp_path, "hex,terrain,level,features\n0101-0102,woods/town,+1,fort\n0103,?,,\n"
    ) == {
        "0101 terrain": "woods+town", "0101 level": "1", "0101 features fort": "yes",
        "0101 features": "fort", "0102 terrain": "woods+town", "0102 level": "1",
        "0102 features fort": "yes", "0102 features": "fort",
    }  # fmt: skip
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
    assert len([key for key in got if "rail" in key]) == 2  # north of 0201 is not a hex


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
        "0101 features exit": "yes",
        "0101 features": "exit",
        "0102 terrain": "clear",
        "0101/0102 hexsides river": "yes",
        "0101/0102 hexsides": "river",
        "0101/0102 lines trail": "yes",
    }


def test_kinds_that_a_terrain_json_tells_as_text(tmp_path: Path) -> None:
    """As of the boards of several of its games: the water of a side is a river or a stream, decimals stand in
    it, a hex says of itself that it has a road, and hexes of the table's edge are none of the module's."""
    told = {
        "hexes": {
            "0101": {"t": "mixed", "road": True, "share": 0.93},
            "0102": "town",
            "0103": {"t": "clear", "name": "Ease"},
            "9901": {"t": "clear"},
        },
        "sides": {
            "0102|0101": {"water": "river", "bridge": True, "bridge_type": "rail"},
            "0102|0103": {"water": "stream", "road": "trail"},
            "0103|9901": {"road": True},
            "0101|0103": {"road": True},
        },
    }
    table = read(tmp_path, json.dumps(told), Reading(across=frozenset({"road"})))
    assert plain(table) == {
        "0101 terrain": "mixed",
        "0102 terrain": "town",
        "0103 terrain": "clear",
        "0101/0102 hexsides river": "yes",
        "0101/0102 hexsides bridge": "yes",
        "0102/0103 hexsides stream": "yes",
        "0102/0103 lines trail": "yes",
    }
    assert table.left_out == (
        "table.csv: road in a hex, which says nothing of its sides: 0101",
        "table.csv: share of hexes: 0101",
        "table.csv: name of hexes: 0103",
        "table.csv: no hex of this board: 9901",
        "table.csv: sides of hexes that are not next to each other on the module's map; where they are many, "
        "the table numbers the hexes otherwise: 0101|0103",
        "table.csv: bridge_type of sides: 0101/0102",
    )


def test_a_table_with_sides_that_are_none_does_not_tell_all_there_is(tmp_path: Path) -> None:
    told = {
        "hexes": {"0101": {"t": "clear"}},
        "sides": {"0101|0103": {"creek": True}, "0101|0102": {"creek": True}},
    }
    text = json.dumps(told)
    assert "0101/0102 hexsides creek" in plain(read(tmp_path, text))
    with pytest.raises(WrongPack):
        read(tmp_path, text, Reading(whole=frozenset({"hexsides"})))


def test_a_side_that_only_one_of_its_hexes_lists_is_left_out(tmp_path: Path) -> None:
    """The table lists each side at both hexes, but for one: there it contradicts itself."""
    reading = Reading(sides={("hexsides", "river"): "river"}, whole=frozenset({"hexsides"}))
    text = "hex,river\n0101,S\n0102,N S\n0103,N\n0201,S\n0202,\n"
    table = read(tmp_path, text, reading)
    got = plain(table)
    assert got["0101/0102 hexsides"] == "river"
    assert not [key for key in got if key.startswith("0201/0202")]
    assert table.left_out == (
        "table.csv: listed at one of their two hexes only: river at 0201, not at 0202",
    )
    once = plain(read(tmp_path, "hex,river\n0101,S\n0102,S\n0103,\n", reading))
    assert once["0101/0102 hexsides river"] == once["0102/0103 hexsides river"] == "yes"


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("hex,terrain\n0909,woods\n", "table.csv line 2: expected a hex of the board; found 0909"),
        ("hex,level\n0101,high\n",
         "table.csv line 2: expected a whole number for the level; found high"),
        ("hex,terrain\n0101,a\n0101,b\n", "table.csv line 3: expected a, as table.csv line 2 says"),
        ("a,b,hexsides\n0101,0404,x\n",
         "line 2: expected hexes next to each other; found 0101 and"),
        ("side,hexsides\n0101,x\n", "expected a hexside such as 0304/0305; found 0101"),
        ("kind,path\nroad,0101 0404\n", "line 2: expected hexes next to each other"),
        ("kind,path\nroad,\n", "line 2: expected something in the column path"),
        ("x,y\n1,2\n", "has no column that names hexes"),
        ("hex,note\n0101,woods\n", "says nothing about the board"),
        ("[1, 2]", "is not a table of terrain"),
        ('{"hexes": {"0101": 3}}', "table.csv hexes 0101: expected the key t with its terrain"),
        ('{"hexes": {"0909": {"t": "woods"}}}', "expected hexes of the board; found 0909"),
        ('{"hexes": {}, "sides": {"0101|0404": {"x": true}}}',
         "sides: expected no sides of hexes that are not next to each other"),
        ('{"hexes": ', "is not JSON"),
        ("\x00", "is not a CSV text"),
    ],
)  # fmt: skip
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
        tables.append(read_table(file, BARE, Reading()).facts)
    found, differ = united(tables)
    assert {key[:2]: t.value for key, t in found.items() if key.layer == "terrain"} == {
        ("0102", "terrain"): "clear"
    }
    assert {key.cell for key in found if key.layer == "hexsides"} == {"0102/0103"}
    assert differ == [
        "0101 terrain: woods (0.csv line 2), clear (1.csv line 2)",
        "0101/0102 hexsides: river (3.csv line 2), none (2.csv line 2)",
    ]
