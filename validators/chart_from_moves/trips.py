"""The moves of a game that a chart must explain, with the unit's class and allowance at that time."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from ...model.bill import ZERO
from ...model.finding import JudgedMove, Move
from ...model.game import Game
from ..audit import audit_known
from ..judge import Judgement
from ..ruleset import Circumstances, Ruleset, RulesInForce
from ..situation import Situation
from .fit import Trip
from .ground import SCALE, Ground

NO_ALLOWANCE = "the allowance is not known"
SEVERAL = "the unit may have moved by several forms, with different allowances"
NO_CLASS = "the class is not known"
NO_PHASE = "the phase is not known"
NOT_ALONE = "something else than movement may have displaced the unit in that phase"
MOVED_BEFORE = "the unit had moved before in the phase"
CREDIT = "its last step may cost more than what is left"
ONE_HEX = "one hex may be entered whatever it costs"


@dataclass
class Trips:
    """The trips of a game by class, and the number of moves left out, by reason."""

    by_class: dict[str, list[Trip]] = field(default_factory=lambda: defaultdict(list))
    left_out: Counter[str] = field(default_factory=Counter)


def trips_of(game: Game, ruleset: Ruleset, ground: Ground, classes: Mapping[str, Any]) -> Trips:
    """The trips of the moves that the ruleset would judge. ``classes``: the table ``[rules.classes]``, with
    ``names`` and ``attribute`` (without it, every unit is of the first class)."""
    phases: dict[tuple[str, str, str], int] = {}
    seen: dict[Move, list[tuple[str, Trip] | str]] = {}

    def look(move: Move, situation: Situation, rules: RulesInForce, **given: Any) -> Judgement:
        units = (unit for unit in move.units if game.units[unit].kind == "unit")
        told = (
            _trip(unit, move, situation, rules, given, ground, classes, phases) for unit in units
        )
        seen[move] = [one for one in told if one is not None]
        return Judgement(JudgedMove(move, "legal"))

    found = Trips()
    for judged in audit_known(game, ruleset, judge=look).moves:
        for one in seen.get(judged.move, ()) if judged.judged else ():
            if isinstance(one, str):
                found.left_out[one] += 1
            else:
                found.by_class[one[0]].append(one[1])
    return found


def _trip(
    unit: str,
    move: Move,
    situation: Situation,
    rules: RulesInForce,
    given: Mapping[str, Any],
    ground: Ground,
    classes: Mapping[str, Any],
    phases: dict[tuple[str, str, str], int],
) -> tuple[str, Trip] | str | None:
    """The class and trip of one unit; a text: why it is left out; None: it did not go from hex to hex."""
    phase = move.phase
    if phase.phase is None:
        return NO_PHASE
    rule = situation.game.phases.get(phase.phase)
    if rule is None or not rule.complete or not given.get("accused", True):
        return NOT_ALONE
    origin, target = move.origin.hex, move.target.hex
    if origin is None or target is None or origin == target:
        return None
    if given.get("spent_before", ZERO) != ZERO:
        return MOVED_BEFORE
    cls = classes["names"][0]
    if "attribute" in classes:
        told = situation.fact(unit, classes["attribute"]).value
        if not isinstance(told, str) or told not in classes["names"]:
            return NO_CLASS
        cls = told
    allowance = _allowance(unit, move, situation, rules, given)
    if isinstance(allowance, str):
        return allowance
    if rule.complete_for and cls not in rule.complete_for:
        return NOT_ALONE
    key = (str(phase.turn), str(phase.phase), str(phase.active))
    number = phases.setdefault(key, len(phases))
    label = f"log {move.steps[-1].log} step {move.steps[-1].step}, {origin} to {target}"
    return cls, Trip(number, ground.index[origin], ground.index[target], allowance, label)


def _allowance(
    unit: str, move: Move, situation: Situation, rules: RulesInForce, given: Mapping[str, Any]
) -> int | str:
    """The unit's allowance by the rules, with all modifiers, in 1/:data:`SCALE` MP; a text: why it does not
    bound the cost of the move."""
    forms = given.get("forms") or ("",)
    circumstances = Circumstances(situation, move.units, forms, move=move)
    near = situation.game.board.neighbours(move.origin.hex or "")
    amounts = set()
    for scenario in rules.scenarios(unit, circumstances):
        for mover in scenario.movers:
            amount = mover.budget.amount
            if amount is None or not amount.is_exact or mover.budget.unit != "MP":
                return NO_ALLOWANCE
            if mover.budget.policy.overdraft is not None:
                return CREDIT
            if mover.budget.policy.minimum_move and move.target.hex in near:
                return ONE_HEX
            amounts.add(amount.lo)
    if len(amounts) > 1:
        return SEVERAL
    return int(amounts.pop() * SCALE) if amounts else NO_ALLOWANCE
