"""Drawn rules that read sums and things in hexes, and rules of acts: a unit gets out of another, or boards
it, and a marker is put on it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from math import prod
from random import Random
from typing import Any

from drawn_rules import (
    FEATURE,
    FOLDER,
    MOST_WORLDS,
    OF_SUMS,
    DrawnGame,
    DrawnRules,
    Reader,
    added,
    condition,
    drag,
    draw_game,
    draw_rules,
    holds,
    weight,
)
from flat import place
from vassal_umpire.model.fact import Fact, known
from vassal_umpire.model.game import Game, StateChange, StepRef
from vassal_umpire.model.unit import Unit
from vassal_umpire.validators.allowed_facts import Allowed
from vassal_umpire.validators.cost_interval import CostInterval
from vassal_umpire.validators.engine.clauses import ClauseFunction, cost, expense, forbid_act
from vassal_umpire.validators.engine.declared import Doing
from vassal_umpire.validators.engine.doings import Paid
from vassal_umpire.validators.engine.ruleset import ClauseRuleset

MARK, CARRIER = "immobile", "v"
ACT = "VV-6.10-a"
OF_MARKS = {
    "is": lambda mark, name, value: mark.is_(name, str(value).lower()),
    "other": lambda mark, name: mark.other("e").is_("class", name),
    "told": lambda mark, topic: mark.told(topic, f"is it {topic}?"),
    "reading": lambda mark, name: mark.reading(name),
}
"""What a clause may ask of a unit that is marked."""
READ_OF_MARKS = {
    "is": lambda reader, name, value: reader.world["unit", "m", name] == value,
    "other": lambda reader, name: reader.world["unit", "e", "class"] == name,
    "told": lambda reader, topic: reader.world["told", topic],
    "reading": lambda reader, _: reader.world["reading",],
}


@dataclass(frozen=True)
class RulesOfActs(DrawnRules):
    """``each``: MPs for every enemy in a hex that is entered, as they count. ``marking``: when a unit may
    not be marked. ``out``, ``aboard``: what getting out of another unit costs, and what boarding it does."""

    each: int = 0
    marking: tuple[Any, ...] = ()
    out: int = 0
    aboard: int = 0

    def ruleset(self) -> ClauseRuleset:
        declared = super().ruleset().declared
        acts = replace(
            declared,
            attributes={**declared.attributes, "aboard": Allowed(words=("no", CARRIER))},
            doings=lambda mover: [Doing(mover.read)],
            objects=(FEATURE,),
        )
        return ClauseRuleset(FOLDER, acts)

    def _clauses(self) -> Iterator[ClauseFunction]:
        yield from super()._clauses()
        yield cost("6.2-b", "each")(self._each)
        yield expense("6.2-b", "gets out")(
            lambda mover: Paid(mover.acts.began, times(mover, self.out, mover.acts.exits))
        )
        yield expense("6.2-b", "boards")(
            lambda mover: Paid(
                mover.acts.boarded_in, times(mover, self.aboard, mover.acts.boardings)
            )
        )
        yield forbid_act(ACT.removeprefix("VV-"), about=MARK)(
            lambda mark: "may not" if holds(OF_MARKS, self.marking, mark) else ""
        )

    def _each(self, step: Any) -> CostInterval:
        every = added(step.into.tally(weight, "out of") if step.enters else ())
        return step.due(times(step, self.each, every), *every.asked)


def times(mover: Any, due: int, often: Any) -> CostInterval:
    scale = mover.rules.scale
    return CostInterval(int(due * often.lo * scale), int(due * often.hi * scale))


@dataclass(frozen=True)
class GameOfActs(DrawnGame):
    """The unit is in ``CARRIER`` when the move begins, or boards it in the end (world key ``("aboard",)``),
    and is then marked. ``out``: it is in it first."""

    out: bool = True

    def game(self, world: Any = None) -> Game:
        found = super().game(world)
        told = self.told if world is None else world
        yes = ("aboard",) in told
        aboard = known(CARRIER if told["aboard",] else "no") if yes else Fact(("no", CARRIER))
        no, m = known("no"), found.units["m"]
        first = aboard if self.out else no
        facts = {"class": known("squad"), "weapon": known("none")}
        acts = [(2, "aboard", aboard, no)] if self.out else [(4, "aboard", no, aboard)]
        begins, moved, ends = found.events
        changes = [
            StateChange(StepRef(1, at), "m", about, before, after, actor="Red")
            for at, about, before, after in (*acts, (5, MARK, known(False), known(True)))
        ]
        moved = drag(3, "m", self.where["m"], self.target)
        events = sorted((begins, moved, ends, *changes), key=lambda event: event.at)
        here = self.where["m"] if self.out else self.target
        units = {
            **found.units,
            "m": replace(m, attributes={**m.attributes, "aboard": first}),
            CARRIER: Unit(CARRIER, CARRIER, "Red", attributes=facts),
        }
        opening = {**found.opening, CARRIER: place(here)}
        return replace(found, units=units, opening=opening, events=tuple(events))


@dataclass(frozen=True)
class ReaderOfActs(Reader):
    rules: RulesOfActs
    drawn: GameOfActs

    def _spent(self) -> int:
        act = self.rules.out if self.drawn.out else self.rules.aboard
        return act if self.world["aboard",] else 0

    def _more(self, here: str, to: str) -> int:
        return self.rules.each * self.weight(to, "out of") if here != to else 0

    def may_be_marked(self) -> bool:
        return not holds(READ_OF_MARKS, self.rules.marking, self)


def draw_acts(rng: Random) -> tuple[RulesOfActs, GameOfActs]:
    """Rules and a game of one move."""
    own = dict(vars(draw_rules(rng)))
    asked = ({"weighs": OF_SUMS["weighs"]}, OF_SUMS)
    own["besides"] += tuple(condition(rng, kinds, 1) for kinds in asked if rng.random() < 0.6)
    if rng.random() < 0.7:  # else most moves are illegal for other reasons
        own["forbidden"], own["barred"] = (), ()
    rules = RulesOfActs(
        **own,
        each=rng.choice((0, 1, 1)),
        marking=condition(rng, OF_MARKS, 1),
        out=rng.randint(0, 2),
        aboard=rng.randint(0, 2),
    )
    drawn = draw_game(rng, rules)
    told, open_ = dict(drawn.told), dict(drawn.open)
    if rng.random() < 0.5 and 2 * prod(map(len, open_.values())) <= MOST_WORLDS:
        open_["aboard",] = (False, True)
    else:
        told["aboard",] = rng.random() < 0.5
    return rules, GameOfActs(told, open_, drawn.where, drawn.target, rng.random() < 0.5)
