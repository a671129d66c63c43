"""Packs and facts: read whole, and every fault one line that names file, line or key."""

from __future__ import annotations

import json
import re
import tomllib
from collections.abc import Callable
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
from vassal_umpire.importers.analysis.document import FORMAT, OLDEST, parse_document
from vassal_umpire.importers.analysis.game_json import game_of
from vassal_umpire.importers.pack.facts import LAST_STEP, Span
from vassal_umpire.importers.pack.facts_file import load_facts
from vassal_umpire.importers.pack.load import load_pack
from vassal_umpire.importers.pack.pack import Pack
from vassal_umpire.importers.pack.spreadsheet import read_sheet
from vassal_umpire.model.fact import Fact
from vassal_umpire.model.game import Displacement, Place, StepRef
from vassal_umpire.model.problem import Unreadable, WrongPack
from vassal_umpire.model.schemas import faults

Maker = Callable[..., Pack]
DRILL = Path(__file__).parent / "drill"


def faults_of(pack: Callable[..., Pack], more: str, **files: str) -> list[str]:
    with pytest.raises(WrongPack) as caught:
        pack(more, **files)
    assert "\n" not in str(caught.value)
    return [str(p) for p in caught.value.problems]


def test_the_drill_pack_loads() -> None:
    pack = load_pack(DRILL)
    assert (pack.name, pack.ruleset, pack.sheets[0].map) == ("drill", "generic", "Main Map")
    assert pack.phases["Movement"].complete
    assert pack.units.attributes["ma"][0].number
    assert pack.phase_sources[0].certain
    assert [look.kind for look in pack.units.attributes["dug_in"]] == ["marker", "value"]
    assert load_pack(DRILL / "pack.toml") == pack


def test_the_digest_covers_the_spreadsheets(small_pack: Maker) -> None:
    digests = {small_pack(units=f"name,ma\nx,{ma}\n").sha256 for ma in "34"}
    assert len(digests) == 2


def test_decimals_are_exact_in_tables(small_pack: Maker) -> None:
    pack = small_pack("[rules]\na = 0.1\nb = 2.0\nc = 1_0.5\n")
    assert pack.tables == {"a": "1/10", "b": 2, "c": "21/2"}


@pytest.mark.parametrize(
    ("more", "line", "text"),
    [
        ("[fits]\nmodule = ['x']\n", 9, "did you mean modules?"),
        ("[[phase]]\nname = 'a'\n[[phase]]\nname = 'b'\nmovers = 'all'\n", 12, '"active"'),
        ("[[phase]]\nname = 'a'\nforms = ['march']\n", 10, "found march"),
        ("[units.attributes]\nma = {}\n", 9, "one of property"),
        ("[units.attributes]\nma = {property = 'a', name = 'b'}\n", 9, "property and name"),
        ("[units.attributes]\nma = [\n {column = 'ma'},\n]\n", 9, "column of units.csv"),
        ("[units.attributes]\nma = {name = '('}\n", 9, "a pattern"),
        ("[units.attributes]\nma = {property = 'a', where = 'above'}\n", 9, "only beside marker"),
        ("[[units.are]]\nvalues = ['a']\n", 9, "values beside property or column"),
        ("[[phases.from]]\nchat = 'turn'\n", 9, "groups"),
        ("[[phases.from]]\nchat = '(?P<turn>.)'\nglobal = 'g'\n", 8, "global"),
        ("[[spent]]\nchat = 'x'\n", 9, "amount"),
        ("[[box]]\nname = 'x'\n", 8, "the key map"),
        ("[[relation]]\nsides = ['A', 'B']\nare = '?'\n", 10, '"friends", "enemies", '),
        ("[[relation]]\nsides = ['A', 'B']\n[[relation]]\nsides = ['B', 'A']\nare = 'enemies'\n",
         10, "found enemies"),
    ],
)  # fmt: skip
def test_each_fault_of_pack_toml_names_its_line(
    small_pack: Maker, more: str, line: int, text: str
) -> None:
    lines = faults_of(small_pack, more)
    assert any(f"pack.toml line {line}: " in one and text in one for one in lines), lines


@pytest.mark.parametrize("cell", ["many", "nan", "-inf", "1e9", "8..6", "6..", "6|x"])
def test_a_cell_that_is_to_be_a_number_and_is_none_is_an_error(
    small_pack: Maker, cell: str
) -> None:
    more = "[units.attributes]\nma = {column = 'MA', number = true}\n"
    rows = f"name,ma\na,6..8\nb,{cell}\nc,?\nd,\n"
    expected = f"expected a number, 6|8, 6..8, ? or nothing (ma); found {cell}"
    assert faults_of(small_pack, more, units=rows) == [f"units.csv line 3: ma: {expected}"]


