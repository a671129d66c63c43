"""What the engine keeps of results changes nothing: neither verdicts nor questions."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from random import Random
from typing import Any

import pytest
from cases import RULESETS, draw
from drawn_rules import draw_game, draw_rules, with_more_moves
from tiers import SEED, by_tier
from vassal_umpire.model.finding import Audit
from vassal_umpire.model.game import Game
from vassal_umpire.validators.audit import audit
from vassal_umpire.validators.engine import memo
from vassal_umpire.validators.engine.asking import Log
from vassal_umpire.validators.engine.enemies import EnemyZones
from vassal_umpire.validators.engine.rules import Rules
from vassal_umpire.validators.engine.ruleset import ClauseRuleset
from vassal_umpire.validators.judge import Judgement, judge_move

DRAWN = by_tier(12, ci=100, proof=20_000)
CASES = by_tier(6, ci=30, proof=10_000)
"""Of each ruleset."""
ONCE_WRONG = ("739948 memory 511",)
"""Games in which what was kept was wrong."""
EVERY = by_tier(5, ci=2, proof=1)
"""Every so many times that a kept result is found it is worked out anew."""


def said(found: Audit) -> list[Any]:
    """All that an audit says."""
    return [
        *((m.verdict, m.form, m.path, m.bill, m.unknowns, m.remark) for m in found.moves),
        *found.findings,
        *found.problems,
    ]


def forgetful(move: Any, situation: Any, rules: Rules, **given: Any) -> Judgement:
    """As :func:`judge_move`, after all that was kept is forgotten."""
    rules.memo.clear()
    rules.common.clear()
    return judge_move(move, situation, rules, **given)


def games() -> Iterator[tuple[str, Game, ClauseRuleset]]:
    """Cases, and games of several moves by drawn rules."""
    for name, ruleset in RULESETS.items():
        if isinstance(ruleset, ClauseRuleset):
            for case in draw(name, Random(SEED), CASES):
                yield case.id, case.game, ruleset
    for seed in (*ONCE_WRONG, *(f"{SEED} memory {number}" for number in range(DRAWN))):
        rng = Random(seed)
        rules = draw_rules(rng)
        yield seed, with_more_moves(rng, draw_game(rng, rules)), rules.ruleset()


def test_what_is_kept_changes_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    """An audit that forgets everything before each move says the same as one that keeps it; in that one some
    of what is kept, of results (which :meth:`Kept.keep` gets anew) and of enemies from move to move, is
    worked out again and compared."""
    hits = compared = enemy_hits = enemies_compared = 0
    is_watched = False
    found_of, keep_of, once_of = memo.Kept.find, memo.Kept.keep, EnemyZones.once

    def find(self: memo.Kept, subject: Any) -> memo.Leaf | None:
        nonlocal hits
        found = found_of(self, subject)
        hits += is_watched and found is not None
        return None if is_watched and hits % EVERY == 0 else found

    def keep(self: memo.Kept, subject: Any, reads: Any, leaf: memo.Leaf) -> memo.Leaf:
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

    monkeypatch.setattr(memo.Kept, "find", find)
    monkeypatch.setattr(memo.Kept, "keep", keep)
    monkeypatch.setattr(EnemyZones, "once", once)
    for name, game, ruleset in games():
        is_watched = False
        anew = said(audit(game, ruleset, judge=forgetful))
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
