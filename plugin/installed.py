"""What is installed here and what is not: the material of ``umpire doctor``.

Nothing is started and nothing is fetched. Of a program that is not needed only its path is looked for.
"""

from __future__ import annotations

import os
import platform
import re
import shutil
import sys
import tomllib
import webbrowser
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from importlib.metadata import PackageNotFoundError, requires, version
from pathlib import Path

from .. import __version__
from .registry import DISTRIBUTION, REPORTS, RULESETS, distributions, reports, rulesets

PROGRAM = Path(__file__).resolve().parent.parent
SYMBOLS = "→ × ½ –"
"""Signs of the reports that older Windows consoles lack."""
DEVELOPERS = {
    "test": "the tests that need nothing else",
    "dev": "working on umpire itself: its tests, types and checks",
    "browser": "the tests that drive a browser",
    "docs": "the documentation as a site",
    "notebook": "running the notebook for analysts",
}
"""Extras that are listed only if umpire runs from a checkout."""

PURPOSES = {
    "cluster": "umpire batch on the workers of a Dask cluster",
    "frames": "Arrow tables for pandas, polars and DuckDB (Python), Parquet (umpire convert and batch)",
    "studio": "the studio: audit packs and rulings in the browser",
    **DEVELOPERS,
}
"""What each extra is for."""

VASSAL_PLACES = (
    "/opt/VASSAL*/lib/Vengine.jar",
    "/usr/share/[Vv][Aa][Ss][Ss][Aa][Ll]*/lib/Vengine.jar",
    "/Applications/VASSAL*.app/Contents/Resources/Java/Vengine.jar",
    "~/VASSAL*/lib/Vengine.jar",
    "C:/Program Files/VASSAL*/lib/Vengine.jar",
)


@dataclass(frozen=True, slots=True)
class Library:
    """A required distribution; ``version`` is None if it is not installed."""

    name: str
    version: str | None


@dataclass(frozen=True, slots=True)
class Extra:
    """An optional part: its libraries, and the command that installs those that are missing ('' if none)."""

    name: str
    purpose: str
    libraries: tuple[Library, ...]
    install: str

    @property
    def missing(self) -> tuple[str, ...]:
        """The libraries that are not installed."""
        return tuple(one.name for one in self.libraries if one.version is None)


@dataclass(frozen=True, slots=True)
class Part:
    """A ruleset or a report, and its distribution; ``version`` is "" for reports."""

    name: str
    version: str
    distribution: str


@dataclass(frozen=True, slots=True)
class Installed:
    """The content of ``umpire doctor``. ``problems``: what keeps umpire from working properly."""

    version: str
    program: Path
    method: str
    python: str
    executable: str
    system: str
    libraries: tuple[Library, ...]
    extras: tuple[Extra, ...]
    rulesets: tuple[Part, ...]
    reports: tuple[Part, ...]
    browser: bool
    java: str | None
    engine: str | None
    encoding: str
    shows_symbols: bool
    problems: tuple[str, ...]


def look_around() -> Installed:
    """Examine this environment."""
    asked = tuple(_asked())
    needed = tuple(_library(name) for name, extra in asked if not extra)
    missing = [one.name for one in needed if one.version is None]
    method = _method()
    problems = []
    if missing:
        command = _command(method, missing)
        problems.append(f"{', '.join(missing)} missing; install with: {command}")
    rules, forms, failed = ((), (), ()) if missing else _parts()
    encoding = str(getattr(sys.stdout, "encoding", None) or "ascii")
    return Installed(
        version=__version__,
        program=PROGRAM,
        method=method,
        python=platform.python_version(),
        executable=sys.executable,
        system=f"{platform.system()} {platform.release()} {platform.machine()}",
        libraries=needed,
        extras=tuple(_extras(asked, method)),
        rulesets=rules,
        reports=forms,
        browser=_has_browser(),
        java=shutil.which("java"),
        engine=_engine(),
        encoding=encoding,
        shows_symbols=_shows_symbols(encoding),
        problems=(*problems, *failed),
    )


