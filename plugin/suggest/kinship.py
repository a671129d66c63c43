"""Likeness by way of other patches: two patches are near if a chain of small steps joins them.

A wood that thins out from hex to hex is such a chain: its ends look different, its neighbours do not.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from .cells import Floats, Ints
from .profiles import Measure

MOST = 4_000
"""Number of patches (landmarks) of which every pair is compared. Any further patch is joined to the
landmark nearest to it."""

_BLOCK = 1_000


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
