"""What commands do to a table, on tables small enough to hold in the head."""

from __future__ import annotations

import gc
import sys
from collections.abc import Callable, Iterable
from types import FrameType

import pytest
from vassal_umpire.importers.vassal import table_rules as rules
from vassal_umpire.importers.vassal.commands import decode_command
from vassal_umpire.importers.vassal.grids.java import parse_int
from vassal_umpire.importers.vassal.replay_commands import CommandRunner
from vassal_umpire.importers.vassal.roster import Roster
from vassal_umpire.importers.vassal.table_forms import FormIndex
from vassal_umpire.importers.vassal.table_items import LiveMap, LivePiece, LiveStack
from vassal_umpire.importers.vassal.table_maps import MapBook
from vassal_umpire.importers.vassal.table_state import LiveTable

PLAIN = "piece;;;a.png;Tank"
MARKED = "mark;Side\tmarkmoved;;0;0\\\tpiece;;;a.png;Tank"
HIDDEN = "hide;73,130;Hide;;player:\tpiece;;;a.png;Spy"
LOOSE = "immob;;N\tpiece;;;a.png;Mine"
GONE = "M/d/Map/10/10/gone/Map/50/50/null/x"
COUNTING = "PROP;MP;true,0,9,false;\tpiece;;;a.png;Tank"


def runner(opening: Iterable[str] = ()) -> CommandRunner:
    made = CommandRunner(None, MapBook(None), Roster(), FormIndex())
    made.set_up(list(opening))
    return made


def do(game: CommandRunner, *commands: str) -> None:
    for text in commands:
        game.run(decode_command(text))


def stack_of(game: CommandRunner, piece_id: str) -> list[str]:
    piece = game.table.items[piece_id]
    assert isinstance(piece, LivePiece)
    return [] if piece.parent is None else [p.id for p in piece.parent.members]


def where(game: CommandRunner, piece_id: str) -> tuple[str | None, int, int]:
    piece = game.table.items[piece_id]
    return (piece.on.name if piece.on else None, *piece.at)


def two_stacks() -> CommandRunner:
    """a, b, c in one stack at 10,10; d alone in a stack at 50,50."""
    return runner(
        [
            *(f"+/{p}/{PLAIN}/Map;10;10;1" for p in "abc"),
            f"+/d/{PLAIN}/Map;50;50;1",
            "+/s/stack/Map;10;10;a;b;c",
            "+/t/stack/Map;50;50;d",
        ]
    )


@pytest.mark.parametrize(
    ("commands", "stack", "places"),
    [
        (["M/s/Map/90/90/null/Map/10/10/null/x"], "abc", {"b": ("Map", 90, 90)}),
        (["M/d/Map/10/10/a/Map/50/50/null/x"], "adbc", {}),
        (["M/d/Map/10/10/null/Map/50/50/null/x"], "dabc", {}),
        (["M/b/Map/70/70/null/Map/10/10/null/x", "M/d/Map/10/10/b/Map/50/50/null/x"], "acd", {}),
        (["M/s/Map/50/50/d/Map/10/10/null/x"], "dabc", {"b": ("Map", 50, 50)}),
        (["D/b/Box;5;6;1/Map;10;10;1"], "ac", {"b": ("Box", 5, 6)}),
        (["D/b/Map;5;6;1/Map;10;10;1"], "abc", {"b": ("Map", 10, 10)}),
        (["M/d/Map/10/10/b/Map/50/50/null/x", "D/s/Map;10;10;c;b;a/Map;10;10;a;b;c"], "cbda", {}),
        (["+/e/piece;;;;E/Map;10;10;1", "+/u/stack/Map;10;10;e", GONE], "abcd", {}),
    ],
    ids=[
        "a stack takes its members along",
        "a piece lands right above the one named",
        "without one named it goes to the bottom",
        "if the one named went away it still merges on top",
        "a stack dropped on a stack gives its members away",
        "a change that names another map takes the piece out of its stack",
        "a change of pixels alone does not move a stacked piece",
        "members that came meanwhile stay in a merged stack",
        "of two stacks at one pixel the one put on the map first gets it",
    ],
)
def test_who_is_in_the_stack_of_a_then(
    commands: list[str], stack: str, places: dict[str, tuple[str, int, int]]
) -> None:
    game = two_stacks()
    do(game, *commands)
    assert "".join(stack_of(game, "a")) == stack
    assert {piece: where(game, piece) for piece in places} == places


def test_a_piece_out_of_a_stack_lies_alone_until_the_logged_stack_comes() -> None:
    game = two_stacks()
    do(game, "M/b/Map/30/30/null/Map/10/10/a/x")
    assert stack_of(game, "b") == []
    assert where(game, "b") == ("Map", 30, 30)
    do(game, "+/u/stack/Map;30;30;b;@@1")
    piece = game.table.items["b"]
    assert isinstance(piece, LivePiece)
    assert piece.parent is game.table.items["u"]
    assert stack_of(game, "a") == ["a", "c"]


