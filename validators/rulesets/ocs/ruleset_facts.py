"""What to ask when a fact is not known that only this series knows, and what its facts may say."""

from __future__ import annotations

from collections.abc import Iterable

from ....model.fact import MissingFact
from ....model.game import StepRef
from ....model.stanza import BLANK, pack_stanza
from ....model.unit import Unit
from ...allowed_facts import NUMBER, YES_NO, AllowedFacts, words
from ...answers import Question
from .tables import CLASSES, MODES, Tables

FUEL = ("lacking", "full")


def allowed_facts(tables: Tables) -> AllowedFacts:
    """What may be told of units and of the game, and how it is asked for."""
    fuel = words(*FUEL).asked("had {} the fuel it needs (lacking or full)?")
    mission = YES_NO.asked("did {} fly a mission in the phase?")
    types = dict.fromkeys(name for names in tables.types.values() for name in names)
    return AllowedFacts(
        attributes={
            "class": words(*CLASSES).asked("is {} leg, tracked or truck (3.1a)?"),
            "ma": NUMBER.asked("which movement allowance is printed on {}?"),
            "mode": words(*MODES).asked("in which mode was {} when it moved (5)?"),
            "dg": YES_NO.asked("was {} disorganised (DG)?"),
            "type": words(*types).asked("what is {}: a combat unit, an HQ, a transport …?"),
            "attack": YES_NO.asked("is {} attack-capable?"),
            "supplied": YES_NO.asked("was {} in supply?"),
            "re": NUMBER.asked("how many RE is {}?"),
            "fuel": fuel,
            "mission": mission,
        },
        conditions={
            "bridging": YES_NO.asked("was the river bridged for the unit (13.8b)?"),
            "fuel": words(*FUEL),
            "mission": YES_NO,
            **dict.fromkeys(_TOPICS, YES_NO),
        },
    )


CAPTURED, LATE, PLACED = "captured", "moved as marked later", "placed where it was put last"
PUT_BACK, OVERRAN, CARRIED = "put back by an overrun", "overran", "carried by transport points"
RAIL, BY_RAIL = "rail movement in the game", "moved by rail"
LIFT, BY_LIFT = "air or sea movement in the game", "moved by air or sea"
RELEASED, WENT_ON = "released before it moved", "overran out of a zone of control"
NEGATED, STACKING = "zone of control over * negated", "stacking in *"
_TOPICS = (
    CAPTURED,
    LATE,
    PLACED,
    PUT_BACK,
    OVERRAN,
    CARRIED,
    RAIL,
    BY_RAIL,
    LIFT,
    BY_LIFT,
    RELEASED,
    WENT_ON,
    NEGATED,
    STACKING,
)


def factor(mode: str, segment: str) -> MissingFact:
    """By what a mode in a segment (DG: in any) multiplies an allowance."""
    reason = f"mode {mode} in {segment}" if segment else mode
    path = (mode, segment) if segment else (mode.lower(),)
    return MissingFact(
        f"factor of {reason}",
        f"by what does {reason} multiply the movement allowance in this edition (5.7 to 5.10)?",
        "facts.toml",
        pack_stanza("rules", "factors", *path, entry=BLANK),
    )


def segment(phase: str) -> MissingFact:
    """Which segment of movement a phase is."""
    return MissingFact(
        f"segment of {phase}",
        f"is the phase {phase} one of movement, reaction or exploitation, or of none of these (other)?",
        "facts.toml",
        pack_stanza("rules", "kinds", phase, entry=BLANK),
    )


