"""Yes-or-no questions that only the players can answer, with the conditions that answer them."""

from __future__ import annotations

from dataclasses import dataclass

from ....model.board import Edge
from ....model.fact import MissingFact
from ....model.finding import Move
from ....model.game import StepRef
from ....model.unit import Unit
from ...allowed_facts import YES_NO, Allowed
from ...answers import Question

ROADS_MEET, CROSSING, PUT_BACK = "roads meet in", "way over", "put back by an overrun"
STARTED_ON_ROAD, FOR_A_MOMENT, ENDED = (
    "began the phase on a road",
    "overstacked for a moment only",
    "a unit ended its movement in",
)
TOOK_EXPLOIT, BY_ITS_MARKER, NO_POINT = (
    "took Exploit Mode before it moved",
    "went by its Motor Unit marker",
    "its Motor Unit marker has no Truck Point",
)
TOPICS: dict[str, Allowed] = {
    **{f"{topic} *": YES_NO for topic in (ROADS_MEET, CROSSING, FOR_A_MOMENT, ENDED)},
    **dict.fromkeys((PUT_BACK, STARTED_ON_ROAD, TOOK_EXPLOIT, BY_ITS_MARKER, NO_POINT), YES_NO),
}
"""Keys of the conditions, with the values they may have."""


def roads_meet(name: str) -> Question:
    """Whether the roads in a hex meet there, where the board does not say."""
    return Question(f"{ROADS_MEET} {name}", f"do the roads in {name} meet there?")


def crossing_provided(side: Edge, at: StepRef) -> Question:
    """Whether a Bridge Column or engineers provided a crossing over a hexside at step ``at``."""
    text = f"was there a bridge or a ferry that it may use between {side[0]} and {side[1]} then?"
    return Question(f"{CROSSING} {side[0]}/{side[1]}", text, at=at)


@dataclass(frozen=True, slots=True)
class PutBack:
    """The question whether an overrun put a unit where it lies after the last drag of a move."""

    unit: Unit
    move: Move

    @property
    def question(self) -> Question:
        """The question, with the condition that answers it."""
        text = f"was {self.unit.name} put back, or did it retreat, by an overrun (5.10)?"
        return Question(PUT_BACK, text, self.unit.id, self.move.steps[-1])

    def unknown(self) -> MissingFact:
        """The question as a missing fact."""
        return self.question.unknown(f"retreat of {self.unit.id}")


def started_on_road(unit: Unit) -> Question:
    """Whether a unit that came onto the map in a phase began the phase on a road."""
    return Question(
        STARTED_ON_ROAD, f"did {unit.name} begin the phase in a hex with a road?", unit.id
    )


def overstacked_in_passing(name: str, at: StepRef) -> Question:
    """Whether a hex was overstacked only while units moved through it."""
    text = f"was {name} overstacked only while units moved through it?"
    return Question(f"{FOR_A_MOMENT} {name}", text, at=at)


def ended_in(name: str, at: StepRef) -> Question:
    """Whether a unit ended its movement in the hex. Only then does its stack break 5.3.0."""
    text = f"did any unit end its movement in {name} (5.3.0), rather than retreat or be put there?"
    return Question(f"{ENDED} {name}", text, at=at)


def took_exploit(unit: Unit, at: StepRef) -> Question:
    """Whether a unit left Maneuver Reserve before it moved (5.1-e)."""
    text = f"did {unit.name} leave Maneuver Reserve for Exploit Mode before it was moved (5.1)?"
    return Question(TOOK_EXPLOIT, text, unit.id, at)


def by_its_marker(unit: Unit) -> Question:
    """Whether a unit with its own transport used a Motor Unit marker instead."""
    text = f"did {unit.name} go by the trucks of its Motor Unit marker, rather than by its own?"
    return Question(BY_ITS_MARKER, text, unit.id)


def no_point(unit: Unit, army: str) -> Question:
    """Whether the Motor Unit marker of a unit is the one for which its army has no truck point."""
    text = f"is the Motor Unit marker on {unit.name} one for which {army} has no Truck Point?"
    return Question(NO_POINT, text, unit.id)
