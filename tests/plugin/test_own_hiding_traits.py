"""What a trait of a module's own hides or masks is not told to others, nor its owner's id to anybody."""

from __future__ import annotations

import json
import re
import sqlite3
import zipfile
from contextlib import closing
from pathlib import Path

import pytest
from vassal_umpire.importers.vassal.obfuscation import encode
from vassal_umpire.importers.vassal.replay import replay_log
from vassal_umpire.importers.vassal.savefile import read_save
from vassal_umpire.importers.vassal.traits import UnknownTrait
from vassal_umpire.importers.vassal.writer import zip_bytes

from .kit import done

V = "VASSAL.build.module"
BUILD = (
    f'<VASSAL.launch.BasicModule name="Hiding" version="1" VassalVersion="3.6.19">'
    f"<{V}.PlayerRoster><entry>Red</entry><entry>Blue</entry></{V}.PlayerRoster>"
    f'<{V}.Map mapName="Main"><{V}.map.BoardPicker>'
    f'<{V}.map.boardPicker.Board name="Plain" width="500" height="500"/></{V}.map.BoardPicker>'
    f"</{V}.Map></VASSAL.launch.BasicModule>"
)
RED, BLUE = "hush-red", "hush-blue"
SEATED = (f"PLAYER\t{RED}\tAnn\tRed", f"PLAYER\t{BLUE}\tBob\tBlue")


def piece(number: int, own: str, state: str, x: int = 100) -> str:
    """A command that adds a piece with one trait of the module's own."""
    own_type, own_state = (text.replace("/", "\\/") for text in (own, state))
    return f"+/p{number}/{own_type}\tpiece;;;tiger{number}.png;Tiger {number}/{own_state}\tMain;{x};{x};;0"


def save(folder: Path, *opening: str, steps: tuple[str, ...] = ()) -> Path:
    file = folder / ("game.vlog" if steps else "game.vsav")
    text = "\x1b".join(["begin_save", *opening, "end_save", *(f"LOG\t{s}" for s in steps)])
    data = b"<data version='1'><version>1</version><name>Hiding</name></data>"
    file.write_bytes(zip_bytes({"savedGame": encode(text, "vcsk", 7), "moduledata": data}))
    with zipfile.ZipFile(folder / "hiding.vmod", "w") as module:
        module.writestr("buildFile.xml", BUILD)
    return file


def shown(file: Path, *viewer: str) -> str:
    """All that the commands tell of a file; what ``convert`` writes to other files is read back."""
    module = file.parent / "hiding.vmod"
    texts = [
        done(*debug, command, file, "--module", module, *viewer, *form)
        for debug in ((), ("--debug",))
        for command, form in (
            ("show", ()), ("show", ("--format", "jsonl")), ("inspect", ()),
            ("inspect", ("--format", "json")),
        )
    ]  # fmt: skip
    texts.append(done("convert", module, file, *viewer, "-o", "-"))
    database = file.parent / "out.db"
    done("convert", module, file, *viewer, "--to", "sqlite", "-o", database, "--force")
    with closing(sqlite3.connect(database)) as tables:
        texts.extend(tables.iterdump())
    return "\n".join(texts)


def pieces(file: Path, *viewer: str) -> list[dict[str, object]]:
    text = done("convert", file.parent / "hiding.vmod", file, *viewer, "-o", "-")
    found = json.loads(text[text.index("{") : text.rindex("}") + 1])["table"]["logs"][0]["pieces"]
    assert isinstance(found, list)
    return found


CONCEAL = "conceal;C;ge/geqmark58;ge;;"
MASKED = {
    "a player's id and options": f"{RED};|0",
    "options that let others unmask": f"{RED};true|2|{BLUE}|Blue",
    "a player's id alone, as set from outside": f"{RED};",
    "somebody who has left": "hush-gone;|0",
    "a side": "Red;|0",
}
HIDDEN = {
    "a player's id": RED,
    "a side": "Red",
    "a player's id among other things": f"3;{RED};true",
    "a player's id in a list in a list": f"3;a,{RED}|b",
    "a player's id behind a tab": f"3\\\t{RED}",
}


@pytest.mark.parametrize("state", MASKED.values(), ids=MASKED)
def test_what_looks_masked_is_told_as_something_unknown(tmp_path: Path, state: str) -> None:
    file = save(tmp_path, piece(1, CONCEAL, state), piece(2, CONCEAL, "null;", 200), *SEATED)
    for viewer in ((), ("--as", "Blue")):
        text = shown(file, *viewer)
        assert "iger 1" not in text
        assert "tiger1" not in text
        assert "Tiger 2" in text
        names = {one["name"] for one in pieces(file, *viewer)}
        assert names == {"?", "Tiger 2"}


@pytest.mark.parametrize("state", HIDDEN.values(), ids=HIDDEN)
def test_of_what_may_be_hidden_nothing_is_told(tmp_path: Path, state: str) -> None:
    file = save(tmp_path, piece(1, "hip;H", state), piece(2, "hip;H", "null", 200), *SEATED)
    for viewer in ((), ("--as", "Blue")):
        assert "iger 1" not in shown(file, *viewer)
        assert [one["name"] for one in pieces(file, *viewer)] == ["Tiger 2"]


