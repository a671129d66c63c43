"""How the page is built: only from what is pinned, and whole or not at all."""

from __future__ import annotations

import hashlib
import http.client
import io
import json
import re
import zipfile
from dataclasses import replace
from pathlib import Path

import pytest
from browser.web_kit import serving
from vassal_umpire.model.problem import UmpireError
from vassal_umpire.plugin.web import build as made
from vassal_umpire.plugin.web.dropped import MOST


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
