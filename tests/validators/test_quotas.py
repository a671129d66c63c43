"""Quotas over a phase: accused only if no assignment of forms keeps within them."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from itertools import product

import drawn
import pytest
from flat import BOARD, GameBuilder, new_game, rows
from handmade import Made, MadeRuleset, Plain, Walker, budget
from hypothesis import given
from hypothesis import strategies as st
from tiers import examples
from vassal_umpire.model.bill import Amount
from vassal_umpire.model.fact import MissingFact
from vassal_umpire.model.finding import Finding
from vassal_umpire.validators.audit import audit
from vassal_umpire.validators.judge import judge_move
from vassal_umpire.validators.quotas import can_be_met
from vassal_umpire.validators.ruleset import Circumstances, Draw, Quota, WeightedFact
from vassal_umpire.validators.situation import Situation

TRUCKS = Quota("trucks of the division", Amount.exactly(3), "X-TRUCKS")
MULES = Quota("mules", Amount.exactly(1), "X-MULES")


def ruleset(*kinds: Quota, hidden: frozenset[str] = frozenset()) -> MadeRuleset:
    """On foot 2 hexes, by any of the ``kinds`` 6; a wall in ``hidden`` perhaps."""
    wary = Plain({}, board=BOARD, barred=hidden)

    def choices(unit: str, there: Circumstances) -> tuple[Walker, ...]:
        graph = Plain({}, board=BOARD)
        foot = Walker(graph, budget(2), wary, form="foot")
        riding = [
            Walker(graph, replace(budget(6), draws=(Draw(k),)), wary, form=k.name) for k in kinds
        ]
        return (foot, *riding)

    return MadeRuleset(Made(choices))


def moved(*ends: str):
    """A game in which ``a``, ``b`` … go from column 1 to ``ends`` in one phase."""
    names = "abcdef"[: len(ends)]
    played = new_game(
        *(f"{name} Red 01{row:02} 4" for row, name in enumerate(names, start=1))
    ).move()
    for name, end in zip(names, ends, strict=True):
        played.drag(name, end)
    return played.move("Blue")


def told(played: GameBuilder, *kinds: Quota, **more) -> list[Finding]:
    """The findings on quotas in an audit."""
    result = audit(played.game(), ruleset(*kinds, **more))
    assert not result.problems
    return [f for f in result.findings if f.clause in ("X-TRUCKS", "X-MULES")]


def trucks(most: int) -> Quota:
    return replace(TRUCKS, most=Amount.exactly(most))


FAR, NEAR = ("0401", "0402", "0403", "0404", "0405"), "0205"


def test_one_too_many_names_them_all() -> None:
    (found,) = told(moved(*FAR[:4], NEAR), TRUCKS)
    assert (found.kind, found.verdict, found.units) == ("illegal-move", "illegal", tuple("abcd"))
    assert found.moves == (1, 2, 3, 4)
    assert found.explanation == (
        "A, B, C, D: they need at least 4 trucks of the division, 3 allowed in the phase"
    )
    assert {"0401", "0404"} <= set(found.hexes)


@pytest.mark.parametrize(
    ("most", "script", "accused"),
    rows("""
another phase begins anew | 2 | move; a 0401; b 0402; move Red 2; a 0701; b 0702; move Blue 2 |
one that goes on counts for all of its way | 1 | move; a 0201; b 0402; a 0401; move Blue | b a
and it counts once | 2 | move; a 0201; b 0402; a 0401; move Blue |
what was taken back counts for nothing | 1 | move; a 0401; undo a 0101 2; b 0402; move Blue |
nothing is held against them where the phase is not known
    | 1 | phase 1 Movement Red perhaps; a 0401; b 0402 |
"""),
)
def test_what_counts_for_a_quota(most: str, script: str, accused: str) -> None:
    found = told(new_game("a Red 0101, b Red 0102").play(script), trucks(int(most)))
    assert [f.units for f in found] == ([tuple(accused.split())] if accused else [])


def test_a_form_that_is_left_is_told_in_their_favour() -> None:
    assert told(moved(*FAR[:4]), TRUCKS, MULES) == []
    (found,) = told(moved(*FAR[:5]), TRUCKS, MULES)
    assert (found.clause, found.units) == ("X-TRUCKS", tuple("abcde"))
    assert found.explanation.endswith(
        "they need more than is allowed in the phase: 3 trucks of the division, 1 mules"
    )


def test_what_is_known_only_against_them_is_asked_for() -> None:
    """Round the wall that may be in 0201 it is too far on foot."""
    played = new_game("a Red 0101, b Red 0105").play("move; a 0301; b 0405; move Blue")
    (found,) = told(played, trucks(1), hidden=frozenset({"0201", "0102"}))
    assert (found.kind, found.units) == ("unverifiable", ("a", "b"))
    assert [u.key for u in found.unknowns] == ["form of unit a log 1 steps 2"]
    assert found.remedy == found.unknowns[0].question


@pytest.mark.parametrize(
    ("least", "most", "kind"), [(1, 2, "unverifiable"), (0, 1, "illegal-move")]
)
def test_a_quota_not_known_exactly(least: int, most: int, kind: str) -> None:
    size = MissingFact("trucks", "how many trucks has the division?")
    amount = Amount(Fraction(least), Fraction(most))
    (found,) = told(moved(*FAR[:2]), replace(TRUCKS, most=amount, missing=(WeightedFact(size),)))
    assert found.kind == kind
    assert found.unknowns == ((size,) if kind == "unverifiable" else ())


OPTION = st.dictionaries(st.sampled_from("xyz"), st.integers(1, 3), max_size=2)


@examples(500)
@given(
    st.lists(st.lists(OPTION, min_size=1, max_size=3), max_size=5),
    st.fixed_dictionaries({name: st.none() | st.integers(0, 5) for name in "xyz"}),
)
def test_quotas_can_be_met_just_if_one_of_all_assignments_keeps_within_them(units, limits) -> None:
    kept = any(
        all(
            limit is None or sum(option.get(name, 0) for option in choice) <= limit
            for name, limit in limits.items()
        )
        for choice in product(*units)
    )
    exact = [[{k: Fraction(v) for k, v in o.items()} for o in options] for options in units]
    bounds = {k: None if v is None else Fraction(v) for k, v in limits.items()}
    assert can_be_met(exact, bounds) == kept


def test_too_many_to_try_accuses_nobody_and_clears_nobody(monkeypatch) -> None:
    options = [{f"q{n}": Fraction(1)} for n in range(6)]
    limits: dict[str, Fraction | None] = {f"q{n}": Fraction(5) for n in range(6)}
    assert can_be_met([options] * 31, limits) is None
    monkeypatch.setattr("vassal_umpire.validators.quotas._MOST_TRIED", 2)
    (found,) = told(moved(*FAR[:4]), TRUCKS, MULES)
    assert (found.kind, found.units) == ("unverifiable", tuple("abcd"))
    assert [u.key for u in found.unknowns] == [
        f"form of unit {u} log 1 steps {n}" for n, u in enumerate("abcd", 2)
    ]


def test_rules_without_quotas_are_not_searched_for_forms() -> None:
    walker = Walker(Plain({}, board=BOARD), budget(2))
    game = moved("0201").game()
    judgement = judge_move(
        drawn.move("a", "0101", "0201"), Situation(game), Made(lambda *_: (walker,))
    )
    assert judgement.legal_forms == ()
