"""The tables of an audit: names, columns, and what each column holds.

:mod:`.game_tables` makes their rows; :mod:`..importers.analysis.columns` declares the tables of modules and
logs.
"""

from __future__ import annotations

from collections.abc import Mapping

from ..importers.analysis.columns import Column, Tables

GAME = Column("game", "text", "The game that the row belongs to.")
"""The first column of a table that holds several games."""

_PHASE = (
    Column("turn", "text", "The turn; null if not known."),
    Column("phase", "text", "The phase of the turn; null if not known."),
    Column("active", "text", "The side whose phase it is; null if not known."),
)
_STEPS = (
    Column("log", "whole", "The log of the first step, counted from 1 in the order given."),
    Column(
        "step", "whole", "The first step, as VASSAL counts the steps of a log; 0 is its opening."
    ),
    Column("last_log", "whole", "The log of the last step."),
    Column("last_step", "whole", "The last step."),
)
_BILL = (
    Column("unit", "text", "What is counted: MP, or hexes if a rule counts hexes."),
    Column("due", "number", "What the whole path costs; null if not known exactly."),
    Column("due_text", "text", "The same, exact: 7/2, 3 to 5, 2 or more."),
    Column("allowance", "number", "What could be spent; null if not known exactly."),
    Column("allowance_text", "text", "The same, exact."),
    Column(
        "short", "number", "How far the least due exceeds the most that could be spent; 0 if not."
    ),
    Column("short_text", "text", "The same, exact."),
    Column("declared", "number", "What the player declared as spent; null if nothing."),
    Column("declared_text", "text", "The same, exact."),
)
_UNKNOWNS = Column("unknowns", "texts", "The questions whose answers would decide it.")

