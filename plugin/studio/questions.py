"""The open questions of an audit as forms: the question marks of a stanza are the fields. Answers become
edits of the facts file or the pack."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from copy import deepcopy
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any

from ...importers.pack.cells import exact_number
from ...importers.pack.edit.change import toml_edit
from ...importers.pack.load import merged
from ...importers.pack.toml_text import parse_toml
from ...model import schemas
from ...model.fact import MissingFact
from ...model.finding import Audit, JudgedMove
from ...model.logs import KnownLog, facts_name, logs_among
from ...model.names import HEXSIDE, LINE, TERRAIN, Words
from ...model.problem import UmpireError
from ...model.stanza import BLANK
from ...validators.allowed_facts import OF_ALL_RULES, Allowed, AllowedFacts, allowed_for
from ..reports.phrases import steps_text
from ..reports.question_groups import OpenQuestion, QuestionGroup, question_groups, units_of
from ..reports.routes import route, unit_names
from ..ruleset_needs import words_of
from .form_changes import Changed, Faults, applied, at, new_fault, schema_at, value_of_text
from .forms import FormMaker, Path, Schema, words_in

PACK = "pack"
FEW = 4
"""Maximum number of other findings shown for a question."""
_HEX = re.compile(r"\bhex(?:side)? (\S+)")


_FACTS = FormMaker(schemas.load("facts"))


@dataclass(frozen=True)
class Waiting:
    """A question (``unknown``), how many moves wait for it, and how many of them for nothing else. ``first``:
    the ids of some of these moves. ``movers``: some of them in words, each with the ids of its unnamed
    counters. ``others``: findings other than moves that wait for it, such as a stack that may be too big.
    ``logs``: the logs of the game."""

    unknown: MissingFact
    moves: int
    alone: int
    first: tuple[int, ...] = ()
    others: tuple[str, ...] = ()
    movers: tuple[tuple[str, tuple[str, ...]], ...] = ()
    logs: tuple[KnownLog, ...] = ()


@dataclass(frozen=True)
class Choices:
    """What answers may be: ``allowed`` attributes and conditions, ``words`` of the ruleset's tables, the
    game's ``sides``, ``phases`` and ``forms``, the values of ``options``, and ``pack``, which knows the
    schema of the forms of a pack."""

    allowed: AllowedFacts = field(default_factory=AllowedFacts)
    words: Mapping[str, Words] = field(default_factory=lambda: MappingProxyType({}))
    sides: Sequence[str] = ()
    phases: Sequence[str] = ()
    forms: Sequence[str] = ()
    options: Mapping[str, Sequence[str]] = field(default_factory=lambda: MappingProxyType({}))
    pack: FormMaker = field(default_factory=lambda: FormMaker({"type": "object"}))

    def schema(self, table: str, path: Path) -> Schema:
        """The schema of the value at ``path`` of a stanza; empty if there is none."""
        if table == PACK:
            return schema_at(self.pack, path)
        return schema_at(_FACTS, (table, 0, *path))


def groups_of(audit: Audit) -> tuple[QuestionGroup, ...]:
    """The questions of an audit in groups: first the looks at the map that would settle an accusation, then
    those that decide most."""
    return tuple(
        sorted(question_groups(audit).by_worth, key=lambda one: not one.questions[0].unknown.look)
    )


def waiting_of(audit: Audit, asked: OpenQuestion) -> Waiting:
    """A question of an audit with what waits for it."""
    return Waiting(
        asked.unknown,
        len(asked.moves),
        sum(len({u.key for u in judged.unknowns}) == 1 for judged in asked.moves),
        tuple(judged.move.id for judged in asked.moves[:8]),
        tuple(finding.explanation for finding in asked.others[:FEW]),
        tuple(_mover(audit, judged) for judged in asked.moves[:FEW]),
        logs_among(audit.sources),
    )


def whole_of(audit: Audit, group: QuestionGroup) -> Waiting | None:
    """The one question that settles all of a group; None if there is none."""
    if group.whole is None:
        return None
    return Waiting(group.whole, len(group.moves), group.alone, logs=logs_among(audit.sources))


def _mover(audit: Audit, judged: JudgedMove) -> tuple[str, tuple[str, ...]]:
    """Who went where, and when; and the ids of the counters."""
    when = steps_text(judged.move.steps, many_logs=True)
    text = f"{unit_names(audit, judged)}: {route(judged)}, {when}"
    return text, judged.move.units


def question_json(one: Waiting, choices: Choices) -> dict[str, Any]:
    """A question with its fields. Empty ``fields`` with ``table`` set: a plain yes answers it."""
    unknown = one.unknown
    table, entry = stanza_of(unknown)
    place = _HEX.search(unknown.key)
    return {
        "key": unknown.key,
        "question": unknown.question,
        "moves": one.moves,
        "first": list(one.first),
        "alone": one.alone,
        "movers": [{"text": text, "faces": list(units)} for text, units in one.movers],
        "faces": list(units_of(unknown)),
        "others": list(one.others),
        "file": unknown.file,
        "stanza": unknown.stanza,
        "table": table,
        "fields": [field_json(path, table, entry, choices) for path in blanks(entry)],
        "hex": place[1] if place else "",
        "step": first_step(table, entry, one.logs),
        "chart": chart_asked(table, entry),
        "look": list(unknown.look),
    }


def first_step(table: str, entry: Mapping[str, Any], logs: Sequence[KnownLog]) -> str:
    """The first of the steps whose phase a question asks for, as the page counts ``logs`` (``2:6``); "" for
    other questions."""
    names = [facts_name(logs, number) for number in range(1, len(logs) + 1)]
    log, first = str(entry.get("log", "")), str(entry.get("steps", "")).partition("-")[0]
    fits = table == "phase" and log in names and first.isdigit()
    return f"{names.index(log) + 1}:{first}" if fits else ""


def chart_asked(table: str, entry: Mapping[str, Any]) -> str:
    """The chart that a question asks to be called complete; "" for other questions."""
    charts = at(entry, ("rules", "complete")) if table == PACK and "rules" in entry else None
    return str(charts[0]) if isinstance(charts, list) and len(charts) == 1 else ""


def stanza_of(unknown: MissingFact) -> tuple[str, dict[str, Any]]:
    """The table and the values of a stanza; "" and nothing if it is not a whole table."""
    if not unknown.stanza.lstrip().startswith("[["):
        return "", {}
    try:
        values, _ = parse_toml(unknown.stanza.encode("utf-8"), "stanza")
    except UmpireError:
        return "", {}
    if len(values) != 1:
        return "", {}
    table, entries = next(iter(values.items()))
    one = entries[0] if isinstance(entries, list) and len(entries) == 1 else None
    return (table, one) if isinstance(one, dict) else ("", {})


def blanks(entry: Any, path: Path = ()) -> Iterator[Path]:
    """The places of question marks; for a list that holds only one, the list."""
    if entry == BLANK or entry == [BLANK]:
        yield path
    elif isinstance(entry, Mapping):
        for key, value in entry.items():
            yield from blanks(value, (*path, key))
    elif isinstance(entry, list):
        for number, value in enumerate(entry):
            yield from blanks(value, (*path, number))


def field_json(path: Path, table: str, entry: Any, choices: Choices) -> dict[str, Any]:
    """A field for one question mark."""
    several = at(entry, path) == [BLANK]
    allowed = _allowed(path, table, entry, choices)
    words, name = _words(path, table, allowed, choices), _name_of(path, table, entry)
    only = bool(words) and not several and _only(path, table, allowed)
    return {
        "path": list(path),
        "name": name if " " not in name or not only else "answer",  # the question says it in full
        "several": several,
        "words": words,
        "allowed": "" if allowed is None else allowed.said,
        "only": only,
    }


def _name_of(path: Path, table: str, entry: Mapping[str, Any]) -> str:
    """The name of the field for a question mark."""
    told = [str(part) for part in path if not isinstance(part, int)]
    name = told[-1] if told else table
    if name == "complete":
        return "nothing else displaces counters in it"
    return name if name != "value" else str(entry.get("key", name))


def answer(
    one: Waiting,
    given: Mapping[str, Any],
    choices: Choices,
    values: Mapping[str, Any],
    faults: Faults,
) -> Changed:
    """The edits that write an answer, or why there are none. ``given``: the input by the number of the field;
    for a question without fields any input is a yes. ``values``: of pack.toml. ``faults``: finds errors in
    such values."""
    table, entry = stanza_of(one.unknown)
    if not table:
        return Changed(error="this question has no form; write its stanza into the file by hand")
    entry = deepcopy(entry)
    for number, path in enumerate(list(blanks(entry))):
        told = given.get(str(number))
        several = at(entry, path) == [BLANK]
        value = _several(told) if several else _value(told, choices, table, path)
        if value is None:
            return Changed(error=f"expected an answer for {_name_of(path, table, entry)}")
        allowed = _allowed(path, table, entry, choices)
        if allowed is not None and not several and not _takes(allowed, value):
            return Changed(error=f"expected {allowed.said}; found {told}")
        entry = applied({"entry": entry}, [toml_edit(("entry", *path), None, value)])["entry"]
    if table == PACK:
        return _in_pack(entry, values, faults)
    found = schemas.faults("facts", {table: [entry]})
    if found:
        fault = found[0]
        return Changed(error=f"expected {fault.expected}; found {fault.found}")
    return Changed(({"kind": "stanza", "file": "facts", "table": table, "now": entry},))


def _in_pack(entry: Mapping[str, Any], values: Mapping[str, Any], faults: Faults) -> Changed:
    after = merged(values, entry)
    error = new_fault(values, after, faults)
    return Changed(error=error) if error else Changed(tuple(_differences(values, after, ())))


def _differences(was: Any, now: Any, path: Path) -> Iterator[dict[str, Any]]:
    """The edits from one value to the other: by key, and for a list of tables one by one."""
    if was == now:
        return
    held = was if isinstance(was, list) else []
    if isinstance(now, Mapping) and (isinstance(was, Mapping) or len(path) < 2):
        for key, value in now.items():
            yield from _differences(at(was, (key,)), value, (*path, key))
    elif isinstance(now, list) and len(now) >= len(held) and all(map(_is_table, [*now, *held])):
        for number, value in enumerate(now):
            if number < len(held):
                yield from _differences(held[number], value, (*path, number))
            else:
                yield toml_edit((*path, number), None, value)
    else:
        yield toml_edit(path, was, now)


def _is_table(value: Any) -> bool:
    return isinstance(value, Mapping)


def _value(told: Any, choices: Choices, table: str, path: Path) -> Any:
    """The typed value by its schema; None if nothing is typed."""
    schema = choices.schema(table, path)
    text = str(told).strip() if told is not None else ""
    if not text or text == BLANK:
        return None
    if not schema or any("one_of" in one.get("properties", {}) for one in schema.get("anyOf", ())):
        return _single(text)
    if schema.get("type") == "boolean":
        return {"yes": True, "true": True, "no": False, "false": False}.get(text.lower(), text)
    return value_of_text(choices.pack if table == PACK else _FACTS, schema, text)


def _single(text: str) -> Any:
    """The typed value of a fact: ``7/2``, ``6|8``, ``6..8``, ``yes``."""
    if "|" in text:
        return {"one_of": [_scalar(part) for part in text.split("|")]}
    if ".." in text:
        low, _, high = text.partition("..")
        ends = {"from": low.strip(), "to": high.strip()}
        if all(not end or exact_number(end) is not None for end in ends.values()):
            return {key: _scalar(end) for key, end in ends.items() if end}
    return _scalar(text)


def _scalar(text: str) -> Any:
    told = text.strip()
    if told in ("true", "false"):
        return told == "true"
    number = exact_number(told)
    if number is None:
        return told
    return number.numerator if number.denominator == 1 else str(number)


def _several(told: Any) -> list[str] | None:
    """A list of names, separated by commas or sent as several; an empty list is also an answer."""
    if isinstance(told, list):
        return [str(one).strip() for one in told if str(one).strip()]
    return None


def _takes(allowed: Allowed, value: Any) -> bool:
    if isinstance(value, Mapping):
        options = value.get("one_of")
        return options is None or all(_takes(allowed, one) for one in options)
    number = exact_number(str(value)) if not isinstance(value, bool) else None
    return allowed.takes(
        value if isinstance(value, bool) else (number if number is not None else str(value))
    )


def _allowed(path: Path, table: str, entry: Mapping[str, Any], choices: Choices) -> Allowed | None:
    if table == "unit" and path[:1] == ("attributes",):
        return allowed_for(choices.allowed.attributes, str(path[-1]))
    if table == "condition" and path == ("value",):
        return allowed_for(
            {**OF_ALL_RULES, **choices.allowed.conditions}, str(entry.get("key", ""))
        )
    return None


def _words(path: Path, table: str, allowed: Allowed | None, choices: Choices) -> list[str]:
    """The words that an answer may be."""
    last = path[-1] if path else ""
    if allowed is not None:
        return (
            ["yes", "no", *allowed.words] if allowed.kind == "yes-no" else list(words_of(allowed))
        )
    kinds = {"terrain": TERRAIN, "has": HEXSIDE, "lines": LINE, "features": ""}
    if last in kinds and table in ("hex", "hexside"):
        known = choices.words.get(kinds[str(last)])
        return sorted(known.names) if known is not None else []
    if table == PACK and path[:1] == ("options",):
        return list(choices.options.get(str(last), ()))
    if table == PACK and path[:1] in (("rules",), ("phase",), ("form",)):
        schema = choices.schema(table, path)
        if schema.get("type") == "boolean":
            return ["yes", "no"]
        return list(choices.forms) if last == "forms" else words_in(schema, choices.pack)
    plain: dict[str | int, Sequence[str]] = {
        "side": choices.sides,
        "active": choices.sides,
        "phase": choices.phases,
        "form": choices.forms,
        "are": ("enemies", "friends", "neutral"),
        "combat": ("yes", "no"),
    }
    return list(plain.get(last, ()))


def _only(path: Path, table: str, allowed: Allowed | None) -> bool:
    """Whether an answer must be one of its words."""
    if allowed is not None:
        return allowed.kind == "yes-no" and not allowed.words
    return path[-1] in ("are", "combat", "movers", "complete") or (
        table == PACK and path[:1] == ("options",)
    )
