"""A ruleset that builds on another: its clauses, its tables, what may be wrong with it, and its own words.

The rulesets are those of the made-up game in ``tests/ford``."""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from itertools import count
from pathlib import Path
from typing import Any

import pytest
import tomlkit
from told import read
from vassal_umpire.importers.cases.case import Case
from vassal_umpire.importers.cases.load import read_cases
from vassal_umpire.model.bill import Amount
from vassal_umpire.model.game import Rules
from vassal_umpire.model.problem import WrongPack
from vassal_umpire.plugin.conformance import Outcome, differences, run_case
from vassal_umpire.validators.rulesets.generic import TableRuleset

FORD = Path(__file__).parents[1] / "ford" / "ford_game"
CASES = {case.id: case for case in read_cases([FORD / "cases"])}
NUMBERS = count()
WHOLE = tomlkit.parse((FORD / "manifest.toml").read_text("utf-8")).unwrap()["rules"]["complete"]


def another(tmp_path: Path, manifest: dict[str, Any], clauses: dict[str, Any]) -> Path:
    """The folder of the ruleset of the ford with other words in its manifest and its clauses."""
    folder = tmp_path / f"ford_{next(NUMBERS)}"
    folder.mkdir()
    for file in ("__init__.py", "schema.json"):
        (folder / file).write_text((FORD / file).read_text("utf-8"), "utf-8")
    for file, more in (("manifest.toml", manifest), ("clauses.toml", clauses)):
        held = tomlkit.parse((FORD / file).read_text("utf-8")).unwrap()
        for key, value in more.items():
            held[key] = {**held[key], **value} if isinstance(held.get(key), dict) else value
        (folder / file).write_text(tomlkit.dumps(held), "utf-8")
    return folder


def outcome(case: Case, ruleset: TableRuleset, **rules: Any) -> Outcome:
    game = replace(case.game, rules=replace(case.game.rules, **rules))
    return run_case(replace(case, game=game), ruleset)


@pytest.mark.parametrize("name", sorted(CASES))
def test_cases_without_any_charts_of_their_own(name: str, ford: TableRuleset) -> None:
    case = CASES[name]
    assert differences(case.expectation, run_case(case, ford)) == ()


def test_findings_and_bills_cite_its_clauses_and_name_them(ford: TableRuleset) -> None:
    found = outcome(CASES["FAR"], ford)
    assert {"FORD-1", "FORD-2"} <= found.cited
    assert not any(name.startswith("GEN-") for name in found.cited)
    assert ford.clauses()["FORD-1"].title == "March"


def test_a_clause_of_a_row_goes_before_that_of_its_chart(ford: TableRuleset) -> None:
    assert "FORD-4" in outcome(CASES["WET"], ford).cited
    assert outcome(CASES["BOG"], ford).codes == {"FORD-5"}


@pytest.mark.parametrize(
    ("case", "clause"), [("FAR", "FORD-1"), ("WOOD", "FORD-2"), ("BOG", "FORD-5")]
)
def test_its_clauses_can_be_switched_off(case: str, clause: str, ford: TableRuleset) -> None:
    assert outcome(CASES[case], ford, off=(clause,)).verdict == "legal"


def test_a_row_that_is_switched_off_leaves_the_others_their_clauses(ford: TableRuleset) -> None:
    assert outcome(CASES["BOG"], ford, off=("FORD-4",)).codes == {"FORD-5"}
    assert outcome(CASES["WET"], ford, off=("FORD-4",)).cost == Amount.exactly(1)


def test_it_asks_in_its_own_words(ford: TableRuleset) -> None:
    asked = [
        u.question for move in outcome(CASES["WET-OPEN"], ford).audit.moves for u in move.unknowns
    ]
    assert asked == ["how is the weather, dry or wet?"]


def test_clauses_for_which_none_of_its_own_stands_are_those_of_the_base(
    ford: TableRuleset,
) -> None:
    assert "GEN-TERRAIN" not in ford.clauses()
    assert "GEN-ORDER" in ford.clauses()
    assert "GEN-ORDER" not in ford.own_clauses


# -- a pack writes over its tables ------------------------------------------------------------------


