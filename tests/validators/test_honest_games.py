"""Games in which every move keeps to the rules, played at random: nobody is ever accused in one,
whatever of it is known and whatever is withheld."""

from __future__ import annotations

from dataclasses import dataclass, replace

import pytest
from flat import ACCUSED, BOARD, MARCH, RAIL, Flat, flat_judge, in_movement, new_game, stacking
from hypothesis import given
from hypothesis import strategies as st
from tiers import examples
from vassal_umpire.model.fact import UNKNOWN, between, known, one_of
from vassal_umpire.model.game import Displacement, Game, PhaseStart, Witness
from vassal_umpire.validators.audit import audit


@dataclass
class Player:
    """Plays both sides honestly: knows what each unit has left, and what may be taken back."""

    builder: object
    draw: object
    board: object

    def __post_init__(self):
        s = self.builder
        self.left = {}
        self.attempt = {}
        self.dead = set()
        self.last = None
        for n in range(4):
            s.unit(f"r{n}", "Red", "0101" if n < 2 else "0301", str(self.pick([2, 3, 4])))
            s.unit(f"b{n}", "Blue", "0107" if n < 2 else "0307", str(self.pick([2, 3, 4])))
        s.unit("pool", "Red", "[Pool]", "3")

    def pick(self, choice):
        return self.draw(st.sampled_from(list(choice)))

    def where(self, unit):
        return self.builder.places[unit]

    def on_map(self, side):
        units = self.builder.units
        return [u for u in units if units[u].side == side and self.where(u).kind == "hex"]

    def begin(self, turn, phase, active):
        self.builder.phase(str(turn), phase, active)
        self.left = {u: int(self.builder.units[u].fact("ma").value) for u in self.builder.units}
        self.witnessed()

    def witnessed(self):
        """From here on nothing done before can be taken back."""
        self.attempt = {u: (self.where(u).name, self.left[u]) for u in self.builder.units}
        self.last = None

    def enemies(self, side):
        others = [u for u in self.on_map("Blue" if side == "Red" else "Red") if u not in self.dead]
        return {self.where(u).name for u in others}

    def march(self, side):
        units = [u for u in self.on_map(side) if u not in self.dead]
        if not units:
            return
        first = self.pick(units)
        here = self.where(first).name
        others = [u for u in units if u != first and self.where(u).name == here]
        group = [first, *others[: self.pick(range(len(others) + 1))]]
        reach = min(self.left[u] for u in group)
        near = [h for h in self.board.hexes if (self.board.distance(here, h) or 0) <= reach]
        target = self.pick([h for h in near if h not in self.enemies(side)])
        self.last = (group, here, {u: self.left[u] for u in group}, self.builder.step + 1)
        for unit in group:
            self.left[unit] -= self.board.distance(here, target) or 0
        self.builder.drag("+".join(group), target)

    def put_back(self, side):
        """By hand, to where it stood when something was last witnessed."""
        moved = [u for u in self.on_map(side) if self.where(u).name != self.attempt[u][0]]
        if not moved:
            return
        unit = self.pick(moved)
        if self.attempt[unit][0] not in self.builder.game().board.hexes:
            return
        target, self.left[unit] = self.attempt[unit]
        self.builder.drag(unit, target)
        self.last = None

    def undo(self, side):
        if self.last is None:
            return
        group, target, left, step = self.last
        self.builder.undo("+".join(group), target, step)
        self.left.update(left)
        self.last = None

    def roll(self, side):
        self.builder.roll()
        self.witnessed()

    def enemy_step(self, side):
        other = "Blue" if side == "Red" else "Red"
        unit = self.pick([u for u in self.builder.units if self.builder.units[u].side == other])
        self.builder.flip(unit, "marked", UNKNOWN, known(True), other)
        self.dead.discard(unit)
        self.witnessed()

    def mark(self, side):
        unit = self.pick([u for u in self.builder.units if self.builder.units[u].side == side])
        self.builder.flip(unit, "marked", UNKNOWN, known(True), side)

    def reinforce(self, side):
        if side == "Red" and self.where("pool").kind == "box":
            self.builder.drag("pool", "0101")
            self.last = None

    def clear(self, side):
        if self.dead:
            self.builder.drag(self.pick(sorted(self.dead)), "[Dead]")
            self.dead = {u for u in self.dead if self.where(u).kind == "hex"}
            self.last = None

    def new_log(self, side):
        self.builder.new_log()
        self.last = None

    def fight(self, side):
        """A roll, a retreat however far, and perhaps a counter that is dead and left lying."""
        other = "Blue" if side == "Red" else "Red"
        units = [u for u in self.on_map(other) if u not in self.dead]
        if not units:
            return
        self.builder.roll()
        loser = self.pick(units)
        if self.pick([True, False]):
            free = [h for h in self.board.hexes if h not in self.enemies(other)]
            self.builder.drag(loser, self.pick(free[::7]), actor=self.pick([side, other]))
        else:
            self.dead.add(loser)

    def play(self):
        actions = [self.march] * 5 + [
            self.put_back,
            self.undo,
            self.roll,
            self.enemy_step,
            self.mark,
        ]
        actions += [self.reinforce, self.clear, self.new_log]
        for turn in (1, 2):
            for side in ("Red", "Blue"):
                self.begin(turn, "Movement", side)
                for _ in range(self.pick(range(7))):
                    self.pick(actions)(side)
                if self.pick([True, False]):
                    self.begin(turn, "Combat", side)
                    self.fight(side)
        while self.dead:  # cleared in the end, however late
            self.clear("Red")
        return self.builder.game()


