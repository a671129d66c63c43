"""What a table seems to say of a counter and does not: each would lead to a false accusation or a leak."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace
from fractions import Fraction
from itertools import pairwise

import pytest
from tables import BLUE, RED, history
from vassal_umpire.importers.pack.attributes import Company, Reader
from vassal_umpire.importers.pack.board import Places
from vassal_umpire.importers.pack.declared import DeclaredAttributes, of_seen_units
from vassal_umpire.importers.pack.events import EventMaker
from vassal_umpire.importers.pack.facts import DeclaredCondition, DeclaredUnit, Facts, Span
from vassal_umpire.importers.pack.pack import Pack
from vassal_umpire.importers.pack.phases import PhaseTeller
from vassal_umpire.importers.pack.seen_history import seen_history
from vassal_umpire.importers.pack.unit_classification import (
    HIDDEN_NAME,
    UnitClass,
    UnitNames,
    classify_units,
)
from vassal_umpire.model.fact import Fact
from vassal_umpire.model.game import Displacement, Event, PhaseStart, Place, Spent
from vassal_umpire.model.table import (
    Actor,
    ChatLine,
    Concealment,
    Deck,
    Displaced,
    Participant,
    Piece,
    PieceChange,
    Spot,
    Stack,
    StackChange,
    StatedFacts,
    Step,
    TableHistory,
    TurnChange,
)
from vassal_umpire.model.unit import NAMELESS
from vassal_umpire.model.viewer import DIRECTOR, EVERYONE, Viewer
from vassal_umpire.model.visibility import UNSEEN, name_of
from vassal_umpire.validators.integrity import reveal

SIDES = ("Red", "Blue")
PACK = """[[units.are]]
property = "Side"
[units]
side = { property = "Side" }
[units.attributes]
status = [{ marker = "^Disrupted$", where = "on-top-of", value = "disrupted" }, { value = "good" }]
mud = [{ marker = "^Mud$", value = "mud" }, { value = "dry" }]
"""
UP = '[[spent]]\nproperty = "Spent"\ncounts = "up"\n'
DOWN = '[[spent]]\nproperty = "Spent"\ncounts = "down"\n'
CHAT = "[[spent]]\nchat = '(?P<amount>[0-9]+) MP'\n"


@pytest.fixture
def pack(small_pack: Callable[..., Pack]) -> Callable[..., Pack]:
    return lambda more="": small_pack(PACK + more)


def piece(
    name: str, side: str = "", x: int = 0, *concealments: Concealment, spent: str = ""
) -> Piece:
    properties = {"Side": side, "Spent": spent} if side else {}
    facts = StatedFacts(name, name, properties=properties, concealments=concealments)
    return Piece(name, Spot("M", x, 0), "", facts)


def step(number: int, *pieces: tuple[Piece | None, Piece | None], by: Participant = RED, chat=()):
    changes = tuple(PieceChange((b or a).id, b, a) for b, a in pieces)  # type: ignore[union-attr]
    moved = tuple(
        Displaced(c.id, c.before.spot, c.after.spot, "", "", "drag")
        for c in changes
        if c.before and c.after and c.before.spot != c.after.spot
    )
    lines = tuple(ChatLine(f"&lt;{by.name}&gt; - {text}", "player", by.name) for text in chat)
    return Step(1, number, number, Actor(by, "move"), changes, moved, chat=lines)


def events(pack: Pack, told: TableHistory) -> list[Event]:
    """The events of the first log."""
    reader = Reader(pack)
    phases = PhaseTeller(pack)
    known = classify_units(told, reader, SIDES), Places(pack, {}), phases, DeclaredAttributes(())
    maker = EventMaker(reader, *known, frozenset())
    list(maker.open(1, told.logs[0]))
    return list(maker.steps(1, told.logs[0]))


def spent(pack: Pack, told: TableHistory) -> list[Spent]:
    return [e for e in events(pack, told) if isinstance(e, Spent)]


def test_a_counter_that_changes_sides_is_of_no_side_for_certain(pack) -> None:
    then, now = piece("Trucks", "Red"), piece("Trucks", "Blue")
    roles = classify_units(history(step(1, (then, now)), opening=(then,)), Reader(pack()), SIDES)
    assert roles["Trucks"].side is None


def test_a_marker_beside_two_counters_may_be_either_ones(pack) -> None:
    reader = Reader(pack())
    marker, mud = piece("Disrupted"), piece("Mud")
    unit = piece("1st", "Red")
    assert reader.attributes(unit, Company(above=(marker,)))["status"].value == "disrupted"
    beside = reader.attributes(unit, Company(beside=(marker, mud)))
    assert beside["status"].options == ("disrupted", "good")
    assert beside["mud"].value == "mud"


def test_a_counter_in_a_hand_is_a_secret_and_one_that_came_to_light_is_open(pack) -> None:
    open_, hand = piece("Card", "Red"), piece("Card", "Red", 9, _private("Red"))
    for first, then, told in (
        (open_, hand, (("Red",), HIDDEN_NAME)),
        (hand, open_, (None, "Card")),
    ):
        drawn = history(step(1, (first, then)), opening=(first,))
        role = classify_units(drawn, Reader(pack()), SIDES)["Card"]
        assert (role.seen_by, role.public_name) == told


def test_a_counter_without_a_name_is_called_so_and_not_by_its_number(pack) -> None:
    facts = StatedFacts("", "", properties={"Side": "Red"})
    bare = Piece("1168285008071", Spot("M", 0, 0), "", facts)
    roles = classify_units(history(opening=(bare,)), Reader(pack()), SIDES)
    assert {role.public_name for role in roles.values()} == {"a counter without a name"}
    names = UnitNames({unit: (role.public_name,) for unit, role in roles.items()})
    assert names.find("1168285008071") == "1168285008071"
    assert names.find("a counter without a name") is None


def test_a_counter_without_a_name_is_called_by_its_picture_unless_that_is_masked(pack) -> None:
    bare = StatedFacts("", "", image="inf/N_inf_5-4_09.png", properties={"Side": "Red"})
    masked = replace(
        bare, name="Red unit", concealments=(Concealment("masked", frozenset({"Red"})),)
    )
    open_, closed = (Piece("17", Spot("M", 0, 0), "", facts) for facts in (bare, masked))
    for states, called in (
        ((open_,), "N_inf_5-4_09"),
        ((open_, closed), "Red unit"),
        ((closed, open_), "Red unit"),
    ):
        told = history(*(step(1, pair) for pair in pairwise(states)), opening=states[:1])
        (role,) = classify_units(told, Reader(pack()), SIDES).values()
        assert role.public_name == called
    told = seen_history(history(opening=(closed,)), Viewer("Blue"))
    (seen,) = told.logs[0].opening.pieces.values()
    assert (seen.name, seen.own_name, seen.image) == ("Red unit", "Red unit", "")
    bare_mask = replace(closed, facts=replace(masked, name=""))
    names = [name_of(bare_mask, viewer) for viewer in (EVERYONE, Viewer("Blue"), DIRECTOR)]
    assert names == [UNSEEN, UNSEEN, "N_inf_5-4_09"]


def test_its_owner_reads_the_picture_of_a_hidden_counter_before_what_hides_it() -> None:
    facts = Hidden("", "", image="X.png", concealments=(Concealment("hidden", frozenset({"Red"})),))
    hidden = Piece("17", Spot("M", 0, 0), "", facts)
    names = [name_of(hidden, viewer) for viewer in (Viewer("Blue"), Viewer("Red"), DIRECTOR)]
    assert names == [UNSEEN, "X(Hide)", "X(Hide)"]
    assert reveal._name(hidden) == "X"


class Hidden(StatedFacts):
    """What a trait hides, to whose owners the engine names the trait as well."""

    def name_for(self, viewers: Iterable[str]) -> str:
        return "(Hide)" if any(viewers) else ""


def test_the_picture_of_a_marker_does_not_say_what_it_is(pack) -> None:
    facts = StatedFacts("", "", image="wire.png", properties={"Marker": "yes"})
    reader = Reader(pack('[[units.markers]]\nproperty = "Marker"\n'))
    marker = Piece("17", Spot("M", 0, 0), "", facts)
    (role,) = classify_units(history(opening=(marker,)), reader, SIDES).values()
    assert (role.kind, role.public_name) == ("marker", NAMELESS)


def test_two_counters_with_one_picture_are_not_one_though_one_of_them_was_masked(pack) -> None:
    bare = StatedFacts("", "", image="X.png", properties={"Side": "Red"})
    mask = (Concealment("masked", frozenset({"Red"})),)
    one, two = (Piece(unit, Spot("M", 0, 0), "", bare) for unit in "AB")
    masked = replace(two, facts=replace(bare, name="Red unit", concealments=mask))
    told = history(step(1, (two, masked)), opening=(one, two))
    names = UnitNames.of(classify_units(told, Reader(pack()), SIDES))
    assert (names.find("X"), names.find("Red unit")) == (None, "B")


EITHER = """
ma = [{ property = "MA" }, { value = "4" }]
step = [{ layer = "Step", map = { 2 = "reduced" } }, { value = "full" }]
[[units.not]]
property = "Dead"
"""


def not_known(*names: str) -> Piece:
    facts = StatedFacts("A", "A", properties={"Side": "Red"}, unknown=frozenset(names))
    return Piece("A", Spot("M", 0, 0), "", facts)


def test_a_property_that_is_not_known_leaves_the_next_lookup_no_say(pack) -> None:
    reader = Reader(pack(EITHER))
    assert reader.attributes(not_known())["ma"].value == "4"
    assert reader.attributes(not_known())["step"].value == "full"
    doubtful = reader.attributes(not_known("MA", "Step_Level"))
    assert (doubtful["ma"].options, doubtful["step"].options) == (None, None)


def test_a_piece_that_is_perhaps_excluded_is_perhaps_a_unit(pack) -> None:
    reader = Reader(pack(EITHER))
    assert reader.kind(not_known()) == "unit"
    assert reader.kind(not_known("Dead")) is None
    roles = classify_units(history(opening=(not_known("Dead"),)), reader, SIDES)
    assert roles["A"].perhaps


def _private(*sides: str) -> Concealment:
    return Concealment("private", frozenset(sides))


def test_a_count_that_was_not_set_to_nought_may_mean_all_of_it(pack) -> None:
    """What stood there from the turn before: was 1 spent, or 4?"""
    three, four = piece("1st", "Red", spent="3"), piece("1st", "Red", spent="4")
    (told,) = spent(pack(UP), history(step(1, (three, four)), opening=(three,)))
    assert (told.amount.low, told.amount.high) == (1, 4)
    nought = piece("1st", "Red", spent="0")
    (told,) = spent(pack(UP), history(step(1, (nought, four)), opening=(nought,)))
    assert told.amount.value == Fraction(4)


def test_what_was_left_before_the_turn_does_not_tell_what_was_spent(pack) -> None:
    three, two, six = (piece("1st", "Red", spent=n) for n in "326")
    same = step(1, (three, three))
    for steps in ([step(1, (three, two))], [same, step(2, (three, two))]):
        (told,) = spent(pack(DOWN), history(*steps, opening=(three,)))
        assert (told.amount.low, told.amount.high) == (1, None)
    renewed = history(step(1, (three, six)), step(2, (six, two)), opening=(three,))
    (told,) = spent(pack(DOWN), renewed)
    assert told.amount.value == Fraction(4)


def test_what_the_other_player_says_a_move_cost_is_not_declared(pack) -> None:
    here, there = piece("1st", "Red"), piece("1st", "Red", 5)
    said = ["that was 2 MP"]
    moved = step(1, (here, there))
    assert spent(pack(CHAT), history(moved, step(2, by=BLUE, chat=said), opening=(here,))) == []
    (told,) = spent(pack(CHAT), history(moved, step(2, by=RED, chat=said), opening=(here,)))
    assert told.amount.value == Fraction(2)


TRACKER = """
[[phases.from]]
turn_tracker = "Turn"
pattern = "(?P<active>Red|Blue) (?P<phase>Movement)"
certain = true
"""


def test_a_counter_that_moves_as_the_tracker_advances_moves_in_no_known_phase(pack) -> None:
    here, there = piece("1st", "Red"), piece("1st", "Red", 5)
    turn = TurnChange("Turn", "Red Movement", "Blue Movement")
    told = history(replace(step(1, (here, there)), turns=(turn,)), opening=(here,))
    found = events(pack(TRACKER), told)
    kinds = [e for e in found if isinstance(e, PhaseStart | Displacement)]
    assert [type(e) for e in kinds] == [PhaseStart, Displacement, PhaseStart]
    assert [(e.phase, e.certain) for e in kinds if isinstance(e, PhaseStart)] == [
        (None, False),
        ("Movement", True),
    ]


def test_a_counter_put_into_a_deck_is_in_the_deck_and_not_in_the_hex_under_it(pack) -> None:
    here = piece("1st", "Red")
    there = replace(piece("1st", "Red", 9), holder="d")
    told = history(step(1, (here, there)), opening=(here,))
    deck = Deck("d", "Reserves", Spot("M", 9, 0), (), face_down=False)
    (log,) = told.logs
    log = replace(log, opening=replace(log.opening, decks={"d": deck}))
    found = events(pack(), replace(told, logs=(log,)))
    (moved,) = [e for e in found if isinstance(e, Displacement)]
    assert moved.target == Place("box", "Reserves")


def test_a_card_that_was_masked_before_it_came_to_light_is_a_mask_till_then(pack) -> None:
    """Else the table would tell which card lay there."""
    hand = piece("Card", "Red", 9, _private("Red"))
    masked = piece("Card", "Red", 0, Concealment("masked", frozenset({"Red"})))
    down = step(1, (hand, masked))
    stack = StackChange("s", None, Stack("s", masked.spot, ("Card",)))
    down = replace(down, stacks=(stack,))
    steps = down, step(2, (masked, hand)), step(3, (hand, piece("Card", "Red")))
    seen = seen_history(history(*steps, opening=(hand,)), Viewer("Blue")).logs[0]
    assert not seen.opening.pieces
    assert [[c.id for c in one.changes] for one in seen.steps] == [["mask 1"], ["mask 1"], ["Card"]]
    ((stack,), *_) = [one.stacks for one in seen.steps]
    assert stack.after.members == ("mask 1",)


def test_a_box_is_the_whole_map_unless_it_names_a_zone(pack) -> None:
    """Of a map that is not laid out no zone is known."""
    box = '[[box]]\nmap = "Off"\n'
    zoned, whole = f'{box}zone = "A"\n', f'{box}name = "Pool"\n'
    for told, name in ((zoned + whole, "Pool"), (zoned, "Off")):
        assert Places(pack(told), {}).of(Spot("Off", 1, 1)) == Place("box", name)


def test_roles_are_made_of_pieces() -> None:
    role = UnitClass(piece("x"), "unit", None, "x")
    role.see(piece("x"), SIDES)
    role.settle()
    assert role.seen_by is None


def test_facts_on_units_that_a_viewer_does_not_see_are_left_out() -> None:
    names, his = UnitNames({"1": ("Inf",), "2": ("Tank",)}), UnitNames({"1": ("Inf",)})
    span = Span()
    facts = Facts(
        conditions=tuple(
            DeclaredCondition(key, Fact(("yes",)), span, unit, "f")
            for key, unit in (("dug in", "Inf"), ("fuel", "Tank"), ("mud", ""))
        ),
        units=tuple(DeclaredUnit(unit, "Red", {}, span, "f") for unit in ("Inf", "Tank")),
    )
    seen = of_seen_units(facts, names, his, {"1"})
    assert [one.unit for one in seen.units] == ["Inf"]
    assert [(one.key, one.unit) for one in seen.conditions] == [("dug in", "Inf"), ("mud", "")]
