"""The sample game with a pack that tells only a little of its board."""

from __future__ import annotations

from pathlib import Path

import partial_pack
import pytest


@pytest.fixture
def begun(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The pack's folder, in the working folder."""
    monkeypatch.chdir(tmp_path)
    return partial_pack.put(tmp_path)