def _asked() -> Iterator[tuple[str, str]]:
    """(distribution, extra) of every requirement; extra is '' for what is always needed."""
    checkout = PROGRAM / "pyproject.toml"
    if checkout.is_file():
        project = tomllib.loads(checkout.read_text("utf-8"))["project"]
        yield from ((_name(one), "") for one in project["dependencies"])
        for extra, ones in project["optional-dependencies"].items():
            yield from ((_name(one), extra) for one in ones)
        return
    try:
        found = requires(DISTRIBUTION) or []
    except PackageNotFoundError:
        return
    for one in found:
        extra = re.search(r"""extra\s*==\s*["']([\w.-]+)["']""", one)
        yield _name(one), extra[1] if extra else ""


def _name(requirement: str) -> str:
    """The distribution that a requirement names (``numpy>=1.26`` and the like)."""
    found = re.match(r"[\w.-]+", requirement)
    assert found is not None
    return found[0]


def _library(name: str) -> Library:
    try:
        return Library(name, version(name))
    except PackageNotFoundError:
        return Library(name, None)


def _extras(asked: tuple[tuple[str, str], ...], method: str) -> Iterator[Extra]:
    wanted = dict.fromkeys(extra for _, extra in asked if extra)
    for extra in wanted:
        if extra in DEVELOPERS and method != "checkout":
            continue
        libraries = tuple(_library(name) for name, of in asked if of == extra)
        missing = [one.name for one in libraries if one.version is None]
        install = _command(method, missing) if missing else ""
        yield Extra(extra, PURPOSES.get(extra, ""), libraries, install)


def _method() -> str:
    """How umpire was installed: ``one folder``, ``pipx``, ``uv``, ``checkout`` or ``pip``."""
    if getattr(sys, "frozen", False):
        return "one folder"
    prefix = Path(sys.prefix)
    if (prefix / "pipx_metadata.json").is_file():
        return "pipx"
    if (prefix / "uv-receipt.toml").is_file():
        return "uv"
    return "checkout" if (PROGRAM / "pyproject.toml").is_file() else "pip"


def _command(method: str, names: Sequence[str]) -> str:
    """The command that adds libraries to this very environment."""
    listed = " ".join(names)
    python = f'"{sys.executable}"' if " " in sys.executable else sys.executable
    match method:
        case "one folder":
            return "(nothing can be added to this build; install umpire with pipx or uv instead)"
        case "pipx":
            return f"pipx inject {DISTRIBUTION} {listed}"
        case "uv":
            return f"uv pip install --python {python} {listed}"
    return f"{python} -m pip install {listed}"


def install_command(names: Sequence[str]) -> str:
    """The command that adds libraries to the environment umpire runs in."""
    return _command(_method(), names)


def _parts() -> tuple[tuple[Part, ...], tuple[Part, ...], tuple[str, ...]]:
    """Rulesets and reports that load, and a line for each that does not."""
    rules, forms = rulesets(), reports()
    of_rules, of_forms = distributions(RULESETS), distributions(REPORTS)
    return (
        tuple(Part(n, one.version, of_rules[n]) for n, one in sorted(rules.parts.items())),
        tuple(Part(n, "", of_forms[n]) for n in sorted(forms.parts)),
        tuple(str(problem) for problem in (*rules.problems, *forms.problems)),
    )


def _has_browser() -> bool:
    """Whether Python can open a browser."""
    try:
        webbrowser.get()
    except webbrowser.Error:
        return False
    return True


def _engine() -> str | None:
    """VASSAL's engine: from UMPIRE_ENGINE, else from an installed VASSAL."""
    named = os.environ.get("UMPIRE_ENGINE")
    if named:
        return named if Path(named).is_file() else None
    for pattern in VASSAL_PLACES:
        place = Path(pattern).expanduser()
        if place.anchor:
            found = sorted(Path(place.anchor).glob(str(place.relative_to(place.anchor))))
            if found:
                return str(found[-1])
    return None


def _shows_symbols(encoding: str) -> bool:
    try:
        SYMBOLS.encode(encoding)
    except (UnicodeEncodeError, LookupError):
        return False
    return True
