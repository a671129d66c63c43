"""What forbids a unit to move in a phase at all, and what else than movement of its own may have displaced
it (6-a, 6-b, 6.A.4, 6.D)."""

from __future__ import annotations

from collections.abc import Iterator

from ....model.fact import MissingFact
from ....model.game import Game
from ....model.unit import Unit
from ...answers import answer
from ...concepts import logic, missing_facts, sides
from ...concepts.completions import Facts
from ...ruleset import Breach, Circumstances, WeightedFact
from . import ruleset_facts
from .allowance import cells
from .status import Status
from .tables import Tables
from .unit_history import UnitHistory

_WHOSE = ("ZC-6.D.2-a", "ZC-6.D.3-a", "ZC-6-a")
"""The clauses that say whose units move."""
_BY_RAIL = ("ZC-6.D.2-c", "ZC-6.A.4-b")
"""Those that do not bar a unit that is carried."""


def designated(
    unit: Unit, circumstances: Circumstances, phase: str, tables: Tables, unit_history: UnitHistory
) -> Breach | WeightedFact | None:
    """Whose units move: the phasing side's, in reaction the other side's."""
    view, game = circumstances.situation.phase, circumstances.situation.game
    if not phase:
        return WeightedFact(ruleset_facts.kind_of_phase(view.phase or "?"))
    clause = {"initial": "6.D.2-a", "reaction": "6.D.3-a"}.get(phase, "6-a")
    if not tables.applies(clause):
        return None
    at = circumstances.situation.at
    if view.active not in game.sides:
        return WeightedFact(missing_facts.of_active(unit_history.timeline, at))
    moves = may_move(game, tables, view.active, unit.side, phase)
    if moves:
        return None
    if moves is None:
        return next((WeightedFact(u) for u in sides.missing(game, view.active, unit)), None)
    unsaid = phase == "reaction" and tables.reading("reaction_names") == "any"
    if unsaid and unit_history.handed_over(at):
        return WeightedFact(ruleset_facts.reading("reaction_names"))
    who = "the phasing side" if phase == "reaction" else "the side not phasing"
    return Breach(f"ZC-{clause}", f"is of {who} and moves in the {phase} phase", "")


def may_move(
    game: Game, tables: Tables, active: str | None, side: str | None, phase: str
) -> bool | None:
    """Whether the units of a side move in a phase: the active side's and its friends', in reaction its
    enemies', unless the pack calls active who reacts. None: not known."""
    if active not in game.sides:
        return None
    if phase == "reaction" and tables.reading("reaction_names") != "reacting":
        return sides.is_enemy(game, active, side)
    return sides.is_friend(game, active, side)


def not_in_phase(
    unit: Unit, facts: Facts, status: Status, phase: str, tables: Tables
) -> Iterator[Breach | WeightedFact]:
    """Some classes do not move in some phases (6.D.5)."""
    shares = cells(facts, phase, status.reserve, tables)
    shut = sorted(clause for share, clause in shares if share == "none")
    if not shut or not phase:
        return
    if len(shares) > 1:
        yield WeightedFact(missing_facts.of_unit(unit, "class"))
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
) -> Iterator[tuple[MissingFact | None, tuple[Breach, ...]]]:
    """What else may have displaced a unit, and what forbids it that: an overrun by its enemies (6.A.4-d), or,
    where a pack names no forms, rail, river, air or naval transport (6-b)."""
    whose = any(breach.clause in _WHOSE for breach in barred)
    overruns = form in ("", tables.forms["overrun"]) and tables.applies("6.A.4-d")
    overruns = overruns and circumstances.forms != (
        tables.forms["overrun"],
    )  # by itself, it is said
    game, at = circumstances.situation.game, circumstances.situation.at
    if whose and overruns and phase and _is_beset(unit, circumstances):
        retreat = ruleset_facts.retreat(unit, at)
        told = answer(game, retreat)
        if told is not False:
            yield None if told else retreat.unknown(), ()
    if not form:
        left = tuple(breach for breach in barred if breach.clause not in _BY_RAIL)
        every, own = ruleset_facts.transport(unit, at)
        told = logic.both(answer(game, every), answer(game, own))
        if told is None:
            yield (every if answer(game, every) is None else own).unknown(), left
        elif told:
            yield None, left


def may_retreat(unit: Unit, circumstances: Circumstances) -> bool:
    """Whether what is called an advance after combat may be a retreat (6.A.4-b): of the side not phasing,
    which is attacked."""
    view = circumstances.situation.phase
    friend = sides.is_friend(circumstances.situation.game, view.active, unit.side)
    return friend is not True or not view.active


def _is_beset(unit: Unit, circumstances: Circumstances) -> bool:
    """Whether units of another side may be in the hex a unit is dragged from, or next to it."""
    situation, move = circumstances.situation, circumstances.move
    here = None if move is None else move.origin.hex
    if here is None:
        return False
    near = (here, *situation.game.board.neighbours(here))
    game = situation.game
    return any(
        sides.is_friend(game, unit.side, game.units[u].side) is not True
        for name in near
        for u in situation.possibly_in(name)
    )
