"""The one card of the studio, in every state of the work."""

from __future__ import annotations

from dataclasses import replace

import pytest
from vassal_umpire.model.problem import Problem
from vassal_umpire.plugin.studio.cards import PackProgress, card_for, file_problems

DECIDED = PackProgress(
    logs=2, hexes=80, terrain=80, moved=9, units=9, moves=14, in_phase=14, legal=14
)  # fmt: skip
VIEWS = {"board", "suggest", "units", "phases", "rules", "findings"}
STATES: list[tuple[str, PackProgress, str, str, str]] = [
    (
        "the pack is broken",
        replace(DECIDED, fault="pack.toml:3: expected a table"),
        "findings",
        "problems",
        "pack.toml:3",
    ),
    ("no logs, no terrain", PackProgress(hexes=80), "board", "unknown", "80 hexes have no terrain"),
    (
        "no logs, one hex left",
        PackProgress(hexes=80, terrain=79),
        "board",
        "unknown",
        "1 hex has no terrain",
    ),
    (
        "no logs, all told",
        PackProgress(hexes=80, terrain=80),
        "board",
        "",
        "open it again with the logs",
    ),
    ("no logs, no hexes", PackProgress(), "board", "", "open it again with the logs"),
    ("no units told", replace(DECIDED, units=0, unsaid=9), "units", "", "9 pieces moved, and none"),
    ("one piece, not told", replace(DECIDED, moved=1, units=0), "units", "", "1 piece moved"),
    ("no sides", replace(DECIDED, sideless=9), "units", "", "which side the 9 units"),
    ("some sides left", replace(DECIDED, sideless=8, lacking=8), "units", "", "8 units"),
    (
        "no limits, no phases",
        replace(DECIDED, in_phase=0, terrain=0, mapless=True),
        "rules",
        "question stacking",
        "No map is needed",
    ),
    ("no limits", replace(DECIDED, mapless=True), "findings", "", "Every move is decided"),
    ("no phases", replace(DECIDED, in_phase=0), "phases", "", "which phase"),
    ("no terrain", replace(DECIDED, terrain=0), "suggest", "soonest", "a few hexes of each kind"),
    (
        "no terrain, and something found",
        replace(DECIDED, terrain=0, findings=1),
        "suggest",
        "soonest",
        "1 finding so far, in Questions & findings. Tell the terrain",
    ),
    ("judging", replace(DECIDED, judging=True), "board", "", "being judged"),
    (
        "pieces left",
        replace(DECIDED, unsaid=1),
        "units",
        "perhaps",
        "1 piece moved that may or may not be a unit",
    ),
    (
        "several pieces left",
        replace(DECIDED, unsaid=3),
        "units",
        "perhaps",
        "3 pieces moved that may or may not be units",
    ),
    ("units lacking", replace(DECIDED, lacking=4), "units", "", "4 units"),
    (
        "questions left",
        replace(DECIDED, unverifiable=3, asked="what is in 0110?", asked_by=3),
        "findings",
        "questions",
        "3 moves wait",
    ),
    (
        "one question",
        replace(DECIDED, unverifiable=1, asked="what is in 0110?", asked_by=1),
        "findings",
        "questions",
        "1 move waits",
    ),
    (
        "a phase asked for by as many moves as anything",
        replace(DECIDED, unverifiable=5, asked="what is in 0110?", asked_by=5, phase_asked=5),
        "phases",
        "",
        "5 moves wait for a phase",
    ),
    (
        "a phase asked for by fewer",
        replace(DECIDED, unverifiable=5, asked="what is in 0110?", asked_by=5, phase_asked=4),
        "findings",
        "questions",
        "5 moves wait for one answer",
    ),
    (
        "findings to look at",
        replace(DECIDED, illegal=2, findings=2),
        "findings",
        "findings",
        "2 findings",
    ),
    ("some phases left", replace(DECIDED, in_phase=9, unverifiable=5), "phases", "", "5 moves"),
    (
        "open, and nothing is asked",
        replace(DECIDED, unverifiable=5),
        "findings",
        "",
        "5 moves are unverifiable",
    ),
    ("no moves", replace(DECIDED, moves=0, in_phase=0, legal=0), "phases", "", "No move"),
    ("nobody moved", PackProgress(logs=1, hexes=80, terrain=80), "phases", "", "No move"),
    ("all decided", DECIDED, "findings", "", "Every move is decided"),
]


@pytest.mark.parametrize(("standing", "view", "target", "says"), [s[1:] for s in STATES],
                         ids=[s[0] for s in STATES])  # fmt: skip
def test_the_card(standing: PackProgress, view: str, target: str, says: str) -> None:
    card = card_for(standing)
    assert (card.view, card.target) == (view, target)
    assert says in card.text
    assert card.view in VIEWS
    assert card.text.endswith((".", "?"))


def test_what_comes_first_is_what_the_rest_waits_for() -> None:
    """Everything is amiss; mended one by one in the order of the cards, all is decided in the end."""
    now = PackProgress(
        logs=2, hexes=80, moved=9, unsaid=2, units=0, sideless=7, lacking=3, mapless=True,
        moves=14, illegal=1, unverifiable=9, findings=1, judging=True, fault="no pack",
        asked="what is in 0110?", asked_by=2,
    )  # fmt: skip
    mended: list[tuple[str, dict[str, object]]] = [
        ("cannot be read", {"fault": ""}),
        ("which counters", {"units": 7}),
        ("which side", {"sideless": 0}),
        ("how much of one side", {"mapless": False}),
        ("which phase", {"in_phase": 10}),
        ("terrain", {"terrain": 80}),
        ("being judged", {"judging": False}),
        ("may or may not", {"unsaid": 0}),
        ("need to know more", {"lacking": 0}),
        ("wait for", {"asked": "", "asked_by": 0}),
        ("to look at", {"findings": 0, "illegal": 0}),
        ("phase of 4 moves", {"in_phase": 14}),
        ("unverifiable", {"unverifiable": 0}),
    ]
    for says, change in mended:
        assert says in card_for(now).text
        now = replace(now, **change)  # type: ignore[arg-type]
    assert "Every move is decided" in card_for(now).text


def test_names_without_a_cost_are_one_line_and_faults_are_told_one_by_one() -> None:
    unknown = [
        Problem("unknown-name", f"expected a terrain; found {name}", f"{file} line 2")
        for name, file in (("clear", "hexes.csv"), ("woods", "hexes.csv"), ("road", "lines.csv"))
    ]
    wrong = Problem("unknown-name", "expected a terrain; found Wods", "hexes.csv line 4", "error")
    unit = Problem("unknown-name", "expected a class; found fot", "units.csv line 2")
    card = Problem("no-phase", "no phase is known")
    note = Problem("any", "so it is", severity="note")
    assert list(file_problems([*unknown, card, note])) == [
        "3 names on the board have no cost yet, so what rests on them is not known: the Rules view asks "
        "what they cost, below All charts"
    ]
    assert list(file_problems([unknown[0], wrong, unit]))[:2] == [str(wrong), str(unit)]
    assert next(iter(file_problems([unknown[0]]))).startswith("1 name on the board has no cost yet")