def test_a_pack_writes_a_row_over_its_tables(ford: TableRuleset) -> None:
    wood = {"terrain": {"costs": {"wood": {"wheels": 2}}}}
    assert outcome(CASES["WOOD"], ford, tables=wood).verdict == "legal"


def test_what_it_calls_complete_needs_no_word_of_the_pack(ford: TableRuleset) -> None:
    assert outcome(CASES["FAR"], ford, complete=frozenset()).verdict == "illegal"


def test_a_chart_that_a_pack_writes_is_complete_if_the_pack_says_so(ford: TableRuleset) -> None:
    none: dict[str, Any] = {"steps": []}
    assert outcome(CASES["FAR"], ford, tables=none, complete=frozenset()).verdict == "unverifiable"
    told = outcome(CASES["FAR"], ford, tables=none, complete=frozenset({"steps"}))
    assert told.codes == {"FORD-1"}


def test_a_chart_it_brings_is_not_called_complete_or_none_by_a_pack(ford: TableRuleset) -> None:
    """Either way nobody could tell which is meant."""
    with pytest.raises(WrongPack, match="brings the chart zoc itself"):
        outcome(CASES["FAR"], ford, complete=frozenset({"zoc"}))


def test_its_schema_asks_for_nothing_that_it_brings(ford: TableRuleset) -> None:
    assert ford.schema.faults({}) == ()
    assert ford.schema.faults({"terrain": {"costs": {"lava": "prohibited"}}}) == ()
    assert ford.schema.plain["properties"]["terrain"]["clauses"] == ["FORD-2", "GEN-WHOLE"]
    (fault,) = ford.schema.faults({"terrrain": {}})
    assert "did you mean terrain?" in fault.expected
    with pytest.raises(WrongPack, match=r"rules.terrain.costs.lava"):
        outcome(CASES["FAR"], ford, tables={"terrain": {"costs": {"lava": "hot"}}})


def test_a_chart_of_its_own_is_written_over_as_any_other(ford: TableRuleset) -> None:
    dearer = {"guns": {"wood": 2}}
    assert outcome(CASES["GUNS"], ford, tables=dearer).cost == Amount.exactly(4)
    left_open = outcome(CASES["GUNS"], ford, tables=dearer, complete=frozenset())
    assert (left_open.verdict, left_open.unknowns) == ("unverifiable", {"chart guns"})
    with pytest.raises(WrongPack, match=r"rules.guns.wood: expected a whole number of MPs"):
        outcome(CASES["GUNS"], ford, tables={"guns": {"wood": "two"}})


# -- what may be wrong with it --------------------------------------------------------------------


@pytest.mark.parametrize(
    ("manifest", "clauses", "said"),
    [
        ({"prefix": "FRD-"}, {}, "expected ids that begin with FRD-; found FORD-1"),
        ({"extends": "ocs"}, {}, 'expected "generic"'),
        ({"name": "Ford"}, {}, "the name of the ruleset in small letters"),
        ({"nmae": "x"}, {}, "did you mean name?"),
        ({"rules": {"stacking": {"limit": "two"}}}, {}, "rules.stacking.limit: expected"),
        ({"rules": {"complete": ["terain"]}}, {}, "there is no chart terain"),
        ({}, {"FORD-1": {"base": ["GEN-MARCH"]}}, "found GEN-MARCH"),
        ({}, {"FORD-1": {"base": ["GEN-TERRAIN"]}}, "both stand for GEN-TERRAIN"),
        ({"rules": {"stacking": {"limit": 2, "clause": "FORD-99"}}}, {},
         "rules.stacking[1].clause: expected a clause of clauses.toml; found FORD-99"),
        ({"rules": {"enemy_hex": {"cost": 2, "clause": "FORD-7"}}}, {},
         "expected a clause in rows of steps, zoc, stacking, surcharges; found one in enemy_hex"),
    ],
)  # fmt: skip
def test_what_is_wrong_with_a_manifest_is_said(
    tmp_path: Path, loaded: Any, manifest: dict[str, Any], clauses: dict[str, Any], said: str
) -> None:
    with pytest.raises(WrongPack) as told:
        loaded(another(tmp_path, manifest, clauses))
    assert said in str(told.value)


