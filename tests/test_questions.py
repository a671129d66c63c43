"""Every question can be answered: its stanza loads as printed, its answer settles it, and nothing else is
asked about the same fact."""

from __future__ import annotations

import json
import re
import tempfile
import tomllib
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from fnmatch import fnmatchcase
from fractions import Fraction
from functools import cache
from itertools import islice, product
from pathlib import Path
from random import Random
from typing import Any

import pytest
from cases import RULESETS, audit_of, cases, every_case
from tiers import SEED, by_tier
from vassal_umpire.importers.pack.facts_file import load_facts
from vassal_umpire.importers.pack.on_game import with_facts
from vassal_umpire.model.fact import MissingFact, Value
from vassal_umpire.model.finding import Audit
from vassal_umpire.model.game import MOVEMENT, OTHER, Displacement, Game
from vassal_umpire.model.names import LINE
from vassal_umpire.model.plain import plain_value
from vassal_umpire.model.problem import WrongPack
from vassal_umpire.model.stanza import BLANK
from vassal_umpire.plugin.registry import rulesets
from vassal_umpire.plugin.ruleset_needs import schema_of
from vassal_umpire.validators.allowed_facts import Allowed, AllowedFacts, TellsAllowedFacts
from vassal_umpire.validators.answers import SPENT
from vassal_umpire.validators.audit import audit
from vassal_umpire.validators.lives import DEAD

MOST_ANSWERS = 8
NUMBERS = (1, 4, "7/2")
ANY_CELL = (1, 2, "1/2", "prohibited", "all", True, False, "none")
"""What a cell or switch of some chart may be; a schema takes some of them."""

Path_ = tuple[str | int, ...]


@pytest.fixture(scope="module", autouse=True)
def _all_cases() -> None:
    """The cases, read before a test that looks at them is timed."""
    every_case()


def questions(audit: Audit) -> dict[str, MissingFact]:
    """All deciding facts that an audit names, by key."""
    found = {u.key: u for move in audit.moves for u in move.unknowns}
    found.update({u.key: u for finding in audit.findings for u in finding.unknowns})
    return found


def subject(unknown: MissingFact) -> Any:
    """What a question is about, its stanza without the blanks: two questions with one subject ask for the
    same fact. None if it has no stanza."""
    if not unknown.stanza:
        return None
    return json.dumps(_without_blanks(tomllib.loads(unknown.stanza)), sort_keys=True)


def _without_blanks(value: Any) -> Any:
    if isinstance(value, Mapping):
        return {k: None if v == BLANK else _without_blanks(v) for k, v in value.items()}
    if isinstance(value, list):
        return [None if v == BLANK else _without_blanks(v) for v in value]
    return value


def filled(game: Game, stanza: str) -> Iterator[str]:
    """The stanza with every answer that is allowed, at most :data:`MOST_ANSWERS` of them. A stanza without
    a blank is its own answer."""
    blanks = list(_blanks(tomllib.loads(stanza), ()))
    pieces = stanza.split(f'"{BLANK}"')
    assert len(pieces) == len(blanks) + 1, f"a question mark that stands for nothing: {stanza}"
    choices = [
        list(dict.fromkeys(map(_toml, answers(game, path, tomllib.loads(stanza)))))
        for path in blanks
    ]
    assert all(choices), f"no answer is known to {stanza}"
    for chosen in islice(product(*choices), MOST_ANSWERS):
        text = pieces[0]
        for answer, rest in zip(chosen, pieces[1:], strict=True):
            text += answer + rest
        yield text


def has_blank(stanza: str) -> bool:
    """Whether the reader has anything to fill in."""
    return any(True for _ in _blanks(tomllib.loads(stanza), ()))


def _blanks(value: Any, path: Path_) -> Iterator[Path_]:
    """The places of the blanks, in the order in which they are written."""
    if value == BLANK:
        yield path
    elif isinstance(value, Mapping):
        for key, one in value.items():
            yield from _blanks(one, (*path, key))
    elif isinstance(value, list):
        for index, one in enumerate(value):
            yield from _blanks(one, (*path, index))


def _toml(value: Any) -> str:
    if isinstance(value, Fraction):
        value = plain_value(value)
    return json.dumps(value, ensure_ascii=False)


