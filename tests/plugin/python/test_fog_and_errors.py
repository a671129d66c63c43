"""The Python interface shows no more than its viewer may see, and fails in one line."""

from __future__ import annotations

import json
import shutil
import sys
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("pyarrow", reason="pyarrow is not installed (the extra [frames])")

import vassal_umpire as vu
from dark import IDS, TARN, WREN, DarkScribe, build
from vassal_umpire.plugin.python import audits

CROSSROADS = Path(__file__).parents[3] / "samples" / "crossroads"
LOG = CROSSROADS / "turn-1.vlog"
HIDDEN, MASKED = str(IDS["Blue 2 Inf"]), str(IDS["Blue 3 Inf"])


def play(scribe: DarkScribe) -> None:
    """A counter goes out of sight and moves, one is masked, one that all see is dragged past them."""
    scribe.advance("Turn 1, Blue Movement", "", "Turn 1, Blue Movement")
    scribe.hide(HIDDEN)
    scribe.mask(MASKED)
    scribe.sneak(HIDDEN, "0305")
    scribe.drag(str(IDS["Blue 1 Inf"]), "0302")


@pytest.fixture(scope="module")
def dark(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A log in which Blue has secrets; its opening has them too, for all is hidden in the log before."""
    _, logs = build(
        tmp_path_factory.mktemp("dark") / "game", play, lambda s: s.sneak(MASKED, "0404")
    )
    return logs[1]


def everything(log: vu.Log, audit: vu.Audit) -> Iterator[str]:
    """All that can be got out of them, as text."""
    yield repr(log)
    yield repr(log.problems)
    for step in log.steps():
        yield repr(step)
        yield repr(step.problems)
    for table in (log.table(0), log.table()):
        yield repr((table, table.pieces, table.stacks, table.decks, table.globals, table.turns))
        yield from (str(frame.to_pylist()) for frame in table.to_frames().values())
    yield from (str(frame.to_pylist()) for frame in log.to_frames().values())
    yield repr(audit)
    yield from (str(frame.to_pylist()) for frame in audit.to_frames().values())


@pytest.mark.ci
@pytest.mark.parametrize("viewer", [None, "Red"])
def test_what_is_hidden_is_in_nothing_that_is_returned(dark: Path, viewer: str | None) -> None:
    told = "\n".join(everything(vu.open_log(dark, viewer=viewer), vu.audit(dark, viewer=viewer)))
    assert HIDDEN not in told
    assert "Blue 2 Inf" not in told
    assert MASKED not in told
    assert "Blue 3 Inf" not in told
    assert "Blue 1 Inf" in told
    assert WREN.id not in told
    assert TARN.id not in told


@pytest.mark.ci
@pytest.mark.parametrize("viewer", ["Blue", vu.DIRECTOR])
def test_who_may_see_more_names_himself(dark: Path, viewer: Any) -> None:
    log = vu.open_log(dark, viewer=viewer)
    told = "\n".join(everything(log, vu.audit(dark, viewer=viewer)))
    for text in (HIDDEN, "Blue 2 Inf", MASKED, "Blue 3 Inf"):
        assert text in told
    assert WREN.id not in told
    seen = {piece.id: piece for piece in log.table().pieces}
    assert (seen[HIDDEN].hidden, seen[MASKED].masked) == (True, True)


def test_convert_writes_what_the_viewer_may_see(dark: Path, tmp_path: Path) -> None:
    vu.convert(dark, tmp_path / "all.json")
    vu.convert(dark, tmp_path / "blue.json", viewer="Blue")
    tables = [json.loads((tmp_path / f"{name}.json").read_bytes()) for name in ("all", "blue")]
    assert [told["eyes"] for told in tables] == ["everyone", "side Blue"]
    assert ["Blue 2 Inf" in json.dumps(told["table"]) for told in tables] == [False, True]


def test_units_dragged_along_are_not_given_away(monkeypatch: pytest.MonkeyPatch) -> None:
    real = audits.audit_shown

    def with_company(*given: Any) -> Any:
        audited, shown = real(*given)
        moves = [
            replace(m, move=replace(m.move, company=frozenset({"secret"}))) for m in shown.moves
        ]
        return audited, replace(shown, moves=tuple(moves))

    monkeypatch.setattr(audits, "audit_shown", with_company)
    assert "secret" not in repr(vu.audit(LOG))
    assert "secret" in repr(vu.audit(LOG, viewer=vu.DIRECTOR))


def _no_save(folder: Path) -> Path:
    path = folder / "notes.vlog"
    path.write_text("no save")
    return path


def _no_pack(folder: Path) -> Path:
    (folder / "pack.toml").write_text("[pack]\nname = 3\n")
    return folder


def _alone(folder: Path) -> Path:
    return Path(shutil.copy(LOG, folder / "alone.vlog"))


FAILS: list[tuple[str, type[Exception], Callable[[Path], object], str]] = [
    ("a log that is not there", vu.UmpireError, lambda f: vu.open_log(f / "no.vlog"), "no.vlog"),
    ("a folder", vu.UmpireError, lambda f: vu.open_log(f), ""),
    ("no save", vu.Unreadable, lambda f: vu.open_log(_no_save(f)), "notes.vlog"),
    ("a zero byte", vu.UmpireError, lambda f: vu.open_log("a\0b"), "name of a file"),
    ("no logs", vu.UmpireError, lambda f: vu.audit([]), "no file is named"),
    ("a module that is a log", vu.UmpireError, lambda f: vu.open_module(LOG), "turn-1.vlog"),
    ("a module that is a folder", vu.UmpireError, lambda _: vu.open_module("."), "directory"),
    ("no module there", vu.UmpireError, lambda f: vu.open_module(f / "no.vmod"), "no.vmod"),
    ("no pack", vu.UmpireError, lambda f: vu.open_pack(f / "pack"), "pack"),
    ("a pack with faults", vu.WrongPack, lambda f: vu.open_pack(_no_pack(f)), "pack.toml"),
    ("no module beside", vu.CannotAudit, lambda f: vu.audit(_alone(f)), "was not found"),
    ("no ruleset", vu.UmpireError, lambda f: vu.audit(LOG, ruleset="chess"), "chess"),
    ("no such side", vu.UmpireError, lambda f: vu.open_log(LOG, viewer="Green"), "'Green'"),
    ("no such reader", vu.UmpireError, lambda f: vu.audit(LOG, viewer="Green"), "'Green'"),
    ("no such step", vu.UmpireError, lambda f: vu.open_log(LOG).table(20), "expected 0 to 19"),
    ("a step below 0", vu.UmpireError, lambda f: vu.open_log(LOG).table(-1), "expected 0 to 19"),
    ("no such form", vu.UmpireError, lambda f: vu.convert(LOG, f / "x", to="xml"), "jsonl"),
    ("facts alone", vu.UmpireError, lambda f: vu.convert(LOG, f / "x", facts=LOG), "pack"),
    (
        "a pack for tables",
        vu.UmpireError,
        lambda f: vu.convert(LOG, f / "x", to="sqlite", pack=CROSSROADS / "pack"),
        "json",
    ),
    ("standard output", vu.UmpireError, lambda f: vu.convert(LOG, "-"), "name of a file"),
    ("an input", vu.UmpireError, lambda f: vu.convert(_alone(f), f / "alone.vlog"), "input"),
    ("too large", vu.Unreadable, lambda f: vu.open_log(LOG, limits=vu.Limits(steps=3)), "steps"),
]


@pytest.mark.parametrize(("kind", "ask", "part"), [f[1:] for f in FAILS], ids=[f[0] for f in FAILS])
def test_what_cannot_be_done_is_told_in_one_line(
    tmp_path: Path, kind: type[Exception], ask: Callable[[Path], object], part: str
) -> None:
    with pytest.raises(kind) as raised:
        ask(tmp_path)
    assert isinstance(raised.value, vu.UmpireError)
    assert part in str(raised.value)
    assert "\n" not in str(raised.value)


def test_a_file_that_others_wrote_is_kept_unless_forced(tmp_path: Path) -> None:
    kept = tmp_path / "game.json"
    kept.write_text("mine")
    with pytest.raises(vu.UmpireError, match="is kept"):
        vu.convert(LOG, kept)
    assert kept.read_text() == "mine"
    vu.convert(LOG, kept, force=True)
    assert kept.read_text() != "mine"


def test_a_missing_module_is_a_problem_and_no_error(tmp_path: Path) -> None:
    log = vu.open_log(_alone(tmp_path))
    assert log.module is None
    assert [problem.code for problem in log.problems] == ["no-module"]
    assert isinstance(log.problems[0], vu.Problem)
    assert {piece.location for piece in log.table().pieces} == {""}


def test_logs_are_read_one_by_one(tmp_path: Path) -> None:
    logs = vu.open_logs([LOG, _no_save(tmp_path)], module=CROSSROADS / "crossroads.vmod")
    assert next(logs).file == "turn-1.vlog"
    with pytest.raises(vu.Unreadable, match=r"notes\.vlog"):
        next(logs)


def test_frames_without_pyarrow_say_how_to_get_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    for ask in (vu.open_log(LOG).to_frames, vu.open_log(LOG).table().to_frames):
        with pytest.raises(vu.UmpireError, match="pip install pyarrow"):
            ask()
