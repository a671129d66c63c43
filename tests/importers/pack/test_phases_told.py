"""Which phases the sources of a pack tell, step by step; whose dice fell."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator
from types import MappingProxyType

import pytest
from vassal_umpire.importers.pack.events import Rollers
from vassal_umpire.importers.pack.pack import Pack
from vassal_umpire.importers.pack.phases import PhaseTeller, source_in_words
from vassal_umpire.model.game import Game, StepRef, Witness
from vassal_umpire.model.table import (
    Actor,
    ChatLine,
    DieRoll,
    Displaced,
    GlobalChange,
    LogHistory,
    Participant,
    Piece,
    PieceChange,
    Spot,
    StatedFacts,
    Step,
    Table,
    TurnChange,
)

CHAT = "chat = '((?P<turn>T[0-9]) )?((?P<active>Red|Blue) )?(?P<phase>Movement|Combat)'"
TRACKER = """turn_tracker = "Turn"
pattern = '((?P<turn>T[0-9]) )?((?P<active>Red|Blue) )?(?P<phase>Movement|Combat)'"""
GLOBAL = "global = 'phase'\npattern = '(?P<phase>.+)'"
MARKER = "marker = 'Phase'\npattern = '(?P<phase>.+)'"
TITLE = Spot("M", 0, 0)


@pytest.fixture
def pack(small_pack: Callable[..., Pack]) -> Callable[[str], Pack]:
    return lambda source: small_pack(f"[[phases.from]]\n{source}")


def told(pack: Pack, *logs: tuple[str, list[Step]], broken: Collection[int] = ()) -> list[str]:
    """The starts: step and phase. Each log: what the tracker shows at its opening, and its steps."""
    teller = PhaseTeller(pack, (), broken)

    def starts() -> Iterator:
        for log, (shown, steps) in enumerate(logs, 1):
            turns = {"Turn": shown} if shown else {}
            yield from teller.opening(log, Table({}, {}, {}, {}, turns, ()))
            for number, one in enumerate(steps, 1):
                yield from teller.step(StepRef(log, number), one)

    return [f"{start.at} {start.phase}" for start in starts()]


def said(text: str, *, moved: bool = False) -> Step:
    legs = (Displaced("a", TITLE, TITLE, "", "", "drag"),) if moved else ()
    return Step(1, 1, 1, displacements=legs, chat=(ChatLine(text, "player"),))


def set_to(after: str, before: str = "") -> Step:
    return Step(1, 1, 1, turns=(TurnChange("Turn", before, after),))


@pytest.mark.parametrize(
    ("source", "shown"),
    [
        (CHAT, "what was said in the chat"),
        (TRACKER, "turn tracker Turn"),
        (GLOBAL, "global property phase"),
        (MARKER, "the place of Phase"),
        (MARKER.replace("Phase'", "^Game-Turn$'"), "the place of Game-Turn"),
        (MARKER.replace("Phase'", "^(Axis|Allied) turn$'"), "the place of a counter"),
    ],
)
def test_what_tells_a_phase_is_named_without_a_pattern(pack, source: str, shown: str) -> None:
    assert source_in_words(pack(source).phase_sources[0]) == shown


def phase_set(after: str, before: str) -> Step:
    return Step(1, 1, 1, globals=(GlobalChange("Module", "phase", before, after),))


@pytest.mark.parametrize(
    ("source", "steps", "starts"),
    [
        (CHAT, [said("Movement"), said("hello"), said("Movement")], [1, 3]),  # may be another
        (CHAT, [said("T1 Red Movement"), said("T1 Red Movement"), said("T1 Blue Movement")], [1, 3]),
        (CHAT, [said("T1 Movement"), said("T1 Movement")], [1, 2]),  # of a side that is not told
        (CHAT, [said("Red Movement"), said("Red Movement")], [1, 2]),
        (CHAT, [said("Movement"), said("a moves (Movement)", moved=True)], [1]),  # a report of a move
        (TRACKER, [set_to("Movement"), Step(1, 1, 1), set_to("Movement", "Movement")], [1, 3]),
        (GLOBAL, [phase_set("Movement", "Combat"), phase_set("Movement", "Movement")], [1]),
    ],
    ids=[
        "said again", "turn and side said", "no side", "no turn", "a report", "tracker", "property",
    ],
)  # fmt: skip
def test_which_steps_begin_a_movement_phase(
    pack, source: str, steps: list[Step], starts: list[int]
) -> None:
    assert told(pack(source), ("", steps)) == [f"1:{step} Movement" for step in starts]


@pytest.mark.parametrize(("broken", "again"), [((), []), ((2,), ["2:0 Movement"])])
def test_a_log_that_goes_on_from_the_one_before_goes_on_with_its_phase(
    pack, broken: Collection[int], again: list[str]
) -> None:
    logs = [("Red Movement", []), ("Red Movement", [])]
    assert told(pack(TRACKER), *logs, broken=broken) == ["1:0 Movement", *again]


@pytest.mark.parametrize("broken", [(), (2,)])
def test_with_turn_and_side_told_a_log_makes_no_difference(pack, broken: Collection[int]) -> None:
    logs = [("T1 Red Movement", []), ("T1 Red Movement", [])]
    assert len(told(pack(TRACKER), *logs, broken=broken)) == 1


def test_a_marker_that_is_flipped_where_it_lies_tells_nothing(pack) -> None:
    def marker(state: str, place: str) -> Piece:
        facts = StatedFacts("Phase", "Phase", location=place, properties={"face": state})
        return Piece("m", TITLE if place else Spot(None, 0, 0), "", facts)

    def step(before: Piece, after: Piece) -> Step:
        return Step(1, 1, 1, changes=(PieceChange("m", before, after),))

    out, there, flipped = marker("1", ""), marker("1", "Movement"), marker("2", "Movement")
    steps = [step(out, there), step(there, flipped), step(flipped, out), step(out, there)]
    found = told(pack(MARKER), ("", steps))
    assert found == ["1:1 Movement", "1:3 None", "1:4 Movement"]


# -- Whose dice fell, by what the report of a roll says --------------------------------------------

RED, BLUE = Participant("player 1", "Ann", "Red"), Participant("player 2", "Bob", "Blue")
WATCHER = Participant("player 3", "Cy")


def log(*players: Participant, later: tuple[Participant, ...] = ()) -> LogHistory:
    nothing = MappingProxyType({})
    tables = [Table(nothing, nothing, nothing, nothing, nothing, p) for p in (players, later)]
    return LogHistory("a.vlog", "", "", "", "", tables[0], (Step(1, 1, 1),), tables[1])


def roll(player: str) -> DieRoll:
    return DieRoll("2d6", ("7",), player)


def test_a_roll_is_the_side_s_of_the_player_it_names() -> None:
    rollers = Rollers(log(RED, BLUE, later=(RED, BLUE)))
    assert rollers.side(roll("Bob"), None) == "Blue"
    assert rollers.side(roll("Ann"), Actor(BLUE, "neighbours")) == "Red"


def test_a_player_may_sit_down_later() -> None:
    assert Rollers(log(RED, later=(RED, BLUE))).side(roll("Bob"), None) == "Blue"


@pytest.mark.parametrize(
    ("players", "later", "name"),
    [
        ((RED, BLUE), (), "Dee"),  # nobody of that name
        ((RED, BLUE), (), ""),  # the report names nobody
        ((RED, Participant("player 2", "Ann", "Blue")), (), "Ann"),  # two of that name
        ((RED, Participant("player 3", "Ann")), (), "Ann"),  # one of them only watches
        ((RED,), (Participant("player 1", "Ann", "Blue"),), "Ann"),  # changed sides
        ((RED, WATCHER), (), "Cy"),  # of no side
    ],
)
def test_it_is_nobody_s_where_that_is_unclear(
    players: tuple[Participant, ...], later: tuple[Participant, ...], name: str
) -> None:
    assert Rollers(log(*players, later=later)).side(roll(name), None) is None


def test_the_mover_of_the_same_step_has_a_say() -> None:
    rollers = Rollers(log(RED, BLUE))
    assert rollers.side(roll(""), Actor(RED, "move")) == "Red"
    assert rollers.side(roll("Ann"), Actor(RED, "move")) == "Red"
    assert rollers.side(roll("Bob"), Actor(RED, "move")) is None
    assert rollers.side(roll(""), Actor(RED, "neighbours")) is None


def test_the_rolls_of_a_real_log_have_owners(game: Game) -> None:
    rolls = [e for e in game.events if isinstance(e, Witness) and e.kind == "roll"]
    assert rolls
    assert {e.actor for e in rolls} <= set(game.sides)