def honest(data) -> Game:
    return Player(new_game(), data.draw, BOARD).play()


def accused(game: Game):
    found = audit(game, Flat(stacking=stacking(99)), judge=flat_judge)
    assert not found.problems
    return [f for f in found.findings if f.kind in ACCUSED]


def everything_known(game: Game, draw) -> Game:
    return game


def no_phase_known(game: Game, draw) -> Game:
    return replace(game, events=tuple(e for e in game.events if not isinstance(e, PhaseStart)))


def some_phases_withheld_or_not_certain(game: Game, draw) -> Game:
    events = []
    for event in game.events:
        if isinstance(event, PhaseStart):
            fate = draw(st.sampled_from(["known", "unnamed", "uncertain"]))
            if fate == "unnamed":
                event = replace(event, phase=None, active=None)
            elif fate == "uncertain":
                event = replace(event, certain=False)
        events.append(event)
    return replace(game, events=tuple(events))


def nobody_known_to_have_done_it(game: Game, draw) -> Game:
    blank = tuple(
        replace(e, actor=None) if isinstance(e, Displacement) else e
        for e in game.events
        if not (isinstance(e, Witness) and draw(st.booleans()))
    )
    return replace(game, events=blank)


def allowances_withheld(game: Game, draw) -> Game:
    units = {}
    for name, unit in game.units.items():
        ma = int(unit.fact("ma").value)
        hazy = [known(ma), UNKNOWN, one_of(1, ma), between(0, ma), between(ma, None)]
        told = {**unit.attributes, "ma": draw(st.sampled_from(hazy))}
        units[name] = replace(unit, attributes=told)
    return replace(game, units=units)


def other_forms_open(game: Game, draw) -> Game:
    open_ones = in_movement(MARCH, RAIL)
    return replace(game, **{**open_ones, "phases": {**game.phases, **open_ones["phases"]}})


@pytest.mark.parametrize(
    "withheld",
    [
        *(everything_known, no_phase_known, some_phases_withheld_or_not_certain),
        *(nobody_known_to_have_done_it, allowances_withheld, other_forms_open),
    ],
)
@examples(20, default=3, proof=500)
@given(data=st.data())
def test_nobody_is_accused(withheld, data) -> None:
    game = withheld(honest(data), data.draw)
    assert accused(game) == []
    if withheld is no_phase_known:
        found = audit(game, Flat(), judge=flat_judge)
        assert {m.verdict for m in found.moves if m.judged} <= {"unverifiable"}
