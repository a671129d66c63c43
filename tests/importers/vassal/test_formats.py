"""Formatted strings, as the engine fills them in."""

from __future__ import annotations

import pytest
from vassal_umpire.importers.vassal.formats import parse_format

VALUES = {"name": "Zone 5", "gridLocation": None, "level1": "3"}


@pytest.mark.parametrize(
    ("text", "plain", "localized"),
    [
        ("", "", ""),
        ("   ", "", ""),
        ("hex", "hex", "hex"),
        (" hex ", " hex ", " hex "),
        (" $name$ ", "Zone 5", "Zone 5"),
        ("$name$ $gridLocation$.", "Zone 5 .", "Zone 5 ."),
        ("$other$!", "other!", "!"),
        ("007", "7", "7"),
        (" +12 ", "12", "12"),
        ("99999999999", "99999999999", "99999999999"),
        ("costs \\$5 $level1$", "costs $5 3", "costs $5 3"),
        ("$name", "name", "name"),
        ("a$name$b$", "aZone 5b", "aZone 5b"),
        ("$$name$$", "name", "name"),
        ('{"Turn 1"}', "Turn 1", "Turn 1"),
        ("{ level1 }", "3", "3"),
    ],
)
def test_filled_in(text: str, plain: str, localized: str) -> None:
    assert parse_format(text).render(VALUES) == plain
    assert parse_format(text).render(VALUES, localized=True) == localized


def test_other_names_are_looked_up() -> None:
    form = parse_format("$name$ in $Weather$ and $Night$")
    assert form.names == ("name", "Weather", "Night")
    lookup = {"Weather": "rain"}.get
    assert form.render(VALUES, lookup=lookup) == "Zone 5 in rain and Night"


@pytest.mark.parametrize("text", ["{level1 + 1}", '{"a" + "b"}', "{true}", "{f()}", "{}"])
def test_expressions_are_not_run(text: str) -> None:
    form = parse_format(text)
    assert not form.known
    assert form.render(VALUES) is None
