"""Makes the page: ``python -m vassal_umpire.plugin.web.build OUT``.

What it is made of is pinned in ``pins.toml``, each file with its SHA-256: Pyodide and the compiled wheels are
taken from Pyodide's distribution, wheels of plain Python from PyPI. OUT is whole or not there.
"""

from __future__ import annotations

import argparse
import hashlib
import http.client
import json
import shutil
import subprocess
import sys
import tempfile
import tomllib
import urllib.request
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from importlib import metadata, resources
from pathlib import Path

from ... import __version__
from ...importers.pack.files import FILES, zip_of
from ...model.problem import UmpireError
from ..installed import PROGRAM
from ..registry import DISTRIBUTION, REPORTS, RULESETS, shipped
from ..reports.html import script_hash

PYODIDE = "pyodide"
"""The folder in OUT for Pyodide and all wheels."""
_TOPS = ("model", "importers", "validators", "plugin")
_SAMPLE = ("crossroads.vmod", "turn-1.vlog", *(f"pack/{name}" for name in FILES))
_WAIT = 60
"""Seconds without an answer after which a download fails."""


@dataclass(frozen=True, slots=True)
class Pinned:
    """A file by ``name`` with its SHA-256. ``package`` and ``version``: of a wheel, "" else."""

    name: str
    sha256: str
    package: str = ""
    version: str = ""


@dataclass(frozen=True, slots=True)
class Pins:
    """The pinned files: the ``address`` of Pyodide's distribution, its files and compiled wheels, and the
    plain wheels of PyPI."""

    version: str
    address: str
    files: tuple[Pinned, ...]
    compiled: tuple[Pinned, ...]
    plain: tuple[Pinned, ...]


def pins() -> Pins:
    """The pins in ``pins.toml``."""
    told = tomllib.loads(resources.files(__package__).joinpath("pins.toml").read_text("utf-8"))
    return Pins(
        told["pyodide"]["version"],
        told["pyodide"]["address"],
        *(tuple(Pinned(**one) for one in told[key]) for key in ("file", "compiled", "plain")),
    )


def build(out: Path, distribution: Path | None = None, stand_ins: Sequence[Path] = ()) -> int:
    """Make the page in the new folder ``out`` and return its size in bytes.

    ``distribution``: a folder with Pyodide's files; None: they are downloaded. ``stand_ins``: wheels in place
    of compiled ones of the same package, for tests; the page says so. Raises :class:`UmpireError` if ``out``
    exists, or a file is not available or not the pinned one.
    """
    if out.exists():
        raise UmpireError("is there already", where=str(out), expected="the name of a new folder")
    pinned = pins()
    with tempfile.TemporaryDirectory(dir=out.resolve().parent, prefix=".umpire-") as made:
        site = Path(made) / out.name
        place = site / PYODIDE
        place.mkdir(parents=True)
        for one in pinned.files:
            (place / one.name).write_bytes(_fetched(one, pinned.address, distribution))
        wheels = list(_plain(pinned.plain, place))
        others = {path.name.split("-")[0]: path for path in stand_ins}
        for one in pinned.compiled:
            other = others.get(one.package.replace("-", "_"))
            if other is None:
                (place / one.name).write_bytes(_fetched(one, pinned.address, distribution))
                wheels.append(one)
            else:
                wheels.append(_copied(other, place, one.package))
        own = f"vassal_umpire-{__version__}-py3-none-any.whl"
        (place / own).write_bytes(own_wheel())
        wheels.append(Pinned(own, _sha256(place / own), DISTRIBUTION, __version__))
        _lock(place / "pyodide-lock.json", wheels)
        _page(site, pinned, [path.name for path in stand_ins])
        site.rename(out)
    return sum(path.stat().st_size for path in out.rglob("*") if path.is_file())


def _fetched(one: Pinned, address: str, folder: Path | None) -> bytes:
    """A file of Pyodide's distribution."""
    try:
        if folder is not None:
            data = (folder / one.name).read_bytes()
        else:
            with urllib.request.urlopen(f"{address}{one.name}", timeout=_WAIT) as answer:  # noqa: S310 - https, pinned
                data = answer.read()
    except (OSError, http.client.HTTPException) as error:
        said = getattr(error, "reason", None) or getattr(error, "strerror", None) or error
        raise UmpireError(
            f"cannot be had: {said}",
            where=str(folder / one.name) if folder is not None else f"{address}{one.name}",
            hint="download Pyodide's distribution elsewhere, and name its folder with --pyodide",
        ) from None
    return _as_pinned(data, one)


def _as_pinned(data: bytes, one: Pinned) -> bytes:
    if hashlib.sha256(data).hexdigest() != one.sha256:
        raise UmpireError(
            "is not the file that is pinned: its SHA-256 is another",
            where=one.name,
            hint="fetch it again; if it stays so, somebody has changed it",
        )
    return data


def _plain(wheels: Sequence[Pinned], place: Path) -> Iterator[Pinned]:
    """The wheels of plain Python, downloaded by pip from PyPI with their hashes checked."""
    with tempfile.TemporaryDirectory(prefix="umpire-") as folder:
        wanted = Path(folder) / "wanted.txt"
        lines = (f"{one.package}=={one.version} --hash=sha256:{one.sha256}\n" for one in wheels)
        wanted.write_text("".join(lines), encoding="utf-8")
        pip = [sys.executable, "-m", "pip", "download", "--quiet", "--disable-pip-version-check"]
        exactly = ["--no-deps", "--only-binary=:all:", "--require-hashes", "-r", str(wanted)]
        ran = subprocess.run(  # noqa: S603 - our own words
            [*pip, *exactly, "-d", folder], capture_output=True, text=True, check=False
        )
        if ran.returncode:
            said = ran.stderr.strip().splitlines() or ["pip told nothing"]
            raise UmpireError(f"pip could not bring the wheels: {said[-1]}")
        for one in wheels:
            shutil.copy(Path(folder) / one.name, place)
            yield one


