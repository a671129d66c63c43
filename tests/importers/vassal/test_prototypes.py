"""Prototypes put in place as the engine puts them in place."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from vassal_umpire.importers.vassal import sequence
from vassal_umpire.importers.vassal.buildfile import open_module
from vassal_umpire.importers.vassal.module import Prototype
from vassal_umpire.importers.vassal.prototypes import Expansion, put_together, take_apart
from vassal_umpire.importers.vassal.savefile import read_save
from vassal_umpire.model.problem import Unreadable

BASE = ("piece;;;tank.png;Tank", "null;0;0;")


def _expansion(**definitions: str) -> Expansion:
    return Expansion({name: Prototype(name, text) for name, text in definitions.items()})


def _definition(*traits: tuple[str, str]) -> str:
    kind, state = put_together([*traits, ("piece;;;;", "null;0;0;")])
    return sequence.join(["+", "null", kind, state], "/")


def _expand(expansion: Expansion, *traits: tuple[str, str]) -> list[tuple[str, str]]:
    return take_apart(*expansion.expand_piece(*put_together([*traits, BASE])))


def test_a_prototype_gives_way_to_its_traits_with_their_states() -> None:
    expansion = _expansion(Unit=_definition(("mark;Side", "Red"), ("PROP;MA;;", "6")))
    assert _expand(expansion, ("mark;Name", "Tank"), ("prototype;Unit", ""), ("cmt;note", "")) == [
        ("mark;Name", "Tank"),
        ("mark;Side", "Red"),
        ("PROP;MA;;", "6"),
        BASE,
    ]


def test_prototypes_use_prototypes_in_place() -> None:
    expansion = _expansion(
        Outer=_definition(("mark;A", "1"), ("prototype;Inner", ""), ("mark;C", "3")),
        Inner=_definition(("mark;B", "2")),
    )
    assert [own for own, _ in _expand(expansion, ("prototype;Outer", ""))] == [
        "mark;A", "mark;B", "mark;C", BASE[0],
    ]  # fmt: skip


def test_parameters_fill_the_definition() -> None:
    """A name without parameter loses its dollar signs (FormattedString, not localized)."""
    expansion = _expansion(Unit=_definition(("mark;$what$", "$value$ of $other$")))
    trait = ("prototype;Unit;what=MA,value=5\\, road", "")
    assert _expand(expansion, trait) == [("mark;MA", "5, road of other"), BASE]


def test_without_parameters_dollars_stay() -> None:
    expansion = _expansion(Unit=_definition(("report;;$name$ moves", "")))
    assert _expand(expansion, ("prototype;Unit", ""))[0][0] == "report;;$name$ moves"


def test_a_missing_prototype_stands_for_nothing_and_is_reported_once() -> None:
    expansion = _expansion()
    assert _expand(expansion, ("prototype;Gone", ""), ("prototype;Gone", "")) == [BASE]
    assert [p.code for p in expansion.problems] == ["prototype-missing"]


def test_a_prototype_in_itself_is_cut_off() -> None:
    expansion = _expansion(
        A=_definition(("mark;A", "1"), ("prototype;B", "")),
        B=_definition(("mark;B", "2"), ("prototype;A", "")),
    )
    assert len(_expand(expansion, ("prototype;A", ""))) == 3
    assert [p.code for p in expansion.problems] == ["prototype-in-itself"]


@pytest.mark.parametrize("leaf", [(), (("mark;X", "1"),)])
def test_doubling_prototypes_do_not_eat_the_machine(leaf: tuple[tuple[str, str], ...]) -> None:
    """No more than twelve times, so that a fault does not eat it either."""
    definitions = {"P0": _definition(*leaf)}
    for i in range(1, 13):
        twice = (f"prototype;P{i - 1}", "")
        definitions[f"P{i}"] = _definition(twice, twice)
    expansion = _expansion(**definitions)
    kind, _ = expansion.expand_piece(*put_together([("prototype;P12", ""), BASE]))
    assert kind.count("mark;X") <= 2_000
    assert "prototype-too-large" in {p.code for p in expansion.problems}


def test_parameters_that_double_from_prototype_to_prototype_are_cut_off() -> None:
    chain = {f"P{n}": _definition((f"prototype;P{n + 1};x=$x$$x$", "")) for n in range(20)}
    expansion = _expansion(**chain, P20=_definition(("mark;$x$", "")))
    assert _expand(expansion, ("prototype;P0;x=aaaaaaaa", "")) == [BASE]
    assert "prototype-too-large" in {p.code for p in expansion.problems}


def test_all_pieces_together_may_not_grow_without_end() -> None:
    expansion = _expansion(P=_definition(("mark;" + "a" * 1_000_000, "")))
    with pytest.raises(Unreadable, match="pieces grow too large"):
        sum(len(_expand(expansion, ("prototype;P", ""))) for _ in range(200))


def test_missing_states_are_empty() -> None:
    assert take_apart("mark;A\tmark;B\\\tpiece;;;;", "1") == [
        ("mark;A", "1"),
        ("mark;B", ""),
        ("piece;;;;", ""),
    ]


own = st.text(alphabet="ab;\\\t/'", min_size=1, max_size=6).filter(lambda t: not t.endswith("\\"))


@given(st.lists(st.tuples(own, own), max_size=6))
def test_taking_apart_undoes_putting_together(traits: list[tuple[str, str]]) -> None:
    assert take_apart(*put_together([*traits, BASE])) == [*traits, BASE]


@pytest.mark.parametrize(
    ("module", "save", "pieces"),
    [
        ("kassala/Kassala.vmod", "kassala/Default Setup.vsav", 23),
        ("hexncounters/ragnarok.vmod", "hexncounters/ragnarok-start.vsav", 99),
        ("tld/TheLongestDay-3.0b6.vmod", "tld/scenarios/campaign.sav", 2337),
    ],
)
def test_pieces_the_engine_placed_are_our_expanded_slots(
    module: str, save: str, pieces: int, corpus: Path
) -> None:
    """Same module version and engine: the type in the save is that of a slot, to the byte."""
    opened = open_module(corpus / module)
    expansion = Expansion(opened.prototypes)
    kinds = {expansion.expand(slot)[0] for slot in opened.slots}
    found = 0
    for text in read_save(corpus / save).opening:
        if text.startswith("+/"):
            kind = sequence.split(text, "/")[2]
            if not kind.startswith(("stack", "deck")):
                assert kind in kinds
                found += 1
    assert found == pieces
    assert expansion.problems == []
