"""Edits of units.csv, provenance.csv, pack.toml and facts.toml."""

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


@pytest.mark.parametrize("row", [{}, {"name": ""}, {"colour": "red"}])
def test_a_row_is_named_by_what_pieces_are_known_by(row: dict[str, str]) -> None:
    with pytest.raises(EditRefused):
        UnitTable(b"").set(row, "ma", "4")


def test_two_rows_about_one_counter_that_differ_are_not_written_to() -> None:
    with pytest.raises(EditRefused, match="several rows"):
        UnitTable(b"name,ma\n1,4\n1,5\n").set({"name": "1"}, "ma", "6")


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