def _copied(wheel: Path, place: Path, package: str) -> Pinned:
    shutil.copy(wheel, place)
    return Pinned(wheel.name, _sha256(wheel), package, wheel.name.split("-")[1])


def _sha256(path: Path) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest()


def own_wheel() -> bytes:
    """This package as a wheel, from wherever it runs; the same files give the same bytes."""
    info = f"vassal_umpire-{__version__}.dist-info"
    found = [path for path in PROGRAM.glob("*.py") if path.name != "setup.py"]
    found += [PROGRAM / "py.typed"]
    for top in _TOPS:
        found += [path for path in (PROGRAM / top).rglob("*") if path.is_file()]
    files = {
        f"vassal_umpire/{path.relative_to(PROGRAM).as_posix()}": path.read_bytes()
        for path in found
        if path.suffix != ".pyc"
    }
    points = {}
    for group in (RULESETS, REPORTS):
        ours = shipped(group) or tuple(metadata.entry_points(group=group))
        points[group] = [one for one in ours if one.value.startswith("vassal_umpire.")]
    about = f"Metadata-Version: 2.1\nName: {DISTRIBUTION}\nVersion: {__version__}\n"
    kind = (
        "Wheel-Version: 1.0\nGenerator: vassal-umpire\nRoot-Is-Purelib: true\nTag: py3-none-any\n"
    )
    named = (
        f"[{g}]\n" + "".join(f"{p.name} = {p.value}\n" for p in ps) for g, ps in points.items()
    )
    files[f"{info}/METADATA"] = about.encode()
    files[f"{info}/WHEEL"] = kind.encode()
    files[f"{info}/entry_points.txt"] = "\n".join(named).encode()
    files[f"{info}/RECORD"] = "".join(f"{name},,\n" for name in files).encode()
    return zip_of(files, "")


def _lock(path: Path, wheels: Sequence[Pinned]) -> None:
    """Pyodide's list of packages, reduced to those included; Pyodide compares hashes as it loads."""
    told = json.loads(path.read_text("utf-8"))
    names = [one.package for one in wheels if one.package != DISTRIBUTION]
    told["packages"] = {
        one.package: {
            "name": one.package,
            "version": one.version,
            "file_name": one.name,
            "sha256": one.sha256,
            "install_dir": "site",
            "package_type": "package",
            "imports": [],
            "depends": names if one.package == DISTRIBUTION else [],
        }
        for one in wheels
    }
    path.write_text(json.dumps(told, indent=1, sort_keys=True), encoding="utf-8")


def _page(site: Path, pinned: Pins, stand_ins: Sequence[str]) -> None:
    """The page's own files, with values from the build inserted."""
    sample = PROGRAM / "samples" / "crossroads"
    if sample.is_dir():
        there = (name for name in _SAMPLE if (sample / name).is_file())
        files = {name: (sample / name).read_bytes() for name in there}
        (site / "sample.zip").write_bytes(zip_of(files, "crossroads"))
    page = resources.files(__package__).joinpath("page")
    about = f"vassal-umpire {__version__}, Pyodide {pinned.version}"
    if stand_ins:
        about += f"; for tests only, with stand-ins: {', '.join(stand_ins)}"
    load = sum(path.stat().st_size for path in (site / PYODIDE).iterdir())
    words = {"ABOUT": about, "LOAD": f"{load / 1e6:.0f}", "REPORT-SCRIPT": script_hash()}
    for file in page.iterdir():
        if file.name != "sw.js":
            text = file.read_text("utf-8") if file.name == "index.html" else ""
            data = _filled(text, words).encode() if text else file.read_bytes()
            (site / file.name).write_bytes(data)
    listed = {
        path.relative_to(site).as_posix(): _sha256(path)
        for path in sorted(site.rglob("*"))
        if path.is_file()
    }
    text = page.joinpath("sw.js").read_text("utf-8")
    words = {"FILES": json.dumps(listed, indent=1)}
    (site / "sw.js").write_text(_filled(text, words), encoding="utf-8", newline="\n")


def _filled(text: str, words: Mapping[str, str]) -> str:
    for word, value in words.items():
        text = text.replace(f"@{word}@", value)
    return text


def run(arguments: Sequence[str]) -> int:
    """The command; returns the exit code."""
    parser = argparse.ArgumentParser(
        prog="python -m vassal_umpire.plugin.web.build",
        description=(__doc__ or "").partition(":")[0],
    )
    parser.add_argument("out", metavar="OUT", type=Path, help="the new folder for the page")
    parser.add_argument(
        "--pyodide", metavar="FOLDER", type=Path, help="Pyodide's distribution, downloaded before"
    )
    asked = parser.parse_args(arguments)
    try:
        size = build(asked.out, asked.pyodide)
    except UmpireError as error:
        sys.stderr.write(f"umpire: {error}\n")
        return error.exit_code
    except OSError as error:
        sys.stderr.write(f"umpire: {asked.out} cannot be written: {error.strerror or error}\n")
        return 2
    sys.stdout.write(f"{asked.out}: {size / 1e6:.1f} MB; copy it to any web server\n")
    return 0


if __name__ == "__main__":
    sys.exit(run(sys.argv[1:]))
