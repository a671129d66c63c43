"""Clues: numbers from which the confidence of a suggestion is computed, for hexes, sides and lines alike.

A patch is what one hex or one side looks like. Distances between patches are in grey levels. Two patches are
akin if a chain of small steps joins them. A wood that thins out from hex to hex is such a chain: its ends
look different, its neighbours do not."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from .cells import Floats, Ints
from .profiles import Measure

MOST = 4_000
"""Number of patches (landmarks) of which every pair is compared. Any further patch is joined to the
landmark nearest to it."""


@dataclass(frozen=True, slots=True)
class Kinship:
    """A minimum spanning tree of all patches: the longest step on the way between any two is as short as it
    can be (nearly so beyond :data:`MOST` patches).

    Edges are sorted by length: rows of the patches ``one`` and ``other``, and the distance ``step``."""

    one: Ints
    other: Ints
    step: Floats

    @property
    def count(self) -> int:
        """Number of patches."""
        return len(self.one) + 1


@dataclass(frozen=True, slots=True)
class Reach:
    """How the tree joins each patch (row) to the examples.

    ``kinds``: the longest step on the way to the nearest example of each kind (column). ``family``: the
    number of patches that were joined before the first example was, and ``inside`` the longest step among
    them; a large, close family is a look of which there is no example. ``third``: the longest step on the
    way to at least three others.
    """

    kinds: Floats
    family: Floats
    inside: Floats
    third: Floats


def kinship(profiles: Floats, apart: Measure) -> Kinship:
    """The tree of the patches, which have these profiles."""
    count = len(profiles)
    marks = landmarks(count)
    one, other, step = _tree(apart(profiles[marks], profiles[marks]))
    parts = [(marks[one], marks[other], step)]
    rest = np.setdiff1d(np.arange(count), marks)
    for start in range(0, len(rest), _BLOCK):
        mine = rest[start : start + _BLOCK]
        far = apart(profiles[mine], profiles[marks])
        nearest = far.argmin(axis=1)
        parts.append((mine, marks[nearest], far[np.arange(len(mine)), nearest]))
    ones, others, steps = (np.concatenate(column) for column in zip(*parts, strict=True))
    order = np.argsort(steps, kind="stable")
    return Kinship(ones[order], others[order], steps[order])


def landmarks(count: int) -> Ints:
    """The rows of the landmarks among ``count`` patches, evenly spaced: see :data:`MOST`."""
    return np.linspace(0, count - 1, min(count, MOST)).astype(np.intp)


def _tree(far: Floats) -> tuple[Ints, Ints, Floats]:
    """The minimum spanning tree of a table of distances, by Prim's algorithm."""
    count = len(far)
    best = far[0].copy()
    best[0] = np.inf
    parent = np.zeros(count, dtype=np.intp)
    out = np.zeros(count, dtype=np.bool_)
    out[0] = True
    ones = np.zeros(count - 1, dtype=np.intp)
    steps = np.zeros(count - 1, dtype=np.float32)
    for i in range(count - 1):
        j = int(best.argmin())
        ones[i], steps[i] = j, best[j]
        out[j] = True
        nearer = (far[j] < best) & ~out
        best[nearer] = far[j][nearer]
        parent[nearer] = j
        best[j] = np.inf
    return ones, parent[ones], steps


class _Family:
    """Patches joined so far. ``kinds``: of the examples among them; ``inside``: their longest step."""

    __slots__ = ("inside", "kinds", "members")

    def __init__(self, member: int, kind: int | None) -> None:
        self.members = [member]
        self.kinds = set() if kind is None else {kind}
        self.inside = 0.0


