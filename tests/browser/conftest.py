"""Tabs of the browser, and a page to look at."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner
from vassal_umpire.plugin import cli

CROSSROADS = Path(__file__).resolve().parents[2] / "samples" / "crossroads"


@pytest.fixture
def context(browser: Any) -> Iterator[Any]:
    """Its tabs, 1440 pixels wide."""
    found = browser.new_context(viewport={"width": 1440, "height": 900})
    yield found
    found.close()


@pytest.fixture(scope="session")
def report(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The page of the first sample game."""
    out = tmp_path_factory.mktemp("page") / "report.html"
    logs = [str(CROSSROADS / f"turn-{n}.vlog") for n in (1, 2)]
    result = CliRunner().invoke(cli.main, ["audit", *logs, "-o", str(out)])
    assert result.exit_code == 1, result.output
    return out
