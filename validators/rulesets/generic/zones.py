"""Enemies and friends in hexes, as far as the tables of ``generic`` ask for them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from ....model.fact import MissingFact
from ....model.game import StepRef
from ....model.unit import Unit
from ...answers import Question
from ...concepts.logic import both, some
from ...concepts.zones import NO_ENEMY, Presence, Zones
from ...ruleset import Requirement

Kinds = tuple[tuple[Requirement, ...], ...]
AHEAD = "went ahead of its stack"


def went_ahead(unit: Unit, at: StepRef | None) -> Question:
    """The question whether a unit entered every hex before the friends it was dragged along with. ``at``: the
    last step of the move; None: no move is given."""
    text = f"did {unit.name} go ahead of those it was dragged along with, and not after them?"
    return Question(AHEAD, text, unit.id, at)


def met(there: Presence) -> bool | None:
    """Whether any enemy is in a hex, whether or not it bars the hex; None: not known."""
    return there.more[0] if there.more else False


def friendly(there: Presence, zocs: int, kind: int) -> bool | None:
    """Whether friends of the kind with that number are in a hex (``Tables.friends``); None: not known.
    ``zocs``: the number of rules on zones of control."""
    return there.more[max(zocs, 1) + kind] if there.more else False


def in_zone(there: Presence, number: int) -> bool | None:
    """Whether a hex is in a zone of control by the rule with that number (from 0); None: not known."""
    if number == 0:
        return there.zoc
    return there.more[number] if there.more else False


class TableZones(Zones):
    """See :class:`~...concepts.zones.Zones`, which handles the first rule on zones of control.

    ``further``: one value for each further rule. ``friends``: the kinds of friends that the tables ask for.
    """

    def __init__(
        self, *args: Any, further: tuple[Zones, ...] = (), friends: Kinds = (), **more: Any
    ) -> None:
        self._friends = friends
        self._further = further
        super().__init__(*args, **more)
        self.share_enemies(further)

    @property
    def rules(self) -> int:
        """The number of rules on zones of control; 1 also if there is none."""
        return 1 + len(self._further)

    def by_rule(self, number: int) -> Zones:
        """The zones of control by the rule with that number (from 0)."""
        return self._further[number - 1] if number else self

    def _with_others(self) -> Mapping[str, int] | None:
        return None if self._friends else super()._with_others()

    def _look(self, name: str) -> Presence:
        found = super()._look(name)
        if self._friends and found is NO_ENEMY:  # a rule may ask for friends where nobody is
            return Presence(
                False, False, (False, *(False for _ in (*self._further, *self._friends)))
            )
        return found

    def look_further(self, name: str) -> tuple[bool | None, ...]:
        """What else the tables ask for, in this order: whether any enemy is in the hex, the zones of control
        by each further rule, the friends of each kind."""
        enemy = some(sure for _, sure in self.enemies(name))
        others = (zones.at(name).zoc for zones in self._further)
        return (enemy, *others, *(self._friends_in(name, needs) for needs in self._friends))

    def along(self, mover: str) -> tuple[bool | None, ...]:
        """For each kind of friends, whether any moves along with a unit (None: not known)."""
        return tuple(self.one_along(mover, needs) for needs in self._friends)

    def one_along(self, mover: str, needs: tuple[Requirement, ...]) -> bool | None:
        """Whether a unit that meets ``needs`` moves along with ``mover``; None: not known."""
        return some(self.meets(unit, needs) for unit in self._moving - {mover})

    def missing_of_along(self, mover: str, needs: tuple[Requirement, ...]) -> Iterator[MissingFact]:
        """The facts that would tell whether a unit that meets ``needs`` moves along with ``mover``."""
        for unit in sorted(self._moving - {mover}):
            yield from self.unmet(unit, needs)

    def _friends_in(self, name: str, needs: tuple[Requirement, ...]) -> bool | None:
        """Whether friendly units of a kind, other than those that move, are in a hex; None: not known."""
        sure = self._situation.surely_in(name)
        possible = self._situation.possibly_in(name)
        return some(
            both(
                self.meets(unit, needs), both(self._friendly(unit), True if unit in sure else None)
            )
            for unit in possible
            if unit not in self._moving
        )

    def friends_in(self, name: str) -> Iterator[tuple[str, bool | None]]:
        """Units in a hex, other than those that move, that are friends (True) or may be (None)."""
        sure = self._situation.surely_in(name)
        for unit in self._situation.possibly_in(name):
            friendly = self._friendly(unit)
            if unit not in self._moving and friendly is not False:
                yield unit, True if friendly and unit in sure else None

    def questions(
        self, unit: str, name: str, needs: tuple[Requirement, ...]
    ) -> Iterator[MissingFact]:
        """The facts that would tell whether a unit is in a hex, on which side, and meets ``needs``."""
        return self._questions(unit, name, needs)

    def missing_of_friends(
        self, name: str, needs: tuple[Requirement, ...]
    ) -> Iterator[MissingFact]:
        """The facts that would tell whether friends of a kind are in a hex."""
        for unit in self._situation.possibly_in(name):
            if unit not in self._moving:
                yield from self._questions(unit, name, needs)
