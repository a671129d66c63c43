"""What an answer to a plain question would change; the classes that the charts lack are added."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("starlette", reason="the studio needs the extra [studio]")

from partial_studio import opened, read_anew
from vassal_umpire.importers.pack.facts import DeclaredPhase, Span
from vassal_umpire.importers.pack.load import load_pack
from vassal_umpire.model.game import StepRef
from vassal_umpire.model.problem import Problem
from vassal_umpire.plugin.phase_proposals import Proposal
from vassal_umpire.plugin.studio import effects, phase_desk, rules_view, units_view
from vassal_umpire.plugin.studio.cards import file_problems
from vassal_umpire.plugin.studio.session import Studio

from ..kit import put

PACK = Path("pack/pack.toml")
NO_LIMIT: dict[str, Any] = {"id": "stacking", "answer": "no", "whole": True}


@pytest.fixture
def studio(game: Path, monkeypatch: pytest.MonkeyPatch) -> Studio:
    """Nothing is judged in its background, and a job is done as soon as it is begun."""
    found = opened(Path(), Path("pack"))
    monkeypatch.setattr(found.jobs, "begin", lambda name, run: run(lambda *_: None))
    monkeypatch.setattr(found, "work_left", lambda: None)
    return found


def test_what_an_answer_would_change_is_what_the_audit_says_once_it_is_written(
    studio: Studio,
) -> None:
    before = Path("pack/pack.toml").read_bytes()
    now = effects.counts_of(studio.audit)
    assert rules_view.effect(studio, NO_LIMIT)["working"]
    told = rules_view.effect(studio, NO_LIMIT)
    assert (told["working"], told["error"], told["now"]) == (False, "", now)
    assert told["then"] == {**now, "findings": now["findings"] - 1}
    assert Path("pack/pack.toml").read_bytes() == before
    studio.edit(rules_view.chosen(studio, NO_LIMIT)["edits"], "stacking")
    read_anew(studio)
    assert told["then"] == effects.counts_of(studio.audit)


def test_nothing_is_worked_out_of_what_cannot_be_written(
    studio: Studio, monkeypatch: pytest.MonkeyPatch
) -> None:
    def no(*_: object) -> None:
        raise AssertionError

    monkeypatch.setattr(studio.jobs, "begin", no)
    empty = {**NO_LIMIT, "answer": "yes"}
    assert rules_view.effect(studio, empty) == {"then": None, "working": False, "error": ""}


def test_edits_of_counters_change_what_they_would_once_written_or_nothing_where_one_is_refused(
    studio: Studio,
) -> None:
    edits = rules_view.chosen(studio, NO_LIMIT)["edits"]
    by_answer, by_edits = (
        [ask(studio, body) for _ in range(2)][1]
        for ask, body in ((rules_view.effect, NO_LIMIT), (units_view.effect, {"edits": edits}))
    )
    assert by_edits == by_answer != {}
    late = {"edits": [*edits, {**edits[0], "was": "more", "now": "less"}]}
    assert units_view.effect(studio, late)["working"]
    told = units_view.effect(studio, late)
    assert (told["then"], "changed elsewhere" in told["error"]) == (None, True)


@pytest.mark.parametrize("end", ["[[phase]]", "# -- the rules"], ids=["phases", "no phases"])
def test_before_a_phase_is_known_it_is_told_what_would_change_if_they_are_as_proposed(
    studio: Studio, end: str
) -> None:
    """Also by a pack that has no phases yet: a phase called Movement is then one of movement."""
    rules_view.effect(studio, NO_LIMIT)
    known = rules_view.effect(studio, NO_LIMIT)
    without_phases(studio, end)
    assert rules_view.effect(studio, NO_LIMIT)["working"]
    told = rules_view.effect(studio, NO_LIMIT)
    assert (known["perhaps"], told["perhaps"]) == (False, True)
    assert told["now"]["illegal"] == known["now"]["illegal"] > 0
    assert told["then"] == {**told["now"], "findings": told["now"]["findings"] - 1}
    assert effects.counts_of(studio.audit)["illegal"] == 0
    assert not studio.facts.exists()


@pytest.mark.parametrize("guessed", ["", "Supply"])
def test_where_no_phase_of_movement_is_guessed_it_is_told_what_comes_first(
    studio: Studio, guessed: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    without_phases(studio, "# -- the rules")
    one = DeclaredPhase(Span(), None, guessed, None, "")
    monkeypatch.setattr(effects, "proposed", lambda _: (one,) if guessed else ())
    rules_view.effect(studio, NO_LIMIT)
    told = rules_view.effect(studio, NO_LIMIT)
    assert (told["then"], told["working"], told["error"]) == (None, False, effects.NO_PHASE)


def test_guessed_phases_are_those_that_the_phases_view_would_write(studio: Studio) -> None:
    without_phases(studio, "# -- the rules")
    names = ("Movement", "Supply")
    declared = tuple(DeclaredPhase(Span(), None, name, None, "") for name in names)
    guessed = effects.as_guessed(studio.pack, replace(studio.facts_written(), phases=declared))
    with PACK.open("a", encoding="utf-8") as file:
        file.write(AS_WRITTEN)
    read_anew(studio)
    assert guessed.phases == studio.pack.phases
    assert guessed.forms == studio.pack.forms
    assert effects.as_guessed(studio.pack, studio.facts_written()) is studio.pack


AS_WRITTEN = """
[[phase]]
name = "Movement"
movers = "active"
forms = ["move"]
complete = true
[[phase]]
name = "Supply"
movers = "none"
forms = ["no movement"]
[[form]]
name = "move"
[[form]]
name = "no movement"
judged = false
"""


def without_phases(studio: Studio, end: str) -> None:
    """Take out of the pack what tells phases, up to ``end``."""
    text = PACK.read_text("utf-8")
    PACK.write_text(text[: text.index("[[phases.from]]")] + text[text.index(end) :], "utf-8")
    read_anew(studio)


# -- classes of counters that the charts do not have are added by one edit --------------------------


NAMES = 'names = ["foot", "motor"]'


def test_a_proposal_of_no_side_of_the_game_says_no_side(
    studio: Studio, monkeypatch: pytest.MonkeyPatch
) -> None:
    guess = Proposal(StepRef(1, 1), StepRef(1, 2), "1", "Movement", "Nobody")
    monkeypatch.setattr(phase_desk, "proposals", lambda *_: (guess,))
    (phase,) = effects.proposed(studio)
    assert (phase.phase, phase.active) == ("Movement", None)
    assert effects.proposed(studio) is effects.proposed(studio)


@pytest.fixture
def classless(game: Path) -> Studio:
    """Of a pack in which only the chart of movement classes can be wrong."""
    text = PACK.read_text("utf-8")
    PACK.write_text(text[: text.index("[rules.terrain")], "utf-8")
    put(PACK, 'complete = ["classes", ', "complete = [")
    return opened(Path(), Path("pack"))


def adopt(studio: Studio) -> Any:
    shown = units_view.units(studio, {})["adopt"]
    assert rules_view.rules(studio, {})["adopt"] == shown
    return shown


def test_nothing_is_offered_where_the_charts_have_all_classes(classless: Studio) -> None:
    assert adopt(classless) is None


def test_a_class_that_units_have_is_added_to_the_charts(classless: Studio) -> None:
    put(PACK, NAMES, 'names = ["foot"]')
    found = adopt(classless)
    assert found["names"] == ["motor"]
    assert not classless.edit(found["edits"], "classes").refused
    assert load_pack(PACK.parent).tables["classes"]["names"] == ["foot", "motor"]
    assert adopt(classless) is None


def test_the_placeholder_of_a_first_pack_goes(classless: Studio) -> None:
    put(PACK, NAMES, 'names = ["to be named"]')
    (edit,) = adopt(classless)["edits"]
    assert (edit["was"], edit["now"]) == (["to be named"], ["foot", "motor"])


def test_of_what_is_no_unit_nothing_is_added(classless: Studio) -> None:
    put(PACK, NAMES, 'names = ["foot"]')
    put(PACK, 'values = ["foot", "motor"]', 'values = ["foot"]')
    assert adopt(classless) is None


def test_new_classes_are_one_line_that_says_where_they_are_added() -> None:
    said = "expected a value of the attribute class that the ruleset's tables know (foot); found "
    new = [Problem("unknown-name", said + name, "units.csv line 2") for name in ("inf", "arm")]
    sure = Problem("unknown-name", said + "inf", "units.csv line 2", "error")
    other = Problem("unknown-name", said.replace("class", "status") + "inf", "units.csv line 2")
    line = (
        "counters have movement classes that the charts do not have yet: the Units view adds them"
    )
    assert list(file_problems([*new, sure, other])) == [str(sure), str(other), line]
