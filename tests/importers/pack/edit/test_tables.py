"""One cell of a spreadsheet is written, one entry of a TOML file: the rest stays as a person wrote it."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tiers import examples
from vassal_umpire.importers.pack.edit.records import RecordTable
from vassal_umpire.importers.pack.edit.table import EditRefused
from vassal_umpire.importers.pack.edit.toml import (
    plain,
    same,
    value_at,
    values_of,
    with_stanza,
    with_value,
)
from vassal_umpire.importers.pack.edit.units import UnitTable
from vassal_umpire.model.problem import UmpireError
from vassal_umpire.model.provenance import Key, Method, Record
from vassal_umpire.model.stanza import stanza

UNITS = 'name;ma;klass\n# the foot\n1 Inf;4;foot\n* HQ;6;\n2 Art;"4|6";foot\n'


def test_a_cell_of_a_counter_is_written_and_all_else_stays() -> None:
    table = UnitTable(UNITS.encode())
    table.set({"name": "2 Art"}, "ma", "5")
    table.set({"name": "* HQ"}, "Class", "motor")
    assert table.data().decode() == (
        'name;ma;klass;class\n# the foot\n1 Inf;4;foot\n* HQ;6;;motor\n2 Art;"5";foot\n'
    )
    table.set({"name": "* HQ"}, "class", "")
    assert table.value({"name": "* HQ"}, "class") == ""


def test_a_counter_without_a_row_gets_one() -> None:
    table = UnitTable(UNITS.encode())
    table.set({"name": "3 Inf", "image": "inf,3.png"}, "ma", "4")
    assert table.data().decode().splitlines()[-1] == "3 Inf;4;;inf,3.png"
    assert UnitTable(table.data()).value({"name": "3 Inf", "image": "inf,3.png"}, "ma") == "4"
    assert UnitTable(table.data()).value({"name": "3 Inf"}, "ma") == ""
    table.set({"name": "3 Inf", "image": "inf,3.png"}, "ma", "")
    table.drop({"name": "3 Inf", "image": "inf,3.png"})
    assert not UnitTable(table.data()).there({"name": "3 Inf", "image": "inf,3.png"})


TYPED = Record(
    Key("0403", "terrain"), "woods+town", "typed", ("Wren",), "2026-11-22", Method("person", "pen")
)
RECORDS = (
    "cell,layer,name,value,status,who,when,method,confidence,picture\n"
    "0402,terrain,,clear,suggested,colours,2026-11-22,program: colours 0.1,0.93,\n"
    "# by eye\n"
    "0403/0404,hexsides,river,yes,looked-at,Wren,2026-11-22,person: by eye,,\n"
)


def test_a_record_is_put_in_its_place_changed_and_taken_out() -> None:
    table = RecordTable(RECORDS.encode())
    table.set(TYPED.key, TYPED)
    held = table.get(Key("0402", "terrain"))
    assert held is not None
    assert held.confidence == Fraction(93, 100)
    seen = replace(held, status="looked-at", who=("Wren",), method=Method("person", "by eye"))
    table.set(held.key, replace(seen, confidence=None))
    lines = table.data().decode().splitlines()
    assert lines[1] == "0402,terrain,,clear,looked-at,Wren,2026-11-22,person: by eye,,"
    assert lines[2].startswith("0403,terrain,,woods+town,typed,Wren,")
    assert lines[3:] == RECORDS.splitlines()[2:]
    again = RecordTable(table.data())
    again.set(TYPED.key, None)
    again.set(held.key, held)
    assert again.data().decode() == RECORDS


def test_nobody_can_make_a_program_type() -> None:
    liar = replace(TYPED, method=Method("program", "colours"))
    with pytest.raises(EditRefused, match="person"):
        RecordTable(b"").set(liar.key, liar)


PACK = """\
# The pack.
[pack]
name = "p" # short
ruleset = "generic"

[board]
complete = [
    "lines", # all drawn
    "hexsides",
]

# The first phase.
[[phase]]
name = "Movement"   # theirs
forms = ["march"]

# The second.
[[phase]]
name = "Combat"

