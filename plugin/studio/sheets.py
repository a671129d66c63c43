"""The sheets that a page shows to be looked at, remembered by names that nobody guesses."""

from __future__ import annotations

import secrets
from collections import OrderedDict
from typing import Generic, Protocol, TypeVar

from ...model.problem import UmpireError

MOST = 60
"""Sheets that are remembered; the page asks anew for one that is older."""


class Named(Protocol):
    """A sheet."""

    @property
    def id(self) -> str:
        """Its name."""
        ...


S = TypeVar("S", bound=Named)


def new_name() -> str:
    """A name for a sheet."""
    return secrets.token_urlsafe(9)


class Sheets(Generic[S]):
    """The last sheets that were shown."""

    def __init__(self) -> None:
        self._held: OrderedDict[str, S] = OrderedDict()

    def keep(self, sheet: S) -> S:
        """Remember a sheet."""
        self._held[sheet.id] = sheet
        while len(self._held) > MOST:
            self._held.popitem(last=False)
        return sheet

    def find(self, name: object) -> S:
        """The sheet of this name. Raises :class:`UmpireError` if it is not remembered."""
        found = self._held.get(str(name))
        if found is None:
            raise UmpireError("this sheet is too old: open it again")
        return found
