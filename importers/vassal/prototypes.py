"""Pieces as they enter play: prototypes expanded, comments removed."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from itertools import zip_longest

from ...model.problem import Problem, Unreadable
from . import sequence
from .buildfile_slots import split_definition
from .formats import parse_format
from .module import Prototype, Slot
from .nesting import join_nested, split_state
from .pieces import BasicPiece, decode_base

_PROTOTYPE = "prototype;"
_COMMENT = "cmt;"
_TAB, _BACKSLASH = "\t", "\\"
_QUOTED = ("\\", "'")
_DEEPEST = 50
_MOST_TRAITS = 2_000  # in one piece; the largest known has 264
_LONGEST = 2_000_000  # characters of all definitions in one piece; the longest known has 47,000
_MOST_TEXT = 128 * 1024 * 1024  # characters of all pieces together


@dataclass(slots=True)
class Expansion:
    """Expands pieces of one module; remembers definitions it has taken apart.

    ``problems`` collects, once each, prototypes that are missing, use themselves, or exceed the limits.
    """

    prototypes: Mapping[str, Prototype]
    problems: list[Problem] = field(default_factory=list)
    _taken_apart: dict[tuple[str, str], list[tuple[str, str]]] = field(default_factory=dict)
    _seen: int = 0
    _length: int = 0
    _total: int = 0

    def expand(self, slot: Slot) -> tuple[str, str]:
        """Type and state of a slot's piece once it is placed (PieceCloner.clonePiece).

        The definition's traits and states replace a ``prototype;`` trait and its (empty) state. A missing
        prototype is removed.
        """
        return self.expand_piece(slot.type, slot.state)

    def expand_piece(self, kind: str, state: str) -> tuple[str, str]:
        """Type and state with prototypes in place; both as they are if there are none."""
        if _PROTOTYPE not in kind and _COMMENT not in kind:
            return kind, state
        self._seen = self._length = 0
        traits = list(self._traits(take_apart(kind, state), ()))
        whole = put_together(traits)
        self._total += sum(map(len, whole))
        if self._total > _MOST_TEXT:
            raise Unreadable(
                "its pieces grow too large, all together, where prototypes are put in place",
                expected=f"at most {_MOST_TEXT:,} characters",
            )
        return whole

    def _traits(
        self, traits: list[tuple[str, str]], within: tuple[str, ...], keep_base: bool = True
    ) -> Iterator[tuple[str, str]]:
        last = len(traits) if keep_base else len(traits) - 1
        for own, state in traits[:last]:
            if own.startswith(_COMMENT):
                continue
            if not own.startswith(_PROTOTYPE):
                yield own, state
                continue
            name, parameters = _used(own)
            definition = self._definition(name, parameters, within)
            yield from self._traits(definition, (*within, name), keep_base=False)

    def _definition(
        self, name: str, parameters: Mapping[str, str | None], within: tuple[str, ...]
    ) -> list[tuple[str, str]]:
        prototype = self.prototypes.get(name)
        if prototype is None:
            self._note("prototype-missing", f"there is no prototype {name!r}")
            return []
        if name in within or len(within) >= _DEEPEST:
            self._note("prototype-in-itself", f"prototype {name!r} uses itself; cut off there")
            return []
        definition = prototype.definition
        self._length += len(definition)
        if parameters:
            wanted = parse_format(definition)
            self._length += sum(len(parameters.get(each) or "") for each in wanted.names)
        if self._length > _LONGEST:  # parameters may double from one prototype to the next
            self._note("prototype-too-large", f"with prototype {name!r} a piece grows too large")
            return []
        if parameters:
            filled = wanted.render(parameters)
            definition = definition if filled is None else filled
        key = (name, definition)
        if key not in self._taken_apart:
            self._taken_apart[key] = take_apart(*split_definition(definition))
        found = self._taken_apart[key]
        self._seen += len(found) + 1
        if self._seen > _MOST_TRAITS:
            self._note("prototype-too-large", f"with prototype {name!r} a piece grows too large")
            return []
        return found

    def _note(self, code: str, message: str) -> None:
        problem = Problem(code, message)
        if problem not in self.problems:
            self.problems.append(problem)


def prototypes_of(slot: Slot) -> tuple[str, ...]:
    """Names of the prototypes that a slot's own definition uses, outermost first."""
    traits = take_apart(slot.type, slot.state)
    return tuple(_used(own)[0] for own, _ in traits if own.startswith(_PROTOTYPE))


def base_of(slot: Slot) -> BasicPiece | None:
    """The base of a slot's piece; None if it is not a piece."""
    traits = take_apart(slot.type, slot.state)
    base = decode_base(*traits[-1]) if traits else None
    return base if isinstance(base, BasicPiece) else None


def take_apart(kind: str, state: str) -> list[tuple[str, str]]:
    """Traits of a piece, outermost first, the base last: own type and own state of each.

    If the state is too short, the remaining traits get an empty one.
    """
    # no type nests deeper than it has tabs
    own_types = split_state(kind, kind.count(_TAB))
    own_states = split_state(state, len(own_types) - 1)
    return list(zip_longest(own_types, own_states[: len(own_types)], fillvalue=""))


def put_together(traits: list[tuple[str, str]]) -> tuple[str, str]:
    """The inverse of ``take_apart``."""
    if not traits:
        return "", ""
    return _nested([own for own, _ in traits]), _nested([state for _, state in traits])


def _nested(parts: list[str]) -> str:
    """Own texts nested into each other, in one go where nothing needs quotes."""
    if any(_TAB in part or part[:1] in _QUOTED for part in parts):
        return join_nested(parts)
    deeper = (_BACKSLASH * depth + _TAB + part for depth, part in enumerate(parts[1:]))
    return parts[0] + "".join(deeper)


def _used(trait: str) -> tuple[str, Mapping[str, str | None]]:
    """Name and parameters of a ``prototype;`` trait (UsePrototype.mySetType)."""
    tokens = sequence.split(trait[len(_PROTOTYPE) :], ";")
    parameters: dict[str, str | None] = {}
    if len(tokens) > 1:
        for pair in sequence.split(tokens[1], ","):
            key, *value = sequence.split(pair, "=")
            if value:
                parameters[key] = value[0]
    return tokens[0], parameters
