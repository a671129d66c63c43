"""Prohibitions to move at all in a phase, and other causes than the unit's own movement that may have
displaced it (6-a, 6-b, 6.A.4, 6.D)."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain

from ....model.fact import MissingFact
from ....model.game import Game
from ....model.unit import Unit
from ...answers import answer
from ...concepts import logic, missing_facts, sides
from ...concepts.completions import Facts
from ...concepts.unclear_places import of_unclear_place
from ...ruleset import Breach, Circumstances, WeightedFact
from . import ruleset_facts
from .allowance import cells
from .status import Status
from .tables import Tables
from .unit_history import UnitHistory

_WHOSE = ("ZC-6.D.2-a", "ZC-6.D.3-a", "ZC-6-a")
"""The clauses about whose units may move in a phase."""
_BY_RAIL = ("ZC-6.D.2-c", "ZC-6.A.4-b")
"""The clauses that do not apply to a unit that is carried by rail, river, air or sea."""


def designated(
    unit: Unit, circumstances: Circumstances, phase: str, tables: Tables, unit_history: UnitHistory
) -> Breach | WeightedFact | None:
    """The breach if the unit is of the side that does not move in this kind of phase (in reaction: the
    phasing side), or the missing fact that decides it; None if the unit may move. ``phase``: the kind of
    phase, '' if not known."""
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
    if unsaid and unit_history.may_be_handed_over(at):
        return WeightedFact(ruleset_facts.reading("reaction_names"))
    who = "the phasing side" if phase == "reaction" else "the side not phasing"
    return Breach(f"ZC-{clause}", f"is of {who} and moves in the {phase} phase", "")


def may_move(
    game: Game, tables: Tables, active: str | None, side: str | None, phase: str
) -> bool | None:
    """Whether the units of a side may move in a kind of phase; None if not known. The active side and its
    friends move; in reaction the enemies of the active side do, unless the pack calls the side that reacts
    active."""
    if active not in game.sides:
        return None
    if phase == "reaction" and tables.reading("reaction_names") != "reacting":
        return sides.is_enemy(game, active, side)
    return sides.is_friend(game, active, side)


def not_in_phase(
    unit: Unit, facts: Facts, status: Status, phase: str, tables: Tables
) -> Iterator[Breach | WeightedFact]:
    """The breach if units of this class and status do not move in this phase (6.D.5), or the missing fact
    that decides it."""
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
    """The causes other than its own movement by which a unit may have been displaced: an overrun by its
    enemies put it back (6.A.4-d), or, if the pack names no forms, it was carried by rail, river, air or sea
    (6-b). For each, the missing fact that decides it (None: the facts say that it was so), and the breaches
    that remain."""
    whose = any(breach.clause in _WHOSE for breach in barred)
    overruns = form in ("", tables.forms["overrun"]) and tables.applies("6.A.4-d")
    overruns = overruns and circumstances.forms != (
        tables.forms["overrun"],
    )  # if the form is certainly an overrun, the unit made it itself
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
    """Whether a displacement in the form of an advance after combat may be a retreat (6.A.4-b): the unit is
    not certainly of the phasing side, or the phasing side is not known."""
    view = circumstances.situation.phase
    friend = sides.is_friend(circumstances.situation.game, view.active, unit.side)
    return friend is not True or not view.active


def _is_beset(unit: Unit, circumstances: Circumstances) -> bool:
    """Whether units that are not certainly friends may be in the hex where the move begins, or next to it; so
    may those be whose place cannot be told."""
    situation, move = circumstances.situation, circumstances.move
    here = None if move is None else move.origin.hex
    if here is None:
        return False
    near = (here, *situation.game.board.neighbours(here))
    game = situation.game
    others = chain(*map(situation.possibly_in, near), of_unclear_place(situation))
    return any(sides.is_friend(game, unit.side, game.units[u].side) is not True for u in others)
