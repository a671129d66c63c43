"""One more entry in a list of a TOML file, and one less: the rest stays as a person wrote it."""

from __future__ import annotations

from typing import Any

import pytest
from vassal_umpire.importers.pack.edit.table import EditRefused
from vassal_umpire.importers.pack.edit.toml import values_of, with_value

TEXT = b"""# by hand
[[units.are]]   # what is printed
property = "Class"

[units]
complete = ["units"] # all

[[phase]]
name = "Movement"

# the rules
[rules]
steps = [{ cost = 1 }]
"""


@pytest.mark.parametrize(
    ("path", "now", "block"),
    [
        (("units", "are", 1), {"column": "unit"}, '[[units.are]]\ncolumn = "unit"\n'),
        (("units", "not", 0), {"column": "unit"}, '[[units.not]]\ncolumn = "unit"\n'),
        (("phase", 1), {"name": "Combat"}, '[[phase]]\nname = "Combat"\n'),
        (("form", 0), {"name": "march"}, '[[form]]\nname = "march"\n'),
        (("rules", "steps", 1), {"cost": 2}, "steps = [{ cost = 1 }, { cost = 2 }]\n"),
        (("units", "complete", 1), "ma", 'complete = ["units", "ma"] # all\n'),
    ],
)
def test_an_entry_is_added_where_the_others_are(path: Any, now: Any, block: str) -> None:
    written = with_value(TEXT, path, now, "pack.toml")
    assert block in written.decode()
    for line in (
        b"# by hand",
        b"# what is printed",
        b"# all",
        b"# the rules",
        b'name = "Movement"',
    ):
        assert line in written
    held: Any = values_of(written, "pack.toml")
    for part in path:
        held = held[part]
    assert held == now
    assert values_of(with_value(written, path, None, "pack.toml"), "pack.toml") == values_of(
        TEXT, "pack.toml"
    )


def test_the_last_table_of_a_list_takes_the_list_with_it() -> None:
    left = values_of(with_value(TEXT, ("units", "are", 0), None, "pack.toml"), "pack.toml")
    assert left["units"] == {"complete": ["units"]}


def test_no_entry_is_left_out() -> None:
    with pytest.raises(EditRefused, match="no place for phase"):
        with_value(TEXT, ("phase", 3), {"name": "Combat"}, "pack.toml")


def test_a_table_in_one_that_stands_in_parts_gets_a_header_of_its_own() -> None:
    """``[units]`` in parts, as a first pack has it: tomlkit adds no table to it."""
    before = b'[[units.are]]\ncolumn = "unit"\n\n[units]\nside = { property = "S" }\n\n[units.attributes]\n'
    path = ("units", "checked", "side 2026-11-29T18:17:01Z")
    after = with_value(before, path, {"typed": 6}, "pack.toml")
    assert after == before + b'\n[units.checked."side 2026-11-29T18:17:01Z"]\ntyped = 6\n'
    assert with_value(after, path, None, "pack.toml").strip() == before.strip()
