"""The text of a case about its counters (``a Red 0101 ma=4 class=foot``) and what happens, step by step.

::

    a: 0101 0102 0103       a is dragged from 0101 to 0102, then to 0103
    a: 0101 0102! 0103      the same, and a die is rolled while it is in 0102: everyone saw it there
    a+b: 0101 0103          both together; places may be boxes, [Reserve], or - (off the map)
    a: 0101 0102 by Blue    Blue's player did it
    undo a                  the last drag of a is taken back
    roll                    a die is rolled
    flip a status=pinned    an attribute of a changes
    spent a 3               the player says that a spent 3
    fact weather=mud        from here on; for one unit: fact a: supply=half
    phase Combat            a phase begins; also: phase Movement of Blue, turn 2, uncertain; ? is not known
    board 0201 terrain=…    the board changes, see :mod:`.change_text`
    log                     the next log begins; as the last line: the log ends during the phase
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from ...model.board import Board, Hex
from ...model.fact import UNKNOWN, Fact
from ...model.game import (
    Condition,
    Displacement,
    Event,
    PhaseStart,
    Place,
    Spent,
    StateChange,
    StepRef,
    Witness,
)
from ...model.unit import Unit
from .change_text import change_in
from .words import Blame, Faults, fact_in, pairs_in, place_in, places_in, words_in

RESERVED = ("name", "kind", "seen_by")
"""Keys of a counter that are not attributes."""

_VALUE = "a value such as 4, 7/2, foot, a|b, 4..6 or ?"


@dataclass(frozen=True, slots=True)
class CaseUnits:
    """The units of a case, their opening places, and their sides in order of appearance."""

    units: Mapping[str, Unit]
    opening: Mapping[str, Place]
    sides: tuple[str, ...]


def read_units(
    rows: Sequence[str],
    attributes: Mapping[str, str | int | bool],
    hexes: Mapping[str, Hex],
    faults: Faults,
    path: tuple[str | int, ...],
) -> CaseUnits:
    """The units of ``rows``. ``attributes``: the defaults for all units."""
    units: dict[str, Unit] = {}
    opening: dict[str, Place] = {}
    usual: dict[str, Fact] = {}
    for key, value in attributes.items():
        fact = fact_in(value)
        if fact is None:
            faults.at(*path[:-1], "attributes", key)(_VALUE, f'"{value}"')
        else:
            usual[key] = fact
    for index, row in enumerate(rows):
        blame = faults.at(*path, index)
        words = words_in(row, blame)
        if words is None:
            continue
        if len(words) < 3 or "=" in "".join(words[:3]):
            blame('id, side and hex, such as "a Red 0101 ma=4"', f'"{row}"')
            continue
        where = place_in(words[2], hexes)
        if words[0] in units:
            blame("each unit once", f"{words[0]} again")
        elif where is None:
            blame("a hex of the board, a [box], or -", words[2])
        else:
            units[words[0]] = _unit(words, usual, blame)
            opening[words[0]] = where
    sides = dict.fromkeys(unit.side for unit in units.values() if unit.side is not None)
    return CaseUnits(units, opening, tuple(sides))


def _unit(words: list[str], usual: Mapping[str, Fact], blame: Blame) -> Unit:
    given = pairs_in(words[3:], blame)
    facts = dict(usual)
    for key, value in given.items():
        fact = fact_in(value)
        if fact is None:
            blame(_VALUE, f'"{key}={value}"')
        elif key not in RESERVED:
            facts[key] = fact
    kind = given.get("kind", "unit")
    if kind not in ("unit", "marker"):
        blame("kind=unit or kind=marker", f'"kind={kind}"')
    seen_by = given.get("seen_by")
    return Unit(
        id=words[0],
        name=given.get("name", words[0]),
        side=None if words[1] == "?" else words[1],
        kind="marker" if kind == "marker" else "unit",
        attributes=facts,
        seen_by=None if seen_by is None else tuple(seen_by.split("+")),
    )


MOVEMENT = "Movement"
COMBAT = "Combat"
FIRST_TURN = "1"

_DRAG = re.compile(r"([^\s:]+)\s*:\s*(.*?)(?:\s+by\s+(\S+))?")
_PHASE = re.compile(r"(.+?)(?:\s+of\s+([^,]+?))?(?:,\s*turn\s+([^,]+?))?(,\s*uncertain)?")


@dataclass(slots=True)
class _ReadState:
    """The events read so far, and the state of the game after them."""

    units: Mapping[str, Unit]
    board: Board
    hexes: dict[str, Hex]
    sides: Sequence[str]
    places: dict[str, Place]
    events: list[Event] = field(default_factory=list)
    conditions: list[Condition] = field(default_factory=list)
    values: dict[tuple[str, str], Fact] = field(default_factory=dict)
    last: dict[str, Displacement] = field(default_factory=dict)
    at: StepRef = field(default_factory=lambda: StepRef(1, 0))
    turn: str | None = FIRST_TURN
    active: str | None = None

    def step(self) -> StepRef:
        self.at = StepRef(self.at.log, self.at.step + 1)
        return self.at


@dataclass(frozen=True, slots=True)
class CaseEvents:
    events: tuple[Event, ...]
    conditions: tuple[Condition, ...]


def read_moves(
    moves: Sequence[str],
    facts: Sequence[str],
    units: Mapping[str, Unit],
    opening: Mapping[str, Place],
    board: Board,
    sides: Sequence[str],
    faults: Faults,
    path: tuple[str | int, ...],
) -> CaseEvents:
    """The events of ``moves``. Without a phase at the beginning, they are in the movement phase of the side
    that moves first. It ends after the last line, unless that is ``log``."""
    state = _ReadState(units, board, dict(board.hexes), sides, dict(opening))
    for index, text in enumerate(facts):
        _fact(text, state, faults.at(*path, "facts", index))
    rows = [text.strip() for text in moves]
    if not rows or rows[0].split(maxsplit=1)[:1] != ["phase"]:
        state.active = _first_side(rows, units)
        state.events.append(PhaseStart(state.step(), state.turn, MOVEMENT, state.active))
    for index, row in enumerate(rows):
        _row(row, state, faults.at(*path, "moves", index))
    if rows and rows[-1] == "log":
        state.events.pop()  # nothing follows it
    else:
        state.events.append(PhaseStart(state.step(), state.turn, COMBAT, state.active))
    return CaseEvents(tuple(state.events), tuple(state.conditions))


def _first_side(rows: Iterable[str], units: Mapping[str, Unit]) -> str | None:
    for row in rows:
        found = _DRAG.fullmatch(row)
        if found is None or "-" in places_in(found[2]):
            continue  # entering and leaving play is not movement
        name = found[1].split("+")[0]
        if name in units:
            return units[name].side
    return next((unit.side for unit in units.values()), None)


def _row(row: str, state: _ReadState, blame: Blame) -> None:
    word, _, rest = row.partition(" ")
    tellers = {
        "phase": _phase,
        "fact": _fact,
        "flip": _flip,
        "spent": _spent,
        "undo": _undo,
        "chat": _chat,
        "board": _board,
    }
    if word in tellers and rest.strip():
        tellers[word](rest.strip(), state, blame)
    elif row == "roll":
        state.events.append(Witness(state.step(), "roll", "1d6", state.active))
    elif row == "log":
        state.events.append(Witness(state.at, "log-end"))
        state.at = StepRef(state.at.log + 1, 0)
    elif (found := _DRAG.fullmatch(row)) is not None:
        _drag(found[1], found[2], found[3], state, blame)
    else:
        blame(
            'a move such as "a: 0101 0201", or roll, phase …, flip …, spent …, undo …, fact …, board …, log',
            f'"{row}"',
        )


def _named(text: str, state: _ReadState, blame: Blame) -> list[str] | None:
    names = text.split("+")
    strange = [name for name in names if name not in state.units]
    if strange:
        blame(f"one of the units {', '.join(state.units)}", f'"{strange[0]}"')
        return None
    return names


def _drag(text: str, way: str, by: str | None, state: _ReadState, blame: Blame) -> None:
    names, stops = _named(text, state, blame), places_in(way)
    if names is None:
        return
    if len(stops) < 2:
        blame("where it lies and where it goes, such as 0101 0201", f'"{way}"')
        return
    places = [place_in(stop.removesuffix("!"), state.hexes) for stop in stops]
    if None in places:
        blame("hexes of the board", stops[places.index(None)])
        return
    for name in names:
        if state.places[name] != places[0]:
            blame(f"{name} to start where it lies ({state.places[name]})", stops[0])
            return
    for stop, place in zip(stops[1:], places[1:], strict=True):
        assert place is not None
        _displace(names, place, by or state.active, state)
        if stop.endswith("!"):
            state.events.append(Witness(state.step(), "roll", "1d6", state.active))


def _displace(names: Iterable[str], target: Place, actor: str | None, state: _ReadState) -> None:
    at = state.step()
    for name in names:
        origin = state.places[name]
        cause = "drag"
        if origin.kind == "nowhere":
            cause = "appearance"
        elif target.kind == "nowhere":
            cause = "removal"
        event = Displacement(at, name, origin, target, 1, cause, actor)  # type: ignore[arg-type]
        state.events.append(event)
        state.last[name] = event
        state.places[name] = target


def _undo(text: str, state: _ReadState, blame: Blame) -> None:
    names = _named(text, state, blame)
    if names is None:
        return
    last = [state.last.get(name) for name in names]
    if None in last or len({drag.at for drag in last if drag is not None}) > 1:
        blame("units whose last drag was one and the same", f'"undo {text}"')
        return
    at = state.step()
    for drag in last:
        assert drag is not None
        event = Displacement(
            at, drag.unit, drag.target, drag.origin, 1, "undo", drag.actor, cancels=drag.at
        )
        state.events.append(event)
        state.places[drag.unit] = drag.origin
        state.last.pop(drag.unit)


def _phase(text: str, state: _ReadState, blame: Blame) -> None:
    found = _PHASE.fullmatch(text)
    assert found is not None
    side = found[2] if found[2] is not None else state.active
    if found[2] not in (None, "?", *state.sides):
        blame(f"one of the sides {', '.join(state.sides)} (? for one not known)", f'"{side}"')
        return
    state.turn = None if found[3] == "?" else found[3] or state.turn
    name = None if found[1] == "?" else found[1]
    state.active = None if side == "?" else side
    event = PhaseStart(state.step(), state.turn, name, state.active, certain=found[4] is None)
    state.events.append(event)


def _fact(text: str, state: _ReadState, blame: Blame) -> None:
    unit, colon, rest = text.partition(":")
    if colon and unit.strip() not in state.units:
        blame(f"one of the units {', '.join(state.units)}", f'"{unit}"')
        return
    whose, pair = (unit.strip(), rest) if colon else ("", text)
    at = state.at if state.at.step == 0 else state.step()
    for key, fact in _facts(pair, blame):
        state.conditions.append(Condition(key, fact, at, unit=whose))


def _facts(text: str, blame: Blame) -> list[tuple[str, Fact]]:
    found = []
    for key, value in pairs_in(words_in(text, blame) or [], blame).items():
        fact = fact_in(value)
        if fact is None:
            blame("a value such as mud, 3, 7/2, a|b, 4..6 or ?", f'"{value}"')
        else:
            found.append((key, fact))
    return found


def _flip(text: str, state: _ReadState, blame: Blame) -> None:
    name, _, rest = text.partition(" ")
    if _named(name, state, blame) is None:
        return
    at = state.step()
    for key, fact in _facts(rest, blame):
        before = state.values.get((name, key), state.units[name].attributes.get(key, UNKNOWN))
        state.values[name, key] = fact
        state.events.append(StateChange(at, name, key, before, fact, state.active))


def _spent(text: str, state: _ReadState, blame: Blame) -> None:
    name, _, rest = text.partition(" ")
    amount = fact_in(rest) if rest else None
    if _named(name, state, blame) is None:
        return
    if amount is None or (amount.options is not None and amount.low is None):
        blame("how much it spent, such as 3 or 7/2", f'"{rest}"')
        return
    state.events.append(Spent(state.step(), name, amount))


def _board(text: str, state: _ReadState, blame: Blame) -> None:
    change = change_in(text, state.step(), state.board, state.hexes, blame)
    if change is not None:
        state.hexes.update((here.name, here) for here in change.hexes)
        state.events.append(change)


def _chat(text: str, state: _ReadState, _blame: Blame) -> None:
    state.events.append(Witness(state.step(), "chat", text, state.active))
