"""Suggestions on boards drawn for the tests: what is shown is found, what is not is not sure."""

from __future__ import annotations

from functools import cache

import pytest

np = pytest.importorskip("numpy", reason="suggestions need the extra [studio]")

import boards
import drawn_boards as drawn
import suggesting
from hypothesis import given
from hypothesis import strategies as st
from PIL import Image, ImageDraw
from tiers import examples
from vassal_umpire.plugin.suggest import clues as module
from vassal_umpire.plugin.suggest.cells import Cells
from vassal_umpire.plugin.suggest.clues import Patches, mixed
from vassal_umpire.plugin.suggest.confidence import Confidence
from vassal_umpire.plugin.suggest.hexes import Parts, part_clues
from vassal_umpire.plugin.suggest.profiles import apart, apart_by_steps, profile
from vassal_umpire.plugin.suggest.survey import Survey

SEEDS = range(3)


@cache
def board(seed: int) -> tuple[drawn.Drawn, Survey]:
    made = drawn.board(columns=22, rows=16, side=24.0, seed=seed)
    return made, Survey(made.picture, made.cells)


def sides(made: drawn.Drawn, survey: Survey, *, lines: bool) -> dict:
    truth = made.across if lines else made.along
    empty = {s: None for s in survey.offered(lines=lines) if truth[s] is None}
    return {s: kind for s, kind in drawn.shown(truth, 3).items() if kind} | empty


@pytest.mark.parametrize("seed", SEEDS)
def test_terrain_is_found(seed: int) -> None:
    made, survey = board(seed)
    found = survey.hexes(drawn.shown(made.terrain, 3))
    right = [each.kind == made.terrain[name] for name, each in found.items()]
    sure = [name for name, each in found.items() if each.confidence is Confidence.SURE]
    assert sum(right) >= 0.97 * len(right)
    assert len(sure) >= 0.7 * len(found)
    assert sum(found[name].kind != made.terrain[name] for name in sure) <= 0.005 * len(sure)


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("lines", [False, True])
def test_sides_are_found(seed: int, lines: bool) -> None:
    made, survey = board(seed)
    truth = made.across if lines else made.along
    shown = sides(made, survey, lines=lines)
    found = survey.lines(shown) if lines else survey.features(shown)
    there = [side for side in found if truth[side] is not None]
    sure = [s for s, each in found.items() if each.kind and each.confidence is Confidence.SURE]
    assert sum(truth[side] is None for side in sure) <= 0.01 * len(sure)
    assert len(sure) >= 0.75 * len(there)


@examples(12)
@given(seed=st.sampled_from(SEEDS), kind=st.sampled_from(list(drawn.KINDS)[:4]))
def test_a_kind_nobody_showed_is_never_sure(seed: int, kind: str) -> None:
    made, survey = board(seed)
    shown = {n: other for n, other in drawn.shown(made.terrain, 3).items() if other != kind}
    found = survey.hexes(shown)
    asked = [name for name, other in made.terrain.items() if other == kind]
    assert asked
    assert not [name for name in asked if found[name].confidence is Confidence.SURE]


@examples(8)
@given(seed=st.sampled_from(SEEDS), names=st.permutations(["a", "b", "c", "d"]), lot=st.randoms())
def test_what_kinds_are_called_and_their_order_change_nothing(seed, names, lot) -> None:  # type: ignore[no-untyped-def]
    made, survey = board(seed)
    shown = drawn.shown(made.terrain, 3)
    called = dict(zip(sorted(set(shown.values())), names, strict=True))
    mixed = list(shown.items())
    lot.shuffle(mixed)
    plain = survey.hexes(shown)
    other = survey.hexes({name: called[kind] for name, kind in mixed})
    assert {n: (called[s.kind], s.confidence) for n, s in plain.items()} == {
        n: (s.kind, s.confidence) for n, s in other.items()
    }


def test_one_kind_alone_is_never_sure_and_sides_that_differ_are_offered() -> None:
    made, survey = board(0)
    shown = {n: kind for n, kind in drawn.shown(made.terrain, 3).items() if kind == "open"}
    assert all(s.confidence is not Confidence.SURE for s in survey.hexes(shown).values())
    made, survey = board(0)
    offered = survey.offered(lines=False)
    assert len(offered) == len(set(offered)) >= 50
    assert set(offered) <= set(made.along)


