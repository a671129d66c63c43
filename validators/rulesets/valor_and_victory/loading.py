"""Checks on loading and unloading (section 8): in which phase and hex, movement before and after it, and how
much a carrier takes."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction

from ....model.finding import Finding
from ....model.unit import Unit
from ...answers import yes_or_no
from ...concepts import missing_facts
from ...concepts.sides import is_friend
from ...situation import DEAD, is_alive
from ...verdicts import left_open
from .carrying import goes_along, ridden
from .interrupted_moves import put_back
from .markers import at_start
from .movers import MoverFactory
from .phase_findings import accused, judged_phase
from .tables import DRIVEN, FOOT, GUN, INFANTRY, LEADERS, VEHICLE
from .unit_history import UnitHistory, carrier_in

_TRANSPORT = re.compile(r"T(\d+)|TH|NONE|NO|-")
"""The values of the attribute ``transport``, in capitals. Any other value means not known."""


@dataclass(frozen=True, slots=True)
class Loading:
    """A unit was loaded on ``carrier`` (an id), or unloaded if ``off``, by event ``index``. ``first``,
    ``end``: the events of the phase, ``end`` excluded."""

    unit: Unit
    carrier: str
    index: int
    off: bool
    first: int
    end: int


def loads(mover_factory: MoverFactory) -> Iterator[Finding]:
    """Findings about loading and unloading in all phases."""
    unit_history = mover_factory.unit_history
    boarding = [
        u
        for n in unit_history.changing("aboard")
        if (u := mover_factory.game.units.get(n)) is not None
    ]
    for first, end in unit_history.phases():
        name = judged_phase(unit_history, first)
        kind = mover_factory.tables.phases.get(name or "")
        if kind is None or first >= end:
            continue
        every: list[Loading] = []
        for unit in boarding:
            found = list(_loadings(unit, unit_history, first, end))
            told = _in_advance if kind == "advance" else _in_movement
            if unit_history.carrier(unit.id, first) is None:
                asked = missing_facts.of_unit(unit, "aboard")
                for one in told(mover_factory, found):
                    yield left_open(one, asked, *one.unknowns)
                continue
            yield from told(mover_factory, found)
            every += found if kind != "advance" and len(found) == 1 else []
        yield from _of_carriers(mover_factory, every)


def _loadings(unit: Unit, unit_history: UnitHistory, first: int, end: int) -> Iterator[Loading]:
    """The loadings of a unit in a phase. A marker that was corrected before anything moved does not count. A
    unit of which it is not known whether it was aboard when the phase began is taken to have been on foot.
    Nothing if it is not known later."""
    held = unit_history.carrier(unit.id, first) or ""
    said: list[tuple[int, str]] = []
    for index, after in unit_history.changes(unit.id, "aboard", first, end):
        carrier = carrier_in(after)
        if carrier is None:
            return
        before = said[-1][1] if said else held
        if carrier == before:
            continue
        last = said[-1][0] if said else first
        if said and not _meant(unit_history, unit.id, before, carrier, last, index):
            said.pop()
            if carrier == (said[-1][1] if said else held):
                continue
        said.append((index, carrier))
    before = held
    for index, carrier in said:
        if before and not _is_lost(
            before, index, end, unit_history
        ):  # its passengers are lost with it (8.5)
            yield Loading(unit, before, index, True, first, end)
        if carrier:
            yield Loading(unit, carrier, index, False, first, end)
        before = carrier


def _is_lost(carrier: str, index: int, end: int, unit_history: UnitHistory) -> bool:
    """Whether a carrier may have been lost in the phase: it is off the map or may be dead at the end, or it
    has not moved after event ``index`` and is taken off the map next. False if its place is not known."""
    place, dead = unit_history.place(carrier, end), unit_history.fact(carrier, DEAD, end)
    if place is None:
        return False
    if place.kind != "hex" or not is_alive(unit_history.game.units.get(carrier), dead):
        return True
    step = unit_history.timeline.step_of(max(0, end - 1))
    gone_on = any(d > index for d in unit_history.in_phase(carrier, index))
    return not gone_on and unit_history.timeline.removed_next(carrier, end, step)


def _meant(
    unit_history: UnitHistory, unit: str, carrier: str, following: str, first: int, end: int
) -> bool:
    """Whether a marker that was put on by event ``first`` and changed by event ``end`` was no mistake.
    ``carrier``: the one it named, '' for on foot; ``following``: the one named next. True if between the
    events the unit went along with the carrier; or, marked as on foot, if it or the next carrier moved."""
    own = [d for d in unit_history.in_phase(unit, first) if first < d < end]
    if carrier:
        return any(goes_along(carrier, d, unit_history) for d in own)
    return bool(own) or _moved(unit_history, following, first, end)


def _moved(unit_history: UnitHistory, unit: str, first: int, end: int) -> bool:
    return bool(unit) and any(first < d < end for d in unit_history.in_phase(unit, first))


def _floats(unit_history: UnitHistory, loading: Loading) -> bool:
    """Whether the marker may have been put on too late or taken off too early: the unit went along with its
    carrier before it was marked as loaded, or after it was marked as unloaded."""
    drags = unit_history.in_phase(loading.unit.id, loading.first)
    return any(
        goes_along(loading.carrier, d, unit_history)
        for d in drags
        if (d > loading.index) == loading.off
    )


def _in_advance(mover_factory: MoverFactory, found: list[Loading]) -> Iterator[Finding]:
    """The finding about a loading in an advance phase (8.3-a), by the loadings of one unit."""
    if not mover_factory.tables.applies("8.3-a"):
        return
    unit_history = mover_factory.unit_history
    for loading in found[:1]:
        if not unit_history.seen(
            _since_movement(mover_factory, loading), loading.index, loading.unit.side
        ):
            continue  # it may have been loaded in the Movement Phase and marked now
        # The marker may be a late correction. Only a drag in the phase, carried or on foot, shows that the
        # loading was made in it.
        drags = unit_history.in_phase(loading.unit.id, loading.first)
        shown = [
            d
            for d in drags
            if (d > loading.index) and ridden(loading.unit.id, d, unit_history) is not None
        ]
        if shown and loading.end < len(mover_factory.game.events):
            text = f"{_verb(loading)} outside the Movement Phase"
            events = (loading.index, shown[0])
            yield accused(unit_history, "VV-8.3-a", (loading.unit.id,), events, text)


def _since_movement(mover_factory: MoverFactory, loading: Loading) -> int:
    """The last event of the Movement Phase before the phase of the loading; the first event of the phase
    itself if there is none."""
    unit_history, kinds = mover_factory.unit_history, mover_factory.tables.phases
    for first, end in reversed(unit_history.phases()):
        if first < loading.first and kinds.get(unit_history.view(first).phase or "") == "movement":
            return end - 1
    return loading.first


def _in_movement(mover_factory: MoverFactory, found: list[Loading]) -> Iterator[Finding]:
    """The findings about the loadings of one unit in a movement phase."""
    tables, unit_history = mover_factory.tables, mover_factory.unit_history
    if len(found) > 1 and tables.applies("8.3-a"):
        text = "is loaded and unloaded in one turn"
        events = tuple(loading.index for loading in found)
        yield accused(unit_history, "VV-8.3-a", (found[0].unit.id,), events, text)
        return
    for loading in found:
        if loading.carrier not in mover_factory.game.units:
            continue
        who = (loading.unit.id, loading.carrier)
        if tables.applies("8.3-a") and _never_together(unit_history, loading):
            text = f"{_verb(loading)}, and its carrier was not in its hex"
            yield accused(unit_history, "VV-8.3-a", who, (loading.index,), text)
        elif tables.applies("8.3-b") and (events := _walked(mover_factory, loading)):
            text = f"{_verb(loading)}, and has moved by itself as well"
            yield accused(unit_history, "VV-8.3-b", who[:1], (*events, loading.index), text)
        elif (
            loading.off
            and tables.applies("8.5-a")
            and (pinned := _is_pinned(mover_factory, loading)) is not False
        ):
            text = "is unloaded, though its carrier is pinned, and it with that"
            one = accused(unit_history, "VV-8.5-a", who, (loading.index,), text)
            carrier = mover_factory.game.units[loading.carrier]
            yield one if pinned else left_open(one, missing_facts.of_unit(carrier, "pinned"))
        elif tables.applies("8.3-c") and (events := _both_before_and_after(unit_history, loading)):
            text = f"moved before and after {loading.unit.name} was {'un' * loading.off}loaded"
            yield accused(unit_history, "VV-8.3-c", who[::-1], (*events, loading.index), text)
        if not loading.off and tables.applies("8.2-a"):
            yield from _too_much(mover_factory, loading)


def _is_pinned(mover_factory: MoverFactory, loading: Loading) -> bool | None:
    """Whether the carrier was a pinned vehicle when the unit was unloaded, which is then pinned too; None if
    it is not known whether it was pinned. False if its marker may have been put there too early, or be left
    over."""
    unit_history, index = mover_factory.unit_history, loading.index
    carrier = mover_factory.game.units[loading.carrier]
    if not unit_history.fact(carrier.id, "class", index).must_be(VEHICLE):
        return False
    pinned = at_start(carrier, "pinned", index, loading.unit.side, unit_history)
    sure = unit_history.fact(carrier.id, "pinned", index).must_be(True)
    return False if pinned is None and sure else pinned


def _of_carriers(mover_factory: MoverFactory, every: list[Loading]) -> Iterator[Finding]:
    """Findings for carriers that both loaded and unloaded in a phase, or did either in several hexes. Several
    units in one hex count as one action."""
    unit_history = mover_factory.unit_history
    by_carrier: dict[str, list[Loading]] = {}
    for loading in every:
        here = unit_history.place(loading.carrier, loading.index)
        together = here is not None and here == unit_history.place(loading.unit.id, loading.index)
        if together and not _floats(unit_history, loading):
            by_carrier.setdefault(loading.carrier, []).append(loading)
    for carrier, found in by_carrier.items():
        if carrier not in mover_factory.game.units or not mover_factory.tables.applies("8.3-a"):
            continue
        both = len({loading.off for loading in found}) > 1
        hexes = {unit_history.place(carrier, loading.index) for loading in found}
        if both or len(hexes) > 1:
            text = "loads and unloads in one turn" if both else "loads or unloads twice in one turn"
            who = (carrier, *(loading.unit.id for loading in found))
            yield accused(unit_history, "VV-8.3-a", who, (loading.index for loading in found), text)


def _verb(loading: Loading) -> str:
    return "is unloaded" if loading.off else "is loaded"


def _never_together(unit_history: UnitHistory, loading: Loading) -> bool:
    """Whether the hexes of the carrier and those of the unit in the phase, before and after each drag, have
    none in common. False if a place is not a known hex."""
    places = []
    for unit in (loading.unit.id, loading.carrier):
        drags = unit_history.in_phase(unit, loading.first)
        here = [
            unit_history.place(unit, loading.first),
            *(unit_history.drag(d).target for d in drags),
        ]
        if any(place is None or place.kind != "hex" for place in here):
            return False
        places.append({place.name for place in here if place is not None})
    return not places[0] & places[1]


def _walked(mover_factory: MoverFactory, loading: Loading) -> tuple[int, ...]:
    """The drags by which a passenger moved by itself; empty if it may not have done so. A single hex counts
    only if the stacking limit cannot have forced the unit to it."""
    unit_history, unit = mover_factory.unit_history, loading.unit.id
    drags = unit_history.in_phase(unit, loading.first)
    own = [d for d in drags if ridden(unit, d, unit_history) is False]
    if any(ridden(unit, d, unit_history) is None for d in drags) or not own:
        return ()
    if put_back(unit, drags, unit_history) is not None:
        return ()
    start, goal = unit_history.drag(own[0]).origin, unit_history.drag(own[-1]).target
    if start.kind != "hex" or goal.kind != "hex":
        return ()
    hexes = unit_history.game.board.distance(start.name, goal.name)
    if (
        hexes is None
        or hexes == 0
        or (hexes == 1 and not _roomy(mover_factory, loading.unit, own[0]))
    ):
        return ()
    return tuple(own)


def _roomy(mover_factory: MoverFactory, unit: Unit, index: int) -> bool:
    """Whether the hex of ``unit`` before event ``index`` was certainly within the stacking limits."""
    unit_history, tables = mover_factory.unit_history, mover_factory.tables
    here = unit_history.place(unit.id, index)
    if here is None or here.kind != "hex":
        return False
    now = mover_factory.before(index)
    target = now.game.board.hexes[here.name]
    if now.terrain_graph(INFANTRY, "", True).has(target, tables.works.fortifications) is not False:
        return False
    heavy = foot = 0
    for other in mover_factory.game.units.values():
        if other.kind != "unit" or unit_history.place(other.id, index) != here:
            continue
        if yes_or_no(unit_history.fact(other.id, DEAD, index)) is True:
            continue
        options = other.fact("class").options
        heavy += options is None or not {*DRIVEN, GUN}.isdisjoint(options)
        foot += options is None or not {*FOOT}.isdisjoint(options)
    numbers = tables.stacking
    mixed = numbers["mixed"]
    allowed = (
        (0, numbers["infantry"]),
        (mixed["vehicles"], mixed["infantry"]),
        (numbers["vehicles"], 0),
    )
    return any(heavy <= most and foot <= infantry for most, infantry in allowed)


def _both_before_and_after(unit_history: UnitHistory, loading: Loading) -> tuple[int, ...]:
    """The drag by which a carrier came to the hex of the loading, and the one by which it left; empty if it
    did not do both for certain."""
    carrier = loading.carrier
    here = unit_history.place(carrier, loading.index)
    if (
        here is None
        or here.kind != "hex"
        or here != unit_history.place(loading.unit.id, loading.index)
    ):
        return ()
    if _floats(unit_history, loading):
        return ()
    drags = unit_history.in_phase(carrier, loading.first)
    if put_back(carrier, drags, unit_history) is not None:
        return ()
    before = [d for d in drags if d < loading.index]
    after = [d for d in drags if d > loading.index]
    came = unit_history.place(carrier, loading.first)
    if not before or not after or came is None or came.kind != "hex" or came == here:
        return ()
    return (before[-1], after[0]) if unit_history.drag(after[-1]).target != here else ()


def _too_much(mover_factory: MoverFactory, loading: Loading) -> Iterator[Finding]:
    """The finding that a carrier certainly carries more than its transport class allows (8.2)."""
    unit_history, end = mover_factory.unit_history, loading.index + 1
    carrier = mover_factory.game.units[loading.carrier]
    here, step = unit_history.place(carrier.id, end), unit_history.timeline.step_of(loading.index)
    aboard = [
        unit
        for unit in mover_factory.game.units.values()
        if unit.kind == "unit"
        and is_friend(mover_factory.game, carrier.side, unit.side)
        and unit_history.carrier(unit.id, end) == carrier.id
        and unit_history.place(unit.id, end) == here  # a lost unit may still be marked as aboard
        and is_alive(unit, unit_history.fact(unit.id, DEAD, end))
        and not unit_history.timeline.removed_next(unit.id, end, step)
    ]
    said = unit_history.fact(carrier.id, "transport", end)
    excess = None
    if said.is_known:
        excess = _excess(str(said.value).upper(), aboard, carrier, unit_history, end)
    if excess:
        who = (carrier.id, *(unit.id for unit in aboard))
        text = f"of transport class {said.value} carries {excess}"
        yield accused(unit_history, "VV-8.2-a", who, (loading.index,), text)


def _excess(
    transport: str, aboard: list[Unit], carrier: Unit, unit_history: UnitHistory, end: int
) -> str | None:
    """What a carrier carries and may not carry, in words; None if there is no such thing, or it is not
    known."""
    told = _TRANSPORT.fullmatch(transport)
    if told is None:
        return None
    classes = {unit.id: unit_history.fact(unit.id, "class", end) for unit in aboard}
    count = Counter(str(fact.value) for fact in classes.values() if fact.is_known)
    half = transport == "TH"
    number = int(told[1] or 0)
    room = Fraction(1, 2) if half else Fraction(number)
    if count["squad"] + Fraction(count["half-squad"], 2) > room:
        return "more squads than it has room for"
    if sum(count[leader] for leader in LEADERS) > (1 if half else number):
        return "more leaders than it has room for"
    weapons = [unit_history.fact(unit.id, "weapon", end) for unit in aboard]
    if sum(fact.must_be("light") or fact.must_be("heavy") for fact in weapons) > (
        1 if half else number
    ):
        return "more support weapons than it has room for"
    guns = [unit for unit in aboard if classes[unit.id].must_be("gun")]
    if guns and unit_history.fact(carrier.id, "tow", end).must_be(False):
        return "a gun, and may not tow"
    if len(guns) > 1:
        return "more than one gun"
    if half and any(_large(unit) for unit in guns):
        return "a large gun"
    return None


def _large(unit: Unit) -> bool:
    """Whether a gun is certainly a large one: it has no MPs."""
    high = unit.fact("mp").high
    return high is not None and high <= 0
