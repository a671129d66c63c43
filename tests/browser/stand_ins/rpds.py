"""As much of ``rpds`` as jsonschema and referencing use, on dictionaries and tuples; for tests alone (see
:mod:`web_kit`). Each change makes a copy."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any


class HashTrieMap(dict[Any, Any]):
    @classmethod
    def convert(cls, value: Mapping[Any, Any]) -> HashTrieMap:
        return value if isinstance(value, cls) else cls(value)

    def insert(self, key: Any, value: Any) -> HashTrieMap:
        return HashTrieMap({**self, key: value})

    def remove(self, key: Any) -> HashTrieMap:
        left = HashTrieMap(self)
        del left[key]
        return left

    def discard(self, key: Any) -> HashTrieMap:
        return self.remove(key) if key in self else self

    def update(self, *more: Any, **named: Any) -> HashTrieMap:  # type: ignore[override]
        return HashTrieMap({**self, **dict(*more, **named)})

    def __hash__(self) -> int:  # type: ignore[override]
        return hash(frozenset(self.items()))


class HashTrieSet(frozenset[Any]):
    def insert(self, value: Any) -> HashTrieSet:
        return HashTrieSet(self | {value})

    def remove(self, value: Any) -> HashTrieSet:
        return HashTrieSet(self - {value})

    discard = remove

    def update(self, *more: Iterable[Any]) -> HashTrieSet:
        return HashTrieSet(self.union(*more))


class List(tuple[Any, ...]):
    def push_front(self, value: Any) -> List:
        return List((value, *self))

    @property
    def first(self) -> Any:
        return self[0]

    def drop_first(self) -> List:
        return List(self[1:])
