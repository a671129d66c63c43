"""Whether a unit that came onto the map may have reached the hex where it was first seen. Also stand-ins for
movers, to run clauses on a step that no mover makes: from off the map into a hex, or an enemy's own step.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any, ClassVar, NamedTuple

from ...model.bill import written
from ...model.board import Board
from ...model.fact import Fact, MissingFact, known
from ...model.unit import Unit
from ..concepts.logic import both
from ..cost_interval import CostInterval, total
from ..ruleset import Scenario
from ..search import SpendingLimit, cheapest, watch
from ..unit_verdict import telling_assumptions
from .clauses import ClauseFunction
from .due import NOBODY, charge_of, words_of
from .edges import Edges
from .mover import ClauseMover
from .step import Step

if TYPE_CHECKING:
    from .enemies import EnemyZones
    from .friends import Near
    from .rules import Rules


SIX = 6
"""The number of neighbours of a hex that is not on the edge of the map."""


@dataclass(frozen=True)
class StandIn:
    """A stand-in for a mover of class ``cls``."""

    rules: Rules
    cls: str
    form: ClassVar[str] = ""

    @property
    def board(self) -> Board:
        """The board that clauses see."""
        return self.rules.game.board

    @property
    def edges(self) -> Edges:
        """The edges of the board."""
        return self.rules.edges_of(self.board)


class Arrival(StandIn):
    """A stand-in for a mover on its way onto the map, in a phase of the ruleset's first kind."""

    @property
    def facts(self) -> Any:
        """The facts of such a mover."""
        kind = known(self.rules.kinds[0])
        known_ = {"kind": kind, **self.rules.declared.arrivals.known}
        return SimpleNamespace(known=known_, taken_as=None)


class Arrived(NamedTuple):
    """Whether a unit may have come to a hex from the edge; None: not known. If it may not, ``clause`` and
    ``text`` say why. ``asked``: the facts that would decide it."""

    may: bool | None
    clause: str = ""
    text: str = ""
    asked: tuple[MissingFact, ...] = ()


def arrived(rules: Rules, scenarios: Sequence[Scenario], name: str) -> Arrived:
    """Whether a unit with ``scenarios`` may have come to hex ``name``."""
    found = [_in_scenario(rules, scenario, name) for scenario in scenarios]
    answers = {one.may for one in found} or {True}
    may = answers.pop() if len(answers) == 1 else None
    telling = telling_assumptions(scenarios, [str(one.may) for one in found])
    asked = (*telling, *(fact for one in found for fact in one.asked))
    why = next((one for one in found if one.may is not True), Arrived(True))
    return Arrived(may, why.clause, why.text, asked)


def _in_scenario(rules: Rules, scenario: Scenario, name: str) -> Arrived:
    why = Arrived(not scenario.movers)  # it has no form that these rules judge
    for mover in scenario.movers:
        if not isinstance(mover, ClauseMover):
            return Arrived(True)
        found = _by_mover(rules, mover, name, why.asked)
        if found.may is not False:
            return found
        why = found
    return why


def _by_mover(
    rules: Rules, mover: ClauseMover, name: str, asked: tuple[MissingFact, ...]
) -> Arrived:
    arrivals = rules.declared.arrivals
    for clause in arrivals.onto:
        if clause.forbids and rules.entry_cost(mover.cls, name, (clause,)).barred:
            return Arrived(False, clause.forbids, _closed(rules, mover.cls, clause, name), asked)
    held, open_ = _held(rules, mover, name), False
    if held is not False:
        text = f"into {name}, where enemies were"
        if held:
            return Arrived(False, arrivals.among_enemies, text, asked)
        open_, asked = True, mover.zones.missing_in(name)
    budget, where = mover.budget, "which no way from its edge reaches"
    least, most = (None, None) if budget.amount is None else (budget.amount.lo, budget.amount.hi)
    if most is None or _reaches(rules, mover, name, int(most * rules.scale)):
        if least == most or least is None or _reaches(rules, mover, name, int(least * rules.scale)):
            text = f"into {name}, where enemies were"
            return Arrived(None if open_ else True, arrivals.among_enemies, text, asked)
        asked = tuple(weighted.unknown for weighted in budget.missing)
        text = f"to {name}, {where} for {written(least)} {budget.unit}"
        return Arrived(None, arrivals.clause, text, asked)
    text = f"to {name}, {where} for {budget.amount and budget.amount.written} {budget.unit}"
    if budget.unit == "hexes":
        text = f"to {name}, which is not on its edge"
    return Arrived(False, arrivals.clause, text, asked)


