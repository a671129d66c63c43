"""What lies in the folder of a ruleset besides its rules: its cases, and its page of documentation."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from ..importers.cases.case import Case
from ..validators.rulebook import Rulebook
from ..validators.ruleset import Ruleset
from ..validators.ruleset_folder import folder_of
from .coverage import coverage

CONFORMANCE = Path("tests") / "conformance"
"""Where the cases of the project's own rulesets lie in its checkout; the installed program brings none."""

MARK = (
    "<!-- All below is written by the program; all above is page.md of the ruleset's folder. -->\n"
)


def cases_beside(name: str, ruleset: Ruleset | None = None) -> tuple[Path, ...]:
    """Where the cases of a ruleset lie: in its folder, or among the project's own, below the working folder
    or in the checkout that the program runs from. ``name`` empty: all of the project's own. None found:
    empty."""
    checkout = Path(__file__).resolve().parents[1]
    folders = [home / CONFORMANCE / name for home in (Path(), checkout)]
    if isinstance(ruleset, Rulebook):
        folders.insert(0, Path(str(folder_of(ruleset.module) / "cases")))
    return tuple(folder for folder in folders if folder.is_dir())[:1]


def page_of(ruleset: Ruleset, cases: Sequence[Case] | None) -> str:
    """The page of a ruleset: what is written by hand in its folder, then what it covers. ``cases``: its
    own; None: not at hand."""
    by_hand = _by_hand(ruleset)
    covered = coverage(ruleset, cases)
    return f"{by_hand}\n{MARK}\n{covered}" if by_hand else covered


def _by_hand(ruleset: Ruleset) -> str:
    if isinstance(ruleset, Rulebook):
        file = folder_of(ruleset.module) / "page.md"
        if file.is_file():
            return file.read_text(encoding="utf-8").rstrip("\n") + "\n"
    return ""
