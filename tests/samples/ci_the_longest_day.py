"""The Longest Day: seventeen logs of one real game, audited with our pack."""

from __future__ import annotations

import csv
import shutil
import tomllib
from collections import Counter
from dataclasses import dataclass, replace
from pathlib import Path

import pytest
from command_line import audit_files
from vassal_umpire.importers.pack.bind import bound
from vassal_umpire.importers.pack.facts import DeclaredPhase, Facts, Span
from vassal_umpire.importers.pack.load import load_pack
from vassal_umpire.importers.pack.on_game import with_facts
from vassal_umpire.importers.vassal.limits import DEFAULT_LIMITS
from vassal_umpire.importers.vassal.module import Module
from vassal_umpire.importers.vassal.savefile import read_save
from vassal_umpire.model.finding import Audit
from vassal_umpire.model.game import Game, PhaseRule, StepRef
from vassal_umpire.model.table import TableHistory
from vassal_umpire.model.viewer import EVERYONE
from vassal_umpire.plugin.reading import Named, layouts_for, module_path, open_for
from vassal_umpire.validators.audit import audit
from vassal_umpire.validators.moves import find_moves
from vassal_umpire.validators.readings import as_read
from vassal_umpire.validators.rulesets.generic import RULESET
from vassal_umpire.validators.takeback import Witnesses
from vassal_umpire.validators.timeline import Timeline
from vassal_umpire.validators.tracker import Interlude

# What the engine's own answers say: counters elsewhere than the log before left them.
ELSEWHERE = (27, 0, 10, 0, 56, 40, 0, 0, 0, 4, 0, 0, 2, 0, 0, 0)
NATIONS = {"GE": "Germans", "LW": "Germans", "KM": "Germans", "US": "Allies", "UK": "Allies"}


@dataclass(frozen=True)
class Campaign:
    """The game read, bound and audited."""

    history: TableHistory
    game: Game
    audit: Audit


@pytest.fixture(scope="module")
def campaign(
    longest_day: tuple[Module, TableHistory],
    corpus: Path,
    project: Path,
    tmp_path_factory: pytest.TempPathFactory,
) -> Campaign:
    """All seventeen logs with the pack's counters and rules, but without its board: what is asked of them
    here does not need it, and the audit is four times as quick."""
    module, history = longest_day
    first = corpus / "tld" / "game" / history.logs[0].source
    sample, pack = project / "samples" / "the-longest-day" / "pack", tmp_path_factory.mktemp("pack")
    lines = (sample / "pack.toml").read_text("utf-8").splitlines(keepends=True)
    board = ("provenance =", 'complete = ["terrain", "hexsides", "lines"]')
    kept = [line for line in lines if not line.startswith(board)]
    assert len(lines) - len(kept) == 2
    (pack / "pack.toml").write_text("".join(kept), "utf-8")
    shutil.copy(sample / "units.csv", pack)
    named = Named((first,), pack=pack)
    save = read_save(first)
    path = module_path(named, save, DEFAULT_LIMITS)
    assert open_for(path, named.logs, DEFAULT_LIMITS).sha256 == module.sha256
    found = bound(module, history, load_pack(pack), layouts_for(module, save))
    # Field fortifications are built by both sides, and one fort is entered by the enemy.
    assert [str(p) for p in found.problems] == ["units whose side is not known (9 times)"]
    return Campaign(history, found.game, audit(found.game, RULESET))


def test_each_break_between_logs_is_told_once(campaign: Campaign) -> None:
    told = [f.steps[0].log for f in campaign.audit.findings if f.code == "CHK-CONTINUITY"]
    assert told == [log for log, number in enumerate(ELSEWHERE, 2) if number]


def test_nobody_is_accused_while_the_phase_is_not_known(campaign: Campaign) -> None:
    accused = [f for f in campaign.audit.findings if f.verdict == "illegal"]
    assert accused == []
    judged = [move for move in campaign.audit.moves if move.judged]
    assert len(judged) > 2000
    for move in judged:
        assert move.verdict == "unverifiable"
        assert any(u.key.startswith("phase of log ") for u in move.unknowns), move.move.steps


