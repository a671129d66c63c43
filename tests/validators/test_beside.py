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


def test_over_a_span_it_is_not_told() -> None:
    drag = Displacement(StepRef(1, 1), "r", NOWHERE, PLACES[0])
    game = Game("g", BOARD, ("Red",), UNITS, {}, (drag,), Rules("generic"))
    assert Situation(game).over(StepRef(1, 1)).others_beside("Blue") is None
    assert Situation(game).over(StepRef(1, 1)).others_in("Blue") is None
