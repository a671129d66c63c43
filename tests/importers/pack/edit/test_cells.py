"""Edits of hexes.csv and lines.csv: after any of them the pack says just that, and all else as before."""

from __future__ import annotations

from itertools import pairwise
from typing import Literal

import pytest
from hypothesis import given
from hypothesis import strategies as st
from small_board import BARE, NAMES, SIDES, board, of_hex, of_side
from tiers import examples
from vassal_umpire.importers.pack.edit.hexes import OF_HEX, HexTable
from vassal_umpire.importers.pack.edit.lines import LineTable, Step, trails
from vassal_umpire.importers.pack.edit.table import EditRefused
from vassal_umpire.model.board import NONE, Board, Edge, edge
from vassal_umpire.model.provenance import Key
from vassal_umpire.model.vouching import values_of

WHICH = st.one_of(
    st.sampled_from(["*", "01*", "0101-0103", "0202-0204", "0101 0304", "0102,0103", "?2*"]),
    st.sampled_from(NAMES),
)
VALUES = {
    "terrain": st.sampled_from(["", "clear", "woods", "woods+town", "town/woods", "?"]),
    "level": st.sampled_from(["", "0", "2", "+1", "-1", "?", "none"]),
    "features": st.sampled_from(["", "fort", "fort+port", "?", "none"]),
    "told": st.sampled_from(["", "hexsides", "lines", "hexsides+lines", "lines hexsides"]),
    "note": st.sampled_from(["", "seen; twice", 'a "big" hill', "two\nlines"]),
}
REMARKS = st.sampled_from(["", "# a remark", "#0101,woods,,", "SIGNS", '"# quoted, too"'])


@st.composite
def spreadsheet(draw: st.DrawFn, rows: st.SearchStrategy[dict[str, str]]) -> bytes:
    """A file somebody might have: any separator, line end, encoding, order of columns, comments."""
    sign, end = draw(st.sampled_from(",;\t")), draw(st.sampled_from(["\n", "\r\n"]))
    held = draw(st.lists(rows, max_size=8))
    columns = list(dict.fromkeys(key for row in held for key in row))
    needed = [c for c in ("hex", "kind", "path") if c in columns]
    left_out = draw(st.sets(st.sampled_from(columns))) - set(needed) if columns else set()
    columns = draw(st.permutations([c for c in columns if c not in left_out]))
    sign = sign if len(columns) > 1 else ","

    def cell(text: str) -> str:
        text = text.replace("\n", end)
        quoted = draw(st.booleans()) or sign in text or '"' in text or "\n" in text
        return '"' + text.replace('"', '""') + '"' if quoted else text

    lines = [sign.join(columns)] if columns else []
    for row in held:
        if draw(st.booleans()):
            lines.append(draw(REMARKS).replace("SIGNS", 3 * sign))
        lines.append(sign.join(cell(row.get(c, "")) for c in columns))
    text = end.join(lines) + (end if draw(st.booleans()) else "")
    data = text.encode()
    return (b"\xef\xbb\xbf" if draw(st.booleans()) else b"") + data if columns else b""


HEX_ROWS = st.fixed_dictionaries({"hex": WHICH, **VALUES})
HEX_EDITS = st.tuples(st.sampled_from(NAMES), st.sampled_from(OF_HEX)).flatmap(
    lambda which: st.tuples(st.just(which[0]), st.just(which[1]), VALUES[which[1]])
)
COMPLETE = st.frozensets(st.sampled_from(["hexsides", "lines", "levels"]))