[rules.terrain.costs]
clear = 1
woods = { foot = 2, motor = "7/2" }
swamp = 2.5
# The end.
"""


def lines_changed(before: str, after: bytes) -> tuple[list[str], list[str]]:
    old, new = before.splitlines(), after.decode().splitlines()
    return [o for o in old if o not in new], [n for n in new if n and n not in old]


@pytest.mark.parametrize(
    ("path", "now", "gone", "new"),
    [
        (["pack", "name"], "q", ['name = "p" # short'], ['name = "q" # short']),
        (["pack", "version"], "1", [], ['version = "1"']),
        (["board", "complete"], ["lines", "hexsides", "levels"], [], ['    "levels",']),
        (["board", "complete"], ["lines"], ['    "hexsides",'], []),
        (["phase", 1, "name"], "Fight", ['name = "Combat"'], ['name = "Fight"']),
        (
            ["rules", "terrain", "costs", "woods", "foot"],
            3,
            ['woods = { foot = 2, motor = "7/2" }'],
            ['woods = { foot = 3, motor = "7/2" }'],
        ),
        (["rules", "terrain", "costs", "hill", "foot"], 2, [], ["hill = { foot = 2 }"]),
        (["rules", "terrain", "costs", "swamp"], None, ["swamp = 2.5"], []),
        (["rules", "roads", "road", "cost"], 0.5, [], ["[rules.roads.road]", "cost = 0.5"]),
        (["board", "provenance"], "required", [], ['provenance = "required"']),
    ],
)
def test_a_value_is_written_and_all_else_stays(
    path: list[str | int], now: Any, gone: list[str], new: list[str]
) -> None:
    for text in (PACK, PACK.replace("\n", "\r\n"), PACK.replace("\n\n", "\n")):
        written = with_value(text.encode(), path, now, "pack.toml")
        assert lines_changed(text, written) == (gone, new)
        assert written.count(b"\r\n") in (0, written.count(b"\n"))
        assert same(value_at(values_of(written, "pack.toml"), path), plain(now))


def test_a_number_is_no_text_and_true_no_number() -> None:
    assert not same([1], [True])
    assert same(plain({"a": 2.5}), {"a": "5/2"})


def test_a_table_of_a_list_is_added_changed_and_taken_out() -> None:
    fight = {"name": "Fight", "forms": ["retreat"]}
    added = with_stanza(PACK.encode(), "phase", None, fight, "pack.toml")
    assert lines_changed(PACK, added) == ([], ['name = "Fight"', 'forms = ["retreat"]'])
    assert with_stanza(added, "phase", fight, None, "pack.toml") == PACK.encode()
    first = {"name": "Movement", "forms": ["march"]}
    changed = with_stanza(PACK.encode(), "phase", first, {"name": "Moving"}, "pack.toml")
    assert lines_changed(PACK, changed) == (
        ['name = "Movement"   # theirs', 'forms = ["march"]'],
        ['name = "Moving"   # theirs'],
    )
    left = with_stanza(PACK.encode(), "phase", first, None, "pack.toml").decode()
    assert '# The second.\n[[phase]]\nname = "Combat"' in left
    assert "# The first phase." in left
    with pytest.raises(EditRefused, match="no such"):
        with_stanza(PACK.encode(), "phase", {"name": "Rest"}, None, "pack.toml")


def test_the_first_table_of_a_new_file() -> None:
    one = with_stanza(b"", "phase", None, {"log": 1, "steps": "1-4"}, "facts.toml")
    assert one == b'[[phase]]\nlog = 1\nsteps = "1-4"\n'
    two = with_stanza(one, "hex", None, {"hex": "0101", "terrain": ["woods"]}, "facts.toml")
    assert with_stanza(two, "hex", {"hex": "0101", "terrain": ["woods"]}, None, "facts.toml") == one


def test_an_entry_more_leaves_the_others_as_they_stand() -> None:
    """Though it, or two of them, say the same."""
    text = 'hex = [\n  {hex="1"}, # one\n  {hex="1"}, # again\n]\n'
    again = with_stanza(text.encode(), "hex", None, {"hex": "1"}, "facts.toml")
    assert lines_changed(text, again) == ([], ['  { hex = "1" },'])
    with pytest.raises(EditRefused, match=r"cannot change hex"):
        with_stanza(b"[hex]\na = 3\n", "hex", None, {"hex": "1"}, "facts.toml")


KEYS = st.sampled_from(["a", "b", "c d", "é", "name", "x.y"])
SCALARS = st.one_of(
    st.integers(-5, 5), st.booleans(), st.sampled_from(["", "x", 'a "quote"', "two\nlines", "7/2"])
)
VALUES = st.recursive(
    SCALARS,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(KEYS, inner, max_size=3),
    max_leaves=6,
)


@given(st.lists(st.tuples(st.lists(KEYS, min_size=1, max_size=3), VALUES | st.none()), max_size=5))
@examples(100)
def test_any_values_are_written_as_they_are_or_refused(
    edits: list[tuple[list[str], Any]],
) -> None:
    data = PACK.encode()
    for path, now in edits:
        before = values_of(data, "pack.toml")
        try:
            written = with_value(data, path, now, "pack.toml")
        except EditRefused:
            continue
        after = values_of(written, "pack.toml")
        held = value_at(after, path)
        assert same(held, plain(now))
        undone = with_value(written, path[:1], value_at(before, path[:1]), "pack.toml")
        assert same(values_of(undone, "pack.toml"), before)
        data = written


def test_values_that_python_takes_for_one_are_written_apart() -> None:
    assert [stanza("[pack]", {"a": one}) for one in (1, True, 1.0, [], {})] == [
        f"[pack]\na = {text}" for text in ("1", "true", "1.0", "[]", "{  }")
    ]


# -- Edits of spreadsheets that could spoil other cells: refused, and nothing else is touched ------


@pytest.mark.parametrize(
    ("file", "column", "value"),
    [
        pytest.param(b"ma,name\n6,Inf\n", "ma", "#x", id="the row would be a comment"),
        pytest.param(b"name,ma\nInf,6\n", "a;b;c;d", "1", id="the separator would be another"),
        pytest.param(b"name,ma\nInf,6\n", "a\nb", "1", id="a column's name on two lines"),
        pytest.param(b"name,ma\nInf,6\n", "a\0b", "1", id="a column's name with a zero byte"),
        pytest.param(b"name,ma\nInf,6\n", "ma", "a\0b", id="a zero byte"),
        pytest.param(b"name,ma\nInf,6\n", "ma", "\ud800", id="half a character"),
        pytest.param(b"name,ma\nInf,caf\xe9\n", "ma", "\ud800", id="half a character, cp1252"),
        pytest.param(b"name,ma\nInf,6,junk\n", "mb", "1", id="a cell that has no column"),
    ],
)
def test_what_would_spoil_a_spreadsheet_is_refused(file: bytes, column: str, value: str) -> None:
    table = UnitTable(file)
    with pytest.raises(EditRefused):
        table.set({"name": "Inf"}, column, value)
    assert table.data() == file


@pytest.mark.parametrize("row", [{}, {"name": ""}, {"colour": "red"}, {"name": "two"}])
def test_a_row_that_is_not_named_by_what_one_piece_is_known_by_is_refused(
    row: dict[str, str],
) -> None:
    with pytest.raises(EditRefused, match="several rows" if "two" in row.values() else None):
        UnitTable(b"name,ma\ntwo,4\ntwo,5\n").set(row, "ma", "6")


def test_nothing_is_written_behind_a_quote_that_is_open() -> None:
    with pytest.raises(UmpireError, match=r"units\.csv line 2: opens a quote"):
        UnitTable(b'name,ma\nInf,"6\n')


def test_bytes_that_stand_for_nothing_stay() -> None:
    table = UnitTable(b"name,ma\nInf,\x81\xe9\n")
    table.set({"name": "Inf"}, "mb", table.value({"name": "Inf"}, "ma"))
    assert table.data() == b"name,ma,mb\nInf,\x81\xe9,\x81\xe9\n"


def test_a_cell_with_quotes_and_separators_in_it_is_replaced_whole() -> None:
    table = UnitTable(b'name\tma\tmb\nInf\t"""\t"\t\nArt\t"5"\t\n')
    table.set({"name": "Inf"}, "ma", "6")
    assert table.data() == b'name\tma\tmb\nInf\t"6"\t\nArt\t"5"\t\n'


