"""A pack that begins to ask for records knows just what it knew; painting goes on as before."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st
from small_board import BARE, NAMES, SIDES, board, of_hex, of_side
from tiers import examples
from vassal_umpire.importers.pack.edit.batch import make
from vassal_umpire.importers.pack.edit.draft import Draft
from vassal_umpire.importers.pack.edit.recording import Signed
from vassal_umpire.model.board import Board
from vassal_umpire.model.provenance import Key, Method, Record, by_key
from vassal_umpire.model.vouching import vouched

SIGNED = Signed("Wren", "2026-11-22", Method("person", "the studio's board"))
LAYERS = ("terrain", "hexsides", "lines", "levels")

HEX_ROWS = st.lists(
    st.tuples(
        st.sampled_from(["*", "01*", "0101", "0202", "0303", "0101-0103"]),
        st.sampled_from(["", "clear", "woods+town", "?"]),
        st.sampled_from(["", "1", "?", "none"]),
        st.sampled_from(["", "fort", "?", "none"]),
        st.sampled_from(["", "hexsides", "hexsides+lines"]),
    ),
    max_size=4,
)
LINE_ROWS = st.lists(
    st.tuples(
        st.sampled_from(["road", "river"]),
        st.sampled_from(["0101 0102 0103", "0101/0102 0102/0103", "0202 0203", "0202/0203"]),
        st.sampled_from(["", "?"]),
    ),
    max_size=4,
)


def known(draft: Draft, complete: frozenset[str]) -> Board:
    """The board as it is known by the files."""
    files = draft.files()
    drawn = board(files["hexes.csv"], files["lines.csv"], complete)
    required = draft.values("pack")["board"].get("provenance") == "required"
    return vouched(drawn, by_key(draft.records.all()), required=required)[0]


@given(HEX_ROWS, LINE_ROWS, st.frozensets(st.sampled_from(LAYERS)), st.sampled_from(NAMES))
@examples(150)
def test_records_change_nothing_of_what_is_known(
    hexes: list[tuple[str, ...]], lines: list[tuple[str, ...]], complete: frozenset[str], name: str
) -> None:
    rows = ["hex,terrain,level,features,told", *(",".join(row) for row in hexes)]
    steps = ["kind,path,there", *(",".join(row) for row in lines)]
    listed = ", ".join(f'"{layer}"' for layer in sorted(complete))
    draft = Draft(
        {
            "pack.toml": f"[board]\ncomplete = [{listed}]\n".encode(),
            "hexes.csv": "\n".join(rows).encode(),
            "lines.csv": "\n".join(steps).encode(),
        },
        BARE,
    )
    before = known(draft, complete)
    was = draft.hexes.value(name, "terrain")
    told = {"value": "marsh", "status": "suggested", "who": "colours", "when": "2026-11-22"}
    edits = [
        {"kind": "hex", "hex": name, "layer": "terrain", "was": was, "now": "marsh"},
        {"kind": "record", "cell": name, "layer": "terrain", "was": None,
         "now": {**told, "method": "program: colours"}},
    ]  # fmt: skip
    made, refused = make(draft, edits, SIGNED)
    assert [r for r in refused if "schema" not in r.why] == []
    after = known(draft, complete)
    for other in NAMES:
        told_now, told_then = of_hex(after, other), of_hex(before, other)
        if other == name:
            assert told_now.pop("terrain") is None
            told_then.pop("terrain")
        for layer in ("terrain", "features"):
            if before.hexes[other].terrain is not None and other != name:
                assert told_now[layer] == told_then[layer], (other, layer)
        assert after.level_of(other) == before.level_of(other)
    for side in SIDES:
        now, then = of_side(after, side), of_side(before, side)
        for key in ("maybe on", "maybe across"):
            if then[key]:  # one name that may be there: records can only say that anything may
                assert now.pop(key) in (None, then.pop(key))
        assert now == then
    assert made


@given(
    st.lists(
        st.tuples(
            st.sampled_from(SIDES),
            st.sampled_from(["river", "wall"]),
            st.sampled_from(["yes", "no"]),
        ),
        max_size=6,
    ),
    st.booleans(),
)
@examples(60)
def test_painting_says_the_same_with_and_without_records(
    strokes: list[tuple[tuple[str, str], str, str]], told: bool
) -> None:
    boards = []
    for required in ("", 'provenance = "required"\n'):
        text = f"[board]\ncomplete = []\n{required}"
        draft = Draft({"pack.toml": text.encode()}, BARE)
        edits: list[dict[str, object]] = []
        if told:
            edits += [
                {"kind": "told", "hex": n, "was": "", "now": "hexsides"} for n in ("0101", "0202")
            ]
        make(draft, edits, SIGNED)
        for side, name, now in strokes:
            cell = "/".join(side)
            was = "yes" if name in draft.lines.kinds("hexsides", side) else "no"
            edit = {"kind": "hexside", "side": cell, "name": name, "was": was, "now": now}
            assert make(draft, [edit], SIGNED)[1] == ()
        boards.append(known(draft, frozenset()))
    for side in SIDES:
        assert of_side(boards[0], side) == of_side(boards[1], side)


BY_PROGRAM = Signed(
    "reader", "2026-11-22", Method("program", "the studio's board"), status="suggested"
)


def first_suggestion(head: str, signed: Signed) -> dict[Key, Record]:
    """The records of a pack with one cell, 0101, after the first suggestion of another."""
    told = f"{head}[board]\n".encode()
    draft = Draft({"pack.toml": told, "hexes.csv": b"hex,terrain\n0101,clear\n"}, BARE)
    was = draft.hexes.value("0202", "terrain")
    edit = {"kind": "hex", "hex": "0202", "layer": "terrain", "was": was, "now": "marsh"}
    say = {"value": "marsh", "status": "suggested", "who": "colours", "when": "2026-11-22",
           "method": "program: colours"}  # fmt: skip
    record = {"kind": "record", "cell": "0202", "layer": "terrain", "was": None, "now": say}
    assert make(draft, [edit, record], signed)[1] == ()
    assert draft.values("pack")["board"]["provenance"] == "required"
    return by_key(draft.records.all())


def test_what_had_no_record_is_said_by_whoever_vouches_for_the_pack() -> None:
    for signed in (SIGNED, BY_PROGRAM):
        named = first_suggestion('[pack]\nvouched_by = "Ida"\n', signed)[Key("0101", "terrain")]
        assert (named.status, named.who, str(named.method)) == (
            "typed",
            ("Ida",),
            "person: vouches for the pack",
        )


def test_nobody_is_said_to_have_typed_what_a_program_found_in_a_pack_of_nobody() -> None:
    by_hand = first_suggestion("", SIGNED)[Key("0101", "terrain")]
    assert (by_hand.status, by_hand.who) == ("typed", ("the pack's maker",))
    found = first_suggestion("", BY_PROGRAM)[Key("0101", "terrain")]
    assert (found.status, found.who, found.method.by) == ("imported", ("reader",), "program")
    assert not found.is_known
