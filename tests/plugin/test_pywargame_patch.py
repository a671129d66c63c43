"""The patch for pywargame: by its signature, and with pywargame itself where it is."""

from __future__ import annotations

import importlib.util
import inspect
import os
import shutil
import subprocess
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
from vassal_umpire.importers.vassal.archive import open_archive
from vassal_umpire.importers.vassal.savefile import read_save
from vassal_umpire.plugin import pywargame_patch

from .kit import MODULE, PACK
from .kit import TURN_1 as LOG

ESC = "\x1b"


def as_pywargame_loads_it() -> ModuleType:
    """By its path, in no package."""
    spec = importlib.util.spec_from_file_location("patch", str(pywargame_patch.__file__))
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def handed_over(log: Path) -> tuple[list[str], int, bytes, bytes]:
    """What ``SaveIO.readSave`` gives: letters for bytes, cut at every ESC; metadata as stored."""
    save = read_save(log)
    letters = save.text.encode("utf-8", "surrogateescape").decode("latin-1")
    with open_archive(log) as archive:
        return letters.split(ESC), save.key, archive.read("savedata"), archive.read("moduledata")


def test_pywargame_calls_it_and_it_prints(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    names = list(inspect.signature(as_pywargame_loads_it().patch).parameters)
    assert names == ["lines", "key", "savedata", "moduledata", "verbose"]
    monkeypatch.chdir(LOG.parent)
    patch: Any = as_pywargame_loads_it().patch
    assert patch(*handed_over(LOG), False) is None
    printed = capsys.readouterr()
    assert "9 moves: 6 legal, 2 illegal, 1 unverifiable" in printed.out
    assert "→" in printed.out
    assert printed.err == ""


def test_module_and_pack_can_be_named(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.chdir(tmp_path)
    patch: Any = as_pywargame_loads_it().patch
    patch(*handed_over(LOG), False)
    printed = capsys.readouterr()
    assert printed.out == ""
    assert printed.err.startswith("umpire: ")
    assert len(printed.err.splitlines()) == 1
    monkeypatch.setenv("UMPIRE_MODULE", str(MODULE))
    monkeypatch.setenv("UMPIRE_PACK", str(PACK))
    patch(*handed_over(LOG), False)
    assert "9 moves" in capsys.readouterr().out


@pytest.mark.parametrize("text", ["Größe → x", "plain", "caf\udce9"])
def test_text_survives_what_pywargame_makes_of_bytes(text: str) -> None:
    letters = text.encode("utf-8", "surrogateescape").decode("latin-1")
    again = pywargame_patch._text(letters.split(ESC))
    assert again == (text if text.isprintable() else "caf\xe9")
    assert pywargame_patch._text(["Größe → x"]) == "Größe → x"  # read rightly in the first place


def test_with_pywargame_itself(tmp_path: Path) -> None:
    """Their program runs ours, so both are installed for one Python (3.12 or newer: theirs needs it)."""
    program = os.environ.get("UMPIRE_VSAVPATCH") or shutil.which("vsavpatch.py")
    if program is None:
        pytest.skip("pywargame is not on this machine (UMPIRE_VSAVPATCH names its vsavpatch.py)")
    for file in (LOG, MODULE):
        shutil.copy(file, tmp_path)
    shutil.copytree(PACK, tmp_path / "pack")
    before = (tmp_path / LOG.name).read_bytes()
    result = subprocess.run(
        [program, LOG.name, str(pywargame_patch.__file__)],
        cwd=tmp_path,
        env={**os.environ, "NO_COLOR": "1"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert "9 moves: 6 legal, 2 illegal" in result.stdout, result.stderr
    assert (tmp_path / LOG.name).read_bytes() == before
