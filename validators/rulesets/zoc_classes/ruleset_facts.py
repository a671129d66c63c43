"""The questions about missing facts that only this ruleset has, and the attributes and conditions that facts
may give."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import NamedTuple

from ....model.fact import MissingFact
from ....model.game import Game, StepRef
from ....model.stanza import BLANK, Entry, pack_stanza, stanza
from ....model.unit import Unit
from ...allowed_facts import NUMBER, TEXT, YES_NO, AllowedFacts, words
from ...answers import Question, answer
from .cells import Cell
from .tables import CLASSES, CLEAR_WEATHER, LEVELS, Tables


def allowed_facts(tables: Tables) -> AllowedFacts:
    """The attributes and conditions that facts may give: their values, and the question for each."""
    weather = words(*tables.charts, reads_others=True)
    if not tables.open_charts.has("weather"):  # other weathers than those with a chart may exist
        weather = TEXT
    declared = {
        "supply": words(*tables.supply, reads_others=True).asked(
            "in which state of supply was {}?"
        ),
        "night": YES_NO.asked("did {} move at night?"),
        "weather": weather.asked("what was the weather?"),
        "date": TEXT.asked("what is the date (1941-09, or 1941-09-01)?"),
        "march": NUMBER.asked("how many MPs of forced march did {} try (0, 1 or 2)?"),
        "march_die": NUMBER.asked("what did the die for the forced march of {} show?"),
        "march_markers": NUMBER.asked(
            'how many "+# MP" markers were chosen before the roll of {}?'
        ),
        "march_spent": NUMBER.asked("what had {} spent before it rolled for its forced march?"),
        "pause": YES_NO.asked("did {} pause for an overrun or an engineering function?"),
        "chit": YES_NO.asked("did an offensive chit put {} in reserve?"),
        "attacked": YES_NO.asked("did {} fight, or was it attacked, since it was put in reserve?"),
        "engineering": YES_NO.asked("did {} do an engineering function?"),
        "turned": YES_NO.asked("had {} been turned to show that it had moved?"),
    }
    of_game = {
        "supply": "in which state of supply were the units that moved?",
        "night": "was it night?",
        "date": "what is the date (1941-09, or 1941-09-01)?",
        "march": "how many MPs of forced march were tried (0, 1 or 2)?",
        "march_die": "what did the die for the forced march show?",
        "march_markers": 'how many "+# MP" markers were chosen before the roll?',
        "march_spent": "what had been spent before the roll for the forced march?",
        "pause": "did units pause for an overrun or an engineering function?",
        "chit": "did an offensive chit put units in reserve?",
        "attacked": "did the reserve fight, or was it attacked?",
        "engineering": "did the reserve do an engineering function?",
    }
    zoc = words(*LEVELS)
    return AllowedFacts(
        attributes={
            "ma": NUMBER.asked("which movement rating is printed on {}?"),
            "class": words(*CLASSES, reads_others=True).asked("is {} c/m, s/m or non-motorized?"),
            "column": words(*tables.columns).asked("which column of the chart does {} pay by?"),
            "nationality": TEXT.asked("of which nationality is {}?"),
            "infantry": YES_NO.asked("is {} of an infantry type?"),
            "special": YES_NO.asked("is {} of the special forces?"),
            "major": YES_NO.asked("is {} of a major power?"),
            "load": YES_NO.asked("did {} carry supplies?"),
            "combat": YES_NO.asked("is {} a combat unit?"),
            "zoc": zoc.asked("which class of ZOC does {} exert into the hexes next to it?"),
            "own_zoc": zoc.asked("which class of ZOC does {} exert in its own hex?"),
            "reserve": YES_NO.asked("was {} in reserve?"),
            "operational_reserve": YES_NO.asked("was {} in operational reserve?"),
            "debt": NUMBER.asked('which "+# MP" marker lay on {} (0: none)?'),
            "size": NUMBER.asked("how much does {} count for stacking?"),
            **declared,
        },
        conditions={
            **{n: a.asked(of_game[n]) if n in of_game else a for n, a in declared.items()},
            "weather *": weather,
            "zoc *": zoc,
            **dict.fromkeys(("screened *", "interdiction *", "fort *", "overrun *"), YES_NO),
            **dict.fromkeys(_TOPICS, YES_NO),
            **dict.fromkeys((AT_END, OWED), NUMBER),
        },
    )


AT_END, OWED = "marker at the end of the phase", "marker at the beginning of the phase"
RETREAT, PUT_BACK = "put back by an overrun", "put back by a combat result"
TRANSPORT, CARRIED = "transport in the game", "carried by rail, river, air or sea"
LOST, GIVEN_UP = "reserve status lost", "reserve status given up"
PLACED, LEFT = "in reserve before its marker was laid", "left operational reserve"
STILL, OWN = "reserve marker at the end of the phase", "reserve marker is its own"
ALL_SPENT, ENTERED = "could spend no more at the roll", "entered a ZOC on its march"
BEFORE = "dragged before the march failed"
FRIENDS = "friends in *"
_TOPICS = (
    FRIENDS,
    RETREAT,
    PUT_BACK,
    TRANSPORT,
    CARRIED,
    LOST,
    GIVEN_UP,
    PLACED,
    LEFT,
    STILL,
    OWN,
    ALL_SPENT,
    ENTERED,
    BEFORE,
)

READINGS = {
    "supply_half": "how is half an odd rating rounded out of supply?",
    "half_R": "how is half an odd rating rounded in a cost of 1/2M+1 or 1/2M-1?",
    "marker_rounding": 'how is a fraction of an MP rounded on a "+# MP" marker?',
    "advance_leaves": "does an advance after combat pay for leaving a ZOC?",
    "odd_marker_levels": "does an odd marker take away one level of ZOC, or one for each odd number?",
    "forts": "does a fort cancel ZOCs in its hex for one who leaves it, too?",
    "phase_half": "is half an MA rounded down, or kept with its fraction?",
    "night_rounding": "what becomes of a fraction of the allowance at night?",
    "night_debt": 'is a "+# MP" marker paid before the halving at night, or after?',
    "road_hexsides": "does a unit on a road pay for the hexside it crosses?",
    "zone_border": "has a hexside between two weather zones that of the hex entered, or either?",
    "zone_allowance": "does the general weather change allowances, or that of the zone where a move begins?",
    "failed_march": "what does (-1 MP) of a failed forced march leave: nothing, or the other MPs tried?",
    "reaction_names": "whom does the pack call active in a reaction phase: the phasing side, or who reacts?",
    "semi_motorized": "do s/m units count as motorized where the year bars units from reserve (6.B.1)?",
    "screened_leave": "does leaving a hex that is screened cost what leaving its ZOC costs?",
    "several_hexsides": "which of several features on a hexside count?",
    "several_terrains": "which of several terrains in a hex count?",
}


def reading(option: str) -> MissingFact:
    """The question how an open reading is settled."""
    return MissingFact(
        f"reading {option}",
        READINGS[option],
        "facts.toml",
        pack_stanza("options", option, entry=BLANK),
    )


def kind_of_phase(phase: str) -> MissingFact:
    """The question what kind of phase a phase is."""
    return MissingFact(
        f"kind of the phase {phase}",
        f"is the phase {phase} one of initial, reaction or exploitation movement, or of combat?",
        "facts.toml",
        pack_stanza("rules", "kinds", phase, entry=BLANK),
    )


_OF_HEX = {
    "zoc": "which class of enemy ZOC is over hex {}?",
    "screened": "was hex {} screened from enemy ZOCs (5.C)?",
    "interdiction": "was hex {} under harassment or air interdiction?",
    "fort": "was there a fort in hex {}?",
    "overrun": "did units overrun into {}, as Rule 12 lets them?",
}


def of_hex(about: str, name: str) -> MissingFact:
    """The missing condition ``about`` (a key of ``_OF_HEX``) for a hex."""
    key = f"{about} {name}"
    told = stanza("[[condition]]", {"key": key, "value": BLANK})
    return MissingFact(f"condition {key}", _OF_HEX[about].format(name), "facts.toml", told)


def cell(
    tables: Tables, columns: Iterable[str], part: str, weather: str, names: Iterable[str], who: str
) -> MissingFact:
    """The missing cells of the terrain effects chart for ``names`` in one weather. ``part``: "terrain",
    "hexsides" or "roads"; ``who``: the mover, in words."""
    chart, rows = tables.charts.get(weather), dict[str, Entry]()
    for name in names:
        row: Mapping[str, Cell] = getattr(chart, part).get(name, {}) if chart is not None else {}
        told = {c: str(one) for c, one in row.items() if one.kind != "unknown"}
        rows[name] = told | {c: BLANK for c in columns if c not in told}
    what = ", ".join(rows)
    path = (part,) if weather == CLEAR_WEATHER else ("weather", weather, part)
    when = "" if weather == CLEAR_WEATHER else f" in {weather}"
    return cost(f"{what} for {who}", f"what does {what} cost {who}{when}?", *path, entry=rows)


def cost(key: str, text: str, *path: str, entry: Entry = BLANK) -> MissingFact:
    """A missing entry of the tables, at ``path`` in ``[rules]``. ``text``: the question."""
    return MissingFact(
        f"cost of {key}", text, "facts.toml", pack_stanza("rules", *path, entry=entry)
    )


def marker_at_end(unit: Unit, at: StepRef) -> Question:
    """Which "+# MP" marker was on a unit at the end of the phase of step ``at``; a number."""
    text = f'which "+# MP" marker lay on {unit.name} at the end of the phase (0: none)?'
    return Question(AT_END, text, unit.id, at)


def marker_owed(unit: Unit, at: StepRef) -> Question:
    """Which "+# MP" marker a unit had to pay before it could move at step ``at``; a number."""
    text = f'which "+# MP" marker did {unit.name} have to pay first (0: none)?'
    return Question(OWED, text, unit.id, at)


def retreat(unit: Unit, at: StepRef) -> Question:
    """Whether an overrun by enemies put a unit back at step ``at``."""
    text = f"was {unit.name} put back by an overrun (Rule 12)?"
    return Question(RETREAT, text, unit.id, at)


def put_back(unit: Unit, at: StepRef) -> Question:
    """Whether a combat result put a unit back at step ``at``."""
    return Question(PUT_BACK, f"was {unit.name} put back by a combat result?", unit.id, at)


def transport(unit: Unit, at: StepRef) -> tuple[Question, Question]:
    """Whether any unit of the game is carried by rail, river, air or sea, and whether this one was at step
    ``at``."""
    every = (
        "is anybody carried by rail, river, air or sea (Rules 7, 23, 35) in what these logs hold?"
    )
    text = f"was {unit.name} carried by rail, river, air or sea (Rules 7, 23, 35)?"
    return Question(TRANSPORT, every), Question(CARRIED, text, unit.id, at)


def status_lost(unit: Unit, at: StepRef) -> Question:
    """Whether a reserve had lost its status by step ``at``."""
    return Question(LOST, f"had {unit.name} lost its reserve status (6.B.2)?", unit.id, at)


def friends(hex_name: str, at: StepRef | None) -> Question:
    """Whether friendly combat units were in a hex as it was entered (6.D.3-d)."""
    text = f"was a friendly combat unit in {hex_name} when it was entered?"
    return Question(FRIENDS.replace("*", hex_name), text, "", at)


def given_up(unit: Unit, at: StepRef) -> Question:
    """Whether a reserve had given its status up by step ``at``."""
    text = f"had {unit.name} given its reserve status up when it moved?"
    return Question(GIVEN_UP, text, unit.id, at)


def placed(unit: Unit, at: StepRef) -> Question:
    """Whether a unit was in reserve before its marker was put on it."""
    text = f"was {unit.name} in reserve before, its marker being laid late?"
    return Question(PLACED, text, unit.id, at)


def still_marked(unit: Unit, at: StepRef) -> Question:
    """Whether the Reserve marker was still on a unit at the end of the phase."""
    text = f"did the Reserve marker still lie on {unit.name} at the end of the phase?"
    return Question(STILL, text, unit.id, at)


def own_marker(unit: Unit, place: str, at: StepRef) -> Question:
    """Whether the Reserve marker on a stack in ``place`` is that of this unit."""
    text = f"is the Reserve marker in {place} that of {unit.name} (no: of others in the stack)?"
    return Question(OWN, text, unit.id, at)


def left_reserve(unit: Unit, at: StepRef) -> Question:
    """Whether a unit had left operational reserve when the phase was over."""
    text = f"had {unit.name} left operational reserve when the phase was over?"
    return Question(LEFT, text, unit.id, at)


def all_spent(unit: Unit, spendable: object, at: StepRef) -> Question:
    """Whether a unit could spend no more MPs when it rolled for its forced march, because every next hex cost
    too much. ``spendable``: its allowance, for the question."""
    text = f"could {unit.name} spend no more of its {spendable} MPs before it rolled for the march?"
    return Question(ALL_SPENT, text, unit.id, at)


def entered_zoc(unit: Unit, at: StepRef) -> Question:
    """Whether a unit entered a partial or full ZOC on its forced march."""
    text = f"did {unit.name} enter a partial or full ZOC on its forced march?"
    return Question(ENTERED, text, unit.id, at)


def dragged_before(unit: Unit, at: StepRef) -> Question:
    """Whether a unit was dragged before its forced march failed, and dragged back to where it was lost
    afterwards."""
    text = f"was {unit.name} dragged on before its forced march failed, and then put where it was lost?"
    return Question(BEFORE, text, unit.id, at)


class Excuse(NamedTuple):
    """A question to which the answer ``by`` (True: yes) shows that nothing is wrong."""

    question: Question
    by: bool = True


def excused(game: Game, excuses: Iterable[Excuse]) -> bool | tuple[MissingFact, ...]:
    """True if the facts give the excusing answer to one of the questions; else the missing facts of those
    that they do not answer."""
    still = []
    for excuse in excuses:
        told = answer(game, excuse.question)
        if told is excuse.by:
            return True
        if told is None:
            still.append(excuse.question.unknown())
    return tuple(still)
