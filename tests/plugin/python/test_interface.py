"""``import vassal_umpire as vu``: what it loads, and that it tells what the command line tells."""

from __future__ import annotations

import json
import sqlite3
import subprocess
import sys
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("pyarrow", reason="pyarrow is not installed (the extra [frames])")

import shutil
from collections.abc import Callable
from dataclasses import replace

import pytest
import vassal_umpire as vu
from dark import IDS, build
from full_repr import full_repr
from vassal_umpire.importers.analysis.columns import TABLES
from vassal_umpire.model import table as raw
from vassal_umpire.plugin.python import audits, interface
from vassal_umpire.plugin.python.logs import Log
from vassal_umpire.plugin.reports.json import document
from vassal_umpire.plugin.reports.report import ReportOptions

from .. import kit
from ..kit import CROSSROADS, LOGS, MODULE, PACK, SAMPLES, TURN_1


@pytest.fixture(scope="module")
def logs() -> list[Log]:
    return list(vu.open_logs(LOGS))


def test_importing_loads_next_to_nothing_and_every_public_name_is_there() -> None:
    code = (
        "import sys, vassal_umpire as vu; assert vu.__version__; dir(vu);"
        "print(*(n for n in sys.modules if n.split('.')[0] in ('click', 'lxml', 'pyarrow')"
        " or n.startswith('vassal_umpire.')))"
    )
    told = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert told.stdout.strip() == ""
    assert len(set(vu.__all__)) == len(vu.__all__)
    assert [name for name in vu.__all__ if getattr(vu, name) is not getattr(interface, name)] == []
    assert {name for name in dir(vu) if not name.startswith("_")} == set(vu.__all__)
    with pytest.raises(AttributeError, match="no attribute 'open_save'"):
        vu.open_save  # noqa: B018


def test_the_table_after_the_last_step_is_the_table_at_the_end(logs: list[Log]) -> None:
    others = ("battle-for-moscow/1-german.vlog", "ocs/2-east.vlog")
    files = [*LOGS, *(SAMPLES / other for other in others)]
    for path in files:
        log = vu.open_log(path, viewer=vu.DIRECTOR)
        ends = log._history.end
        found: raw.Table = log._tables.after(len(log._history.steps))
        assert len(log._history.steps) > 5
        assert sorted(found.pieces) == sorted(ends.pieces)
        for name, piece in ends.pieces.items():
            one = found.pieces[name]
            for what in ("spot", "holder", "properties"):
                assert getattr(one, what) == getattr(piece, what)
        assert found.stacks == dict(ends.stacks)
        assert found.decks == dict(ends.decks)
        assert found.globals == dict(ends.globals)
        assert found.turns == dict(ends.turns)


def test_tables_may_be_asked_for_in_any_order(logs: list[Log]) -> None:
    log = logs[0]
    forward = [(step.step, step.table.pieces) for step in log.steps()]
    backward = [(number, log.table(number).pieces) for number, _ in reversed(forward)]
    assert backward == forward[::-1]
    assert log.table(0).pieces == vu.open_log(LOGS[0]).table(0).pieces
    assert log.table().pieces == forward[-1][1]
    early = log.table(2)  # put together only now that the log has gone on
    assert log.table(11).pieces != early.pieces
    where = {piece.name: piece.location for piece in early.pieces}
    assert (where["Blue Recon"], where["Blue 4 Inf"]) == ("0502", "0408")


def test_a_log_says_what_the_command_line_says(logs: list[Log]) -> None:
    told = [(log.log, log.file, log.step_count) for log in logs]
    assert told == [(1, "turn-1.vlog", 19), (2, "turn-2.vlog", 13)]
    first = logs[0]
    assert first.module is not None
    assert (first.module.name, first.module_name) == ("Crossroads", "Crossroads")
    assert [(player.name, player.side) for player in first.players] == [("Wren", "Blue")]
    told = [
        json.loads(line) for line in kit.printed("show", *LOGS, "--format", "jsonl").splitlines()
    ]
    shown = [part for part in told if part["kind"] == "step"]
    ours = [step for log in logs for step in log.steps()]
    for step, part in zip(
        [s for s in ours if (s.log, s.engine_step) in {(p["log"], p["step"]) for p in shown}],
        shown,
        strict=True,
    ):
        assert (step.player, step.side) == (part["player"], part["side"])
        assert [(m.piece, m.name, m.target_location) for m in step.displacements] == [
            (m["piece"], m["name"], m["to"]["location"]) for m in part["moves"]
        ]
        assert [m.shown_name for m in step.displacements] == [m.name for m in step.displacements]
        assert [list(roll.results) for roll in step.rolls] == [d["results"] for d in part["dice"]]


