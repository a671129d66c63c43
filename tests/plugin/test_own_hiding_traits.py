"""What a trait of a module's own hides is told to nobody else; which documents are a part of a game."""

from __future__ import annotations

import json
import re
import sqlite3
import zipfile
from collections.abc import Callable
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from types import MappingProxyType
from typing import Any

import pytest
from dark import IDS, DarkScribe, build
from tiers import by_tier
from vassal_umpire.importers.vassal.buildfile import open_module
from vassal_umpire.importers.vassal.hiding_traits import can_hide
from vassal_umpire.importers.vassal.module import Module, Prototype
from vassal_umpire.importers.vassal.obfuscation import encode
from vassal_umpire.importers.vassal.replay import replay_log
from vassal_umpire.importers.vassal.savefile import read_save
from vassal_umpire.importers.vassal.traits.catalogue import UnknownTrait
from vassal_umpire.importers.vassal.writer import zip_bytes

from .hiding import PLAYED, facts_of, logs_of
from .kit import MODULE, SAMPLES, done

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


def piece(number: int, own: str, state: str, x: int = 100, name: str = "Tiger") -> str:
    """A command that adds a piece with one trait of the module's own, and a picture. ``name`` empty: it has
    no name."""
    own_type, own_state = (text.replace("/", "\\/") for text in (own, state))
    called = f"{name} {number}" if name else ""
    return (
        f"+/p{number}/{own_type}\tpiece;;;tiger{number}.png;{called}/{own_state}\tMain;{x};{x};;0"
    )


def save(folder: Path, *opening: str, steps: tuple[str, ...] = ()) -> Path:
    file = folder / ("game.vlog" if steps else "game.vsav")
    text = "\x1b".join(["begin_save", *opening, "end_save", *(f"LOG\t{s}" for s in steps)])
    data = b"<data version='1'><version>1</version><name>Hiding</name></data>"
    file.write_bytes(zip_bytes({"savedGame": encode(text, "vcsk", 7), "moduledata": data}))
    with zipfile.ZipFile(folder / "hiding.vmod", "w") as module:
        module.writestr("buildFile.xml", BUILD)
    return file


TELLING = (("show",), ("show", "--format", "jsonl"), ("inspect",), ("inspect", "--format", "json"))


def shown(file: Path, *viewer: str) -> str:
    """All that the commands tell of a file with ``--debug``, which adds to what they tell without; what
    ``convert`` writes to other files is read back."""
    module = file.parent / "hiding.vmod"
    texts = [done("--debug", *words, file, "--module", module, *viewer) for words in TELLING]
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


def test_to_debug_adds_to_what_is_told(tmp_path: Path) -> None:
    file = save(tmp_path, piece(1, "conceal;C", RED), *SEATED)
    for words in TELLING:
        asked = (*words, file, "--module", tmp_path / "hiding.vmod")
        assert done(*asked) in done("--debug", *asked)


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


STATES = (
    *((CONCEAL, state, ["?", "Tiger 2"]) for state in MASKED.values()),
    *(("hip;H", state, ["Tiger 2"]) for state in HIDDEN.values()),
)


@pytest.mark.parametrize(("own", "state", "told"), by_tier(STATES[::3], STATES))
def test_what_a_trait_may_hide_is_told_to_its_owner_and_the_director_alone(
    tmp_path: Path, own: str, state: str, told: list[str]
) -> None:
    """Something unknown where it looks masked, and nothing where it may be hidden; to nobody an id."""
    file = save(tmp_path, piece(1, f"{own};{RED}", state), piece(2, own, "null;", 200), *SEATED)
    for viewer in ((), ("--as", "Blue"), ("--as", "Red"), ("--director",)):
        text, names = (
            shown(file, *viewer),
            sorted(str(one["name"]) for one in pieces(file, *viewer)),
        )
        assert "hush" not in text
        assert "Tiger 2" in text
        owner = viewer[-1:] == ("Red",) and ("Red" in state or RED in state)
        if owner or "--director" in viewer:
            assert names == ["Tiger 1(?)", "Tiger 2"]
        else:
            assert names == told
            assert not re.search("[Tt]iger ?1", text)


