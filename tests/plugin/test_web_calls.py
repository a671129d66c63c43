"""The page without a browser: what is taken of the files that are dropped, and how it is built."""

from __future__ import annotations

import hashlib
import http.client
import io
import json
import re
import zipfile
from collections.abc import Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from browser.web_kit import serving
from vassal_umpire.model.problem import UmpireError
from vassal_umpire.plugin.web import build as made
from vassal_umpire.plugin.web.calls import Calls
from vassal_umpire.plugin.web.dropped import MOST

from . import kit
from .kit import CROSSROADS

LOG, MODULE = "turn-1.vlog", "crossroads.vmod"


def read(name: str) -> bytes:
    return (CROSSROADS / name).read_bytes()


def zip_with(files: Mapping[str, bytes]) -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as made:
        for name, data in files.items():
            made.writestr(name, data)
    return out.getvalue()


def pack_files(folder: str) -> Iterator[tuple[str, bytes]]:
    for path in sorted((CROSSROADS / "pack").iterdir()):
        yield f"{folder}{path.name}", path.read_bytes()


def module_of(text: str) -> str:
    """The path of the module in the text of a game.toml."""
    found = re.search(r'(?m)^module = "(.*)"', text)
    return found[1]


@pytest.fixture
def calls(tmp_path: Path) -> Calls:
    """With nothing dropped yet."""
    return Calls(str(tmp_path / "page"))


def put(calls: Calls, name: str, data: bytes) -> list[tuple[str, str]]:
    """Put a file that is taken; (name, kind) of all that it gives."""
    answer = calls.put(name, memoryview(data))
    assert answer["trouble"] == ""
    return [(one["name"], one["kind"]) for one in answer["taken"]]


def refused(calls: Calls, name: str, data: bytes) -> str:
    """The one line on a file that is not taken."""
    answer = calls.put(name, data)
    assert answer["taken"] == []
    assert answer["trouble"]
    assert "\n" not in answer["trouble"]
    return str(answer["trouble"])


def found(answer: dict[str, Any]) -> str:
    """The text of the report that was written."""
    assert answer["trouble"] == ""
    (file,) = answer["files"]
    return Path(file).read_text("utf-8")


def test_files_are_told_apart_by_what_they_hold(calls: Calls) -> None:
    assert put(calls, "anything.bin", read(LOG)) == [("anything.bin", "log")]
    assert put(calls, "midway.vsav", read("midway.vsav")) == [("midway.vsav", "save")]
    assert put(calls, "some.zip", read(MODULE)) == [("some.zip", "module")]
    packed = zip_with(dict(pack_files("pack/")))
    assert put(calls, "pack.zip", packed) == [("pack.zip", "pack")]
    assert "Blue 4 Inf" in found(calls.audit(["anything.bin"], ""))


def test_a_zip_of_a_folder_gives_its_files(calls: Calls) -> None:
    files = {f"game/{name}": read(name) for name in (LOG, MODULE, "README.md")}
    taken = put(calls, "game.zip", zip_with({**files, **dict(pack_files("game/pack/"))}))
    assert [name for name, kind in taken if kind != "table"] == [LOG, MODULE, "pack.toml"]
    assert "Blue 4 Inf" in found(calls.audit([LOG], "*"))


@pytest.mark.ci
def test_the_zip_of_a_game_brings_rulings_and_a_module_beside(calls: Calls, tmp_path: Path) -> None:
    game = tmp_path / "wren-tarn"
    for line in (
        ["new", game, "--module", CROSSROADS / MODULE, "--pack", CROSSROADS / "pack"],
        ["add", game, CROSSROADS / LOG],
        ["rule", game, "5f7d94", "upheld", "--because", "the river was overlooked"],
    ):
        kit.done("game", *line)
    text = (game / "game.toml").read_text("utf-8")
    away = text.replace("../", "../../gone/").replace(str(CROSSROADS), "/gone")
    files = {"wren-tarn/game.toml": away.encode()}
    for path in sorted(game.glob("logs/*")):
        files[f"wren-tarn/logs/{path.name}"] = path.read_bytes()
    files["wren-tarn/facts.toml"] = (game / "facts.toml").read_bytes()
    assert put(calls, "game.zip", zip_with(files)) == [("game.zip", "game")]
    assert "is not there" in calls.audit([], "")["trouble"]
    put(calls, MODULE, read(MODULE))
    put(calls, "pack.zip", zip_with(dict(pack_files(""))))
    assert "the river was overlooked" in found(calls.audit([], ""))
    assert "checked for Blue" in calls.check([], "", 80)["text"]
    assert calls.mail([], "")["files"][0].endswith("mail.zip")
    put(calls, LOG, read(LOG))
    assert "turn-1.vlog lies beside the zip of a game" in calls.audit([LOG], "")["trouble"]
    files |= {"wren-tarn/game.toml": text.replace(module_of(text), "m.vmod").encode()}
    (told,) = calls.put("all.zip", zip_with({**files, "wren-tarn/m.vmod": read(MODULE)}))["taken"]
    assert told["sides"] == ["Blue", "Red"]
    assert "game.toml" in refused(calls, "no.zip", zip_with({"game.toml": b"[game"}))


