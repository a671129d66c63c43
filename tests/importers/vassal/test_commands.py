"""Commands and pieces in text and back; the tree of commands, the opening and the steps."""

from __future__ import annotations

import dataclasses
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from vassal_files import golden_rows
from vassal_umpire.importers.vassal import commands as c
from vassal_umpire.importers.vassal.commands import (
    decode_command,
    encode_command,
    encode_step,
    encode_stream,
    leaves,
    read_text,
    why_unread,
)
from vassal_umpire.importers.vassal.savefile import read_save
from vassal_umpire.importers.vassal.sequence import split
from vassal_umpire.model.problem import Unreadable

SECRET = "open-sesame"

EXAMPLES = [
    ("", c.Null()),
    ("null", c.Unencodable()),
    ("begin_save", c.BeginSave()),
    ("end_save", c.EndSave()),
    ("SETUP_STACK\t", c.SetupStackMark()),
    (r"+/12/piece;;;a\/b.png;X/Map;1;2;3", c.AddPiece("12", "piece;;;a/b.png;X", "Map;1;2;3")),
    ("+/null/stack/null;0;0", c.AddPiece(None, "stack", "null;0;0")),
    ("-/1/2", c.RemovePiece("1/2")),
    ("D/7/new/old", c.ChangePiece("7", "new", "old")),
    ("D/7/new", c.ChangePiece("7", "new")),
    ("D/7/new/", c.ChangePiece("7", "new", "")),
    (f"M/7/East\\/West/10/-20/null/null/007//9/{SECRET}",
     c.MovePiece("7", "East/West", 10, -20, None, None, "007", "", "9", SECRET)),
    ("M/7/A/1/2/3/B/4/5/6", c.MovePiece("7", "A", 1, 2, "3", "B", 4, 5, "6")),
    ("M/7/A/1/2/3/B/4/5/6/", c.MovePiece("7", "A", 1, 2, "3", "B", 4, 5, "6", "")),
    ("AUDIO\tboom.wav", c.Audio("boom.wav")),
    ("CHAT<Rita> - BoardPicker\t\\x", c.Chat("<Rita> - BoardPicker\t\\x")),
    ("UNDO\ttrue", c.Undo(True)),
    ("UNDO\tfalse", c.Undo(False)),
    (f"PLAYER\t{SECRET}\tRita\tRed", c.Player(SECRET, "Rita", "Red")),
    (f"PYREMOVE\t{SECRET}", c.PlayerRemove(SECRET)),
    (
        "East/West, upperBoardPicker\tA\\\\/b/rev\t0\t1\tC\t1\t1",
        c.Boards(
            "East/West, upper",
            (c.BoardChoice("A\\/b", True, 0, 1), c.BoardChoice("C", False, 1, 1)),
        ),
    ),
    ("EventsBoardPicker\tE\t0\t0", c.Boards("Events", (c.BoardChoice("E", False, 0, 0),))),
    ("Map0BoardPicker", c.Boards("Map0", ())),
    ("TURNTurnTracker11\t0|1;0;true", c.TurnState("TurnTracker11", "0|1;0;true")),
    ("GlobalProperty\t;Mud;true;Module", c.GlobalProperty("Mud", "true", "Module")),
    ("GlobalProperty\t;Mud;true", c.GlobalProperty("Mud", "true")),
    ("MutableProperty\tMud\tno\tyes\tMap:Z", c.MutableProperty("Mud", "no", "yes", "Map:Z")),
    ("MutableProperty\tMud\tno\tyes", c.MutableProperty("Mud", "no", "yes")),
    ("NOTES\tone|two\\|2", c.Notes("one\ntwo|2")),
    ("PNOTES\t", c.PublicNotes("")),
    (f"PNOTE\t{SECRET}\tmy|plan", c.PrivateNote(SECRET, "my\nplan")),
    (f"PNOTE\t{SECRET}", c.PrivateNote(SECRET, None)),
    (f"SNOTE\tN\t{SECRET}\ttrue\ta|b\t06/06/1944 6:30 AM\tH",
     c.SecretNote("N", SECRET, True, "a\nb", "06/06/1944 6:30 AM", "H")),
    (f"SNOTE\tN\t{SECRET}\tfalse\ta", c.SecretNote("N", SECRET, False, "a")),
    (f"UNMASK\t{SECRET}\tRed", c.Unmask((SECRET, "Red"))),
    ("UNMASK\t", c.Unmask(("",))),
    ("EXT\tBig guns\t1.0", c.Extension("Big guns", "1.0")),
    ("PLUGIN\tP\t2", c.Plugin("P", "2")),
    ("SHOW_RESULTS\t2d6\t0\t5", c.ShowResults("2d6", (0, 5))),
    ("LOS\tLOS_Thread0\t1\t2\t3\t4\ttrue\tfalse\tfalse",
     c.LosThread("LOS_Thread0", 1, 2, 3, 4, True, False, False)),
    ("LOS\tLOS_Thread0\t1\t2\t3\t4\ttrue\tfalse",
     c.LosThread("LOS_Thread0", 1, 2, 3, 4, True, False)),
    ("FLARE\tFlare0\t44\t402", c.Flare("Flare0", 44, 402)),
    (f"CLOCK\t{SECRET}\tAllies\t1795262786566\t0\tfalse\ttrue",
     c.Clock(SECRET, "Allies", 1795262786566, 0, False, True)),
    ("CLOCKCONTROL\tfalse\ttrue", c.ClockControl(False, True)),
    ("SGKC\tSGKC0\ttrue", c.StartupDone("SGKC0", True)),
    (f"LOCKSPOTAB\tSetup\tRita\t{SECRET}\tnow", c.OptionTabLock("Setup", "Rita", SECRET, "now")),
    ("SEMAIL\ta@b.c", c.EmailServer("a@b.c")),
    ("Eventsx", c.EventLog("x")),
    ("DECK\t", c.DeckFile("")),
    ("CHECK\trunningVassalVersion<2.9.8\tALERT\\\told",
     c.Check("runningVassalVersion<2.9.8", ("ALERT\told",))),
    ("HAKA:red;3;H", c.Unknown("HAKA:red;3;H")),
    ("LOG\tCHATx", c.Unknown("LOG\tCHATx", "log-in-log")),
]  # fmt: skip


