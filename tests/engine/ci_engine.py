"""VASSAL's own engine loads what this project writes, and plays it as we do.

Skips where the engine cannot be run, saying what is missing (CONTRIBUTING.md says how to get it).
"""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from check import (
    SAMPLES,
    check_files,
    write_drill,
    write_late_scout,
)
from command_line import done
from engine import CannotRun, Engine, display, find_engine
from tiers import drawn

MODULES = sorted(SAMPLES.glob("*/*.vmod"))
two_modules = pytest.mark.parametrize("source", drawn(MODULES, 2), ids=lambda path: path.stem)
one_module = pytest.mark.parametrize("source", drawn(MODULES, 1), ids=lambda path: path.stem)


@pytest.fixture(scope="session")
def engine(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Engine]:
    folder = tmp_path_factory.mktemp("engine")
    try:
        jar = find_engine(None, folder)
        with display() as screen:
            yield Engine(jar, screen, folder)
    except CannotRun as why:
        pytest.skip(str(why).splitlines()[0])


@pytest.fixture
def alone(tmp_path: Path):
    """Copies a module to where nothing lies beside it: the engine loads what does."""

    def copy(module: Path) -> Path:
        return Path(shutil.copy(module, tmp_path / module.name))

    return copy


@two_modules
def test_a_new_game_and_each_log_step_by_step_as_it_is_and_annotated(
    engine: Engine, source: Path, alone, tmp_path_factory: pytest.TempPathFactory
) -> None:
    copies, module = tmp_path_factory.mktemp("annotated"), alone(source)
    logs = sorted(source.parent.glob("*.vlog"))
    facts = source.parent / "facts.toml"
    named = ["--facts", facts] if facts.is_file() else []
    done("annotate", *logs, *named, "-o", copies)
    annotated = sorted(copies.iterdir())
    assert len(annotated) == len(logs)
    assert list(check_files(engine, module, None, *logs, *annotated)) == []


@one_module
def test_the_extension_loads_with_its_module_and_changes_nothing_else(
    engine: Engine, source: Path, alone
) -> None:
    module = alone(source)
    folder = module.with_name(f"{module.stem}_ext")
    folder.mkdir()
    report, log = source.with_name("expected-report.json"), min(source.parent.glob("*.vlog"))
    done("extension", module, "--report", report, "-o", folder / "umpire.vmdx")
    assert list(check_files(engine, module, None, log, extensions=["umpire"])) == []


def test_what_the_writer_makes_of_the_drill(engine: Engine, tmp_path: Path) -> None:
    module, files = write_drill(tmp_path)
    assert list(check_files(engine, module, None, *files)) == []
    extension = write_late_scout(module)
    assert list(check_files(engine, module, None, extensions=[extension])) == []
