"""What to ask when a fact is not known that only this game knows."""

from __future__ import annotations

from ....model.fact import Unknown
from ....model.unit import Unit
from ...concepts import questions


def of(about: tuple[str, ...], who: str, unit: Unit) -> Unknown:
    """The question behind a term of a step."""
    match about:
        case ("cost", "stream", *_):
            return questions.of_condition("stream")
        case ("contiguous", a, b):
            return Unknown(
                f"road from {a} to {b}",
                f"are {a} and {b} contiguous hexes of one road, though it does not cross their hexside?",
                "lines.csv",
            )
        case ("bridge", name):
            return Unknown(f"bridge in {name}", f"is there a bridge in {name}?", "hexes.csv")
        case ("climb", name):
            return Unknown(
                f"climb to {name}",
                f"does the climb to {name} come on top of its terrain?",
                "pack.toml",
                '[rules.hills]\ncombine = "?"',
            )
        case ("downhill", name):
            return Unknown(
                f"way down to {name}",
                f"does {name} cost what its terrain costs to who comes downhill?",
                "pack.toml",
                '[rules.hills]\ncombine = "?"',
            )
        case ("beside", name):
            return Unknown(
                f"road in {name}",
                f"does {name} count as its terrain to who enters it beside its road?",
                "pack.toml",
                '[rules.hills]\nroad_hex = "?"',
            )
        case ("posture", attribute):
            return posture(unit, attribute)
    return questions.of_board(about, who)


def posture(unit: Unit, attribute: str) -> Unknown:
    """Whether what was said of a unit was meant, or when."""
    return Unknown(
        f"unit {unit.id} {attribute}",
        f"was {unit.name} really what its counter says of {attribute}, all that time?",
        "facts.toml",
        f'[[unit]]\nunit = "{unit.id}"\nattributes = {{"{attribute}" = "?"}}',
    )


def riding(unit: str) -> Unknown:
    """Whether an enemy rides in a vehicle, so that an overrun does not pay for it."""
    return Unknown(f"unit {unit} aboard", f"in which vehicle does {unit} ride, if in any?")


def roll(unit: Unit, name: str) -> Unknown:
    """Whether a die stopped it."""
    return Unknown(
        f"unit {unit.id} stalled",
        f"did {unit.name} fail its roll in {name}, so that its movement ended there?",
        "facts.toml",
        f'[[condition]]\nkey = "stalled"\nunit = "{unit.id}"\nvalue = "?"',
    )


def advance(unit: Unit, name: str) -> Unknown:
    """Whether its last hex is the one that its assault emptied."""
    return Unknown(
        f"unit {unit.id} advance into {name}",
        f"did {unit.name} go to {name} because its assault had emptied it?",
        "facts.toml",
    )


def retreat(unit: Unit, name: str) -> Unknown:
    """Whether it went because it had lost the assault on its hex."""
    return Unknown(
        f"unit {unit.id} retreat from {name}",
        f"did {unit.name} retreat from {name}, which others had assaulted?",
        "facts.toml",
    )


def end(unit: Unit, name: str) -> Unknown:
    """Whether it ended its movement among enemies."""
    return Unknown(
        f"unit {unit.id} end in {name}",
        f"did {unit.name} end its movement in {name}, neither moved on, nor stopped nor destroyed there?",
    )


def again(unit: Unit) -> Unknown:
    """Whether it was activated once more."""
    return Unknown(
        f"unit {unit.id} activated again",
        f"was {unit.name} fresh again when its token was taken off, and activated once more?",
        "facts.toml",
    )


def push_back(unit: Unit, name: str) -> Unknown:
    """Whether it was driven back out of an overrun."""
    return Unknown(
        f"unit {unit.id} back from {name}",
        f"was {unit.name} put back from {name}, heavily damaged in its overrun?",
        "facts.toml",
    )


def reading(name: str, question: str) -> Unknown:
    """An open reading that a pack settles."""
    return Unknown(name, question, "pack.toml", f'[rules.allowance]\n{name} = "?"')