# -- One more entry in a list of a TOML file, and one less: the rest stays as a person wrote it ----

TEXT = b"""# by hand
[[units.are]]   # what is printed
property = "Class"

[units]
complete = ["units"] # all

[[phase]]
name = "Movement"

# the rules
[rules]
steps = [{ cost = 1 }]
"""


@pytest.mark.parametrize(
    ("path", "now", "block"),
    [
        (("units", "are", 1), {"column": "unit"}, '[[units.are]]\ncolumn = "unit"\n'),
        (("units", "not", 0), {"column": "unit"}, '[[units.not]]\ncolumn = "unit"\n'),
        (("phase", 1), {"name": "Combat"}, '[[phase]]\nname = "Combat"\n'),
        (("form", 0), {"name": "march"}, '[[form]]\nname = "march"\n'),
        (("rules", "steps", 1), {"cost": 2}, "steps = [{ cost = 1 }, { cost = 2 }]\n"),
        (("units", "complete", 1), "ma", 'complete = ["units", "ma"] # all\n'),
    ],
)
def test_an_entry_is_added_where_the_others_are(path: Any, now: Any, block: str) -> None:
    written = with_value(TEXT, path, now, "pack.toml")
    assert block in written.decode()
    for line in (b"# by hand", b"# what is printed", b"# all", b"# the rules", b'"Movement"'):
        assert line in written
    assert value_at(values_of(written, "pack.toml"), path) == now
    assert values_of(with_value(written, path, None, "pack.toml"), "pack.toml") == values_of(
        TEXT, "pack.toml"
    )


def test_the_last_table_of_a_list_takes_the_list_with_it() -> None:
    left = values_of(with_value(TEXT, ("units", "are", 0), None, "pack.toml"), "pack.toml")
    assert left["units"] == {"complete": ["units"]}


def test_no_entry_is_left_out() -> None:
    with pytest.raises(EditRefused, match="no place for phase"):
        with_value(TEXT, ("phase", 3), {"name": "Combat"}, "pack.toml")


def test_a_table_in_one_that_stands_in_parts_gets_a_header_of_its_own() -> None:
    """``[units]`` in parts, as a first pack has it: tomlkit adds no table to it."""
    before = b'[[units.are]]\ncolumn = "unit"\n\n[units]\nside = { property = "S" }\n\n[units.attributes]\n'
    path = ("units", "checked", "side 2026-11-29T18:17:01Z")
    after = with_value(before, path, {"typed": 6}, "pack.toml")
    assert after == before + b'\n[units.checked."side 2026-11-29T18:17:01Z"]\ntyped = 6\n'
    assert with_value(after, path, None, "pack.toml").strip() == before.strip()
