"""Which steps took an earlier step back.

VASSAL never deletes from a log: an undo is a step of its own, made of the inverses of an earlier
step's commands in reverse order [BasicLogger.undo]. Since 3.6.7 it is bracketed by ``UNDO`` markers;
before that, only its commands show it. A pointer stands on the newest step that
has an inverse; each undo takes the step under it and moves the pointer back by one step of any kind.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Literal

from ...model.table import Undoing
from . import commands as c

KnownBy = Literal["marker", "chat", "inverse"]
_LOOK_BACK = 12
"""How many steps before the pointer are tried if the step under it does not fit."""
_UNDO_CHAT = "* "
_IRRELEVANT = (
    c.Null, c.Unencodable, c.Unknown, c.Audio, c.LosThread, c.Flare, c.ShowResults, c.Undo,
    c.Player, c.PlayerRemove, c.Boards,
)  # fmt: skip


@dataclass(slots=True)
class _Trace:
    """A step as the undo button saw it: the commands that have an inverse, and the chat."""

    number: int
    commands: list[c.Command] = field(repr=False)
    undoing: Undoing | None = None


class UndoReader:
    """Follows the undo button through the steps of one log; ask once for every step, in order."""

    def __init__(self) -> None:
        self._steps: list[_Trace] = []
        self._pointer = -1

    def read(
        self, number: int, commands: Sequence[c.Command], brackets: Sequence[bool]
    ) -> Undoing | None:
        """What this step undoes, if it is an undo. ``brackets``: its UNDO markers."""
        step = _Trace(number, [x for x in commands if not isinstance(x, _IRRELEVANT)])
        if True in brackets:
            undoing: Undoing | None = self._marked(step)
        else:
            undoing = self._unmarked(step)
        step.undoing = undoing
        self._steps.append(step)
        if undoing is None and commands:
            self._pointer = len(self._steps) - 1
        return undoing

    def _marked(self, step: _Trace) -> Undoing:
        for index in range(self._pointer, max(-1, self._pointer - _LOOK_BACK), -1):
            whole = _is_inverse(step, self._steps[index])
            if whole is not None:
                return self._undoing(index, whole, "marker")
        if not 0 <= self._pointer < len(self._steps):
            return Undoing(None, False, False, "marker")
        return self._undoing(self._pointer, False, "marker")

    def _unmarked(self, step: _Trace) -> Undoing | None:
        if not 0 <= self._pointer < len(self._steps):
            return None
        undone = self._steps[self._pointer]
        whole = _is_inverse(step, undone)
        if whole is None or not _is_telling(step, undone):
            return None
        chat = any(isinstance(x, c.Chat) for x in step.commands)
        return self._undoing(self._pointer, whole, "chat" if chat else "inverse")

    def _undoing(self, index: int, whole: bool, known_by: KnownBy) -> Undoing:
        self._pointer = index - 1
        undone = self._steps[index]
        if undone.undoing is None:
            return Undoing(undone.number, False, whole, known_by)
        earlier = undone.undoing
        return Undoing(earlier.step, not earlier.redo, whole, known_by)


def _is_inverse(step: _Trace, undone: _Trace) -> bool | None:
    """Whether the commands of ``step`` are the inverses of ``undone``'s, from the last to the first.

    True: all of them; False: only the first few; None: none.
    """
    if not step.commands or not undone.commands:
        return None
    if not _inverts(step.commands[0], undone.commands[-1]):
        return None
    wanted = undone.commands[::-1]
    found = step.commands
    at = 0
    for command in found:
        if at < len(wanted) and _inverts(command, wanted[at]):
            at += 1
        elif (
            isinstance(command, c.ChangePiece) and at and isinstance(wanted[at - 1], c.RemovePiece)
        ):
            continue  # putting a piece back also puts it back into its stack
        else:
            return None
    return at == len(wanted)


def _inverts(command: c.Command, original: c.Command) -> bool:
    match command, original:
        case c.MovePiece(), c.MovePiece():
            return (
                (command.id, command.map, command.x, command.y, command.under)
                == (original.id, original.old_map, original.old_x, original.old_y, original.old_under)
                and (command.old_map, command.old_x, command.old_y, command.old_under)
                == (original.map, original.x, original.y, original.under)
            )  # fmt: skip
        case c.RemovePiece(), c.AddPiece():
            return command.id == original.id
        case c.AddPiece(), c.RemovePiece():
            return command.id == original.id
        case c.ChangePiece(), c.ChangePiece():
            return command.id == original.id and (
                original.old_state is None or command.state == original.old_state
            )
        case c.MutableProperty(), c.MutableProperty():
            return (command.name, command.new) == (original.name, original.old)
        case c.TurnState(), c.TurnState():
            return command.tracker == original.tracker
        case c.Chat(), c.Chat():
            said, before = command.text, original.text
            return said.startswith(_UNDO_CHAT) and len(said) > len(before) and said.endswith(before)
    return False


def _is_telling(step: _Trace, undone: _Trace) -> bool:
    """Whether no player could have done this by hand. He can neither remove a stack that a drop made nor
    write the engine's chat line. A move alone may be a piece put back by hand, so it counts only together
    with the inverses of all other commands of the step."""
    made = {x.id for x in undone.commands if isinstance(x, c.AddPiece) and x.type == "stack"}
    if any(isinstance(x, c.RemovePiece) and x.id in made for x in step.commands):
        return True
    if any(isinstance(x, c.Chat) for x in step.commands):
        return True
    return len(step.commands) == len(undone.commands) > 1