def test_frames_of_a_log_hold_what_convert_writes(logs: list[Log], tmp_path: Path) -> None:
    problems = vu.convert(LOGS, tmp_path / "game.db", to="sqlite")
    assert problems == ()
    with closing(sqlite3.connect(tmp_path / "game.db")) as base:
        for name in [name for name, columns in TABLES.items() if columns[0].name == "log"]:
            due = base.execute(f"SELECT * FROM {name}").fetchall()
            frames = [log.to_frames()[name] for log in logs]
            found = [tuple(map(stored, row.values())) for f in frames for row in f.to_pylist()]
            assert found == due, name


def stored(value: object) -> object:
    """A value as SQLite has it."""
    return json.dumps(value) if isinstance(value, list) else value


@pytest.mark.parametrize("form", ["json", "jsonl", "csv", "parquet"])
def test_convert_writes_what_the_command_writes(tmp_path: Path, form: str) -> None:
    out = "game.json" if form == "json" else "game"
    (tmp_path / "ours").mkdir()
    (tmp_path / "theirs").mkdir()
    vu.convert(LOGS, tmp_path / "ours" / out, to=form)
    kit.printed("convert", *LOGS, "--to", form, "-o", tmp_path / "theirs" / out)

    def written(folder: Path) -> dict[str, bytes]:
        files = (p for p in folder.rglob("*") if p.is_file())
        return {p.relative_to(folder).as_posix(): p.read_bytes() for p in files}

    assert written(tmp_path / "ours") == written(tmp_path / "theirs") != {}


@pytest.mark.parametrize("given", ["beside", pytest.param("named", marks=pytest.mark.ci)])
def test_an_audit_says_what_the_report_says(given: str) -> None:
    named: dict[str, Any] = {}
    if given == "named":
        pack = vu.open_pack(PACK)
        named = {"pack": pack, "module": MODULE, "facts": FACTS}
    audit = vu.audit(LOGS, **named)
    options = ["--facts", FACTS] if given == "named" else []
    due = kit.report_of(*LOGS, *options)
    assert json.loads(json.dumps(document(audit, ReportOptions()))) == due
    assert len(audit.findings) == len(due["findings"]) > 1
    frames = audit.to_frames()
    assert frames["findings"]["explanation"].to_pylist() == [
        finding["explanation"] for finding in due["findings"]
    ]
    assert frames["games"]["viewer"].to_pylist() == ["everyone"]
    assert frames["rolls"].num_rows == len(due["integrity"]["rolls"])


FACTS = CROSSROADS / "settled.toml"


def test_packs_and_modules_may_be_named_in_any_way_and_progress_is_told() -> None:
    by_path = vu.audit(str(LOGS[0]), pack=str(PACK))
    assert by_path == vu.audit(LOGS[0], pack=vu.open_pack(str(PACK)))
    assert by_path == vu.audit([MODULE, LOGS[0]], pack=PACK)
    told = []
    vu.audit(LOGS[0], progress=lambda what, done, of: told.append((what, done, of)))
    assert ("judging moves", 9, 9) in told or ("judging moves", 10, 10) in told
    module = vu.open_module(str(MODULE))
    assert (module.name, module.sides, module.problems) == ("Crossroads", ("Blue", "Red"), ())
    log = vu.open_log(LOGS[0], module=module)
    assert log.module is module
    assert vu.open_log(LOGS[0], module=MODULE).module == module


# -- The Python interface shows no more than its viewer may see, and fails in one line -------------


LOG = TURN_1
HIDDEN = str(IDS["Blue 2 Inf"])


def test_convert_writes_what_the_viewer_may_see(tmp_path: Path) -> None:
    _, (_, dark) = build(tmp_path, lambda s: s.hide(HIDDEN), lambda s: s.sneak(HIDDEN, "0305"))
    vu.convert(dark, tmp_path / "all.json")
    vu.convert(dark, tmp_path / "blue.json", viewer="Blue")
    tables = [json.loads((tmp_path / f"{name}.json").read_bytes()) for name in ("all", "blue")]
    assert [told["eyes"] for told in tables] == ["everyone", "side Blue"]
    assert ["Blue 2 Inf" in json.dumps(told["table"]) for told in tables] == [False, True]


