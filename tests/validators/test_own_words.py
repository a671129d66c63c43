"""What a clause in Python is told of a value that may be yes or no, or a number: one spelling, known or not,
however manifest, tables and packs write it."""

from __future__ import annotations

from itertools import count
from pathlib import Path
from typing import Any

import pytest
import tomlkit
from told import read
from vassal_umpire.plugin.conformance import Outcome, run_case
from vassal_umpire.validators.base import ExtendedRuleset

FORD = Path(__file__).parents[1] / "ford" / "ford_game"
NUMBERS = count()
PYTHON = """
from vassal_umpire.validators.base import cost, forbid, ruleset

@cost("FORD-8", "guns in a wood")
def guns(step):
    assert step.unit("guns") in ("yes", "no")
    return step.number("crew") if step.unit("guns") == "yes" and step.into.has("wood") else 0

@forbid("FORD-9", "passes under guns")
def under_guns(step):
    return step.into.next_to_enemy(guns=ASKED)

RULESET = ruleset(__name__, clauses=[guns, under_guns])
"""
WRITTEN: dict[str, dict[str, Any]] = {
    "words": {"attributes": {"guns": {"question": "guns?", "values": ["yes", "no"]}}},
    "other words": {"attributes": {"guns": {"question": "guns?", "values": ["True", "false"]}}},
    "booleans": {"attributes": {"guns": {"question": "guns?", "values": [True, False]}}},
    "a row of the tables": {
        "attributes": {"guns": {"question": "guns?"}},
        "rules": {
            "surcharges": [
                {"reason": "x", "cost": 0, "if": [{"attribute": "guns", "is": [True]}]},
                {"reason": "y", "cost": 0, "if": [{"attribute": "guns", "is": [False]}]},
            ]
        },
    },
}
"""How a manifest may write what an attribute can be: by name, what differs from the manifest of the ford."""


@pytest.fixture
def made(tmp_path: Path, loaded: Any) -> Any:
    """Makes the ruleset of the ford, with clauses about guns, another manifest, and ``asked`` for guns."""

    def make(manifest: dict[str, Any], asked: str = '"yes"') -> ExtendedRuleset:
        folder = tmp_path / f"ford_words_{next(NUMBERS)}"
        folder.mkdir()
        (folder / "__init__.py").write_text(PYTHON.replace("ASKED", asked), "utf-8")
        for file in ("clauses.toml", "schema.json"):
            (folder / file).write_text((FORD / file).read_text("utf-8"), "utf-8")
        held = tomlkit.parse((FORD / "manifest.toml").read_text("utf-8")).unwrap()
        crew = {"question": "how many?", "values": [1, 2]}
        held["attributes"] = {**held["attributes"], **manifest["attributes"], "crew": crew}
        for chart, rows in manifest.get("rules", {}).items():
            held["rules"][chart] = rows
            held["rules"]["complete"] = [*held["rules"]["complete"], chart]
        (folder / "manifest.toml").write_text(tomlkit.dumps(held), "utf-8")
        return loaded(folder)

    return make


def outcome(ruleset: ExtendedRuleset, units: list[str]) -> Outcome:
    """What is found when a goes into a wood; one unit lies beyond it."""
    case = read(f"""ruleset = "ford-game"
[legend]
"." = "clear"
w = "wood"
[attributes]
class = "foot"
ma = 4
crew = 2
guns = "no"
[[case]]
id = "X"
title = "guns"
kind = "unverifiable"
clauses = ["FORD-8"]
board = '''
 .   .
   w
'''
units = {units}
moves = ["a: 0101 0201"]
expect = {{ verdict = "unverifiable" }}
""")
    return run_case(case, ruleset)


def said(written: str) -> tuple[str, str]:
    """How a fact says yes and no."""
    return ("yes", "no") if written == "words" else ("true", "false")


@pytest.mark.parametrize("written", WRITTEN)
@pytest.mark.parametrize(
    ("told", "verdict"),
    [
        ("ma=3 guns={0}", "illegal"),
        ("ma=4 guns={0}", "legal"),
        ("ma=2 guns={1}", "legal"),
        ("ma=4 guns=?", "legal"),
        ("ma=3 guns=?", "unverifiable"),
        ("ma=1 guns=?", "illegal"),
    ],
)
def test_the_mover(written: str, told: str, verdict: str, made: Any) -> None:
    unit = f"a Red 0101 {told.format(*said(written))}"
    assert outcome(made(WRITTEN[written]), [unit]).verdict == verdict


@pytest.mark.parametrize("written", WRITTEN)
@pytest.mark.parametrize("asked", ['"yes"', "True"])
@pytest.mark.parametrize(
    ("guns", "verdict"), [("{0}", "illegal"), ("{1}", "legal"), ("?", "unverifiable")]
)
def test_an_enemy(written: str, asked: str, guns: str, verdict: str, made: Any) -> None:
    units = ["a Red 0101", f"e Blue 0301 guns={guns.format(*said(written))}"]
    assert outcome(made(WRITTEN[written], asked), units).verdict == verdict


@pytest.mark.parametrize(("crew", "cost"), [("1", "3"), ("2", "4"), ("?", "3 to 4")])
def test_a_number_that_the_manifest_lists_is_a_number(crew: str, cost: str, made: Any) -> None:
    found = outcome(made(WRITTEN["words"]), [f"a Red 0101 guns=yes crew={crew}"])
    assert (found.verdict, str(found.cost)) == ("legal", cost)
