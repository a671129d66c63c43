"""Patterns (regular expressions) as small programs for a machine without backtracking.

The syntax is Python's, read by Python's own parser, so a pattern means the same as in ``re``. Constructs that
need backtracking (references to groups, atomic groups) are refused. So are repeats of parts that may be
empty: engines disagree about their groups.
"""

from __future__ import annotations

import importlib
import re
import warnings
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal

# The parser and compiler of ``re`` itself; they have no types.
_parser: Any = importlib.import_module("re._parser")
_compiler: Any = importlib.import_module("re._compiler")

LONGEST_PATTERN = 2_000
"""The most characters of a pattern; patterns of real packs have about a hundred."""

LARGEST_PROGRAM = 3_000
"""The most instructions of a program: about one for each character, times its repeats."""

_KEPT_CHARACTERS = 4_096


class PatternError(ValueError):
    """A pattern is invalid or not supported; the text says why."""


class Characters(dict[str, bool]):
    """Whether a character fits one place of a pattern; results are cached."""

    __slots__ = ("_match",)

    def __init__(self, node: Any, flags: int) -> None:
        super().__init__()
        state = _parser.State()
        state.flags = flags
        single: re.Pattern[str] = _compiler.compile(_parser.SubPattern(state, [node]))
        self._match = single.fullmatch

    def __missing__(self, letter: str) -> bool:
        if len(self) >= _KEPT_CHARACTERS:
            self.clear()
        fits = self[letter] = self._match(letter) is not None
        return fits


@dataclass(slots=True)
class Instruction:
    """One instruction. ``char``: go to ``targets`` after one character that ``fits``; ``split``: go to all
    ``targets``, the first is preferred; ``save``: note the position in ``slot``; ``at``: continue if the
    place passes ``check``; ``look``: continue if ``look`` fits from ``back`` characters before (if
    ``negated``: does not fit); ``match``: success; ``fail``: failure."""

    kind: Literal["char", "split", "save", "at", "look", "match", "fail"]
    targets: tuple[int, ...] = ()
    fits: Characters | None = None
    slot: int = 0
    check: str = ""
    look: Program | None = None
    back: int = 0
    negated: bool = False


@dataclass(frozen=True, slots=True)
class Program:
    """The instructions of a pattern, from 0 on. ``groups``: how many; ``names``: name → number of a group.
    ``plain``: it tests only characters and ends, so tables can hold it."""

    code: tuple[Instruction, ...]
    groups: int
    names: Mapping[str, int]
    plain: bool


def program_of(text: str) -> Program:
    """The program of a pattern. Raises :class:`PatternError` if it has none."""
    if len(text) > LONGEST_PATTERN:
        raise PatternError(f"it has more than {LONGEST_PATTERN:,} characters")
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            tree = _parser.parse(text)
            if _size(tree) > LARGEST_PROGRAM:
                raise PatternError("it repeats too much, too often")
            return _Writer(tree.state.flags).program(tree)
    except re.error as error:
        raise PatternError(str(error)) from None
    except (RecursionError, OverflowError):
        raise PatternError("it is nested too deeply") from None


def _size(tree: Any) -> int:
    """A lower bound of the instructions that a tree needs, computed before any is written."""
    return sum(_node_size(*node) for node in tree)


def _node_size(op: Any, value: Any) -> int:
    kind = str(op)
    if kind in ("MAX_REPEAT", "MIN_REPEAT"):
        low, high, body = value
        times = low + 1 if high == _parser.MAXREPEAT else high
        return int(times) * (_size(body) + 1)
    if kind == "SUBPATTERN":
        return _size(value[3]) + 2
    if kind == "BRANCH":
        return sum(_size(one) + 1 for one in value[1])
    if kind in ("ASSERT", "ASSERT_NOT"):
        return _size(value[1]) + 1
    return 1


_REFUSED = {
    "GROUPREF": "it refers back to a group",
    "GROUPREF_EXISTS": "it asks whether a group fits",
    "ATOMIC_GROUP": "it has an atomic group (?>…)",
    "POSSESSIVE_REPEAT": "it has a possessive repeat (*+, ++, ?+)",
}


