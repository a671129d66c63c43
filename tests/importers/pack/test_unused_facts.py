"""Facts that match nothing in the game are told, and those that match something are not."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from vassal_umpire.model.problem import WrongPack

Oddities = Callable[[str], list[str]]
NOTHING = "warning: facts.toml line 1: this fact matches nothing: "
HIDDEN = "1795262786534"
"""A unit of Red that not everyone may know of; it is dragged in step 3 of log 1, and not in step 9."""

PHASE = '[[phase]]\nphase = "Combat"\n'
MUD = '[[condition]]\nkey = "weather"\nvalue = "mud"\n'
UNIT = '[[unit]]\nunit = "Red HQ"\nattributes = {ma = 3}\n'
MARCH = '[[displacement]]\nform = "march"\nunit = "Red HQ"\n'


@pytest.mark.parametrize(
    ("text", "why"),
    [
        (MARCH + 'log = 1\nsteps = "58"', "nobody displaces Red HQ in step 58 of log 1"),
        (MARCH + "log = 2", "nobody displaces Red HQ in log 2"),
    ],
)
def test_a_form_of_a_unit_that_nobody_displaces_is_told(
    oddities: Oddities, text: str, why: str
) -> None:
    assert oddities(text + "\n") == [NOTHING + why]


@pytest.mark.parametrize(
    "text",
    [
        PHASE + "log = 2",
        PHASE + 'log = 1\nsteps = "0"',
        PHASE + 'log = 1\nsteps = "62-"',
        MUD,
        UNIT + 'last = "1:0"',
        MARCH + 'log = 1\nsteps = "59"',
        MARCH,
    ],
)
def test_a_fact_that_matches_something_is_not(oddities: Oddities, text: str) -> None:
    assert oddities(text + "\n") == []


@pytest.mark.parametrize("step", [3, 9])
def test_whether_a_hidden_unit_was_displaced_is_not_told(oddities: Oddities, step: int) -> None:
    told = f'[[displacement]]\nform = "march"\nunit = "{HIDDEN}"\nlog = 1\nsteps = "{step}"\n'
    assert oddities(told) == []


def test_a_unit_that_comes_into_play_in_a_later_log_stops_nothing(oddities: Oddities) -> None:
    logs = '[facts]\nlogs = ["drill-1-red.vlog", "drill-2-blue.vlog", "later.vlog"]\n'
    later = logs + UNIT.replace("Red HQ", "Red Reserve") + 'first = "later.vlog:2"\n'
    march = MARCH.replace("Red HQ", "Red Reserve") + 'log = "later.vlog"\n'
    said = "set aside: it is about log later.vlog, which is not among the logs here: "
    said += "drill-1-red.vlog, drill-2-blue.vlog; if it was renamed, write its new name (2 times)"
    assert oddities(later + march) == [f"note: facts.toml line 7: {said}"]


def test_a_unit_that_is_not_there_in_the_logs_a_fact_is_about_is_refused(
    oddities: Oddities,
) -> None:
    with pytest.raises(
        WrongPack, match="expected the id or the name of one unit; found Red Reserve"
    ):
        oddities(UNIT.replace("Red HQ", "Red Reserve") + 'first = "2:2"\n')


def test_a_side_of_a_unit_that_comes_into_play_later_stops_nothing(oddities: Oddities) -> None:
    """A side holds for the whole game, so that no log can be named with it."""
    told = '[[unit]]\nunit = "1795262786999"\nside = "Red"\n'
    said = (
        "sides of units that are in none of these logs, the first 1795262786999: is the id right?"
    )
    assert oddities(told + told) == [f"warning: facts.toml line 1: {said} (2 times)"]


def test_an_id_that_is_in_none_of_the_logs_a_fact_is_about_is_refused(oddities: Oddities) -> None:
    """The unit cannot come into play later: its number is mistyped."""
    for span in ('log = 1\nsteps = "5-9"\n', 'first = "1:2"\n', ""):
        with pytest.raises(WrongPack, match="found 1795262786999"):
            oddities('[[unit]]\nunit = "1795262786999"\nattributes = {ma = 8}\n' + span)
