"""Pieces as they come into play: prototypes put in place, comments dropped."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from ...model.problem import Problem
from . import sequence
from .buildfile_slots import split_definition
from .formats import parse_format
from .module import Module, Prototype, Slot

_PROTOTYPE = "prototype;"
_COMMENT = "cmt;"
_TAB = "\t"
_DEEPEST = 50
_MOST_TRAITS = 20_000  # in one piece; real ones stay under a few hundred


@dataclass(slots=True)
class Expansion:
    """Expands pieces of one module; remembers definitions it has taken apart.

    ``problems`` collects, once each, prototypes that are missing, that use themselves, or that
    grow past any sense.
    """

    prototypes: Mapping[str, Prototype]
    problems: list[Problem] = field(default_factory=list)
    _taken_apart: dict[tuple[str, str], list[tuple[str, str]]] = field(default_factory=dict)
    _seen: int = 0

    def expand(self, slot: Slot) -> tuple[str, str]:
        """Type and state of a slot's piece once it is placed (PieceCloner.clonePiece).

        A ``prototype;`` trait gives way to the definition's traits with the definition's states;
        its own (empty) state goes with it. A missing prototype stands for nothing.
        """
        return self.expand_piece(slot.type, slot.state)

    def expand_piece(self, kind: str, state: str) -> tuple[str, str]:
        """Type and state with prototypes in place; both as they are if there are none."""
        if _PROTOTYPE not in kind and _COMMENT not in kind:
            return kind, state
        self._seen = 0
        traits = list(self._traits(take_apart(kind, state), ()))
        return put_together(traits)

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
        if parameters:
            filled = parse_format(definition).render(parameters)
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


def expand(module: Module, slot: Slot) -> tuple[str, str]:
    """Type and state of one slot's piece; make an ``Expansion`` for many."""
    return Expansion(module.prototypes).expand(slot)


def take_apart(kind: str, state: str) -> list[tuple[str, str]]:
    """Traits of a piece, outermost first, the base last: own type and own state of each.

    Where the state runs out the remaining traits get an empty one.
    """
    traits = []
    while True:
        own, inner = _halves(kind)
        if inner is None:
            traits.append((own, state))
            return traits
        own_state, inner_state = _halves(state)
        traits.append((own, own_state))
        kind, state = inner, inner_state or ""


def put_together(traits: list[tuple[str, str]]) -> tuple[str, str]:
    """The inverse of ``take_apart``."""
    kind, state = traits[-1] if traits else ("", "")
    for own, own_state in reversed(traits[:-1]):
        kind = sequence.join([own, kind], _TAB)
        state = sequence.join([own_state, state], _TAB)
    return kind, state


def _halves(text: str) -> tuple[str, str | None]:
    tokens = sequence.split(text, _TAB)
    return tokens[0], tokens[1] if len(tokens) > 1 else None


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
