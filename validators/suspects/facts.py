"""Copies of a game in which one fact of its pack is not known."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any

from ...model.board import Board
from ...model.fact import UNKNOWN
from ...model.game import Game, PhaseStart, StepRef
from ...model.problem import UmpireError
from ...model.provenance import Key
from ...model.suspect import PackFact
from ...model.vouching import not_known
from ..ruleset import Ruleset

LAYERS = {"hexside": "hexsides", "line": "lines"}
"""Kind of a fact → layer of the board that holds it."""
ON_BOARD = ("hex", "hexside", "line")
"""Kinds of facts that are cells of the board."""
NOT_COSTS = frozenset(("phases", "kinds", "types", "combine", "continuity", "attribute", "counts"))
"""Keys of the tables under which no costs stand: :func:`leaves` skips them."""


def key_of(fact: PackFact) -> Key:
    """The provenance key of a fact of the board."""
    return Key(fact.cell, fact.layer, fact.name)  # type: ignore[arg-type]


def without(game: Game, fact: PackFact) -> Game:
    """A copy of ``game`` in which ``fact`` is not known.

    A unit's attribute becomes unknown for every counter of that name. For a phase border the phase begins
    at the other step (``fact.instead``). For a form ``game`` itself is returned.
    """
    if fact.kind in ON_BOARD:
        return replace(game, board=on_board(game.board, fact))
    if fact.kind == "chart":
        tables = _with_leaf(game.rules.tables, tuple(fact.cell.split(" > ")), "unknown")
        return replace(game, rules=replace(game.rules, tables=tables))
    if fact.kind == "unit":
        units = {
            key: replace(unit, attributes={**unit.attributes, fact.name: UNKNOWN})
            if unit.name == fact.cell and fact.name in unit.attributes
            else unit
            for key, unit in game.units.items()
        }
        return replace(game, units=units)
    if fact.kind == "phase":
        return _with_border(game, StepRef(*map(int, fact.cell.split(":"))), _step(fact.instead))
    return game


def _step(text: str) -> StepRef:
    log, _, step = text.partition(":")
    return StepRef(int(log), int(step))


def on_board(board: Board, fact: PackFact) -> Board:
    """A copy of ``board`` in which ``fact`` is not known."""
    return not_known(board, key_of(fact))


def leaves(plain: Any, path: tuple[str, ...] = ()) -> Iterator[tuple[tuple[str, ...], str]]:
    """Every cost in the tables, as (path of keys, text of the cell).

    What looks like a cost counts as one: a number, a fraction, ``+1``, ``prohibited`` or ``all``. Cells that
    are ``unknown``, bounds such as ``1..3``, and everything under :data:`NOT_COSTS` are left out.
    """
    if isinstance(plain, Mapping):
        for key, value in plain.items():
            if key not in NOT_COSTS:
                yield from leaves(value, (*path, str(key)))
    elif isinstance(plain, int | str) and not isinstance(plain, bool) and plain != "unknown":
        said = str(plain)
        if said in ("prohibited", "all") or said.lstrip("+").replace("/", "", 1).isdigit():
            yield path, said


def can_be_unknown(game: Game, ruleset: Ruleset, fact: PackFact) -> bool:
    """Whether the ruleset can be brought into force with this fact not known."""
    try:
        ruleset.in_force(without(game, fact))
    except UmpireError:
        return False
    return True


def _with_leaf(plain: Mapping[str, Any], path: tuple[str, ...], value: str) -> dict[str, Any]:
    """A copy of the tables ``plain`` with ``value`` at ``path``. KeyError if the path is not there."""
    key, *rest = path
    inner = _with_leaf(plain[key], tuple(rest), value) if rest else value
    return {**plain, key: inner}


def _with_border(game: Game, begins: StepRef, instead: StepRef) -> Game:
    """A copy of ``game`` in which the phase that began at step ``begins`` begins at ``instead``.

    All phases then last until the next one begins: a last step that was given is dropped.
    """
    events = [e for e in game.events if not (isinstance(e, PhaseStart) and e.at == begins)]
    moved = [e for e in game.events if isinstance(e, PhaseStart) and e.at == begins]
    at = next((n for n, event in enumerate(events) if event.at >= instead), len(events))
    events[at:at] = [replace(start, at=instead) for start in moved]
    ended = [
        replace(e, last=None) if isinstance(e, PhaseStart) and e.last is not None else e
        for e in events
    ]
    return replace(game, events=tuple(ended))
