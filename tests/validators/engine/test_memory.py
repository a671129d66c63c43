"""What the engine keeps of results changes nothing: neither verdicts nor questions."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from pathlib import Path
from random import Random
from typing import Any

import pytest
from cases import RULESETS, draw
from drawn_rules import draw_game, draw_rules, with_more_moves
from flat import new_game
from play.kit import Action, Drag, GameSetup, Phase, kits
from play.legal import play
from play.printing import audit as read
from play.printing import write
from play.withheld import withhold
from tiers import SEED, by_tier
from tiers import drawn as some
from vassal_umpire.model.boards import BoardChange
from vassal_umpire.model.fact import known
from vassal_umpire.model.finding import Audit
from vassal_umpire.model.game import Game, Place, StepRef
from vassal_umpire.validators.audit import audit
from vassal_umpire.validators.engine import memo
from vassal_umpire.validators.engine.asking import Log
from vassal_umpire.validators.engine.enemies import EnemyZones
from vassal_umpire.validators.engine.locality import Locality
from vassal_umpire.validators.engine.mover import ClauseMover
from vassal_umpire.validators.engine.other_unit import Enemy
from vassal_umpire.validators.engine.rules import Rules
from vassal_umpire.validators.engine.ruleset import ClauseRuleset
from vassal_umpire.validators.judge import Judgement, judge_move
from vassal_umpire.validators.ruleset import Circumstances
from vassal_umpire.validators.situation import Situation

DRAWN = by_tier(8, ci=40, proof=20_000)
CASES = by_tier(3, ci=12, proof=10_000)
"""Of each ruleset."""
ONCE_WRONG = ("739948 memory 511",)
ONCE_WRONG_IN_PLAY = (("valor-and-victory", 739951),)
"""Games in which what was kept was wrong; these take a minute, so that the proof alone has them."""
PLAYED = by_tier(0, ci=1, proof=40)
"""Games of legal play of a ruleset; in ci of one ruleset each day."""
WILD = 3
"""Drags to anywhere in each phase of one turn more."""
EVERY = by_tier(5, ci=2, proof=1)
"""Every so many times that a kept result is found it is worked out anew."""


def said(found: Audit) -> list[Any]:
    """All that an audit says."""
    return [
        *((m.verdict, m.form, m.path, m.bill, m.unknowns, m.remark) for m in found.moves),
        *found.findings,
        *found.problems,
    ]


def forgetful(
    ruleset: ClauseRuleset, move: Any, situation: Any, _rules: Rules, **given: Any
) -> Judgement:
    """As :func:`judge_move`, by rules and in a situation that nothing has been asked of before; the situation
    is the same where the board changes in play."""
    game = situation.game  # as the audit reads it: words made alike
    if any(isinstance(event, BoardChange) for event in game.events):
        return judge_move(move, situation, ruleset.in_force(game), **given)
    afresh = Situation(game)
    afresh.advance_before(situation.at)
    assert afresh.applied == situation.applied
    span = afresh.over(afresh.timeline.step_of(situation.until - 1))
    assert span.until == situation.until
    return judge_move(move, span, ruleset.in_force(game), **given)


def wild(setup: GameSetup, actions: Sequence[Action], rng: Random) -> Iterator[Action]:
    """One more turn, in which everybody is dragged anywhere."""
    phases = [action for action in actions if isinstance(action, Phase)]
    turn = phases[-1].turn + 1
    for phase, side in dict.fromkeys((action.phase, action.active) for action in phases):
        yield Phase(turn, phase, side)
        own = [name for name, unit in setup.units.items() if unit.side == side]
        for unit in rng.sample(own, min(WILD, len(own))):
            yield Drag((unit,), rng.choice(list(setup.board.hexes)))


def played(folder: Path) -> Iterator[tuple[str, Game, ClauseRuleset]]:
    """Whole games of legal play with a wild turn at their end, of half of them facts withheld."""
    drawn = [
        (kit, SEED + number)
        for kit in some([*kits().values()], 1)
        for number in range(PLAYED and max(1, PLAYED // kit.slow))
    ]
    once_wrong = [(kits()[name], number) for name, number in ONCE_WRONG_IN_PLAY if PLAYED > 1]
    for kit, number in dict.fromkeys((*once_wrong, *drawn)):
        seed = f"{kit.name}-{number}"
        rng = Random(seed)
        game = play(kit, rng, 20)
        poorer = withhold(kit, rng) if number % 2 else lambda _pack: None
        actions = [*game.actions, *wild(game.setup, game.actions, rng)]
        _, told = read(write(kit, game.setup, actions, folder / seed, logs=2, poorer=poorer))
        yield seed, told, RULESETS[kit.name]


def games(folder: Path) -> Iterator[tuple[str, Game, ClauseRuleset]]:
    """Cases, games of several moves by drawn rules, and games of legal play."""
    for name, ruleset in RULESETS.items():
        if isinstance(ruleset, ClauseRuleset):
            for case in draw(name, Random(SEED), CASES):
                yield case.id, case.game, ruleset
    for seed in (*ONCE_WRONG, *(f"{SEED} memory {number}" for number in range(DRAWN))):
        rng = Random(seed)
        rules = draw_rules(rng)
        yield seed, with_more_moves(rng, draw_game(rng, rules)), rules.ruleset()
    yield from played(folder)


def test_what_is_kept_changes_nothing(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """An audit that forgets everything before each move says the same as one that keeps it; in that one some
    of what is kept, of results (:meth:`ResultCache.keep` gets them anew) and of enemies from move to move,
    is worked out again and compared."""
    hits = compared = enemy_hits = enemies_compared = 0
    is_watched = False
    found_of, keep_of, once_of = memo.ResultCache.find, memo.ResultCache.keep, EnemyZones.once

    def find(self: memo.ResultCache, subject: Any) -> memo.Leaf | None:
        nonlocal hits
        found = found_of(self, subject)
        hits += is_watched and found is not None
        return None if is_watched and hits % EVERY == 0 else found

    def keep(self: memo.ResultCache, subject: Any, reads: Any, leaf: memo.Leaf) -> memo.Leaf:
        nonlocal compared
        before = found_of(self, subject) if is_watched else None
        if before is not None:
            compared += 1
            assert plain(leaf.value) == plain(before.value), subject
        return keep_of(self, subject, reads, leaf)

    def once(self: EnemyZones, key: Any, work: Callable[[], Any]) -> Any:
        nonlocal enemy_hits, enemies_compared
        lasts = is_watched and self._lasting is not self._of_now
        found = self._lasting.get(key) if lasts else None
        if found is not None:
            enemy_hits += 1
            if enemy_hits % EVERY == 0:
                enemies_compared += 1
                assert plain(work()) == plain(found), key
        return once_of(self, key, work)

    monkeypatch.setattr(memo.ResultCache, "find", find)
    monkeypatch.setattr(memo.ResultCache, "keep", keep)
    monkeypatch.setattr(EnemyZones, "once", once)
    for name, game, ruleset in games(tmp_path):
        is_watched = False
        anew = said(audit(game, ruleset, judge=partial(forgetful, ruleset)))
        is_watched = True
        found = audit(game, ruleset)
        assert said(found) == anew, name
        assert not [p for p in found.problems if p.severity == "error"], name
    assert compared > hits // (20 * EVERY)
    assert enemies_compared > 0


def plain(value: Any) -> Any:
    """A kept value in a form that compares by what it says."""
    if isinstance(value, Log):
        return "a log"
    if isinstance(value, tuple) and hasattr(value, "_fields"):
        return type(value).__name__, *map(plain, value)
    if isinstance(value, (tuple, list)):
        return tuple(map(plain, value))
    return value if type(value) is not object else "an object"


# -- What is known of enemies is kept from move to move; what was read of friends holds for one move --

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


MOVERS_ELSEWHERE = {
    "wacht-am-rhein": ("PAIR-BY-ROAD", "T12"),
    "valor-and-victory": ("STACK-OF-SIX", "ENTERS"),
}
"""Cases in which movers are made besides those of the moves: one by one, going on, of a whole phase."""


def test_what_a_mover_found_goes_when_its_move_is_judged(monkeypatch: pytest.MonkeyPatch) -> None:
    """It lies in a ring, and searches for garbage took a quarter of an evening at the studio."""
    movers: list[ClauseMover] = []
    graph = ClauseMover.graph
    monkeypatch.setattr(
        ClauseMover, "graph", lambda m, world: (movers.append(m), graph(m, world))[1]
    )
    for name, ruleset in RULESETS.items():
        for case in draw(name, Random(SEED), 3, MOVERS_ELSEWHERE.get(name, ())):
            audit(case.game, ruleset)
            left = [mover for mover in movers if mover.near or mover.fans or mover._graphs]
            assert not left, case.id
    assert movers


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
