"""The twin: asks walker and audit about every hex of a small board, and compares their answers."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from random import Random

from vassal_umpire.model.bill import Amount
from vassal_umpire.model.fact import known
from vassal_umpire.model.finding import JudgedMove
from vassal_umpire.model.game import (
    Condition,
    Displacement,
    Event,
    Game,
    MovementForm,
    PhaseRule,
    PhaseStart,
    Place,
    Rules,
    StateChange,
    StepRef,
    Witness,
)
from vassal_umpire.plugin.registry import rulesets
from vassal_umpire.validators.audit import audit

from .kit import (
    BOX,
    Action,
    Change,
    Drag,
    GameSetup,
    Kit,
    LegalRoute,
    Phase,
    Roll,
    Say,
    Table,
    Undo,
)

CLEARING = "Clearing"
"""The phase in which counters are put back. Nothing is judged in it."""


def place(name: str) -> Place:
    return Place("box" if name == BOX else "hex", name)


def game_of(kit: Kit, setup: GameSetup, actions: list[Action]) -> Game:
    """A game in memory, with one action for each step; the same as :mod:`.printing` writes to files."""
    table = Table(setup)
    events: list[Event] = []
    conditions = [Condition(k, known(v), StepRef(1, 0)) for k, v in setup.conditions.items()]
    for number, action in enumerate(actions, 1):
        at = StepRef(1, number)
        if isinstance(action, Drag):
            conditions += [Condition(k, known(v), at, at) for k, v in action.known.items()]
            told = {**action.declared, **({"form": action.form} if action.form else {})}
            for unit in action.units:
                origin, side = place(table.where[unit]), table.side(unit)
                events.append(
                    Displacement(at, unit, origin, place(action.to), actor=side, player=side)
                )
                conditions += [Condition(k, known(v), at, at, unit) for k, v in told.items()]
        elif isinstance(action, Undo):
            units, origin_name, _ = table.drags[-1]
            for unit in units:
                side = table.side(unit)
                back = (place(table.where[unit]), place(origin_name))
                cancels = StepRef(1, number - 1)
                events.append(
                    Displacement(at, unit, *back, cause="undo", actor=side, cancels=cancels)
                )
        elif isinstance(action, Phase):
            events.append(PhaseStart(at, str(action.turn), action.phase, action.active))
        elif isinstance(action, Change):
            before = known(table.facts[action.unit][action.attribute])
            after = known(action.value)
            events.append(
                StateChange(
                    at, action.unit, action.attribute, before, after, table.side(action.unit)
                )
            )
        else:
            kind = "roll" if isinstance(action, Roll) else "chat"
            events.append(Witness(at, kind, action.text if isinstance(action, Say) else ""))
        table.apply(action)
    phases = (*setup.phases, PhaseRule(CLEARING, "unknown"))
    return Game(
        "a small game",
        setup.board,
        setup.sides,
        setup.units,
        {unit: place(name) for unit, name in setup.opening.items()},
        tuple(events),
        Rules(kit.name, setup.rules, setup.options),
        {rule.name: rule for rule in phases},
        {form.name: form for form in (*setup.forms, MovementForm("put back", judged=False))},
        tuple(conditions),
    )


@dataclass(frozen=True)
class Answer:
    """What walker and audit say about one target. ``agree``: whether they agree. ``reply``: the audit's
    explanation."""

    unit: str
    form: str
    phase: str
    origin: str
    target: str
    walker: str
    audit: str
    agree: bool
    reply: str

    def __str__(self) -> str:
        form = f" by {self.form}" if self.form else ""
        what = f"{self.unit}{form} in {self.phase}, {self.origin} to {self.target}"
        return f"{what}: walker {self.walker}; audit {self.audit} ({self.reply})"


Question = tuple[str, str, str, str]
"""Unit, form, phase, active side."""


def ask(kit: Kit, seed: int) -> Iterator[Answer]:
    """The answers of walker and audit for every hex of a small board, for the units of ``kit.asked``."""
    rng = Random(seed)
    setup = kit.setup(rng, big=False)
    return answers(kit, setup, list(kit.asked(Table(setup), rng)), f"seed {seed}")


def answers(
    kit: Kit, setup: GameSetup, questions: Sequence[Question], where: str = ""
) -> Iterator[Answer]:
    """As :func:`ask`, for these questions about a game setup. They are all asked in one game: the unit goes
    to a hex, and is put back in a phase in which nothing is judged."""
    table = Table(setup)
    actions: list[Action] = []
    asked = []
    for unit, form, phase, active in questions:
        here = table.where[unit]
        table.apply(Phase(1, phase, active))
        routes, favourable = kit.routes(table, unit, form), kit.favourable_routes(table, unit, form)
        there = f"moves by these rules from {here}"  # it may lie in a hex that it could not enter
        declared = {**kit.declared(table, unit, form), there: True}
        for target in sorted(setup.board.hexes):
            if target == here:
                continue
            turn = len(asked) + 1
            asked.append(
                (unit, form, phase, here, target, routes.get(target), favourable.get(target))
            )
            actions += [Phase(turn, phase, active), Drag((unit,), target, form, declared)]
            actions += [Phase(turn, CLEARING, active), Drag((unit,), here)]
            actions += [Change(unit, name, table.facts[unit][name]) for name in kit.relaid]
    found = audit(game_of(kit, setup, actions), rulesets().parts[kit.name])
    assert not found.problems, (where, found.problems)
    judged = {move.move.steps[0].step: move for move in found.moves}
    said = {f.steps[0].step: f.explanation for f in found.findings if f.kind != "note"}
    for number, question in enumerate(asked):
        step = (4 + len(kit.relaid)) * number + 2
        yield _answer(question, judged[step], said.get(step, judged[step].remark))


def _answer(
    question: tuple[str, str, str, str, str, LegalRoute | None, LegalRoute | None],
    move: JudgedMove,
    reply: str,
) -> Answer:
    *what, route, favourable = question
    is_open = favourable is not None and (route is None or route.cost != favourable.cost)
    walker, found = "illegal" if route is None else "legal", str(move.verdict)
    agree = found == walker or (is_open and (route is None or found == "unverifiable"))
    if route is not None and not route.waived and not is_open and agree:
        total = move.bill.total if move.bill is not None else None
        walker, found = f"{walker} for {route.cost}", f"{found} for {total}"
        agree = total == Amount.exactly(route.cost)
    return Answer(*what, walker, found, agree, reply)
