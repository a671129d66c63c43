"""The blind check of suggestions: what somebody typed without seeing what was suggested."""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from dataclasses import asdict, dataclass
from fractions import Fraction
from math import comb
from typing import Any, TypeVar

from ...importers.pack.edit.change import toml_edit
from ...importers.pack.provenance import moment

K = TypeVar("K", bound=Hashable)
"""What is typed: a cell of the board, a kind of counter."""
MANY = 60
"""Number of cells to type blind before many suggestions may be accepted at once."""
LEVEL = Fraction(95, 100)


@dataclass(frozen=True, slots=True)
class Blind:
    """The result of a blind check, in cells. ``typed``: those the person could identify; ``wrong``: those of
    them where the suggestion differs; ``unclear``: all the others."""

    typed: int
    wrong: int
    unclear: int

    @property
    def at_most(self) -> float:
        """Upper bound of the share of wrong suggestions, 0 to 1, with 95 % confidence (:func:`bound`)."""
        return bound(self.wrong, self.typed)

    def plain(self) -> dict[str, Any]:
        """As JSON."""
        return {**asdict(self), "at_most": round(self.at_most, 4)}

    def kept(self, table: str, of: str, name: str, who: str, drawn: int) -> dict[str, Any]:
        """The edit that keeps it with the pack, in a ``table`` of ``pack.toml``. ``of``, ``name``: what was
        checked; ``drawn``: how many were to be typed."""
        told = {"typed": self.typed, "wrong": self.wrong, "at_most": f"{self.at_most:.4f}"}
        entry = {of: name, "who": who, "drawn": drawn, **told}
        return toml_edit((table, "checked", f"{name} {moment()}"), None, entry)


def compared(typed: Mapping[K, str | None], suggested: Mapping[K, str]) -> Blind:
    """Compare what was typed blind (None: the person could not identify the cell) with what is suggested."""
    told = {key: value for key, value in typed.items() if value is not None and key in suggested}
    wrong = sum(suggested[key] != value for key, value in told.items())
    return Blind(len(told), wrong, len(typed) - len(told))


def bound(wrong: int, of: int, level: Fraction = LEVEL) -> float:
    """The greatest share of errors that would still show ``wrong`` or fewer among ``of`` in 5 % of cases (1 -
    ``level``): the one-sided exact binomial bound (Clopper and Pearson). 1.0 where nothing was typed."""
    if of <= 0 or wrong >= of:
        return 1.0
    low, high = 0.0, 1.0
    for _ in range(60):
        middle = (low + high) / 2
        if _at_most(wrong, of, middle) > 1 - level:
            low = middle
        else:
            high = middle
    return high


def _at_most(wrong: int, of: int, share: float) -> float:
    """The probability of ``wrong`` or fewer errors in ``of`` cells if ``share`` of all are wrong."""
    return sum(comb(of, k) * share**k * (1 - share) ** (of - k) for k in range(wrong + 1))
