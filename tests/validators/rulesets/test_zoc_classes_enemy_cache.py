"""What has been worked out of enemies in zoc-classes, kept from move to move: whatever changes between two
moves is seen by the second."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import Any

import pytest
from flat import BOARD, GameBuilder, fact, rows
from hypothesis import given
from hypothesis import strategies as st
from tiers import examples
from vassal_umpire.model.fact import Value, known
from vassal_umpire.model.finding import Audit, Move
from vassal_umpire.model.game import Condition, Game, MovementForm, PhaseRule, Rules, StepRef
from vassal_umpire.validators.audit import audit
from vassal_umpire.validators.judge import Judgement, judge_move
from vassal_umpire.validators.moves import find_moves
from vassal_umpire.validators.ruleset import RulesInForce
from vassal_umpire.validators.rulesets.zoc_classes import RULESET
from vassal_umpire.validators.situation import Situation
from vassal_umpire.validators.timeline import Timeline
from vassal_umpire.validators.witness import Witnesses

PLAIN = (
    "class=non-motorized column=first nationality=Italian load=false infantry=true reserve=false debt=0 "
    "combat=true zoc=full own_zoc=full supply=regular night=false weather=clear turned=false special=false "
    "chit=false pause=false attacked=false engineering=false date=1942"
)
WHOLE = replace(BOARD, complete=frozenset({"hexsides", "lines", "terrain"}))
PHASES = {
    name: PhaseRule(name, "both", ("move",), complete=True)
    for name in ("Movement", "Reaction", "Exploitation", "Combat")
}
TABLES = {
    "zoc": {"complete": True, "screened": [0, 0, 1, 2, 3]},
    "interdiction": {"cost": 1},
    "forts": {"complete": True},
}
FAR, NEAR = "1010", "0506"
"""Where an enemy is in nobody's way, and where its ZOC is."""


def _new_game(*units: str) -> GameBuilder:
    """``units``: ``"a Red 0404 3"``, and what is otherwise known of it than ``PLAIN``."""
    told = (f"{' '.join(unit.split()[:4])} {PLAIN} {' '.join(unit.split()[4:])}" for unit in units)
    builder = GameBuilder(*told, board=WHOLE, phases=PHASES, forms={"move": MovementForm("move")})
    return builder.phase("1", "Movement", "Red")


def _audited(builder: GameBuilder, *conditions: Condition) -> Audit:
    builder.phase("1", "Combat", "Red")
    found = audit(_game(builder, conditions), RULESET)
    assert not found.problems
    return found


def _game(builder: GameBuilder, conditions: Iterable[Condition] = ()) -> Game:
    rules = Rules("zoc-classes", TABLES, {})
    return builder.game(rules=rules, conditions=tuple(conditions))


def _verdicts(builder: GameBuilder, *conditions: Condition) -> str:
    moves = _audited(builder, *conditions).moves
    return " ".join(move.verdict for move in moves if move.move.units != ("e",))


def _three(where: str, more: str = "") -> GameBuilder:
    """Two units that can just go three hexes where there are no ZOCs, and an enemy."""
    return _new_game("a Red 0404 3", "b Red 0404 3", f"e Blue {where} 3 {more}")


@pytest.mark.parametrize(
    ("where", "more", "between", "verdicts"),
    rows("""
the enemy comes next to the way | 1010 | | e 0506 by Blue | legal illegal
it goes away | 0506 | | e 1010 by Blue | illegal legal
it turns out to have a ZOC | 0506 | zoc=none | flip e zoc none full by Blue | legal illegal
it turns out to have none | 0506 | | flip e zoc full none by Blue | illegal legal
a marker of two MPs takes two levels away by one reading | 0506 | zoc=partial
    | flip e debt 0 1 by Blue | illegal legal
none by the other | 0506 | zoc=partial debt=1 | flip e debt 1 0 by Blue | legal illegal
it goes into reserve | 0506 | zoc=partial | flip e reserve false true by Blue | illegal legal
it comes out of reserve | 0506 | zoc=partial reserve=true | flip e reserve true false by Blue | legal illegal
a counter left lying is dead | 0506 | dead=false | flip e dead false true by Blue | illegal legal
it is not | 0506 | dead=true | flip e dead true false by Blue | legal illegal
it is taken off next, once it has done the last thing before that | 0506 |
    | spent e 0 | illegal unverifiable
"""),
)
def test_what_befalls_an_enemy_between_two_moves_is_seen(
    where: str, more: str, between: str, verdicts: str
) -> None:
    builder = _three(where, more).play("a 0407", between, "b 0407")
    if "spent" in between:
        builder.play("e [Dead] by Blue")
    assert _verdicts(builder) == verdicts


@pytest.mark.parametrize(
    ("key", "value", "held", "else_"),
    [
        ("zoc 0406", "full", "illegal", "unverifiable"),
        ("zoc 0406", "none", "legal", "unverifiable"),
        ("interdiction 0406", True, "illegal", "unverifiable"),
        ("dead", True, "legal", "illegal"),
    ],
)
@pytest.mark.parametrize("whose", ["", "e"])
@pytest.mark.parametrize("late", [False, True])
def test_what_begins_or_ceases_to_be_declared_is_seen(
    key: str, value: Value, held: str, else_: str, late: bool, whose: str
) -> None:
    """The first drag is step 2, the second step 3. Of a unit only its death is declared."""
    builder = _three(NEAR if key == "dead" else FAR).play("a 0407; b 0407")
    span = (StepRef(1, 3), None) if late else (StepRef(1, 0), StepRef(1, 2))
    found = _verdicts(builder, Condition(key, known(value), *span, whose if key == "dead" else ""))
    assert found == (f"{else_} {held}" if late else f"{held} {else_}")


