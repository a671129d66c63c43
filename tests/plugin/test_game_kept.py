"""What was read of logs is kept beside a game: it changes nothing of what is said, and is never trusted."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from click.testing import CliRunner, Result
from vassal_umpire.importers.vassal.buildfile import open_module
from vassal_umpire.importers.vassal.module import ExtensionInfo, Module
from vassal_umpire.importers.vassal.replay import replay_log
from vassal_umpire.importers.vassal.savefile import read_save
from vassal_umpire.plugin.cli import main
from vassal_umpire.plugin.desk import adding, kept
from vassal_umpire.plugin.desk.kept import FOLDER, Kept
from vassal_umpire.plugin.desk.position import Position, position_of
from vassal_umpire.plugin.seal import BLANK, sealed

PROJECT = Path(__file__).resolve().parents[2]
CROSSROADS = PROJECT / "samples" / "crossroads"
LOGS = (CROSSROADS / "turn-1.vlog", CROSSROADS / "turn-2.vlog")
REAL = PROJECT.parent / "shared" / "corpus" / "tld"
SAMPLE = PROJECT / "samples" / "the-longest-day"


def umpire(*arguments: object) -> Result:
    return CliRunner().invoke(main, [str(argument) for argument in arguments])


@pytest.fixture(scope="module")
def module() -> Module:
    return open_module(CROSSROADS / "crossroads.vmod")


@pytest.fixture(scope="module")
def position(module: Module) -> Position:
    return position_of(replay_log(read_save(LOGS[0]), module).end)


EXTENSION = ExtensionInfo("Winter", "1", "a", "Crossroads", "1.0", "winter.vmdx", "e" * 64)


def test_what_is_kept_is_what_was_read(module: Module, position: Position, tmp_path: Path) -> None:
    Kept(tmp_path, module).keep_end("a" * 64, position)
    Kept(tmp_path, module).keep_opening("b" * 64, position)
    assert Kept(tmp_path, module).end("a" * 64) == position
    assert Kept(tmp_path, module).opening("b" * 64) == position
    assert Kept(tmp_path, module).end("b" * 64) is None
    assert Kept(tmp_path, module).opening("a" * 64) is None
    assert (tmp_path / FOLDER / ".gitignore").read_text() == "*\n"


@pytest.mark.parametrize(
    "other",
    [
        lambda module: replace(module, sha256="f" * 64),
        lambda module: replace(module, extensions=(EXTENSION,)),
        lambda module: replace(module, extensions=(replace(EXTENSION, sha256="d" * 64),)),
    ],
    ids=["another module", "an extension more", "another extension"],
)
def test_what_was_read_with_other_files_is_not_used(
    module: Module, position: Position, tmp_path: Path, other: Callable[[Module], Module]
) -> None:
    Kept(tmp_path, module).keep_end("a" * 64, position)
    assert Kept(tmp_path, other(module)).end("a" * 64) is None
    Kept(tmp_path, other(module)).keep_end("a" * 64, position)
    assert Kept(tmp_path, module).end("a" * 64) == position


def test_what_another_version_read_is_not_used(
    module: Module, position: Position, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    Kept(tmp_path, module).keep_end("a" * 64, position)
    monkeypatch.setattr(kept, "__version__", "0.0.9")
    assert Kept(tmp_path, module).end("a" * 64) is None


def only(folder: Path) -> Path:
    (file,) = (folder / FOLDER).glob("*.json")
    return file


def test_what_is_kept_under_another_key_is_not_used(
    module: Module, position: Position, tmp_path: Path
) -> None:
    for name in "ab":
        (tmp_path / name).mkdir()
    Kept(tmp_path / "a", module).keep_end("a" * 64, position)
    Kept(tmp_path / "b", module).keep_end("b" * 64, position)
    shutil.copy(only(tmp_path / "b"), only(tmp_path / "a"))
    assert Kept(tmp_path / "a", module).end("a" * 64) is None


def damages() -> Iterator[tuple[str, Callable[[bytes], bytes]]]:
    yield "cut short", lambda data: data[: len(data) // 2]
    yield "empty", lambda data: b""
    yield "one byte", lambda data: data.replace(b'"Main Map"', b'"Main map"', 1)

    def rewritten(change: Callable[[dict[str, object]], object]) -> Callable[[bytes], bytes]:
        def made(data: bytes) -> bytes:
            plain = json.loads(data)
            plain["seal"] = BLANK
            return sealed(json.dumps(change(plain)).encode())

        return made

    yield "sealed, no key", rewritten(lambda plain: {k: v for k, v in plain.items() if k != "key"})
    yield "sealed, no pieces", rewritten(lambda plain: {**plain, "pieces": None})
    yield "sealed, a list", rewritten(lambda plain: [BLANK])
    yield (
        "sealed, no number",
        rewritten(lambda plain: {**plain, "pieces": {"1": [None, float("inf"), 0, "", None, ""]}}),
    )


@pytest.mark.parametrize("damage", [pytest.param(one, id=what) for what, one in damages()])
def test_what_was_damaged_is_not_used(
    module: Module, position: Position, tmp_path: Path, damage: Callable[[bytes], bytes]
) -> None:
    Kept(tmp_path, module).keep_end("a" * 64, position)
    file = only(tmp_path)
    before = file.read_bytes()
    file.write_bytes(damage(before))
    assert file.read_bytes() != before
    assert Kept(tmp_path, module).end("a" * 64) is None


def test_what_is_no_longer_of_the_game_is_taken_away(
    module: Module, position: Position, tmp_path: Path
) -> None:
    store = Kept(tmp_path, module)
    store.keep_end("a" * 64, position)
    store.keep_end("b" * 64, position)
    Kept(tmp_path, replace(module, sha256="f" * 64)).keep_end("a" * 64, position)
    mine = tmp_path / FOLDER / f"{'0' * 24}.json"
    mine.write_text("mine")
    store.tidy(["a" * 64])
    assert {file.name for file in (tmp_path / FOLDER).glob("*.json")} == {
        mine.name,
        store._file(store._key("a" * 64, "end")).name,
    }
    assert store.end("a" * 64) == position


def test_a_folder_that_cannot_be_written_to_keeps_nothing(
    module: Module, position: Position, tmp_path: Path
) -> None:
    (tmp_path / FOLDER).symlink_to(tmp_path / "nowhere")
    Kept(tmp_path, module).keep_end("a" * 64, position)
    assert Kept(tmp_path, module).end("a" * 64) is None
    assert sorted(file.name for file in tmp_path.iterdir()) == [FOLDER]


# --- the same is said, whatever is kept


def warm(folder: Path) -> None:
    assert list((folder / FOLDER).glob("*.json"))


def deleted(folder: Path) -> None:
    shutil.rmtree(folder / FOLDER)


def damaged(folder: Path) -> None:
    for file in (folder / FOLDER).glob("*.json"):
        file.write_bytes(file.read_bytes()[:-40])


def foreign(folder: Path) -> None:
    """What is kept of each log under the key of another."""
    files = sorted((folder / FOLDER).glob("*.json"))
    read = [file.read_bytes() for file in files]
    for file, data in zip(files, [*read[1:], *read[:1]], strict=True):
        file.write_bytes(data)


STATES = (warm, deleted, damaged, foreign)


def told(place: Path, last: Path) -> tuple[str, ...]:
    """What is said when the last log is added, what is written then, and what an audit of the game says."""
    added = umpire("game", "add", place, last)
    assert added.exit_code == 0, added.output
    report = place.with_suffix(".json")
    reported = umpire("game", "report", place, "--director", "--format", "json", "-o", report)
    assert reported.exit_code == 0, reported.output
    texts = (place / "game.toml", place / "audited.json", report)
    return (added.output.replace(place.name, "DIR"), *(file.read_text("utf-8") for file in texts))


def begun(place: Path, logs: tuple[Path, ...], *named: object) -> Path:
    started = umpire("game", "new", place, *named, "--title", "Round 1")
    assert started.exit_code == 0, started.output
    assert umpire("game", "add", place, *logs).exit_code == 0
    return place


@pytest.mark.ci
def test_the_same_is_said_of_the_sample_game_whatever_is_kept(tmp_path: Path) -> None:
    named = "--module", CROSSROADS / "crossroads.vmod", "--pack", CROSSROADS / "pack"
    game = begun(tmp_path / "game", LOGS[:1], *named)
    said = []
    for number, change in enumerate(STATES):
        place = tmp_path / f"copy-{number}"
        shutil.copytree(game, place)
        change(place)
        said.append(told(place, LOGS[1]))
        warm(place)
    assert said[1:] == said[:1] * 3
    assert "from the end of turn-1.vlog, piece by piece" in said[0][0]


@pytest.mark.ci
@pytest.mark.skipif(not REAL.is_dir(), reason="the corpus is not there")
def test_a_log_of_a_real_game_is_joined_alike_whatever_is_kept(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    logs = sorted((REAL / "game").glob("*.log"))
    game = begun(tmp_path / "game", tuple(logs[:2]), "--module", next(REAL.glob("*.vmod")))
    read: list[str] = []
    replayed = adding.replay_log
    monkeypatch.setattr(
        adding,
        "replay_log",
        lambda save, *a, **k: read.append(save.where) or replayed(save, *a, **k),
    )
    said = []
    for number, change in enumerate(STATES):
        place = tmp_path / f"copy-{number}"
        shutil.copytree(game, place)
        change(place)
        read.clear()
        added = umpire("game", "add", place, logs[2])
        assert added.exit_code == 0, added.output
        assert len(read) == (1 if change is warm else 3)
        said.append(
            (added.output.replace(place.name, "DIR"), (place / "game.toml").read_text("utf-8"))
        )
    assert said[1:] == said[:1] * 3
    assert f"from the end of {logs[1].name}, piece by piece" in said[0][0]
