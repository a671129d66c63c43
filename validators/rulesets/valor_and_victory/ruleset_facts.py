"""The questions about missing facts that only this ruleset has, and the attributes and conditions that facts
may give."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ....model.fact import MissingFact, Value
from ....model.game import Game, StepRef
from ....model.stanza import BLANK, pack_stanza, stanza
from ....model.unit import Unit
from ...allowed_facts import NUMBER, YES_NO, AllowedFacts, words
from ...answers import Question
from ...concepts import missing_facts
from .tables import CLASSES, WEAPON, Tables


def allowed_facts(game: Game, tables: Tables) -> AllowedFacts:
    """The attributes and conditions that facts may give: their values, and the question for each."""
    transport = words("none", "no", "-", "TH", *(f"T{n}" for n in range(1, 10)))
    aboard = words("no", "none", "-", "false", "true", *_carriers(game))
    return AllowedFacts(
        attributes={
            "class": words(*CLASSES, WEAPON, "sniper").asked(
                "what is {}: squad, half-squad, leader, hero, AFV, vehicle, gun or weapon?"
            ),
            "mp": NUMBER.asked("how many movement points are printed on {}?"),
            "facing": words(*tables.facings).asked("which hexside did {} face?"),
            "weapon": words("none", "light", "heavy").asked("which support weapon does {} carry?"),
            "weapons": NUMBER.asked("how many support weapons does {} carry?"),
            "pinned": YES_NO.asked("was {} pinned when it was moved?"),
            "fired": YES_NO.asked("had {} a Fire marker when it was moved?"),
            "moved": YES_NO.asked("had {} a Move marker of this phase when it was moved?"),
            "assault": YES_NO.asked("did {} use assault movement?"),
            "immobile": YES_NO.asked("was {} immobilized when it was moved?"),
            "aboard": aboard.asked("on which carrier was {} (its id; else: no)?"),
            "transport": transport.asked("which transport class is printed on {}?"),
            "tow": YES_NO.asked("may {} tow a gun?"),
        },
        conditions={
            "kind of hex *": words(*tables.terrain),
            **dict.fromkeys(_TOPICS, YES_NO),
        },
    )


def _carriers(game: Game) -> Iterator[str]:
    """The ids of the units that are, or may be, AFVs or vehicles."""
    for name, unit in game.units.items():
        if unit.kind == "unit" and {"afv", "vehicle"}.intersection(
            map(str, unit.fact("class").options or ("afv",))
        ):
            yield name


_TOPICS = (
    "stopped in *",
    "assaulting *",
    "entering by *",
    "with *",
    "close assault on hex *",
    "stays in hex *",
    "several hexes",
    "taken back to *",
    "hit on its way",
    "carried to *",
    "* is a road",
)


def stopped(unit: Unit, name: str) -> Question:
    """Whether a unit was stopped by fire in the hex ``name`` and put back there."""
    text = f"was {unit.name} stopped in {name} by Opportunity Fire (13.8), and put back there?"
    return Question(f"stopped in {name}", text, unit.id)


def assaulting(unit: Unit, name: str) -> Question:
    """Whether a unit was put into the hex ``name`` only to show its close assault, which failed."""
    text = f"was {unit.name} put in {name} for a close assault (15) that failed?"
    return Question(f"assaulting {name}", text, unit.id)


def entering(unit: Unit, name: str) -> Question:
    """Whether a unit really entered the map by the hex ``name``, and was only put down elsewhere before."""
    text = f"did {unit.name} enter the map by {name}, and was only put down elsewhere before?"
    return Question(f"entering by {name}", text, unit.id)


def taken_back(unit: Unit, name: str) -> Question:
    """Whether a unit lies in the hex ``name`` again because its move from there was taken back."""
    text = f"was the move of {unit.name} from {name} taken back, after others had seen it?"
    return Question(f"taken back to {name}", text, unit.id)


def together(unit: Unit, leader: Unit) -> Question:
    """Whether a unit moved together with a leader."""
    text = f"did {unit.name} move together with {leader.name}?"
    return Question(f"with {leader.id}", text, unit.id)


def taken(name: str) -> Question:
    """Whether a hex was taken by a close assault and its defenders eliminated."""
    text = f"was hex {name} taken by a close assault, and were its defenders eliminated (15.8)?"
    return Question(f"close assault on hex {name}", text)


def stays(name: str) -> Question:
    """Whether an AFV stayed in the hex that it overran."""
    text = f"did the AFV stay in hex {name}, which it overran, neither going on nor lost in it (19.2, 19.3)?"
    return Question(f"stays in hex {name}", text)


def hit_on_its_way(unit: Unit) -> Question:
    """Whether Opportunity Fire stopped a unit before it was dragged on."""
    text = f"was {unit.name} stopped by Opportunity Fire before it was dragged on (13.8)?"
    return Question("hit on its way", text, unit.id)


def carried_to(unit: Unit, name: str) -> Question:
    """Whether a unit was carried in a move to the hex ``name``, though its carrier went another way."""
    text = f"was {unit.name} carried in its move to {name}?"
    return Question(f"carried to {name}", text, unit.id)


def counts_as_road(kind: str) -> Question:
    """Whether a kind of line that has another name counts as a road."""
    return Question(
        f"{kind} is a road",
        f"is a {kind} a road to the rules (a road hex costs 1; bridges: 10.31)?",
    )


def several_hexes(unit: Unit) -> Question:
    """Whether a gun with more than one MP may move more than one hex."""
    text = f"may {unit.name}, a gun with more than one movement point, move more than one hex in a turn?"
    return Question("several hexes", text, unit.id)


def kind_of_hex(game: Game, name: str) -> Value | None:
    """The terrain that counts in a hex with several, by the facts; None if they do not say."""
    key = f"kind of hex {name}"
    return game.condition(key, StepRef(1, 0)).value if key in game.condition_keys else None


def which_kind(name: str) -> MissingFact:
    """The question which of the terrains in a hex counts."""
    return MissingFact(
        f"kind of hex {name}",
        f"which of the terrains in hex {name} is it a hex of, or is it a road hex?",
        "facts.toml",
        stanza("[[condition]]", {"key": f"kind of hex {name}", "value": BLANK}),
    )


def kind_of_phase(phase: str) -> MissingFact:
    """The question whether a phase is a movement phase or an advance phase."""
    return MissingFact(
        f"kind of phase {phase}",
        f"is the phase {phase} one of movement or of advance?",
        "facts.toml",
        pack_stanza("rules", "kinds", phase, entry=BLANK),
    )


def cost(names: Sequence[str], who: str, chart: str, column: str) -> MissingFact:
    """The missing cells for ``names`` in one column of a chart (``chart``: "terrain" or "hexsides"). ``who``:
    the movers, in words."""
    rows = {name: {column: BLANK} for name in names}
    what = ", ".join(names)
    return MissingFact(
        f"cost of {what} for {who}",
        f"what does {what} cost {who}?",
        "facts.toml",
        pack_stanza("rules", chart, entry=rows),
    )


def reading(option: str, question: str) -> MissingFact:
    """The question how an open reading is settled."""
    written = pack_stanza("options", option, entry=BLANK)
    return MissingFact(f"reading {option}", question, "facts.toml", written)


def of(about: tuple[str, ...], who: str, column: str) -> MissingFact:
    """The missing fact that would make a cost item exact, by its field ``about``."""
    match about:
        case ("reading", name):
            return which_kind(name)
        case ("track", kind):
            return counts_as_road(kind).unknown()
        case ("assault", name):
            return taken(name).unknown()
        case ("overrun on", name):
            return stays(name).unknown()
        case ("works",):
            return reading(
                "vehicles_pay_fortifications",
                "do AFVs and vehicles pay for fortifications and entrenchments they go through (20.3)?",
            )
        case ("reverse",):
            return reading(
                "reverse_doubles_hexside",
                "does backing double what the hexside and the rise cost, too (7.2)?",
            )
        case ("cost", *names):
            return cost(names, who, "terrain", column)
        case ("side cost", *names):
            return cost(names, who, "hexsides", column)
    return missing_facts.of_board(about, who)
