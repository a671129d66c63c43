"""The calls of the Rules view: forms for the ruleset's tables, phases, forms of movement and open readings;
and, on request, what the moves show about numbers that the charts lack, computed in the background."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import asdict, replace
from typing import Any

from ...importers.pack.edit.change import toml_edit
from ...importers.pack.files import PACK_FILE
from ...importers.pack.names import names_in_files
from ...importers.pack.provenance import moment
from ...importers.pack.toml_text import parse_toml, read_bytes
from ...model.names import PLACEHOLDER
from ...model.problem import UmpireError
from ..auditing import Opened
from ..chart_from_moves import CAUSES, asked_of, plain
from ..reading import Told
from ..registry import rulesets
from ..reports.json import unknowns_of
from ..ruleset_needs import words_for
from .calls import Call
from .counter_kinds import CLASSES, NAMES, RULES, to_adopt
from .effects import effect_of
from .form_changes import Changed, at, change
from .forms import ALL, Path
from .pasted import LEAVE_OUT, columns_for, cost_in, table_in, tables_in_module
from .rules_forms import RulesForms
from .session import Studio
from .units_view import kinds_in, pack_as_typed, sides_of

CHART = "chart "
DEEPEST = 20


def forms_of(studio: Studio) -> RulesForms:
    """The forms of the pack, by its present file."""
    data = read_bytes(studio.folder / PACK_FILE)
    values, _ = parse_toml(data, PACK_FILE)
    name = values.get("pack", {}).get("ruleset", studio.pack.ruleset)
    ruleset = rulesets().parts.get(name)
    if ruleset is None:
        raise UmpireError(f"the ruleset {name!r} is not here", where=PACK_FILE)
    used = names_in_files(studio.pack, studio.facts_written())
    return RulesForms(ruleset, values, sides_of(studio), tuple(used), words_for(studio.pack))


def rules(studio: Studio, body: Mapping[str, Any]) -> Any:
    """All forms; ``same`` if the page already has them (``have``)."""
    waiting: dict[str, int] = {}
    if studio.audit is not None:
        for key, (_, moves) in unknowns_of(studio.audit).items():
            if key.startswith(CHART):
                waiting[key.removeprefix(CHART)] = len(moves)
    forms = forms_of(studio)
    told = (forms.values, sorted(waiting.items()), studio.pack.sha256, studio.opened is None)
    stamp = hashlib.sha256(repr(told).encode("utf-8", "surrogatepass")).hexdigest()
    if body.get("have") == stamp:
        return {"same": True}
    adopt = to_adopt(pack_as_typed(studio), kinds_in(studio))
    tables = [asdict(one) for one in tables_in_module(studio)]
    return {"stamp": stamp, **forms.plain(waiting), "adopt": adopt, "tables": tables}


def changed(studio: Studio, body: Mapping[str, Any]) -> Any:
    """The ``edits`` for a typed value, or an ``error``. With ``draft`` ({path, value}: a table that is not in
    the file yet), the draft with that value, and its form."""
    forms, path, column = forms_of(studio), path_told(body.get("path")), body.get("column")
    given = body.get("given")
    draft = body.get("draft")
    if isinstance(draft, dict):
        return _draft(forms, path_told(draft.get("path")), draft.get("value"), path, given, column)
    return forms.change(path, given, None if column is None else str(column)).plain()


def renamed(studio: Studio, body: Mapping[str, Any]) -> Any:
    """The edits that rename a row."""
    return forms_of(studio).rename(path_told(body.get("path")), str(body.get("name", ""))).plain()


def vouched(studio: Studio, body: Mapping[str, Any]) -> Any:
    """The edits that call a chart complete, open or absent."""
    return forms_of(studio).vouch(str(body.get("chart")), str(body.get("state"))).plain()


def chosen(studio: Studio, body: Mapping[str, Any]) -> Any:
    """The edits that write the answer to a plain question."""
    return _chosen(studio, body).plain()


def effect(studio: Studio, body: Mapping[str, Any]) -> Any:
    """The effect of the answer to a plain question, see :func:`.effect_of`; empty if the answer cannot be
    written."""
    found = _chosen(studio, body)
    if found.error or not found.edits:
        return {"then": None, "working": False, "error": ""}
    return effect_of(studio, found.values)


def _chosen(studio: Studio, body: Mapping[str, Any]) -> Changed:
    forms, said = forms_of(studio), body.get("said")
    for question in forms.questions:
        if (question.key or question.chart) == body.get("id"):
            told = said if isinstance(said, Mapping) else {}
            whole = body.get("whole") is True
            return forms.choose(question, str(body.get("answer")), told, whole=whole)
    raise UmpireError("there is no such question")


def pasted(studio: Studio, body: Mapping[str, Any]) -> Any:
    """A table pasted into a chart of costs: its ``head`` and ``rows``; for each of its columns the chart's
    (``columns``: as the page says, or by name); the ``edits`` that write its costs, the cells ``left`` out,
    and what was not read because it is too much (``cut``). ``inner``: the entry of a row that holds the
    costs; "": the row itself. ``names``: of rows that the chart has or lacks; capitals do not count. ``new``:
    for each column a movement class that may be added to the charts for it, and is if the page says so; "":
    none."""
    forms, path, inner = forms_of(studio), path_told(body.get("path")), str(body.get("inner") or "")
    known = [str(name) for name in body.get("known", ()) if name]
    names = {str(name).casefold(): str(name) for name in body.get("names", ())}
    found = table_in(str(body.get("text", "")))
    if found is None:
        return {
            "error": "expected a table: a line for each row, its cells parted by tabs or wide gaps"
        }
    given = body.get("columns")
    chosen = columns_for(found.head, known, ALL)
    if isinstance(given, list) and len(given) == len(found.head):
        chosen = tuple(str(one) for one in given)
    columns = chosen
    edits: list[Mapping[str, Any]] = []
    left, error = [], ""
    new, held = _new_classes(forms, known, found.head)
    if added := [one for one in dict.fromkeys(columns) if one and one in new]:
        changed = forms.change((RULES, CLASSES, NAMES), [*held, *added])
        edits, error, forms = [*changed.edits], changed.error, replace(forms, values=changed.values)
    named = [one for one in columns if one != LEAVE_OUT]
    if len(set(named)) < len(named):
        columns = (LEAVE_OUT,) * len(columns)  # nothing is written
        error = "two columns go into the same one: leave one of them out"
    rows = [(names.get(name.casefold(), name), cells) for name, cells in found.rows]
    said: dict[tuple[str, str], set[str]] = {}
    for name, cells in rows:
        for column, cell in zip(columns, cells, strict=True):
            said.setdefault((name, column), set()).add(cost_in(cell))
    for name, cells in rows:
        for column, cell in zip(columns, cells, strict=True):
            cost = cost_in(cell)
            if column == LEAVE_OUT or not cell:
                continue
            several = len(said[name, column] - {""}) > 1
            if not cost or several:
                left.append(f"{name}: {cell}" + (" (one of several)" if cost else ""))
                continue
            changed = forms.change((*path, name, *([inner] if inner else ())), cost, column)
            error = error or changed.error
            if not changed.error:
                edits += changed.edits
                forms = replace(forms, values=changed.values)
    shown = [[name, [cost_in(cell) or cell for cell in cells]] for name, cells in rows]
    told = {"head": list(found.head), "rows": shown, "columns": list(chosen), "left": left[:20]}
    costs = len(edits) - bool(added and edits)
    return {**told, "cut": found.cut, "edits": edits, "costs": costs, "new": new, "error": error}


def _new_classes(
    forms: RulesForms, known: Sequence[str], head: Sequence[str]
) -> tuple[list[str], list[str]]:
    """For each column of a pasted table the movement class that its head names and the charts lack ("": none,
    or the ``known`` columns of the chart are no classes); and the classes there are."""
    rules = forms.values.get(RULES, {})
    chart = rules.get(CLASSES, {}) if isinstance(rules, Mapping) else {}
    names = chart.get(NAMES, ()) if isinstance(chart, Mapping) else ()
    if not known or not {*known} <= {*names}:
        return [""] * len(head), []
    found = [one.casefold().strip(". ") for one in head]
    has = {str(one).casefold() for one in names}
    return [one if one not in has else "" for one in found], [n for n in names if n != PLACEHOLDER]


def _draft(
    forms: RulesForms, base: Path, value: Any, path: Path, given: Any, column: Any
) -> dict[str, Any]:
    """A table in the making: a typed value is added, and only its own field is checked."""
    if path[: len(base)] != base:
        raise UmpireError("that is not part of the table that is being made")
    held = forms.change(base, value if isinstance(value, dict) else {}).values
    faults = (lambda _: ()) if len(path) == len(base) else forms.faults
    found = change(
        held, forms.maker, path, given, faults, column=None if column is None else str(column)
    )
    now = at(found.values, base)
    schema = forms.schema(base)
    node = forms.maker.node(schema, now, base)
    mine = found.error if _about(found.error, path) else ""
    return {"value": now, "form": node, "error": mine}


def _about(error: str, path: Path) -> bool:
    """Whether an error is about the field itself rather than something the table still lacks."""
    return bool(error) and f"{path[-1]}:" in error.partition(" expected")[0]


def path_told(told: Any) -> Path:
    """A path as the page sends it."""
    if (
        not isinstance(told, list)
        or not 0 < len(told) <= DEEPEST
        or not all(isinstance(part, str) or type(part) is int for part in told)
    ):
        raise UmpireError("expected the path of a field")
    return tuple(told)


JOB = "chart"
"""The job. Under this name a studio remembers the last game examined and the result; None: it is being
computed, was stopped, or failed."""


def chart(studio: Studio, body: Mapping[str, Any]) -> Any:
    """The last result from the moves; ``asked`` is null before the first. ``working``: it is being computed.
    ``changed``: the pack has changed since."""
    of, said = studio.memory.get(JOB, (studio.opened, None))
    working, changed = studio.jobs.is_doing(JOB), of is not studio.opened
    return {"asked": said, "working": working, "changed": changed, "causes": CAUSES}


def ask(studio: Studio, body: Mapping[str, Any]) -> Any:
    """Start computing what the moves show. Raises :class:`UmpireError` while the pack cannot be read."""
    opened = studio.opened
    if opened is None:
        raise UmpireError(
            "the moves can be asked once the pack can be read: see the lines at the top"
        )
    studio.jobs.begin(JOB, lambda told: _ask(studio, opened, told))
    return chart(studio, body)


def _ask(studio: Studio, opened: Opened, told: Told) -> None:
    studio.memory[JOB] = (opened, None)
    studio.memory[JOB] = (opened, plain(asked_of(opened, told)))


def confirm(studio: Studio, body: Mapping[str, Any]) -> Any:
    """The ``edits`` that enter a number which the moves pinned and a person has ``said`` to be in the
    rulebook; if both agree, they also record that it was proposed from moves. An ``error`` also if the chart
    has one by now."""
    _, said = studio.memory.get(JOB, (None, None))
    asked = said or {"classes": (), "class_names": ()}
    path, cls = path_told(body.get("path")), str(body.get("class"))
    number = next(
        (
            one
            for of in asked["classes"]
            for one in of["numbers"]
            if of["class"] == cls and tuple(one["path"]) == path and one["status"] == "pinned"
        ),
        None,
    )
    if number is None:
        raise UmpireError("the moves do not pin this number: ask them again")
    if not studio.who:
        raise UmpireError("say your name first; it stands beside what you confirm")
    column = cls if len(asked["class_names"]) > 1 else None
    forms, said = forms_of(studio), " ".join(str(body.get("said", "")).split())
    if not said:
        raise UmpireError("say first what the rulebook says of it")
    if forms.change(path, "", column).edits:
        error = "the chart now has something there, which stays: compare it with the rulebook"
        return {"edits": [], "error": error}
    changed = forms.change(path, said, column).plain()
    if not changed["error"] and said == number["value"]:
        name = " ".join((number["chart"], number["row"], *((column,) if column else ())))
        entry = {
            "path": list(path),
            **({"class": column} if column else {}),
            "value": number["value"],
            "who": studio.who,
            "when": moment(),
            "evidence": number["evidence"],
        }
        was = studio.pack.values.get("from_moves", {}).get(name)
        changed["edits"].append(toml_edit(("from_moves", name), was, entry))
    return changed


CALLS: tuple[Call, ...] = (
    Call("GET", "/api/rules", rules),
    Call("POST", "/api/rules/change", changed),
    Call("POST", "/api/rules/rename", renamed),
    Call("POST", "/api/rules/vouch", vouched),
    Call("POST", "/api/rules/choose", chosen),
    Call("POST", "/api/rules/effect", effect),
    Call("POST", "/api/rules/paste", pasted),
    Call("GET", "/api/chart", chart),
    Call("POST", "/api/chart/ask", ask),
    Call("POST", "/api/chart/confirm", confirm),
)