def test_a_lone_piece_that_stacks_gets_a_stack_of_the_engines_own() -> None:
    game = runner([f"+/a/{PLAIN}/Map;10;10;1"])
    do(game, "M/a/Map/30/30/null/Map/10/10/null/x")
    assert stack_of(game, "a") == ["a"]
    do(game, "+/u/stack/Map;30;30;a;@@1")
    piece = game.table.items["a"]
    assert isinstance(piece, LivePiece)
    assert piece.parent is game.table.items["u"]


def test_pieces_that_do_not_stack_lie_alone() -> None:
    game = two_stacks()
    do(game, f"+/m/{LOOSE}/\tMap;50;50;1", "M/m/Map/10/10/null/Map/50/50/null/x")
    assert (stack_of(game, "m"), where(game, "m")) == ([], ("Map", 10, 10))
    assert stack_of(game, "a") == ["a", "b", "c"]


def test_a_hidden_piece_merges_only_with_its_like() -> None:
    """[CompoundPieceCollection.canPiecesMerge]: both hidden by the same owner, or neither."""
    game = runner(
        [
            f"+/h/{HIDDEN}/owner\tMap;10;10;1",
            f"+/v/{HIDDEN}/null\tMap;20;20;1",
            f"+/o/{HIDDEN}/owner\tMap;30;30;1",
            "+/s/stack/Map;10;10;h", "+/t/stack/Map;20;20;v", "+/u/stack/Map;30;30;o",
        ]
    )  # fmt: skip
    do(game, "M/v/Map/10/10/null/Map/20/20/null/owner")
    assert stack_of(game, "v") == []
    assert where(game, "v") == ("Map", 10, 10)
    do(game, f"+/g/{HIDDEN}/owner\tMap;70;70;1", "M/o/Map/70/70/null/Map/30/30/null/owner")
    assert stack_of(game, "o") == ["o", "g"]


def test_a_removed_stack_leaves_its_pieces_on_no_map() -> None:
    game = two_stacks()
    do(game, "-/s")
    assert where(game, "a") == (None, 10, 10)
    assert set(game.table.items) == {"a", "b", "c", "d", "t"}
    do(game, "M/a/Map/50/50/d/null/10/10/null/x")
    assert where(game, "a") == ("Map", 50, 50)


def test_a_change_touches_only_traits_that_differ() -> None:
    """Old and new differ in the marker; the moved flag set meanwhile stays, and so does the place."""
    game = runner([f"+/a/{MARKED}/Red\tfalse\\\tMap;10;10;1", "+/s/stack/Map;10;10;a"])
    do(
        game,
        "M/s/Map/40/40/null/Map/10/10/null/x",
        "D/a/Red\ttrue\\\tMap;10;10;1/Red\tfalse\\\tMap;10;10;1",
        "D/a/Blue\tfalse\\\tMap;10;10;1/Red\tfalse\\\tMap;10;10;1",
    )
    piece = game.table.items["a"]
    assert isinstance(piece, LivePiece)
    assert game.forms.parts(piece.form, piece.traits) == ["Blue", "true"]
    assert where(game, "a") == ("Map", 40, 40)


def test_a_deck_takes_the_order_it_is_given() -> None:
    deck = "deck;" + ";" * 12 + "Events"
    game = runner([*(f"+/{p}/{PLAIN}/Map;1;1;1" for p in "abc"), f"+/k/{deck}/Map;1;1;true;a,b,c"])
    do(game, "D/k/Map;1;1;false;c,a,b/Map;1;1;true;b,a,c")
    deck_now = game.table.items["k"]
    assert isinstance(deck_now, LiveStack)
    assert [p.id for p in deck_now.members] == ["c", "a", "b"]
    assert deck_now.face_down is False
    do(game, "M/a/Map/9/9/null/Map/1/1/c/x", "M/a/Map/1/1/null/Map/9/9/null/x")
    assert [p.id for p in deck_now.members] == ["a", "c", "b"]


def test_a_changed_dynamic_property_puts_the_piece_down_anew() -> None:
    """Two stacks at one pixel merge when a property of one's lone piece is set [DynamicProperty]."""
    game = runner(
        [
            f"+/a/{COUNTING}/1\tMap;10;10;1", f"+/b/{COUNTING}/1\tMap;10;10;1",
            "+/s/stack/Map;10;10;a", "+/t/stack/Map;10;10;b",
        ]
    )  # fmt: skip
    do(game, "D/a/2\tMap;10;10;1/1\tMap;10;10;1")
    assert stack_of(game, "a") == ["b", "a"]


