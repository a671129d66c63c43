"""The tables of modules and games: their columns, keys and indexes, each declared once.

``umpire convert`` and ``umpire batch --do convert`` write them in every form; ``to_frames`` of the Python
interface returns those of a log. A column has the name of the same attribute in the Python interface. No
name is a keyword of SQL.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

Kind = Literal["text", "texts", "whole", "wholes", "number", "yes-no"]
"""The type of a column: a text, a list of texts, a whole number, a list of them, a number (the nearest
floating-point number to an exact one), or a Boolean."""


@dataclass(frozen=True, slots=True)
class Column:
    """A column: its name, its type, and one sentence about it."""

    name: str
    kind: Kind
    about: str


Tables = Mapping[str, tuple[Column, ...]]
"""The columns of each table, in order."""

VERSION = 2
"""The version of the tables; SQLite files have it as their ``user_version``."""

LOG = Column("log", "whole", "The number of the log, from 1.")
STEP = Column("step", "whole", "The number of the step in the log, from 1; 0 is the opening.")
_HEAD = (LOG, STEP)
_WHO = (
    Column("player", "text", "Who did the step; null where that is not known."),
    Column("side", "text", "The side of that player; null where that is not known."),
)
_TURN = Column("turn", "text", "What the turn tracker shows after the step; null: there is none.")
_BACK = Column("taken_back", "yes-no", "Whether the whole step was taken back later.")
_NAMES = (
    Column("name", "text", "The name that is seen; null where it is not known."),
    Column("stored_name", "text", "Where the name is not known: what it was when it was stored."),
)
_SHOWN = Column("shown_name", "text", "The name to show: `name`, or else `stored_name`.")
_CHANGED = (
    Column("old_value", "text", "What it was before; null: it was not there."),
    Column("new_value", "text", "What it is now."),
)
_ID = Column("piece", "text", "The piece's id; null where it may not be known what it is.")


def _spot(where: str, prefix: str = "") -> tuple[Column, ...]:
    return (
        Column(f"{prefix}map", "text", f"The map {where}; null: on none."),
        Column(f"{prefix}x", "whole", "Pixels from the left edge of that map."),
        Column(f"{prefix}y", "whole", "Pixels from the upper edge of that map."),
    )


def _end(prefix: str, where: str) -> tuple[Column, ...]:
    location = f"What the map's grid calls the place {where}; null where that is not known."
    return (*_spot(where, f"{prefix}_"), Column(f"{prefix}_location", "text", location))


TABLES: Tables = {
    "maps": (
        Column("id", "text", "The map's id in VASSAL, as Map0."),
        Column("name", "text", "Its name."),
        Column("kind", "text", "Map, PrivateMap, PlayerHand, WidgetMap or custom."),
        Column("owners", "texts", "The sides that alone may look at it; null: everyone may."),
    ),
    "boards": (
        Column("map", "text", "The name of its map."),
        Column("name", "text", "Its name."),
        Column("width", "whole", "Its width in pixels."),
        Column("height", "whole", "Its height in pixels."),
        Column("image", "text", "The file of its picture."),
        Column("reversible", "yes-no", "Whether it may be turned upside down."),
        Column("grid", "text", "The class of its grid; null: it has none."),
    ),
    "hexes": (
        Column("map", "text", "The name of its map."),
        Column("board", "text", "The name of its board."),
        Column("name", "text", "Its name."),
        Column("x", "whole", "Its centre, in pixels from the left edge of the map."),
        Column("y", "whole", "Its centre, in pixels from the upper edge of the map."),
    ),
    "terrain": (
        Column("board", "text", "The name of the board."),
        Column("kind", "text", "hex, hexside, line or attribute."),
        Column("grid_column", "whole", "The column of the hex, as the module's files count it."),
        Column("grid_row", "whole", "The row of the hex, as the module's files count it."),
        Column("hex", "text", "The name of the hex, where the board is in use."),
        Column("to_grid_column", "whole", "Of a hexside or line: the column of the other hex."),
        Column("to_grid_row", "whole", "Of a hexside or line: the row of the other hex."),
        Column("to_hex", "text", "Of a hexside or line: the name of the other hex."),
        Column("name", "text", "What is there."),
        Column("value", "text", "The value of an attribute."),
    ),
    "slots": (
        Column("gpid", "text", "The number of the slot, which its pieces have, too."),
        Column("entry_name", "text", "The name in the palette."),
        Column("component", "text", "The kind of component that defines it."),
        Column("path", "text", "Where it stands in the module."),
        Column("image", "text", "The file of its picture, without layers."),
    ),
    "logs": (
        LOG,
        Column("file", "text", "The name of the file."),
        Column("sha256", "text", "Its SHA-256."),
        Column("module_name", "text", "The name of the module it was made with."),
        Column("module_version", "text", "The version of that module."),
        Column("vassal_version", "text", "The version of VASSAL that wrote it."),
    ),
    "players": (
        LOG,
        Column("label", "text", "What tells this player from others: player 1."),
        Column("name", "text", "The name that the player chose."),
        Column("side", "text", "The side; empty: an observer."),
    ),
    "pieces": (
        LOG,
        Column("step", "whole", "The step after which it was so; 0 is the opening of the log."),
        Column("id", "text", "The piece's id; null where it may not be known what it is."),
        _SHOWN,
        *_NAMES,
        Column("basic_name", "text", "The name in the module; null where that may not be known."),
        Column("gpid", "text", "The number of the module's slot it was made from."),
        *_spot("it lies on"),
        Column("location", "text", "What the map's grid calls the place; null: not known."),
        Column("holder", "text", "The id of the stack or deck it is in; null: in none."),
        Column("holder_kind", "text", "stack or deck."),
        Column("position", "whole", "Its place in there from the bottom, from 0, of those seen."),
        Column("masked", "yes-no", "Whether it is masked."),
        Column("hidden", "yes-no", "Whether it is hidden."),
        Column("image", "text", "The file of its picture; null where that may not be known."),
    ),
    "properties": (
        *_HEAD,
        _ID,
        *_NAMES,
        Column("property", "text", "The name of a property that the piece's own traits give it."),
        Column("value", "text", "Its value; null where it is not known or is gone."),
        Column("known", "yes-no", "no: it has a value, which is not known."),
    ),
    "stacks": (
        *_HEAD,
        Column("id", "text", "The id of the stack or deck."),
        Column("kind", "text", "stack or deck."),
        *_spot("it lies on"),
        Column("cards", "whole", "How many cards a deck holds."),
        Column("position", "whole", "The place of the piece from the bottom; null: nobody is seen."),
        _ID,
        *_NAMES,
    ),
    "decks": (
        LOG,
        Column("id", "text", "The id of the deck."),
        Column("name", "text", "Its name."),
        *_spot("it lies on"),
        Column("cards", "whole", "How many cards it holds when the log opens."),
    ),
    "steps": (
        *_HEAD,
        Column("engine_step", "whole", "The step as VASSAL counts it; null: it makes none of it."),
        *_WHO,
        Column("known_by", "text", "How that is known: move, chat, neighbours or log."),
        _TURN,
        Column("undoes", "whole", "The step that was taken back by it."),
        Column("redo", "yes-no", "Whether it brought that step back instead."),
        _BACK,
    ),
    "displacements": (
        *_HEAD,
        *_WHO,
        _TURN,
        _ID,
        _SHOWN,
        *_NAMES,
        *_end("origin", "it came from"),
        *_end("target", "it was put on"),
        Column("how", "text", "drag, send, state, add, remove, stack or undo."),
        Column("group_id", "whole", "Pieces of a step with the same number were moved as one."),
        Column("why", "text", "Of an undo that left it on no map: what it did."),
        _BACK,
    ),
    "chat": (
        *_HEAD,
        Column("kind", "text", "player, report, roll, undo or system."),
        Column("author", "text", "The name before a typed line."),
        Column("text", "text", "The line as it is stored; it may hold HTML."),
    ),
    "rolls": (
        *_HEAD,
        Column("dice", "text", "The name of the button."),
        Column("kind", "text", "What each result is a result of: d6, sum of 2d6; null: not known."),
        Column("results", "texts", "What the dice showed, as it was told."),
        Column("player", "text", "The player whom the report names."),
        Column("text", "text", "The report itself."),
    ),
    "globals": (
        *_HEAD,
        Column("container", "text", "Module, a map, or map:zone."),
        Column("name", "text", "The name of the global property."),
        *_CHANGED,
    ),
    "turns": (*_HEAD, Column("tracker", "text", "The name of the turn tracker."), *_CHANGED),
    "problems": (
        *_HEAD,
        Column("problem", "text", "What was odd, in one line."),
    ),
}  # fmt: skip
"""The columns of each table, in order."""

ABOUT: Mapping[str, str] = {
    "maps": "The map windows of the module.",
    "boards": "The boards that each map may show.",
    "hexes": "Every named cell of the boards in use.",
    "terrain": "Terrain that the module records itself.",
    "slots": "Every piece that the module defines.",
    "logs": "The logs and saves, in the order in which they were named.",
    "players": "Who sits at the table when a log opens.",
    "pieces": "Every piece on the table when a log opens.",
    "properties": (
        "At step 0 all properties of a piece, later what a step changed. `known` tells a value that "
        "is not known from a property that is gone. Fields of a module's own traits are among them, "
        "as `ca;2`."
    ),
    "stacks": (
        "What each stack and deck holds, a row for each piece. Step 0 has all of them, a later step "
        "those whose contents or place it changed, whole. A row without `position`: it holds nothing "
        "(any more) that the reader may see."
    ),
    "decks": "The decks when a log opens.",
    "steps": "What each step is, and who did it.",
    "displacements": (
        "Every change of a piece's place. `drag`: by a player's hand; `send`: by a command of the "
        "piece; `state`: by a change of state that names another map; `add`, `remove`: it came into "
        "the game or left it (or the reader's sight); `stack`: its stack was taken from under it; "
        "`undo`: a step was taken back."
    ),
    "chat": "The lines of the chat window.",
    "rolls": "Every roll that a button made.",
    "globals": "Global properties, at the opening of a log and where they change.",
    "turns": (
        "What the turn trackers show, at the opening of a log and where they change; a tracker's raw "
        "state where no module was found."
    ),
    "problems": (
        "What was odd. Without a step: about the log as a whole; without a log: about the module, or "
        "the game as a whole."
    ),
}
"""What each table holds."""

KEYS: Mapping[str, tuple[str, ...]] = {
    "logs": ("log",),
    "steps": ("log", "step"),
    "pieces": ("log", "step", "id"),
    "stacks": ("log", "step", "id", "position"),
    "decks": ("log", "id"),
    "players": ("log", "label"),
}
"""The columns that identify a row of a table; nulls are never equal."""

INDEXES: Mapping[str, tuple[str, ...]] = {
    "hexes": ("map", "name"),
    "slots": ("gpid",),
    "properties": ("piece", "property", "log", "step"),
    "displacements": ("log", "step"),
    "chat": ("log", "step"),
    "rolls": ("log", "step"),
    "globals": ("container", "name", "log", "step"),
    "turns": ("log", "step"),
}
"""The columns by which rows of other tables are searched."""

VIEWS: Mapping[str, str] = {
    "named_moves": """\
SELECT {game}logs.file, log, steps.step, engine_step, displacements.turn, displacements.player,
  displacements.side, shown_name, origin_location, target_location, how, piece
FROM displacements JOIN steps USING ({game}log, step) JOIN logs USING ({game}log)
WHERE how IN ('drag', 'send') AND NOT steps.taken_back
ORDER BY {game}log, steps.step""",
    "named_rolls": """\
SELECT {game}logs.file, log, steps.step, engine_step, turn, steps.player, side, dice, kind,
  results, taken_back
FROM rolls JOIN steps USING ({game}log, step) JOIN logs USING ({game}log)
ORDER BY {game}log, steps.step""",
}
"""Views of a SQLite file: the moves of each turn, without those taken back, and the rolls. ``{game}``:
``game`` and a comma if the tables hold several games, else empty."""