def test_no_check_failed(campaign: Campaign) -> None:
    assert campaign.audit.problems == ()


def test_every_unit_has_a_side_an_allowance_and_a_class(campaign: Campaign) -> None:
    units = campaign.game.units.values()
    assert len(units) > 2000
    men = [unit for unit in units if unit.fact("kind").options != ("fortification",)]
    assert {unit.side for unit in men} == {"Allies", "Germans"}
    assert len(units) - len(men) == 68
    open_ma = {unit.name for unit in men if unit.fact("ma").low is None}
    assert len(open_ma) <= 6  # railway guns and engineers: an allowance in brackets
    classes = {"non-motorized", "motorized", "tracked"}
    for unit in men:
        options = unit.fact("class").options
        assert options is None or set(options) <= classes


def test_units_csv_says_what_is_printed_on_the_counters(corpus: Path, project: Path) -> None:
    with (corpus / "tld" / "data" / "faces.csv").open(encoding="utf-8", newline="") as lines:
        printed = {int(face[20]): face for face in list(csv.reader(lines))[1:]}
    sheet = project / "samples" / "the-longest-day" / "pack" / "units.csv"
    with sheet.open(encoding="utf-8", newline="") as lines:
        rows = list(csv.DictReader(lines))
    forts = [row for row in rows if row["kind"] == "fortification"]
    assert {int(row["image"].removesuffix(".svg")) for row in forts} == {
        number for number, face in printed.items() if face[0] == "F"
    }
    # Field fortifications are built by both sides; one fort is entered by the enemy in these logs.
    assert {row["note"] for row in forts if row["side"] == "?"} == {"field fortification", "DUVR"}
    movers = [row for row in rows if row not in forts]
    assert len(movers) == 1949
    for row in movers:
        face = printed[int(row["image"].removesuffix(".svg"))]
        allowances = {cell for cell in (face[6], face[11]) if cell}
        wanted = set() if row["ma"] == "?" else set(row["ma"].split("|"))
        assert wanted == {cell for cell in allowances if cell.isdigit()}, row
        assert row["side"] == NATIONS[face[0]], row


def test_document_gives_the_numbers_of_the_game(campaign: Campaign, project: Path) -> None:
    text = (project / "docs" / "the-longest-day.md").read_text(encoding="utf-8")
    steps = sum(len(log.steps) for log in campaign.history.logs)
    for number in (steps, len(campaign.game.units)):
        assert f"{number:,}" in text, number


# A phase of movement: the log, the row of the document's table, the moves by verdict.
PHASE = ("0609-1.log", 14, {"legal": 108, "unverifiable": 15})


def test_a_phase_of_movement_is_decided(corpus: Path, project: Path) -> None:
    """The Allies' movement of June 9, from its log alone and the facts of all 17."""
    log, number, expected = PHASE
    sample = project / "samples" / "the-longest-day"
    every = tomllib.loads((sample / "facts.toml").read_text("utf-8"))
    (phase,) = [entry for entry in every["phase"] if entry["log"] == log]
    module = corpus / "tld" / "TheLongestDay-3.0b6.vmod"
    named = Named((corpus / "tld" / "game" / log,), module, sample / "pack", sample / "facts.toml")
    found, _ = audit_files(named, EVERYONE)
    inside = [move for move in found.moves if move.judged and move.move.phase.phase == "Movement"]
    assert Counter(move.verdict for move in inside) == expected
    # What the zone of control of a fortification does to movement is not in the charts.
    beside = [m for m in inside if any(u.key.startswith("cost of zoc.") for u in m.unknowns)]
    assert beside
    assert {move.verdict for move in beside} == {"unverifiable"}
    cells = (project / "docs" / "the-longest-day.md").read_text("utf-8")
    row = f"| {number}, {phase['steps'].replace('-', '–')} | {len(inside)} | {expected['legal']} | 0 |"
    assert row in cells


