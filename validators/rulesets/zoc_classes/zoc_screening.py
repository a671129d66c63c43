"""Which hexes friendly units screen from enemy ZOCs, for one move (5.C, 6.D.3-d)."""

from __future__ import annotations

from functools import cached_property

from ....model.fact import MissingFact
from ...answers import answer
from ...concepts.logic import both
from ...concepts.sides import is_friend
from ...concepts.unclear_places import of_unclear_place
from ...ruleset import Circumstances
from . import ruleset_facts
from .enemy_zocs import EnemyZocs


class ZocScreening:
    """The hexes screened by units of ``side``, the side that moves. Results are cached hex by hex."""

    def __init__(
        self, circumstances: Circumstances, side: str | None, enemy_zocs: EnemyZocs
    ) -> None:
        self._enemy_zocs = enemy_zocs
        self._situation = circumstances.situation
        self._units = circumstances.situation.game.units
        self._moving = frozenset(circumstances.moving)
        self._company = _company(circumstances)
        self._side = side
        self._known: dict[str, bool | None] = {}
        move = circumstances.move
        self._at = None if move is None else move.steps[0]

    def question(self, name: str) -> MissingFact:
        """The missing fact that decides whether a hex is screened."""
        told = self._enemy_zocs.told(f"screened {name}")
        if told is not None and told.must_be(False):
            return ruleset_facts.friends(name, self._at).unknown()
        return ruleset_facts.of_hex("screened", name)

    def over(self, name: str) -> bool | None:
        """Whether a hex is screened from enemy ZOCs; None if it may be."""
        if name not in self._known:
            self._known[name] = self._look(name)
        return self._known[name]

    def _look(self, name: str) -> bool | None:
        enemy_zocs = self._enemy_zocs
        told = enemy_zocs.told(f"screened {name}")
        known = told.must_be(True) if told is not None and told.is_known else None
        if known:
            return True
        friend = self._friend(name)
        if friend is None:
            friend = answer(self._situation.game, ruleset_facts.friends(name, self._at))
        if friend is not False and enemy_zocs.reaction and enemy_zocs.tables.applies("6.D.3-d"):
            return friend  # 6.D.3-d: an exception to the normal screening rules
        # The text of Rule 5 is not available. By it friendly units, and perhaps others, may screen a hex in
        # other phases too.
        perhaps = told is not None and told.options is not None and told.may_be(True)
        return False if friend is False and enemy_zocs.tables.all_zocs and not perhaps else known

    def _friend(self, name: str) -> bool | None:
        """Whether a friendly combat unit that does not move is in a hex; None if one may be."""
        found = None if name in self._company or self._unclear else False
        sure = self._situation.surely_in(name)
        for unit in self._situation.possibly_in(name):
            screens = self._may_screen(unit)
            if screens and unit in sure:
                return True
            found = found if screens is False else None
        return found

    @cached_property
    def _unclear(self) -> bool:
        """Whether the place of a unit that may screen cannot be told; it may then be in any hex."""
        units = of_unclear_place(self._situation)
        return any(self._may_screen(unit) is not False for unit in units)

    def _may_screen(self, unit: str) -> bool | None:
        """Whether a unit is a friendly combat unit that does not move; None if it may be."""
        if unit in self._moving:
            return False
        friend = is_friend(self._situation.game, self._side, self._units[unit].side)
        combat = self._situation.fact(unit, "combat")
        return both(friend, False if combat.must_be(False) else combat.must_be(True) or None)


def _company(circumstances: Circumstances) -> frozenset[str]:
    """The hexes in which a unit of a dragged stack may be together with the others: where the move begins and
    where it ends. The units are dragged at once, but move one at a time (6.A-d). Empty for a single unit, and
    if none of them can be a combat unit."""
    move, situation = circumstances.move, circumstances.situation
    if move is None or len(circumstances.moving) < 2:
        return frozenset()
    if all(situation.fact(unit, "combat").must_be(False) for unit in circumstances.moving):
        return frozenset()
    return frozenset(p.hex for p in (move.origin, move.target) if p.hex is not None)
