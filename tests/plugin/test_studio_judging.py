"""What the studio shows after an edit is what an audit of the pack from the files says."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any
from weakref import ref

import pytest
from browser.studio_kit import copy_of
from tiers import by_tier
from vassal_umpire.importers.pack.facts import NO_FACTS, Facts
from vassal_umpire.importers.pack.facts_file import load_facts
from vassal_umpire.importers.pack.load import load_pack
from vassal_umpire.importers.pack.provenance import FILE, provenance_csv
from vassal_umpire.importers.vassal.limits import DEFAULT_LIMITS
from vassal_umpire.model.boards import BoardChange
from vassal_umpire.model.finding import Audit, Move
from vassal_umpire.model.game import Game
from vassal_umpire.model.problem import UmpireError, WrongPack
from vassal_umpire.model.provenance import Method, Record
from vassal_umpire.model.viewer import EVERYONE
from vassal_umpire.model.vouching import values_of
from vassal_umpire.plugin.auditing import Evidence, audit_game, read_evidence
from vassal_umpire.plugin.reading import Named, Told, silent
from vassal_umpire.plugin.studio import report_view
from vassal_umpire.plugin.studio.jobs import Cancelled
from vassal_umpire.plugin.studio.judging import Judging, Read, board_of, read_again
from vassal_umpire.plugin.studio.session import Studio
from vassal_umpire.validators.judgement_cache import JudgementCache
from vassal_umpire.validators.on_boards import differing_between

from .kit import LOGS, PACK, put, studio_on


@pytest.fixture(scope="module")
def evidence() -> Evidence:
    return read_evidence(Named(LOGS), DEFAULT_LIMITS)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return copy_of(PACK, tmp_path)


def read(evidence: Evidence, folder: Path, facts: Facts = NO_FACTS) -> Read:
    pack = load_pack(folder)
    return Read(pack, facts, evidence.with_pack(pack, facts, EVERYONE))


def added(folder: Path, file: str, line: str) -> None:
    with (folder / file).open("a", encoding="utf-8") as text:
        text.write(f"{line}\n")


CELLS = [
    ("hexes.csv", "0110,woods"),
    ("hexes.csv", "0709,woods"),
    ("hexes.csv", "0508,?"),
    ("lines.csv", "river,0404/0405"),
    ("lines.csv", "road,0508 0608 0709 0808"),
]
MARKERS = """
[[board.marker]]
name = "Blue HQ"
adds = ["dug in"]

