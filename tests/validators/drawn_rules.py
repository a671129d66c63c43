"""Rules drawn at random, and games of one move: as clauses for the engine, and read by a second, simple
interpreter.

A condition is a tuple: ``("and", a, b)``, ``("or", a, b)``, ``("not", a)``, or one of :data:`OF_STEPS` or
:data:`OF_MOVERS` with its arguments. A world is a game in which nothing is left open.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from itertools import product
from random import Random
from typing import Any, NamedTuple

from flat import place
from vassal_umpire.model.bill import Amount
from vassal_umpire.model.board import Board, Exceptions, Hex, Line, edge
from vassal_umpire.model.fact import Fact, between, known
from vassal_umpire.model.game import (
    Condition,
    Displacement,
    Game,
    PhaseRule,
    PhaseStart,
    Rules,
    StepRef,
)
from vassal_umpire.model.hexgrid import from_offset
from vassal_umpire.model.unit import Unit
from vassal_umpire.validators.allowed_facts import YES_NO
from vassal_umpire.validators.cost_interval import CostInterval
from vassal_umpire.validators.engine.allowance import Mp
from vassal_umpire.validators.engine.asking import Bounds
from vassal_umpire.validators.engine.clauses import (
    WHOLE,
    ClauseFunction,
    actions,
    allowance,
    cost,
    forbid,
    forbid_move,
    interpretation,
    must_stop,
    ways,
)
from vassal_umpire.validators.engine.declared import Completed
from vassal_umpire.validators.engine.due import Choice
from vassal_umpire.validators.engine.questions import HERE
from vassal_umpire.validators.engine.ruleset import ClauseRuleset
from vassal_umpire.validators.rulesets.valor_and_victory import DECLARED

FOLDER = "vassal_umpire.validators.rulesets.valor_and_victory"
"""Whose tables and texts are used; none of its clauses is."""
NAMES = [f"0{column}0{row}" for column in (1, 2, 3) for row in (1, 2)]
MOVEMENT = {"Movement": PhaseRule("Movement", "active", (), complete=True)}
TERRAINS, FEATURE, SIDE, ROAD = ("open", "woods", "building"), "foxhole", "wall", "road"
TOPICS, OF_UNIT = ("topic one", "topic two"), "topic three"
READING = "vehicles_pay_fortifications"
VALUES = {"weapon": ("none", "light", "heavy"), "tow": (True, False)}


def begins(step: int, turn: str, phase: str, side: str) -> PhaseStart:
    return PhaseStart(StepRef(1, step), turn, phase, side)


def drag(step: int, name: str, origin: str, target: str) -> Displacement:
    return Displacement(StepRef(1, step), name, place(origin), place(target), 1, actor="Red")


class Tired(NamedTuple):
    """The state of a mover."""

    much: int = 0


# -- rules -----------------------------------------------------------------------------------------

OF_STEPS = {
    "terrain": lambda step, name: step.into.has((name,)),
    "level": lambda step, up: step.into.level - step.out_of.level == up,
    "side": lambda step, name: name in step.hexside,
    "follows": lambda step, name: step.follows(name),
    "line": lambda step, name: step.into.line(name),
    "enemies": lambda step: step.into.enemies(),
    "enemy with": lambda step, name: step.into.enemies(weapon=name),
    "beside enemies": lambda step: step.out_of.enemies(),
    "told": lambda step, topic: step.told(topic, f"is it {topic}?"),
    "told of": lambda step, topic: step.told_of_hex(topic + " in {}", "is it so in {}?"),
    "reading": lambda step, name: step.reading(name),
    "fact": lambda step, name, value: step.fact(name).must_be(value),
    "tired": lambda step, much: step.tag is not None and step.tag.much >= much,
    "first": lambda step: step.first,
    "ends": lambda step: step.ends_here,
    "charged": lambda step: any(cost.hi != 0 for cost in step.before.values()),
    "enters": lambda step: step.enters,
}
"""What a clause may ask of a step."""
ARMED = {name: (lambda enemy, name=name: enemy.is_("weapon", name)) for name in VALUES["weapon"]}
"""Tests of an enemy unit."""
OF_CROSSINGS = {
    "by": lambda step: step.by == ROAD,
    "crosses": lambda step, name: step.crosses(name),
    "on side": lambda step, name: step.on_side(name),
    "near": lambda step, name: step.into.beside_enemies_who(ARMED[name]),
    "who": lambda step, name: step.into.enemies_who(ARMED[name]),
}
"""What it may ask besides; drawn apart, so that the games of a seed stay the same."""


def weight(enemy: Any) -> int:
    """What an enemy unit counts in a sum."""
    return 2 if enemy.is_("weapon", "heavy") else 1


def weighs(step: Any, most: int, where: str) -> bool:
    """Whether the enemies in the hex that is entered ("out of"), or also those beside it ("over"), count more
    than a number."""
    return bool(step.more_than(added(step.into.tally(weight, where)), most, (where, most)))


def added(numbers: Iterable[Bounds]) -> Bounds:
    every = tuple(numbers)
    most = None if any(one.hi is None for one in every) else sum(one.hi or 0 for one in every)
    return Bounds(sum(one.lo for one in every), most, tuple(q for one in every for q in one.asked))


OF_SUMS = {
    "weighs": weighs,
    "lies": lambda step: step.into.lies(FEATURE),
    "near": OF_CROSSINGS["near"],
    "enemies": OF_STEPS["enemies"],
}
"""What it may ask of sums, and of things that lie in hexes."""
OF_WAYS = ("terrain", "level", "side", "told", "told of", "reading")
"""What may decide whether a way is there."""
EVERY = {**OF_STEPS, **OF_CROSSINGS, **OF_SUMS}
OF_MOVERS = {
    "is": lambda mover, name, value: mover.is_(name, str(value).lower()),
    "most": lambda mover, limit: mover.most("mp", limit),
    "other": lambda mover, name: mover.other("e").is_("class", name),
    "told": lambda mover, topic: mover.told(topic, f"is it {topic}?"),
    "told unit": lambda mover, topic: mover.told(topic, f"is it {topic}?", mover.unit),
    "friend": lambda mover: mover.friend(mover.other("e").unit),
}
"""What a clause may ask of a mover."""


def holds(kinds: Mapping[str, Any], condition: tuple[Any, ...], subject: Any) -> bool:
    """Whether a condition holds for a step or a mover, asked as a clause asks."""
    match condition:
        case ("and", a, b):
            return holds(kinds, a, subject) and holds(kinds, b, subject)
        case ("or", a, b):
            return holds(kinds, a, subject) or holds(kinds, b, subject)
        case ("not", a):
            return not holds(kinds, a, subject)
        case (kind, *arguments):
            return bool(kinds[kind](subject, *arguments))
    raise AssertionError(condition)


def condition(rng: Random, kinds: Mapping[str, Any], depth: int = 2) -> tuple[Any, ...]:
    if depth and rng.random() < 0.5:
        one = condition(rng, kinds, depth - 1)
        if rng.random() < 0.3:
            return "not", one
        return rng.choice(("and", "or")), one, condition(rng, kinds, depth - 1)
    kind = rng.choice(sorted(kinds))
    arguments: dict[str, tuple[Any, ...]] = {
        "terrain": (rng.choice((*TERRAINS, FEATURE)),),
        "level": (rng.choice((-1, 1, 2)),),
        "side": (SIDE,),
        "follows": (ROAD,),
        "line": (ROAD,),
        "enemy with": (rng.choice(VALUES["weapon"]),),
        "crosses": (ROAD,),
        "on side": (SIDE,),
        "near": (rng.choice(VALUES["weapon"]),) if "near" in kinds else (),
        "who": (rng.choice(VALUES["weapon"]),) if "who" in kinds else (),
        "weighs": (rng.randint(0, 2), rng.choice(("out of", "over"))) if "weighs" in kinds else (),
        "told": (rng.choice(TOPICS),),
        "told of": (rng.choice(TOPICS),),
        "told unit": (OF_UNIT,),
        "reading": (READING,),
        "fact": ("weapon", rng.choice(VALUES["weapon"])),
        "tired": (rng.choice((1, 2)),),
        "most": (rng.randint(0, 6),),
        "other": (rng.choice(("squad", "sniper")),),
    }
    if kind == "is":
        name = rng.choice(sorted(VALUES))
        return kind, name, rng.choice(VALUES[name])
    return kind, *arguments.get(kind, ())


@dataclass(frozen=True)
class DrawnRules:
    """Rules of one mover. ``costs``: MPs or WHOLE, with their conditions, on top of 1 for every action.
    ``tiring``: entering makes a mover tired; ``rests``: it may rest. None: the mover has no state.
    ``mps``: its allowance; None: the MPs that are printed on it. ``more``: what adds 2 to it.
    ``by_road``: where a step may be made along a road; elsewhere it then costs 1 more. ``besides``: more
    that is forbidden. ``bounded``: MPs for a feature on the hexside, with bounds where it is not known.
    ``lifted``: an interpretation of the move, and the clauses that it lifts."""

    costs: tuple[tuple[Any, tuple[Any, ...]], ...]
    forbidden: tuple[tuple[Any, ...], ...]
    stops: tuple[tuple[Any, ...], ...]
    barred: tuple[tuple[Any, ...], ...]
    free: tuple[tuple[Any, ...], ...]
    tiring: tuple[Any, ...] | None
    rests: tuple[Any, ...] | None
    mps: int | None
    more: tuple[Any, ...]
    by_road: tuple[Any, ...] | None = None
    besides: tuple[tuple[Any, ...], ...] = ()
    bounded: tuple[tuple[Any, ...], int] | None = None
    lifted: tuple[tuple[Any, ...], tuple[str, ...]] | None = None

    def ruleset(self) -> ClauseRuleset:
        """These rules on the engine."""
        declared = replace(
            DECLARED,
            clauses=tuple(self._clauses()),
            conditions={f"{topic}*": YES_NO for topic in (*TOPICS, OF_UNIT)},
            completed=(Completed("class"), Completed("weapon")),
            shared=("kind", "class"),
            stacking=lambda rules: None,
            start_state=lambda facts: Tired(),
            unfinished=lambda state, facts: False,
            entered=lambda rules, unit, event: None,
            order="",
            ways=lambda step: ("", ROAD),
            looks_beside=True,
        )
        return ClauseRuleset(FOLDER, declared)

    def _clauses(self) -> Iterator[ClauseFunction]:
        yield cost("6.2-a", "a step", least=1)(lambda step: 1)
        if self.by_road is not None:
            yield ways("drive")(
                lambda step: step.by == "" or holds(EVERY, self.by_road or (), step)
            )
            yield cost("6.2-b", "off the road")(lambda step: int(step.by != ROAD))
        for when in self.besides:
            yield forbid("20.3-b", "goes wrong")(lambda step, when=when: holds(EVERY, when, step))
        if self.bounded is not None:
            yield cost("6.2-b", "crossed")(self._crossing)
        if self.lifted is not None:
            yield interpretation("put back", lifts=self.lifted[1])(
                lambda mover: holds(OF_MOVERS, self.lifted[0] if self.lifted else (), mover)
            )
        for due, when in self.costs:
            yield cost("6.2-b", "more", late="too late")(
                lambda step, due=due, when=when: due if holds(OF_STEPS, when, step) else 0
            )
        for when in self.forbidden:
            yield forbid("6.8-a", "goes wrong")(lambda step, when=when: holds(OF_STEPS, when, step))
        for when in self.stops:
            yield must_stop("20.8-a", "goes on")(
                lambda step, when=when: holds(OF_STEPS, when, step)
            )
        for when in self.barred:
            yield forbid_move("14.7-a", "may not")(
                lambda mover, when=when: holds(OF_MOVERS, when, mover)
            )
        for when in self.free:
            yield interpretation("carried")(lambda mover, when=when: holds(OF_MOVERS, when, mover))
        yield allowance("6.31-b")(self._allowance)
        if self.tiring is not None:
            yield actions("drive")(self._actions)

    def _crossing(self, step: Any) -> CostInterval:
        due = (self.bounded[1] if self.bounded else 0) * step.rules.scale
        return (
            CostInterval()
            if not step.enters
            else step.if_on_side(SIDE, lambda: CostInterval(due, due))
        )

    def _allowance(self, mover: Any) -> Mp:
        amount = mover.amount("mp") if self.mps is None else Amount.exactly(self.mps)
        mp = Mp(amount, "6.31-b")
        if not holds(OF_MOVERS, self.more, mover):
            return mp
        return mp._replace(
            amount=Amount(amount.lo + 2, None if amount.hi is None else amount.hi + 2)
        )

    def _actions(self, step: Any) -> Iterator[Choice]:
        for to in step.around:
            tired = self.tiring is not None and holds(OF_STEPS, self.tiring, to)
            yield Choice(to.place, Tired(min(2, step.tag.much + tired)))
        if self.rests is not None and step.tag.much and holds(OF_STEPS, self.rests, step):
            yield Choice(HERE, Tired(0))


def draw_rules(rng: Random) -> DrawnRules:
    def some(kinds: Mapping[str, Any], most: int) -> tuple[tuple[Any, ...], ...]:
        return tuple(condition(rng, kinds) for _ in range(rng.randint(0, most)))

    state = rng.random() < 0.5
    of_actions = {
        name: OF_STEPS[name]
        for name in ("terrain", "level", "enemies", "told", "tired", "ends", "fact", "first")
    }
    drawn = DrawnRules(
        costs=tuple((rng.choice((1, 1, 2, WHOLE)), when) for when in some(OF_STEPS, 2)),
        forbidden=some(OF_STEPS, 2),
        stops=some(OF_STEPS, 1),
        barred=some(OF_MOVERS, 1) if rng.random() < 0.4 else (),
        free=some(OF_MOVERS, 1) if rng.random() < 0.2 else (),
        tiring=condition(rng, of_actions, 1) if state else None,
        rests=condition(rng, of_actions, 1) if state and rng.random() < 0.5 else None,
        mps=rng.choice((None, 1, 2, 3, 4)),
        more=condition(rng, OF_MOVERS),
    )
    own = Random(repr(rng.getstate()[1][:9]))
    return with_more_rules(own, drawn) if own.random() < 0.5 else drawn


def with_more_rules(rng: Random, rules: DrawnRules) -> DrawnRules:
    """The same rules, with ways, tests of enemies, bounds, and an interpretation that lifts clauses."""
    by_road = None
    if rules.tiring is None and rng.random() < 0.6:
        there = condition(rng, {name: OF_STEPS[name] for name in OF_WAYS}, 1)
        by_road = rng.choice((("crosses", ROAD), ("and", ("crosses", ROAD), there)))
    asked = OF_CROSSINGS if by_road else {k: v for k, v in OF_CROSSINGS.items() if k != "by"}
    lifts = rng.choice((("6.8-a", "20.3-b"), ("6.31-b",), ("14.7-a",)))
    return replace(
        rules,
        by_road=by_road,
        besides=tuple(condition(rng, asked, 1) for _ in range(rng.randint(0, 2))),
        bounded=(("on side", SIDE), rng.choice((1, 2))) if rng.random() < 0.4 else None,
        lifted=(condition(rng, OF_MOVERS, 1), lifts) if rng.random() < 0.4 else None,
    )


# -- games and worlds ------------------------------------------------------------------------------

World = dict[tuple[Any, ...], Any]
"""What may be open, each with its value. Keys: ``("terrain", hex)``, ``("feature", hex)``, ``("level",
hex)``, ``("side", a, b)``, ``("line", a, b)``, ``("unit", id, attribute)``, ``("told", topic)``,
``("told", topic, hex)``, ``("told unit", topic)``, ``("reading",)``."""
PLACES: dict[str, Any] = {n: from_offset(int(n[:2]), int(n[2:])) for n in NAMES}


def neighbours() -> list[tuple[str, str]]:
    bare = Board("bare", {n: Hex(n, at, ("open",)) for n, at in PLACES.items()})
    return sorted({edge(a, b) for a in NAMES for b in bare.neighbours(a)})


SIDES = neighbours()


def choices() -> dict[tuple[Any, ...], tuple[Any, ...]]:
    """Every cell and fact with the values that it may have."""
    found: dict[tuple[Any, ...], tuple[Any, ...]] = {}
    for name in NAMES:
        found["terrain", name] = TERRAINS
        found["feature", name] = (False, True)
        found["level", name] = (0, 1, 2)
    for a, b in SIDES:
        found["side", a, b] = found["line", a, b] = (False, True)
    for unit in ("m", "e", "f"):
        for name, values in VALUES.items():
            found["unit", unit, name] = values
        found["unit", unit, "class"] = ("squad", "sniper") if unit != "m" else ("squad",)
        found["unit", unit, "mp"] = tuple(range(7))
        found["unit", unit, "dead"] = (False, True) if unit != "m" else (False,)
        found["unit", unit, "side"] = ("Red", "Blue") if unit != "m" else ("Red",)
    for topic in TOPICS:
        found["told", topic] = (False, True)
        for name in NAMES:
            found["told", topic, name] = (False, True)
    found["told unit", OF_UNIT] = found["reading",] = (False, True)
    return found


@dataclass(frozen=True)
class DrawnGame:
    """One move of the unit ``m``. ``told``: what is known; ``open``: what is not, with the values that it
    may have; all of ``mp`` between its bounds."""

    told: World
    open: Mapping[tuple[Any, ...], tuple[Any, ...]]
    where: Mapping[str, str]
    target: str

    def worlds(self) -> Iterator[World]:
        for values in product(*self.open.values()):
            yield {**self.told, **dict(zip(self.open, values, strict=True))}

    def game(self, world: World | None = None) -> Game:
        """The game as it is told, or one of its worlds."""
        told = self.told if world is None else world
        hexes = {}
        for name, at in PLACES.items():
            terrain = told.get(("terrain", name))
            features = (FEATURE,) if told.get(("feature", name)) else ()
            level = told.get(("level", name))
            hexes[name] = Hex(name, at, terrain and (terrain,), level, features)
        lines = tuple(Line(ROAD, side) for side in SIDES if told.get(("line", *side)))
        board = Board(
            "board",
            hexes,
            {side: (SIDE,) for side in SIDES if told.get(("side", *side))},
            lines,
            exceptions=Exceptions(
                {n: frozenset((FEATURE,)) for n in NAMES if ("feature", n) not in told},
                {s: frozenset((SIDE,)) for s in SIDES if ("side", *s) not in told},
                {s: frozenset((ROAD,)) for s in SIDES if ("line", *s) not in told},
                frozenset(n for n in NAMES if ("level", n) not in told),
            ),
        )
        units = {name: self._unit(name, told) for name in self.where}
        conditions = [
            Condition(" in ".join(key[1:]), known(value), StepRef(1, 0))
            for key, value in told.items()
            if key[0] == "told"
        ]
        conditions += [
            Condition(key[1], known(value), StepRef(1, 0), unit="m")
            for key, value in told.items()
            if key[0] == "told unit"
        ]
        reading = told.get(("reading",))
        return Game(
            title="a game",
            board=board,
            sides=("Red", "Blue"),
            units=units,
            opening={name: place(at) for name, at in self.where.items()},
            events=(
                begins(1, "1", "Movement", "Red"),
                drag(2, "m", self.where["m"], self.target),
                begins(9, "1", "Combat", "Red"),
            ),
            rules=Rules(
                "valor-and-victory",
                options={} if reading is None else {READING: "yes" if reading else "no"},
            ),
            phases=MOVEMENT,
            conditions=tuple(conditions),
        )

    def _unit(self, name: str, told: World) -> Unit:
        facts: dict[str, Fact] = {}
        for about in ("weapon", "tow", "class", "mp", "dead"):
            key = "unit", name, about
            if key in told:
                facts[about] = known(told[key])
            elif about == "mp":
                facts[about] = between(min(self.open[key]), max(self.open[key]))
            else:
                facts[about] = Fact(self.open[key])
        return Unit(name, name, told.get(("unit", name, "side")), attributes=facts)


MOST_WORLDS = 64
ENEMIES = ("enemies", "enemy with", "near", "who", "beside enemies", "weighs")
OPENS = {
    "terrain": ("terrain", "feature"),
    "lies": ("feature",),
    "level": ("level",),
    "reading": ("reading",),
    "told unit": ("told unit",),
    **dict.fromkeys(("side", "on side"), ("side",)),
    **dict.fromkeys(("follows", "line", "crosses"), ("line",)),
    **dict.fromkeys(ENEMIES, ("unit e", "unit f", "enemies")),
    **dict.fromkeys(("told", "told of"), ("told",)),
    **dict.fromkeys(("fact", "is", "most"), ("unit m",)),
    **dict.fromkeys(("other", "friend"), ("unit e",)),
}
"""Kind of condition → the cells and facts that matter to it."""


def mentioned(rules: DrawnRules) -> set[str]:
    """The cells and facts that rules mention, by the values of :data:`OPENS`."""
    found = {"unit m"} if rules.mps is None else set()
    todo: list[Any] = [getattr(rules, name) for name in rules.__dataclass_fields__]
    while todo:
        one = todo.pop()
        if isinstance(one, tuple):
            todo += one
        found.update(OPENS.get(one, ()) if isinstance(one, str) else ())
    return found


def draw_game(rng: Random, rules: DrawnRules) -> DrawnGame:
    """A game; most of what is open in it matters to the rules."""
    every = choices()
    likely: World = {key: rng.choice(values) for key, values in every.items()}
    for key in likely:  # many hexes and hexsides are alike
        if key[0] in ("terrain", "level", "feature", "side", "line") and rng.random() < 0.6:
            likely[key] = every[key][0]
    start, target = rng.sample(NAMES, 2)
    where = {"m": start, "e": rng.choice(NAMES), "f": rng.choice(NAMES)}
    open_: dict[tuple[Any, ...], tuple[Any, ...]] = {}
    matter, number = mentioned(rules), 1
    keys = [k for k in every if k[0] in matter or f"{k[0]} {k[1:2] and k[1]}" in matter]
    keys = rng.sample(keys, len(keys))[: rng.choice((0, 2, 6, 12, 20))]
    for key in (*keys, *rng.sample(sorted(every, key=str), 2)):
        values = every[key]
        if key[-1] == "mp":
            low = rng.randint(0, 5)
            values = tuple(range(low, low + rng.randint(2, 3)))
        if len(values) > 1 and number * len(values) <= MOST_WORLDS:
            number *= 1 if key in open_ else len(values)
            open_[key] = values
    return DrawnGame({k: v for k, v in likely.items() if k not in open_}, open_, where, target)


def with_more_moves(rng: Random, drawn: DrawnGame) -> Game:
    """The game with moves of other units, which are like the first but for their weapons and what is known
    of them."""
    game = drawn.game()
    units, opening = dict(game.units), dict(game.opening)
    first, moved, last = game.events
    drags = [moved]
    for number in range(5):
        name, (start, target) = f"m{number}", rng.sample(NAMES, 2)
        weapon = Fact(tuple(rng.sample(VALUES["weapon"], rng.choice((1, 1, 1, 2)))))
        like = units["m"].attributes
        units[name] = Unit(name, name, "Red", attributes={**like, "weapon": weapon})
        opening[name] = place(start)
        drags.append(drag(3 + number, name, start, target))
    return replace(game, units=units, opening=opening, events=(first, *drags, last))


# -- the second reading ----------------------------------------------------------------------------


class At(NamedTuple):
    """A step in one world. ``charged``: whether costs were due before; None: it is not asked."""

    reader: Reader
    here: str
    to: str
    tired: int
    charged: bool | None = None
    by: str = ""

    @property
    def enters(self) -> bool:
        return self.here != self.to

    def across(self, what: str) -> bool:
        return self.enters and self.reader.world[what, *edge(self.here, self.to)]

    def is_(self, what: str, value: Any = True) -> bool:
        return bool(self.reader.world[what, self.to] == value)

    def armed(self, names: Iterable[str], weapon: str) -> bool:
        """Whether an enemy in one of these hexes has a weapon."""
        enemies = (unit for name in names for unit in self.reader.enemies(name))
        return any(self.reader.world["unit", unit, "weapon"] == weapon for unit in enemies)

    def rise(self) -> int:
        world = self.reader.world
        return int(world["level", self.to] - world["level", self.here])


READ_OF_STEPS = {
    "terrain": lambda at, name: at.is_("feature") if name == FEATURE else at.is_("terrain", name),
    "level": lambda at, up: at.rise() == up,
    "side": lambda at, _: at.across("side"),
    "on side": lambda at, _: at.across("side"),
    "follows": lambda at, _: at.across("line"),
    "crosses": lambda at, _: at.across("line"),
    "line": lambda at, _: any(at.reader.world["line", *side] for side in SIDES if at.to in side),
    "enemies": lambda at: any(at.reader.enemies(at.to)),
    "enemy with": lambda at, name: at.armed((at.to,), name),
    "who": lambda at, name: at.armed((at.to,), name),
    "near": lambda at, name: at.armed((a for side in SIDES for a in beside(side, at.to)), name),
    "beside enemies": lambda at: any(at.reader.enemies(at.here)),
    "weighs": lambda at, most, where: at.reader.weight(at.to, where) > most,
    "lies": lambda at: at.is_("feature"),
    "told": lambda at, topic: at.reader.world["told", topic],
    "told of": lambda at, topic: at.reader.world["told", topic, at.to],
    "reading": lambda at, _: at.reader.world["reading",],
    "fact": lambda at, name, value: at.reader.world["unit", "m", name] == value,
    "tired": lambda at, much: at.reader.rules.tiring is not None and at.tired >= much,
    "first": lambda at: at.here == at.reader.drawn.where["m"],
    "ends": lambda at: at.to == at.reader.drawn.target,
    "charged": lambda at: at.charged in (None, True),
    "enters": lambda at: at.enters,
    "by": lambda at: at.by == ROAD,
}
READ_OF_MOVERS = {
    "is": lambda world, name, value: world["unit", "m", name] == value,
    "most": lambda world, limit: world["unit", "m", "mp"] <= limit,
    "other": lambda world, name: world["unit", "e", "class"] == name,
    "told": lambda world, topic: world["told", topic],
    "told unit": lambda world, topic: world["told unit", topic],
    "friend": lambda world: world["unit", "e", "side"] == "Red",
}
"""What a condition means, by a world alone."""


def beside(side: tuple[str, str], name: str) -> tuple[str, ...]:
    """The hex on the other side of a hexside, if ``name`` is on one."""
    return tuple(other for other in side if name in side and other != name)


@dataclass(frozen=True)
class Reader:
    """Whether a move is legal in one world, worked out without the engine."""

    rules: DrawnRules
    drawn: DrawnGame
    world: World

    def legal(self) -> bool:
        mover = [self._of_mover(when) for when in self.rules.free]
        if any(mover):
            return True
        lifted = self.rules.lifted
        off = lifted[1] if lifted is not None and self._of_mover(lifted[0]) else ()
        if "14.7-a" not in off and any(self._of_mover(when) for when in self.rules.barred):
            return False
        limit = self.world["unit", "m", "mp"] if self.rules.mps is None else self.rules.mps
        limit += 2 * self._of_mover(self.rules.more)
        if "6.31-b" in off:
            limit = 10**6
        todo: list[tuple[str, int, int]] = [(self.drawn.where["m"], 0, 0)]
        limit -= self._spent()
        seen = set(todo)
        while todo:
            here, tired, spent = todo.pop()
            for to, after, by in self._actions(here, tired):
                at = here, to, tired, None, by
                forbidden = () if "6.8-a" in off else (*self.rules.forbidden, *self.rules.besides)
                if any(self._of_step(when, *at) for when in forbidden):
                    continue
                due = self._due(at, spent, limit)
                if due is None or spent + due > limit:
                    continue
                if to == self.drawn.target:
                    return True
                stops = any(self._of_step(when, *at) for when in self.rules.stops)
                label = to, after, spent + due
                if not stops and label not in seen and spent + due < 40:
                    seen.add(label)
                    todo.append(label)
        return False

    def _spent(self) -> int:
        """What was spent besides the steps."""
        return 0

    def _more(self, here: str, to: str) -> int:
        """What a step costs besides."""
        return 0

    def _actions(self, here: str, tired: int) -> Iterator[tuple[str, int, str]]:
        for a, b in SIDES:
            if here in (a, b):
                to = b if here == a else a
                more = self.rules.tiring is not None and self._of_step(
                    self.rules.tiring, here, to, tired, None
                )
                yield to, min(2, tired + more), ""
                road = self.rules.by_road
                if road is not None and self._of_step(road, here, to, tired, None):
                    yield to, tired, ROAD
        rests = self.rules.rests
        if rests is not None and tired and self._of_step(rests, here, here, tired, None):
            yield here, 0, ""

    def _due(self, at: tuple[str, str, int, None, str], spent: int, limit: int) -> int | None:
        """The cost of a step; None if it takes the whole allowance and is not the first."""
        here, to, tired, _, by = at
        total, whole = 1, False
        total += self.rules.by_road is not None and by != ROAD
        total += self._more(here, to)
        if self.rules.bounded is not None and here != to and self.world["side", *edge(here, to)]:
            total += self.rules.bounded[1]
        for due, when in self.rules.costs:
            if self._of_step(when, here, to, tired, True, by):
                whole = whole or due == WHOLE
                total += 0 if due == WHOLE else due
        if whole:
            first = here == self.drawn.where["m"] and not self._spent()
            return limit if first and not spent else None
        return total

    def _of_step(self, when: tuple[Any, ...], *at: Any) -> bool:
        return holds(READ_OF_STEPS, when, At(self, *at))

    def enemies(self, name: str, classes: tuple[str, ...] = ("squad",)) -> list[str]:
        return [
            unit
            for unit in ("e", "f")
            if self.drawn.where[unit] == name
            and self.world["unit", unit, "side"] == "Blue"
            and self.world["unit", unit, "class"] in classes
            and not self.world["unit", unit, "dead"]
        ]

    def weight(self, name: str, where: str) -> int:
        """What the enemies in a hex count, of whatever class; "over": with those beside it."""
        names = [name, *(a for side in SIDES for a in beside(side, name) if where == "over")]
        every = (u for near in names for u in self.enemies(near, ("squad", "sniper")))
        weapons = [self.world["unit", unit, "weapon"] for unit in every]
        return sum(2 if weapon == "heavy" else 1 for weapon in weapons)

    def _of_mover(self, when: tuple[Any, ...]) -> bool:
        return holds(READ_OF_MOVERS, when, self.world)
