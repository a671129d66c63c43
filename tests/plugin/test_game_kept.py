"""What was read and judged is kept beside a game: it changes nothing of what is said, and nobody relies on
it."""

from __future__ import annotations

import csv
import hmac
import os
import re
import shutil
import sqlite3
import sys
import zlib
from collections.abc import Callable
from contextlib import closing
from dataclasses import replace
from importlib import import_module
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from tiers import by_tier
from vassal_umpire.importers.vassal.buildfile import open_module
from vassal_umpire.importers.vassal.limits import DEFAULT_LIMITS
from vassal_umpire.importers.vassal.module import ExtensionInfo, Module
from vassal_umpire.importers.vassal.replay import replay_log
from vassal_umpire.importers.vassal.savefile import read_save
from vassal_umpire.model.problem import UmpireError
from vassal_umpire.model.viewer import EVERYONE
from vassal_umpire.plugin import auditing
from vassal_umpire.plugin import program_digest as digests
from vassal_umpire.plugin.desk import audits as audits_kept
from vassal_umpire.plugin.desk import store
from vassal_umpire.plugin.desk.audits import GameAudits
from vassal_umpire.plugin.desk.cutout import Ground
from vassal_umpire.plugin.desk.joining import Position, position_of
from vassal_umpire.plugin.desk.store import FILE, FOLDER, KeptPositions, Store
from vassal_umpire.plugin.registry import Registry
from vassal_umpire.plugin.user_folder import PLACE, own_secret
from vassal_umpire.validators import stored_judge

from . import kit
from .kit import MODULE, TURN_1, TURN_2

A, B = "a" * 64, "b" * 64
"""What logs are known by."""
MARK = 32
WRONG = "it is thrown away, and everything is judged again"


@pytest.fixture(scope="module")
def module() -> Module:
    return open_module(MODULE)


@pytest.fixture(scope="module")
def position(module: Module) -> Position:
    return position_of(replay_log(read_save(TURN_1), module).end)


@pytest.fixture
def trusted(monkeypatch: pytest.MonkeyPatch) -> None:
    """What is taken from a store is not compared."""
    monkeypatch.setattr(store, "EVERY", 10**9)


def refuse(*_: object, **__: object) -> None:
    raise AssertionError


EXTENSION = ExtensionInfo("Winter", "1", "a", "Crossroads", "1.0", "winter.vmdx", "e" * 64)
OTHERS: dict[str, Callable[[Module], Module]] = {
    "another module": lambda module: replace(module, sha256="f" * 64),
    "an extension more": lambda module: replace(module, extensions=(EXTENSION,)),
}


