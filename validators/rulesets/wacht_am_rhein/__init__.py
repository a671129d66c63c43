"""The ruleset ``wacht-am-rhein``: section 5 (Movement) of Wacht am Rhein, 2nd edition.

The Movement and Terrain Effects Chart is not public: every cell is unknown until a pack supplies it in
``[rules]`` (``schema.json``), as docs/rulesets/wacht-am-rhein.md shows. Tables that the pack leaves out keep
the values of ``tables.toml``. Where the text can be read in more than one way, an option settles it; until
then every verdict that depends on the reading is unverifiable.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from fractions import Fraction
from typing import Any

from ....model.fact import Fact
from ....model.names import HEXSIDE, LINE, Words, value_of
from ...engine.clauses import clauses_in
from ...engine.declared import Chart, Completed, Declared, Movers
from ...engine.mover_facts import MoverFacts
from ...engine.rules import Rules
from ...engine.ruleset import ClauseRuleset
from ...engine.step import Step
from . import (
    aftermath,
    allowance,
    constricted,
    eligibility,
    enemies,
    friends,
    marches,
    overruns,
    stacks,
    stops,
    terrain,
    trucks,
    water,
)
from .facts import (
    ATTRIBUTES,
    CONDITIONS,
    condition,
    more_words,
    otherwise,
    read,
    reading_name,
    types,
)
from .terms import (
    BY_ROAD,
    COLUMNS,
    CROSSINGS,
    DASHED,
    EXPLOITATION,
    IN_PA,
    LEG_MARCHES,
    MARCHES,
    MOVEMENT,
    ROADS,
    WATERS,
    Went,
)
from .terrain import states

NOTHING, ONE_HEX = Fraction(0), Fraction(1)


def least(rules: Rules, cls: str, known: Mapping[str, Fact]) -> Fraction:
    """The least cost of a step in MPs: along the cheapest road, or into the cheapest hex of the board; in
    Prepared Assault one hex."""
    if cls in IN_PA:
        return ONE_HEX
    grounds = [states(rules).get(str(o).lower(), {}) for o in known["ground"].options or ()]
    if not grounds or not all(row.get("chart") for row in grounds):
        return NOTHING
    column = COLUMNS[cls]
    if cls in BY_ROAD:
        bound = rules.applies("5.6.0-e") and rules.applies("5.0-m")
        return cheapest(rules, "roads", ROADS, column) if bound else NOTHING
    if not rules.applies("5.0-j"):
        return NOTHING
    board = rules.game.board
    kinds = {(here.terrain or (), here.features) for here in board.hexes.values()}
    found = [into(rules, terrain, features, column) for terrain, features in kinds]
    if cls in LEG_MARCHES:
        found.append(cheapest(rules, "terrain", (rules.tables["clear"],), column))
    return min((one for one in found if one is not None), default=NOTHING)


def into(
    rules: Rules, terrain: tuple[str, ...], features: tuple[str, ...], column: str
) -> Fraction | None:
    """The least that entering a hex costs off the road, where the dearest of its terrains counts; None: it is
    closed."""
    if not terrain:
        return NOTHING
    told = (name for name in (*terrain, *features) if name in rules.charts["terrain"])
    costs = [lower(rules, "terrain", name, column) for name in told]
    if None in costs:
        return None
    return max((cost for cost in costs if cost is not None), default=NOTHING)


def cheapest(rules: Rules, chart: str, names: Iterable[str], column: str) -> Fraction:
    """The least of several rows of a chart; nothing if none is open."""
    costs = (lower(rules, chart, name, column) for name in names)
    return min((cost for cost in costs if cost is not None), default=NOTHING)


def lower(rules: Rules, chart: str, name: str, column: str) -> Fraction | None:
    """The least that a row of a chart may cost; None: it is closed."""
    cell = rules.cell(chart, name, column)
    if cell is None or cell.kind == "unknown":
        return NOTHING
    return None if cell.kind == "prohibited" else cell.amount


MODULES = (
    *(terrain, water, constricted, stops, overruns, enemies, friends),
    *(allowance, eligibility, trucks, aftermath, stacks),
)


def moves(rules: Rules, kind: str) -> Movers | None:
    """Which side moves in a phase (5.0-e)."""
    return "active" if kind in (MOVEMENT, EXPLOITATION) else None


def names(tables: Mapping[str, Any]) -> Mapping[str, Words]:
    """The names that a game may use."""
    types = {name for listed in tables["types"].values() for name in listed}
    return {
        HEXSIDE: Words(frozenset((*tables["hexsides"], *WATERS, *CROSSINGS)), "hexsides"),
        LINE: Words(frozenset((*ROADS, DASHED)), "roads"),
        value_of("type"): Words(frozenset(types), "types", any_case=True),
    }


def chart(name: str, clause: str = "", due: Mapping[str, str] | None = None) -> Chart:
    """A chart of the tables. ``clause``: cited where it closes something; ``due``: row → the clause by which
    it costs anything."""
    return Chart(
        lambda tables: tables[name],
        (name, "{}"),
        clauses=lambda row: ((due or {}).get(row, (due or {}).get("", "")), clause),
    )


def adjacent() -> Chart:
    """The costs of moving next to enemies (5.3.2)."""
    return Chart(
        lambda tables: {
            "cost": tables["adjacent"]["cost"],
            "fieldworks": tables["adjacent"].get("fieldworks", "unknown"),
        },
        ("adjacent", "{}"),
    )


OF_SIDES = {"stream": "5.4.2-a", "minor-river": "5.4.3b-a", "": "5.0-k"}
OPEN = (
    "supply",
    "resting",
    "fatigue",
    "released",
    "leader",
    "fuel",
    "ma",
    "designation",
    "strength",
    "formation",
    "attached",
    "echelon",
    "infantry-division",
    "breakdown",
    "range",
    "bridge-class",
    "army",
    "stacking",
)
"""The attributes of a mover of which what is not known is asked where it matters."""


def form_of(facts: MoverFacts) -> str:
    """The form of movement of a mover."""
    return MARCHES[str(facts.known["march"].value)][0]


def after(step: Step) -> Went:
    """The state of a mover after a step."""
    last, overrun = overruns.after_overrun(step)
    return constricted.after(step)._replace(last=last, overrun=overrun)


DECLARED = Declared(
    clauses=clauses_in(*MODULES),
    attributes=ATTRIBUTES,
    conditions=CONDITIONS,
    completed=(
        read("class"),
        Completed("type", read=read("type").read, options=types),
        *(read(about) for about in ("nation", "mode", "motor")),
        *(read(about, "artillery") for about in ("traction", "battery", "calibre")),
        read("deployed", "bridge"),
        *(read(about, asked=True) for about in OPEN),
        condition("night"),
        condition("ground"),
        Completed("overrun", (), overruns.told, open=True, condition=True),
        Completed("march", choice=marches.marches),
    ),
    shared=("kind", "night", "ground"),
    columns=COLUMNS,
    pays_by="march",
    charts={
        "terrain": chart("terrain", "5.7.0-b"),
        "hexsides": chart("hexsides", "5.7.0-b", OF_SIDES),
        "roads": chart("roads"),
        "adjacent": adjacent(),
    },
    ways=terrain.tried,
    start_state=lambda facts: Went(),
    after=after,
    looks_beside=True,
    closing=(terrain.closed_hexes,),
    lines_open=True,
    most_completions=48,
    least=least,
    everywhere=True,
    kind_told="kind of phase {}",
    late_for_all=True,
    parts=2,
    unlisted=False,
    noun=" units",
    of_game=("night", "ground"),
    moves=moves,
    form=form_of,
    names=names,
    words=more_words,
    otherwise=otherwise,
    stacking=stacks.stacking,
    ended_there=stacks.ENDED,
    ranks=stacks.ranks,
    whole=stacks.one_by_one,
    reading_name=reading_name,
    whose_first=True,
)
RULESET = ClauseRuleset(__name__, DECLARED)
