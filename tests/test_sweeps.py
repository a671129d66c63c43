"""What is said of a game in which something is open holds for everything it may have been.

A *draw* says what is opened in which case, as a plain table: it can be printed, kept in
``sweeps_found.jsonl`` and opened again.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import chain, product, repeat
from pathlib import Path
from random import Random
from typing import Any

import pytest
from cases import RULESETS, cases, outcome_with, values
from tiers import SEED, by_tier
from vassal_umpire.importers.cases.case import Case
from vassal_umpire.model.fact import UNKNOWN, Fact, Value, known
from vassal_umpire.model.game import (
    Displacement,
    Game,
    PhaseStart,
    Place,
    StateChange,
    StepRef,
)
from vassal_umpire.model.plain import plain_value, value_of
from vassal_umpire.model.problem import Problem
from vassal_umpire.model.unit import Unit
from vassal_umpire.validators.allowed_facts import AllowedFacts, TellsAllowedFacts, misfits

HERE = Path(__file__).parent
PERHAPS = Fact((False, True))
DEAD = "dead"
COPY = "copy"

Draw = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Opened:
    """``game``: something in it is not known; ``completions``: what it may have been, by name."""

    game: Game
    completions: Mapping[str, Game]


def contradiction(draw: Draw) -> str:
    """How the verdict on the open game is belied by a completion; '' if it is not. Illegal must be illegal
    in all of them, legal must be illegal in none. Legal may be said where a draw brings in a value of which
    the ruleset makes no sense: an audit warns of such a fact and takes it as not told."""
    case = case_of(draw)
    opened = OPENERS[draw["open"]](case, draw)
    said = _verdict(case, opened.game)
    if said not in (("illegal",) if draw["open"] in ACCUSING_ONLY else ("legal", "illegal")):
        return ""
    nonsense = _misfits(case, opened.game)
    if said == "legal" and not nonsense <= _misfits(case, case.game):
        return ""
    found = {
        name: _verdict(case, game)
        for name, game in opened.completions.items()
        if _misfits(case, game) <= nonsense
    }
    belied = (lambda one: one != said) if said == "illegal" else (lambda one: one == "illegal")
    wrong = {name: one for name, one in found.items() if belied(one)}
    return f"{said}, but {wrong}: {json.dumps(draw)}" if wrong else ""


def _misfits(case: Case, game: Game) -> set[Problem]:
    """The facts of ``game`` that its ruleset makes no sense of. A completion that brings in another one
    contradicts itself (somebody is aboard what is then a squad) and is none."""
    rules = RULESETS[case.ruleset].in_force(game)
    known_facts = rules.allowed_facts() if isinstance(rules, TellsAllowedFacts) else AllowedFacts()
    return set(misfits(game, known_facts))


def _verdict(case: Case, game: Game) -> str:
    found = outcome_with(case, game)
    assert found.failures == (), (case.id, found.failures)
    return found.verdict


def case_of(draw: Draw) -> Case:
    return cases(draw["ruleset"])[draw["case"]]


# -- a copy of a unit that may be there --------------------------------------------------------------


def draw_companion(case: Case, rng: Random) -> Draw | None:
    """A copy of a unit, perhaps with other attributes, that may be in or next to a unit's hex."""
    game = case.game
    units = [name for name, unit in game.units.items() if unit.kind == "unit"]
    placed = [name for name in units if game.opening.get(name, Place("nowhere")).hex is not None]
    if not placed:
        return None
    model = game.units[rng.choice(units)]
    host = game.opening[rng.choice(placed)].name
    if rng.random() < 0.5:
        host = rng.choice(game.board.neighbours(host) or (host,))
    pool = values(case.ruleset)
    changed = {
        name: plain_value(rng.choice(pool[name]))
        for name in rng.sample(
            sorted(model.attributes), min(len(model.attributes), rng.randrange(4))
        )
        if name in pool
    }
    sides = sorted({u.side for u in game.units.values() if u.side})
    side = rng.choice(sides) if sides else None
    return {"like": model.id, "in": host, "side": side, "but": changed}


