"""The weather zones of a move, whose weather may change its allowance (6.A.4-i)."""

from __future__ import annotations

from fractions import Fraction
from typing import NamedTuple

from ....model.bill import Amount
from ...engine.mover_view import MoverView
from .terms import CLEAR, weather_key
from .terrain import hex_cost

MORE_IN_A_MARCH = Amount.exactly(3)


class Zones(NamedTuple):
    """The weather zones in which a move begins, or may, and those in which it ends, or may. ``outside``:
    whether it may begin outside of all zones. ``passed``: the zones that it may pass on its way and that may
    give a greater allowance."""

    begins: tuple[str, ...] = ()
    ends: tuple[str, ...] = ()
    outside: bool = True
    passed: tuple[str, ...] = ()


def zones_of(mover: MoverView, rating: Amount) -> Zones:
    """The zones of a move. One to a hex of unknown terrain is open without the zones there."""
    zones = mover.rules.perhaps_on_board(mover.tables["march"]["zones"])
    if not zones:
        return Zones()
    board, move = mover.circumstances.situation.game.board, mover.move
    start = mover.history.began_in(mover.unit.id, mover.index)
    target = board.hexes.get(move.target.hex or "")
    last = move.target.hex if target is not None and target.terrain is not None else None
    begins, ends = _at(mover, start), _at(mover, last)
    outside = not any(board.has(start or "", (zone,)) is True for zone in begins)
    found = Zones(tuple(begins), tuple(ends), outside)
    if mover.rules.options["zone_allowance"] != "any" or None in (move.origin.hex, move.target.hex):
        return found
    most = max(_greatest(mover, zone) for zone in ("", *begins, *ends))
    better = [zone for zone in zones if _greatest(mover, zone) > most]
    reach = mover.reach(rating + MORE_IN_A_MARCH, hex_cost).most if better else None
    passed = tuple(zone for zone in better if _may_pass(mover, zone, reach))
    return found._replace(passed=passed)


def _at(mover: MoverView, name: str | None) -> list[str]:
    """The zones to which a hex belongs, or may."""
    board = mover.circumstances.situation.game.board
    every = sorted(mover.tables["march"]["zones"])
    return [zone for zone in every if name is not None and board.has(name, (zone,)) is not False]


def _may_pass(mover: MoverView, zone: str, reach: Fraction | None) -> bool:
    """Whether a move of at most so many steps may pass a hex of a zone."""
    board, move = mover.circumstances.situation.game.board, mover.move
    for name in board.hexes:
        if board.has(name, (zone,)) is False:
            continue
        legs = [board.distance(end, name) for end in (move.origin.name, move.target.name)]
        if reach is None or None in legs or sum(filter(None, legs)) <= reach + 1:
            return True  # the last step may be on credit
    return False


def _greatest(mover: MoverView, zone: str) -> Fraction:
    """The most by which the weather of a zone multiplies allowances; at least 1 if that is not known."""
    charts = {name.lower(): chart for name, chart in mover.tables["weather"].items()}
    charts[CLEAR] = {}
    states = mover.fact(weather_key(zone)).options or ("",)
    told = [charts.get(str(state), {"factor": "unknown"}).get("factor", 1) for state in states]
    return max(Fraction(1 if factor == "unknown" else factor) for factor in told)
