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
    Column("player", "text", "Who did the step; null if not known."),
    Column("side", "text", "The side of that player; null if not known."),
)
_TURN = Column("turn", "text", "What the turn tracker shows after the step; null: no tracker.")
_BACK = Column("taken_back", "yes-no", "Whether the whole step was taken back later.")
_NAMES = (
    Column("name", "text", "The name as the reader sees it; null if not known."),
    Column("stored_name", "text", "If `name` is not known: the name as it was stored."),
)
_SHOWN = Column("shown_name", "text", "The name to show: `name`, otherwise `stored_name`.")
_CHANGED = (
    Column("old_value", "text", "The value before; null: there was none."),
    Column("new_value", "text", "The value now."),
)
_ID = Column("piece", "text", "The piece's id; null if the reader may not know which piece it is.")


def _spot(where: str, prefix: str = "") -> tuple[Column, ...]:
    return (
        Column(f"{prefix}map", "text", f"The map {where}; null: on none."),
        Column(f"{prefix}x", "whole", "Pixels from the left edge of that map."),
        Column(f"{prefix}y", "whole", "Pixels from the upper edge of that map."),
    )


def _end(prefix: str, where: str) -> tuple[Column, ...]:
    location = f"What the map's grid calls the place {where}; null if not known."
    return (*_spot(where, f"{prefix}_"), Column(f"{prefix}_location", "text", location))


TABLES: Tables = {
    "maps": (
        Column("id", "text", "The map's id in VASSAL, such as Map0."),
        Column("name", "text", "Its name."),
        Column("kind", "text", "Map, PrivateMap, PlayerHand, WidgetMap or custom."),
        Column("owners", "texts", "The only sides that may look at it; null: everyone may."),
    ),
    "boards": (
        Column("map", "text", "The name of its map."),
        Column("name", "text", "Its name."),
        Column("width", "whole", "Its width in pixels."),
        Column("height", "whole", "Its height in pixels."),
        Column("image", "text", "The file of its picture."),
        Column("reversible", "yes-no", "Whether it may be turned upside down."),
        Column("grid", "text", "The class of its grid; null: no grid."),
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
        Column("hex", "text", "The name of the hex, if the board is in use."),
        Column("to_grid_column", "whole", "For a hexside or line: the column of the other hex."),
        Column("to_grid_row", "whole", "For a hexside or line: the row of the other hex."),
        Column("to_hex", "text", "For a hexside or line: the name of the other hex."),
        Column("name", "text", "What is there."),
        Column("value", "text", "The value of an attribute."),
    ),
    "slots": (
        Column("gpid", "text", "The number of the slot; its pieces have it too."),
        Column("entry_name", "text", "The name in the palette."),
        Column("component", "text", "The kind of component that defines it."),
        Column("path", "text", "Where it is in the module."),
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
        Column("label", "text", "The label of this player, such as player 1."),
        Column("name", "text", "The name that the player chose."),
        Column("side", "text", "The side; empty: an observer."),
    ),
    "pieces": (
        LOG,
        Column("step", "whole", "The step after which this row is true; 0 is the opening of the log."),
        Column("id", "text", "The piece's id; null if the reader may not know which piece it is."),
        _SHOWN,
        *_NAMES,
        Column("basic_name", "text", "The name in the module; null if the reader may not know it."),
        Column("gpid", "text", "The number of the module's slot that it was made from."),
        *_spot("it is on"),
        Column("location", "text", "What the map's grid calls the place; null if not known."),
        Column("holder", "text", "The id of the stack or deck that it is in; null: in none."),
        Column("holder_kind", "text", "stack or deck."),
        Column("position", "whole", "Its place in that, from 0 at the bottom, among the pieces seen."),
        Column("masked", "yes-no", "Whether it is masked."),
        Column("hidden", "yes-no", "Whether it is hidden."),
        Column("image", "text", "The file of its picture; null if the reader may not know it."),
    ),
    "properties": (
        *_HEAD,
        _ID,
        *_NAMES,
        Column("property", "text", "The name of a property that the piece's own traits give it."),
        Column("value", "text", "Its value; null if it is not known or the property is gone."),
        Column("known", "yes-no", "no: the property has a value, but it is not known."),
    ),
    "stacks": (
        *_HEAD,
        Column("id", "text", "The id of the stack or deck."),
        Column("kind", "text", "stack or deck."),
        *_spot("it is on"),
        Column("cards", "whole", "How many cards a deck holds."),
        Column("position", "whole", "The piece's place from the bottom; null: no piece is seen."),
        _ID,
        *_NAMES,
    ),
    "decks": (
        LOG,
        Column("id", "text", "The id of the deck."),
        Column("name", "text", "Its name."),
        *_spot("it is on"),
        Column("cards", "whole", "How many cards it holds when the log opens."),
    ),
    "steps": (
        *_HEAD,
        Column("engine_step", "whole", "The step as VASSAL counts it; null: VASSAL does not count it."),
        *_WHO,
        Column("known_by", "text", "How the player is known: move, chat, neighbours or log."),
        _TURN,
        Column("undoes", "whole", "The step that this step took back."),
        Column("redo", "yes-no", "Whether it restored that step instead."),
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
        Column("group_id", "whole", "Pieces with the same number in a step were moved together."),
        Column("why", "text", "If an undo left the piece on no map: what the undo did."),
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
        Column("kind", "text", "What was rolled for each result: d6, sum of 2d6; null if not known."),
        Column("results", "texts", "What the dice showed, as the report says it."),
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
        Column("problem", "text", "The problem, in one line."),
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
        "All properties of a piece at step 0, then what each step changed. `known` distinguishes an "
        "unknown value from a property that is gone. Fields of a module's own traits are included, "
        "such as `ca;2`."
    ),
    "stacks": (
        "What each stack and deck holds, one row for each piece. Step 0 lists all of them; a later "
        "step lists, in full, those whose contents or place it changed. A row without `position` "
        "means that the reader sees nothing in it (any more)."
    ),
    "decks": "The decks when a log opens.",
    "steps": "What each step is, and who did it.",
    "displacements": (
        "Every change of a piece's place. `drag`: by a player's hand; `send`: by a command of the "
        "piece; `state`: by a change of state that names another map; `add`, `remove`: it entered or "
        "left the game (or the reader's sight); `stack`: its stack was removed; `undo`: a step was "
        "taken back."
    ),
    "chat": "The lines of the chat window.",
    "rolls": "Every roll that a button made.",
    "globals": "Global properties, at the opening of a log and when they change.",
    "turns": (
        "What the turn trackers show, at the opening of a log and when they change; without a module, "
        "a tracker's raw state."
    ),
    "problems": (
        "Problems with the files. Without a step: of the log as a whole; without a log: of the module "
        "or the game as a whole."
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
