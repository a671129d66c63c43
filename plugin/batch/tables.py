"""The tables that each kind of batch fills, and their columns.

Those of an audit are in :mod:`..game_columns`; those of a conversion are the tables of ``umpire convert``
about a game, not about its module. The first column of each names the game.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import cache
from typing import Literal, get_args

from ...importers.analysis import columns
from ...importers.analysis.columns import Column, Tables
from .. import game_columns
from ..game_columns import GAME, TABLES
from ..table_files import Row

Do = Literal["audit", "inspect", "convert"]
DOES: tuple[Do, ...] = get_args(Do)

GAMES = "games"
"""The table with one row for each game."""
PROBLEMS = "problems"
DONE, FAILED = "done", "failed"

Rows = Mapping[str, Iterable[Row]]
"""The rows of each table, without :data:`..game_columns.GAME`."""

_STATUS = (
    GAME,
    Column("status", "text", "done, or failed if it could not be read or judged."),
    Column("trouble", "text", "Why it failed, in one line; null if it did not."),
)
_FILES = (
    Column("logs", "texts", "The names of its files, in order."),
    Column("sha256", "texts", "The SHA-256 of each of them."),
    Column("module", "text", "The name of the module, as the first file gives it."),
    Column("module_version", "text", "The version of the module, as the first file gives it."),
    Column("vassal_version", "text", "The version of VASSAL that wrote the first file."),
    Column("viewer", "text", "Whose knowledge limits it: everyone, side NAME or director."),
    Column("umpire", "text", "The version of this program."),
)
_INSPECTED = (
    Column("kind", "text", "log or save: whether the first file has steps."),
    *_FILES,
    Column("module_file", "text", "The file of the module; null if none was found."),
    Column("players", "texts", "The players at the first opening."),
    Column("sides", "texts", "The side of each of them; '' for an observer."),
    Column("pieces", "whole", "How many pieces are seen at the first opening, also in decks."),
    Column("stacks", "whole", "How many stacks they are in."),
    Column("decks", "whole", "How many decks."),
    Column("steps", "whole", "How many steps all logs have."),
    Column("moves", "whole", "How many times a piece was moved; each piece of a stack counts."),
    Column("dice", "whole", "How many rolls."),
    Column("chat", "whole", "How many lines of chat."),
    Column("undone", "whole", "How many undos."),
    Column("problems", "whole", "How many problems there are."),
)
_OF_MODULE = frozenset({"maps", "boards", "hexes", "terrain", "slots", "problems"})
"""Conversion tables about the module; they are left out, and ``problems`` has more columns here."""


@cache
def tables_of(do: Do) -> Tables:
    """The tables filled by an operation, with their columns in order."""
    problems = (GAME, *TABLES[PROBLEMS])
    if do == "inspect":
        return {GAMES: (*_STATUS, *_INSPECTED), PROBLEMS: problems}
    if do == "convert":
        return {GAMES: (*_STATUS, *_FILES), PROBLEMS: problems, **_converted()}
    others = {name: (GAME, *TABLES[name]) for name in TABLES}
    return {**others, GAMES: (*_STATUS, *TABLES[GAMES])}


def _converted() -> Tables:
    found = columns.TABLES.items()
    return {table: (GAME, *told) for table, told in found if table not in _OF_MODULE}


def keys_of(do: Do) -> Mapping[str, tuple[str, ...]]:
    """The columns that identify a row of a table, if there are any."""
    keys = columns.KEYS if do == "convert" else game_columns.KEYS
    found = {table: (GAME.name, *keys[table]) for table in tables_of(do) if table in keys}
    return {**found, GAMES: (GAME.name,)}


def indexes_of(do: Do) -> Mapping[str, tuple[str, ...]]:
    """Further columns by which rows of these tables are looked up: the game, and more."""
    more = columns.INDEXES if do == "convert" else {}
    keys = keys_of(do)
    wanted = (table for table in tables_of(do) if table in more or table not in keys)
    return {table: (GAME.name, *more.get(table, ())) for table in wanted}


def views_of(do: Do) -> Mapping[str, str]:
    """The views on the tables of an operation, as queries."""
    views = columns.VIEWS if do == "convert" else {}
    return {name: query.format(game=f"{GAME.name}, ") for name, query in views.items()}