@given(spreadsheet(HEX_ROWS), HEX_EDITS, COMPLETE)
@examples(120)
def test_an_edit_of_a_hex_changes_this_hex_alone(
    data: bytes, edit: tuple[str, str, str], complete: frozenset[str]
) -> None:
    name, layer, now = edit
    before = board(data, complete=complete)
    table = HexTable(data, BARE)
    was = table.value(name, layer)
    table.set(name, layer, now)
    written = table.data()
    after = board(written, complete=complete)
    for other in NAMES:
        told, held = of_hex(after, other), of_hex(before, other)
        if other != name:
            assert told == held
            continue
        assert {k: v for k, v in told.items() if k != layer} == {
            k: v for k, v in held.items() if k != layer
        }
        wanted = of_hex(board(f"hex,{layer}\n{name},{now}\n".encode()), name)[layer]
        if now in ("", "none") and layer == "terrain":
            wanted = None
        assert told[layer] == wanted
    for side in SIDES:
        assert of_side(after, side) == of_side(before, side)
    back = HexTable(written, BARE)
    back.set(name, layer, was)
    assert of_hex(board(back.data(), complete=complete), name) == of_hex(before, name)


@given(
    spreadsheet(HEX_ROWS),
    st.sampled_from(NAMES),
    st.frozensets(st.sampled_from(["hexsides", "lines"])),
)
@examples(60)
def test_an_edit_of_told_changes_the_sides_of_this_hex_alone(
    data: bytes, name: str, now: frozenset[str]
) -> None:
    before = board(data)
    table = HexTable(data, BARE)
    try:
        table.set_told(name, now)
    except EditRefused:
        assert table.told(name) - now  # a row for several hexes tells them
        return
    assert table.told(name) == now
    again = HexTable(table.data(), BARE)
    assert again.told(name) == now
    after = board(table.data())
    for other in NAMES:
        assert of_hex(after, other) == of_hex(before, other)
        assert other == name or again.told(other) == HexTable(data, BARE).told(other)


LINE_PATHS = st.sampled_from(
    [
        "0101 0102 0103 0104", "0101-0102-0202-0203", "0201,0202,0203", "0301 > 0302 > 0303",
        "0101/0102", "0101/0102 0102/0103 0202/0203", "0301/0302, 0302/0303", "0401 0402",
    ]
)  # fmt: skip
LINE_ROWS = st.fixed_dictionaries(
    {
        "kind": st.sampled_from(["road", "river", "rail"]),
        "path": LINE_PATHS,
        "name": st.sampled_from(["", "King's Road"]),
        "junctions": st.sampled_from(["", "no"]),
        "there": st.sampled_from(["", "", "yes", "?"]),
        "note": VALUES["note"],
    }
)
STEPS = st.builds(
    Step,
    st.sampled_from(["hexsides", "lines"]),
    st.sampled_from(["road", "river", "canal"]),
    st.sampled_from(SIDES),
)


def said(made: Board, step: Step) -> str:
    """What a board says of a hexside: yes, no, or ?."""
    told = of_side(made, step.side)
    if step.layer == "hexsides":
        there, may = step.kind in made.sides.get(step.side, ()), told["maybe on"]
    else:
        kinds = {line.kind for line in made.lines_by_edge.get(step.side, ())}
        there, may = step.kind in kinds, told["maybe across"]
    assert may is None or isinstance(may, frozenset)
    return "yes" if there else "?" if may is None or step.kind in may else "no"


