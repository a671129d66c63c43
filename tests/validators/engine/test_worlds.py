"""Rules drawn at random: what the engine says of a move holds in every world that is left open."""

from __future__ import annotations

from collections import Counter
from random import Random

from drawn_acts import ACT, ReaderOfActs, draw_acts
from drawn_rules import DrawnGame, DrawnRules, Reader, draw_game, draw_rules
from tiers import SEED, by_tier
from vassal_umpire.model.finding import Audit
from vassal_umpire.validators.audit import audit

DRAWS = by_tier(60, ci=420, proof=50_000)
ACTS = by_tier(30, ci=140, proof=10_000)
NEEDLESS = 0.08
"""The share of all games that may be left open though they are the same in every world; 0.03 are."""
ONCE_WRONG = (
    *("739949 0 86", "739949 0 408", "1 0 570", "739948 1 198", "739948 1 413", "1 1 150"),
    "2 2 629",
)
"""Games in which a verdict was wrong."""
ACTS_ONCE_WRONG = ("s acts 12", "s acts 33", "s acts 223")
"""Games in which it was: an interpretation was not tried where a unit may be carried, or was without what it
paid for boarding; that was not counted with a step that takes the whole allowance."""


Said = Counter[tuple[str, int]]


def judged(
    number: str, rules: DrawnRules, drawn: DrawnGame, reader: type[Reader], said: Said
) -> tuple[Audit, list[Reader]]:
    """The audit of a drawn game, whose verdict holds in every world that is left open; and the readers of all
    those worlds. The verdict is counted in ``said``, by how many truths there are."""
    found = audit(drawn.game(), rules.ruleset())
    assert found.problems == (), (number, found.problems)
    (move,) = found.moves
    readers = [reader(rules, drawn, world) for world in drawn.worlds()]
    truths = {one.legal() for one in readers}
    said[move.verdict, len(truths)] += 1
    if move.verdict != "unverifiable":
        assert truths == {move.verdict == "legal"}, (number, rules, drawn)
    else:
        assert drawn.open, (number, rules, drawn)
        assert move.unknowns, (number, rules, drawn)
    return found, readers


def are_worth_it(said: Said) -> None:
    assert len({verdict for verdict, _ in said}) == 3, said
    assert said["unverifiable", 2] > said["unverifiable", 1], said


def test_a_verdict_holds_in_every_world() -> None:
    said = Said()
    for number in (*ONCE_WRONG, *(f"{SEED} {number}" for number in range(DRAWS))):
        rng = Random(number)
        rules = draw_rules(rng)
        judged(number, rules, draw_game(rng, rules), Reader, said)
    are_worth_it(said)
    assert said["unverifiable", 1] < NEEDLESS * said.total(), said


def test_a_verdict_on_sums_and_acts_holds_in_every_world() -> None:
    """Enemies counted, things in hexes, getting out, boarding, and a marker that may not be put on."""
    said = Said()
    for number in (*ACTS_ONCE_WRONG, *(f"{SEED} acts {number}" for number in range(ACTS))):
        rules, drawn = draw_acts(Random(number))
        found, readers = judged(number, rules, drawn, ReaderOfActs, said)
        marked = {one.verdict for one in found.findings if one.clause == ACT}
        may = {reader.may_be_marked() for reader in readers}
        wrong = {"illegal"} if may == {False} else {"unverifiable"} if False in may else set()
        assert marked == wrong, (number, rules, drawn)
    are_worth_it(said)
