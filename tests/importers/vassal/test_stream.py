"""The tree of commands, the opening and the steps."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from vassal_umpire.importers.vassal import commands as c
from vassal_umpire.importers.vassal.commands import (
    CommandNode,
    encode_step,
    encode_stream,
    leaves,
    pack_tree,
    parse_tree,
    read_text,
)
from vassal_umpire.importers.vassal.savefile import read_save
from vassal_umpire.model.problem import Unreadable

OWN = st.text(alphabet="ab\t/", max_size=6)
TREES = st.recursive(
    st.builds(CommandNode, OWN),
    lambda inner: st.builds(CommandNode, OWN, st.lists(inner, max_size=3)),
    max_leaves=12,
)


def flat(node: CommandNode) -> list[str]:
    return [node.text, *(text for sub in node.subs for text in flat(sub))]


def test_a_tree_by_hand() -> None:
    tree = CommandNode("a", [CommandNode("b", [CommandNode("c"), CommandNode("d")])])
    text = "a\x1bb\\\x1bc\\\x1bd"
    assert pack_tree(tree) == text
    assert parse_tree(text) == tree
    assert leaves(text) == ["a", "b", "c", "d"]


@given(TREES)
def test_trees_come_back_and_run_in_order(tree: CommandNode) -> None:
    text = pack_tree(tree)
    assert parse_tree(text) == tree
    assert leaves(text) == flat(tree)


@given(st.text(alphabet="ab\\'\x1b", max_size=20))
def test_any_text_is_a_tree(text: str) -> None:
    assert leaves(text) == flat(parse_tree(text))


def deep(levels: int) -> str:
    text = "deepest"
    for level in range(levels):
        text = f"level {level}\x1b" + text.replace("\x1b", "\\\x1b")
    return text


def test_depth_is_bounded_and_needs_no_recursion() -> None:
    assert len(leaves(deep(300))) == 301
    assert len(flat(parse_tree(deep(300)))) == 301
    assert pack_tree(parse_tree(deep(300))) == deep(300)
    for read in (leaves, parse_tree):
        assert read(deep(50), 50)
        with pytest.raises(Unreadable, match="nested more than 50 deep"):
            read(deep(51), 50)


def test_steps() -> None:
    text = encode_stream(
        [c.Player("x", "Rita", "Red"), c.Chat("hello")],
        [
            [c.Chat("one")],
            ["null"],
            [c.Unknown("WHATEVER/1")],
            [c.Null()],
            ["null", c.Chat("two"), c.MovePiece("1", "M", 1, 2, None, "M", 3, 4, None, "x")],
        ],
    )
    cut = read_text(text)
    assert cut.opening == ("begin_save", "PLAYER\tx\tRita\tRed", "CHAThello", "end_save")
    assert [(s.number, s.engine_number, s.leaves) for s in cut.steps] == [
        (1, 1, ("CHATone",)),
        (2, None, ("WHATEVER/1",)),
        (3, 2, ("",)),
        (4, 3, ("null", "CHATtwo", "M/1/M/1/2/null/M/3/4/null/x")),
    ]
    assert list(cut.steps[3].commands())[1] == c.Chat("two")
    assert cut.problems == ()
    assert c.decode_command(cut.opening[0]) == c.BeginSave()


def test_a_step_reads_as_the_engine_writes_it() -> None:
    assert encode_step([c.Chat("a"), c.Chat("b")]) == "LOG\tCHATa\x1bLOG\tCHATb"
    assert encode_stream([], [[c.Chat("a"), c.Chat("b")]]) == (
        "begin_save\x1bend_save\x1bLOG\tCHATa\\\x1bLOG\tCHATb"
    )


def test_a_missing_border_is_a_problem() -> None:
    cut = read_text("begin_save\x1bCHATa\x1bLOG\tCHATb", where="x.vlog")
    assert cut.opening == ("begin_save", "CHATa")
    assert len(cut.steps) == 1
    assert [(p.code, p.where) for p in cut.problems] == [("no-end-save", "x.vlog")]


ENGINE_CLASSES = {
    "Add": (c.Player, c.AddPiece),  # PlayerRoster's inner class
    "AddPiece": (c.AddPiece,),
    "ChangePiece": (c.ChangePiece,),
    "ChangePropertyCommand": (c.MutableProperty,),
    "DisplayText": (c.Chat,),
    "MovePiece": (c.MovePiece,),
    "RemovePiece": (c.RemovePiece,),
    "SetTurn": (c.TurnState,),
    "UndoCommand": (c.Undo,),
}


@pytest.mark.parametrize("name", ["rich", "deck"])
def test_each_step_holds_the_commands_the_engine_read(name: str, data: Path, golden_rows) -> None:
    save = read_save(data / f"{name}.vlog")
    rows = [row for row in golden_rows(data / f"{name}.replay.jsonl.gz") if "step" in row]
    assert [step.engine_number for step in save.steps] == [row["step"] for row in rows]
    for step, row in zip(save.steps, rows, strict=True):
        read = [command for command in step.commands() if not isinstance(command, c.Unencodable)]
        assert len(read) == len(row["commands"])
        for mine, theirs in zip(read, row["commands"], strict=True):
            assert isinstance(mine, ENGINE_CLASSES[theirs["cmd"]])


def test_a_text_of_quotes_takes_no_time() -> None:
    quotes = "'" * 3_000_001
    assert leaves(quotes) == flat(parse_tree(quotes)) == ["'"]
    assert leaves("''a'") == ["'a"]
