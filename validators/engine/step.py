"""The view that clauses have of a step. Every read is noted in the run, also of the name of a hex."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from ...model.fact import MissingFact
from ...model.stanza import BLANK, stanza
from ..concepts.charts import UNKNOWN_CELL, Mixture, terrain_cost
from ..cost_interval import CostInterval
from . import questions
from .asking import Log, Run, later
from .asking import Question as Asking
from .crossing import Crossing
from .hex_view import HexView
from .questions import AROUND, FLANK, HERE, INTO, OUT_OF, of_board, part_of

if TYPE_CHECKING:
    from .arrivals import Arrival, Newcomer
    from .fan import Fan
    from .other_unit import Enemy


class State:
    """The state of a mover; every read is noted."""

    __slots__ = ("_log", "_of", "_other", "_raw")

    def __init__(self, log: Log, of: Any, raw: Any, other: dict[str, Any]) -> None:
        self._log, self._of, self._raw, self._other = log, of, raw, other

    def __getattr__(self, name: str) -> Any:
        if name in self._other:
            return self._other[name]
        self._log.reads[self._of, name] = None
        return getattr(self._raw, name)

    def _replace(self, **other: Any) -> State:
        return State(self._log, self._of, self._raw, {**self._other, **other})

    def raw(self) -> Any:
        """The state itself, for the engine."""
        self._log.reads[self._of, ""] = None
        return self._raw._replace(**self._other)

    def __eq__(self, other: object) -> bool:
        return bool(self.raw() == (other.raw() if isinstance(other, State) else other))

    def __hash__(self) -> int:
        return hash(self.raw())


class Step(Crossing):
    """One step: an entry into a neighbouring hex, or an action in a hex. ``tag``, ``after``: the mover's
    state before and after it; None if the ruleset has no states. ``place``: for action functions, the index
    of the neighbour that is entered; else None. Attributes that end in ``_`` are only for the engine."""

    __slots__ = (
        "after_",
        "before_",
        "by_",
        "from_",
        "mover_",
        "place_",
        "tag_",
        "to_",
    )

    def __init__(
        self,
        run: Run,
        mover: Fan | Arrival | Newcomer,
        here: str,
        to: str,
        tag: Any,
        after: Any,
        place: int | None = None,
        by: Any = None,
    ) -> None:
        self.run, self.rules = run, mover.rules
        self.mover_ = mover  # type: ignore[assignment] # a stand-in has what its clauses read
        self.from_, self.to_, self.tag_, self.after_, self.place_ = here, to, tag, after, place
        self.by_ = by
        self.before_: dict[str, CostInterval] = {}

    def name(self, place: int) -> str:
        """The name of a hex by its part in the step; for the engine."""
        return part_of(self.mover_.edges, self.from_, self.to_, place)

    @property
    def place(self) -> int:
        """The index of the neighbour that is entered. Raises AssertionError outside action functions."""
        assert self.place_ is not None
        return self.place_

    @property
    def target_part(self) -> int:
        """The part of the hex entered; in action functions, that of the neighbour."""
        if self.place_ is None:
            return INTO
        return OUT_OF if self.place_ == HERE else self.place_ + AROUND

    def named_in(self, key: str, text: str) -> bool:
        """Whether the fact ``key`` about the mover's move names the hex entered. ``text``: the question, with
        {} for the mover."""
        about, name = (self.target_part, key), self.mover_.facts.unit
        self.note(questions.named, about)
        holds = questions.named(self, about)
        written = stanza("[[condition]]", {"key": key, "unit": name.id, "value": BLANK})
        asked = MissingFact(f"unit {name.id} {key}", text.format(name.name), "facts.toml", written)
        return self.run.yes(("named", key, self.to_), holds, asked)

    @property
    def level_is_known(self) -> bool:
        """Whether the levels of both hexes are known. For texts and for bounds."""
        self.into.note_terrain()
        self.out_of.note_terrain()
        levels = map(self.mover_.board.level_of, (self.from_, self.to_))
        return None not in levels

    def climb(self, chart: str) -> int:
        """How many levels up it leads. If that is not known, the first question is whether ``chart`` is
        whole."""
        self.into.note_terrain()
        self.out_of.note_terrain()
        board = self.mover_.board
        levels = {name: board.level_of(name) for name in (self.from_, self.to_)}
        asked: tuple[Asking, ...] = self.rules.complete.questions(chart) or tuple(
            later(of_board, ("levels", name)) for name, level in levels.items() if level is None
        )
        if None in levels.values():
            self.run.choose("climb", (), asked)
        return int(levels[self.to_] or 0) - int(levels[self.from_] or 0)

    def sets_out_with(self, test: Callable[[Enemy], bool]) -> bool:
        """Whether a unit for which a test holds moves along and begins in one of the two hexes: units move
        one by one, so it may be there before the mover or after it."""
        zones, facts = self.mover_.zones, self.mover_.facts
        if not zones.any_along(facts.unit.id):
            return False
        self.run.log.private = True
        found = zones.along_from((self.from_, self.to_), facts.unit.id, test)
        return self.run.yes(("along", self.from_, self.to_, test), found.holds, *found.facts)

    # -- the states --------------------------------------------------------------------------------

    @property
    def tag(self) -> Any:
        if self.tag_ is None:
            return None
        if self.place_ is not None:
            self.note(questions.tag, "")
            return self.tag_
        return State(self.run.log, questions.tag, self.tag_, {})

    @property
    def after(self) -> Any:
        if self.after_ is None:
            return None
        if self.place_ is not None:
            self.note(questions.after, "")
            return self.after_
        return State(self.run.log, questions.after, self.after_, {})

    @property
    def before(self) -> dict[str, CostInterval]:
        """The costs of the step by the clauses before this one."""
        self.note(questions.before)
        return self.before_

    @property
    def by(self) -> Any:
        """The way in which it is made; None if the ruleset has no ways."""
        self.note(questions.by)
        return self.by_

    @property
    def came_by(self) -> Any:
        """The way in which the step before was made; None if this is the first, or ways are not kept."""
        self.note(questions.tag, "")
        return self.tag_

    # -- where it leads ----------------------------------------------------------------------------

    @property
    def enters(self) -> bool:
        """Whether it leads into another hex."""
        self.note(questions.enters)
        return self.to_ != self.from_

    @property
    def first(self) -> bool:
        """Whether it leads out of the hex where the move begins."""
        self.note(questions.of_mover, "first")
        return bool(self.from_ == self.mover_.facts.move.origin.name)

    @property
    def ends_here(self) -> bool:
        """Whether it leads into the hex where the move ends."""
        self.note(questions.is_target, self.target_part)
        return bool(self.mover_.facts.move.target.name == self.to_)

    @property
    def into(self) -> HexView:
        return HexView(self, self.to_, self.target_part)

    @property
    def out_of(self) -> HexView:
        return HexView(self, self.from_, OUT_OF)

    @property
    def flanks(self) -> list[HexView]:
        """The hexes beside both the hex entered and the hex left."""
        self.note(questions.flanks)
        names = self.mover_.edges.flanks(self.from_, self.to_)
        return [HexView(self, name, FLANK + number) for number, name in enumerate(names)]

    @property
    def rise(self) -> int:
        """By how many levels it leads up."""
        return self.into.level - self.out_of.level

    @property
    def there(self) -> str:
        """The name of the hex entered, for a text."""
        self.note(questions.pair)
        return self.to_

    @property
    def way(self) -> int | None:
        """The direction of the hex entered, 0 to 5; None across a link of the board."""
        self.note(questions.way if self.place_ is None else questions.ways)
        return self.mover_.edges.edge(self.from_, self.to_)[1]

    @property
    def forward(self) -> int:
        """The index of the hex entered among the neighbours of the hex left."""
        self.note(questions.pair)
        return self.mover_.edges.near(self.from_).index(self.to_)

    @property
    def back(self) -> int:
        """The index of the hex left among the neighbours of the hex entered."""
        self.note(questions.pair)
        return self.mover_.edges.near(self.to_).index(self.from_)

    @property
    def around(self) -> Sequence[Step]:
        """The steps into the neighbours of the hex, each with its ``place``."""
        self.note(questions.ways)
        return [
            Step(self.run, self.mover_, self.from_, to, self.tag_, self.after_, place)
            for place, to in enumerate(self.mover_.edges.near(self.from_))
        ]

    @property
    def here(self) -> str:
        """The name of the hex left, for a text."""
        self.note(questions.pair)
        return self.from_

    def told_of_hex(self, topic: str, text: str) -> bool:
        """As :meth:`told`, about the hex entered; its name replaces {} in ``topic`` and ``text``."""
        self.note(questions.pair)
        return self.told(topic.format(self.to_), text.format(self.to_))

    def at_least(self, cost: CostInterval, least: Fraction, name: object) -> bool:
        """Whether a cost is at least ``least`` MPs, and not a prohibition."""
        most = int(least * self.rules.scale)
        if cost.barred is True or (cost.hi is not None and cost.hi < most):
            return False
        holds = True if cost.barred is False and cost.lo >= most else None
        return self.run.yes(("at least", name), holds, *self.run.log.open)

    def barred(self, cost: CostInterval, name: object) -> bool:
        """Whether a cost is a prohibition. ``name``: the key of this cost of the step."""
        return self.run.yes(("barred", name), cost.barred, *self.run.log.open)

    def entering(
        self,
        chart: str,
        hex_: HexView,
        names: Sequence[str],
        more: Sequence[str],
        mix: Mixture = "dearest",
    ) -> CostInterval:
        """The cost for the mover's class to enter a hex with terrains ``names`` and features ``more``.
        ``mix``: how they combine."""
        rules, column = self.rules, self.rules.columns[self.cls]
        rows, whole = rules.charts[chart], rules.complete.has(chart)
        told = tuple(name for name in more if name in rows)
        found = terrain_cost(
            rows, column, tuple(names) or None, told, rules.scale, mix, whole=whole
        )._replace(whole=False)
        strange = [name for name in more if name not in rows and not whole]
        if strange:
            found = found._replace(hi=None, barred=found.barred or None)
        if not found.is_exact:
            every = (*names, *told, *strange)
            doubtful = [n for n in every if rules.cell(chart, n, column) in (None, UNKNOWN_CELL)]
            asked = [later(rules.cost_question, chart, n, column) for n in doubtful]
            self.run.log.open += asked or [later(hex_.missing)]
        return found
