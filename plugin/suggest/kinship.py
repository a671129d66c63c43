"""Who is like whom by way of others: from look to look in small steps, as a wood thins out."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from .cells import Floats, Ints
from .profiles import Measure

MOST = 4_000
"""Patches of which every pair is compared; of more, the rest hang on the nearest of these."""

_BLOCK = 1_000


@dataclass(frozen=True, slots=True)
class Kinship:
    """A tree over all patches whose longest step between any two is (nearly) as short as can be."""

    one: Ints
    other: Ints
    step: Floats

    @property
    def count(self) -> int:
        """How many patches there are."""
        return len(self.one) + 1


@dataclass(frozen=True, slots=True)
class Reach:
    """How the patches hang together with the examples; one row a patch.

    ``kinds``: the longest step on the way to the nearest example of each kind. ``family``: how many
    patches hang together more closely than the way to any example does, and ``inside`` the longest
    step among them: many and close are a look that nobody has shown. ``third``: the longest step to
    three others.
    """

    kinds: Floats
    family: Floats
    inside: Floats
    third: Floats


def kinship(profiles: Floats, apart: Measure) -> Kinship:
    """The tree of the patches with these profiles."""
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
    """The patches of which every pair is compared, of ``count``."""
    return np.linspace(0, count - 1, min(count, MOST)).astype(np.intp)


def _tree(far: Floats) -> tuple[Ints, Ints, Floats]:
    """The minimum spanning tree (Prim)."""
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
    """Patches that hang together so far."""

    __slots__ = ("inside", "kinds", "members")

    def __init__(self, member: int, kind: int | None) -> None:
        self.members = [member]
        self.kinds = set() if kind is None else {kind}
        self.inside = 0.0


def reach(tree: Kinship, labels: dict[int, int], kinds: int) -> Reach:
    """How all patches hang together with the examples (row to number of kind)."""
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
    """Notes what ``mine`` gets to know through ``theirs``."""
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
