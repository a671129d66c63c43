"""The twin: a small board's questions as a game, and where the audit answers otherwise than the walker."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from random import Random

from vassal_umpire.model.bill import Amount
from vassal_umpire.model.fact import known
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

from .kit import BOX, Change, Deed, Drag, Kit, Phase, Roll, Say, Scene, Table, Undo

CLEARING = "Clearing"
"""A phase in which counters are put back, and nothing is judged."""


def place(name: str) -> Place:
    return Place("box" if name == BOX else "hex", name)


def game_of(kit: Kit, scene: Scene, deeds: list[Deed]) -> Game:
    """A game in memory, one deed a step; the same as :mod:`.printing` writes to files."""
    table = Table(scene)
    events: list[Event] = []
    conditions = [Condition(k, known(v), StepRef(1, 0)) for k, v in scene.conditions.items()]
    for number, deed in enumerate(deeds, 1):
        at = StepRef(1, number)
        if isinstance(deed, Drag):
            told = {**deed.declared, **({"form": deed.form} if deed.form else {})}
            for unit in deed.units:
                origin, side = place(table.where[unit]), table.side(unit)
                events.append(
                    Displacement(at, unit, origin, place(deed.to), actor=side, player=side)
                )
                conditions += [Condition(k, known(v), at, at, unit) for k, v in told.items()]
        elif isinstance(deed, Undo):
            units, origin_name, _ = table.drags[-1]
            for unit in units:
                side = table.side(unit)
                back = (place(table.where[unit]), place(origin_name))
                cancels = StepRef(1, number - 1)
                events.append(
                    Displacement(at, unit, *back, cause="undo", actor=side, cancels=cancels)
                )
        elif isinstance(deed, Phase):
            events.append(PhaseStart(at, str(deed.turn), deed.phase, deed.active))
        elif isinstance(deed, Change):
            before = known(table.facts[deed.unit][deed.attribute])
            after = known(deed.value)
            events.append(
                StateChange(at, deed.unit, deed.attribute, before, after, table.side(deed.unit))
            )
        else:
            kind = "roll" if isinstance(deed, Roll) else "chat"
            events.append(Witness(at, kind, deed.text if isinstance(deed, Say) else ""))
        table.apply(deed)
    phases = (*scene.phases, PhaseRule(CLEARING, "unknown"))
    return Game(
        "a small game",
        scene.board,
        scene.sides,
        scene.units,
        {unit: place(name) for unit, name in scene.opening.items()},
        tuple(events),
        Rules(kit.name, scene.rules, scene.options),
        {rule.name: rule for rule in phases},
        {form.name: form for form in (*scene.forms, MovementForm("put back", judged=False))},
        tuple(conditions),
    )


@dataclass(frozen=True)
class Answer:
    """What the walker and the audit say of one target. ``reply``: the audit's explanation."""

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


def ask(kit: Kit, seed: int) -> Iterator[Answer]:
    """The walker's and the audit's answers for every hex a unit of a small board might go to."""
    rng = Random(seed)
    scene = kit.scene(rng, big=False)
    table = Table(scene)
    deeds: list[Deed] = []
    asked = []
    for turn, (unit, form, phase, active) in enumerate(list(kit.asked(table, rng)), 1):
        here = table.where[unit]
        table.apply(Phase(turn, phase, active))
        ways, kind = kit.ways(table, unit, form), kit.kind_ways(table, unit, form)
        for count, target in enumerate(sorted(scene.board.hexes)):
            if target == here:
                continue
            begin = Phase(100 * turn + count, phase, active)
            drag = Drag((unit,), target, form, kit.declared(table, unit, form))
            way, other = ways.get(target), kind.get(target)
            is_open = other is not None and (way is None or way.cost != other.cost)
            asked.append((unit, form, phase, here, target, way, is_open, len(deeds) + 2))
            deeds += [begin, drag, Phase(100 * turn + count, CLEARING, active), Drag((unit,), here)]
    found = audit(game_of(kit, scene, deeds), rulesets().parts[kit.name])
    assert not found.problems, (seed, found.problems)
    judged = {move.move.steps[0].step: move for move in found.moves}
    said = {f.steps[0].step: f.explanation for f in found.findings if f.kind != "note"}
    for unit, form, phase, here, target, way, is_open, step in asked:
        move = judged[step]
        verdict = "legal" if way is not None else "illegal"
        walker, reply = verdict, str(move.verdict)
        agree = (
            move.verdict == verdict
            or (is_open and way is None)
            or (is_open and move.verdict == "unverifiable")
        )
        if way is not None and not way.waived and not is_open and agree:
            total = move.bill.total if move.bill is not None else None
            walker, reply = f"{verdict} for {way.cost}", f"{move.verdict} for {total}"
            agree = total == Amount.exactly(way.cost)
        yield Answer(
            unit, form, phase, here, target, walker, reply, agree, said.get(step, move.remark)
        )