[[board.marker]]
name = "Red HQ"
at = "hexside"
removes = ["bridge"]
"""


with_markers = pytest.mark.parametrize("markers", ["", MARKERS], ids=["no markers", "markers"])
"""Counters that tell of the hex, and of a hexside of the hex, in which they lie."""


@with_markers
@pytest.mark.parametrize(("file", "line"), by_tier(CELLS[2:4], ci=CELLS))
def test_read_again_is_read_anew(
    evidence: Evidence, folder: Path, markers: str, file: str, line: str
) -> None:
    added(folder, "pack.toml", markers)
    judging, before = Judging(), read(evidence, folder)
    judging.known(before.opened.game, silent)
    changes = [e for e in before.opened.game.events if isinstance(e, BoardChange)]
    assert bool(changes) == bool(markers)
    hexes = [("hexes.csv", f"{here.name},woods") for one in changes for here in one.hexes]
    for where, said in ((file, line), *hexes[:1], *hexes[-1:]):
        added(folder, where, said)
        pack = load_pack(folder)
        again = read_again(before, evidence, pack, NO_FACTS)
        anew = evidence.with_pack(pack, NO_FACTS, EVERYONE)
        assert again.opened.game == anew.game
        assert set(again.opened.problems) == set(anew.problems)
        assert again.opened.files == anew.files
        assert differing_between(before.opened.game, again.opened.game) or hexes
        before = again
    assert_same(judging.known(before.opened.game, silent), audit_game(before.opened, None))


OF_UNITS_AND_RULES = [
    ("units.csv", "Blue HQ,yes", "Blue HQ,no", True),
    ("pack.toml", "limit = 3", "limit = 2", True),
    ("lines.csv", "road,", "river,0404/0405,\nroad,", True),
    ("pack.toml", 'map = "Eliminated"', 'map = "Eliminated"\nname = "lost"', False),
    ("hexes.csv", "0110,?", "0110,woods", False),
]


@pytest.mark.parametrize(("file", "was", "now", "kept"), OF_UNITS_AND_RULES)
def test_a_game_on_a_board_that_was_kept_is_the_game_read_anew(
    evidence: Evidence, folder: Path, file: str, was: str, now: str, kept: bool
) -> None:
    added(folder, "pack.toml", MARKERS)
    before = read(evidence, folder)
    put(folder / file, was, now)
    pack = load_pack(folder)
    earlier = board_of(before, pack)
    assert (earlier is not None) == kept
    again = evidence.with_pack(pack, NO_FACTS, EVERYONE, silent, earlier)
    anew = evidence.with_pack(pack, NO_FACTS, EVERYONE)
    assert (again.game, set(again.problems)) == (anew.game, set(anew.problems))
    assert again.game != replace(before.opened.game, sources=again.game.sources) or not kept


def test_another_side_for_a_marker_is_read_anew(evidence: Evidence, folder: Path) -> None:
    added(folder, "pack.toml", MARKERS)
    before = read(evidence, folder)
    added(folder, "lines.csv", "bridge,0404/0405,")
    assert read_again(before, evidence, load_pack(folder), NO_FACTS) is None


def assert_same(found: Audit, wanted: Audit) -> None:
    assert found.moves == wanted.moves
    assert found.findings == wanted.findings


@with_markers
def test_moves_near_a_changed_cell_are_judged(
    evidence: Evidence, folder: Path, markers: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    judged: list[object] = []
    judge = JudgementCache.__call__

    def counted(cache: JudgementCache, move: Move, *given: Any, **more: Any) -> Any:
        judged.append(move)
        return judge(cache, move, *given, **more)

    monkeypatch.setattr(JudgementCache, "__call__", counted)
    added(folder, "pack.toml", markers)
    judging = Judging()
    judging.known(read(evidence, folder).opened.game, silent)
    every = len(judged)
    added(folder, "hexes.csv", "0109,woods")  # there is more of it, as of what was here
    now = read(evidence, folder).opened
    found = judging.known(now.game, silent)
    assert 0 < len(judged) - every < every
    assert_same(found, audit_game(now, None))
    unseen = replace(now, game=replace(now.game, seen=frozenset()))
    assert differing_between(now.game, unseen.game) == frozenset()
    assert_same(judging.known(unseen.game, silent), audit_game(unseen, None))
    assert judging.known(unseen.game, silent).moves != found.moves


def test_edits_of_cells_leave_no_earlier_game_in_memory(evidence: Evidence, folder: Path) -> None:
    judging, held = Judging(), []
    for name in ("0110", "0109", "0108", "0107"):
        added(folder, "hexes.csv", f"{name},woods")
        game = read(evidence, folder).opened.game
        judging.known(game, silent)
        held.append(ref(game))
    assert [one() is not None for one in held[1:]] == [False, False, True]  # rules hold the first


def test_new_facts_and_more_than_cells_are_judged_anew(evidence: Evidence, folder: Path) -> None:
    before = read(evidence, folder)
    added(folder, "pack.toml", '\n[[form]]\nname = "rail"\njudged = false')
    assert read_again(before, evidence, load_pack(folder), NO_FACTS) is None
    assert differing_between(before.opened.game, read(evidence, folder).opened.game) is None
    before = read(evidence, folder)
    facts = folder / "facts.toml"
    facts.write_text('[[hex]]\nhex = "0110"\nterrain = ["woods"]\n')
    assert read_again(before, evidence, load_pack(folder), load_facts(facts)) is None


def test_a_name_the_tables_do_not_have_is_told_as_ever(evidence: Evidence, folder: Path) -> None:
    before = read(evidence, folder)
    added(folder, "hexes.csv", "0110,swamp")
    pack = load_pack(folder)
    for game in (
        lambda: read_again(before, evidence, pack, NO_FACTS),
        lambda: evidence.with_pack(pack, NO_FACTS, EVERYONE),
    ):
        with pytest.raises(WrongPack, match="swamp"):
            game()


class Stopped(BaseException):
    pass


@pytest.mark.ci
def test_work_that_was_stopped_leaves_nothing_wrong(evidence: Evidence, folder: Path) -> None:
    """Stopped after every possible number of moves, then a cell is changed, and the rest is as if anew."""
    first = read(evidence, folder).opened.game
    added(folder, "hexes.csv", "0110,woods")
    second = read(evidence, folder).opened.game
    added(folder, "hexes.csv", "0508-0608,marsh")
    opened = read(evidence, folder).opened
    wanted = audit_game(opened, None)
    for most in range(1, 14, 3):
        judging = Judging()
        for game in (first, second):
            with pytest.raises(Stopped):
                judging.known(game, stopping(most))
        assert_same(judging.known(opened.game, silent), wanted)
        judging.known(first, silent)
        with pytest.raises(Stopped):
            judging.known(second, stopping(most))
        assert_same(judging.known(opened.game, silent), wanted)


def stopping(most: int):  # type: ignore[no-untyped-def]
    def told(_what: str, done: int, _of: int) -> None:
        if done >= most:
            raise Stopped

    return told


@pytest.fixture
def suggested(evidence: Evidence, folder: Path) -> Path:
    """The pack with one hexside and three hexes only suggested, and everything else vouched for."""
    values = values_of(read(evidence, folder).opened.game.board)
    guessed = {"0608", "0709", "0110", "0608/0709"}
    records = [
        Record(key, value, "suggested", ("colours",), "2026-11-22", Method("program", "colours"))
        if key.cell in guessed
        else Record(key, value, "typed", ("Wren",), "2026-11-22", Method("person", "by hand"))
        for key, value in values.items()
    ]
    (folder / FILE).write_text(provenance_csv(records), "utf-8")
    put(folder / "pack.toml", "[board]", '[board]\nprovenance = "required"')
    return folder


@pytest.mark.ci
def test_suspicions_after_an_edit_are_an_audits(evidence: Evidence, suggested: Path) -> None:
    judging = Judging()
    units, tables = suggested / "units.csv", suggested / "pack.toml"
    for edit in (
        lambda: None,
        lambda: added(suggested, "hexes.csv", "0110,clear"),
        lambda: put(units, "Blue HQ,yes", "Blue HQ,no"),
        lambda: added(suggested, "hexes.csv", "0608,woods"),
        lambda: put(tables, "clear = 1", "clear = 4"),
        lambda: added(suggested, "hexes.csv", "0709,clear"),
        lambda: put(units, "Blue HQ,no", "Blue HQ,yes"),
        lambda: added(suggested, "hexes.csv", "0508,woods"),
    ):
        edit()
        opened = read(evidence, suggested).opened
        assert opened.game.has_suggestions
        found = judging.known(opened.game, silent)
        whole = judging.with_suspicions(opened.game, found, silent)
        wanted = audit_game(opened, None)
        assert_same(whole, wanted)
        assert whole.suspicions == wanted.suspicions


def test_games_that_differ_and_logs_are_told_apart(evidence: Evidence, folder: Path) -> None:
    game: Game = read(evidence, folder).opened.game
    assert differing_between(game, game) == frozenset()
    assert differing_between(game, replace(game, events=game.events[1:])) is None
    bare = replace(game.board, complete=frozenset())
    assert differing_between(game, replace(game, board=bare)) is None
    told: list[tuple[str, int, int]] = []
    evidence.with_pack(load_pack(folder), NO_FACTS, EVERYONE, lambda *one: told.append(one))
    assert [(done, of) for _, done, of in told] == [(0, 0), (1, 2), (2, 2)]


def test_an_edit_before_the_first_verdicts_is_no_fault(evidence: Evidence, folder: Path) -> None:
    studio = studio_on(folder)

    def until_judging(what: str, _done: int, _of: int) -> None:
        if what == "judging moves":
            raise Cancelled

    with pytest.raises(Cancelled):
        studio._read_and_judge(until_judging)
    added(folder, "hexes.csv", "0110,woods")
    studio._read_and_judge(silent)
    assert studio.state()["problems"] == []
    assert_same(studio.audit, audit_game(studio.opened, None))


@pytest.fixture
def running(folder: Path) -> Studio:
    """A studio that has judged."""
    studio = studio_on(folder)
    read_on(studio)
    return studio


def read_on(studio: Studio) -> None:
    studio._read_and_judge(silent)
    studio._due = False


def test_wrong_rules_are_told_and_mended_ones_are_read(
    running: Studio, monkeypatch: pytest.MonkeyPatch
) -> None:
    begun: list[Callable[[Told], None]] = []
    monkeypatch.setattr(running.jobs, "begin", lambda _, run: begun.append(run))
    before, pack = running.audit, running.folder / "pack.toml"
    suspects, report = (partial(call.run, running, {}) for call in report_view.CALLS)
    put(pack, "[rules]\n", "[rules]\nwrong = 1\n")
    read_on(running)
    assert running.audit is before
    assert 'found the key "wrong"' in running.state()["card"]["text"]
    assert suspects()["working"]
    begun.pop()(silent)
    assert not suspects()["working"]
    assert not begun
    with pytest.raises(UmpireError, match="mend it first"):
        report()
    put(pack, "wrong = 1\n", "")
    read_on(running)
    assert running.state()["problems"] == []
    assert running.audit is not before
    assert suspects()["working"]


def test_a_report_is_asked_for_again_when_a_file_is_written_meanwhile(
    running: Studio, monkeypatch: pytest.MonkeyPatch
) -> None:
    def written(*given: Any) -> None:
        running.touch()
        given[-1]("looking for facts", 1, 2)

    monkeypatch.setattr(report_view, "with_suspects", written)
    with pytest.raises(UmpireError, match="changed meanwhile: try again"):
        report_view.CALLS[1].run(running, {})
