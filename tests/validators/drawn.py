"""Boards drawn by hand, and games on them, for worked examples."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import Any

from vassal_umpire.model.bill import ZERO, Amount
from vassal_umpire.model.board import Board, Hex, Line, edge
from vassal_umpire.model.fact import Fact, known
from vassal_umpire.model.finding import Move, PhaseView
from vassal_umpire.model.game import Condition, Game, Place, Rules, StepRef
from vassal_umpire.model.hexgrid import from_offset
from vassal_umpire.model.unit import Unit
from vassal_umpire.validators.judge import Judgement, judge_move
from vassal_umpire.validators.rulesets.generic import RULESET
from vassal_umpire.validators.situation import Situation

TERRAIN = {".": "clear", "f": "forest", "m": "marsh", "#": "lake", "t": "town"}

TABLES: dict[str, Any] = {
    "classes": {"attribute": "class", "names": ["foot", "wheels"]},
    "allowance": {"attribute": "ma"},
    "terrain": {
        "costs": {
            "clear": 1,
            "town": 1,
            "forest": {"foot": 2, "wheels": "prohibited"},
            "marsh": {"foot": "all", "wheels": "unknown"},
            "lake": "prohibited",
        }
    },
    "hexsides": {
        "river": {"cost": {"foot": 2, "wheels": "prohibited"}, "bridges": [{"feature": "bridge"}]}
    },
    "roads": {"road": {"cost": "1/2"}},
}


def board(
    *rows: str, sides: Mapping[str, str] | None = None, roads: tuple[str, ...] = (), **more: Any
) -> Board:
    """``rows`` of one character a hex (``?``: terrain not known), column 01 first; hex ``0102`` is the
    first of the second row. ``sides``: ``{"0101-0102": "river bridge"}``. ``roads``: ``"0101 0102"``."""
    hexes = {}
    for r, row in enumerate(rows):
        for c, letter in enumerate(row):
            name = f"{c + 1:02}{r + 1:02}"
            terrain = (TERRAIN[letter],) if letter in TERRAIN else None
            hexes[name] = Hex(name, from_offset(c, r), terrain, 0)
    drawn = {edge(*key.split("-")): tuple(value.split()) for key, value in (sides or {}).items()}
    lines = tuple(Line("road", tuple(road.split())) for road in roads)
    return Board("drawn", hexes, drawn, lines, **more)


def unit(name: str, side: str = "Red", **facts: Any) -> Unit:
    """A counter; facts not given are ``class`` foot and ``ma`` 4."""
    values = {"class": "foot", "ma": 4, **facts}
    attributes = {k: v if isinstance(v, Fact) else known(v) for k, v in values.items()}
    return Unit(name, name.upper(), side, attributes=attributes)


def game(
    where: Board, units: Mapping[str, Unit], tables: Mapping[str, Any] | None = None, **more: Any
) -> Game:
    """``units``: hex → unit (several in a hex: ``"0101 a"``, the rest is only there to differ)."""
    rules = Rules("generic", {**TABLES, **(tables or {})}, off=more.pop("off", ()))
    weather = more.pop("weather", None)
    conditions = (Condition("weather", known(weather), StepRef(1, 0)),) if weather else ()
    opening = {u.id: Place("hex", key.split()[0]) for key, u in units.items()}
    return Game(
        "drawn",
        where,
        ("Red", "Blue"),
        {u.id: u for u in units.values()},
        opening,
        (),
        rules,
        conditions=conditions,
        **more,
    )


def move(
    units: str,
    *hexes: str,
    at: StepRef = StepRef(1, 1),  # noqa: B008
    phase: PhaseView = PhaseView(),  # noqa: B008
    **more: Any,
) -> Move:
    """A move of ``units`` through ``hexes``; one in brackets was not witnessed."""
    places = tuple(Place("hex", name.strip("()")) for name in hexes)
    binding = tuple(not name.startswith("(") for name in hexes)
    ends = places[0], places[-1]
    return Move(1, tuple(units.split()), *ends, places, binding, (at,), phase, **more)


def judge(
    played: Game,
    moved: Move,
    *,
    before: int = 0,
    declared: int | None = None,
    forms: tuple[str, ...] = ("",),
    accused: bool = True,
) -> Judgement:
    """The judgement on one move from the opening of a game."""
    return judge_move(
        moved,
        Situation(played),
        RULESET.in_force(played),
        forms=forms,
        spent_before=Amount.exactly(before) if before else ZERO,
        declared=None if declared is None else Amount.exactly(Fraction(declared)),
        accused=accused,
    )
