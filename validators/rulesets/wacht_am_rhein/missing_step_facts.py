"""The questions to ask about a step whose cost, prohibition or stop is not certain."""

from __future__ import annotations

from collections.abc import Iterator

from ....model.board import edge
from ....model.fact import MissingFact
from ....model.game import StepRef
from ....model.stanza import BLANK, pack_stanza, stanza
from ....model.unit import Unit
from ...answers import Question
from ...concepts import missing_facts, sides
from ...concepts.hex_entries import CostItem, about_hex, about_lines, about_lines_in, about_side
from .open_readings import OPTION_OF, of_reading
from .other_units import MovementProfile, is_attached
from .overrun_results import OVERRUN
from .player_questions import crossing_provided, roads_meet, took_exploit
from .stops import Contact
from .tables import ROADS, WEST_WALL

_STOP_ATTRIBUTES = {
    "WAR-5.3.1-a": ("type", "strength", "red", "depleted", "range", "formation", "command"),
    "WAR-5.3.1-b": ("type", "strength", "red", "nation"),
    "WAR-5.3.1-c": ("type", "strength", "works"),
}


def of_joint(unit: Unit, at: StepRef) -> MissingFact:
    """The question whether a unit overran together with another. It is asked as the result of the overrun,
    of which "joint" is one value."""
    entries = {"key": OVERRUN, "unit": unit.id, "first": str(at), "value": BLANK}
    return MissingFact(
        f"overrun of {unit.id}",
        f"did {unit.name} overrun together with another unit (joint), or how did its overrun end "
        "(cleared, uncleared, failed)?",
        "facts.toml",
        stanza("[[condition]]", entries),
    )


def of_overrun_hex(name: str, at: StepRef) -> MissingFact:
    """The question whether a hex had been overrun earlier in the phase of step ``at``."""
    text = f"had {name} been overrun before in that phase?"
    return Question(f"overrun-{name}", text, at=at).unknown(f"condition overrun-{name}")


def of_cost(profile: MovementProfile, name: str) -> MissingFact:
    """The question what the charts charge for ``name``: a terrain, hexside or road, or "adjacent" or
    "fieldworks" for moving next to enemies (5.3.2)."""
    mover, tables = profile.terrain_graph.traits.mover, profile.neighbourhood.tables
    board = profile.neighbourhood.board
    asked = f"what does the chart say that {name} costs {mover} units?"
    path: tuple[str, ...] = ("terrain", name)
    if name == "adjacent":
        asked = f"what does it cost {mover} units to move next to enemies?"
        path = ("adjacent", "cost")
    elif name == "fieldworks":
        asked = f"what does it cost {mover} units to move next to enemies in Fieldworks?"
        path = ("adjacent", "fieldworks")
    elif name in ROADS:
        path = ("roads", name)
    elif name in tables.hexsides or any(name in found for found in board.sides.values()):
        path = ("hexsides", name)
    entry = {mover: BLANK}
    return MissingFact(
        f"cost of {name} for {mover}",
        asked,
        "facts.toml",
        pack_stanza("rules", *path, entry=entry),
    )


def of_ground(profile: MovementProfile) -> MissingFact:
    """The question what the ground is; if that is known, whether the charts hold for it."""
    said = profile.neighbourhood.condition("ground")
    if not said.is_known:
        return missing_facts.of_condition("ground")
    return MissingFact(
        f"charts on {said.value} ground",
        f"are the charts of the pack those for {said.value} ground? Say so if they are",
        "facts.toml",
        pack_stanza("rules", "grounds", str(said.value), "chart", entry=True),
    )


