"""Makes one folder of umpire, Python and all libraries, and tries it: ``python docs/packaging/build.py``.

The Python that runs this must have the program installed as a wheel installs it (not with ``-e``), with the
studio, and PyInstaller: ``pip install '.[studio]' pyinstaller``. It builds for the system it runs on. The
folder is build/one-folder/umpire; beside it lies one file of it (.zip, or .tar.gz). It takes about a minute.
"""

from __future__ import annotations

import argparse
import json
import re
import shutil
import subprocess
import sys
import urllib.request
from importlib.metadata import version
from importlib.util import find_spec
from pathlib import Path

HERE = Path(__file__).resolve().parent
PROJECT = HERE.parent.parent
OUT = PROJECT / "build" / "one-folder"
WORK = PROJECT / "build" / "pyinstaller"
CROSSROADS = PROJECT / "samples" / "crossroads"
NAME = "umpire"
STUDIO = ("anyio", "numpy", "starlette", "uvicorn")
UNUSED = ("tkinter", "setuptools", "pip", "pytest", "mypy")


def build() -> Path:
    """The folder, made anew."""
    found = find_spec("vassal_umpire")
    if found is None or found.origin is None or Path(found.origin).parent == PROJECT:
        sys.exit("install the program first, and not with -e: pip install '.[studio]' pyinstaller")
    command = [
        sys.executable,
        "-m",
        "PyInstaller",
        "--noconfirm",
        "--clean",
        "--onedir",
        "--console",
    ]
    command += ["--log-level", "WARN", "--name", NAME, "--distpath", OUT, "--workpath", WORK]
    command += ["--specpath", WORK]
    # rulesets and reports are entry points: they are found by the metadata, and imported by name
    command += ["--recursive-copy-metadata", "vassal-umpire"]
    for library in STUDIO:
        command += ["--copy-metadata", library]
    command += ["--collect-submodules", "vassal_umpire", "--collect-data", "vassal_umpire"]
    command += ["--collect-submodules", "uvicorn"]
    for module in UNUSED:
        command += ["--exclude-module", module]
    subprocess.run([*map(str, command), str(HERE / "umpire.py")], check=True, cwd=PROJECT / "build")
    folder = OUT / NAME
    shutil.copy(PROJECT / "LICENSE", folder)
    return folder


def trial(folder: Path) -> None:
    """Try the folder from outside: what is installed, the rulesets, an audit, one request to the studio."""
    program = folder / (f"{NAME}.exe" if sys.platform == "win32" else NAME)
    told = json.loads(run(program, "doctor", "--format", "json"))
    assert told["installed_by"] == "one folder", told
    assert told["extras"]["studio"]["missing"] == [], told
    assert {report["name"] for report in told["reports"]} >= {"text", "html", "json"}, told
    rules = run(program, "rules")
    for path in sorted((PROJECT / "validators" / "rulesets").glob("*/manifest.toml")):
        name = path.parent.name.replace("_", "-")
        assert re.search(rf"^{name} ", rules, re.MULTILINE), f"{name} is missing:\n{rules}"
    report = run(program, "audit", CROSSROADS / "turn-1.vlog", code=1)
    assert "9 moves: 6 legal, 2 illegal, 1 unverifiable" in report, report
    page = OUT / "report.html"
    logs = [CROSSROADS / f"turn-{number}.vlog" for number in (1, 2)]
    run(program, "audit", *logs, "--force", "-o", page, code=1)
    assert "</html>" in page.read_text("utf-8")
    page.unlink()
    ask_studio(program)


def run(program: Path, *arguments: object, code: int = 0) -> str:
    """What a command prints; it must end with ``code``."""
    done = subprocess.run(
        [str(program), *map(str, arguments)],
        capture_output=True,
        encoding="utf-8",
        errors="replace",
        check=False,
    )
    assert done.returncode == code, f"{arguments}: {done.returncode}\n{done.stdout}{done.stderr}"
    return done.stdout


def ask_studio(program: Path) -> None:
    """Open the studio on a copy of the sample's pack and fetch its page once."""
    pack = OUT / "pack"
    shutil.copytree(CROSSROADS / "pack", pack, dirs_exist_ok=True)
    named = [pack, CROSSROADS / "turn-1.vlog", "--module", CROSSROADS / "crossroads.vmod"]
    command = [str(program), "studio", *map(str, named), "--no-browser"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, encoding="utf-8") as studio:
        try:
            assert studio.stdout is not None
            link = next(
                found[0] for line in studio.stdout if (found := re.search(r"http://\S+", line))
            )
            with urllib.request.urlopen(link) as answer:
                assert answer.status == 200
                assert b"<html" in answer.read().lower()
        finally:
            studio.terminate()
    shutil.rmtree(pack)


def packed(folder: Path) -> Path:
    """One file of the folder, named after version and system."""
    name = f"umpire-{version('vassal-umpire')}-{sys.platform}"
    form = "zip" if sys.platform == "win32" else "gztar"  # which keeps who may run what
    return Path(shutil.make_archive(str(OUT / name), form, OUT, folder.name))


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--only-try", action="store_true", help="try a folder that is there")
    made = OUT / NAME if parser.parse_args().only_try else build()
    trial(made)
    print(f"{packed(made)}: rulesets, an audit, a report and the studio work")