@pytest.mark.parametrize("state", [*MASKED.values(), *HIDDEN.values()])
def test_the_director_is_told_all_but_no_id(tmp_path: Path, state: str) -> None:
    file = save(tmp_path, piece(1, f"own;{RED};x", state), *SEATED)
    for viewer in ((), ("--as", "Red"), ("--as", "Blue"), ("--director",)):
        assert "hush" not in shown(file, *viewer)
    assert [one["name"] for one in pieces(file, "--director")] == ["Tiger 1(?)"]


@pytest.mark.parametrize("state", [RED, f"{RED};|0", "Red", "Red;|0", f"3;{RED}"])
def test_the_owner_sees_it_as_it_is(tmp_path: Path, state: str) -> None:
    file = save(tmp_path, piece(1, "own;x", state), *SEATED)
    assert [one["name"] for one in pieces(file, "--as", "Red")] == ["Tiger 1(?)"]


@pytest.mark.parametrize("state", ["hush-gone", "hush-gone;", "hush-gone;|0"])
def test_without_players_what_may_be_an_id_is_taken_for_one(tmp_path: Path, state: str) -> None:
    file = save(tmp_path, piece(1, "own;x", state))
    assert "iger 1" not in shown(file)


OPEN = ["", "null", "null;", "false", "3\\;;false", "-1", "0;", "2.5", "true;", "Gold", "a;b;c"]


@pytest.mark.parametrize("state", OPEN)
def test_other_states_conceal_nothing(tmp_path: Path, state: str) -> None:
    file = save(tmp_path, piece(1, "own;x", state), *SEATED)
    assert [one["name"] for one in pieces(file)] == ["Tiger 1"]


def test_a_name_goes_with_the_mask_when_it_is_put_on_in_play(tmp_path: Path) -> None:
    """The steps before are told as they were, those after not."""
    on, off = f"{RED};|0\tMain;100;100;;0", "null;\tMain;100;100;;0"
    steps = (f"D/p1/{on}/{off}", "M/p1/Main/200/200/null/Main/100/100/null/" + RED)
    file = save(tmp_path, piece(1, CONCEAL, "null;"), *SEATED, steps=steps)
    for viewer, name in (((), "?"), (("--as", "Blue"), "?"), (("--director",), "Tiger 1(?)")):
        told = done("show", file, "--module", tmp_path / "hiding.vmod", *viewer)
        assert "hush" not in told
        moved = told[told.rindex("Step 2") if "Step 2" in told else 0 :]
        assert name in moved


def test_neither_traits_nor_sizes_of_stacks_give_it_away(tmp_path: Path) -> None:
    for state, size in (("null", "2"), (RED, None)):
        pieces = (piece(1, "own;x", state), piece(2, "own;x", "null"))
        opening = (*pieces, "+/s/stack/Main;100;100;p1;p2")
        history = replay_log(read_save(save(tmp_path, *opening, *SEATED)))
        assert history.opening.pieces["p2"].facts.property("StackSize") == size
    # Neither its state nor its type, in which VASL's concealment counters keep their owner's id.
    assert "hush" not in repr(UnknownTrait(type=f"concealment;{RED};ge", own_state=f"{RED};|0"))


def test_what_vasl_conceals_is_for_the_director_alone(corpus: Path, tmp_path: Path) -> None:
    """In VASL others see a ``?`` for the Pz VIE, and nothing of the SU-152; the label that tells of both is
    open to all."""
    file = corpus / "vasl" / "templates-vsav" / "hip-concealed.vsav"
    module = tmp_path / "vasl.vmod"
    with zipfile.ZipFile(module, "w") as made:
        sides = BUILD.replace("Red", "Axis").replace("Blue", "Allies").replace('"Hiding"', '"VASL"')
        made.writestr("buildFile.xml", sides)
    for viewer in ((), ("--as", "Axis"), ("--as", "Allies")):
        given = ("--module", module) if viewer else ()
        told = [done("show", file, *given, *viewer)]
        told.append(done("inspect", file, *given, *viewer, "--format", "json"))
        document = done("convert", *given[1:], file, *viewer, "-o", "-")
        text = document[document.index("{") : document.rindex("}") + 1]
        names = {one["name"] for one in json.loads(text)["table"]["logs"][0]["pieces"]}
        assert {n for n in names if "scenario" not in n} == {"?"}
        for one in (*told, re.sub('<html>[^"]*', "", document)):
            assert not re.search("PzKw|VIE|SU-152|password", one)
    file = corpus / "vasl" / "templates-vsav" / "hip-concealed.vsav"
    document = done("convert", file, "--director", "-o", "-")
    assert "PzKw VIE" in document
    assert "SU-152" in document
    assert "password" not in re.sub('<html>[^"]*', "", document)