def test_what_is_kept_is_what_was_read_with_the_same_files(
    module: Module, position: Position, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with Store(tmp_path) as base:
        KeptPositions(base, module).put("end", A, position)
        KeptPositions(base, module).put("opening", B, position)
    with Store(tmp_path) as base:
        kept = KeptPositions(base, module)
        assert (kept.get("end", A), kept.get("opening", B)) == (position, position)
        assert (kept.get("end", B), kept.get("opening", A)) == (None, None)
        for name, other in OTHERS.items():
            assert KeptPositions(base, other(module)).get("end", A) is None, name
        monkeypatch.setattr(store, "program_digest", lambda: "another program")
        assert kept.get("end", A) is None
    assert (tmp_path / FOLDER / ".gitignore").read_text() == "*\n"


def test_what_rests_on_a_ruleset_from_elsewhere_rests_on_its_files(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Also where its package lies in a folder that is none, as several distributions may share."""
    file = tmp_path / "shared_by_many" / "moscow" / "__init__.py"
    file.parent.mkdir(parents=True)
    file.write_text("", "utf-8")
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.setitem(sys.modules, "shared_by_many", import_module("shared_by_many"))
    ruleset = SimpleNamespace(module="shared_by_many.moscow")
    known = Registry("ruleset", {"moscow": ruleset}, ())
    monkeypatch.setattr(digests, "rulesets", lambda: known)
    before = digests.program_digest.__wrapped__()
    file.write_text("COST = 2\n", "utf-8")
    assert digests.program_digest.__wrapped__() != before


@pytest.mark.usefixtures("trusted")
def test_what_somebody_else_kept_counts_for_nothing(begun: kit.Kept) -> None:
    from_somebody_else(kept_in(begun))
    assert "made by somebody else; it is thrown away" in begun.status()


def test_a_user_has_one_secret(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    found = []
    for home in ("mine", "mine", "yours"):
        monkeypatch.setenv(PLACE, str(tmp_path / home))
        found.append(own_secret())
    assert found[0] == found[1] != found[2]
    assert len(found[0]) == 64
    monkeypatch.setenv(PLACE, os.devnull)
    assert own_secret() == b""


def test_what_nobody_asks_for_goes(
    module: Module, position: Position, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(store, "_RUNS", 2)
    for run in range(4):
        with Store(tmp_path) as base:
            kept = KeptPositions(base, module)
            kept.put("end", A, position)
            if run == 0:
                kept.put("opening", A, position)
    with Store(tmp_path) as base:
        kept = KeptPositions(base, module)
        assert kept.get("end", A) == position
        assert kept.get("opening", A) is None


def test_a_folder_that_is_not_there(module: Module, position: Position, tmp_path: Path) -> None:
    (tmp_path / FOLDER).symlink_to(tmp_path / "nowhere")
    with Store(tmp_path) as base:
        KeptPositions(base, module).put("end", A, position)
        assert KeptPositions(base, module).get("end", A) is None
    assert sorted(file.name for file in tmp_path.iterdir()) == [FOLDER]


@pytest.mark.usefixtures("trusted")
def test_facts_that_come_to_lie_beside_the_pack_are_told(begun: kit.Kept) -> None:
    shutil.copytree(kit.PACK, begun.path / "pack")
    begun.edit(r"(?m)^pack = .*", 'pack = "pack"')
    begun.edit(r"(?m)^facts = .*\n", "")
    for there in (False, True):
        if there:
            (begun.path / "pack" / "facts.toml").touch()
        told = {problem.code for problem in begun.audited()[1].problems}
        assert ("facts-not-named" in told) == there


@pytest.mark.parametrize("held", ["EXCLUSIVE", "DEFERRED"])
def test_a_store_that_another_command_holds_stays_as_it_is(tmp_path: Path, held: str) -> None:
    """``held``: whether the other one writes, or reads."""
    with Store(tmp_path) as base:
        base.put(A, b"kept before")
    with Store(tmp_path) as base, closing(sqlite3.connect(tmp_path / FOLDER / FILE)) as other:
        assert base._base is not None
        base._base.execute("PRAGMA busy_timeout = 0")
        other.execute(f"BEGIN {held}")
        other.execute("SELECT * FROM kept").fetchone()
        assert base.get(A) == (None if held == "EXCLUSIVE" else b"kept before")
        base.put(B, b"put while it is held")
        base.commit()
        other.rollback()
    with Store(tmp_path) as base:
        assert (base.get(A), base.get(B)) == (b"kept before", None)


def test_what_was_judged_is_kept_when_the_audit_is_ended(
    begun: kit.Kept, monkeypatch: pytest.MonkeyPatch
) -> None:
    """So is the log, and the same command tells then what is new."""
    shutil.rmtree(begun.path / FOLDER)
    judged = stored_judge.judge_move
    calls: list[int] = []

    def ended(*about: Any, **given: Any) -> Any:
        if len(calls) == 5:
            raise KeyboardInterrupt
        calls.append(1)
        return judged(*about, **given)

    monkeypatch.setattr(stored_judge, "judge_move", ended)
    kit.umpire("game", "add", begun.path, TURN_2)
    assert begun.names() == ["turn-1.vlog", "turn-2.vlog"]
    monkeypatch.setattr(stored_judge, "judge_move", judged)
    taken: list[bytes | None] = []
    get = Store.get
    monkeypatch.setattr(Store, "get", lambda *a: taken.append(get(*a)) or taken[-1])
    told = begun.add(TURN_2)
    assert "new         5 moves: 5 legal" in told
    assert len([one for one in taken if one is not None and b"judge.Judgement" in one]) == 5
    assert "is in the game already" in kit.refused("game", "add", begun.path, TURN_2)


@pytest.mark.usefixtures("trusted")
def test_nothing_that_is_known_is_read_or_judged_again(
    games: dict[int, kit.Kept], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    game = kit.Kept(tmp_path / "known")
    shutil.copytree(games[2].path, game.path)
    first = game.done("report")
    assert "3. missed MP cost" in first

    monkeypatch.setattr(stored_judge, "judge_move", refuse)
    for module in (auditing, audits_kept):
        monkeypatch.setattr(module, "read_evidence", refuse)
    assert "offences    3" in game.status()
    assert game.done("report") == first
    game.done("appeal", "-o", tmp_path / "appeal.zip")
    with GameAudits(game.read(), DEFAULT_LIMITS) as audits:
        assert Ground(audits.whole()[0], DEFAULT_LIMITS).part("Main Map", (0, 0, 200, 200))


@pytest.mark.ci
@pytest.mark.usefixtures("trusted")
def test_the_first_report_and_mail_after_a_log_was_added_read_no_log(
    empty: kit.Kept, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Nor for what is proposed where nothing tells the phase. The mail is the one that is made anew."""
    pack = shutil.copytree(kit.PACK, empty.desk / "pack")
    text = (pack / "pack.toml").read_text("utf-8")
    begin, end = text.index("[[phases.from]]"), text.index("[[phase]]")
    (pack / "pack.toml").write_text(text[:begin] + text[end:], "utf-8")
    empty.edit('pack = ".*"', f'pack = "{pack.as_posix()}"')
    told = 'turn = "Turn 1"\nphase = "Movement"\nactive = "Blue"'
    empty.write_facts(f'[[phase]]\nlog = 1\nsteps = "1-9"\n{told}\n')
    empty.add(TURN_1)

    with monkeypatch.context() as patch:
        patch.setattr(audits_kept, "read_evidence", refuse)
        assert "# signs: " in empty.done("report", "--format", "json")
        files = empty.mailed()
    assert {"all.html", "Blue.html", "Red.html"} < set(files)
    shutil.rmtree(empty.path / FOLDER)
    anew = empty.mailed("--force")
    assert {name: data for name, data in anew.items() if files[name] != data} == {}


@pytest.mark.ci
@pytest.mark.usefixtures("trusted", "unsuspected")
def test_as_suggested_the_moves_of_the_new_log_alone_are_judged(
    empty: kit.Kept, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Also where what is suggested bears on none of the moves before it."""
    pack = shutil.copytree(kit.PACK, empty.desk / "pack")
    rows = ["cell,layer,name,value,status,who,when,method"]
    for row in csv.DictReader((pack / "hexes.csv").read_text("utf-8").splitlines()):
        status, by = ("suggested", "program") if row["hex"] == "0101" else ("looked-at", "person")
        value = f"{row['hex']},terrain,,{row['terrain']}"
        rows.append(f"{value},{status},A,2026-11-22,{by}: the map")
    (pack / "provenance.csv").write_text("\n".join(rows), "utf-8")
    toml = (pack / "pack.toml").read_text("utf-8")
    required = toml.replace('name = "Country"', 'name = "Country"\nprovenance = "required"')
    (pack / "pack.toml").write_text(required, "utf-8")
    empty.edit('pack = ".*"', f'pack = "{pack.as_posix()}"')
    judged: list[int] = []
    judge = stored_judge.judge_move

    def counted(move: Any, *args: Any, **given: Any) -> Any:
        judged.append(move.steps[-1].log)
        return judge(move, *args, **given)

    monkeypatch.setattr(stored_judge, "judge_move", counted)
    for number, log in enumerate((TURN_1, TURN_2), 1):
        empty.add(log)
        judged.clear()
        empty.done("report")
        assert (number, {*judged}) == (number, {number})


@pytest.mark.ci
@pytest.mark.usefixtures("trusted", "unsuspected")
def test_a_map_is_drawn_with_the_names_that_pieces_tell_in_all_logs(tmp_path: Path) -> None:
    """Where code of the module's own numbers its hexes, and one log leaves open how it counts."""
    build = kit.entry_of(MODULE, "buildFile.xml")
    build = re.sub(r"[\w.]+\.HexGridNumbering", "own.HexGridNumbering", build)
    kit.zip_with(MODULE, tmp_path / MODULE.name, {"buildFile.xml": build})
    game = kit.Kept(tmp_path / "game")
    game.done("new", "--module", tmp_path / MODULE.name, "--pack", kit.PACK)
    game.add(TURN_1, TURN_2)
    shutil.rmtree(game.path / FOLDER)
    first = kit.printed("game", "report", game.path, "--format", "html", codes=(0, 1, 3))
    assert first == kit.printed("game", "report", game.path, "--format", "html", codes=(0, 1, 3))


# --- what is wrong is thrown away, and the same is said


def kept_in(game: kit.Kept) -> Path:
    return game.path / FOLDER / FILE


def rewritten(file: Path, change: Callable[[bytes], bytes], secret: bytes = b"") -> None:
    """The file with every value changed, as if somebody with this secret had kept it; "": this user."""
    with closing(sqlite3.connect(file)) as base, base:
        rows = base.execute("SELECT key, data FROM kept").fetchall()
        assert rows
        for key, data in rows:
            new = zlib.compress(change(zlib.decompress(data[MARK:])))
            mark = hmac.digest(secret or store.own_secret(), key.encode() + new, "sha256")
            base.execute("UPDATE kept SET data = ? WHERE key = ?", (mark + new, key))


def another_form(file: Path) -> None:
    with closing(sqlite3.connect(file)) as base, base:
        base.execute("CREATE TABLE mine (key TEXT)")


def no_values(file: Path) -> None:
    rewritten(file, lambda _: b'{"classes": ["game.Game"], "nodes": [[5]]}')


def flipped(file: Path) -> None:
    with closing(sqlite3.connect(file)) as base, base:
        base.execute("UPDATE kept SET data = substr(data, 1, length(data) - 9) || X'00'")


def told_legal(data: bytes) -> bytes:
    return data.replace(b'"illegal"', b'"legal"')


def from_somebody_else(file: Path) -> None:
    rewritten(file, told_legal, b"another secret")


DAMAGES: dict[str, Callable[[Path], object]] = {
    "deleted": Path.unlink,
    "cut short": lambda file: file.write_bytes(file.read_bytes()[:5000]),
    "no database": lambda file: file.write_bytes(b"something else" * 1000),
    "another form": another_form,
    "no values": no_values,
    "flipped": flipped,
    "wrong verdicts": lambda file: rewritten(file, told_legal),
    "from somebody else": from_somebody_else,
}


def told(place: kit.Kept, last: Path) -> tuple[str, ...]:
    """What is said when the last log is added, what is written then, and what an audit of the game says."""
    added = place.add(last)
    report = place.path.with_suffix(".json")
    place.done("report", "--director", "--format", "json", "-o", report)
    texts = (place.toml, place.path / "audited.json", report)
    days = re.compile(r"\b20\d\d-\d\d-\d\d\b")  # midnight may come between
    written = [days.sub("DAY", file.read_text("utf-8")) for file in texts]
    lines = added.replace(place.path.name, "DIR").splitlines(keepends=True)
    return ("".join(one for one in lines if FILE not in one), *written)


@pytest.fixture(scope="module")
def expected(games: dict[int, kit.Kept], tmp_path_factory: pytest.TempPathFactory) -> Any:
    place = kit.Kept(tmp_path_factory.mktemp("expected") / "wren and rook")
    shutil.copytree(games[1].path, place.path)
    return told(place, TURN_2)


@pytest.mark.usefixtures("compared")
@pytest.mark.parametrize("damage", by_tier(("cut short", "wrong verdicts"), tuple(DAMAGES)))
def test_the_same_is_said_whatever_is_kept(begun: kit.Kept, expected: Any, damage: str) -> None:
    DAMAGES[damage](kept_in(begun))
    once_more = begun.copy("once more")
    assert told(begun, TURN_2) == expected
    assert kept_in(begun).is_file()
    assert (WRONG in once_more.status()) == (damage != "deleted")


def test_what_was_taken_does_not_stand_beside_what_is_made_anew(
    begun: kit.Kept, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Hexes or pictures of counters neither."""
    with GameAudits(begun.read(), DEFAULT_LIMITS) as audits:
        monkeypatch.setattr(Store, "is_due", lambda _: False)
        audits.faces(EVERYONE, dict)
        audits.faces(EVERYONE, dict)
        audits.centres(dict)
        monkeypatch.setattr(Store, "is_due", lambda _: True)
        with pytest.raises(UmpireError, match="run the command again"):
            audits.centres(lambda: {"0101": ("Main Map", 1.0, 1.0)})


@pytest.mark.usefixtures("trusted")
def test_damaged_places_of_hexes_are_thrown_away(
    begun: kit.Kept, capsys: pytest.CaptureFixture[str]
) -> None:
    with GameAudits(begun.read(), DEFAULT_LIMITS) as audits:
        audits.centres(dict)
    no_values(kept_in(begun))
    with GameAudits(begun.read(), DEFAULT_LIMITS) as audits:
        assert audits.centres(dict) == {}
    assert f"is damaged; {WRONG}" in capsys.readouterr().err