@pytest.mark.ci
def test_a_check_of_a_game_goes_by_what_its_folder_says(calls: Calls, tmp_path: Path) -> None:
    """Whose an id without a seat is, and the error procedure."""
    game, new_id = tmp_path / "wren-tarn", ("/null/crossroads-key-of-tarn", "/null/a-new-key")
    turn_2 = kit.rewritten(kit.TURN_2, tmp_path / "turn-2.vlog", new_id)
    about = ("--module", kit.MODULE, "--pack", kit.PACK, "--procedure", "bitter-woods")
    kit.done("game", "new", game, *about)
    kit.done("game", "add", game, kit.TURN_1, turn_2)
    same = '[[same_player]]\nlog = "logs/turn-2.vlog"\nis = "Red"\n'
    toml = re.sub(r'(?m)^(module|pack) = ".*"', r'\1 = "none"', (game / "game.toml").read_text())
    files = {path.name: path.read_bytes() for path in game.glob("logs/*")}
    put(calls, MODULE, read(MODULE))
    put(calls, "pack.zip", zip_with(dict(pack_files(""))))
    logs = {f"logs/{name}": data for name, data in files.items()}
    game_files = {**logs, "game.toml": f"{toml}\n{same}".encode(), "facts.toml": b""}
    put(calls, "game.zip", zip_with(game_files))
    text = calls.check([], "", 80)["text"]
    assert "Bitter Woods" in text
    assert "checked for Red" in text
    assert "Checked 5 of 5 moves." in text
    assert calls.annotate([], "")["files"][0].endswith("turn-2-annotated.vlog")


@pytest.mark.ci
def test_without_a_pack_it_is_told_what_was_done(calls: Calls) -> None:
    put(calls, "turn-1.vlog", read(LOG))
    put(calls, "crossroads.vmod", read(MODULE))
    assert "No rules were applied" in found(calls.audit(["turn-1.vlog"], ""))
    said = calls.check(["turn-1.vlog"], "", 80)["trouble"]
    assert "the audit pack (a folder or a zip) is not there yet" in said


def test_a_check_that_decides_nothing_is_shown(calls: Calls, tmp_path: Path) -> None:
    kit.done("pack", "new", kit.MODULE, kit.TURN_1, "-o", tmp_path / "pack")
    put(calls, MODULE, read(MODULE))
    put(calls, LOG, read(LOG))
    for file in (tmp_path / "pack").iterdir():
        put(calls, file.name, file.read_bytes())
    answer = calls.check([LOG], "", 80)
    assert (answer["code"], answer["trouble"]) == (3, "")
    assert "Next: say in the pack which counters are units" in " ".join(answer["text"].split())
    assert answer["notes"].startswith("0 of 11 drags could be judged")


def test_a_save_is_checked_after_the_logs_before_it(calls: Calls) -> None:
    put(calls, MODULE, read(MODULE))
    for name, data in pack_files("pack/"):
        put(calls, name, data)
    put(calls, LOG, read(LOG))
    put(calls, "midway.vsav", read("midway.vsav"))
    answer = calls.check([LOG, "midway.vsav"], "", 80)
    assert answer["trouble"] == ""
    assert "midway.vsav after turn-1.vlog" in answer["text"]


