"""What reports say above the findings: facts of the pack that findings rest on."""

from __future__ import annotations

from collections.abc import Iterator

from ...model.finding import Audit
from ...model.suspect import Changed, Suspect
from .phrases import counted
from .sections import Group, Section

HEADING = "Look at these first: the pack may be wrong here"
MEANING = (
    "Findings rest on each of these facts: if it were not known, they would not stand. That changes no"
    " verdict and no count. Look at them, on the map or in the rulebook: if they are right, the findings are."
)
ONE_PLAYER = "the pack, or this player's reading of the rule"
BOTH = "the pack"
MOST_PHASES = 3


def suspect_text(one: Suspect) -> str:
    """A suspect in one line, behind what it is: how much rests on it, and whose it is."""
    cleared = f"{counted(one.drags, 'drag')} ({counted(one.clears, 'finding')})"
    whose = " and ".join(one.sides or one.players)
    if len(one.sides) == len(one.players) == 1:
        whose = f"{one.sides[0]} ({one.players[0]})"
    parts = [f"{cleared}{f' of {whose}' if whose else ''}"]
    parts += ["; ".join(one.phases[:MOST_PHASES]) + (" …" if len(one.phases) > MOST_PHASES else "")]
    if one.legal:
        rest = "rests" if one.legal == 1 else "rest"
        parts.append(f"{counted(one.legal, 'legal drag')} {rest} on it as well")
    possible = f". {cheaper_text(one)}" if one.at else ""
    blame = ONE_PLAYER if one.is_of_one else BOTH
    return f"{', '.join(part for part in parts if part)}{possible}. Wrong may be {blame}."


def cheaper_text(one: Suspect) -> str:
    """What cheaper values of a number change: ``At 3, none of these would be illegal``. Empty for others."""
    if not one.at:
        return ""
    first, *rest = _left(one)
    return heading("; ".join([f"{first} of these would be illegal", *rest]))


def number_text(one: Suspect) -> str:
    """A number of the charts in one line: which, how many moves it makes impossible, and what would not."""
    path = [part for part in one.fact.cell.split(" > ") if part not in _PLAIN]
    where = f"{' '.join(path)} ({one.fact.value})"
    if one.fact.kind == "unit":
        where = f"{one.fact.name} of {where}"
    phases = counted(len(one.phases), "phase")
    moves = f"{counted(one.drags, 'move')} in {phases} would be impossible"
    return f"{where}: {'; '.join((moves, *_left(one)))}"


_PLAIN = ("costs", "cost", "by_class")
"""Keys in the path of a chart cell that say nothing to a reader."""


def number_lines(audit: Audit) -> Iterator[str]:
    """What the moves say of the numbers of the charts as they are typed; nothing if no move was decided."""
    verdicts = [judged.verdict for judged in audit.moves if judged.judged]
    illegal, decided = verdicts.count("illegal"), len(verdicts) - verdicts.count("unverifiable")
    yield from map(number_text, audit.numbers)
    if decided and not illegal:
        yield f"no number makes any of the {counted(decided, 'move')} that were decided impossible"
    elif illegal and not audit.numbers:
        yield f"no cheaper number allows any of the {counted(illegal, 'illegal move')}"


def _left(one: Suspect) -> list[str]:
    left = ((value, one.drags - number) for value, number in one.at)
    return [f"at {value}, {number or 'none'}" for value, number in left]


def changed_text(one: Changed) -> str:
    """A fact that was changed without a look, in one line."""
    went = f"{counted(one.went, 'finding')} went with it"
    return (
        f"{one.fact.place}: changed from {one.before}, and nobody has looked at it since; {went}."
    )


def heading(text: str) -> str:
    """The name of a suspect as a line begins with it."""
    return text[:1].upper() + text[1:]


def suspect_lines(audit: Audit) -> Iterator[tuple[str, str]]:
    """What is to be looked at, and what rests on it."""
    for one in audit.suspects:
        yield heading(str(one.fact)), suspect_text(one)


def suspects_section(audit: Audit) -> Section | None:
    """What is to be looked at first; None where there is nothing."""
    changed = ((heading(changed_text(one)), "") for one in audit.changed)
    lines = (*suspect_lines(audit), *changed)
    meaning = MEANING if audit.suspects else ""
    return Section(HEADING, meaning, (Group("", (lines,)),), quiet=False) if lines else None
