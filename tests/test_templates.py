"""The template on a ruleset's page, bound to a module with ordinary units, decides ordinary moves.

A ruleset's game is a small module of our own: a field of plain hexes, a handful of counters without any mark.
"""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import pytest
from click.testing import CliRunner
from vassal_umpire.plugin.cli import main

sys.path.append(str(Path(__file__).resolve().parent.parent / "samples"))

from module_builder.counter import Livery
from module_builder.scenarios import Log, Scenario, Unit
from module_builder.sheet import Line, Sheet, Side, Way
from module_builder.table import Table

PROJECT = Path(__file__).resolve().parent.parent
RED, BLUE = "Red", "Blue"
PLAIN = """
    .........
    .........
    .........
    .........
    .........
"""


@dataclass(frozen=True)
class Ordinary:
    """What one ruleset's template is held to. ``ground``: the name of plain terrain. ``units``: name → (hex,
    what ``units.csv`` says). ``moves``: (unit, hexes dragged to, verdict), in one phase of Red's."""

    ground: str
    phase: str
    units: Mapping[str, tuple[str, Mapping[str, str | int]]]
    moves: Sequence[tuple[str, tuple[str, ...], str]]
    facings: int = 0
    lines: Sequence[Line] = ()


SQUAD = {"officers": 0, "engineer": "no", "heavy_weapon": "no", "tank": "no", "transport": 0}
BATTALION = {
    "nation": "us", "designation": "1/12", "formation": "4th", "command": "VIII", "strength": 3,
    "stacking": 2, "echelon": "division", "range": "", "traction": "", "calibre": "", "red": "no",
    "bridge": "", "breakdown": "no", "division": "no",
}  # fmt: skip
_ZC_INFANTRY: Mapping[str, str | int] = {
    "ma": 4, "class": "non-motorized", "column": "second", "nationality": "Italian",
    "infantry": "yes", "special": "no", "combat": "yes", "zoc": "partial", "own_zoc": "partial",
    "size": 1,
}  # fmt: skip
ORDINARY = {
    "generic": Ordinary(
        "clear",
        "Movement",
        {
            "Able": ("0102", {"class": "foot", "ma": 4}),
            "Baker": ("0103", {"class": "foot", "ma": 4}),
            "Lorry": ("0105", {"class": "wheels", "ma": 8}),
        },
        [
            ("Able", ("0302",), "legal"),
            ("Baker", ("0603",), "illegal"),
            ("Lorry", ("0905",), "legal"),
        ],
        lines=[Side("river", "0702/0802")],
    ),
    "battle-for-moscow": Ordinary(
        "clear",
        "Movement",
        {
            "5 Army": ("0102", {"class": "infantry", "ma": 4}),
            "3 Army": ("0103", {"class": "infantry", "ma": 4}),
            "XL Pz": ("0105", {"class": "panzer", "ma": 6}),
        },
        # Whether it is mud, a pack does not say: one hex is right in any weather, five are too many.
        [
            ("5 Army", ("0202",), "legal"),
            ("3 Army", ("0603",), "illegal"),
            ("XL Pz", ("0205",), "legal"),
        ],
    ),
    "tide-of-iron": Ordinary(
        "clear",
        "Action",
        {
            "Able": ("0102", {"type": "regular infantry", "class": "squad", "ma": 4, **SQUAD}),
            "Baker": ("0103", {"type": "regular infantry", "class": "squad", "ma": 4, **SQUAD}),
            "Lorry": (
                "0105",
                {"type": "truck", "class": "truck", "ma": 4, **SQUAD, "transport": 2},
            ),
        },
        [
            ("Able", ("0302",), "legal"),
            ("Baker", ("0603",), "illegal"),
            ("Lorry", ("0905",), "legal"),
        ],
        lines=[Way("road", "0105 0905")],
    ),
    "ocs": Ordinary(
        "open",
        "Movement",
        {
            "7 Inf": (
                "0102",
                {"class": "leg", "ma": 4, "type": "combat", "attack": "yes", "re": 1},
            ),
            "8 Inf": (
                "0103",
                {"class": "leg", "ma": 4, "type": "combat", "attack": "yes", "re": 1},
            ),
            "Trucks": ("0105", {"class": "truck", "ma": 4, "type": "hq", "attack": "no", "re": 1}),
        },
        [
            ("7 Inf", ("0302",), "legal"),
            ("8 Inf", ("0603",), "illegal"),
            ("Trucks", ("0905",), "legal"),
        ],
        lines=[Way("road", "0105 0905")],
    ),
    "zoc-classes": Ordinary(
        "clear",
        "Initial Movement",
        {
            "7 Inf": ("0102", _ZC_INFANTRY),
            "8 Inf": ("0103", _ZC_INFANTRY),
            "9 Inf": ("0105", _ZC_INFANTRY),
        },
        [
            ("7 Inf", ("0302",), "legal"),
            ("8 Inf", ("0603",), "illegal"),
            ("9 Inf", ("0505",), "legal"),
        ],
        lines=[Way("road", "0105 0905")],
    ),
    "valor-and-victory": Ordinary(
        "open",
        "Movement",
        {
            "Able": ("0102", {"class": "squad", "mp": 0, "transport": "none", "tow": "no"}),
            "Baker": ("0103", {"class": "squad", "mp": 0, "transport": "none", "tow": "no"}),
            "Tank": ("0301", {"class": "afv", "mp": 8, "transport": "none", "tow": "no"}),
        },
        [
            ("Able", ("0302",), "legal"),
            ("Baker", ("0603",), "illegal"),
            ("Tank", ("0304",), "legal"),
        ],
        facings=6,
        lines=[Way("road", "0105 0905")],
    ),
    "wacht-am-rhein": Ordinary(
        "clear",
        "Movement",
        {
            "Able": ("0102", {**BATTALION, "class": "leg", "type": "infantry"}),
            "Baker": ("0103", {**BATTALION, "class": "leg", "type": "infantry"}),
            "Tank": ("0105", {**BATTALION, "class": "mech", "type": "armor"}),
        },
        [
            ("Tank", ("0905",), "legal"),
            ("Able", ("0302",), "legal"),
            ("Baker", ("0903",), "illegal"),
        ],
        lines=[Way("primary", "0105 0905")],
    ),
}


