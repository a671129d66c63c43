"""Which row of units.csv is about which piece; what may be suggested of counters."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from typing import Any

import pytest
from vassal_umpire.importers.pack.attributes import Counters, Reader
from vassal_umpire.importers.pack.census import CounterKind
from vassal_umpire.importers.pack.known import (
    Proposals,
    proposed_sides,
    proposed_units,
    proposed_values,
)
from vassal_umpire.importers.pack.pack import Pack
from vassal_umpire.importers.pack.signs import Wanted
from vassal_umpire.model.problem import WrongPack
from vassal_umpire.model.table import Piece, Spot, StatedFacts

ROWS = """id,gpid,image,name,ma
77,,,,1
,5,,,2
,,tank.png,,3
,,,HQ,4
,,gun.png,HQ,5
,,,H*,6
"""


@pytest.fixture
def counters(small_pack: Callable[..., Pack]) -> Counters:
    return Counters(small_pack(units=ROWS))


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


def test_a_column_of_units_csv_says_what_is_a_unit(small_pack: Callable[..., Pack]) -> None:
    reader = Reader(small_pack(SELECTED, units=SAID))
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


def test_a_column_that_is_not_there_is_a_fault(small_pack: Callable[..., Pack]) -> None:
    with pytest.raises(WrongPack, match="expected a column of units"):
        small_pack(SELECTED, units="name,kind\nHQ,yes\n")


MARKED = '[{ marker = "^Fatigue$", value = "1" }, { column = "ma" }]'


@pytest.mark.parametrize("looks", ['[{ column = "ma" }]', MARKED])
def test_a_counter_that_a_flip_renames_is_read_by_its_name_of_now(
    small_pack: Callable[..., Pack], looks: str
) -> None:
    rows = "name,ma\nworn,4\nfresh,6\n"
    reader = Reader(small_pack(f"[units.attributes]\nma = {looks}\n", units=rows))
    told = [str(reader.attributes(piece(name=name))["ma"].value) for name in ("worn", "fresh")]
    assert told == ["4", "6"]


# -- What names, pictures, palettes and moves suggest of counters; nothing where they disagree -----

SIDES = ("Blue", "Red")
MA = Wanted("ma", number=True)


def kind(name: str = "", image: str = "", *, moves: str = "", **more: Any) -> CounterKind:
    """A kind that players of the sides in ``moves`` moved, once for each letter."""
    movers = Counter({"b": "Blue", "r": "Red"}[letter] for letter in moves)
    return CounterKind(name, image, 1, len(moves), True, {}, movers=movers, **more)


def values(found: Proposals) -> list[str]:
    return ["" if one is None else one.value for one in found]


@pytest.mark.parametrize(
    ("one", "side"),
    [
        (kind("a", moves="bbbbbbbbb"), "Blue"),
        (kind("a", moves="bbbbbbbbbbr"), "Blue"),
        (kind("a", moves="bbbr"), ""),
        (kind("Red 4 Inf"), "Red"),
        (kind("x", "red-4.png"), "Red"),
        (kind("Red 4 Inf", moves="bbb"), ""),  # its name and its mover disagree
        (kind("a", folder="Units/Blue"), "Blue"),
        (kind("a", prototypes=("Unit (Red)",), moves="bb"), ""),
        (kind("a"), ""),
    ],
    ids=lambda value: value if isinstance(value, str) else None,
)
def test_the_side_of_one_kind(one: CounterKind, side: str) -> None:
    assert values(proposed_sides([one], SIDES)) == [side]


def test_what_never_moved_has_the_side_of_those_that_look_like_it() -> None:
    moved = [kind(f"{n}", f"ge_{n}.png", moves="b") for n in range(3)]
    others = [kind(f"{n}", f"su_{n}.png", moves="r") for n in range(2)]
    found = proposed_sides([*moved, *others, kind("9", "ge_9.png"), kind("8", "su_8.png")], SIDES)
    assert values(found) == [*["Blue"] * 3, *["Red"] * 2, "Blue", ""]  # two are too few to tell
    assert found[5] is not None
    assert "ge" in found[5].why


def test_a_mark_of_both_sides_tells_nothing() -> None:
    kinds = [kind(f"{n}", f"inf_{n}.png", moves="bbbr"[n] * 1) for n in range(4)]
    assert values(proposed_sides([*kinds, kind("9", "inf_9.png")], SIDES))[-1] == ""


@pytest.mark.parametrize(
    ("one", "allowance"),
    [
        (kind("x", "4-6.png"), "6"),
        (kind("x", "3-5-8.png"), "8"),
        (kind("x", "inf-1-4.png"), "4"),
        (kind("Moslem_Infantry_3-2_Nubian"), "2"),
        (kind("x", labels=("2-3–4",)), "4"),
        (kind("x", prototypes=("8-8-12",)), "12"),
        (kind("x", "4-06.png"), "6"),
        (kind("x", "counter-white-72x72x5-150dpi.png"), ""),
        (kind("1944-45", "1944-06.png"), ""),
        (kind("4-6 or 3-5"), ""),  # which of the two it is nobody can say
    ],
    ids=lambda value: value if isinstance(value, str) else None,
)
def test_the_last_number_on_a_counter_is_its_allowance(one: CounterKind, allowance: str) -> None:
    assert values(proposed_values([one], MA)) == [allowance]


@pytest.mark.parametrize(
    ("kinds", "wanted", "found"),
    [
        ([kind("1 Inf"), kind("x", "pz-4-6.png"), kind("2", folder="Art"), kind("Info")],
         Wanted("class"), ["infantry", "armor", "artillery", ""]),
        ([kind("1 Inf"), kind("2 Tank"), kind("3 Lorry"), kind("4 Cav")],
         Wanted("class", words=("inf", "armour", "lorry")), ["inf", "armour", "lorry", ""]),
        ([kind("4-6")], Wanted("steps", number=True), [""]),
    ],
    ids=["by words for kinds of units", "by the words of the tables", "of others nothing"],
)  # fmt: skip
def test_values_by_words(kinds: list[CounterKind], wanted: Wanted, found: list[str]) -> None:
    assert values(proposed_values(kinds, wanted)) == found


def test_units_are_what_moved_and_is_no_marker() -> None:
    kinds = [kind("a", moves="b"), kind("Turn marker", moves="b"), kind("1 Infantry"), kind("x")]
    assert values(proposed_units(kinds)) == ["yes", "no", "yes", "no"]