def of_cost_item(
    profile: MovementProfile, cost_item: CostItem, here: str, to: str
) -> Iterator[MissingFact]:
    """The questions that would make a cost item of the step from ``here`` to ``to`` exact, by its field
    ``about``."""
    about = cost_item.about[1:] if cost_item.about[:1] == ("whole",) else cost_item.about
    match about:
        case ("ground",):
            yield of_ground(profile)
        case ("reading", option):
            yield of_reading(option)
        case ("condition", key) if key.startswith("overrun-"):
            yield of_overrun_hex(key.removeprefix("overrun-"), profile.neighbourhood.situation.at)
        case ("condition", key):
            yield missing_facts.of_condition(key)
        case ("unit", attribute):
            yield missing_facts.of_unit(profile.unit, attribute)
        case ("crossing", one, other):
            yield of_crossing(profile, one, other)
        case ("junction", name):
            yield roads_meet(name).unknown(f"junction in {name}")
        case ("engineers", *_):
            yield of_reading("engineers_help")
        case ("engineer", one, other):
            if profile.terrain_graph.traits.engineer:
                yield from _if_open(profile, "5.4.3b-e")
            yield from _engineers(profile, one, other)
        case ("exploit",):
            asking = took_exploit(profile.unit, profile.neighbourhood.situation.at)
            yield asking.unknown(f"exploit mode of {profile.unit.id}")
        case ("joint",):
            yield of_joint(profile.unit, profile.neighbourhood.situation.at)
        case ("enemy", name):
            yield from _in_hex(profile, name)
        case ("near", name):
            yield from _near(profile, name, ("type",))
        case ("wall", *hexes):
            yield from _of_wall(profile, *hexes)
        case ("adjacent", name):
            yield from _of_adjacency(profile, name)
        case ("formations" | "traffic" as kind, name):
            yield from _of_friends(profile, kind, name)
        case _:
            if about[:1] == ("cost",):
                yield from (of_cost(profile, name) for name in about[1:])
            else:
                yield missing_facts.of_board(about, profile.terrain_graph.traits.mover)


def of_crossing(profile: MovementProfile, one: str, other: str) -> MissingFact:
    """The question that decides whether a hexside can be crossed."""
    waters = profile.terrain_graph.waters
    side = edge(one, other)
    found = waters.features(side)
    if "unfinished-bridge" in found:
        return of_reading("5.7.5-b")
    if "engineer-bridge" in found:
        return of_reading("5.4.3a-e")
    if not waters.board.sides_known(side):
        return missing_facts.of_board(about_side(side), "")
    if waters.by_trail(side) is None:
        return missing_facts.of_board(about_lines(*side), "")
    if waters.traits.heavy is None:
        return missing_facts.of_unit(profile.unit, "bridge-class")
    return crossing_provided(side, profile.neighbourhood.situation.at).unknown(
        f"crossing {side[0]}/{side[1]}"
    )


def _in_hex(profile: MovementProfile, name: str) -> Iterator[MissingFact]:
    units = profile.neighbourhood.situation.game.units
    for unit, sure in profile.neighbourhood.enemies(name):
        if sure is None:
            yield from _presence(profile, unit, name)
        elif profile.neighbourhood.units.is_a(unit, "bridge") is None:
            yield missing_facts.of_unit(units[unit], "type")


def _presence(profile: MovementProfile, unit: str, name: str) -> Iterator[MissingFact]:
    situation = profile.neighbourhood.situation
    whose = situation.game.units[unit]
    asked = tuple(sides.missing(situation.game, profile.unit.side, whose, (profile.unit,)))
    if asked:
        yield from asked
    elif whose.seen_by is not None and profile.unit.side not in whose.seen_by:
        yield missing_facts.of_unseen(whose)
    elif not situation.in_play(unit).must_be(True):
        yield situation.dead_unknown(unit)
    else:
        yield missing_facts.of_whereabouts(whose, name, profile.neighbourhood.situation.at)


def _engineers(profile: MovementProfile, *hexes: str) -> Iterator[MissingFact]:
    """Questions about friendly units in ``hexes`` that may be engineers or may be there."""
    units = profile.neighbourhood.situation.game.units
    for name in hexes:
        for unit, sure in profile.neighbourhood.friends(name):
            kind = profile.neighbourhood.units.is_a(unit, "engineer")
            if kind is None:
                yield missing_facts.of_unit(units[unit], "type")
            elif kind and sure is None:
                yield from _presence(profile, unit, name)


