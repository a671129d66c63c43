"""What has been worked out of enemies in zoc-classes, kept from move to move: whatever changes between two
moves is seen by the second."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

import pytest
from flat import BOARD, GameBuilder
from hypothesis import given
from hypothesis import strategies as st
from tiers import examples
from vassal_umpire.model.fact import Fact, Value, known
from vassal_umpire.model.finding import Audit
from vassal_umpire.model.game import Condition, Game, MovementForm, PhaseRule, Rules, StepRef
from vassal_umpire.validators.audit import audit
from vassal_umpire.validators.judge import judge_move
from vassal_umpire.validators.moves import find_moves
from vassal_umpire.validators.rulesets.zoc_classes import RULESET
from vassal_umpire.validators.rulesets.zoc_classes.enemy_cache import EnemyCaches
from vassal_umpire.validators.situation import Situation
from vassal_umpire.validators.timeline import Timeline
from vassal_umpire.validators.witness import Witnesses

PLAIN: dict[str, Value | int] = {
    "class": "non-motorized", "column": "first", "nationality": "Italian", "load": False,
    "infantry": True, "reserve": False, "debt": 0, "combat": True, "zoc": "full", "own_zoc": "full",
    "supply": "regular", "night": False, "weather": "clear", "turned": False, "special": False,
    "chit": False, "pause": False, "attacked": False, "engineering": False, "date": "1942",
}  # fmt: skip
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


def _new_game(*units: str, **more: Value | int) -> GameBuilder:
    """``units``: ``"a Red 0404 3"``; ``more``: what is otherwise known of the Blue ones."""
    builder = GameBuilder(board=WHOLE, phases=PHASES, forms={"move": MovementForm("move")})
    for line in units:
        name, side, where, ma = line.split()
        told = {**PLAIN, **(more if side == "Blue" else {})}
        facts = {key: known(value) for key, value in told.items()}
        builder.unit(name, side, where, ma, attributes=facts)
    return builder.phase("1", "Movement", "Red")


def _audited(builder: GameBuilder, *conditions: Condition) -> Audit:
    builder.phase("1", "Combat", "Red")
    found = audit(_game(builder, conditions), RULESET)
    assert not found.problems
    return found


def _game(builder: GameBuilder, conditions: Iterable[Condition] = ()) -> Game:
    rules = Rules("zoc-classes", TABLES, {})
    return builder.game(rules=rules, conditions=tuple(conditions))


def _verdicts(builder: GameBuilder, *conditions: Condition) -> list[str]:
    return [
        move.verdict for move in _audited(builder, *conditions).moves if move.move.units != ("e",)
    ]


def _three(zoc_first: str = "full", where: str = "1010", **more: Value | int) -> GameBuilder:
    """Two units that can just go three hexes where there are no ZOCs, and an enemy."""
    return _new_game("a Red 0404 3", "b Red 0404 3", f"e Blue {where} 3", zoc=zoc_first, **more)


def _both_ways(builder: GameBuilder, between: tuple[str, ...]) -> list[str]:
    builder.drag("a", "0407")
    match between:
        case ("drag", target):
            builder.drag("e", target, "Blue")
        case ("flip", attribute, before, after):
            builder.flip("e", attribute, _read(before), _read(after), "Blue")
    builder.drag("b", "0407")
    return _verdicts(builder)


def _read(text: str) -> Fact:
    if text in ("true", "false"):
        return known(text == "true")
    return known(int(text)) if text.isdigit() else known(text)


CHANGES = [
    # the enemy comes next to the way, and goes away
    ("1010", {}, ("drag", "0506"), ["legal", "illegal"]),
    ("0506", {}, ("drag", "1010"), ["illegal", "legal"]),
    # it turns out to have a ZOC, and to have none
    ("0506", {"zoc": "none"}, ("flip", "zoc", "none", "full"), ["legal", "illegal"]),
    ("0506", {}, ("flip", "zoc", "full", "none"), ["illegal", "legal"]),
    # a marker of two MPs takes two levels away by one reading, none by the other
    ("0506", {"zoc": "partial"}, ("flip", "debt", "0", "1"), ["illegal", "legal"]),
    ("0506", {"zoc": "partial", "debt": 1}, ("flip", "debt", "1", "0"), ["legal", "illegal"]),
    ("0506", {"zoc": "partial"}, ("flip", "reserve", "false", "true"), ["illegal", "legal"]),
    ("0506", {"zoc": "partial", "reserve": True}, ("flip", "reserve", "true", "false"), ["legal", "illegal"]),
    # a counter left lying that is dead
    ("0506", {"dead": False}, ("flip", "dead", "false", "true"), ["illegal", "legal"]),
    ("0506", {"dead": True}, ("flip", "dead", "true", "false"), ["legal", "illegal"]),
]  # fmt: skip


@pytest.mark.parametrize(("where", "more", "between", "verdicts"), CHANGES)
def test_what_befalls_an_enemy_between_two_moves_is_seen(
    where: str, more: dict[str, Value], between: tuple[str, ...], verdicts: list[str]
) -> None:
    builder = _three(where=where, **{"zoc_first": "full", **_renamed(more)})
    assert _both_ways(builder, between) == verdicts


def _renamed(more: dict[str, Value]) -> dict[str, Value]:
    return {"zoc_first" if key == "zoc" else key: value for key, value in more.items()}


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
    builder = _three(where="0506" if key == "dead" else "1010")
    builder.drag("a", "0407").drag("b", "0407")
    span = (StepRef(1, 3), None) if late else (StepRef(1, 0), StepRef(1, 2))
    found = _verdicts(builder, Condition(key, known(value), *span, whose if key == "dead" else ""))
    assert found == ([else_, held] if late else [held, else_])


def test_a_counter_that_is_taken_off_the_map_next_may_be_dead() -> None:
    """Once it has done the last thing before that."""
    builder = _three(where="0506").drag("a", "0407").spent("e", 0).drag("b", "0407")
    builder.drag("e", "[Dead]", "Blue")
    assert _verdicts(builder) == ["illegal", "unverifiable"]


def test_the_turn_in_which_a_counter_is_taken_off_counts() -> None:
    """Two turns before that it is alive for certain, one turn before it may be dead."""
    builder = _three(where="0506").drag("a", "0407")
    builder.phase("2", "Movement", "Red").drag("b", "0407")
    builder.phase("3", "Combat", "Red").drag("e", "[Dead]", "Blue")
    assert _verdicts(builder) == ["illegal", "unverifiable"]


@pytest.mark.parametrize("enters", [True, False])
def test_what_befalls_an_enemy_in_the_middle_of_a_move_is_seen_by_it_alone(enters: bool) -> None:
    """One unit goes on after the enemy has moved; another goes all the way before, or after that."""
    builder = _three(where="1010" if enters else "0506")
    if enters:
        builder.drag("b", "0407")
    builder.drag("a", "0405").drag("e", "0506" if enters else "1010", "Blue").drag("a", "0407")
    if not enters:
        builder.drag("b", "0407")
    found = {m.move.units[0]: m.verdict for m in _audited(builder).moves}
    assert (found["a"], found["b"]) == ("unverifiable", "legal")


@pytest.mark.parametrize("begins", [True, False])
def test_what_begins_to_be_declared_in_the_middle_of_a_move_is_seen_by_it_alone(
    begins: bool,
) -> None:
    builder = _three()
    if begins:
        builder.drag("b", "0407")
    at = builder.drag("a", "0405").step
    builder.drag("a", "0407")
    if not begins:
        builder.drag("b", "0407")
    zocs = ("none", "full") if begins else ("full", "none")
    first = Condition("zoc 0406", known(zocs[0]), StepRef(1, 0), StepRef(1, at))
    second = Condition("zoc 0406", known(zocs[1]), StepRef(1, at + 1))
    found = {m.move.units[0]: m.verdict for m in _audited(builder, first, second).moves}
    assert found == {"a": "unverifiable", "b": "legal"}


def test_what_was_found_in_one_telling_of_a_game_is_not_asked_of_another_that_has_gone_on() -> None:
    """The rules hold for the game, and it may be gone through more than once."""
    builder = _three(where="0506").drag("a", "0402").drag("b", "0407").drag("e", "1010", "Blue")
    game = _game(builder)
    rules, moves = RULESET.in_force(game), find_moves(game, Timeline(game), Witnesses(game))
    ahead, behind = Situation(game), Situation(game)
    ahead.advance_before(StepRef(1, 2))
    judge_move(moves[0].move, ahead, rules, forms=("move",))
    ahead.advance_after(StepRef(1, 4))
    behind.advance_before(StepRef(1, 3))
    assert judge_move(moves[1].move, behind, rules, forms=("move",)).judged.verdict == "illegal"


def test_everyone_who_looks_past_a_hidden_enemy_is_judged_for_those_alone_who_know_of_him() -> None:
    """Also where his way does not rest on him."""
    builder = _three(where="0606")
    builder.units["e"] = replace(builder.units["e"], seen_by=("Blue",))
    found = _audited(builder.drag("a", "0407").drag("b", "0407"))
    assert [(m.verdict, m.rests_on) for m in found.moves] == [("legal", ("e",))] * 2


def test_a_friend_who_comes_to_a_hex_between_two_moves_may_screen_it() -> None:
    """He tells on screens alone, and those are looked up for every move."""
    builder = _new_game("a Red 0404 4", "b Red 0404 4", "e Blue 0506 3", zoc="partial")
    # three hexes, so as to touch no other hex with a ZOC, and 1 for the partial one entered
    assert _costs(builder.drag("a", "0406").drag("b", "0406")) == ["4", "3 to 4"]


def _costs(builder: GameBuilder) -> list[str]:
    return [str(move.bill.total) if move.bill else "" for move in _audited(builder).moves]


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
_SAID = st.tuples(
    st.sampled_from(
        [
            "zoc 0505 full",
            "zoc 0405 none",
            "screened 0505 true",
            "interdiction 0506 true",
            "dead true",
        ]
    ),
    st.integers(0, 12),
    st.integers(0, 6),
    st.sampled_from(["", "", "e", "a"]),
)


@examples(150)
@given(
    st.lists(st.one_of(_RED, _RED, _RED, _BLUE, _FLIP, _PHASE), min_size=2, max_size=14),
    st.lists(_SAID, max_size=2),
)
def test_what_is_kept_says_the_same_as_what_is_worked_out_anew(
    script: list[tuple[str, str, str]], said: list[tuple[str, int, int, str]]
) -> None:
    builder = _new_game(
        "a Red 0404 4", "b Red 0604 5", "c Red 0405 3", "e Blue 0606 3", "f Blue 0506 3", zoc="full"
    )
    for kind, who, what in script:
        match kind:
            case "red":
                builder.drag(who, what, "Red")
            case "blue":
                builder.drag(who, what, "Blue")
            case "phase":
                builder.phase(who, what, "Blue" if what == "Reaction" else "Red")
            case _:
                attribute, value = what.split()
                builder.flip(who, attribute, known("?"), _read(value))
    conditions = []
    for text, first, more, unit in said:
        key, _, value = text.rpartition(" ")
        conditions.append(
            Condition(key, _read(value), StepRef(1, first), StepRef(1, first + more), unit)
        )
    game = _game(builder.phase("9", "Combat", "Red"), conditions)
    kept = audit(game, RULESET)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(EnemyCaches, "_may_last", lambda *_: False)
        assert audit(game, RULESET) == kept
    assert not kept.problems
