"""The text of a save or log: its tree of commands, its opening table and its log steps.

Engine: ``GameModule.encode/decode``, ``BasicLogger``. A tree is packed with the sequence codec and
ESC, a level deeper for every level of sub-commands, so its text is read without recursion.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from ....model.problem import Problem, Unreadable
from ..sequence import join, split
from .codec import decode_command, encode_command, is_readable
from .kinds import AddPiece, BeginSave, ChangePiece, Command, EndSave, MovePiece, Unknown

ESC = "\x1b"
LOG = "LOG\t"
MAX_NESTING = 500
"""Levels of sub-commands read before a text is refused; real files have fewer than ten."""


def leaves(text: str, max_nesting: int = MAX_NESTING) -> list[str]:
    """The own texts of all commands of a packed tree, in the order the engine runs them.

    Raises :class:`Unreadable` if commands are nested deeper than ``max_nesting``.
    """
    if ESC not in text:
        return [_bare(text)]
    found: list[str] = []
    waiting: list[tuple[list[str], int]] = [([text], 0)]
    while waiting:
        texts, depth = waiting.pop()
        while texts:  # a list of siblings, the next one last
            text = texts.pop()
            if ESC not in text:
                found.append(_bare(text) if text[:1] == "'" else text)
                continue
            _check_depth(depth, max_nesting)
            waiting.append((texts, depth))
            texts, depth = split(text, ESC), depth + 1
            texts.reverse()
    return found


def _bare(text: str) -> str:
    """Take off pairs of quotes as long as there are any, as the engine's decoder does."""
    size = len(text)
    at_start, at_end = size - len(text.lstrip("'")), size - len(text.rstrip("'"))
    pairs = min(at_start, at_end, size // 2)
    return text[pairs : size - pairs]


def _check_depth(depth: int, max_nesting: int) -> None:
    if depth >= max_nesting:
        raise Unreadable(
            f"commands are nested more than {max_nesting:,} deep",
            hint="raise the limit on depth if the file is to be trusted",
        )


def parse_stream(text: str) -> Iterator[str]:
    """The top-level groups of a saved text, still packed; feed one to :func:`leaves`."""
    return iter(split(text, ESC))


@dataclass(frozen=True, slots=True)
class StepText:
    """One step of a log: ``number`` counts the file's steps from 1.

    ``engine_number`` is the number VASSAL shows; None: VASSAL reads no command of this group, so it makes
    no step. ``leaves`` are own texts without ``LOG`` and tab.
    """

    number: int
    engine_number: int | None
    leaves: tuple[str, ...] = field(repr=False)

    def commands(self) -> Iterator[Command]:
        """The step's commands, decoded one by one."""
        return map(decode_command, self.leaves)


@dataclass(frozen=True, slots=True)
class SaveText:
    """A saved text cut into the opening (own texts, in order) and the steps of the log."""

    opening: tuple[str, ...] = field(repr=False)
    steps: tuple[StepText, ...] = field(repr=False)
    problems: tuple[Problem, ...] = ()


def read_text(text: str, *, where: str = "", max_nesting: int = MAX_NESTING) -> SaveText:
    """Cut a saved text into its opening and its steps.

    Every top-level group that holds a ``LOG`` command is a step, unless all of its commands are
    the word ``null``; everything else belongs to the opening. Raises :class:`Unreadable` if
    commands are nested too deep.
    """
    opening: list[str] = []
    steps: list[StepText] = []
    engine_number = 0
    border = False
    problems: list[Problem] = []
    for group in parse_stream(text):
        parts = leaves(group, max_nesting)
        if not any(part.startswith(LOG) for part in parts):
            opening += parts
            border = border or "end_save" in parts
            continue
        if not border:
            border = True
            problems.append(_no_border(where))
        logged = tuple([part.removeprefix(LOG) for part in parts])
        if all(part == "null" for part in logged):
            continue
        readable = any(map(is_readable, logged))
        engine_number += readable
        steps.append(StepText(len(steps) + 1, engine_number if readable else None, logged))
    if not border:
        problems.append(_no_border(where))
    return SaveText(tuple(opening), tuple(steps), tuple(problems))


def _no_border(where: str) -> Problem:
    return Problem(
        "no-end-save",
        "end_save is missing; the opening table is taken to end where the log begins",
        where,
    )


def encode_step(commands: Iterable[Command | str]) -> str:
    """One log step: the first command with the others as its sub-commands, ready to be a group."""
    texts = [c if isinstance(c, str) else encode_command(c) for c in commands]
    return join([LOG + text for text in texts], ESC)


def encode_stream(
    opening: Iterable[Command | str], steps: Iterable[Iterable[Command | str]] = ()
) -> str:
    """A whole saved text: ``begin_save``, the opening, ``end_save``, then one group per step.

    ``opening`` is without its ends. Commands may be given as their own text.
    """
    texts = [c if isinstance(c, str) else encode_command(c) for c in opening]
    begin, end = encode_command(BeginSave()), encode_command(EndSave())
    return join([begin, *texts, end, *map(encode_step, steps)], ESC)


def is_cut_short(text: SaveText) -> bool:
    """Whether the last command is incomplete: fields are missing, or it has fewer states than its piece has
    traits. A text has no end mark, so a cut between commands does not show; most cuts are inside a state."""
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
