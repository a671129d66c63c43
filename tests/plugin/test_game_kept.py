"""What was read of logs is kept beside a game: it changes nothing of what is said, and is never trusted."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from vassal_umpire.importers.vassal.buildfile import open_module
from vassal_umpire.importers.vassal.module import ExtensionInfo, Module
from vassal_umpire.importers.vassal.replay import replay_log
from vassal_umpire.importers.vassal.savefile import read_save
from vassal_umpire.plugin.desk import adding, kept
from vassal_umpire.plugin.desk.kept import FOLDER, Kept
from vassal_umpire.plugin.desk.position import Position, position_of
from vassal_umpire.plugin.seal import BLANK, sealed

from . import kit
from .kit import MODULE, PROJECT, TURN_1, TURN_2

REAL = PROJECT.parent / "shared" / "corpus" / "tld"
A, B = "a" * 64, "b" * 64
"""What logs are known by."""


@pytest.fixture(scope="module")
def module() -> Module:
    return open_module(MODULE)


@pytest.fixture(scope="module")
def position(module: Module) -> Position:
    return position_of(replay_log(read_save(TURN_1), module).end)


EXTENSION = ExtensionInfo("Winter", "1", "a", "Crossroads", "1.0", "winter.vmdx", "e" * 64)


def test_what_is_kept_is_what_was_read(module: Module, position: Position, tmp_path: Path) -> None:
    Kept(tmp_path, module).keep_end(A, position)
    Kept(tmp_path, module).keep_opening(B, position)
    assert Kept(tmp_path, module).end(A) == position
    assert Kept(tmp_path, module).opening(B) == position
    assert Kept(tmp_path, module).end(B) is None
    assert Kept(tmp_path, module).opening(A) is None
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
    Kept(tmp_path, module).keep_end(A, position)
    assert Kept(tmp_path, other(module)).end(A) is None
    Kept(tmp_path, other(module)).keep_end(A, position)
    assert Kept(tmp_path, module).end(A) == position


def test_what_another_version_read_is_not_used(
    module: Module, position: Position, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    Kept(tmp_path, module).keep_end(A, position)
    monkeypatch.setattr(kept, "__version__", "0.0.9")
    assert Kept(tmp_path, module).end(A) is None


def only(folder: Path) -> Path:
    (file,) = (folder / FOLDER).glob("*.json")
    return file


def test_another_key_is_not_used(module: Module, position: Position, tmp_path: Path) -> None:
    for name in "ab":
        (tmp_path / name).mkdir()
    Kept(tmp_path / "a", module).keep_end(A, position)
    Kept(tmp_path / "b", module).keep_end(B, position)
    shutil.copy(only(tmp_path / "b"), only(tmp_path / "a"))
    assert Kept(tmp_path / "a", module).end(A) is None


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
    odd = {"1": [None, float("inf"), 0, "", None, "", False]}
    yield "sealed, no number", rewritten(lambda plain: {**plain, "pieces": odd})


@pytest.mark.parametrize("damage", [pytest.param(one, id=what) for what, one in damages()])
def test_what_was_damaged_is_not_used(
    module: Module, position: Position, tmp_path: Path, damage: Callable[[bytes], bytes]
) -> None:
    Kept(tmp_path, module).keep_end(A, position)
    file = only(tmp_path)
    before = file.read_bytes()
    file.write_bytes(damage(before))
    assert file.read_bytes() != before
    assert Kept(tmp_path, module).end(A) is None


def test_what_left_the_game_goes(module: Module, position: Position, tmp_path: Path) -> None:
    store = Kept(tmp_path, module)
    store.keep_end(A, position)
    store.keep_end(B, position)
    Kept(tmp_path, replace(module, sha256="f" * 64)).keep_end(A, position)
    mine = tmp_path / FOLDER / f"{'0' * 24}.json"
    mine.write_text("mine")
    store.tidy([A])
    left = {file.name for file in (tmp_path / FOLDER).glob("*.json")}
    assert left == {mine.name, store._file(store._key(A, "end")).name}
    assert store.end(A) == position


def test_a_write_protected_folder(module: Module, position: Position, tmp_path: Path) -> None:
    (tmp_path / FOLDER).symlink_to(tmp_path / "nowhere")
    Kept(tmp_path, module).keep_end(A, position)
    assert Kept(tmp_path, module).end(A) is None
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


def told(place: kit.Kept, last: Path) -> tuple[str, ...]:
    """What is said when the last log is added, what is written then, and what an audit of the game says."""
    added = place.add(last)
    report = place.path.with_suffix(".json")
    place.done("report", "--director", "--format", "json", "-o", report)
    texts = (place.toml, place.path / "audited.json", report)
    written = [file.read_text("utf-8") for file in texts]
    return (added.replace(place.path.name, "DIR"), *written)


@pytest.mark.ci
def test_the_same_is_said_of_the_sample_game_whatever_is_kept(begun: kit.Kept) -> None:
    said = []
    for change in STATES:
        place = begun.copy(f"copy-{change.__name__}")
        change(place.path)
        said.append(told(place, TURN_2))
        warm(place.path)
    assert said[1:] == said[:1] * 3
    assert "from the end of turn-1.vlog, piece by piece" in said[0][0]


@pytest.mark.ci
@pytest.mark.skipif(not REAL.is_dir(), reason="the corpus is not there")
def test_a_log_of_a_real_game_is_joined_alike_whatever_is_kept(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    logs = sorted((REAL / "game").glob("*.log"))
    game = kit.Kept(tmp_path / "game")
    game.done("new", "--module", next(REAL.glob("*.vmod")), "--title", "Round 1")
    game.add(*logs[:2])
    read: list[str] = []
    replayed = adding.replay_log
    monkeypatch.setattr(
        adding,
        "replay_log",
        lambda save, *a, **k: read.append(save.where) or replayed(save, *a, **k),
    )
    said = []
    for change in STATES:
        place = game.copy(f"copy-{change.__name__}")
        change(place.path)
        read.clear()
        added = place.add(logs[2])
        assert len(read) == (1 if change is warm else 3)
        said.append((added.replace(place.path.name, "DIR"), place.toml.read_text("utf-8")))
    assert said[1:] == said[:1] * 3
    assert f"from the end of {logs[1].name}, piece by piece" in said[0][0]