@pytest.mark.parametrize(
    ("stacking", "layers", "together"),
    [(True, ("low", "high"), [["a", "c"], ["b"]]), (True, (), [["a", "b", "c"]]), (False, (), [])],
    ids=["layers", "none", "no stacking"],
)
def test_layers_keep_pieces_apart_and_a_map_may_have_no_stacks(
    stacking: bool, layers: tuple[str, ...], together: list[list[str]]
) -> None:
    table = LiveTable({}.get, FormIndex())
    on = LiveMap("Map", stacking=stacking, layer_property="Layer" * bool(layers), layers=layers)
    table.property_of = lambda piece, name: {"a": "low", "b": "high", "c": "low"}[piece.id]
    table.begin()
    pieces = {name: LivePiece(name, table.forms.of(PLAIN)) for name in "abc"}
    table.items.update(pieces)
    for piece in pieces.values():
        rules.move(table, piece, on, (5, 5), None, None, None, to_bottom=False)
    stacks = {id(p.parent): p.parent for p in pieces.values() if p.parent}
    assert [[p.id for p in stack.members] for stack in stacks.values()] == together


@pytest.mark.parametrize(
    ("text", "value"),
    [("12", 12), ("-12", -12), ("+7", 7), ("007", 7), ("2147483647", 2147483647),
     ("2147483648", None), ("-2147483648", -2147483648), ("", None), ("1.5", None), (" 1", None),
     ("1_0", None), ("99999999999999999999", None), ("-", None)],
)  # fmt: skip
def test_numbers_as_java_reads_them(text: str, value: int | None) -> None:
    assert parse_int(text) == value


def test_problems_of_commands_that_do_not_follow() -> None:
    game = two_stacks()
    do(
        game,
        "M/nobody/Map/1/1/null/Map/0/0/null/x",
        "M/d/Map/60/60/null/Map/49/50/null/x",
        "M/d/Map/99999999999/1/null/Map/60/60/null/x",
        "-/nothing", "D/nothing/Map;1;1;1",
        f"+/d/{PLAIN}/Map;1;1;1",
        f"+/e/{MARKED}/Red",
    )  # fmt: skip
    assert [p.code for p in game.notes.problems] == [
        "unknown-piece", "wrong-origin", "no-number", "unknown-piece", "unknown-piece",
        "added-twice", "short-state",
    ]  # fmt: skip
    assert "from Map 49,50 but lies on Map 50,50" in game.notes.problems[1].message


def test_where_an_empty_deck_lies_is_a_problem_and_where_an_empty_stack_does_is_none() -> None:
    deck = "deck;" + ";" * 12 + "Events"
    game = runner()
    do(game, f"+/k/{deck}/Map;one;1;true", "+/s/stack/Map;one;1")
    (found,) = game.notes.problems
    assert (found.code, "'k'" in found.message) == ("no-number", True)


def _calls_of_one_move(pieces: int) -> tuple[int, int]:
    """Function calls made for one drag on a table of so many pieces, and for a look at each of them."""
    opening = []
    for i in range(pieces):
        x, y = i % 97 * 10, i // 97 * 10
        opening += [f"+/p{i}/{PLAIN}/Map;{x};{y};1", f"+/s{i}/stack/Map;{x};{y};p{i}"]
    game = runner(opening)
    commands = [
        decode_command("M/p5/Map/20/0/p2/Map/50/0/null/x"),
        decode_command("M/s7/Map/20/0/null/Map/70/0/null/x"),
        decode_command("D/p2/Map;20;0;2/Map;20;0;1"),
    ]
    drag = _calls(lambda: [game.run(command) for command in commands])
    assert sorted(stack_of(game, "p2")) == ["p2", "p5", "p7"]
    return drag, _calls(lambda: [item.upper() for item in game.table.items])


def _calls(work: Callable[[], object]) -> int:
    count = 0

    def counting(frame: FrameType, event: str, arg: object) -> None:
        nonlocal count
        count += event in ("call", "c_call")

    gc.collect()
    gc.disable()  # what a collection calls back is not a cost of the drag
    sys.setprofile(counting)
    try:
        work()
    finally:
        sys.setprofile(None)
        gc.enable()
    return count


@pytest.mark.ci
def test_a_step_costs_the_same_on_a_full_table() -> None:
    """300 more pieces on the table take less than one more call for every hundred of them; a step that looks
    at every piece would be noticed."""
    _calls_of_one_move(60)  # fills the caches that last
    (drag, looked), (full, looked_at_all) = map(_calls_of_one_move, (60, 360))
    assert full < drag + 3
    assert looked_at_all > looked + 300
