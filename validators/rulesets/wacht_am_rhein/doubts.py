"""What to ask about a step that is not certain."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from ....model.board import edge
from ....model.fact import Unknown
from ....model.finding import Move
from ....model.unit import Unit
from ...answers import Question
from ...concepts import questions, sides
from ...concepts.ways import Term, about_hex, about_lines, about_lines_in, about_side
from .stops import Contact
from .tables import WEST_WALL
from .traffic import Orders, is_attached

READINGS = {
    "bridge_plus3": "does a Mech unit pay the 3 MP at bridges too, in tactical movement (5.4.3a)?",
    "constricted_both": "from one constricted hex to another, are the 2 MP due once or twice (5.4.4a)?",
    "constricted_road": "does a road that is no dashed line spare the penalty of 5.4.4a?",
    "pa_reverse_ruling": "in Prepared Assault, may it go by road first and then off it into woods (5.5)?",
    "adjacency_combine": "is the cost of coming next to enemies due once, per hex or per unit (5.3.2)?",
    "adjacency_list": "are the two cases of 5.3.2 all in which coming next to enemies is free?",
    "stop_hex": "which hex must be without Covering Terrain (5.3.1), the one entered or the enemy's?",
    "breakdown_exempt": "are company breakdowns of any formation free of the surcharge (5.3.5)?",
    "west_wall": "does 5.3.6 mean the Fortifications of the West Wall only, or all?",
    "engineers_help": "does the engineer unit at hand ease the crossing (15.3)?",
    "strat_factor": "by what is the MA multiplied in Strategic Mode (5.2.1b)?",
    "fatigue": "does a quarter of the MA remain to a unit with Fatigue, or is a quarter taken away?",
    "ma_rounding": "are fractions of an MA rounded after every change, or once (1.4.0)?",
    "exploitation_only_exploit": "do only units in Exploit Mode move in the exploitation phase (5.1)?",
    "ma_order": "where an MA is both cut and raised, which comes first (5.2.1)?",
    "night_covers": "is all terrain Covering Terrain at night for 5.3.1 and 5.3.2 too?",
    "5.2-b5": "has a Leg unit with recon in its designation an MA of 14 while it goes as Mech?",
    "5.2-c3": "is the MA of horse-drawn artillery 9 or 12 while it is mechanized?",
    "5.2-c2": "is the MA of German Leg AT 9 or 12 while it is mechanized?",
    "5.4.2-b2": "does 5.4.2 mean self-propelled US AT, too?",
    "5.4.2-c1": "is German Leg AT bound by 5.4.2 at streams while it is mechanized?",
    "5.3.4": "may a unit in Strategic Mode enter a hex with a Leg unit in Strategic Mode, and a Leg unit "
    "in Strategic Mode one with a Mech unit (5.3.4)?",
    "5.3.1-0": "does Flak count among the two strength points that stop a unit next to them (5.3.1)?",
    "5.3.1-a": "does artillery reach as far while it is Out of Battery (5.3.1)?",
    "5.3.1-c": "does the West Wall stop Germans next to Allied units in it (5.3.1)?",
    "5.3.5": "does a unit attached to another formation pay or cause the surcharge of 5.3.5?",
    "5.3.5-c": "are attached units part of the same formation for 5.3.1, too?",
    "5.3.3": "does 5.3.3 bind a unit that took Exploit Mode after the phase began?",
    "5.10.3-c": "may a unit go once more into a hex it has overrun and not cleared (5.10.3)?",
    "5.4.3a-e": "may German armor of class M or H use a bridge that engineers built (15.1.1d)?",
    "5.4.3b-e": "may an engineer unit cross a major river by its own help (15.2)?",
    "5.5-f": "does a dashed line count like a road for a constricted hex in Prepared Assault?",
    "5.0-l5": "may a road mover be dragged on after a tactical mover, if it began before it?",
    "5.6.4-h": "are the three units in Strategic Mode the same three that may go by road (5.6.4)?",
    "5.7.5-b": "can a bridge under construction be crossed?",
    "5.8.5": "does towed artillery that has to stop next to an enemy stop of its own will?",
    "order_in_exploitation": "does the order of movement bind the exploitation phase too?",
    "5.4.4-c": "does a Leg unit that is no infantry treat constricted terrain by road as clear?",
}
_KNOWN_OPTIONS = {name for name in READINGS if "." not in name}
_STOP_ATTRIBUTES = {
    "WAR-5.3.1-a": ("type", "strength", "red", "depleted", "range", "formation", "command"),
    "WAR-5.3.1-b": ("type", "strength", "red", "nation"),
    "WAR-5.3.1-c": ("type", "strength", "works"),
}


def of_reading(option: str) -> Unknown:
    """The question how the text is to be read."""
    stanza = f'[options]\n{option} = "?"' if option in _KNOWN_OPTIONS else ""
    kind = "option" if stanza else "reading"
    return Unknown(f"{kind} {option}", READINGS[option], "pack.toml" if stanza else "", stanza)


@dataclass(frozen=True, slots=True)
class PutBack:
    """The question whether an overrun put a unit where it lies after its last drag of a move."""

    unit: Unit
    move: Move

    @property
    def question(self) -> Question:
        """It as the facts may answer it."""
        text = f"was {self.unit.name} put back, or did it retreat, by an overrun (5.10)?"
        return Question("put back by an overrun", text, self.unit.id, self.move.steps[-1])

    def unknown(self) -> Unknown:
        """It as a deciding fact."""
        return replace(self.question.unknown(), key=f"retreat of {self.unit.id}")


def of_ground(orders: Orders) -> Unknown:
    """The question what the charts say of the state of the ground."""
    said = orders.scene.condition("ground")
    if not said.is_known:
        return questions.of_condition("ground")
    return Unknown(
        f"charts on {said.value} ground",
        f"what do the charts say of {said.value} ground?",
        "pack.toml",
        f"[rules.grounds.{said.value}]\nchart = true",
    )


def of_term(orders: Orders, term: Term, here: str, to: str) -> Iterator[Unknown]:
    """The questions behind a term of the step from ``here`` to ``to``."""
    about = term.about[1:] if term.about[:1] == ("whole",) else term.about
    match about:
        case ("ground",):
            yield of_ground(orders)
        case ("reading", option):
            yield of_reading(option)
        case ("condition", key):
            yield questions.of_condition(key)
        case ("unit", attribute):
            yield questions.of_unit(orders.unit, attribute)
        case ("crossing", one, other):
            yield of_crossing(orders, one, other)
        case ("junction", name):
            yield Unknown(f"junction in {name}", f"do the roads in {name} meet there?", "hexes.csv")
        case ("engineers", *_):
            yield of_reading("engineers_help")
        case ("engineer", one, other):
            if orders.country.traits.engineer:
                yield of_reading("5.4.3b-e")
            yield from _engineers(orders, one, other)
        case ("joint",):
            text = f"did {orders.unit.name} overrun alone, or together with another unit?"
            yield Unknown(f"overrun of {orders.unit.id}", text)
        case ("enemy", name):
            yield from _in_hex(orders, name)
        case ("near", name):
            yield from _near(orders, name, ("type",))
        case ("wall", *hexes):
            yield from _of_wall(orders, *hexes)
        case ("adjacent", name):
            yield from _of_adjacency(orders, name)
        case ("formations" | "traffic" as kind, name):
            yield from _of_friends(orders, kind, name)
        case _:
            yield questions.of_board(about, orders.country.traits.mover)


def of_crossing(orders: Orders, one: str, other: str) -> Unknown:
    """The question how a hexside can be crossed."""
    waters = orders.country.waters
    side = edge(one, other)
    found = waters.features(side)
    if "unfinished-bridge" in found:
        return of_reading("5.7.5-b")
    if "engineer-bridge" in found:
        return of_reading("5.4.3a-e")
    if not waters.board.sides_known(side):
        return questions.of_board(about_side(waters.board, side), "")
    if waters.by_trail(side) is None:
        return questions.of_board(about_lines(waters.board, *side), "")
    if waters.traits.heavy is None:
        return questions.of_unit(orders.unit, "bridge-class")
    return Unknown(
        f"crossing {side[0]}/{side[1]}",
        f"is there a bridge or ford between {side[0]} and {side[1]} that it may use?",
    )


def _in_hex(orders: Orders, name: str) -> Iterator[Unknown]:
    units = orders.scene.situation.game.units
    for unit, sure in orders.scene.enemies(name):
        if sure is None:
            yield from _presence(orders, unit, name)
        elif orders.scene.units.is_a(unit, "bridge") is None:
            yield questions.of_unit(units[unit], "type")


def _presence(orders: Orders, unit: str, name: str) -> Iterator[Unknown]:
    situation = orders.scene.situation
    whose = situation.game.units[unit]
    asked = tuple(sides.doubts(situation.game, orders.unit.side, whose))
    if asked:
        yield from asked
    elif whose.seen_by is not None and orders.unit.side not in whose.seen_by:
        yield questions.of_unseen(whose)
    elif not situation.in_play(unit).must_be(True):
        yield situation.dead_unknown(unit)
    else:
        yield questions.of_whereabouts(whose, name, orders.scene.situation.at)


def _engineers(orders: Orders, *hexes: str) -> Iterator[Unknown]:
    """Who in a hex may be an engineer."""
    units = orders.scene.situation.game.units
    for name in hexes:
        for unit, sure in orders.scene.friends(name):
            kind = orders.scene.units.is_a(unit, "engineer")
            if kind is None:
                yield questions.of_unit(units[unit], "type")
            elif kind and sure is None:
                yield from _presence(orders, unit, name)


def _near(orders: Orders, name: str, attributes: tuple[str, ...]) -> Iterator[Unknown]:
    scene = orders.scene
    units = scene.situation.game.units
    for near in scene.board.neighbours(name):
        for unit, sure in scene.enemies(near):
            if sure is None:
                yield from _presence(orders, unit, near)
            for attribute in attributes:
                if not scene.units.fact(unit, attribute).is_known:
                    yield questions.of_unit(units[unit], attribute)


def _of_wall(orders: Orders, here: str, to: str) -> Iterator[Unknown]:
    if orders.country.traits.allied is None:
        yield questions.of_unit(orders.unit, "nation")
    if orders.scene.tables.reading("west_wall") == "undecided":
        yield of_reading("west_wall")
    shared = set(orders.scene.board.neighbours(here)) & set(orders.scene.board.neighbours(to))
    for name in sorted(shared):
        for unit, sure in orders.scene.enemies(name):
            if sure is None:
                yield from _presence(orders, unit, name)
            if not orders.scene.units.fact(unit, "works").is_known:
                yield questions.of_unit(orders.scene.situation.game.units[unit], "works")


def _of_adjacency(orders: Orders, name: str) -> Iterator[Unknown]:
    tables, country = orders.scene.tables, orders.country
    if tables.adjacent[country.traits.mover].kind == "unknown":
        yield questions.of_board(("cost", "adjacent"), country.traits.mover)
    if tables.reading("adjacency_list") != "complete":
        yield of_reading("adjacency_list")
    elif tables.reading("adjacency_combine") == "undecided" and len(_count(orders, name)) > 1:
        yield of_reading("adjacency_combine")
    yield from _near(orders, name, ("class", "type", "works"))


def _count(orders: Orders, name: str) -> tuple[str, ...]:
    return tuple(unit for unit, _ in orders.scene.enemies_near(name))


def _of_friends(orders: Orders, kind: str, name: str) -> Iterator[Unknown]:
    scene = orders.scene
    units = scene.situation.game.units
    attributes: tuple[str, ...] = ("class", "type", "mode", "motor", "battery", "static")
    if kind == "formations":
        attributes = ("formation", "attached", "echelon", "breakdown")
        broken_down = [u for u, _ in scene.friends(name) if scene.units.has(u, "breakdown") is True]
        if broken_down and scene.tables.reading("breakdown_exempt") == "undecided":
            yield of_reading("breakdown_exempt")
        for attribute in attributes:
            if not scene.units.fact(orders.unit.id, attribute).is_known:
                yield questions.of_unit(orders.unit, attribute)
        if any(is_attached(scene.units, u) for u in (orders.unit.id, *dict(scene.friends(name)))):
            yield of_reading("5.3.5")
    if kind == "traffic" and orders.strategic:
        yield of_reading("5.3.4")
    for unit, sure in scene.friends(name):
        if sure is None:
            yield from _presence(orders, unit, name)
        if kind == "formations" and scene.units.fact(unit, "attached").must_be("yes"):
            yield questions.of_unit(units[unit], "attached")
        for attribute in attributes:
            needed = attribute not in ("battery", "static") or scene.units.is_a(
                unit, "artillery", "hq"
            )
            if needed and not scene.units.fact(unit, attribute).is_known:
                yield questions.of_unit(units[unit], attribute)


def of_stop(orders: Orders, clause: str, to: str) -> Iterator[Unknown]:
    """The questions whether a mover had to stop in a hex."""
    found: list[Unknown] = []
    attributes = _STOP_ATTRIBUTES.get(clause)
    if attributes is not None:
        found += _near(orders, to, tuple(a for a in attributes if a not in _OF_GUNS))
        found += _of_guns(orders, orders.contact, clause)
        found = found or list(_readings_of_stop(orders, clause, to))
    elif clause == "WAR-5.6.3-b":
        found += _of_friends(orders, "traffic", to)
    elif clause == "WAR-5.5-g":
        found += _near(orders, to, ("type",))
    elif clause == "WAR-5.5-f" and orders.country.is_constricted(to):
        found.append(of_reading("5.5-f"))
    elif clause == "WAR-5.5-f":
        board = orders.scene.board
        about = about_lines_in(board, to) if board.hex_known(to) else about_hex(board, to)
        found.append(questions.of_board(about, ""))
    else:
        found.append(
            Unknown(
                f"stop in {to}", f"did it have to stop in {to} ({clause.removeprefix('WAR-')})?"
            )
        )
    yield from found


def _readings_of_stop(orders: Orders, clause: str, to: str) -> Iterator[Unknown]:
    """How the text must be read to tell whether it had to stop, where all facts are known; which hex is
    meant is asked only where nothing else would settle it."""
    scene, contact = orders.scene, orders.contact
    enemies = [unit for near in scene.board.neighbours(to) for unit, _ in scene.enemies(near)]
    found: list[str] = []
    if any(scene.units.is_a(unit, "flak") for unit in enemies):
        found.append("5.3.1-0")
    if clause == "WAR-5.3.1-c" and not found:
        near = (scene.board.hexes[name].features for name in scene.board.neighbours(to))
        found += ["5.3.1-c"] if any(WEST_WALL in features for features in near) else []
    if clause != "WAR-5.3.1-c":
        if any(scene.units.has(gun, "battery", "out") for gun, _, _ in contact.guns()):
            found.append("5.3.1-a")
        if any(_is_attached(orders, gun) for gun in (*(g for g, _, _ in contact.guns()), *enemies)):
            found.append("5.3.5-c")
        if contact.dark and not scene.covering(to):
            found.append("night_covers")
        if not found and scene.tables.reading("stop_hex") == "undecided":
            found.append("stop_hex")
    yield from map(of_reading, found)


def _is_attached(orders: Orders, unit: str) -> bool:
    return not orders.scene.units.fact(unit, "attached").must_be("no")


_OF_GUNS = ("red", "depleted", "range", "formation", "command")


def _of_guns(orders: Orders, contact: Contact, clause: str) -> Iterator[Unknown]:
    units = orders.scene.situation.game.units
    if clause != "WAR-5.3.1-a":
        return
    for gun, _, _ in contact.guns():
        for attribute in ("type", *_OF_GUNS):
            if not orders.scene.units.fact(gun, attribute).is_known:
                yield questions.of_unit(units[gun], attribute)