def test_a_cell_that_another_lookup_reads_is_no_error(small_pack: Maker) -> None:
    more = (
        "[units.attributes]\n"
        "ma = [{column = 'ma', map = {'-' = 0}}, {column = 'ma', number = true}]\n"
    )
    pack = small_pack(more, units="name,ma\na,-\nb,3\n")
    assert len(pack.units.attributes["ma"]) == 2


def test_all_faults_are_told_at_once(small_pack: Maker) -> None:
    more = "x = 1\n[fits]\ny = 2\n"
    lines = faults_of(small_pack, more, hexes="hex,terain\n", units="who,ma\n")
    assert len(lines) == 4
    assert any("hexes.csv line 1" in one and "terain" in one for one in lines)
    assert any("units.csv line 1" in one for one in lines)


@pytest.mark.parametrize("text", ["[pack\n", "a = 'x\n", "a = 1\na = 2\n", "a = " + "[" * 5000])
def test_what_is_no_toml_is_one_line(tmp_path: Path, text: str) -> None:
    (tmp_path / "pack.toml").write_text(text)
    (line,) = faults_of(lambda _: load_pack(tmp_path), "")
    assert line.startswith("pack.toml")


def test_a_folder_without_pack_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    for folder in (tmp_path, Path()):
        with pytest.raises(Unreadable, match=rf"{tmp_path.name}: .*pack\.toml"):
            load_pack(folder)


def test_a_huge_pack_is_refused(tmp_path: Path) -> None:
    (tmp_path / "pack.toml").write_bytes(b"#" * (17 * 1024 * 1024))
    with pytest.raises(Unreadable, match="too large"):
        load_pack(tmp_path)


# -- spreadsheets ----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "data",
    [
        b"hex,terrain\n0101,W\xc3\xa4ld\n",
        b"\xef\xbb\xbfhex;terrain\r\n0101;W\xc3\xa4ld\r\n",
        b"hex\tterrain\n0101\tW\xc3\xa4ld\n",
        b'hex,terrain,note\n# by hand\n\n"0101","W\xc3\xa4ld","a, b"\n',
        b"hex;terrain\n0101;W\xe4ld\n",  # Excel of the west
    ],
)
def test_spreadsheets_come_in_many_ways(data: bytes) -> None:
    sheet, problems = read_sheet(Path("h.csv"), required=("hex",), data=data)
    assert problems == ()
    assert [dict(row.cells) for row in sheet.rows] == [{"hex": "0101", "terrain": "Wäld"}]


def test_rows_know_their_line_and_cells_without_a_column_are_told() -> None:
    data = b'hex,note\n\n"0101","two\nlines"\n0102,\n0103,clear,woods\n'
    sheet, problems = read_sheet(Path("h.csv"), data=data)
    assert [row.line for row in sheet.rows][:2] == [3, 5]
    assert [str(p) for p in problems] == [
        "h.csv line 6: expected 2 cells as in the first row; found 3"
    ]


@pytest.mark.parametrize("data", [b"PK\x03\x04\x00\x00", "hex\n".encode("utf-16")])
def test_a_workbook_is_no_csv(data: bytes) -> None:
    with pytest.raises(Unreadable, match="save the spreadsheet as CSV"):
        read_sheet(Path("h.csv"), data=data)


# -- facts -----------------------------------------------------------------------------------------


def facts_of(folder: Path, text: str) -> Path:
    (folder / "facts.toml").write_text(text, encoding="utf-8")
    return folder / "facts.toml"


def test_facts_know_their_steps_and_lines(tmp_path: Path) -> None:
    facts = load_facts(
        facts_of(
            tmp_path,
            '[[phase]]\nlog = 1\nsteps = "1-34"\nphase = "Movement"\nactive = "Red"\nturn = 3\n'
            '[[phase]]\nlog = 1\nsteps = "35-"\nphase = "Combat"\n'
            '[[condition]]\nkey = "weather"\nvalue = {one_of = ["mud", "snow"]}\nfirst = "1:5"\n'
            '[[unit]]\nunit = "7"\nattributes = {ma = "7/2", class = "foot", size = {from = 1, to = 2}}\n'
            '[[displacement]]\nform = "retreat"\nunit = "7"\nlog = 2\nsteps = "9"\n',
        )
    )
    one, two = facts.phases
    assert (one.span, one.turn, one.source) == (
        Span(StepRef(1, 1), StepRef(1, 34)), "3", "facts.toml line 1",
    )  # fmt: skip
    assert two.span == Span(StepRef(1, 35), StepRef(1, LAST_STEP))
    weather, form = facts.conditions
    assert weather.fact.options == ("mud", "snow")
    assert weather.span == Span(StepRef(1, 5), None)
    assert (form.key, form.fact.value, form.span.first) == ("form", "retreat", StepRef(2, 9))
    assert facts.units[0].attributes["ma"] == Fact((Fraction(7, 2),), source="facts.toml line 17")
    assert facts.units[0].attributes["size"].high == 2
    assert facts.units[0].span.whole


