"""Does a saved text stop inside its last command?

Nothing marks the end of a text, so a text cut at a border between commands cannot be told from a
whole one. But most cuts fall inside a piece's state, the longest thing there is, and show there.
"""

from __future__ import annotations

from .codec import decode_command
from .kinds import AddPiece, ChangePiece, MovePiece, Unknown
from .stream import ESC, SaveText


def is_cut_short(text: SaveText) -> bool:
    """Is the last command broken off: fields missing, or fewer states than its piece has traits?"""
    last = text.steps[-1].leaves[-1] if text.steps else (text.opening or ("",))[-1]
    if last.endswith((ESC, "\\")) or (text.steps and last in ("L", "LO", "LOG")):
        return True
    command = decode_command(last)
    match command:
        case Unknown(_, reason):
            return reason == "short"
        case AddPiece():
            return command.state.count("\t") < command.type.count("\t")
        case ChangePiece():
            return _is_shallow(command, text)
        case MovePiece(player=None):
            return _others_name_the_mover(text)
    return False


def _is_shallow(change: ChangePiece, text: SaveText) -> bool:
    """A state nests as deep as the type it belongs to, and the old one as deep as the new."""
    depth = change.state.count("\t")
    if change.old_state is not None:
        return change.old_state.count("\t") < depth
    start = f"+/{change.id}/"
    for leaf in text.opening:
        if leaf.startswith(start):
            piece = decode_command(leaf)
            return isinstance(piece, AddPiece) and depth < piece.type.count("\t")
    return False


def _others_name_the_mover(text: SaveText) -> bool:
    for step in text.steps[:-1]:
        for leaf in step.leaves:
            if leaf.startswith("M/"):
                move = decode_command(leaf)
                return isinstance(move, MovePiece) and move.player is not None
    return False
