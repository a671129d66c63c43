"""What every ruleset does alike: it tells its clauses, and refuses what a pack says of none of them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any, Generic, Protocol, Self, TypeVar

from ..model.finding import Clause
from ..model.game import Game, Rules
from ..model.names import CHART, Words
from ..model.problem import Problem, WrongPack
from ..model.schemas import Schema
from .clauses import read_clauses
from .readings import TABLES
from .ruleset import Circumstances, Scenario
from .ruleset_folder import Manifest, folder_of, read_manifest, schema_beside, tables_beside

Choices = Mapping[str, tuple[str, ...]]
"""Option of a pack → what it may be, the default first."""


@dataclass(frozen=True)
class Rulebook:
    """The ruleset whose files lie beside ``module``, a dotted name: say ``__name__``. It is a fault of the
    ruleset if its manifest is wrong: :class:`WrongPack`. See :class:`.ruleset.Ruleset`."""

    module: str
    manifest: Manifest = field(init=False, compare=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "manifest", read_manifest(self.module))

    @property
    def name(self) -> str:
        """What packs call it."""
        return self.manifest.name

    @property
    def version(self) -> str:
        """The version of the clauses and of what is made of them."""
        return self.manifest.version

    @property
    def opens_charts(self) -> bool:
        """Whether what a chart leaves out is not known until a pack calls the chart complete."""
        return self.manifest.opens_charts

    @cached_property
    def schema(self) -> Schema:
        """What a pack may say in ``[rules]``."""
        return schema_beside(self.module)

    def printed(self) -> Mapping[str, Any]:
        """The tables that ship with the ruleset. They hold unless a pack says otherwise."""
        return tables_beside(self.module)

    @property
    def whole_charts(self) -> frozenset[str]:
        """The charts of :meth:`printed` that hold all there is, whatever a pack says."""
        return frozenset()

    @cached_property
    def own_clauses(self) -> Mapping[str, Clause]:
        """The clauses of its own text by id."""
        return read_clauses(folder_of(self.module) / "clauses.toml")

    @cached_property
    def _clauses(self) -> Mapping[str, Clause]:
        return self.own_clauses

    def clauses(self) -> Mapping[str, Clause]:
        """Every clause by id."""
        return self._clauses

    @cached_property
    def choices(self) -> Choices:
        """The options by which a pack settles open readings, those in its ``[rules]`` apart."""
        readings = (r for clause in self._clauses.values() for r in clause.readings)
        return {
            r.option: (r.default, *(choice for choice in r.choices if choice != r.default))
            for r in readings
            if not r.option.startswith(TABLES)
        }

    def check(self, rules: Rules, choices: Choices | None = None) -> None:
        """WrongPack if ``rules`` switch off what is no clause, or settle what is no option of ``choices``
        (None: of those that clauses name)."""
        options = self.choices if choices is None else choices
        problems = (*self._clauses_off(rules), *self._wrong_options(rules, options))
        if problems:
            raise WrongPack(problems[0].message, problems, where=problems[0].where)

    def _clauses_off(self, rules: Rules) -> Iterator[Problem]:
        for name in rules.off:
            if name not in self._clauses:
                text = f"{name} is no clause of the ruleset {self.name}"
                yield Problem("unknown-clause", text, "pack.off")

    def _wrong_options(self, rules: Rules, options: Choices) -> Iterator[Problem]:
        for option, value in rules.options.items():
            if option not in options:
                text = f"the ruleset {self.name} has no option {option}"
                yield Problem("unknown-option", text, "options")
            elif str(value) not in options[option]:
                text = f"expected one of {', '.join(options[option])}; found {value}"
                yield Problem("wrong-option", text, f"options.{option}")

    def words(self, rules: Rules) -> Mapping[str, Words]:
        """See :class:`.ruleset.Vocabulary`; nothing but the charts where the tables are faulty."""
        charts = frozenset(self.schema.plain.get("properties", ()))
        found = {CHART: Words(charts)}
        if not self.schema.faults(dict(rules.tables)):
            found.update(self.names_known(rules.tables))
        return found

    def names_known(self, tables: Mapping[str, Any]) -> Mapping[str, Words]:
        """By kind the names that ``tables``, which fit their schema, know; a ruleset says."""
        return {}

    def settled(self, rules: Rules) -> dict[str, str]:
        """How each open reading is settled, by the pack or as it is where nothing is said."""
        return {name: str(rules.options.get(name, of[0])) for name, of in self.choices.items()}


class _Tables(Protocol):
    @property
    def scale(self) -> int: ...


class _MoverFactory(Protocol):
    def scenarios(self, unit: str, circumstances: Circumstances) -> tuple[Scenario, ...]: ...
    def on(self, game: Game) -> Self: ...


T = TypeVar("T", bound=_Tables)
M = TypeVar("M", bound=_MoverFactory)


@dataclass(frozen=True)
class TablesInForce(Generic[T, M]):
    """The tables of one pack, in force in one game; what :class:`.ruleset.RulesInForce` asks besides
    stacking and order. ``readings``: how open readings are settled, and what is switched off."""

    book: Rulebook
    game: Game
    tables: T
    mover_factory: M
    readings: Mapping[str, str]
    declared_clause: str = ""

    @property
    def clauses(self) -> Mapping[str, Clause]:
        """Every clause by id."""
        return self.book.clauses()

    @property
    def scale(self) -> int:
        """Costs are whole numbers of 1/scale MP."""
        return self.tables.scale

    def scenarios(self, unit: str, circumstances: Circumstances) -> tuple[Scenario, ...]:
        """The scenarios of ``unit``, which is one of the game's units."""
        return self.mover_factory.scenarios(unit, circumstances)

    def on(self, game: Game) -> Self:
        """These rules for the same game on another of its boards. See :class:`.on_boards.Movable`."""
        return replace(self, game=game, mover_factory=self.mover_factory.on(game))


def readings_of(rules: Rules, settled: Mapping[str, str] | None = None) -> Mapping[str, str]:
    """The readings that a report names: the values in ``settled``, and the clauses that are switched off."""
    return {**(settled or {}), **dict.fromkeys(rules.off, "switched off")}
