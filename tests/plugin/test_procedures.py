"""The error procedures that ship, and those in files of one's own."""

from __future__ import annotations

from pathlib import Path

import pytest
from vassal_umpire.model.problem import UmpireError
from vassal_umpire.plugin.desk.procedures import procedure_named, procedures

OWN = """
name = "ours"
title = "Ours"
[movement]
seal = "move"
correction = "Again."
[combat]
seal = "roll"
correction = "Again."
"""


def test_those_that_ship() -> None:
    assert [one.name for one in procedures()] == [
        "plain",
        "bitter-woods",
        "bpa-anzio",
        "the-russian-campaign",
    ]
    seals = {one.name: (one.movement, one.combat) for one in procedures()}
    assert seals == {
        "plain": ("roll or move", "roll or move"),
        "bitter-woods": ("roll", "roll"),
        "bpa-anzio": ("roll", "roll"),
        "the-russian-campaign": ("move", "move"),
    }


@pytest.mark.parametrize("one", procedures()[1:], ids=lambda one: one.name)
def test_each_cites_its_text(one) -> None:
    assert one.source.startswith("http://")
    assert one.movement_correction.endswith(".")
    assert one.combat_correction.endswith(".")


def test_one_of_your_own(tmp_path: Path) -> None:
    file = tmp_path / "ours.toml"
    file.write_bytes(b"\xef\xbb\xbf" + OWN.replace("\n", "\r\n").encode())
    found = procedure_named(str(file))
    assert (found.name, found.seal("movement"), found.seal("combat")) == ("ours", "move", "roll")
    assert found.source == ""


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (OWN.replace('"move"', '"dice"'), "movement.seal"),
        (OWN.replace('seal = "roll"\n', ""), "combat: expected the key seal"),
        ("name = [", "is no TOML"),
        ("\udcff", "is no TOML"),
        ("x" * 100_001, "is longer than"),
    ],
)
def test_what_is_no_procedure_gets_one_line(tmp_path: Path, text: str, said: str) -> None:
    file = tmp_path / "ours.toml"
    file.write_bytes(text.encode("utf-8", "surrogateescape"))
    with pytest.raises(UmpireError) as error:
        procedure_named(str(file))
    assert said in str(error.value)
    assert "\n" not in str(error.value)


def test_a_name_that_none_has() -> None:
    with pytest.raises(
        UmpireError, match="no error procedure 'bitterwoods'; expected one of plain"
    ):
        procedure_named("bitterwoods")
