"""Questions about facts that are not known, each with the file and the lines in which to write the answer."""

from __future__ import annotations

from ...model.fact import MissingFact
from ...model.game import StepRef
from ...model.stanza import BLANK, pack_stanza, stanza
from ...model.unit import Unit
from ..answers import counts_unseen, was_there
from ..checks import steps_between
from ..timeline import Timeline


def of_board(about: tuple[str, ...], classes: str) -> MissingFact:
    """The question about something unknown on the board or in the charts. ``about``: its kind and its names;
    for any other kind, a general question about the board.

    ``classes``: the mover's class, as text for a person; only a question about a cost uses it.
    """
    match about:
        case ("terrain", name, *besides):
            more = f" besides {' and '.join(besides)}" if besides else ""
            return MissingFact(
                f"hex {name} terrain{more}",
                f"what terrain is in hex {name}{more}?",
                "facts.toml",
                stanza("[[hex]]", {"hex": name, "terrain": [*besides, BLANK]}),
            )
        case ("levels", name):
            return MissingFact(
                f"hex {name} level",
                f"at which level is hex {name}?",
                "facts.toml",
                stanza("[[hex]]", {"hex": name, "level": BLANK}),
            )
        case ("features", name, *may):
            either = f"{may[0]} or not" if len(may) == 1 else f"{', '.join(may)} or none of these"
            return MissingFact(
                f"hex {name} features",
                f"hex {name}: {either}?" if may else f"does hex {name} have any other feature?",
                "facts.toml",
                stanza("[[hex]]", {"hex": name, "features": [BLANK]}),
            )
        case ("hexside", a, b):
            return MissingFact(
                f"hexside {a}/{b} features",
                f"what lies on the hexside between {a} and {b} (a river, a bridge …), if anything?",
                "facts.toml",
                stanza("[[hexside]]", {"hexes": [a, b], "has": [BLANK]}),
            )
        case ("line", *hexes):
            a, b = sorted(hexes)
            return MissingFact(
                f"hexside {a}/{b} lines",
                f"which roads and the like cross the hexside between {a} and {b}, if any?",
                "facts.toml",
                stanza("[[hexside]]", {"hexes": [a, b], "lines": [BLANK]}),
            )
        case ("chart", name):
            return of_chart(name)
        case ("cost", *names):
            what = ", ".join(names)
            return MissingFact(
                f"cost of {what} for {classes}",
                f"what does {what} cost {classes}?",
                "pack.toml",
                "\n".join(f'"{name}" = {{"{classes}" = "?"}}' for name in names),
            )
    return MissingFact("board", "something about the board is not known")


def of_chart(chart: str) -> MissingFact:
    """What does the game have of the things in a chart? See :mod:`.completeness`. The stanza calls the chart
    complete; reports do not print it, because it does not answer the question."""
    return MissingFact(
        f"chart {chart}",
        question_of_chart(chart),
        "facts.toml",
        pack_stanza("rules", "complete", entry=[chart]),
    )


def question_of_chart(chart: str, title: str = "") -> str:
    """The text of the question :func:`of_chart`. ``title``: what the chart is called; empty: by its name."""
    if chart in _OF_CHARTS:
        return _OF_CHARTS[chart][0]
    return f"what does your game have about {title or chart.replace('_', ' ')}?"


def nothing_of_chart(chart: str) -> str:
    """The answer that an empty chart stands for if it is complete."""
    return _OF_CHARTS[chart][1] if chart in _OF_CHARTS else "nothing of the kind"