def answers(game: Game, path: Path_, written: Mapping[str, Any]) -> Iterable[Any]:
    """What may stand at ``path`` of a facts file, by what the game and its ruleset know."""
    words = [part for part in path if isinstance(part, str)]
    match words:
        case ["hex" | "hexside", "terrain"]:
            return seen(game.rules.name).terrains
        case ["hex", "level"]:
            return (0, 1, 2)
        case ["hex", "features"] | ["hexside", "has"]:
            return seen(game.rules.name).features
        case ["hexside", "lines"]:
            known = RULESETS[game.rules.name].words(game.rules).get(LINE)  # type: ignore[attr-defined]
            return [k for k in seen(game.rules.name).lines if known is None or known.know(k)]
        case ["unit", "side"] | ["phase", "active"]:
            return game.sides
        case ["unit", "attributes", name]:
            return of_attribute(game, str(name))
        case ["condition", "value"]:
            return of_condition(game, written["condition"][path[1]]["key"])
        case ["phase", "turn"]:
            return ("1", "2")
        case ["phase", "phase"]:
            return tuple(game.phases)
        case ["phase", "combat"]:
            return (True, False)
        case ["displacement", "form"]:
            return (*game.forms, MOVEMENT, OTHER)
        case ["pack", *inner]:
            return _of_pack(game, inner)
    raise AssertionError(f"a blank in a place nobody knows: {path}")


def _of_pack(game: Game, path: list[str]) -> Iterable[Any]:
    match path:
        case ["options", option]:
            choices = RULESETS[game.rules.name].choices[option]  # type: ignore[attr-defined]
            return tuple(choice for choice in choices if choice not in ("any", "open", "undecided"))
        case ["board", "links" | "barriers"]:
            return tuple(game.board.hexes)
        case ["phase", "movers"]:
            return ("active", "inactive", "both", "none")
        case ["phase", "forms"]:
            return tuple(game.forms) or ("",)
        case ["phase", "active"]:
            return game.sides
        case ["phase", "complete" | "dice"]:
            return (True, False)
        case ["relation", "are"]:
            return ("friends", "enemies", "neutral")
        case ["rules", *keys]:
            return _words_of_schema(game.rules.name, keys) or ANY_CELL
    raise AssertionError(f"a blank in a place of the pack nobody knows: {path}")


def _words_of_schema(ruleset: str, keys: list[str]) -> tuple[str, ...]:
    """What a schema lets stand at a place of ``[rules]``, if that is one of some words."""
    schema: Any = schema_of(rulesets().get(ruleset))
    for key in keys:
        schema = schema.get("properties", {}).get(key) or schema.get("additionalProperties") or {}
    return tuple(word for word in schema.get("enum", ()) if word not in ("unknown", "open"))


def of_attribute(game: Game, name: str) -> Iterable[Any]:
    """What an attribute may be: as the ruleset tells, and all of it that the cases have."""
    if name == DEAD:
        return ("yes", "no")
    told = allowed(game)
    if told is not None:
        return _values(told.attributes.get(name), seen(game.rules.name).attributes.get(name, ()))
    return seen(game.rules.name).attributes.get(name, ())


def of_condition(game: Game, key: str) -> Iterable[Any]:
    """As :func:`of_attribute`, for a condition; an unknown one may be yes or no."""
    told = allowed(game)
    if key.startswith(SPENT):
        return NUMBERS
    known = None if told is None else _of_topic(told.conditions, key)
    return _values(known, seen(game.rules.name).conditions.get(key, ("yes", "no")))


def _of_topic(told: Mapping[str, Allowed], key: str) -> Allowed | None:
    """What is told of a condition, by its name or by a pattern that fits it."""
    return told.get(key) or next((a for name, a in told.items() if fnmatchcase(key, name)), None)


def _values(told: Allowed | None, seen_values: Iterable[Any]) -> Iterable[Any]:
    if told is None:
        return tuple(seen_values)
    numbers = NUMBERS if told.kind == "number" else ()
    yes_no = ("yes", "no") if told.kind == "yes-no" else ()
    return (*told.words, *numbers, *yes_no) or tuple(seen_values)


def allowed(game: Game) -> AllowedFacts | None:
    """What the ruleset says it knows; None if it does not say."""
    rules = RULESETS[game.rules.name].in_force(game)
    return rules.allowed_facts() if isinstance(rules, TellsAllowedFacts) else None


class Seen:
    """All values that the cases of a ruleset have."""

    def __init__(self, ruleset: str) -> None:
        terrains: dict[str, None] = {}
        features: dict[str, None] = {}
        lines: dict[str, None] = {}
        self.attributes: dict[str, dict[Value, None]] = {}
        self.conditions: dict[str, dict[Value, None]] = {}
        for case in cases(ruleset).values():
            lines.update(dict.fromkeys(line.kind for line in case.game.board.lines))
            for here in case.game.board.hexes.values():
                terrains.update(dict.fromkeys(here.terrain or ()))
                features.update(dict.fromkeys(here.features))
            for unit in case.game.units.values():
                for name, fact in unit.attributes.items():
                    self.attributes.setdefault(name, {}).update(dict.fromkeys(fact.options or ()))
            for condition in case.game.conditions:
                options = dict.fromkeys(condition.fact.options or ())
                self.conditions.setdefault(condition.key, {}).update(options)
        self.terrains, self.features, self.lines = tuple(terrains), tuple(features), tuple(lines)


seen = cache(Seen)


