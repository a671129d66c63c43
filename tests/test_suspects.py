"""What a pack is suspected of changes nothing, names whose findings they are, and is retired by a look."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from command_line import umpire
from vassal_umpire.importers.cases.load import read_cases
from vassal_umpire.model import schemas
from vassal_umpire.model.board import edge
from vassal_umpire.model.finding import Audit
from vassal_umpire.model.game import Game
from vassal_umpire.model.provenance import Key, Method, Record
from vassal_umpire.model.suspect import PackFact, Suspect
from vassal_umpire.model.viewer import EVERYONE, Viewer
from vassal_umpire.model.vouching import as_recorded, values_of
from vassal_umpire.plugin.registry import rulesets
from vassal_umpire.plugin.reports.suspects import BOTH, ONE_PLAYER, suspect_text
from vassal_umpire.plugin.shown import looked_at
from vassal_umpire.validators.audit import audit
from vassal_umpire.validators.engine.mover import ClauseMover
from vassal_umpire.validators.judgement_cache import JudgementCache
from vassal_umpire.validators.prepared_game import PreparedGame
from vassal_umpire.validators.suspects import Suspected, candidates, suspects
from vassal_umpire.validators.suspects.accused import accusations, cleared
from vassal_umpire.validators.suspects.candidates import Candidates
from vassal_umpire.validators.suspects.trying import Memory, Trial, clears
from vassal_umpire.validators.unseen import seen_game

CASE = """
ruleset = "generic"

[legend]
"." = "clear"
f = "forest"

[attributes]
ma = 3

[rules.classes]
names = ["foot"]

[rules.allowance]
attribute = "ma"

[rules.terrain.costs]
clear = 1
forest = 2

[rules.hexsides.river]
cost = "+1"

[rules.roads.road]
cost = "1/2"

[[case]]
id = "A"
title = "three drags"
clauses = ["GEN-TERRAIN"]
kind = "illegal"
board = \"\"\"
 .       .
     .       .
 .       .
     .       .
 .       .
     .       .
