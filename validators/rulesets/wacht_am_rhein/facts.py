"""The facts that section 5 needs: the values they may have, the question for each, how they are read."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from ....model.fact import UNKNOWN, Fact, Value, either, known
from ....model.unit import Unit
from ...allowed_facts import NUMBER, TEXT, YES_NO, Allowed, words
from ...engine.declared import Completed
from ...engine.history import History, in_lower_case
from ...engine.rules import Rules
from .terms import BRITISH, CLASSES, EXPLOITATION, GERMAN, MODES, MOVEMENT, NATIONS, OTHER, US

BY_KIND = "by-kind"
"""The value of ``ma`` for a unit that has the base MA of its kind (5.2)."""
CALIBRES = ("105", "155h", "150-nebelwerfer", "light-nebelwerfer", "other")
WORKS = ("none", "ip", "et", "fortification", "west-wall")
OUTCOMES = ("failed", "cleared", "uncleared", "joint")
NAMELESS = ("no", "yes", "true", "false")
"""Values of ``attached`` that do not name a formation."""

ATTRIBUTES = {
    "class": words(*CLASSES).asked(
        "which movement class has {} by the Unit Type Chart, mech or leg?"
    ),
    "type": words().asked("which type of unit is {}?"),
    "nation": words(*NATIONS).asked("of which nation is {}?"),
    "mode": words(*MODES).asked("in which mode was {} when it was moved?"),
    "ma": Allowed("number", (BY_KIND,)).asked(
        "which movement allowance is printed for {} (by-kind: that of its kind by 5.2)?"
    ),
    "designation": TEXT.asked("what is the unit ID printed on {} (recon, recce …)?"),
    "supply": words("in", "out").asked("was {} in or out of supply?"),
    "resting": YES_NO.asked("did {} bear a Resting marker?"),
    "fatigue": YES_NO.asked("did {} bear a Fatigue marker?"),
    "released": YES_NO.asked("had {} left Maneuver Reserve within the last two turns?"),
    "leader": YES_NO.asked("was the leader of the formation of {} activated?"),
    "motor": YES_NO.asked("did {} bear a Motor Unit marker?"),
    "fuel": words().asked("how much fuel had the formation of {}: normal, low or none?"),
    "formation": TEXT.asked("to which division or brigade does {} belong?"),
    "attached": Allowed("text", ("no",)).asked("to which formation is {} attached (else: no)?"),
    "echelon": words("division", "corps", "army").asked(
        "is {} a unit of a division, a corps or an army?"
    ),
    "command": TEXT.asked("to which corps or army does {} belong?"),
    "army": TEXT.asked("whose Truck Points does {} use, of which army?"),
    "infantry-division": YES_NO.asked("does {} belong to a US Infantry Division?"),
    "breakdown": YES_NO.asked("is {} a company breakdown unit?"),
    "strength": NUMBER.asked("how many strength points had {} then?"),
    "stacking": NUMBER.asked("how much does {} count in a stack?"),
    "works": words(*WORKS).asked(
        "was {} in an improved position (ip), entrenchments (et), a fortification, the "
        "West Wall, or none?"
    ),
    "red": YES_NO.asked("does {} bear a red hexagon?"),
    "depleted": YES_NO.asked("was {} depleted?"),
    "range": NUMBER.asked("which range factor is printed on {}?"),
    "traction": words("towed", "sp", "horse").asked(
        "is {} towed, self-propelled (sp) or horse-drawn (horse)?"
    ),
    "battery": words("in", "out").asked("was {} In Battery or Out of Battery?"),
    "calibre": words(*CALIBRES, reads_others=True).asked("which calibre has {}?"),
    "bridge-class": words("none", "M", "H").asked("which bridge class has {}?"),
    "static": YES_NO.asked("was {} static (deployed)?"),
    "deployed": words("no", "building", "finished").asked(
        "was {} deployed: no, building or finished?"
    ),
}
BY_CLAUSE = {
    "recon_on_trucks": "5.2-b5",
    "horse_ma_on_trucks": "5.2-c3",
    "leg_at_ma_on_trucks": "5.2-c2",
    "sp_us_at_at_streams": "5.4.2-b2",
    "leg_at_at_streams_on_trucks": "5.4.2-c1",
    "strategic_and_leg": "5.3.4",
    "flak_points": "5.3.1-0",
    "out_of_battery_fire": "5.3.1-a",
    "west_wall_shelter": "5.3.1-c",
    "attached_surcharge": "5.3.5",
    "attached_for_stops": "5.3.5-c",
    "late_exploit_pinned": "5.3.3",
    "overrun_hex_again": "5.10.3-c",
    "withdraws_at_once": "5.10.4-b",
    "armor_on_engineer_bridges": "5.4.3a-e",
    "engineer_helps_itself": "5.4.3b-e",
    "dashed_line_is_road": "5.5-f",
    "dragged_on_later": "5.0-l5",
    "same_three": "5.6.4-h",
    "unfinished_bridges": "5.7.5-b",
    "forced_stop_counts": "5.8.5",
    "leg_by_road_into_constricted": "5.4.4-c",
}
"""The readings that a report names by the clause which they are about."""
TOPICS = (
    "roads meet in *", "way over *", "overstacked for a moment only *", "a unit ended its movement in *",
    "put back by an overrun", "began the phase on a road", "took Exploit Mode before it moved",
    "cover for combat in *", "went by its Motor Unit marker", "its Motor Unit marker has no Truck Point",
)  # fmt: skip
CONDITIONS = {
    "ground": TEXT.asked("in which state was the ground then?"),
    "night": YES_NO.asked("was it night then?"),
    "overrun": words(*OUTCOMES),
    "overrun-*": YES_NO,
    "trucks-*": NUMBER,
    "kind of phase *": words(MOVEMENT, EXPLOITATION, OTHER),
    **dict.fromkeys(TOPICS, YES_NO),
}


def reading_name(option: str) -> str:
    """What a report calls the fact how an option is settled."""
    return f"reading {BY_CLAUSE[option]}" if option in BY_CLAUSE else f"option {option}"


def more_words(rules: Rules) -> dict[str, Allowed]:
    """The values that the tables or the game name."""
    units = rules.game.units.values()
    facts = (unit.fact(about) for unit in units for about in ("formation", "attached"))
    named = (str(option) for fact in facts for option in fact.options or ())
    formations = dict.fromkeys(name for name in named if name.lower() not in NAMELESS)
    types = (name for names in rules.tables["types"].values() for name in names)
    grounds = ", ".join(rules.tables["grounds"])
    return {
        "type": words(*dict.fromkeys(types)),
        "fuel": words("normal", *rules.tables["fuel"]),
        "attached": Allowed("text", ("no", *formations)),
        "ground": TEXT.asked(f"in which state was the ground then ({grounds} …)?"),
    }


def otherwise(rules: Rules, unit: Unit, about: str, told: Fact) -> Fact:
    """What is known of a fact of which nothing is told: the nation by the side, or any of the same camp if
    it is told not to be known; of a condition what is usual."""
    if about == "nation":
        return nation_of(rules, unit)
    usual = rules.tables["usual"].get(about)
    return told if usual is None or told.source else known(usual)


def nation_of(rules: Rules, unit: Unit) -> Fact:
    """The nation, or possible nations, of a unit by its side."""
    named = rules.tables["nations"].get(unit.side or "")
    if named is None:
        return UNKNOWN
    if "nation" in unit.attributes or rules.history.timeline.tells_of(unit.id, "nation"):
        allied = (US, BRITISH) if {US, BRITISH} & set(named) else ()
        return Fact((*allied, *((GERMAN,) if GERMAN in named else ())))
    return Fact(tuple(named))


def condition(about: str) -> Completed:
    """A condition of the game during the move."""
    return Completed(
        about,
        read=lambda history, unit, its: told_of(history, unit, about, its),
        open=True,
        condition=True,
    )


def told_of(history: History, unit: Unit, about: str, drags: list[int]) -> Fact:
    """What is told of a condition during a move; one with a source, if it is told that nobody knows it."""
    said = history.told_values(about, unit.id, drags)
    if not any(said):
        return UNKNOWN
    found = in_lower_case(either([one or UNKNOWN for one in said]))
    return found if found.options is not None else replace(found, source="facts")


def read(about: str, *kinds: str, asked: bool = False) -> Completed:
    """A fact of the mover (of these kinds alone, by its facts so far) as it was when it moved, or was
    marked before others saw it."""

    def of_kind(rules: Rules, found: Mapping[str, Fact]) -> bool:
        return str(found["type"].value).lower() in rules.grouped("types", kinds)

    return Completed(
        about,
        read=lambda history, unit, its: as_moved(history, unit, about, its),
        open=asked,
        when=of_kind if kinds else None,
    )


def as_moved(history: History, unit: Unit, about: str, drags: list[int]) -> Fact:
    """The values of an attribute during a move, and those that may have been set late: until a die was
    rolled, another player acted, or the phase ended."""
    later = history.later(unit.id, about, drags[-1], unit.side)
    return either([history.during(unit.id, about, drags), *later])


def types(rules: Rules, fact: Fact) -> tuple[Value, ...]:
    """The types that a mover may be of."""
    every = (name for names in rules.tables["types"].values() for name in names)
    return tuple(dict.fromkeys(str(option).lower() for option in fact.options or every))
