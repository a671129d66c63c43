"""The ruleset of the made-up game in ``tests/ford``."""

from __future__ import annotations

import importlib
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from vassal_umpire.validators.rulesets.generic import TableRuleset


@pytest.fixture(scope="module")
def loaded() -> Iterator[Callable[[Path], TableRuleset]]:
    """Loads the ruleset of the package in a folder; it is forgotten after the module."""
    names: list[str] = []
    with pytest.MonkeyPatch.context() as patch:

        def load(folder: Path) -> TableRuleset:
            patch.syspath_prepend(str(folder.parent))
            names.append(folder.name)
            found: TableRuleset = importlib.import_module(folder.name).RULESET
            return found

        yield load
    for name in names:
        sys.modules.pop(name, None)


@pytest.fixture(scope="module")
def ford(loaded: Callable[[Path], TableRuleset], project: Path) -> TableRuleset:
    return loaded(project / "tests" / "ford" / "ford_game")
