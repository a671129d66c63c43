"""Single facts of a pack that may be wrong and that accusations depend on."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal

FactKind = Literal["hex", "hexside", "line", "chart", "unit", "phase", "form"]


@dataclass(frozen=True, slots=True)
class PackFact:
    """One fact that a pack, or the facts of a game, state.

    ``cell``: a hex, a hexside ``0403/0404``, a chart cell ``terrain.woods.foot``, the name of a counter, the
    step at which a phase begins, or the phase in which a form is not declared. ``layer`` and ``name`` are as
    in :class:`.provenance.Key`; for a unit, ``name`` is the attribute. ``value``: the stated value.
    ``instead``: for a border of a phase, the step at which the phase may have begun; for a form, who would
    have it; for a missing line, why it may be there.
    """

    kind: FactKind
    cell: str
    layer: str = ""
    name: str = ""
    value: str = ""
    instead: str = ""

    @property
    def place(self) -> str:
        """What the fact is about, without its value."""
        return f"the {self.name or self.layer} of {self.cell}"

    @property
    def is_rest(self) -> bool:
        """Whether it says that nothing else is in a hex, on or across a hexside, or in a chart."""
        return (
            not self.name
            if self.layer in ("features", "hexsides", "lines")
            else self.name == "complete"
        )

    def __str__(self) -> str:
        nothing = "nothing" if self.value == "none" else "nothing else"
        said = "the pack says there is one"
        if self.is_rest:
            said = f"the pack says {nothing}{f', but {self.instead}' if self.instead else ''}"
        match self.kind:
            case "hex" if self.is_rest:
                return f"what else is in hex {self.cell} ({said})"
            case "hex":
                said = said if self.value == "yes" else self.value
                return f"the {self.name or self.layer} of hex {self.cell} ({said})"
            case "hexside" if self.is_rest:
                return f"what else is on the hexside {self.cell} ({said})"
            case "hexside":
                return f"{self.name} on the hexside {self.cell} ({said})"
            case "line":
                return f"what else crosses the hexside {self.cell} ({said})"
            case "chart" if self.is_rest and self.cell == "lacks":
                return "whether the charts can say every rule of movement (the pack says so)"
            case "chart" if self.is_rest:
                return f"what [rules.{self.cell}] leaves out (the pack says it is complete)"
            case "chart":
                return f"the chart cell {self.cell} ({self.value})"
            case "unit":
                return f"{self.name} of {self.cell} ({self.value})"
            case "phase":
                return f"where {self.value} begins (at {self.cell}; perhaps at {self.instead})"
            case "form":
                return (
                    f"a movement form that is not declared in the phase {self.cell}: {self.instead} "
                    "moved up to twice as far as they may"
                )


@dataclass(frozen=True, slots=True)
class Suspect:
    """A fact that accusations depend on: if it were not known, they would be withdrawn.

    ``clears``: how many findings that would withdraw; ``drags``: how many drags they are (a stack moved
    together counts once). ``sides``, ``players``, ``phases``: of these drags. ``legal``: how many legal
    drags would no longer be certainly legal; None: not counted. ``at``: for a number, cheaper values (for
    an allowance, greater ones), the nearest first, each with how many of the drags would be possible; empty:
    it is not a number, or no such value makes a drag possible.
    """

    fact: PackFact
    clears: int
    drags: int
    sides: tuple[str, ...]
    players: tuple[str, ...]
    phases: tuple[str, ...]
    legal: int | None = 0
    at: tuple[tuple[str, int], ...] = ()

    @property
    def is_of_one(self) -> bool:
        """Whether one player made all the drags that it would clear."""
        return max(len(self.sides), len(self.players)) < 2

    def plain(self) -> dict[str, Any]:
        """As JSON values."""
        fact = self.fact
        return {
            "fact": {
                "kind": fact.kind,
                "cell": fact.cell,
                "layer": fact.layer,
                "name": fact.name,
                "value": fact.value,
                "instead": fact.instead,
            },
            "text": str(fact),
            "clears": self.clears,
            "drags": self.drags,
            "sides": list(self.sides),
            "players": list(self.players),
            "phases": list(self.phases),
            "rests_on_it_legal": self.legal,
            "one_player": self.is_of_one,
            "possible_at": [{"value": value, "drags": number} for value, number in self.at],
        }


@dataclass(frozen=True, slots=True)
class Changed:
    """A fact of the board that differs from its record, and nobody has looked at it since. ``before``: the
    recorded value; ``went``: how many more findings there would be with that value."""

    fact: PackFact
    before: str
    went: int

    def plain(self) -> dict[str, Any]:
        """As JSON values."""
        fact = self.fact
        told = {"kind": fact.kind, "cell": fact.cell, "layer": fact.layer, "name": fact.name}
        return {
            "fact": {**told, "value": fact.value},
            "before": self.before,
            "findings_gone": self.went,
        }
