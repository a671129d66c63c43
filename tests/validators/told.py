"""Cases told in a test: with what the conformance cases of their ruleset share, or in a file of their own."""

from __future__ import annotations

from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import tomlkit
from cases import FOLDER
from vassal_umpire.importers.cases.case import Case
from vassal_umpire.importers.cases.load import read_case_file

UNTOLD = {"id": "TOLD", "kind": "interaction", "expect": {"verdict": "legal"}}
"""What a case must say, and nothing here asks for."""


def read(text: str, shared: Path | None = None) -> Case:
    """The one case of a text, as if it stood beside ``shared.toml``."""
    with TemporaryDirectory() as folder:
        file = Path(folder) / "told.toml"
        file.write_text(text, "utf-8")
        if shared is not None:
            file.with_name("shared.toml").write_text(shared.read_text("utf-8"), "utf-8")
        (found,) = read_case_file(file)
    return found


def case(ruleset: str, clause: str, **keys: Any) -> Case:
    """A case of one of the project's rulesets (docs/cases.md): ``board``, ``units``, ``moves`` …"""
    text = tomlkit.dumps({"case": [{**UNTOLD, "clauses": [clause], **keys}]})
    return read(text, FOLDER / ruleset / "shared.toml")