def test_a_manifest_that_is_no_toml_is_said_to_be_none(tmp_path: Path, loaded: Any) -> None:
    folder = tmp_path / "ford_broken"
    folder.mkdir()
    (folder / "__init__.py").write_text((FORD / "__init__.py").read_text("utf-8"), "utf-8")
    with pytest.raises(WrongPack, match=r"manifest.toml of ford_broken: is not there"):
        loaded(folder)
    (folder / "manifest.toml").write_text("name = \n", "utf-8")
    with pytest.raises(WrongPack, match=r"manifest.toml of ford_broken: is not valid TOML"):
        loaded(folder)


def test_rules_of_a_game_name_its_tables(ford: TableRuleset) -> None:
    words = ford.words(Rules("ford-game"))
    assert words["terrain"].know("wood")
    assert not words["terrain"].know("lava")
    more = Rules("ford-game", {"terrain": {"costs": {"lava": 3}}})
    assert ford.words(more)["terrain"].know("lava")


@pytest.mark.parametrize(
    ("spent", "asked"),
    [
        ('"as entered"', {"spent before leaving 0101", "unit a may move on from 0101 at 1:4"}),
        ("0", {"unit a may move on from 0101 at 1:4"}),
    ],
)
def test_what_its_clauses_say_of_coming_onto_the_map_is_asked(
    spent: str, asked: set[str], ford: TableRuleset
) -> None:
    """Clauses in Python are about steps from hex to hex."""
    found = run_case(read(COMING.replace("SPENT", spent)), ford)
    assert found.verdict == "unverifiable"
    assert {u.key for move in found.audit.moves for u in move.unknowns} == asked


COMING = """
ruleset = "ford-game"
[legend]
"." = "clear"
[attributes]
class = "foot"
ma = 4
guns = "no"
[rules.entering]
spent = SPENT
[[case]]
id = "COMING"
title = "it comes onto the map and moves on"
clauses = ["FORD-1"]
kind = "unverifiable"
board = '''
 .
     .
'''
units = ["a Red [Reserve]"]
moves = ["a: [Reserve] 0101", "roll", "a: 0101 0201"]
expect = { verdict = "unverifiable", unknowns = ["any"] }
"""


# -- how a manifest writes what an attribute can be -------------------------------------------------


PYTHON = """
from vassal_umpire.validators.rulesets.generic import cost, forbid, ruleset

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


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory, loaded: Any) -> Any:
    """Makes the ruleset of the ford, with clauses about guns, another manifest, and ``asked`` for guns."""

    @cache
    def make(written: str, asked: str = '"yes"') -> TableRuleset:
        manifest = WRITTEN[written]
        rules = {**manifest.get("rules", {})}
        rules["complete"] = [*WHOLE, *rules]
        crew = {"question": "how many?", "values": [1, 2]}
        attributes = {**manifest["attributes"], "crew": crew}
        told = {"attributes": attributes, "rules": rules}
        folder = another(tmp_path_factory.mktemp("guns"), told, {})
        (folder / "__init__.py").write_text(PYTHON.replace("ASKED", asked), "utf-8")
        return loaded(folder)

    return make


def on_the_way(ruleset: TableRuleset, units: list[str]) -> Outcome:
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
    assert on_the_way(made(written), [unit]).verdict == verdict


@pytest.mark.parametrize("written", WRITTEN)
@pytest.mark.parametrize("asked", ['"yes"', "True"])
@pytest.mark.parametrize(
    ("guns", "verdict"), [("{0}", "illegal"), ("{1}", "legal"), ("?", "unverifiable")]
)
def test_an_enemy(written: str, asked: str, guns: str, verdict: str, made: Any) -> None:
    units = ["a Red 0101", f"e Blue 0301 guns={guns.format(*said(written))}"]
    assert on_the_way(made(written, asked), units).verdict == verdict


@pytest.mark.parametrize(("crew", "cost"), [("1", "3"), ("2", "4"), ("?", "3 to 4")])
def test_a_number_that_the_manifest_lists_is_a_number(crew: str, cost: str, made: Any) -> None:
    found = on_the_way(made("words"), [f"a Red 0101 guns=yes crew={crew}"])
    assert (found.verdict, str(found.cost)) == ("legal", cost)