@pytest.mark.parametrize(
    ("name", "data", "said"),
    [
        ("notes.txt", b"see you on Friday", "notes.txt: is nothing to audit; expected a log"),
        ("empty.vlog", b"", "empty.vlog: the file is empty"),
        ("photo.zip", zip_with({"a.jpg": b"x"}), "photo.zip: is nothing to audit"),
        ("bad.zip", zip_with({"../a.vlog": b"x"}), "'../a.vlog' leads out of its folder"),
        ("cut.vmod", read(MODULE)[:9000], "cut.vmod: "),
    ],
    ids=range(5),  # the bytes of an archive hold the time
)
def test_what_is_none_of_it_is_one_line(calls: Calls, name: str, data: bytes, said: str) -> None:
    assert said in refused(calls, name, data)


def test_damaged_modules_replace_none_and_two_are_one_too_many(calls: Calls) -> None:
    put(calls, MODULE, read(MODULE))
    refused(calls, MODULE, read(MODULE)[:9000])
    kept = calls.dropped.taken[MODULE].path
    assert kept.read_bytes() == read(MODULE)
    calls.remove(MODULE)
    assert not kept.exists()
    put(calls, MODULE, read(MODULE))
    put(calls, "other.vmod", read(MODULE))
    put(calls, LOG, read(LOG))
    said = calls.audit([LOG], "")["trouble"]
    assert said.startswith("crossroads.vmod and other.vmod are both there")


def test_another_pack_leaves_nothing_of_the_first(calls: Calls) -> None:
    put(calls, "one.zip", zip_with({**dict(pack_files("one/")), f"one/{LOG}": read(LOG)}))
    bare = {name: data for name, data in pack_files("two/") if not name.endswith("lines.csv")}
    stray = {"three/lines.csv": b"of another pack", f"two/{MODULE}": read(MODULE)}
    answer = calls.put("two.zip", zip_with({**bare, **stray}))
    assert "lines.csv" not in answer["held"]
    assert LOG in answer["held"]
    calls.without_pack()
    assert put(calls, "hexes.csv", dict(pack_files(""))["hexes.csv"]) == [("hexes.csv", "table")]
    of_packs = [one for one in calls.dropped.taken.values() if one.kind in ("pack", "table")]
    assert [one.name for one in of_packs] == ["hexes.csv"]


def test_two_packs_games_or_logs_of_one_name_are_refused(calls: Calls) -> None:
    packs = {**dict(pack_files("one/")), **dict(pack_files("two/")), LOG: read(LOG)}
    assert refused(calls, "all.zip", zip_with(packs)).startswith("all.zip: holds 2 audit packs")
    facts = {LOG: read(LOG), "one/facts.toml": b"", "two/facts.toml": b""}
    assert refused(calls, "all.zip", zip_with(facts)).startswith("all.zip: holds 2 facts.toml")
    games = {f"{name}/game.toml": b"" for name in ("aa", "bb")}
    assert refused(calls, "desk.zip", zip_with(games)).startswith("desk.zip: holds 2 games")
    assert calls.dropped.taken == {}
    put(calls, LOG, read(LOG))
    put(calls, LOG, read(LOG))
    other = read("turn-2.vlog")
    assert refused(calls, LOG, other).startswith(f"{LOG}: another log of this name is there")
    both = {MODULE: read(MODULE), f"red/{LOG}": other}
    assert "another log of this name" in refused(calls, "all.zip", zip_with(both))
    assert list(calls.dropped.taken) == [LOG]


def test_zips_in_zips_have_an_end(calls: Calls) -> None:
    nested = zip_with({LOG: read(LOG)})
    for _ in range(2):
        assert put(calls, "nested.zip", nested) == [(LOG, "log")]
        nested = zip_with({"nested.zip": nested})
    assert "is a zip in a zip in a zip" in refused(calls, "nested.zip", nested)


