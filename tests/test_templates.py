"""The template on a ruleset's page, bound to a module with ordinary units, decides ordinary moves.

A ruleset's game is a small module of our own: a field of plain hexes, a handful of counters without any mark.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import pytest
from command_line import report_of
from sample_pack import PROJECT

sys.path.append(str(Path(__file__).resolve().parent.parent / "samples"))

from module_builder.counter import Livery
from module_builder.scenarios import Log, Scenario, Unit
from module_builder.sheet import Line, Sheet, Side, Way
from module_builder.table import Table

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
    """What one ruleset's template is held to. ``ground``: the name of plain terrain. ``rows``: Red's units in
    the order in which they are dragged in one phase: ``name | from | to | verdict | what units.csv says``.
    ``usual``: what it says of all of them besides."""

    ground: str
    phase: str
    rows: str
    usual: Mapping[str, str] = field(default_factory=dict)
    facings: int = 0
    lines: Sequence[Line] = ()

    def moves(self) -> list[tuple[str, str, str, str, dict[str, str]]]:
        cells = [line.split(" | ") for line in self.rows.strip().splitlines()]
        return [(*row, self.usual | facts(told)) for *row, told in cells]  # type: ignore[misc]


def facts(text: str) -> dict[str, str]:
    return dict(one.split("=") for one in text.split(", "))


ROAD = [Way("road", "0105 0905")]
ORDINARY = {
    "generic": Ordinary(
        "clear",
        "Movement",
        """
Able | 0102 | 0302 | legal | class=foot, ma=4
Baker | 0103 | 0603 | illegal | class=foot, ma=4
Lorry | 0105 | 0905 | legal | class=wheels, ma=8
""",
        lines=[Side("river", "0702/0802")],
    ),
    # Whether it is mud, a pack does not say: one hex is right in any weather, five are too many.
    "battle-for-moscow": Ordinary(
        "clear",
        "Movement",
        """
5 Army | 0102 | 0202 | legal | class=infantry, ma=4
3 Army | 0103 | 0603 | illegal | class=infantry, ma=4
XL Pz | 0105 | 0205 | legal | class=panzer, ma=6
""",
    ),
    "tide-of-iron": Ordinary(
        "clear",
        "Action",
        """
Able | 0102 | 0302 | legal | type=regular infantry, class=squad
Baker | 0103 | 0603 | illegal | type=regular infantry, class=squad
Lorry | 0105 | 0905 | legal | type=truck, class=truck, transport=2
""",
        facts("ma=4, officers=0, engineer=no, heavy_weapon=no, tank=no, transport=0"),
        lines=ROAD,
    ),
    "ocs": Ordinary(
        "open",
        "Movement",
        """
7 Inf | 0102 | 0302 | legal | class=leg, type=combat, attack=yes
8 Inf | 0103 | 0603 | illegal | class=leg, type=combat, attack=yes
Trucks | 0105 | 0905 | legal | class=truck, type=hq, attack=no
""",
        facts("ma=4, re=1"),
        lines=ROAD,
    ),
    "zoc-classes": Ordinary(
        "clear",
        "Initial Movement",
        """
7 Inf | 0102 | 0302 | legal | ma=4
8 Inf | 0103 | 0603 | illegal | ma=4
9 Inf | 0105 | 0505 | legal | ma=4
""",
        facts(
            "class=non-motorized, column=second, nationality=Italian, infantry=yes, special=no, "
            "combat=yes, zoc=partial, own_zoc=partial, size=1"
        ),
        lines=ROAD,
    ),
    "valor-and-victory": Ordinary(
        "open",
        "Movement",
        """
Able | 0102 | 0302 | legal | class=squad, mp=0
Baker | 0103 | 0603 | illegal | class=squad, mp=0
Tank | 0301 | 0304 | legal | class=afv, mp=8
""",
        facts("transport=none, tow=no"),
        facings=6,
        lines=ROAD,
    ),
    "wacht-am-rhein": Ordinary(
        "clear",
        "Movement",
        """
Tank | 0105 | 0905 | legal | class=mech, type=armor
Able | 0102 | 0302 | legal | class=leg, type=infantry
Baker | 0103 | 0903 | illegal | class=leg, type=infantry
""",
        facts(
            "nation=us, designation=1/12, formation=4th, command=VIII, strength=3, stacking=2, "
            "echelon=division, range=, traction=, calibre=, red=no, bridge=, breakdown=no, division=no"
        ),
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
    moves = it.moves()

    def play(table: Table) -> None:
        table.phase(it.phase)
        for unit, _, to, _, _ in moves:
            table.move(f"{RED} {unit}", to)
        table.phase("End")

    units = [Unit(RED, name, at, "squad", "", "", told) for name, at, _, _, told in moves]
    units.append(Unit(BLUE, "Foe", "0901", "squad", "", "", moves[0][-1]))
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


@pytest.mark.usefixtures("unsuspected")
@pytest.mark.parametrize("ruleset", sorted(ORDINARY))
def test_the_template_decides_ordinary_moves(ruleset: str, tmp_path: Path) -> None:
    it = ORDINARY[ruleset]
    game(ruleset, it).build(tmp_path)
    (tmp_path / "pack" / "pack.toml").write_text(template(ruleset), encoding="utf-8")
    found = report_of(tmp_path / "1-red.vlog")
    verdicts = {m["units"][0]["name"]: m["verdict"] for m in found["moves"]}
    asked = [question["question"] for question in found["unknowns"].values()]
    assert verdicts == {f"{RED} {name}": verdict for name, _, _, verdict, _ in it.moves()}, asked