@given(
    spreadsheet(LINE_ROWS),
    st.lists(st.tuples(STEPS, st.sampled_from(["yes", "?", ""])), min_size=1, max_size=6),
    COMPLETE,
)
@examples(150)
def test_edits_of_hexsides_change_these_alone(
    data: bytes, edits: list[tuple[Step, str]], complete: frozenset[str]
) -> None:
    before = board(lines=data, complete=complete)
    table = LineTable(data, BARE)
    wanted: dict[Step, str] = {}
    was = {step: table.value(step) for step, _ in edits}
    for step, now in edits:
        table.set(step, now)  # type: ignore[arg-type]
        wanted[step] = now
    written = table.data()
    after = board(lines=written, complete=complete)
    for step, now in wanted.items():
        unsaid = "no" if step.layer in complete else "?"
        assert said(after, step) == (now or unsaid), step
        assert LineTable(written, BARE).value(step) == now
    for side in SIDES:
        about = [s for s in wanted if s.side == side]
        told, held = of_side(after, side), of_side(before, side)
        touched = {s.layer for s in about}
        for layer, keys in (
            ("hexsides", ("sides", "maybe on")),
            ("lines", ("lines", "maybe across")),
        ):
            if layer not in touched:
                assert [told[k] for k in keys] == [held[k] for k in keys], (side, layer)
                continue
            kinds = {s.kind for s in about if s.layer == layer}
            for kind in ("road", "river", "rail"):
                step = Step(layer, kind, side)  # type: ignore[arg-type]
                if kind not in kinds:
                    assert said(after, step) == said(before, step)
    back = LineTable(written, BARE)
    for step, value in was.items():
        back.set(step, value)
    again = board(lines=back.data(), complete=complete)
    for side in SIDES:
        for layer in ("hexsides", "lines"):
            for kind in ("road", "river", "rail", "canal"):
                step = Step(layer, kind, side)  # type: ignore[arg-type]
                assert said(again, step) == said(before, step)


@given(st.sets(st.sampled_from(SIDES)))
def test_trails_lead_over_each_hexside_once(sides: set[Edge]) -> None:
    found = trails(sides)
    steps = [edge(a, b) for run in found for a, b in pairwise(run)]
    assert sorted(steps) == sorted(sides)
    assert trails(sorted(sides, reverse=True)) == found


def edited(data: str, *edits: tuple[str, str, str]) -> str:
    table = HexTable(data.encode(), BARE)
    for name, layer, now in edits:
        table.set(name, layer, now)  # type: ignore[arg-type]
    return table.data().decode()


def test_a_row_of_its_own_goes_below_rows_for_several_in_order() -> None:
    text = (
        "hex;terrain;Wer;note\r\n*;clear;;\r\n# woods\r\n0103;woods;ida;by eye\r\n# done so far\r\n"
    )
    assert edited(text, ("0104", "terrain", "town"), ("0102", "terrain", "woods")) == (
        "hex;terrain;Wer;note\r\n*;clear;;\r\n0102;woods;;\r\n# woods\r\n0103;woods;ida;by eye\r\n"
        "0104;town;;\r\n# done so far\r\n"
    )


def test_what_is_edited_back_is_the_text_it_was() -> None:
    text = "hex,terrain,level\n*,clear,0\n0103,woods,1\n"
    for name, layer, now in (
        ("0102", "terrain", "woods"),
        ("0103", "terrain", "town"),
        ("0103", "level", "3"),
    ):
        table = HexTable(text.encode(), BARE)
        was = table.value(name, layer)  # type: ignore[arg-type]
        assert edited(edited(text, (name, layer, now)), (name, layer, was)) == text


def test_what_a_wildcard_says_is_taken_back_by_a_question_mark() -> None:
    assert edited("hex,terrain\n01*,clear\n", ("0102", "terrain", "")).splitlines()[-1] == "0102,?"
    assert (
        edited("hex,features\n01*,fort\n", ("0102", "features", "")).splitlines()[-1] == "0102,none"
    )


def test_windows_text_stays_windows_text_until_it_cannot_hold_a_name() -> None:
    old = "hex,terrain,note\n0101,Gehölz,\x80ß\n".encode("latin-1").replace(b"\x80", b"\x81")
    table = HexTable(old, BARE)
    table.set("0102", "terrain", "Häuser")
    assert table.data() == old + "0102,Häuser,\n".encode("cp1252")
    table.set("0103", "terrain", "śnieg")
    assert table.data().startswith(b"\xef\xbb\xbfhex,terrain,note\n0101,Geh\xc3\xb6lz,")
    last = HexTable("hex,terrain\n0101,Gehölz\n".encode("cp1252"), BARE)
    last.set("0101", "terrain", "wood")
    assert last.data() == b"hex,terrain\n0101,wood\n"


