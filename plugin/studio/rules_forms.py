"""The forms for a pack's ruleset tables, phases, forms of movement and open readings."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from ...importers.pack.edit.change import toml_edit
from ...importers.pack.pack_tables import COMPLETE, NONE, charts_of
from ...model import schemas
from ...model.board import Board
from ...model.game import Game, Rules
from ...model.names import HEXSIDE, LINE, TERRAIN, NameUsed, Words
from ...model.problem import UmpireError, WrongPack
from ...validators.concepts.missing_facts import nothing_of_chart, question_of_chart
from ...validators.rulebook import TABLES
from ...validators.ruleset import Ruleset, Tabled
from ..reports.phrases import capital
from ..ruleset_needs import charts_of as charts_to_tick
from ..ruleset_needs import schema_of, whole_charts
from .choices import Question, Refused, Values, now_said, questions
from .form_changes import Changed, change, checked, renamed, schema_at
from .forms import FormMaker, Path, Schema

RULES, PHASE, FORM, OPTIONS = "rules", "phase", "form", "options"
PARTS = (RULES, PHASE, FORM, OPTIONS)
"""The parts of pack.toml that the forms edit."""
MOST_OFFERED = 200
OF_FIELD = ("name", "kind", "label", "options", "unsaid")
"""What a field of a question sends to the page."""
NOTHING_TYPED: tuple[Any, ...] = (None, NONE, {}, [])
"""Values of an empty chart."""


@dataclass(frozen=True)
class RulesForms:
    """The forms of one pack. ``values``: of pack.toml. ``used``: names in the game's files. ``words``: names
    that the tables know. ``sides``: of the game."""

    ruleset: Ruleset
    values: Mapping[str, Any]
    sides: tuple[str, ...] = ()
    used: Sequence[NameUsed] = ()
    words: Mapping[str, Words] | None = None

    @property
    def tables(self) -> Mapping[str, Any]:
        """The table [rules] of the pack."""
        found = self.values.get(RULES, {})
        return found if isinstance(found, Mapping) else {}

    @cached_property
    def maker(self) -> FormMaker:
        """Makes forms by the schema of the pack, which includes that of the ruleset's tables."""
        pack, own = schemas.load("pack"), schema_of(self.ruleset)
        root = {
            "type": "object",
            "$defs": {**pack["$defs"], **own.get("$defs", {})},
            "properties": {
                **{key: pack["properties"][key] for key in (PHASE, FORM, OPTIONS)},
                RULES: {key: own[key] for key in ("type", "properties") if key in own},
            },
        }
        tables = {key: value for key, value in self.tables.items() if value != NONE}
        return FormMaker(root, tables, {RULES: self.printed}, dict(self._offered()))

    def plain(self, waiting: Mapping[str, int]) -> dict[str, Any]:
        """As JSON values. ``waiting``: how many moves ask whether a chart is complete."""
        maker = self.maker
        rules = maker.node(
            maker.root["properties"][RULES], dict(self._typed()), (RULES,), maker.printed[RULES]
        )
        charts = [self._chart(one, waiting) for one in rules["fields"]]
        pack = maker.root["properties"]
        return {
            "ruleset": {"name": self.ruleset.name, "version": self.ruleset.version},
            "opens": bool(getattr(self.ruleset, "opens_charts", False)),
            "charts": charts,
            "questions": list(self._questions_plain(waiting)),
            PHASE: maker.node(pack[PHASE], self.values.get(PHASE), (PHASE,)),
            FORM: maker.node(pack[FORM], self.values.get(FORM), (FORM,)),
            OPTIONS: list(self._options()),
            "clauses": {
                key: {"title": c.title, "text": c.text, "status": c.status}
                for key, c in self.ruleset.clauses().items()
            },
            "sides": list(self.sides),
            "faults": list(self.faults(self.values)),
        }

    def _chart(self, form: Mapping[str, Any], waiting: Mapping[str, int]) -> dict[str, Any]:
        """A chart as JSON values, with its form."""
        name = str(form["path"][-1])
        return {
            "name": name,
            "title": form["label"],
            "state": self.state(name),
            "vouches": vouches(form),
            "question": capital(question_of_chart(name, form["label"])),
            "none": nothing_of_chart(name),
            "empty": self.is_empty(name),
            "waiting": waiting.get(name, 0),
            "clauses": form.get("clauses", []),
            "typed": name in self.tables,
            "ticked": name in charts_to_tick(self.ruleset),
            "form": form,
        }

    def state(self, chart: str) -> str:
        """``whole``: the chart is complete; ``none``: complete and empty, as the game has nothing of the
        kind; ``open``."""
        if self.tables.get(chart) == NONE:
            return "none"
        if chart in whole_charts(self.ruleset) and chart not in self.tables:
            return "whole"
        if chart not in self.tables.get(COMPLETE, ()):
            return "open"
        return "none" if self.is_empty(chart) else "whole"

    def is_empty(self, chart: str) -> bool:
        """Whether a chart is empty and nothing for it ships with the ruleset."""
        brought = chart in whole_charts(self.ruleset) or bool(self.printed.get(chart))
        return not brought and self.tables.get(chart) in NOTHING_TYPED

    @cached_property
    def printed(self) -> Mapping[str, Any]:
        """The values that ship with the ruleset."""
        return self.ruleset.printed() if isinstance(self.ruleset, Tabled) else {}

    def vouch(self, chart: str, state: str) -> Changed:
        """Call a chart complete or open, or say that the game has nothing of the kind. An empty chart cannot
        be called complete, because that would say the latter."""
        known = schema_of(self.ruleset).get("properties", {})
        if chart not in known:
            return Changed((), self.values, f"[rules] has no chart {chart}")
        held = self.tables.get(chart)
        if state == "whole" and self.is_empty(chart):
            error = f"nothing is typed in: type what the game has, or answer “{nothing_of_chart(chart)}”"
            return Changed((), self.values, error)
        if state == "none" and held not in NOTHING_TYPED:
            error = f"{chart} has rows; take them out before you say that the game has none"
            return Changed((), self.values, error)
        edits = self._called_complete(chart, whole=state == "whole")
        if state == "none" and held != NONE:
            edits.append(toml_edit((RULES, chart), held, NONE))
        elif state != "none" and held == NONE:
            edits.append(toml_edit((RULES, chart), NONE, None))
        return checked(self.values, edits, self.faults)

    def choose(self, question: Question, answer: str, said: Values, *, whole: bool) -> Changed:
        """Answer a plain question: ``yes`` with what is ``said``, or ``no``. ``whole``: the chart is then
        complete."""
        chart, held = question.chart, self.tables.get(question.chart)
        state, _ = now_said(question, held)
        if state == "more":
            return Changed(
                (), self.values, "the chart says more than these answers can: change it there"
            )
        empty = [name for name in question.needed if not str(said.get(name) or "").strip()]
        try:
            now = NONE if answer == "no" else question.write(said)
            if whole and answer != "no" and empty:
                raise Refused(f"say it for {', '.join(empty)} too, or choose “There is more”")
        except Refused as error:
            return Changed((), self.values, str(error))
        if question.key:
            was = held.get(question.key) if isinstance(held, Mapping) else None
            edits = [toml_edit((RULES, chart, question.key), was, now)]
        else:
            edits = [toml_edit((RULES, chart), held, now)]
            edits += self._called_complete(chart, whole=whole and answer != "no")
        edits = [edit for edit in edits if edit["was"] != edit["now"]]
        return checked(self.values, edits, self.faults)

    def _called_complete(self, chart: str, *, whole: bool) -> list[dict[str, Any]]:
        """The edit that calls a chart complete, or open; none if it is so already."""
        was = list(self.tables.get(COMPLETE, ()))
        now = [one for one in was if one != chart] + [chart] * whole
        return [toml_edit((RULES, COMPLETE), was or None, now or None)] if now != was else []

    @property
    def questions(self) -> tuple[Question, ...]:
        """The plain questions about the usual rules."""
        held = self.tables.get("roads")
        lines = (use.name for use in self.used if use.kind == LINE)
        kinds = tuple(dict.fromkeys((*(held if isinstance(held, Mapping) else ()), *lines)))
        return questions(
            schema_of(self.ruleset).get("properties", {}), kinds or ("road",), self.sizes
        )

    @property
    def sizes(self) -> tuple[str, ...]:
        """Attributes that may hold the size of a unit: the pack's numbers except the allowance."""
        units = self.values.get("units", {})
        attributes = units.get("attributes", {}) if isinstance(units, Mapping) else {}
        held = self.tables.get("stacking")
        size = held.get("size") if isinstance(held, Mapping) else None
        numbers = (
            n for n, look in attributes.items() if "'number': True" in str(look) and n != "ma"
        )
        return tuple(dict.fromkeys((*numbers, *([str(size)] if size else []), "steps")))

    def _questions_plain(self, waiting: Mapping[str, int]) -> Iterator[dict[str, Any]]:
        for one in self.questions:
            state, said = now_said(one, self.tables.get(one.chart))
            if not (state or one.key) and self.state(one.chart) == "none":
                state = "no"  # the chart is called complete, and is empty
            yield {
                "id": one.key or one.chart,
                "chart": one.chart,
                "title": one.title,
                "no": one.no,
                "yes": one.yes,
                "fields": [{name: getattr(each, name) for name in OF_FIELD} for each in one.fields],
                "state": state,
                "said": {} if said is None else dict(said),
                "whole": self.state(one.chart) == "whole" and not one.key,
                "waiting": 0 if one.key else waiting.get(one.chart, 0),
            }

    def change(self, path: Path, given: Any, column: str | None = None) -> Changed:
        """The edits for a value typed into a form."""
        if not path or path[0] not in PARTS:
            return Changed((), self.values, "that is not part of these forms")
        return change(self.values, self.maker, path, given, self.faults, column=column)

    def rename(self, path: Path, name: str) -> Changed:
        """The edits that rename a row."""
        return renamed(self.values, path, name, self.faults)

    def schema(self, path: Path) -> Schema:
        """The schema of the value at ``path``."""
        return schema_at(self.maker, path)

    def all_faults(self, values: Mapping[str, Any]) -> Iterator[str]:
        """All errors in pack.toml, a line each."""
        for fault in schemas.faults("pack", values):
            if not fault.path or fault.path[0] not in PARTS:
                yield self._said(fault.path, fault)
        yield from self.faults(values)

    def faults(self, values: Mapping[str, Any]) -> Iterator[str]:
        """The errors in the parts of pack.toml that the forms edit, a line each."""
        for fault in schemas.faults("pack", values):
            if fault.path and fault.path[0] in PARTS:
                yield self._said(fault.path, fault)
        plain = values.get(RULES, {})
        tables, charts = charts_of(plain if isinstance(plain, Mapping) else {})
        found = self.ruleset.schema.faults(tables) if isinstance(self.ruleset, Tabled) else ()
        for fault in found:
            yield self._said((RULES, *fault.path), fault)
        if not found:
            options = values.get(OPTIONS, {})
            yield from self._refused(
                tables, options if isinstance(options, Mapping) else {}, charts
            )

    def _said(self, path: Path, fault: schemas.Fault) -> str:
        """A fault in one line; in words if the schema only has a pattern."""
        expected = fault.expected
        if expected.startswith("a text of the form"):
            expected = schema_at(self.maker, path).get("description", expected)
        return f"{schemas.place(path)}: expected {expected}; found {fault.found}"

    def _refused(
        self, tables: Mapping[str, Any], options: Mapping[str, Any], charts: frozenset[str]
    ) -> Iterator[str]:
        """The errors that the ruleset itself finds."""
        pack = self.values.get("pack", {})
        off = tuple(pack.get("off", ())) if isinstance(pack, Mapping) else ()
        rules = Rules(self.ruleset.name, tables, options, off, charts)
        board = Board("", {}, complete=frozenset())
        try:
            self.ruleset.in_force(Game("", board, self.sides, {}, {}, (), rules))
        except WrongPack as error:
            for problem in error.problems:
                yield f"{problem.where}: {problem.message}" if problem.where else problem.message
            if not error.problems:
                yield str(error)
        except UmpireError as error:
            yield str(error)

    def _typed(self) -> Iterator[tuple[str, Any]]:
        for key, value in self.tables.items():
            if key != COMPLETE and value != NONE:
                yield key, value

    def _offered(self) -> Iterator[tuple[str, list[str]]]:
        """By table, names in the game's files that the table should have and lacks."""
        terrain = schema_of(self.ruleset).get("properties", {}).get("terrain", {})
        tables = {
            TERRAIN: "terrain.costs" if "costs" in terrain.get("properties", {}) else "terrain",
            HEXSIDE: "hexsides",
            LINE: "roads",
        }
        for kind, table in tables.items():
            known = (self.words or {}).get(kind)
            names = dict.fromkeys(
                use.name for use in self.used
                if use.kind == kind and (known is None or not known.know(use.name))
            )  # fmt: skip
            yield f"{RULES}.{table}", list(names)[:MOST_OFFERED]

    def _options(self) -> Iterator[dict[str, Any]]:
        held = self.values.get(OPTIONS, {})
        for clause in self.ruleset.clauses().values():
            for reading in clause.readings:
                if not reading.option.startswith(TABLES):
                    yield {
                        "path": [OPTIONS, reading.option],
                        "option": reading.option,
                        "question": reading.question,
                        "choices": list(reading.choices),
                        "default": reading.default,
                        "value": held.get(reading.option) if isinstance(held, Mapping) else None,
                        "clause": clause.id,
                    }


def vouches(chart: Mapping[str, Any]) -> str:
    """The statement that calling a chart complete makes."""
    if any(one["kind"] in ("grid", "rows") for one in (chart, *chart.get("fields", ()))):
        return (
            "I have looked: all rows that this game has are here. What has no row does not exist, and the "
            "audit may rely on it."
        )
    if chart["kind"] == "list":
        return "I have looked: all such rules are here, with all their exceptions."
    return "I have looked: the game does not have what is left empty here."
