"""Cached results of functions, by the answers that their runs got (a trie)."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable
from typing import Any, TypeVar

T = TypeVar("T")


def once(kept: dict[Any, Any], key: Hashable, make: Callable[[], T]) -> T:
    """The result of ``make``, kept under ``key``. It must not be None."""
    found: T | None = kept.get(key)
    if found is None:
        found = kept[key] = make()
    return found


class Node:
    """The next question of a function, and by its answer the next node or a :class:`Leaf`."""

    __slots__ = ("about", "ask", "kids")

    def __init__(self, ask: Callable[[Any, Any], Any], about: Any) -> None:
        self.ask, self.about = ask, about
        self.kids: dict[Any, Any] = {}


class Leaf:
    """A cached result. ``dynamic``: the questions on the path to it whose answers differ between movers.
    ``named``: those of them before the first question whose answer differs between places; None: there is no
    such question."""

    __slots__ = ("dynamic", "named", "value")

    def __init__(
        self, value: Any, dynamic: tuple[Any, ...] = (), named: tuple[Any, ...] | None = None
    ) -> None:
        self.value, self.dynamic, self.named = value, dynamic, named


class ResultCache:
    """The results of a function by the answers to its reads (a trie)."""

    __slots__ = ("root",)

    def __init__(self) -> None:
        self.root: Node | Leaf | None = None

    def find(self, subject: Any) -> Leaf | None:
        node: Any = self.root
        while node.__class__ is Node:
            node = node.kids.get(node.ask(subject, node.about))
        return node  # type: ignore[no-any-return]

    def keep(self, subject: Any, reads: Iterable[Any], leaf: Leaf) -> Leaf:
        node: Any = self.root
        put: Any = None
        for ask, about in reads:
            if node is None:
                node = Node(ask, about)
                if put is None:
                    self.root = node
                else:
                    put[0].kids[put[1]] = node
            assert node.__class__ is Node, "not a pure function"
            assert (node.ask, node.about) == (ask, about), "not a pure function"
            answer = ask(subject, about)
            put, node = (node, answer), node.kids.get(answer)
        if put is None:
            self.root = leaf
        else:
            put[0].kids[put[1]] = leaf
        return leaf
