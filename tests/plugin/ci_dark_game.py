"""Hidden movement, from the file to the report: audited with everything known, held against what was said."""

from __future__ import annotations

from pathlib import Path

import pytest
from dark import IDS, TARN, DarkScribe, build, script

from .kit import plain, printed, refused, report_of

RED_MOVES = (script.turn(1, 1, 0), "Turn 1, Blue Combat", "Turn 1, Red Movement")


def blue(name: str) -> str:
    return str(IDS[f"Blue {name}"])


def red(name: str) -> str:
    return str(IDS[f"Red {name}"])


def secret(scribe: DarkScribe) -> None:
    """A hidden unit goes where it may, then where it may not; its player says that it stays."""
    scribe.hide(blue("2 Inf"))
    scribe.sneak(blue("2 Inf"), "0305")
    scribe.say("Blue 2 Inf stays in 0206")
    scribe.hide(blue("2 Tank"))
    scribe.sneak(blue("2 Tank"), "0707")
    scribe.advance(*RED_MOVES)


def shown(scribe: DarkScribe) -> None:
    scribe.show(blue("2 Inf"))
    scribe.show(blue("2 Tank"))


@pytest.fixture(scope="module")
def ended(tmp_path_factory: pytest.TempPathFactory) -> list[Path]:
    """The logs of a game at the end of which everything is uncovered."""
    return build(tmp_path_factory.mktemp("dark"), secret, shown)[1]


def test_hidden_movement_is_audited_and_held_against_what_was_announced(ended: list[Path]) -> None:
    told = plain(printed("audit", *ended, "--reveal"))
    assert "shows everything, for the director" in told
    assert "1. illegal move GEN-HEXSIDE-PROHIBITED" in told
    assert "units Blue 2 Tank" in told
    assert "a hidden counter" not in told
    said = "Blue 2 Inf of Blue was hidden from Red, who saw it last in 0206; it lay in 0206, 0305"
    assert said in told
    assert "known again in 0305; its moves meanwhile: 1 legal" in told
    assert "known again in 0707; its moves meanwhile: 1 illegal" in told
    # Although the engine calls the counter Blue 2 Inf(Hide) while it is hidden.
    said = 'Wren: "Blue 2 Inf stays in 0206": Blue 2 Inf is named with 0206, and lay in 0305'
    assert f"Named with hexes where it was not (1) log 1 step 3: {said}" in told
    assert "(Hide)" not in told.split("Revealed")[1]


def test_nobody_else_is_told(ended: list[Path]) -> None:
    """Where they lay before and where they came to light, all saw; not where they went, nor when."""
    for viewer in ((), ("--as", "Red")):
        told = printed("audit", *ended, *viewer)
        for said in ("Revealed", "→ 0707 (by", "0206 → 0305", "log 1 step 2)", "log 1 step 5)"):
            assert said not in told
        assert " 0 illegal" in told
    refused("audit", ended[0], "--reveal", "--as", "Red")


def test_that_another_uncovered_a_counter_is_told_to_who_may_know_it(tmp_path: Path) -> None:
    """That it was Red who unmasked it is told by a hidden move alone."""

    def play(scribe: DarkScribe) -> None:
        scribe.hide(blue("2 Inf"))
        scribe.mask(blue("3 Inf"))
        scribe.sits(TARN)
        scribe.sneak(blue("2 Inf"), "0305")
        scribe.unmask(blue("3 Inf"))

    def traces(*eyes: str) -> set[tuple[str, str]]:
        found = report_of(*logs, *eyes, codes=(0, 1, 3))["integrity"]["traces"]
        return {(one["kind"], one["text"]) for one in found}

    _, logs = build(tmp_path, play)
    unmasked = ("uncovered", "Blue 3 Inf, which only Blue could know, was unmasked")
    assert unmasked not in traces()
    assert "2 Inf" not in str(traces("--as", "Red"))
    assert unmasked in traces("--director")
    assert any("2 Inf" in text for kind, text in traces("--director") if kind == "uncovered")


def masked(scribe: DarkScribe) -> None:
    """Two counters are masked, and one of them goes too far."""
    scribe.mask(blue("4 Inf"))
    scribe.mask(blue("Recon"))
    scribe.drag(blue("4 Inf"), "0808")
    scribe.drag(blue("5 Inf"), "0107")
    scribe.advance(*RED_MOVES)


def unmasked(scribe: DarkScribe) -> None:
    scribe.unmask(blue("4 Inf"))
    scribe.mask(blue("4 Inf"))


@pytest.mark.parametrize("viewer", [(), ("--as", "Red")])
def test_a_mask_is_a_counter_of_its_own_which_nothing_ties_to_another(
    tmp_path: Path, viewer: tuple[str, ...]
) -> None:
    _, logs = build(tmp_path, masked, unmasked)
    told = report_of(*logs, *viewer)
    went = [
        (unit["id"], move["from"]["name"], move["to"]["name"])
        for move in told["not_judged"]
        for unit in move["units"]
        if "0808" in (move["from"]["name"], move["to"]["name"])
    ]
    assert went == [
        ("mask 1", "0408", "0808"),
        ("mask 1", "0808", ""),
        (blue("4 Inf"), "", "0808"),
        (blue("4 Inf"), "0808", ""),
        ("mask 3", "", "0808"),
    ]
    assert [one["verdict"] for one in told["moves"]] == ["legal"]
    assert not [one for one in told["findings"] if one["verdict"] == "illegal"]
    own = report_of(*logs, "--as", "Blue")
    assert [f["clause"] for f in own["findings"] if f["verdict"] == "illegal"] == ["GEN-ALLOWANCE"]


def test_a_fact_about_a_hidden_counter_is_no_fault_for_those_who_do_not_see_it(
    tmp_path: Path,
) -> None:
    def play(scribe: DarkScribe) -> None:
        scribe.hide(blue("2 Inf"))
        scribe.drag(blue("5 Inf"), "0107")

    _, logs = build(tmp_path, play)
    facts = tmp_path / "facts.toml"
    facts.write_text('[[unit]]\nunit = "Blue 2 Inf"\nattributes = { status = "good" }\n')
    without = printed("audit", *logs, "--as", "Red", "--format", "csv")
    told = printed("audit", *logs, "--as", "Red", "--format", "csv", "--facts", facts)
    assert [one for one in told.splitlines() if "facts" not in one] == without.splitlines()
