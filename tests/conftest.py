"""Fixtures that all tests share."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import settings
from seed import SEED
from vassal_umpire.importers.vassal.buildfile import open_module
from vassal_umpire.importers.vassal.limits import DEFAULT_LIMITS
from vassal_umpire.importers.vassal.module import Module
from vassal_umpire.model.table import TableHistory
from vassal_umpire.plugin.reading import Named, read_history

PROJECT = Path(__file__).resolve().parent.parent
BROWSERS = ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome")
"""The same browser in all of them; the first, without windows, takes half the time."""

# No test is about time: a busy machine may take as long as it likes for an example.
settings.register_profile("no deadline", deadline=None)
settings.load_profile("no deadline")


def find_corpus() -> Path | None:
    """The folder of real VASSAL files, if it lies on this machine."""
    named = os.environ.get("UMPIRE_CORPUS")
    folder = Path(named) if named else PROJECT.parent / "shared" / "corpus"
    return folder if (folder / "README.md").is_file() else None


def corpus_files(*patterns: str) -> list[Path]:
    """All corpus files matching ``patterns``, sorted; [] where the corpus is not here.

    For ``@pytest.mark.each_corpus_file``: an empty list makes pytest skip the test with a reason.
    """
    folder = find_corpus()
    if folder is None:
        return []
    return sorted({path for pattern in patterns for path in folder.glob(pattern)})


def pytest_configure(config: pytest.Config) -> None:
    line = (
        "each_corpus_file(*patterns): run with `path` set to each corpus file matching one of them"
    )
    config.addinivalue_line("markers", line)
    config.addinivalue_line("markers", "xdist_group(name): tests that one worker runs")


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """``each_corpus_file``: test modules cannot import this one (import mode ``importlib``)."""
    marker = metafunc.definition.get_closest_marker("each_corpus_file")
    if marker is not None:
        files = corpus_files(*marker.args)
        metafunc.parametrize("path", files, ids=lambda path: f"{path.parent.name}/{path.name}")


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Run side by side (``-n``), a file's tests stay together (those with a kit, ruleset by ruleset),
    and so do all that look at the long game: what they share is then made once."""
    for item in items:
        shared = "longest_day" in getattr(item, "fixturenames", ())
        kit = getattr(getattr(item, "callspec", None), "params", {}).get("kit")
        name = "longest_day" if shared else f"{item.path.as_posix()} {getattr(kit, 'name', '')}"
        item.add_marker(pytest.mark.xdist_group(name))


@pytest.fixture(scope="session")
def browser() -> Iterator[object]:
    """Chromium, one for all tests of a worker; skips where there is none, or no Playwright to drive it."""
    found = next((path for name in BROWSERS if (path := shutil.which(name))), None)
    if found is None:
        pytest.skip(
            "no Chromium is on this machine (Debian: apt-get install chromium-headless-shell)"
        )
    sync_api = pytest.importorskip("playwright.sync_api", reason="Playwright is not installed")
    with sync_api.sync_playwright() as playwright:
        chromium = playwright.chromium.launch(executable_path=found, args=["--no-sandbox"])
        yield chromium
        chromium.close()


@pytest.fixture(scope="session")
def corpus() -> Path:
    """The corpus folder; skips where it is not on this machine."""
    folder = find_corpus()
    if folder is None:
        pytest.skip("the corpus of real VASSAL files is not on this machine (set UMPIRE_CORPUS)")
    return folder


@pytest.fixture(scope="session")
def longest_day(corpus: Path) -> tuple[Module, TableHistory]:
    """The real game of seventeen logs, replayed once for all who look at it."""
    logs = tuple(sorted((corpus / "tld" / "game").glob("*.log")))
    assert len(logs) == 17
    module = open_module(corpus / "tld" / "TheLongestDay-3.0b6.vmod")
    return module, read_history(Named(logs), module, DEFAULT_LIMITS)


@pytest.fixture(scope="session")
def project() -> Path:
    """The root of the checkout."""
    return PROJECT


def pytest_report_header() -> str:
    """The seed of what is drawn anew every day, before anything is run."""
    return f"drawn with UMPIRE_SEED={SEED}"