def test_a_document_of_what_one_viewer_sees_accuses_nobody(tmp_path: Path) -> None:
    """What clears a move may be hidden from him, and is not in the document: 4 Inf goes too far. Nothing is
    hidden from Blue, but that is not for him to know: Red's counters could be."""
    four = str(IDS["Blue 4 Inf"])
    _, (_, log) = build(tmp_path, lambda s: s.hide(HIDDEN), lambda s: s.drag(four, "0808"))
    verdicts = {}
    for viewer in (None, "Red", "Blue", vu.DIRECTOR):
        written = tmp_path / "game.json"
        vu.convert(log, written, pack=PACK, viewer=viewer)
        assert (HIDDEN in json.dumps(json.loads(written.read_bytes())["game"])) is (
            viewer in ("Blue", vu.DIRECTOR)
        )
        audited = vu.audit(written, viewer=vu.DIRECTOR)
        accused = [one.clause for one in audited.findings if one.verdict == "illegal"]
        noted = any(one.code == "part-of-game" for one in audited.problems)
        verdicts[viewer] = audited.moves[-1].verdict, accused, noted
    left = ("unverifiable", [], True)
    known = ("illegal", ["GEN-ALLOWANCE"], False)
    assert verdicts == {None: left, "Red": left, "Blue": left, vu.DIRECTOR: known}


def test_units_dragged_along_are_not_given_away(monkeypatch: pytest.MonkeyPatch) -> None:
    real = audits.audit_shown

    def with_company(*given: Any) -> Any:
        shown = real(*given)
        company = frozenset({"secret"})
        moves = [replace(m, move=replace(m.move, company=company)) for m in shown.moves]
        return replace(shown, moves=tuple(moves))

    monkeypatch.setattr(audits, "audit_shown", with_company)
    assert "secret" not in full_repr(vu.audit(LOG).moves)
    assert "secret" in full_repr(vu.audit(LOG, viewer=vu.DIRECTOR).moves)


def _put(folder: Path, name: str, text: str) -> Path:
    (folder / name).write_text(text)
    return folder / name


def _copies(folder: Path, *files: Path) -> Path:
    """Copies in a folder of their own; the first."""
    there = folder / "game" / "logs"  # packs are looked for in the folders above, too
    there.mkdir(parents=True, exist_ok=True)
    first, *_ = (Path(shutil.copy(file, there)) for file in files)
    return first


def _no_save(folder: Path) -> Path:
    return _put(folder, "notes.vlog", "no save")


def _alone(folder: Path) -> Path:
    return Path(shutil.copy(LOG, folder / "alone.vlog"))


def _two_packs(folder: Path) -> Path:
    """A log beside its module and two packs for it."""
    for name in ("one", "two"):
        shutil.copytree(PACK, folder / "game" / "logs" / name)
    return _copies(folder, LOG, MODULE)


def _other_module(folder: Path) -> Path:
    """A log beside the module of another game."""
    return _copies(folder, LOG, SAMPLES / "ocs" / "ocs.vmod")


def _document(folder: Path) -> Path:
    vu.convert(LOG, folder / "game.json", pack=PACK)
    return folder / "game.json"


ERROR, FEW = vu.UmpireError, vu.Limits(steps=3)
FAILS: list[tuple[type[Exception], Callable[[Path], object], str]] = [
    (ERROR, lambda f: vu.open_log(f / "no.vlog"), "no.vlog: "),
    (ERROR, lambda f: vu.open_log(f), ""),
    (vu.Unreadable, lambda f: vu.open_log(_no_save(f)), "notes.vlog"),
    (ERROR, lambda f: vu.open_log("a\0b"), "is not a file name"),
    (ERROR, lambda f: vu.audit([]), "no file is named"),
    (ERROR, lambda f: vu.open_module(LOG), "turn-1.vlog"),
    (ERROR, lambda _: vu.open_module("."), "directory"),
    (ERROR, lambda f: vu.open_module(f / "no.vmod"), "no.vmod: "),
    (ERROR, lambda f: vu.open_pack(f / "pack"), "pack"),
    (vu.WrongPack, lambda f: vu.open_pack(_put(f, "pack.toml", "")), "pack.toml"),
    (vu.CannotAudit, lambda f: vu.audit(_copies(f, LOG, MODULE)), "name one with pack="),
    (vu.CannotAudit, lambda f: vu.audit(_two_packs(f)), "choose one: pack='"),
    (vu.CannotAudit, lambda f: vu.audit(_alone(f)), "or name it with module="),
    (vu.CannotAudit, lambda f: vu.audit(_other_module(f)), "ocs.vmod'; put the .vmod"),
    (ERROR, lambda f: vu.audit(LOG, ruleset="chess"), "'chess'"),
    (ERROR, lambda f: vu.audit(_document(f), module=MODULE), "module= and pack="),
    (ERROR, lambda f: vu.open_log(LOG, viewer="Green"), "'Green'"),
    (ERROR, lambda f: vu.audit(LOG, viewer="Green"), "'Green'"),
    (ERROR, lambda f: vu.open_log(LOG).table(20), "expected 0 to 19"),
    (ERROR, lambda f: vu.open_log(LOG).table(-1), "expected 0 to 19"),
    (vu.Unreadable, lambda f: vu.open_log(LOG, limits=FEW), "(in limits: commands"),
    (ERROR, lambda f: vu.convert(LOG, f / "x", to="xml"), "no form to='xml'; expected"),
    (ERROR, lambda f: vu.convert(LOG, f / "x", facts=LOG), "pack"),
    (ERROR, lambda f: vu.convert(LOG, f / "x", to="sqlite", pack=PACK), "json"),
    (ERROR, lambda f: vu.convert(LOG, "-"), "name of a file"),
    (ERROR, lambda f: vu.convert(_alone(f), f / "alone.vlog"), "input"),
    (ERROR, lambda f: vu.convert(LOG, _put(f, "x", "mine")), "with force=True"),
]