def test_a_counter_without_a_name_goes_by_its_picture_where_that_may_be_seen(
    tmp_path: Path,
) -> None:
    state = MASKED["a player's id and options"]
    seen = piece(2, CONCEAL, "null;", 200, name="")
    file = save(tmp_path, piece(1, CONCEAL, state, name=""), seen, *SEATED)
    for viewer, open_to in (((), (2,)), (("--as", "Blue"), (2,)), (("--director",), (1, 2))):
        text = shown(file, *viewer)
        assert ("tiger1" in text) is (1 in open_to)
        found = {(one["name"], one.get("image")) for one in pieces(file, *viewer)}
        assert ("tiger2", "tiger2.png") in found
        assert ("?", None) in found or 1 in open_to
        steps = (f"D/p2/{state}\tMain;200;200;;0/null;\tMain;200;200;;0",)
        log = save(tmp_path, seen, *SEATED, steps=steps)
        told = done("show", log, "--module", tmp_path / "hiding.vmod", *viewer)
        assert ("tiger2: is masked" in told) is (1 not in open_to)


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


# -- which documents are a part of the game: those in which something could be hidden from their reader
# (If it were those in which something is hidden, they would tell that a hidden counter is a unit.)


HIDDEN_UNIT = str(IDS["Blue 2 Inf"])


def document(out: Path, *named: object) -> dict[str, Any]:
    done("convert", *named, "-o", out)
    return json.loads(out.read_text("utf-8"))["game"]


def is_part(play: Callable[[DarkScribe], None], folder: Path, *eyes: str) -> bool:
    _, logs = build(folder, play)
    out = folder / "game.json"
    said = done("convert", *logs, "--pack", folder / "pack", *eyes, "-o", out)
    part: bool = json.loads(out.read_text("utf-8"))["game"].get("part", False)
    assert ("--director writes all of it" in " ".join(said.split())) == part
    return part


@pytest.mark.parametrize("eyes", by_tier([()], [(), ("--as", "Red"), ("--as", "Blue")]))
@pytest.mark.parametrize(
    "play", [lambda s: s.hide(HIDDEN_UNIT), lambda s: s.say("nothing")], ids=["unit", "nothing"]
)
def test_a_document_does_not_tell_that_a_unit_is_hidden(
    play: Callable[[DarkScribe], None], eyes: tuple[str, ...], tmp_path: Path
) -> None:
    assert is_part(play, tmp_path / "game", *eyes)


def test_a_document_for_the_director_is_of_the_whole_game(tmp_path: Path) -> None:
    assert not is_part(lambda s: s.hide(HIDDEN_UNIT), tmp_path / "game", "--director")


@pytest.mark.parametrize("sample", by_tier(("crossroads",), PLAYED))
def test_where_nothing_can_hide_a_document_is_of_the_whole_game(
    sample: str, tmp_path: Path
) -> None:
    facts = facts_of(sample)
    named = ("--facts", facts) if facts is not None else ()
    out, pack = tmp_path / "game.json", SAMPLES / sample / "pack"
    assert "part" not in document(out, *logs_of(sample), "--pack", pack, *named)


def with_slot(module: Module, kind: str) -> Module:
    return replace(module, slots=(*module.slots, replace(module.slots[0], type=kind)))


def with_prototype(module: Module, definition: str) -> Module:
    prototypes = {**module.prototypes, "new": Prototype("new", definition)}
    return replace(module, prototypes=MappingProxyType(prototypes))


def with_map_of_one_side(module: Module) -> Module:
    return replace(module, maps=(*module.maps, replace(module.maps[0], visible_to_all=False)))


HIDE = "hide;72,130;Hide;;player:;0.3;;false"
MASK = "obs;73,130;back.png;Mask;B;?;player:;;;false"


@pytest.mark.parametrize(
    ("changed", "hides"),
    [
        (lambda m: m, False),
        (lambda m: with_slot(m, f"{HIDE}\tpiece;;;inf.png;Inf"), True),
        (lambda m: with_slot(m, f"mark;Kind\\\t{MASK}\\\tpiece;;;inf.png;Inf"), True),
        (lambda m: with_slot(m, "mark;jobs;and\tpiece;;;inf.png;Inf"), False),
        (lambda m: with_prototype(m, f"+/null/{MASK}\tpiece;;;;/null;\tnull;0;0;"), True),
        (with_map_of_one_side, True),
        (lambda m: replace(m, own_fields={"conceal;": frozenset()}), True),
    ],
)
def test_a_module_that_can_hide_something(changed: Callable[[Module], Module], hides: bool) -> None:
    assert can_hide(changed(open_module(MODULE))) is hides