READINGS = {
    "dg_attacks": "does a unit that is DG attack and exert a zone of control (5.10)?",
    "move_attacks": "is a unit in Move Mode able to attack (5)?",
    "strat_attacks": "is a unit in Strat Mode able to attack (5)?",
    "reserve_attacks": "is a unit in Reserve Mode able to attack (5)?",
    "zoc_into_prohibited": "does a zone of control extend to where the unit may not go (4.5)?",
    "stack_negates": "does a unit that moves along negate a zone of control for its stack (4.5a)?",
    "enter_unable": "may a hex be entered in which all enemies are unable to attack (4.8c)?",
    "bridge_opens": "does a bridge without a road open a prohibited hex (6.2c)?",
    "overrun_hexsides": "do hexsides count where a hex may cost too much for an overrun (8.1)?",
    "transports_move": "may transport points move in Reaction and Exploitation (13.2)?",
    "reaction_names": "whom does the pack call active in a Reaction: the phasing player, or who reacts?",
}
"""What the text leaves open: option → question."""


def reading(option: str) -> MissingFact:
    """How an open reading is meant."""
    return MissingFact(
        f"reading {option}",
        READINGS[option],
        "facts.toml",
        pack_stanza("options", option, entry=BLANK),
    )


def captured(unit: Unit) -> Question:
    """Whether supplies, or what carries them, have fallen to the other side."""
    return Question(CAPTURED, f"was {unit.name} captured, and moved by its captor?", unit.id)


def late(unit: Unit, changed: Iterable[str], at: StepRef) -> Question:
    """Whether it was marked, or flipped, only after it had moved."""
    text = f"did {unit.name} move with the {' and '.join(changed)} it was given later in the phase?"
    return Question(LATE, text, unit.id, at)


def placed(unit: Unit, at: StepRef) -> Question:
    """Whether what was put onto the map was put down in a wrong hex first."""
    text = f"was {unit.name} meant to be placed where it was put in the end?"
    return Question(PLACED, text, unit.id, at)


def retreat(unit: Unit, at: StepRef) -> Question:
    """Whether an overrun put it back."""
    return Question(PUT_BACK, f"was {unit.name} put back by an overrun?", unit.id, at)


def overrun(unit: Unit, at: StepRef) -> Question:
    """Whether it overran whom it met."""
    text = f"was it an overrun by which {unit.name} went to the enemies' hex?"
    return Question(OVERRAN, text, unit.id, at)


def transport(unit: Unit, at: StepRef) -> Question:
    """Whether supplies were carried."""
    return Question(CARRIED, f"was {unit.name} carried by transport points (13.2)?", unit.id, at)


def rail(unit: Unit, at: StepRef) -> tuple[Question, Question]:
    """Whether anybody goes by rail, and whether it did."""
    text = "does anybody go by rail (13.3) in what these logs hold?"
    return Question(RAIL, text), Question(
        BY_RAIL, f"was {unit.name} carried by rail (13.3)?", unit.id, at
    )


def lift(unit: Unit, at: StepRef) -> tuple[Question, Question]:
    """Whether anybody goes by air or sea, and whether it did."""
    text = "is anybody carried by air or sea in what these logs hold?"
    return Question(LIFT, text), Question(
        BY_LIFT, f"was {unit.name} carried by air or sea?", unit.id, at
    )


def released(unit: Unit, segment: str, at: StepRef) -> Question:
    """Whether one whose mark was taken off might move in a segment."""
    marked = "released" if segment == "reaction" else "released, or marked for exploitation,"
    return Question(RELEASED, f"was {unit.name} {marked} before it moved?", unit.id, at)


def went_on(unit: Unit, at: StepRef) -> Question:
    """Whether a truck went on from a zone of control only to overrun."""
    text = f"where {unit.name} left a zone of control in its move, did it overrun right then?"
    return Question(WENT_ON, text, unit.id, at)


def negated(hex_name: str, at: StepRef | None) -> Question:
    """Whether somebody who moved along negated a zone of control over a hex."""
    text = f"was the zone of control over {hex_name} negated by a unit that moved along (4.5a)?"
    return Question(NEGATED.replace("*", hex_name), text, "", at)


def stacking(phase: str) -> Question:
    """Whether stacks are looked at when a phase ends that is no segment of movement."""
    text = f"are stacks looked at when the phase {phase} ends (not that of reinforcements)?"
    return Question(STACKING.replace("*", phase), text)