\"\"\"
LINES
HEXES
units = [UNITS]
moves = [MOVES]
expect = { verdict = "illegal" }
"""


UNITS = '"a Red 0101", "b Red 0102", "c Red 0103", "d Blue 0403"'
TWICE = ", ".join(
    f'"phase Movement of Red, turn {turn}", "{unit}: {{0}}"' for turn, unit in enumerate("ab", 1)
)
HOME = '"a Red 0102 ma=1", "b Red 0102 ma=1"'
TOGETHER = '"a Red 0102", "b Red 0102"'


def game_of(folder: Path, moves: str, lines: str = "", hexes: str = "", units: str = UNITS) -> Game:
    text = CASE.replace("MOVES", moves).replace("LINES", lines).replace("HEXES", hexes)
    text = text.replace("UNITS", units)
    file = folder / "case.toml"
    file.write_text(text, encoding="utf-8")
    return read_cases([file])[0].game


def tried(
    game: Game,
    retired: frozenset[Key] = frozenset(),
    memory: Memory | None = None,
) -> tuple[tuple[Suspect, ...], Audit]:
    ruleset, kept = rulesets().get(game.rules.name), JudgementCache()
    found = audit(game, ruleset, judge=kept)
    named = suspects(game, ruleset, found, kept, retired=retired, memory=memory).facts
    return named, found


def illegal(found: Audit) -> int:
    return sum(one.verdict == "illegal" for one in found.findings)


REPEATED = ", ".join(
    f'"phase Movement of Red, turn {turn}", "{unit}: {path}"'
    for turn, (unit, path) in enumerate(
        (("a", "0101 0201 0301"), ("b", "0102 0202 0302"), ("c", "0103 0203 0303")), 1
    )
)
WOODED = ("0201", "0202", "0203", "0301", "0302", "0303", "0401", "0402")
FORESTS = f"hexes = {[f'{name} terrain=forest' for name in WOODED]}"


def test_who_repeats_one_error_keeps_every_finding_and_it_is_said_that_it_is_his(
    tmp_path: Path,
) -> None:
    game = game_of(tmp_path, REPEATED, hexes=FORESTS)
    named, found = tried(game)
    assert illegal(found) == 3
    assert [str(one.fact) for one in named][:1] == ["the chart cell terrain > costs > forest (2)"]
    assert (named[0].drags, named[0].clears, named[0].sides) == (3, 3, ("Red",))
    assert ONE_PLAYER in suspect_text(named[0])


def test_what_is_tried_for_one_reader_is_not_tried_again_for_the_next(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    game = game_of(tmp_path, REPEATED, hexes=FORESTS)
    alone = tried(game)[0]
    assert alone
    audited = list[PackFact]()
    make = Trial._audit

    def counted(trial: Trial, fact: PackFact) -> Audit | None:
        audited.append(fact)
        return make(trial, fact)

    monkeypatch.setattr(Trial, "_audit", counted)
    memory = Memory()
    assert [tried(game, memory=memory)[0] for _ in range(3)] == [alone] * 3
    assert audited
    assert len(audited) == len(set(audited))


def test_of_two_players_it_is_not_said_that_one_reads_the_rule_so(tmp_path: Path) -> None:
    both = f'{REPEATED}, "phase Movement of Blue, turn 3", "d: 0403 0402 0401"'
    named, _ = tried(game_of(tmp_path, both, hexes=FORESTS))
    assert named[0].sides == ("Blue", "Red")
    assert ONE_PLAYER not in suspect_text(named[0])
    assert f"{BOTH} may be wrong." in suspect_text(named[0])


def test_a_stack_moved_together_is_one_drag(tmp_path: Path) -> None:
    stacked = '"phase Movement of Red, turn 1", "a+b: 0102 0202 0302"'
    named, found = tried(game_of(tmp_path, stacked, hexes=FORESTS, units=TOGETHER))
    assert illegal(found)
    assert {(one.drags, one.clears) for one in named} == {(1, 1)}


def test_what_somebody_has_looked_at_is_not_suspected(tmp_path: Path) -> None:
    river = 'lines = ["river: 0102/0202"]'
    game = game_of(tmp_path, TWICE.format("0102 0202"), lines=river, units=HOME)
    cell = "/".join(edge("0102", "0202"))
    facts = [one.fact for one in tried(game)[0]]
    assert (facts[0].cell, facts[0].name) == (cell, "river")
    looked = frozenset((Key(cell, "hexsides", "river"),))
    assert (cell, "river") not in [
        (f.cell, f.name) for f in (o.fact for o in tried(game, retired=looked)[0])
    ]


def test_findings_that_go_with_a_changed_fact_are_counted(tmp_path: Path) -> None:
    game = game_of(tmp_path, REPEATED, hexes=FORESTS)
    _, found = tried(game)
    key = Key("0203", "terrain")
    record = Record(key, "forest", "typed", ("A",), "2026-01-01", Method("person", "by hand"))
    hexes = {**game.board.hexes, "0203": replace(game.board.hexes["0203"], terrain=("clear",))}
    now = replace(game, board=replace(game.board, hexes=hexes))
    assert values_of(now.board)[key] == "clear"
    before = replace(now, board=as_recorded(now.board, record))
    assert values_of(before.board)[key] == "forest"
    _, changed = tried(now)
    gone = cleared(accusations(found), changed)
    assert [one.finding.units for one in gone] == [("c",)]


@pytest.mark.ci
@pytest.mark.parametrize("name", ["ocs", "valor-and-victory", "crossroads"])
def test_nothing_else_of_a_report_is_other(name: str, project: Path) -> None:
    folder = project / "samples" / name
    words = ["audit", *sorted(folder.glob("*.vlog")), "--format", "json"]
    if (folder / "facts.toml").exists():
        words += ["--facts", folder / "facts.toml"]
    result = umpire(*words)
    told: dict[str, Any] = json.loads(result.stdout)
    assert schemas.faults("report", told) == ()
    plain = {key: value for key, value in told.items() if key not in ("suspects", "changed")}
    assert told["suspects"]
    assert result.exit_code == 1
    with pytest.MonkeyPatch.context() as without:
        without.setattr("vassal_umpire.plugin.shown.suspects", lambda *_, **__: Suspected())
        other = umpire(*words)
    assert json.loads(other.stdout) == plain
    assert other.exit_code == result.exit_code


@pytest.mark.ci
def test_pack_check_tells_of_it(project: Path) -> None:
    folder = project / "samples" / "ocs"
    words = ["pack", "check", folder / "pack", *sorted(folder.glob("*.vlog"))]
    words += ["--facts", folder / "facts.toml"]
    told = json.loads(umpire(*words, "--format", "json").stdout)
    assert schemas.faults("pack-check", told) == ()
    sides = [one["fact"]["cell"] for one in told["suspects"] if one["fact"]["kind"] == "hexside"]
    assert sides == ["0708/0807", "0707/0807", "0708/0808"]
    assert "Look at these first" in umpire(*words).stdout


def test_nothing_is_suspected_that_the_reader_may_not_know(tmp_path: Path) -> None:
    game = game_of(tmp_path, REPEATED, hexes=FORESTS)
    hidden = {
        name: replace(unit, seen_by=("Red",)) if name in "bc" else unit
        for name, unit in game.units.items()
    }
    game = replace(game, units=hidden)
    assert {one.drags for one in tried(seen_game(game, EVERYONE))[0]} == {1}
    assert tried(seen_game(game, Viewer(side="Red")))[0][0].drags == 3


def test_the_look_of_a_program_retires_no_suspicion() -> None:
    key = Key("0101", "terrain")
    by_person = Record(key, "clear", "looked-at", ("Wren",), "2026-11-22", Method("person", "eye"))
    by_program = replace(by_person, method=Method("program", "picture reader"))
    assert tuple(looked_at((by_person,), {key: "clear"})) == (key,)
    assert tuple(looked_at((by_program,), {key: "clear"})) == ()


ROAD = 'lines = ["road: 0102 0202", "road: 0302 0402"]'
LATE = (
    '"phase Movement of Red, turn 1", "c: 0103 0203", "phase Movement of Blue, turn 1", '
    '"a: 0101 0201", "b: 0102 0202", "d: 0403 0402"'
)
EARLY = (
    '"phase Movement of Red, turn 1", "c: 0103 0203", "d: 0403 0402", "e: 0401 0301", '
    '"phase Movement of Blue, turn 1", "f: 0303 0302"'
)
OF_BLUE = '"c Red 0103", "d Blue 0403", "e Blue 0401", "f Blue 0303"'
FAR = (
    '"phase Movement of Red, turn 1", "a: 0101 0301", "phase Movement of Red, turn 2", "b: 0102 0302",'
    ' "c: 0103 0203"'
)


@pytest.mark.parametrize(
    ("moves", "more", "kind", "cell"),
    [
        (TWICE.format("0102 0202"), {"lines": 'lines = ["river: 0102/0202"]', "units": HOME},
         "hexside", "0102/0202"),
        (TWICE.format("0102 0202 0302 0402"),
         {"lines": ROAD, "units": HOME.replace("ma=1", "ma=3/2")}, "line", "0202/0302"),
        (TWICE.format("0102 0202"), {"hexes": 'hexes = ["0202 terrain=forest"]', "units": HOME},
         "hex", "0202"),
        (REPEATED, {"hexes": FORESTS}, "chart", "terrain > costs > forest"),
        (
            '"phase Movement of Red, turn 1", "a: 0102 0202 0302", "phase Movement of Red, turn 2",'
            ' "b: 0103 0303", "phase Movement of Red, turn 3", "a: 0302 0202 0102"',
            {"units": '"a Red 0102 ma=1", "b Red 0103"'},
            "unit",
            "a",
        ),
        (LATE, {}, "phase", "1:3"),
        (EARLY, {"units": OF_BLUE}, "phase", "1:5"),
        (FAR, {"units": '"a Red 0101 ma=1", "b Red 0102 ma=1", "c Red 0103"'}, "form", "Movement"),
    ],
    ids=["hexside", "line", "hex", "chart", "unit", "border-too-early", "border-too-late", "form"],
)  # fmt: skip
def test_each_kind_of_fact_is_suspected_where_two_drags_rest_on_it(
    moves: str, more: dict[str, str], kind: str, cell: str, tmp_path: Path
) -> None:
    named, found = tried(game_of(tmp_path, moves, **more))
    assert illegal(found) >= 2
    first = [(one.fact.kind, one.fact.cell) for one in named[:3]]
    assert (kind, cell) in first, [str(one.fact) for one in named]


def test_of_a_border_it_is_told_where_the_phase_may_have_begun(tmp_path: Path) -> None:
    named, _ = tried(game_of(tmp_path, LATE))
    border = next(one for one in named if one.fact.kind == "phase")
    assert border.fact.instead == "1:6", "with the first drag of Blue"
    assert (border.drags, border.clears) == (2, 2)


def test_a_place_is_suspected_beside_a_number_that_explains_no_more_drags(tmp_path: Path) -> None:
    moves = ", ".join(
        f'"phase Movement of Red, turn {turn}", "{unit}: 0102 0202"'
        for turn, unit in enumerate("abc", 1)
    )
    units = ", ".join(f'"{unit} Red 0102 ma=1"' for unit in "abc")
    named, _ = tried(game_of(tmp_path, moves, lines='lines = ["river: 0102/0202"]', units=units))
    found = {one.fact.cell: (one.drags, one.at) for one in named}
    assert found["0102/0202"] == (3, ())
    assert found["hexsides > river > cost"] == (3, (("+0", 3),))


OF_MANY = f'{OF_BLUE}, "g Blue 0402"'
STRAYS = EARLY.replace('"e: 0401 0301"', '"e: 0401 0301", "g: 0402 0401"')


def test_a_border_is_not_suspected_that_would_accuse_others_if_it_were_moved(
    tmp_path: Path,
) -> None:
    named, found = tried(game_of(tmp_path, STRAYS, units=OF_MANY))
    assert ("1:6", "1:3", 3) in [(o.fact.cell, o.fact.instead, o.drags) for o in named]
    assert illegal(found) == 3
    later = STRAYS.replace('"f: 0303 0302"', '"f: 0303 0302", "d: 0402 0302 0202 0102"')
    named, found = tried(game_of(tmp_path, later, units=OF_MANY))
    assert illegal(found) == 3
    assert [str(one.fact) for one in named if one.fact.kind == "phase"] == []


def test_a_form_is_only_suspected_where_twice_the_allowance_is_enough(tmp_path: Path) -> None:
    units = '"a Red 0101 ma=1", "b Red 0102 ma=1", "c Red 0103"'
    named, _ = tried(game_of(tmp_path, FAR, units=units))
    form = next(one.fact for one in named if one.fact.kind == "form")
    assert (form.cell, form.instead) == ("Movement", "units")
    little = FAR.replace("0301", "0401").replace("0302", "0402")
    more = units.replace("ma=1", "ma=2")
    named, found = tried(game_of(tmp_path, little, units=more))
    assert illegal(found) == 2
    assert [one for one in named if one.fact.kind == "form"] == [], (
        "half as far again is not a form"
    )
    farther = FAR.replace("0301", "0401").replace("0302", "0402")
    named, found = tried(game_of(tmp_path, farther, units=units))
    assert illegal(found) == 2
    assert [one for one in named if one.fact.kind == "form"] == []


def test_forms_that_twice_the_allowance_cannot_make_legal_are_not_tried(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("vassal_umpire.validators.suspects.cover.MOST_BORDERS", 1)
    much = [(unit, "0101 0201 0301 0401") for unit in "cde"]
    far = [("a", "0102 0202 0302"), ("b", "0103 0203 0303")]
    moves = ", ".join(
        f'"phase Movement of Red, turn {turn}", "{unit}: {path}"'
        for turn, (unit, path) in enumerate(much + far, 1)
    )
    units = ", ".join(
        f'"{unit} Red {path[:4]} ma=1 class={kind}"'
        for kind, some in (("much", much), ("far", far))
        for unit, path in some
    )
    forest = 'hexes = ["0401 terrain=forest"]'
    named, found = tried(game_of(tmp_path, moves, hexes=forest, units=units))
    assert illegal(found) == 5
    assert [one.fact.instead for one in named if one.fact.kind == "form"] == ["far"]


@pytest.mark.parametrize(
    ("sides", "players", "one"),
    [
        (("Red",), ("Ann",), True),
        (("Red",), (), True),
        (("Red",), ("Ann", "Bob"), False),
        (("Blue", "Red"), ("Ann",), False),
    ],
)
def test_a_reading_of_the_rule_is_that_of_one_player(
    sides: tuple[str, ...], players: tuple[str, ...], *, one: bool
) -> None:
    fact = PackFact("chart", "terrain > costs > forest", value="2")
    named = Suspect(fact, clears=2, drags=2, sides=sides, players=players, phases=())
    assert (ONE_PLAYER in suspect_text(named)) is one
    assert named.plain()["one_player"] is one


ORDER = """
[rules.order]
resume = false
"""


def test_what_a_whole_phase_is_accused_of_is_not_cleared_by_facts_of_the_ground(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The moves are legal by themselves: no terrain, line or chart makes them legal that the rules forbid to
    go on."""
    monkeypatch.setattr(f"{__name__}.CASE", CASE.replace("[[case]]", f"{ORDER}[[case]]", 1))
    moves = '"phase Movement of Red, turn 1", "b: 0102 0202", "roll", "a: 0101 0201", "roll", "b: 0202 0302"'
    named, found = tried(game_of(tmp_path, moves))
    assert [f.code for f in found.findings if f.verdict == "illegal"] == ["GEN-ORDER"]
    assert {one.fact.kind for one in named} <= {"unit", "phase"}, [str(one.fact) for one in named]


