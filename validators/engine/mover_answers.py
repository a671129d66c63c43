"""The answers of a mover to what clauses ask about its steps (:mod:`.questions`)."""

from __future__ import annotations

from collections.abc import Hashable
from typing import TYPE_CHECKING, Any

from ...model.fact import UNKNOWN, Fact
from ..answers import Question, answer
from ..concepts.logic import both
from .due import NOBODY
from .mover_facts import MoverFacts
from .mover_questions import as_key, one_of
from .mover_view import MoverView, objects_of

if TYPE_CHECKING:
    from .enemies import EnemyZones
    from .friends import Near
    from .rules import Rules

ABSENT = "absent"


class MoverAnswers:
    """The answers of a mover. See :class:`.mover.ClauseMover`."""

    if TYPE_CHECKING:
        rules: Rules
        facts: MoverFacts
        zones: EnemyZones
        _keys: dict[str, Hashable]
        _one_of: dict[tuple[str, tuple[str, ...]], bool | str | None]

    def own(self, about: str, here: str) -> Any:
        """What belongs to this mover alone."""
        if about == "first":
            return self.facts.starts_in(here)
        return self.facts.unit.id if about == "unit" else getattr(self.facts, about)

    def is_one_of(self, about: str, values: tuple[str, ...]) -> bool | str | None:
        """Whether a completed fact of it has one of these values, in lower case; None: not known; ABSENT: it
        has no such fact."""
        key = about, values
        if key not in self._one_of:
            fact = self.facts.known.get(about)
            self._one_of[key] = ABSENT if fact is None else one_of(fact, values)
        return self._one_of[key]

    def enemies(self, name: str, needs: tuple[Any, ...]) -> bool | None:
        """Whether enemies that meet ``needs`` are in a hex; None: not known."""
        found = self.zones.at(name).enemy
        return (
            both(found, self.zones.enemy_who(name, needs))
            if found is not False and needs
            else found
        )

    def is_clear(self, name: str) -> bool:
        """Whether no unit that may be an enemy is in a hex or beside it."""
        others = self.zones.others
        return others is not None and name not in others

    def presence(self, name: str, needs: tuple[Any, ...]) -> Any:
        """As :meth:`enemies`; what would decide it if that is not known."""
        found = self.enemies(name, needs)
        return self.zones.asked_in(name, needs) if found is None else found

    def near_presence(self, name: str, beside: bool, test: Any) -> Any:
        """Whether enemies of which ``test`` holds are in a hex or beside it; what would decide it if that is
        not known."""
        found = self.zones.who(name, beside, test)
        return found if found.holds is None else found.holds

    def said(self, name: str, topic: str) -> Fact:
        """What the facts say of a hex during the move; UNKNOWN: nothing."""
        return self.zones.said(name, topic) if self.tells(name, topic) else UNKNOWN

    def said_key(self, name: str, topic: str) -> Hashable:
        """As :meth:`said`, as a key."""
        return as_key(self.said(name, topic))

    def tells(self, name: str, topic: str) -> bool:
        """Whether the facts tell anything of a hex under a topic, at any time."""
        return name in self.rules.hexes_told(topic)

    def fact_key(self, about: str) -> Hashable:
        """A completed fact as a key; None: it has no such fact."""
        if about not in self._keys:
            fact = self.facts.known.get(about)
            self._keys[about] = None if fact is None else as_key(fact)
        return self._keys[about]

    def friends_first(self, name: str, needs: tuple[Any, ...]) -> Near:
        """See :meth:`.enemies.EnemyZones.friends`."""
        facts = self.facts
        move = facts.move if facts.has_move else None
        return self.zones.friends(name, needs, facts.unit, move)

    def told_now(self, name: str, topic: str) -> bool | None:
        """What the facts say of a hex under a topic at the first step of the move; None: nothing."""
        asked = Question(topic.format(name), "", "", self.facts.move.steps[0])
        return answer(self.rules.game, asked)

    def named(self, name: str, key: str) -> bool | None:
        """Whether what the facts say of its move under a key names a hex; None: they do not say."""
        acts = MoverView(NOBODY, self.rules, self.facts).acts
        return acts.hex(key) == name if acts.declared(key).is_known else None

    def lies(self, name: str, kind: str) -> Any:
        """Whether something of a kind lies in a hex; None: not known."""
        return objects_of(self.facts).get(name, {}).get(kind, False)
