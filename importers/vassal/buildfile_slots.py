"""Piece slots and prototypes of a build file."""

from __future__ import annotations

from . import sequence
from .components import Component
from .module import Prototype, Slot

_ESC = "\x1b"


def is_slot(component: Component) -> bool:
    """A piece slot: VASSAL's own, or any other component that holds a piece definition."""
    if component.short.startswith(("PieceSlot", "CardSlot")):
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


def read_prototype(component: Component) -> Prototype:
    """A prototype definition."""
    return Prototype(name=component.get("name"), definition=component.text)


def split_definition(definition: str) -> tuple[str, str]:
    """TYPE and STATE of an AddPiece text (``+/null/TYPE/STATE``); empty where it is none.

    Definitions may hang further commands behind an ESC; only the first counts.
    """
    command = sequence.split(definition, _ESC)[0] if _ESC in definition else definition
    if not command.startswith("+/"):
        return "", ""
    tokens = sequence.split(command, "/")
    return (tokens[2], tokens[3]) if len(tokens) > 3 else ("", "")
