"""The facts that this ruleset asks for: their allowed values, and the questions about those not known."""

from __future__ import annotations

from collections.abc import Iterator

from ....model.fact import Fact, MissingFact
from ....model.game import Game, StateChange
from ....model.stanza import BLANK, pack_stanza, stanza
from ....model.unit import Unit
from ...allowed_facts import ANY_NUMBER, NUMBER, TEXT, YES_NO, Allowed, AllowedFacts, words
from ...answers import Question
from ...concepts import missing_facts
from .tables import CLASSES, DEPTHS, Tables

TRANSPORT_MARKER = "transport_marker"
"""The attribute of a vehicle that gives the number of its transport marker; ``aboard`` of its riders may
name that number."""

ACTIONS_NAMED = (
    "advance",
    "fire-and-movement",
    "assault",
    "concentrated-fire",
    "prepare-op-fire",
    "strategy-card",
    "fatigue",
    "special-action",
    "none",
)
"""The actions, as these rules spell them."""


def allowed_facts(game: Game, tables: Tables) -> AllowedFacts:
    """The attributes and conditions that these rules ask for, with their allowed values and questions."""
    aboard = words("no", *dict.fromkeys(_vehicles(game))).asked(
        "in which vehicle did {} ride (its id or number; else: no)?"
    )
    action = words(*ACTIONS_NAMED, reads_others=True).asked("by which action was {} activated?")
    bonus = ANY_NUMBER.asked("how many MPs did a card give {}?")
    hexes = {
        "assaults": TEXT.asked("which hex did {} assault, if any?"),
        "clears": TEXT.asked("from which hex did {} clear razor wire, if any?"),
        "stalled": TEXT.asked("in which hex did a failed roll stop {}, if in any (else: no)?"),
    }
    count = Allowed("number", ("unlimited",))
    # "true" says that there is one: enough, unless each of them counts.
    officers = Allowed(
        "number", ("true", "false") if tables.applies("X-OF") else (), reads_others=True
    )
    return AllowedFacts(
        attributes={
            "class": words(*CLASSES).asked(
                "is {} a squad, a truck, another light vehicle or heavy?"
            ),
            "type": TEXT,
            "ma": NUMBER.asked("which movement value is printed for {}?"),
            "figures": NUMBER.asked("how many figures has {}?"),
            "officers": officers.asked("how many officers has {}?"),
            "engineer": YES_NO.asked("is {} an engineer squad?"),
            "heavy_weapon": YES_NO.asked("has {} a heavy infantry weapon?"),
            "tank": YES_NO.asked("has {} the abilities of a tank?"),
            "transport": NUMBER.asked("how many squads can {} carry?"),
            "transport_marker": TEXT,
            "token": words("none", "active", "fatigued", "op-fire").asked(
                "which activation token had {} when it began to move?"
            ),
            "pinned": YES_NO.asked("was {} pinned when it was moved?"),
            "disrupted": YES_NO.asked("was {} disrupted when it was moved?"),
            "damage": words("none", "light", "heavy").asked(
                "how was {} damaged when it was moved?"
            ),
            "aboard": aboard,
            "works": words("none", *tables.works).asked(
                "in which fortification was {}, if in any?"
            ),
            "action": action,
            "bonus": bonus,
            **hexes,
        },
        conditions={
            "stream": words(*DEPTHS).asked("how deep are the streams in this game?"),
            "actions": count.asked("how many actions has an action turn?"),
            "action": action,
            "bonus": bonus,
            **hexes,
            **dict.fromkeys(_TOPICS, YES_NO),
        },
    )


def _vehicles(game: Game) -> Iterator[str]:
    """What ``aboard`` may name: the id of a unit that is not certainly a squad, or the number of a transport
    marker."""
    for name, unit in game.units.items():
        if unit.kind == "unit" and not unit.fact("class").must_be("squad"):
            yield name
    for fact in _markers(game):
        yield from map(str, fact.options or ())


def _markers(game: Game) -> Iterator[Fact]:
    yield from (unit.fact(TRANSPORT_MARKER) for unit in game.units.values())
    for event in game.events:
        if isinstance(event, StateChange) and event.attribute == TRANSPORT_MARKER:
            yield event.after


_OBSTACLES = ("razor wire", "tank trap", "minefield")
_TOPICS = (
    "road from * to *",
    "bridge in *",
    "advance into *",
    "retreat from *",
    "got out in *",
    "end in *",
    "activated again",
    "back from *",
    "action turns of *",
    "entrenchments for all in *",
    *(f"{kind} in *" for kind in _OBSTACLES),
)


def contiguous(a: str, b: str) -> Question:
    """Are two neighbouring hexes of one road contiguous, although the road does not cross their hexside?"""
    a, b = sorted((a, b))
    text = f"are {a} and {b} contiguous hexes of one road, though it does not cross their hexside?"
    return Question(f"road from {a} to {b}", text)


def bridge(name: str) -> Question:
    """Is there a bridge in a hex?"""
    return Question(f"bridge in {name}", f"is there a bridge in {name}?")


def obstacle(kind: str, name: str) -> Question:
    """Was there an obstacle of ``kind`` in a hex during the move?"""
    return Question(f"{kind} in {name}", f"was there {kind} in {name} during the move?")


