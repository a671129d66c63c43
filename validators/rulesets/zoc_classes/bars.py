"""What forbids a unit to move in a phase at all, and what else than movement of its own may have displaced
it (6-a, 6-b, 6.A.4, 6.D)."""

from __future__ import annotations

from collections.abc import Iterator

from ....model.fact import Unknown
from ....model.unit import Unit
from ...concepts import questions
from ...concepts.completions import Facts
from ...ruleset import Breach, Circumstances, Doubt
from .allowance import cells
from .history import History
from .status import Status
from .tables import Tables

_WHOSE = ("ZC-6.D.2-a", "ZC-6.D.3-a", "ZC-6-a")
"""The clauses that say whose units move."""
_BY_RAIL = ("ZC-6.D.2-c", "ZC-6.A.4-b")
"""Those that do not bar a unit that is carried."""


def designated(
    unit: Unit, circumstances: Circumstances, phase: str, tables: Tables, history: History
) -> Breach | Doubt | None:
    """Whose units move: the phasing side's, in reaction the other side's."""
    view, sides = circumstances.situation.phase, circumstances.situation.game.sides
    if not phase:
        return Doubt(_phase_unknown(view.phase or "?"))
    clause = {"initial": "6.D.2-a", "reaction": "6.D.3-a"}.get(phase, "6-a")
    if not tables.applies(clause):
        return None
    active = Unknown("active side", "which side is active in the phase?", "facts.toml")
    if view.active not in sides or unit.side not in sides:
        return Doubt(questions.of_side(unit) if view.active in sides else active)
    if (unit.side == view.active) != (phase == "reaction"):
        return None
    if phase == "reaction" and history.handed_over(circumstances.situation.at):
        return Doubt(active)
    who = "the phasing side" if phase == "reaction" else "the side not phasing"
    return Breach(f"ZC-{clause}", f"is of {who} and moves in the {phase} phase", "")


def not_in_phase(
    unit: Unit, facts: Facts, status: Status, phase: str, tables: Tables
) -> Iterator[Breach | Doubt]:
    """Some classes do not move in some phases (6.D.5)."""
    shares = cells(facts, phase, status.reserve, tables)
    shut = sorted(clause for share, clause in shares if share == "none")
    if not shut or not phase:
        return
    if len(shares) > 1:
        yield Doubt(questions.of_unit(unit, "class"))
        return
    what = "in reserve" if status.reserve else "not in reserve"
    names = facts["class"].options
    name = f"a {names[0]} unit" if names and len(names) == 1 else "a unit"
    lost = f" (it lost that status, ZC-{status.lost})" if status.lost else ""
    text = f"moves in the {phase} phase, being {name} {what}{lost}"
    yield Breach(f"ZC-{shut[0]}", text, "")


def otherwise(
    unit: Unit,
    form: str,
    barred: tuple[Breach, ...],
    circumstances: Circumstances,
    phase: str,
    tables: Tables,
) -> Iterator[tuple[Unknown, tuple[Breach, ...]]]:
    """What else may have displaced a unit, and what forbids it that: an overrun by its enemies (6.A.4-d), or,
    where a pack names no forms, rail, river, air or naval transport (6-b)."""
    whose = any(breach.clause in _WHOSE for breach in barred)
    overruns = form in ("", tables.forms["overrun"]) and tables.applies("6.A.4-d")
    overruns = overruns and circumstances.forms != (
        tables.forms["overrun"],
    )  # by itself, it is said
    if whose and overruns and phase and _is_beset(unit, circumstances):
        yield (
            Unknown(
                f"unit {unit.id} retreat", f"was {unit.name} put back by an overrun (Rule 12)?"
            ),
            (),
        )
    if not form:
        left = tuple(breach for breach in barred if breach.clause not in _BY_RAIL)
        text = f"was {unit.name} carried by rail, river, air or sea (Rules 7, 23, 35)?"
        yield (
            Unknown(f"unit {unit.id} transport", text, "pack.toml", '[[phase]]\nforms = ["move"]'),
            left,
        )


def may_retreat(unit: Unit, circumstances: Circumstances) -> bool:
    """Whether what is called an advance after combat may be a retreat (6.A.4-b): of the side not phasing,
    which is attacked."""
    view = circumstances.situation.phase
    return unit.side != view.active or not view.active


def put_back(unit: Unit) -> Doubt:
    """What to ask of such a one."""
    text = f"was {unit.name} put back by a combat result?"
    return Doubt(Unknown(f"unit {unit.id} retreat", text))


def _is_beset(unit: Unit, circumstances: Circumstances) -> bool:
    """Whether units of another side may be in the hex a unit is dragged from, or next to it."""
    situation, move = circumstances.situation, circumstances.move
    here = None if move is None else move.origin.hex
    if here is None:
        return False
    near = (here, *situation.game.board.neighbours(here))
    units = situation.game.units
    return any(units[u].side != unit.side for name in near for u in situation.possibly_in(name))


def _phase_unknown(phase: str) -> Unknown:
    return Unknown(
        f"kind of the phase {phase}",
        f"is the phase {phase} one of initial, reaction or exploitation movement, or of combat?",
        "pack.toml",
        f'[rules.phases]\ninitial = ["{phase}"]',
    )
