"""Where in ``pack.toml`` something is wrong."""

from __future__ import annotations

from ...model.patterns import NEVER, Effort, Pattern, PatternError, compile_pattern
from ...model.problem import Problem
from .toml_text import Path_, line_of


class TomlFile:
    """What is needed to say where in ``pack.toml`` something is wrong."""

    def __init__(self, file: str, lines: dict[Path_, int]) -> None:
        self.file, self.lines = file, lines
        self.problems: list[Problem] = []
        self.effort = Effort()

    def fault(self, path: Path_, message: str) -> None:
        line = line_of(path, self.lines)
        where = f"{self.file} line {line}" if line else self.file
        self.problems.append(Problem("pack", message, where, "error"))

    def pattern(self, text: str | None, path: Path_) -> Pattern | None:
        if text is None:
            return None
        try:
            return compile_pattern(text, self.effort)
        except PatternError as error:
            shown = text if len(text) <= 100 else text[:99] + "…"
            self.fault(path, f"expected a pattern (regular expression); found {shown!r} ({error})")
            return NEVER
