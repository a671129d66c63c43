"""Fixtures that all tests share."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

PROJECT = Path(__file__).resolve().parent.parent


def find_corpus() -> Path | None:
    """The folder of real VASSAL files, if it lies on this machine."""
    named = os.environ.get("UMPIRE_CORPUS")
    folder = Path(named) if named else PROJECT.parent / "shared" / "corpus"
    return folder if (folder / "README.md").is_file() else None


def corpus_files(*patterns: str) -> list[Path]:
    """All corpus files matching ``patterns``, sorted; [] where the corpus is not here.

    For ``@pytest.mark.parametrize``: an empty list makes pytest skip the test with a reason.
    """
    folder = find_corpus()
    if folder is None:
        return []
    return sorted({path for pattern in patterns for path in folder.glob(pattern)})


@pytest.fixture(scope="session")
def corpus() -> Path:
    """The corpus folder; skips where it is not on this machine."""
    folder = find_corpus()
    if folder is None:
        pytest.skip("the corpus of real VASSAL files is not on this machine (set UMPIRE_CORPUS)")
    return folder


@pytest.fixture(scope="session")
def project() -> Path:
    """The root of the checkout."""
    return PROJECT