TABLES: Tables = {
    "games": (
        Column("title", "text", "The title of the game, from its pack."),
        Column("logs", "texts", "The names of the logs, in order, or of the analysis document."),
        Column("sha256", "texts", "The SHA-256 of each of them."),
        Column("module", "text", "The module's file."),
        Column("module_version", "text", "The module's version."),
        Column("ruleset", "text", "The ruleset."),
        Column("ruleset_version", "text", "The ruleset's version."),
        Column("pack", "text", "The audit pack, with its version."),
        Column(
            "vouched_by",
            "text",
            "Who vouches for the pack, by its own claim; null: it does not say.",
        ),
        Column("viewer", "text", "Whose knowledge limits it: everyone, side NAME or director."),
        Column("umpire", "text", "The version of this program."),
        Column("moves", "whole", "How many moves were judged."),
        Column("not_judged", "whole", "How many displacements were not judged as movement."),
        Column("legal", "whole", "How many of the moves are legal."),
        Column("illegal", "whole", "How many are illegal."),
        Column("unverifiable", "whole", "How many cannot be decided yet."),
        Column("drags", "whole", "How many drags on the map there were; each piece counts."),
        Column("drags_decided", "whole", "How many of the drags are legal or illegal."),
        Column("illegal_moves", "whole", "How many findings are illegal moves."),
        Column("overstacks", "whole", "How many findings are overstacks."),
        Column("missed_mp_costs", "whole", "How many findings are missed MP costs."),
        Column("not_decided", "whole", "How many findings cannot be decided yet."),
        Column("notes", "whole", "How many findings are notes."),
        Column("problems", "whole", "How many problems there are."),
    ),
    "coverage": (
        Column("verdict", "text", "legal or illegal; null for drags that are not decided."),
        Column("why", "text", "Why these drags are not decided; null if they are."),
        Column("drags", "whole", "How many drags on the map these are; each piece counts."),
    ),
    "moves": (
        Column("move", "whole", "The number of the move, from 1."),
        Column("verdict", "text", "legal, illegal or unverifiable; null if it was not judged."),
        Column("form", "text", "The form of movement it was judged as; null if that is open."),
        Column("names", "texts", "The names of the units that were moved together."),
        Column("units", "texts", "The ids of these units, in the same order."),
        Column("side", "text", "The side whose player moved them; null if not known."),
        Column("player", "text", "The player who moved them; null if not known."),
        *_PHASE,
        *_STEPS,
        Column("origin", "text", "The hex or box they came from; null if there was none."),
        Column("target", "text", "The hex or box they were put into; null if there was none."),
        Column(
            "waypoints", "texts", "Every place where they were put down, with origin and target."
        ),
        Column(
            "path",
            "texts",
            "The hexes of the cheapest path found; if resumed, for the whole phase.",
        ),
        *_BILL,
        Column("taken_back", "yes-no", "Whether the move was taken back later."),
        Column(
            "resumed",
            "yes-no",
            "Whether it had moved before in the phase: path and bill include that.",
        ),
        Column("remark", "text", "One line about the verdict."),
        _UNKNOWNS,
    ),
    "findings": (
        Column("finding", "whole", "The number of the finding, from 1."),
        Column("kind", "text", "illegal-move, overstack, missed-mp-cost, unverifiable or note."),
        Column("verdict", "text", "illegal, unverifiable, or legal for what is only a note."),
        Column("code", "text", "What was found, as a stable code."),
        Column("clause", "text", "The id of the clause of the rules."),
        Column("rule", "text", "The title of that clause."),
        Column("names", "texts", "The names of the units."),
        Column("units", "texts", "The ids of these units, in the same order."),
        Column("hexes", "texts", "The hexes it is about."),
        Column(
            "side", "text", "The side of the player who did it, or of the units; null: not known."
        ),
        Column("player", "text", "The player who did it; null if not known."),
        *_PHASE,
        *_STEPS,
        Column("moves", "wholes", "The numbers of the moves it is about."),
        Column("follows_from", "whole", "The move whose finding this one only follows from."),
        *_BILL,
        Column("explanation", "text", "What was found, in a sentence."),
        Column("remedy", "text", "What would make it legal, or what would decide it."),
        _UNKNOWNS,
    ),
    "charges": (
        Column(
            "move",
            "whole",
            "The move charged for, if resumed with the one before; null: see finding.",
        ),
        Column("finding", "whole", "The finding, if the bill is its own and not that of a move."),
        Column("line", "whole", "The place of the charge in its bill, from 1."),
        Column("origin", "text", "The hex the step came from; null if there was none."),
        Column("hex", "text", "The hex that was entered."),
        Column("unit", "text", "What is counted: MP, or hexes if a rule counts hexes."),
        Column("amount", "number", "What was paid; null if not known exactly."),
        Column("amount_text", "text", "The same, exact."),
        Column("clause", "text", "The id of the clause that asks for it."),
        Column("reason", "text", "What it was paid for."),
        Column(
            "forbidden", "yes-no", "Whether it is a prohibition that the step breaks, not a price."
        ),
        Column("credit", "yes-no", "Whether it is what may be spent beyond the allowance."),
    ),
    "rolls": (
        Column("log", "whole", "The log, counted from 1 in the order given."),
        Column("step", "whole", "The step, as VASSAL counts the steps of a log."),
        Column("player", "text", "The player who rolled; null if not known."),
        Column("side", "text", "The side of that player; null if not known."),
        Column("dice", "text", "The name of the button."),
        Column("kind", "text", "What was rolled for each result: d6, sum of 2d6; null: not read."),
        Column("results", "texts", "What the dice showed, as the report says it."),
        Column("sides", "wholes", "The sides that came up, or their sum; empty if not read."),
        Column(
            "said", "text", "The player's last line before the roll, if nothing was moved since."
        ),
        Column("undone", "yes-no", "Whether the roll was taken back."),
    ),
    "problems": (
        Column("severity", "text", "note, warning or error."),
        Column("code", "text", "What it is, as a stable code."),
        Column("place", "text", "Where it is: a file, entry, step or line."),
        Column("message", "text", "What was found and what was expected, in one line."),
        Column("times", "whole", "How often it occurs."),
    ),
}
"""The columns of each table, in order. New ones are added at the end."""

KEYS: Mapping[str, tuple[str, ...]] = {
    "moves": ("move",),
    "findings": ("finding",),
    "charges": ("move", "finding", "line"),
}
"""Columns whose values are unique within a game; nulls are never equal."""
