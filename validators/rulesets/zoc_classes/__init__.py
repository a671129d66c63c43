"""The ruleset ``zoc-classes``: movement in a WWII operational system whose zones of control come in classes,
and whose units may spend MPs on credit under "+# MP" markers.

Only the cells of the terrain effects chart that the rules text prints are known. A pack supplies the rest in
``[rules]`` (``schema.json``), as docs/rulesets/zoc-classes.md shows.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from fractions import Fraction
from typing import Any

from ....model.fact import Fact, Value
from ....model.names import HEXSIDE, LINE, TERRAIN, Words, value_of
from ....model.stanza import BLANK
from ...allowed_facts import NUMBER, TEXT, YES_NO, Allowed, words
from ...concepts.charts import Cell
from ...engine.clauses import clauses_in
from ...engine.declared import Arrivals, Chart, Completed, Declared, Phasing, chart, during
from ...engine.event_index import Marker
from ...engine.mover_facts import MoverFacts
from ...engine.rules import Rules
from ...engine.ruleset import ClauseRuleset
from . import march, phases, status, terrain, zones
from .terms import (
    CLASSES,
    CLEAR,
    COLUMNS,
    COMBAT,
    LEVELS,
    REACTION,
    advances,
    of_weather,
    weather_key,
)
from .terrain import DUE_BY, LESS, MORE, OWN


def least(rules: Rules, cls: str, known: Mapping[str, Fact]) -> Fraction:
    """The least MPs of a step by column ``cls``: that of the cheapest terrain or road on the board, in any
    weather that may be there; 0 if a road may cost anything."""
    board, column = rules.game.board, rules.columns[cls]
    charted, terrain = rules.rows_of("roads"), rules.rows_of("terrain")
    if not board.line_kinds <= charted:
        return Fraction(0)
    if not board.all_lines_known and not rules.complete.has("roads"):
        return Fraction(0)
    kinds = board.line_kinds if board.all_lines_known else charted
    names, (untold, perhaps_more) = rules.names_on_board[0], rules.told_in_full
    strange = any(not set(one.terrain or ("?",)) <= terrain for one in board.hexes.values())
    open_ = untold or strange or (perhaps_more and not rules.complete.has("terrain"))
    costs = [anything(rules)] if open_ else []
    terrains = terrain if perhaps_more else names & terrain
    for weather in weathers(rules, known):
        for part, there in (("terrain", terrains), ("roads", kinds)):
            chart = of_weather(part, weather)
            for name in there:
                cell = rules.cell(chart, name, column)
                costs += cost_of(rules, cell, OWN.get(name, DUE_BY[part]))
    return min(costs, default=Fraction(0))


def anything(rules: Rules) -> Fraction:
    """The least that a hex may cost of which nothing is known."""
    return Fraction(int(rules.options["least_hex_cost"]))


def weathers(rules: Rules, known: Mapping[str, Fact]) -> Iterable[str]:
    """The weathers that may be anywhere; one that no chart has stands for all that are not told."""
    if not rules.applies("6.A.4-i"):
        return (CLEAR,)
    there = rules.perhaps_on_board(rules.tables["march"]["zones"])
    keys = (weather_key(zone) for zone in ("", *there))
    return dict.fromkeys(str(state) for key in keys for state in known[key].options or ("?",))


def cost_of(rules: Rules, cell: Cell | None, clause: str) -> Iterator[Fraction]:
    """The least that a cell comes to; nothing if it is prohibited."""
    if cell is None or cell.kind == "unknown":
        yield anything(rules) if rules.applies("6.A.2-f") and rules.applies(clause) else Fraction(0)
    elif cell.kind == "prohibited":
        yield from () if rules.applies("6.A.2-f") else (Fraction(0),)
    elif clause and not rules.applies(clause):
        yield Fraction(0)
    elif cell.kind == "half":
        due = rules.applies(LESS if cell.amount < 0 else MORE) and rules.applies("6.D.1-c")
        yield max(Fraction(0), cell.amount) if due else Fraction(0)
    else:
        yield cell.amount


MODULES = (terrain, zones, march, phases, status)
PARTS = ("terrain", "hexsides", "roads")
ZOC = words(*LEVELS)
OF_BOTH = {
    "supply": words(reads_others=True),
    "night": YES_NO,
    "weather": TEXT,
    "date": TEXT,
    "march": NUMBER,
    "march_die": NUMBER,
    "march_markers": NUMBER,
    "march_spent": NUMBER,
    "pause": YES_NO,
    "chit": YES_NO,
    "attacked": YES_NO,
    "engineering": YES_NO,
    "turned": YES_NO,
}
"""What may be a condition of the game or of a unit, or an attribute."""
OF_UNIT = {
    "supply": "in which state of supply was {}?",
    "night": "did {} move at night?",
    "weather": "what was the weather?",
    "date": "what is the date (1941-09, or 1941-09-01)?",
    "march": "how many MPs of forced march did {} try (0, 1 or 2)?",
    "march_die": "what did the die for the forced march of {} show?",
    "march_markers": 'how many "+# MP" markers were chosen before the roll of {}?',
    "march_spent": "what had {} spent before it rolled for its forced march?",
    "pause": "did {} pause for an overrun or an engineering function?",
    "chit": "did an offensive chit put {} in reserve?",
    "attacked": "did {} fight, or was it attacked, since it was put in reserve?",
    "engineering": "did {} do an engineering function?",
    "turned": "had {} been turned to show that it had moved?",
}
OF_GAME = {
    **OF_UNIT,
    "supply": "in which state of supply were the units that moved?",
    "night": "was it night?",
    "march": "how many MPs of forced march were tried (0, 1 or 2)?",
    "march_die": "what did the die for the forced march show?",
    "march_markers": 'how many "+# MP" markers were chosen before the roll?',
    "march_spent": "what had been spent before the roll for the forced march?",
    "pause": "did units pause for an overrun or an engineering function?",
    "chit": "did an offensive chit put units in reserve?",
    "attacked": "did the reserve fight, or was it attacked?",
    "engineering": "did the reserve do an engineering function?",
}
ATTRIBUTES = {
    "ma": NUMBER.asked("which movement rating is printed on {}?"),
    "class": words(*CLASSES, reads_others=True).asked("is {} c/m, s/m or non-motorized?"),
    "column": words(*COLUMNS).asked("which column of the chart does {} pay by?"),
    "nationality": TEXT.asked("of which nationality is {}?"),
    "infantry": YES_NO.asked("is {} of an infantry type?"),
    "special": YES_NO.asked("is {} of the special forces?"),
    "major": YES_NO.asked("is {} of a major power?"),
    "load": YES_NO.asked("did {} carry supplies?"),
    "combat": YES_NO.asked("is {} a combat unit?"),
    "zoc": ZOC.asked("which class of ZOC does {} exert into the hexes next to it?"),
    "own_zoc": ZOC.asked("which class of ZOC does {} exert in its own hex?"),
    "reserve": YES_NO.asked("was {} in reserve?"),
    "operational_reserve": YES_NO.asked("was {} in operational reserve?"),
    "debt": NUMBER.asked('which "+# MP" marker lay on {} (0: none)?'),
    "size": NUMBER.asked("how much does {} count for stacking?"),
    **{name: allowed.asked(OF_UNIT[name]) for name, allowed in OF_BOTH.items()},
}
TOPICS = (
    "friends in *", "put back by an overrun", "put back by a combat result", "transport in the game",
    "carried by rail, river, air or sea", "reserve status lost", "reserve status given up",
    "in reserve before its marker was laid", "left operational reserve",
    "reserve marker at the end of the phase", "reserve marker is its own",
    "could spend no more at the roll", "entered a ZOC on its march", "dragged before the march failed",
)  # fmt: skip
CONDITIONS = {
    **{name: allowed.asked(OF_GAME[name]) for name, allowed in OF_BOTH.items()},
    "weather *": TEXT,
    "zoc *": ZOC,
    **dict.fromkeys(("screened *", "interdiction *", "fort *", "overrun *", *TOPICS), YES_NO),
    "marker at the end of the phase": NUMBER,
    "marker at the beginning of the phase": NUMBER,
}
OPEN = ("ma", "nationality", "infantry", "special", "load")
TOLD = (
    "supply",
    "night",
    "weather",
    "date",
    "chit",
    "march",
    "march_die",
    "march_markers",
    "march_spent",
)


def more_words(rules: Rules) -> dict[str, Allowed]:
    """The values that the tables name."""
    weather = TEXT
    if rules.complete.has("weather"):
        weather = words(CLEAR, *rules.tables["weather"], reads_others=True)
    return {
        "column": words(*rules.columns),
        "supply": words(*rules.tables["supply"]["factors"], reads_others=True),
        "weather": weather,
        "weather *": weather,
    }


def columns(rules: Rules, fact: Fact) -> tuple[Value, ...]:
    """The columns of the chart by which a unit may pay."""
    every, options = tuple(rules.columns), tuple(str(o) for o in fact.options or ())
    told = options and set(options) <= set(every) and rules.applies("6.A.2-b")
    return options if told else every


def classes(rules: Rules, fact: Fact) -> tuple[Value, ...]:
    return tuple(str(option) for option in fact.options or CLASSES)


def weather_charts(tables: Mapping[str, Any]) -> dict[str, Chart]:
    """The charts in each weather."""
    return {
        of_weather(part, name.lower()): in_weather(part, name)
        for name in tables["weather"]
        for part in PARTS
    }


def in_weather(part: str, weather: str) -> Chart:
    def rows(tables: Mapping[str, Any]) -> Mapping[str, Any]:
        found: Mapping[str, Any] = tables["weather"].get(weather, {}).get(part, {})
        return found

    return Chart(rows, ("weather", weather, part, "{}"), f" in {weather}")


def other_chart(name: str) -> Chart:
    """A chart in a weather of which the pack has none."""
    part, _, weather = name.partition(" in ")
    return in_weather(part, weather)


def one_cell(table: str, what: str, text: str) -> Chart:
    """A chart of one cost, for all columns."""
    asked = what, text, BLANK
    return Chart(lambda tables: {table: tables[table]["cost"]}, (table, "cost"), asked=asked)


def names(tables: Mapping[str, Any]) -> Mapping[str, Words]:
    """The names that a game may use: those of the charts in all weathers."""
    charts = (tables, *tables["weather"].values())
    terrain_, sides, roads = ({n for c in charts for n in c.get(part, ())} for part in PARTS)
    every = frozenset((*COLUMNS, *tables["columns"]["exceptions"]))
    return {
        TERRAIN: Words(frozenset(terrain_), "terrain"),
        HEXSIDE: Words(frozenset(sides), "hexsides"),
        LINE: Words(frozenset(roads), "roads"),
        value_of("column"): Words(every, "columns", any_case=True),
    }


def moves(rules: Rules, kind: str) -> Phasing | None:
    """Which side moves in a phase (6.D.3-a)."""
    if kind == COMBAT:
        return None
    named = rules.options["reaction_names"]
    if kind != REACTION or named == "reacting":
        return "active"
    return "inactive" if named == "phasing" else "perhaps inactive"


def as_it_seems(facts: MoverFacts) -> bool:
    """Whether a unit may have moved in the form, and the kind of phase, as it seems: in a combat phase there
    is no movement but advances."""
    if facts.known["kind"].value == COMBAT and not advances(facts):
        return False
    return march.judged_in_form(facts)


class ZocClasses(ClauseRuleset):
    """See :class:`~vassal_umpire.validators.ruleset.Ruleset`."""

    def words_for(self, column: str) -> str:
        """The column of the chart, in words."""
        return f"column {column}"


DECLARED = Declared(
    clauses=(*march.MARCHES, *clauses_in(*MODULES)),
    attributes=ATTRIBUTES,
    conditions=CONDITIONS,
    markers={name: Marker() for name in ("reserve", "operational_reserve", "turned")},
    completed=(
        during("column", options=columns),
        during("class", options=classes),
        *(during(about, open=True) for about in OPEN),
        *(Completed(about, open=True, condition=True) for about in TOLD),
        Completed("weather {}", open=True, condition=True, each="march.zones"),
        Completed("status", choice=status.status),
    ),
    shared=("kind", "column", "weather", "class", "night"),
    columns=COLUMNS,
    pays_by="column",
    more_columns=lambda tables: tables["columns"]["exceptions"],
    charts={
        **{part: chart(part) for part in PARTS},
        "overrun": one_cell(
            "overrun", "overrun", "how many MPs does an overrun cost besides the hex (Rule 12)?"
        ),
        "interdiction": one_cell(
            "interdiction",
            "interdiction for a unit by day",
            "what does a hex under interdiction cost besides, by day?",
        ),
        "screened": Chart(
            lambda tables: {},
            ("zoc", "screened"),
            asked=(
                "a screened hex for units",
                "what does it cost to enter a screened hex, by its ZOC from none to triple?",
                [0, *(BLANK for _ in LEVELS[1:])],
            ),
        ),
    },
    more_charts=weather_charts,
    other_chart=other_chart,
    cellwise=("supply",),
    options={"least_hex_cost": ("0", "1")},
    of_game=("pause",),
    parts=2,
    half=terrain.half_rating,
    ways=terrain.tried,
    start_state=march.start,
    after=march.after,
    unfinished=march.unfinished,
    arrivals=Arrivals(onto=(terrain.terrain,)),
    closing=(terrain.terrain,),
    looks_beside=True,
    asks_phase=True,
    moves=moves,
    forms=as_it_seems,
    least=least,
    of_board=lambda rules: rules.perhaps_on_board(rules.tables["march"]["zones"]),
    names=names,
    words=more_words,
    stacking=phases.stacking,
    whole=phases.whole,
)
RULESET = ZocClasses(__name__, DECLARED)