def _near(
    profile: MovementProfile, name: str, attributes: tuple[str, ...]
) -> Iterator[MissingFact]:
    neighbourhood = profile.neighbourhood
    units = neighbourhood.situation.game.units
    for near in neighbourhood.board.neighbours(name):
        for unit, sure in neighbourhood.enemies(near):
            if sure is None:
                yield from _presence(profile, unit, near)
            for attribute in attributes:
                if not neighbourhood.units.fact(unit, attribute).is_known:
                    yield missing_facts.of_unit(units[unit], attribute)


def _of_wall(profile: MovementProfile, here: str, to: str) -> Iterator[MissingFact]:
    if profile.terrain_graph.traits.allied is None:
        yield missing_facts.of_unit(profile.unit, "nation")
    if profile.neighbourhood.tables.reading("west_wall") == "undecided":
        yield of_reading("west_wall")
    shared = set(profile.neighbourhood.board.neighbours(here)) & set(
        profile.neighbourhood.board.neighbours(to)
    )
    for name in sorted(shared):
        for unit, sure in profile.neighbourhood.enemies(name):
            if sure is None:
                yield from _presence(profile, unit, name)
            if not profile.neighbourhood.units.fact(unit, "works").is_known:
                yield missing_facts.of_unit(
                    profile.neighbourhood.situation.game.units[unit], "works"
                )


def _of_adjacency(profile: MovementProfile, name: str) -> Iterator[MissingFact]:
    tables, terrain_graph = profile.neighbourhood.tables, profile.terrain_graph
    if tables.adjacent[terrain_graph.traits.mover].kind == "unknown":
        yield of_cost(profile, "adjacent")
    elif tables.fieldworks[terrain_graph.traits.mover].kind == "unknown":
        yield of_cost(profile, "fieldworks")
    if tables.reading("adjacency_list") != "complete":
        yield of_reading("adjacency_list")
    elif tables.reading("adjacency_combine") == "undecided" and len(_count(profile, name)) > 1:
        yield of_reading("adjacency_combine")
    yield from _near(profile, name, ("class", "type", "works"))


def _count(profile: MovementProfile, name: str) -> tuple[str, ...]:
    return tuple(unit for unit, _ in profile.neighbourhood.enemies_near(name))


def _of_friends(profile: MovementProfile, kind: str, name: str) -> Iterator[MissingFact]:
    neighbourhood = profile.neighbourhood
    units = neighbourhood.situation.game.units
    attributes: tuple[str, ...] = ("class", "type", "mode", "motor", "battery", "static")
    if kind == "formations":
        attributes = ("formation", "attached", "echelon", "breakdown")
        broken_down = [
            u
            for u, _ in neighbourhood.friends(name)
            if neighbourhood.units.has(u, "breakdown") is True
        ]
        if broken_down and neighbourhood.tables.reading("breakdown_exempt") == "undecided":
            yield of_reading("breakdown_exempt")
        for attribute in attributes:
            if not neighbourhood.units.fact(profile.unit.id, attribute).is_known:
                yield missing_facts.of_unit(profile.unit, attribute)
        if any(
            is_attached(neighbourhood.units, u)
            for u in (profile.unit.id, *dict(neighbourhood.friends(name)))
        ):
            yield from _if_open(profile, "5.3.5")
    if kind == "traffic" and profile.strategic:
        yield from _if_open(profile, "5.3.4")
    for unit, sure in neighbourhood.friends(name):
        if sure is None:
            yield from _presence(profile, unit, name)
        if kind == "formations" and neighbourhood.units.fact(unit, "attached").must_be("yes"):
            yield missing_facts.of_unit(units[unit], "attached")
        for attribute in attributes:
            needed = attribute not in ("battery", "static") or neighbourhood.units.is_a(
                unit, "artillery", "hq"
            )
            if needed and not neighbourhood.units.fact(unit, attribute).is_known:
                yield missing_facts.of_unit(units[unit], attribute)