def test_examples_are_not_suggested_and_what_is_not_there_is_refused() -> None:
    made, survey = board(0)
    shown = drawn.shown(made.terrain, 1)
    assert set(survey.hexes(shown)) == set(made.terrain) - set(shown)
    assert survey.hexes({}) == {}
    side = next(iter(made.along))
    assert survey.features({side: "river"}) == {}
    assert survey.features({side: None}) == {}
    with pytest.raises(KeyError):
        board(0)[1].hexes({"999.999": "open"})
    with pytest.raises(ValueError, match="no two hexes"):
        _ = Cells({"1": (0.0, 0.0)}, ()).pitch


def test_the_grid_is_held_against_the_picture() -> None:
    made, survey = board(0)
    assert survey.fit.fits is True
    moved = Survey(np.roll(made.picture, -5, axis=1), made.cells)
    assert moved.fit.fits is False
    for x, y in moved.fit.parts.values():
        assert abs(x + 5.0) < 1.5
        assert abs(y) < 1.5
    shown = sides(made, moved, lines=False)
    assert all(s.confidence is not Confidence.SURE for s in moved.features(shown).values())
    made, _ = board(0)
    blank = np.full_like(made.picture, 200)
    assert Survey(blank, made.cells).fit.fits is None


def test_a_map_of_one_colour_is_no_error() -> None:
    made, _ = board(0)
    survey = Survey(np.full_like(made.picture, 128), made.cells)
    first, second, *_ = made.terrain
    found = survey.hexes({first: "open", second: "woods"})
    assert all(s.confidence is not Confidence.SURE for s in found.values())
    one, other, *_ = made.along
    for ask in (survey.features, survey.lines):
        told = ask({one: "river", other: None}).values()
        assert not [s for s in told if s.confidence is Confidence.SURE]


def test_one_feature_shown_under_two_names_is_never_sure() -> None:
    made, survey = board(0)
    shown = sides(made, survey, lines=False)
    kind = next(kind for kind in shown.values() if kind)
    rivers = [side for side, other in made.along.items() if other == kind][::5][:8]
    names = {side: ("one", "other")[i % 2] for i, side in enumerate(rivers)}
    empty = {side: None for side, other in shown.items() if other is None}
    found = survey.features(names | empty)
    sure = [each.kind for each in found.values() if each.confidence is Confidence.SURE]
    assert not [each for each in sure if each is not None]
    assert survey.confused(names | empty, lines=False) == [("one", "other")]
    assert survey.confused(shown, lines=False) == []


@pytest.mark.parametrize("lines", [False, True])
def test_of_a_kind_shown_on_a_single_side_nothing_is_sure(lines: bool) -> None:
    made, survey = board(0)
    shown = sides(made, survey, lines=lines)
    kinds = {kind for kind in shown.values() if kind}
    single = {next(s for s, other in shown.items() if other == kind): kind for kind in kinds}
    empty = {side: None for side, kind in shown.items() if kind is None}
    found = (survey.lines if lines else survey.features)(single | empty)
    assert found
    assert not [s for s, each in found.items() if each.confidence is Confidence.SURE]
    assert [s for s, each in found.items() if each.kind]


def test_a_map_with_names_in_most_hexes_is_known_as_one() -> None:
    made, _ = board(0)
    plain = np.full_like(made.picture, 200)
    image = Image.fromarray(plain)
    pen = ImageDraw.Draw(image)
    lot = np.random.default_rng(0)
    for x, y in made.cells.centres.values():
        pen.text((x - 14 + lot.normal(0, 10), y - 4 + lot.normal(0, 10)), "Village", fill=(0, 0, 0))
    assert not Survey(plain, made.cells).hex_patches.printed
    assert Survey(np.asarray(image), made.cells).hex_patches.printed


# -- The tree of likeness against its definition, worked out the long way --------------------------


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


