"""A save in the middle of a turn: nobody is accused there whom the steps would clear."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from itertools import takewhile
from pathlib import Path

import pytest
from cases import cases
from vassal_umpire.model.finding import OF_MOVES
from vassal_umpire.model.game import (
    Displacement,
    Event,
    Game,
    PhaseStart,
    StateChange,
    StepRef,
    Witness,
)
from vassal_umpire.plugin.desk.midway import look_midway
from vassal_umpire.plugin.registry import rulesets
from vassal_umpire.validators.audit import audit_known
from vassal_umpire.validators.ruleset import KnowsOthers

from . import kit
from .kit import CROSSROADS, TURN_1

RULESETS = ("generic", "battle-for-moscow")
FEWEST = {"generic": 60, "battle-for-moscow": 5}
"""At least so many units of the cases are told to be legal, and so many accused."""


def saved(game: Game, split: int) -> Game:
    """``game`` to the end of the phase, as if its events from ``split`` on were not logged: a save holds how
    they ended. None of it was combat, as the look at a save says of itself."""
    head, rest = game.events[:split], list(takewhile(_goes_on, game.events[split:]))
    at = StepRef(max(e.at.log for e in game.events) + 1, 0)
    places: dict[str, Displacement] = {}
    facts: dict[tuple[str, str], StateChange] = {}
    for event in rest:
        if isinstance(event, Displacement):
            first = places.get(event.unit, event)
            places[event.unit] = replace(first, at=at, target=event.target, cause="reseated")
        elif isinstance(event, StateChange):
            key = (event.unit, event.attribute)
            facts[key] = replace(event, at=at, before=facts.get(key, event).before)
    moved = [replace(e, actor=None, group=0, player="") for e in places.values()]
    tail = (*moved, *facts.values(), Witness(at, "log-end"))
    phases = {name: replace(rule, dice=True) for name, rule in game.phases.items()}
    logged = (*head, Witness(StepRef(at.log - 1, 99), "log-end"), *tail)
    return replace(game, phases=phases, events=logged)


def _goes_on(event: Event) -> bool:
    return not isinstance(event, PhaseStart)


def splits(game: Game) -> Iterator[int]:
    """Before each displacement of a unit that did not move in the phase before: where a log ends, everybody
    has seen the units, and that is another game. None where a phase may go on after the save."""
    if any(isinstance(e, PhaseStart) and None in (e.turn, e.active) for e in game.events):
        return
    moved: set[str] = set()
    for index, event in enumerate(game.events):
        if isinstance(event, PhaseStart):
            moved.clear()
        elif isinstance(event, Displacement):
            later = takewhile(_goes_on, game.events[index:])
            if moved.isdisjoint(e.unit for e in later if isinstance(e, Displacement)):
                yield index
            moved.add(event.unit)


@pytest.mark.parametrize("name", RULESETS)
def test_nobody_is_accused_whom_the_steps_clear(name: str) -> None:
    ruleset = rulesets().get(name)
    legal = accused = 0
    for case in cases(name).values():
        game = case.game
        if any(
            told.unit for told in game.conditions
        ):  # of one of its stops, which a save does not have
            continue
        guilty: set[str] | None = None
        for split in splits(game):
            for went in look_midway(saved(game, split), ruleset).moved:
                legal += went.verdict == "legal"
                if went.verdict != "illegal":
                    continue
                accused += 1
                if guilty is None:
                    phases = {name: replace(p, dice=True) for name, p in game.phases.items()}
                    found = audit_known(replace(game, phases=phases), ruleset).findings
                    guilty = {u for f in found if f.kind in OF_MOVES for u in f.names}
                assert went.name in guilty, (case.id, split, went)
    assert min(legal, accused) >= FEWEST[name], (legal, accused)


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("midway.vsav",), "midway.vsav: holds positions, not steps; name the log it goes on from"),
        (("turn-2.vlog", "--after", "turn-1.vlog"), "turn-2.vlog: is a log, not a save"),
        (("turn-1.vlog", "midway.vsav", "--after", "turn-1.vlog"), "needs exactly one save"),
    ],
)
def test_what_does_not_go_together(words: tuple[str, ...], said: str) -> None:
    files = [w if w.startswith("-") else str(CROSSROADS / w) for w in words]
    assert said in kit.refused("check", *files)


def test_a_save_of_another_game(tmp_path: Path) -> None:
    """Its pieces are others, though module and pack are the same."""
    from vassal_umpire.importers.vassal.savefile import read_save
    from vassal_umpire.importers.vassal.writer import write_save

    save = read_save(CROSSROADS / "midway.vsav")
    text = save.text.replace("17900000002", "17900000009").replace("17900000001", "17900000008")
    file = tmp_path / "other.vsav"
    write_save(file, text, moduledata=save.moduledata, savedata=save.savedata)
    words = [str(file), "--after", str(TURN_1)]
    assert "other.vsav: does not go on from turn-1.vlog" in kit.refused("check", *words)


@pytest.fixture(scope="module")
def plain_game() -> Game:
    case = next(c for c in cases("generic").values() if len(list(splits(c.game))) == 1)
    return saved(case.game, next(splits(case.game)))


def reasons(game: Game, name: str = "generic") -> set[str]:
    return {went.why for went in look_midway(game, rulesets().get(name)).moved}


def test_a_tracker_that_went_on_or_an_attribute_that_changed(plain_game: Game) -> None:
    last = plain_game.events[-1].at.log
    start = PhaseStart(StepRef(last, 0), "1", "Combat", "Red")
    at = next(i for i, e in enumerate(plain_game.events) if e.at.log == last)
    events = (*plain_game.events[:at], start, *plain_game.events[at:])
    assert reasons(plain_game) == {""}
    assert reasons(replace(plain_game, events=events)) == {
        "the turn has advanced since the log, so the phase in which it was moved is not known"
    }
    # It may have had either value when it moved.
    moved = next(e for e in plain_game.events if isinstance(e, Displacement))
    before = plain_game.units[moved.unit].fact("ma")
    change = StateChange(moved.at, moved.unit, "ma", before, before)
    events = (*plain_game.events[:-1], change, plain_game.events[-1])
    assert reasons(replace(plain_game, events=events)) != {""}


def test_units_of_the_other_side_that_stirred(plain_game: Game) -> None:
    """It may have been combat, unless the pack says that dice belong to the phase."""
    enemy = replace(next(iter(plain_game.units.values())), id="x", name="x", side="Blue")
    moved = next(e for e in plain_game.events if isinstance(e, Displacement))
    units = {**plain_game.units, "x": enemy}
    opening = {**plain_game.opening, "x": moved.target}
    stirs = replace(moved, unit="x", origin=moved.target, target=moved.origin)
    events = (*plain_game.events[:-1], stirs)
    stirred = replace(plain_game, units=units, opening=opening, events=events)
    phases = {name: replace(rule, dice=False) for name, rule in plain_game.phases.items()}
    assert reasons(replace(plain_game, phases=phases)) == {""}
    assert reasons(replace(stirred, phases=phases)) == {
        "units of the other side were moved or changed since the log: it may have been combat"
    }


def test_rules_in_which_others_may_help() -> None:
    for name in rulesets().parts:
        case = next(iter(cases(name).values()), None)
        if case is None or name in RULESETS:
            continue
        found = rulesets().get(name).in_force(case.game)
        assert not isinstance(found, KnowsOthers) or not found.others_only_hinder, name