def test_all_files_together_have_a_limit(calls: Calls, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("vassal_umpire.plugin.web.dropped.MOST", 33_000)
    put(calls, MODULE, read(MODULE))
    assert "turn-1.vlog: is too large" in refused(calls, LOG, read(LOG))
    put(calls, MODULE, read(MODULE))  # in the place of the one that is there


# -- how the page is built: only from what is pinned, and whole or not at all -----------------------


def test_a_file_that_is_not_pinned_or_missing_and_a_folder_that_is_there_are_told(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = tmp_path / "pyodide"
    folder.mkdir()
    (folder / "pyodide.mjs").write_text("export const loadPyodide = () => send(everything);")
    out = tmp_path / "site"
    assert made.run([str(out), "--pyodide", str(folder)]) == 2
    said = capsys.readouterr().err
    assert said.startswith("umpire: pyodide.mjs: is not the file that is pinned")
    assert list(tmp_path.iterdir()) == [folder]
    assert made.run([str(tmp_path / "site"), "--pyodide", str(tmp_path)]) == 2
    assert "pyodide.mjs: cannot be had: No such file" in capsys.readouterr().err
    (tmp_path / "site").mkdir()
    assert made.run([str(tmp_path / "site")]) == 2
    assert "is there already" in capsys.readouterr().err
    assert made.run([str(tmp_path / "no" / "site")]) == 2
    assert "site cannot be written: No such file" in capsys.readouterr().err


def test_a_download_that_is_cut_is_told(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def cut(*_: object, **__: object) -> None:
        raise http.client.IncompleteRead(b"PK", 9)

    monkeypatch.setattr("urllib.request.urlopen", cut)
    assert made.run([str(tmp_path / "site")]) == 2
    (said,) = capsys.readouterr().err.splitlines()
    assert "cannot be had: IncompleteRead" in said


@pytest.mark.ci
def test_what_is_pinned_is_fetched(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    there = {"pyodide-lock.json": b'{"info": {}, "packages": {"numpy": {}}}', "a-1-any.whl": b"PK"}
    for name, data in there.items():
        (tmp_path / name).write_bytes(data)
    lock, wheel = (
        made.Pinned(name, hashlib.sha256(data).hexdigest(), package)
        for (name, data), package in zip(there.items(), ("", "a"), strict=True)
    )
    out = tmp_path / "site"
    with serving(tmp_path) as server:
        pins = made.Pins("1", server.address, (lock,), (wheel,), ())
        monkeypatch.setattr(made, "pins", lambda: pins)
        assert made.build(out) > 0
        gone = replace(wheel, name="gone-1-any.whl")
        monkeypatch.setattr(made, "pins", lambda: replace(pins, compiled=(gone,)))
        with pytest.raises(UmpireError, match=r"/gone-1-any.whl: cannot be had: (File )?[Nn]ot"):
            made.build(tmp_path / "other")
    listed = json.loads((out / "pyodide" / "pyodide-lock.json").read_text("utf-8"))["packages"]
    assert sorted(listed) == ["a", "vassal-umpire"]
    assert listed["vassal-umpire"]["depends"] == ["a"]
    kept = (out / "sw.js").read_text("utf-8")
    for path in out.rglob("*"):
        if path.is_file() and path.name != "sw.js":
            digest = hashlib.sha256(path.read_bytes()).hexdigest()
            assert f'"{path.relative_to(out).as_posix()}": "{digest}"' in kept
    assert "@" not in kept.replace("@FILES@", "") + (out / "index.html").read_text("utf-8")


@pytest.mark.ci
def test_the_wheel_holds_the_whole_program(project: Path) -> None:
    with zipfile.ZipFile(io.BytesIO(made.own_wheel())) as wheel:
        names = set(wheel.namelist())
        points = wheel.read("vassal_umpire-0.1.0.dist-info/entry_points.txt").decode()
    for top in ("model", "importers", "validators", "plugin"):
        for path in (project / top).rglob("*"):
            if path.is_file() and path.suffix != ".pyc":
                assert f"vassal_umpire/{path.relative_to(project).as_posix()}" in names
    assert {"vassal_umpire/__main__.py", "vassal_umpire/py.typed"} <= names
    assert not any(name.endswith(("setup.py", ".pyc", "pyproject.toml")) for name in names)
    assert "generic = vassal_umpire.validators.rulesets.generic:RULESET" in points
    assert made.own_wheel() == made.own_wheel()


def test_every_pin_is_whole_and_the_page_says_how_much_is_taken(project: Path) -> None:
    pins = made.pins()
    for one in (*pins.files, *pins.compiled, *pins.plain):
        assert re.fullmatch("[0-9a-f]{64}", one.sha256)
    assert pins.address.startswith("https://")
    assert f"v{pins.version}/" in pins.address
    page = project / "plugin" / "web" / "page"
    assert f"const MOST = {MOST // 2**20} * 1024 * 1024;" in (page / "page.js").read_text("utf-8")
    assert f"At most {MOST // 2**20} MiB together." in (page / "index.html").read_text("utf-8")