def reach(tree: Kinship, labels: dict[int, int], kinds: int) -> Reach:
    """How the tree joins all patches to the examples. ``labels``: row of an example to number of its kind."""
    count = tree.count
    families = [_Family(i, labels.get(i)) for i in range(count)]
    found = Reach(
        np.full((count, kinds), 1e3, dtype=np.float32),
        np.ones(count, dtype=np.float32),
        np.zeros(count, dtype=np.float32),
        np.zeros(count, dtype=np.float32),
    )
    for row, kind in labels.items():
        found.kinds[row, kind] = 0.0
    for one, other, step in zip(
        tree.one.tolist(), tree.other.tolist(), tree.step.tolist(), strict=True
    ):
        small, large = families[one], families[other]
        if len(small.members) > len(large.members):
            small, large = large, small
        _meet(found, small, large, step)
        _meet(found, large, small, step)
        for row in small.members:
            families[row] = large
        large.members += small.members
        large.kinds |= small.kinds
        large.inside = step
    return found


def _meet(found: Reach, mine: _Family, theirs: _Family, step: float) -> None:
    """Note for the patches of ``mine`` what joining them to ``theirs`` by ``step`` tells."""
    new = theirs.kinds - mine.kinds
    few = len(mine.members) < 4 <= len(mine.members) + len(theirs.members)
    if not new and not few:
        return
    rows = np.array(mine.members)
    if few:
        found.third[rows] = step
    for kind in new:
        found.kinds[rows, kind] = step
    if new and not mine.kinds:
        found.family[rows] = len(rows)
        found.inside[rows] = mine.inside


FAR = 200.0
"""A distance greater than that between any two patches."""

_SOFT = 1.0
_BLOCK = 1_000
_COMPANY = 6
_NEARER = 1.3
_FAINT = 2.0  # beyond this, a difference of logarithms says no more


@dataclass(frozen=True)
class Patches:
    """What all hexes, or all sides, look like. ``profiles``: three tables with a row for each patch.
    ``apart``: measures the distances between profiles."""

    profiles: tuple[Floats, Floats, Floats]
    apart: Measure

    @cached_property
    def trees(self) -> tuple[Kinship, Kinship]:
        """The trees of likeness by the first and by the second profile."""
        return kinship(self.profiles[0], self.apart), kinship(self.profiles[1], self.apart)

    @cached_property
    def company(self) -> Ints:
        """The rows of the six patches most like each, nearest first, by the first profile."""
        return self._nearest[0][0]

    @cached_property
    def crowd(self) -> Floats:
        """Three columns: the distance to the 1st and to the 5th most similar patch by the first profile,
        and to the 3rd by the second."""
        first, second = self._nearest[0][1], self._nearest[1][1]
        return np.stack([first[:, 0], first[:, 4], second[:, 2]], axis=1)

    @cached_property
    def _nearest(self) -> tuple[tuple[Ints, Floats], tuple[Ints, Floats]]:
        return _company(self.profiles[0], self.apart), _company(self.profiles[1], self.apart)


def _company(profiles: Floats, apart: Measure) -> tuple[Ints, Floats]:
    """The six landmarks nearest to each row (itself left out), nearest first, and their distances. Where
    there are fewer than six, the last is repeated."""
    marks = landmarks(len(profiles))
    count = min(_COMPANY, len(marks) - 1)
    places, far = [], []
    for start in range(0, len(profiles), _BLOCK):
        each = apart(profiles[start : start + _BLOCK], profiles[marks])
        each[np.arange(start, start + len(each))[:, None] == marks[None]] = np.inf
        near = np.argpartition(each, count - 1, axis=1)[:, :count]
        near_far = np.take_along_axis(each, near, axis=1)
        order = np.argsort(near_far, axis=1, kind="stable")
        places.append(marks[np.take_along_axis(near, order, axis=1)])
        far.append(np.take_along_axis(near_far, order, axis=1))
    missing = ((0, 0), (0, _COMPANY - count))
    return (
        np.pad(np.concatenate(places), missing, mode="edge"),
        np.pad(np.concatenate(far), missing, mode="edge"),
    )


@dataclass(frozen=True, slots=True)
class Distances:
    """The distances of all patches (rows) from the examples.

    ``tables``: from the nearest example of each kind (columns), five tables: directly by each of the three
    profiles, then by way of others along the two trees. ``each``: directly from every single example, by
    each of the three profiles. ``reaches``: what else the two trees tell."""

    tables: tuple[Floats, ...]
    each: tuple[Floats, ...]
    reaches: tuple[Reach, Reach]


