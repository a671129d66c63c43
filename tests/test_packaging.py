"""The wheel holds every module, and nothing that is not ours."""

from __future__ import annotations

import hashlib
import re
import runpy
import tomllib
from fnmatch import fnmatchcase
from pathlib import Path
from typing import Any

import pytest
import setuptools

SKIPPED = {"tests", "samples", "benchmarks", "docs", "build", "dist"}


def _packages_in_the_checkout(project: Path) -> set[str]:
    found = set()
    for init in project.rglob("__init__.py"):
        parts = init.parent.relative_to(project).parts
        if not any(part in SKIPPED or part.startswith(".") for part in parts):
            found.add(".".join(("vassal_umpire", *parts)))
    return found


def test_every_package_is_found(project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    told: dict[str, Any] = {}
    monkeypatch.setattr(setuptools, "setup", told.update)
    monkeypatch.chdir(project)
    runpy.run_path(str(project / "setup.py"))
    assert sorted(told["packages"]) == sorted(_packages_in_the_checkout(project))
    build = told["cmdclass"]["build_py"](setuptools.Distribution({"script_name": "another.py"}))
    modules = {name for _, name, _ in build.find_package_modules("vassal_umpire", str(project))}
    assert modules == {"__init__", "__main__"}


def test_every_folder_with_modules_is_a_package(project: Path) -> None:
    tops = ("model", "importers", "validators", "plugin")
    bare = {
        str(path.parent.relative_to(project))
        for top in tops
        for path in (project / top).rglob("*.py")
        if not (path.parent / "__init__.py").exists()
    }
    assert bare == set()


def test_every_data_file_is_packaged(project: Path) -> None:
    """A star in the name of a file stands for no folder."""
    settings = tomllib.loads((project / "pyproject.toml").read_text("utf-8"))
    patterns = settings["tool"]["setuptools"]["package-data"]["*"]
    for top in ("model", "importers", "validators", "plugin"):
        for path in (project / top).rglob("*"):
            if path.is_file() and path.suffix not in (".py", ".pyc"):
                package = next(one for one in path.parents if (one / "__init__.py").exists())
                name = path.relative_to(package).as_posix()
                fitting = [p for p in patterns if p.count("/") == name.count("/")]
                assert any(fnmatchcase(name, pattern) for pattern in fitting), path


# What the page of the studio ships of others: as published, listed, with its licence.
ROW = re.compile(r"\| `(?P<file>[^`]+)` \| (?P<what>[^|]+) \| `(?P<sha256>[0-9a-f]{64})` \|")


def test_every_file_of_others_is_listed_unchanged_with_its_licence(project: Path) -> None:
    text = (project / "docs" / "studio-safety.md").read_text("utf-8")
    listed = {found["file"]: found for found in ROW.finditer(text)}
    vendor = project / "plugin" / "studio" / "page" / "vendor"
    there = {f.relative_to(vendor).as_posix(): f for f in vendor.rglob("*") if f.is_file()}
    assert there
    assert listed.keys() == there.keys()
    for name, file in there.items():
        assert hashlib.sha256(file.read_bytes()).hexdigest() == listed[name]["sha256"], name
        assert re.search(r"\d+\.\d+", listed[name]["what"]), name
    libraries = {folder for folder in vendor.iterdir() if folder.is_dir()}
    assert libraries
    for library in libraries:
        assert (library / "LICENSE").read_text("utf-8").strip()


def test_nothing_outside_its_folder_names_a_ruleset(project: Path) -> None:
    """But the one that others build on, and the line that makes it known."""
    points = tomllib.loads((project / "pyproject.toml").read_text("utf-8"))["project"][
        "entry-points"
    ]
    named = "|".join(sorted(points["vassal_umpire.rulesets"].keys() - {"generic"}))
    whole = re.compile(rf"(?<![\w-])({named}|{named.replace('-', '_')})(?![\w-])")
    looked_at = [
        path
        for top in ("model", "importers", "validators", "plugin", "docs/build.py", "setup.py")
        for path in ((project / top).rglob("*") if (project / top).is_dir() else [project / top])
        if path.suffix in (".py", ".json", ".js", ".html", ".toml")
        and not path.is_relative_to(project / "validators" / "rulesets")
        and "vendor" not in path.parts
    ]
    assert len(looked_at) > 300
    strange = {
        str(path): found[0]
        for path in looked_at
        if (found := whole.search(path.read_text("utf-8")))
    }
    assert strange == {}
