"""Suggestions on boards drawn for the tests: what is shown is found, what is not is not sure."""

from __future__ import annotations

from functools import cache

import pytest

np = pytest.importorskip("numpy", reason="suggestions need the extra [studio]")

import drawn_boards as drawn
from hypothesis import given
from hypothesis import strategies as st
from PIL import Image, ImageDraw
from tiers import examples
from vassal_umpire.plugin.suggest.cells import Cells
from vassal_umpire.plugin.suggest.confidence import Confidence
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


def test_one_kind_alone_is_never_sure() -> None:
    made, survey = board(0)
    shown = {n: kind for n, kind in drawn.shown(made.terrain, 3).items() if kind == "open"}
    assert all(s.confidence is not Confidence.SURE for s in survey.hexes(shown).values())


def test_examples_are_not_suggested_and_none_give_nothing() -> None:
    made, survey = board(0)
    shown = drawn.shown(made.terrain, 1)
    assert set(survey.hexes(shown)) == set(made.terrain) - set(shown)
    assert survey.hexes({}) == {}
    side = next(iter(made.along))
    assert survey.features({side: "river"}) == {}
    assert survey.features({side: None}) == {}


def test_a_hex_that_is_not_there_is_refused() -> None:
    with pytest.raises(KeyError):
        board(0)[1].hexes({"999.999": "open"})


def test_the_grid_is_held_against_the_picture() -> None:
    made, survey = board(0)
    assert survey.fit.fits is True
    moved = Survey(made.picture, made.cells.shifted(5.0, 0.0))
    assert moved.fit.fits is False
    for x, y in moved.fit.parts.values():
        assert abs(x + 5.0) < 1.5
        assert abs(y) < 1.5
    shown = sides(made, moved, lines=False)
    assert all(s.confidence is not Confidence.SURE for s in moved.features(shown).values())


def test_without_a_printed_grid_nothing_is_said_of_it() -> None:
    made, _ = board(0)
    blank = np.full_like(made.picture, 200)
    assert Survey(blank, made.cells).fit.fits is None


def test_offered_sides_are_many_and_different() -> None:
    made, survey = board(0)
    offered = survey.offered(lines=False)
    assert len(offered) == len(set(offered)) >= 50
    assert set(offered) <= set(made.along)


def test_hexes_apart_from_one_another_have_no_size() -> None:
    with pytest.raises(ValueError, match="no two hexes"):
        _ = Cells({"1": (0.0, 0.0)}, ()).pitch


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