def template(ruleset: str) -> str:
    """The first block of TOML on the page of a ruleset."""
    page = (PROJECT / "docs" / "rulesets" / f"{ruleset}.md").read_text(encoding="utf-8")
    found = re.search(r"```toml\n(.*?)```", page, re.DOTALL)
    assert found is not None, f"no template on the page of {ruleset}"
    return found[1]


def game(ruleset: str, it: Ordinary) -> Scenario:
    """The small module, and a log of its moves."""

    def play(table: Table) -> None:
        table.phase(it.phase)
        for unit, hexes, _ in it.moves:
            table.move(f"{RED} {unit}", *hexes)
        table.phase("End")

    units = [Unit(RED, name, at, "squad", "", "", facts) for name, (at, facts) in it.units.items()]
    first = next(iter(it.units.values()))[1]
    units.append(Unit(BLUE, "Foe", "0901", "squad", "", "", first))
    return Scenario(
        name="plain",
        title="Plain",
        about="An ordinary module.",
        sides={RED: Livery((190, 60, 50, 255)), BLUE: Livery((60, 90, 190, 255))},
        players={RED: "Robin", BLUE: "Bluebell"},
        phases=("Begin", it.phase, "End"),
        sheet=Sheet(PLAIN, {".": (it.ground,)}, it.lines),
        units=units,
        logs=[Log("1-red", 1, RED, "Begin", play)],
        facings=it.facings,
    )


@pytest.mark.parametrize("ruleset", sorted(ORDINARY))
def test_the_template_decides_ordinary_moves(ruleset: str, tmp_path: Path) -> None:
    it = ORDINARY[ruleset]
    game(ruleset, it).build(tmp_path)
    (tmp_path / "pack" / "pack.toml").write_text(template(ruleset), encoding="utf-8")
    result = CliRunner().invoke(main, ["audit", str(tmp_path / "1-red.vlog"), "--format", "json"])
    assert result.exit_code in (0, 1), result.output
    found = json.loads(result.stdout)
    verdicts = {m["units"][0]["name"]: m["verdict"] for m in found["moves"]}
    asked = [question["question"] for question in found["unknowns"].values()]
    assert verdicts == {f"{RED} {name}": verdict for name, _, verdict in it.moves}, asked