def test_a_finding_of_a_phase_is_gone_only_with_its_own_rule(tmp_path: Path) -> None:
    _, found = tried(game_of(tmp_path, REPEATED, hexes=FORESTS))
    first = found.findings[0]
    order = replace(first, code="GEN-ORDER", kind="illegal-move")
    both = replace(found, findings=(first, order))
    every = [replace(one, is_of_phase=one.finding is order) for one in accusations(both)]
    assert cleared(every, both) == []
    assert cleared(every, replace(found, findings=(order,))) == every[:1]
    assert cleared(every, replace(found, findings=(first,))) == every[1:]


# -- what trials do not do twice --------------------------------------------------------------------


def trial_of(game: Game) -> Trial:
    ruleset, kept = rulesets().get(game.rules.name), JudgementCache()
    audit(game, ruleset, judge=kept)
    return Trial(game, ruleset, kept, Candidates(game, frozenset()))


def test_an_audit_with_a_cell_not_known_takes_up_what_the_first_audit_worked_out(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """One drag for each move: unseen stops would be judged in another game, without them."""
    single = re.sub(r" 020\d ", " ", REPEATED)
    trial = trial_of(game_of(tmp_path, single, hexes=FORESTS))
    prepared, opened = list[Any](), set[str]()
    make, look = PreparedGame.__init__, ClauseMover._new_due

    def counted(self: PreparedGame, *about: Any) -> None:
        prepared.append(about)
        make(self, *about)

    def noted(self: ClauseMover, step: Any, *others: Any) -> Any:
        opened.add(step.from_)
        return look(self, step, *others)

    monkeypatch.setattr(PreparedGame, "__init__", counted)
    monkeypatch.setattr(ClauseMover, "_new_due", noted)
    assert trial.whole(PackFact("hex", "0201", "terrain", "", "forest")) is not None
    assert prepared == []
    assert "0201" in opened
    assert opened <= {"0201", *trial.game.board.neighbours("0201")}


def test_nothing_is_judged_after_the_last_drag_that_is_tried(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    trial = trial_of(game_of(tmp_path, REPEATED, hexes=FORESTS))
    first = next(one.move for one in trial.kept.all)
    recalled: list[Any] = []
    monkeypatch.setattr(JudgementCache, "recall", lambda *about: recalled.append(about))
    assert clears(trial, [(first.units[0], first.steps[-1])], None)
    assert recalled == []


def test_each_hex_is_read_once_for_the_words_of_the_board(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    game, read = game_of(tmp_path, REPEATED, hexes=FORESTS), list[str]()
    look = candidates._words_in
    monkeypatch.setattr(
        candidates, "_words_in", lambda board, name: read.append(name) or look(board, name)
    )
    Candidates(game, frozenset())
    assert sorted(read) == sorted(game.board.hexes)
