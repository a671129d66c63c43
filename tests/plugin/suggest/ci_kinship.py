"""The tree of likeness against its definition, worked out the long way."""

from __future__ import annotations

import pytest

np = pytest.importorskip("numpy", reason="suggestions need the extra [studio]")

from hypothesis import given
from hypothesis import strategies as st
from tiers import examples
from vassal_umpire.plugin.suggest import kinship as module
from vassal_umpire.plugin.suggest.profiles import apart, apart_by_steps, profile


def longest_steps(far):  # type: ignore[no-untyped-def]
    """For every pair the least longest step of any way (Floyd and Warshall)."""
    out = far.copy()
    for k in range(len(out)):
        out = np.minimum(out, np.maximum(out[:, k, None], out[None, k, :]))
    return out


@examples(40)
@given(seed=st.integers(0, 10_000), count=st.integers(2, 25), kinds=st.integers(1, 3))
def test_reach_is_the_least_longest_step(seed: int, count: int, kinds: int) -> None:
    lot = np.random.default_rng(seed)
    points = lot.normal(0, 20, (count, 4)).astype(np.float32)
    labels = {int(row): i % kinds for i, row in enumerate(lot.permutation(count)[: kinds + 1])}
    kinds = len(set(labels.values()))
    far = apart_by_steps(points, points)
    steps = longest_steps(far)
    np.fill_diagonal(steps, 0.0)
    found = module.reach(module.kinship(points, apart_by_steps), labels, kinds)
    for kind in range(kinds):
        rows = [row for row, k in labels.items() if k == kind]
        assert np.allclose(found.kinds[:, kind], steps[:, rows].min(axis=1), atol=1e-4)
    nearest = steps[:, list(labels)].min(axis=1)
    for row in range(count):
        closer = steps[row] < nearest[row] - 1e-4
        closer[row] = True
        assert found.family[row] == closer.sum()
        assert np.isclose(found.inside[row], steps[row][closer].max(), atol=1e-4)
        if count > 3:
            assert np.isclose(found.third[row], np.sort(steps[row])[3], atol=1e-4)


def test_of_many_patches_the_rest_hang_on_landmarks(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "MOST", 10)
    lot = np.random.default_rng(1)
    points = np.concatenate([lot.normal(m, 1, (20, 3)) for m in (0, 100)]).astype(np.float32)
    tree = module.kinship(points, apart)
    found = module.reach(tree, {0: 0, 39: 1}, 2)
    assert tree.count == 40
    assert (found.kinds[:20, 0] < 10).all()
    assert (found.kinds[20:, 0] > 50).all()
    assert (found.kinds[20:, 1] < 10).all()


def test_a_profile_does_not_depend_on_where_in_a_patch_things_lie() -> None:
    lot = np.random.default_rng(2)
    patch = lot.integers(0, 255, (1, 90, 4)).astype(np.uint8)
    turned = patch[:, lot.permutation(90)]
    assert (profile(patch, 15) == profile(turned, 15)).all()
    assert apart(profile(patch, 15), profile(turned, 15))[0, 0] == pytest.approx(0.0, abs=0.1)
