"""Tabs of the browser, a page to look at, and the studio on the sample game."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from browser.board_kit import Board
from browser.studio_kit import CROSSROADS, LOGS, Running, Tab, copy_of, running
from command_line import done


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
    done("audit", *LOGS, "-o", out, code=1)
    return out


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """The pack of the sample game, to be written to."""
    return copy_of(CROSSROADS / "pack", tmp_path)


@pytest.fixture
def studio(folder: Path) -> Iterator[Running]:
    """The studio on it and on both logs."""
    with running(folder, LOGS) as found:
        yield found


@pytest.fixture
def tab(request: Any, context: Any, studio: Running) -> Iterator[Tab]:
    """Its page, when all moves are judged, which complains of nothing. It begins with the ``VIEW`` that the
    tests of a file are of."""
    found = Tab(context, studio, view=getattr(request.module, "VIEW", ""))
    found.judged()
    yield found
    assert found.complaints == []


@pytest.fixture
def phone(browser: Any) -> Iterator[Any]:
    """The tabs of a phone."""
    size = {"width": 390, "height": 844}
    found = browser.new_context(viewport=size, has_touch=True, is_mobile=True)
    yield found
    found.close()


@pytest.fixture
def board(tab: Tab, studio: Running) -> Board:
    """The Board view."""
    return Board(tab, studio.studio.folder)