def test_the_turn_in_which_a_counter_is_taken_off_counts() -> None:
    """Two turns before that it is alive for certain, one turn before it may be dead."""
    builder = _three(NEAR).play("a 0407; move Red 2; b 0407; phase 3 Combat Red; e [Dead] by Blue")
    assert _verdicts(builder) == "illegal unverifiable"


@pytest.mark.parametrize(
    ("where", "script"),
    [
        (FAR, "b 0407; a 0405; e 0506 by Blue; a 0407"),
        (NEAR, "a 0405; e 1010 by Blue; a 0407; b 0407"),
    ],
    ids=["it comes", "it goes"],
)
def test_what_befalls_an_enemy_in_the_middle_of_a_move_is_seen_by_it_alone(
    where: str, script: str
) -> None:
    """One unit goes on after the enemy has moved; another goes all the way before, or after that."""
    found = {m.move.units[0]: m.verdict for m in _audited(_three(where).play(script)).moves}
    assert (found["a"], found["b"]) == ("unverifiable", "legal")


@pytest.mark.parametrize(
    ("script", "step", "before", "after"),
    [("b 0407; a 0405; a 0407", 3, "none", "full"), ("a 0405; a 0407; b 0407", 2, "full", "none")],
    ids=["begins", "ceases"],
)
def test_what_begins_to_be_declared_in_the_middle_of_a_move_is_seen_by_it_alone(
    script: str, step: int, before: str, after: str
) -> None:
    first = Condition("zoc 0406", known(before), StepRef(1, 0), StepRef(1, step))
    second = Condition("zoc 0406", known(after), StepRef(1, step + 1))
    moves = _audited(_three(FAR).play(script), first, second).moves
    assert {m.move.units[0]: m.verdict for m in moves} == {"a": "unverifiable", "b": "legal"}


def test_what_was_found_in_one_telling_of_a_game_is_not_asked_of_another_that_has_gone_on() -> None:
    """The rules hold for the game, and it may be gone through more than once."""
    builder = _three(NEAR).play("a 0402; b 0407; e 1010 by Blue")
    game = _game(builder)
    rules, moves = RULESET.in_force(game), find_moves(game, Timeline(game), Witnesses(game))
    ahead, behind = Situation(game), Situation(game)
    ahead.advance_before(StepRef(1, 2))
    judge_move(moves[0].move, ahead, rules, forms=("move",))
    ahead.advance_after(StepRef(1, 4))
    behind.advance_before(StepRef(1, 3))
    assert judge_move(moves[1].move, behind, rules, forms=("move",)).judged.verdict == "illegal"


def test_a_friend_who_comes_to_a_hex_between_two_moves_may_screen_it() -> None:
    """He tells on screens alone, and those are looked up for every move."""
    builder = _new_game("a Red 0404 4", "b Red 0404 4", "e Blue 0506 3 zoc=partial")
    # three hexes, so as to touch no other hex with a ZOC, and 1 for the partial one entered
    moves = _audited(builder.play("a 0406; b 0406")).moves
    assert [str(move.bill.total) if move.bill else "" for move in moves] == ["4", "3 to 4"]


def anew(move: Move, situation: Situation, rules: RulesInForce, **more: Any) -> Judgement:
    """Judges a move by rules of which nothing has been asked before."""
    return judge_move(move, situation, RULESET.in_force(situation.game), **more)


HEXES = st.sampled_from(["0404", "0405", "0406", "0504", "0505", "0506", "0604", "0605"])
_RED = st.tuples(st.just("red"), st.sampled_from("abc"), HEXES)
_BLUE = st.tuples(st.just("blue"), st.sampled_from("ef"), st.one_of(HEXES, st.just("[Dead]")))
_FLIP = st.tuples(
    st.just("flip"),
    st.sampled_from("efc"),
    st.sampled_from(
        ["zoc none", "zoc partial", "own_zoc none", "debt 1", "debt 3", "reserve true", "dead true",
         "dead false", "combat false"]
    ),
)  # fmt: skip
_PHASE = st.tuples(
    st.just("phase"), st.sampled_from("123"), st.sampled_from(["Movement", "Reaction"])
)
_TOLD = "zoc 0505 full, zoc 0405 none, screened 0505 true, interdiction 0506 true, dead true"
_SAID = st.tuples(
    st.sampled_from(_TOLD.split(", ")),
    st.integers(0, 12),
    st.integers(0, 6),
    st.sampled_from(["", "", "e", "a"]),
)


@examples(50, default=5)
@given(
    st.lists(st.one_of(_RED, _RED, _RED, _BLUE, _FLIP, _PHASE), min_size=2, max_size=14),
    st.lists(_SAID, max_size=2),
)
def test_what_is_kept_says_the_same_as_what_is_worked_out_anew(
    script: list[tuple[str, str, str]], said: list[tuple[str, int, int, str]]
) -> None:
    builder = _new_game(
        *("a Red 0404 4", "b Red 0604 5", "c Red 0405 3", "e Blue 0606 3", "f Blue 0506 3")
    )
    for kind, who, what in script:
        match kind:
            case "red" | "blue":
                builder.drag(who, what, kind.capitalize())
            case "phase":
                builder.phase(who, what, "Blue" if what == "Reaction" else "Red")
            case _:
                key, value = what.split()
                builder.flip(who, key, known("?"), fact(value))
    conditions = []
    for text, first, more, unit in said:
        key, _, value = text.rpartition(" ")
        conditions.append(
            Condition(key, fact(value), StepRef(1, first), StepRef(1, first + more), unit)
        )
    game = _game(builder.phase("9", "Combat", "Red"), conditions)
    kept = audit(game, RULESET)
    assert audit(game, RULESET, judge=anew) == kept
    assert not kept.problems