def of_stop(profile: MovementProfile, clause: str, to: str) -> Iterator[MissingFact]:
    """The questions that decide whether ``clause`` made the mover stop in the hex ``to``. AssertionError
    for a clause that is never uncertain."""
    found: list[MissingFact] = []
    attributes = _STOP_ATTRIBUTES.get(clause)
    if attributes is not None:
        found += _near(profile, to, tuple(a for a in attributes if a not in _OF_GUNS))
        found += _of_guns(profile, profile.contact, clause)
        found = found or list(_readings_of_stop(profile, clause, to))
    elif clause == "WAR-5.6.3-b":
        found += _of_friends(profile, "traffic", to)
    elif clause == "WAR-5.5-g":
        found += _near(profile, to, ("type",))
    elif clause == "WAR-5.5-f" and profile.terrain_graph.constricted.is_constricted(to):
        found += _if_open(profile, "5.5-f")
    elif clause == "WAR-5.5-f":
        board = profile.neighbourhood.board
        about = about_lines_in(board, to) if board.hex_known(to) else about_hex(board, to)
        found.append(missing_facts.of_board(about, ""))
    else:
        raise AssertionError(f"nothing is asked of the stop {clause}")
    yield from found


def _readings_of_stop(profile: MovementProfile, clause: str, to: str) -> Iterator[MissingFact]:
    """The open readings that decide whether the mover had to stop, for a case in which all facts are known.
    Which hex 5.3.1 means is asked only if no other reading is open."""
    neighbourhood, contact = profile.neighbourhood, profile.contact
    around = (to, *neighbourhood.board.neighbours(to))
    if clause != "WAR-5.3.1-c" and any(neighbourhood.covering(name) is None for name in around):
        yield from neighbourhood.tables.complete.questions("covering")
    enemies = [
        unit
        for near in neighbourhood.board.neighbours(to)
        for unit, _ in neighbourhood.enemies(near)
    ]
    found: list[str] = []
    if any(neighbourhood.units.is_a(unit, "flak") for unit in enemies):
        found.append("5.3.1-0")
    if clause == "WAR-5.3.1-c" and not found:
        near = (
            neighbourhood.board.hexes[name].features for name in neighbourhood.board.neighbours(to)
        )
        found += ["5.3.1-c"] if any(WEST_WALL in features for features in near) else []
    if clause != "WAR-5.3.1-c":
        if any(neighbourhood.units.has(gun, "battery", "out") for gun, _, _ in contact.guns()):
            found.append("5.3.1-a")
        if any(
            _is_attached(profile, gun) for gun in (*(g for g, _, _ in contact.guns()), *enemies)
        ):
            found.append("5.3.5-c")
        if contact.may_be_night_cover and not neighbourhood.covering(to):
            found.append("night_covers")
        if not found and neighbourhood.tables.reading("stop_hex") == "undecided":
            found.append("stop_hex")
    for reading in found:
        yield from _if_open(profile, reading)


def _if_open(profile: MovementProfile, reading: str) -> Iterator[MissingFact]:
    """The question of a reading; nothing if an option settles it."""
    if profile.neighbourhood.tables.reading(OPTION_OF.get(reading, reading)) == "undecided":
        yield of_reading(reading)


def _is_attached(profile: MovementProfile, unit: str) -> bool:
    return not profile.neighbourhood.units.fact(unit, "attached").must_be("no")


_OF_GUNS = ("red", "depleted", "range", "formation", "command")


def _of_guns(profile: MovementProfile, contact: Contact, clause: str) -> Iterator[MissingFact]:
    units = profile.neighbourhood.situation.game.units
    if clause != "WAR-5.3.1-a":
        return
    for gun, _, _ in contact.guns():
        for attribute in ("type", *_OF_GUNS):
            if not profile.neighbourhood.units.fact(gun, attribute).is_known:
                yield missing_facts.of_unit(units[gun], attribute)