@pytest.mark.parametrize(
    ("text", "line", "what"),
    [
        ('[[phase]]\nlog = 0\nphase = "x"\n', 2, "the first being 1"),
        ('[[phase]]\nsteps = "1-2"\nphase = "x"\n', 1, "the key log beside steps"),
        ('[[phase]]\nlog = 1\nsteps = "5-2"\nphase = "x"\n', 1, "ends after it begins"),
        ('[facts]\nlogs = ["a.vlog", "b.vlog", "a.vlog"]\n', 2, "found a.vlog twice"),
        ('[facts]\nlogs = ["a.vlog"]\n[[phase]]\nlog = 2\nphase = "x"\n', 3, "found log 2"),
        ('[facts]\nlogs = ["a.vlog"]\n[[phase]]\nlast = "0:3"\nphase = "x"\n', 3, "found log 0"),
        ('[[phase]]\nlog = 1\ncombat = "?"\n', 3, 'expected one of "yes", "no", true'),
        ('[[phase]]\nlog = 1\ncombat = false\n', 1, "the key phase"),
        ('[[phase]]\nlog = 1\ncombat = "no"\n', 1, "the key phase"),
        ('[[condition]]\nkey = "k"\nvalue = "?"\n', 3, "question mark"),
        ('[[unit]]\nunit = "7"\nside = "Red"\nlog = 1\n', 3, "whole game"),
        ('[[hex]]\nhex = "0101"\nterrain = "woods"\n', 3, "a list of texts"),
        ('[[unit]]\nunit = "7"\n[unit.attributes]\nma = {from = 3, to = 1}\n', 4,
         "no lower than it begins; found 3 to 1"),
        ('[[condition]]\nkey = "k"\nvalue = {from = 3, to = 1}\n', 3, "found 3 to 1"),
    ],
)  # fmt: skip
def test_each_fault_of_the_facts_names_its_line(
    tmp_path: Path, text: str, line: int, what: str
) -> None:
    with pytest.raises(WrongPack) as caught:
        load_facts(facts_of(tmp_path, text))
    lines = [str(p) for p in caught.value.problems]
    assert any(f"facts.toml line {line}: " in one and what in one for one in lines), lines


# -- The examples of the pages on packs and of docs/analysis-format.md are what they say they are ---

LEAST: dict[str, Any] = {
    "pack": {"name": "x", "version": "1", "ruleset": "generic"},
    "board": {"sheet": [{"map": "Main"}]},
}


def blocks(page: Path) -> list[str]:
    """The indented blocks of a page."""
    found = re.findall(r"(?:^    .*\n|^\n(?=    ))+", page.read_text("utf-8"), re.MULTILINE)
    return ["\n".join(line[4:] for line in block.splitlines()) for block in found]


def test_every_toml_example_fits_its_schema(project: Path) -> None:
    pages = ("packs", "pack-board", "pack-fill", "pack-units", "facts")
    found = [b for page in pages for b in blocks(project / "docs" / f"{page}.md")]
    examples = [b for b in found if b.strip().startswith("[")]
    assert len(examples) >= 15
    for example in examples:
        values = tomllib.loads(example)
        facts = "condition" in values
        whole = values if facts else {**LEAST, **values}
        assert faults("facts" if facts else "pack", whole) == (), example


def test_the_game_of_the_page_can_be_read(project: Path) -> None:
    text = next(
        b
        for b in blocks(project / "docs" / "analysis-format.md")
        if '"game": {' in b and "Three" in b
    )
    plain = {"format": FORMAT, "version": OLDEST, **json.loads("{" + text + "}")}
    game = game_of(parse_document(json.dumps(plain).encode(), "page")["game"])
    (event,) = game.events
    assert isinstance(event, Displacement)
    assert event.target == Place("hex", "0102")
    assert game.board.neighbours("0101") == ("0102",)