def open_companion(case: Case, draw: Draw) -> Opened:
    game, model = case.game, case.game.units[draw["like"]]
    changed = {name: known(value_of(value)) for name, value in draw["but"].items()}

    def among(dead: Fact) -> Game:
        facts = {**model.attributes, **changed, DEAD: dead}
        copy = replace(model, id=COPY, name=COPY, side=draw["side"], attributes=facts)
        there = {**game.opening, COPY: Place("hex", draw["in"])}
        return replace(_with_unit(game, copy), opening=there)

    return Opened(
        among(PERHAPS), {"absent": game, "dead": among(known(True)), "there": among(known(False))}
    )


# -- an attribute that is one thing or another -------------------------------------------------------


def draw_attribute(case: Case, rng: Random) -> Draw | None:
    """One or two attributes of units are what they are, or something else."""
    pool = values(case.ruleset)
    picks = [
        (name, key, fact.value)
        for name, unit in case.game.units.items()
        for key, fact in unit.attributes.items()
        if fact.value is not None and len(pool.get(key, ())) > 1
    ]
    if not picks:
        return None
    chosen = rng.sample(picks, min(len(picks), 2 if rng.random() < 0.2 else 1))
    return {
        "or": [
            [name, key, plain_value(rng.choice([v for v in pool[key] if _differ(v, now)]))]
            for name, key, now in chosen
        ]
    }


def _differ(a: Value, b: Value) -> bool:
    return (type(a), a) != (type(b), b)


def open_attribute(case: Case, draw: Draw) -> Opened:
    game = case.game
    either = []
    for name, key, value in draw["or"]:
        now = game.units[name].attributes[key].value
        assert now is not None
        either.append((now, value_of(value)))

    def having(facts: Iterable[Fact]) -> Game:
        found = game
        for (name, key, _), fact in zip(draw["or"], facts, strict=True):
            unit = found.units[name]
            found = _with_unit(found, replace(unit, attributes={**unit.attributes, key: fact}))
        return found

    return Opened(
        having(Fact(two) for two in either),
        {", ".join(map(str, one)): having(map(known, one)) for one in product(*either)},
    )


# -- whose a unit is, and whether it is there --------------------------------------------------------


def draw_presence(case: Case, rng: Random) -> Draw | None:
    """A unit may be dead, may be of any side, or died at one step or another."""
    game = case.game
    units = [unit for unit in game.units.values() if unit.kind == "unit"]
    if not units:
        return None
    unit = rng.choice(units)
    what = rng.choice(("side", "presence", "death"))
    if what == "side":
        return {"unit": unit.id, "side": True} if unit.side in game.sides[:2] else None
    moved = {e.unit for e in game.events if isinstance(e, Displacement)}
    if unit.id in moved or DEAD in unit.attributes:
        return None
    if what == "presence":
        return {"unit": unit.id}
    steps = sorted({event.at for event in game.events if event.at.step > 0})
    if len(steps) < 2:
        return None
    first, last = sorted(rng.sample(steps, 2))
    return {"unit": unit.id, "dies": [str(first), str(last)]}


def open_presence(case: Case, draw: Draw) -> Opened:
    game = case.game
    unit = game.units[draw["unit"]]
    if "side" in draw:
        of_side = {side: _with_unit(game, replace(unit, side=side)) for side in game.sides}
        return Opened(_with_unit(game, replace(unit, side=None)), of_side)
    if "dies" not in draw:
        return Opened(
            _with_dead(game, unit, PERHAPS),
            {
                "dead": _with_dead(game, unit, known(True)),
                "alive": _with_dead(game, unit, known(False)),
            },
        )
    first, last = (StepRef(*map(int, text.split(":"))) for text in draw["dies"])
    between = sorted({event.at for event in game.events if first <= event.at <= last})
    return Opened(
        _dying(game, unit, [(first, PERHAPS), (last, known(True))]),
        {f"at {step}": _dying(game, unit, [(step, known(True))]) for step in between},
    )


def _with_unit(game: Game, unit: Unit) -> Game:
    return replace(game, units={**game.units, unit.id: unit})