def told(game: Game, text: str, folder: Path) -> Game:
    """``game`` with a facts file of this text."""
    file = folder / "facts.toml"
    file.write_text(text, encoding="utf-8")
    return with_facts(game, load_facts(file))[0]


def is_a_choice_of_charts(text: str) -> bool:
    """Whether the answer fills in a cell of a chart, of which only a schema knows what it may be."""
    return any("rules" in table for table in tomllib.loads(text).get("pack", ()))


OF_FILES = re.compile(r"\b(lacks|complete|all there is)\b|what does your game have about")
"""What no question says: names of keys, and whether a table holds everything."""
SAY_SO = "say so"
"""Stands in a question whose stanza has no blank: it is pasted if the answer is yes, and only then."""

SHARE = by_tier(3, ci=12, proof=10_000)
"""Open cases of each ruleset whose questions are answered."""


@pytest.mark.parametrize("ruleset", sorted(RULESETS))
def test_every_question_is_settled_by_its_answer(ruleset: str, tmp_path: Path) -> None:
    every = [c for c in every_case("unverifiable") if c.ruleset == ruleset]
    drawn = Random(SEED).sample(every, min(SHARE, len(every)))
    found = [f"{c.id}: {line}" for c in drawn for line in faults(c.game, audit_of(c), tmp_path)]
    assert "\n".join(found) == ""


def test_questions_are_found_at_all() -> None:
    """Else the test above would hold for nothing."""
    with tempfile.TemporaryDirectory() as folder:
        mute = MissingFact("k", "is it so?")
        assert faults_of(every_case("unverifiable")[0].game, mute, {}, Path(folder)) == [
            "k: no stanza answers: is it so?"
        ]
        chart = MissingFact(
            "chart x", "what does your game have about x?", "facts.toml", "[[pack]]"
        )
        assert faults_of(every_case("unverifiable")[0].game, chart, {}, Path(folder)) == [
            "chart x: asks in words of the files: what does your game have about x?"
        ]
        hasty = MissingFact("k", "is it so?", "facts.toml", '[[pack]]\noptions = { a = "yes" }')
        assert faults_of(every_case("unverifiable")[0].game, hasty, {}, Path(folder)) == [
            f"k: its stanza answers of its own accord: {hasty.stanza!r}"
        ]


def test_a_side_that_is_told_is_not_asked_for() -> None:
    """Where the mover's side alone is not known, it is that which is asked."""
    rng = Random(SEED)
    asked: list[str] = []
    for case in rng.sample(every_case(), by_tier(20, ci=100)):
        game = case.game
        moved = [e.unit for e in game.events if isinstance(e, Displacement)]
        mover = next((game.units[name] for name in moved if name in game.units), None)
        if mover is None or mover.side is None:
            continue
        game = replace(game, units={**game.units, mover.id: replace(mover, side=None)})
        keys = questions(audit(game, RULESETS[case.ruleset]))
        sure = [u.id for u in game.units.values() if u.side is not None]
        asked += [f"{case.id}: {name}" for name in sure if f"unit {name} side" in keys]
    assert asked == []


def faults(game: Game, audited: Audit, folder: Path) -> list[str]:
    """What is wrong with the questions of a game, one line each."""
    asked = questions(audited)
    return [line for u in asked.values() for line in faults_of(game, u, asked, folder)]


def faults_of(
    game: Game, unknown: MissingFact, before: dict[str, MissingFact], folder: Path
) -> list[str]:
    """What is wrong with one question of a game that asks ``before``."""
    key = unknown.key
    if OF_FILES.search(unknown.question):
        return [f"{key}: asks in words of the files: {unknown.question}"]
    if not unknown.stanza or unknown.file != "facts.toml":
        return [f"{key}: no stanza answers: {unknown.question}"]
    try:
        texts = list(filled(game, unknown.stanza))
    except (AssertionError, ValueError) as error:
        return [f"{key}: {error}"]
    of_chart = key.startswith("chart ")  # what the game has of it: answered in the view Rules
    if not has_blank(unknown.stanza) and SAY_SO not in unknown.question.lower() and not of_chart:
        return [f"{key}: its stanza answers of its own accord: {unknown.stanza!r}"]
    found: list[str] = []
    refused: list[str] = []
    for text in texts:
        try:
            after = questions(audit(told(game, text, folder), RULESETS[game.rules.name]))
        except WrongPack as error:
            refused.append(f"{key}: refused: {text!r}: {error}")
            continue
        if key in after:
            found.append(f"{key}: asked again after {text!r}")
        new = [u for u in after.values() if u.key not in before]
        if any(subject(u) == subject(unknown) for u in new):
            found.append(f"{key}: asked in other words after {text!r}")
    if refused and (len(refused) == len(texts) or not is_a_choice_of_charts(texts[0])):
        found += refused
    return found[:2]