KINGS = "kind,path,name\nroad,0101-0102-0103-0104,King's Road\nrail,0201 0202,\n"
SHORT = "kind,path,name\nroad,0101 0102,\nrail,0201 0202,\n"
NAMED = "kind,path,name\nroad,0101 0102,King's Road\n"
EASE = "kind,path,name\nriver,0101/0102 0102/0103,Ease\n"


@pytest.mark.parametrize(
    ("text", "kind", "now", "sides", "rows"),
    [
        (KINGS, "road", "", ["0102/0103"], ["road,0101-0102,King's Road", "road,0103-0104,King's Road"]),
        (KINGS, "road", "", ["0104/0103"], ["road,0101-0102-0103,King's Road"]),
        (SHORT, "road", "yes", ["0103/0104", "0102/0103", "0301/0302", "0302/0303"],
         ["road,0101 0102 0103 0104,", "road,0301 0302 0303,"]),
        (NAMED, "road", "yes", ["0102/0103"], ["road,0101 0102,King's Road", "road,0102 0103,"]),
        (EASE, "river", "", ["0101/0102"], ["river,0102/0103,Ease"]),
    ],
    ids=["parted", "shortened", "gone on, and a new one", "a name is not gone on", "off a list"],
)  # fmt: skip
def test_a_chain_is_changed_only_where_it_must_be(
    text: str, kind: str, now: Literal["yes", ""], sides: list[str], rows: list[str]
) -> None:
    table = LineTable(text.encode(), BARE)
    for side in sides:
        a, b = side.split("/")
        table.set(Step("hexsides" if kind == "river" else "lines", kind, edge(a, b)), now)
    head, _, *rest = text.splitlines()
    assert table.data().decode().splitlines() == [head, *rows, *rest]


def test_what_cannot_be_said_is_refused() -> None:
    for cell, bad in (("0101", "woods+?"), ("0101", "none+fort"), ("9999", "fort")):
        with pytest.raises(EditRefused):
            HexTable(b"", BARE).set(cell, "features", bad)
    with pytest.raises(EditRefused):
        LineTable(b"", BARE).set(Step("lines", "road", ("0101", "0404")), "yes")


def test_a_record_that_nothing_else_is_there_is_void_where_a_row_says_it_may_be() -> None:
    open_side = board(
        lines=b"kind,path,there\nriver,0101/0102,?\n", complete=frozenset({"hexsides"})
    )
    open_hex = board(b"hex,terrain,features\n0101,clear,?\n")
    assert Key("0101/0102", "hexsides") not in values_of(open_side)
    assert Key("0101", "features") not in values_of(open_hex)
    assert values_of(open_side)[Key("0102/0103", "hexsides")] == "none"


def test_later_rows_of_lines_count() -> None:
    rows = b"kind,path,there\nriver,0101/0102,\nriver,0101/0102,?\nroad,0101 0102 0103,\nroad,0102 0103,?\n"
    made = board(lines=rows, complete=frozenset({"hexsides", "lines"}))
    assert said(made, Step("hexsides", "river", ("0101", "0102"))) == "?"
    assert said(made, Step("lines", "road", ("0101", "0102"))) == "yes"
    assert said(made, Step("lines", "road", ("0102", "0103"))) == "?"
    assert said(made, Step("lines", "rail", ("0102", "0103"))) == "no"
    back = board(lines=rows + b"river,0101/0102,yes\n", complete=frozenset({"hexsides"}))
    assert said(back, Step("hexsides", "river", ("0101", "0102"))) == "yes"


def test_levels_and_features_can_be_taken_back() -> None:
    made = board(b"hex,terrain,level,features\n*,clear,1,fort\n0101,,none,none\n0102,,?,?\n")
    assert of_hex(made, "0101") == {"terrain": {"clear"}, "level": None, "features": (NONE, NONE)}
    assert of_hex(made, "0102") == {"terrain": {"clear"}, "level": "?", "features": (NONE, None)}
    assert made.has("0102", ["fort"]) is None
