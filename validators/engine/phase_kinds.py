"""Of which kind the phases of a game are, and who moves in them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cached_property

from ...model.fact import MissingFact
from ...model.stanza import BLANK, pack_stanza
from ..checks import listed
from ..concepts import missing_facts
from ..concepts.sides import is_enemy, is_friend
from .declared import NO_MOVEMENT, Movers
from .in_force import InForce


@dataclass(frozen=True)
class PhaseKinds(InForce):
    """The kinds of phases, by the tables and the facts. See :class:`.rules.Rules`."""

    @cached_property
    def phase_kinds(self) -> Mapping[str, str]:
        phases = self.tables.get("phases", {})
        named = {name: kind for kind, names in phases.items() for name in names}
        head, _, tail = self.declared.kind_told.partition("{}")
        keys = [k for k in self.game.condition_keys if head and k.startswith(head)]
        said = {k.removeprefix(head).removesuffix(tail): self._said_of_kind(k) for k in keys}
        told = {name: kind for name, kind in said.items() if kind}
        return {**told, **named, **self.tables.get("kinds", {})}

    def _said_of_kind(self, key: str) -> str:
        """Of which kind a phase is by the facts; empty: they leave it open."""
        facts = [c.fact for c in self.game.conditions if c.key == key]
        kinds = {str(fact.value) for fact in facts if fact.is_known}
        return kinds.pop() if len(kinds) == 1 == len(facts) else ""

    @cached_property
    def kinds(self) -> tuple[str, ...]:
        """The kinds of phases in which units move; one without a name if the ruleset tells none apart."""
        return tuple(k for k in self.tables.get("phases", {"": ()}) if k != NO_MOVEMENT)

    def kind_of(self, phase: str) -> str | None:
        """The kind of a phase; None if it is not known."""
        return self.phase_kinds.get(phase) if "phases" in self.tables else ""

    def kind_of_phase(self, phase: str) -> MissingFact:
        if self.declared.kind_told:
            key = self.declared.kind_told.format(phase)
            asked = missing_facts.of_condition(key)
            named = f"is the phase {phase} one of {listed([*self.kinds, NO_MOVEMENT])}?"
            return replace(asked, key=f"kind of phase {phase}", question=named)
        asks = self.declared.asks_phase
        none = "" if asks else f", or of none of these ({NO_MOVEMENT})"
        return MissingFact(
            f"kind of phase {phase}",
            f"is the phase {phase or '?'} one of {listed(list(self.kinds))}{none}?",
            "facts.toml",
            pack_stanza("rules", "kinds", phase, entry=BLANK),
        )

    def is_phasing(self, active: str | None, side: str | None, kind: str) -> bool | None:
        """Whether units of ``side`` may move in a phase of a kind; None: not known."""
        if active not in self.game.sides:
            return None
        who = self.declared.moves(self, kind)
        if who is None:
            return False
        if who == "active":
            return is_friend(self.game, active, side)
        return is_enemy(self.game, active, side)

    def movers(self, phase: str) -> Movers | None:
        """See :class:`~..ruleset.Phasing`."""
        kind = self.phase_kinds.get(phase)
        if kind is None or kind == NO_MOVEMENT:
            return None
        who = self.declared.moves(self, kind)
        return None if who == "perhaps inactive" else who
