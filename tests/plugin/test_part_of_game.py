"""Which documents of ``umpire convert --pack`` may be a part of the game: those in which something could be
hidden from their reader. If it were those in which something is, they would tell that a hidden counter is a
unit."""

from __future__ import annotations

import json
from collections.abc import Callable
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

from .hiding import PLAYED, facts_of, logs_of
from .kit import LOGS, MODULE, PACK, SAMPLES, done

HIDDEN_UNIT = str(IDS["Blue 2 Inf"])


def document(out: Path, *named: object) -> dict[str, Any]:
    done("convert", *named, "-o", out)
    return json.loads(out.read_text("utf-8"))["game"]


def is_part(play: Callable[[DarkScribe], None], folder: Path, *eyes: str) -> bool:
    _, logs = build(folder, play)
    game = document(folder / "game.json", *logs, "--pack", folder / "pack", *eyes)
    return game.get("part", False)


@pytest.mark.parametrize("eyes", [(), ("--as", "Red"), ("--as", "Blue")])
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


def test_such_a_document_accuses_whom_the_log_accuses(tmp_path: Path) -> None:
    file = tmp_path / "game.json"
    done("convert", *LOGS, "--pack", PACK, "-o", file)
    audit = ("--format", "json", "--fail-on", "never")
    by_log = json.loads(done("audit", *LOGS, "--pack", PACK, *audit))
    by_document = json.loads(done("audit", file, *audit))
    assert by_document["findings"] == by_log["findings"]
    assert by_document["summary"]["verdicts"]["illegal"] == 2
