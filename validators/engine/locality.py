"""The view of a hex, and of the units in it and beside it, for tests that run once for all movers of a
side."""

from __future__ import annotations

from collections.abc import Callable, Container, Iterable
from functools import partial
from typing import TYPE_CHECKING, Any, NamedTuple

from ...model.board import edge
from ...model.fact import MissingFact
from ..concepts.lines import about_hex, about_lines
from ..concepts.logic import both, some
from ..concepts.requirements import question
from ..cost_interval import CostInterval
from .asking import Outcome, Run, later, outcome, sum_of
from .other_unit import Enemy
from .questions import of_board
from .subject import Subject

if TYPE_CHECKING:
    from .enemies import EnemyZones

LocalTest = Callable[["Locality"], Any]
Present = list[tuple[str, bool | None]]
"""Units that are in a hex (True) or may be in it (None)."""


class Locality(Subject):
    """A hex with the units in it and beside it, without units that move along. ``of``: the hex that the test
    is about."""

    def __init__(self, run: Run, zones: EnemyZones, name: str, of: str = "") -> None:
        super().__init__(run, zones._rules)
        self._zones, self._name, self._of = zones, name, of or name
        self._board = zones._board

    @property
    def near(self) -> list[Locality]:
        """The neighbouring hexes."""
        names = self._board.neighbours(self._name)
        return [Locality(self.run, self._zones, name, self._of) for name in names]

    @property
    def name(self) -> str:
        """Its name, for a test."""
        return self._name

    def named(self, name: str) -> Locality:
        """Another hex, by its name."""
        return Locality(self.run, self._zones, name, self._of)

    @property
    def entered(self) -> Locality:
        """The hex that the test is about."""
        return self.named(self._of)

    @property
    def is_entered(self) -> bool:
        """Whether it is the hex that the test is about."""
        return self._name == self._of

    @property
    def holds_enemies(self) -> bool:
        """Whether enemies are, or may be, in it."""
        return bool(self._foes())

    def has(self, names: Iterable[str]) -> bool:
        """Whether one of these terrains or features is in it."""
        names = frozenset(names)
        asked = partial(of_board, about_hex(self._board, self._name))
        key = "has", self._name, names
        return self.run.yes(key, self._board.has(self._name, names), asked)

    def doubts(self, chart: str) -> bool:
        """Whether a thing in it belongs to a chart that is not complete and does not list it."""
        asked = self.rules.complete.questions(chart)
        return self.run.yes(("in doubt", self._name, chart), None, *asked)

    @property
    def names(self) -> tuple[str, ...]:
        """Its known terrains and features."""
        here = self._board.hexes[self._name]
        return (*(here.terrain or ()), *here.features)

    def crossed(self, kinds: Iterable[str]) -> bool:
        """Whether a line of one of these kinds crosses the hexside to the hex that the test is about."""
        side = edge(self._name, self._of)
        drawn = {line.kind for line in self._board.lines_by_edge.get(side, ())}
        maybe = self._board.maybe_across(side)
        wanted = frozenset(kinds)
        holds = True if drawn & wanted else None
        if holds is None and maybe is not None and not maybe & wanted:
            holds = False
        return self.run.yes(("crossed", side, wanted), holds, partial(of_board, about_lines(*side)))

    # -- units -------------------------------------------------------------------------------------

    def _foes(self) -> Present:
        return [(unit, sure or None) for unit, sure in self._zones.enemies(self._name)]

    def _mates(self) -> Present:
        return self._zones.mates(self._name)

    def enemies_who(self, test: Callable[[Enemy], bool]) -> bool:
        """Whether an enemy for which a test holds is in it."""
        return self._any(self._foes(), test)

    def friends_who(self, test: Callable[[Enemy], bool]) -> bool:
        """Whether a friend for which a test holds, and that does not move along, is in it."""
        return self._any(self._mates(), test)

    def enemies_come_to(self, least: int, work: Callable[[Enemy], Any]) -> bool:
        """Whether the sum of ``work`` over its enemies is at least ``least``. A result of None stands for any
        number."""
        return self._sum(self._foes(), least, work)

    def friends_come_to(self, least: int, work: Callable[[Enemy], Any]) -> bool:
        """As :meth:`enemies_come_to`, for friends that do not move along."""
        return self._sum(self._mates(), least, work)

    def reckoned(self, work: Callable[[Enemy], CostInterval]) -> list[CostInterval]:
        """The cost, by ``work``, of each enemy that may be in it; bounds if it is not known."""
        found = []
        for unit, sure in self._foes():
            one = self._zones.bounds_of(unit, sure, self._name, self._of, work)
            self.run.log.open += one.asked
            found.append(CostInterval(one.lo, one.hi))
        return found

    def some_near(self, test: LocalTest, apart: Container[str] = ()) -> bool:
        """Whether a test holds for a neighbouring hex that may have enemies, without the hexes ``apart``.
        Each is tried by itself."""
        near = [one for one in self.near if one.holds_enemies and one.name not in apart]
        once, of = self._zones.once, self._of
        tried = [
            once(("near", one.name, of, test), partial(outcome, partial(_try, test, one)))
            for one in near
        ]
        return self._some(("near", self._name, test, tuple(one.name for one in near)), tried)

    def some_afar(
        self, about: str, values: tuple[str, ...], test: Callable[[Locality, Afar], bool]
    ) -> bool:
        """Whether a test holds for an enemy on the map whose attribute ``about`` may have one of ``values``.
        Each is tried by itself."""
        tried = [
            self._zones.once(
                ("afar", unit, self._name, self._of, test),
                partial(outcome, partial(self._try_afar, test, unit, name)),
            )
            for unit, name in self._zones.enemies_on_map(about, values)
        ]
        return self._some(("afar", self._name, test), tried)

    def _try_afar(self, test: Any, unit: str, name: str, run: Run) -> bool:
        here = Locality(run, self._zones, self._name, self._of)
        far = self._board.distance(name, self._name)
        sure = dict(self._zones.enemies(name)).get(unit)
        one = Afar(Enemy(run, self.rules, unit, self._zones, name, self._of), far)
        asked = () if sure else self._zones.asked_of(unit, name)
        return run.yes(("there", unit, name), sure or None, *asked) and test(here, one)

    def in_reach(self, one: Afar, about: str) -> bool:
        """Whether a number of an enemy is at least its distance in hexes."""
        reach, far = one.unit.fact(about), one.far
        holds = None
        if far is not None and reach.low is not None and reach.low >= far:
            holds = True
        elif far is not None and reach.high is not None and reach.high < far:
            holds = False
        key = "in reach", one.unit.moving.id, self._name
        return self.run.yes(key, holds, one.unit.asked(about))

    def undecided_by(self, name: str, about: str) -> bool:
        """Something about its enemies that only their attribute ``about`` decides, or, if that is empty, only
        the reading ``name``: the answer assumed in this run."""
        units = (self.rules.game.units[unit] for unit, _ in self._foes())
        asked = [later(question, unit, about) for unit in units if about]
        if not about:
            asked = [later(self.rules.reading_question, name)]
        return self.run.yes(("undecided", self._name, name), None, *asked)

    def _some(self, key: object, tried: list[Outcome]) -> bool:
        found = some(one.holds for one in tried)
        facts = dict.fromkeys(f for one in tried if one.holds is None for f in one.facts)
        return self.run.yes(key, found, *facts)

    def _any(self, units: Present, test: Callable[[Enemy], bool]) -> bool:
        """Whether a test holds for one of ``units``. Each is tried by itself, and all missing facts are asked
        for at once."""
        asked: list[MissingFact] = []
        for unit, sure in units:
            tried = self._zones.tested(unit, self._name, self._of, test)
            holds = both(sure, tried.holds)
            if holds:
                return True
            if holds is None:
                asked += () if sure else self._zones.asked_of(unit, self._name)
                asked += () if tried.holds else tried.facts
        key = "any", self._name, tuple(units), test
        return self.run.yes(key, None if asked else False, *dict.fromkeys(asked))

    def _sum(self, units: Present, least: int, work: Callable[[Enemy], Any]) -> bool:
        of = self._zones.bounds_of
        lo, hi, asked = sum_of([of(u, sure, self._name, self._of, work) for u, sure in units])
        holds = True if lo >= least else False if hi is not None and hi < least else None
        return self.run.yes(("sum", self._name, least, work), holds, *asked)


class Afar(NamedTuple):
    """An enemy on the map. ``far``: its distance from the hex; None: not known."""

    unit: Enemy
    far: int | None


def _try(test: LocalTest, place: Locality, run: Run) -> Any:
    return test(Locality(run, place._zones, place._name, place._of))