def _held(rules: Rules, mover: ClauseMover, name: str) -> bool | None:
    """Whether enemies keep a unit from entering by a hex; None: not known."""
    arrivals = rules.declared.arrivals
    if mover.cls in arrivals.overrunning or not rules.applies(arrivals.among_enemies):
        return False
    return mover.zones.at(name).enemy


def _closed(rules: Rules, cls: str, clause: ClauseFunction, name: str) -> str:
    """A text: how a unit broke a clause that closes a hex."""
    step = Step(NOBODY, Arrival(rules, cls), "", name, None, None)
    said = words_of(clause, step, closed=bool(clause.bars))
    return f"and {said.replace('enters', 'entered', 1)}, in {name}"


def _reaches(rules: Rules, mover: ClauseMover, name: str, most: int) -> bool:
    """Whether a path from the edge to a hex may cost at most ``most`` (1/scale MP)."""
    watch(mover.board.hexes)  # the result depends on the whole edge
    return any(_from_edge(rules, mover, edge, name, most) for edge in mover.board.hexes)


def _from_edge(rules: Rules, mover: ClauseMover, edge: str, name: str, most: int) -> bool:
    """Whether a mover may have entered by the hex ``edge`` and gone on to hex ``name`` for at most ``most``
    (1/scale MP)."""
    board, arrivals = mover.board, rules.declared.arrivals
    if len(board.neighbours(edge)) >= SIX or _held(rules, mover, edge):
        return False
    cost = rules.entry_cost(mover.cls, edge, arrivals.onto)
    if cost.barred is True or edge == name:
        return cost.barred is not True
    spent = mover.least if mover.budget.unit == "hexes" else cost.lo
    if spent + (board.distance(edge, name) or 0) * mover.least > most:
        return False
    graph = mover.graph("favourable")
    graph.no_course()
    return cheapest(board, graph, edge, (name,), SpendingLimit(most, spent)) is not None


@dataclass(frozen=True)
class Newcomer(StandIn):
    """A unit with the facts ``known``, in place of a mover. ``zones``: its enemies."""

    unit: Unit
    known: Mapping[str, Fact]
    zones: EnemyZones | None

    @property
    def facts(self) -> Any:
        """The facts of the unit, in the form of a mover's."""
        return SimpleNamespace(
            known=self.known, unit=self.unit, has_move=False, taken_as=None, form=self.form
        )

    def enemies(self, name: str, needs: tuple[Any, ...]) -> bool | None:
        """Whether enemies that bar a hex and meet ``needs`` are in it; None: not known."""
        assert self.zones is not None
        found = self.zones.at(name).enemy
        return both(found, self.zones.enemy_who(name, needs)) if found and needs else found

    def friends_first(self, name: str, needs: tuple[Any, ...]) -> Near:
        """See :meth:`.enemies.EnemyZones.friends`."""
        assert self.zones is not None
        return self.zones.friends(name, needs, self.unit, None)

    def due(self, clauses: Sequence[ClauseFunction], here: str, to: str, by: Any) -> CostInterval:
        """The total that ``clauses`` charge for a step into a hex; barred if one forbids it."""
        step = Step(NOBODY, self, here, to, None, None, by=by)
        return total(charge_of(c, step) for c in clauses if c.kind in ("cost", "forbid"))
