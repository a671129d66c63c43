"""The clauses of rulesets on the engine are plain functions: what is not known is the engine's matter."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import pytest
from vassal_umpire import validators
from vassal_umpire.validators.engine.ruleset import ClauseRuleset

RULESETS = Path(str(validators.__file__)).parent / "rulesets"
FOLDERS = {path.parent.name for path in RULESETS.glob("*/__init__.py")}
FILES = [path for name in sorted(FOLDERS) for path in (RULESETS / name).glob("*.py")]
BANNED = {
    "an answer that may be none": r"bool \| None",
    "a question made by hand": r"\bMissingFact\b|\bquestion\(|\.run\.",
    "a memo": r"\bmemo\b|\bcache\b",
}


def on_the_engine(name: str) -> bool:
    text = "".join(path.read_text(encoding="utf-8") for path in (RULESETS / name).glob("*.py"))
    return ClauseRuleset.__name__ in text or "from ..generic import ruleset" in text


def test_every_ruleset_is_on_the_engine() -> None:
    assert [name for name in sorted(FOLDERS) if not on_the_engine(name)] == []
    assert FILES


@pytest.mark.parametrize("path", FILES, ids=lambda path: f"{path.parent.name}/{path.name}")
def test_a_clause_says_only_what_the_rule_says(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    found = [what for what, pattern in BANNED.items() if re.search(pattern, text)]
    tries = [node for node in ast.walk(ast.parse(text)) if isinstance(node, ast.Try)]
    assert (found, tries) == ([], [])
