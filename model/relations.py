"""How the sides of a game stand to each other: friends, enemies, or neutral."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import combinations
from typing import Any, Literal

Standing = Literal["friends", "enemies", "neutral"]
"""What a pack may state about sides."""

Attitude = Literal["friend", "enemy", "neutral"]
"""What one side is to another. ``neutral``: neither friend nor enemy."""

Pair = tuple[str, str]
_ATTITUDES: Mapping[str, Attitude] = {"enemies": "enemy", "neutral": "neutral"}


@dataclass(frozen=True, slots=True)
class Relation:
    """All of ``sides`` (two or more) are friends, enemies of or neutral to each other."""

    sides: tuple[str, ...]
    are: Standing = "friends"


def relations_of(plain: Iterable[Mapping[str, Any]]) -> tuple[Relation, ...]:
    """Relations from plain values, as packs, documents and conformance cases write them."""
    return tuple(Relation(tuple(r["sides"]), r.get("are", "friends")) for r in plain)


def pair(a: str, b: str) -> Pair:
    """Two sides, in either order."""
    return (a, b) if a <= b else (b, a)


def attitudes(relations: Iterable[Relation], present: Iterable[str]) -> Mapping[Pair, Attitude]:
    """The relation of each two sides, as far as it is known. ``present``: the sides that have units. Friends
    of friends are friends and have the same relations to all others. If only two groups of friends fight,
    they are enemies even if not stated. Pairs that are not known, and pairs about which ``relations``
    contradict each other, are missing."""
    stated = tuple(relations)
    group = _friend_groups(stated, present)
    said: dict[frozenset[str], set[Attitude]] = {}
    for relation in stated:
        for a, b in combinations(relation.sides, 2):
            if relation.are in _ATTITUDES:
                key = frozenset((group[a], group[b]))
                said.setdefault(key, set()).add(_ATTITUDES[relation.are])
    groups = {group[side] for side in present}
    fighting = [one for one in groups if not _keeps_out(one, groups, said)]
    if len(fighting) == 2:
        said.setdefault(frozenset(fighting), {"enemy"})
    return dict(_pairs(group, said))


def _friend_groups(relations: tuple[Relation, ...], present: Iterable[str]) -> dict[str, str]:
    """For each side, one side that represents its group of friends."""
    named = (side for relation in relations for side in relation.sides)
    group = {side: side for side in (*present, *named)}
    for relation in relations:
        if relation.are == "friends":
            first, *others = relation.sides
            for other in others:
                old, new = group[other], group[first]
                group = {side: new if of == old else of for side, of in group.items()}
    return group


def _keeps_out(one: str, groups: set[str], said: Mapping[frozenset[str], set[Attitude]]) -> bool:
    """Whether a group is neutral to all others."""
    others = groups - {one}
    return bool(others) and all(said.get(frozenset((one, o))) == {"neutral"} for o in others)


def _pairs(
    group: Mapping[str, str], said: Mapping[frozenset[str], set[Attitude]]
) -> Iterator[tuple[Pair, Attitude]]:
    for a, b in combinations(group, 2):
        found = said.get(frozenset((group[a], group[b])), set())
        if group[a] == group[b]:
            found = {"friend", *found}
        if len(found) == 1:
            yield pair(a, b), next(iter(found))


def disagreements(relations: Iterable[Relation]) -> Iterator[tuple[int, Pair]]:
    """The indices of the relations that contradict an earlier one."""
    before: list[Relation] = []
    for index, relation in enumerate(relations):
        now = attitudes([*before, relation], ())
        for a, b in combinations(relation.sides, 2):
            if pair(a, b) not in now:
                yield index, pair(a, b)
        before.append(relation)