def test_many_patches_hang_on_landmarks_no_profile_does(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "MOST", 10)
    lot = np.random.default_rng(1)
    points = np.concatenate([lot.normal(m, 1, (20, 3)) for m in (0, 100)]).astype(np.float32)
    tree = module.kinship(points, apart)
    found = module.reach(tree, {0: 0, 39: 1}, 2)
    assert tree.count == 40
    assert (found.kinds[:20, 0] < 10).all()
    assert (found.kinds[20:, 0] > 50).all()
    assert (found.kinds[20:, 1] < 10).all()
    lot = np.random.default_rng(2)
    patch = lot.integers(0, 255, (1, 90, 4)).astype(np.uint8)
    turned = patch[:, lot.permutation(90)]
    assert (profile(patch, 15) == profile(turned, 15)).all()
    assert apart(profile(patch, 15), profile(turned, 15))[0, 0] == pytest.approx(0.0, abs=0.1)


# -- Hexes taken apart: what is made of parts that were shown, and what has one that was not -------


FIELD, ROAD, HOUSE = 0, 1, 2
APART = np.array([[0, 30, 60], [30, 0, 60], [60, 60, 0]], dtype=np.float32)
HEXES = np.array(
    [
        [FIELD] * 20,
        [ROAD] * 20,
        [FIELD] * 10 + [ROAD] * 10,
        [FIELD] * 17 + [HOUSE] * 3,
    ],
    dtype=np.uint8,
)
PARTS = Parts(HEXES, APART)
FARTHEST_SHOWN = 7  # of the clues: how far the second strangest part is from all that was shown


def test_parts_that_were_shown_are_near_and_others_speak_against() -> None:
    labels = {0: 0, 1: 0}
    clues = part_clues(PARTS, labels, np.zeros(4, dtype=np.intp))
    mixture, with_house = clues[FARTHEST_SHOWN][2], clues[FARTHEST_SHOWN][3]
    assert mixture == 0.0
    assert with_house > 4.0
    away = PARTS.away([0, 3])
    assert away[:, 0].tolist() == [0.0, 30.0, 15.0, 9.0]
    assert away[3].tolist() == [9.0, 0.0]
    clues = part_clues(PARTS, {0: 0, 1: 1}, np.zeros(4, dtype=np.intp))
    against = clues[-1]
    assert against.tolist() == [0.0, 1.0, 0.5, 0.0]


# -- Kinds that were shown on the same look --------------------------------------------------------


def line(*places: float) -> Patches:
    table = np.array(places, dtype=np.float32)[:, None]
    return Patches((table, table, table), apart_by_steps)


def test_kinds_shown_in_turn_along_a_line_are_mixed_and_no_others() -> None:
    assert mixed(line(0, 1, 20, 21), {0: 0, 1: 1, 2: 0, 3: 1}) == {(0, 1)}
    assert mixed(line(0, 1, 20, 21), {0: 0, 1: 0, 2: 1, 3: 1}) == set()
    assert mixed(line(0, 1, 20, 23, 24), {0: 0, 1: 0, 2: 0, 3: 1, 4: 1}) == set()
    assert mixed(line(0, 0), {0: 0, 1: 1}) == set()


# -- two boards whose truth is known, of those the constants were not fitted to ---------------------


@pytest.fixture(scope="module", params=[("bd72", False), ("bdn", True)], ids=["bd72", "bdn-scan"])
def known(request: pytest.FixtureRequest) -> boards.Board:
    where = boards.folder()
    if where is None:
        pytest.skip("the boards are not on this machine (set UMPIRE_CORPUS)")
    name, scan = request.param
    return boards.board(where / name, scan=scan)


def test_the_printed_grid_and_terrain(known: boards.Board) -> None:
    answers = [each for seed in range(3) for each in suggesting.hex_answers(known, 3, seed)]
    sure = [each for each in answers if suggesting.is_sure(each)]
    assert len(sure) >= 0.8 * len(answers)
    assert sum(not suggesting.is_right(each) for each in sure) <= 0.005 * len(sure)
    assert known.survey.fit.fits is True
    moved = np.roll(known.survey.picture, (-5, -8), axis=(0, 1))
    assert boards.Survey(moved, known.survey.cells).fit.fits is False


def test_roads(known: boards.Board) -> None:
    answers = [
        one for seed in range(2) for one in suggesting.side_answers(known, 3, seed, lines=True)
    ]
    there = [each for each in answers if each[1] is not None]
    said = [each for each in answers if suggesting.is_sure(each) and each[0].kind is not None]
    assert sum(suggesting.is_right(each) for each in said) >= 0.8 * len(there)
    assert sum(not suggesting.is_right(each) for each in said) <= 0.06 * len(said)