def distances(patches: Patches, labels: dict[int, int], kinds: int) -> Distances:
    """The distances to the examples. ``labels``: row of the example to number of its kind; every kind needs
    one."""
    rows = np.array(list(labels))
    numbers = np.array(list(labels.values()))
    tables, singly = [], []
    for each in patches.profiles:
        far = patches.apart(each, each[rows])
        far[rows, np.arange(len(rows))] = 0.0
        tables.append(np.stack([far[:, numbers == k].min(axis=1) for k in range(kinds)], axis=1))
        singly.append(far)
    reaches = tuple(reach(tree, labels, kinds) for tree in patches.trees)
    found = (*tables, *(r.kinds for r in reaches))
    return Distances(found, tuple(singly), (reaches[0], reaches[1]))


def mixed(patches: Patches, labels: dict[int, int]) -> set[tuple[int, int]]:
    """Pairs of kinds whose examples look the same: each kind has an example that is clearly nearer to one of
    the other kind than to its own. The lesser number comes first.

    Two single examples prove nothing, so one of the pair has at least two.
    """
    rows = np.array(list(labels))
    numbers = np.array(list(labels.values()))
    far = patches.apart(patches.profiles[0][rows], patches.profiles[0][rows])
    np.fill_diagonal(far, np.inf)
    kinds = [int(kind) for kind in np.unique(numbers)]
    nearest = {kind: far[:, numbers == kind].min(axis=1) for kind in kinds}
    strays = {
        (k, other)
        for k in kinds
        for other in kinds
        if k != other and (nearest[other][numbers == k] * _NEARER < nearest[k][numbers == k]).any()
    }
    count = {kind: int((numbers == kind).sum()) for kind in kinds}
    return {(k, r) for k, r in strays if k < r and (r, k) in strays and count[k] + count[r] > 2}


def soft_log(values: Floats) -> Floats:
    """The logarithm of distances, softened so that distances below one grey level hardly differ."""
    return np.asarray(np.log(np.minimum(values, FAR) + _SOFT), dtype=np.float32)


def rival_clues(table: Floats, best: Ints) -> list[Floats]:
    """Two clues from a table of distances to each kind: the distance of the kind ``best``, and how much
    farther the next kind is."""
    rows = np.arange(len(table))
    near = soft_log(table[rows, best])
    others = table.copy()
    others[rows, best] = FAR
    return [near, soft_log(others.min(axis=1)) - near]


def support_clues(far: Floats, labels: dict[int, int], best: Ints) -> list[Floats]:
    """Three clues to whether more than a single odd example supports the kind ``best``. ``far``: the distance
    from every example.

    How much farther the second nearest example of the kind is than the nearest; by how much it is still
    nearer than any example of another kind; and whether the nearest example is itself more like others of
    its kind than like other kinds.
    """
    rows, numbers = np.array(list(labels)), np.array(list(labels.values()))
    own = numbers[None] == best[:, None]
    mine = np.where(own, far, FAR)
    order = np.sort(mine, axis=1)
    near = soft_log(order[:, 0])
    second = np.minimum(soft_log(order[:, 1]), near + _FAINT)
    other = soft_log(np.where(own, FAR, far).min(axis=1))
    fellow = numbers[:, None] == numbers[None]
    among = np.where(np.eye(len(rows), dtype=np.bool_), FAR, far[rows])
    loyal = soft_log(np.where(fellow, FAR, among).min(axis=1)) - soft_log(
        np.where(fellow, among, FAR).min(axis=1)
    )
    return [
        second - near,
        np.clip(other - second, -_FAINT, _FAINT),
        np.clip(loyal, -_FAINT, _FAINT)[mine.argmin(axis=1)],
    ]


def family_clues(found: Reach) -> list[Floats]:
    """Three clues to whether a patch belongs to a look of which there is no example."""
    size = np.log(found.family)
    nearest = found.kinds.min(axis=1)
    gap = np.log((nearest + 0.5) / (found.inside + 0.5))
    alone = np.log((nearest + 0.5) / (found.third + 0.5))
    return [size, np.minimum(size, 2.5) * np.where(size > 0, gap, 0.0), alone]
