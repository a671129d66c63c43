"""What is known of enemies is kept from move to move; what was read of friends holds for one move."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from cases import RULESETS
from flat import new_game
from vassal_umpire.model.fact import known
from vassal_umpire.model.game import Place, StepRef
from vassal_umpire.validators.engine.enemies import EnemyZones
from vassal_umpire.validators.engine.enemy import Enemy
from vassal_umpire.validators.engine.locality import Locality
from vassal_umpire.validators.ruleset import Circumstances
from vassal_umpire.validators.situation import Situation

HERE = "0103"


def asked(script: Any, test: Callable[[Locality], bool], steps: int) -> list[bool | None]:
    """What a test says of a hex before each of some steps, while Red's unit m moves."""
    game = script.game()
    rules: Any = RULESETS["tide-of-iron"].in_force(game)
    situation, found = Situation(game), []
    for number in range(2, 2 + steps):
        situation.advance_before(StepRef(1, number))
        zones = EnemyZones(Circumstances(situation, ("m",)), rules, "Red")
        found.append(zones.locally(HERE, test).holds)
    return found


def strong(unit: Enemy) -> bool:
    return not unit.most("ma", 3)


def held_by_strong_friends(place: Locality) -> bool:
    return place.friends_who(strong)


def test_a_friend_may_have_come_since_the_move_before() -> None:
    script = new_game("m Red 0201 4", "f Red 0101 4", "e Blue 0105 4").move().drag("f", HERE)
    assert asked(script.drag("f", "0102"), held_by_strong_friends, 3) == [False, True, False]


def test_a_fact_of_a_friend_may_have_changed_since_the_move_before() -> None:
    script = new_game("m Red 0201 4", f"f Red {HERE} 4", "e Blue 0105 4").move()
    script = script.flip("f", "ma", known(4), known(2))
    assert asked(script, held_by_strong_friends, 2) == [True, False]


def test_an_enemy_is_tested_anew_only_after_something_happened_to_one() -> None:
    tried = []

    def strong_enemy(unit: Enemy) -> bool:
        tried.append(unit.moving.id)
        return strong(unit)

    script = new_game("m Red 0201 4", "f Red 0101 4", f"e Blue {HERE} 4").move()
    script = script.drag("f", "0102").drag("f", "0101").flip("e", "ma", known(4), known(2))
    told = asked(script, lambda place: place.enemies_who(strong_enemy), 4)
    assert (told, tried) == ([True] * 3 + [False], ["e", "e"])


def test_counters_that_are_thought_elsewhere_are_there_for_that_thought_alone() -> None:
    """Counters of a side that is not known, each tried where the other is not."""
    script = new_game("m Red 0201 4", "a ? 0101 4", "b ? 0101 4").move().drag("m", "0202")
    game = script.game()
    rules: Any = RULESETS["tide-of-iron"].in_force(game)
    situation = Situation(game)
    situation.advance_before(StepRef(1, 2))
    found = []
    for unit in ("a", "b"):
        there = situation.displaced((unit,), Place("hex", HERE))
        found += EnemyZones(Circumstances(there, ("m",)), rules, "Red").enemies(HERE)
    assert [unit for unit, _ in found] == ["a", "b"]