def of(about: tuple[str, ...], who: str, unit: Unit) -> MissingFact:
    """The missing fact that would make a cost item exact. ``about``: as in :class:`.CostItem`. ``who``: the
    classes, in words (see :class:`.TerrainGraph`). ``unit``: the unit that moves."""
    match about:
        case ("cost", "stream", *_):
            return missing_facts.of_condition("stream")
        case ("contiguous", a, b):
            return contiguous(a, b).unknown()
        case ("bridge", name):
            return bridge(name).unknown()
        case ("climb" | "downhill", _):
            text = "do woods and the like cost more to who climbs to them: the dearest of both, or the sum?"
            return reading("hills", "combine", text)
        case ("beside", _):
            text = (
                "do woods with a road cost who enters them beside it as terrain, or as a road hex?"
            )
            return reading("hills", "road_hex", text)
        case ("works", name):
            return MissingFact(
                f"cost of a {name}",
                f"how many MPs does it cost to get into and out of a {name}?",
                "facts.toml",
                pack_stanza("rules", "works", name, entry={"enter": BLANK, "leave": BLANK}),
            )
        case ("posture", attribute):
            return posture(unit, attribute)
        case ("cost", *names):
            return cost(names, who)
        case ("side cost", *names):
            return cost(names, who, "hexsides")
        case ("road cost", kind):
            return cost([kind], who, "roads")
    return missing_facts.of_board(about, who)


def cost(names: list[str], who: str, chart: str = "terrain") -> MissingFact:
    """What do the rows ``names`` of ``chart`` cost the classes in ``who`` (as the terrain graph words
    them)?"""
    classes = [name for name in CLASSES if name in who] or list(CLASSES)
    rows = {name: dict.fromkeys(classes, BLANK) for name in names}
    what = ", ".join(names)
    return MissingFact(
        f"cost of {what} for {who}",
        f"what does {what} cost {who} on the chart of {chart}?",
        "facts.toml",
        pack_stanza("rules", chart, entry=rows),
    )


def posture(unit: Unit, attribute: str) -> MissingFact:
    """Was the attribute of the unit really what its counter showed, all the time?"""
    return MissingFact(
        f"unit {unit.id} {attribute}",
        f"was {unit.name} really what its counter says of {attribute}, all that time?",
        "facts.toml",
        stanza("[[unit]]", {"unit": unit.id, "attributes": {attribute: BLANK}}),
    )


def roll(unit: Unit) -> MissingFact:
    """In which hex did a failed roll stop the unit, if in any?"""
    return MissingFact(
        f"unit {unit.id} stalled",
        f"in which hex did a failed roll stop {unit.name}, if in any?",
        "facts.toml",
        stanza("[[condition]]", {"key": "stalled", "unit": unit.id, "value": BLANK}),
    )


def advance(unit: Unit, name: str) -> Question:
    """Did the unit advance to hex ``name`` after its assault had emptied it?"""
    text = f"did {unit.name} go to {name} because its assault had emptied it?"
    return Question(f"advance into {name}", text, unit.id)


def retreat(unit: Unit, name: str) -> Question:
    """Did the unit retreat from hex ``name`` because it had lost an assault there?"""
    text = f"did {unit.name} retreat from {name}, which others had assaulted?"
    return Question(f"retreat from {name}", text, unit.id)


def got_out(unit: Unit, name: str) -> Question:
    """Did the unit ride to hex ``name`` and get out there, although its counter was not dragged along?"""
    text = f"did {unit.name} ride to {name}, though its counter was left behind, and get out there?"
    return Question(f"got out in {name}", text, unit.id)


def end(unit: Unit, name: str) -> Question:
    """Did the unit end its movement in hex ``name``, where enemies are?"""
    text = f"did {unit.name} end its movement in {name}, neither moved on, nor stopped nor destroyed there?"
    return Question(f"end in {name}", text, unit.id)


def again(unit: Unit) -> Question:
    """Was the unit activated again in the same phase?"""
    text = f"was {unit.name} fresh again when its token was taken off, and activated once more?"
    return Question("activated again", text, unit.id)


def push_back(unit: Unit, name: str) -> Question:
    """Was the unit put back from hex ``name`` because it was heavily damaged in its overrun?"""
    text = f"was {unit.name} put back from {name}, heavily damaged in its overrun?"
    return Question(f"back from {name}", text, unit.id)


def one_action_turn(phase: str) -> Question:
    """Is each phase of this name one action turn?"""
    return Question(f"action turns of {phase}", f"is the phase {phase} one action turn alone?")


def dug_in(name: str) -> Question:
    """Did hex ``name`` have an entrenchment for each of the squads that are dug in there?"""
    text = f"was there an entrenchment in {name} for each of the squads that are dug in there?"
    return Question(f"entrenchments for all in {name}", text)


def reading(table: str, name: str, question: str) -> MissingFact:
    """Which reading of an ambiguous rule holds? A pack settles it in ``[rules]``, as ``name`` in
    ``table``."""
    stanza_of_it = pack_stanza("rules", table, name, entry=BLANK)
    return MissingFact(name, question, "facts.toml", stanza_of_it)