_OF_CHARTS = {
    "allowance": (
        "what changes the allowance of a unit in your game: weather, supply, damage, nothing?",
        "nothing changes it",
    ),
    "classes": ("which movement classes does your game have?", "no classes"),
    "covering": (
        "which terrains of your game count as Covering Terrain, or are there none?",
        "no terrain does",
    ),
    "enemy_hex": (
        "may a unit of your game enter a hex with enemies: never, or at what cost?",
        "never",
    ),
    "entering": (
        "what has a unit of your game spent when it comes onto the map?",
        "nothing of the kind",
    ),
    "hard": (
        "which terrains of your game are rough in Prepared Assault, or are there none?",
        "no terrain is",
    ),
    "hexsides": (
        "what on hexsides costs MPs in your game, or cannot be crossed: rivers, walls, nothing?",
        "nothing does",
    ),
    "lacks": (
        "which rules of movement does your game have that this program does not know, or are there none?",
        "no such rules",
    ),
    "levels": (
        "what does climbing cost in your game: nothing, or how many MPs for a level?",
        "nothing",
    ),
    "march": (
        "which terrains count as clear in a forced march, and where are arid and arctic zones?",
        "no such terrains, no such zones",
    ),
    "order": (
        "in which order do the units of your game move: in any, or one after the other?",
        "in any",
    ),
    "roads": (
        "along which lines do units of your game move cheaper: roads, tracks, railways, none?",
        "along none",
    ),
    "stacking": ("how much may be in one hex of your game?", "any number"),
    "steps": (
        "which steps cost more in your game, or end a move, besides what the charts say?",
        "no such steps",
    ),
    "surcharges": (
        "what makes each hex cost more in your game: mud, night, damage, nothing?",
        "nothing does",
    ),
    "terrain": ("which terrains does your game have, and what does each cost?", "no terrain"),
    "works": (
        "which fortifications does your game have, and what does entering one cost?",
        "no fortifications",
    ),
    "zoc": (
        "do zones of control stop a move in your game, cost MPs, or not exist?",
        "they do not exist",
    ),
}
"""Chart → its question, and the answer that it stands for if it is empty."""


def of_unit(unit: Unit, attribute: str) -> MissingFact:
    """What is the value of an attribute of a unit?"""
    return MissingFact(
        f"unit {unit.id} {attribute}",
        f'what value does {unit.name} have for "{attribute}"?',
        "facts.toml",
        stanza("[[unit]]", {"unit": unit.id, "attributes": {attribute: BLANK}}),
    )


def of_unit_from(unit: Unit, attribute: str, at: StepRef) -> MissingFact:
    """What is the value of an attribute of a unit from a step on?"""
    return MissingFact(
        f"unit {unit.id} {attribute} from {at}",
        f'what value does {unit.name} have for "{attribute}" from {at.said} on?',
        "facts.toml",
        stanza("[[unit]]", {"unit": unit.id, "first": str(at), "attributes": {attribute: BLANK}}),
    )


def of_side(unit: Unit) -> MissingFact:
    """Whose unit is it?"""
    return MissingFact(
        f"unit {unit.id} side",
        f"which side does {unit.name} belong to, as the phases name the sides?",
        "facts.toml",
        stanza("[[unit]]", {"unit": unit.id, "side": BLANK}),
    )


def of_active(timeline: Timeline, at: StepRef) -> MissingFact:
    """Which side is active in the phase of a step?"""
    view, (first, last) = timeline.phase(at), timeline.stretch(at)
    steps = steps_between(first, last)
    told = {"turn": view.turn or BLANK, "phase": view.phase or BLANK, "active": BLANK}
    return MissingFact(
        "active side",
        f"which side is active in the phase of steps {steps} of log {at.log}?",
        "facts.toml",
        stanza("[[phase]]", {"log": at.log, "steps": steps, **told}),
    )


def of_unseen(unit: Unit) -> MissingFact:
    """Does a unit that the mover could not see count against him?"""
    return counts_unseen(unit.id, unit.name).unknown(f"unit {unit.id} unseen")


def of_whereabouts(unit: Unit, hex_name: str, at: StepRef) -> MissingFact:
    """Was a unit in the hex during the whole move? ``at``: the first step of the move."""
    key = f"unit {unit.id} in {hex_name} during the move"
    return was_there(hex_name, unit.id, unit.name, at).unknown(key)


def of_condition(key: str) -> MissingFact:
    """What was a condition of the game, such as the weather?"""
    return MissingFact(
        f"condition {key}",
        f"“{key}”: what was it at that time?",
        "facts.toml",
        stanza("[[condition]]", {"key": key, "value": BLANK}),
    )