@pytest.mark.parametrize(("text", "command"), EXAMPLES, ids=lambda v: type(v).__name__)
def test_every_command_without_players_ids_in_sight(text: str, command: c.Command) -> None:
    assert decode_command(text) == command
    assert encode_command(command) == text
    unread = command.reason if isinstance(command, c.Unknown) else None
    assert why_unread(text) == unread
    assert SECRET not in repr(command)
    if SECRET in text:
        assert SECRET in repr(dataclasses.astuple(command))  # the value itself has it


def test_the_examples_leave_no_command_out() -> None:
    shown = {type(command) for _, command in EXAMPLES}
    classes = [kind for kind in vars(c.kinds).values() if isinstance(kind, type)]
    assert shown == {kind for kind in classes if issubclass(kind, c.Command)} - {c.Command}


@pytest.mark.parametrize(
    "text",
    [
        "+/", "+/5", "+/5/stack", r"+/5\/stack\/x", "M/1/2", "M/1/2/3/4/5/6/7/8", "D/", "UNDO",
        "PLAYER", "PLAYER\tx", "TURN", "MapBoardPicker\tB\t0", "EXT\tn",
    ],
)  # fmt: skip
def test_short_commands_are_kept_as_text(text: str) -> None:
    assert decode_command(text) == c.Unknown(text, "short")
    assert why_unread(text) == "short"
    assert encode_command(decode_command(text)) == text


HEADS = st.sampled_from(
    [
        "+/", "-/", "M/", "D/", "CHAT", "UNDO\t", "PLAYER\t", "GlobalProperty\t;", "LOS\t", "TURN",
        "XBoardPicker\t", "NOTES\t", "CLOCK\t", "SNOTE\t", "CHECK\t", "null", "",
    ]
)  # fmt: skip


@given(HEADS, st.text(alphabet="ab1/\t;|\\'.-", max_size=40))
def test_any_text_is_read(head: str, rest: str) -> None:
    text = head + rest
    command = decode_command(text)
    is_unknown = isinstance(command, c.Unknown)
    assert not is_unknown or encode_command(command) == text
    assert (why_unread(text) is not None) == is_unknown


TEXT = st.text(alphabet="ab/;\t \u00e9", max_size=8)
PLACE = st.integers(-(2**31), 2**31 - 1)
ANY = st.none() | TEXT.filter(lambda text: text != "null")


@given(
    st.builds(
        c.MovePiece, *[ANY] * 2, PLACE, PLACE, *[ANY] * 2, PLACE, PLACE, ANY, st.none() | TEXT
    )
    | st.builds(c.AddPiece, ANY, TEXT, TEXT)
    | st.builds(c.ChangePiece, TEXT, TEXT, st.none() | TEXT)
    | st.builds(c.MutableProperty, TEXT, TEXT, TEXT, st.none() | TEXT)
)
def test_values_come_back(command: c.Command) -> None:
    assert decode_command(encode_command(command)) == command


# -- The tree of commands, the opening and the steps -----------------------------------------------


def flat(text: str) -> list[str]:
    """As the engine decodes: token by token, as long as there are any."""
    tokens = split(text, "\x1b")
    return tokens if tokens == [text] else [leaf for token in tokens for leaf in flat(token)]


@given(st.text(alphabet="ab\\'\x1b", max_size=20))
def test_any_text_is_a_tree(text: str) -> None:
    assert leaves(text) == flat(text)


def deep(levels: int) -> str:
    text = "deepest"
    for level in range(levels):
        text = f"level {level}\x1b" + text.replace("\x1b", "\\\x1b")
    return text


def test_depth_is_bounded_and_needs_no_recursion() -> None:
    assert len(leaves(deep(300))) == 301
    assert leaves(deep(50), 50)
    with pytest.raises(Unreadable, match="nested more than 50 deep"):
        leaves(deep(51), 50)


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
    step = [c.Chat("a"), c.Chat("b")]
    assert encode_step(step) == "LOG\tCHATa\x1bLOG\tCHATb"
    written = "begin_save\x1bend_save\x1bLOG\tCHATa\\\x1bLOG\tCHATb"
    assert encode_stream([], [step]) == written


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
def test_each_step_holds_the_commands_the_engine_read(name: str, data: Path) -> None:
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
    assert leaves(quotes) == ["'"]
    assert leaves("''a'") == ["'a"]
