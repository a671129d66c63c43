"""Piece slots and prototypes of a build file."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from ...model.problem import Problem
from . import sequence
from .components import Component
from .module import Prototype, Slot
from .nesting import split_state
from .own_traits import Filled, filled_fields
from .traits.catalogue import LAYOUTS

_ESC = "\x1b"
_MOST_TOLD = 50
_MANY = {
    "bad-path": "zones with points that are left out",
    "slot-unreadable": "slots whose text defines no piece",
    "unknown-board": "default boards that their maps do not have",
}
"""By kind of problem, the words that name it when the rest is only counted."""


def is_slot(component: Component) -> bool:
    """A piece slot: VASSAL's own, or any other component that holds a piece definition."""
    if component.kind.startswith(("PieceSlot", "CardSlot")):
        return True
    return component.is_custom and component.text.startswith("+/")


def read_slot(component: Component) -> Slot:
    """A slot as it stands; its gpid is the attribute, the state's is overruled by it."""
    kind, state = split_definition(component.text)
    return Slot(
        gpid=component.get("gpid"),
        entry_name=component.get("entryName"),
        type=kind,
        state=state,
        path=component.path(),
        component=component.cls if component.is_custom else component.short,
        definition=component.text,
    )


def split_definition(definition: str) -> tuple[str, str]:
    """TYPE and STATE of an AddPiece text (``+/null/TYPE/STATE``); empty where it is none.

    Definitions may hang further commands behind an ESC; only the first counts.
    """
    command = sequence.split(definition, _ESC)[0] if _ESC in definition else definition
    if not command.startswith("+/"):
        return "", ""
    tokens = sequence.split(command, "/")
    return (tokens[2], tokens[3]) if len(tokens) > 3 else ("", "")


def unread_slots(slots: Iterable[Slot]) -> list[Problem]:
    """Slots with a text that defines no piece, one Problem each; an empty slot is none."""
    return [
        Problem(
            "slot-unreadable",
            f"the text of the slot {slot.entry_name[:40]!r} defines no piece; it is kept as an empty one",
        )
        for slot in slots
        if slot.definition.strip() and not slot.type
    ]


def bounded(problems: Iterable[Problem]) -> list[Problem]:
    """``problems``, but of kinds that can occur any number of times only the first ones, then how many more
    there are."""
    kept: list[Problem] = []
    counts: Counter[str] = Counter()
    for problem in problems:
        if problem.code in _MANY:
            counts[problem.code] += 1
            if counts[problem.code] > _MOST_TOLD:
                continue
        kept.append(problem)
    for code, what in _MANY.items():
        if counts[code] > _MOST_TOLD:
            kept.append(Problem(code, f"there are {counts[code] - _MOST_TOLD} more {what}"))
    return kept


def unknown_traits(slots: Iterable[Slot], prototypes: Iterable[Prototype]) -> list[Problem]:
    """One Problem for all traits of unknown classes; their texts are kept."""
    types = [(slot.type, slot.entry_name) for slot in slots]
    types += [(split_definition(p.definition)[0], p.name) for p in prototypes]
    seen: dict[str, str] = {}
    count = 0
    for kind, name in types:
        *traits, _ = split_state(kind, kind.count("\t"))
        for trait in traits:
            prefix = trait[: trait.find(";") + 1]
            if prefix not in LAYOUTS:
                count += 1
                seen.setdefault(prefix or trait, name)
    if not seen:
        return []
    shown = ", ".join(repr(prefix[:40]) for prefix in sorted(seen)[:5])
    more = f" and {len(seen) - 5:,} more" if len(seen) > 5 else ""
    first = min(seen)
    message = (
        f"traits that are none of VASSAL's ({shown}{more}): their text is kept, what they do is not known;"
        f" a field of them can be read as a property of the piece, such as {first.rstrip(';')[:40]};1"
    )
    return [Problem("unknown-trait", message, f"piece or prototype {seen[first]}", count=count)]


def own_fields(slots: Iterable[Slot], prototypes: Iterable[Prototype]) -> Filled:
    """The fields of traits of the module's own; see :func:`own_traits.filled_fields`."""
    types = (slot.type for slot in slots)
    return filled_fields((*types, *(split_definition(p.definition)[0] for p in prototypes)))