def test_what_counts_as_known_was_looked_at_by_a_program_that_says_so(project: Path) -> None:
    pack = load_pack(project / "samples" / "the-longest-day" / "pack")
    known = [record for record in pack.records if record.is_known]
    looked = [record for record in known if record.status == "looked-at"]
    assert looked == known
    assert {record.method.by for record in known} == {"program"}
    assert {record.who for record in looked} == {("a language model",)}
    assert {str(record.method) for record in looked} == {
        "program: the studio's view of the map, overlay off and on"
    }
    text = (project / "docs" / "the-longest-day.md").read_text("utf-8")
    for number in (len(known), len(pack.records) - len(known)):
        assert f"{number:,}" in text, number


def test_document_names_sides_and_no_player(campaign: Campaign, project: Path) -> None:
    text = (project / "docs" / "the-longest-day.md").read_text(encoding="utf-8")
    players = {
        p.name for log in campaign.history.logs for p in (*log.opening.players, *log.end.players)
    }
    assert players
    assert not [name for name in players if name and name in text]


PHASES = """
5 362 1038 1040 Allies
6 1 51 104 Germans
7 1 - 130 Allies
8 593 954 954 Germans
9 2 66 142 Allies
9 143 - 230 Germans
10 405 946 946 Allies
11 1 25 85 Germans
11 86 - 230 Allies
12 621 1031 1031 Germans
12 1033 1109 1144 Allies
14 429 671 671 Allies
15 1 51 105 Germans
15 106 - 179 Allies
16 399 825 825 Germans
17 1 63 130 Allies
"""
"""The phases of movement: log, first step, last step as the players announced it (-: no movement), last step
told coarsely (the fire and the combat that followed are called movement, too), whose."""
Spans = tuple[tuple[int, int, int, str], ...]


def spans(last: int) -> Spans:
    rows = [line.split() for line in PHASES.strip().splitlines()]
    told = (row for row in rows if row[last] != "-")
    return tuple((int(row[0]), int(row[1]), int(row[last]), row[4]) for row in told)


MOVEMENT, COARSE = spans(2), spans(3)


def told(game: Game, spans: Spans) -> Game:
    """``game`` with its steps declared to be movement, and nothing else, by a facts file."""
    phases = tuple(
        DeclaredPhase(Span(StepRef(log, first), StepRef(log, last)), str(n), "Movement", side, "")
        for n, (log, first, last, side) in enumerate(spans)
    )
    rule = PhaseRule("Movement", "active", ("march",), complete=True, dice=False)
    declared, _ = with_facts(game, Facts(phases=phases))
    return as_read(replace(declared, phases={"Movement": rule}), (), {}, {})


def displaced(
    game: Game, spans: Spans
) -> tuple[set[tuple[str, StepRef]], set[tuple[str, StepRef]]]:
    """Who was displaced on the map in the steps, and when; and those of them that may have fought."""
    timeline = Timeline(game)
    within = [
        (unit, at)
        for track in find_moves(game, timeline, Witnesses(game))
        if track.counts
        for at in track.move.steps
        for unit in track.move.units
        if any(log == at.log and first <= at.step <= last for log, first, last, _ in spans)
    ]
    open_ = {(u, at) for u, at in within if isinstance(timeline.phase_start(at), Interlude)}
    return set(within), open_


def test_phases_told_by_the_players_are_hardly_open_for_combat(campaign: Campaign) -> None:
    every, may_have_fought = displaced(told(campaign.game, MOVEMENT), MOVEMENT)
    assert len(every) > 1600
    assert len(may_have_fought) * 100 < len(every)  # 20 in 100 are the most that would do


def test_fire_and_combat_that_are_called_movement_are_asked_about(campaign: Campaign) -> None:
    game = told(campaign.game, COARSE)
    moved, _ = displaced(game, MOVEMENT)
    every, may_have_fought = displaced(game, COARSE)
    fought = every - moved
    missed = fought - may_have_fought
    assert len(fought) > 90
    # A correction and a counter on its way to the pool, neither right after a die or beside a loss.
    assert {(at.log, at.step) for _, at in missed} == {(9, 79), (11, 110)}
    assert len(may_have_fought & moved) * 100 < len(moved)