@pytest.mark.parametrize(("kind", "ask", "part"), FAILS)
def test_what_cannot_be_done_is_told_in_one_line_in_the_words_of_python(
    tmp_path: Path, kind: type[Exception], ask: Callable[[Path], object], part: str
) -> None:
    with pytest.raises(kind) as raised:
        ask(tmp_path)
    assert isinstance(raised.value, vu.UmpireError)
    said = str(raised.value)
    assert part in said
    assert said.count(part) == 1 or "=" not in part
    for word in ("\n", "--", "'umpire "):
        assert word not in said


def test_problems_are_told_in_the_words_of_python(tmp_path: Path) -> None:
    (problem,) = vu.open_log(_alone(tmp_path)).problems
    assert problem.message.endswith("; give module=")
    (problem,) = vu.open_log(_other_module(tmp_path)).problems
    assert "if it is the right one: module='" in problem.message
    (problem,) = vu.convert(_alone(tmp_path), tmp_path / "game.json")
    assert "module=" in problem.message
    assert "--" not in problem.message


def test_a_repr_is_one_short_line(logs: list[Log]) -> None:
    audit, log = vu.audit(LOGS), logs[0]
    assert repr(vu.open_module(MODULE)) == (
        "<Module name='Crossroads', version='1.0', file_name='crossroads.vmod', slots=<32>, maps=<2>>"
    )
    assert repr(vu.open_pack(PACK)).startswith(
        "<Pack name='crossroads', version='1.0', ruleset='generic'"
    )
    assert repr(log) == "<Log 1: turn-1.vlog, 19 steps, as everyone may see it>"
    steps, table = list(log.steps()), log.table(11)
    assert repr(steps[3]).startswith(
        "<Step log=1, step=4, player='Wren', side='Blue', turn='Turn 1, "
    )
    piece = next(piece for piece in table.pieces if piece.location == "0505")
    assert repr(piece).startswith(
        "<Piece shown_name='Blue 1 Tank', location='0505', spot=Main Map 280,307"
    )
    assert repr(audit.moves[7].bill) == "<Bill total=6, allowance=4, declared=4, charges=<5>>"
    held: list[object] = [table, *table.pieces, *table.stacks, *table.decks, *steps, *log.players]
    held += [one for step in steps for one in (*step.displacements, *step.changes, *step.chat)]
    held += [one for step in steps for one in (*step.rolls, *step.globals, *step.turns)]
    held += [
        *audit.findings,
        *audit.clauses.values(),
        *audit.sources,
        audit.integrity,
        *audit.moves,
    ]
    held += [*(one.move for one in audit.moves), *vu.open_module(MODULE).slots]
    assert audit.integrity is not None
    held += [*audit.integrity.rolls, *audit.integrity.tallies]
    assert len(held) > 150
    for one in held:
        assert "\n" not in repr(one)
        assert len(repr(one)) <= 100


def test_a_file_that_others_wrote_is_kept_unless_forced(tmp_path: Path) -> None:
    kept = tmp_path / "game.json"
    kept.write_text("mine")
    with pytest.raises(vu.UmpireError, match="is kept"):
        vu.convert(LOG, kept)
    assert kept.read_text() == "mine"
    vu.convert(LOG, kept, force=True)
    assert kept.read_text() != "mine"


def test_a_missing_module_is_a_problem_and_logs_are_read_one_by_one(tmp_path: Path) -> None:
    log = vu.open_log(_alone(tmp_path))
    assert log.module is None
    assert repr(log) == "<Log 1: alone.vlog, 19 steps, as everyone may see it, no module>"
    assert [problem.code for problem in log.problems] == ["no-module"]
    assert isinstance(log.problems[0], vu.Problem)
    assert {piece.location for piece in log.table().pieces} == {""}
    logs = vu.open_logs([LOG, _no_save(tmp_path)], module=MODULE)
    assert next(logs).file == "turn-1.vlog"
    with pytest.raises(vu.Unreadable, match=r"notes\.vlog"):
        next(logs)


def test_frames_without_pyarrow_say_how_to_get_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    for ask in (vu.open_log(LOG).to_frames, vu.open_log(LOG).table().to_frames):
        with pytest.raises(vu.UmpireError, match="pip install pyarrow"):
            ask()
