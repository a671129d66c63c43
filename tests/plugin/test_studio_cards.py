"""The one card of the studio, in every state of the work."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from vassal_umpire.importers.vassal.limits import DEFAULT_LIMITS
from vassal_umpire.model.problem import Problem
from vassal_umpire.model.viewer import EVERYONE
from vassal_umpire.plugin.auditing import read_evidence
from vassal_umpire.plugin.reading import Named
from vassal_umpire.plugin.studio.cards import PackProgress, card_for, file_problems, progress_of
from vassal_umpire.plugin.unruled import without_rules

from . import kit

DECIDED = PackProgress(logs=2, hexes=80, terrain=80, moved=9, units=9, moves=14, in_phase=14)
ASKED: Any = {"asked": "what is in 0110?"}
STATES: list[tuple[str, PackProgress, dict[str, Any], str, str]] = [
    ("no logs, no hexes", PackProgress(), {}, "board", "open it again with the logs"),
    ("no logs, no terrain", PackProgress(hexes=80), {}, "board unknown", "80 hexes have no terrain"),
    ("no logs, one hex left", PackProgress(hexes=80), {"terrain": 79}, "board unknown", "1 hex has no"),
    ("no logs, all told", PackProgress(hexes=80), {"terrain": 80}, "board", "again with the logs"),
    ("nobody moved", PackProgress(logs=1, hexes=80), {"terrain": 80}, "phases", "hold no move"),
    ("one piece, not told", DECIDED, {"moved": 1, "units": 0}, "units", "1 piece moved"),
    ("some sides left", DECIDED, {"sideless": 8, "lacking": 8}, "units", "8 units"),
    ("no limits", DECIDED, {"mapless": True}, "findings", "Every move is decided"),
    ("no limits, no phases", DECIDED, {"in_phase": 0, "terrain": 0, "mapless": True},
     "rules question stacking", "No map is needed"),
    ("something found", DECIDED, {"terrain": 0, "findings": 1}, "suggest soonest",
     "1 finding so far, in Questions & findings. Describe the terrain"),
    ("something found, no picture", DECIDED, {"terrain": 0, "findings": 1, "pictured": False},
     "board unknown", "1 finding so far, in Questions & findings. Describe the terrain of the board: paint"),
    ("one piece left", DECIDED, {"unsaid": 1}, "units perhaps",
     "1 piece moved that may or may not be a unit"),
    ("one question", DECIDED, {**ASKED, "unverifiable": 1, "asked_by": 1}, "findings questions",
     "1 move waits"),
    ("a phase asked for by as many moves as anything", DECIDED,
     {**ASKED, "unverifiable": 5, "asked_by": 5, "phase_asked": 5}, "phases", "5 moves wait for a phase"),
    ("a phase asked for by fewer", DECIDED, {**ASKED, "unverifiable": 5, "asked_by": 5, "phase_asked": 4},
     "findings questions", "5 moves wait for one answer"),
    ("open, and nothing is asked", DECIDED, {"unverifiable": 5}, "findings", "5 moves are unverifiable"),
    ("no moves", DECIDED, {"moves": 0, "in_phase": 0}, "phases", "hold no move"),
]  # fmt: skip


@pytest.mark.parametrize(("standing", "change", "leads_to", "says"), [s[1:] for s in STATES],
                         ids=[s[0] for s in STATES])  # fmt: skip
def test_the_card(standing: PackProgress, change: dict[str, Any], leads_to: str, says: str) -> None:
    card = card_for(replace(standing, **change))
    assert f"{card.view} {card.target}".strip() == leads_to
    assert says in card.text
    assert card.text.endswith((".", "?"))


def test_whether_the_module_has_a_picture_of_the_board_is_known_without_a_pack() -> None:
    logs = {True: kit.TURN_1, False: DRILL / "drill-1-red.vlog"}
    for pictured, log in logs.items():
        evidence = read_evidence(Named((log,)), DEFAULT_LIMITS)
        opened = without_rules(evidence, EVERYONE)
        assert progress_of(evidence, opened, None, EVERYONE, "", False).pictured is pictured


DRILL = Path(__file__).parents[1] / "importers" / "pack" / "drill"


def test_what_comes_first_is_what_the_rest_waits_for() -> None:
    """Everything is amiss; mended one by one in the order of the cards, all is decided in the end."""
    now = PackProgress(
        logs=2, hexes=80, moved=9, unsaid=3, units=0, sideless=7, lacking=3, mapless=True, moves=14,
        unverifiable=9, findings=2, judging=True, fault="pack.toml:3: no pack", asked_by=2,
        **ASKED,
    )  # fmt: skip
    mended: list[tuple[str, str, dict[str, Any]]] = [
        ("findings problems", "pack.toml:3", {"fault": ""}),
        ("units", "9 pieces moved, and none", {"units": 7}),
        ("units", "which side the 7 units", {"sideless": 0}),
        ("rules question stacking", "how much of one side", {"mapless": False}),
        ("phases", "which phase", {"in_phase": 10}),
        ("suggest soonest", "2 findings so far", {"findings": 0}),
        ("suggest soonest", "a few hexes of each kind", {"terrain": 80, "findings": 2}),
        ("board", "being judged", {"judging": False}),
        ("units perhaps", "3 pieces moved that may or may not be units", {"unsaid": 0}),
        ("units", "3 units moved of which the rules need", {"lacking": 0}),
        ("findings questions", "2 moves wait for", {"asked": "", "asked_by": 0}),
        ("findings findings", "2 findings to look at", {"findings": 0}),
        ("phases", "phase of 4 moves", {"in_phase": 14}),
        ("findings", "9 moves are unverifiable", {"unverifiable": 0}),
        ("findings", "Every move is decided", {}),
    ]
    for leads_to, says, change in mended:
        card = card_for(now)
        assert f"{card.view} {card.target}".strip() == leads_to
        assert says in card.text
        now = replace(now, **change)


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
