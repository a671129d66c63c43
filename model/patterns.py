"""Patterns from packs and other files, matched in time linear in the text.

Python's ``re`` backtracks and may take for ever. This matcher follows all ways at once and takes at most
(length of the text) x (length of the pattern) steps. The result is that of ``re``: the same span, the same
groups. It is pure Python, so results are the same on every platform.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

from .pattern_program import Instruction, PatternError, Program, program_of
from .problem import UmpireError

__all__ = ["Effort", "Found", "Pattern", "PatternError", "compile_pattern"]

MOST_EFFORT = 150_000_000
"""Steps that the patterns of one pack may take over all texts; about ten seconds. The largest known games
take less than a hundredth of it."""

_SLOW = 6  # the cost of a step that follows groups, in steps of a table
_MOST_STATES = 1_000
_MOST_KEPT = 4_096
_LONGEST_KEPT = 300


@dataclass(slots=True)
class Effort:
    """Steps taken by the patterns that share it; more than ``most`` raise :class:`UmpireError`."""

    most: int = MOST_EFFORT
    taken: int = 0

    def spend(self, steps: int, pattern: str) -> None:
        """Count steps of ``pattern``."""
        self.taken += steps
        if self.taken > self.most:
            shown = pattern if len(pattern) <= 60 else pattern[:59] + "…"
            raise UmpireError(
                f"the patterns of the pack take too long on these files, at last {shown!r}",
                expected=f"at most {self.most:,} steps",
                hint="make the patterns simpler, or leave out the files with the long texts",
            )


@dataclass(frozen=True, slots=True)
class Found:
    """A match: ``found[0]`` is the matched text, ``found[1]`` and ``found["name"]`` are groups; None: the
    group took no part."""

    text: str
    slots: tuple[int, ...]
    pattern: Pattern = field(repr=False)

    def __getitem__(self, group: int | str) -> str | None:
        number = self.pattern.names[group] if isinstance(group, str) else group
        first, last = self.slots[2 * number], self.slots[2 * number + 1]
        return None if first < 0 or last < 0 else self.text[first:last]

    @property
    def whole(self) -> str:
        """The matched text."""
        return self.text[self.slots[0] : self.slots[1]]

    def groups(self) -> tuple[str | None, ...]:
        """All groups in order."""
        return tuple(self[number] for number in range(1, self.pattern.groups + 1))

    def groupdict(self) -> dict[str, str | None]:
        """All groups that have a name."""
        return {name: self[number] for name, number in self.pattern.names.items()}


class _State(dict[str, "_State"]):
    """Instructions that wait for a character, and the states that characters lead to. ``before``: the
    previous character; None: the start; "": no instruction tests it."""

    __slots__ = ("before", "is_found", "owner", "waiting")

    def __init__(self, owner: _Tables, waiting: tuple[int, ...], before: str | None) -> None:
        super().__init__()
        self.owner, self.waiting, self.before = owner, waiting, before
        self.is_found = False

    def __missing__(self, letter: str) -> _State:
        return self.owner.grow(self, letter)


class _Tables:
    """Tests whether a program fits, with tables that are built on demand (a lazy DFA). ``anchored``: the
    match must begin at the start position; ``whole``: it must reach the end of the text."""

    def __init__(self, pattern: Pattern, program: Program, *, anchored: bool, whole: bool) -> None:
        self.pattern, self.anchored, self.whole = pattern, anchored, whole
        self.code = program.code
        self.asks = any(one.kind == "at" for one in self.code)
        self.states: dict[tuple[tuple[int, ...], str | None], _State] = {}
        self.found = _State(self, (), "")
        self.found.is_found = True

    def fits(self, text: str, start: int = 0) -> bool:
        """Whether the program fits ``text`` from ``start`` on."""
        pattern = self.pattern
        if len(self.states) > _MOST_STATES:
            self.states.clear()
        state = self.state((0,), text[start - 1] if start and self.asks else None)
        rest = text[start:]
        for number, letter in enumerate(rest[:-1], 1):
            state = state[letter]
            if state.is_found or not state.waiting:
                pattern.effort.spend(number, pattern.text)
                return state.is_found
        pattern.effort.spend(len(rest) + 1, pattern.text)
        last = rest[-1:]
        if last:
            state = self.grow(state, last, is_last=True) if self.asks else state[last]
            if state.is_found:
                return True
        return self.closed(state, None, True)[1]

    def state(self, waiting: tuple[int, ...], before: str | None) -> _State:
        key = (waiting, before)
        found = self.states.get(key)
        if found is None:
            found = self.states[key] = _State(self, waiting, before)
        return found

    def closed(self, state: _State, after: str | None, is_last: bool) -> tuple[list[int], bool]:
        """The reachable instructions for characters, and whether the end is reachable."""
        code, seen, ends = self.code, set[int](), False
        chars: list[int] = []
        stack = list(state.waiting)
        while stack:
            at = stack.pop()
            if at in seen:
                continue
            seen.add(at)
            one = code[at]
            if one.kind == "char":
                chars.append(at)
            elif one.kind == "match":
                ends = True
            elif one.kind != "at" or holds(one.check, state.before, after, is_last):
                stack.extend(one.targets)
        self.pattern.effort.spend(2 * len(seen) + 1, self.pattern.text)
        return chars, ends

    def grow(self, state: _State, letter: str, is_last: bool = False) -> _State:
        """The state after ``letter``; cached unless ``letter`` is the last of the text."""
        chars, ends = self.closed(state, letter, is_last)
        if ends and not self.whole:
            return self.found
        onward = {self.code[at].targets[0] for at in chars if self.code[at].fits[letter]}  # type: ignore[index]
        if not self.anchored:
            onward.add(0)
        after = self.state(tuple(sorted(onward)), letter if self.asks else "")
        if not is_last or not self.asks:
            if len(self.states) > _MOST_STATES:  # begin again, from this state
                for other in self.states.values():
                    other.clear()
                self.states.clear()
            state[letter] = after
        return after


class Pattern:
    """A compiled pattern. ``groups``: how many; ``names``: name → number.

    Patterns that share an ``effort`` raise :class:`UmpireError` when it is used up.
    """

    def __init__(self, text: str, program: Program, effort: Effort) -> None:
        self.text, self.program, self.effort = text, program, effort
        self.groups, self.names = program.groups, program.names
        self._anywhere = (
            _Tables(self, program, anchored=False, whole=False) if program.plain else None
        )
        self._whole = _Tables(self, program, anchored=True, whole=True) if program.plain else None
        self._looks: dict[int, _Tables] = {}
        self._kept: dict[tuple[str, bool], Found | None] = {}
        self._fitting: dict[str, bool] = {}

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Pattern) and self.text == other.text

    def __hash__(self) -> int:
        return hash(self.text)

    def __repr__(self) -> str:
        return f"Pattern({self.text!r})"

    def fits(self, text: str) -> bool:
        """Whether some part of ``text`` fits."""
        tables = self._anywhere
        if tables is None:
            return self.search(text) is not None
        found = self._fitting.get(text)
        if found is None:
            found = tables.fits(text)
            if len(text) <= _LONGEST_KEPT:
                if len(self._fitting) >= _MOST_KEPT:
                    self._fitting.clear()
                self._fitting[text] = found
        return found

    def search(self, text: str) -> Found | None:
        """The first match, as ``re`` finds it; None if there is none."""
        return self._find(text, False, self._anywhere)

    def fullmatch(self, text: str) -> Found | None:
        """The match of the whole ``text``; None if there is none."""
        return self._find(text, True, self._whole)

    def looks(self, look: Program, text: str, start: int) -> bool:
        """Whether ``look``, a lookaround of this pattern, fits ``text`` from ``start`` on."""
        if not look.plain:
            return _Run(look, text, self).slots(start, whole=False, only=True) is not None
        tables = self._looks.get(id(look))
        if tables is None:
            tables = self._looks[id(look)] = _Tables(self, look, anchored=True, whole=False)
        return tables.fits(text, start)

    def _find(self, text: str, whole: bool, tables: _Tables | None) -> Found | None:
        key = (text, whole)
        if key in self._kept:
            return self._kept[key]
        found = None
        if tables is None or tables.fits(text):
            if whole and not self.groups and tables is not None:
                slots: tuple[int, ...] | None = (0, len(text))
            else:
                slots = _Run(self.program, text, self).slots(whole=whole)
            found = None if slots is None else Found(text, slots, self)
        if len(text) <= _LONGEST_KEPT:
            if len(self._kept) >= _MOST_KEPT:
                self._kept.clear()
            self._kept[key] = found
        return found


_Thread = tuple[int, tuple[int, ...]]


class _Run:
    """A Pike machine on one text: it follows all ways at once, the preferred ones first."""

    def __init__(self, program: Program, text: str, pattern: Pattern) -> None:
        self.program, self.text, self.pattern = program, text, pattern
        self._looked: dict[tuple[int, int], bool] = {}

    def slots(self, start: int = 0, *, whole: bool, only: bool = False) -> tuple[int, ...] | None:
        """Where the pattern and its groups begin and end; None: no match. ``only``: at ``start`` alone."""
        code, text = self.program.code, self.text
        nothing = (-1,) * (2 * self.program.groups + 2)
        best: tuple[int, ...] | None = None
        threads: list[_Thread] = []
        for at in range(start, len(text) + 1):
            begins = best is None and (at == start or not (whole or only))
            if not threads and not begins:
                break
            if begins:
                threads.append((0, (at, *nothing[1:])))
            ready = self._closed(threads, at)
            threads = []
            letter = text[at : at + 1]
            for number, slots in ready:
                one = code[number]
                if one.kind == "match":
                    if whole and letter:
                        continue
                    best = (slots[0], at, *slots[2:])
                    break  # all that follow are less preferred
                if letter and one.fits[letter]:  # type: ignore[index]
                    threads.append((one.targets[0], slots))
        return best

    def _closed(self, threads: Iterable[_Thread], at: int) -> list[_Thread]:
        """The threads at instructions for characters or at the end, in order of preference."""
        code = self.program.code
        seen: set[int] = set()
        ready: list[_Thread] = []
        for thread in threads:
            stack = [thread]
            while stack:
                number, slots = stack.pop()
                if number in seen:
                    continue
                seen.add(number)
                one = code[number]
                if one.kind in ("char", "match"):
                    ready.append((number, slots))
                elif one.kind == "save":
                    slots = (*slots[: one.slot], at, *slots[one.slot + 1 :])
                    stack.append((one.targets[0], slots))
                elif one.kind == "split":
                    stack.extend((target, slots) for target in reversed(one.targets))
                elif self._passes(one, number, at):
                    stack.append((one.targets[0], slots))
        self.pattern.effort.spend(_SLOW * (len(seen) + 1), self.pattern.text)
        return ready

    def _passes(self, one: Instruction, number: int, at: int) -> bool:
        if one.kind == "at":
            before = self.text[at - 1] if at else None
            after = self.text[at] if at < len(self.text) else None
            return holds(one.check, before, after, at + 1 >= len(self.text))
        if one.look is None:  # "fail"
            return False
        key = (number, at)
        if key not in self._looked:
            start = at - one.back
            fits = start >= 0 and self.pattern.looks(one.look, self.text, start)
            self._looked[key] = fits != one.negated
        return self._looked[key]


def holds(check: str, before: str | None, after: str | None, is_last: bool) -> bool:
    """Whether a place between two characters (None: there is none) is of the kind ``check``; ``is_last``:
    ``after`` is the last character."""
    match check:
        case "beginning" | "beginning_string":
            return before is None
        case "beginning_line":
            return before is None or before == "\n"
        case "end":
            return after is None or (after == "\n" and is_last)
        case "end_string":
            return after is None
        case "end_line":
            return after is None or after == "\n"
    is_ascii = check.endswith("_ascii")
    between = _is_word(before, is_ascii) != _is_word(after, is_ascii)
    return between == check.startswith("boundary")


def _is_word(letter: str | None, is_ascii: bool) -> bool:
    if letter is None or (is_ascii and not letter.isascii()):
        return False
    return letter.isalnum() or letter == "_"


def compile_pattern(text: str, effort: Effort | None = None) -> Pattern:
    """Compile a pattern in the syntax of Python's ``re``. :class:`PatternError` says what is wrong with it.

    Not supported: references to groups, atomic groups and possessive repeats, repeats of parts that may be
    empty, groups inside lookaround.
    """
    return Pattern(text, program_of(text), effort if effort is not None else Effort())


NEVER = compile_pattern("(?!)")
"""The pattern that fits nothing."""