def _with_dead(game: Game, unit: Unit, dead: Fact) -> Game:
    return _with_unit(game, replace(unit, attributes={**unit.attributes, DEAD: dead}))


def _dying(game: Game, unit: Unit, told: Sequence[tuple[StepRef, Fact]]) -> Game:
    """``game`` in which ``unit`` is alive at first, and what is ``told`` from the beginning of each step."""
    before = known(False)
    events = list(game.events)
    for step, dead in told:
        place = next(i for i, event in enumerate(events) if event.at >= step)
        events.insert(place, StateChange(step, unit.id, DEAD, before, dead))
        before = dead
    return replace(_with_dead(game, unit, known(False)), events=tuple(events))


# -- what happened, but is not told ------------------------------------------------------------------


def draw_event(case: Case, rng: Random) -> Draw | None:
    """To what a unit was changed, or whose a phase was, is not known; sometimes of two events."""
    events = case.game.events
    picks = [n for n, event in enumerate(events) if isinstance(event, StateChange | PhaseStart)]
    if not picks:
        return None
    return {"of": sorted(rng.sample(picks, min(len(picks), rng.choice((1, 1, 2)))))}


def open_event(case: Case, draw: Draw) -> Opened:
    game, events = case.game, list(case.game.events)
    for number in draw["of"]:
        event = events[number]
        if isinstance(event, StateChange):
            events[number] = replace(event, after=UNKNOWN)
        elif isinstance(event, PhaseStart):
            events[number] = replace(event, active=None)
    return Opened(replace(game, events=tuple(events)), {"as it was": game})


DRAWERS: Mapping[str, Callable[[Case, Random], Draw | None]] = {
    "companion": draw_companion,
    "attribute": draw_attribute,
    "presence": draw_presence,
    "event": draw_event,
}
OPENERS: Mapping[str, Callable[[Case, Draw], Opened]] = {
    "companion": open_companion,
    "attribute": open_attribute,
    "presence": open_presence,
    "event": open_event,
}
ACCUSING_ONLY = ("event",)
"""Where it is not known to what a counter was changed, checks of what is not a move may be silent."""


def draws(ruleset: str, what: str, rng: Random, number: int) -> Iterator[Draw]:
    """``number`` draws from the cases of a ruleset."""
    several = list(cases(ruleset).values())
    found = 0
    while found < number:
        case = rng.choice(several)
        draw = DRAWERS[what](case, rng)
        if draw is not None:
            found += 1
            yield {"ruleset": ruleset, "case": case.id, "open": what, **draw}


def ever_found() -> list[Draw]:
    """Every draw in which a contradiction was found once."""
    lines = (HERE / "sweeps_found.jsonl").read_text(encoding="utf-8").splitlines()
    return [json.loads(line) for line in lines]


SHARE = by_tier(4, ci=8, proof=5000)
"""Draws from each ruleset for each thing that is opened."""


def contradictions(drawn: Iterable[Draw]) -> str:
    return "\n".join(line for draw in drawn if (line := contradiction(draw)))


@pytest.mark.parametrize("what", DRAWERS)
@pytest.mark.parametrize("ruleset", sorted(RULESETS))
def test_a_verdict_holds_in_every_completion(ruleset: str, what: str) -> None:
    rng = Random(f"{ruleset} {what} {SEED}")
    assert contradictions(draws(ruleset, what, rng, SHARE)) == ""


def test_what_was_found_once_stays_mended() -> None:
    assert contradictions(ever_found()) == ""


@pytest.mark.parametrize(
    ("said", "completed", "told"),
    [
        ("legal", "illegal", True),
        ("illegal", "legal", True),
        ("illegal", "unverifiable", True),
        ("legal", "unverifiable", False),
        ("unverifiable", "illegal", False),
        ("legal", "legal", False),
    ],
)
def test_what_belies_a_verdict_is_told(
    said: str, completed: str, told: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Else the tests above would hold for nothing."""
    (draw,) = draws("generic", "attribute", Random(1), 1)
    verdicts = chain([said], repeat(completed))
    monkeypatch.setitem(globals(), "_verdict", lambda _case, _game: next(verdicts))
    assert bool(contradiction(draw)) is told