class _Writer:
    """Writes a program front to back."""

    def __init__(self, flags: int) -> None:
        self.flags = flags
        self.code: list[Instruction] = []
        self.plain = True
        self.inside_look = False

    def program(self, tree: Any) -> Program:
        self.tree(tree)
        self.add(Instruction("match"))
        return Program(
            tuple(self.code), tree.state.groups - 1, dict(tree.state.groupdict), self.plain
        )

    def add(self, instruction: Instruction) -> int:
        if len(self.code) >= 2 * LARGEST_PROGRAM:
            raise PatternError("it repeats too much, too often")
        self.code.append(instruction)
        return len(self.code) - 1

    @property
    def next(self) -> int:
        return len(self.code)

    def tree(self, tree: Any) -> None:
        for op, value in tree:
            self.node(op, value)

    def node(self, op: Any, value: Any) -> None:
        kind = str(op)
        if kind in _REFUSED:
            raise PatternError(_REFUSED[kind])
        if kind in ("LITERAL", "NOT_LITERAL", "ANY", "IN"):
            here = self.next
            self.add(Instruction("char", (here + 1,), fits=Characters((op, value), self.flags)))
        elif kind == "SUBPATTERN":
            self.group(*value)
        elif kind == "BRANCH":
            self.branch(value[1])
        elif kind in ("MAX_REPEAT", "MIN_REPEAT"):
            self.repeat(*value, greedy=kind == "MAX_REPEAT")
        elif kind == "AT":
            self.add(Instruction("at", (self.next + 1,), check=self.place(str(value))))
        elif kind in ("ASSERT", "ASSERT_NOT"):
            self.look(*value, negated=kind == "ASSERT_NOT")
        elif kind == "FAILURE":
            self.add(Instruction("fail"))
        else:
            raise PatternError(f"it has a part that is not known here ({kind})")

    def place(self, code: str) -> str:
        """The name of a place in the text, as ``patterns.holds`` takes it."""
        name = code.removeprefix("AT_").lower()
        if name in ("beginning", "end") and self.flags & re.MULTILINE:
            return f"{name}_line"
        if name.endswith("boundary") and self.flags & re.ASCII:
            return f"{name}_ascii"
        return name

    def group(self, number: int | None, added: int, removed: int, body: Any) -> None:
        flags, self.flags = self.flags, (self.flags | added) & ~removed
        if number is not None:
            if self.inside_look:
                raise PatternError("it has a group inside (?=…), (?!…), (?<=…) or (?<!…)")
            self.add(Instruction("save", (self.next + 1,), slot=2 * number))
        self.tree(body)
        if number is not None:
            self.add(Instruction("save", (self.next + 1,), slot=2 * number + 1))
        self.flags = flags

    def branch(self, ways: list[Any]) -> None:
        split = self.add(Instruction("split"))
        starts, ends = [], []
        for way in ways:
            starts.append(self.next)
            self.tree(way)
            ends.append(self.add(Instruction("split")))
        self.code[split].targets = tuple(starts)
        for end in ends:
            self.code[end].targets = (self.next,)

    def repeat(self, low: int, high: int, body: Any, *, greedy: bool) -> None:
        endless = high == _parser.MAXREPEAT
        if high > 1 and body.getwidth()[0] == 0:
            raise PatternError("it repeats something that may be empty, such as (a*)*")
        for _ in range(low):
            self.tree(body)
        if endless:
            split = self.add(Instruction("split"))
            self.tree(body)
            self.add(Instruction("split", (split,)))
            self.code[split].targets = self._choice(split + 1, greedy)
            return
        splits = []
        for _ in range(high - low):
            splits.append(self.add(Instruction("split")))
            self.tree(body)
        for split in splits:
            self.code[split].targets = self._choice(split + 1, greedy)

    def _choice(self, inside: int, greedy: bool) -> tuple[int, int]:
        return (inside, self.next) if greedy else (self.next, inside)

    def look(self, direction: int, body: Any, *, negated: bool) -> None:
        self.plain = False
        inner = _Writer(self.flags)
        inner.inside_look = True
        inner.tree(body)
        inner.add(Instruction("match"))
        program = Program(tuple(inner.code), 0, {}, inner.plain)
        low, high = body.getwidth()
        if direction < 0 and low != high:
            raise PatternError("look-behind requires fixed-width pattern")
        back = int(low) if direction < 0 else 0
        self.add(Instruction("look", (self.next + 1,), look=program, back=back, negated=negated))
