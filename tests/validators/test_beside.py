"""Who is near a hex, counted as counters go: against looking at every counter anew."""

from __future__ import annotations

from types import MappingProxyType

from hypothesis import given
from hypothesis import strategies as st
from vassal_umpire.model.board import Board, Hex
from vassal_umpire.model.game import NOWHERE, Displacement, Game, Place, Rules, StepRef
from vassal_umpire.model.hexgrid import from_offset
from vassal_umpire.model.unit import Unit
from vassal_umpire.validators.situation import Situation

BOARD = Board(
    "field",
    MappingProxyType(
        {
            f"{c}{r}": Hex(f"{c}{r}", from_offset(c, r), ("clear",))
            for c in range(4)
            for r in range(4)
        }
    ),
    links=frozenset({("00", "33")}),
)
SIDES = ("Red", "Blue", None)
PLACES = (*(Place("hex", name) for name in BOARD.hexes), Place("hex", "off the map"), NOWHERE)
DRAGS = st.lists(st.tuples(st.sampled_from(("r", "b", "n", "m")), st.sampled_from(PLACES)))
UNITS = {
    "r": Unit("r", "r", "Red"),
    "b": Unit("b", "b", "Blue"),
    "n": Unit("n", "n", None),
    "m": Unit("m", "m", "Blue", kind="marker"),
}


@given(
    st.tuples(*(st.sampled_from(PLACES) for _ in UNITS)),
    DRAGS,
    st.sampled_from(SIDES),
    st.booleans(),
)
def test_nobody_is_beside_a_hex_with_no_count(
    opening: tuple[Place, ...], drags: list[tuple[str, Place]], side: str | None, early: bool
) -> None:
    now = dict(zip(UNITS, opening, strict=True))
    events = []
    for step, (unit, target) in enumerate(drags, 1):
        events.append(Displacement(StepRef(1, step), unit, now[unit], target))
        now[unit] = target
    begun = dict(zip(UNITS, opening, strict=True))
    game = Game("g", BOARD, ("Red", "Blue"), UNITS, begun, tuple(events), Rules("generic"))
    situation = Situation(game)
    if early:  # asked for before anything happens, it is counted on
        situation.others_beside(side)
        situation.others_in(side)
    situation.advance_after(StepRef(1, len(drags)))
    counted = situation.others_beside(side)
    within = situation.others_in(side)
    assert counted is not None
    assert within is not None
    others = [u for u in "rbn" if side is None or UNITS[u].side != side]
    for name in BOARD.hexes:
        around = {name, *BOARD.neighbours(name)}
        near = [u for u in others if now[u].kind == "hex" and now[u].name in around]
        assert counted.get(name, 0) == len(near)
        assert within.get(name, 0) == sum(now[u].name == name for u in near)


@given(
    st.tuples(*(st.sampled_from(PLACES) for _ in UNITS)),
    DRAGS,
    st.sampled_from(SIDES),
    st.integers(0, 5),
    st.integers(0, 5),
)
def test_over_a_span_everybody_counts_who_is_there_at_some_time(
    opening: tuple[Place, ...],
    drags: list[tuple[str, Place]],
    side: str | None,
    start: int,
    more: int,
) -> None:
    tables = [dict(zip(UNITS, opening, strict=True))]
    events = []
    for step, (unit, target) in enumerate(drags, 1):
        events.append(Displacement(StepRef(1, step), unit, tables[-1][unit], target))
        tables.append({**tables[-1], unit: target})
    game = Game("g", BOARD, ("Red", "Blue"), UNITS, tables[0], tuple(events), Rules("generic"))
    situation = Situation(game)
    situation.advance_after(StepRef(1, start))
    span = situation.over(StepRef(1, start + more))
    others = [u for u in "rbn" if side is None or UNITS[u].side != side]
    seen = tables[min(start, len(drags)) : start + more + 1]
    for name in BOARD.hexes:
        around = {name, *BOARD.neighbours(name)}
        lay = {t[u].name for t in seen for u in others if t[u].kind == "hex"}
        assert (name in span.others_beside(side)) == bool(lay & around)
        assert (name in span.others_in(side)) == (name in lay)
    # the span has not spoilt what is counted on
    assert dict(situation.others_in(side)) == dict(after(game, start).others_in(side))


def after(game: Game, step: int) -> Situation:
    situation = Situation(game)
    situation.advance_after(StepRef(1, step))
    return situation
