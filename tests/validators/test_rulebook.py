"""What a pack may say of the rules, the same for every ruleset; and the readings that are told."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from itertools import pairwise
from types import MappingProxyType

import pytest
from fields import laid_out, sample_game
from vassal_umpire.model.board import Board, EdgeKinds, Exceptions, Hex, Line
from vassal_umpire.model.fact import Fact
from vassal_umpire.model.finding import Clause, Reading
from vassal_umpire.model.game import Rules
from vassal_umpire.model.hexgrid import from_offset
from vassal_umpire.model.problem import WrongPack
from vassal_umpire.plugin.registry import rulesets
from vassal_umpire.validators.phase_rules import Requirement
from vassal_umpire.validators.rulebook import Rulebook, readings_in_force

BOOKS = {name: book for name, book in rulesets().parts.items() if isinstance(book, Rulebook)}
IN_TABLES = [
    (name, reading.option)
    for name, book in BOOKS.items()
    for clause in book.clauses().values()
    for reading in clause.readings
    if reading.option.startswith("rules.")
]


def test_there_are_readings_that_a_pack_settles_in_its_tables() -> None:
    assert ("tide-of-iron", "rules.hills.combine") in IN_TABLES


@pytest.mark.parametrize(("name", "option"), IN_TABLES)
def test_what_is_settled_in_the_tables_is_no_option(name: str, option: str) -> None:
    """As an option it would do nothing, and nobody would say so."""
    with pytest.raises(WrongPack, match="has no option"):
        BOOKS[name].check(Rules(name, options={option: "unknown"}))


# -- readings in force ------------------------------------------------------------------------------


def a_clause(name: str, option: str, default: str) -> dict[str, Clause]:
    return {name: Clause(name, "", "", readings=(Reading(option, "?", (default,), default),))}


CLAUSES = {
    **a_clause("A", "half", "any"),
    **a_clause("B", "rules.terrain.combine", "dearest"),
    **a_clause("C", "rules.roads.*.continuity", "edge"),
    **a_clause("D", "rules.order.resume", "true"),
}


def test_what_nobody_settled_is_read_by_default() -> None:
    expected = {"half": "any", "rules.terrain.combine": "dearest", "rules.order.resume": "true"}
    assert readings_in_force(CLAUSES, Rules("x"), {}) == expected


def test_what_the_pack_settles_is_told_with_its_value() -> None:
    roads = {"track": {"cost": 1}, "highway": {"continuity": "path"}}
    tables = {"terrain": {"combine": "sum"}, "roads": roads, "order": {"resume": False}}
    found = readings_in_force(CLAUSES, Rules("x", tables, {"half": "up"}), {})
    assert found == {
        "half": "up",
        "rules.terrain.combine": "sum",
        "rules.roads.track.continuity": "edge",
        "rules.roads.highway.continuity": "path",
        "rules.order.resume": "false",
    }


@pytest.mark.parametrize(
    ("complete", "off", "enter"),
    [
        (None, (), "prohibited"),
        (("terrain",), (), "not known"),
        (("terrain",), ("GEN-ENEMY",), None),
    ],
)
def test_what_an_incomplete_chart_leaves_out_is_not_known(
    complete: tuple[str, ...] | None, off: tuple[str, ...], enter: str | None
) -> None:
    charts = None if complete is None else frozenset(complete)
    tables = {"terrain": {"costs": {"clear": 1}}, "allowance": {"by_class": {"foot": 4}}}
    tables["classes"] = {"names": ["foot"]}
    rules = Rules("generic", tables, off=off, complete=charts)
    told = BOOKS["generic"].in_force(replace(sample_game("crossroads"), rules=rules))
    found = readings_in_force(told.clauses, rules, told.readings)
    assert found["rules.terrain.combine"] == "dearest"
    assert found.get("rules.enemy_hex.cost") == enter


def test_clauses_switched_off_have_no_readings_and_the_ruleset_has_the_last_word() -> None:
    rules = Rules("x", off=("A", "C", "D"))
    told = {"A": "switched off", "rules.terrain.combine": "sum"}
    assert readings_in_force(CLAUSES, rules, told) == told


# -- What a fact must be: of a number of which one bound is known, that bound alone may decide -----

TWO, THREE = Fraction(2), Fraction(3)
AT_LEAST_3, AT_MOST_2 = Requirement("steps", least=THREE), Requirement("steps", most=TWO)


@pytest.mark.parametrize(
    ("fact", "is_3_or_more", "is_2_or_less"),
    [
        (Fact(lo=THREE), True, False),
        (Fact(hi=TWO), False, True),
        (Fact(lo=TWO), None, None),
        (Fact(hi=THREE), None, None),
        (Fact(), None, None),
    ],
)
def test_one_bound_decides_where_it_can(
    fact: Fact, is_3_or_more: bool | None, is_2_or_less: bool | None
) -> None:
    assert AT_LEAST_3.met(fact) is is_3_or_more
    assert AT_MOST_2.met(fact) is is_2_or_less


# -- Edges of a board are of one kind only if nothing of them differs ------------------------------


def test_edges_are_alike_only_if_nothing_of_them_differs() -> None:
    """Five hexes in a row: the same edge four times, but for one thing each."""
    names = ("a", "b", "c", "d", "e")
    hexes = {n: Hex(n, from_offset(i, 0), ("open",), 0) for i, n in enumerate(names)}

    def kinds(board: Board) -> list[int]:
        of = EdgeKinds(board).of
        return [of(a, b) for a, b in pairwise(names)]

    plain = Board("row", MappingProxyType(hexes))
    assert len(set(kinds(plain))) == 1
    of = EdgeKinds(plain).of
    assert of("b", "a") == of("a", "b")
    river = Board("row", MappingProxyType(hexes), sides={("b", "c"): ("river",)})
    assert [kind == kinds(river)[0] for kind in kinds(river)] == [True, False, True, True]
    road = Board("row", MappingProxyType(hexes), lines=(Line("road", ("b", "c")),))
    assert len(set(kinds(road))) == 4
    for other in (Hex("c", hexes["c"].at, ("wood",), 0), Hex("c", hexes["c"].at, ("open",), 1)):
        changed = Board("row", MappingProxyType({**hexes, "c": other}))
        first, into, out_of, last = kinds(changed)
        assert first == last
        assert len({first, into, out_of}) == 3
    unknown = Board("row", MappingProxyType({**hexes, "c": Hex("c", hexes["c"].at)}))
    first, into, out_of, last = kinds(unknown)
    assert first == last
    assert len({first, into, out_of}) == 3
    nothing = Board("row", MappingProxyType({name: Hex(name, at.at) for name, at in hexes.items()}))
    assert len(set(kinds(nothing))) == 1
    told = {("b", "c"): frozenset({"river"})}
    doubtful = Board("row", MappingProxyType(hexes), exceptions=Exceptions(sides=told))
    assert [kind == kinds(doubtful)[0] for kind in kinds(doubtful)] == [True, False, True, True]


def test_a_large_board_has_few_kinds() -> None:
    board = laid_out(sample_game("ocs").board, 2_000)
    of = EdgeKinds(board).of
    kinds = {of(a, b) for a in board.hexes for b in board.neighbours(a)}
    assert len(kinds) < len(board.every_side) / 5
